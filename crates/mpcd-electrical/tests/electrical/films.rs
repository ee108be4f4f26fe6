//! Films of oxide, temperatures and pair laws through the module, against numbers computed by hand and against other paths.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use std::sync::Arc;

use mpcd_core::{
    BodyId, ContactGeometry, FieldSpec, FieldStore, InputError, Named, NamedLaws, PhysicsEntry, Status, Support, Unit,
};
use mpcd_electrical::{ConductanceLaw, ConductanceLaws, Constant, Electrical, Spot, conductance_laws};

use crate::kit::{Bench, Rig, build, number};

const METAL: [(&str, &str); 1] = [("electrical", "(conductivity: 1e6)")];
/// A film of 0.02 S on a spot of 2 S, 0.4 V a contact.
const FILM: &str = "Oxide(bare: Constant(conductance: 2), film: 0.01, breaks: Voltage(limit: 0.4))";

fn entry() -> PhysicsEntry {
    PhysicsEntry::of::<Electrical>()
}

/// A row of `n` spheres under 1 N, each a group of its own.
fn row(n: usize, h: f64) -> (Bench, Vec<BodyId>) {
    let mut bench = Bench::new(h);
    let metal = bench.material("metal", 7800.0, &METAL);
    let ids: Vec<_> = (0..n).map(|k| bench.sphere(&format!("s{k}"), metal, 5e-3)).collect();
    ids.windows(2).for_each(|w| {
        bench.touch(w[0], w[1], 1.0);
    });
    (bench, ids)
}

/// Branly's transition of a chain of 50 contacts under a current that rises to 1 A and falls again, in steps of 2 mA: the voltage is
/// that of whole films, 50/0.02 Ω, up to 0.4 V a contact (8 mA), stays at 50 · 0.4 V = 20 V up to 0.8 A where the spots are bare, then
/// follows 50/2 Ω; back down the films stay broken: 25 Ω.
#[test]
fn a_chain_of_films_shows_branlys_transition() {
    let (bench, _) = row(51, 1e-3);
    let text = format!(
        r#"Electrical(law: {FILM}, potential: [(group: "s50", value: 0)], current: [(group: "s0", value: Table([(0, 0), (0.5, 1), (1, 0)]))])"#
    );
    let mut rig = Rig::new(&entry(), &text, &bench);
    for step in 1..=1000_u32 {
        let report = rig.step(&bench).unwrap();
        let current = 2e-3 * f64::from(step.min(1000 - step));
        let voltage = rig.written("potential")[0];
        let want = if step > 500 {
            25.0 * current
        } else if current <= 8e-3 {
            2500.0 * current
        } else {
            f64::max(20.0, 25.0 * current)
        };
        assert!((voltage - want).abs() < 1e-7 * want.max(1e-3), "step {step}: {voltage} V at {current} A, expected {want}");
        assert!(report.balances.iter().all(|b| b.imbalance() < 1e-9), "{:?}", report.balances);
        if step == 400 {
            assert!((number(&report, "film_broken") - 1.0).abs() < 1e-7);
            // 20 V of 0.8 A, all of it Joule heat
            assert!(
                (number(&report, "electrode_power") - 16.0).abs() < 1e-6 && (number(&report, "joule_total") - 16.0).abs() < 1e-6
            );
        }
    }
}

/// The chain turned back at 0.2 A has welds of 0.2/0.4 = 0.5 S: 100 Ω on the way down and on the way up again to 0.2 A.
#[test]
fn a_weld_remembers_the_largest_current() {
    let (bench, _) = row(51, 1e-3);
    let text = format!(
        r#"Electrical(law: {FILM}, potential: [(group: "s50", value: 0)], current: [(group: "s0", value: Table([(0, 0), (0.1, 0.2), (0.2, 0), (0.3, 0.2)]))])"#
    );
    let mut rig = Rig::new(&entry(), &text, &bench);
    for step in 1..=300_u32 {
        let report = rig.step(&bench).unwrap();
        if step > 101 && step != 200 {
            assert!((number(&report, "resistance") - 100.0).abs() < 1e-6, "step {step}: {}", number(&report, "resistance"));
        }
    }
}

/// Under a voltage: 50 contacts hold 20 V and no more. At 19.9 V the films are whole; at 20.02 V, 0.1 % above, they break
/// all the way, however little the drop of each is above its limit.
#[test]
fn a_chain_under_a_voltage_breaks_down_as_a_whole() {
    let (bench, _) = row(51, 1e-3);
    let run = |volts: f64| {
        let text = format!(r#"Electrical(law: {FILM}, potential: [(group: "s0", value: {volts}), (group: "s50", value: 0)])"#);
        let report = Rig::new(&entry(), &text, &bench).step(&bench).unwrap();
        assert_eq!(report.status, mpcd_core::Status::Converged);
        (number(&report, "resistance"), number(&report, "film_broken"))
    };
    let (whole, broken) = (run(19.9), run(20.02));
    assert!((whole.0 - 2500.0).abs() < 1e-6 && whole.1 == 0.0, "{whole:?}");
    assert!((broken.0 - 25.0).abs() < 1e-6 && (broken.1 - 1.0).abs() < 1e-9, "{broken:?}");
}

/// A film in series with 1.5 Ω of another contact under U: the drop of the film is held at 0.4 V as long as the spot can carry
/// (U − 0.4)/1.5, so C = (U − 0.4)/0.6. A whole film at 0.405 V would have a drop of 0.39 V.
#[test]
fn a_film_in_series_takes_its_limit_and_no_more() {
    let (bench, _) = row(3, 1e-3);
    for (volts, conductance) in [(0.405, 0.02), (0.5, 0.1 / 0.6), (0.7, 0.5), (1.2, 0.8 / 0.6), (3.0, 2.0)] {
        let text = format!(
            r#"Electrical(law: Constant(conductance: {}), laws: [(between: ("s0", "s1"), law: {FILM})], potential: [(group: "s0", value: {volts}), (group: "s2", value: 0)])"#,
            1.0 / 1.5
        );
        let mut rig = Rig::new(&entry(), &text, &bench);
        rig.step(&bench).unwrap();
        let found = rig.written("conductance");
        assert!((found[0] / conductance - 1.0).abs() < 1e-7, "{volts} V: {found:?}, expected {conductance}");
        assert!((found[1] * 1.5 - 1.0).abs() < 1e-15);
    }
}

/// On random networks: no film with more than its limit that could break further, none broken in this step with less, by every
/// solver alike.
#[test]
fn random_networks_of_films_keep_their_limit() {
    let mut seed = 3_u64;
    let mut random = move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 11) as f64 / (1_u64 << 53) as f64
    };
    for trial in 0..12 {
        let n = 40;
        let mut bench = Bench::new(1e-3);
        let metal = bench.material("metal", 7800.0, &METAL);
        let ids: Vec<_> = (0..n)
            .map(|k| {
                bench.sphere(
                    if k == 0 {
                        "in"
                    } else if k == n - 1 {
                        "out"
                    } else {
                        "bulk"
                    },
                    metal,
                    5e-3,
                )
            })
            .collect();
        for k in 1..n {
            let j = (random() * k as f64) as usize;
            bench.touch(ids[j], ids[k], 10_f64.powf(2.0 * random()));
        }
        for _ in 0..60 {
            let (i, j) = ((random() * n as f64) as usize, (random() * n as f64) as usize);
            if i < j && bench.network.contacts.iter().all(|c| c.bodies() != (ids[i], ids[j])) {
                bench.touch(ids[i], ids[j], 10_f64.powf(2.0 * random()));
            }
        }
        let current = 10_f64.powf(-3.0 + 4.0 * random());
        let solve = |solver: &str| {
            let text = format!(
                r#"Electrical(law: Oxide(bare: Power(scale: 2, exponent: 0.5), film: 1e-3, breaks: Voltage(limit: 0.4)), solver: "{solver}", potential: [(group: "out", value: 0)], current: [(group: "in", value: {current})])"#
            );
            let mut rig = Rig::new(&entry(), &text, &bench);
            let report = rig.step(&bench).unwrap();
            assert_eq!(report.status, mpcd_core::Status::Converged, "trial {trial}: {}", report.worst);
            (rig.written("conductance"), rig.written("current"), number(&report, "resistance"))
        };
        let (conductances, currents, resistance) = solve("cholesky");
        for (k, contact) in bench.network.iter().enumerate() {
            let bare = 2.0 * contact.normal_force(bench.h).sqrt();
            let (part, drop) = (conductances[k] / bare, (currents[k] / conductances[k]).abs());
            assert!(drop <= 0.4 * (1.0 + 1e-8) || part > 1.0 - 1e-9, "trial {trial}, contact {k}: {drop} V, {part}");
            assert!(part < 1e-3 * (1.0 + 1e-9) || drop >= 0.4 * (1.0 - 1e-8), "trial {trial}, contact {k}: {drop} V, {part}");
        }
        let other = solve("cg");
        assert!((other.2 / resistance - 1.0).abs() < 1e-7, "{} {resistance}", other.2);
    }
}

/// Lattices of 5 × 5 × 4 balls with random forces between two plates that feed a current, every contact under a film that is held at 50 mV: each is whole, at its
/// limit, or bare, what flows into a ball flows out, and the power of the electrodes is that of the contacts. Rounds one by one come nearer by a part of a
/// thousand each, and took more than a thousand. A film that broke in the step before is no whole one: the same current again changes nothing, half of it neither.
#[test]
fn films_of_a_packing_settle_together() {
    let mut seed = 11_u64;
    let mut random = move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 11) as f64 / (1_u64 << 53) as f64
    };
    for (trial, bulk) in ["", "bulk: 1e4", ""].into_iter().enumerate() {
        let mut bench = Bench::new(1e-3);
        let metal = bench.material("metal", 7800.0, &[("electrical", &format!("({bulk})"))]);
        let plates = ["lo", "up"].map(|name| bench.sphere(name, metal, 0.0));
        let place = |x: usize, y: usize, z: usize| x + 5 * (y + 5 * z);
        let balls: Vec<_> = (0..100).map(|_| bench.sphere("balls", metal, 5e-3)).collect();
        for k in 0..100 {
            let (x, y, z) = (k % 5, k / 5 % 5, k / 25);
            let more =
                [(x < 4).then(|| place(x + 1, y, z)), (y < 4).then(|| place(x, y + 1, z)), (z < 3).then(|| place(x, y, z + 1))];
            for other in more.into_iter().flatten() {
                bench.touch(balls[k], balls[other], 10_f64.powf(3.0 * random() - 2.0));
            }
            if z == 0 || z == 3 {
                bench.touch(plates[usize::from(z == 3)], balls[k], 10_f64.powf(2.0 * random() - 1.0));
            }
        }
        for current in [1.0, 10.0, 30.0, 100.0] {
            let text = format!(
                r#"Electrical(law: Oxide(bare: Power(scale: 400, exponent: 0.5), film: 0.01, breaks: Voltage(limit: 0.05)), potential: [(group: "lo", value: 0)], current: [(group: "up", value: Ramp(from: {current}, to: {}, start: 0.002, end: 0.003))])"#,
                0.5 * current
            );
            let mut rig = Rig::new(&entry(), &text, &bench);
            let mut broken = Vec::new();
            for step in 0..3 {
                let report = rig.step(&bench).unwrap();
                assert_eq!(
                    report.status,
                    mpcd_core::Status::Converged,
                    "trial {trial}, {current} A, step {step}: {}",
                    report.worst
                );
                let power = number(&report, "electrode_power");
                assert!((number(&report, "joule_total") / power - 1.0).abs() < 1e-9);
                let (conductances, currents) = (rig.written("conductance"), rig.written("current"));
                if step > 0 {
                    let same = conductances.iter().zip(&broken).all(|(a, b): (&f64, &f64)| (a / b - 1.0).abs() < 1e-7);
                    assert!(same, "trial {trial}, {current} A, step {step}");
                    continue;
                }
                for (k, contact) in bench.network.iter().enumerate() {
                    let bare = 400.0 * contact.normal_force(bench.h).sqrt();
                    let spot = if bulk.is_empty() { conductances[k] } else { 1.0 / (1.0 / conductances[k] - 2e-4) };
                    let (part, drop) = (spot / bare, (currents[k] / spot).abs());
                    assert!(
                        drop <= 0.05 * (1.0 + 1e-8) || part > 1.0 - 1e-9,
                        "trial {trial}, {current} A, contact {k}: {drop} V, {part}"
                    );
                    assert!(
                        part < 0.01 * (1.0 + 1e-8) || drop >= 0.05 * (1.0 - 1e-8),
                        "trial {trial}, {current} A, contact {k}: {drop} V, {part}"
                    );
                }
                broken = conductances;
            }
        }
    }
}

/// A film wears off while its contact slides: after a way s the part 1 − e^(−s/ℓ) is gone, C = 2 (0.01 + 0.99 (1 − e^(−s/ℓ))); a
/// contact that opens for a step has a whole film again.
#[test]
fn sliding_wears_the_film_off_and_an_open_contact_forgets() {
    let (mut bench, ids) = row(2, 1e-3);
    let law = "Oxide(bare: Constant(conductance: 2), film: 0.01, wear: \"10 µm\")";
    let text = format!(r#"Electrical(law: {law}, potential: [(group: "s0", value: 1e-3), (group: "s1", value: 0)])"#);
    let mut rig = Rig::new(&entry(), &text, &bench);
    let key = mpcd_core::ContactKey { candidate: ids[0], antagonist: ids[1], feature: 0 };
    // 2 mm/s in 1 ms: 2 µm a step
    bench.contact_mut(key).u = mpcd_core::Vec3::new(0.0, 1.2e-3, -1.6e-3);
    for step in 1..=10_u32 {
        rig.step(&bench).unwrap();
        let want = 2.0 * (0.01 + 0.99 * (1.0 - (-0.2 * f64::from(step)).exp()));
        assert!((rig.written("conductance")[0] - want).abs() < 1e-12);
    }
    let push = bench.network.contacts[0].r.x;
    // what the contact solver leaves of an open contact is no force
    for left in [0.0, 1e-9] {
        bench.contact_mut(key).r.x = left * push;
        rig.step(&bench).unwrap();
        assert!(rig.written("conductance")[0] == 0.0 || left > 0.0);
        bench.contact_mut(key).r.x = push;
        rig.step(&bench).unwrap();
        let fresh = 2.0 * (0.01 + 0.99 * (1.0 - (-0.2_f64 * if left > 0.0 { 2.0 } else { 1.0 }).exp()));
        assert!((rig.written("conductance")[0] - fresh).abs() < 1e-12, "{left}: {:?}", rig.written("conductance"));
    }
}

/// The four points of a face have one film: broken as that of one contact with the force of all, and kept when detection renames them.
#[test]
fn a_face_has_one_film_whatever_its_points_are_called() {
    let face = |points: usize| {
        let mut bench = Bench::new(1e-3);
        let metal = bench.material("metal", 7800.0, &METAL);
        let (a, b) = (bench.sphere("a", metal, 5e-3), bench.sphere("b", metal, 5e-3));
        for _ in 0..points {
            bench.contact(a, b, ContactGeometry::Flat { area: 4e-4 / points as f64 }, 8.0 / points as f64);
        }
        bench
    };
    let text = r#"Electrical(law: Oxide(bare: Power(scale: 1, exponent: 0.333333333333333333), film: 0.01, breaks: Voltage(limit: 0.4)), potential: [(group: "b", value: 0)], current: [(group: "a", value: Ramp(from: 0.1, to: 0.01, start: 0.001, end: 0.0011))])"#;
    for points in [1, 4] {
        let mut bench = face(points);
        let mut rig = Rig::new(&entry(), text, &bench);
        rig.step(&bench).unwrap();
        // 0.1 A at 0.4 V: 0.25 S
        assert!((rig.written("conductance").iter().sum::<f64>() - 0.25).abs() < 1e-9);
        bench.network.contacts.iter_mut().for_each(|c| c.key.feature += 100);
        rig.step(&bench).unwrap();
        assert!((rig.written("conductance").iter().sum::<f64>() - 0.25).abs() < 1e-9);
    }
}

/// σ = σ₀/(1 + α(T − T₀)): copper at 393.15 K with α 0.0039 has 1/1.39 of its conductivity. Bodies at 293.15 and 393.15 K in series:
/// 2aσ₀ · 2/(1 + 1.39), and a bulk of 10 S falls to 10/1.39 S.
#[test]
fn conductivity_depends_on_temperature() {
    let run = |text: &str, part: &str, temperatures: [f64; 2]| {
        let mut bench = Bench::new(1e-3);
        let copper = bench.material("copper", 8960.0, &[("electrical", part)]);
        let (a, b) = (bench.sphere("a", copper, 5e-3), bench.sphere("b", copper, 5e-3));
        bench.touch(a, b, 10.0);
        let mut rig = Rig::new(&entry(), text, &bench);
        rig.fields = FieldStore::new([FieldSpec::scalar("temperature", Unit::TEMPERATURE, Support::Body)], &bench.sizes());
        rig.fields.swap("temperature", &mut temperatures.to_vec());
        rig.step(&bench).map(|_| rig.written("conductance")[0]).map_err(|e| e.to_string())
    };
    let holm = r#"Electrical(law: Holm(hardness: 1e9), self_heating: false, potential: [(group: "a", value: 1), (group: "b", value: 0)])"#;
    let part = "(conductivity: 5.8e7, temperature_coefficient: 0.0039)";
    let cold = 2.0 * (10.0 / (std::f64::consts::PI * 1e9_f64)).sqrt() * 5.8e7;
    assert!((run(holm, part, [293.15; 2]).unwrap() / cold - 1.0).abs() < 1e-14);
    assert!((run(holm, part, [393.15; 2]).unwrap() * 1.39 / cold - 1.0).abs() < 1e-14);
    assert!((run(holm, part, [293.15, 393.15]).unwrap() * 1.195 / cold - 1.0).abs() < 1e-14);
    let bulk = r#"Electrical(law: Constant(conductance: 1e9), potential: [(group: "a", value: 1), (group: "b", value: 0)])"#;
    let found = run(bulk, "(conductivity: 1, bulk: 10, temperature_coefficient: 0.0039)", [393.15, 293.15]).unwrap();
    assert!((found * (0.139 + 0.1) - 1.0).abs() < 1e-8, "{found}");
    // 1 + 0.0039 (T − 293.15) falls to 0 at 36.7 K
    let error = run(holm, part, [293.15, 30.0]).unwrap_err();
    assert!(error.contains("material \"copper\"") && error.contains("30 K of body 1 (group \"b\")"), "{error}");
}

/// σ = σ₀T₀/T inside the spot, T² = T₀² + φ(V − φ)/L: I = 2a ∫σ dφ = 4aσ₀T₀√L atan(V/(2√L T₀)), under a voltage as under a current, which has an end: beyond
/// 2πaσ₀T₀√L no temperature is high enough. A bulk has its drop beside that of the spot.
#[test]
fn a_spot_is_warmed_by_its_own_current() {
    let drop_of = |part: &str, electrodes: &str| {
        let mut bench = Bench::new(1e-3);
        let copper = bench.material("copper", 8960.0, &[("electrical", part)]);
        let (a, b) = (bench.sphere("a", copper, 5e-3), bench.sphere("b", copper, 5e-3));
        bench.touch(a, b, 10.0);
        let mut rig =
            Rig::new(&entry(), &format!("Electrical(law: Holm(hardness: 1e9), temperature: 350, {electrodes})"), &bench);
        let report = rig.step(&bench).unwrap();
        let potential = rig.written("potential");
        (potential[0] - potential[1], rig.written("current")[0].abs(), rig.written("joule_share")[0], report)
    };
    let (root, a) = (2.443_004_5e-8_f64.sqrt(), (10.0 / (std::f64::consts::PI * 1e9_f64)).sqrt());
    let carried = |v: f64| 4.0 * a * 5.8e7 * 300.0 * root * (v / (2.0 * root * 350.0)).atan();
    let copper = "conductivity: 5.8e7, temperature_coefficient: 3.3333333333333333e-3, reference_temperature: 300";
    for v in [1e-4, 0.01, 0.1, 0.4] {
        let (_, current, share, _) =
            drop_of(&format!("({copper})"), &format!(r#"potential: [(group: "a", value: {v}), (group: "b", value: 0)]"#));
        assert!((current / carried(v) - 1.0).abs() < 1e-8, "{v} V: {current} A, {}", carried(v));
        assert!((share - 0.5).abs() < 1e-12, "{share}");
    }
    let most = carried(f64::INFINITY);
    let fed = |part: f64| format!(r#"potential: [(group: "b", value: 0)], current: [(group: "a", value: {})]"#, part * most);
    for part in [0.01, 0.3, 0.8, 0.95] {
        let want = 2.0 * root * 350.0 * (0.5 * std::f64::consts::PI * part).tan();
        let (found, ..) = drop_of(&format!("({copper})"), &fed(part));
        assert!((found / want - 1.0).abs() < 1e-7, "{part}: {found} V, {want} V");
        let (found, ..) = drop_of(&format!("({copper}, bulk: 1e4)"), &fed(part));
        let bulk = 2.0 * part * most / 1e4 * (1.0 + (350.0 - 300.0) / 300.0);
        assert!((found / (want + bulk) - 1.0).abs() < 1e-7, "{part}: {found} V, {want} + {bulk} V");
    }
    let (.., report) = drop_of(&format!("({copper})"), &fed(1.01));
    assert_eq!(report.status, Status::Stalled);
    assert!(
        report.worst.contains("(group \"a\")") && report.worst.contains("has no temperature with its current"),
        "{}",
        report.worst
    );
}

/// A sharp edge has no area: between metals too it conducts nothing, and the step ends.
#[test]
fn a_spot_without_a_size_is_not_warmed() {
    let mut bench = Bench::new(1e-3);
    let parts =
        [("electrical", "(conductivity: 5.8e7, temperature_coefficient: 0.0039)"), ("elastic", "(young: 1.2e11, poisson: 0.3)")];
    let copper = bench.material("copper", 8960.0, &parts);
    let ids = ["a", "b", "c"].map(|group| bench.sphere(group, copper, 5e-3));
    bench.touch(ids[0], ids[1], 10.0);
    bench.touch(ids[1], ids[2], 10.0);
    bench.network.contacts[0].geometry = ContactGeometry::Flat { area: 0.0 };
    let text =
        r#"Electrical(law: Hertz, potential: [(group: "a", value: 0.1), (group: "b", value: 0.1), (group: "c", value: 0)])"#;
    let mut rig = Rig::new(&entry(), text, &bench);
    let report = rig.step(&bench).unwrap();
    assert_eq!(report.status, Status::Converged);
    let currents = rig.written("current");
    assert!(currents[0] == 0.0 && currents[1].abs() > 1.0, "{currents:?}");
}

#[test]
fn a_coefficient_that_leaves_no_conductivity_is_refused_at_its_place() {
    let mut bench = Bench::new(1e-3);
    let part = "(conductivity: 1, temperature_coefficient: -0.02)";
    let metal = bench.material("metal", 1.0, &[("electrical", part)]);
    bench.sphere("a", metal, 1.0);
    bench.sphere("b", metal, 1.0);
    let two = r#"potential: [(group: "a", value: 1), (group: "b", value: 0)]"#;
    // 1 − 0.02 · 100 = −1 at 393.15 K
    let error = build(&entry(), &format!("Electrical(law: Hertz, temperature: 393.15, {two})"), &bench).err().unwrap();
    assert!(error.message.contains("the conductivity of material \"metal\" would be σ₀/-1"), "{error}");
    for text in [
        format!("Electrical(law: Constant(conductance: 1), temperature: 0, {two})"),
        format!("Electrical(law: Constant(conductance: 1), temperature: -3, {two})"),
    ] {
        let error = build(&entry(), &text, &bench).err().unwrap();
        assert!(error.message.contains("a temperature [K] above zero"), "{error}");
    }
}

/// 2 A through 20 S: a drop of 0.1 V, so √(293.15² + 0.01/4L) = 433.9 K inside; of a contact with bulk the drop at the spot alone counts.
#[test]
fn the_spot_is_as_hot_as_kohlrausch_says() {
    let hottest = |part: &str, thermal: Option<[f64; 2]>| {
        let mut bench = Bench::new(1e-3);
        let metal = bench.material("metal", 7800.0, &[("electrical", part)]);
        let (a, b) = (bench.sphere("a", metal, 5e-3), bench.sphere("b", metal, 5e-3));
        bench.touch(a, b, 10.0);
        let text = r#"Electrical(law: Constant(conductance: 20), potential: [(group: "b", value: 0)], current: [(group: "a", value: 2)])"#;
        let mut rig = Rig::new(&entry(), text, &bench);
        if let Some(temperatures) = thermal {
            rig.fields = FieldStore::new([FieldSpec::scalar("temperature", Unit::TEMPERATURE, Support::Body)], &bench.sizes());
            rig.fields.swap("temperature", &mut temperatures.to_vec());
        }
        rig.step(&bench).unwrap();
        rig.written("contact_temperature")[0]
    };
    let want = |t: f64| (t * t + 0.01 / (4.0 * 2.443_004_5e-8)).sqrt();
    assert!((hottest("()", None) - want(293.15)).abs() < 1e-9 && (want(293.15) - 433.9).abs() < 0.1);
    assert!((hottest("(bulk: 1)", None) - want(293.15)).abs() < 1e-9);
    assert!((hottest("()", Some([400.0; 2])) - want(400.0)).abs() < 1e-9);
}

/// Laws by pairs of groups: 4 S everywhere but 1 S between s0 and s1 and nothing between s2 and s0; 1 + 1/4 Ω from s0 to s2.
#[test]
fn pairs_of_groups_have_their_own_laws() {
    let (mut bench, ids) = row(3, 1e-3);
    bench.touch(ids[0], ids[2], 5.0);
    let two = r#"potential: [(group: "s0", value: 1), (group: "s2", value: 0)]"#;
    let laws = r#"laws: [(between: ("s1", "s0"), law: Constant(conductance: 1)), (between: ("s0", "s2"), law: Insulating)]"#;
    let mut rig = Rig::new(&entry(), &format!("Electrical(law: Constant(conductance: 4), {laws}, {two})"), &bench);
    let report = rig.step(&bench).unwrap();
    assert!((number(&report, "resistance") - 1.25).abs() < 1e-14);
    assert!(report.warnings.is_empty(), "{:?}", report.warnings);
    for (laws, part) in [
        (r#"laws: [(between: ("s0", "s9"), law: Hertz)]"#, "unknown group `s9`"),
        (r#"laws: [(between: ("s0", "s1"), law: Herz)]"#, "unknown conductance law `Herz`"),
        (
            r#"laws: [(between: ("s0", "s1"), law: Insulating), (between: ("s1", "s0"), law: Insulating)]"#,
            "groups \"s1\" and \"s0\" have two conductance laws",
        ),
        (r#"laws: [(between: ("s0", "s1"), law: Constant(conductance: 0))]"#, "above zero, found 0"),
    ] {
        let text = format!("Electrical(law: Constant(conductance: 4), {laws}, {two})");
        let error = build(&entry(), &text, &bench).err().unwrap_or_else(|| panic!("{laws} was accepted"));
        assert!(error.message.contains(part), "{laws}: {}", error.message);
        let mpcd_core::input::Place::Span(span) = error.place else { panic!("{error:?}") };
        assert!(span.start > text.find("laws:").unwrap(), "{laws}: {}", &text[span]);
    }
}

/// A law of a user's own crate: the conductance of a wire of given length between the bodies, by their conductivity alone.
#[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
struct Wire {
    /// Cross-section over length (m).
    slenderness: f64,
}

impl ConductanceLaw for Wire {
    fn conductance(&self, spot: &Spot) -> Option<f64> {
        Some(self.slenderness * spot.conductivity?)
    }
}

impl Named<dyn ConductanceLaw> for Wire {
    const NAME: &'static str = "Wire";
    type Params = Self;
    fn build(law: Self, _: &NamedLaws<dyn ConductanceLaw>) -> Result<Arc<dyn ConductanceLaw>, InputError> {
        Ok(Arc::new(law))
    }
}

#[test]
fn a_users_law_joins_by_one_line_and_stands_under_a_film() {
    let (mut bench, _) = row(3, 1e-3);
    bench.setup.insert::<ConductanceLaws>(conductance_laws().with::<Wire>().with::<Constant>());
    let text = r#"Electrical(law: Wire(slenderness: 1e-6), laws: [(between: ("s0", "s1"), law: Oxide(bare: Wire(slenderness: 1e-6), film: 0.25))], potential: [(group: "s0", value: 1), (group: "s2", value: 0)])"#;
    let report = Rig::new(&entry(), text, &bench).step(&bench).unwrap();
    assert!((number(&report, "resistance") - 5.0).abs() < 1e-13);
}

/// Three contacts of 1, 2 and 3 S side by side under 1 V carry 1, 2 and 3 A: a third of them is strong, with 3 of 6 W; the strongest tenth is
/// that one, with 3 of 6 A; the electrodes give 6 W. What no electrode drives has no paths.
#[test]
fn columns_of_paths_and_powers_by_hand() {
    let mut bench = Bench::new(1e-3);
    let metal = bench.material("metal", 7800.0, &METAL);
    let plate = bench.sphere("plate", metal, 0.0);
    for force in [1.0, 8.0, 27.0] {
        let top = bench.sphere("top", metal, 5e-3);
        bench.touch(plate, top, force);
    }
    let run = |volts: f64| {
        let text =
            format!(r#"Electrical(law: CubeRoot(), potential: [(group: "plate", value: 0), (group: "top", value: {volts})])"#);
        let report = Rig::new(&entry(), &text, &bench).step(&bench).unwrap();
        ["strong_contacts", "strong_joule", "current_top_tenth", "electrode_power", "joule_total"]
            .map(|name| number(&report, name))
    };
    let found = run(1.0);
    for (found, want) in found.iter().zip([1.0 / 3.0, 0.5, 0.5, 6.0, 6.0]) {
        assert!((found - want).abs() < 1e-14, "{found}, expected {want}");
    }
    let none = run(0.0);
    assert!(none[..3].iter().all(|x| x.is_nan()) && none[3..] == [0.0, 0.0], "{none:?}");
}
