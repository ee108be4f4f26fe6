//! Convex polytopes: hulls, measures, files, and the contact points of pairs.

mod build;
mod files;
mod gaps;
mod points;
mod sliding;

use mpcd_core::{Dimension, Quat, Vec3};
use mpcd_geometry::{
    Random,
    polytope::{Manifold, ManifoldPoint, Placed, Polytope, Reach, manifold},
};

pub fn cuboid(x: f64, y: f64, z: f64) -> Polytope {
    let corners: Vec<Vec3> = (0..8)
        .map(|k| Vec3::new(if k & 1 == 0 { -x } else { x }, if k & 2 == 0 { -y } else { y }, if k & 4 == 0 { -z } else { z }))
        .collect();
    Polytope::polyhedron(&corners).unwrap()
}

pub fn rectangle(x: f64, y: f64) -> Polytope {
    Polytope::polygon(&[Vec3::new(-x, -y, 0.0), Vec3::new(x, -y, 0.0), Vec3::new(x, y, 0.0), Vec3::new(-x, y, 0.0)]).unwrap()
}

pub fn dodecahedron() -> Polytope {
    let phi = 0.5 * (1.0 + 5.0_f64.sqrt());
    let mut points = Vec::new();
    for (a, b) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)] {
        points.extend([Vec3::new(-1.0, a, b), Vec3::new(1.0, a, b)]);
        let (u, v) = (a / phi, b * phi);
        points.extend([Vec3::new(0.0, u, v), Vec3::new(u, v, 0.0), Vec3::new(v, 0.0, u)]);
    }
    Polytope::polyhedron(&points).unwrap()
}

pub fn vector(random: &mut Random) -> Vec3 {
    Vec3::from_fn(|_, _| 2.0 * random.unit() - 1.0)
}

pub fn rotation(random: &mut Random) -> Quat {
    let mut four = || 2.0 * random.unit() - 1.0;
    Quat::from_quaternion(nalgebra::Quaternion::new(four(), four(), four(), four()))
}

/// The hull of random points, stretched by up to 3 along each axis.
pub fn random_hull(random: &mut Random, dimension: Dimension) -> Polytope {
    loop {
        let stretch = vector(random).map(|c| 1.5 * c.abs() + 0.3);
        let count = 4 + (random.unit() * 20.0) as usize;
        let mut points: Vec<Vec3> = (0..count).map(|_| vector(random).component_mul(&stretch)).collect();
        if dimension == Dimension::Planar {
            points.iter_mut().for_each(|p| p.z = 0.0);
        }
        if let Ok(hull) = Polytope::from_points(&points, dimension) {
            return hull;
        }
    }
}

pub fn placed(hull: &Polytope, position: Vec3, orientation: Quat) -> Placed<'_> {
    Placed { hull, position, orientation, size: 1.0, rounding: 0.0 }
}

pub fn points(first: &Placed, second: &Placed, alert: f64, graze: f64) -> (Vec3, Vec<ManifoldPoint>) {
    let mut out = Manifold::default();
    manifold(first, second, &Reach { alert, graze }, &mut out);
    (*out.normal(), out.points().to_vec())
}

/// Vertices in world axes.
pub fn corners(p: &Placed) -> Vec<Vec3> {
    p.hull.vertices().iter().map(|v| p.position + p.orientation * v * p.size).collect()
}

/// Least height of the first over the highest of the second along a direction (m).
pub fn separation(first: &Placed, second: &Placed, n: &Vec3) -> f64 {
    let low = corners(first).iter().map(|v| v.dot(n)).fold(f64::INFINITY, f64::min);
    low - corners(second).iter().map(|v| v.dot(n)).fold(f64::NEG_INFINITY, f64::max)
}
