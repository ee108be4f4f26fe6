//! A block cut into pieces that hold together and turn in flight: whatever the cuts, masses, laws and contacts without bonds among them, it stays whole, and each piece is pulled by m ω² r and nothing else.

use mpcd_core::Vec3;

use super::G;
use crate::{
    dissect::{Cuts, Piece, cut, hangs_together, steady_axis, whole},
    judge::{BONDED, Trial},
    random::Draw,
    scene::{Body, Scene},
};

const GROUPS: [&str; 3] = ["a", "b", "c"];

pub(super) fn make(seed: u64, draw: &mut Draw) -> Trial {
    let planar = draw.chance(0.5);
    let cuts = Cuts { planar, straight: draw.chance(0.5), count: draw.whole(1, if planar { 9 } else { 6 }) };
    let mut long = || draw.between(0.1, 0.3);
    let size = Vec3::new(long(), long(), if planar { 1.0 } else { long() });
    let ratio = draw.decades(1.0, 1e3);
    let pieces = cut(size, cuts, ratio, draw);
    let (centre, _, inertia) = whole(&pieces);
    let axis = if planar { Vec3::z() } else { steady_axis(&inertia) };
    let step = draw.decades(1e-5, 1e-2);
    let rate = draw.decades(1e-4, 5e-2) / step;
    let spin = axis * rate;
    let sprung = draw.chance(0.25);
    let mut scene = Scene::new(planar, gravity(planar, draw), step, 200.0 * step, law(sprung, rate, size, ratio, draw));
    let flight = draw.direction(planar) * draw.between(0.0, 3.0) * rate * size.x;
    let of: Vec<&str> = (0..pieces.len()).map(|_| draw.of(&GROUPS)).collect();
    for (piece, group) in pieces.iter().zip(&of) {
        let r = piece.centre() - centre;
        let mut body = Body::new(group, piece.shape(cuts), piece.mass, piece.centre());
        (body.velocity, body.spin) = (flight + spin.cross(&r), spin);
        scene.bodies.push(body);
    }
    scene.pairs = unbonded(&pieces, &of, draw);
    let pull: Vec<f64> = pieces.iter().map(|p| p.mass * spin.cross(&spin.cross(&(p.centre() - centre))).norm()).collect();
    let far = size.x.hypot(size.y);
    // pieces on the axis are pulled by nothing
    let weight: f64 = pieces.iter().map(|p| p.mass * rate * rate * far).sum();
    let most = pull.iter().fold(1e-3 * weight, |m, f| m.max(*f));
    let places: Vec<Vec3> = pieces.iter().map(Piece::centre).collect();
    // springs that are not stretched yet swing, and knock what lies beside them without a bond
    let off = if sprung { 20.0 } else { 0.01 + 2.0 * (step * rate).powi(2) };
    // bonds are left open by 10⁻⁵ of their lengths, in each view its own way
    Trial { views: Some((3e-5 * far, 1e-3 * rate * far)), energy: None, momentum: BONDED, ..Trial::new("spun", seed, scene) }
        .expect("forces on the pieces beside m ω² r", 0.0, off, move |o| {
            let beside = |(is, want): (&[f64; 2], &f64)| (is[0] - want).abs().max((is[1] - want).abs());
            o.pull.iter().zip(&pull).map(beside).fold(0.0, f64::max) / most
        })
        .expect("change of distances over the size", 0.0, 1e-4, move |o| {
            let n = places.len();
            let pairs = (0..n).flat_map(|i| (0..i).map(move |j| (i, j)));
            let change = |(i, j): (usize, usize)| (o.position[i] - o.position[j]).norm() - (places[i] - places[j]).norm();
            pairs.map(|p| change(p).abs()).fold(0.0, f64::max) / far
        })
        .expect("energy at the end over that of the start", 1.0, 1e-3, |o| {
            o.energy.last().copied().unwrap_or(0.0) / o.energy.first().copied().unwrap_or(1.0)
        })
}

/// What flies falls, or does not.
fn gravity(planar: bool, draw: &mut Draw) -> Vec3 {
    if draw.chance(0.5) { draw.direction(planar) * G } else { Vec3::zeros() }
}

/// Bonds a thousand times as strong as what pulls at them.
fn law(sprung: bool, rate: f64, size: Vec3, ratio: f64, draw: &mut Draw) -> String {
    let stress = 1000.0 * (rate * size.x.hypot(size.y)).powi(2) * ratio;
    let strength = 1e3 * stress;
    let friction = draw.of(&[0.0, 0.3, 1.0]);
    if sprung {
        let stiffness = stress / (1e-5 * size.x);
        return format!(
            "Bilinear(friction: {friction:?}, tensile_strength: {strength:?}, energy: {:?}, normal_stiffness: {stiffness:?}, tangential_stiffness: {:?})",
            strength * size.x,
            0.4 * stiffness
        );
    }
    draw.of(&[
        format!("MohrCoulomb(friction: {friction:?}, tensile_strength: {strength:?}, cohesion: {strength:?})"),
        format!("Extrinsic(friction: {friction:?}, strength: {strength:?}, energy: {:?})", strength * size.x),
    ])
}

/// Pairs of groups that touch without a bond: as many as leave all pieces hanging together by faces that are not small.
fn unbonded(pieces: &[Piece], of: &[&'static str], draw: &mut Draw) -> Vec<(&'static str, &'static str, String)> {
    let mut out: Vec<(&str, &str, String)> = Vec::new();
    let face = |a: usize, b: usize| {
        let least = pieces[a].volume().min(pieces[b].volume()).powf(2.0 / 3.0);
        pieces[a].shares(&pieces[b]) > 0.05 * least
    };
    let free = |out: &[(&str, &str, String)], a: &str, b: &str| out.iter().any(|(p, q, _)| (*p, *q) == (a.min(b), a.max(b)));
    for (k, a) in GROUPS.iter().enumerate() {
        for b in &GROUPS[k..] {
            if !draw.chance(0.5) {
                continue;
            }
            out.push((a, b, format!("Coulomb(friction: {:?})", draw.of(&[0.0, 0.3]))));
            if !hangs_together(pieces.len(), |i, j| face(i, j) && !free(&out, of[i], of[j])) {
                out.pop();
            }
        }
    }
    out
}
