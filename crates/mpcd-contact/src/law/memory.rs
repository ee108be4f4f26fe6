//! What a law remembers of one contact, how tangential memory turns with the frame, and who inherits it when the same surface gets new names.
//! Which law remembers what is not here.

use mpcd_core::{ContactGeometry, ContactKey, Frame, Kinematics, Vec3};
use mpcd_geometry::Touch;
use serde::{Deserialize, Serialize};

use crate::{
    heirs::{Born, Place, pair_up, reach_of},
    motion::across,
};

/// What a law remembers of one contact point from step to step: a few numbers and two tangential vectors, of this point of the surface and not sums
/// over an area. It is part of the checkpoint and follows its contact by key. Where the contact gets another name (another triangle or part of the same
/// surface, other features of a face), the point that is in its place inherits it ([`super::Remembers::inherit`]); else it is forgotten when the contact
/// leaves the network.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    /// Numbers, each law's own.
    pub numbers: [f64; 4],
    /// Tangential vectors, local (n, t, s) in the present frame. Between steps they turn with the normal and with the mean spin of
    /// the two bodies about it. The first is the way (m) that a spring along the surface is stretched in the contact configuration, if the step to come
    /// is as long as the last; the second the rate (m/s) at which it was still stretched at the end of that one.
    pub vectors: [Vec3; 2],
}

impl Memory {
    /// Goes on to the contact configuration of a step that is longer than the last: it lies later by `later` (s), as the gap's does.
    pub(crate) fn lead(&mut self, later: f64) {
        let rate = self.vectors[1];
        if later != 0.0 && rate != Vec3::zeros() {
            self.vectors[0] += rate * later;
        }
    }
}

/// The memory of one contact between steps, in world axes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Remembered {
    /// Whose.
    pub key: ContactKey,
    normal: Vec3,
    /// Where on candidate and antagonist, body axes (m).
    at: [Vec3; 2],
    numbers: [f64; 4],
    vectors: [Vec3; 2],
    /// Energy that the contact stores (J).
    stored: f64,
}

impl Remembered {
    /// Keeps the memory of a contact whose frame is `frame`, at the places `at` (m) in the axes of candidate and antagonist.
    #[must_use]
    pub fn keep(key: ContactKey, frame: &Frame, at: [Vec3; 2], memory: &Memory) -> Self {
        let vectors = memory.vectors.map(|v| frame.to_world(&v));
        Self { key, normal: frame.n, at, numbers: memory.numbers, vectors, stored: 0.0 }
    }

    /// The same of a contact that stores this energy (J).
    #[must_use]
    pub const fn storing(self, energy: f64) -> Self {
        Self { stored: energy, ..self }
    }

    /// Energy that the contact stores (J).
    pub(crate) const fn stored(&self) -> f64 {
        self.stored
    }

    /// How far a touch of the same pair is from it on the candidate (m); `None` where the two are no parts of one surface: normals differ, or they are as far apart as the middle of
    /// the body.
    pub(crate) fn apart(&self, touch: &Touch, now: &Kinematics) -> Option<f64> {
        let apart = (place_of(touch, now)[0] - self.at[0]).norm();
        (touch.frame.n.dot(&self.normal) > SAME_WAY && apart < touch.arm_candidate.norm()).then_some(apart)
    }

    fn place(&self) -> Place {
        Place { normal: self.normal, on: self.at }
    }

    /// Whether a touch is where this was on both bodies, but for what it may have gone since.
    fn is_at(&self, touch: &Touch, moved: (&Kinematics, f64)) -> bool {
        born(0, touch, moved).takes(&self.place())
    }

    /// Whether there is nothing in it, nor stored.
    fn is_empty(&self) -> bool {
        self.left() == Memory::default() && self.stored == 0.0
    }

    /// The memory as it was left, its vectors in world axes.
    pub(crate) const fn left(&self) -> Memory {
        Memory { numbers: self.numbers, vectors: self.vectors }
    }

    /// The memory in the frame of the next step. `spin` is the angle (rad) by which the two bodies turned about the normal.
    #[must_use]
    pub fn recall(&self, frame: &Frame, spin: f64) -> Memory {
        let vectors = self.vectors.map(|v| if v == Vec3::zeros() { v } else { self.turned(v, frame, spin) });
        Memory { numbers: self.numbers, vectors }
    }

    /// Turns a vector by the least rotation from the old normal to the new one, then about that one.
    fn turned(&self, v: Vec3, frame: &Frame, spin: f64) -> Vec3 {
        let (from, to) = (self.normal, frame.n);
        let axis = from.cross(&to);
        let cosine = from.dot(&to);
        // Rodrigues: v cos + (a × v) + a (a·v)/(1 + cos), a = sin · unit axis. Opposite normals have no least rotation.
        let turned = if cosine > -0.999 { v * cosine + axis.cross(&v) + axis * (axis.dot(&v) / (1.0 + cosine)) } else { v };
        let local = frame.to_local(&turned);
        let (s, c) = spin.sin_cos();
        Vec3::new(local.x, c * local.y - s * local.z, s * local.y + c * local.z)
    }
}

/// A contact point's places on candidate and antagonist, body axes (m).
pub(crate) fn place_of(touch: &Touch, now: &Kinematics) -> [Vec3; 2] {
    let on = |body: mpcd_core::BodyId, arm: &Vec3| now.orientation[body.index()].inverse_transform_vector(arm);
    [on(touch.key.candidate, &touch.arm_candidate), on(touch.key.antagonist, &touch.arm_antagonist)]
}

/// Cosine of the angle between normals above which two names may be of one point of a surface.
const SAME_WAY: f64 = 0.9;

/// Who inherits whose memory: places in `touches` and in `memory`, by rising touch, the nearest first; `moved` are motion and length (s) of the step,
/// `on_mesh` tells what deforms. What has a name of its own is in the same place of both bodies as before: that of a face or line which is elsewhere (a name may be a
/// corner's number) is a new one, and the old one is gone. Of faces and lines each memory whose name is gone goes to the nearest point of its pair whose name is
/// new; each such point without one takes the nearest. Of what is round one point is one memory: that whose name is new, or that has had none so far, takes
/// what is in its place on both bodies ([`pair_up`]).
pub(crate) fn heirs(
    touches: &[Touch],
    memory: &[Remembered],
    moved: (&Kinematics, f64),
    on_mesh: impl Fn(&Touch) -> bool,
) -> Vec<(usize, usize)> {
    let mut out = Vec::new();
    let pair = |key: &ContactKey| (key.candidate, key.antagonist);
    let (mut i, mut k) = (0, 0);
    let (mut gone, mut born): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
    while i < touches.len() && k < memory.len() {
        let (a, b) = (pair(&touches[i].key), pair(&memory[k].key));
        if a != b {
            if a < b {
                i += 1
            } else {
                k += 1
            }
            continue;
        }
        gone.clear();
        born.clear();
        let start = [i, k];
        let of_touch = |i: usize| touches.get(i).filter(|t| pair(&t.key) == a);
        let of_memory = |k: usize| memory.get(k).filter(|m| pair(&m.key) == a);
        // Of one point nothing can be another's.
        let alone = of_touch(i + 1).is_none() && of_memory(k + 1).is_none();
        loop {
            match (of_touch(i), of_memory(k)) {
                (None, None) => break,
                (Some(t), Some(m)) if t.key == m.key => {
                    if !alone && !is_point(t) && !on_mesh(t) && !m.is_at(t, moved) {
                        born.push(i);
                        gone.push(k);
                    }
                    i += 1;
                    k += 1;
                }
                (Some(t), m) if m.is_none_or(|m| t.key < m.key) => {
                    born.push(i);
                    i += 1;
                }
                _ => {
                    gone.push(k);
                    k += 1;
                }
            }
        }
        if gone.is_empty() {
            continue;
        }
        let from = out.len();
        let is_round = |i: &usize| is_point(&touches[*i]) && !on_mesh(&touches[*i]);
        let round = (start[0]..i).filter(is_round).collect::<Vec<_>>();
        points(touches, &round, (memory, &memory[start[1]..k]), moved, &gone, &mut out);
        gone.retain(|k| out[from..].iter().all(|(_, left)| left != k));
        born.retain(|i| !is_point(&touches[*i]));
        if !gone.is_empty() && !born.is_empty() {
            match_up(touches, memory, moved.0, (&born, &gone), &mut out);
        }
        sort(touches, memory, moved.0, &mut out[from..]);
    }
    out
}

const fn is_point(touch: &Touch) -> bool {
    matches!(touch.geometry, ContactGeometry::Point { .. })
}

/// A touch as one that may inherit.
fn born(index: usize, touch: &Touch, (now, h): (&Kinematics, f64)) -> Born {
    let spin = now.angular_velocity[touch.key.candidate.index()] - now.angular_velocity[touch.key.antagonist.index()];
    let u = across(touch, |body| (now.velocity[body], now.angular_velocity[body]));
    let place = Place { normal: touch.frame.n, on: place_of(touch, now) };
    Born { index, place, reach: reach_of(touch, (u.norm(), spin.norm()), h) }
}

/// The heirs among the `round` points of one pair, of which `own` is remembered.
fn points(
    touches: &[Touch],
    round: &[usize],
    (memory, own): (&[Remembered], &[Remembered]),
    moved: (&Kinematics, f64),
    gone: &[usize],
    out: &mut Vec<(usize, usize)>,
) {
    let has = |key: &ContactKey| own.iter().any(|m| m.key == *key && !m.is_empty());
    let left = gone.iter().filter(|k| !memory[**k].is_empty()).map(|k| (*k, memory[*k].place()));
    let born = round.iter().filter(|i| !has(&touches[**i].key)).map(|i| born(*i, &touches[*i], moved));
    pair_up(&born.collect::<Vec<_>>(), &left.collect::<Vec<_>>(), out);
}

/// By rising touch, and of one the nearest first.
fn sort(touches: &[Touch], memory: &[Remembered], now: &Kinematics, heirs: &mut [(usize, usize)]) {
    let far = |&(i, k): &(usize, usize)| memory[k].apart(&touches[i], now).unwrap_or(f64::INFINITY);
    heirs.sort_by(|a, b| a.0.cmp(&b.0).then(far(a).total_cmp(&far(b))).then(a.1.cmp(&b.1)));
}

fn match_up(
    touches: &[Touch],
    memory: &[Remembered],
    now: &Kinematics,
    (born, gone): (&[usize], &[usize]),
    out: &mut Vec<(usize, usize)>,
) {
    let from = out.len();
    let distance = |i: usize, k: usize| memory[k].apart(&touches[i], now);
    let nearest = |of: &[usize], distance: &dyn Fn(usize) -> Option<f64>| {
        of.iter().filter_map(|&x| distance(x).map(|d| (x, d))).min_by(|a, b| a.1.total_cmp(&b.1)).map(|(x, _)| x)
    };
    for &k in gone {
        out.extend(nearest(born, &|i| distance(i, k)).map(|i| (i, k)));
    }
    for &i in born {
        if out[from..].iter().all(|(heir, _)| *heir != i) {
            out.extend(nearest(gone, &|k| distance(i, k)).map(|k| (i, k)));
        }
    }
}

/// Goes through a list sorted by key beside another one: each look-up is a few comparisons.
#[derive(Debug, Clone)]
pub(crate) struct Cursor<'a, T> {
    rest: &'a [T],
    key: fn(&T) -> &ContactKey,
}

impl<'a, T> Cursor<'a, T> {
    pub(crate) const fn new(rest: &'a [T], key: fn(&T) -> &ContactKey) -> Self {
        Self { rest, key }
    }

    /// Goes on from the first item that is not before `key`.
    pub(crate) fn skip_to(mut self, key: &ContactKey) -> Self {
        let at = self.rest.partition_point(|item| (self.key)(item) < key);
        self.rest = &self.rest[at..];
        self
    }

    /// The item of `key`; keys must be asked for in rising order.
    pub(crate) fn find(&mut self, key: &ContactKey) -> Option<&'a T> {
        while let Some((first, rest)) = self.rest.split_first() {
            match (self.key)(first).cmp(key) {
                std::cmp::Ordering::Less => self.rest = rest,
                std::cmp::Ordering::Equal => return Some(first),
                std::cmp::Ordering::Greater => return None,
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use mpcd_core::BodyId;

    use super::*;

    #[test]
    fn tangential_memory_turns_with_the_normal_and_with_the_spin() {
        let key = ContactKey { candidate: BodyId(0), antagonist: BodyId(1), feature: 0 };
        let (from, to) = (Frame::spatial(Vec3::z()), Frame::spatial(Vec3::new(0.3, 0.2, 0.9).normalize()));
        let mut memory = Memory::default();
        memory.vectors[0] = from.to_local(&Vec3::new(1.0, 2.0, 0.0));
        let kept = Remembered::keep(key, &from, [Vec3::zeros(); 2], &memory);
        let back = kept.recall(&to, 0.0).vectors[0];
        assert!(back.x.abs() < 1e-15 && (back.norm() - 5.0_f64.sqrt()).abs() < 1e-15, "{back:?}");
        // The same rotation that takes the normal over takes the vector over.
        let whole = nalgebra::UnitQuaternion::rotation_between(&from.n, &to.n).unwrap_or_default();
        assert!((to.to_world(&back) - whole * Vec3::new(1.0, 2.0, 0.0)).norm() < 1e-14);
        // A quarter turn about the normal.
        let turned = kept.recall(&from, std::f64::consts::FRAC_PI_2).vectors[0];
        assert!((from.to_world(&turned) - Vec3::new(-2.0, 1.0, 0.0)).norm() < 1e-14);
    }

    fn touch(feature: u64, at: Vec3, normal: Vec3) -> Touch {
        Touch {
            key: ContactKey { candidate: BodyId(0), antagonist: BodyId(1), feature },
            point: at,
            frame: Frame::spatial(normal),
            gap: 0.0,
            geometry: ContactGeometry::Flat { area: 1.0 },
            least_radius: f64::INFINITY,
            arm_candidate: at,
            arm_antagonist: at,
            growth_candidate: 0.0,
            growth_antagonist: 0.0,
        }
    }

    fn at_rest() -> Kinematics {
        let mut now = Kinematics::default();
        now.push_at_rest(Vec3::zeros(), mpcd_core::Quat::identity());
        now.push_at_rest(Vec3::zeros(), mpcd_core::Quat::identity());
        now
    }

    fn kept(touch: &Touch, slip: f64, now: &Kinematics) -> Remembered {
        let memory = Memory { numbers: [slip, 0.0, 0.0, 0.0], ..Memory::default() };
        Remembered::keep(touch.key, &touch.frame, place_of(touch, now), &memory)
    }

    /// Four corners of a face, two of which get other names; a point that looks another way inherits nothing, nor does a far one.
    #[test]
    fn the_nearest_point_of_the_surface_inherits() {
        let now = at_rest();
        let corner = |x: f64, y: f64| Vec3::new(x, y, -1.0);
        let before = [
            (1, corner(-1.0, -1.0)),
            (2, corner(1.0, -1.0)),
            (3, corner(1.0, 1.0)),
            (4, corner(-1.0, 1.0)),
            (5, corner(1.0, 0.9)),
        ];
        let memory = before.map(|(feature, at)| kept(&touch(feature, at, Vec3::z()), 0.0, &now));
        let touches = [
            touch(2, corner(1.0, -1.0), Vec3::z()),
            touch(4, corner(-1.0, 1.0), Vec3::z()),
            touch(6, corner(1.01, 1.0), Vec3::z()),
            touch(7, corner(-1.0, -1.01), Vec3::z()),
            touch(8, corner(-1.0, -1.0), Vec3::x()),
        ];
        let heirs = |touches: &[Touch]| heirs(touches, &memory, (&now, 0.0), |_| false);
        assert_eq!(heirs(&touches), [(2, 2), (2, 4), (3, 0)]);
        // One point for two: numbers of the nearest, the mean of the springs, as a law inherits unless it says otherwise.
        assert!(heirs(&touches[..2]).is_empty() && heirs(&[]).is_empty());
        let ball = Touch { geometry: ContactGeometry::Point { reduced_radius: 1.0, roundness: 1.0 }, ..touches[2] };
        assert!(heirs(&[ball]).is_empty());
    }

    /// Names that are numbers of corners go around: what each corner remembers stays its own.
    #[test]
    fn a_name_that_goes_elsewhere_takes_nothing_along() {
        let now = at_rest();
        let corner = |x: f64, y: f64| Vec3::new(x, y, -1.0);
        let places = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
        let face = |shift: usize| (0..4).map(move |k| touch(k as u64, places[(k + shift) % 4], Vec3::z())).collect::<Vec<_>>();
        let memory: Vec<_> = face(0).iter().map(|t| kept(t, 0.1, &now)).collect();
        let heirs = |touches: &[Touch], h: f64| heirs(touches, &memory, (&now, h), |_| false);
        assert!(heirs(&face(0), 1e-3).is_empty());
        assert_eq!(heirs(&face(1), 1e-3), [(0, 1), (1, 2), (2, 3), (3, 0)]);
    }

    /// What is round: a point has one memory and a memory one heir, new or empty, in the same place of both bodies.
    #[test]
    fn a_memory_of_what_is_round_has_one_heir() {
        let now = at_rest();
        let point = |feature: u64, x: f64, normal: Vec3| Touch {
            geometry: ContactGeometry::Point { reduced_radius: 1.0, roundness: 1.0 },
            ..touch(feature, Vec3::new(x, 0.0, -1.0), normal)
        };
        let at = |feature, x| point(feature, x, Vec3::z());
        let memory = [kept(&at(3, 0.0), 0.1, &now), kept(&at(5, 0.005), 0.0, &now), kept(&at(7, 0.001), 0.2, &now)];
        let heirs = |touches: &[Touch]| heirs(touches, &memory, (&now, 0.0), |_| false);
        // Another triangle, and one in that place that has a memory of its own.
        assert_eq!(heirs(&[at(1, 0.002), at(7, 0.001)]), [(0, 0)]);
        assert!(heirs(&[at(7, 0.001)]).is_empty());
        // One that was there and had none.
        assert_eq!(heirs(&[at(5, 0.005), at(7, 0.001)]), [(0, 0)]);
        // Two are gone: each goes on once.
        assert_eq!(heirs(&[at(1, 0.0015), at(2, 0.004)]), [(0, 2), (1, 0)]);
        // A wall, and what is too far.
        assert!(heirs(&[point(1, 0.0, Vec3::x()), at(2, 0.02), at(7, 0.001)]).is_empty());
        // On the antagonist alone.
        let elsewhere = Touch { arm_antagonist: Vec3::new(0.5, 0.0, -1.0), ..at(1, 0.0) };
        assert!(heirs(&[elsewhere, at(7, 0.001)]).is_empty());
    }
}
