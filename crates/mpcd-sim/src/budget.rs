//! Memory and disk before they are taken: what a body needs at least, what a run will write, and what this machine has free.

use crate::{runner::Cadence, simulation::Simulation};

/// Memory that one body takes at the very least (bytes): its row in every column, its shape, and its place while it is read. Measured: 1.6 million discs
/// take 1,400 each with `Contact` alone and 1,560 with current and heat before the first step, which takes a second state besides.
pub(crate) const BODY: u64 = 2000;

/// Fewest bodies for which the machine is asked.
const MANY: usize = 100_000;

/// Memory that this process may still take (bytes): what the machine has free, the limit of its address space (`ulimit -v`) and that of its control group
/// (batch systems, containers) less what is taken; `None` where the system tells none of them.
#[must_use]
pub fn free_memory() -> Option<u64> {
    let read = |path: &str| std::fs::read_to_string(path).ok();
    let machine = read("/proc/meminfo").and_then(|text| kilobytes(&text, "MemAvailable:"));
    let space = read("/proc/self/limits").and_then(|text| address_space(&text));
    let space = space.zip(read("/proc/self/status").and_then(|text| kilobytes(&text, "VmSize:")));
    let group = read("/proc/self/cgroup").map(|text| control_groups(&text)).unwrap_or_default().into_iter();
    // Of files that were read the system gives memory back when somebody asks.
    let given_back = |stat: &str| read(stat).and_then(|text| counted(&text, "inactive_file")).unwrap_or(0);
    let group = group.filter_map(|[most, taken, stat]| {
        Some((number(&read(&most)?)?, number(&read(&taken)?)?.saturating_sub(given_back(&stat))))
    });
    let left = |(most, taken): (u64, u64)| most.saturating_sub(taken);
    machine.into_iter().chain(space.map(left)).chain(group.map(left)).min()
}

fn number(text: &str) -> Option<u64> {
    text.trim().parse().ok()
}

/// The value of a line `name number`, with or without `total_` before it.
fn counted(text: &str, name: &str) -> Option<u64> {
    let value = |line: &str| number(line.trim_start_matches("total_").strip_prefix(name)?);
    text.lines().filter_map(value).max()
}

/// The value of a line of a file of `/proc` that counts in kB (bytes).
fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    Some(number(line.trim().strip_suffix("kB")?)?.saturating_mul(1024))
}

/// The soft limit of the address space (bytes); `None` where there is none.
fn address_space(limits: &str) -> Option<u64> {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    number(line.split_whitespace().next()?)
}

/// Files with the limit of the memory of each control group that the process is in, what is taken of it, and what for: of both versions of the interface, the
/// group and those above it.
fn control_groups(text: &str) -> Vec<[String; 3]> {
    let mut out = Vec::new();
    for line in text.lines() {
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else { continue };
        let (root, files) = if controllers.is_empty() {
            ("/sys/fs/cgroup", ["memory.max", "memory.current", "memory.stat"])
        } else if controllers.split(',').any(|c| c == "memory") {
            ("/sys/fs/cgroup/memory", ["memory.limit_in_bytes", "memory.usage_in_bytes", "memory.stat"])
        } else {
            continue;
        };
        let mut group = path.trim_end_matches('/');
        loop {
            out.push(files.map(|file| format!("{root}{group}/{file}")));
            let Some((above, _)) = group.rsplit_once('/') else { break };
            group = above;
        }
    }
    out
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

    /// Texts as the kernel writes them.
    #[test]
    fn limits_of_the_process_are_read() {
        let limits = |space: &str| {
            format!("Limit  Soft Limit  Hard Limit  Units\nMax data size  7  7  bytes\nMax address space {space} bytes\n")
        };
        assert_eq!(address_space(&limits("        8192000000           unlimited           ")), Some(8_192_000_000));
        assert_eq!(address_space(&limits("        unlimited            unlimited           ")), None);
        assert_eq!(kilobytes("VmPeak:\t    9 kB\nVmSize:\t    3892 kB\n", "VmSize:"), Some(3892 * 1024));
        assert_eq!(counted("cache 9\ninactive_file 4096\ntotal_inactive_file 8192\n", "inactive_file"), Some(8192));
        let one = |root: &str, group: &str, files: [&str; 3]| files.map(|file| format!("{root}{group}/{file}"));
        let new = ["memory.max", "memory.current", "memory.stat"];
        let root = "/sys/fs/cgroup";
        let want = ["/job/step", "/job", ""].map(|group| one(root, group, new));
        assert_eq!(control_groups("0::/job/step\n"), want);
        let old = ["memory.limit_in_bytes", "memory.usage_in_bytes", "memory.stat"];
        let want = ["/a", ""].map(|group| one("/sys/fs/cgroup/memory", group, old));
        assert_eq!(control_groups("5:devices:/b\n4:cpu,memory:/a\n"), want);
    }
}
