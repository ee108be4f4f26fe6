//! The factorised system of a body: diagonal, Cholesky, or LU where the matrix is not symmetric or not definite. Held unknowns
//! have the equation "change = 0".

use mpcd_sparse::{Cholesky, GeneralMatrix, Lu, Ordering, SparseError, SymmetricMatrix};

use crate::error::FemError;
use crate::model::Model;

/// Unknowns above which nested dissection is taken at once: minimum degree takes longer to find and fills more there.
const MANY: usize = 5000;

/// Kept between steps: patterns are analysed once.
#[derive(Debug, Default)]
pub(crate) struct Factor {
    cholesky: Option<Cholesky>,
    lu: Option<Lu>,
    diagonal: Vec<f64>,
    held: Vec<bool>,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Kind {
    #[default]
    None,
    Diagonal,
    Cholesky,
    Lu,
}

impl Factor {
    /// A diagonal matrix.
    pub(crate) fn diagonal(&mut self, matrix: &SymmetricMatrix, held: &[bool]) {
        self.diagonal = (0..matrix.size()).map(|i| if held[i] { 1.0 } else { matrix.diagonal(i) }).collect();
        self.held = held.to_vec();
        self.kind = Kind::Diagonal;
    }

    /// A symmetric matrix that must be positive definite.
    pub(crate) fn symmetric(&mut self, model: &Model, mut matrix: SymmetricMatrix, held: &[bool]) -> Result<(), FemError> {
        self.kind = Kind::None;
        let known: Vec<Option<f64>> = held.iter().map(|h| h.then_some(0.0)).collect();
        let wrap = |source| fault(model, source);
        matrix.hold(&known, &mut vec![0.0; held.len()]).map_err(wrap)?;
        let cholesky = match &mut self.cholesky {
            Some(cholesky) => cholesky,
            none => {
                let block = model.dimension();
                let ordering = if matrix.size() > MANY { Ordering::NestedDissection { block } } else { Ordering::Automatic };
                none.insert(Cholesky::analyse_with(matrix.pattern(), ordering).map_err(wrap)?)
            }
        };
        cholesky.factorise(&matrix).map_err(wrap)?;
        self.held = held.to_vec();
        self.kind = Kind::Cholesky;
        Ok(())
    }

    /// Any regular matrix.
    pub(crate) fn general(&mut self, model: &Model, mut matrix: GeneralMatrix, held: &[bool]) -> Result<(), FemError> {
        self.kind = Kind::None;
        let wrap = |source| fault(model, source);
        matrix.isolate(held).map_err(wrap)?;
        let lu = match &mut self.lu {
            Some(lu) => lu,
            none => none.insert(Lu::analyse(matrix.pattern()).map_err(wrap)?),
        };
        lu.factorise(&matrix).map_err(wrap)?;
        self.held = held.to_vec();
        self.kind = Kind::Lu;
        Ok(())
    }

    /// A symmetric matrix that may be indefinite: away from balance the tangent of a large motion can be.
    pub(crate) fn indefinite(&mut self, model: &Model, matrix: SymmetricMatrix, held: &[bool]) -> Result<(), FemError> {
        let wrap = |source| fault(model, source);
        let kept = matrix.clone();
        match self.symmetric(model, matrix, held) {
            Err(FemError::Free { .. }) => {
                let mut general = GeneralMatrix::zeros(model.pattern().general().map_err(wrap)?);
                general.add_symmetric(1.0, &kept).map_err(wrap)?;
                self.general(model, general, held)
            }
            other => other,
        }
    }

    /// Replaces impulses (or forces) by changes of velocity (or displacement); those of held unknowns become 0. Several columns
    /// may follow each other.
    pub(crate) fn solve(&mut self, model: &Model, columns: &mut [f64]) -> Result<(), FemError> {
        let n = self.held.len();
        if n == 0 {
            return Err(fault(model, SparseError::NotFactorised));
        }
        for (k, x) in columns.iter_mut().enumerate() {
            if self.held[k % n] {
                *x = 0.0;
            }
        }
        let result = match (self.kind, &mut self.cholesky, &mut self.lu) {
            (Kind::Diagonal, ..) => {
                columns.iter_mut().enumerate().for_each(|(k, x)| *x /= self.diagonal[k % n]);
                Ok(())
            }
            (Kind::Cholesky, Some(cholesky), _) if columns.len() == n => cholesky.solve_in_place(columns),
            (Kind::Cholesky, Some(cholesky), _) => cholesky.solve_columns_in_place(columns),
            (Kind::Lu, _, Some(lu)) => columns.chunks_mut(n).try_for_each(|x| lu.solve_in_place(x)),
            _ => Err(SparseError::NotFactorised),
        };
        result.map_err(|source| fault(model, source))
    }
}

/// A sparse fault with the node it is about.
pub(crate) fn fault(model: &Model, source: SparseError) -> FemError {
    let file = model.mesh().name().to_owned();
    let (SparseError::NotPositiveDefinite { row, .. } | SparseError::Singular { row, .. }) = source else {
        return FemError::Solve { file, source };
    };
    let d = model.dimension();
    let instability = if model.is_linear() { "" } else { " (or it is at a limit of stability: take smaller steps, or dynamics)" };
    FemError::Free { file, node: model.mesh().node_label(row / d), axis: ['x', 'y', 'z'][row % d], instability }
}
