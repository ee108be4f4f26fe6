//! Path following past folds: the answer to packings that are about to slip. Here the walk along the curve; the curve itself stands in
//! `path`.
//!
//! Each contact is given a compliance α/ρ about the impulses c where the curve starts, `u = W r + q + α (r − c)/ρ`, with Coulomb's law on
//! this u (ρ = 1/λ_max(W_cc), so α has no unit). The solutions (r, α) are a curve of smooth pieces that starts at c for α → ∞ and, its
//! impulses being bounded, comes to α = 0, where the problem itself is solved. α need not fall on the way: where a packing snaps the curve
//! turns back, and iterations at given α end. So ln α is one unknown more, the curve is followed by its length, and the sign of the
//! determinant of Newton's matrix tells which way is on: it changes where the direction of α does (Allgower and Georg, *Numerical
//! Continuation Methods*, 1990, chapters 2, 10 and 12; doi:10.1007/978-3-642-61257-2).
//!
//! A step is long, over several changes of contacts' status, as long as Newton returns to the curve from its end. Where Newton does not,
//! steps go from one change to the next, where the curve has a corner, often a sharp one.

mod path;
#[cfg(test)]
mod tests;

use super::Reformulation;
use crate::local::newton::NewtonSystem;
use crate::local::prepared::PreparedProblem;
use crate::local::settings::Watch;
use crate::local::small::norm;
use path::{Path, Point};

/// First α, how many times ten it may be, and Newton steps to the curve there.
const FIRST: f64 = 1e-4;
const TENFOLDS: usize = 3;
const FIRST_STEPS: usize = 6;
/// Residual on the curve, relative to α ‖r − c‖.
const ON_CURVE: f64 = 1e-4;
/// Lengths: of the first step, and of the longest. One unit is a factor e of α, or the distance from the centre.
const FIRST_LENGTH: f64 = 0.5;
const LONGEST: f64 = 1.0;
/// Newton steps of a long step at most, and up to which the next one is twice as long.
const LONG_STEPS: usize = 5;
const EASY_STEPS: usize = 3;
/// A long step must end no further away than so many lengths, and in a direction on which it has at least this share of itself.
const CHORD: f64 = 1.5;
const AHEAD: f64 = 0.4;
/// Longest short step, its Newton steps, and halvings where they do not do.
const SHORT: f64 = 0.2;
const SHORT_STEPS: usize = 4;
const HALVINGS: usize = 6;
/// How far beyond a change its far side is linearised, relative to the step and at least; how far on from the change the step ends.
const BEYOND: [f64; 2] = [1e-2, 1e-6];
const ON: [f64; 2] = [2e-2, 1e-6];
/// A short step must end no further away than so many lengths, give or take what its end is set apart by, and Newton must not leave
/// the curve: its residual may rise by this factor over a change.
const SHORT_CHORD: f64 = 1.3;
const APART: f64 = 1e-5;
const LEFT: f64 = 100.0;
/// Short steps in a row, and at most: twice as many after each long step that failed.
const FEW: usize = 4;
const MANY: usize = 16;
/// Curves, each from where the last one came, while each makes the error smaller by this factor.
const CURVES: usize = 4;
const GAIN: f64 = 0.9;

/// Follows the curve about the impulses `start`, which are near a solution, until the watch is content or `most` factorisations are
/// spent; returns how many were.
pub(in crate::local) fn iterate<const D: usize>(
    problem: &PreparedProblem<D>,
    system: &mut NewtonSystem<D>,
    start: &[[f64; D]],
    most: usize,
    watch: &mut Watch<D>,
) -> usize {
    let mut done = 0;
    for curve in 0..CURVES {
        let (before, best) = (watch.best(), watch.best_impulses());
        let centre = if curve == 0 { start.to_vec() } else { best.to_vec() };
        done += Walk::new(problem, system, centre, most.saturating_sub(done)).follow(watch);
        if watch.content() || watch.out_of_time() || done >= most || !(watch.best() < GAIN * before) {
            break;
        }
    }
    done.min(most)
}

/// One curve, and what may be spent on it.
struct Walk<'a, const D: usize> {
    path: Path<'a, D>,
    most: usize,
}

/// Where a step ended, the direction in which the curve goes on from there, and the length or the steps of it.
struct Step<const D: usize, T> {
    end: Point<D>,
    on: Point<D>,
    made: T,
}

impl<'a, const D: usize> Walk<'a, D> {
    fn new(problem: &'a PreparedProblem<D>, system: &'a mut NewtonSystem<D>, centre: Vec<[f64; D]>, most: usize) -> Self {
        Self { path: Path::new(Reformulation::AlartCurnier, problem, system, centre), most }
    }

    /// Walks until the watch is content, the curve is lost or everything is spent; factorisations.
    fn follow(&mut self, watch: &mut Watch<D>) -> usize {
        if let Some((at, direction)) = self.first() {
            self.walk(at, direction, watch);
        }
        self.path.factorised
    }

    /// A point of the curve not far from its start, and the way on from there: α falls.
    fn first(&mut self) -> Option<(Point<D>, Point<D>)> {
        for tenfold in 0..=TENFOLDS {
            let mut at = Point { r: self.path.centre.clone(), ln: FIRST.ln() + tenfold as f64 * 10_f64.ln() };
            let mut on = None;
            for _ in 0..=FIRST_STEPS {
                let lin = self.path.linearise(&at);
                if let Some(on) = on.take()
                    && self.is_on_curve(&at, norm(&lin.values))
                {
                    return Some((at, on));
                }
                if self.path.factorised >= self.most {
                    return None;
                }
                let solved = self.path.solve(&at, &lin);
                at = at.moved(1.0, &Point { r: solved.step.clone(), ln: 0.0 });
                self.path.starts_with(solved.sign);
                self.path.weigh(&at.r);
                on = Some(self.path.on(&solved));
            }
        }
        None
    }

    fn is_on_curve(&self, at: &Point<D>, residual: f64) -> bool {
        residual <= ON_CURVE * norm(&self.path.offset(&at.r)) * at.ln.exp().min(1.0)
    }

    fn walk(&mut self, mut at: Point<D>, mut direction: Point<D>, watch: &mut Watch<D>) {
        let (mut length, mut few) = (FIRST_LENGTH, FEW);
        while !self.is_over(watch) {
            self.path.weigh(&at.r);
            direction = self.path.unit(direction);
            if let Some(step) = self.long(&at, &direction, length) {
                (at, direction) = (step.end, step.on);
                if step.made <= EASY_STEPS {
                    length = (2.0 * length).min(LONGEST);
                }
                few = (few / 2).max(FEW);
                self.path.show(&at, watch);
                continue;
            }
            let (mut gone, mut count) = (0.0, 0);
            while count < few && gone <= length && !self.is_over(watch) {
                let Some(step) = self.short(&at, &direction) else { break };
                (at, direction) = (step.end, step.on);
                gone += step.made;
                count += 1;
                self.path.show(&at, watch);
            }
            if count == 0 {
                return;
            }
            let mean = 2.0 * gone / count as f64;
            length = mean.max(gone).min(0.5 * length.max(mean));
            few = (2 * few).min(MANY);
        }
    }

    fn is_over(&self, watch: &Watch<D>) -> bool {
        self.path.factorised >= self.most || watch.content() || watch.out_of_time()
    }

    /// Newton from the point `length` ahead, in the plane across the direction there. `None` where it does not come to this part of the
    /// curve.
    fn long(&mut self, at: &Point<D>, direction: &Point<D>, length: f64) -> Option<Step<D, usize>> {
        let mut end = at.moved(length, direction);
        let mut least = f64::INFINITY;
        let mut on = None;
        for made in 0..=LONG_STEPS {
            let lin = self.path.linearise(&end);
            let residual = norm(&lin.values);
            if let Some(mut on) = on.take()
                && self.is_on_curve(&end, residual)
            {
                if lin.statuses != self.path.statuses {
                    on = self.path.solved_on(&end, &lin);
                }
                let chord = end.moved(-1.0, at);
                let size = self.path.size(&chord);
                let is_ahead = size < CHORD * length && self.path.dot(&chord, &on) > AHEAD * size;
                return is_ahead.then_some(Step { end, on, made });
            }
            if made == LONG_STEPS || !residual.is_finite() || made >= 2 && residual > least {
                return None;
            }
            least = least.min(residual);
            let solved = self.path.solve(&end, &lin);
            let missing = length - self.path.dot(direction, &end.moved(-1.0, at));
            end = end.moved(1.0, &self.path.across(&solved, direction, missing));
            on = Some(self.path.on(&solved));
        }
        None
    }

    /// A step just past the first change of a status; a shorter one where that is far or Newton does not come to the curve there.
    fn short(&mut self, at: &Point<D>, direction: &Point<D>) -> Option<Step<D, f64>> {
        let change = self.path.change(at, direction);
        let mut length = (change + (BEYOND[0] * change).max(BEYOND[1])).min(SHORT);
        for _ in 0..HALVINGS {
            if let Some((end, on)) = self.over(at, direction, (length, change)) {
                return Some(Step { end, on, made: length });
            }
            if self.path.factorised >= self.most {
                return None;
            }
            length *= 0.5;
        }
        None
    }

    fn over(&mut self, at: &Point<D>, direction: &Point<D>, (length, change): (f64, f64)) -> Option<(Point<D>, Point<D>)> {
        let past = (length - change).max(0.0);
        let mut end = at.moved(length, direction);
        let (mut first, mut last) = (f64::INFINITY, None);
        for done in 0..=SHORT_STEPS {
            let lin = self.path.linearise(&end);
            let residual = norm(&lin.values);
            let is_near = done > 0 && self.is_on_curve(&end, residual);
            let is_lost = !(residual <= LEFT * first) || self.path.size(&end.moved(-1.0, at)) > SHORT_CHORD * length + APART;
            if done > 0 && is_lost || !residual.is_finite() {
                return None;
            }
            if done == 0 {
                first = residual;
            }
            // the direction is that of the piece where the step ends
            if is_near && let Some(on) = last.take_if(|_| lin.statuses == self.path.statuses) {
                return Some((end, on));
            }
            if done == SHORT_STEPS && !is_near {
                return None;
            }
            let solved = self.path.solve(&end, &lin);
            let on = self.path.on(&solved);
            if is_near {
                return Some((end, on));
            }
            // on from the change itself, not from beyond it: the curve may turn sharply there
            let sharp = past * (1.0 - self.path.dot(&on, direction)) + (ON[0] * length).max(ON[1]);
            let step = self.path.across(&solved, &on, if done == 0 && past > 0.0 { sharp } else { 0.0 });
            if self.path.size(&step) > length + APART {
                return None;
            }
            end = end.moved(1.0, &step);
            last = Some(on);
        }
        None
    }
}
