//! The contacts of a configuration and the forces they make: detect, carry memory, ask the laws, gather.

use mpcd_core::{ContactGeometry, Kinematics, Patches, Setup, Step, Vec3};
use mpcd_geometry::{Detector, Touch};
use rayon::prelude::*;

use crate::{
    assemble::{patch_point, share_of_patch},
    convex::Convex,
    error::ContactError,
    law::LawTable,
    loads::Loads,
    motion::{BodyConstants, Forces, Given},
};

use super::{
    bodies::{BodyForce, Incidence, gather},
    forecast::forecast,
    law::SmoothLaw,
    pairs::Pairs,
    response::{Moment, relative_velocity, respond},
    spot::{Done, Moved, Spot, carry},
};

/// Spots per parallel piece.
const PIECE: usize = 256;

/// All that is needed to find the forces of a configuration.
pub(crate) struct Engine {
    pub(crate) loads: Loads,
    pub(crate) bodies: Vec<BodyConstants>,
    pub(crate) laws: LawTable<dyn SmoothLaw>,
    pub(crate) pairs: Pairs,
    pub(crate) detector: Detector,
    pub(crate) alert: f64,
    /// Cundall's α.
    pub(crate) damping: f64,
    // Buffers: caches that change no bit.
    touches: Vec<Touch>,
    patches: Patches,
    convex: Convex,
    /// Levers of the middle of each patch: candidate, antagonist.
    middles: Vec<[Vec3; 2]>,
    /// Spots accepted last.
    pub(crate) base: Vec<Spot>,
    /// Spots of the last evaluation.
    pub(crate) spots: Vec<Spot>,
    pub(crate) incidence: Incidence,
    /// Forces on bodies accepted last, and of the last evaluation.
    pub(crate) old: Vec<BodyForce>,
    pub(crate) new: Vec<BodyForce>,
    /// Loads accepted last, and of the last evaluation.
    pub(crate) old_loads: Forces,
    pub(crate) new_loads: Forces,
}

/// Velocities and growth of an evaluation.
pub(crate) struct Evaluation<'a> {
    pub(crate) now: &'a Kinematics,
    pub(crate) mean: (&'a [Vec3], &'a [Vec3]),
    pub(crate) dt: f64,
    /// Time of the configuration (s).
    pub(crate) time: f64,
    pub(crate) growth: Option<&'a [f64]>,
    /// Whether the forces stand for the whole sub-step.
    pub(crate) whole: bool,
}

/// The step of loads at one time: θ = 1 and no length.
pub(crate) const fn instant(time: f64) -> Step {
    Step { index: 0, time, h: 0.0, theta: 1.0, whole: true, iteration: 0 }
}

/// What does not change within a model step.
pub(crate) struct Surroundings<'a> {
    pub(crate) setup: &'a Setup,
    pub(crate) given: Given<'a>,
}

impl Engine {
    pub(crate) fn new(
        (loads, bodies, laws): (Loads, Vec<BodyConstants>, LawTable<dyn SmoothLaw>),
        pairs: Pairs,
        (detector, convex): (Detector, Convex),
        alert: f64,
        damping: f64,
    ) -> Self {
        Self {
            loads,
            bodies,
            laws,
            pairs,
            detector,
            alert,
            damping,
            touches: Vec::new(),
            base: Vec::new(),
            patches: Patches::default(),
            convex,
            middles: Vec::new(),
            spots: Vec::new(),
            incidence: Incidence::default(),
            old: Vec::new(),
            new: Vec::new(),
            old_loads: Forces::default(),
            new_loads: Forces::default(),
        }
    }

    /// Forgets the last step: [`Self::begin`] takes everything from the state.
    pub(crate) fn drop_caches(&mut self) {
        self.detector.drop_caches();
        self.touches = Vec::new();
        self.patches = Patches::default();
        self.middles = Vec::new();
        self.base = Vec::new();
        self.spots = Vec::new();
        self.incidence = Incidence::default();
        self.old = Vec::new();
        self.new = Vec::new();
        self.old_loads = Forces::default();
        self.new_loads = Forces::default();
    }

    /// Loads at `time` into `new_loads`.
    pub(crate) fn load(&mut self, around: &Surroundings<'_>, time: f64) -> Result<(), ContactError> {
        self.new_loads.evaluate(&self.loads, &instant(time), around.setup, around.given)
    }

    /// Forces of a configuration, from the memory of the accepted spots, into `spots` and `new`.
    pub(crate) fn evaluate(&mut self, around: &Surroundings<'_>, at: &Evaluation<'_>) -> Result<(), ContactError> {
        let setup = around.setup;
        self.load(around, at.time)?;
        self.detector.detect(at.now, self.alert, &mut self.touches)?;
        let (group, laws) = (&setup.bodies.group, &self.laws);
        let law_of = |t: &Touch| laws.between(group[t.key.candidate.index()], group[t.key.antagonist.index()]);
        carry(&self.base, &self.touches, law_of, &Moved { mean: at.mean, dt: at.dt }, &mut self.spots);
        self.share();
        self.check_shapes(setup)?;
        let laws = &self.laws;
        let moment = Moment { now: at.now, mean: at.mean, dt: at.dt, whole: at.whole, growth: at.growth, pairs: &self.pairs };
        self.spots.par_chunks_mut(PIECE).for_each(|piece| {
            for spot in piece {
                let law = laws.law(spot.law);
                respond(spot, law, &moment);
                if spot.fresh {
                    // Its velocity before this model step, or before it came near.
                    spot.u_before = spot.u;
                }
            }
        });
        self.incidence.rebuild(self.bodies.len(), &self.spots);
        gather(&self.spots, &self.incidence, &self.bodies, &self.new_loads, &setup.gravity, self.damping, at.now, &mut self.new);
        Ok(())
    }

    /// Forecasts the stiffness of contacts that are about to act, from how fast surfaces may yet become: `gains`, body by body [m/s²].
    pub(crate) fn foresee(&mut self, now: &Kinematics, growth: Option<&[f64]>, gains: &[f64]) {
        let Self { base, laws, pairs, alert, .. } = self;
        let moment = Moment { now, mean: (&now.velocity, &now.angular_velocity), dt: 0.0, whole: false, growth, pairs };
        base.par_chunks_mut(PIECE).for_each(|piece| {
            for spot in piece.iter_mut().filter(|s| s.near && (s.fresh || !s.acts())) {
                let gain = gains[spot.key.candidate.index()] + gains[spot.key.antagonist.index()];
                forecast(spot, laws.law(spot.law), &moment, 2.0 * gain * *alert);
            }
        });
    }

    /// The part that each spot has of its contact, and where the middle of that is: the corners of a face and the ends of a line are one.
    fn share(&mut self) {
        let Self { touches, patches, middles, spots, convex, .. } = self;
        let is_point = |t: &Touch| matches!(t.geometry, ContactGeometry::Point { .. });
        let pair = |t: &Touch| (t.key.candidate, t.key.antagonist);
        if touches.iter().all(is_point) && touches.windows(2).all(|two| pair(&two[0]) != pair(&two[1])) {
            return;
        }
        let bodies = |k: usize| (touches[k].key.candidate, touches[k].key.antagonist);
        patches.find(touches.len(), bodies, |k| patch_point(&touches[k]));
        middles.clear();
        middles.resize(patches.len(), [Vec3::zeros(); 2]);
        with_places(spots, touches, |spot, place| {
            let round = convex.round_part(patches, touches, place);
            spot.share = round.unwrap_or_else(|| share_of_patch(patches, touches, place));
            let middle = &mut middles[patches.patch_of(place)];
            middle[0] += spot.arm_candidate * spot.share;
            middle[1] += spot.arm_antagonist * spot.share;
        });
        with_places(spots, touches, |spot, place| {
            let patch = patches.patch_of(place);
            if !patches.is_alone(patch) {
                [spot.middle_candidate, spot.middle_antagonist] = middles[patch];
            }
        });
    }

    /// Every new pair has a shape its law knows.
    fn check_shapes(&self, setup: &Setup) -> Result<(), ContactError> {
        for spot in self.spots.iter().filter(|s| s.fresh) {
            if let Err(expected) = self.laws.law(spot.law).accepts(&spot.geometry) {
                return Err(ContactError::SmoothShape {
                    candidate: setup.body_label(spot.key.candidate),
                    antagonist: setup.body_label(spot.key.antagonist),
                    expected,
                });
            }
        }
        Ok(())
    }

    /// Force and moment on a body without gravity (N, N m): `new` or `old`.
    pub(crate) fn push(&self, i: usize, new: bool) -> (Vec3, Vec3) {
        let (force, loads) = if new { (&self.new[i], &self.new_loads) } else { (&self.old[i], &self.old_loads) };
        (
            force.contact + force.damping + loads.applied[i] + loads.fluid[i],
            force.contact_torque + force.damping_torque + loads.torque[i],
        )
    }

    /// The last evaluation becomes the accepted one. `theta` weighs the end of the sub-step, `mean` is ½(V⁻ + V⁺) and its spins.
    pub(crate) fn accept(&mut self, dt: f64, theta: f64, mean: (&[Vec3], &[Vec3])) {
        self.spots.par_chunks_mut(PIECE).for_each(|piece| piece.iter_mut().for_each(|s| settle(s, dt, theta, mean)));
        std::mem::swap(&mut self.base, &mut self.spots);
        std::mem::swap(&mut self.old, &mut self.new);
        std::mem::swap(&mut self.old_loads, &mut self.new_loads);
    }

    /// What the scheme makes, what it loses, and what contacts store and turn to heat in the sub-step of the last evaluation (J).
    pub(crate) fn faults(&self, dt: f64, theta: f64, mean: (&[Vec3], &[Vec3])) -> [f64; 3] {
        let mut sums = [0.0; 3];
        for s in &self.spots {
            let done = done(s, dt, theta, mean);
            sums[0] += done.scheme.max(0.0);
            sums[1] += (-done.scheme).max(0.0);
            sums[2] += s.last.energy.max(s.memory.energy) + done.heat_normal.abs() + done.heat_shear.abs();
        }
        sums
    }

    /// Starts a model step from the spots and body forces of a state.
    pub(crate) fn begin(&mut self, spots: &[Spot], forces: &[BodyForce], now: &Kinematics) {
        self.base.clear();
        self.base.extend(spots.iter().filter(|s| s.near).map(|s| {
            let u = s.frame.to_local(&relative_velocity(s, &now.velocity, &now.angular_velocity));
            Spot { done: Done::default(), u_before: u, u, ..*s }
        }));
        self.incidence.rebuild(self.bodies.len(), &self.base);
        self.old.clear();
        self.old.extend_from_slice(forces);
    }
}

/// Calls `take` with each spot that is near and the place of its touch; both are sorted by key.
fn with_places(spots: &mut [Spot], touches: &[Touch], mut take: impl FnMut(&mut Spot, usize)) {
    let mut places = touches.iter().enumerate().peekable();
    for spot in spots.iter_mut().filter(|spot| spot.near) {
        while places.next_if(|(_, t)| t.key < spot.key).is_some() {}
        if let Some((place, _)) = places.peek().filter(|(_, t)| t.key == spot.key) {
            take(spot, *place);
        }
    }
}

/// Adds a sub-step to what a spot did.
fn settle(s: &mut Spot, dt: f64, theta: f64, mean: (&[Vec3], &[Vec3])) {
    let done = done(s, dt, theta, mean);
    s.done.impulse += done.impulse;
    s.done.heat_normal += done.heat_normal;
    s.done.heat_shear += done.heat_shear;
    s.done.growth += done.growth;
    s.done.scheme += done.scheme;
}

/// What a spot does in a sub-step.
fn done(s: &Spot, dt: f64, theta: f64, mean: (&[Vec3], &[Vec3])) -> Done {
    let last = s.last;
    let (start, end) = (dt * (1.0 - theta), dt * theta);
    let mut before = *s;
    (before.arm_candidate, before.arm_antagonist) = (last.arm_candidate, last.arm_antagonist);
    let work = start * last.force.dot(&relative_velocity(&before, mean.0, mean.1))
        + end * s.force.dot(&relative_velocity(s, mean.0, mean.1));
    let viscous = start * last.viscous + end * s.viscous;
    let growth = (start * last.normal + end * s.normal) * s.growing;
    let (normal, shear) = s.heat;
    Done {
        impulse: last.force * start + s.force * end,
        heat_normal: viscous + normal,
        heat_shear: shear,
        growth,
        scheme: work + (s.memory.energy - last.energy) + viscous + normal + shear - growth,
    }
}
