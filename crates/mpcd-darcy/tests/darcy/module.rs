//! The module behind the contract: built from text, its books, its fields, its checkpoints, its messages.

use mpcd_core::{
    BodySet, Book, ContactNetwork, Dimension, FieldStore, FieldView, Fragment, GroupId, Inputs, Kinematics, MaterialId, Module,
    Outputs, PhysicsEntry, Quat, Setup, SolveReport, Step, Vec3, World,
    field::{SupportSizes, names},
};
use mpcd_darcy::Darcy;
use mpcd_geometry::{Shape, Shapes};

use crate::support::{Random, grid, lattice};

/// A model of spheres or discs at given places.
pub(crate) fn setup(dimension: Dimension, shape: Shape, places: &[Vec3], density: f64) -> Setup {
    let mut bodies = BodySet::default();
    let mut initial = Kinematics::default();
    for x in places {
        let m = shape.mass_properties(density, dimension);
        bodies.mass.push(m.mass);
        bodies.inertia.push(m.inertia);
        bodies.volume.push(m.volume);
        bodies.surface.push(m.surface);
        bodies.group.push(GroupId(0));
        bodies.material.push(MaterialId(0));
        initial.push_at_rest(*x, Quat::identity());
    }
    let mut setup = Setup::default();
    setup.dimension = dimension;
    setup.gravity = Vec3::new(0.0, -9.81, 0.0);
    setup.bodies = bodies;
    setup.initial = initial;
    setup.groups.intern("grains");
    setup.insert(Shapes(vec![shape; places.len()]));
    setup
}

pub(crate) fn build(text: &str, setup: &Setup) -> Result<Box<dyn Module>, mpcd_core::InputError> {
    (PhysicsEntry::of::<Darcy>().build)(&Fragment::whole(text), setup)
}

pub(crate) struct Run {
    pub(crate) module: Box<dyn Module>,
    pub(crate) outputs: Outputs,
    pub(crate) index: u64,
    /// What other modules write.
    pub(crate) fields: FieldStore,
}

impl Run {
    pub(crate) fn new(text: &str, setup: &Setup) -> Self {
        let module = build(text, setup).unwrap_or_else(|e| panic!("{e} {:?}", e.help));
        let outputs = Outputs::for_ports(module.name(), &module.ports());
        Self { module, outputs, index: 0, fields: FieldStore::default() }
    }

    /// One accepted step in which the bodies go from `before` to `after`.
    pub(crate) fn step(&mut self, setup: &Setup, before: &Kinematics, after: &Kinematics, h: f64) -> SolveReport {
        let network = ContactNetwork::default();
        let cells = self.module.grid().unwrap().len();
        self.outputs.reset(&SupportSizes { bodies: setup.bodies.len(), cells, ..Default::default() });
        let ports = self.module.ports();
        let inputs = Inputs {
            setup,
            world: World { kinematics: after, network: &network },
            world_before: World { kinematics: before, network: &network },
            fields: FieldView::new("Darcy", &ports, &self.fields),
        };
        let step = Step { index: self.index, time: self.index as f64 * h, h, theta: 0.5, whole: true, iteration: 0 };
        let report = self.module.advance(&step, &inputs, &mut self.outputs).unwrap();
        self.module.accept();
        self.index += 1;
        report
    }

    pub(crate) fn written(&self, name: &str) -> &[f64] {
        self.outputs.get(name).unwrap()
    }

    pub(crate) fn total_force(&self) -> Vec3 {
        self.written(names::FLUID_FORCE).chunks_exact(3).map(Vec3::from_column_slice).sum()
    }
}

/// One step in which nothing moves.
pub(crate) fn advance_once(
    module: &mut dyn Module,
    setup: &Setup,
    fields: &FieldStore,
) -> Result<SolveReport, mpcd_core::SolveError> {
    let (network, ports) = (ContactNetwork::default(), module.ports());
    let mut outputs = Outputs::for_ports(module.name(), &ports);
    let cells = module.grid().map_or(0, |g| g.cells.iter().product());
    outputs.reset(&SupportSizes { bodies: setup.bodies.len(), cells, ..Default::default() });
    let world = World { kinematics: &setup.initial, network: &network };
    let inputs = Inputs { setup, world, world_before: world, fields: FieldView::new("Darcy", &ports, fields) };
    module.advance(&Step { index: 0, time: 0.0, h: 1e-3, theta: 0.5, whole: true, iteration: 0 }, &inputs, &mut outputs)
}

const GLASS_IN_AIR: &str = r#"Darcy(
    grid: (from: (0, 0, 0), to: ("6 mm", "8 mm", "4 mm"), cells: (6, 8, 4)),
    fluid: Gas(viscosity: 1.8e-5, reference_pressure: 1e5, density: 1.2),
    smoothing: 0,
    boundaries: (y_min: Pressure(100100), y_max: Pressure(1e5)),
)"#;

fn spatial_bed() -> (Setup, Vec<Vec3>) {
    let g = grid([6e-3, 8e-3, 4e-3], [6, 8, 4], [false; 3]);
    let bed = lattice(&g, 2, 0.5, Vec3::zeros());
    let places: Vec<Vec3> = bed.iter().map(|b| b.position[0]).collect();
    (setup(Dimension::Spatial, Shape::Ball { radius: bed[0].radius }, &places, 2500.0), places)
}

/// Every grain moves a little, those at the walls stay inside.
fn shaken(kinematics: &Kinematics, random: &mut Random, by: f64) -> Kinematics {
    let mut out = kinematics.clone();
    for x in &mut out.position {
        *x += Vec3::from_fn(|_, _| random.between(-by, by));
        *x = x.sup(&Vec3::zeros()).inf(&Vec3::new(6e-3, 8e-3, 4e-3));
    }
    out.size.iter_mut().for_each(|s| *s *= 1.0 + 1e-4 * random.next());
    out
}

#[test]
fn the_force_on_a_bed_is_the_pressure_difference_less_buoyancy() {
    let (setup, _) = spatial_bed();
    let mut run = Run::new(GLASS_IN_AIR, &setup);
    for _ in 0..40 {
        run.step(&setup, &setup.initial, &setup.initial, 1e-3);
    }
    let volume: f64 = setup.bodies.volume.iter().sum();
    // the gas is as dense as its pressure makes it, 50 Pa above that of reference in the mean
    let want = 100.0 * 6e-3 * 4e-3 + 1.2 * (1.0 + 50.0 / 1e5) * volume * 9.81;
    let force = run.total_force();
    // rounding is that of the absolute pressure on the box
    let rounding = 1e-13 * 1e5 * 8e-3 * 4e-3;
    assert!((force.y / want - 1.0).abs() < 1e-10 && force.x.abs() + force.z.abs() < rounding, "{force:?} {want}");
    let porosity = run.written(names::POROSITY).to_vec();
    assert!(porosity.iter().all(|p| (p - 0.5).abs() < 1e-12));
    assert_eq!(run.written(names::PRESSURE).len(), 192);
}

#[test]
fn the_book_closes_and_a_checkpoint_gives_the_same_bits() {
    let (setup, _) = spatial_bed();
    let liquid = GLASS_IN_AIR.replace("Gas(viscosity: 1.8e-5, reference_pressure: 1e5, density: 1.2)", "Liquid()");
    let split = GLASS_IN_AIR.replace("smoothing: 0,", "smoothing: 0, scheme: Split(substeps: 2),");
    let sealed = GLASS_IN_AIR.replace("boundaries: (y_min: Pressure(100100), y_max: Pressure(1e5)),", "");
    for text in [GLASS_IN_AIR.to_owned(), liquid, split, sealed] {
        let (mut straight, mut resumed) = (Run::new(&text, &setup), Run::new(&text, &setup));
        let mut random = Random(1);
        let mut motion = vec![setup.initial.clone()];
        for k in 0..12 {
            motion.push(shaken(&motion[k], &mut random, 2e-5));
        }
        for k in 0..12 {
            let report = straight.step(&setup, &motion[k], &motion[k + 1], 1e-4);
            let book = &report.balances[0];
            assert_eq!((report.balances.len(), book.book), (1, Book::Fluid));
            assert!(book.imbalance() < 1e-13, "{text}: {:e}", book.imbalance());
            assert_eq!(report.status, mpcd_core::Status::Converged, "{report:?}");
            assert_eq!(report.numbers.iter().map(|n| n.0).collect::<Vec<_>>(), straight.module.numbers());
        }
        for k in 0..12 {
            if k == 6 {
                let saved = resumed.module.save().unwrap();
                resumed.module = build(&text, &setup).unwrap();
                resumed.module.load(&saved).unwrap();
            }
            resumed.module.drop_caches();
            resumed.step(&setup, &motion[k], &motion[k + 1], 1e-4);
        }
        assert_eq!(straight.module.save().unwrap(), resumed.module.save().unwrap());
        assert_eq!(straight.written(names::FLUID_FORCE), resumed.written(names::FLUID_FORCE));
    }
}

#[test]
fn the_source_form_says_its_drift_in_the_book() {
    let (setup, _) = spatial_bed();
    let text = GLASS_IN_AIR.replace("smoothing: 0,", "smoothing: 0, scheme: Split(form: Source),");
    let mut run = Run::new(&text, &setup);
    let moved = shaken(&setup.initial, &mut Random(1), 1e-4);
    let report = run.step(&setup, &setup.initial, &moved, 1e-4);
    assert!(report.balances[0].imbalance() > 1e-9, "{:e}", report.balances[0].imbalance());
}

#[test]
fn a_planar_layer_of_spheres_is_the_spatial_one() {
    // one layer of spheres, thickness one diameter: as a planar model and as a spatial grid with one cell across
    let radius = 5e-4;
    let places: Vec<Vec3> = (0..8)
        .flat_map(|j| (0..6).map(move |i| Vec3::new(f64::from(2 * i + 1) * radius, f64::from(2 * j + 1) * radius, 0.0)))
        .collect();
    let shape = Shape::Ball { radius };
    let planar = setup(Dimension::Planar, shape.clone(), &places, 2500.0);
    let spatial = setup(Dimension::Spatial, shape, &places, 2500.0);
    let rest = "fluid: Liquid(), smoothing: 2, boundaries: (y_max: Pressure(0)), initial: Uniform(50),";
    let mut a = Run::new(&format!("Darcy(grid: (from: (0, 0), to: (6e-3, 8e-3), cell: 1e-3), monolayer: true, {rest})"), &planar);
    let mut b = Run::new(&format!("Darcy(grid: (from: (0, 0, -5e-4), to: (6e-3, 8e-3, 5e-4), cell: 1e-3), {rest})"), &spatial);
    for _ in 0..5 {
        let report = a.step(&planar, &planar.initial, &planar.initial, 1e-7);
        b.step(&spatial, &spatial.initial, &spatial.initial, 1e-7);
        // φ_s = ⅔ π/4
        let solid = 1.0 - report.numbers[2].1;
        assert!((solid - std::f64::consts::PI / 6.0).abs() < 1e-12, "{solid}");
    }
    // the two thicknesses differ in their last digit
    for name in [names::PRESSURE, names::FLUID_FORCE] {
        let size = a.written(name).iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        for (p, q) in a.written(name).iter().zip(b.written(name)) {
            assert!((*p - *q).abs() < 1e-9 * size, "{name}: {p} {q}");
        }
    }
    assert_eq!(a.module.grid().unwrap().cells, [6, 8, 1]);
    assert!((a.module.grid().unwrap().spacing[2] - 1e-3).abs() < 1e-15);
}

#[test]
fn discs_of_a_monolayer_count_two_thirds() {
    let places: Vec<Vec3> =
        (0..8).flat_map(|j| (0..6).map(move |i| Vec3::new(f64::from(i) + 0.5, f64::from(j) + 0.5, 0.0))).collect();
    let planar = setup(Dimension::Planar, Shape::Disc { radius: 0.5, thickness: 0.3 }, &places, 2500.0);
    let grid = "grid: (from: (0, 0), to: (6, 8), cell: 1), fluid: Liquid(), smoothing: 0,";
    for (extra, factor) in [("monolayer: true", 2.0 / 3.0), ("permeability: Given(\"1e-9 m^2\")", 1.0)] {
        let mut run = Run::new(&format!("Darcy({grid} {extra})"), &planar);
        let report = run.step(&planar, &planar.initial, &planar.initial, 1e-3);
        let solid = 1.0 - report.numbers[2].1;
        assert!((solid - factor * std::f64::consts::PI / 4.0).abs() < 1e-12, "{extra}: {solid}");
        assert!((run.module.grid().unwrap().spacing[2] - 0.3).abs() < 1e-15);
        assert_eq!(run.module.warnings().len(), usize::from(factor < 1.0));
        // buoyancy of what the fluid sees
        let want = 1000.0 * 9.81 * 48.0 * factor * std::f64::consts::PI / 4.0 * 0.3;
        assert!((run.total_force().y / want - 1.0).abs() < 1e-12);
    }
}

/// A grain larger than a cell, whose centre is inside, reaches out of the grid with a part: the words say so and not that it starts outside.
#[test]
fn a_grain_that_reaches_out_is_not_called_outside() {
    let s = setup(Dimension::Spatial, Shape::Ball { radius: 0.3 }, &[Vec3::new(0.1, 0.5, 0.5)], 1.0);
    let run = Run::new(
        "Darcy(smoothing: 0, grid: (from: (0, 0, 0), to: (1, 1, 1), cell: 0.1), fluid: Gas(), permeability: Given(\"1e-9 m^2\"))",
        &s,
    );
    let said = run.module.warnings();
    let words = "1 of 1 grains reach out of the pore grid at the start; the part outside feels no fluid until it enters";
    assert!(said.iter().any(|w| w == words) && !said.iter().any(|w| w.contains("start outside")), "{said:?}");
}

/// One that is small beside its kernel counts whole.
#[test]
fn a_small_grain_across_the_rim_is_told() {
    for (x, told) in [(0.05, true), (0.1, false)] {
        let s = setup(Dimension::Spatial, Shape::Ball { radius: 0.1 }, &[Vec3::new(x, 0.5, 0.5)], 1.0);
        let run = Run::new("Darcy(grid: (from: (0, 0, 0), to: (1, 1, 1), cell: 0.25), fluid: Gas())", &s);
        let said = run.module.warnings();
        assert_eq!(said.iter().any(|w| w.contains("with all of their volume")), told, "{said:?}");
    }
}

#[test]
fn grains_outside_feel_nothing_and_are_said() {
    let places = [Vec3::new(0.5, 0.5, 0.5), Vec3::new(0.5, 1.5, 0.5)];
    let s = setup(Dimension::Spatial, Shape::Ball { radius: 0.1 }, &places, 1.0);
    let mut run = Run::new("Darcy(grid: (from: (0, 0, 0), to: (1, 1, 1), cell: 0.25), fluid: Liquid())", &s);
    assert_eq!(run.module.warnings(), ["1 of 2 grains start outside the pore grid and feel no fluid until they enter it"]);
    run.step(&s, &s.initial, &s.initial, 1e-3);
    let force = run.written(names::FLUID_FORCE).to_vec();
    assert!(force[1] > 0.0 && force[3..] == [0.0; 3]);
    let mut left = s.initial.clone();
    left.position[0].y = -0.1;
    let report = run.step(&s, &s.initial, &left, 1e-3);
    assert!(report.warnings.is_empty() && run.total_force().y > 0.0);
    let report = run.step(&s, &left, &left, 1e-3);
    assert!(report.balances[0].imbalance() < 1e-13 && run.total_force() == Vec3::zeros());
    assert_eq!(report.warnings.len(), 1);
    assert!(report.warnings[0].starts_with("grains passed the closed face `y_min`"), "{}", report.warnings[0]);
    assert!(report.balances[0].imbalance() < 1e-13);
}

#[test]
fn the_permeability_of_a_bed_can_be_read_from_what_goes_through_its_ends() {
    let (setup, _) = spatial_bed();
    let liquid = GLASS_IN_AIR.replace("Gas(viscosity: 1.8e-5, reference_pressure: 1e5, density: 1.2)", "Liquid()");
    for (text, kappa) in [(liquid.clone(), None), (liquid.replace("smoothing: 0,", "permeability: Given(3e-10),"), Some(3e-10))] {
        let text = text.replace("Pressure(100100)", "Pressure(100)").replace("Pressure(1e5)", "Pressure(0)");
        let mut run = Run::new(&text, &setup);
        let mut report = run.step(&setup, &setup.initial, &setup.initial, 1.0);
        for _ in 0..20 {
            report = run.step(&setup, &setup.initial, &setup.initial, 1.0);
        }
        let number = |name: &str| report.numbers.iter().find(|n| n.0 == name).unwrap().1;
        let (inside, out) = (number("inflow_y_min"), number("inflow_y_max"));
        assert!((inside + out).abs() < 1e-9 * inside && number("fluid_inflow").abs() < 1e-9 * inside, "{inside} {out}");
        assert!(report.numbers.iter().all(|n| !n.0.starts_with("inflow_x")));
        // q = κ/η Δp/L A, with the Carman–Kozeny permeability of grains of the lattice at 0.5
        let radius = (0.75 / std::f64::consts::PI * setup.bodies.volume[0]).cbrt();
        let kappa = kappa.unwrap_or(radius * radius / 45.0 * 0.5);
        let want = kappa / 1e-3 * 100.0 / 8e-3 * 6e-3 * 4e-3;
        assert!((inside / want - 1.0).abs() < 1e-9, "{inside} {want}");
    }
}

#[test]
fn a_grid_finer_than_the_grains_is_said_with_the_ratio() {
    let s = setup(Dimension::Spatial, Shape::Ball { radius: 0.1 }, &[Vec3::repeat(0.5)], 1.0);
    for (to, cell, said) in [(1.0, 0.2, None), (0.9625, 0.1925, None), (0.9, 0.18, Some("1.11")), (1.0, 0.1, Some("2.00"))] {
        let run = Run::new(&format!("Darcy(grid: (from: (0, 0, 0), to: ({to}, {to}, {to}), cell: {cell}), fluid: Liquid())"), &s);
        let warnings = run.module.warnings();
        assert_eq!(warnings.len(), usize::from(said.is_some()), "{warnings:?}");
        assert!(said.is_none_or(|r| warnings[0].contains(&format!("a mean diameter is {r} cells"))), "{warnings:?}");
    }
}

#[test]
fn wrong_parameters_say_what_to_do() {
    let ball = Shape::Ball { radius: 0.1 };
    let places = [Vec3::new(0.5, 0.5, 0.0)];
    let (planar, spatial) = (setup(Dimension::Planar, ball.clone(), &places, 1.0), setup(Dimension::Spatial, ball, &places, 1.0));
    let mut repeating = setup(Dimension::Spatial, Shape::Ball { radius: 0.1 }, &places, 1.0);
    repeating.periods[0] = Some(2.0);
    let base = "grid: (from: (0, 0, 0), to: (1, 1, 1), cell: 0.25), fluid: Gas()";
    for (model, text, part) in [
        (
            &planar,
            "Darcy(grid: (from: (0, 0), to: (1, 1), cell: 0.1), fluid: Gas())".to_owned(),
            "Carman–Kozeny needs the solid fraction of spheres",
        ),
        (&spatial, format!("Darcy({base}, monolayer: true)"), "`monolayer` belongs to planar models"),
        (&spatial, format!("Darcy({base}, thickness: 1)"), "`thickness` belongs to planar models"),
        (&spatial, format!("Darcy({base}, boundaries: (x_min: Periodic))"), "`x_min` is Periodic but `x_max` is not"),
        (&repeating, format!("Darcy({base}, boundaries: (x_min: Periodic, x_max: Periodic))"), "the model after 2 m"),
        (&spatial, format!("Darcy({base}, boundaries: (x_min: Periodic, x_max: Periodic))"), "the model does not repeat along x"),
        (&spatial, format!("Darcy({base}, porosity: (min: 0.9, max: 0.3))"), "expected 0 < min < max < 1"),
        (
            &spatial,
            format!("Darcy({base}, initial: Uniform(-5))"),
            "the initial pressure is -5 Pa, expected an absolute pressure above zero",
        ),
        (&spatial, format!("Darcy({base}, initial: Table(axis: x, points: [(1, 1e5), (0, 1e5)]))"), "rising places"),
        (&spatial, format!("Darcy({base}, grains: [\"sand\"])"), "unknown group `sand`"),
        (
            &spatial,
            format!("Darcy({base}, heat: (specific_heat: 200))"),
            "is no gas's whose pressure over density and temperature",
        ),
        (&spatial, format!("Darcy({base}, scheme: Unsplit(substeps: 0))"), "`substeps` is 0, expected at least 1"),
        (&spatial, format!("Darcy({base}, scheme: Unsplit(theta: 0.2))"), "between 0.5 and 1"),
        (&spatial, format!("Darcy({base}, fluids: 3)"), "fluids"),
        (&spatial, "Darcy(grid: (from: (0, 0, 0), to: (1, 1, 1)), fluid: Gas())".to_owned(), "either `cell`"),
        (
            &spatial,
            "Darcy(grid: (from: (0, 0, 0), to: (1, 1, 1), cells: (3, 4)), fluid: Gas())".to_owned(),
            "expected 3 numbers of at least 1",
        ),
        (&spatial, "Darcy(grid: (from: (0, 0, 0), to: (1, -1, 1), cell: 0.1), fluid: Gas())".to_owned(), "from 0 to -1 along y"),
        (&spatial, "Darcy(grid: (from: (0, 0, 0), to: (1, 1, 1), cell: 1e-9), fluid: Gas())".to_owned(), "the limit is"),
        (
            &spatial,
            "Darcy(grid: (from: (0, 0, 0), to: (1, 2, 1), cell: 5), fluid: Gas())".to_owned(),
            "a cell of 5 m is longer than the grid, which is 2 m along its longest side",
        ),
        (
            &planar,
            "Darcy(grid: (from: (0, 0), to: (1, 1), cell: 0.1), fluid: Gas(), monolayer: true, boundaries: (z_min: Pressure(1)))"
                .to_owned(),
            "a planar model has no z faces",
        ),
        (&spatial, format!("Darcy({})", base.replace("Gas()", "Gas(viscosity: \"1 kg\")")), "expected a quantity in Pa s"),
    ] {
        let Err(e) = build(&text, model) else { panic!("accepted: {text}") };
        assert!(e.message.contains(part), "{text}: {}", e.message);
    }
}

#[test]
fn impossible_steps_are_refused_with_their_place() {
    let s = setup(Dimension::Spatial, Shape::Ball { radius: 0.1 }, &[Vec3::repeat(0.5)], 1.0);
    let grid = "grid: (from: (0, 0, 0), to: (1, 1, 1), cell: 0.25), fluid: Gas()";
    let network = ContactNetwork::default();
    let advance = |text: &str, after: &Kinematics| {
        let mut module = build(text, &s).unwrap();
        let mut outputs = Outputs::for_ports(module.name(), &module.ports());
        outputs.reset(&SupportSizes { bodies: 1, cells: 64, ..Default::default() });
        let world = |kinematics| World { kinematics, network: &network };
        let none = FieldStore::default();
        let ports = module.ports();
        let fields = FieldView::new("Darcy", &ports, &none);
        let inputs = Inputs { setup: &s, world: world(after), world_before: world(&s.initial), fields };
        module
            .advance(&Step { index: 0, time: 2.0, h: 0.1, theta: 0.5, whole: true, iteration: 0 }, &inputs, &mut outputs)
            .unwrap_err()
            .to_string()
    };
    let text = advance(&format!("Darcy({grid}, boundaries: (x_min: Pressure(\"100000 - 100000*t\")))"), &s.initial);
    assert!(
        text.contains("module `Darcy`") && text.contains("the boundary `x_min` gives -") && text.contains("above zero"),
        "{text}"
    );
    let mut lost = s.initial.clone();
    lost.position[0].x = f64::NAN;
    let text = advance(&format!("Darcy({grid})"), &lost);
    assert!(text.contains("the position of body 0 (group \"grains\") is not a finite number"), "{text}");
}
