//! What the assembly reads, and what a law is given of one touch: gap, velocity and memory at the start of the step. No problem, no solution.

use mpcd_core::{BodyId, ContactKey, Kinematics, Step, Vec3};
use mpcd_geometry::Touch;

use crate::{
    anchors::{Anchor, Place},
    cell::{Cell, CellStep},
    central::twist_across,
    deformable::Sides,
    growth,
    law::{Cursor, Law, LawInput, LawTable, Memory, Remembered, Remembers},
    motion::Twist,
    rows::relative_velocity,
    state::ContactState,
    warm::Warm,
};

/// The least part that a point of a face may have of it, as far as its law's lengths need it before patches are known.
const LEAST_SHARE: f64 = 0.25;

/// Everything the assembly reads.
pub(crate) struct AssemblyInput<'a> {
    pub(crate) step: &'a Step,
    pub(crate) groups: &'a [mpcd_core::GroupId],
    pub(crate) laws: &'a LawTable,
    /// Motion at the start of the step.
    pub(crate) before: &'a Kinematics,
    /// Contact configuration.
    pub(crate) now: &'a Kinematics,
    /// Size factors the bodies shall have at the end of the step; `None` when nothing grows.
    pub(crate) target_size: Option<&'a [f64]>,
    /// Mean velocities that lead from the start of the step to `now`, where `now` stands for its end (scheme `Explicit`).
    pub(crate) ahead: Option<&'a [Twist]>,
    /// Impulse that contacts that yield have in the problem, over h times their forces: 1 but in the first step of the scheme `Explicit`.
    pub(crate) soft: f64,
    /// State of the last step, for what laws remember.
    pub(crate) last: &'a ContactState,
    /// Impulses to start from.
    pub(crate) warm: Warm<'a>,
    /// Thickness of each body across a planar model (m); empty in space.
    pub(crate) thickness: &'a [f64],
    /// Gap (m) up to which every pair is kept.
    pub(crate) alert: f64,
    /// The cell and what it does, where its lengths move.
    pub(crate) cell: Option<(&'a Cell, &'a CellStep)>,
    /// Where the bodies are, for bonds on faces.
    pub(crate) place: Place<'a>,
    /// Bonds made where the bodies were as the run began, by rising key.
    pub(crate) started: &'a [Anchor],
}

impl<'a> AssemblyInput<'a> {
    pub(crate) fn law_of(&self, touch: &Touch) -> Option<u16> {
        self.law_of_pair(touch.key.candidate, touch.key.antagonist)
    }

    pub(crate) fn law_of_pair(&self, candidate: BodyId, antagonist: BodyId) -> Option<u16> {
        self.laws.between(self.groups[candidate.index()], self.groups[antagonist.index()])
    }

    /// Thickness across a planar model in which both bodies of a touch are (m); half-spaces are as thick as the other.
    fn thickness_of(&self, touch: &Touch) -> Option<f64> {
        let of = |body: BodyId| self.thickness.get(body.index()).copied();
        of(touch.key.candidate).zip(of(touch.key.antagonist)).map(|(a, b)| a.min(b))
    }

    pub(crate) fn memories(&self) -> Cursor<'a, Remembered> {
        Cursor::new(&self.last.memory, |r| &r.key)
    }

    /// The memory of a contact that had one, in its present frame.
    pub(super) fn recall(&self, touch: &Touch, memories: &mut Cursor<'_, Remembered>) -> Option<Memory> {
        Some(memories.find(&touch.key)?.recall(&touch.frame, self.turn_of(touch)))
    }

    /// The angle (rad) by which the two bodies turn about the normal, in the mean.
    pub(super) fn turn_of(&self, touch: &Touch) -> f64 {
        let w = &self.before.angular_velocity;
        let spin = w[touch.key.candidate.index()] + w[touch.key.antagonist.index()];
        0.5 * self.step.h * spin.dot(&touch.frame.n)
    }

    /// The memory that a contact takes over from others whose names are gone.
    fn inherited(&self, law: &dyn Law, touch: &Touch, gone: &[(usize, usize)]) -> Option<Memory> {
        let turn = self.turn_of(touch);
        let kept: Vec<Memory> = gone.iter().map(|(_, k)| self.last.memory[*k].recall(&touch.frame, turn)).collect();
        Some(law.memory()?.inherit(&kept)).filter(|_| !kept.is_empty())
    }

    /// The memory of the nearest point of the pair that has what this one lacks; what is as far away as the middle of the body is another part of it.
    fn beside(&self, law: &dyn Remembers, touch: &Touch) -> Option<Memory> {
        let pair = |key: &ContactKey| (key.candidate, key.antagonist);
        let all = &self.last.memory;
        let from = all.partition_point(|kept| pair(&kept.key) < pair(&touch.key));
        let own = all[from..].iter().take_while(|kept| pair(&kept.key) == pair(&touch.key));
        let near = own.filter(|kept| law.has(&kept.left())).filter_map(|kept| Some((kept, kept.apart(touch, self.now)?)));
        near.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(kept, _)| kept.recall(&touch.frame, 0.0))
    }

    /// The memory of a point of the pair that has what others may lack, wherever it is.
    pub(super) fn of_pair(&self, law: &dyn Remembers, touch: &Touch) -> Option<Memory> {
        let pair = |key: &ContactKey| (key.candidate, key.antagonist);
        let all = &self.last.memory;
        let from = all.partition_point(|kept| pair(&kept.key) < pair(&touch.key));
        let mut own = all[from..].iter().take_while(|kept| pair(&kept.key) == pair(&touch.key));
        own.find(|kept| law.has(&kept.left())).map(|kept| kept.recall(&touch.frame, 0.0))
    }

    /// The gap at the start of the step (m): that of the two material points, with the normal as what turned less of the two had it then.
    fn gap_at_start(&self, touch: &Touch, sides: &Sides) -> f64 {
        let back = |i: usize| self.before.orientation[i] * self.now.orientation[i].inverse();
        let moved = |body: BodyId, arm: &Vec3| {
            let i = body.index();
            (self.now.position[i] + arm) - (self.before.position[i] + back(i) * arm)
        };
        let (c, a) = (touch.key.candidate, touch.key.antagonist);
        let rigid = |body: BodyId, arm: &Vec3| if sides.is_deformable(body) { Vec3::zeros() } else { moved(body, arm) };
        let lead = self.step.h * (1.0 - self.step.theta);
        let deformed = touch.frame.to_world(&sides.relative_velocity(&self.last.deformables, touch)) * lead;
        let apart = rigid(c, &touch.arm_candidate) - rigid(a, &touch.arm_antagonist) + deformed - self.shifted(touch);
        let spin = |body: usize| self.before.angular_velocity[body];
        let rolled = growth::of_rolling(touch, spin) * (0.5 * lead * lead);
        let together = rolled.norm() <= f64::EPSILON * touch.arm_candidate.norm();
        let turns = [c, a].map(|body| back(body.index())).into_iter().min_by(|p, q| p.angle().total_cmp(&q.angle()));
        let normal = turns.filter(|_| together && !is_on_mesh(sides, touch)).map_or(touch.frame.n, |turn| turn * touch.frame.n);
        let then = touch.frame.n * touch.gap - apart + rolled;
        Touch { gap: normal.dot(&then), ..*touch }.decided_gap()
    }

    /// How far the image of the antagonist that the candidate touches has come since the start of the step because the cell has grown (m).
    fn shifted(&self, touch: &Touch) -> Vec3 {
        let (before, now) = (self.before.cell.lengths, self.now.cell.lengths);
        if before == now {
            return Vec3::zeros();
        }
        let (c, a) = (touch.key.candidate.index(), touch.key.antagonist.index());
        let arms = touch.arm_candidate - touch.arm_antagonist - touch.frame.n * touch.gap;
        let across = self.now.position[c] - self.now.position[a] + arms;
        Vec3::from_fn(|k, _| before[k].zip(now[k]).map_or(0.0, |(before, now)| (across[k] / now).round() * (now - before)))
    }

    /// Whether the run begins and the law bonds the pair, however far apart its distance says.
    pub(super) fn bonds_now(&self, law: &dyn Law, touch: &Touch, sides: &Sides) -> bool {
        if self.started.binary_search_by_key(&touch.key, |a| a.key).is_ok() {
            return true;
        }
        let bonds = |law: &dyn Remembers| {
            let (gap, before) = (touch.decided_gap(), Some(self.gap_at_start(touch, sides)));
            let input = LawInput { gap, before, start: true, share: LEAST_SHARE, ..LawInput::new(touch.geometry, self.step.h) };
            law.tally(&law.initial(&input)).anchored
        };
        self.last.last_h == 0.0 && law.memory().is_some_and(bonds)
    }

    /// How far the two points of a bond on a face have slid apart, local (m).
    fn slip(&self, touch: &Touch, anchor: &Anchor) -> Vec3 {
        let drift = touch.frame.to_local(&anchor.drift(&self.place));
        let led = self.ahead.map_or_else(Vec3::zeros, |mean| twist_across(mean, touch) * self.step.h);
        Vec3::new(0.0, drift.y - led.y, drift.z - led.z)
    }

    /// How far what turns has led two material points of rigid bodies apart on the way to the contact configuration (m), local: bodies go straight there, and their surfaces along arcs. Of what a
    /// bond holds together it is none of what has opened.
    fn led_apart(&self, touch: &Touch) -> Vec3 {
        let lead = (1.0 - self.step.theta) * self.step.h;
        let spin = |body: usize| self.before.angular_velocity.get(body).copied().unwrap_or_default();
        if self.ahead.is_some() || lead == 0.0 { Vec3::zeros() } else { growth::led_apart(touch, spin, lead) }
    }

    /// Relative velocity at the start of the step, local [m/s].
    #[inline]
    pub(super) fn velocity_before(&self, touch: &Touch, sides: &Sides) -> Vec3 {
        let meshes = (sides, &self.last.deformables[..]);
        relative_velocity(self.before, meshes, touch, self.cell.map(|(cell, step)| (cell, &step.before)))
    }

    // Where it is asked for: what is handed back would be copied once more for each contact.
    #[inline(always)]
    pub(super) fn law_input(
        &self,
        law: &dyn Law,
        (place, touch, u_before): (usize, &Touch, Vec3),
        (growth, share, as_one): (f64, f64, bool),
        past: &mut Past<'_>,
        sides: &Sides,
    ) -> LawInput {
        let mut input = LawInput {
            gap: self.ahead.map_or_else(|| touch.decided_gap(), |mean| touch.gap - self.step.h * twist_across(mean, touch).x),
            ahead: self.ahead.is_some(),
            theta: if self.ahead.is_some() { 1.0 } else { self.step.theta },
            u_before,
            growth,
            start: self.last.last_h == 0.0,
            share,
            on_mesh: is_on_mesh(sides, touch),
            as_one,
            thickness: self.thickness_of(touch),
            least_radius: touch.least_radius,
            ..LawInput::new(touch.geometry, self.step.h)
        };
        let started = || self.started.binary_search_by_key(&touch.key, |a| a.key).ok().map(|k| self.started[k].gap());
        input.before = input.start.then(|| started().unwrap_or_else(|| self.gap_at_start(touch, sides)));
        let gap = input.gap;
        let is_led = !input.on_mesh && (as_one || law.memory().is_some_and(Remembers::bonds));
        let led = if is_led { self.led_apart(touch) } else { Vec3::zeros() };
        input.gap -= led.x;
        if let Some(remembers) = law.memory() {
            let gone = past.gone(place);
            let own = self.recall(touch, &mut past.memories);
            let kept = self.inherited(law, touch, gone).or(own);
            let is_new = kept.is_none();
            input.memory = kept.unwrap_or_else(|| remembers.initial(&input));
            if input.on_mesh && remembers.lacks(&input) {
                input.memory = self.beside(remembers, touch).unwrap_or(input.memory);
            }
            if !is_new && !input.ahead {
                input.memory.lead((1.0 - input.theta) * (self.step.h - self.last.last_h));
            }
            input.slip = past.anchors.find(&touch.key).filter(|a| a.holds).map(|anchor| self.slip(touch, anchor));
            if as_one || remembers.tally(&input.memory).anchored {
                input.led = led;
                input.slip = input.slip.map(|slip| slip - Vec3::new(0.0, led.y, led.z));
            } else {
                input.gap = gap;
            }
        }
        input
    }
}

/// Whether one of the two bodies is a mesh.
fn is_on_mesh(sides: &Sides, touch: &Touch) -> bool {
    sides.is_deformable(touch.key.candidate) || sides.is_deformable(touch.key.antagonist)
}

/// What is known of contacts from the step before, by rising key.
pub(super) struct Past<'a> {
    memories: Cursor<'a, Remembered>,
    anchors: Cursor<'a, Anchor>,
    /// Heirs among the touches: (touch, place in the memory).
    heirs: &'a [(usize, usize)],
}

impl<'a> Past<'a> {
    pub(super) fn new(input: &AssemblyInput<'a>, heirs: &'a [(usize, usize)]) -> Self {
        Self { memories: input.memories(), anchors: Cursor::new(&input.last.anchors, |a| &a.key), heirs }
    }

    /// What the touch at `place` inherits; places must be asked for in rising order.
    fn gone(&mut self, place: usize) -> &'a [(usize, usize)] {
        let from = self.heirs.partition_point(|(heir, _)| *heir < place);
        let to = self.heirs.partition_point(|(heir, _)| *heir <= place);
        let gone = &self.heirs[from..to];
        self.heirs = &self.heirs[to..];
        gone
    }
}

/// Size of the springs behind a contact: the area of its bond, or its own.
pub(crate) fn size(law: &dyn Law, input: &LawInput) -> f64 {
    let tally = law.memory().map(|law| law.tally(&input.memory)).unwrap_or_default();
    if tally.bonded { tally.area } else { input.area() }
}
