//! The contact network: every pair of bodies within the alert distance, with geometry, motion and impulses.
//! The contact module writes it; heat, current and users' modules read it and never look at shapes.

use serde::{Deserialize, Serialize};

use crate::{
    ids::{BodyId, ContactKey},
    math::{Frame, Vec3},
    surface_point::SurfacePoint,
};

/// The shape of the touching surfaces, as far as a contact radius needs it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum ContactGeometry {
    /// Two curved surfaces: reduced radius R* = (1/R_i + 1/R_j)⁻¹ (m), √(R'R″) where they curve unequally in two directions.
    Point {
        /// Reduced radius (m).
        reduced_radius: f64,
        /// 2 √(R'R″)/(R' + R″) of the two radii of the gap: 1 of balls, towards 0 of what is nearly a line.
        roundness: f64,
    },
    /// Two parallel cylinders (discs of a planar model).
    Line {
        /// Reduced radius (m).
        reduced_radius: f64,
        /// Length of the line (m).
        length: f64,
    },
    /// Flat on flat: the area this point stands for (m²).
    Flat {
        /// Area (m²).
        area: f64,
    },
}

impl ContactGeometry {
    /// The cross-section (m²) of a body of this radius (m), or of one as round as the contact says where that is smaller: of a point πr², of a line 2r times
    /// its length; of flat surfaces their area.
    #[must_use]
    pub fn section(&self, least_radius: f64) -> f64 {
        let smaller = |reduced: f64| least_radius.min(2.0 * reduced);
        match *self {
            Self::Point { reduced_radius, .. } => std::f64::consts::PI * smaller(reduced_radius).powi(2),
            Self::Line { reduced_radius, length } => 2.0 * smaller(reduced_radius) * length,
            Self::Flat { area } => area,
        }
    }

    /// Area (m²) of a flat point, length (m) of a line's, 0 of curved surfaces.
    pub(crate) const fn size(&self) -> f64 {
        match *self {
            Self::Flat { area } => area,
            Self::Line { length, .. } => length,
            Self::Point { .. } => 0.0,
        }
    }
}

/// What a contact does at the end of the step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[repr(u8)]
pub enum ContactStatus {
    /// No force. An impulse that such a contact has is what a solver left there, far below its tolerance: the next step starts from it, and it is none.
    Open = 0,
    /// Pushes and does not slide, or pulls.
    Stick = 1,
    /// Pushes and slides.
    Slip = 2,
}

/// Part of a pull below which what presses against it is what rounding left.
const LEFT: f64 = 1e-9;

/// One contact of the network.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Contact {
    /// Persistent identity.
    pub key: ContactKey,
    /// Point between the two surfaces (m).
    pub point: Vec3,
    /// Contact frame; n from antagonist to candidate.
    pub frame: Frame,
    /// Gap (m) in the contact configuration, positive apart.
    pub gap: f64,
    /// Shape of the touching surfaces.
    pub geometry: ContactGeometry,
    /// The smaller radius of two curved surfaces (m), that of the curved one where the other is flat; infinite where both are flat. With the
    /// reduced radius it tells equal bodies from unequal ones.
    pub least_radius: f64,
    /// Index of the law in the model's list of interactions.
    pub law: u16,
    /// Relative velocity (n, t, s), candidate minus antagonist, at the start of the step [m/s].
    pub u_before: Vec3,
    /// Relative velocity (n, t, s) at the end of the step [m/s]; surface growth not included.
    pub u: Vec3,
    /// Impulse (n, t, s) of the step on the candidate [N s].
    pub r: Vec3,
    /// Energy dissipated by friction in the step (J).
    pub heat_friction: f64,
    /// Energy dissipated by impact (normal work) in the step (J).
    pub heat_impact: f64,
    /// What the contact does.
    pub status: ContactStatus,
}

impl Contact {
    /// The two bodies: candidate, antagonist.
    #[must_use]
    pub const fn bodies(&self) -> (BodyId, BodyId) {
        (self.key.candidate, self.key.antagonist)
    }

    /// Force on the candidate in world axes (N), for a step of `h` (s).
    #[must_use]
    pub fn force(&self, h: f64) -> Vec3 {
        self.frame.to_world(&self.r) / h
    }

    /// Normal force (N), for a step of `h` (s); 0 of what a solver left at an open contact.
    #[must_use]
    pub fn normal_force(&self, h: f64) -> f64 {
        if self.is_left_over() { 0.0 } else { self.r.x / h }
    }

    /// Force with which the surfaces press on one another (N), for a step of `h` (s) in which something else, as a liquid bridge, pulled with `adhesion` (N): a pair that hangs by its bridge does not press.
    #[must_use]
    pub fn pressing(&self, h: f64, adhesion: f64) -> f64 {
        if adhesion <= 0.0 {
            return self.normal_force(h).max(0.0);
        }
        let force = self.r.x / h + adhesion;
        if force > LEFT * adhesion { force } else { 0.0 }
    }

    /// Whether it pushes.
    #[must_use]
    pub fn bears(&self) -> bool {
        self.r.x > 0.0 && self.status != ContactStatus::Open
    }

    /// Whether it pushes, pulls or rubs.
    #[must_use]
    pub fn carries(&self) -> bool {
        self.r != Vec3::zeros() && !self.is_left_over()
    }

    /// Whether its impulse is what a solver left at an open contact.
    fn is_left_over(&self) -> bool {
        self.status == ContactStatus::Open && self.r != Vec3::zeros()
    }
}

/// Where a contact lies on the meshes of deformable bodies: `None` on a side that is rigid.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MeshPoints {
    /// The contact.
    pub key: ContactKey,
    /// On the mesh of the candidate and on that of the antagonist.
    pub points: [Option<SurfacePoint>; 2],
    /// Which place of a curved rigid body it is at: contacts of a pair at one place are one. 0 where it is at none.
    pub place: u32,
}

/// All contacts, sorted by key.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct ContactNetwork {
    /// The contacts, sorted by key, each key once.
    pub contacts: Vec<Contact>,
    /// Where those of deformable bodies lie on their meshes, sorted by key. A module that does not look sees all bodies alike.
    pub on_meshes: Vec<MeshPoints>,
    /// Gap up to which every pair is in it, whatever its motion (m): the alert distance of the model. Which pairs farther apart are in it as well goes by how fast bodies are, and what acts
    /// across gaps leaves these out. Infinite where it holds what there is.
    pub reach: f64,
}

impl Default for ContactNetwork {
    fn default() -> Self {
        Self { contacts: Vec::new(), on_meshes: Vec::new(), reach: f64::INFINITY }
    }
}

impl Clone for ContactNetwork {
    fn clone(&self) -> Self {
        Self { contacts: self.contacts.clone(), on_meshes: self.on_meshes.clone(), reach: self.reach }
    }
    fn clone_from(&mut self, other: &Self) {
        self.contacts.clone_from(&other.contacts);
        self.on_meshes.clone_from(&other.on_meshes);
        self.reach = other.reach;
    }
}

impl ContactNetwork {
    /// Number of contacts.
    #[must_use]
    pub fn len(&self) -> usize {
        self.contacts.len()
    }

    /// Whether there is no contact.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.contacts.is_empty()
    }

    /// The contacts in the order of their keys.
    pub fn iter(&self) -> std::slice::Iter<'_, Contact> {
        self.contacts.iter()
    }

    /// The contact with this identity, if it is in the network.
    #[must_use]
    pub fn find(&self, key: &ContactKey) -> Option<&Contact> {
        self.contacts.binary_search_by(|c| c.key.cmp(key)).ok().map(|i| &self.contacts[i])
    }

    /// Where a contact lies on the meshes of its candidate and antagonist; `None` of sides that are rigid.
    #[must_use]
    pub fn mesh_points(&self, key: &ContactKey) -> [Option<&SurfacePoint>; 2] {
        self.on_mesh(key).map_or([None; 2], |m| m.points.each_ref().map(Option::as_ref))
    }

    /// What is known of a contact as one on meshes; `None` between rigid bodies.
    #[must_use]
    pub fn on_mesh(&self, key: &ContactKey) -> Option<&MeshPoints> {
        self.on_meshes.binary_search_by(|m| m.key.cmp(key)).ok().map(|i| &self.on_meshes[i])
    }
}
