//! What can go wrong with heat: in the plain network (nodes by number) and in the module (bodies by name).

use mpcd_sparse::SparseError;

/// A heat network that cannot be solved. Nodes are numbered from 0 as the caller numbered them.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum HeatError {
    /// A link names a node that does not exist, or one twice.
    #[error("link {link} joins the nodes {from} and {to} of {nodes}; expected two different nodes of the network")]
    Node {
        /// The link.
        link: usize,
        /// One end.
        from: usize,
        /// The other.
        to: usize,
        /// Nodes of the network.
        nodes: usize,
    },
    /// A number that is not finite, or has the wrong sign.
    #[error("the {what} of number {index} is {value}, expected {expected}")]
    Value {
        /// Which number.
        what: &'static str,
        /// Of which node or link.
        index: usize,
        /// Its value.
        value: f64,
        /// What is allowed.
        expected: &'static str,
    },
    /// Radiation between nodes beside meshes.
    #[error("nodes exchange radiation beside meshes; expected one of the two: its matrix knows lumped bodies only")]
    Mixed,
    /// The linear algebra refused the matrix.
    #[error("{0}; take a smaller step, or solver \"cg\"")]
    Sparse(#[from] SparseError),
}

/// A step whose temperatures cannot be computed.
#[derive(Debug, thiserror::Error)]
pub enum ThermalError {
    /// A field that it may not read.
    #[error(transparent)]
    Port(#[from] mpcd_core::PortMisuse),
    /// A boundary value is not a finite number at this time, or a temperature below absolute zero.
    #[error("the {quantity} of group \"{group}\" is {value} at t = {time} s, expected {expected}; correct its function of time")]
    Boundary {
        /// What is prescribed.
        quantity: &'static str,
        /// The group.
        group: String,
        /// The value.
        value: f64,
        /// The time (s).
        time: f64,
        /// What is allowed.
        expected: &'static str,
    },
    /// A body was cooled below absolute zero.
    #[error("the temperature of {body} would be {temperature} K at t = {time} s, below absolute zero: {why}")]
    BelowZero {
        /// The body.
        body: String,
        /// Its temperature (K).
        temperature: f64,
        /// The time (s).
        time: f64,
        /// What made it so, and what helps.
        why: String,
    },
    /// A contact has no conductance under this law.
    #[error("heat cannot pass between {first} and {second}: the law needs {needs}; add it to the material of one of them")]
    MissingProperty {
        /// One body.
        first: String,
        /// The other.
        second: String,
        /// What is missing.
        needs: &'static str,
    },
    /// Radiation from within a hollow.
    #[error(
        "what {first} and {second} radiate to each other cannot be computed: they touch in a hollow that is no ball, and how far that reaches around is not known; switch `radiation` off, or give one of the two a material without `emissivity`"
    )]
    Hollow {
        /// One body.
        first: String,
        /// The other.
        second: String,
    },
    /// A law gave a conductance that is no number.
    #[error(
        "the law gives the contact between {first} and {second} the conductance {conductance} W/K under {force} N, expected a finite number, 0 or above; correct the law's parameters"
    )]
    Conductance {
        /// One body.
        first: String,
        /// The other.
        second: String,
        /// The conductance (W/K).
        conductance: f64,
        /// The force (N).
        force: f64,
    },
    /// A source that is no number.
    #[error(
        "the heat given to {body} is {power} W, expected a finite number; look at the module that writes `heat_source`, `joule_power` or the contacts' heat"
    )]
    Source {
        /// The body.
        body: String,
        /// The power (W).
        power: f64,
    },
    /// Heats beyond the range of numbers.
    #[error(
        "the heat of {body} is too large for a number: contacts and joints conduct up to {conductance:.3e} W/K, up to {power:.3e} W are given to a body, temperatures go up to {temperature:.3e} K; correct the conduction laws, the boundary or the materials"
    )]
    Range {
        /// A body there.
        body: String,
        /// The largest conductance (W/K).
        conductance: f64,
        /// The largest power (W).
        power: f64,
        /// The highest temperature at the start of the step (K).
        temperature: f64,
    },
    /// Anything else about the network.
    #[error(transparent)]
    Network(#[from] HeatError),
}

impl ThermalError {
    /// A body below absolute zero: because heat is drawn from it, or where the solution has `lost` its digits to conductances of contacts from and to (W/K).
    pub(crate) fn below_zero(body: String, temperature: f64, time: f64, lost: Option<[f64; 2]>) -> Self {
        let why = match lost {
            None => "more heat is drawn from it than it has; correct the `Power`, `Flux` or `heat_source` that cools it, or take a smaller step".to_owned(),
            Some([least, most]) => format!(
                "no heat that is drawn explains it, so the solution has lost its digits: contacts conduct from {least:.0e} to {most:.0e} W/K beside bodies that \
                 conduct far less; give their law a smaller conductance (a thousand times what the bodies conduct is as good as any more)"
            ),
        };
        Self::BelowZero { body, temperature, time, why }
    }
}
