//! Groups asked as a whole: who gives the impulses to the bodies, sums the errors and sees every contact, on all threads in chunks in order.

use rayon::prelude::*;

use super::super::bodies::BodyLine;
use super::super::passes::CHUNK;
use super::super::sight::{SUMMED, Sight};
use super::super::system::Tag;
use super::super::violation::{Buffers, Chunk};
use super::kernel::{Group, Rest, push_all};
use super::look::{free_all, look_all, look_whole, scaled_all, speed_of};
use super::quad::Plain;
use super::{GROUPS, Groups, Holds, LANES, SHARED, Way};
use crate::error::ErrorSum;

/// Groups with their rests and the tags of their contacts.
type Part<'a> = ((&'a [Group], &'a [Rest]), &'a [Tag]);

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

/// Defines functions compiled for AVX, with sixteen and with thirty-two registers, beside a generic one.
#[cfg(target_arch = "x86_64")]
macro_rules! compiled {
    ($generic:ident<$($more:ident),*>: $avx:ident, $more_registers:ident, ($($argument:ident: $of:ty),*), $out:ty) => {
        /// # Safety
        #[doc = concat!("See [`", stringify!($generic), "`]; on a processor with AVX.")]
        #[target_feature(enable = "avx")]
        unsafe fn $avx<const D: usize, $(const $more: bool),*>($($argument: $of),*) -> $out {
            // SAFETY: the caller's promise
            unsafe { $generic::<super::quad::Avx, D, $($more),*>($($argument),*) }
        }

        /// # Safety
        #[doc = concat!("See [`", stringify!($generic), "`]; on a processor with AVX-512VL.")]
        #[target_feature(enable = "avx512vl")]
        unsafe fn $more_registers<const D: usize, $(const $more: bool),*>($($argument: $of),*) -> $out {
            // SAFETY: the caller's promise
            unsafe { $generic::<super::quad::Avx, D, $($more),*>($($argument),*) }
        }
    };
}

#[cfg(target_arch = "x86_64")]
compiled!(scaled_all<>: scaled_avx, scaled_vl, (groups: &[Group], rests: &[Rest], lines: &[BodyLine]), [f64; 3]);
#[cfg(target_arch = "x86_64")]
compiled!(free_all<>: free_avx, free_vl, (groups: &[Group], rests: &[Rest], lines: &[BodyLine], rounding: f64), [f64; 3]);
#[cfg(target_arch = "x86_64")]
compiled!(push_all<>: push_avx, push_vl, (groups: &[Group], lines: &[BodyLine]), ());
#[cfg(target_arch = "x86_64")]
compiled!(
    look_all<JUDGES>: look_avx, look_vl,
    (groups: (&[Group], &[Rest]), lines: [&[BodyLine]; 2], tags: &[Tag], out: (&mut [Sight], f64)), ErrorSum
);
#[cfg(target_arch = "x86_64")]
compiled!(
    look_whole<JUDGES>: look_whole_avx, look_whole_vl,
    (groups: (&[Group], &[Rest]), lines: [&[BodyLine]; 2], tags: &[Tag], out: (&mut [[f64; 2]], f64)), ([f64; SUMMED], ErrorSum)
);

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
        let (lines, way, rounding) = (&*lines, self.way, self.rounding);
        // SAFETY: bodies were checked to be among these lines, which are held exclusively; AVX where they were found
        let sum = |(groups, rests): (&[Group], &[Rest])| unsafe {
            match (way, which) {
                (Way::Plain, Squares::Scaled) => scaled_all::<Plain, D>(groups, rests, lines),
                (Way::Plain, Squares::Free) => free_all::<Plain, D>(groups, rests, lines, rounding),
                #[cfg(target_arch = "x86_64")]
                (Way::Avx, Squares::Scaled) => scaled_avx::<D>(groups, rests, lines),
                #[cfg(target_arch = "x86_64")]
                (Way::AvxVl | Way::Wide, Squares::Scaled) => scaled_vl::<D>(groups, rests, lines),
                #[cfg(target_arch = "x86_64")]
                (Way::Avx, Squares::Free) => free_avx::<D>(groups, rests, lines, rounding),
                #[cfg(target_arch = "x86_64")]
                (Way::AvxVl | Way::Wide, Squares::Free) => free_vl::<D>(groups, rests, lines, rounding),
            }
        };
        if self.groups.len() >= SHARED && rayon::current_num_threads() > 1 {
            let chunks = self.groups.par_chunks(GROUPS).enumerate();
            let sums: Vec<_> = chunks.map(|(k, groups)| sum(self.with_rests(k * GROUPS, groups))).collect();
            sums.into_iter().for_each(add);
        } else {
            let chunks = self.groups.chunks(GROUPS).enumerate();
            chunks.for_each(|(k, groups)| add(sum(self.with_rests(k * GROUPS, groups))));
        }
    }

    /// Gives the impulses of a run to the bodies. False where the run stays with its records.
    pub(in super::super) fn push<const D: usize>(&self, run: usize, lines: &mut [BodyLine]) -> bool {
        let Some(range) = self.held(run) else { return false };
        assert_eq!(lines.len(), self.stamps.len(), "the lines that were checked");
        let (groups, lines, way) = (&self.groups[range], &*lines, self.way);
        // SAFETY: groups of one laid run, each visited by one thread, and lines held exclusively; AVX where they were found
        let push = |groups: &[Group]| unsafe {
            match way {
                Way::Plain => push_all::<Plain, D>(groups, lines),
                #[cfg(target_arch = "x86_64")]
                Way::Avx => push_avx::<D>(groups, lines),
                #[cfg(target_arch = "x86_64")]
                Way::AvxVl | Way::Wide => push_vl::<D>(groups, lines),
            }
        };
        if groups.len() >= SHARED && rayon::current_num_threads() > 1 {
            groups.par_chunks(GROUPS).for_each(push);
        } else {
            push(groups);
        }
        true
    }

    /// Speed at a contact of a run, as [`Sight::speed`] says: a look sees the free velocity alone. None where the run stays with its records.
    pub(in super::super) fn speed<const D: usize>(&self, run: usize, place: usize, [now, free]: [&[BodyLine]; 2]) -> Option<f64> {
        let group = self.held(run)?.start + place / LANES;
        assert!(now.len() == self.stamps.len() && free.len() == now.len(), "the lines that were checked");
        // SAFETY: bodies were checked to be among these lines, which nobody writes while they are borrowed by a look
        Some(unsafe { speed_of::<D>(&self.groups[group], self.rests.get(group), place % LANES, [now, free]) })
    }

    /// Sees every contact of a run beside its free velocity, in chunks in order: `take` gets what is seen of each chunk, and the sums where it `JUDGES`. `places`
    /// are contact and island of each record. False where the run stays with its records.
    pub(in super::super) fn look<const D: usize, const JUDGES: bool>(
        &self,
        run: usize,
        [now, free]: [&mut [BodyLine]; 2],
        (tags, places): (&[Tag], &[[u32; 2]]),
        buffers: &mut Buffers,
        mut take: impl FnMut(Chunk<'_>, ErrorSum),
    ) -> bool {
        let Some(range) = self.held(run) else { return false };
        assert!(now.len() == self.stamps.len() && free.len() == now.len(), "the lines that were checked");
        let (lines, way, rounding) = ([&*now, &*free], self.way, self.rounding);
        // SAFETY: bodies were checked to be among these lines, which are held exclusively; AVX where they were found
        let each = |groups: (&[Group], &[Rest]), tags: &[Tag], sights: &mut [Sight]| unsafe {
            match way {
                Way::Plain => look_all::<Plain, D, JUDGES>(groups, lines, tags, (sights, rounding)),
                #[cfg(target_arch = "x86_64")]
                Way::Avx => look_avx::<D, JUDGES>(groups, lines, tags, (sights, rounding)),
                #[cfg(target_arch = "x86_64")]
                Way::AvxVl | Way::Wide => look_vl::<D, JUDGES>(groups, lines, tags, (sights, rounding)),
            }
        };
        // SAFETY: as above
        let whole = |groups: (&[Group], &[Rest]), tags: &[Tag], speeds: &mut [[f64; 2]]| unsafe {
            match way {
                Way::Plain => look_whole::<Plain, D, JUDGES>(groups, lines, tags, (speeds, rounding)),
                #[cfg(target_arch = "x86_64")]
                Way::Avx => look_whole_avx::<D, JUDGES>(groups, lines, tags, (speeds, rounding)),
                #[cfg(target_arch = "x86_64")]
                Way::AvxVl | Way::Wide => look_whole_vl::<D, JUDGES>(groups, lines, tags, (speeds, rounding)),
            }
        };
        let look = |((groups, tags), places): (Part<'_>, &[[u32; 2]]), sights: &mut [Sight], speeds: &mut [[f64; 2]]| {
            let island = places[0][1];
            if places.iter().all(|place| place[1] == island) {
                let (sums, of) = whole(groups, tags, speeds);
                (Some((island, sums)), of)
            } else {
                (None, each(groups, tags, sights))
            }
        };
        let start = range.start;
        let groups = &self.groups[range];
        let Buffers { sights, speeds } = buffers;
        let is_large = rayon::current_num_threads() > 1 && groups.len() >= SHARED;
        let at_once = if is_large { AT_ONCE } else { 1 };
        let most = tags.len().min(at_once * CHUNK);
        sights.resize(sights.len().max(most), Sight::default());
        speeds.resize(speeds.len().max(most), [0.0; 2]);
        let parts = groups.chunks(at_once * GROUPS).zip(tags.chunks(at_once * CHUNK)).zip(places.chunks(at_once * CHUNK));
        for (part, ((groups, tags), places)) in parts.enumerate() {
            let start = start + part * at_once * GROUPS;
            let (sights, speeds) = (&mut sights[..tags.len()], &mut speeds[..tags.len()]);
            let hand_on =
                |take: &mut dyn FnMut(Chunk<'_>, ErrorSum), (part, of), sights: &[Sight], speeds: &[[f64; 2]]| match part {
                    Some((island, sums)) => take(Chunk::Whole { island, sums, speeds }, of),
                    None => take(Chunk::Each(sights), of),
                };
            if is_large {
                let with_rests = |(k, groups): (usize, _)| self.with_rests(start + k * GROUPS, groups);
                let groups = groups.par_chunks(GROUPS).enumerate().map(with_rests);
                let chunks = groups.zip(tags.par_chunks(CHUNK)).zip(places.par_chunks(CHUNK));
                let room = sights.par_chunks_mut(CHUNK).zip(speeds.par_chunks_mut(CHUNK));
                let seen: Vec<_> = chunks.zip(room).map(|(chunk, (sights, speeds))| look(chunk, sights, speeds)).collect();
                let room = sights.chunks(CHUNK).zip(speeds.chunks(CHUNK));
                seen.into_iter().zip(room).for_each(|(seen, (sights, speeds))| hand_on(&mut take, seen, sights, speeds));
            } else {
                let seen = look(((self.with_rests(start, groups), tags), places), sights, speeds);
                hand_on(&mut take, seen, sights, speeds);
            }
        }
        true
    }
}
