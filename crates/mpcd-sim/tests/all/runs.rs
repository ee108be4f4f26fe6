//! Whole runs: what is in the folder afterwards.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::fakes::build;
use mpcd_sim::{Ended, Observer, RunOptions, Simulation, StepOutcome, run};

#[test]
fn a_run_leaves_frames_history_summary_and_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let probes = "output.probes=[(name: \"top\", of: \"height\", group: \"grains\", reduce: Max), \
                  (name: \"down\", of: \"velocity\", group: \"grains\", component: Y), (name: \"push\", of: \"force\", reduce: Sum, component: Y)]";
    let mut simulation = build(&[probes]).unwrap();
    let summary = run(&mut simulation, &RunOptions::new(folder.path()), &AtomicBool::new(false), &mut ()).unwrap();
    assert!(summary.exit_ok && summary.ended == Ended::Finished);
    assert_eq!(summary.frames, 5);
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let history = read("history.csv");
    let lines: Vec<&str> = history.lines().collect();
    assert_eq!(
        lines[0],
        "step,time,h,contacts,iterations,residual,status,e_kinetic,e_strain,e_potential,w_external,w_friction,w_impact,book_momentum,\
         book_energy,book_charge,book_electricity,book_heat,book_fluid,penetration_max,penetration_mean,fastest,top,down,push"
    );
    assert_eq!(lines.len(), 21);
    let last: Vec<&str> = lines[20].split(',').collect();
    assert_eq!(&last[..7], ["20", "0.2", "0.01", "1", "3", "1e-9", "converged"]);
    let number = |i: usize| last[i].parse::<f64>().unwrap();
    // Semi-implicit fall of the lower disc from rest: v = −2; the upper one has −3; both mean −2.5.
    assert!((number(21) - 3.0).abs() < 1e-12 && (number(23) + 2.5).abs() < 1e-12);
    assert!((number(22) - (2.05 - 0.2 - 0.21)).abs() < 1e-12, "{}", number(22));
    // The contact pushes the lower disc, its candidate, down with 2 N.
    assert!((number(24) + 2.0).abs() < 1e-12);
    // The discs overlap by 0.15 m at the end: 0.3 of the smallest radius.
    assert!((number(19) - 0.3).abs() < 1e-12 && (number(20) - 0.3).abs() < 1e-12, "{} {}", number(19), number(20));
    assert_eq!(last[8], "", "no strain energy is kept");
    for file in ["discs.pvd", "bodies.pvd", "contacts.pvd", "walls.pvd", "vtk/bodies_00000020.vtp", "checkpoint/latest.mpcd"] {
        assert!(folder.path().join(file).exists(), "{file}");
    }
    let summary: serde_json::Value = serde_json::from_str(&read("summary.json")).unwrap();
    assert_eq!((summary["steps"].as_u64(), summary["failed_steps"].as_u64()), (Some(20), Some(0)));
    assert!((summary["penetration_max"].as_f64().unwrap() - 0.3).abs() < 1e-12);
    assert!(summary["books"]["momentum"].as_f64().unwrap() < 1e-14);
    for phase in ["Mover", "Counter", "output", "checkpoint", "total"] {
        assert!(summary["wall_s"][phase].is_number(), "{phase}");
    }
}

#[test]
fn frames_hold_bodies_contacts_and_walls_with_all_fields() {
    let mut simulation = build(&[]).unwrap();
    for _ in 0..5 {
        simulation.step().unwrap();
    }
    let parts = simulation.frame();
    let names = |arrays: &[mpcd_output::Array]| arrays.iter().map(|a| a.name.clone()).collect::<Vec<_>>().join(" ");
    let mpcd_output::DataSet::Points(bodies) = &parts[0].data else { panic!("points") };
    assert_eq!(bodies.points.len(), 2, "a plane has no size and is a wall");
    assert_eq!(
        names(&bodies.arrays),
        "radius velocity angular_velocity orientation group mass id coordination contact_pressure height"
    );
    let mpcd_output::DataSet::Points(contacts) = &parts[1].data else { panic!("points") };
    assert_eq!(names(&contacts.arrays), "force normal_force gap status law candidate antagonist age");
    let mpcd_output::DataSet::Polys(walls) = &parts[2].data else { panic!("polygons") };
    assert_eq!((parts[2].name.as_str(), walls.polygons.len()), ("walls", 1));
    parts.iter().for_each(|p| p.data.check().unwrap());
    let chosen = build(&["output.fields=[\"age\"]"]).unwrap().frame();
    let mpcd_output::DataSet::Points(bodies) = &chosen[0].data else { panic!("points") };
    assert!(!names(&bodies.arrays).contains("height"));
}

struct StopAfter<'a>(u64, &'a AtomicBool);

impl Observer for StopAfter<'_> {
    fn stepped(&mut self, _: &Simulation, outcome: &StepOutcome) {
        self.1.store(outcome.step >= self.0, Ordering::Relaxed);
    }
}

#[test]
fn asked_to_stop_a_run_ends_at_a_step_with_everything_written() {
    let folder = tempfile::tempdir().unwrap();
    let stop = AtomicBool::new(false);
    let mut simulation = build(&[]).unwrap();
    let summary = run(&mut simulation, &RunOptions::new(folder.path()), &stop, &mut StopAfter(7, &stop)).unwrap();
    assert_eq!((summary.ended, summary.summary.steps), (Ended::Interrupted, 7));
    assert!(folder.path().join("vtk/bodies_00000007.vtp").exists() && folder.path().join("summary.json").exists());
    let mut simulation = build(&[]).unwrap();
    let options = RunOptions { resume: true, ..RunOptions::new(folder.path()) };
    let summary = run(&mut simulation, &options, &AtomicBool::new(false), &mut ()).unwrap();
    assert_eq!((summary.ended, summary.summary.steps), (Ended::Finished, 20));
}

#[test]
fn frames_by_time_and_rows_by_steps() {
    let folder = tempfile::tempdir().unwrap();
    let mut simulation = build(&["output=(interval: 0.04, history_every: 7)"]).unwrap();
    let summary = run(&mut simulation, &RunOptions::new(folder.path()), &AtomicBool::new(false), &mut ()).unwrap();
    assert_eq!(summary.frames, 6);
    let history = std::fs::read_to_string(folder.path().join("history.csv")).unwrap();
    let steps: Vec<&str> = history.lines().skip(1).filter_map(|l| l.split(',').next()).collect();
    assert_eq!(steps, ["7", "14", "20"]);
}
