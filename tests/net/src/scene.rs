//! A scene as data, and how it is written as a model. No physics.

use std::fmt::Write as _;

use mpcd_core::{Quat, Vec3};

/// A shape that every family may use.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// A sphere in space, a disc in the plane: radius (m).
    Round(f64),
    /// Edges (m); the third is not used in the plane.
    Box(Vec3),
    /// Radius and length without the ends, along x (m).
    Capsule(f64, f64),
    /// Corners of a convex body about its centre of mass (m).
    Hull(Vec<Vec3>),
    /// The fixed half-space below the origin of the body; the normal points out of it.
    Floor(Vec3),
}

impl Shape {
    /// Least width (m).
    #[must_use]
    pub fn smallest(&self, planar: bool) -> f64 {
        match self {
            Self::Round(r) | Self::Capsule(r, _) => 2.0 * r,
            Self::Box(size) => size.x.min(size.y).min(if planar { f64::INFINITY } else { size.z }),
            Self::Hull(corners) => corners.iter().map(Vec3::norm).fold(f64::INFINITY, f64::min),
            Self::Floor(_) => f64::INFINITY,
        }
    }

    fn write(&self, planar: bool) -> String {
        let vector = |v: &Vec3| text(v, planar);
        match self {
            Self::Round(r) if planar => format!("Disc(radius: {r:?})"),
            Self::Round(r) => format!("Sphere(radius: {r:?})"),
            Self::Box(size) => format!("Box(size: {})", vector(size)),
            Self::Capsule(r, l) => format!("Capsule(radius: {r:?}, length: {l:?})"),
            Self::Hull(corners) => {
                let list: Vec<_> = corners.iter().map(vector).collect();
                format!("{}(vertices: [{}])", if planar { "Polygon" } else { "Polyhedron" }, list.join(", "))
            }
            Self::Floor(normal) => format!("Plane(normal: {})", vector(normal)),
        }
    }
}

fn text(v: &Vec3, planar: bool) -> String {
    if planar { format!("({:?}, {:?})", v.x, v.y) } else { format!("({:?}, {:?}, {:?})", v.x, v.y, v.z) }
}

/// A body.
#[derive(Debug, Clone, PartialEq)]
pub struct Body {
    /// Its group.
    pub group: &'static str,
    /// Its shape.
    pub shape: Shape,
    /// Mass (kg); not for floors.
    pub mass: f64,
    /// Where its centre of mass is (m).
    pub at: Vec3,
    /// How it is turned.
    pub turned: Quat,
    /// Velocity at the start [m/s].
    pub velocity: Vec3,
    /// Angular velocity at the start [rad/s].
    pub spin: Vec3,
}

impl Body {
    /// A body at rest.
    #[must_use]
    pub fn new(group: &'static str, shape: Shape, mass: f64, at: Vec3) -> Self {
        Self { group, shape, mass, at, turned: Quat::identity(), velocity: Vec3::zeros(), spin: Vec3::zeros() }
    }

    /// With a velocity [m/s].
    #[must_use]
    pub fn moving(self, velocity: Vec3) -> Self {
        Self { velocity, ..self }
    }
}

/// What a load does, by vectors that a view can turn.
#[derive(Debug, Clone, PartialEq)]
pub enum Load {
    /// Held wholly.
    Fixed,
    /// Moves with this velocity [m/s] and does not turn.
    Velocity(Vec3),
    /// This force at the centre of mass (N).
    Force(Vec3),
    /// The same, growing from none over a time (s).
    Ramp(Vec3, f64),
}

/// A joint: the numbers of its two bodies (`None` is the ground), and its kind with the places it names.
#[derive(Debug, Clone, PartialEq)]
pub struct Joint {
    /// The bodies.
    pub bodies: (usize, Option<usize>),
    /// What it is.
    pub kind: JointKind,
}

/// Kinds of joints.
#[derive(Debug, Clone, PartialEq)]
pub enum JointKind {
    /// A common point (m).
    Pin(Vec3),
    /// From the centre of the first body to the centre of the second, or to this place of the ground (m).
    Rod(Option<Vec3>),
    /// The same, which only pulls.
    Wire(Option<Vec3>),
    /// Two bodies as one.
    Weld,
    /// Moved along an axis at a speed [m/s].
    Drive(Vec3, f64),
    /// Free along an axis as far as this against it (m).
    Stop(Vec3, f64),
    /// Turned about a place (m) and an axis at an angular velocity [rad/s].
    Turn(Vec3, Vec3, f64),
}

/// A scene.
#[derive(Debug, Clone, PartialEq)]
pub struct Scene {
    /// In the plane z = 0.
    pub planar: bool,
    /// Gravity [m/s²].
    pub gravity: Vec3,
    /// Step and end (s).
    pub step: f64,
    /// End (s).
    pub end: f64,
    /// The bodies. Groups: `fixed` and floors do not move.
    pub bodies: Vec<Body>,
    /// The law of all groups, with lengths, forces and energies written for the scale 1.
    pub law: String,
    /// Groups in alphabetical order that have a law of their own.
    pub pairs: Vec<(&'static str, &'static str, String)>,
    /// Loads by group.
    pub loads: Vec<(&'static str, Load)>,
    /// Joints.
    pub joints: Vec<Joint>,
}

impl Scene {
    /// A scene without bodies.
    #[must_use]
    pub fn new(planar: bool, gravity: Vec3, step: f64, end: f64, law: impl Into<String>) -> Self {
        Self {
            planar,
            gravity,
            step,
            end,
            bodies: Vec::new(),
            law: law.into(),
            pairs: Vec::new(),
            loads: Vec::new(),
            joints: Vec::new(),
        }
    }

    /// Down, for this dimension.
    #[must_use]
    pub fn down(planar: bool) -> Vec3 {
        if planar { -Vec3::y() } else { -Vec3::z() }
    }

    /// Whether a body cannot move.
    #[must_use]
    pub fn is_fixed(&self, body: usize) -> bool {
        let b = &self.bodies[body];
        matches!(b.shape, Shape::Floor(_)) || self.loads.iter().any(|(g, l)| *g == b.group && *l == Load::Fixed)
    }

    /// Whether a body's motion is prescribed.
    #[must_use]
    pub fn is_driven(&self, body: usize) -> bool {
        self.is_fixed(body) || self.loads.iter().any(|(g, l)| *g == self.bodies[body].group && matches!(l, Load::Velocity(_)))
    }

    /// The same as a model file, with these parameters of `Contact`.
    #[must_use]
    pub fn model(&self, contact: &str) -> String {
        let p = self.planar;
        let mut out = String::new();
        let _ = writeln!(
            out,
            "(\n  dimension: {}, gravity: {}, time: (step: {:?}, end: {:?}),\n  materials: {{\"m\": (density: 1000)}},\n  bodies: [",
            if p { 2 } else { 3 },
            text(&self.gravity, p),
            self.step,
            self.end
        );
        for b in &self.bodies {
            let mass = if matches!(b.shape, Shape::Floor(_)) { String::new() } else { format!(", mass: {:?}", b.mass) };
            let _ = writeln!(
                out,
                "    (group: \"{}\", material: \"m\", shape: {}, at: {}{mass}{}{}{}),",
                b.group,
                b.shape.write(p),
                text(&b.at, p),
                rotation(&b.turned, p),
                if b.velocity == Vec3::zeros() { String::new() } else { format!(", velocity: {}", text(&b.velocity, p)) },
                if b.spin == Vec3::zeros() { String::new() } else { format!(", spin: {}", spin(&b.spin, p)) },
            );
        }
        let mut groups: Vec<&str> = self.bodies.iter().map(|b| b.group).collect();
        groups.sort_unstable();
        groups.dedup();
        let _ = writeln!(out, "  ],\n  interactions: [");
        for (k, a) in groups.iter().enumerate() {
            for b in &groups[k..] {
                let passive = |g: &str| (0..self.bodies.len()).filter(|i| self.bodies[*i].group == g).all(|i| self.is_driven(i));
                let own = self.pairs.iter().find(|(p, q, _)| (p, q) == (a, b)).map_or(&self.law, |(_, _, law)| law);
                let law = if passive(a) && passive(b) { "NoContact" } else { own };
                let _ = writeln!(out, "    (between: (\"{a}\", \"{b}\"), law: {law}),");
            }
        }
        let _ = writeln!(out, "  ],\n  loads: [");
        for (group, load) in &self.loads {
            let z = |name: &str, v: f64| if p { String::new() } else { format!(", {name}: {v:?}") };
            let load = match load {
                Load::Fixed => "Fixed".to_owned(),
                Load::Velocity(v) => format!(
                    "Velocity(x: {:?}, y: {:?}{}, spin_z: 0{})",
                    v.x,
                    v.y,
                    z("z", v.z),
                    if p { "" } else { ", spin_x: 0, spin_y: 0" }
                ),
                Load::Force(f) => format!("Force(x: {:?}, y: {:?}{})", f.x, f.y, z("z", f.z)),
                Load::Ramp(f, time) => {
                    let ramp = |v: f64| format!("Ramp(from: 0, to: {v:?}, end: {time:?})");
                    let z = if p { String::new() } else { format!(", z: {}", ramp(f.z)) };
                    format!("Force(x: {}, y: {}{z})", ramp(f.x), ramp(f.y))
                }
            };
            let _ = writeln!(out, "    (on: \"{group}\", load: {load}),");
        }
        let _ = writeln!(out, "  ],\n  joints: [");
        for joint in &self.joints {
            let _ = writeln!(out, "    {},", self.joint(joint));
        }
        let _ = writeln!(out, "  ],\n  physics: [Contact({contact})],\n)");
        out
    }

    fn joint(&self, joint: &Joint) -> String {
        // A body is its group and its number in it.
        let name = |i: usize| {
            let group = self.bodies[i].group;
            let number = self.bodies[..i].iter().filter(|b| b.group == group).count();
            format!("(\"{group}\", {number})")
        };
        let p = self.planar;
        let kind = match &joint.kind {
            JointKind::Pin(at) => format!("Pin(at: {})", text(at, p)),
            JointKind::Weld => "Weld".to_owned(),
            JointKind::Drive(axis, speed) => format!("Slider(axis: {}, speed: {speed:?})", text(axis, p)),
            JointKind::Stop(axis, reach) => format!("Slider(axis: {}, limits: (-{reach:?}, 1e6))", text(axis, p)),
            JointKind::Turn(at, axis, spin) if p => format!("Pin(at: {}, speed: {:?})", text(at, p), axis.z * spin),
            JointKind::Turn(at, axis, spin) => {
                format!("Hinge(at: {}, axis: {}, speed: {spin:?})", text(at, p), text(axis, p))
            }
            JointKind::Rod(to) => format!("Rod({})", to.map_or_else(String::new, |to| format!("to: {}", text(&to, p)))),
            JointKind::Wire(to) => format!("Wire({})", to.map_or_else(String::new, |to| format!("to: {}", text(&to, p)))),
        };
        let who = match joint.bodies {
            (a, Some(b)) => format!("between: ({}, {})", name(a), name(b)),
            (a, None) => format!("to_ground: {}", name(a)),
        };
        format!("({who}, joint: {kind})")
    }
}

fn rotation(q: &Quat, planar: bool) -> String {
    let v = q.scaled_axis();
    match (v.norm() > 0.0, planar) {
        (false, _) => String::new(),
        (true, true) => format!(", rotation: {:?}", v.z),
        (true, false) => {
            let axis = v / v.norm();
            format!(", rotation: ({}, {:?})", text(&axis, false), v.norm())
        }
    }
}

fn spin(v: &Vec3, planar: bool) -> String {
    if planar { format!("{:?}", v.z) } else { text(v, false) }
}
