//! The θ-scheme of Moreau and Jean: rigid and deformable bodies, cells, joints and growth in one step, which is to be read on one screen. What may not
//! live here: laws, the equations of motion of one body (`crate::motion`, `crate::deformable`), the way to the problem (`crate::assemble`).

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use mpcd_core::{BodyId, ContactKey, ContactNetwork, GroupId, Inputs, Kinematics, Setup, SolveReport, Step, Vec3};
use mpcd_friction::{SolveInfo, problem::Motion};
use mpcd_geometry::Touch;

use super::{
    Dynamics, Mechanics, Outcome,
    blows::{self, Blow},
};
use crate::{
    anchors,
    assemble::{Assembly, AssemblyInput},
    cell::{Cell, CellStep},
    deformable::{Bonded, FreeStrain, Holding, Seat, Spot},
    error::ContactError,
    hold::Found,
    joint,
    law::{Cursor, LawTable, Remembered, Remembers},
    motion::{Given, check_finite, correct, grow, new_sizes, predict, take_velocities},
    phases, pinched,
    shares::{self, Pick},
    state::ContactState,
    warm::Warm,
};

/// Contacts from which on memory is given back within a step: 3 MB of pairs. Beyond some 170,000 the system has to clear it each time, which costs up to
/// 7 % of a settled step (measured on a busy machine).
const LARGE: usize = 16_384;

/// What is known before contacts are.
struct FreeMotion<'a> {
    /// Size factors that the bodies shall have at the end of the step; `None` when nothing grows.
    sizes: Option<&'a [f64]>,
    cell: Option<CellStep>,
    /// By how much a moving cell brings its sides together (m).
    closing: f64,
}

/// The scheme; what it works on is all in [`Mechanics`].
#[derive(Debug)]
pub(crate) struct Moreau;

impl Dynamics for Moreau {
    fn step(
        &mut self,
        m: &mut Mechanics,
        step: &Step,
        (prev, next): (&ContactState, &mut ContactState),
        inputs: &Inputs<'_>,
    ) -> Result<SolveReport, ContactError> {
        let setup = inputs.setup;
        let free = m.free_motion(step, prev, next, inputs)?;
        let started = Instant::now();
        let alert = m.look_for_contacts(step, prev, next, (&free, setup))?;
        let detection = started.elapsed();
        let (info, solution) = m.find_impulses(step, prev, next, (&free, alert, setup))?;
        let (cell, growth_spin, blow) = m.take_solution(step, prev, next, (free, setup))?;
        let info = match blow {
            Some(blow) => blow.reported(info),
            None => info,
        };
        m.count_swings(step, prev, next, setup);
        let outcome = Outcome { cell: cell.as_ref(), ..Outcome::of(&info, growth_spin) };
        let mut report = m.report(&outcome, step, prev, next, setup);
        report.phases = vec![("detection", detection), ("solution", solution)];
        if !m.deformables.is_empty() {
            report.phases.extend(m.deformables.took.phases());
        }
        (report.watched, report.too_long) = m.watched(step, prev, next, setup, (&report.balances, info.violation))?;
        Ok(report)
    }

    fn columns(&self) -> &'static [&'static str] {
        &[]
    }

    fn drop_caches(&mut self) {}
}

impl Mechanics {
    /// Loads, free velocities, and the bodies where contact is looked for.
    fn free_motion<'a>(
        &mut self,
        step: &Step,
        prev: &ContactState,
        next: &mut ContactState,
        inputs: &Inputs<'a>,
    ) -> Result<FreeMotion<'a>, ContactError> {
        let setup = inputs.setup;
        let sizes = new_sizes(inputs, step)?;
        self.forces.evaluate(&self.loads, step, setup, Given::read(inputs)?)?;
        self.joints.refuse_drives(step, &prev.joints, setup)?;
        let nodes = &mut self.assembly.problem.bodies;
        predict(&self.bodies, &self.loads, &self.forces, &setup.gravity, step, &prev.kinematics, &mut next.kinematics, nodes);
        let cell = match &self.cell {
            Some(cell) => Some(cell.predict(step, &prev.kinematics, &mut next.kinematics, &mut self.assembly.problem)?),
            None => None,
        };
        if cell.is_some() {
            self.detector.set_periods(next.kinematics.cell.lengths)?;
        }
        self.free_spin.clear();
        self.free_spin.extend(self.assembly.problem.bodies.iter().map(|n| n.angular_velocity));
        self.deformables.refuse_growth(sizes, setup, step)?;
        self.deformables.begin(
            step,
            &prev.deformables,
            &self.forces,
            FreeStrain::read(inputs, self.deformables.have_several())?,
        )?;
        let closing = self.cell.as_ref().map_or(0.0, |cell| step.h * cell.closing(&prev.kinematics.cell));
        Ok(FreeMotion { sizes, cell, closing })
    }

    /// All pairs up to the alert distance (m), which is returned.
    fn look_for_contacts(
        &mut self,
        step: &Step,
        prev: &ContactState,
        next: &mut ContactState,
        (free, setup): (&FreeMotion<'_>, &Setup),
    ) -> Result<f64, ContactError> {
        let alert = self.alert.first(&prev.kinematics, &self.assembly.problem.bodies, free.sizes, step.h) + free.closing;
        let alert = self.deformables.alert(alert, &prev.deformables, step.h);
        let sieves = self.detector.is_simple() && self.can_set_aside(prev, &next.kinematics, free.sizes);
        let looked = (self.looked(alert), step.h, sieves);
        self.hold.clear();
        if self.joints.together().follow(&prev.joints) {
            self.detector.drop_caches();
        }
        self.detect(&next.kinematics, looked, prev, setup)?;
        if self.hold_back(&prev.kinematics.position, Found::After, &mut next.kinematics, setup, &prev.network) {
            self.detect(&next.kinematics, looked, prev, setup)?;
        }
        self.deformables.pin(self.joints.pinned(&prev.joints, &self.bodies));
        self.detect_skins(&next.kinematics, (prev, step.h), self.looked(alert), setup)?;
        self.started = self.bonds_at_start(prev, (self.looked(alert), step.h * (1.0 - step.theta)), setup)?;
        let place = self.place(setup, &next.kinematics);
        anchors::carry(anchors::at_hand(&prev.anchors, &self.started), &place, &mut self.assembly.touches);
        Ok(alert)
    }

    /// The pairs up to the gap `alert` (m); where the detector `sieves`, those set aside that cannot come to push in `h`.
    fn detect(
        &mut self,
        now: &Kinematics,
        (alert, h, sieves): (f64, f64, bool),
        prev: &ContactState,
        setup: &Setup,
    ) -> Result<(), ContactError> {
        self.nearing.clear();
        if !sieves {
            return Ok(self.detector.detect(now, alert, &mut self.assembly.touches)?);
        }
        self.detector.prepare(now, alert)?;
        let holds = stays((&self.laws, &setup.bodies.group), &prev.memory, self.alert.asked);
        let (touches, nodes) = (&mut self.assembly.touches, &self.assembly.problem.bodies);
        self.nearing.sieve((&mut self.detector, now, alert), touches, nodes, (self.alert.margin, h), holds);
        Ok(())
    }

    /// The impulses, and the time that they took: again with the pairs that they bring together and that were not foreseen.
    fn find_impulses(
        &mut self,
        step: &Step,
        prev: &ContactState,
        next: &mut ContactState,
        (free, alert, setup): (&FreeMotion<'_>, f64, &Setup),
    ) -> Result<(SolveInfo, Duration), ContactError> {
        let (laws, moving) = (Arc::clone(&self.laws), self.cell.clone());
        let started = std::mem::take(&mut self.started);
        let mut assembly = AssemblyInput {
            step,
            groups: &setup.bodies.group,
            laws: &laws,
            before: &prev.kinematics,
            now: &next.kinematics,
            target_size: free.sizes,
            thickness: &setup.bodies.thickness,
            ahead: None,
            soft: 1.0,
            last: prev,
            warm: if self.warm_start || self.seed != 0 { Warm::of_step(prev, step.h).varied(self.seed) } else { Warm::default() },
            alert,
            cell: moving.as_deref().zip(free.cell.as_ref()),
            place: self.place(setup, &next.kinematics),
            started: &started,
        };
        self.set_far_aside(&assembly);
        self.let_pass(&assembly);
        // Before joints add the ground to the nodes.
        self.nearing.remember_free(&self.assembly.problem);
        self.assemble(&assembly, &mut next.network);
        let started = Instant::now();
        let wants = self.pick != Pick::Any;
        let mut begun = if wants { self.assembly.problem.motion() } else { Motion::default() };
        let cell = free.cell.as_ref();
        let mut info = self.solve_in_room(step, prev, next, cell, setup)?;
        let mut looked = alert;
        while self.foresees_more(&mut assembly, free.closing)?
            || self.skins_foresee_more(&mut assembly, (free.closing, &mut looked), setup)?
        {
            self.assemble(&assembly, &mut next.network);
            self.nearing.start_from_last(&mut self.assembly);
            if wants {
                begun = self.assembly.problem.motion();
            }
            info = phases::joined(&[info], self.solve_in_room(step, prev, next, cell, setup)?);
        }
        let info = shares::of_all(&mut self.assembly, &laws, self.pick, &self.settings, (&begun, info))?;
        self.assembly.look_for_left_over(&info);
        Ok((info, started.elapsed()))
    }

    /// Velocities, memories and places that follow from the impulses; what the cell did, the energy that growth gave to turning bodies (J), and what blows of joints took to solve.
    fn take_solution(
        &mut self,
        step: &Step,
        prev: &ContactState,
        next: &mut ContactState,
        (FreeMotion { sizes, mut cell, .. }, setup): (FreeMotion<'_>, &Setup),
    ) -> Result<(Option<CellStep>, f64, Option<Blow>), ContactError> {
        if let (Some(moving), Some(cell)) = (&self.cell, &mut cell) {
            moving.take_solution(&self.assembly.problem, cell, &mut next.kinematics.cell);
        }
        let nodes = &self.assembly.problem.bodies;
        take_velocities(
            &self.bodies,
            step,
            (&self.free_spin, &self.forces.torque),
            nodes,
            &prev.kinematics,
            &mut next.kinematics,
        );
        self.deformables.finish((&mut next.deformables, &mut next.nodal), &mut next.kinematics)?;
        check_finite(&next.kinematics.velocity, &next.kinematics.angular_velocity, setup, step)?;
        let before = &prev.kinematics;
        let (spots, after) = (self.deformables.spots(&prev.deformables), self.deformables.spots(&next.deformables));
        let (bodies, free_spin) = (&self.bodies, &self.free_spin);
        let stage =
            joint::Stage { bodies, step, before, now: before, free_spin, torque: &self.forces.torque, spots: &spots, seats: &[] };
        let grew = (&prev.swelling[..], prev.last_h);
        self.joints.take_solution(&self.assembly.problem, (&stage, grew), (&next.kinematics, &after), &mut next.joints);
        self.assembly.take_solution(&prev.kinematics, &self.laws, next, None, self.cell.as_deref().zip(cell.as_ref()));
        let works = &self.assembly.works;
        next.keep_energy(prev, works.stored, (works.restrung, works.viscous));
        if self.cell.is_some() {
            Cell::correct(step, &mut next.kinematics);
        }
        let mut centres = std::mem::take(&mut self.centres);
        centres.clone_from(&next.kinematics.position);
        correct(&self.bodies, step, &prev.kinematics, &mut next.kinematics);
        self.hold_back(&centres, Found::Before, &mut next.kinematics, setup, &ContactNetwork::default());
        self.centres = centres;
        let (bodies, free_spin) = (&self.bodies, &self.free_spin);
        let stage =
            joint::Stage { bodies, step, before, now: before, free_spin, torque: &self.forces.torque, spots: &spots, seats: &[] };
        let sides = std::mem::take(&mut self.assembly.sides);
        let meshes = (&mut self.deformables, &sides);
        let (assembly, solver, settings) = (&mut self.assembly, &mut *self.solver, &self.settings);
        let blows = |at_end: &mut joint::AtEnd<'_>| Ok(blows::pass_on(assembly, (solver, settings), at_end)?);
        let ends = (&mut next.kinematics, &mut next.deformables[..]);
        let blow = self.joints.project((&stage, grew), ends, meshes, &mut next.joints, blows)?;
        self.assembly.sides = sides;
        if let (Some(blow), Some(landed)) = (&blow, self.joints.landed()) {
            blow.book(&self.assembly, &self.laws, landed, next);
        }
        self.deformables.sum_up(step.h, &prev.deformables, &next.deformables)?;
        let ends = ((before, &spots[..]), (&next.kinematics, &after[..]));
        self.joints.finish(step.h, ends, &prev.joints, &mut next.joints);
        self.part(next, setup);
        next.swelling.clear();
        let grown = sizes.into_iter().flat_map(|then| then.iter().zip(&next.kinematics.size));
        next.swelling.extend(grown.map(|(then, now)| (then - now) / step.h));
        // Springs are longer at once by what their bodies grow.
        let stored = |joints: &joint::Joints, next: &ContactState| joints.stored((&next.kinematics, &after), &next.joints);
        let before = sizes.map_or(0.0, |_| stored(&self.joints, next));
        let growth_spin = sizes.map_or(0.0, |s| grow(&self.bodies, s, &mut next.kinematics));
        self.joints.stretched = sizes.map_or(0.0, |_| stored(&self.joints, next) - before);
        next.last_h = step.h;
        next.closing = self.assembly.closing;
        Ok((cell, growth_spin, blow))
    }

    /// The problem of the pairs at hand and of the joints.
    fn assemble(&mut self, input: &AssemblyInput<'_>, network: &mut ContactNetwork) {
        self.assembly.assemble(input, network);
        network.reach = self.alert.reach();
        let (step, last) = (input.step, input.last);
        let warm = (self.warm_start && last.last_h > 0.0).then(|| step.h / last.last_h);
        let spots = self.deformables.spots(&last.deformables);
        let (bodies, before, now, free_spin) = (&self.bodies, input.before, input.now, &self.free_spin);
        let stage = joint::Stage { bodies, step, before, now, free_spin, torque: &self.forces.torque, spots: &spots, seats: &[] };
        self.joints.append(&mut self.assembly.problem, &stage, &last.joints, warm);
        if let Some(observer) = &self.observer {
            observer.look(step, &self.assembly.problem, !self.assembly.struck.is_empty());
        }
    }

    /// Whether the solution brings pairs together that were not in its problem: set aside, or beyond the alert distance because the
    /// impulses make bodies faster than they were foreseen to be. They are in the next one.
    fn foresees_more(&mut self, input: &mut AssemblyInput<'_>, closing: f64) -> Result<bool, ContactError> {
        let nodes = &self.assembly.problem.bodies;
        let reach = self.alert.distance(input.before, nodes, input.target_size, input.step.h) + closing;
        if reach > input.alert && reach.is_finite() {
            self.look_wider(input, reach)?;
        }
        let friction =
            |key: &ContactKey| input.law_of_pair(key.candidate, key.antagonist).map_or(0.0, |law| input.laws.law(law).friction());
        let detector = &mut self.detector;
        let again = |key: &ContactKey, touches: &mut Vec<Touch>| detector.touch_of(input.now, key, |touch| touches.push(touch));
        Ok(self.nearing.take_back(&mut self.assembly, input.step.h, friction, again))
    }

    /// Has the pairs of rigid bodies up to the gap `reach` (m) wait.
    fn look_wider(&mut self, input: &mut AssemblyInput<'_>, reach: f64) -> Result<(), ContactError> {
        let looked = self.looked(reach);
        if self.nearing.finds_again() {
            self.detector.prepare(input.now, looked)?;
            self.nearing.wait_for_far((&mut self.detector, input.now, looked), &self.assembly.touches);
        } else {
            self.detector.detect(input.now, looked, &mut self.nearing.wider)?;
            anchors::carry(anchors::at_hand(&input.last.anchors, input.started), &input.place, &mut self.nearing.wider);
            self.nearing.wait_for_wider(&self.assembly.touches);
        }
        input.alert = reach;
        Ok(())
    }

    /// The same of meshes, with rigid bodies, each other and themselves: loads and impulses may move nodes farther than their velocities before the step
    /// said. `looked` is the gap (m) up to which skins have been looked at. What was known of them is found anew: it may lie elsewhere among more.
    fn skins_foresee_more(
        &mut self,
        input: &mut AssemblyInput<'_>,
        (closing, looked): (f64, &mut f64),
        setup: &Setup,
    ) -> Result<bool, ContactError> {
        if self.deformables.is_empty() {
            return Ok(false);
        }
        let h = input.step.h;
        let rigid = self.alert.distance(input.before, &self.assembly.problem.bodies, input.target_size, h) + closing;
        let reach = rigid + self.deformables.way(h);
        if !(reach > *looked && reach.is_finite()) {
            return Ok(false);
        }
        *looked = reach;
        self.nearing.remember_impulses(&self.assembly);
        let (known, barred) = (self.assembly.sides.exchange(Vec::new()), self.deformables.barred);
        let mut touches = std::mem::take(&mut self.assembly.touches);
        self.detect_skins(input.now, (input.last, h), self.looked(reach), setup)?;
        let mut found = std::mem::take(&mut self.assembly.touches);
        let is_new = |touch: &&Touch| known.binary_search_by_key(&touch.key, |t| t.touch.key).is_err();
        let (sides, nodes) = (&self.assembly.sides, &self.assembly.problem.bodies);
        let meets = |touch: &&Touch| {
            let friction =
                input.law_of_pair(touch.key.candidate, touch.key.antagonist).map_or(0.0, |law| input.laws.law(law).friction());
            let u = self.deformables.approach(sides, nodes, touch);
            touch.gap + h * (u.x - friction * u.y.hypot(u.z)) < 0.0
        };
        let late = found.iter().filter(is_new).filter(meets).count();
        if late == 0 {
            self.assembly.sides.exchange(known);
            self.assembly.touches = touches;
            self.deformables.barred = barred;
            return Ok(false);
        }
        anchors::carry(anchors::at_hand(&input.last.anchors, input.started), &input.place, &mut found);
        touches.retain(|t| !self.assembly.sides.has(t));
        touches.append(&mut found);
        touches.sort_unstable_by_key(|t| t.key);
        self.assembly.touches = touches;
        self.nearing.go_back(&mut self.assembly, late);
        self.look_wider(input, reach)?;
        Ok(true)
    }

    /// Solves the assembled problem. A large one has the room that pairs take while nobody asks for them, and gives back its own.
    fn solve_in_room(
        &mut self,
        step: &Step,
        prev: &ContactState,
        next: &ContactState,
        cell: Option<&CellStep>,
        setup: &Setup,
    ) -> Result<SolveInfo, ContactError> {
        if next.network.len() < LARGE || !self.deformables.is_empty() {
            return self.solve(step, prev, &next.kinematics, cell, setup);
        }
        self.assembly.put_away();
        let info = self.solve(step, prev, &next.kinematics, cell, setup);
        self.solver.release();
        self.assembly.bring_back(&next.network);
        info
    }

    /// Solves the assembled problem; with deformable bodies around them, until their motions and the impulses agree.
    fn solve(
        &mut self,
        step: &Step,
        prev: &ContactState,
        now: &Kinematics,
        cell: Option<&CellStep>,
        setup: &Setup,
    ) -> Result<SolveInfo, ContactError> {
        if self.deformables.is_empty() {
            return self.solve_linearised(step, prev, now, (cell, &[], &[]), setup);
        }
        let free = self.assembly.problem.bodies.clone();
        let ties = self.joints.ties(&self.assembly.problem);
        let spots = self.deformables.spots(&prev.deformables);
        let mut earlier = Vec::new();
        loop {
            self.deformables.linearise()?;
            let Assembly { problem, active, touches, sides, .. } = &mut self.assembly;
            let seats = self.deformables.condense(problem, (active, touches), (sides, &ties))?;
            let started = Instant::now();
            let info = self.solve_linearised(step, prev, now, (cell, &spots, &seats), setup)?;
            self.deformables.took.contact += started.elapsed();
            let Assembly { problem, active, touches, sides, .. } = &mut self.assembly;
            if self.deformables.correct(problem, (active, touches), (sides, &ties))? {
                return Ok(phases::joined(&earlier, info));
            }
            problem.bodies.clone_from(&free);
            earlier.push(info);
        }
    }

    /// Solves the assembled problem as it is.
    fn solve_linearised(
        &mut self,
        step: &Step,
        prev: &ContactState,
        now: &Kinematics,
        (cell, spots, seats): (Option<&CellStep>, &[Spot], &[Seat]),
        setup: &Setup,
    ) -> Result<SolveInfo, ContactError> {
        let (assembly, solver) = (&mut self.assembly, &mut *self.solver);
        let settings = &shares::asked(self.pick, &self.settings);
        let mut info = if self.joints.is_empty() {
            phases::solve(assembly, &self.laws, &prev.kinematics, cell, solver, settings)?
        } else {
            let (bodies, before, free_spin) = (&self.bodies, &prev.kinematics, &self.free_spin);
            let stage = joint::Stage { bodies, step, before, now, free_spin, torque: &self.forces.torque, spots, seats };
            let info = joint::solve(&mut self.joints, assembly, &self.laws, cell, solver, settings, &stage)?;
            self.joints.refuse_unmoved(&assembly.problem, &stage, setup)?;
            info
        };
        shares::enough(self.pick, &mut info, &self.settings);
        if let Some(proof) = &info.no_motion {
            return Err(ContactError::NoMotion { words: pinched::describe(proof, &self.assembly, setup) });
        }
        Ok(info)
    }

    /// Adds the contacts of deformable bodies to those at hand; `moving` has the velocities at the start of the step, and its length (s).
    fn detect_skins(
        &mut self,
        now: &Kinematics,
        (last, h): (&ContactState, f64),
        alert: f64,
        setup: &Setup,
    ) -> Result<(), ContactError> {
        if self.deformables.is_empty() {
            return Ok(());
        }
        let moving = (&last.kinematics, h);
        let (group, laws) = (&setup.bodies.group, &self.laws);
        let apart = |a: BodyId, b: BodyId| !self.joints.together().has(a, b);
        let law = |a: BodyId, b: BodyId| laws.between(group[a.index()], group[b.index()]).map(|law| laws.law(law));
        let wanted = |a: BodyId, b: BodyId| law(a, b).is_some() && apart(a, b);
        let holds = |a: BodyId, b: BodyId| match law(a, b) {
            Some(law) if law.yields() => Holding::Spring,
            Some(law) if law.memory().is_some_and(Remembers::bonds) => Holding::Bond,
            _ => Holding::Nothing,
        };
        let Assembly { sides, touches, .. } = &mut self.assembly;
        let bonded = Bonded { bonds: &last.mesh_anchors, states: &last.deformables, network: &last.network };
        Ok(self.deformables.detect(
            &mut self.detector,
            (now, moving, alert),
            (&wanted, &holds),
            (&self.bodies, bonded),
            sides,
            touches,
        )?)
    }

    /// What a moving cell or growth does to a gap is not foreseen by the velocities of two bodies; nor is what is bonded when the run begins.
    fn can_set_aside(&self, last: &ContactState, now: &Kinematics, target_size: Option<&[f64]>) -> bool {
        let bonds = last.last_h == 0.0 && self.laws.any(|law| law.memory().is_some_and(Remembers::bonds));
        self.cell.is_none() && !bonds && !target_size.is_some_and(|target| *target != now.size)
    }

    /// Sets pairs aside that cannot come to push within the step, where detection did not. Those nearer than what is asked for stay, and all where bodies
    /// grow.
    fn set_far_aside(&mut self, input: &AssemblyInput<'_>) {
        if self.nearing.finds_again() || !self.can_set_aside(input.last, input.now, input.target_size) {
            return;
        }
        let sides = std::mem::take(&mut self.assembly.sides);
        let mut stays = stays((input.laws, input.groups), &input.last.memory, self.alert.asked);
        let holds = |touch: &Touch| sides.has(touch) || stays(&touch.key, touch.gap);
        self.nearing.set_aside(
            &mut self.assembly.touches,
            &self.assembly.problem.bodies,
            (self.alert.margin, input.step.h),
            holds,
        );
        self.assembly.sides = sides;
    }

    /// Gives sharp bodies that pass each other the plane that parts them longest; in a moving cell, or where bodies grow, ways are not those of the bodies alone.
    fn let_pass(&mut self, input: &AssemblyInput<'_>) {
        if self.detector.is_simple() || !self.can_set_aside(input.last, input.now, input.target_size) {
            return;
        }
        let sides = std::mem::take(&mut self.assembly.sides);
        let mut stays = stays((input.laws, input.groups), &input.last.memory, self.alert.asked);
        let holds = |touch: &Touch| sides.has(touch) || stays(&touch.key, touch.gap);
        let Self { passing, detector, assembly, .. } = self;
        passing.turn(&mut assembly.touches, &assembly.problem.bodies, (detector, input.now, input.step.h), holds);
        self.assembly.sides = sides;
    }

    /// Holds fast bodies back on their way from `start` at what they touch first. Their contacts at one end of it are at hand; those of
    /// `last` have acted on the velocities with which they go.
    fn hold_back(&mut self, start: &[Vec3], found: Found, end: &mut Kinematics, setup: &Setup, last: &ContactNetwork) -> bool {
        // The way in a moving cell is not that of the body alone.
        if self.cell.is_some() || !self.hold.is_fast(start, end) {
            return false;
        }
        let Self { hold, detector, assembly, nearing, laws, bodies, .. } = self;
        let sides = &assembly.sides;
        let group = |body: BodyId| setup.bodies.group[body.index()];
        let rigid =
            |key: &ContactKey| laws.between(group(key.candidate), group(key.antagonist)).is_some_and(|l| !laws.law(l).yields());
        let (waiting, far) = nearing.waiting();
        let touches = assembly.touches.iter().chain(waiting).filter(|t| !sides.has(t)).map(|t| (t.key, t.gap, t.frame.n));
        let touches = touches.chain(far.iter().map(|f| (f.key, f.gap, f.normal))).filter(|(key, ..)| rigid(key));
        let acted = |pair: [BodyId; 2], normal: &Vec3| {
            let of_pair = |c: &&mpcd_core::Contact| [c.key.candidate, c.key.antagonist] == pair;
            last.iter().filter(of_pair).any(|c| c.r.x > 0.0 && c.frame.n.dot(normal) > crate::first_touch::SAME)
        };
        hold.hold(detector, touches, found, (start, end), (&bodies[..], &setup.gravity), acted)
    }
}

/// Names pairs that stay at hand however slow they are, by key and gap (m), asked by rising key: nearer than what the model asks for (m), remembered (by
/// whichever name: the point may take over the memory of another of its pair), or within the reach of their law.
fn stays<'a>(
    (laws, groups): (&'a LawTable, &'a [GroupId]),
    memory: &'a [Remembered],
    asked: Option<f64>,
) -> impl FnMut(&ContactKey, f64) -> bool + 'a {
    let mut memories = Cursor::new(memory, |r| &r.key);
    let asked = asked.unwrap_or(f64::NEG_INFINITY);
    move |key, gap| {
        let law = || laws.between(groups[key.candidate.index()], groups[key.antagonist.index()]);
        gap <= asked
            || law().is_some_and(|law| {
                let law = laws.law(law);
                let remembered = law.memory().is_some() && (memories.find(key).is_some() || has_pair(memory, key));
                remembered || law.reach().is_some_and(|law| law.meets_at_range() || gap <= law.range(None))
            })
    }
}

/// Whether anything is remembered of the two bodies of a contact.
fn has_pair(memory: &[Remembered], key: &ContactKey) -> bool {
    let pair = |key: &ContactKey| (key.candidate, key.antagonist);
    memory.binary_search_by_key(&pair(key), |r| pair(&r.key)).is_ok()
}
