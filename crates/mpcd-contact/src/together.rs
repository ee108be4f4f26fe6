//! Lists that all threads fill, each item by its place alone, so that the result has the same bits on any number of threads. No physics.

use rayon::prelude::*;

/// Bodies or contacts from which on other threads are called.
pub(crate) const MANY: usize = 4_096;

/// Items that a thread takes at least.
pub(crate) const PIECE: usize = MANY / 4;

/// Whether other threads are called for so many items.
pub(crate) fn is_shared(count: usize) -> bool {
    count >= MANY && rayon::current_num_threads() > 1
}

/// Makes room for `count` in what is empty, and for an eighth more where that is too little: growing by itself it would have up to twice what is needed.
pub(crate) fn make_room<T>(room: &mut Vec<T>, count: usize) {
    if room.capacity() < count {
        room.reserve_exact(count + count / 8 - room.len());
    }
}

/// Replaces the content of `out` by what `one` says of each place. A thread goes through rising places with what it once `begins` with.
pub(crate) fn fill<S, T: Send>(
    out: &mut Vec<T>,
    count: usize,
    begin: impl Fn() -> S + Sync + Send,
    one: impl Fn(&mut S, usize) -> T + Sync + Send,
) {
    out.clear();
    make_room(out, count);
    if is_shared(count) {
        (0..count).into_par_iter().with_min_len(PIECE).map_init(begin, one).collect_into_vec(out);
    } else {
        let mut state = begin();
        out.extend((0..count).map(|place| one(&mut state, place)));
    }
}
