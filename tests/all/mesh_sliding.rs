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
            let steps = if is_round && slab != FINE { vec![(4e-3, 1.0), (2e-3, 0.5)] } else { vec![(4e-3, 1.0)] };
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
            for h in [4e-3, 1e-3] {
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

/// A stiff block of large strain that slides to and fro by 0.2 m under less than its weight, against a rigid box that does the same: the strain of a body that
/// has moved is a small difference of large displacements, and rounds to E ε u. What is below that is no missing force, where the tolerance of the weight asks
/// for a hundredth of it.
#[test]
fn stiff_blocks_of_large_strain_slide_as_rigid_ones() {
    let place = |body: &str, young: f64, law: &str, tolerance: &str| {
        let mut run = build(
            &format!(
                "(dimension: 2, gravity: (0, -10), time: (step: 0.002, end: 1, theta: 1),\n\
                 materials: {{\"m\": (density: 1000, elastic: (young: {young:?}, poisson: 0.2), solid: (law: {law}, retardation: 1e-5))}},\n\
                 bodies: [(group: \"t\", material: \"m\", {body}), (group: \"f\", material: \"m\", shape: Plane(normal: (0, 1)))],\n\
                 interactions: [(between: (\"t\", \"f\"), law: Coulomb(friction: 0.3))],\n\
                 loads: [(on: \"t\", load: Force(x: \"210*sin(8*t)\", y: \"150*sin(20*t)\")), (on: \"f\", load: Fixed)],\n\
                 physics: [Contact({tolerance})])"
            ),
            &[],
        );
        (0..300)
            .map(|k| run.step().map(|_| run.world().kinematics.position[0].x).unwrap_or_else(|e| panic!("step {k}: {e}")))
            .collect::<Vec<_>>()
    };
    let rigid = place("shape: Box(size: (0.3, 0.1)), at: (0, 0.05)", 1e9, "Linear", "");
    let far = rigid.iter().fold(0.0_f64, |far, x| far.max(x.abs()));
    assert!(far > 0.1, "{far} m");
    for (element, law, young) in [
        ("T6", "SaintVenantKirchhoff", 1e10),
        ("T6", "SaintVenantKirchhoff", 1e11),
        ("T6", "NeoHookean", 1e10),
        ("Q8", "NeoHookean", 1e10),
    ] {
        let mesh = format!("shape: Mesh(of: Rectangle(size: (0.3, 0.1), cells: (5, 2), element: {element})), at: (-0.15, 0)");
        let found = place(&mesh, young, law, "");
        for (k, (x, exact)) in found.iter().zip(&rigid).enumerate() {
            assert!(
                (x - exact).abs() < 5e-3 * far,
                "{element}, {law}, E = {young:e} Pa, step {k}: at {x} m, a rigid box at {exact} m"
            );
        }
    }
}

/// What driven rollers, sharp and round, give to a soft block that goes past them. A node that comes past something round has for one step the plane in which the two
/// are closest on the way, with its own lever on the roller: by the lever of the point between the two sides 10⁻⁵ of the energy was open in such steps.
#[test]
fn the_work_of_what_turns_against_a_mesh_is_balanced() {
    let turning = "Velocity(x: 0, y: 0, spin_z: 5)";
    for (space, roller, load, friction, theta, steps) in [
        (2, "Disc(radius: 0.1), at: (0, 0.1175)", turning, 0.8, 1.0, 400),
        (2, "Disc(radius: 0.1), at: (0, 0.1175), spin: 5", "Locked(axes: [X, Y])", 0.8, 0.7, 300),
        (2, "Box(size: (0.1, 0.1)), rotation: \"30 deg\", at: (0, 0.085)", turning, 0.8, 1.0, 300),
        (3, "Cylinder(radius: 0.1, length: 0.2), at: (0, 0.1175, 0)", turning, 0.0, 1.0, 130),
    ] {
        let (size, at, velocity) = if space == 2 {
            ("Rectangle(size: (0.2, 0.05), cells: (20, 4), element: Q4)", "(-0.28, -0.025)", "(0.5, 0)")
        } else {
            ("Cuboid(size: (0.2, 0.05, 0.05), cells: (12, 2, 1), element: Hex8)", "(-0.28, -0.025, -0.025)", "(0.5, 0, 0)")
        };
        let mut run = build(
            &format!(
                "(dimension: {space}, time: (step: 0.0005, end: 1, theta: {theta}),\n\
                 materials: {{\"m\": (density: 1100, elastic: (young: 1e6, poisson: 0.3), solid: (law: NeoHookean)), \"s\": (density: 7800)}},\n\
                 bodies: [(group: \"m\", material: \"m\", shape: Mesh(of: {size}), at: {at}, velocity: {velocity}),\n\
                 (group: \"r\", material: \"s\", shape: {roller})],\n\
                 interactions: [(between: (\"m\", \"r\"), law: Coulomb(friction: {friction}))],\n\
                 loads: [(on: \"m.left\", load: Traction(x: 10000)), (on: \"m.bottom\", load: Locked(axes: [Y])), (on: \"r\", load: {load})],\n\
                 physics: [Contact()])"
            ),
            &[],
        );
        let mut pushing = 0;
        for step in 0..steps {
            run.step().unwrap_or_else(|e| panic!("{roller}, step {step}: {e}"));
            pushing += u32::from(run.world().network.iter().any(|c| c.r.x > 0.0));
            let open = run.books().account(mpcd_core::Book::Energy).unwrap().worst;
            assert!(open < 1e-10, "{roller}, step {step}: open by {open:e}");
        }
        assert!(pushing > 40, "{roller}: {pushing} steps with a contact");
    }
}
