//! A heap settled by both schemes: what floor and walls carry agrees.

use mpcd_core::Vec3;

use crate::smooth::heap::{carried, heap};

#[test]
fn both_schemes_settle_a_heap_with_the_same_resultants() {
    let h = 1e-3;
    let mut found = Vec::new();
    for module in ["Contact(tolerance: 1e-7)", "Contact(scheme: Explicit(), tolerance: 1e-7)"] {
        let mut run = heap("Coulomb(friction: 0.3)").build(module).unwrap();
        let weight: f64 = run.setup.bodies.mass.iter().sum::<f64>() * 9.81;
        let (mut deepest, mut passes) = (0.0_f64, 0.0_f64);
        for _ in 0..1500 {
            let report = run.step(h);
            deepest = deepest.max(run.network().iter().map(|c| -c.gap).fold(0.0, f64::max));
            passes += report.numbers.iter().find(|(n, _)| *n == "passes").map_or(0.0, |p| p.1);
        }
        let fastest = run.kinematics().velocity.iter().map(Vec3::norm).fold(0.0, f64::max);
        assert!(fastest < 1e-6, "{module} still moves: {fastest:e}");
        let planes = [25, 26, 27].map(|p| carried(&run, p, h));
        let all: Vec3 = planes.iter().sum();
        assert!((all + Vec3::y() * weight).norm() < 1e-5 * weight, "{module}: {all} {weight}");
        let centre: f64 = run.kinematics().position.iter().take(25).map(|x| x.y).sum::<f64>() / 25.0;
        assert!(passes < 1.7 * 1500.0, "{} passes a step", passes / 1500.0);
        found.push((planes, centre, deepest, weight));
    }
    let ((moreau, above, _, weight), (explicit, centre, deepest, _)) = (&found[0], &found[1]);
    for (a, b) in moreau.iter().zip(explicit) {
        // The two heaps are not the same grain by grain.
        assert!((a - b).norm() < 0.15 * weight, "{a} {b}");
    }
    assert!((above - centre).abs() < 0.03 * centre, "{above} {centre}");
    assert!(*deepest < 1e-8, "{deepest:e}");
}
