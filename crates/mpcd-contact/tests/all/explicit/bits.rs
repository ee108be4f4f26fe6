//! The same bits: resumed from a saved state, after a rejected step, without caches, on one thread and two.

use super::{books::crowd, contact};
use crate::scene::Run;

const STEPS: usize = 12;

fn record(perturb: impl Fn(&mut Run, usize)) -> Vec<Vec<u8>> {
    let mut run = crowd(&contact(0.7, 1e-7));
    (0..STEPS)
        .map(|k| {
            perturb(&mut run, k);
            run.step(5e-4);
            run.module.save().unwrap()
        })
        .collect()
}

#[test]
fn every_perturbed_explicit_run_gives_the_same_bits() {
    let plain = record(|_, _| {});
    assert!(plain == record(|run, _| run.module.drop_caches()), "without caches");
    assert!(plain == record(|run, _| run.rehearse(2.5e-4)), "each step rejected once");
    let resumed = record(|run, k| {
        if k == STEPS / 2 {
            let bytes = run.module.save().unwrap();
            let (index, time) = (run.index, run.time);
            *run = crowd(&contact(0.7, 1e-7));
            run.module.load(&bytes).unwrap();
            (run.index, run.time) = (index, time);
        }
    });
    assert!(plain == resumed, "resumed");
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert!(plain == pool.install(|| record(|_, _| {})), "{threads} threads");
    }
}
