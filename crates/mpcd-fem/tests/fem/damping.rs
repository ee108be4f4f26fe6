//! Free vibrations that die away, against the oscillator of one mode: a retardation τ (Kelvin–Voigt) and damping by stiffness β have the damping ratio ½ τ ω and
//! ½ β ω, damping by mass α has ½ α/ω; the logarithmic decrement is 2π ζ/√(1 − ζ²), and the frequency ω √(1 − ζ²).

use std::f64::consts::{FRAC_PI_2, TAU};
use std::sync::Arc;

use mpcd_core::Vec3;
use mpcd_fem::{Body, Cell, Conditions, KelvinVoigt, MassKind, Mesh, Model, Scheme, Section, Space};

use crate::linear;

const YOUNG: f64 = 100.0;

/// Retardation, α, β.
type Damping = (f64, f64, f64);

fn section((retardation, alpha, beta): Damping) -> Section {
    let section = if retardation > 0.0 {
        Section::new(KelvinVoigt::new(Arc::new(linear(YOUNG, 0.0)), retardation).unwrap(), 1.0)
    } else {
        Section::new(linear(YOUNG, 0.0), 1.0)
    };
    section.unwrap().with_rayleigh(alpha, beta).unwrap()
}

/// Decrement and period of the displacement `of` in four periods of about the length `period`, in steps of `period/n`, set free in a shape: from its zeros and extremes.
fn vibration(
    model: &Arc<Model>,
    scheme: Scheme,
    shape: impl Fn(Vec3) -> Vec3,
    of: usize,
    (period, n): (f64, usize),
) -> (f64, f64) {
    let held = Conditions::default().with_fixed(model, "left").unwrap();
    let mut body = Body::new(model.clone(), scheme).unwrap();
    let mut state = model.rest();
    let d = model.dimension();
    for (node, x) in model.mesh().nodes().iter().enumerate() {
        let u = shape(*x);
        (0..d).for_each(|i| state.displacement[node * d + i] = 1e-3 * u[i]);
    }
    let h = period / n as f64;
    let mut all = vec![state.displacement[of]];
    for _ in 0..4 * n {
        state = body.advance(&state, h, &held, &held).unwrap().0;
        all.push(state.displacement[of]);
    }
    // zeros, by interpolation, and the extremes between them by a parabola
    let (mut zeros, mut peaks) = (Vec::new(), Vec::new());
    for k in 1..all.len() - 1 {
        let [a, b, c] = [all[k - 1], all[k], all[k + 1]];
        if a * b < 0.0 {
            zeros.push(h * (k as f64 - b / (b - a)));
        }
        if (b - a) * (c - b) < 0.0 {
            peaks.push((b - (c - a).powi(2) / (8.0 * (a - 2.0 * b + c))).abs());
        }
    }
    assert!(zeros.len() >= 6 && peaks.len() >= 6, "{zeros:?} {peaks:?}");
    ((peaks[0] / peaks[4]).ln() / 2.0, (zeros[4] - zeros[0]) / 2.0)
}

fn check(what: &str, (decrement, period): (f64, f64), omega: f64, (retardation, alpha, beta): Damping, off: f64) {
    let ratio = 0.5 * ((retardation + beta) * omega + alpha / omega);
    let expected = TAU * ratio / (1.0 - ratio * ratio).sqrt();
    assert!((decrement - expected).abs() < off * expected, "{what}: decrement {decrement}, expected {expected} (ζ {ratio})");
    let length = TAU / (omega * (1.0 - ratio * ratio).sqrt());
    assert!((period / length - 1.0).abs() < off, "{what}: period {period} s, expected {length} s");
}

/// The first and second mode of a bar held at one end, sin(ωx/c): of equal cells they are modes of the mesh. The consistent mass has frequencies
/// above those of the bar by (ωh/c)²/24, the lumped one below by as much; the explicit scheme takes the damping from the velocity before.
#[test]
fn a_bar_dies_away_by_its_damping() {
    let (cells, c) = (20, YOUNG.sqrt());
    let mass = MassKind::Consistent;
    for mode in [1.0, 3.0] {
        let k = mode * FRAC_PI_2;
        let off = (k / f64::from(cells)).powi(2) / 24.0;
        let schemes = [
            (Scheme::Theta { theta: 0.5, mass }, 1.0 + off, 200, 5e-4),
            (Scheme::Conserving { mass }, 1.0 + off, 200, 5e-4),
            (Scheme::Explicit, 1.0 - off, 800, 1e-3),
        ];
        // the second mode by the scheme of all others
        let count = if mode > 1.0 { 1 } else { schemes.len() };
        for (scheme, part, steps, band) in schemes.into_iter().take(count) {
            let (omega, ratio) = (c * k * part, 0.05);
            let (by_rate, by_mass) = (2.0 * ratio / omega, 2.0 * ratio * omega);
            let several = (0.5 * by_rate, 0.7 * by_mass, 0.8 * by_rate);
            for damping in [(by_rate, 0.0, 0.0), (0.0, by_mass, 0.0), (0.0, 0.0, by_rate), several] {
                let mesh = Mesh::rectangle([1.0, 0.1], [cells as usize, 1], Cell::Quad4).unwrap();
                let model = Arc::new(Model::new(mesh, Space::PlaneStress { thickness: 1.0 }, &section(damping)).unwrap());
                let tip = model.mesh().nodes_of("right").unwrap()[0] * 2;
                let shape = |x: Vec3| Vec3::x() * (k * x.x).sin();
                let found = vibration(&model, scheme, shape, tip, (TAU / omega, steps));
                check(&format!("mode {mode}, {scheme:?}, {damping:?}"), found, omega, damping, band);
            }
        }
    }
}

/// The first bending mode of a cantilever of 20 heights, ω = 3.51602 √(EI/(ρAL⁴)), set free with the shape of the mode.
#[test]
fn a_beam_dies_away_by_its_damping() {
    let height = 0.05;
    let omega = 3.516_02 * (YOUNG * height * height / 12.0).sqrt();
    let lambda: f64 = 1.875_104;
    let part = (lambda.cos() + lambda.cosh()) / (lambda.sin() + lambda.sinh());
    let deflection =
        |x: f64| 0.5 * ((lambda * x).cosh() - (lambda * x).cos() - part * ((lambda * x).sinh() - (lambda * x).sin()));
    let slope =
        |x: f64| 0.5 * lambda * ((lambda * x).sinh() + (lambda * x).sin() - part * ((lambda * x).cosh() - (lambda * x).cos()));
    for damping in
        [(0.1 / omega, 0.0, 0.0), (0.0, 0.1 * omega, 0.0), (0.0, 0.0, 0.1 / omega), (0.02 / omega, 0.05 * omega, 0.04 / omega)]
    {
        let mesh = Mesh::rectangle([1.0, height], [20, 1], Cell::Quad8).unwrap();
        let model = Arc::new(Model::new(mesh, Space::PlaneStress { thickness: 1.0 }, &section(damping)).unwrap());
        let tip = model.mesh().nodes_of("right").unwrap()[0] * 2 + 1;
        let shape = |x: Vec3| Vec3::new(-(x.y - 0.5 * height) * slope(x.x), deflection(x.x), 0.0);
        let scheme = Scheme::Theta { theta: 0.5, mass: MassKind::Consistent };
        let found = vibration(&model, scheme, shape, tip, (TAU / omega, 200));
        check(&format!("beam, {damping:?}"), found, omega, damping, 5e-3);
    }
}
