//! What a contact remembers is of material points of its two bodies, not of a triangle or a part: over triangles of a flat surface, strips of it, and the flush parts of a
//! cluster everything goes on as on a plane.

use mpcd_sim::testkit::same_bits;

use crate::granular::{build, column};

const RADIUS: f64 = 0.01;
/// Of a ball of 10 mm and 1000 kg/m³.
const BALL: f64 = 4.188_790_204_786_39e-3;
const GRAVITY: f64 = 9.81;

/// A flat surface in strips of 1 cm along x.
fn strips(from: i32, to: i32) -> String {
    let corners: String = (from..=to).map(|i| format!("({0}, -0.1, 0), ({0}, 0.1, 0),", f64::from(i) * 0.01)).collect();
    let triangles: String =
        (0..to - from).map(|i| 2 * i).map(|a| format!("({a}, {}, {}), ({a}, {}, {}),", a + 2, a + 3, a + 3, a + 1)).collect();
    format!("Surface(vertices: [{corners}], triangles: [{triangles}])")
}

/// Floors that are one and the same: a plane, two triangles, strips, two boxes of one body. The seams are across x = 0, or along each centimetre.
fn floors() -> [String; 4] {
    [
        "Plane(normal: (0, 0, 1))".to_owned(),
        "Surface(vertices: [(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)], triangles: [(0, 1, 2), (0, 2, 3)])".to_owned(),
        strips(-10, 30),
        "Cluster(parts: [(shape: Box(size: (1, 1, 0.2)), at: (-0.5, 0, -0.1)), (shape: Box(size: (1, 1, 0.2)), at: (0.5, 0, -0.1))])"
            .to_owned(),
    ]
}

/// What is on a floor.
#[derive(Clone, Copy)]
struct Case<'a> {
    body: &'a str,
    law: &'a str,
    loads: &'a str,
    module: &'a str,
    gravity: f64,
    step: f64,
    end: f64,
}

const COLUMNS: [&str; 9] = ["x", "z", "vx", "vz", "fx", "fz", "w_friction", "e_strain", "contacts"];

/// After a step: place and velocity along x and z, force of the floor, work of friction, stored energy, contacts.
#[derive(Debug, Clone, Copy)]
struct Seen {
    x: f64,
    z: f64,
    vx: f64,
    vz: f64,
    fx: f64,
    fz: f64,
    rubbed: f64,
    stored: f64,
    contacts: f64,
}

impl Case<'_> {
    fn text(&self, floor: &str) -> String {
        let Self { body, law, loads, module, gravity, step, end } = self;
        let probe = |name: &str, of: &str, c: &str| format!(r#"(name: "{name}", of: "{of}", component: {c}, group: "b"),"#);
        let probes: String = [("x", "position"), ("v", "velocity"), ("f", "resultant")]
            .iter()
            .flat_map(|(name, of)| {
                let name = |c: &str| if *name == "x" { c.to_lowercase() } else { format!("{name}{}", c.to_lowercase()) };
                ["X", "Z"].map(|c| probe(&name(c), of, c))
            })
            .collect();
        format!(
            r#"(dimension: 3, gravity: (0, 0, {}), time: (step: {step:?}, end: {end:?}),
  materials: {{"m": (density: 1000, elastic: (young: 1e6, poisson: 0.3)), "r": (density: 2500)}},
  bodies: [{body}, (group: "s", material: "r", shape: {floor})], interactions: [(between: ("b", "s"), law: {law}), (between: ("b", "b"), law: NoContact)],
  loads: [(on: "s", load: Fixed), {loads}], physics: [{module}], output: (probes: [{probes}]))"#,
            -gravity
        )
    }

    fn run(&self, floor: &str) -> Vec<Seen> {
        let mut run = build(&self.text(floor), &[]);
        let mut out = Vec::new();
        while !run.finished() {
            let step = run.step().unwrap_or_else(|e| panic!("{} on {floor} at {} s: {e}", self.law, run.time()));
            let [x, z, vx, vz, fx, fz, rubbed, stored, contacts] = COLUMNS.map(|name| column(&run, &step, name).unwrap());
            out.push(Seen { x, z, vx, vz, fx, fz, rubbed, stored, contacts });
        }
        out
    }

    /// Each floor does in each step what the plane does, to `near` of speeds, forces (N) and works (J); returns the last step on the plane.
    fn alike(&self, near: f64) -> Seen {
        let [plane, floors @ ..] = floors();
        let expected = self.run(&plane);
        for floor in floors {
            for (k, (got, want)) in self.run(&floor).iter().zip(&expected).enumerate() {
                let off = [
                    got.vx - want.vx,
                    got.vz - want.vz,
                    got.fx - want.fx,
                    got.fz - want.fz,
                    got.rubbed - want.rubbed,
                    got.stored - want.stored,
                ];
                assert!(
                    off.iter().all(|x| x.abs() <= near),
                    "{} on {floor}, step {}: {got:?}, expected {want:?}",
                    self.law,
                    k + 1
                );
            }
        }
        *expected.last().unwrap()
    }
}

fn ball(at: &str, velocity: &str, spin: &str) -> String {
    format!(r#"(group: "b", material: "m", shape: Sphere(radius: {RADIUS}), at: {at}, velocity: {velocity}, spin: {spin})"#)
}

const STRAIGHT: &str = r#"(on: "b", load: Locked(axes: [SpinX, SpinY, SpinZ])),"#;

/// A ball hangs under 0.9 of its pull-off force 3/2 π w R = 23.56 mN and glides on: adhesion was gone at the first seam.
#[test]
fn adhesion_goes_on_over_seams() {
    let pull = 0.9 * 1.5 * std::f64::consts::PI * 0.5 * RADIUS;
    let case = Case {
        body: &ball("(-0.012, 0.003, 0.01)", "(0.1, 0, 0)", "(0, 0, 0)"),
        law: "Jkr(adhesion: 0.5, friction: 0, restitution: 0.3)",
        loads: &format!(r#"(on: "b", load: Force(z: Ramp(from: 0, to: {pull}, end: 0.02))), {STRAIGHT}"#),
        module: "SmoothContact()",
        gravity: 0.0,
        step: 2e-4,
        end: 0.2,
    };
    let end = case.alike(1e-12);
    assert!((end.fz + pull).abs() < 1e-9 && end.vz.abs() < 1e-9 && (end.x - 0.008).abs() < 1e-12, "{end:?}");
}

/// A bridge of 10 mN that bears its ball, which rises by 1 mm/s: it ruptures at half a millimetre, and not before, at whichever seam.
#[test]
fn a_bridge_goes_on_over_seams() {
    let case = Case {
        body: &ball("(-0.02, 0.003, 0.01)", "(0.1, 0, 0.001)", "(0, 0, 0)"),
        law: r#"Capillary(force: 0.01, rupture: "0.5 mm", friction: 0)"#,
        loads: &format!(r#"(on: "b", load: Force(z: 0.01)), {STRAIGHT}"#),
        module: "Contact()",
        gravity: 0.0,
        step: 2e-4,
        end: 0.4,
    };
    let end = case.alike(1e-12);
    assert!((end.z - RADIUS - 0.4e-3).abs() < 1e-12 && (end.fz + 0.01).abs() < 1e-12, "{end:?}");
}

/// Where friction falls from 0.5 to 0.1 over 10 mm, sliding by s costs g (0.1 s + ½·0.4·10 mm) of v²/2: a ball that does not turn, and a block, whose corners go from strip to strip.
#[test]
fn slip_goes_on_over_seams() {
    for shape in ["Sphere(radius: 0.01)", "Box(size: (0.02, 0.02, 0.02))"] {
        let case = Case {
            body: &format!(r#"(group: "b", material: "m", shape: {shape}, at: (-0.032, 0.003, 0.01), velocity: (1, 0, 0))"#),
            law: r#"SlipWeakening(friction: 0.5, sliding: 0.1, distance: "10 mm")"#,
            loads: STRAIGHT,
            module: "Contact()",
            gravity: GRAVITY,
            step: 2e-4,
            end: 0.1,
        };
        let end = case.alike(1e-8);
        let way = end.x + 0.032;
        let speed = (1.0 - 2.0 * GRAVITY * (0.1 * way + 0.5 * 0.4 * 0.01)).sqrt();
        assert!((end.vx - speed).abs() < 1e-3, "{shape}: {end:?}, expected {speed}");
    }
}

/// A ball that rolls at 0.3 m/s, drawn by F = 10 mN and braked by F R: its tangential spring carries F, and once that is stretched nothing rubs any more. What it stores goes on, too.
#[test]
fn springs_go_on_over_seams() {
    for (law, module, depth) in [
        ("Hooke(stiffness: 1e4, friction: 0.5, restitution: 0.5)", "SmoothContact()", 4e-6),
        ("HertzMindlin(friction: 0.5, restitution: 0.5)", "SmoothContact()", 4e-5),
        ("Elastic(stiffness: 1e3, tangential_stiffness: 800, friction: 0.8)", "Contact()", 4e-5),
    ] {
        let case = Case {
            body: &ball(&format!("(-0.033, 0.003, {})", RADIUS - depth), "(0.3, 0, 0)", "(0, 30, 0)"),
            law,
            loads: &format!(r#"(on: "b", load: Force(x: 0.01, torque_y: {})),"#, -0.01 * RADIUS),
            module,
            gravity: GRAVITY,
            step: 5e-4,
            end: 0.3,
        };
        let end = case.alike(1e-9);
        assert!((end.fx + 0.01).abs() < 1e-4 && (end.vx - 0.3).abs() < 1e-4, "{law}: {end:?}");
    }
}

/// A ball bonded at a point rolls on under 60 mN that lift it: its bond bears 60 mN − m g wherever it goes.
#[test]
fn a_bond_rolls_over_seams() {
    let case = Case {
        body: &ball("(-0.033, 0.003, 0.01)", "(0.3, 0, 0)", "(0, 30, 0)"),
        law: r#"MohrCoulomb(friction: 0.5, tensile_strength: "1 kPa", area: 1e-4)"#,
        loads: r#"(on: "b", load: Force(z: 0.06)),"#,
        module: "Contact()",
        gravity: GRAVITY,
        step: 2e-4,
        end: 0.2,
    };
    let end = case.alike(1e-8);
    assert!((end.fz + 0.06 - BALL * GRAVITY).abs() < 1e-5, "{end:?}");
}

/// Over a valley so flat that both of its sides have a point for some steps, and over a ridge: one bridge and one neck, in each step. A side that has been dry takes it over.
#[test]
fn of_two_points_in_one_place_one_holds() {
    let floor = |rise: f64| {
        format!(
            "Surface(vertices: [(-1, -1, 0), (0, -1, 0), (0, 1, 0), (-1, 1, 0), (1, -1, {rise}), (1, 1, {rise})], triangles: [(0, 1, 2), (0, 2, 3), (1, 4, 5), (1, 5, 2)])"
        )
    };
    let neck = 0.9 * 1.5 * std::f64::consts::PI * 0.5 * RADIUS;
    let bridge = (r#"Capillary(force: 0.01, rupture: "0.5 mm", friction: 0)"#, "Contact()", 0.01, 0.0005, 1e-9);
    // It follows the slope with a little of its own swing.
    let adhesion = ("Jkr(adhesion: 0.5, friction: 0, restitution: 0.3)", "SmoothContact()", neck, 0.0, 0.01);
    for (law, module, pull, lift, near) in [bridge, adhesion] {
        for (rise, most) in [(2e-3, 2.0), (-2e-3, 1.0)] {
            let case = Case {
                body: &ball("(-0.0005, 0.003, 0.01)", &format!("(0.01, 0, {lift})"), "(0, 0, 0)"),
                law,
                loads: &format!(
                    r#"(on: "b", load: Force(z: {})), {STRAIGHT}"#,
                    if lift > 0.0 { pull.to_string() } else { format!("Ramp(from: 0, to: {pull}, end: 0.02)") }
                ),
                module,
                gravity: 0.0,
                step: 2e-4,
                end: 0.1,
            };
            let seen = case.run(&floor(rise));
            let settled = if lift > 0.0 { &seen[..] } else { &seen[150..] };
            assert!(settled.iter().all(|s| (s.fx.hypot(s.fz) - pull).abs() < near * pull), "{law}, rise {rise}");
            assert!(seen.iter().map(|s| s.contacts).fold(0.0, f64::max) == most, "{law}, rise {rise}");
            // On the far side it stands on that.
            let end = seen.last().unwrap();
            assert!((end.fx - pull * rise).abs() < 0.02 * (pull * rise).abs() && end.x > 0.0, "{law}, rise {rise}: {end:?}");
        }
    }
}

/// Balls that roll and slide over strips to all sides: the same bits on any number of threads and after a resumption.
#[test]
fn what_goes_over_seams_has_the_same_bits() {
    let balls: String = (0..24)
        .map(|k| {
            let (x, y) = (f64::from(k % 6).mul_add(0.03, -0.08), f64::from(k / 6).mul_add(0.03, -0.05));
            let (sine, cosine) = f64::from(k).sin_cos();
            ball(&format!("({x}, {y}, 0.00999)"), &format!("({}, {}, 0)", 0.4 * cosine, 0.4 * sine), "(3, 5, 7)") + ","
        })
        .collect();
    for (law, module) in [
        ("Hooke(stiffness: 1e4, friction: 0.5, restitution: 0.5)", "SmoothContact()"),
        ("Elastic(stiffness: 1e3, tangential_stiffness: 800, friction: 0.3)", "Contact()"),
        (r#"SlipWeakening(friction: 0.5, sliding: 0.1, distance: "10 mm")"#, "Contact()"),
    ] {
        let body = balls.trim_end_matches(',');
        let case = Case { body, law, loads: "", module, gravity: GRAVITY, step: 1e-3, end: 0.1 };
        let text = case.text(&strips(-20, 30));
        same_bits(&|| Ok(build(&text, &[])), 60).unwrap_or_else(|e| panic!("{law}: {e}"));
    }
}
