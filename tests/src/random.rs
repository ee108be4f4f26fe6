//! How property tests draw their cases: always the same ones, unless asked for others. No properties.
#![allow(clippy::panic, reason = "tests")]

use proptest::{prelude::ProptestConfig, test_runner::RngSeed};

/// This many cases from a seed that never changes, so that a run tells of the code and not of luck. Two environment variables
/// search further: `MPCD_CASES` says how many, `MPCD_SEED` is another seed, or `fresh` for one of the moment.
///
/// # Panics
/// On a variable that is not a number.
#[must_use]
pub fn cases(count: u32) -> ProptestConfig {
    let cases = number("MPCD_CASES").unwrap_or(count);
    let rng_seed = match std::env::var("MPCD_SEED") {
        Ok(word) if word == "fresh" => RngSeed::Random,
        _ => RngSeed::Fixed(number("MPCD_SEED").unwrap_or(1)),
    };
    ProptestConfig { cases, rng_seed, failure_persistence: None, ..ProptestConfig::default() }
}

fn number<N: std::str::FromStr>(variable: &str) -> Option<N> {
    let text = std::env::var(variable).ok()?;
    match text.parse() {
        Ok(n) => Some(n),
        Err(_) => panic!("{variable} is {text}; expected a whole number"),
    }
}
