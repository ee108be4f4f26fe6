//! The object-safe form of a physics module: two state buffers, saved and restored as bytes.
//! One wrapper for all modules, so that none of them handles buffers or checkpoints itself.

use std::io::Write;

use schemars::Schema;

use crate::{
    field::GridSpec,
    ids::BodyId,
    input::{Fragment, InputError},
    mesh::{MeshQuantity, MeshView},
    physics::{Inputs, Outputs, Physics, World},
    port::Port,
    report::{SolveError, SolveReport},
    setup::Setup,
    time::Step,
};

/// Which of the two states is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// The last accepted one.
    Accepted,
    /// The one of the step being computed.
    Trial,
}

/// A state could not be written or read.
#[derive(Debug, thiserror::Error)]
#[error(
    "the state of module `{module}` cannot be restored: {source}; the checkpoint belongs to another model or version, start again without --resume"
)]
pub struct StateError {
    /// The module.
    pub module: &'static str,
    /// What the format says.
    pub source: postcard::Error,
}

/// A physics module behind one face.
pub trait Module: Send {
    /// Name in the model file.
    fn name(&self) -> &'static str;
    /// Fields read and written.
    fn ports(&self) -> Vec<Port>;
    /// The grid of its grid fields.
    fn grid(&self) -> Option<GridSpec>;
    /// Names of the numbers it reports.
    fn numbers(&self) -> Vec<&'static str>;
    /// Whether the loop should repeat the coupling cycle it is part of.
    fn wants_iteration(&self) -> bool;
    /// Warnings about the set-up.
    fn warnings(&self) -> Vec<String>;
    /// Pairs that overlap at the start, of which one is a deformable body, and how deep (m).
    fn overlaps_at_start(&self) -> Vec<([BodyId; 2], f64)>;
    /// Bodies and contacts, if this is the contact module.
    fn world(&self, which: Which) -> Option<World<'_>>;
    /// The meshes of its deformable bodies in the accepted state, body after body, with the wanted arrays.
    fn meshes(&self, wanted: &[MeshQuantity]) -> Vec<MeshView>;
    /// Writes what its fields hold in the accepted state, at the start of a run. The owner of the bodies sees its own, whatever `world` is.
    ///
    /// # Errors
    /// As [`Physics::initial_fields`].
    fn initial_fields(&self, setup: &Setup, world: World<'_>, outputs: &mut Outputs) -> Result<(), SolveError>;
    /// Computes the trial state from the accepted one. The owner of the bodies sees its accepted world, whatever `inputs` say.
    ///
    /// # Errors
    /// As [`Physics::advance`].
    fn advance(&mut self, step: &Step, inputs: &Inputs<'_>, outputs: &mut Outputs) -> Result<SolveReport, SolveError>;
    /// Computes the trial state from the trial state: the next of several parts of a step.
    ///
    /// # Errors
    /// As [`Physics::advance`].
    fn advance_further(&mut self, step: &Step, inputs: &Inputs<'_>, outputs: &mut Outputs) -> Result<SolveReport, SolveError>;
    /// The longest step that it would take from the accepted state (s).
    fn max_dt(&self, setup: &Setup, world: World<'_>) -> Option<f64>;
    /// The trial state becomes the accepted one.
    fn accept(&mut self);
    /// As [`Physics::across`].
    fn across(&self) -> Option<&'static str>;
    /// Drops caches.
    fn drop_caches(&mut self);
    /// As [`Physics::release`].
    fn release(&mut self);
    /// As [`Physics::vary`].
    fn vary(&mut self, seed: u64);
    /// The accepted state as bytes.
    ///
    /// # Errors
    /// When the state cannot be serialised.
    fn save(&self) -> Result<Vec<u8>, StateError>;
    /// The same bytes into a writer, without a copy of all of them in memory.
    ///
    /// # Errors
    /// When the state cannot be serialised or the writer refuses.
    fn save_to(&self, out: &mut dyn Write) -> Result<(), StateError>;
    /// Restores the accepted state.
    ///
    /// # Errors
    /// When the bytes are not a state of this module.
    fn load(&mut self, bytes: &[u8]) -> Result<(), StateError>;
    /// How many bytes a saved state is.
    ///
    /// # Errors
    /// When the state cannot be serialised.
    fn state_bytes(&self) -> Result<usize, StateError>;
}

struct Erased<P: Physics> {
    physics: P,
    accepted: P::State,
    trial: P::State,
    /// Where the part of a step under way began, for modules that take several.
    between: Option<P::State>,
}

impl<P: Physics> Erased<P> {
    /// What the module wrote is all there, on the contacts that it made.
    fn check(&self, outputs: &Outputs) -> Result<(), SolveError> {
        outputs.check_complete()?;
        match self.physics.world(&self.trial) {
            Some(world) => Ok(outputs.check_contacts(world.network.len())?),
            None => Ok(()),
        }
    }
}

impl<P: Physics> Module for Erased<P> {
    fn name(&self) -> &'static str {
        P::NAME
    }
    fn ports(&self) -> Vec<Port> {
        self.physics.ports()
    }
    fn grid(&self) -> Option<GridSpec> {
        self.physics.grid()
    }
    fn numbers(&self) -> Vec<&'static str> {
        self.physics.numbers()
    }
    fn wants_iteration(&self) -> bool {
        self.physics.wants_iteration()
    }
    fn warnings(&self) -> Vec<String> {
        self.physics.warnings()
    }
    fn overlaps_at_start(&self) -> Vec<([BodyId; 2], f64)> {
        self.physics.overlaps_at_start()
    }
    fn world(&self, which: Which) -> Option<World<'_>> {
        self.physics.world(match which {
            Which::Accepted => &self.accepted,
            Which::Trial => &self.trial,
        })
    }
    fn meshes(&self, wanted: &[MeshQuantity]) -> Vec<MeshView> {
        self.physics.meshes(&self.accepted, wanted)
    }
    fn initial_fields(&self, setup: &Setup, world: World<'_>, outputs: &mut Outputs) -> Result<(), SolveError> {
        let own = self.physics.world(&self.accepted);
        self.physics.initial_fields(&self.accepted, setup, own.unwrap_or(world), outputs)
    }
    fn advance(&mut self, step: &Step, inputs: &Inputs<'_>, outputs: &mut Outputs) -> Result<SolveReport, SolveError> {
        self.physics.begin(&self.accepted, &mut self.trial);
        // The owner of the bodies sees what it accepted, of which nobody else needs to hold a copy.
        let own = self.physics.world(&self.accepted);
        let own = |world| own.unwrap_or(world);
        let inputs = Inputs { world: own(inputs.world), world_before: own(inputs.world_before), ..*inputs };
        let report = self.physics.advance(step, &self.accepted, &mut self.trial, &inputs, outputs)?;
        self.check(outputs)?;
        Ok(report)
    }
    fn advance_further(&mut self, step: &Step, inputs: &Inputs<'_>, outputs: &mut Outputs) -> Result<SolveReport, SolveError> {
        let between = match &mut self.between {
            Some(state) => {
                state.clone_from(&self.trial);
                state
            }
            none => none.insert(self.trial.clone()),
        };
        let report = self.physics.advance(step, between, &mut self.trial, inputs, outputs)?;
        self.check(outputs)?;
        Ok(report)
    }
    fn max_dt(&self, setup: &Setup, world: World<'_>) -> Option<f64> {
        self.physics.max_dt(&self.accepted, setup, world)
    }
    fn accept(&mut self) {
        std::mem::swap(&mut self.accepted, &mut self.trial);
    }
    fn across(&self) -> Option<&'static str> {
        self.physics.across()
    }
    fn drop_caches(&mut self) {
        self.physics.drop_caches();
    }
    fn release(&mut self) {
        self.physics.release();
    }
    fn vary(&mut self, seed: u64) {
        self.physics.vary(seed);
    }
    fn save(&self) -> Result<Vec<u8>, StateError> {
        postcard::to_stdvec(&self.accepted).map_err(|source| StateError { module: P::NAME, source })
    }
    fn save_to(&self, out: &mut dyn Write) -> Result<(), StateError> {
        postcard::to_io(&self.accepted, out).map_err(|source| StateError { module: P::NAME, source })?;
        Ok(())
    }
    fn state_bytes(&self) -> Result<usize, StateError> {
        let size = postcard::ser_flavors::Size::default();
        postcard::serialize_with_flavor(&self.accepted, size).map_err(|source| StateError { module: P::NAME, source })
    }
    fn load(&mut self, bytes: &[u8]) -> Result<(), StateError> {
        self.accepted = postcard::from_bytes(bytes).map_err(|source| StateError { module: P::NAME, source })?;
        self.trial = self.accepted.clone();
        Ok(())
    }
}

/// Builds a module from `Name(…)` as written in the model.
type Build = fn(&Fragment, &Setup) -> Result<Box<dyn Module>, InputError>;

/// A registered physics: its name, the schema of its parameters, and how to build it.
#[derive(Debug, Clone)]
pub struct PhysicsEntry {
    /// Name in the model file.
    pub name: &'static str,
    /// Schema of the parameters, with documentation, units and defaults.
    pub schema: fn() -> Schema,
    /// Builds the module from its fragment of the model file.
    pub build: Build,
}

impl PhysicsEntry {
    /// The entry of module `P`.
    #[must_use]
    pub fn of<P: Physics>() -> Self {
        Self {
            name: P::NAME,
            schema: || schemars::schema_for!(P::Params),
            build: |fragment, setup| {
                let params = fragment.parse_body::<P::Params>()?;
                let physics = P::build(params, setup).map_err(|e| e.within(fragment))?;
                let accepted = physics.initial_state(setup);
                let trial = accepted.clone();
                Ok(Box::new(Erased { physics, accepted, trial, between: None }))
            },
        }
    }
}

/// Wraps a module that was built by hand, for tests and programs without a model file.
#[must_use]
pub fn erase<P: Physics>(physics: P, setup: &Setup) -> Box<dyn Module> {
    let accepted = physics.initial_state(setup);
    let trial = accepted.clone();
    Box::new(Erased { physics, accepted, trial, between: None })
}
