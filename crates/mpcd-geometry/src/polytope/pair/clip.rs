//! Where two features lie over each other, seen along the normal: the polygon of one face inside the outline of the other
//! (Sutherland & Hodgman, CACM 17, 1974, doi:10.1145/360767.360802), each corner with the features that make it.

use mpcd_core::Vec3;

use super::{types::Patch, view::View};
use crate::{
    corner_shares,
    polytope::{Feature, FeaturePair},
};

/// A corner of the common polygon.
#[derive(Debug, Clone, Copy)]
pub(super) struct Corner {
    /// On the subject (m).
    pub(super) point: Vec3,
    /// Of the subject and of the outline.
    pub(super) feature: FeaturePair,
    /// What the polygon follows from here to the next corner.
    follows: Follows,
    /// What it stands for (m² or m), see [`share_out`].
    pub(super) share: f64,
}

#[derive(Debug, Clone, Copy)]
enum Follows {
    /// An edge of the subject.
    Edge(u16),
    /// A side of the outline.
    Side(usize),
}

/// What is cut: a face, or the only edge of a segment in space.
#[derive(Debug, Clone, Copy)]
pub(super) enum Cut {
    Face(usize),
    Segment,
}

/// What it is cut to.
pub(super) struct Outline<'a> {
    pub(super) view: &'a View<'a>,
    /// A face; `None` for the ends of a segment in space.
    pub(super) face: Option<usize>,
    /// The direction along which the two are seen.
    pub(super) n: &'a Vec3,
    /// A vertex of the subject this far outside of a side (m) still counts as inside.
    pub(super) margin: f64,
}

impl Outline<'_> {
    fn feature(&self) -> Feature {
        self.face.map_or(Feature::Edge(0), |f| Feature::Face(f as u16))
    }

    fn sides(&self) -> usize {
        self.face.map_or(2, |f| self.view.hull.sides(f).len())
    }

    /// Outward unit normal of the wall through side k along n, a point of it, and the number of its edge and vertex.
    fn wall(&self, k: usize) -> (Vec3, Vec3, u16, u16) {
        let Some(face) = self.face else {
            let [from, to] = self.view.ends(0);
            let e = if k == 0 { from - to } else { to - from };
            return ((e - self.n * e.dot(self.n)).normalize(), if k == 0 { from } else { to }, 0, k as u16);
        };
        let side = &self.view.hull.sides(face)[k];
        let vertex = self.view.hull.face_vertices(face)[k];
        let (outward, normal) = (self.view.direction(&side.outward), self.view.normal(face));
        let slant = outward.dot(self.n) / normal.dot(self.n);
        let wall = if slant == 0.0 { outward } else { (outward - normal * slant).normalize() };
        (wall, self.view.vertices[vertex as usize], side.edge, vertex)
    }

    /// The vertex between two sides that follow each other.
    fn vertex_between(&self, a: usize, b: usize) -> u16 {
        let Some(face) = self.face else { return b as u16 };
        let corners = self.view.hull.face_vertices(face);
        if (b + 1) % corners.len() == a { corners[a] } else { corners[b] }
    }
}

/// The part of `subject` inside of the outline, in `polygons[0]`; `polygons[1]` is scratch.
pub(super) fn clip(subject: &View, cut: Cut, outline: &Outline, polygons: &mut [Vec<Corner>; 2]) {
    let [polygon, scratch] = polygons;
    start(subject, cut, outline.feature(), polygon);
    // Two vertices are a line from the first to the second, not a way round.
    let open = polygon.len() == 2;
    for k in 0..outline.sides() {
        let (wall, at, edge, vertex) = outline.wall(k);
        scratch.clear();
        let outside = |c: &Corner| wall.dot(&(c.point - at));
        for i in 0..polygon.len() {
            let (here, next) = (polygon[i], polygon[(i + 1) % polygon.len()]);
            let (a, b) = (outside(&here), outside(&next));
            let (inside, next_inside) = (a <= outline.margin, b <= outline.margin);
            if inside {
                scratch.push(here);
            }
            if inside == next_inside || (open && i + 1 == polygon.len()) {
                continue;
            }
            let feature = match (here.follows, outline.face) {
                (Follows::Side(other), _) => {
                    FeaturePair { first: cut.feature(), second: Feature::Vertex(outline.vertex_between(other, k)) }
                }
                (Follows::Edge(_), None) => FeaturePair { first: cut.feature(), second: Feature::Vertex(vertex) },
                (Follows::Edge(_), Some(_)) if outline.view.hull.is_planar() => {
                    FeaturePair { first: cut.feature(), second: Feature::Vertex(vertex) }
                }
                (Follows::Edge(own), Some(_)) => FeaturePair { first: Feature::Edge(own), second: Feature::Edge(edge) },
            };
            let point = here.point + (next.point - here.point) * (a / (a - b)).clamp(0.0, 1.0);
            let follows = if inside && !open { Follows::Side(k) } else { here.follows };
            scratch.push(Corner { point, feature, follows, share: 0.0 });
        }
        std::mem::swap(polygon, scratch);
    }
}

/// All corners of what is cut.
pub(super) fn start(subject: &View, cut: Cut, other: Feature, polygon: &mut Vec<Corner>) {
    polygon.clear();
    let corner = |vertex: u16, edge: u16| Corner {
        point: subject.vertices[vertex as usize],
        feature: FeaturePair { first: Feature::Vertex(vertex), second: other },
        follows: Follows::Edge(edge),
        share: 0.0,
    };
    match cut {
        Cut::Segment => polygon.extend([corner(0, 0), corner(1, 0)]),
        Cut::Face(face) => {
            let sides = subject.hull.sides(face).iter().zip(subject.hull.face_vertices(face));
            polygon.extend(sides.map(|(side, &vertex)| corner(vertex, side.edge)));
        }
    }
}

impl Cut {
    pub(super) fn feature(self) -> Feature {
        match self {
            Self::Face(f) => Feature::Face(f as u16),
            Self::Segment => Feature::Edge(0),
        }
    }
}

/// The length of what two corners span, seen along `n`.
fn length([a, b]: [&Corner; 2], n: &Vec3) -> f64 {
    let e = b.point - a.point;
    (e - n * e.dot(n)).norm()
}

/// Tells what the corners of a polygon that lie on the other body make, all of it or, where only an edge or a corner lies there, nothing; and gives each
/// its share of the area (m²) or length (m): 0 of nothing.
pub(super) fn share_out(polygon: &mut [Corner], n: &Vec3, shares: &mut Vec<f64>, lies: impl FnMut(&Corner) -> bool) -> Patch {
    polygon.iter_mut().for_each(|c| c.share = 0.0);
    if polygon.len() < 2 || !polygon.iter().all(lies) {
        return Patch::Point;
    }
    if let [a, b] = polygon {
        let length = length([a, b], n);
        (a.share, b.share) = (0.5 * length, 0.5 * length);
        return Patch::Line { length };
    }
    let area = corner_shares::of_polygon(polygon.iter().map(|c| c.point), n, shares);
    polygon.iter_mut().zip(&*shares).for_each(|(c, share)| c.share = area * share);
    Patch::Face { area }
}
