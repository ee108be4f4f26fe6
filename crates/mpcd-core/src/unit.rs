//! Units: SI exponents, their text form, and the reading of strings such as `"2.5 mm"` or `"7.8 g/cm^3"`.
//!
//! Our own reader and not a units library: what users write in a model file is a free product of prefixed
//! symbols (`W/(m K)`), whereas libraries parse one fixed abbreviation per quantity.

use std::fmt;

/// Exponents of the SI base units a quantity is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Unit {
    /// Exponent of the metre.
    pub m: i8,
    /// Exponent of the kilogram.
    pub kg: i8,
    /// Exponent of the second.
    pub s: i8,
    /// Exponent of the ampere.
    pub a: i8,
    /// Exponent of the kelvin.
    pub k: i8,
}

impl Unit {
    /// A unit from its exponents of m, kg, s, A, K.
    #[must_use]
    pub const fn new(m: i8, kg: i8, s: i8, a: i8, k: i8) -> Self {
        Self { m, kg, s, a, k }
    }

    /// No unit.
    pub const ONE: Self = Self::new(0, 0, 0, 0, 0);
    /// m
    pub const LENGTH: Self = Self::new(1, 0, 0, 0, 0);
    /// kg
    pub const MASS: Self = Self::new(0, 1, 0, 0, 0);
    /// s
    pub const TIME: Self = Self::new(0, 0, 1, 0, 0);
    /// kg m²
    pub const MOMENT_OF_INERTIA: Self = Self::new(2, 1, 0, 0, 0);
    /// A
    pub const CURRENT: Self = Self::new(0, 0, 0, 1, 0);
    /// K
    pub const TEMPERATURE: Self = Self::new(0, 0, 0, 0, 1);
    /// m²
    pub const AREA: Self = Self::new(2, 0, 0, 0, 0);
    /// m³
    pub const VOLUME: Self = Self::new(3, 0, 0, 0, 0);
    /// m/s
    pub const VELOCITY: Self = Self::new(1, 0, -1, 0, 0);
    /// m/s²
    pub const ACCELERATION: Self = Self::new(1, 0, -2, 0, 0);
    /// 1/s (rad/s)
    pub const RATE: Self = Self::new(0, 0, -1, 0, 0);
    /// N
    pub const FORCE: Self = Self::new(1, 1, -2, 0, 0);
    /// N s
    pub const IMPULSE: Self = Self::new(1, 1, -1, 0, 0);
    /// N m
    pub const TORQUE: Self = Self::new(2, 1, -2, 0, 0);
    /// J
    pub const ENERGY: Self = Self::new(2, 1, -2, 0, 0);
    /// W
    pub const POWER: Self = Self::new(2, 1, -3, 0, 0);
    /// Pa
    pub const PRESSURE: Self = Self::new(-1, 1, -2, 0, 0);
    /// kg/m³
    pub const DENSITY: Self = Self::new(-3, 1, 0, 0, 0);
    /// Pa s
    pub const VISCOSITY: Self = Self::new(-1, 1, -1, 0, 0);
    /// V
    pub const POTENTIAL: Self = Self::new(2, 1, -3, -1, 0);
    /// S
    pub const CONDUCTANCE: Self = Self::new(-2, -1, 3, 2, 0);
    /// S/m
    pub const CONDUCTIVITY: Self = Self::new(-3, -1, 3, 2, 0);
    /// S/m²
    pub const CONDUCTANCE_PER_AREA: Self = Self::new(-4, -1, 3, 2, 0);
    /// Ω
    pub const RESISTANCE: Self = Self::new(2, 1, -3, -2, 0);
    /// W/K
    pub const HEAT_CONDUCTANCE: Self = Self::new(2, 1, -3, 0, -1);
    /// W/(m K)
    pub const HEAT_CONDUCTIVITY: Self = Self::new(1, 1, -3, 0, -1);
    /// W/(m² K)
    pub const HEAT_TRANSFER: Self = Self::new(0, 1, -3, 0, -1);
    /// W/m²
    pub const HEAT_FLUX: Self = Self::new(0, 1, -3, 0, 0);
    /// A/m²
    pub const CURRENT_DENSITY: Self = Self::new(-2, 0, 0, 1, 0);
    /// J/(kg K)
    pub const SPECIFIC_HEAT: Self = Self::new(2, 0, -2, 0, -1);
    /// J/K
    pub const HEAT_CAPACITY: Self = Self::new(2, 1, -2, 0, -1);
    /// 1/K
    pub const EXPANSION: Self = Self::new(0, 0, 0, 0, -1);
    /// 1/Pa
    pub const COMPRESSIBILITY: Self = Self::new(1, -1, 2, 0, 0);
    /// N/m (J/m²)
    pub const STIFFNESS: Self = Self::new(0, 1, -2, 0, 0);
    /// N s/m
    pub const DAMPING: Self = Self::new(0, 1, -1, 0, 0);
    /// N m s (per rad)
    pub const ANGULAR_DAMPING: Self = Self::new(2, 1, -1, 0, 0);

    fn times(self, other: Self, power: i8) -> Self {
        Self {
            m: self.m + power * other.m,
            kg: self.kg + power * other.kg,
            s: self.s + power * other.s,
            a: self.a + power * other.a,
            k: self.k + power * other.k,
        }
    }
}

/// Named units shown instead of their exponents.
const NAMED: &[(Unit, &str)] = &[
    (Unit::ONE, "1"),
    (Unit::FORCE, "N"),
    (Unit::PRESSURE, "Pa"),
    (Unit::ENERGY, "J"),
    (Unit::POWER, "W"),
    (Unit::POTENTIAL, "V"),
    (Unit::RESISTANCE, "Ω"),
    (Unit::CONDUCTANCE, "S"),
    (Unit::CONDUCTIVITY, "S/m"),
    (Unit::CONDUCTANCE_PER_AREA, "S/m²"),
    (Unit::IMPULSE, "N s"),
    (Unit::VISCOSITY, "Pa s"),
    (Unit::HEAT_CONDUCTANCE, "W/K"),
    (Unit::HEAT_CONDUCTIVITY, "W/(m K)"),
    (Unit::HEAT_TRANSFER, "W/(m² K)"),
    (Unit::HEAT_FLUX, "W/m²"),
    (Unit::SPECIFIC_HEAT, "J/(kg K)"),
    (Unit::HEAT_CAPACITY, "J/K"),
    (Unit::COMPRESSIBILITY, "1/Pa"),
    (Unit::STIFFNESS, "N/m"),
    (Unit::DAMPING, "N s/m"),
    (Unit::DENSITY, "kg/m³"),
];

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((_, name)) = NAMED.iter().find(|(u, _)| u == self) {
            return f.write_str(name);
        }
        let parts = [("kg", self.kg), ("m", self.m), ("A", self.a), ("K", self.k), ("s", self.s)];
        let side = |sign: i8| {
            let mut out = Vec::new();
            for (name, e) in parts {
                match e * sign {
                    1 => out.push(name.to_owned()),
                    2 => out.push(format!("{name}²")),
                    3 => out.push(format!("{name}³")),
                    p if p > 3 => out.push(format!("{name}^{p}")),
                    _ => {}
                }
            }
            out.join(" ")
        };
        let (up, down) = (side(1), side(-1));
        match (up.is_empty(), down.is_empty()) {
            (false, true) => f.write_str(&up),
            (true, _) => write!(f, "1/{down}"),
            (false, false) if down.contains(' ') => write!(f, "{up}/({down})"),
            (false, false) => write!(f, "{up}/{down}"),
        }
    }
}

/// Why a quantity string could not be read.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum UnitError {
    /// The text does not start with a number.
    #[error("`{0}` does not start with a number; write a number in SI or a string such as \"2.5 mm\"")]
    Number(String),
    /// A unit symbol is not known.
    #[error("unknown unit `{0}`; known are SI units with prefixes, e.g. mm, kg/m^3, GPa, kN, W/(m K), degC, deg, min")]
    Symbol(String),
    /// A temperature over 0 °C within a product.
    #[error(
        "`{0}` is a temperature over 0 °C and stands alone, as \"20 degC\"; in products write K, of which a difference has as many"
    )]
    Degrees(String),
    /// A power or a bracket is malformed.
    #[error("cannot read the unit `{0}`; write products and powers as in kg/m^3 or W/(m K)")]
    Syntax(String),
    /// A number without a unit, in quotes.
    #[error("`{text}` has no unit; write the number without quotes where it is in {expected}, or with its unit")]
    Missing {
        /// Text as written.
        text: String,
        /// Unit that was expected.
        expected: Unit,
    },
    /// The unit is of another kind.
    #[error("expected a quantity {}, found `{text}`, which is {}", within(expected), within(found))]
    Mismatch {
        /// Text as written.
        text: String,
        /// Unit that was expected.
        expected: Unit,
        /// Unit that was written.
        found: Unit,
    },
}

/// "in m", or "without a unit".
fn within(unit: &Unit) -> String {
    if *unit == Unit::ONE { "without a unit".to_owned() } else { format!("in {unit}") }
}

/// Reads `"2.5 mm"` as a number in SI, checking that it is of the kind `expected`.
///
/// # Errors
/// [`UnitError`] names what is wrong and what would be right.
pub fn parse_quantity(text: &str, expected: Unit) -> Result<f64, UnitError> {
    let text = text.trim();
    let (number, rest) = split_number(text).ok_or_else(|| UnitError::Number(text.to_owned()))?;
    let rest = rest.trim();
    match rest {
        "" if expected == Unit::ONE => return Ok(number),
        "" => return Err(UnitError::Missing { text: text.to_owned(), expected }),
        "degC" | "°C" if expected == Unit::TEMPERATURE => return Ok(number + 273.15),
        "%" if expected == Unit::ONE => return Ok(number / 100.0),
        _ => {}
    }
    let mut reader = Reader { rest, whole: rest };
    let (factor, unit) = reader.product()?;
    if !reader.rest.is_empty() {
        return Err(UnitError::Syntax(rest.to_owned()));
    }
    if unit == expected { Ok(number * factor) } else { Err(UnitError::Mismatch { text: text.to_owned(), expected, found: unit }) }
}

/// The longest leading part of `text` that reads as a number (so that `1e-3 m` works, and `2 eV` is 2).
fn split_number(text: &str) -> Option<(f64, &str)> {
    let end = text
        .char_indices()
        .find(|(_, c)| !(c.is_ascii_digit() || matches!(c, '+' | '-' | '.' | 'e' | 'E' | '_')))
        .map_or(text.len(), |(i, _)| i);
    (1..=end)
        .rev()
        .filter(|&i| text.is_char_boundary(i))
        .find_map(|i| text[..i].replace('_', "").parse().ok().map(|v| (v, &text[i..])))
}

struct Reader<'a> {
    rest: &'a str,
    whole: &'a str,
}

impl Reader<'_> {
    fn syntax(&self) -> UnitError {
        UnitError::Syntax(self.whole.to_owned())
    }

    fn skip(&mut self, marks: &[char]) -> bool {
        let before = self.rest;
        self.rest = self.rest.trim_start_matches(|c: char| c.is_whitespace() || marks.contains(&c));
        before[..before.len() - self.rest.len()].contains(marks)
    }

    fn product(&mut self) -> Result<(f64, Unit), UnitError> {
        let (mut factor, mut unit) = (1.0, Unit::ONE);
        let mut divide = false;
        loop {
            self.skip(&['*', '·', '.']);
            if self.rest.is_empty() || self.rest.starts_with(')') {
                return Ok((factor, unit));
            }
            if let Some(rest) = self.rest.strip_prefix('/') {
                self.rest = rest;
                divide = true;
                continue;
            }
            let (f, u) = self.power()?;
            factor *= if divide { 1.0 / f } else { f };
            unit = unit.times(u, if divide { -1 } else { 1 });
            divide = false;
        }
    }

    fn power(&mut self) -> Result<(f64, Unit), UnitError> {
        let (factor, unit) = if let Some(rest) = self.rest.strip_prefix('(') {
            self.rest = rest;
            let inner = self.product()?;
            self.rest = self.rest.strip_prefix(')').ok_or_else(|| self.syntax())?;
            inner
        } else if let Some(rest) = self.rest.strip_prefix('1') {
            self.rest = rest;
            return Ok((1.0, Unit::ONE));
        } else {
            let end = self.rest.find(|c: char| !(c.is_alphabetic() || c == '°' || c == 'Ω')).unwrap_or(self.rest.len());
            let (symbol, rest) = self.rest.split_at(end);
            if symbol.is_empty() {
                return Err(self.syntax());
            }
            self.rest = rest;
            symbol_value(symbol).ok_or_else(|| match symbol {
                "degC" | "°C" => UnitError::Degrees(symbol.to_owned()),
                _ => UnitError::Symbol(symbol.to_owned()),
            })?
        };
        let exponent = self.exponent()?;
        let scaled = Unit::ONE.times(unit, exponent);
        Ok((factor.powi(i32::from(exponent)), scaled))
    }

    fn exponent(&mut self) -> Result<i8, UnitError> {
        for (mark, value) in [("²", 2), ("³", 3)] {
            if let Some(rest) = self.rest.strip_prefix(mark) {
                self.rest = rest;
                return Ok(value);
            }
        }
        let hat = self.rest.strip_prefix('^');
        let text = hat.unwrap_or(self.rest);
        let end = text.find(|c: char| !(c.is_ascii_digit() || c == '-')).unwrap_or(text.len());
        if end == 0 {
            return if hat.is_some() { Err(self.syntax()) } else { Ok(1) };
        }
        let value: i8 = text[..end].parse().map_err(|_| self.syntax())?;
        if value.unsigned_abs() > 6 {
            return Err(self.syntax());
        }
        self.rest = &text[end..];
        Ok(value)
    }
}

/// Symbols that take SI prefixes: (symbol, factor to SI, unit).
const SYMBOLS: &[(&str, f64, Unit)] = &[
    ("m", 1.0, Unit::LENGTH),
    ("g", 1e-3, Unit::MASS),
    ("s", 1.0, Unit::TIME),
    ("A", 1.0, Unit::CURRENT),
    ("K", 1.0, Unit::TEMPERATURE),
    ("N", 1.0, Unit::FORCE),
    ("Pa", 1.0, Unit::PRESSURE),
    ("bar", 1e5, Unit::PRESSURE),
    ("J", 1.0, Unit::ENERGY),
    ("W", 1.0, Unit::POWER),
    ("V", 1.0, Unit::POTENTIAL),
    ("S", 1.0, Unit::CONDUCTANCE),
    ("Ω", 1.0, Unit::RESISTANCE),
    ("ohm", 1.0, Unit::RESISTANCE),
    ("Hz", 1.0, Unit::RATE),
    ("l", 1e-3, Unit::VOLUME),
    ("rad", 1.0, Unit::ONE),
];
/// Symbols that take none.
const FIXED: &[(&str, f64, Unit)] = &[
    ("min", 60.0, Unit::TIME),
    ("h", 3600.0, Unit::TIME),
    ("deg", std::f64::consts::PI / 180.0, Unit::ONE),
    ("°", std::f64::consts::PI / 180.0, Unit::ONE),
    ("t", 1e3, Unit::MASS),
    ("atm", 101_325.0, Unit::PRESSURE),
    ("rpm", 2.0 * std::f64::consts::PI / 60.0, Unit::RATE),
];
const PREFIXES: &[(&str, f64)] = &[
    ("da", 1e1),
    ("n", 1e-9),
    ("µ", 1e-6),
    ("μ", 1e-6),
    ("u", 1e-6),
    ("m", 1e-3),
    ("c", 1e-2),
    ("d", 1e-1),
    ("h", 1e2),
    ("k", 1e3),
    ("M", 1e6),
    ("G", 1e9),
    ("T", 1e12),
    ("p", 1e-12),
];

fn symbol_value(symbol: &str) -> Option<(f64, Unit)> {
    let exact = |s: &str| SYMBOLS.iter().chain(FIXED).find(|(name, ..)| *name == s).map(|&(_, f, u)| (f, u));
    exact(symbol).or_else(|| {
        PREFIXES.iter().find_map(|&(prefix, scale)| {
            let base = symbol.strip_prefix(prefix)?;
            SYMBOLS.iter().find(|(name, ..)| *name == base).map(|&(_, f, u)| (scale * f, u))
        })
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    #[test]
    fn strings_with_units_become_si() {
        for (text, unit, want) in [
            ("2.5 mm", Unit::LENGTH, 2.5e-3),
            ("1 GPa", Unit::PRESSURE, 1e9),
            ("7.8 g/cm^3", Unit::DENSITY, 7800.0),
            ("7800 kg/m3", Unit::DENSITY, 7800.0),
            ("50 W/(m K)", Unit::HEAT_CONDUCTIVITY, 50.0),
            ("50 W/m/K", Unit::HEAT_CONDUCTIVITY, 50.0),
            ("1.8e-5 Pa s", Unit::VISCOSITY, 1.8e-5),
            ("20 degC", Unit::TEMPERATURE, 293.15),
            ("30 deg", Unit::ONE, std::f64::consts::FRAC_PI_6),
            ("1.2e-5 1/K", Unit::EXPANSION, 1.2e-5),
            ("3", Unit::ONE, 3.0),
            ("2 kN", Unit::FORCE, 2000.0),
            ("9.81 m s^-2", Unit::ACCELERATION, 9.81),
            ("1 min", Unit::TIME, 60.0),
        ] {
            let got = parse_quantity(text, unit).unwrap();
            assert!((got - want).abs() <= 1e-12 * want.abs(), "{text}: {got} instead of {want}");
        }
    }

    #[test]
    fn wrong_units_are_named() {
        let e = parse_quantity("2 kg", Unit::LENGTH).unwrap_err().to_string();
        assert_eq!(e, "expected a quantity in m, found `2 kg`, which is in kg");
        let e = parse_quantity("20", Unit::TEMPERATURE).unwrap_err().to_string();
        assert_eq!(e, "`20` has no unit; write the number without quotes where it is in K, or with its unit");
        assert!(parse_quantity("two mm", Unit::LENGTH).is_err());
        assert!(matches!(parse_quantity("2 furlong", Unit::LENGTH), Err(UnitError::Symbol(_))));
        let e = parse_quantity("10 W/(m^2 degC)", Unit::HEAT_TRANSFER).unwrap_err().to_string();
        assert!(e.contains("in products write K"), "{e}");
        assert!(matches!(parse_quantity("2 W/(m K", Unit::LENGTH), Err(UnitError::Syntax(_))));
        assert!(parse_quantity("1 m^99", Unit::LENGTH).is_err());
    }

    #[test]
    fn units_print_as_people_write_them() {
        assert_eq!(Unit::DENSITY.to_string(), "kg/m³");
        assert_eq!(Unit::ACCELERATION.to_string(), "m/s²");
        assert_eq!(Unit::EXPANSION.to_string(), "1/K");
        assert_eq!(Unit::new(1, 1, -1, 0, -1).to_string(), "kg m/(K s)");
    }
}
