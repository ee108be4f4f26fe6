//! A block cut into pieces that hold together is thrown at the floor with a corner first, turning: what it does after the impact is what one rigid body of its mass and moments does.

use mpcd_core::{Quat, Vec3};

use crate::{
    dissect::{Cuts, cut, steady_axis, whole},
    judge::{BONDED, Trial},
    random::Draw,
    scene::{Body, Scene, Shape},
};

pub(super) fn make(seed: u64, draw: &mut Draw) -> Trial {
    let planar = draw.chance(0.5);
    let up = -Scene::down(planar);
    let cuts = Cuts { planar, straight: draw.chance(0.5), count: draw.whole(1, 6) };
    let mut long = || draw.between(0.1, 0.3);
    let size = Vec3::new(long(), long(), if planar { 1.0 } else { long() });
    let pieces = cut(size, cuts, draw.decades(1.0, 100.0), draw);
    let (centre, mass, inertia) = whole(&pieces);
    // The lowest corner of the block, and no other one near it.
    let (turned, lowest) = loop {
        let turned = Quat::from_scaled_axis(if planar { Vec3::z() } else { draw.direction(false) } * draw.between(0.2, 1.3));
        let mut corners: Vec<Vec3> = (0..if planar { 4 } else { 8 })
            .map(|k| {
                let side = |bit: usize, l: f64| if k & bit == 0 { -0.5 * l } else { 0.5 * l };
                turned * (Vec3::new(side(1, size.x), side(2, size.y), if planar { 0.0 } else { side(4, size.z) }) - centre)
            })
            .collect();
        corners.sort_by(|a, b| a.dot(&up).total_cmp(&b.dot(&up)));
        if (corners[1] - corners[0]).dot(&up) > 0.2 * size.x.min(size.y) {
            break (turned, corners[0]);
        }
    };
    let fast = draw.decades(0.1, 10.0);
    let step = draw.decades(1e-4, 2e-3) * size.x / fast;
    let axis = if planar { Vec3::z() } else { turned * steady_axis(&inertia) };
    let spin = axis * draw.between(-0.3, 0.3) * fast / size.x;
    let velocity = -up * fast;
    let e = draw.of(&[0.3, 0.5, 0.8]);
    let strength = 1e9 * 1000.0 * fast * fast;
    let law = draw.of(&[
        format!("MohrCoulomb(friction: 0.3, tensile_strength: {strength:?}, cohesion: {strength:?})"),
        format!("Extrinsic(friction: 0.3, strength: {strength:?}, energy: {strength:?})"),
    ]);
    let mut scene = Scene::new(planar, Vec3::zeros(), step, 14.0 * step, law);
    scene.pairs = vec![("floor", "g", format!("Coulomb(friction: 0, restitution: {e:?})"))];
    scene.bodies.push(Body::new("floor", Shape::Floor(up), 0.0, Vec3::zeros()));
    // in the middle of the step in which it lands
    let start = up * (-lowest.dot(&up) + 9.5 * step * fast);
    for piece in &pieces {
        let r = turned * (piece.centre() - centre);
        let mut body = Body::new("g", piece.shape(cuts), piece.mass, start + r);
        body.turned = turned;
        (body.velocity, body.spin) = (velocity + spin.cross(&r), spin);
        scene.bodies.push(body);
    }
    // Newton's impact of a rigid body in one point: J = −(1 + e) vₙ/(1/m + n · (I⁻¹ (r × n)) × r), without friction.
    let inertia = turned.to_rotation_matrix() * inertia * turned.to_rotation_matrix().inverse();
    let inverse = inertia.try_inverse().unwrap_or_default();
    let arm = lowest.cross(&up);
    let give = if planar { arm.z * arm.z / inertia[(2, 2)] } else { arm.dot(&(inverse * arm)) };
    let closing = (velocity + spin.cross(&lowest)).dot(&up);
    let impulse = -(1.0 + e) * closing / (1.0 / mass + give);
    let after = velocity + up * impulse / mass;
    let turning = spin + if planar { arm * impulse / inertia[(2, 2)] } else { inverse * arm * impulse };
    let masses: Vec<f64> = pieces.iter().map(|p| p.mass).collect();
    // What it turns in these steps moves the corner, and in space turns the axis.
    let close = 0.03 * (1.0 + e) * fast;
    let least = size.x.min(size.y);
    Trial { momentum: BONDED, ..Trial::new("thrown", seed, scene) }
        .expect("velocity of the whole after the impact", 0.0, close, move |o| {
            let of = |i: usize| o.velocity[i + 1] * masses[i];
            ((0..masses.len()).map(of).sum::<Vec3>() / mass - after).norm()
        })
        .expect("spins after the impact", 0.0, close / least, move |o| {
            o.spin[1..].iter().map(|w| (w - turning).norm()).fold(0.0, f64::max)
        })
}
