//! The same bits: resumed from a saved state, after a rejected step, without caches, on one thread and two.

use super::books::crowd;
use crate::scene::Run;

const STEPS: usize = 12;

/// Everything that changes, after each step; `perturb` acts before each.
fn record(module: &str, perturb: impl Fn(&mut Run, usize)) -> Vec<Vec<u8>> {
    let mut run = crowd("HertzMindlin(friction: 0.4, restitution: 0.7)", module);
    (0..STEPS)
        .map(|k| {
            perturb(&mut run, k);
            run.step(5e-4);
            run.module.save().unwrap()
        })
        .collect()
}

#[test]
fn every_perturbed_run_gives_the_same_bits() {
    for module in [
        "SmoothContact()",
        "SmoothContact(integrator: TimeCentred, damping: 0.3)",
        "SmoothContact(integrator: Gear)",
        "SmoothContact(integrator: Implicit(), substeps: 4)",
    ] {
        let plain = record(module, |_, _| {});
        assert!(plain == record(module, |run, _| run.module.drop_caches()), "{module}: without caches");
        assert!(plain == record(module, |run, _| run.rehearse(5e-4)), "{module}: each step rejected once");
        // Resumed half way: the state goes through its bytes into a new module.
        let resumed = record(module, |run, k| {
            if k == STEPS / 2 {
                let bytes = run.module.save().unwrap();
                let (index, time) = (run.index, run.time);
                *run = crowd("HertzMindlin(friction: 0.4, restitution: 0.7)", module);
                run.module.load(&bytes).unwrap();
                (run.index, run.time) = (index, time);
            }
        });
        assert!(plain == resumed, "{module}: resumed");
        for threads in [1, 2] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            assert!(plain == pool.install(|| record(module, |_, _| {})), "{module}: {threads} threads");
        }
    }
}
