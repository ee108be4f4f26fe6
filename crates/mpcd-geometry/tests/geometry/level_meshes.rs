//! Triangulated surfaces on planes and on each other: areas, and edges that cross. Each against numbers computed by hand, or against boxes.

use mpcd_core::{ContactGeometry, Dimension::Spatial, Quat, Vec3};
use mpcd_geometry::{PlacedShape, Shape, Touch};

use crate::{
    Body, body, near,
    solids::{cube_triangles, cube_vertices, cylinder},
    touches,
};

/// A block as a closed surface.
fn block(size: [f64; 3]) -> Shape {
    let half = 0.5 * Vec3::from(size);
    let vertices: Vec<Vec3> = cube_vertices(1.0).iter().map(|v| v.component_mul(&half)).collect();
    PlacedShape::surface(&vertices, &cube_triangles()).unwrap().shape
}

/// A level floor of n × n squares of a width, about the origin.
fn sheet(n: u32, width: f64) -> Shape {
    let place = |k: u32| width * (f64::from(k) - 0.5 * f64::from(n));
    let vertices: Vec<Vec3> = (0..=n).flat_map(|j| (0..=n).map(move |i| Vec3::new(place(i), place(j), 0.0))).collect();
    let at = |i: u32, j: u32| j * (n + 1) + i;
    let squares = (0..n).flat_map(|j| (0..n).map(move |i| [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]));
    let triangles: Vec<[u32; 3]> = squares.flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    PlacedShape::surface(&vertices, &triangles).unwrap().shape
}

fn area(all: &[Touch]) -> f64 {
    all.iter().map(|t| if let ContactGeometry::Flat { area } = t.geometry { area } else { 0.0 }).sum()
}

fn turned(axis: Vec3, angle: f64) -> Quat {
    Quat::from_scaled_axis(axis * angle)
}

/// A block on a plane has the area of its lower face, also where its upper one is nearly as near: a foil.
#[test]
fn a_surface_on_a_plane_has_the_area_of_its_lower_face() {
    let ground = body(Shape::Plane { normal: Vec3::z() }, 0.0, 0.0, 0.0);
    for (height, tilt) in [(0.2, 0.0), (1e-4, 0.0), (1e-4, 1e-6), (1e-4, -1e-6)] {
        let at = Vec3::new(0.0, 0.0, 0.5 * height + 0.2 * f64::abs(tilt));
        let all = touches(Spatial, &[Body(block([0.4, 0.3, height]), at, turned(Vec3::y(), tilt), 1.0), ground.clone()], 1e-3);
        assert!((area(&all) - 0.12).abs() < 1e-9, "{height}, tilted {tilt}: {all:?}");
    }
}

/// Of a rigid block that leans on an edge nothing lies on the floor, however small the floor's triangles next to that edge are.
#[test]
fn a_leaning_surface_has_no_area_on_small_triangles() {
    let tilt: f64 = 5e-3;
    let q = turned(Vec3::y(), tilt);
    let z = 0.5 * (0.4 * tilt.sin() + 0.2 * tilt.cos());
    for gap in [1e-6, 0.0] {
        let leaning = Body(block([0.4, 0.3, 0.2]), Vec3::new(0.0, 0.0, z + gap), q, 1.0);
        let all = touches(Spatial, &[leaning, body(sheet(50, 0.02), 0.0, 0.0, 0.0)], 1e-4);
        assert!(!all.is_empty() && area(&all) == 0.0, "gap {gap}: {} m²", area(&all));
    }
}

/// Two bars of triangles that cross with their edges touch as boxes do, apart and as deep in each other as springs let them.
#[test]
fn edges_of_surfaces_cross_as_those_of_boxes() {
    let size = [1.0, 0.1, 0.1];
    let high = 0.05 * 2.0_f64.sqrt();
    // Springs sink in deeper than the alert distance.
    for (gap, alert) in [1e-4, 0.0, -1e-4, -2e-3, -1e-2].into_iter().flat_map(|gap| [(gap, 2e-2), (gap, 1e-3)]) {
        let pair = |shape: &Shape| {
            let lower = Body(shape.clone(), Vec3::zeros(), turned(Vec3::x(), std::f64::consts::FRAC_PI_4), 1.0);
            let q = turned(Vec3::z(), 1.2) * turned(Vec3::x(), std::f64::consts::FRAC_PI_4);
            [Body(shape.clone(), Vec3::new(0.02, 0.01, 2.0 * high + gap), q, 1.0), lower]
        };
        let all = touches(Spatial, &pair(&block(size)), alert);
        let found: Vec<&Touch> = all.iter().filter(|t| (t.gap - gap).abs() < 1e-12).collect();
        assert_eq!(found.len(), 1, "gap {gap}: {all:?}");
        let n = if found[0].key.candidate.0 == 0 { found[0].frame.n } else { -found[0].frame.n };
        assert!(near(&n, &Vec3::z(), 1e-9), "gap {gap}: {all:?}");
        let of_boxes = touches(Spatial, &pair(&Shape::Box { half: 0.5 * Vec3::from(size) }), alert);
        assert!(of_boxes.iter().any(|t| (t.gap - gap).abs() < 1e-12), "gap {gap}: {of_boxes:?}");
    }
}

/// A bar that goes across an open floor lies on its two rims with both lower edges; one as near below it has nothing of it before it, for such a floor has one side.
#[test]
fn the_rims_of_an_open_surface_are_on_the_side_of_its_face() {
    let floor = body(sheet(1, 1.0), 0.0, 0.0, 0.0);
    let bar = block([2.0, 0.1, 0.1]);
    let all = touches(Spatial, &[body(bar.clone(), 0.02, 0.2, 0.05 + 1e-4), floor.clone()], 1e-3);
    let places = [[0.5, 0.15], [0.5, 0.25], [-0.5, 0.15], [-0.5, 0.25]].map(|[x, y]| Vec3::new(x, y, 0.5e-4));
    for place in places {
        assert!(all.iter().any(|t| near(&t.point, &place, 1e-4) && (t.gap - 1e-4).abs() < 1e-12), "{place}: {all:?}");
    }
    let all = touches(Spatial, &[body(bar, 0.02, 0.2, -0.05 - 1e-4), floor], 1e-3);
    assert!(all.is_empty(), "{all:?}");
}

/// A cylinder that stands on the border of a block by a sliver of its end is carried by it, whichever way it is turned about itself: its circle is there, whatever polygon stands for it.
#[test]
fn the_rim_of_a_cylinder_is_round_on_a_border() {
    let (radius, half) = (0.5, 0.3);
    for over in [1e-3, 5e-3] {
        for k in 0..40 {
            let turn = turned(Vec3::z(), 0.02 * f64::from(k));
            let standing = Body(cylinder(radius, half), Vec3::new(1.0 + radius - over, 0.1, 1.0 + half), turn, 1.0);
            let all = touches(Spatial, &[standing, body(block([2.0; 3]), 0.0, 0.0, 0.0)], 1e-6);
            let up = all.iter().filter(|t| (t.gap.abs() < 1e-9) && t.frame.n.z.abs() > 1.0 - 1e-9).count();
            assert!(up > 0, "{over} over the border, turned {k}: {all:?}");
        }
    }
}
