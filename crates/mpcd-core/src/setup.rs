//! The set-up of a run as every module sees it: dimension, gravity, bodies, names, materials, and typed parts.
//! Immutable once built. What only some rooms know (shapes, law registry) travels as a typed part.

use std::{any::Any, any::TypeId, collections::BTreeMap, sync::Arc};

use serde::de::DeserializeOwned;

use crate::{
    body::{BodySet, Kinematics},
    filling::Filling,
    ids::{BodyId, GroupId, MaterialId},
    input::{Fragment, InputError},
    math::Vec3,
    network::{Contact, ContactNetwork},
    time_function::TimeFunction,
};

/// Space of the model. Bodies and contacts are 3D either way; a planar model locks the out-of-plane motions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Dimension {
    /// xy plane: z, and rotation about x and y, are locked.
    Planar,
    /// Space.
    #[default]
    Spatial,
}

/// A named list: index ↔ name.
#[derive(Debug, Clone, Default)]
pub struct Names(Vec<String>);

impl Names {
    /// The index of `name`, added if it is new.
    pub fn intern(&mut self, name: &str) -> usize {
        self.find(name).unwrap_or_else(|| {
            self.0.push(name.to_owned());
            self.0.len() - 1
        })
    }

    /// The index of `name`.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<usize> {
        self.0.iter().position(|n| n == name)
    }

    /// The name at `index`.
    #[must_use]
    pub fn name(&self, index: usize) -> &str {
        &self.0[index]
    }

    /// All names.
    pub fn iter(&self) -> impl Iterator<Item = &str> + Clone {
        self.0.iter().map(String::as_str)
    }

    /// Number of names.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no name.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// A material: its density and the parts that belong to modules, unread.
#[derive(Debug, Clone)]
pub struct Material {
    /// Name in the model.
    pub name: String,
    /// Density [kg/m³].
    pub density: f64,
    /// Parts by name (`elastic`, `thermal`, `electrical`, …), each read by its module.
    pub parts: BTreeMap<String, Fragment>,
}

/// A law between two groups, unread: the contact module knows the laws.
#[derive(Debug, Clone)]
pub struct Interaction {
    /// The two groups (may be the same).
    pub groups: (GroupId, GroupId),
    /// `Law(…)` as written.
    pub law: Fragment,
}

/// A load or imposed motion on a group, unread: the contact module knows the kinds.
#[derive(Debug, Clone)]
pub struct Load {
    /// The group it acts on.
    pub group: GroupId,
    /// The part of the meshes of its bodies, where only that is meant.
    pub part: Option<String>,
    /// `Force(…)`, `Velocity(…)`, `Fixed`, … as written.
    pub kind: Fragment,
}

/// The group and the part of its meshes that a name like `group.part` means. A group may have a point in its name; what follows the last one of
/// another name is a part.
#[must_use]
pub fn split_part(whole: &str, is_group: impl Fn(&str) -> bool) -> (&str, Option<&str>) {
    match whole.rsplit_once('.') {
        Some((group, part)) if !is_group(whole) && is_group(group) => (group, Some(part)),
        _ => (whole, None),
    }
}

/// A joint of two bodies, or of a body and the ground, unread: the contact module knows the kinds.
#[derive(Debug, Clone)]
pub struct Joint {
    /// The two bodies; `None` is the ground.
    pub bodies: (BodyId, Option<BodyId>),
    /// Of each of the two, the part of its mesh that the joint ends on; `None` is a point of the body, or the ground.
    pub parts: [Option<String>; 2],
    /// `Pin(…)`, `Rod(…)`, … as written.
    pub kind: Fragment,
    /// Its name: its force, moment and work are then columns of the history.
    pub name: Option<String>,
    /// What it conducts, unread, by the name of the part: [`crate::JointPaths`].
    pub conducts: BTreeMap<String, Fragment>,
}

/// What moves the length of a periodic cell along one axis.
#[derive(Debug, Clone, Default)]
pub enum CellDrive {
    /// Nothing: it stays as it is.
    #[default]
    Fixed,
    /// Its growth over the length [1/s] is this function of time.
    Rate(TimeFunction),
    /// It follows this stress (Pa), compression positive.
    Stress(TimeFunction),
}

/// A periodic cell whose lengths move.
#[derive(Debug, Clone)]
pub struct MovingCell {
    /// What moves each axis.
    pub drives: [CellDrive; 3],
    /// Inertia of each length (kg); `None` is the mass of all bodies.
    pub mass: Option<f64>,
    /// Stress (Pa) that resists per rate of the length [Pa s].
    pub viscosity: f64,
    /// Where the model says so.
    pub text: Fragment,
}

/// What a deformable body is made of: a mesh, for the rooms that know its type, and nothing for the others.
#[derive(Debug, Clone)]
pub struct MeshContent {
    /// The body.
    pub body: BodyId,
    /// The materials that fill it, where it is not that of the body alone.
    pub filling: Option<Filling>,
    content: Arc<dyn Any + Send + Sync>,
}

impl MeshContent {
    /// The content of a body.
    #[must_use]
    pub fn new(body: BodyId, content: Arc<dyn Any + Send + Sync>) -> Self {
        Self { body, filling: None, content }
    }

    /// The content as the type that it has; `None` of any other.
    #[must_use]
    pub fn get<T: Any + Send + Sync>(&self) -> Option<Arc<T>> {
        self.content.clone().downcast().ok()
    }
}

/// Everything a module may know when it is built.
#[derive(Debug, Default)]
pub struct Setup {
    /// Space of the model.
    pub dimension: Dimension,
    /// Gravity [m/s²].
    pub gravity: Vec3,
    /// Lengths (m) after which the model repeats along x, y, z at the start; `None` where it does not. Positions are not wrapped.
    pub periods: [Option<f64>; 3],
    /// What moves them; `None` where they stay.
    pub cell: Option<MovingCell>,
    /// Set-up of the bodies.
    pub bodies: BodySet,
    /// Where the bodies start.
    pub initial: Kinematics,
    /// Group names.
    pub groups: Names,
    /// Materials, indexed by [`MaterialId`].
    pub materials: Vec<Material>,
    /// Which law between which groups.
    pub interactions: Vec<Interaction>,
    /// Loads and imposed motions.
    pub loads: Vec<Load>,
    /// Joints.
    pub joints: Vec<Joint>,
    /// Deformable bodies, in the order of the bodies.
    pub meshes: Vec<MeshContent>,
    /// What modules of the model let pass from body to body, by the key of the part of materials and joints that they read (`electrical`).
    pub passing: Vec<&'static str>,
    /// Those of [`Setup::passing`] that pass across gaps within the alert distance as well.
    pub across: Vec<&'static str>,
    parts: BTreeMap<TypeId, Arc<dyn Any + Send + Sync>>,
}

/// The `theta` of the steps of a model, a part of the set-up: a module whose scheme has one of its own refuses another before the first step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Theta(pub f64);

/// How long the run of a model is (s), a part of the set-up: for what can be said before the first step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Span(pub f64);

impl Setup {
    /// For modules that know nothing of a periodic cell whose lengths move.
    ///
    /// # Errors
    /// When there is one.
    pub fn refuse_moving_cell(&self, module: &str) -> Result<(), InputError> {
        let Some(cell) = &self.cell else { return Ok(()) };
        let error = InputError::new(format!(
            "{module} computes in a cell of fixed lengths, but here its lengths follow a stress or a rate"
        ));
        Err(error.help(format!("remove `stress` and `rate` from `periodic`, or {module} from `physics`")).within(&cell.text))
    }

    /// Adds a typed part for the rooms that know the type.
    pub fn insert<T: Any + Send + Sync>(&mut self, part: T) {
        self.parts.insert(TypeId::of::<T>(), Arc::new(part));
    }

    /// A typed part.
    ///
    /// # Errors
    /// When the part is missing, which is a fault of the program that built the set-up.
    pub fn part<T: Any + Send + Sync>(&self) -> Result<Arc<T>, InputError> {
        self.parts.get(&TypeId::of::<T>()).and_then(|p| p.clone().downcast::<T>().ok()).ok_or_else(|| {
            InputError::new(format!("this program was put together without `{}`", std::any::type_name::<T>()))
                .help("use the standard registry")
        })
    }

    /// The group called `name`.
    ///
    /// # Errors
    /// An unknown name, with the nearest known one.
    pub fn group(&self, name: &str) -> Result<GroupId, InputError> {
        self.groups.find(name).map(GroupId::from_index).ok_or_else(|| InputError::unknown("group", name, self.groups.iter()))
    }

    /// All bodies of the group called `name`.
    ///
    /// # Errors
    /// An unknown name, with the nearest known one.
    pub fn bodies_of(&self, name: &str) -> Result<Vec<BodyId>, InputError> {
        Ok(self.bodies.of_group(self.group(name)?).collect())
    }

    /// A human name for a body: its group and its number in the model.
    #[must_use]
    pub fn body_label(&self, body: BodyId) -> String {
        self.bodies.group.get(body.index()).map_or_else(
            || format!("body {}", body.0),
            |g| format!("body {} (group \"{}\")", body.0, self.groups.name(g.index())),
        )
    }

    /// The part `part` of every material read as `T`, `None` where a material has no such part.
    ///
    /// # Errors
    /// What is wrong in the part, at its place.
    pub fn material_parts<T: DeserializeOwned>(&self, part: &str) -> Result<Vec<Option<T>>, InputError> {
        self.materials.iter().map(|m| m.parts.get(part).map(Fragment::parse).transpose()).collect()
    }

    /// The material of a body.
    #[must_use]
    pub fn material_of(&self, body: BodyId) -> MaterialId {
        self.bodies.material[body.index()]
    }

    /// What fills the mesh of a body of several materials; `None` of all others.
    #[must_use]
    pub fn filling(&self, body: BodyId) -> Option<&Filling> {
        let place = self.meshes.binary_search_by_key(&body, |m| m.body).ok()?;
        self.meshes[place].filling.as_ref()
    }

    /// The material of an element of the mesh of a body.
    #[must_use]
    pub fn material_in(&self, body: BodyId, element: usize) -> MaterialId {
        self.filling(body).and_then(|f| f.elements.get(element)).copied().unwrap_or_else(|| self.material_of(body))
    }

    /// The materials of the two bodies of a contact: where a mesh has several, that which most of its surface around the contact is of.
    #[must_use]
    pub fn materials_at(&self, network: &ContactNetwork, contact: &Contact) -> [MaterialId; 2] {
        let (i, j) = contact.bodies();
        let fillings = [i, j].map(|body| self.filling(body));
        let points = if fillings == [None; 2] { [None; 2] } else { network.mesh_points(&contact.key) };
        let at = |side: usize, body: BodyId| {
            let found = fillings[side].zip(points[side]).and_then(|(filling, point)| filling.at(point));
            found.unwrap_or_else(|| self.material_of(body))
        };
        [at(0, i), at(1, j)]
    }

    /// A body of several materials, where there is one, that meets a body for which `remembers` holds of the pair: what a law remembers of a whole
    /// patch has no one material there.
    pub fn filled_beside(&self, remembers: impl Fn(BodyId, BodyId) -> bool) -> Option<BodyId> {
        let filled = self.meshes.iter().filter(|m| m.filling.is_some()).map(|m| m.body);
        let all = || (0..self.bodies.len()).map(BodyId::from_index);
        filled.into_iter().find(|body| all().any(|other| remembers(*body, other)))
    }

    /// All materials of a body, each once: of a mesh those that fill it.
    #[must_use]
    pub fn materials_of(&self, body: BodyId) -> Vec<MaterialId> {
        self.filling(body).map_or_else(|| vec![self.material_of(body)], Filling::kinds)
    }
}
