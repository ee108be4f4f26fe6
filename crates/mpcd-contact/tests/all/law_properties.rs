//! What every law must keep, whatever it is: a contact is driven at random through many steps, solved each time, and looked at.

use mpcd_contact::{
    Law, LawInput, LawRegistry,
    law::{LawResponse, Memory, Remembered, Shares, StagePoint, Tally},
};
use mpcd_core::{BodyId, ContactGeometry, ContactKey, Fragment, Frame, Mat3, Vec3};
use mpcd_friction::{
    SolveSettings,
    problem::{self, Body, ContactDimension, ContactProblem, Response},
    solver_by_name,
};

/// Parameters of every law that ships.
const SAMPLES: &[&str] = &[
    "Coulomb(friction: 0.4, rolling: \"1 mm\")",
    "StaticDynamic(friction: 0.6, sliding: 0.3)",
    "SlipWeakening(friction: 0.6, sliding: 0.2, distance: \"1 mm\")",
    "VelocityWeakening(friction: 0.6, sliding: 0.2, speed: 0.1)",
    "Regularised(friction: 0.4, speed: 0.01)",
    "Convex(friction: 0.4)",
    "Poisson(friction: 0.3, restitution: 0.5)",
    "Stronge(friction: 0.3, restitution: 0.5)",
    "Elastic(stiffness: 1e4, damping: 20, tangential_stiffness: 5e3, friction: 0.4)",
    "RaousCangemiCocouMonerie(normal_stiffness: 1e6, tangential_stiffness: 5e5, energy: 0.5, viscosity: 1e-3, friction: 0.4)",
    "MonerieAcary(normal_stiffness: 1e6, tangential_stiffness: 1e6, energy: 0.5, friction: 0.4)",
    "Bilinear(normal_stiffness: 1e6, tensile_strength: 7e2, energy: 0.5, friction: 0.4)",
    "Exponential(normal_stiffness: 1e6, tensile_strength: 7e2, energy: 0.5, friction: 0.4)",
    "Trapezoidal(normal_stiffness: 1e6, tensile_strength: 7e2, energy: 0.5, plateau: 0.3, friction: 0.4)",
    "Extrinsic(strength: 2e2, energy: 0.2, friction: 0.4)",
    "MohrCoulomb(friction: 0.4, tensile_strength: 2e2, cohesion: 3e2)",
    "Capillary(force: 5, rupture: \"5 mm\", friction: 0.4)",
    "Lubrication(viscosity: 0.1, roughness: \"1 mm\", range: \"5 mm\", friction: 0.3)",
    "CoulombWithWear(friction: 0.4, coefficient: 1e-3, hardness: \"1 GPa\")",
];

/// Numbers in (−1, 1), the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.roll(), self.roll(), self.roll())
    }
}

/// A contact of a body of 1 kg with the ground.
struct Driven {
    input: LawInput,
    frame: Frame,
}

/// What a step came to.
struct Answer {
    u: Vec3,
    r: Vec3,
    /// Error of the solve.
    error: f64,
    converged: bool,
}

impl Driven {
    fn new(law: &dyn Law) -> Self {
        let mut input = LawInput { start: true, ..LawInput::new(ContactGeometry::Flat { area: 0.01 }, 1e-3) };
        input.memory = law.memory().map_or_else(Memory::default, |law| law.initial(&input));
        Self { input, frame: Frame::spatial(Vec3::new(0.3, -0.2, 0.9).normalize()) }
    }

    /// The contact's problem with a random body under it, in stages where the law wants them.
    fn solve(&mut self, law: &dyn Law, dice: &mut Dice) -> Answer {
        let begin = law.stages().and_then(|law| law.begin(&self.input)).filter(|b| b.at_once);
        self.input.held = begin.map(|b| b.held);
        self.input.note = begin.map_or(0.0, |b| b.held);
        let seed = dice.0;
        for _ in 0..3 {
            dice.0 = seed;
            let (answer, block) = self.stage(law, dice);
            let (Some(stages), Some(held)) = (law.stages(), self.input.held) else { return answer };
            let input = self.input;
            let mut point = [StagePoint {
                input: &input,
                at: Vec3::zeros(),
                u: answer.u,
                r: answer.r,
                block,
                turns: [true; 3],
                held,
                note: input.note,
            }];
            stages.raise(&mut point);
            (self.input.held, self.input.note) = (Some(point[0].held), point[0].note);
            if point[0].held <= held {
                return answer;
            }
        }
        panic!("the stages do not end");
    }

    /// One stage, and the contact's block of the Delassus operator.
    fn stage(&self, law: &dyn Law, dice: &mut Dice) -> (Answer, Mat3) {
        let free = self.frame.to_world(&(dice.vector() * 0.5 + self.input.u_before * 0.5));
        let a = Mat3::from_fn(|_, _| dice.roll());
        let mut problem = ContactProblem::new(ContactDimension::Three);
        problem.bodies.push(Body::free(free, dice.vector(), 1.0, a * a.transpose() + Mat3::identity() * 0.2));
        problem.bodies.push(Body::fixed());
        let frame = problem::Frame::from_normal_and_tangent(self.frame.n, self.frame.t);
        let lever = dice.vector() * 0.5;
        let mut contact = problem::Contact::new(0, 1, frame, lever, Vec3::zeros());
        let u_free = frame.to_local(&problem.bodies[0].velocity_at(&lever));
        let Some(data) = law.prepare(&self.input) else {
            return (Answer { u: u_free, r: Vec3::zeros(), error: 0.0, converged: true }, Mat3::zeros());
        };
        let node = problem.bodies[0];
        let column = |k: usize| {
            let impulse = frame.to_world(&Vec3::ith(k, 1.0));
            let turned = node.inverse_inertia.matrix() * lever.cross(&impulse);
            frame.to_local(&(node.inverse_mass.component_mul(&impulse) + turned.cross(&lever)))
        };
        let block = Mat3::from_columns(&[column(0), column(1), column(2)]);
        contact.response = match data.response {
            LawResponse::Cone(cone) => Response::Cone(cone),
            LawResponse::Local(local) => {
                problem.laws.push(local);
                Response::Law(0)
            }
        };
        contact.velocity_shift = data.velocity_shift;
        contact.compliance = data.compliance;
        contact.impulse_shift = data.impulse_shift;
        problem.contacts.push(contact);
        let settings = SolveSettings { tolerance: 1e-10, ..SolveSettings::default() };
        let info = solver_by_name("nlgs").unwrap().solve(&mut problem, &settings).unwrap();
        let u = frame.to_local(&problem.bodies[0].velocity_at(&lever));
        let r = problem.contacts[0].impulse;
        (Answer { u, r, error: info.errors.scaled, converged: info.status.is_success() }, block)
    }

    /// Takes the step as done; what the impulse was made of.
    fn accept(&mut self, law: &dyn Law, answer: &Answer) -> Shares {
        let mut memory = self.input.memory;
        let shares = law.memory().map_or_else(Shares::default, |law| law.accept(&self.input, &answer.u, &answer.r, &mut memory));
        self.input.memory = memory;
        self.input.gap = (self.input.gap + self.input.h * answer.u.x).clamp(-1e-3, 4e-3);
        self.input.u_before = answer.u;
        self.input.start = false;
        shares
    }
}

fn is_finite(memory: &Memory) -> bool {
    memory.numbers.iter().all(|x| x.is_finite()) && memory.vectors.iter().all(|v| v.iter().all(|x| x.is_finite()))
}

/// Every local problem is solved, to finite numbers; what is neither bond nor viscous pushes, and rubs within Coulomb's cone; damage does
/// not heal; stored energy is not negative; memory comes back from a checkpoint as it went in.
#[test]
fn every_law_keeps_its_cone_its_damage_and_its_memory() {
    let registry = LawRegistry::standard();
    let mut wrong = Vec::new();
    for name in registry.names() {
        let sample =
            SAMPLES.iter().find(|s| s.split('(').next() == Some(name)).unwrap_or_else(|| panic!("no sample of `{name}`"));
        let law = registry.build(&Fragment::whole(*sample)).unwrap_or_else(|e| panic!("{sample}: {e}")).unwrap();
        let mut pushed = 0;
        for seed in 1..=20 {
            let (mut dice, mut driven) = (Dice(seed), Driven::new(&*law));
            for step in 0..60 {
                let answer = driven.solve(&*law, &mut dice);
                let before = driven.input;
                let tally_of = |memory: &Memory| law.memory().map_or_else(Tally::default, |law| law.tally(memory));
                let tally = tally_of(&before.memory);
                let shares = driven.accept(&*law, &answer);
                let own = answer.r - shares.bond - shares.viscous;
                let slack = 1e-7 * (1.0 + answer.r.norm());
                let kept = &driven.input.memory;
                let key = ContactKey { candidate: BodyId(0), antagonist: BodyId(1), feature: 0 };
                let back = Remembered::keep(key, &driven.frame, [Vec3::zeros(); 2], kept).recall(&driven.frame, 0.0);
                let moved = back.vectors.iter().zip(&kept.vectors).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
                let length = kept.vectors.iter().map(Vec3::norm).fold(0.0, f64::max);
                // What pushes in a compliant contact is its spring: friction goes with the push, whoever gives it.
                let push = own.x.max(answer.r.x);
                // Mohr and Coulomb's bond slides at a limit of its own: c S h more than friction.
                let cohesion = if name == "MohrCoulomb" && tally.bonded { 3e2 * 0.01 * before.h } else { 0.0 };
                pushed += usize::from(push > slack);
                let faults = [
                    (!answer.converged, "not solved"),
                    (!answer.r.iter().chain(&answer.u).all(|x| x.is_finite()) || !is_finite(kept), "not finite"),
                    (own.x < -slack, "pulls"),
                    (own.y.hypot(own.z) > law.friction() * push + cohesion + slack, "beyond the cone"),
                    (tally_of(kept).bonded && tally_of(kept).damage < tally.damage, "heals"),
                    (!tally.bonded && tally.damage >= 1.0 && tally_of(kept).bonded, "bonds again"),
                    (shares.stored < 0.0, "stores less than nothing"),
                    (back.numbers != kept.numbers || moved > 1e-14 * length, "memory changed in the checkpoint"),
                ];
                for (_, fault) in faults.iter().filter(|f| f.0) {
                    wrong.push(format!(
                        "{name}: {fault} (seed {seed}, step {step}, error {:.1e}): r {:?}, own {own:?}, before {before:?}",
                        answer.error, answer.r
                    ));
                }
            }
        }
        if pushed < 50 {
            wrong.push(format!("{name}: pushed only {pushed} times"));
        }
    }
    wrong.dedup_by(|a, b| a.split('(').next() == b.split('(').next());
    let shown = wrong.iter().take(12).cloned().collect::<Vec<_>>().join("\n");
    assert!(wrong.is_empty(), "{} faults, the first:\n{shown}", wrong.len());
}
