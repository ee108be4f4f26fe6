//! `shape: Mesh(…)`: how a model file makes a body deformable. From its parameters to a mesh about its centre of mass; no motion.

use std::sync::Arc;

use mpcd_core::{InputError, Quantity, Quat, Vec3, quantity};
use mpcd_fem::{Isotropic, LinearElastic, MeshError, MeshSource, Meshed, Model, Section, Space};
use mpcd_geometry::{Content, Core, Measures, PlacedShape, Shape, ShapeInput, ShapeKind, Solid};
use schemars::JsonSchema;
use serde::Deserialize;

use super::ring;

/// A deformable body: finite elements of a material with `elastic` constants. Its groups of faces and nodes take loads as `"group.side"`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MeshParams {
    /// The mesh.
    pub of: MeshSource,
    /// What a planar mesh stands for; default `PlaneStrain`. Not used in space.
    pub plane: Option<Plane>,
    /// Thickness along z in a planar model; default 1 m. Not used in space, nor where x is a radius.
    pub thickness: Option<Quantity<quantity::Length, quantity::Positive>>,
    /// Radius (m) at which the mesh's own x = 0 lies, with `plane: Axisymmetric`; default 0.
    pub inner_radius: Option<Quantity<quantity::Length, quantity::NonNegative>>,
}

/// Kinematics of a planar mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
pub enum Plane {
    /// No strain across the plane.
    PlaneStrain,
    /// No stress across the plane.
    PlaneStress,
    /// x is the radius, y the axis: forces, masses and areas are those of the whole ring.
    Axisymmetric,
}

/// A fault of a mesh or of the file that it is in.
struct Fault(InputError);

impl From<MeshError> for Fault {
    fn from(error: MeshError) -> Self {
        Self(error.into())
    }
}

impl ShapeKind for MeshParams {
    const NAME: &'static str = "Mesh";
    type Params = Self;

    fn build(params: Self, input: &mut ShapeInput<'_>) -> Result<PlacedShape, InputError> {
        let planar = input.planar();
        let mesh = params.of.mesh(planar, |file| input.read_file(file).map_err(Fault)).map_err(|Fault(e)| e.at("of"))?;
        let thickness = if planar { params.thickness.map_or(1.0, |t| t.si()) } else { 1.0 };
        let space = match (planar, params.plane) {
            (false, None) => Space::Solid,
            (false, Some(_)) => {
                return Err(InputError::new("`plane` belongs to a planar model, but this model is spatial")
                    .help("remove `plane`, or set `dimension: 2`")
                    .at("plane"));
            }
            (true, None | Some(Plane::PlaneStrain)) => Space::PlaneStrain { thickness },
            (true, Some(Plane::PlaneStress)) => Space::PlaneStress { thickness },
            (true, Some(Plane::Axisymmetric)) if params.thickness.is_some() => {
                return Err(InputError::new("an axisymmetric mesh has no thickness: it goes around the axis")
                    .help("remove `thickness`")
                    .at("thickness"));
            }
            (true, Some(Plane::Axisymmetric)) => Space::Axisymmetric,
        };
        if params.inner_radius.is_some() && space != Space::Axisymmetric {
            return Err(InputError::new("`inner_radius` belongs to meshes around an axis")
                .help("write `plane: Axisymmetric`, or place the mesh with `at`")
                .at("inner_radius"));
        }
        let inner = Vec3::x() * params.inner_radius.map_or(0.0, |r| r.si());
        let mesh = mesh.moved(|x| x + inner).map_err(InputError::from)?;
        let skin = mesh.skin().map_err(InputError::from)?;
        // Any material of density 1: its mass is the volume.
        let model = Model::new(mesh, space, &Section::new(LinearElastic(Isotropic::new(1.0, 0.0)?), 1.0)?)?;
        let masses = model.nodal_masses();
        let volume: f64 = masses.iter().sum();
        let nodes = || masses.iter().zip(model.mesh().nodes());
        let centre = (nodes().map(|(m, x)| x * *m).sum::<Vec3>() / volume).component_mul(&ring::mask(space));
        // About the axes of the mesh, with the mass at the nodes: what a picture or a probe of the whole body wants.
        let second = nodes().map(|(m, x)| (x - centre).map(|c| c * c) * *m).sum::<Vec3>() / volume;
        let inertia = Vec3::new(second.y + second.z, second.z + second.x, second.x + second.y);
        let half = model.mesh().nodes().iter().map(|x| (x - centre).abs()).fold(Vec3::zeros(), |a, b| a.sup(&b));
        let surface = skin.faces.iter().map(|f| model.face_area(f.face)).sum();
        let mesh = model.mesh().clone().moved(|x| x - centre).map_err(InputError::from)?;
        let content = Content(Arc::new(Meshed { mesh: Arc::new(mesh), space, unscaled: params.of.is_unscaled() }));
        let measures = Measures { volume, surface, inertia };
        let solid =
            Solid::new(Self::NAME, Core::Deformable { half, content, axisymmetric: space == Space::Axisymmetric }, measures)
                .thick(thickness);
        Ok(PlacedShape { shape: Shape::Solid(Arc::new(solid)), centre, orientation: Quat::identity() })
    }
}
