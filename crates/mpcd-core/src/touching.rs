//! Which contact points touch, and which of a patch on a mesh lie between those that do, or carry the facets that are touched: cells resolve no gap that is narrower than they are. No laws,
//! no areas.

use crate::{
    ids::BodyId,
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
    /// points around it that do, within a facet of which nodes that do carry it, or at corners of facets within which a rigid body touches. The middle of a facet of which a rigid corner presses one half tilts, and lifts the node on
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
            let nodes = nodes_that_touch(network, &patch, out);
            let is_within = |k: usize| sides(network, k).any(|(body, point)| lies_within(body, point, &nodes));
            let within: Vec<usize> = patch.places().filter(open).filter(|k| is_under(*k) || is_within(*k)).collect();
            let between: Vec<usize> = patch.places().filter(open).filter(|k| is_between(&patch, *k, out)).collect();
            within.into_iter().chain(between).for_each(|k| out[k] = true);
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

/// Where a contact between two meshes lies on each of them.
fn sides(network: &ContactNetwork, contact: usize) -> impl Iterator<Item = (BodyId, &SurfacePoint)> {
    let key = &network.contacts[contact].key;
    let (a, b) = match network.mesh_points(key) {
        [Some(a), Some(b)] => (Some((key.candidate, a)), Some((key.antagonist, b))),
        _ => (None, None),
    };
    a.into_iter().chain(b)
}

/// The nodes of either mesh, rising, that touch the other at contacts of a patch.
fn nodes_that_touch(network: &ContactNetwork, patch: &Patch<'_>, touches: &[bool]) -> Vec<(BodyId, usize)> {
    let points = patch.places().filter(|k| touches[*k]).flat_map(|k| sides(network, k));
    let alone = |(body, point): (BodyId, &SurfacePoint)| {
        let mut nodes = nodes_of(point);
        let node = nodes.next()?;
        nodes.next().is_none().then_some((body, node))
    };
    let mut nodes: Vec<(BodyId, usize)> = points.filter_map(alone).collect();
    nodes.sort_unstable();
    nodes.dedup();
    nodes
}

/// Whether a point lies within a facet whose nodes that touch carry half of it or more: of two meshes whose cells do not match, nodes of one lift off by nothing that cells resolve
/// between those of the other.
fn lies_within(body: BodyId, point: &SurfacePoint, touched: &[(BodyId, usize)]) -> bool {
    let of_touched = point.parts().filter(|(node, _)| touched.binary_search(&(body, *node)).is_ok());
    nodes_of(point).count() > 1 && of_touched.map(|part| part.1).sum::<f64>() >= HELD
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
        ids::ContactKey,
        math::Frame,
        network::{Contact, ContactStatus, MeshPoints},
    };

    fn bare(k: usize, point: Vec3, bears: bool) -> Contact {
        Contact {
            key: ContactKey { candidate: BodyId(0), antagonist: BodyId(1), feature: k as u64 },
            point,
            frame: Frame::spatial(Vec3::z()),
            gap: if bears { 0.0 } else { 1e-3 },
            geometry: ContactGeometry::Flat { area: 1.0 },
            least_radius: f64::INFINITY,
            law: 0,
            u_before: Vec3::zeros(),
            u: Vec3::zeros(),
            r: Vec3::x() * f64::from(u8::from(bears)),
            heat_friction: 0.0,
            heat_impact: 0.0,
            status: ContactStatus::Stick,
        }
    }

    /// A patch of points of a mesh and whether each bears; which of them are part of what touches.
    fn touching(points: &[(Vec3, bool)]) -> Vec<bool> {
        let mut network = ContactNetwork::default();
        for (k, (point, bears)) in points.iter().enumerate() {
            let contact = bare(k, *point, *bears);
            network.on_meshes.push(MeshPoints { key: contact.key, points: [Some(SurfacePoint::node(0)), None], place: 0 });
            network.contacts.push(contact);
        }
        let mut out = Vec::new();
        network.patches().touching(&network, 1.0, &mut out);
        out
    }

    /// Points along a line, those of nodes of the first mesh and of the second, whether each bears, and the nodes of the facet of the other mesh that each lies on.
    fn between(points: &[(f64, usize, u32, bool, &[u32])]) -> Vec<bool> {
        let mut network = ContactNetwork::default();
        for (k, (x, mesh, node, bears, facet)) in points.iter().enumerate() {
            let c = bare(k, Vec3::new(*x, 0.0, 0.0), *bears);
            let mut on = SurfacePoint::default();
            facet.iter().for_each(|n| on.add(*n, 1.0 / facet.len() as f64));
            let own = SurfacePoint::node(*node);
            let points = if *mesh == 0 { [Some(own), Some(on)] } else { [Some(on), Some(own)] };
            network.on_meshes.push(MeshPoints { key: c.key, points, place: 0 });
            network.contacts.push(c);
        }
        let mut out = Vec::new();
        network.patches().touching(&network, 1.0, &mut out);
        out
    }

    /// Two nodes of the upper mesh side by side, open between two of the lower that touch: within the facet of these they are part of the patch, where these carry less than half of them they are not,
    /// and a node of the same number on the other mesh is another node.
    #[test]
    fn nodes_within_a_facet_whose_nodes_touch_are_part_of_the_patch() {
        let ends = [(0.0, 0, 0, true, &[0_u32, 1][..]), (3.0, 0, 1, true, &[1, 2][..])];
        let open = |facet: &'static [u32]| [(1.0, 1, 1, false, facet), (2.0, 1, 2, false, facet)];
        let of = |facet: &'static [u32]| between(&[ends.as_slice(), open(facet).as_slice()].concat());
        assert_eq!(of(&[0, 1]), [true; 4]);
        assert_eq!(of(&[0, 7, 8]), [true, true, false, false]);
        // half of it is the rim of what touches
        assert_eq!(of(&[0, 7]), [true; 4]);
        // nodes 1 and 2 of the second mesh are others
        assert_eq!(of(&[7, 2]), [true, true, false, false]);
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
