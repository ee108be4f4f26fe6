//! Built-in meshes: measures, skins, groups; what is refused of meshes made by hand.

use std::f64::consts::{PI, TAU};

use mpcd_core::Vec3;
use mpcd_fem::{Cell, Mesh, MeshError, Model, Section, Space};

use crate::{PLANAR, SPATIAL, linear, unit};

fn model(mesh: Mesh) -> Model {
    let space = if mesh.dimension() == 2 { Space::PlaneStrain { thickness: 1.0 } } else { Space::Solid };
    Model::new(mesh, space, &Section::new(linear(1.0, 0.3), 1.0).unwrap()).unwrap()
}

/// Area or volume and surface, the latter from the skin: Σ x·n dA / d is the volume, Σ n dA is zero.
fn measures(mesh: &Mesh) -> (f64, f64) {
    let mut mesh = mesh.clone();
    mesh.add_faces_where("skin", |_| true).unwrap();
    let model = model(mesh);
    (model.mass(), model.area("skin").unwrap())
}

#[test]
fn boxes_have_their_measures_and_groups() {
    for cell in PLANAR {
        let mesh = Mesh::rectangle([2.0, 0.5], [4, 3], cell).unwrap();
        let (area, sides) = measures(&mesh);
        assert!((area - 1.0).abs() < 1e-13 && (sides - 5.0).abs() < 1e-13);
        assert_eq!(mesh.group_names(), [vec!["body"], vec!["bottom", "left", "right", "top"], vec!["origin"]]);
        let model = model(mesh);
        assert!((model.area("top").unwrap() - 2.0).abs() < 1e-13 && (model.area("left").unwrap() - 0.5).abs() < 1e-13);
    }
    for cell in SPATIAL {
        let mesh = Mesh::cuboid([2.0, 0.5, 0.3], [4, 2, 3], cell).unwrap();
        let (volume, surface) = measures(&mesh);
        assert!((volume - 0.3).abs() < 1e-13 && (surface - 2.0 * (1.0 + 0.6 + 0.15)).abs() < 1e-12, "{volume} {surface}");
        let right = mesh.nodes_of("right").unwrap();
        assert!(right.iter().all(|&n| (mesh.nodes()[n].x - 2.0).abs() < 1e-12));
    }
}

/// Curved sides converge to the circle: with the square of the cell for straight ones, the fourth power for quadratic ones.
#[test]
fn round_meshes_converge_to_their_circles() {
    let order = |cell: Cell, exact: f64, make: &dyn Fn(usize) -> Mesh| {
        let error = |n: usize| (measures(&make(n)).0 / exact - 1.0).abs();
        let found = (error(8) / error(16)).log2();
        let expected = if cell.is_quadratic() { 4.0 } else { 2.0 };
        assert!((found - expected).abs() < 0.3, "{}: order {found}", cell.name());
    };
    for cell in PLANAR {
        order(cell, PI * 3.0, &|n| Mesh::annulus(1.0, 2.0, TAU, [n / 4, 2 * n], cell).unwrap());
        order(cell, PI * 0.75, &|n| Mesh::annulus(1.0, 2.0, 0.5 * PI, [n / 4, n], cell).unwrap());
        order(cell, PI * 0.25, &|n| Mesh::ball(0.5, n / 2, n / 4, cell).unwrap());
    }
    for cell in [Cell::Hex8, Cell::Hex20] {
        order(cell, 4.0 / 3.0 * PI, &|n| Mesh::ball(1.0, n / 2, n / 4, cell).unwrap());
    }
    let sector = Mesh::annulus(1.0, 2.0, 0.5 * PI, [2, 4], Cell::Quad8).unwrap();
    assert_eq!(sector.group_names()[1], ["end", "inner", "outer", "start"]);
    let ball = Mesh::ball(1.0, 2, 2, Cell::Hex20).unwrap();
    assert!(ball.nodes_of("surface").unwrap().iter().all(|&n| (ball.nodes()[n].norm() - 1.0).abs() < 1e-12));
    assert_eq!(ball.nodes_of("centre").unwrap().len(), 1);
}

/// The skin of every mesh is closed and points outwards: a constant vector has no flux, x has d times the volume.
#[test]
fn skins_point_outwards() {
    let mut meshes: Vec<Mesh> = PLANAR.into_iter().chain(SPATIAL).map(|cell| unit(cell, 2)).collect();
    meshes.push(Mesh::annulus(1.0, 2.0, TAU, [2, 12], Cell::Quad8).unwrap());
    meshes.push(Mesh::ball(1.0, 2, 2, Cell::Hex20).unwrap());
    for mesh in meshes {
        let skin = mesh.skin().unwrap();
        let mut area = Vec3::zeros();
        for face in &skin.faces {
            let x = |k: usize| mesh.nodes()[face.nodes[k]];
            // flat pieces between corners are enough for the sum, which any closed surface has as zero
            area += match face.cell.corners() {
                2 => Vec3::new((x(1) - x(0)).y, -(x(1) - x(0)).x, 0.0),
                3 => 0.5 * (x(1) - x(0)).cross(&(x(2) - x(0))),
                _ => 0.5 * (x(2) - x(0)).cross(&(x(3) - x(1))),
            };
            let centre = face.nodes.iter().map(|&n| mesh.nodes()[n]).sum::<Vec3>() / face.nodes.len() as f64;
            let element = mesh.element(face.face.element);
            let inside = element.iter().map(|&n| mesh.nodes()[n]).sum::<Vec3>() / element.len() as f64;
            let normal = match face.cell.corners() {
                2 => Vec3::new((x(1) - x(0)).y, -(x(1) - x(0)).x, 0.0),
                _ => (x(1) - x(0)).cross(&(x(2) - x(0))),
            };
            assert!(normal.dot(&(centre - inside)) > 0.0, "{} {face:?}", mesh.name());
        }
        assert!(area.norm() < 1e-13, "{}: {area}", mesh.name());
    }
    assert_eq!(unit(Cell::Hex8, 3).skin().unwrap().faces.len(), 54);
    assert_eq!(unit(Cell::Hex20, 1).skin().unwrap().nodes.len(), 20);
}

fn square() -> Vec<Vec3> {
    vec![Vec3::zeros(), Vec3::x(), Vec3::new(1.0, 1.0, 0.0), Vec3::y()]
}

fn refusal(nodes: Vec<Vec3>, elements: &[(Cell, Vec<usize>)]) -> String {
    Mesh::new("plate.msh", nodes, elements).unwrap_err().to_string()
}

#[test]
fn bad_meshes_are_refused_by_file_and_element() {
    let quad = |list: [usize; 4]| (Cell::Quad4, list.to_vec());
    assert!(refusal(square(), &[quad([0, 3, 2, 1])]).contains("plate.msh: element 1 (Q4) is numbered the wrong way round"));
    let mut folded = square();
    folded[2] = Vec3::new(0.2, 0.2, 0.0);
    let text = refusal(folded, &[quad([0, 1, 2, 3])]);
    assert!(text.contains("element 1 (Q4) is folded") && text.contains("near node 3"), "{text}");
    let mut flat = square();
    flat[2] = Vec3::new(1.0, 0.0, 0.0);
    flat[3] = Vec3::zeros();
    assert!(refusal(flat, &[quad([0, 1, 2, 3])]).contains("is degenerate"));
    // a sliver is one where what it does along its length is lost in the rounding of what it does across: below √ε, of any kind and in any place
    for height in [1e-9, 1e-8, 1e-7, 1e-4] {
        let sliver = |cell: Cell, nodes: Vec<Vec3>| {
            let count = nodes.len();
            Mesh::new("plate.msh", nodes, &[(cell, (0..count).collect())]).map(|_| ()).map_err(|e| e.to_string())
        };
        let x = |x: f64, y: f64, z: f64| Vec3::new(5.0 + 2.0 * x, 2.0 * y, 2.0 * z);
        let (flat, needle) = ([x(0.0, 0.0, 0.0), x(1.0, 0.0, 0.0), x(0.4, height, 0.0)], x(0.4, 0.5 * height, height));
        let cap = x(0.4, 1.0, height);
        for (cell, nodes) in [
            (Cell::Tri3, flat.to_vec()),
            (Cell::Tet4, vec![flat[0], flat[1], x(0.4, 1.0, 0.0), cap]),
            (Cell::Tet4, flat.into_iter().chain([needle]).collect()),
        ] {
            let said = sliver(cell, nodes);
            match said {
                Err(text) => assert!(height < 1e-7 || height * height < 1e-10 && cell == Cell::Tet4, "{text}"),
                Ok(()) => assert!(height > 2e-8, "{cell:?} of height {height} is taken"),
            }
        }
    }
    assert!(refusal(square(), &[quad([0, 1, 2, 7])]).contains("has the node with index 7"));
    assert!(refusal(square(), &[quad([0, 1, 2, 2])]).contains("has node 3 twice"));
    assert!(refusal(square(), &[(Cell::Tri3, vec![0, 1, 2, 3])]).contains("has 4 nodes, expected 3"));
    assert!(refusal(square(), &[(Cell::Tri3, vec![0, 1, 2])]).contains("1 nodes belong to no element (the first is node 4)"));
    assert!(refusal(square(), &[]).contains("has no elements"));
    let mut raised = square();
    raised[1].z = 0.1;
    assert!(refusal(raised, &[quad([0, 1, 2, 3])]).contains("z = 0"));
    let mut missing = square();
    missing[1].x = f64::NAN;
    assert!(refusal(missing, &[quad([0, 1, 2, 3])]).contains("node 2 lies at (NaN"));
    let mixed = [quad([0, 1, 2, 3]), (Cell::Line2, vec![0, 1])];
    assert!(refusal(square(), &mixed).contains("has dimension 1"));
}

/// Of every kind of cell: written again as it is, from another corner on and the other way round, every face has two elements and the mesh no surface.
#[test]
fn elements_that_are_written_twice_are_refused() {
    for cell in [Cell::Tri3, Cell::Tri6, Cell::Quad4, Cell::Quad8, Cell::Tet4, Cell::Tet10, Cell::Hex8, Cell::Hex20] {
        let nodes: Vec<Vec3> = (0..cell.nodes()).map(|k| Vec3::from(cell.reference_node(k))).collect();
        let list: Vec<usize> = (0..cell.nodes()).collect();
        assert!(Mesh::new("one", nodes.clone(), &[(cell, list.clone())]).is_ok());
        let orders: [fn(&mut [usize]); 3] = [|_| {}, |corners| corners.rotate_left(1), |corners| corners.reverse()];
        for (k, order) in orders.iter().enumerate() {
            let mut again = list.clone();
            order(&mut again[..cell.corners()]);
            let said = refusal(nodes.clone(), &[(cell, list.clone()), (cell, again)]);
            let expected = format!("element 2 ({}) has the same corners as element 1; delete one of the two", cell.name());
            assert!(said.contains(&expected), "{k}: {said}");
        }
    }
}

#[test]
fn boundaries_that_are_no_surface_are_refused() {
    // two squares that share a corner alone
    let mut nodes = square();
    nodes.extend([Vec3::new(2.0, 1.0, 0.0), Vec3::new(2.0, 2.0, 0.0), Vec3::new(1.0, 2.0, 0.0)]);
    let mesh = Mesh::new("corner", nodes, &[(Cell::Quad4, vec![0, 1, 2, 3]), (Cell::Quad4, vec![2, 4, 5, 6])]).unwrap();
    let error = mesh.skin().unwrap_err();
    assert!(matches!(&error, MeshError::NonManifold { nodes, count: 4, .. } if nodes == &[3]), "{error}");
    // three triangles on one side
    let mut nodes = square();
    nodes.push(Vec3::new(2.0, 1.5, 0.0));
    let triangles = [vec![0, 1, 2], vec![0, 2, 3], vec![0, 4, 2]].map(|list| (Cell::Tri3, list));
    let error = Mesh::new("book", nodes, &triangles).unwrap().skin().unwrap_err().to_string();
    assert!(error.contains("3 elements meet there (elements [1, 2, 3])"), "{error}");
}

/// The elements of a cube of `n` cells each way whose cell is kept, by the numbers of the cell.
fn kept(cell: Cell, n: usize, keeps: impl Fn([usize; 3]) -> bool) -> Mesh {
    let cube = unit(cell, n);
    let of = |e: usize| cube.element(e)[..cell.corners()].iter().map(|n| cube.nodes()[*n]).sum::<Vec3>() / cell.corners() as f64;
    let place = |e: usize| [0, 1, 2].map(|i| (of(e)[i] * n as f64) as usize);
    let elements: Vec<usize> = (0..cube.elements()).filter(|e| keeps(place(*e))).collect();
    let mut used: Vec<usize> = elements.iter().flat_map(|e| cube.element(*e).iter().copied()).collect();
    used.sort_unstable();
    used.dedup();
    let nodes = used.iter().map(|n| cube.nodes()[*n]).collect();
    let list = |e: &usize| cube.element(*e).iter().map(|n| used.binary_search(n).unwrap()).collect();
    let cells: Vec<(Cell, Vec<usize>)> = elements.iter().map(|e| (cell, list(e))).collect();
    Mesh::new("part", nodes, &cells).unwrap()
}

/// In space: two cells that have an edge or a corner alone in common, and a corner at which a body touches itself. The place is that, and all elements there are named.
#[test]
fn boundaries_that_touch_in_an_edge_or_a_corner_are_refused() {
    let middle = |x: &Vec3| (x - Vec3::repeat(0.5)).norm() < 1e-9;
    for cell in [Cell::Hex8, Cell::Tet4, Cell::Hex20, Cell::Tet10] {
        let corner = kept(cell, 2, |c| c == [0; 3] || c == [1; 3]);
        // around the middle all cells but two that lie across from each other
        let pinched = kept(cell, 2, |c| c != [0; 3] && c != [1; 3]);
        for (what, mesh) in [("corner", corner), ("pinched", pinched)] {
            let error = mesh.skin().unwrap_err();
            let MeshError::NonManifold { file, nodes, count, elements, .. } = &error else { panic!("{what}: {error}") };
            let [node] = nodes[..] else { panic!("{what}: {error}") };
            assert!(file == "part" && *count == 2 && middle(&mesh.nodes()[node - 1]), "{}, {what}: {error}", cell.name());
            let own = (0..mesh.elements()).filter(|e| mesh.element(*e).contains(&(node - 1)));
            let beside = own.map(|e| e + 1).filter(|e| elements.contains(e)).count();
            assert!(beside == elements.len() && beside >= 2, "{}, {what}: {error}", cell.name());
            assert!(error.to_string().contains("2 parts of the boundary without a common edge meet there"), "{error}");
        }
        let edge = kept(cell, 2, |c| c == [0; 3] || c == [1, 1, 0]);
        let error = edge.skin().unwrap_err();
        let MeshError::NonManifold { nodes, count: 4, what: "boundary faces", .. } = &error else { panic!("{error}") };
        let on_edge = |n: &usize| (edge.nodes()[n - 1] - Vec3::new(0.5, 0.5, 0.25)).xy().norm() < 1e-9;
        assert!(nodes.len() == 2 && nodes.iter().all(on_edge), "{}: {error}", cell.name());
    }
}

/// A ring of cells, a cube with a hole through it, a hollow one, two that are apart, one with a notch: surfaces of the topology that they have.
#[test]
fn holes_hollows_and_parts_are_surfaces() {
    for cell in [Cell::Hex8, Cell::Tet4, Cell::Hex20, Cell::Tet10] {
        for (what, mesh, holes) in [
            ("cube", kept(cell, 2, |_| true), 2),
            ("torus", kept(cell, 3, |[x, y, z]| z == 0 && (x != 1 || y != 1)), 0),
            ("hole", kept(cell, 3, |[x, y, _]| x != 1 || y != 1), 0),
            ("hollow", kept(cell, 3, |c| c != [1; 3]), 4),
            ("apart", kept(cell, 3, |[x, ..]| x != 1), 4),
            ("notch", kept(cell, 3, |c| c != [1, 2, 1]), 2),
        ] {
            let skin = mesh.skin().unwrap_or_else(|e| panic!("{}, {what}: {e}", cell.name()));
            let corners = |f: &mpcd_fem::SkinFace| f.cell.corners();
            let mut nodes: Vec<usize> = skin.faces.iter().flat_map(|f| f.nodes[..corners(f)].to_vec()).collect();
            nodes.sort_unstable();
            nodes.dedup();
            let sides: usize = skin.faces.iter().map(corners).sum();
            // Euler: corners − edges + faces is 2 for each sphere and 0 for a torus
            assert_eq!(nodes.len() + skin.faces.len() - sides / 2, holes, "{}, {what}", cell.name());
        }
    }
}

#[test]
fn unknown_groups_are_refused_with_a_near_name() {
    let mesh = unit(Cell::Quad4, 1);
    let error = mesh.face_group("botom").unwrap_err().to_string();
    assert!(error.contains("there is no group `botom` of faces") && error.contains("did you mean `bottom`?"), "{error}");
    assert!(mesh.nodes_of("nowhere").unwrap_err().to_string().contains("`body`"));
    assert!(mesh.clone().add_nodes_where("none", |_| false).unwrap_err().to_string().contains("`none` is empty"));
    assert!(mesh.clone().add_element_group("far", vec![5]).is_err());
    assert!(Mesh::rectangle([1.0, -1.0], [1, 1], Cell::Quad4).unwrap_err().to_string().contains("size in y of -1"));
    assert!(Mesh::rectangle([1.0, 1.0], [0, 1], Cell::Quad4).is_err());
    assert!(Mesh::rectangle([1.0, 1.0], [1, 1], Cell::Hex8).is_err() && Mesh::ball(1.0, 2, 2, Cell::Tet4).is_err());
    assert!(
        Mesh::annulus(1.0, 0.5, 1.0, [1, 1], Cell::Quad4).is_err() && Mesh::annulus(1.0, 2.0, 7.0, [1, 9], Cell::Quad4).is_err()
    );
    assert!(unit(Cell::Quad8, 1).to_quadratic().is_err());
}

/// Meshes that no machine holds are refused before they are made, with the number of their elements: cells times the parts of each, and of a ball
/// core³ + 6 core² shell, of a disc core² + 4 core shell.
#[test]
fn absurd_meshes_are_refused_with_words() {
    let many = 100_000;
    for (mesh, name, elements) in [
        (Mesh::rectangle([1.0; 2], [many; 2], Cell::Tri3), "rectangle", "2.000e10"),
        (Mesh::cuboid([1.0; 3], [many; 3], Cell::Hex20), "cuboid", "1.000e15"),
        (Mesh::cuboid([1.0; 3], [many; 3], Cell::Tet4), "cuboid", "6.000e15"),
        (Mesh::annulus(1.0, 2.0, TAU, [many; 2], Cell::Quad8), "annulus", "1.000e10"),
        (Mesh::ball(1.0, 1000, many, Cell::Hex8), "ball", "6.010e11"),
        (Mesh::ball(1.0, 1000, many, Cell::Quad4), "ball", "4.010e8"),
        (Mesh::cuboid([1.0; 3], [171; 3], Cell::Hex8), "cuboid", "5.000e6"),
    ] {
        let said = mesh.unwrap_err().to_string();
        let wanted =
            format!("the built-in mesh `{name}` would have {elements} elements; the limit is 5000000: ask for fewer cells");
        assert_eq!(said, wanted);
    }
    for (mesh, words) in [
        (
            Mesh::annulus(1.0, 2.0, TAU, [1, 2], Cell::Quad4),
            "number of cells around of 2, expected so many that a cell takes less than a half turn",
        ),
        (
            Mesh::annulus(1.0, 2.0, 7.0, [1, 9], Cell::Quad4),
            "angle (rad) of 7, expected above zero and no more than a whole turn",
        ),
    ] {
        let said = mesh.unwrap_err().to_string();
        assert!(said.contains(words), "{said}");
    }
}
