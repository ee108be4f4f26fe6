//! Watchdogs: each looks at a computed step for one way in which a result can be wrong although the solve converged. A model says for
//! each what follows: the run stops with its words, or goes on and counts. They read; nothing here changes a step.

mod bond;
mod caught;
mod crossing;
mod drive;
mod held;
mod momentum;
mod overlap;
mod params;
mod parted;
mod prescribed;
mod spin;
mod stiff;
mod strain;
mod swing;
mod turn;
mod work;

use mpcd_core::{Balance, BodyId, ContactKey, InputError, Setup, Step, Watched};
use mpcd_geometry::{Detector, Shapes};

use crate::{
    alert::Alert, deformable::Barred, error::ContactError, first_touch::Gauge, growth::Growths, hold::Hold, joint::Stopped,
    law::LawTable, loads::Loads, state::ContactState,
};
pub(crate) use drive::Creep;
pub use params::{Policy, WatchParams};
pub(crate) use parted::Parted;
pub(crate) use prescribed::Prescribed;
pub(crate) use stiff::Light;

/// What a watchdog may look at: the step, from which state to which, and its balances of momentum and energy.
pub(crate) struct Seen<'a> {
    pub(crate) setup: &'a Setup,
    pub(crate) step: &'a Step,
    pub(crate) prev: &'a ContactState,
    pub(crate) next: &'a ContactState,
    pub(crate) laws: &'a LawTable,
    pub(crate) alert: &'a Alert,
    pub(crate) hold: &'a Hold,
    /// Bonds that are gone, and what they stored (J).
    pub(crate) lost: &'a [(ContactKey, f64)],
    pub(crate) momentum: Option<&'a Balance>,
    pub(crate) energy: Option<&'a Balance>,
    /// How bodies that grow move the surfaces of each contact of the network [m/s].
    pub(crate) growth: &'a Growths,
    pub(crate) gauge: Gauge<'a>,
    /// The deformable body of small strain that has turned most, and how far (rad).
    pub(crate) turned: Option<(BodyId, f64)>,
    /// The deformable body of small strain that is strained most, and how much.
    pub(crate) strained: Option<(BodyId, f64)>,
    /// The deformable body on several contacts through which a wave runs most often in the step, and how often.
    pub(crate) waves: Option<(BodyId, f64)>,
    /// The rigid body on a deformable one whose share of loads rounding hides most.
    pub(crate) light: Option<Light>,
    /// Held or driven sides of meshes that run into what nothing moves.
    pub(crate) barred: Option<Barred>,
    /// Pairs of which one is a mesh that touch where nothing can move either.
    pub(crate) untouched: &'a [[BodyId; 2]],
    /// Pairs of which one is a mesh that overlap at the start, the smaller number first, and the least gap of each (m).
    pub(crate) sunk: &'a [([BodyId; 2], f64)],
    /// What the solve missed where something is prescribed.
    pub(crate) creep: Option<Creep>,
    /// What the joints' work lacks by the scheme's weights (J): [`crate::joint::JointWork::scheme`].
    pub(crate) scheme: f64,
    /// The rigid joint that may break and took most energy.
    pub(crate) stopped: Option<Stopped>,
}

/// One watchdog.
pub(crate) trait Watchdog: std::fmt::Debug + Send {
    /// Its key in the model file.
    fn name(&self) -> &'static str;

    /// What is wrong in the step and what would help, in one sentence; `None` where nothing is.
    fn look(&mut self, seen: &mut Seen<'_>) -> Option<String>;

    /// What comes of the length of the step and, where steps follow each other like this, will be wrong.
    fn too_long(&mut self, _: &mut Seen<'_>) -> Option<String> {
        None
    }
}

/// All watchdogs of a model, and what follows from each.
#[derive(Debug)]
pub(crate) struct Watch {
    dogs: Vec<(Policy, Box<dyn Watchdog>)>,
}

impl Watch {
    pub(crate) fn build(
        params: &WatchParams,
        setup: &Setup,
        shapes: &Shapes,
        loads: &Loads,
        laws: &LawTable,
    ) -> Result<Self, InputError> {
        let mut dogs: Vec<(Policy, Box<dyn Watchdog>)> = vec![
            (params.overlap, Box::new(overlap::Overlap { limit: params.overlap_limit.si() })),
            (params.crossing, Box::new(crossing::Crossing)),
            (params.impacts, Box::new(work::Impacts { limit: params.work_limit.si() })),
            (params.work, Box::new(work::Work { limit: params.work_limit.si(), most: 0.0, little: 0.0 })),
            (params.momentum, Box::new(momentum::Momentum { limit: params.work_limit.si(), most: 0.0 })),
            (params.bond, Box::new(bond::Bond)),
            (params.caught, Box::new(caught::Caught { limit: params.work_limit.si() })),
            (params.caught, Box::new(caught::Jerked { limit: params.work_limit.si() })),
            (params.spin, Box::new(spin::Spin { limit: params.spin_limit.si() })),
            (params.swing, Box::new(swing::Swing)),
            (params.drive, Box::new(drive::Drive { limit: params.drive_limit.si() })),
            (params.turn, Box::new(turn::Turn { limit: params.turn_limit.si() })),
            (params.strain, Box::new(strain::Strain { limit: params.strain_limit.si() })),
            (params.prescribed, Box::new(held::Held)),
            (params.parted, Box::new(held::Unpassed)),
            (params.stiff, Box::new(stiff::Stiff { limit: params.stiff_limit.si() })),
        ];
        if let Some(dog) = prescribed::Prescribed::build(setup, shapes, loads, laws)? {
            dogs.push((params.prescribed, Box::new(dog)));
        }
        if let Some(dog) = parted::Parted::build(setup, shapes, loads, laws)? {
            dogs.push((params.parted, Box::new(dog)));
        }
        Ok(Self { dogs })
    }

    /// What the watchdogs saw that may pass, and why a shorter step would be better.
    ///
    /// # Errors
    /// What may not.
    pub(crate) fn look(&mut self, seen: &mut Seen<'_>) -> Result<(Vec<Watched>, Option<String>), ContactError> {
        let (mut passed, mut too_long) = (Vec::new(), None);
        for (policy, dog) in &mut self.dogs {
            if matches!(policy, Policy::Stop) && too_long.is_none() {
                too_long = dog.too_long(seen);
            }
            let Some(words) = dog.look(seen) else { continue };
            match policy {
                Policy::Stop => return Err(ContactError::Watched { what: dog.name(), words }),
                Policy::Warn => passed.push(Watched { what: dog.name(), words }),
            }
        }
        Ok((passed, too_long))
    }
}

/// Measures single pairs for watchdogs.
pub(crate) fn gauge<'a>(detector: &'a mut Detector, points: &'a mut Vec<mpcd_geometry::Touch>) -> Gauge<'a> {
    Gauge { detector, points }
}
