//! Measures of granular mechanics on the accepted step: stress, fabric, coordination, shear, extent. One definition each, said in
//! docs/probes.md.

use mpcd_core::{BodyId, Vec3};
use nalgebra::{Matrix3, SymmetricEigen};

use super::{
    section::{Component, Reduce},
    view::{Choice, View},
};

impl View<'_> {
    /// Love–Weber stress (Pa), compression positive: σ = 1/V Σ_contacts ℓ ⊗ f, with f on the candidate and ℓ from the antagonist's
    /// centre to the candidate's. A contact with a body that is no grain counts from the contact point. Of a way that leaves the
    /// region the part inside counts, across borders of a periodic cell too. The volume of a planar region goes as the thickest grain whose centre is
    /// in it, or where there is none as the thickest whose forces go through it.
    pub(crate) fn stress(&self, choice: &Choice) -> Option<Matrix3<f64>> {
        let whole = self.box_of(choice)?;
        let mut thickness = self.thickness_of(choice);
        let (is_within, mut through) = (thickness > 0.0, 0.0_f64);
        let region = self.region(choice).map(|r| (r, self.spans(&r)));
        let position = &self.world.kinematics.position;
        let mut sum = Matrix3::zeros();
        for contact in self.pushing() {
            let force = contact.force(self.h);
            let (candidate, antagonist) = contact.bodies();
            for (body, force) in [(candidate, force), (antagonist, -force)] {
                if !self.grain(choice, body.index()) {
                    continue;
                }
                let arm = self.nearest(position[body.index()] - contact.point);
                let part = region.as_ref().map_or(1.0, |(r, spans)| {
                    let point = self.image(&contact.point, r);
                    // what leaves the region across a border of the cell enters it on the other side
                    self.over_images_but(*spans, |shift| r.part(&(point + shift), &(point + shift + arm), *spans))
                });
                if part > 0.0 {
                    through = through.max(self.thickness(body.index()));
                }
                sum += arm * force.transpose() * part;
            }
        }
        if !is_within {
            thickness = through;
        }
        let edges = whole.to - whole.from;
        let volume = edges.x * edges.y * if self.planar() { thickness } else { edges.z };
        Some(if volume > 0.0 { sum / volume } else { Matrix3::zeros() })
    }

    /// Fabric: the mean of n ⊗ n over pairs that push, each pair once with the direction of its normal force; the contact's point
    /// is in the region and one of the two is a grain.
    pub(crate) fn fabric(&self, choice: &Choice) -> Option<Matrix3<f64>> {
        let (mut sum, mut pairs) = (Matrix3::zeros(), 0.0);
        let mut last: Option<((BodyId, BodyId), Vec3)> = None;
        let mut add = |pair: Option<((BodyId, BodyId), Vec3)>| {
            if let Some(n) = pair.and_then(|(_, n)| n.try_normalize(0.0)) {
                sum += n * n.transpose();
                pairs += 1.0;
            }
        };
        for contact in self.pushing() {
            let (a, b) = contact.bodies();
            if !(self.grain(choice, a.index()) || self.grain(choice, b.index())) || !self.inside(choice, &contact.point) {
                continue;
            }
            let normal = contact.frame.n * contact.r.x;
            // Points of one pair follow each other.
            last = match last {
                Some((pair, n)) if pair == (a, b) => Some((pair, n + normal)),
                before => {
                    add(before);
                    Some(((a, b), normal))
                }
            };
        }
        add(last);
        (pairs > 0.0).then(|| sum / pairs)
    }

    /// For every body the number of others that it pushes; a body that touches itself is none.
    pub(crate) fn neighbours(&self) -> Vec<u32> {
        let mut out = vec![0; self.world.kinematics.len()];
        let mut last = None;
        for contact in self.pushing() {
            let pair = contact.bodies();
            if last != Some(pair) && pair.0 != pair.1 {
                out[pair.0.index()] += 1;
                out[pair.1.index()] += 1;
                last = Some(pair);
            }
        }
        out
    }

    /// Mean normal stress that contacts give every body (Pa): the trace of Σ ℓ ⊗ f over its own contacts and volume, over the number
    /// of dimensions; ℓ from the contact to the centre. 0 for a body without volume.
    pub(crate) fn contact_pressure(&self) -> Vec<f64> {
        let k = self.world.kinematics;
        let mut out = vec![0.0; k.len()];
        let around = self.goes_around();
        // what goes around an axis has its centre there
        let centre = |body: usize| {
            let x = k.position[body];
            if around && !self.is_deformable(body) { Vec3::new(0.0, x.y, x.z) } else { x }
        };
        for contact in self.pushing() {
            let force = contact.force(self.h);
            let (candidate, antagonist) = contact.bodies();
            for (body, force) in [(candidate.index(), force), (antagonist.index(), -force)] {
                out[body] += self.nearest(centre(body) - contact.point).dot(&force);
            }
        }
        for (i, work) in out.iter_mut().enumerate() {
            let volume = self.volume(i);
            *work = if volume > 0.0 { *work / (volume * self.axes() as f64) } else { 0.0 };
        }
        out
    }

    /// Whether a body has a volume, and so a mean stress.
    pub(crate) fn has_volume(&self, i: usize) -> bool {
        self.volume(i) > 0.0
    }

    /// (coordination, coordination of the grains that at least two others push, part of the grains that fewer push). The second is
    /// Thornton's mechanical coordination number (2000, doi:10.1680/geot.2000.50.1.43).
    pub(crate) fn coordination(&self, choice: &Choice) -> Option<(f64, Option<f64>, f64)> {
        let neighbours = self.neighbours();
        let (mut grains, mut all, mut carrying, mut of_carrying) = (0.0, 0.0, 0.0, 0.0);
        for i in self.grains(choice) {
            let z = f64::from(neighbours[i]);
            grains += 1.0;
            all += z;
            if neighbours[i] >= 2 {
                carrying += 1.0;
                of_carrying += z;
            }
        }
        let mechanical = (carrying > 0.0).then(|| of_carrying / carrying);
        (grains > 0.0).then(|| (all / grains, mechanical, 1.0 - carrying / grains))
    }

    /// I = γ̇ d √(ρ/p): γ̇ = √(2 D':D') of the velocity gradient fitted to the grains, d their mean diameter, ρ their density, p the
    /// mean of the stress.
    pub(crate) fn inertial_number(&self, choice: &Choice) -> Option<f64> {
        let pressure = invariant(&self.stress(choice)?, Component::Mean, self.axes());
        let k = self.world.kinematics;
        let (mut n, mut x, mut v) = (0.0, Vec3::zeros(), Vec3::zeros());
        let (mut mass, mut volume, mut diameter) = (0.0, 0.0, 0.0);
        for i in self.grains(choice) {
            n += 1.0;
            x += k.position[i];
            v += k.velocity[i];
            mass += self.setup.bodies.mass[i];
            volume += self.volume(i);
            diameter += 2.0
                * self
                    .shape(i)
                    .radius()
                    .map_or_else(|| self.shape(i).equivalent_radius(k.size[i], self.setup.dimension), |r| r * k.size[i]);
        }
        if n < 1.0 || volume <= 0.0 || pressure <= 0.0 {
            return None;
        }
        let (x, v) = (x / n, v / n);
        let (mut xx, mut vx) = (Matrix3::zeros(), Matrix3::zeros());
        for i in self.grains(choice) {
            let (dx, dv) = (k.position[i] - x, k.velocity[i] - v);
            xx += dx * dx.transpose();
            vx += dv * dx.transpose();
        }
        if self.planar() {
            xx[(2, 2)] = 1.0;
        }
        let gradient = vx * xx.try_inverse()? + Matrix3::from_diagonal(&k.cell.rates());
        let rate = (gradient + gradient.transpose()) * 0.5;
        let axes = self.axes();
        let mut deviator = rate;
        for a in 0..axes {
            deviator[(a, a)] -= rate.trace() / axes as f64;
        }
        Some((2.0 * deviator.norm_squared()).sqrt() * (diameter / n) * (mass / volume / pressure).sqrt())
    }

    /// Centre of mass of the grains, or of all that a group holds (m).
    pub(crate) fn centre_of_mass(&self, choice: &Choice) -> Option<Vec3> {
        let (mut mass, mut moment) = (0.0, Vec3::zeros());
        for i in self.members(choice) {
            mass += self.setup.bodies.mass[i];
            moment += self.world.kinematics.position[i] * self.setup.bodies.mass[i];
        }
        (mass > 0.0).then(|| moment / mass)
    }

    /// How far the grains, or all that a group holds, reach along an axis (m): the lowest and highest place of their surfaces, or the way
    /// between them. `None` where one of them has no end.
    pub(crate) fn extent(&self, choice: &Choice, axis: usize, reduce: Reduce) -> Option<f64> {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for i in self.members(choice) {
            let [lowest, highest] = self.ends(i, axis)?;
            (low, high) = (low.min(lowest), high.max(highest));
        }
        (low <= high).then_some(match reduce {
            Reduce::Min => low,
            Reduce::Max => high,
            Reduce::Mean | Reduce::Sum => high - low,
        })
    }

    /// Sum of the contact forces on the group from all bodies outside it (N).
    pub(crate) fn resultant(&self, choice: &Choice) -> Vec3 {
        let mut sum = Vec3::zeros();
        for contact in self.pushing().filter(|c| self.inside(choice, &c.point)) {
            let (a, b) = contact.bodies();
            match (self.grouped(choice, a), self.grouped(choice, b)) {
                (true, false) => sum += contact.force(self.h),
                (false, true) => sum -= contact.force(self.h),
                _ => {}
            }
        }
        sum
    }
}

/// A number of a tensor in a space of `axes` dimensions.
pub(super) fn invariant(tensor: &Matrix3<f64>, component: Component, axes: usize) -> f64 {
    let mean = (0..axes).map(|k| tensor[(k, k)]).sum::<f64>() / axes as f64;
    match component.entry() {
        Some(entry) => tensor[entry],
        None if component == Component::Mean => mean,
        None => {
            let symmetric = (tensor + tensor.transpose()) * 0.5;
            if axes == 2 {
                let half = 0.5 * (symmetric[(0, 0)] - symmetric[(1, 1)]);
                return half.hypot(symmetric[(0, 1)]);
            }
            let values = SymmetricEigen::new(symmetric).eigenvalues;
            let j2 = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() * 0.5;
            (3.0 * j2).sqrt()
        }
    }
}
