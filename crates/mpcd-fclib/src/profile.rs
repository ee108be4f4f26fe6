//! Performance profiles (Dolan and Moré 2002): for each solver, the share of problems it solves within a factor τ of the
//! cost of the best solver. From a table of costs to curves, CSV and SVG; nothing is read, solved or written here.

use std::fmt::Write as _;

/// Costs of some solvers on some problems.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CostTable {
    solvers: Vec<String>,
    rows: Vec<Vec<Option<f64>>>,
}

/// The profile of one solver.
#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    /// Name of the solver.
    pub solver: String,
    /// Steps of the curve: from ratio τ ≥ 1 on, this share (0 to 1) of the problems is solved. τ ascending.
    pub steps: Vec<(f64, f64)>,
}

impl CostTable {
    /// An empty table for these solvers.
    #[must_use]
    pub fn new(solvers: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { solvers: solvers.into_iter().map(Into::into).collect(), rows: Vec::new() }
    }

    /// Adds a problem: one cost (time in s, or a count) per solver in their order; `None`, a cost that is not positive or
    /// not finite, or a missing entry is a failure. Surplus entries are ignored.
    pub fn push(&mut self, costs: impl IntoIterator<Item = Option<f64>>) {
        let mut row: Vec<_> = costs.into_iter().map(|c| c.filter(|c| c.is_finite() && *c > 0.0)).collect();
        row.resize(self.solvers.len(), None);
        self.rows.push(row);
    }

    /// Number of problems.
    #[must_use]
    pub fn problems(&self) -> usize {
        self.rows.len()
    }

    /// One profile per solver. Problems that no solver solves count in the denominator: a share of 1 means all.
    #[must_use]
    pub fn profiles(&self) -> Vec<Profile> {
        let best: Vec<Option<f64>> = self.rows.iter().map(|row| row.iter().flatten().copied().reduce(f64::min)).collect();
        let all = self.rows.len().max(1) as f64;
        let profile = |(index, solver): (usize, &String)| {
            let mut ratios: Vec<f64> =
                self.rows.iter().zip(&best).filter_map(|(row, best)| row[index].zip(*best).map(|(c, b)| c / b)).collect();
            ratios.sort_by(f64::total_cmp);
            let mut steps: Vec<(f64, f64)> = Vec::new();
            for (count, &ratio) in ratios.iter().enumerate() {
                let share = (count + 1) as f64 / all;
                match steps.last_mut() {
                    Some(last) if last.0 == ratio => last.1 = share,
                    _ => steps.push((ratio, share)),
                }
            }
            Profile { solver: solver.clone(), steps }
        };
        self.solvers.iter().enumerate().map(profile).collect()
    }
}

/// The curves as CSV: `solver,tau,share`.
#[must_use]
pub fn profiles_to_csv(profiles: &[Profile]) -> String {
    let mut text = String::from("solver,tau,share\n");
    for profile in profiles {
        for (tau, share) in &profile.steps {
            // writing to a string cannot fail
            let _ = writeln!(text, "{},{tau:.6e},{share:.6}", profile.solver);
        }
    }
    text
}

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 56.0;
const RIGHT: f64 = 150.0;
const TOP: f64 = 32.0;
const BOTTOM: f64 = 48.0;
/// Colours that stay apart for colour-blind readers (Okabe and Ito).
const COLOURS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"];

/// The curves as a drawing, τ on a logarithmic axis up to `largest` (at least 10).
#[must_use]
pub fn profiles_to_svg(title: &str, profiles: &[Profile], largest: f64) -> String {
    let decades = if largest.is_finite() { largest.max(10.0).log10() } else { 4.0 };
    let x = |tau: f64| LEFT + (WIDTH - LEFT - RIGHT) * (tau.max(1.0).log10() / decades).min(1.0);
    let y = |share: f64| HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n<text x=\"{LEFT}\" y=\"20\" font-size=\"14\">{}</text>\n",
        escape(title)
    );
    for tenth in 0..=5 {
        let share = f64::from(tenth) / 5.0;
        let _ = writeln!(
            svg,
            "<line x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{1:.1}\" y2=\"{1:.1}\" stroke=\"#ddd\"/><text x=\"{2:.1}\" y=\"{3:.1}\" text-anchor=\"end\">{share:.1}</text>",
            WIDTH - RIGHT,
            y(share),
            LEFT - 6.0,
            y(share) + 4.0
        );
    }
    for decade in 0..=decades.floor() as i32 {
        let at = x(10_f64.powi(decade));
        let _ = writeln!(
            svg,
            "<line x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{TOP}\" y2=\"{0:.1}\" stroke=\"#ddd\"/><text x=\"{at:.1}\" y=\"{1:.1}\" text-anchor=\"middle\">{2}</text>",
            HEIGHT - BOTTOM,
            HEIGHT - BOTTOM + 16.0,
            10_f64.powi(decade)
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">cost over that of the best solver, τ</text>\n\
         <text x=\"14\" y=\"{2:.1}\" text-anchor=\"middle\" transform=\"rotate(-90 14 {2:.1})\">share of problems solved</text>",
        0.5 * (LEFT + WIDTH - RIGHT),
        HEIGHT - 12.0,
        0.5 * (TOP + HEIGHT - BOTTOM)
    );
    for (index, profile) in profiles.iter().enumerate() {
        let colour = COLOURS[index % COLOURS.len()];
        let _ = write!(svg, "<path fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" d=\"M{:.1} {:.1}", x(1.0), y(0.0));
        for (tau, share) in profile.steps.iter().filter(|step| step.0.log10() <= decades) {
            let _ = write!(svg, "H{:.1}V{:.1}", x(*tau), y(*share));
        }
        let label = TOP + 16.0 * (index as f64 + 1.0);
        let _ = writeln!(
            svg,
            "H{:.1}\"/>\n<line x1=\"{1:.1}\" x2=\"{2:.1}\" y1=\"{3:.1}\" y2=\"{3:.1}\" stroke=\"{colour}\" stroke-width=\"2\"/><text x=\"{4:.1}\" y=\"{label:.1}\">{5}</text>",
            WIDTH - RIGHT,
            WIDTH - RIGHT + 10.0,
            WIDTH - RIGHT + 30.0,
            label - 4.0,
            WIDTH - RIGHT + 36.0,
            escape(&profile.solver)
        );
    }
    svg.push_str("</svg>\n");
    svg
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> CostTable {
        let mut table = CostTable::new(["a", "b"]);
        table.push([Some(1.0), Some(2.0)]);
        table.push([Some(3.0), Some(1.0)]);
        table.push([None, Some(5.0)]);
        table.push([Some(f64::NAN), None]);
        table
    }

    #[test]
    fn profiles_by_hand() {
        let profiles = table().profiles();
        assert_eq!(profiles[0].steps, vec![(1.0, 0.25), (3.0, 0.5)]);
        assert_eq!(profiles[1].steps, vec![(1.0, 0.5), (2.0, 0.75)]);
        assert!(profiles_to_csv(&profiles).starts_with("solver,tau,share\na,1.000000e0,0.250000\n"));
    }

    #[test]
    fn the_drawing_has_a_curve_per_solver_and_no_numbers_that_are_none() {
        let svg = profiles_to_svg("1e-8 <all>", &table().profiles(), 100.0);
        assert_eq!(svg.matches("<path").count(), 2);
        assert!(!svg.contains("NaN") && !svg.contains("inf") && svg.contains("&lt;all&gt;"));
        assert!(profiles_to_svg("", &[], f64::INFINITY).ends_with("</svg>\n"));
    }
}
