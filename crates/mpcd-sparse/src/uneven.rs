//! What is said of conductances over more decades than numbers tell apart: which two, and what helps.

/// Decades above which it is said.
const TOLD: f64 = 1e14;

/// The least and the largest conductance in words, where they are more than 14 decades apart: `branches` by their ends and conductances in `unit`s,
/// `label` names an end.
#[must_use]
pub fn uneven(
    branches: impl Iterator<Item = ((usize, usize), f64)>,
    unit: &str,
    label: impl Fn(usize) -> String,
) -> Option<String> {
    let (mut least, mut most) = (((0, 0), f64::INFINITY), ((0, 0), 0.0));
    for branch in branches.filter(|(_, conductance)| *conductance > 0.0) {
        if branch.1 < least.1 {
            least = branch;
        }
        if branch.1 > most.1 {
            most = branch;
        }
    }
    (most.1 > TOLD * least.1).then(|| {
        let pair = |(i, j): (usize, usize)| format!("{} and {}", label(i), label(j));
        format!(
            "conductances go from {:.1e} {unit} between {} to {:.1e} {unit} between {}: give the law of the latter a smaller one, a thousand times what is around it is as good as any more, or that of the former 0",
            least.1,
            pair(least.0),
            most.1,
            pair(most.0)
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_two_are_named_with_their_numbers() {
        let label = |node: usize| format!("body {node}");
        let list = [((0, 1), 2.0), ((1, 2), 3e19), ((2, 3), 0.0), ((3, 4), 1.0)];
        let told = uneven(list.into_iter(), "S", label).unwrap_or_default();
        assert!(
            told.starts_with("conductances go from 1.0e0 S between body 3 and body 4 to 3.0e19 S between body 1 and body 2"),
            "{told}"
        );
        assert_eq!(uneven(list[..1].iter().copied(), "S", label), None);
    }
}
