//! A second sweeper, for tests alone: no records, no groups, no colours, no threads; contacts in the order given, each with its block from the problem, and all velocities afresh
//! from the impulses after each. What it shares with the compiled one are the face and the exact local solve. Cones of Coulomb only; it looks at no islands.

#![allow(clippy::unwrap_used, reason = "tests")]

use nalgebra::Vector3;

use super::block::{delassus, largest_eigenvalue};
use super::passes::Direction;
use super::sweeper::{Change, Sweeper};
use super::system::Splitting;
use super::vector::V3;
use super::violation::Breach;
use crate::cone::Cone;
use crate::error::{ErrorSum, FreeNorms, ScaledSum};
use crate::exact::LocalBlock;
use crate::problem::{Body, ContactProblem, ProblemError, Response};
use crate::settings::SweepOrder;

#[derive(Debug)]
struct Plain {
    problem: ContactProblem,
    free: Vec<Body>,
    /// λ_max, and what moves a contact's impulse for a wanted change of its velocity.
    blocks: Vec<(f64, LocalBlock, [f64; 2])>,
    /// Impulses after the sweep before the last.
    before: Vec<Vector3<f64>>,
}

impl Default for Plain {
    fn default() -> Self {
        let problem = ContactProblem::new(crate::problem::ContactDimension::Three);
        Self { problem, free: Vec::new(), blocks: Vec::new(), before: Vec::new() }
    }
}

impl Plain {
    fn impulses(&self) -> Vec<Vector3<f64>> {
        self.problem.contacts.iter().map(|c| c.impulse).collect()
    }

    fn follow(&mut self) {
        self.problem.rebuild(&self.free, |_| true);
    }

    fn velocity(&self, contact: usize) -> Vector3<f64> {
        self.problem.relative_velocity(contact).unwrap() + self.problem.contacts[contact].velocity_shift
    }

    fn friction(&self, contact: usize) -> f64 {
        match self.problem.contacts[contact].response {
            Response::Cone(Cone::Coulomb { friction }) => friction,
            _ => 0.0,
        }
    }

    fn update<const D: usize>(&mut self, contact: usize) {
        let (_, block, [c, s]) = self.blocks[contact];
        let turn = |x: Vector3<f64>, s: f64| Vector3::new(x.x, c * x.y + s * x.z, c * x.z - s * x.y);
        let (r, u) = (turn(self.problem.contacts[contact].impulse, s), turn(self.velocity(contact), s));
        let first = |x: Vector3<f64>| -> [f64; D] { std::array::from_fn(|k| x[k]) };
        let own = block.apply::<D>(&first(r));
        let q: [f64; D] = std::array::from_fn(|k| u[k] - own[k]);
        let found = block.solve_coulomb::<D>(self.friction(contact), &q);
        let mut whole = Vector3::zeros();
        found.iter().enumerate().for_each(|(k, x)| whole[k] = *x);
        self.problem.contacts[contact].impulse = turn(whole, -s);
        self.follow();
    }
}

impl<const D: usize> Sweeper<D> for Plain {
    fn compile(&mut self, problem: &ContactProblem, _: SweepOrder, _: Splitting) -> Result<(), ProblemError> {
        (self.problem, self.free) = (problem.clone(), problem.bodies.clone());
        let block = |contact| {
            let w = delassus::<D>(problem, contact, [1.0; 2]);
            let (block, c, s) = LocalBlock::prepare::<D>(&w).unwrap();
            (largest_eigenvalue::<D>(&w), block, [c, s])
        };
        self.blocks = problem.contacts.iter().map(block).collect();
        self.before = self.impulses();
        Ok(())
    }

    fn contacts(&self) -> usize {
        self.problem.contacts.len()
    }

    fn free_norms(&mut self) -> FreeNorms {
        let mut norms = FreeNorms::default();
        let kept = std::mem::replace(&mut self.problem.bodies, self.free.clone());
        for k in 0..self.blocks.len() {
            let q = self.velocity(k);
            norms.add::<D>(&std::array::from_fn(|i| q[i]), self.blocks[k].0);
        }
        self.problem.bodies = kept;
        norms
    }

    fn rebuild(&mut self) {
        self.follow();
    }

    fn reset(&mut self) {
        self.problem.contacts.iter_mut().for_each(|c| c.impulse.fill(0.0));
        self.follow();
    }

    fn sweep(&mut self, direction: Direction) {
        let count = self.blocks.len();
        (0..count).for_each(|k| self.update::<D>(if direction == Direction::Forward { k } else { count - 1 - k }));
    }

    fn sweep_on(&mut self, direction: Direction, beta: f64) -> Change {
        let now = self.impulses();
        for (contact, (g, before)) in self.problem.contacts.iter_mut().zip(now.iter().zip(&self.before)) {
            contact.impulse = g + (g - before) * beta;
        }
        self.before = now;
        self.follow();
        let x = self.impulses();
        Sweeper::<D>::sweep(self, direction);
        let mut change = Change::default();
        for (k, contact) in self.problem.contacts.iter().enumerate() {
            let step = contact.impulse - x[k];
            change.along += self.blocks[k].0 * step.dot(&(contact.impulse - self.before[k]));
            change.square += self.blocks[k].0 * step.norm_squared();
        }
        change
    }

    fn sweep_frozen(&mut self) {
        unreachable!("no test sweeps so");
    }

    fn scaled_sum(&mut self) -> ScaledSum {
        let mut sum = ScaledSum::default();
        for k in 0..self.blocks.len() {
            let (r, u) = (self.problem.contacts[k].impulse, self.velocity(k));
            let cone = Cone::coulomb(self.friction(k));
            sum.add::<D>(cone, &std::array::from_fn(|i| r[i]), &std::array::from_fn(|i| u[i]), self.blocks[k].0);
        }
        sum
    }

    fn look(&mut self) {}

    fn look_and_sum(&mut self) -> ScaledSum {
        Sweeper::<D>::scaled_sum(self)
    }

    fn look_and_judge(&mut self) -> ErrorSum {
        let mut sum = ErrorSum::default();
        for k in 0..self.blocks.len() {
            let (r, u) = (self.problem.contacts[k].impulse, self.velocity(k));
            let cone = Cone::coulomb(self.friction(k));
            sum.add::<D>(k, cone, &std::array::from_fn(|i| r[i]), &std::array::from_fn(|i| u[i]), self.blocks[k].0);
        }
        sum
    }

    fn worst(&self) -> Breach {
        Breach::default()
    }

    fn keep(&mut self, kept: &mut Vec<V3>) {
        *kept = self.problem.contacts.iter().map(|c| c.impulse.into()).collect();
    }

    fn restore(&mut self, kept: &[V3]) {
        self.problem.contacts.iter_mut().zip(kept).for_each(|(contact, r)| contact.impulse = (*r).into());
        self.follow();
    }

    fn write_back(&mut self, problem: &mut ContactProblem) {
        *problem = self.problem.clone();
    }
}

mod tests {
    use super::*;
    use crate::nlgs::{Memory, Method};
    use crate::problem::{Contact, ContactDimension, Frame, InverseInertia};
    use crate::random::SplitMix;
    use crate::settings::SolveSettings;

    /// Bodies at random places that approach each other, each in contact with four others, inverse masses 1 : 100; tensors of inertia where `round` is false.
    fn heap(dimension: ContactDimension, round: bool, seed: u64) -> ContactProblem {
        let mut random = SplitMix::new(seed);
        let mut between = move |a: f64, b: f64| a + (b - a) * random.unit();
        let planar = dimension == ContactDimension::Two;
        let mut problem = ContactProblem::new(dimension);
        let mut vector =
            |size: f64| Vector3::new(between(-size, size), between(-size, size), if planar { 0.0 } else { between(-size, size) });
        let places: Vec<_> = (0..24).map(|_| vector(1.0)).collect();
        for (k, place) in places.iter().enumerate() {
            let inverse: f64 = if k % 3 == 0 { 100.0 } else { 1.0 };
            let mut body = Body::ball(-place, Vector3::zeros(), inverse, 2.5 * inverse);
            if !round {
                body.inverse_inertia =
                    InverseInertia::Tensor(nalgebra::Matrix3::from_diagonal(&Vector3::new(1.0, 2.0, 3.0)) * inverse);
            }
            problem.push_body(body);
        }
        for k in 0..places.len() {
            for other in [1, 2, 5, 7].map(|d| (k + d) % places.len()) {
                let apart = places[k] - places[other];
                let arm = if planar { Vector3::new(0.1, 0.05, 0.0) } else { Vector3::new(0.1, 0.05, -0.07) };
                let arms = if round { [-apart * 0.5, apart * 0.5] } else { [arm - apart * 0.5, arm + apart * 0.5] };
                let frame = if planar { Frame::planar(apart.normalize()) } else { Frame::from_normal(apart.normalize()) };
                let contact = Contact::new(k, other, frame, arms[0], arms[1]);
                problem.push_contact(contact.with_cone(Cone::coulomb(0.1 * (k % 5) as f64)));
            }
        }
        problem
    }

    /// After 8 plain sweeps and 40 with momentum, which lets go of itself meanwhile, both sweepers have the same impulses, velocities and errors: in the plane and in space, with
    /// diagonal blocks and with full ones, in both senses.
    #[test]
    fn a_plain_sweeper_and_the_compiled_one_do_the_same() {
        fn compared<const D: usize>(problem: &ContactProblem, order: SweepOrder, sweeps: usize) {
            let settings = SolveSettings { tolerance: 1e-300, max_iterations: sweeps, order };
            let (mut fast, mut plain) = (Memory::<super::super::System>::default(), Memory::<Plain>::default());
            let mut results = [problem.clone(), problem.clone()];
            let norms = [
                fast.start::<D>(Method::Accelerated, problem, &settings).unwrap(),
                plain.start::<D>(Method::Accelerated, problem, &settings).unwrap(),
            ];
            let swept = [
                fast.sweep::<D>(Method::Accelerated, &settings, &norms[0], |_| false),
                plain.sweep::<D>(Method::Accelerated, &settings, &norms[1], |_| false),
            ];
            let [a, b] = &mut results;
            let status = crate::report::Status::MaxIterations;
            let errors = [
                fast.finish::<D>(a, &norms[0], status, swept[0].verdict).errors,
                plain.finish::<D>(b, &norms[1], status, swept[1].verdict).errors,
            ];
            assert_eq!([swept[0].sweeps, swept[1].sweeps], [sweeps; 2]);
            let most = b.contacts.iter().map(|c| c.impulse.norm()).fold(0.0, f64::max);
            let (mut apart, mut moved) = (0.0_f64, 0.0_f64);
            for (x, y) in a.contacts.iter().zip(&b.contacts) {
                apart = apart.max((x.impulse - y.impulse).norm() / most);
            }
            for (x, y) in a.bodies.iter().zip(&b.bodies) {
                moved = moved.max((x.velocity - y.velocity).norm() + (x.angular_velocity - y.angular_velocity).norm());
            }
            assert!(most > 0.1 && apart < 1e-10 && moved < 1e-9, "{D} {order:?}: {apart:e} {moved:e} of {most}");
            assert!((errors[0].scaled / errors[1].scaled - 1.0).abs() < 1e-6, "{errors:?}");
            assert!((errors[0].siconos / errors[1].siconos - 1.0).abs() < 1e-6, "{errors:?}");
        }
        for (seed, round) in [(1, true), (2, false), (3, true), (4, false)] {
            for order in [SweepOrder::Forward, SweepOrder::Symmetric] {
                for sweeps in [8, 48] {
                    compared::<2>(&heap(ContactDimension::Two, round, seed), order, sweeps);
                    compared::<3>(&heap(ContactDimension::Three, round, seed), order, sweeps);
                }
            }
        }
    }
}
