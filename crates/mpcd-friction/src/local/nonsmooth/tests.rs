//! Jacobians against finite differences; zeros against exact answers.

use super::Reformulation;
use crate::random::SplitMix;

const ALL: [Reformulation; 4] =
    [Reformulation::AlartCurnier, Reformulation::JeanMoreau, Reformulation::NaturalMap, Reformulation::FischerBurmeister];

fn vector(random: &mut SplitMix) -> [f64; 3] {
    [random.signed(), random.signed(), random.signed()]
}

#[test]
fn jacobians_agree_with_differences() {
    let mut random = SplitMix::new(11);
    let step = 1e-6;
    for kind in ALL {
        let mut wrong = 0;
        for _ in 0..400 {
            let (r, u, mu, rho) = (vector(&mut random), vector(&mut random), 0.1 + random.unit(), 0.2 + random.unit());
            let exact = kind.linearise(mu, rho, &r, &u);
            let mut worst = 0.0_f64;
            for j in 0..3 {
                let at = |dr: f64, du: f64| {
                    let (mut r, mut u) = (r, u);
                    r[j] += dr;
                    u[j] += du;
                    kind.linearise(mu, rho, &r, &u).value
                };
                let (rp, rm, up, um) = (at(step, 0.0), at(-step, 0.0), at(0.0, step), at(0.0, -step));
                for i in 0..3 {
                    worst = worst.max((exact.b[i][j] - (rp[i] - rm[i]) / (2.0 * step)).abs());
                    worst = worst.max((exact.a[i][j] - (up[i] - um[i]) / (2.0 * step)).abs());
                }
            }
            wrong += usize::from(worst > 1e-4);
        }
        // a kink may lie within the step of the differences, once in a while
        assert!(wrong <= 2, "{kind:?}: {wrong}");
    }
}

#[test]
fn exact_answers_are_zeros_and_others_are_not() {
    // W = I, μ = ½: slip r = (1, −0.4, −0.3), u = (0, 0.4, 0.3); stick; open
    let answers = [([1.0, -0.4, -0.3], [0.0, 0.4, 0.3]), ([1.0, 0.2, 0.1], [0.0; 3]), ([0.0; 3], [0.5, 1.0, -1.0])];
    for kind in ALL {
        for (r, u) in answers {
            let value = kind.linearise(0.5, 0.7, &r, &u).value;
            assert!(value.iter().all(|v| v.abs() < 1e-7), "{kind:?} {value:?}");
        }
        let value = kind.linearise(0.5, 0.7, &[1.0, 0.4, 0.3], &[0.0, 0.4, 0.3]).value;
        assert!(value.iter().any(|v| v.abs() > 0.1), "{kind:?} {value:?}");
    }
}
