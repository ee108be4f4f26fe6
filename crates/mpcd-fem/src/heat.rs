//! Heat in a mesh: what its nodes store, what flows between them, and how surfaces give to them. Numbers of geometry alone (of conductivity
//! and capacity 1); temperatures, materials and time belong to the caller. Everything that flows by a gradient is the same.
//!
//! ∫ ∇N_a·∇N_b dV has rows that add up to 0: the flow into node a is Σ_b G_ab (T_b − T_a) with G_ab = −∫ ∇N_a·∇N_b dV, which may be negative.
//! So a mesh is a network of conductances between nodes whose balance is as exact as one of lumps. Source: Zienkiewicz–Taylor, The Finite
//! Element Method, vol. 1, ch. 7.

use std::sync::Arc;

use mpcd_core::{SurfacePoint, Vec3};

use crate::cell::{Purpose, table};
use crate::error::FemError;
use crate::mesh::{Face, Mesh, NodePairs};
use crate::model::{MassKind, Point, Space, face_points, products};

/// A mesh and what it stands for: the body of a model file as who knows meshes, and no mechanics, needs it.
#[derive(Debug, Clone)]
pub struct Meshed {
    /// The mesh at rest, in axes of the body.
    pub mesh: Arc<Mesh>,
    /// Its kinematic.
    pub space: Space,
    /// Whether it is of a file, and the model gives no scale.
    pub unscaled: bool,
}

/// A point of a surface and the area (m²) that it stands for.
#[derive(Debug, Clone, PartialEq)]
pub struct SurfaceShare {
    /// Weighted mean of nodes.
    pub point: SurfacePoint,
    /// Area (m²).
    pub area: f64,
}

/// A mesh as a network of nodes.
#[derive(Debug, Clone)]
pub struct HeatMesh {
    meshed: Meshed,
    pairs: NodePairs,
    /// G between the local nodes of the pairs of each element (m).
    parts: Vec<f64>,
}

impl HeatMesh {
    /// The network of a mesh.
    ///
    /// # Errors
    /// [`FemError::Space`], [`FemError::Value`] for a thickness, [`FemError::Radius`], [`FemError::Element`] for one without volume.
    pub fn new(meshed: Meshed) -> Result<Self, FemError> {
        meshed.space.check(&meshed.mesh)?;
        let mesh = &meshed.mesh;
        let pairs = NodePairs::new(mesh);
        let mut parts = Vec::new();
        for e in 0..mesh.elements() {
            parts.extend(conductances(&meshed, e)?);
        }
        Ok(Self { meshed, pairs, parts })
    }

    /// The mesh.
    pub fn mesh(&self) -> &Mesh {
        &self.meshed.mesh
    }

    /// Pairs of nodes (a, b), a < b, rising, that have an element in common.
    pub fn pairs(&self) -> &[(usize, usize)] {
        &self.pairs.all
    }

    /// Conductance of each pair (that of `conductivity` times m), of a conductivity by element.
    pub fn conductances(&self, conductivity: impl Fn(usize) -> f64) -> Vec<f64> {
        let mut out = vec![0.0; self.pairs.all.len()];
        for e in 0..self.mesh().elements() {
            let k = conductivity(e);
            for (&pair, g) in self.pairs.of(e).iter().zip(&self.parts[self.pairs.range(e)]) {
                out[pair as usize] += k * g;
            }
        }
        out
    }

    /// Volume that each node stands for (m³), all above zero: [`MassKind::Lumped`] of density 1.
    ///
    /// # Errors
    /// [`FemError::Element`] for one without volume.
    pub fn volumes(&self) -> Result<Vec<f64>, FemError> {
        let (mut out, local) = (vec![0.0; self.mesh().nodes().len()], self.local_volumes()?);
        let nodes = (0..self.mesh().elements()).flat_map(|e| self.mesh().element(e));
        nodes.zip(local).for_each(|(&node, volume)| out[node] += volume);
        Ok(out)
    }

    /// The same by element: the volume that each node stands for in each element (m³), element after element.
    ///
    /// # Errors
    /// [`FemError::Element`] for one without volume.
    pub fn local_volumes(&self) -> Result<Vec<f64>, FemError> {
        let mut out = Vec::new();
        for e in 0..self.mesh().elements() {
            let (nodes, products) = (self.mesh().element(e).len(), self.products(e, MassKind::Lumped)?);
            out.extend((0..nodes).map(|a| products[a * nodes + a]));
        }
        Ok(out)
    }

    /// ∫ N_a dV of each node in each element (m³), element after element: what an even source gives it, below zero at corners of Q8 and Hex20.
    ///
    /// # Errors
    /// [`FemError::Element`] for one without volume.
    pub fn local_integrals(&self) -> Result<Vec<f64>, FemError> {
        let mut out = Vec::new();
        for e in 0..self.mesh().elements() {
            let (nodes, products) = (self.mesh().element(e).len(), self.products(e, MassKind::Consistent)?);
            out.extend(products.chunks_exact(nodes).map(|row| row.iter().sum::<f64>()));
        }
        Ok(out)
    }

    /// The same of the nodes of the mesh (m³): the weights of the mean over its volume.
    ///
    /// # Errors
    /// [`FemError::Element`] for one without volume.
    pub fn integrals(&self) -> Result<Vec<f64>, FemError> {
        let (mut out, local) = (vec![0.0; self.mesh().nodes().len()], self.local_integrals()?);
        let nodes = (0..self.mesh().elements()).flat_map(|e| self.mesh().element(e));
        nodes.zip(local).for_each(|(&node, volume)| out[node] += volume);
        Ok(out)
    }

    /// What a flow by the differences of a potential dissipates, ∫ k ∇V·∇V dV of each element, given to its nodes as by ∫ N_a dV: to each node (that of
    /// `conductivity` times V² m), of a conductivity by element, the potential of one node over that of another, and [`Self::local_integrals`].
    pub fn dissipated(
        &self,
        conductivity: impl Fn(usize) -> f64,
        over: impl Fn(usize, usize) -> f64,
        local_integrals: &[f64],
    ) -> Vec<f64> {
        let (mut out, mut rest) = (vec![0.0; self.mesh().nodes().len()], local_integrals);
        for e in 0..self.mesh().elements() {
            let nodes = self.mesh().element(e);
            let between = self.pairs.of(e).iter().map(|&pair| self.pairs.all[pair as usize]);
            let squares = between.zip(&self.parts[self.pairs.range(e)]).map(|((a, b), g)| g * over(a, b).powi(2));
            let power = conductivity(e) * squares.sum::<f64>();
            let (own, others) = rest.split_at(nodes.len().min(rest.len()));
            let volume: f64 = own.iter().sum();
            nodes.iter().zip(own).for_each(|(&node, v)| out[node] += power * (v / volume));
            rest = others;
        }
        out
    }

    /// Mean of ∇N_a over each element (1/m), its nodes in turn, element after element.
    ///
    /// # Errors
    /// [`FemError::Element`] for one without volume.
    pub fn mean_gradients(&self) -> Result<Vec<Vec3>, FemError> {
        let mut out = Vec::new();
        for e in 0..self.mesh().elements() {
            let (cell, places) = (self.mesh().cell(e), places(&self.meshed, e));
            let (mut sums, mut volume) = (vec![Vec3::zeros(); cell.nodes()], 0.0);
            let table = table(cell, Purpose::Stress);
            for (shape, &weight) in table.shapes.iter().zip(&table.rule.weights) {
                let point = Point::new(cell, shape, weight, &places, self.meshed.space).ok_or_else(|| flat(&self.meshed, e))?;
                volume += point.volume;
                sums.iter_mut().zip(&point.gradient).for_each(|(sum, gradient)| *sum += gradient * point.volume);
            }
            out.extend(sums.into_iter().map(|sum| sum / volume));
        }
        Ok(out)
    }

    /// What flows in each element by the differences of a potential, the mean of −k ∇V (that of `conductivity` times V/m, axes of the mesh at rest), of a
    /// conductivity by element, the potential of one node over that of another, and [`Self::mean_gradients`].
    pub fn fluxes(
        &self,
        conductivity: impl Fn(usize) -> f64,
        over: impl Fn(usize, usize) -> f64,
        mean_gradients: &[Vec3],
    ) -> Vec<Vec3> {
        let mut rest = mean_gradients;
        let flux = |e: usize| {
            let nodes = self.mesh().element(e);
            let (own, others) = rest.split_at(nodes.len().min(rest.len()));
            rest = others;
            let gradient: Vec3 = nodes.iter().zip(own).map(|(&n, g)| g * over(n, nodes[0])).sum();
            -gradient * conductivity(e)
        };
        (0..self.mesh().elements()).map(flux).collect()
    }

    /// Σ over elements of a factor times ∫ N_a N_b dV (m³): its diagonal, and what stands between the nodes of each pair.
    ///
    /// # Errors
    /// [`FemError::Element`] for one without volume.
    pub fn consistent(&self, factor: impl Fn(usize) -> f64) -> Result<(Vec<f64>, Vec<f64>), FemError> {
        let (mut diagonal, mut between) = (vec![0.0; self.mesh().nodes().len()], vec![0.0; self.pairs.all.len()]);
        for e in 0..self.mesh().elements() {
            let (factor, nodes, products) = (factor(e), self.mesh().element(e), self.products(e, MassKind::Consistent)?);
            nodes.iter().enumerate().for_each(|(a, &node)| diagonal[node] += factor * products[a * nodes.len() + a]);
            let places = (0..nodes.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
            for (&pair, (a, b)) in self.pairs.of(e).iter().zip(places) {
                between[pair as usize] += factor * products[a * nodes.len() + b];
            }
        }
        Ok((diagonal, between))
    }

    /// What a source per volume f gives each node: ∫ N_a f dV.
    ///
    /// # Errors
    /// [`FemError::Element`] for an element without volume.
    pub fn sources(&self, f: impl Fn(Vec3) -> f64) -> Result<Vec<f64>, FemError> {
        let mut out = vec![0.0; self.mesh().nodes().len()];
        for e in 0..self.mesh().elements() {
            let (cell, nodes, places) = (self.mesh().cell(e), self.mesh().element(e), places(&self.meshed, e));
            let table = table(cell, Purpose::Mass);
            for (shape, &weight) in table.shapes.iter().zip(&table.rule.weights) {
                let point = Point::new(cell, shape, weight, &places, self.meshed.space).ok_or_else(|| flat(&self.meshed, e))?;
                let x: Vec3 = places.iter().zip(&shape.value).map(|(x, n)| x * *n).sum();
                nodes.iter().zip(&shape.value).for_each(|(&node, n)| out[node] += n * f(x) * point.volume);
            }
        }
        Ok(out)
    }

    /// The surface of a group of faces, of all of it where none is named, as points with areas: what is given there in equal parts per area is
    /// given so to the nodes as by ∫ N_a dA, and what goes by the temperature there by ∫ N_a N_b dA.
    ///
    /// # Errors
    /// [`FemError::Mesh`] for a group of faces that there is not, or a boundary that is no surface.
    pub fn surface(&self, group: Option<&str>) -> Result<Vec<SurfaceShare>, FemError> {
        let mesh = self.mesh();
        let faces: Vec<Face> = match group {
            Some(group) => mesh.face_group(group)?.to_vec(),
            None => mesh.skin()?.faces.iter().map(|f| f.face).collect(),
        };
        let mut out = Vec::new();
        for face in faces {
            face_points((mesh, self.meshed.space), face, None, |nodes, shares, area| {
                let mut point = SurfacePoint::nowhere();
                nodes.iter().zip(shares).for_each(|(&node, &share)| point.add(node as u32, share));
                out.push(SurfaceShare { point, area: area.norm() });
            });
        }
        Ok(out)
    }

    fn products(&self, e: usize, kind: MassKind) -> Result<Vec<f64>, FemError> {
        let found = products(self.mesh().cell(e), &places(&self.meshed, e), self.meshed.space, 1.0, kind);
        found.ok_or_else(|| flat(&self.meshed, e))
    }
}

/// −∫ ∇N_a·∇N_b dV of the local pairs (a, b), a < b, of an element, b by b (m).
fn conductances(meshed: &Meshed, e: usize) -> Result<Vec<f64>, FemError> {
    let (cell, places) = (meshed.mesh.cell(e), places(meshed, e));
    let table = table(cell, Purpose::Stress);
    let mut out = vec![0.0; cell.nodes() * (cell.nodes() - 1) / 2];
    for (shape, &weight) in table.shapes.iter().zip(&table.rule.weights) {
        let point = Point::new(cell, shape, weight, &places, meshed.space).ok_or_else(|| flat(meshed, e))?;
        let pairs = (0..cell.nodes()).flat_map(|b| (0..b).map(move |a| (a, b)));
        for (g, (a, b)) in out.iter_mut().zip(pairs) {
            *g -= point.volume * point.gradient[a].dot(&point.gradient[b]);
        }
    }
    Ok(out)
}

fn places(meshed: &Meshed, e: usize) -> Vec<Vec3> {
    meshed.mesh.element(e).iter().map(|&n| meshed.mesh.nodes()[n]).collect()
}

fn flat(meshed: &Meshed, e: usize) -> FemError {
    let (file, element) = (meshed.mesh.name().to_owned(), meshed.mesh.element_label(e));
    FemError::Element { file, element, reason: "it has no volume at one of its points".to_owned() }
}
