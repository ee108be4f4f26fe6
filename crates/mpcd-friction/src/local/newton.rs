//! Linear systems `A_c (W x)_c + B_c x_c = b_c` with one pair of D×D blocks per contact: what every Newton method on
//! contact problems solves. Two eliminations of one system: to the contacts (blocks `A_c W_cd + δ_cd B_c`) or, where M
//! and H are known, to the unknowns of M (`M + Σ_c H_c G_c H_cᵀ`, `G = B⁻¹A`); the cheaper one is taken. Solutions are
//! refined with the stored W.

use super::block::{Block, BlockMatrix};
use super::bodies::{BodyForm, Lever, add_lever_product, lever_times_block};
use super::frontal::{Analysis, BlockSource, Factors};
use super::prepared::PreparedProblem;
use super::small::{apply, inverse, norm, product};
use super::work;

/// Rounds of iterative refinement at most.
const REFINEMENTS: usize = 3;
/// Residual relative to the right-hand side at which refinement ends.
const REFINED: f64 = 1e-13;

/// A Newton system over a fixed W; analysed once.
pub(super) struct NewtonSystem<const D: usize> {
    analysis: Analysis,
    factors: Factors,
    form: Form<D>,
    a: Vec<Block<D>>,
    b: Vec<Block<D>>,
}

enum Form<const D: usize> {
    Contacts(ContactForm<D>),
    Bodies(Box<BodySystem<D>>),
}

impl<const D: usize> NewtonSystem<D> {
    /// Analyses both eliminations where the problem has a body form, and keeps the cheaper one.
    pub(super) fn of(problem: &PreparedProblem<D>) -> Self {
        let w = &problem.local().delassus;
        let by_contacts = || {
            let columns = |c| if w.is_bordered() { (0..w.len()).collect() } else { w.row_columns(c).to_vec() };
            let neighbours: Vec<Vec<usize>> = (0..w.len()).map(columns).collect();
            let analysis = Analysis::new(&vec![D; w.len()], &neighbours);
            (analysis, Form::Contacts(ContactForm { blocks: Vec::new(), starts: Vec::new(), columns: neighbours }))
        };
        let by_bodies = problem.bodies().cloned().map(|bodies| {
            let neighbours = bodies.neighbours();
            let analysis = Analysis::with_last(&bodies.sizes, &neighbours, bodies.shared);
            (analysis, Form::Bodies(Box::new(BodySystem::new(bodies, neighbours))))
        });
        let (analysis, form) = match by_bodies {
            // contacts outnumber bodies in dense packings, and their graph is the line graph of the bodies': decide by
            // the entries first, so that the costlier graph need not be analysed
            Some(bodies) if bodies.0.flops() < 8.0 * (w.block_count() * D * D) as f64 => bodies,
            // with unknowns that all contacts share their graph is complete
            Some(bodies) if w.is_bordered() && bodies.0.flops() <= 2.0 / 3.0 * ((D * w.len()) as f64).powi(3) => bodies,
            Some(bodies) => {
                let contacts = by_contacts();
                if bodies.0.flops() <= contacts.0.flops() { bodies } else { contacts }
            }
            None => by_contacts(),
        };
        Self { analysis, factors: Factors::default(), form, a: Vec::new(), b: Vec::new() }
    }

    /// Floating-point operations of one factorisation.
    pub(super) fn flops(&self) -> f64 {
        self.analysis.flops()
    }

    /// Factorises for these blocks. `b` must be regular where the system is eliminated to the bodies; singular blocks
    /// get zero conductance there.
    pub(super) fn factorise(&mut self, problem: &PreparedProblem<D>, a: &[Block<D>], b: &[Block<D>]) {
        let w = &problem.local().delassus;
        work::count(self.analysis.flops() as u64);
        self.a.clear();
        self.a.extend_from_slice(a);
        self.b.clear();
        self.b.extend_from_slice(b);
        match &mut self.form {
            Form::Contacts(form) => {
                work::count((2 * D * D * D * w.block_count()) as u64);
                form.fill(w, a, b);
                self.factors.factorise(&self.analysis, form);
            }
            Form::Bodies(form) => {
                work::count(form.fill_operations());
                form.fill(a, b);
                self.factors.factorise(&self.analysis, &**form);
            }
        }
    }

    /// Sign of the determinant of the last system.
    pub(super) fn sign(&self) -> f64 {
        let blocks = match &self.form {
            Form::Contacts(_) => 1.0,
            Form::Bodies(_) => self.b.iter().map(|b| determinant(b).signum()).product(),
        };
        blocks * self.factors.sign
    }

    /// Solves; returns the residual relative to the right-hand side.
    pub(super) fn solve(&mut self, problem: &PreparedProblem<D>, rhs: &[[f64; D]], x: &mut Vec<[f64; D]>) -> f64 {
        let w = &problem.local().delassus;
        let size = norm(rhs);
        x.clear();
        x.resize(rhs.len(), [0.0; D]);
        if size == 0.0 {
            return 0.0;
        }
        let mut residual = rhs.to_vec();
        let mut best = f64::INFINITY;
        for _ in 0..=REFINEMENTS {
            let step = self.solve_once(&residual);
            let mut next = x.clone();
            for (value, s) in next.iter_mut().zip(&step) {
                for k in 0..D {
                    value[k] += s[k];
                }
            }
            let mut left = vec![[0.0; D]; rhs.len()];
            let response = w.response(&next);
            for c in 0..rhs.len() {
                let au = apply(&self.a[c], &w.row_with(c, &next, &response));
                let bx = apply(&self.b[c], &next[c]);
                for k in 0..D {
                    left[c][k] = rhs[c][k] - au[k] - bx[k];
                }
            }
            let error = norm(&left) / size;
            if !(error < best) {
                break;
            }
            let slow = error > 0.5 * best;
            best = error;
            *x = next;
            residual = left;
            if error < REFINED || slow {
                break;
            }
        }
        best
    }

    fn solve_once(&mut self, rhs: &[[f64; D]]) -> Vec<[f64; D]> {
        work::count(self.analysis.solve_flops() as u64);
        match &self.form {
            Form::Contacts(_) => {
                let mut x: Vec<f64> = rhs.iter().flatten().copied().collect();
                self.factors.solve(&self.analysis, &mut x);
                x.chunks_exact(D).map(|c| std::array::from_fn(|k| c[k])).collect()
            }
            Form::Bodies(form) => {
                let mut v = form.load(rhs);
                self.factors.solve(&self.analysis, &mut v);
                form.impulses(rhs, &v)
            }
        }
    }
}

/// Blocks `A_c W_cd + δ_cd B_c`.
struct ContactForm<const D: usize> {
    blocks: Vec<Block<D>>,
    starts: Vec<usize>,
    columns: Vec<Vec<usize>>,
}

impl<const D: usize> ContactForm<D> {
    fn fill(&mut self, w: &BlockMatrix<D>, a: &[Block<D>], b: &[Block<D>]) {
        self.blocks.clear();
        self.starts.clear();
        for row in 0..w.len() {
            self.starts.push(self.blocks.len());
            for (column, block) in w.row(row) {
                let mut value = product(&a[row], &block);
                if column == row {
                    for i in 0..D {
                        for j in 0..D {
                            value[i][j] += b[row][i][j];
                        }
                    }
                }
                self.blocks.push(value);
            }
        }
    }
}

impl<const D: usize> BlockSource for ContactForm<D> {
    fn values(&self) -> &[f64] {
        self.blocks.as_flattened().as_flattened()
    }

    fn start(&self, row: usize, column: usize) -> Option<usize> {
        let at = self.columns[row].binary_search(&column).ok()?;
        Some((self.starts[row] + at) * D * D)
    }

    fn neighbours(&self, node: usize) -> &[usize] {
        &self.columns[node]
    }
}

/// `M + Σ_c H_c G_c H_cᵀ` by node blocks.
struct BodySystem<const D: usize> {
    bodies: BodyForm<D>,
    neighbours: Vec<Vec<usize>>,
    starts: Vec<usize>,
    block_starts: Vec<usize>,
    block_row: Vec<usize>,
    /// Starts of the blocks that the pairs of levers of each contact add to, in the order of [`Self::fill`].
    pair_starts: Vec<usize>,
    values: Vec<f64>,
    mass_values: Vec<f64>,
    conductance: Vec<Block<D>>,
    inverse: Vec<Block<D>>,
}

impl<const D: usize> BodySystem<D> {
    /// Operations of one [`Self::fill`]: conductances, and `H_a G H_bᵀ` for every pair of levers of a contact.
    fn fill_operations(&self) -> u64 {
        let size = |levers: &[Lever<D>]| levers.iter().map(|l| l.rows.len()).sum::<usize>();
        let contact = |levers: &Vec<Lever<D>>| 4 * D.pow(3) + 2 * D * size(levers) * (D + size(levers));
        self.bodies.levers.iter().map(contact).sum::<usize>() as u64
    }

    fn new(bodies: BodyForm<D>, neighbours: Vec<Vec<usize>>) -> Self {
        let mut starts = vec![0];
        let (mut block_row, mut block_starts) = (Vec::new(), Vec::new());
        let mut total = 0;
        for (node, list) in neighbours.iter().enumerate() {
            starts.push(starts[node] + bodies.sizes[node]);
            block_row.push(block_starts.len());
            for &other in list {
                block_starts.push(total);
                total += bodies.sizes[node] * bodies.sizes[other];
            }
        }
        let contacts = bodies.levers.len();
        let pairs = bodies.levers.iter().flat_map(|levers| levers.iter().flat_map(|a| levers.iter().map(|b| (a.node, b.node))));
        let pair_starts = pairs.filter_map(|(a, b)| block_start(&neighbours, &block_row, &block_starts, a, b)).collect();
        let mut system = Self {
            bodies,
            neighbours,
            starts,
            block_starts,
            block_row,
            pair_starts,
            values: vec![0.0; total],
            mass_values: vec![0.0; total],
            conductance: vec![[[0.0; D]; D]; contacts],
            inverse: vec![[[0.0; D]; D]; contacts],
        };
        for (row, column, block) in &system.bodies.mass {
            if let Some(start) = block_start(&system.neighbours, &system.block_row, &system.block_starts, *row, *column) {
                system.mass_values[start..start + block.len()].copy_from_slice(block);
            }
        }
        system
    }

    fn fill(&mut self, a: &[Block<D>], b: &[Block<D>]) {
        self.values.copy_from_slice(&self.mass_values);
        let mut starts = self.pair_starts.iter();
        let mut left = Vec::new();
        for (contact, levers) in self.bodies.levers.iter().enumerate() {
            let inv = inverse(&b[contact]).unwrap_or([[0.0; D]; D]);
            let g = product(&inv, &a[contact]);
            self.inverse[contact] = inv;
            self.conductance[contact] = g;
            for row in levers {
                lever_times_block(row, &g, &mut left);
                for (column, &start) in levers.iter().zip(starts.by_ref()) {
                    let length = row.rows.len() * column.rows.len();
                    add_lever_product(&mut self.values[start..start + length], &left, column);
                }
            }
        }
    }

    /// `H B⁻¹ b`.
    fn load(&self, rhs: &[[f64; D]]) -> Vec<f64> {
        let mut v = vec![0.0; self.starts.last().copied().unwrap_or(0)];
        for ((levers, inv), b) in self.bodies.levers.iter().zip(&self.inverse).zip(rhs) {
            let y = apply(inv, b);
            for lever in levers {
                for (value, row) in v[self.starts[lever.node]..].iter_mut().zip(&lever.rows) {
                    *value += (0..D).map(|k| row[k] * y[k]).sum::<f64>();
                }
            }
        }
        v
    }

    /// `x = B⁻¹ b − G Hᵀ v`.
    fn impulses(&self, rhs: &[[f64; D]], v: &[f64]) -> Vec<[f64; D]> {
        (0..rhs.len())
            .map(|c| {
                let mut u = [0.0; D];
                for lever in &self.bodies.levers[c] {
                    for (value, row) in v[self.starts[lever.node]..].iter().zip(&lever.rows) {
                        for k in 0..D {
                            u[k] += row[k] * value;
                        }
                    }
                }
                let (y, z) = (apply(&self.inverse[c], &rhs[c]), apply(&self.conductance[c], &u));
                std::array::from_fn(|k| y[k] - z[k])
            })
            .collect()
    }
}

fn block_start(
    neighbours: &[Vec<usize>],
    block_row: &[usize],
    block_starts: &[usize],
    row: usize,
    column: usize,
) -> Option<usize> {
    let at = neighbours[row].binary_search(&column).ok()?;
    block_starts.get(block_row[row] + at).copied()
}

impl<const D: usize> BlockSource for BodySystem<D> {
    fn values(&self) -> &[f64] {
        &self.values
    }

    fn start(&self, row: usize, column: usize) -> Option<usize> {
        block_start(&self.neighbours, &self.block_row, &self.block_starts, row, column)
    }

    fn neighbours(&self, node: usize) -> &[usize] {
        &self.neighbours[node]
    }
}

fn determinant<const D: usize>(b: &Block<D>) -> f64 {
    let two = |i: usize, j: usize, k: usize, l: usize| b[i][k] * b[j][l] - b[i][l] * b[j][k];
    if D == 2 { two(0, 1, 0, 1) } else { b[0][0] * two(1, 2, 1, 2) - b[0][1] * two(1, 2, 0, 2) + b[0][2] * two(1, 2, 0, 1) }
}
