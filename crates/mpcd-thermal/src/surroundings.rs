//! Radiation between neighbours: which pairs of the contact network see each other, how much of its surface each body sees of the others, and
//! what of it there is room for. The view factors are in their own room; no solver here.

use mpcd_core::{BodyId, Contact, ContactGeometry, ContactNetwork, Inputs, Patches, Vec3};

use crate::{
    boundary::STEFAN_BOLTZMANN,
    error::ThermalError,
    facing::Tilted,
    material::Materials,
    network::{Exchange, HeatNetwork, Node},
    view::{Neighbour, not_the_balls, viewed_area},
};

/// What radiation between neighbours needs of a step: caches that change no bit.
#[derive(Debug, Default)]
pub(crate) struct Surroundings {
    /// The pairs, in the order of [`HeatNetwork::exchanges`].
    pairs: Vec<Pair>,
    /// What each body sees of its neighbours (m²).
    seen: Vec<f64>,
    /// Outer surface of each body over what its pairs alone would see of it, where that is more; 1 elsewhere.
    shares: Vec<f64>,
    /// The first pair that touches in a point and is not the balls that it counts as.
    not_balls: Option<[String; 2]>,
}

/// Whether one body of a contact at a point lies in the hollow of the other, by these centres (m), and that is a ball in a hollow ball, which sees all that leaves the inner one; `None` where
/// they lie beside each other: there a surface looks away from its own centre.
fn enclosing(geometry: &ContactGeometry, contact: &Contact, centres: &[Vec3]) -> Option<bool> {
    let ContactGeometry::Point { reduced_radius, roundness } = *geometry else { return None };
    let (c, a) = contact.bodies();
    let n = contact.frame.n;
    let looks_in = |body: BodyId, out: Vec3| out.dot(&(contact.point - centres[body.index()])) < 0.0;
    let hollow = reduced_radius > contact.least_radius * (1.0 + HOLLOW) && (looks_in(a, n) || looks_in(c, -n));
    hollow.then_some((roundness - 1.0).abs() <= ROUND)
}

/// Part by which the reduced radius of a hollow exceeds the smaller radius, and up to which something is round.
const HOLLOW: f64 = 1e-9;
const ROUND: f64 = 1e-6;

/// Two bodies that see each other.
#[derive(Debug, Clone, Copy)]
struct Pair {
    bodies: (usize, usize),
    /// A F (m²).
    area: f64,
    /// 1/(1/ε_i + 1/ε_j − 1).
    grey: f64,
    /// The patch by which they see most of each other.
    patch: usize,
}

impl Surroundings {
    /// What each body sees of its neighbours (m²).
    pub(crate) fn seen(&self) -> &[f64] {
        &self.seen
    }

    /// What is said of bodies that touch in a point and are no balls.
    pub(crate) fn warning(&self) -> Option<String> {
        let [a, b] = self.not_balls.as_ref()?;
        Some(format!(
            "radiation between neighbours: {a} and {b} touch in a point but are not balls, of which a contact tells no more; they count as balls of their surface (capsules that cross see each other 0.6 to 0.8 as much as rays say, very long ones twice as much): where that matters make the bodies of balls, or leave `emissivity` out of their material"
        ))
    }

    /// Puts the exchange of every pair into the network, once a pair.
    ///
    /// A pair sees itself by the nearest of its patches that sees most. Each pair exchanges as two grey surfaces of the area A F that see
    /// nothing but each other, σ A F (T_i⁴ − T_j⁴)/(1/ε_i + 1/ε_j − 1): exact for parallel faces and for black bodies.
    ///
    /// # Errors
    /// [`ThermalError::Hollow`]: a line or a point of contact within a hollow that is no ball.
    pub(crate) fn exchange(
        &mut self,
        network: &mut HeatNetwork,
        materials: &Materials,
        (patches, tilted): (&Patches, &[Tilted]),
        inputs: &Inputs<'_>,
    ) -> Result<(), ThermalError> {
        let setup = inputs.setup;
        let surface = |body: usize| {
            let size = inputs.world.kinematics.size[body];
            setup.bodies.surface[body] * setup.bodies.surface_growth(body, size, setup.dimension)
        };
        let neighbour = |body: usize| Neighbour { form: setup.bodies.form_of(body), surface: surface(body) };
        self.pairs.clear();
        for (number, patch) in patches.iter(inputs.world.network).enumerate() {
            let (a, b) = patch.first().bodies();
            let (i, j) = (a.index(), b.index());
            let grey = materials.exchange([a, b].map(|x| setup.material_of(x)));
            if grey <= 0.0 || network.nodes[i] == Node::Absent || network.nodes[j] == Node::Absent {
                continue;
            }
            let gap = patch.contacts().map(|c| c.gap).fold(f64::INFINITY, f64::min);
            if gap > inputs.world.network.reach {
                continue;
            }
            let least_radius = patch.shaping().least_radius;
            let (geometry, both) = (patch.geometry(), [i, j].map(neighbour));
            let within = enclosing(&geometry, patch.shaping(), &inputs.world.kinematics.position);
            if within.is_none() && self.not_balls.is_none() && not_the_balls(&geometry, least_radius, both) {
                self.not_balls = Some([a, b].map(|body| setup.body_label(body)));
            }
            let area = match within {
                Some(true) => Some(both[0].surface.min(both[1].surface)),
                Some(false) => None,
                None => viewed_area(&geometry, least_radius, both, gap, setup.dimension),
            };
            let area = area.ok_or_else(|| {
                let [first, second] = [a, b].map(|body| setup.body_label(body));
                ThermalError::Hollow { first, second }
            })?;
            let place = patch.places().next().unwrap_or(0);
            let faces = tilted.get(tilted.partition_point(|t| t.contacts.end <= place)).filter(|t| t.contacts.contains(&place));
            let area = match faces {
                Some(faces) if matches!(geometry, ContactGeometry::Flat { .. }) => area.max(faces.sees()),
                _ => area,
            };
            let pair = Pair { bodies: (i, j), area, grey, patch: number };
            match self.pairs.last_mut().filter(|last| last.bodies == (i, j)) {
                Some(last) if last.area < area => *last = pair,
                Some(_) => {}
                None => self.pairs.push(pair),
            }
        }
        self.limit(network.nodes.len(), surface);
        let strength = |pair: &Pair| STEFAN_BOLTZMANN * pair.area * pair.grey;
        network.exchanges.extend(self.pairs.iter().map(|pair| Exchange { ends: pair.bodies, strength: strength(pair) }));
        Ok(())
    }

    /// Takes from the pairs what there is no room for.
    ///
    /// The view factors of a body add up to 1 at most, those of its pairs, each taken alone, may add up to more, as neighbours hide each
    /// other: a ball between six planes would see half of itself in each. With s_i = min(1, A_i/Σ_j (A F)_ij) a pair keeps min(s_i, s_j) of
    /// its (A F)_ij. So A_i F_ij = A_j F_ji stands, and Σ_j A_i F_ij ≤ s_i Σ_j (A F)_ij ≤ A_i. A plane has no end, and room for all.
    fn limit(&mut self, nodes: usize, surface: impl Fn(usize) -> f64) {
        let Self { pairs, seen, shares, .. } = self;
        let add_up = |pairs: &[Pair], seen: &mut Vec<f64>| {
            seen.clear();
            seen.resize(nodes, 0.0);
            for pair in pairs {
                seen[pair.bodies.0] += pair.area;
                seen[pair.bodies.1] += pair.area;
            }
        };
        add_up(pairs, seen);
        let share = |body: usize, seen: f64| {
            let room = surface(body);
            if room > 0.0 && seen > room { room / seen } else { 1.0 }
        };
        shares.clear();
        // only of bodies of pairs: a body of a mesh has no surface of its own, and its nodes none at all
        shares.resize(nodes, 1.0);
        for body in pairs.iter().flat_map(|pair| [pair.bodies.0, pair.bodies.1]) {
            shares[body] = share(body, seen[body]);
        }
        for pair in pairs.iter_mut() {
            pair.area *= shares[pair.bodies.0].min(shares[pair.bodies.1]);
        }
        add_up(pairs, seen);
    }

    /// Adds the flow of each pair (W) to the contacts of its patch, as their parts of it are.
    pub(crate) fn add_heat(&self, patches: &Patches, contacts: &ContactNetwork, flows: &[f64], heat: &mut [f64]) {
        for (pair, flow) in self.pairs.iter().zip(flows) {
            for (place, share) in patches.patch(contacts, pair.patch).shares() {
                heat[place] += share * flow;
            }
        }
    }
}
