//! The exact local solver against closed forms, a grid search and the error measure.

#![allow(clippy::unwrap_used, reason = "tests")]

use super::LocalBlock;
use crate::random::SplitMix;
use crate::{Cone, ErrorSum, FreeNorms};

/// Solves in the given frame: prepare, rotate q in, rotate r out.
fn solve<const D: usize>(w: &[[f64; 3]; 3], friction: f64, q: &[f64; 3]) -> [f64; 3] {
    let (block, c, s) = LocalBlock::prepare::<D>(w).unwrap();
    let mut turned = [0.0; D];
    turned[0] = q[0];
    turned[1] = c * q[1] + s * q[2];
    if D == 3 {
        turned[2] = c * q[2] - s * q[1];
    } else {
        turned[1] = q[1];
    }
    let r = block.solve_coulomb::<D>(friction, &turned);
    if D == 2 {
        return [r[0], r[1], 0.0];
    }
    [r[0], c * r[1] - s * r[2], s * r[1] + c * r[2]]
}

fn error<const D: usize>(w: &[[f64; 3]; 3], friction: f64, q: &[f64; 3], r: &[f64; 3]) -> f64 {
    let mut u = [0.0; D];
    let (mut rd, mut qd) = ([0.0; D], [0.0; D]);
    for i in 0..D {
        u[i] = q[i] + (0..D).map(|j| w[i][j] * r[j]).sum::<f64>();
        (rd[i], qd[i]) = (r[i], q[i]);
    }
    let lambda = crate::sweep::largest_eigenvalue::<D>(w);
    let mut free = FreeNorms::default();
    free.add(&qd, lambda);
    let mut sum = ErrorSum::default();
    sum.add(0, Cone::coulomb(friction), &rd, &u, lambda);
    sum.errors(&free).scaled
}

const IDENTITY: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

fn assert_close(r: [f64; 3], expected: [f64; 3]) {
    for k in 0..3 {
        assert!((r[k] - expected[k]).abs() < 1e-14, "{r:?} {expected:?}");
    }
}

#[test]
fn v4_identity_block() {
    assert_close(solve::<3>(&IDENTITY, 0.5, &[-1.0, 0.3, 0.0]), [1.0, -0.3, 0.0]);
    assert_close(solve::<3>(&IDENTITY, 0.5, &[-1.0, 0.8, 0.6]), [1.0, -0.4, -0.3]);
    assert_close(solve::<3>(&IDENTITY, 0.5, &[1.0, 0.8, 0.6]), [0.0; 3]);
    assert_close(solve::<2>(&IDENTITY, 0.5, &[-1.0, 0.3, 0.0]), [1.0, -0.3, 0.0]);
    assert_close(solve::<2>(&IDENTITY, 0.5, &[-1.0, 0.8, 0.0]), [1.0, -0.5, 0.0]);
}

/// Exact Coulomb, and not the convex relaxation, whose answer for μ = 0.5 is r = (1.6, 0.8).
#[test]
fn v4_coupled_planar_block() {
    let w = [[1.6, -1.2, 0.0], [-1.2, 3.4, 0.0], [0.0; 3]];
    let q = [-1.0, -2.0, 0.0];
    assert_close(solve::<2>(&w, 0.8, &q), [1.45, 1.10, 0.0]);
    let r = solve::<2>(&w, 0.5, &q);
    assert_close(r, [1.0, 0.5, 0.0]);
    assert!((r[0] - 1.6).abs() > 0.5, "this is the convex answer");
    assert!(error::<2>(&w, 0.5, &q, &[1.6, 0.8, 0.0]) > 1e-2, "the convex answer must show an error");
}

/// The planar problem embedded in 3D with an uncoupled s direction has the same answer.
#[test]
fn v4_coupled_block_embedded_in_space() {
    let w = [[1.6, -1.2, 0.0], [-1.2, 3.4, 0.0], [0.0, 0.0, 2.0]];
    let q = [-1.0, -2.0, 0.0];
    assert_close(solve::<3>(&w, 0.8, &q), [1.45, 1.10, 0.0]);
    assert_close(solve::<3>(&w, 0.5, &q), [1.0, 0.5, 0.0]);
}

/// A random SPD block with condition up to 1e8 and a random rotation: strong coupling of n, t and s.
fn random_block(random: &mut SplitMix) -> [[f64; 3]; 3] {
    let exponent = 8.0 * random.unit();
    let eigenvalues = [1.0, 10f64.powf(-exponent * random.unit()), 10f64.powf(-exponent)];
    let q = random.rotation();
    let scale = 10f64.powf(6.0 * (random.unit() - 0.5));
    let mut w = [[0.0; 3]; 3];
    for i in 0..3 {
        for j in 0..=i {
            w[i][j] = scale * (0..3).map(|k| q[i][k] * eigenvalues[k] * q[j][k]).sum::<f64>();
            w[j][i] = w[i][j];
        }
    }
    w
}

#[test]
fn v4_random_blocks_to_1e12() {
    let mut random = SplitMix::new(4);
    let (mut worst, mut multiple, mut slips) = (0.0_f64, 0, 0);
    for _ in 0..100_000 {
        let w = random_block(&mut random);
        let friction = 2.0 * random.unit();
        let q = [random.signed(), random.signed(), random.signed()];
        let r = solve::<3>(&w, friction, &q);
        worst = worst.max(error::<3>(&w, friction, &q, &r));
        let (block, _, _) = LocalBlock::prepare::<3>(&w).unwrap();
        multiple += usize::from(!block.slip_is_unique::<3>(friction));
        slips += usize::from(r[0] > 0.0 && r[1].hypot(r[2]) > friction * r[0] * (1.0 - 1e-9));
        let planar = solve::<2>(&w, friction, &q);
        worst = worst.max(error::<2>(&w, friction, &q, &planar));
    }
    assert!(worst <= 1e-12, "worst residual {worst:e}");
    assert!(multiple > 10_000 && slips > 10_000, "{multiple} {slips}: the sample misses the hard cases");
}

/// Where slip has several solutions the one of least λ is returned: compare with a fine scan of φ from λ = 0.
#[test]
fn of_several_slips_the_one_of_least_lambda_is_chosen() {
    let mut random = SplitMix::new(11);
    let mut several = 0;
    for _ in 0..20_000 {
        let w = random_block(&mut random);
        let friction = 2.0;
        let q = [-random.unit() * 0.3, random.signed(), random.signed()];
        let (block, _, _) = LocalBlock::prepare::<3>(&w).unwrap();
        if block.slip_is_unique::<3>(friction) {
            continue;
        }
        let stick = block.stick::<3>(&q);
        if stick[1].hypot(stick[2]) <= friction * stick[0] {
            continue;
        }
        let b: [f64; 2] = std::array::from_fn(|k| q[k + 1] - block.coupling[k] * q[0] / block.normal);
        let phi = |lambda: f64| {
            let t: [f64; 2] = std::array::from_fn(|k| -b[k] / (block.schur[k] + lambda));
            let along = block.coupling[0] * t[0] + block.coupling[1] * t[1];
            t[0].hypot(t[1]) + friction * (q[0] + along) / block.normal
        };
        let smallest = block.schur[0].min(block.schur[1]);
        let scan = (0..4_000).map(|k| smallest * (10f64.powf(f64::from(k) * 0.004) - 1.0));
        let mut signs = Vec::new();
        let mut first = None;
        for lambda in scan {
            let negative = phi(lambda) < 0.0;
            if signs.last() != Some(&negative) {
                signs.push(negative);
                if negative && first.is_none() {
                    first = Some(lambda);
                }
            }
        }
        if signs.len() < 4 {
            continue;
        }
        several += 1;
        let r = block.solve_coulomb::<3>(friction, &q);
        let found = -b[0] / r[1] - block.schur[0];
        let first = first.unwrap();
        assert!(
            found <= first * (1.0 + 1e-6) + 1e-6 * smallest && (found + smallest) * 1.01 >= first + smallest,
            "λ {found:e}, first sign change {first:e}"
        );
    }
    assert!(several > 3, "the sample has {several} problems with several slips");
}

#[test]
fn a_direction_that_cannot_move_gets_no_impulse_and_no_nan() {
    let w = [[1.0, 0.0, 0.0], [0.0, 0.5, 0.0], [0.0, 0.0, 0.0]];
    assert_close(solve::<3>(&w, 0.5, &[-1.0, 0.1, 0.0]), [1.0, -0.2, 0.0]);
    assert!(LocalBlock::prepare::<3>(&[[0.0; 3]; 3]).is_none());
}
