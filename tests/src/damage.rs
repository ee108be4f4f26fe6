//! Damaged files for the fuzzing of readers of text and of bytes: whole files with words, lines and stretches of bytes changed. A case follows from its seed and number
//! alone. What is done with it is not known here.

use std::ops::Range;

use crate::mutate::Dice;

/// Words at which readers of meshes go wrong: counts that no file holds, what is no number, types of cells, keywords.
const WORDS: &[&str] = &[
    "0",
    "-1",
    "1",
    "2",
    "3",
    "7",
    "25",
    "93",
    "255",
    "65536",
    "4294967296",
    "9223372036854775807",
    "18446744073709551615",
    "99999999999999999999",
    "1e308",
    "1e-320",
    "-0.0",
    "nan",
    "inf",
    "0x10",
    "\u{e9}",
    "\"",
    "$Nodes",
    "$EndElements",
    "$Comments",
    "<Piece>",
    "</Cells>",
    "format=\"appended\"",
    "format=\"binary\"",
    "type=\"UInt8\"",
    "offset=\"18446744073709551615\"",
    "NumberOfCells=\"4294967296\"",
    "header_type=\"UInt32\"",
];

/// Makes damaged files from sound ones.
pub struct Damage {
    files: Vec<(String, Vec<u8>)>,
}

impl Damage {
    /// From these files, by name, of which there must be one.
    #[must_use]
    pub const fn new(files: Vec<(String, Vec<u8>)>) -> Self {
        Self { files }
    }

    /// The case of this seed and number, and the name of the file that it is made from.
    #[must_use]
    pub fn case(&self, seed: u64, number: u64) -> (&str, Vec<u8>) {
        let mut dice = Dice::of(seed, number);
        let (name, whole) = &self.files[dice.below(self.files.len())];
        let mut bytes = whole.clone();
        for _ in 0..1 + dice.below(4) {
            let changed = self.changed(&bytes, &mut dice);
            bytes = changed;
            if bytes.is_empty() || bytes.len() > 1 << 20 {
                break;
            }
        }
        (name, bytes)
    }

    fn changed(&self, bytes: &[u8], dice: &mut Dice) -> Vec<u8> {
        let at = dice.below(bytes.len());
        let put = |range: Range<usize>, new: &[u8]| [&bytes[..range.start], new, &bytes[range.end..]].concat();
        let stretch = at..(at + 1 + dice.below(40)).min(bytes.len());
        let (word, line) = (around(bytes, at, |b| b.is_ascii_whitespace()), around(bytes, at, |b| b == b'\n'));
        match dice.below(12) {
            0..=3 => put(word, dice.one(WORDS).as_bytes()),
            4 => {
                let other = dice.below(bytes.len());
                put(word, &bytes[around(bytes, other, |b| b.is_ascii_whitespace())])
            }
            5 => put(line.start..(line.end + 1).min(bytes.len()), b""),
            6 => {
                let copy = [&bytes[line.clone()], b"\n"].concat().repeat([1, 1, 1000][dice.below(3)]);
                put(line.start..line.start, &copy)
            }
            7 => bytes[..at].to_vec(),
            8 => {
                let mut out = bytes.to_vec();
                out[at] ^= 1 << dice.below(8);
                out
            }
            9 => put(stretch, b""),
            10 => {
                let (_, other) = &self.files[dice.below(self.files.len())];
                let there = dice.below(other.len());
                put(stretch, &other[there..(there + 40).min(other.len())])
            }
            _ => put(stretch.clone(), &vec![b"0 9-\n\0\xff"[dice.below(7)]; stretch.len()]),
        }
    }
}

/// What lies between two such bytes around `at`.
fn around(bytes: &[u8], at: usize, is_end: impl Fn(u8) -> bool) -> Range<usize> {
    let start = bytes[..at].iter().rposition(|b| is_end(*b)).map_or(0, |k| k + 1);
    let end = bytes[at..].iter().position(|b| is_end(*b)).map_or(bytes.len(), |k| at + k);
    start..end.max(start)
}
