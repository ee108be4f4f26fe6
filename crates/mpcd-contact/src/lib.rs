//! Non-smooth contact dynamics: motion by a θ-scheme with contacts found in the leap-frog configuration (Moreau–Jean), or by central
//! differences with contacts found where the step leads (Carpenter); laws turned into a discrete frictional contact problem, solved by `mpcd-friction`.
//!
//! What lives here: motion, loads, laws, assembly, and the mechanical books. What may not: shapes and detection
//! (`mpcd-geometry`), solvers (`mpcd-friction`), any other physics.
#![forbid(unsafe_code)]

mod across;
mod alert;
mod ample;
mod anchors;
mod assemble;
mod books;
mod cell;
mod central;
mod convex;
mod deformable;
mod drift;
mod dynamics;
mod error;
mod even;
mod first_touch;
mod groups;
mod growth;
mod heirs;
mod hold;
mod joint;
mod joint_state;
pub mod law;
mod loads;
mod motion;
mod nearing;
mod observe;
mod openings;
mod params;
mod passing;
mod phases;
mod physics;
mod pinched;
mod pressed;
mod rotation;
mod rows;
mod shares;
pub mod smooth;
mod stages;
mod state;
mod swings;
mod together;
mod warm;
mod watch;
mod ways;
mod worst;

pub use anchors::Anchor;
pub use deformable::{DeformableParams, MeshAnchor, MeshParams, Plane};
pub use error::ContactError;
pub use joint::joint_schemas;
pub use joint_state::{Grip, JointState};
pub use law::{Law, LawData, LawInput, LawKind, LawRegistry, Laws};
pub use loads::load_schemas;
pub use observe::ProblemObserver;
pub use params::{ContactParams, Order, Scheme};
pub use physics::ContactDynamics;
pub use smooth::{SmoothContact, SmoothLaw, SmoothLawKind, SmoothLawRegistry};
pub use state::{ContactState, Opening, Swing, Turning};
pub use watch::{Policy, WatchParams};

/// What a registry must know of the modules. It stands here so that they are compiled with this crate, not again in every program.
#[must_use]
pub fn physics() -> [mpcd_core::PhysicsEntry; 2] {
    [mpcd_core::PhysicsEntry::of::<ContactDynamics>(), mpcd_core::PhysicsEntry::of::<SmoothContact>()]
}
