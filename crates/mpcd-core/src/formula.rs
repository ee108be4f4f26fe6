//! Formulas of time as text: read once into a short program, evaluated without memory of their own. Units and other functions of time
//! live in `time_function`.
//!
//! `+ - * /` go from left to right, `^` from right to left and before a sign: `-t^2` is `-(t^2)`.

use crate::input::shortened;

/// Nested parentheses, signs and powers at most: what is read must not fill the stack.
const DEEPEST: usize = 64;
/// Values that wait for their operator, at most: each level of nesting keeps one for each of `+`, `*`, `^` and the first of two values.
const WAITING: usize = 4 * DEEPEST;
/// Least likeness (Jaro–Winkler) of a name that is suggested.
const NEAR: f64 = 0.7;

type One = fn(f64) -> f64;
type Two = fn(f64, f64) -> f64;

const ONE: [(&str, One); 26] = [
    ("abs", f64::abs),
    ("signum", f64::signum),
    ("sin", f64::sin),
    ("cos", f64::cos),
    ("tan", f64::tan),
    ("asin", f64::asin),
    ("acos", f64::acos),
    ("atan", f64::atan),
    ("sinh", f64::sinh),
    ("cosh", f64::cosh),
    ("tanh", f64::tanh),
    ("asinh", f64::asinh),
    ("acosh", f64::acosh),
    ("atanh", f64::atanh),
    ("floor", f64::floor),
    ("round", f64::round),
    ("ceil", f64::ceil),
    ("trunc", f64::trunc),
    ("fract", f64::fract),
    ("exp", f64::exp),
    ("sqrt", f64::sqrt),
    ("cbrt", f64::cbrt),
    ("ln", f64::ln),
    ("log", f64::ln),
    ("log2", f64::log2),
    ("log10", f64::log10),
];
const TWO: [(&str, Two); 3] = [("atan2", f64::atan2), ("min", f64::min), ("max", f64::max)];
const CONSTANTS: [(&str, f64); 6] = [
    ("PI", std::f64::consts::PI),
    ("π", std::f64::consts::PI),
    ("E", std::f64::consts::E),
    ("e", std::f64::consts::E),
    ("TAU", std::f64::consts::TAU),
    ("τ", std::f64::consts::TAU),
];

/// A formula of `t`.
#[derive(Debug, Clone)]
pub struct Formula {
    program: Vec<Op>,
}

/// Values come before what is done with them.
#[derive(Debug, Clone, Copy)]
enum Op {
    Number(f64),
    Time,
    One(One),
    Two(Two),
}

impl Formula {
    /// Reads a formula.
    ///
    /// # Errors
    /// What is wrong with the text, with an example.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut reader = Reader { text, rest: text.trim_start(), program: Vec::new(), depth: 0 };
        let read =
            reader.sum().and_then(|()| if reader.rest.is_empty() { Ok(()) } else { Err(reader.unexpected("an operator")) });
        match read {
            Ok(()) => Ok(Self { program: reader.program }),
            Err(Fault::Name(message)) => Err(message),
            Err(Fault::Text(why)) => {
                let text = shortened(text, 80);
                Err(format!("cannot read the formula \"{text}\": {why}; write a formula of t such as \"0.5*sin(2*PI*t)\""))
            }
        }
    }

    /// The value at time `t` (s); NaN or infinite where the formula has none.
    #[must_use]
    pub fn at(&self, t: f64) -> f64 {
        let mut waiting = [0.0; WAITING];
        let mut count = 0;
        for op in &self.program {
            let value = match *op {
                Op::Number(v) => v,
                Op::Time => t,
                Op::One(f) => {
                    count -= 1;
                    f(waiting[count])
                }
                Op::Two(f) => {
                    count -= 2;
                    f(waiting[count], waiting[count + 1])
                }
            };
            waiting[count] = value;
            count += 1;
        }
        waiting[0]
    }
}

enum Fault {
    /// A name that means nothing: the whole message.
    Name(String),
    /// A text that is no formula: why.
    Text(String),
}

struct Reader<'a> {
    text: &'a str,
    rest: &'a str,
    program: Vec<Op>,
    depth: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest.trim_start();
        taken
    }

    fn take_one_of(&mut self, signs: &str) -> Option<char> {
        let sign = self.rest.chars().next().filter(|c| signs.contains(*c))?;
        self.take(sign.len_utf8());
        Some(sign)
    }

    fn unexpected(&self, expected: &str) -> Fault {
        let column = self.text[..self.text.len() - self.rest.len()].chars().count() + 1;
        Fault::Text(match self.rest.chars().next() {
            Some(c) => format!("expected {expected}, found `{c}` at character {column}"),
            None => format!("expected {expected}, found its end"),
        })
    }

    /// One level further down, and back.
    fn nested(&mut self, read: impl FnOnce(&mut Self) -> Result<(), Fault>) -> Result<(), Fault> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Fault::Text(format!("it is nested more than {DEEPEST} levels deep")));
        }
        read(self)?;
        self.depth -= 1;
        Ok(())
    }

    fn sum(&mut self) -> Result<(), Fault> {
        self.product()?;
        while let Some(sign) = self.take_one_of("+-") {
            self.product()?;
            self.program.push(Op::Two(if sign == '+' { |a, b| a + b } else { |a, b| a - b }));
        }
        Ok(())
    }

    fn product(&mut self) -> Result<(), Fault> {
        self.signed()?;
        while let Some(sign) = self.take_one_of("*/") {
            self.signed()?;
            self.program.push(Op::Two(if sign == '*' { |a, b| a * b } else { |a, b| a / b }));
        }
        Ok(())
    }

    fn signed(&mut self) -> Result<(), Fault> {
        match self.take_one_of("+-") {
            None => self.power(),
            Some(sign) => {
                self.nested(Self::signed)?;
                if sign == '-' {
                    self.program.push(Op::One(|a| -a));
                }
                Ok(())
            }
        }
    }

    fn power(&mut self) -> Result<(), Fault> {
        self.value()?;
        if self.take_one_of("^").is_some() {
            self.nested(Self::signed)?;
            self.program.push(Op::Two(f64::powf));
        }
        Ok(())
    }

    fn value(&mut self) -> Result<(), Fault> {
        match self.rest.chars().next() {
            Some('(') => {
                self.take(1);
                self.nested(Self::sum)?;
                self.close()
            }
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) if c.is_alphabetic() || c == '_' => self.name(),
            _ => Err(self.unexpected("a number, t or a function")),
        }
    }

    fn close(&mut self) -> Result<(), Fault> {
        self.take_one_of(")").map(|_| ()).ok_or_else(|| self.unexpected("`)`"))
    }

    fn number(&mut self) -> Result<(), Fault> {
        let digits = |text: &str| text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let mut length = digits(self.rest);
        if self.rest[length..].starts_with('.') {
            length += 1 + digits(&self.rest[length + 1..]);
        }
        if self.rest[length..].starts_with(['e', 'E']) {
            let after = &self.rest[length + 1..];
            let sign = usize::from(after.starts_with(['+', '-']));
            let exponent = digits(&after[sign..]);
            length += if exponent > 0 { 1 + sign + exponent } else { 0 };
        }
        let number = &self.rest[..length];
        match number.parse::<f64>() {
            Ok(value) if value.is_finite() => {
                self.take(length);
                self.program.push(Op::Number(value));
                Ok(())
            }
            _ => Err(Fault::Text(format!("`{number}` is no number"))),
        }
    }

    fn name(&mut self) -> Result<(), Fault> {
        let length = self.rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(self.rest.len());
        let name = self.take(length);
        if let Some((_, f)) = ONE.iter().find(|known| known.0 == name) {
            self.open(name, "t")?;
            self.nested(Self::sum)?;
            self.program.push(Op::One(*f));
            return self.close();
        }
        if let Some((_, f)) = TWO.iter().find(|known| known.0 == name) {
            self.open(name, "t, 1")?;
            self.nested(Self::sum)?;
            self.take_one_of(",").ok_or_else(|| self.unexpected("`,`"))?;
            self.nested(Self::sum)?;
            self.program.push(Op::Two(*f));
            return self.close();
        }
        let value = CONSTANTS.iter().find(|known| known.0 == name).map(|known| Op::Number(known.1));
        let value = value.or((name == "t").then_some(Op::Time));
        if self.rest.starts_with('(') && value.is_none() {
            return Err(self.unknown_function(name));
        }
        self.program.push(value.ok_or_else(|| {
            Fault::Name(format!("unknown variable `{name}` in the formula \"{}\"; the only variable is t [s]", self.text))
        })?);
        Ok(())
    }

    fn open(&mut self, name: &str, values: &str) -> Result<(), Fault> {
        self.take_one_of("(").map(|_| ()).ok_or_else(|| Fault::Text(format!("write `{name}({values})`, with parentheses")))
    }

    fn unknown_function(&self, name: &str) -> Fault {
        let names = || ONE.iter().map(|f| f.0).chain(TWO.iter().map(|f| f.0));
        let near = names().map(|known| (strsim::jaro_winkler(known, name), known)).filter(|near| near.0 > NEAR);
        let near = near.max_by(|a, b| a.0.total_cmp(&b.0));
        let hint = near.map_or(String::new(), |(_, known)| format!("; did you mean `{known}`?"));
        let known = names().collect::<Vec<_>>().join(", ");
        Fault::Name(format!("unknown function `{name}` in the formula \"{}\"{hint}; the functions are {known}", self.text))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    #[test]
    fn formulas_are_read_as_they_are_written_in_books() {
        let t = 0.7_f64;
        for (text, expected) in [
            ("1 - 2 - 3", -4.0),
            ("12/3/2", 2.0),
            ("2*3/4*5", 7.5),
            ("1 + 2*3", 7.0),
            ("-t^2", -t.powf(2.0)),
            ("(-t)^2", t * t),
            ("2^-t", 2_f64.powf(-t)),
            ("2^3^2", 512.0),
            ("- -t", t),
            ("+t*-2", -2.0 * t),
            ("2.5e-3*t + 1E2", 100.0 + 2.5e-3 * t),
            (".5*e", 0.5 * std::f64::consts::E),
            ("2*π*τ", 2.0 * std::f64::consts::PI * std::f64::consts::TAU),
            ("max(t, min(2, atan2(1, -1)))", 2.0),
            ("0.5*signum(sin(4*t)) + log(E)", 1.5),
            ("-50 * (1 - exp(-t/0.05)) + 3*sin(2*PI*20*t)", {
                -50.0 * (1.0 - (-t / 0.05).exp()) + 3.0 * (2.0 * std::f64::consts::PI * 20.0 * t).sin()
            }),
        ] {
            let value = Formula::parse(text).unwrap().at(t);
            assert!((value - expected).abs() <= 1e-13 * expected.abs(), "{text}: {value}, expected {expected}");
        }
    }

    #[test]
    fn every_function_and_constant_is_the_one_it_is_called() {
        for (name, f) in ONE {
            let x = if name == "acosh" { 1.3 } else { 0.3 };
            assert_eq!(Formula::parse(&format!("{name}({x})")).unwrap().at(0.0).to_bits(), f(x).to_bits(), "{name}");
        }
        for (name, value) in CONSTANTS {
            assert_eq!(Formula::parse(name).unwrap().at(0.0), value);
        }
    }

    #[test]
    fn what_cannot_be_read_is_told() {
        for (text, message) in [
            (
                "8*cos(",
                "cannot read the formula \"8*cos(\": expected a number, t or a function, found its end; write a formula of t such as \"0.5*sin(2*PI*t)\"",
            ),
            ("2 t", "expected an operator, found `t` at character 3;"),
            ("1e400", "`1e400` is no number;"),
            ("1.2.3", "expected an operator, found `.` at character 4;"),
            ("(t", "expected `)`, found its end;"),
            ("t)", "expected an operator, found `)` at character 2;"),
            ("", "expected a number, t or a function, found its end;"),
            ("max(t)", "expected `,`, found `)` at character 6;"),
            ("sin t", "write `sin(t)`, with parentheses;"),
            ("x + 1", "unknown variable `x` in the formula \"x + 1\"; the only variable is t [s]"),
            ("sen(t)", "unknown function `sen` in the formula \"sen(t)\"; did you mean `sin`?; the functions are abs, "),
        ] {
            let error = Formula::parse(text).unwrap_err();
            assert!(error.contains(message), "{text}: {error}");
        }
    }

    #[test]
    fn long_formulas_are_read_and_deep_ones_refused() {
        let long = vec!["t"; 40_000].join("+");
        assert_eq!(Formula::parse(&long).unwrap().at(0.5), 20_000.0);
        for (open, close) in [("(", ")"), ("-", ""), ("sin(", ")"), ("t+2*t^(", ")"), ("max(1,", ")"), ("t^", "")] {
            let nested = |levels: usize| format!("{}t{}", open.repeat(levels), close.repeat(levels));
            assert!(Formula::parse(&nested(DEEPEST / 2)).unwrap().at(0.5).is_finite(), "{open}");
            let error = Formula::parse(&nested(30_000)).unwrap_err();
            assert!(error.contains("nested more than 64 levels deep"), "{open}");
        }
    }
}
