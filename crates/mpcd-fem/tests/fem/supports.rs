//! Which motions without strain supports leave: by hand, and against what the factorisation of the stiffness says.

use mpcd_core::Vec3;
use mpcd_fem::{Body, Cell, Conditions, FemError, MassKind, Mesh, Model, Prescribed, Scheme, Space};

use crate::{distorted, linear, model, unit};

const PLANE: Space = Space::PlaneStrain { thickness: 1.0 };

/// These nodes held along these axes.
fn holding(model: &Model, held: &[(usize, usize)]) -> Conditions {
    let hold =
        |c: Conditions, (node, axis): &(usize, usize)| c.with_held_nodes(model, &[*node], *axis, Prescribed::Velocity(0.0));
    held.iter().try_fold(Conditions::default().with_gravity(Vec3::new(0.3, -1.0, 0.0)), hold).unwrap()
}

fn said(model: &Model, held: &[(usize, usize)]) -> Option<String> {
    model.loose(&holding(model, held).is_held(model.unknowns())).map(|l| l.to_string())
}

/// The node at a place.
fn at(model: &Model, place: [f64; 3]) -> usize {
    let far = |n: &usize| (model.mesh().nodes()[*n] - Vec3::from(place)).norm();
    (0..model.mesh().nodes().len()).min_by(|a, b| far(a).total_cmp(&far(b))).unwrap()
}

/// Three held unknowns of a plane hold it unless their lines meet in one point or are parallel; six of a space unless they are on one line.
#[test]
fn what_supports_leave_free_in_the_plane() {
    for cell in crate::PLANAR {
        let model = model(unit(cell, 2), PLANE, linear(1e5, 0.3), 1000.0);
        let [o, x, y, xy] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]].map(|p| at(&model, p));
        for (held, words) in [
            (vec![], Some("moving along x and y and turning")),
            (vec![(o, 0)], Some("moving along y and turning")),
            (vec![(o, 0), (x, 0)], Some("moving along y and turning")),
            (vec![(o, 0), (y, 0)], Some("moving along y")),
            (vec![(o, 1), (x, 1)], Some("moving along x")),
            (vec![(o, 0), (o, 1)], Some("turning")),
            // two lines along each other
            (vec![(o, 0), (o, 1), (x, 0)], Some("turning")),
            // three lines through (1, 0)
            (vec![(o, 0), (x, 1), (xy, 1)], Some("turning")),
            (vec![(x, 0), (x, 1), (xy, 0)], None),
            (vec![(o, 0), (o, 1), (x, 1)], None),
            (vec![(o, 1), (x, 1), (y, 0)], None),
        ] {
            let found = said(&model, &held);
            let expected = words.map(|w| format!("nothing keeps it from {w}"));
            assert_eq!(found, expected, "{cell:?} {held:?}");
        }
    }
}

#[test]
fn what_supports_leave_free_in_space_and_around_an_axis() {
    let solid = model(unit(Cell::Hex8, 2), Space::Solid, linear(1e5, 0.3), 1000.0);
    let face = |axis: usize| -> Vec<(usize, usize)> {
        (0..solid.mesh().nodes().len()).filter(|n| solid.mesh().nodes()[*n][axis] == 0.0).map(|n| (n, axis)).collect()
    };
    let [o, x, y, z] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|p| at(&solid, p));
    let pin = |node: usize| (0..3).map(move |k| (node, k));
    for (held, words) in [
        (vec![], Some("moving along x and y and z and turning")),
        (face(2), Some("moving along x and y and turning")),
        ([face(0), face(1)].concat(), Some("moving along z")),
        ([face(0), face(1), face(2)].concat(), None),
        (pin(o).collect(), Some("turning")),
        (pin(o).chain(pin(x)).collect(), Some("turning")),
        (pin(o).chain(pin(x)).chain([(y, 2)]).collect(), None),
        (pin(o).chain([(x, 1), (y, 2), (z, 0)]).collect(), None),
        (pin(o).chain([(x, 1), (y, 0), (z, 0)]).collect(), Some("turning")),
    ] {
        assert_eq!(said(&solid, &held), words.map(|w| format!("nothing keeps it from {w}")), "{held:?}");
    }
    let ring = model(unit(Cell::Quad4, 2), Space::Axisymmetric, linear(1e5, 0.3), 1000.0);
    assert_eq!(said(&ring, &[(at(&ring, [1.0, 0.0, 0.0]), 0)]).as_deref(), Some("nothing keeps it from moving along y"));
    assert_eq!(said(&ring, &[(at(&ring, [1.0, 0.0, 0.0]), 1)]), None);
}

/// Two squares apart: the second is named by one of its nodes.
#[test]
fn every_part_of_a_mesh_wants_its_own_supports() {
    let square = |x: f64| [(x, 0.0), (x + 1.0, 0.0), (x + 1.0, 1.0), (x, 1.0)].map(|(x, y)| Vec3::new(x, y, 0.0));
    let nodes = [square(0.0), square(3.0)].concat();
    let mesh = Mesh::new("two", nodes, &[(Cell::Quad4, vec![0, 1, 2, 3]), (Cell::Quad4, vec![4, 5, 6, 7])]).unwrap();
    let model = model(mesh, PLANE, linear(1e5, 0.3), 1000.0);
    let first = [(0, 0), (0, 1), (1, 1)];
    let words = format!(
        "nothing keeps the part of its mesh with node {} from moving along x and y and turning",
        model.mesh().node_label(4)
    );
    assert_eq!(said(&model, &first), Some(words));
    assert_eq!(said(&model, &[first, [(4, 0), (4, 1), (5, 1)]].concat()), None);
}

/// Few unknowns held at random, of many meshes: what is loose has no factorisation, and what has none is loose.
#[test]
fn what_is_loose_cannot_be_factorised() {
    let mut seed = 7_u64;
    let mut next = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(seed >> 33).unwrap() % below
    };
    let mut seen = [0, 0];
    for cell in crate::PLANAR.into_iter().chain(crate::SPATIAL) {
        let d = cell.dimension();
        let space = if d == 2 { PLANE } else { Space::Solid };
        for (wave, mesh) in [(0.0, unit(cell, 2)), (0.03, distorted(unit(cell, 2), 0.03))] {
            let model = model(mesh, space, linear(1e5, 0.3), 1000.0);
            for _ in 0..25 {
                let count = if d == 2 { 2 + next(3) } else { 4 + next(5) };
                let held: Vec<_> = (0..count).map(|_| (next(model.mesh().nodes().len()), next(d))).collect();
                let conditions = holding(&model, &held);
                let loose = model.loose(&conditions.is_held(model.unknowns()));
                let mut body = Body::new(model.clone(), Scheme::Static).unwrap();
                let stepped = body.advance(&model.rest(), 1.0, &conditions, &conditions);
                let is_free = matches!(stepped, Err(FemError::Free { .. }));
                assert!(is_free || stepped.is_ok(), "{stepped:?}");
                assert_eq!(loose.is_some(), is_free, "{cell:?}, waves of {wave}, {held:?}: {loose:?}");
                seen[usize::from(is_free)] += 1;
            }
        }
    }
    assert!(seen.iter().all(|n| *n > 40), "{seen:?}");
}

/// A body that its inertia alone keeps from sliding has no factorisation in a step so long that this is rounding, and says so; shorter steps go on as before.
#[test]
fn inertia_below_rounding_is_said() {
    let model = model(unit(Cell::Quad4, 2), PLANE, linear(1e9, 0.3), 1000.0);
    let held = holding(&model, &[(at(&model, [0.0; 3]), 0), (at(&model, [0.0, 1.0, 0.0]), 0)]);
    let mut body = Body::new(model.clone(), Scheme::Theta { theta: 1.0, mass: MassKind::Consistent }).unwrap();
    let rest = model.rest();
    for h in [1e-3, 1e8, 1e-3, 1e8] {
        let stepped = body.advance(&rest, h, &held, &held);
        if h < 1.0 {
            assert!(stepped.is_ok(), "{stepped:?}");
            continue;
        }
        let Err(FemError::Weightless { axis, step, .. }) = &stepped else { panic!("{stepped:?}") };
        assert_eq!((*axis, *step), ('y', h));
        let words = stepped.unwrap_err().to_string();
        assert!(words.contains("nothing but its inertia") && words.contains("take shorter steps"), "{words}");
    }
}
