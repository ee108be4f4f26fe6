//! Rigid bodies that bilateral rows join, taken together: what is left of their motions is one compliance at the contacts of each such group, beside which
//! every solver works as beside a deformable body. No laws here.
//!
//! With `M⁻¹ = F Fᵀ` the velocities are `v = v₀ + F y`, and the rows ask `A y = −(J v₀ + b)`, `A = J F`; a compliance of a row is an unknown more, `√c`.
//! An orthogonal factorisation with pivots, `Aᵀ Π = Q R`, ends at the rank of the rows: its first columns of Q are what the rows take, and the others the
//! motions that they leave. With `G = H F Q` at the contacts the response of the bodies is `G₂ G₂ᵀ = H (M⁻¹ − M⁻¹Jᵀ (J M⁻¹ Jᵀ)⁺ J M⁻¹) Hᵀ`: no difference
//! of great numbers where light bodies hang on heavy ones, and rows that repeat others (rings of welds) need no special case.

use nalgebra::{DMatrix, Matrix3};

use super::{Bilateral, Row, Vec3};
use crate::problem::{Compliance, ContactDimension, ContactProblem};

/// Share of the first pivot below which a row repeats others.
const REPEATED: f64 = 1e-8;
/// Operations of a factorisation (dof · rows²), and contacts of a group, above which it is not taken together: both are dense.
const MOST_WORK: f64 = 4e9;
const MOST_CONTACTS: usize = 700;

/// Unknowns of the bodies of a group: where those of each body begin, and `F` of each, columns of translation and of turning.
struct Unknowns {
    /// Body, first unknown, roots of the inverse masses, and a root of the inverse inertia.
    bodies: Vec<(usize, usize, Vec3, Matrix3<f64>)>,
    each: usize,
    planar: bool,
    count: usize,
}

impl Unknowns {
    fn of(problem: &ContactProblem, bodies: &[usize]) -> Self {
        let planar = problem.dimension == ContactDimension::Two;
        let each = if planar { 3 } else { 6 };
        let one = |(k, &body): (usize, &usize)| {
            let node = &problem.bodies[body];
            let inertia = node.inverse_inertia.matrix();
            let root = if planar {
                Matrix3::from_diagonal(&inertia.diagonal().map(f64::sqrt))
            } else {
                let axes = inertia.symmetric_eigen();
                axes.eigenvectors * Matrix3::from_diagonal(&axes.eigenvalues.map(|x| x.max(0.0).sqrt()))
            };
            (body, each * k, node.inverse_mass.map(f64::sqrt), root)
        };
        Self { bodies: bodies.iter().enumerate().map(one).collect(), each, planar, count: each * bodies.len() }
    }

    /// What each unknown does to a row, into a column.
    fn column(&self, row: &Row, into: &mut [f64]) {
        for side in 0..2 {
            let Ok(place) = self.bodies.binary_search_by_key(&row.bodies[side], |b| b.0) else { continue };
            let (_, start, mass, root) = &self.bodies[place];
            let (force, moment) = (row.forces[side].component_mul(mass), root.transpose() * row.moments[side]);
            let own = &mut into[*start..start + self.each];
            if self.planar {
                (own[0], own[1], own[2]) = (own[0] + force.x, own[1] + force.y, own[2] + moment.z);
            } else {
                (0..3).for_each(|k| (own[k], own[3 + k]) = (own[k] + force[k], own[3 + k] + moment[k]));
            }
        }
    }
}

impl Bilateral {
    /// The compliance that each group of bodies has at the contacts before `first`, while the bilateral rows from `first` on hold; `group` gives the number of a
    /// body's group, of so many. The velocities of the problem are those of the impulses of these rows, and of no others. `None` where a contact there resists turning, or where
    /// a group is too large.
    pub fn reduce(
        &mut self,
        problem: &ContactProblem,
        first: usize,
        (group, groups): (&dyn Fn(usize) -> Option<usize>, usize),
    ) -> Option<Vec<Compliance>> {
        self.gather(problem);
        let mut rows: Vec<Vec<Row>> = vec![Vec::new(); groups];
        for row in self.rows.iter().filter(|row| row.contact >= first) {
            if let Some(k) = row.bodies.iter().find_map(|&b| group(b)) {
                rows[k].push(*row);
            }
        }
        let mut contacts: Vec<Vec<usize>> = vec![Vec::new(); groups];
        for (index, contact) in problem.contacts[..first].iter().enumerate() {
            let [a, b] = [group(contact.candidate), group(contact.antagonist)];
            let both = [a, b.filter(|_| a != b)];
            if contact.angular().is_some() && both != [None; 2] {
                return None;
            }
            both.into_iter().flatten().for_each(|k| contacts[k].push(index));
        }
        let mut bodies: Vec<Vec<usize>> = vec![Vec::new(); groups];
        for body in 0..problem.bodies.len() {
            if let Some(k) = group(body) {
                bodies[k].push(body);
            }
        }
        let all = bodies.iter().zip(&rows).zip(contacts).filter(|(_, contacts)| !contacts.is_empty());
        all.map(|((bodies, rows), contacts)| taken_together(problem, bodies, rows, contacts)).collect()
    }
}

/// The compliance of a group at its contacts.
fn taken_together(problem: &ContactProblem, bodies: &[usize], rows: &[Row], contacts: Vec<usize>) -> Option<Compliance> {
    let unknowns = Unknowns::of(problem, bodies);
    let soft: Vec<usize> = (0..rows.len()).filter(|k| rows[*k].compliance > 0.0).collect();
    let size = unknowns.count + soft.len();
    let work = (size * rows.len()) as f64 * rows.len() as f64;
    if work > MOST_WORK || contacts.len() > MOST_CONTACTS {
        return None;
    }
    let mut a = DMatrix::zeros(size, rows.len());
    for (k, row) in rows.iter().enumerate() {
        let mut column = a.column_mut(k);
        unknowns.column(row, &mut column.as_mut_slice()[..unknowns.count]);
        if let Ok(at) = soft.binary_search(&k) {
            column[unknowns.count + at] = row.compliance.sqrt();
        }
        column *= row.scale;
    }
    let dimensions = if unknowns.planar { 2 } else { 3 };
    let own: Vec<Row> = contacts
        .iter()
        .flat_map(|&index| (0..dimensions).map(move |k| (index, k)))
        .map(|(index, k)| at_contact(problem, &unknowns, index, k))
        .collect();
    let mut g = DMatrix::zeros(size, own.len());
    for (k, row) in own.iter().enumerate() {
        unknowns.column(row, &mut g.column_mut(k).as_mut_slice()[..unknowns.count]);
    }
    // What the rows take, and y on it.
    let taken = close(problem, rows, a, &mut g);
    let rank = taken.len();
    let mut velocity = vec![Vec3::zeros(); contacts.len()];
    let mut matrix = DMatrix::zeros(3 * contacts.len(), 3 * contacts.len());
    let left = g.rows(rank, size - rank);
    let at = |k: usize| 3 * (k / dimensions) + k % dimensions;
    for (j, row) in own.iter().enumerate() {
        velocity[j / dimensions][j % dimensions] =
            row.lacks(problem) + g.column(j).iter().zip(&taken).map(|(g, y)| g * y).sum::<f64>();
        for i in 0..=j {
            let response = left.column(i).dot(&left.column(j));
            (matrix[(at(i), at(j))], matrix[(at(j), at(i))]) = (response, response);
        }
    }
    let numbers = velocity.iter().all(|v| v.iter().all(|x| x.is_finite())) && matrix.iter().all(|x| x.is_finite());
    numbers.then_some(Compliance { contacts, velocity, matrix, is_rigid: true })
}

/// Takes the rows out, `a` having one a column: turns `g` by Qᵀ, and says what the rows take of y, one number for each that repeats no other.
fn close(problem: &ContactProblem, rows: &[Row], mut a: DMatrix<f64>, g: &mut DMatrix<f64>) -> Vec<f64> {
    let order = factorise(&mut a, g);
    // Rᵀ y = what they lack, from the first pivot on
    let mut taken: Vec<f64> = Vec::with_capacity(order.len());
    for (k, row) in order.iter().map(|k| &rows[*k]).enumerate() {
        let before: f64 = taken.iter().enumerate().map(|(i, y)| a[(i, k)] * y).sum();
        taken.push((-row.lacks(problem) * row.scale - before) / a[(k, k)]);
    }
    taken
}

/// Aᵀ Π = Q R by Householder's reflections with the greatest column next (Businger and Golub 1965, doi:10.1007/BF01436084), as far as columns repeat no
/// others; `a` becomes R, and `g` Qᵀ g. The columns in the order of their pivots, which are as many as the rank.
fn factorise(a: &mut DMatrix<f64>, g: &mut DMatrix<f64>) -> Vec<usize> {
    let (size, columns) = a.shape();
    let mut order: Vec<usize> = (0..columns).collect();
    let mut greatest = 0.0;
    for k in 0..size.min(columns) {
        let squares = |c: usize| a.column(c).rows(k, size - k).norm_squared();
        let (mut pivot, mut norm) = (k, squares(k));
        for c in k + 1..columns {
            let other = squares(c);
            if other > norm {
                (pivot, norm) = (c, other);
            }
        }
        let norm = norm.sqrt();
        if k == 0 {
            greatest = norm;
        }
        let counts = norm > REPEATED * greatest;
        if !counts {
            order.truncate(k);
            return order;
        }
        a.swap_columns(k, pivot);
        order.swap(k, pivot);
        let mut mirror: Vec<f64> = a.column(k).rows(k, size - k).iter().copied().collect();
        let on_axis = if mirror[0] > 0.0 { -norm } else { norm };
        mirror[0] -= on_axis;
        let half = 2.0 / mirror.iter().map(|x| x * x).sum::<f64>();
        let reflect = |of: &mut DMatrix<f64>, from: usize| {
            for c in from..of.ncols() {
                let mut column = of.column_mut(c);
                let own = &mut column.as_mut_slice()[k..];
                let along = half * own.iter().zip(&mirror).map(|(x, m)| x * m).sum::<f64>();
                own.iter_mut().zip(&mirror).for_each(|(x, m)| *x -= along * m);
            }
        };
        reflect(a, k + 1);
        reflect(g, 0);
        a[(k, k)] = on_axis;
    }
    order.truncate(size.min(columns));
    order
}

/// The row of component `k` of a contact, on the side of the group alone.
fn at_contact(problem: &ContactProblem, unknowns: &Unknowns, index: usize, k: usize) -> Row {
    let contact = &problem.contacts[index];
    let axes = [contact.frame.normal(), contact.frame.tangent(), &contact.frame.binormal()];
    let mut row = Row { shift: 0.0, compliance: 0.0, ..Row::of_impulse(contact, index, k, axes[k]) };
    for side in 0..2 {
        if unknowns.bodies.binary_search_by_key(&row.bodies[side], |b| b.0).is_err() {
            (row.forces[side], row.moments[side]) = (Vec3::zeros(), Vec3::zeros());
        }
    }
    row
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use crate::Cone;
    use crate::problem::{Angular, Body, Contact, Frame};

    fn frame(k: f64) -> Frame {
        Frame::from_normal(Vec3::new(k.sin(), (2.0 * k).cos(), 0.3 * k))
    }

    fn lever(k: f64) -> Vec3 {
        Vec3::new((3.0 * k).cos(), 0.2 * k, k.sin()) * 0.3
    }

    fn inertia(scale: f64) -> Matrix3<f64> {
        Matrix3::new(2.0, 0.3, -0.1, 0.3, 1.5, 0.2, -0.1, 0.2, 0.7) * scale
    }

    /// Three contacts of a ball and two blocks, the second one so many times as heavy; then a pin of the blocks, a rod of ball and block, the pin once more, and
    /// a spring of ball and ground.
    fn problem(ratio: f64) -> ContactProblem {
        let mut problem = ContactProblem::new(ContactDimension::Three);
        let still = problem.push_body(Body::fixed());
        let ball = problem.push_body(Body::ball(Vec3::new(0.1, -0.2, 0.3), Vec3::new(0.5, 0.0, -0.1), 2.0, 4.0));
        let block = problem.push_body(Body::free(Vec3::new(-0.3, 0.1, 0.2), Vec3::zeros(), 0.5, inertia(1.0)));
        let heavy = problem.push_body(Body::free(Vec3::new(0.2, 0.0, -0.1), Vec3::z(), 0.8 / ratio, inertia(1.0 / ratio)));
        let outside = problem.push_body(Body::ball(Vec3::x(), Vec3::y(), 1.0, 1.0));
        let contact = |c: usize, a: usize, k: f64| Contact::new(c, a, frame(k), lever(k), lever(k + 0.5));
        problem.push_contact(contact(block, outside, 1.0));
        problem.push_contact(contact(ball, still, 2.0));
        problem.push_contact(contact(heavy, block, 3.0));
        let pin = contact(block, heavy, 4.0).with_cone(Cone::Bilateral);
        problem.push_contact(pin.clone());
        problem.push_contact(contact(ball, block, 5.0).with_cone(Cone::BilateralNormal));
        problem.push_contact(pin);
        let mut spring = contact(ball, still, 6.0).with_cone(Cone::BilateralNormal).with_velocity_shift(Vec3::x() * 0.4);
        spring.compliance.x = 0.7;
        problem.push_contact(spring);
        problem
    }

    const FIRST: usize = 3;

    fn is_held(body: usize) -> Option<usize> {
        (1..=3).contains(&body).then_some(0)
    }

    /// Velocities of the contacts once the rows hold, by the solution of the whole with this impulse.
    fn closed(of: &ContactProblem, pushed: Option<(usize, usize)>) -> Vec<Vec3> {
        let mut problem = of.clone();
        if let Some((contact, k)) = pushed {
            problem.contacts[contact].impulse[k] = 1.0;
        }
        problem.rebuild(&of.bodies, |i| is_held(i).is_some());
        Bilateral::default().settle(&mut problem, 0);
        (0..FIRST).map(|k| problem.relative_velocity(k).unwrap_or_default()).collect()
    }

    /// What a group answers to a unit impulse is what the whole does, a pin that stands there twice being no other than one; for a body a million times as heavy too.
    #[test]
    fn a_group_answers_as_the_whole_does() {
        for ratio in [1.0, 1e6] {
            let problem = problem(ratio);
            let all = Bilateral::default().reduce(&problem, FIRST, (&is_held, 1)).unwrap();
            assert_eq!(all.len(), 1, "one group");
            let together = &all[0];
            assert_eq!(together.contacts, [0, 1, 2]);
            let base = closed(&problem, None);
            let others =
                problem.contacts[0].frame.to_local(&-problem.bodies[4].velocity_at(&problem.contacts[0].antagonist_lever));
            for (at, base) in base.iter().enumerate() {
                let own = base - if at == 0 { others } else { Vec3::zeros() };
                assert!((together.velocity[at] - own).norm() < 1e-10, "{at}: {} {own}", together.velocity[at]);
            }
            for (contact, k) in (0..FIRST).flat_map(|c| (0..3).map(move |k| (c, k))) {
                let after = closed(&problem, Some((contact, k)));
                for at in 0..FIRST {
                    let found = together.block(at, contact).column(k) - (after[at] - base[at]);
                    assert!(found.norm() < 1e-9, "{ratio:e}: {contact}.{k} at {at}: {found}");
                }
            }
            // 18 motions, 3 + 1 rows taken out, and a spring
            let rank = together.matrix.clone().symmetric_eigenvalues().iter().filter(|x| **x > 1e-12).count();
            assert_eq!(rank, 9);
        }
    }

    /// Two welded bodies answer as the one body that they are, with its mass and inertia (Huygens–Steiner): contacts on both of them.
    #[test]
    fn a_weld_answers_as_one_body() {
        for ratio in [1.0, 1e6] {
            let mut pair = ContactProblem::new(ContactDimension::Three);
            let still = pair.push_body(Body::fixed());
            let (masses, own) = ([2.0, 3.0 * ratio], [0.4, 0.7 * ratio]);
            let places = [Vec3::new(0.5, 0.1, -0.2), Vec3::new(-0.3, 0.2, 0.4)];
            let bodies = [0, 1].map(|k| pair.push_body(Body::ball(Vec3::zeros(), Vec3::zeros(), 1.0 / masses[k], 1.0 / own[k])));
            let mut one = pair.clone();
            let mass = masses[0] + masses[1];
            let centre = (places[0] * masses[0] + places[1] * masses[1]) / mass;
            let steiner = |k: usize| {
                let arm = places[k] - centre;
                Matrix3::from_diagonal_element(own[k] + masses[k] * arm.norm_squared()) - arm * arm.transpose() * masses[k]
            };
            let whole = (steiner(0) + steiner(1)).try_inverse().unwrap();
            let body = one.push_body(Body::free(Vec3::zeros(), Vec3::zeros(), 1.0 / mass, whole));
            for (k, at) in [(0, Vec3::new(0.7, 0.0, 0.1)), (1, Vec3::new(-0.5, 0.1, 0.6)), (1, Vec3::new(0.0, -0.4, 0.2))] {
                pair.push_contact(Contact::new(bodies[k], still, frame(at.x), at - places[k], Vec3::zeros()));
                one.push_contact(Contact::new(body, still, frame(at.x), at - centre, Vec3::zeros()));
            }
            let middle = Vec3::new(0.1, 0.1, 0.1);
            let mut weld = Contact::new(bodies[0], bodies[1], frame(0.0), middle - places[0], middle - places[1]);
            weld = weld.with_cone(Cone::Bilateral);
            weld.set_angular(Some(Angular::weld(Vec3::zeros())));
            pair.push_contact(weld);
            let group = |body: usize| bodies.contains(&body).then_some(0);
            let pair = Bilateral::default().reduce(&pair, 3, (&group, 1)).unwrap();
            let one = Bilateral::default().reduce(&one, 3, (&|i| (i == body).then_some(0), 1)).unwrap();
            let off = (&pair[0].matrix - &one[0].matrix).norm() / one[0].matrix.norm();
            assert!(off < 1e-8, "{ratio:e}: {off:e}");
        }
    }
}
