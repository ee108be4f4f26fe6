//! Where a straight line goes through a core: what unions of cores are measured with. No contacts.

use mpcd_core::Vec3;

use super::{Core, Cylinder, Ellipsoid, Superellipsoid};

/// Where a line enters or leaves a convex body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct End {
    /// How far along the line (m).
    pub along: f64,
    /// |n·v| of the body's normal n there and the line's direction v.
    pub slope: f64,
}

/// How a line and a body meet.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Chord {
    /// The body does not tell.
    Unknown,
    /// The line passes the body.
    None,
    /// Where it enters and leaves.
    Through([End; 2]),
}

impl Chord {
    /// From both ends; passed where they are in the other order.
    fn between(enters: End, leaves: End) -> Self {
        if enters.along < leaves.along { Self::Through([enters, leaves]) } else { Self::None }
    }

    fn ends(self) -> Option<[End; 2]> {
        match self {
            Self::Through(ends) => Some(ends),
            Self::Unknown | Self::None => None,
        }
    }
}

/// Endless, for what bounds a line from one side alone.
const FROM: End = End { along: f64::NEG_INFINITY, slope: 0.0 };
const TO: End = End { along: f64::INFINITY, slope: 0.0 };

fn later(a: End, b: End) -> End {
    if b.along > a.along { b } else { a }
}

fn sooner(a: End, b: End) -> End {
    if b.along < a.along { b } else { a }
}

impl Core {
    /// Where the line o + t v, v a unit vector, goes through the body, both in its axes.
    pub(crate) fn chord(&self, o: &Vec3, v: &Vec3) -> Chord {
        match self {
            Self::Round { radius, .. } => ball(o, v, *radius),
            Self::Polytope { hull, rounding } if *rounding == 0.0 => {
                let (mut enters, mut leaves) = (FROM, TO);
                for face in hull.faces() {
                    let (slope, inside) = (face.normal.dot(v), face.offset - face.normal.dot(o));
                    let end = End { along: inside / slope, slope: slope.abs() };
                    if slope < 0.0 {
                        enters = later(enters, end);
                    } else if slope > 0.0 {
                        leaves = sooner(leaves, end);
                    } else if inside <= 0.0 {
                        return Chord::None;
                    }
                }
                if hull.faces().len() < 2 { Chord::Unknown } else { Chord::between(enters, leaves) }
            }
            Self::Polytope { hull, rounding } => match hull.vertices() {
                [from, to] => rod(o, v, from, to, *rounding),
                _ => Chord::Unknown,
            },
            Self::Smooth(body) => body.chord(o, v),
            Self::HalfSpace { .. } | Self::Hollow { .. } | Self::Mesh(_) | Self::Cluster(_) | Self::Deformable { .. } => {
                Chord::Unknown
            }
        }
    }
}

/// The roots of |o + t v|² = r² for any v that is not zero.
fn roots(o: &Vec3, v: &Vec3, radius: f64) -> Option<[f64; 2]> {
    let (a, b, c) = (v.norm_squared(), o.dot(v), o.norm_squared() - radius * radius);
    let under = b * b - a * c;
    (a > 0.0 && under > 0.0).then(|| [(-b - under.sqrt()) / a, (-b + under.sqrt()) / a])
}

fn ball(o: &Vec3, v: &Vec3, radius: f64) -> Chord {
    let end = |along: f64| End { along, slope: ((o + along * v) / radius).dot(v).abs() };
    roots(o, v, radius).map_or(Chord::None, |t| Chord::between(end(t[0]), end(t[1])))
}

/// All points within `radius` of the segment: the hull of what a line shares with two balls and with the cylinder between them.
fn rod(o: &Vec3, v: &Vec3, from: &Vec3, to: &Vec3, radius: f64) -> Chord {
    let (axis, length) = ((to - from).normalize(), (to - from).norm());
    let across = |x: &Vec3| x - axis * axis.dot(x);
    let (d, w) = (across(&(o - from)), across(v));
    let side = roots(&d, &w, radius).into_iter().flatten().filter_map(|along| {
        let height = (o + along * v - from).dot(&axis);
        (0.0..=length).contains(&height).then(|| End { along, slope: ((d + along * w) / radius).dot(v).abs() })
    });
    let caps = [from, to].into_iter().filter_map(|centre| ball(&(o - centre), v, radius).ends()).flatten();
    let (mut enters, mut leaves) = (TO, FROM);
    for end in side.chain(caps) {
        (enters, leaves) = (sooner(enters, end), later(leaves, end));
    }
    Chord::between(enters, leaves)
}

impl Cylinder {
    pub(super) fn through(&self, o: &Vec3, v: &Vec3) -> Chord {
        let flat = |x: &Vec3| Vec3::new(x.x, x.y, 0.0);
        let (d, w) = (flat(o), flat(v));
        let (mut enters, mut leaves) = (FROM, TO);
        if w.norm_squared() > 0.0 {
            let Some(t) = roots(&d, &w, self.radius) else { return Chord::None };
            [enters, leaves] = t.map(|along| End { along, slope: ((d + along * w) / self.radius).dot(v).abs() });
        } else if d.norm() >= self.radius {
            return Chord::None;
        }
        if v.z == 0.0 {
            return if o.z.abs() < self.half_length { Chord::between(enters, leaves) } else { Chord::None };
        }
        let end = |z: f64| End { along: (z - o.z) / v.z, slope: v.z.abs() };
        let half = self.half_length.copysign(v.z);
        Chord::between(later(enters, end(-half)), sooner(leaves, end(half)))
    }
}

impl Ellipsoid {
    pub(super) fn through(&self, o: &Vec3, v: &Vec3) -> Chord {
        let (d, w) = (o.component_div(&self.radii), v.component_div(&self.radii));
        let end = |along: f64| End { along, slope: (d + along * w).component_div(&self.radii).normalize().dot(v).abs() };
        roots(&d, &w, 1.0).map_or(Chord::None, |t| Chord::between(end(t[0]), end(t[1])))
    }
}

/// Halvings of an interval: to the last digit.
const HALVINGS: usize = 60;

impl Superellipsoid {
    /// The body is the unit ball of a norm, which is convex along a line: its least is sought by thirds, its crossings of 1 by halves.
    pub(super) fn through(&self, o: &Vec3, v: &Vec3) -> Chord {
        let size = |along: f64| self.norm(&(o + along * v).component_div(&self.radii));
        let far = self.radii.norm();
        let nearest = -o.dot(v);
        let (mut low, mut high) = (nearest - far, nearest + far);
        for _ in 0..HALVINGS {
            let third = (high - low) / 3.0;
            if size(low + third) < size(high - third) { high -= third } else { low += third }
        }
        let within = 0.5 * (low + high);
        if size(within) >= 1.0 {
            return Chord::None;
        }
        let crossing = |outside: f64| {
            let (mut inner, mut outer) = (within, outside);
            for _ in 0..HALVINGS {
                let middle = 0.5 * (inner + outer);
                if size(middle) < 1.0 { inner = middle } else { outer = middle }
            }
            let x = (o + inner * v).component_div(&self.radii);
            let step = 1e-6;
            let slope = Vec3::from_fn(|k, _| {
                let aside = step * Vec3::ith(k, 1.0);
                (self.norm(&(x + aside)) - self.norm(&(x - aside))) / self.radii[k]
            });
            End { along: inner, slope: slope.normalize().dot(v).abs() }
        };
        Chord::between(crossing(nearest - far), crossing(nearest + far))
    }
}
