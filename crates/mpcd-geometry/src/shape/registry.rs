//! Shapes by name. A user's shape joins with one line: `ShapeRegistry::standard().with::<MyShape>()`.

use mpcd_core::{Dimension, Fragment, InputError, Quat, Vec3};
use schemars::{JsonSchema, Schema};
use serde::de::DeserializeOwned;

use super::{
    Shape,
    params::{BoxParams, DiscParams, PlaneParams, SegmentParams, SphereParams},
    written::{
        CapsuleParams, ClusterParams, CylinderParams, EllipsoidParams, HollowCylinderParams, HollowDiscParams,
        HollowSphereParams, PolygonParams, PolyhedronParams, SuperellipsoidParams, SurfaceParams,
    },
};

/// A shape and where its centre of mass and axes are, seen from the position the model gives.
#[derive(Debug, Clone, PartialEq)]
pub struct PlacedShape {
    /// The shape, centre of mass at the origin, in principal axes.
    pub shape: Shape,
    /// Centre of mass, from the position given in the model, before the body is turned (m).
    pub centre: Vec3,
    /// From the shape's axes to the axes the model speaks of.
    pub orientation: Quat,
}

impl PlacedShape {
    /// A shape whose centre of mass and axes are those the model speaks of.
    #[must_use]
    pub fn centred(shape: Shape) -> Self {
        Self { shape, centre: Vec3::zeros(), orientation: Quat::identity() }
    }
}

/// Files that a model names beside itself.
pub trait ShapeFiles {
    /// The bytes of a file; its name is relative to the folder of the model.
    ///
    /// # Errors
    /// A file that cannot be read, with its name as the place.
    fn read(&mut self, file: &str) -> Result<Vec<u8>, InputError>;
}

/// For models without a folder: every file is missing.
impl ShapeFiles for () {
    fn read(&mut self, file: &str) -> Result<Vec<u8>, InputError> {
        Err(InputError::new(format!("cannot read the file `{file}`: this model has no folder"))
            .help("read the model from a file")
            .at(file))
    }
}

/// A shape that can be named in a model file.
pub trait ShapeKind: 'static {
    /// Name in the model file.
    const NAME: &'static str;
    /// Its parameters.
    type Params: DeserializeOwned + JsonSchema;

    /// Builds the shape: its core, its mass properties, where its centre of mass is.
    ///
    /// # Errors
    /// What is wrong in the parameters taken together.
    fn build(params: Self::Params, input: &mut ShapeInput<'_>) -> Result<PlacedShape, InputError>;
}

/// What a shape may know of the model when it is built.
pub struct ShapeInput<'a> {
    fragment: &'a Fragment,
    dimension: Dimension,
    registry: &'a ShapeRegistry,
    files: &'a mut dyn ShapeFiles,
}

impl ShapeInput<'_> {
    /// Space of the model.
    #[must_use]
    pub const fn dimension(&self) -> Dimension {
        self.dimension
    }

    /// Whether the model is planar.
    #[must_use]
    pub fn planar(&self) -> bool {
        self.dimension == Dimension::Planar
    }

    /// The shape as it is written.
    #[must_use]
    pub const fn fragment(&self) -> &Fragment {
        self.fragment
    }

    /// The bytes of a file; its name is relative to the folder of the model.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub fn read_file(&mut self, file: &str) -> Result<Vec<u8>, InputError> {
        self.files.read(file)
    }

    /// A shape written inside this one.
    ///
    /// # Errors
    /// As [`ShapeRegistry::parse`].
    pub fn shape(&mut self, fragment: &Fragment) -> Result<PlacedShape, InputError> {
        self.registry.parse(fragment, self.dimension, self.files)
    }
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    name: &'static str,
    schema: fn() -> Schema,
    build: fn(&mut ShapeInput<'_>) -> Result<PlacedShape, InputError>,
}

/// All shapes a program knows.
#[derive(Debug, Clone, Default)]
pub struct ShapeRegistry {
    entries: Vec<Entry>,
}

impl ShapeRegistry {
    /// The shapes that ship.
    #[must_use]
    pub fn standard() -> Self {
        Self::default()
            .with::<SphereParams>()
            .with::<DiscParams>()
            .with::<PlaneParams>()
            .with::<SegmentParams>()
            .with::<BoxParams>()
            .with::<HollowDiscParams>()
            .with::<HollowSphereParams>()
            .with::<HollowCylinderParams>()
            .with::<PolygonParams>()
            .with::<PolyhedronParams>()
            .with::<CapsuleParams>()
            .with::<CylinderParams>()
            .with::<EllipsoidParams>()
            .with::<SuperellipsoidParams>()
            .with::<SurfaceParams>()
            .with::<ClusterParams>()
    }

    /// Adds a shape; one of the same name is replaced.
    #[must_use]
    pub fn with<S: ShapeKind>(mut self) -> Self {
        self.entries.retain(|e| e.name != S::NAME);
        self.entries.push(Entry {
            name: S::NAME,
            schema: || schemars::schema_for!(S::Params),
            build: |input| S::build(input.fragment.parse_body()?, input),
        });
        self
    }

    /// Name and parameter schema of every shape.
    pub fn schemas(&self) -> impl Iterator<Item = (&'static str, Schema)> + '_ {
        self.entries.iter().map(|e| (e.name, (e.schema)()))
    }

    /// Reads `Name(…)` as a shape of a model of the given dimension.
    ///
    /// # Errors
    /// An unknown name, a wrong or missing key, a file that cannot be read, or a shape that the dimension does not know, at its
    /// place in the model.
    pub fn parse(
        &self,
        fragment: &Fragment,
        dimension: Dimension,
        files: &mut dyn ShapeFiles,
    ) -> Result<PlacedShape, InputError> {
        let names = self.entries.iter().map(|e| e.name);
        let Some(entry) = self.entries.iter().find(|e| e.name == fragment.name()) else {
            return Err(InputError::unknown("shape", fragment.name(), names).within(fragment));
        };
        let mut input = ShapeInput { fragment, dimension, registry: self, files };
        (entry.build)(&mut input).map_err(|e| e.within(fragment))
    }
}

/// Reads `Name(…)` as one of the shapes that ship, without files.
///
/// # Errors
/// As [`ShapeRegistry::parse`].
pub fn parse_shape(fragment: &Fragment, dimension: Dimension) -> Result<PlacedShape, InputError> {
    ShapeRegistry::standard().parse(fragment, dimension, &mut ())
}
