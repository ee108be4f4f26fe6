//! The four parts of Dumont's stopping criterion (37), as means over the contacts. No solver here.
//!
//! They are as in the source, units and all: velocities in m/s, impulses in N s, their products in J, added up. So ε_glob depends on
//! units, and here on the density too, which the source does not give; with balls of a milligram velocities govern it.

use mpcd_friction::cone::{project_coulomb, tangential_norm};

/// ε_glob and its parts.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Criterion {
    /// ε_motion: between a contact's velocity as its solver left it and as the impulses of all contacts make it (m/s).
    pub motion: f64,
    /// ε_proj: distance of the impulse from the cone (N s).
    pub projection: f64,
    /// ε_bc: the bi-potential `|ũ·r + μ r_n‖ũ_t‖|` (J).
    pub bipotential: f64,
    /// ε_pen: `−min(0, ũ_n)` (m/s).
    pub penetration: f64,
}

impl Criterion {
    /// The names of the parts and of their sum, in the order of [`Criterion::values`].
    pub const NAMES: [&str; 5] = ["motion", "projection", "bi-potential", "penetration", "global"];

    /// The parts and their sum.
    #[must_use]
    pub fn values(&self) -> [f64; 5] {
        [self.motion, self.projection, self.bipotential, self.penetration, self.global()]
    }

    /// ε_glob.
    #[must_use]
    pub fn global(&self) -> f64 {
        self.motion + self.projection + self.bipotential + self.penetration
    }

    /// Adds one of `contacts` contacts: impulse r, velocity ũ as the method holds it, velocity `moved` that the impulses of all
    /// contacts give it.
    pub fn add(&mut self, contacts: usize, friction: f64, r: &[f64; 3], u: &[f64; 3], moved: &[f64; 3]) {
        let distance = |a: &[f64; 3], b: &[f64; 3]| (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f64>().sqrt();
        let share = 1.0 / contacts as f64;
        let work: f64 = (0..3).map(|k| u[k] * r[k]).sum();
        self.motion += share * distance(u, moved);
        self.projection += share * distance(r, &project_coulomb(friction, r));
        self.bipotential += share * (work + friction * r[0] * tangential_norm(u)).abs();
        self.penetration += share * (-u[0]).max(0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_solution_has_none_and_each_fault_its_part() {
        let part = |r, u, moved| {
            let mut c = Criterion::default();
            c.add(2, 0.5, &r, &u, &moved);
            c.values().map(|v| 2.0 * v)
        };
        // sliding along −t at 2 m/s
        let (r, u) = ([1.0, 0.5, 0.0], [0.0, -2.0, 0.0]);
        assert_eq!(part(r, u, u), [0.0; 5]);
        assert_eq!(part(r, u, [0.0, -2.0, 3.0])[0], 3.0);
        assert_eq!(part([-1.0, 0.0, 0.0], [0.0; 3], [0.0; 3])[1], 1.0);
        assert_eq!(part([1.0, 0.0, 0.0], u, u)[2], 1.0);
        assert_eq!(part([0.0; 3], [-0.25, 0.0, 0.0], [-0.25, 0.0, 0.0])[3], 0.25);
    }
}
