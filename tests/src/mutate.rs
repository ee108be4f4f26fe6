//! Damaged models for the fuzzing of the model reader: whole models, cut into tokens and changed in a few places. A case follows from
//! its seed and number alone, so that any can be made again. What is done with a case is not known here.

use std::ops::Range;

/// Random numbers: SplitMix64 (Steele, Lea, Flood 2014, <https://doi.org/10.1145/2660193.2660195>).
pub(crate) struct Dice(u64);

impl Dice {
    /// Those of a case.
    pub(crate) const fn of(seed: u64, number: u64) -> Self {
        Self(seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ number.wrapping_mul(0xd6e8_feb8_6659_fd93))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Below `n`, which is above zero.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next() % n.max(1) as u64).unwrap_or(0)
    }

    pub(crate) fn one<'a, T: ?Sized>(&mut self, of: &[&'a T]) -> &'a T {
        of[self.below(of.len())]
    }
}

/// Values at which readers go wrong: nothing, signs, limits of types, what is not finite, units that do not fit.
const VALUES: &[&str] = &[
    "0",
    "-0.0",
    "1",
    "-1",
    "2",
    "3",
    "0.5",
    "1e-9",
    "1e-300",
    "1e300",
    "1e18",
    "4e9",
    "255",
    "256",
    "65536",
    "4294967295",
    "4294967296",
    "9223372036854775808",
    "1e9",
    "1000000",
    "NaN",
    "inf",
    "-inf",
    "true",
    "()",
    "[]",
    "{}",
    "\"\"",
    "\"1 mm\"",
    "\"1e9 m\"",
    "\"-1 s\"",
    "\"10 kg\"",
    "\"0 m\"",
    "\"1e-30 m\"",
    "\"t\"",
    "\"1/t\"",
    "\"steel\"",
    "(0, 0)",
    "(0, 0, 0)",
    "(1e300, 0)",
    "(1, 1, 1)",
];

/// Makes damaged models from sound ones.
pub struct Mutator {
    models: Vec<String>,
    /// Every different token of the models.
    words: Vec<String>,
}

impl Mutator {
    /// From these models, of which there must be one.
    #[must_use]
    pub fn new(models: Vec<String>) -> Self {
        let mut words: Vec<String> = models.iter().flat_map(|m| tokens(m).into_iter().map(|t| m[t].to_owned())).collect();
        words.sort();
        words.dedup();
        Self { models, words }
    }

    /// The case of this seed and number.
    #[must_use]
    pub fn case(&self, seed: u64, number: u64) -> String {
        let mut dice = Dice::of(seed, number);
        let mut text = self.models[dice.below(self.models.len())].clone();
        for _ in 0..1 + dice.below(4) {
            text = self.changed(&text, &mut dice);
            if text.len() > 1 << 20 {
                break;
            }
        }
        text
    }

    fn changed(&self, text: &str, dice: &mut Dice) -> String {
        let all = tokens(text);
        if all.is_empty() {
            return self.models[dice.below(self.models.len())].clone();
        }
        let at = all[dice.below(all.len())].clone();
        let put = |range: Range<usize>, new: &str| [&text[..range.start], new, &text[range.end..]].concat();
        match dice.below(12) {
            0..=3 => {
                let numbers: Vec<_> =
                    all.iter().filter(|t| text[t.start..].starts_with(|c: char| c.is_ascii_digit() || c == '-')).collect();
                if numbers.is_empty() {
                    return put(at, dice.one(VALUES));
                }
                put(numbers[dice.below(numbers.len())].clone(), dice.one(VALUES))
            }
            4 => put(at, &self.words[dice.below(self.words.len())]),
            5 => put(at, dice.one(VALUES)),
            6 => put(at, ""),
            7 => put(item(text, at.start), ""),
            8 => {
                let (from, times) = (item(text, at.start), [1, 2, 40][dice.below(3)]);
                put(from.end..from.end, &format!(", {}", &text[from]).repeat(times))
            }
            9 => {
                let other = &self.models[dice.below(self.models.len())];
                let places = tokens(other);
                let there = item(other, places[dice.below(places.len())].start);
                put(item(text, at.start), &other[there])
            }
            10 => {
                let sign = dice
                    .one(&["(", ")", "[", "]", "{", "}", ",", ":", "\"", "//", "/*", "*/", "'", "\\", "\u{e9}", "\r", "r#\""]);
                put(at.start..at.start, sign)
            }
            _ => match dice.below(3) {
                0 => text[..at.start].to_owned(),
                1 => put(at.start..at.start, &"(".repeat(1 + dice.below(3000))),
                _ => put(at.clone(), &text[at].repeat(1 + dice.below(3000))),
            },
        }
    }
}

/// The item of a container that the token at `at` begins or is in: up to the next comma or closing bracket.
fn item(text: &str, at: usize) -> Range<usize> {
    let mut depth = 0_usize;
    for (i, c) in text[at..].char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth == 0 => return at..at + i,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => return at..at + i,
            _ => {}
        }
    }
    at..text.len()
}

/// Words, numbers, texts in quotes and single signs; blanks and comments to the end of a line are between them.
fn tokens(text: &str) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let until =
            |stop: &dyn Fn(char) -> bool| rest.char_indices().skip(1).find(|(_, c)| stop(*c)).map_or(rest.len(), |(i, _)| i);
        let length = match c {
            _ if rest.starts_with("//") => until(&|c| c == '\n'),
            '"' => (until(&|c| c == '"') + 1).min(rest.len()),
            _ if c.is_alphanumeric() || "_-+.".contains(c) => until(&|c| !(c.is_alphanumeric() || "_-+.".contains(c))),
            _ => c.len_utf8(),
        };
        if !c.is_whitespace() && !rest.starts_with("//") {
            out.push(at..at + length);
        }
        at += length;
    }
    out
}
