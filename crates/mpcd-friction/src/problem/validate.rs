//! What makes a contact problem ill-posed before any solver sees it; every message says what to do.

use super::{Angular, Body, Cell, Contact, ContactDimension, ContactProblem, Response};
use crate::Cone;

/// Why a problem cannot be handed to a solver.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ProblemError {
    /// A number of a body is NaN or infinite.
    #[error("body {body}: {quantity} is not finite; check the free velocities, masses and inertias handed in")]
    BodyNotFinite {
        /// Index of the body.
        body: usize,
        /// What is not finite.
        quantity: &'static str,
    },
    /// An inverse mass or inertia is negative.
    #[error("body {body}: {quantity} is negative; expected zero (locked) or a positive number")]
    NegativeInverse {
        /// Index of the body.
        body: usize,
        /// What is negative.
        quantity: &'static str,
    },
    /// A contact refers to a body that does not exist.
    #[error("contact {contact} names body {body}, but the problem has {bodies} bodies")]
    BodyOutOfRange {
        /// Index of the contact.
        contact: usize,
        /// The body named.
        body: usize,
        /// Number of bodies.
        bodies: usize,
    },
    /// A contact refers to a law that does not exist.
    #[error("contact {contact} names law {law}, but the problem has {laws} laws")]
    LawOutOfRange {
        /// Index of the contact.
        contact: usize,
        /// The law named.
        law: usize,
        /// Number of laws.
        laws: usize,
    },
    /// A contact joins a body to itself.
    #[error("contact {contact} joins body {body} to itself; candidate and antagonist must differ")]
    SelfContact {
        /// Index of the contact.
        contact: usize,
        /// The body.
        body: usize,
    },
    /// A number of a contact is NaN or infinite.
    #[error("contact {contact}: {quantity} is not finite (a zero normal gives this too)")]
    ContactNotFinite {
        /// Index of the contact.
        contact: usize,
        /// What is not finite.
        quantity: &'static str,
    },
    /// A friction coefficient or a compliance is negative.
    #[error("contact {contact}: {quantity} is negative; expected zero or more")]
    NegativeCoefficient {
        /// Index of the contact.
        contact: usize,
        /// What is negative.
        quantity: &'static str,
    },
    /// A frame leaves the xy-plane in a planar problem.
    #[error("contact {contact}: its normal or tangent leaves the xy-plane, but the contact dimension is 2; use Frame::planar")]
    NotPlanar {
        /// Index of the contact.
        contact: usize,
    },
    /// Neither body can move along the normal.
    #[error(
        "contact {contact} between bodies {candidate} and {antagonist}: no impulse can change its normal velocity (both are fixed or locked); drop the contact (the law `NoContact` between their groups), free a body or give it a compliance (`Elastic`)"
    )]
    NoFreedom {
        /// Index of the contact.
        contact: usize,
        /// Candidate body.
        candidate: usize,
        /// Antagonist body.
        antagonist: usize,
    },
    /// The solver does not take laws that are no cones.
    #[error("contact {contact} follows the law `{law}`, which solver `{solver}` cannot take; use `nlgs`")]
    LawNotAccepted {
        /// Index of the contact.
        contact: usize,
        /// Name of the law.
        law: String,
        /// Name of the solver.
        solver: &'static str,
    },
    /// What forces leave open cannot be decided.
    #[error("the forces that the contacts leave open cannot be decided: {problem}; remove `forces` of Contact")]
    Selection {
        /// What the factorisation says.
        problem: String,
    },
    /// The solver does not take a cell whose lengths move.
    #[error(
        "the cell follows a stress or a rate, which solver `{solver}` cannot carry: it solves all contacts from the same velocities, and the cell would be shared among all of them; use `auto`, or any other"
    )]
    CellNotAccepted {
        /// Name of the solver.
        solver: &'static str,
    },
    /// The solver works on W, q, μ, which cannot say this contact.
    #[error(
        "contact {contact} is {kind}, which solver `{solver}` cannot take, as it works on the condensed problem; use `auto`, `nlgs-accelerated` or `nlgs`"
    )]
    NotCondensed {
        /// Index of the contact.
        contact: usize,
        /// What it is.
        kind: &'static str,
        /// Name of the solver.
        solver: &'static str,
    },
    /// The solver refuses the condensed problem.
    #[error("solver `{solver}` refuses the problem: {why}")]
    Refused {
        /// Name of the solver.
        solver: &'static str,
        /// What it says.
        why: String,
    },
    /// The cell does not fit the contacts, or a number of it is NaN, infinite or negative.
    #[error(
        "the cell: {quantity}; expected one finite branch for each contact, finite rates and inverse inertias of zero or more"
    )]
    Cell {
        /// What is wrong.
        quantity: &'static str,
    },
    /// A compliance does not fit the problem, or its matrix is none that a body can have.
    #[error("compliance {compliance}: {what}")]
    Compliance {
        /// Index of the compliance.
        compliance: usize,
        /// What is wrong.
        what: String,
    },
    /// Deformable bodies in a cell whose lengths move.
    #[error(
        "the cell follows a stress or a rate and there are deformable bodies (compliances); together they cannot be solved: hold the lengths of the cell, or make the bodies rigid"
    )]
    ComplianceInCell,
    /// A setting is out of range.
    #[error("{setting} is {value}; expected {expected}")]
    Setting {
        /// Name of the setting.
        setting: &'static str,
        /// What it is.
        value: String,
        /// What it may be.
        expected: &'static str,
    },
    /// More bodies or contacts than an index holds.
    #[error("the problem has {count} {what}; at most 4294967294 are possible")]
    TooLarge {
        /// Bodies or contacts.
        what: &'static str,
        /// How many.
        count: usize,
    },
}

impl ContactProblem {
    /// Checks everything a solver relies on.
    ///
    /// # Errors
    /// The first fault found, by body then contact index.
    pub fn validate(&self) -> Result<(), ProblemError> {
        self.validate_sizes_and_bodies()?;
        for (index, contact) in self.contacts.iter().enumerate() {
            self.validate_contact(index, contact)?;
        }
        self.validate_parts()
    }

    /// The same but for the contacts, which are looked at where a sweep is laid out: once, while they are at hand.
    pub(crate) fn validate_around_contacts(&self) -> Result<(), ProblemError> {
        self.validate_sizes_and_bodies()?;
        // where there are more faults than one, the first is said
        self.validate_parts().or_else(|_| self.validate())
    }

    fn validate_sizes_and_bodies(&self) -> Result<(), ProblemError> {
        for (what, count) in [("bodies", self.bodies.len()), ("contacts", self.contacts.len())] {
            if count >= u32::MAX as usize {
                return Err(ProblemError::TooLarge { what, count });
            }
        }
        self.bodies.iter().enumerate().try_for_each(|(index, body)| validate_body(index, body))
    }

    fn validate_parts(&self) -> Result<(), ProblemError> {
        self.cell.as_ref().map_or(Ok(()), |cell| validate_cell(cell, self.contacts.len()))?;
        self.validate_compliances()
    }

    #[inline]
    pub(crate) fn validate_contact(&self, index: usize, contact: &Contact) -> Result<(), ProblemError> {
        for body in [contact.candidate, contact.antagonist] {
            if body >= self.bodies.len() {
                return Err(ProblemError::BodyOutOfRange { contact: index, body, bodies: self.bodies.len() });
            }
        }
        // What deforms may touch itself; its body stands still.
        if contact.candidate == contact.antagonist && self.bodies[contact.candidate].moves() {
            return Err(ProblemError::SelfContact { contact: index, body: contact.candidate });
        }
        validate_numbers(index, contact)?;
        match contact.response {
            Response::Cone(Cone::Coulomb { friction } | Cone::Convex { friction })
                if friction.is_nan() || friction.is_infinite() =>
            {
                Err(ProblemError::ContactNotFinite { contact: index, quantity: "friction coefficient" })
            }
            Response::Cone(Cone::Coulomb { friction } | Cone::Convex { friction }) if friction < 0.0 => {
                Err(ProblemError::NegativeCoefficient { contact: index, quantity: "friction coefficient" })
            }
            Response::Law(law) if law >= self.laws.len() => {
                Err(ProblemError::LawOutOfRange { contact: index, law, laws: self.laws.len() })
            }
            _ => Ok(()),
        }?;
        let out_of_plane = contact.frame.normal().z != 0.0 || contact.frame.tangent().z != 0.0;
        if self.dimension == ContactDimension::Two && out_of_plane {
            return Err(ProblemError::NotPlanar { contact: index });
        }
        Ok(())
    }
}

fn validate_cell(cell: &Cell, contacts: usize) -> Result<(), ProblemError> {
    let fail = |quantity| Err(ProblemError::Cell { quantity });
    if cell.branches.len() != contacts {
        return fail("the number of its branches is not that of the contacts");
    }
    if !cell.rate.iter().chain(&cell.inverse_inertia).chain(cell.branches.iter().flatten()).all(|x| x.is_finite()) {
        return fail("a rate, an inverse inertia or a branch is not finite");
    }
    if cell.inverse_inertia.iter().any(|x| *x < 0.0) {
        return fail("an inverse inertia is negative");
    }
    Ok(())
}

#[inline]
fn validate_numbers(index: usize, contact: &Contact) -> Result<(), ProblemError> {
    let moment = contact.moment();
    let vectors = [
        ("frame", contact.frame.normal()),
        ("frame", contact.frame.tangent()),
        ("candidate lever", &contact.candidate_lever),
        ("antagonist lever", &contact.antagonist_lever),
        ("velocity shift", &contact.velocity_shift),
        ("compliance", &contact.compliance),
        ("impulse shift", &contact.impulse_shift),
        ("starting impulse", &contact.impulse),
        ("starting angular impulse", &moment),
    ];
    for (quantity, vector) in vectors {
        // one comparison per vector: 0·x is 0 only for finite x
        if vector.x * 0.0 + vector.y * 0.0 + vector.z * 0.0 != 0.0 {
            return Err(ProblemError::ContactNotFinite { contact: index, quantity });
        }
    }
    match contact.angular() {
        Some(Angular::Resistance { rolling, spinning, .. }) if !(rolling + spinning).is_finite() => {
            return Err(ProblemError::ContactNotFinite { contact: index, quantity: "rolling or spinning resistance" });
        }
        Some(Angular::Resistance { rolling, spinning, .. }) if *rolling < 0.0 || *spinning < 0.0 => {
            return Err(ProblemError::NegativeCoefficient { contact: index, quantity: "rolling or spinning resistance" });
        }
        Some(Angular::Held { shift, compliance, .. }) if !(shift + compliance).iter().all(|s| s.is_finite()) => {
            return Err(ProblemError::ContactNotFinite { contact: index, quantity: "angular shift or compliance" });
        }
        Some(Angular::Held { compliance, .. }) if compliance.iter().any(|c| *c < 0.0) => {
            return Err(ProblemError::NegativeCoefficient { contact: index, quantity: "angular compliance" });
        }
        _ => {}
    }
    if contact.compliance.iter().any(|c| *c < 0.0) {
        return Err(ProblemError::NegativeCoefficient { contact: index, quantity: "compliance" });
    }
    Ok(())
}

fn validate_body(index: usize, body: &Body) -> Result<(), ProblemError> {
    let inertia = body.inverse_inertia.matrix();
    let finite = |values: &[f64]| values.iter().all(|v| v.is_finite());
    let parts = [
        ("velocity", body.velocity.as_slice()),
        ("angular velocity", body.angular_velocity.as_slice()),
        ("inverse mass", body.inverse_mass.as_slice()),
        ("inverse inertia", inertia.as_slice()),
    ];
    for (quantity, values) in parts {
        if !finite(values) {
            return Err(ProblemError::BodyNotFinite { body: index, quantity });
        }
    }
    if body.inverse_mass.iter().any(|m| *m < 0.0) {
        return Err(ProblemError::NegativeInverse { body: index, quantity: "inverse mass" });
    }
    if inertia.diagonal().iter().any(|i| *i < 0.0) {
        return Err(ProblemError::NegativeInverse { body: index, quantity: "inverse inertia" });
    }
    Ok(())
}
