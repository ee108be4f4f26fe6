//! A film of oxide on the spot: broken by voltage, power or force, worn off by sliding, healed in time.
//!
//! The bare spot conducts C_b; a film of which the part m is broken leaves C = C_b (f + (1 − f) m). Under a voltage limit V_b
//! the film breaks as far as is needed for the drop to be V_b: at that drop the metal under the film softens and the spot grows
//! (Branly's effect, about 0.4 V a contact: Falcon, Castaing and Creyssels, Eur. Phys. J. B 38 (2004) 475). Within a step that is
//! a resistor with a monotone characteristic, C V up to V_b and V_b until the whole spot is bare, so that the currents of a
//! network of them are the minimum of a convex function. The rounds C ← |I|/V_b, within the bounds, fall on its dual side: with R
//! as a function of I² the resistance falls, and each round cannot raise Σ ∫R(I)I dI. That can be slow, so many films are found together (`films.rs`).

use std::sync::Arc;

use mpcd_core::{
    InputError, Named, NamedLaws, Quantity, Slot,
    quantity::{self, Duration, Length, Number, Positive, Potential},
};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Carried, ConductanceLaw, Held, Needs, Passed, Remembers, Spot};

/// When a film breaks.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
pub enum Breakdown {
    /// By the drop across the spot.
    Voltage(VoltageLimit),
    /// By the Joule power of the spot: the whole film at once.
    Power(PowerLimit),
    /// By the normal force: the whole film at once.
    Force(ForceLimit),
}

/// A limit of the drop.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VoltageLimit {
    /// The drop (V) at which the film breaks.
    pub limit: Quantity<Potential, Positive>,
    /// Whether the whole film breaks at once, and not only as far as the drop comes down to the limit. Default: false.
    #[serde(default)]
    pub whole: bool,
}

/// A limit of the power.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PowerLimit {
    /// The Joule power (W) above which the film breaks.
    pub limit: Quantity<quantity::Power, Positive>,
}

/// A limit of the force.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ForceLimit {
    /// The normal force (N) above which the film breaks.
    pub limit: Quantity<quantity::Force, Positive>,
}

/// Parameters of [`Oxide`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OxideParams {
    /// Law of the spot without its film: any law that remembers nothing.
    pub bare: Slot,
    /// Part of the bare conductance that a whole film lets pass, above 0 and below 1.
    pub film: Quantity<Number, Positive>,
    /// What breaks the film: Voltage(limit, whole), Power(limit) or Force(limit). Default: nothing.
    #[serde(default)]
    pub breaks: Option<Breakdown>,
    /// Sliding that wears the film off: of what is whole e^(−s/length) is left after a way s. Default: sliding wears nothing off.
    #[serde(default)]
    pub wear: Option<Quantity<Length, Positive>>,
    /// Time in which the film grows again: of what is broken e^(−t/time) is left after a time t. Default: it does not.
    #[serde(default)]
    pub healing: Option<Quantity<Duration, Positive>>,
}

/// A law of the spot under a film of oxide. A contact remembers the part of its film that is broken, 0 … 1; one that ceases to
/// push begins with a whole film again.
#[derive(Debug)]
pub struct Oxide {
    bare: Arc<dyn ConductanceLaw>,
    film: f64,
    breaks: Option<Breakdown>,
    wear: f64,
    healing: f64,
}

impl Named<dyn ConductanceLaw> for Oxide {
    const NAME: &'static str = "Oxide";
    type Params = OxideParams;

    fn build(p: OxideParams, laws: &NamedLaws<dyn ConductanceLaw>) -> Result<Arc<dyn ConductanceLaw>, InputError> {
        let bare = laws.build(&p.bare)?;
        if bare.memory().is_some() {
            let error = InputError::new(format!(
                "the bare spot of an oxide cannot have the law `{}`, which remembers something itself",
                p.bare.name()
            ));
            return Err(p.bare.place(error.help("write a law of the spot alone, as Hertz or Holm(hardness: …)")));
        }
        if bare.follows_necks() {
            let error = InputError::new("the bare spot of an oxide cannot have the law `Neck`: a neck has no film");
            return Err(p.bare.place(error.help("write a law of the spot alone, as Hertz or Holm(hardness: …)")));
        }
        if bare.conductance_of_bonds() > 0.0 {
            let error =
                InputError::new("the bare spot of an oxide cannot have the law `Bonded`, which conducts where nothing pushes");
            return Err(p.bare.place(error.help("write it the other way round: Bonded(conductance: …, bare: Oxide(…))")));
        }
        let film = p.film.si();
        if film >= 1.0 {
            let error = InputError::new(format!(
                "a film of oxide lets pass {film} of the bare conductance; expected a part above 0 and below 1"
            ));
            return Err(error.help("write for example `film: 1e-4`, or the bare law alone").at("film"));
        }
        let or_never = |x: Option<f64>| x.unwrap_or(f64::INFINITY);
        let (wear, healing) = (or_never(p.wear.map(|x| x.si())), or_never(p.healing.map(|x| x.si())));
        Ok(Arc::new(Self { bare, film, breaks: p.breaks, wear, healing }))
    }
}

impl Oxide {
    /// Part of the bare conductance with the part `broken` of the film away.
    fn part(&self, broken: f64) -> f64 {
        self.film + (1.0 - self.film) * broken
    }
}

impl ConductanceLaw for Oxide {
    fn conductance(&self, spot: &Spot) -> Option<f64> {
        Remembers::conductance(self, spot, 0.0)
    }
    fn needs(&self) -> Needs {
        self.bare.needs()
    }
    fn memory(&self) -> Option<&dyn Remembers> {
        Some(self)
    }
}

impl Remembers for Oxide {
    fn start(&self) -> f64 {
        0.0
    }

    fn begin(&self, broken: f64, spot: &Spot, passed: &Passed) -> f64 {
        if let Some(Breakdown::Force(ForceLimit { limit })) = self.breaks
            && spot.force > limit.si()
        {
            return 1.0;
        }
        let healed = broken * (-passed.time / self.healing).exp();
        1.0 - (1.0 - healed) * (-passed.slid / self.wear).exp()
    }

    fn conductance(&self, spot: &Spot, broken: f64) -> Option<f64> {
        Some(self.bare.conductance(spot)? * self.part(broken))
    }

    fn held(&self) -> Option<Held> {
        match self.breaks {
            Some(Breakdown::Voltage(v)) if !v.whole => Some(Held { drop: v.limit.si(), most: 1.0 }),
            _ => None,
        }
    }

    fn carry(&self, spot: &Spot, carried: &Carried) -> f64 {
        let bare = self.bare.conductance(spot).unwrap_or(0.0);
        let present = bare * self.part(carried.memory);
        if present <= 0.0 {
            return carried.memory;
        }
        let broken = |breaks| if breaks { 1.0 } else { carried.memory };
        match self.breaks {
            None | Some(Breakdown::Force(_)) => carried.memory,
            Some(Breakdown::Power(p)) => broken(carried.current.powi(2) / present > p.limit.si()),
            Some(Breakdown::Voltage(v)) if v.whole => broken(carried.current / present > v.limit.si()),
            Some(Breakdown::Voltage(v)) => {
                let change = (carried.current / v.limit.si() / present).powf(carried.vigour);
                let wanted = (present * change / bare - self.film) / (1.0 - self.film);
                wanted.clamp(carried.begin, 1.0)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use crate::conductance_laws;
    use mpcd_core::network::ContactGeometry;

    const SPOT: Spot = Spot {
        geometry: ContactGeometry::Point { reduced_radius: 2.5e-3, roundness: 1.0 },
        force: 10.0,
        effective_modulus: None,
        conductivity: None,
    };

    fn law(text: &str) -> Result<Arc<dyn ConductanceLaw>, InputError> {
        conductance_laws().build(&Slot::own(text))
    }

    /// C_b = 2 S, film 0.01: whole 0.02 S, half broken 2·(0.01 + 0.99/2) = 1.01 S, bare 2 S.
    #[test]
    fn the_film_is_in_the_way_as_far_as_it_is_whole() {
        let law = law("Oxide(bare: Constant(conductance: 2), film: 0.01)").unwrap();
        let memory = law.memory().unwrap();
        assert!((law.conductance(&SPOT).unwrap() - 0.02).abs() < 1e-16);
        assert!((memory.conductance(&SPOT, 0.5).unwrap() - 1.01).abs() < 1e-15);
        assert!((memory.conductance(&SPOT, 1.0).unwrap() - 2.0).abs() < 1e-15);
    }

    /// 0.1 A through a film of 0.02 S would need 5 V; at 0.4 V it takes 0.25 S, which is (0.125 − 0.01)/0.99 of the film broken.
    /// 10 A are more than the bare spot carries at 0.4 V; 1 mA at 0.05 V breaks nothing, and no current mends a film.
    #[test]
    fn the_drop_comes_down_to_the_limit() {
        let law = law("Oxide(bare: Constant(conductance: 2), film: 0.01, breaks: Voltage(limit: \"0.4 V\"))").unwrap();
        let carry = |begin: f64, memory: f64, current: f64| {
            law.memory().unwrap().carry(&SPOT, &Carried { begin, memory, current, vigour: 1.0 })
        };
        let broken = (0.25 / 2.0 - 0.01) / 0.99;
        assert!((carry(0.0, 0.0, 0.1) - broken).abs() < 1e-15);
        assert!((carry(0.0, 0.7, 0.1) - broken).abs() < 1e-15, "whatever it was found with");
        assert_eq!((carry(0.0, 0.0, 10.0), carry(0.0, 0.0, 1e-3), carry(0.3, 0.3, 0.0)), (1.0, 0.0, 0.3));
    }

    #[test]
    fn power_force_and_a_whole_breakdown_leave_no_film() {
        let of = |breaks: &str| law(&format!("Oxide(bare: Constant(conductance: 2), film: 0.5, breaks: {breaks})")).unwrap();
        // 1 S whole: 2 A are 2 V and 4 W
        let carry = |breaks: &str, current: f64| {
            of(breaks).memory().unwrap().carry(&SPOT, &Carried { begin: 0.0, memory: 0.0, current, vigour: 1.0 })
        };
        assert_eq!((carry("Power(limit: 3.9)", 2.0), carry("Power(limit: 4.1)", 2.0)), (1.0, 0.0));
        assert_eq!((carry("Voltage(limit: 1.9, whole: true)", 2.0), carry("Voltage(limit: 2.1, whole: true)", 2.0)), (1.0, 0.0));
        let begin = |breaks: &str| of(breaks).memory().unwrap().begin(0.0, &SPOT, &Passed { time: 1.0, slid: 0.0 });
        assert_eq!((begin("Force(limit: 9)"), begin("Force(limit: 11)")), (1.0, 0.0));
    }

    /// After ln 2 times its length half of a film is worn off; after ln 2 times its time half of what was broken is healed.
    #[test]
    fn sliding_wears_and_time_heals() {
        let law = law("Oxide(bare: Constant(conductance: 2), film: 0.01, wear: 1e-5, healing: 100)").unwrap();
        let begin = |broken: f64, time: f64, slid: f64| law.memory().unwrap().begin(broken, &SPOT, &Passed { time, slid });
        let half = std::f64::consts::LN_2;
        assert!((begin(0.0, 0.0, 1e-5 * half) - 0.5).abs() < 1e-15);
        assert!((begin(0.8, 100.0 * half, 0.0) - 0.4).abs() < 1e-15);
    }

    #[test]
    fn what_no_film_can_be_is_refused() {
        for (text, part) in [
            ("Oxide(bare: Hertz, film: 1)", "lets pass 1 of the bare conductance"),
            ("Oxide(bare: Hertz, film: 0)", "above zero, found 0"),
            ("Oxide(bare: Hertz, film: 0.1, breaks: Voltage(limit: 0))", "above zero, found 0"),
            ("Oxide(bare: Hertz, film: 0.1, breaks: Voltage(limit: \"-0.4 V\"))", "above zero, found -0.4"),
            ("Oxide(bare: Hertz, film: 0.1, healing: 0)", "above zero, found 0"),
            ("Oxide(bare: Oxide(bare: Hertz, film: 0.1), film: 0.1)", "cannot have the law `Oxide`"),
            ("Oxide(bare: Herz, film: 0.1)", "unknown conductance law `Herz`"),
        ] {
            let error = law(text).err().map(|e| e.message).unwrap_or_default();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
