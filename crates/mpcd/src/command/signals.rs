//! Signals that end a run in order: Ctrl-C (SIGINT), SIGTERM and SIGHUP. The first is looked at between steps, the second ends the
//! process at once. What is written in the end is not known here.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

use super::complain;

/// The wish to stop, and the signal that said so.
#[derive(Debug, Default)]
pub(super) struct Stop {
    /// True from the first signal on.
    pub(super) asked: AtomicBool,
    signal: AtomicI32,
}

impl Stop {
    /// Watches the signals of this process from now on.
    pub(super) fn watch() -> Arc<Self> {
        let stop = Arc::new(Self::default());
        let seen = stop.clone();
        if watch(move |signal| seen.heard(signal)).is_err() {
            tracing::warn!("a signal will end the process at once: no handler could be set");
        }
        stop
    }

    /// The exit code of a process that this signal ended, as shells count: 130 after Ctrl-C, 143 after SIGTERM, 129 after SIGHUP.
    pub(super) fn exit_code(&self) -> u8 {
        u8::try_from(128 + self.signal.load(Ordering::Relaxed)).unwrap_or(u8::MAX)
    }

    fn heard(&self, signal: i32) {
        if self.asked.load(Ordering::Relaxed) {
            std::process::exit(128 + signal);
        }
        self.signal.store(signal, Ordering::Relaxed);
        self.asked.store(true, Ordering::Relaxed);
        complain("stopping at the end of this step (Ctrl-C again to stop at once)");
    }
}

/// Calls `heard` with each signal, on a thread of its own.
#[cfg(unix)]
fn watch(heard: impl Fn(i32) + Send + 'static) -> std::io::Result<()> {
    use signal_hook::{consts, iterator::Signals};
    // What the process was started to ignore stays ignored: `nohup mpcd run …` outlives its terminal.
    let ignored = ignored();
    let wanted = [consts::SIGINT, consts::SIGTERM, consts::SIGHUP].into_iter().filter(|s| ignored >> (s - 1) & 1 == 0);
    let mut signals = Signals::new(wanted)?;
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || signals.forever().for_each(heard)).map(drop)
}

/// Calls `heard` with each Ctrl-C, on a thread of its own.
#[cfg(not(unix))]
fn watch(heard: impl Fn(i32) + Send + 'static) -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(move || heard(2))
}

/// Signals that this process ignores, one bit each; 0 where the system does not tell.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    line.and_then(|hex| u64::from_str_radix(hex.trim(), 16).ok()).unwrap_or(0)
}
