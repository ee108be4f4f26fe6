//! From a model to the set-up of its modules: rows of bodies, ids of groups and materials, typed parts.

use mpcd_core::{
    BodyId, Filling, Fragment, InputError, Kinematics, MaterialId, Quat, Setup, Vec3,
    ids::GroupId,
    setup::{Interaction, Load, MeshContent, Span, Theta},
};
use mpcd_geometry::{Filled, Shape, Shapes};

use crate::{
    model::{BodyEntry, BodyForm, Model, errors::Collect, joints},
    registry::Registry,
};

/// Builds the set-up. Names were checked when the model was read.
pub(crate) fn build(model: &Model, registry: &Registry, errors: &mut Collect) -> Setup {
    let mut rows = Rows { model, setup: Setup::default(), shapes: Vec::new() };
    rows.setup.dimension = model.dimension;
    rows.setup.gravity = model.gravity;
    rows.setup.periods = model.periods;
    rows.setup.cell.clone_from(&model.cell);
    rows.setup.initial.cell.lengths = model.periods;
    rows.setup.materials.clone_from(&model.materials);
    let count = |entry: &BodyEntry| if let BodyForm::Many(bodies) = &entry.form { bodies.len() } else { 1 };
    rows.reserve(model.bodies.iter().map(count).sum());
    for entry in &model.bodies {
        let group = GroupId::from_index(rows.setup.groups.intern(&entry.group.text));
        let material = model.materials.iter().position(|m| m.name == entry.material.text);
        let row = Row {
            group,
            material: MaterialId::from_index(material.unwrap_or_default()),
            velocity: entry.velocity,
            spin: entry.spin,
        };
        match &entry.form {
            BodyForm::Single { shape, at, rotation, mass, inertia } => {
                let position = at + rotation * shape.centre;
                let stand = (position, rotation * shape.orientation);
                match rows.filled(entry, &row, &shape.shape, errors) {
                    Some(filled) => rows.push_filled(&row, filled, stand, *mass, *inertia),
                    None => rows.push(&row, shape.shape.clone(), stand.0, stand.1, *mass, *inertia),
                }
            }
            BodyForm::Many(bodies) => {
                for body in bodies.iter() {
                    rows.push(&row, body.shape.clone(), body.position, body.orientation, None, None);
                }
            }
        }
    }
    let Rows { mut setup, shapes, .. } = rows;
    let group = |name: &str| setup.groups.find(name).map(GroupId::from_index).unwrap_or(GroupId(0));
    setup.interactions = model
        .interactions
        .iter()
        .map(|i| Interaction { groups: (group(&i.between.0), group(&i.between.1)), law: i.law.clone() })
        .collect();
    setup.loads = model.loads.iter().map(|l| Load { group: group(&l.on), part: l.part.clone(), kind: l.load.clone() }).collect();
    let modules: Vec<&str> = model.physics.iter().map(Fragment::name).collect();
    setup.passing = registry.joint_parts().iter().filter(|(_, reader)| modules.contains(reader)).map(|(part, _)| *part).collect();
    setup.joints = joints::build(&model.joints, &setup, (registry.joint_parts(), &modules), errors);
    check_material_parts(model, registry, errors);
    setup.insert(Shapes(shapes));
    setup.insert(Theta(model.time.theta.si()));
    setup.insert(Span(model.time.end.si()));
    registry.equip(&mut setup);
    setup
}

/// What the bodies of one item share.
struct Row {
    group: GroupId,
    material: MaterialId,
    velocity: Vec3,
    spin: Vec3,
}

struct Rows<'a> {
    model: &'a Model,
    setup: Setup,
    shapes: Vec<Shape>,
}

impl Rows<'_> {
    /// Makes room for so many bodies: columns that grow by themselves leave as much behind as they hold.
    fn reserve(&mut self, count: usize) {
        let bodies = &mut self.setup.bodies;
        bodies.mass.reserve_exact(count);
        bodies.inertia.reserve_exact(count);
        bodies.volume.reserve_exact(count);
        bodies.surface.reserve_exact(count);
        bodies.form.reserve_exact(count);
        bodies.group.reserve_exact(count);
        bodies.material.reserve_exact(count);
        self.setup.initial.reserve(count);
        self.shapes.reserve_exact(count);
    }

    /// The body of an item that has several materials; `None` where it has one, or where they are wrong.
    fn filled(&self, entry: &BodyEntry, row: &Row, shape: &Shape, errors: &mut Collect) -> Option<(Filled, Vec<MaterialId>)> {
        let first = entry.fillings.first()?;
        let Some(mesh) = shape.deforming() else {
            let error = InputError::new(format!(
                "`materials` fills groups of elements of a mesh, but the shape of this body is {}",
                shape.name()
            ));
            errors.push(error.help("write `material` alone, or give the body a shape Mesh(…)").span(first.key.span()));
            return None;
        };
        let place = |name: &str| self.model.materials.iter().position(|m| m.name == name).map(MaterialId::from_index);
        let ids: Vec<MaterialId> = entry.fillings.iter().filter_map(|f| place(&f.material)).collect();
        let density = |id: MaterialId| self.model.materials[id.index()].density;
        let groups: Vec<(&str, f64)> = entry.fillings.iter().zip(&ids).map(|(f, id)| (f.group.as_str(), density(*id))).collect();
        let filled = mesh.filled(&groups, density(row.material)).map_err(|(group, e)| {
            let place = group.and_then(|k| entry.fillings.get(k)).map_or_else(|| first.key.span(), |f| f.key.span());
            e.span(place)
        });
        Some((errors.keep(filled)?, ids))
    }

    /// A body of several materials: its place is that of its centre of mass, `stand` that of the shape of one density and its axes.
    fn push_filled(
        &mut self,
        row: &Row,
        (filled, ids): (Filled, Vec<MaterialId>),
        (position, orientation): (Vec3, Quat),
        mass: Option<f64>,
        inertia: Option<Vec3>,
    ) {
        let whole = mass.unwrap_or(filled.mass);
        let inertia = inertia.unwrap_or(filled.inertia * whole);
        self.push(row, filled.shape, position + orientation * filled.centre, orientation, Some(whole), Some(inertia));
        let material = |fill: Option<usize>| fill.map_or(row.material, |k| ids[k]);
        if let Some(mesh) = self.setup.meshes.last_mut() {
            mesh.filling = Some(Filling {
                elements: filled.elements.into_iter().map(material).collect(),
                surface: filled.surface.into_iter().map(|(node, fill, area)| (node, material(fill), area)).collect(),
                scale: whole / filled.mass,
            });
        }
    }

    fn push(&mut self, row: &Row, shape: Shape, position: Vec3, orientation: Quat, mass: Option<f64>, inertia: Option<Vec3>) {
        let density = self.model.materials[row.material.index()].density;
        let measured = shape.mass_properties(density, self.model.dimension);
        let bodies = &mut self.setup.bodies;
        let mass = mass.unwrap_or(measured.mass);
        bodies.mass.push(mass);
        bodies.inertia.push(inertia.unwrap_or_else(|| shape.inertia_over_mass(self.model.dimension) * mass));
        bodies.volume.push(measured.volume);
        bodies.surface.push(measured.surface);
        bodies.form.push(shape.form(self.model.dimension));
        if self.model.dimension == mpcd_core::Dimension::Planar {
            bodies.thickness.push(shape.thickness());
        }
        bodies.group.push(row.group);
        bodies.material.push(row.material);
        let initial: &mut Kinematics = &mut self.setup.initial;
        initial.push_at_rest(position, orientation);
        if let (Some(velocity), Some(spin)) = (initial.velocity.last_mut(), initial.angular_velocity.last_mut()) {
            (*velocity, *spin) = (row.velocity, row.spin);
        }
        let body = BodyId::from_index(self.shapes.len());
        self.setup.meshes.extend(shape.content().map(|content| MeshContent::new(body, content)));
        self.shapes.push(shape);
    }
}

/// A part that no module knows is a typing error, or a module that is missing; one that is known is read as it will be, also where no module of the model asks for it.
fn check_material_parts(model: &Model, registry: &Registry, errors: &mut Collect) {
    let known = registry.material_parts();
    for material in &model.materials {
        for (name, part) in &material.parts {
            if let Some(entry) = known.iter().find(|e| e.name == name) {
                if let Err(error) = (entry.check)(part) {
                    errors.push(error);
                }
                continue;
            }
            // The key stands before the value; point at it.
            let before = &model.text[..part.span().start];
            let start = before.rfind(name.as_str()).unwrap_or(before.len());
            let error =
                InputError::unknown(&format!("part of the material `{}`:", material.name), name, known.iter().map(|e| e.name));
            errors.push(error.span(start..start + name.len()));
        }
    }
}
