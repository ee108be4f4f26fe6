//! Heat of the pore fluid in whole models: with the module that holds the temperatures of the grains, and what is said where the two do not go together.

use std::path::Path;

use mpcd::{Registry, StandardRegistry};
use mpcd_core::Book;
use mpcd_sim::{Model, Simulation};

use crate::granular::{build, column, steps};

/// A hot bead in a sealed cube of water; `modules` are the fluid and the heat in some order.
fn bead(modules: &str, coupling: &str) -> String {
    format!(
        r#"(dimension: 3, gravity: (0, 0, 0), time: (step: "10 ms", end: 10),
  materials: {{"glass": (density: 2500, thermal: (conductivity: 1, specific_heat: 800))}},
  bodies: [(group: "bead", material: "glass", shape: Sphere(radius: "4 mm"), at: (0.005, 0.005, 0.005))],
  interactions: [(between: ("bead", "bead"), law: Coulomb(friction: 0.3))],
  {coupling} physics: [Contact(), {modules}])"#
    )
}

const FLUID: &str = r#"Darcy(grid: (from: (0, 0, 0), to: ("10 mm", "10 mm", "10 mm"), cells: (1, 1, 1)), fluid: Liquid(), permeability: Given(1e-9),
  smoothing: 0, heat: (temperature: 300, exchange: Given("500 W/(m^2 K)")))"#;
const HEAT: &str = "Thermal(law: Insulating, temperature: 400, pore_fluid: true, coupling: (dilatation: false))";

#[test]
fn a_bead_and_its_water_come_to_one_temperature() {
    let volume = 4.0 / 3.0 * std::f64::consts::PI * 4e-3_f64.powi(3);
    let (solid, water) = (2500.0 * 800.0 * volume, 4.182e6 * (1e-6 - volume));
    let rate = 500.0 * 4.0 * std::f64::consts::PI * 16e-6 * (1.0 / solid + 1.0 / water);
    let mixture = (400.0 * solid + 300.0 * water) / (solid + water);
    for coupling in ["", "coupling: Staggered,"] {
        let mut run = build(&bead(&format!("{FLUID}, {HEAT}"), coupling), &[]);
        for (count, step) in [(1, 1), (99, 100), (900, 1000)] {
            let outcome = steps(&mut run, count);
            let [bead, fluid] = ["temperature_mean", "fluid_temperature_max"].map(|name| column(&run, &outcome, name).unwrap());
            let want = 100.0 * (1.0 + 0.01 * rate).powi(-step);
            assert!((bead - fluid - want).abs() < 1e-9, "{coupling} step {step}: {bead} and {fluid}, {want} apart");
            let kept = (bead * solid + fluid * water) / (solid + water);
            assert!((kept / mixture - 1.0).abs() < 1e-13, "{kept} {mixture}");
        }
        let book = run.books().account(Book::Heat).unwrap();
        assert!(book.worst < 1e-13, "{:e}", book.worst);
        let [to, from] = ["pore fluid", "pore fluid to grains"].map(|name| book.flow(name).unwrap().x);
        assert!((to + from).abs() < 1e-13 * to.abs() && to < 0.0, "{to} {from}");
    }
}

#[test]
fn what_does_not_go_together_is_named() {
    let told = |text: &str| {
        let model = Model::parse_with(text, "model", "model.ron", Path::new("."), &[], &mpcd::shapes()).unwrap();
        match Simulation::build(&model, &Registry::standard()) {
            Err(e) => e.to_string(),
            Ok(mut run) => (0..3).find_map(|_| run.step().err()).map(|e| e.to_string()).unwrap_or_default(),
        }
    };
    let order = told(&bead(&format!("{HEAT}, {FLUID}"), ""));
    assert!(order.contains("put `Darcy` before `Thermal`"), "{order}");
    let both = format!("{FLUID}, {HEAT}");
    let still = told(&bead(&both, "").replace(&format!("Contact(), {FLUID}"), &format!("{FLUID}, Contact()")));
    assert!(
        still.contains("`Darcy` stands before `Contact`, which moves the bodies: its grid would see nothing move"),
        "{still}"
    );
    let alone = told(&bead(FLUID, ""));
    assert!(alone.contains("`heat_capacity`") && alone.contains("`pore_fluid: true` in `Thermal`"), "{alone}");
    let no_fluid = told(&bead(HEAT, ""));
    assert!(no_fluid.contains("`fluid_heat`") && no_fluid.contains("Darcy(heat: (…), …)"), "{no_fluid}");
    for key in ["time_scale: 1000", "every: 4"] {
        let time = told(&bead(&format!("{FLUID}, {}", HEAT.replace("pore_fluid", &format!("{key}, pore_fluid"))), ""));
        assert!(time.contains("heat another time"), "{time}");
    }
    let repeated = told(&bead(&format!("{FLUID}, {HEAT}"), "coupling: Iterated(tolerance: 1e-9),"));
    assert!(repeated.contains("`Thermal` is repeated together with `Darcy`"), "{repeated}");
    assert_eq!(told(&bead(&format!("{FLUID}, {HEAT}"), "")), "");
}
