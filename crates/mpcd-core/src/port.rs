//! Ports: which fields a module reads and writes, and the check that makes the coupling graph sound before a run.

use crate::field::FieldSpec;

/// How a module uses a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Reads the value of this step: its writer must run earlier in the step.
    Fresh,
    /// Reads the last value written: that of the step (or coupling iteration) before.
    Lagged,
    /// Writes it, every row, every step.
    Write,
}

/// One declared use of a field.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Port {
    /// The field.
    pub field: FieldSpec,
    /// What is done with it.
    pub access: Access,
    /// Whether the module also works when nobody writes the field.
    pub optional: bool,
    /// What makes a model write the field, in words for whoever lacks it.
    pub made_by: Option<&'static str>,
}

impl Port {
    /// Reads the value of this step.
    #[must_use]
    pub const fn fresh(field: FieldSpec) -> Self {
        Self { field, access: Access::Fresh, optional: false, made_by: None }
    }
    /// Reads the last value written.
    #[must_use]
    pub const fn lagged(field: FieldSpec) -> Self {
        Self { field, access: Access::Lagged, optional: false, made_by: None }
    }
    /// Writes the field.
    #[must_use]
    pub const fn write(field: FieldSpec) -> Self {
        Self { field, access: Access::Write, optional: false, made_by: None }
    }
    /// The same port, satisfied also when nobody writes the field.
    #[must_use]
    pub const fn optional(self) -> Self {
        Self { optional: true, ..self }
    }
    /// The same port with the words of what makes a model write the field, as "the law `Sinter(…)` of `Thermal`".
    #[must_use]
    pub const fn made_by(self, what: &'static str) -> Self {
        Self { made_by: Some(what), ..self }
    }
}

/// A coupling edge: `field` goes from module `from` to module `to` (places in the schedule).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Edge {
    /// Place of the writer.
    pub from: usize,
    /// Place of the reader.
    pub to: usize,
    /// The field.
    pub field: FieldSpec,
    /// Whether the reader sees the step before.
    pub lagged: bool,
}

/// What can be wrong with the ports of a schedule.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PortError {
    /// A field that is read has no writer.
    #[error("module `{reader}` reads the field `{field}` [{unit}], but no module writes it; {cure}")]
    NoWriter {
        /// Reading module.
        reader: String,
        /// Field name.
        field: &'static str,
        /// Its unit.
        unit: String,
        /// What would write it.
        cure: String,
    },
    /// Two modules write one field.
    #[error("modules `{first}` and `{second}` both write the field `{field}`; keep one of them")]
    TwoWriters {
        /// First writer.
        first: String,
        /// Second writer.
        second: String,
        /// Field name.
        field: &'static str,
    },
    /// Writer and reader disagree about unit, support or components.
    #[error("module `{writer}` writes the field `{field}` {written}, but `{reader}` reads it {read}; they must agree")]
    Disagree {
        /// Writing module.
        writer: String,
        /// Reading module.
        reader: String,
        /// Field name.
        field: &'static str,
        /// How it is written.
        written: String,
        /// How it is read.
        read: String,
    },
    /// A fresh read of a field that is written later in the step.
    #[error(
        "module `{reader}` needs the field `{field}` of this step, but `{writer}` writes it later; put `{writer}` before `{reader}` in `physics`"
    )]
    Cycle {
        /// Writing module.
        writer: String,
        /// Reading module.
        reader: String,
        /// Field name.
        field: &'static str,
    },
}

fn cure(port: &Port, reader: &str) -> String {
    match port.made_by {
        Some(what) => format!("it is written where the model has {what}"),
        None => format!("add a module that does, or remove `{reader}`"),
    }
}

fn describe(f: &FieldSpec) -> String {
    format!("as {} number(s) per {} in {}", f.components, f.support, f.unit)
}

/// Checks the ports of modules listed in the order they run and returns the coupling edges.
///
/// # Errors
/// All problems at once, each naming both modules.
pub fn check_ports(modules: &[(String, Vec<Port>)]) -> Result<Vec<Edge>, Vec<PortError>> {
    let writers: Vec<(usize, Port)> = modules
        .iter()
        .enumerate()
        .flat_map(|(i, (_, ports))| ports.iter().filter(|p| p.access == Access::Write).map(move |p| (i, *p)))
        .collect();
    let name = |i: usize| modules[i].0.clone();
    let (mut edges, mut errors) = (Vec::new(), Vec::new());
    for (k, (second, port)) in writers.iter().enumerate() {
        if let Some((first, _)) = writers[..k].iter().find(|(_, p)| p.field.name == port.field.name) {
            errors.push(PortError::TwoWriters { first: name(*first), second: name(*second), field: port.field.name });
        }
    }
    for (to, (reader, ports)) in modules.iter().enumerate() {
        for port in ports.iter().filter(|p| p.access != Access::Write) {
            let field = port.field;
            let Some(&(from, written)) = writers.iter().find(|(_, w)| w.field.name == field.name) else {
                if !port.optional {
                    errors.push(PortError::NoWriter {
                        reader: reader.clone(),
                        field: field.name,
                        unit: field.unit.to_string(),
                        cure: cure(port, reader),
                    });
                }
                continue;
            };
            let w = written.field;
            if (w.unit, w.support, w.components) != (field.unit, field.support, field.components) {
                errors.push(PortError::Disagree {
                    writer: name(from),
                    reader: reader.clone(),
                    field: field.name,
                    written: describe(&w),
                    read: describe(&field),
                });
            } else if port.access == Access::Fresh && from >= to {
                errors.push(PortError::Cycle { writer: name(from), reader: reader.clone(), field: field.name });
            } else {
                edges.push(Edge { from, to, field: w, lagged: port.access == Access::Lagged });
            }
        }
    }
    if errors.is_empty() { Ok(edges) } else { Err(errors) }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use crate::{field::Support, unit::Unit};

    const HEAT: FieldSpec = FieldSpec::scalar("joule_power", Unit::POWER, Support::Contact);
    const SIZE: FieldSpec = FieldSpec::scalar("size_factor", Unit::ONE, Support::Body);

    fn module(name: &str, ports: &[Port]) -> (String, Vec<Port>) {
        (name.to_owned(), ports.to_vec())
    }

    #[test]
    fn a_sound_schedule_gives_its_edges() {
        let edges = check_ports(&[
            module("contact", &[Port::lagged(SIZE).optional()]),
            module("electrical", &[Port::write(HEAT)]),
            module("thermal", &[Port::fresh(HEAT), Port::write(SIZE)]),
        ])
        .unwrap();
        assert_eq!(edges.len(), 2);
        assert!(edges[0].lagged && edges[0].from == 2 && edges[0].to == 0);
    }

    #[test]
    fn each_fault_names_both_modules() {
        let text = |m: &[(String, Vec<Port>)]| check_ports(m).unwrap_err()[0].to_string();
        assert!(
            text(&[module("thermal", &[Port::fresh(HEAT)])])
                .contains("`thermal` reads the field `joule_power` [W], but no module writes it")
        );
        assert!(text(&[module("a", &[Port::write(SIZE)]), module("b", &[Port::write(SIZE)])]).contains("`a` and `b` both write"));
        let cycle = text(&[module("b", &[Port::fresh(SIZE)]), module("a", &[Port::write(SIZE)])]);
        assert!(cycle.contains("`a` writes it later"), "{cycle}");
        let other = FieldSpec::scalar("size_factor", Unit::LENGTH, Support::Body);
        assert!(text(&[module("a", &[Port::write(SIZE)]), module("b", &[Port::fresh(other)])]).contains("must agree"));
    }
}
