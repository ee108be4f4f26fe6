//! STL and OBJ files.

use mpcd_core::Vec3;
use mpcd_geometry::polytope::{Polytope, PolytopeError, read_obj, read_stl};

const CORNERS: [[f32; 3]; 4] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
const FACES: [[usize; 3]; 4] = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];

fn text() -> String {
    let mut text = "solid t\n".to_owned();
    for face in FACES {
        text += "  facet normal 0 0 0\n    outer loop\n";
        for [x, y, z] in face.map(|v| CORNERS[v]) {
            text += &format!("      vertex {x} {y:e} {z}\n");
        }
        text += "    endloop\n  endfacet\n";
    }
    text + "endsolid t\n"
}

fn binary(header: &[u8]) -> Vec<u8> {
    let mut bytes = header.to_vec();
    bytes.resize(80, b' ');
    bytes.extend(4_u32.to_le_bytes());
    for face in FACES {
        bytes.extend([0; 12]);
        bytes.extend(face.iter().flat_map(|&v| CORNERS[v]).flat_map(f32::to_le_bytes));
        bytes.extend([0; 2]);
    }
    bytes
}

#[test]
fn stl_text_and_binary_say_the_same() {
    let read = read_stl(text().as_bytes()).unwrap();
    assert_eq!((read.vertices.len(), read.triangles.len()), (4, 4));
    assert_eq!(read.vertices[1], Vec3::y());
    for header in [&b"made by hand"[..], &b"solid but binary"[..]] {
        assert_eq!(read_stl(&binary(header)).unwrap(), read);
    }
    let hull = Polytope::polyhedron(&read.vertices).unwrap();
    assert!((hull.measures(1.0).volume - 1.0 / 6.0).abs() < 1e-15);
}

#[test]
fn stl_faults_have_a_place() {
    let broken = text().replacen("vertex 1 0e0 0", "vertex 1 zero 0", 1);
    assert_eq!(
        read_stl(broken.as_bytes()).unwrap_err().to_string(),
        "line 6: expected \"vertex\" and three numbers, found \"vertex 1 zero 0\""
    );
    let whole = text();
    let cut = whole.strip_suffix("endsolid t\n").unwrap();
    assert!(read_stl(cut.as_bytes()).unwrap_err().to_string().contains("ends before \"endsolid\""));
    let long = binary(b"x");
    let short = read_stl(&long[..200]).unwrap_err().to_string();
    assert!(short.contains("a binary file of 4 triangles has 284 bytes, this one 200"), "{short}");
    assert!(read_stl(b"").is_err() && read_stl(b"solid\nendsolid\n").is_err());
    assert!(matches!(read_stl(b"solid\nloop\n"), Err(PolytopeError::Line { line: 2, .. })));
}

#[test]
fn obj_polygons_become_triangles() {
    let text = "# a pyramid\nmtllib none.mtl\no p\nv 0 0 0\nv 1 0 0\nv 1 1 0 1.0\nv 0 1 0\nv 0.5 0.5 1\nvn 0 0 1\n\
                f 4/1/1 3//1 2 1\nf 1 2 5\nf -4 -3 -1 # turned\nf 3 4 5\nf 4 1 5\n";
    let read = read_obj(text.as_bytes()).unwrap();
    assert_eq!(read.vertices.len(), 5);
    assert_eq!(read.triangles, [[3, 2, 1], [3, 1, 0], [0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]]);
    let error = |text: &str| read_obj(text.as_bytes()).unwrap_err().to_string();
    assert_eq!(error("v 0 0\n"), "line 1: expected \"v\" and three numbers, found \"v 0 0\"");
    assert!(error("v 0 0 0\nf 1 2 3\n").starts_with("line 2: expected \"f\" and numbers of vertices that stand above it"));
    assert!(error("v 0 0 0\nf 1 1\n").contains("at least three"));
    assert!(error("nonsense\n").starts_with("line 1: expected v, f"));
    assert!(error("").contains("no vertex"));
}
