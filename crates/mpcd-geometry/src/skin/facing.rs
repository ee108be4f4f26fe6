//! How much of a skin faces something round: what looks towards it within its outline, seen along the normal of their contact. A bond stands for the
//! cross-section of the smaller of two bodies, and what faces each other is never more than either. Who touches is decided elsewhere.

use std::f64::consts::{FRAC_PI_2, TAU};

use mpcd_core::{Frame, Vec3};

use super::mortar::{Flat, clip, turn};
use super::{Depth, Skin};

/// Corners of the polygon that stands for a disc, of the disc's area.
const AROUND: u32 = 96;

/// Cosine of the angle from which on a facet looks towards something.
const LOOKS: f64 = 1e-6;

/// The outline of something round across the normal of a contact.
#[derive(Debug, Clone, Copy)]
pub(super) enum Outline {
    /// About a place (m); in the plane the length to both sides of it.
    Disc { at: Vec3, radius: f64 },
    /// To both sides (m) of a line between two places.
    Strip { ends: [Vec3; 2], half: f64 },
}

impl Outline {
    /// Its middle, how far it reaches from there, and how far to the side of its line (m).
    fn extent(&self) -> (Vec3, f64, f64) {
        match self {
            Self::Disc { at, radius } => (*at, *radius, *radius),
            Self::Strip { ends: [a, b], half } => (0.5 * (a + b), 0.5 * (b - a).norm() + half, *half),
        }
    }

    /// Its corners in the plane of two axes, turning left about their normal.
    fn corners(&self, axes: &[Vec3; 2], origin: &Vec3) -> Vec<Flat> {
        let flat = |x: &Vec3| axes.map(|a| a.dot(&(x - origin)));
        match self {
            Self::Disc { at, radius } => {
                let ([x, y], angle) = (flat(at), TAU / f64::from(AROUND));
                let far = radius * (angle / angle.sin()).sqrt();
                let corner = |k: u32| {
                    let (sin, cos) = (angle * f64::from(k)).sin_cos();
                    [x + far * cos, y + far * sin]
                };
                (0..AROUND).map(corner).collect()
            }
            Self::Strip { ends, half } => {
                let [a, b] = ends.map(|x| flat(&x));
                let (way, length) = ([b[0] - a[0], b[1] - a[1]], f64::hypot(b[0] - a[0], b[1] - a[1]));
                let aside = [-way[1] / length * half, way[0] / length * half];
                let off = |p: Flat, by: f64| [p[0] + by * aside[0], p[1] + by * aside[1]];
                vec![off(a, -1.0), off(b, -1.0), off(b, 1.0), off(a, 1.0)]
            }
        }
    }
}

/// What a length of a line in the plane stands for.
#[derive(Debug, Clone, Copy)]
pub(super) enum Across {
    /// This much along z (m).
    Thickness(f64),
    /// The chords of a ball (m) about the place.
    Ball(f64),
    /// The way around the axis, x being the radius.
    Ring,
}

impl Skin {
    /// Area (m²) of what faces something along `n`, which points into the skin's body, within an outline; no more than `enough` is counted. In space what lies
    /// behind something that faces it as well (the bottom of a cavity) counts again.
    pub(super) fn facing(&self, n: &Vec3, outline: &Outline, across: Across, enough: f64) -> f64 {
        if self.depth.is_planar() { self.facing_line(n, outline, across) } else { self.facing_plane(n, outline, enough) }
    }

    fn facing_line(&self, n: &Vec3, outline: &Outline, across: Across) -> f64 {
        let (middle, reach, _) = outline.extent();
        let along = Frame::planar(*n).t;
        let mut spans: Vec<[f64; 2]> = Vec::new();
        self.facets_facing(n, outline, |[a, b, _]| {
            let [a, b] = [a, b].map(|x| along.dot(&(x - middle)).clamp(-reach, reach));
            spans.push([a.min(b), a.max(b)]);
        });
        spans.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
        let (mut sum, mut reached) = (0.0, f64::NEG_INFINITY);
        for [from, to] in spans {
            let from = from.max(reached);
            if to > from {
                sum += across.of([from, to], &middle, &along);
                reached = to;
            }
        }
        sum
    }

    fn facing_plane(&self, n: &Vec3, outline: &Outline, enough: f64) -> f64 {
        let frame = Frame::spatial(*n);
        let axes = [frame.t, frame.s()];
        let (origin, _, half) = outline.extent();
        let corners = outline.corners(&axes, &origin);
        let inner = half * (0.5 * TAU / f64::from(AROUND)).cos();
        let is_disc = matches!(outline, Outline::Disc { .. });
        let mut sum = 0.0;
        self.facets_facing(n, outline, |x| {
            if sum >= enough {
                return;
            }
            // seen along the normal, which it looks against, a facet turns right
            let own = [x[0], x[2], x[1]].map(|x| axes.map(|a| a.dot(&(x - origin))));
            let is_inside = is_disc && own.iter().all(|p| p[0].hypot(p[1]) <= inner);
            sum += if is_inside { 0.5 * turn(own[0], own[1], own[2]) } else { area(&clip(&own, &corners)) };
        });
        sum.min(enough)
    }

    /// Calls `visit` with the corners of the facets that look against `n`, near an outline: no farther before or behind it than it reaches to the side.
    pub(super) fn facets_facing(&self, n: &Vec3, outline: &Outline, mut visit: impl FnMut([Vec3; 3])) {
        let (middle, reach, half) = outline.extent();
        let mut facets = Vec::new();
        self.facets_near([middle.add_scalar(-reach), middle.add_scalar(reach)], half, |f| facets.push(f));
        facets.sort_unstable();
        facets.dedup();
        for f in facets {
            let x = self.facet_places(f);
            let heights = x.map(|x| n.dot(&(x - middle)));
            let is_near = heights.iter().any(|h| *h <= half) && heights.iter().any(|h| *h >= -half);
            if is_near && self.normals[f].dot(n) < -LOOKS {
                visit(x);
            }
        }
    }
}

impl Across {
    pub(super) fn new(depth: Depth, thickness: f64, ball: Option<f64>) -> Self {
        match (depth, ball) {
            (Depth::Ring, _) => Self::Ring,
            (_, Some(radius)) => Self::Ball(radius),
            _ => Self::Thickness(thickness),
        }
    }

    /// Area (m²) of a part of a line, from and to these lengths along it from its middle.
    fn of(self, [from, to]: [f64; 2], middle: &Vec3, along: &Vec3) -> f64 {
        match self {
            Self::Thickness(t) => t * (to - from),
            Self::Ball(r) => {
                // half of ∫ 2 √(r² − s²) ds
                let half = |s: f64| {
                    let t = (s / r).clamp(-1.0, 1.0);
                    if t.abs() == 1.0 { FRAC_PI_2 * t } else { t * (1.0 - t * t).sqrt() + t.asin() }
                };
                r * r * (half(to) - half(from))
            }
            Self::Ring => (TAU * (to - from) * (middle.x + along.x * 0.5 * (from + to))).max(0.0),
        }
    }
}

/// Area of a polygon that turns left.
pub(super) fn area(polygon: &[Flat]) -> f64 {
    let Some((first, rest)) = polygon.split_first() else { return 0.0 };
    rest.windows(2).map(|ends| 0.5 * turn(*first, ends[0], ends[1])).sum()
}
