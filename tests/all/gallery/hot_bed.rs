//! The case of models/coupled/hot-bed.ron: what the bed takes, when the front comes out and how wide it is, by closed forms.

use mpcd_core::Book;

use super::{Case, build, runs, same};
use crate::granular::{column, steps};

pub(super) const CASES: &[&Case] = &[&HOT_BED];

const HOT_BED: Case = Case {
    path: "coupled/hot-bed.ron",
    sets: &[
        "periodic=(x: \"1.5 mm\", y: \"1.5 mm\")",
        "bodies[0].packing.to=(\"1.5 mm\", \"1.5 mm\", \"5 mm\")",
        "physics[1].grid.to=(\"1.5 mm\", \"1.5 mm\", \"5 mm\")",
        "physics[1].grid.cells=(3, 3, 10)",
        "physics[1].boundaries.z_max=Pressure(400)",
    ],
    steps: 60,
    positive: &["fluid_temperature", "fluid_heat"],
    books: &[Book::Fluid, Book::Heat],
};

/// With f the part of the jump that the outlet lacks, ∫ f dt is the time of the front and 2 ∫ t f dt less its square the variance of it. The bed has taken C ΔT, C that of
/// beads and water, so that the front needs C/(ρ c Q), Q m³ of water a second. Its variance is the sum of 2 Σ C_g²/(h A_g)/(ρ c Q) by the film (the second cumulant of Schumann's bed), of 2 a/L times the
/// square of its time by dispersion, a = Δz/2 (the upwind scheme) + φ k/(ρ c q) + h_v σ²/(ρ c q) (beads that join cells: a hat of a diameter, over cells), and of a step times its time (implicit Euler).
#[test]
fn hot_bed() {
    runs(&HOT_BED);
    same(&HOT_BED, 8);
    the_front_is_that_of_schumann(3, 0.03);
}

/// In cells of a quarter of a diameter no water passes between beads unseen.
#[test]
fn a_front_in_fine_cells_is_no_wider_than_it_should_be() {
    the_front_is_that_of_schumann(12, 0.03);
}

/// `across`: cells across the bed of three diameters.
fn the_front_is_that_of_schumann(across: usize, within: f64) {
    let cells = format!("physics[1].grid.cells=({across}, {across}, {})", 10 * across / 3);
    let sets = HOT_BED.sets.iter().copied().chain([&*cells.leak()]).collect::<Vec<_>>();
    let mut run = build(&Case { sets: sets.leak(), ..HOT_BED }).unwrap();
    let (step, jump, water, conductivity) = (4e-3_f64, 60.0_f64, 4.182e6_f64, 0.6_f64);
    let (area, length, dz) = (1.5e-3 * 1.5e-3_f64, 5e-3_f64, 1.5e-3 / across as f64);
    let (mut taken, count) = (0.0_f64, 125);
    let mut passed: Vec<[f64; 2]> = Vec::new();
    for _ in 0..count {
        let outcome = steps(&mut run, 1);
        assert!((outcome.h - step).abs() < 1e-12);
        let [heat, through] = ["fluid_heat_in", "inflow_z_max"].map(|name| column(&run, &outcome, name).unwrap());
        taken += step * heat;
        passed.push([through, heat / (water * through * jump)]);
    }
    let flow = passed.iter().map(|[through, _]| through).sum::<f64>() / f64::from(count);
    // The clock is the water that has passed, as the beads give way by the last of their overlap.
    let (mut now, mut lacking, mut late) = (0.0_f64, 0.0_f64, 0.0_f64);
    for [through, part] in passed {
        let gone = step * through / flow;
        lacking += gone * part;
        late += 2.0 * gone * (now + 0.5 * gone) * part;
        now += gone;
    }
    let bodies = &run.setup().bodies;
    let beads: Vec<(f64, f64)> =
        bodies.volume.iter().zip(&bodies.mass).filter(|(_, m)| **m > 0.0).map(|(v, m)| (*v, *m)).collect();
    let solid: f64 = beads.iter().map(|(v, _)| v).sum();
    let capacity = water * (area * length - solid) + beads.iter().map(|(_, m)| 800.0 * m).sum::<f64>();
    assert!((taken / (capacity * jump) - 1.0).abs() < 1e-4, "{taken} J taken, {} J held", capacity * jump);
    let time = capacity / (water * flow);
    // Wakao's film, Pr = 6.97
    let flux = flow / area;
    let film = |v: f64| -> f64 {
        let d = (6.0 * v / std::f64::consts::PI).cbrt();
        let nusselt = 2.0 + 1.1 * (1e-3 * 4182.0 / conductivity).cbrt() * (1000.0 * flux * d / 1e-3).powf(0.6);
        nusselt * conductivity / d * std::f64::consts::PI * d * d
    };
    let lag: f64 = beads.iter().map(|(v, m)| 2.0 * (800.0 * m).powi(2) / film(*v)).sum::<f64>() / (water * flow);
    let joined = beads.iter().map(|(v, _)| film(*v)).sum::<f64>() / (area * length) * (5e-4_f64.powi(2) / 6.0 + dz * dz / 12.0);
    let porosity = 1.0 - solid / (area * length);
    let dispersion = 0.5 * dz + (porosity * conductivity + joined) / (water * flux);
    let variance = lag + 2.0 * dispersion / length * time * time + step * time;
    let found = late - lacking * lacking;
    assert!(
        (found / variance - 1.0).abs() < within,
        "a width of {} s, {} s by Schumann and dispersion",
        found.sqrt(),
        variance.sqrt()
    );
}
