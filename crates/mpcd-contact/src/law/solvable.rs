//! Which laws a solver takes: refused when the model is read, at their place, with the reason.

use mpcd_core::{ContactGeometry, InputError, Setup, setup::Interaction};
use mpcd_friction::{Cone, RigidSolver};

use super::{Law, LawInput, LawResponse, LawTable};

/// What to write instead.
const HELP: &str = "remove `solver`: the default takes every law";

impl LawTable {
    /// Refuses laws that `solver` cannot take.
    ///
    /// # Errors
    /// The first such law, at its place, with the reason.
    pub(crate) fn check_solver(&self, setup: &Setup, solver: &dyn RigidSolver) -> Result<(), InputError> {
        let why = |law: &dyn Law| {
            if law.is_local() && !solver.takes_laws() {
                Some("solves its own local problem")
            } else if solver.takes_joints() {
                None
            } else {
                beyond_coulomb(law)
            }
        };
        let refused = |i: &Interaction| self.between(i.groups.0, i.groups.1).and_then(|law| why(self.law(law)));
        let Some((interaction, why)) = setup.interactions.iter().find_map(|i| refused(i).map(|why| (i, why))) else {
            return Ok(());
        };
        Err(InputError::new(format!(
            "the law `{}` {why}, which the solver `{}` cannot take; expected `auto`, `nlgs-accelerated` or `nlgs`",
            interaction.law.name(),
            solver.name()
        ))
        .help(HELP)
        .within(&interaction.law))
    }
}

/// What a touching contact at rest has beside Coulomb's law.
fn beyond_coulomb(law: &dyn Law) -> Option<&'static str> {
    let geometry = ContactGeometry::Point { reduced_radius: 1.0, roundness: 1.0 };
    let mut input = LawInput { start: true, ..LawInput::new(geometry, 1.0) };
    if let Some(memory) = law.memory() {
        input.memory = memory.initial(&input);
    }
    let data = law.prepare(&input)?;
    match data.response {
        _ if data.rolling.is_some() => Some("resists rolling"),
        LawResponse::Cone(Cone::Convex { .. }) => Some("is not Coulomb's"),
        _ => None,
    }
}
