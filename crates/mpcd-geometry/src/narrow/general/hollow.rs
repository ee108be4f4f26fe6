//! Bodies inside of hollow ones: the antagonist seen from inside, the candidate by the points that are farthest out.

use mpcd_core::Vec3;

use super::{Buffers, Item, NO_DIRECTION, Search, Spot, ball, ordered, part};
use crate::shape::{Cavity, Core};

/// A body and a hollow one: inside if its origin is inside.
pub(super) fn in_or_out(first: &Item<'_>, second: &Item<'_>, search: &Search, buffers: &mut Buffers) {
    let Core::Hollow { cavity, outside } = second.core else { return };
    if cavity.holds(&second.local(&first.x)) {
        inside(first, second, cavity, search, buffers);
    } else {
        super::of_parts(first, &second.with(outside), search, buffers);
    }
}

/// Two hollow bodies: the one that fits into the other is inside it if its origin is.
pub(super) fn both(first: &Item<'_>, second: &Item<'_>, search: &Search, buffers: &mut Buffers) {
    let (Core::Hollow { cavity, outside }, Core::Hollow { cavity: other, outside: shell }) = (first.core, second.core) else {
        return;
    };
    let fits = |small: &Item<'_>, hole: &Cavity, large: &Item<'_>| {
        hole.room() * large.size > small.reach && hole.holds(&large.local(&small.x))
    };
    if fits(first, other, second) {
        inside(&first.with(outside), second, other, search, buffers);
    } else if fits(second, cavity, first) {
        let from = buffers.spots.len();
        inside(&second.with(shell), first, cavity, search, buffers);
        for spot in &mut buffers.spots[from..] {
            spot.on_first -= spot.gap * spot.n;
            spot.n = -spot.n;
            spot.part = 1.0 - spot.part;
        }
    } else {
        super::of_parts(&first.with(outside), &second.with(shell), search, buffers);
    }
}

fn inside(first: &Item<'_>, second: &Item<'_>, cavity: &Cavity, search: &Search, buffers: &mut Buffers) {
    match first.core {
        Core::Round { radius } => point(first.x, radius * first.size, 0, second, cavity, search, buffers),
        Core::Polytope { hull, rounding } => {
            for (i, v) in (0..).zip(hull.vertices()) {
                point(first.world(v), rounding * first.size, i, second, cavity, search, buffers);
            }
        }
        Core::Mesh(mesh) => {
            for (i, v) in (0..).zip(mesh.vertices()) {
                point(first.world(v), 0.0, i, second, cavity, search, buffers);
            }
        }
        Core::Smooth(body) => {
            // From each wall's direction the farthest points; a few rounds towards where they are farthest out.
            let mut outward = [Vec3::zeros(); 3];
            cavity.walls(&second.local(&first.x), |_, n, wall| outward[wall as usize] = -n);
            let from = buffers.spots.len();
            for (wall, mut direction) in outward.into_iter().enumerate().filter(|(_, d)| *d != Vec3::zeros()) {
                for _ in 0..32 {
                    let d = first.q.inverse_transform_vector(&(second.q * direction));
                    let far = second.local(&first.world(&body.support(&d)));
                    let mut next = direction;
                    cavity.walls(&far, |_, n, w| {
                        if w as usize == wall {
                            next = -n;
                        }
                    });
                    if (next - direction).norm_squared() <= 1e-28 {
                        break;
                    }
                    direction = next;
                }
                let d = first.q.inverse_transform_vector(&(second.q * direction));
                body.outposts(&d, &mut |id, p| {
                    let feature = u64::from(id) << 2 | wall as u64;
                    one_wall(first.world(&p), 0.0, feature, wall as u32, second, cavity, search, buffers);
                });
            }
            buffers.spots[from..].sort_unstable_by_key(|s| s.feature);
        }
        Core::Cluster(_) | Core::Hollow { .. } | Core::HalfSpace { .. } => ordered(first, second, search, buffers),
    }
}

/// A ball of radius `r` about a point, under all walls.
fn point(x: Vec3, r: f64, id: u64, second: &Item<'_>, cavity: &Cavity, search: &Search, buffers: &mut Buffers) {
    for wall in 0..3 {
        one_wall(x, r, id << 2 | u64::from(wall), wall, second, cavity, search, buffers);
    }
}

#[allow(clippy::too_many_arguments, reason = "a ball, its name, a wall, and where the points go")]
fn one_wall(
    x: Vec3,
    r: f64,
    feature: u64,
    wall: u32,
    second: &Item<'_>,
    cavity: &Cavity,
    search: &Search,
    buffers: &mut Buffers,
) {
    cavity.walls(&second.local(&x), |distance, n, w| {
        let gap = distance * second.size - r;
        if w != wall || gap > search.alert {
            return;
        }
        let n = second.q * n;
        let own = if r > NO_DIRECTION { ball(1.0 / r, search.dimension) } else { [0.0; 2] };
        let bend = cavity.curvature(w).map(|k| k / second.size);
        let bend = if search.dimension == mpcd_core::Dimension::Planar { [bend[0], 0.0] } else { bend };
        // A body as wide as the cavity touches it everywhere: as flat as can be told.
        let curvature = [0, 1].map(|k| (own[k] + bend[k]).max(0.0));
        let spot = Spot { feature, on_first: x - r * n, n, gap, part: part(own[0], bend[0]), curvature, share: 0.0 };
        buffers.spots.push(spot);
    });
}
