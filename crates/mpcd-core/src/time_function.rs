//! Functions of time for loads and boundary values: a number, `Ramp`, `Sine`, `Table`, or a formula of `t`.

use std::{borrow::Cow, sync::Arc};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, de};

use crate::formula::Formula;

/// A scalar function of time, in SI.
#[derive(Debug, Clone)]
pub enum TimeFunction {
    /// Always the same.
    Constant(f64),
    /// Linear between two times, constant outside.
    Ramp(Ramp),
    /// offset + amplitude · sin(2π · frequency · t + phase).
    Sine(Sine),
    /// Linear between points, constant outside.
    Table(Vec<(f64, f64)>),
    /// A formula of `t`.
    Formula(Arc<Formula>),
}

/// Linear between two times.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ramp {
    /// Value up to `start`.
    pub from: f64,
    /// Value from `end` on.
    pub to: f64,
    /// Time at which it starts (s).
    #[serde(default)]
    pub start: f64,
    /// Time at which it ends (s).
    pub end: f64,
}

/// A sine wave.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sine {
    /// Mean value.
    #[serde(default)]
    pub offset: f64,
    /// Amplitude.
    pub amplitude: f64,
    /// Frequency [1/s].
    pub frequency: f64,
    /// Phase at t = 0 (rad).
    #[serde(default)]
    pub phase: f64,
}

#[derive(Deserialize)]
enum Named {
    Constant(f64),
    Ramp(Ramp),
    Sine(Sine),
    Table(Vec<(f64, f64)>),
    Formula(String),
}

impl TimeFunction {
    /// The value at time `t` (s).
    #[must_use]
    pub fn at(&self, t: f64) -> f64 {
        match self {
            Self::Constant(v) => *v,
            Self::Ramp(r) => r.from + (r.to - r.from) * ((t - r.start) / (r.end - r.start)).clamp(0.0, 1.0),
            Self::Sine(s) => s.offset + s.amplitude * (std::f64::consts::TAU * s.frequency * t + s.phase).sin(),
            Self::Table(points) => interpolate(points, t),
            // Where it has no value it is NaN, which every module refuses.
            Self::Formula(f) => f.at(t),
        }
    }

    /// Whether it is written so that it is the same at any time. A formula is not looked into.
    #[must_use]
    pub fn is_constant(&self) -> bool {
        match self {
            Self::Constant(_) => true,
            Self::Ramp(r) => r.from.to_bits() == r.to.to_bits(),
            Self::Sine(s) => s.amplitude == 0.0,
            Self::Table(points) => points.windows(2).all(|p| p[0].1.to_bits() == p[1].1.to_bits()),
            Self::Formula(_) => false,
        }
    }

    /// Whether it is written so that it is 0 at any time. A formula is not looked into.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        match self {
            Self::Constant(v) => *v == 0.0,
            Self::Ramp(r) => r.from == 0.0 && r.to == 0.0,
            Self::Sine(s) => s.offset == 0.0 && s.amplitude == 0.0,
            Self::Table(points) => points.iter().all(|(_, v)| *v == 0.0),
            Self::Formula(_) => false,
        }
    }

    fn from_named(named: Named) -> Result<Self, String> {
        let finite = |values: &[f64]| values.iter().all(|v| v.is_finite());
        Ok(match named {
            Named::Constant(v) if finite(&[v]) => Self::Constant(v),
            Named::Ramp(r) if finite(&[r.from, r.to, r.start, r.end]) => {
                if r.end <= r.start {
                    return Err(format!("a Ramp must end after it starts; found start {} and end {}", r.start, r.end));
                }
                Self::Ramp(r)
            }
            Named::Sine(s) if finite(&[s.offset, s.amplitude, s.frequency, s.phase]) => Self::Sine(s),
            Named::Table(points) if points.iter().all(|(t, v)| finite(&[*t, *v])) => {
                if points.is_empty() || points.windows(2).any(|w| w[1].0 <= w[0].0) {
                    return Err("a Table needs at least one (time, value) and rising times".to_owned());
                }
                Self::Table(points)
            }
            Named::Formula(text) => Self::Formula(Arc::new(Formula::parse(&text)?)),
            _ => return Err("expected finite numbers in a function of time".to_owned()),
        })
    }
}

fn interpolate(points: &[(f64, f64)], t: f64) -> f64 {
    let i = points.partition_point(|p| p.0 <= t);
    match (i, points.get(i)) {
        (0, Some(first)) => first.1,
        (_, None) => points.last().map_or(f64::NAN, |p| p.1),
        (_, Some(&(t1, v1))) => {
            let (t0, v0) = points[i - 1];
            v0 + (v1 - v0) * (t - t0) / (t1 - t0)
        }
    }
}

impl<'de> Deserialize<'de> for TimeFunction {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        // A bare number, a formula in quotes, or a named form: the raw text tells which.
        let raw = <Box<ron::value::RawValue>>::deserialize(d)?;
        let text = raw.get_ron().trim();
        let options = crate::input::ron_options();
        let read = |t: &str| options.from_str::<Named>(t).map_err(|e| de::Error::custom(e.code));
        let named = if text.starts_with('"') {
            Named::Formula(options.from_str::<String>(text).map_err(|e| de::Error::custom(e.code))?)
        } else if text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.')) {
            Named::Constant(options.from_str::<f64>(text).map_err(|e| de::Error::custom(e.code))?)
        } else {
            read(text)?
        };
        Self::from_named(named).map_err(de::Error::custom)
    }
}

impl JsonSchema for TimeFunction {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        "function of time".into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "x-noun": "a number, Ramp(from, to, start, end), Sine(offset, amplitude, frequency, phase), Table([(time, value), …]) or a formula of t in quotes",
            "anyOf": [
                {"type": "number"},
                {"type": "string"},
                {"type": "object", "properties": {"Ramp": generator.subschema_for::<Ramp>()}},
                {"type": "object", "properties": {"Sine": generator.subschema_for::<Sine>()}},
                {"type": "object", "properties": {"Table": {"type": "array"}}}
            ]
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    fn read(text: &str) -> Result<TimeFunction, ron::error::SpannedError> {
        crate::input::ron_options().from_str(text)
    }

    #[test]
    fn every_form_evaluates() {
        for (text, t, want) in [
            ("0.5", 3.0, 0.5),
            ("Ramp(from: 0, to: 2, start: 1, end: 3)", 2.0, 1.0),
            ("Ramp(from: 0, to: 2, end: 3)", 9.0, 2.0),
            ("Sine(amplitude: 2, frequency: 0.25)", 1.0, 2.0),
            ("Table([(0, 1), (2, 5)])", 1.0, 3.0),
            ("\"8*cos(t)\"", 0.0, 8.0),
            ("\"3\"", 7.0, 3.0),
            ("\"2.5e-3*t + 1E2\"", 2.0, 100.005),
            ("\"exp(t*1e0)\"", 0.0, 1.0),
        ] {
            assert!((read(text).unwrap().at(t) - want).abs() < 1e-12, "{text}");
        }
    }

    #[test]
    fn wrong_functions_say_why() {
        for (text, part) in [
            ("\"8*cos(x)\"", "unknown variable `x`"),
            ("\"8*cos(\"", "cannot read the formula"),
            ("Table([(1, 0), (0, 0)])", "rising times"),
            ("Ramp(from: 0, to: 1, end: -1)", "must end after it starts"),
            ("Step(1)", "Step"),
        ] {
            let e = read(text).unwrap_err().to_string();
            assert!(e.contains(part), "{text}: {e}");
        }
    }
}
