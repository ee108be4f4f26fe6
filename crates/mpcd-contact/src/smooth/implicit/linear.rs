//! The linear problem of a Newton step: (M + hθC + h²θ²K) d = −residual, by conjugate gradients with a diagonal preconditioner.
//! Sums run in a fixed order: the same bits on any number of threads.

use mpcd_core::{Kinematics, Mat3, Vec3};
use rayon::prelude::*;

use crate::{
    rotation::{inverse_or_zero, world_inertia},
    smooth::{bodies::PIECE, dashpot::Dashpot, engine::Engine, spot::Spot},
};

use super::Span;

/// Fall of the residual at which the linear solve stops, and most iterations.
const TOLERANCE: f64 = 1e-8;
const MAX_ITERATIONS: usize = 2000;

type Pair = [Vec3; 2];

/// Buffers of the linear solve.
#[derive(Debug, Default)]
pub(crate) struct Linear {
    solution: Vec<Pair>,
    rest: Vec<Pair>,
    direction: Vec<Pair>,
    image: Vec<Pair>,
    scaled: Vec<Pair>,
    /// Inverse diagonal: translation, rotation.
    diagonal: Vec<(f64, f64)>,
    /// World inertia of each body.
    inertia: Vec<Mat3>,
    /// Normal and tangential coefficients of each spot: hθη + h²θ²k.
    coefficient: Vec<(f64, Dashpot)>,
}

impl Linear {
    /// The last solution: velocity and spin of each body.
    pub(crate) fn solution(&self) -> &[Pair] {
        &self.solution
    }

    /// Solves for the change of velocities that takes the residual away.
    pub(crate) fn solve(&mut self, engine: &Engine, k: &Kinematics, span: Span, residual: &[Pair]) {
        self.prepare(engine, k, span);
        let n = residual.len();
        self.solution.clear();
        self.solution.resize(n, [Vec3::zeros(); 2]);
        self.rest.clear();
        self.rest.extend(residual.iter().map(|[a, b]| [-a, -b]));
        self.precondition();
        self.direction.clone_from(&self.scaled);
        let mut product = dot(&self.rest, &self.scaled);
        let start = product;
        for _ in 0..MAX_ITERATIONS {
            if product <= start * TOLERANCE * TOLERANCE {
                break;
            }
            self.apply(engine);
            let curvature = dot(&self.direction, &self.image);
            if curvature <= 0.0 {
                break;
            }
            let step = product / curvature;
            for i in 0..n {
                for c in 0..2 {
                    self.solution[i][c] += self.direction[i][c] * step;
                    self.rest[i][c] -= self.image[i][c] * step;
                }
            }
            self.precondition();
            let next = dot(&self.rest, &self.scaled);
            let share = next / product;
            product = next;
            for i in 0..n {
                for c in 0..2 {
                    self.direction[i][c] = self.scaled[i][c] + self.direction[i][c] * share;
                }
            }
        }
    }

    fn prepare(&mut self, engine: &Engine, k: &Kinematics, span: Span) {
        let (first, second) = (span.dt * span.theta, (span.dt * span.theta).powi(2));
        self.coefficient.clear();
        self.coefficient.extend(engine.spots.iter().map(|s| {
            let t = &s.tangent;
            if !s.acts() {
                return (0.0, Dashpot::default());
            }
            let shear = if t.sliding { Dashpot::default() } else { t.dashpot.with_spring(first, second * t.shear_stiffness) };
            (first * t.normal_damping + second * t.normal_stiffness, shear)
        }));
        self.inertia.clear();
        self.inertia.extend(engine.bodies.iter().enumerate().map(|(i, b)| {
            let inertia = b.inertia_at(k.size[i]);
            if b.isotropic { Mat3::from_diagonal(&inertia) } else { world_inertia(&k.orientation[i], &inertia) }
        }));
        self.diagonal.clear();
        self.diagonal.extend(engine.bodies.iter().enumerate().map(|(i, b)| {
            let (mut mass, mut inertia) = (b.mass, self.inertia[i].trace() / 3.0);
            for (c, is_candidate) in engine.incidence.of(i) {
                let (normal, shear) = (self.coefficient[c].0, self.coefficient[c].1.largest());
                let s = &engine.spots[c];
                let arm = if is_candidate { s.arm_candidate } else { s.arm_antagonist };
                mass += normal.max(shear);
                inertia += shear * arm.norm_squared() + normal * s.frame.n.cross(&arm).norm_squared();
            }
            (inverse_or_zero(mass), inverse_or_zero(inertia))
        }));
    }

    fn precondition(&mut self) {
        self.scaled.clear();
        self.scaled.extend(self.rest.iter().zip(&self.diagonal).map(|([a, b], (m, j))| [a * *m, b * *j]));
    }

    /// `image` = A `direction` on the free axes.
    fn apply(&mut self, engine: &Engine) {
        let Self { direction, image, inertia, coefficient, .. } = self;
        image.resize(direction.len(), [Vec3::zeros(); 2]);
        let direction = &*direction;
        image.par_chunks_mut(PIECE).enumerate().for_each(|(p, piece)| {
            for (i, out) in (p * PIECE..).zip(piece) {
                let b = &engine.bodies[i];
                let [v, w] = direction[i];
                let (mut force, mut moment) = (v * b.mass, inertia[i] * w);
                for (c, is_candidate) in engine.incidence.of(i) {
                    let s = &engine.spots[c];
                    let f = penalty(s, coefficient[c], direction);
                    let (f, arm) = if is_candidate { (f, s.arm_candidate) } else { (-f, s.arm_antagonist) };
                    force += f;
                    moment += arm.cross(&f);
                }
                *out = [force.component_mul(&b.free), moment.component_mul(&b.free_spin)];
            }
        });
    }
}

/// The contact's answer to a change of velocities, on the candidate.
fn penalty(s: &Spot, (normal, shear): (f64, Dashpot), d: &[Pair]) -> Vec3 {
    if normal == 0.0 && shear.largest() == 0.0 {
        return Vec3::zeros();
    }
    let ([vc, wc], [va, wa]) = (d[s.key.candidate.index()], d[s.key.antagonist.index()]);
    let u = vc + wc.cross(&s.arm_candidate) - va - wa.cross(&s.arm_antagonist);
    let u_n = s.frame.n * s.frame.n.dot(&u);
    u_n * normal + shear.against(&(u - u_n))
}

fn dot(a: &[Pair], b: &[Pair]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x[0].dot(&y[0]) + x[1].dot(&y[1])).sum()
}
