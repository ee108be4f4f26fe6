//! Leaves out contacts with edges that bodies which lie flush beside each other do not have together: a body that rolls or slides
//! over a floor of boxes feels a floor; and gives contacts with the edge where another body begins to rise from the floor the normal of
//! what rises. Which contacts of a body are compared is settled here; what they are to each other in the narrow phase.

use mpcd_core::{BodyId, Vec3};

use crate::{
    narrow::{Beside, Buffers, Scene, may_turn},
    shape::Core,
    touch::Touch,
};

/// One side of a touch: a body that moves on another one.
#[derive(Debug, Clone, Copy)]
struct Side {
    mover: BodyId,
    owner: BodyId,
    gap: f64,
    touch: usize,
    by_candidate: bool,
}

/// Buffers of [`Seams::clear`].
#[derive(Default)]
pub(super) struct Seams {
    sides: Vec<Side>,
    dropped: Vec<bool>,
    /// The contacts of one body, the nearest first, and whether they stay.
    beside: Vec<Beside>,
    stays: Vec<bool>,
    /// The same by a coordinate, rising.
    along: Vec<(f64, usize)>,
    buffers: Buffers,
}

/// Whether some body has edges that another one can hide.
pub(super) fn can_be(cores: &[Core]) -> bool {
    cores.iter().filter(|core| has_edges(core)).nth(1).is_some()
        || cores.iter().any(|core| matches!(core, Core::Cluster(_)))
        || cores.iter().any(has_edges) && cores.iter().any(|core| matches!(core, Core::HalfSpace { .. }))
}

fn has_edges(core: &Core) -> bool {
    !matches!(core, Core::Round { .. } | Core::HalfSpace { .. } | Core::Hollow { .. } | Core::Deformable { .. })
}

impl Seams {
    /// Takes contacts with hidden edges out of `touches` (sorted by key), and turns those in hollow corners. What is taken out of the contacts of a body depends on their
    /// gaps, of equal ones on their keys.
    pub(super) fn clear(&mut self, scene: &Scene<'_>, touches: &mut Vec<Touch>) {
        self.sides.clear();
        for (i, touch) in touches.iter().enumerate() {
            let (c, a) = (touch.key.candidate, touch.key.antagonist);
            for (mover, owner, by_candidate) in [(c, a, true), (a, c, false)] {
                if !matches!(scene.cores[owner.index()], Core::Round { .. } | Core::Hollow { .. }) {
                    self.sides.push(Side { mover, owner, gap: touch.gap, touch: i, by_candidate });
                }
            }
        }
        self.sides.sort_unstable_by(|a, b| a.mover.cmp(&b.mover).then(a.gap.total_cmp(&b.gap)).then(a.touch.cmp(&b.touch)));
        self.dropped.clear();
        self.dropped.resize(touches.len(), false);
        let sides = std::mem::take(&mut self.sides);
        let mut any = false;
        for of_one in sides.chunk_by(|a, b| a.mover == b.mover) {
            let first = outward(&of_one[0], touches);
            if of_one.iter().any(|side| may_turn(&first, &outward(side, touches))) {
                any |= self.of_one(scene, of_one, touches);
            }
        }
        self.sides = sides;
        if any {
            let mut places = self.dropped.iter();
            touches.retain(|_| places.next() != Some(&true));
        }
    }

    /// The contacts of one body, the nearest first: what a nearer one that stays hides is dropped, what it makes a hollow corner with is turned.
    fn of_one(&mut self, scene: &Scene<'_>, sides: &[Side], touches: &mut [Touch]) -> bool {
        let Self { beside, stays, along, dropped, buffers, .. } = self;
        beside.clear();
        beside.extend(sides.iter().map(|side| scene.beside(&touches[side.touch], side.by_candidate)));
        stays.clear();
        stays.resize(sides.len(), false);
        // A body that hides the edge of another one at a point is not farther from it than it is large.
        let reach = beside.iter().map(|b| b.reach).fold(0.0, f64::max);
        let (lower, upper) = beside
            .iter()
            .fold((Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY)), |(l, u), b| (l.inf(&b.point), u.sup(&b.point)));
        let axis = (upper - lower).imax();
        along.clear();
        along.extend(beside.iter().enumerate().map(|(i, b)| (b.point[axis], i)));
        along.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let mut any = false;
        for (i, side) in sides.iter().enumerate() {
            let here = &beside[i];
            let nearer = |&&(_, k): &&(f64, usize)| {
                let one_body = sides[k].owner == side.owner && !matches!(scene.cores[side.owner.index()], Core::Cluster(_));
                k < i && stays[k] && !one_body && beside[k].may_turn(here)
            };
            let x = here.point[axis];
            let from = along.partition_point(|(y, _)| *y < x - 2.1 * reach);
            let near = || along[from..].iter().take_while(|(y, _)| *y <= x + 2.1 * reach).filter(nearer);
            let edges = has_edges(&scene.cores[side.owner.index()]);
            let mut hidden =
                edges && near().any(|&(_, k)| beside[k].may_hide(here) && scene.hides(side.mover, &beside[k], here, buffers));
            if edges && !hidden {
                let turned = near().find_map(|&(_, k)| scene.turn((side.mover, &touches[side.touch]), &beside[k], here, buffers));
                if let Some(turned) = turned {
                    // The points in which the edge was met are one point of the face.
                    let same = |t: &Touch| t.key != turned.key && pair(t) == pair(&turned) && is_same(t, &turned);
                    hidden = touches.iter().any(same);
                    touches[side.touch] = turned;
                    beside[i] = scene.beside(&touches[side.touch], side.by_candidate);
                }
            }
            stays[i] = !hidden;
            dropped[side.touch] |= hidden;
            any |= hidden;
        }
        any
    }
}

/// The normal of a side, towards the body that moves.
fn outward(side: &Side, touches: &[Touch]) -> Vec3 {
    let n = touches[side.touch].frame.n;
    if side.by_candidate { n } else { -n }
}

const fn pair(touch: &Touch) -> (BodyId, BodyId) {
    (touch.key.candidate, touch.key.antagonist)
}

/// Whether two contacts of a pair are one.
fn is_same(a: &Touch, b: &Touch) -> bool {
    let near = 1e-9 * (a.arm_candidate.norm() + b.arm_candidate.norm());
    !may_turn(&a.frame.n, &b.frame.n) && (a.point - b.point).norm() <= near && (a.gap - b.gap).abs() <= near
}
