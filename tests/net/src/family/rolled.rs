//! Two round bodies bonded in a point roll on each other in flight while they turn about each other: the bond is pulled by m* Ω² d, whatever their radii, masses and spins, and they stay as far apart.

use mpcd_core::Vec3;

use crate::{
    judge::{BONDED, Trial},
    random::Draw,
    scene::{Body, Scene, Shape},
};

pub(super) fn make(seed: u64, draw: &mut Draw) -> Trial {
    let planar = draw.chance(0.5);
    let (a, b) = (draw.decades(0.01, 0.1), draw.decades(0.01, 0.1));
    let (ma, mb) = (draw.decades(0.01, 100.0), draw.decades(0.01, 100.0));
    let (d, step) = (a + b, draw.decades(1e-5, 1e-2));
    // The line of the centres turns by this much in a step, the bodies as no slip asks: d Ω = a ω_a + b ω_b.
    let mut rate = draw.decades(1e-4, 2e-2) / step;
    let mut own = rate * draw.between(-3.0, 5.0);
    let mut other = (d * rate - a * own) / b;
    // by a tenth at most
    let fast = step * own.abs().max(other.abs()).max(rate);
    let less = (0.1 / fast).min(1.0);
    (rate, own, other) = (rate * less, own * less, other * less);
    let fast = fast * less;
    let sprung = draw.chance(0.25);
    let force = ma * mb / (ma + mb) * rate * rate * d;
    // In a point a bond has the area that is given.
    let strength = 1e3 * force;
    let law = if sprung {
        format!(
            "Bilinear(friction: 0.5, tensile_strength: {strength:?}, energy: {strength:?}, normal_stiffness: {:?}, tangential_stiffness: {:?}, area: 1)",
            force / (1e-4 * d),
            force / (1e-4 * d)
        )
    } else {
        draw.of(&[
            format!("MohrCoulomb(friction: 0.5, tensile_strength: {strength:?}, cohesion: {strength:?}, area: 1)"),
            format!("Extrinsic(friction: 0.5, strength: {strength:?}, energy: {strength:?}, area: 1)"),
        ])
    };
    let mut scene = Scene::new(planar, Vec3::zeros(), step, 200.0 * step, law);
    let flight = draw.direction(planar) * draw.between(0.0, 10.0) * rate * d;
    let (ra, rb) = (d * mb / (ma + mb), d * ma / (ma + mb));
    for (group, radius, mass, x, spin) in [("a", a, ma, -ra, own), ("b", b, mb, rb, other)] {
        let mut body = Body::new(group, Shape::Round(radius), mass, Vec3::x() * x);
        (body.velocity, body.spin) = (flight + Vec3::y() * (rate * x), Vec3::z() * spin);
        scene.bodies.push(body);
    }
    // The spring, which is not stretched yet, swings; what goes along arcs is of third order in the angles of a step, those of the bodies as well.
    let off = if sprung { 1.2 } else { 0.01 + 2.0 * fast * fast };
    Trial { views: Some((1e-5 * d, 1e-3 * rate * d)), energy: None, momentum: BONDED, ..Trial::new("rolled", seed, scene) }
        .expect("force of the bond over m* Ω² d, least", 1.0, off, move |o| o.pull[0][0] / force)
        .expect("force of the bond over m* Ω² d, greatest", 1.0, off, move |o| o.pull[0][1] / force)
        .expect("distance at the end over that at the start", 1.0, 3e-4, move |o| (o.position[0] - o.position[1]).norm() / d)
        .expect("energy at the end over that of the start", 1.0, 1e-3, |o| {
            o.energy.last().copied().unwrap_or(0.0) / o.energy.first().copied().unwrap_or(1.0)
        })
}
