//! Joints as a model file writes them, and their build from the initial configuration.

use mpcd_core::{
    BodyId, Dimension, Fragment, InputError, Quantity, Quat, Setup, Vec3,
    column::kept,
    quantity::{Damping, Force, Length, NonNegative, Positive, Stiffness, Vector},
    setup,
};
use schemars::{JsonSchema, Schema};
use serde::Deserialize;

use super::{
    Joint, Kind,
    axis::Axis,
    guide_params::{HingeParams, PinParams, SliderParams},
};
use crate::loads::Loads;

/// The bodies keep their relative place and orientation: they move as one.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct WeldParams {
    /// The point whose force is reported and judged. Default: midway between the centres.
    #[serde(default)]
    at: Option<Vector<Length>>,
    /// Force above which the joint breaks for good. Default: never.
    #[serde(default)]
    break_force: Option<Quantity<Force, Positive>>,
}

/// The distance of two points stays: `Rod` in both senses, `Wire` from above alone (it only pulls).
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RodParams {
    /// The point of the first body at the start. Default: its centre.
    #[serde(default)]
    from: Option<Vector<Length>>,
    /// The point of the second body, or of the ground. Default: the second body's centre.
    #[serde(default)]
    to: Option<Vector<Length>>,
    /// Length. Default: the distance at the start.
    #[serde(default)]
    length: Option<Quantity<Length, Positive>>,
    /// Force above which the joint breaks for good. Default: never.
    #[serde(default)]
    break_force: Option<Quantity<Force, Positive>>,
}

/// A spring and a dashpot between two points, implicit.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SpringParams {
    /// The point of the first body at the start. Default: its centre.
    #[serde(default)]
    from: Option<Vector<Length>>,
    /// The point of the second body, or of the ground. Default: the second body's centre.
    #[serde(default)]
    to: Option<Vector<Length>>,
    /// Length without force. Default: the distance at the start.
    #[serde(default)]
    length: Option<Quantity<Length, NonNegative>>,
    /// Stiffness k.
    stiffness: Quantity<Stiffness, NonNegative>,
    /// Viscous coefficient c. Default none.
    #[serde(default)]
    damping: Option<Quantity<Damping, NonNegative>>,
    /// Force above which the joint breaks for good. Default: never.
    #[serde(default)]
    break_force: Option<Quantity<Force, Positive>>,
}

const KINDS: [&str; 7] = ["Pin", "Hinge", "Slider", "Weld", "Rod", "Wire", "Spring"];

/// Name and parameter schema of every kind of joint.
#[must_use]
pub fn joint_schemas() -> Vec<(&'static str, Schema)> {
    vec![
        ("Pin", schemars::schema_for!(PinParams)),
        ("Hinge", schemars::schema_for!(HingeParams)),
        ("Slider", schemars::schema_for!(SliderParams)),
        ("Weld", schemars::schema_for!(WeldParams)),
        ("Rod", schemars::schema_for!(RodParams)),
        ("Wire", schemars::schema_for!(RodParams)),
        ("Spring", schemars::schema_for!(SpringParams)),
    ]
}

/// All joints of a set-up.
pub(crate) fn build(setup: &Setup, loads: &Loads) -> Result<Vec<Joint>, InputError> {
    setup.joints.iter().map(|j| Builder { setup, joint: j }.build(loads).map_err(|e| e.within(&j.kind))).collect()
}

pub(super) struct Builder<'a> {
    pub(super) setup: &'a Setup,
    pub(super) joint: &'a setup::Joint,
}

impl Builder<'_> {
    fn build(&self, loads: &Loads) -> Result<Joint, InputError> {
        let (c, a) = self.joint.bodies;
        if !loads.responds(c) && !a.is_some_and(|a| loads.responds(a)) {
            return Err(
                InputError::new("no force can move either end of this joint").help("remove it, or free one of its bodies")
            );
        }
        let kind: &Fragment = &self.joint.kind;
        match kind.name() {
            "Pin" => self.pin(kind.parse_body()?),
            "Hinge" => self.hinge(kind.parse_body()?),
            "Slider" => self.slider(kind.parse_body()?),
            "Weld" => {
                let p: WeldParams = kind.parse_body()?;
                let at = self.point(p.at, "at")?.unwrap_or_else(|| self.middle());
                Ok(self.joined(at, at, Kind::Weld { relative: self.relative() }, p.break_force))
            }
            name @ ("Rod" | "Wire") => {
                let p: RodParams = kind.parse_body()?;
                let (from, to) = self.ends(p.from, p.to)?;
                let length = self.length(p.length.map(|l| l.si()), &from, &to)?;
                if name == "Wire" && (from - to).norm() > length * (1.0 + 1e-9) {
                    return Err(InputError::new(format!(
                        "the wire's ends are {} m apart and it is {length} m long; expected a length of at least their distance",
                        (from - to).norm()
                    ))
                    .help("make it longer, or move the bodies together")
                    .at("length"));
                }
                let kind = if name == "Rod" { Kind::Rod { length } } else { Kind::Wire { length } };
                Ok(self.joined(from, to, kind, p.break_force))
            }
            "Spring" => {
                let p: SpringParams = kind.parse_body()?;
                let (from, to) = self.ends(p.from, p.to)?;
                let length = p.length.map_or_else(|| (from - to).norm(), |l| l.si());
                let (stiffness, damping) = (p.stiffness.si(), p.damping.map_or(0.0, |c| c.si()));
                if stiffness == 0.0 && damping == 0.0 {
                    return Err(InputError::new(
                        "a spring without stiffness and damping does nothing; expected one of them above zero",
                    )
                    .at("stiffness"));
                }
                Ok(self.joined(from, to, Kind::Spring { length, stiffness, damping }, p.break_force))
            }
            other => Err(InputError::unknown("joint", other, KINDS.into_iter())),
        }
    }

    pub(super) fn point(&self, point: Option<Vector<Length>>, key: &str) -> Result<Option<Vec3>, InputError> {
        match point.map(|p| p.si()) {
            Some(p) if self.setup.dimension == Dimension::Planar && p.z != 0.0 => {
                Err(InputError::new(format!("`{key}` leaves the xy plane of this planar model")).help("write (x, y)").at(key))
            }
            point => Ok(point),
        }
    }

    /// Orientation of the first body in the axes of the second, at the start.
    pub(super) fn relative(&self) -> Quat {
        let turned = |b: BodyId| self.setup.initial.orientation[b.index()];
        let (c, a) = self.joint.bodies;
        a.map_or_else(|| turned(c), |a| turned(a).inverse() * turned(c))
    }

    fn centre(&self, body: BodyId) -> Vec3 {
        self.setup.initial.position[body.index()]
    }

    pub(super) fn middle(&self) -> Vec3 {
        let (c, a) = self.joint.bodies;
        a.map_or_else(|| self.centre(c), |a| (self.centre(c) + self.centre(a)) * 0.5)
    }

    fn ends(&self, from: Option<Vector<Length>>, to: Option<Vector<Length>>) -> Result<(Vec3, Vec3), InputError> {
        let (c, a) = self.joint.bodies;
        let from = self.point(from, "from")?.unwrap_or_else(|| self.centre(c));
        let to = match (self.point(to, "to")?, a) {
            (Some(to), _) => to,
            (None, Some(a)) => self.centre(a),
            (None, None) => {
                return Err(InputError::new("a joint to the ground needs `to`, the point of the ground it ends at")
                    .help("add `to: (x, y, z)`"));
            }
        };
        Ok((from, to))
    }

    fn length(&self, given: Option<f64>, from: &Vec3, to: &Vec3) -> Result<f64, InputError> {
        let distance = (from - to).norm();
        if distance == 0.0 {
            return Err(InputError::new("the two ends of this joint are at one point, so it has no direction")
                .help("use `Pin` to hold two points together, or move one end")
                .at("to"));
        }
        Ok(given.unwrap_or(distance))
    }

    /// Anchors in body axes at reference size; those of the ground in world axes.
    fn joined(&self, from: Vec3, to: Vec3, kind: Kind, break_force: Option<Quantity<Force, Positive>>) -> Joint {
        self.guided(from, to, kind, Axis::default(), break_force)
    }

    /// The same with what acts along the axis of a hinge or a slider.
    pub(super) fn guided(
        &self,
        from: Vec3,
        to: Vec3,
        kind: Kind,
        axis: Axis,
        break_force: Option<Quantity<Force, Positive>>,
    ) -> Joint {
        let name = |what: &str| self.joint.name.as_ref().map(|name| kept(format!("{name}_{what}")));
        let components = ["force_x", "force_y", "force_z", "moment_x", "moment_y", "moment_z"];
        let components = components.into_iter().filter_map(name).collect();
        let columns = Joint::column_names(&kind, &axis).into_iter().filter_map(name).collect();
        let (c, a) = self.joint.bodies;
        let initial = &self.setup.initial;
        let local = |b: BodyId, p: Vec3| {
            let i = b.index();
            initial.orientation[i].inverse_transform_vector(&(p - initial.position[i])) / initial.size[i]
        };
        Joint {
            candidate: c,
            antagonist: a,
            anchors: [local(c, from), a.map_or(to, |a| local(a, to))],
            kind,
            axis,
            break_force: break_force.map(|f| f.si()),
            planar: self.setup.dimension == Dimension::Planar,
            columns,
            components,
        }
    }
}
