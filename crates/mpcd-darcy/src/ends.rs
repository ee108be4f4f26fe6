//! The ends of the grid: what holds at each of its six faces, in time.

use mpcd_core::TimeFunction;

use crate::{error::DarcyError, fluid::Fluid, pass::End};

/// Keys of the six faces, low and high per axis.
pub const FACE_KEYS: [[&str; 2]; 3] = [["x_min", "x_max"], ["y_min", "y_max"], ["z_min", "z_max"]];

/// Names of what comes in through each of them, in the history.
pub const INFLOW_KEYS: [[&str; 2]; 3] =
    [["inflow_x_min", "inflow_x_max"], ["inflow_y_min", "inflow_y_max"], ["inflow_z_min", "inflow_z_max"]];

/// What holds at an end of the grid.
#[derive(Debug, Clone)]
pub enum EndLaw {
    /// Closed to the fluid.
    Wall,
    /// Joined to the opposite end.
    Periodic,
    /// Held pressure (Pa).
    Pressure(TimeFunction),
    /// Closed to the fluid, and goes with a body.
    Piston {
        /// Group of the body.
        group: String,
        /// Pressure behind it (Pa), if it is said.
        outside: Option<f64>,
    },
    /// Fluid that enters, volume at reference density per area and time [m/s].
    Flux(TimeFunction),
}

impl EndLaw {
    /// Whether grains that move against it push fluid out and moving away draw it in.
    #[must_use]
    pub const fn open(&self) -> bool {
        matches!(self, Self::Pressure(_))
    }

    /// Whether fluid can come in or go out.
    #[must_use]
    pub const fn passes(&self) -> bool {
        matches!(self, Self::Pressure(_) | Self::Flux(_))
    }

    /// What holds during the time `span` (s) on faces of `area` (m²); `key` names the end.
    ///
    /// # Errors
    /// A value that is not finite or that the fluid cannot have.
    pub fn during(&self, key: &'static str, span: [f64; 2], area: f64, fluid: &Fluid) -> Result<End, DarcyError> {
        let pressure_in = if fluid.is_gas() { "an absolute pressure above zero" } else { "a finite pressure" };
        let checked = |f: &TimeFunction, time: f64, good: &dyn Fn(f64) -> bool, expected| {
            let value = f.at(time);
            if good(value) { Ok(value) } else { Err(DarcyError::Boundary { face: key, value, time, expected }) }
        };
        Ok(match self {
            Self::Wall | Self::Piston { .. } | Self::Periodic => End::Closed,
            Self::Pressure(f) => {
                let at = |time| checked(f, time, &|p| fluid.allows(p), pressure_in);
                End::Pressure([at(span[0])?, at(span[1])?])
            }
            Self::Flux(f) => {
                let middle = 0.5 * (span[0] + span[1]);
                let speed = checked(f, middle, &f64::is_finite, "a finite speed")?;
                End::Inflow(speed * area * (span[1] - span[0]))
            }
        })
    }
}
