//! One contact after another, each solved exactly: the local solver works on a block per contact which is that of W or,
//! as fixed points do not depend on it, another one. No loop over sweeps here.

use crate::exact::LocalBlock;
use crate::local::block::{Block, Response};
use crate::local::prepared::PreparedProblem;
use crate::local::work;

/// One contact's block, turned to the frame that the exact local solver wants.
#[derive(Debug, Clone, Copy)]
pub(super) struct ExactContact {
    block: LocalBlock,
    cosine: f64,
    sine: f64,
}

impl ExactContact {
    /// From a symmetric block; `None` where no impulse acts.
    pub(super) fn new<const D: usize>(block: &Block<D>) -> Option<Self> {
        let mut full = [[0.0; 3]; 3];
        for i in 0..D {
            full[i][..D].copy_from_slice(&block[i]);
        }
        LocalBlock::prepare::<D>(&full).map(|(block, cosine, sine)| Self { block, cosine, sine })
    }

    /// The impulse that solves the contact, from the impulse `r` at which its velocity is `u`.
    pub(super) fn solve<const D: usize>(&self, friction: f64, r: &[f64; D], u: &[f64; D]) -> [f64; D] {
        work::count(work::LOCAL_SOLVE);
        let (u, old) = (turn(u, self.cosine, self.sine), turn(r, self.cosine, self.sine));
        let own = self.block.apply(&old);
        let free: [f64; D] = std::array::from_fn(|k| u[k] - own[k]);
        turn(&self.block.solve_coulomb(friction, &free), self.cosine, -self.sine)
    }
}

/// The blocks of all contacts.
#[derive(Debug, Clone)]
pub(in crate::local) struct Sweeper<const D: usize> {
    blocks: Vec<Option<ExactContact>>,
}

impl<const D: usize> Sweeper<D> {
    /// With the diagonal blocks of W.
    pub(in crate::local) fn new(problem: &PreparedProblem<D>) -> Self {
        Self::with_blocks(problem, |_, block| block)
    }

    /// With blocks made from the contact's index and its (symmetrised) diagonal block.
    pub(super) fn with_blocks(problem: &PreparedProblem<D>, make: impl Fn(usize, Block<D>) -> Block<D>) -> Self {
        let w = &problem.local().delassus;
        Self { blocks: (0..w.len()).map(|c| ExactContact::new(&make(c, symmetric(w.diagonal(c))))).collect() }
    }

    /// The impulse of contact `c`, solved exactly with all other impulses as they are in `r`.
    pub(super) fn solve(&self, problem: &PreparedProblem<D>, c: usize, r: &[[f64; D]], response: &Response) -> [f64; D] {
        let local = problem.local();
        self.blocks[c].map_or([0.0; D], |contact| contact.solve(local.friction[c], &r[c], &local.velocity(c, r, response)))
    }

    /// One sweep, forward.
    pub(in crate::local) fn sweep(&self, problem: &PreparedProblem<D>, r: &mut [[f64; D]]) {
        visit(problem, 0..self.blocks.len(), r, |c, r, response| self.solve(problem, c, r, response));
    }

    /// One sweep, backward.
    pub(in crate::local) fn sweep_back(&self, problem: &PreparedProblem<D>, r: &mut [[f64; D]]) {
        visit(problem, (0..self.blocks.len()).rev(), r, |c, r, response| self.solve(problem, c, r, response));
    }
}

/// Solves one contact after another, what the unknowns that all share do being carried along.
pub(super) fn visit<const D: usize>(
    problem: &PreparedProblem<D>,
    order: impl Iterator<Item = usize>,
    r: &mut [[f64; D]],
    solve: impl Fn(usize, &[[f64; D]], &Response) -> [f64; D],
) {
    let w = &problem.local().delassus;
    let mut response = w.response(r);
    for c in order {
        let new = solve(c, r, &response);
        w.follow(&mut response, c, &r[c], &new);
        r[c] = new;
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
