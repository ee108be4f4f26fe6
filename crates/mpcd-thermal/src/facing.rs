//! Faces that look at each other and are not level, from the contact points of a pair: how large they are, how far apart, and what gas conducts between them. Level ones are patches, and
//! what touches is none of this room.

use std::{borrow::Cow, cmp::Ordering, ops::Range};

use mpcd_core::{Contact, ContactGeometry, ContactNetwork, Vec3};

/// Rise of a face over the other beyond which the two do not look at each other (45°).
const STEEP: f64 = 1.0;
/// Sine of the angle up to which normals are one, and part of a size by which a point may be off a plane.
const SAME: f64 = 1e-6;
/// Rise below which a face is level.
const LEVEL: f64 = 1e-9;
/// Part by which distances differ that are one.
const EVEN: f64 = 1e-4;

/// A pair of bodies whose faces are not level.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Tilted {
    /// Its contacts in the network.
    pub(crate) contacts: Range<usize>,
    /// The nearest of them.
    pub(crate) nearest: usize,
    faces: Vec<Face>,
    /// What the patches of its contacts have more than these faces, of a round end on which few points stand; 1 where that is nothing.
    more: f64,
}

impl Tilted {
    /// What one sees of the other, A F (m²).
    pub(crate) fn sees(&self) -> f64 {
        self.more * self.faces.iter().map(Face::sees).sum::<f64>()
    }

    /// ∫ dA/(gap + `jump`) over the faces (m).
    pub(crate) fn over_gap(&self, jump: f64) -> f64 {
        self.more * self.faces.iter().map(|face| face.over_gap(jump)).sum::<f64>()
    }
}

/// The pairs of rigid bodies whose faces are not level, and whether one has contacts and nothing of a size that looks at the other. `width` is that of two bodies of a planar model (m), `None`
/// in space; `looks` says which pairs matter.
pub(crate) fn tilted(
    network: &ContactNetwork,
    looks: impl Fn(&Contact) -> bool,
    width: impl Fn(&Contact) -> Option<f64>,
) -> (Vec<Tilted>, bool) {
    let (mut out, mut unseen, mut from) = (Vec::new(), false, 0);
    for pair in network.contacts.chunk_by(|a, b| a.bodies() == b.bodies()) {
        let (start, lead) = (from, &pair[0]);
        from += pair.len();
        let is_sharp = |c: &Contact| matches!(c.geometry, ContactGeometry::Flat { .. });
        let near = within(pair, network.reach);
        if near.is_empty() {
            continue;
        }
        if !pair.iter().any(is_sharp) || network.on_mesh(&lead.key).is_some() || !looks(lead) {
            continue;
        }
        let faces = faces(&near, width(lead));
        let of_patches: f64 = near.iter().map(|c| if let ContactGeometry::Flat { area } = c.geometry { area } else { 0.0 }).sum();
        if faces.is_empty() {
            unseen |= of_patches == 0.0 && pair.iter().all(is_sharp);
            continue;
        }
        let area: f64 = faces.iter().flat_map(|face| face.pieces().map(|(_, area)| area).collect::<Vec<_>>()).sum();
        let more = if area > 0.0 { (of_patches / area).max(1.0) } else { 1.0 };
        let nearest = (0..pair.len()).filter(|k| is_sharp(&pair[*k])).min_by(|a, b| pair[*a].gap.total_cmp(&pair[*b].gap));
        out.push(Tilted { contacts: start..from, nearest: start + nearest.unwrap_or(0), faces, more });
    }
    (out, unseen)
}

/// The contacts of a pair that are no farther apart than `reach` (m).
fn within(pair: &[Contact], reach: f64) -> Cow<'_, [Contact]> {
    let is_near = |c: &&Contact| c.gap <= reach;
    if pair.iter().all(|c| is_near(&c)) {
        Cow::Borrowed(pair)
    } else {
        Cow::Owned(pair.iter().filter(is_near).copied().collect())
    }
}

/// One face over another: corners in the plane of the other (m), with their gaps (m).
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Face {
    corners: Vec<[f64; 3]>,
    /// Rise of the gap over the way.
    rise: f64,
    /// What a planar face is wide (m).
    width: f64,
}

/// The faces with which a pair of rigid bodies look at each other by these contacts, if their points are sharp and not level: those beside the nearest edge. Empty where patches tell all. `width` is
/// that of a planar model (m).
fn faces(contacts: &[Contact], width: Option<f64>) -> Vec<Face> {
    let sharp = |c: &&Contact| matches!(c.geometry, ContactGeometry::Flat { .. });
    let Some(lead) = contacts.iter().filter(sharp).min_by(|a, b| a.gap.total_cmp(&b.gap)) else { return Vec::new() };
    let (n, origin) = (lead.frame.n, lead.point);
    let t = lead.frame.t;
    let s = n.cross(&t);
    let of_one = contacts.iter().filter(sharp).filter(|c| c.frame.n.dot(&n) > 0.0 && c.frame.n.cross(&n).norm() <= SAME);
    let points: Vec<[f64; 3]> = of_one
        .map(|c| {
            let at: Vec3 = c.point - origin;
            [t.dot(&at), if width.is_some() { 0.0 } else { s.dot(&at) }, c.gap]
        })
        .collect();
    let found = match width {
        Some(width) => strips(&points, width),
        None => polygons(&points),
    };
    // a level one is a patch, and known better
    if found.iter().any(|f| f.rise <= LEVEL) { Vec::new() } else { found.into_iter().filter(|f| f.rise <= STEEP).collect() }
}

fn nearest(points: &[[f64; 3]]) -> [f64; 3] {
    points.iter().copied().min_by(|a, b| a[2].total_cmp(&b[2])).unwrap_or_default()
}

/// In the plane: from the nearest point the flattest way to either side.
fn strips(points: &[[f64; 3]], width: f64) -> Vec<Face> {
    let from = nearest(points);
    let flattest = |side: f64| {
        let rise = |p: &[f64; 3]| (p[2] - from[2]) / (side * (p[0] - from[0]));
        let beside = points.iter().filter(|p| side * (p[0] - from[0]) > 0.0);
        let to = *beside.min_by(|a, b| rise(a).total_cmp(&rise(b)))?;
        Some(Face { corners: vec![from, to], rise: rise(&to), width })
    };
    [1.0, -1.0].into_iter().filter_map(flattest).collect()
}

/// In space: from the nearest point the flattest edge, and the flattest plane on either side of that.
fn polygons(points: &[[f64; 3]]) -> Vec<Face> {
    let from = nearest(points);
    let arm = |p: &[f64; 3]| [p[0] - from[0], p[1] - from[1]];
    let size = points.iter().map(|p| arm(p)[0].hypot(arm(p)[1])).fold(0.0, f64::max);
    let far = |p: &[f64; 3]| arm(p)[0].hypot(arm(p)[1]);
    let rise = |p: &[f64; 3]| (p[2] - from[2]) / far(p);
    let others = || points.iter().filter(|p| far(p) > SAME * size);
    let Some(edge) = others().min_by(|a, b| rise(a).total_cmp(&rise(b))) else { return Vec::new() };
    let (along, slope) = (arm(edge).map(|x| x / far(edge)), rise(edge));
    let beside = |p: &[f64; 3]| along[0] * arm(p)[1] - along[1] * arm(p)[0];
    let over = |p: &[f64; 3]| p[2] - from[2] - slope * (along[0] * arm(p)[0] + along[1] * arm(p)[1]);
    let flattest = |side: f64| {
        let out = |p: &[f64; 3]| side * beside(p);
        let ways = others().filter(|p| out(p) > SAME * size).map(|p| over(p) / out(p));
        let across = ways.min_by(f64::total_cmp)?;
        let on_it = |p: &&[f64; 3]| out(p) >= -SAME * size && (over(p) - across * out(p)).abs() <= SAME * size;
        let corners = outline(points.iter().filter(on_it).copied().collect());
        Some(Face { corners, rise: slope.hypot(across), width: 1.0 })
    };
    [1.0, -1.0].into_iter().filter_map(flattest).filter(|f| f.corners.len() > 2).collect()
}

/// The convex hull of places, counter-clockwise (Andrew's monotone chain, doi:10.1016/0020-0190(79)90072-3).
fn outline(mut points: Vec<[f64; 3]>) -> Vec<[f64; 3]> {
    points.sort_by(|a, b| match a[0].total_cmp(&b[0]) {
        Ordering::Equal => a[1].total_cmp(&b[1]),
        other => other,
    });
    let turns = |a: &[f64; 3], b: &[f64; 3], c: &[f64; 3]| (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    let mut out: Vec<[f64; 3]> = Vec::with_capacity(2 * points.len());
    for pass in [points.clone(), points.into_iter().rev().collect()] {
        let start = out.len();
        for p in pass {
            while out.len() >= start + 2 && turns(&out[out.len() - 2], &out[out.len() - 1], &p) <= 0.0 {
                out.pop();
            }
            out.push(p);
        }
        out.pop();
    }
    out
}

impl Face {
    /// Its pieces: corners and area in the plane of the other (m²).
    fn pieces(&self) -> impl Iterator<Item = (Vec<f64>, f64)> + '_ {
        let gap = |p: &[f64; 3]| p[2].max(0.0);
        let strip = (self.corners.len() == 2).then(|| {
            let [a, b] = [&self.corners[0], &self.corners[1]];
            (vec![gap(a), gap(b)], (b[0] - a[0]).abs() * self.width)
        });
        let triangle = move |k: usize| {
            let [a, b, c] = [0, k, k + 1].map(|k| &self.corners[k]);
            let area = 0.5 * ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])).abs();
            ([a, b, c].into_iter().map(gap).collect(), area)
        };
        let many = self.corners.len();
        strip.into_iter().chain((1..many.saturating_sub(1)).map(triangle))
    }

    /// What it sees of the other, A F (m²): as of an inclined face over a plane, F = (1 + cos θ)/2.
    fn sees(&self) -> f64 {
        let area: f64 = self.pieces().map(|(_, area)| area).sum();
        let cosine = 1.0 / self.rise.hypot(1.0);
        area / cosine * 0.5 * (1.0 + cosine)
    }

    /// ∫ dA/(gap + `jump`) over it (m), exact for gaps that overlap nowhere.
    fn over_gap(&self, jump: f64) -> f64 {
        self.pieces()
            .map(|(gaps, area)| {
                let mut widths: Vec<f64> = gaps.into_iter().map(|g| g + jump).collect();
                widths.sort_by(f64::total_cmp);
                area * mean_inverse(&widths)
            })
            .sum()
    }
}

/// The mean of 1/w over a way or a triangle along which w is linear between these values, rising and above zero: n! times the divided difference of w ln w − w for n = 2, of ln w for n = 1
/// (Hermite and Genocchi).
fn mean_inverse(widths: &[f64]) -> f64 {
    let (least, most) = (widths[0], widths[widths.len() - 1]);
    if most - least <= EVEN * least {
        return widths.len() as f64 / widths.iter().sum::<f64>();
    }
    // that of w ln w − w between two values, less ln a
    let between = |a: f64, b: f64| {
        let x = (b - a) / a;
        if x < 1e-5 { 0.5 * x - x * x / 6.0 } else { ((1.0 + x) * x.ln_1p() - x) / x }
    };
    match *widths {
        [a, b] => (b / a).ln() / (b - a),
        [a, b, c] => 2.0 * ((b / a).ln() + between(b, c) - between(a, b)) / (c - a),
        _ => 1.0 / least,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By fine sums.
    #[test]
    fn means_of_inverse_widths() {
        for w in [[1.0, 2.0, 5.0], [1e-6, 1e-6, 1.0], [1e-6, 1.0, 1.0], [1.0, 1.0 + 3e-4, 1.0 + 3e-4], [1.0, 1.0 + 1e-5, 1.0]] {
            let mut widths = w.to_vec();
            widths.sort_by(f64::total_cmp);
            // over the triangle: layers of equal first weight have the mean of the other two, a logarithm
            let n = 200_000;
            let layer = |k: usize| {
                // fine at both ends, where the gap may be next to nothing
                let part = (k as f64 + 0.5) / n as f64;
                let (u, du) = (part * part * (3.0 - 2.0 * part), 6.0 * part * (1.0 - part) / n as f64);
                let [p, q] = [0, 2].map(|i| u * widths[i] + (1.0 - u) * widths[1]);
                // from one edge through the middle corner to the other: the way across at height u
                let mean = if (p - q).abs() < 1e-6 * p { 2.0 / (p + q) } else { (p / q).ln() / (p - q) };
                2.0 * u * du * mean
            };
            let sum: f64 = (0..n).map(layer).sum();
            let found = mean_inverse(&widths);
            assert!((found / sum - 1.0).abs() < 1e-6, "{widths:?}: {found}, {sum}");
        }
        assert!((mean_inverse(&[1.0, 3.0]) - 3.0_f64.ln() / 2.0).abs() < 1e-15);
    }

    /// A square face of 2 m that rises by a tenth, its upper corners in the list as well: gas by the logarithm.
    #[test]
    fn a_tilted_square() {
        let mut points = Vec::new();
        for (x, y) in [(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)] {
            points.push([x, y, 0.01 + 0.1 * x]);
            points.push([x - 0.1, y, 1.01 + 0.1 * x]);
        }
        let found = polygons(&points);
        let flat: Vec<&Face> = found.iter().filter(|f| f.rise < STEEP).collect();
        assert_eq!(flat.len(), 1, "{found:?}");
        assert!((flat[0].rise - 0.1).abs() < 1e-12);
        let exact = 2.0 * (0.211_f64 / 0.011).ln() / 0.1;
        assert!((flat[0].over_gap(1e-3) / exact - 1.0).abs() < 1e-12);
        let cosine = 1.0 / 1.01_f64.sqrt();
        assert!((flat[0].sees() - 4.0 / cosine * 0.5 * (1.0 + cosine)).abs() < 1e-12);
        // on its edge both faces look down; on a corner none of three edges is a face alone
        let edge = strips(&[[0.0, 0.0, 0.1], [1.0, 0.0, 0.6], [-1.0, 0.0, 1.0]], 2.0);
        assert!(edge.len() == 2 && (edge[0].over_gap(0.0) - 2.0 * 6.0_f64.ln() / 0.5).abs() < 1e-12);
    }
}
