//! What `check` and `explain` say.

use crate::fakes::build;
use mpcd_sim::describe;

#[test]
fn a_model_is_described_without_running() {
    let simulation =
        build(&["physics=[Mover(), Counter(), Spring(stiffness: 0, implicit: true)]", "bodies[1].at=(0, 1.9)"]).unwrap();
    let text = describe(&simulation).to_string();
    let expected = "\
two discs (2D): 3 bodies, 20 steps of 0.01 s to 0.2 s

Groups
  grains                  2  Disc of stone
  floor                   1  Plane of stone

Fields
  body_force       [N] vector per body, Spring -> Mover
  age              [s] number per contact, Counter -> Counter
  height           [m] number per body, Counter -> output only

Coupling
  Spring -> Mover: body_force (of the step before)
  Counter -> Counter: age (of the step before)

A step
  repeat until body_force change by less than 1e-6, or 100 times the loosest tolerance among them, (at most 50 times, Aitken relaxation, then interface quasi-Newton):
     1. Mover: reads of the step before body_force; moves the bodies and finds the contacts
     2. Spring: writes body_force
  3. Counter: reads of the step before age; writes age, height
  A step that misses a tolerance is halved up to 4 times; then the run stops.

Memory: about 0.0 MB
Output: 5 frames and 20 rows, about 0.0 MB
warning: the spring has no stiffness
warning: body 0 (group \"grains\") and body 1 (group \"grains\") overlap by 1.000e-1 m at the start (20.00 % of the smallest radius); \
move them apart or make them smaller
";
    assert_eq!(text, expected, "\n{text}");
}
