//! Boxes cut into convex cells: they fill the box, none overlaps another, and a seed means the same bits for ever.

use mpcd_core::{
    Dimension::{self, Planar, Spatial},
    Fragment, Vec3,
};
use mpcd_geometry::{Block, VoronoiParams, hull, voronoi};

use crate::{Body, touches};

fn params(text: &str) -> VoronoiParams {
    Fragment::whole(text).parse_body().unwrap()
}

/// The cells as bodies.
fn bodies(blocks: &[Block], dimension: Dimension) -> Vec<Body> {
    let body = |b: &Block| {
        let Block::Hull { vertices, thickness } = b else { panic!("not a hull") };
        let placed = hull(vertices, *thickness, dimension).unwrap();
        Body(placed.shape, placed.centre, placed.orientation, 1.0)
    };
    blocks.iter().map(body).collect()
}

fn volumes(bodies: &[Body], dimension: Dimension) -> Vec<f64> {
    bodies.iter().map(|b| b.0.mass_properties(1.0, dimension).mass).collect()
}

const PLANE: &str = "Voronoi(from: (0, 0), to: (3, 2), count: 200, thickness: 0.5, seed: 4)";
const SPACE: &str = "Voronoi(from: (-1, 0, 2), to: (1, 1, 4), count: 300, relax: 3, seed: 7)";

#[test]
fn cells_fill_their_box() {
    for (text, dimension, whole) in [(PLANE, Planar, 3.0), (SPACE, Spatial, 4.0)] {
        let p = params(text);
        let cells = voronoi(&p, dimension).unwrap();
        assert_eq!(cells.len(), p.count);
        let volumes = volumes(&bodies(&cells, dimension), dimension);
        let sum: f64 = volumes.iter().sum();
        assert!((sum / whole - 1.0).abs() < 1e-9, "{text}: {sum}");
        // Relaxed cells are alike: without, the largest is some ten times the smallest mean.
        let most = volumes.iter().fold(0.0_f64, |m, v| m.max(*v)) / whole * volumes.len() as f64;
        assert!(most < 2.0, "{most}");
    }
}

#[test]
fn cells_touch_and_do_not_overlap() {
    for (text, dimension, edge) in [(PLANE, Planar, 0.17), (SPACE, Spatial, 0.23)] {
        let cells = bodies(&voronoi(&params(text), dimension).unwrap(), dimension);
        let all = touches(dimension, &cells, 1e-6 * edge);
        let deepest = all.iter().map(|t| t.gap).fold(0.0, f64::min);
        assert!(deepest > -1e-6 * edge, "{text}: {deepest}");
        // Each cell has about 6 neighbours in the plane, and 13 to 15 in space, less at the walls.
        let mut pairs: Vec<_> = all.iter().map(|t| (t.key.candidate, t.key.antagonist)).collect();
        pairs.dedup();
        let per_cell = 2.0 * pairs.len() as f64 / cells.len() as f64;
        let expected = if dimension == Planar { 5.0..6.0 } else { 10.0..15.0 };
        assert!(expected.contains(&per_cell), "{text}: {per_cell}");
    }
}

#[test]
fn joints_are_as_wide_as_asked() {
    for (text, dimension) in [(PLANE, Planar), (SPACE, Spatial)] {
        let p = params(&text.replace(", seed", ", gap: 1e-3, seed"));
        let cells = bodies(&voronoi(&p, dimension).unwrap(), dimension);
        let least = touches(dimension, &cells, 1.5e-3).iter().map(|t| t.gap).fold(f64::INFINITY, f64::min);
        assert!((least - 1e-3).abs() < 1e-9, "{least}");
    }
}

#[test]
fn one_seed_means_the_same_bits() {
    for (text, dimension) in [(PLANE, Planar), (SPACE, Spatial)] {
        let [a, b] = [0; 2].map(|_| voronoi(&params(text), dimension).unwrap());
        assert_eq!(a, b);
        let other = params(&text.replace("seed: ", "seed: 1"));
        assert_ne!(a, voronoi(&other, dimension).unwrap());
    }
}

/// Every point of the box is nearest to the place whose cell holds it: without relaxation, against a search over all places.
#[test]
fn a_cell_is_what_is_nearest_to_its_place() {
    let p = params("Voronoi(from: (0, 0, 0), to: (1, 1, 1), count: 60, relax: 0, seed: 3)");
    let cells = voronoi(&p, Spatial).unwrap();
    let mut random = mpcd_geometry::Random::new(3);
    let places: Vec<Vec3> = (0..60).map(|_| Vec3::from_fn(|_, _| random.within(0.0, 1.0))).collect();
    for (i, cell) in cells.iter().enumerate() {
        let Block::Hull { vertices, .. } = cell else { panic!("not a hull") };
        for v in vertices {
            let nearest = places.iter().map(|p| (p - v).norm()).fold(f64::INFINITY, f64::min);
            assert!(((places[i] - v).norm() - nearest).abs() < 1e-12);
        }
    }
}

#[test]
fn what_cannot_be_cut_is_refused() {
    let message = |text: &str| voronoi(&params(text), Planar).unwrap_err().to_string();
    assert!(message("Voronoi(from: (0, 0), to: (1, 1), count: 0)").contains("count of cells is 0, expected 1 or more"));
    assert!(message("Voronoi(from: (0, 0), to: (1, 0), count: 3)").contains("expected `from` below `to`"));
    assert!(message("Voronoi(from: (0, 0), to: (1, 1), count: 50, gap: 1)").contains("less than the width of the smallest cell"));
}
