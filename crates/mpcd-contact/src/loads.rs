//! Loads and imposed motions of the model file: which axes of which bodies are free, held or driven, and which forces act.

use std::collections::BTreeSet;

use mpcd_core::{BodyId, Dimension, Fragment, InputError, Setup, TimeFunction, Vec3};
use mpcd_geometry::{Shape, Shapes};
use schemars::{JsonSchema, Schema};
use serde::Deserialize;

/// A body moves only as these functions of time say, along the axes given; the others stay free.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct VelocityParams {
    /// Velocity along x [m/s].
    x: Option<TimeFunction>,
    /// Velocity along y [m/s].
    y: Option<TimeFunction>,
    /// Velocity along z [m/s].
    z: Option<TimeFunction>,
    /// Angular velocity about x [rad/s].
    spin_x: Option<TimeFunction>,
    /// Angular velocity about y [rad/s].
    spin_y: Option<TimeFunction>,
    /// Angular velocity about z [rad/s].
    spin_z: Option<TimeFunction>,
}

/// A force and moment on each body of the group, in world axes, at the centre of mass.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ForceParams {
    /// Force along x (N).
    x: Option<TimeFunction>,
    /// Force along y (N).
    y: Option<TimeFunction>,
    /// Force along z (N).
    z: Option<TimeFunction>,
    /// Moment about x [N m].
    torque_x: Option<TimeFunction>,
    /// Moment about y [N m].
    torque_y: Option<TimeFunction>,
    /// Moment about z [N m].
    torque_z: Option<TimeFunction>,
}

impl VelocityParams {
    /// x, y, z, about x, y, z.
    pub(crate) fn axes(self) -> [Option<TimeFunction>; 6] {
        [self.x, self.y, self.z, self.spin_x, self.spin_y, self.spin_z]
    }
}

impl ForceParams {
    /// Along x, y, z, about x, y, z.
    pub(crate) fn axes(self) -> [Option<TimeFunction>; 6] {
        [self.x, self.y, self.z, self.torque_x, self.torque_y, self.torque_z]
    }
}

/// Nothing moves the body along the listed axes.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LockedParams {
    /// Axes that are held: `X`, `Y`, `Z`, `SpinX`, `SpinY`, `SpinZ`.
    pub(crate) axes: Vec<AxisName>,
}

/// Nothing moves the body.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FixedParams {}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
pub(crate) enum AxisName {
    X,
    Y,
    Z,
    SpinX,
    SpinY,
    SpinZ,
}

/// A pressure against the sides of a deformable body, `"group.side"`; of large strain on the moved sides.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PressureParams {
    /// Pressure (Pa), positive where it presses.
    pub(crate) pressure: TimeFunction,
}

/// A force per area at rest on the sides of a deformable body, `"group.side"`, constant in direction.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct TractionParams {
    /// Along x (Pa).
    pub(crate) x: Option<TimeFunction>,
    /// Along y (Pa).
    pub(crate) y: Option<TimeFunction>,
    /// Along z (Pa).
    pub(crate) z: Option<TimeFunction>,
}

/// Kinds of loads that only deformable bodies have.
pub(crate) const SURFACE_KINDS: [&str; 2] = ["Pressure", "Traction"];

const KINDS: [&str; 4] = ["Fixed", "Velocity", "Force", "Locked"];

/// Name and parameter schema of every kind of load.
#[must_use]
pub fn load_schemas() -> Vec<(&'static str, Schema)> {
    vec![
        ("Fixed", schemars::schema_for!(FixedParams)),
        ("Velocity", schemars::schema_for!(VelocityParams)),
        ("Force", schemars::schema_for!(ForceParams)),
        ("Locked", schemars::schema_for!(LockedParams)),
        ("Pressure", schemars::schema_for!(PressureParams)),
        ("Traction", schemars::schema_for!(TractionParams)),
    ]
}

/// What governs one axis of one body. Axes 0–2 are translations along x, y, z; 3–5 rotations about them.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Axis {
    Free,
    Locked,
    /// By its place among the functions of all loads: most axes of most bodies are free.
    Driven(u32),
}

/// A force (0–2) and moment (3–5) on a body.
#[derive(Debug, Clone)]
pub(crate) struct BodyLoad {
    pub(crate) body: BodyId,
    pub(crate) components: [Option<TimeFunction>; 6],
}

/// All axes of all bodies, and all loads.
#[derive(Debug, Clone)]
pub(crate) struct Loads {
    pub(crate) axes: Vec<[Axis; 6]>,
    /// What drives axes.
    functions: Vec<TimeFunction>,
    pub(crate) forces: Vec<BodyLoad>,
    /// Axes that the model holds by name.
    held: BTreeSet<(BodyId, usize)>,
    /// Bodies that deform: their nodes move as finite elements say, their loads are elsewhere.
    deformable: Vec<bool>,
}

impl LockedParams {
    /// Refuses a list of nothing, and axes along which a planar model does not move anyway.
    pub(crate) fn check(&self, dimension: Dimension) -> Result<(), InputError> {
        if self.axes.is_empty() {
            return Err(says_nothing("Locked", "list the axes that are held, as `axes: [X]`").at("axes"));
        }
        let across = |axis: &&AxisName| matches!(axis, AxisName::Z | AxisName::SpinX | AxisName::SpinY);
        match self.axes.iter().find(across).filter(|_| dimension == Dimension::Planar) {
            None => Ok(()),
            Some(axis) => Err(InputError::new(format!(
                "a planar model moves in X, Y and SpinZ only: nothing is there to be locked along {axis:?}"
            ))
            .help(format!("remove {axis:?}, or use dimension: 3"))
            .at(format!("{axis:?}"))),
        }
    }
}

/// A load of this kind that gives no component.
pub(crate) fn refuse_empty(kind: &str, components: &[Option<TimeFunction>]) -> Result<(), InputError> {
    if components.iter().any(Option::is_some) {
        return Ok(());
    }
    Err(says_nothing(kind, "give a component, as `x: 1`"))
}

fn says_nothing(kind: &str, help: &str) -> InputError {
    InputError::new(format!("a load `{kind}` that says nothing: it would do nothing")).help(format!("{help}, or remove the load"))
}

/// `Fixed` or `Locked`, and `Velocity`, on one axis.
fn held_and_driven(setup: &Setup, body: BodyId, axis: usize) -> InputError {
    let axis = ["x", "y", "z", "spin_x", "spin_y", "spin_z"][axis];
    InputError::new(format!("{} is held and driven along the same axis ({axis})", setup.body_label(body)))
        .help("keep either the `Velocity` or the `Fixed` or `Locked` of this axis")
}

impl Loads {
    /// Reads the loads of a set-up. Bodies without mass are fixed unless they are driven.
    pub(crate) fn build(setup: &Setup) -> Result<Self, InputError> {
        let shapes = setup.part::<Shapes>()?;
        let deformable: Vec<bool> = shapes.0.iter().map(Shape::is_deformable).collect();
        let held = match setup.dimension {
            Dimension::Planar => [false, false, true, true, true, false],
            Dimension::Spatial => [false; 6],
        };
        let axes = (0..setup.bodies.len())
            .map(|i| {
                let inertia = setup.bodies.inertia[i];
                std::array::from_fn(|k| {
                    let response = if k < 3 { setup.bodies.mass[i] } else { inertia[k - 3] };
                    if held[k] || response <= 0.0 || deformable[i] { Axis::Locked } else { Axis::Free }
                })
            })
            .collect();
        let mut loads = Self { axes, functions: Vec::new(), forces: Vec::new(), held: BTreeSet::new(), deformable };
        for load in &setup.loads {
            let bodies: Vec<_> = setup.bodies.of_group(load.group).filter(|b| !loads.is_deformable(*b)).collect();
            if bodies.is_empty() {
                continue;
            }
            loads.add(&load.kind, &bodies, setup).map_err(|e| e.within(&load.kind))?;
        }
        Ok(loads)
    }

    fn add(&mut self, kind: &Fragment, bodies: &[BodyId], setup: &Setup) -> Result<(), InputError> {
        match kind.name() {
            "Fixed" => {
                kind.parse_body::<FixedParams>()?;
                self.hold(bodies, |_| true, setup)?;
            }
            "Locked" => {
                let p: LockedParams = kind.parse_body()?;
                p.check(setup.dimension)?;
                self.hold(bodies, |axis| p.axes.iter().any(|name| *name as usize == axis), setup)?;
            }
            "Velocity" => {
                let axes = kind.parse_body::<VelocityParams>()?.axes();
                refuse_empty("Velocity", &axes)?;
                self.drive(bodies, &axes, setup)?;
            }
            "Force" => {
                let axes = kind.parse_body::<ForceParams>()?.axes();
                refuse_empty("Force", &axes)?;
                self.force(bodies, &axes, setup)?;
            }
            other @ ("Pressure" | "Traction") => {
                return Err(InputError::new(format!("{other} acts on deformable bodies, but this group has rigid ones"))
                    .help("write a Force, or give the bodies a shape Mesh(…)"));
            }
            other => return Err(InputError::unknown("load", other, KINDS.into_iter())),
        }
        Ok(())
    }

    fn hold(&mut self, bodies: &[BodyId], which: impl Fn(usize) -> bool, setup: &Setup) -> Result<(), InputError> {
        for body in bodies {
            for k in (0..6).filter(|k| which(*k)) {
                if matches!(self.axes[body.index()][k], Axis::Driven(_)) {
                    return Err(held_and_driven(setup, *body, k));
                }
                self.axes[body.index()][k] = Axis::Locked;
                self.held.insert((*body, k));
            }
        }
        Ok(())
    }

    fn drive(&mut self, bodies: &[BodyId], functions: &[Option<TimeFunction>; 6], setup: &Setup) -> Result<(), InputError> {
        // fewer than 2³² loads are written in a model
        let first = self.functions.len() as u32;
        self.functions.extend(functions.iter().flatten().cloned());
        for body in bodies {
            let driven = functions.iter().enumerate().filter(|(_, function)| function.is_some());
            for ((k, _), place) in driven.zip(first..) {
                let axis = &mut self.axes[body.index()][k];
                if matches!(axis, Axis::Driven(_)) {
                    return Err(InputError::new(format!("{} is driven twice along the same axis", setup.body_label(*body)))
                        .help("keep one Velocity for each axis"));
                }
                if self.held.contains(&(*body, k)) {
                    return Err(held_and_driven(setup, *body, k));
                }
                if setup.dimension == Dimension::Planar && (2..5).contains(&k) {
                    return Err(InputError::new("a planar model moves in x, y and spin_z only")
                        .help("remove z, spin_x and spin_y, or use dimension: 3"));
                }
                *axis = Axis::Driven(place);
            }
        }
        Ok(())
    }

    fn force(&mut self, bodies: &[BodyId], functions: &[Option<TimeFunction>; 6], setup: &Setup) -> Result<(), InputError> {
        if setup.dimension == Dimension::Planar && functions[2..5].iter().any(Option::is_some) {
            return Err(InputError::new("a planar model has forces along x and y and moments about z only")
                .help("remove z, torque_x and torque_y, or use dimension: 3"));
        }
        for body in bodies {
            let axes = &self.axes[body.index()];
            if functions.iter().zip(axes).all(|(f, axis)| f.is_none() || !matches!(axis, Axis::Free)) {
                return Err(InputError::new(format!(
                    "the force on {} moves nothing: the body has no mass, or its axes are held or driven",
                    setup.body_label(*body)
                ))
                .help("give the body a `mass`, or remove the force"));
            }
            self.forces.push(BodyLoad { body: *body, components: functions.clone() });
        }
        Ok(())
    }

    /// Where the bodies start, with what is imposed at time 0.
    pub(crate) fn start(&self, setup: &Setup) -> mpcd_core::Kinematics {
        let mut kinematics = setup.initial.clone();
        kinematics.cell.lengths = setup.periods;
        for i in 0..kinematics.len() {
            for k in 0..3 {
                if let Some(v) = self.imposed(i, k, 0.0) {
                    kinematics.velocity[i][k] = v;
                }
                if let Some(v) = self.imposed(i, k + 3, 0.0) {
                    kinematics.angular_velocity[i][k] = v;
                }
            }
        }
        kinematics
    }

    /// Whether it deforms.
    pub(crate) fn is_deformable(&self, body: BodyId) -> bool {
        self.deformable[body.index()]
    }

    /// Whether anything can move the body.
    pub(crate) fn is_mobile(&self, body: BodyId) -> bool {
        self.deformable[body.index()] || self.axes[body.index()].iter().any(|a| !matches!(a, Axis::Locked))
    }

    /// Whether an axis of a body stands still throughout: held, or driven at the speed 0.
    pub(crate) fn stands(&self, body: usize, axis: usize) -> bool {
        match self.axes[body][axis] {
            Axis::Free => false,
            Axis::Locked => true,
            Axis::Driven(function) => self.functions[function as usize].is_zero(),
        }
    }

    /// Whether a force or an imposed velocity changes with time.
    pub(crate) fn vary(&self) -> bool {
        let of_forces = self.forces.iter().flat_map(|load| load.components.iter().flatten());
        of_forces.chain(&self.functions).any(|f| !f.is_constant())
    }

    /// Whether the turning of a body is imposed about some axis.
    pub(crate) fn drives_spin(&self, body: usize) -> bool {
        self.axes[body][3..].iter().any(|a| matches!(a, Axis::Driven(_)))
    }

    /// Whether an impulse can change the motion of the body.
    pub(crate) fn responds(&self, body: BodyId) -> bool {
        self.deformable[body.index()] || self.axes[body.index()].iter().any(|a| matches!(a, Axis::Free))
    }

    /// 1 on axes that respond to forces, 0 elsewhere: (translations, rotations).
    pub(crate) fn free_mask(&self, body: usize) -> (Vec3, Vec3) {
        let one = |k: usize| if matches!(self.axes[body][k], Axis::Free) { 1.0 } else { 0.0 };
        (Vec3::new(one(0), one(1), one(2)), Vec3::new(one(3), one(4), one(5)))
    }

    /// Angular velocity imposed on the held and driven axes of a body at time `t`, zero on the free ones [rad/s].
    pub(crate) fn imposed_spin(&self, body: usize, t: f64) -> Vec3 {
        Vec3::from_fn(|k, _| self.imposed(body, k + 3, t).unwrap_or(0.0))
    }

    /// How fast that angular velocity grows around time `t`, from its difference over `dt` [rad/s²].
    pub(crate) fn imposed_angular_acceleration(&self, body: usize, t: f64, dt: f64) -> Vec3 {
        let (from, to) = ((t - 0.5 * dt).max(0.0), t + 0.5 * dt);
        (self.imposed_spin(body, to) - self.imposed_spin(body, from)) / (to - from)
    }

    /// The first body with an imposed velocity that is no finite number at time `t`.
    pub(crate) fn not_finite(&self, t: f64) -> Option<usize> {
        let bad = self.functions.iter().position(|f| !f.at(t).is_finite())?;
        self.axes.iter().position(|axes| axes.iter().any(|a| matches!(a, Axis::Driven(function) if *function as usize == bad)))
    }

    /// The imposed velocity of an axis at time `t`, `None` on a free one.
    pub(crate) fn imposed(&self, body: usize, axis: usize, t: f64) -> Option<f64> {
        match self.axes[body][axis] {
            Axis::Free => None,
            Axis::Locked => Some(0.0),
            Axis::Driven(function) => Some(self.functions[function as usize].at(t)),
        }
    }
}
