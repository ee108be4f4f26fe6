//! The books of a step, the numbers for the history, and the words for what a user should know. No physics.

use mpcd_core::{Balance, Book, SolveReport, Stage, Status};

use crate::{electrodes::Electrodes, network::ResistorNetwork, paths::Paths, solve::NetworkSolver, solve::Outcome};

/// Names of the numbers, in the order of [`Found::numbers`].
pub(crate) const NUMBERS: [&str; 10] = [
    "resistance",
    "electrode_current",
    "joule_total",
    "floating_islands",
    "floating_bodies",
    "electrode_power",
    "strong_contacts",
    "strong_joule",
    "current_top_tenth",
    "film_broken",
];

/// Said of spots that no half space has.
pub(crate) const WIDE: &str = "spots of contacts are as wide as what touches there (R* or wider), where a law of constriction does not hold: in the plane such a \
    spot counts as R*, between balls it grows on; check `young` or `hardness` and the forces";

/// Said of contacts that push and conduct nothing.
pub(crate) const NO_AREA: &str = "contacts push and conduct nothing: sharp edges and corners have no area, so the spot of an elastic contact has no size there; \
    `Holm`, `CubeRoot` and `Power` go by the force alone, and rounded bodies have a spot";

/// Said of a model in which nothing can conduct, before its first step.
pub(crate) const NOTHING_CONDUCTS: &str = "no contact, mesh or joint of the model can conduct: every law is `Insulating`; write a law that conducts, such as \
    `Hertz`, if a current is to flow";

/// Said where electrodes at different potentials have no path between them, by what is there instead.
pub(crate) const PARTED: &str = "electrodes at different potentials are joined by no path, so no current flows between them; bodies that no impulse moves \
    (`Fixed` or driven) have no contact with each other: join them by a `Spring` that `conducts`, or free one along an axis";
pub(crate) const PARTED_BY_LAWS: &str = "electrodes at different potentials have contacts that push and none that conducts, so no current flows; look at the \
    conductance laws between the groups, and at the materials, of which both of a contact must have a part `electrical`";
pub(crate) const PARTED_IN_AIR: &str = "electrodes at different potentials have no contact that pushes between them, so no current flows; bodies that no \
    impulse moves (`Fixed` or driven) have no contact with each other: join them by a `Spring` that `conducts`, or free one along an axis";

/// Said of an electrode that no path joins to another one while others are joined.
pub(crate) fn alone(group: &str) -> String {
    format!(
        "no path joins the electrode \"{group}\" to another one, so it carries no current; look at its contacts and their conductance laws"
    )
}

/// What a step found, beside the solve itself.
pub(crate) struct Found {
    /// Equivalent resistance (Ω).
    pub(crate) resistance: f64,
    /// Joule power of all contacts and meshes (W).
    pub(crate) joule: f64,
    /// Power that the electrodes give (W).
    pub(crate) power: f64,
    /// Conducting bodies whose potential nothing defines.
    pub(crate) floating_bodies: usize,
    /// Strong and weak paths.
    pub(crate) paths: Paths,
    /// Mean of what the laws remember.
    pub(crate) memory: Option<f64>,
    /// Length of the step (s).
    pub(crate) h: f64,
    /// Tolerance of the solve.
    pub(crate) tolerance: f64,
}

impl Found {
    /// The report of a step.
    pub(crate) fn report(
        &self,
        outcome: Outcome,
        electrodes: &Electrodes,
        solver: &NetworkSolver,
        network: &ResistorNetwork,
        label: impl Fn(usize) -> String,
    ) -> SolveReport {
        let (fed, drawn) = electrodes.in_and_out(solver, network);
        // Line 3 turns the net of in and out into the sum over all bodies of |in − out|, so that no two bodies cancel.
        let net = fed - drawn;
        let unbalanced = outcome.imbalance.copysign(net) - net;
        let h = self.h;
        let charge = Balance::new(Book::Charge, outcome.throughput * h)
            .flow("fed in", fed * h)
            .flow("drawn out", -drawn * h)
            .flow("unbalanced at bodies", unbalanced * h);
        let energy = Balance::new(Book::Electricity, (self.power.abs() + self.joule) * h)
            .flow("electrodes", self.power * h)
            .flow("joule", -self.joule * h);
        let mut warnings = Vec::new();
        if outcome.floating_islands > 0 {
            warnings.push(
                "no contact that conducts joins parts of the packing to an electrode; their potential is written as 0 V"
                    .to_owned(),
            );
        }
        for (group, off, all) in electrodes.groups_of(&outcome.switched_off) {
            warnings.push(if all {
                format!("the current of group \"{group}\" was switched off while it had no return")
            } else {
                format!("the current of {off} bodies of group \"{group}\" was switched off while they had no return; the others are fed theirs")
            });
        }
        let worst = match (outcome.status, outcome.worst) {
            (Status::Converged, _) | (_, None) => String::new(),
            (_, Some(node)) => {
                format!("the current is least balanced at {}; raise `max_iterations`, or use `solver: \"auto\"`", label(node))
            }
        };
        SolveReport {
            status: outcome.status,
            iterations: outcome.stages.iter().map(|s: &Stage| s.iterations).sum(),
            residual: outcome.residual,
            tolerance: self.tolerance,
            worst,
            balances: vec![charge, energy],
            numbers: self.numbers(fed, outcome.floating_islands),
            warnings,
            stages: outcome.stages,
            ..SolveReport::direct()
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "counts of bodies")]
    fn numbers(&self, fed: f64, islands: usize) -> Vec<(&'static str, f64)> {
        let values = [
            self.resistance,
            fed,
            self.joule,
            islands as f64,
            self.floating_bodies as f64,
            self.power,
            self.paths.strong,
            self.paths.joule,
            self.paths.top_tenth,
            self.memory.unwrap_or(f64::NAN),
        ];
        NUMBERS.into_iter().zip(values).collect()
    }
}
