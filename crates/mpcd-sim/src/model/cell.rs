//! What moves the lengths of a periodic cell: the part of `periodic` beyond the lengths, and what contradicts itself there.

use mpcd_core::{CellDrive, Dimension, Fragment, InputError, MovingCell};

use super::file::PeriodicSection;

const AXES: [&str; 3] = ["x", "y", "z"];

/// The moving cell of a section, if something moves it.
pub(super) fn read(
    section: PeriodicSection,
    periods: &[Option<f64>; 3],
    dimension: Option<Dimension>,
    text: &Fragment,
) -> Result<Option<MovingCell>, InputError> {
    let PeriodicSection { stress, rate, mass, viscosity, .. } = section;
    let (has_stress, has_rate) = (stress.is_some(), rate.is_some());
    let parts = |part: Option<super::CellComponents>| part.map_or([None, None, None], |c| [c.x, c.y, c.z]);
    let fail = |message: String, help: &str, at: &str| Err(InputError::new(message).help(help).at(at).within(text));
    let mut drives: [CellDrive; 3] = std::array::from_fn(|_| CellDrive::Fixed);
    for (k, (stress, rate)) in parts(stress).into_iter().zip(parts(rate)).enumerate() {
        let axis = AXES[k];
        let key = if stress.is_some() { "stress" } else { "rate" };
        drives[k] = match (stress, rate) {
            (None, None) => continue,
            (Some(_), Some(_)) => {
                let message = format!("the length along {axis} has both a stress and a rate; expected one of them");
                return fail(message, "remove one of the two", "rate");
            }
            (Some(stress), None) => CellDrive::Stress(stress),
            (None, Some(rate)) => CellDrive::Rate(rate),
        };
        if periods[k].is_none() {
            let message = format!("the cell has a {key} along {axis} but no length there; expected a periodic axis");
            return fail(message, &format!("give `periodic` the length `{axis}`, or remove `{axis}` from `{key}`"), key);
        }
    }
    let axes = if dimension == Some(Dimension::Planar) { 2 } else { 3 };
    let follows = drives.iter().any(|d| matches!(d, CellDrive::Stress(_)));
    if let (true, Some(open)) = (follows, (0..axes).find(|k| periods[*k].is_none())) {
        let message = format!("the cell follows a stress but does not repeat along {}; its section is then unknown", AXES[open]);
        return fail(message, "make every axis of the model periodic, or press with a wall and a Force", "stress");
    }
    for (key, given) in [("mass", mass.is_some()), ("viscosity", viscosity.is_some())] {
        if given && !follows {
            let message = format!("the cell has a {key} but follows no stress; it would change nothing");
            return fail(message, &format!("remove `{key}`, or give `stress`"), key);
        }
    }
    for (key, given) in [("stress", has_stress), ("rate", has_rate)] {
        let used = drives.iter().any(|d| match key {
            "stress" => matches!(d, CellDrive::Stress(_)),
            _ => matches!(d, CellDrive::Rate(_)),
        });
        if given && !used {
            return fail(
                format!("`{key}` of the cell names no axis; expected x, y or z"),
                "write for example `stress: (x: 1e4)`",
                key,
            );
        }
    }
    let moves = drives.iter().any(|d| !matches!(d, CellDrive::Fixed));
    Ok(moves.then(|| MovingCell {
        drives,
        mass: mass.map(|m| m.si()),
        viscosity: viscosity.map_or(0.0, |v| v.si()),
        text: text.clone(),
    }))
}
