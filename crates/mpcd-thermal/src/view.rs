//! How much of its surface a body sees of its neighbour: view factors of spheres, parallel cylinders, planes and flat faces, as areas
//! A F (m²). No temperature, no network.

use mpcd_core::{ContactGeometry, Dimension, Form, quadrature::gauss};
use std::f64::consts::PI;

/// A body as its neighbours see it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Neighbour {
    /// What it is outside.
    pub form: Form,
    /// Its outer surface (m²); 0 for a plane, which has no end.
    pub surface: f64,
}

/// A F (m²) of two bodies whose contact has this shape, smaller radius (m) and gap (m). Bodies that touch in a point count as spheres of their surface, a ball on something flat as on
/// a plane, in a line as cylinders of their radii there over its length, in space with the round ends that capsules have, and others where their surfaces have room for them; what
/// stands between them is not seen. `None` where a line lies in a hollow: how far that reaches around is not known.
///
/// Radii and lengths are those of the contact, surfaces may be of bodies that have grown since: nothing is told here by comparing the two but what is far from the limit.
#[must_use]
pub fn viewed_area(
    geometry: &ContactGeometry,
    least_radius: f64,
    bodies: [Neighbour; 2],
    gap: f64,
    dimension: Dimension,
) -> Option<f64> {
    let surfaces = bodies.map(|b| b.surface);
    let [first, second] = surfaces;
    let gap = gap.max(0.0);
    Some(match *geometry {
        ContactGeometry::Flat { area } => area,
        // half of what leaves a body that bulges everywhere ends on a plane, however far it is
        _ if first <= 0.0 || second <= 0.0 => 0.5 * first.max(second),
        _ if is_ball_on_flat(geometry, least_radius, bodies) => 0.5 * first.min(second),
        ContactGeometry::Point { .. } => spheres(surfaces.map(|a| (a / (4.0 * PI)).sqrt()), gap),
        ContactGeometry::Line { reduced_radius, length } => {
            let (small, large) = radii_of_line(reduced_radius, least_radius)?;
            let surface = |r: f64| 2.0 * PI * r * length;
            let is_capsule = |b: &Neighbour| b.form == Form::Capsule;
            let has_ends =
                |r: f64, b: &Neighbour| is_capsule(b) || b.surface >= (surface(r) + 4.0 * PI * r * r) * (1.0 - ROUNDING);
            let [less, more] = if second < first { [&bodies[1], &bodies[0]] } else { [&bodies[0], &bodies[1]] };
            // of something flat there is no more to say; a capsule is so nowhere
            let round = dimension == Dimension::Spatial
                && if large.is_infinite() {
                    bodies.iter().any(is_capsule) || has_ends(small, less)
                } else {
                    has_ends(small, less) && has_ends(large, more)
                };
            let factor = if large.is_infinite() { 0.5 } else { cylinder_to_cylinder(small, large, small + large + gap) };
            surface(small) * factor + if round { spheres([small, large], gap) } else { 0.0 }
        }
    })
}

/// Whether two bodies that touch in a point count as balls of their surface in [`viewed_area`] and are none: by how round they are there, a tenth off. Of a body on a plane, and of a
/// ball on something flat, half of what leaves it ends there.
#[must_use]
pub fn not_the_balls(geometry: &ContactGeometry, least_radius: f64, bodies: [Neighbour; 2]) -> bool {
    let ContactGeometry::Point { reduced_radius, .. } = *geometry else { return false };
    if bodies.iter().all(|b| b.form == Form::Ball) || is_ball_on_flat(geometry, least_radius, bodies) {
        return false;
    }
    let [r, s] = bodies.map(|b| (b.surface / (4.0 * PI)).sqrt());
    r > 0.0 && s > 0.0 && (reduced_radius * (r + s) / (r * s) - 1.0).abs() > 0.1
}

/// Whether a ball touches something flat: round on all sides, and as round as the smaller radius. Both radii are of one contact, so of one size. Of
/// other bodies, such as capsules that cross, the contact does not tell.
fn is_ball_on_flat(geometry: &ContactGeometry, least_radius: f64, bodies: [Neighbour; 2]) -> bool {
    let ContactGeometry::Point { reduced_radius, roundness } = *geometry else { return false };
    bodies.iter().any(|b| b.form == Form::Ball)
        && (least_radius / reduced_radius - 1.0).abs() <= FLAT
        && (roundness - 1.0).abs() <= FLAT
}

/// Part of a radius by which the two of a contact may differ where one side is flat, and up to which something is round.
const FLAT: f64 = 1e-6;
/// Below this part radii are equal.
const ROUNDING: f64 = 1e-9;

/// The smaller and the larger radius (m) of two cylinders from their reduced radius R* = (1/r + 1/s)⁻¹ and the smaller one; infinite for something
/// flat. `None` for a hollow: there R* exceeds the smaller one.
fn radii_of_line(reduced: f64, least: f64) -> Option<(f64, f64)> {
    let least = least.min(2.0 * reduced);
    let rest = least / reduced - 1.0; // r/s
    match rest {
        _ if rest.abs() <= ROUNDING => Some((least, f64::INFINITY)),
        _ if rest > 0.0 => Some((least, least / rest)),
        _ => None,
    }
}

/// A F (m²) of two spheres of these radii (m), infinite for a plane, and this gap (m).
fn spheres([r, s]: [f64; 2], gap: f64) -> f64 {
    // from the smaller one, over which the integrand is smooth; A F is the same from both sides
    let (small, large) = (r.min(s), r.max(s));
    let factor = if large.is_infinite() { 0.5 } else { sphere_to_sphere(small, large, r + s + gap) };
    4.0 * PI * small * small * factor
}

/// View factor of a sphere of radius `r` to one of radius `s` at a distance `d` of their centres, r + s or more: the mean over the first
/// sphere of the view factor of its elements to the second (Howell, Catalog of radiation configuration factors), by Gauss' rule: to 5e-9
/// where the first is no larger than the second, to 4e-4 where it touches one a hundred times smaller.
#[must_use]
pub fn sphere_to_sphere(r: f64, s: f64, d: f64) -> f64 {
    let element = |angle: f64| {
        // near the axis d cos θ − r and r² + d² − 2rd cos θ would have lost their digits
        let lift = (0.5 * angle).sin().powi(2);
        let (along, far) = ((d - r) - 2.0 * d * lift, ((d - r).powi(2) + 4.0 * r * d * lift).sqrt());
        to_sphere(along / far, far / s) * angle.sin()
    };
    // up to the first angle an element sees all of the other sphere, from the second on nothing
    let ends = [0.0, ((r + s) / d).min(1.0).acos(), ((r - s) / d).clamp(-1.0, 1.0).acos()];
    0.5 * (gauss(ends[0], ends[1], element) + gauss(ends[1], ends[2], element))
}

/// View factor of an element, whose normal has the cosine `c` to the direction of a sphere's centre, to that sphere at a distance of
/// `h` of its radii. The element lies outside the sphere or on it: an `h` below 1 is rounding.
fn to_sphere(c: f64, h: f64) -> f64 {
    let h = h.max(1.0);
    if c * h >= 1.0 {
        return c / (h * h);
    }
    if c * h <= -1.0 {
        return 0.0;
    }
    let (root, sine) = ((h * h - 1.0).max(0.0).sqrt(), (1.0 - c * c).max(0.0).sqrt());
    let inside = |x: f64| x.clamp(-1.0, 1.0);
    let angle = inside(root / (h * sine)).asin();
    let part = c * inside(-root * c / sine).acos() - root * (1.0 - (h * c).powi(2)).max(0.0).sqrt();
    0.5 - angle / PI + part / (PI * h * h)
}

/// View factor of a long cylinder of radius `r` to a parallel one of radius `s` at a distance `d` of their axes (crossed strings;
/// Modest, Radiative Heat Transfer, configuration 44).
#[must_use]
pub fn cylinder_to_cylinder(r: f64, s: f64, d: f64) -> f64 {
    let (ratio, c) = (s / r, d / r);
    let root = |x: f64| (c * c - x * x).max(0.0).sqrt();
    let arc = |x: f64| (x / c).clamp(-1.0, 1.0).acos();
    let strings = root(ratio + 1.0) - root(ratio - 1.0) + (ratio - 1.0) * arc(ratio - 1.0) - (ratio + 1.0) * arc(ratio + 1.0);
    (PI + strings) / (2.0 * PI)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two bodies of one form with these surfaces (m²).
    fn alike(form: Form, surfaces: [f64; 2]) -> [Neighbour; 2] {
        surfaces.map(|surface| Neighbour { form, surface })
    }

    /// The far field is half the solid angle, (s/2d)²; A F is the same from both sides; touching equal spheres see 7.5 % of each other.
    #[test]
    fn spheres_see_each_other_alike_and_as_little_as_they_are_far() {
        assert!((sphere_to_sphere(1.0, 1.0, 200.0) * 4.0 * 200.0_f64.powi(2) - 1.0).abs() < 1e-4);
        for (r, s, d) in [(1.0, 0.5, 1.6), (1.0, 0.2, 1.2), (1.0, 1.0, 2.5), (3.0, 1.0, 4.0001)] {
            let (there, back) = (r * r * sphere_to_sphere(r, s, d), s * s * sphere_to_sphere(s, r, d));
            assert!((there / back - 1.0).abs() < 3e-4, "{r} {s} {d}: {there} {back}");
        }
    }

    /// Against rays: cosine-distributed from even points of the first sphere, by a low-discrepancy sequence.
    #[test]
    fn spheres_by_rays() {
        for (r, s, d) in [(1.0, 1.0, 2.0), (1.0, 0.4, 1.5), (0.5, 1.0, 1.7)] {
            let (n, mut hits) = (400_000_u32, 0_u32);
            let frac = |x: f64| x - x.floor();
            for k in 0..n {
                let k = f64::from(k) + 0.5;
                // the generalised golden ratio of three dimensions
                let (u, v, w) =
                    (frac(k * 0.819_172_513_396_164_4), frac(k * 0.671_043_606_703_789_2), frac(k * 0.549_700_477_901_970_3));
                let z = 1.0 - 2.0 * u; // the axis points to the second sphere
                let sine = (1.0 - z * z).sqrt();
                let (point, normal) = ([r * sine, 0.0, r * z], [sine, 0.0, z]);
                let (radius, turn) = (v.sqrt(), 2.0 * PI * w);
                let (a, b, c) = (radius * turn.cos(), radius * turn.sin(), (1.0 - v).sqrt());
                // tangents of the point: (z, 0, −sine) and y
                let ray = [a * z + c * normal[0], b, -a * sine + c * normal[2]];
                let to = [-point[0], -point[1], d - point[2]];
                let along: f64 = (0..3).map(|i| ray[i] * to[i]).sum();
                let off = (0..3).map(|i| to[i] * to[i]).sum::<f64>() - along * along;
                hits += u32::from(along > 0.0 && off < s * s);
            }
            let (seen, rays) = (sphere_to_sphere(r, s, d), f64::from(hits) / f64::from(n));
            assert!((seen - rays).abs() < 3e-4, "{r} {s} {d}: {seen} by the integral, {rays} by rays");
        }
    }

    /// Two touching equal cylinders: ½ − 1/π + … = (√(X²−1) + asin(1/X) − X)/π at X = 1: (π/2 − 1)/π = 0.18169; A F alike from both sides.
    #[test]
    fn cylinders_by_crossed_strings() {
        assert!((cylinder_to_cylinder(1.0, 1.0, 2.0) - (PI / 2.0 - 1.0) / PI).abs() < 1e-15);
        let x: f64 = 1.3;
        assert!((cylinder_to_cylinder(2.0, 2.0, 4.0 * x) - ((x * x - 1.0).sqrt() + (1.0 / x).asin() - x) / PI).abs() < 1e-15);
        assert!((cylinder_to_cylinder(1.0, 0.3, 1.5) - 0.3 * cylinder_to_cylinder(0.3, 1.0, 1.5)).abs() < 1e-15);
    }

    /// Spheres that touch have a view factor whatever their radii are: h = (d − r)/s rounds to below 1 at the foot of the contact for one pair in
    /// eight. 5 mm on 3 mm: A F = 13.5227 mm² by the same integral with 200 panels. From both sides the same, down to radii of 1 : 10⁶, where the
    /// smaller one sees half of it as a plane.
    #[test]
    fn touching_spheres_of_any_radii_see_each_other() {
        let point = ContactGeometry::Point { reduced_radius: 1.0, roundness: 1.0 };
        let area = |r: f64, s: f64| {
            let balls = alike(Form::Ball, [r, s].map(|x| 4.0 * PI * x * x));
            viewed_area(&point, r.min(s), balls, 0.0, Dimension::Spatial).unwrap_or(f64::NAN)
        };
        for a in 1..60 {
            for b in 1..60 {
                let (r, s) = (f64::from(a) * 1e-3, f64::from(b) * 1e-3);
                let seen = area(r, s);
                assert!(seen > 0.0 && seen < 2.0 * PI * r.min(s).powi(2), "{a} mm and {b} mm: {seen} m²");
                assert!(sphere_to_sphere(r, s, r + s) > 0.0, "{a} mm and {b} mm");
                assert_eq!(seen.to_bits(), area(s, r).to_bits(), "{a} mm and {b} mm");
            }
        }
        assert!((area(5e-3, 3e-3) / 1.3522748440943e-05 - 1.0).abs() < 1e-8, "{}", area(5e-3, 3e-3));
        // touching, F = 0.4325744512 at 1 : 100 and 0.4932098741 at 1 : 10⁴ (200 panels)
        for (s, want) in [(1e-2, 0.432_574_451_173_470_1), (1e-4, 0.493_209_874_093_115_9)] {
            assert!((area(1.0, s) / (4.0 * PI * s * s * want) - 1.0).abs() < 1e-8, "{s}: {}", area(1.0, s));
        }
        assert!((area(1.0, 1e-6) / (2.0 * PI * 1e-12) - 1.0).abs() < 2e-3);
    }

    /// A ball on a face sees it as a plane, from whatever body the face is, and whatever the ball has grown by since the contact was found: of two balls of
    /// their surfaces it would see a third. Something else as large is no ball.
    #[test]
    fn half_of_what_leaves_a_ball_ends_on_a_face() {
        let area = 4.0 * PI * 25e-6;
        let slab = Neighbour { form: Form::Other, surface: 2.0 * 0.2 * 0.2 + 4.0 * 0.2 * 0.01 };
        let geometry = |reduced_radius: f64| ContactGeometry::Point { reduced_radius, roundness: 1.0 };
        let seen = |reduced_radius: f64, bodies: [Neighbour; 2]| {
            viewed_area(&geometry(reduced_radius), 5e-3, bodies, 0.0, Dimension::Spatial).unwrap_or(f64::NAN)
        };
        for growth in [0.9, 0.999_98, 1.0, 1.000_02, 1.1] {
            let ball = Neighbour { form: Form::Ball, surface: area * growth };
            for bodies in [[ball, slab], [slab, ball]] {
                assert!((seen(5e-3, bodies) / (0.5 * ball.surface) - 1.0).abs() < 1e-12, "{growth}");
                assert!(!not_the_balls(&geometry(5e-3), 5e-3, bodies), "{growth}");
            }
            assert!(seen(2.5e-3, [ball, ball]) < 0.1 * ball.surface, "{growth}");
        }
        let other = [slab, Neighbour { form: Form::Other, surface: area }];
        assert!(seen(5e-3, other) < 0.45 * area);
        // a capsule of 0.618 of the radius of a ball, across which both reduced and smaller radius are its own, is not flat
        let ball = Neighbour { form: Form::Ball, surface: 4.0 * PI };
        let b = (0.25 + 1.0_f64).sqrt() + 0.5;
        let (across, along) = (1.0 + b, 1.0);
        let product = f64::sqrt(across * along);
        let crossed = ContactGeometry::Point { reduced_radius: 1.0 / product, roundness: 2.0 * product / (across + along) };
        let capsule = Neighbour { form: Form::Capsule, surface: 60.0 };
        let half = viewed_area(&crossed, 1.0 / b, [ball, capsule], 0.0, Dimension::Spatial);
        assert!((b * b - across).abs() < 1e-12 && half.is_some_and(|a| a < 0.9 * 2.0 * PI), "{half:?}");
    }

    /// Capsules of the radius r side by side, and one on something flat, have their round ends whatever they have grown by since the contact was found; cylinders
    /// have none where the line is all of their length.
    #[test]
    fn capsules_have_round_ends_at_every_size() {
        let (r, length) = (2e-3, 4e-3);
        let (side, ends) = (2.0 * PI * r * length, 4.0 * PI * r * r);
        let line = |part: f64| ContactGeometry::Line { reduced_radius: part * r, length };
        let seen =
            |part: f64, bodies: [Neighbour; 2]| viewed_area(&line(part), r, bodies, 0.0, Dimension::Spatial).unwrap_or(f64::NAN);
        let slab = Neighbour { form: Form::Other, surface: 1.0 };
        let touching = side * cylinder_to_cylinder(1.0, 1.0, 2.0);
        for growth in [0.9, 0.999_98, 1.0, 1.000_02] {
            let capsule = Neighbour { form: Form::Capsule, surface: growth * (side + ends) };
            for bodies in [[capsule, slab], [slab, capsule]] {
                assert!((seen(1.0, bodies) / (0.5 * (side + ends)) - 1.0).abs() < 1e-12, "{growth}");
            }
            let both = touching + ends * sphere_to_sphere(1.0, 1.0, 2.0);
            assert!((seen(0.5, [capsule; 2]) / both - 1.0).abs() < 1e-6, "{growth}");
            let cylinder = Neighbour { form: Form::Other, surface: growth * (side + 0.5 * ends) };
            assert!((seen(1.0, [cylinder, slab]) / (0.5 * side) - 1.0).abs() < 1e-12, "{growth}");
            assert!((seen(0.5, [cylinder; 2]) / touching - 1.0).abs() < 1e-12, "{growth}");
        }
    }

    /// Balls are balls; capsules of three radii that cross touch as balls of their radius do, but have 2.5 times the surface; a plane is none of both.
    #[test]
    fn what_touches_in_a_point_is_two_balls_or_not() {
        let ball = |r: f64| 4.0 * PI * r * r;
        let others = |reduced_radius: f64, surfaces: [f64; 2]| {
            let point = ContactGeometry::Point { reduced_radius, roundness: 1.0 };
            assert!(!not_the_balls(&point, 1.0, alike(Form::Ball, surfaces)));
            not_the_balls(&point, 1.0, alike(Form::Other, surfaces))
        };
        assert!(!others(0.3, [ball(1.0), ball(3.0 / 7.0)]));
        assert!(others(0.5, [2.5 * ball(1.0); 2]));
        assert!(others(0.01, [ball(1.0); 2]) && !others(1.0, [ball(1.0), 0.0]));
        let line = ContactGeometry::Line { reduced_radius: 0.5, length: 8.0 };
        assert!(!not_the_balls(&line, 1.0, alike(Form::Other, [2.5 * ball(1.0); 2])));
    }

    #[test]
    fn areas_of_planes_and_faces() {
        let point = ContactGeometry::Point { reduced_radius: 1.0, roundness: 1.0 };
        let sphere = 4.0 * PI * 0.25;
        let of = |geometry: &ContactGeometry, surfaces: [f64; 2], gap: f64, dimension| {
            viewed_area(geometry, 1.0, alike(Form::Other, surfaces), gap, dimension)
        };
        assert_eq!(of(&point, [sphere, 0.0], 0.3, Dimension::Spatial), Some(0.5 * sphere));
        assert_eq!(of(&ContactGeometry::Flat { area: 0.7 }, [3.0, 4.0], 0.1, Dimension::Spatial), Some(0.7));
        // two discs of radius 1 and the thickness 2: A F = 4π · 0.18169; one of them on something flat: half of its rim
        let line = |reduced_radius: f64| ContactGeometry::Line { reduced_radius, length: 2.0 };
        let rims = [4.0 * PI; 2];
        let discs = of(&line(0.5), rims, -0.1, Dimension::Planar).unwrap_or(f64::NAN);
        assert!((discs - 4.0 * (PI / 2.0 - 1.0)).abs() < 1e-12);
        assert_eq!(of(&line(1.0), rims, 0.0, Dimension::Planar), Some(2.0 * PI));
        // in a hollow of twice the radius 1/R* = 1/1 − 1/2
        assert_eq!(of(&line(2.0), rims, 0.0, Dimension::Planar), None);
    }
}
