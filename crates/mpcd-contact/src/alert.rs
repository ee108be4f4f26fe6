//! How far apart two bodies may be and still meet within the step: the gap up to which pairs are looked for. No pair, no law.

use mpcd_core::{Dimension, Kinematics, Vec3};
use mpcd_friction::problem::Body;
use mpcd_geometry::{Shape, Shapes};

/// Gap over the smallest radius below which a pair is in the network whatever its motion.
const NEAR: f64 = 0.02;

/// Gap over the largest radius up to which pairs are looked for before the problem is solved, if only loads would bring bodies farther: what bears a bed
/// at rest keeps them from that, and the pairs of a long step, and with it its memory, would be without end. What the solution leaves of the motion is
/// looked at afterwards.
const FAR: f64 = 2.0;

/// What of the scene the alert distance depends on.
#[derive(Debug)]
pub(crate) struct Alert {
    /// Gap (m) asked for in the model: pairs below it are kept whatever their motion.
    pub(crate) asked: Option<f64>,
    /// The same where nothing is asked for.
    pub(crate) margin: f64,
    /// [`FAR`] of the largest radius (m); infinite without one.
    far: f64,
    /// Farthest surface point from the centre at reference size (m); `None` for a plane.
    reach: Vec<Option<f64>>,
    /// Whether turning about the centre moves the surface.
    turns: Vec<bool>,
}

impl Alert {
    pub(crate) fn new(shapes: &Shapes, dimension: Dimension, smallest_radius: f64, asked: Option<f64>) -> Self {
        let largest = shapes.0.iter().filter_map(|s| s.bounding_radius(dimension)).reduce(f64::max);
        Self {
            asked,
            far: largest.map_or(f64::INFINITY, |radius| FAR * radius),
            margin: NEAR * smallest_radius,
            reach: shapes.0.iter().map(|s| s.bounding_radius(dimension)).collect(),
            turns: shapes.0.iter().map(|s| !matches!(s, Shape::Ball { .. } | Shape::Disc { .. })).collect(),
        }
    }

    /// Whether turning the body about its centre moves its surface.
    pub(crate) fn turns(&self, body: usize) -> bool {
        self.turns[body]
    }

    /// Gap (m) up to which a pair is in the network whatever its motion.
    pub(crate) fn reach(&self) -> f64 {
        self.asked.unwrap_or(self.margin)
    }

    /// Gap (m) below which pairs are looked for in a step of `h`: what is asked for or the margin, at least the margin and twice the way of
    /// the fastest surface, at the velocities before the step or at those of `nodes`, whichever are larger, with what `growth` (the target
    /// sizes) adds. With V the velocity after the step a gap changes by h u until the next contact configuration, so no pair beyond
    /// this can close.
    pub(crate) fn distance(&self, motion: &Kinematics, nodes: &[Body], growth: Option<&[f64]>, h: f64) -> f64 {
        let before = motion.velocity.iter().zip(&motion.angular_velocity).map(|(v, w)| (*v, *w));
        let now = nodes.iter().map(|n| (n.velocity, n.angular_velocity));
        let (before, now) = rayon::join(|| self.fastest(motion, before), || self.fastest(motion, now));
        let fastest = before.max(now);
        let foreseen = self.margin + 2.0 * (h * fastest + growth.map_or(0.0, |sizes| self.growth(motion, sizes)));
        foreseen.max(self.asked.unwrap_or(0.0))
    }

    /// The same before the problem is solved, where `nodes` have the free velocities: at most [`FAR`] for what loads alone do.
    pub(crate) fn first(&self, motion: &Kinematics, nodes: &[Body], growth: Option<&[f64]>, h: f64) -> f64 {
        let whole = self.distance(motion, nodes, growth, h);
        if whole <= self.far { whole } else { self.distance(motion, &[], growth, h).max(self.far) }
    }

    /// Largest speed of a surface [m/s]. Nodes that are no bodies (the ground of joints) do not count.
    fn fastest(&self, motion: &Kinematics, twists: impl Iterator<Item = (Vec3, Vec3)>) -> f64 {
        let speed = |(i, (v, w)): (usize, (Vec3, Vec3))| {
            v.norm() + if self.turns[i] && w != Vec3::zeros() { w.norm() * self.reach_of(motion, i) } else { 0.0 }
        };
        twists.take(self.turns.len()).enumerate().map(speed).fold(0.0, f64::max)
    }

    /// Farthest point of the body's surface that something can touch (m): of a plane that turns, as far away as the farthest body.
    fn reach_of(&self, motion: &Kinematics, i: usize) -> f64 {
        self.reach[i].map_or_else(
            || {
                let far = |(x, reach): (&Vec3, &Option<f64>)| (x - motion.position[i]).norm() + reach.unwrap_or(0.0);
                motion.position.iter().zip(&self.reach).filter(|(_, r)| r.is_some()).map(far).fold(0.0, f64::max)
            },
            |reach| reach * motion.size[i],
        )
    }

    /// How far the fastest growing surface comes forward (m).
    fn growth(&self, motion: &Kinematics, sizes: &[f64]) -> f64 {
        let grown =
            motion.size.iter().zip(sizes).zip(&self.reach).map(|((now, then), reach)| (then - now) * reach.unwrap_or(0.0));
        grown.fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use mpcd_core::Quat;

    use super::*;

    /// In a long step loads alone have no pairs looked for beyond two radii, speeds that bodies have do.
    #[test]
    fn loads_alone_look_two_radii_far() {
        let alert = Alert::new(&Shapes(vec![Shape::Ball { radius: 0.01 }]), Dimension::Spatial, 0.01, None);
        let mut motion = Kinematics {
            position: vec![Vec3::zeros()],
            orientation: vec![Quat::identity()],
            velocity: vec![Vec3::zeros()],
            angular_velocity: vec![Vec3::zeros()],
            size: vec![1.0],
            ..Kinematics::default()
        };
        let falls = |speed: f64| [Body::ball(Vec3::z() * -speed, Vec3::zeros(), 1.0, 1.0)];
        let margin = NEAR * 0.01;
        for (speed, least) in [(0.05, margin + 0.01), (1.0, 0.02)] {
            let found = alert.first(&motion, &falls(speed), None, 0.1);
            assert!((found - least).abs() < 1e-15, "{speed}: {found}");
        }
        assert!((alert.distance(&motion, &falls(1.0), None, 0.1) - margin - 0.2).abs() < 1e-15);
        motion.velocity[0] = Vec3::x() * 3.0;
        assert!((alert.first(&motion, &falls(1.0), None, 0.1) - margin - 0.6).abs() < 1e-15);
    }
}
