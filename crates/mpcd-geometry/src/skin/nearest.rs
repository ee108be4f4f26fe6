//! The point of a skin that is nearest to a point, on which side that is, and the normal there. No bodies.

use mpcd_core::Vec3;

use super::{Skin, SurfacePoint};

/// Part of a facet's size within which two distances are one: the nearest point then lies on an edge or a corner.
const TIE: f64 = 1e-9;

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
    /// Of a point at `x` whose nearest place is another point that has it as its own nearest, `back`: the two meet along the mean of the
    /// normals that they see.
    pub(super) fn met(self, x: &Vec3, (on, place): (SurfacePoint, Vec3), back: &Self) -> Self {
        let normal = (self.normal - back.normal).try_normalize(0.0).unwrap_or(self.normal);
        Self { on, place, normal, gap: normal.dot(&(x - place)), ..self }
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
}

impl<'a> Among<'a> {
    /// All facets with a normal that is taken.
    pub(super) fn all(normals: &'a dyn Fn(&Vec3) -> bool) -> Self {
        Self { facets: &|_| true, normals }
    }
}

/// Nearest point of one facet.
struct Foot {
    weights: [f64; 3],
    place: Vec3,
    distance: f64,
    /// How much the facet's normal counts where several meet: the angle that it has there.
    angle: f64,
}

impl Skin {
    /// The nearest point no farther than `reach` (m) outside and `depth` (m) inside.
    #[must_use]
    pub fn nearest(&self, x: &Vec3, reach: f64, depth: f64) -> Option<Nearest> {
        self.nearest_among(x, reach, depth, &Among::all(&|_| true))
    }

    /// The same among some facets.
    pub(super) fn nearest_among(&self, x: &Vec3, reach: f64, depth: f64, among: &Among<'_>) -> Option<Nearest> {
        let far = reach.max(depth);
        let mut best: Option<(usize, Foot)> = None;
        let mut turned = Vec3::zeros();
        let mut rim = Rim::default();
        self.tree.near([*x, *x], far, |f| {
            if !(among.normals)(&self.normals[f]) || !(among.facets)(f) {
                return best.as_ref().map_or(far, |(_, foot)| foot.distance + TIE * self.size_of(f));
            }
            let foot = self.foot(f, x);
            let least = best.as_ref().map_or(far, |(_, foot)| foot.distance);
            let tie = TIE * self.size_of(f);
            if foot.distance <= far && foot.distance < least - tie {
                turned = self.normals[f] * foot.angle;
                rim = Rim::default();
                rim.add(self.normals[f]);
                best = Some((f, foot));
            } else if foot.distance <= least + tie && best.is_some() {
                rim.add(self.normals[f]);
                turned += self.normals[f] * foot.angle;
                // which facet of equals has the point must not hang on the way through the tree
                if best.as_ref().is_some_and(|(b, _)| f < *b) {
                    best = Some((f, foot));
                }
            }
            best.as_ref().map_or(far, |(_, foot)| foot.distance + tie)
        });
        let (facet, foot) = best?;
        let apart = x - foot.place;
        let side = turned.try_normalize(0.0).unwrap_or(self.normals[facet]);
        let inside = apart.dot(&side) < 0.0;
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
        // The face that the facet is of may be curved.
        let distance = if interior { (x - place).dot(&normal).abs() } else { foot.distance };
        Some(Nearest {
            on,
            place,
            normal,
            gap: if inside { -distance } else { distance },
            corner: corner.map(|k| self.facets[facet][k] as usize),
            facet,
            rim: if interior { Rim::default() } else { rim },
        })
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

    pub(super) fn size_of(&self, facet: usize) -> f64 {
        let x = self.facet_places(facet);
        (x[1] - x[0]).amax().max((x[2] - x[0]).amax())
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

    fn foot(&self, facet: usize, p: &Vec3) -> Foot {
        let x = self.facet_places(facet);
        let weights = if self.depth.is_planar() { on_line(&x, p) } else { on_triangle(&x, p) };
        let place = x[0] * weights[0] + x[1] * weights[1] + x[2] * weights[2];
        let distance = (p - place).norm();
        Foot { weights, place, distance, angle: angle_at(self.depth.is_planar(), &x, &weights) }
    }
}

/// The angle about a point inside of a facet.
const FULL: f64 = std::f64::consts::TAU;

/// The angle that a facet has at a point of it: all around inside, half of that on an edge, its own at a corner. A line has half of it at its ends.
fn angle_at(planar: bool, x: &[Vec3; 3], weights: &[f64; 3]) -> f64 {
    let count = if planar { 2 } else { 3 };
    let on = weights[..count].iter().filter(|w| **w > 0.0).count();
    if on == count {
        return FULL;
    }
    if planar || on == 2 {
        return 0.5 * FULL;
    }
    let corner = (0..3).find(|&k| weights[k] > 0.0).unwrap_or(0);
    let (a, b) = (x[(corner + 1) % 3] - x[corner], x[(corner + 2) % 3] - x[corner]);
    a.cross(&b).norm().atan2(a.dot(&b))
}

/// Weights of the corners of a line's point nearest to `p`.
fn on_line(x: &[Vec3; 3], p: &Vec3) -> [f64; 3] {
    let along = x[1] - x[0];
    let t = ((p - x[0]).dot(&along) / along.norm_squared()).clamp(0.0, 1.0);
    [1.0 - t, t, 0.0]
}

/// Weights of the corners of a triangle's point nearest to `p` (Ericson, Real-Time Collision Detection, 2005, §5.1.5).
fn on_triangle([a, b, c]: &[Vec3; 3], p: &Vec3) -> [f64; 3] {
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let (d1, d2) = (ab.dot(&ap), ac.dot(&ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return [1.0, 0.0, 0.0];
    }
    let bp = p - b;
    let (d3, d4) = (ab.dot(&bp), ac.dot(&bp));
    if d3 >= 0.0 && d4 <= d3 {
        return [0.0, 1.0, 0.0];
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        let t = d1 / (d1 - d3);
        return [1.0 - t, t, 0.0];
    }
    let cp = p - c;
    let (d5, d6) = (ab.dot(&cp), ac.dot(&cp));
    if d6 >= 0.0 && d5 <= d6 {
        return [0.0, 0.0, 1.0];
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        let t = d2 / (d2 - d6);
        return [1.0 - t, 0.0, t];
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        let t = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return [0.0, 1.0 - t, t];
    }
    let all = va + vb + vc;
    let (v, w) = (vb / all, vc / all);
    [1.0 - v - w, v, w]
}
