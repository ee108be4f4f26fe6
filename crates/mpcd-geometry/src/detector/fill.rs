//! The passes over bodies and near pairs that fill columns in parallel: each thread writes its own piece of an output whose
//! layout is known beforehand, so the result does not depend on who wrote it.

use mpcd_core::{BodyId, ContactGeometry, ContactKey, Dimension, Frame, Kinematics, Vec3};
use rayon::prelude::*;

use crate::{
    narrow::{Ball, Buffers, Pair, Scene},
    shape::{Shape, Shapes},
    touch::Touch,
};

/// Rows per parallel piece.
const PIECE: usize = 1024;

/// What the output holds before it is written.
const BLANK: Touch = Touch {
    key: ContactKey { candidate: BodyId(0), antagonist: BodyId(0), feature: 0 },
    point: Vec3::new(0.0, 0.0, 0.0),
    frame: Frame { n: Vec3::new(1.0, 0.0, 0.0), t: Vec3::new(0.0, 1.0, 0.0) },
    gap: 0.0,
    geometry: ContactGeometry::Flat { area: 0.0 },
    least_radius: 0.0,
    arm_candidate: Vec3::new(0.0, 0.0, 0.0),
    arm_antagonist: Vec3::new(0.0, 0.0, 0.0),
    growth_candidate: 0.0,
    growth_antagonist: 0.0,
};

/// Centres and radii of all bodies, packed.
pub(super) fn balls(shapes: &Shapes, kinematics: &Kinematics, dimension: Dimension, out: &mut Vec<Ball>) {
    out.resize(shapes.0.len(), Ball { x: Vec3::zeros(), r: 0.0, reference: 0.0, thickness: 0.0 });
    out.par_chunks_mut(PIECE).enumerate().for_each(|(p, piece)| {
        for (i, ball) in (p * PIECE..).zip(piece) {
            *ball = self::ball(&shapes.0[i], kinematics.position[i], kinematics.size[i], dimension);
        }
    });
}

/// Centre and radius of a body that stands at `x`.
pub(super) fn ball(shape: &Shape, mut x: Vec3, size: f64, dimension: Dimension) -> Ball {
    if dimension == Dimension::Planar {
        x.z = 0.0;
    }
    Ball::new(shape, x, size)
}

/// Buffers of [`Workspace::touches`].
#[derive(Default)]
pub(super) struct Workspace {
    /// Points per pair.
    hits: Vec<u8>,
    /// Where the points of each piece of pairs start.
    starts: Vec<usize>,
    pieces: Vec<Piece>,
}

/// A piece of pairs of which some need the general narrow phase: its points are found once and copied, for finding them is
/// dear. A piece of plain pairs only is counted and then written in place.
#[derive(Default)]
struct Piece {
    general: bool,
    buffers: Buffers,
    touches: Vec<Touch>,
}

impl Workspace {
    /// Writes the touches of `pairs` (sorted) with gap ≤ `alert` to `out`: count them, lay out, write.
    pub(super) fn touches(&mut self, scene: &Scene<'_>, pairs: &[Pair], alert: f64, out: &mut Vec<Touch>) {
        self.hits.resize(pairs.len(), 0);
        let count = pairs.len().div_ceil(PIECE);
        if self.pieces.len() < count {
            self.pieces.resize_with(count, Piece::default);
        }
        let of_pairs = self.hits.par_chunks_mut(PIECE).zip(pairs.par_chunks(PIECE));
        of_pairs.zip(&mut self.pieces).for_each(|((hits, pairs), piece)| {
            let Piece { general, buffers, touches } = piece;
            // Plain pairs are counted up to the first that is not.
            *general = hits.iter_mut().zip(pairs).any(|(hit, &pair)| match scene.count(pair, alert) {
                Some(count) => {
                    *hit = count;
                    false
                }
                None => true,
            });
            if *general {
                touches.clear();
                for &pair in pairs {
                    scene.general(pair, alert, buffers, |touch| touches.push(touch));
                }
            }
        });
        self.starts.clear();
        self.starts.push(0);
        let mut total = 0;
        for (hits, piece) in self.hits.chunks(PIECE).zip(&self.pieces) {
            total += if piece.general { piece.touches.len() } else { hits.iter().map(|&h| usize::from(h)).sum() };
            self.starts.push(total);
        }
        out.resize(total, BLANK);
        let output = Output { scene, alert, pieces: &self.pieces[..count] };
        output.write(pairs, &self.hits, 0, &self.starts, out);
    }
}

/// Pieces that several threads fill before they are handed over; one alone hands over each, which then need not leave the processor.
const WINDOW: usize = 16;

impl Workspace {
    /// Hands the touches of `pairs` (sorted) with gap ≤ `alert` to `take`, some at a time, in order.
    pub(super) fn pass(
        &mut self,
        scene: &Scene<'_>,
        pairs: &[Pair],
        alert: f64,
        window: &mut Vec<Touch>,
        mut take: impl FnMut(&[Touch]),
    ) {
        if rayon::current_num_threads() > 1 {
            for pairs in pairs.chunks(WINDOW * PIECE) {
                self.touches(scene, pairs, alert, window);
                take(window);
            }
            return;
        }
        for pairs in pairs.chunks(PIECE) {
            window.clear();
            pairs.iter().for_each(|pair| scene.touches(*pair, alert, |touch| window.push(touch)));
            take(window);
        }
    }
}

/// What the writing of the pieces shares.
struct Output<'a> {
    scene: &'a Scene<'a>,
    alert: f64,
    pieces: &'a [Piece],
}

impl Output<'_> {
    /// Splits the pieces from `first` on between threads until one is left; `out` holds exactly what `starts` says.
    fn write(&self, pairs: &[Pair], hits: &[u8], first: usize, starts: &[usize], out: &mut [Touch]) {
        let pieces = starts.len() - 1;
        if pieces > 1 {
            let middle = pieces / 2;
            let (pairs_1, pairs_2) = pairs.split_at(middle * PIECE);
            let (hits_1, hits_2) = hits.split_at(middle * PIECE);
            let (out_1, out_2) = out.split_at_mut(starts[middle] - starts[0]);
            rayon::join(
                || self.write(pairs_1, hits_1, first, &starts[..=middle], out_1),
                || self.write(pairs_2, hits_2, first + middle, &starts[middle..], out_2),
            );
            return;
        }
        if let Some(piece) = self.pieces.get(first).filter(|p| p.general) {
            out.copy_from_slice(&piece.touches);
            return;
        }
        let mut slots = out.iter_mut();
        for (&pair, _) in pairs.iter().zip(hits).filter(|(_, hit)| **hit > 0) {
            self.scene.touches(pair, self.alert, |touch| {
                if let Some(slot) = slots.next() {
                    *slot = touch;
                }
            });
        }
    }
}
