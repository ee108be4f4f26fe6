//! Which of the forces that rigid contacts leave open are taken: as the model asks ([`Pick`]), and always the compliant ones where brittle bonds are to be judged.
//! What is picked among is in [`mpcd_friction::selection`]; here are the stiffnesses, and what cannot be picked among.

use mpcd_core::{InputError, Setup, setup::Interaction};
use mpcd_friction::{
    SolveInfo, SolveSettings, Stage, Status,
    problem::{Contact, Motion, ProblemError, Response},
    selection::{Backing, Selected, Sharp, judged, reported, select, sharpen, tried},
};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::{
    assemble::Assembly,
    law::{Law, LawTable, Restitution},
};

/// Which of the impulses that give the velocities of a step are taken.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
pub enum Pick {
    /// Those that the solver finds.
    #[default]
    Any,
    /// Those of the least sum of squares.
    MinimumNorm,
    /// Those of springs behind the contacts, the stiffer the larger the contact's area, in the limit where they give way no more.
    Compliant,
}

/// What to say of a step that failed with its last stage of this name, if that is picking: because the model `asks` for it, or because bonds are judged by it.
pub(crate) fn of_stage(stage: &Stage, asks: Pick) -> Option<String> {
    let pick = [Pick::MinimumNorm, Pick::Compliant].into_iter().find(|pick| name(*pick) == stage.name)?;
    if pick != asks {
        return Some(format!(
            "; what rigid bonds carry, by which they are judged, is found to {:.1e} only: a larger `tolerance`, or a bond that gives way (`Bilinear`), may take the step",
            stage.error
        ));
    }
    Some(format!(
        "; the impulses that `forces: {pick:?}` picks are found to {:.1e} only: a larger `tolerance`, or no `forces`, takes the step as the solver ends it",
        stage.error
    ))
}

/// The name under which picking is reported.
const fn name(pick: Pick) -> &'static str {
    match pick {
        Pick::Any => "any",
        Pick::MinimumNorm => "minimum-norm",
        Pick::Compliant => "compliant",
    }
}

/// The springs behind the contacts of the problem; those without an area (a sharp corner) have that of the smallest.
fn backings(assembly: &Assembly, laws: &LawTable, pick: Pick) -> Vec<Backing> {
    let has_size = |s: &&f64| s.is_finite() && **s > 0.0;
    let least = assembly.sizes.iter().filter(has_size).copied().fold(f64::INFINITY, f64::min);
    let least = if least.is_finite() { least } else { 1.0 };
    let stiffness = |size: &f64| match pick {
        Pick::MinimumNorm => 1.0,
        Pick::Any | Pick::Compliant => Some(size).filter(has_size).map_or(least, |s| *s),
    };
    let mut out: Vec<Backing> = assembly.sizes.iter().map(|size| Backing { stiffness: stiffness(size), bonded: false }).collect();
    for staged in &assembly.staged {
        let input = &assembly.remembering[staged.remembering].1;
        let backing = &mut out[staged.contact];
        backing.bonded = laws.law(staged.law).stages().is_some_and(|law| law.is_rigid(input));
        if backing.bonded && gives_in(&assembly.problem.contacts[staged.contact]) {
            backing.stiffness = 0.0;
        }
    }
    out
}

/// Part of the limit of a cone within which an impulse is at it.
const AT_LIMIT: f64 = 1e-3;

/// Whether a bond has come to the limit of what the solve gives it, which is more than it bears: what is prescribed along a body moves it whatever holds. No balance of
/// that body says what the bond has there, so it keeps its impulse, and breaks by that.
fn gives_in(contact: &Contact) -> bool {
    let Response::Cone(cone) = contact.response else { return false };
    let r = contact.impulse + contact.impulse_shift;
    contact.impulse_shift.x > 0.0 && r.y.hypot(r.z) >= cone.friction() * r.x * (1.0 - AT_LIMIT)
}

/// Share of the tolerance asked of the solve before impulses are picked: what picking moves shall not bring the error beyond the tolerance.
const ASKED: f64 = 0.1;

/// What is asked of the solve.
pub(crate) fn asked(pick: Pick, settings: &SolveSettings) -> SolveSettings {
    let share = if pick == Pick::Any { 1.0 } else { ASKED };
    SolveSettings { tolerance: share * settings.tolerance, ..*settings }
}

/// What meets the tolerance of the model is a solution, whatever more was asked of it.
pub(crate) fn enough(pick: Pick, info: &mut SolveInfo, settings: &SolveSettings) {
    let missed = matches!(info.status, Status::Stalled | Status::MaxIterations);
    if pick != Pick::Any && missed && info.error() <= settings.tolerance {
        info.status = Status::Converged;
    }
}

/// Takes the compliant impulses in the islands whose brittle bonds hold; `None` where there are none.
pub(crate) fn of_bonds(
    assembly: &mut Assembly,
    laws: &LawTable,
    settings: &SolveSettings,
) -> Result<Option<Selected>, ProblemError> {
    let backings = backings(assembly, laws, Pick::Compliant);
    if !backings.iter().any(|b| b.bonded) {
        return Ok(None);
    }
    let holds = |k: usize| backings.get(k).is_some_and(|b| b.bonded);
    select(&mut assembly.problem, &backings, settings, &Sharp::default(), holds).map(Some)
}

/// Takes the impulses that the model asks for: Newton takes what the solver found to rounding, then these are picked among. Where the solver missed its
/// tolerance and Newton does not, the step is a solution all the same.
pub(crate) fn of_all(
    assembly: &mut Assembly,
    laws: &LawTable,
    pick: Pick,
    settings: &SolveSettings,
    (free, mut info): (&Motion, SolveInfo),
) -> Result<SolveInfo, ProblemError> {
    let missed = matches!(info.status, Status::Stalled | Status::MaxIterations);
    if pick == Pick::Any || assembly.problem.contacts.is_empty() || !(info.status.is_success() || missed) {
        return Ok(info);
    }
    let left = missed.then(|| assembly.problem.clone());
    let sharp = sharpen(&mut assembly.problem, free, settings, |_| true)?;
    if let Some(left) = left {
        let found = judged(&mut assembly.problem, free, settings)?;
        if !sharp.is_complete() || found.status != Status::Converged {
            assembly.problem = left;
            return Ok(tried(info, &sharp));
        }
        info.status = Status::Converged;
    }
    let backings = backings(assembly, laws, pick);
    let selected = select(&mut assembly.problem, &backings, settings, &sharp, |_| true)?;
    if selected.islands == 0 {
        let judged = judged(&mut assembly.problem, free, settings)?;
        return Ok(SolveInfo { errors: judged.errors, worst: judged.worst, violation: judged.violation, ..tried(info, &sharp) });
    }
    let judged = judged(&mut assembly.problem, free, settings)?;
    Ok(reported(info, name(pick), &sharp, selected, judged))
}

/// The report with the impulses that bonds are judged by, judged as a solve is.
pub(crate) fn accepted(
    assembly: &mut Assembly,
    pick: Pick,
    settings: &SolveSettings,
    (free, info): (&Motion, SolveInfo),
    selected: Selected,
) -> Result<SolveInfo, ProblemError> {
    if selected.islands == 0 {
        return Ok(info);
    }
    let judged = judged(&mut assembly.problem, free, settings)?;
    Ok(reported(info, name(pick), &Sharp::default(), selected, judged))
}

/// Refuses models in which shares cannot be picked.
///
/// # Errors
/// What stands in the way, at its place.
pub(crate) fn check(pick: Pick, setup: &Setup, laws: &LawTable, beside: &[(bool, &str)]) -> Result<(), InputError> {
    if pick == Pick::Any {
        return Ok(());
    }
    if let Some((_, what)) = beside.iter().find(|(has, _)| *has) {
        let message = format!(
            "`forces: {pick:?}` picks among the impulses of rigid bodies in steps of Moreau–Jean, but the model has {what}"
        );
        return Err(InputError::new(message).at("forces").help("remove `forces`: what the solver finds is then taken"));
    }
    let why = |law: &dyn Law| match law.restitution() {
        Restitution::Phases(_) => Some("restitutes in a phase of its own"),
        _ if law.resists_rolling() => Some("resists rolling"),
        _ if law.is_local() => Some("solves its own local problem"),
        _ => None,
    };
    let refused = |i: &Interaction| laws.between(i.groups.0, i.groups.1).and_then(|law| why(laws.law(law)));
    let Some((interaction, why)) = setup.interactions.iter().find_map(|i| refused(i).map(|why| (i, why))) else {
        return Ok(());
    };
    let message =
        format!("the law `{}` {why}, and `forces: {pick:?}` of Contact cannot pick among its impulses", interaction.law.name());
    Err(InputError::new(message).help("expected a cone, as Coulomb(friction: 0.3); or remove `forces`").within(&interaction.law))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    /// Words about `forces` are for models that have it: bonds are judged by compliant impulses without.
    #[test]
    fn words_on_picked_forces_are_of_what_the_model_asks() {
        let stage = Stage { name: name(Pick::Compliant), iterations: 1, error: 2e-3 };
        assert!(of_stage(&stage, Pick::Compliant).unwrap().contains("no `forces`"));
        let bonds = of_stage(&stage, Pick::Any).unwrap();
        assert!(bonds.contains("what rigid bonds carry") && !bonds.contains("`forces"), "{bonds}");
        assert_eq!(of_stage(&Stage { name: "sweeps", ..stage }, Pick::Any), None);
    }
}
