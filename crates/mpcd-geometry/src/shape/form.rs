//! What a shape is outside, as other rooms need to know it without a look at shapes. Asked of the shape itself, so that no size has a part in it.

use mpcd_core::{Dimension, Form, Vec3};

use super::{Core, Shape, SupportMap};

/// Part of a radius by which points of a ball may miss it by rounding.
const ROUNDING: f64 = 1e-9;

impl Shape {
    /// What it is outside. In a planar model only a sphere is a ball: every other shape is straight along z.
    #[must_use]
    pub fn form(&self, dimension: Dimension) -> Form {
        match (self, dimension) {
            (Self::Ball { .. }, _) => Form::Ball,
            (Self::Segment { thickness_radius, .. }, Dimension::Spatial) if *thickness_radius > 0.0 => Form::Capsule,
            (Self::Solid(solid), Dimension::Spatial) => solid.core().form(),
            _ => Form::Other,
        }
    }
}

impl Core {
    /// What it is outside, in space.
    fn form(&self) -> Form {
        match self {
            Self::Round { .. } => Form::Ball,
            Self::Polytope { hull, rounding } if *rounding > 0.0 && hull.vertices().len() == 2 => Form::Capsule,
            Self::Smooth(body) if is_ball(&**body) => Form::Ball,
            Self::Hollow { outside, .. } => outside.form(),
            Self::Cluster(parts) => match &**parts {
                [only] => only.core.form(),
                _ => Form::Other,
            },
            _ => Form::Other,
        }
    }
}

/// Whether a curved body reaches as far in every direction, each time straight ahead: an ellipsoid of three equal radii.
fn is_ball(body: &dyn SupportMap) -> bool {
    let radius = body.support(&Vec3::x()).norm();
    let ahead = |x: f64, y: f64, z: f64| {
        let direction = Vec3::new(x, y, z).normalize();
        (body.support(&direction) - direction * radius).norm() <= ROUNDING * radius
    };
    (0_i32..27).filter(|k| *k != 13).all(|k| {
        let step = |place: i32| f64::from(k / place % 3 - 1);
        ahead(step(1), step(3), step(9))
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::shape::{Cylinder, Ellipsoid, Measures, PlacedShape, Solid};

    /// The form of a curved body of any name and measures.
    fn smooth(body: impl SupportMap + 'static) -> Form {
        Shape::Solid(Arc::new(Solid::new("Smooth", Core::Smooth(Arc::new(body)), Measures::default()))).form(Dimension::Spatial)
    }

    #[test]
    fn shapes_say_what_they_are_outside() {
        let (plane, space) = (Dimension::Planar, Dimension::Spatial);
        let ball = Shape::Ball { radius: 0.3 };
        assert_eq!([plane, space].map(|d| ball.form(d)), [Form::Ball; 2]);
        assert_eq!(PlacedShape::hollow_sphere(0.2, 0.1).shape.form(space), Form::Ball);
        let ellipsoid = |x: f64| smooth(Ellipsoid { radii: Vec3::new(x, 0.3, 0.3) });
        assert_eq!([0.3, 0.3 * (1.0 + 1e-6)].map(ellipsoid), [Form::Ball, Form::Other]);
        assert_eq!(smooth(Cylinder { radius: 0.1, half_length: 0.1 }), Form::Other);
        assert_eq!(Shape::Disc { radius: 0.1, thickness: 0.2 }.form(plane), Form::Other);
        assert_eq!(Shape::Box { half: Vec3::repeat(0.1) }.form(space), Form::Other);
        assert_eq!(PlacedShape::hollow_disc(0.1, 0.1, 0.4).shape.form(plane), Form::Other);
    }

    #[test]
    fn what_ends_round_is_a_capsule_in_space() {
        let wall = |thickness_radius: f64, dimension| Shape::Segment { half: Vec3::x(), thickness_radius }.form(dimension);
        assert_eq!(wall(0.1, Dimension::Spatial), Form::Capsule);
        assert_eq!([wall(0.0, Dimension::Spatial), wall(0.1, Dimension::Planar)], [Form::Other; 2]);
        for (dimension, form) in [(Dimension::Spatial, Form::Capsule), (Dimension::Planar, Form::Other)] {
            let found = PlacedShape::capsule(0.1, 0.4, dimension).ok().map(|placed| placed.shape.form(dimension));
            assert_eq!(found, Some(form), "{dimension:?}");
        }
        // a cluster of one is that one, one of two is something else
        let cluster = |parts: &[PlacedShape]| {
            PlacedShape::cluster(parts, Dimension::Spatial).ok().map(|c| c.shape.form(Dimension::Spatial))
        };
        let [ball, other] =
            [0.0, 0.1].map(|x: f64| PlacedShape { centre: Vec3::x() * x, ..PlacedShape::centred(Shape::Ball { radius: 0.1 }) });
        assert_eq!(cluster(std::slice::from_ref(&ball)), Some(Form::Ball));
        assert_eq!(cluster(&[ball, other]), Some(Form::Other));
    }
}
