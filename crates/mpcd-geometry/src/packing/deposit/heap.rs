//! The bodies that lie already, sorted into columns so that those near a falling body are found without looking at all.

use mpcd_core::{Dimension, Vec3};

use super::super::Room;

/// Something a falling body of a given radius can meet: its centre stays outside a ball, or on one side of a wall.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Support {
    /// Centre of the other body and sum of the radii (m).
    Ball { centre: Vec3, reach: f64 },
    /// Normal into the room and `normal · centre` at touch (m).
    Wall { normal: Vec3, offset: f64 },
}

impl Support {
    /// Distance of the surfaces (m) with the falling body's centre at `c`.
    pub(super) fn gap(&self, c: &Vec3) -> f64 {
        match self {
            Self::Ball { centre, reach } => (c - centre).norm() - reach,
            Self::Wall { normal, offset } => normal.dot(c) - offset,
        }
    }

    /// Unit normal towards the falling body.
    pub(super) fn normal(&self, c: &Vec3) -> Vec3 {
        match self {
            Self::Ball { centre, .. } => (c - centre).normalize(),
            Self::Wall { normal, .. } => *normal,
        }
    }
}

/// What lies already.
pub(super) struct Heap {
    room: Room,
    bodies: Vec<(Vec3, f64)>,
    /// Columns of cells along x and, in space, y: numbers of the bodies whose centre is in them, from the lowest up.
    columns: Vec<Vec<usize>>,
    counts: [usize; 2],
    widths: [f64; 2],
    largest: f64,
    top: f64,
}

impl Heap {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a cast saturates and is bounded below")]
    pub(super) fn new(room: Room, largest: f64) -> Self {
        let edges = room.edges();
        let count = |k: usize| ((edges[k] / (2.0 * largest)).floor() as usize).clamp(1, 4096);
        let counts = [count(0), if room.dimension == Dimension::Planar { 1 } else { count(1) }];
        let widths = [0, 1].map(|k| edges[k] / counts[k] as f64);
        let columns = vec![Vec::new(); counts[0] * counts[1]];
        Self { room, bodies: Vec::new(), columns, counts, widths, largest, top: room.from[room.up()] }
    }

    pub(super) fn room(&self) -> &Room {
        &self.room
    }

    pub(super) fn bodies(&self) -> &[(Vec3, f64)] {
        &self.bodies
    }

    /// The height of the floor (m).
    pub(super) fn bottom(&self) -> f64 {
        self.room.from[self.room.up()]
    }

    /// Radius of the largest body (m).
    pub(super) const fn largest(&self) -> f64 {
        self.largest
    }

    /// A height (m) from which a body of this radius falls freely.
    pub(super) fn above(&self, radius: f64) -> f64 {
        self.top + 2.0 * radius
    }

    pub(super) fn add(&mut self, x: Vec3, radius: f64) {
        let up = self.room.up();
        self.top = self.top.max(x[up] + radius);
        let column = self.column([self.cell(x, 0), self.cell(x, 1)]).0;
        let bodies = &self.bodies;
        let place = self.columns[column].partition_point(|i| bodies[*i].0[up] <= x[up]);
        self.columns[column].insert(place, self.bodies.len());
        self.bodies.push((x, radius));
    }

    /// Calls `visit` with every wall and every body that can touch a body of `radius` whose centre moves within `way` (m)
    /// horizontally of `c` and within these `heights` (m), in an order that does not depend on them.
    pub(super) fn near(&self, c: &Vec3, radius: f64, way: f64, [lowest, highest]: [f64; 2], mut visit: impl FnMut(Support)) {
        self.walls(radius, &mut visit);
        let (up, reach) = (self.room.up(), way + radius + self.largest);
        let range = |k: usize| if self.counts[k] == 1 && !self.room.open[k] { (0, 0) } else { self.span(c, k, reach) };
        let ((i0, i1), (j0, j1)) = (range(0), if self.room.dimension == Dimension::Planar { (0, 0) } else { range(1) });
        for j in j0..=j1 {
            for i in i0..=i1 {
                let (column, shift) = self.column([i, j]);
                let column = &self.columns[column];
                let first = column.partition_point(|b| self.bodies[*b].0[up] < lowest - radius - self.largest);
                for body in column[first..].iter().map(|b| &self.bodies[*b]) {
                    if body.0[up] > highest + radius + self.largest {
                        break;
                    }
                    visit(Support::Ball { centre: body.0 + shift, reach: radius + body.1 });
                }
            }
        }
    }

    /// The floor and the sides; open sides are none.
    fn walls(&self, radius: f64, visit: &mut impl FnMut(Support)) {
        let up = self.room.up();
        for k in self.room.axes().filter(|k| !self.room.open[*k] || *k == up) {
            let mut normal = Vec3::zeros();
            normal[k] = 1.0;
            visit(Support::Wall { normal, offset: self.room.from[k] + radius });
            if k != up {
                visit(Support::Wall { normal: -normal, offset: radius - self.room.to[k] });
            }
        }
    }

    #[allow(clippy::cast_possible_truncation, reason = "cells of a room of finite size")]
    fn cell(&self, x: Vec3, k: usize) -> isize {
        if k == 1 && self.room.dimension == Dimension::Planar {
            return 0;
        }
        ((x[k] - self.room.from[k]) / self.widths[k]).floor() as isize
    }

    fn span(&self, c: &Vec3, k: usize, reach: f64) -> (isize, isize) {
        let mut at = *c;
        at[k] = c[k] - reach;
        let first = self.cell(at, k);
        at[k] = c[k] + reach;
        let last = self.cell(at, k);
        if self.room.open[k] {
            return (first, last);
        }
        let end = isize::try_from(self.counts[k]).unwrap_or(isize::MAX) - 1;
        (first.clamp(0, end), last.clamp(0, end))
    }

    /// Number of a column and, over open sides, how far its image is shifted.
    fn column(&self, cell: [isize; 2]) -> (usize, Vec3) {
        let (mut index, mut shift) = (0, Vec3::zeros());
        for k in [1, 0] {
            let count = isize::try_from(self.counts[k]).unwrap_or(isize::MAX);
            let inside = if self.room.open[k] { cell[k].rem_euclid(count) } else { cell[k].clamp(0, count - 1) };
            shift[k] = ((cell[k] - inside) / count) as f64 * self.room.edges()[k];
            index = index * self.counts[k] + usize::try_from(inside).unwrap_or(0);
        }
        (index, shift)
    }
}
