//! Elastic and visco-elastic contact: a spring and a dashpot that only push, solved with the contact.

use mpcd_core::{
    InputError, Quantity, Vec3,
    quantity::{Damping, NonNegative, Number, Positive, Stiffness},
};
use mpcd_friction::Cone;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Law, LawData, LawInput, LawKind, Memory, Remembers, Shares, Slid};

/// Where the memory keeps the part of the patch that its springs are; 0 while they do not touch.
const PART: usize = 0;
/// Where it keeps what they store (J).
const STORED: usize = 1;

/// Part of the motion below which it is rounding that a contact slides.
const STICKS: f64 = 1e-9;

/// Parameters of `Elastic`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ElasticParams {
    /// Normal stiffness k_n.
    pub stiffness: Quantity<Stiffness, Positive>,
    /// Normal viscous coefficient c_n.
    #[serde(default)]
    pub damping: Option<Quantity<Damping, NonNegative>>,
    /// Tangential stiffness k_t of the sticking contact. Default: rigid.
    #[serde(default)]
    pub tangential_stiffness: Option<Quantity<Stiffness, Positive>>,
    /// Friction coefficient μ.
    pub friction: Quantity<Number, NonNegative>,
}

/// r_n = −h (k_n g⁺ + c_n u_n) where that pushes, g⁺ = g + e u_n the gap at the end of the step, e after the contact configuration
/// ([`LawInput::to_end`]); tangentially a spring ξ that slides at Coulomb's limit. As shift
/// and compliance, each point of a face with its part of k and c: ũ_n = u_n + (k_n g + r_n/h)/(e k_n + c_n), ũ_t = u_t + ξ/e + r_t/(h e k_t).
/// A dashpot is pressed by what overlaps alone: where the gap is open as the step begins it goes in by −g⁺, not by −h u_n, and r_n = −(h k_n + c_n) g⁺.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Elastic {
    stiffness: f64,
    damping: f64,
    tangential: Option<f64>,
    friction: f64,
}

impl Elastic {
    /// The part of the springs and of the dashpot at one point of a face.
    fn part(&self, share: f64) -> Self {
        Self {
            stiffness: self.stiffness * share,
            damping: self.damping * share,
            tangential: self.tangential.map(|k| k * share),
            friction: self.friction,
        }
    }

    /// Derivative of the normal force by −u_n, and the velocity shift [m/s].
    fn response(&self, input: &LawInput) -> (f64, f64) {
        let (e, k, c) = (input.to_end(), self.stiffness, self.damping);
        if opens(input) {
            return (e * (k + c / input.h), input.gap / e);
        }
        let response = e * k + c;
        (response, k * input.gap / response)
    }

    /// Impulse of the dashpot where the contact pushes [N s].
    fn viscous(&self, input: &LawInput, u: f64) -> f64 {
        -self.damping * if opens(input) { input.gap + input.to_end() * u } else { input.h * u }
    }
}

/// Whether the gap is open as the step begins.
fn opens(input: &LawInput) -> bool {
    let since = (input.h - input.to_end()) * input.u_before.x;
    input.before.unwrap_or(input.gap - since) > 0.0
}

impl Law for Elastic {
    fn prepare(&self, input: &LawInput) -> Option<LawData> {
        // of what is round the springs are where it is nearest
        if input.is_no_part() {
            return None;
        }
        let (h, friction) = (input.h, self.friction);
        let part = self.part(input.share);
        let (response, shift) = part.response(input);
        let mut data = LawData::of_cone(Cone::coulomb(friction)).with_normal_shift(shift);
        data.compliance.x = 1.0 / (h * response);
        if let Some(k) = part.tangential {
            data.compliance.y = 1.0 / (h * input.to_end() * k);
            data.compliance.z = data.compliance.y;
            let xi = input.memory.vectors[0];
            data.velocity_shift += Vec3::new(0.0, xi.y, xi.z) / input.to_end();
        }
        Some(data)
    }

    fn on_displacements(&self) -> Result<(), &'static str> {
        Ok(())
    }

    fn yields(&self) -> bool {
        true
    }

    fn friction(&self) -> f64 {
        self.friction
    }

    fn memory(&self) -> Option<&dyn Remembers> {
        Some(self)
    }
}

impl Remembers for Elastic {
    /// What touches when the run begins is unstretched there, and not only where the first contact configuration is.
    fn initial(&self, input: &LawInput) -> Memory {
        let mut memory = Memory::default();
        if self.tangential.is_some() && input.start && input.gap_before() <= 0.0 {
            let u = &input.u_before;
            memory.vectors[0] = Vec3::new(0.0, u.y, u.z) * (input.h - input.to_end());
        }
        memory
    }

    fn accept(&self, input: &LawInput, u: &Vec3, r: &Vec3, memory: &mut Memory) -> Shares {
        if r.x <= 0.0 {
            *memory = Memory::default();
            return Shares::default();
        }
        let h = input.h;
        let part @ Self { stiffness, tangential, .. } = self.part(input.share);
        let depth = input.gap + input.to_end() * u.x;
        let viscous = Vec3::x() * part.viscous(input, u.x);
        let bond = Vec3::x() * r.x - viscous;
        let (mut stored, mut slid) = (0.5 * stiffness * depth * depth, None);
        if let Some(k) = tangential {
            let along = |x: &Vec3| Vec3::new(0.0, x.y, x.z);
            let (motion, before) = (along(u), along(&input.memory.vectors[0]));
            let at_end = -along(r) / (h * k);
            stored += 0.5 * k * at_end.norm_squared();
            // Stretched on to the next contact configuration by the motion that was found, up to what friction holds; what the spring does not take has slid.
            // The impulse is known to the solver's tolerance of the problem, and a spring that followed it would lose what that leaves of a slow motion, step by step.
            let ahead = before + motion * h;
            let limit = self.friction * r.x / (h * k);
            let slides = ahead.norm() > limit;
            let next = if slides { ahead * (limit / ahead.norm()) } else { ahead };
            let slipped = if input.start {
                // What touches from the start is unstretched there: what of its way to the end of the step the spring does not take.
                let way = before + motion * input.to_end();
                if way.norm() > limit { way * (1.0 - limit / way.norm()) } else { Vec3::zeros() }
            } else if slides {
                motion * h - (next - before)
            } else {
                Vec3::zeros()
            };
            let sliding = slipped / h;
            // What a solve leaves of a contact that sticks is no sliding.
            let sliding = if sliding.norm() <= STICKS * u.norm() { Vec3::zeros() } else { sliding };
            memory.vectors = [next, motion - sliding];
            slid = Some(Slid { motion, sliding });
        }
        let was = input.memory.numbers[PART];
        let restrung = if was > 0.0 { input.memory.numbers[STORED] * (input.share / was - 1.0) } else { 0.0 };
        memory.numbers[PART] = input.share;
        memory.numbers[STORED] = stored;
        Shares { bond, viscous, stored, restrung, slid }
    }
}

impl LawKind for Elastic {
    const NAME: &'static str = "Elastic";
    type Params = ElasticParams;

    fn build(p: ElasticParams) -> Result<Self, InputError> {
        Ok(Self {
            stiffness: p.stiffness.si(),
            damping: p.damping.map_or(0.0, |c| c.si()),
            tangential: p.tangential_stiffness.map(|k| k.si()),
            friction: p.friction.si(),
        })
    }
}
