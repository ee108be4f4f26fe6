//! How hard loads press what hangs together. A load on one body is passed on through contacts to others, which it does not move by itself; a solve there is judged by
//! what it moves in all, and may leave gaps of that size. No laws here.

use mpcd_core::{BodyId, Kinematics, Mat3, Vec3};
use mpcd_friction::problem::Body;
use mpcd_geometry::Touch;
use mpcd_sparse::Islands;

/// The changes of velocity that loads alone make in a step, island by island: Σ m Δv Δvᵀ/Σ m over the bodies that pairs hang together.
pub(crate) struct Pressed {
    islands: Islands,
    squares: Vec<Mat3>,
}

impl Pressed {
    /// From the pairs, the free velocities and those before the step.
    pub(crate) fn of(touches: &[Touch], free: &[Body], before: &Kinematics) -> Self {
        let count = before.len().min(free.len());
        let inverse = |i: usize| free.get(i).map_or(0.0, |body| body.inverse_mass.max());
        let pairs = touches.iter().map(|t| (t.key.candidate.index(), t.key.antagonist.index()));
        let islands = Islands::of(count, pairs.filter(|&(c, a)| inverse(c) > 0.0 && inverse(a) > 0.0));
        let mut sums = vec![(Mat3::zeros(), 0.0); islands.count()];
        for (i, &island) in islands.numbers().iter().enumerate().filter(|(i, _)| inverse(*i) > 0.0) {
            let (change, mass) = (free[i].velocity - before.velocity[i], 1.0 / inverse(i));
            sums[island].0 += mass * change * change.transpose();
            sums[island].1 += mass;
        }
        let squares = sums.into_iter().map(|(sum, mass)| if mass > 0.0 { sum / mass } else { sum }).collect();
        Self { islands, squares }
    }

    /// Root of the mean square of the changes along a direction, in the island of a body [m/s].
    pub(crate) fn along(&self, body: BodyId, n: &Vec3) -> f64 {
        let island = self.islands.numbers().get(body.index()).copied();
        island.map_or(0.0, |k| n.dot(&(self.squares[k] * n)).max(0.0).sqrt())
    }
}
