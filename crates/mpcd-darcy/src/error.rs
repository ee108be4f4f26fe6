//! What can make a step impossible.

use mpcd_core::{PortMisuse, SolveError};
use mpcd_sparse::SparseError;

/// A step that cannot be computed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum DarcyError {
    /// A pressure that the fluid cannot have.
    #[error(
        "the pore pressure at ({:.4}, {:.4}, {:.4}) m became {value} Pa, expected {expected}; reduce the time step, or check the pressures of the boundaries and the speed of the grains",
        place[0], place[1], place[2]
    )]
    Pressure {
        /// Centre of the cell (m).
        place: [f64; 3],
        /// Its pressure (Pa).
        value: f64,
        /// What the fluid can have.
        expected: &'static str,
    },
    /// A boundary value that the fluid cannot have.
    #[error("the boundary `{face}` gives {value} at t = {time} s, expected {expected}; check its function of time")]
    Boundary {
        /// Key of the face.
        face: &'static str,
        /// What its function gave.
        value: f64,
        /// Time (s).
        time: f64,
        /// What is allowed.
        expected: &'static str,
    },
    /// A grain that is nowhere.
    #[error(
        "the {what} of {body} is not a finite number; the motion has diverged: reduce the time step or look for bodies that overlap at the start"
    )]
    Motion {
        /// Name of the body.
        body: String,
        /// Position or size.
        what: &'static str,
    },
    /// The state has another number of cells or grains than the model.
    #[error("the state has {found} {what}, the model {expected}; it belongs to another model: start again without --resume")]
    State {
        /// Cells or grains.
        what: &'static str,
        /// How many the state has.
        found: usize,
        /// How many the model has.
        expected: usize,
    },
    /// A gas of variable temperature in the source's form.
    #[error(
        "`form: Source` is the equation of a gas at one temperature, but a module computes temperatures; leave `form` out of `scheme`"
    )]
    WarmSource,
    /// A cell that is emptied.
    #[error(
        "more fluid leaves the cell at ({:.4}, {:.4}, {:.4}) m within the step than it holds, so that there is no telling how warm it is; reduce the time step",
        place[0], place[1], place[2]
    )]
    Drained {
        /// Centre of the cell (m).
        place: [f64; 3],
    },
    /// A temperature that the fluid cannot have.
    #[error(
        "the pore fluid at ({:.4}, {:.4}, {:.4}) m became {value} K, expected a finite number above zero; reduce the time step, leave `theta` of `heat` at 1, or check the temperatures and pressures of the ends",
        place[0], place[1], place[2]
    )]
    Cold {
        /// Centre of the cell (m).
        place: [f64; 3],
        /// Its temperature (K).
        value: f64,
    },
    /// A repetition in which the grains have moved on in temperature.
    #[error(
        "`Thermal` is repeated together with `Darcy`, whose `heat` lets the grains answer within the step already; name the modules that are to be repeated without it, as `coupling: Iterated(modules: [\"Contact\", \"Darcy\"])`, or leave `coupling` out"
    )]
    Repeated,
    /// Two ends of the pore grid that have met.
    #[error(
        "only {length:.3e} m of pore fluid is left along {axis} between {} and {}, less than a hundredth of the grid; stop them earlier, or end the run before the fluid is shut in",
        bodies[0], bodies[1]
    )]
    Closed {
        /// The bodies at the two ends.
        bodies: [String; 2],
        /// The axis.
        axis: &'static str,
        /// What is left (m).
        length: f64,
    },
    /// An end that moves too far at once.
    #[error(
        "the pore fluid is {} m long along {axis} at the start of the step and {} m at its end, expected a change of less than a half; reduce the time step",
        lengths[0], lengths[1]
    )]
    FastPiston {
        /// The axis.
        axis: &'static str,
        /// Lengths before and after (m).
        lengths: [f64; 2],
    },
    /// An end whose body has tilted.
    #[error(
        "{body}, with which the end `{face}` of the pore grid goes, has tilted by more than 0.1 rad; hold its rotation, or end the grid elsewhere"
    )]
    Tilt {
        /// Name of the body.
        body: String,
        /// Key of the end.
        face: &'static str,
    },
    /// A piston that has left the end that it closed.
    #[error(
        "{body}, with which the end `{face}` of the pore grid goes, has moved aside by more than a tenth of the grid, so that it does not close it any more; hold it along the end, make it wider, or end the grid elsewhere"
    )]
    Beside {
        /// Name of the body.
        body: String,
        /// Key of the end.
        face: &'static str,
    },
    /// A wall that moves through the fluid.
    #[error(
        "{body} moves into the pore grid but is no end of it, so the fluid would not feel it; let it lie in a `Wall` end of the grid at the start and span it, name it there as `Piston(group: …)`, or give it a mass and count its group among `grains`"
    )]
    Bystander {
        /// Name of the body.
        body: String,
    },
    /// The linear system could not be solved.
    #[error("the equations of the pore pressure cannot be solved: {0}")]
    Linear(#[from] SparseError),
    /// A field that was not declared.
    #[error(transparent)]
    Port(#[from] PortMisuse),
}

impl DarcyError {
    /// As the error of the module, which says whether a shorter step could avoid it: a body that is where it may not be comes there in shorter steps too, and what the model or the
    /// state lacks is lacking in all of them.
    pub(crate) fn of(self, module: &'static str) -> SolveError {
        let at_any_step = matches!(
            self,
            Self::State { .. } | Self::WarmSource | Self::Repeated | Self::Beside { .. } | Self::Bystander { .. } | Self::Port(_)
        );
        if at_any_step { SolveError::at_any_step(module, self) } else { SolveError::new(module, self) }
    }
}
