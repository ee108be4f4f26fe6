//! Threads that stay awake between the passes of a solve. A colour of a sweep lasts some ten microseconds, less than a thread needs to wake up: those that sleep
//! between two colours would come too late for each. No pass lives here, and no result depends on who came.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rayon::Yield;

/// How long a thread waits for work before it goes to sleep: several times what one thread does alone between two passes.
const PATIENCE: Duration = Duration::from_micros(150);

/// Looks for work between two looks at the clock.
const LOOKS: usize = 64;

/// The threads that stay awake for one solver.
#[derive(Debug, Default)]
pub(super) struct Attendants {
    /// How many there are, those called and not yet there with them.
    present: Arc<AtomicUsize>,
}

impl Attendants {
    /// Calls the other threads of the pool, if there are any and each has a core, unless they are there; they stay while there is work, and a little longer.
    pub(super) fn call(&self) {
        let threads = rayon::current_num_threads();
        if threads < 2 || self.present.load(Ordering::Relaxed) > 0 || threads > cores() {
            return;
        }
        let caller = rayon::current_thread_index();
        let called = if caller.is_some() { threads - 1 } else { threads };
        self.present.store(called, Ordering::Relaxed);
        let present = Arc::clone(&self.present);
        rayon::spawn_broadcast(move |context| {
            if Some(context.index()) != caller {
                attend();
                present.fetch_sub(1, Ordering::Relaxed);
            }
        });
    }
}

/// Cores that this program may use.
fn cores() -> usize {
    static CORES: std::sync::OnceLock<usize> = std::sync::OnceLock::new();
    *CORES.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from))
}

/// Does what other threads share, until there was nothing for a while.
fn attend() {
    let mut since = Instant::now();
    loop {
        let mut idle = 0;
        while idle < LOOKS {
            if rayon::yield_now() == Some(Yield::Executed) {
                since = Instant::now();
                idle = 0;
            } else {
                idle += 1;
                std::hint::spin_loop();
            }
        }
        if since.elapsed() > PATIENCE {
            return;
        }
        // whoever else waits for this core goes first
        std::thread::yield_now();
    }
}
