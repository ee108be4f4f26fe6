//! What a law remembers of one contact, and how tangential memory turns with the frame. Which law remembers what is not here.

use mpcd_core::{ContactKey, Frame, Vec3};
use serde::{Deserialize, Serialize};

/// What a law remembers of one contact from step to step: a few numbers and two tangential vectors. It is part of the checkpoint,
/// follows its contact by key, and is forgotten when the contact leaves the network.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    /// Numbers, each law's own.
    pub numbers: [f64; 4],
    /// Tangential vectors, local (n, t, s) in the present frame. Between steps they turn with the normal and with the mean spin of
    /// the two bodies about it.
    pub vectors: [Vec3; 2],
}

/// The memory of one contact between steps, in world axes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Remembered {
    /// Whose.
    pub key: ContactKey,
    normal: Vec3,
    numbers: [f64; 4],
    vectors: [Vec3; 2],
}

impl Remembered {
    /// Keeps the memory of a contact whose frame is `frame`.
    #[must_use]
    pub fn keep(key: ContactKey, frame: &Frame, memory: &Memory) -> Self {
        let vectors = memory.vectors.map(|v| frame.to_world(&v));
        Self { key, normal: frame.n, numbers: memory.numbers, vectors }
    }

    /// The memory in the frame of the next step. `spin` is the angle (rad) by which the two bodies turned about the normal.
    #[must_use]
    pub fn recall(&self, frame: &Frame, spin: f64) -> Memory {
        let vectors = self.vectors.map(|v| if v == Vec3::zeros() { v } else { self.turned(v, frame, spin) });
        Memory { numbers: self.numbers, vectors }
    }

    /// Turns a vector by the least rotation from the old normal to the new one, then about that one.
    fn turned(&self, v: Vec3, frame: &Frame, spin: f64) -> Vec3 {
        let (from, to) = (self.normal, frame.n);
        let axis = from.cross(&to);
        let cosine = from.dot(&to);
        // Rodrigues: v cos + (a × v) + a (a·v)/(1 + cos), a = sin · unit axis. Opposite normals have no least rotation.
        let turned = if cosine > -0.999 { v * cosine + axis.cross(&v) + axis * (axis.dot(&v) / (1.0 + cosine)) } else { v };
        let local = frame.to_local(&turned);
        let (s, c) = spin.sin_cos();
        Vec3::new(local.x, c * local.y - s * local.z, s * local.y + c * local.z)
    }
}

/// Goes through a list sorted by key beside another one: each look-up is a few comparisons.
#[derive(Debug, Clone)]
pub(crate) struct Cursor<'a, T> {
    rest: &'a [T],
    key: fn(&T) -> &ContactKey,
}

impl<'a, T> Cursor<'a, T> {
    pub(crate) const fn new(rest: &'a [T], key: fn(&T) -> &ContactKey) -> Self {
        Self { rest, key }
    }

    /// The item of `key`; keys must be asked for in rising order.
    pub(crate) fn find(&mut self, key: &ContactKey) -> Option<&'a T> {
        while let Some((first, rest)) = self.rest.split_first() {
            match (self.key)(first).cmp(key) {
                std::cmp::Ordering::Less => self.rest = rest,
                std::cmp::Ordering::Equal => return Some(first),
                std::cmp::Ordering::Greater => return None,
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use mpcd_core::BodyId;

    use super::*;

    #[test]
    fn tangential_memory_turns_with_the_normal_and_with_the_spin() {
        let key = ContactKey { candidate: BodyId(0), antagonist: BodyId(1), feature: 0 };
        let (from, to) = (Frame::spatial(Vec3::z()), Frame::spatial(Vec3::new(0.3, 0.2, 0.9).normalize()));
        let mut memory = Memory::default();
        memory.vectors[0] = from.to_local(&Vec3::new(1.0, 2.0, 0.0));
        let kept = Remembered::keep(key, &from, &memory);
        let back = kept.recall(&to, 0.0).vectors[0];
        assert!(back.x.abs() < 1e-15 && (back.norm() - 5.0_f64.sqrt()).abs() < 1e-15, "{back:?}");
        // The same rotation that takes the normal over takes the vector over.
        let whole = nalgebra::UnitQuaternion::rotation_between(&from.n, &to.n).unwrap_or_default();
        assert!((to.to_world(&back) - whole * Vec3::new(1.0, 2.0, 0.0)).norm() < 1e-14);
        // A quarter turn about the normal.
        let turned = kept.recall(&from, std::f64::consts::FRAC_PI_2).vectors[0];
        assert!((from.to_world(&turned) - Vec3::new(-2.0, 1.0, 0.0)).norm() < 1e-14);
    }
}
