//! Seconds of the processor that this thread used: what a solve costs, whatever else the machine does.

use std::time::{Duration, Instant};

/// Runs from its start on: processor time of the thread where the system tells it, else time of the clock.
pub(crate) struct Clock {
    wall: Instant,
    processor: Option<Duration>,
}

impl Clock {
    pub(crate) fn start() -> Self {
        Self { wall: Instant::now(), processor: processor_time() }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        match (self.processor, processor_time()) {
            (Some(start), Some(now)) => now.saturating_sub(start),
            _ => self.wall.elapsed(),
        }
    }
}

#[cfg(unix)]
fn processor_time() -> Option<Duration> {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Some(Duration::new(u64::try_from(now.tv_sec).ok()?, u32::try_from(now.tv_nsec).ok()?))
}

#[cfg(not(unix))]
const fn processor_time() -> Option<Duration> {
    None
}
