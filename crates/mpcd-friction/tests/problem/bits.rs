//! The same bits on any number of threads, from a fresh or a used solver; warm starts.

use mpcd_friction::problem::{ContactDimension, ContactProblem};
use mpcd_friction::{SolveInfo, SolveSettings, SweepOrder, solver_by_name};

use super::packing::{Inertia, fcc, hexagonal, restart};
use super::properties::{Trimming, assembly};
use super::support::solve_in;

fn bits(problem: &ContactProblem) -> Vec<u64> {
    let contacts = problem.contacts.iter().flat_map(|c| c.impulse.iter().copied().collect::<Vec<_>>());
    let bodies = problem.bodies.iter().flat_map(|n| n.velocity.iter().chain(&n.angular_velocity).copied().collect::<Vec<_>>());
    contacts.chain(bodies).map(f64::to_bits).collect()
}

fn on_threads(threads: usize, start: &ContactProblem, name: &str) -> (Vec<u64>, SolveInfo) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let mut problem = start.clone();
        let settings = SolveSettings { tolerance: 1e-6, max_iterations: 60, order: SweepOrder::Coloured };
        let info = solver_by_name(name).unwrap().solve(&mut problem, &settings).unwrap();
        (bits(&problem), info)
    })
}

/// Both kernels, both dimensions, a body of huge degree (the walls joined to one free body).
#[test]
fn v13_same_bits_on_any_number_of_threads() {
    let mut loaded = fcc(6, Inertia::Scalar, 1);
    let wall = loaded.bodies.len() - 1;
    loaded.bodies[wall].inverse_mass.fill(1e-3);
    let mut tensors = fcc(6, Inertia::Tensor, 1);
    // every second body a plain ball: the two kernels alternate
    for body in tensors.bodies.iter_mut().step_by(2) {
        let spin = body.inverse_inertia.matrix()[(0, 0)];
        body.inverse_inertia = mpcd_friction::problem::InverseInertia::Isotropic(spin);
    }
    // all in groups; one spring, and one shift across the normal, far behind
    let plain = fcc(6, Inertia::Scalar, 1);
    let mut spring = plain.clone();
    let last = spring.contacts.len() - 1;
    spring.contacts[last].compliance.x = 0.1;
    spring.contacts[last / 2].velocity_shift.y = 0.3;
    // all in groups of full blocks, and enough of both kinds for all threads to go through the colours together
    let [wide, full] = [fcc(8, Inertia::Scalar, 1), fcc(7, Inertia::Tensor, 1)];
    let cases = [loaded, tensors, hexagonal(60, 60, 1), plain, spring, wide, full];
    for start in &cases {
        for name in ["nlgs", "nlgs-accelerated", "jacobi"] {
            let one = on_threads(1, start, name);
            for threads in [2, 3, 8] {
                let several = on_threads(threads, start, name);
                assert_eq!(one.1, several.1, "{name} on {threads} threads: the reports differ");
                assert!(one.0 == several.0, "{name} on {threads} threads: the bits differ");
            }
        }
    }
}

/// The solver's memory is a cache: a used solver gives the bits of a new one.
#[test]
fn a_used_solver_gives_the_same_bits() {
    let settings = SolveSettings::default();
    let mut used = solver_by_name("nlgs").unwrap();
    used.solve(&mut assembly(ContactDimension::Three, Trimming::Rich, 30, 60, 1), &settings).unwrap();
    used.solve(&mut hexagonal(5, 5, 3), &settings).unwrap();
    let start = assembly(ContactDimension::Three, Trimming::Rich, 12, 20, 7);
    let (mut a, mut b) = (start.clone(), start);
    let info = used.solve(&mut a, &settings).unwrap();
    assert_eq!(info, solver_by_name("nlgs").unwrap().solve(&mut b, &settings).unwrap());
    assert!(bits(&a) == bits(&b));
}

#[test]
fn a_warm_start_from_the_answer_needs_one_sweep() {
    let start = fcc(3, Inertia::Scalar, 1);
    let mut problem = start.clone();
    let cold = solve_in(&mut problem, SweepOrder::Coloured, 1e-6);
    assert!(cold.status.is_success() && cold.iterations > 20, "{cold}");
    restart(&mut problem, &start);
    let warm = solve_in(&mut problem, SweepOrder::Coloured, 1e-6);
    assert!(warm.status.is_success() && warm.iterations == 1, "{warm}");
}
