//! Time stepping of a scene (Dumont (2), (18), θ = ½): half a step, contacts there, velocities, half a step.

use std::sync::Arc;
use std::time::Instant;

use mpcd_core::{BodyId, Dimension, Kinematics, Vec3};
use mpcd_geometry::{Detector, GeometryError, Shapes, Touch};

use crate::scene::{DENSITY, GRAVITY, Scene};
use crate::sweeps::{Body, Method, Swept, solve};

/// Contacts are closed up to this gap (m): velocities that vanish but for rounding must not open them.
const CLOSED: f64 = 1e-12;

/// A scene in motion.
#[derive(Debug)]
pub struct Simulation {
    scene: Scene,
    method: Method,
    detector: Detector,
    /// State of motion now.
    pub kinematics: Kinematics,
    bodies: Vec<Body>,
    touches: Vec<Touch>,
    /// Time now (s).
    pub time: f64,
    /// Time spent in the sweeps so far (s).
    pub solving: f64,
}

impl Simulation {
    /// At the start of the scene.
    ///
    /// # Errors
    /// [`GeometryError`], where a shape is impossible.
    pub fn new(scene: Scene, method: Method) -> Result<Self, GeometryError> {
        let is_plane: Vec<bool> = scene.shapes.iter().map(|shape| shape.radius().is_none()).collect();
        let bodies = scene
            .shapes
            .iter()
            .map(|shape| {
                let measure = shape.mass_properties(DENSITY, Dimension::Spatial);
                let inverse = |x: f64| if x > 0.0 { 1.0 / x } else { 0.0 };
                let inertia = shape.radius().map_or(0.0, |radius| scene.inertia * measure.mass * radius * radius);
                let (inverse_mass, inverse_inertia) = (inverse(measure.mass), inverse(inertia));
                Body { velocity: Vec3::zeros(), spin: Vec3::zeros(), inverse_mass, inverse_inertia }
            })
            .collect();
        let shapes = Arc::new(Shapes(scene.shapes.clone()));
        let apart = move |a: BodyId, b: BodyId| !(is_plane[a.index()] && is_plane[b.index()]);
        let detector = Detector::new(shapes, Dimension::Spatial, apart)?;
        let kinematics = scene.start.clone();
        Ok(Self { scene, method, detector, kinematics, bodies, touches: Vec::new(), time: 0.0, solving: 0.0 })
    }

    /// One step; what its sweeps came to.
    ///
    /// # Errors
    /// [`GeometryError`], where the motion has ceased to be finite.
    pub fn step(&mut self) -> Result<Swept, GeometryError> {
        let h = self.scene.step;
        let motion = &mut self.kinematics;
        for (k, body) in self.bodies.iter_mut().enumerate() {
            motion.position[k] += 0.5 * h * motion.velocity[k];
            let weight = if body.inverse_mass > 0.0 { GRAVITY } else { 0.0 };
            body.velocity = motion.velocity[k] - h * weight * Vec3::z();
            body.spin = motion.angular_velocity[k];
        }
        self.detector.detect(motion, CLOSED, &mut self.touches)?;
        let clock = Clock::start();
        let (friction, tolerance, most) = (self.scene.friction, self.scene.tolerance, self.scene.most_sweeps);
        let swept = solve(&mut self.bodies, &self.touches, friction, self.method, tolerance, most);
        self.solving += clock.seconds();
        for (k, body) in self.bodies.iter().enumerate() {
            motion.velocity[k] = body.velocity;
            motion.angular_velocity[k] = body.spin;
            motion.position[k] += 0.5 * h * body.velocity;
        }
        self.time += h;
        Ok(swept)
    }
}

/// Processor time of this thread where the system tells it, else wall-clock time: other programs must not count.
struct Clock {
    wall: Instant,
    processor: Option<f64>,
}

impl Clock {
    fn start() -> Self {
        Self { wall: Instant::now(), processor: Self::processor() }
    }

    /// Linux: the first number of the file is the time on a processor (ns).
    fn processor() -> Option<f64> {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        text.split_whitespace().next()?.parse::<f64>().ok().map(|ns| 1e-9 * ns)
    }

    fn seconds(&self) -> f64 {
        match (self.processor, Self::processor()) {
            (Some(start), Some(end)) => end - start,
            _ => self.wall.elapsed().as_secs_f64(),
        }
    }
}

/// What a run came to.
#[derive(Debug, Clone, Default)]
pub struct Outcome {
    /// The sweeps of the last step.
    pub last: Swept,
    /// The sweeps of the step asked for, for its curve.
    pub watched: Swept,
    /// Sweeps of all steps together.
    pub sweeps: usize,
    /// Steps that missed ε_glob.
    pub missed: usize,
    /// Time in the sweeps (s), and all of it.
    pub seconds: [f64; 2],
    /// Deepest overlap at the end (m).
    pub overlap: f64,
}

/// Runs `steps` steps; the curve of step number `watched` (from 1) is kept.
///
/// # Errors
/// [`GeometryError`], as [`Simulation::step`].
pub fn run(scene: Scene, method: Method, steps: usize, watched: usize) -> Result<Outcome, GeometryError> {
    let clock = Clock::start();
    let tolerance = scene.tolerance;
    let mut simulation = Simulation::new(scene, method)?;
    let mut outcome = Outcome::default();
    for k in 1..=steps {
        let swept = simulation.step()?;
        outcome.sweeps += swept.sweeps();
        outcome.missed += usize::from(swept.last().global() > tolerance);
        if k == watched {
            outcome.watched = swept.clone();
        }
        outcome.last = swept;
    }
    outcome.overlap = simulation.touches.iter().map(|touch| -touch.gap).fold(0.0, f64::max);
    outcome.seconds = [simulation.solving, clock.seconds()];
    Ok(outcome)
}
