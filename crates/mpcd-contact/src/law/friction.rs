//! Laws whose friction coefficient changes with sliding: static and dynamic, slip-weakening, velocity-weakening, regularised. The
//! coefficient is found together with the slip it depends on; nothing is lagged. Where it falls with sliding a step can have two answers, at rest
//! and sliding; it goes on with what was: a patch at rest is tried at rest, as a whole, and let go where it slides all the same.

use mpcd_core::{
    InputError, Mat3, Quantity, Vec3,
    quantity::{Length, NonNegative, Number, Positive, Speed},
};
use mpcd_friction::{Cone, LocalLaw};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    Begin, Law, LawData, LawInput, LawKind, Memory, Remembers, SLACK, Shares, StagePoint, Stages,
    local::{coulomb, first_root},
};

/// How the coefficient depends on sliding.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Curve {
    /// μ_s while it sticks, μ_d as soon as it slides.
    StaticDynamic { rest: f64, sliding: f64 },
    /// From μ_s down to μ_d over the slip distance D_c.
    Slip { rest: f64, sliding: f64, distance: f64 },
    /// μ_d + (μ_s − μ_d) exp(−v/v_c).
    Velocity { rest: f64, sliding: f64, speed: f64 },
    /// μ min(v/v₀, 1): viscous below v₀.
    Regularised { full: f64, speed: f64 },
}

impl Curve {
    /// μ at slip speed `v` [m/s] that brings the total slip to `slipped` (m).
    fn at(self, v: f64, slipped: f64) -> f64 {
        match self {
            Self::StaticDynamic { rest, sliding } => {
                if v > 0.0 {
                    sliding
                } else {
                    rest
                }
            }
            Self::Slip { rest, sliding, distance } => sliding + (rest - sliding) * (1.0 - slipped / distance).max(0.0),
            Self::Velocity { rest, sliding, speed } => sliding + (rest - sliding) * (-v / speed).exp(),
            Self::Regularised { full, speed } => full * (v / speed).min(1.0),
        }
    }

    /// Least and largest value.
    fn bounds(self) -> (f64, f64) {
        match self {
            Self::StaticDynamic { rest, sliding } | Self::Slip { rest, sliding, .. } | Self::Velocity { rest, sliding, .. } => {
                (sliding, rest)
            }
            Self::Regularised { full, .. } => (0.0, full),
        }
    }

    /// Whether a patch at rest can also be held by more than what holds it once it slides.
    fn rests(self) -> bool {
        !matches!(self, Self::Regularised { .. })
    }
}

/// One contact of the step.
#[derive(Debug)]
struct Sliding {
    name: &'static str,
    curve: Curve,
    /// max(g, 0)/h.
    shift: f64,
    /// Slip before the step (m), and the length of the step (s).
    slipped: f64,
    h: f64,
}

impl LocalLaw for Sliding {
    fn name(&self) -> &str {
        self.name
    }

    fn is_of_velocities(&self) -> bool {
        true
    }

    /// Coulomb's impulse with the coefficient μ = f(v(μ)): the largest such μ, so the slowest slip.
    fn solve(&self, w: &Mat3, q: &Vec3) -> Vec3 {
        let q = q + Vec3::x() * self.shift;
        let slip = |friction: f64| {
            let r = coulomb(w, &q, friction);
            let u = w * r + q;
            // inside the cone there is no slip; rounding must not look like it
            let sticks = r.y.hypot(r.z) < friction * r.x * (1.0 - 1e-12);
            (r, if sticks { 0.0 } else { u.y.hypot(u.z) })
        };
        let excess = |friction: f64| {
            let (_, v) = slip(friction);
            self.curve.at(v, self.slipped + self.h * v) - friction
        };
        let (low, high) = self.curve.bounds();
        if excess(high) >= 0.0 {
            return slip(high).0;
        }
        // from the top down: x = high − μ
        let x = first_root(|x| excess(high - x), 0.0, high - low);
        slip(high - x).0
    }
}

/// Unilateral contact on the gap with a coefficient of friction that changes with sliding.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Changing {
    name: &'static str,
    curve: Curve,
}

/// Places in the memory: slip so far (m), and 1 where the patch slides.
const SLIPPED: usize = 0;
const SLIDES: usize = 1;

/// What is held: the patch is at rest, or slides.
const REST: f64 = 0.0;
const SLIDING: f64 = 1.0;

/// Slip speed over the change of velocity that the patch's own impulses make: above the first a patch slides, and above the second if
/// all its points are at their limit, against the way they move. Shares that the statics leaves open bring single points there, and in space all of them: then they pull against
/// each other, and not against what a solve leaves of the motion.
const SLIPS: f64 = 1e-3;
const CREEPS: f64 = 1e-9;
/// Least part of the work that friction would do against the way of each point where it counts as against it.
const AGAINST: f64 = 0.999;
/// Slip speed over that change of velocity, over the tolerance of the solve: below it a slip of a point at rest may be what the solve left.
const CLEAR: f64 = 1e4;
/// Part of the limit by which an impulse may be below it and count as at it.
const AT_LIMIT: f64 = 1e-6;

impl Changing {
    fn prepare(&self, input: &LawInput) -> Option<LawData> {
        let Self { name, curve } = *self;
        let slipped = input.memory.numbers[SLIPPED];
        Some(match (curve, self.state(input)) {
            (_, Some(REST)) => self.cone(curve.at(0.0, slipped), input),
            (Curve::StaticDynamic { sliding, .. }, _) => self.cone(sliding, input),
            _ => LawData::of_local(Sliding { name, curve, shift: input.gap_speed(), slipped, h: input.h }),
        })
    }

    fn cone(&self, friction: f64, input: &LawInput) -> LawData {
        LawData::of_cone(Cone::coulomb(friction)).with_normal_shift(input.gap_speed())
    }

    /// [`REST`] or [`SLIDING`]; `None` for a curve that has no rest of its own.
    fn state(&self, input: &LawInput) -> Option<f64> {
        self.curve.rests().then(|| input.held.unwrap_or(input.memory.numbers[SLIDES]))
    }

    /// Slip adds up while the contact is closed, and is forgotten when it opens: a corner of a face that statics leaves without a part of the load slides with it.
    fn accept(&self, input: &LawInput, u: &Vec3, r: &Vec3, memory: &mut Memory) -> Shares {
        memory.numbers[SLIDES] = input.note;
        if r.x <= 0.0 && input.gap.max(0.0) + input.h * u.x > SLACK * input.length() {
            memory.numbers[SLIPPED] = 0.0;
        } else if input.note == SLIDING {
            memory.numbers[SLIPPED] += input.h * u.y.hypot(u.z);
        }
        Shares::default()
    }

    /// Whether a point that was held at rest slides so little that the solve may have left it. Where points share a load in ways that statics leaves open (a chain over a
    /// drum, a row of blocks), single ones would be let go, and the others after them, far below what all of them hold.
    fn is_unclear(&self, p: &StagePoint<'_>, tolerance: f64) -> bool {
        let (own, speed) = ((p.block * p.r).norm(), p.u.y.hypot(p.u.z));
        let limit = self.curve.at(0.0, p.input.memory.numbers[SLIPPED]) * p.r.x;
        p.held == REST && p.r.x > 0.0 && Self::is_at(limit, p) && speed > CREEPS * own && speed < CLEAR * tolerance * own
    }

    /// Whether the impulse of a point along the surface has come to its limit.
    fn is_at(limit: f64, p: &StagePoint<'_>) -> bool {
        p.r.y.hypot(p.r.z) >= (1.0 - AT_LIMIT) * limit
    }

    /// Lets a patch go that slides though it was held at rest, all its points together; says whether it slides.
    fn raise(&self, patch: &mut [StagePoint<'_>]) {
        // The change of velocity that the patch's own impulses make: what no slip is measured against.
        let own = patch.iter().map(|p| (p.block * p.r).norm()).fold(0.0, f64::max);
        let (mut fastest, mut all) = (0.0_f64, true);
        let (mut done, mut most) = (0.0, 0.0);
        for p in patch.iter().filter(|p| p.r.x > 0.0) {
            let speed = p.u.y.hypot(p.u.z);
            let slipped = p.input.memory.numbers[SLIPPED];
            let friction = match self.curve {
                _ if p.held == REST => self.curve.at(0.0, slipped),
                curve => curve.at(speed, slipped + p.input.h * speed),
            };
            let at_limit = Self::is_at(friction * p.r.x, p);
            all &= at_limit;
            done -= p.r.y * p.u.y + p.r.z * p.u.z;
            most += p.r.y.hypot(p.r.z) * speed;
            fastest = if at_limit { fastest.max(speed) } else { fastest };
        }
        let slides = fastest > SLIPS * own || (all && fastest > CREEPS * own && done >= AGAINST * most);
        for p in patch {
            p.note = if slides { SLIDING } else { REST };
            p.held = if slides { SLIDING } else { p.held };
        }
    }
}

/// Checks that a coefficient does not rise when sliding begins: then the slowest slip would not be the one found.
fn weakening(rest: f64, sliding: f64) -> Result<(), InputError> {
    if sliding <= rest {
        return Ok(());
    }
    Err(InputError::new(format!(
        "`sliding` {sliding} is above `friction` {rest}; expected a coefficient that falls when sliding begins"
    ))
    .help("exchange the two values")
    .at("sliding"))
}

macro_rules! changing_friction {
    ($(#[$doc:meta])* $name:ident, $text:literal, $params:ident { $($(#[$field_doc:meta])* $field:ident: $type:ty,)* }, |$p:ident| $curve:expr) => {
        #[doc = concat!("Parameters of `", $text, "`.")]
        #[derive(Debug, Clone, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub struct $params {
            $($(#[$field_doc])* pub $field: $type,)*
        }

        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub struct $name(Changing);

        impl Law for $name {
            fn prepare(&self, input: &LawInput) -> Option<LawData> {
                self.0.prepare(input)
            }
            fn on_displacements(&self) -> Result<(), &'static str> {
                Ok(())
            }
            fn friction(&self) -> f64 {
                self.0.curve.bounds().1
            }
            fn is_local(&self) -> bool {
                !matches!(self.0.curve, Curve::StaticDynamic { .. })
            }
            fn memory(&self) -> Option<&dyn Remembers> {
                self.0.curve.rests().then_some(self as _)
            }
            fn stages(&self) -> Option<&dyn Stages> {
                self.0.curve.rests().then_some(self as _)
            }
        }

        impl Remembers for $name {
            fn lacks(&self, input: &LawInput) -> bool {
                matches!(self.0.curve, Curve::Slip { .. }) && !self.has(&input.memory)
            }
            fn has(&self, memory: &Memory) -> bool {
                memory.numbers[SLIPPED] > 0.0
            }
            fn accept(&self, input: &LawInput, u: &Vec3, r: &Vec3, memory: &mut Memory) -> Shares {
                self.0.accept(input, u, r, memory)
            }
        }

        impl Stages for $name {
            fn begin(&self, input: &LawInput) -> Option<Begin> {
                self.0.state(input).map(|held| Begin { held, at_once: true })
            }
            fn raise(&self, patch: &mut [StagePoint<'_>]) {
                self.0.raise(patch);
            }
            fn is_unclear(&self, point: &StagePoint<'_>, tolerance: f64) -> bool {
                self.0.is_unclear(point, tolerance)
            }
        }

        impl LawKind for $name {
            const NAME: &'static str = $text;
            type Params = $params;

            fn build($p: $params) -> Result<Self, InputError> {
                let curve: Result<Curve, InputError> = $curve;
                Ok(Self(Changing { name: $text, curve: curve? }))
            }
        }
    };
}

changing_friction! {
    /// Coulomb with a static and a dynamic coefficient: a patch at rest holds up to μ_s r_n, one that slides resists with μ_d r_n until it rests.
    StaticDynamic, "StaticDynamic", StaticDynamicParams {
        /// Static coefficient μ_s.
        friction: Quantity<Number, NonNegative>,
        /// Dynamic coefficient μ_d ≤ μ_s.
        sliding: Quantity<Number, NonNegative>,
    }, |p| weakening(p.friction.si(), p.sliding.si()).map(|()| Curve::StaticDynamic { rest: p.friction.si(), sliding: p.sliding.si() })
}

changing_friction! {
    /// The coefficient falls linearly from μ_s to μ_d over the slip D_c; it starts anew when the contact opens.
    SlipWeakening, "SlipWeakening", SlipWeakeningParams {
        /// Coefficient μ_s before any slip.
        friction: Quantity<Number, NonNegative>,
        /// Coefficient μ_d ≤ μ_s after the distance.
        sliding: Quantity<Number, NonNegative>,
        /// Slip D_c over which it falls.
        distance: Quantity<Length, Positive>,
    }, |p| weakening(p.friction.si(), p.sliding.si())
        .map(|()| Curve::Slip { rest: p.friction.si(), sliding: p.sliding.si(), distance: p.distance.si() })
}

changing_friction! {
    /// μ(v) = μ_d + (μ_s − μ_d) exp(−v/v_c), v the slip speed at the end of the step.
    VelocityWeakening, "VelocityWeakening", VelocityWeakeningParams {
        /// Coefficient μ_s at rest.
        friction: Quantity<Number, NonNegative>,
        /// Coefficient μ_d ≤ μ_s at high speed.
        sliding: Quantity<Number, NonNegative>,
        /// Speed v_c at which the difference has fallen to 1/e.
        speed: Quantity<Speed, Positive>,
    }, |p| weakening(p.friction.si(), p.sliding.si())
        .map(|()| Curve::Velocity { rest: p.friction.si(), sliding: p.sliding.si(), speed: p.speed.si() })
}

changing_friction! {
    /// Coulomb's law with its step at rest replaced by a slope: μ(v) = μ min(v/v₀, 1). Nothing sticks; what would stick creeps.
    Regularised, "Regularised", RegularisedParams {
        /// Coefficient μ.
        friction: Quantity<Number, NonNegative>,
        /// Speed v₀ below which friction is viscous.
        speed: Quantity<Speed, Positive>,
    }, |p| Ok(Curve::Regularised { full: p.friction.si(), speed: p.speed.si() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn law(curve: Curve, slipped: f64) -> Sliding {
        Sliding { name: "test", curve, shift: 0.0, slipped, h: 0.01 }
    }

    /// W = I, pressed with 1 N s: the coefficient is the tangential impulse.
    fn friction_at(curve: Curve, slipped: f64, free: f64) -> (f64, f64) {
        let (w, q) = (Mat3::identity(), Vec3::new(-1.0, 0.6 * free, -0.8 * free));
        let r = law(curve, slipped).solve(&w, &q);
        assert!((r.x - 1.0).abs() < 1e-14);
        let u = r + q;
        (r.y.hypot(r.z), u.y.hypot(u.z))
    }

    #[test]
    fn each_curve_is_met_at_the_end_of_the_step() {
        for free in [0.55, 0.8, 2.0] {
            let (mu, v) = friction_at(Curve::Velocity { rest: 0.5, sliding: 0.3, speed: 1.0 }, 0.0, free);
            assert!((mu - (0.3 + 0.2 * (-v).exp())).abs() < 1e-13, "{mu} {v}");
            let (mu, v) = friction_at(Curve::Slip { rest: 0.5, sliding: 0.3, distance: 0.1 }, 0.02, free);
            assert!((mu - (0.3 + 0.2 * (1.0 - (0.02 + 0.01 * v) / 0.1).max(0.0))).abs() < 1e-13);
        }
        for free in [0.1, 0.3, 3.0] {
            let (mu, v) = friction_at(Curve::Regularised { full: 0.4, speed: 0.2 }, 0.0, free);
            assert!((mu - 0.4 * (v / 0.2).min(1.0)).abs() < 1e-13 && v > 0.0);
        }
    }

    #[test]
    fn a_coefficient_that_rises_is_refused() {
        assert!(weakening(0.3, 0.5).is_err() && weakening(0.5, 0.3).is_ok());
    }
}
