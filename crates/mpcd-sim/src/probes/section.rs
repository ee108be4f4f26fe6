//! Probes as the model file writes them.

use mpcd_core::{
    Vec3,
    quantity::{Length, Vector},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model::Word;

/// A column of the history: a field, a motion or a granular measure reduced to one number per step.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProbeSection {
    /// Name of the column.
    pub name: Word,
    /// A field; `position`, `velocity`, `angular_velocity`, `size` or `contact_pressure` of bodies; `force` (on the candidate), `normal_force` or
    /// `tangential_force` of the contacts that carry one, 0 where there is none; or a
    /// measure of a group or region: `stress`, `fabric`, `coordination`, `coordination_without_rattlers`, `rattlers`,
    /// `solid_fraction`, `inertial_number`, `centre_of_mass`, `extent`, `resultant`; or of the nodes of deformable bodies `displacement`, `reaction`,
    /// `contact_force`, `mesh_contact_pressure`, `mesh_stress`, `mesh_strain`, `von_mises`, `plastic_strain`, and with a part `position` and `velocity`.
    pub of: Word,
    /// Of `joint_force`, `joint_moment` (on the first body), `joint_work`, `joint_angle`, `joint_torque`, `joint_travel`, `joint_thrust` and
    /// `joint_drive`: the name of the joint.
    pub joint: Option<Word>,
    /// Only bodies of this group, or contacts that one of its bodies is part of; default all. Of nodes also a part of its meshes, as
    /// `"group.part"`.
    pub group: Option<Word>,
    /// Only what is in this box; default everywhere. For bodies their centre counts, for contacts their point, for nodes their place.
    pub region: Option<RegionSection>,
    /// Which number of a vector or tensor; default its length. A tensor needs one.
    #[serde(default)]
    pub component: Component,
    /// How the rows become one number; default their mean, of `reaction` and `contact_force` their sum.
    pub reduce: Option<Reduce>,
}

/// A box along the axes. In a planar model z is left out.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RegionSection {
    /// Lower corner.
    pub from: Vector<Length>,
    /// Upper corner.
    pub to: Vector<Length>,
}

/// How often a value occurs: one row with every frame, in a file of its own.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DistributionSection {
    /// Name of the file, without `.csv`.
    pub name: Word,
    /// `normal_force`, `tangential_force` or `force` of the contacts that push, or `speed` of bodies.
    pub of: Word,
    /// Only bodies of this group, or contacts that one of its bodies is part of; default all.
    pub group: Option<Word>,
    /// Only what is in this box; default everywhere.
    pub region: Option<RegionSection>,
    /// Number of bins; default 50.
    pub bins: Option<u32>,
    /// Upper end of the bins over the mean value; larger values go into the last column; default 5.
    pub up_to: Option<f64>,
}

/// A number of a vector or tensor.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Component {
    /// First.
    X,
    /// Second.
    Y,
    /// Third.
    Z,
    /// Length of the vector; of a scalar the scalar itself.
    #[default]
    Norm,
    /// Of a tensor: row x, column x.
    XX,
    /// Of a tensor: row x, column y.
    XY,
    /// Of a tensor: row x, column z.
    XZ,
    /// Of a tensor: row y, column x.
    YX,
    /// Of a tensor: row y, column y.
    YY,
    /// Of a tensor: row y, column z.
    YZ,
    /// Of a tensor: row z, column x.
    ZX,
    /// Of a tensor: row z, column y.
    ZY,
    /// Of a tensor: row z, column z.
    ZZ,
    /// Of a tensor: its trace over the number of dimensions (of a stress the pressure).
    Mean,
    /// Of a tensor: (largest − least principal value)/2 in a planar model, √(3 J₂) in space.
    Deviator,
}

impl Component {
    /// Row and column of a tensor.
    pub(super) const fn entry(self) -> Option<(usize, usize)> {
        Some(match self {
            Self::XX => (0, 0),
            Self::XY => (0, 1),
            Self::XZ => (0, 2),
            Self::YX => (1, 0),
            Self::YY => (1, 1),
            Self::YZ => (1, 2),
            Self::ZX => (2, 0),
            Self::ZY => (2, 1),
            Self::ZZ => (2, 2),
            _ => return None,
        })
    }

    pub(super) const fn is_of_tensor(self) -> bool {
        self.entry().is_some() || matches!(self, Self::Mean | Self::Deviator)
    }

    /// A number of a vector.
    pub(super) fn of_vector(self, v: &Vec3) -> f64 {
        match self {
            Self::X => v.x,
            Self::Y => v.y,
            Self::Z => v.z,
            _ => v.norm(),
        }
    }
}

/// From rows to one number.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Reduce {
    /// Mean of the rows.
    #[default]
    Mean,
    /// Sum of the rows; a vector is summed before its component is taken.
    Sum,
    /// Least.
    Min,
    /// Greatest.
    Max,
}
