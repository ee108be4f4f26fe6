//! Velocities of the bodies as the sweep sees them: one cache line per body, and who may write it.
//!
//! A line is eight relaxed atomics. Inside a colour no two contacts share a free body, so no two threads ever touch the
//! same line; atomics say so to the compiler without unsafe code, and cost nothing on one thread, where the lines are
//! held exclusively and read as plain numbers.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::lanes::fetch;
use super::vector::V3;

/// `[v, ω, inverse mass (along x), inverse inertia (of a ball)]` of one body.
#[derive(Debug, Default)]
#[repr(C, align(64))]
pub(super) struct BodyLine {
    word: [AtomicU64; 8],
}

const _: () = assert!(size_of::<BodyLine>() == 64);

impl BodyLine {
    pub(super) fn new(v: &V3, w: &V3, inverse_mass: f64, inverse_inertia: f64) -> Self {
        let values = [v[0], v[1], v[2], w[0], w[1], w[2], inverse_mass, inverse_inertia];
        Self { word: values.map(|x| AtomicU64::new(x.to_bits())) }
    }

    pub(super) fn copy_from(&mut self, other: &Self) {
        for k in 0..8 {
            *self.word[k].get_mut() = other.word[k].load(Relaxed);
        }
    }

    /// Moves the velocities on by `beta` times what they changed since `before`, which takes their place.
    pub(super) fn carry(&mut self, before: &mut [f64; 8], beta: f64) {
        let now = self.word.each_mut().map(|word| f64::from_bits(*word.get_mut()));
        let mut moved = [0.0; 8];
        for k in 0..8 {
            moved[k] = now[k] + beta * (now[k] - before[k]);
        }
        // the last two are no velocities
        (moved[6], moved[7]) = (now[6], now[7]);
        *before = now;
        for (word, moved) in self.word.iter_mut().zip(moved) {
            *word.get_mut() = moved.to_bits();
        }
    }

    pub(super) fn get(&self, k: usize) -> f64 {
        f64::from_bits(self.word[k].load(Relaxed))
    }
}

/// What the full kernel needs of a body besides its line: inverse inertia tensor `[xx, xy, xz, yy, yz, zz]` and the
/// inverse masses along y and z (that along x is in the line).
#[derive(Debug, Clone, Copy, Default)]
#[repr(C, align(64))]
pub(super) struct BodyInertia {
    pub(super) tensor: [f64; 6],
    pub(super) inverse_mass_yz: [f64; 2],
}

impl BodyInertia {
    /// `J τ`, only the z part when D = 2.
    #[inline(always)]
    pub(super) fn apply<const D: usize>(&self, torque: &V3) -> V3 {
        let j = &self.tensor;
        if D == 2 {
            return [0.0, 0.0, j[5] * torque[2]];
        }
        [
            j[0] * torque[0] + j[1] * torque[1] + j[2] * torque[2],
            j[1] * torque[0] + j[3] * torque[1] + j[4] * torque[2],
            j[2] * torque[0] + j[4] * torque[1] + j[5] * torque[2],
        ]
    }
}

/// Velocities and the scalars of a line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Motion {
    pub(super) v: V3,
    pub(super) w: V3,
    pub(super) inverse_mass: f64,
    pub(super) inverse_inertia: f64,
}

impl Motion {
    /// Bound of the speed of a point at distance `arm`.
    pub(super) fn speed(&self, arm: f64) -> f64 {
        let size = |x: &V3| x.iter().map(|c| c.abs()).sum::<f64>();
        size(&self.v) + arm.abs() * size(&self.w)
    }
}

/// Access to the lines, exclusive or shared.
pub(super) trait BodyAccess {
    fn word(&self, body: usize, k: usize) -> f64;
    fn set_word(&mut self, body: usize, k: usize, value: f64);
    /// Asks for a line that will soon be read.
    fn ask(&self, body: u32);

    #[inline(always)]
    fn load<const D: usize>(&self, body: u32) -> Motion {
        let body = body as usize;
        let at = |k| self.word(body, k);
        let (inverse_mass, inverse_inertia) = (at(6), at(7));
        let (v, w) =
            if D == 2 { ([at(0), at(1), 0.0], [0.0, 0.0, at(5)]) } else { ([at(0), at(1), at(2)], [at(3), at(4), at(5)]) };
        Motion { v, w, inverse_mass, inverse_inertia }
    }

    #[inline(always)]
    fn store<const D: usize>(&mut self, body: u32, v: &V3, w: &V3) {
        let body = body as usize;
        self.set_word(body, 0, v[0]);
        self.set_word(body, 1, v[1]);
        if D == 3 {
            self.set_word(body, 2, v[2]);
            self.set_word(body, 3, w[0]);
            self.set_word(body, 4, w[1]);
        }
        self.set_word(body, 5, w[2]);
    }
}

/// Lines held by one thread: plain reads and writes.
pub(super) struct Exclusive<'a>(pub(super) &'a mut [BodyLine]);

impl BodyAccess for Exclusive<'_> {
    #[inline(always)]
    fn word(&self, body: usize, k: usize) -> f64 {
        self.0[body].get(k)
    }

    #[inline(always)]
    fn set_word(&mut self, body: usize, k: usize, value: f64) {
        *self.0[body].word[k].get_mut() = value.to_bits();
    }

    #[inline(always)]
    fn ask(&self, body: u32) {
        fetch(self.0.get(body as usize));
    }
}

/// Lines shared by the threads of a coloured sweep, and read-only access anywhere.
#[derive(Clone, Copy)]
pub(super) struct Shared<'a>(pub(super) &'a [BodyLine]);

impl BodyAccess for Shared<'_> {
    #[inline(always)]
    fn word(&self, body: usize, k: usize) -> f64 {
        self.0[body].get(k)
    }

    #[inline(always)]
    fn set_word(&mut self, body: usize, k: usize, value: f64) {
        self.0[body].word[k].store(value.to_bits(), Relaxed);
    }

    #[inline(always)]
    fn ask(&self, body: u32) {
        fetch(self.0.get(body as usize));
    }
}
