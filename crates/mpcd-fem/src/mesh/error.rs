//! What can be wrong with a mesh. Every message names the file (or the built-in mesh) and the element or node.

/// A fault of a mesh or of its file. Elements and nodes are numbered as in the file, from 1 in built-in meshes.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MeshError {
    /// The file cannot be read from disk.
    #[error("the mesh file `{file}` cannot be read: {reason}")]
    File {
        /// The file.
        file: String,
        /// What the system says.
        reason: String,
    },
    /// The text of a file is not what its format asks for.
    #[error("{file}, line {line}: expected {expected}, found {found}")]
    Syntax {
        /// The file.
        file: String,
        /// Line, from 1.
        line: usize,
        /// What should stand there.
        expected: &'static str,
        /// What stands there.
        found: String,
    },
    /// A version or an encoding of the format that is not read.
    #[error("{file}: {what} is not read; {cure}")]
    Format {
        /// The file.
        file: String,
        /// What was found.
        what: String,
        /// What to do.
        cure: &'static str,
    },
    /// A kind of cell that is not computed with.
    #[error(
        "{file}: element {element} is of type {kind}, which is not computed with; expected one of T3, T6, Q4, Q8, TET4, TET10, HEX8, HEX20"
    )]
    Cell {
        /// The file.
        file: String,
        /// The element.
        element: usize,
        /// The type, as the format names it.
        kind: String,
    },
    /// A built-in mesh that no machine holds.
    #[error("the built-in mesh `{mesh}` would have {elements:.3e} elements; the limit is {limit}: ask for fewer cells")]
    Size {
        /// The mesh.
        mesh: &'static str,
        /// Elements that were asked for.
        elements: f64,
        /// Most that there may be.
        limit: usize,
    },
    /// Nothing to compute with.
    #[error("{file}: the mesh has no {what}")]
    Empty {
        /// The file.
        file: String,
        /// What is missing.
        what: &'static str,
    },
    /// An element of the wrong number of nodes, or of nodes that do not exist.
    #[error("{file}: element {element} ({cell}) {problem}")]
    Connectivity {
        /// The file.
        file: String,
        /// The element.
        element: usize,
        /// Its kind.
        cell: &'static str,
        /// What is wrong.
        problem: String,
    },
    /// Two elements of the same corners: one element, written again, maybe from another node on or the other way round.
    #[error("{file}{}: element {element} ({cell}) has the same corners as element {first}; delete one of the two", at(line))]
    Repeated {
        /// The file.
        file: String,
        /// Line, from 1, in a format that has lines.
        line: Option<usize>,
        /// The element that comes later.
        element: usize,
        /// Its kind.
        cell: &'static str,
        /// The one before.
        first: usize,
    },
    /// A coordinate that is not a number, or lies out of the plane.
    #[error("{file}: node {node} lies at ({x}, {y}, {z}), expected {expected}")]
    Node {
        /// The file.
        file: String,
        /// The node.
        node: usize,
        /// First coordinate (m).
        x: f64,
        /// Second coordinate (m).
        y: f64,
        /// Third coordinate (m).
        z: f64,
        /// What was expected.
        expected: &'static str,
    },
    /// An element that is turned inside out everywhere: its nodes are numbered the wrong way round.
    #[error(
        "{file}: element {element} ({cell}) is numbered the wrong way round (a surface counter-clockwise, a volume by the right hand); \
         turn its surface or volume round in the mesh generator"
    )]
    Reversed {
        /// The file.
        file: String,
        /// The element.
        element: usize,
        /// Its kind.
        cell: &'static str,
    },
    /// An element that is turned inside out in one place.
    #[error(
        "{file}: element {element} ({cell}) is folded: its Jacobian is {jacobian:e} near node {node}; move its nodes, or mesh finer where the boundary is curved"
    )]
    Inverted {
        /// The file.
        file: String,
        /// The element.
        element: usize,
        /// Its kind.
        cell: &'static str,
        /// Its node nearest to the worst place.
        node: usize,
        /// The Jacobian there (m² or m³).
        jacobian: f64,
    },
    /// An element without area or volume.
    #[error(
        "{file}: element {element} ({cell}) is degenerate: its Jacobian is {jacobian:e}, nothing for its length {length:e} m"
    )]
    Degenerate {
        /// The file.
        file: String,
        /// The element.
        element: usize,
        /// Its kind.
        cell: &'static str,
        /// The least Jacobian (m² or m³).
        jacobian: f64,
        /// The longest distance of two of its nodes (m).
        length: f64,
    },
    /// Nodes that no element has.
    #[error("{file}: {count} nodes belong to no element (the first is node {first}); save only what is meshed, or drop them")]
    Unused {
        /// The file.
        file: String,
        /// The first of them.
        first: usize,
        /// How many.
        count: usize,
    },
    /// A face of three elements or more, or a boundary that touches itself in an edge or point.
    #[error(
        "{file}: the boundary is not a surface at nodes {nodes:?}: {count} {what} meet there (elements {elements:?}); separate the nodes, or join the parts properly"
    )]
    NonManifold {
        /// The file.
        file: String,
        /// Nodes of the place.
        nodes: Vec<usize>,
        /// How many meet.
        count: usize,
        /// What meets: elements, boundary faces or sides, or parts of the boundary that have no edge in common.
        what: &'static str,
        /// Some elements there.
        elements: Vec<usize>,
    },
    /// A group that does not exist.
    #[error("{file}: there is no group `{name}` of {what}; there are {known}{hint}")]
    Group {
        /// The file.
        file: String,
        /// Name asked for.
        name: String,
        /// Elements, faces or nodes.
        what: &'static str,
        /// Names that exist.
        known: String,
        /// The nearest of them, as a question; or nothing.
        hint: String,
    },
    /// A name of two groups: it is not clear which is meant.
    #[error("{file}: `{name}` is the name of a group of nodes and of a group of faces; give one of them another name")]
    TwoGroups {
        /// The file.
        file: String,
        /// The name.
        name: String,
    },
    /// A group with a member that does not exist, or without any.
    #[error("{file}: group `{name}` {problem}")]
    Member {
        /// The file.
        file: String,
        /// The group.
        name: String,
        /// What is wrong.
        problem: String,
    },
    /// A built-in mesh with an impossible measure.
    #[error("the built-in mesh `{mesh}` has a {what} of {value}, expected {expected}")]
    Measure {
        /// The mesh.
        mesh: &'static str,
        /// Which measure.
        what: &'static str,
        /// Its value.
        value: f64,
        /// What was expected.
        expected: &'static str,
    },
    /// A built-in mesh that is not made of this kind of cell.
    #[error("the built-in mesh `{mesh}` is not made of {cell}; expected {expected}")]
    Kind {
        /// The mesh.
        mesh: &'static str,
        /// The kind asked for.
        cell: &'static str,
        /// Kinds it can be made of.
        expected: &'static str,
    },
}

/// The line after the name of a file, where it is known.
fn at(line: &Option<usize>) -> String {
    line.map_or_else(String::new, |line| format!(", line {line}"))
}
