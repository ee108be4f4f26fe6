//! Which contact points touch, and which of a patch on a mesh lie between those that do, or carry the facets that are touched: cells resolve no gap that is narrower than they are. No laws,
//! no areas.

use crate::{
    math::Vec3,
    network::{ContactGeometry, ContactNetwork},
    patch::{Patch, Patches},
    surface_point::SurfacePoint,
};

/// Part of the size of what a point stands for (the side of its area) up to which it touches without bearing.
const TOUCHES: f64 = 1e-7;

impl ContactNetwork {
    /// Whether two surfaces touch at a contact at the end of a step of `h` (s): it pushes, or its gap is closed. Of several points between faces whose cells do
    /// not match some bear nothing where others carry for them, and are in the patch all the same.
    ///
    /// # Panics
    /// When there is no such contact.
    #[must_use]
    pub fn touches(&self, contact: usize, h: f64) -> bool {
        let c = &self.contacts[contact];
        let size = match c.geometry {
            ContactGeometry::Flat { area } => area.sqrt(),
            ContactGeometry::Line { length, .. } => length,
            ContactGeometry::Point { .. } => 0.0,
        };
        c.bears() || (size > 0.0 && c.gap + h * c.u.x <= TOUCHES * size)
    }
}

/// How many of the nearest points of a patch are looked at around one that is open.
const AROUND: usize = 24;

/// Part of an open point that nodes of touched facets carry from which on it is part of what touches.
const HELD: f64 = 0.5;

/// Weight above which a node carries a point.
const CARRIES: f64 = 1e-9;

/// Part of a square of a distance up to which a point is between two others.
const SLACK: f64 = 1e-6;

/// Angle (rad) that may be free around a point that lies between others: half a turn, and as much more as a point inside a rim may see past the four points that
/// stand for a round one.
const FREE: f64 = std::f64::consts::PI + 0.35;

impl Patches {
    /// Of each contact, whether it is part of what touches of its patch: it touches itself ([`ContactNetwork::touches`]), or, on a mesh, it is open between
    /// points around it that do, or at corners of facets within which a rigid body touches. The middle of a facet of which a rigid corner presses one half tilts, and lifts the node on
    /// its other end: such a gap is narrower than cells are, and none of the bodies.
    pub fn touching(&self, network: &ContactNetwork, h: f64, out: &mut Vec<bool>) {
        out.clear();
        out.extend((0..network.len()).map(|k| network.touches(k, h)));
        for patch in self.several(network) {
            let open = |k: &usize| !out[*k] && network.patch_point(*k).weight() > 0.0;
            let flat = !matches!(patch.shaping().geometry, ContactGeometry::Point { .. });
            if !flat
                || !patch.places().any(|k| out[k])
                || !patch.places().any(|k| open(&k))
                || !network.patch_point(patch.first_place()).on_mesh
            {
                continue;
            }
            let under = nodes_under(network, &patch, out);
            let held = |point: &SurfacePoint| -> f64 {
                point.parts().filter(|part| under.binary_search(&part.0).is_ok()).map(|part| part.1).sum()
            };
            let is_under = |k: usize| on_one_mesh(network, k).is_some_and(|point| held(point) >= HELD);
            let between: Vec<usize> =
                patch.places().filter(open).filter(|k| is_under(*k) || is_between(&patch, *k, out)).collect();
            between.into_iter().for_each(|k| out[k] = true);
        }
    }
}

/// Where a contact of a mesh with a rigid body lies on the mesh; `None` of two meshes, where either side may have facets.
fn on_one_mesh(network: &ContactNetwork, contact: usize) -> Option<&SurfacePoint> {
    match network.mesh_points(&network.contacts[contact].key) {
        [Some(point), None] | [None, Some(point)] => Some(point),
        _ => None,
    }
}

/// The nodes that carry a point of a mesh.
fn nodes_of(point: &SurfacePoint) -> impl Iterator<Item = usize> + '_ {
    point.parts().filter(|(_, weight)| *weight > CARRIES).map(|part| part.0)
}

/// The nodes, rising, of the facets within which a rigid body touches at contacts of a patch.
fn nodes_under(network: &ContactNetwork, patch: &Patch<'_>, touches: &[bool]) -> Vec<usize> {
    let points = patch.places().filter(|k| touches[*k]).filter_map(|k| on_one_mesh(network, k));
    let mut nodes: Vec<usize> = points.filter(|point| nodes_of(point).count() > 1).flat_map(nodes_of).collect();
    nodes.sort_unstable();
    nodes.dedup();
    nodes
}

/// Whether an open point of a patch lies between points that touch: among its neighbours (no other point is in the ball whose poles the two are) those
/// that touch leave no half of its surroundings free.
fn is_between(patch: &Patch<'_>, place: usize, touches: &[bool]) -> bool {
    let (frame, at) = (patch.frame(), patch.point(place));
    let mut others: Vec<(f64, usize, Vec3)> = patch
        .places()
        .filter(|k| *k != place)
        .map(|k| {
            let way = frame.to_local(&(patch.point(k) - at));
            let way = Vec3::new(0.0, way.y, way.z);
            (way.norm_squared(), k, way)
        })
        .collect();
    others.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    others.truncate(AROUND);
    let is_neighbour = |(d, _, way): &&(f64, usize, Vec3)| {
        // a point that lies on one of the two parts nothing
        let parts =
            |w: &Vec3| w.norm_squared() > SLACK * d && (w - way).norm_squared() > SLACK * d && w.dot(&(w - way)) <= SLACK * d;
        !others.iter().any(|(.., w)| parts(w))
    };
    let mut angles: Vec<f64> =
        others.iter().filter(|(_, k, _)| touches[*k]).filter(is_neighbour).map(|(.., way)| way.z.atan2(way.y)).collect();
    angles.sort_unstable_by(f64::total_cmp);
    let (Some(first), Some(last)) = (angles.first(), angles.last()) else { return false };
    let widest = angles.windows(2).map(|w| w[1] - w[0]).fold(first + std::f64::consts::TAU - last, f64::max);
    widest <= FREE
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        ids::{BodyId, ContactKey},
        math::Frame,
        network::{Contact, ContactStatus, MeshPoints},
    };

    /// A patch of points of a mesh and whether each bears; which of them are part of what touches.
    fn touching(points: &[(Vec3, bool)]) -> Vec<bool> {
        let mut network = ContactNetwork::default();
        for (k, (point, bears)) in points.iter().enumerate() {
            let key = ContactKey { candidate: BodyId(0), antagonist: BodyId(1), feature: k as u64 };
            network.contacts.push(Contact {
                key,
                point: *point,
                frame: Frame::spatial(Vec3::z()),
                gap: if *bears { 0.0 } else { 1e-3 },
                geometry: ContactGeometry::Flat { area: 1.0 },
                least_radius: f64::INFINITY,
                law: 0,
                u_before: Vec3::zeros(),
                u: Vec3::zeros(),
                r: Vec3::x() * f64::from(u8::from(*bears)),
                heat_friction: 0.0,
                heat_impact: 0.0,
                status: ContactStatus::Stick,
            });
            network.on_meshes.push(MeshPoints { key, points: [Some(SurfacePoint::node(0)), None], place: 0 });
        }
        let mut out = Vec::new();
        network.patches().touching(&network, 1.0, &mut out);
        out
    }

    fn line(bears: &str) -> String {
        let points: Vec<_> = bears.chars().enumerate().map(|(k, c)| (Vec3::new(k as f64, 0.0, 0.0), c == '#')).collect();
        touching(&points).into_iter().map(|t| if t { '#' } else { '.' }).collect()
    }

    /// In a row one open point between two that touch is part of the patch; two in a row, and what is open at an end, are not.
    #[test]
    fn a_gap_narrower_than_cells_is_none() {
        assert_eq!(line("#.#"), "###");
        assert_eq!(line("#..#"), "#..#");
        assert_eq!(line(".##.##."), ".#####.");
        assert_eq!(line("...."), "....");
        assert_eq!(line("####"), "####");
    }

    /// On a lattice, turned or not: a hole of one point, and a row open between two that touch, are part of the patch; half a face that is open is not.
    #[test]
    fn a_face_that_is_half_open_is_half() {
        let grid = |turn: f64, bears: &dyn Fn(i32, i32) -> bool| {
            let (sin, cos) = f64::sin_cos(turn);
            let place = |i: i32, j: i32| {
                let (x, y) = (f64::from(i), f64::from(j));
                Vec3::new(cos * x - sin * y, sin * x + cos * y, 0.0)
            };
            let points: Vec<_> = (0..25).map(|k| (place(k % 5, k / 5), bears(k % 5, k / 5))).collect();
            touching(&points).into_iter().filter(|t| *t).count()
        };
        for turn in [0.0, 0.3, 0.785] {
            assert_eq!(grid(turn, &|i, j| (i, j) != (2, 2)), 25);
            assert_eq!(grid(turn, &|i, _| i != 1), 25);
            assert_eq!(grid(turn, &|i, _| i < 3), 15);
            assert_eq!(grid(turn, &|i, j| i + j < 4), 10);
            assert_eq!(grid(turn, &|i, j| (i, j) != (0, 0)), 24);
        }
    }
}
