//! What frames show of bodies that are not round: the motion of their surfaces, and their fields.

use mpcd_core::Vec3;
use mpcd_output::{Array, DataSet, DiskSink, Frame, Polys, RunOutput, Start, Values};

use crate::granular::{build, steps};

fn numbers<'a>(arrays: &'a [Array], name: &str) -> &'a [f64] {
    let array = arrays.iter().find(|a| a.name == name).unwrap_or_else(|| panic!("no `{name}`"));
    let Values::F64(values) = &array.values else { panic!("`{name}` has no floats") };
    values
}

fn integers<'a>(arrays: &'a [Array], name: &str) -> &'a [i32] {
    let Values::I32(values) = &arrays.iter().find(|a| a.name == name).unwrap().values else { panic!("`{name}`") };
    values
}

/// A box, a tetrahedron and a capsule that fly and turn: the points of their surfaces move as rigid bodies do, their cells have their temperature, and
/// the plane is a wall.
#[test]
fn surfaces_carry_velocity_and_fields() {
    let names = ["box", "tetra", "capsule", "ball", "floor"];
    let pair = |a: &str, b: &str| format!(r#"(between: ("{a}", "{b}"), law: Coulomb(friction: 0.3)), "#);
    let pairs: String = (0..5).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| pair(names[i], names[j])).collect();
    let mut run = build(
        &r#"(dimension: 3, gravity: (0, 0, -10), time: (step: 1e-3, end: 1),
  materials: {"m": (density: 1000, thermal: (conductivity: 1, specific_heat: 10)), "wall": (density: 1)},
  bodies: [
    (group: "box", material: "m", shape: Box(size: (0.2, 0.1, 0.4)), at: (0, 0, 2), velocity: (1, 0, 0), spin: (0, 3, 0)),
    (group: "tetra", material: "m", shape: Polyhedron(vertices: [(0, 0, 0), (0.3, 0, 0), (0, 0.3, 0), (0, 0, 0.3)]), at: (2, 0, 2), velocity: (0, -2, 0), spin: (1, 0, 2)),
    (group: "capsule", material: "m", shape: Capsule(length: 0.3, radius: 0.1), at: (4, 0, 2), spin: (0, 0, 5)),
    (group: "ball", material: "m", shape: Sphere(radius: 0.1), at: (6, 0, 2)),
    (group: "floor", material: "wall", shape: Plane(normal: (0, 0, 1))),
  ],
  interactions: [PAIRS],
  loads: [(on: "floor", load: Fixed)],
  physics: [Contact(), Thermal(law: Insulating, boundary: [Temperature(group: "box", value: 350), Temperature(group: "tetra", value: 400)])])"#
            .replace("PAIRS", &pairs),
        &[],
    );
    steps(&mut run, 5);
    let frame = run.frame();
    let polys = |name: &str| -> &Polys {
        let part = frame.iter().find(|p| p.name == name).unwrap_or_else(|| panic!("no part {name}"));
        part.data.check().unwrap();
        let DataSet::Polys(polys) = &part.data else { panic!("{name}") };
        polys
    };
    let (surfaces, walls) = (polys("surfaces"), polys("walls"));
    assert_eq!(integers(&walls.cell_arrays, "body"), [4]);
    let bodies = integers(&surfaces.cell_arrays, "body");
    assert!(bodies[..10].iter().eq(&[0, 0, 0, 0, 0, 0, 1, 1, 1, 1]) && bodies[10..].iter().all(|b| *b == 2), "{bodies:?}");
    for (body, t) in bodies.iter().zip(numbers(&surfaces.cell_arrays, "temperature")) {
        let expected = [350.0, 400.0, 293.15][*body as usize];
        assert!((t - expected).abs() < 1e-9, "body {body}: {t} K");
    }
    // by hand: the box fell 5 steps of g h, and turns about y with 3 rad/s
    let v = Vec3::new(1.0, 0.0, -10.0 * 5e-3);
    let centre = run.world().kinematics.position[0];
    let moved = numbers(&surfaces.point_arrays, "velocity").chunks_exact(3);
    for (x, u) in surfaces.points.iter().zip(moved).take(8) {
        let arm = Vec3::from(*x) - centre;
        let theory = v + Vec3::new(3.0 * arm.z, 0.0, -3.0 * arm.x);
        assert!((Vec3::from_column_slice(u) - theory).norm() < 1e-9, "{u:?} of {theory}");
    }
}

/// Meshes are in the frames with cells of their own kind, by VTK's numbers, and VTK's order of nodes: those between corners follow the corners and
/// lie in the middle of the edges that VTK says, each.
#[test]
fn quadratic_meshes_are_quadratic_cells_of_vtk() {
    let triangle: &[[usize; 2]] = &[[0, 1], [1, 2], [2, 0]];
    let square: &[[usize; 2]] = &[[0, 1], [1, 2], [2, 3], [3, 0]];
    let tetra: &[[usize; 2]] = &[[0, 1], [1, 2], [2, 0], [0, 3], [1, 3], [2, 3]];
    let hexa: &[[usize; 2]] = &[[0, 1], [1, 2], [2, 3], [3, 0], [4, 5], [5, 6], [6, 7], [7, 4], [0, 4], [1, 5], [2, 6], [3, 7]];
    let folder = tempfile::tempdir().unwrap();
    for (element, number, corners, edges) in [
        ("T3", 5, 3, &[][..]),
        ("Q4", 9, 4, &[]),
        ("Tet4", 10, 4, &[]),
        ("Hex8", 12, 8, &[]),
        ("T6", 22, 3, triangle),
        ("Q8", 23, 4, square),
        ("Tet10", 24, 4, tetra),
        ("Hex20", 25, 8, hexa),
    ] {
        let solid = element.starts_with("Tet") || element.starts_with("Hex");
        let (dimension, mesh) =
            if solid { (3, "Cuboid(size: (1, 2, 3), cells: (1, 2, 1)") } else { (2, "Rectangle(size: (1, 2), cells: (2, 1)") };
        let mut run = build(
            &format!(
                r#"(dimension: {dimension}, time: (step: 1, end: 10, theta: 1), materials: {{"m": (density: 1, elastic: (young: 1e6, poisson: 0))}},
  bodies: [(group: "b", material: "m", shape: Mesh(of: {mesh}, element: {element})))], physics: [Contact()])"#
            ),
            &[],
        );
        steps(&mut run, 1);
        let frame = run.frame();
        let part = frame.iter().find(|p| p.name == "meshes").unwrap();
        part.data.check().unwrap();
        let DataSet::Mesh(shown) = &part.data else { panic!("no mesh") };
        let mut start = 0;
        for end in shown.cells.ends() {
            let nodes: Vec<Vec3> =
                shown.cells.connectivity()[start..*end as usize].iter().map(|n| shown.points[*n as usize].into()).collect();
            assert_eq!(nodes.len(), corners + edges.len(), "{element}");
            for (node, [a, b]) in nodes[corners..].iter().zip(edges) {
                assert!((node - 0.5 * (nodes[*a] + nodes[*b])).norm() < 1e-12, "{element}: {nodes:?}");
            }
            start = *end as usize;
        }
        let cells = shown.cells.len();
        let place = folder.path().join(element);
        let mut out = RunOutput::start(DiskSink::shared(), &place, "model", Start::Fresh).unwrap();
        out.write_frame(Frame { step: 1, time: 1.0 }, frame).unwrap();
        let file = place.join("vtk/meshes_00000001.vtu");
        let text = String::from_utf8_lossy(&std::fs::read(&file).unwrap()).into_owned();
        let tag = text.split('<').find(|tag| tag.contains("Name=\"types\"")).unwrap();
        let range = format!("type=\"UInt8\" Name=\"types\" format=\"binary\" RangeMin=\"{number}\" RangeMax=\"{number}\"");
        assert!(tag.contains(&range), "{element}: {tag}");
        let back = mpcd_fem::Mesh::read_vtu(&file).unwrap();
        let of_kind = (0..back.elements()).filter(|e| back.cell(*e).name() == element.to_uppercase()).count();
        assert_eq!((back.elements(), of_kind), (cells, cells), "{element}");
    }
}
