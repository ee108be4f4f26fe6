//! The fixed point of a coupling cycle: how far the exchanged fields still move, and what the next repetition starts from.
//! Aitken's Δ² with one factor per field (Küttler and Wall 2008, doi:10.1007/s00466-008-0255-5), or quasi-Newton on all, which lives in its own room.

use mpcd_core::{
    ContactKey, FieldSpec, FieldStore, Support, Unit,
    field::{Field, SupportSizes},
};

use crate::{model::Relaxation, quasi_newton::QuasiNewton};

/// Exchanged fields x, their change F(x) − x, and the relaxation factors.
#[derive(Debug)]
pub(crate) struct Relaxer {
    method: Relaxation,
    names: Vec<&'static str>,
    /// What the repetition started from.
    start: FieldStore,
    /// What it gave, on the contacts of the start.
    end: FieldStore,
    /// The exchanged temperatures of the first frame: 0 K is no state that anything began from.
    temperatures: FieldStore,
    /// end − start of the repetition before.
    change: Vec<Vec<f64>>,
    factors: Vec<f64>,
    iteration: u32,
    newton: QuasiNewton,
    /// One over the size of each exchanged number's field in the first repetition of the step.
    weights: Vec<f64>,
}

/// Repetitions by Aitken's factors before `Auto` takes all fields together. Where one factor serves, five to ten agree; a bed that the pore fluid holds
/// far more firmly than its inertia has a factor for each cell, and fifty do not.
const PATIENCE: u32 = 12;

impl Relaxer {
    pub(crate) fn new(method: Relaxation, specs: impl IntoIterator<Item = FieldSpec>) -> Self {
        let start = FieldStore::new(specs, &SupportSizes::default());
        let names: Vec<_> = start.iter().map(|f| f.spec.name).collect();
        let end = start.clone();
        Self {
            method,
            change: vec![Vec::new(); names.len()],
            factors: vec![1.0; names.len()],
            names,
            start,
            end,
            temperatures: FieldStore::default(),
            iteration: 0,
            newton: QuasiNewton::default(),
            weights: Vec::new(),
        }
    }

    /// Takes the fields of the first frame: what became of exchanged temperatures is judged by how far they went from there.
    pub(crate) fn stand_at(&mut self, first: &FieldStore) {
        self.temperatures = first.only(self.start.iter().map(|f| f.spec).filter(|s| s.unit == Unit::TEMPERATURE));
    }

    /// First repetition of a step, from the fields as they are.
    pub(crate) fn begin(&mut self, fields: &FieldStore) {
        copy(&mut self.start, fields);
        self.begin_again();
    }

    fn begin_again(&mut self) {
        self.iteration = 0;
        self.newton.begin();
    }

    /// Puts the exchanged fields of this repetition into `fields`.
    pub(crate) fn give(&self, fields: &mut FieldStore) {
        copy(fields, &self.start);
    }

    /// Whether a field of contacts is exchanged.
    pub(crate) fn is_on_contacts(&self) -> bool {
        self.start.iter().any(|f| f.spec.support == Support::Contact)
    }

    /// Compares what a repetition gave with what it started from. Returns the largest relative change of a field.
    /// `ended` and `started` are the contacts at the end and at the start of the repetition, `all` those on which the fields are compared and relaxed;
    /// `solved_to` gives the tolerance of the solve that makes a field.
    pub(crate) fn compare(
        &mut self,
        fields: &FieldStore,
        (ended, started): (&[ContactKey], &[ContactKey]),
        all: &[ContactKey],
        solved_to: impl Fn(&str) -> f64,
    ) -> f64 {
        copy(&mut self.end, fields);
        self.end.follow(ended, all);
        if started != all {
            self.start.follow(started, all);
            // changes on other contacts say nothing of these
            self.begin_again();
        }
        let pairs = self.start.iter().zip(self.end.iter());
        // f64::max would hide a NaN.
        let larger = |a: f64, b: f64| if b > a || b.is_nan() { b } else { a };
        let change = |x: &Field, f: &Field| {
            let first = self.temperatures.get(x.spec.name).filter(|first| first.len() == x.data.len());
            // what a solve of temperatures misses is a part of the content, which is counted from 0 K
            let solved_to = if first.is_some() { solved_to(x.spec.name) } else { 0.0 };
            relative_change(|i| first.map_or(x.spec.initial, |v| v[i]), (&x.data, &f.data), solved_to)
        };
        pairs.map(|(x, f)| change(x, f)).fold(0.0, larger)
    }

    /// Chooses what the next repetition starts from.
    pub(crate) fn relax(&mut self) {
        let first = self.iteration == 0;
        if matches!(self.method, Relaxation::QuasiNewton | Relaxation::Auto) {
            self.take(first);
        }
        if self.is_together() {
            let mut next = self.newton.next(&self.weights).into_iter();
            self.start.iter_mut().flat_map(|f| &mut f.data).zip(&mut next).for_each(|(x, n)| *x = n);
        } else {
            self.relax_apart(first);
        }
        self.iteration += 1;
    }

    /// Whether all fields are found together by what the repetitions of the step have shown.
    const fn is_together(&self) -> bool {
        match self.method {
            Relaxation::QuasiNewton => true,
            Relaxation::Auto => self.iteration >= PATIENCE,
            Relaxation::Aitken | Relaxation::Fixed(_) => false,
        }
    }

    /// Each field by a factor of its own.
    fn relax_apart(&mut self, first: bool) {
        for ((x, f), (old, factor)) in
            self.start.iter_mut().zip(self.end.iter()).zip(self.change.iter_mut().zip(&mut self.factors))
        {
            *factor = match self.method {
                Relaxation::Fixed(w) => w.si(),
                _ if first => 1.0,
                _ => aitken(*factor, old, &x.data, &f.data),
            };
            old.clear();
            old.extend(f.data.iter().zip(&x.data).map(|(f, x)| f - x));
            for (x, r) in x.data.iter_mut().zip(old.iter()) {
                *x += *factor * r;
            }
        }
    }

    /// Shows quasi-Newton a repetition; the first says how large the fields are.
    fn take(&mut self, first: bool) {
        let all = |store: &FieldStore| store.iter().flat_map(|f| f.data.iter().copied()).collect::<Vec<f64>>();
        if first {
            let weight = |f: &Field| {
                let size = norm(f.data.iter().map(|v| v - f.spec.initial));
                std::iter::repeat_n(if size > 0.0 { 1.0 / size } else { 1.0 }, f.data.len())
            };
            self.weights = self.end.iter().flat_map(weight).collect();
        }
        self.newton.take(&all(&self.start), &all(&self.end));
    }

    /// Name of the method, for the summary.
    pub(crate) const fn method(&self) -> &'static str {
        match self.method {
            Relaxation::Auto if self.iteration > PATIENCE => "Aitken, then quasi-Newton",
            Relaxation::Aitken | Relaxation::Auto => "Aitken",
            Relaxation::Fixed(_) => "fixed factor",
            Relaxation::QuasiNewton => "quasi-Newton",
        }
    }

    pub(crate) fn names(&self) -> &[&'static str] {
        &self.names
    }
}

fn copy(to: &mut FieldStore, from: &FieldStore) {
    for target in to.iter_mut() {
        if let Some(source) = from.iter().find(|f| f.spec.name == target.spec.name) {
            target.data.clone_from(&source.data);
        }
    }
}

fn norm(values: impl Iterator<Item = f64>) -> f64 {
    values.map(|a| a * a).sum::<f64>().sqrt()
}

/// ‖f − x‖ over the larger of ‖f − x₀‖ and ‖x − x₀‖ for the pair (x, f), x₀ being the value that the field has before anything is written: 1 of
/// sizes, that of the first frame of temperatures, 0 of most. What bodies do follows their growth and not their size, so growth is what has to agree.
/// What rounding, or a solve to a part `solved_to`, leaves of a number near x₀ ≠ 0 counts as no change.
fn relative_change(before: impl Fn(usize) -> f64, (x, f): (&[f64], &[f64]), solved_to: f64) -> f64 {
    let change = norm(f.iter().zip(x).map(|(f, x)| f - x));
    let largest = |of: &dyn Fn(usize, f64) -> f64| {
        let norm_of = |v: &[f64]| norm(v.iter().enumerate().map(|(i, v)| of(i, *v)));
        norm_of(f).max(norm_of(x))
    };
    let is_zero = (0..x.len()).all(|i| before(i) == 0.0);
    let noise = if is_zero { 0.0 } else { solved_to.max(4.0 * f64::EPSILON) * largest(&|_, v| v) };
    if change <= noise { 0.0 } else { change / largest(&|i, v| v - before(i)) }
}

/// ω ← −ω r₀·(r₁ − r₀) / |r₁ − r₀|², r₀ the change before and r₁ = f − x the change now.
fn aitken(factor: f64, old: &[f64], x: &[f64], f: &[f64]) -> f64 {
    let (mut over, mut under) = (0.0, 0.0);
    for (r0, (f, x)) in old.iter().zip(f.iter().zip(x)) {
        let d = (f - x) - r0;
        over += r0 * d;
        under += d * d;
    }
    let next = -factor * over / under;
    if next.is_finite() && next != 0.0 { next } else { factor }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    /// Iterates x ← F(x) for one number until the change is below `tolerance`; returns x and the repetitions.
    fn solve(method: Relaxation, tolerance: f64, f: impl Fn(f64) -> f64) -> (f64, u32) {
        let spec = FieldSpec::scalar("x", Unit::ONE, Support::Global);
        let mut fields = FieldStore::new([spec], &SupportSizes::default());
        let mut relaxer = Relaxer::new(method, [spec]);
        relaxer.begin(&fields);
        for k in 1..=200 {
            relaxer.give(&mut fields);
            let x = fields.get("x").unwrap()[0];
            fields.swap("x", &mut vec![f(x)]);
            if relaxer.compare(&fields, (&[], &[]), &[], |_| 0.0) <= tolerance {
                return (fields.get("x").unwrap()[0], k);
            }
            relaxer.relax();
        }
        (f64::NAN, 200)
    }

    #[test]
    fn aitken_finds_the_fixed_point_of_an_affine_map_in_three_repetitions() {
        // x = 2 − 3x has the fixed point ½; without relaxation it diverges.
        let (x, repetitions) = solve(Relaxation::Aitken, 1e-14, |x| 2.0 - 3.0 * x);
        assert!((x - 0.5).abs() < 1e-14 && repetitions <= 4, "{x} after {repetitions}");
    }

    /// x = A x + b of twenty unknowns whose factors lie between −1 and −40: one factor for all does not find it in fifty repetitions, and what those of the
    /// first dozen have shown carries over.
    #[test]
    fn auto_goes_on_where_one_factor_does_not_do() {
        let repetitions = |method: Relaxation| {
            let spec = FieldSpec::scalar("x", Unit::ONE, Support::Body);
            let sizes = SupportSizes { bodies: 20, ..SupportSizes::default() };
            let mut fields = FieldStore::new([spec], &sizes);
            let mut relaxer = Relaxer::new(method, [spec]);
            relaxer.begin(&fields);
            for k in 1..=50 {
                relaxer.give(&mut fields);
                let x = fields.get("x").unwrap().to_vec();
                let f = |i: usize| 1.0 + i as f64 - (1.0 + 2.0 * i as f64) * x[i];
                fields.swap("x", &mut (0..20).map(f).collect());
                if relaxer.compare(&fields, (&[], &[]), &[], |_| 0.0) <= 1e-8 {
                    let exact = |i: usize| (1.0 + i as f64) / (2.0 + 2.0 * i as f64);
                    assert!((0..20).all(|i| (x[i] - exact(i)).abs() < 1e-6), "{x:?}");
                    return Some((k, relaxer.method()));
                }
                relaxer.relax();
            }
            None
        };
        assert_eq!(repetitions(Relaxation::Aitken), None);
        let (all, _) = repetitions(Relaxation::QuasiNewton).unwrap();
        let (after, name) = repetitions(Relaxation::Auto).unwrap();
        assert!(after <= all + PATIENCE && after > PATIENCE && name == "Aitken, then quasi-Newton", "{after} and {all}, {name}");
    }

    #[test]
    fn aitken_beats_a_fixed_factor_on_a_curved_map() {
        // x = cos x: 0.739085133215161 (Dottie number).
        let fixed = Relaxation::Fixed(mpcd_core::Quantity::new(1.0).unwrap());
        let (a, fast) = solve(Relaxation::Aitken, 1e-12, f64::cos);
        let (b, slow) = solve(fixed, 1e-12, f64::cos);
        assert!((a - 0.739_085_133_215_161).abs() < 1e-12 && (b - a).abs() < 1e-11);
        assert!(fast < slow / 4, "{fast} and {slow}");
    }
}
