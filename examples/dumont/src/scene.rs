//! What the three scenes consist of, and where the source leaves it open what was chosen. No motion here.

use mpcd_core::{Kinematics, Quat, Vec3};
use mpcd_geometry::{Random, Shape};

/// Density of the balls (kg/m³). The source gives none; it scales the impulses.
pub const DENSITY: f64 = 2500.0;
/// Standard of this project (m/s²), downwards along z.
pub const GRAVITY: f64 = 9.81;

/// Balls and planes, and how to step them.
#[derive(Debug, Clone)]
pub struct Scene {
    /// Name of the scene.
    pub name: &'static str,
    /// One shape per body: balls first, then planes.
    pub shapes: Vec<Shape>,
    /// State of motion at the start.
    pub start: Kinematics,
    /// Friction coefficient of all contacts.
    pub friction: f64,
    /// Δt (s).
    pub step: f64,
    /// ε_glob to reach.
    pub tolerance: f64,
    /// Most sweeps of a step.
    pub most_sweeps: usize,
    /// Moment of inertia of the balls over m R²: 2/5 for full ones.
    pub inertia: f64,
}

impl Scene {
    fn new(name: &'static str, friction: f64, step: f64, tolerance: f64) -> Self {
        let (shapes, start) = (Vec::new(), Kinematics::default());
        Self { name, shapes, start, friction, step, tolerance, most_sweeps: 5000, inertia: 0.4 }
    }

    fn push(&mut self, shape: Shape, position: Vec3) {
        self.shapes.push(shape);
        self.start.push_at_rest(position, Quat::identity());
    }

    /// A floor at z = 0 and four walls around a square of this side.
    fn push_box(&mut self, side: f64) {
        self.push(Shape::Plane { normal: Vec3::z() }, Vec3::zeros());
        for normal in [Vec3::x(), -Vec3::x(), Vec3::y(), -Vec3::y()] {
            self.push(Shape::Plane { normal }, -0.5 * side * normal);
        }
    }

    /// §4.1: a ball of 5 mm is launched at 1.5 m/s without spin on a table, μ = 0.7, Δt = 1e-4 s, ε_glob = 1e-10.
    #[must_use]
    pub fn launched_ball() -> Self {
        let mut scene = Self::new("example 1, a launched ball", 0.7, 1e-4, 1e-10);
        scene.push(Shape::Ball { radius: 5e-3 }, 5e-3 * Vec3::z());
        scene.start.velocity[0] = 1.5 * Vec3::x();
        scene.push(Shape::Plane { normal: Vec3::z() }, Vec3::zeros());
        scene
    }

    /// §4.2: four balls of 0.4 to 0.5 mm fall into a box, μ = 0.3, Δt = 1e-4 s. The table was made with ε_glob = 1e-12. Chosen:
    /// a square box of 1.5 mm, in which no two balls lie side by side along a wall, the balls one above the other in turn
    /// to the left and to the right.
    #[must_use]
    pub fn four_balls() -> Self {
        let mut scene = Self::new("example 2, four balls in a box", 0.3, 1e-4, 1e-12);
        for (k, radius) in [5e-4, 4.3e-4, 4.6e-4, 4e-4].into_iter().enumerate() {
            let side = if k % 2 == 0 { 1.0 } else { -1.0 };
            let place = Vec3::new(0.15e-3 * side, 0.1e-3 * side + 0.02e-3 * k as f64, (0.7 + 1.1 * k as f64) * 1e-3);
            scene.push(Shape::Ball { radius }, place);
        }
        scene.push_box(1.5e-3);
        scene
    }

    /// §4.3: 500 balls of 0.25 to 0.5 mm fall into a box, μ = 0.3, Δt = 5e-5 s, ε_glob = 1e-12. Chosen: a square box of 8.4 mm,
    /// radii and places drawn around the nodes of a lattice of 1.05 mm.
    #[must_use]
    pub fn five_hundred_balls() -> Self {
        let mut scene = Self::new("example 3, 500 balls in a box", 0.3, 5e-5, 1e-12);
        let mut random = Random::new(500);
        let cell = 1.05e-3;
        for k in 0..500_u32 {
            let radius = random.within(2.5e-4, 5e-4);
            let play = 0.5 * cell - radius;
            let mut place = |index: u32, start: f64| start + cell * (f64::from(index) + 0.5) + random.within(-play, play);
            let place = Vec3::new(place(k % 8, -4.0 * cell), place(k / 8 % 8, -4.0 * cell), place(k / 64, 0.0));
            scene.push(Shape::Ball { radius }, place);
        }
        scene.push_box(8.0 * cell);
        scene
    }
}
