//! One contact after another, each solved exactly: the local solver works on a block per contact which is that of W or,
//! as fixed points do not depend on it, another one. No loop over sweeps here.

use crate::exact::LocalBlock;
use crate::local::block::Block;
use crate::local::prepared::PreparedProblem;

/// The blocks, each turned to the frame the exact local solver wants.
#[derive(Debug, Clone)]
pub(in crate::local) struct Sweeper<const D: usize> {
    blocks: Vec<Option<(LocalBlock, f64, f64)>>,
}

impl<const D: usize> Sweeper<D> {
    /// With the diagonal blocks of W.
    pub(in crate::local) fn new(problem: &PreparedProblem<D>) -> Self {
        Self::with_blocks(problem, |_, block| block)
    }

    /// With blocks made from the contact's index and its (symmetrised) diagonal block.
    pub(super) fn with_blocks(problem: &PreparedProblem<D>, make: impl Fn(usize, Block<D>) -> Block<D>) -> Self {
        let w = &problem.local().delassus;
        let blocks = (0..w.len())
            .map(|c| {
                let block = make(c, symmetric(w.diagonal(c)));
                let mut full = [[0.0; 3]; 3];
                for i in 0..D {
                    full[i][..D].copy_from_slice(&block[i]);
                }
                LocalBlock::prepare::<D>(&full)
            })
            .collect();
        Self { blocks }
    }

    /// The impulse of contact `c`, solved exactly with all other impulses as they are in `r`.
    pub(super) fn solve(&self, problem: &PreparedProblem<D>, c: usize, r: &[[f64; D]]) -> [f64; D] {
        let Some((block, cosine, sine)) = &self.blocks[c] else { return [0.0; D] };
        let local = problem.local();
        let mut q = local.delassus.row_product(c, r);
        for k in 0..D {
            q[k] += local.free_velocity[c][k];
        }
        let (q, old) = (turn(&q, *cosine, *sine), turn(&r[c], *cosine, *sine));
        let own = block.apply(&old);
        let free: [f64; D] = std::array::from_fn(|k| q[k] - own[k]);
        let new = block.solve_coulomb(local.friction[c], &free);
        turn(&new, *cosine, -*sine)
    }

    /// One sweep, forward.
    pub(in crate::local) fn sweep(&self, problem: &PreparedProblem<D>, r: &mut [[f64; D]]) {
        for c in 0..self.blocks.len() {
            r[c] = self.solve(problem, c, r);
        }
    }

    /// One sweep, backward.
    pub(in crate::local) fn sweep_back(&self, problem: &PreparedProblem<D>, r: &mut [[f64; D]]) {
        for c in (0..self.blocks.len()).rev() {
            r[c] = self.solve(problem, c, r);
        }
    }
}

/// The symmetric part.
pub(super) fn symmetric<const D: usize>(block: &Block<D>) -> Block<D> {
    std::array::from_fn(|i| std::array::from_fn(|j| 0.5 * (block[i][j] + block[j][i])))
}

/// Tangents turned: `t' = c t + s_ s`, `s' = −s_ t + c s`.
#[inline]
fn turn<const D: usize>(x: &[f64; D], cosine: f64, sine: f64) -> [f64; D] {
    let mut y = *x;
    if D == 3 {
        y[1] = cosine * x[1] + sine * x[2];
        y[2] = cosine * x[2] - sine * x[1];
    }
    y
}
