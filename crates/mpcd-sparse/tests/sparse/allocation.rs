//! After the first time, refilling, factorising and solving take no memory. Counted for this thread by the allocator.
#![allow(unsafe_code, reason = "an allocator is an unsafe trait; it only counts and passes on")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use mpcd_sparse::{
    CgParams, CgWorkspace, Cholesky, Compensated, Goal, IncompleteCholesky, Islands, Jacobi, Ordering, SymmetricPattern,
    SymmetricSystem, SystemMethod, reduce, solve_cg,
};

use crate::graphs::{Numbers, grid, grounded_laplacian};

struct Counting;

thread_local! {
    static TAKEN: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every call is passed on unchanged to the system's allocator; counting touches a thread-local number only.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = TAKEN.try_with(|taken| taken.set(taken.get() + 1));
        // SAFETY: the caller's promise, passed on.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise, passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn taken_by(work: impl FnOnce()) -> usize {
    let before = TAKEN.with(Cell::get);
    work();
    TAKEN.with(Cell::get) - before
}

#[test]
fn nothing_after_the_first_time() {
    assert!(taken_by(|| drop(vec![1u8; 100])) == 1, "the counter must count");
    let (nx, ny, nz) = (20, 20, 12);
    let pattern = SymmetricPattern::from_edges(nx * ny * nz, &grid(nx, ny, nz)).unwrap();
    let mut matrix = grounded_laplacian(&pattern, &mut Numbers(2));
    let n = matrix.size();
    let (b, mut x, known) = (vec![1.0; n], vec![0.0; n], vec![None; n]);
    let (mut jacobi, mut incomplete) = (Jacobi::new(&matrix).unwrap(), IncompleteCholesky::new(&matrix).unwrap());
    let mut workspace = CgWorkspace::default();
    let mut islands = Islands::of(n, pattern.edges().iter().copied());
    for ordering in [Ordering::MinimumDegree, Ordering::NestedDissection { block: 1 }] {
        let mut cholesky = Cholesky::analyse_with(&pattern, ordering).unwrap();
        let mut step = || {
            matrix.clear();
            for edge in 0..pattern.edges().len() {
                matrix.add_conductance(edge, 1.0);
            }
            matrix.add_diagonal(0, 1.0);
            x.copy_from_slice(&b);
            matrix.hold(&known, &mut x).unwrap();
            cholesky.factorise(&matrix).unwrap();
            cholesky.solve_in_place(&mut x).unwrap();
            jacobi.update(&matrix).unwrap();
            incomplete.update(&matrix).unwrap();
            x.fill(0.0);
            let params = CgParams { tolerance: 1e-6, max_iterations: 50 };
            solve_cg(&matrix, &b, &mut x, &incomplete, params, &mut workspace).unwrap();
            solve_cg(&matrix, &b, &mut x, &jacobi, params, &mut workspace).unwrap();
            islands.update(n, pattern.edges().iter().copied());
            assert!(reduce::sum(&x).is_finite());
        };
        step();
        assert_eq!(taken_by(step), 0, "{ordering:?}");
    }
}

#[test]
fn a_system_takes_nothing_after_the_first_time() {
    let edges = grid(12, 10, 5);
    let (size, mut system, mut solution) = (600, SymmetricSystem::default(), Compensated::default());
    let (b, mut x) = (vec![1.0; size], vec![0.0; size]);
    let mut step = || {
        solution.reset((0..size).map(|_| 0.0));
        for method in [SystemMethod::Cholesky, SystemMethod::ConjugateGradients] {
            let fill = |m: &mut mpcd_sparse::SymmetricMatrix| (0..edges.len()).for_each(|edge| m.add_conductance(edge, 1.0));
            system.refill(size, edges.iter().copied(), fill, |node| node == 0).unwrap();
            system.prepare(method).unwrap();
            system.solve(&b, &mut x, Goal { rest: 1e-6, max_iterations: 100 }).unwrap();
            solution.add(&x);
        }
    };
    step();
    assert_eq!(taken_by(step), 0);
}
