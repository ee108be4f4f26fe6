//! The materials of a mesh that has several: of its elements, and of the surface around its nodes. No mesh, no properties.

use crate::{ids::MaterialId, surface_point::SurfacePoint};

/// The materials of a deformable body of several.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Filling {
    /// Material of each element of its mesh.
    pub elements: Vec<MaterialId>,
    /// Area (m²) of the surface around each of its nodes that is of a material; nodes rising.
    pub surface: Vec<(u32, MaterialId, f64)>,
    /// Mass of the body over that by the densities of its materials.
    pub scale: f64,
}

impl Filling {
    /// Its materials, each once, in the order in which elements have them.
    #[must_use]
    pub fn kinds(&self) -> Vec<MaterialId> {
        let mut out: Vec<MaterialId> = Vec::new();
        for material in &self.elements {
            if !out.contains(material) {
                out.push(*material);
            }
        }
        out
    }

    /// The material that most of the surface around a point is of; `None` where it has no node of the surface.
    #[must_use]
    pub fn at(&self, point: &SurfacePoint) -> Option<MaterialId> {
        let mut areas: Vec<(MaterialId, f64)> = Vec::new();
        for (node, weight) in point.parts() {
            let first = self.surface.partition_point(|(n, ..)| (*n as usize) < node);
            for (_, material, area) in self.surface[first..].iter().take_while(|(n, ..)| *n as usize == node) {
                match areas.iter_mut().find(|(m, _)| m == material) {
                    Some((_, sum)) => *sum += weight.abs() * area,
                    None => areas.push((*material, weight.abs() * area)),
                }
            }
        }
        areas.sort_by_key(|(material, _)| *material);
        areas.into_iter().reduce(|most, next| if next.1 > most.1 { next } else { most }).map(|(material, _)| material)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three nodes on a line, the first two of material 0, the last two of material 1: the middle one has a side of each.
    #[test]
    fn a_point_is_of_the_material_that_most_of_the_surface_around_it_has() {
        let [a, b] = [0, 1].map(MaterialId::from_index);
        let surface = vec![(4, a, 0.5), (5, a, 0.5), (5, b, 2.0), (6, b, 2.0)];
        let filling = Filling { elements: vec![b, a, b], surface, scale: 1.0 };
        let between = |first: u32, second: u32, w: f64| {
            let mut point = SurfacePoint::nowhere();
            point.add(first, 1.0 - w);
            point.add(second, w);
            point
        };
        assert_eq!(filling.at(&SurfacePoint::node(4)), Some(a));
        assert_eq!(filling.at(&SurfacePoint::node(5)), Some(b));
        assert_eq!(filling.at(&SurfacePoint::node(7)), None);
        assert_eq!(filling.at(&between(4, 5, 0.1)), Some(a));
        assert_eq!(filling.at(&between(5, 6, 0.5)), Some(b));
        assert_eq!(filling.kinds(), [b, a]);
    }
}
