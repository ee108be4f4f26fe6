//! The ways of the bodies' centres through a part of a step: straight, with a bend where two touch. From the touch on they go on together, and
//! so does whoever touched one of them before: a blow runs through a row. Which bodies touch, and when, is not decided here.

use mpcd_core::Vec3;

/// Where every body goes.
#[derive(Debug, Default)]
pub(crate) struct Ways {
    /// Where a body would have started had it always gone as it goes now (m).
    pub(crate) origin: Vec<Vec3>,
    /// Its way through the whole part of the step, were it so (m).
    pub(crate) way: Vec<Vec3>,
    /// Share of the part of the step from which on it goes so.
    pub(crate) since: Vec<f64>,
    /// Its way before anything was held (m).
    pub(crate) alone: Vec<Vec3>,
    /// How much shorter its way has become (m), and who was ever held.
    shift: Vec<Vec3>,
    held: Vec<usize>,
    /// Bodies of one number go on together.
    group: Vec<usize>,
}

impl Ways {
    /// Straight ways, everybody for itself.
    pub(crate) fn start(&mut self, start: &[Vec3], end: &[Vec3]) {
        let n = end.len();
        self.origin.clear();
        self.origin.extend_from_slice(&start[..n.min(start.len())]);
        self.alone.clear();
        self.alone.extend(end.iter().zip(start).map(|(x, start)| x - start));
        self.way.clone_from(&self.alone);
        self.since.clear();
        self.since.resize(n, 0.0);
        self.shift.clear();
        self.shift.resize(n, Vec3::zeros());
        self.group.clear();
        self.group.extend(0..n);
        self.held.clear();
    }

    /// No relative way of the two that was or will be is longer (m), nor any change of it.
    pub(crate) fn reach(&self, pair: [usize; 2]) -> f64 {
        let between = |of: &[Vec3]| (of[pair[0]] - of[pair[1]]).norm();
        between(&self.alone) + between(&self.way) + between(&self.shift)
    }

    /// Whoever goes on with a body.
    fn together(&self, body: usize) -> Vec<usize> {
        let mut out: Vec<usize> = self.held.iter().copied().filter(|i| self.group[*i] == self.group[body]).collect();
        if out.is_empty() {
            out.push(body);
        }
        out
    }

    /// Two bodies touch after the share `part`: from then on the two and all that go with them go on together, with the mean of their ways
    /// weighted with their masses; along an axis on which one of them is prescribed, with its way. Where their companions want different things
    /// the two alone meet, and leave them. `free` is 1 on the axes along which a body can be held. Returns the bodies whose ways bend.
    pub(crate) fn join(&mut self, pair: [usize; 2], part: f64, mass: &[f64], free: &[Vec3]) -> Vec<usize> {
        let [mut a, mut b] = pair.map(|i| self.together(i));
        let (mut common, agreed) = self.common(&a, &b, mass, free);
        if !agreed {
            for i in pair {
                self.group[i] = self.alone_again(i);
            }
            (a, b) = (vec![pair[0]], vec![pair[1]]);
            // Two that are both prescribed along an axis keep their ways there.
            (common, _) = self.common(&a, &b, mass, free);
        }
        let number = self.group[pair[0]];
        let mut bent = Vec::new();
        for i in a.into_iter().chain(b) {
            self.group[i] = number;
            if !self.held.contains(&i) {
                self.held.push(i);
            }
            let by = (common - self.way[i]).component_mul(&free[i]);
            if by != Vec3::zeros() {
                self.origin[i] -= by * part;
                self.way[i] += by;
                self.shift[i] += by * (1.0 - part);
                self.since[i] = part;
                bent.push(i);
            }
        }
        bent
    }

    /// A number that no other body goes by.
    fn alone_again(&self, body: usize) -> usize {
        let others = || self.held.iter().filter(|i| **i != body).map(|i| self.group[*i]);
        if others().all(|number| number != body) { body } else { self.group.len() + 1 + others().max().unwrap_or(0) }
    }

    /// The way that the bodies of two lists go together, and whether they agree: along no axis are both held to different ways.
    fn common(&self, a: &[usize], b: &[usize], mass: &[f64], free: &[Vec3]) -> (Vec3, bool) {
        let (mut out, mut agreed) = (Vec3::zeros(), true);
        for k in 0..3 {
            let held = |of: &[usize]| of.iter().find(|i| free[**i][k] == 0.0).map(|i| self.way[*i][k]);
            out[k] = match (held(a), held(b)) {
                (Some(a), Some(b)) => {
                    agreed &= a == b;
                    a
                }
                (Some(way), None) | (None, Some(way)) => way,
                (None, None) => {
                    let all = || a.iter().chain(b);
                    all().map(|&i| mass[i] * self.way[i][k]).sum::<f64>() / all().map(|&i| mass[i]).sum::<f64>()
                }
            };
        }
        (out, agreed)
    }

    /// Everybody whose way has bent, and by how much its end has moved (m).
    pub(crate) fn shifts(&self) -> impl Iterator<Item = (usize, Vec3)> {
        self.held.iter().map(|&i| (i, self.shift[i]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cradle of unlike masses: the first one strikes the second, these two the third; momentum times time is the sum of m·Δx.
    #[test]
    fn a_blow_that_runs_through_a_row_keeps_the_centre_of_mass() {
        let mass = [1.0, 2.0, 5.0];
        let free = vec![Vec3::repeat(1.0); 3];
        let start: Vec<Vec3> = [0.0, 1.0, 2.0].map(|x| Vec3::x() * x).to_vec();
        let mut end = start.clone();
        end[0].x = 6.0;
        let mut ways = Ways::default();
        ways.start(&start, &end);
        assert_eq!(ways.join([0, 1], 0.1, &mass, &free), [0, 1]);
        assert_eq!((ways.way[0].x, ways.way[1].x), (2.0, 2.0));
        assert_eq!(ways.join([1, 2], 0.5, &mass, &free), [0, 1, 2]);
        assert!(ways.way.iter().all(|w| (w.x - 0.75).abs() < 1e-15));
        let moved: f64 = ways.shifts().map(|(i, by)| mass[i] * (ways.alone[i] + by).x).sum();
        assert!((moved - 6.0).abs() < 1e-14, "{moved}");
        // 0 → 0.6 with its own way, → 1.4 with the second, and on with both.
        let (_, by) = ways.shifts().find(|(i, _)| *i == 0).unwrap_or_default();
        assert!((6.0 + by.x - (0.6 + 0.8 + 0.375)).abs() < 1e-14, "{by}");
    }

    /// A body on a belt that comes to a wall: the two want different things, and it stays at the wall.
    #[test]
    fn companions_that_are_driven_apart_let_go() {
        let mass = [1.0; 3];
        let free = [Vec3::repeat(1.0), Vec3::zeros(), Vec3::zeros()];
        let start = vec![Vec3::zeros(); 3];
        let mut ways = Ways::default();
        ways.start(&start, &[Vec3::y() * -1.0, Vec3::x(), Vec3::zeros()]);
        ways.join([0, 1], 0.0, &mass, &free);
        assert_eq!(ways.way[0], Vec3::x());
        assert_eq!(ways.join([0, 2], 0.5, &mass, &free), [0]);
        assert_eq!((ways.way[0], ways.way[1]), (Vec3::zeros(), Vec3::x()));
        assert_eq!(ways.together(1), [1]);
    }
}
