//! What all joints are built with: points, directions and anchors from the initial configuration. Which kinds there are is not known here.

use mpcd_core::{
    BodyId, Dimension, InputError, Quantity, Quat, Setup, Vec3,
    column::kept,
    quantity::{Force, Length, Positive, Vector},
    setup,
};

use super::{Joint, Kind, axis::Axis};
use crate::deformable::Deformables;

/// One end of a joint at the start.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct End {
    pub(super) place: Vec3,
    /// Of a mesh: what it ends on.
    pub(super) mark: Option<usize>,
}

/// A joint of the model file, and the set-up that it is in.
pub(super) struct Builder<'a> {
    pub(super) setup: &'a Setup,
    pub(super) joint: &'a setup::Joint,
    /// The meshes of the set-up.
    pub(super) meshes: &'a mut Deformables,
}

impl Builder<'_> {
    pub(super) fn point(&self, point: Option<Vector<Length>>, key: &str) -> Result<Option<Vec3>, InputError> {
        match point.map(|p| p.si()) {
            Some(p) if self.setup.dimension == Dimension::Planar && p.z != 0.0 => {
                Err(InputError::new(format!("`{key}` leaves the xy plane of this planar model")).help("write (x, y)").at(key))
            }
            point => Ok(point),
        }
    }

    /// Orientation of the first body in the axes of the second, at the start.
    pub(super) fn relative(&self) -> Quat {
        let turned = |b: BodyId| self.setup.initial.orientation[b.index()];
        let (c, a) = self.joint.bodies;
        a.map_or_else(|| turned(c), |a| turned(a).inverse() * turned(c))
    }

    pub(super) fn centre(&self, body: BodyId) -> Vec3 {
        self.setup.initial.position[body.index()]
    }

    pub(super) fn middle(&self) -> Vec3 {
        let (c, a) = self.joint.bodies;
        a.map_or_else(|| self.centre(c), |a| (self.centre(c) + self.centre(a)) * 0.5)
    }

    pub(super) fn length(&self, given: Option<f64>, from: &Vec3, to: &Vec3) -> Result<f64, InputError> {
        let distance = (from - to).norm();
        if distance == 0.0 {
            return Err(InputError::new("the two ends of this joint are at one point, so it has no direction")
                .help("use `Pin` to hold two points together, or move one end")
                .at("to"));
        }
        Ok(given.unwrap_or(distance))
    }

    /// Anchors in body axes at reference size; those of the ground in world axes.
    pub(super) fn joined(&self, [from, to]: [End; 2], kind: Kind, break_force: Option<Quantity<Force, Positive>>) -> Joint {
        let joint = self.guided(from.place, to.place, kind, Axis::default(), break_force);
        Joint { marks: [from.mark, to.mark], ..joint }
    }

    /// The same with what acts along the axis of a hinge or a slider.
    pub(super) fn guided(
        &self,
        from: Vec3,
        to: Vec3,
        kind: Kind,
        axis: Axis,
        break_force: Option<Quantity<Force, Positive>>,
    ) -> Joint {
        let name = |what: &str| self.joint.name.as_ref().map(|name| kept(format!("{name}_{what}")));
        let components = ["force_x", "force_y", "force_z", "moment_x", "moment_y", "moment_z"];
        let components = components.into_iter().filter_map(name).collect();
        let columns = Joint::column_names(&kind, &axis).into_iter().filter_map(name).collect();
        let (c, a) = self.joint.bodies;
        let initial = &self.setup.initial;
        let local = |b: BodyId, p: Vec3| {
            let i = b.index();
            initial.orientation[i].inverse_transform_vector(&(p - initial.position[i])) / initial.size[i]
        };
        Joint {
            candidate: c,
            antagonist: a,
            anchors: [local(c, from), a.map_or(to, |a| local(a, to))],
            marks: [None; 2],
            kind,
            axis,
            break_force: break_force.map(|f| f.si()),
            planar: self.setup.dimension == Dimension::Planar,
            columns,
            components,
        }
    }
}
