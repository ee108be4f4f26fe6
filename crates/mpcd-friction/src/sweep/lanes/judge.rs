//! Groups asked as a whole: who gives the impulses to the bodies, sums the errors and sees every contact, on all threads in chunks in order.

use rayon::prelude::*;

use super::super::bodies::BodyLine;
use super::super::passes::CHUNK;
use super::super::system::Tag;
use super::super::violation::Sight;
use super::kernel::Group;
use super::look::{free_all, look_all, push_all, scaled_all};
use super::quad::Plain;
use super::{GROUPS, Groups, Holds, SHARED, Way};
use crate::error::ErrorSum;

/// Chunks that several threads see before they are handed on.
const AT_ONCE: usize = 64;

/// Sums over groups of squares: which ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Squares {
    /// As [`crate::error::ScaledSum`] has them.
    Scaled,
    /// As [`crate::error::FreeNorms`] has them, of free lines.
    Free,
}

/// Defines a function compiled for AVX beside a generic one.
#[cfg(target_arch = "x86_64")]
macro_rules! with_avx {
    ($name:ident, $generic:ident, ($($argument:ident: $of:ty),*), $out:ty) => {
        /// # Safety
        #[doc = concat!("See [`", stringify!($generic), "`]; on a processor with AVX.")]
        #[target_feature(enable = "avx")]
        unsafe fn $name<const D: usize>($($argument: $of),*) -> $out {
            // SAFETY: the caller's promise
            unsafe { $generic::<super::quad::Avx, D>($($argument),*) }
        }
    };
}

#[cfg(target_arch = "x86_64")]
with_avx!(scaled_avx, scaled_all, (groups: &[Group], lines: &[BodyLine]), [f64; 3]);
#[cfg(target_arch = "x86_64")]
with_avx!(free_avx, free_all, (groups: &[Group], lines: &[BodyLine]), [f64; 3]);
#[cfg(target_arch = "x86_64")]
with_avx!(push_avx, push_all, (groups: &[Group], lines: &[BodyLine]), ());

/// # Safety
/// See [`look_all`]; on a processor with AVX.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx")]
unsafe fn look_avx<const D: usize, const JUDGES: bool>(
    groups: &[Group],
    lines: [&[BodyLine]; 2],
    tags: &[Tag],
    sights: &mut [Sight],
) -> ErrorSum {
    // SAFETY: the caller's promise
    unsafe { look_all::<super::quad::Avx, D, JUDGES>(groups, lines, tags, sights) }
}

impl Groups {
    /// Sums of squares of all that groups hold, in chunks in order.
    pub(in super::super) fn squares<const D: usize>(
        &self,
        which: Squares,
        lines: &mut [BodyLine],
        mut add: impl FnMut([f64; 3]),
    ) {
        if self.holds != Holds::Impulses {
            return;
        }
        assert_eq!(lines.len(), self.stamps.len(), "the lines that were checked");
        let (lines, way) = (&*lines, self.way);
        // SAFETY: bodies were checked to be among these lines, which are held exclusively; AVX where it was found
        let sum = |groups: &[Group]| unsafe {
            match (way, which) {
                (Way::Plain, Squares::Scaled) => scaled_all::<Plain, D>(groups, lines),
                (Way::Plain, Squares::Free) => free_all::<Plain, D>(groups, lines),
                #[cfg(target_arch = "x86_64")]
                (Way::Avx, Squares::Scaled) => scaled_avx::<D>(groups, lines),
                #[cfg(target_arch = "x86_64")]
                (Way::Avx, Squares::Free) => free_avx::<D>(groups, lines),
            }
        };
        if self.groups.len() >= SHARED && rayon::current_num_threads() > 1 {
            let sums: Vec<_> = self.groups.par_chunks(GROUPS).map(sum).collect();
            sums.into_iter().for_each(add);
        } else {
            self.groups.chunks(GROUPS).for_each(|groups| add(sum(groups)));
        }
    }

    /// Gives the impulses of a run to the bodies. False where the run stays with its records.
    pub(in super::super) fn push<const D: usize>(&self, run: usize, lines: &mut [BodyLine]) -> bool {
        let Some(range) = self.held(run) else { return false };
        assert_eq!(lines.len(), self.stamps.len(), "the lines that were checked");
        let (groups, lines, way) = (&self.groups[range], &*lines, self.way);
        // SAFETY: groups of one laid run, each visited by one thread, and lines held exclusively; AVX where it was found
        let push = |groups: &[Group]| unsafe {
            match way {
                Way::Plain => push_all::<Plain, D>(groups, lines),
                #[cfg(target_arch = "x86_64")]
                Way::Avx => push_avx::<D>(groups, lines),
            }
        };
        if groups.len() >= SHARED && rayon::current_num_threads() > 1 {
            groups.par_chunks(GROUPS).for_each(push);
        } else {
            push(groups);
        }
        true
    }

    /// Sees every contact of a run beside its free velocity, in chunks in order: `take` gets a sight for each record, and the sums where it `JUDGES`.
    /// `sights` is a buffer. False where the run stays with its records.
    pub(in super::super) fn look<const D: usize, const JUDGES: bool>(
        &self,
        run: usize,
        [now, free]: [&mut [BodyLine]; 2],
        tags: &[Tag],
        sights: &mut Vec<Sight>,
        mut take: impl FnMut(&[Sight], ErrorSum),
    ) -> bool {
        let Some(range) = self.held(run) else { return false };
        let is_large = rayon::current_num_threads() > 1;
        assert!(now.len() == self.stamps.len() && free.len() == now.len(), "the lines that were checked");
        let (lines, way) = ([&*now, &*free], self.way);
        // SAFETY: bodies were checked to be among these lines, which are held exclusively; AVX where it was found
        let look = |((groups, tags), sights): ((&[Group], &[Tag]), &mut [Sight])| unsafe {
            match way {
                Way::Plain => look_all::<Plain, D, JUDGES>(groups, lines, tags, sights),
                #[cfg(target_arch = "x86_64")]
                Way::Avx => look_avx::<D, JUDGES>(groups, lines, tags, sights),
            }
        };
        let groups = &self.groups[range];
        if is_large && groups.len() >= SHARED {
            for (groups, tags) in groups.chunks(AT_ONCE * GROUPS).zip(tags.chunks(AT_ONCE * CHUNK)) {
                sights.resize(tags.len(), Sight::default());
                let chunks = groups.par_chunks(GROUPS).zip(tags.par_chunks(CHUNK)).zip(sights.par_chunks_mut(CHUNK));
                let sums: Vec<_> = chunks.map(look).collect();
                sights.chunks(CHUNK).zip(sums).for_each(|(sights, sum)| take(sights, sum));
            }
        } else {
            for (groups, tags) in groups.chunks(GROUPS).zip(tags.chunks(CHUNK)) {
                sights.resize(tags.len(), Sight::default());
                let sum = look(((groups, tags), &mut sights[..]));
                take(sights, sum);
            }
        }
        true
    }
}
