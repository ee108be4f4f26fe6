//! What goes past a point of a skin within a step. A curved rigid body has the plane in which they come closest on the way, in place of the plane in which they
//! are apart at its start: one that slides along a flat side comes over the nodes ahead, whose planes at the start lean against it. A flat face that leans over
//! them is not touched: before it comes its corner, which has its own contact. No search for bodies.

use mpcd_core::{BodyId, Dimension, Quat, Vec3};

use super::edges::Ridge;
use super::flush::Together;
use super::meet::Obstacles;
use super::nearest::Among;
use super::patch::flat;
use super::rigid::BESIDE_CONE;
use super::{BodySkin, Nearest, SAME, Skin, SurfacePoint};
use crate::narrow::{Buffers, GRAZE, Item, Search, Spot, meet};
use crate::shape::Core;

/// Steps of the search for the closest place on the way, each of which at least halves what is left after two.
const LOOKS: usize = 60;
/// Ways of a step within which they come closest: what is closest at a distance d of the way leans by d/R and is d²/2R apart, which the way w closes by w d/R:
/// beyond two ways its plane is not in the way, and what rests there stays in the plane of its node.
const WAYS: f64 = 2.0;
/// Part of a facet's size up to which a line past a point is one through it.
const AT_NODE: f64 = 0.05;
/// Cosine between the normal and the way at which the body is closest.
const CLOSEST: f64 = 1e-15;
/// Part of its lean that the plane must still have beyond to be another than one that goes past: the straight side of a capsule that lies there has none but that of
/// its own small turning.
const STRAIGHT: f64 = 0.1;
/// Sine of the angle by which a flat face must lean against the surface about a point to go past it: below that it takes 10⁻¹² of the speed along it.
const LEANS: f64 = 1e-6;
/// The same of a facet, which bends where it is pressed: 10⁻⁶ of the speed.
const FACET_LEANS: f64 = 1e-3;
/// Part of a facet's size by which a point must be before the one behind a rim to come past that.
const BEFORE: f64 = 1e-9;

/// A rigid body, and how it moves within the step: its way (m) and its turning (rad).
pub(super) struct Moving<'a> {
    pub(super) item: &'a Item<'a>,
    pub(super) way: Vec3,
    pub(super) turn: Vec3,
}

impl Moving<'_> {
    /// How far a place of it goes in the step (m).
    pub(super) fn way_of(&self, place: &Vec3) -> Vec3 {
        self.way + self.turn.cross(&(place - self.item.x))
    }

    /// Radius (m) of what is curved where a spot is on it: 0 at a sharp rim of something curved. `None` of what has flat faces alone.
    fn radius_at(&self, spot: &Spot) -> Option<f64> {
        let curvature = spot.curvature[0].max(spot.curvature[1]);
        if curvature > 0.0 && curvature.is_finite() {
            return Some(1.0 / curvature);
        }
        self.item.parts().find_map(|part| match part.core {
            Core::Polytope { rounding, .. } if *rounding > 0.0 => Some(*rounding * part.size),
            Core::Smooth(_) => Some(0.0),
            _ => None,
        })
    }
}

/// Whether what goes `apart` (m) from a face with a normal comes nearer to it by more than [`FACET_LEANS`] of its way.
pub(super) fn approaches(normal: &Vec3, apart: &Vec3) -> bool {
    normal.dot(apart) < -FACET_LEANS * apart.norm()
}

/// The part across a surface that looks along `out` of how something moves from it (m), where that has a normal that leans against it by more than the angle of
/// this sine.
fn leaning(out: Option<Vec3>, normal: &Vec3, apart: &Vec3, sine: f64) -> Option<Vec3> {
    let along = flat(*apart, &out?);
    (normal.dot(&along) < -sine * along.norm()).then_some(along)
}

/// A point of a skin, and what it looks to together with bodies that are flush there.
pub(super) struct Point<'a> {
    pub(super) own: &'a BodySkin<'a>,
    pub(super) p: usize,
    pub(super) together: Option<Together>,
}

impl Point<'_> {
    /// The direction that the surface there looks to which is nearest to another; `None` where all look away from it.
    fn outward(&self, to: &Vec3) -> Option<Vec3> {
        match &self.together {
            Some(together) => together.nearest(to),
            None => self.own.skin.outward(self.p, to),
        }
    }

    /// Whether a body flush there hides from the point what it touches along a direction.
    pub(super) fn is_hidden(&self, along: &Vec3) -> bool {
        self.together.as_ref().is_some_and(|t| t.hides(along, BESIDE_CONE))
    }
}

/// Where a point of a skin looks from, and how it got there from its own place (m).
#[derive(Clone, Copy)]
pub(super) struct Looking {
    pub(super) place: Vec3,
    pub(super) drawn: Vec3,
}

/// A sharp corner of a rigid body: the body, where the corner is, and a place a little inside of it.
pub(super) struct Tip<'a> {
    pub(super) body: BodyId,
    pub(super) moving: &'a Moving<'a>,
    pub(super) place: Vec3,
    pub(super) inner: Vec3,
}

/// The plane in which a point and a body pass each other: the normal from the body, how far the point is beyond it where it is now (m), and
/// the foot of the point on the line along the normal through the centre of the body's curvature.
pub(super) struct Passing {
    pub(super) normal: Vec3,
    pub(super) gap: f64,
    pub(super) line: Vec3,
    /// How much of the way to where they are closest is along the normal (m): a point of the surface before the line comes that much closer.
    pub(super) lead: f64,
}

impl Obstacles<'_> {
    /// A point of a skin as something that touches it sees it.
    pub(super) fn point<'a>(&self, mover: BodyId, (own, p): (&'a BodySkin<'a>, usize), buffers: &mut Buffers) -> Point<'a> {
        Point { own, p, together: self.together_at(mover, (own, p), buffers) }
    }

    /// Whether bodies flush beside `owner` hide its face with a normal at a place from `mover`.
    pub(super) fn is_hidden(
        &self,
        bodies: (BodyId, BodyId),
        (place, normal): (&Vec3, &Vec3),
        size: f64,
        buffers: &mut Buffers,
    ) -> bool {
        self.together(bodies, place, size, buffers).is_some_and(|t| t.hides(normal, FACET_LEANS))
    }

    /// A spot on something round, seen from a place that is `drawn` away from the point (m), as the point itself sees it.
    pub(super) fn undraw(&self, spot: &mut Spot, drawn: &Vec3) {
        let [across, along] = spot.curvature;
        let is_round = across > 0.0 && across.is_finite() && (self.dimension == Dimension::Planar || across == along);
        if is_round {
            let radius = 1.0 / across;
            let arm = spot.n * (spot.gap + spot.n.dot(drawn) + radius) - drawn;
            if let Some(n) = arm.try_normalize(0.0) {
                (spot.n, spot.gap) = (n, arm.norm() - radius);
            }
        }
    }

    /// How a spot that a point of a skin sees on a curved body changes until they are closest; `None` where they part, or what is there is not curved.
    /// How they approach each other across the surface at the point is left to the solution: it does not count.
    pub(super) fn pass(
        &self,
        point: &Point<'_>,
        at: Looking,
        (body, spot): (&Moving<'_>, &Spot),
        buffers: &mut Buffers,
    ) -> Option<Passing> {
        let radius = body.radius_at(spot)?;
        let centre = at.place - spot.n * (spot.gap + radius);
        let out = point.outward(&-spot.n)?;
        let (own, p) = (point.own, point.p);
        let way = own.skin.ways[p];
        let apart = way - body.way - body.turn.cross(&(centre - body.item.x));
        let approach = out.dot(&apart);
        let along = flat(apart, &out);
        if spot.n.dot(&along) >= -CLOSEST * along.norm() {
            return None;
        }
        let mut look =
            |s: f64| self.on_the_way(at, (body, spot), [way * s, (body.way + out * approach) * s], s, along.norm(), buffers);
        let slope = |n: &Vec3| n.dot(&along) / along.norm();
        if slope(&look(WAYS)?.0) < STRAIGHT * slope(&spot.n) {
            return None;
        }
        let (mut low, mut high) = ((0.0, slope(&spot.n)), (1.0, 0.0));
        let (mut n, mut gap) = look(1.0)?;
        let mut s = 1.0;
        high.1 = slope(&n);
        if high.1 > 0.0 {
            let mut least = high.1;
            // by false position, the end that stays made half as heavy (Dowell & Jarratt 1971, doi:10.1007/BF01934364)
            for _ in 0..LOOKS {
                let next = (low.0 * high.1 - high.0 * low.1) / (high.1 - low.1);
                if least <= CLOSEST || !(low.0 < next && next < high.0) {
                    break;
                }
                let (there, apart) = look(next)?;
                let here = slope(&there);
                if here.abs() <= least {
                    (s, n, gap, least) = (next, there, apart, here.abs());
                }
                if here < 0.0 {
                    (low, high.1) = ((next, here), 0.5 * high.1);
                } else {
                    (high, low.1) = ((next, here), 0.5 * low.1);
                }
            }
        }
        let line = centre + n * n.dot(&(at.place - centre));
        let lead = -s * n.dot(&along);
        Some(Passing { normal: n, gap: gap + lead, line, lead })
    }

    /// Whether a flat face that a point of a skin sees leans over the surface about it and goes past it within [`WAYS`] of this step, so that what comes next leans
    /// less: its corner, or its edge over an edge of the surface, comes before it and touches. How they approach each other across the surface does not count.
    pub(super) fn goes_past(
        &self,
        point: &Point<'_>,
        at: Looking,
        (body, spot): (&Moving<'_>, &Spot),
        buffers: &mut Buffers,
    ) -> bool {
        if body.radius_at(spot).is_some() {
            return false;
        }
        let foot = at.place - spot.n * spot.gap;
        let apart = point.own.skin.ways[point.p] - body.way_of(&foot);
        let Some(along) = leaning(point.outward(&-spot.n), &spot.n, &apart, LEANS) else { return false };
        let there = self.on_the_way(at, (body, spot), [along * WAYS, Vec3::zeros()], 0.0, along.norm(), buffers);
        there.is_some_and(|(n, _)| (n - spot.n).dot(&along) > LEANS * along.norm())
    }

    /// Whether bodies flush beside another hide its face, or its edge, from a point of a skin that comes nearer to it.
    pub(super) fn face_is_hidden(
        &self,
        point: &Point<'_>,
        (body, moving): (BodyId, &Moving<'_>),
        spot: &Spot,
        buffers: &mut Buffers,
    ) -> bool {
        let (own, p) = (point.own, point.p);
        let foot = own.skin.places[p] - spot.n * spot.gap;
        let apart = own.skin.ways[p] - moving.way_of(&foot);
        let size = own.skin.size_of(own.skin.home[p] as usize);
        if moving.radius_at(spot).is_some() && self.is_covered((own.body, body), (&foot, &spot.n, spot.gap), size, buffers) {
            return true;
        }
        approaches(&spot.n, &apart) && self.is_hidden((own.body, body), (&foot, &spot.n), size, buffers)
    }

    /// The same of a facet of another skin, or of a face of that which a body flush beside it hides.
    pub(super) fn facet_goes_past(
        &self,
        (own, p): (&BodySkin<'_>, usize),
        other: &BodySkin<'_>,
        at: &Nearest,
        buffers: &mut Buffers,
    ) -> bool {
        let apart = own.skin.ways[p] - other.skin.way_at(at.facet, &at.place);
        let x = (&own.skin.places[p], &own.skin.inner[p]);
        if self.facet_passes(own.skin.outward(p, &-at.normal), x, &apart, (other, at)) {
            return true;
        }
        if !approaches(&at.normal, &apart) {
            return false;
        }
        let size = other.skin.size_of(at.facet);
        let point = self.point(other.body, (own, p), buffers);
        point.is_hidden(&-at.normal)
            || self.is_hidden((own.body, other.body), (&at.place, &at.normal), size, buffers)
            || point.together.is_some() && self.facet_passes(point.outward(&-at.normal), x, &apart, (other, at))
    }

    /// Where a point of something sharp at `x`, which goes `apart` (m) from another skin within the step, comes past the rim of the facet that it would meet: the facet behind the
    /// rim, before which the point still is when it has come to the first. Both planes part the two now; it enters the body through the last, if at all. `faces` says
    /// whether the surface about the point is turned against a normal. What is pressed on without getting on by more than flush edges may overlap keeps its plane.
    pub(super) fn behind_rim(
        &self,
        other: &BodySkin<'_>,
        (at, x, apart): (&Nearest, &Vec3, Vec3),
        mut faces: impl FnMut(&Vec3) -> bool,
    ) -> Option<Nearest> {
        let skin = other.skin;
        let closing = -at.normal.dot(&apart);
        if at.gap >= closing || closing <= GRAZE * skin.size_of(at.facet) || skin.is_inside(at.facet, x) {
            return None;
        }
        let when = (at.gap / closing).max(0.0);
        let rim = skin.foot(at.facet, x).place;
        let mut best: Option<(usize, f64)> = None;
        skin.facets_near([rim; 2], BEFORE * skin.size_of(at.facet), |f| {
            let n = skin.normals[f];
            let (before, size) = (n.dot(&(x - rim)), skin.size_of(f));
            let left = before + n.dot(&apart) * when;
            let passes = n.dot(&at.normal) <= SAME && before > BEFORE * size && left >= 0.0;
            let is_better = best.is_none_or(|(g, most)| left > most || left == most && f < g);
            if passes && is_better && skin.foot(f, &rim).distance <= BEFORE * size && faces(&n) {
                best = Some((f, left));
            }
        });
        best.map(|(f, _)| Nearest::on_facet(skin, f, x))
    }

    /// Where a sharp corner of a rigid body comes past the rim of what it looks at.
    pub(super) fn tip_behind_rim(
        &self,
        tip: &Tip<'_>,
        other: &BodySkin<'_>,
        at: &Nearest,
        buffers: &mut Buffers,
    ) -> Option<Nearest> {
        let apart = tip.moving.way_of(&tip.place) - other.skin.way_at(at.facet, &at.place);
        let size = other.skin.size_of(at.facet);
        self.behind_rim(other, (at, &tip.place, apart), |n| {
            self.is_turned_against((other.body, tip.body), (&tip.place, n), size, buffers)
        })
    }

    /// Whether a sharp rigid body that `mover` touches, with what is flush there, is turned against a normal at a place of its surface.
    fn is_turned_against(
        &self,
        (mover, owner): (BodyId, BodyId),
        (place, n): (&Vec3, &Vec3),
        size: f64,
        buffers: &mut Buffers,
    ) -> bool {
        let out = self.together((mover, owner), place, size, buffers).and_then(|out| out.nearest(&-n));
        out.is_some_and(|out| out.dot(n) < -SAME)
    }

    /// Whether an edge of a skin and one of a rigid body beside it, which are apart along `spot.n`, pass each other within the step with one of the two faces at the edge between
    /// them: corners and points see what comes next.
    pub(super) fn edges_pass(
        &self,
        own: &BodySkin<'_>,
        (ridge, place): (&Ridge, &Vec3),
        (moving, body): (&Moving<'_>, BodyId),
        spot: &Spot,
        buffers: &mut Buffers,
    ) -> bool {
        let apart = moving.way_of(&spot.on_first) - own.skin.way_at(ridge.facet, place);
        let size = ridge.length();
        let between = spot.on_first - place;
        let closing = -spot.n.dot(&apart);
        let when = (spot.gap / closing).max(0.0);
        spot.gap < closing
            && closing > GRAZE * size
            && ridge.normals.iter().any(|n| {
                n.dot(&between) > BEFORE * size
                    && n.dot(&(between + apart * when)) >= 0.0
                    && self.is_turned_against((own.body, body), (&spot.on_first, n), size, buffers)
            })
    }

    /// Whether a facet that a sharp corner of a rigid body sees goes past it, as in [`Self::facet_goes_past`].
    pub(super) fn corner_goes_past(&self, tip: &Tip<'_>, other: &BodySkin<'_>, at: &Nearest, buffers: &mut Buffers) -> bool {
        let apart = tip.moving.way_of(&tip.place) - other.skin.way_at(at.facet, &at.place);
        if !approaches(&at.normal, &apart) {
            return false;
        }
        let size = other.skin.size_of(at.facet);
        // Where the body and what the corner lies on have a side in common, what begins there below it is none of the two, whatever these are to each other.
        let of_side = self.together((tip.body, other.body), &at.place, size, buffers);
        if of_side.is_some_and(|t| !t.is_hollow() && t.hides(&at.normal, FACET_LEANS)) {
            return true;
        }
        let Some(together) = self.together((other.body, tip.body), &tip.place, size, buffers) else { return false };
        let out = together.nearest(&-at.normal);
        if together.shared {
            // What has sunk in is before the corner as well as beyond it: what it lies on bears it.
            let is_sunk = |out: &Vec3| {
                let depth = |x: &Vec3| out.dot(&(tip.place - x));
                other.skin.facet_places(at.facet).iter().any(|x| depth(x) > GRAZE * size)
            };
            let leans = leaning(out, &at.normal, &apart, FACET_LEANS).is_some();
            if together.hides(&-at.normal, BESIDE_CONE) || leans && out.as_ref().is_some_and(is_sunk) {
                return true;
            }
        }
        self.facet_passes(out, (&tip.place, &tip.inner), &apart, (other, at))
    }

    /// Whether a point that looks along `out` and goes `apart` from a facet that leans against that comes past it.
    fn facet_passes(
        &self,
        out: Option<Vec3>,
        (x, inner): (&Vec3, &Vec3),
        apart: &Vec3,
        (other, at): (&BodySkin<'_>, &Nearest),
    ) -> bool {
        let Some(along) = leaning(out, &at.normal, apart, FACET_LEANS) else { return false };
        // The gap of a curved face is that of the face, and it leans as its facet does: it is in the way farther off.
        let bulge = at.normal.dot(&(x - other.skin.foot(at.facet, x).place)) - at.gap;
        let (way, least) = (along.norm(), FACET_LEANS * WAYS * along.norm());
        let ahead = if bulge > least && at.gap > least { other.skin.size_of(at.facet) } else { 0.0 };
        let (by, drawn) = (along * WAYS.max(ahead / way), inner - x);
        let far = at.gap.abs() + self.alert + by.norm() + drawn.norm();
        let there = other.skin.nearest_among(&(inner + by), far, far, &Among::all(&|_| true));
        there.is_some_and(|there| (there.normal - at.normal).dot(&along) > FACET_LEANS * way)
    }

    /// What a point sees of a body nearest to a spot, the normal and the gap (m), where both have gone these ways (m) and the body has turned by a part of
    /// what it turns in the step; `step` is how far they pass each other in it (m).
    fn on_the_way(
        &self,
        at: Looking,
        (body, spot): (&Moving<'_>, &Spot),
        [own, way]: [Vec3; 2],
        turned: f64,
        step: f64,
        buffers: &mut Buffers,
    ) -> Option<(Vec3, f64)> {
        let from = at.place + at.drawn + own;
        let q = Quat::from_scaled_axis(body.turn * turned) * body.item.q;
        let moved = Item { x: body.item.x + way, q, ..*body.item };
        let point = Core::Round { radius: 0.0, tapers: false };
        let item = Item { core: &point, x: from, q: Quat::identity(), size: 1.0, reach: 0.0 };
        buffers.spots.clear();
        let alert = spot.gap.max(0.0) + self.alert + WAYS * step + at.drawn.norm();
        meet(&item, &moved, &Search { dimension: self.dimension, alert }, buffers);
        // a round end may have gone on, and the side that it ends come over the point
        let same = buffers.spots.iter().find(|s| s.feature == spot.feature);
        let found = same.or_else(|| buffers.spots.iter().min_by(|a, b| a.gap.total_cmp(&b.gap)))?;
        let mut found = *found;
        found.gap -= found.n.dot(&at.drawn);
        self.undraw(&mut found, &at.drawn);
        Some((found.n, found.gap))
    }
}

impl Skin {
    /// How far a place of a facet goes in the step (m).
    pub(super) fn way_at(&self, facet: usize, place: &Vec3) -> Vec3 {
        let foot = self.foot(facet, place);
        self.facets[facet].iter().zip(foot.weights).map(|(p, w)| self.ways[*p as usize] * w).sum()
    }

    /// Where the line through `x` along `n` meets the surface around a point: the side and its place. `None` where that is beyond the facets there, or so
    /// near to the point that it had better be this one, which may not sink in.
    pub(super) fn on_line(&self, point: usize, n: &Vec3, x: &Vec3) -> Option<(SurfacePoint, Vec3)> {
        let size = self.facets_around(point).iter().map(|f| self.size_of(*f as usize)).fold(f64::INFINITY, f64::min);
        if flat(x - self.places[point], n).norm() <= AT_NODE * size {
            return None;
        }
        self.facets_around(point).iter().find_map(|f| {
            let f = *f as usize;
            let (mut on, mut place) = self.over(f, x)?;
            let patch = self.parts[f].patch as usize;
            let is_below = self.normals[f].dot(n) < 0.0 && self.move_below(patch, n, x, (&mut on, &mut place));
            is_below.then_some((on, place))
        })
    }
}
