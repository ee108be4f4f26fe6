//! Grains that a liquid compresses: Skempton's coefficient, consolidation, momentum and energy, the balance of the module, what is refused.

use mpcd_core::{Dimension, Vec3, field::names};
use mpcd_darcy::{
    biot::{Biot, BiotLaw},
    deposit::{Deposit, Stencil},
    ends::EndLaw,
    force::{felt_jumps, pressure_force, pressure_jumps, pull},
    medium::PorosityBounds,
    step::{MeanEnd, Scheme, Stepper},
};

use crate::{
    coupling::scene,
    module::{Run, build},
    pistons::{beads, slab, text, vessel},
    support::{BOUNDS, deposited, grid, held, uniform_medium, walls, water},
};

const ALPHA: f64 = 0.8;
const GRAINS: f64 = 1e9;
const POROSITY: f64 = 0.4;
const KAPPA: f64 = 1e-11;
/// Modulus of the skeleton in uniaxial strain (Pa).
const SKELETON: f64 = 3e9;
const LOAD: f64 = 1e4;
const LENGTH: f64 = 0.2;

/// S = φ c_f + (α − φ)/K_s [1/Pa].
fn storage() -> f64 {
    POROSITY * water().content_slope() + (ALPHA - POROSITY) / GRAINS
}

/// A column along an axis of a box, `others` the cells across: a skeleton that is elastic (σ' = M ε, no inertia) under a load that is put on at once, closed at the bottom. The step is
/// repeated until pressure and strain agree. Returns the pressure over the load, cell by cell, after the times asked for.
fn column(axis: usize, across: [usize; 3], top: EndLaw, h: f64, at: &[usize]) -> Vec<Vec<f64>> {
    let n = 100;
    let (mut lengths, mut count) = ([0.01; 3], across);
    (lengths[axis], count[axis]) = (LENGTH, n);
    let g = grid(lengths, count, [false; 3]);
    let mut medium = uniform_medium(&g, POROSITY, KAPPA);
    medium.biot =
        Some(Biot { coefficient: vec![ALPHA; g.len()], storage: vec![(ALPHA - POROSITY) / GRAINS * g.cell_volume(); g.len()] });
    let mut sides = walls();
    sides[axis][1] = top;
    let mut stepper = Stepper::new(g.clone(), water(), sides, Scheme { theta: 1.0, ..Scheme::default() });
    // shortening of each cell, over its length
    let strain = |p: &[f64]| p.iter().map(|p| (LOAD - ALPHA * p) / SKELETON).collect::<Vec<_>>();
    let (mut pressure, mut before) = (vec![0.0; g.len()], vec![0.0; g.len()]);
    let mut out = Vec::new();
    for k in 0..at.iter().max().unwrap() + 1 {
        // the first step is short: nothing has time to flow
        let h = if k == 0 { 1e-9 * h } else { h };
        let start = pressure.clone();
        let mut after = start.clone();
        for round in 0.. {
            let now = strain(&after);
            let mut way = vec![0.0; g.len()];
            for c in 0..g.len() {
                let [i, j, l] = g.indices(c);
                let below = (0..g.len()).filter(|d| {
                    let [a, b, e] = g.indices(*d);
                    let (own, other) = ([i, j, l], [a, b, e]);
                    (0..3).all(|x| x == axis || own[x] == other[x]) && other[axis] <= own[axis]
                });
                way[c] = -below.map(|d| now[d] - before[d]).sum::<f64>() * g.cell_volume();
            }
            for (face, sides) in g.sides(axis).iter().enumerate() {
                medium.total.0[axis][face] = sides.0.map_or(0.0, |c| way[c]);
            }
            // fluid and solid go together: what is carried is of the order of c_f p and left out of the closed forms
            medium.solid.0[axis].clone_from(&medium.total.0[axis]);
            let last = after.clone();
            after.clone_from(&start);
            stepper.advance(0.0, h, &medium, &mut after, false).unwrap();
            let change = after.iter().zip(&last).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            if change < 1e-10 * LOAD {
                break;
            }
            assert!(round < 200, "{change}");
        }
        before = strain(&after);
        pressure = after;
        if at.contains(&k) {
            out.push(pressure.iter().map(|p| p / LOAD).collect());
        }
    }
    out
}

/// Skempton's coefficient in uniaxial strain: p/P = α/(α² + S M) where nothing can leave.
#[test]
fn an_undrained_load_raises_the_pressure_as_skempton_says() {
    let want = ALPHA / (ALPHA * ALPHA + storage() * SKELETON);
    assert!((0.1..0.6).contains(&want));
    for (axis, across) in [(0, [1, 1, 1]), (1, [2, 1, 1]), (2, [1, 2, 1])] {
        for p in &column(axis, across, EndLaw::Wall, 1.0, &[0])[0] {
            assert!((p / want - 1.0).abs() < 1e-5, "axis {axis}: {p} instead of {want}");
        }
    }
}

/// Terzaghi's curve with c_v = κ/(η (S + α²/M)): U = 0.35682 at T = c_v t/L² = 0.1 and 0.50034 at 0.197.
#[test]
fn consolidation_goes_by_the_storage_of_liquid_and_grains_and_skeleton() {
    let c_v = KAPPA / (water().viscosity * (storage() + ALPHA * ALPHA / SKELETON));
    let steps = 400;
    let h = 0.197 * LENGTH * LENGTH / c_v / steps as f64;
    let start = ALPHA / (ALPHA * ALPHA + storage() * SKELETON);
    for axis in [0, 1] {
        let tenth = (steps as f64 * 0.1 / 0.197).round() as usize;
        let found = column(axis, [1; 3], held(0.0), h, &[tenth, steps]);
        for (p, want) in found.iter().zip([0.35682, 0.50034]) {
            let settled = 1.0 - p.iter().sum::<f64>() / p.len() as f64 / start;
            assert!((settled - want).abs() < 2e-3, "axis {axis}: {settled} instead of {want}");
        }
    }
}

/// Σ F = −∮ α p n dA and Σ F·δ = Σ α p ∇·U − ∮ α p U, whatever α is from cell to cell, in the plane and in space.
#[test]
fn forces_and_work_close_with_a_coefficient_that_varies() {
    for (cells, width) in [([6, 5, 4], 0.0), ([6, 5, 4], 0.02), ([6, 5, 1], 0.02)] {
        let (g, mut medium, mean, grains, smoother) = scene(cells, [false; 3], 2e-3, width);
        let law = BiotLaw { coefficient: 0.96, modulus: Some(36e9) };
        let mut biot = Biot::new(&g, &deposited(&g, &grains), BOUNDS, law);
        // far from even, so that a gradient of α counts
        biot.coefficient.iter_mut().enumerate().for_each(|(c, a)| *a -= 0.3 * ((c * 7) % 5) as f64 / 5.0);
        let alpha = biot.coefficient.clone();
        medium.biot = Some(biot);
        let mut conductance = g.face_field();
        medium.conductance(&g, 1e-3, 1.0, &mut conductance);
        let mut jumps = pressure_jumps(&g, &water(), &mean, &conductance, None);
        felt_jumps(&g, &medium, &mean, &mut jumps);
        let pull = pull(&g, &medium, &smoother, jumps);
        let mut stencil = Stencil::default();
        let forces: Vec<Vec3> = grains.iter().map(|x| pressure_force(&g, &pull, &mut stencil, x).unwrap()).collect();
        let (mut sum, mut taken) = (Vec3::zeros(), 0.0);
        let mut squeezed = vec![0.0; g.len()];
        g.add_divergence(&medium.total, [true; 3], &mut squeezed);
        (0..g.len()).for_each(|c| taken += alpha[c] * mean.cells[c] * squeezed[c]);
        for axis in 0..3 {
            for (sides, u) in g.sides(axis).iter().zip(&medium.total.0[axis]) {
                let (side, c, sign) = match *sides {
                    (None, Some(c)) => (0, c, -1.0),
                    (Some(c), None) => (1, c, 1.0),
                    _ => continue,
                };
                let held = if let MeanEnd::Pressure(p) = mean.ends[axis][side] { Some(p) } else { None };
                sum[axis] -= sign * alpha[c] * held.unwrap_or(mean.cells[c]) * g.area(axis);
                taken -= sign * alpha[c] * held.unwrap_or(0.0) * u;
            }
        }
        let all: Vec3 = forces.iter().sum();
        let area: f64 = (0..3).map(|d| g.area(d) * g.face_count(d) as f64).sum();
        assert!((all - sum).norm() < 1e-13 * 1e5 * area, "{all:?} {sum:?}");
        let work: f64 = forces.iter().zip(&grains).map(|(f, x)| f.dot(&(x.position[1] - x.position[0]))).sum();
        let scale: f64 = medium.total.0.iter().flatten().map(|u| u.abs() * 1e5).sum();
        assert!((work - taken).abs() < 1e-12 * scale, "{work:e} {taken:e} of {scale:e}");
    }
}

/// A sealed vessel full of grains, pushed together: the balance of the liquid closes with what the grains give way, and all forces together are those of the pressures
/// outside, 0.
#[test]
fn a_sealed_vessel_keeps_its_liquid_and_its_momentum() {
    for (dimension, axis) in [(Dimension::Planar, 0), (Dimension::Spatial, 1), (Dimension::Spatial, 2)] {
        let planar = dimension == Dimension::Planar;
        let count = |d: usize| {
            if d == axis {
                20
            } else if planar && d == 2 {
                1
            } else {
                10
            }
        };
        let at = |d: usize, k: usize| if planar && d == 2 { 0.0 } else { 0.05 * (k as f64 + 0.5) };
        let places = (0..count(0)).flat_map(|i| (0..count(1)).flat_map(move |j| (0..count(2)).map(move |k| [i, j, k])));
        let radius = if planar { 0.022 } else { 0.025 };
        let grains: Vec<_> = places.map(|[i, j, k]| (Vec3::new(at(0, i), at(1, j), at(2, k)), radius)).collect();
        let setup = vessel(dimension, axis, &slab(axis), 1.05, &grains);
        let lid = |biot: &str| {
            let extra = format!("porosity: (min: 0.01, max: 0.7), couple: (buoyancy: false), {biot}");
            let mut run = Run::new(&text(dimension, axis, 8, "Liquid()", &extra), &setup);
            let (mut now, mut gave) = (setup.initial.clone(), 0.0);
            for _ in 0..5 {
                let mut after = now.clone();
                after.position[1][axis] -= 2e-7;
                let report = run.step(&setup, &now, &after, 10.0);
                let balance = &report.balances[0];
                assert!(balance.imbalance() < 1e-13, "{:e}", balance.imbalance());
                gave += balance.flows.iter().find(|(name, _)| *name == "grains").map_or(0.0, |(_, f)| f.x);
                now = after;
            }
            let force = Vec3::from_column_slice(&run.written(names::FLUID_FORCE)[3..6])[axis];
            // across, the ends have no bodies
            assert!(run.total_force()[axis].abs() < 1e-9 * force.abs(), "{:?} of {force}", run.total_force());
            (force, gave)
        };
        let (stiff, none) = lid("");
        let (soft, gave) = lid("biot: (coefficient: 0.75, grain_modulus: \"36 GPa\")");
        assert!(soft < 0.8 * stiff && soft > 0.3 * stiff, "{soft} {stiff}");
        assert!(none == 0.0 && gave != 0.0);
        // with α = 1 and grains that store nothing it is as without
        assert!((lid("biot: (coefficient: 1)").0 / stiff - 1.0).abs() < 1e-12);
        // with α = 1 the pressure is ΔV over the storage of the liquid and V_s/K_s, and the force that times the area: 1/F grows by V_s/(K_s ΔV A)
        let solid: f64 = setup.bodies.volume[2..].iter().sum();
        let modulus = 5e9;
        let more = 1.0 / lid(&format!("biot: (coefficient: 1, grain_modulus: {modulus:e})")).0.abs() - 1.0 / stiff.abs();
        // the force is that of the pressure at the end of the last of five steps
        let want = solid / (modulus * 5.0 * 2e-7 * 0.25 * 0.25);
        assert!((more / want - 1.0).abs() < 1e-4, "{more:e} {want:e}");
    }
}

#[test]
fn what_biot_cannot_be_is_refused() {
    let setup = vessel(Dimension::Spatial, 1, &slab(1), 1.05, &beads(Dimension::Spatial, 1, 20, 0.03));
    let mut heavy = vessel(Dimension::Spatial, 1, &slab(1), 1.05, &beads(Dimension::Spatial, 1, 20, 0.03));
    heavy.gravity = Vec3::new(0.0, -9.81, 0.0);
    let liquid = "Liquid()";
    for (setup, fluid, extra, says) in [
        (&setup, liquid, "biot: (coefficient: 0.5)", "expected a number from 0.75 (`max` of `porosity`) to 1"),
        (&setup, liquid, "biot: (coefficient: 1.1)", "expected a number from 0.75 (`max` of `porosity`) to 1"),
        (&setup, liquid, "biot: (coefficient: 0.9, grain_modulus: 0)", "above zero"),
        (&setup, "Gas()", "biot: (coefficient: 0.9)", "`biot` is for a liquid"),
        (&setup, liquid, "biot: (coefficient: 0.9), scheme: Split(form: Source)", "does not know grains that yield"),
        (&heavy, liquid, "biot: (coefficient: 0.9)", "is that of grains that do not yield"),
    ] {
        let error = build(&text(Dimension::Spatial, 1, 8, fluid, extra), setup).err().unwrap_or_else(|| panic!("{extra}"));
        assert!(error.to_string().contains(says), "{extra}: {error}");
    }
    assert!(
        build(&text(Dimension::Spatial, 1, 8, liquid, "biot: (coefficient: 0.9), couple: (buoyancy: false)"), &heavy).is_ok()
    );
}

/// α and the storage of a cell by the porosity of its grains, by hand: half the grains arrive in the step, so that the middle of it counts.
#[test]
fn coefficient_and_storage_go_by_the_porosity_of_the_cell() {
    let g = grid([1.0; 3], [1, 1, 6], [false; 3]);
    let (volume, law) = (g.cell_volume(), BiotLaw { coefficient: 0.8, modulus: Some(2e9) });
    // (min, max) of the porosity, the porosities, what α is there, and the porosity in the storage
    let tight = (
        PorosityBounds { min: 0.05, max: 0.75 },
        [0.0, 0.3, 0.5, 0.6, 0.75, 0.9],
        [0.8, 0.8, 0.8, 0.88, 1.0, 1.0],
        [0.05, 0.3, 0.5, 0.6, 0.75, 0.9],
    );
    // 2·0.6 − 1 is less than 0.3
    let loose = (
        PorosityBounds { min: 0.2, max: 0.6 },
        [0.1, 0.25, 0.3, 0.45, 0.6, 1.0],
        [0.8, 0.8, 0.8, 0.9, 1.0, 1.0],
        [0.2, 0.25, 0.3, 0.45, 0.6, 1.0],
    );
    for (bounds, porosity, alpha, held) in [tight, loose] {
        let mut deposit = Deposit::new(&g);
        for (c, phi) in porosity.iter().enumerate() {
            (deposit.solid_before[c], deposit.solid_after[c]) = (0.5 * (1.0 - phi) * volume, 1.5 * (1.0 - phi) * volume);
        }
        let found = Biot::new(&g, &deposit, bounds, law);
        for c in 0..6 {
            assert!((found.coefficient[c] - alpha[c]).abs() < 1e-12, "cell {c}: {}", found.coefficient[c]);
            let want = (alpha[c] - held[c]).max(0.0) * volume / 2e9;
            assert!(
                (found.storage[c] - want).abs() < 1e-12 * volume / 2e9,
                "cell {c}: {:e} instead of {want:e}",
                found.storage[c]
            );
        }
        assert!(Biot::new(&g, &deposit, bounds, BiotLaw { modulus: None, ..law }).storage.iter().all(|s| *s == 0.0));
    }
}

/// A bed looser than the bounds let α hold for is told, with the coefficient that it has.
#[test]
fn a_bed_without_the_coefficient_asked_for_is_told() {
    let setup = vessel(Dimension::Planar, 0, &slab(0), 1.05, &[(Vec3::new(0.45, 0.25, 0.0), 0.05)]);
    let said = |extra: &str| {
        let extra = format!("couple: (buoyancy: false), biot: (coefficient: 0.9), {extra}");
        let mut run = Run::new(&text(Dimension::Planar, 0, 8, "Liquid()", &extra), &setup);
        let steps = [0, 1].map(|_| run.step(&setup, &setup.initial, &setup.initial, 1e-3).warnings);
        assert!(steps[1].is_empty(), "{steps:?}");
        steps[0].clone()
    };
    let words = said("");
    assert!(
        words.iter().any(|w| w.starts_with("Biot's coefficient is 1.000 on average over the grains where `biot` says 0.9")),
        "{words:?}"
    );
}
