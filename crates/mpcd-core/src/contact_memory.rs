//! What laws of a module remember of contacts from step to step, face by face: one number each, whatever the points of a face are
//! called. No law lives here.

use crate::{ids::ContactKey, network::ContactNetwork, patch::Patch};

/// What is remembered and the largest force (N) since the contact began to push, contact by contact, sorted by key.
pub type ContactMemory = Vec<(ContactKey, [f64; 2])>;

/// Part of its largest force below which a contact has opened: rounding of the contact solver is no force.
const OPEN: f64 = 1e-6;

/// What a patch that pushes with `force` (N) remembers, and its largest force; `start` where it has just begun to push.
///
/// It is the most that its contacts remember. Where none of them is known, it is what contacts of the same two bodies remember that are
/// there no more: detection may have given them other names.
#[must_use]
pub fn recall(patch: &Patch<'_>, contacts: &ContactNetwork, memory: &ContactMemory, force: f64, start: f64) -> [f64; 2] {
    let known = |key: ContactKey| memory.binary_search_by(|m| m.0.cmp(&key)).ok().map(|at| memory[at].1);
    let most = |a: [f64; 2], b: [f64; 2]| [a[0].max(b[0]), a[1].max(b[1])];
    let found = patch.contacts().filter_map(|c| known(c.key)).reduce(most).or_else(|| {
        let (i, j) = patch.first().bodies();
        let from = memory.partition_point(|m| (m.0.candidate, m.0.antagonist) < (i, j));
        let pair = memory[from..].iter().take_while(|m| (m.0.candidate, m.0.antagonist) == (i, j));
        pair.filter(|m| contacts.find(&m.0).is_none()).map(|m| m.1).reduce(most)
    });
    let [value, largest] = found.filter(|[_, largest]| force > OPEN * largest).unwrap_or([start, 0.0]);
    [value, largest.max(force)]
}

/// Puts what a patch remembers into a memory, which [`sort`] ends.
pub fn keep(patch: &Patch<'_>, remembered: [f64; 2], memory: &mut ContactMemory) {
    memory.extend(patch.contacts().map(|c| (c.key, remembered)));
}

/// Brings a memory into the order of the keys.
pub fn sort(memory: &mut ContactMemory) {
    memory.sort_unstable_by_key(|m| m.0);
}
