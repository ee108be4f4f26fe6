//! Lemke's method on a polyhedral friction law (Stewart and Trinkle 1996): direct, for small problems. Exact in the plane;
//! in space the friction disc is an inscribed polygon, which is refined until it errs no longer where it matters.
//!
//! A polygon with corners close together around the direction opposite to the sliding velocity, or around the friction of a
//! sticking contact, is nearly the disc there. So the problem is solved with even polygons, most of the corners are moved to a fan
//! around what was found, and so on, the fans closing by a constant factor. Corners close together are nearly parallel columns:
//! at an error of 1e-8 at the latest the digits are used up, so that Newton steps on Coulomb's law end it.

mod polygon;
mod tableau;

use polygon::Polygons;
use tableau::Ended;

use super::polish::polish;
use super::prepared::PreparedProblem;
use super::problem::LocalError;
use super::settings::{LocalSettings, LocalSolver, Watch};
use crate::report::{SolveInfo, Stage, Status};

/// Lemke's method. Iterations reported are pivots. The first stage of the report is the even polygon, with the error
/// that it leaves; the second one is what the fans made of it, the third one
/// what Newton steps did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lemke {
    /// Corners of the friction polygon in space, at least 3, and at least 6 with fans. The plane needs none.
    pub facets: usize,
    /// How often corners may be moved; 0 leaves the polygons even.
    pub fans: usize,
    /// Most complementary pairs of the linear problem: 1 for a contact without friction, 4 for one in the plane, `facets + 2`
    /// for one in space. Memory grows with its square, time with its cube.
    pub most_pairs: usize,
}

impl Default for Lemke {
    fn default() -> Self {
        Self { facets: 8, fans: 100, most_pairs: 1000 }
    }
}

/// Error below which Newton steps take over.
const NEAR: f64 = 1e-5;
/// Fans without a better error after which they end.
const PATIENCE: usize = 10;

impl Lemke {
    const fn corners<const D: usize>(&self) -> usize {
        let least = if self.fans > 0 { 6 } else { 3 };
        if D == 2 {
            2
        } else if self.facets < least {
            least
        } else {
            self.facets
        }
    }
}

impl<const D: usize> LocalSolver<D> for Lemke {
    fn name(&self) -> &'static str {
        "lemke"
    }

    fn check(&self, problem: &PreparedProblem<D>) -> Result<(), LocalError> {
        let found = polygon::pairs(problem, self.corners::<D>());
        if found > self.most_pairs {
            return Err(LocalError::TooLarge { solver: "lemke", found, most: self.most_pairs });
        }
        Ok(())
    }

    /// A problem that [`LocalSolver::check`] refuses comes back as it went in, as [`Status::Stalled`] after no iteration.
    fn solve(&mut self, problem: &PreparedProblem<D>, r: &mut [[f64; D]], settings: &LocalSettings) -> SolveInfo {
        let name = LocalSolver::<D>::name(self);
        let mut watch = Watch::new(settings, r);
        let mut u = problem.local().velocities(r);
        let content = watch.see(&problem.errors(r, &u), r);
        if content || LocalSolver::<D>::check(self, problem).is_err() {
            return watch.finish(name, problem, r, Status::Stalled, 0, 0, Vec::new());
        }
        let most = settings.max_iterations.unwrap_or(usize::MAX);
        let mut polygons = Polygons::new(problem, self.corners::<D>());
        let (mut pivots, mut since_best) = (0, 0);
        let mut stages: Vec<Stage> = Vec::new();
        let mut status = Status::Stalled;
        for round in 0..=if D == 2 { 0 } else { self.fans } {
            let (ended, done) = tableau::lemke(&polygons.matrix(problem), &polygons.free(problem), most - pivots);
            pivots += done;
            let z = match ended {
                Ended::Solved(z) => z,
                Ended::Ray => break,
                Ended::Limit => {
                    status = Status::MaxIterations;
                    break;
                }
            };
            let x = polygons.impulses(problem, &z);
            problem.local().velocities_into(&x, &mut u);
            let (best, errors) = (watch.best(), problem.errors(&x, &u));
            let content = watch.see(&errors, &x);
            since_best = if watch.best() < best { 0 } else { since_best + 1 };
            let name = if round == 0 { "polygon" } else { "fans" };
            match stages.last_mut().filter(|stage| stage.name == name) {
                Some(stage) => (stage.iterations, stage.error) = (stage.iterations + done, watch.best()),
                None => stages.push(Stage { name, iterations: done, error: errors.scaled }),
            }
            if content || watch.best() < NEAR || since_best > PATIENCE || watch.out_of_time() {
                break;
            }
            polygons.fan(problem, &x, &u);
        }
        if self.fans > 0 && !watch.content() && watch.best() < NEAR {
            stages.push(polish(problem, &mut watch));
        }
        watch.finish(name, problem, r, status, pivots, 0, stages)
    }
}
