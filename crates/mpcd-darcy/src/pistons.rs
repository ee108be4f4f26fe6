//! Walls that bound the fluid: which body each end of the grid goes with, where the ends are, what the pressure does to these bodies.
//! No grains and no flow here.
//!
//! A closed end follows the flat face of a plane, box, segment or polyhedron that lies in it at the start and spans it, or that the
//! model names; of several the one farthest inward. The end is where the middle of that face is: a rigid face of area A that moves by δ there
//! displaces A δ, however slightly it tilts. What lies behind the face is no longer part of the fluid.

use mpcd_core::{BodyId, Dimension, InputError, Kinematics, Setup, Vec3};
use mpcd_geometry::{Core, Shape, Shapes};

use crate::{
    ends::{EndLaw, FACE_KEYS},
    error::DarcyError,
    grains::lattice,
    grid::{Extent, Grid},
};

/// How far from an end a face may lie to be taken for it, in cells.
const FLUSH: f64 = 0.01;
/// Part of the grid's width that a face may leave free on each side.
const LOOSE: f64 = 0.05;
/// Part of the grid's width that a face which has moved may leave free on each side.
const SLID: f64 = 0.1;
/// Part of the box with a body's moments of inertia that lies within it, whatever its shape.
const INNER: f64 = 0.75;
/// Largest tilt of a face (rad).
const TILT: f64 = 0.1;
/// Least part of the length at the start that two ends may leave.
const CLOSED: f64 = 0.01;
/// Largest change of the length in a step, as a part of it.
const FAST: f64 = 0.5;

/// A body that an end goes with.
#[derive(Debug, Clone)]
struct Follower {
    body: BodyId,
    /// Middle of its face, in body axes (m).
    point: Vec3,
    /// Normal of its face into the fluid, in body axes.
    normal: Vec3,
    /// What is added to the place of the face to give the end (m): nothing but rounding unless the model names it.
    offset: f64,
    /// Corners of the face, in body axes (m); none of what has no end.
    rim: Vec<Vec3>,
}

/// The bodies that bound the fluid.
#[derive(Debug, Clone, Default)]
pub struct Pistons {
    ends: [[Vec<Follower>; 2]; 3],
    /// Pressure behind them (Pa).
    outside: [[f64; 2]; 3],
    /// Where the grid ends if nothing moves.
    written: Extent,
    /// Bodies in an end through which fluid comes and goes: it goes through them.
    pervious: Vec<BodyId>,
    /// Bodies that are neither grains nor ends but can move into the fluid.
    bystanders: Vec<Bystander>,
}

/// A body that is neither a grain nor an end.
#[derive(Debug, Clone)]
struct Bystander {
    body: BodyId,
    /// Points inside of it, in body axes (m), of what is neither a plane nor round.
    inner: Vec<Vec3>,
}

/// Where the grid ends and with whom, at one time.
#[derive(Debug, Clone, Copy)]
pub struct Ends {
    /// The places (m).
    pub extent: Extent,
    /// The bodies.
    pub bodies: [[Option<BodyId>; 2]; 3],
}

/// A flat face that looks along an axis.
struct FlatFace {
    place: f64,
    /// Its corners (m); none of what has no end.
    rim: Vec<Vec3>,
}

impl Pistons {
    /// Finds the bodies. `outside` is the pressure behind those that the model does not name (Pa).
    ///
    /// # Errors
    /// A named group that is unknown or has a body without a flat face that spans the end.
    pub fn find(setup: &Setup, grid: &Grid, laws: &[[EndLaw; 2]; 3], outside: f64) -> Result<Self, InputError> {
        let shapes = setup.part::<Shapes>()?;
        let mut found = Self { outside: [[outside; 2]; 3], written: grid.extent(), ..Self::default() };
        let axes = if setup.dimension == Dimension::Planar { 2 } else { 3 };
        for axis in 0..axes {
            for side in 0..2 {
                let end = found.written[axis][side];
                let all = || (0..shapes.0.len()).map(BodyId::from_index);
                let followers: Vec<(BodyId, bool)> = match &laws[axis][side] {
                    EndLaw::Wall => all().map(|b| (b, false)).collect(),
                    EndLaw::Piston { group, outside } => {
                        found.outside[axis][side] = outside.unwrap_or(found.outside[axis][side]);
                        setup.bodies_of(group)?.into_iter().map(|b| (b, true)).collect()
                    }
                    EndLaw::Pressure(_) | EndLaw::Flux(_) => {
                        let near = |b: &BodyId| {
                            let face = flat_face(setup, &shapes.0[b.index()], *b, axis, side);
                            face.is_some_and(|f| (f.place - end).abs() <= FLUSH * grid.spacing(axis))
                        };
                        found.pervious.extend(all().filter(near));
                        continue;
                    }
                    EndLaw::Periodic => continue,
                };
                for (body, named) in followers {
                    let Some(shape) = shapes.0.get(body.index()) else { continue };
                    let face =
                        flat_face(setup, shape, body, axis, side).filter(|f| spans(&f.rim, &found.written, (axis, axes), LOOSE));
                    let Some(face) = face else {
                        if named {
                            return Err(refusal(setup, shape, body, axis, side));
                        }
                        continue;
                    };
                    if named || (face.place - end).abs() <= FLUSH * grid.spacing(axis) {
                        let offset = if named { 0.0 } else { end - face.place };
                        found.ends[axis][side].push(follower(setup, grid, body, axis, side, &face, offset));
                    }
                }
            }
        }
        Ok(found)
    }

    /// Whether a body is an end.
    #[must_use]
    pub fn has(&self, body: BodyId) -> bool {
        self.ends.iter().flatten().flatten().any(|f| f.body == body)
    }

    /// Watches the other bodies that are no grains, so that none moves into the fluid unseen.
    ///
    /// # Errors
    /// A set-up without shapes.
    pub fn watch(&mut self, setup: &Setup, grid: &Grid, grains: &[bool]) -> Result<(), InputError> {
        let shapes = setup.part::<Shapes>()?;
        let planar = setup.dimension == Dimension::Planar;
        let other = |i: &usize| {
            let body = BodyId::from_index(*i);
            !grains[*i] && !self.has(body) && !self.pervious.contains(&body)
        };
        let watched = |i: usize| {
            let shape = &shapes.0[i];
            let is_plane = matches!(shape, Shape::Plane { .. });
            let is_round = shape.is_convex() && shape.radius().is_some();
            let inner = if is_plane || is_round { Vec::new() } else { lattice(shape, setup.dimension, planar, 0.0) };
            Bystander { body: BodyId::from_index(i), inner: inner.into_iter().map(|x| x * INNER).collect() }
        };
        // what is hollow or made of parts may stand around the fluid, and is its vessel
        let around = |b: &Bystander| {
            let (i, shape) = (b.body.index(), &shapes.0[b.body.index()]);
            !shape.is_convex() && moved_into(setup, grid, (shape, &b.inner), i, &setup.initial)
        };
        self.bystanders = (0..shapes.0.len()).filter(other).map(watched).filter(|b| !around(b)).collect();
        Ok(())
    }

    /// Where the ends are.
    ///
    /// # Errors
    /// A face that has tilted too far, or ends that have met.
    pub fn at(&self, now: &Kinematics, setup: &Setup) -> Result<Ends, DarcyError> {
        let mut out = Ends { extent: self.written, bodies: [[None; 2]; 3] };
        for axis in 0..3 {
            for side in 0..2 {
                let inward = if side == 0 { 1.0 } else { -1.0 };
                let mut best = f64::NEG_INFINITY;
                for follower in &self.ends[axis][side] {
                    let place = follower.place(now, axis);
                    if !place.is_finite() {
                        return Err(DarcyError::Motion { body: setup.body_label(follower.body), what: "position" });
                    }
                    let along = inward * (now.orientation[follower.body.index()] * follower.normal)[axis];
                    if along < TILT.cos() {
                        return Err(DarcyError::Tilt { body: setup.body_label(follower.body), face: FACE_KEYS[axis][side] });
                    }
                    if inward * place > best {
                        best = inward * place;
                        (out.extent[axis][side], out.bodies[axis][side]) = (place, Some(follower.body));
                    }
                }
            }
            let [low, high] = out.extent[axis];
            let written = self.written[axis][1] - self.written[axis][0];
            if high - low < CLOSED * written {
                let name = |b: Option<BodyId>| b.map_or_else(|| "the wall".to_owned(), |b| setup.body_label(b));
                let [a, b] = out.bodies[axis].map(name);
                return Err(DarcyError::Closed { bodies: [a, b], axis: ["x", "y", "z"][axis], length: high - low });
            }
        }
        self.check_spans(now, &out, setup)?;
        Ok(out)
    }

    /// Whether the faces with which ends go are still as wide as these.
    fn check_spans(&self, now: &Kinematics, ends: &Ends, setup: &Setup) -> Result<(), DarcyError> {
        let axes = if setup.dimension == Dimension::Planar { 2 } else { 3 };
        for (axis, side) in (0..axes).flat_map(|axis| [(axis, 0), (axis, 1)]) {
            let Some(follower) = self.ends[axis][side].iter().find(|f| ends.bodies[axis][side] == Some(f.body)) else { continue };
            let i = follower.body.index();
            let rim: Vec<Vec3> = follower.rim.iter().map(|c| now.position[i] + now.orientation[i] * (c * now.size[i])).collect();
            if !spans(&rim, &ends.extent, (axis, axes), SLID) {
                return Err(DarcyError::Beside { body: setup.body_label(follower.body), face: FACE_KEYS[axis][side] });
            }
        }
        Ok(())
    }

    /// The grid over a step.
    ///
    /// # Errors
    /// As [`Self::at`]; ends that move too far at once; a body that moves into the fluid and is no end of it.
    pub fn over_step(
        &self,
        grid: &Grid,
        before: &Kinematics,
        after: &Kinematics,
        setup: &Setup,
    ) -> Result<(Grid, Ends), DarcyError> {
        let [start, end] = [self.at(before, setup)?, self.at(after, setup)?];
        for axis in 0..3 {
            let length = |e: &Ends| e.extent[axis][1] - e.extent[axis][0];
            let change = length(&end) / length(&start) - 1.0;
            if change.abs() > FAST {
                return Err(DarcyError::FastPiston { axis: ["x", "y", "z"][axis], lengths: [length(&start), length(&end)] });
            }
        }
        let moved = grid.moving(&start.extent, &end.extent);
        self.check_bystanders(&moved, after, setup)?;
        Ok((moved, end))
    }

    fn check_bystanders(&self, grid: &Grid, now: &Kinematics, setup: &Setup) -> Result<(), DarcyError> {
        if self.bystanders.is_empty() {
            return Ok(());
        }
        let Ok(shapes) = setup.part::<Shapes>() else { return Ok(()) };
        for Bystander { body, inner } in &self.bystanders {
            let i = body.index();
            let still = now.position[i] == setup.initial.position[i] && now.orientation[i] == setup.initial.orientation[i];
            if !still && moved_into(setup, grid, (&shapes.0[i], inner), i, now) {
                return Err(DarcyError::Bystander { body: setup.body_label(*body) });
            }
        }
        Ok(())
    }

    /// Work of the bodies on the fluid in the step (J): the mean pressure beside each times the volume its end sweeps.
    #[must_use]
    pub fn work(&self, grid: &Grid, ends: &Ends, pressure: &[f64]) -> f64 {
        let mut swept = grid.face_field();
        grid.add_swept(&mut swept);
        let mut work = 0.0;
        for axis in (0..3).filter(|a| grid.moves(*a)) {
            for (sides, volume) in grid.sides(axis).iter().zip(&swept.0[axis]) {
                work += match *sides {
                    (None, Some(c)) if ends.bodies[axis][0].is_some() => pressure[c] * volume,
                    (Some(c), None) if ends.bodies[axis][1].is_some() => -pressure[c] * volume,
                    _ => 0.0,
                };
            }
        }
        work
    }

    /// Force of the fluid and of what is behind on each body that is an end, given the mean pressure in the cells (N).
    pub fn forces(&self, grid: &Grid, ends: &Ends, pressure: &[f64], mut visit: impl FnMut(BodyId, Vec3)) {
        for axis in 0..3 {
            for side in 0..2 {
                let Some(body) = ends.bodies[axis][side] else { continue };
                let beside = grid.sides(axis).iter().filter_map(|s| match (side, s) {
                    (0, (None, Some(c))) | (1, (Some(c), None)) => Some(pressure[*c] - self.outside[axis][side]),
                    _ => None,
                });
                let mut force = Vec3::zeros();
                force[axis] = beside.sum::<f64>() * grid.area(axis) * if side == 0 { -1.0 } else { 1.0 };
                visit(body, force);
            }
        }
    }
}

impl Follower {
    /// Where the end is that goes with this body (m).
    fn place(&self, now: &Kinematics, axis: usize) -> f64 {
        let i = self.body.index();
        now.position[i][axis] + (now.orientation[i] * (self.point * now.size[i]))[axis] + self.offset
    }
}

fn follower(setup: &Setup, grid: &Grid, body: BodyId, axis: usize, side: usize, face: &FlatFace, offset: f64) -> Follower {
    let i = body.index();
    let (x, turn) = (setup.initial.position[i], setup.initial.orientation[i].inverse());
    let mut middle = Vec3::from_fn(|d, _| 0.5 * (grid.ends(0, d)[0] + grid.ends(0, d)[1]));
    middle[axis] = face.place;
    let mut normal = Vec3::zeros();
    normal[axis] = if side == 0 { 1.0 } else { -1.0 };
    let rim = face.rim.iter().map(|c| turn * (c - x) / setup.initial.size[i]).collect();
    let mut out = Follower { body, point: turn * (middle - x), normal: turn * normal, offset: 0.0, rim };
    // where it starts is the end to the last bit, so that a wall at rest leaves the grid as it is
    let rounding = face.place - out.place(&setup.initial, axis);
    out.offset = offset + rounding;
    out
}

/// Whether a face of these corners is as wide as the ends along the other of `axes`, but for a part of them on each side; one without corners is.
fn spans(rim: &[Vec3], ends: &Extent, (axis, axes): (usize, usize), loose: f64) -> bool {
    rim.is_empty()
        || (0..axes).filter(|d| *d != axis).all(|d| {
            let ([low, high], room) = (ends[d], loose * (ends[d][1] - ends[d][0]));
            rim.iter().any(|c| c[d] <= low + room) && rim.iter().any(|c| c[d] >= high - room)
        })
}

/// The face of a body that looks into the fluid from an end: flat, and across the axis.
fn flat_face(setup: &Setup, shape: &Shape, body: BodyId, axis: usize, side: usize) -> Option<FlatFace> {
    let i = body.index();
    let sign = if side == 0 { 1.0 } else { -1.0 };
    if let Shape::Plane { normal } = shape {
        let normal = setup.initial.orientation[i] * normal.normalize();
        let place = setup.initial.position[i][axis];
        return (sign * normal[axis] > 1.0 - 1e-9).then_some(FlatFace { place, rim: Vec::new() });
    }
    let corners = corners(setup, shape, i, &setup.initial);
    let place = sign * corners.iter().map(|c| sign * c[axis]).fold(f64::NEG_INFINITY, f64::max);
    let size = corners.iter().map(|c| (c - corners[0]).norm()).fold(0.0, f64::max);
    let rim: Vec<Vec3> = corners.into_iter().filter(|c| (c[axis] - place).abs() <= 1e-6 * size).collect();
    let least = if setup.dimension == Dimension::Planar { 2 } else { 3 };
    (rim.len() >= least).then_some(FlatFace { place, rim })
}

/// Corners of a body with flat faces (m), of a segment with a radius those of its two sides; none for other shapes and for planes.
fn corners(setup: &Setup, shape: &Shape, i: usize, now: &Kinematics) -> Vec<Vec3> {
    let planar = setup.dimension == Dimension::Planar;
    let size = now.size[i];
    let world = |v: Vec3| now.position[i] + now.orientation[i] * (v * size);
    match shape {
        Shape::Box { half } => {
            let count = if planar { 4 } else { 8 };
            let sign = |k: usize, bit: usize| if k >> bit & 1 == 1 { 1.0 } else { -1.0 };
            let corner = |k| Vec3::new(sign(k, 0) * half.x, sign(k, 1) * half.y, if planar { 0.0 } else { sign(k, 2) * half.z });
            (0..count).map(|k| world(corner(k))).collect()
        }
        Shape::Segment { half, thickness_radius } if planar => {
            let across = Vec3::new(-half.y, half.x, 0.0).try_normalize(0.0).unwrap_or_else(Vec3::y) * *thickness_radius;
            [-half - across, half - across, half + across, -half + across].map(world).to_vec()
        }
        Shape::Solid(solid) => match solid.core() {
            Core::Polytope { hull, rounding: 0.0 } => hull.vertices().iter().map(|v| world(*v)).collect(),
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// Whether a body that moved is in the grid, by more than a hair.
fn moved_into(setup: &Setup, grid: &Grid, (shape, inner): (&Shape, &[Vec3]), i: usize, now: &Kinematics) -> bool {
    if let Shape::Plane { normal } = shape {
        let normal = now.orientation[i] * normal.normalize();
        let deepest = Vec3::from_fn(|d, _| grid.ends(1, d)[usize::from(normal[d] < 0.0)]);
        let way = (now.position[i] - setup.initial.position[i]).dot(&normal);
        let hair = FLUSH * (0..3).map(|d| grid.spacing(d)).fold(f64::INFINITY, f64::min);
        return way.abs() > hair && (deepest - now.position[i]).dot(&normal) < -hair;
    }
    let axes = if setup.dimension == Dimension::Planar { 2 } else { 3 };
    // along a period the fluid is everywhere
    let bounded = || (0..axes).filter(|d| !grid.periodic(*d)).map(|d| (d, grid.ends(1, d), FLUSH * grid.spacing(d)));
    if let Some(radius) = shape.radius().filter(|_| inner.is_empty()) {
        let (x, radius) = (now.position[i], radius * now.size[i]);
        let away = |(d, [low, high], hair): (usize, [f64; 2], f64)| (low - x[d]).max(x[d] - high) + hair;
        return bounded().map(away).map(|way| way.max(0.0).powi(2)).sum::<f64>() < radius * radius;
    }
    let within = |x: &Vec3| bounded().all(|(d, [low, high], hair)| x[d] > low + hair && x[d] < high - hair);
    let world = |x: &Vec3| now.position[i] + now.orientation[i] * (x * now.size[i]);
    let corners = corners(setup, shape, i, now);
    if corners.is_empty() {
        return inner.iter().any(|x| within(&world(x)));
    }
    let span = |d: usize| {
        let all = corners.iter().map(|c| c[d]);
        [all.clone().fold(f64::INFINITY, f64::min), all.fold(f64::NEG_INFINITY, f64::max)]
    };
    if !bounded().all(|(d, [low, high], hair)| span(d)[0] < high - hair && span(d)[1] > low + hair) {
        return false;
    }
    // what stands askew fills its box by a part
    let filled = (0..axes).map(|d| span(d)[1] - span(d)[0]).product::<f64>();
    let volume = shape.volume(now.size[i], setup.dimension) / if axes == 2 { shape.thickness() } else { 1.0 };
    filled <= volume * (1.0 + 1e-6) || corners.iter().any(within) || inner.iter().any(|x| within(&world(x)))
}

fn refusal(setup: &Setup, shape: &Shape, body: BodyId, axis: usize, side: usize) -> InputError {
    InputError::new(format!(
        "{} is a {} without a flat face across {} that spans the pore grid, expected one as its end",
        setup.body_label(body),
        shape.name(),
        ["x", "y", "z"][axis]
    ))
    .help("a plane, a box, a segment or a polyhedron can be a piston; its face must look into the grid and be as wide as it")
    .at(FACE_KEYS[axis][side])
}
