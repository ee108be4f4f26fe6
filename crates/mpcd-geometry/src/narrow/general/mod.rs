//! The contact points of two cores, whichever they are: clusters are taken apart, then each pair of families has one
//! procedure. Bodies that are only balls, planes, plain segments and boxes have shorter ways, in the rooms beside.

mod clip;
mod convex;
mod corner;
mod distance;
mod expand;
mod few;
mod hollow;
mod mouth;
mod once;
mod seam;
mod surface;
mod surfaces;
mod way_out;

pub(crate) use corner::{Beginning, beginnings, turned};
pub(crate) use seam::{Beside, hides, may_turn};
pub(crate) use surface::side_core;

use mpcd_core::{Dimension, Quat, Vec3};

use crate::{
    polytope::{Feature, Manifold, ManifoldPoint, Patch, Placed, Reach, manifold, nearest, on_half_space, part_of_first},
    shape::{Cavity, Core, TriMesh},
};

/// Part of a body's size that sharp edges may overlap sideways without a contact; see [`Reach::graze`].
pub(crate) const GRAZE: f64 = 1e-4;
/// Below this part of the lengths involved a distance has no direction.
const NO_DIRECTION: f64 = 1e-14;

/// A core somewhere.
#[derive(Clone, Copy)]
pub(crate) struct Item<'a> {
    pub(crate) core: &'a Core,
    pub(crate) x: Vec3,
    pub(crate) q: Quat,
    pub(crate) size: f64,
    /// Radius of a ball about `x` that holds it (m).
    pub(crate) reach: f64,
}

/// A contact point of two cores: normal from the second to the first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Spot {
    pub(crate) feature: u64,
    /// On the first body's surface (m).
    pub(crate) on_first: Vec3,
    pub(crate) n: Vec3,
    pub(crate) gap: f64,
    /// The first body's part of the gap, 0 to 1: where the common point is.
    pub(crate) part: f64,
    /// Sums of the principal curvatures [1/m].
    pub(crate) curvature: [f64; 2],
    /// Area (m²) of flat on flat, length (m) of a line, else 0.
    pub(crate) share: f64,
    /// How alike the two principal curvatures of the gap are, [`roundness`]: those above are as of something as round.
    pub(crate) roundness: f64,
}

/// Buffers of the general narrow phase, one set for each piece of work.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    manifold: Manifold,
    pub(crate) spots: Vec<Spot>,
    polygons: [Vec<Vec3>; 3],
    /// What the corners of a polygon stand for.
    shares: Vec<f64>,
    triangles: Vec<u32>,
}

/// What all pairs of one call share.
#[derive(Clone, Copy)]
pub(crate) struct Search {
    pub(crate) dimension: Dimension,
    /// Points with a gap up to this are wanted (m).
    pub(crate) alert: f64,
}

impl<'a> Item<'a> {
    /// From the core's axes at reference size to the world.
    pub(crate) fn world(&self, v: &Vec3) -> Vec3 {
        self.x + self.q * (v * self.size)
    }

    /// From the world to the core's axes at reference size.
    pub(crate) fn local(&self, v: &Vec3) -> Vec3 {
        self.q.inverse_transform_vector(&(v - self.x)) / self.size
    }

    pub(crate) fn with<'b>(&self, core: &'b Core) -> Item<'b> {
        Item { core, ..*self }
    }

    /// The parts of a cluster, or the one core.
    pub(crate) fn parts(&self) -> impl Iterator<Item = Item<'a>> + Clone + use<'a> {
        let item = *self;
        let (one, many) = match item.core {
            Core::Cluster(parts) => (None, parts.iter()),
            _ => (Some(item), [].iter()),
        };
        one.into_iter().chain(many.map(move |p| Item {
            core: &p.core,
            x: item.world(&p.at),
            q: item.q * p.rotation,
            size: item.size,
            reach: p.reach() * item.size,
        }))
    }

    /// Distance of a point inside from the nearest wall of the body's cavity (m).
    pub(crate) fn wall_distance(&self, cavity: &Cavity, x: &Vec3) -> f64 {
        let mut least = f64::INFINITY;
        cavity.walls(&self.local(x), |distance, _, _| least = least.min(distance));
        least * self.size
    }

    /// Whether a triangle's box is within `range` of a point.
    pub(crate) fn near_mesh(&self, mesh: &TriMesh, x: &Vec3, range: f64) -> bool {
        let x = self.local(x);
        mesh.any_near(&x, range / self.size)
    }

    /// What the coordinates of a point of it are made of (m): its own, and those from the centre.
    fn lengths(&self, point: &Vec3) -> f64 {
        point.norm() + (point - self.x).norm()
    }

    /// Families in the order of candidates.
    const fn rank(&self) -> u8 {
        rank(self.core)
    }

    /// Lower and upper corner of a box in the axes of `of` that holds it (m, at the reference size of `of`).
    fn extent_in(&self, of: &Item<'_>) -> [Vec3; 2] {
        let [lower, upper] = self.core.bounds();
        let middle = of.local(&self.world(&(0.5 * (lower + upper))));
        let turn = (of.q.inverse() * self.q).to_rotation_matrix();
        let half = turn.matrix().abs() * (0.5 * (upper - lower)) * (self.size / of.size);
        [middle - half, middle + half]
    }
}

/// Families in the order of candidates: the more curved and more finite first.
pub(crate) const fn rank(core: &Core) -> u8 {
    match core {
        Core::Round { .. } => 0,
        Core::Smooth(_) => 1,
        Core::Polytope { .. } => 2,
        Core::Cluster(_) => 3,
        Core::Mesh(_) => 4,
        Core::Hollow { .. } => 5,
        Core::HalfSpace { .. } => 6,
        Core::Deformable { .. } => 7,
    }
}

/// Appends the contact points of two bodies to `buffers.spots`, each feature once.
pub(crate) fn meet(first: &Item<'_>, second: &Item<'_>, search: &Search, buffers: &mut Buffers) {
    let whole = !matches!(first.core, Core::Cluster(_)) && !matches!(second.core, Core::Cluster(_));
    if whole {
        return of_parts(first, second, search, buffers);
    }
    let start = buffers.spots.len();
    let mut spans = once::Spans::default();
    for (i, a) in (0..).zip(first.parts()) {
        for (k, b) in (0..).zip(second.parts()) {
            let from = buffers.spots.len();
            if near(&a, &b, search.alert) {
                of_parts(&a, &b, search, buffers);
            }
            for spot in &mut buffers.spots[from..] {
                spot.feature = mix(mix(i, k), spot.feature);
            }
            leave_twins(&mut buffers.spots, [start, from], a.reach.min(b.reach));
            spans.count_once(&mut buffers.spots, from);
        }
    }
    spans.drop_what_they_hold(&mut buffers.spots, start);
}

/// Part of a body's size, and angle, up to which two lines of something round are one place.
const TWINS: f64 = 1e-5;
/// The same of two points: as far as [`seam`] takes normals for the same and leaves both, and a little farther, so that a ball that goes over flush parts has one point everywhere.
const ONE_POINT: f64 = 1.1e-4;

/// Drops the spots from `from` on, those of one pair of parts, that have been found since `start` with another part: where two flush parts meet, what is round touches both in one
/// place. Of points the nearer one stays; a line is dropped where both have all of it, and stays where one has what the other has not. Of areas see [`once`].
fn leave_twins(spots: &mut Vec<Spot>, [start, from]: [usize; 2], size: f64) {
    if from == start {
        return;
    }
    let twin = |spots: &[Spot], s: &Spot| {
        let near = if s.share == 0.0 && s.curvature[1] > 0.0 { ONE_POINT } else { TWINS };
        let same = |o: &Spot| {
            (o.on_first - s.on_first).norm() <= near * size
                && (o.n - s.n).norm() <= near
                && o.curvature[0] > 0.0
                && (o.share - s.share).abs() <= TWINS * size
        };
        spots[start..from].iter().position(same).filter(|_| s.curvature[0] > 0.0).map(|k| start + k)
    };
    if spots[from..].iter().all(|s| twin(spots, s).is_some()) {
        for k in from..spots.len() {
            let s = spots[k];
            if let Some(own) = twin(spots, &s).filter(|own| s.share == 0.0 && s.gap < spots[*own].gap) {
                spots[own] = s;
            }
        }
        spots.truncate(from);
    }
}

/// One number for two; different pairs give different ones, but for one in 2⁶⁴.
pub(crate) const fn mix(a: u64, b: u64) -> u64 {
    // The finaliser of SplitMix64 (Steele, Lea, Flood 2014, doi:10.1145/2714064.2660195).
    let mut z = a.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(0xD1B5_4A32_D192_ED03).rotate_left(17) ^ b;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// Whether the balls about two parts are within `range`; half-spaces and cavities always are.
fn near(a: &Item<'_>, b: &Item<'_>, range: f64) -> bool {
    (a.x - b.x).norm() <= a.reach + b.reach + range
}

fn of_parts(first: &Item<'_>, second: &Item<'_>, search: &Search, buffers: &mut Buffers) {
    if first.rank() <= second.rank() {
        return ordered(first, second, search, buffers);
    }
    let from = buffers.spots.len();
    ordered(second, first, search, buffers);
    for spot in &mut buffers.spots[from..] {
        spot.on_first -= spot.gap * spot.n;
        spot.n = -spot.n;
        spot.part = 1.0 - spot.part;
    }
}

/// One procedure for each pair of families, the lower rank first.
fn ordered(first: &Item<'_>, second: &Item<'_>, search: &Search, buffers: &mut Buffers) {
    match (first.core, second.core) {
        (_, Core::Deformable { .. }) => {}
        (Core::Hollow { .. }, Core::Hollow { .. }) => hollow::both(first, second, search, buffers),
        (Core::Hollow { outside, .. }, _) => ordered(&first.with(outside), second, search, buffers),
        (_, Core::Hollow { .. }) => hollow::in_or_out(first, second, search, buffers),
        (Core::Mesh(mesh), Core::HalfSpace { normal }) => surfaces::on_plane(first, mesh, second, normal, search, buffers),
        (Core::Mesh(mesh), Core::Mesh(other)) => surfaces::on_surface(first, second, [mesh, other], search, buffers),
        (_, Core::Mesh(mesh)) => surface::on(first, second, mesh, search, buffers),
        (Core::Round { radius, tapers }, Core::HalfSpace { normal }) => {
            let n = second.q * normal;
            let r = radius * first.size;
            round(first.x, (r, *tapers), n, n.dot(&(first.x - second.x)) - r, [0.0; 2], 0, search, buffers);
        }
        (Core::Round { radius, tapers }, Core::Round { radius: other, tapers: tapering }) => {
            let (r, s) = (radius * first.size, other * second.size);
            let apart = first.x - second.x;
            let distance = apart.norm();
            let n = if distance > NO_DIRECTION * (r + s) { apart / distance } else { up(search.dimension) };
            round(first.x, (r, *tapers), n, distance - r - s, ball(1.0 / s, search.dimension, *tapering), 0, search, buffers);
        }
        (Core::Round { radius, tapers }, Core::Polytope { hull, rounding }) => {
            let at = nearest(&placed(second, hull, *rounding), &first.x);
            let curvature = rounded(&at.feature, rounding * second.size, search.dimension);
            let r = radius * first.size;
            round(first.x, (r, *tapers), at.normal, at.distance - r, curvature, at.feature.code().into(), search, buffers);
        }
        (Core::Polytope { hull, rounding }, Core::HalfSpace { normal }) => {
            let reach = reach(hull.outer_radius() * first.size, search);
            on_half_space(&placed(first, hull, *rounding), &(second.q * normal), &second.x, &reach, &mut buffers.manifold);
            take(buffers, [rounding * first.size, 0.0], search);
        }
        (Core::Polytope { hull, rounding }, Core::Polytope { hull: other, rounding: outer }) => {
            let (a, b) = (placed(first, hull, *rounding), placed(second, other, *outer));
            let least = (hull.outer_radius() * first.size).min(other.outer_radius() * second.size);
            manifold(&a, &b, &reach(least, search), &mut buffers.manifold);
            take(buffers, [a.rounding, b.rounding], search);
        }
        (Core::Smooth(body), Core::HalfSpace { normal }) => convex::on_plane(first, &**body, second, normal, search, buffers),
        _ => convex::on_convex(first, second, search, buffers),
    }
}

fn reach(outer_radius: f64, search: &Search) -> Reach {
    Reach { alert: search.alert, graze: GRAZE * outer_radius }
}

fn placed<'a>(item: &Item<'_>, hull: &'a crate::polytope::Polytope, rounding: f64) -> Placed<'a> {
    Placed { hull, position: item.x, orientation: item.q, size: item.size, rounding: rounding * item.size }
}

/// A round first body of radius `r` at `centre`, and whether it is a ball.
#[allow(clippy::too_many_arguments, reason = "one place for all round candidates")]
fn round(
    centre: Vec3,
    (r, tapers): (f64, bool),
    n: Vec3,
    gap: f64,
    antagonist: [f64; 2],
    feature: u64,
    search: &Search,
    buffers: &mut Buffers,
) {
    if gap > search.alert {
        return;
    }
    let own = if r > 0.0 { ball(1.0 / r, search.dimension, tapers) } else { [0.0; 2] };
    buffers.spots.push(Spot {
        feature,
        on_first: centre - r * n,
        n,
        gap,
        part: part(own[0], antagonist[0]),
        curvature: [own[0] + antagonist[0], own[1] + antagonist[1]],
        share: 0.0,
        roundness: roundness([own[0] + antagonist[0], own[1] + antagonist[1]]),
    });
}

/// The candidate's part of the gap: in proportion to the radii, see [`crate::Touch`]. A hollow antagonist bends around the
/// candidate: then the common point is on the candidate, which so rolls with the arm that its radius is.
fn part(own: f64, antagonist: f64) -> f64 {
    if own > 0.0 && antagonist > 0.0 {
        antagonist / (own + antagonist)
    } else if antagonist > 0.0 {
        1.0
    } else {
        0.0
    }
}

/// Curvatures of something round: in the plane a disc is straight along z, a ball is not.
fn ball(k: f64, dimension: Dimension, tapers: bool) -> [f64; 2] {
    if dimension == Dimension::Planar && !tapers { [k, 0.0] } else { [k, k] }
}

/// Curvatures of a rounded hull at one of its features.
fn rounded(feature: &Feature, radius: f64, dimension: Dimension) -> [f64; 2] {
    match feature {
        _ if radius <= 0.0 => [0.0; 2],
        Feature::Vertex(_) => ball(1.0 / radius, dimension, false),
        Feature::Edge(_) => [1.0 / radius, 0.0],
        Feature::Face(_) => [0.0; 2],
    }
}

const fn up(dimension: Dimension) -> Vec3 {
    match dimension {
        Dimension::Planar => Vec3::new(0.0, 1.0, 0.0),
        Dimension::Spatial => Vec3::new(0.0, 0.0, 1.0),
    }
}

/// The points of `buffers.manifold` as spots.
fn take(buffers: &mut Buffers, rounding: [f64; 2], search: &Search) {
    let Buffers { manifold, spots, .. } = buffers;
    spots.extend(manifold.points().iter().map(|p| spot_of(p, manifold, rounding, search)));
}

fn spot_of(p: &ManifoldPoint, manifold: &Manifold, rounding: [f64; 2], search: &Search) -> Spot {
    let n = *manifold.normal();
    let on = part_of_first(p.feature, rounding);
    let mut k =
        [rounded(&p.feature.first, rounding[0], search.dimension), rounded(&p.feature.second, rounding[1], search.dimension)];
    let is_line = matches!(manifold.patch(), Patch::Line { .. }) && p.share > 0.0;
    let (mut curvature, mut share) = (summed(k, manifold.sine()), p.share);
    match search.dimension {
        // Two flat sides: what is round about their ends does not touch.
        Dimension::Planar if is_line => {
            k = [[0.0; 2]; 2];
            curvature = [0.0; 2];
        }
        // The ends of a line belong to the line; an edge that is sharp has no area.
        Dimension::Spatial if is_line => {
            curvature = [k[0][0] + k[1][0], 0.0];
            share = if curvature[0] > 0.0 { share } else { 0.0 };
        }
        _ => {}
    }
    let part = if k[0][0] + k[1][0] > 0.0 { part(k[0][0], k[1][0]) } else { on };
    Spot {
        feature: p.feature.code().into(),
        on_first: p.point + on * p.gap * n,
        n,
        gap: p.gap,
        part,
        curvature,
        share,
        roundness: roundness(curvature),
    }
}

/// 2 √(R'R″)/(R' + R″) of the radii of a gap with these principal curvatures [1/m]: 1 of balls, 0 of lines.
pub(crate) fn roundness([across, along]: [f64; 2]) -> f64 {
    if along == across { 1.0 } else { 2.0 * (across * along).max(0.0).sqrt() / (across + along) }
}

/// Principal curvatures of the distance of two surfaces [1/m] from those of each; `sine` is that of the angle between the directions in which the
/// two are less curved. With a and b those of a surface and d = a − b: half of Σ(a + b) ± √(d₁² + d₂² + 2 d₁ d₂ cos 2φ) (Johnson, Contact
/// Mechanics, 1985, §4.1); of crossed cylinders the product is sin²φ/(R₁R₂).
fn summed([first, second]: [[f64; 2]; 2], sine: f64) -> [f64; 2] {
    let (d, e) = (first[0] - first[1], second[0] - second[1]);
    if d == 0.0 || e == 0.0 || sine == 0.0 {
        return [first[0] + second[0], first[1] + second[1]];
    }
    let all = first[0] + first[1] + second[0] + second[1];
    let across = 0.5 * (all + ((d + e) * (d + e) - 4.0 * d * e * sine * sine).max(0.0).sqrt());
    // Of the sum and the product, which keeps its digits at small angles.
    let product = (first[0] + second[0]) * (first[1] + second[1]) + d * e * sine * sine;
    [across, product / across]
}
