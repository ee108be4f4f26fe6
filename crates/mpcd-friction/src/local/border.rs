//! Unknowns that every contact sees (the rate of a moving cell), kept beside the blocks of W and not multiplied out: `W = S + B A Bᵀ`, S by
//! blocks, B with a row of blocks per contact, A diagonal. Products with W then cost what those with S cost. No solver here.

use super::block::Block;

/// Unknowns at most.
pub(super) const AXES: usize = 3;

/// B and A.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Border<const D: usize> {
    /// A: inverse masses, zero for an unknown that is none.
    inverse: [f64; AXES],
    /// Per contact, its velocity for a unit of each unknown.
    levers: Vec<[[f64; D]; AXES]>,
    /// Diagonal blocks of W.
    diagonal: Vec<Block<D>>,
}

impl<const D: usize> Border<D> {
    /// Beside the diagonal blocks of S.
    pub(super) fn new<'a>(
        inverse: [f64; AXES],
        levers: Vec<[[f64; D]; AXES]>,
        diagonal: impl IntoIterator<Item = &'a Block<D>>,
    ) -> Self {
        let mut border = Self { inverse, levers, diagonal: Vec::new() };
        border.diagonal = diagonal.into_iter().enumerate().map(|(c, own)| border.add_to(*own, c, c)).collect();
        border
    }

    pub(super) fn diagonal(&self, contact: usize) -> &Block<D> {
        &self.diagonal[contact]
    }

    /// What the unknowns add to the block of two contacts.
    pub(super) fn add_to(&self, mut block: Block<D>, row: usize, column: usize) -> Block<D> {
        for ((inverse, a), b) in self.inverse.iter().zip(&self.levers[row]).zip(&self.levers[column]) {
            for i in 0..D {
                let left = a[i] * inverse;
                for j in 0..D {
                    block[i][j] += left * b[j];
                }
            }
        }
        block
    }

    /// `A Bᵀ x`: velocities of the unknowns.
    pub(super) fn response(&self, x: &[[f64; D]]) -> [f64; AXES] {
        let mut sum = [0.0; AXES];
        for (contact, x) in x.iter().enumerate() {
            self.follow(&mut sum, contact, x);
        }
        sum
    }

    /// Adds the impulse `x` of one contact to a response.
    #[inline]
    pub(super) fn follow(&self, response: &mut [f64; AXES], contact: usize, x: &[f64; D]) {
        for ((sum, inverse), lever) in response.iter_mut().zip(&self.inverse).zip(&self.levers[contact]) {
            *sum += inverse * (0..D).map(|k| lever[k] * x[k]).sum::<f64>();
        }
    }

    /// Adds `B v` at one contact.
    #[inline]
    pub(super) fn add_velocity(&self, u: &mut [f64; D], contact: usize, response: &[f64; AXES]) {
        for (v, lever) in response.iter().zip(&self.levers[contact]) {
            for k in 0..D {
                u[k] += lever[k] * v;
            }
        }
    }

    /// Whether a contact sees an unknown.
    pub(super) fn reaches(&self, contact: usize) -> bool {
        self.inverse.iter().zip(&self.levers[contact]).any(|(inverse, lever)| *inverse > 0.0 && lever.iter().any(|x| *x != 0.0))
    }

    /// Its numbers.
    pub(super) fn values(&self) -> impl Iterator<Item = f64> + '_ {
        self.inverse.iter().chain(self.levers.iter().flatten().flatten()).copied()
    }

    /// On some contacts.
    pub(super) fn restrict(&self, contacts: &[usize]) -> Self {
        let (levers, diagonal) = contacts.iter().map(|&c| (self.levers[c], self.diagonal[c])).unzip();
        Self { inverse: self.inverse, levers, diagonal }
    }
}
