//! A contact of the contact problem, as plain data: who touches whom, where, under which law.

use nalgebra::{Matrix3, Vector3};

use super::Angular;
use crate::Cone;

/// Right-handed orthonormal contact frame (n, t, s); n points from the antagonist to the candidate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frame {
    normal: Vector3<f64>,
    tangent: Vector3<f64>,
}

impl Frame {
    /// From a normal in the xy-plane, with contact dimension 2: `t = (−n_y, n_x)`, `s = +z`. The normal is normalised.
    #[must_use]
    pub fn planar(normal: Vector3<f64>) -> Self {
        let normal = Vector3::new(normal.x, normal.y, 0.0).normalize();
        Self { normal, tangent: Vector3::new(-normal.y, normal.x, 0.0) }
    }

    /// From a normal; the tangents are chosen (Duff et al. 2017, *Building an orthonormal basis, revisited*). The normal
    /// is normalised.
    #[must_use]
    pub fn from_normal(normal: Vector3<f64>) -> Self {
        let n = normal.normalize();
        let sign = 1.0_f64.copysign(n.z);
        let a = -1.0 / (sign + n.z);
        let b = n.x * n.y * a;
        Self { normal: n, tangent: Vector3::new(1.0 + sign * n.x * n.x * a, sign * b, -sign * n.x) }
    }

    /// From a normal and a vector whose part orthogonal to it gives t; `s = n × t`. Both are normalised.
    #[must_use]
    #[inline]
    pub fn from_normal_and_tangent(normal: Vector3<f64>, tangent: Vector3<f64>) -> Self {
        let normal = normal.normalize();
        let tangent = (tangent - normal * normal.dot(&tangent)).normalize();
        Self { normal, tangent }
    }

    /// Unit normal, from the antagonist to the candidate.
    #[must_use]
    pub const fn normal(&self) -> &Vector3<f64> {
        &self.normal
    }

    /// First unit tangent.
    #[must_use]
    pub const fn tangent(&self) -> &Vector3<f64> {
        &self.tangent
    }

    /// Second unit tangent, `n × t`; not held, as there are millions of frames.
    #[must_use]
    #[inline]
    pub fn binormal(&self) -> Vector3<f64> {
        self.normal.cross(&self.tangent)
    }

    /// Components (n, t, s) of a world vector.
    #[must_use]
    #[inline]
    pub fn to_local(&self, world: &Vector3<f64>) -> Vector3<f64> {
        Vector3::new(self.normal.dot(world), self.tangent.dot(world), self.binormal().dot(world))
    }

    /// World vector of components (n, t, s).
    #[must_use]
    #[inline]
    pub fn to_world(&self, local: &Vector3<f64>) -> Vector3<f64> {
        self.normal * local.x + self.tangent * local.y + self.binormal() * local.z
    }

    /// The matrix whose columns are n, t, s.
    #[must_use]
    pub fn matrix(&self) -> Matrix3<f64> {
        Matrix3::from_columns(&[self.normal, self.tangent, self.binormal()])
    }
}

/// What relates the impulse and the relative velocity of a contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Response {
    /// A cone: every solver takes it.
    Cone(Cone),
    /// A law given by the user, by its index in [`super::ContactProblem::laws`]; only NLGS takes it.
    Law(usize),
}

/// One contact. Vectors named *local* are in the frame, (n, t, s); with contact dimension 2 their `s` part is ignored.
///
/// The law holds between the *shifted* velocity and the *shifted* impulse
/// `ũ = Hᵀ V + velocity_shift + compliance ∘ r̃` and `r̃ = impulse + impulse_shift`: `K* ∋ ũ + g(ũ) ⊥ r̃ ∈ K`.
#[derive(Debug)]
pub struct Contact {
    /// The candidate, the body on which the impulse acts.
    pub candidate: usize,
    /// The antagonist, on which the opposite impulse acts.
    pub antagonist: usize,
    /// Contact frame.
    pub frame: Frame,
    /// From the candidate's centre of mass to the contact point, world axes (m).
    pub candidate_lever: Vector3<f64>,
    /// From the antagonist's centre of mass to the contact point, world axes (m).
    pub antagonist_lever: Vector3<f64>,
    /// The law.
    pub response: Response,
    /// Added to the relative velocity, local (m/s): gap/h, restitution `e u⁻`, thermal velocity.
    pub velocity_shift: Vector3<f64>,
    /// Diagonal compliance, local (m/s per N s, ≥ 0), for elastic contacts: `1/(h² k)`.
    pub compliance: Vector3<f64>,
    /// Added to the impulse before the law is applied, local (N s): cohesion.
    pub impulse_shift: Vector3<f64>,
    /// Impulse on the candidate, local (N s): the start of the solve before it, the solution after it.
    pub impulse: Vector3<f64>,
    /// What few contacts have: there are millions of them. Once there it stays, empty or not, so that a contact that is made anew asks for no memory.
    turning: Option<Box<Turning>>,
}

/// The law of the relative turning of a contact and the impulse moment on the candidate about n, t, s (N m s).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Turning {
    law: Option<Angular>,
    moment: Vector3<f64>,
}

impl Clone for Contact {
    fn clone(&self) -> Self {
        Self { turning: self.turning.clone(), ..*self }
    }

    /// In the memory that is there.
    fn clone_from(&mut self, source: &Self) {
        let mut turning = self.turning.take();
        match (&mut turning, &source.turning) {
            (Some(kept), None) => **kept = Turning::default(),
            (kept, new) => kept.clone_from(new),
        }
        *self = Self { turning, ..*source };
    }
}

impl PartialEq for Contact {
    fn eq(&self, other: &Self) -> bool {
        let of = |c: &Self| (c.candidate, c.antagonist, c.frame, c.response, [c.candidate_lever, c.antagonist_lever]);
        let shifts = |c: &Self| [c.velocity_shift, c.compliance, c.impulse_shift, c.impulse, c.moment()];
        of(self) == of(other) && shifts(self) == shifts(other) && self.angular() == other.angular()
    }
}

impl Contact {
    /// A frictionless contact without shifts, compliance or starting impulse; levers from the centres of mass to the
    /// contact point, world axes (m).
    #[must_use]
    #[inline]
    pub fn new(
        candidate: usize,
        antagonist: usize,
        frame: Frame,
        candidate_lever: Vector3<f64>,
        antagonist_lever: Vector3<f64>,
    ) -> Self {
        Self {
            candidate,
            antagonist,
            frame,
            candidate_lever,
            antagonist_lever,
            response: Response::Cone(Cone::Frictionless),
            velocity_shift: Vector3::zeros(),
            compliance: Vector3::zeros(),
            impulse_shift: Vector3::zeros(),
            impulse: Vector3::zeros(),
            turning: None,
        }
    }

    /// Makes it what [`Contact::new`] makes, in the memory that is there.
    #[inline]
    pub fn renew(
        &mut self,
        (candidate, antagonist): (usize, usize),
        frame: Frame,
        (candidate_lever, antagonist_lever): (Vector3<f64>, Vector3<f64>),
    ) {
        let mut turning = self.turning.take();
        if let Some(kept) = &mut turning {
            **kept = Turning::default();
        }
        *self = Self { turning, ..Self::new(candidate, antagonist, frame, candidate_lever, antagonist_lever) };
    }

    /// Law of the relative turning, if there is one.
    #[must_use]
    #[inline]
    pub fn angular(&self) -> Option<&Angular> {
        self.turning.as_ref().and_then(|turning| turning.law.as_ref())
    }

    /// Gives it a law of its relative turning, or takes that away; the moment stays.
    pub fn set_angular(&mut self, law: Option<Angular>) {
        if self.turning.is_some() || law.is_some() {
            self.turning.get_or_insert_default().law = law;
        }
    }

    /// Impulse moment on the candidate about n, t, s (N m s): start before the solve, solution after it. Zero without [`Contact::angular`].
    #[must_use]
    #[inline]
    pub fn moment(&self) -> Vector3<f64> {
        self.turning.as_ref().map_or_else(Vector3::zeros, |turning| turning.moment)
    }

    /// Sets the impulse moment on the candidate about n, t, s (N m s).
    #[inline]
    pub fn set_moment(&mut self, moment: Vector3<f64>) {
        if self.turning.is_some() || moment != Vector3::zeros() {
            *self.moment_mut() = moment;
        }
    }

    /// The impulse moment on the candidate about n, t, s (N m s), to change it.
    pub fn moment_mut(&mut self) -> &mut Vector3<f64> {
        &mut self.turning.get_or_insert_default().moment
    }

    /// The impulse moment on the candidate in world axes (N m s).
    #[must_use]
    pub fn world_moment(&self) -> Vector3<f64> {
        self.frame.to_world(&self.moment())
    }

    /// The same contact under the law of `cone`.
    #[must_use]
    pub fn with_cone(mut self, cone: Cone) -> Self {
        self.response = Response::Cone(cone);
        self
    }

    /// The same contact with a law of its relative turning.
    #[must_use]
    pub fn with_angular(mut self, angular: Angular) -> Self {
        self.set_angular(Some(angular));
        self
    }

    /// The same contact with a velocity shift (local, m/s).
    #[must_use]
    pub fn with_velocity_shift(mut self, shift: Vector3<f64>) -> Self {
        self.velocity_shift = shift;
        self
    }

    /// The same contact with a starting impulse (local, N s).
    #[must_use]
    pub fn with_impulse(mut self, impulse: Vector3<f64>) -> Self {
        self.impulse = impulse;
        self
    }

    /// The impulse on the candidate in world axes (N s).
    #[must_use]
    pub fn world_impulse(&self) -> Vector3<f64> {
        self.frame.to_world(&self.impulse)
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::Vector3;

    use super::{Angular, Contact, Frame};

    /// Memory goes by the number of contacts: what few of them have lies elsewhere.
    #[test]
    fn a_contact_is_small() {
        assert!(size_of::<Contact>() <= 232, "{} bytes", size_of::<Contact>());
    }

    /// A law of turning that was taken away, and a contact made anew or after another where one was, are those that never had one.
    #[test]
    fn what_turning_left_is_nothing() {
        let (frame, lever) = (Frame::from_normal(Vector3::z()), Vector3::new(0.0, 0.0, 0.1));
        let plain = Contact::new(3, 4, frame, lever, -lever);
        let mut turning = plain.clone().with_angular(Angular::Resistance { rolling: 0.1, spinning: 0.2, about: None });
        turning.set_moment(Vector3::new(1.0, 2.0, 3.0));
        assert_ne!(plain, turning);
        let [mut taken, mut renewed, mut after, mut before] =
            std::array::from_fn(|k| if k < 3 { turning.clone() } else { plain.clone() });
        taken.set_angular(None);
        assert_ne!(plain, taken, "the moment stays");
        taken.set_moment(Vector3::zeros());
        renewed.renew((3, 4), frame, (lever, -lever));
        after.clone_from(&plain);
        assert_eq!([&plain; 3], [&taken, &renewed, &after]);
        for other in [&taken, &renewed, &after] {
            assert!(other.turning.is_some(), "the memory stays");
            assert_eq!((other.angular(), other.moment()), (None, Vector3::zeros()));
        }
        before.clone_from(&turning);
        assert_eq!(before, turning);
    }
}
