//! The stiffness of pressures that follow their faces: how their forces change as the faces turn and stretch. Source: Bonet–Wood, Nonlinear
//! continuum mechanics for finite element analysis, §8.5 (pressure component of the tangent).

use mpcd_core::{Mat3, Vec3};

use super::assembly::Target;
use super::loads::Conditions;
use super::point::{depth, radius};
use super::{Model, Space};
use crate::cell::{Purpose, table};
use crate::mesh::Face;

impl Model {
    /// Adds ∂f/∂u of the pressures of `conditions` at a displacement, f the forces of [`Model::load`].
    pub(crate) fn add_load_stiffness(&self, conditions: &Conditions, displacement: &[f64], target: &mut Target<'_>) {
        for (faces, pressure) in conditions.pressures.iter().filter(|(_, p)| *p != 0.0) {
            for face in faces {
                self.put(face.element, self.face_stiffness(*face, *pressure, displacement), target);
            }
        }
    }

    /// ∂f/∂u of one face, by rows of the unknowns of its element: f_a = −p ∫ N_a n with n = dx/dξ turned by a right angle (times the way around the
    /// axis, which changes with the radius), or ∂x/∂ξ × ∂x/∂η.
    fn face_stiffness(&self, face: Face, pressure: f64, displacement: &[f64]) -> Vec<f64> {
        let d = self.dimension();
        let element = self.mesh.element(face.element);
        let n = element.len() * d;
        let mut out = vec![0.0; n * n];
        let local = self.mesh.cell(face.element).faces()[face.local];
        let moved = |k: &usize| {
            self.mesh.nodes()[element[*k]] + Vec3::from_fn(|i, _| if i < d { displacement[element[*k] * d + i] } else { 0.0 })
        };
        let places: Vec<Vec3> = local.iter().map(moved).collect();
        let (cell, _) = self.mesh.face(face);
        let table = table(cell, Purpose::Mass);
        for (shape, weight) in table.shapes.iter().zip(&table.rule.weights) {
            let along = |k: usize| -> Vec3 { places.iter().zip(&shape.derivative).map(|(x, g)| x * g[k]).sum() };
            let around = depth(self.space, radius(shape, &places));
            let (first, second) = (along(0), along(1));
            for (b, &own) in local.iter().enumerate() {
                let slope = shape.derivative[b];
                // δn of a displacement of node b
                let turned = if d == 2 {
                    let mut turned = around * slope[0] * Mat3::new(0.0, 1.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0, 0.0);
                    if self.space == Space::Axisymmetric {
                        turned +=
                            std::f64::consts::TAU * shape.value[b] * Vec3::new(first.y, -first.x, 0.0) * Vec3::x().transpose();
                    }
                    turned
                } else {
                    first.cross_matrix() * slope[1] - second.cross_matrix() * slope[0]
                };
                for (a, &other) in local.iter().enumerate() {
                    let block = turned * (-pressure * weight * shape.value[a]);
                    (0..d * d).for_each(|k| out[(other * d + k / d) * n + own * d + k % d] += block[(k / d, k % d)]);
                }
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use mpcd_sparse::GeneralMatrix;

    use super::*;
    use crate::{Cell, Isotropic, Mesh, NeoHookean, Section};

    /// Every entry against central differences of the forces, on meshes that are deformed unevenly.
    #[test]
    fn the_stiffness_of_a_pressure_is_the_derivative_of_its_forces() {
        let plane = |cell| {
            (
                Mesh::rectangle([1.0, 0.7], [2, 1], cell).unwrap().moved(|x| x + Vec3::x() * 0.2).unwrap(),
                Space::PlaneStrain { thickness: 0.3 },
            )
        };
        let ring = |cell| (plane(cell).0, Space::Axisymmetric);
        let solid = |cell| (Mesh::cuboid([1.0, 0.7, 0.5], [1; 3], cell).unwrap(), Space::Solid);
        let cases = [plane(Cell::Tri6), plane(Cell::Quad8), plane(Cell::Quad4), ring(Cell::Quad8), ring(Cell::Tri3)];
        for (mesh, space) in cases.into_iter().chain([Cell::Hex20, Cell::Tet10, Cell::Hex8, Cell::Tet4].map(solid)) {
            let section = Section::new(NeoHookean(Isotropic::new(1e5, 0.3).unwrap()), 1000.0).unwrap();
            let model = Model::new(mesh, space, &section).unwrap();
            let conditions =
                Conditions::default().with_pressure(&model, "right", 3.0).unwrap().with_pressure(&model, "top", -2.0).unwrap();
            let n = model.unknowns();
            let u: Vec<f64> = (0..n).map(|k| 0.05 * (3.0 * k as f64).sin()).collect();
            let mut matrix = GeneralMatrix::zeros(model.pattern().general().unwrap());
            model.add_load_stiffness(&conditions, &u, &mut Target::General(&mut matrix, 1.0));
            let h = 1e-6;
            for k in 0..n {
                let at = |way: f64| {
                    let mut moved = u.clone();
                    moved[k] += way;
                    model.load(&conditions, &moved).unwrap()
                };
                let mut unit = vec![0.0; n];
                unit[k] = 1.0;
                let mut column = vec![0.0; n];
                matrix.multiply(&unit, &mut column).unwrap();
                for ((up, down), found) in at(h).iter().zip(at(-h)).zip(column) {
                    let expected = (up - down) / (2.0 * h);
                    assert!((found - expected).abs() < 1e-7, "{space:?}, unknown {k}: {found} for {expected}");
                }
            }
        }
    }
}
