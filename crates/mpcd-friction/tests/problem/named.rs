//! Every name of a stored problem's solver as a solver of the contact problem: alone, with its own counts, and judged by the bodies.

use mpcd_friction::problem::{Angular, ContactDimension};
use mpcd_friction::{Cone, SolveSettings, rigid_solver_names, solver_by_name};

use super::properties::{Trimming, assembly};
use super::support::{assert_lawful, column};

/// What a method reaches is its own affair (some are slow); but what it calls converged is right, it never runs another method, and most
/// of them do it.
#[test]
fn every_named_solver_runs_alone_and_says_what_it_reached() {
    let settings = SolveSettings { tolerance: 1e-8, ..SolveSettings::default() };
    let (mut done, mut all) = (0, 0);
    for name in rigid_solver_names() {
        for dimension in [ContactDimension::Two, ContactDimension::Three] {
            let mut problem = assembly(dimension, Trimming::Rich, 5, 6, 3);
            let info = match solver_by_name(name).unwrap().solve(&mut problem, &settings) {
                Ok(info) => info,
                Err(refused) => {
                    assert_eq!(name, "lemke", "{refused}");
                    continue;
                }
            };
            all += 1;
            assert_eq!(info.solver, name);
            assert!(info.violation.is_some());
            if name != "auto" {
                assert!(!info.stages.iter().any(|s| s.name == "nlgs-accelerated"), "{name}: {:?}", info.stages);
            }
            if info.status.is_success() {
                done += 1;
                assert_lawful(&problem, 1e-5);
            }
        }
    }
    assert!(4 * done > 3 * all, "{done} of {all}");
}

/// What the condensed form cannot say is refused by name, with the reason.
#[test]
fn contacts_beyond_coulomb_are_refused_by_condensed_solvers() {
    let refusal = |change: &dyn Fn(&mut mpcd_friction::problem::Contact)| {
        let mut problem = column(2, 1e-3);
        change(&mut problem.contacts[1]);
        solver_by_name("ipm").unwrap().solve(&mut problem, &SolveSettings::default()).unwrap_err().to_string()
    };
    let said = |kind: &str| {
        format!(
            "contact 1 is {kind}, which solver `ipm` cannot take, as it works on the condensed problem; use `auto`, `nlgs-accelerated` or `nlgs`"
        )
    };
    assert_eq!(refusal(&|c| *c = c.clone().with_cone(Cone::Bilateral)), said("bilateral"));
    assert_eq!(refusal(&|c| *c = c.clone().with_cone(Cone::Convex { friction: 0.1 })), said("under the convex law"));
    assert_eq!(
        refusal(&|c| *c = c.clone().with_angular(Angular::Resistance { rolling: 0.1, spinning: 0.0, about: None })),
        said("under a law of turning (rolling, spinning, weld)")
    );
}
