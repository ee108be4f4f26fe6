//! What the facets of one skin, the finer, share with the faces of another: integrals of dual shape functions over the common surface, so that
//! constant pressures pass from mesh to mesh as constant pressures whatever the meshes. No contacts: who takes part is decided elsewhere.
//!
//! On a facet with hats φ_k (linear, 1 at corner k) the pressure is Σ λ_k ψ_k with ψ = D M⁻¹ φ, M = ∫ φ φᵀ, D = diag(∫ φ_k), all over what the other
//! skin covers. Then Σ ψ_k = 1 and ∫ ψ_k φ_l = δ_kl D_k: a constant pressure is λ_k = p, and on flat faces the gap of point k is its own
//! (Wohlmuth 2000, doi:10.1137/S0036142999350929; on the part that is covered: Cichosz & Bischoff 2011, doi:10.1016/j.cma.2010.11.004). The
//! sides' weights are ∫ ψ_k N with the shape functions N of their own faces.

use std::collections::BTreeMap;

use mpcd_core::{Mat3, Vec3};

use super::{OPPOSED, Skin, SurfacePoint};

/// Part of a facet that may lie beside the other skin, or be covered twice, where all of it is called covered.
const WHOLE: f64 = 0.01;

/// Part of a facet's size by which the gap may vary over it where it is joined: surfaces that are pressed together are nearly parallel there. Where
/// it varies more (an edge on a face, a step) points look for themselves.
pub(super) const LEVEL: f64 = 0.01;

/// Points and weights of a rule of fifth degree on a line from 0 to 1 (Gauss).
pub(super) const LINE: [(f64, f64); 3] =
    [(0.112_701_665_379_258_3, 5.0 / 18.0), (0.5, 8.0 / 18.0), (0.887_298_334_620_741_7, 5.0 / 18.0)];

/// Barycentric coordinates of a rule of fourth degree on triangles: two triples of (two equal ones, the third, weight)
/// (Dunavant 1985, doi:10.1002/nme.1620210612).
const TRIANGLE: [(f64, f64, f64); 2] = [
    (0.445_948_490_915_965, 0.108_103_018_168_070, 0.223_381_589_678_011),
    (0.091_576_213_509_771, 0.816_847_572_980_459, 0.109_951_743_655_322),
];

/// A place in the plane of a facet.
pub(super) type Flat = [f64; 2];

/// What a facet shares with the other skin, corner by corner.
#[derive(Debug, Default)]
pub(super) struct Cover {
    /// Part of the facet that is covered.
    part: f64,
    /// Whether the gap is nearly the same all over it.
    level: bool,
    /// Mean normal of the other skin there, times the area.
    across: Vec3,
    /// ∫ φ_k over what is covered (m², of a given thickness m).
    pub(super) hats: [f64; 3],
    /// ∫ ψ_k N of the finer and of the other skin, and ∫ ψ_k x.
    sides: [[SurfacePoint; 2]; 3],
    places: [[Vec3; 2]; 3],
    /// The face of the other skin that is nearest to each corner.
    opposite: [usize; 3],
}

impl Cover {
    /// Whether all of the facet is covered, once, by what is nearly parallel.
    pub(super) fn is_whole(&self) -> bool {
        self.level && (self.part - 1.0).abs() <= WHOLE
    }
}

/// A point of the finer skin with what it shares with the other.
#[derive(Debug)]
pub(super) struct Joint {
    /// Its side and the other.
    pub(super) sides: [SurfacePoint; 2],
    /// Where they are (m).
    pub(super) places: [Vec3; 2],
    /// Unit normal from the other skin to the finer, the mean of both.
    pub(super) normal: Vec3,
    /// ∫ φ (m², of a given thickness m).
    pub(super) area: f64,
}

/// A skin against a coarser one, or against itself.
pub(super) struct Mortar<'a> {
    ground: Ground<'a>,
    covers: BTreeMap<usize, Cover>,
}

/// The two skins of a mortar.
#[derive(Clone, Copy)]
struct Ground<'a> {
    fine: &'a Skin,
    coarse: &'a Skin,
    /// Whether the two are one: which of its facets meet which it says itself.
    is_one: bool,
    /// How far apart they may be (m).
    reach: f64,
}

/// A face of the other skin that a facet looks at: its normal and how deep (m) the facet may be behind it.
type Opposite = (Vec3, f64);

/// A point of integration: weight on the facet, that with the way around an axis, gap along the facet's normal and normal of the other skin, hats, coordinates on the facet's face, face of the other skin
/// and coordinates there.
struct Sample {
    flat: f64,
    weight: f64,
    gap: f64,
    normal: Vec3,
    hats: [f64; 3],
    own: Flat,
    patch: usize,
    other: Flat,
}

impl<'a> Mortar<'a> {
    pub(super) const fn new(fine: &'a Skin, coarse: &'a Skin, reach: f64) -> Self {
        Self { ground: Ground { fine, coarse, is_one: false, reach }, covers: BTreeMap::new() }
    }

    /// A skin against itself.
    pub(super) const fn within(skin: &'a Skin, reach: f64) -> Self {
        Self { ground: Ground { fine: skin, coarse: skin, is_one: true, reach }, covers: BTreeMap::new() }
    }

    /// Facets around a point that look along `n`.
    pub(super) fn looking(&self, point: usize, n: &Vec3) -> impl Iterator<Item = usize> + use<'a> {
        let n = *n;
        let fine = self.ground.fine;
        fine.facets_around(point).iter().map(|f| *f as usize).filter(move |f| fine.normals[*f].dot(&n) >= OPPOSED)
    }

    /// What a facet shares with the other skin.
    pub(super) fn cover(&mut self, facet: usize) -> &Cover {
        let ground = self.ground;
        self.covers.entry(facet).or_insert_with(|| cover(ground, facet))
    }

    /// A point whose facets that look along `n` are all covered; `None` of others.
    pub(super) fn joint(&mut self, point: usize, n: &Vec3) -> Option<Joint> {
        let mut sides = [SurfacePoint::nowhere(), SurfacePoint::nowhere()];
        let mut places = [Vec3::zeros(); 2];
        let (mut normal, mut area, mut opposite) = (Vec3::zeros(), 0.0, None);
        for f in self.looking(point, n) {
            let k = self.corner(f, point)?;
            let own = self.ground.fine.normals[f];
            let cover = self.cover(f);
            if !cover.is_whole() {
                return None;
            }
            (0..2).for_each(|s| sides[s].add_point(&cover.sides[k][s], 1.0));
            (0..2).for_each(|s| places[s] += cover.places[k][s]);
            normal += cover.across * (cover.hats[k] / cover.hats.iter().sum::<f64>()) - own * cover.hats[k];
            area += cover.hats[k];
            opposite.get_or_insert(cover.opposite[k]);
        }
        let opposite = opposite.filter(|_| area > 0.0)?;
        let mut places = places.map(|x| x / area);
        let mut sides = sides.map(|s| s.scaled(1.0 / area));
        let normal = normal.try_normalize(0.0)?;
        // The two are apart along the normals of facets, each by its own gap; what that leaves across the mean normal turns bodies.
        let [own, other] = &mut places;
        self.ground.coarse.move_below(opposite, &normal, own, (&mut sides[1], other));
        Some(Joint { sides, places, normal, area })
    }

    /// Which corner of a facet a point is.
    pub(super) fn corner(&self, facet: usize, point: usize) -> Option<usize> {
        self.corners(facet).iter().position(|c| *c as usize == point)
    }

    /// The corners of a facet of the finer skin.
    pub(super) fn corners(&self, facet: usize) -> &'a [u32] {
        &self.ground.fine.facets[facet][..self.ground.fine.depth.corners()]
    }
}

fn cover(ground: Ground<'_>, facet: usize) -> Cover {
    let Ground { fine, coarse, is_one, reach } = ground;
    let mut samples = samples(ground, facet);
    let measure = fine.facet_measure(facet);
    // what is beyond a wall that the facet touches is near as well where that is thinner than the facet is wide
    if is_one && samples.iter().map(|s| s.flat).sum::<f64>() > (1.0 + WHOLE) * measure {
        samples.retain(|s| s.gap <= reach + LEVEL * fine.size_of(facet));
    }
    let corners = fine.depth.corners();
    let (mut mass, mut hats, mut flat) = (Mat3::identity(), [0.0; 3], 0.0);
    (0..corners).for_each(|k| mass[(k, k)] = 0.0);
    for sample in &samples {
        flat += sample.flat;
        for k in 0..corners {
            hats[k] += sample.weight * sample.hats[k];
            (0..corners).for_each(|l| mass[(k, l)] += sample.weight * sample.hats[k] * sample.hats[l]);
        }
    }
    let part = flat / measure;
    let gaps = samples.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[l, h], s| [l.min(s.gap), h.max(s.gap)]);
    let level = gaps[1] - gaps[0] <= LEVEL * fine.size_of(facet);
    let across = samples.iter().map(|s| s.normal * s.weight).sum();
    let mut out = Cover { part, level, across, hats, ..Cover::default() };
    let Some(inverse) = mass.try_inverse().filter(|_| out.is_whole()) else { return out };
    let own = &fine.patches[fine.parts[facet].patch as usize];
    let mut nearest = [f64::NEG_INFINITY; 3];
    for sample in &samples {
        for k in 0..corners {
            if sample.hats[k] > nearest[k] {
                (nearest[k], out.opposite[k]) = (sample.hats[k], sample.patch);
            }
        }
        let other = &coarse.patches[sample.patch];
        let points = [own.point(sample.own, &fine.points), other.point(sample.other, &coarse.points)];
        let places = [own.place(sample.own, &fine.places), other.place(sample.other, &coarse.places)];
        for k in 0..corners {
            let dual: f64 = (0..corners).map(|l| inverse[(k, l)] * sample.hats[l]).sum::<f64>() * hats[k];
            (0..2).for_each(|s| out.sides[k][s].add_point(&points[s], sample.weight * dual));
            (0..2).for_each(|s| out.places[k][s] += places[s] * (sample.weight * dual));
        }
    }
    out
}

impl Ground<'_> {
    /// The faces of the other skin within a range (m) that look at a facet, each by the first of its facets that is near.
    fn opposite(&self, facet: usize, range: f64) -> BTreeMap<usize, Opposite> {
        let Self { fine, coarse, is_one, .. } = *self;
        let (x, n) = (fine.facet_places(facet), fine.normals[facet]);
        let mut out = BTreeMap::new();
        coarse.facets_near([x[0].inf(&x[1]).inf(&x[2]), x[0].sup(&x[1]).sup(&x[2])], range, |f| {
            if -coarse.normals[f].dot(&n) >= OPPOSED
                && let Some(deepest) = if is_one { fine.meets(facet, f) } else { Some(range) }
            {
                out.entry(coarse.parts[f].patch as usize).or_insert((coarse.normals[f], deepest));
            }
        });
        out
    }
}

/// Points of integration over what a facet shares with the faces of another skin that look at it.
fn samples(ground: Ground<'_>, facet: usize) -> Vec<Sample> {
    let Ground { fine, coarse, reach, .. } = ground;
    let (x, n) = (fine.facet_places(facet), fine.normals[facet]);
    let range = reach + fine.size_of(facet);
    let opposite = ground.opposite(facet, range);
    let Some(along) = (x[1] - x[0]).try_normalize(0.0) else { return Vec::new() };
    let across = n.cross(&along);
    let in_plane = |p: &Vec3| [(p - x[0]).dot(&along), (p - x[0]).dot(&across)];
    let own = x.map(|p| in_plane(&p));
    let mut out = Vec::new();
    for (patch, (normal, deepest)) in opposite {
        let face = &coarse.patches[patch];
        let corner = |p: &u32| in_plane(&coarse.places[*p as usize]);
        let mut outline: Vec<Flat> = face.nodes[..face.corners].iter().map(corner).collect();
        outline.reverse();
        let middle = face.middle();
        let mut sample = |at: Flat, flat: f64| {
            let place = x[0] + along * at[0] + across * at[1];
            let hats = hats(&own, fine.depth.is_planar(), at);
            let facet = &fine.parts[facet];
            let on = fine.patches[facet.patch as usize].locate(facet.coordinates(&hats), 0.5, &place, &n, &fine.places);
            let other = face.locate(middle, 2.0, &place, &n, &coarse.places);
            let here = fine.patches[facet.patch as usize].place(on, &fine.places);
            let gap = (face.place(other, &coarse.places) - here).dot(&n);
            if gap <= range && gap >= -deepest {
                let weight = flat * fine.depth.around(&here);
                out.push(Sample { flat, weight, gap, normal, hats, own: on, patch, other });
            }
        };
        if fine.depth.is_planar() {
            over_line(&own, &outline, &mut sample)
        } else {
            over_polygon(clip(&own, &outline), &mut sample)
        }
    }
    out
}

/// Barycentric coordinates on a facet; of a line with its third corner at the second.
pub(super) fn hats(x: &[Flat; 3], planar: bool, at: Flat) -> [f64; 3] {
    if planar {
        let t = at[0] / x[1][0];
        return [1.0 - t, t, 0.0];
    }
    let whole = turn(x[0], x[1], x[2]);
    let b = turn(x[0], at, x[2]) / whole;
    let c = turn(x[0], x[1], at) / whole;
    [1.0 - b - c, b, c]
}

/// Twice the area of a triangle, positive where it turns left.
pub(super) fn turn(a: Flat, b: Flat, c: Flat) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

fn over_line(own: &[Flat; 3], other: &[Flat], sample: &mut impl FnMut(Flat, f64)) {
    let ends = [other[0][0].min(other[1][0]), other[0][0].max(other[1][0])];
    let (from, to) = (ends[0].max(0.0), ends[1].min(own[1][0]));
    if to > from {
        LINE.iter().for_each(|(t, weight)| sample([from + (to - from) * t, 0.0], weight * (to - from)));
    }
}

pub(super) fn over_polygon(outline: Vec<Flat>, sample: &mut impl FnMut(Flat, f64)) {
    let Some((first, rest)) = outline.split_first() else { return };
    for ends in rest.windows(2) {
        let x = [*first, ends[0], ends[1]];
        let area = 0.5 * turn(x[0], x[1], x[2]);
        for (two, one, weight) in TRIANGLE.iter().filter(|_| area > 0.0) {
            for k in 0..3 {
                let w = [0, 1, 2].map(|c| if c == k { *one } else { *two });
                sample([0, 1].map(|i| (0..3).map(|c| w[c] * x[c][i]).sum()), weight * area);
            }
        }
    }
}

/// The part of a triangle within a convex polygon, both turning left (Sutherland & Hodgman 1974, doi:10.1145/360767.360802).
pub(super) fn clip(own: &[Flat; 3], other: &[Flat]) -> Vec<Flat> {
    let mut out = own.to_vec();
    for k in 0..other.len() {
        let (a, b) = (other[k], other[(k + 1) % other.len()]);
        let before = std::mem::take(&mut out);
        for (i, p) in before.iter().enumerate() {
            let q = before[(i + 1) % before.len()];
            let (s, t) = (turn(a, b, *p), turn(a, b, q));
            if s >= 0.0 {
                out.push(*p);
            }
            if (s > 0.0 && t < 0.0) || (s < 0.0 && t > 0.0) {
                let w = s / (s - t);
                out.push([p[0] + w * (q[0] - p[0]), p[1] + w * (q[1] - p[1])]);
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use crate::skin::{Depth, Facet, MOST_NODES, Patch};

    const FLAT: Depth = Depth::Thickness(1.0);

    fn linear([x, _]: [f64; 2]) -> ([f64; MOST_NODES], [[f64; 2]; MOST_NODES]) {
        let (mut value, mut slope) = ([0.0; MOST_NODES], [[0.0; 2]; MOST_NODES]);
        (value[0], value[1]) = (0.5 * (1.0 - x), 0.5 * (1.0 + x));
        (slope[0][0], slope[1][0]) = (-0.5, 0.5);
        (value, slope)
    }

    /// A line of nodes with the normal to the right of the way along them.
    fn line(depth: Depth, places: &[Vec3]) -> Skin {
        let count = places.len() as u32;
        let points = (0..count).map(SurfacePoint::node).collect();
        let patches = (1..count).map(|k| Patch { nodes: vec![k - 1, k], corners: 2, shape: linear }).collect();
        let at = [[-1.0, 0.0], [1.0, 0.0], [1.0, 0.0]];
        let parts = (1..count).map(|k| Facet { corners: [k - 1, k, k], patch: k - 1, at }).collect();
        let shares = (1..count).map(|k| ([k - 1, k, k], 1.0)).collect();
        Skin::new(depth, points, (patches, parts), shares, |node| places[node])
    }

    fn sums(point: &SurfacePoint) -> f64 {
        point.parts().map(|(_, w)| w).sum()
    }

    /// Over a flat floor the gap of each node is its own, also where the line is tilted; weights add up to 1, areas to the length.
    #[test]
    fn gaps_of_nodes_are_their_own() {
        for tilt in [0.0, 0.004, -0.009] {
            let xs = [0.0, 0.3, 0.6, 1.0];
            let upper = line(FLAT, &xs.map(|x| Vec3::new(x, 0.4 + tilt * x, 0.0)));
            let lower = line(FLAT, &[1.3, 1.0, 0.7, 0.25, -0.4].map(|x| Vec3::new(x, 0.0, 0.0)));
            let mut mortar = Mortar::new(&upper, &lower, 1.0);
            let mut area = 0.0;
            for (k, x) in xs.iter().enumerate() {
                let joint = mortar.joint(k, &-Vec3::y()).unwrap();
                let gap = joint.places[0].y - joint.places[1].y;
                let own = 0.4 + tilt * x;
                assert!((gap - own).abs() < 1e-12, "tilt {tilt}, node {k}: {gap} of {own}");
                assert!(joint.sides.iter().all(|side| (sums(side) - 1.0).abs() < 1e-12));
                // half way between the normals of the two
                let between = Vec3::new(-(0.5 * tilt.atan()).sin(), (0.5 * tilt.atan()).cos(), 0.0);
                assert!((joint.normal - between).norm() < 1e-12, "{tilt}: {:?}", joint.normal);
                area += joint.area;
            }
            assert!((area - f64::hypot(1.0, tilt)).abs() < 1e-12, "{area}");
        }
    }

    /// A constant pressure of the joints is, on the other side, what it is on its own nodes: ∫ N.
    #[test]
    fn constant_pressures_pass() {
        let upper = line(FLAT, &[0.0, 0.3, 0.6, 1.0].map(|x| Vec3::new(x, 0.01, 0.0)));
        let lower = line(FLAT, &[1.0, 0.7, 0.25, 0.0].map(|x| Vec3::new(x, 0.0, 0.0)));
        let mut mortar = Mortar::new(&upper, &lower, 0.1);
        let mut forces = [[0.0; 4]; 2];
        for k in 0..4 {
            let joint = mortar.joint(k, &-Vec3::y()).unwrap();
            for (side, force) in joint.sides.iter().zip(&mut forces) {
                side.parts().for_each(|(node, w)| force[node] += w * joint.area);
            }
        }
        let exact = [[0.15, 0.3, 0.35, 0.2], [0.15, 0.375, 0.35, 0.125]];
        for (found, exact) in forces.iter().flatten().zip(exact.iter().flatten()) {
            assert!((found - exact).abs() < 1e-12, "{forces:?}");
        }
    }

    /// Half a facet beside the other body: its nodes are joined to nothing; what is covered is known.
    #[test]
    fn what_is_not_covered_is_not_joined() {
        let upper = line(FLAT, &[0.0, 0.4, 0.8].map(|x| Vec3::new(x, 0.01, 0.0)));
        let lower = line(FLAT, &[0.6, -0.1].map(|x| Vec3::new(x, 0.0, 0.0)));
        let mut mortar = Mortar::new(&upper, &lower, 0.1);
        assert!(mortar.joint(0, &-Vec3::y()).is_some());
        assert!(mortar.joint(1, &-Vec3::y()).is_none() && mortar.joint(2, &-Vec3::y()).is_none());
        assert!((mortar.cover(1).hats.iter().sum::<f64>() - 0.2).abs() < 1e-12);
    }
}
