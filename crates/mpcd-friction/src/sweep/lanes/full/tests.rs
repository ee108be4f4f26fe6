//! Groups of full records against the records, bit for bit, and plain arrays against AVX registers; what must not become groups.
#![allow(clippy::unwrap_used, reason = "tests")]

use super::super::super::bodies::{BodyInertia, BodyLine, Exclusive};
use super::super::super::full::{FullContext, FullRecord, Kind};
use super::super::super::passes::{CHUNK, Direction};
use super::super::super::system::{Kernel, Run, Tag};
use super::super::super::vector::V3;
use super::{FullGroups, LANES, PART, Way};
use crate::exact::LocalBlock;
use crate::random::SplitMix;

struct Scene {
    records: Vec<FullRecord>,
    tags: Vec<Tag>,
    lines: Vec<BodyLine>,
    inertia: Vec<BodyInertia>,
    before: Vec<V3>,
}

/// Records of which none shares a free body with another; walls here and there; blocks from round to so oblique that slip has several solutions.
fn scene(count: usize, seed: u64) -> Scene {
    let mut random = SplitMix::new(seed);
    let world = 2 * count as u32;
    let mut out = Scene { records: Vec::new(), tags: Vec::new(), lines: Vec::new(), inertia: Vec::new(), before: Vec::new() };
    let vector = |random: &mut SplitMix, size: f64| [0; 3].map(|_| size * (2.0 * random.unit() - 1.0));
    for _ in 0..world {
        let (v, w) = (vector(&mut random, 1.0), vector(&mut random, 3.0));
        let (q, e) = (random.rotation(), [0; 3].map(|_| 1.0 + 20.0 * random.unit()));
        let j = |a: usize, b: usize| (0..3).map(|k| q[a][k] * e[k] * q[b][k]).sum::<f64>();
        let mass = 0.1 + random.unit();
        out.lines.push(BodyLine::new(&v, &w, mass, 0.0));
        let tensor = [j(0, 0), j(0, 1), j(0, 2), j(1, 1), j(1, 2), j(2, 2)];
        out.inertia.push(BodyInertia { tensor, inverse_mass_yz: [mass, mass] });
    }
    out.lines.push(BodyLine::default());
    out.inertia.push(BodyInertia::default());
    for k in 0..count {
        let (frame, q) = (random.rotation(), random.rotation());
        let low = if k % 6 == 0 { 1e-3 } else { 0.5 };
        let e = [0; 3].map(|_| low + random.unit());
        let w: [[f64; 3]; 3] = std::array::from_fn(|a| std::array::from_fn(|b| (0..3).map(|k| q[a][k] * e[k] * q[b][k]).sum()));
        let (block, _, _) = LocalBlock::prepare::<3>(&w).unwrap();
        let friction = if k % 11 == 0 { 0.0 } else { 1.5 * random.unit() };
        let [candidate, antagonist] = [2 * k as u32, 2 * k as u32 + 1];
        out.records.push(FullRecord {
            normal: frame[0],
            tangent: frame[1],
            candidate_lever: vector(&mut random, 1.0),
            antagonist_lever: vector(&mut random, 1.0),
            block,
            shift: vector(&mut random, 0.2),
            compliance: if k % 2 == 0 { [0.0; 4] } else { [0.1, 0.05, 0.01, 0.07] },
            friction,
            impulse: if k % 3 == 0 { [0.0; 3] } else { vector(&mut random, 0.1) },
            candidate: if k % 7 == 3 { world } else { candidate },
            antagonist: if k % 7 == 5 { world } else { antagonist },
            kind: Kind::Coulomb,
            law: 0,
        });
        out.tags.push(Tag { contact: k as u32, bodies: [0; 2], lambda_max: 1.0 + random.unit() });
        out.before.push([0.0; 3]);
    }
    out
}

fn run(count: usize) -> [Run; 1] {
    [Run { kernel: Kernel::Full, start: 0, end: count, at: 0, independent: true }]
}

fn bits(scene: &Scene) -> Vec<u64> {
    // zero has two signs, which are the same number
    let of = |x: f64| (x + 0.0).to_bits();
    let lines = scene.lines.iter().flat_map(|line| (0..8).map(|k| line.get(k)));
    lines.chain(scene.records.iter().flat_map(|r| r.impulse)).map(of).collect()
}

/// One update of the records, moved on by `beta` along their last change if there is one; sums as momentum has them.
fn update(scene: &mut Scene, beta: Option<f64>) -> Vec<[f64; 2]> {
    let Scene { records, tags, lines, inertia, before } = scene;
    let context = FullContext { inertia, laws: &[] };
    let mut bodies = Exclusive(lines);
    let mut all = Vec::new();
    let part = PART * LANES;
    for ((records, tags), before) in records.chunks_mut(part).zip(tags.chunks(part)).zip(before.chunks_mut(part)) {
        let mut sums = [0.0; 2];
        for ((record, tag), before) in records.iter_mut().zip(tags).zip(before) {
            let g = record.impulse;
            if let Some(beta) = beta {
                record.impulse = [0, 1, 2].map(|k| g[k] + beta * (g[k] - before[k]));
                *before = g;
            }
            let x = record.impulse;
            record.update::<3, _>(&mut bodies, context);
            for k in (0..3).filter(|_| beta.is_some()) {
                sums[0] += tag.lambda_max * (record.impulse[k] - x[k]) * (record.impulse[k] - before[k]);
                sums[1] += tag.lambda_max * (record.impulse[k] - x[k]).powi(2);
            }
        }
        all.push(sums);
    }
    all
}

#[test]
fn groups_of_full_records_do_bit_for_bit_what_records_do() {
    for way in Way::all() {
        let mut seen = [0; 3];
        for (count, seed) in (2..60).zip(1..).chain([(2 * CHUNK + 1, 91), (3 * CHUNK, 92)]) {
            let (mut own, mut grouped) = (scene(count, seed), scene(count, seed));
            let mut groups = FullGroups { way, ..FullGroups::default() };
            groups.take_over(&run(count), &grouped.records, &grouped.tags, grouped.lines.len());
            for beta in [None, Some(0.0), Some(0.3), Some(0.8), None, Some(0.5), Some(0.9)] {
                let expected = update(&mut own, beta);
                let mut sums = Vec::new();
                let bodies = (&mut grouped.lines[..], &grouped.inertia[..]);
                assert!(groups.sweep((0, Direction::Forward), bodies, beta, |sum| sums.push(sum)));
                groups.show(&run(count), &mut grouped.records);
                assert_eq!(bits(&own), bits(&grouped), "{count} contacts, {way:?}, {beta:?}");
                let of = |sums: &[[f64; 2]]| sums.iter().flatten().map(|x| (x + 0.0).to_bits()).collect::<Vec<_>>();
                assert_eq!(of(&sums), of(&expected), "sums of {count} contacts, {way:?}, {beta:?}");
            }
            for r in &own.records {
                let t = r.impulse[1].hypot(r.impulse[2]);
                seen[if r.impulse[0] == 0.0 { 0 } else { 1 + usize::from(t >= r.friction * r.impulse[0] * (1.0 - 1e-12)) }] += 1;
            }
            // Handed back, they go on as records, and again as groups.
            groups.hand_back(&run(count), &mut grouped.records);
            update(&mut own, None);
            update(&mut grouped, None);
            groups.take_over(&run(count), &grouped.records, &grouped.tags, grouped.lines.len());
            update(&mut own, None);
            assert!(groups.sweep((0, Direction::Forward), (&mut grouped.lines[..], &grouped.inertia[..]), None, |_| ()));
            groups.show(&run(count), &mut grouped.records);
            assert_eq!(bits(&own), bits(&grouped));
        }
        assert!(seen.iter().all(|count| *count > 300), "open, stick, slip: {seen:?}");
    }
}

#[test]
fn what_is_not_coulombs_or_shares_a_body_stays_with_its_records() {
    let mut lone = scene(8, 5);
    let no_sweep = |scene: &mut Scene| {
        let mut groups = FullGroups::default();
        groups.take_over(&run(8), &scene.records, &scene.tags, scene.lines.len());
        !groups.sweep((0, Direction::Forward), (&mut scene.lines[..], &scene.inertia[..]), None, |_| ())
    };
    assert!(!no_sweep(&mut lone));
    lone.records[5].kind = Kind::Bilateral;
    assert!(no_sweep(&mut lone));
    let mut shared = scene(8, 5);
    shared.records[6].candidate = shared.records[1].candidate;
    assert!(no_sweep(&mut shared));
}
