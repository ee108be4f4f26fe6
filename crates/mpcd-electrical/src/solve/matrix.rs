//! The conductance matrix of a network with its factorisation and its preconditioner, refilled in place as long as the
//! branches join the same nodes. No physics.

use mpcd_sparse::{
    CgParams, CgWorkspace, Cholesky, IncompleteCholesky, SparseError, SymmetricMatrix, SymmetricPattern, reduce, solve_cg,
};

use crate::network::ResistorNetwork;

/// Matrix of the unknown potentials: known ones have the row 1.
#[derive(Debug)]
pub(crate) struct Matrix {
    values: SymmetricMatrix,
    cholesky: Option<Cholesky>,
    preconditioner: Option<IncompleteCholesky>,
    workspace: CgWorkspace,
    /// The list of zeros where potentials are known, for corrections.
    fixed: Vec<Option<f64>>,
    unused: Vec<f64>,
}

impl Matrix {
    /// Fills the values, in `slot` if it has a matrix of the same branches.
    pub(crate) fn fill<'a>(
        slot: &'a mut Option<Self>,
        network: &ResistorNetwork,
        known: &[Option<f64>],
    ) -> Result<&'a mut Self, SparseError> {
        let edges = || network.branches.iter().map(|b| b.ends).filter(|(i, j)| i != j);
        let kept = slot.take().filter(|m| {
            let pattern = m.values.pattern();
            pattern.size() == network.nodes() && pattern.edges().iter().copied().eq(edges())
        });
        let mut matrix = match kept {
            Some(matrix) => matrix,
            None => Self::new(network.nodes(), &edges().collect::<Vec<_>>())?,
        };
        matrix.values.clear();
        let conductances = network.branches.iter().filter(|b| b.ends.0 != b.ends.1).map(|b| b.conductance);
        conductances.enumerate().for_each(|(edge, c)| matrix.values.add_conductance(edge, c));
        matrix.fixed.clear();
        matrix.fixed.extend(known.iter().map(|k| k.map(|_| 0.0)));
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

    /// The factorisation, analysed once per pattern.
    pub(crate) fn analysed(&mut self) -> Result<&mut Cholesky, SparseError> {
        let cholesky = match self.cholesky.take() {
            Some(cholesky) => cholesky,
            None => Cholesky::analyse(self.values.pattern())?,
        };
        Ok(self.cholesky.insert(cholesky))
    }

    pub(crate) fn factorise(&mut self) -> Result<(), SparseError> {
        self.analysed()?;
        let values = &self.values;
        self.cholesky.as_mut().map_or(Err(SparseError::NotFactorised), |c| c.factorise(values))
    }

    /// Replaces a right-hand side by the solution.
    pub(crate) fn solve(&mut self, rhs: &mut [f64]) -> Result<(), SparseError> {
        self.cholesky.as_mut().ok_or(SparseError::NotFactorised)?.solve_in_place(rhs)
    }

    pub(crate) fn precondition(&mut self) -> Result<(), SparseError> {
        match &mut self.preconditioner {
            Some(preconditioner) => preconditioner.update(&self.values),
            none => IncompleteCholesky::new(&self.values).map(|p| *none = Some(p)),
        }
    }

    /// Conjugate gradients from 0 until Σ|r| is about `wanted`, at most 8 digits at a time; returns the iterations.
    pub(crate) fn iterate(&mut self, rhs: &[f64], x: &mut [f64], wanted: f64, most: u64) -> Result<u64, SparseError> {
        let preconditioner = self.preconditioner.as_ref().ok_or(SparseError::NotFactorised)?;
        x.fill(0.0);
        // Σ|r| ≤ √n ‖r‖
        #[expect(clippy::cast_precision_loss, reason = "a number of nodes")]
        let relative = 0.5 * wanted / ((rhs.len() as f64).sqrt() * reduce::norm(rhs)).max(f64::MIN_POSITIVE);
        let params =
            CgParams { tolerance: relative.clamp(1e-8, 0.1), max_iterations: usize::try_from(most).unwrap_or(usize::MAX) };
        let report = solve_cg(&self.values, rhs, x, preconditioner, params, &mut self.workspace)?;
        Ok(report.iterations as u64)
    }
}
