//! Convex shapes with curved surfaces, as the narrow phase sees them: by their farthest point in a direction.
//! No contact is computed here.

use mpcd_core::Vec3;

/// A convex body about the origin, in body axes, at reference size.
pub trait SupportMap: std::fmt::Debug + Send + Sync {
    /// The farthest point of the body in a direction of any length but zero; where many are farthest, any one of them, always
    /// the same for the same direction.
    fn support(&self, direction: &Vec3) -> Vec3;

    /// The flat face or straight edge whose points are farthest in directions near `direction` (a unit vector): appends its corners,
    /// counter-clockwise seen from outside (two for an edge), and returns its outward unit normal nearest to `direction`.
    /// `None` where the surface is curved in both directions.
    fn flat(&self, direction: &Vec3, corners: &mut Vec<Vec3>) -> Option<Vec3> {
        let _ = (direction, corners);
        None
    }

    /// Points of the surface that can be the first to touch something flat or hollow in a direction (a unit vector), each with a
    /// number that stays its own while the body turns. The farthest point is among them.
    fn outposts(&self, direction: &Vec3, visit: &mut dyn FnMut(u32, Vec3)) {
        visit(0, self.support(direction));
    }

    /// Principal curvatures [1/m] of the surface where its outward unit normal is `normal`; 0 where it is flat or sharp.
    fn curvature(&self, normal: &Vec3) -> [f64; 2];
}
