//! Volumes: how much of a disc or sphere is in a box, and the box that holds a set of grains.

use mpcd_core::Vec3;
use mpcd_geometry::Shape;

use super::view::{Choice, Region, View};

/// Slices of a sphere that a face cuts.
const SLICES: u32 = 256;

/// Area of the circle of radius `r` about the origin within the rectangle (m²): over its sides, triangles to the centre where a
/// side is inside the circle, sectors where it is outside.
fn circle_in_rectangle(r: f64, low: [f64; 2], high: [f64; 2]) -> f64 {
    let corners = [[low[0], low[1]], [high[0], low[1]], [high[0], high[1]], [low[0], high[1]]];
    let cross = |a: [f64; 2], b: [f64; 2]| a[0] * b[1] - a[1] * b[0];
    let dot = |a: [f64; 2], b: [f64; 2]| a[0] * b[0] + a[1] * b[1];
    let sector = |a: [f64; 2], b: [f64; 2]| 0.5 * r * r * cross(a, b).atan2(dot(a, b));
    let mut area = 0.0;
    for (i, p) in corners.iter().enumerate() {
        let q = corners[(i + 1) % 4];
        let d = [q[0] - p[0], q[1] - p[1]];
        let at = |t: f64| [p[0] + t * d[0], p[1] + t * d[1]];
        let (a, b, c) = (dot(d, d), dot(*p, d), dot(*p, *p) - r * r);
        let root = b * b - a * c;
        if a == 0.0 {
            continue;
        }
        if root <= 0.0 {
            area += sector(*p, q);
            continue;
        }
        let (first, last) = (((-b - root.sqrt()) / a).clamp(0.0, 1.0), ((-b + root.sqrt()) / a).clamp(0.0, 1.0));
        let (enters, leaves) = (at(first), at(last));
        area += 0.5 * cross(enters, leaves);
        if first > 0.0 {
            area += sector(*p, enters);
        }
        if last < 1.0 {
            area += sector(leaves, q);
        }
    }
    area
}

/// Volume of a sphere in a box (m³), slice by slice (Simpson's rule in the polar angle).
fn sphere_in_box(x: &Vec3, r: f64, region: &Region) -> f64 {
    let (low, high) = (region.from - x, region.to - x);
    if (0..3).all(|k| low[k] <= -r && r <= high[k]) {
        return 4.0 / 3.0 * std::f64::consts::PI * r.powi(3);
    }
    // most images of a periodic cell
    if (0..3).any(|k| low[k] >= r || high[k] <= -r) {
        return 0.0;
    }
    let (bottom, top) = ((low.z / r).clamp(-1.0, 1.0).asin(), (high.z / r).clamp(-1.0, 1.0).asin());
    let step = (top - bottom) / f64::from(SLICES);
    let slice = |i: u32| {
        let angle = bottom + step * f64::from(i);
        let weight = if i == 0 || i == SLICES {
            1.0
        } else if i % 2 == 1 {
            4.0
        } else {
            2.0
        };
        let radius = r * angle.cos();
        if radius <= 0.0 { 0.0 } else { weight * radius * circle_in_rectangle(radius, [low.x, low.y], [high.x, high.y]) }
    };
    (0..=SLICES).map(slice).sum::<f64>() * step / 3.0
}

impl View<'_> {
    /// The region of a choice, or else the box that its grains fill: the whole period along a periodic axis, elsewhere from the
    /// lowest surface to the highest.
    pub(crate) fn box_of(&self, choice: &Choice) -> Option<Region> {
        if let Some(region) = self.region(choice) {
            return Some(region);
        }
        let (mut from, mut to) = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
        for i in self.grains(choice) {
            for axis in 0..self.axes() {
                let [low, high] = self.ends(i, axis)?;
                from[axis] = from[axis].min(low);
                to[axis] = to[axis].max(high);
            }
        }
        if from.x > to.x {
            return None;
        }
        for k in 0..3 {
            if let Some(period) = self.periods[k] {
                to[k] = from[k] + period;
            }
        }
        if self.planar() {
            (from.z, to.z) = (f64::NEG_INFINITY, f64::INFINITY);
        }
        Some(Region { from, to })
    }

    /// Thickness of the thickest grain of a choice (m); 0 where there is none.
    pub(crate) fn thickness_of(&self, choice: &Choice) -> f64 {
        self.grains(choice).map(|i| self.thickness(i)).fold(0.0, f64::max)
    }

    /// Solid in the box of a choice over the box: of volume, in a planar model of area. Discs and spheres count with the part
    /// that is inside, others wholly when their centre is.
    pub(crate) fn solid_fraction(&self, choice: &Choice) -> Option<f64> {
        let region = self.box_of(choice)?;
        let edges = region.to - region.from;
        let whole = if self.planar() { edges.x * edges.y } else { edges.x * edges.y * edges.z };
        let k = self.world.kinematics;
        let solid = |i: usize| {
            let x = self.image(&k.position[i], &region);
            match (self.shape(i), self.planar()) {
                (Shape::Ball { radius } | Shape::Disc { radius, .. }, true) => {
                    let (low, high) = (region.from - x, region.to - x);
                    self.over_images(|shift| {
                        circle_in_rectangle(
                            radius * k.size[i],
                            [low.x + shift.x, low.y + shift.y],
                            [high.x + shift.x, high.y + shift.y],
                        )
                    })
                }
                (Shape::Ball { radius }, false) => {
                    self.over_images(|shift| sphere_in_box(&(x - shift), radius * k.size[i], &region))
                }
                (_, planar) if region.holds(&x, self.spans(&region)) => {
                    self.volume(i) / if planar { self.thickness(i) } else { 1.0 }
                }
                _ => 0.0,
            }
        };
        let total: f64 = (0..k.len()).filter(|i| self.grain(choice, *i)).map(solid).sum();
        (whole > 0.0).then(|| total / whole)
    }

    /// Sums over the images of a body that can reach into a box of at most one period: what leaves it on one side enters on the
    /// other.
    fn over_images(&self, part: impl Fn(Vec3) -> f64) -> f64 {
        self.over_images_but([false; 3], part)
    }

    /// The same, but for images along some axes.
    pub(super) fn over_images_but(&self, not: [bool; 3], part: impl Fn(Vec3) -> f64) -> f64 {
        let steps = |k: usize| match self.periods[k] {
            Some(period) if !not[k] => vec![-period, 0.0, period],
            _ => vec![0.0],
        };
        let (xs, ys, zs) = (steps(0), steps(1), steps(2));
        let mut sum = 0.0;
        for z in &zs {
            for y in &ys {
                sum += xs.iter().map(|x| part(Vec3::new(*x, *y, *z))).sum::<f64>();
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    #[test]
    fn parts_of_a_circle() {
        let area = |low: [f64; 2], high: [f64; 2]| circle_in_rectangle(2.0, low, high);
        assert!((area([-9.0, -9.0], [9.0, 9.0]) - 4.0 * PI).abs() < 1e-12);
        assert!((area([0.0, -9.0], [9.0, 9.0]) - 2.0 * PI).abs() < 1e-12);
        assert!((area([0.0, 0.0], [9.0, 9.0]) - PI).abs() < 1e-12);
        assert!((area([-0.5, -0.25], [1.0, 0.5]) - 1.125).abs() < 1e-12);
        assert!(area([2.5, -1.0], [3.0, 1.0]).abs() < 1e-12);
        // A segment of height 1: r² acos(1/2) − 1·√3.
        assert!((area([1.0, -9.0], [9.0, 9.0]) - (4.0 * (0.5_f64).acos() - 3f64.sqrt())).abs() < 1e-12);
    }

    #[test]
    fn parts_of_a_sphere() {
        let part = |from: Vec3, to: Vec3| sphere_in_box(&Vec3::new(1.0, 2.0, 3.0), 1.0, &Region { from, to });
        let whole = 4.0 / 3.0 * PI;
        let far = Vec3::repeat(9.0);
        assert!((part(-far, far) - whole).abs() < 1e-12);
        assert_eq!((part(Vec3::new(2.0, -9.0, -9.0), far), part(-far, Vec3::new(9.0, 9.0, 2.0))), (0.0, 0.0));
        assert!((part(Vec3::new(1.0, -9.0, -9.0), far) - 0.5 * whole).abs() < 1e-6);
        assert!((part(Vec3::new(1.0, 2.0, 3.0), far) - whole / 8.0).abs() < 1e-6);
        // A cap of height 1/2: π h² (3 − h)/3.
        let cap = PI * 0.25 * 2.5 / 3.0;
        assert!((part(Vec3::new(-9.0, -9.0, 3.5), far) - cap).abs() < 1e-6);
        assert!((part(Vec3::new(1.5, -9.0, -9.0), far) - cap).abs() < 2e-5);
    }
}
