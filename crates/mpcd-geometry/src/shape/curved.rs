//! The curved convex shapes that ship: cylinder, ellipsoid, superellipsoid; what they measure. No contact is computed here.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

use mpcd_core::{Frame, Vec3, patch::LEVEL};

use super::{Chord, Measures, SupportMap};

/// A cylinder along z.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cylinder {
    /// Radius (m).
    pub radius: f64,
    /// Half its length (m).
    pub half_length: f64,
}

impl Cylinder {
    /// What it measures.
    #[must_use]
    pub fn measures(&self) -> Measures {
        let (r2, length) = (self.radius * self.radius, 2.0 * self.half_length);
        let across = r2 / 4.0 + length * length / 12.0;
        Measures {
            volume: PI * r2 * length,
            surface: 2.0 * PI * r2 + 2.0 * PI * self.radius * length,
            inertia: Vec3::new(across, across, 0.5 * r2),
        }
    }

    /// The point of a rim farthest along a direction, on the upper or lower end.
    fn rim(&self, direction: &Vec3, z: f64) -> Vec3 {
        let across = Vec3::new(direction.x, direction.y, 0.0);
        self.radius * across.try_normalize(0.0).unwrap_or_else(Vec3::x) + z * Vec3::z()
    }
}

/// Corners of the polygon that stands for a round end where it lies on something flat.
const ROUND: u32 = 8;

impl SupportMap for Cylinder {
    fn chord(&self, o: &Vec3, v: &Vec3) -> Chord {
        self.through(o, v)
    }

    fn support(&self, d: &Vec3) -> Vec3 {
        let z = if d.z == 0.0 { 0.0 } else { self.half_length.copysign(d.z) };
        if d.x == 0.0 && d.y == 0.0 { Vec3::new(0.0, 0.0, z) } else { self.rim(d, z) }
    }

    fn face_normal(&self, d: &Vec3) -> Option<Vec3> {
        if d.z.abs() > 0.9 {
            Some(Vec3::new(0.0, 0.0, d.z.signum()))
        } else if d.z.abs() < 0.5 {
            Vec3::new(d.x, d.y, 0.0).try_normalize(0.0)
        } else {
            None
        }
    }

    fn face_corners(&self, d: &Vec3, corners: &mut Vec<Vec3>) {
        if d.z.abs() > 0.9 {
            let up = d.z.signum();
            corners.extend((0..ROUND).map(|k| {
                let (sin, cos) = (up * 2.0 * PI * f64::from(k) / f64::from(ROUND)).sin_cos();
                Vec3::new(self.radius * cos, self.radius * sin, up * self.half_length)
            }));
        } else {
            corners.extend([-self.half_length, self.half_length].map(|z| self.rim(d, z)));
        }
    }

    fn round_face(&self, d: &Vec3) -> Option<(Vec3, f64)> {
        (d.z.abs() > 0.9).then(|| (Vec3::new(0.0, 0.0, self.half_length.copysign(d.z)), self.radius))
    }

    fn line(&self, d: &Vec3) -> Option<Vec3> {
        (d.z.abs() < 0.5).then(Vec3::z)
    }

    /// The lowest point of each end, and of an end that looks down four points that stay in place.
    fn outposts(&self, d: &Vec3, visit: &mut dyn FnMut(u32, Vec3)) {
        let across = d.x.hypot(d.y);
        for (end, z) in [(0, self.half_length), (1, -self.half_length)] {
            if across > 1e-7 {
                visit(end, self.rim(d, z));
            }
            if d.z * z.signum() > 0.3 {
                for k in 0..4 {
                    let (sin, cos) = (FRAC_PI_2 * f64::from(k)).sin_cos();
                    visit(2 + 4 * end + k, Vec3::new(self.radius * cos, self.radius * sin, z));
                }
            }
        }
    }

    fn wanders(&self, outpost: u32) -> bool {
        outpost < 2
    }

    /// Of the side; beyond it the rims are sharp.
    fn curvature(&self, normal: &Vec3) -> [f64; 2] {
        if normal.z.abs() < LEVEL { [1.0 / self.radius, 0.0] } else { [0.0; 2] }
    }

    fn reach(&self) -> f64 {
        self.radius.hypot(self.half_length)
    }

    fn least_width(&self) -> f64 {
        2.0 * self.radius.min(self.half_length)
    }
}

/// An ellipsoid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ellipsoid {
    /// Half axes along x, y, z (m).
    pub radii: Vec3,
}

impl Ellipsoid {
    /// What it measures; the surface to about 10⁻⁷ of itself (10⁻⁵ where one axis is a thousandth of another).
    #[must_use]
    pub fn measures(&self) -> Measures {
        let s = self.radii.component_mul(&self.radii);
        Measures {
            volume: 4.0 / 3.0 * PI * self.radii.product(),
            surface: surface(&self.radii, Vec3::norm),
            inertia: Vec3::new(s.y + s.z, s.z + s.x, s.x + s.y) / 5.0,
        }
    }
}

/// Part of a radius of curvature by which the other is greater and has a direction.
const ROUNDED: f64 = 1e-12;

impl Ellipsoid {
    /// The least and the greatest radius of curvature (m) where the outward unit normal is n, and the direction of the latter: of the second derivative of the support function
    /// h = √Σ(aₖnₖ)² across n, (diag a² − (a²n)(a²n)ᵀ/h²)/h. The product is (abc)²/h⁴, that of Gauss's curvature.
    fn radii_of_curvature(&self, normal: &Vec3) -> ([f64; 2], Vec3) {
        let squares = self.radii.component_mul(&self.radii);
        let h = self.radii.component_mul(normal).norm();
        let f = Frame::spatial(*normal);
        let (t, s, lifted) = (f.t, f.s(), squares.component_mul(normal) / h);
        let second = |a: &Vec3, b: &Vec3| (squares.component_mul(a).dot(b) - lifted.dot(a) * lifted.dot(b)) / h;
        let (tt, ss, ts) = (second(&t, &t), second(&s, &s), second(&t, &s));
        let most = 0.5 * (tt + ss) + (0.5 * (tt - ss)).hypot(ts);
        let (sin, cos) = (0.5 * (2.0 * ts).atan2(tt - ss)).sin_cos();
        let least = (self.radii.product() / (h * h)).powi(2) / most;
        ([least.min(most), most], t * cos + s * sin)
    }
}

impl SupportMap for Ellipsoid {
    fn chord(&self, o: &Vec3, v: &Vec3) -> Chord {
        self.through(o, v)
    }

    fn support(&self, d: &Vec3) -> Vec3 {
        let scaled = self.radii.component_mul(d);
        self.radii.component_mul(&(scaled / scaled.norm()))
    }

    fn curvature(&self, normal: &Vec3) -> [f64; 2] {
        let ([least, most], _) = self.radii_of_curvature(normal);
        [1.0 / least, 1.0 / most]
    }

    fn less_curved(&self, normal: &Vec3) -> Option<Vec3> {
        let ([least, most], along) = self.radii_of_curvature(normal);
        (most - least > ROUNDED * most).then_some(along)
    }

    fn reach(&self) -> f64 {
        self.radii.max()
    }

    fn least_width(&self) -> f64 {
        2.0 * self.radii.min()
    }

    /// π √((b c n_x)² + (c a n_y)² + (a b n_z)²).
    fn silhouette(&self, n: &Vec3) -> f64 {
        let r = self.radii;
        PI * Vec3::new(r.y * r.z, r.z * r.x, r.x * r.y).component_mul(n).norm()
    }
}

/// A superellipsoid (Barr 1981, doi:10.1109/MCG.1981.1673799): (|x/a|ᵖ + |y/b|ᵖ)^(q/p) + |z/c|^q = 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Superellipsoid {
    /// Half axes a, b, c (m).
    pub radii: Vec3,
    /// p: 2 makes the section across z an ellipse, larger ones a rounded rectangle; above 1.
    pub across: f64,
    /// q: the same for the sections along z.
    pub along: f64,
}

impl Superellipsoid {
    /// What it measures; the surface to about 3·10⁻⁵ of itself.
    #[must_use]
    pub fn measures(&self) -> Measures {
        let (a, b, c) = (self.radii.x, self.radii.y, self.radii.z);
        let (p, q) = (self.across, self.along);
        let g = |x: f64| ln_gamma(x).exp();
        // The section at z = 0, and what it becomes at z: scaled by s = (1 − |z/c|^q)^(1/q).
        let area = 4.0 * a * b * g(1.0 + 1.0 / p).powi(2) / g(1.0 + 2.0 / p);
        let second = 4.0 / (p * p) * g(3.0 / p) * g(1.0 / p) / g(1.0 + 4.0 / p);
        let s = |k: f64| 2.0 * c * g(1.0 + 1.0 / q) * g(1.0 + k / q) / g(1.0 + (k + 1.0) / q);
        let volume = area * s(2.0);
        let xx = second * a.powi(3) * b * s(4.0) / volume;
        let yy = second * a * b.powi(3) * s(4.0) / volume;
        let zz = area * 2.0 * c.powi(3) / q * g(3.0 / q) * g(1.0 + 2.0 / q) / g(1.0 + 5.0 / q) / volume;
        Measures { volume, surface: surface(&self.radii, |d| self.norm(d)), inertia: Vec3::new(yy + zz, zz + xx, xx + yy) }
    }

    /// The norm whose unit ball the body is, of what its half axes have scaled.
    pub(super) fn norm(&self, d: &Vec3) -> f64 {
        let (p, q) = (self.across, self.along);
        ((d.x.abs().powf(p) + d.y.abs().powf(p)).powf(q / p) + d.z.abs().powf(q)).powf(1.0 / q)
    }
}

impl SupportMap for Superellipsoid {
    fn chord(&self, o: &Vec3, v: &Vec3) -> Chord {
        self.through(o, v)
    }

    /// The gradient of the support function, the norm dual to the one that the shape is the unit ball of.
    fn support(&self, d: &Vec3) -> Vec3 {
        let d = self.radii.component_mul(d);
        let d = d / d.amax();
        let (p, q) = (self.across / (self.across - 1.0), self.along / (self.along - 1.0));
        let (x, y, w) = (d.x.abs(), d.y.abs(), d.z.abs());
        let u = (x.powf(p) + y.powf(p)).powf(1.0 / p);
        let h = (u.powf(q) + w.powf(q)).powf(1.0 / q);
        let ring = if u > 0.0 { (u / h).powf(q - 1.0) } else { 0.0 };
        let part = |x: f64| if u > 0.0 { ring * (x / u).powf(p - 1.0) } else { 0.0 };
        let point = Vec3::new(part(x).copysign(d.x), part(y).copysign(d.y), (w / h).powf(q - 1.0).copysign(d.z));
        self.radii.component_mul(&point)
    }
}

/// Patches along an edge of the cube, in which [`surface`] sees an eighth of a body.
const PATCHES: usize = 64;

/// The surface (m²) of a body of half axes `radii` that is the unit ball of `norm` scaled by them, alike in all eighths: of triangles between points in the directions of a cube, in which
/// balls and bricks are seen evenly, whatever the axes. The error of half as many a side is four times as large, and taken off (Richardson).
fn surface(radii: &Vec3, norm: impl Fn(&Vec3) -> f64) -> f64 {
    let of_eighth = |n: usize| -> f64 {
        // evenly spaced angles
        let along: Vec<f64> = (0..=n).map(|k| (FRAC_PI_4 * k as f64 / n as f64).tan()).collect();
        let of_side = |axis: usize| -> f64 {
            let point = |i: usize, k: usize| {
                let mut d = Vec3::zeros();
                (d[axis], d[(axis + 1) % 3], d[(axis + 2) % 3]) = (1.0, along[i], along[k]);
                radii.component_mul(&(d / norm(&d)))
            };
            let row = |i: usize| (0..=n).map(|k| point(i, k)).collect::<Vec<Vec3>>();
            let mut sum = 0.0;
            let mut before = row(0);
            for i in 1..=n {
                let after = row(i);
                for (low, high) in before.windows(2).zip(after.windows(2)) {
                    let ([a, d], [b, c]) = ([low[0], low[1]], [high[0], high[1]]);
                    sum += 0.5 * ((b - a).cross(&(c - a)).norm() + (c - a).cross(&(d - a)).norm());
                }
                before = after;
            }
            sum
        };
        8.0 * (of_side(0) + of_side(1) + of_side(2))
    };
    (4.0 * of_eighth(PATCHES) - of_eighth(PATCHES / 2)) / 3.0
}

/// The logarithm of Γ for x > 0 (Lanczos with g = 7, nine terms; 1e-15).
fn ln_gamma(x: f64) -> f64 {
    const C: [f64; 9] = [
        0.999_999_999_999_809_9,
        676.520_368_121_885_1,
        -1_259.139_216_722_402_8,
        771.323_428_777_653_1,
        -176.615_029_162_140_6,
        12.507_343_278_686_905,
        -0.138_571_095_265_720_12,
        9.984_369_578_019_572e-6,
        1.505_632_735_149_311_6e-7,
    ];
    if x < 0.5 {
        return (PI / (PI * x).sin()).ln() - ln_gamma(1.0 - x);
    }
    let x = x - 1.0;
    let sum = (1..).zip(&C[1..]).fold(C[0], |sum, (i, c)| sum + c / (x + f64::from(i)));
    let t = x + 7.5;
    0.5 * (2.0 * PI).ln() + (x + 0.5) * t.ln() - t + sum.ln()
}
