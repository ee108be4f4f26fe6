//! What a step allocates once a pile has settled: nothing that grows with its contacts or bodies. A binary of its own, for it counts with an
//! allocator of its own.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "tests")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use std::path::Path;

use mpcd::{Registry, StandardRegistry};
use mpcd_sim::{Model, Simulation};

/// The system's allocator with a count of what is asked for while `COUNTS`.
struct Counting;

static COUNTS: AtomicBool = AtomicBool::new(false);
static CALLS: AtomicU64 = AtomicU64::new(0);
static BYTES: AtomicU64 = AtomicU64::new(0);
static LARGEST: AtomicU64 = AtomicU64::new(0);

fn count(bytes: usize) {
    if COUNTS.load(Relaxed) {
        CALLS.fetch_add(1, Relaxed);
        BYTES.fetch_add(bytes as u64, Relaxed);
        LARGEST.fetch_max(bytes as u64, Relaxed);
    }
}

#[allow(unsafe_code, reason = "an allocator cannot be written without; every call goes to the system's as it came")]
// SAFETY: all is handed to `System`, whose promises hold; counting touches three numbers and allocates nothing
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: the caller's promise
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise
        unsafe { System.dealloc(at, layout) }
    }
    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // what gives room back asks for none
        if size > layout.size() {
            count(size);
        }
        // SAFETY: the caller's promise
        unsafe { System.realloc(at, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// What was asked for in some steps.
#[derive(Debug, Clone, Copy)]
struct Asked {
    contacts: usize,
    calls: f64,
    bytes: f64,
    largest: u64,
}

/// Spheres under `law` that fall into a box and come to rest within 0.3 s; `side` in m.
fn pile(law: &str, count: u32, side: f64) -> String {
    format!(
        r#"(
  title: "pile", dimension: 3, gravity: (0, 0, -9.81), time: (step: "1 ms", end: "1 s"),
  materials: {{ "glass": (density: "2500 kg/m^3") }},
  bodies: [
    (group: "spheres", material: "glass", packing: Lattice(
      from: (0, 0, 0), to: ({side}, {side}, 0.6), sizes: Uniform(min: "4 mm", max: "6 mm"), jitter: 0.5, seed: 7, count: {count})),
    (group: "box", material: "glass", shape: Plane(normal: (0, 0, 1))),
    (group: "box", material: "glass", shape: Plane(normal: (1, 0, 0))),
    (group: "box", material: "glass", shape: Plane(normal: (-1, 0, 0)), at: ({side}, 0, 0)),
    (group: "box", material: "glass", shape: Plane(normal: (0, 1, 0))),
    (group: "box", material: "glass", shape: Plane(normal: (0, -1, 0)), at: (0, {side}, 0)),
  ],
  interactions: [
    (between: ("spheres", "spheres"), law: {law}),
    (between: ("spheres", "box"), law: {law}),
  ],
  physics: [Contact(tolerance: 1e-3, solver: "nlgs-accelerated")],
)"#
    )
}

/// Steps until the pile rests, and those that are counted after.
/// By then the buffers that only some steps want are made as well.
const SETTLES: u32 = 400;
const STEPS: u32 = 20;

/// Lets the pile come to rest, then counts what a step asks for.
fn measure(law: &str, count: u32, side: f64) -> Asked {
    let model = Model::parse_with(&pile(law, count, side), "pile", "pile.ron", Path::new("."), &[], &mpcd::shapes());
    let model = model.unwrap_or_else(|e| panic!("{e}"));
    let mut simulation = Simulation::build(&model, &Registry::standard()).unwrap_or_else(|e| panic!("{e}"));
    let mut most = (0..SETTLES).map(|_| simulation.step().unwrap().contacts).max().unwrap_or(0);
    let counters = [&CALLS, &BYTES, &LARGEST];
    counters.iter().for_each(|count| count.store(0, Relaxed));
    let (mut contacts, mut steps) = (0, 0);
    while steps < STEPS {
        let before = counters.map(|count| count.load(Relaxed));
        COUNTS.store(true, Relaxed);
        contacts = simulation.step().unwrap().contacts;
        COUNTS.store(false, Relaxed);
        if contacts > most {
            // more than there ever were: buffers may grow
            most = contacts;
            counters.iter().zip(before).for_each(|(count, before)| count.store(before, Relaxed));
        } else {
            steps += 1;
        }
    }
    let per_step = |count: &AtomicU64| count.load(Relaxed) as f64 / f64::from(STEPS);
    Asked { contacts, calls: per_step(&CALLS), bytes: per_step(&BYTES), largest: LARGEST.load(Relaxed) }
}

/// What a step may ask for whatever its size: words and short lists of its report.
const CALLS_AT_MOST: f64 = 40.0;
const BYTES_AT_MOST: f64 = 8_192.0;
const LARGEST_AT_MOST: u64 = 2_048;

/// Four times the contacts, no more allocations or bytes: a step's report is made anew, buffers are not. Nor are laws of turning, which lie apart from their contacts.
#[test]
fn a_settled_step_allocates_nothing_that_grows_with_contacts() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    for law in ["Coulomb(friction: 0.3)", "Coulomb(friction: 0.3, rolling: \"0.1 mm\", spinning: \"0.1 mm\")"] {
        let [small, large] = pool.install(|| [measure(law, 300, 0.06), measure(law, 1_200, 0.1)]);
        println!("{law}\n{small:?}\n{large:?}");
        assert!(large.contacts > 3 * small.contacts, "{small:?}, {large:?}");
        for asked in [small, large] {
            assert!(
                asked.calls <= CALLS_AT_MOST && asked.bytes <= BYTES_AT_MOST && asked.largest <= LARGEST_AT_MOST,
                "{law}: {asked:?}"
            );
        }
    }
}
