//! Capsules that cross touch in one point, side over side, cap over side and cap on cap, whichever of the two is named first: with a stiffness k and an overlap of 1 mm the force is k · 1 mm.

use mpcd_core::Vec3;

use crate::granular::{build, column};

const RADIUS: f64 = 0.05;
const HALF: f64 = 0.1;
const DEEP: f64 = 1e-3;

/// Least distance of the segments ±`HALF` a and x ± `HALF` b, by their ends and the common normal (Ericson, Real-Time Collision Detection, 2005, §5.1.9).
fn distance(a: &Vec3, x: &Vec3, b: &Vec3) -> f64 {
    let (cosine, ax, bx) = (a.dot(b), a.dot(x), b.dot(x));
    let apart = |s: f64, t: f64| (a * s - x - b * t).norm();
    let clamped = |s: f64| s.clamp(-HALF, HALF);
    let ends = [-HALF, HALF].into_iter().flat_map(|e| [apart(e, clamped(cosine * e - bx)), apart(clamped(ax + cosine * e), e)]);
    let least = ends.fold(f64::INFINITY, f64::min);
    let sine = 1.0 - cosine * cosine;
    let (s, t) = ((ax - cosine * bx) / sine, (cosine * ax - bx) / sine);
    if s.abs() <= HALF && t.abs() <= HALF { least.min(apart(s, t)) } else { least }
}

#[test]
fn crossed_capsules_touch_in_one_point() {
    let axis = |rise: f64, turn: f64| Vec3::new(rise.cos() * turn.cos(), rise.cos() * turn.sin(), rise.sin());
    // from the axis x, along which a capsule lies
    let turned = |d: &Vec3| {
        let about = Vec3::x().cross(d).normalize();
        format!("(({}, {}, {}), {})", about.x, about.y, about.z, d.x.acos())
    };
    let mut kinds = [0; 2];
    for (k, angle) in [0.003, 0.01, 0.03, 0.2, 0.7, 1.5].into_iter().enumerate() {
        for m in 0..24 {
            let (k, m) = (k as f64, f64::from(m));
            let a = axis(0.3 + 0.1 * k, 0.2 + 0.7 * m);
            let across = a.cross(&axis(1.1 - 0.05 * m, 2.0 * m)).normalize();
            let b = a * f64::cos(angle) + across * f64::sin(angle);
            let way = axis(-1.2 + 0.1 * m, 0.9 * m + k);
            // as far along it as leaves the overlap
            let (mut near, mut far) = (0.0, 1.0);
            for _ in 0..60 {
                let middle = 0.5 * (near + far);
                if distance(&a, &(way * middle), &b) < 2.0 * RADIUS - DEEP { near = middle } else { far = middle }
            }
            let x = way * far;
            let n = a.cross(&b).normalize();
            kinds[usize::from((x.dot(&n).abs() - 2.0 * RADIUS + DEEP).abs() < 1e-9)] += 1;
            let shape = format!("Capsule(radius: {RADIUS}, length: {})", 2.0 * HALF);
            let one = format!(r#"(group: "a", material: "m", shape: {shape}, rotation: {}, mass: 1)"#, turned(&a));
            let two = format!(
                r#"(group: "b", material: "m", shape: {shape}, at: ({}, {}, {}), rotation: {}, mass: 1)"#,
                x.x,
                x.y,
                x.z,
                turned(&b)
            );
            for bodies in [format!("{one}, {two}"), format!("{two}, {one}")] {
                for (law, physics) in [("Elastic", "Contact"), ("Hooke", "SmoothContact")] {
                    let text = format!(
                        r#"(dimension: 3, time: (step: 1e-6, end: 1e-6), materials: {{"m": (density: 1000)}}, bodies: [{bodies}],
                        interactions: [(between: ("a", "b"), law: {law}(stiffness: 1e4, friction: 0))], physics: [{physics}()],
                        output: (probes: [(name: "f", of: "resultant", component: Norm, group: "a")]))"#
                    );
                    let mut run = build(&text, &[]);
                    let step = run.step().unwrap_or_else(|e| panic!("{e}\n{text}"));
                    let force = column(&run, &step, "f").unwrap();
                    // nearly parallel ones are level at two ends, which share the stiffness of `Elastic`; of `Hooke` each has its own
                    let (least, most) = if angle > 0.1 {
                        (1.0 - 1e-4, 1.0 + 1e-4)
                    } else {
                        (0.9, if law == "Hooke" { 3.01 } else { 1.0 + 1e-4 })
                    };
                    let part = force / (1e4 * DEEP);
                    assert!(part > least && part < most, "{law}, {angle} rad, pose {m}: {force} N\n{text}");
                }
            }
        }
    }
    // caps and sides are both among them
    assert!(kinds.iter().all(|count| *count >= 10), "{kinds:?}");
}
