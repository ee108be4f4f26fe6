//! Cones of directions, those between some unit normals: what a surface is turned to about a point where faces meet. No surfaces.

use mpcd_core::{Mat3, Vec3};

use super::OPPOSED;

/// Square of the sine below which two normals span no plane.
const ONE_LINE: f64 = 1e-12;

/// Square of a sine up to which two directions are one.
const ONE: f64 = 1e-24;

/// Whether a direction is no farther than [`OPPOSED`] from those between some unit normals: from a normal, from the plane between two, or inside
/// of three.
pub(super) fn within_cone(normals: &[Vec3], direction: &Vec3) -> bool {
    if normals.iter().any(|n| n.dot(direction) >= OPPOSED) {
        return true;
    }
    for (i, a) in normals.iter().enumerate() {
        for (j, b) in normals.iter().enumerate().skip(i + 1) {
            let (ab, da, db) = (a.dot(b), a.dot(direction), b.dot(direction));
            let square = 1.0 - ab * ab;
            if square > ONE_LINE {
                // the part of the direction in the plane of the two, where it is between them
                let (x, y) = ((da - ab * db) / square, (db - ab * da) / square);
                if x >= 0.0 && y >= 0.0 && (a * x + b * y).norm() >= OPPOSED {
                    return true;
                }
            }
            for c in normals.iter().skip(j + 1) {
                let axes = Mat3::from_columns(&[*a, *b, *c]);
                if axes.try_inverse().is_some_and(|inverse| (inverse * direction).iter().all(|w| *w >= 0.0)) {
                    return true;
                }
            }
        }
    }
    false
}

/// The unit vector between some unit normals that is nearest to a direction: the direction itself, its part in the plane of two, or a normal. `None` where
/// all look away from it.
pub(super) fn nearest_in_cone(normals: &[Vec3], direction: &Vec3) -> Option<Vec3> {
    let mut best: Option<Vec3> = None;
    let mut take = |v: Vec3| {
        let better = |b: &Vec3| v.dot(direction) > b.dot(direction);
        if v.dot(direction) > 0.0 && best.as_ref().is_none_or(better) {
            best = Some(v);
        }
    };
    for (i, a) in normals.iter().enumerate() {
        take(*a);
        for (j, b) in normals.iter().enumerate().skip(i + 1) {
            let (ab, da, db) = (a.dot(b), a.dot(direction), b.dot(direction));
            let square = 1.0 - ab * ab;
            if square > ONE_LINE {
                let (x, y) = ((da - ab * db) / square, (db - ab * da) / square);
                if let Some(v) = (a * x + b * y).try_normalize(0.0).filter(|_| x >= 0.0 && y >= 0.0) {
                    take(v);
                }
            }
            for c in normals.iter().skip(j + 1) {
                let axes = Mat3::from_columns(&[*a, *b, *c]);
                if axes.try_inverse().is_some_and(|inverse| (inverse * direction).iter().all(|w| *w >= 0.0)) {
                    take(*direction);
                }
            }
        }
    }
    best
}

/// Whether a direction is no farther than an angle of this sine from those between some unit normals.
pub(super) fn holds(normals: &[Vec3], direction: &Vec3, sine: f64) -> bool {
    nearest_in_cone(normals, direction).is_some_and(|n| n.cross(direction).norm_squared() <= sine * sine)
}

/// Unit vectors between which the directions lie that are in both of two cones, each of which may be off by an angle of this sine: the normals of one that the
/// other holds, and where sides of the two cross.
pub(super) fn common(a: &[Vec3], b: &[Vec3], sine: f64) -> Vec<Vec3> {
    let mut out: Vec<Vec3> = Vec::new();
    let mut add = |n: Vec3| {
        if !out.iter().any(|o| o.dot(&n) > 0.0 && o.cross(&n).norm_squared() <= ONE) {
            out.push(n);
        }
    };
    a.iter().filter(|n| holds(b, n, sine)).for_each(|n| add(*n));
    b.iter().filter(|n| holds(a, n, sine)).for_each(|n| add(*n));
    let sides = |normals: &[Vec3]| -> Vec<Vec3> {
        let pairs = normals.iter().enumerate().flat_map(|(i, n)| normals[i + 1..].iter().map(move |m| n.cross(m)));
        pairs.filter(|across| across.norm_squared() > ONE_LINE).collect()
    };
    let of_b = sides(b);
    for across in sides(a) {
        for other in &of_b {
            let Some(line) = across.cross(other).try_normalize(sine) else { continue };
            [line, -line].into_iter().filter(|n| holds(a, n, sine) && holds(b, n, sine)).for_each(&mut add);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is(normals: &[Vec3], wanted: &[Vec3]) -> bool {
        normals.len() == wanted.len() && wanted.iter().all(|w| normals.iter().any(|n| (n - w).norm() < 1e-12))
    }

    /// Corners of blocks that are flush: side by side, four about a corner, against the side of a longer one, over a ridge and in a valley.
    #[test]
    fn flush_corners_look_up() {
        let [x, y, z] = [Vec3::x(), Vec3::y(), Vec3::z()];
        let common = |a: &[Vec3], b: &[Vec3]| common(a, b, 1e-4);
        assert!(is(&common(&[z, x], &[z, -x]), &[z]));
        assert!(is(&common(&[z, x, y], &[z, -x, y]), &[z, y]));
        assert!(is(&common(&common(&[z, x, y], &[z, -x, -y]), &common(&[z, x, -y], &[z, -x, y])), &[z]));
        assert!(is(&common(&[z, -x, y], &[z, x]), &[z]));
        assert!(is(&common(&[z, -x, y], &[z]), &[z]));
        let (left, right) = (Vec3::new(-0.6, 0.0, 0.8), Vec3::new(0.6, 0.0, 0.8));
        assert!(is(&common(&[left, x], &[right, -x]), &[left, right]));
        assert!(common(&[right, x], &[left, -x]).is_empty());
        // a line between two sides, which is no normal of either
        let (a, b) = (Vec3::new(0.0, 0.6, 0.8), Vec3::new(0.0, -0.6, 0.8));
        assert!(common(&[a, b], &[left, right]).iter().any(|n| (n - z).norm() < 1e-12));
    }
}
