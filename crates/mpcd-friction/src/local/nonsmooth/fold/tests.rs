//! A curve that turns back, with its fold known.

#![allow(clippy::unwrap_used, reason = "tests")]

use super::iterate;
use crate::local::newton::NewtonSystem;
use crate::local::{BlockMatrix, LocalProblem, LocalSettings, PreparedProblem, Watch};

/// One contact with friction 1 and W = (1 2; 2 5): sliding onwards (r_t = −r_n), `u_n = q_n − r_n`, so that pressing harder closes the
/// contact (Painlevé). For q = (1, t) sticking takes t ≥ 3, and for t < 3 the only solution is to part.
fn jammed(t: f64) -> PreparedProblem<2> {
    let entries = [(0, 0, 1.0), (0, 1, 2.0), (1, 0, 2.0), (1, 1, 5.0)];
    let delassus = BlockMatrix::from_entries(1, entries);
    PreparedProblem::new(LocalProblem { delassus, free_velocity: vec![[1.0, t]], friction: vec![1.0] }, None).unwrap()
}

/// From impulses that stick at t = 3.2 to where only parting is left. On the way compliance must rise again: sliding, the normal law reads
/// `1 − r_n + αλ(r_n − c_n) = 0`, which for αλ < 1 has the wrong sign.
#[test]
fn the_path_turns_back_and_ends_where_the_contact_parts() {
    let t: f64 = 3.2;
    let (n, s) = (2.0 * t - 5.0, 2.0 - t); // the impulses that stick at t
    assert!(s.abs() < n);
    let sticks = jammed(t);
    assert!(sticks.judge(&[[n, s]]).0.scaled < 1e-15);
    for t in [2.0, 2.5, 2.9] {
        let problem = jammed(t);
        let settings = LocalSettings { tolerance: 1e-9, ..LocalSettings::default() };
        let mut watch = Watch::new(&settings, &[[n, s]]);
        let steps = iterate(&problem, &mut NewtonSystem::of(&problem), &[[n, s]], 200, &mut watch);
        let r = watch.best_impulses()[0];
        assert!(watch.content(), "{t}: {r:?}, error {} after {steps}", watch.best());
        assert!(r[0].abs() < 1e-8 && r[1].abs() < 1e-8, "{t}: {r:?}");
    }
}
