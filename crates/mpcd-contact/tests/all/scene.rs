//! A scene built by hand and stepped without a model file. No assertions here.

use mpcd_contact::{ContactDynamics, LawRegistry, SmoothContact, SmoothLawRegistry};
use mpcd_core::{
    BodyId, ContactNetwork, Dimension, FieldSpec, FieldStore, FieldView, Fragment, GroupId, Inputs, Kinematics, MaterialId,
    Module, Outputs, Physics, Quat, Setup, SolveError, SolveReport, Status, Step, Support, Unit, Vec3, World,
    field::{SupportSizes, names},
    module::{Which, erase},
    setup::{Interaction, Load},
};
use mpcd_geometry::{Shape, Shapes};

pub(crate) struct Scene {
    pub(crate) setup: Setup,
    shapes: Vec<Shape>,
}

impl Scene {
    pub(crate) fn new(dimension: Dimension, gravity: Vec3) -> Self {
        let mut setup = Setup::default();
        (setup.dimension, setup.gravity) = (dimension, gravity);
        Self { setup, shapes: Vec::new() }
    }

    /// Adds a body of density 1000 (or of the mass given) and returns its id.
    pub(crate) fn body(&mut self, group: &str, shape: Shape, at: Vec3, mass: Option<f64>) -> BodyId {
        let p = shape.mass_properties(1000.0, self.setup.dimension);
        let scale = mass.map_or(1.0, |m| m / p.mass);
        let b = &mut self.setup.bodies;
        b.mass.push(mass.unwrap_or(p.mass));
        b.inertia.push(if scale.is_finite() { p.inertia * scale } else { Vec3::zeros() });
        b.volume.push(p.volume);
        b.surface.push(p.surface);
        b.group.push(GroupId::from_index(self.setup.groups.intern(group)));
        b.material.push(MaterialId(0));
        self.setup.initial.push_at_rest(at, Quat::identity());
        self.shapes.push(shape);
        BodyId::from_index(self.shapes.len() - 1)
    }

    pub(crate) fn floor(&mut self, group: &str, normal: Vec3) -> BodyId {
        self.body(group, Shape::Plane { normal: normal.normalize() }, Vec3::zeros(), None)
    }

    pub(crate) fn velocity(&mut self, body: BodyId, v: Vec3, w: Vec3) {
        self.setup.initial.velocity[body.index()] = v;
        self.setup.initial.angular_velocity[body.index()] = w;
    }

    pub(crate) fn law(&mut self, a: &str, b: &str, law: &str) {
        let groups = (self.setup.group(a).unwrap(), self.setup.group(b).unwrap());
        self.setup.interactions.push(Interaction { groups, law: Fragment::whole(law) });
    }

    pub(crate) fn load(&mut self, group: &str, kind: &str) {
        let group = self.setup.group(group).unwrap();
        self.setup.loads.push(Load { group, part: None, kind: Fragment::whole(kind) });
    }

    /// Moved by the non-smooth method.
    pub(crate) fn build(self, contact: &str) -> Result<Run, mpcd_core::InputError> {
        self.build_with(LawRegistry::standard(), contact)
    }

    /// The same with more laws than those that ship.
    pub(crate) fn build_with(self, laws: LawRegistry, contact: &str) -> Result<Run, mpcd_core::InputError> {
        self.build_as::<ContactDynamics>(laws, contact)
    }

    /// Moved by the smooth method.
    pub(crate) fn build_smooth(self, contact: &str) -> Result<Run, mpcd_core::InputError> {
        self.build_as::<SmoothContact>(LawRegistry::standard(), contact)
    }

    fn build_as<P: Physics>(mut self, laws: LawRegistry, contact: &str) -> Result<Run, mpcd_core::InputError> {
        self.setup.insert(Shapes(self.shapes));
        self.setup.insert(laws);
        self.setup.insert(SmoothLawRegistry::standard());
        let params: P::Params = Fragment::whole(contact).parse_body()?;
        let physics = P::build(params, &self.setup)?;
        let module = erase(physics, &self.setup);
        let n = self.setup.bodies.len();
        let sizes = SupportSizes { bodies: n, ..SupportSizes::default() };
        let growth = FieldSpec::scalar(names::SIZE_FACTOR, Unit::ONE, Support::Body).starting_at(1.0);
        Ok(Run { fields: FieldStore::new([growth], &sizes), module, setup: self.setup, index: 0, time: 0.0, theta: 0.5 })
    }
}

/// A scene that runs.
pub(crate) struct Run {
    pub(crate) setup: Setup,
    pub(crate) fields: FieldStore,
    pub(crate) module: Box<dyn Module>,
    pub(crate) index: u64,
    pub(crate) time: f64,
    pub(crate) theta: f64,
}

impl Run {
    /// One accepted step; the solve must converge.
    pub(crate) fn step(&mut self, h: f64) -> SolveReport {
        self.advance(h, &mut self.outputs())
    }

    /// The same, where the module may refuse to go on.
    pub(crate) fn try_step(&mut self, h: f64) -> Result<SolveReport, SolveError> {
        self.try_advance(h, &mut self.outputs())
    }

    /// One accepted step, converged or not.
    pub(crate) fn look(&mut self, h: f64) -> SolveReport {
        let report = self.compute(h, &mut self.outputs()).unwrap();
        self.module.accept();
        self.index += 1;
        self.time += h;
        report
    }

    /// Computes a step and does not accept it.
    pub(crate) fn rehearse(&mut self, h: f64) {
        self.compute(h, &mut self.outputs()).unwrap();
    }

    fn advance(&mut self, h: f64, outputs: &mut Outputs) -> SolveReport {
        self.try_advance(h, outputs).unwrap()
    }

    fn try_advance(&mut self, h: f64, outputs: &mut Outputs) -> Result<SolveReport, SolveError> {
        let report = self.compute(h, outputs)?;
        assert_eq!(report.status, Status::Converged, "step {}: {}", self.index, report.worst);
        self.module.accept();
        self.index += 1;
        self.time += h;
        Ok(report)
    }

    fn outputs(&self) -> Outputs {
        let mut outputs = Outputs::for_ports(self.module.name(), &self.module.ports());
        outputs.reset(&SupportSizes { bodies: self.setup.bodies.len(), ..SupportSizes::default() });
        outputs
    }

    fn compute(&mut self, h: f64, outputs: &mut Outputs) -> Result<SolveReport, SolveError> {
        let step = Step { index: self.index, time: self.time, h, theta: self.theta, whole: true, iteration: 0 };
        let (kinematics, network) = (self.kinematics().clone(), self.network().clone());
        let world = World { kinematics: &kinematics, network: &network };
        let ports = self.module.ports();
        let fields = FieldView::new(self.module.name(), &ports, &self.fields);
        let inputs = Inputs { setup: &self.setup, world, world_before: world, fields };
        self.module.advance(&step, &inputs, outputs)
    }

    /// One more step; the largest force of a joint in it (N).
    pub(crate) fn joint_force_max(&mut self, h: f64) -> f64 {
        self.step(h).numbers.iter().find(|(n, _)| *n == "joint_force_max").unwrap().1
    }

    /// A step, and a body field that the module wrote in it.
    pub(crate) fn step_with_field(&mut self, name: &str, h: f64) -> Vec<f64> {
        self.step_and_field(name, h).1
    }

    /// The same with the report of the step.
    pub(crate) fn step_and_field(&mut self, name: &str, h: f64) -> (SolveReport, Vec<f64>) {
        let mut outputs = self.outputs();
        let report = self.advance(h, &mut outputs);
        (report, outputs.get(name).unwrap().to_vec())
    }

    pub(crate) fn kinematics(&self) -> &Kinematics {
        self.module.world(Which::Accepted).unwrap().kinematics
    }

    pub(crate) fn network(&self) -> &ContactNetwork {
        self.module.world(Which::Accepted).unwrap().network
    }
}

pub(crate) const G: f64 = 9.81;
