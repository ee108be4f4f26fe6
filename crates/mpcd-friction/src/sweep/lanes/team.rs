//! Runs of groups one after another by all threads at once, which wait for each other between them in a circle of their own: a call of other threads for each colour costs more than its
//! contacts where these are some thousands. What lives here: who takes which groups, and the waiting. No update of contacts.
//!
//! Why this is sound. The groups of a run are shared out by parts of fixed size: each part is one thread's alone, and its sum has a place of its own. No thread begins a run before all have
//! ended the one before. A thread that panics breaks the circle, so that the others leave it.

use std::{
    ops::Range,
    sync::{
        OnceLock,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
};

/// Groups of a part: what one thread takes, and of which the sums are added up.
pub(super) const PART: usize = 16;
/// Groups in all from which on the threads are worth their call.
const LEAST: usize = 512;
/// Looks at whether the others have come, before a thread gives way to whoever wants its core.
const LOOKS: u32 = 1 << 8;

/// Whether somebody has the threads: two circles at once could each wait for the other's.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// All threads, taken by one caller.
struct Team;

impl Team {
    /// `None` where there is one thread, or more than cores, or where they are taken.
    fn take() -> Option<Self> {
        static CORES: OnceLock<usize> = OnceLock::new();
        let threads = rayon::current_num_threads();
        let cores = *CORES.get_or_init(|| thread::available_parallelism().map_or(1, usize::from));
        let is_ours = rayon::current_thread_index().is_some();
        (threads > 1 && threads <= cores && is_ours && !TAKEN.swap(true, Ordering::Acquire)).then(|| Self)
    }
}

impl Drop for Team {
    fn drop(&mut self) {
        TAKEN.store(false, Ordering::Release);
    }
}

/// Where threads wait for each other.
#[repr(align(128))]
#[derive(Default)]
struct Circle {
    here: AtomicUsize,
    turn: AtomicUsize,
    broken: AtomicBool,
}

impl Circle {
    /// Until all of so many threads have come; false where one never will.
    fn wait(&self, threads: usize) -> bool {
        let turn = self.turn.load(Ordering::Relaxed);
        if self.here.fetch_add(1, Ordering::AcqRel) + 1 == threads {
            self.here.store(0, Ordering::Relaxed);
            self.turn.store(turn + 1, Ordering::Release);
            return true;
        }
        let mut looks = 0;
        while self.turn.load(Ordering::Acquire) == turn {
            if self.broken.load(Ordering::Relaxed) {
                return false;
            }
            looks += 1;
            if looks < LOOKS { std::hint::spin_loop() } else { thread::yield_now() }
        }
        true
    }
}

/// Breaks the circle where its thread panics.
struct Member<'a>(&'a Circle);

impl Drop for Member<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.broken.store(true, Ordering::Relaxed);
        }
    }
}

/// Places that threads share, each with parts of its own.
struct Places<T>(*mut T);

// SAFETY: no two threads touch the same place, see [`sweep`]
unsafe impl<T: Send> Sync for Places<T> {}

impl<T> Places<T> {
    /// # Safety
    /// The range lies within what was given, and no other thread has any of it now.
    #[allow(clippy::mut_from_ref, reason = "by the promise")]
    unsafe fn of(&self, range: Range<usize>) -> &mut [T] {
        // SAFETY: the caller's promise
        unsafe { std::slice::from_raw_parts_mut(self.0.add(range.start), range.len()) }
    }
}

/// Has `go` update the groups of some runs, these one after another, each shared out; its sums come part by part and run by run. False where nothing was done, as the threads cannot be had or the groups are few.
pub(super) fn sweep<G: Send>(
    groups: &mut [G],
    runs: &[Range<usize>],
    sums: &mut Vec<[f64; 2]>,
    go: impl Fn(Range<usize>, &mut [G]) -> [f64; 2] + Sync,
) -> bool {
    let all: usize = runs.iter().map(Range::len).sum();
    if runs.len() < 2 || all < LEAST {
        return false;
    }
    let Some(_team) = Team::take() else { return false };
    assert!(runs.iter().all(|run| run.start <= run.end && run.end <= groups.len()), "runs of these groups");
    sums.clear();
    sums.resize(runs.iter().map(parts).sum(), [0.0; 2]);
    let (circle, groups, places) = (Circle::default(), Places(groups.as_mut_ptr()), Places(sums.as_mut_ptr()));
    rayon::broadcast(|place| {
        let _member = Member(&circle);
        let (own, threads) = (place.index(), place.num_threads());
        let mut first = 0;
        for run in runs {
            let count = parts(run);
            for part in count * own / threads..count * (own + 1) / threads {
                let start = run.start + part * PART;
                let range = start..run.end.min(start + PART);
                // SAFETY: the part is this thread's alone among those of the run, within the groups as was asserted, and no thread is at another run
                let groups = unsafe { groups.of(range.clone()) };
                let sum = go(range, groups);
                // SAFETY: the place of that part, below the number of parts of all runs
                let place = unsafe { places.of(first + part..first + part + 1) };
                place.fill(sum);
            }
            first += count;
            if !circle.wait(threads) {
                return;
            }
        }
    });
    true
}

fn parts(run: &Range<usize>) -> usize {
    run.len().div_ceil(PART)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    /// Each group of each run once, runs in their order, sums in theirs, on any number of threads.
    #[test]
    fn threads_go_through_runs_together() {
        let runs = [0..300, 300..317, 317..1_000, 1_000..1_000, 1_000..1_001];
        for threads in [1, 2] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let mut groups: Vec<(usize, usize)> = vec![(0, 0); 1_001];
                let (mut sums, next) = (Vec::new(), AtomicUsize::new(0));
                let go = |range: Range<usize>, groups: &mut [(usize, usize)]| {
                    for (k, group) in range.clone().zip(groups.iter_mut()) {
                        *group = (group.0 + 1, next.fetch_add(1, Ordering::Relaxed));
                        assert!(k < 1_001);
                    }
                    [range.start as f64, range.len() as f64]
                };
                let done = sweep(&mut groups, &runs, &mut sums, go);
                let can = threads > 1 && thread::available_parallelism().map_or(1, usize::from) >= threads;
                // another test may have them
                if !done {
                    return;
                }
                assert!(can && groups.iter().all(|g| g.0 == 1));
                let last = |run: &Range<usize>| groups[run.clone()].iter().map(|g| g.1).max();
                let first = |run: &Range<usize>| groups[run.clone()].iter().map(|g| g.1).min();
                for (before, after) in runs.iter().zip(&runs[1..]).filter(|(b, a)| !b.is_empty() && !a.is_empty()) {
                    assert!(last(before) < first(after));
                }
                let starts: Vec<f64> = runs.iter().flat_map(|run| run.clone().step_by(PART)).map(|k| k as f64).collect();
                assert_eq!(sums.iter().map(|s| s[0]).collect::<Vec<_>>(), starts);
                assert_eq!(sums.iter().map(|s| s[1]).sum::<f64>(), 1_001.0);
            });
        }
    }

    /// Who asks in vain must not give back what somebody else has.
    #[test]
    fn whoever_asks_in_vain_takes_nothing_from_who_has_the_threads() {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let [two, many] = [2, cores + 1].map(|threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap());
        if cores < 2 {
            return;
        }
        // another test may have them
        let Some(team) = two.install(|| (0..1_000_000).find_map(|_| Team::take())) else { return };
        assert!(two.install(Team::take).is_none() && many.install(Team::take).is_none());
        assert!(TAKEN.load(Ordering::Relaxed));
        drop(team);
    }

    /// Whoever asks while the threads are taken goes on alone.
    #[test]
    fn two_circles_do_not_wait_for_each_other() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let runs = [0..400, 400..800];
        let count = AtomicUsize::new(0);
        pool.install(|| {
            let one = || {
                for _ in 0..200 {
                    let mut groups = vec![0_u8; 800];
                    let mut sums = Vec::new();
                    let done = sweep(&mut groups, &runs, &mut sums, |_, groups| {
                        groups.iter_mut().for_each(|g| *g += 1);
                        [0.0; 2]
                    });
                    assert!(groups.iter().all(|g| *g == u8::from(done)));
                    count.fetch_add(1, Ordering::Relaxed);
                }
            };
            rayon::join(one, one);
        });
        assert_eq!(count.into_inner(), 400);
    }
}
