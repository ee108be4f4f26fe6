//! The perturbed runs of the test-kit, on a right module and on one that cheats.

use crate::fakes::{MODEL, build, parse, registry};
use mpcd_core::{InputError, Inputs, Outputs, Physics, Port, Setup, SolveError, SolveReport, Step};
use mpcd_sim::{Simulation, testkit::same_bits};

#[test]
fn the_same_bits_however_the_run_is_disturbed() {
    let physics = "physics=[Mover(reach: 1.02), Spring(stiffness: 1e5, implicit: true), Counter()]";
    same_bits(&|| build(&[physics]), 20).unwrap();
    same_bits(&|| build(&[physics, "time.on_failure=Halve(2)", "physics[0].longest=0.006"]), 20).unwrap();
}

/// Keeps a count in `self` that goes into its field: a cheat that every perturbed run must find.
struct Cheat(f64);

impl Physics for Cheat {
    const NAME: &'static str = "Cheat";
    type Params = crate::fakes::CounterParams;
    type State = ();
    fn build(_: Self::Params, _: &Setup) -> Result<Self, InputError> {
        Ok(Self(0.0))
    }
    fn initial_state(&self, _: &Setup) {}
    fn ports(&self) -> Vec<Port> {
        vec![crate::fakes::HEIGHT.into()]
    }
    fn advance(
        &mut self,
        _: &Step,
        (): &(),
        (): &mut (),
        _: &Inputs<'_>,
        outputs: &mut Outputs,
    ) -> Result<SolveReport, SolveError> {
        self.0 += 1.0;
        outputs.write(crate::fakes::HEIGHT)?.fill(self.0);
        Ok(SolveReport::direct())
    }
}

#[test]
fn a_module_with_hidden_state_is_found() {
    let model = parse(MODEL, &["physics=[Mover(), Cheat()]"]).unwrap();
    let error = same_bits(&|| Simulation::build(&model, &registry().with::<Cheat>()), 4).unwrap_err().to_string();
    assert_eq!(
        error,
        "after step 1 the run `each step rejected once` differs from the plain run, first in the field `height`; a module keeps something outside its \
         state or adds in an order that depends on threads"
    );
}
