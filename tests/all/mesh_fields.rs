//! Fields on nodes and elements of meshes by a module of a user's own: they drive the mechanics, stand in frames and probes, and survive a resume.

use mpcd::{meshes::BodyMeshes, prelude::*};
use mpcd_output::{DataSet, Values};
use mpcd_sim::{Model, ModelErrors, Simulation, testkit::same_bits};

use crate::granular::{column, steps};

/// Wood that swells: a moisture of each node, rising with time by `rate` times its x, makes a free strain as large.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, crate = "mpcd::prelude::serde")]
#[schemars(crate = "mpcd::prelude::schemars")]
struct MoistureParams {
    rate: f64,
}

struct Moisture {
    rate: f64,
    places: Vec<f64>,
    middles: Vec<f64>,
}

const STRAIN: WritePort<Scalar, PerNode> = WritePort::new(names::FREE_STRAIN, Unit::ONE);
const MOISTURE: WritePort<Scalar, PerNode> = WritePort::new("moisture", Unit::ONE);
const SPEED: WritePort<Scalar, PerElement> = WritePort::new("wetting", Unit::RATE);

impl Physics for Moisture {
    const NAME: &'static str = "Moisture";
    type Params = MoistureParams;
    /// How long it has rained (s).
    type State = f64;

    fn build(p: MoistureParams, setup: &Setup) -> Result<Self, InputError> {
        let meshes = BodyMeshes::new(setup)?;
        let (mut places, mut middles) = (Vec::new(), Vec::new());
        for mesh in meshes.iter() {
            let (cells, at) = (mesh.heat.mesh(), setup.initial.position[mesh.body].x);
            places.extend(cells.nodes().iter().map(|x| x.x + at));
            // Its numbers of nodes begin after those of the bodies.
            let middle = |e: usize| mesh.mean_of_element(e, |node| places[node - setup.bodies.len()]);
            middles.extend((0..cells.elements()).map(middle));
        }
        Ok(Self { rate: p.rate, places, middles })
    }

    fn initial_state(&self, _: &Setup) -> f64 {
        0.0
    }

    fn ports(&self) -> Vec<Port> {
        vec![STRAIN.into(), MOISTURE.into(), SPEED.into()]
    }

    fn advance(
        &mut self,
        step: &Step,
        _: &f64,
        next: &mut f64,
        _: &Inputs<'_>,
        outputs: &mut Outputs,
    ) -> Result<SolveReport, SolveError> {
        *next = step.end();
        for port in [STRAIN, MOISTURE] {
            outputs.write(port)?.iter_mut().zip(&self.places).for_each(|(w, x)| *w = self.rate * x * *next);
        }
        outputs.write(SPEED)?.iter_mut().zip(&self.middles).for_each(|(w, x)| *w = self.rate * x);
        Ok(SolveReport::direct())
    }
}

/// A free strain s = a x is compatible: a bar of 1 m that can grow has u = (½ a (x² − y²), a x y) without stress. The mechanics take what a module before them
/// writes in the step.
#[test]
fn a_module_of_ones_own_writes_nodes_and_elements() {
    let text = r#"(dimension: 2, time: (step: 0.1, end: 1, theta: 1),
  materials: {"wood": (density: 500, elastic: (young: 1e6, poisson: 0.3))},
  bodies: [(group: "bar", material: "wood", shape: Mesh(of: Rectangle(size: (1, 0.1), cells: (8, 2), element: Q8), plane: PlaneStress))],
  loads: [(on: "bar.bottom", load: Locked(axes: [Y])), (on: "bar.origin", load: Locked(axes: [X]))],
  physics: [Moisture(rate: 1e-3), Contact(deformable: (scheme: Static))],
  output: (probes: [(name: "wet", of: "moisture", group: "bar", reduce: Max), (name: "fast", of: "wetting", group: "bar", reduce: Max),
    (name: "long", of: "displacement", component: X, group: "bar", reduce: Max), (name: "stress", of: "von_mises", group: "bar", reduce: Max)]))"#;
    let build = || -> Result<Simulation, ModelErrors> {
        let model = Model::parse_with(text, "m", "m.ron", std::path::Path::new("."), &[], &mpcd::shapes())?;
        Simulation::build(&model, &Registry::standard().with::<Moisture>())
    };
    let mut run = build().unwrap();
    let last = steps(&mut run, 10);
    let is = |name: &str| column(&run, &last, name).unwrap();
    assert!(
        (is("wet") / 1e-3 - 1.0).abs() < 1e-12 && (is("fast") / (1e-3 * 0.9375) - 1.0).abs() < 1e-12,
        "{} {}",
        is("wet"),
        is("fast")
    );
    let long = 0.5 * 1e-3;
    assert!((is("long") / long - 1.0).abs() < 1e-9 && is("stress") < 1e-9 * 1e6 * 1e-3, "{} m, {} Pa", is("long"), is("stress"));
    let parts = run.frame();
    let part = parts.iter().find(|p| p.name == "meshes").unwrap();
    let DataSet::Mesh(mesh) = &part.data else { panic!("no mesh") };
    let Some(Values::F64(nodes)) = mesh.point_arrays.iter().find(|a| a.name == "moisture").map(|a| &a.values) else {
        panic!("no moisture")
    };
    let Some(Values::F64(cells)) = mesh.cell_arrays.iter().find(|a| a.name == "wetting").map(|a| &a.values) else {
        panic!("no wetting")
    };
    assert!(
        nodes.len() == 69 && cells.len() == 16 && nodes.iter().any(|w| *w > 9e-4),
        "{} nodes, {} cells",
        nodes.len(),
        cells.len()
    );
    same_bits(&build, 10).unwrap_or_else(|e| panic!("{e}"));
}
