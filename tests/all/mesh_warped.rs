//! Faces of cells that impulses warp, so that they lie before one of the triangles that they are looked for by and behind the other: what touches them is held at
//! once, wherever it comes down.

use crate::granular::{build, column};

/// Curved bodies come down on a block that yields: they touched nothing where the face lay behind its triangle, until they were inside by all that a step moves.
#[test]
fn curved_bodies_are_held_wherever_they_come_down() {
    for (mesh, (element, cells)) in [("Hex8", "(4, 3, 1)"), ("Hex20", "(4, 3, 1)")].into_iter().enumerate() {
        for (body, shape) in
            ["Ellipsoid(radii: (0.06, 0.04, 0.05))", "Cylinder(radius: 0.05, length: 0.1), rotation: ((0, 1, 0), \"90 deg\")"]
                .into_iter()
                .enumerate()
        {
            let places = [(0.27, 0.17), (0.33, 0.17), (0.27, 0.23), (0.33, 0.23), (0.2, 0.15), (0.2, 0.21)];
            // three of the places for each body on each mesh, the others for the other of the two
            for (_, (x, y)) in places.into_iter().enumerate().filter(|(place, _)| (place + place / 2 + mesh + body) % 2 == 0) {
                let model = format!(
                    "(dimension: 3, gravity: (0, 0, -10), time: (step: 2e-3, end: 0.06, theta: 1),\n\
                     materials: {{\"m\": (density: 1000, elastic: (young: 1e8, poisson: 0.3), solid: (law: SaintVenantKirchhoff, stiffness_damping: 2e-3)), \"r\": (density: 2000)}},\n\
                     bodies: [(group: \"table\", material: \"m\", shape: Mesh(of: Cuboid(size: (0.6, 0.4, 0.1), cells: {cells}, element: {element}))),\n\
                       (group: \"ball\", material: \"r\", shape: {shape}, at: ({x}, {y}, 0.1505), velocity: (0, 0, -1))],\n\
                     interactions: [(between: (\"table\", \"ball\"), law: Coulomb(friction: 0.4))], loads: [(on: \"table.back\", load: Fixed)],\n\
                     physics: [Contact()], output: (probes: [(name: \"low\", of: \"extent\", group: \"ball\", component: Z, reduce: Min)]))"
                );
                let mut run = build(&model, &[]);
                while !run.finished() {
                    let step = run.step().unwrap();
                    // the table gives way by some micrometres
                    let low = column(&run, &step, "low").unwrap() - 0.1;
                    let case = format!("{shape} at ({x}, {y}) on {element}, t = {}", run.time());
                    assert!(low > -3e-5, "{case}: {low} m below the table");
                }
            }
        }
    }
}
