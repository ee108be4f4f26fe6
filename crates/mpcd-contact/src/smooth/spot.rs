//! One pair of surfaces near each other: where it is, what its law remembers, the force now, and what it did in this model step.

use mpcd_core::{BodyId, ContactGeometry, ContactKey, Frame, Quat, Vec3};
use mpcd_geometry::Touch;
use serde::{Deserialize, Serialize};

use super::{dashpot::Dashpot, response::relative_velocity};
use crate::heirs::{Born, Place, pair_up, reach};

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

    /// Whether it holds nothing that could be lost.
    fn is_empty(&self) -> bool {
        self.spring == Vec3::zeros() && !self.bonded
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
            gap: touch.decided_gap(),
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
            // Of what was not near just now its levers count from now.
            last: if self.near {
                self.as_last()
            } else {
                Last { arm_candidate: touch.arm_candidate, arm_antagonist: touch.arm_antagonist, ..self.as_last() }
            },
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

    /// The same contact, which another touch of its pair goes on with: all but its name stays.
    fn renamed(&self, as_new: &Self) -> Self {
        Self {
            u_before: self.u_before,
            fresh: false,
            memory: self.memory,
            forecast: self.forecast,
            foreseen: self.foreseen,
            done: self.done,
            last: self.as_last(),
            ..*as_new
        }
    }

    /// The same seen no more, its memory left to another spot.
    fn left(&self) -> Self {
        Self { heat: (0.0, 0.0), ..self.gone() }
    }

    /// As one that has just come near: it does not go on with what its name did.
    fn anew(&self) -> Self {
        let last = Last { arm_candidate: self.arm_candidate, arm_antagonist: self.arm_antagonist, ..Last::default() };
        Self { fresh: true, memory: Memory::default(), tangent: Tangent::default(), done: Done::default(), last, ..*self }
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

/// The motion of a sub-step.
pub(crate) struct Moved<'a> {
    /// Velocities and spins.
    pub(crate) mean: (&'a [Vec3], &'a [Vec3]),
    /// (s)
    pub(crate) dt: f64,
}

impl Moved<'_> {
    /// Where a spot of the start of the sub-step would be at its end if it kept to the two bodies.
    fn place(&self, old: &Spot) -> Place {
        let turned = |body: BodyId, arm: &Vec3| Quat::from_scaled_axis(self.mean.1[body.index()] * self.dt) * arm;
        let ContactKey { candidate, antagonist, .. } = old.key;
        Place { normal: old.frame.n, on: [turned(candidate, &old.arm_candidate), turned(antagonist, &old.arm_antagonist)] }
    }

    /// A spot of its end as one that may take a place.
    fn born(&self, index: usize, new: &Spot) -> Born {
        let (velocity, spin) = self.mean;
        let turning = spin[new.key.candidate.index()] - spin[new.key.antagonist.index()];
        let motion = (relative_velocity(new, velocity, spin).norm(), turning.norm());
        let arms = [new.arm_candidate.norm(), new.arm_antagonist.norm()];
        let place = Place { normal: new.frame.n, on: [new.arm_candidate, new.arm_antagonist] };
        Born { index, place, reach: reach(&new.geometry, (new.least_radius, arms), motion, self.dt) }
    }
}

/// Writes to `out` the spots of `touches` (sorted by key) with the memory of `base` (sorted by key), and those of `base` that are
/// gone but matter. `law` gives the law of a pair, `None` where there is none.
pub(crate) fn carry(
    base: &[Spot],
    touches: &[Touch],
    law: impl Fn(&Touch) -> Option<u16>,
    moved: &Moved<'_>,
    out: &mut Vec<Spot>,
) {
    out.clear();
    // Those whose names are gone, and those of faces whose names are of other points now.
    let mut unsure: Vec<usize> = Vec::new();
    let mut rest = base.iter().enumerate().peekable();
    let pair = |touch: &Touch| (touch.key.candidate, touch.key.antagonist);
    let has_other = |i: usize| {
        let is_of_pair = |other: Option<&Touch>| other.is_some_and(|other| pair(other) == pair(&touches[i]));
        is_of_pair(touches.get(i + 1)) || is_of_pair(i.checked_sub(1).and_then(|before| touches.get(before)))
    };
    for (i, touch) in touches.iter().enumerate() {
        let Some(law) = law(touch) else { continue };
        while let Some((k, old)) = rest.next_if(|(_, s)| s.key < touch.key) {
            if old.matters() {
                out.push(old.gone());
                unsure.push(k);
            }
        }
        out.push(match rest.next_if(|(_, s)| s.key == touch.key) {
            Some((k, old)) => {
                let new = old.again(touch);
                let is_round = matches!(touch.geometry, ContactGeometry::Point { .. });
                if old.near && !is_round && has_other(i) && !moved.born(0, &new).takes(&moved.place(old)) {
                    unsure.push(k);
                }
                new
            }
            None => Spot::new(touch, law),
        });
    }
    for (k, old) in rest.filter(|(_, s)| s.matters()) {
        out.push(old.gone());
        unsure.push(k);
    }
    unsure.retain(|k| base[*k].near);
    if !unsure.is_empty() {
        go_on(base, &unsure, moved, out);
    }
}

/// Gives what left its place to the spots that are there now, pair by pair. `unsure` are those of `base` without a place of their name.
fn go_on(base: &[Spot], unsure: &[usize], moved: &Moved<'_>, out: &mut Vec<Spot>) {
    let pair = |spot: &Spot| (spot.key.candidate, spot.key.antagonist);
    // Not there twice: what these did is done by another one now.
    let mut ended: Vec<usize> = Vec::new();
    let mut from = 0;
    for unsure in unsure.chunk_by(|a, b| pair(&base[*a]) == pair(&base[*b])) {
        let own = pair(&base[unsure[0]]);
        from += out[from..].partition_point(|s| pair(s) < own);
        let count = out[from..].iter().take_while(|s| pair(s) == own).count();
        let of_pair = &mut out[from..from + count];
        if of_pair.iter().any(|s| s.near) {
            ended.extend(exchange(base, unsure, moved, of_pair).into_iter().map(|place| from + place));
        }
    }
    if !ended.is_empty() {
        ended.sort_unstable();
        let mut place = 0;
        out.retain(|_| {
            place += 1;
            ended.binary_search(&(place - 1)).is_err()
        });
    }
}

/// The same for the spots `own` of one pair: a new one is the old one under another name, and one that had no memory of its own takes that over. Returns which are to
/// be taken out.
fn exchange(base: &[Spot], unsure: &[usize], moved: &Moved<'_>, own: &mut [Spot]) -> Vec<usize> {
    let place_of = |k: usize, own: &[Spot]| own.iter().position(|s| s.key == base[k].key);
    let mut moves: Vec<usize> = unsure.iter().filter_map(|k| place_of(*k, own)).filter(|place| own[*place].near).collect();
    let find = |moves: &[usize], own: &[Spot]| {
        let takes = |i: &usize| own[*i].near && (own[*i].fresh || own[*i].memory.is_empty() || moves.contains(i));
        let born: Vec<Born> = (0..own.len()).filter(takes).map(|i| moved.born(i, &own[i])).collect();
        let leaves = |k: &usize| place_of(*k, own).is_none_or(|place| !own[place].near || moves.contains(&place));
        let left: Vec<(usize, Place)> = unsure.iter().filter(|k| leaves(k)).map(|k| (*k, moved.place(&base[*k]))).collect();
        let mut heirs = Vec::new();
        pair_up(&born, &left, &mut heirs);
        heirs
    };
    let mut heirs = find(&moves, own);
    // Names that are of other points now: all of them find their points, or none is looked for.
    let found = |k: usize| heirs.iter().any(|(_, left)| *left == k);
    if unsure.iter().any(|k| place_of(*k, own).is_some_and(|place| moves.contains(&place)) && !found(*k)) {
        moves.clear();
        heirs = find(&moves, own);
    }
    let mut ended = Vec::new();
    for place in moves.iter().filter(|place| heirs.iter().all(|(heir, _)| heir != *place)) {
        own[*place] = own[*place].anew();
    }
    for (heir, k) in heirs {
        let old = &base[k];
        let gone = place_of(k, own).filter(|place| !own[*place].near);
        if own[heir].fresh || moves.contains(&heir) {
            own[heir] = old.renamed(&own[heir]);
            ended.extend(gone);
        } else if !old.memory.is_empty() {
            own[heir].memory = old.memory;
            if let Some(gone) = gone {
                own[gone] = old.left();
            }
        }
    }
    ended
}
