//! Probes: single numbers of a run that the model asks for, as columns of the history; and distributions, in files of their own.

mod around;
mod distribution;
mod granular;
mod joint;
mod measure;
mod mesh;
mod section;
mod view;

use std::sync::Arc;

use mpcd_core::{
    Contact, FieldSpec, InputError, MeshQuantity, MeshView, Patches, Support, Vec3,
    field::names,
    ids::GroupId,
    setup::{Setup, split_part},
};

pub(crate) use distribution::Distribution;
pub use section::{Component, DistributionSection, ProbeSection, Reduce, RegionSection};
pub(crate) use view::View;

use crate::model::{Word, errors::Collect};
use mesh::Nodal;
use view::{Choice, Region};

/// The group and region that a section names.
fn choice(
    of: &Word,
    (group, region): (Option<&Word>, Option<&RegionSection>),
    setup: &Setup,
    text: &Arc<str>,
    errors: &mut Collect,
) -> Choice {
    let mut found = None;
    if let Some(word) = group {
        found = setup.groups.find(&word.text).map(GroupId::from_index);
        if found.is_none() {
            errors.push(InputError::unknown("group", &word.text, setup.groups.iter()).span(word.piece.of(text).span()));
        }
    }
    let region = region.map(|written| {
        let region = Region::new(written, setup.dimension);
        let turned = |k: usize| region.from[k] >= region.to[k];
        if let Some(k) = (0..3).find(|k| turned(*k)) {
            let message = format!(
                "the region ends at {} m along {} where it begins at {} m; nothing is in it",
                region.to[k],
                ["x", "y", "z"][k],
                region.from[k]
            );
            let error = InputError::new(message).help("expected the lower corner as `from` and the upper one as `to`");
            errors.push(error.span(of.piece.of(text).span()));
        }
        region
    });
    Choice { group: found, region }
}

/// What there is to look at in a model.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Known<'a> {
    pub(crate) fields: &'a [FieldSpec],
    /// Numbers that modules report.
    pub(crate) numbers: &'a [&'static str],
    /// Deformable bodies.
    pub(crate) meshes: &'a [MeshView],
}

/// A probe that was checked against the model.
#[derive(Debug, Clone)]
pub(crate) struct Probe {
    pub(crate) name: String,
    of: String,
    source: Source,
    choice: Choice,
    /// The part of the meshes of its group.
    part: Option<String>,
    component: Component,
    reduce: Reduce,
    /// The number of a report that it shows: of probes of joints.
    number: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Source {
    Motion,
    Pressure,
    ContactForce(Force),
    Field(FieldSpec),
    Measure(Measure),
    Nodes(Nodal),
    Joint,
}

/// What of the force of a contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Force {
    /// On the candidate, in world axes.
    Vector,
    Normal,
    Tangential,
}

const FORCES: [(&str, Force); 3] =
    [("force", Force::Vector), ("normal_force", Force::Normal), ("tangential_force", Force::Tangential)];

/// A number, vector or tensor of a group or region as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Measure {
    Stress,
    Fabric,
    Coordination,
    CoordinationWithoutRattlers,
    Rattlers,
    SolidFraction,
    InertialNumber,
    CentreOfMass,
    Extent,
    Resultant,
}

/// Mean normal stress of each body, from its contacts.
const PRESSURE: &str = crate::frames::DERIVED[1];

const SPIN: &str = "angular_velocity";

const MOTION: [&str; 4] = ["position", "velocity", SPIN, "size"];

const MEASURES: [(&str, Measure); 10] = [
    ("stress", Measure::Stress),
    ("fabric", Measure::Fabric),
    ("coordination", Measure::Coordination),
    ("coordination_without_rattlers", Measure::CoordinationWithoutRattlers),
    ("rattlers", Measure::Rattlers),
    ("solid_fraction", Measure::SolidFraction),
    ("inertial_number", Measure::InertialNumber),
    ("centre_of_mass", Measure::CentreOfMass),
    ("extent", Measure::Extent),
    ("resultant", Measure::Resultant),
];

impl Source {
    /// Whether it has no components: neither vector nor tensor, nor along an axis.
    fn is_one_number(self) -> bool {
        match self {
            Self::Pressure | Self::ContactForce(Force::Normal | Force::Tangential) => true,
            Self::Field(spec) => spec.components == 1,
            Self::Measure(measure) => {
                !measure.is_tensor() && !matches!(measure, Measure::CentreOfMass | Measure::Extent | Measure::Resultant)
            }
            Self::Motion | Self::ContactForce(Force::Vector) | Self::Nodes(_) | Self::Joint => false,
        }
    }

    /// What a name means, of a part of a mesh or not.
    fn of(name: &str, part: bool, fields: &[FieldSpec]) -> Option<Self> {
        let nodal = Nodal::of(name, part, fields).map(Self::Nodes);
        if let Some(spec) = fields.iter().find(|f| f.name == name && !(part && nodal.is_some())) {
            return Some(Self::Field(*spec));
        }
        let motion = || MOTION.contains(&name).then_some(Self::Motion);
        let pressure = || (name == PRESSURE).then_some(Self::Pressure);
        let joint = || joint::OF_JOINTS.iter().any(|(own, _)| *own == name).then_some(Self::Joint);
        let force = || FORCES.iter().find(|(own, _)| *own == name).map(|(_, force)| Self::ContactForce(*force));
        let measure = || MEASURES.iter().find(|(own, _)| *own == name).map(|(_, measure)| Self::Measure(*measure));
        nodal.or_else(motion).or_else(pressure).or_else(joint).or_else(force).or_else(measure)
    }

    /// All names but those of fields; of nodes those that `fields` have.
    fn names(fields: &[FieldSpec]) -> impl Iterator<Item = &'static str> + Clone {
        MOTION
            .into_iter()
            .chain([PRESSURE])
            .chain(FORCES.map(|f| f.0))
            .chain(MEASURES.map(|m| m.0))
            .chain(mesh::OF_NODES.into_iter().filter(|n| mesh::given(n.1, fields)).map(|n| n.0))
            .chain(joint::OF_JOINTS.map(|j| j.0))
    }
}

impl Measure {
    const fn is_tensor(self) -> bool {
        matches!(self, Self::Stress | Self::Fabric)
    }
}

impl Probe {
    /// Checks all probes of a model.
    pub(crate) fn all(
        sections: &[ProbeSection],
        known: &Known<'_>,
        setup: &Setup,
        text: &Arc<str>,
        errors: &mut Collect,
    ) -> Vec<Self> {
        let mut out: Vec<Self> = Vec::new();
        for (i, section) in sections.iter().enumerate() {
            if sections[..i].iter().any(|p| p.name.text == section.name.text) {
                let error = InputError::new(format!("two probes are called `{}`; expected different names", section.name.text));
                errors.push(error.help("rename one of them").span(section.name.piece.of(text).span()));
            }
            if section.name.text.trim().is_empty() {
                let error = InputError::new("a probe has no name; expected the name of its column in the history");
                errors.push(error.help("write for example `name: \"top\"`").span(section.name.piece.of(text).span()));
            }
            out.extend(Self::one(section, known, setup, text, errors));
        }
        out
    }

    fn one(section: &ProbeSection, known: &Known<'_>, setup: &Setup, text: &Arc<str>, errors: &mut Collect) -> Option<Self> {
        let of = section.of.text.as_str();
        let is_group = |name: &str| setup.groups.find(name).is_some();
        let (group, part) = section.group.as_ref().map_or((None, None), |word| {
            let (group, part) = split_part(&word.text, is_group);
            (Some(Word { text: group.to_owned(), piece: word.piece }), part)
        });
        let Some(source) = Source::of(of, part.is_some(), known.fields) else {
            let names = known.fields.iter().map(|f| f.name).chain(Source::names(known.fields));
            errors.push(InputError::unknown("field", of, names).span(section.of.piece.of(text).span()));
            return None;
        };
        let number = if source == Source::Joint {
            Some(joint::number(section, known.numbers, setup, text, errors)?)
        } else {
            if let Some(word) = &section.joint {
                let error = InputError::new(format!("`{of}` is of no joint")).help("remove `joint`");
                errors.push(error.span(word.piece.of(text).span()));
            }
            None
        };
        let mut choice = choice(&section.of, (group.as_ref(), section.region.as_ref()), setup, text, errors);
        if let Source::Field(FieldSpec { support: Support::Grid | Support::Global, .. }) = source {
            let scope = section.group.as_ref().map(|_| "group").or(section.region.as_ref().map(|_| "region"));
            if let Some(key) = scope {
                let error =
                    InputError::new(format!("the field `{of}` is not attached to bodies or contacts, so it has no {key}"));
                errors.push(error.help(format!("remove `{key}`")).span(section.of.piece.of(text).span()));
            }
            choice = Choice { group: None, region: None };
        }
        let wrong = [
            wrong_component(of, source, section.component),
            not_reduced(of, source, section.reduce),
            impossible(source, section, setup),
        ];
        for error in wrong.into_iter().flatten() {
            errors.push(error.span(section.of.piece.of(text).span()));
        }
        if let Some(error) = wrong_bodies(of, source, (group.as_ref(), &choice, part), setup, known.meshes) {
            errors.push(error.span(section.group.as_ref().unwrap_or(&section.of).piece.of(text).span()));
        }
        let default = if let Source::Nodes(nodal) = source { nodal.default_reduce() } else { Reduce::default() };
        Some(Self {
            name: section.name.text.clone(),
            of: of.to_owned(),
            source,
            choice,
            part: part.map(str::to_owned),
            component: section.component,
            reduce: section.reduce.unwrap_or(default),
            number,
        })
    }

    /// The array of meshes that it shows.
    pub(crate) fn quantity(&self) -> Option<MeshQuantity> {
        if let Source::Nodes(nodal) = self.source { nodal.quantity() } else { None }
    }

    /// Whether it depends on where the nodes of deformable bodies are.
    pub(crate) const fn looks_at_meshes(&self) -> bool {
        matches!(
            self.source,
            Source::Nodes(_)
                | Source::Measure(_)
                | Source::Pressure
                | Source::Field(FieldSpec { support: Support::Node | Support::Element, .. })
        )
    }

    /// The number now, of a step that reported `numbers`; `None` when there is nothing to take it from.
    pub(crate) fn value(&self, view: &View<'_>, numbers: &[(&'static str, Vec<(&'static str, f64)>)]) -> Option<f64> {
        let world = &view.world;
        let body = |i: usize| {
            view.grouped(&self.choice, mpcd_core::BodyId::from_index(i))
                && view.inside(&self.choice, &world.kinematics.position[i])
        };
        let contact = |i: usize| {
            let contact = &world.network.contacts[i];
            let (a, b) = contact.bodies();
            (view.grouped(&self.choice, a) || view.grouped(&self.choice, b)) && view.inside(&self.choice, &contact.point)
        };
        match self.source {
            Source::Measure(measure) => self.measure(measure, view),
            Source::Nodes(nodal) => self.of_nodes(nodal, view),
            Source::Joint => {
                let mut all = numbers.iter().flat_map(|(_, of_module)| of_module);
                all.find(|(name, _)| Some(*name) == self.number.as_deref()).map(|(_, value)| *value)
            }
            Source::Motion => {
                let k = world.kinematics;
                let row = |i: usize| match self.of.as_str() {
                    "position" => k.position[i],
                    "velocity" => k.velocity[i],
                    SPIN => k.angular_velocity[i],
                    _ => Vec3::x() * k.size[i],
                };
                // The nodes of a deformable body have no rotation.
                let turns = |i: usize| self.of != SPIN || !view.is_deformable(i);
                self.reduce((0..k.len()).filter(|i| body(*i) && turns(*i)).map(row))
            }
            Source::Pressure => {
                let pressure = view.contact_pressure();
                self.reduce_scalars((0..pressure.len()).filter(|i| body(*i) && view.has_volume(*i)).map(|i| pressure[i]))
            }
            Source::ContactForce(force) => {
                let patches = Patches::of(world.network);
                let rows = view.forces(&patches, &self.choice);
                let value = match force {
                    Force::Vector => self.reduce(rows.map(|p| p.contacts().map(|c| c.force(view.h)).sum())),
                    Force::Normal => self.reduce_scalars(rows.map(|p| p.normal_force(view.h))),
                    Force::Tangential => self.reduce_scalars(rows.map(|p| p.impulse().yz().norm() / view.h)),
                };
                // Where nothing touches, no force acts.
                Some(value.unwrap_or(0.0))
            }
            Source::Field(spec) => {
                let data = view.fields.get(spec.name)?;
                let c = spec.components;
                let row = |i: usize| {
                    if c == 3 { Vec3::new(data[3 * i], data[3 * i + 1], data[3 * i + 2]) } else { Vec3::x() * data[i * c] }
                };
                let places: Vec<(mpcd_core::BodyId, Vec3)> = match spec.support {
                    Support::Node => view.meshes.iter().flat_map(|m| m.points.iter().map(|x| (m.body, *x))).collect(),
                    Support::Element => view.meshes.iter().flat_map(|m| m.middles().map(|x| (m.body, x))).collect(),
                    _ => Vec::new(),
                };
                let in_mesh =
                    |i: usize| places.get(i).is_some_and(|(b, x)| view.grouped(&self.choice, *b) && view.inside(&self.choice, x));
                let rows = (0..data.len() / c).filter(|i| match spec.support {
                    Support::Node | Support::Element => in_mesh(*i),
                    Support::Body => body(*i),
                    Support::Contact => contact(*i),
                    Support::Joint | Support::Grid | Support::Global => true,
                });
                if self.reduce == Reduce::Sum && self.choice.group.is_some() && names::FLOWS.contains(&spec.name) {
                    let out = |i: usize| data[i] * self.leaving(view, &world.network.contacts[i]);
                    return Some(rows.map(out).sum());
                }
                let scalar = c == 1;
                if scalar { self.reduce_scalars(rows.map(|i| data[i])) } else { self.reduce(rows.map(row)) }
            }
        }
    }

    /// 1 where what flows from candidate to antagonist leaves the group, −1 where it enters it, 0 where it stays within.
    fn leaving(&self, view: &View<'_>, contact: &Contact) -> f64 {
        let (a, b) = contact.bodies();
        match (view.grouped(&self.choice, a), view.grouped(&self.choice, b)) {
            (true, false) => 1.0,
            (false, true) => -1.0,
            _ => 0.0,
        }
    }

    fn measure(&self, measure: Measure, view: &View<'_>) -> Option<f64> {
        let (choice, component) = (&self.choice, self.component);
        let tensor = |t: nalgebra::Matrix3<f64>| granular::invariant(&t, component, view.axes());
        match measure {
            Measure::Stress => view.stress(choice).map(tensor),
            Measure::Fabric => view.fabric(choice).map(tensor),
            Measure::Coordination => view.coordination(choice).map(|c| c.0),
            Measure::CoordinationWithoutRattlers => view.coordination(choice).and_then(|c| c.1),
            Measure::Rattlers => view.coordination(choice).map(|c| c.2),
            Measure::SolidFraction => view.solid_fraction(choice),
            Measure::InertialNumber => view.inertial_number(choice),
            Measure::CentreOfMass => view.centre_of_mass(choice).map(|v| component.of_vector(&v)),
            Measure::Extent => {
                let axis = match component {
                    Component::X => 0,
                    Component::Y => 1,
                    _ => 2,
                };
                view.extent(choice, axis, self.reduce)
            }
            Measure::Resultant => Some(component.of_vector(&view.resultant(choice))),
        }
    }

    fn component(&self, v: &Vec3) -> f64 {
        if self.of == "size" && self.component == Component::Norm { v.x } else { self.component.of_vector(v) }
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

/// What has no value in this model.
fn impossible(source: Source, section: &ProbeSection, setup: &Setup) -> Option<InputError> {
    let planar = setup.dimension == mpcd_core::Dimension::Planar;
    let rings =
        setup.part::<mpcd_geometry::Shapes>().is_ok_and(|shapes| shapes.0.iter().any(mpcd_geometry::Shape::is_axisymmetric));
    match source {
        Source::Measure(Measure::Stress | Measure::SolidFraction | Measure::InertialNumber | Measure::Fabric) if rings => {
            let message = format!(
                "`{}` is that of a plane or of a space, but x is the radius of an axisymmetric mesh here",
                section.of.text
            );
            Some(InputError::new(message).help("look at the mesh itself, for example `of: \"mesh_stress\"`, or at `resultant`"))
        }
        Source::Measure(Measure::Extent) if planar && section.component == Component::Z => {
            Some(InputError::new("a planar model has no extent along z").help("use `component: X` or `component: Y`"))
        }
        Source::Measure(Measure::Resultant) if section.group.is_none() => Some(
            InputError::new("`resultant` is the force on a group from bodies outside it; expected a `group`")
                .help("add for example `group: \"floor\"`"),
        ),
        _ => None,
    }
}

/// What is wrong with whom a probe names: parts and nodes that its bodies do not have, a rotation that nodes do not have.
fn wrong_bodies(
    of: &str,
    source: Source,
    (group, choice, part): (Option<&Word>, &Choice, Option<&str>),
    setup: &Setup,
    meshes: &[MeshView],
) -> Option<InputError> {
    let of_group = |body: mpcd_core::BodyId| choice.group == Some(setup.bodies.group[body.index()]);
    match (source, group) {
        // The group that is named does not exist: that was said.
        (_, Some(_)) if choice.group.is_none() => None,
        (Source::Nodes(_), _) => Nodal::wrong_bodies(of, choice.group, part, setup, meshes),
        (_, Some(group)) if part.is_some() => part.map(|part| mesh::no_part(of, &group.text, part)),
        (Source::Motion, Some(_)) if of == SPIN => meshes.iter().find(|m| of_group(m.body)).map(|m| {
            let label = setup.body_label(m.body);
            InputError::new(format!("`{of}` is of rigid bodies, but {label} is deformable: its nodes have no rotation"))
                .help("take `velocity` or `position` of two of its parts, as `group: \"group.part\"`")
        }),
        _ => None,
    }
}

/// Why nothing is reduced where a probe asks for it.
fn not_reduced(of: &str, source: Source, reduce: Option<Reduce>) -> Option<InputError> {
    match (source, reduce) {
        (Source::Measure(measure), Some(reduce)) if measure != Measure::Extent => Some(
            InputError::new(format!(
                "`{of}` is of the whole group or region, so there are no rows of which to take the {reduce:?}"
            ))
            .help("leave `reduce` out"),
        ),
        (Source::Joint, Some(reduce)) => Some(
            InputError::new(format!("`{of}` is of one joint, so there are no rows of which to take the {reduce:?}"))
                .help("leave `reduce` out"),
        ),
        _ => None,
    }
}

/// What is wrong with the component of a probe.
fn wrong_component(of: &str, source: Source, component: Component) -> Option<InputError> {
    if let Source::Nodes(nodal) = source {
        return nodal.wrong_component(of, component);
    }
    let measure = if let Source::Measure(measure) = source { Some(measure) } else { None };
    match measure {
        Some(m) if m.is_tensor() && !component.is_of_tensor() => Some(
            InputError::new(format!("`{of}` is a tensor; expected a component of it"))
                .help("add for example `component: YY`, `component: Mean` or `component: Deviator`"),
        ),
        Some(Measure::Extent) if !matches!(component, Component::X | Component::Y | Component::Z) => Some(
            InputError::new("`extent` is along an axis; expected its component")
                .help("add `component: X`, `component: Y` or `component: Z`; `reduce: Max` gives the highest surface, `reduce: Min` the lowest"),
        ),
        _ if source.is_one_number() && component != Component::Norm => {
            Some(InputError::new(format!("`{of}` is one number, so it has no component {component:?}")).help("leave `component` out"))
        }
        m if component.is_of_tensor() && !m.is_some_and(Measure::is_tensor) => Some(
            InputError::new(format!("`{of}` is no tensor, so it has no component {component:?}"))
                .help("use `component: X`, `Y`, `Z` or `Norm`, or leave it out"),
        ),
        _ => None,
    }
}
