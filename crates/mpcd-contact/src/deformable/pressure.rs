//! The pressure of contacts at the nodes of meshes: the normal force of a node over the area that its contact points stand for, ∫ N dA of what is covered. Joints are no
//! contacts, and tangential forces no pressure.

use std::collections::{BTreeMap, BTreeSet};

use mpcd_core::{BodyId, ContactGeometry, ContactNetwork, Vec3};
use mpcd_fem::State;
use mpcd_geometry::Skin;

use super::{Deformables, Member};

/// Part of the mean area of the nodes around a node below which its own is too little to say a pressure: an even one gives nothing to corners of triangles of six nodes and to nodes on an
/// axis, and less than nothing to corners of quadrilaterals of eight. They have the pressure of what is around them.
const LITTLE: f64 = 1e-2;

/// What contacts do to a node.
#[derive(Debug, Clone, Copy, Default)]
struct Pressed {
    /// Normal force (N), positive where it pushes.
    force: f64,
    /// Area of the contact points (m²).
    area: f64,
    /// Sum of the normals towards the body, each with the size of its force (N).
    normal: Vec3,
    /// Whether some of the force is of a point without an area of its own: of what is curved, or sharp.
    is_bare: bool,
}

impl Deformables {
    /// The pressure at the nodes of each body (Pa), compression positive, after a step of `h` (s) that led to these states and contacts; 0 where nothing touches.
    pub(super) fn pressures(&self, states: &[State], network: &ContactNetwork, h: f64) -> Vec<Vec<f64>> {
        let member: BTreeMap<BodyId, usize> = self.members.iter().enumerate().map(|(k, m)| (m.body, k)).collect();
        let mut all: Vec<Vec<Pressed>> =
            self.members.iter().map(|m| vec![Pressed::default(); m.model.mesh().nodes().len()]).collect();
        for on_mesh in network.on_meshes.iter().filter(|_| h > 0.0) {
            let Some(contact) = network.find(&on_mesh.key) else { continue };
            let force = contact.normal_force(h);
            if force == 0.0 {
                continue;
            }
            let area = if let ContactGeometry::Flat { area } = contact.geometry { area } else { 0.0 };
            let (candidate, antagonist) = contact.bodies();
            for (body, point, sign) in [(candidate, &on_mesh.points[0], 1.0), (antagonist, &on_mesh.points[1], -1.0)] {
                let (Some(k), Some(point)) = (member.get(&body), point) else { continue };
                for (node, part) in point.parts() {
                    let Some(pressed) = all[*k].get_mut(node) else { continue };
                    pressed.force += part * force;
                    pressed.area += part * area;
                    pressed.normal += contact.frame.n * (part.abs() * force.abs() * sign);
                    pressed.is_bare |= area <= 0.0;
                }
            }
        }
        self.members.iter().zip(states).zip(all).map(|((m, state), pressed)| m.pressure(state, &pressed)).collect()
    }
}

impl Member {
    fn pressure(&self, state: &State, pressed: &[Pressed]) -> Vec<f64> {
        let mut out = vec![0.0; pressed.len()];
        let touched: Vec<usize> = (0..pressed.len()).filter(|n| pressed[*n].force != 0.0).collect();
        if touched.is_empty() {
            return out;
        }
        let boundary = self.boundary(state);
        let area = |node: usize| {
            let p = &pressed[node];
            if p.is_bare { boundary.area(node, &p.normal) } else { p.area }
        };
        let around = self.around(pressed);
        for node in touched {
            let (force, own) = (pressed[node].force, area(node));
            let Some(beside) = around.get(&node) else { continue };
            let seen: f64 = beside.iter().map(|n| boundary.area(*n, &pressed[node].normal)).sum();
            let little = LITTLE * seen / beside.iter().filter(|n| boundary.around.contains_key(n)).count().max(1) as f64;
            if own > little {
                out[node] = force / own;
                continue;
            }
            let (mut force, mut own) = (0.0, 0.0);
            for n in beside.iter().filter(|n| pressed[**n].force != 0.0) {
                (force, own) = (force + pressed[*n].force, own + area(*n));
            }
            let whole = if own > little { own } else { seen };
            out[node] = if whole > 0.0 { force / whole } else { 0.0 };
        }
        out
    }

    /// The nodes of the elements around each node that something presses, with itself.
    fn around(&self, pressed: &[Pressed]) -> BTreeMap<usize, BTreeSet<usize>> {
        let mut out: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        let mesh = self.model.mesh();
        for element in (0..mesh.elements()).map(|e| mesh.element(e)) {
            for node in element.iter().filter(|n| pressed[**n].force != 0.0) {
                out.entry(*node).or_default().extend(element);
            }
        }
        out
    }

    /// Its boundary in this state.
    fn boundary(&self, state: &State) -> Boundary {
        let (mut skin, places) = (self.skin.clone(), state.positions(&self.model));
        skin.place(|node| places[node]);
        let mut around: BTreeMap<usize, Vec<(usize, f64)>> = BTreeMap::new();
        for (p, point) in skin.points().iter().enumerate() {
            point.parts().for_each(|(node, part)| around.entry(node).or_default().push((p, part)));
        }
        Boundary { skin, around }
    }
}

/// The boundary of a body, and which of its points each node has a part of.
struct Boundary {
    skin: Skin,
    around: BTreeMap<usize, Vec<(usize, f64)>>,
}

impl Boundary {
    /// The area (m²) that a node stands for as something with this normal, towards the body, sees it.
    fn area(&self, node: usize, normal: &Vec3) -> f64 {
        let Some(toward) = normal.try_normalize(0.0) else { return 0.0 };
        self.around.get(&node).into_iter().flatten().map(|(p, part)| part * self.skin.area_towards(*p, &toward)).sum()
    }
}
