//! What a model may name: physics modules, material parts, and the typed parts that travel to the modules with the set-up.
//! Empty at first; the program that uses this crate fills it.

use std::{any::Any, any::TypeId};

use mpcd_core::{Fragment, InputError, Physics, PhysicsEntry, Setup};
use schemars::{JsonSchema, Schema};
use serde::de::DeserializeOwned;

/// A part of a material that belongs to modules.
#[derive(Debug, Clone, Copy)]
pub struct MaterialPartEntry {
    /// Its key in a material.
    pub name: &'static str,
    /// Schema of its content.
    pub schema: fn() -> Schema,
    /// What is wrong in one, whether a module of the model reads it or not.
    pub check: fn(&Fragment) -> Result<(), InputError>,
}

/// Modules, material parts and typed parts known to a program.
#[derive(Default)]
pub struct Registry {
    physics: Vec<PhysicsEntry>,
    material_parts: Vec<MaterialPartEntry>,
    /// What joints may conduct, and the module that reads it.
    joint_parts: Vec<(&'static str, &'static str)>,
    parts: Vec<Box<dyn Part>>,
    passing_laws: Vec<&'static str>,
}

impl std::fmt::Debug for Registry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<_> = self.physics.iter().map(|e| e.name).collect();
        f.debug_struct("Registry").field("physics", &names).finish_non_exhaustive()
    }
}

impl Registry {
    /// A registry that knows nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the module `P`; one of the same name is replaced.
    #[must_use]
    pub fn with<P: Physics>(self) -> Self {
        self.with_entry(PhysicsEntry::of::<P>())
    }

    /// Adds a module; one of the same name is replaced.
    #[must_use]
    pub fn with_entry(mut self, entry: PhysicsEntry) -> Self {
        self.physics.retain(|e| e.name != entry.name);
        self.physics.push(entry);
        self
    }

    /// Lets materials have the part `name`, read as `T` by the modules that use it.
    #[must_use]
    pub fn with_material_part<T: JsonSchema + DeserializeOwned>(mut self, name: &'static str) -> Self {
        self.material_parts.retain(|e| e.name != name);
        let check = |part: &Fragment| part.parse::<T>().map(|_| ());
        self.material_parts.push(MaterialPartEntry { name, schema: || schemars::schema_for!(T), check });
        self
    }

    /// Lets joints conduct `name`, which `module` reads by [`mpcd_core::JointPaths`]; several modules may read one. A joint that conducts what no module of
    /// the model reads is refused.
    #[must_use]
    pub fn with_joint_part(mut self, name: &'static str, module: &'static str) -> Self {
        self.joint_parts.push((name, module));
        self
    }

    /// What joints may conduct, each with a module that reads it.
    #[must_use]
    pub fn joint_parts(&self) -> &[(&'static str, &'static str)] {
        &self.joint_parts
    }

    /// Gives every set-up a copy of `part`, which modules find by its type; one of the same type is replaced.
    #[must_use]
    pub fn with_part<T: Any + Clone + Send + Sync>(mut self, part: T) -> Self {
        self.parts.retain(|p| p.type_of() != TypeId::of::<T>());
        self.parts.push(Box::new(Typed(part)));
        self
    }

    /// Says that bodies under the law `name` pass through each other, so that their overlaps at the start are no fault.
    #[must_use]
    pub fn with_passing_law(mut self, name: &'static str) -> Self {
        self.passing_laws.push(name);
        self
    }

    /// Laws under which bodies pass through each other.
    #[must_use]
    pub fn passing_laws(&self) -> &[&'static str] {
        &self.passing_laws
    }

    /// The part of type `T`, to add to it.
    pub fn part_mut<T: Any + Clone + Send + Sync>(&mut self) -> Option<&mut T> {
        self.parts.iter_mut().find_map(|p| p.as_any_mut().downcast_mut::<T>())
    }

    /// The part of type `T`.
    #[must_use]
    pub fn part<T: Any + Clone + Send + Sync>(&self) -> Option<&T> {
        self.parts.iter().find_map(|p| p.as_any().downcast_ref::<T>())
    }

    /// The modules, in the order they were added.
    #[must_use]
    pub fn physics(&self) -> &[PhysicsEntry] {
        &self.physics
    }

    /// The material parts, in the order they were added.
    #[must_use]
    pub fn material_parts(&self) -> &[MaterialPartEntry] {
        &self.material_parts
    }

    /// The module called `name`; case does not matter. For documentation.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&PhysicsEntry> {
        self.physics.iter().find(|e| e.name.eq_ignore_ascii_case(name))
    }

    /// The module that `Name(…)` asks for.
    ///
    /// # Errors
    /// An unknown name, with the nearest known one.
    pub fn entry(&self, fragment: &Fragment) -> Result<&PhysicsEntry, InputError> {
        let names = self.physics.iter().map(|e| e.name);
        self.physics
            .iter()
            .find(|e| e.name == fragment.name())
            .ok_or_else(|| InputError::unknown("physics module", fragment.name(), names).within(fragment))
    }

    /// Puts a copy of every typed part into a set-up.
    pub fn equip(&self, setup: &mut Setup) {
        self.parts.iter().for_each(|p| p.put(setup));
    }
}

trait Part: Send + Sync {
    fn type_of(&self) -> TypeId;
    fn put(&self, setup: &mut Setup);
    fn as_any(&self) -> &dyn Any;
    fn as_any_mut(&mut self) -> &mut dyn Any;
}

struct Typed<T>(T);

impl<T: Any + Clone + Send + Sync> Part for Typed<T> {
    fn type_of(&self) -> TypeId {
        TypeId::of::<T>()
    }
    fn put(&self, setup: &mut Setup) {
        setup.insert(self.0.clone());
    }
    fn as_any(&self) -> &dyn Any {
        &self.0
    }
    fn as_any_mut(&mut self) -> &mut dyn Any {
        &mut self.0
    }
}
