//! Pushing overlapping bodies apart: pairs from a list of neighbours, in a fixed order, each moved to where it just does not
//! touch; again and again until nothing overlaps.

use mpcd_core::{Dimension, Vec3};

use super::super::Room;

/// Skin of the list of neighbours over the mean radius.
const SKIN: f64 = 0.3;

/// The bodies that grow, and the list of those that may meet.
pub(super) struct Pairs<'a> {
    room: Room,
    radii: &'a [f64],
    mean: f64,
    largest: f64,
    /// Neighbours i < j.
    list: Vec<(u32, u32)>,
    /// Where the bodies were when the list was made.
    listed: Vec<Vec3>,
}

impl<'a> Pairs<'a> {
    pub(super) fn new(room: Room, radii: &'a [f64]) -> Self {
        let mean = radii.iter().sum::<f64>() / radii.len().max(1) as f64;
        let largest = radii.iter().copied().fold(0.0, f64::max);
        Self { room, radii, mean, largest, list: Vec::new(), listed: Vec::new() }
    }

    /// Moves the bodies, of radii times `scale`, until none overlaps; whether that was reached within `sweeps`.
    pub(super) fn part(&mut self, places: &mut [Vec3], scale: f64, margin: f64, sweeps: usize) -> bool {
        let skin = SKIN * scale * self.mean;
        self.relist(places, scale, skin);
        for _ in 0..sweeps {
            let far = places.iter().zip(&self.listed).map(|(x, y)| (x - y).norm_squared()).fold(0.0, f64::max);
            if far.sqrt() > 0.5 * skin {
                self.relist(places, scale, skin);
            }
            // What the walls move is judged by the next sweep.
            self.keep_inside(places, scale, margin);
            if self.free(places, scale) {
                return true;
            }
            self.sweep(places, scale * (1.0 + margin));
        }
        false
    }

    /// Whether no pair overlaps; the bodies are inside their walls already.
    fn free(&self, places: &[Vec3], scale: f64) -> bool {
        self.list.iter().all(|&(i, j)| {
            let (i, j) = (i as usize, j as usize);
            let reach = scale * (self.radii[i] + self.radii[j]);
            self.room.nearest(places[i] - places[j]).norm_squared() >= reach * reach
        })
    }

    fn sweep(&self, places: &mut [Vec3], scale: f64) {
        for &(i, j) in &self.list {
            let (i, j) = (i as usize, j as usize);
            let reach = scale * (self.radii[i] + self.radii[j]);
            let way = self.room.nearest(places[i] - places[j]);
            let square = way.norm_squared();
            if square >= reach * reach {
                continue;
            }
            let distance = square.sqrt();
            // Coincident centres part along x; any direction is as good.
            let push = if distance > 0.0 { way * (0.5 * (reach / distance - 1.0)) } else { Vec3::x() * (0.5 * reach) };
            places[i] += push;
            places[j] -= push;
        }
    }

    fn keep_inside(&self, places: &mut [Vec3], scale: f64, margin: f64) {
        for (x, radius) in places.iter_mut().zip(self.radii) {
            for k in self.room.axes().filter(|k| !self.room.open[*k]) {
                let (low, high) = (self.room.from[k] + scale * radius, self.room.to[k] - scale * radius);
                let inset = margin * scale * radius;
                // A body as large as the room stays in its middle.
                let inset = inset.min(0.5 * (high - low).max(0.0));
                if x[k] < low {
                    x[k] = low + inset;
                } else if x[k] > high {
                    x[k] = high - inset;
                }
            }
        }
    }

    /// Makes the list anew: pairs nearer than touch plus `skin` (m).
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "cells are counted within bounds; fewer bodies than 2³²"
    )]
    fn relist(&mut self, places: &mut [Vec3], scale: f64, skin: f64) {
        places.iter_mut().for_each(|x| *x = self.room.wrapped(*x));
        let reach = 2.0 * scale * self.largest + skin;
        let edges = self.room.edges();
        let spatial = self.room.dimension == Dimension::Spatial;
        // No more cells than a few per body, however small the bodies are.
        let most = (places.len() as f64).powf(if spatial { 1.0 / 3.0 } else { 0.5 }).ceil() * 2.0;
        let count = |k: usize| if k == 2 && !spatial { 1 } else { (edges[k] / reach).floor().clamp(1.0, most.max(1.0)) as usize };
        let counts = [count(0), count(1), count(2)];
        let cell_of = |x: &Vec3| {
            let c: [usize; 3] = std::array::from_fn(|k| {
                if counts[k] == 1 {
                    0
                } else {
                    (((x[k] - self.room.from[k]) / edges[k] * counts[k] as f64) as usize).min(counts[k] - 1)
                }
            });
            (c[2] * counts[1] + c[1]) * counts[0] + c[0]
        };
        let mut cells: Vec<Vec<u32>> = vec![Vec::new(); counts.iter().product()];
        for (i, x) in places.iter().enumerate() {
            cells[cell_of(x)].push(i as u32);
        }
        self.list.clear();
        let mut near: Vec<usize> = Vec::new();
        for (index, bodies) in cells.iter().enumerate() {
            let at = [index % counts[0], index / counts[0] % counts[1], index / (counts[0] * counts[1])];
            around(at, counts, self.room.open, &mut near);
            for other in near.iter().copied().filter(|o| *o >= index) {
                for (p, &i) in bodies.iter().enumerate() {
                    let rest = if other == index { &bodies[p + 1..] } else { &cells[other][..] };
                    for &j in rest {
                        let way = self.room.nearest(places[i as usize] - places[j as usize]);
                        let limit = scale * (self.radii[i as usize] + self.radii[j as usize]) + skin;
                        if way.norm_squared() < limit * limit {
                            self.list.push((i.min(j), i.max(j)));
                        }
                    }
                }
            }
        }
        self.listed.clear();
        self.listed.extend_from_slice(places);
    }
}

/// The cells around one, itself included, each once, in rising order.
fn around(at: [usize; 3], counts: [usize; 3], open: [bool; 3], out: &mut Vec<usize>) {
    out.clear();
    let line = |k: usize| -> Vec<usize> {
        let n = counts[k];
        let mut all: Vec<usize> = if open[k] {
            vec![(at[k] + n - 1) % n, at[k], (at[k] + 1) % n]
        } else {
            (at[k].saturating_sub(1)..=(at[k] + 1).min(n - 1)).collect()
        };
        all.sort_unstable();
        all.dedup();
        all
    };
    let (xs, ys, zs) = (line(0), line(1), line(2));
    for z in &zs {
        for y in &ys {
            out.extend(xs.iter().map(|x| (z * counts[1] + y) * counts[0] + x));
        }
    }
}
