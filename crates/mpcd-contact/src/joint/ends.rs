//! Where joints end: points of rigid bodies and of the ground, means of parts and points of the surface of meshes. From the model to places at the
//! start; what joints hold there is not known here.

use mpcd_core::{
    BodyId, InputError, Vec3,
    quantity::{Length, Vector},
};

use super::builder::{Builder, End};

/// Part of the distance between the centres of two meshes by which the two ends of a pin may be apart: rounding of their places.
const SAME: f64 = 1e-6;

impl Builder<'_> {
    pub(super) fn body(&self, side: usize) -> Option<BodyId> {
        if side == 0 { Some(self.joint.bodies.0) } else { self.joint.bodies.1 }
    }

    pub(super) fn is_mesh(&self, side: usize) -> bool {
        self.body(side).is_some_and(|body| self.meshes.has(body))
    }

    /// Whether the joint ends on a mesh, or names a part of one.
    pub(super) fn on_mesh(&self) -> bool {
        (0..2).any(|side| self.is_mesh(side) || self.joint.parts[side].is_some())
    }

    /// What joints on meshes cannot be.
    ///
    /// # Errors
    /// A kind that holds a turning, which means of nodes do not have; a mesh around an axis.
    pub(super) fn refuse_on_mesh(&self) -> Result<(), InputError> {
        let meshes = (0..2).filter_map(|side| self.body(side)).find(|body| self.meshes.has(*body));
        let Some(body) = meshes else { return Ok(()) };
        let label = self.setup.body_label(body);
        if self.meshes.is_ring(body) {
            return Err(InputError::new(format!("a joint ends on {label}, which is axisymmetric: a point of it is a ring"))
                .help("hold or drive one of its sides with a load, as `on: \"group.side\"`"));
        }
        let kind = self.joint.kind.name();
        if matches!(kind, "Hinge" | "Slider") {
            return Err(InputError::new(format!(
                "a `{kind}` ends on {label}, which is deformable: a mean of nodes has no turning that could be held"
            ))
            .help("weld the side to a rigid body (`Weld`), and let the joint end on that body"));
        }
        Ok(())
    }

    /// One end, at a point that the key `key` of the model gives, or where there is only one it can be.
    pub(super) fn end(&mut self, side: usize, point: Option<Vec3>, key: &str) -> Result<End, InputError> {
        let Some(body) = self.body(side) else {
            let Some(place) = point else {
                return Err(InputError::new(format!("a joint to the ground needs `{key}`, the point of the ground it ends at"))
                    .help(format!("add `{key}: (x, y, z)`")));
            };
            return Ok(End { place, mark: None });
        };
        let found = |(mark, place): (usize, Vec3)| End { place, mark: Some(mark) };
        let label = self.setup.body_label(body);
        match (&self.joint.parts[side], point) {
            (Some(part), None) => self.meshes.mark_part(self.setup, body, part).map(found),
            (Some(part), Some(_)) if self.meshes.has(body) => {
                Err(InputError::new(format!("this joint ends on the mean of `{part}` of {label}, so `{key}` has no meaning"))
                    .help(format!("remove `{key}`, or name the body without its part"))
                    .at(key))
            }
            (Some(part), Some(_)) => self.meshes.mark_part(self.setup, body, part).map(found),
            (None, Some(point)) if self.meshes.has(body) => self.meshes.mark_point(body, &point, key).map(found),
            (None, None) if self.meshes.has(body) => {
                Err(InputError::new(format!("{label} is deformable: its centre is no point of it that a joint could hold"))
                    .help(format!(
                        "add `{key}`, a point of its surface, or name one of its sides: {}",
                        self.meshes.parts_of(body).join(", ")
                    ))
                    .at(key))
            }
            (None, point) => Ok(End { place: point.unwrap_or_else(|| self.centre(body)), mark: None }),
        }
    }

    /// Both ends of a joint along a line.
    pub(super) fn ends(&mut self, from: Option<Vector<Length>>, to: Option<Vector<Length>>) -> Result<[End; 2], InputError> {
        let (from, to) = (self.point(from, "from")?, self.point(to, "to")?);
        Ok([self.end(0, from, "from")?, self.end(1, to, "to")?])
    }

    /// Both ends of a pin that holds a mesh: on the mesh the mean of a side, or the point of the surface nearest to `at`; on what is rigid the same
    /// place.
    pub(super) fn common_ends(&mut self, at: Option<Vector<Length>>) -> Result<[End; 2], InputError> {
        let at = self.point(at, "at")?;
        let mut ends: [Option<End>; 2] = [None; 2];
        for side in 0..2 {
            if self.joint.parts[side].is_some() {
                ends[side] = Some(self.end(side, at, "at")?);
            }
        }
        let common = |ends: &[Option<End>; 2]| ends.iter().flatten().map(|end| end.place).next();
        for side in 0..2 {
            if ends[side].is_none() && self.is_mesh(side) {
                let point = common(&ends).or(at);
                ends[side] = Some(self.end(side, point, "at")?);
            }
        }
        for side in 0..2 {
            if ends[side].is_none() {
                ends[side] = Some(End { place: common(&ends).unwrap_or_else(Vec3::zeros), mark: None });
            }
        }
        let [c, a] = ends.map(|end| end.unwrap_or(End { place: Vec3::zeros(), mark: None }));
        let (apart, (first, second)) = ((c.place - a.place).norm(), self.joint.bodies);
        let size = second.map_or(0.0, |second| (self.centre(first) - self.centre(second)).norm());
        if apart > SAME * size {
            return Err(InputError::new(format!(
                "the two ends of this pin are {apart:.3e} m apart: on meshes it holds means or points of their surfaces together"
            ))
            .help("take a `Rod`, a `Wire` or a `Spring` between them, or move the bodies together"));
        }
        Ok([c, a])
    }

    /// Whether a force can move one of the ends.
    pub(super) fn gives_way(&self, marks: [Option<usize>; 2], responds: impl Fn(BodyId) -> bool) -> bool {
        (0..2).any(|side| match (marks[side], self.body(side)) {
            (Some(mark), _) => !self.meshes.is_carried(mark),
            (None, body) => body.is_some_and(&responds),
        })
    }
}
