//! A small world built by hand: bodies, materials and contacts with prescribed forces, and a module driven through the
//! contract that mpcd-sim uses (text → module → advance → accept). No physics, no expected values.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr, reason = "tests")]

use std::path::PathBuf;

use mpcd_core::{
    BodyId, Contact, ContactGeometry, ContactKey, ContactNetwork, ContactStatus, FieldStore, FieldView, Fragment, Frame, GroupId,
    InputError, Inputs, Kinematics, MaterialId, Module, Outputs, PhysicsEntry, Quat, Setup, SolveError, SolveReport, Step, Vec3,
    World, field::SupportSizes, setup::Material,
};

/// Two spheres of radius 5 mm.
pub const POINT: ContactGeometry = ContactGeometry::Point { reduced_radius: 2.5e-3, roundness: 1.0 };

/// Bodies and contacts.
#[derive(Debug, Default)]
pub struct Bench {
    /// Materials, groups and bodies.
    pub setup: Setup,
    /// Bodies at rest at the origin, at reference size.
    pub kinematics: Kinematics,
    /// The contacts, in the order of their keys.
    pub network: ContactNetwork,
    /// Length of every step (s).
    pub h: f64,
}

impl Bench {
    /// Nothing yet, for steps of `h` (s).
    #[must_use]
    pub fn new(h: f64) -> Self {
        Self { h, ..Self::default() }
    }

    /// A material with parts given as text: `("electrical", "(conductivity: 1)")`.
    pub fn material(&mut self, name: &str, density: f64, parts: &[(&str, &str)]) -> MaterialId {
        let parts = parts.iter().map(|(k, v)| ((*k).to_owned(), Fragment::whole(*v))).collect();
        self.setup.materials.push(Material { name: name.to_owned(), density, parts });
        MaterialId::from_index(self.setup.materials.len() - 1)
    }

    /// A sphere of radius `r`; r = 0 makes a massless wall.
    pub fn sphere(&mut self, group: &str, material: MaterialId, r: f64) -> BodyId {
        let volume = 4.0 / 3.0 * std::f64::consts::PI * r.powi(3);
        let mass = volume * self.setup.materials[material.index()].density;
        self.body(group, material, mass, volume, 4.0 * std::f64::consts::PI * r * r)
    }

    /// A body by its mass (kg), volume (m³) and outer surface (m²).
    pub fn body(&mut self, group: &str, material: MaterialId, mass: f64, volume: f64, surface: f64) -> BodyId {
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

    /// A contact under the normal force `force` (N); add all before the first step, in any order.
    pub fn contact(&mut self, i: BodyId, j: BodyId, geometry: ContactGeometry, force: f64) -> ContactKey {
        let feature = self.network.iter().filter(|c| (c.key.candidate, c.key.antagonist) == (i, j)).count();
        let key = ContactKey { candidate: i, antagonist: j, feature: u64::try_from(feature).unwrap() };
        self.network.contacts.push(Contact {
            key,
            point: Vec3::zeros(),
            frame: Frame::spatial(Vec3::x()),
            gap: 0.0,
            geometry,
            least_radius: f64::INFINITY,
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

    /// A contact of two spheres ([`POINT`]) under the normal force `force` (N).
    pub fn touch(&mut self, i: BodyId, j: BodyId, force: f64) -> ContactKey {
        self.contact(i, j, POINT, force)
    }

    /// Rows of its fields.
    #[must_use]
    pub fn sizes(&self) -> SupportSizes {
        SupportSizes { bodies: self.setup.bodies.len(), contacts: self.network.len(), ..SupportSizes::default() }
    }

    /// A contact, to be changed.
    ///
    /// # Panics
    /// When there is no such contact.
    pub fn contact_mut(&mut self, key: ContactKey) -> &mut Contact {
        self.network.contacts.iter_mut().find(|c| c.key == key).expect("no such contact")
    }

    /// The row of a contact in contact fields.
    ///
    /// # Panics
    /// When there is no such contact.
    #[must_use]
    pub fn row(&self, key: ContactKey) -> usize {
        self.network.contacts.iter().position(|c| c.key == key).expect("no such contact")
    }
}

/// A module under test and the fields of the run.
pub struct Rig {
    /// The module.
    pub module: Box<dyn Module>,
    /// What it reads.
    pub fields: FieldStore,
    outputs: Outputs,
    step: u64,
    /// Whether the steps count as whole ones.
    pub whole: bool,
}

/// Builds a module from `Name(…)` as written in a model file.
///
/// # Errors
/// What the module refuses.
pub fn build(entry: &PhysicsEntry, text: &str, bench: &Bench) -> Result<Box<dyn Module>, InputError> {
    (entry.build)(&Fragment::whole(text), &bench.setup)
}

impl Rig {
    /// A module before its first step.
    ///
    /// # Panics
    /// When the module refuses the text.
    #[must_use]
    pub fn new(entry: &PhysicsEntry, text: &str, bench: &Bench) -> Self {
        let module = build(entry, text, bench).unwrap_or_else(|e| panic!("{e}; {:?}", e.help));
        let outputs = Outputs::for_ports(module.name(), &module.ports());
        Self { module, fields: FieldStore::default(), outputs, step: 0, whole: true }
    }

    /// Fills the fields with what they hold before the first step.
    ///
    /// # Errors
    /// Those of the module.
    pub fn start(&mut self, bench: &Bench) -> Result<(), SolveError> {
        let world = World { kinematics: &bench.kinematics, network: &bench.network };
        self.outputs.reset(&bench.sizes());
        self.module.initial_fields(&bench.setup, world, &mut self.outputs)
    }

    /// One accepted step.
    ///
    /// # Errors
    /// Those of the module.
    pub fn step(&mut self, bench: &Bench) -> Result<SolveReport, SolveError> {
        let report = self.trial(bench)?;
        self.module.accept();
        self.step += 1;
        Ok(report)
    }

    /// One step that is not accepted.
    ///
    /// # Errors
    /// Those of the module.
    pub fn trial(&mut self, bench: &Bench) -> Result<SolveReport, SolveError> {
        let world = World { kinematics: &bench.kinematics, network: &bench.network };
        #[allow(clippy::cast_precision_loss)]
        let time = self.step as f64 * bench.h;
        let step = Step { index: self.step, time, h: bench.h, theta: 0.5, whole: self.whole, iteration: 0 };
        let ports = self.module.ports();
        let fields = FieldView::new(self.module.name(), &ports, &self.fields);
        let inputs = Inputs { setup: &bench.setup, world, world_before: world, fields };
        self.outputs.reset(&bench.sizes());
        self.module.advance(&step, &inputs, &mut self.outputs)
    }

    /// A field as the last step wrote it.
    ///
    /// # Panics
    /// When the module does not declare it.
    pub fn written(&self, name: &str) -> Vec<f64> {
        self.outputs.get(name).unwrap_or_else(|| panic!("no field {name}")).to_vec()
    }

    /// The accepted state as bytes.
    ///
    /// # Panics
    /// When the state cannot be written.
    #[must_use]
    pub fn save(&self) -> Vec<u8> {
        self.module.save().unwrap()
    }
}

/// A number that the module reported.
///
/// # Panics
/// When there is no such number.
#[must_use]
pub fn number(report: &SolveReport, name: &str) -> f64 {
    report.numbers.iter().find(|(n, _)| *n == name).unwrap_or_else(|| panic!("no number {name}")).1
}

/// A file of the shared reference data; `None` (said loudly) where there is none.
///
/// # Panics
/// When there is none though `MPCD_REQUIRE_SHARED` asks for it.
#[must_use]
pub fn shared(path: &str) -> Option<PathBuf> {
    let file = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared")).join(path);
    if file.exists() {
        return Some(file);
    }
    assert!(std::env::var_os("MPCD_REQUIRE_SHARED").is_none(), "{} is required and missing", file.display());
    eprintln!("SKIPPED: {} is missing", file.display());
    None
}

/// The stored contact problems of the shared reference data, by name; none where there are no such data.
///
/// # Panics
/// When there are none though `MPCD_REQUIRE_SHARED` asks for them.
#[must_use]
pub fn stored_problems() -> Vec<PathBuf> {
    let Some(folder) = shared("fclib/open") else { return Vec::new() };
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "hdf5"));
    files.sort();
    files
}
