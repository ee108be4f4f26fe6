//! Grains of every shape: their volume is in the grid, the fluid's force is on them, and a large one is what its parts are.

use std::sync::Arc;

use mpcd_core::{BodySet, Dimension, GroupId, Kinematics, MaterialId, Quat, Setup, Vec3, field::names};
use mpcd_geometry::{Core, Ellipsoid, PlacedShape, Shape, Shapes, Solid};

use crate::{module::Run, support::Random};

fn model(dimension: Dimension, bodies: &[(Shape, Vec3)]) -> Setup {
    let mut setup = Setup::default();
    setup.dimension = dimension;
    setup.groups.intern("grains");
    let (mut set, mut initial) = (BodySet::default(), Kinematics::default());
    for (shape, at) in bodies {
        let m = shape.mass_properties(2500.0, dimension);
        set.mass.push(m.mass);
        set.inertia.push(m.inertia);
        set.volume.push(m.volume);
        set.surface.push(m.surface);
        set.group.push(GroupId(0));
        set.material.push(MaterialId(0));
        initial.push_at_rest(*at, Quat::identity());
    }
    (setup.bodies, setup.initial) = (set, initial);
    setup.insert(Shapes(bodies.iter().map(|b| b.0.clone()).collect()));
    setup
}

/// Random turns and places.
fn thrown(k: &Kinematics, random: &mut Random, by: f64, planar: bool) -> Kinematics {
    let mut out = k.clone();
    for (x, q) in out.position.iter_mut().zip(&mut out.orientation) {
        let turn = random.between(-1.0, 1.0);
        if planar {
            x.x += random.between(-by, by);
            x.y += random.between(-by, by);
            *q = Quat::from_scaled_axis(Vec3::z() * turn) * *q;
        } else {
            *x += Vec3::from_fn(|_, _| random.between(-by, by));
            *q = Quat::from_scaled_axis(Vec3::new(turn, random.next(), random.next())) * *q;
        }
    }
    out
}

fn ellipsoid(radii: Vec3) -> Shape {
    let body = Ellipsoid { radii };
    Shape::Solid(Arc::new(Solid::new("Ellipsoid", Core::Smooth(Arc::new(body)), body.measures())))
}

fn spatial_shapes() -> Vec<Shape> {
    let wedge = [[0.0, 0.0, 0.0], [0.08, 0.0, 0.0], [0.0, 0.06, 0.0], [0.0, 0.0, 0.05], [0.07, 0.02, 0.06]].map(Vec3::from);
    let ball = |x: f64| PlacedShape { centre: Vec3::x() * x, ..PlacedShape::centred(Shape::Ball { radius: 0.03 }) };
    vec![
        Shape::Box { half: Vec3::new(0.03, 0.05, 0.02) },
        Shape::Segment { half: Vec3::x() * 0.04, thickness_radius: 0.02 },
        PlacedShape::hull("Polyhedron", &wedge, Dimension::Spatial, 1.0).unwrap().shape,
        ellipsoid(Vec3::new(0.05, 0.03, 0.02)),
        PlacedShape::cluster(&[ball(-0.03), ball(0.03)], Dimension::Spatial).unwrap().shape,
        Shape::Ball { radius: 0.04 },
    ]
}

fn planar_shapes() -> Vec<Shape> {
    let corners = [[0.0, 0.0, 0.0], [0.08, 0.0, 0.0], [0.05, 0.06, 0.0]].map(Vec3::from);
    vec![
        Shape::Box { half: Vec3::new(0.03, 0.05, 0.5) },
        Shape::Segment { half: Vec3::x() * 0.04, thickness_radius: 0.02 },
        PlacedShape::hull("Polygon", &corners, Dimension::Planar, 1.0).unwrap().shape,
        Shape::Disc { radius: 0.04, thickness: 1.0 },
    ]
}

#[test]
fn grains_of_every_shape_take_their_volume_and_their_share_of_the_force() {
    for (dimension, shapes) in [(Dimension::Spatial, spatial_shapes()), (Dimension::Planar, planar_shapes())] {
        let planar = dimension == Dimension::Planar;
        for shape in shapes {
            let mut random = Random(5);
            let count = if planar { 30 } else { 400 };
            let place = |random: &mut Random| {
                let mut x = Vec3::from_fn(|_, _| random.between(0.1, 0.9));
                if planar {
                    x.z = 0.0;
                }
                x
            };
            let bodies: Vec<(Shape, Vec3)> = (0..count).map(|_| (shape.clone(), place(&mut random))).collect();
            let setup = model(dimension, &bodies);
            let (to, extra) = if planar { ("(1, 1)", "permeability: Given(1e-6),") } else { ("(1, 1, 1)", "") };
            let from = if planar { "(0, 0)" } else { "(0, 0, 0)" };
            let text = format!(
                "Darcy(grid: (from: {from}, to: {to}, cell: 0.05), fluid: Gas(), {extra} couple: (buoyancy: false),
                 porosity: (min: 1e-6, max: 0.999), boundaries: (y_min: Pressure(100100), y_max: Pressure(1e5)))"
            );
            let mut run = Run::new(&text, &setup);
            assert!(run.module.warnings().iter().all(|w| w.contains("finer")), "{:?}", run.module.warnings());
            let mut now = setup.initial.clone();
            for _ in 0..3 {
                let after = thrown(&now, &mut random, 0.01, planar);
                let report = run.step(&setup, &now, &after, 1e-3);
                assert!(report.balances[0].imbalance() < 1e-13, "{}: {:e}", shape.name(), report.balances[0].imbalance());
                now = after;
            }
            let porosity = run.written(names::POROSITY);
            let solid: f64 = porosity.iter().map(|p| 1.0 - p).sum::<f64>() / porosity.len() as f64;
            let want = shape.volume(1.0, dimension) * f64::from(count);
            assert!((solid / want - 1.0).abs() < 1e-9, "{}: {solid} {want}", shape.name());
            // every one feels the flow
            let forces: Vec<Vec3> = run.written(names::FLUID_FORCE).chunks_exact(3).map(Vec3::from_column_slice).collect();
            assert!(forces.iter().all(|f| f.norm() > 0.0), "{}", shape.name());
        }
    }
}

#[test]
fn a_large_box_is_what_its_parts_are() {
    // a cube of 0.2 m in a bed of balls of 0.05 m, in one piece and in 512
    let mut random = Random(2);
    let beads: Vec<(Shape, Vec3)> = (0..4000)
        .map(|_| (Shape::Ball { radius: 0.025 }, Vec3::from_fn(|_, _| random.between(0.0, 1.0))))
        .filter(|(_, x)| (x - Vec3::repeat(0.5)).amax() > 0.125)
        .collect();
    let run = |cubes: &[(Shape, Vec3)], edge: f64| {
        // the same kernel for both: its width is told in mean radii, ΣV/Σ(V/r)
        let ball = 4.0 / 3.0 * std::f64::consts::PI * 0.025_f64.powi(3) * beads.len() as f64;
        let mean = (ball + 0.008) / (ball / 0.025 + 0.008 / (0.5 * edge));
        let bodies: Vec<(Shape, Vec3)> = beads.iter().chain(cubes).cloned().collect();
        let setup = model(Dimension::Spatial, &bodies);
        let text = format!(
            "Darcy(grid: (from: (0, 0, 0), to: (1, 1, 1), cell: 0.05), fluid: Liquid(), couple: (buoyancy: false),
             permeability: Given(1e-8), smoothing: {}, porosity: (min: 1e-3, max: 0.75),
             boundaries: (y_min: Pressure(100), y_max: Pressure(0)))",
            0.175 / mean
        );
        let mut run = Run::new(&text, &setup);
        (0..3).for_each(|_| drop(run.step(&setup, &setup.initial, &setup.initial, 1e3)));
        let force: Vec3 = run.written(names::FLUID_FORCE)[3 * beads.len()..].chunks_exact(3).map(Vec3::from_column_slice).sum();
        (force, run.written(names::POROSITY).to_vec())
    };
    let whole = run(&[(Shape::Box { half: Vec3::repeat(0.1) }, Vec3::repeat(0.5))], 0.2);
    let line = |k: usize| 0.4 + 0.0125 + 0.025 * (k as f64);
    let parts: Vec<(Shape, Vec3)> = (0..512)
        .map(|k| (Shape::Box { half: Vec3::repeat(0.0125) }, Vec3::new(line(k % 8), line(k / 8 % 8), line(k / 64))))
        .collect();
    let parts = run(&parts, 0.025);
    let worst = whole.1.iter().zip(&parts.1).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    println!("largest difference of porosity {worst:.2e}, force {:?} and {:?}", whole.0, parts.0);
    // a part that is one point lacks its own second moment, 1/64 of that of the whole
    assert!(worst < 1e-2 && (whole.0 - parts.0).norm() < 4e-3 * parts.0.norm(), "{worst} {:?} {:?}", whole.0, parts.0);
}

#[test]
fn what_has_no_volume_is_no_grain() {
    let setup = model(Dimension::Spatial, &[(Shape::Plane { normal: Vec3::y() }, Vec3::zeros())]);
    let e = crate::module::build(
        "Darcy(grid: (from: (0, 0, 0), to: (1, 1, 1), cell: 0.25), fluid: Gas(), grains: [\"grains\"])",
        &setup,
    );
    let e = e.map(|_| ()).unwrap_err();
    assert!(e.message.contains("has a Plane, which has no volume for the pore fluid"), "{}", e.message);
}
