//! What a law says of patches, contact by contact, by all threads: no value depends on another, so no bit depends on how many there are. What makes a patch lives beside
//! it; no laws here.

use rayon::prelude::*;

use crate::{
    network::ContactNetwork,
    patch::{Patch, Patches},
};

/// Contacts that a thread takes at a time.
const CHUNK: usize = 2048;

impl Patches {
    /// What `of` says of each contact that is a patch by itself, at its place in `out`; what the others have there stays. Threads share the contacts: no value
    /// depends on another.
    ///
    /// # Errors
    /// That of `of` for the first contact that has one.
    pub fn alone<T: Send, E: Send>(
        &self,
        network: &ContactNetwork,
        out: &mut [T],
        of: impl Fn(usize, &Patch<'_>) -> Result<T, E> + Sync,
    ) -> Result<(), E> {
        let chunk = |(number, values): (usize, &mut [T])| {
            for (value, k) in values.iter_mut().zip(number * CHUNK..) {
                let patch = self.patch_of(k);
                if self.is_alone(patch) {
                    *value = of(k, &self.patch(network, patch))?;
                }
            }
            Ok(())
        };
        let ends: Vec<Result<(), E>> = out.par_chunks_mut(CHUNK).enumerate().map(chunk).collect();
        ends.into_iter().collect()
    }

    /// What a patch conducts, contact by contact. `push` is the force with which each contact pushes (N), 0 where it does not;
    /// `conductance` gives that of a patch under the sum of its forces, asked for where that is above zero. Each contact gets the part of it that it
    /// has of the force, so that the parts of a patch add up to what the patch conducts, whatever number of points it is made of.
    ///
    /// # Errors
    /// The first of `conductance` among the contacts that are patches by themselves, then among the other patches.
    pub fn conductances<E: Send>(
        &self,
        network: &ContactNetwork,
        push: &[f64],
        conductance: impl Fn(&Patch<'_>, f64) -> Result<f64, E> + Sync,
        out: &mut Vec<f64>,
    ) -> Result<(), E> {
        out.clear();
        out.resize(network.len(), 0.0);
        self.alone(network, out, |k, patch| if push[k] > 0.0 { conductance(patch, push[k]) } else { Ok(0.0) })?;
        for patch in self.several(network) {
            let force: f64 = patch.places().map(|k| push[k]).sum();
            if force > 0.0 {
                let whole = conductance(&patch, force)?;
                patch.places().for_each(|k| out[k] = whole * (push[k] / force));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::expect_used, clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "tests")]
    use super::*;
    use crate::{
        ids::{BodyId, ContactKey},
        math::{Frame, Vec3},
        network::{Contact, ContactGeometry, ContactStatus},
    };

    /// Two chunks and a half of contacts, every fifth pair a face of two points: the same bits from any number of threads, those of the law itself, and of two errors the first.
    #[test]
    fn threads_share_the_contacts() {
        let (ball, flat) = (ContactGeometry::Point { reduced_radius: 0.1, roundness: 1.0 }, ContactGeometry::Flat { area: 0.5 });
        let mut network = ContactNetwork::default();
        for k in 0..CHUNK as u32 * 5 / 2 {
            let (pair, points, geometry) = if k % 5 == 0 { ((k, k + 1), 2, flat) } else { ((k, k + 1), 1, ball) };
            for feature in 0..points {
                network.contacts.push(Contact {
                    key: ContactKey { candidate: BodyId(pair.0), antagonist: BodyId(pair.1), feature },
                    point: Vec3::x() * feature as f64,
                    frame: Frame::spatial(Vec3::z()),
                    gap: 0.0,
                    geometry,
                    least_radius: f64::INFINITY,
                    law: 0,
                    u_before: Vec3::zeros(),
                    u: Vec3::zeros(),
                    r: Vec3::zeros(),
                    heat_friction: 0.0,
                    heat_impact: 0.0,
                    status: ContactStatus::Open,
                });
            }
        }
        let push: Vec<f64> = (0..network.len()).map(|k| (k as f64).sin().max(0.0)).collect();
        let patches = network.patches();
        let run = |threads: usize, fails: &(dyn Fn(u32) -> bool + Sync)| {
            let law = |patch: &Patch<'_>, force: f64| {
                let body = patch.first().key.candidate.0;
                if fails(body) { Err(body) } else { Ok(force.cbrt() * f64::from(body)) }
            };
            let mut out = Vec::new();
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
            pool.install(|| patches.conductances(&network, &push, law, &mut out)).map(|()| out)
        };
        let want: Vec<f64> = patches
            .iter(&network)
            .flat_map(|patch| {
                let force: f64 = patch.places().map(|k| push[k]).sum();
                let whole = force.cbrt() * f64::from(patch.first().key.candidate.0);
                let part = |k: usize| if force > 0.0 { whole * (push[k] / force) } else { 0.0 };
                patch.places().map(part).collect::<Vec<_>>()
            })
            .collect();
        for threads in [1, 3] {
            assert_eq!(run(threads, &|_| false).as_ref(), Ok(&want), "{threads} threads");
            let pushes = |body: u32| network.contacts.iter().zip(&push).any(|(c, p)| c.key.candidate.0 == body && *p > 0.0);
            let first = (4001..).find(|body| body % 5 != 0 && pushes(*body));
            assert_eq!(run(threads, &|body| body > 4000 && body % 5 != 0).err(), first, "{threads} threads");
        }
    }
}
