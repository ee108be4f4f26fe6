//! The contract of a physics module.
//!
//! A module is pure in this sense: `advance` reads the accepted state `prev`, the world and the fields it declared, and writes
//! `next` and its own fields. Called again with the same inputs it gives the same bits; whatever `self` caches may be
//! dropped at any time. So a step can be rejected, iterated, or resumed from a checkpoint (which is just the saved `State`).

use schemars::JsonSchema;
use serde::{Serialize, de::DeserializeOwned};

use crate::{
    body::Kinematics,
    field::{Field, FieldStore, GridSpec, SupportSizes},
    input::InputError,
    network::ContactNetwork,
    port::{Access, Port},
    report::{SolveError, SolveReport},
    setup::Setup,
    time::Step,
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
    /// Fields; only those declared as read ports may be used.
    pub fields: &'a FieldStore,
}

/// What a module writes during a step: its own fields, each row of each, every time.
#[derive(Debug, Default)]
pub struct Outputs {
    fields: Vec<Field>,
}

impl Outputs {
    /// Buffers for the write ports among `ports`.
    #[must_use]
    pub fn for_ports(ports: &[Port]) -> Self {
        let sizes = SupportSizes::default();
        Self { fields: ports.iter().filter(|p| p.access == Access::Write).map(|p| Field::new(p.field, &sizes)).collect() }
    }

    /// Prepares every buffer for a step: right number of rows, initial values.
    pub fn reset(&mut self, sizes: &SupportSizes) {
        self.fields.iter_mut().for_each(|f| f.reset(sizes));
    }

    /// The buffer of a declared field: `rows × components`. An undeclared name gives an empty slice.
    pub fn field(&mut self, name: &str) -> &mut [f64] {
        self.fields.iter_mut().find(|f| f.spec.name == name).map_or(&mut [], |f| f.data.as_mut_slice())
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

    /// Fields read and written.
    fn ports(&self) -> Vec<Port>;

    /// The grid on which its grid fields live, if it has one.
    fn grid(&self) -> Option<GridSpec> {
        None
    }

    /// The bodies and contacts that are part of `state`. Only the contact module has them.
    fn world<'a>(&self, state: &'a Self::State) -> Option<World<'a>> {
        let _ = state;
        None
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

    /// One step. `next` is a copy of `prev` on entry.
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

    /// Drops whatever is cached; no later bit may depend on it.
    fn drop_caches(&mut self) {}

    /// Warnings about the set-up, shown by `mpcd check`.
    fn warnings(&self) -> Vec<String> {
        Vec::new()
    }
}
