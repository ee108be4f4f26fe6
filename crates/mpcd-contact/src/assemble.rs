//! From touching surfaces and laws to the discrete problem, and from its solution back to the contact network.

use mpcd_core::{BodyId, Contact, ContactGeometry, ContactKey, ContactNetwork, Kinematics, PatchPoint, Patches, Step, Vec3};
use mpcd_friction::problem::{self, Angular, ContactProblem, Response};
use mpcd_geometry::Touch;
use rayon::prelude::*;

use crate::{
    anchors::{self, Anchor, Place},
    cell::{Cell, CellStep},
    central::twist_across,
    deformable::Sides,
    growth,
    law::{
        Begin, Cursor, Impact, Law, LawInput, LawResponse, LawTable, Memory, Remembered, Remembers, Restitution, Shares, heirs,
        place_of,
        spread::{Carried, spread, turns},
    },
    motion::{MANY, Twist},
    openings::{Ahead, Gaps},
    pressed::Pressed,
    rows::{finish, new_contact, relative_velocity},
    shares,
    state::{ContactState, Opening, Turning},
    warm::{Warm, WarmStart},
};

/// Part of the way on which loads close a gap in a step up to which a condition on velocities takes it for closed. What an accepted solve opens is
/// [`mpcd_friction::acceptance::SPEED`] tolerances of that way, 0.3 % with the default tolerance.
const CLOSES: f64 = 1.0 / 32.0;

/// The least part that a point of a face may have of it, as far as its law's lengths need it before patches are known.
const LEAST_SHARE: f64 = 0.25;

/// Buffers of the assembly, reused from step to step.
#[derive(Debug, Default)]
pub(crate) struct Assembly {
    /// Detected pairs, sorted by key.
    pub(crate) touches: Vec<Touch>,
    /// The discrete problem.
    pub(crate) problem: ContactProblem,
    /// Size (m²) of the springs behind each contact of the problem, where what forces leave open is decided.
    pub(crate) sizes: Vec<f64>,
    /// Network index of each contact of the problem.
    pub(crate) active: Vec<usize>,
    /// How bodies that grow in the step move the surfaces of each contact of the network ([`growth::of_pair`]).
    pub(crate) growth: Vec<Vec3>,
    /// Which bodies are half-spaces.
    pub(crate) endless: Vec<bool>,
    /// What the laws that remember were given: (network index, input).
    pub(crate) remembering: Vec<(usize, LawInput)>,
    /// The patches that the pairs make; none where no law asks for them.
    pub(crate) patches: Patches,
    /// Contacts of the problem whose law may want stages, patch by patch.
    pub(crate) staged: Vec<Staged>,
    /// Bonds on faces that hold at the end of the step.
    holding: Vec<Anchor>,
    /// Stages in which the problem was solved since it was assembled; 0 where bonds needed none.
    pub(crate) stages: usize,
    /// Contacts of the problem that are struck, what they give back, and the speed at which their surfaces approached [m/s].
    pub(crate) struck: Vec<(usize, Impact, f64)>,
    /// Bonds of the step before that have no contact in this one, and the energy that they stored (J).
    pub(crate) lost: Vec<(ContactKey, f64)>,
    /// Sums of the shares of the impulses, for the books.
    pub(crate) works: Works,
    /// Velocities of the touches before the step, where several threads find them.
    before: Vec<Vec3>,
    /// Which contacts lie on deformable bodies.
    pub(crate) sides: Sides,
}

/// Work of bonds and of viscous forces in the step, and energy that laws store at its end (J).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Works {
    pub(crate) bond: f64,
    pub(crate) viscous: f64,
    pub(crate) stored: f64,
    /// Work of bodies that grow against the impulses.
    pub(crate) growth: f64,
    /// Energy that bonds stored whose contacts are gone.
    pub(crate) lost: f64,
    /// Sizes of what bonds and viscous forces push and pull with, against which contacts may push back as much [N s].
    pub(crate) pulled: f64,
    /// Energy that they would give the bodies at rest in the step (J).
    pub(crate) spared: f64,
    /// Normal work that comes from the turning of the contacts, not from a gap that changes (scheme `Explicit`).
    pub(crate) turning: f64,
}

/// A contact whose law may want the step solved in stages.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Staged {
    /// Its patch.
    pub(crate) patch: usize,
    /// Place in the problem.
    pub(crate) contact: usize,
    /// Place in [`Assembly::remembering`].
    pub(crate) remembering: usize,
    /// Its law in the table.
    pub(crate) law: u16,
    /// What is held at first.
    pub(crate) begin: f64,
    /// Whether it is held from the first solve on.
    pub(crate) at_once: bool,
}

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
    /// State of the last step, for what laws remember.
    pub(crate) last: &'a ContactState,
    /// Impulses to start from.
    pub(crate) warm: Warm<'a>,
    /// Gap (m) up to which every pair is kept.
    pub(crate) alert: f64,
    /// The cell and what it does, where its lengths move.
    pub(crate) cell: Option<(&'a Cell, &'a CellStep)>,
    /// Where the bodies are, for bonds on faces.
    pub(crate) place: Place<'a>,
}

impl<'a> AssemblyInput<'a> {
    pub(crate) fn law_of(&self, touch: &Touch) -> Option<u16> {
        self.law_of_pair(touch.key.candidate, touch.key.antagonist)
    }

    pub(crate) fn law_of_pair(&self, candidate: BodyId, antagonist: BodyId) -> Option<u16> {
        self.laws.between(self.groups[candidate.index()], self.groups[antagonist.index()])
    }

    pub(crate) fn memories(&self) -> Cursor<'a, Remembered> {
        Cursor::new(&self.last.memory, |r| &r.key)
    }

    /// The memory of a contact that had one, in its present frame.
    fn recall(&self, touch: &Touch, memories: &mut Cursor<'_, Remembered>) -> Option<Memory> {
        let kept = memories.find(&touch.key)?;
        let w = &self.before.angular_velocity;
        let spin = w[touch.key.candidate.index()] + w[touch.key.antagonist.index()];
        Some(kept.recall(&touch.frame, 0.5 * self.step.h * spin.dot(&touch.frame.n)))
    }

    /// The memory that a contact takes over from others whose names are gone.
    fn inherited(&self, law: &dyn Law, touch: &Touch, gone: &[(usize, usize)]) -> Option<Memory> {
        let kept: Vec<Memory> = gone.iter().map(|(_, k)| self.last.memory[*k].recall(&touch.frame, 0.0)).collect();
        Some(law.memory()?.inherit(&kept)).filter(|_| !kept.is_empty())
    }

    /// The gap at the start of the step (m), to first order in what the points at it have moved since.
    fn gap_at_start(&self, touch: &Touch, sides: &Sides) -> f64 {
        let moved = |body: BodyId, arm: &Vec3| {
            let i = body.index();
            let turn = self.before.orientation[i] * self.now.orientation[i].inverse();
            (self.now.position[i] + arm) - (self.before.position[i] + turn * arm)
        };
        let (c, a) = (touch.key.candidate, touch.key.antagonist);
        let rigid = |body: BodyId, arm: &Vec3| if sides.is_deformable(body) { Vec3::zeros() } else { moved(body, arm) };
        let lead = self.step.h * (1.0 - self.step.theta);
        let deformed = touch.frame.to_world(&sides.relative_velocity(&self.last.deformables, touch)) * lead;
        let apart = rigid(c, &touch.arm_candidate) - rigid(a, &touch.arm_antagonist) + deformed;
        Touch { gap: touch.gap - touch.frame.n.dot(&apart), ..*touch }.decided_gap()
    }

    /// Whether the run begins and the law bonds the pair, however far apart its distance says.
    fn bonds_now(&self, law: &dyn Law, touch: &Touch, sides: &Sides) -> bool {
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

    /// Relative velocity at the start of the step, local [m/s].
    #[inline]
    fn velocity_before(&self, touch: &Touch, sides: &Sides) -> Vec3 {
        let meshes = (sides, &self.last.deformables[..]);
        relative_velocity(self.before, meshes, touch, self.cell.map(|(cell, step)| (cell, &step.before)))
    }

    fn law_input(
        &self,
        law: &dyn Law,
        (place, touch, u_before): (usize, &Touch, Vec3),
        growth: f64,
        share: f64,
        past: &mut Past<'_>,
        sides: &Sides,
    ) -> LawInput {
        let mut input = LawInput {
            gap: self.ahead.map_or_else(|| touch.decided_gap(), |mean| touch.gap - self.step.h * twist_across(mean, touch).x),
            ahead: self.ahead.is_some(),
            u_before,
            growth,
            start: self.last.last_h == 0.0,
            share,
            least_radius: touch.least_radius,
            ..LawInput::new(touch.geometry, self.step.h)
        };
        input.before = input.start.then(|| self.gap_at_start(touch, sides));
        if let Some(remembers) = law.memory() {
            let gone = past.gone(place);
            let kept = self.recall(touch, &mut past.memories).or_else(|| self.inherited(law, touch, gone));
            input.memory = kept.unwrap_or_else(|| remembers.initial(&input));
            input.slip = past.anchors.find(&touch.key).filter(|a| a.holds).map(|anchor| self.slip(touch, anchor));
        }
        input
    }
}

/// Speed at which loads alone close a pair of rigid bodies in the step, or move either of them or what they hang together with along the normal, what they do
/// already left aside [m/s]. The latter is what contacts change where all rests, by which a solve is judged there: the boxes of a tower fall alike and do not
/// close by themselves, and those below one that is pressed are not moved at all.
fn closing(touch: &Touch, free: &[problem::Body], before: &Kinematics, pressed: &Pressed) -> f64 {
    let changed = |body: BodyId, arm: &Vec3| {
        let i = body.index();
        let speed = before.velocity[i] + before.angular_velocity[i].cross(arm);
        free.get(i).map_or_else(Vec3::zeros, |node| node.velocity_at(arm) - speed)
    };
    let (c, a) = (touch.key.candidate, touch.key.antagonist);
    let along = [c, a].map(|body| pressed.along(body, &touch.frame.n));
    let [c, a] = [changed(c, &touch.arm_candidate), changed(a, &touch.arm_antagonist)].map(|v| touch.frame.n.dot(&v));
    (a - c).max(c.abs()).max(a.abs()).max(along[0]).max(along[1])
}

/// What is known of contacts from the step before, by rising key.
struct Past<'a> {
    memories: Cursor<'a, Remembered>,
    anchors: Cursor<'a, Anchor>,
    /// Heirs among the touches: (touch, place in the memory).
    heirs: &'a [(usize, usize)],
}

/// What the rounding of places leaves open in the shifted velocity of a spring [m/s]. The places x of two bodies are rounded twice a step, each time by at most
/// ε|x|/2, and the gap is a difference of them, so that it is known to 4 ε|x|; a spring asks for its velocity `shift` by its `gap`.
fn rounding_of(touch: &Touch, places: &[Vec3], (gap, shift): (f64, f64)) -> f64 {
    if gap == 0.0 {
        return 0.0;
    }
    let far = |body: BodyId, arm: &Vec3| places[body.index()].norm() + arm.norm();
    let reach = far(touch.key.candidate, &touch.arm_candidate).max(far(touch.key.antagonist, &touch.arm_antagonist));
    4.0 * f64::EPSILON * reach * (shift / gap).abs()
}

impl<'a> Past<'a> {
    fn new(input: &AssemblyInput<'a>, heirs: &'a [(usize, usize)]) -> Self {
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

impl Assembly {
    /// An empty problem of the same dimension.
    pub(crate) fn drop_caches(&mut self) {
        let dimension = self.problem.dimension;
        let sides = std::mem::take(&mut self.sides);
        *self = Self { sides, ..Self::default() };
        self.problem.dimension = dimension;
    }

    /// Fills `network` from the detected pairs and the problem with those that can push.
    pub(crate) fn assemble(&mut self, input: &AssemblyInput<'_>, network: &mut ContactNetwork) {
        self.problem.contacts.clear();
        self.problem.laws.clear();
        if let Some(cell) = &mut self.problem.cell {
            cell.branches.clear();
        }
        self.active.clear();
        self.sizes.clear();
        self.growth.clear();
        self.remembering.clear();
        self.struck.clear();
        self.staged.clear();
        self.stages = 0;
        network.contacts.clear();
        network.on_meshes.clear();
        self.keep_wanted(input);
        let mut warm = WarmStart::new(&input.warm);
        let heirs = heirs(&self.touches, &input.last.memory, input.now);
        let mut past = Past::new(input, &heirs);
        self.find_patches(input.laws);
        let touches = std::mem::take(&mut self.touches);
        self.before.clear();
        if touches.len() >= MANY && rayon::current_num_threads() > 1 {
            let velocity = |touch: &Touch| input.velocity_before(touch, &self.sides);
            touches.par_iter().with_min_len(MANY / 4).map(velocity).collect_into_vec(&mut self.before);
        }
        self.problem.rounding = 0.0;
        let mut pressed: Option<Pressed> = None;
        for (k, touch) in touches.iter().enumerate() {
            let Some(index) = input.law_of(touch) else { continue };
            let law = input.laws.law(index);
            let growth = input.target_size.map_or_else(Vec3::zeros, |then| {
                let rate = |body: usize| (then[body] - input.now.size[body]) / input.step.h;
                growth::of_pair(touch, rate, input.now, &self.endless)
            });
            let mut law_input = {
                let before = self.before.get(k).copied().unwrap_or_else(|| input.velocity_before(touch, &self.sides));
                input.law_input(law, (k, touch, before), growth.x, self.share(&touches, k), &mut past, &self.sides)
            };
            let u_before = law_input.u_before;
            // What a blow is to a law is the approach of the surfaces, not of the bodies.
            let swelling = |body: usize| input.last.swelling.get(body).copied().unwrap_or_default();
            law_input.u_before -= growth::of_pair(touch, swelling, input.now, &self.endless);
            if law_input.gap > 0.0 && law.asks_whether_closed() && !self.sides.has(touch) {
                let free = &self.problem.bodies;
                let pressed = pressed.get_or_insert_with(|| Pressed::of(&touches, free, input.before));
                law_input.closes = CLOSES * input.step.h * closing(touch, free, input.before, pressed);
            }
            // What is held is known again by the memory: a law without one has no stages.
            let begin = law.memory().and(law.stages()).and_then(|stages| stages.begin(&law_input));
            // Bonds on meshes hang together as those of a patch do, and with them held the problem is one that every stage of `auto` takes.
            let begin = begin.map(|begin| Begin { at_once: begin.at_once || self.sides.has(touch), ..begin });
            law_input.note = begin.map_or(0.0, |begin| begin.held);
            law_input.held = begin.filter(|begin| begin.at_once).map(|begin| begin.held);
            if law.memory().is_some() {
                self.remembering.push((k, law_input));
            }
            let (start, turning) = warm.start(touch);
            network.contacts.push(new_contact(touch, index, u_before));
            network.on_meshes.extend(self.sides.points(touch));
            self.growth.push(growth);
            if let Some(data) = law.prepare(&law_input) {
                if data.compliance.x > 0.0 {
                    let open = rounding_of(touch, &input.now.position, (law_input.gap, data.velocity_shift.x));
                    self.problem.rounding = self.problem.rounding.max(open);
                }
                if let (Some(begin), Some(remembering)) = (begin, self.remembering.len().checked_sub(1)) {
                    // What is spread over a rigid face by statics is not over one that deforms: each point is its own.
                    let patch = if self.sides.has(touch) { usize::MAX - k } else { self.patches.patch_of(k) };
                    let contact = self.active.len();
                    let (begin, at_once) = (begin.held, begin.at_once);
                    self.staged.push(Staged { patch, contact, remembering, law: index, begin, at_once });
                }
                if let Restitution::Phases(law) = law.restitution() {
                    let approach = (-law_input.u_before.x).max(0.0);
                    self.struck.extend(law.impact(&law_input).map(|impact| (self.active.len(), impact, approach)));
                }
                self.active.push(k);
                self.sizes.push(shares::size(law, &law_input));
                let angular = data.rolling.map(|[rolling, spinning]| Angular::Resistance { rolling, spinning });
                let response = self.response(data.response);
                let frame = problem::Frame::from_normal_and_tangent(touch.frame.n, touch.frame.t);
                let (c, a) = (touch.key.candidate.index(), touch.key.antagonist.index());
                if let (Some((cell, _)), Some(target)) = (input.cell, &mut self.problem.cell) {
                    target.branches.push(cell.branch(touch));
                }
                self.problem.contacts.push(problem::Contact {
                    response,
                    // Growth closes the gap as a velocity would: u_free,n −= growth (Dubois–Renouf, thermal steps A–D).
                    velocity_shift: data.velocity_shift - growth,
                    compliance: data.compliance,
                    impulse_shift: data.impulse_shift,
                    impulse: start,
                    angular,
                    angular_impulse: if angular.is_some() { turning } else { Vec3::zeros() },
                    ..problem::Contact::new(c, a, frame, touch.arm_candidate, touch.arm_antagonist)
                });
            }
        }
        self.touches = touches;
        self.staged.sort_by_key(|s| s.patch);
        self.find_lost(input, network, &heirs);
    }

    /// Bonds that held at the end of the last step and are neither at hand nor inherited. A bond ends with its damage alone, so there should be none.
    fn find_lost(&mut self, input: &AssemblyInput<'_>, network: &ContactNetwork, heirs: &[(usize, usize)]) {
        self.lost.clear();
        let mut contacts = Cursor::new(&network.contacts, |c: &Contact| &c.key);
        for (place, kept) in input.last.memory.iter().enumerate() {
            if contacts.find(&kept.key).is_some() || heirs.iter().any(|(_, of)| *of == place) {
                continue;
            }
            let law = input.law_of_pair(kept.key.candidate, kept.key.antagonist);
            let memory = law.and_then(|law| input.laws.law(law).memory());
            if memory.is_some_and(|law| law.tally(&kept.left()).anchored) {
                self.lost.push((kept.key, kept.stored()));
            }
        }
    }

    /// The patches of the pairs at hand, where a law asks for them.
    fn find_patches(&mut self, laws: &LawTable) {
        let (touches, sides) = (&self.touches, &self.sides);
        let wanted = laws.any(|law| law.memory().is_some() || law.wear().is_some());
        self.patches.find(if wanted { touches.len() } else { 0 }, |k| {
            let t = &touches[k];
            let on_mesh = sides.has(t);
            PatchPoint { key: t.key, point: t.point, normal: t.frame.n, gap: t.gap, geometry: t.geometry, on_mesh }
        });
    }

    /// The part of its patch of the pair at `place`.
    fn share(&self, touches: &[Touch], place: usize) -> f64 {
        if self.patches.is_empty() {
            return 1.0;
        }
        let points = self.patches.contacts(self.patches.patch_of(place));
        if points.len() == 1 {
            return 1.0;
        }
        let size = |k: usize| match touches[k].geometry {
            ContactGeometry::Flat { area } => area,
            ContactGeometry::Line { length, .. } => length,
            ContactGeometry::Point { .. } => 0.0,
        };
        let all: f64 = points.clone().map(size).sum();
        if all > 0.0 { size(place) / all } else { 1.0 / points.len() as f64 }
    }

    /// The part of its patch's impulse that wear at each contact goes by: what the statics leaves open is spread over the patch.
    fn worn_by(&self, network: &ContactNetwork, place: usize) -> Vec3 {
        let own = network.contacts[place].r;
        let points = self.patches.contacts(self.patches.patch_of(place));
        if points.len() == 1 {
            return own;
        }
        let mut carried: Vec<Carried> = points
            .clone()
            .map(|k| {
                let c = &network.contacts[k];
                Carried { at: network.contacts[place].frame.to_local(&c.point), r: c.r, share: self.share(&self.touches, k) }
            })
            .collect();
        let pushed: f64 = carried.iter().map(|c| c.r.x).sum();
        let (c, a) = network.contacts[place].bodies();
        let frame = &network.contacts[place].frame;
        spread(&mut carried, turns(&self.problem, c.index(), a.index(), [frame.n, frame.t, frame.s]));
        let kept: f64 = carried.iter().map(|c| c.r.x.max(0.0)).sum();
        let normal = points.zip(&carried).find(|(k, _)| *k == place).map_or(own.x, |(_, c)| c.r.x.max(0.0));
        Vec3::new(if kept > 0.0 { normal * pushed / kept } else { own.x }, own.y, own.z)
    }

    /// Touches and network stay row by row the same: pairs without a law are none of either, nor those beyond the alert distance that no
    /// law holds on to.
    fn keep_wanted(&mut self, input: &AssemblyInput<'_>) {
        let mut memories = input.memories();
        let sides = &self.sides;
        self.touches.retain(|touch| {
            let Some(index) = input.law_of(touch) else { return false };
            if touch.gap <= input.alert {
                return true;
            }
            let law = input.laws.law(index);
            let memory = law.memory().and_then(|_| input.recall(touch, &mut memories));
            let anchored = law.memory().zip(memory.as_ref()).is_some_and(|(law, memory)| law.tally(memory).anchored);
            anchored
                || law.reach().is_some_and(|law| touch.gap <= law.range(memory.as_ref()))
                || input.bonds_now(law, touch, sides)
        });
    }

    fn response(&mut self, response: LawResponse) -> Response {
        match response {
            LawResponse::Cone(cone) => Response::Cone(cone),
            LawResponse::Local(law) => {
                self.problem.laws.push(law);
                Response::Law(self.problem.laws.len() - 1)
            }
        }
    }

    /// Impulses and moments of the solved problem, to start another one from.
    pub(crate) fn give_solved(&self, network: &ContactNetwork, contacts: &mut Vec<Contact>, turning: &mut Vec<Turning>) {
        contacts.clone_from(&network.contacts);
        turning.clear();
        for (solved, &index) in self.problem.contacts.iter().zip(&self.active) {
            contacts[index].r = solved.impulse;
            if solved.angular.is_some() {
                let contact = &contacts[index];
                turning.push(Turning { key: contact.key, moment: contact.frame.to_world(&solved.angular_impulse) });
            }
        }
    }

    /// Writes velocities, impulses, statuses, heats and memory of the solved problem into `next`.
    pub(crate) fn take_solution(
        &mut self,
        before: &Kinematics,
        laws: &LawTable,
        next: &mut ContactState,
        ahead: Option<&Ahead<'_>>,
        cell: Option<(&Cell, &CellStep)>,
    ) {
        let ContactState { kinematics: now, network, memory, anchors, turning, worn, opening, deformables, swelling, .. } = next;
        let sides = std::mem::take(&mut self.sides);
        let meshes = (&sides, &deformables[..]);
        self.holding.clear();
        memory.clear();
        turning.clear();
        opening.clear();
        let mut gaps = ahead.map(Gaps::new);
        self.works = Works { lost: self.lost.iter().map(|(_, energy)| energy).sum(), ..Works::default() };
        if laws.any(|law| law.wear().is_some()) {
            for (solved, &index) in self.problem.contacts.iter().zip(&self.active) {
                network.contacts[index].r = solved.impulse;
            }
            for (place, law) in network.contacts.iter().map(|c| laws.law(c.law)).enumerate() {
                let Some(law) = law.wear() else { continue };
                let contact = &network.contacts[place];
                let end = relative_velocity(now, meshes, &self.touches[place], cell.map(|(cell, step)| (cell, &step.after)));
                let u = ahead.map_or(end, |a| twist_across(a.mean, &self.touches[place])) - self.growth[place];
                let volume = law.worn(&u, &self.worn_by(network, place));
                let (c, a) = contact.bodies();
                worn[c.index()] += 0.5 * volume;
                worn[a.index()] += 0.5 * volume;
            }
        }
        let velocity = |touch: &Touch| relative_velocity(now, meshes, touch, cell.map(|(cell, step)| (cell, &step.after)));
        let is_shared = network.contacts.len() >= MANY && rayon::current_num_threads() > 1;
        if is_shared {
            let contacts = network.contacts.par_iter_mut().zip(&self.touches).with_min_len(MANY / 4);
            contacts.for_each(|(contact, touch)| contact.u = velocity(touch));
        }
        let mut remembering = self.remembering.iter().peekable();
        let mut solved = self.active.iter().zip(&self.problem.contacts).peekable();
        for (index, ((contact, touch), growth)) in network.contacts.iter_mut().zip(&self.touches).zip(&self.growth).enumerate() {
            let end = if is_shared { contact.u } else { velocity(touch) };
            contact.u = ahead.map_or(end, |a| twist_across(a.mean, touch));
            if let Some((_, solved)) = solved.next_if(|(k, _)| **k == index) {
                contact.r = solved.impulse;
            }
            let law = laws.law(contact.law);
            let mut shares = Shares::default();
            if let Some((_, input)) = remembering.next_if(|(k, _)| *k == index) {
                let (apart, mut kept) = (contact.u - *growth, input.memory);
                if let Some(law) = law.memory() {
                    shares = law.accept(input, &apart, &contact.r, &mut kept);
                    memory
                        .push(Remembered::keep(contact.key, &contact.frame, place_of(touch, now), &kept).storing(shares.stored));
                    // What is bonded to a mesh is known by its node.
                    if law.tally(&kept).anchored && !sides.has(touch) {
                        let extent = extent_of(index, &self.touches, &self.patches);
                        let endless = self.endless.get(touch.key.antagonist.index()).copied().unwrap_or_default();
                        self.holding.extend(Anchor::new(touch, extent, now, !endless));
                    }
                }
            }
            // As the motion, so the growth: with that of the step alone, a change of it would pass for heat of an impact.
            let mut grown = *growth;
            if ahead.is_none() {
                let rate = |body: usize| swelling.get(body).copied().unwrap_or_default();
                let then = if swelling.is_empty() { Vec3::zeros() } else { growth::of_pair(touch, rate, now, &self.endless) };
                grown = (grown + then) * 0.5;
            }
            self.works.growth += contact.r.dot(&grown);
            let mean = (end + contact.u_before) * 0.5 - grown;
            let normal = gaps.as_mut().map_or(mean.x, |gaps| {
                let (last, now) = gaps.take(contact, growth.x);
                opening.push(Opening { key: contact.key, speed: now });
                0.5 * (last + now)
            });
            finish(contact, &mean, normal, law.friction(), &shares, &mut self.works);
            let (c, a) = contact.bodies();
            let pulled = (shares.bond + shares.viscous).norm();
            if pulled == 0.0 {
                continue;
            }
            let inverse_mass = |node: usize| self.problem.bodies.get(node).map_or(0.0, |n| n.inverse_mass.max());
            self.works.pulled += pulled;
            self.works.spared += 0.5 * pulled * pulled * (inverse_mass(c.index()) + inverse_mass(a.index()));
        }
        if !(self.holding.is_empty() && anchors.is_empty()) {
            let last = std::mem::take(anchors);
            anchors::renew(&last, &self.holding, anchors);
        }
        for (solved, &index) in self.problem.contacts.iter().zip(&self.active).filter(|(c, _)| c.angular.is_some()) {
            let contact = &mut network.contacts[index];
            let (c, a) = contact.bodies();
            let mean = |i: usize| (before.angular_velocity[i] + now.angular_velocity[i]) * 0.5;
            let moment = contact.frame.to_world(&solved.angular_impulse);
            contact.heat_friction -= moment.dot(&(mean(c.index()) - mean(a.index())));
            turning.push(Turning { key: contact.key, moment });
        }
        self.sides = sides;
    }
}

/// How far from a bond what detection finds is still its place (m): to the farthest point of its patch, or the edge of a patch of one point.
fn extent_of(place: usize, touches: &[Touch], patches: &Patches) -> f64 {
    let own = &touches[place];
    let across = patches.contacts(patches.patch_of(place)).map(|k| (touches[k].point - own.point).norm()).fold(0.0, f64::max);
    match own.geometry {
        ContactGeometry::Flat { area } if across == 0.0 => area.sqrt(),
        _ => across,
    }
}
