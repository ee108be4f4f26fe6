//! What a step says of itself: its stages, balances, numbers and warnings. Nothing moves here.

use mpcd_core::{Contact, ContactNetwork, Search, Setup, SolveReport, Stage, Status, Step};
use mpcd_friction::{SolveInfo, Status as SolveStatus};

use super::Mechanics;
use crate::{
    books::{BookInput, Leap},
    cell::CellStep,
    law::{Cursor, Restitution, Tally},
    state::ContactState,
    worst,
};

/// How a step came out, beside its states.
pub(crate) struct Outcome<'a> {
    pub(crate) info: &'a SolveInfo,
    /// Kinetic energy given by the change of inertia of growing bodies (J).
    pub(crate) growth_spin: f64,
    pub(crate) cell: Option<&'a CellStep>,
    /// Of an explicit step.
    pub(crate) leap: Option<Leap<'a>>,
    /// Why the step is not done, where its kind of dynamics can tell.
    pub(crate) words: Option<String>,
    /// What did not end, where solves did.
    pub(crate) search: Option<Search>,
    /// Numbers of the kind of dynamics.
    pub(crate) numbers: Vec<(&'static str, f64)>,
}

impl<'a> Outcome<'a> {
    /// That of a solve with which the step was done.
    pub(crate) const fn of(info: &'a SolveInfo, growth_spin: f64) -> Self {
        Self { info, growth_spin, cell: None, leap: None, words: None, search: None, numbers: Vec::new() }
    }
}

impl Mechanics {
    /// The report of a step that came to `next`.
    pub(crate) fn report(
        &self,
        outcome: &Outcome<'_>,
        step: &Step,
        prev: &ContactState,
        next: &ContactState,
        setup: &Setup,
    ) -> SolveReport {
        let Outcome { info, cell, .. } = *outcome;
        let status = match info.status {
            SolveStatus::Converged | SolveStatus::NoContact => Status::Converged,
            SolveStatus::MaxIterations => Status::MaxIterations,
            _ => Status::Stalled,
        };
        let stages = if info.stages.is_empty() {
            vec![Stage { solver: info.solver.to_owned(), iterations: info.iterations as u64, residual: info.error(), status }]
        } else {
            info.stages
                .iter()
                .map(|s| Stage { solver: s.name.to_owned(), iterations: s.iterations as u64, residual: s.error, status })
                .collect()
        };
        let books = BookInput {
            setup,
            step,
            bodies: &self.bodies,
            forces: &self.forces,
            before: &prev.kinematics,
            after: &next.kinematics,
            landed: self.joints.landed(),
            network: &next.network,
            touches: &self.assembly.touches,
            growth_spin: outcome.growth_spin,
            works: &self.assembly.works,
            stored: (prev.stored, next.stored),
            held: self.hold.work,
            joints: &self.joints.works,
            stretched: self.joints.stretched,
            stored_joints: (self.stored_in_joints(prev), self.stored_in_joints(next)),
            turning: &next.turning,
            explicit: outcome.leap,
            deformables: (!self.deformables.is_empty()).then_some(&self.deformables.totals),
            cell: self
                .cell
                .as_ref()
                .zip(cell)
                .map(|(moving, cell)| moving.book(cell, &prev.kinematics.cell, &next.kinematics.cell, step.h)),
        };
        // two passes over bodies and contacts, each with its sums in order
        let (momentum, energy) = rayon::join(|| books.momentum(), || books.energy());
        let warnings = self.energy_warning(&next.network, energy.scale);
        SolveReport {
            status,
            iterations: info.iterations as u64,
            residual: info.error(),
            tolerance: self.settings.tolerance,
            stages,
            worst: if status == Status::Converged {
                String::new()
            } else if let Some(words) = &outcome.words {
                words.clone()
            } else if let (SolveStatus::MaxIterations, Some(words)) = (info.status, self.endless_stages(info)) {
                words
            } else {
                worst::describe(
                    (info, self.settings.tolerance, self.pick),
                    |k| self.assembly.active.get(k).copied().unwrap_or(usize::MAX),
                    &next.network,
                    setup,
                    |body| self.joints.lead(body),
                )
            },
            search: outcome.search,
            balances: vec![momentum, energy],
            numbers: self.counts(outcome, step, prev, next),
            warnings,
            watched: Vec::new(),
            too_long: None,
            phases: Vec::new(),
        }
    }

    /// What is said of a step whose bonds give way in stages without end, each of which was solved: damage rises by what the solves leave.
    fn endless_stages(&self, info: &SolveInfo) -> Option<String> {
        /// More than a step has whose damage comes to an end.
        const MANY: usize = 1_000;
        let (stages, tolerance) = (self.assembly.stages, self.settings.tolerance);
        (stages >= MANY && info.error() <= tolerance).then(|| {
            format!(
                "bonds gave way in {stages} stages and came to no end, though each was solved to {tolerance:e}: what such solves leave is more than their damage may rise by; give `Contact` a `tolerance` of {:e}",
                1e-2 * tolerance
            )
        })
    }

    /// What the memory of each contact amounts to, in the order of the network.
    pub(crate) fn tallies<'a>(&'a self, state: &'a ContactState) -> impl Iterator<Item = Tally> + 'a {
        let mut memory = Cursor::new(&state.memory, |r| &r.key);
        state.network.iter().map(move |contact| {
            let kept = memory.find(&contact.key).zip(self.laws.law(contact.law).memory());
            kept.map_or_else(Tally::default, |(kept, law)| law.tally(&kept.left()))
        })
    }

    /// Energy that the springs of joints hold in a state (J).
    fn stored_in_joints(&self, state: &ContactState) -> f64 {
        self.joints.stored((&state.kinematics, &self.deformables.spots(&state.deformables)), &state.joints)
    }

    /// The numbers of [`Physics::numbers`].
    fn counts(&self, outcome: &Outcome<'_>, step: &Step, prev: &ContactState, next: &ContactState) -> Vec<(&'static str, f64)> {
        let Outcome { info, cell, .. } = *outcome;
        let mut out = vec![
            ("contacts_active", self.assembly.active.len() as f64),
            ("contacts_late", self.nearing.late() as f64),
            ("pairs_held", self.hold.count as f64),
            ("contact_updates", info.contact_updates as f64),
            ("violation", info.violation.map_or(0.0, |v| v.speed)),
            ("force_error", info.violation.map_or(0.0, |v| v.force)),
        ];
        out.extend(&outcome.numbers);
        if self.remembers {
            let (mut bonds, mut damage) = (0.0, 0.0);
            for tally in self.tallies(next).filter(|tally| tally.bonded) {
                bonds += 1.0;
                damage += tally.damage;
            }
            out.push(("bonds", bonds));
            out.push(("bond_damage", if bonds > 0.0 { damage / bonds } else { 0.0 }));
            out.push(("damage_stages", self.assembly.stages as f64));
        }
        let spots = [prev, next].map(|state| self.deformables.spots(&state.deformables));
        let ends = ((&prev.kinematics, &spots[0][..]), (&next.kinematics, &spots[1][..]));
        out.extend(self.joints.numbers(step.h, ends, &next.joints));
        if let (Some(moving), Some(cell)) = (&self.cell, cell) {
            out.extend(moving.numbers(cell, &next.kinematics.cell, step.h));
        }
        out
    }

    /// Newton restitution with friction can create energy (Kane's paradox): said once, the books have the numbers.
    fn energy_warning(&self, network: &ContactNetwork, scale: f64) -> Vec<String> {
        if !self.laws.any(|law| matches!(law.restitution(), Restitution::Velocity)) {
            return Vec::new();
        }
        let gives_back = |law: u16| matches!(self.laws.law(law).restitution(), Restitution::Velocity);
        // Surfaces approach where bodies do faster than these shrink.
        let closes = |(place, c): &(usize, &Contact)| c.u_before.x < self.assembly.growth.before(*place).x && gives_back(c.law);
        let made: f64 = network.iter().enumerate().filter(closes).map(|(_, c)| c.heat_friction + c.heat_impact).sum();
        if made >= -(1e-9 + 10.0 * self.settings.tolerance) * scale {
            return Vec::new();
        }
        vec!["impacts created energy: Newton restitution with friction can (Kane's paradox), and so can unlike coefficients in one step; see w_friction and w_impact in history.csv".to_owned()]
    }
}
