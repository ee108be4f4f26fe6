//! Dumont's tangents, derived again from his printed ones with their misprints corrected, against those in use.

use crate::local::nonsmooth::Reformulation;
use crate::random::SplitMix;

/// A sliding contact at which τ leaves the cone sideways; (μ, ρ, r, v).
fn sliding(random: &mut SplitMix) -> (f64, f64, [f64; 3], [f64; 3]) {
    loop {
        let (mu, rho) = (0.1 + random.unit(), 0.2 + random.unit());
        let [r, v]: [[f64; 3]; 2] = std::array::from_fn(|_| std::array::from_fn(|_| random.signed()));
        let tangential = (r[1] - rho * v[1]).hypot(r[2] - rho * v[2]);
        let normal = [r[0] - rho * v[0], r[0] - rho * (v[0] + mu * v[1].hypot(v[2]))];
        if normal[0] > 0.05 && tangential > mu * normal[0] * 1.05 && mu * tangential > -normal[1] + 0.05 {
            return (mu, rho, r, v);
        }
    }
}

/// Dumont §3.3, sliding: columns of A_c and B_c of the bi-potential.
#[test]
fn tangent_of_ebp_is_the_sources() {
    let mut random = SplitMix::new(5);
    for _ in 0..200 {
        let (mu, rho, r, v) = sliding(&mut random);
        let speed = v[1].hypot(v[2]);
        let tau = [r[0] - rho * (v[0] + mu * speed), r[1] - rho * v[1], r[2] - rho * v[2]];
        let size = tau[1].hypot(tau[2]);
        let side = [-mu, tau[1] / size, tau[2] / size];
        let (scale, excess) = (1.0 / (1.0 + mu * mu), (size - mu * tau[0]) / (1.0 + mu * mu));
        let lin = Reformulation::NaturalMap.linearise(mu, rho, &r, &v);
        for i in 0..3 {
            let delta = |j: usize| f64::from(u8::from(i == j));
            let mut differences = vec![
                lin.b[i][0] + mu * scale * side[i],
                lin.a[i][0] - rho * delta(0) - rho * mu * scale * side[i],
                lin.value[i] - (r[i] - tau[i] + excess * side[i]),
            ];
            for j in 1..3 {
                let tangent = if i == 0 { 0.0 } else { (delta(j) - tau[j] * tau[i] / (size * size)) / size };
                differences.push(lin.b[i][j] - (scale * side[j] * side[i] + excess * tangent));
                let slide = mu * v[j] / speed * delta(0);
                let bracket = (side[j] - mu * mu * v[j] / speed) * side[i] * scale + excess * tangent;
                differences.push(lin.a[i][j] - rho * (delta(j) + slide - bracket));
            }
            assert!(differences.iter().all(|d| d.abs() < 1e-12), "{i}: {differences:?}");
        }
    }
}

/// Dumont §3.5, sliding: columns of A_c and B_c of the augmented Lagrangian; in 2D B_c is `ρ [[1, 0], [μθ, 0]]`, where the
/// source lacks ρ.
#[test]
fn tangent_of_eal_is_the_sources() {
    let mut random = SplitMix::new(6);
    for _ in 0..200 {
        let (mu, rho, r, v) = sliding(&mut random);
        let tau: [f64; 3] = std::array::from_fn(|k| r[k] - rho * v[k]);
        let size = tau[1].hypot(tau[2]);
        let lin = Reformulation::AlartCurnier.linearise(mu, rho, &r, &v);
        for i in 1..3 {
            assert!((lin.b[i][0] + mu * tau[i] / size).abs() < 1e-12);
            assert!((lin.a[i][0] - rho * mu * tau[i] / size).abs() < 1e-12);
            for j in 1..3 {
                let delta = f64::from(u8::from(i == j));
                let turn = mu * tau[0] * (delta / size - tau[i] * tau[j] / size.powi(3));
                assert!((lin.b[i][j] - delta + turn).abs() < 1e-12);
                assert!((lin.a[i][j] - rho * turn).abs() < 1e-12);
            }
        }
        assert!((lin.a[0][0] - rho).abs() < 1e-15 && lin.b[0] == [0.0; 3]);

        let flat = Reformulation::AlartCurnier.linearise(mu, rho, &[r[0], 2.0], &[v[0], 0.0]);
        if 2.0 > mu * tau[0] {
            assert_eq!(flat.a, [[rho, 0.0], [mu * rho, 0.0]]);
            assert_eq!(flat.b, [[0.0, 0.0], [-mu, 1.0]]);
        }
    }
}

/// In 2D ∂Z/∂v_t of the bi-potential has (1 + θ_r θ_v), printed otherwise: all tangents against differences.
#[test]
fn tangents_in_the_plane_agree_with_differences() {
    let mut random = SplitMix::new(7);
    let step = 1e-6;
    for equation in [Reformulation::NaturalMap, Reformulation::AlartCurnier, Reformulation::JeanMoreau] {
        let mut wrong = 0;
        for _ in 0..400 {
            let (mu, rho) = (0.1 + random.unit(), 0.2 + random.unit());
            let x: [f64; 4] = std::array::from_fn(|_| random.signed());
            let value = |x: [f64; 4]| equation.linearise(mu, rho, &[x[0], x[1]], &[x[2], x[3]]).value;
            let exact = equation.linearise(mu, rho, &[x[0], x[1]], &[x[2], x[3]]);
            let mut worst = 0.0_f64;
            for j in 0..4 {
                let (mut up, mut down) = (x, x);
                up[j] += step;
                down[j] -= step;
                for i in 0..2 {
                    let slope = (value(up)[i] - value(down)[i]) / (2.0 * step);
                    let tangent = if j < 2 { exact.b[i][j] } else { exact.a[i][j - 2] };
                    worst = worst.max((tangent - slope).abs());
                }
            }
            wrong += usize::from(worst > 1e-6);
        }
        assert!(wrong <= 2, "{equation:?}: {wrong}");
    }
}
