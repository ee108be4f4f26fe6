//! The least of ½ Σ ‖r_c‖²/k_c over r_c in their sets with Σ A_c r_c = b, by its dual: y, how far the bodies give way if springs k stand behind the
//! contacts, r_c = P_c(k_c A_cᵀ y). −b·y + Σ φ_c(A_cᵀ y) is convex with the slope Σ A_c r_c − b, once continuously differentiable, and its curvature is the
//! stiffness of the springs that bear: semismooth Newton (Qi and Sun 1993, doi:10.1007/BF01581275), with a term that keeps ways regular that nothing stiffens. r lies in
//! its sets at every step; what is met to a tolerance is the balance.

use mpcd_sparse::{Cholesky, SparseError, SymmetricMatrix, SymmetricPattern};

use super::room::Room;
use crate::local::Block;

/// What a way of a body may be given too much or too little, over the sizes of what it is given.
pub(super) const BALANCE: f64 = 1e-11;
/// Below this share of the largest impulses a body's own are rounding.
const ROUNDING: f64 = 1e-14;
/// Newton steps, and trials of the length of each.
const STEPS: usize = 1500;
const TRIALS: usize = 30;
/// Newton steps without a tenth less of the error after which no more is to be had.
const IDLE: usize = 300;
/// Error from which impulses are mended themselves, and how often.
const NEAR: f64 = 1e-5;
const MENDS: usize = 20;
/// Share of the slope at which a step has gone far enough.
const FLAT: f64 = 0.1;
/// What is added to the curvature, over that of all springs together: as shares of the error, the next where with one the least is not found, and its range.
const FIRM: [f64; 3] = [1e-5, 1e-3, 1e-1];
const FIRM_RANGE: (f64, f64) = (1e-11, 1e-2);
const SOFTER: f64 = 0.1;
const HARDER: f64 = 100.0;

struct Point<const D: usize> {
    room: Room<D>,
    stiffness: f64,
    rows: Vec<(usize, [f64; D])>,
}

/// Set, stiffness, impulse and rows of a contact.
pub(super) type Member<'a, const D: usize> = (Room<D>, f64, [f64; D], &'a [(usize, [f64; D])]);

/// One island: its contacts with room, and what they must give the bodies.
pub(super) struct Island<const D: usize> {
    points: Vec<Point<D>>,
    given: Vec<f64>,
    /// What each way of a body may lack.
    slack: Vec<f64>,
    /// Curvature of each way with all springs.
    firm: Vec<f64>,
}

/// What came of it.
pub(super) struct Least<const D: usize> {
    pub(super) impulses: Vec<[f64; D]>,
    pub(super) iterations: usize,
    /// Largest lack of balance, over the sizes of what the body is given.
    pub(super) error: f64,
    pub(super) met: bool,
}

/// A place of the dual: impulses, what the bodies lack, and the worth.
struct Place<const D: usize> {
    impulses: Vec<[f64; D]>,
    lack: Vec<f64>,
    worth: f64,
    error: f64,
}

/// The place with the least error so far.
struct Best {
    error: f64,
    y: Vec<f64>,
    /// When the error had last fallen by a tenth, and to what.
    iterations: usize,
    since: f64,
}

impl Best {
    fn see(&mut self, y: &[f64], error: f64, iterations: usize) {
        if error < self.error {
            self.error = error;
            self.y.copy_from_slice(y);
        }
        if error < 0.9 * self.since {
            (self.since, self.iterations) = (error, iterations);
        }
    }
}

impl<const D: usize> Island<D> {
    /// From the set, the stiffness, the impulse at hand and the rows of each contact. Bodies are given what they got.
    pub(super) fn new<'a>(contacts: impl Iterator<Item = Member<'a, D>>) -> Self {
        // what the solve left outside of its set by rounding is in it now
        Self::given(contacts.map(|(room, stiffness, impulse, rows)| (room, stiffness, room.nearest(&impulse).0, rows)), |_| 0.0)
    }

    /// The same, with bodies given what stops them: `motion` is what each way of a body has besides.
    pub(super) fn stopping<'a>(contacts: impl Iterator<Item = Member<'a, D>>, motion: impl Fn(usize) -> f64) -> Self {
        Self::given(contacts, motion)
    }

    fn given<'a>(contacts: impl Iterator<Item = Member<'a, D>>, less: impl Fn(usize) -> f64) -> Self {
        let all: Vec<_> = contacts.collect();
        let mut names: Vec<usize> = all.iter().flat_map(|c| c.3.iter().map(|(row, _)| *row)).collect();
        names.sort_unstable();
        names.dedup();
        let place = |name: &usize| names.partition_point(|n| n < name);
        let stiffest = all.iter().map(|c| c.1).fold(0.0, f64::max);
        let n = names.len();
        let (mut given, mut sizes, mut firm, mut norms) = (vec![0.0; n], vec![0.0; n], vec![0.0; n], vec![0.0_f64; n]);
        let mut points = Vec::with_capacity(all.len());
        let mut largest = 0.0_f64;
        for (room, stiffness, impulse, entries) in all {
            let stiffness = stiffness / stiffest;
            let rows: Vec<(usize, [f64; D])> = entries.iter().map(|(name, entry)| (place(name), *entry)).collect();
            for (row, entry) in &rows {
                given[*row] += dot(entry, &impulse);
                sizes[*row] += entry.iter().zip(&impulse).map(|(a, r)| (a * r).abs()).sum::<f64>();
                firm[*row] += stiffness * dot(entry, entry);
                norms[*row] = norms[*row].max(dot(entry, entry).sqrt());
            }
            largest = largest.max(dot(&impulse, &impulse).sqrt());
            points.push(Point { room, stiffness, rows });
        }
        given.iter_mut().zip(&names).for_each(|(given, name)| *given -= less(*name));
        let slack = sizes.iter().zip(&norms).map(|(size, norm)| size + ROUNDING / BALANCE * largest * norm).collect();
        Self { points, given, slack, firm }
    }

    /// The least.
    pub(super) fn least(&self) -> Result<Least<D>, SparseError> {
        let mut found = self.least_by(FIRM[0])?;
        for firm in &FIRM[1..] {
            if found.met {
                break;
            }
            let iterations = found.iterations;
            let next = self.least_by(*firm)?;
            found = if next.error < found.error { next } else { found };
            found.iterations += iterations;
        }
        Ok(found)
    }

    /// The least, with a firm term of this share of the error.
    fn least_by(&self, firm: f64) -> Result<Least<D>, SparseError> {
        let n = self.given.len();
        let mut edges = Vec::new();
        for point in &self.points {
            for (i, (row, _)) in point.rows.iter().enumerate() {
                edges.extend(point.rows[..i].iter().map(|(other, _)| (*other, *row)));
            }
        }
        let pattern = SymmetricPattern::from_edges(n, &edges)?;
        let mut cholesky = Cholesky::analyse(&pattern)?;
        let mut matrix = SymmetricMatrix::zeros(&pattern);
        let mut share = FIRM_RANGE.0;
        // with all springs bearing, to begin with
        let mut step = self.given.clone();
        self.factorise(&mut matrix, &mut cholesky, None, &mut share)?;
        cholesky.solve_in_place(&mut step)?;
        let mut y = step.clone();
        let mut here = self.at(&y);
        let zero = self.at(&vec![0.0; n]);
        if zero.worth < here.worth {
            (y, here) = (vec![0.0; n], zero);
        }
        let mut iterations = 1;
        let mut least_share = FIRM_RANGE.0;
        let mut best = Best { error: here.error, iterations, y: y.clone(), since: here.error };
        while here.error > BALANCE && iterations < STEPS && iterations < best.iterations + IDLE {
            iterations += 1;
            share = (firm * here.error).clamp(least_share, FIRM_RANGE.1);
            step.clone_from(&here.lack);
            self.factorise(&mut matrix, &mut cholesky, Some(&y), &mut share)?;
            cholesky.solve_in_place(&mut step)?;
            match self.go(&y, &here, &step) {
                Some((next, place)) => {
                    (y, here) = (next, place);
                    least_share = (least_share * SOFTER).max(FIRM_RANGE.0);
                }
                None if share < FIRM_RANGE.1 => least_share = (share * HARDER).min(FIRM_RANGE.1),
                None => break,
            }
            best.see(&y, here.error, iterations);
        }
        if here.error > BALANCE {
            here = self.at(&best.y);
            iterations += self.polish(&mut matrix, &mut cholesky, &best.y, &mut here)?;
        }
        Ok(Least { met: here.error <= BALANCE, impulses: here.impulses, iterations, error: here.error })
    }

    /// Where conditions are all but the same, as of points that slide nearly one way, y is large and r what is left of it. Near the least r is then mended
    /// itself: what is lacking goes to the springs that bear, with steps free of that cancellation.
    fn polish(
        &self,
        matrix: &mut SymmetricMatrix,
        cholesky: &mut Cholesky,
        y: &[f64],
        here: &mut Place<D>,
    ) -> Result<usize, SparseError> {
        if here.error > NEAR {
            return Ok(0);
        }
        let slopes: Vec<Block<D>> = self.points.iter().map(|point| point.room.nearest(&point.pushed(y)).1).collect();
        let mut share = FIRM_RANGE.0;
        self.factorise(matrix, cholesky, Some(y), &mut share)?;
        for count in 1..=MENDS {
            let mut step = here.lack.clone();
            cholesky.solve_in_place(&mut step)?;
            let moved = self.points.iter().zip(&slopes).zip(&here.impulses).map(|((point, slope), r)| {
                let push = point.pushed(&step);
                point.room.nearest(&std::array::from_fn(|k| r[k] + dot(&slope[k], &push))).0
            });
            let next = self.of(moved.collect());
            if next.error >= here.error || next.error.is_nan() {
                return Ok(count);
            }
            *here = next;
            if here.error <= BALANCE {
                return Ok(count);
            }
        }
        Ok(MENDS)
    }

    /// Impulses and what they leave lacking.
    fn of(&self, impulses: Vec<[f64; D]>) -> Place<D> {
        let mut lack = self.given.clone();
        for (point, r) in self.points.iter().zip(&impulses) {
            point.rows.iter().for_each(|(row, entry)| lack[*row] -= dot(entry, r));
        }
        let error = lack.iter().zip(&self.slack).map(|(g, s)| if *s > 0.0 { g.abs() / s } else { 0.0 }).fold(0.0, f64::max);
        Place { impulses, lack, worth: 0.0, error }
    }

    /// Along the step to where the worth falls no more: by its slope, which rounding leaves sharp where differences of the worth are none.
    fn go(&self, y: &[f64], here: &Place<D>, step: &[f64]) -> Option<(Vec<f64>, Place<D>)> {
        let slope = |place: &Place<D>| -place.lack.iter().zip(step).map(|(g, s)| g * s).sum::<f64>();
        let first = slope(here);
        if first >= 0.0 || first.is_nan() {
            return None;
        }
        let (mut low, mut high, mut far) = ((0.0, first), None, 1.0);
        let mut best = None;
        for _ in 0..TRIALS {
            let next: Vec<f64> = y.iter().zip(step).map(|(y, s)| y + far * s).collect();
            let place = self.at(&next);
            let found = slope(&place);
            if found.abs() <= FLAT * first.abs() {
                return Some((next, place));
            }
            if found < 0.0 {
                low = (far, found);
                best = Some((next, place));
            } else {
                high = Some((far, found));
            }
            far = match high {
                // the slope rises along the way: between its signs the secant, off the ends
                Some((end, above)) => low.0 + (end - low.0) * (low.1 / (low.1 - above)).clamp(0.1, 0.9),
                None => 4.0 * far,
            };
        }
        best
    }

    /// Factorises the curvature at `y` (of all springs without one), with a larger `share` of the firm term where rounding asks for it.
    fn factorise(
        &self,
        matrix: &mut SymmetricMatrix,
        cholesky: &mut Cholesky,
        y: Option<&[f64]>,
        share: &mut f64,
    ) -> Result<(), SparseError> {
        loop {
            matrix.clear();
            let mut edge = 0;
            for point in &self.points {
                let slope = match y {
                    Some(y) => point.room.nearest(&point.pushed(y)).1,
                    None => std::array::from_fn(|i| std::array::from_fn(|k| f64::from(u8::from(i == k)))),
                };
                for (i, (row, entry)) in point.rows.iter().enumerate() {
                    let stiff: [f64; D] = std::array::from_fn(|k| point.stiffness * dot(&slope[k], entry));
                    for (_, other) in &point.rows[..i] {
                        matrix.add(edge, dot(&stiff, other));
                        edge += 1;
                    }
                    matrix.add_diagonal(*row, dot(&stiff, entry));
                }
            }
            for (row, firm) in self.firm.iter().enumerate() {
                matrix.add_diagonal(row, if *firm > 0.0 { *share * firm } else { 1.0 });
            }
            match cholesky.factorise(matrix) {
                Ok(()) => return Ok(()),
                Err(SparseError::NotPositiveDefinite { .. }) if *share < FIRM_RANGE.1 => *share *= HARDER,
                Err(other) => return Err(other),
            }
        }
    }

    fn at(&self, y: &[f64]) -> Place<D> {
        let mut worth = -y.iter().zip(&self.given).map(|(y, b)| y * b).sum::<f64>();
        let mut impulses = Vec::with_capacity(self.points.len());
        for point in &self.points {
            let x = point.pushed(y);
            let (r, _) = point.room.nearest(&x);
            worth += (dot(&r, &x) - 0.5 * dot(&r, &r)) / point.stiffness;
            impulses.push(r);
        }
        Place { worth, ..self.of(impulses) }
    }
}

impl<const D: usize> Point<D> {
    /// k Aᵀ y.
    fn pushed(&self, y: &[f64]) -> [f64; D] {
        let mut x = [0.0; D];
        for (row, entry) in &self.rows {
            (0..D).for_each(|k| x[k] += self.stiffness * entry[k] * y[*row]);
        }
        x
    }
}

pub(super) fn dot<const D: usize>(a: &[f64; D], b: &[f64; D]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
