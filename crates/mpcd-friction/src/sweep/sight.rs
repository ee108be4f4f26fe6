//! How far the law of one record is from being met, and the speeds, work and rounding there that tell what that is worth. Islands, and what adds up, are
//! [`super::violation`]'s.

use super::bodies::{BodyAccess, Motion, Shared};
use super::vector::{V3, sub};

/// What rounding and nothing else leaves of a residual: relative to `λ_c r_c`, and to the speeds of the two bodies and what shifts of impulses would give them.
pub(crate) const OF_IMPULSE: f64 = 1e-11;
pub(crate) const OF_SPEED: f64 = 64.0 * f64::EPSILON;

/// What is seen of one record.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sight {
    /// `‖e_c‖` less what rounding leaves (m/s).
    pub(super) excess: f64,
    /// Speeds at the contact: free velocity, and what the contacts change of each body (m/s); the former alone as groups see it.
    pub(super) speed: f64,
    /// `|e_c·r_c|` less what rounding leaves (J).
    pub(super) loss: f64,
    /// `r_c·(u_c − q_c)` (J).
    pub(super) work: f64,
    /// `λ_c r_c²`, and what rounding leaves of `work` (J).
    pub(super) own: f64,
    pub(super) blur: f64,
    /// Squares of `F`, `r`, `ρu`, `ρq`, and of what rounding leaves (N² s²).
    pub(super) squares: [f64; 5],
    /// Square of `r_c` times what of `‖e_c‖` counts as rounding of the impulses (J²).
    pub(super) hidden: f64,
}

/// Numbers of a sight that depend on the bodies, and the last of them, which are added up.
pub(super) const SEEN: usize = 12;
pub(super) const SUMMED: usize = 10;

impl Sight {
    /// Excess, speed, loss, work, own, blur, the five squares, and what is hidden.
    #[inline(always)]
    pub(super) fn set(&mut self, seen: impl Fn(usize) -> f64) {
        *self = Self {
            excess: seen(0),
            speed: seen(1),
            loss: seen(2),
            work: seen(3),
            own: seen(4),
            blur: seen(5),
            squares: [seen(6), seen(7), seen(8), seen(9), seen(10)],
            hidden: seen(11),
        };
    }
}

#[cfg(test)]
impl Sight {
    /// All that depends on the bodies.
    pub(super) fn numbers(&self) -> [f64; SEEN] {
        let [f, r, u, q, floor] = self.squares;
        [self.excess, self.speed, self.loss, self.work, self.own, self.blur, f, r, u, q, floor, self.hidden]
    }
}

/// The bodies of a record, now and free, with the lengths by which their turning reaches the contact.
pub(super) struct Seen {
    pub(super) now: [Motion; 2],
    pub(super) free: [Motion; 2],
    pub(super) reach: [f64; 2],
    /// Greater change of a deformable side, and the speeds of both (m/s).
    pub(super) soft_change: f64,
    pub(super) soft_speed: f64,
    /// What the rounding of places leaves open in the velocity of the contact (m/s): the gap of a spring is no better known than they are.
    pub(super) open: f64,
}

impl Seen {
    pub(super) fn load<const D: usize>(now: &Shared<'_>, free: &Shared<'_>, bodies: [u32; 2], reach: [f64; 2]) -> Self {
        let now = [now.load::<D>(bodies[0]), now.load::<D>(bodies[1])];
        let free = [free.load::<D>(bodies[0]), free.load::<D>(bodies[1])];
        Self { now, free, reach, soft_change: 0.0, soft_speed: 0.0, open: 0.0 }
    }

    /// The greater change of a body's velocity at the contact.
    fn change(&self) -> f64 {
        let one = |k: usize| {
            let (now, free) = (&self.now[k], &self.free[k]);
            size(&sub(&now.v, &free.v)) + self.reach[k].abs() * size(&sub(&now.w, &free.w))
        };
        one(0).max(one(1)).max(self.soft_change)
    }

    fn speeds(&self) -> f64 {
        (0..2).map(|k| self.now[k].speed(self.reach[k])).sum::<f64>() + self.soft_speed
    }

    /// With the impulse that the law sees, velocity, free velocity and residual in one basis, and what the law sees beyond the impulse, with the speed that such
    /// give the contact point where none cancels another: scales are those of the impulse as it is, rounding is that of both.
    pub(super) fn sight<const N: usize>(
        &self,
        lambda: f64,
        [r, u, q, f]: [[f64; N]; 4],
        (shift, gross): (&[f64; N], f64),
    ) -> Sight {
        let dot = |a: &[f64; N], b: &[f64; N]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let norm = |a: &[f64; N]| dot(a, a).sqrt();
        let blur = OF_SPEED * (self.speeds() + norm(&q)) + self.open;
        let held: [f64; N] = std::array::from_fn(|k| r[k] - shift[k]);
        let (size, own) = (norm(&held), lambda * norm(&held));
        let (rounding, missed) = (OF_IMPULSE * own + OF_SPEED * gross.max(lambda * norm(shift)), lambda * norm(&f));
        let (floor, open) = (rounding + blur, positive(missed - blur));
        let moved: [f64; N] = std::array::from_fn(|k| u[k] - q[k]);
        Sight {
            excess: positive(missed - floor),
            speed: norm(&q).max(self.change()),
            // an impulse that rounds away in the velocities holds nothing
            loss: if own > blur { positive(lambda * dot(&f, &held).abs() - floor * size) } else { 0.0 * own },
            own: own * size,
            blur: blur * size,
            work: dot(&held, &moved),
            squares: [
                dot(&f, &f),
                dot(&r, &r),
                dot(&u, &u) / (lambda * lambda),
                dot(&q, &q) / (lambda * lambda),
                (floor / lambda).powi(2),
            ],
            hidden: (if open > rounding { rounding } else { open } * norm(&r)).powi(2),
        }
    }
}

/// Zero in place of negative numbers; a NaN stays.
pub(super) fn positive(x: f64) -> f64 {
    if x < 0.0 { 0.0 } else { x }
}

fn size(x: &V3) -> f64 {
    x.iter().map(|v| v * v).sum::<f64>().sqrt()
}
