//! The point of a skin that is nearest to a point, on which side that is, and the normal there. No bodies.

use mpcd_core::Vec3;

use super::foot::{FULL, Foot};
use super::{Skin, SurfacePoint};

/// Part of a facet's size within which two distances are one: the nearest point then lies on an edge or a corner.
pub(super) const TIE: f64 = 1e-9;

/// Weight that a corner may lack and still be the point meant: twice what points are drawn in by.
pub(super) const SNAP: f64 = 2.0 * super::DRAWN_IN;

/// How far apart, in the reference cell, the same place of a face and of a facet of it may be.
const NEAR: f64 = 0.5;

/// Where a skin is nearest to a point.
#[derive(Debug, Clone, PartialEq)]
pub struct Nearest {
    /// The point on the skin.
    pub on: SurfacePoint,
    /// Where that is (m).
    pub place: Vec3,
    /// Outward unit normal.
    pub normal: Vec3,
    /// Distance (m), negative inside.
    pub gap: f64,
    /// The point of the skin that it is, or lies beside.
    pub corner: Option<usize>,
    /// A facet that has it.
    pub facet: usize,
    /// Where it is on an edge or corner: the normals of the facets that meet there, as far as they are not the same.
    rim: Rim,
}

impl Nearest {
    /// Whether it is inside of a facet, or on an edge or corner of facets with one normal.
    pub(super) const fn is_on_a_facet(&self) -> bool {
        self.rim.count <= 1
    }

    /// Of a point at `x` whose nearest place is another point that has it as its own nearest, `back`: the two meet along the mean of the
    /// normals that they see.
    pub(super) fn met(self, x: &Vec3, (on, place): (SurfacePoint, Vec3), back: &Self) -> Self {
        let normal = (self.normal - back.normal).try_normalize(0.0).unwrap_or(self.normal);
        Self { on, place, normal, gap: normal.dot(&(x - place)), ..self }
    }

    /// The plane of a facet, as a point at `x` sees it.
    pub(super) fn on_facet(skin: &Skin, facet: usize, x: &Vec3) -> Self {
        let normal = skin.normals[facet];
        let (on, place) = skin.foot_of(facet, x);
        let gap = normal.dot(&(x - place));
        Self { on, place, normal, gap, corner: None, facet, rim: Rim::default() }
    }

    /// Two corners that point at each other: `self` is the corner of `skin` that is nearest to the point, along the mean normal of the two facets
    /// that look at each other most. `None` where they do not, or pass each other.
    pub(super) fn tip_to_tip(self, skin: &Skin, (from, point): (&Skin, usize)) -> Option<Self> {
        let q = self.corner?;
        let (x, y) = (from.places[point], skin.places[q]);
        let pairs =
            skin.facets_around(q).iter().flat_map(|a| from.facets_around(point).iter().map(move |b| (*a as usize, *b as usize)));
        let (a, b) = pairs.min_by(|(a, b), (c, d)| {
            skin.normals[*a].dot(&from.normals[*b]).total_cmp(&skin.normals[*c].dot(&from.normals[*d]))
        })?;
        if skin.normals[a].dot(&from.normals[b]) > -super::OPPOSED {
            return None;
        }
        let normal = (skin.normals[a] - from.normals[b]).try_normalize(0.0)?;
        let apart = x - y;
        let gap = normal.dot(&apart);
        let aside = (apart - normal * gap).norm();
        (aside <= SNAP * skin.size_of(a)).then(|| Self { on: skin.points[q].clone(), place: y, normal, gap, ..self })
    }
}

/// Normals of facets that meet in an edge or a corner; none inside of a facet.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Rim {
    normals: [Vec3; 6],
    count: usize,
}

impl Rim {
    fn add(&mut self, normal: Vec3) {
        let known = self.normals[..self.count].iter().any(|n| n.dot(&normal) > super::SAME);
        if !known && self.count < self.normals.len() {
            self.normals[self.count] = normal;
            self.count += 1;
        }
    }

    fn normals(&self) -> &[Vec3] {
        &self.normals[..self.count]
    }

    /// Whether the surface bends so little there that it stands for a smooth one.
    fn is_smooth(&self) -> bool {
        let normals = self.normals();
        normals.len() > 1 && normals.iter().all(|a| normals.iter().all(|b| a.dot(b) >= super::OPPOSED))
    }
}

/// Which facets are looked at, and which normals are taken.
pub(super) struct Among<'a> {
    pub(super) facets: &'a dyn Fn(usize) -> bool,
    pub(super) normals: &'a dyn Fn(&Vec3) -> bool,
    /// Whether what is looked for is of another body than the skin: then it is behind a facet only where the body holds it.
    pub(super) apart: bool,
}

impl<'a> Among<'a> {
    /// All facets with a normal that is taken, as another body sees them.
    pub(super) fn all(normals: &'a dyn Fn(&Vec3) -> bool) -> Self {
        Self { facets: &|_| true, normals, apart: true }
    }
}

/// The facets that have a place.
#[derive(Default)]
struct Around {
    /// Their normals, each by its angle there: on which side of the surface what is nearest to the place lies
    /// (Baerentzen & Aanaes 2005, doi:10.1109/TVCG.2005.49).
    turned: Vec3,
    rim: Rim,
}

impl Around {
    fn of(normal: Vec3, foot: &Foot) -> Self {
        let mut out = Self::default();
        out.add(normal, foot);
        out
    }

    fn add(&mut self, normal: Vec3, foot: &Foot) {
        self.turned += normal * foot.angle;
        self.rim.add(normal);
    }
}

/// What of some facets is closest to a point.
struct Closest {
    facet: usize,
    foot: Foot,
    /// The way out there.
    side: Vec3,
    /// Whether the point is behind.
    inside: bool,
    rim: Rim,
}

impl Skin {
    /// The nearest point no farther than `reach` (m) outside and `depth` (m) inside.
    #[must_use]
    pub fn nearest(&self, x: &Vec3, reach: f64, depth: f64) -> Option<Nearest> {
        self.nearest_among(x, reach, depth, &Among { facets: &|_| true, normals: &|_| true, apart: false })
    }

    /// Whether the body holds a point: it is behind what is nearest to it of the whole skin.
    pub(super) fn holds(&self, x: &Vec3) -> bool {
        self.nearest(x, 0.0, f64::INFINITY).is_some()
    }

    /// Whether the body holds a point that is behind the face of a facet by `depth` (m). A face that is not flat lies before or behind its facet: what is between
    /// the two is held as well as what is behind both.
    pub(super) fn holds_behind(&self, facet: usize, x: &Vec3, depth: f64) -> bool {
        let n = self.normals[facet];
        depth <= TIE.sqrt() * self.size_of(facet) || self.holds(&(self.foot(facet, x).place - n * depth))
    }

    /// The same among some facets. Of those that another body may touch, the nearest may lie behind a hollow, with its back to the point, as the
    /// outside of a wall does from within: such facets are passed over.
    pub(super) fn nearest_among(&self, x: &Vec3, reach: f64, depth: f64, among: &Among<'_>) -> Option<Nearest> {
        let far = reach.max(depth);
        let taken = |f: usize| (among.normals)(&self.normals[f]) && (among.facets)(f);
        let seen = self.closest(x, far, &taken)?;
        let seen = if among.apart && seen.inside && !self.holds(x) {
            let before = |f: usize| self.normals[f].dot(&(x - self.places[self.facets[f][0] as usize])) >= 0.0;
            self.closest(x, far, &|f| taken(f) && before(f)).filter(|seen| !seen.inside)?
        } else {
            seen
        };
        let Closest { facet, foot, side, inside, rim } = seen;
        let apart = x - foot.place;
        if foot.distance > if inside { depth } else { reach } {
            return None;
        }
        let corner = (0..self.corner_count()).find(|&k| foot.weights[k] >= 1.0 - SNAP);
        let interior = foot.angle == FULL;
        let near = foot.distance <= TIE.sqrt() * self.size_of(facet);
        let normal = match (interior, inside, near) {
            (true, ..) => self.normals[facet],
            (false, false, false) => apart / foot.distance,
            (false, true, false) => -apart / foot.distance,
            (false, _, true) => side,
        };
        let (on, place) = self.on_patch(facet, &foot);
        // The face that the facet is of may be curved: on which side of it the point is, it says itself.
        let gap = match (interior, inside) {
            (true, _) => (x - place).dot(&normal),
            (false, true) => -foot.distance,
            (false, false) => foot.distance,
        };
        Some(Nearest {
            on,
            place,
            normal,
            gap,
            corner: corner.map(|k| self.facets[facet][k] as usize),
            facet,
            rim: if interior { Rim::default() } else { rim },
        })
    }

    /// The place of some facets that is closest to a point, no farther than `far` (m).
    fn closest(&self, x: &Vec3, far: f64, taken: &dyn Fn(usize) -> bool) -> Option<Closest> {
        let mut best: Option<(usize, Foot)> = None;
        let mut around = Around::default();
        // Whether other places are as close, as all of a circle are to its centre.
        let mut elsewhere = false;
        self.tree.near([*x, *x], far, |f| {
            let tie = TIE * self.size_of(f);
            if !taken(f) {
                return best.as_ref().map_or(far, |(_, foot)| foot.distance + tie);
            }
            let foot = self.foot(f, x);
            let least = best.as_ref().map_or(far, |(_, foot)| foot.distance);
            if foot.distance <= far && foot.distance < least - tie {
                around = Around::of(self.normals[f], &foot);
                elsewhere = false;
                best = Some((f, foot));
            } else if let Some((facet, closest)) = best.as_ref().filter(|_| foot.distance <= least + tie) {
                elsewhere |= (foot.place - closest.place).norm() > TIE.sqrt() * self.size_of(f);
                around.add(self.normals[f], &foot);
                // which facet of equals has the point must not hang on the way through the tree
                if f < *facet {
                    best = Some((f, foot));
                }
            }
            best.as_ref().map_or(far, |(_, foot)| foot.distance + tie)
        });
        let (facet, foot) = best?;
        if elsewhere {
            let here = TIE.sqrt() * self.size_of(facet);
            around = Around::default();
            self.tree.near([foot.place; 2], here, |f| {
                let other = self.foot(f, x);
                let is_as_close = other.distance <= foot.distance + TIE * self.size_of(f);
                if taken(f) && is_as_close && (other.place - foot.place).norm() <= here {
                    around.add(self.normals[f], &other);
                }
                here
            });
        }
        let side = around.turned.try_normalize(0.0).unwrap_or(self.normals[facet]);
        let inside = (x - foot.place).dot(&side) < 0.0;
        Some(Closest { facet, foot, side, inside, rim: around.rim })
    }

    /// The same for a point of something sharp that is at `x`, looked for from a little inside of that: its gap is that of `x`.
    /// `among` says which normals its own surface is turned against there.
    pub(super) fn nearest_of_sharp(
        &self,
        (x, inner): (&Vec3, &Vec3),
        reach: f64,
        depth: f64,
        among: &Among<'_>,
    ) -> Option<Nearest> {
        let drawn = (x - inner).norm();
        let mut at = self.nearest_among(inner, reach + drawn, depth + drawn, among)?;
        if at.rim.count > 0 && !at.rim.is_smooth() {
            // Beyond the rim of a face something sharp does not touch it: corners of the face look for themselves.
            let apart = inner - at.place;
            let aside = |n: &Vec3| (apart - n * n.dot(&apart)).norm();
            let mut over = at.rim.normals().iter().filter(|n| aside(n) <= SNAP * self.size_of(at.facet));
            // Corner to corner no face is meant: what comes next decides.
            let (first, second) = (over.next(), over.next());
            at.normal = *first.filter(|_| second.is_none())?;
        }
        let gap = at.normal.dot(&(x - at.place));
        (gap <= reach && gap >= -depth && (among.normals)(&at.normal)).then_some(Nearest { gap, ..at })
    }

    /// The nearest point where that is a corner.
    pub(super) fn nearest_corner(&self, x: &Vec3, reach: f64, depth: f64, among: &Among<'_>) -> Option<Nearest> {
        self.nearest_among(x, reach, depth, among).filter(|at| at.corner.is_some() && at.rim.count > 0)
    }

    const fn corner_count(&self) -> usize {
        self.depth.corners()
    }

    /// Whether a point is over the inside of a facet, not over its rim or beyond.
    pub(super) fn is_inside(&self, facet: usize, x: &Vec3) -> bool {
        self.foot(facet, x).angle == FULL
    }

    /// Longest edge of a facet (m).
    pub(super) fn size_of(&self, facet: usize) -> f64 {
        let x = self.facet_places(facet);
        [x[1] - x[0], x[2] - x[1], x[0] - x[2]].iter().map(Vec3::norm_squared).fold(0.0, f64::max).sqrt()
    }

    /// The point of a facet nearest to another, and where it is.
    pub(super) fn foot_of(&self, facet: usize, p: &Vec3) -> (SurfacePoint, Vec3) {
        self.on_patch(facet, &self.foot(facet, p))
    }

    /// The point of the face that a facet is of at a place of the facet.
    fn on_patch(&self, facet: usize, foot: &Foot) -> (SurfacePoint, Vec3) {
        let (part, normal) = (&self.parts[facet], &self.normals[facet]);
        let patch = &self.patches[part.patch as usize];
        let at = patch.locate(part.coordinates(&foot.weights), NEAR, &foot.place, normal, &self.places);
        (patch.point(at, &self.points), patch.place(at, &self.places))
    }
}
