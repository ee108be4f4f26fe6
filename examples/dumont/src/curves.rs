//! Convergence curves as SVG: the parts of the criterion over the sweeps of one step, logarithmic upwards. Nothing is run here.

use std::fmt::Write as _;

use crate::criterion::Criterion;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 130.0;
const TOP: f64 = 32.0;
const BOTTOM: f64 = 48.0;
/// Lowest value drawn: errors below are rounding.
const LOWEST: f64 = 1e-20;
/// Points of a curve at most.
const POINTS: usize = 400;
/// Colours that stay apart for colour-blind readers (Okabe and Ito); the sum is dashed, as it often lies on a part.
const COLOURS: [&str; 5] = ["#0072b2", "#009e73", "#cc79a7", "#d55e00", "#000000"];

/// The drawing of one step's convergence.
#[must_use]
pub fn convergence(title: &str, history: &[Criterion]) -> String {
    let values: Vec<[f64; 5]> = history.iter().map(Criterion::values).collect();
    let largest = values.iter().flatten().copied().fold(LOWEST, f64::max);
    let least = values.iter().flatten().copied().filter(|v| *v >= LOWEST).fold(largest, f64::min);
    let (high, low) = (largest.log10().ceil(), least.log10().floor().min(largest.log10().ceil() - 1.0));
    let last = history.len().max(2) as f64;
    let x = |sweep: usize| LEFT + (WIDTH - LEFT - RIGHT) * sweep as f64 / (last - 1.0).max(1.0);
    let y = |value: f64| TOP + (HEIGHT - TOP - BOTTOM) * (high - value.log10()) / (high - low);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n<text x=\"{LEFT}\" y=\"20\" font-size=\"14\">{title}</text>\n"
    );
    let stride = ((high - low) / 8.0).ceil().max(1.0);
    let mut decade = low;
    while decade <= high {
        let at = y(10_f64.powf(decade));
        // writing to a string cannot fail
        let _ = writeln!(
            svg,
            "<line x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{at:.1}\" y2=\"{at:.1}\" stroke=\"#ddd\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">1e{decade:.0}</text>",
            WIDTH - RIGHT,
            LEFT - 6.0,
            at + 4.0
        );
        decade += stride;
    }
    for quarter in 0..=4 {
        let sweep = (history.len().saturating_sub(1)) * quarter / 4;
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            x(sweep),
            HEIGHT - BOTTOM + 16.0,
            sweep + 1
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">sweep</text>",
        0.5 * (LEFT + WIDTH - RIGHT),
        HEIGHT - 12.0
    );
    let stride = values.len().div_ceil(POINTS).max(1);
    for (part, name) in Criterion::NAMES.iter().enumerate() {
        let dash = if part == 4 { " stroke-dasharray=\"6 4\"" } else { "" };
        let mut path = String::new();
        let mut pen = 'M';
        for (sweep, value) in values.iter().enumerate().filter(|(k, _)| k % stride == 0 || k + 1 == values.len()) {
            if value[part] >= LOWEST {
                let _ = write!(path, "{pen}{:.1} {:.1}", x(sweep), y(value[part]));
                pen = 'L';
            } else {
                pen = 'M';
            }
        }
        let at = TOP + 16.0 * (part as f64 + 1.0);
        let shown = if path.is_empty() { format!("{name} (0)") } else { (*name).to_owned() };
        let _ = writeln!(
            svg,
            "<path fill=\"none\" stroke=\"{0}\" stroke-width=\"2\"{dash} d=\"{path}\"/>\n<line x1=\"{1:.1}\" x2=\"{2:.1}\" y1=\"{3:.1}\" y2=\"{3:.1}\" stroke=\"{0}\" stroke-width=\"2\"{dash}/><text x=\"{4:.1}\" y=\"{at:.1}\">{shown}</text>",
            COLOURS[part],
            WIDTH - RIGHT + 10.0,
            WIDTH - RIGHT + 30.0,
            at - 4.0,
            WIDTH - RIGHT + 36.0
        );
    }
    svg.push_str("</svg>\n");
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_per_part_and_no_numbers_that_are_none() {
        let history: Vec<Criterion> = (0..30)
            .map(|k| Criterion { penetration: 0.4_f64.powi(k), motion: 0.0, projection: 1e-30, bipotential: 1e-9 })
            .collect();
        for svg in [convergence("falling", &history), convergence("one", &history[..1]), convergence("none", &[])] {
            assert_eq!(svg.matches("<path").count(), 5);
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
    }
}
