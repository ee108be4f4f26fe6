//! The matrix C + hθ(L + films + radiation's slope) with its factorisation and its preconditioner, refilled in place as long
//! as the links join the same nodes. No physics beyond that sum.

use mpcd_sparse::{
    CgParams, CgWorkspace, Cholesky, IncompleteCholesky, SparseError, SymmetricMatrix, SymmetricPattern, reduce, solve_cg,
};

use super::Method;
use crate::network::HeatNetwork;

/// Matrix of the free nodes; the others have the row 1.
#[derive(Debug)]
pub(crate) struct Matrix {
    values: SymmetricMatrix,
    cholesky: Option<Cholesky>,
    preconditioner: Option<IncompleteCholesky>,
    workspace: CgWorkspace,
    /// The list of zeros where the change is known.
    fixed: Vec<Option<f64>>,
    unused: Vec<f64>,
}

impl Matrix {
    /// Fills the values, in `slot` if it has a matrix of the same links. `weight` is hθ [s], `hot` the temperature of a node [K].
    pub(crate) fn fill<'a>(
        slot: &'a mut Option<Self>,
        network: &HeatNetwork,
        weight: f64,
        hot: impl Fn(usize) -> f64,
    ) -> Result<&'a mut Self, SparseError> {
        let edges = || network.links.iter().map(|l| l.ends);
        let n = network.nodes.len();
        let kept = slot.take().filter(|m| {
            let pattern = m.values.pattern();
            pattern.size() == n && pattern.edges().iter().copied().eq(edges())
        });
        let mut matrix = match kept {
            Some(matrix) => matrix,
            None => Self::new(n, &edges().collect::<Vec<_>>())?,
        };
        let values = &mut matrix.values;
        values.clear();
        network.links.iter().enumerate().for_each(|(edge, l)| values.add_conductance(edge, weight * l.conductance));
        network.films.iter().for_each(|f| values.add_diagonal(f.node, weight * f.conductance));
        for r in &network.radiation {
            // a node below absolute zero during Newton does not radiate
            values.add_diagonal(r.node, weight * 4.0 * r.strength * hot(r.node).max(0.0).powi(3));
        }
        matrix.fixed.clear();
        for node in 0..n {
            let capacity = network.capacity(node);
            matrix.fixed.push(if capacity.is_some() { None } else { Some(0.0) });
            matrix.values.add_diagonal(node, capacity.unwrap_or(0.0));
        }
        matrix.values.hold(&matrix.fixed, &mut matrix.unused)?;
        Ok(slot.insert(matrix))
    }

    fn new(nodes: usize, edges: &[(usize, usize)]) -> Result<Self, SparseError> {
        Ok(Self {
            values: SymmetricMatrix::zeros(&SymmetricPattern::from_edges(nodes, edges)?),
            cholesky: None,
            preconditioner: None,
            workspace: CgWorkspace::default(),
            fixed: Vec::new(),
            unused: vec![0.0; nodes],
        })
    }

    /// Factorises, or makes the preconditioner.
    pub(crate) fn prepare(&mut self, method: Method) -> Result<(), SparseError> {
        match method {
            Method::Auto | Method::Cholesky => {
                let mut cholesky = match self.cholesky.take() {
                    Some(cholesky) => cholesky,
                    None => Cholesky::analyse(self.values.pattern())?,
                };
                let result = cholesky.factorise(&self.values);
                self.cholesky = Some(cholesky);
                result
            }
            Method::ConjugateGradients => match &mut self.preconditioner {
                Some(preconditioner) => preconditioner.update(&self.values),
                none => IncompleteCholesky::new(&self.values).map(|p| *none = Some(p)),
            },
        }
    }

    /// Solves for `x`, by conjugate gradients until Σ|r| is about `wanted`, at most 8 digits at a time; returns the iterations.
    pub(crate) fn solve(
        &mut self,
        method: Method,
        rhs: &[f64],
        x: &mut [f64],
        wanted: f64,
        most: u64,
    ) -> Result<u64, SparseError> {
        if method != Method::ConjugateGradients {
            x.copy_from_slice(rhs);
            self.cholesky.as_mut().ok_or(SparseError::NotFactorised)?.solve_in_place(x)?;
            return Ok(1);
        }
        let preconditioner = self.preconditioner.as_ref().ok_or(SparseError::NotFactorised)?;
        x.fill(0.0);
        // Σ|r| ≤ √n ‖r‖
        #[expect(clippy::cast_precision_loss, reason = "a number of nodes")]
        let relative = 0.5 * wanted / ((rhs.len() as f64).sqrt() * reduce::norm(rhs)).max(f64::MIN_POSITIVE);
        let params =
            CgParams { tolerance: relative.clamp(1e-8, 0.1), max_iterations: usize::try_from(most).unwrap_or(usize::MAX) };
        let report = solve_cg(&self.values, rhs, x, preconditioner, params, &mut self.workspace)?;
        Ok(report.iterations.max(1) as u64)
    }
}
