//! Convex shapes with curved surfaces, as the narrow phase sees them: by their farthest point in a direction.
//! No contact is computed here; the shapes that ship are in `curved`.

use mpcd_core::{Frame, Vec3};

use super::Chord;

/// A convex body about the origin, in body axes, at reference size.
pub trait SupportMap: std::fmt::Debug + Send + Sync {
    /// The farthest point of the body in a direction of any length but zero; where many are farthest, any one of them, always
    /// the same for the same direction.
    fn support(&self, direction: &Vec3) -> Vec3;

    /// Outward unit normal of the flat face or straight edge that looks along `direction` (a unit vector) most, of an edge the
    /// normal nearest to `direction`; `None` where the surface near there is curved in both directions.
    fn face_normal(&self, direction: &Vec3) -> Option<Vec3> {
        let _ = direction;
        None
    }

    /// Appends the corners of what [`SupportMap::face_normal`] tells of: counter-clockwise seen from outside, two for an edge, all
    /// of them points of the surface.
    fn face_corners(&self, direction: &Vec3, corners: &mut Vec<Vec3>) {
        let _ = (direction, corners);
    }

    /// Centre and radius of the flat face that looks along `direction` (a unit vector), if it is a disc: [`SupportMap::face_corners`] then stand for it,
    /// and its area is that of the disc.
    fn round_face(&self, direction: &Vec3) -> Option<(Vec3, f64)> {
        let _ = direction;
        None
    }

    /// Unit direction of the straight line of the surface that looks along `direction` (a unit vector), or nearly so: the body's
    /// normals there all lie across it. `None` where the surface has no straight line.
    fn line(&self, direction: &Vec3) -> Option<Vec3> {
        let _ = direction;
        None
    }

    /// Points of the surface that can be the first to touch something flat or hollow in a direction (a unit vector), each with a
    /// number that stays its own while the body turns. The farthest point is among them.
    fn outposts(&self, direction: &Vec3, visit: &mut dyn FnMut(u32, Vec3)) {
        visit(0, self.support(direction));
    }

    /// Whether an outpost wanders along the rim of a face whose other outposts stay: those stand for the face, and it has next to no part of it.
    fn wanders(&self, outpost: u32) -> bool {
        let _ = outpost;
        false
    }

    /// Principal curvatures [1/m] of the surface where its outward unit normal is `normal`, the greater first; 0 where it is flat or sharp. What is
    /// given here is the root of their product, for both: by differences of the farthest point.
    fn curvature(&self, normal: &Vec3) -> [f64; 2] {
        let (f, step) = (Frame::spatial(*normal), 1e-4);
        let change = |d: &Vec3| (self.support(&(normal + step * d)) - self.support(&(normal - step * d))) / (2.0 * step);
        let (by_t, by_s) = (change(&f.t), change(&f.s()));
        let radii = f.t.dot(&by_t) * f.s().dot(&by_s) - f.t.dot(&by_s) * f.s().dot(&by_t);
        let k = 1.0 / radii.sqrt();
        if k.is_finite() { [k, k] } else { [0.0; 2] }
    }

    /// Unit direction in which the surface is less curved where its outward unit normal is `normal`; `None` where that is not told, and its curvatures count as one.
    fn less_curved(&self, normal: &Vec3) -> Option<Vec3> {
        let _ = normal;
        None
    }

    /// Where the line o + t v, v a unit vector, goes through the body: what a cluster takes off where parts overlap. What is given here does not tell, and such parts
    /// count whole.
    fn chord(&self, o: &Vec3, v: &Vec3) -> Chord {
        let _ = (o, v);
        Chord::Unknown
    }

    /// Radius (m) of a ball about the origin that holds the body. What is given here is that about the box along its axes.
    fn reach(&self) -> f64 {
        let half = |k: usize| Vec3::ith(k, self.support(&Vec3::ith(k, 1.0))[k].max(-self.support(&Vec3::ith(k, -1.0))[k]));
        (half(0) + half(1) + half(2)).norm()
    }

    /// The least distance of two parallel planes that hold the body (m). What is given here is sought by steps.
    fn least_width(&self) -> f64 {
        super::width::least_width(self)
    }

    /// The area (m²) of the body's shadow along `direction` (a unit vector). What is given here is that of a smooth outline through its farthest points, to
    /// about 10⁻⁵ of itself.
    fn silhouette(&self, direction: &Vec3) -> f64 {
        super::silhouette::silhouette(self, direction)
    }
}
