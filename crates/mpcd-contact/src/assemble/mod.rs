//! From touching surfaces and laws to the discrete problem. What is read is in `input`, the way back from its solution in `accept`.

mod accept;
mod aggregate;
mod ample;
mod away;
mod held;
mod input;
mod plain;
pub(crate) mod rolling;
mod worn;

use mpcd_core::{BodyId, Contact, ContactGeometry, ContactKey, ContactNetwork, Kinematics, PatchPoint, Patches, Vec3};
use mpcd_friction::problem::{self, Angular, ContactProblem, Response};
use mpcd_geometry::Touch;
use rayon::prelude::*;

pub(crate) use self::ample::{Ample, mass};
use self::away::Away;
use self::held::{is_held_apart, only_pushes};
pub(crate) use self::input::AssemblyInput;
use self::input::{Past, size};
use crate::{
    anchors::Anchor,
    convex::Convex,
    deformable::Sides,
    growth::{self, Growths},
    law::{Begin, Cursor, Impact, LawData, LawInput, LawResponse, LawTable, Restitution, SLACK, heirs},
    pressed::Pressed,
    rows::{Works, new_contact},
    together::{PIECE, is_shared, make_room},
    warm::WarmStart,
};

/// Part of the way on which loads close a gap in a step up to which a condition on velocities takes it for closed. What an accepted solve opens is
/// [`mpcd_friction::acceptance::SPEED`] tolerances of that way, 0.3 % with the default tolerance.
const CLOSES: f64 = 1.0 / 32.0;

/// Buffers of the assembly, reused from step to step.
#[derive(Debug, Default)]
pub(crate) struct Assembly {
    /// Detected pairs, sorted by key.
    pub(crate) touches: Vec<Touch>,
    /// What is held of them while they are put away.
    away: Away,
    /// Contacts of the problem between bodies that bonds hold as one, but for those of bonds, and whether they touch.
    pub(crate) within: Vec<(usize, bool)>,
    /// What bonds hold together.
    aggregates: aggregate::Aggregates,
    /// The discrete problem.
    pub(crate) problem: ContactProblem,
    /// Size (m²) of the springs behind each contact of the problem, where what forces leave open is decided.
    pub(crate) sizes: Vec<f64>,
    /// Network index of each contact of the problem.
    pub(crate) active: Vec<usize>,
    /// How bodies that grow in the step move the surfaces of each contact of the network ([`growth::of_pair`]).
    pub(crate) growth: Growths,
    /// Which bodies are half-spaces.
    pub(crate) endless: Vec<bool>,
    /// Bodies of which two touch in one place.
    pub(crate) convex: Convex,
    /// What the laws that remember were given: (network index, input).
    pub(crate) remembering: Vec<(usize, LawInput)>,
    /// Whether a contact of the problem resists turning.
    turns: bool,
    /// Faces that are tried without the moments of their points.
    pub(crate) spread: Vec<rolling::Spread>,
    /// The patches that the pairs make; none where no law asks for them.
    pub(crate) patches: Patches,
    /// Contacts of the problem whose law may want stages, patch by patch.
    pub(crate) staged: Vec<Staged>,
    /// Bonds on faces that hold at the end of the step.
    holding: Vec<Anchor>,
    /// Time (s) from the contact configuration on in which bonds close what is open of them.
    pub(crate) closing: f64,
    /// What rigid bonds may bear in the solve.
    pub(crate) ample: Ample,
    /// Stages in which the problem was solved since it was assembled; 0 where bonds needed none.
    pub(crate) stages: usize,
    /// Contacts of the problem that are struck, what they give back, and the speed at which their surfaces approached [m/s].
    pub(crate) struck: Vec<(usize, Impact, f64)>,
    /// Bonds of the step before that have no contact in this one, and the energy that they stored (J).
    pub(crate) lost: Vec<(ContactKey, f64)>,
    /// Contacts of the problem whose impulse is what a solver left at an open contact; empty where no solver leaves anything.
    pub(crate) left_over: Vec<bool>,
    /// Sums of the shares of the impulses, for the books.
    pub(crate) works: Works,
    /// Velocities of the touches before the step, where several threads find them.
    before: Vec<Vec3>,
    /// What the laws make of the touches, where several threads ask them.
    kinds: Vec<plain::Kind>,
    /// Which contacts lie on deformable bodies.
    pub(crate) sides: Sides,
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

/// Places of the contacts of a problem among those of the network, asked for one after another.
pub(crate) struct Solved<'a> {
    active: &'a [usize],
    /// The first that is not before the place asked for last.
    next: Option<usize>,
}

impl<'a> Solved<'a> {
    pub(crate) const fn of(active: &'a [usize]) -> Self {
        Self { active, next: None }
    }

    /// The contact of the problem at this place of the network, or how many are before it; places must be asked for in rising order.
    #[inline]
    pub(crate) fn at(&mut self, place: usize) -> Result<usize, usize> {
        let mut next = self.next.unwrap_or_else(|| self.active.partition_point(|k| *k < place));
        while self.active.get(next).is_some_and(|k| *k < place) {
            next += 1;
        }
        self.next = Some(next);
        if self.active.get(next) == Some(&place) { Ok(next) } else { Err(next) }
    }
}

/// Time (s) from the contact configuration of a step of `h` (s) on in which bonds close what is open, where it was `last` in the step before, of `last_h`. What steps leave open is of third order in the angle
/// of a step, and closed in each of them at one speed; a step that is much shorter than the one before would close it at once, by an impulse beside which its loads are nothing. So the time is as long as it
/// was, counted from the start of the step, half of which is over in the contact configuration, and gets shorter by half of what goes by; and in that time the speed comes from what it was to what closes. Velocities of θ > ½ are late and tell nothing of that.
fn closing_time((h, theta): (f64, f64), (last, last_h): (f64, f64)) -> f64 {
    if theta > 0.5 { h } else { h.max(last + 0.5 * last_h - h) }
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

/// Part of its moment arms by which growth moves a contact in a step at least: less is the rounding of a size that does not change.
const GROWS: f64 = 64.0 * f64::EPSILON;

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

/// Makes `contact` the one that a law makes of a touch, whatever its response, with the impulse and the moment that it starts from.
#[inline]
fn make_contact(contact: &mut problem::Contact, touch: &Touch, data: &LawData, growth: Vec3, (start, turning): (Vec3, Vec3)) {
    let frame = problem::Frame::from_normal_and_tangent(touch.frame.n, touch.frame.t);
    let bodies = (touch.key.candidate.index(), touch.key.antagonist.index());
    contact.renew(bodies, frame, (touch.arm_candidate, touch.arm_antagonist));
    // Growth closes the gap as a velocity would: u_free,n −= growth (Dubois–Renouf, thermal steps A–D).
    contact.velocity_shift = data.velocity_shift - growth;
    contact.compliance = data.compliance;
    contact.impulse_shift = data.impulse_shift;
    contact.impulse = start;
    if let Some([rolling, spinning]) = data.rolling {
        contact.set_angular(Some(Angular::Resistance { rolling, spinning, about: None }));
        contact.set_moment(turning);
    }
}

/// The part of its patch that the touch at `place` has, by area or length; 1 where no patches were looked for.
pub(crate) fn share_of_patch(patches: &Patches, touches: &[Touch], place: usize) -> f64 {
    if patches.is_empty() {
        return 1.0;
    }
    let points = patches.contacts(patches.patch_of(place));
    if points.len() == 1 {
        return 1.0;
    }
    let size = |k: usize| match touches[k].geometry {
        ContactGeometry::Flat { area } => area,
        ContactGeometry::Line { length, .. } => length,
        point @ ContactGeometry::Point { .. } => point.section(touches[k].least_radius),
    };
    let all: f64 = points.clone().map(size).sum();
    if all > 0.0 { size(place) / all } else { 1.0 / points.len() as f64 }
}

/// A touch of rigid bodies as patches see it.
pub(crate) fn patch_point(touch: &Touch) -> PatchPoint {
    PatchPoint {
        key: touch.key,
        point: touch.point,
        normal: touch.frame.n,
        gap: touch.gap,
        geometry: touch.geometry,
        least_radius: touch.least_radius,
        on_mesh: false,
        bears: false,
        place: 0,
    }
}

/// Where contacts of a problem are made.
fn blank() -> problem::Contact {
    let frame = problem::Frame::from_normal_and_tangent(Vec3::x(), Vec3::y());
    problem::Contact::new(0, 0, frame, Vec3::zeros(), Vec3::zeros())
}

impl Assembly {
    /// An empty problem of the same dimension; what is known of the bodies stays.
    pub(crate) fn drop_caches(&mut self) {
        let dimension = self.problem.dimension;
        let (sides, endless) = (std::mem::take(&mut self.sides), std::mem::take(&mut self.endless));
        let convex = std::mem::take(&mut self.convex);
        *self = Self { sides, endless, convex, ..Self::default() };
        self.problem.dimension = dimension;
    }

    /// How a rigid body that turns leads a contact besides its velocity ([`growth::of_turn`], [`growth::of_bond`]): along the surfaces, and where a bond `holds` material points together along the normal as well: what it holds
    /// has no velocity against each other at the end of the step, and what turns steadily is loaded by that alone. Else
    /// the gap is that of whichever points face each other then, and a round surface goes where its centre of curvature does: a ball that rolls has no other way than its velocity says.
    fn bend(&self, touch: &Touch, holds: impl Fn() -> bool, input: &AssemblyInput<'_>) -> Option<Vec3> {
        let h = input.step.h;
        let rigid = [touch.key.candidate, touch.key.antagonist].map(|body| !self.sides.is_deformable(body));
        let spin = |body: usize| growth::spin(&self.problem.bodies, input.before, body);
        if rigid[0] && rigid[1] {
            return match input.ahead {
                Some(_) => None,
                None if holds() => Some(growth::of_bond(touch, spin, (h, input.step.theta))),
                None => growth::of_sticking(
                    touch,
                    (&self.problem.bodies, input.before),
                    (h, input.last.last_h),
                    &input.last.network.contacts,
                ),
            };
        }
        if !(rigid[0] || rigid[1]) {
            return None;
        }
        let holds = holds();
        let radius = match touch.geometry {
            ContactGeometry::Point { reduced_radius, .. } | ContactGeometry::Line { reduced_radius, .. } if !holds => {
                reduced_radius
            }
            _ => 0.0,
        };
        let bend = growth::of_turn(touch, rigid.map(|rigid| rigid.then_some(radius)), spin, h);
        Some(if holds { bend } else { Vec3::new(0.0, bend.y, bend.z) })
    }

    /// Fills `network` from the detected pairs and the problem with those that can push. Contacts of the last problem are made anew in their places, which keeps the memory of laws of turning.
    pub(crate) fn assemble(&mut self, input: &AssemblyInput<'_>, network: &mut ContactNetwork) {
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
        self.within.clear();
        self.ample.begin();
        self.closing = closing_time((input.step.h, input.step.theta), (input.last.closing, input.last.last_h));
        self.stages = 0;
        self.turns = false;
        network.contacts.clear();
        network.on_meshes.clear();
        self.keep_wanted(input);
        if self.assemble_plain(input, network) {
            self.spread_rolling();
            return;
        }
        let mut warm = WarmStart::new(&input.warm);
        let heirs = heirs(&self.touches, &input.last.memory, (input.now, input.step.h), |t| self.sides.has(t));
        let mut past = Past::new(input, &heirs);
        self.find_patches(input.laws);
        let touches = std::mem::take(&mut self.touches);
        self.aggregates.find(input, &touches, &self.sides);
        self.before.clear();
        if is_shared(touches.len()) {
            let velocity = |touch: &Touch| input.velocity_before(touch, &self.sides);
            touches.par_iter().with_min_len(PIECE).map(velocity).collect_into_vec(&mut self.before);
        }
        network.contacts.clear();
        make_room(&mut network.contacts, touches.len());
        make_room(&mut self.problem.contacts, touches.len());
        self.problem.rounding = 0.0;
        self.problem.growth.clear();
        let mut pressed: Option<Pressed> = None;
        for (k, touch) in touches.iter().enumerate() {
            let Some(index) = input.law_of(touch) else { continue };
            let law = input.laws.law(index);
            let growing = input.target_size.map(|then| {
                let rate = |body: usize| (then[body] - input.now.size[body]) / input.step.h;
                growth::of_pair(touch, rate, input.now, &self.endless)
            });
            let growth = growing.unwrap_or_default();
            let mut law_input = {
                let before = self.before.get(k).copied().unwrap_or_else(|| input.velocity_before(touch, &self.sides));
                let of_touch = (growth.x, self.share(&touches, k), self.aggregates.hold(touch, &input.before.angular_velocity));
                input.law_input(law, (k, touch, before), of_touch, &mut past, &self.sides)
            };
            if law.reach().is_some() && self.convex.are_both(&touch.key) {
                let nearest = self.convex.nearest(&self.patches, &touches, k).unwrap_or(k);
                law_input.beside = self.patches.patch_of(nearest) != self.patches.patch_of(k);
                law_input.nearest = Some(law_input.gap + touches[nearest].gap - touch.gap);
                let gap = touches[nearest].gap;
                let law = law.memory().filter(|law| !law.has(&law_input.memory) && law.is_of_pair(gap));
                law_input.memory = law.and_then(|law| input.of_pair(law, touch)).unwrap_or(law_input.memory);
            }
            let holds = || law_input.as_one || law.memory().is_some_and(|law| law.tally(&law_input.memory).anchored);
            let turning = self.bend(touch, holds, input);
            let u_before = law_input.u_before;
            // What a blow is to a law is the approach of the surfaces, not of the bodies.
            let swelling = |body: usize| input.last.swelling.get(body).copied().unwrap_or_default();
            let grew = (!input.last.swelling.is_empty()).then(|| growth::of_pair(touch, swelling, input.now, &self.endless));
            law_input.u_before -= grew.unwrap_or_default();
            if self.closing > input.step.h && input.ahead.is_none() && holds() {
                let lead = (1.0 - input.step.theta) * input.step.h;
                let gained = growth::gained(touch, |body| input.before.angular_velocity[body], lead);
                (law_input.closing, law_input.closed) = (self.closing, gained - law_input.u_before);
            }
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
            let (start, rolling) = warm.start(touch);
            network.contacts.push(new_contact(touch, index, u_before));
            network.on_meshes.extend(self.sides.points(touch));
            self.growth.push(network.contacts.len() - 1, growing, grew, turning);
            let held = |data: &LawData| {
                if self.sides.has(touch) {
                    return self.sides.is_carried(touch) && only_pushes(data);
                }
                input.cell.is_none() && is_held_apart(touch, data, growth.x, &self.problem.bodies, input.step.h)
            };
            if let Some(mut data) = law.prepare(&law_input).filter(|data| !held(data)) {
                if input.soft != 1.0 && law.yields() {
                    data.compliance /= input.soft;
                }
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
                let grown = input.step.h * growth.x.abs();
                if data.compliance.x == 0.0 && grown > GROWS * (touch.arm_candidate.norm() + touch.arm_antagonist.norm()) {
                    self.problem.growth.push((self.active.len() as u32, growth.x.abs()));
                }
                if law_input.as_one && begin.is_none() {
                    self.within.push((self.active.len(), law_input.gap <= SLACK * law_input.length()));
                }
                self.active.push(k);
                self.sizes.push(size(law, &law_input));
                if let (Some((cell, _)), Some(target)) = (input.cell, &mut self.problem.cell) {
                    target.branches.push(cell.branch(touch));
                }
                let place = self.active.len() - 1;
                if place == self.problem.contacts.len() {
                    self.problem.contacts.push(blank());
                }
                let contact = &mut self.problem.contacts[place];
                make_contact(contact, touch, &data, growth + turning.unwrap_or_default(), (start, rolling));
                self.turns |= contact.angular().is_some();
                self.problem.contacts[place].response = self.response(data.response);
            }
        }
        self.problem.contacts.truncate(self.active.len());
        self.touches = touches;
        self.spread_rolling();
        self.staged.sort_by_key(|s| s.patch);
        self.find_lost(input, network, &heirs);
    }

    /// Bonds that held at the end of the last step and are neither at hand nor go on under another name: where one point inherits several, the nearest alone
    /// goes on. A bond ends with its damage alone, so there should be none.
    fn find_lost(&mut self, input: &AssemblyInput<'_>, network: &ContactNetwork, heirs: &[(usize, usize)]) {
        self.lost.clear();
        let mut contacts = Cursor::new(&network.contacts, |c: &Contact| &c.key);
        for (place, kept) in input.last.memory.iter().enumerate() {
            let goes_on = || heirs.chunk_by(|a, b| a.0 == b.0).any(|of_one| of_one[0].1 == place);
            if contacts.find(&kept.key).is_some() || goes_on() {
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
        let count = if wanted { touches.len() } else { 0 };
        let bodies = |k: usize| (touches[k].key.candidate, touches[k].key.antagonist);
        self.patches.find(count, bodies, |k| {
            let t = &touches[k];
            PatchPoint { on_mesh: sides.has(t), place: sides.place(t), ..patch_point(t) }
        });
    }

    /// The part of its patch of the pair at `place`.
    fn share(&self, touches: &[Touch], place: usize) -> f64 {
        let round = self.convex.round_part(&self.patches, touches, place);
        round.unwrap_or_else(|| share_of_patch(&self.patches, touches, place))
    }

    /// Touches and network stay row by row the same: pairs without a law are none of either, nor those beyond the alert distance that no
    /// law holds on to.
    fn keep_wanted(&mut self, input: &AssemblyInput<'_>) {
        let is_near = |touch: &Touch| input.law_of(touch).is_some() && touch.gap <= input.alert;
        if is_shared(self.touches.len()) && self.touches.par_iter().with_min_len(PIECE).all(is_near) {
            return;
        }
        let mut memories = input.memories();
        // What is under another name now is held on to as under its own.
        let is_far = self.touches.iter().any(|touch| touch.gap > input.alert);
        let memory = if is_far { &input.last.memory[..] } else { &[] };
        let heirs = heirs(&self.touches, memory, (input.now, input.step.h), |t| self.sides.has(t));
        let mut heirs = heirs.chunk_by(|a, b| a.0 == b.0).peekable();
        let sides = &self.sides;
        let mut place = 0;
        self.touches.retain(|touch| {
            let taken = heirs.next_if(|of_one| of_one[0].0 == place).map(|of_one| &input.last.memory[of_one[0].1]);
            place += 1;
            let Some(index) = input.law_of(touch) else { return false };
            if touch.gap <= input.alert {
                return true;
            }
            let law = input.laws.law(index);
            let taken = taken.map(|kept| kept.recall(&touch.frame, 0.0));
            let memory = law.memory().and_then(|_| taken.or_else(|| input.recall(touch, &mut memories)));
            let anchored = law.memory().zip(memory.as_ref()).is_some_and(|(law, memory)| law.tally(memory).anchored);
            anchored
                || law.reach().is_some_and(|law| law.keeps(touch.gap, memory.as_ref(), input.alert))
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
}
