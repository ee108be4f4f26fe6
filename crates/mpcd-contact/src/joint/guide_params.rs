//! Hinges, pins and sliders as a model file writes them, with limits, springs and drives along their axes.

use mpcd_core::{
    Dimension, InputError, Quantity, TimeFunction, Vec3,
    quantity::{
        Angle, AngularDamping, AngularStiffness, Damping, Force, Length, NonNegative, Number, Positive, Stiffness, Torque, Vector,
    },
};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    Joint, Kind,
    axis::{Axis, Drive, Spring, Target},
    builder::Builder,
    guide::across,
};

/// A spring and a dashpot that turn with a hinge: moment −k(θ − rest) − c dθ/dt on the first body.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct TorsionParams {
    /// Stiffness k.
    #[serde(default)]
    stiffness: Option<Quantity<AngularStiffness, NonNegative>>,
    /// Viscous coefficient c. Default none.
    #[serde(default)]
    damping: Option<Quantity<AngularDamping, NonNegative>>,
    /// Angle without moment. Default 0.
    #[serde(default)]
    rest: Option<Quantity<Angle>>,
}

/// A spring and a dashpot along a slider: force −k(s − rest) − c ds/dt on the first body.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct AlongParams {
    /// Stiffness k.
    #[serde(default)]
    stiffness: Option<Quantity<Stiffness, NonNegative>>,
    /// Viscous coefficient c. Default none.
    #[serde(default)]
    damping: Option<Quantity<Damping, NonNegative>>,
    /// Travel without force. Default 0.
    #[serde(default)]
    rest: Option<Quantity<Length>>,
}

/// A motor about a hinge: it keeps its speed while that takes no more than its moment, else it gives its moment.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct MotorParams {
    /// Angular speed of the first body relative to the second [rad/s], in time.
    speed: TimeFunction,
    /// The largest moment it can give.
    torque: Option<Quantity<Torque, Positive>>,
}

/// A motor along a slider: it keeps its speed while that takes no more than its force, else it gives its force.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ThrusterParams {
    /// Speed of the first body relative to the second [m/s], in time.
    speed: TimeFunction,
    /// The largest force it can give.
    force: Option<Quantity<Force, Positive>>,
}

/// A point of both bodies stays common: 2 (plane) or 3 rows; the bodies turn freely about it. In the plane it is a hinge about z and
/// takes what a hinge takes.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PinParams {
    /// The point at the start. Default: midway between the centres, or the centre of a body joined to the ground. On a mesh the point of its
    /// surface nearest to it; none where a side is named.
    #[serde(default)]
    at: Option<Vector<Length>>,
    /// What the angle at the start counts as. Default 0.
    #[serde(default)]
    start: Option<Quantity<Angle>>,
    /// Lowest and highest angle. Default: none.
    #[serde(default)]
    limits: Option<(Quantity<Angle>, Quantity<Angle>)>,
    /// A torsion spring. Default: none.
    #[serde(default)]
    spring: Option<TorsionParams>,
    /// A motor of limited moment. Default: none.
    #[serde(default)]
    motor: Option<MotorParams>,
    /// The angular speed in time [rad/s], whatever it takes. Default: free.
    #[serde(default)]
    speed: Option<TimeFunction>,
    /// The angle in time [rad], whatever it takes. Default: free.
    #[serde(default)]
    angle: Option<TimeFunction>,
    /// Force above which the joint breaks for good. Default: never.
    #[serde(default)]
    break_force: Option<Quantity<Force, Positive>>,
}

/// A point and, in space, an axis of both bodies stay common: the bodies turn about it alone. The angle is that of the first body
/// relative to the second, positive about the axis, and counts whole turns.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct HingeParams {
    /// The point at the start. Default: midway between the centres, or the centre of a body joined to the ground.
    #[serde(default)]
    at: Option<Vector<Length>>,
    /// Direction of the axis at the start; of a planar model always z.
    #[serde(default)]
    axis: Option<Vector<Number>>,
    /// What the angle at the start counts as. Default 0.
    #[serde(default)]
    start: Option<Quantity<Angle>>,
    /// Lowest and highest angle. Default: none.
    #[serde(default)]
    limits: Option<(Quantity<Angle>, Quantity<Angle>)>,
    /// A torsion spring. Default: none.
    #[serde(default)]
    spring: Option<TorsionParams>,
    /// A motor of limited moment. Default: none.
    #[serde(default)]
    motor: Option<MotorParams>,
    /// The angular speed in time [rad/s], whatever it takes. Default: free.
    #[serde(default)]
    speed: Option<TimeFunction>,
    /// The angle in time [rad], whatever it takes. Default: free.
    #[serde(default)]
    angle: Option<TimeFunction>,
    /// Force above which the joint breaks for good. Default: never.
    #[serde(default)]
    break_force: Option<Quantity<Force, Positive>>,
}

/// The bodies keep their relative orientation and move along an axis of the second body (or the ground) alone. The travel is that of the
/// first body along it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SliderParams {
    /// The point of the first body that stays on the axis, at the start. Default: midway between the centres, or the centre of a body
    /// joined to the ground.
    #[serde(default)]
    at: Option<Vector<Length>>,
    /// Direction of the axis at the start.
    axis: Option<Vector<Number>>,
    /// What the travel at the start counts as. Default 0.
    #[serde(default)]
    start: Option<Quantity<Length>>,
    /// Lowest and highest travel. Default: none.
    #[serde(default)]
    limits: Option<(Quantity<Length>, Quantity<Length>)>,
    /// A spring along the axis. Default: none.
    #[serde(default)]
    spring: Option<AlongParams>,
    /// A motor of limited force. Default: none.
    #[serde(default)]
    motor: Option<ThrusterParams>,
    /// The speed in time [m/s], whatever it takes. Default: free.
    #[serde(default)]
    speed: Option<TimeFunction>,
    /// The travel in time [m], whatever it takes. Default: free.
    #[serde(default)]
    travel: Option<TimeFunction>,
    /// Force above which the joint breaks for good. Default: never.
    #[serde(default)]
    break_force: Option<Quantity<Force, Positive>>,
}

/// What is written along an axis, in SI, whichever it is.
#[derive(Default)]
struct Written {
    start: f64,
    limits: Option<[f64; 2]>,
    /// Stiffness, damping, rest.
    spring: Option<[f64; 3]>,
    /// Speed and the most it gives.
    motor: Option<(TimeFunction, Option<f64>)>,
    speed: Option<TimeFunction>,
    place: Option<TimeFunction>,
    words: Words,
}

/// How messages call what is along an axis.
#[derive(Default)]
struct Words {
    place: &'static str,
    most: &'static str,
    unit: &'static str,
}

const ANGLE: Words = Words { place: "angle", most: "torque", unit: "rad" };
const TRAVEL: Words = Words { place: "travel", most: "force", unit: "m" };

impl Written {
    fn axis(self) -> Result<Axis, InputError> {
        let Words { place, most, unit } = self.words;
        if let Some([low, high]) = self.limits {
            if low >= high {
                return Err(InputError::new(format!(
                    "`limits` are the lowest and the highest {place}, but {low} {unit} is not below {high} {unit}"
                ))
                .help("write (lowest, highest)")
                .at("limits"));
            }
            if self.start < low || self.start > high {
                return Err(InputError::new(format!(
                    "the joint starts at the {place} {} {unit}, outside its limits {low} {unit} to {high} {unit}",
                    self.start
                ))
                .help(format!("the {place} at the start is 0, or what `start` says"))
                .at("limits"));
            }
        }
        let spring = self.spring.map(|[stiffness, damping, rest]| {
            if stiffness == 0.0 && damping == 0.0 {
                return Err(InputError::new(
                    "a spring without stiffness and damping does nothing; expected one of them above zero",
                )
                .at("spring"));
            }
            Ok(Spring { stiffness, damping, rest })
        });
        let drives = usize::from(self.motor.is_some()) + usize::from(self.speed.is_some()) + usize::from(self.place.is_some());
        if drives > 1 {
            return Err(InputError::new(format!("this joint is driven twice; expected one of `motor`, `speed` and `{place}`"))
                .help("keep one of them")
                .at(if self.motor.is_some() { "motor" } else { place }));
        }
        if self.limits.is_some() && (self.speed.is_some() || self.place.is_some()) {
            return Err(InputError::new(format!("what prescribes the {place} gives way to no limit"))
                .help(format!("remove `limits`, or write `motor: (speed: …, {most}: …)`, which stops at them"))
                .at("limits"));
        }
        let drive = match (self.motor, self.speed, self.place) {
            (Some((_, None)), ..) => {
                return Err(InputError::new(format!("the motor has no `{most}`, the most it can give"))
                    .help(format!(
                        "add `{most}: …`, or write `speed: …` in place of `motor` for a speed that is kept whatever it takes"
                    ))
                    .at("motor"));
            }
            (Some((speed, most)), ..) => Some(Drive { target: Target::Rate(speed), most }),
            (_, Some(speed), _) => Some(Drive { target: Target::Rate(speed), most: None }),
            (.., Some(f)) => {
                let first = f.at(0.0);
                if (first - self.start).abs() > 1e-9 * (1.0 + self.start.abs()) || first.is_nan() {
                    return Err(InputError::new(format!(
                        "`{place}` begins with {first} {unit}, but the joint starts at {} {unit}",
                        self.start
                    ))
                    .help(format!("write `start: {first}`, or another function"))
                    .at(place));
                }
                Some(Drive { target: Target::Place(f), most: None })
            }
            _ => None,
        };
        Ok(Axis { start: self.start, limits: self.limits, spring: spring.transpose()?, drive })
    }
}

impl Builder<'_> {
    pub(super) fn pin(&mut self, p: PinParams) -> Result<Joint, InputError> {
        let PinParams { at, start, limits, spring, motor, speed, angle, break_force } = p;
        let on_mesh = self.on_mesh();
        if !on_mesh && self.setup.dimension == Dimension::Planar {
            return self.hinge(HingeParams { at, axis: None, start, limits, spring, motor, speed, angle, break_force });
        }
        let written = [
            ("start", start.is_some()),
            ("limits", limits.is_some()),
            ("spring", spring.is_some()),
            ("motor", motor.is_some()),
            ("speed", speed.is_some()),
            ("angle", angle.is_some()),
        ];
        if let Some((key, _)) = written.iter().find(|(_, is)| *is) {
            if on_mesh {
                return Err(InputError::new(format!("a pin on a mesh has no angle, so `{key}` has no meaning"))
                    .help(format!("remove `{key}`: nodes have no turning"))
                    .at(*key));
            }
            return Err(InputError::new(format!("a pin in space turns about every axis, so `{key}` has no angle"))
                .help("write `Hinge(axis: (x, y, z), …)`")
                .at(*key));
        }
        if on_mesh {
            let ends = self.common_ends(at)?;
            return Ok(self.joined(ends, Kind::Pin, break_force));
        }
        let at = self.point(at, "at")?.unwrap_or_else(|| self.middle());
        Ok(self.guided(at, at, Kind::Pin, Axis::default(), break_force))
    }

    pub(super) fn hinge(&self, p: HingeParams) -> Result<Joint, InputError> {
        let axis = match (self.setup.dimension, p.axis) {
            (Dimension::Planar, None) => Vec3::z(),
            (Dimension::Planar, Some(_)) => {
                return Err(InputError::new("a hinge of a planar model turns about z").help("remove `axis`").at("axis"));
            }
            (Dimension::Spatial, given) => self.direction(given, "hinge")?,
        };
        let spring = p
            .spring
            .map(|s| [s.stiffness.map_or(0.0, |k| k.si()), s.damping.map_or(0.0, |c| c.si()), s.rest.map_or(0.0, |r| r.si())]);
        let written = Written {
            start: p.start.map_or(0.0, |s| s.si()),
            limits: p.limits.map(|(low, high)| [low.si(), high.si()]),
            spring,
            motor: p.motor.map(|m| (m.speed, m.torque.map(|t| t.si()))),
            speed: p.speed,
            place: p.angle,
            words: ANGLE,
        };
        let law = written.axis()?;
        let at = self.point(p.at, "at")?.unwrap_or_else(|| self.middle());
        let [first, _] = across(&axis, false);
        let kind = Kind::Hinge { axis: self.in_both(&axis), across: self.in_both(&first) };
        Ok(self.guided(at, at, kind, law, p.break_force))
    }

    pub(super) fn slider(&self, p: SliderParams) -> Result<Joint, InputError> {
        let axis = self.direction(p.axis, "slider")?;
        if self.setup.dimension == Dimension::Planar && axis.z != 0.0 {
            return Err(InputError::new("`axis` leaves the xy plane of this planar model").help("write (x, y)").at("axis"));
        }
        let spring = p
            .spring
            .map(|s| [s.stiffness.map_or(0.0, |k| k.si()), s.damping.map_or(0.0, |c| c.si()), s.rest.map_or(0.0, |r| r.si())]);
        let written = Written {
            start: p.start.map_or(0.0, |s| s.si()),
            limits: p.limits.map(|(low, high)| [low.si(), high.si()]),
            spring,
            motor: p.motor.map(|m| (m.speed, m.force.map(|f| f.si()))),
            speed: p.speed,
            place: p.travel,
            words: TRAVEL,
        };
        let law = written.axis()?;
        let at = self.point(p.at, "at")?.unwrap_or_else(|| self.middle());
        let [_, local] = self.in_both(&axis);
        let kind = Kind::Slider { axis: local, relative: self.relative() };
        Ok(self.guided(at, at, kind, law, p.break_force))
    }

    fn direction(&self, given: Option<Vector<Number>>, what: &str) -> Result<Vec3, InputError> {
        let Some(axis) = given.map(|a| a.si()) else {
            return Err(InputError::new(format!("a {what} needs `axis`, the direction that stays free"))
                .help("add `axis: (x, y, z)`, or (x, y) in a planar model"));
        };
        axis.try_normalize(0.0).ok_or_else(|| {
            InputError::new("`axis` has length zero, so it has no direction").help("write for example (0, 0, 1)").at("axis")
        })
    }

    /// A direction at the start, in the axes of the candidate and of the antagonist.
    fn in_both(&self, direction: &Vec3) -> [Vec3; 2] {
        let (c, a) = self.joint.bodies;
        let turned = |b: mpcd_core::BodyId| self.setup.initial.orientation[b.index()].inverse_transform_vector(direction);
        [turned(c), a.map_or(*direction, turned)]
    }
}
