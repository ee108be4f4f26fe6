//! Which normal force a law sees: that of the step, or its running mean over a stated time, remembered by contact key; on meshes, where a contact goes on from node to node, by
//! pair, and shared as the force is.
//!
//! The impulse of an impact is finite, so its force r_n/h grows as 1/h. The mean with the weight e^{−s/τ} of a past s seconds
//! old sees impulse/τ instead, whatever h: F̄⁺ = F̄ + (1 − e^{−h/τ})(F − F̄), with F̄ = 0 before a contact exists.

use mpcd_core::{
    BodyId, ContactKey, ContactNetwork, Quantity,
    quantity::{Duration, Positive},
};
use schemars::JsonSchema;
use serde::Deserialize;

/// Which force the law sees.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
pub enum ForceChoice {
    /// r_n/h of the step.
    #[default]
    Instant,
    /// The running mean over a stated time, so that impacts do not depend on h.
    Averaged(Averaging),
}

/// Parameters of the running mean.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Averaging {
    /// Time constant τ of the mean; its weights fall as e^{−s/τ}.
    pub time: Quantity<Duration, Positive>,
}

/// Remembered mean forces, sorted by key; empty for [`ForceChoice::Instant`].
pub(crate) type Memory = Vec<(ContactKey, f64)>;

impl ForceChoice {
    /// Puts the force with which the surfaces of every contact press (N), 0 of those that do not, into `forces`, in the order of the network, the two bodies of each into `sides`, and the means into `next`: the spot
    /// of what does not press now conducts nothing, whatever its mean force. `adhesion` is what pulls beside them (N), contact by contact; empty where nothing does.
    pub(crate) fn update(
        self,
        network: &ContactNetwork,
        h: f64,
        adhesion: &[f64],
        (prev, next): (&Memory, &mut Memory),
        (forces, sides): (&mut Vec<f64>, &mut Vec<(BodyId, BodyId)>),
    ) {
        let pull = |place: usize| adhesion.get(place).copied().unwrap_or(0.0);
        forces.clear();
        sides.clear();
        next.clear();
        let Self::Averaged(averaging) = self else {
            for (place, contact) in network.iter().enumerate() {
                forces.push(contact.pressing(h, pull(place)));
                sides.push(contact.bodies());
            }
            return;
        };
        let weight = -(-h / averaging.time.si()).exp_m1();
        let mean = |before: f64, force: f64| before + weight * (force - before);
        let pair = |key: &ContactKey| (key.candidate, key.antagonist);
        for contacts in network.contacts.chunk_by(|a, b| pair(&a.key) == pair(&b.key)) {
            let first = forces.len();
            let pressed = |k: usize| contacts[k].pressing(h, pull(first + k));
            // of what pulls its bodies together without a stated adhesion, the net force counts
            let net = |k: usize| if pull(first + k) > 0.0 { pressed(k) } else { contacts[k].normal_force(h) };
            let from = prev.partition_point(|(key, _)| pair(key) < pair(&contacts[0].key));
            let known = prev[from..].iter().take_while(|(key, _)| pair(key) == pair(&contacts[0].key));
            let all: f64 = (0..contacts.len()).map(pressed).sum();
            let is_on_mesh = contacts.iter().any(|c| network.mesh_points(&c.key).iter().any(Option::is_some));
            // on a mesh a force goes from node to node, and its mean with it
            let of_pair = is_on_mesh.then(|| mean(known.clone().map(|(_, mean)| mean).sum(), (0..contacts.len()).map(net).sum()));
            for (k, contact) in contacts.iter().enumerate() {
                let mean = match of_pair {
                    Some(whole) if all > 0.0 => whole * pressed(k) / all,
                    Some(whole) if k == 0 => whole,
                    Some(_) => 0.0,
                    None => {
                        let before = known.clone().find(|(key, _)| *key == contact.key).map_or(0.0, |(_, mean)| *mean);
                        mean(before, net(k))
                    }
                };
                next.push((contact.key, mean));
                sides.push(contact.bodies());
                forces.push(if pressed(k) > 0.0 { mean.max(0.0) } else { 0.0 });
            }
        }
    }
}
