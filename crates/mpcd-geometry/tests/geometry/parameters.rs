//! Shapes as a model file writes them, and the messages for what is wrong with them.

use mpcd_core::{
    Dimension::{self, Planar, Spatial},
    Fragment, InputError, Vec3,
};
use mpcd_geometry::{PlacedShape, Shape, ShapeRegistry};

fn read(text: &str, dimension: Dimension) -> PlacedShape {
    ShapeRegistry::standard().parse(&Fragment::whole(text), dimension, &mut ()).unwrap()
}

fn fault(text: &str, dimension: Dimension) -> InputError {
    ShapeRegistry::standard().parse(&Fragment::whole(text), dimension, &mut ()).unwrap_err()
}

#[test]
fn shapes_are_read() {
    assert_eq!(read("Sphere(radius: \"2 mm\")", Spatial).shape, Shape::Ball { radius: 2e-3 });
    assert_eq!(read("Disc(radius: 1)", Planar).shape, Shape::Disc { radius: 1.0, thickness: 1.0 });
    assert_eq!(read("Disc(radius: 1, thickness: \"1 cm\")", Planar).shape, Shape::Disc { radius: 1.0, thickness: 0.01 });
    assert_eq!(read("Plane(normal: (0, 2))", Planar).shape, Shape::Plane { normal: Vec3::y() });
    assert_eq!(read("Box(size: (2, 4, 6))", Spatial).shape, Shape::Box { half: Vec3::new(1.0, 2.0, 3.0) });
    assert_eq!(read("Box(half: (2, 4))", Planar).shape, Shape::Box { half: Vec3::new(2.0, 4.0, 0.5) });
    assert_eq!(read("Box(half: (2, 4), thickness: 3)", Planar).shape, Shape::Box { half: Vec3::new(2.0, 4.0, 1.5) });
}

/// The segment's own axis is x, so that its moments of inertia are principal; the placement turns it to where it was asked.
#[test]
fn a_segment_is_put_where_it_was_asked() {
    let cases = [((0.0, 0.0), (3.0, 4.0)), ((1.0, 2.0), (-5.0, 2.0)), ((0.0, 1.0), (0.0, -1.0)), ((2.0, 0.0), (4.0, 0.0))];
    for ((ax, ay), (bx, by)) in cases {
        let placed = read(&format!("Segment(from: ({ax:?}, {ay:?}), to: ({bx:?}, {by:?}), radius: 0.1)"), Planar);
        let Shape::Segment { half, thickness_radius } = placed.shape else { panic!("{placed:?}") };
        assert!(half.y == 0.0 && half.z == 0.0 && thickness_radius == 0.1);
        let axis = placed.orientation * half;
        assert!((placed.centre - axis - Vec3::new(ax, ay, 0.0)).norm() < 1e-15);
        assert!((placed.centre + axis - Vec3::new(bx, by, 0.0)).norm() < 1e-15);
        let q = placed.orientation.coords;
        assert!(q.x == 0.0 && q.y == 0.0, "a planar turn is about z: {q}");
    }
    let placed = read("Segment(from: (0, 0, 0), to: (0, 0, -2))", Spatial);
    let Shape::Segment { half, .. } = placed.shape else { panic!("{placed:?}") };
    assert!((placed.orientation * half + Vec3::z()).norm() < 1e-15);
}

#[test]
fn faults_say_what_to_do_and_where() {
    let e = fault("Shpere(radius: 1)", Spatial);
    assert_eq!(
        e.message,
        format!(
            "unknown shape `Shpere`; expected one of {}",
            ShapeRegistry::standard().schemas().map(|(name, _)| format!("`{name}`")).collect::<Vec<_>>().join(", ")
        )
    );
    assert!(e.message.contains("`Sphere`, `Disc`, `Plane`, `Segment`, `Box`, `HollowDisc`"));
    assert_eq!(e.help.as_deref(), Some("did you mean `Sphere`?"));
    assert!(fault("Sphere(radius: -1)", Spatial).message.contains("a length [m] above zero, found -1"));
    assert!(fault("Sphere(radius: 1, thickness: 1)", Spatial).message.contains("thickness"));
    let e = fault("Disc(radius: 1)", Spatial);
    assert_eq!(e.message, "a disc belongs to a planar model, but this model is spatial");
    assert!(e.help.unwrap().contains("`Sphere(radius: …)`"));
    assert!(fault("Plane(normal: (0, 0))", Planar).message.contains("has no direction"));
    assert!(
        fault("Plane(normal: (0, 1, 1))", Planar).message.contains("`normal` has a z component of 1, but the model is planar")
    );
    assert!(fault("Segment(from: (1, 1), to: (1, 1))", Planar).message.contains("the same point"));
    assert!(fault("Box()", Spatial).message.contains("needs its edges"));
    assert!(fault("Box(half: (1, 1, 1), size: (2, 2, 2))", Spatial).help.unwrap().contains("keep one"));
    assert!(fault("Box(half: (1, 1))", Spatial).message.contains("a component that is 0"));
    assert!(fault("Box(half: (1, 1, 1))", Planar).message.contains("three components"));
    assert!(fault("Box(half: (1, 1, 1), thickness: 1)", Spatial).message.contains("belongs to planar models"));
    let text = "Box(half: (1, 1, 1), thickness: 1)";
    let mpcd_core::input::Place::Span(span) = fault(text, Spatial).place else { panic!("no place") };
    assert_eq!(&text[span], "thickness");
}

#[test]
fn the_manual_knows_every_key_with_its_unit() {
    for (name, schema) in ShapeRegistry::standard().schemas() {
        let keys = schema.get("properties").unwrap().as_object().unwrap();
        assert!(schema.get("description").is_some() && !keys.is_empty(), "{}", name);
        for (key, value) in keys {
            let text = value.to_string();
            // A choice and a list of parts have no unit.
            let measured = !["closed", "parts"].contains(&key.as_str());
            assert!(value.get("description").is_some() && (text.contains("x-unit") || !measured), "{}: {key} {text}", name);
        }
    }
}
