//! Newton on the law of one contact, `F(r, W r + q) = 0`.
//!
//! Dumont solves for (r, v) with the tangent `[[−W, I], [A, B]]`; as his first row is linear and holds from the start, his
//! condensed system (32) is `(A + B W) Δr = −Z`, and this is it. His Z (26) is the natural map and his Z̃ (36) the equation of
//! Alart and Curnier, so that the tangents are those of [`Reformulation`].

use super::contact::LocalContact;
use crate::local::nonsmooth::Reformulation;
use crate::local::small::{apply, inverse, product};

/// How many steps, to which residual (relative to ‖r‖ + ρ‖u‖ at the start), and whether they are shortened.
#[derive(Debug, Clone, Copy)]
pub(super) struct Steps {
    pub(super) most: usize,
    pub(super) tolerance: f64,
    pub(super) line_search: bool,
}

/// Newton with line search that ends above this share of the residual at its start is caught.
const CAUGHT: f64 = 1e-3;
/// Halvings of a step at most.
const HALVINGS: usize = 10;

fn norm<const D: usize>(x: &[f64; D]) -> f64 {
    x.iter().map(|v| v * v).sum::<f64>().sqrt()
}

/// Newton from `r`, where the velocity is `u`; at least one step. With line search: where it is caught in a local minimum of
/// ‖F‖, the self-adaptive fixed point is taken instead. Without: where it ends no nearer to the law than it began (the tangent
/// was singular, or steps went astray), one projected step.
pub(super) fn solve<const D: usize>(
    contact: &LocalContact<D>,
    equation: Reformulation,
    steps: Steps,
    r: &[f64; D],
    u: &[f64; D],
) -> [f64; D] {
    let at = |x: &[f64; D]| {
        let v = contact.velocity(r, u, x);
        equation.linearise(contact.friction, contact.step, x, &v)
    };
    let enough = steps.tolerance * (norm(r) + contact.step * norm(u));
    let (mut x, mut lin) = (*r, at(r));
    let first = norm(&lin.value);
    let mut size = first;
    for done in 0..steps.most {
        if size == 0.0 || (done > 0 && size <= enough) {
            break;
        }
        let mut tangent = product(&lin.a, &contact.block);
        for i in 0..D {
            for j in 0..D {
                tangent[i][j] += lin.b[i][j];
            }
        }
        let Some(inv) = inverse(&tangent) else { break };
        let direction = apply(&inv, &lin.value);
        let mut share = 1.0;
        let mut next = std::array::from_fn(|k| x[k] - direction[k]);
        let mut next_lin = at(&next);
        if steps.line_search {
            for _ in 0..HALVINGS {
                if norm(&next_lin.value) < (1.0 - 0.1 * share) * size {
                    break;
                }
                share *= 0.5;
                next = std::array::from_fn(|k| x[k] - share * direction[k]);
                next_lin = at(&next);
            }
            // at rounding, or in a local minimum of ‖F‖
            if !(norm(&next_lin.value) < size) {
                break;
            }
        }
        (x, lin) = (next, next_lin);
        size = norm(&lin.value);
        if !size.is_finite() {
            break;
        }
    }
    if size < if steps.line_search { CAUGHT * first } else { first } || first == 0.0 {
        return x;
    }
    if steps.line_search {
        return contact.fixed_point(r, u);
    }
    match equation {
        Reformulation::NaturalMap => contact.bipotential_step(contact.step, r, u),
        _ => contact.lagrangian_step(contact.step, r, u),
    }
}
