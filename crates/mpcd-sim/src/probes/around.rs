//! Volumes of rigid bodies of a planar model in which x is the radius and y the axis. What is beyond the axis is the other side of the same body.

use std::f64::consts::{PI, TAU};

use mpcd_core::{Quat, Vec3};
use mpcd_geometry::{Core, Shape};

/// Volume (m³) of what a shape at this place, turned so and at this size factor sweeps around the axis: of discs, boxes and polygons; 0 of others.
pub(crate) fn volume(shape: &Shape, place: &Vec3, turn: &Quat, size: f64) -> f64 {
    if let Some(radius) = shape.radius() {
        return of_disc(place.x, radius * size);
    }
    let world = |v: Vec3| place + turn * (v * size);
    let corners: Vec<Vec3> = match shape {
        Shape::Box { half } => [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
            .map(|(x, y)| world(Vec3::new(x * half.x, y * half.y, 0.0)))
            .to_vec(),
        Shape::Solid(solid) => match solid.core() {
            Core::Polytope { hull, rounding: 0.0 } => hull.vertices().iter().map(|v| world(*v)).collect(),
            _ => return 0.0,
        },
        _ => return 0.0,
    };
    of_polygon(corners)
}

/// 2π ∫ x dA of a disc at the distance `x` from the axis where x > 0: a ball on the axis, a torus off it (Pappus).
fn of_disc(x: f64, radius: f64) -> f64 {
    let from = (-x).clamp(-radius, radius);
    let half_chord = (radius * radius - from * from).max(0.0).sqrt();
    let area = 0.5 * (0.5 * PI * radius * radius - from * half_chord - radius * radius * (from / radius).asin());
    2.0 * TAU * (half_chord.powi(3) / 3.0 + x * area)
}

/// 2π ∫ x dA of the convex polygon with these corners, in any order, where x > 0.
fn of_polygon(mut corners: Vec<Vec3>) -> f64 {
    let middle = corners.iter().sum::<Vec3>() / corners.len() as f64;
    let angle = |v: &Vec3| (v.y - middle.y).atan2(v.x - middle.x);
    corners.sort_by(|a, b| angle(a).total_cmp(&angle(b)));
    let mut kept: Vec<Vec3> = Vec::with_capacity(corners.len() + 2);
    for (a, b) in corners.iter().zip(corners.iter().cycle().skip(1)) {
        if a.x >= 0.0 {
            kept.push(*a);
        }
        if a.x * b.x < 0.0 {
            kept.push(a + (b - a) * (a.x / (a.x - b.x)));
        }
    }
    // ∫ x dA = Σ (x_i + x_j)(x_i y_j − x_j y_i)/6
    let moment = |(a, b): (&Vec3, &Vec3)| (a.x + b.x) * (a.x * b.y - b.x * a.y) / 6.0;
    TAU * kept.iter().zip(kept.iter().cycle().skip(1)).map(moment).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64) {
        assert!((a - b).abs() <= 1e-12 * b.abs(), "{a}, not {b}");
    }

    #[test]
    fn a_disc_is_a_ball_or_a_torus() {
        let disc = Shape::Disc { radius: 0.2, thickness: 1.0 };
        let at = |x: f64| volume(&disc, &Vec3::new(x, 3.0, 0.0), &Quat::identity(), 0.5);
        near(at(0.0), 4.0 / 3.0 * PI * 1e-3);
        near(at(0.7), 2.0 * PI * 0.7 * PI * 0.01);
        // as much as a spindle torus: the two sides of the axis differ by what both count, 2π² x r²
        near(at(0.05) - at(-0.05), 2.0 * PI * PI * 0.05 * 0.01);
        near(at(-0.2).abs() + 1.0, 1.0);
    }

    #[test]
    fn a_box_is_a_cylinder_or_a_ring() {
        let block = Shape::Box { half: Vec3::new(0.1, 0.3, 0.5) };
        let at = |x: f64, turn: f64| volume(&block, &Vec3::new(x, 1.0, 0.0), &Quat::from_axis_angle(&Vec3::z_axis(), turn), 1.0);
        near(at(0.0, 0.0), PI * 0.01 * 0.6);
        near(at(0.5, 0.0), PI * (0.36 - 0.16) * 0.6);
        near(at(0.0, 0.5 * PI), PI * 0.09 * 0.2);
        // whatever its turn, off the axis: Pappus
        near(at(0.5, 0.3), 2.0 * PI * 0.5 * 0.12);
    }
}
