//! Probes of the nodes of deformable bodies: of all of them, or of a named part of their mesh (`"group.part"`). They read the arrays of the
//! meshes; what may not live here: stress recovery, mechanics.

use mpcd_core::{FieldSpec, InputError, MeshQuantity, MeshView, Vec3, ids::GroupId, setup::Setup};
use nalgebra::Matrix3;

use super::{
    Probe, granular,
    section::{Component, Reduce},
    view::View,
};

/// What can be asked of nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Nodal {
    /// Where they are.
    Place,
    /// What they carry.
    Carried(MeshQuantity),
}

/// Names that are of nodes whether a part is named or not. A stress, a strain and a contact pressure of nodes are called so, as `stress` is that of grains and
/// `contact_pressure` that in a whole body.
pub(super) const OF_NODES: [(&str, MeshQuantity); 10] = [
    ("displacement", MeshQuantity::Displacement),
    ("reaction", MeshQuantity::Reaction),
    ("contact_force", MeshQuantity::ContactForce),
    ("mesh_contact_pressure", MeshQuantity::ContactPressure),
    ("mesh_stress", MeshQuantity::Stress),
    ("mesh_strain", MeshQuantity::Strain),
    ("von_mises", MeshQuantity::VonMises),
    ("plastic_strain", MeshQuantity::PlasticStrain),
    ("mesh_temperature", MeshQuantity::Temperature),
    ("mesh_potential", MeshQuantity::Potential),
];

/// Whether nodes have a quantity: what is a field of a module where that is among `fields`.
pub(super) fn given(quantity: MeshQuantity, fields: &[FieldSpec]) -> bool {
    quantity.field().is_none_or(|field| fields.iter().any(|f| f.name == field))
}

impl Nodal {
    /// What a name asks for; `position`, `velocity`, `temperature` and `potential` are those of whole bodies where no part is named. What is a field of a module
    /// is there where it is among `fields`.
    pub(super) fn of(name: &str, part: bool, fields: &[FieldSpec]) -> Option<Self> {
        let carried =
            OF_NODES.iter().find(|(own, q)| *own == name && given(*q, fields)).map(|(_, quantity)| Self::Carried(*quantity));
        match name {
            "temperature" if part && given(MeshQuantity::Temperature, fields) => Some(Self::Carried(MeshQuantity::Temperature)),
            "potential" if part && given(MeshQuantity::Potential, fields) => Some(Self::Carried(MeshQuantity::Potential)),
            "position" if part => Some(Self::Place),
            "velocity" if part => Some(Self::Carried(MeshQuantity::Velocity)),
            _ => carried,
        }
    }

    /// The array that it needs.
    pub(super) const fn quantity(self) -> Option<MeshQuantity> {
        match self {
            Self::Place => None,
            Self::Carried(quantity) => Some(quantity),
        }
    }

    const fn components(self) -> usize {
        match self {
            Self::Place => 3,
            Self::Carried(quantity) => quantity.components(),
        }
    }

    /// Forces add up; of everything else the mean is asked for.
    pub(super) const fn default_reduce(self) -> Reduce {
        match self {
            Self::Carried(MeshQuantity::Reaction | MeshQuantity::ContactForce) => Reduce::Sum,
            _ => Reduce::Mean,
        }
    }

    /// What is wrong with the component of a probe.
    pub(super) fn wrong_component(self, of: &str, component: Component) -> Option<InputError> {
        match self.components() {
            1 if component != Component::Norm => Some(
                InputError::new(format!("`{of}` is one number, so it has no component {component:?}"))
                    .help("leave `component` out"),
            ),
            3 if component.is_of_tensor() => Some(
                InputError::new(format!("`{of}` is no tensor, so it has no component {component:?}"))
                    .help("use `component: X`, `Y`, `Z` or `Norm`, or leave it out"),
            ),
            9 if !component.is_of_tensor() => Some(
                InputError::new(format!("`{of}` is a tensor; expected a component of it"))
                    .help("add for example `component: YY`, `component: Mean` or `component: Deviator`"),
            ),
            _ => None,
        }
    }

    /// What is wrong with the bodies that a probe names: all of them have nodes, and the part.
    pub(super) fn wrong_bodies(
        of: &str,
        group: Option<GroupId>,
        part: Option<&str>,
        setup: &Setup,
        meshes: &[MeshView],
    ) -> Option<InputError> {
        let Some(group) = group else {
            return meshes.is_empty().then(|| {
                InputError::new(format!("`{of}` is of the nodes of deformable bodies, but the model has none"))
                    .help("give a body a shape Mesh(…), or remove the probe")
            });
        };
        let name = setup.groups.name(group.index());
        let mesh = |body: mpcd_core::BodyId| meshes.iter().find(|m| m.body == body);
        if setup.bodies.of_group(group).any(|body| mesh(body).is_none()) {
            let words = match part {
                Some(part) => format!("`{name}.{part}` names a part of a mesh, but group \"{name}\" has rigid bodies"),
                None => format!("`{of}` is of the nodes of deformable bodies, but group \"{name}\" has rigid ones"),
            };
            return Some(InputError::new(words).help("name a group whose bodies all have a shape Mesh(…)"));
        }
        let part = part?;
        let mut own = setup.bodies.of_group(group).filter_map(mesh);
        let without = own.find(|m| m.topology.part(part).is_none())?;
        let names: Vec<&str> = without.topology.parts.iter().map(|(name, _)| name.as_str()).collect();
        Some(InputError::unknown("group of the mesh", part, names.into_iter()))
    }
}

/// A probe that is not of nodes, of a part of a mesh.
pub(super) fn no_part(of: &str, group: &str, part: &str) -> InputError {
    let nodal = OF_NODES.map(|n| format!("`{}`", n.0)).join(", ");
    InputError::new(format!("`{of}` is of whole bodies, so it has no part `{part}`"))
        .help(format!("write `group: \"{group}\"`; of a part of a mesh are `position`, `velocity`, `temperature`, {nodal}"))
}

impl Probe {
    /// The number of the nodes that are meant; a tensor is summed before its component is taken, as a vector is.
    pub(super) fn of_nodes(&self, nodal: Nodal, view: &View<'_>) -> Option<f64> {
        let c = nodal.components();
        let rows =
            || view.meshes.iter().filter(|m| view.grouped(&self.choice, m.body)).flat_map(move |m| self.rows(m, nodal, view));
        let tensor = |v: &[f64; 9]| Matrix3::from_row_slice(v);
        let number = |t: &Matrix3<f64>| granular::invariant(t, self.component, view.axes());
        match c {
            1 => self.reduce_scalars(rows().map(|v| v[0])),
            3 => self.reduce(rows().map(|v| Vec3::new(v[0], v[1], v[2]))),
            _ if self.reduce == Reduce::Sum => Some(number(&rows().map(|v| tensor(&v)).sum())),
            _ => self.reduce_scalars(rows().map(|v| number(&tensor(&v)))),
        }
    }

    /// What the chosen nodes of a mesh carry, each filled up with zeros.
    fn rows<'a>(&'a self, mesh: &'a MeshView, nodal: Nodal, view: &'a View<'_>) -> impl Iterator<Item = [f64; 9]> + 'a {
        let named = self.part.as_deref().map(|part| mesh.topology.part(part).unwrap_or_default());
        let count = named.map_or(mesh.points.len(), <[usize]>::len);
        let nodes = (0..count).map(move |k| named.map_or(k, |nodes| nodes[k]));
        let array = nodal.quantity().and_then(|q| match self.part.as_deref() {
            Some(part) => mesh.array_of(part, q),
            None => mesh.array(q),
        });
        nodes.filter(|n| view.inside(&self.choice, &mesh.points[*n])).map(move |n| {
            let mut out = [0.0; 9];
            let c = nodal.components();
            match array {
                Some(array) => out[..c].copy_from_slice(&array.values[n * c..(n + 1) * c]),
                None => out[..c].copy_from_slice(mesh.points[n].as_slice()),
            }
            out
        })
    }
}
