//! Families of scenes: each makes a trial from a seed, with what a formula knows of it. Each has a file of its own.

mod bond;
mod chain;
mod drop;
mod heap;
mod impact;
mod jointed;
mod pinched;
mod press;
mod rolled;
mod seams;
mod slope;
mod spun;
mod thrown;
mod tower;

use crate::{judge::Trial, random::Draw};

/// Acceleration of gravity [m/s²].
const G: f64 = 9.81;

/// Makes the trial of a seed.
type Make = fn(u64, &mut Draw) -> Trial;

/// All families by name.
pub const FAMILIES: [(&str, Make); 14] = [
    ("tower", tower::make),
    ("slope", slope::make),
    ("impact", impact::make),
    ("drop", drop::make),
    ("chain", chain::make),
    ("seams", seams::make),
    ("bond", bond::make),
    ("heap", heap::make),
    ("press", press::make),
    ("pinched", pinched::make),
    ("spun", spun::make),
    ("thrown", thrown::make),
    ("rolled", rolled::make),
    ("jointed", jointed::make),
];

/// The trial of a seed: families take turns.
#[must_use]
pub fn trial(seed: u64) -> Trial {
    let (_, make) = FAMILIES[(seed % FAMILIES.len() as u64) as usize];
    make(seed, &mut Draw::new(seed))
}
