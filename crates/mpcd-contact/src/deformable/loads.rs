//! Loads and prescribed motions of deformable bodies: from the model file to what acts at one time. Rigid bodies are in `crate::loads`.

use std::collections::BTreeSet;

use mpcd_core::{Fragment, InputError, Setup, TimeFunction, Vec3};
use mpcd_fem::{Conditions, FemError, Model, Prescribed, Space};

use super::ring;
use crate::loads::{
    AxisName, FixedParams, ForceParams, LockedParams, PressureParams, SURFACE_KINDS, TractionParams, VelocityParams, refuse_empty,
};

/// The name of all nodes of a mesh: with quotes, so that no group of a file has it.
pub(super) const ALL: &str = "\"all\"";

/// Times (s) at which two speeds that are always the same are compared.
const LOOKS: [f64; 5] = [0.0, 1e-3, 0.037, 1.0, 7.3];

#[derive(Debug, Clone)]
enum Kind {
    /// Moves along an axis with this speed; nothing: held.
    Moved(usize, Option<TimeFunction>),
    /// A force on the whole of the part, shared by its nodes alike; on the whole body as by gravity.
    Force([Option<TimeFunction>; 3]),
    Pressure(TimeFunction),
    Traction([Option<TimeFunction>; 3]),
}

/// What acts on one deformable body.
#[derive(Debug, Clone, Default)]
pub(super) struct MeshLoads(Vec<(Option<String>, Kind)>);

impl MeshLoads {
    /// Reads one load on a part of the body, `None` for all of it.
    pub(super) fn add(&mut self, setup: &Setup, model: &Model, part: Option<&str>, kind: &Fragment) -> Result<(), InputError> {
        let d = model.dimension();
        let known = || {
            let [_, faces, nodes] = model.mesh().group_names();
            faces.into_iter().chain(nodes).filter(|n| *n != ALL).map(str::to_owned).collect::<Vec<_>>()
        };
        if let Some(part) = part {
            let names = known();
            if !names.iter().any(|n| n == part) {
                if model.mesh().element_group(part).is_ok() {
                    return Err(InputError::new(format!(
                        "`{part}` is a region of the mesh, a group of elements; loads act on groups of faces or nodes, or on the whole body"
                    ))
                    .help(format!("name one of {}", names.join(", "))));
                }
                return Err(InputError::unknown("group of the mesh", part, names.iter().map(String::as_str)));
            }
        }
        // of a name of two groups it says so
        model.mesh().nodes_of(part.unwrap_or(ALL)).map_err(InputError::from)?;
        let whole = part.is_none();
        let before = self.0.len();
        let mut add = |kind: Kind| self.0.push((part.map(str::to_owned), kind));
        match kind.name() {
            "Fixed" => {
                kind.parse_body::<FixedParams>()?;
                (0..d).for_each(|k| add(Kind::Moved(k, None)));
            }
            "Locked" => {
                let p: LockedParams = kind.parse_body()?;
                for name in &p.axes {
                    match name {
                        AxisName::X | AxisName::Y | AxisName::Z => add(Kind::Moved(*name as usize, None)),
                        _ => return Err(no_spin("locked")),
                    }
                }
                p.check(setup.dimension)?;
            }
            "Velocity" => {
                let axes = kind.parse_body::<VelocityParams>()?.axes();
                refuse_empty("Velocity", &axes)?;
                let [x, y, z, spins @ ..] = axes;
                if spins.iter().any(Option::is_some) {
                    return Err(no_spin("driven"));
                }
                if setup.dimension == mpcd_core::Dimension::Planar && z.is_some() {
                    return Err(InputError::new("a planar model moves in x and y only").help("remove z, or use dimension: 3"));
                }
                for (k, f) in [x, y, z].into_iter().enumerate() {
                    f.into_iter().for_each(|f| add(Kind::Moved(k, Some(f))));
                }
            }
            "Force" => {
                let axes = kind.parse_body::<ForceParams>()?.axes();
                refuse_empty("Force", &axes)?;
                let [x, y, z, torques @ ..] = axes;
                refuse_z(d, z.as_ref())?;
                if torques.iter().any(Option::is_some) {
                    return Err(InputError::new("a moment on a deformable body has no place where it acts")
                        .help("write forces on two of its groups, as `on: \"group.side\"`"));
                }
                add(Kind::Force([x, y, z]));
            }
            name @ ("Pressure" | "Traction") if whole => {
                return Err(InputError::new(format!("{name} acts on a side of a deformable body, but no side is named"))
                    .help(format!("write `on: \"group.side\"`; sides are {}", known().join(", "))));
            }
            "Pressure" => {
                let p: PressureParams = kind.parse_body()?;
                if model.is_finite() && matches!(model.space(), Space::PlaneStress { .. }) {
                    return Err(InputError::new(
                        "a pressure on a side in plane stress would act on a thickness that large strain changes, and is known for the thickness at rest alone",
                    )
                    .help("write a Traction, which is a force per area at rest, or take PlaneStrain, or dimension: 3"));
                }
                refuse_inner(model, part.unwrap_or(ALL))?;
                add(Kind::Pressure(p.pressure));
            }
            "Traction" => {
                let p: TractionParams = kind.parse_body()?;
                refuse_z(d, p.z.as_ref())?;
                let components = [p.x, p.y, p.z];
                refuse_empty("Traction", &components)?;
                add(Kind::Traction(components));
            }
            other => {
                let kinds = ["Fixed", "Velocity", "Force", "Locked"].into_iter().chain(SURFACE_KINDS);
                return Err(InputError::unknown("load", other, kinds));
            }
        }
        self.refuse_twice(model, before)?;
        self.at(model, Vec3::zeros(), 0.0).map(|_| ()).map_err(InputError::from)
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// A force on some of these on a part all of whose nodes are held along it.
    pub(super) fn refuse_idle(&self, model: &Model, some: std::ops::Range<usize>) -> Result<(), InputError> {
        let d = model.dimension();
        let held: Vec<BTreeSet<usize>> = (0..d).map(|axis| self.held(model, axis)).collect();
        for (part, kind) in &self.0[some] {
            let acts: Vec<usize> = match kind {
                Kind::Moved(..) => continue,
                Kind::Pressure(_) => (0..d).collect(),
                Kind::Force(f) | Kind::Traction(f) => (0..d).filter(|k| f[*k].is_some()).collect(),
            };
            let nodes = model.mesh().nodes_of(part.as_deref().unwrap_or(ALL)).unwrap_or_default();
            if !acts.is_empty() && acts.iter().all(|k| nodes.iter().all(|n| held[*k].contains(n))) {
                let name = part.as_deref().map_or_else(|| "the whole body".to_owned(), |p| format!("`{p}`"));
                return Err(InputError::new(format!("a force on {name}, which other loads hold: it moves nothing"))
                    .help("remove it, or let the part move along the force"));
            }
        }
        Ok(())
    }

    /// Nodes that loads hold along an axis.
    fn held(&self, model: &Model, axis: usize) -> BTreeSet<usize> {
        let along = self.0.iter().filter(|(_, kind)| matches!(kind, Kind::Moved(k, None) if *k == axis));
        along.flat_map(|(part, _)| model.mesh().nodes_of(part.as_deref().unwrap_or(ALL)).unwrap_or_default()).collect()
    }

    /// Two motions along one axis of the same nodes, the later from `new` on, unless both hold them.
    fn refuse_twice(&self, model: &Model, new: usize) -> Result<(), InputError> {
        let nodes = |part: &Option<String>| {
            let name = part.as_deref().unwrap_or(ALL);
            model.mesh().nodes_of(name).unwrap_or_default().into_iter().collect::<BTreeSet<_>>()
        };
        for (part, kind) in &self.0[new..] {
            let Kind::Moved(axis, f) = kind else { continue };
            for (other, earlier) in &self.0[..new] {
                let Kind::Moved(k, g) = earlier else { continue };
                if k != axis || (f.is_none() && g.is_none()) {
                    continue;
                }
                let (own, its) = (nodes(part), nodes(other));
                if own.is_subset(&its) || its.is_subset(&own) {
                    let name =
                        |part: &Option<String>| part.as_deref().map_or_else(|| "the whole body".to_owned(), |p| format!("`{p}`"));
                    return Err(InputError::new(format!(
                        "{} is to move along {} in two ways: a load on {} says how already",
                        name(part),
                        ['x', 'y', 'z'][*axis],
                        name(other)
                    ))
                    .help("keep one of the two"));
                }
            }
        }
        Ok(())
    }

    /// Words about nodes that two loads move differently along one axis, as where two sides meet: the later load has them.
    pub(super) fn shared_nodes(&self, model: &Model) -> Vec<String> {
        let nodes = |part: &Option<String>| -> BTreeSet<usize> {
            model.mesh().nodes_of(part.as_deref().unwrap_or(ALL)).unwrap_or_default().into_iter().collect()
        };
        let mut out = Vec::new();
        for (n, (later, kind)) in self.0.iter().enumerate() {
            let Kind::Moved(axis, f) = kind else { continue };
            for (earlier, other) in &self.0[..n] {
                let Kind::Moved(k, g) = other else { continue };
                let speed = |f: &Option<TimeFunction>, t: f64| f.as_ref().map_or(0.0, |f| f.at(t));
                if k != axis || LOOKS.iter().all(|t| speed(f, *t) == speed(g, *t)) {
                    continue;
                }
                let (own, its) = (nodes(later), nodes(earlier));
                if let Some(first) = own.intersection(&its).next() {
                    let name = |part: &Option<String>| part.as_deref().unwrap_or("the whole body").to_owned();
                    let (own_name, its_name) = (name(later), name(earlier));
                    let (count, label) = (own.intersection(&its).count(), model.mesh().node_label(*first));
                    let axis = ['x', 'y', 'z'][*axis];
                    out.push(format!(
                        "{count} node(s), as {label}, are of `{its_name}` and of `{own_name}`, which move along {axis} in two ways: they go with `{own_name}`, whose load is written later"
                    ));
                }
            }
        }
        out
    }

    /// Nodes that loads hold or drive along an axis.
    pub(super) fn moved(&self, model: &Model, axis: usize) -> BTreeSet<usize> {
        let along = self.0.iter().filter(|(_, kind)| matches!(kind, Kind::Moved(k, _) if *k == axis));
        along.flat_map(|(part, _)| model.mesh().nodes_of(part.as_deref().unwrap_or(ALL)).unwrap_or_default()).collect()
    }

    /// Puts held and driven sides at the speeds that they have at the start.
    pub(super) fn start(&self, model: &Model, velocity: &mut [f64]) {
        let d = model.dimension();
        for (part, kind) in &self.0 {
            let Kind::Moved(axis, f) = kind else { continue };
            // The part was found when the load was read.
            let nodes = model.mesh().nodes_of(part.as_deref().unwrap_or(ALL)).unwrap_or_default();
            nodes.iter().for_each(|n| velocity[n * d + axis] = f.as_ref().map_or(0.0, |f| f.at(0.0)));
        }
    }

    /// What acts at the time `t` (s) with gravity (m/s²).
    pub(super) fn at(&self, model: &Model, gravity: Vec3, t: f64) -> Result<Conditions, FemError> {
        let vector = |f: &[Option<TimeFunction>; 3]| Vec3::from_fn(|k, _| f[k].as_ref().map_or(0.0, |f| f.at(t)));
        let mut out = Conditions::default().with_gravity(gravity);
        for (part, kind) in &self.0 {
            let name = part.as_deref().unwrap_or(ALL);
            out = match kind {
                Kind::Moved(axis, f) => {
                    let speed = f.as_ref().map_or(0.0, |f| f.at(t));
                    out.with_held(model, name, *axis, Prescribed::Velocity(speed))?
                }
                Kind::Force(f) if part.is_none() => out.with_gravity(vector(f) / model.mass()),
                Kind::Force(f) => {
                    let nodes = model.mesh().nodes_of(name)?.len();
                    out.with_force(model, name, vector(f) / nodes.max(1) as f64)?
                }
                Kind::Pressure(f) => out.with_pressure(model, name, f.at(t))?,
                Kind::Traction(f) => out.with_traction(model, name, vector(f))?,
            };
        }
        out.with_held_nodes(model, &ring::axis_nodes(model.mesh(), model.space()), 0, Prescribed::Velocity(0.0))
    }
}

/// A pressure on faces with the body on both sides of them: none of the two is the outside that it acts from.
fn refuse_inner(model: &Model, part: &str) -> Result<(), InputError> {
    // of a group of nodes what is asked of it says that it has no faces
    let Ok(faces) = model.mesh().face_group(part) else { return Ok(()) };
    let skin = model.mesh().skin()?;
    let outer: BTreeSet<_> = skin.faces.iter().map(|f| (f.face.element, f.face.local)).collect();
    let inner = faces.iter().filter(|f| !outer.contains(&(f.element, f.local))).count();
    if inner == 0 {
        return Ok(());
    }
    let message = format!(
        "{inner} of the {} faces of `{part}` lie inside the body: a pressure on them has no outside to act from",
        faces.len()
    );
    Err(InputError::new(message).help("name a side of the surface; a force on faces inside is a `Traction`, along the axes"))
}

/// A part along z in the plane.
fn refuse_z(dimension: usize, z: Option<&TimeFunction>) -> Result<(), InputError> {
    if dimension == 2 && z.is_some() {
        return Err(InputError::new("a planar model has forces along x and y only").help("remove z, or use dimension: 3"));
    }
    Ok(())
}

fn no_spin(what: &str) -> InputError {
    InputError::new(format!("the turning of a deformable body cannot be {what}: its nodes have no rotation"))
        .help("hold or drive two of its groups, as `on: \"group.side\"`")
}
