//! The one motion that a hinge or a slider leaves free: an angle or a length, with limits, a spring and a drive. What lives here: how far it
//! has come, the forces along it, and which of them hold it. What may not: rows of joints, files.

use mpcd_core::{Step, TimeFunction};

use crate::joint_state::Grip;

/// Changes of what holds an axis in a step after which it stays.
const CHANGES: usize = 8;

/// What acts along the axis of a joint: about it (N m, rad) or along it (N, m).
#[derive(Debug, Clone, Default)]
pub(super) struct Axis {
    /// What the place at the start counts as.
    pub(super) start: f64,
    /// Lowest and highest place.
    pub(super) limits: Option<[f64; 2]>,
    pub(super) spring: Option<Spring>,
    pub(super) drive: Option<Drive>,
}

/// A spring and a dashpot along the axis.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spring {
    pub(super) stiffness: f64,
    pub(super) damping: f64,
    pub(super) rest: f64,
}

/// What moves the axis.
#[derive(Debug, Clone)]
pub(super) struct Drive {
    pub(super) target: Target,
    /// The largest force or moment it can give; `None` is any.
    pub(super) most: Option<f64>,
}

/// Where a drive leads.
#[derive(Debug, Clone)]
pub(super) enum Target {
    Rate(TimeFunction),
    Place(TimeFunction),
}

/// The axis over a step.
#[derive(Debug, Clone, Copy)]
pub(super) struct Travel {
    pub(super) before: f64,
    pub(super) after: f64,
    /// Change of the place over h times the mean velocity along the row.
    pub(super) share: f64,
    /// Change of the place over h times the mean velocity of the bodies: of a hinge the `share`, 1 of a slider, whose row turns with it.
    pub(super) of_rate: f64,
}

/// The impulses along the axis, on the candidate [N m s or N s].
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Parts {
    pub(super) drive: f64,
    pub(super) stop: f64,
}

/// What the row along the axis says.
#[derive(Debug, Clone, Copy)]
pub(super) enum Law {
    /// The impulse along the row is this.
    Given(f64),
    /// The velocity along the row plus `shift` plus `compliance` times the impulse is zero.
    Held { shift: f64, compliance: f64 },
}

impl Axis {
    /// Energy of the spring at a place (J).
    pub(super) fn stored(&self, place: f64) -> f64 {
        self.spring.map_or(0.0, |s| 0.5 * s.stiffness * (place - s.rest).powi(2))
    }

    /// Impulse of the spring and the dashpot.
    fn pull(&self, travel: &Travel, step: &Step) -> f64 {
        self.spring.map_or(0.0, |s| {
            let stretch = step.theta * travel.after + (1.0 - step.theta) * travel.before - s.rest;
            -step.h * s.stiffness * stretch - s.damping * (travel.after - travel.before)
        })
    }

    /// Whether the drive leads the axis, by its grip.
    fn leads(&self, grip: Grip) -> bool {
        self.drive.is_some() && grip.push == 0 && grip.stop == 0
    }

    /// Whether something holds the axis at a place.
    pub(super) fn is_held(&self, grip: Grip) -> bool {
        grip.stop != 0 || self.leads(grip)
    }

    /// Where what holds the axis wants it at the end of the step, or the drive would.
    fn wanted(&self, grip: Grip, travel: &Travel, step: &Step) -> f64 {
        match (self.limits, &self.drive) {
            (Some(limits), _) if grip.stop != 0 => limits[usize::from(grip.stop > 0)],
            (_, Some(drive)) => drive.place(travel.before, step),
            _ => travel.after,
        }
    }

    /// Impulse of a drive that gives all it can.
    fn saturated(&self, grip: Grip, step: &Step) -> f64 {
        let most = self.drive.as_ref().and_then(|d| d.most).unwrap_or(0.0);
        f64::from(grip.push) * most * step.h
    }

    /// The row about a motion found, `found` being the velocity along it there.
    pub(super) fn law(&self, grip: Grip, travel: &Travel, found: f64, step: &Step) -> Law {
        let (reach, share) = (step.h * step.theta, travel.share);
        if self.is_held(grip) {
            let shift = (travel.after - self.wanted(grip, travel, step)) / (share * reach) - found;
            return Law::Held { shift, compliance: 0.0 };
        }
        let given = self.saturated(grip, step);
        let response =
            self.spring.map_or(0.0, |s| share * share * step.theta * (step.h * reach * s.stiffness + s.damping * step.h));
        if response == 0.0 {
            return Law::Given(share * (given + self.pull(travel, step)));
        }
        let force = share * (given + self.pull(travel, step));
        Law::Held { shift: -force / response - found, compliance: 1.0 / response }
    }

    /// Which part of the impulse along the axis is whose.
    pub(super) fn parts(&self, grip: Grip, travel: &Travel, whole: f64, step: &Step) -> Parts {
        let spring = self.pull(travel, step);
        if self.leads(grip) {
            return Parts { drive: whole - spring, stop: 0.0 };
        }
        let drive = self.saturated(grip, step);
        Parts { drive, stop: if grip.stop == 0 { 0.0 } else { whole - spring - drive } }
    }

    /// Lets the limit hold that the axis has passed.
    pub(super) fn stand(&self, grip: &mut Grip, travel: &Travel) {
        if !self.leads(*grip) && grip.stop == 0 {
            grip.stop = grip.stop_of(self.limits, travel.after).unwrap_or(0);
        }
    }

    /// Lets a drive that leads the axis give all it can, and, where `all` that holds goes, a limit; whether there was one.
    pub(super) fn loosen(&self, grip: &mut Grip, travel: &Travel, (step, all): (&Step, bool)) -> bool {
        let last = *grip;
        if all {
            grip.stop = 0;
        }
        if let Some(drive) = self.drive.as_ref().filter(|drive| drive.most.is_some() && self.leads(*grip)) {
            let way = drive.place(travel.before, step) - travel.before;
            grip.push = if way == 0.0 { sign(travel.before - travel.after) } else { sign(way) };
        }
        *grip != last
    }

    /// What holds the axis after the motion found with the impulse `whole` along it, `solved` or guessed, of bodies as `far` as this; `changes` counts the changes of the step.
    pub(super) fn judge(
        &self,
        grip: &mut Grip,
        changes: &mut usize,
        travel: &Travel,
        (whole, solved, far): (f64, bool, f64),
        step: &Step,
    ) -> bool {
        if *changes >= CHANGES {
            return false;
        }
        let parts = self.parts(*grip, travel, whole, step);
        let mut next = *grip;
        if grip.stop != 0 && f64::from(grip.stop) * parts.stop > 0.0 {
            next.stop = 0;
        }
        if let Some(drive) = &self.drive {
            let target = drive.place(travel.before, step);
            let most = drive.most.map_or(f64::INFINITY, |m| m * step.h);
            // what no impulse moves along the axis answers none
            let unmoved = solved && whole == 0.0 && drive.most.is_some() && !is_at(travel.after, target, travel.before, far);
            if grip.stop == 0 && grip.push == 0 && unmoved {
                next.push = sign(target - travel.after);
            } else if grip.stop == 0 && grip.push == 0 && parts.drive.abs() > most {
                next.push = sign(parts.drive);
            } else if grip.stop == 0 && grip.push != 0 && f64::from(grip.push) * (travel.after - target) > 0.0 {
                next.push = 0;
            }
            let beyond = next.stop_of(self.limits, target);
            if grip.stop != 0 && grip.push == grip.stop && beyond != Some(grip.stop) {
                // It leads away from the limit again.
                (next.stop, next.push) = (0, 0);
            } else if grip.stop != 0 && next.stop != 0 && beyond == Some(grip.stop) {
                next.push = grip.stop;
            }
            if let Some(stop) = beyond.filter(|_| next.push == 0) {
                // It leads beyond a limit: it presses against it.
                (next.push, next.stop) = (stop, stop);
            }
        }
        if next.stop == 0 && grip.stop == 0 && !self.leads(next) {
            next.stop = next.stop_of(self.limits, travel.after).unwrap_or(0);
        }
        let changed = next != *grip;
        *changes += usize::from(changed);
        *grip = next;
        changed
    }

    /// Whether what holds the axis fits the motion found, but for the impulse and the way of `least`.
    pub(super) fn agrees(&self, grip: Grip, travel: &Travel, whole: f64, step: &Step, least: (f64, f64)) -> bool {
        let parts = self.parts(grip, travel, whole, step);
        if grip.stop != 0 {
            return f64::from(grip.stop) * parts.stop <= least.0;
        }
        let passes = |[low, high]: [f64; 2], place: f64| place < low - least.1 || place > high + least.1;
        if grip.push == 0 && self.drive.is_some() {
            let most = self.drive.as_ref().and_then(|d| d.most).map_or(f64::INFINITY, |most| most * step.h);
            return parts.drive.abs() <= most + least.0;
        }
        let overruns = self
            .drive
            .as_ref()
            .is_some_and(|drive| f64::from(grip.push) * (travel.after - drive.place(travel.before, step)) > least.1);
        !overruns && self.limits.is_none_or(|limits| !passes(limits, travel.after))
    }

    /// What the velocity along the axis is at the end of a step where something holds it: of a limit zero, of a drive its own. `of_rate` is that of the
    /// travel.
    pub(super) fn rate(&self, grip: Grip, of_rate: f64, step: &Step) -> f64 {
        match &self.drive {
            Some(drive) if grip.stop == 0 && grip.push == 0 => drive.rate(of_rate, step),
            _ => 0.0,
        }
    }

    /// Whether what holds the axis can give this impulse over a whole step.
    pub(super) fn allows(&self, grip: Grip, parts: &Parts, more: f64, step: &Step) -> bool {
        if grip.stop != 0 {
            return f64::from(grip.stop) * (parts.stop + more) <= 0.0;
        }
        self.drive.as_ref().and_then(|d| d.most).is_none_or(|most| (parts.drive + more).abs() <= most * step.h)
    }
}

impl Grip {
    /// The limit beyond which a place lies.
    fn stop_of(self, limits: Option<[f64; 2]>, place: f64) -> Option<i8> {
        let [low, high] = limits?;
        if place < low { Some(-1) } else { (place > high).then_some(1) }
    }
}

impl Drive {
    /// Where it leads at the end of a step that begins at `before`.
    fn place(&self, before: f64, step: &Step) -> f64 {
        match &self.target {
            Target::Rate(f) => before + step.h * (step.theta * f.at(step.end()) + (1.0 - step.theta) * f.at(step.time)),
            Target::Place(f) => f.at(step.end()),
        }
    }

    /// How fast at the end of a step: the velocity that goes on in the next as the place does. In a step a body turns by 2 arctan(hω/2), so that a hinge whose
    /// angle goes on by hΩ has more than Ω; with Ω itself the drive would speed it up and stop it again in each step.
    fn rate(&self, of_rate: f64, step: &Step) -> f64 {
        let rate = match &self.target {
            Target::Rate(f) => f.at(step.end()),
            Target::Place(f) => {
                let (end, d) = (step.end(), 1e-3 * step.h);
                let beyond = f.at(end + d);
                // a function may end with the run
                if beyond.is_finite() { (beyond - f.at(end - d)) / (2.0 * d) } else { (f.at(end) - f.at(end - d)) / d }
            }
        };
        rate / of_rate
    }

    /// The time in a step (s) at which its function is no finite number.
    pub(super) fn is_no_number_at(&self, step: &Step) -> Option<f64> {
        let (f, times) = match &self.target {
            Target::Rate(f) => (f, vec![step.time, step.end()]),
            Target::Place(f) => (f, vec![step.end()]),
        };
        times.into_iter().find(|time| !f.at(*time).is_finite())
    }
}

/// Whether a place is one that was led to, but for rounding of the way there and of places as `far` (m or rad) as these.
fn is_at(place: f64, target: f64, from: f64, far: f64) -> bool {
    (place - target).abs() <= 1e-6 * (place - from).abs().max((target - from).abs()) + 64.0 * f64::EPSILON * (target.abs() + far)
}

fn sign(x: f64) -> i8 {
    if x > 0.0 { 1 } else { -1 }
}
