//! Two bonded blocks, pulled or sheared through the middle of the bond: it holds what strength times area says, and no more.

use mpcd_core::Vec3;

use crate::{
    judge::Trial,
    random::Draw,
    scene::{Body, Load, Scene, Shape},
};

pub(super) fn make(seed: u64, draw: &mut Draw) -> Trial {
    let planar = draw.chance(0.5);
    let up = -Scene::down(planar);
    let strength = draw.decades(1e3, 1e6);
    // Stiff enough that the block hardly moves before the bond gives way.
    let stiffness = strength / 1e-6;
    let energy = 3.0 * strength * 1e-6;
    let area_key = draw.chance(0.5);
    let a = draw.between(0.05, 0.2);
    let b = if planar { 1.0 } else { draw.between(0.05, 0.2) };
    let area = if area_key { draw.decades(1e-4, 1e-2) } else { a * b };
    let given = if area_key { format!(", area: {area:?}") } else { String::new() };
    let w = strength * strength / stiffness;
    let law = draw.of(&[
        format!("Bilinear(normal_stiffness: {stiffness:?}, tensile_strength: {strength:?}, energy: {energy:?}, friction: 0{given})"),
        format!("Exponential(normal_stiffness: {stiffness:?}, tensile_strength: {strength:?}, energy: {energy:?}, friction: 0{given})"),
        format!("Extrinsic(strength: {strength:?}, energy: {energy:?}, friction: 0{given})"),
        format!("MohrCoulomb(tensile_strength: {strength:?}, cohesion: {strength:?}, friction: 0{given})"),
        // R = β²Cu with the peak √(wC) where damage begins
        format!("MonerieAcary(normal_stiffness: {stiffness:?}, tangential_stiffness: {stiffness:?}, energy: {w:?}, friction: 0{given})"),
    ]);
    let step = 1e-3;
    let end = 0.2;
    let mut scene = Scene::new(planar, Vec3::zeros(), step, end, law);
    let size = if planar { Vec3::new(a, 0.1, 0.0) } else { Vec3::new(a, b, 0.1) };
    scene.bodies.push(Body::new("base", Shape::Box(size), 1.0, -up * 0.05));
    scene.loads.push(("base", Load::Fixed));
    let shape = match draw.whole(0, 1) {
        // A ball has a bond by the area given alone.
        0 if area_key => Shape::Round(0.05),
        _ => Shape::Box(size),
    };
    // Inertia takes no part: force × time over mass stays far below the opening that matters.
    let mass = strength * area / 9.81 * draw.between(0.5, 2.0);
    scene.bodies.push(Body::new("block", shape, mass, up * 0.05));
    // Shear acts at the middle of the block and would also tip it: only pulls.
    let share = draw.of(&[0.5, 0.8, 0.93, 1.07, 1.3]);
    scene.loads.push(("block", Load::Ramp(up * (share * strength * area), 0.75 * end)));
    let holds = share < 1.0;
    Trial { energy: None, overlap: 0.01, ..Trial::new("bond", seed, scene) }.expect(
        if holds { "bond holds (1) below its strength" } else { "bond holds (1) above its strength" },
        f64::from(u8::from(holds)),
        0.5,
        move |o| f64::from(u8::from((o.position[1] - up * 0.05).norm() < 1e-4)),
    )
}
