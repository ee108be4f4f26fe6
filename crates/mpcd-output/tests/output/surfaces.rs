//! Walls: closed surfaces enclose the right volume, whatever their placement, and quads lie in their planes.

use mpcd_output::{DataSet, Placement, Polys, Surfaces};

fn polys(surfaces: Surfaces) -> Polys {
    let data = surfaces.finish();
    data.check().unwrap();
    let DataSet::Polys(polys) = data else { panic!() };
    polys
}

/// Volume enclosed by the polygons (divergence theorem over fans): positive only if all faces are turned outwards.
fn volume(polys: &Polys) -> f64 {
    let det = |a: [f64; 3], b: [f64; 3], c: [f64; 3]| {
        a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0])
    };
    let mut start = 0;
    let mut total = 0.0;
    for &end in polys.polygons.ends() {
        let face = &polys.polygons.connectivity()[start..end as usize];
        let p = |k: usize| polys.points[face[k] as usize];
        total += (1..face.len() - 1).map(|k| det(p(0), p(k), p(k + 1)) / 6.0).sum::<f64>();
        start = end as usize;
    }
    total
}

#[test]
fn a_box_encloses_its_volume() {
    // 120 degrees about (1, 1, 1) takes x to y, y to z, z to x
    let turned = Placement { position: [5.0, -3.0, 2.0], orientation: [0.5, 0.5, 0.5, 0.5] };
    assert_eq!(turned.apply([1.0, 2.0, 3.0]), [8.0, -2.0, 4.0]);
    for at in [Placement::at([0.0; 3]), turned] {
        let mut surfaces = Surfaces::new();
        surfaces.cuboid(4, at, [0.5, 1.0, 1.5]);
        let polys = polys(surfaces);
        assert_eq!((polys.points.len(), polys.polygons.len()), (8, 6));
        assert!((volume(&polys) - 6.0).abs() < 1e-13, "{}", volume(&polys));
    }
}

#[test]
fn a_cylinder_has_the_side_of_a_prism() {
    let mut surfaces = Surfaces::new();
    let at = Placement { position: [1.0, 2.0, 3.0], orientation: [0.6, 0.0, 0.8, 0.0] };
    surfaces.cylinder(0, at, 2.0, 0.5, 48);
    let polys = polys(surfaces);
    // without its two ends: two thirds of the volume about its centre
    let about_centre = Polys { points: polys.points.iter().map(|p| [p[0] - 1.0, p[1] - 2.0, p[2] - 3.0]).collect(), ..polys };
    let prism = 0.5 * 48.0 * 4.0 * (std::f64::consts::TAU / 48.0).sin();
    assert!((volume(&about_centre) - 2.0 / 3.0 * prism).abs() < 1e-12);
}

#[test]
fn planes_and_lines_keep_their_groups() {
    let mut surfaces = Surfaces::new();
    assert!(surfaces.is_empty());
    let normal = [1.0, -2.0, 0.5];
    surfaces.plane(7, [0.1, 0.2, 0.3], normal, 3.0).of_body(40).line(2, &[[0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0]], true);
    let polys = polys(surfaces);
    let corners = &polys.points[..4];
    for corner in corners {
        let height: f64 = (0..3).map(|i| (corner[i] - [0.1, 0.2, 0.3][i]) * normal[i]).sum();
        assert!(height.abs() < 1e-14);
    }
    let side: f64 = (0..3).map(|i| (corners[1][i] - corners[0][i]).powi(2)).sum::<f64>().sqrt();
    assert!((side - 6.0).abs() < 1e-14);
    assert_eq!(polys.lines.connectivity(), [4, 5, 6, 4]);
    // lines come first in the arrays over cells
    assert_eq!(polys.cell_arrays[0].values, mpcd_output::Values::I32(vec![2, 7]));
    assert_eq!(polys.cell_arrays[1].values, mpcd_output::Values::I32(vec![40, -1]));
}
