//! What a frame shows: bodies, contacts, the grid, walls, each with all fields of its support.

use mpcd_core::{
    BodyId, MeshArray, MeshQuantity, Support, Vec3,
    field::{Field, names},
};
use mpcd_geometry::Shape;
use mpcd_output::{Array, CellType, DataSet, ImageGrid, Mesh, Part, Placement, PointSet, Surfaces, Values};

use crate::{
    drawing::{Stand, detail},
    simulation::Simulation,
};

/// Fields of bodies that are made from the contacts for the frames alone.
pub(crate) const DERIVED: [&str; 2] = ["coordination", "contact_pressure"];

/// Names of the parts that a frame may have.
pub(crate) const PARTS: [&str; 6] = ["bodies", "contacts", "grid", "walls", "meshes", "surfaces"];

impl Simulation {
    /// The parts of a frame now.
    #[must_use]
    pub fn frame(&self) -> Vec<Part> {
        self.frame_parts().collect()
    }

    /// The same one by one, each made when it is asked for.
    pub(crate) fn frame_parts(&self) -> impl Iterator<Item = Part> {
        let columns = self.body_columns();
        let part = move |place: usize| match place {
            0 => Some(self.bodies_part(&columns)),
            1 => Some(self.contacts_part(self.last_h)),
            2 => self.grid_part(),
            3 => self.surfaces_part(PARTS[3], &columns, |volume| volume == 0.0),
            4 => self.surfaces_part(PARTS[5], &columns, |volume| volume > 0.0),
            _ => self.meshes_part(),
        };
        (0..PARTS.len()).filter_map(part)
    }

    /// Fields on `support` that the model wants to see.
    fn shown(&self, support: Support) -> impl Iterator<Item = &Field> {
        let wanted = self.model.output.fields.as_ref();
        self.fields
            .iter()
            .filter(move |f| f.spec.support == support && wanted.is_none_or(|w| w.iter().any(|w| w.text == f.spec.name)))
    }

    /// What is said of every body besides its motion, one row for each.
    fn body_columns(&self) -> Vec<Array> {
        let mut arrays = Vec::new();
        let wanted = |name: &str| self.model.output.fields.as_ref().is_none_or(|w| w.iter().any(|w| w.text == name));
        let meshes = if wanted(DERIVED[1]) { self.meshes_with(&[]) } else { Vec::new() };
        let view = self.view(self.last_h, &meshes);
        if wanted(DERIVED[0]) {
            let neighbours = view.neighbours().into_iter().map(|n| i32::try_from(n).unwrap_or(i32::MAX));
            arrays.push(Array::integers(DERIVED[0], neighbours.collect()));
        }
        if wanted(DERIVED[1]) {
            arrays.push(Array::scalars(DERIVED[1], view.contact_pressure()));
        }
        add_fields(&mut arrays, self.shown(Support::Body), &(0..self.setup.bodies.len()).collect::<Vec<_>>());
        arrays
    }

    /// Bodies that have a size: everything but planes.
    fn bodies_part(&self, columns: &[Array]) -> Part {
        let k = self.world().kinematics;
        let bounds = self.shapes.0.iter().map(|s| s.bounding_radius(self.setup.dimension));
        let shown: Vec<(usize, f64)> = bounds.enumerate().filter_map(|(i, r)| Some((i, r?))).collect();
        let rows = || shown.iter().map(|(i, _)| *i);
        let vectors = |column: &[Vec3]| rows().map(|i| column[i].into()).collect::<Vec<[f64; 3]>>();
        let quaternion = |i: usize| {
            let q = &k.orientation[i];
            [q.w, q.i, q.j, q.k]
        };
        let bodies = &self.setup.bodies;
        let mut arrays = vec![
            Array::scalars("radius", shown.iter().map(|(i, r)| r * k.size[*i]).collect()),
            Array::vectors("velocity", &vectors(&k.velocity)),
            Array::vectors("angular_velocity", &vectors(&k.angular_velocity)),
            Array::quaternions("orientation", &rows().map(quaternion).collect::<Vec<_>>()),
            Array::integers("group", rows().map(|i| i32::from(bodies.group[i].0)).collect()),
            Array::scalars("mass", rows().map(|i| bodies.mass[i]).collect()),
            Array::ids("id", rows().map(|i| i64::from(BodyId::from_index(i).0)).collect()),
        ];
        let rows: Vec<usize> = rows().collect();
        for column in columns {
            let column = column.rows(&rows).beside(&arrays);
            arrays.push(column);
        }
        Part::new(PARTS[0], DataSet::Points(PointSet { points: vectors(&k.position), arrays }))
    }

    fn contacts_part(&self, h: f64) -> Part {
        let contacts = &self.world().network.contacts;
        let mut arrays = vec![
            Array::vectors("force", &contacts.iter().map(|c| c.force(h).into()).collect::<Vec<_>>()),
            Array::scalars("normal_force", contacts.iter().map(|c| c.normal_force(h)).collect()),
            Array::scalars("gap", contacts.iter().map(|c| c.gap).collect()),
            Array::bytes("status", contacts.iter().map(|c| c.status as u8).collect()),
            Array::integers("law", contacts.iter().map(|c| i32::from(c.law)).collect()),
            Array::ids("candidate", contacts.iter().map(|c| i64::from(c.key.candidate.0)).collect()),
            Array::ids("antagonist", contacts.iter().map(|c| i64::from(c.key.antagonist.0)).collect()),
        ];
        add_fields(&mut arrays, self.shown(Support::Contact), &(0..contacts.len()).collect::<Vec<_>>());
        let points = contacts.iter().map(|c| c.point.into()).collect();
        Part::new(PARTS[1], DataSet::Points(PointSet { points, arrays }))
    }

    fn grid_part(&self) -> Option<Part> {
        let grid = self.grid?;
        let mut arrays = Vec::new();
        add_fields(&mut arrays, self.shown(Support::Grid), &(0..grid.len()).collect::<Vec<_>>());
        // what moves in a cell, under the name that it has in every part
        if let Some(array) = arrays.iter_mut().find(|a| a.name == names::GRID_VELOCITY) {
            array.name = "velocity".into();
        }
        let data = ImageGrid {
            origin: grid.origin,
            spacing: grid.spacing,
            cells: grid.cells,
            cell_arrays: arrays,
            point_arrays: Vec::new(),
        };
        Some(Part::new(PARTS[2], DataSet::Image(data)))
    }

    /// Deformable bodies, all in one grid. What they carry has the name that it has elsewhere in the frames.
    fn meshes_part(&self) -> Option<Part> {
        let shown = self.model.output.fields.as_ref();
        let wanted = |q: &MeshQuantity| shown.is_none_or(|w| w.iter().any(|w| w.text == q.name()));
        let meshes = self.meshes_with(&MeshQuantity::ALL.into_iter().filter(wanted).collect::<Vec<_>>());
        let first = meshes.first()?;
        let mut out = Mesh::default();
        let mut arrays: Vec<Array> = first.arrays.iter().map(empty).collect();
        let (mut body, mut group, mut material) = (Vec::new(), Vec::new(), Vec::new());
        for mesh in &meshes {
            let start = out.points.len();
            out.points.extend(mesh.points.iter().map(|x| <[f64; 3]>::from(*x)));
            for (e, (number, nodes)) in mesh.topology.cells.iter().enumerate() {
                let Some(kind) = CellType::from_vtk(*number) else { continue };
                out.types.push(kind);
                out.cells.push(nodes.iter().map(|n| start + n));
                body.push(i64::from(mesh.body.0));
                group.push(i32::from(self.setup.bodies.group[mesh.body.index()].0));
                material.push(i32::from(self.setup.material_in(mesh.body, e).0));
            }
            for (all, own) in arrays.iter_mut().zip(&mesh.arrays) {
                if let Values::F64(values) = &mut all.values {
                    values.extend(&own.values);
                }
            }
        }
        // what has a name of its own among the arrays is there under it
        let own = |f: &&Field| MeshQuantity::ALL.iter().all(|q| q.field() != Some(f.spec.name));
        add_fields(&mut arrays, self.shown(Support::Node).filter(own), &(0..out.points.len()).collect::<Vec<_>>());
        out.point_arrays = arrays;
        out.cell_arrays = vec![Array::ids("body", body), Array::integers("group", group)];
        if self.setup.meshes.iter().any(|m| m.filling.is_some()) {
            out.cell_arrays.push(Array::integers("material", material));
        }
        let elements: Vec<usize> = (0..out.types.len()).collect();
        add_fields(&mut out.cell_arrays, self.shown(Support::Element), &elements);
        Some(Part::new(PARTS[4], DataSet::Mesh(out)))
    }

    /// Everything that is not round and has a volume that is `chosen`, as lines and polygons: with the velocity of the surface at its points, and what is
    /// said of the body at its cells.
    fn surfaces_part(&self, part: &str, columns: &[Array], chosen: impl Fn(f64) -> bool) -> Option<Part> {
        let mut surfaces = Surfaces::new();
        let scene = self.initial_box();
        let solids = self.shapes.0.iter().filter(|s| matches!(s, Shape::Solid(_))).count();
        for (i, shape) in (0..).zip(&self.shapes.0).filter(|(i, _)| chosen(self.setup.bodies.volume[*i as usize])) {
            surfaces.of_body(i);
            self.draw(&mut surfaces, i as usize, shape, scene, detail(solids));
        }
        let k = self.world().kinematics;
        let velocity = |body: usize, x: [f64; 3]| {
            let arm = Vec3::from(x) - k.position[body];
            (k.velocity[body] + k.angular_velocity[body].cross(&arm)).into()
        };
        (!surfaces.is_empty()).then(|| Part::new(part, surfaces.finish_with(columns, velocity)))
    }

    fn draw(&self, surfaces: &mut Surfaces, body: usize, shape: &Shape, (centre, reach): (Vec3, f64), detail: usize) {
        let k = self.world().kinematics;
        let group = i32::from(self.setup.bodies.group[body].0);
        let (position, q, size) = (k.position[body], &k.orientation[body], k.size[body]);
        let at = Placement { position: position.into(), orientation: [q.w, q.i, q.j, q.k] };
        match shape {
            Shape::Ball { .. } | Shape::Disc { .. } => {}
            Shape::Plane { normal } => {
                let n = q * normal;
                // The square stands where the bodies were at the start, so that it neither wanders nor dwarfs them.
                let middle = centre + n * n.dot(&(position - centre));
                surfaces.plane(group, middle.into(), n.into(), reach);
            }
            Shape::Segment { half, .. } => {
                let end = q * (half * size);
                surfaces.line(group, &[(position - end).into(), (position + end).into()], false);
            }
            Shape::Box { half } => {
                surfaces.cuboid(group, at, (half * size).into());
            }
            Shape::Solid(solid) => {
                let dimension = self.setup.dimension;
                Stand { position, orientation: *q, size, group, dimension, detail }.draw(surfaces, solid.core());
            }
        }
    }

    /// Middle of the box that holds the bodies at the start, and half its diagonal (m).
    fn initial_box(&self) -> (Vec3, f64) {
        let bounds = self.shapes.0.iter().map(|s| s.bounding_radius(self.setup.dimension));
        let balls = bounds.zip(&self.setup.initial.position).filter_map(|(r, p)| Some((r?, p)));
        let (mut low, mut high) = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
        for (r, p) in balls {
            low = low.inf(&p.add_scalar(-r));
            high = high.sup(&p.add_scalar(r));
        }
        if low.x > high.x { (Vec3::zeros(), 1.0) } else { ((low + high) * 0.5, 0.5 * (high - low).norm()) }
    }
}

/// An array like that of a mesh, of no nodes.
fn empty(array: &MeshArray) -> Array {
    Array { name: array.name.into(), components: array.components, values: Values::F64(Vec::new()) }
}

/// Adds the fields for the chosen rows; a field called like an array that is there already gets a mark.
fn add_fields<'a>(arrays: &mut Vec<Array>, fields: impl Iterator<Item = &'a Field>, rows: &[usize]) {
    for field in fields {
        let c = field.spec.components;
        let data: Vec<f64> = rows.iter().flat_map(|i| field.data[i * c..(i + 1) * c].iter().copied()).collect();
        let array = Array { name: field.spec.name.to_owned(), components: c, values: Values::F64(data) };
        arrays.push(array.beside(arrays));
    }
}
