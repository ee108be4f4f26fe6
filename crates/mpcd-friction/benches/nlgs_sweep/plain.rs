//! What the machine can do: a plain loop over 128-byte records of spheres, and the memory triad.

use std::time::Instant;

use mpcd_friction::problem::{ContactProblem, InverseInertia};

/// CPU seconds of this thread where Linux tells them, else (and where the work is that of several threads) seconds of the clock.
pub(crate) struct Clock {
    cpu: Option<f64>,
    wall: Instant,
}

impl Clock {
    pub(crate) fn start(several_threads: bool) -> Self {
        Self { cpu: cpu_seconds().filter(|_| !several_threads), wall: Instant::now() }
    }

    pub(crate) fn seconds(&self) -> f64 {
        match (self.cpu, cpu_seconds()) {
            (Some(start), Some(now)) => now - start,
            _ => self.wall.elapsed().as_secs_f64(),
        }
    }
}

fn cpu_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(text.split_whitespace().next()?.parse::<f64>().ok()? * 1e-9)
}

/// One contact of two spheres: no laws, no warm start, no error.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Record {
    n: [f64; 3],
    r: [f64; 3],
    arm: [f64; 2],
    shift: f64,
    step: [f64; 2],
    friction: f64,
    i: usize,
    j: usize,
}

#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Body {
    v: [f64; 3],
    w: [f64; 3],
    mass: f64,
    inertia: f64,
}

/// Contact updates per second of a plain Gauss–Seidel loop in the order given.
pub(crate) fn updates_per_second(problem: &ContactProblem, sweeps: usize) -> f64 {
    let mut bodies: Vec<Body> = problem
        .bodies
        .iter()
        .map(|n| Body {
            v: n.velocity.into(),
            w: n.angular_velocity.into(),
            mass: n.inverse_mass.x,
            inertia: match n.inverse_inertia {
                InverseInertia::Isotropic(i) => i,
                InverseInertia::Tensor(t) => t[(0, 0)],
            },
        })
        .collect();
    let mut records: Vec<Record> = problem
        .contacts
        .iter()
        .map(|c| {
            let (a, b) = (&bodies[c.candidate], &bodies[c.antagonist]);
            let arm = [-c.candidate_lever.dot(c.frame.normal()), c.antagonist_lever.dot(c.frame.normal())];
            let mass = a.mass + b.mass;
            let turning = a.inertia * arm[0] * arm[0] + b.inertia * arm[1] * arm[1];
            Record {
                n: (*c.frame.normal()).into(),
                r: [0.0; 3],
                arm,
                shift: 0.0,
                step: [1.0 / mass, 1.0 / (mass + turning)],
                friction: 0.3,
                i: c.candidate,
                j: c.antagonist,
            }
        })
        .collect();
    let mut best = f64::INFINITY;
    for _ in 0..3 {
        let clock = Clock::start(false);
        for _ in 0..sweeps {
            for c in &mut records {
                relax(c, &mut bodies);
            }
        }
        best = best.min(clock.seconds());
    }
    std::hint::black_box(&bodies);
    (sweeps * records.len()) as f64 / best
}

fn relax(c: &mut Record, bodies: &mut [Body]) {
    let (a, b) = (bodies[c.i], bodies[c.j]);
    let n = c.n;
    let s: [f64; 3] = std::array::from_fn(|k| c.arm[0] * a.w[k] + c.arm[1] * b.w[k]);
    let cross = |a: [f64; 3], b: [f64; 3]| [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let sn = cross(s, n);
    let u: [f64; 3] = std::array::from_fn(|k| a.v[k] - b.v[k] - sn[k]);
    let (un, rn) = (dot(n, u), dot(n, c.r));
    let new_n = (rn - (un + c.shift) * c.step[0]).max(0.0);
    let mut t: [f64; 3] = std::array::from_fn(|k| c.r[k] - rn * n[k] - c.step[1] * (u[k] - un * n[k]));
    let norm = dot(t, t).sqrt();
    let bound = c.friction * new_n;
    if norm > bound {
        t = t.map(|x| x * bound / norm);
    }
    let new: [f64; 3] = std::array::from_fn(|k| new_n * n[k] + t[k]);
    let d: [f64; 3] = std::array::from_fn(|k| new[k] - c.r[k]);
    c.r = new;
    let turn = cross(n, d);
    for k in 0..3 {
        bodies[c.i].v[k] += a.mass * d[k];
        bodies[c.i].w[k] -= a.inertia * c.arm[0] * turn[k];
        bodies[c.j].v[k] -= b.mass * d[k];
        bodies[c.j].w[k] -= b.inertia * c.arm[1] * turn[k];
    }
}

/// Memory bandwidth of one core (GB/s): a = b + k c over arrays far larger than the caches.
pub(crate) fn triad() -> f64 {
    let n = 16_000_000;
    let (b, c) = (vec![1.0_f64; n], vec![2.0_f64; n]);
    let mut a = vec![0.0_f64; n];
    let mut best = f64::INFINITY;
    for k in 0..5 {
        let clock = Clock::start(false);
        let factor = f64::from(k);
        for ((a, b), c) in a.iter_mut().zip(&b).zip(&c) {
            *a = b + factor * c;
        }
        best = best.min(clock.seconds());
        std::hint::black_box(&a);
    }
    24.0 * n as f64 / best / 1e9
}
