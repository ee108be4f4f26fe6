//! Energy that nothing in the model can have given: made by impacts, which some laws of impact do, or by other contacts, by joints, or missing in the
//! book, which none may.

use mpcd_core::{Balance, Contact, Vec3, setup::Joint};

use super::{Seen, Watchdog};
use crate::{joint_state::JointState, law::Restitution};

/// Impacts: a property of the law (Kane's paradox), not of its solution.
#[derive(Debug)]
pub(super) struct Impacts {
    /// Over the scale of the book.
    pub(super) limit: f64,
}

/// All else: the step is wrong.
#[derive(Debug)]
pub(super) struct Work {
    /// Over the scale of the book.
    pub(super) limit: f64,
    /// The most energy that has moved in a step (J): what is below the rounding of that is left over from it.
    pub(super) most: f64,
    /// What was made in steps in which next to nothing moved (J): told once it adds up.
    pub(super) little: f64,
}

impl Watchdog for Impacts {
    fn name(&self) -> &'static str {
        "impacts"
    }

    fn look(&mut self, seen: &mut Seen<'_>) -> Option<String> {
        let book = seen.energy?;
        if !seen.laws.any(|law| !matches!(law.restitution(), Restitution::None)) {
            return None;
        }
        let is_of_impact = of_impact(seen);
        let struck: Vec<&Contact> = contacts(seen).filter(|c| is_of_impact(*c)).map(|(c, _)| c).collect();
        let most: f64 = struck.iter().map(|c| made(c)).sum();
        let worst = struck.into_iter().max_by(|a, b| made(a).total_cmp(&made(b)));
        let help = worst.map_or("", |c| help(seen.laws.law(c.law).restitution()));
        words(seen.step.time, book, self.limit, ("impacts", most, help))
    }
}

impl Watchdog for Work {
    fn name(&self) -> &'static str {
        "work"
    }

    fn look(&mut self, seen: &mut Seen<'_>) -> Option<String> {
        let book = seen.energy?;
        // What laws on gaps do where bodies overlap: they are pushed apart, which is work.
        let parting = |c: &Contact| c.r.x * (-c.gap).max(0.0) / seen.step.h;
        let is_of_impact = of_impact(seen);
        let rest: f64 = contacts(seen).filter(|c| !is_of_impact(*c)).map(|(c, _)| made(c) - parting(c)).sum();
        let vibrates = seen.step.theta < VIBRATES && !seen.setup.meshes.is_empty();
        let joints = flow(book, "joints");
        let joints = joints.min(joints + seen.scheme);
        let maker = worst(book, (rest, joints), vibrates);
        if self.is_rounding(book, maker.1) || maker.1 > self.limit * book.scale && maker.1 <= of_places(seen) {
            return self.of_springs(seen);
        }
        if maker.1 > self.limit * book.scale && self.is_little(maker.1) {
            return self.of_springs(seen);
        }
        words(seen.step.time, book, self.limit, maker).or_else(|| self.of_springs(seen))
    }
}

impl Work {
    /// Springs of faces that get stiffer at the depth they have, in all steps so far: where another point of the face lands or lifts.
    fn of_springs(&self, seen: &Seen<'_>) -> Option<String> {
        let made = seen.next.restrung;
        (made > seen.prev.restrung && made > self.limit * self.most).then(|| {
            format!(
                "springs of faces made {made:.3e} J up to t = {:.6e} s that contacts did not take out again, {:.2e} of the most that moved (limit {:.0e}): a corner that touches alone has the stiffness of \
                 the whole contact and gives part of it up once another one touches, so what rocks that far does not keep its energy; write a `damping`, or a `stiffness` so small that no corner lifts",
                seen.step.time,
                made / self.most,
                self.limit,
            )
        })
    }

    /// Whether an energy (J) is little beside the most that has moved, and so is all that was.
    fn is_little(&mut self, made: f64) -> bool {
        if made > LITTLE * self.most {
            return false;
        }
        self.little += made;
        self.little <= self.limit * self.most
    }

    /// Whether an energy (J) is what rounding and solves leave of those that moved in this step or one before: a motor that stands at its limit moves none.
    const fn is_rounding(&mut self, book: &Balance, made: f64) -> bool {
        self.most = self.most.max(book.scale);
        made <= LEFT * self.most
    }
}

/// What forces do where places and turns are known to rounding (J): that of bodies at rest under loads.
fn of_places(seen: &Seen<'_>) -> f64 {
    let places = &seen.next.kinematics.position;
    let contacts: f64 = seen.next.network.iter().map(|c| c.r.norm() * (c.point.norm() + c.gap.abs())).sum();
    let of_joint = |(joint, state): (&Joint, &JointState)| {
        let farthest = [Some(joint.bodies.0), joint.bodies.1].into_iter().flatten().filter_map(|b| places.get(b.index()));
        state.impulse.norm() * farthest.map(|x| x.norm()).fold(0.0, f64::max) + state.moment.norm()
    };
    let joints: f64 = seen.setup.joints.iter().zip(&seen.next.joints).map(of_joint).sum();
    ROUNDING * (contacts + joints) / seen.step.h
}

/// Part of lengths and angles up to which places are what forces would have them be.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// Part of the energies that moved in a step before that a step at rest may make.
const LEFT: f64 = 1e-13;

/// Part of the most energy that has moved in a step up to which what one makes is little: where a pendulum turns back next to nothing moves, and what is of third order in the step is a part of that.
const LITTLE: f64 = 1e-5;

/// θ below which what the nodes of meshes do on contacts is not damped by the scheme.
const VIBRATES: f64 = 0.6;

/// Who made most of what nothing can have given: contacts, joints (J), or nobody known.
fn worst(book: &Balance, (contacts, joints): (f64, f64), vibrates: bool) -> Maker {
    let all = [
        (
            "contacts",
            contacts,
            if vibrates {
                "nodes of meshes that vibrate on contacts do so with `theta` near ½: take `theta: 1`, or damp the material"
            } else {
                "their solution is not good enough for the masses that meet, or something that is driven starts or stops at once: ask for a smaller `tolerance`, make the masses less different, or reduce the time step"
            },
        ),
        ("joints", joints, "reduce the time step, or make the masses of the jointed bodies less different"),
        ("an open book", book.remainder().x.abs(), "reduce the time step"),
    ];
    let [first, rest @ ..] = all;
    rest.into_iter().fold(first, |worst, other| if other.1 > worst.1 { other } else { worst })
}

/// Energy that a contact made (J).
fn made(contact: &Contact) -> f64 {
    -(contact.heat_friction + contact.heat_impact)
}

/// What helps where a law of this restitution made energy.
fn help(restitution: Restitution<'_>) -> &'static str {
    match restitution {
        Restitution::Phases(law) if law.is_energetic() => {
            "several contacts that are struck at once can: reduce the time step, or write less restitution"
        }
        Restitution::Phases(_) => "Poisson restitution with friction can: write `Stronge`, or less restitution",
        _ => {
            "Newton restitution with friction can (Kane's paradox), so can unlike coefficients in one step, loads that bring together within it what parts, and, without friction too, bodies of unequal moments of inertia that turn far in it: write `Poisson` or `Stronge`, less restitution, or a shorter step"
        }
    }
}

/// The contacts, and how growth moved the surfaces of each where the step begins [m/s].
fn contacts<'a>(seen: &Seen<'a>) -> impl Iterator<Item = (&'a Contact, Vec3)> {
    let growth = seen.growth;
    seen.next.network.iter().enumerate().map(|(place, contact)| (contact, growth.before(place)))
}

/// Whether a contact is an impact whose law gives something back: the bodies approach faster than their surfaces shrink.
fn is_struck(seen: &Seen<'_>, (contact, growth): (&Contact, Vec3)) -> bool {
    contact.u_before.x < growth.x && !matches!(seen.laws.law(contact.law).restitution(), Restitution::None)
}

/// What belongs to the impacts of a step: contacts that are struck, and beside them those of such laws that were about to open and are pressed, which only what is
/// struck can do: what they gain the struck ones lose.
fn of_impact<'a>(seen: &'a Seen<'_>) -> impl Fn((&Contact, Vec3)) -> bool + 'a {
    let any = std::cell::OnceCell::new();
    move |(contact, growth)| {
        let gives_back = !matches!(seen.laws.law(contact.law).restitution(), Restitution::None);
        let opening = contact.u_before.x > growth.x && contact.r.x > 0.0;
        is_struck(seen, (contact, growth))
            || opening && gives_back && *any.get_or_init(|| contacts(seen).any(|c| is_struck(seen, c)))
    }
}

/// Who makes energy, how much (J), and what helps.
type Maker = (&'static str, f64, &'static str);

fn words(time: f64, book: &Balance, limit: f64, (who, most, help): Maker) -> Option<String> {
    (most > limit * book.scale).then(|| {
        format!(
            "{who} made {most:.3e} J in the step at t = {time:.6e} s, {:.2e} of the energy that moves in it (limit {limit:.0e}); {help}",
            most / book.scale,
        )
    })
}

fn flow(book: &Balance, name: &str) -> f64 {
    book.flows.iter().filter(|(n, _)| *n == name).map(|(_, amount)| amount.x).sum()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use crate::law::{Law, LawKind, Poisson, Stronge};
    use mpcd_core::{Book, Fragment};

    /// What helps is said of the law that ran.
    #[test]
    fn words_on_impacts_are_of_the_law_that_ran() {
        let params = || Fragment::whole("(friction: 0.3, restitution: 0.5)");
        let poisson = Poisson::build(params().parse().unwrap()).unwrap();
        let stronge = Stronge::build(params().parse().unwrap()).unwrap();
        assert!(help(poisson.restitution()).starts_with("Poisson restitution with friction can: write `Stronge`"));
        assert!(!help(stronge.restitution()).contains("write `Stronge`"));
        assert!(help(Restitution::Velocity).contains("write `Poisson` or `Stronge`"));
    }

    /// 10 J move. Joints give 30 mJ of it, a store grows by 70 mJ that no line explains, a contact makes 20 mJ: each is told by its name where it is the
    /// largest and beyond the limit; what takes energy out is no fault.
    #[test]
    fn whoever_makes_energy_is_named() {
        let book = |joints: f64, missing: f64| {
            Balance::new(Book::Energy, 10.0).store("kinetic", 1.0, 1.0 + joints + missing).flow("joints", joints)
        };
        let told = |book: Balance, contacts: f64, limit: f64| {
            words(0.25, &book, limit, worst(&book, (contacts, flow(&book, "joints")), false))
        };
        let joints = told(book(0.03, 0.0), 0.02, 1e-3).unwrap();
        assert!(joints.starts_with("joints made 3.000e-2 J in the step at t = 2.500000e-1 s, 3.00e-3 of the energy"), "{joints}");
        for missing in [0.07, -0.07] {
            let open = told(book(0.03, missing), 0.02, 1e-3).unwrap();
            assert!(open.starts_with("an open book made 7.000e-2 J in the step"), "{open}");
        }
        let contacts = told(book(0.01, 0.0), 0.02, 1e-3).unwrap();
        assert!(contacts.starts_with("contacts made 2.000e-2 J in the step"), "{contacts}");
        assert_eq!(told(book(0.03, 0.0), 0.02, 4e-3), None);
        assert_eq!(told(book(-5.0, 0.0), -1.0, 1e-3), None);
    }

    /// Where 0.6 J have moved, 1e-17 J of them are left in displacements and 1e-14 J in what a motor at its limit is held by: beside as little that moves they are no fault, and 1e-12 J are.
    #[test]
    fn what_rounding_leaves_is_no_work() {
        let mut work = Work { limit: 1e-3, most: 0.0, little: 0.0 };
        let book = |scale: f64| Balance::new(Book::Energy, scale);
        assert!(!work.is_rounding(&book(2e-39), 4.7e-39));
        assert!(!work.is_rounding(&book(0.6), 1e-3));
        assert!(work.is_rounding(&book(2e-39), 4.7e-39) && work.is_rounding(&book(1e-17), 1e-17));
        assert!(work.is_rounding(&book(1e-14), 1e-14));
        assert!(!work.is_rounding(&book(1e-12), 1e-12));
    }

    /// Where 1 J has moved, 9e-6 J made while nothing moves are little, 111 times and no more; 2e-5 J are not.
    #[test]
    fn what_is_little_adds_up() {
        let mut work = Work { limit: 1e-3, most: 1.0, little: 0.0 };
        assert!(!work.is_little(2e-5));
        assert_eq!((0..200).take_while(|_| work.is_little(9e-6)).count(), 111);
    }
}
