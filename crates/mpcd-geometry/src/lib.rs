//! Floor 1: shapes, their mass properties, and the search for pairs of bodies that are near each other.
//!
//! What lives here: shapes at reference size and how a model file writes them, broad and narrow phase with persistent
//! contact keys, overlaps, and the pure geometry of packings. What may not: laws, forces, time, groups, materials.
//!
//! Planar and spatial models go through the same code: every record is three-dimensional, a planar model has everything at
//! z = 0 and its frames in the plane ([`mpcd_core::Frame::planar`]).
#![forbid(unsafe_code)]

mod corner_shares;
mod detector;
mod error;
mod narrow;
mod outline;
mod overlap;
mod packing;
pub mod polytope;
mod shape;
mod skin;
mod touch;

pub use detector::Detector;
pub use error::GeometryError;
pub use overlap::{Overlap, of_parts, overlaps};
pub use packing::{
    ArchParams, Arrangement, Block, Bond, ColumnsParams, DepositParams, DomeParams, GradingPoint, GrowParams, LatticeParams,
    PackingError, Random, Room, SizeLaw, SizeShare, VaultParams, VoronoiParams, WallParams, arch, columns, deposit, dome, grain,
    grow, hull, lattice, vault, voronoi, wall,
};
pub use shape::{
    Cavity, Chord, Content, Core, Cylinder, Deforming, Ellipsoid, End, Filled, MassProperties, Measures, Part, PlacedShape,
    Shape, ShapeFiles, ShapeInput, ShapeKind, ShapeRegistry, Shapes, Solid, Superellipsoid, SupportMap, TriMesh,
    params::{BoxParams, DiscParams, PlaneParams, SegmentParams, SphereParams},
    parse_shape,
    written::{
        CapsuleParams, ClusterParams, CylinderParams, EllipsoidParams, HollowCylinderParams, HollowDiscParams,
        HollowSphereParams, PartSection, PolygonParams, PolyhedronParams, SuperellipsoidParams, SurfaceParams,
    },
};
pub use skin::{BodySkin, Corners, Depth, Facet, MOST_NODES, Nearest, Patch, PatchShape, Skin, SkinTouch, SurfacePoint};
pub use touch::Touch;
