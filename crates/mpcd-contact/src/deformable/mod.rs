//! Deformable bodies in the contact loop: finite elements of `mpcd-fem` with their boundaries as skins. A step goes around them: free motion, contact
//! on what their boundaries give way, and the motion that follows.
//!
//! What lives here: their set-up, their loads, the condensation of a body on its contacts. What may not: elements and materials (`mpcd-fem`),
//! distances (`mpcd-geometry`), solvers.

mod bonds;
mod books;
mod columns;
mod condense;
mod laws;
mod loads;
mod marks;
mod overlap;
mod params;
mod pressure;
mod regions;
mod ring;
mod sections;
mod shape;
mod sides;
mod sizes;
mod starts;
mod step;
mod strain;
mod supports;
mod surface;
mod swelling;
mod took;
mod view;

use std::sync::Arc;

use mpcd_core::{BodyId, Dimension, InputError, MeshTopology, Setup, Step, Vec3};
use mpcd_fem::{Balance, Body, Mesh, Meshed, Model, Newton, NodalForces, Section, State};
use mpcd_geometry::{Shapes, Skin};

use crate::{error::ContactError, law::LawTable, loads::Loads};
pub(crate) use bonds::Bonded;
pub use bonds::MeshAnchor;
pub(crate) use books::Totals;
use columns::Columns;
use loads::{ALL, MeshLoads};
use marks::{Answers, Mark};
pub(crate) use marks::{Seat, Spot, Tie};
pub use params::DeformableParams;
use params::SchemeName;
use sections::{Parts, Sections};
pub use shape::{MeshParams, Plane};
pub(crate) use sides::Sides;
pub(crate) use step::Holding;
pub(crate) use swelling::FreeStrain;
pub(crate) use took::Took;

/// For modules that know rigid bodies only.
///
/// # Errors
/// When there is a deformable one.
pub(crate) fn refuse(setup: &Setup, shapes: &Shapes, module: &str, help: &str) -> Result<(), InputError> {
    match (0..).zip(&shapes.0).find(|(_, shape)| shape.is_deformable()) {
        None => Ok(()),
        Some((body, _)) => {
            let label = setup.body_label(BodyId(body));
            Err(InputError::new(format!("{module} moves rigid bodies only, but {label} is deformable"))
                .help(help.to_owned())
                .at("bodies"))
        }
    }
}

/// One deformable body.
struct Member {
    body: BodyId,
    model: Arc<Model>,
    /// The model with its scheme, once the length of steps is known.
    dynamics: Option<Body>,
    loads: MeshLoads,
    /// Cells and named parts, for who looks on.
    topology: Arc<MeshTopology>,
    skin: Skin,
    columns: Columns,
    /// How it is called in messages.
    label: String,
    /// Whether its law is of small strain, so that it may not turn.
    small: bool,
    /// How often a wave runs through it in a second (1/s).
    pace: f64,
    /// The smallest of its Young's moduli (Pa).
    softest: f64,
    /// Whether it has several materials.
    several: bool,
    /// Whether its mesh is of a file, and no scale was given.
    unscaled: bool,
    /// How far it has turned (rad).
    turned: f64,
    /// Its largest strain, where its law is of small strain.
    strained: f64,
    /// Of each unknown, whether it was held in the step; where joints ask for it.
    held: Vec<bool>,
}

impl std::fmt::Debug for Member {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Member").field("body", &self.body).finish_non_exhaustive()
    }
}

/// Two bodies that overlap where nothing can move either, by a gap below zero (m).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Barred {
    pub(crate) bodies: [BodyId; 2],
    pub(crate) gap: f64,
}

impl Member {
    /// Longest side of the mesh (m).
    fn size(&self) -> f64 {
        let (low, high) = self.model.mesh().bounds();
        (high - low).amax()
    }
}

/// All deformable bodies of a model.
#[derive(Debug, Default)]
pub(crate) struct Deformables {
    params: DeformableParams,
    members: Vec<Member>,
    /// What joints end on, and what impulses there do.
    marks: Vec<Mark>,
    answers: Vec<Answers>,
    newton: Newton,
    gravity: Vec3,
    /// Bodies and nodes that joints hold to what no impulse moves, sorted.
    pinned: Vec<(usize, usize)>,
    /// The step under way, body by body.
    steps: Vec<mpcd_fem::Step>,
    /// What the last step did to the energy and momentum of each.
    balances: Vec<Balance>,
    /// Kinetic and stored energy before and after it (J), and momentum (N s), of all.
    pub(crate) totals: Totals,
    /// Solves of the contact problem in the last step.
    pub(crate) iterations: usize,
    /// The deepest overlap of sides that nothing can move and that are driven into each other.
    pub(crate) barred: Option<Barred>,
    /// Pairs that touch where nothing can move either, and nowhere else: they have no contact.
    pub(crate) untouched: Vec<[BodyId; 2]>,
    /// Pairs that overlap at the start, and the least gap of each (m).
    sunk: Vec<([BodyId; 2], f64)>,
    /// Time that its parts took.
    pub(crate) took: Took,
}

impl Deformables {
    /// Those of a set-up.
    ///
    /// # Errors
    /// A material without elastic constants, a load on a part that there is not, what finite elements cannot be made of.
    pub(crate) fn build(params: &DeformableParams, setup: &Setup, shapes: &Shapes) -> Result<(Self, Sides), InputError> {
        let found: Vec<(BodyId, Arc<Meshed>)> =
            (0..).zip(&shapes.0).filter_map(|(i, s)| Some((BodyId(i), s.content()?.downcast().ok()?))).collect();
        let dimension = if setup.dimension == Dimension::Planar { 2 } else { 3 };
        let sides = Sides::new(setup.bodies.len(), found.iter().map(|(body, _)| *body), dimension);
        let mut out = Self { params: params.clone(), gravity: setup.gravity, ..Self::default() };
        if found.is_empty() {
            out.refuse_parts(setup, &sides)?;
            params.refuse_without_meshes()?;
            return Ok((out, sides));
        }
        if setup.periods != [None; 3] {
            return Err(InputError::new(
                "deformable bodies have no periodic cell yet: their skins do not know images of each other",
            )
            .help("remove `periodic`, or use rigid shapes")
            .at("bodies"));
        }
        let parts = Parts::read(setup)?;
        for (body, shape) in &found {
            let i = body.index();
            let of = Sections::read(setup, *body, (shape.mesh.elements(), shape.space), &parts)?;
            let (position, turn) = (setup.initial.position[i], setup.initial.orientation[i]);
            let mut mesh = Mesh::clone(&shape.mesh).moved(|x| position + turn * x)?;
            mesh.add_node_group(ALL, (0..mesh.nodes().len()).collect())?;
            let skin = surface::skin(&mesh, shape.space)?;
            let (boundary, nodes) = (mesh.skin()?.nodes, mesh.nodes().len());
            let model = Arc::new(Model::with_section_of(mesh, shape.space, &of.list, of.elements)?);
            params.check(&model, &setup.body_label(*body))?;
            let (low, high) = model.mesh().bounds();
            let pace = of.fastest / (high - low).amax();
            out.members.push(Member {
                body: *body,
                topology: view::topology(model.mesh()),
                model,
                dynamics: None,
                loads: MeshLoads::default(),
                skin,
                columns: Columns::new(boundary, nodes, dimension),
                label: setup.body_label(*body),
                small: of.list.iter().any(Section::is_small_strain),
                pace,
                softest: of.softest,
                several: setup.filling(*body).is_some(),
                unscaled: shape.unscaled,
                turned: 0.0,
                strained: 0.0,
                held: Vec::new(),
            });
        }
        out.read_loads(setup, &sides)?;
        out.check_supports()?;
        out.check_starts(setup)?;
        Ok((out, sides))
    }

    /// How well the motion of a body and the impulses on it must agree, where its law is not linear: impulses of this tolerance let them no better.
    pub(crate) fn agree_to(&mut self, tolerance: f64) {
        let tight = Newton::default();
        self.newton = Newton { tolerance: tight.tolerance.max(0.1 * tolerance), ..tight };
    }

    /// What deformable bodies cannot do yet; `together` says which two a joint holds together so that they do not touch.
    ///
    /// # Errors
    /// A law that a contact of one cannot have, what rings cannot do, bodies that lie in each other.
    pub(crate) fn check(
        &self,
        setup: &Setup,
        shapes: &Shapes,
        loads: &Loads,
        laws: &LawTable,
        together: &dyn Fn(BodyId, BodyId) -> bool,
    ) -> Result<(), InputError> {
        self.check_rings(setup, loads, laws)?;
        self.refuse_overlaps(setup, shapes, laws, together)?;
        self.refuse_laws(setup, laws)
    }

    fn read_loads(&mut self, setup: &Setup, sides: &Sides) -> Result<(), InputError> {
        self.refuse_parts(setup, sides)?;
        let mut read = Vec::new();
        for load in &setup.loads {
            for (k, member) in
                self.members.iter_mut().enumerate().filter(|(_, m)| setup.bodies.group[m.body.index()] == load.group)
            {
                let from = member.loads.len();
                let added = member.loads.add(setup, &member.model, load.part.as_deref(), &load.kind);
                added.map_err(|e| e.within(&load.kind))?;
                read.push((k, from..member.loads.len(), &load.kind));
            }
        }
        for (k, some, kind) in read {
            self.members[k].loads.refuse_idle(&self.members[k].model, some).map_err(|e| e.within(kind))?;
        }
        Ok(())
    }

    /// Loads on parts of bodies that have none.
    fn refuse_parts(&self, setup: &Setup, sides: &Sides) -> Result<(), InputError> {
        for load in &setup.loads {
            let Some(part) = &load.part else { continue };
            let rigid = setup.bodies.of_group(load.group).any(|body| !sides.is_deformable(body));
            if rigid {
                let group = setup.groups.name(load.group.index());
                return Err(InputError::new(format!(
                    "`{group}.{part}` names a part of a mesh, but group \"{group}\" has rigid bodies"
                ))
                .help(format!("write `on: \"{group}\"`, or give its bodies a shape Mesh(…)"))
                .within(&load.kind));
            }
        }
        Ok(())
    }

    /// Whether the bodies have no inertia.
    pub(crate) fn are_static(&self) -> bool {
        self.params.scheme == SchemeName::Static
    }

    /// Whether some have several materials.
    pub(crate) fn have_several(&self) -> bool {
        self.members.iter().any(|m| m.several)
    }

    /// Whether there are none.
    pub(crate) const fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Refuses sizes that another module gives to deformable bodies.
    ///
    /// # Errors
    /// The first that is not 1.
    pub(crate) fn refuse_growth(&self, sizes: Option<&[f64]>, setup: &Setup, step: &Step) -> Result<(), ContactError> {
        let Some(sizes) = sizes else { return Ok(()) };
        match self.members.iter().find(|m| sizes[m.body.index()] != 1.0) {
            None => Ok(()),
            Some(m) => {
                let (body, size) = (setup.body_label(m.body), sizes[m.body.index()]);
                Err(ContactError::Growth { body, size, time: step.time })
            }
        }
    }

    /// No forces at the nodes: before the first step.
    pub(crate) fn no_forces(&self) -> Vec<NodalForces> {
        self.members.iter().map(|m| NodalForces::none(m.model.unknowns())).collect()
    }

    /// The body of small strain that has turned most, and how far (rad).
    pub(crate) fn turned(&self) -> Option<(BodyId, f64)> {
        let small = self.members.iter().filter(|m| m.small).map(|m| (m.body, m.turned));
        small.max_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// The body of small strain that is strained most, and how much.
    pub(crate) fn strained(&self) -> Option<(BodyId, f64)> {
        let small = self.members.iter().filter(|m| m.small).map(|m| (m.body, m.strained));
        small.max_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// The body with inertia that several nodes are pressed on through which a wave runs most often in a step of length `h` (s), and how often.
    pub(crate) fn waves(&self, h: f64, forces: &[NodalForces]) -> Option<(BodyId, f64)> {
        if self.are_static() {
            return None;
        }
        let several = |f: &NodalForces| f.contact.iter().filter(|r| **r != 0.0).nth(3).is_some();
        let pressed = self.members.iter().zip(forces).filter(|(_, f)| several(f));
        pressed.map(|(m, _)| (m.body, h * m.pace)).max_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// Forgets what was factorised.
    pub(crate) fn drop_caches(&mut self) {
        for member in &mut self.members {
            member.dynamics = None;
            member.columns.forget();
        }
        self.answers.fill(Answers::default());
        self.steps.clear();
        self.barred = None;
        self.untouched.clear();
    }

    /// Largest speed of a node in these states [m/s].
    fn fastest(&self, states: &[State]) -> f64 {
        let of = |(member, state): (&Member, &State)| {
            let d = member.model.dimension();
            state.velocity.chunks_exact(d).map(|v| v.iter().map(|c| c * c).sum::<f64>()).fold(0.0, f64::max)
        };
        self.members.iter().zip(states).map(of).fold(0.0, f64::max).sqrt()
    }

    fn fault(&self, member: usize, source: mpcd_fem::FemError) -> ContactError {
        fault_of(&self.members[member].label, source)
    }
}

/// What finite elements said of the body of this label.
fn fault_of(label: &str, source: mpcd_fem::FemError) -> ContactError {
    ContactError::Deformable { body: label.to_owned(), source: Box::new(source) }
}
