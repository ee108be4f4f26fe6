//! The progress bar: time done, contacts, residual, time left. On a pipe, a line for each tenth of the run instead.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use mpcd_sim::{Observer, Simulation, StepOutcome};

use super::complain;

const UNITS: u64 = 1000;

pub(super) struct Progress {
    bar: ProgressBar,
    end: f64,
    terminal: bool,
    said: u64,
}

impl Progress {
    pub(super) fn new(until: Option<f64>) -> Self {
        use std::io::IsTerminal as _;
        let terminal = std::io::stderr().is_terminal();
        let target = if terminal { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(UNITS), target);
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {percent:>3} %  {elapsed} elapsed, {eta} left  {msg}") {
            bar.set_style(style);
        }
        Self { bar, end: until.unwrap_or(f64::INFINITY), terminal, said: 0 }
    }

    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Observer for Progress {
    fn started(&mut self, simulation: &Simulation) {
        self.end = self.end.min(simulation.end());
    }

    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a fraction of a thousand")]
    fn stepped(&mut self, _: &Simulation, outcome: &StepOutcome) {
        let done = ((outcome.time / self.end).clamp(0.0, 1.0) * UNITS as f64) as u64;
        let words = format!(
            "t = {:.4e} s, {} contacts, residual {:.1e}, {} iterations",
            outcome.time, outcome.contacts, outcome.residual, outcome.iterations
        );
        if self.terminal {
            self.bar.set_message(words);
            self.bar.set_position(done);
        } else if done >= self.said + UNITS / 10 || (done == UNITS && self.said < UNITS) {
            self.said = done - done % (UNITS / 10);
            complain(&format!("{:>3} %  step {}, {words}", done / 10, outcome.step));
        }
    }
}
