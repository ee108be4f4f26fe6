//! How far a deformable body is from where its law was made for: how it has turned as a whole, and how its elements are strained. No law.

use mpcd_core::{Mat3, Vec3};
use mpcd_fem::{Model, State};

/// The angle (rad) by which a body has turned as a whole, as far as it is small: of all rotations about its centre of mass the one nearest to the
/// displacement, Σ m r × u = Σ m (r² 1 − r rᵀ) φ.
pub(super) fn turned(model: &Model, state: &State) -> f64 {
    let d = model.dimension();
    let (masses, nodes) = (model.nodal_masses(), model.mesh().nodes());
    let total: f64 = masses.iter().sum();
    let centre = masses.iter().zip(nodes).map(|(m, x)| x * *m).sum::<Vec3>() / total;
    let (mut moment, mut inertia) = (Vec3::zeros(), Mat3::zeros());
    for (node, (m, x)) in masses.iter().zip(nodes).enumerate() {
        let u = Vec3::from_fn(|k, _| if k < d { state.displacement[node * d + k] } else { 0.0 });
        let r = x - centre;
        moment += r.cross(&u) * *m;
        inertia += (Mat3::identity() * r.norm_squared() - r * r.transpose()) * *m;
    }
    if d == 2 {
        return (moment.z / inertia[(2, 2)]).abs();
    }
    inertia.try_inverse().map_or(0.0, |i| (i * moment).norm())
}

/// The largest strain along the way between two corners of an element, as laws of small strain see it (a turning is none): d·Δu/d² with d at rest.
/// Stretch along edges, and shear along diagonals.
pub(super) fn strained(model: &Model, state: &State) -> f64 {
    let (mesh, d) = (model.mesh(), model.dimension());
    let rest = mesh.nodes();
    let moved = |node: usize| Vec3::from_fn(|k, _| if k < d { state.displacement[node * d + k] } else { 0.0 });
    let mut largest = 0.0_f64;
    for element in 0..mesh.elements() {
        let corners = &mesh.element(element)[..mesh.cell(element).corners()];
        for (k, &a) in corners.iter().enumerate() {
            for &b in &corners[..k] {
                let way = rest[a] - rest[b];
                largest = largest.max((way.dot(&(moved(a) - moved(b))) / way.norm_squared()).abs());
            }
        }
    }
    largest
}
