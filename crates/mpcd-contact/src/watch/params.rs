//! Parameters of `watch` of `Contact(…)`.

use mpcd_core::{
    Quantity,
    quantity::{Angle, Number, Positive},
};
use schemars::JsonSchema;
use serde::Deserialize;

/// What follows when a watchdog sees something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
pub enum Policy {
    /// The run goes on; summary and log say what was seen first and in how many steps.
    Warn,
    /// The step is refused with words on what to do; `on_failure: Halve` tries it again with half its length.
    Stop,
}

/// Ways in which a result can be wrong although every step converged, and what follows.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct WatchParams {
    /// Two bodies whose law lets no overlap come about (all but `Elastic`) come to overlap by more than `overlap_limit`. What
    /// overlaps by more at the start is not meant. Default: `Stop`.
    pub overlap: Policy,
    /// Largest overlap over the smallest length of the smaller body: the diameter of a ball, the least edge of a box, the thickness of a wall.
    /// A number above 0, default 0.05.
    pub overlap_limit: Quantity<Number, Positive>,
    /// A body passes through another, or deep into it, within a step, and neither can be held back at the touch: both are held by
    /// joints or prescribed, or too many meet at once. Default: `Stop`.
    pub crossing: Policy,
    /// Contacts (other than impacts that give something back) or joints make energy in a step, or the book of energy is open, by more than
    /// `work_limit`: no law does, so the solution is not good. Bodies that come to rest, and overlaps that explicit steps part, read high without
    /// being wrong. Default: `Warn`.
    pub work: Policy,
    /// The momentum of all bodies changes in a step by more than `work_limit` of what moves beyond what acts on them: the step is wrong, whatever it says. Default: `Stop`.
    pub momentum: Policy,
    /// Impacts make as much: Newton's restitution with friction can, by itself (Kane's paradox). Default: `Warn`.
    pub impacts: Policy,
    /// Largest energy made in a step, over the energies that move in it (the scale of the balance of energy), and the same of momentum. A number above 0, default 1e-3.
    pub work_limit: Quantity<Number, Positive>,
    /// A body that is not round, and that touches another, turns by more than `spin_limit` in a step. Default: `Warn`.
    pub spin: Policy,
    /// Largest turn in a step (rad). Above 0, default 0.5.
    pub spin_limit: Quantity<Angle, Positive>,
    /// A body that its contacts pull outwards (bonds in tension) turns to and fro by more in each of six steps, as what turns it back is known a step late. The run ends: halved steps do not mend it. Default: `Stop`.
    pub swing: Policy,
    /// A deformable body with a law of small strain has turned by more than `turn_limit` since the start. Default: `Stop`.
    pub turn: Policy,
    /// Largest turn of such a body (rad). Above 0, default 0.02: a strain of 2e-4 that is none.
    pub turn_limit: Quantity<Angle, Positive>,
    /// An element of a deformable body with a law of small strain is stretched, pressed or sheared by more than `strain_limit`. Default: `Warn`.
    pub strain: Policy,
    /// Largest strain along the way between two corners of an element. A number above 0, default 0.1.
    pub strain_limit: Quantity<Number, Positive>,
    /// A wave runs through a deformable body that several contacts press more than `stiff_limit` times in a step: its stress is then too small a part of
    /// what its contacts do. Not without inertia (`scheme: Static`). Default: `Warn`.
    pub stiff: Policy,
    /// Largest number of times. Above 0, default 2000: a tenth of the stress at the default tolerance.
    pub stiff_limit: Quantity<Number, Positive>,
    /// A bond that is gone although nothing damaged it: its contact was not found again. What it stored is the line `bonds_lost` of the
    /// book of energy. Default: `Stop`.
    pub bond: Policy,
    /// A rigid bond stops, within a step and without damage, bodies that leave each other or slide, and takes more of the energy that moves than `work_limit`: a shorter step
    /// may break it. Default: `Warn`.
    pub caught: Policy,
    /// Two bodies that no impulse moves (driven, or one of them fixed) come to touch although a law acts between them, or are moved apart
    /// although a bond holds them: the force between them cannot be computed and is in no resultant. Default: `Warn`.
    pub prescribed: Policy,
    /// Two bodies that no impulse moves (fixed or driven) touch, and both have a material part (`electrical`, `thermal`) that a module of the model lets pass from body
    /// to body: there is no contact between them, so nothing passes. Default: `Warn`.
    pub parted: Policy,
    /// A body is driven so slowly that contacts miss their laws by more than `drive_limit` of its speed: what it pushes may lie there as at rest, and the forces be too
    /// small. Default: `Warn`.
    pub drive: Policy,
    /// Largest velocity by which a contact may miss its law, over the least speed that is prescribed at the contacts it hangs together with. A number above 0,
    /// default 0.3.
    pub drive_limit: Quantity<Number, Positive>,
}

impl Default for WatchParams {
    fn default() -> Self {
        fn of<K, R>(value: f64) -> Quantity<K, R>
        where
            K: mpcd_core::quantity::Kind,
            R: mpcd_core::quantity::Range,
        {
            Quantity::new(value).unwrap_or_else(|| unreachable!("the defaults are in their ranges"))
        }
        Self {
            overlap: Policy::Stop,
            overlap_limit: of(0.05),
            crossing: Policy::Stop,
            work: Policy::Warn,
            momentum: Policy::Stop,
            impacts: Policy::Warn,
            work_limit: of(1e-3),
            spin: Policy::Warn,
            spin_limit: of(0.5),
            swing: Policy::Stop,
            turn: Policy::Stop,
            turn_limit: of(0.02),
            strain: Policy::Warn,
            strain_limit: of(0.1),
            stiff: Policy::Warn,
            stiff_limit: of(2000.0),
            bond: Policy::Stop,
            caught: Policy::Warn,
            prescribed: Policy::Warn,
            parted: Policy::Warn,
            drive: Policy::Warn,
            drive_limit: of(0.3),
        }
    }
}
