//! Named groups of the elements of a mesh by where they lie, `regions: {"upper": Box(from: …, to: …)}`. No material.

use std::{borrow::Cow, fmt};

use mpcd_core::{
    InputError, Quantity, Vec3,
    quantity::{Length, Positive, Vector},
};
use mpcd_fem::Mesh;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, de};

/// Regions by their names, in the order of the model.
#[derive(Debug, Clone)]
pub struct Regions(pub(super) Vec<(String, Region)>);

impl<'de> Deserialize<'de> for Regions {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        d.deserialize_map(Names)
    }
}

struct Names;

impl<'de> de::Visitor<'de> for Names {
    type Value = Regions;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("regions by name, {\"name\": Box(from: …, to: …), …}")
    }

    fn visit_map<A: de::MapAccess<'de>>(self, mut map: A) -> Result<Regions, A::Error> {
        let mut out: Vec<(String, Region)> = Vec::new();
        while let Some(name) = map.next_key::<String>()? {
            if out.iter().any(|(known, _)| *known == name) {
                return Err(de::Error::custom(format_args!("the region `{name}` is given twice; expected one of each name")));
            }
            out.push((name, map.next_value()?));
        }
        Ok(Regions(out))
    }
}

impl JsonSchema for Regions {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        "regions".into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "additionalProperties": generator.subschema_for::<Region>(),
            "x-noun": "{\"name\": Box(from: (0, 0), to: (1, 1)), \"other\": Ball(centre: (0, 0), radius: 1), …} [m]",
        })
    }
}

/// Where the elements of a group are.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) enum Region {
    /// A box along the axes; in a planar model a rectangle.
    Box {
        /// Its lowest corner.
        from: Vector<Length>,
        /// Its highest corner.
        to: Vector<Length>,
    },
    /// A ball; in a planar model a disc.
    Ball {
        /// Its centre.
        centre: Vector<Length>,
        /// Its radius.
        radius: Quantity<Length, Positive>,
    },
}

impl Region {
    fn holds(&self, x: &Vec3, planar: bool) -> bool {
        match self {
            Self::Box { from, to } => {
                let (low, high) = (from.si(), to.si());
                (0..if planar { 2 } else { 3 }).all(|k| low[k] <= x[k] && x[k] <= high[k])
            }
            Self::Ball { centre, radius } => (x - centre.si()).norm() <= radius.si(),
        }
    }

    fn leaves_the_plane(&self) -> bool {
        match self {
            Self::Box { from, to } => from.si().z != 0.0 || to.si().z != 0.0,
            Self::Ball { centre, .. } => centre.si().z != 0.0,
        }
    }

    /// Gives the elements whose corners have their mean inside a name.
    pub(super) fn name(&self, mesh: &mut Mesh, name: &str, planar: bool) -> Result<(), InputError> {
        let groups = mesh.group_names();
        if groups.iter().flatten().any(|known| *known == name) {
            return Err(InputError::new(format!("mesh `{}` has a group `{name}` already", mesh.name()))
                .help("give the region another name"));
        }
        if planar && self.leaves_the_plane() {
            return Err(InputError::new(format!(
                "the region `{name}` has a z component, but the model is planar; expected (x, y)"
            ))
            .help("write (x, y), or set `dimension: 3`"));
        }
        let middle = |e: usize| {
            let corners = &mesh.element(e)[..mesh.cell(e).corners()];
            corners.iter().map(|n| mesh.nodes()[*n]).sum::<Vec3>() / corners.len() as f64
        };
        let inside: Vec<usize> = (0..mesh.elements()).filter(|e| self.holds(&middle(*e), planar)).collect();
        if inside.is_empty() {
            let (low, high) = mesh.bounds();
            return Err(InputError::new(format!(
                "no element of mesh `{}` has its middle in the region `{name}`; the mesh goes from ({}, {}, {}) to ({}, {}, {}) m",
                mesh.name(),
                low.x,
                low.y,
                low.z,
                high.x,
                high.y,
                high.z
            ))
            .help("a region is in the axes of the mesh, before `at` and `rotation`"));
        }
        Ok(mesh.add_element_group(name, inside)?)
    }
}
