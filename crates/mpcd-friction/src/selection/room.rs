//! The impulses that a contact may have at the velocity it has: a convex set, and the nearest point of it. No bodies here.

use nalgebra::Vector3;

use super::dual::dot;
use crate::Cone;
use crate::cone::{project_coulomb, tangential_norm};
use crate::local::Block;
use crate::problem::{Contact, Response};

/// How still a contact is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rest {
    /// Velocity that counts as none.
    pub(super) speed: f64,
    /// Velocity that is rounding.
    pub(super) rounding: f64,
    /// By how much it gives way to an impulse of 1: what a velocity is worth against an impulse.
    pub(super) give: f64,
    /// Impulse by which friction may be turned against the slip.
    pub(super) turned: f64,
}

/// A set of impulses of one contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Room<const D: usize> {
    /// The one it has.
    Held,
    /// Any, along these components; the others none.
    Any([bool; D]),
    /// r + shift in Coulomb's cone: the contact rests.
    Cone { friction: f64, shift: [f64; D] },
    /// r + shift a multiple ≥ 0 of a vector: the contact slides.
    Ray { along: [f64; D], shift: [f64; D] },
}

impl<const D: usize> Room<D> {
    /// What the contact may have at the velocity `u` with its shift. Of gap and force, and of slip and what the force lacks of the limit, one is none: where
    /// a velocity is not sure to be some, which of the two is larger decides.
    pub(super) fn of(contact: &Contact, bonded: bool, u: &Vector3<f64>, rest: Rest) -> Self {
        if contact.compliance != Vector3::zeros() || contact.angular().is_some() {
            return Self::Held;
        }
        if bonded {
            return Self::Any([true; D]);
        }
        let cone = match contact.response {
            Response::Cone(cone) => cone,
            Response::Law(_) => return Self::Held,
        };
        let only = |normal: bool| std::array::from_fn(|k| (k == 0) == normal);
        let friction = match cone {
            Cone::Bilateral => return Self::Any([true; D]),
            Cone::BilateralNormal => return Self::Any(only(true)),
            Cone::BilateralTangential => return Self::Any(only(false)),
            Cone::Frictionless => 0.0,
            Cone::Coulomb { friction } | Cone::Convex { friction } => friction,
        };
        let shift: [f64; D] = std::array::from_fn(|k| contact.impulse_shift[k]);
        let now: [f64; D] = std::array::from_fn(|k| contact.impulse[k] + shift[k]);
        let slip: [f64; D] = std::array::from_fn(|k| u[k]);
        let (pushed, across) = (now[0] * rest.give, tangential_norm(&now) * rest.give);
        let slides = friction > 0.0 && tangential_norm(&slip) > rest.speed && tangential_norm(&slip) > friction * pushed - across;
        // a sliding contact of the convex law opens as it slides
        let lift = if matches!(cone, Cone::Convex { .. }) && slides { friction * tangential_norm(&slip) } else { 0.0 };
        if u.x - lift > rest.speed && u.x - lift > pushed {
            return Self::Held;
        }
        if !slides {
            return Self::Cone { friction, shift };
        }
        // against the slip: slips of one motion agree to rounding, forces only to the tolerance, and what differs between points of a face would be held as a
        // condition; along the force where the slip is too small to say
        let mut against = Self::Ray {
            along: std::array::from_fn(|k| if k == 0 { 1.0 } else { -friction * slip[k] / tangential_norm(&slip) }),
            shift,
        };
        let far = against.nearest(&std::array::from_fn(|k| contact.impulse[k])).0;
        let change: [f64; D] = std::array::from_fn(|k| far[k] - contact.impulse[k]);
        if let Self::Ray { along, .. } = &mut against
            && now[0] > rest.turned
            && dot(&change, &change).sqrt() > rest.turned
        {
            *along = now.map(|r| r / now[0]);
        }
        against
    }

    /// What the contact may have where nothing moves; `None` where its law then asks for motion (growth) beyond rounding.
    pub(super) fn at_rest(contact: &Contact, bonded: bool, rest: Rest) -> Option<Self> {
        let u = contact.velocity_shift;
        if tangential_norm(&[u.x, u.y, u.z]) > rest.rounding || u.x < -rest.rounding {
            return None;
        }
        // one that is open where nothing moves bears nothing
        Some(match Self::of(contact, bonded, &Vector3::zeros(), rest) {
            Self::Cone { .. } if u.x > rest.speed => Self::Any([false; D]),
            room => room,
        })
    }

    /// The nearest point to `x`, and how it moves with x.
    pub(super) fn nearest(&self, x: &[f64; D]) -> ([f64; D], Block<D>) {
        let mut slope = [[0.0; D]; D];
        match *self {
            Self::Held => ([0.0; D], slope),
            Self::Any(along) => {
                (0..D).for_each(|k| slope[k][k] = f64::from(u8::from(along[k])));
                (std::array::from_fn(|k| if along[k] { x[k] } else { 0.0 }), slope)
            }
            Self::Ray { along, shift } => {
                let square: f64 = along.iter().map(|a| a * a).sum();
                let far = (0..D).map(|k| along[k] * (x[k] + shift[k])).sum::<f64>() / square;
                if far > 0.0 {
                    slope = std::array::from_fn(|i| std::array::from_fn(|k| along[i] * along[k] / square));
                }
                (std::array::from_fn(|k| far.max(0.0) * along[k] - shift[k]), slope)
            }
            Self::Cone { friction, shift } => {
                let moved: [f64; D] = std::array::from_fn(|k| x[k] + shift[k]);
                let near = project_coulomb(friction, &moved);
                (std::array::from_fn(|k| near[k] - shift[k]), slope_of_cone(friction, &moved))
            }
        }
    }
}

/// How the projection on Coulomb's cone moves with what is projected.
fn slope_of_cone<const D: usize>(friction: f64, x: &[f64; D]) -> Block<D> {
    let mut slope = [[0.0; D]; D];
    let across = tangential_norm(x);
    if friction * across <= -x[0] {
        return slope;
    }
    if across <= friction * x[0] {
        (0..D).for_each(|k| slope[k][k] = 1.0);
        return slope;
    }
    let share = 1.0 / (1.0 + friction * friction);
    let normal = (friction * across + x[0]) * share;
    let edge: [f64; D] = std::array::from_fn(|k| if k == 0 { 1.0 } else { friction * x[k] / across });
    for i in 0..D {
        for k in 0..D {
            slope[i][k] = share * edge[i] * edge[k];
            if i > 0 && k > 0 {
                let turn = f64::from(u8::from(i == k)) - (x[i] / across) * (x[k] / across);
                slope[i][k] += friction * normal / across * turn;
            }
        }
    }
    slope
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Squares of the smallest pushes are none; what sticks out of the cone by rounding has no direction of its own.
    #[test]
    fn the_smallest_pushes_have_slopes() {
        let room = Room::Cone { friction: 0.4, shift: [0.0; 2] };
        for x in [[0.0, 1e-200], [-1e-201, 1e-200], [1e-201, -1e-200]] {
            let (nearest, slope) = room.nearest(&x);
            assert!(nearest.iter().chain(slope.iter().flatten()).all(|x| x.is_finite()), "{x:?}: {nearest:?} {slope:?}");
        }
        let frame = crate::problem::Frame::planar(Vector3::y());
        let contact = Contact::new(0, 1, frame, Vector3::zeros(), Vector3::zeros())
            .with_cone(Cone::coulomb(0.4))
            .with_impulse(Vector3::new(1e-300, -1e-9, 0.0));
        let rest = Rest { speed: 1e-12, rounding: 1e-15, give: 1.0, turned: 1e-11 };
        let room = Room::<2>::of(&contact, false, &Vector3::new(0.0, 1.0, 0.0), rest);
        assert!(matches!(room, Room::Ray { along, .. } if along.iter().all(|a| a.abs() <= 1.0)), "{room:?}");
    }

    #[test]
    fn slopes_are_those_of_differences() {
        let rooms = [
            Room::Cone { friction: 0.4, shift: [0.3, 0.0, 0.0] },
            Room::Ray { along: [1.0, 0.3, -0.2], shift: [0.1, 0.0, 0.0] },
            Room::Any([true, false, true]),
        ];
        for room in rooms {
            for x in [[1.0, 0.1, 0.2], [0.2, 1.0, -0.7], [-0.9, 0.6, 0.5], [-3.0, 0.1, 0.1]] {
                let (_, slope) = room.nearest(&x);
                for k in 0..3 {
                    let moved = |by: f64| {
                        let mut x = x;
                        x[k] += by;
                        room.nearest(&x).0
                    };
                    let (more, less) = (moved(1e-6), moved(-1e-6));
                    for i in 0..3 {
                        assert!(((more[i] - less[i]) / 2e-6 - slope[i][k]).abs() < 1e-8, "{room:?} {x:?} {i} {k}");
                    }
                }
            }
        }
    }
}
