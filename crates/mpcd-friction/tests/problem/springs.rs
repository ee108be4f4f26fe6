//! Springs beside contacts, as held bonds are: every contact obeys its law whoever solves, by its definition and not by any solver's own error.

use std::sync::Arc;

use mpcd_friction::exact::LocalBlock;
use mpcd_friction::problem::{ContactDimension, ContactProblem, Response};
use mpcd_friction::{LocalLaw, SolveInfo, SolveSettings, Springs, solver_by_name};
use nalgebra::{Matrix3, Vector3};

use super::compliance::{BOTH, apart, condensed, velocities};
use super::properties::{Trimming, assembly};

/// A law that is springs beside a contact, for sweeps too.
#[derive(Debug, Clone, Copy)]
struct Beside(Springs);

impl LocalLaw for Beside {
    fn name(&self) -> &'static str {
        "springs beside a contact"
    }

    /// `u = W r + q` with `r = r_c − D(δ + h u)` for r_c alone, then exactly.
    fn solve(&self, w: &Matrix3<f64>, q: &Vector3<f64>) -> Vector3<f64> {
        let Springs { stiffness, opening, h, friction } = self.0;
        let d = Matrix3::from_diagonal(&stiffness);
        let inverse = (Matrix3::identity() + w * d * h).try_inverse().unwrap();
        let (block, free) = (inverse * w, inverse * (q - w * d * opening));
        let rows: [[f64; 3]; 3] = std::array::from_fn(|i| std::array::from_fn(|j| 0.5 * (block[(i, j)] + block[(j, i)])));
        let shifted = free.x + opening.x / h;
        let own = if w[(2, 2)] == 0.0 {
            let (exact, _, _) = LocalBlock::prepare::<2>(&rows).unwrap();
            let [n, t] = exact.solve_coulomb::<2>(friction, &[shifted, free.y]);
            Vector3::new(n, t, 0.0)
        } else {
            let (exact, c, s) = LocalBlock::prepare::<3>(&rows).unwrap();
            let [n, t, b] = exact.solve_coulomb::<3>(friction, &[shifted, c * free.y + s * free.z, c * free.z - s * free.y]);
            Vector3::new(n, c * t - s * b, s * t + c * b)
        };
        own - d * (opening + (block * own + free) * h)
    }

    fn springs(&self) -> Option<Springs> {
        Some(self.0)
    }
}

/// Twelve bodies, two thirds of the thirty contacts with springs of this stiffness (N/m), some of them in one direction only.
fn problem(dimension: ContactDimension, stiffness: f64, seed: u64) -> (ContactProblem, Vec<Option<Springs>>) {
    let h = 1e-2;
    let mut problem = assembly(dimension, Trimming::Plain, 12, 30, seed);
    let mut springs = Vec::new();
    for k in 0..problem.contacts.len() {
        let k_n = stiffness * h * [1.0, 0.3, 1.0][k % 3];
        let k_t = if k % 5 == 0 { 0.0 } else { 0.4 * k_n };
        let opening = Vector3::new(1e-4 * (k % 4) as f64, 2e-4 * ((k % 7) as f64 - 3.0), 0.0);
        let own = Springs { stiffness: Vector3::new(k_n, k_t, k_t), opening, h, friction: 0.3 };
        springs.push((k % 3 != 1).then_some(own));
        if let Some(own) = springs[k] {
            problem.laws.push(Arc::new(Beside(own)));
            problem.contacts[k].response = Response::Law(problem.laws.len() - 1);
        }
    }
    (problem, springs)
}

/// How far the contacts with springs are from Coulomb's law between what the springs leave and u + (δ_n/h) n: the largest of penetration, pull,
/// work of both and excess of friction, over the largest impulse and speed.
fn misses(problem: &ContactProblem, springs: &[Option<Springs>]) -> f64 {
    let (u, largest) = (velocities(problem), |x: &mut dyn Iterator<Item = f64>| x.fold(0.0, f64::max));
    let speed = largest(&mut u.iter().map(|u| u.norm()));
    let impulse = largest(&mut problem.contacts.iter().map(|c| c.impulse.norm()));
    let mut worst = 0.0_f64;
    for (k, own) in springs.iter().enumerate() {
        let Some(own) = own else { continue };
        let r = problem.contacts[k].impulse + own.stiffness.component_mul(&(own.opening + u[k] * own.h));
        let (normal, slip) = (u[k].x + own.opening.x / own.h, Vector3::new(0.0, u[k].y, u[k].z));
        let along = Vector3::new(0.0, r.y, r.z);
        let bound = own.friction * r.x;
        worst = worst.max(-normal / speed).max(-r.x / impulse).max((normal * r.x).abs() / (speed * impulse));
        worst = worst.max((along.norm() - bound) / impulse).max((slip * bound + along * slip.norm()).norm() / (speed * impulse));
    }
    worst
}

fn solved(mut problem: ContactProblem, name: &str, settings: SolveSettings) -> (ContactProblem, SolveInfo) {
    let info = solver_by_name(name).unwrap().solve(&mut problem, &settings).unwrap();
    assert!(info.status.is_success(), "{name}: {info}");
    (problem, info)
}

#[test]
fn contacts_with_springs_beside_them_obey_their_law() {
    let mut newton = 0;
    for dimension in BOTH {
        for (stiffness, seed) in [(1e2, 3), (1e4, 4), (1e7, 5)] {
            let (start, springs) = problem(dimension, stiffness, seed);
            let settings = SolveSettings { tolerance: 1e-10, max_iterations: 200_000, ..SolveSettings::default() };
            let (by_auto, info) = solved(start.clone(), "auto", settings);
            newton += usize::from(info.stages.iter().any(|s| s.name == "nsn-ac"));
            let off = misses(&by_auto, &springs);
            assert!(off < 1e-7, "{dimension:?} {stiffness:e}: {off:e} by {info}");
            if stiffness <= 1e4 {
                let (by_sweeps, _) = solved(start, "nlgs", settings);
                let off = apart(&velocities(&by_sweeps), &velocities(&by_auto), dimension);
                assert!(off < 1e-6, "{dimension:?} {stiffness:e}: {off:e}");
            }
        }
    }
    assert!(newton >= 2, "auto left the sweeps in {newton} of 6");
}

/// The same where a body is condensed to its boundary.
#[test]
fn springs_stand_at_deformable_bodies() {
    for dimension in BOTH {
        let (start, springs) = problem(dimension, 1e6, 8);
        let settings = SolveSettings { tolerance: 1e-10, max_iterations: 200_000, ..SolveSettings::default() };
        let (rigid, _) = solved(start.clone(), "auto", settings);
        let (soft, _) = solved(condensed(&start, &[0, 1]), "auto", settings);
        let off = apart(&velocities(&rigid), &velocities(&soft), dimension);
        assert!(off < 1e-6 && misses(&soft, &springs) < 1e-7, "{dimension:?}: {off:e}");
    }
}
