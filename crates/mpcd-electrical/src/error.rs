//! What can go wrong with currents: in the plain network (nodes by number) and in the module (bodies by name).

use mpcd_sparse::SparseError;

/// A resistor network that cannot be solved. Nodes are numbered from 0 as the caller numbered them.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum NetworkError {
    /// Current enters a part of the network from which none can leave.
    #[error(
        "{current} A is fed into the part of {} joined node(s) around node {} without a return; hold a potential in that part or draw the same current from it",
        nodes.len(), nodes.first().copied().unwrap_or_default()
    )]
    NoReturn {
        /// The nodes of the part, rising.
        nodes: Vec<usize>,
        /// Net current fed into it (A).
        current: f64,
    },
    /// A branch names a node that does not exist.
    #[error("branch {branch} names node {node}, but the network has {nodes} nodes; add the node or correct the branch")]
    Node {
        /// The branch.
        branch: usize,
        /// The node it names.
        node: usize,
        /// Nodes of the network.
        nodes: usize,
    },
    /// A point names a node that does not exist.
    #[error("point {point} names node {node}, but the network has {nodes} nodes; add the node or correct the point")]
    Point {
        /// The point.
        point: usize,
        /// The node it names.
        node: usize,
        /// Nodes of the network.
        nodes: usize,
    },
    /// A conductance within a mesh that is not finite.
    #[error(
        "pair {pair} of the nodes of meshes has the conductance {conductance} S, expected a finite number; correct the conductivity"
    )]
    Inner {
        /// The pair.
        pair: usize,
        /// Its conductance (S).
        conductance: f64,
    },
    /// A conductance that is negative or not finite.
    #[error(
        "branch {branch} has the conductance {conductance} S, expected a finite number, 0 or above; correct the law that made it"
    )]
    Conductance {
        /// The branch.
        branch: usize,
        /// Its conductance (S).
        conductance: f64,
    },
    /// Currents beyond the range of numbers.
    #[error("the currents of node {node} are too large for a number; correct the conductances or the potentials held")]
    Range {
        /// The node.
        node: usize,
    },
    /// A boundary value that is not finite.
    #[error("node {node} has the boundary value {value}, expected a finite number of volts or amperes")]
    Boundary {
        /// The node.
        node: usize,
        /// Its value.
        value: f64,
    },
    /// A start or a column of the wrong length.
    #[error("the {what} has length {found}, expected {expected}, the number of nodes")]
    Length {
        /// Which column.
        what: &'static str,
        /// Number of nodes.
        expected: usize,
        /// Its length.
        found: usize,
    },
    /// The linear algebra refused the matrix.
    #[error("{0}; \"auto\" goes on with conjugate gradients where this solver cannot")]
    Sparse(#[from] SparseError),
}

/// A step whose currents cannot be computed.
#[derive(Debug, thiserror::Error)]
pub enum ElectricalError {
    /// Current is fed into bodies that no electrode drains.
    #[error(
        "{current} A is fed in and has no return: {bodies}. Hold a potential on a group that touches this part, draw the same current from it, or write `on_open_circuit: SwitchOff` to wait until there is a path. Bodies that no impulse moves (`Fixed` or driven) have no contact with each other"
    )]
    NoReturn {
        /// The bodies, by name.
        bodies: String,
        /// Net current (A).
        current: f64,
    },
    /// A boundary value is not a finite number at this time.
    #[error(
        "the {quantity} of group \"{group}\" is {value} at t = {time} s, expected a finite number; correct its function of time"
    )]
    Boundary {
        /// Potential or current.
        quantity: &'static str,
        /// The group.
        group: String,
        /// The value.
        value: f64,
        /// The time (s).
        time: f64,
    },
    /// A contact has no conductance under this law.
    #[error(
        "the contact between {first} and {second} has no conductance: the law needs {needs}; add it to the material of one of them"
    )]
    MissingProperty {
        /// One body.
        first: String,
        /// The other.
        second: String,
        /// What is missing.
        needs: &'static str,
    },
    /// A conductivity that a temperature makes infinite or negative.
    #[error(
        "the conductivity of material \"{material}\" would be σ₀/{ratio} at the {temperature} K of {body}, expected 1 + α(T − T₀) above zero; correct `temperature_coefficient` or `reference_temperature`, or keep the body within the temperatures for which they hold"
    )]
    Conductivity {
        /// The material.
        material: String,
        /// The body.
        body: String,
        /// Its temperature (K).
        temperature: f64,
        /// 1 + α(T − T₀).
        ratio: f64,
    },
    /// A law gave a conductance that is no number.
    #[error(
        "the law gives the contact between {first} and {second} the conductance {conductance} S under {force} N, expected a finite number, 0 or above; correct the law's parameters"
    )]
    Conductance {
        /// One body.
        first: String,
        /// The other.
        second: String,
        /// The conductance (S).
        conductance: f64,
        /// The force (N).
        force: f64,
    },
    /// Currents or powers beyond the range of numbers.
    #[error(
        "the currents of {body}, or their powers, are too large for a number: contacts and joints conduct up to {conductance:.3e} S, potentials are held up to {held:.3e} V; correct the conductance laws, the conductivities or the electrodes"
    )]
    Range {
        /// A body there.
        body: String,
        /// The largest conductance (S).
        conductance: f64,
        /// The largest potential held (V).
        held: f64,
    },
    /// A field was asked for as it was not declared.
    #[error(transparent)]
    Port(#[from] mpcd_core::PortMisuse),
    /// A matrix that is refused, with the conductances that make it so.
    #[error("{error}; {why}")]
    Uneven {
        /// What was refused.
        error: NetworkError,
        /// The conductances, and what helps.
        why: String,
    },
    /// Anything else about the network.
    #[error(transparent)]
    Network(#[from] NetworkError),
}
