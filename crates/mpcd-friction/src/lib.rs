//! The discrete frictional contact problem as plain data, and its solvers.
//!
//! Floor 1: this crate knows no bodies and no time. Impulses, velocities and free velocities are those of one step;
//! components of every local vector are normal first, `(n, t, s)`.
//!
//! ```
//! use mpcd_friction::problem::{Contact, ContactDimension, Frame, Body, ContactProblem};
//! use mpcd_friction::{Cone, SolveSettings, solver_by_name};
//! use nalgebra::Vector3;
//!
//! // a ball of 2 kg and radius 0.1 m falls on the floor at 1 m/s, sliding at 3 m/s
//! let (mass, radius) = (2.0, 0.1);
//! let inertia = 0.4 * mass * radius * radius;
//! let mut problem = ContactProblem::new(ContactDimension::Three);
//! let ball = problem.push_body(Body::ball(Vector3::new(3.0, 0.0, -1.0), Vector3::zeros(), 1.0 / mass, 1.0 / inertia));
//! let floor = problem.push_body(Body::fixed());
//! let frame = Frame::from_normal(Vector3::z()); // from the antagonist (floor) to the candidate (ball)
//! let contact = Contact::new(ball, floor, frame, Vector3::new(0.0, 0.0, -radius), Vector3::zeros())
//!     .with_cone(Cone::coulomb(0.3))
//!     .with_velocity_shift(Vector3::new(0.5 * -1.0, 0.0, 0.0)); // Newton restitution: e u_n⁻
//! let contact = problem.push_contact(contact);
//!
//! let mut solver = solver_by_name("nlgs")?;
//! let info = solver.solve(&mut problem, &SolveSettings::default())?;
//! assert!(info.status.is_success(), "{info}");
//! let impulse = problem.contacts[contact].impulse; // on the ball, (n, t, s)
//! assert!((impulse.x - mass * 1.5).abs() < 1e-12); // it leaves at 0.5 m/s
//! assert!((problem.bodies[ball].velocity - Vector3::new(3.0 - 0.3 * 1.5, 0.0, 0.5)).norm() < 1e-12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod acceptance;
mod auto;
mod bilateral;
mod budget;
mod condensed;
pub mod cone;
pub mod error;
pub mod exact;
pub mod law;
pub mod local;
mod named;
mod network;
mod nlgs;
pub mod problem;
mod random;
pub mod report;
pub mod selection;
pub mod settings;
pub mod solver;
mod sweep;
mod table;

pub use acceptance::Violation;
pub use auto::Auto;
pub use bilateral::Bilateral;
pub use cone::Cone;
pub use error::{ErrorSum, Errors, FreeNorms, ScaledSum, WorstContact};
pub use law::{LocalLaw, Springs};
pub use nlgs::{AcceleratedNlgs, Jacobi, Nlgs};
pub use report::{NoMotion, SolveInfo, Stage, Status};
pub use settings::{SolveSettings, SweepOrder};
pub use solver::RigidSolver;
pub use table::{UnknownSolver, rigid_solver_names, solver_by_name};
