//! `mpcd fclib` in a program that was built without stored problems: says so, and how to build with them. No work is done here.

use clap::Args;
use mpcd_sim::Registry;

/// What to do for stored problems.
pub(super) const HOW: &str = "this program was built without stored problems; build it with the feature `fclib`: cargo run --release --features fclib -- …";

/// Takes every command line that the program with stored problems takes, to answer in one way.
#[derive(Args)]
pub(super) struct FclibCommand {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    _rest: Vec<String>,
}

pub(super) fn fclib(_: Registry, _: &FclibCommand) -> Result<(), String> {
    Err(HOW.to_owned())
}

/// Tells who names a solver of `mpcd-fclib` why there is none.
pub(crate) fn join_solvers() {
    for name in ["conic", "conic-convex"] {
        mpcd_friction::local::announce_absent(mpcd_friction::local::AbsentSolver { name, reason: HOW });
    }
}
