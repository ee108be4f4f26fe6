//! Welds of a side of a mesh: every node of it is pinned to the rigid body, or to the ground, where it is at the start. Parameters to joints; what a pin
//! does is in `rows`.

use mpcd_core::{
    InputError, Quantity, Vec3,
    quantity::{Force, Positive},
};

use super::{
    Joint, Kind,
    builder::{Builder, End},
};

/// Most nodes that a weld holds: what they do to each other is a dense matrix.
const MOST: usize = 1000;

impl Builder<'_> {
    /// The pins of a weld that ends on a mesh; the first bears its name.
    pub(super) fn weld_side(
        &mut self,
        at: Option<Vec3>,
        limit: Option<Quantity<Force, Positive>>,
    ) -> Result<Vec<Joint>, InputError> {
        let mut meshes = (0..2).filter(|side| self.is_mesh(*side));
        let side = match (meshes.next(), meshes.next()) {
            (Some(side), None) => side,
            _ => {
                return Err(InputError::new("a weld of two meshes would have to follow both of their shapes, which it does not")
                    .help("bond the two faces by a law with a strength, as `Bilinear(…)`, or make one mesh of both"));
            }
        };
        let Some(body) = self.body(side) else { return Ok(Vec::new()) };
        let label = self.setup.body_label(body);
        if at.is_some() {
            return Err(InputError::new(format!("this weld holds every node of a side of {label}, so `at` has no meaning"))
                .help("remove `at`")
                .at("at"));
        }
        let Some(part) = self.joint.parts[side].clone() else {
            return Err(InputError::new(format!("{label} is deformable: a weld holds a side of it, but none is named"))
                .help(format!("write it as \"group.side\"; its sides are {}", self.meshes.parts_of(body).join(", "))));
        };
        if let Some(part) = &self.joint.parts[1 - side] {
            return Err(InputError::new(format!("`{part}` names a part of a mesh, but the other end of this weld is rigid"))
                .help("name its group alone"));
        }
        let nodes = self.meshes.mark_nodes(self.setup, body, &part)?;
        if nodes.len() > MOST {
            return Err(InputError::new(format!(
                "`{part}` of {label} has {} nodes, but a weld holds at most {MOST}: what they do to each other is a dense matrix",
                nodes.len()
            ))
            .help("name a smaller group of nodes, or hold the side by a load"));
        }
        if let Some((_, place)) = nodes.iter().find(|(mark, _)| self.meshes.is_held(*mark)) {
            return Err(InputError::new(format!(
                "a load holds or drives the node of `{part}` at ({}, {}, {}), which this weld would hold too",
                place.x, place.y, place.z
            ))
            .help("remove the load, and hold or drive what the side is welded to"));
        }
        let pin = |(mark, place): (usize, Vec3)| {
            let mut ends = [End { place, mark: None }; 2];
            ends[side].mark = Some(mark);
            self.joined(ends, Kind::Pin, limit)
        };
        let mut pins: Vec<Joint> = nodes.into_iter().map(pin).collect();
        pins.iter_mut().skip(1).for_each(Joint::lose_name);
        Ok(pins)
    }
}
