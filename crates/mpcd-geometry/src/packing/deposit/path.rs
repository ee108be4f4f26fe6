//! The path of a centre that slides on its supports: a line, or an arc of a circle; and where along it something happens.
//! On an arc c(θ) = o + ρ (e₁ cos θ + e₂ sin θ) every distance and every support force is A + B cos θ + C sin θ, so each event is
//! found in closed form.

use mpcd_core::Vec3;

use super::heap::Support;

/// Where the centre goes as long as its supports stay the same.
#[derive(Debug, Clone, Copy)]
pub(super) enum Path {
    /// From a point along a unit direction.
    Line { start: Vec3, direction: Vec3 },
    /// On a circle, towards falling height.
    Arc { middle: Vec3, radius: f64, e1: Vec3, e2: Vec3 },
}

/// A + B cos θ + C sin θ.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wave(pub(super) f64, pub(super) f64, pub(super) f64);

impl Wave {
    /// The first θ > `after` (at most 2π) at which it falls through zero.
    pub(super) fn falls(self, after: f64) -> Option<f64> {
        let Self(a, b, c) = self;
        // Most supports are too far by more than any rounding: no need to know by how much.
        if a * a > (b * b + c * c) * (1.0 + 1e-12) {
            return None;
        }
        let size = b.hypot(c);
        if a.abs() >= size {
            return None;
        }
        let turn = std::f64::consts::TAU;
        let theta = (c.atan2(b) + (-a / size).acos()).rem_euclid(turn);
        (theta > after && theta < turn - after).then_some(theta)
    }
}

impl Path {
    /// The path of a centre at `c` that moves along `direction` (unit) on its supports, at most two of them.
    pub(super) fn new(c: &Vec3, direction: &Vec3, supports: &[Support]) -> Self {
        let line = Self::Line { start: *c, direction: *direction };
        let (middle, axis) = match supports {
            [Support::Ball { centre, .. }] => (*centre, (c - centre).cross(direction)),
            [Support::Ball { centre: a, .. }, Support::Ball { centre: b, .. }] => {
                let axis = b - a;
                (a + axis * (axis.dot(&(c - a)) / axis.norm_squared()), axis)
            }
            [Support::Ball { centre, .. }, Support::Wall { normal, .. }]
            | [Support::Wall { normal, .. }, Support::Ball { centre, .. }] => {
                (centre + normal * normal.dot(&(c - centre)), *normal)
            }
            _ => return line,
        };
        let arm = c - middle;
        let radius = arm.norm();
        match (arm.try_normalize(0.0), axis.try_normalize(0.0)) {
            (Some(e1), Some(axis)) => {
                let e2 = axis.cross(&e1);
                Self::Arc { middle, radius, e1, e2: if e2.dot(direction) < 0.0 { -e2 } else { e2 } }
            }
            _ => line,
        }
    }

    /// The centre at the parameter `s`: a length (m) on a line, an angle on an arc.
    pub(super) fn at(&self, s: f64) -> Vec3 {
        match self {
            Self::Line { start, direction } => start + direction * s,
            Self::Arc { middle, radius, e1, e2 } => middle + (e1 * s.cos() + e2 * s.sin()) * *radius,
        }
    }

    /// The parameter at which the centre first meets a support, after `after` (as a part of a radius or an angle).
    pub(super) fn meets(&self, support: &Support, after: f64) -> Option<f64> {
        match (self, support) {
            (Self::Line { start, direction }, Support::Wall { normal, offset }) => {
                let speed = normal.dot(direction);
                let s = (offset - normal.dot(start)) / speed;
                (speed < -1e-12 && s > 0.0).then_some(s)
            }
            (Self::Line { start, direction }, Support::Ball { centre, reach }) => {
                let arm = start - centre;
                let b = arm.dot(direction);
                let root = b * b - arm.norm_squared() + reach * reach;
                if b >= 0.0 || root <= 0.0 {
                    return None;
                }
                let s = -b - root.sqrt();
                (s > after * reach).then_some(s)
            }
            (Self::Arc { middle, radius, e1, e2 }, Support::Wall { normal, offset }) => {
                Wave(normal.dot(middle) - offset, radius * normal.dot(e1), radius * normal.dot(e2)).falls(after)
            }
            (Self::Arc { middle, radius, e1, e2 }, Support::Ball { centre, reach }) => {
                let arm = middle - centre;
                let a = arm.norm_squared() + radius * radius - reach * reach;
                Wave(a, 2.0 * radius * arm.dot(e1), 2.0 * radius * arm.dot(e2)).falls(after)
            }
        }
    }

    /// The parameter at which one of the supports of an arc is no longer pressed (number of the support, parameter), and the
    /// parameter of the lowest point.
    pub(super) fn releases(&self, up: &Vec3, supports: &[Support]) -> Option<(usize, f64)> {
        let Self::Arc { middle, radius, e1, e2 } = self else { return None };
        // n·up along the arc, for a ball; of a wall it is constant.
        let lift = |support: &Support| match support {
            Support::Ball { centre, reach } => {
                Wave((middle - centre).dot(up) / reach, radius * e1.dot(up) / reach, radius * e2.dot(up) / reach)
            }
            Support::Wall { normal, .. } => Wave(normal.dot(up), 0.0, 0.0),
        };
        let first = |i: usize, wave: Wave| wave.falls(0.0).map(|s| (i, s));
        match supports {
            [one] => first(0, lift(one)),
            [one, two] => {
                // Normal forces of a unit weight: (l₁ − k l₂, l₂ − k l₁)/(1 − k²), k = n₁·n₂ the same along the arc.
                let c = self.at(0.0);
                let k = one.normal(&c).dot(&two.normal(&c));
                let minus = |a: Wave, b: Wave| Wave(a.0 - k * b.0, a.1 - k * b.1, a.2 - k * b.2);
                let (a, b) = (lift(one), lift(two));
                let events = [first(0, minus(a, b)), first(1, minus(b, a))];
                events.into_iter().flatten().min_by(|x, y| x.1.total_cmp(&y.1))
            }
            _ => None,
        }
    }
}
