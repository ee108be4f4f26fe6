//! The state of the contact module: what changes from step to step, and so the checkpoint.

use mpcd_core::{BodyId, ContactKey, ContactNetwork, Kinematics, Vec3};
use serde::{Deserialize, Serialize};

use crate::{anchors::Anchor, deformable::MeshAnchor, joint_state::JointState, law::Remembered};

/// A body that swings.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Swing {
    /// Which.
    pub body: BodyId,
    /// Steps in a row in which it turned back by more than before.
    pub times: u32,
    /// h² Σ f·a over its moment of inertia about what holds it.
    pub stretch: f64,
}

/// The moment of a contact that resists rolling or spinning.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Turning {
    /// Whose.
    pub key: ContactKey,
    /// Impulse moment on the candidate, world axes [N m s].
    pub moment: Vec3,
}

/// The speed at which a gap really changed in the last step.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Opening {
    /// Whose.
    pub key: ContactKey,
    /// (Gap at the end − gap at the start)/h, growth included [m/s].
    pub speed: f64,
}

/// Motion of the bodies and the contacts of the last step.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct ContactState {
    /// Motion of the bodies.
    pub kinematics: Kinematics,
    /// Contacts of the last step, with the impulses that start the next solve.
    pub network: ContactNetwork,
    /// Length of the last step (s); 0 before the first. Impulses scale with it.
    pub last_h: f64,
    /// Time in which bonds closed what was open of them in the last step (s): its length, and more for a while where it is shorter than the steps before.
    pub closing: f64,
    /// What the laws remember, sorted by key; only contacts whose law remembers.
    pub memory: Vec<Remembered>,
    /// Bonds on faces, sorted by key.
    pub anchors: Vec<Anchor>,
    /// Bonds of meshes with rigid bodies, sorted by key.
    pub mesh_anchors: Vec<MeshAnchor>,
    /// Moments of the contacts that resist turning, sorted by key.
    pub turning: Vec<Turning>,
    /// How the gaps changed, sorted by key; empty but under `scheme: Explicit`.
    pub opening: Vec<Opening>,
    /// Volume worn off each body (m³); empty where no law wears.
    pub worn: Vec<f64>,
    /// How fast the size factor of each body rose in the last step (1/s); empty where none did.
    pub swelling: Vec<f64>,
    /// Joints, in the order of the model.
    pub joints: Vec<JointState>,
    /// Bodies that swing ever farther under what pulls them, by id.
    pub swings: Vec<Swing>,
    /// Energy that laws and joints store (J).
    pub stored: f64,
    /// Energy that the springs of contacts got in the run because patches found and lost points, less what contacts took out of the motion since they first did (J): above 0 where it came from
    /// nowhere.
    pub restrung: f64,
    /// Deformable bodies, in the order of the model.
    pub deformables: Vec<mpcd_fem::State>,
    /// Forces at their nodes in the last step.
    pub nodal: Vec<mpcd_fem::NodalForces>,
}

impl Clone for ContactState {
    fn clone(&self) -> Self {
        let mut out = Self::default();
        out.clone_from(self);
        out
    }
    fn clone_from(&mut self, other: &Self) {
        self.begin(other);
        self.network.clone_from(&other.network);
        self.memory.clone_from(&other.memory);
        self.turning.clone_from(&other.turning);
        self.opening.clone_from(&other.opening);
    }
}

impl ContactState {
    /// The same but for what every step writes anew from beginning to end: contacts, what is remembered of them, their moments and openings.
    pub(crate) fn begin(&mut self, other: &Self) {
        self.kinematics.clone_from(&other.kinematics);
        self.last_h = other.last_h;
        self.closing = other.closing;
        self.anchors.clone_from(&other.anchors);
        self.mesh_anchors.clone_from(&other.mesh_anchors);
        self.worn.clone_from(&other.worn);
        self.swelling.clone_from(&other.swelling);
        self.swings.clone_from(&other.swings);
        self.joints.clone_from(&other.joints);
        self.stored = other.stored;
        self.restrung = other.restrung;
        self.deformables.clone_from(&other.deformables);
        self.nodal.clone_from(&other.nodal);
    }

    /// What springs store at the end of the step that led here from `before`, and what they got from nowhere so far, by what the step `restrung`; `viscous` is the work of dashpots in it (J).
    pub(crate) fn keep_energy(&mut self, before: &Self, stored: f64, (restrung, viscous): (f64, f64)) {
        self.stored = stored;
        self.restrung = before.restrung + restrung;
        if self.restrung != 0.0 {
            let heat: f64 = self.network.iter().map(|c| c.heat_friction + c.heat_impact).sum();
            self.restrung -= heat.max(0.0) - viscous;
        }
    }
}
