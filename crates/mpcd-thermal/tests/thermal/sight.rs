//! What bodies that touch along a line see of each other: against crossed strings (Hottel) in closed form and against rays.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

use mpcd_core::{ContactGeometry, Dimension, Form, Vec3};
use mpcd_thermal::view::{Neighbour, viewed_area};

use crate::kit::{Bench, Rig};

const PI: f64 = std::f64::consts::PI;

/// Numbers that look random (splitmix64), in [0, 1).
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A point of the unit sphere.
    fn direction(&mut self) -> Vec3 {
        let (z, turn) = (2.0 * self.unit() - 1.0, 2.0 * PI * self.unit());
        let sine = (1.0 - z * z).sqrt();
        Vec3::new(sine * turn.cos(), sine * turn.sin(), z)
    }
}

/// A capsule: all within `r` of the way between two points.
struct Capsule {
    from: Vec3,
    to: Vec3,
    r: f64,
}

impl Capsule {
    fn new(middle: Vec3, axis: Vec3, length: f64, r: f64) -> Self {
        Self { from: middle - axis * (0.5 * length), to: middle + axis * (0.5 * length), r }
    }

    fn surface(&self) -> f64 {
        2.0 * PI * self.r * (self.to - self.from).norm() + 4.0 * PI * self.r * self.r
    }

    /// What its neighbours see.
    fn seen(&self) -> Neighbour {
        Neighbour { form: Form::Capsule, surface: self.surface() }
    }

    /// A point of the surface, evenly, and its normal.
    fn point(&self, random: &mut Random) -> (Vec3, Vec3) {
        let way = self.to - self.from;
        if random.unit() * self.surface() < 4.0 * PI * self.r * self.r {
            let normal = random.direction();
            let end = if normal.dot(&way) > 0.0 { self.to } else { self.from };
            return (end + normal * self.r, normal);
        }
        let axis = way.normalize();
        let side = if axis.x.abs() < 0.5 { Vec3::x() } else { Vec3::y() };
        let first = axis.cross(&side).normalize();
        let turn = 2.0 * PI * random.unit();
        let normal = first * turn.cos() + axis.cross(&first) * turn.sin();
        (self.from + way * random.unit() + normal * self.r, normal)
    }

    /// Whether a ray from a point outside meets it: its least distance from the axis, a convex function of the place on the axis.
    fn is_met(&self, point: &Vec3, ray: &Vec3) -> bool {
        let (to, way) = (self.from - point, self.to - self.from);
        // products once: vectors are slow at the level that tests are compiled at
        let (to_to, to_way, way_way) = (to.norm_squared(), to.dot(&way), way.norm_squared());
        let (to_ray, way_ray) = (to.dot(ray), way.dot(ray));
        let off = |s: f64| {
            let along = (to_ray + s * way_ray).max(0.0);
            to_to + s * (2.0 * to_way + s * way_way) - along * along
        };
        let (mut a, mut b) = (0.0, 1.0);
        for _ in 0..40 {
            let (c, d) = (a + 0.382 * (b - a), a + 0.618 * (b - a));
            if off(c).min(off(d)) < self.r * self.r {
                return true;
            }
            if off(c) < off(d) { b = d } else { a = c }
        }
        off(0.5 * (a + b)) < self.r * self.r
    }

    /// A F (m²) by rays by the cosine law from its surface to what `meets` says.
    fn rays(&self, meets: impl Fn(&Vec3, &Vec3) -> bool) -> f64 {
        const RAYS: u32 = 400_000;
        let mut random = Random(7);
        let hits: u32 = (0..RAYS)
            .map(|_| {
                let (point, normal) = self.point(&mut random);
                // a unit normal and an even direction add up to the cosine law
                let ray = (normal + random.direction()).normalize();
                u32::from(meets(&point, &ray))
            })
            .sum();
        self.surface() * f64::from(hits) / f64::from(RAYS)
    }
}

/// A F (m²) of two parallel capsules that touch, the second moved along by `shift` (m): of the module over that of rays.
fn parallel([r, s]: [f64; 2], length: f64, shift: f64) -> f64 {
    let one = Capsule::new(Vec3::zeros(), Vec3::z(), length, r);
    let other = Capsule::new(Vec3::new(r + s, 0.0, shift), Vec3::z(), length, s);
    let line = ContactGeometry::Line { reduced_radius: r * s / (r + s), length: length - shift };
    let seen = viewed_area(&line, r.min(s), [one.seen(), other.seen()], 0.0, Dimension::Spatial).unwrap();
    seen / one.rays(|point, ray| other.is_met(point, ray))
}

/// From spheres (no length) to long cylinders, equal and 1 : 3, within 1 % (rays alone: 0.4 %); where they touch along half of their length 16 % less than rays
/// give, along a tenth 38 % less, as what lies beyond the line is not counted.
#[test]
fn parallel_capsules_see_each_other_as_rays_do() {
    for length in [40.0, 8.0, 2.0, 0.2] {
        assert!((parallel([1.0, 1.0], length, 0.0) - 1.0).abs() < 1e-2, "{length}");
    }
    for (radii, length) in [([1.0, 3.0], 30.0), ([3.0, 1.0], 9.0)] {
        assert!((parallel(radii, length, 0.0) - 1.0).abs() < 1e-2, "{radii:?}");
    }
    for (shift, part) in [(5.0, 0.838), (9.0, 0.619)] {
        assert!((parallel([1.0, 1.0], 10.0, shift) / part - 1.0).abs() < 2e-2, "{shift}");
    }
}

/// Capsules of the radius 1 that cross count as spheres of their surface: 0.78, 0.61, 0.61, 0.81 and 1.91 of what rays give where their cylinders are 0.5, 2, 4, 10
/// and 40 long. No closed form is known here; the numbers say how far the model goes.
#[test]
fn crossed_capsules_see_each_other_as_spheres_of_their_surface() {
    for (length, part) in [(0.5, 0.783), (2.0, 0.613), (4.0, 0.611), (10.0, 0.811), (40.0, 1.906)] {
        let one = Capsule::new(Vec3::zeros(), Vec3::z(), length, 1.0);
        let other = Capsule::new(Vec3::new(2.0, 0.0, 0.0), Vec3::y(), length, 1.0);
        let point = ContactGeometry::Point { reduced_radius: 1.0, roundness: 1.0 };
        let seen = viewed_area(&point, 1.0, [one.seen(), other.seen()], 0.0, Dimension::Spatial).unwrap();
        let ratio = seen / one.rays(|point, ray| other.is_met(point, ray));
        assert!((ratio / part - 1.0).abs() < 4e-2, "{length}: {ratio}");
    }
}

/// Half of what leaves a capsule that lies on a plane, whichever way it lies: rays that go down, as all meet the plane.
#[test]
fn a_capsule_sees_half_of_itself_in_a_plane() {
    let axis = Vec3::new(1.0, 0.0, 0.4).normalize();
    let plane = Neighbour { form: Form::Other, surface: 0.0 };
    for axis in [Vec3::x(), Vec3::z(), axis] {
        let one = Capsule::new(Vec3::zeros(), axis, 5.0, 1.0);
        let line = ContactGeometry::Line { reduced_radius: 1.0, length: 5.0 };
        let seen = viewed_area(&line, 1.0, [one.seen(), plane], 0.0, Dimension::Spatial).unwrap();
        let ratio = seen / one.rays(|_, ray| ray.z < 0.0);
        assert!((ratio - 1.0).abs() < 6e-3, "{ratio}");
    }
}

/// Discs by crossed strings: A F = r(π/2 + β) + s(π/2 − β) − 2√(rs) for each metre where they touch, sin β = (s − r)/(s + r); by rays in the plane; and half of
/// the rim on something flat.
#[test]
fn discs_see_each_other_by_crossed_strings_and_by_rays() {
    const RAYS: u32 = 400_000;
    let seen = |r: f64, s: f64, thickness: f64| {
        let line = ContactGeometry::Line { reduced_radius: 1.0 / (1.0 / r + 1.0 / s), length: thickness };
        let surface = |r: f64| if r.is_finite() { 2.0 * PI * r * thickness } else { 1e6 };
        let discs = [r, s].map(|r| Neighbour { form: Form::Other, surface: surface(r) });
        viewed_area(&line, r.min(s), discs, 0.0, Dimension::Planar).unwrap()
    };
    for (r, s, thickness) in [(1.0_f64, 1.0_f64, 1.0), (1.0, 3.0, 0.5), (0.2, 0.01, 7.0)] {
        let beta = ((s - r) / (s + r)).asin();
        let strings = thickness * (r * (0.5 * PI + beta) + s * (0.5 * PI - beta) - 2.0 * (r * s).sqrt());
        assert!((seen(r, s, thickness) / strings - 1.0).abs() < 1e-12, "{r} {s}: {} for {strings}", seen(r, s, thickness));
        let mut random = Random(11);
        let hits: u32 = (0..RAYS)
            .map(|_| {
                let turn = 2.0 * PI * random.unit();
                // the cosine law of the plane: even in the sine
                let off = turn + (2.0 * random.unit() - 1.0_f64).asin();
                let to = [r + s - r * turn.cos(), -r * turn.sin()];
                let (ahead, aside) = (to[0] * off.cos() + to[1] * off.sin(), to[1] * off.cos() - to[0] * off.sin());
                u32::from(ahead > 0.0 && aside.abs() < s)
            })
            .sum();
        let rays = 2.0 * PI * r * thickness * f64::from(hits) / f64::from(RAYS);
        assert!((seen(r, s, thickness) / rays - 1.0).abs() < 2e-2, "{r} {s}: {} for {rays}", seen(r, s, thickness));
    }
    assert!((seen(0.3, f64::INFINITY, 2.0) / (PI * 0.3 * 2.0) - 1.0).abs() < 1e-12);
}

/// A disc of 1 in a bore of 2: how far the bore reaches around is not known, so the pair is refused by name.
#[test]
fn a_line_in_a_hollow_is_refused_by_name() {
    let mut bench = Bench::new(1e-6);
    let black = bench.material("m", 7800.0, &[("thermal", "(conductivity: 50, specific_heat: 500, emissivity: 1)")]);
    let ids = ["shaft", "bore"].map(|group| bench.body(group, black, 1.0, 1e-3, 2.0 * PI));
    bench.contact(ids[0], ids[1], ContactGeometry::Line { reduced_radius: 2.0, length: 1.0 }, 0.0);
    bench.network.contacts[0].least_radius = 1.0;
    let text = "Thermal(law: Constant(conductance: 0), radiation: true, temperature: 300)";
    let error = Rig::new(&crate::closed_forms::entry(), text, &bench).step(&bench).unwrap_err().to_string();
    assert!(error.contains("shaft") && error.contains("bore") && error.contains("hollow"), "{error}");
}

/// Two balls are what they count as; two capsules that cross are told not to be, by name.
#[test]
fn bodies_that_cross_are_told_to_count_as_balls() {
    let warnings = |surface: f64| {
        let mut bench = Bench::new(1e-6);
        let black = bench.material("m", 7800.0, &[("thermal", "(conductivity: 50, specific_heat: 500, emissivity: 1)")]);
        let ids = ["warp", "weft"].map(|group| bench.body(group, black, 1.0, 1e-3, surface));
        bench.contact(ids[0], ids[1], ContactGeometry::Point { reduced_radius: 0.5, roundness: 1.0 }, 0.0);
        bench.network.contacts[0].least_radius = 1.0;
        let text = "Thermal(law: Constant(conductance: 0), radiation: true, temperature: 300)";
        Rig::new(&crate::closed_forms::entry(), text, &bench).step(&bench).unwrap().warnings
    };
    assert!(warnings(4.0 * PI).is_empty());
    let told = warnings(Capsule::new(Vec3::zeros(), Vec3::x(), 8.0, 1.0).surface());
    assert!(told.len() == 1 && told[0].contains("warp") && told[0].contains("weft") && told[0].contains("not balls"), "{told:?}");
}
