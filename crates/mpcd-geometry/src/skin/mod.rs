//! Skins: the boundaries of deformable bodies as flat facets between points that move, with fixed topology. A point is a node of a mesh or a
//! weighted mean of nodes; what a mesh is, and what moves it, is not known here.

mod common;
mod cone;
mod curved;
mod depth;
mod edges;
mod face;
mod facing;
mod flanks;
mod flush;
mod foot;
mod lump;
mod meet;
mod mortar;
mod nearest;
mod own;
mod pair;
mod partial;
mod passing;
mod patch;
mod rigid;
mod seams;
mod sharp;
mod sides;
mod straight;
mod tree;

use cone::{nearest_in_cone, within_cone};
use lump::{Keeps, Share};
use mpcd_core::{BodyId, Vec3};

pub use depth::Depth;
pub(crate) use meet::Obstacles;
pub use meet::SkinTouch;
pub use mpcd_core::SurfacePoint;
pub use nearest::Nearest;
pub use patch::{Facet, MOST_NODES, Patch, PatchShape};
use tree::Tree;

/// Corners of a facet among the points of a skin: two of a line in the plane (the third is the second), three of a triangle. The normal by the
/// right hand points out; in the plane it is to the right of the way from the first to the second.
pub type Corners = [u32; 3];

/// The boundary of a deformable body.
#[derive(Debug, Clone)]
pub struct Skin {
    depth: Depth,
    points: Vec<SurfacePoint>,
    facets: Vec<Corners>,
    /// The faces that facets are parts of, and the facets as such.
    patches: Vec<Patch>,
    parts: Vec<Facet>,
    /// Area of each facet at the start (m²), in the plane its length.
    measures: Vec<f64>,
    /// What the corners of each facet keep of their hats.
    keeps: Vec<Keeps>,
    /// Distance (m) from each point at the start to the back of the wall that it is on.
    wall: Vec<f64>,
    /// Facets whose areas their corners share.
    shares: Vec<Share>,
    /// The patch that each of these is of, in rising order.
    share_patches: Vec<u32>,
    /// Facets around each point, point after point, and where they begin.
    around: Vec<u32>,
    around_start: Vec<u32>,
    /// One facet of each point: where a search finds it.
    home: Vec<u32>,
    /// Behind each side of each facet the next; in the plane behind each end.
    behind_side: Vec<[u32; 3]>,
    /// The flank that each facet is of: facets that hang together and bend by little.
    flanks: Vec<u32>,
    /// The rank of the side that each facet is of.
    ranks: Vec<u32>,
    tree: Tree,
    // What follows is of the present place.
    places: Vec<Vec3>,
    /// How far each point goes in the step at the velocity with which it begins (m).
    ways: Vec<Vec3>,
    normals: Vec<Vec3>,
    /// Vector area that each point stands for: outward (m²).
    areas: Vec<Vec3>,
    /// For each point one a little inside of the body.
    inner: Vec<Vec3>,
}

/// How far a point is drawn in to look at what is near it, over the size of its facets. What is flush with a corner is then met by its face and not
/// by its edge, whatever the last bits say.
const DRAWN_IN: f64 = 1e-3;

/// Cosine of the angle up to which a normal may be off the directions of a surface that it touches: what is flush beside it is farther off.
const OPPOSED: f64 = 0.8;

/// Cosine above which two facets have one normal.
const SAME: f64 = 1.0 - 1e-6;

/// Factors of [`DRAWN_IN`] that are tried in turn where a rigid body's nearest surface is not one that the point's own looks at.
const DEEPER: [f64; 3] = [1.0, 10.0, 100.0];

impl Skin {
    /// A skin of points, faces and the facets that these are divided into, which begins where the nodes are. `shares` are facets whose areas their corners share, with
    /// the part that counts: the two ways to halve a quadrilateral, half of each.
    ///
    /// # Panics
    /// When a facet or face names a point that there is not.
    #[must_use]
    #[allow(clippy::cast_possible_truncation, reason = "a mesh has fewer than 2³² nodes and faces")]
    pub fn new(
        depth: Depth,
        points: Vec<SurfacePoint>,
        (patches, parts): (Vec<Patch>, Vec<Facet>),
        shares: Vec<(Corners, f64)>,
        node: impl Fn(usize) -> Vec3,
    ) -> Self {
        let corners = depth.corners();
        let facets: Vec<Corners> = parts.iter().map(|f| f.corners).collect();
        let mut count = vec![0_u32; points.len() + 1];
        let mut home = vec![u32::MAX; points.len()];
        for (f, facet) in (0..).zip(&facets) {
            for &p in &facet[..corners] {
                count[p as usize + 1] += 1;
                home[p as usize] = home[p as usize].min(f);
            }
        }
        for k in 1..count.len() {
            count[k] += count[k - 1];
        }
        let (around_start, mut next) = (count.clone(), count);
        let mut around = vec![0; around_start.last().map_or(0, |n| *n as usize)];
        for (f, facet) in (0..).zip(&facets) {
            for &p in &facet[..corners] {
                around[next[p as usize] as usize] = f;
                next[p as usize] += 1;
            }
        }
        let places: Vec<Vec3> = points.iter().map(|p| p.mean(&node)).collect();
        let centre = |f: &Corners| f[..corners].iter().map(|p| places[*p as usize]).sum::<Vec3>() / corners as f64;
        let tree = Tree::new(&facets.iter().map(centre).collect::<Vec<_>>());
        let (normals, areas) = (vec![Vec3::zeros(); facets.len()], vec![Vec3::zeros(); points.len()]);
        let inner = places.clone();
        let ways = vec![Vec3::zeros(); points.len()];
        let wall = vec![f64::INFINITY; points.len()];
        let behind_side = edges::neighbours(&facets, corners);
        let patches_of = |p: u32| -> Vec<u32> {
            let [from, to] = [p, p + 1].map(|k| around_start[k as usize] as usize);
            around[from..to].iter().map(|f| parts[*f as usize].patch).collect()
        };
        let (shares, share_patches) = common::by_patch(shares, &patches, patches_of);
        let keeps = parts.iter().map(|f| lump::keeps(&patches[f.patch as usize], &f.corners)).collect();
        let mut skin = Self {
            depth,
            points,
            facets,
            patches,
            parts,
            keeps,
            measures: Vec::new(),
            wall,
            shares,
            share_patches,
            around,
            around_start,
            home,
            behind_side,
            flanks: Vec::new(),
            ranks: Vec::new(),
            tree,
            places,
            ways,
            normals,
            areas,
            inner,
        };
        skin.place(node);
        skin.measures = (0..skin.facets.len()).map(|f| skin.facet_measure(f)).collect();
        skin.flanks = flanks::flanks(&skin.behind_side, &skin.normals);
        skin.ranks = sides::ranks(&skin.behind_side, &skin.flanks, &skin.normals, &skin.measures);
        skin.wall = (0..skin.points.len()).map(|p| skin.wall_behind(p)).collect();
        skin
    }

    /// Puts the skin where its nodes are now.
    pub fn place(&mut self, node: impl Fn(usize) -> Vec3) {
        let Self { points, places, facets, shares, normals, areas, tree, depth, .. } = self;
        places.iter_mut().zip(&*points).for_each(|(x, p)| *x = p.mean(&node));
        let at = |f: &Corners| f.map(|p| places[p as usize]);
        let normal = |f: &Corners| depth.flat_area(&at(f)).try_normalize(0.0).unwrap_or_else(Vec3::zeros);
        normals.iter_mut().zip(&*facets).for_each(|(n, f)| *n = normal(f));
        areas.fill(Vec3::zeros());
        for Share { corners, part, keeps } in &*shares {
            let own = depth.lumped(&at(corners), keeps);
            corners.iter().zip(own).take(depth.corners()).for_each(|(p, area)| areas[*p as usize] += area * *part);
        }
        tree.fit(|f| {
            let x = facets[f].map(|p| places[p as usize]);
            [x[0].inf(&x[1]).inf(&x[2]), x[0].sup(&x[1]).sup(&x[2])]
        });
        for p in 0..self.points.len() {
            let (mut out, mut size) = (Vec3::zeros(), f64::INFINITY);
            for &f in self.facets_around(p) {
                out += self.normals[f as usize];
                size = size.min(self.size_of(f as usize));
            }
            let inward = out.try_normalize(1e-6).map_or_else(Vec3::zeros, |n| -n);
            self.inner[p] = self.places[p] + inward * (DRAWN_IN * size);
        }
    }

    /// Says how far its nodes go in the step at the velocities with which it begins (m).
    pub fn go(&mut self, node: impl Fn(usize) -> Vec3) {
        self.ways.iter_mut().zip(&self.points).for_each(|(way, p)| *way = p.mean(&node));
    }

    /// Whether the surface about a point is turned against a normal: it is one of the directions between the normals of the point's facets, turned
    /// round, or near them. What is not touches nothing there that has it.
    fn faces(&self, point: usize, normal: &Vec3) -> bool {
        let (own, count) = self.normals_around(point);
        within_cone(&own[..count], &-normal)
    }

    /// The outward normal of the facet about the node that weighs most in a point of the surface which looks most along a direction; `None` where none looks
    /// that way, or the node is not of the surface.
    #[must_use]
    pub fn normal_along(&self, point: &SurfacePoint, way: &Vec3) -> Option<Vec3> {
        let (node, _) = point.parts().max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)))?;
        let is_node = |p: &SurfacePoint| p.parts().all(|(n, _)| n == node);
        let facets = self.facets_around(self.points.iter().position(is_node)?);
        let normals = facets.iter().map(|f| self.normals[*f as usize]);
        let best = normals.reduce(|best, n| if n.dot(way) > best.dot(way) { n } else { best })?;
        (best.dot(way) >= OPPOSED).then_some(best)
    }

    /// The direction among those between the normals of the facets around a point that is nearest to `to`; `None` where all look away from it.
    fn outward(&self, point: usize, to: &Vec3) -> Option<Vec3> {
        let (own, count) = self.normals_around(point);
        nearest_in_cone(&own[..count], to)
    }

    /// Whether a normal leans from what the surface about a point is turned against by more than the angle of this cosine.
    fn leans(&self, point: usize, normal: &Vec3, cosine: f64) -> bool {
        let (own, count) = self.normals_around(point);
        nearest_in_cone(&own[..count], &-normal).is_none_or(|nearest| nearest.dot(&-normal) < cosine)
    }

    /// The normals of the facets around a point, as far as they are not the same, and how many there are.
    fn normals_around(&self, point: usize) -> ([Vec3; 8], usize) {
        let mut own: [Vec3; 8] = [Vec3::zeros(); 8];
        let mut count = 0;
        for &f in self.facets_around(point) {
            let n = self.normals[f as usize];
            if count < own.len() && !own[..count].iter().any(|o| o.dot(&n) > SAME) {
                own[count] = n;
                count += 1;
            }
        }
        (own, count)
    }

    /// Into the body from one of the facets around a point, a unit vector.
    fn behind(&self, point: usize) -> Vec3 {
        self.facets_around(point).first().map_or_else(Vec3::zeros, |f| -self.normals[*f as usize])
    }

    fn facets_around(&self, point: usize) -> &[u32] {
        &self.around[self.around_start[point] as usize..self.around_start[point + 1] as usize]
    }

    /// Its points.
    #[must_use]
    pub fn points(&self) -> &[SurfacePoint] {
        &self.points
    }

    /// Where a point is (m).
    #[must_use]
    pub fn place_of(&self, point: usize) -> Vec3 {
        self.places[point]
    }

    /// Lower and upper corner of the box that holds it (m).
    #[must_use]
    pub fn bounds(&self) -> [Vec3; 2] {
        self.tree.bounds()
    }

    /// The area (m²) that a point stands for as something with the unit normal `toward` it sees it: what looks away counts for nothing.
    #[must_use]
    pub fn area_towards(&self, point: usize, toward: &Vec3) -> f64 {
        // The facets of a corner look many ways: each counts by itself.
        let (mut seen, mut all) = (0.0, Vec3::zeros());
        for &f in self.facets_around(point) {
            let facet = f as usize;
            let Some(corner) = self.facets[facet].iter().position(|p| *p as usize == point) else { continue };
            let area = self.depth.lumped(&self.facet_places(facet), &self.keeps[facet])[corner];
            all += area;
            seen += (-area.dot(toward)).max(0.0);
        }
        let whole = -all.dot(toward);
        // Facets halve quadrilaterals one way; their shares know both.
        if whole > 0.0 { seen * (-self.areas[point].dot(toward)).max(0.0) / whole } else { seen }
    }

    fn facet_places(&self, facet: usize) -> [Vec3; 3] {
        self.facets[facet].map(|p| self.places[p as usize])
    }
}

/// A skin and whose it is.
#[derive(Debug)]
pub struct BodySkin<'a> {
    /// The deformable body.
    pub body: BodyId,
    /// Its boundary, where it is now.
    pub skin: &'a Skin,
    /// Its centre of mass (m), from which the arms of its contacts are.
    pub centre: Vec3,
}
