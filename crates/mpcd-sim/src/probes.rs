//! Probes: single numbers of a run that the model asks for, as columns of the history.

use std::sync::Arc;

use mpcd_core::{FieldSpec, FieldStore, InputError, Support, Vec3, World, ids::GroupId, setup::Names, setup::Setup};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model::{Word, errors::Collect};

/// A column of the history: a field or motion reduced to one number per step.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProbeSection {
    /// Name of the column.
    pub name: Word,
    /// A field, or one of `position`, `velocity`, `angular_velocity`, `size` of bodies, or `force` (on the candidate) of contacts.
    pub of: Word,
    /// Only bodies of this group, or contacts that one of its bodies is part of; default all.
    pub group: Option<Word>,
    /// Which number of a vector; default its length.
    #[serde(default)]
    pub component: Component,
    /// How the rows become one number; default their mean.
    #[serde(default)]
    pub reduce: Reduce,
}

/// A number of a vector.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Component {
    /// First.
    X,
    /// Second.
    Y,
    /// Third.
    Z,
    /// Length of the vector; of a scalar the scalar itself.
    #[default]
    Norm,
}

/// From rows to one number.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Reduce {
    /// Mean of the rows.
    #[default]
    Mean,
    /// Sum of the rows; a vector is summed before its component is taken.
    Sum,
    /// Least.
    Min,
    /// Greatest.
    Max,
}

/// A probe that was checked against the model.
#[derive(Debug, Clone)]
pub(crate) struct Probe {
    pub(crate) name: String,
    of: String,
    source: Source,
    group: Option<GroupId>,
    component: Component,
    reduce: Reduce,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Source {
    Motion,
    ContactForce,
    Field(FieldSpec),
}

const MOTION: [&str; 4] = ["position", "velocity", "angular_velocity", "size"];

impl Probe {
    /// Checks all probes of a model.
    pub(crate) fn all(
        sections: &[ProbeSection],
        fields: &[FieldSpec],
        groups: &Names,
        text: &Arc<str>,
        errors: &mut Collect,
    ) -> Vec<Self> {
        let mut out: Vec<Self> = Vec::new();
        for (i, section) in sections.iter().enumerate() {
            if sections[..i].iter().any(|p| p.name.text == section.name.text) {
                let error = InputError::new(format!("two probes are called `{}`; expected different names", section.name.text));
                errors.push(error.help("rename one of them").span(section.name.piece.of(text).span()));
            }
            out.extend(Self::one(section, fields, groups, text, errors));
        }
        out
    }

    fn one(section: &ProbeSection, fields: &[FieldSpec], groups: &Names, text: &Arc<str>, errors: &mut Collect) -> Option<Self> {
        let of = section.of.text.as_str();
        let source = match fields.iter().find(|f| f.name == of) {
            Some(spec) => Source::Field(*spec),
            None if MOTION.contains(&of) => Source::Motion,
            None if of == "force" => Source::ContactForce,
            None => {
                let known = fields.iter().map(|f| f.name).chain(MOTION).chain(["force"]);
                errors.push(InputError::unknown("field", of, known).span(section.of.piece.of(text).span()));
                return None;
            }
        };
        let mut group = None;
        if let Some(word) = &section.group {
            group = groups.find(&word.text).map(GroupId::from_index);
            if group.is_none() {
                errors.push(InputError::unknown("group", &word.text, groups.iter()).span(word.piece.of(text).span()));
            }
        }
        let Source::Field(FieldSpec { support: Support::Grid | Support::Global, .. }) = source else {
            return Some(Self::new(section, source, group));
        };
        if let Some(word) = &section.group {
            let error = InputError::new(format!("the field `{of}` is not attached to bodies or contacts, so it has no group"));
            errors.push(error.help("remove `group`").span(word.piece.of(text).span()));
        }
        Some(Self::new(section, source, None))
    }

    fn new(section: &ProbeSection, source: Source, group: Option<GroupId>) -> Self {
        let (name, of) = (section.name.text.clone(), section.of.text.clone());
        Self { name, of, source, group, component: section.component, reduce: section.reduce }
    }

    /// The number now; `None` when there is no row. `h` is the length of the step that just ended.
    pub(crate) fn value(&self, setup: &Setup, world: &World<'_>, fields: &FieldStore, h: f64) -> Option<f64> {
        let group_of = &setup.bodies.group;
        let body = |i: usize| self.group.is_none_or(|g| group_of[i] == g);
        let contact = |i: usize| {
            let (a, b) = world.network.contacts[i].bodies();
            body(a.index()) || body(b.index())
        };
        match self.source {
            Source::Motion => {
                let k = world.kinematics;
                let row = |i: usize| match self.of.as_str() {
                    "position" => k.position[i],
                    "velocity" => k.velocity[i],
                    "angular_velocity" => k.angular_velocity[i],
                    _ => Vec3::x() * k.size[i],
                };
                self.reduce((0..k.len()).filter(|i| body(*i)).map(row))
            }
            Source::ContactForce => {
                self.reduce((0..world.network.len()).filter(|i| contact(*i)).map(|i| world.network.contacts[i].force(h)))
            }
            Source::Field(spec) => {
                let data = fields.get(spec.name)?;
                let c = spec.components;
                let row = |i: usize| {
                    if c == 3 { Vec3::new(data[3 * i], data[3 * i + 1], data[3 * i + 2]) } else { Vec3::x() * data[i * c] }
                };
                let rows = (0..data.len() / c).filter(|i| match spec.support {
                    Support::Body => body(*i),
                    Support::Contact => contact(*i),
                    Support::Grid | Support::Global => true,
                });
                let scalar = c == 1;
                if scalar { self.reduce_scalars(rows.map(|i| data[i])) } else { self.reduce(rows.map(row)) }
            }
        }
    }

    fn component(&self, v: &Vec3) -> f64 {
        match self.component {
            Component::X => v.x,
            Component::Y => v.y,
            Component::Z => v.z,
            Component::Norm if self.of == "size" => v.x,
            Component::Norm => v.norm(),
        }
    }

    fn reduce(&self, rows: impl Iterator<Item = Vec3>) -> Option<f64> {
        if self.reduce == Reduce::Sum {
            return Some(self.component(&rows.fold(Vec3::zeros(), |a, b| a + b)));
        }
        self.reduce_scalars(rows.map(|v| self.component(&v)))
    }

    #[allow(clippy::cast_precision_loss, reason = "fewer than 2⁵³ rows")]
    fn reduce_scalars(&self, rows: impl Iterator<Item = f64>) -> Option<f64> {
        let mut count = 0_usize;
        let fold = |a: f64, b: f64| match self.reduce {
            Reduce::Min => a.min(b),
            Reduce::Max => a.max(b),
            Reduce::Mean | Reduce::Sum => a + b,
        };
        let total = rows.inspect(|_| count += 1).reduce(fold);
        match self.reduce {
            Reduce::Sum => Some(total.unwrap_or(0.0)),
            Reduce::Mean => total.map(|t| t / count as f64),
            Reduce::Min | Reduce::Max => total,
        }
    }
}
