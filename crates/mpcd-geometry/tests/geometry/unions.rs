//! What clusters measure whose parts overlap or lie on each other: the union of the parts, against formulas, other parts of the same body, and quadratures of another kind.

use std::{f64::consts::PI, sync::Arc};

use mpcd_core::{Dimension, Dimension::*, Quat, Vec3};
use mpcd_geometry::{Core, Cylinder, Ellipsoid, Measures, PlacedShape, Shape, Solid, Superellipsoid, SupportMap};

fn at(mut shape: PlacedShape, at: Vec3, turn: Quat) -> PlacedShape {
    shape.centre = at + turn * shape.centre;
    shape.orientation = turn * shape.orientation;
    shape
}

fn plain(shape: Shape) -> PlacedShape {
    PlacedShape::centred(shape)
}

fn ball(radius: f64, x: f64, y: f64, z: f64) -> PlacedShape {
    at(plain(Shape::Ball { radius }), Vec3::new(x, y, z), Quat::identity())
}

fn brick(half: [f64; 3], at_: [f64; 3]) -> PlacedShape {
    at(plain(Shape::Box { half: Vec3::from(half) }), Vec3::from(at_), Quat::identity())
}

fn smooth(body: impl SupportMap + 'static, measures: Measures) -> PlacedShape {
    PlacedShape::solid(Solid::new("Smooth", Core::Smooth(Arc::new(body)), measures))
}

fn cylinder(radius: f64, length: f64) -> PlacedShape {
    let body = Cylinder { radius, half_length: 0.5 * length };
    smooth(body, body.measures())
}

/// Volume, surface, moments over mass (rising), centre.
fn measured(parts: &[PlacedShape], dimension: Dimension) -> (f64, f64, [f64; 3], Vec3) {
    let whole = PlacedShape::cluster(parts, dimension).unwrap();
    let m = whole.shape.mass_properties(1.0, dimension);
    let mut inertia = [m.inertia.x, m.inertia.y, m.inertia.z].map(|i| i / m.volume);
    inertia.sort_by(f64::total_cmp);
    (m.volume, m.surface, inertia, whole.centre)
}

fn close(found: f64, expected: f64, part: f64) {
    assert!((found - expected).abs() <= part * expected.abs(), "{found} for {expected}: {:e}", found / expected - 1.0);
}

/// Of a body of revolution about x whose section has the radius `r(x)`: volume and moments over mass along and across, by Simpson's rule.
fn turned(from: f64, to: f64, r: impl Fn(f64) -> f64) -> (f64, f64, f64) {
    let n = 20_000;
    let (mut volume, mut axial, mut second, mut first) = (0.0, 0.0, 0.0, 0.0);
    for k in 0..=n {
        let x = from + (to - from) * f64::from(k) / f64::from(n);
        let weight = (to - from) / f64::from(n) / 3.0 * if k == 0 || k == n { 1.0 } else { 2.0 * f64::from(1 + k % 2) };
        let area = PI * r(x).powi(2);
        volume += weight * area;
        axial += weight * area * 0.5 * r(x).powi(2);
        first += weight * area * x;
        second += weight * area * x * x;
    }
    let centre = first / volume;
    (volume, axial / volume, 0.5 * axial / volume + second / volume - centre * centre)
}

/// Two balls of unequal size, in any place and turned: of what they share, a lens, volume and surface are known.
#[test]
fn two_balls_share_a_lens() {
    for (small, distance) in [(1.0, 1.0), (0.6, 0.9), (0.6, 1.5), (0.3, 0.2)] {
        let turn = Quat::from_axis_angle(&nalgebra::Unit::new_normalize(Vec3::new(1.0, 2.0, -0.5)), 0.7);
        let away = turn * Vec3::new(distance, 0.0, 0.0);
        let parts = [ball(1.0, 0.3, -0.2, 0.1), ball(small, 0.3 + away.x, -0.2 + away.y, 0.1 + away.z)];
        let (volume, surface, [least, middle, most], centre) = measured(&parts, Spatial);
        // where the section of the union changes balls
        let x = (distance * distance + 1.0 - small * small) / (2.0 * distance);
        let within = distance + small <= 1.0;
        let (caps, to) = if within { ([0.0, 2.0 * small], 1.0) } else { ([1.0 - x, small - (distance - x)], distance + small) };
        let section = |s: f64| {
            let of = |r: f64, c: f64| (r * r - (s - c) * (s - c)).max(0.0).sqrt();
            of(1.0, 0.0).max(of(small, distance))
        };
        let (v, axial, across) = turned(-1.0, to, section);
        close(volume, v, 2e-5);
        close(surface, 4.0 * PI * (1.0 + small * small) - 2.0 * PI * (caps[0] + small * caps[1]), 2e-4);
        close(least, axial.min(across), 1e-4);
        close(middle, across, 1e-4);
        close(most, across.max(axial), 1e-4);
        if within {
            assert!((centre - Vec3::new(0.3, -0.2, 0.1)).norm() < 1e-5);
        }
    }
}

/// The lens once more by its formula, so that the quadrature is not trusted alone.
#[test]
fn equal_balls_have_their_formula() {
    let d: f64 = 0.8;
    let (volume, surface, ..) = measured(&[ball(1.0, 0.0, 0.0, 0.0), ball(1.0, 0.0, d, 0.0)], Spatial);
    close(volume, 8.0 / 3.0 * PI - PI * (4.0 + d) * (2.0 - d).powi(2) / 12.0, 1e-5);
    close(surface, 8.0 * PI - 4.0 * PI * (1.0 - 0.5 * d), 1e-4);
}

/// A ball told three times is one.
#[test]
fn what_is_one_counts_once() {
    let parts = [ball(1.0, 0.2, 0.0, 0.0), ball(1.0, 0.2, 0.0, 0.0), ball(1.0, 0.2, 0.0, 0.0)];
    let (volume, surface, inertia, centre) = measured(&parts, Spatial);
    close(volume, 4.0 / 3.0 * PI, 1e-5);
    close(surface, 4.0 * PI, 1e-4);
    inertia.iter().for_each(|i| close(*i, 0.4, 3e-5));
    assert!((centre - Vec3::new(0.2, 0.0, 0.0)).norm() < 1e-9);
}

/// A cross of three beams: seven bricks that lie on each other, or three that overlap in the middle.
#[test]
fn a_cross_of_bricks_is_one_body() {
    let arm = 1.5;
    let three = [brick([2.0, 0.5, 0.5], [0.0; 3]), brick([0.5, 2.0, 0.5], [0.0; 3]), brick([0.5, 0.5, 2.0], [0.0; 3])];
    let mut seven = vec![brick([0.5; 3], [0.0; 3])];
    for k in 0..3 {
        for sign in [-1.0, 1.0] {
            let (mut half, mut place) = ([0.5; 3], [0.0; 3]);
            half[k] = 0.5 * arm;
            place[k] = sign * (0.5 + 0.5 * arm);
            seven.push(brick(half, place));
        }
    }
    for parts in [&three[..], &seven[..]] {
        let (volume, surface, inertia, _) = measured(parts, Spatial);
        close(volume, 1.0 + 6.0 * arm, 1e-8);
        close(surface, 6.0 * (4.0 * arm + 1.0), 1e-6);
        // ∫x² over the cube, two arms along x and four across
        let along = 2.0 * (arm.powi(3) / 12.0 + arm * (0.5 + 0.5 * arm).powi(2));
        let second = 1.0 / 12.0 + along + 4.0 * arm / 12.0;
        inertia.iter().for_each(|i| close(*i, 2.0 * second / (1.0 + 6.0 * arm), 1e-6));
    }
}

/// Two cubes side by side have ten faces of twelve, whichever way they are turned.
#[test]
fn faces_that_lie_on_each_other_are_no_surface() {
    let turn = Quat::from_axis_angle(&nalgebra::Unit::new_normalize(Vec3::new(0.3, -1.0, 0.4)), 1.1);
    for (turn, part) in [(Quat::identity(), 1e-7), (turn, 2e-3)] {
        let cube = |x: f64| at(plain(Shape::Box { half: Vec3::repeat(0.5) }), turn * Vec3::new(x, 0.0, 0.0), turn);
        let (volume, surface, ..) = measured(&[cube(0.0), cube(1.0)], Spatial);
        close(volume, 2.0, 1e-8);
        close(surface, 10.0, part);
    }
}

/// Steinmetz's solid is what two crossed cylinders share, 16 r³/3.
#[test]
fn crossed_cylinders_share_steinmetz_solid() {
    let r: f64 = 0.4;
    let quarter = Quat::from_axis_angle(&Vec3::x_axis(), 0.5 * PI);
    let (volume, ..) = measured(&[cylinder(r, 2.0), at(cylinder(r, 2.0), Vec3::zeros(), quarter)], Spatial);
    close(volume, 2.0 * PI * r * r * 2.0 - 16.0 / 3.0 * r.powi(3), 2e-5);
}

/// A capsule is a cylinder and two balls, in any order, nested or not; or two shorter capsules.
#[test]
fn a_capsule_is_a_cylinder_and_two_balls() {
    let (r, length) = (0.3, 1.4);
    let whole = PlacedShape::capsule(r, length, Spatial).unwrap();
    let m = whole.shape.mass_properties(1.0, Spatial);
    let along = Quat::from_axis_angle(&Vec3::y_axis(), 0.5 * PI);
    let middle = || at(cylinder(r, length), Vec3::zeros(), along);
    let ends = || [ball(r, -0.5 * length, 0.0, 0.0), ball(r, 0.5 * length, 0.0, 0.0)];
    let [left, right] = ends();
    let nested = PlacedShape::cluster(&[middle(), left], Spatial).unwrap();
    let shorter = |x: f64| at(PlacedShape::capsule(r, 0.9, Spatial).unwrap(), Vec3::new(x, 0.0, 0.0), Quat::identity());
    let all = [vec![middle(), ends()[0].clone(), right.clone()], vec![nested, right], vec![shorter(-0.25), shorter(0.25)]];
    for parts in &all {
        let (volume, surface, [least, ..], _) = measured(parts, Spatial);
        close(volume, m.volume, 3e-5);
        close(surface, m.surface, 1e-3);
        close(least, m.inertia.x / m.volume, 1e-4);
    }
}

/// Ellipsoids and superellipsoids of exponents 2, half of each within a brick.
#[test]
fn curved_parts_lose_what_a_brick_has() {
    let radii = Vec3::new(0.5, 0.3, 0.2);
    let (round, general) = (Ellipsoid { radii }, Superellipsoid { radii, across: 2.0, along: 2.0 });
    for body in [smooth(round, round.measures()), smooth(general, general.measures())] {
        let (volume, ..) = measured(&[body, brick([1.0, 1.0, 1.0], [0.0, 0.0, -1.0])], Spatial);
        close(volume, 8.0 + 0.5 * round.measures().volume, 1e-6);
    }
}

/// In the plane: discs that share a lens, a square and a disc, stadiums; thinner parts lie within thicker ones.
#[test]
fn planar_parts_share_areas() {
    let disc = |radius: f64, x: f64, thickness: f64| {
        at(plain(Shape::Disc { radius, thickness }), Vec3::new(x, 0.0, 0.0), Quat::identity())
    };
    let d: f64 = 1.2;
    let lens = 2.0 * (0.5 * d).acos() - 0.5 * d * (4.0 - d * d).sqrt();
    for (thickness, thinner) in [(1.0, 1.0), (0.2, 0.2), (0.2, 0.05)] {
        let (volume, surface, ..) = measured(&[disc(1.0, 0.0, thinner), disc(1.0, d, thickness)], Planar);
        close(volume, PI * (thickness + thinner) - thinner * lens, 1e-6);
        if thickness == thinner {
            close(surface, thickness * (4.0 * PI - 4.0 * (0.5 * d).acos()), 1e-3);
        }
    }
    let square = PlacedShape::hull(
        "Polygon",
        &[[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(|[x, y]| Vec3::new(x, y, 0.0)),
        Planar,
        1.0,
    );
    let (volume, surface, [.., most], centre) = measured(&[square.unwrap(), disc(1.0, 1.0, 1.0)], Planar);
    close(volume, 4.0 + 0.5 * PI, 1e-6);
    close(surface, 6.0 + PI, 1e-4);
    let x = (0.5 * PI * (1.0 + 4.0 / (3.0 * PI))) / (4.0 + 0.5 * PI);
    assert!((centre.x - x).abs() < 1e-6, "{}", centre.x);
    // about the middle of the square: its own, and the half disc's about the middle of its straight side moved
    let about = 8.0 / 3.0 + 0.25 * PI + 0.5 * PI + 2.0 * (2.0 / 3.0);
    close(most, about / (4.0 + 0.5 * PI) - x * x, 1e-5);
}

/// The work is bounded: a hundred balls in a ring take no longer than a few.
#[test]
fn many_parts_measure_as_few_do() {
    let n = 100;
    let (ring, r) = (5.0, 0.5);
    let place = |k: usize| 2.0 * PI * k as f64 / f64::from(n);
    let parts: Vec<PlacedShape> = (0..n as usize).map(|k| ball(r, ring * place(k).cos(), ring * place(k).sin(), 0.0)).collect();
    let (volume, ..) = measured(&parts, Spatial);
    // a torus whose section is that of the nearest ball, a chord from it by d/2 at most
    let d = 2.0 * ring * (PI / f64::from(n)).sin();
    close(volume, 2.0 * PI * PI * ring * (r * r - d * d / 12.0), 1e-3);
}
