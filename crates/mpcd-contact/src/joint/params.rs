//! Joints as a model file writes them, and their build from the initial configuration.

use mpcd_core::{
    Fragment, InputError, Quantity, Setup,
    quantity::{Damping, Force, Length, NonNegative, Positive, Stiffness, Vector},
};
use schemars::{JsonSchema, Schema};
use serde::Deserialize;

use super::{
    Joint, Kind,
    builder::{Builder, End},
    guide_params::{HingeParams, PinParams, SliderParams},
};
use crate::{deformable::Deformables, loads::Loads};

/// The bodies keep their relative place and orientation: they move as one. Of a mesh a side, "group.side": each of its nodes stays where it is on the rigid
/// body, or in space.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct WeldParams {
    /// The point whose force is reported and judged. Default: midway between the centres. Not of a side of a mesh, whose whole force is judged.
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
    /// The point of the first body at the start; of a mesh the nearest one of its surface. Default: its centre, of a mesh none.
    #[serde(default)]
    from: Option<Vector<Length>>,
    /// The point of the second body, or of the ground; of a mesh as `from`. Default: the second body's centre.
    #[serde(default)]
    to: Option<Vector<Length>>,
    /// Length. Default: the distance at the start. A rod's is that distance to a thousandth, a wire's no less.
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
    /// The point of the first body at the start; of a mesh the nearest one of its surface. Default: its centre, of a mesh none.
    #[serde(default)]
    from: Option<Vector<Length>>,
    /// The point of the second body, or of the ground; of a mesh as `from`. Default: the second body's centre.
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

/// Part of its length by which a rod may differ from the distance of its ends at the start: numbers are written with few digits.
const SETTLES: f64 = 1e-3;

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

/// All joints of a set-up, those of a weld of a side one for each node, and what they end on of its meshes.
pub(crate) fn build(setup: &Setup, loads: &Loads, meshes: &mut Deformables) -> Result<Vec<Vec<Joint>>, InputError> {
    let one = |joint| build_one(&mut Builder { setup, joint, meshes: &mut *meshes }, loads).map_err(|e| e.within(&joint.kind));
    setup.joints.iter().map(one).collect()
}

/// One joint of the model.
fn build_one(builder: &mut Builder<'_>, loads: &Loads) -> Result<Vec<Joint>, InputError> {
    builder.refuse_on_mesh()?;
    if builder.joint.kind.name() == "Weld" && builder.on_mesh() {
        let p: WeldParams = builder.joint.kind.parse_body()?;
        let at = builder.point(p.at, "at")?;
        return builder.weld_side(at, p.break_force);
    }
    let joint = build_kind(builder)?;
    // The force of a spring asks nothing of its ends, and it may be there to conduct.
    let conducts = !builder.joint.conducts.is_empty() && matches!(joint.kind, Kind::Spring { .. });
    if !conducts && !builder.gives_way(joint.marks, |body| loads.responds(body)) {
        let error = InputError::new("no force can move either end of this joint");
        return Err(error.help(
            "remove it, or free one of its bodies; to let current or heat pass between the two, write a `Spring` that `conducts`",
        ));
    }
    Ok(vec![joint])
}

fn build_kind(builder: &mut Builder<'_>) -> Result<Joint, InputError> {
    let kind: &Fragment = &builder.joint.kind;
    match kind.name() {
        "Pin" => builder.pin(kind.parse_body()?),
        "Hinge" => builder.hinge(kind.parse_body()?),
        "Slider" => builder.slider(kind.parse_body()?),
        "Weld" => {
            let p: WeldParams = kind.parse_body()?;
            let at = builder.point(p.at, "at")?.unwrap_or_else(|| builder.middle());
            let end = End { place: at, mark: None };
            Ok(builder.joined([end; 2], Kind::Weld { relative: builder.relative() }, p.break_force))
        }
        name @ ("Rod" | "Wire") => {
            let p: RodParams = kind.parse_body()?;
            let ends = builder.ends(p.from, p.to)?;
            let [from, to] = ends.map(|end| end.place);
            let length = builder.length(p.length.map(|l| l.si()), &from, &to)?;
            let apart = (from - to).norm();
            if name == "Rod" && (apart - length).abs() > SETTLES * length {
                return Err(InputError::new(format!(
                    "the rod's ends are {apart} m apart and it is {length} m long, so that its bodies would jump in the first step"
                ))
                .help("leave `length` out, which makes it as long as its ends are apart, or move the bodies; a `Spring` with a `length` draws them together")
                .at("length"));
            }
            if name == "Wire" && (from - to).norm() > length * (1.0 + 1e-9) {
                return Err(InputError::new(format!(
                    "the wire's ends are {} m apart and it is {length} m long; expected a length of at least their distance",
                    (from - to).norm()
                ))
                .help("make it longer, or move the bodies together")
                .at("length"));
            }
            let kind = if name == "Rod" { Kind::Rod { length } } else { Kind::Wire { length } };
            Ok(builder.joined(ends, kind, p.break_force))
        }
        "Spring" => {
            let p: SpringParams = kind.parse_body()?;
            let ends = builder.ends(p.from, p.to)?;
            let length = p.length.map_or_else(|| (ends[0].place - ends[1].place).norm(), |l| l.si());
            let (stiffness, damping) = (p.stiffness.si(), p.damping.map_or(0.0, |c| c.si()));
            if stiffness == 0.0 && damping == 0.0 {
                return Err(InputError::new(
                    "a spring without stiffness and damping does nothing; expected one of them above zero",
                )
                .at("stiffness"));
            }
            if length > 0.0 && (ends[0].place - ends[1].place).norm() <= 1e-9 * length {
                return Err(InputError::new(format!(
                    "the spring is {length} m long and both its ends are in one point, so that it has no direction to push in"
                ))
                .help("move an end, or write `length: 0`")
                .at("length"));
            }
            Ok(builder.joined(ends, Kind::Spring { length, stiffness, damping }, p.break_force))
        }
        other => Err(InputError::unknown("joint", other, KINDS.into_iter())),
    }
}
