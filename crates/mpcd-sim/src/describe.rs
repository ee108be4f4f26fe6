//! What `check` and `explain` say about a simulation that was built and not run: bodies, fields, coupling, schedule in words,
//! memory, warnings. Facts are gathered into [`Description`]; texts are made from it alone.

use std::fmt;

use mpcd_core::{Access, BodyId, Contact, Dimension, MeshView};
use mpcd_geometry::{Core, Shape, of_parts};

use crate::{
    budget::{Written, amount, free_memory},
    coupling::goes_back,
    model::OnFailure,
    model::Relaxation,
    pace::Pace,
    simulation::Simulation,
};

/// Deformable bodies, with the size of their meshes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MeshCount {
    /// Bodies.
    pub bodies: usize,
    /// Nodes of all.
    pub nodes: usize,
    /// Elements of all.
    pub elements: usize,
}

/// Bodies of a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupLine {
    /// Name of the group.
    pub name: String,
    /// Number of bodies.
    pub bodies: usize,
    /// What of them is meshed.
    pub meshes: MeshCount,
    /// Kinds of shapes, each once.
    pub shapes: Vec<&'static str>,
    /// Materials, each once.
    pub materials: Vec<String>,
}

/// A field and who uses it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldLine {
    /// Name.
    pub name: &'static str,
    /// Unit.
    pub unit: String,
    /// body, contact, grid or global.
    pub support: String,
    /// Numbers per row.
    pub components: usize,
    /// Module that writes it.
    pub writer: &'static str,
    /// Modules that read it.
    pub readers: Vec<&'static str>,
}

/// A field that goes from one module to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EdgeLine {
    /// Writer.
    pub from: &'static str,
    /// Reader.
    pub to: &'static str,
    /// Field.
    pub field: &'static str,
    /// Whether the reader sees the step (or repetition) before.
    pub lagged: bool,
    /// Whether it is switched off: the reader sees the field as it was at the start.
    pub off: bool,
}

/// Everything there is to say before a run.
#[derive(Debug, Clone)]
pub struct Description {
    /// Title of the model.
    pub title: String,
    /// 2 or 3.
    pub dimension: u8,
    /// Groups in the order of the model.
    pub groups: Vec<GroupLine>,
    /// Number of bodies.
    pub bodies: usize,
    /// The deformable ones among them.
    pub meshes: MeshCount,
    /// Length of a step (s), end (s), number of steps.
    pub time: (f64, f64, u64),
    /// Modules in the order they run.
    pub modules: Vec<&'static str>,
    /// Fields in the order they are written.
    pub fields: Vec<FieldLine>,
    /// Coupling edges.
    pub edges: Vec<EdgeLine>,
    /// The step in words, line by line.
    pub schedule: Vec<String>,
    /// Rough size of the run in memory (bytes).
    pub memory: usize,
    /// What the run will write.
    pub written: Written,
    /// What the user should look at before running.
    pub warnings: Vec<String>,
}

/// Gathers the facts.
#[must_use]
pub fn describe(simulation: &Simulation) -> Description {
    let setup = simulation.setup();
    let name = |place: usize| simulation.slots[place].module.name();
    let meshes = simulation.meshes_with(&[]);
    let readers = |field: &str| {
        let mut out: Vec<&'static str> = Vec::new();
        for edge in simulation.edges.iter().filter(|e| e.field.name == field) {
            if !out.contains(&name(edge.to)) {
                out.push(name(edge.to));
            }
        }
        out
    };
    let fields = simulation.slots.iter().flat_map(|slot| {
        slot.ports.iter().filter(|p| p.access == Access::Write).map(|p| FieldLine {
            name: p.field.name,
            unit: p.field.unit.to_string(),
            support: p.field.support.to_string(),
            components: p.field.components,
            writer: slot.module.name(),
            readers: readers(p.field.name),
        })
    });
    Description {
        title: simulation.model.title.clone(),
        dimension: if setup.dimension == Dimension::Planar { 2 } else { 3 },
        meshes: count(meshes.iter()),
        groups: groups(simulation, &meshes),
        bodies: setup.bodies.len(),
        time: (simulation.model.time.step.si(), simulation.end(), simulation.step_count()),
        modules: simulation.modules().collect(),
        fields: fields.collect(),
        edges: edge_lines(simulation),
        schedule: schedule(simulation),
        memory: memory(simulation),
        written: Written::of(simulation, dense(simulation)),
        warnings: warnings(simulation),
    }
}

/// The coupling edges, those that are on first.
pub(crate) fn edge_lines(simulation: &Simulation) -> Vec<EdgeLine> {
    let name = |place: usize| simulation.slots[place].module.name();
    let line = |off: bool| {
        move |e: &mpcd_core::port::Edge| EdgeLine {
            from: name(e.from),
            to: name(e.to),
            field: e.field.name,
            lagged: goes_back(e),
            off,
        }
    };
    simulation.edges.iter().map(line(false)).chain(simulation.off.iter().map(line(true))).collect()
}

fn count<'a>(meshes: impl Iterator<Item = &'a MeshView>) -> MeshCount {
    meshes.fold(MeshCount::default(), |sum, mesh| MeshCount {
        bodies: sum.bodies + 1,
        nodes: sum.nodes + mesh.points.len(),
        elements: sum.elements + mesh.topology.cells.len(),
    })
}

fn groups(simulation: &Simulation, meshes: &[MeshView]) -> Vec<GroupLine> {
    let setup = simulation.setup();
    let line = |(place, name): (usize, &str)| GroupLine {
        name: name.to_owned(),
        bodies: 0,
        meshes: count(meshes.iter().filter(|m| setup.bodies.group[m.body.index()].index() == place)),
        shapes: Vec::new(),
        materials: Vec::new(),
    };
    let mut out: Vec<GroupLine> = setup.groups.iter().enumerate().map(line).collect();
    for (i, group) in setup.bodies.group.iter().enumerate() {
        let line = &mut out[group.index()];
        line.bodies += 1;
        let shape = simulation.shapes.0[i].name();
        if !line.shapes.contains(&shape) {
            line.shapes.push(shape);
        }
        for material in setup.materials_of(BodyId::from_index(i)) {
            let material = &setup.materials[material.index()].name;
            if !line.materials.contains(material) {
                line.materials.push(material.clone());
            }
        }
    }
    out
}

fn schedule(simulation: &Simulation) -> Vec<String> {
    let uses = |place: usize| {
        let off: Vec<&str> = simulation.off.iter().filter(|e| e.to == place).map(|e| e.field.name).collect();
        let ports = |access: Access| {
            let of = simulation.slots[place].ports.iter().filter(|p| p.access == access);
            let of = of.filter(|p| access == Access::Write || !off.contains(&p.field.name));
            let present = of.filter(|p| simulation.fields.iter().any(|f| f.spec.name == p.field.name));
            present.map(|p| p.field.name).collect::<Vec<_>>().join(", ")
        };
        let mut parts = Vec::new();
        for (what, list) in [
            ("reads ", ports(Access::Fresh)),
            ("reads of the step before ", ports(Access::Lagged)),
            ("writes ", ports(Access::Write)),
        ] {
            if !list.is_empty() {
                parts.push(format!("{what}{list}"));
            }
        }
        if !off.is_empty() {
            parts.push(format!("sees {} as at the start", off.join(", ")));
        }
        if simulation.owner == Some(place) {
            parts.push("moves the bodies and finds the contacts".to_owned());
        }
        match simulation.slots[place].pace {
            Pace::Each => {}
            Pace::Substeps(n) => parts.push(format!("in {n} equal parts")),
            Pace::Every(n) => parts.push(format!("in every {n}th step, over the time of all of them")),
        }
        let text = parts.join("; ");
        if text.is_empty() { text } else { format!(": {text}") }
    };
    let mut out = Vec::new();
    let mut number = 0;
    for (place, module) in simulation.modules().enumerate() {
        number += 1;
        if let Some((cycle, _)) = simulation.cycle.as_ref().filter(|(c, _)| c.places.start == place) {
            let method = match cycle.relaxation {
                Relaxation::Auto => "Aitken relaxation, then interface quasi-Newton".to_owned(),
                Relaxation::Aitken => "Aitken relaxation".to_owned(),
                Relaxation::QuasiNewton => "interface quasi-Newton".to_owned(),
                Relaxation::Fixed(w) => format!("a fixed factor of {}", w.si()),
            };
            let tolerance = cycle
                .tolerance
                .map_or_else(|| "1e-6, or 100 times the loosest tolerance among them,".to_owned(), |t| format!("{t:e}"));
            let together = if cycle.strict { "all equations of the step together: " } else { "" };
            out.push(format!(
                "{together}repeat until {} change by less than {tolerance} (at most {} times, {method}):",
                cycle.exchanged.join(", "),
                cycle.max_iterations
            ));
        }
        let inside = simulation.cycle.as_ref().is_some_and(|(c, _)| c.places.contains(&place));
        out.push(format!("{}{number}. {module}{}", if inside { "   " } else { "" }, uses(place)));
    }
    out.push(match simulation.model.time.on_failure {
        OnFailure::Stop => "A step that misses a tolerance stops the run.".to_owned(),
        OnFailure::Continue => "A step that misses a tolerance is accepted and counted.".to_owned(),
        OnFailure::Halve(times) => format!("A step that misses a tolerance is halved up to {times} times; then the run stops."),
    });
    if let Some(adapt) = &simulation.model.time.adapt {
        let shortest = simulation.model.time.step.si() / f64::from(1_u32 << adapt.halvings.min(20));
        let limit =
            |(field, by): &(mpcd_core::FieldSpec, f64)| format!("`{}` changes by more than {by:e} {}", field.name, field.unit);
        let limits: Vec<String> = simulation.limits.iter().map(limit).collect();
        let or = if limits.is_empty() { String::new() } else { format!(" or {}", limits.join(" or ")) };
        out.push(format!(
            "A step in which a module asks for a shorter one{or} is halved, down to {shortest:e} s; then the run stops."
        ));
    }
    out
}

/// Contacts of a dense packing of the bodies.
fn dense(simulation: &Simulation) -> usize {
    let per_body = if simulation.setup().dimension == Dimension::Planar { 3 } else { 6 };
    simulation.setup().bodies.len() * per_body
}

/// States and fields twice or three times, the set-up once, and as many contacts as a dense packing has.
fn memory(simulation: &Simulation) -> usize {
    let bodies = simulation.setup().bodies.len();
    let contacts = dense(simulation);
    let sizes = simulation.sizes(contacts);
    let states: usize = simulation.slots.iter().map(|s| 2 * s.module.state_bytes().unwrap_or(0)).sum();
    let fields: usize = simulation.fields.iter().map(|f| 3 * 8 * sizes.rows(f.spec.support) * f.spec.components).sum();
    // Mass, inertia, volume, surface, ids, shape; position to size once more.
    let setup = bodies * (8 * 6 + 4 + 40 + 14 * 8);
    states + fields + setup + 4 * contacts * size_of::<Contact>()
}

fn warnings(simulation: &Simulation) -> Vec<String> {
    let mut out: Vec<String> = simulation.slots.iter().flat_map(|s| s.module.warnings()).collect();
    let need = memory(simulation) as u64;
    if let Some(free) = free_memory().filter(|free| need > *free) {
        let (need, free) = (amount(need), amount(free));
        out.push(format!("the run needs about {need} of memory, but {free} are free; use fewer bodies or a larger machine"));
    }
    out.extend(Written::of(simulation, dense(simulation)).warning());
    out.extend(counted_twice(simulation));
    out.extend(overlaps_at_start(simulation, 1e-6));
    out
}

/// Clusters whose parts are looked at: a packing has the same, larger and smaller.
const CLUSTERS: usize = 20;

/// What is said of clusters whose mass is that of their parts where these overlap and what they share is not known: of the first.
pub(crate) fn counted_twice(simulation: &Simulation) -> Option<String> {
    let (setup, shapes) = (simulation.setup(), &simulation.shapes.0);
    let summed = |body: &usize| {
        let density = simulation.model.materials[setup.bodies.material[*body].index()].density;
        let is_cluster = matches!(&shapes[*body], Shape::Solid(s) if matches!(s.core(), Core::Cluster(_)));
        is_cluster && shapes[*body].mass_properties(density, setup.dimension).mass == setup.bodies.mass[*body]
    };
    let mut clusters = (0..shapes.len()).filter(summed).take(CLUSTERS);
    let (body, parts) = clusters.find_map(|body| Some((body, of_parts(&shapes[body], setup.dimension)?)))?;
    Some(format!(
        "parts {} and {} of {} overlap by {:.2e} m, and one of them does not tell where lines go through it (what is hollow, made of triangles, a ball of a planar model): the volume, the \
         mass and the surface that they share count twice; give the body the `mass` (and the `inertia`) that you mean, or parts that lie on each other",
        parts.a.min(parts.b).index() + 1,
        parts.a.max(parts.b).index() + 1,
        setup.body_label(BodyId::from_index(body)),
        parts.depth
    ))
}

/// Pairs that overlap at the start by more than this part of the smallest radius, in words; the deepest five.
pub(crate) fn overlaps_at_start(simulation: &Simulation, part: f64) -> Vec<String> {
    let mut out = Vec::new();
    let (setup, radius) = (simulation.setup(), simulation.smallest_radius);
    let tolerance = if radius.is_finite() { part * radius } else { 0.0 };
    match simulation.overlaps(tolerance) {
        Err(e) => out.push(format!("overlaps at the start cannot be looked for: {e}")),
        Ok(mut found) => {
            found.sort_by(|a, b| b.depth.total_cmp(&a.depth).then(a.a.cmp(&b.a)).then(a.b.cmp(&b.b)));
            for o in found.iter().take(5) {
                out.push(format!(
                    "{} and {} overlap by {:.3e} m at the start ({:.2} % of the smallest radius); move them apart or make them smaller",
                    setup.body_label(o.a),
                    setup.body_label(o.b),
                    o.depth,
                    100.0 * o.depth / radius
                ));
            }
            if found.len() > 5 {
                out.push(format!("{} pairs of bodies overlap at the start in all", found.len()));
            }
        }
    }
    out
}

impl fmt::Display for MeshCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} deformable, {} nodes, {} elements", self.bodies, self.nodes, self.elements)
    }
}

impl fmt::Display for Description {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (step, end, count) = self.time;
        let meshes = |m: &MeshCount| if m.bodies == 0 { String::new() } else { format!(" ({m})") };
        let deformable = meshes(&self.meshes);
        writeln!(
            f,
            "{} ({}D): {} bodies{deformable}, {count} steps of {step} s to {end} s",
            self.title, self.dimension, self.bodies
        )?;
        writeln!(f, "\nGroups")?;
        for g in &self.groups {
            let (shapes, materials) = (g.shapes.join(", "), g.materials.join(", "));
            writeln!(f, "  {:<16} {:>8}  {shapes} of {materials}{}", g.name, g.bodies, meshes(&g.meshes))?;
        }
        if !self.fields.is_empty() {
            writeln!(f, "\nFields")?;
        }
        for x in &self.fields {
            let readers = if x.readers.is_empty() { "output only".to_owned() } else { x.readers.join(", ") };
            let kind = if x.components == 1 { "number" } else { "vector" };
            writeln!(f, "  {:<16} [{}] {kind} per {}, {} -> {readers}", x.name, x.unit, x.support, x.writer)?;
        }
        if !self.edges.is_empty() {
            writeln!(f, "\nCoupling")?;
        }
        for e in &self.edges {
            let lagged = match e {
                EdgeLine { off: true, .. } => " (off: as it was at the start)",
                EdgeLine { lagged: true, .. } => " (of the step before)",
                EdgeLine { .. } => "",
            };
            writeln!(f, "  {} -> {}: {}{lagged}", e.from, e.to, e.field)?;
        }
        writeln!(f, "\nA step")?;
        for line in &self.schedule {
            writeln!(f, "  {line}")?;
        }
        writeln!(f, "\nMemory: about {}", amount(self.memory as u64))?;
        let Written { frames, rows, bytes } = self.written;
        writeln!(f, "Output: {frames} frames and {rows} rows, about {}", amount(bytes))?;
        for warning in &self.warnings {
            writeln!(f, "warning: {warning}")?;
        }
        Ok(())
    }
}
