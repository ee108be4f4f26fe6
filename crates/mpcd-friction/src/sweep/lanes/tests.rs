//! Groups against records, bit for bit; plain arrays against AVX registers; what must not become groups.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use super::super::bare::Shift;
use super::super::bodies::{Exclusive, Shared};
use super::super::sight::{SUMMED, Sight};
use super::super::system::Tag;
use super::super::violation::{Buffers, Chunk};
use super::*;
use crate::Cone;
use crate::error::{ErrorSum, FreeNorms, ScaledSum};
use crate::random::SplitMix;

/// What rounding leaves open in the velocity of a compliant contact [m/s]: enough to be seen.
const ROUNDING: f64 = 1e-3;

/// Records of which none shares a free body with another, and lines for them; walls here and there. Where the seed is even, all are rigid and their shifts along the
/// normals, so that groups need nothing beside them.
fn scene<const D: usize>(count: usize, seed: u64) -> (Vec<DiagonalRecord>, Vec<Tag>, Vec<BodyLine>) {
    let mut random = SplitMix::new(seed);
    let mut between = move |a: f64, b: f64| a + (b - a) * random.unit();
    let world = 2 * count as u32;
    let flat = |x: V3| if D == 2 { [x[0], x[1], 0.0] } else { x };
    let mut lines = Vec::new();
    for _ in 0..world {
        let v = flat([0; 3].map(|_| between(-1.0, 1.0)));
        let w = [0; 3].map(|_| between(-3.0, 3.0));
        let w = if D == 2 { [0.0, 0.0, w[2]] } else { w };
        lines.push(BodyLine::new(&v, &w, between(0.1, 1e3), between(0.1, 1e4)));
    }
    lines.push(BodyLine::default());
    let is_plain = seed.is_multiple_of(2);
    let blocks = |bodies: [u32; 2], arm: [f64; 2]| {
        let [i, j] = bodies.map(|body| &lines[body as usize]);
        let w_n = i.get(6) + j.get(6);
        [w_n, w_n + (i.get(7) * arm[0] * arm[0] + j.get(7) * arm[1] * arm[1])]
    };
    let record = |k: usize| {
        let n = flat([0; 3].map(|_| between(-1.0, 1.0)));
        let size = n.iter().map(|x| x * x).sum::<f64>().sqrt();
        let friction = between(0.0, 1.0);
        let cone = match k % 5 {
            0 => Cone::Convex { friction },
            1 => Cone::Convex { friction: 0.0 },
            2 => Cone::Frictionless,
            _ => Cone::Coulomb { friction },
        };
        let [candidate, antagonist] = [2 * k as u32, 2 * k as u32 + 1];
        let [candidate, antagonist] = [if k % 7 == 3 { world } else { candidate }, if k % 7 == 5 { world } else { antagonist }];
        let (normal, arm) = (n.map(|x| x / size), [between(0.1, 1.0), between(0.1, 1.0)]);
        let random = flat([0; 3].map(|_| between(-0.2, 0.2)));
        // the first is closed whatever the bodies do
        let size = if k % 4 == 1 { 4.0 } else { -4.0 - 0.02 * (k % 10) as f64 };
        let along = normal.map(|n| n * size);
        let shift = match (is_plain, k) {
            (true, _) => along,
            (false, 0) => [0, 1, 2].map(|a| along[a] + random[a]),
            (false, _) => random,
        };
        let compliance = if is_plain || k.is_multiple_of(2) { 0.0 } else { between(0.0, 10.0) };
        let [w_n, w_t] = blocks([candidate, antagonist], arm);
        DiagonalRecord {
            normal,
            arm,
            inverse_normal: 1.0 / (w_n + compliance),
            inverse_tangential: 1.0 / w_t,
            edge: Edge::of(cone).unwrap(),
            impulse: if k.is_multiple_of(3) { [0.0; 3] } else { flat([0; 3].map(|_| between(-1e-3, 1e-2))) },
            shift,
            compliance,
            candidate,
            antagonist,
        }
    };
    let records: Vec<_> = (0..count).map(record).collect();
    let tag = |(k, r): (usize, &DiagonalRecord)| {
        let [w_n, w_t] = blocks([r.candidate, r.antagonist], r.arm);
        Tag { contact: k as u32, bodies: [0; 2], lambda_max: w_t.max(w_n + r.compliance) }
    };
    let tags = records.iter().enumerate().map(tag).collect();
    (records, tags, lines)
}

fn run(count: usize) -> [Run; 1] {
    [Run { kernel: Kernel::Diagonal, start: 0, end: count, at: 0, independent: true }]
}

fn bits(lines: &[BodyLine], records: &[DiagonalRecord]) -> Vec<u64> {
    // zero has two signs, which are the same number
    let bits = |x: f64| (x + 0.0).to_bits();
    let lines = lines.iter().flat_map(|l| (0..8).map(move |k| bits(l.get(k))));
    lines.chain(records.iter().flat_map(|r| r.impulse.map(bits))).collect()
}

/// Weights of the momentum of some sweeps; `None` for a plain one.
const SWEEPS: [Option<f64>; 6] = [None, Some(0.0), Some(0.3), None, Some(0.7), Some(0.9)];

fn by_groups<const D: usize>(way: Way, count: usize, seed: u64) -> (Vec<u64>, Vec<[f64; 2]>) {
    let (mut records, _, mut lines) = scene::<D>(count, seed);
    let mut groups = Groups { way, ..Groups::default() };
    groups.take_over(&run(count), &records, lines.len());
    let mut sums = Vec::new();
    for beta in SWEEPS {
        assert!(groups.sweep::<D>((0, Direction::Forward), &mut lines, beta, |sum| sums.push(sum)));
    }
    groups.hand_back(&run(count), &mut records);
    (bits(&lines, &records), sums)
}

/// Sums of the error after some sweeps, by groups and by records.
fn errors<const D: usize>(way: Way, count: usize, seed: u64) -> [ScaledSum; 2] {
    let (mut records, tags, mut lines) = scene::<D>(count, seed);
    let mut groups = Groups { way, ..Groups::default() };
    groups.take_over(&run(count), &records, lines.len());
    groups.sweep::<D>((0, Direction::Forward), &mut lines, None, |_| ());
    // what is solved exactly has no error: move the bodies on
    for line in &mut lines {
        let now: [f64; 8] = std::array::from_fn(|k| line.get(k));
        line.carry(&mut now.map(|x| 0.8 * x), 0.1);
    }
    let mut sums = [ScaledSum::default(); 2];
    groups.squares::<D>(Squares::Scaled, &mut lines, |sum| sums[0].merge(&ScaledSum::of(sum)));
    groups.hand_back(&run(count), &mut records);
    for (record, tag) in records.iter().zip(&tags) {
        record.add_scaled_error::<D, _>(tag.lambda_max, &Shared(&lines), &mut sums[1]);
    }
    sums
}

#[test]
fn the_error_by_groups_is_that_by_records() {
    fn compare<const D: usize>() {
        for (count, seed) in (2..40).zip(1..).chain([(3 * CHUNK + 1, 91)]) {
            let [groups, records] = errors::<D>(Way::Plain, count, seed);
            for (a, b) in groups.sums().iter().zip(records.sums()) {
                assert!(*a > 0.0 && (a / b - 1.0).abs() < 1e-12, "{a} {b}");
            }
            for way in Way::all() {
                assert_eq!(groups, errors::<D>(way, count, seed)[0], "{way:?}");
            }
        }
    }
    compare::<2>();
    compare::<3>();
}

#[test]
fn the_error_by_groups_shows_a_nan() {
    for place in 0..9 {
        let (mut records, _, mut lines) = scene::<3>(9, 5);
        records[place].impulse[1] = f64::NAN;
        let mut groups = Groups::default();
        groups.take_over(&run(9), &records, lines.len());
        let mut sum = ScaledSum::default();
        groups.squares::<3>(Squares::Scaled, &mut lines, |part| sum.merge(&ScaledSum::of(part)));
        assert!(sum.sums()[0].is_nan());
    }
}

/// What is seen by groups is what is seen by records, contact by contact, and the sums over all.
#[test]
fn what_groups_see_is_what_records_see() {
    fn compare<const D: usize>(way: Way) {
        for (count, seed) in (2..40).zip(1..).chain([(2 * CHUNK + 3, 93)]) {
            let (mut records, tags, mut lines) = scene::<D>(count, seed);
            let (_, _, mut free) = scene::<D>(count, seed);
            let mut groups = Groups { way, rounding: ROUNDING, ..Groups::default() };
            groups.take_over(&run(count), &records, lines.len());
            groups.sweep::<D>((0, Direction::Forward), &mut lines, None, |_| ());
            // what is solved exactly has no error: move the bodies on
            for line in &mut lines {
                let now: [f64; 8] = std::array::from_fn(|k| line.get(k));
                line.carry(&mut now.map(|x| 0.8 * x), 0.1);
            }
            let (mut sights, mut sum) = (Vec::<Sight>::new(), ErrorSum::default());
            let of_run = |seen: Chunk<'_>, of: ErrorSum| {
                let Chunk::Each(seen) = seen else { panic!("of many islands") };
                sights.extend_from_slice(seen);
                sum.merge(&of);
            };
            let apart: Vec<[u32; 2]> = (0..count as u32).map(|k| [k, k % 2]).collect();
            let buffers = &mut Buffers::default();
            assert!(groups.look::<D, true>(0, [&mut lines, &mut free], (&tags, &apart), buffers, of_run));
            // the same where all are of one island
            let whole: Vec<[u32; 2]> = (0..count as u32).map(|k| [k, 7]).collect();
            let (mut speeds, mut sums, mut sum_of_whole) = (Vec::new(), [0.0; SUMMED], ErrorSum::default());
            let of_run = |seen: Chunk<'_>, of: ErrorSum| {
                let Chunk::Whole { island: 7, sums: part, speeds: seen } = seen else { panic!("of one island") };
                speeds.extend_from_slice(seen);
                (0..SUMMED).for_each(|k| sums[k] += part[k]);
                sum_of_whole.merge(&of);
            };
            assert!(groups.look::<D, true>(0, [&mut lines, &mut free], (&tags, &whole), buffers, of_run));
            assert_eq!(sum, sum_of_whole);
            for (sight, speeds) in sights.iter().zip(&speeds) {
                assert_eq!(sight.numbers()[..2], *speeds);
            }
            for (k, sum) in sums.iter().enumerate() {
                let (total, size) = sights.iter().map(|s| s.numbers()[2 + k]).fold((0.0, 0.0), |(t, s), x| (t + x, s + x.abs()));
                assert!((sum - total).abs() <= 1e-12 * size, "number {k}: {sum} {total}");
            }
            assert_eq!(speeds.len(), count);
            let mut norms = FreeNorms::default();
            groups.squares::<D>(Squares::Free, &mut free, |squares| norms.merge(&FreeNorms::of(squares)));
            let speed = |k| groups.speed::<D>(0, k, [&lines, &free]).unwrap_or(f64::NAN);
            let whole: Vec<f64> = (0..count).map(speed).collect();
            groups.hand_back(&run(count), &mut records);

            let (mut own_sum, mut own_norms) = (ErrorSum::default(), FreeNorms::default());
            for (k, record) in records.iter().enumerate() {
                let lambda = tags[k].lambda_max;
                record.add_error::<D, _>(k, lambda, &Shared(&lines), &mut own_sum);
                record.add_free::<D, _>(lambda, (&Shared(&free), ROUNDING), &mut own_norms);
                let own = record.sight::<D>(lambda, (&Shared(&lines), &Shared(&free)), (ROUNDING, &Shift::default()));
                assert!(sights[k].speed <= whole[k], "the least that it is");
                let seen = Sight { speed: whole[k], ..sights[k] };
                for (a, b) in seen.numbers().into_iter().zip(own.numbers()) {
                    assert!((a - b).abs() <= 1e-10 * b.abs() + 1e-25, "contact {k} of {count} in {D}D: {a} {b}");
                }
            }
            let (a, b) = (sum.errors(&norms), own_sum.errors(&own_norms));
            for (a, b) in [(a.scaled, b.scaled), (a.siconos, b.siconos), (a.q, b.q)] {
                assert!(b > 0.0 && (a / b - 1.0).abs() < 1e-12, "{a} {b}");
            }
            assert_eq!(sum.worst(&norms).map(|w| w.contact), own_sum.worst(&own_norms).map(|w| w.contact));
        }
    }
    for way in Way::all() {
        compare::<2>(way);
        compare::<3>(way);
    }
}

/// Everything that is asked of groups besides updates, in all registers that there are: the same bits.
#[test]
fn registers_of_all_widths_see_the_same_bits() {
    fn seen<const D: usize>(way: Way, (count, seed): (usize, u64), islands: u32) -> Vec<u64> {
        let (records, tags, mut lines) = scene::<D>(count, seed);
        let (_, _, mut free) = scene::<D>(count, seed);
        let mut groups = Groups { way, rounding: ROUNDING, ..Groups::default() };
        groups.take_over(&run(count), &records, lines.len());
        groups.sweep::<D>((0, Direction::Forward), &mut lines, None, |_| ());
        let places: Vec<[u32; 2]> = (0..count as u32).map(|k| [k, k % islands]).collect();
        let (mut out, mut total) = (Vec::new(), ErrorSum::default());
        let take = |chunk: Chunk<'_>, of: ErrorSum| {
            match chunk {
                Chunk::Each(sights) => out.extend(sights.iter().flat_map(Sight::numbers)),
                Chunk::Whole { sums, speeds, .. } => out.extend(sums.iter().chain(speeds.iter().flatten())),
            }
            total.merge(&of);
        };
        let buffers = &mut Buffers::default();
        assert!(groups.look::<D, true>(0, [&mut lines, &mut free], (&tags, &places), buffers, take));
        let mut norms = FreeNorms::default();
        groups.squares::<D>(Squares::Free, &mut free, |squares| norms.merge(&FreeNorms::of(squares)));
        groups.squares::<D>(Squares::Scaled, &mut lines, |squares| out.extend(squares));
        let errors = total.errors(&norms);
        out.extend([errors.scaled, errors.siconos, errors.q]);
        groups.push::<D>(0, &mut lines);
        out.extend(lines.iter().flat_map(|line| (0..8).map(|k| line.get(k))));
        out.into_iter().map(|x| (x + 0.0).to_bits()).collect()
    }
    for count in [2, 4, 5, 8, 9, 12, 13, 37, CHUNK + 6, 3 * CHUNK] {
        for way in Way::all() {
            for islands in [1, 2] {
                for of in [(count, 11), (count, 12)] {
                    assert!(seen::<2>(Way::Plain, of, islands) == seen::<2>(way, of, islands), "{way:?}, {of:?} in 2D");
                    assert!(seen::<3>(Way::Plain, of, islands) == seen::<3>(way, of, islands), "{way:?}, {of:?} in 3D");
                }
            }
        }
    }
}

/// Impulses given to the bodies by groups and by records: the same bits.
#[test]
fn groups_push_bit_for_bit_as_records_do() {
    fn compare<const D: usize>(way: Way, seed: u64) {
        let (mut records, _, mut lines) = scene::<D>(37, seed);
        let (_, _, mut other) = scene::<D>(37, seed);
        let mut groups = Groups { way, ..Groups::default() };
        groups.take_over(&run(37), &records, lines.len());
        assert!(groups.push::<D>(0, &mut lines));
        records.iter().for_each(|record| record.push_impulse::<D, _>(&mut Exclusive(&mut other)));
        groups.hand_back(&run(37), &mut records);
        assert!(bits(&lines, &records) == bits(&other, &records));
    }
    for way in Way::all() {
        for seed in [7, 8] {
            compare::<2>(way, seed);
            compare::<3>(way, seed);
        }
    }
}

/// The same by records, with the sums over all.
fn by_records<const D: usize>(count: usize, seed: u64) -> (Vec<u64>, Vec<[f64; 2]>) {
    let (mut records, tags, mut lines) = scene::<D>(count, seed);
    let mut before = vec![[0.0; 3]; count];
    let mut sums = Vec::new();
    for beta in SWEEPS {
        let mut sum = [0.0; 2];
        for ((record, tag), before) in records.iter_mut().zip(&tags).zip(&mut before) {
            let last = record.impulse;
            if let Some(beta) = beta {
                record.impulse = [0, 1, 2].map(|k| last[k] + beta * (last[k] - before[k]));
                *before = last;
            }
            let start = record.impulse;
            record.update::<D, _>(&mut Exclusive(&mut lines));
            for k in 0..3 {
                let change = record.impulse[k] - start[k];
                sum[0] += tag.lambda_max * change * (record.impulse[k] - last[k]);
                sum[1] += tag.lambda_max * change * change;
            }
        }
        sums.push(if beta.is_some() { sum } else { [0.0; 2] });
    }
    (bits(&lines, &records), sums)
}

fn compare<const D: usize>() {
    for (count, seed) in (2..40).zip(1..).chain([(CHUNK + 3, 90), (9 * CHUNK + 1, 91)]) {
        let records = by_records::<D>(count, seed);
        let plain = by_groups::<D>(Way::Plain, count, seed);
        assert!(plain.0 == records.0, "{count} contacts in {D}D: groups and records differ");
        for way in Way::all() {
            assert!(plain == by_groups::<D>(way, count, seed), "{count} contacts in {D}D: {way:?} differs from plain arrays");
        }
        let chunks = plain.1.len() / SWEEPS.len();
        for (sum, parts) in records.1.iter().zip(plain.1.chunks(chunks)) {
            for k in 0..2 {
                let total: f64 = parts.iter().map(|p| p[k]).sum();
                assert!((total - sum[k]).abs() <= 1e-12 * sum[1].max(sum[0].abs()), "{total} {}", sum[k]);
            }
        }
    }
}

#[test]
fn groups_do_bit_for_bit_what_records_do_in_space() {
    compare::<3>();
}

#[test]
fn groups_do_bit_for_bit_what_records_do_in_the_plane() {
    compare::<2>();
}

#[test]
fn threads_share_a_run_with_the_same_bits() {
    for seed in [7, 8] {
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| by_groups::<3>(Way::best(), 20 * CHUNK + 5, seed))
        };
        let one = on(1);
        assert!(one == on(2) && one == on(3));
    }
}

/// A shift along the normal is found again, to the bit; any other is not taken for one.
#[test]
fn shifts_along_the_normal_are_known_by_their_bits() {
    let mut random = SplitMix::new(4);
    let (records, _, _) = scene::<3>(1, 1);
    for _ in 0..100_000 {
        let n = [0; 3].map(|_| 2.0 * random.unit() - 1.0);
        let size = n.iter().map(|x| x * x).sum::<f64>().sqrt();
        let (normal, size) = (n.map(|x| x / size), (random.unit() - 0.5) * 2.0_f64.powi((random.next() % 60) as i32 - 40));
        let record = DiagonalRecord { normal, shift: normal.map(|n| n * size), ..records[0] };
        let found = along(&record).unwrap();
        assert_eq!(normal.map(|n| n * found), record.shift);
        let mut other = record;
        other.shift[1] *= 1.0 + 1e-12;
        assert!(along(&other).is_none());
        assert!(along(&DiagonalRecord { compliance: 1.0, ..record }).is_none());
    }
}

/// Contacts put into their lanes one by one, the one that is compliant late or early: the groups are those of the records as a whole.
#[test]
fn lanes_filled_one_by_one_are_those_filled_at_once() {
    for (count, odd) in [(21, None), (21, Some(0)), (21, Some(13)), (16, Some(15))] {
        let (mut records, _, mut lines) = scene::<3>(count, 2);
        if let Some(odd) = odd {
            let record: &mut DiagonalRecord = &mut records[odd];
            record.compliance = 3.0;
            record.inverse_normal = 1.0 / (1.0 / record.inverse_normal + 3.0);
        }
        let (_, _, mut other) = scene::<3>(count, 2);
        let mut at_once = Groups::default();
        at_once.take_over(&run(count), &records, lines.len());
        let mut one_by_one = Groups::default();
        one_by_one.begin(lines.len());
        one_by_one.lay_room(count);
        records.iter().enumerate().rev().for_each(|(k, record)| one_by_one.put(k as u32, record));
        assert!(one_by_one.admit());
        // and by chunks, in order
        let mut by_chunks = Groups::default();
        by_chunks.begin(lines.len());
        by_chunks.lay_room(count);
        let tag = Tag { contact: 0, bodies: [0; 2], lambda_max: 0.0 };
        let mut tags = vec![tag; count];
        assert!(by_chunks.put_run(0, &mut tags, |k| Some((records[k], Tag { contact: k as u32, ..tag }))));
        assert!(by_chunks.admit() && tags.iter().enumerate().all(|(k, tag)| tag.contact as usize == k));
        let [mut one, mut other_way] = [Vec::new(), Vec::new()];
        assert!(one_by_one.give_records(0, &run(count)[0], &lines, &mut one));
        assert!(by_chunks.give_records(0, &run(count)[0], &lines, &mut other_way));
        assert_eq!(format!("{one:?}"), format!("{other_way:?}"));
        assert!(!by_chunks.put_run(0, &mut tags, |k| (k != 5).then_some((records[k], tag))), "one that is no diagonal record");
        assert!(
            at_once.sweep::<3>((0, Direction::Forward), &mut lines, None, |_| ())
                && one_by_one.sweep::<3>((0, Direction::Forward), &mut other, None, |_| ())
        );
        let mut again = Vec::new();
        assert!(one_by_one.give_records(0, &run(count)[0], &other, &mut again));
        at_once.hand_back(&run(count), &mut records);
        assert!(bits(&lines, &records) == bits(&other, &again));
        for (a, b) in records.iter().zip(&again) {
            let all = |r: &DiagonalRecord| ([r.inverse_normal, r.inverse_tangential, r.compliance], r.shift);
            assert_eq!(all(a).0[1..], all(b).0[1..]);
            assert_eq!(all(a).1, all(b).1);
        }
    }
}

/// A body in two records, in one or twice in the same one, or beyond the lines: the run stays with its records.
#[test]
fn records_that_are_not_apart_stay_as_they_are() {
    type Spoil = fn(&mut [DiagonalRecord]);
    let spoils: [Spoil; 3] =
        [|r| r[9].candidate = r[1].antagonist, |r| r[4].candidate = r[4].antagonist, |r| r[8].antagonist = 1_000_000];
    for spoil in spoils {
        let (mut records, _, mut lines) = scene::<3>(12, 3);
        let mut groups = Groups::default();
        groups.take_over(&run(12), &records, lines.len());
        assert!(groups.sweep::<3>((0, Direction::Forward), &mut lines, None, |_| ()));
        groups.forget();
        spoil(&mut records);
        groups.take_over(&run(12), &records, lines.len());
        assert!(!groups.sweep::<3>((0, Direction::Forward), &mut lines, None, |_| ()));
    }
}

#[test]
#[should_panic(expected = "the lines that were checked")]
fn other_lines_than_those_that_were_checked_are_refused() {
    let (records, _, mut lines) = scene::<3>(12, 3);
    let mut groups = Groups::default();
    groups.take_over(&run(12), &records, lines.len());
    lines.pop();
    groups.sweep::<3>((0, Direction::Forward), &mut lines, None, |_| ());
}
