//! `shape: Mesh(…)`: how a model file makes a body deformable. From its parameters to a mesh about its centre of mass; no motion.

use std::{any::Any, collections::BTreeMap, sync::Arc};

use mpcd_core::{
    InputError, Quantity, Quat, Vec3,
    quantity::{Length, NonNegative, Positive},
};
use mpcd_fem::{Isotropic, LinearElastic, Mesh, MeshError, MeshSource, Meshed, Model, Section, Space};
use mpcd_geometry::{Content, Core, Deforming, Filled, Measures, PlacedShape, Shape, ShapeInput, ShapeKind, Solid};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{regions::Regions, ring};

/// A deformable body: finite elements of a material with `elastic` constants. Its groups of faces and nodes take loads as `"group.side"`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MeshParams {
    /// The mesh.
    pub of: MeshSource,
    /// What a planar mesh stands for; default `PlaneStrain`. Not in space.
    pub plane: Option<Plane>,
    /// Thickness along z in a planar model; default 1 m. Not in space, nor where x is a radius.
    pub thickness: Option<Quantity<Length, Positive>>,
    /// Names for groups of elements, those whose middle lies in a region, as `"group.region"`: for a body's `materials`, probes, joints, `Temperature` of `Thermal`,
    /// `potential` and equipotential `current` of `Electrical`; not for loads, nor for what is spread over a side. In the axes and the lengths (m) of the
    /// mesh, before `at`, `rotation` and `inner_radius`.
    pub regions: Option<Regions>,
    /// Radius (m) at which the mesh's own x = 0 lies, with `plane: Axisymmetric`; default 0.
    pub inner_radius: Option<Quantity<Length, NonNegative>>,
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
        let deep = matches!(&params.of, MeshSource::Rectangle { size, .. } if size.si().z != 0.0);
        if planar && deep {
            return Err(InputError::new("`size` has three components, but the model is planar")
                .help("write `size: (x, y)` and give the third edge as `thickness` of the Mesh")
                .at("size"));
        }
        let mut mesh = params.of.mesh(planar, |file| input.read_file(file).map_err(Fault)).map_err(|Fault(e)| e.at("of"))?;
        if !planar && params.thickness.is_some() {
            return Err(InputError::new("`thickness` belongs to planar models, but this model is spatial")
                .help("remove `thickness`, or set `dimension: 2`")
                .at("thickness"));
        }
        let thickness = params.thickness.map_or(1.0, |t| t.si());
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
        // regions are in the axes of the mesh
        for (name, region) in params.regions.iter().flat_map(|all| &all.0) {
            region.name(&mut mesh, name, planar).map_err(|e| e.at(name))?;
        }
        let inner = Vec3::x() * params.inner_radius.map_or(0.0, |r| r.si());
        let mesh = mesh.moved(|x| x + inner).map_err(InputError::from)?;
        let meshed = Meshed { mesh: Arc::new(mesh), space, unscaled: params.of.is_unscaled() };
        // of density 1: its mass is the volume
        let weighed = Weighed::new(meshed, |_| 1.0)?;
        Ok(PlacedShape { centre: weighed.centre, shape: weighed.shape(), orientation: Quat::identity() })
    }
}

/// A mesh with a density of each element, about its centre of mass.
struct Weighed {
    meshed: Meshed,
    /// Centre of mass in the axes that the mesh had (m).
    centre: Vec3,
    mass: f64,
    measures: Measures,
}

impl Weighed {
    fn new(meshed: Meshed, density: impl Fn(usize) -> f64) -> Result<Self, InputError> {
        let (mesh, space) = (&*meshed.mesh, meshed.space);
        let skin = mesh.skin().map_err(InputError::from)?;
        let mut known: Vec<f64> = Vec::new();
        let mut place = |density: f64| {
            known.iter().position(|d| *d == density).unwrap_or_else(|| {
                known.push(density);
                known.len() - 1
            })
        };
        let of = (0..mesh.elements()).map(|e| place(density(e))).collect();
        let sections = known.iter().map(|d| section(*d)).collect::<Result<Vec<_>, _>>()?;
        let model = Model::with_section_of(mesh.clone(), space, &sections, of)?;
        let masses = model.nodal_masses();
        let mass: f64 = masses.iter().sum();
        let nodes = || masses.iter().zip(model.mesh().nodes());
        let centre = (nodes().map(|(m, x)| x * *m).sum::<Vec3>() / mass).component_mul(&ring::mask(space));
        // About the axes of the mesh, with the mass at the nodes: what a picture or a probe of the whole body wants.
        let second = nodes().map(|(m, x)| (x - centre).map(|c| c * c) * *m).sum::<Vec3>() / mass;
        let inertia = Vec3::new(second.y + second.z, second.z + second.x, second.x + second.y);
        let surface = skin.faces.iter().map(|f| model.face_area(f.face)).sum();
        let model = Arc::new(model);
        let volume = if known == [1.0] { mass } else { model.volume(&model.rest()) };
        let mesh = Arc::new(mesh.clone().moved(|x| x - centre).map_err(InputError::from)?);
        Ok(Self { meshed: Meshed { mesh, ..meshed }, centre, mass, measures: Measures { volume, surface, inertia } })
    }

    fn shape(self) -> Shape {
        let Self { meshed, measures, .. } = self;
        let half = meshed.mesh.nodes().iter().map(|x| x.abs()).fold(Vec3::zeros(), |a, b| a.sup(&b));
        let (thickness, axisymmetric) = (meshed.space.thickness(), meshed.space == Space::Axisymmetric);
        let content = Content(Arc::new(Meshes(Arc::new(meshed))));
        let core = Core::Deformable { half, content, axisymmetric };
        Shape::Solid(Arc::new(Solid::new(MeshParams::NAME, core, measures).thick(thickness)))
    }
}

/// A mesh as who places bodies sees it.
struct Meshes(Arc<Meshed>);

impl Deforming for Meshes {
    fn content(&self) -> Arc<dyn Any + Send + Sync> {
        self.0.clone()
    }

    fn filled(&self, groups: &[(&str, f64)], density: f64) -> Result<Filled, (Option<usize>, InputError)> {
        let mesh = &self.0.mesh;
        let mut elements: Vec<Option<usize>> = vec![None; mesh.elements()];
        for (k, (name, _)) in groups.iter().enumerate() {
            for &e in mesh.element_group(name).map_err(|e| (Some(k), e.into()))? {
                if let Some(other) = elements[e].replace(k) {
                    let error = InputError::new(format!(
                        "the groups `{}` and `{name}` of mesh `{}` have element {} in common; expected one material for each element",
                        groups[other].0,
                        mesh.name(),
                        mesh.element_label(e)
                    ));
                    return Err((Some(k), error.help("leave one of them out, or name groups that do not overlap")));
                }
            }
        }
        self.fill(elements, |fill: Option<usize>| fill.map_or(density, |k| groups[k].1)).map_err(|e| (None, e))
    }
}

impl Meshes {
    fn fill(&self, elements: Vec<Option<usize>>, density: impl Fn(Option<usize>) -> f64) -> Result<Filled, InputError> {
        let mesh = &self.0.mesh;
        let weighed = Weighed::new(Meshed::clone(&self.0), |e| density(elements[e]))?;
        let model = Model::new(Mesh::clone(mesh), self.0.space, &section(1.0)?)?;
        let mut areas: BTreeMap<(usize, Option<usize>), f64> = BTreeMap::new();
        for face in mesh.skin().map_err(InputError::from)?.faces {
            let area = model.face_area(face.face) / face.nodes.len() as f64;
            face.nodes.iter().for_each(|n| *areas.entry((*n, elements[face.face.element])).or_default() += area);
        }
        let surface = areas.into_iter().map(|((node, fill), area)| (node as u32, fill, area)).collect();
        let (centre, mass, inertia) = (weighed.centre, weighed.mass, weighed.measures.inertia);
        Ok(Filled { shape: weighed.shape(), centre, mass, inertia, elements, surface })
    }
}

/// Of a model whose masses and geometry alone are asked for: any elastic constants.
fn section(density: f64) -> Result<Section, InputError> {
    Ok(Section::new(LinearElastic(Isotropic::new(1.0, 0.0)?), density)?)
}
