//! The net: random scenes, each judged by another path than the one that computed it.
//!
//! - *Closed forms*: families of scenes whose answer a formula knows, whatever shape, dimension, mass ratio or law made them ([`family`]).
//! - *Differential*: the defaults against `auto` at 1e-10 with half the step. They agree within the bounds of the family, or the default says
//!   that it failed ([`mod@judge`]).
//! - *Metamorphic*: the same scene mirrored, turned, scaled, shifted, written in another order, with a body far away added ([`view`]).
//!
//! What lives here: scenes as data, how they are written as a model, run and judged. What may not: anything that knows how a result is computed.
#![forbid(unsafe_code)]

pub mod dissect;
pub mod family;
pub mod judge;
pub mod random;
pub mod run;
pub mod scene;
pub mod view;

pub use judge::{Finding, Trial, judge};
pub use random::Draw;
pub use run::{Outcome, run};
pub use scene::{Body, Scene, Shape};
pub use view::View;
