//! Lubrication: the squeeze film between two surfaces, whose normal viscous force grows as the gap closes.

use std::f64::consts::{PI, SQRT_2};

use mpcd_core::{
    ContactGeometry, InputError, Mat3, Quantity, Vec3,
    quantity::{Length, NonNegative, Number, Positive, Viscosity},
};
use mpcd_friction::LocalLaw;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    Law, LawData, LawInput, LawKind, Memory, Reaches, Remembers, Shares,
    local::{coulomb, root},
};

/// Parameters of `Lubrication`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LubricationParams {
    /// Viscosity of the liquid.
    pub viscosity: Quantity<Viscosity, NonNegative>,
    /// Gap below which the film no longer resists more: the height of the roughness. Solid contact is at gap zero.
    pub roughness: Quantity<Length, Positive>,
    /// Gap beyond which the film is not counted.
    pub range: Quantity<Length, Positive>,
    /// Friction coefficient μ of the solid contact.
    pub friction: Quantity<Number, NonNegative>,
}

/// F_n = −λ(g) ġ with λ = 6πηR*²/g for curved surfaces (Reynolds), 3√2 π η L (R*/g)^{3/2} for lines, 3ηS²/(2πg³) for flat patches, as of a disc of their area, and ηb²S/g³ in the plane, as of
/// a strip of the width b; each point has its part.
/// The impulse of a step is Φ(g⁻) − Φ(g⁺), Φ′ = λ: exact for the way the gap moves, so a smooth wall is never passed, and what all steps give is Φ at the first gap less Φ at the last.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lubrication {
    viscosity: f64,
    roughness: f64,
    range: f64,
    friction: f64,
}

/// Place in the memory: 1 where the first of its vectors has the gap that the last step led to in the contact configuration of the next (m, along the normal), the second its rate (m/s).
const FORESEEN: usize = 0;

/// Part of the roughness below which surfaces are not apart: what a solve leaves of a contact opens it by less, and the film would bear it for long.
const CLOSED: f64 = 1e-3;

/// λ = a g^{−p} above the roughness ε, constant below, and nothing beyond the range.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Film {
    a: f64,
    p: f64,
    roughness: f64,
    range: f64,
}

impl Film {
    /// Impulse −∫ λ dg of a step in which the gap changes from `from` by `change`; pushes when it closes. The change itself is what it is computed from: gaps are known to
    /// their own rounding, which a thick film makes an impulse of, and differences of Φ to that of Φ at the roughness.
    fn impulse(&self, from: f64, change: f64) -> f64 {
        if from > self.range || from + change > self.range {
            return self.across(from, change);
        }
        let (roughness, to) = (self.roughness, from + change);
        match (from > roughness, to > roughness) {
            (true, true) => self.above(from, change),
            (false, false) => self.below(change),
            (true, false) => self.above(from, roughness - from) + self.below(to - roughness),
            (false, true) => self.below(roughness - from) + self.above(roughness, to - roughness),
        }
    }

    /// The same where the gap comes into the range or leaves it within the step: of the way inside.
    fn across(&self, from: f64, change: f64) -> f64 {
        let beyond = from - self.range;
        match (beyond > 0.0, beyond + change > 0.0) {
            (true, true) => 0.0,
            (true, false) => self.impulse(self.range, beyond + change),
            (false, _) => self.impulse(from, -beyond),
        }
    }

    /// The same above the roughness: a (ln g⁻ − ln g⁺), or a ((g⁺)^{1−p} − (g⁻)^{1−p})/(p − 1).
    fn above(&self, from: f64, change: f64) -> f64 {
        let Self { a, p, .. } = *self;
        let rise = (change / from).ln_1p();
        if p == 1.0 { -a * rise } else { a * from.powf(1.0 - p) * ((1.0 - p) * rise).exp_m1() / (p - 1.0) }
    }

    /// The same below it.
    fn below(&self, change: f64) -> f64 {
        -self.a * self.roughness.powf(-self.p) * change
    }
}

/// The film of one step. From `gap`, that of the contact configuration, the gap changes by h u. It has changed by `come` before, on which way no step has given an impulse: where the
/// first step of a run brings it into the range, and where bodies went along arcs or over what is round, so that it is not what the last step led to ([`FORESEEN`]; the points of a mesh stay where they
/// are, and gaps change as a body slides past).
#[derive(Debug, Clone, Copy)]
struct Squeezed {
    film: Film,
    gap: f64,
    come: f64,
    h: f64,
    friction: f64,
}

impl Squeezed {
    /// The impulse where the gap changes by `change` from the contact configuration on.
    fn impulse(&self, change: f64) -> f64 {
        self.film.impulse(self.gap - self.come, self.come + change)
    }
}

impl LocalLaw for Squeezed {
    fn name(&self) -> &'static str {
        Lubrication::NAME
    }

    /// The way that it is squeezed by is h times the velocity at the end.
    fn is_of_velocities(&self) -> bool {
        true
    }

    fn solve(&self, w: &Mat3, q: &Vec3) -> Vec3 {
        // Closed first: the film has given what it can and the surfaces touch.
        let touching = -self.gap / self.h;
        let squeezed = self.impulse(-self.gap);
        let pushed = q + w.column(0) * squeezed - Vec3::x() * touching;
        if pushed.x < 0.0 {
            return coulomb(w, &pushed, self.friction) + Vec3::x() * squeezed;
        }
        // Open: u_n − W_nn r_n(u_n) rises with u_n and has one root between touching and the free velocity.
        let impulse = |u: f64| self.impulse(self.h * u);
        let f = |u: f64| u - q.x - w[(0, 0)] * impulse(u);
        // the film pushes less the faster they part
        let (low, high) = if f(0.0) >= 0.0 { (touching, 0.0) } else { (0.0, -f(0.0)) };
        Vec3::x() * impulse(root(f, low, high))
    }
}

impl Lubrication {
    fn film(&self, input: &LawInput) -> Film {
        let Self { viscosity: eta, roughness, range, .. } = *self;
        match input.geometry {
            // Points of a mesh under one ball share its film.
            ContactGeometry::Point { reduced_radius: r, roundness } => {
                Film { a: 6.0 * PI * eta * r * r * roundness * input.share, p: 1.0, roughness, range }
            }
            ContactGeometry::Line { reduced_radius: r, length } => {
                Film { a: 3.0 * SQRT_2 * PI * eta * length * r.powf(1.5), p: 1.5, roughness, range }
            }
            // The film of the whole patch is as its area squared; what stands for none of it has none.
            ContactGeometry::Flat { area: 0.0 } => Film { a: 0.0, p: 3.0, roughness, range },
            ContactGeometry::Flat { area } => {
                let whole = area / input.share;
                let a = input.thickness.map_or(1.5 * whole * whole / PI, |depth| whole * (whole / depth).powi(2));
                Film { a: eta * a * input.share, p: 3.0, roughness, range }
            }
        }
    }
}

impl Lubrication {
    fn squeezed(&self, input: &LawInput) -> Squeezed {
        let closed = |gap: f64| gap <= CLOSED * self.roughness;
        let gap = if closed(input.gap) { 0.0 } else { input.gap };
        let foreseen = (input.memory.numbers[FORESEEN] > 0.0 && !input.on_mesh).then_some(input.memory.vectors[0].x);
        let from = if input.start { Some(input.gap_before()).filter(|gap| *gap > self.range) } else { foreseen };
        // what a solve leaves of surfaces in touch is no way
        let come = from.map_or(0.0, |from| if gap == 0.0 && closed(from) { 0.0 } else { gap - from });
        Squeezed { film: self.film(input), gap, come, h: input.h, friction: self.friction }
    }
}

impl Law for Lubrication {
    fn prepare(&self, input: &LawInput) -> Option<LawData> {
        Some(LawData::of_local(self.squeezed(input)))
    }

    fn on_displacements(&self) -> Result<(), &'static str> {
        Err("squeezes its film from the gap at the start of the step")
    }

    fn friction(&self) -> f64 {
        self.friction
    }

    fn is_local(&self) -> bool {
        true
    }

    fn is_film(&self) -> bool {
        true
    }

    fn memory(&self) -> Option<&dyn Remembers> {
        Some(self)
    }

    fn reach(&self) -> Option<&dyn Reaches> {
        Some(self)
    }
}

impl Remembers for Lubrication {
    fn accept(&self, input: &LawInput, u: &Vec3, _: &Vec3, memory: &mut Memory) -> Shares {
        let film = self.squeezed(input);
        let change = (input.h * u.x).max(-film.gap);
        let viscous = film.impulse(change);
        memory.numbers[FORESEEN] = 1.0;
        memory.vectors = [Vec3::x() * (input.gap + change), Vec3::x() * u.x];
        Shares { viscous: Vec3::x() * viscous, ..Shares::default() }
    }
}

impl Reaches for Lubrication {
    fn range(&self, _: Option<&Memory>) -> f64 {
        self.range
    }

    fn reach(&self) -> f64 {
        self.range
    }

    fn meets_at_range(&self) -> bool {
        true
    }
}

impl LawKind for Lubrication {
    const NAME: &'static str = "Lubrication";
    type Params = LubricationParams;

    fn build(p: LubricationParams) -> Result<Self, InputError> {
        let (roughness, range) = (p.roughness.si(), p.range.si());
        if range <= roughness {
            return Err(InputError::new(format!("the film's `range` {range} m is not above its `roughness` {roughness} m"))
                .help("expected a range well above the roughness")
                .at("range"));
        }
        Ok(Self { viscosity: p.viscosity.si(), roughness, range, friction: p.friction.si() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_impulse_is_the_integral_of_the_resistance() {
        for p in [1.0, 1.5, 3.0] {
            let film = Film { a: 2.0, p, roughness: 0.1, range: f64::INFINITY };
            for g in [0.05, 0.2, 0.7] {
                let slope = film.impulse(g + 1e-6, -2e-6) / 2e-6;
                let expected = 2.0 * g.max(0.1).powf(-p);
                assert!((slope / expected - 1.0).abs() < 1e-7, "{p} {g}: {slope} {expected}");
            }
            // In parts as at once, over the roughness and back.
            for (from, to) in [(0.05, 0.7), (0.7, 0.05), (0.7, 0.2), (0.05, 0.01), (0.1, 0.3), (0.3, 0.1)] {
                let middle = 0.5 * (from + to);
                let parts = film.impulse(from, middle - from) + film.impulse(middle, to - middle);
                let whole = film.impulse(from, to - from);
                assert!((parts / whole - 1.0).abs() < 1e-12, "{p} {from} {to}: {parts} {whole}");
            }
        }
    }

    /// Into the range and out of it the film acts on the way inside alone.
    #[test]
    fn a_film_acts_on_the_way_within_its_range() {
        for p in [1.0, 1.5, 3.0] {
            let film = Film { a: 2.0, p, roughness: 0.1, range: 0.5 };
            let inside = film.impulse(0.5, -0.3);
            assert!((film.impulse(0.9, -0.7) / inside - 1.0).abs() < 1e-12, "{p}");
            assert!((film.impulse(0.2, 0.7) / -inside - 1.0).abs() < 1e-12, "{p}");
            assert!(film.impulse(0.9, -0.3) == 0.0 && film.impulse(0.6, 0.3) == 0.0);
        }
    }

    /// Gaps of 0.1 mm over a roughness of 10 nm, closing by 10⁻¹³ of themselves in a step: λ times the change, to all digits there are.
    #[test]
    fn a_thick_film_feels_the_smallest_change() {
        for p in [1.0, 1.5, 3.0] {
            let film = Film { a: 2.0, p, roughness: 1e-8, range: 1.0 };
            let (gap, change) = (1e-4_f64, 1e-17);
            let expected = 2.0 * gap.powf(-p) * change;
            assert!(
                (film.impulse(gap, -change) / expected - 1.0).abs() < 1e-11,
                "{p}: {}",
                film.impulse(gap, -change) / expected
            );
        }
    }

    /// The force on two equal spheres approaching at v is 3πηR²v/(2g); in a small step the impulse is h times it.
    #[test]
    fn a_small_step_gives_reynolds_force() {
        let (radius, eta, gap, v, h) = (1e-3, 0.1, 1e-5, 1e-3, 1e-6);
        let film = Film { a: 6.0 * PI * eta * (radius / 2.0) * (radius / 2.0), p: 1.0, roughness: 1e-7, range: 1.0 };
        let law = Squeezed { film, gap, come: 0.0, h, friction: 0.0 };
        let w = Mat3::identity() * 1e-12;
        let r = law.solve(&w, &Vec3::new(-v, 0.0, 0.0));
        let force = 1.5 * PI * eta * radius * radius * v / gap;
        assert!((r.x / h / force - 1.0).abs() < 1e-4, "{} {force}", r.x / h);
    }

    /// However fast the approach, the gap stays above zero while the film is thick enough to stop it.
    #[test]
    fn impulse_and_velocity_meet_the_law_whatever_the_step() {
        let film = Film { a: 0.3, p: 1.0, roughness: 1e-3, range: 0.5 };
        let law = Squeezed { film, gap: 0.1, come: 0.0, h: 1.0, friction: 0.3 };
        for q in [-5.0, -0.5, 0.2, 3.0] {
            let q = Vec3::new(q, 0.4, 0.0);
            let w = Mat3::identity() * 0.7;
            let r = law.solve(&w, &q);
            let u = w * r + q;
            let gap = 0.1 + u.x;
            assert!(gap > -1e-14);
            let viscous = film.impulse(0.1, u.x.max(-0.1));
            assert!((r.x - viscous).abs() < 1e-12 * (1.0 + viscous.abs()) || (gap.abs() < 1e-12 && r.x > viscous), "{r:?} {u:?}");
        }
    }
}
