//! The kinds of elements: their nodes, faces and numbering. Shape functions and quadrature are in the rooms below; no
//! coordinates of a mesh, no material.

mod quadrature;
mod shape;
mod table;

pub use quadrature::{Purpose, Rule};
pub use shape::Shape;
pub(crate) use table::table;

/// Most nodes of any cell.
pub const MAX_NODES: usize = 20;

/// A kind of cell. Nodes are numbered as VTK does: corners first (a quadrilateral or triangle counter-clockwise), then the
/// middle of each edge in the order of [`Cell::edges`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cell {
    /// Line of 2 nodes: side of T3 and Q4.
    Line2,
    /// Line of 3 nodes: side of T6 and Q8.
    Line3,
    /// Triangle of 3 nodes, T3.
    Tri3,
    /// Triangle of 6 nodes, T6.
    Tri6,
    /// Quadrilateral of 4 nodes, Q4.
    Quad4,
    /// Quadrilateral of 8 nodes (serendipity), Q8.
    Quad8,
    /// Tetrahedron of 4 nodes, TET4.
    Tet4,
    /// Tetrahedron of 10 nodes, TET10.
    Tet10,
    /// Hexahedron of 8 nodes, HEX8.
    Hex8,
    /// Hexahedron of 20 nodes (serendipity), HEX20.
    Hex20,
}

/// What is known of a kind without a formula.
struct Facts {
    name: &'static str,
    dimension: usize,
    corners: usize,
    nodes: usize,
    vtk: u8,
    gmsh: u32,
    face: Option<Cell>,
    edges: &'static [[usize; 2]],
    faces: &'static [&'static [usize]],
}

const LINE: &[[usize; 2]] = &[[0, 1]];
const TRIANGLE: &[[usize; 2]] = &[[0, 1], [1, 2], [2, 0]];
const QUADRILATERAL: &[[usize; 2]] = &[[0, 1], [1, 2], [2, 3], [3, 0]];
const TETRAHEDRON: &[[usize; 2]] = &[[0, 1], [1, 2], [2, 0], [0, 3], [1, 3], [2, 3]];
const HEXAHEDRON: &[[usize; 2]] =
    &[[0, 1], [1, 2], [2, 3], [3, 0], [4, 5], [5, 6], [6, 7], [7, 4], [0, 4], [1, 5], [2, 6], [3, 7]];

const FACTS: [Facts; 10] = [
    Facts { name: "L2", dimension: 1, corners: 2, nodes: 2, vtk: 3, gmsh: 1, face: None, edges: LINE, faces: &[] },
    Facts { name: "L3", dimension: 1, corners: 2, nodes: 3, vtk: 21, gmsh: 8, face: None, edges: LINE, faces: &[] },
    Facts {
        name: "T3",
        dimension: 2,
        corners: 3,
        nodes: 3,
        vtk: 5,
        gmsh: 2,
        face: Some(Cell::Line2),
        edges: TRIANGLE,
        faces: &[&[0, 1], &[1, 2], &[2, 0]],
    },
    Facts {
        name: "T6",
        dimension: 2,
        corners: 3,
        nodes: 6,
        vtk: 22,
        gmsh: 9,
        face: Some(Cell::Line3),
        edges: TRIANGLE,
        faces: &[&[0, 1, 3], &[1, 2, 4], &[2, 0, 5]],
    },
    Facts {
        name: "Q4",
        dimension: 2,
        corners: 4,
        nodes: 4,
        vtk: 9,
        gmsh: 3,
        face: Some(Cell::Line2),
        edges: QUADRILATERAL,
        faces: &[&[0, 1], &[1, 2], &[2, 3], &[3, 0]],
    },
    Facts {
        name: "Q8",
        dimension: 2,
        corners: 4,
        nodes: 8,
        vtk: 23,
        gmsh: 16,
        face: Some(Cell::Line3),
        edges: QUADRILATERAL,
        faces: &[&[0, 1, 4], &[1, 2, 5], &[2, 3, 6], &[3, 0, 7]],
    },
    Facts {
        name: "TET4",
        dimension: 3,
        corners: 4,
        nodes: 4,
        vtk: 10,
        gmsh: 4,
        face: Some(Cell::Tri3),
        edges: TETRAHEDRON,
        faces: &[&[0, 2, 1], &[0, 1, 3], &[1, 2, 3], &[2, 0, 3]],
    },
    Facts {
        name: "TET10",
        dimension: 3,
        corners: 4,
        nodes: 10,
        vtk: 24,
        gmsh: 11,
        face: Some(Cell::Tri6),
        edges: TETRAHEDRON,
        faces: &[&[0, 2, 1, 6, 5, 4], &[0, 1, 3, 4, 8, 7], &[1, 2, 3, 5, 9, 8], &[2, 0, 3, 6, 7, 9]],
    },
    Facts {
        name: "HEX8",
        dimension: 3,
        corners: 8,
        nodes: 8,
        vtk: 12,
        gmsh: 5,
        face: Some(Cell::Quad4),
        edges: HEXAHEDRON,
        faces: &[&[0, 3, 2, 1], &[4, 5, 6, 7], &[0, 1, 5, 4], &[1, 2, 6, 5], &[2, 3, 7, 6], &[3, 0, 4, 7]],
    },
    Facts {
        name: "HEX20",
        dimension: 3,
        corners: 8,
        nodes: 20,
        vtk: 25,
        gmsh: 17,
        face: Some(Cell::Quad8),
        edges: HEXAHEDRON,
        faces: &[
            &[0, 3, 2, 1, 11, 10, 9, 8],
            &[4, 5, 6, 7, 12, 13, 14, 15],
            &[0, 1, 5, 4, 8, 17, 12, 16],
            &[1, 2, 6, 5, 9, 18, 13, 17],
            &[2, 3, 7, 6, 10, 19, 14, 18],
            &[3, 0, 4, 7, 11, 16, 15, 19],
        ],
    },
];

impl Cell {
    /// All kinds, in the order of their declaration.
    pub const ALL: [Self; 10] = [
        Self::Line2,
        Self::Line3,
        Self::Tri3,
        Self::Tri6,
        Self::Quad4,
        Self::Quad8,
        Self::Tet4,
        Self::Tet10,
        Self::Hex8,
        Self::Hex20,
    ];

    fn facts(self) -> &'static Facts {
        &FACTS[self as usize]
    }

    /// The short name of the literature: `T3`, `Q8`, `HEX20`, …
    pub fn name(self) -> &'static str {
        self.facts().name
    }

    /// Dimension of the reference cell: 1, 2 or 3.
    pub fn dimension(self) -> usize {
        self.facts().dimension
    }

    /// Number of nodes.
    pub fn nodes(self) -> usize {
        self.facts().nodes
    }

    /// Number of corners; the first nodes are the corners.
    pub fn corners(self) -> usize {
        self.facts().corners
    }

    /// Whether there are nodes between the corners.
    pub fn is_quadratic(self) -> bool {
        self.nodes() > self.corners()
    }

    /// Corners at the two ends of each edge; node `corners() + k` of a quadratic cell lies on edge k.
    pub fn edges(self) -> &'static [[usize; 2]] {
        self.facts().edges
    }

    /// Nodes of each face (3D) or side (2D), so numbered that the normal of [`Cell::face`] points out of the cell.
    pub fn faces(self) -> &'static [&'static [usize]] {
        self.facts().faces
    }

    /// Kind of the faces; `None` for lines.
    pub fn face(self) -> Option<Self> {
        self.facts().face
    }

    /// Whether it is made of barycentric coordinates (triangle, tetrahedron).
    pub fn is_simplex(self) -> bool {
        matches!(self, Self::Tri3 | Self::Tri6 | Self::Tet4 | Self::Tet10)
    }

    /// The same shape with nodes between the corners; itself when it has them.
    pub fn quadratic(self) -> Self {
        match self {
            Self::Line2 => Self::Line3,
            Self::Tri3 => Self::Tri6,
            Self::Quad4 => Self::Quad8,
            Self::Tet4 => Self::Tet10,
            Self::Hex8 => Self::Hex20,
            other => other,
        }
    }

    /// The same shape with corners alone.
    pub fn linear(self) -> Self {
        Self::ALL.into_iter().find(|c| c.quadratic() == self && !c.is_quadratic()).unwrap_or(self)
    }

    /// Type number in VTK files.
    pub fn vtk(self) -> u8 {
        self.facts().vtk
    }

    /// The kind with this type number in VTK files.
    pub fn from_vtk(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|c| c.vtk() == number)
    }

    /// The kind with this type number in gmsh files.
    pub fn from_gmsh(number: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|c| c.facts().gmsh == number)
    }

    /// Coordinates of a node in the reference cell: barycentric 0…1 for triangles and tetrahedra, −1…1 for the others.
    pub fn reference_node(self, node: usize) -> [f64; 3] {
        if node >= self.corners() {
            let [a, b] = self.edges()[node - self.corners()].map(|corner| self.reference_node(corner));
            return [0, 1, 2].map(|k| 0.5 * (a[k] + b[k]));
        }
        if self.is_simplex() {
            return [1, 2, 3].map(|k| f64::from(u8::from(node == k)));
        }
        let sign = |upper: bool| if upper { 1.0 } else { -1.0 };
        match self.dimension() {
            1 => [sign(node == 1), 0.0, 0.0],
            2 => [sign(node == 1 || node == 2), sign(node >= 2), 0.0],
            _ => [sign(node % 4 == 1 || node % 4 == 2), sign(node % 4 >= 2), sign(node >= 4)],
        }
    }
}
