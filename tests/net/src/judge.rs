//! What a trial must show, and what it did not: closed forms, the tighter path, other views. No scenes.

use mpcd_core::Vec3;

use crate::{
    random::Draw,
    run::{Outcome, run},
    scene::Scene,
    view::View,
};

/// The tighter path: `auto`, far below the default tolerance; the step is halved as well.
const TIGHT: &str = "solver: \"auto\", tolerance: 1e-10";

/// Residual of momentum of what rigid bonds hold together: impulses are written from what the bonds could bear, up to a million times what moves, and are known to the rounding of that.
pub const BONDED: f64 = 1e-6;

/// A number of an outcome.
type Measure = Box<dyn Fn(&Outcome) -> f64 + Send + Sync>;

/// A number that a formula knows.
pub struct Expected {
    /// What it is.
    pub what: &'static str,
    /// How it is read.
    pub of: Measure,
    /// What it must be.
    pub value: f64,
    /// By how much it may be off.
    pub bound: f64,
}

/// A number on which the defaults and the tighter path agree.
pub struct Agreed {
    /// What it is.
    pub what: &'static str,
    /// How it is read.
    pub of: Measure,
    /// By how much they may differ.
    pub bound: f64,
}

/// A scene and what it must show.
pub struct Trial {
    /// Its family.
    pub family: &'static str,
    /// Its seed.
    pub seed: u64,
    /// The scene.
    pub scene: Scene,
    /// Closed forms.
    pub expected: Vec<Expected>,
    /// Where the defaults and the tighter path agree.
    pub agreed: Vec<Agreed>,
    /// Largest overlap allowed, over the least width of the bodies.
    pub overlap: f64,
    /// Largest residual of momentum allowed ([`Outcome::momentum`]).
    pub momentum: f64,
    /// Largest rise of the energy allowed, over its largest value; `None` where something drives the scene.
    pub energy: Option<f64>,
    /// Difference of places allowed between views (m), and of velocities [m/s]; `None` where the motion is too sensitive.
    pub views: Option<(f64, f64)>,
    /// Whether there is no answer: then it must be refused with this word in the message.
    pub refused: Option<&'static str>,
}

impl Trial {
    /// A trial with the bounds that hold everywhere: 5 % of overlap, 10⁻¹² of momentum, 0.1 % of energy.
    #[must_use]
    pub fn new(family: &'static str, seed: u64, scene: Scene) -> Self {
        Self {
            family,
            seed,
            scene,
            expected: Vec::new(),
            agreed: Vec::new(),
            overlap: 0.05,
            momentum: 1e-12,
            energy: Some(1e-3),
            views: None,
            refused: None,
        }
    }

    /// With a closed form.
    #[must_use]
    pub fn expect(
        mut self,
        what: &'static str,
        value: f64,
        bound: f64,
        of: impl Fn(&Outcome) -> f64 + Send + Sync + 'static,
    ) -> Self {
        self.expected.push(Expected { what, of: Box::new(of), value, bound });
        self
    }

    /// With a number on which both paths agree.
    #[must_use]
    pub fn agree(mut self, what: &'static str, bound: f64, of: impl Fn(&Outcome) -> f64 + Send + Sync + 'static) -> Self {
        self.agreed.push(Agreed { what, of: Box::new(of), bound });
        self
    }
}

/// Something that is not as it must be.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// Family of the trial.
    pub family: &'static str,
    /// Its seed.
    pub seed: u64,
    /// The path on which it showed.
    pub path: String,
    /// What.
    pub what: String,
    /// As it is, as it must be, and the bound.
    pub numbers: [f64; 3],
}

impl std::fmt::Display for Finding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [is, must, bound] = self.numbers;
        write!(f, "{} {} ({}): {} is {is:.6e}, must be {must:.6e} ± {bound:.1e}", self.family, self.seed, self.path, self.what)
    }
}

/// How much is tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Paths {
    /// The tighter path as well.
    pub tight: bool,
    /// Other views as well.
    pub views: bool,
}

/// Runs a trial on all paths asked for and says what is wrong.
#[must_use]
pub fn judge(trial: &Trial, paths: Paths) -> Vec<Finding> {
    let mut out = Vec::new();
    let mut find = |path: &str, what: &str, numbers: [f64; 3]| {
        out.push(Finding { family: trial.family, seed: trial.seed, path: path.to_owned(), what: what.to_owned(), numbers });
    };
    let plain = run(&trial.scene, "");
    if let Some(word) = trial.refused {
        match &plain.failed {
            Some(message) if message.contains(word) => {}
            Some(message) => find("defaults", &format!("refused without `{word}`: {message}"), [0.0, 1.0, 0.0]),
            None => find("defaults", "what has no answer was given one", [0.0, 1.0, 0.0]),
        }
        return out;
    }
    if let Some(why) = &plain.failed {
        find("defaults", &format!("stopped: {}", first_line(why)), [0.0, 1.0, 0.0]);
        return out;
    }
    let mut bound = |path: &str, outcome: &Outcome| {
        let mut at_most = |what: &str, value: f64, most: f64| {
            if value.is_nan() || value > most {
                find(path, what, [value, 0.0, most]);
            }
        };
        at_most("overlap over the least width", outcome.overlap, trial.overlap);
        at_most("residual of momentum", outcome.momentum, trial.momentum);
        if let Some(most) = trial.energy {
            at_most("energy created", outcome.energy_created(), most);
        }
        for e in &trial.expected {
            let value = (e.of)(outcome);
            if (value - e.value).abs().is_nan() || (value - e.value).abs() > e.bound {
                find(path, e.what, [value, e.value, e.bound]);
            }
        }
    };
    bound("defaults", &plain);
    if paths.tight {
        let half = Scene { step: 0.5 * trial.scene.step, ..trial.scene.clone() };
        let tight = run(&half, TIGHT);
        match &tight.failed {
            Some(why) => find("auto at 1e-10, half the step", &format!("stopped: {}", first_line(why)), [0.0, 1.0, 0.0]),
            None => {
                bound("auto at 1e-10, half the step", &tight);
                for a in &trial.agreed {
                    let (x, y) = ((a.of)(&plain), (a.of)(&tight));
                    if (x - y).abs().is_nan() || (x - y).abs() > a.bound {
                        find("defaults against auto at 1e-10, half the step", a.what, [x, y, a.bound]);
                    }
                }
            }
        }
    }
    if let (true, Some(limits)) = (paths.views, trial.views) {
        let mut draw = Draw::new(trial.seed ^ 0x5EED);
        for view in View::all(&trial.scene, &mut draw) {
            let seen = run(&view.of(&trial.scene), "");
            if let Some(why) = &seen.failed {
                find(view.name, &format!("stopped: {}", first_line(why)), [0.0, 1.0, 0.0]);
                continue;
            }
            let (x, v) = view.back(&trial.scene, &seen);
            let (dx, dv) = (apart(&x, &plain.position), apart(&v, &plain.velocity));
            if dx.is_nan() || dx > limits.0 {
                find(view.name, "places differ", [dx, 0.0, limits.0]);
            } else if dv.is_nan() || dv > limits.1 {
                find(view.name, "velocities differ", [dv, 0.0, limits.1]);
            }
        }
    }
    out
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or("")
}

fn apart(a: &[Vec3], b: &[Vec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).norm()).fold(0.0, |m, d| if d.is_nan() { d } else { d.max(m) })
}
