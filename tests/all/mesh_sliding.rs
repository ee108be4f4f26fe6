//! Round bodies on flat meshes that slide without friction, or roll, keep their speed: nodes ahead of them are no obstacles.

use mpcd_core::Vec3;

use crate::granular::{build, steps};

/// Velocity (m/s) and spin (rad/s) after 0.3 s of a body on top of a stiff slab, in steps of `h` (s): how it moves at the start, friction and θ.
fn after(space: usize, (body, slab): (&str, &str), h: f64, (moving, friction, theta): (&str, f64, f64)) -> [Vec3; 2] {
    let (down, fixed) = if space == 2 { ("(0, -10)", "bottom") } else { ("(0, 0, -10)", "back") };
    let fixed = if slab.starts_with("Mesh(") { format!("mesh.{fixed}") } else { "mesh".to_owned() };
    let mut run = build(
        &format!(
            "(dimension: {space}, gravity: {down}, time: (step: {h}, end: 1, theta: {theta}),\n\
             materials: {{\"m\": (density: 1000, elastic: (young: 1e14, poisson: 0)), \"r\": (density: 1000)}},\n\
             bodies: [(group: \"mesh\", material: \"m\", shape: {slab}), (group: \"body\", material: \"r\", shape: {body}, {moving})],\n\
             interactions: [(between: (\"mesh\", \"body\"), law: Coulomb(friction: {friction}))], loads: [(on: \"{fixed}\", load: Fixed)],\n\
             physics: [Contact(tolerance: 1e-12)])"
        ),
        &[],
    );
    steps(&mut run, (0.3 / h) as u64);
    let k = &run.world().kinematics;
    [k.velocity[1], k.angular_velocity[1]]
}

const PLANE: &str = "Mesh(of: Rectangle(size: (1, 0.1), cells: (20, 2), element: Q4), thickness: 1), at: (-0.1, -0.1)";
const FINE: &str = "Mesh(of: Rectangle(size: (1, 0.1), cells: (150, 2), element: Q4), thickness: 1), at: (-0.1, -0.1)";
const CURVED: &str = "Mesh(of: Rectangle(size: (1, 0.1), cells: (20, 2), element: Q8), thickness: 1), at: (-0.1, -0.1)";
const SOLID: &str = "Mesh(of: Cuboid(size: (1, 0.6, 0.1), cells: (20, 12, 1), element: Hex8)), at: (-0.1, -0.2, -0.1)";
const TETRAHEDRA: &str = "Mesh(of: Cuboid(size: (1, 0.6, 0.1), cells: (16, 10, 1), element: Tet4)), at: (-0.1, -0.2, -0.1)";
const SURFACE: &str = "Surface(vertices: [(-1, -1, 0), (0.1, -1, 0), (0.11, 0.06, 0), (1, 0.3, 0), (1, 2, 0), (-1, 2, 0), (1, -1, 0)], \
     triangles: [(0, 1, 2), (0, 2, 5), (2, 3, 4), (2, 4, 5), (1, 6, 3), (1, 3, 2)])";

/// Nodes that the body meets within the step lean against it, as seen from where it is at its start: a disc lost 9 % of its speed in 0.6 s in steps of 4 ms.
#[test]
fn round_bodies_slide_along_flat_meshes_at_their_speed() {
    for (space, body, at, slabs) in [
        (2, "Disc(radius: 0.05)", "at: (0, 0.05)", vec![PLANE, FINE, CURVED]),
        (2, "Capsule(radius: 0.05, length: 0.12)", "at: (0, 0.05)", vec![PLANE, FINE]),
        (3, "Sphere(radius: 0.05)", "at: (0, 0, 0.05)", vec![SOLID, TETRAHEDRA, SURFACE]),
        (3, "Ellipsoid(radii: (0.06, 0.05, 0.05))", "at: (0, 0, 0.05)", vec![SOLID]),
        (3, "Capsule(radius: 0.05, length: 0.12)", "at: (0, 0, 0.05)", vec![SOLID, SURFACE]),
        (
            3,
            "Capsule(radius: 0.05, length: 0.12)",
            "rotation: ((0, 0, 1), \"70 deg\"), at: (0, 0, 0.05)",
            vec![SOLID, TETRAHEDRA],
        ),
        (3, "Cylinder(radius: 0.05, length: 0.12)", "rotation: ((1, 0, 0), \"90 deg\"), at: (0, 0, 0.05)", vec![SOLID, SURFACE]),
    ] {
        let speed = if space == 2 { Vec3::new(1.0, 0.0, 0.0) } else { Vec3::new(1.0, 0.3, 0.0) };
        let words = if space == 2 { "(1, 0)" } else { "(1, 0.3, 0)" };
        for slab in slabs {
            let is_round = body.starts_with("Disc") || body.starts_with("Sphere");
            // with θ = ½ a stiff slab rings, and rocks what is long
            let steps = if is_round && slab != FINE {
                vec![(4e-3, 1.0), (2e-3, 1.0), (1e-3, 1.0), (4e-3, 0.5)]
            } else {
                vec![(4e-3, 1.0), (2e-3, 1.0)]
            };
            for (h, theta) in steps {
                let moving = format!("{at}, velocity: {words}");
                let [v, w] = after(space, (body, slab), h, (&moving, 0.0, theta));
                let case = format!("{body} on {slab}, {h} s, theta {theta}");
                // with θ = ½ the slab rings along the normal
                let up = if theta < 1.0 { Vec3::ith(space - 1, v[space - 1]) } else { Vec3::zeros() };
                assert!((v - up - speed).norm() < 1e-9, "{case}: {v:?}");
                // what bears a long body at its two ends is known to the solver's tolerance, over arms of 0.06 m
                let most = if is_round { 1e-9 } else { 1e-4 };
                assert!(w.norm() < most, "{case}: turns by {w:?}");
            }
        }
    }
}

/// The same of what rolls, which its friction holds at rest where it touches.
#[test]
fn round_bodies_roll_along_flat_meshes_at_their_speed() {
    for (space, body, slabs) in
        [(2, "Disc(radius: 0.05)", vec![PLANE, FINE]), (3, "Sphere(radius: 0.05)", vec![SOLID, TETRAHEDRA, SURFACE])]
    {
        for slab in slabs {
            for h in [4e-3, 2e-3, 1e-3] {
                let moving = if space == 2 {
                    "at: (0, 0.05), velocity: (1, 0), spin: -20"
                } else {
                    "at: (0, 0, 0.05), velocity: (1, 0.3, 0), spin: (-6, 20, 0)"
                };
                let [v, w] = after(space, (body, slab), h, (moving, 0.5, 1.0));
                let case = format!("{body} on {slab}, {h} s");
                let (speed, spin) = if space == 2 {
                    (Vec3::x(), Vec3::new(0.0, 0.0, -20.0))
                } else {
                    (Vec3::new(1.0, 0.3, 0.0), Vec3::new(-6.0, 20.0, 0.0))
                };
                assert!((v - speed).norm() < 1e-9 && (w - spin).norm() < 1e-7, "{case}: {v:?}, {w:?}");
            }
        }
    }
}
