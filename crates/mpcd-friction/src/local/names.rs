//! Solvers of stored problems by name.

use std::any::Any;

use super::accelerated::AcceleratedNlgs;
use super::admm::Admm;
use super::auto::Auto;
use super::foreign::{absent_reason, foreign_names, foreign_solver};
use super::gradient::{AcceleratedProjectedGradient, ConjugateProjectedGradient};
use super::hybrid::Hybrid;
use super::interior::InteriorPoint;
use super::lemke::Lemke;
use super::nlgs::{Jacobi, LocalMethod, Nlgs, Order};
use super::nonsmooth::{NonsmoothNewton, ProximalNewton, Reformulation};
use super::problem::LocalError;
use super::settings::LocalSolver;

/// Names of the solvers of this crate, which is every name one bears. [`local_solver`] also takes `nlgs-exact` for `nlgs`, beside
/// the names with another local solver, and what other crates registered.
pub const LOCAL_SOLVERS: [&str; 29] = [
    "auto",
    "nlgs",
    "nlgs-reverse",
    "nlgs-symmetric",
    "nlgs-shuffled",
    "nlgs-ac",
    "nlgs-jm",
    "nlgs-nm",
    "nlgs-fb",
    "nlgs-fpviupk",
    "nlgs-sbp",
    "nlgs-sal",
    "nlgs-ebp",
    "nlgs-eal",
    "quasi-nlgs",
    "jacobi",
    "nlgs-anderson",
    "admm",
    "ipm",
    "prox-nsn",
    "nsn-ac",
    "nsn-jm",
    "nsn-nm",
    "nsn-fb",
    "hybrid",
    "cpg",
    "apgd",
    "apgd-convex",
    "lemke",
];

/// Every name that [`local_solver`] knows: [`LOCAL_SOLVERS`], and after them those that other crates registered.
#[must_use]
pub fn local_solver_names() -> Vec<&'static str> {
    LOCAL_SOLVERS.into_iter().chain(foreign_names()).collect()
}

/// Least likeness (Jaro–Winkler) of a name that is suggested.
const NEAR: f64 = 0.7;

/// The solver of this name.
///
/// # Errors
/// [`LocalError::UnknownSolver`], with a near name where there is one.
pub fn local_solver<const D: usize>(name: &str) -> Result<Box<dyn LocalSolver<D>>, LocalError> {
    let makers: [&dyn Any; 2] = [&(planar as Maker<2>), &(spatial as Maker<3>)];
    let own = makers.into_iter().find_map(|make| make.downcast_ref::<Maker<D>>()).and_then(|make| make(name));
    own.or_else(|| foreign_solver(name)).ok_or_else(|| {
        let names = local_solver_names();
        if let Some(reason) = absent_reason(name) {
            return LocalError::UnknownSolver { name: name.into(), hint: format!(": {reason}"), known: names.join(", ") };
        }
        let near = names.iter().map(|&known| (strsim::jaro_winkler(known, name), known));
        let near = near.max_by(|a, b| a.0.total_cmp(&b.0)).filter(|best| best.0 > NEAR);
        let hint = near.map_or(String::new(), |(_, known)| format!("; did you mean `{known}`?"));
        LocalError::UnknownSolver { name: name.into(), hint, known: names.join(", ") }
    })
}

type Maker<const D: usize> = fn(&str) -> Option<Box<dyn LocalSolver<D>>>;

// Both dimensions are compiled here, so that no crate that asks for a solver compiles all of them anew.
fn planar(name: &str) -> Option<Box<dyn LocalSolver<2>>> {
    make(name)
}

fn spatial(name: &str) -> Option<Box<dyn LocalSolver<3>>> {
    make(name)
}

fn make<const D: usize>(name: &str) -> Option<Box<dyn LocalSolver<D>>> {
    let newton = |kind| -> Box<dyn LocalSolver<D>> { Box::new(NonsmoothNewton::new(kind)) };
    let sweeps = |local| -> Box<dyn LocalSolver<D>> { Box::new(Nlgs::with(local)) };
    let ordered = |order| -> Box<dyn LocalSolver<D>> { Box::new(Nlgs { order, ..Nlgs::default() }) };
    Some(match name {
        "auto" => Box::new(Auto::default()),
        "nlgs" | "nlgs-exact" => Box::new(Nlgs::default()),
        "nlgs-reverse" => ordered(Order::Reverse),
        "nlgs-symmetric" => ordered(Order::Symmetric),
        "nlgs-shuffled" => ordered(Order::Shuffled { seed: 0 }),
        "nlgs-ac" => sweeps(LocalMethod::Newton(Reformulation::AlartCurnier)),
        "nlgs-jm" => sweeps(LocalMethod::Newton(Reformulation::JeanMoreau)),
        "nlgs-nm" => sweeps(LocalMethod::Newton(Reformulation::NaturalMap)),
        "nlgs-fb" => sweeps(LocalMethod::Newton(Reformulation::FischerBurmeister)),
        "nlgs-fpviupk" => sweeps(LocalMethod::FixedPoint),
        "nlgs-sbp" => sweeps(LocalMethod::Sbp),
        "nlgs-sal" => sweeps(LocalMethod::Sal),
        "nlgs-ebp" => sweeps(LocalMethod::Ebp),
        "nlgs-eal" => sweeps(LocalMethod::Eal),
        "quasi-nlgs" => sweeps(LocalMethod::Quasi),
        "jacobi" => Box::new(Jacobi),
        "nlgs-anderson" => Box::new(AcceleratedNlgs),
        "admm" => Box::new(Admm),
        "ipm" => Box::new(InteriorPoint::default()),
        "prox-nsn" => Box::new(ProximalNewton::default()),
        "nsn-ac" => newton(Reformulation::AlartCurnier),
        "nsn-jm" => newton(Reformulation::JeanMoreau),
        "nsn-nm" => newton(Reformulation::NaturalMap),
        "nsn-fb" => newton(Reformulation::FischerBurmeister),
        "hybrid" => Box::new(Hybrid::default()),
        "cpg" => Box::new(ConjugateProjectedGradient),
        "apgd" => Box::new(AcceleratedProjectedGradient { relaxed: false }),
        "apgd-convex" => Box::new(AcceleratedProjectedGradient { relaxed: true }),
        "lemke" => Box::new(Lemke::default()),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_its_own_and_others_are_refused_with_a_hint() {
        for name in LOCAL_SOLVERS {
            assert!(local_solver::<3>(name).is_ok_and(|s| s.name() == name));
        }
        assert!(local_solver::<3>("nlgs-exact").is_ok_and(|s| s.name() == "nlgs"));
        let message = local_solver::<2>("nsn-ca").err().map(|e| e.to_string()).unwrap_or_default();
        assert!(message.starts_with("no solver `nsn-ca`; did you mean `nsn-ac`?; known: auto"), "{message}");
    }
}
