//! A tree of boxes over the facets of a skin: built once, fitted again when they move. No shapes, no distances but to boxes.

use mpcd_core::Vec3;

/// Facets in a leaf.
const LEAF: usize = 4;

/// A box of the tree: its lower and upper corner, its leaves' place in the order, its children.
#[derive(Debug, Clone, Copy)]
struct Room {
    bounds: [Vec3; 2],
    from: u32,
    to: u32,
    /// First child, its sister follows; 0 in a leaf.
    child: u32,
}

/// Facets in a hierarchy of boxes.
#[derive(Debug, Clone)]
pub(super) struct Tree {
    order: Vec<u32>,
    rooms: Vec<Room>,
}

impl Tree {
    /// A tree over things with these centres, halved along their longest extent.
    #[allow(clippy::cast_possible_truncation, reason = "a skin has fewer than 2³² facets")]
    pub(super) fn new(centres: &[Vec3]) -> Self {
        let mut order: Vec<u32> = (0..centres.len() as u32).collect();
        let room = |from: usize, to: usize| Room { bounds: [Vec3::zeros(); 2], from: from as u32, to: to as u32, child: 0 };
        let mut rooms = vec![room(0, order.len())];
        let mut next = 0;
        while next < rooms.len() {
            let (from, to) = (rooms[next].from as usize, rooms[next].to as usize);
            if to - from > LEAF {
                let part = &mut order[from..to];
                let at = |f: &u32| centres[*f as usize];
                let none = [Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY)];
                let [low, high] = part.iter().fold(none, |[l, h], f| [l.inf(&at(f)), h.sup(&at(f))]);
                let axis = (high - low).imax();
                part.sort_by(|a, b| at(a)[axis].total_cmp(&at(b)[axis]).then(a.cmp(b)));
                let middle = from + (to - from) / 2;
                rooms[next].child = rooms.len() as u32;
                rooms.extend([room(from, middle), room(middle, to)]);
            }
            next += 1;
        }
        Self { order, rooms }
    }

    /// Fits the boxes to those of the facets.
    pub(super) fn fit(&mut self, bounds: impl Fn(usize) -> [Vec3; 2]) {
        for k in (0..self.rooms.len()).rev() {
            let Room { from, to, child, .. } = self.rooms[k];
            let none = [Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY)];
            let union = |[a, b]: [Vec3; 2], [c, d]: [Vec3; 2]| [a.inf(&c), b.sup(&d)];
            self.rooms[k].bounds = if child == 0 {
                self.order[from as usize..to as usize].iter().map(|f| bounds(*f as usize)).fold(none, union)
            } else {
                union(self.rooms[child as usize].bounds, self.rooms[child as usize + 1].bounds)
            };
        }
    }

    /// The box of all.
    pub(super) fn bounds(&self) -> [Vec3; 2] {
        self.rooms[0].bounds
    }

    /// Calls `visit` with every facet whose box is within reach of a box; `visit` says how far (m) from it to look on.
    pub(super) fn near(&self, [low, high]: [Vec3; 2], mut reach: f64, mut visit: impl FnMut(usize) -> f64) {
        // deep enough for 2³² facets
        let mut stack = [0_u32; 72];
        let mut depth = 1;
        while depth > 0 {
            depth -= 1;
            let room = self.rooms[stack[depth] as usize];
            let apart = (room.bounds[0] - high).sup(&(low - room.bounds[1])).sup(&Vec3::zeros());
            if apart.norm() > reach {
                continue;
            }
            if room.child == 0 {
                for &f in &self.order[room.from as usize..room.to as usize] {
                    reach = visit(f as usize);
                }
            } else {
                // the nearer child is looked at first
                let middle = 0.5 * (low + high);
                let distance = |k: u32| {
                    let b = &self.rooms[k as usize].bounds;
                    (0.5 * (b[0] + b[1]) - middle).norm_squared()
                };
                let first = distance(room.child) <= distance(room.child + 1);
                let (near, far) = if first { (0, 1) } else { (1, 0) };
                (stack[depth], stack[depth + 1]) = (room.child + far, room.child + near);
                depth += 2;
            }
        }
    }
}
