//! A small world built by hand: bodies, materials and contacts with prescribed forces, and a module driven through the
//! contract that mpcd-sim uses (text → module → advance → accept). No physics, no expected values.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr, dead_code, reason = "tests")]

use std::path::PathBuf;

use mpcd_core::{
    BodyId, Contact, ContactGeometry, ContactKey, ContactNetwork, ContactStatus, FieldStore, Fragment, Frame, GroupId,
    InputError, Inputs, Kinematics, MaterialId, Module, Outputs, PhysicsEntry, Quat, Setup, SolveError, SolveReport, Step,
    Support, Vec3, World, field::SupportSizes, module::Which, network, setup::Material,
};

pub(crate) const POINT: ContactGeometry = network::ContactGeometry::Point { reduced_radius: 2.5e-3 };

/// Bodies and contacts.
#[derive(Default)]
pub(crate) struct Bench {
    pub(crate) setup: Setup,
    pub(crate) kinematics: Kinematics,
    pub(crate) network: ContactNetwork,
    pub(crate) h: f64,
}

impl Bench {
    pub(crate) fn new(h: f64) -> Self {
        Self { h, ..Self::default() }
    }

    /// A material with parts given as text: `("electrical", "(conductivity: 1)")`.
    pub(crate) fn material(&mut self, name: &str, density: f64, parts: &[(&str, &str)]) -> MaterialId {
        let parts = parts.iter().map(|(k, v)| ((*k).to_owned(), Fragment::whole(*v))).collect();
        self.setup.materials.push(Material { name: name.to_owned(), density, parts });
        MaterialId::from_index(self.setup.materials.len() - 1)
    }

    /// A sphere of radius `r`; r = 0 makes a massless wall.
    pub(crate) fn sphere(&mut self, group: &str, material: MaterialId, r: f64) -> BodyId {
        let volume = 4.0 / 3.0 * std::f64::consts::PI * r.powi(3);
        let mass = volume * self.setup.materials[material.index()].density;
        self.body(group, material, mass, volume, 4.0 * std::f64::consts::PI * r * r)
    }

    pub(crate) fn body(&mut self, group: &str, material: MaterialId, mass: f64, volume: f64, surface: f64) -> BodyId {
        let group = GroupId::from_index(self.setup.groups.intern(group));
        let bodies = &mut self.setup.bodies;
        bodies.mass.push(mass);
        bodies.inertia.push(Vec3::repeat(mass));
        bodies.volume.push(volume);
        bodies.surface.push(surface);
        bodies.group.push(group);
        bodies.material.push(material);
        self.kinematics.push_at_rest(Vec3::zeros(), Quat::identity());
        BodyId::from_index(bodies.len() - 1)
    }

    /// A contact under the normal force `force` [N]; add all before the first step, in any order.
    pub(crate) fn contact(&mut self, i: BodyId, j: BodyId, geometry: ContactGeometry, force: f64) -> ContactKey {
        let feature = self.network.iter().filter(|c| (c.key.candidate, c.key.antagonist) == (i, j)).count();
        let key = ContactKey { candidate: i, antagonist: j, feature: u32::try_from(feature).unwrap() };
        self.network.contacts.push(Contact {
            key,
            point: Vec3::zeros(),
            frame: Frame::spatial(Vec3::x()),
            gap: 0.0,
            geometry,
            law: 0,
            u_before: Vec3::zeros(),
            u: Vec3::zeros(),
            r: Vec3::x() * (force * self.h),
            heat_friction: 0.0,
            heat_impact: 0.0,
            status: if force > 0.0 { ContactStatus::Stick } else { ContactStatus::Open },
        });
        self.network.contacts.sort_by_key(|c| c.key);
        key
    }

    pub(crate) fn touch(&mut self, i: BodyId, j: BodyId, force: f64) -> ContactKey {
        self.contact(i, j, POINT, force)
    }

    pub(crate) fn contact_mut(&mut self, key: ContactKey) -> &mut Contact {
        self.network.contacts.iter_mut().find(|c| c.key == key).expect("no such contact")
    }

    pub(crate) fn row(&self, key: ContactKey) -> usize {
        self.network.contacts.iter().position(|c| c.key == key).expect("no such contact")
    }
}

/// A module under test and the fields of the run.
pub(crate) struct Rig {
    pub(crate) module: Box<dyn Module>,
    pub(crate) fields: FieldStore,
    outputs: Outputs,
    step: u64,
    pub(crate) theta: f64,
}

pub(crate) fn build(entry: &PhysicsEntry, text: &str, bench: &Bench) -> Result<Box<dyn Module>, InputError> {
    (entry.build)(&Fragment::whole(text), &bench.setup)
}

impl Rig {
    pub(crate) fn new(entry: &PhysicsEntry, text: &str, bench: &Bench) -> Self {
        let module = build(entry, text, bench).unwrap_or_else(|e| panic!("{e}; {:?}", e.help));
        let outputs = Outputs::for_ports(&module.ports());
        Self { module, fields: FieldStore::default(), outputs, step: 0, theta: 0.5 }
    }

    /// One accepted step; the fields written by the module are then in `fields`.
    pub(crate) fn step(&mut self, bench: &Bench) -> Result<SolveReport, SolveError> {
        let report = self.trial(bench)?;
        self.module.accept();
        self.step += 1;
        Ok(report)
    }

    /// One step that is not accepted.
    pub(crate) fn trial(&mut self, bench: &Bench) -> Result<SolveReport, SolveError> {
        let world = World { kinematics: &bench.kinematics, network: &bench.network };
        #[allow(clippy::cast_precision_loss)]
        let time = self.step as f64 * bench.h;
        let step = Step { index: self.step, time, h: bench.h, theta: self.theta, iteration: 0 };
        let inputs = Inputs { setup: &bench.setup, world, world_before: world, fields: &self.fields };
        let sizes = SupportSizes { bodies: bench.setup.bodies.len(), contacts: bench.network.len(), cells: 0 };
        self.outputs.reset(&sizes);
        self.module.advance(&step, &inputs, &mut self.outputs)
    }

    pub(crate) fn written(&mut self, name: &str) -> Vec<f64> {
        self.outputs.field(name).to_vec()
    }

    pub(crate) fn save(&self) -> Vec<u8> {
        self.module.save().unwrap()
    }

    pub(crate) fn world(&self) -> bool {
        self.module.world(Which::Accepted).is_some()
    }
}

pub(crate) fn number(report: &SolveReport, name: &str) -> f64 {
    report.numbers.iter().find(|(n, _)| *n == name).unwrap_or_else(|| panic!("no number {name}")).1
}

/// A field with values, to be read by a module.
pub(crate) fn field(spec: mpcd_core::FieldSpec, values: Vec<f64>) -> mpcd_core::field::Field {
    assert_ne!(spec.support, Support::Grid);
    mpcd_core::field::Field { spec, data: values }
}

/// A file of the shared reference data; `None` (said loudly) where there is none.
pub(crate) fn shared(path: &str) -> Option<PathBuf> {
    let file = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared")).join(path);
    if file.exists() {
        return Some(file);
    }
    assert!(std::env::var_os("MPCD_REQUIRE_SHARED").is_none(), "{} is required and missing", file.display());
    eprintln!("SKIPPED: {} is missing", file.display());
    None
}
