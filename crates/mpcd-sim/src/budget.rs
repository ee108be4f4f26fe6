//! Memory and disk before they are taken: what a body needs at least, what a run will write, and what this machine has free.

use crate::{runner::Cadence, simulation::Simulation};

/// Memory that one body takes at the very least (bytes): its row in every column, its shape, and its place while it is read. Measured: 1.6 million discs
/// take 1,400 each with `Contact` alone and 1,560 with current and heat before the first step, which takes a second state besides.
pub(crate) const BODY: u64 = 2000;

/// Fewest bodies for which the machine is asked.
const MANY: usize = 100_000;

/// Memory of this machine that a process may still take (bytes); `None` where the system does not tell.
#[must_use]
pub fn free_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.saturating_mul(1024))
}

/// Refuses a number of bodies that cannot be kept in memory.
pub(crate) fn bodies(number: usize) -> Result<(), String> {
    let need = (number as u64).saturating_mul(BODY);
    match free_memory().filter(|free| number > MANY && need > *free) {
        None => Ok(()),
        Some(free) => Err(format!(
            "{number} bodies need {} of memory or more, but {} are free; make the region smaller, the bodies larger, or give `count`",
            amount(need),
            amount(free)
        )),
    }
}

/// What a run will write.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Written {
    /// Frames.
    pub frames: u64,
    /// Rows of the history.
    pub rows: u64,
    /// All files (bytes), roughly.
    pub bytes: f64,
}

/// More than this is worth a warning: bytes, frames.
const MUCH: (f64, u64) = (1e11, 1_000_000);

impl Written {
    /// Of the whole run, from what a frame holds now and as many contacts as a dense packing has.
    #[allow(clippy::cast_precision_loss, reason = "an estimate")]
    pub(crate) fn of(simulation: &Simulation, contacts: usize) -> Self {
        let steps = simulation.step_count();
        let frames = Cadence::of(simulation).frames(steps, simulation.end());
        let rows = steps.div_ceil(simulation.model.output.history_every.unwrap_or(1).max(1).into());
        let sizes = simulation.sizes(contacts);
        // Columns that every body and every contact has, then the fields; walls are left out.
        let fields = simulation.fields.iter().map(|f| 8 * sizes.rows(f.spec.support) * f.spec.components).sum::<usize>();
        let frame = 150 * sizes.bodies + 110 * contacts + fields;
        let row = 18 * simulation.history_columns().len();
        let bytes = frames as f64 * (frame as f64 + 3_000.0) + rows as f64 * row as f64;
        Self { frames, rows, bytes }
    }

    /// What to say about a run that writes very much.
    pub(crate) fn warning(&self) -> Option<String> {
        (self.bytes > MUCH.0 || self.frames > MUCH.1).then(|| {
            format!(
                "the run will write {} frames and {} rows, about {}; write less often with `every`, `interval` and `history_every` in `output`",
                self.frames,
                self.rows,
                amount(self.bytes)
            )
        })
    }
}

/// Bytes in words.
pub(crate) fn amount(bytes: impl Into<Amount>) -> String {
    let Amount(bytes) = bytes.into();
    let (unit, name) = [(1e12, "TB"), (1e9, "GB")].into_iter().find(|(unit, _)| bytes >= *unit).unwrap_or((1e6, "MB"));
    format!("{:.1} {name}", bytes / unit)
}

/// A number of bytes.
pub(crate) struct Amount(f64);

impl From<f64> for Amount {
    fn from(bytes: f64) -> Self {
        Self(bytes)
    }
}

impl From<u64> for Amount {
    #[allow(clippy::cast_precision_loss, reason = "for words")]
    fn from(bytes: u64) -> Self {
        Self(bytes as f64)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    #[test]
    fn more_bodies_than_memory_are_refused() {
        assert_eq!((bodies(1), bodies(100_000)), (Ok(()), Ok(())));
        if free_memory().is_some() {
            let said = bodies(usize::MAX / 1000).unwrap_err();
            assert!(said.starts_with("18446744073709551 bodies need 18446744.1 TB of memory or more, but "), "{said}");
            assert!(said.ends_with(" are free; make the region smaller, the bodies larger, or give `count`"), "{said}");
        }
    }
}
