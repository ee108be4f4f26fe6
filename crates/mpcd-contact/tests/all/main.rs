//! Verification of the contact module against VALIDATION.md, one file per chapter.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod bonds_slide;
mod books;
mod cell;
mod explicit;
mod faces;
mod fast_bodies;
mod foresight;
mod hinges;
mod joint_energy;
mod joints;
mod law_keys;
mod law_properties;
mod law_scenes;
mod laws;
mod locked_spin;
mod many;
mod nearing;
mod one_step;
mod patches;
mod scene;
mod seams;
mod sliders;
mod smooth;
mod stays_closed;
mod user_law;
mod v01_bouncing;
mod v02_rolling;
mod v03_incline;
mod v05_chain;
mod watch;
