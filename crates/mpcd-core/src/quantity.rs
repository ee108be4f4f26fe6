//! Quantities of a model file: a plain SI number or a string with a unit, checked against a range as it is read.
//! The range is part of the type, so a negative radius cannot exist after parsing.

use std::{borrow::Cow, fmt, marker::PhantomData};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::{
    math::Vec3,
    unit::{Unit, parse_quantity},
};

/// What a quantity measures: its unit and its name in messages.
pub trait Kind: 'static {
    /// SI unit.
    const UNIT: Unit;
    /// Noun with its article, as in "expected a length".
    const NOUN: &'static str;
    /// Name of the unit in messages, where [`Self::UNIT`] has none of its own.
    const UNIT_NAME: &'static str = "";
}

/// The unit of a kind in messages; none for a pure number.
fn unit_name<K: Kind>() -> Option<String> {
    match K::UNIT_NAME {
        "" => (K::UNIT != Unit::ONE).then(|| K::UNIT.to_string()),
        name => Some(name.to_owned()),
    }
}

/// A noun with its unit, as in "a length [m]".
struct Bracketed<K>(PhantomData<K>);

impl<K: Kind> fmt::Display for Bracketed<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match unit_name::<K>() {
            Some(unit) => write!(f, "{} [{unit}]", K::NOUN),
            None => f.write_str(K::NOUN),
        }
    }
}

/// What values a quantity may take.
pub trait Range: 'static {
    /// The condition in words.
    const WORDS: &'static str;
    /// Whether the finite number `value` is allowed.
    fn allows(value: f64) -> bool;
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident: $unit:ident $(($called:literal))?, $noun:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub enum $name {}
        impl Kind for $name {
            const UNIT: Unit = Unit::$unit;
            const NOUN: &'static str = $noun;
            $(const UNIT_NAME: &'static str = $called;)?
        }
    )*};
}

kinds! {
    /// A pure number.
    Number: ONE, "a number";
    /// An angle (rad).
    Angle: ONE ("rad"), "an angle";
    /// A length (m).
    Length: LENGTH, "a length";
    /// A mass (kg).
    Mass: MASS, "a mass";
    /// A moment of inertia [kg m²].
    MomentOfInertia: MOMENT_OF_INERTIA, "a moment of inertia";
    /// A duration (s).
    Duration: TIME, "a duration";
    /// A density [kg/m³].
    Density: DENSITY, "a density";
    /// A speed [m/s].
    Speed: VELOCITY, "a speed";
    /// An acceleration [m/s²].
    Acceleration: ACCELERATION, "an acceleration";
    /// A rate or angular speed [1/s].
    Rate: RATE, "a rate";
    /// A force (N).
    Force: FORCE, "a force";
    /// A moment [N m].
    Torque: TORQUE, "a moment";
    /// A pressure or modulus (Pa).
    Pressure: PRESSURE, "a pressure";
    /// A power (W).
    Power: POWER, "a power";
    /// A temperature (K).
    Temperature: TEMPERATURE, "a temperature";
    /// A current (A).
    Current: CURRENT, "a current";
    /// An electrical potential (V).
    Potential: POTENTIAL, "a potential";
    /// An electrical conductance (S).
    Conductance: CONDUCTANCE, "a conductance";
    /// An electrical conductivity [S/m].
    Conductivity: CONDUCTIVITY, "a conductivity";
    /// An electrical conductance per area [S/m²].
    ConductancePerArea: CONDUCTANCE_PER_AREA, "a conductance per area";
    /// A heat conductance [W/K].
    HeatConductance: HEAT_CONDUCTANCE, "a heat conductance";
    /// A heat conductivity [W/(m K)].
    HeatConductivity: HEAT_CONDUCTIVITY, "a heat conductivity";
    /// A heat transfer coefficient [W/(m² K)].
    HeatTransfer: HEAT_TRANSFER, "a heat transfer coefficient";
    /// A heat flux [W/m²].
    HeatFlux: HEAT_FLUX, "a heat flux";
    /// A specific heat [J/(kg K)].
    SpecificHeat: SPECIFIC_HEAT, "a specific heat";
    /// A thermal expansion [1/K].
    Expansion: EXPANSION, "a thermal expansion";
    /// A viscosity [Pa s].
    Viscosity: VISCOSITY, "a viscosity";
    /// A permeability or area (m²).
    Area: AREA, "an area";
    /// A volume (m³).
    Volume: VOLUME, "a volume";
    /// A compressibility [1/Pa].
    Compressibility: COMPRESSIBILITY, "a compressibility";
    /// A stiffness [N/m].
    Stiffness: STIFFNESS, "a stiffness";
    /// A viscous damping [N s/m].
    Damping: DAMPING, "a viscous damping";
    /// A stiffness against turning [N m/rad].
    AngularStiffness: TORQUE ("N m/rad"), "a stiffness against turning";
    /// A viscous damping of a turning [N m s/rad].
    AngularDamping: ANGULAR_DAMPING ("N m s/rad"), "a viscous damping of a turning";
    /// A surface energy [J/m², the same as N/m].
    SurfaceEnergy: STIFFNESS, "a surface energy";
}

macro_rules! ranges {
    ($($(#[$doc:meta])* $name:ident: $words:literal, $test:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub enum $name {}
        impl Range for $name {
            const WORDS: &'static str = $words;
            fn allows(value: f64) -> bool { let test: fn(f64) -> bool = $test; test(value) }
        }
    )*};
}

ranges! {
    /// Any finite number.
    Any: "finite", |_| true;
    /// Above zero.
    Positive: "above zero", |v| v > 0.0;
    /// Zero or above.
    NonNegative: "zero or above", |v| v >= 0.0;
    /// Between 0 and 1, both allowed.
    Fraction: "between 0 and 1", |v| (0.0..=1.0).contains(&v);
    /// Between ½ and 1, both allowed.
    UpperHalf: "between 0.5 and 1", |v| (0.5..=1.0).contains(&v);
    /// A Poisson ratio.
    PoissonRange: "above -1 and below 0.5", |v| v > -1.0 && v < 0.5;
}

/// A finite number in SI of kind `K` within range `R`, read from a number or from a string with a unit.
pub struct Quantity<K, R = Any>(f64, PhantomData<(K, R)>);

impl<K: Kind, R: Range> Quantity<K, R> {
    /// A quantity, if `value` (SI) is finite and in range.
    #[must_use]
    pub fn new(value: f64) -> Option<Self> {
        (value.is_finite() && R::allows(value)).then_some(Self(value, PhantomData))
    }

    /// The value in SI.
    #[must_use]
    pub const fn si(&self) -> f64 {
        self.0
    }
}

impl<K, R> Clone for Quantity<K, R> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<K, R> Copy for Quantity<K, R> {}
impl<K, R> PartialEq for Quantity<K, R> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}
impl<K: Kind, R> fmt::Debug for Quantity<K, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.0, K::UNIT)
    }
}
impl<K, R> Serialize for Quantity<K, R> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_f64(self.0)
    }
}

impl<'de, K: Kind, R: Range> Deserialize<'de> for Quantity<K, R> {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let value = d.deserialize_any(NumberOrText(PhantomData::<K>))?;
        if !value.is_finite() {
            return Err(de::Error::custom(format_args!("expected {} that is a finite number, found {value}", K::NOUN)));
        }
        Self::new(value).ok_or_else(|| {
            de::Error::custom(format_args!("expected {} {}, found {value}", Bracketed::<K>(PhantomData), R::WORDS))
        })
    }
}

struct NumberOrText<K>(PhantomData<K>);

impl<K: Kind> de::Visitor<'_> for NumberOrText<K> {
    type Value = f64;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match unit_name::<K>() {
            Some(unit) => write!(f, "{}: a number in {unit} or a string with a unit", K::NOUN),
            None => write!(f, "{} without a unit, or a string such as \"5 %\"", K::NOUN),
        }
    }
    fn visit_f64<E>(self, v: f64) -> Result<f64, E> {
        Ok(v)
    }
    #[allow(clippy::cast_precision_loss, reason = "a model file's integer fits f64")]
    fn visit_i64<E>(self, v: i64) -> Result<f64, E> {
        Ok(v as f64)
    }
    #[allow(clippy::cast_precision_loss, reason = "a model file's integer fits f64")]
    fn visit_u64<E>(self, v: u64) -> Result<f64, E> {
        Ok(v as f64)
    }
    fn visit_str<E: de::Error>(self, v: &str) -> Result<f64, E> {
        parse_quantity(v, K::UNIT).map_err(E::custom)
    }
}

impl<K: Kind, R: Range> JsonSchema for Quantity<K, R> {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        format!("{} [{}] {}", K::NOUN, K::UNIT, R::WORDS).into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "anyOf": [{"type": "number"}, {"type": "string"}],
            "x-unit": K::UNIT.to_string(),
            "x-range": R::WORDS,
            "x-noun": K::NOUN,
        })
    }
}

/// A vector of quantities, written `(x, y)` or `(x, y, z)`; a missing z is 0.
pub struct Vector<K, R = Any>([f64; 3], PhantomData<(K, R)>);

impl<K: Kind, R: Range> Vector<K, R> {
    /// The vector in SI.
    #[must_use]
    pub const fn si(&self) -> Vec3 {
        Vec3::new(self.0[0], self.0[1], self.0[2])
    }
}

impl<K, R> Clone for Vector<K, R> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<K, R> Copy for Vector<K, R> {}
impl<K, R> fmt::Debug for Vector<K, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
impl<K, R> Default for Vector<K, R> {
    fn default() -> Self {
        Self([0.0; 3], PhantomData)
    }
}

impl<'de, K: Kind, R: Range> Deserialize<'de> for Vector<K, R> {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        d.deserialize_any(Components(PhantomData))
    }
}

struct Components<K, R>(PhantomData<(K, R)>);

impl<'de, K: Kind, R: Range> de::Visitor<'de> for Components<K, R> {
    type Value = Vector<K, R>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match unit_name::<K>() {
            Some(unit) => write!(f, "(x, y) or (x, y, z), each {} in {unit}", K::NOUN),
            None => write!(f, "(x, y) or (x, y, z), each {} without a unit", K::NOUN),
        }
    }
    // What RON makes of a bare name, as of a key that does not belong here.
    fn visit_unit<E: de::Error>(self) -> Result<Self::Value, E> {
        Err(E::custom(format_args!("expected {}, found a name", &self as &dyn de::Expected)))
    }
    fn visit_seq<A: de::SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut values = [0.0; 3];
        let mut count = 0;
        while let Some(q) = seq.next_element::<Quantity<K, R>>()? {
            if count == 3 {
                return Err(de::Error::invalid_length(4, &self));
            }
            values[count] = q.si();
            count += 1;
        }
        if count < 2 {
            return Err(de::Error::invalid_length(count, &self));
        }
        Ok(Vector(values, PhantomData))
    }
}

impl<K: Kind, R: Range> JsonSchema for Vector<K, R> {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        format!("vector of {} [{}]", K::NOUN, K::UNIT).into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "array", "minItems": 2, "maxItems": 3, "x-unit": K::UNIT.to_string(), "x-noun": "a vector (x, y) or (x, y, z)"})
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    #[test]
    fn vectors_have_two_or_three_components() {
        let read = |t: &str| crate::input::ron_options().from_str::<Vector<Length>>(t);
        assert_eq!(read("(1, \"2 mm\")").unwrap().si(), Vec3::new(1.0, 2e-3, 0.0));
        assert_eq!(read("(1, 2, -3.5)").unwrap().si().z, -3.5);
        assert!(read("(1)").is_err() && read("(1, 2, 3, 4)").is_err() && read("(1, \"2 s\")").is_err());
    }

    #[test]
    fn numbers_strings_and_ranges() {
        let q: Quantity<Length, Positive> = ron::from_str("\"2.5 mm\"").unwrap();
        assert_eq!(q.si(), 2.5e-3);
        assert_eq!(ron::from_str::<Quantity<Length>>("3").unwrap().si(), 3.0);
        for (text, part) in [
            ("-1.0", "above zero, found -1"),
            ("\"2 kg\"", "expected a quantity in m"),
            ("NaN", "finite"),
            ("true", "a length: a number in m"),
        ] {
            let e = ron::from_str::<Quantity<Length, Positive>>(text).unwrap_err().to_string();
            assert!(e.contains(part), "{text}: {e}");
        }
    }

    #[test]
    fn what_has_no_unit_is_not_said_to_be_in_1() {
        let told = |found: Result<(), ron::error::SpannedError>| found.unwrap_err().to_string();
        let number = |text: &str| told(ron::from_str::<Quantity<Number, Fraction>>(text).map(|_| ()));
        assert!(number("true").contains("Expected a number without a unit, or a string such as \"5 %\" but found"));
        assert!(number("2.0").ends_with("expected a number between 0 and 1, found 2"), "{}", number("2.0"));
        let text = number("\"3 mm\"");
        assert!(text.ends_with("expected a quantity without a unit, found `3 mm`, which is in m"), "{text}");
        let text = told(ron::from_str::<Quantity<Length>>("\"3 deg\"").map(|_| ()));
        assert!(text.ends_with("expected a quantity in m, found `3 deg`, which is without a unit"), "{text}");
        let text = told(ron::from_str::<Quantity<Angle>>("true").map(|_| ()));
        assert!(text.contains("Expected an angle: a number in rad or a string with a unit but found"), "{text}");
        let text = told(crate::input::ron_options().from_str::<Vector<Number>>("axis").map(|_| ()));
        assert!(text.ends_with("expected (x, y) or (x, y, z), each a number without a unit, found a name"), "{text}");
    }
}
