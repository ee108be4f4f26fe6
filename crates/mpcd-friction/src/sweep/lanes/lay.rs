//! Groups laid at once for all runs, their contacts coming in any order: one by one as they are, or colour by colour on all threads. The checks that make it sound
//! come after, in [`Groups::admit`].

use rayon::prelude::*;

use super::super::diagonal::DiagonalRecord;
use super::super::passes::CHUNK;
use super::super::system::Tag;
use super::kernel::{Group, MOST, Rest};
use super::{GROUPS, Groups, Holds, LANES, SHARED};

/// How records found their lanes, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Put {
    All,
    /// One has what a group alone does not hold.
    WantsRests,
    /// One is no record of the diagonal kernel.
    NotAll,
}

impl Groups {
    /// Makes room for so many groups in all, and for an eighth more: growing run by run they would have up to twice what is needed.
    pub(in super::super) fn make_room(&mut self, groups: usize) {
        if self.groups.capacity() < groups {
            self.groups.reserve_exact(groups + groups / 8 - self.groups.len());
        }
        if groups >= self.groups.len() + SHARED && rayon::current_num_threads() > 1 {
            let (world, missing) = (self.stamps.len() as u32 - 1, groups - self.groups.len());
            self.groups.par_extend((0..missing).into_par_iter().with_min_len(GROUPS).map(|_| Group::empty(world)));
        }
    }

    /// Makes room for one more run of so many records, which [`Self::put`] brings in any order.
    pub(in super::super) fn lay_room(&mut self, records: usize) {
        let start = self.laid;
        self.laid += records.div_ceil(LANES);
        let world = self.stamps.len() as u32 - 1;
        self.groups.resize(self.groups.len().max(self.laid), Group::empty(world));
        // whose last lanes may stay as they are
        if let Some(last) = self.groups[start..self.laid].last_mut() {
            *last = Group::empty(world);
        }
        self.of.push(start..self.laid);
        // until they are found to be apart
        self.holds = Holds::Nothing;
    }

    /// Puts a record into its lane.
    pub(in super::super) fn put(&mut self, lane: u32, record: &DiagonalRecord) {
        let (place, lane) = (lane as usize / LANES, lane as usize % LANES);
        let shift = along(record);
        self.groups[place].set(lane, record, shift.unwrap_or(0.0));
        if shift.is_none() && self.rests.is_empty() {
            self.hold_rests();
        }
        if let Some(rest) = self.rests.get_mut(place) {
            rest.set(lane, record);
        }
    }

    /// From now on a rest stands beside each group, and has the shifts of those that are laid.
    pub(super) fn hold_rests(&mut self) {
        self.rests.clear();
        self.rests.extend(self.groups[..self.laid].iter().map(Group::rest));
    }

    /// Puts the records of a laid run into their lanes and their tags beside them, on all threads: `make` gives the record of a place in the run. False where one is
    /// none. The lanes are those that [`Self::put`] fills, with the same bits.
    pub(in super::super) fn put_run(
        &mut self,
        run: usize,
        tags: &mut [Tag],
        make: impl Fn(usize) -> Option<(DiagonalRecord, Tag)> + Sync,
    ) -> bool {
        let range = self.of[run].clone();
        loop {
            let put = |chunk: usize, groups: &mut [Group], mut rests: Option<&mut [Rest]>, tags: &mut [Tag]| {
                for (k, tag) in tags.iter_mut().enumerate() {
                    let Some((record, own)) = make(chunk * CHUNK + k) else { return Put::NotAll };
                    *tag = own;
                    match (&mut rests, along(&record)) {
                        (None, None) => return Put::WantsRests,
                        (Some(rests), shift) => {
                            groups[k / LANES].set(k % LANES, &record, shift.unwrap_or(0.0));
                            rests[k / LANES].set(k % LANES, &record);
                        }
                        (None, Some(shift)) => groups[k / LANES].set(k % LANES, &record, shift),
                    }
                }
                Put::All
            };
            let chunks = self.groups[range.clone()].par_chunks_mut(GROUPS).zip(tags.par_chunks_mut(CHUNK)).enumerate();
            let outcome = if self.rests.is_empty() {
                chunks.map(|(k, (groups, tags))| put(k, groups, None, tags)).reduce(|| Put::All, Put::max)
            } else {
                let chunks = chunks.zip(self.rests[range.clone()].par_chunks_mut(GROUPS));
                chunks.map(|((k, (groups, tags)), rests)| put(k, groups, Some(rests), tags)).reduce(|| Put::All, Put::max)
            };
            match outcome {
                Put::All => return true,
                Put::NotAll => return false,
                Put::WantsRests => self.hold_rests(),
            }
        }
    }

    /// Whether the groups of all runs may be swept; they hold the impulses then.
    pub(in super::super) fn admit(&mut self) -> bool {
        let Self { groups, of, stamps, .. } = self;
        let world = stamps.len() - 1;
        let mut is_apart = |run: u32, body: u32| {
            let body = body as usize;
            body == world || stamps.get_mut(body).is_some_and(|stamp| std::mem::replace(stamp, run) != run)
        };
        let all = world < MOST
            && of
                .iter()
                .enumerate()
                .all(|(run, of)| groups[of.clone()].iter().all(|group| group.bodies().all(|body| is_apart(run as u32, body))));
        if all {
            self.holds = Holds::Impulses;
            self.end();
        }
        all
    }
}

/// The velocity shift of a record along its normal, where that is all of it and the contact is rigid. The product with the normal has the bits of the shift.
pub(super) fn along(record: &DiagonalRecord) -> Option<f64> {
    if record.compliance != 0.0 {
        return None;
    }
    if record.shift == [0.0; 3] {
        return Some(0.0);
    }
    let size = |k: usize| record.normal[k].abs();
    let most = [0, 1, 2].into_iter().fold(0, |most, k| if size(k) > size(most) { k } else { most });
    let near = record.shift[most] / record.normal[most];
    // product and quotient are rounded once each: what was multiplied is at most two steps away
    let around = [near, near.next_up(), near.next_down(), near.next_up().next_up(), near.next_down().next_down()];
    around.into_iter().find(|along| (0..3).all(|k| record.normal[k] * along == record.shift[k]))
}
