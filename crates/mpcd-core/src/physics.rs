//! The contract of a physics module.
//!
//! A module is pure in this sense: `advance` reads the accepted state `prev`, the world and the fields it declared, and writes
//! `next` and its own fields. Called again with the same inputs it gives the same bits; whatever `self` caches may be
//! dropped at any time. So a step can be rejected, iterated, or resumed from a checkpoint (which is just the saved `State`).

use schemars::JsonSchema;
use serde::{Serialize, de::DeserializeOwned};

use crate::{
    body::Kinematics,
    field::{Field, FieldStore, GridSpec, Support, SupportSizes},
    ids::BodyId,
    input::InputError,
    mesh::{MeshQuantity, MeshView},
    network::ContactNetwork,
    port::{Access, Port},
    report::{SolveError, SolveReport},
    setup::Setup,
    time::Step,
    typed::{PerContact, PortMisuse, Readable, Row, Rows, WritePort},
};

/// Read view of the moving bodies and their contacts.
#[derive(Debug, Clone, Copy)]
pub struct World<'a> {
    /// Motion of the bodies.
    pub kinematics: &'a Kinematics,
    /// Contacts of the step.
    pub network: &'a ContactNetwork,
}

/// What a module may read during a step.
#[derive(Debug, Clone, Copy)]
pub struct Inputs<'a> {
    /// Immutable set-up.
    pub setup: &'a Setup,
    /// Bodies and contacts: of this step for modules after the contact module, of the last accepted step for the contact module itself.
    pub world: World<'a>,
    /// World of the last accepted step.
    pub world_before: World<'a>,
    /// Fields, reached through the ports that the module declared: see [`Inputs::read`].
    pub fields: FieldView<'a>,
}

impl<'a> Inputs<'a> {
    /// The rows of a field that the module declared with this very port; of an optional port, `None` when nobody writes it.
    ///
    /// # Errors
    /// When `ports()` does not list the port.
    pub fn read<P: Readable>(&self, port: P) -> Result<P::Output<'a>, PortMisuse> {
        self.fields.read(port)
    }

    /// The rows that a field which the module reads lagged had at the start of the run; for what must know how far the first step is from the start. A reader that
    /// runs after the writer is given the end of that step by [`Inputs::read`]. `None` where nobody writes the field, on contacts, and where no run is around (tests).
    ///
    /// # Errors
    /// When `ports()` does not list the port.
    pub fn read_start<P: Readable>(&self, port: P) -> Result<Option<P::Output<'a>>, PortMisuse> {
        self.fields.read_start(port)
    }
}

/// The fields of a run as one module may see them.
#[derive(Debug, Clone, Copy)]
pub struct FieldView<'a> {
    module: &'static str,
    declared: &'a [Port],
    store: &'a FieldStore,
    /// Fields that this module reads otherwise than the store has them.
    instead: Option<&'a FieldStore>,
    /// Fields as they were at the start of the run.
    start: Option<&'a FieldStore>,
}

impl<'a> FieldView<'a> {
    /// What `module`, which declared these ports, may see of `store`.
    #[must_use]
    pub const fn new(module: &'static str, declared: &'a [Port], store: &'a FieldStore) -> Self {
        Self { module, declared, store, instead: None, start: None }
    }

    /// The same view, with the fields of `instead` in the place of those of the same names: what an edge that is switched off holds, or
    /// the mean over the steps since the module ran.
    #[must_use]
    pub const fn reading(self, instead: &'a FieldStore) -> Self {
        Self { instead: Some(instead), ..self }
    }

    /// The same view, with fields as they were at the start of the run.
    #[must_use]
    pub const fn starting(self, start: &'a FieldStore) -> Self {
        Self { start: Some(start), ..self }
    }

    fn read_start<P: Readable>(&self, port: P) -> Result<Option<P::Output<'a>>, PortMisuse> {
        let plain = self.declared(&port)?;
        let field = self.start.and_then(|start| start.get(plain.field.name));
        field.map(|field| port.take(self.module, Some(field))).transpose()
    }

    pub(crate) fn read<P: Readable>(&self, port: P) -> Result<P::Output<'a>, PortMisuse> {
        let name = self.declared(&port)?.field.name;
        port.take(self.module, self.instead.and_then(|held| held.get(name)).or_else(|| self.store.get(name)))
    }

    /// The port, which the module has listed.
    fn declared<P: Readable>(&self, port: &P) -> Result<Port, PortMisuse> {
        let port_of = |p: &Port| (p.field.name, p.field.unit, p.field.support, p.field.components, p.access, p.optional);
        let plain: Port = port.port();
        if !self.declared.iter().any(|p| port_of(p) == port_of(&plain)) {
            return Err(PortMisuse::undeclared(self.module, &plain));
        }
        Ok(plain)
    }
}

/// What a module writes during a step: its own fields, each in every step. Rows that it leaves alone have the initial value.
#[derive(Debug, Default)]
pub struct Outputs {
    module: &'static str,
    fields: Vec<Field>,
    written: Vec<bool>,
}

impl Outputs {
    /// Buffers for the write ports among those of a module.
    #[must_use]
    pub fn for_ports(module: &'static str, ports: &[Port]) -> Self {
        let sizes = SupportSizes::default();
        let fields: Vec<Field> =
            ports.iter().filter(|p| p.access == Access::Write).map(|p| Field::new(p.field, &sizes)).collect();
        Self { module, written: vec![false; fields.len()], fields }
    }

    /// Prepares every buffer for a step: right number of rows, initial values, nothing written.
    pub fn reset(&mut self, sizes: &SupportSizes) {
        self.fields.iter_mut().for_each(|f| f.reset(sizes));
        self.written.fill(false);
    }

    /// The rows of a field that the module declared with this very port, at their initial value.
    ///
    /// # Errors
    /// When `ports()` does not list the port.
    pub fn write<K: Row, S: Rows>(&mut self, port: WritePort<K, S>) -> Result<&mut [K::Value], PortMisuse> {
        let plain = Port::from(port);
        let Some(place) = self.fields.iter().position(|f| f.spec == plain.field) else {
            return Err(PortMisuse::undeclared(self.module, &plain));
        };
        self.written[place] = true;
        Ok(K::rows_mut(&mut self.fields[place].data))
    }

    /// As [`Outputs::write`], for the module that makes the contacts: rows for the contacts that it has just made, at their initial value. The
    /// fields of other modules follow these contacts; what is written here stands on them already.
    ///
    /// # Errors
    /// When `ports()` does not list the port.
    pub fn write_made<K: Row>(&mut self, port: WritePort<K, PerContact>, contacts: usize) -> Result<&mut [K::Value], PortMisuse> {
        let name = Port::from(port).field.name;
        if let Some(field) = self.fields.iter_mut().find(|f| f.spec.name == name) {
            field.reset(&SupportSizes { contacts, ..SupportSizes::default() });
        }
        self.write(port)
    }

    /// Every declared field was written since the last reset.
    ///
    /// # Errors
    /// The first that was not.
    pub fn check_complete(&self) -> Result<(), PortMisuse> {
        match self.written.iter().position(|w| !w) {
            None => Ok(()),
            Some(place) => Err(PortMisuse::Unwritten { module: self.module, field: self.fields[place].spec.name }),
        }
    }

    /// Every contact field has a row for each of the contacts that the module has made.
    ///
    /// # Errors
    /// The first that has not.
    pub(crate) fn check_contacts(&self, contacts: usize) -> Result<(), PortMisuse> {
        let rows = |f: &Field| f.data.len() / f.spec.components;
        match self.fields.iter().find(|f| f.spec.support == Support::Contact && rows(f) != contacts) {
            None => Ok(()),
            Some(f) => Err(PortMisuse::OtherContacts { module: self.module, field: f.spec.name, rows: rows(f), contacts }),
        }
    }

    /// The numbers of a field as they stand, `rows × components`; `None` when the module does not declare it.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&[f64]> {
        self.fields.iter().find(|f| f.spec.name == name).map(|f| f.data.as_slice())
    }

    /// The buffers, to hand them over.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Field> {
        self.fields.iter_mut()
    }
}

/// A physics module: parameters from the model file, a state that is the checkpoint, ports, and one step in time.
pub trait Physics: Send + Sized + 'static {
    /// Name in the model file (`physics: [Name(…)]`), in `mpcd doc name` (case does not matter there) and in reports.
    const NAME: &'static str;
    /// Parameters. Document every key; `#[serde(deny_unknown_fields)]` refuses unknown ones.
    type Params: DeserializeOwned + JsonSchema;
    /// Everything that changes from step to step and nothing else. `clone_from` should not allocate.
    type State: Clone + Serialize + DeserializeOwned + Send;

    /// Builds the module. Groups and materials are looked up here, so that a wrong name is found before the run.
    ///
    /// # Errors
    /// What is wrong in the parameters or the set-up; name the text it concerns with [`InputError::at`].
    fn build(params: Self::Params, setup: &Setup) -> Result<Self, InputError>;

    /// The state at the start of the run.
    fn initial_state(&self, setup: &Setup) -> Self::State;

    /// Fields read and written: `vec![MY_PORT.into(), …]`.
    fn ports(&self) -> Vec<Port>;

    /// Writes the values that its fields have at the start of the run, into rows that hold the initial values of their ports (0
    /// unless [`WritePort::starting_at`] says more). The first frame and the first row of the history show them, and who reads
    /// a field lagged sees them in the first step. `world` is that of the start; grid fields have the rows of [`Physics::grid`].
    ///
    /// # Errors
    /// When the start cannot be stated, or the module writes what it did not declare.
    fn initial_fields(
        &self,
        state: &Self::State,
        setup: &Setup,
        world: World<'_>,
        outputs: &mut Outputs,
    ) -> Result<(), SolveError> {
        let _ = (state, setup, world, outputs);
        Ok(())
    }

    /// The grid on which its grid fields live, if it has one.
    fn grid(&self) -> Option<GridSpec> {
        None
    }

    /// The bodies and contacts that are part of `state`. Only the contact module has them.
    fn world<'a>(&self, state: &'a Self::State) -> Option<World<'a>> {
        let _ = state;
        None
    }

    /// The meshes of the deformable bodies that are part of `state`, body after body, with the wanted arrays. Only the contact module has them.
    fn meshes(&self, state: &Self::State, wanted: &[MeshQuantity]) -> Vec<MeshView> {
        let _ = (state, wanted);
        Vec::new()
    }

    /// Names of the numbers it reports each step ([`SolveReport::numbers`]), for the columns of `history.csv`.
    fn numbers(&self) -> Vec<&'static str> {
        Vec::new()
    }

    /// Whether its step is only right when repeated together with the modules it exchanges fields with. The loop then
    /// iterates over the smallest coupling cycle that contains it, unless the model says otherwise.
    fn wants_iteration(&self) -> bool {
        false
    }

    /// The longest step (s) that it would take from `state`, if it knows one: of a scheme that is stable up to a step, of a source that
    /// changes fast. Asked before each step of a model that adapts its steps (`adapt` in `time`).
    fn max_dt(&self, state: &Self::State, setup: &Setup, world: World<'_>) -> Option<f64> {
        let _ = (state, setup, world);
        None
    }

    /// Makes `next` what [`Physics::advance`] gets: a copy of `prev`. A module may leave out what it writes anew in every step before it reads it.
    fn begin(&self, prev: &Self::State, next: &mut Self::State) {
        next.clone_from(prev);
    }

    /// One step. `next` is on entry what [`Physics::begin`] made of `prev`.
    ///
    /// # Errors
    /// When the step cannot be computed at all. A missed tolerance is a status in the report, not an error.
    fn advance(
        &mut self,
        step: &Step,
        prev: &Self::State,
        next: &mut Self::State,
        inputs: &Inputs<'_>,
        outputs: &mut Outputs,
    ) -> Result<SolveReport, SolveError>;

    /// Of [`Setup::passing`] what this module lets pass between bodies that do not touch, up to the alert distance (heat through a gas).
    fn across(&self) -> Option<&'static str> {
        None
    }

    /// Drops whatever is cached; no later bit may depend on it.
    fn drop_caches(&mut self) {}

    /// Gives back memory that only the computation of a step needs, as far as the next step makes it again at little cost. Called before something large is
    /// written; no later bit may depend on it.
    fn release(&mut self) {}

    /// From now on iterations start elsewhere, at a place that `seed` says; 0 is as ever. Where the equations of the module leave open what its solution is (forces
    /// of rigid contacts), another one comes out, as good as the one of 0. For the spread of results (`output: (spread: …)`).
    fn vary(&mut self, seed: u64) {
        let _ = seed;
    }

    /// Warnings about the set-up, shown by `mpcd check`.
    fn warnings(&self) -> Vec<String> {
        Vec::new()
    }

    /// Pairs that overlap at the start, of which one is of its own making (a deformable body), and how deep (m): the shapes of the set-up do not tell.
    fn overlaps_at_start(&self) -> Vec<([BodyId; 2], f64)> {
        Vec::new()
    }
}
