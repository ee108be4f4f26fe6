//! Walls that move: isothermal compression, with grains and without, along every axis; forces, work, and what is refused.

use mpcd_core::{BodySet, Dimension, GroupId, Kinematics, MaterialId, Quat, Setup, SolveReport, Status, Vec3, field::names};
use mpcd_darcy::{
    medium::Permeability,
    step::{Scheme, Stepper},
};
use mpcd_geometry::{Shape, Shapes};

use crate::{
    module::{Run, build},
    support::{Random, air, grid, lattice, medium_of, walls},
};

/// A vessel of 1 m along `axis` and 0.5 m across, closed by a lid at the high end; grains in group "grains", walls in "walls".
pub(crate) fn vessel(dimension: Dimension, axis: usize, lid: &Shape, lid_at: f64, grains: &[(Vec3, f64)]) -> Setup {
    let mut setup = Setup::default();
    setup.dimension = dimension;
    let (mut bodies, mut initial, mut shapes) = (BodySet::default(), Kinematics::default(), Vec::new());
    let walls = setup.groups.intern("walls");
    let (lids, beads) = (setup.groups.intern("lid"), setup.groups.intern("grains"));
    let mut push = |shape: Shape, at: Vec3, group: usize| {
        let m = shape.mass_properties(2500.0, dimension);
        bodies.mass.push(m.mass);
        bodies.inertia.push(m.inertia);
        bodies.volume.push(m.volume);
        bodies.surface.push(m.surface);
        bodies.group.push(GroupId::from_index(group));
        bodies.material.push(MaterialId(0));
        initial.push_at_rest(at, Quat::identity());
        shapes.push(shape);
    };
    let mut normal = Vec3::zeros();
    normal[axis] = 1.0;
    push(Shape::Plane { normal }, Vec3::zeros(), walls);
    let mut middle = Vec3::new(0.25, 0.25, if dimension == Dimension::Planar { 0.0 } else { 0.25 });
    middle[axis] = lid_at;
    push(lid.clone(), middle, lids);
    for (x, radius) in grains {
        let shape = match dimension {
            Dimension::Planar => Shape::Disc { radius: *radius, thickness: 0.5 },
            Dimension::Spatial => Shape::Ball { radius: *radius },
        };
        push(shape, *x, beads);
    }
    setup.bodies = bodies;
    setup.initial = initial;
    setup.insert(Shapes(shapes));
    setup
}

/// A lid 0.1 m thick, whose face is at 1 m if its middle is at 1.05 m.
pub(crate) fn slab(axis: usize) -> Shape {
    let mut half = Vec3::repeat(0.25);
    half[axis] = 0.05;
    Shape::Box { half }
}

pub(crate) fn text(dimension: Dimension, axis: usize, cells: usize, fluid: &str, extra: &str) -> String {
    let planar = dimension == Dimension::Planar;
    let key = |d: usize, long: String, short: String| if d == axis { long } else { short };
    let axes = if planar { 2 } else { 3 };
    let join =
        |long: &str, short: &str| (0..axes).map(|d| key(d, long.to_owned(), short.to_owned())).collect::<Vec<_>>().join(", ");
    format!(
        "Darcy(grid: (from: ({}), to: ({}), cells: ({})), fluid: {fluid}, permeability: Given(1e-6), {} {extra})",
        join("0", "0"),
        join("1", "0.5"),
        join(&cells.to_string(), &(cells / 2).to_string()),
        if planar { "thickness: 0.5," } else { "" }
    )
}

const AIR: &str = "Gas(viscosity: 1.8e-5, reference_pressure: 1e5, density: 1.2)";

/// Random grains of these sizes that stay between 0 and 0.85 m along the axis.
pub(crate) fn beads(dimension: Dimension, axis: usize, count: usize, radius: f64) -> Vec<(Vec3, f64)> {
    let mut random = Random(17);
    (0..count)
        .map(|_| {
            let mut x = Vec3::from_fn(|d, _| if d == axis { random.between(0.0, 0.85) } else { random.between(0.0, 0.5) });
            if dimension == Dimension::Planar {
                x.z = 0.0;
            }
            (x, radius)
        })
        .collect()
}

/// Pushes body 1 by `way` along the axis in `steps` steps of `h` while the grains wander by up to `stray`; returns what happened.
fn push(setup: &Setup, run: &mut Run, axis: usize, way: f64, steps: usize, h: f64, stray: f64) -> (Vec<SolveReport>, Kinematics) {
    let mut now = setup.initial.clone();
    let mut random = Random(3);
    let axes = if setup.dimension == Dimension::Planar { 2 } else { 3 };
    let mut reports = Vec::new();
    for k in 0..steps {
        let mut after = now.clone();
        after.position[1][axis] = setup.initial.position[1][axis] + way * (k + 1) as f64 / steps as f64;
        for x in &mut after.position[2..] {
            for d in 0..axes {
                let most = if d == axis { 0.85 } else { 0.5 };
                x[d] = (x[d] + random.between(-stray, stray)).clamp(0.0, most);
            }
        }
        let report = run.step(setup, &now, &after, h);
        assert_eq!(report.status, Status::Converged, "{report:?}");
        assert!(report.balances[0].imbalance() < 1e-13, "{:e}", report.balances[0].imbalance());
        reports.push(report);
        now = after;
    }
    (reports, now)
}

#[test]
fn a_lid_compresses_the_gas_of_a_sealed_metre() {
    for dimension in [Dimension::Planar, Dimension::Spatial] {
        let axes = if dimension == Dimension::Planar { 2 } else { 3 };
        for axis in 0..axes {
            let mut half = Vec3::repeat(0.3);
            half[axis] = 0.0;
            let mut up = Vec3::zeros();
            up[axis] = -1.0;
            let mut lids = vec![(slab(axis), 1.05), (Shape::Plane { normal: up }, 1.0)];
            if dimension == Dimension::Planar {
                lids.push((Shape::Segment { half, thickness_radius: 0.0 }, 1.0));
            }
            for (lid, at) in lids {
                let (radius, count) = if dimension == Dimension::Planar { (0.02, 100) } else { (0.03, 300) };
                for grains in [Vec::new(), beads(dimension, axis, count, radius)] {
                    let solid: f64 = if dimension == Dimension::Planar {
                        std::f64::consts::PI * radius * radius * 0.5 * grains.len() as f64
                    } else {
                        4.0 / 3.0 * std::f64::consts::PI * radius.powi(3) * grains.len() as f64
                    };
                    let setup = vessel(dimension, axis, &lid, at, &grains);
                    let mut run = Run::new(
                        &text(dimension, axis, 10, AIR, "porosity: (min: 0.01, max: 0.95), scheme: Unsplit(theta: 1)"),
                        &setup,
                    );
                    push(&setup, &mut run, axis, -0.1, 20, 10.0, 0.0);
                    // long enough for the pressure to be even
                    let now = {
                        let mut now = setup.initial.clone();
                        now.position[1][axis] -= 0.1;
                        now
                    };
                    for _ in 0..4 {
                        run.step(&setup, &now, &now, 1e6);
                    }
                    let want = 1e5 * (0.25 - solid) / (0.9 * 0.25 - solid);
                    for p in run.written(names::PRESSURE) {
                        assert!((p / want - 1.0).abs() < 1e-10, "{dimension:?} {axis} {lid:?}: {p} instead of {want}");
                    }
                    let force = Vec3::from_column_slice(&run.written(names::FLUID_FORCE)[3..6]);
                    assert!((force[axis] / ((want - 1e5) * 0.25) - 1.0).abs() < 1e-8, "{force:?}");
                    let total = run.total_force();
                    assert!(total.norm() < 1e-9 * want * 0.25, "{total:?}");
                    // the tenth layer of the frame is behind the lid
                    let porosity = run.written(names::POROSITY);
                    assert_eq!(porosity.iter().filter(|p| **p == 0.0).count(), porosity.len() / 10);
                }
            }
        }
    }
}

#[test]
fn gas_mass_is_kept_while_grains_wander_under_a_moving_lid() {
    for (dimension, axis, scheme) in
        [(Dimension::Planar, 0, "Unsplit()"), (Dimension::Spatial, 2, "Unsplit()"), (Dimension::Spatial, 1, "Split(substeps: 2)")]
    {
        let radius = if dimension == Dimension::Planar { 0.02 } else { 0.04 };
        let setup = vessel(dimension, axis, &slab(axis), 1.05, &beads(dimension, axis, 150, radius));
        let mut run = Run::new(&text(dimension, axis, 8, AIR, &format!("scheme: {scheme}")), &setup);
        let (reports, _) = push(&setup, &mut run, axis, -0.1, 200, 1e-3, 0.01);
        let start = reports[0].balances[0].stores[0].1.x;
        for report in &reports {
            let mass = report.balances[0].stores[0].2.x;
            assert!((mass / start - 1.0).abs() < 1e-13, "{dimension:?} {scheme}: {:e}", mass / start - 1.0);
        }
    }
}

#[test]
fn the_lid_does_the_isothermal_work() {
    // a hundred times slower than the pressure spreads: W = p₀ V₀ ln(V₀/V₁), by the trapezium rule of the steps
    let setup = vessel(Dimension::Spatial, 1, &slab(1), 1.05, &[]);
    let errors = [10, 20, 40].map(|steps| {
        let mut run = Run::new(&text(Dimension::Spatial, 1, 6, AIR, "scheme: Unsplit(theta: 0.5)"), &setup);
        let h = 1e4 / steps as f64;
        let (reports, _) = push(&setup, &mut run, 1, -0.1, steps, h, 0.0);
        let work: f64 = reports.iter().map(|r| r.numbers.iter().find(|n| n.0 == "piston_power").unwrap().1 * h).sum();
        work / (1e5 * 0.25 * -(0.9_f64.ln())) - 1.0
    });
    println!("work of the lid, relative errors {errors:?}");
    assert!(errors[0].abs() < 5e-3 && errors[2].abs() < 0.3 * errors[0].abs(), "{errors:?}");
}

#[test]
fn a_named_piston_inside_the_grid_ends_the_fluid_and_feels_what_is_behind() {
    let setup = vessel(Dimension::Spatial, 1, &slab(1), 0.75, &[]);
    let ends = "boundaries: (y_max: Piston(group: \"lid\", outside: 2e5))";
    let mut run = Run::new(&text(Dimension::Spatial, 1, 10, AIR, ends), &setup);
    push(&setup, &mut run, 1, 0.1, 20, 1e3, 0.0);
    let mut now = setup.initial.clone();
    now.position[1].y += 0.1;
    run.step(&setup, &now, &now, 1e3);
    let p = run.written(names::PRESSURE)[0];
    assert!((p / (1e5 * 0.7 / 0.8) - 1.0).abs() < 1e-6, "{p}");
    let force = run.written(names::FLUID_FORCE)[4];
    assert!((force / ((p - 2e5) * 0.25) - 1.0).abs() < 1e-3, "{force}");
}

/// A lid that swells presses its face forward: 0.05 m of half its thickness become 0.06 m, so p = p₀ 0.70/0.69.
#[test]
fn a_lid_that_grows_compresses_the_gas() {
    let setup = vessel(Dimension::Spatial, 1, &slab(1), 0.75, &[]);
    let mut run = Run::new(&text(Dimension::Spatial, 1, 10, AIR, "boundaries: (y_max: Piston(group: \"lid\"))"), &setup);
    let mut now = setup.initial.clone();
    for k in 1..=10 {
        let mut after = now.clone();
        after.size[1] = 1.0 + 0.02 * f64::from(k);
        run.step(&setup, &now, &after, 1e3);
        now = after;
    }
    let p = run.written(names::PRESSURE)[0];
    assert!((p / (1e5 * 0.70 / 0.69) - 1.0).abs() < 1e-6, "{p}");
}

/// One more body of the group of the lid.
fn second_lid(setup: &mut Setup, shape: Shape, at: Vec3) {
    let mut shapes = Shapes::clone(&setup.part::<Shapes>().unwrap());
    shapes.0.push(shape);
    setup.insert(shapes);
    let b = &mut setup.bodies;
    for column in [&mut b.mass, &mut b.volume, &mut b.surface] {
        let own = column[1];
        column.push(own);
    }
    let (inertia, group, material) = (b.inertia[1], b.group[1], b.material[1]);
    b.inertia.push(inertia);
    b.group.push(group);
    b.material.push(material);
    setup.initial.push_at_rest(at, Quat::identity());
}

/// Of two lids the one farther inward bounds the gas, also once it has overtaken the other: from 0.70 m to 0.50 m.
#[test]
fn the_lid_farthest_inward_bounds_the_gas() {
    let mut setup = vessel(Dimension::Spatial, 1, &slab(1), 0.75, &[]);
    second_lid(&mut setup, slab(1), Vec3::new(0.25, 0.9, 0.25));
    let mut run = Run::new(&text(Dimension::Spatial, 1, 10, AIR, "boundaries: (y_max: Piston(group: \"lid\"))"), &setup);
    let mut now = setup.initial.clone();
    for k in 1..=35 {
        let mut after = now.clone();
        after.position[2].y = 0.9 - 0.01 * f64::from(k);
        run.step(&setup, &now, &after, 1e3);
        now = after;
    }
    let p = run.written(names::PRESSURE)[0];
    assert!((p / (1e5 * 0.7 / 0.5) - 1.0).abs() < 1e-6, "{p}");
}

/// Two lids that close on the gas along two axes at once: it stays even, p = p₀ V₀/V, and none is lost.
#[test]
fn lids_along_two_axes_leave_the_gas_even() {
    let mut setup = vessel(Dimension::Spatial, 1, &slab(1), 1.05, &[]);
    let side = Shape::Box { half: Vec3::new(0.05, 0.5, 0.25) };
    second_lid(&mut setup, side, Vec3::new(0.55, 0.5, 0.25));
    let mut run = Run::new(&text(Dimension::Spatial, 1, 10, AIR, "scheme: Unsplit(theta: 1)"), &setup);
    let mut now = setup.initial.clone();
    for k in 1..=4 {
        let mut after = now.clone();
        after.position[1].y = 1.05 - 0.05 * f64::from(k);
        after.position[2].x = 0.55 - 0.025 * f64::from(k);
        let report = run.step(&setup, &now, &after, 1e3);
        assert!(report.balances[0].imbalance() < 1e-13, "{:e}", report.balances[0].imbalance());
        now = after;
    }
    for p in run.written(names::PRESSURE) {
        assert!((p / (1e5 / (0.8 * 0.8)) - 1.0).abs() < 1e-6, "{p}");
    }
    // Where nothing can flow the gas stays, and what the lids have not reached keeps its pressure though its cell shrinks along two axes at once.
    let tight = text(Dimension::Spatial, 1, 10, AIR, "scheme: Unsplit(theta: 1)").replace("Given(1e-6)", "Given(1e-25)");
    let mut run = Run::new(&tight, &setup);
    let mut after = setup.initial.clone();
    (after.position[1].y, after.position[2].x) = (1.0, 0.525);
    run.step(&setup, &setup.initial, &after, 1e-3);
    let p = run.written(names::PRESSURE)[0];
    assert!((p / 1e5 - 1.0).abs() < 1e-9, "{p}");
}

#[test]
fn what_a_moving_wall_cannot_do_is_refused_by_name() {
    let advance = |setup: &Setup, text: &str, change: &dyn Fn(&mut Kinematics)| {
        let mut module = build(text, setup).unwrap_or_else(|e| panic!("{e}"));
        let mut outputs = mpcd_core::Outputs::for_ports(module.name(), &module.ports());
        let cells = module.grid().unwrap().len();
        outputs.reset(&mpcd_core::field::SupportSizes { bodies: setup.bodies.len(), cells, ..Default::default() });
        let (network, none) = (mpcd_core::ContactNetwork::default(), mpcd_core::FieldStore::default());
        let mut after = setup.initial.clone();
        change(&mut after);
        let world = |kinematics| mpcd_core::World { kinematics, network: &network };
        let ports = module.ports();
        let fields = mpcd_core::FieldView::new("Darcy", &ports, &none);
        let inputs = mpcd_core::Inputs { setup, world: world(&after), world_before: world(&setup.initial), fields };
        let step = mpcd_core::Step { index: 0, time: 0.0, h: 0.1, theta: 0.5, whole: true, iteration: 0 };
        module.advance(&step, &inputs, &mut outputs).map(|_| ()).map_err(|e| e.to_string())
    };
    let plain = text(Dimension::Spatial, 1, 10, AIR, "");
    let flush = vessel(Dimension::Spatial, 1, &slab(1), 1.05, &[]);
    for (way, part) in [(-0.995, "body 1 (group \"lid\")"), (-0.6, "reduce the time step")] {
        let e = advance(&flush, &plain, &|k| k.position[1].y += way).unwrap_err();
        assert!(e.contains(part), "{e}");
    }
    let e = advance(&flush, &plain, &|k| k.orientation[1] = Quat::from_euler_angles(0.2, 0.0, 0.0)).unwrap_err();
    assert!(e.contains("has tilted"), "{e}");
    // a wall that is no end: inside the grid, or too narrow
    let inside = vessel(Dimension::Spatial, 1, &slab(1), 0.5, &[]);
    let narrow = vessel(Dimension::Spatial, 1, &Shape::Box { half: Vec3::new(0.1, 0.05, 0.25) }, 1.05, &[]);
    for mut setup in [inside, narrow] {
        setup.bodies.mass[1] = 0.0;
        assert_eq!(advance(&setup, &plain, &|_| ()), Ok(()));
        let e = advance(&setup, &plain, &|k| k.position[1].y -= 0.1).unwrap_err();
        assert!(e.contains("body 1 (group \"lid\") moves into the pore grid but is no end of it"), "{e}");
    }
    let ball = vessel(Dimension::Spatial, 1, &Shape::Ball { radius: 0.5 }, 1.5, &[]);
    for (setup, group, part) in [(&ball, "lid", "is a Sphere without a flat face"), (&flush, "lit", "unknown group `lit`")] {
        let named = text(Dimension::Spatial, 1, 10, AIR, &format!("boundaries: (y_max: Piston(group: \"{group}\"))"));
        let e = build(&named, setup).map(|_| ()).unwrap_err();
        assert!(e.message.contains(part), "{}", e.message);
    }
}

/// A pressure wave in an impermeable bed at rest while both ends of the grid move outwards by a tenth of its length; the largest error
/// in the inner part over the amplitude.
fn wave_left_behind(cells: usize) -> f64 {
    let g = grid([1.0, 0.1, 0.1], [cells, 1, 1], [false; 3]);
    let bed = lattice(&grid([1.0, 0.1, 0.1], [160, 1, 1], [false; 3]), 2, 0.5, Vec3::zeros());
    let wave = |x: f64| 1e5 + 1e2 * (std::f64::consts::TAU * x).sin();
    let mut pressure: Vec<f64> = (0..cells).map(|c| wave(g.centre(c).x)).collect();
    let mut stepper = Stepper::new(g.clone(), air(), walls(), Scheme::default());
    let steps = 2 * cells;
    let extent = |k: usize| [[-0.1 * k as f64 / steps as f64, 1.0 + 0.05 * k as f64 / steps as f64], [0.0, 0.1], [0.0, 0.1]];
    for k in 0..steps {
        let now = g.moving(&extent(k), &extent(k + 1));
        let medium = medium_of(&now, &bed, Permeability::Given(1e-30), stepper.open());
        stepper.set_grid(now);
        stepper.advance(0.0, 1e-3, &medium, &mut pressure, false).unwrap();
    }
    let end = g.moving(&extent(steps), &extent(steps));
    let inner = (0..cells).filter(|c| (0.25..0.75).contains(&end.centre(*c).x));
    inner.map(|c| (pressure[c] - wave(end.centre(c).x)).abs() / 1e2).fold(0.0, f64::max)
}

#[test]
fn cells_that_stretch_leave_the_pressure_of_the_bed_where_it_is() {
    let errors = [40, 80, 160].map(wave_left_behind);
    println!("wave left behind by moving cells: {errors:?}");
    // the limiter is of first order at the crests, of second elsewhere
    assert!(errors[2] < 5e-3 && errors[2] < 0.5 * errors[1] && errors[1] < 0.5 * errors[0], "{errors:?}");
}

/// A lid without a volume that ends the fluid is no body that the fluid does not see; the same lid in the middle of it is.
#[test]
fn a_thin_lid_that_is_a_piston_is_not_called_unseen() {
    let thin = Shape::Segment { half: Vec3::new(0.25, 0.0, 0.0), thickness_radius: 0.0 };
    for (lid_at, boundary, said) in [(1.0, r#"boundaries: (y_max: Piston(group: "lid"))"#, 0), (2.0, "", 1)] {
        let mut setup = vessel(Dimension::Planar, 1, &thin, lid_at, &[(Vec3::new(0.2, 0.3, 0.0), 0.1)]);
        setup.bodies.mass[1] = 1.0;
        let run = Run::new(&text(Dimension::Planar, 1, 4, AIR, boundary), &setup);
        let warnings = run.module.warnings();
        assert_eq!(warnings.iter().filter(|w| w.contains("hollow or open surfaces")).count(), said, "{warnings:?}");
    }
}
