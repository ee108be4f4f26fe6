//! Contacts with springs in parallel as contacts without: `r = r_c − D(δ + h u)` put into `u = W r + q` gives `u = W′ r_c + q′` with
//! `W′ = (I + W S)⁻¹ W`, `q′ = (I + W S)⁻¹ (q − W D δ)`, `S = h D`. W′ is dense: springs join what they hold.

use nalgebra::{DMatrix, DVector};

use super::block::{Block, BlockMatrix};
use super::prepared::PreparedProblem;
use super::problem::{LocalError, LocalProblem};
use crate::law::Springs;

/// Springs beside the contacts of a problem, none where they are zero.
#[derive(Debug, Clone)]
pub(crate) struct Sprung<const D: usize> {
    /// D, δ and h by contact.
    stiffness: Vec<[f64; D]>,
    opening: Vec<[f64; D]>,
    h: f64,
}

impl<const D: usize> Sprung<D> {
    pub(super) fn new(springs: &[(usize, Springs)], contacts: usize) -> Self {
        let (mut stiffness, mut opening) = (vec![[0.0; D]; contacts], vec![[0.0; D]; contacts]);
        for (contact, own) in springs {
            stiffness[*contact] = std::array::from_fn(|k| own.stiffness[k]);
            opening[*contact] = std::array::from_fn(|k| own.opening[k]);
        }
        Self { stiffness, opening, h: springs.first().map_or(1.0, |s| s.1.h) }
    }

    /// The problem of the contacts alone. Their law has the velocity u + (δ_n/h) n.
    ///
    /// # Errors
    /// As [`PreparedProblem::new`], and where numbers cease to be finite.
    pub(crate) fn taken_out(&self, whole: &LocalProblem<D>) -> Result<PreparedProblem<D>, LocalError> {
        let n = D * whole.contacts();
        let mut w = DMatrix::zeros(n, n);
        for (i, j, value) in whole.delassus.entries() {
            w[(i, j)] = value;
        }
        let mut free = whole.free_velocity.clone();
        let pull: Vec<[f64; D]> = self.pull();
        let mut moved = vec![[0.0; D]; whole.contacts()];
        whole.delassus.multiply(&pull, &mut moved);
        for (q, moved) in free.iter_mut().zip(moved) {
            (0..D).for_each(|k| q[k] -= moved[k]);
        }
        let roots: Vec<(usize, f64)> = self.stiffness.as_flattened().iter().map(|d| (self.h * d).sqrt()).enumerate().collect();
        let held: Vec<(usize, f64)> = roots.into_iter().filter(|(_, root)| *root > 0.0).collect();
        // I + S½ W S½ = L Lᵀ, Y = L⁻¹ S½ W: W′ = W − Yᵀ Y, q′ = q − Yᵀ L⁻¹ S½ q
        let rows = DMatrix::from_fn(held.len(), n, |i, j| held[i].1 * w[(held[i].0, j)]);
        let system = DMatrix::from_fn(held.len(), held.len(), |i, j| {
            let unit = f64::from(u8::from(i == j));
            unit + 0.5 * (rows[(i, held[j].0)] * held[j].1 + rows[(j, held[i].0)] * held[i].1)
        });
        let singular = || LocalError::NotFinite { what: "W", index: 0 };
        let lower = system.cholesky().ok_or_else(singular)?.unpack();
        let y = lower.solve_lower_triangular(&rows).ok_or_else(singular)?;
        let pulled = DVector::from_iterator(held.len(), held.iter().map(|(row, root)| root * free.as_flattened()[*row]));
        let pulled = lower.solve_lower_triangular(&pulled).ok_or_else(singular)?;
        let across = y.transpose();
        let taken = &across * pulled;
        w -= across * y;
        let block = |a: usize, b: usize| -> Block<D> {
            std::array::from_fn(|i| std::array::from_fn(|j| 0.5 * (w[(D * a + i, D * b + j)] + w[(D * b + j, D * a + i)])))
        };
        let contacts = whole.contacts();
        let delassus = BlockMatrix::from_rows((0..contacts).map(|a| (0..contacts).map(|b| (b, block(a, b))).collect()));
        for (contact, q) in free.iter_mut().enumerate() {
            (0..D).for_each(|k| q[k] -= taken[D * contact + k]);
            if self.stiffness[contact] != [0.0; D] {
                q[0] += self.opening[contact][0] / self.h;
            }
        }
        PreparedProblem::new(LocalProblem { delassus, free_velocity: free, friction: whole.friction.clone() }, None)
    }

    /// D δ.
    fn pull(&self) -> Vec<[f64; D]> {
        let product = |(d, o): (&[f64; D], &[f64; D])| std::array::from_fn(|k| d[k] * o[k]);
        self.stiffness.iter().zip(&self.opening).map(product).collect()
    }

    /// The contacts' part of whole impulses.
    pub(crate) fn own(&self, whole: &LocalProblem<D>, r: &[[f64; D]]) -> Vec<[f64; D]> {
        let u = whole.velocities(r);
        self.with(r, &u, 1.0)
    }

    /// The whole impulses of those of the contacts, `prepared` being what came of [`Self::taken_out`].
    pub(crate) fn whole(&self, prepared: &LocalProblem<D>, r: &[[f64; D]]) -> Vec<[f64; D]> {
        let mut u = prepared.velocities(r);
        for (contact, u) in u.iter_mut().enumerate() {
            if self.stiffness[contact] != [0.0; D] {
                u[0] -= self.opening[contact][0] / self.h;
            }
        }
        self.with(r, &u, -1.0)
    }

    /// r ± D(δ + h u).
    fn with(&self, r: &[[f64; D]], u: &[[f64; D]], sign: f64) -> Vec<[f64; D]> {
        let at = |c: usize, k: usize| r[c][k] + sign * self.stiffness[c][k] * (self.opening[c][k] + self.h * u[c][k]);
        (0..r.len()).map(|c| std::array::from_fn(|k| at(c, k))).collect()
    }
}
