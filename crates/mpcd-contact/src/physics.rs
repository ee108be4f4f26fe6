//! The contact module as a physics of the loop: how it is built from a model, what it reads, writes and shows. Steps are in `crate::dynamics`.

use std::{collections::BTreeSet, sync::Arc};

use mpcd_core::setup::Theta;
use mpcd_core::{
    BodyId, CellMotion, Dimension, GroupId, InputError, Inputs, MeshQuantity, MeshView, Outputs, PerBody, PerContact, PerJoint,
    Physics, Port, Scalar, Setup, SolveError, SolveReport, Step, Unit, World, WritePort, field::names,
};
use mpcd_friction::{SolveSettings, problem::ContactDimension, solver_by_name};
use mpcd_geometry::{Shape, Shapes};

use crate::{
    alert::Alert,
    assemble::Assembly,
    cell::Cell,
    convex::Convex,
    deformable::{Deformables, FreeStrain},
    dynamics::{Dynamics, Mechanics, doubts, explicit::Explicit, moreau::Moreau},
    error::ContactError,
    groups::{GroupMobility, detector_apart_from, unknown_meetings},
    hold::Hold,
    joint::{self, Joints},
    law::{LawRegistry, LawTable, Method, NON_SMOOTH, Reaches, Remembers, SMOOTH, Tally},
    loads::Loads,
    motion::{BodyConstants, Forces, Given},
    nearing::Nearing,
    observe::ProblemObserver,
    params::{ContactParams, Scheme},
    passing::Passing,
    shares,
    smooth::SmoothLawRegistry,
    state::ContactState,
    watch::Watch,
};

/// Largest default of `bond_distance`, over the largest radius: 1 % of an edge, which a diameter bounds.
const BOND_DISTANCE: f64 = 0.02;

/// Volume worn off each body since the start.
const WORN: WritePort<Scalar, PerBody> = WritePort::new("worn_volume", Unit::VOLUME);

/// Damage of the bond of each contact: 0 intact, or none was ever there, 1 broken.
const DAMAGE: WritePort<Scalar, PerContact> = WritePort::new(names::DAMAGE, Unit::ONE);
/// Area over which the bond of each contact still holds.
/// 1 of a joint that holds, 0 of a broken one.
const JOINT_HOLDS: WritePort<Scalar, PerJoint> = WritePort::new(names::JOINT_HOLDS, Unit::ONE).starting_at(1.0);
const BONDED_AREA: WritePort<Scalar, PerContact> = WritePort::new(names::BONDED_AREA, Unit::AREA);
const ADHESION: WritePort<Scalar, PerContact> = WritePort::new(names::ADHESION, Unit::FORCE);

/// Non-smooth contact dynamics of rigid and deformable bodies.
pub struct ContactDynamics {
    mechanics: Mechanics,
    dynamics: Box<dyn Dynamics>,
}

/// Whether films lie on faces or lines, not between balls alone: what a solve leaves open there they bear for long, as their stiffness goes by the square of the area.
fn has_films_on_faces(setup: &Setup, shapes: &Shapes, laws: &LawTable) -> bool {
    let group = &setup.bodies.group;
    let lies = |shape: &Shape| !matches!(shape, Shape::Plane { .. }) && (shape.radius().is_none() || !shape.is_convex());
    let flat: BTreeSet<GroupId> = group.iter().zip(&shapes.0).filter(|(_, shape)| lies(shape)).map(|(group, _)| *group).collect();
    let all: BTreeSet<GroupId> = group.iter().copied().collect();
    let is_film = |a: GroupId, b: GroupId| laws.between(a, b).is_some_and(|law| laws.law(law).is_film());
    flat.iter().any(|a| all.iter().any(|b| is_film(*a, *b)))
}

impl Physics for ContactDynamics {
    const NAME: &'static str = NON_SMOOTH;
    type Params = ContactParams;
    type State = ContactState;

    fn build(params: ContactParams, setup: &Setup) -> Result<Self, InputError> {
        let shapes = setup.part::<Shapes>()?;
        let registry = setup.part::<LawRegistry>()?;
        let loads = Loads::build(setup)?;
        let mut bodies = BodyConstants::of_setup(setup, &loads);
        let groups = GroupMobility::of_setup(setup, &loads);
        let method = Method {
            name: Self::NAME,
            other: SMOOTH,
            other_laws: setup.part::<SmoothLawRegistry>().map(|r| r.names().collect()).unwrap_or_default(),
            example: "Coulomb(friction: 0.3)",
        };
        let theta = setup.part::<Theta>().ok();
        if let Some(fault) = theta.as_ref().filter(|_| !setup.meshes.is_empty()).and_then(|t| params.deformable.refuses(t.0)) {
            return Err(InputError::new(fault.to_string()).at("scheme"));
        }
        let (mut deformables, sides) = Deformables::build(&params.deformable, setup, &shapes)?;
        let joints = Joints::new(joint::build(setup, &loads, &mut deformables)?, &mut bodies, |i| loads.drives_spin(i));
        let laws = LawTable::build(setup, &registry, &method, |a, b| {
            groups.can_meet(a, b) && !joints.together().join(a, b, &setup.bodies.group)
        })?;
        let mut warnings = unknown_meetings(setup, &shapes, &laws);
        let solver = solver_by_name(&params.solver)
            .map_err(|e| InputError::new(e.to_string()).at(params.solver.as_str()).help("see `mpcd doc contact`"))?;
        laws.check_solver(setup, &*solver)?;
        let explicit = match params.scheme {
            Scheme::MoreauJean => None,
            Scheme::Explicit { damping, passes, accuracy } => {
                laws.check_displacements(setup)?;
                Some(Box::new(Explicit::new(damping.si(), passes.get(), accuracy.si())))
            }
        };
        let cell = Cell::build(setup, &loads, &shapes)?.map(Arc::new);
        if cell.is_some() && !solver.takes_cells() {
            let message = format!(
                "the solver `{}` cannot carry a cell whose lengths move; expected `auto`, or any of the others that ship but `jacobi`",
                solver.name()
            );
            return Err(InputError::new(message).help("remove `solver`: the default can").at("solver"));
        }
        if let (Some(_), Some(moving)) = (&explicit, &setup.cell) {
            let error = InputError::new(
                "explicit steps are made in a cell of fixed lengths, but here its lengths follow a stress or a rate",
            );
            return Err(error.help("remove `scheme`, or `stress` and `rate` from `periodic`").within(&moving.text));
        }
        if let Some(fault) =
            theta.as_ref().filter(|t| explicit.is_some() && t.0 != 0.5).map(|t| ContactError::Theta { theta: t.0 })
        {
            return Err(InputError::new(fault.to_string()).at("scheme"));
        }
        if !joints.is_empty() && !solver.takes_joints() {
            let message = format!(
                "the solver `{}` works on the condensed problem, which has no joints; expected `auto`, `nlgs-accelerated`, `nlgs` or `jacobi`",
                solver.name()
            );
            return Err(InputError::new(message).help("remove `solver`: the default takes joints").at("solver"));
        }
        if explicit.is_some() && !joints.is_empty() {
            return Err(InputError::new("`scheme: Explicit` has no joints yet, but the model has some")
                .at("scheme")
                .help("remove `joints`, or write Contact(scheme: MoreauJean)"));
        }
        if params.max_iterations == 0 {
            return Err(InputError::no_iterations());
        }
        let tolerance = params.tolerance(!deformables.is_empty() || has_films_on_faces(setup, &shapes, &laws));
        warnings.extend(deformables.doubts(setup, &shapes, &laws));
        warnings.extend(deformables.shared_nodes());
        deformables.agree_to(tolerance);
        deformables.check(setup, &shapes, &loads, &laws, &|a, b| joints.together().has(a, b))?;
        if explicit.is_some() && !deformables.is_empty() {
            return Err(InputError::new("`scheme: Explicit` moves rigid bodies only, but the model has deformable ones")
                .at("scheme")
                .help("write Contact(scheme: MoreauJean, deformable: (scheme: Explicit))"));
        }
        let beside = [
            (explicit.is_some(), "`scheme: Explicit`"),
            (!deformables.is_empty(), "deformable bodies"),
            (!joints.is_empty(), "joints"),
        ];
        shares::check(params.forces, setup, &laws, &beside)?;
        let mut detector = detector_apart_from(setup, &shapes, &loads, &laws, joints.together().clone())?;
        let start = loads.start(setup);
        deformables.find_sunk(setup, &shapes, (&mut detector, &start), &laws, &|a, b| joints.together().has(a, b))?;
        let watch = Watch::build(&params.watch, setup, &shapes, &loads, &laws)?;
        let length = shapes.0.iter().map(|s| s.smallest_length(setup.dimension).unwrap_or(f64::INFINITY)).collect();
        let hold = Hold::new(length, &bodies, &joints.bodies(bodies.len()));
        warnings.extend(doubts(&joints, &hold, &mut detector, &loads, setup));
        warnings.extend(joint::insulating(&joints, setup));
        warnings.extend(joint::images(&joints, &loads.start(setup), setup));
        let smallest_radius = shapes.0.iter().filter_map(|s| s.bounding_radius(setup.dimension)).fold(f64::INFINITY, f64::min);
        let smallest_radius = if smallest_radius.is_finite() { smallest_radius } else { 1.0 };
        let periods = CellMotion { lengths: setup.periods, ..CellMotion::default() };
        let cell_columns = cell.as_ref().map_or_else(Vec::new, |cell| cell.columns(&periods));
        let alert = Alert::new(&shapes, setup.dimension, smallest_radius, params.alert.map(|a| a.si()));
        // A bond that its law ends at its range is seen there once more, whatever the last bit of the gap.
        let bonds = laws.any(|law| law.memory().is_some_and(Remembers::bonds));
        let largest_radius = shapes.0.iter().filter_map(|s| s.bounding_radius(setup.dimension)).fold(0.0, f64::max);
        let reach = laws.reach().max(if bonds { BOND_DISTANCE * largest_radius } else { 0.0 });
        let reach = if reach > 0.0 { reach + alert.margin } else { 0.0 };
        let mut assembly = Assembly::default();
        assembly.convex = Convex::of(&shapes);
        assembly.endless = shapes.0.iter().map(|s| s.bounding_radius(setup.dimension).is_none()).collect();
        assembly.sides = sides;
        assembly.problem.dimension = match setup.dimension {
            Dimension::Planar => ContactDimension::Two,
            Dimension::Spatial => ContactDimension::Three,
        };
        let mechanics = Mechanics {
            loads,
            bodies,
            reach,
            meets_at_range: laws.any(|law| law.reach().is_some_and(Reaches::meets_at_range)),
            remembers: laws.any(|law| law.memory().is_some()),
            bonds: laws.any(|law| law.memory().is_some_and(Remembers::bonds)),
            pulls: laws.any(|law| law.memory().is_some_and(Remembers::pulls)),
            wears: laws.any(|law| law.wear().is_some()),
            laws: Arc::new(laws),
            joints,
            cell,
            cell_columns,
            deformables,
            detector,
            solver,
            settings: SolveSettings { tolerance, max_iterations: params.max_iterations, order: params.order.into() },
            pick: params.forces,
            observer: setup.part::<ProblemObserver>().ok(),
            alert,
            warm_start: params.warm_start,
            seed: 0,
            warnings,
            smallest_radius,
            assembly,
            nearing: Nearing::default(),
            started: Vec::new(),
            passing: Passing::default(),
            hold,
            centres: Vec::new(),
            watch,
            forces: Forces::default(),
            free_spin: Vec::new(),
            swings: crate::swings::Counter::default(),
        };
        let dynamics: Box<dyn Dynamics> = match explicit {
            Some(scheme) => scheme,
            None => Box::new(Moreau),
        };
        Ok(Self { mechanics, dynamics })
    }

    fn initial_state(&self, setup: &Setup) -> ContactState {
        let mut kinematics = self.mechanics.loads.start(setup);
        let deformables = self.mechanics.deformables.start(setup);
        self.mechanics.deformables.start_kinematics(&deformables, &mut kinematics);
        if let Some(cell) = &self.mechanics.cell {
            cell.start(&mut kinematics.cell);
        }
        ContactState {
            kinematics,
            joints: vec![crate::joint_state::JointState::default(); self.mechanics.joints.all.len()],
            deformables,
            nodal: self.mechanics.deformables.no_forces(),
            worn: if self.mechanics.wears { vec![0.0; setup.bodies.len()] } else { Vec::new() },
            ..ContactState::default()
        }
    }

    fn ports(&self) -> Vec<Port> {
        let mut ports = Given::ports();
        ports.extend(FreeStrain::ports(self.mechanics.deformables.have_several()));
        if self.mechanics.wears {
            ports.push(WORN.into());
        }
        if self.mechanics.bonds {
            ports.push(DAMAGE.into());
            ports.push(BONDED_AREA.into());
        }
        if self.mechanics.pulls {
            ports.push(ADHESION.into());
        }
        if !self.mechanics.joints.is_empty() {
            ports.push(JOINT_HOLDS.into());
        }
        ports
    }

    fn world<'a>(&self, state: &'a ContactState) -> Option<World<'a>> {
        Some(World { kinematics: &state.kinematics, network: &state.network })
    }

    fn meshes(&self, state: &ContactState, wanted: &[MeshQuantity]) -> Vec<MeshView> {
        let contacts = (&state.network, state.last_h);
        self.mechanics.deformables.views((&state.deformables, &state.nodal), contacts, wanted)
    }

    fn warnings(&self) -> Vec<String> {
        self.mechanics.warnings.clone()
    }

    fn overlaps_at_start(&self) -> Vec<([BodyId; 2], f64)> {
        self.mechanics.deformables.sunk().iter().map(|(pair, gap)| (*pair, -gap)).collect()
    }

    fn numbers(&self) -> Vec<&'static str> {
        let mut out = vec!["contacts_active", "contacts_late", "pairs_held", "contact_updates", "violation", "force_error"];
        out.extend(self.dynamics.columns());
        if self.mechanics.remembers {
            out.extend(["bonds", "bond_damage", "damage_stages"]);
        }
        out.extend(self.mechanics.joints.columns());
        out.extend(&self.mechanics.cell_columns);
        out
    }

    fn drop_caches(&mut self) {
        let Self { mechanics: m, dynamics } = self;
        m.detector.drop_caches();
        m.deformables.drop_caches();
        m.joints.drop_caches();
        dynamics.drop_caches();
        self.release();
    }

    fn release(&mut self) {
        let m = &mut self.mechanics;
        m.assembly.drop_caches();
        m.nearing = Nearing::default();
        m.started.clear();
        m.forces = Forces::default();
        m.free_spin = Vec::new();
        // The name was found when the module was built.
        if let Ok(solver) = solver_by_name(m.solver.name()) {
            m.solver = solver;
        }
    }

    fn vary(&mut self, seed: u64) {
        self.mechanics.seed = seed;
    }

    fn begin(&self, prev: &ContactState, next: &mut ContactState) {
        // Contacts, and what is known of each, are found anew.
        next.begin(prev);
    }

    fn advance(
        &mut self,
        step: &Step,
        prev: &ContactState,
        next: &mut ContactState,
        inputs: &Inputs<'_>,
        outputs: &mut Outputs,
    ) -> Result<SolveReport, SolveError> {
        let report = self.dynamics.step(&mut self.mechanics, step, (prev, next), inputs);
        let report = report.map_err(|e| e.of(Self::NAME))?;
        if self.mechanics.wears {
            outputs.write(WORN)?.copy_from_slice(&next.worn);
        }
        if self.mechanics.bonds {
            let rows = outputs.write_made(DAMAGE, next.network.len())?;
            rows.iter_mut().zip(self.mechanics.tallies(next)).for_each(|(row, tally)| *row = tally.damage);
            let rows = outputs.write_made(BONDED_AREA, next.network.len())?;
            let held = |tally: Tally| if tally.bonded { tally.area * (1.0 - tally.damage) } else { 0.0 };
            rows.iter_mut().zip(self.mechanics.tallies(next)).for_each(|(row, tally)| *row = held(tally));
        }
        if self.mechanics.pulls {
            let rows = outputs.write_made(ADHESION, next.network.len())?;
            rows.iter_mut().zip(self.mechanics.tallies(next)).for_each(|(row, tally)| *row = tally.pull);
        }
        if !self.mechanics.joints.is_empty() {
            let rows = outputs.write(JOINT_HOLDS)?.iter_mut();
            rows.zip(self.mechanics.joints.hold(&next.joints)).for_each(|(row, holds)| *row = if holds { 1.0 } else { 0.0 });
        }
        Ok(report)
    }
}
