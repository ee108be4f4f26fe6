//! The columns of `history.csv` and their values after a step.

use mpcd_core::{Book, MeshQuantity, MeshView};
use mpcd_output::Cell;

use crate::{probes::Probe, simulation::Simulation, step::StepOutcome};

/// Columns that every history has, in this order.
const FIXED: [&str; 21] = [
    "step",
    "time",
    "h",
    "contacts",
    "iterations",
    "residual",
    "status",
    "e_kinetic",
    "e_strain",
    "e_potential",
    "w_external",
    "w_friction",
    "w_impact",
    "book_momentum",
    "book_energy",
    "book_charge",
    "book_electricity",
    "book_heat",
    "book_fluid",
    "penetration_max",
    "penetration_mean",
];

/// How many columns come first that say how a step was solved, or add up since the start.
pub(crate) const fn measures_of_solves() -> usize {
    FIXED.len()
}

impl Simulation {
    /// Names of the columns: fixed ones, the coupling's, the modules' numbers, the model's probes.
    ///
    /// `w_…` are inflows of the energy book since the start: work done on the bodies, negative where it takes energy out.
    #[must_use]
    pub fn history_columns(&self) -> Vec<String> {
        let mut out: Vec<String> = FIXED.map(str::to_owned).to_vec();
        if self.cycle.is_some() {
            out.extend(["coupling_iterations", "coupling_residual"].map(str::to_owned));
        }
        let mut add = |owner: &str, name: &str| {
            let unique = if out.iter().any(|o| o == name) { format!("{owner}.{name}") } else { name.to_owned() };
            out.push(unique);
        };
        for slot in &self.slots {
            for name in slot.module.numbers() {
                add(slot.module.name(), name);
            }
        }
        for probe in &self.probes {
            add("probe", &probe.name);
        }
        out
    }

    /// The meshes with what the probes look at; none where they look at none.
    fn meshes_for_probes(&self) -> Vec<MeshView> {
        let wanted: Vec<MeshQuantity> = self.probes.iter().filter_map(Probe::quantity).collect();
        if self.probes.iter().any(Probe::looks_at_meshes) { self.meshes_with(&wanted) } else { Vec::new() }
    }

    /// The row of the step that just ended.
    #[must_use]
    pub fn history_row(&self, outcome: &StepOutcome) -> Vec<Cell> {
        let mut row: Vec<Cell> = vec![
            outcome.step.into(),
            outcome.time.into(),
            outcome.h.into(),
            outcome.contacts.into(),
            outcome.iterations.into(),
            outcome.residual.into(),
            outcome.status.name().into(),
        ];
        let energy = self.books.account(Book::Energy);
        row.extend(["kinetic", "strain", "potential"].map(|n| Cell::from(energy.and_then(|e| e.store(n)).map(|v| v.x))));
        row.extend(["external", "friction", "impact"].map(|n| Cell::from(energy.and_then(|e| e.flow(n)).map(|v| v.x))));
        row.extend(Book::ALL.map(|b| Cell::from(self.books.account(b).map(crate::books::Account::shown))));
        row.extend([Cell::from(outcome.penetration_max), Cell::from(outcome.penetration_mean)]);
        if self.cycle.is_some() {
            let (iterations, residual) = outcome.coupling.unwrap_or_default();
            row.extend([Cell::from(u64::from(iterations)), Cell::from(residual)]);
        }
        for (slot, (_, numbers)) in self.slots.iter().zip(&outcome.numbers) {
            let value = |name: &str| numbers.iter().find(|(n, _)| *n == name).map(|(_, v)| *v);
            row.extend(slot.module.numbers().into_iter().map(|n| Cell::from(value(n))));
        }
        let meshes = self.meshes_for_probes();
        let view = self.view(outcome.h, &meshes);
        row.extend(self.probes.iter().map(|p| Cell::from(p.value(&view, &outcome.numbers))));
        row
    }
}
