//! Models in which nothing passes, or more than a number can hold, say so by name: bodies that no impulse moves, electrodes without a path, conductances and heats
//! beyond the range of numbers.

use mpcd_sim::Simulation;

use crate::granular::build;

/// Two balls of steel that touch a fixed plate each from one side: `left` held as `load` says, `right` pressed on.
fn model(load: &str, physics: &str) -> String {
    format!(
        r#"(dimension: 3, time: (step: "1 ms", end: 1),
  materials: {{"steel": (density: 7800, electrical: (conductivity: 1e6), thermal: (conductivity: 50, specific_heat: 500))}},
  bodies: [
    (group: "left", material: "steel", shape: Sphere(radius: 1), at: (-1.5, 0, 0)),
    (group: "plate", material: "steel", shape: Box(size: (1, 4, 4)), at: (0, 0, 0)),
    (group: "right", material: "steel", shape: Sphere(radius: 1), at: (1.5, 0, 0)),
  ],
  interactions: [
    (between: ("left", "plate"), law: Coulomb(friction: 0)),
    (between: ("right", "plate"), law: Coulomb(friction: 0)),
    (between: ("left", "right"), law: NoContact),
  ],
  loads: [(on: "plate", load: Fixed), (on: "left", load: {load}), (on: "right", load: Force(x: -10))],
  physics: [{physics}])"#
    )
}

/// What is said in some steps, by modules and by watchdogs.
fn said(mut run: Simulation) -> (Vec<String>, Vec<(String, String)>) {
    for _ in 0..3 {
        run.step().unwrap();
    }
    let warnings = run.counters().warning_words();
    let watched = run.counters().watched.iter().map(|(what, first, _)| (what.clone(), first.clone())).collect();
    (warnings, watched)
}

const HEAT: &str = r#"Contact(), Thermal(law: Constant(conductance: 1), boundary: [Temperature(group: "plate", value: 300)])"#;
const FIXED: &str = "body 0 (group \"left\") and body 1 (group \"plate\") touch and both have the material part";

#[test]
fn fixed_bodies_that_touch_say_that_nothing_passes() {
    for load in ["Fixed", "Velocity(x: 0, y: 0.1, z: 0, spin_x: 0, spin_y: 0, spin_z: 0)"] {
        let (_, watched) = said(build(&model(load, HEAT), &[]));
        let [(what, words)] = &watched[..] else { panic!("{load}: {watched:?}") };
        assert_eq!(what, "parted");
        assert!(words.starts_with(FIXED) && words.contains("`thermal`, but no impulse moves either"), "{words}");
    }
    // one that yields, one that no law joins, and a model without heat or current
    let aside = model("Fixed", HEAT).replacen(
        r#"("left", "plate"), law: Coulomb(friction: 0)"#,
        r#"("left", "plate"), law: NoContact"#,
        1,
    );
    for quiet in [model("Force(x: 10)", HEAT), aside, model("Fixed", "Contact()")] {
        let (_, watched) = said(build(&quiet, &[]));
        assert!(watched.is_empty(), "{watched:?}");
    }
}

/// Heat crosses gaps in a gas and by radiation, up to the alert distance, but not between two bodies that no impulse moves: that is said where it would be, and nothing is said where it
/// passes, where nothing crosses gaps, or farther away.
#[test]
fn a_gap_that_nothing_crosses_between_fixed_bodies_is_told() {
    let run = |load: &str, thermal: &str, alert: f64| {
        let physics = format!(
            r#"Contact(alert: {alert}), Thermal(law: Constant(conductance: 1), {thermal}, boundary: [Temperature(group: "plate", value: 300)])"#
        );
        let apart = model(load, &physics)
            .replace("at: (-1.5, 0, 0)", "at: (-1.519, 0, 0)")
            .replace("thermal: (conductivity: 50,", "thermal: (emissivity: 0.5, conductivity: 50,");
        let mut run = build(&apart, &[]);
        for _ in 0..3 {
            run.step().unwrap();
        }
        let watched: Vec<_> =
            run.counters().watched.iter().map(|(what, first, steps)| (what.clone(), first.clone(), *steps)).collect();
        (watched, run.field("temperature").unwrap()[0] > 293.15)
    };
    let gas = "gas: (conductivity: 0.026, jump_distance: \"0.4 um\")";
    for thermal in [gas, "radiation: true", &format!("{gas}, radiation: true")] {
        for load in ["Fixed", "Velocity(x: 0, y: 0.1, z: 0, spin_x: 0, spin_y: 0, spin_z: 0)"] {
            let (watched, warmed) = run(load, thermal, 0.03);
            let [(what, words, steps)] = &watched[..] else { panic!("{load}: {watched:?}") };
            assert!(what == "parted" && *steps == 1 && !warmed, "{watched:?}");
            let start = "body 0 (group \"left\") and body 1 (group \"plate\") lie within the alert distance of 0.03 m";
            assert!(words.starts_with(start) && words.contains("`thermal`, which passes across gaps"), "{words}");
        }
        let (watched, warmed) = run("Force(x: 0)", thermal, 0.03);
        assert!(watched.is_empty() && warmed, "{watched:?}");
        // the alert distance is 2 % of the smallest radius, 0.02 m, at the least
        assert!(run("Fixed", thermal, 0.0185).0.len() == 1 && run("Fixed", "radiation: false", 0.03).0.is_empty());
    }
    let far =
        model("Fixed", &HEAT.replace("Thermal(", &format!("Thermal({gas}, "))).replace("at: (-1.5, 0, 0)", "at: (-1.53, 0, 0)");
    assert!(said(build(&far, &[])).1.is_empty());
}

#[test]
fn electrodes_without_a_path_are_told() {
    let run = |load: &str, law: &str, one: &str| {
        let electrodes = format!(r#"potential: [(group: "{one}", value: 1), (group: "plate", value: 0)]"#);
        said(build(&model(load, &format!("Contact(), Electrical(law: {law}, {electrodes})")), &[])).0
    };
    let air = run("Fixed", "Constant(conductance: 1)", "left");
    assert!(air.iter().any(|w| w.starts_with("electrodes at different potentials are joined by no path")), "{air:?}");
    let insulates = said(build(
        &model(
            "Force(x: 10)",
            r#"Contact(), Electrical(law: Constant(conductance: 1), laws: [(between: ("left", "plate"), law: Insulating), (between: ("right", "plate"), law: Insulating)], potential: [(group: "left", value: 1), (group: "plate", value: 0)])"#,
        ),
        &[],
    ));
    assert!(insulates.0.iter().any(|w| w.contains("contacts that push and none that conducts")), "{insulates:?}");
    let none = build(
        &model(
            "Force(x: 10)",
            r#"Contact(), Electrical(law: Insulating, potential: [(group: "left", value: 1), (group: "plate", value: 0)])"#,
        ),
        &[],
    );
    assert!(mpcd_sim::describe(&none).warnings.iter().any(|w| w.contains("every law is `Insulating`")));
    let apart = model("Force(x: -10)", r#"Contact(), Electrical(law: Constant(conductance: 1), potential: [(group: "left", value: 1), (group: "plate", value: 0)])"#)
        .replace("load: Force(x: -10))]", "load: Force(x: 10))]");
    let apart = said(build(&apart, &[])).0;
    assert!(apart.iter().any(|w| w.contains("no contact that pushes between them")), "{apart:?}");
    let joined = run("Force(x: 10)", "Constant(conductance: 1)", "left");
    assert!(joined.is_empty(), "{joined:?}");
}

/// Three electrodes: `left` pressed on the plate or not, `right` on it.
#[test]
fn an_electrode_alone_is_told_while_others_are_joined() {
    let words = |load: &str, third: &str| {
        let electrodes =
            format!(r#"potential: [(group: "left", value: {third}), (group: "plate", value: 0), (group: "right", value: 1)]"#);
        said(build(&model(load, &format!("Contact(), Electrical(law: Constant(conductance: 1), {electrodes})")), &[])).0
    };
    // whatever its own potential
    for third in ["2", "0"] {
        let alone = words("Force(x: -10)", third);
        let [one] = &alone[..] else { panic!("{alone:?}") };
        assert!(one.starts_with("no path joins the electrode \"left\" to another one"), "{one}");
    }
    assert!(words("Force(x: 10)", "2").is_empty());
}

/// A switch that is open in the first steps says so of those steps alone.
#[test]
fn a_switch_that_closes_is_said_to_have_been_open() {
    let electrodes = r#"potential: [(group: "left", value: 1), (group: "plate", value: 0)]"#;
    let physics = format!("Contact(), Electrical(law: Constant(conductance: 1), {electrodes})");
    // 1 mm away, at 0.3 m/s: half way through the third step it is less than a step away
    let text = model("Force(x: 10)", &physics).replace("at: (-1.5, 0, 0)", "at: (-1.501, 0, 0), velocity: (0.3, 0, 0)");
    let mut run = build(&text, &[]);
    for _ in 0..5 {
        run.step().unwrap();
    }
    let summary = run.summary().warnings;
    let [words] = &summary[..] else { panic!("{summary:?}") };
    assert!(words.starts_with("electrodes at different potentials are joined by no path"), "{words}");
    assert!(words.ends_with("(in 2 of 5 steps, last in step 2)"), "{words}");
    // what holds in all steps says no more
    let mut open = build(&model("Force(x: -10)", &physics), &[]);
    (0..3).for_each(|_| drop(open.step().unwrap()));
    assert!(open.summary().warnings.iter().all(|w| !w.contains(" steps")), "{:?}", open.summary().warnings);
}

#[test]
fn currents_and_heats_beyond_numbers_name_their_cause() {
    let refused = |physics: &str| build(&model("Force(x: 10)", physics), &[]).step().unwrap_err().to_string();
    let current = refused(
        r#"Contact(), Electrical(law: Constant(conductance: 1e200), potential: [(group: "left", value: 1e200), (group: "plate", value: 0)])"#,
    );
    assert!(
        current.contains(
            "too large for a number: contacts and joints conduct up to 1.000e200 S, potentials are held up to 1.000e200 V"
        ),
        "{current}"
    );
    let heat = refused(
        r#"Contact(), Thermal(law: Constant(conductance: 1e200), boundary: [Temperature(group: "left", value: 1e200), Temperature(group: "plate", value: 300)])"#,
    );
    assert!(heat.contains("too large for a number: contacts and joints conduct up to 1.000e200 W/K"), "{heat}");
    assert!([current, heat].iter().all(|words| !words.contains("diverged")));
}

/// Ten balls on each other in a step of a second, solved by Newton's method in the end: what it leaves between balls that are apart (10⁻¹⁵ N) is nothing, and conducts nothing.
#[test]
fn what_bears_nothing_conducts_nothing() {
    let balls: String = (0..10)
        .map(|k| {
            let group = ["a", "g", "z"][usize::from(k > 0) + usize::from(k == 9)];
            format!(
                r#"(group: "{group}", material: "m", shape: Sphere(radius: 0.01), at: (0, 0, {}), mass: 0.1),"#,
                0.01 + 0.02 * f64::from(k)
            )
        })
        .collect();
    let pairs = [("a", "g"), ("a", "z"), ("g", "g"), ("g", "z"), ("a", "p"), ("g", "p"), ("z", "p")];
    let laws: String = pairs.iter().map(|(a, b)| format!(r#"(between: ("{a}", "{b}"), law: Coulomb(friction: 0.3)),"#)).collect();
    let locks: String =
        ["a", "g", "z"].iter().map(|g| format!(r#"(on: "{g}", load: Locked(axes: [X, Y, SpinX, SpinY, SpinZ])),"#)).collect();
    for (solver, tolerance) in [("auto", "1e-12"), ("ipm", "1e-8"), ("prox-nsn", "1e-8"), ("nlgs", "1e-8")] {
        let mut run = build(
            &format!(
                r#"(dimension: 3, gravity: (0, 0, -10), time: (step: 1, end: 3),
                materials: {{"m": (density: 1000, thermal: (conductivity: 50, specific_heat: 500)), "i": (density: 1)}},
                bodies: [{balls} (group: "p", material: "i", shape: Plane(normal: (0, 0, 1)))],
                interactions: [{laws}], loads: [{locks}],
                physics: [Contact(tolerance: {tolerance}, solver: "{solver}"), Thermal(law: Constant(conductance: 0.5), temperature: 300, time_scale: 100,
                  coupling: (friction: false, impact: false), boundary: [Temperature(group: "a", value: 400)])])"#
            ),
            &[],
        );
        run.step().unwrap();
        let bear = run.world().network.iter().filter(|c| c.bears()).count();
        assert_eq!(bear, 10, "{solver}: contacts that bear");
    }
}
