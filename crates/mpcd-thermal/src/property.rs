//! A property of a material that may depend on temperature: one number, or values at temperatures. No body, no contact.

use std::marker::PhantomData;

use mpcd_core::{
    Quantity,
    quantity::{Kind, NonNegative, Positive, Temperature},
};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, de};

/// A positive property in SI over temperature (K): linear between points, constant outside them.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// Temperature and value, temperatures rising; at least one.
    points: Vec<(f64, f64)>,
}

impl Curve {
    /// The same value at every temperature.
    #[must_use]
    pub fn constant(value: f64) -> Self {
        Self { points: vec![(0.0, value)] }
    }

    /// Through these points (K, SI); `None` unless there is one and their temperatures rise.
    #[must_use]
    pub fn through(points: Vec<(f64, f64)>) -> Option<Self> {
        (!points.is_empty() && points.windows(2).all(|w| w[0].0 < w[1].0)).then_some(Self { points })
    }

    /// The sum of curves, each times a weight above zero; `None` of none.
    pub(crate) fn sum(curves: &[(f64, &Self)]) -> Option<Self> {
        let mut knots: Vec<f64> = curves.iter().flat_map(|(_, c)| c.points.iter().map(|p| p.0)).collect();
        knots.sort_by(f64::total_cmp);
        knots.dedup();
        Self::through(knots.into_iter().map(|t| (t, curves.iter().map(|(w, c)| w * c.at(t)).sum())).collect())
    }

    /// Whether it is the same at every temperature.
    #[must_use]
    pub fn is_constant(&self) -> bool {
        self.points.iter().all(|p| p.1 == self.points[0].1)
    }

    /// The least value at any temperature.
    pub(crate) fn least(&self) -> f64 {
        self.points.iter().map(|p| p.1).fold(f64::INFINITY, f64::min)
    }

    /// The value at a temperature (K).
    #[must_use]
    pub fn at(&self, temperature: f64) -> f64 {
        let after = self.points.partition_point(|p| p.0 <= temperature);
        match (after.checked_sub(1).map(|k| self.points[k]), self.points.get(after)) {
            (None, Some(first)) => first.1,
            (Some(before), None) => before.1,
            (Some(before), Some(next)) => before.1 + (next.1 - before.1) * ((temperature - before.0) / (next.0 - before.0)),
            (None, None) => f64::NAN,
        }
    }

    /// ∫ of it from a temperature over a rise of any sign (K): exact, and without loss of digits for small rises, across points as well.
    #[must_use]
    pub fn over(&self, temperature: f64, rise: f64) -> f64 {
        // by their way from the start: differences of temperatures know no rise below their own rounding, 6e-14 K
        let (low, high) = (rise.min(0.0), rise.max(0.0));
        let inside = || self.points.iter().map(|p| p.0 - temperature).filter(|t| *t > low && *t < high);
        let Some(first) = inside().next() else {
            return rise * self.at(temperature + 0.5 * rise);
        };
        let piece = |from: f64, to: f64| (to - from) * self.at(temperature + 0.5 * (from + to));
        let (mut sum, mut from) = (piece(low, first), first);
        for to in inside().skip(1).chain([high]) {
            sum += piece(from, to);
            from = to;
        }
        sum.copysign(rise)
    }
}

/// A [`Curve`] in a model file: a number, a text with a unit, or a list of (temperature, value).
#[derive(Debug, Clone)]
pub struct OfTemperature<K> {
    curve: Curve,
    kind: PhantomData<K>,
}

impl<K> OfTemperature<K> {
    /// The curve.
    #[must_use]
    pub const fn curve(&self) -> &Curve {
        &self.curve
    }
}

impl<'de, K: Kind> Deserialize<'de> for OfTemperature<K> {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let curve = d.deserialize_any(Visitor(PhantomData::<K>))?;
        Ok(Self { curve, kind: PhantomData })
    }
}

struct Visitor<K>(PhantomData<K>);

impl<K: Kind> Visitor<K> {
    fn one<'de, E: de::Error>(value: impl de::IntoDeserializer<'de, E>) -> Result<Curve, E> {
        Ok(Curve::constant(Quantity::<K, Positive>::deserialize(value.into_deserializer())?.si()))
    }
}

impl<'de, K: Kind> de::Visitor<'de> for Visitor<K> {
    type Value = Curve;
    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} [{}] above zero, or a list of (temperature, value)", K::NOUN, K::UNIT)
    }
    fn visit_f64<E: de::Error>(self, v: f64) -> Result<Curve, E> {
        Self::one(v)
    }
    fn visit_i64<E: de::Error>(self, v: i64) -> Result<Curve, E> {
        Self::one(v)
    }
    fn visit_u64<E: de::Error>(self, v: u64) -> Result<Curve, E> {
        Self::one(v)
    }
    fn visit_str<E: de::Error>(self, v: &str) -> Result<Curve, E> {
        Self::one(v)
    }
    fn visit_seq<A: de::SeqAccess<'de>>(self, mut seq: A) -> Result<Curve, A::Error> {
        let mut points = Vec::new();
        while let Some((t, value)) = seq.next_element::<(Quantity<Temperature, NonNegative>, Quantity<K, Positive>)>()? {
            points.push((t.si(), value.si()));
        }
        Curve::through(points).ok_or_else(|| {
            de::Error::custom(format_args!("expected {} at one temperature or more, and temperatures that rise", K::NOUN))
        })
    }
}

impl<K: Kind> JsonSchema for OfTemperature<K> {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> std::borrow::Cow<'static, str> {
        format!("{} of temperature", K::NOUN).into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "anyOf": [{"type": "number"}, {"type": "string"}, {"type": "array"}],
            "x-unit": K::UNIT.to_string(),
            "x-range": "above zero; or a list of (temperature, value)",
            "x-noun": K::NOUN,
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use mpcd_core::quantity::SpecificHeat;

    /// 400 up to 300 K, 600 from 500 K on: 450 at 350 K; ∫ from 250 to 600 K = 20 000 + 100 000 + 60 000.
    #[test]
    fn values_and_integrals_by_hand() {
        let c = Curve::through(vec![(300.0, 400.0), (500.0, 600.0)]).unwrap();
        assert_eq!((c.at(100.0), c.at(350.0), c.at(900.0)), (400.0, 450.0, 600.0));
        assert!((c.over(250.0, 350.0) - 180_000.0).abs() < 1e-9 && (c.over(600.0, -350.0) + 180_000.0).abs() < 1e-9);
        assert!((c.over(350.0, 1e-12) / 450e-12 - 1.0).abs() < 1e-14);
        // from the very point at which it bends
        assert!((c.over(300.0, 10.0) - 4050.0).abs() < 1e-9 && (c.over(300.0, -10.0) + 4000.0).abs() < 1e-9);
    }

    /// 2 × (400 to 600 over 300 to 500 K) + 3 × 100 + (10 to 50 over 400 to 800 K), between, at and outside all bends.
    #[test]
    fn a_sum_is_that_of_the_values_everywhere() {
        let a = Curve::through(vec![(300.0, 400.0), (500.0, 600.0)]).unwrap();
        let (b, c) = (Curve::constant(100.0), Curve::through(vec![(400.0, 10.0), (800.0, 50.0)]).unwrap());
        let sum = Curve::sum(&[(2.0, &a), (3.0, &b), (1.0, &c)]).unwrap();
        for t in [0.0, 250.0, 300.0, 350.0, 400.0, 470.0, 500.0, 640.0, 800.0, 1000.0] {
            let want = 2.0 * a.at(t) + 300.0 + c.at(t);
            assert!((sum.at(t) - want).abs() < 1e-12 * want, "{t}");
        }
        assert!(Curve::sum(&[]).is_none());
    }

    #[test]
    fn a_number_a_text_and_a_list_are_read() {
        let read = |text: &str| mpcd_core::input::ron_options().from_str::<OfTemperature<SpecificHeat>>(text);
        assert_eq!(read("500").unwrap().curve.at(300.0), 500.0);
        assert_eq!(read("\"0.5 kJ/(kg K)\"").unwrap().curve.at(300.0), 500.0);
        assert_eq!(read("[(0, 400), (\"100 K\", \"600 J/(kg K)\")]").unwrap().curve.at(50.0), 500.0);
        for (text, part) in [
            ("0", "above zero, found 0"),
            ("[]", "temperatures that rise"),
            ("[(300, 1), (300, 2)]", "temperatures that rise"),
            ("[(300, -1)]", "above zero, found -1"),
            ("[(-3, 1)]", "zero or above, found -3"),
            ("true", "a list of (temperature, value)"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
