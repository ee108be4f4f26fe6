//! The spread of what forces leave open: one step from where the run stands, computed again from other starting impulses, and the range of every number that
//! follows. Rigid contacts in more than they need to stand share loads in many ways; what depends on that is found by trying. Nothing is left behind.

use std::collections::BTreeMap;

use mpcd_core::ContactKey;
use mpcd_output::{Cell, Spread};

use crate::{error::RunError, history::measures_of_solves, simulation::Simulation};

/// Numbers of modules that say how a step was solved, not what came out.
const OF_SOLVES: [&str; 6] = ["contact_updates", "violation", "force_error", "contacts_late", "pairs_held", "damage_stages"];

impl Simulation {
    /// The range of every number of the history that modules and probes give, and of the normal forces, over solutions of the next step from `samples` starts,
    /// the first of which is the one that the run would take. A start from which the step fails, or misses a tolerance, is counted and left out.
    ///
    /// # Errors
    /// When states cannot be written and read back.
    pub fn spread(&mut self, samples: u32) -> Result<Spread, RunError> {
        let stood = self.save()?;
        let mut out = Spread::default();
        let mut forces: BTreeMap<ContactKey, [f64; 2]> = BTreeMap::new();
        for seed in 0..u64::from(samples) {
            self.vary(seed);
            let stepped = self.step();
            self.vary(0);
            if let Ok(outcome) = &stepped
                && outcome.missed.is_none()
            {
                out.samples += 1;
                let row = self.history_row(outcome);
                let columns = self.history_columns();
                for (name, cell) in columns.into_iter().zip(row).skip(measures_of_solves()) {
                    if let Cell::Real(value) = cell
                        && !value.is_nan()
                        && !OF_SOLVES.contains(&name.as_str())
                    {
                        out.columns.entry(name).or_default().take(value);
                    }
                }
                for contact in self.world().network.iter() {
                    let force = contact.normal_force(outcome.h);
                    let range = forces.entry(contact.key).or_insert([force; 2]);
                    *range = [range[0].min(force), range[1].max(force)];
                }
            } else {
                out.failed += 1;
            }
            self.restore(&stood)?;
        }
        let solved = out.samples;
        // what some solution does not have has no range
        out.columns.retain(|_, range| range.count == solved);
        let largest = forces.values().map(|[_, most]| *most).fold(0.0, f64::max);
        let widest = forces.values().map(|[least, most]| most - least).fold(0.0, f64::max);
        out.force = if largest > 0.0 { widest / largest } else { 0.0 };
        Ok(out)
    }

    /// Lets the modules start their solutions elsewhere, 0 being as ever.
    fn vary(&mut self, seed: u64) {
        self.slots.iter_mut().for_each(|slot| slot.module.vary(seed));
    }
}
