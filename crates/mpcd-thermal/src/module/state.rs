//! What changes from step to step, and the heat that waits until temperatures move. No contacts, no solver.

use mpcd_core::contact_memory::ContactMemory;
use serde::{Deserialize, Serialize};

use super::Thermal;

/// What changes from step to step.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// Temperature of each body over its temperature at the start, then of the nodes of meshes, body after body (K).
    pub(super) rise: Vec<f64>,
    /// Heat that each body was given since temperatures last moved (J); empty where they move in every step.
    pub(super) waiting: Vec<f64>,
    /// The same of held nodes, whose heat goes to what holds them (J).
    pub(super) taken: Vec<f64>,
    /// All that was made since then (J).
    pub(super) made: f64,
    /// Time of heat since then (s), and steps.
    pub(super) since: f64,
    pub(super) skipped: u32,
    /// What laws remember, by contact.
    pub(super) memory: ContactMemory,
}

impl Clone for State {
    fn clone(&self) -> Self {
        Self {
            rise: self.rise.clone(),
            waiting: self.waiting.clone(),
            taken: self.taken.clone(),
            made: self.made,
            since: self.since,
            skipped: self.skipped,
            memory: self.memory.clone(),
        }
    }
    fn clone_from(&mut self, other: &Self) {
        self.rise.clone_from(&other.rise);
        self.waiting.clone_from(&other.waiting);
        self.taken.clone_from(&other.taken);
        self.memory.clone_from(&other.memory);
        (self.made, self.since, self.skipped) = (other.made, other.since, other.skipped);
    }
}

impl Thermal {
    /// Keeps what the step gives to bodies, `made` (J) in all, for the next step of temperatures.
    pub(super) fn wait(&self, prev: &State, next: &mut State, (h, made): (f64, f64), whole: bool) {
        next.waiting.resize(self.network.source.len(), 0.0);
        next.waiting.iter_mut().zip(&self.network.source).for_each(|(waits, power)| *waits += power * h);
        next.taken.clone_from(&self.taken);
        (next.made, next.since) = (prev.made + made, prev.since + h);
        next.skipped = prev.skipped + u32::from(whole);
    }

    /// Adds what waited to the sources, which act over all of the time since.
    pub(super) fn collect(&mut self, prev: &State, next: &mut State, h: f64) {
        let moved = prev.since + h;
        if prev.since > 0.0 {
            let given = self.network.source.iter_mut().zip(&prev.waiting);
            given.for_each(|(power, waits)| *power = (*power * h + waits) / moved);
        }
        next.waiting.clear();
        next.taken.clear();
        (next.made, next.since, next.skipped) = (0.0, 0.0, 0);
    }
}
