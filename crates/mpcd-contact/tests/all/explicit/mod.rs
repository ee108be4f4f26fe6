//! The explicit scheme (central differences, contact conditions where the step leads) against analytic motions.

mod bits;
mod books;
mod flight;
mod friction;
mod heap;
mod landing;
mod laws;

/// `Contact` with the explicit scheme of damping β.
fn contact(damping: f64, tolerance: f64) -> String {
    format!("Contact(scheme: Explicit(damping: {damping}), tolerance: {tolerance:e})")
}

/// A number that the report of a step has.
fn number(report: &mpcd_core::SolveReport, name: &str) -> f64 {
    report.numbers.iter().find(|(n, _)| *n == name).unwrap().1
}
