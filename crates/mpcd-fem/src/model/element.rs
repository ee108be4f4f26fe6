//! Internal force and stiffness of one element: the one place where strain, stress and virtual work are written down, for
//! all cells, kinematics and strain measures. No mesh, no assembly.
//!
//! The virtual strain of displacement i of node a is δE = sym(Fᵀ e_i ⊗ ∇N_a), F = I in small strain; the force is ∫ δE·S dV, the
//! stiffness ∫ δE·D·δE + ∇N_a·S·∇N_b dV. Source: Bonet–Wood, ch. 9; Simo–Tarnow 1992, doi 10.1007/BF00913408, and Gonzalez 2000,
//! doi 10.1016/S0045-7825(00)00189-4, for the stress of the mean configuration.

use mpcd_core::{Mat3, Vec3};

use super::Space;
use super::point::Point;
use super::section::Law;
use crate::cell::{Cell, MAX_NODES, Purpose, Shape, table};
use crate::material::{MaterialError, Response, Tangent, Voigt, contract};

/// Most unknowns of an element.
pub(crate) const MAX_DOFS: usize = 3 * MAX_NODES;
/// Factors that turn strains with engineering shears into tensor components.
const TENSOR: [f64; 6] = [1.0, 1.0, 1.0, 0.5, 0.5, 0.5];
/// Below this increment of strain the midpoint stress conserves energy to rounding by itself.
const SMALL_INCREMENT: f64 = 1e-6;

/// Below this increment of strain the work of the stress is integrated by four points, whose error is of its ninth order; beyond it the stored
/// energies differ by so much that their difference is good to rounding.
const LARGE_INCREMENT: f64 = 0.02;
/// Gauss's four points on (−1, 1): the positive ones, and their weights.
const GAUSS: [(f64, f64); 2] =
    [(0.339_981_043_584_856_26, 0.652_145_154_862_546_1), (0.861_136_311_594_052_6, 0.347_854_845_137_453_85)];

/// Numbers of the nodes of one element.
pub(crate) type Local = [f64; MAX_DOFS];

/// Where the rate of strain of a viscous material comes from, beside a displacement.
#[derive(Debug)]
pub(crate) enum Rate<'a, U: ?Sized> {
    /// From the velocity there; its derivative by the displacement (1/s).
    Velocity(&'a U, f64),
    /// From the strain at the start of a step (its displacement and time) whose forces at the end weigh θ above ½, in large strain: sym(F₁ᵀ(F₁ − F₀))/h, which the velocity would give, is not 0 where a body turns as a
    /// rigid one, ½ω²h, and (E₁ − E₀)/h is. The step has it once, so that this is the rate over θ. In small strain both are one, and the velocity at the end gives it.
    Step { old: &'a U, velocity: &'a U, h: f64, theta: f64 },
    /// From the velocity at the start of such a step: in small strain alone.
    Begun(&'a U),
}

impl<U: ?Sized> Clone for Rate<'_, U> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<U: ?Sized> Copy for Rate<'_, U> {}

/// Where the stress is taken.
pub(crate) enum Motion<'a> {
    /// At a displacement; with the rate of strain of what is viscous, and the free strain of the nodes.
    End { u: &'a Local, rate: Option<Rate<'a, Local>>, free: &'a [f64; MAX_NODES] },
    /// The stress of a step between two displacements that keeps energy and angular momentum; its time (s).
    Mean { old: &'a Local, new: &'a Local, h: f64 },
}

/// Which stiffness is asked for with the force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    Nothing,
    Whole,
    /// With what pulls of the initial stress alone: what it is pressed by makes a body that nothing holds give way to any turning.
    Definite,
}

/// An element of a body.
pub(crate) struct Element<'a> {
    pub(crate) cell: Cell,
    pub(crate) nodes: &'a [Vec3],
    pub(crate) space: Space,
    pub(crate) law: &'a Law,
    pub(crate) history: &'a [f64],
}

/// What an element adds to the sums.
#[derive(Clone, Debug)]
pub(crate) struct Integral {
    pub(crate) force: Local,
    /// Square matrix of the element's unknowns, by rows; empty when it was not asked for.
    pub(crate) matrix: Vec<f64>,
    pub(crate) history: Vec<f64>,
    /// Stored energy at the end (J), dissipated since the old history (J), viscous power (W).
    pub(crate) energy: f64,
    pub(crate) dissipated: f64,
    pub(crate) viscous: f64,
    /// Derivative of the energy by the free strain of each node (J).
    pub(crate) by_free: [f64; MAX_NODES],
}

/// Why an element has no answer.
#[derive(Debug)]
pub(crate) enum Fault {
    Inverted(f64),
    Material(MaterialError),
}

/// Stress of a point with the configurations of its virtual strain and of its derivative.
struct Stress {
    test: Mat3,
    trial: Mat3,
    /// Part of the stress in the stiffness of the initial stress: 0 in small strain.
    geometric: f64,
    response: Response,
    viscous: f64,
    /// Derivative of the stored energy by the free strain (J/m³).
    by_free: f64,
}

impl Element<'_> {
    fn dimension(&self) -> usize {
        self.cell.dimension()
    }

    pub(crate) fn integrate(&self, motion: &Motion<'_>, wanted: Wanted) -> Result<Integral, Fault> {
        let table = table(self.cell, Purpose::Stress);
        let n = self.cell.nodes() * self.dimension();
        let mut out = Integral {
            force: [0.0; MAX_DOFS],
            matrix: vec![0.0; if wanted == Wanted::Nothing { 0 } else { n * n }],
            history: vec![0.0; self.history.len()],
            energy: 0.0,
            dissipated: 0.0,
            viscous: 0.0,
            by_free: [0.0; MAX_NODES],
        };
        let slots = self.law.history_len();
        for (q, (shape, &weight)) in table.shapes.iter().zip(&table.rule.weights).enumerate() {
            let point = Point::new(self.cell, shape, weight, self.nodes, self.space).ok_or(Fault::Inverted(0.0))?;
            let range = q * slots..(q + 1) * slots;
            let stress = self.stress((&point, shape), motion, &self.history[range.clone()], &mut out.history[range])?;
            out.energy += point.volume * stress.response.energy;
            out.dissipated += point.volume * stress.response.dissipated;
            out.viscous += point.volume * stress.viscous;
            out.by_free.iter_mut().zip(&shape.value).for_each(|(sum, n)| *sum += point.volume * n * stress.by_free);
            self.add(&point, &stress, wanted, &mut out);
        }
        Ok(out)
    }

    fn stress(
        &self,
        (point, shape): (&Point, &Shape),
        motion: &Motion<'_>,
        old: &[f64],
        new: &mut [f64],
    ) -> Result<Stress, Fault> {
        let gradient = |u: &Local| point.gradient_of(&u[..self.cell.nodes() * self.dimension()], self.dimension());
        let respond = |e: &Voigt, new: &mut [f64]| self.law.respond(e, old, new).map_err(Fault::Material);
        let finite = self.law.finite;
        match motion {
            Motion::End { u, rate, free } => {
                let h = gradient(u);
                let f = configuration(&h, finite)?;
                let free = shape.value.iter().zip(*free).map(|(n, s)| n * s).sum();
                let (mut response, by_free) =
                    self.law.respond_swollen(&strain(&h, finite), free, old, new).map_err(Fault::Material)?;
                let mut viscous = 0.0;
                // rate of strain, its part of the stress, and the derivative of the two by the strain
                let of_velocity = |velocity: &Local, slope: f64| (virtual_strain(&f, &gradient(velocity)), 1.0, slope);
                let rate = match *rate {
                    None => None,
                    Some(Rate::Velocity(velocity, slope)) => Some(of_velocity(velocity, slope)),
                    Some(Rate::Begun(velocity)) => (!finite).then(|| of_velocity(velocity, 0.0)),
                    Some(Rate::Step { old, h: time, theta, .. }) if finite => {
                        let change = strain(&h, finite) - strain(&gradient(old), finite);
                        Some((change / time, 1.0 / theta, 1.0 / (time * theta)))
                    }
                    Some(Rate::Step { velocity, h: time, theta, .. }) => Some(of_velocity(velocity, 1.0 / (time * theta))),
                };
                if let (Some(v), Some((rate, part, slope))) = (&self.law.viscosity, rate) {
                    let stress = v * rate;
                    viscous = contract(&stress, &rate);
                    response.stress += stress * part;
                    response.tangent += v * slope;
                }
                Ok(Stress { test: f, trial: f, geometric: if finite { 1.0 } else { 0.0 }, response, viscous, by_free })
            }
            Motion::Mean { old: u0, new: u1, h } => {
                let (h0, h1) = (gradient(u0), gradient(u1));
                let trial = configuration(&h1, finite)?;
                let test = if finite { Mat3::identity() + 0.5 * (h0 + h1) } else { trial };
                let (e0, e1) = (strain(&h0, finite), strain(&h1, finite));
                let mut response = mean_response(&e0, &e1, self.law.section.material.is_linear(), |e| respond(e, new))?;
                let mut viscous = 0.0;
                if let Some(v) = &self.law.viscosity {
                    let rate = (e1 - e0) / *h;
                    let stress = v * rate;
                    viscous = contract(&stress, &rate);
                    response.stress += stress;
                    response.tangent += v / *h;
                }
                Ok(Stress { test, trial, geometric: if finite { 0.5 } else { 0.0 }, response, viscous, by_free: 0.0 })
            }
        }
    }

    fn add(&self, point: &Point, stress: &Stress, wanted: Wanted, out: &mut Integral) {
        let d = self.dimension();
        let n = self.cell.nodes() * d;
        let s = &stress.response.stress;
        let columns = |f: &Mat3| {
            let mut columns = [Voigt::zeros(); MAX_DOFS];
            for a in 0..self.cell.nodes() {
                for i in 0..d {
                    columns[a * d + i] = column(f, i, &point.gradient[a], point.hoop[a]);
                }
            }
            columns
        };
        let test = columns(&stress.test);
        for r in 0..n {
            out.force[r] += point.volume * test[r].dot(s);
        }
        if out.matrix.is_empty() {
            return;
        }
        let trial = columns(&stress.trial);
        let weighted = stress.response.tangent * point.volume;
        for c in 0..n {
            let image = weighted * trial[c];
            for r in 0..n {
                out.matrix[r * n + c] += test[r].dot(&image);
            }
        }
        let factor = stress.geometric * point.volume;
        if factor == 0.0 {
            return;
        }
        let tensor = Mat3::new(s[0], s[3], s[5], s[3], s[1], s[4], s[5], s[4], s[2]);
        let tensor = if wanted == Wanted::Definite { pulling(tensor) } else { tensor };
        for b in 0..self.cell.nodes() {
            let image = tensor * point.gradient[b] * factor;
            for a in 0..self.cell.nodes() {
                let value = point.gradient[a].dot(&image);
                (0..d).for_each(|i| out.matrix[(a * d + i) * n + b * d + i] += value);
                out.matrix[a * d * n + b * d] += factor * tensor[(2, 2)] * point.hoop[a] * point.hoop[b];
            }
        }
    }
}

/// The part of a stress that pulls.
fn pulling(stress: Mat3) -> Mat3 {
    let mut parts = stress.symmetric_eigen();
    parts.eigenvalues.iter_mut().for_each(|s| *s = s.max(0.0));
    parts.recompose()
}

/// I + ∇u, turned inside out nowhere; I in small strain.
fn configuration(h: &Mat3, finite: bool) -> Result<Mat3, Fault> {
    if !finite {
        return Ok(Mat3::identity());
    }
    let f = Mat3::identity() + h;
    let volume = f.determinant();
    if volume > 0.0 { Ok(f) } else { Err(Fault::Inverted(volume)) }
}

/// The strain of a displacement gradient.
pub(crate) fn strain(h: &Mat3, finite: bool) -> Voigt {
    let e = if finite { h + h.transpose() + h.tr_mul(h) } else { h + h.transpose() };
    Voigt::new(0.5 * e[(0, 0)], 0.5 * e[(1, 1)], 0.5 * e[(2, 2)], e[(0, 1)], e[(1, 2)], e[(2, 0)])
}

/// sym(Fᵀ δH).
fn virtual_strain(f: &Mat3, h: &Mat3) -> Voigt {
    let e = f.tr_mul(h);
    Voigt::new(e[(0, 0)], e[(1, 1)], e[(2, 2)], e[(0, 1)] + e[(1, 0)], e[(1, 2)] + e[(2, 1)], e[(2, 0)] + e[(0, 2)])
}

/// The same for one displacement component of one node.
fn column(f: &Mat3, i: usize, g: &Vec3, hoop: f64) -> Voigt {
    let (x, y, z) = (f[(i, 0)], f[(i, 1)], f[(i, 2)]);
    let around = if i == 0 { f[(2, 2)] * hoop } else { 0.0 };
    Voigt::new(x * g.x, y * g.y, z * g.z + around, x * g.y + y * g.x, y * g.z + z * g.y, z * g.x + x * g.z)
}

/// The stress of a step whose work is the change of stored energy: S(Ē) + (W₁ − W₀ − S(Ē)·ΔE)/|ΔE|² ΔE, Ē the mean strain, with
/// its derivative by the strain at the end. The second term is zero where stress is linear in strain.
fn mean_response(
    e0: &Voigt,
    e1: &Voigt,
    linear: bool,
    mut respond: impl FnMut(&Voigt) -> Result<Response, Fault>,
) -> Result<Response, Fault> {
    let end = respond(e1)?;
    let delta = e1 - e0;
    let mean = respond(&(0.5 * (e0 + e1)))?;
    let half = mean.tangent * 0.5;
    let scaled = delta.component_mul(&Voigt::from(TENSOR));
    let square = scaled.dot(&delta);
    if linear || square < SMALL_INCREMENT * SMALL_INCREMENT {
        return Ok(Response { stress: mean.stress, tangent: half, ..end });
    }
    let start = respond(e0)?;
    let work = if square < LARGE_INCREMENT * LARGE_INCREMENT {
        // of the stress along the straight way, beyond that of the mean strain: nothing in it cancels
        let mut work = 0.0;
        for (at, weight) in GAUSS.into_iter().flat_map(|(at, weight)| [(-at, weight), (at, weight)]) {
            let stress = respond(&(0.5 * (e0 + e1) + delta * (0.5 * at)))?.stress;
            work += 0.5 * weight * contract(&(stress - mean.stress), &delta);
        }
        work
    } else {
        end.energy - start.energy - contract(&mean.stress, &delta)
    };
    let factor = work / square;
    let slope = (end.stress - mean.stress - half * delta - scaled * (2.0 * factor)) / square;
    let tangent = half + Tangent::from_diagonal(&Voigt::from(TENSOR)) * factor + scaled * slope.transpose();
    Ok(Response { stress: mean.stress + scaled * factor, tangent, ..end })
}
