//! The passes over bodies and near pairs that fill columns in parallel: each thread writes its own piece of an output whose
//! layout is known beforehand, so the result does not depend on who wrote it.

use mpcd_core::{BodyId, ContactGeometry, ContactKey, Dimension, Frame, Kinematics, Vec3};
use rayon::prelude::*;

use crate::{
    narrow::{Ball, Pair, Scene},
    shape::Shapes,
    touch::Touch,
};

/// Rows per parallel piece.
const PIECE: usize = 1024;

/// What the output holds before it is written.
const BLANK: Touch = Touch {
    key: ContactKey { candidate: BodyId(0), antagonist: BodyId(0), feature: 0 },
    point: Vec3::new(0.0, 0.0, 0.0),
    frame: Frame { n: Vec3::new(1.0, 0.0, 0.0), t: Vec3::new(0.0, 1.0, 0.0), s: Vec3::new(0.0, 0.0, 1.0) },
    gap: 0.0,
    geometry: ContactGeometry::Flat { area: 0.0 },
    arm_candidate: Vec3::new(0.0, 0.0, 0.0),
    arm_antagonist: Vec3::new(0.0, 0.0, 0.0),
    growth_candidate: 0.0,
    growth_antagonist: 0.0,
};

/// Centres and radii of all bodies, packed.
pub(super) fn balls(shapes: &Shapes, kinematics: &Kinematics, dimension: Dimension, out: &mut Vec<Ball>) {
    out.resize(shapes.0.len(), Ball { x: Vec3::zeros(), r: 0.0 });
    out.par_chunks_mut(PIECE).enumerate().for_each(|(p, piece)| {
        for (i, ball) in (p * PIECE..).zip(piece) {
            let mut x = kinematics.position[i];
            if dimension == Dimension::Planar {
                x.z = 0.0;
            }
            *ball = Ball { x, r: shapes.0[i].radius().map_or(-1.0, |r| r * kinematics.size[i]) };
        }
    });
}

/// Buffers of [`Workspace::touches`].
#[derive(Default)]
pub(super) struct Workspace {
    /// Points per pair.
    hits: Vec<u8>,
    /// Where the points of each piece of pairs start.
    starts: Vec<usize>,
}

impl Workspace {
    /// Writes the touches of `pairs` (sorted) with gap ≤ `alert` to `out`: count them, lay out, write.
    pub(super) fn touches(&mut self, scene: &Scene<'_>, pairs: &[Pair], alert: f64, out: &mut Vec<Touch>) {
        self.hits.resize(pairs.len(), 0);
        self.hits.par_chunks_mut(PIECE).zip(pairs.par_chunks(PIECE)).for_each(|(hits, pairs)| {
            for (hit, &pair) in hits.iter_mut().zip(pairs) {
                *hit = scene.count(pair, alert);
            }
        });
        self.starts.clear();
        self.starts.push(0);
        let mut total = 0;
        for piece in self.hits.chunks(PIECE) {
            total += piece.iter().map(|&h| usize::from(h)).sum::<usize>();
            self.starts.push(total);
        }
        out.resize(total, BLANK);
        write(scene, pairs, &self.hits, &self.starts, alert, out);
    }
}

/// Splits the pieces between threads until one is left; `out` holds exactly what `starts` says.
fn write(scene: &Scene<'_>, pairs: &[Pair], hits: &[u8], starts: &[usize], alert: f64, out: &mut [Touch]) {
    let pieces = starts.len() - 1;
    if pieces > 1 {
        let middle = pieces / 2;
        let (pairs_1, pairs_2) = pairs.split_at(middle * PIECE);
        let (hits_1, hits_2) = hits.split_at(middle * PIECE);
        let (out_1, out_2) = out.split_at_mut(starts[middle] - starts[0]);
        rayon::join(
            || write(scene, pairs_1, hits_1, &starts[..=middle], alert, out_1),
            || write(scene, pairs_2, hits_2, &starts[middle..], alert, out_2),
        );
        return;
    }
    let mut slots = out.iter_mut();
    for (&pair, _) in pairs.iter().zip(hits).filter(|(_, hit)| **hit > 0) {
        scene.touches(pair, alert, |touch| {
            if let Some(slot) = slots.next() {
                *slot = touch;
            }
        });
    }
}
