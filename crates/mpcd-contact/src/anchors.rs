//! Bonds on faces, kept by the material points of the two surfaces that they hold together. Which features of two bodies detection finds on each
//! other changes with the last bit; what is glued does not. A ball or disc has one point whatever happens, and needs no anchor.
//! What may not live here: what a bond carries, and when it breaks.

use mpcd_core::{ContactGeometry, ContactKey, Dimension, Frame, Kinematics, Vec3};
use mpcd_geometry::Touch;
use serde::{Deserialize, Serialize};

/// Cosine below which a detected point looks another way than a bond, and so is none of its place.
const SAME_WAY: f64 = 0.9;
/// Part of its extent by which a detected point may lie beside the bonds and still be one of their places: faces that shear give way so far and less.
const BESIDE: f64 = 0.1;

/// A bond on a face: one material point of each of the two surfaces, in the same place when it was made.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Anchor {
    /// Identity: the features that met when it was made.
    pub key: ContactKey,
    /// Whether the bond still holds. One that does not is remembered while others of its pair hold: from then on its place is detection's.
    pub holds: bool,
    /// The points on candidate and antagonist, body axes at reference size (m).
    on: [Vec3; 2],
    /// Normal in the antagonist's axes.
    normal: Vec3,
    /// Gap when it was made (m), and the antagonist's size then does not matter if it is a plane.
    gap: f64,
    grows: bool,
    geometry: ContactGeometry,
    /// Distance within which what detection finds is this bond's place (m).
    extent: f64,
}

/// Where the bodies are.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    pub(crate) now: &'a Kinematics,
    pub(crate) dimension: Dimension,
    /// Lengths after which the model repeats (m).
    pub(crate) periods: [Option<f64>; 3],
}

impl Anchor {
    /// The bond of a detected point, whose antagonist `grows` with its size or has none (a plane), and whose points the way to the configuration has `led` apart (local, m); `None` for curved surfaces, whose
    /// points have one name.
    pub(crate) fn new(touch: &Touch, led: &Vec3, extent: f64, (now, grows): (&Kinematics, bool)) -> Option<Self> {
        if !matches!(touch.geometry, ContactGeometry::Flat { .. }) {
            return None;
        }
        let (c, a) = (touch.key.candidate.index(), touch.key.antagonist.index());
        let led = touch.frame.to_world(&Vec3::new(0.0, led.y, led.z)) * 0.5;
        let local = |i: usize, arm: &Vec3, size: f64| now.orientation[i].inverse_transform_vector(arm) / size;
        Some(Self {
            key: touch.key,
            holds: true,
            on: [
                local(c, &(touch.arm_candidate + led), now.size[c]),
                local(a, &(touch.arm_antagonist - led), if grows { now.size[a] } else { 1.0 }),
            ],
            normal: now.orientation[a].inverse_transform_vector(&touch.frame.n),
            gap: touch.gap,
            grows,
            geometry: touch.geometry,
            extent,
        })
    }

    /// Gap when it was made (m), within the tolerance of touching.
    pub(crate) const fn gap(&self) -> f64 {
        self.gap
    }

    /// Arms of the two points (m), and the way from the antagonist's centre to the candidate's, the nearest image of it.
    fn arms(&self, place: &Place<'_>) -> ([Vec3; 2], Vec3) {
        let Place { now, periods, .. } = place;
        let (c, a) = (self.key.candidate.index(), self.key.antagonist.index());
        let size = if self.grows { now.size[a] } else { 1.0 };
        let arms = [now.orientation[c] * self.on[0] * now.size[c], now.orientation[a] * self.on[1] * size];
        let apart = now.position[c] - now.position[a];
        (arms, Vec3::from_fn(|k, _| periods[k].map_or(apart[k], |l| apart[k] - l * (apart[k] / l).round())))
    }

    /// How far the antagonist's point is from the candidate's (m), world axes: zero when it was made.
    pub(crate) fn drift(&self, place: &Place<'_>) -> Vec3 {
        let ([on_candidate, on_antagonist], apart) = self.arms(place);
        apart + on_candidate - on_antagonist
    }

    /// The contact point that the bond is now: between its two points.
    fn touch(&self, place: &Place<'_>) -> Touch {
        let ([on_candidate, on_antagonist], apart) = self.arms(place);
        let drift = apart + on_candidate - on_antagonist;
        let (c, a) = (self.key.candidate.index(), self.key.antagonist.index());
        let now = place.now;
        let n = now.orientation[a] * self.normal;
        let n = if place.dimension == Dimension::Planar { Vec3::new(n.x, n.y, 0.0) } else { n }.normalize();
        let arm_candidate = on_candidate - drift * 0.5;
        Touch {
            key: self.key,
            point: now.position[c] + arm_candidate,
            frame: if place.dimension == Dimension::Planar { Frame::planar(n) } else { Frame::spatial(n) },
            gap: self.gap + n.dot(&drift),
            geometry: self.geometry,
            // Of a bond that is there already nothing more is asked.
            least_radius: f64::INFINITY,
            arm_candidate,
            arm_antagonist: on_antagonist + drift * 0.5,
            growth_candidate: -n.dot(&on_candidate) / now.size[c],
            growth_antagonist: if self.grows { n.dot(&on_antagonist) / now.size[a] } else { 0.0 },
        }
    }
}

/// The bonds that hold: of the step before, or those made as a run begins.
pub(crate) const fn at_hand<'a>(last: &'a [Anchor], started: &'a [Anchor]) -> &'a [Anchor] {
    if started.is_empty() { last } else { started }
}

/// Puts the bonds in the place of what detection found where they are. Both lists are sorted by key.
pub(crate) fn carry(anchors: &[Anchor], place: &Place<'_>, touches: &mut Vec<Touch>) {
    if anchors.is_empty() {
        return;
    }
    let pair = |key: &ContactKey| (key.candidate, key.antagonist);
    let now: Vec<(&Anchor, Touch)> = anchors.iter().map(|a| (a, a.touch(place))).collect();
    let mut rest = now.as_slice();
    touches.retain(|touch| {
        let of = pair(&touch.key);
        rest = &rest[rest.partition_point(|(a, _)| pair(&a.key) < of)..];
        let bonds = &rest[..rest.partition_point(|(a, _)| pair(&a.key) == of)];
        !bonds.iter().any(|(a, _)| a.holds && a.key == touch.key) && !is_place_of_a_bond(touch, bonds)
    });
    touches.extend(now.iter().filter(|(a, _)| a.holds).map(|(_, touch)| *touch));
    touches.sort_unstable_by_key(|touch| touch.key);
}

/// Whether a detected point is where bonds are: the nearest of those that look the same way holds, and the point lies among those that hold. What lies beside them they do
/// not keep from sinking in (a face of which one edge is bonded, or one from which the other broke away in the first step).
fn is_place_of_a_bond(touch: &Touch, bonds: &[(&Anchor, Touch)]) -> bool {
    let same_way = || bonds.iter().filter(|(_, own)| own.frame.n.dot(&touch.frame.n) > SAME_WAY);
    let near = same_way()
        .map(|(anchor, own)| (anchor, (own.arm_candidate - touch.arm_candidate).norm()))
        .min_by(|a, b| a.1.total_cmp(&b.1));
    near.is_some_and(|(anchor, distance)| {
        let beside = || {
            let holding = same_way().filter(|(anchor, _)| anchor.holds);
            let across = holding.map(|(_, own)| touch.frame.to_local(&(own.arm_candidate - touch.arm_candidate)));
            distance_of_hull(&across.map(|x| [x.y, x.z]).collect::<Vec<_>>())
        };
        anchor.holds && distance <= anchor.extent && (distance <= BESIDE * anchor.extent || beside() <= BESIDE * anchor.extent)
    })
}

/// How far the origin is from the convex hull of points of a plane; 0 within. No direction tells more than those across two of the points, and those from one of them to the origin.
fn distance_of_hull(points: &[[f64; 2]]) -> f64 {
    let out = |[x, y]: [f64; 2]| {
        let size = x.hypot(y);
        let most = points.iter().map(|p| x * p[0] + y * p[1]).fold(f64::NEG_INFINITY, f64::max);
        if size > 0.0 { -most / size } else { 0.0 }
    };
    let to_origin = points.iter().map(|p| out([-p[0], -p[1]]));
    let across = points.iter().enumerate().flat_map(|(k, a)| points[k + 1..].iter().map(move |b| [b[1] - a[1], a[0] - b[0]]));
    let across = across.map(|d| out(d).max(out([-d[0], -d[1]])));
    to_origin.chain(across).fold(0.0, f64::max)
}

/// The anchors after a step: `last` where they still hold, `new` ones besides, those that no longer hold while another of their pair does. All
/// lists are sorted by key.
pub(crate) fn renew(last: &[Anchor], holding: &[Anchor], out: &mut Vec<Anchor>) {
    out.clear();
    let mut holding = holding.iter().peekable();
    for anchor in last {
        while let Some(new) = holding.next_if(|a| a.key < anchor.key) {
            out.push(*new);
        }
        let holds = holding.next_if(|a| a.key == anchor.key).is_some();
        out.push(Anchor { holds, ..*anchor });
    }
    out.extend(holding);
    let pair = |a: &Anchor| (a.key.candidate, a.key.antagonist);
    let mut living: Vec<_> = out.iter().filter(|a| a.holds).map(pair).collect();
    living.dedup();
    out.retain(|a| living.binary_search(&pair(a)).is_ok());
}

#[cfg(test)]
mod tests {
    use mpcd_core::{BodyId, Quat};

    use super::*;

    fn kinematics() -> Kinematics {
        let mut out = Kinematics::default();
        out.push_at_rest(Vec3::new(0.3, 0.0, 0.5), Quat::identity());
        out.push_at_rest(Vec3::zeros(), Quat::identity());
        out
    }

    fn touch(feature: u64, at: Vec3, now: &Kinematics) -> Touch {
        Touch {
            key: ContactKey { candidate: BodyId(0), antagonist: BodyId(1), feature },
            point: at,
            frame: Frame::spatial(Vec3::z()),
            gap: 1e-6,
            geometry: ContactGeometry::Flat { area: 0.01 },
            least_radius: f64::INFINITY,
            arm_candidate: at - now.position[0],
            arm_antagonist: at - now.position[1],
            growth_candidate: 0.5,
            growth_antagonist: 0.1,
        }
    }

    fn place(now: &Kinematics) -> Place<'_> {
        Place { now, dimension: Dimension::Spatial, periods: [None; 3] }
    }

    #[test]
    fn a_bond_goes_where_its_material_points_go() {
        let mut now = kinematics();
        let at = Vec3::new(0.35, 0.05, 0.1);
        let Some(anchor) = Anchor::new(&touch(7, at, &now), &Vec3::zeros(), 0.1, (&now, true)) else { unreachable!("flat") };
        assert!((anchor.touch(&place(&now)).point - at).norm() < 1e-15);
        // Both turned and moved as one: nothing opens, nothing slides.
        let turn = Quat::from_euler_angles(0.3, -0.4, 1.1);
        for k in 0..2 {
            now.position[k] = turn * now.position[k] + Vec3::new(5.0, 6.0, 7.0);
            now.orientation[k] = turn;
        }
        assert!(anchor.drift(&place(&now)).norm() < 1e-14);
        let own = anchor.touch(&place(&now));
        assert!((own.gap - 1e-6).abs() < 1e-14 && (own.frame.n - turn * Vec3::z()).norm() < 1e-15);
        // What grows moves its point away from the centre: 0.4 m along the normal, and 0.1 m.
        assert!((own.growth_candidate - 0.4).abs() < 1e-14 && (own.growth_antagonist - 0.1).abs() < 1e-14);
        // The candidate turned by itself: the normal is that of the surface of the antagonist.
        let mut other = now.clone();
        other.orientation[0] = Quat::from_euler_angles(0.0, 0.2, 0.0) * turn;
        assert!((anchor.touch(&place(&other)).frame.n - turn * Vec3::z()).norm() < 1e-15);
        // The candidate lifted by 2 along the normal and slid by 3 across it.
        let by = turn * Vec3::new(3.0, 0.0, 2.0);
        now.position[0] += by;
        let own = anchor.touch(&place(&now));
        assert!((anchor.drift(&place(&now)) - by).norm() < 1e-14 && (own.gap - 2.0 - 1e-6).abs() < 1e-14);
        // One point for both levers.
        assert!((now.position[0] + own.arm_candidate - now.position[1] - own.arm_antagonist).norm() < 1e-14);
    }

    #[test]
    fn what_detection_finds_in_the_place_of_a_bond_gives_way_to_it() {
        let now = kinematics();
        let corner = |x: f64| Vec3::new(x, 0.0, 0.1);
        let bonds: Vec<Anchor> = [0.2, 0.4]
            .iter()
            .zip(1..)
            .filter_map(|(x, k)| Anchor::new(&touch(k, corner(*x), &now), &Vec3::zeros(), 0.2, (&now, true)))
            .collect();
        // Renamed, and one far away.
        let mut touches = vec![touch(8, corner(0.21), &now), touch(9, corner(0.39), &now), touch(10, corner(0.9), &now)];
        carry(&bonds, &place(&now), &mut touches);
        assert_eq!(touches.iter().map(|t| t.key.feature).collect::<Vec<_>>(), [1, 2, 10]);
        // The second bond breaks: its place is detection's again.
        let mut left = Vec::new();
        renew(&bonds, &bonds[..1], &mut left);
        assert_eq!(left.iter().map(|a| a.holds).collect::<Vec<_>>(), [true, false]);
        let mut touches = vec![touch(8, corner(0.21), &now), touch(9, corner(0.39), &now)];
        carry(&left, &place(&now), &mut touches);
        assert_eq!(touches.iter().map(|t| t.key.feature).collect::<Vec<_>>(), [1, 9]);
        let mut none = Vec::new();
        renew(&left, &[], &mut none);
        assert!(none.is_empty());
    }

    /// Bonds at two corners of a square of 0.2 m: what is found between them is their place, what is found at the others is not.
    #[test]
    fn what_is_found_beside_the_bonds_of_a_face_stays() {
        let now = kinematics();
        let corner = |x: f64, y: f64| Vec3::new(x, y, 0.1);
        let bond = |feature, x, y| Anchor::new(&touch(feature, corner(x, y), &now), &Vec3::zeros(), 0.2, (&now, true));
        let bonds: Vec<Anchor> = [bond(1, 0.2, 0.0), bond(2, 0.2, 0.2)].into_iter().flatten().collect();
        let mut touches = vec![
            touch(7, corner(0.2, 0.1), &now),
            touch(8, corner(0.215, 0.1), &now),
            touch(9, corner(0.4, 0.0), &now),
            touch(10, corner(0.3, 0.2), &now),
        ];
        carry(&bonds, &place(&now), &mut touches);
        assert_eq!(touches.iter().map(|t| t.key.feature).collect::<Vec<_>>(), [1, 2, 9, 10]);
    }

    #[test]
    fn the_distance_of_a_hull_is_that_of_its_nearest_point() {
        let square = |x: f64, y: f64| [[x, y], [x + 1.0, y], [x + 1.0, y + 1.0], [x, y + 1.0]];
        for (points, expected) in [
            (square(-0.5, -0.5).to_vec(), 0.0),
            (square(0.3, -0.5).to_vec(), 0.3),
            (square(3.0, 4.0).to_vec(), 5.0),
            (vec![[3.0, 4.0]], 5.0),
            (vec![[2.0, -1.0], [2.0, 1.0]], 2.0),
            (vec![[2.0, 1.0], [2.0, 3.0]], 5.0_f64.sqrt()),
            (vec![[-1.0, 0.0], [1.0, 0.0]], 0.0),
            (vec![[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]], 0.5_f64.sqrt()),
        ] {
            assert!((distance_of_hull(&points) - expected).abs() < 1e-14, "{points:?}: {}", distance_of_hull(&points));
        }
    }
}
