//! The detector: all contact points of a moving scene within the alert distance, sorted by key.
//! It owns the buffers and the order of the phases; what a phase does is in the rooms beside this one.

mod cells;
mod check;
mod cores;
mod fill;
mod level;
mod list;
mod seams;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use mpcd_core::{BodyId, ContactKey, Dimension, Kinematics, Vec3};

use crate::{
    error::GeometryError,
    narrow::{Ball, Buffers, Pair, Scene},
    shape::{Core, Shape, Shapes},
    skin::{BodySkin, Obstacles, SkinTouch},
    touch::Touch,
};
use list::{NearPairs, Wanted};

/// Finds the contact points of a scene.
///
/// Cost grows with the number of bodies and near pairs. The list of near pairs is kept from call to call as long as no body has
/// moved too far for it; whether it was kept, and how many threads worked, changes no bit of the result.
pub struct Detector {
    shapes: Arc<Shapes>,
    cores: Vec<Core>,
    dimension: Dimension,
    periods: [Option<f64>; 3],
    wanted: Box<Wanted>,
    balls: Vec<Ball>,
    near: NearPairs,
    fill: fill::Workspace,
    /// `None` where no body has edges that another one can hide.
    seams: Option<seams::Seams>,
    /// Of a single pair.
    pair: Buffers,
    /// Whether every body is a ball, a disc or a plane: pairs have one point then, which is found in no time.
    simple: bool,
    /// What [`Detector::pass`] hands over at a time.
    window: Vec<Touch>,
}

/// The bodies at one moment: borrows some of the detector's fields and leaves the buffers free.
macro_rules! scene {
    ($detector:ident, $kinematics:ident) => {
        Scene {
            shapes: &$detector.shapes.0,
            kinematics: $kinematics,
            dimension: $detector.dimension,
            balls: &$detector.balls,
            cores: &$detector.cores,
            periods: $detector.periods,
            periodic: $detector.periods != [None; 3],
        }
    };
}

impl std::fmt::Debug for Detector {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Detector")
            .field("bodies", &self.shapes.0.len())
            .field("dimension", &self.dimension)
            .finish_non_exhaustive()
    }
}

impl Detector {
    /// A detector for these shapes. `pairs` says whether two bodies interact at all; it is asked in either order, must not
    /// depend on the order, and must not change its mind.
    ///
    /// # Errors
    /// A shape with an impossible measure, or one that does not belong to a model of this dimension.
    pub fn new(
        shapes: Arc<Shapes>,
        dimension: Dimension,
        pairs: impl Fn(BodyId, BodyId) -> bool + Send + Sync + 'static,
    ) -> Result<Self, GeometryError> {
        check::shapes(&shapes, dimension)?;
        let cores = cores::of(&shapes, dimension)?;
        // Their skins are looked for by themselves.
        let deforms: Vec<bool> = cores.iter().map(|core| matches!(core, Core::Deformable { .. })).collect();
        Ok(Self {
            seams: seams::can_be(&cores).then(seams::Seams::default),
            simple: shapes.0.iter().all(|s| matches!(s, Shape::Ball { .. } | Shape::Disc { .. } | Shape::Plane { .. })),
            window: Vec::new(),
            cores,
            shapes,
            dimension,
            periods: [None; 3],
            wanted: Box::new(move |a, b| !deforms[a.index()] && !deforms[b.index()] && pairs(a, b)),
            balls: Vec::new(),
            near: NearPairs::default(),
            fill: fill::Workspace::default(),
            pair: Buffers::default(),
        })
    }

    /// The same scene in a cell that repeats along the axes that have a period (m). A pair touches where its nearest images are.
    /// Positions need not be inside the cell: a body that leaves it meets the images of the others.
    ///
    /// # Errors
    /// A period that is not above zero, along z in a planar model, or too short for a body: with half the period or more it could
    /// touch another body on two sides, or its own image.
    pub fn with_periods(mut self, periods: [Option<f64>; 3]) -> Result<Self, GeometryError> {
        self.set_periods(periods)?;
        Ok(self)
    }

    /// Changes the periods (m), for a cell that deforms.
    ///
    /// # Errors
    /// As [`Detector::with_periods`].
    pub fn set_periods(&mut self, periods: [Option<f64>; 3]) -> Result<(), GeometryError> {
        check::periods(&self.shapes, &periods, self.dimension)?;
        if periods != self.periods {
            self.near.forget();
        }
        self.periods = periods;
        Ok(())
    }

    /// Replaces the content of `out` by all contact points with gap ≤ `alert` (m), sorted by key, but for those with edges that
    /// bodies flush beside each other do not have together.
    ///
    /// Once the buffers have grown to what the scene needs, nothing is allocated.
    ///
    /// # Errors
    /// A motion that is not finite, a size that is not above zero, a wrong number of bodies, an alert distance that is not
    /// finite; in a periodic cell a plane across a periodic axis. `out` is then empty.
    pub fn detect(&mut self, kinematics: &Kinematics, alert: f64, out: &mut Vec<Touch>) -> Result<(), GeometryError> {
        let result = self.try_detect(kinematics, alert, out);
        if result.is_err() {
            out.clear();
        }
        result
    }

    /// Forgets everything but the scene: the list of near pairs, how it was chosen, and all buffers. Never needed for a right result.
    pub fn drop_caches(&mut self) {
        self.near = NearPairs::default();
        self.fill = fill::Workspace::default();
        self.balls = Vec::new();
        self.window = Vec::new();
    }

    /// Whether [`Detector::pass`] can be made: there are balls, discs and planes alone.
    #[must_use]
    pub const fn is_simple(&self) -> bool {
        self.simple
    }

    /// Looks for pairs as [`Detector::detect`] does, for [`Detector::pass`] to go over.
    ///
    /// # Errors
    /// As [`Detector::detect`].
    pub fn prepare(&mut self, kinematics: &Kinematics, alert: f64) -> Result<(), GeometryError> {
        self.list(kinematics, alert)
    }

    /// Hands what [`Detector::detect`] would find to `take`, some touches at a time, in order, and keeps none of it. `kinematics` and `alert` are those
    /// of the last [`Detector::prepare`], and [`Detector::is_simple`].
    pub fn pass(&mut self, kinematics: &Kinematics, alert: f64, take: impl FnMut(&[Touch])) {
        let scene = scene!(self, kinematics);
        self.fill.pass(&scene, self.near.pairs(), alert, &mut self.window, take);
    }

    /// Hands the touch of two bodies at `kinematics`, of which the first is the candidate, to `take`, whatever its gap. For [`Detector::is_simple`]; nothing
    /// for others.
    pub fn touch_of(&mut self, kinematics: &Kinematics, key: &ContactKey, mut take: impl FnMut(Touch)) {
        let pair = Pair { candidate: key.candidate, antagonist: key.antagonist };
        for i in [pair.candidate, pair.antagonist].map(BodyId::index) {
            self.balls[i] = fill::ball(&self.shapes.0[i], kinematics.position[i], kinematics.size[i], self.dimension);
        }
        if self.simple {
            scene!(self, kinematics).touches(pair, f64::INFINITY, &mut take);
        }
    }

    /// Whether two bodies are convex, bounded and not both round, in a scene that does not repeat: the plane between them may then be any that parts them.
    #[must_use]
    pub fn is_sharp_pair(&self, bodies: [BodyId; 2]) -> bool {
        let cores = bodies.map(|body| &self.cores[body.index()]);
        let convex = |core: &Core| matches!(core, Core::Round { .. } | Core::Polytope { .. } | Core::Smooth(_));
        let sharp = |core: &Core| matches!(core, Core::Polytope { .. } | Core::Smooth(_));
        self.periods == [None; 3] && cores.iter().all(|c| convex(c)) && cores.iter().any(|c| sharp(c))
    }

    /// Number of near pairs on the list that the last call used: a measure of its cost.
    #[must_use]
    pub fn near_pairs(&self) -> usize {
        self.near.pairs().len()
    }

    /// Replaces the content of `out` by the contact points with gap ≤ `alert` (m) of two bodies that stand at the centres given (m), with
    /// the orientations and sizes of `kinematics`, whether or not they interact. `kinematics` is that of a call of [`Detector::detect`]
    /// or has the same bodies.
    pub fn measure(&mut self, kinematics: &Kinematics, bodies: [(BodyId, Vec3); 2], alert: f64, out: &mut Vec<Touch>) {
        out.clear();
        if self.balls.len() != self.shapes.0.len() {
            fill::balls(&self.shapes, kinematics, self.dimension, &mut self.balls);
        }
        for (body, at) in bodies {
            let i = body.index();
            self.balls[i] = fill::ball(&self.shapes.0[i], at, kinematics.size[i], self.dimension);
        }
        let scene = scene!(self, kinematics);
        let [a, b] = bodies.map(|(body, _)| (Pair::rank(&self.shapes.0[body.index()]), body));
        if let Some(pair) = Pair::ranked(a, b) {
            scene.general(pair, alert, &mut self.pair, |touch| out.push(touch));
        }
    }

    /// Replaces the content of `out` by the contacts, with gap ≤ `alert` (m), of skins with the rigid bodies at `kinematics` and with each other,
    /// sorted by key, and takes those with edges that skins hide out of the contacts of rigid bodies, `rigid`. `wanted` says whether two bodies interact. `moving` has the velocities with which the step begins, and its length (s).
    ///
    /// # Errors
    /// As [`Detector::detect`]. `out` is then empty.
    pub fn detect_skins(
        &mut self,
        (kinematics, moving): (&Kinematics, (&Kinematics, f64)),
        skins: &[BodySkin<'_>],
        alert: f64,
        wanted: &dyn Fn(BodyId, BodyId) -> bool,
        (rigid, out): (&mut Vec<Touch>, &mut Vec<SkinTouch>),
    ) -> Result<(), GeometryError> {
        out.clear();
        if !alert.is_finite() {
            return Err(GeometryError::Alert(alert));
        }
        check::motion(&self.shapes, kinematics)?;
        let (shapes, cores, dimension) = (&self.shapes.0[..], &self.cores[..], self.dimension);
        let obstacles = Obstacles { shapes, cores, kinematics, moving, skins, dimension, wanted, alert };
        obstacles.meet(&mut self.pair, out);
        obstacles.clear_rigid(&mut self.pair, rigid);
        Ok(())
    }

    fn try_detect(&mut self, kinematics: &Kinematics, alert: f64, out: &mut Vec<Touch>) -> Result<(), GeometryError> {
        self.list(kinematics, alert)?;
        let scene = scene!(self, kinematics);
        self.fill.touches(&scene, self.near.pairs(), alert, out);
        if let Some(seams) = &mut self.seams {
            seams.clear(&scene, out);
        }
        Ok(())
    }

    /// Makes the list of near pairs hold for these places and this alert distance.
    fn list(&mut self, kinematics: &Kinematics, alert: f64) -> Result<(), GeometryError> {
        if !alert.is_finite() {
            return Err(GeometryError::Alert(alert));
        }
        check::motion(&self.shapes, kinematics)?;
        fill::balls(&self.shapes, kinematics, self.dimension, &mut self.balls);
        let scene = scene!(self, kinematics);
        if scene.periodic {
            check::walls(&scene)?;
        }
        if !self.near.covers(&scene, alert) {
            self.near.rebuild(&scene, alert, &*self.wanted)?;
        }
        Ok(())
    }
}
