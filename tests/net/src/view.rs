//! The same scene written otherwise: turned, mirrored, scaled, shifted, in another order, with a body far away, with contacts split in two points. And the
//! way back. No judging.

use mpcd_core::{Quat, Vec3};
use nalgebra::{Matrix3, Rotation3};

use crate::{
    random::Draw,
    run::Outcome,
    scene::{Body, JointKind, Load, Scene, Shape},
};

/// A way to write a scene down: x' = scale · turn · (mirror · x) + shift.
#[derive(Debug, Clone, PartialEq)]
pub struct View {
    /// What it is called in findings.
    pub name: &'static str,
    turn: Quat,
    mirror: bool,
    /// Lengths by this factor, masses by its cube, times by its root: gravity stays.
    scale: f64,
    shift: Vec3,
    /// Place of each body of the scene.
    order: Vec<usize>,
    /// With a resting body far away.
    neighbour: bool,
    /// What bodies rest on is in two pieces, so that each contact point with it is two: half-spaces written twice, fixed boxes cut in two flush halves.
    split: bool,
}

impl View {
    fn plain(name: &'static str, scene: &Scene) -> Self {
        Self {
            name,
            turn: Quat::identity(),
            mirror: false,
            scale: 1.0,
            shift: Vec3::zeros(),
            order: (0..scene.bodies.len()).collect(),
            neighbour: false,
            split: false,
        }
    }

    /// One of each kind. Laws with lengths, forces or energies of their own keep the scale 1.
    #[must_use]
    pub fn all(scene: &Scene, draw: &mut Draw) -> Vec<Self> {
        let angle = draw.between(0.1, 3.0);
        let axis = if scene.planar { Vec3::z() } else { draw.direction(false) };
        let turn = Quat::from_scaled_axis(axis * angle);
        let n = scene.bodies.len();
        let mut order: Vec<usize> = (0..n).collect();
        for k in (1..n).rev() {
            order.swap(k, draw.whole(0, k));
        }
        let shift = draw.direction(scene.planar) * draw.decades(1.0, 100.0);
        let mut out = vec![
            Self { turn, ..Self::plain("turned", scene) },
            Self { mirror: true, ..Self::plain("mirrored", scene) },
            Self { shift, ..Self::plain("shifted", scene) },
            Self { order, ..Self::plain("reordered", scene) },
        ];
        if scene.gravity != Vec3::zeros() {
            out.push(Self { neighbour: true, ..Self::plain("with a neighbour far away", scene) });
        }
        // Of bonds each point would hold.
        if scene.law.starts_with("Coulomb") && (0..n).any(|i| scene.is_fixed(i)) {
            out.push(Self { split: true, ..Self::plain("split in two points", scene) });
        }
        if scene.law.starts_with("Coulomb") && !scene.law.contains("threshold") {
            out.push(Self { scale: draw.of(&[1e-3, 1e3]), ..Self::plain("scaled", scene) });
        }
        out
    }

    fn matrix(&self) -> Matrix3<f64> {
        let mirror = if self.mirror { Matrix3::from_diagonal(&Vec3::new(-1.0, 1.0, 1.0)) } else { Matrix3::identity() };
        self.turn.to_rotation_matrix().into_inner() * mirror
    }

    /// The scene as this view writes it.
    #[must_use]
    pub fn of(&self, scene: &Scene) -> Scene {
        let m = self.matrix();
        let (l, t) = (self.scale, self.scale.sqrt());
        let place = |x: Vec3| m * x * l + self.shift;
        let velocity = |v: Vec3| m * v * (l / t);
        // Spins are axial vectors.
        let axial = |w: Vec3| m * w * m.determinant().signum();
        let mut out = scene.clone();
        out.gravity = m * scene.gravity;
        (out.step, out.end) = (scene.step * t, scene.end * t);
        // Shapes are mirrored in their own axes; these turn with the scene.
        let own = if self.mirror { Vec3::new(-1.0, 1.0, 1.0) } else { Vec3::repeat(1.0) };
        let mut bodies: Vec<Option<Body>> = vec![None; scene.bodies.len()];
        for (i, b) in scene.bodies.iter().enumerate() {
            let shape = match &b.shape {
                Shape::Round(r) => Shape::Round(r * l),
                Shape::Box(size) => Shape::Box(size * l),
                Shape::Capsule(r, length) => Shape::Capsule(r * l, length * l),
                Shape::Hull(corners) => Shape::Hull(corners.iter().map(|c| c.component_mul(&own) * l).collect()),
                Shape::Floor(normal) => Shape::Floor(m * normal),
            };
            let flip = Matrix3::from_diagonal(&own);
            let turned = m * b.turned.to_rotation_matrix().into_inner() * flip;
            let turned = Quat::from_rotation_matrix(&Rotation3::from_matrix_unchecked(turned));
            let still = matches!(b.shape, Shape::Floor(_)) || (turned.angle() < 1e-15);
            bodies[self.order[i]] = Some(Body {
                group: b.group,
                shape,
                mass: b.mass * l.powi(3),
                at: place(b.at),
                turned: if still { Quat::identity() } else { turned },
                velocity: velocity(b.velocity),
                spin: axial(b.spin) / t,
            });
        }
        out.bodies = bodies.into_iter().flatten().collect();
        for (_, load) in &mut out.loads {
            match load {
                Load::Fixed => {}
                Load::Velocity(v) => *v = velocity(*v),
                Load::Force(f) => *f = m * *f * l.powi(3),
                Load::Ramp(f, time) => (*f, *time) = (m * *f * l.powi(3), *time * t),
            }
        }
        for joint in &mut out.joints {
            joint.bodies = (self.order[joint.bodies.0], joint.bodies.1.map(|b| self.order[b]));
            match &mut joint.kind {
                JointKind::Pin(at) => *at = place(*at),
                JointKind::Rod(to) | JointKind::Wire(to) => *to = to.map(place),
                JointKind::Weld => {}
                JointKind::Drive(axis, speed) => (*axis, *speed) = (m * *axis, *speed * l / t),
                JointKind::Stop(axis, reach) => (*axis, *reach) = (m * *axis, *reach * l),
                JointKind::Turn(at, axis, spin) => (*at, *axis, *spin) = (place(*at), axial(*axis), *spin / t),
            }
        }
        if self.neighbour {
            let away = self.shift + m * Vec3::new(50.0, 0.0, 0.0) * l;
            let up = -out.gravity.normalize();
            out.bodies.push(Body::new("neighbour", Shape::Round(0.5), 1.0, away + up * 0.5));
            out.bodies.push(Body::new("ledge", Shape::Round(0.5), 1.0, away - up * 0.5));
            out.loads.push(("ledge", Load::Fixed));
        }
        if self.split {
            for i in 0..scene.bodies.len() {
                let Some(off) = self.half(scene, i) else { continue };
                let one = &mut out.bodies[i];
                let mut two = one.clone();
                if let (Shape::Box(size), Shape::Box(other)) = (&mut one.shape, &mut two.shape) {
                    let edge = longest(size, scene.planar);
                    (size[edge], other[edge]) = (0.5 * size[edge], 0.5 * other[edge]);
                }
                (one.at, two.at) = (one.at + off, two.at - off);
                out.bodies.push(two);
            }
        }
        out
    }

    /// How far the first piece of a body that this view splits is from its place in the scene (m).
    fn half(&self, scene: &Scene, body: usize) -> Option<Vec3> {
        let b = scene.bodies.get(body).filter(|_| self.split && scene.is_fixed(body))?;
        match &b.shape {
            Shape::Floor(_) => Some(Vec3::zeros()),
            Shape::Box(size) => {
                let edge = longest(size, scene.planar);
                Some(b.turned * Vec3::ith(edge, 0.25 * size[edge]))
            }
            _ => None,
        }
    }

    /// Positions (m) and velocities [m/s] of an outcome of this view, as the plain scene calls them.
    #[must_use]
    pub fn back(&self, scene: &Scene, outcome: &Outcome) -> (Vec<Vec3>, Vec<Vec3>) {
        let inverse = self.matrix().transpose();
        let (l, t) = (self.scale, self.scale.sqrt());
        let place = |i: usize| outcome.position[i] - self.shift - self.half(scene, i).unwrap_or_default();
        let row = |i: &usize| (inverse * place(*i) / l, inverse * outcome.velocity[*i] * (t / l));
        self.order.iter().map(row).unzip()
    }
}

/// The longest edge of a box.
fn longest(size: &Vec3, planar: bool) -> usize {
    if planar { size.xy().imax() } else { size.imax() }
}
