//! Ports as types: what a module holds in its hand to read or write a field. The type says how many numbers a row has and what
//! the rows are, so that a vector cannot be taken for a scalar; [`crate::Inputs::read`] and [`crate::Outputs::write`] take
//! nothing else. The plain [`Port`] is what the loop checks and compares.
//!
//! ```compile_fail
//! use mpcd_core::{Outputs, PerBody, PortMisuse, Scalar, Unit, WritePort};
//! const WEAR: WritePort<Scalar, PerBody> = WritePort::new("wear_volume", Unit::VOLUME);
//! fn write(outputs: &mut Outputs) -> Result<(), PortMisuse> {
//!     outputs.write(WEAR)?[0] = [1.0, 2.0, 3.0]; // a row of a scalar field is one number
//!     Ok(())
//! }
//! ```

use std::marker::PhantomData;

use crate::{
    field::{FieldSpec, Support},
    port::{Access, Port},
    unit::Unit,
};

mod sealed {
    pub trait Sealed {}
}

/// What a row of a field holds: [`Scalar`] or [`Vector`].
pub trait Row: sealed::Sealed + Copy + 'static {
    /// One row.
    type Value: Copy + 'static;
    /// Numbers per row.
    const COMPONENTS: usize;
    /// Numbers as rows.
    fn rows(data: &[f64]) -> &[Self::Value];
    /// Numbers as rows, to be written.
    fn rows_mut(data: &mut [f64]) -> &mut [Self::Value];
}

/// One number per row, `f64`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scalar;

/// Three numbers per row, `[f64; 3]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Vector;

impl sealed::Sealed for Scalar {}
impl sealed::Sealed for Vector {}

impl Row for Scalar {
    type Value = f64;
    const COMPONENTS: usize = 1;
    fn rows(data: &[f64]) -> &[f64] {
        data
    }
    fn rows_mut(data: &mut [f64]) -> &mut [f64] {
        data
    }
}

impl Row for Vector {
    type Value = [f64; 3];
    const COMPONENTS: usize = 3;
    fn rows(data: &[f64]) -> &[[f64; 3]] {
        data.as_chunks().0
    }
    fn rows_mut(data: &mut [f64]) -> &mut [[f64; 3]] {
        data.as_chunks_mut().0
    }
}

/// What the rows of a field are: [`PerBody`], [`PerContact`], [`PerNode`], [`PerElement`], [`PerJoint`], [`PerCell`] or [`Once`].
pub trait Rows: sealed::Sealed + Copy + 'static {
    /// The support.
    const SUPPORT: Support;
}

macro_rules! rows {
    ($(#[$doc:meta] $name:ident => $support:ident),+ $(,)?) => {$(
        #[$doc]
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct $name;
        impl sealed::Sealed for $name {}
        impl Rows for $name {
            const SUPPORT: Support = Support::$support;
        }
    )+};
}

rows! {
    /// One row per body.
    PerBody => Body,
    /// One row per contact of the network.
    PerContact => Contact,
    /// One row per node of the meshes of deformable bodies, body after body.
    PerNode => Node,
    /// One row per element of the meshes of deformable bodies, body after body.
    PerElement => Element,
    /// One row per joint of the model.
    PerJoint => Joint,
    /// One row per cell of the grid, x fastest.
    PerCell => Grid,
    /// One row in all.
    Once => Global,
}

const fn spec<K: Row, S: Rows>(name: &'static str, unit: Unit) -> FieldSpec {
    FieldSpec { name, unit, support: S::SUPPORT, components: K::COMPONENTS, initial: 0.0 }
}

/// A field that a module writes in every step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WritePort<K, S> {
    port: Port,
    kind: PhantomData<(K, S)>,
}

impl<K: Row, S: Rows> WritePort<K, S> {
    /// A field by its name and unit; its rows start at 0.
    #[must_use]
    pub const fn new(name: &'static str, unit: Unit) -> Self {
        Self { port: Port::write(spec::<K, S>(name, unit)), kind: PhantomData }
    }

    /// The same with another value before anything is written, and for contacts that are new.
    #[must_use]
    pub const fn starting_at(self, initial: f64) -> Self {
        Self { port: Port { field: self.port.field.starting_at(initial), ..self.port }, kind: PhantomData }
    }

    /// Name of the field.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.port.field.name
    }
}

/// A field that a module reads and cannot do without.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ReadPort<K, S> {
    port: Port,
    kind: PhantomData<(K, S)>,
}

impl<K: Row, S: Rows> ReadPort<K, S> {
    /// The value of this step: its writer runs earlier in the step.
    #[must_use]
    pub const fn fresh(name: &'static str, unit: Unit) -> Self {
        Self { port: Port::fresh(spec::<K, S>(name, unit)), kind: PhantomData }
    }

    /// The last value written: of the step, or repetition, before; at first what its writer starts from.
    #[must_use]
    pub const fn lagged(name: &'static str, unit: Unit) -> Self {
        Self { port: Port::lagged(spec::<K, S>(name, unit)), kind: PhantomData }
    }

    /// The same with the words of what makes a model write the field ([`Port::made_by`]).
    #[must_use]
    pub const fn made_by(self, what: &'static str) -> Self {
        Self { port: self.port.made_by(what), kind: PhantomData }
    }

    /// The same for a module that also works when nobody writes the field: reading gives an `Option`.
    #[must_use]
    pub const fn optional(self) -> OptionalPort<K, S> {
        OptionalPort { port: self.port.optional(), kind: PhantomData }
    }
}

/// A field that a module reads if somebody writes it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OptionalPort<K, S> {
    port: Port,
    kind: PhantomData<(K, S)>,
}

impl<K, S> From<WritePort<K, S>> for Port {
    fn from(port: WritePort<K, S>) -> Self {
        port.port
    }
}
impl<K, S> From<ReadPort<K, S>> for Port {
    fn from(port: ReadPort<K, S>) -> Self {
        port.port
    }
}
impl<K, S> From<OptionalPort<K, S>> for Port {
    fn from(port: OptionalPort<K, S>) -> Self {
        port.port
    }
}

/// A port that can be read: [`ReadPort`] gives rows, [`OptionalPort`] gives them or `None`.
pub trait Readable: sealed::Sealed + Copy {
    /// What reading gives.
    type Output<'a>;
    /// The plain port.
    fn port(self) -> Port;
    /// The numbers of a field, if somebody writes it, as what reading gives.
    ///
    /// # Errors
    /// [`PortMisuse::Missing`] where rows are needed and nobody writes them.
    fn take<'a>(self, module: &'static str, data: Option<&'a [f64]>) -> Result<Self::Output<'a>, PortMisuse>;
}

impl<K, S> sealed::Sealed for ReadPort<K, S> {}
impl<K, S> sealed::Sealed for OptionalPort<K, S> {}

impl<K: Row, S: Rows> Readable for ReadPort<K, S> {
    type Output<'a> = &'a [K::Value];
    fn port(self) -> Port {
        self.port
    }
    fn take<'a>(self, module: &'static str, data: Option<&'a [f64]>) -> Result<&'a [K::Value], PortMisuse> {
        data.map(K::rows).ok_or(PortMisuse::Missing { module, field: self.port.field.name })
    }
}

impl<K: Row, S: Rows> Readable for OptionalPort<K, S> {
    type Output<'a> = Option<&'a [K::Value]>;
    fn port(self) -> Port {
        self.port
    }
    fn take<'a>(self, _: &'static str, data: Option<&'a [f64]>) -> Result<Option<&'a [K::Value]>, PortMisuse> {
        Ok(data.map(K::rows))
    }
}

/// A module does something else with a field than its `ports()` say. A fault of the module, found in its first step.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PortMisuse {
    /// A port that `ports()` does not list.
    #[error(
        "the module `{module}` {doing} the field `{field}` [{unit}], which its `ports()` do not declare so; add this port there"
    )]
    Undeclared {
        /// The module.
        module: &'static str,
        /// What it does.
        doing: &'static str,
        /// Name of the field.
        field: &'static str,
        /// Its unit.
        unit: String,
    },
    /// A field that is needed and not there.
    #[error(
        "the module `{module}` reads the field `{field}`, which nobody writes; add its writer, or make the port `.optional()`"
    )]
    Missing {
        /// The module.
        module: &'static str,
        /// Name of the field.
        field: &'static str,
    },
    /// A declared field that was left as it was.
    #[error(
        "the module `{module}` declares that it writes the field `{field}` and did not in this step; call `outputs.write` for it in every step, or remove the port"
    )]
    Unwritten {
        /// The module.
        module: &'static str,
        /// Name of the field.
        field: &'static str,
    },
    /// Rows for other contacts than those that the module has made.
    #[error(
        "the module `{module}` makes {contacts} contacts and writes {rows} rows of the field `{field}` on them; write it by `outputs.write_made` with their number"
    )]
    OtherContacts {
        /// The module.
        module: &'static str,
        /// Name of the field.
        field: &'static str,
        /// Rows that it has.
        rows: usize,
        /// Contacts that there are.
        contacts: usize,
    },
}

impl PortMisuse {
    /// The module at fault.
    #[must_use]
    pub const fn module(&self) -> &'static str {
        match self {
            Self::Undeclared { module, .. }
            | Self::Missing { module, .. }
            | Self::Unwritten { module, .. }
            | Self::OtherContacts { module, .. } => module,
        }
    }

    pub(crate) fn undeclared(module: &'static str, port: &Port) -> Self {
        let doing = match port.access {
            Access::Fresh => "reads (of this step)",
            Access::Lagged => "reads (of the step before)",
            Access::Write => "writes",
        };
        Self::Undeclared { module, doing, field: port.field.name, unit: port.field.unit.to_string() }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use crate::{
        field::{FieldStore, SupportSizes},
        physics::{FieldView, Outputs},
    };

    const FORCE: WritePort<Vector, PerBody> = WritePort::new("force", Unit::FORCE);
    const SIZE: WritePort<Scalar, PerBody> = WritePort::new("size", Unit::ONE).starting_at(1.0);
    const LAST_SIZE: ReadPort<Scalar, PerBody> = ReadPort::lagged("size", Unit::ONE);

    fn sizes(bodies: usize) -> SupportSizes {
        SupportSizes { bodies, ..SupportSizes::default() }
    }

    #[test]
    fn rows_are_written_and_read_as_what_they_are() {
        let mut outputs = Outputs::for_ports("Two", &[FORCE.into(), SIZE.into()]);
        outputs.reset(&sizes(2));
        outputs.write(FORCE).unwrap()[1] = [1.0, 2.0, 3.0];
        assert_eq!(outputs.get("force"), Some(&[0.0, 0.0, 0.0, 1.0, 2.0, 3.0][..]));
        assert_eq!(outputs.write(SIZE).unwrap(), [1.0, 1.0]);
        let store = FieldStore::new([Port::from(SIZE).field], &sizes(2));
        let read = |ports: &[Port]| FieldView::new("Two", ports, &store).read(LAST_SIZE).map(<[f64]>::to_vec);
        assert_eq!(read(&[LAST_SIZE.into()]).unwrap(), [1.0, 1.0]);
        let nobody = FieldStore::default();
        let optional = LAST_SIZE.optional();
        assert_eq!(FieldView::new("Two", &[optional.into()], &nobody).read(optional).unwrap(), None);
    }

    #[test]
    fn another_use_than_the_declared_one_is_refused() {
        let store = FieldStore::new([Port::from(SIZE).field], &sizes(2));
        let read = |declared: Port| FieldView::new("Two", &[declared], &store).read(LAST_SIZE).unwrap_err().to_string();
        let words = "the module `Two` reads (of the step before) the field `size` [1], which its `ports()` do not declare so; \
                     add this port there";
        let fresh = ReadPort::<Scalar, PerBody>::fresh("size", Unit::ONE);
        let in_metres = ReadPort::<Scalar, PerBody>::lagged("size", Unit::LENGTH);
        for declared in [fresh.into(), LAST_SIZE.optional().into(), in_metres.into(), SIZE.into()] {
            assert_eq!(read(declared), words, "{declared:?}");
        }
        let mut outputs = Outputs::for_ports("Two", &[SIZE.into()]);
        outputs.reset(&sizes(2));
        let misspelt: WritePort<Scalar, PerBody> = WritePort::new("sise", Unit::ONE);
        let error = outputs.write(misspelt).unwrap_err().to_string();
        assert!(error.starts_with("the module `Two` writes the field `sise` [1]"), "{error}");
        assert_eq!(
            outputs.check_complete().unwrap_err().to_string(),
            "the module `Two` declares that it writes the field `size` and did not in this step; call `outputs.write` for it in \
             every step, or remove the port"
        );
        outputs.write(SIZE).unwrap();
        outputs.check_complete().unwrap();
        outputs.reset(&sizes(2));
        assert!(outputs.check_complete().is_err(), "what was written in a step before does not count");
        let nobody = FieldStore::default();
        let missing = FieldView::new("Two", &[LAST_SIZE.into()], &nobody).read(LAST_SIZE).unwrap_err().to_string();
        assert_eq!(
            missing,
            "the module `Two` reads the field `size`, which nobody writes; add its writer, or make the port `.optional()`"
        );
    }
}
