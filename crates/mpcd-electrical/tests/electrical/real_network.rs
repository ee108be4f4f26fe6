//! VALIDATION §10: the settled network of 1,024 discs between two electrodes (Renouf–Fillot set-up as LMGC90 ships it).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use mpcd_core::{ContactGeometry, PhysicsEntry};
use mpcd_electrical::{Electrical, Method, NetworkSolver, ResistorNetwork, SolverSettings};

use crate::kit::{Bench, Rig, number, shared};

const RESISTANCE: f64 = 1.248_885_643_505_4;

/// Columns of the data: per body the exact potential; per contact bodies, force, conductance, exact current.
struct Data {
    potential: Vec<f64>,
    contacts: Vec<(usize, usize, f64, f64, f64)>,
}

fn data() -> Option<Data> {
    let read = |name: &str| Some(csv::Reader::from_path(shared(&format!("reference/1024-discs/{name}.csv"))?).unwrap());
    let (mut bodies, mut contacts) = (read("bodies")?, read("contacts")?);
    let n = |text: &str| text.parse::<f64>().unwrap();
    let i = |text: &str| text.parse::<usize>().unwrap() - 1;
    Some(Data {
        potential: bodies.records().map(|r| n(&r.unwrap()[5])).collect(),
        contacts: contacts.records().map(|r| r.unwrap()).map(|r| (i(&r[0]), i(&r[1]), n(&r[6]), n(&r[9]), n(&r[10]))).collect(),
    })
}

fn network(data: &Data) -> ResistorNetwork {
    let mut net = ResistorNetwork::new(data.potential.len());
    data.contacts.iter().for_each(|&(i, j, _, conductance, _)| net.join(i, j, conductance));
    net.hold(1024, 0.0);
    net.inject(1025, -0.5);
    net
}

#[test]
fn v10_real_network_by_every_solver() {
    let Some(data) = data() else { return };
    let net = network(&data);
    for (name, method) in Method::NAMES {
        let mut solver = NetworkSolver::new(SolverSettings { method, ..SolverSettings::default() });
        let mut v = vec![0.0; net.nodes()];
        let outcome = solver.solve(&net, &mut v).unwrap();
        assert!(outcome.residual <= 1e-11, "{name}: {outcome:?}");
        let r = v[1025] / -0.5;
        assert!((r - RESISTANCE).abs() <= 1e-9 * RESISTANCE, "{name}: {r}");
        for (k, (v, want)) in v.iter().zip(&data.potential).enumerate() {
            assert!((v - want).abs() <= 1e-9, "{name}: potential of body {}: {v} instead of {want}", k + 1);
            assert!((-RESISTANCE * 0.5 * (1.0 + 1e-12)..=0.0).contains(v), "{name}: potential outside the electrodes': {v}");
        }
        // the file counts a current positive towards the candidate
        let sign = data.contacts[0].4.signum() * solver.currents()[0].signum();
        for (k, (i, contact)) in solver.currents().iter().zip(&data.contacts).enumerate() {
            assert!((i - sign * contact.4).abs() <= 1e-9 * 0.5, "{name}: current of contact {k}: {i} instead of {}", contact.4);
        }
        let joule: f64 = net.branches.iter().zip(solver.currents()).map(|(b, i)| i * solver.drop_across(b.ends)).sum();
        assert!((joule - 0.25 * r).abs() <= 1e-8 * joule, "{name}: Σ V·I = {joule}, U·I = {}", 0.25 * r);
    }
}

/// The check above must be able to fail: 100 sweeps of Gauss–Seidel, what the reference code runs, are far from the answer,
/// and here they say so.
#[test]
fn v10_too_few_sweeps_are_seen() {
    let Some(data) = data() else { return };
    let net = network(&data);
    let settings = SolverSettings { method: Method::GaussSeidel, max_iterations: 100, ..SolverSettings::default() };
    let mut v = vec![0.0; net.nodes()];
    let outcome = NetworkSolver::new(settings).solve(&net, &mut v).unwrap();
    assert_eq!(outcome.status, mpcd_core::Status::MaxIterations);
    assert!(outcome.residual > 1e-3);
    assert!((v[1025] / -0.5 - RESISTANCE).abs() > 0.1);
    // and a sign error in one branch's law is seen as well
    let mut broken = network(&data);
    broken.branches[7].conductance *= 2.0;
    NetworkSolver::new(SolverSettings::default()).solve(&broken, &mut v).unwrap();
    assert!((v[1025] / -0.5 - RESISTANCE).abs() > 1e-9 * RESISTANCE);
}

/// Resistance after so many sweeps from 0 V, by another program (plain sums, nodes in the order of the file): the sweeps crawl, and the further they
/// are from the answer the less they move. When a sweep changes no potential by 10⁻⁴ of the largest any more, at 2,255 sweeps, 9 % are missing.
#[test]
fn v10_sweeps_crawl_and_the_residual_says_so() {
    const SWEEPS: [(u64, f64); 5] =
        [(100, 0.265_619_618), (1000, 0.855_273_310), (2255, 1.137_509_579), (5000, 1.241_845_641), (9000, 1.248_759_729)];
    let Some(data) = data() else { return };
    let net = network(&data);
    let mut last = f64::INFINITY;
    for (sweeps, want) in SWEEPS {
        let settings = SolverSettings { method: Method::GaussSeidel, max_iterations: sweeps, ..SolverSettings::default() };
        let mut v = vec![0.0; net.nodes()];
        let outcome = NetworkSolver::new(settings).solve(&net, &mut v).unwrap();
        let r = v[1025] / -0.5;
        assert_eq!(outcome.status, mpcd_core::Status::MaxIterations);
        assert!((r - want).abs() <= 1e-8, "{sweeps} sweeps: {r} instead of {want}");
        // the residual, unlike the change of a sweep, bounds the error within a factor 2
        let error = (r / RESISTANCE - 1.0).abs();
        assert!(error <= 2.0 * outcome.residual && outcome.residual < last, "{sweeps} sweeps: {error:e} {:e}", outcome.residual);
        last = outcome.residual;
    }
}

/// The same through the module, from the forces: law CubeRoot, bulk 200 S, so that C = 100c/(100 + c).
#[test]
fn v10_real_network_from_forces_through_the_module() {
    let Some(data) = data() else { return };
    let mut bench = Bench::new(1e-3);
    let copper = bench.material("copper", 8900.0, &[("electrical", "(bulk: 200)")]);
    for k in 0..data.potential.len() {
        let (group, r) = [("discs", 1e-3), ("top", 0.0), ("bottom", 0.0), ("sides", 0.0)][k.saturating_sub(1023).min(3)];
        bench.sphere(group, copper, r);
    }
    let geometry = ContactGeometry::Line { reduced_radius: 5e-4, length: 1.0 };
    let mut rows = Vec::new();
    for &(i, j, force, _, current) in &data.contacts {
        let id = mpcd_core::BodyId::from_index;
        rows.push((bench.contact(id(i), id(j), geometry, force), current));
    }
    for solver in ["auto", "gauss-seidel"] {
        let text = format!(
            "Electrical(law: CubeRoot(), potential: [(group: \"top\", value: 0)], current: [(group: \"bottom\", value: -0.5)], solver: \"{solver}\")"
        );
        let mut rig = Rig::new(&PhysicsEntry::of::<Electrical>(), &text, &bench);
        let report = rig.step(&bench).unwrap();
        let r = number(&report, "resistance");
        assert!((r - RESISTANCE).abs() <= 1e-9 * RESISTANCE, "{solver}: {r}");
        assert!(report.balances[0].imbalance() <= 1e-10);
        let joule: f64 = rig.written("joule_power").iter().sum();
        assert!((joule - 0.25 * RESISTANCE).abs() <= 1e-8 * joule, "Σ V·I = {joule}");
        let currents = rig.written("current");
        let sign = rows[0].1.signum() * currents[bench.row(rows[0].0)].signum();
        for (key, want) in &rows {
            assert!((currents[bench.row(*key)] - sign * want).abs() <= 1e-9, "{key:?}");
        }
    }
}
