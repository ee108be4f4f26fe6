//! Balance without inertia: a path of loads and prescribed displacements, in steps that are cut where Newton's method fails.

use std::sync::Arc;

use mpcd_sparse::{GeneralMatrix, SymmetricMatrix};

use super::Newton;
use super::search::search;
use crate::error::FemError;
use crate::factor::{Factor, fault};
use crate::model::{Conditions, Displacements, Internal, Model, Prescribed, State, Target};

/// A missing force below this part of (stiffness × displacement) is rounding of the displacements.
const ROUNDING: f64 = 64.0 * f64::EPSILON;
/// Shortest part of the path.
const LEAST: f64 = 1.0 / 4096.0;

/// A model solved without inertia.
#[derive(Debug)]
pub struct Statics {
    model: Arc<Model>,
    newton: Newton,
    factor: Factor,
}

/// One point of the path.
struct Point {
    state: State,
    internal: Internal,
    load: Vec<f64>,
}

impl Statics {
    /// Statics of a model.
    pub fn new(model: Arc<Model>) -> Self {
        Self { model, newton: Newton::default(), factor: Factor::default() }
    }

    /// The same with other rules for Newton's method.
    #[must_use]
    pub fn with_newton(mut self, newton: Newton) -> Self {
        self.newton = newton;
        self
    }

    /// Goes from `start` (in balance with `state`) to `end` in at least `parts` steps; gives the new state and the reactions at all
    /// held unknowns (N, 0 elsewhere). Linear bodies need one.
    ///
    /// # Errors
    /// [`FemError::Free`] when the body can move as a whole or loses its stability, [`FemError::Convergence`],
    /// [`FemError::Element`], [`FemError::Unsupported`] for prescribed velocities.
    pub fn solve(
        &mut self,
        state: &State,
        start: &Conditions,
        end: &Conditions,
        parts: usize,
    ) -> Result<(State, Vec<f64>), FemError> {
        self.model.check_length("displacement", state.displacement.len())?;
        let (mut at, mut part) = (0.0, 1.0 / parts.max(1) as f64);
        let mut point = state.clone();
        loop {
            let next = if at + part > 1.0 - 1e-9 { 1.0 } else { at + part };
            match self.balance(&point, &Conditions::between(start, end, next)) {
                Ok(found) if next == 1.0 => {
                    let held = end.held(self.model.unknowns());
                    let reaction = |k: usize| if held[k].is_some() { found.internal.force[k] - found.load[k] } else { 0.0 };
                    let reactions = (0..held.len()).map(reaction).collect();
                    return Ok((found.state, reactions));
                }
                Ok(found) => (point, at) = (found.state, next),
                Err(FemError::Convergence { .. } | FemError::Element { .. }) if part > LEAST => part *= 0.5,
                Err(error) => return Err(error),
            }
        }
    }

    /// Newton's method at one point of the path.
    fn balance(&mut self, from: &State, conditions: &Conditions) -> Result<Point, FemError> {
        let model = self.model.clone();
        let n = model.unknowns();
        let motions = conditions.held(n);
        let held: Vec<bool> = motions.iter().map(Option::is_some).collect();
        // the way that held unknowns still have to go
        let mut ahead = vec![0.0; n];
        for (k, motion) in motions.iter().enumerate() {
            match motion {
                Some(Prescribed::Displacement(u)) => ahead[k] = u - from.displacement[k],
                Some(Prescribed::Velocity(_)) => {
                    let (what, cure) = ("a velocity was prescribed in statics, which has no time", "prescribe a displacement");
                    return Err(FemError::Unsupported { what, cure });
                }
                None => {}
            }
        }
        let (_, free_strain) = conditions.free_strain(from)?;
        let mut u = from.displacement.clone();
        for iteration in 0..=self.newton.iterations {
            let mut matrix = SymmetricMatrix::zeros(model.pattern().symmetric());
            let at = Displacements::End { u: &u, rate: None, free: &free_strain };
            let internal = model.internal(at, &from.history, Some(Target::Symmetric(&mut matrix, 1.0)))?;
            let load = model.load(conditions, &u)?;
            let (missing, scale) = residual(&internal.force, &load, &held);
            let there = ahead.iter().all(|a| *a == 0.0);
            let rounding = ROUNDING * (0..n).map(|k| (matrix.diagonal(k) * u[k]).powi(2)).sum::<f64>().sqrt();
            if there && (missing <= self.newton.tolerance * scale || missing <= rounding) {
                let velocity = vec![0.0; n];
                let state = State { time: from.time, displacement: u, velocity, history: internal.history.clone(), free_strain };
                return Ok(Point { state, internal, load });
            }
            let wrap = |source| fault(&model, source);
            let mut change = vec![0.0; n];
            if conditions.follows(&model) {
                let mut whole = GeneralMatrix::zeros(model.pattern().general().map_err(wrap)?);
                whole.add_symmetric(1.0, &matrix).map_err(wrap)?;
                model.add_load_stiffness(conditions, &u, &mut Target::General(&mut whole, -1.0));
                whole.multiply(&ahead, &mut change).map_err(wrap)?;
                self.factor.general(&model, whole, &held)?;
            } else {
                matrix.multiply(&ahead, &mut change).map_err(wrap)?;
                if model.is_linear() {
                    self.factor.symmetric(&model, matrix, &held)?;
                } else {
                    self.factor.indefinite(&model, matrix, &held)?;
                }
            }
            (0..n).for_each(|k| change[k] = load[k] - internal.force[k] - change[k]);
            self.factor.solve(&model, &mut change)?;
            (0..n).filter(|&k| held[k]).for_each(|k| change[k] = ahead[k]);
            let slope =
                |force: &[f64], load: &[f64]| (0..n).filter(|&k| !held[k]).map(|k| change[k] * (force[k] - load[k])).sum::<f64>();
            let start = if there { slope(&internal.force, &load) } else { f64::INFINITY };
            if iteration == self.newton.iterations {
                let (file, time) = (model.mesh().name().to_owned(), from.time);
                return Err(FemError::Convergence {
                    file,
                    time,
                    iterations: iteration,
                    residual: missing / scale,
                    halved: String::new(),
                });
            }
            let base = u.clone();
            let part = search(start, |part| {
                (0..n).for_each(|k| u[k] = base[k] + part * change[k]);
                let internal =
                    model.internal(Displacements::End { u: &u, rate: None, free: &free_strain }, &from.history, None)?;
                let load = model.load(conditions, &u)?;
                let (missing, scale) = residual(&internal.force, &load, &held);
                let done = missing <= rounding.max(self.newton.tolerance * scale);
                Ok(if done { 0.0 } else { slope(&internal.force, &load) })
            })?;
            ahead.iter_mut().for_each(|a| *a = if part == 1.0 { 0.0 } else { *a * (1.0 - part) });
        }
        // the loop returns at its last iteration
        Err(FemError::Unsupported { what: "Newton's method was given no iteration", cure: "allow at least one" })
    }
}

/// Missing force at free unknowns, and the largest of the forces (N).
fn residual(force: &[f64], load: &[f64], held: &[bool]) -> (f64, f64) {
    let mut squares = [0.0; 3];
    for k in 0..held.len() {
        let rest = if held[k] { 0.0 } else { force[k] - load[k] };
        squares.iter_mut().zip([rest, force[k], load[k]]).for_each(|(sum, x)| *sum += x * x);
    }
    (squares[0].sqrt(), squares[1].max(squares[2]).sqrt())
}
