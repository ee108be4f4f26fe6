//! The volume that sliding takes off the bodies, by the way that friction does its work on. No law, no solve.

use mpcd_core::{ContactNetwork, Vec3};

use super::Assembly;
use crate::law::{
    LawTable,
    spread::{Carried, spread, turns},
};

impl Assembly {
    /// Adds what was worn off in the step, half of it to each body. `mean` is the relative velocity of the surfaces at a contact, the mean of before and after
    /// [m/s]: the one by which friction has its heat, `gain` times r (what explicit steps of another length than the one before give).
    pub(super) fn wear(
        &self,
        network: &ContactNetwork,
        laws: &LawTable,
        (mean, gain): (impl Fn(usize) -> Vec3, f64),
        worn: &mut [f64],
    ) {
        for patch in 0..self.patches.len() {
            let points = self.patches.contacts(patch);
            let Some(law) = points.clone().next().map(|k| laws.law(network.contacts[k].law)) else { continue };
            let Some(wears) = law.wear() else { continue };
            let slid = slid_part(network, points.clone(), gain * law.friction(), &mean);
            for place in points {
                let u = mean(place);
                let volume = gain * wears.worn(&Vec3::new(u.x, u.y * slid, u.z * slid), &self.worn_by(network, place));
                let (c, a) = network.contacts[place].bodies();
                worn[c.index()] += 0.5 * volume;
                worn[a.index()] += 0.5 * volume;
            }
        }
    }

    /// The part of its patch's impulse that wear at each contact goes by: what the statics leaves open is spread over the patch.
    fn worn_by(&self, network: &ContactNetwork, place: usize) -> Vec3 {
        let own = network.contacts[place].r;
        let points = self.patches.contacts(self.patches.patch_of(place));
        if points.len() == 1 {
            return own;
        }
        let mut carried: Vec<Carried> = points
            .clone()
            .map(|k| {
                let c = &network.contacts[k];
                Carried { at: network.contacts[place].frame.to_local(&c.point), r: c.r, share: self.share(&self.touches, k) }
            })
            .collect();
        let pushed: f64 = carried.iter().map(|c| c.r.x).sum();
        let (c, a) = network.contacts[place].bodies();
        let frame = &network.contacts[place].frame;
        spread(&mut carried, turns(&self.problem, c.index(), a.index(), [frame.n, frame.t, frame.s()]));
        let kept: f64 = carried.iter().map(|c| c.r.x.max(0.0)).sum();
        let normal = points.zip(&carried).find(|(k, _)| *k == place).map_or(own.x, |(_, c)| c.r.x.max(0.0));
        Vec3::new(if kept > 0.0 { normal * pushed / kept } else { own.x }, own.y, own.z)
    }
}

/// Part of its way in the step that a patch slid under its full friction: its work over what the whole way would take. What comes to stick within the step slid
/// only as long as friction was at its limit, and W/μ is the integral of the way over the normal impulse; the whole where nothing rubs.
fn slid_part(network: &ContactNetwork, points: impl Iterator<Item = usize>, friction: f64, mean: &impl Fn(usize) -> Vec3) -> f64 {
    let (mut work, mut most) = (0.0, 0.0);
    for place in points {
        let contact = &network.contacts[place];
        let u = mean(place);
        work += contact.heat_friction;
        most += friction * contact.r.x.max(0.0) * u.y.hypot(u.z);
    }
    if most > 0.0 { (work / most).clamp(0.0, 1.0) } else { 1.0 }
}
