//! Fields: named columns of numbers with a unit and a support, the only channel between physics modules.
//! A contact field follows its contact by key when the network changes ([`FieldStore::follow`]).

use serde::{Deserialize, Serialize};

use crate::{ids::ContactKey, math::Vec3, unit::Unit};

/// Field names that several rooms agree on. A module may add any other name.
pub mod names {
    /// Temperature of a body (K).
    pub const TEMPERATURE: &str = "temperature";
    /// Linear size of a body over its reference size (1), written by whoever makes bodies swell.
    pub const SIZE_FACTOR: &str = "size_factor";
    /// Electrical potential of a body (V).
    pub const POTENTIAL: &str = "potential";
    /// Current through a contact, positive from candidate to antagonist (A).
    pub const CURRENT: &str = "current";
    /// Joule power of a contact (W).
    pub const JOULE_POWER: &str = "joule_power";
    /// Conductance of a contact (S).
    pub const CONDUCTANCE: &str = "conductance";
    /// Highest temperature within a contact spot (K).
    pub const CONTACT_TEMPERATURE: &str = "contact_temperature";
    /// Part of the Joule power of a contact that its second body takes.
    pub const JOULE_SHARE: &str = "joule_share";
    /// Electrical potential of a node of a mesh (V).
    pub const NODE_POTENTIAL: &str = "node_potential";
    /// Joule power given to a node of a mesh (W).
    pub const NODE_JOULE_POWER: &str = "node_joule_power";
    /// 1 of a joint that holds, 0 of one that broke.
    pub const JOINT_HOLDS: &str = "joint_holds";
    /// Joule power of a joint that conducts (W).
    pub const JOINT_JOULE_POWER: &str = "joint_joule_power";
    /// Temperature of a node of a mesh (K).
    pub const NODE_TEMPERATURE: &str = "node_temperature";
    /// Mean heat flux in an element of a mesh, −k ∇T [W/m²].
    pub const HEAT_FLUX: &str = "heat_flux";
    /// Mean current density in an element of a mesh, −σ ∇V [A/m²].
    pub const CURRENT_DENSITY: &str = "current_density";
    /// Strain, the same along all axes, that a node of a mesh would have if nothing held it (1): of heat, of moisture.
    pub const FREE_STRAIN: &str = "free_strain";
    /// What `free_strain` of its nodes counts in an element of a mesh (1): materials of one mesh swell differently.
    pub const FREE_STRAIN_FACTOR: &str = "free_strain_factor";
    /// Heat flow through a contact, positive from candidate to antagonist (W).
    pub const HEAT: &str = "heat";
    /// Damage of the bond of a contact: 0 intact, or no bond was ever there, 1 broken.
    pub const DAMAGE: &str = "damage";
    /// Area over which the bond of a contact still holds, A (1 − x) with the damage x (m²).
    pub const BONDED_AREA: &str = "bonded_area";
    /// Pull of what holds two bodies together beside their surfaces at a contact, as a liquid bridge (N): the surfaces press with it more than the contact does.
    pub const ADHESION: &str = "adhesion";
    /// Radius of the neck that sintering made at a contact (m), 0 without one.
    pub const NECK: &str = "neck";
    /// Fields on contacts that flow from candidate to antagonist.
    pub const FLOWS: [&str; 2] = [CURRENT, HEAT];
    /// Force of the pore fluid on a body (N).
    pub const FLUID_FORCE: &str = "fluid_force";
    /// Force on a body from a user's module (N).
    pub const BODY_FORCE: &str = "body_force";
    /// Heat given to a body by a user's module (W).
    pub const HEAT_SOURCE: &str = "heat_source";
    /// Heat given to a body by the pore fluid (W).
    pub const FLUID_HEAT: &str = "fluid_heat";
    /// Heat capacity of a body (J/K): 0 of one that takes no part, −1 of one that is held at a temperature.
    pub const HEAT_CAPACITY: &str = "heat_capacity";
    /// Temperature of the pore fluid (K) on the grid.
    pub const FLUID_TEMPERATURE: &str = "fluid_temperature";
    /// Pore pressure (Pa) on the grid.
    pub const PRESSURE: &str = "pressure";
    /// Pore fraction (1) on the grid.
    pub const POROSITY: &str = "porosity";
    /// Mean grain velocity [m/s] on the grid.
    pub const GRID_VELOCITY: &str = "grain_velocity";
}

/// What a field is attached to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Support {
    /// One row per body.
    Body,
    /// One row per contact of the network.
    Contact,
    /// One row per node of the meshes of deformable bodies, body after body.
    Node,
    /// One row per element of the meshes of deformable bodies, body after body.
    Element,
    /// One row per joint of the model.
    Joint,
    /// One row per cell of the grid (x fastest).
    Grid,
    /// One row in all.
    Global,
}

impl std::fmt::Display for Support {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Body => "body",
            Self::Contact => "contact",
            Self::Node => "node",
            Self::Element => "element",
            Self::Joint => "joint",
            Self::Grid => "grid",
            Self::Global => "global",
        })
    }
}

/// Name, unit, support and number of components of a field.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FieldSpec {
    /// The name under which modules exchange it and files show it.
    pub name: &'static str,
    /// Its SI unit.
    pub unit: Unit,
    /// What it is attached to.
    pub support: Support,
    /// Numbers per row: 1 or 3.
    pub components: usize,
    /// The value every row has before anything is written.
    pub initial: f64,
}

impl FieldSpec {
    /// A field of one number per row, 0 at first.
    #[must_use]
    pub const fn scalar(name: &'static str, unit: Unit, support: Support) -> Self {
        Self { name, unit, support, components: 1, initial: 0.0 }
    }

    /// A field of one vector per row, 0 at first.
    #[must_use]
    pub const fn vector(name: &'static str, unit: Unit, support: Support) -> Self {
        Self { name, unit, support, components: 3, initial: 0.0 }
    }

    /// The same field with another value before anything is written.
    #[must_use]
    pub const fn starting_at(self, initial: f64) -> Self {
        Self { initial, ..self }
    }
}

/// A regular grid of box cells.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct GridSpec {
    /// Lowest corner (m).
    pub origin: [f64; 3],
    /// Edge lengths of a cell (m).
    pub spacing: [f64; 3],
    /// Cells along x, y, z (1 along z in 2D).
    pub cells: [usize; 3],
}

impl GridSpec {
    /// Number of cells.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.cells[0] * self.cells[1] * self.cells[2]
    }

    /// Whether the grid has no cell.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Rows that exist on each support.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SupportSizes {
    /// Number of bodies.
    pub bodies: usize,
    /// Number of contacts of the current network.
    pub contacts: usize,
    /// Number of grid cells.
    pub cells: usize,
    /// Number of nodes of all meshes.
    pub nodes: usize,
    /// Number of elements of all meshes.
    pub elements: usize,
    /// Number of joints.
    pub joints: usize,
}

impl SupportSizes {
    /// Rows of `support`.
    #[must_use]
    pub const fn rows(&self, support: Support) -> usize {
        match support {
            Support::Body => self.bodies,
            Support::Contact => self.contacts,
            Support::Node => self.nodes,
            Support::Element => self.elements,
            Support::Joint => self.joints,
            Support::Grid => self.cells,
            Support::Global => 1,
        }
    }
}

/// A field and its values, row by row, components together.
#[derive(Debug, Clone)]
pub struct Field {
    /// What it is.
    pub spec: FieldSpec,
    /// Values, `rows × components`.
    pub data: Vec<f64>,
}

impl Field {
    /// A field with its initial value in every row.
    #[must_use]
    pub fn new(spec: FieldSpec, sizes: &SupportSizes) -> Self {
        Self { data: vec![spec.initial; sizes.rows(spec.support) * spec.components], spec }
    }

    /// Gives the field `rows` rows and its initial value everywhere.
    pub fn reset(&mut self, sizes: &SupportSizes) {
        self.data.clear();
        self.data.resize(sizes.rows(self.spec.support) * self.spec.components, self.spec.initial);
    }
}

/// All fields of a run, in the order their writers declared them.
#[derive(Debug, Clone, Default)]
pub struct FieldStore {
    fields: Vec<Field>,
}

impl FieldStore {
    /// A store of the given fields, each at its initial value.
    #[must_use]
    pub fn new(specs: impl IntoIterator<Item = FieldSpec>, sizes: &SupportSizes) -> Self {
        Self { fields: specs.into_iter().map(|s| Field::new(s, sizes)).collect() }
    }

    /// The fields in order.
    pub fn iter(&self) -> impl Iterator<Item = &Field> {
        self.fields.iter()
    }

    /// The fields in order, to restore or relax them.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Field> {
        self.fields.iter_mut()
    }

    /// The values of a field, or `None` when nobody writes it.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&[f64]> {
        self.fields.iter().find(|f| f.spec.name == name).map(|f| f.data.as_slice())
    }

    /// A copy with the fields of these names that are here, and no others.
    #[must_use]
    pub fn only(&self, wanted: impl IntoIterator<Item = FieldSpec>) -> Self {
        let found = wanted.into_iter().filter_map(|w| self.fields.iter().find(|f| f.spec.name == w.name));
        Self { fields: found.cloned().collect() }
    }

    /// Row `row` of a vector field, or zero when nobody writes it.
    #[must_use]
    pub fn vector(&self, name: &str, row: usize) -> Vec3 {
        self.get(name).and_then(|d| d.get(3 * row..3 * row + 3)).map_or_else(Vec3::zeros, |v| Vec3::new(v[0], v[1], v[2]))
    }

    /// Exchanges the values of a field with `data` (rows already right).
    pub fn swap(&mut self, name: &str, data: &mut Vec<f64>) {
        if let Some(field) = self.fields.iter_mut().find(|f| f.spec.name == name) {
            std::mem::swap(&mut field.data, data);
        }
    }

    /// Carries every contact field from the contacts `old` to the contacts `new` (both sorted): a contact that
    /// persists keeps its values, a new one starts at the field's initial value.
    pub fn follow(&mut self, old: &[ContactKey], new: &[ContactKey]) {
        self.follow_except(&[], old, new);
    }

    /// The same without the fields `settled`, which have the rows of `new` already.
    pub fn follow_except(&mut self, settled: &[&str], old: &[ContactKey], new: &[ContactKey]) {
        if old == new {
            return;
        }
        let behind = |f: &&mut Field| f.spec.support == Support::Contact && !settled.contains(&f.spec.name);
        for field in self.fields.iter_mut().filter(behind) {
            let c = field.spec.components;
            let mut data = vec![field.spec.initial; new.len() * c];
            let mut from = 0;
            for (to, key) in new.iter().enumerate() {
                while from < old.len() && old[from] < *key {
                    from += 1;
                }
                if from < old.len() && old[from] == *key {
                    data[to * c..(to + 1) * c].copy_from_slice(&field.data[from * c..(from + 1) * c]);
                }
            }
            field.data = data;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::BodyId;

    #[test]
    fn contact_fields_follow_their_contacts() {
        let key = |a, b| ContactKey { candidate: BodyId(a), antagonist: BodyId(b), feature: 0 };
        let old = [key(0, 1), key(0, 2), key(3, 4)];
        let new = [key(0, 2), key(1, 2), key(3, 4)];
        let spec = FieldSpec::scalar("current", Unit::CURRENT, Support::Contact).starting_at(-1.0);
        let mut store = FieldStore::new([spec], &SupportSizes { bodies: 5, contacts: 3, ..SupportSizes::default() });
        store.swap("current", &mut vec![10.0, 20.0, 30.0]);
        store.follow(&old, &new);
        assert_eq!(store.get("current"), Some(&[20.0, -1.0, 30.0][..]));
    }
}
