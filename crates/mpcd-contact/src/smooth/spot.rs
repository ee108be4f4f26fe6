//! One pair of surfaces near each other: where it is, what its law remembers, the force now, and what it did in this model step.

use mpcd_core::{ContactGeometry, ContactKey, Frame, Vec3};
use mpcd_geometry::Touch;
use serde::{Deserialize, Serialize};

use super::dashpot::Dashpot;

/// What outlives a sub-step.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Memory {
    /// Tangential spring force on the candidate, world axes (N).
    pub(crate) spring: Vec3,
    /// Stiffness of that spring [N/m].
    pub(crate) stiffness: f64,
    /// Energy stored in the contact (J).
    pub(crate) energy: f64,
    /// Whether the surfaces hold on to each other.
    pub(crate) bonded: bool,
}

impl Memory {
    /// Energy of the tangential spring (J).
    pub(crate) fn spring_energy(&self) -> f64 {
        if self.stiffness > 0.0 { 0.5 * self.spring.norm_squared() / self.stiffness } else { 0.0 }
    }

    /// Heat (normal, tangential) when the surfaces part (J): an adhesive contact that snaps off loses what it stored; any other
    /// has given its normal energy back.
    pub(crate) fn released(&self) -> (f64, f64) {
        let spring = self.spring_energy();
        (if self.bonded { self.energy - spring } else { 0.0 }, spring)
    }
}

/// Derivatives of the force, for stability and for Newton's method: stiffness and damping, normal and tangential.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Tangent {
    pub(crate) normal_stiffness: f64,
    pub(crate) normal_damping: f64,
    pub(crate) shear_stiffness: f64,
    pub(crate) dashpot: Dashpot,
    /// Coulomb's limit is reached.
    pub(crate) sliding: bool,
}

/// What a spot did since the start of the model step.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Done {
    /// Impulse on the candidate, world axes [N s].
    pub(crate) impulse: Vec3,
    /// Heat of the normal motion: viscosity, snapping on and off (J).
    pub(crate) heat_normal: f64,
    /// Heat of the tangential motion (J).
    pub(crate) heat_shear: f64,
    /// Work of growing surfaces (J).
    pub(crate) growth: f64,
    /// Work of the forces as the scheme sums it, plus what was stored and turned to heat: the scheme's own error (J).
    pub(crate) scheme: f64,
}

/// A spot.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Spot {
    pub(crate) key: ContactKey,
    pub(crate) law: u16,
    pub(crate) point: Vec3,
    pub(crate) frame: Frame,
    pub(crate) gap: f64,
    pub(crate) geometry: ContactGeometry,
    /// See [`Touch::least_radius`] (m).
    pub(crate) least_radius: f64,
    /// The part of its contact that it is, by area or length; found anew in each evaluation.
    pub(crate) share: f64,
    pub(crate) arm_candidate: Vec3,
    pub(crate) arm_antagonist: Vec3,
    /// Levers of the middle of that contact, found with the share; of a point alone its own.
    pub(crate) middle_candidate: Vec3,
    pub(crate) middle_antagonist: Vec3,
    pub(crate) growth_candidate: f64,
    pub(crate) growth_antagonist: f64,
    /// Seen for the first time.
    pub(crate) fresh: bool,
    /// Detected in this evaluation; if not, it is kept only for what it did.
    pub(crate) near: bool,
    pub(crate) memory: Memory,
    pub(crate) tangent: Tangent,
    /// Relative velocity (n, t, s), candidate minus antagonist [m/s].
    pub(crate) u: Vec3,
    /// The same at the start of the model step, or when the pair came near.
    pub(crate) u_before: Vec3,
    /// Force on the candidate, world axes (N).
    pub(crate) force: Vec3,
    /// Normal force (N).
    pub(crate) normal: f64,
    /// Heat made by normal viscosity (W).
    pub(crate) viscous: f64,
    /// Speed at which the surfaces grow towards each other [m/s].
    pub(crate) growing: f64,
    /// Stiffness that the law will reach if all kinetic energy of the approach is stored [N/m].
    pub(crate) forecast: f64,
    /// Energy of the approach for which that is (J).
    pub(crate) foreseen: f64,
    pub(crate) done: Done,
    /// Force and levers of the evaluation before.
    pub(crate) last: Last,
    /// Heat of this sub-step that is known at once: (normal, tangential) (J).
    pub(crate) heat: (f64, f64),
}

/// What a sub-step needs of the evaluation before.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Last {
    pub(crate) force: Vec3,
    pub(crate) normal: f64,
    pub(crate) arm_candidate: Vec3,
    pub(crate) arm_antagonist: Vec3,
    pub(crate) viscous: f64,
    pub(crate) energy: f64,
}

impl Spot {
    /// A pair that has just come near.
    pub(crate) fn new(touch: &Touch, law: u16) -> Self {
        Self {
            key: touch.key,
            law,
            point: touch.point,
            frame: touch.frame,
            gap: touch.gap,
            geometry: touch.geometry,
            least_radius: touch.least_radius,
            share: 1.0,
            arm_candidate: touch.arm_candidate,
            arm_antagonist: touch.arm_antagonist,
            middle_candidate: touch.arm_candidate,
            middle_antagonist: touch.arm_antagonist,
            growth_candidate: touch.growth_candidate,
            growth_antagonist: touch.growth_antagonist,
            fresh: true,
            near: true,
            memory: Memory::default(),
            tangent: Tangent::default(),
            u: Vec3::zeros(),
            u_before: Vec3::zeros(),
            force: Vec3::zeros(),
            normal: 0.0,
            viscous: 0.0,
            growing: 0.0,
            forecast: 0.0,
            foreseen: 0.0,
            done: Done::default(),
            // A new pair had no force; its levers count from now.
            last: Last { arm_candidate: touch.arm_candidate, arm_antagonist: touch.arm_antagonist, ..Last::default() },
            heat: (0.0, 0.0),
        }
    }

    /// The same pair seen again: memory and sums stay.
    pub(crate) fn again(&self, touch: &Touch) -> Self {
        Self {
            point: touch.point,
            frame: touch.frame,
            gap: touch.gap,
            geometry: touch.geometry,
            least_radius: touch.least_radius,
            share: 1.0,
            arm_candidate: touch.arm_candidate,
            arm_antagonist: touch.arm_antagonist,
            middle_candidate: touch.arm_candidate,
            middle_antagonist: touch.arm_antagonist,
            growth_candidate: touch.growth_candidate,
            growth_antagonist: touch.growth_antagonist,
            fresh: false,
            near: true,
            last: self.as_last(),
            heat: (0.0, 0.0),
            ..*self
        }
    }

    /// The same pair seen no more: nothing acts.
    pub(crate) fn gone(&self) -> Self {
        Self {
            fresh: false,
            near: false,
            memory: Memory::default(),
            tangent: Tangent::default(),
            force: Vec3::zeros(),
            normal: 0.0,
            viscous: 0.0,
            growing: 0.0,
            forecast: 0.0,
            foreseen: 0.0,
            last: self.as_last(),
            heat: self.memory.released(),
            ..*self
        }
    }

    fn as_last(&self) -> Last {
        Last {
            force: self.force,
            normal: self.normal,
            arm_candidate: self.arm_candidate,
            arm_antagonist: self.arm_antagonist,
            viscous: self.viscous,
            energy: self.memory.energy,
        }
    }

    /// Whether anything acts, is stored, or was done: only such a spot is kept once it is no longer near.
    pub(crate) fn matters(&self) -> bool {
        self.force != Vec3::zeros() || self.memory.energy != 0.0 || self.done != Done::default()
    }

    /// Whether a force acts.
    pub(crate) fn acts(&self) -> bool {
        self.near && (self.normal != 0.0 || self.memory.bonded)
    }
}

/// Writes to `out` the spots of `touches` (sorted by key) with the memory of `base` (sorted by key), and those of `base` that are
/// gone but matter. `law` gives the law of a pair, `None` where there is none.
pub(crate) fn carry(base: &[Spot], touches: &[Touch], law: impl Fn(&Touch) -> Option<u16>, out: &mut Vec<Spot>) {
    out.clear();
    let mut rest = base.iter().peekable();
    for touch in touches {
        let Some(law) = law(touch) else { continue };
        while let Some(old) = rest.next_if(|s| s.key < touch.key) {
            if old.matters() {
                out.push(old.gone());
            }
        }
        out.push(match rest.next_if(|s| s.key == touch.key) {
            Some(old) => old.again(touch),
            None => Spot::new(touch, law),
        });
    }
    out.extend(rest.filter(|s| s.matters()).map(Spot::gone));
}
