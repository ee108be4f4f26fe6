//! The local problem as plain data: `u = W r + q`, one Coulomb cone per contact (PHYSICS §3); its checks.
//!
//! Errors are for what cannot be posed, warnings for what is solved but deserves a word.

use super::block::{BlockMatrix, Response};
use super::spectrum::extreme_eigenvalues;
use crate::Cone;

/// Why a stored problem cannot be handed to a solver.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LocalError {
    /// Two sizes do not belong together.
    #[error("{what} has {found} entries, expected {expected}; check that all arrays come from one problem")]
    Size {
        /// Which array.
        what: &'static str,
        /// Its length.
        found: usize,
        /// The length that fits the others.
        expected: usize,
    },
    /// A number is NaN or infinite.
    #[error("{what}: entry {index} is not finite; the code that wrote the problem divided by zero or overflowed")]
    NotFinite {
        /// Which array.
        what: &'static str,
        /// Index of the entry.
        index: usize,
    },
    /// A friction coefficient is negative.
    #[error("contact {contact}: friction coefficient {friction} is negative; expected zero or more")]
    NegativeFriction {
        /// Index of the contact.
        contact: usize,
        /// The coefficient.
        friction: f64,
    },
    /// A diagonal entry of W in the normal direction is negative.
    #[error("contact {contact}: W_nn = {value:e} is negative; a Delassus operator is positive semi-definite, so W is wrong")]
    NegativeDiagonal {
        /// Index of the contact.
        contact: usize,
        /// The entry.
        value: f64,
    },
    /// The mass matrix cannot be inverted.
    #[error("the mass matrix is singular in the group of unknowns that holds unknown {unknown}; give every moving body a mass")]
    SingularMass {
        /// An unknown of the singular part.
        unknown: usize,
    },
    /// An index of a matrix points outside it.
    #[error("{what}: index ({row}, {column}) is outside a {rows} × {columns} matrix")]
    IndexOutOfRange {
        /// Which matrix.
        what: &'static str,
        /// Row of the entry.
        row: usize,
        /// Column of the entry.
        column: usize,
        /// Rows of the matrix.
        rows: usize,
        /// Columns of the matrix.
        columns: usize,
    },
    /// A direct method was given more than it can hold.
    #[error(
        "{solver}: the problem has {found} complementary pairs, at most {most} are taken; use an iterative solver, such as `auto`"
    )]
    TooLarge {
        /// Name of the solver.
        solver: &'static str,
        /// Pairs of the problem.
        found: usize,
        /// Pairs that the solver takes.
        most: usize,
    },
    /// No solver has this name.
    #[error("no solver `{name}`{hint}; known: {known}")]
    UnknownSolver {
        /// The name asked for.
        name: String,
        /// A near name, or nothing.
        hint: String,
        /// All names.
        known: String,
    },
}

/// What a check found that does not forbid solving.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum LocalWarning {
    /// W is not symmetric: largest difference relative to the largest entry.
    Unsymmetric {
        /// Relative asymmetry.
        relative: f64,
    },
    /// W has a negative eigenvalue: estimate of λ_min/λ_max.
    Indefinite {
        /// λ_min/λ_max.
        relative: f64,
    },
    /// A contact on which no impulse acts (its block of W is zero).
    Immovable {
        /// Index of the contact.
        contact: usize,
    },
    /// The mass matrix was stored as its upper triangle and has been completed.
    MirroredMass,
    /// The mass matrix is not symmetric: largest difference relative to the largest entry.
    UnsymmetricMass {
        /// Relative asymmetry.
        relative: f64,
    },
    /// The mass matrix has a negative eigenvalue: estimate of λ_min/λ_max.
    IndefiniteMass {
        /// λ_min/λ_max.
        relative: f64,
    },
}

impl std::fmt::Display for LocalWarning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unsymmetric { relative } => {
                write!(f, "W is not symmetric (relative difference {relative:.1e}); it is used as it stands")
            }
            Self::Indefinite { relative } => {
                write!(f, "W has a negative eigenvalue (λ_min/λ_max ≈ {relative:.1e}); a solution may not exist")
            }
            Self::Immovable { contact } => write!(f, "contact {contact}: its block of W is zero, no impulse moves it"),
            Self::UnsymmetricMass { relative } => {
                write!(f, "M is not symmetric (relative difference {relative:.1e}); it is used as it stands")
            }
            Self::IndefiniteMass { relative } => {
                write!(
                    f,
                    "M has a negative eigenvalue (λ_min/λ_max ≈ {relative:.1e}): it is no mass matrix; a solution may not exist"
                )
            }
            Self::MirroredMass => f.write_str("M was stored as its upper triangle without a flag; the lower one has been added"),
        }
    }
}

/// Asymmetry above rounding that is worth a word.
pub(super) const ASYMMETRY: f64 = 1e-12;
/// Negative eigenvalue relative to the largest one that is worth a word.
pub(super) const INDEFINITE: f64 = 1e-9;

/// A frictional contact problem in local form, contact dimension `D` = 2 or 3.
#[derive(Debug, Clone, PartialEq)]
pub struct LocalProblem<const D: usize> {
    /// Delassus operator W (kg⁻¹), one block row per contact.
    pub delassus: BlockMatrix<D>,
    /// Free velocities q (m/s), normal first.
    pub free_velocity: Vec<[f64; D]>,
    /// Friction coefficients μ ≥ 0.
    pub friction: Vec<f64>,
}

impl<const D: usize> LocalProblem<D> {
    /// Number of contacts.
    #[must_use]
    pub fn contacts(&self) -> usize {
        self.friction.len()
    }

    /// The cone of a contact.
    #[must_use]
    pub fn cone(&self, contact: usize) -> Cone {
        Cone::coulomb(self.friction[contact])
    }

    /// Velocities `u = W r + q`.
    #[must_use]
    pub fn velocities(&self, r: &[[f64; D]]) -> Vec<[f64; D]> {
        let mut u = vec![[0.0; D]; self.contacts()];
        self.velocities_into(r, &mut u);
        u
    }

    /// Velocities `u = W r + q`, into memory of the caller.
    pub fn velocities_into(&self, r: &[[f64; D]], u: &mut [[f64; D]]) {
        let response = self.delassus.response(r);
        for (contact, value) in u.iter_mut().enumerate() {
            *value = self.velocity(contact, r, &response);
        }
    }

    /// Velocity of one contact, given what the shared unknowns do for `r`.
    pub(super) fn velocity(&self, contact: usize, r: &[[f64; D]], response: &Response) -> [f64; D] {
        let mut sum = self.delassus.row_with(contact, r, response);
        for k in 0..D {
            sum[k] += self.free_velocity[contact][k];
        }
        sum
    }

    /// Checks sizes, finiteness, friction coefficients and the normal diagonal of W.
    ///
    /// # Errors
    /// The first thing found that forbids solving.
    pub fn check(&self) -> Result<(), LocalError> {
        let contacts = self.contacts();
        for (what, found) in [("W (block rows)", self.delassus.len()), ("q (contacts)", self.free_velocity.len())] {
            if found != contacts {
                return Err(LocalError::Size { what, found, expected: contacts });
            }
        }
        finite("W", self.delassus.values())?;
        finite("q", self.free_velocity.iter().flatten().copied())?;
        check_friction(&self.friction)?;
        for contact in 0..contacts {
            let value = self.delassus.diagonal(contact)[0][0];
            if value < 0.0 {
                return Err(LocalError::NegativeDiagonal { contact, value });
            }
        }
        Ok(())
    }

    /// What deserves a word though it does not forbid solving: asymmetry, negative eigenvalues, immovable contacts.
    #[must_use]
    pub fn warnings(&self) -> Vec<LocalWarning> {
        let mut warnings = Vec::new();
        let relative = self.delassus.asymmetry();
        if relative > ASYMMETRY {
            warnings.push(LocalWarning::Unsymmetric { relative });
        }
        let (low, high) = extreme_eigenvalues(&self.delassus);
        if high > 0.0 && low < -INDEFINITE * high {
            warnings.push(LocalWarning::Indefinite { relative: low / high });
        }
        for contact in 0..self.contacts() {
            if self.delassus.diagonal(contact).iter().flatten().all(|v| *v == 0.0) {
                warnings.push(LocalWarning::Immovable { contact });
            }
        }
        warnings
    }

    /// The part of the problem on some contacts, in the order given, all other impulses zero.
    #[must_use]
    pub fn restrict(&self, contacts: &[usize]) -> Self {
        Self {
            delassus: self.delassus.restrict(contacts),
            free_velocity: contacts.iter().map(|&c| self.free_velocity[c]).collect(),
            friction: contacts.iter().map(|&c| self.friction[c]).collect(),
        }
    }
}

/// Checks that all numbers are finite.
pub(super) fn finite(what: &'static str, values: impl Iterator<Item = f64>) -> Result<(), LocalError> {
    match values.enumerate().find(|(_, v)| !v.is_finite()) {
        Some((index, _)) => Err(LocalError::NotFinite { what, index }),
        None => Ok(()),
    }
}

/// Checks that all friction coefficients are finite and not negative.
pub(super) fn check_friction(friction: &[f64]) -> Result<(), LocalError> {
    finite("mu", friction.iter().copied())?;
    match friction.iter().enumerate().find(|(_, mu)| **mu < 0.0) {
        Some((contact, &friction)) => Err(LocalError::NegativeFriction { contact, friction }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    fn one_contact(w: [[f64; 3]; 3]) -> LocalProblem<3> {
        let entries = (0..9).map(|k| (k / 3, k % 3, w[k / 3][k % 3]));
        LocalProblem {
            delassus: BlockMatrix::from_entries(1, entries),
            free_velocity: vec![[-1.0, 0.8, 0.6]],
            friction: vec![0.5],
        }
    }

    #[test]
    fn checks_name_what_is_wrong() {
        let good = one_contact([[15.0, -1.0, -2.0], [-1.0, 14.0, 1.0], [-2.0, 1.0, 16.0]]);
        good.check().unwrap();
        assert!(good.warnings().is_empty());

        let mut bad = good.clone();
        bad.friction[0] = -0.1;
        assert_eq!(
            bad.check().unwrap_err().to_string(),
            "contact 0: friction coefficient -0.1 is negative; expected zero or more"
        );
        bad.friction = vec![0.1, 0.1];
        assert!(bad.check().unwrap_err().to_string().starts_with("W (block rows) has 1 entries, expected 2"));
        let mut nan = good.clone();
        nan.free_velocity[0][2] = f64::NAN;
        assert!(nan.check().unwrap_err().to_string().starts_with("q: entry 2 is not finite"));
        let negative = one_contact([[-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
        assert!(matches!(negative.check(), Err(LocalError::NegativeDiagonal { contact: 0, .. })));
    }

    #[test]
    fn asymmetry_and_indefiniteness_are_warnings() {
        let skew = one_contact([[2.0, 0.1, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]]);
        assert!(matches!(skew.warnings()[..], [LocalWarning::Unsymmetric { .. }]));
        let indefinite = one_contact([[1.0, 2.0, 0.0], [2.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
        let warnings = indefinite.warnings();
        assert!(matches!(warnings[..], [LocalWarning::Indefinite { relative }] if (relative + 1.0 / 3.0).abs() < 1e-9));
        let zero = one_contact([[0.0; 3]; 3]);
        assert!(matches!(zero.warnings()[..], [LocalWarning::Immovable { contact: 0 }]));
    }
}
