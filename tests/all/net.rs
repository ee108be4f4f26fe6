//! The net, a short haul: random scenes of each family on every path. `cargo run --release -p mpcd-net -- --scenes 2600` goes further; what it
//! found last is in docs/verification.

use mpcd_net::{
    Draw,
    family::FAMILIES,
    judge::{Paths, judge},
};

/// Seeds of each family.
const SEEDS: std::ops::RangeInclusive<u64> = 1..=6;

/// What is known to fail and not mended (docs/net.md): a lid 10⁵ times as heavy as its grains is refused for want of accuracy.
const KNOWN: [(&str, u64); 1] = [("press", 3)];

fn haul(family: &str) {
    let (_, make) = FAMILIES.iter().find(|(name, _)| *name == family).unwrap();
    let findings: Vec<String> = SEEDS
        .filter(|seed| !KNOWN.contains(&(family, *seed)))
        .flat_map(|seed| judge(&make(seed, &mut Draw::new(seed)), Paths { tight: true, views: true }))
        .map(|finding| finding.to_string())
        .collect();
    assert!(findings.is_empty(), "{}", findings.join("\n"));
}

macro_rules! families {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            haul(stringify!($name));
        })*

        #[test]
        fn every_family_is_hauled() {
            let names = [$(stringify!($name)),*];
            assert!(FAMILIES.iter().all(|(name, _)| names.contains(name)) && names.len() == FAMILIES.len());
        }
    };
}

families! { tower slope impact drop chain seams bond heap press pinched spun thrown rolled jointed }

/// Scenes of longer hauls that were wrong: an overlap that passed the limit untold as the features of the pair changed (1017), a moment bound by an impulse of
/// rounding that became no number (272), overlaps that grew to the limit because steps were long (197, 697, 1277).
#[test]
fn what_was_found_stays_mended() {
    let found = |(family, seed): (&str, u64)| {
        let (_, make) = FAMILIES.iter().find(|(name, _)| *name == family).unwrap();
        judge(&make(seed, &mut Draw::new(seed)), Paths { tight: false, views: false })
    };
    let scenes = [("heap", 197), ("heap", 697), ("heap", 1277), ("press", 378)];
    let findings: Vec<String> = scenes.into_iter().flat_map(found).map(|finding| finding.to_string()).collect();
    assert!(findings.is_empty(), "{}", findings.join("\n"));
}
