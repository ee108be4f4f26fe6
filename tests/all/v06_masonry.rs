//! VALIDATION §6, masonry: rocking block, columns, arches between standing and falling.

use mpcd_core::Vec3;
use mpcd_sim::Simulation;

use crate::granular::build;

const G: f64 = 9.81;

/// Housner's block, half-width 0.1 m, half-height 0.5 m, released at 0.10 rad on one corner; e = 0, no sliding.
fn rocking(h: f64) -> Simulation {
    let tilt = 0.10_f64;
    let (s, c) = tilt.sin_cos();
    // The lower right corner stays at (0.1, 0): the block turned by −tilt about it.
    let (x, y) = (0.1 - 0.1 * c + 0.5 * s, 0.1 * s + 0.5 * c);
    let text = format!(
        r#"(dimension: 2, gravity: (0, -{G}), time: (step: {h}, end: 10), materials: {{"stone": (density: 2000)}},
        bodies: [
          (group: "block", material: "stone", shape: Box(half: (0.1, 0.5)), at: ({x}, {y}), rotation: -{tilt}),
          (group: "floor", material: "stone", shape: Plane(normal: (0, 1))),
        ],
        interactions: [(between: ("block", "floor"), law: Coulomb(friction: 5))],
        physics: [Contact(tolerance: 1e-11, alert: "1 cm")])"#
    );
    build(&text, &[])
}

/// Angle of the block about z.
fn angle(run: &Simulation) -> f64 {
    let q = run.world().kinematics.orientation[0];
    2.0 * q.k.atan2(q.w)
}

#[test]
fn v06_rocking_block() {
    let h = 5e-5;
    let mut run = rocking(h);
    let (mut impacts, mut peaks) = (Vec::new(), Vec::new());
    let (mut before, mut spin_before) = (angle(&run), 0.0);
    while peaks.len() < 4 {
        run.step().unwrap();
        let (now, spin) = (angle(&run), run.world().kinematics.angular_velocity[0].z);
        if now * before <= 0.0 && impacts.len() <= peaks.len() {
            impacts.push((run.time(), f64::abs(spin_before), 0.0));
        }
        // The impulse of the impact is over two steps after the block stood upright.
        if let Some(last) = impacts.last_mut()
            && last.2 == 0.0
            && run.time() > last.0 + 2.0 * h
        {
            last.2 = spin.abs();
        }
        if impacts.len() > peaks.len() && spin * spin_before < 0.0 && now.abs() > 0.01 {
            peaks.push(now.abs());
        }
        assert!(run.time() < 5.0, "impacts {impacts:?}, peaks {peaks:?}");
        (before, spin_before) = (now, spin);
    }
    let (when, fall, rise) = impacts[0];
    assert!((when / 0.351120 - 1.0).abs() < 0.01, "quarter period {when}");
    assert!((fall / 0.650881 - 1.0).abs() < 0.01, "ω before the impact {fall}");
    assert!((rise / fall / 0.942308 - 1.0).abs() < 0.01, "ω ratio {}", rise / fall);
    for (found, want) in peaks.iter().zip([0.084338, 0.072055, 0.062075, 0.053790]) {
        assert!((found / want - 1.0).abs() < 0.01, "amplitudes {peaks:?}, expected {want}");
    }
}

/// Sum of the normal forces between neighbours in a column (N), from the floor up.
fn joint_forces(run: &Simulation, floor: usize, blocks: &[usize]) -> Vec<f64> {
    let h = run.model().time.step.si();
    let chain: Vec<usize> = std::iter::once(floor).chain(blocks.iter().copied()).collect();
    let between = |a: usize, b: usize| {
        let contacts = run.world().network.iter().filter(move |c| {
            let (i, j) = (c.key.candidate.index(), c.key.antagonist.index());
            (i, j) == (a, b) || (j, i) == (a, b)
        });
        contacts.map(|c| c.force(h).y.abs()).sum()
    };
    chain.windows(2).map(|p| between(p[0], p[1])).collect()
}

#[test]
fn v06_column_of_blocks_carries_what_is_above() {
    let n = 10;
    let text = format!(
        r#"(dimension: 2, gravity: (0, -{G}), time: (step: 1e-3, end: 1), materials: {{"stone": (density: 2000)}},
        bodies: [
          (group: "blocks", material: "stone", packing: Columns(block: (0.3, 0.2), courses: {n})),
          (group: "floor", material: "stone", shape: Plane(normal: (0, 1))),
        ],
        interactions: [
          (between: ("blocks", "floor"), law: Coulomb(friction: 0.6)), (between: ("blocks", "blocks"), law: Coulomb(friction: 0.6)),
        ],
        physics: [Contact(tolerance: 1e-10)])"#
    );
    let mut run = build(&text, &[]);
    for _ in 0..20 {
        run.step().unwrap();
    }
    let weight = 2000.0 * 0.3 * 0.2 * G;
    let blocks: Vec<usize> = (0..n).collect();
    for (below, force) in joint_forces(&run, n, &blocks).into_iter().enumerate() {
        let want = weight * (n - below) as f64;
        assert!((force / want - 1.0).abs() < 1e-6, "joint {below}: {force}, expected {want}");
    }
}

/// What the voussoirs of a ring weigh about: the radius of their centroids.
#[derive(Clone, Copy)]
enum Voussoir {
    /// Sectors of a ring.
    Sector,
    /// Quadrangles with straight sides, as `Arch` lays them.
    Straight,
}

/// Largest horizontal load, over the weight, that a semicircular arch of mean radius 1 carries without sliding or tension: a
/// linear problem in the reaction at the left springing (H, V, M) and λ, solved by trying all sets of four joints' edges.
fn collapse(voussoirs: usize, thickness: f64, kind: Voussoir) -> f64 {
    let n = voussoirs;
    let step = std::f64::consts::PI / n as f64;
    let (ri, ro) = (1.0 - 0.5 * thickness, 1.0 + 0.5 * thickness);
    let half = 0.5 * step;
    let middle = 2.0 / 3.0 * (ro.powi(3) - ri.powi(3)) / (ro * ro - ri * ri);
    let radius = middle
        * match kind {
            Voussoir::Sector => half.sin() / half,
            Voussoir::Straight => half.cos(),
        };
    let at = |r: f64, angle: f64| (r * angle.cos(), r * angle.sin());
    let pi = std::f64::consts::PI;
    let centroids: Vec<(f64, f64)> = (0..n).map(|i| at(radius, pi - (i as f64 + 0.5) * step)).collect();
    // Rows a·(H, V, M, λ) ≥ b for the inner and outer edge of every joint. The left part, springing to joint k, is under the
    // reaction (H, V, M about the middle of the springing), its weights (0, −1/n) and the loads (λ/n, 0).
    let weight = 1.0 / n as f64;
    let mut rows: Vec<([f64; 4], f64)> = Vec::new();
    for k in 0..=n {
        let angle = pi - k as f64 * step;
        // The joint pushes the left part back: along the tangent against the way round, towards the left springing.
        let (tx, ty) = (-angle.sin(), angle.cos());
        let part = |unknown: [f64; 4], loads: f64| {
            let [h, v, m, lambda] = unknown;
            let (mut fx, mut fy, (cx, cy)) = (h, v, at(1.0, angle));
            let mut moment = m + (-1.0 - cx) * v - (0.0 - cy) * h;
            for (x, y) in &centroids[..k] {
                fx += lambda * weight;
                fy -= loads * weight;
                moment += -(x - cx) * loads * weight - (y - cy) * lambda * weight;
            }
            // Thrust of the left part on the joint and its moment about the joint's middle.
            (-(fx * tx + fy * ty), moment)
        };
        let zero = part([0.0; 4], 1.0);
        let column = |i: usize| {
            let mut e = [0.0; 4];
            e[i] = 1.0;
            part(e, 0.0)
        };
        for sign in [1.0, -1.0] {
            let a = std::array::from_fn(|i| 0.5 * thickness * column(i).0 + sign * column(i).1);
            rows.push((a, -(0.5 * thickness * zero.0 + sign * zero.1)));
        }
    }
    let mut best = f64::NEG_INFINITY;
    let m = rows.len();
    for i in 0..m {
        for j in i + 1..m {
            for k in j + 1..m {
                for l in k + 1..m {
                    let chosen = [i, j, k, l];
                    let a = nalgebra::Matrix4::from_fn(|r, c| rows[chosen[r]].0[c]);
                    let b = nalgebra::Vector4::from_fn(|r, _| rows[chosen[r]].1);
                    if a.determinant().abs() < 1e-14 {
                        continue;
                    }
                    let Some(x) = a.try_inverse().map(|a| a * b) else { continue };
                    let holds = |row: &([f64; 4], f64)| (0..4).map(|c| row.0[c] * x[c]).sum::<f64>() >= row.1 - 1e-10;
                    if x[3] > best && rows.iter().all(holds) {
                        best = x[3];
                    }
                }
            }
        }
    }
    best
}

/// The limit analysis that the arches are judged by, against the reference numbers for sectors.
#[test]
fn v06_limit_analysis_of_arches() {
    for (n, want) in [(15, 0.14975), (27, 0.14510)] {
        let found = collapse(n, 0.15, Voussoir::Sector);
        assert!((found - want).abs() < 1e-5, "N = {n}: λ = {found}, expected {want}");
    }
}

/// An arch of t/R = 0.15 under a horizontal load that grows to `part` of what it carries in 0.2 s and stays for 0.3 s: the
/// farthest that a voussoir moved (m) and the largest speed at the end [m/s].
fn loaded(voussoirs: usize, part: f64) -> (f64, f64) {
    let load = part * collapse(voussoirs, 0.15, Voussoir::Straight);
    let step = std::f64::consts::PI / voussoirs as f64;
    let weight = 2000.0 * 0.5 * step.sin() * (1.075_f64.powi(2) - 0.925_f64.powi(2)) * G;
    let text = format!(
        r#"(dimension: 2, gravity: (0, -{G}), time: (step: 2e-3, end: 0.5), materials: {{"stone": (density: 2000)}},
        bodies: [
          (group: "arch", material: "stone", packing: Arch(radius: 1, thickness: 0.15, voussoirs: {voussoirs})),
          (group: "floor", material: "stone", shape: Plane(normal: (0, 1))),
        ],
        interactions: [
          (between: ("arch", "floor"), law: Coulomb(friction: 1)), (between: ("arch", "arch"), law: Coulomb(friction: 1)),
        ],
        loads: [(on: "arch", load: Force(x: Ramp(from: 0, to: {}, end: 0.2)))],
        physics: [Contact(tolerance: 1e-7)])"#,
        load * weight
    );
    let mut run = build(&text, &[]);
    let start = run.world().kinematics.position.clone();
    while !run.finished() {
        run.step().unwrap_or_else(|e| panic!("N = {voussoirs}, {part} λ: {e}"));
    }
    let k = run.world().kinematics;
    let moved = k.position.iter().zip(&start).map(|(x, y)| (x - y).norm()).fold(0.0, f64::max);
    (moved, k.velocity.iter().map(Vec3::norm).fold(0.0, f64::max))
}

fn stands_and_falls(voussoirs: usize) {
    let (moved, speed) = loaded(voussoirs, 0.97);
    assert!(moved < 1e-4 && speed < 1e-4, "N = {voussoirs} at 0.97 λ: moved {moved:e} m, {speed:e} m/s");
    let (moved, speed) = loaded(voussoirs, 1.03);
    assert!(moved > 2e-4 && speed > 1e-3, "N = {voussoirs} at 1.03 λ: moved {moved:e} m, {speed:e} m/s");
}

#[test]
fn v06_arch_of_7_stands_and_falls() {
    stands_and_falls(7);
}

#[test]
fn v06_arch_of_15_stands_and_falls() {
    stands_and_falls(15);
}

#[test]
fn v06_arch_of_27_stands_and_falls() {
    stands_and_falls(27);
}
