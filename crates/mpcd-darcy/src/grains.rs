//! Which bodies are grains, and what they are over a step: places, volumes, radii. The only place that sees their shapes.
//!
//! A grain is one point with its volume as long as it is small beside the kernel that spreads it, whatever its shape. A larger one is
//! a lattice of points with equal parts of its volume: those of the box that has its moments of inertia, so that volume, centre of
//! mass and second moments are exact for every shape, and all is exact for a box. They turn with the body.

use mpcd_core::{BodyId, Dimension, InputError, Kinematics, Setup, Vec3};
use mpcd_geometry::{Core, Shape, Shapes};

use crate::{
    deposit::{GrainStep, inside},
    error::DarcyError,
    grid::Grid,
};

/// The spheres that discs stand for in a monolayer fill 2/3 of them: 4/3 πr³ over πr² · 2r.
const SPHERE_IN_CYLINDER: f64 = 2.0 / 3.0;
/// Largest extent of a grain that is one point, in standard deviations of the kernel: its own second moment is then below a fifth of the
/// kernel's.
const SMALL: f64 = 1.5;
/// Longest way between the points of a larger one.
const STEP: f64 = 0.5;
/// Most points along an axis of a grain.
const MOST_POINTS: f64 = 16.0;

/// One grain at reference size, or a part of it.
#[derive(Debug, Clone)]
pub struct Grain {
    /// The body.
    pub body: BodyId,
    shape: Shape,
    /// Radius of the sphere (in the plane: disc) with as much surface per volume (m).
    radius: f64,
    /// Where the part is, in body axes (m).
    at: Vec3,
    /// What part of the body it is (1).
    part: f64,
}

/// The grains of a model.
#[derive(Debug, Clone)]
pub struct Grains {
    /// In the order of the bodies.
    pub list: Vec<Grain>,
    /// Bodies with a mass whose volume is none the fluid could flow around, left out: hollow ones and open surfaces.
    pub left_out: Vec<BodyId>,
    dimension: Dimension,
    disc_factor: f64,
}

/// Whether fluid flows around the whole of it.
fn is_grain(shape: &Shape, dimension: Dimension) -> bool {
    let hollow = matches!(shape, Shape::Solid(s) if matches!(s.core(), Core::Hollow { .. }));
    shape.volume(1.0, dimension) > 0.0 && !hollow
}

impl Grain {
    /// Where it is (m), if the motion has its body.
    #[must_use]
    pub fn place(&self, k: &Kinematics) -> Option<Vec3> {
        let i = self.body.index();
        Some(k.position.get(i)? + k.orientation.get(i)? * (self.at * *k.size.get(i)?))
    }

    /// Radius of the sphere (in the plane: disc) with as much surface per volume at reference size (m), of a grain that is one point.
    #[must_use]
    pub fn radius_of_whole(&self) -> Option<f64> {
        (self.part >= 1.0).then_some(self.radius)
    }

    /// Whether it is a ball or a disc.
    #[must_use]
    pub const fn is_round(&self) -> bool {
        self.shape.radius().is_some()
    }
}

impl Grains {
    /// Takes the bodies of the named groups, or all that have a mass and a volume.
    ///
    /// # Errors
    /// An unknown group, or a named group with planes, open surfaces or hollow bodies.
    pub fn find(setup: &Setup, groups: Option<&[String]>, monolayer: bool) -> Result<Self, InputError> {
        let shapes = setup.part::<Shapes>()?;
        if let Some(body) = shapes.0.iter().position(Shape::is_deformable) {
            let label = setup.body_label(BodyId::from_index(body));
            return Err(InputError::new(format!("{label} is deformable, but the pore fluid flows around rigid grains only"))
                .help("give it a rigid shape, or remove Darcy(…) from `physics`")
                .at("bodies"));
        }
        let mut chosen = vec![false; setup.bodies.len()];
        match groups {
            None => chosen.iter_mut().zip(&setup.bodies.mass).for_each(|(c, m)| *c = *m > 0.0),
            Some(names) => {
                for name in names {
                    for body in setup.bodies_of(name)? {
                        let shape = shapes.0.get(body.index());
                        if !shape.is_some_and(|s| is_grain(s, setup.dimension)) {
                            let shape = shape.map_or("nothing", Shape::name);
                            return Err(InputError::new(format!(
                                "the group \"{name}\" has a {shape}, which has no volume for the pore fluid to flow around"
                            ))
                            .help("name groups of solid bodies only, or leave `grains` out")
                            .at(name));
                        }
                        chosen[body.index()] = true;
                    }
                }
            }
        }
        let mut list = Vec::new();
        let mut left_out = Vec::new();
        for (index, shape) in shapes.0.iter().enumerate().filter(|(i, _)| chosen.get(*i) == Some(&true)) {
            if is_grain(shape, setup.dimension) {
                let radius = radius(shape, setup.dimension);
                list.push(Grain { body: BodyId::from_index(index), shape: shape.clone(), radius, at: Vec3::zeros(), part: 1.0 });
            } else {
                left_out.push(BodyId::from_index(index));
            }
        }
        let disc_factor = if monolayer { SPHERE_IN_CYLINDER } else { 1.0 };
        Ok(Self { list, left_out, dimension: setup.dimension, disc_factor })
    }

    /// Leaves out what is not round and starts outside of the grid: it is a wall.
    pub fn leave_walls(&mut self, setup: &Setup, grid: &Grid) {
        let away = |g: &Grain| !g.is_round() && setup.initial.position.get(g.body.index()).is_some_and(|x| !inside(grid, x));
        self.list.retain(|g| !away(g));
    }

    /// For each of `count` bodies whether it is a grain.
    #[must_use]
    pub fn bodies(&self, count: usize) -> Vec<bool> {
        let mut out = vec![false; count];
        self.list.iter().for_each(|g| out[g.body.index()] = true);
        out
    }

    /// Number of bodies.
    #[must_use]
    pub fn count(&self, which: impl Fn(&Grain) -> bool) -> usize {
        let mut last = None;
        self.list.iter().filter(|g| which(g)).filter(|g| last.replace(g.body) != Some(g.body)).count()
    }

    /// Replaces each grain that is large beside a kernel of the standard deviation `width` (m) by points.
    pub fn sample(&mut self, width: f64) {
        let planar = self.dimension == Dimension::Planar;
        let list = std::mem::take(&mut self.list);
        for grain in list {
            let points = lattice(&grain.shape, self.dimension, planar, width);
            let part = 1.0 / points.len() as f64;
            self.list.extend(points.into_iter().map(|at| Grain { at, part, ..grain.clone() }));
        }
    }

    /// Whether some are discs.
    #[must_use]
    pub fn has_discs(&self) -> bool {
        self.list.iter().any(|g| matches!(g.shape, Shape::Disc { .. }))
    }

    /// Thickness of a planar grid (m): that of the discs, without discs that of the bodies, or the thickness at which spheres fill 2/3 of their outlines.
    ///
    /// # Errors
    /// Bodies of different thickness.
    pub fn thickness(&self) -> Result<f64, InputError> {
        let discs = self.has_discs();
        let known = self.list.iter().filter(|g| !discs || g.is_round());
        let mut all = known.map(|g| g.shape.thickness()).filter(|t| t.is_finite());
        if let Some(first) = all.next() {
            return match all.find(|t| (t - first).abs() > 1e-9 * first) {
                None => Ok(first),
                Some(other) => Err(InputError::new(format!(
                    "the grains have thicknesses {first} m and {other} m, expected one for the pore fluid"
                ))
                .help("give all grains one thickness, or say `thickness` of the fluid")),
            };
        }
        let sum = |power: i32| self.list.iter().map(|g| g.radius.powi(power)).sum::<f64>();
        Ok(if self.list.is_empty() { 1.0 } else { 2.0 * sum(3) / sum(2) })
    }

    /// Volume over radius summed, as a radius (m): the mean that the permeability of an empty place takes.
    #[must_use]
    pub fn mean_radius(&self) -> f64 {
        let volume = |g: &Grain| self.volume(g, 1.0);
        let total: f64 = self.list.iter().map(volume).sum();
        let over_radius: f64 = self.list.iter().map(|g| volume(g) / g.radius).sum();
        if over_radius > 0.0 { total / over_radius } else { 1e-3 }
    }

    /// Volume that the fluid sees (m³).
    #[must_use]
    pub fn volume(&self, grain: &Grain, size: f64) -> f64 {
        let factor = if matches!(grain.shape, Shape::Disc { .. }) { self.disc_factor } else { 1.0 };
        factor * grain.part * grain.shape.volume(size, self.dimension)
    }

    /// Surface that the fluid sees at the end of a step (m²): that of the sphere, or disc, which the grain or its part counts as.
    #[must_use]
    pub fn surface(&self, number: usize, grain: &GrainStep) -> f64 {
        let ball = match self.list[number].shape {
            Shape::Ball { .. } => true,
            Shape::Disc { .. } => self.disc_factor != 1.0,
            _ => false,
        };
        let sides = if ball || self.dimension == Dimension::Spatial { 3.0 } else { 2.0 };
        sides * grain.volume[1] / grain.radius
    }

    /// Half-width of the kernel by which a grain gives heat to cells of the edge `finest` (m): in cells the nearest whole number to its diameter. In cells finer than the grain the
    /// nearest ones alone would be a spot, past which the fluid goes without a grain. The points of a large body lie as close as they need to.
    #[must_use]
    pub fn reach(&self, number: usize, grain: &GrainStep, finest: f64) -> f64 {
        if self.list[number].part < 1.0 { 0.0 } else { (2.0 * grain.radius - 0.5 * finest).max(0.0) }
    }

    /// A grain over a step. `member` says whether its volume was in the grid before.
    ///
    /// # Errors
    /// A position or size that is not a finite number.
    pub fn over_step(
        &self,
        grain: &Grain,
        member: bool,
        before: &Kinematics,
        after: &Kinematics,
        setup: &Setup,
    ) -> Result<GrainStep, DarcyError> {
        let i = grain.body.index();
        let wrong = |what| DarcyError::Motion { body: setup.body_label(grain.body), what };
        let place = |k: &Kinematics| k.position[i] + k.orientation[i] * (grain.at * k.size[i]);
        let position = [place(before), place(after)];
        if position.iter().flat_map(|x| x.iter()).any(|x| !x.is_finite()) {
            return Err(wrong("position"));
        }
        let size = [before.size[i], after.size[i]];
        if size.iter().any(|s| !(s.is_finite() && *s > 0.0)) {
            return Err(wrong("size"));
        }
        Ok(GrainStep {
            position,
            volume: size.map(|s| self.volume(grain, s)),
            radius: grain.radius * size[1],
            smoothing: 0.0,
            member,
        })
    }
}

/// Radius of the sphere (in the plane: disc) with as much surface per volume (m).
fn radius(shape: &Shape, dimension: Dimension) -> f64 {
    if let Some(radius) = shape.radius() {
        return radius;
    }
    let m = shape.mass_properties(1.0, dimension);
    let sides = if dimension == Dimension::Planar { 2.0 } else { 3.0 };
    if m.surface > 0.0 { sides * m.volume / m.surface } else { shape.equivalent_radius(1.0, dimension) }
}

/// Points in body axes with the second moments of the shape; one alone along axes on which it is small beside `width` (m).
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small positive number")]
pub(crate) fn lattice(shape: &Shape, dimension: Dimension, planar: bool, width: f64) -> Vec<Vec3> {
    let i = shape.inertia_over_mass(dimension);
    // ⟨x²⟩ = ½ (I_y + I_z − I_x), a third of the square of the half edge of a box
    let half = Vec3::from_fn(|d, _| if planar && d == 2 { 0.0 } else { (1.5 * (i.sum() - 2.0 * i[d])).max(0.0).sqrt() });
    let points = |h: f64| if 2.0 * h <= SMALL * width { 1.0 } else { (2.0 * h / (STEP * width)).ceil().min(MOST_POINTS) };
    let count = half.map(|h| points(h) as usize);
    // points in the middles of n parts of a length have 1 − 1/n² of its second moment
    let line = |d: usize| {
        let n = count[d] as f64;
        let stretch = if count[d] > 1 { (1.0 - 1.0 / (n * n)).sqrt().recip() } else { 1.0 };
        (0..count[d]).map(move |k| half[d] * stretch * ((2 * k + 1) as f64 / n - 1.0))
    };
    let mut out = Vec::with_capacity(count.product());
    for z in line(2) {
        for y in line(1) {
            out.extend(line(0).map(|x| Vec3::new(x, y, z)));
        }
    }
    out
}
