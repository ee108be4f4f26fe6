//! Electrodes: groups of the model and sides of meshes turned into held and fed nodes, and back into potentials, currents and a resistance.
//! No contacts, no solver.

use std::collections::{BTreeMap, BTreeSet};

use mpcd_core::{BodyId, InputError, MaterialId, Setup, TimeFunction, setup::split_part};

use crate::{
    error::ElectricalError,
    meshes::Meshes,
    network::ResistorNetwork,
    params::{CurrentElectrode, PotentialElectrode, Spread},
    solve::NetworkSolver,
};

/// What an electrode prescribes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Potential,
    Current(Spread),
}

/// A group, or a part of its meshes, that exchanges current with the outside.
#[derive(Debug)]
struct Electrode {
    group: String,
    kind: Kind,
    value: TimeFunction,
    /// All its nodes.
    nodes: Vec<usize>,
    /// Where it exchanges current, body by body: nodes and, of a fed current, their parts, which add up to 1 over all bodies. An equipotential
    /// electrode does so at the node that stands for all.
    takes: Vec<Vec<(usize, f64)>>,
    /// What it prescribes in the present step (V or A).
    now: f64,
}

impl Electrode {
    /// What it prescribes at time `t` (V or A).
    fn at(&self, t: f64) -> Result<f64, ElectricalError> {
        let value = self.value.at(t);
        if value.is_finite() {
            return Ok(value);
        }
        let quantity = if self.kind == Kind::Potential { "potential" } else { "current" };
        Err(ElectricalError::Boundary { quantity, group: self.group.clone(), value, time: t })
    }

    /// Nodes and currents fed in there of a body of it (A).
    fn currents<'a>(
        &'a self,
        body: &'a [(usize, f64)],
        solver: &'a NetworkSolver,
        network: &'a ResistorNetwork,
    ) -> impl Iterator<Item = (usize, f64)> + 'a {
        body.iter().map(move |&(node, part)| match self.kind {
            // a held node of a side may also be fed by another electrode
            Kind::Potential => (node, solver.leaving()[node] - network.injected[node]),
            // what was switched off is not fed
            Kind::Current(_) if solver.floats(node) => (node, 0.0),
            Kind::Current(_) => (node, part * self.now),
        })
    }
}

/// What the model says that electrodes are of.
struct Whole<'a> {
    setup: &'a Setup,
    meshes: &'a Meshes,
}

impl Whole<'_> {
    /// The bodies of `group` or `group.part`, and the part.
    fn bodies<'g>(
        &self,
        group: &'g str,
        conducts: impl Fn(MaterialId) -> bool,
    ) -> Result<(Vec<usize>, Option<&'g str>), InputError> {
        let setup = self.setup;
        let (name, part) = split_part(group, |name| setup.groups.find(name).is_some());
        let bodies: Vec<usize> = setup.bodies_of(name)?.into_iter().map(BodyId::index).collect();
        if !bodies.iter().any(|&b| conducts(setup.bodies.material[b])) {
            return Err(InputError::new(format!("the electrode \"{name}\" has no body that conducts"))
                .help("give its material an `electrical` part, or choose another group")
                .at(group));
        }
        let Some(body) = bodies.iter().find(|&&b| part.is_some() && self.meshes.of(b).is_none()) else {
            return Ok((bodies, part));
        };
        let is_mesh = setup.meshes.iter().any(|m| m.body.index() == *body);
        let words = if is_mesh {
            format!(
                "`{group}` names a part of a mesh, but the material of {} has no conductivity, so that it is one lump of one potential",
                setup.body_label(BodyId::from_index(*body))
            )
        } else {
            format!("`{group}` names a part of a mesh, but group \"{name}\" has rigid bodies")
        };
        let help = if is_mesh { "write `electrical: (conductivity: …)`, or" } else { "give its bodies a shape Mesh(…), or" };
        Err(InputError::new(words).help(format!("{help} write `group: \"{name}\"`")).at(group))
    }

    /// Nodes of a body or of a part of its mesh.
    fn nodes(&self, body: usize, part: Option<&str>) -> Result<Vec<usize>, InputError> {
        Ok(match self.meshes.of(body) {
            Some(mesh) => mesh.part(part)?,
            None => vec![body],
        })
    }

    /// Nodes of a body or of the surface of a part of its mesh, and the parts of an even current that they take: ∫ N dA over the area.
    fn surface(&self, body: usize, part: Option<&str>) -> Result<Vec<(usize, f64)>, InputError> {
        let Some(mesh) = self.meshes.of(body) else { return Ok(vec![(body, 1.0)]) };
        let surface = mesh.heat.surface(part)?;
        let area: f64 = surface.iter().map(|share| share.area).sum();
        let mut parts = vec![0.0; mesh.shares.len()];
        for share in &surface {
            share.point.parts().for_each(|(n, w)| parts[n] += w * share.area / area);
        }
        Ok(mesh.nodes().zip(parts).filter(|(_, part)| *part != 0.0).collect())
    }
}

/// All electrodes, and which node of the network stands for each node.
#[derive(Debug)]
pub(crate) struct Electrodes {
    list: Vec<Electrode>,
    /// A node stands for itself; those of an equipotential electrode are the first of them.
    pub(crate) node_of: Vec<usize>,
}

impl Electrodes {
    /// Looks up the groups; `conducts` tells whether a material does.
    pub(crate) fn build(
        potential: Vec<PotentialElectrode>,
        current: Vec<CurrentElectrode>,
        setup: &Setup,
        meshes: &Meshes,
        conducts: impl Fn(MaterialId) -> bool,
    ) -> Result<Self, InputError> {
        let potentials = potential.into_iter().map(|p| (p.group, Kind::Potential, p.value));
        let currents = current.into_iter().map(|c| (c.group, Kind::Current(c.spread), c.value));
        let nodes = meshes.nodes(setup.bodies.len());
        let mut electrodes = Self { list: Vec::new(), node_of: (0..nodes).collect() };
        // which electrode has each node
        let mut owner: Vec<Option<usize>> = vec![None; nodes];
        let whole = Whole { setup, meshes };
        for (group, kind, value) in potentials.chain(currents) {
            if electrodes.list.iter().any(|e| e.group == group) {
                return Err(InputError::new(format!(
                    "group \"{group}\" is an electrode twice; a group has one potential or one current"
                ))
                .help("remove one of the two entries")
                .at(group));
            }
            let (bodies, part) = whole.bodies(&group, &conducts)?;
            let (nodes, takes) = match kind {
                Kind::Potential => electrodes.held_nodes(&whole, (&bodies, part), &owner),
                Kind::Current(Spread::Equipotential) => electrodes.one_node(&whole, (&bodies, part), &owner),
                Kind::Current(Spread::Evenly) => {
                    // what cannot conduct takes no part of the current
                    let able = |b: &usize| conducts(setup.bodies.material[*b]);
                    let able: Vec<usize> = bodies.iter().copied().filter(able).collect();
                    electrodes.fed_nodes(&whole, (&able, part), &owner)
                }
            }
            .map_err(|e| e.at(group.as_str()))?;
            for &node in &nodes {
                owner[node] = owner[node].or(Some(electrodes.list.len()));
            }
            electrodes.list.push(Electrode { group, kind, value, nodes, takes, now: 0.0 });
        }
        electrodes.check_return()?;
        Ok(electrodes)
    }

    /// The nodes of a held electrode that no other one holds.
    fn held_nodes(&self, whole: &Whole<'_>, (bodies, part): On<'_>, owner: &[Option<usize>]) -> Result<Nodes, InputError> {
        let mut takes = Vec::new();
        for &body in bodies {
            let nodes = whole.nodes(body, part)?;
            let free: Vec<(usize, f64)> = nodes.iter().filter(|n| owner[**n].is_none()).map(|n| (*n, 0.0)).collect();
            if let (true, Some(other)) = (free.is_empty(), nodes.first().and_then(|n| owner[*n])) {
                return Err(InputError::new(format!(
                    "all of it is held already by the electrode \"{}\"",
                    self.list[other].group
                ))
                .help("remove one of the two entries, or put that of the smaller part first"));
            }
            takes.push(free);
        }
        Ok((takes.iter().flatten().map(|(n, _)| *n).collect(), takes))
    }

    /// The nodes of an electrode of one unknown potential, made one.
    fn one_node(&mut self, whole: &Whole<'_>, (bodies, part): On<'_>, owner: &[Option<usize>]) -> Result<Nodes, InputError> {
        let mut nodes = Vec::new();
        for &body in bodies {
            nodes.extend(whole.nodes(body, part)?);
        }
        if let Some(other) = nodes.iter().find_map(|n| owner[*n]) {
            return Err(self.shared(other));
        }
        let Some(&one) = nodes.first() else { return Ok((nodes, Vec::new())) };
        nodes.iter().for_each(|&n| self.node_of[n] = one);
        Ok((nodes, vec![vec![(one, 1.0)]]))
    }

    /// The nodes of an electrode whose bodies take the same part of a current each.
    #[expect(clippy::cast_precision_loss, reason = "a number of bodies")]
    fn fed_nodes(&self, whole: &Whole<'_>, (bodies, part): On<'_>, owner: &[Option<usize>]) -> Result<Nodes, InputError> {
        let mut takes = Vec::new();
        for &body in bodies {
            let surface = whole.surface(body, part)?;
            takes.push(surface.into_iter().map(|(n, share)| (n, share / bodies.len() as f64)).collect::<Vec<_>>());
        }
        let nodes: Vec<usize> = takes.iter().flatten().map(|(n, _)| *n).collect();
        let kind = |n: &usize| owner[*n].map(|e| (e, self.list[e].kind));
        if let Some((other, _)) = nodes.iter().filter_map(kind).find(|(_, k)| *k == Kind::Current(Spread::Equipotential)) {
            return Err(self.shared(other));
        }
        if let (Some((other, _)), true) =
            (nodes.first().and_then(kind), nodes.iter().all(|n| kind(n).is_some_and(|(_, k)| k == Kind::Potential)))
        {
            return Err(InputError::new(format!(
                "all of it is held by the electrode \"{}\", so that a current fed there flows nowhere",
                self.list[other].group
            ))
            .help("remove one of the two entries"));
        }
        Ok((nodes, takes))
    }

    fn shared(&self, other: usize) -> InputError {
        let other = &self.list[other].group;
        InputError::new(format!("it shares nodes with the electrode \"{other}\", and an equipotential electrode would join both"))
            .help("name parts that do not touch, or spread the current: `spread: Evenly`")
    }

    /// Without a held group, what is fed must be drawn again.
    fn check_return(&self) -> Result<(), InputError> {
        if self.list.iter().any(|e| e.kind == Kind::Potential) {
            return Ok(());
        }
        let Some(first) = self.list.first() else {
            return Err(InputError::new("Electrical has no electrode, so no current can flow")
                .help("add `potential: [(group: \"…\", value: 0)]` and a second electrode"));
        };
        let values = || self.list.iter().map(|e| e.value.at(0.0));
        let (net, sum) = (values().sum::<f64>(), values().map(f64::abs).sum::<f64>());
        if net.abs() > 1e-12 * sum || self.list.len() == 1 {
            return Err(InputError::new(format!(
                "the currents of the electrodes add up to {net} A at t = 0 and no group is held at a potential: the current has no return"
            ))
            .help("add `potential: [(group: \"…\", value: 0)]`, or draw the same current from another group")
            .at(first.group.clone()));
        }
        Ok(())
    }

    /// Puts the boundary values at time `t` into a network.
    pub(crate) fn apply(&mut self, t: f64, network: &mut ResistorNetwork) -> Result<(), ElectricalError> {
        for electrode in &mut self.list {
            electrode.now = electrode.at(t)?;
            let taking = electrode.takes.iter().flatten();
            if electrode.kind == Kind::Potential {
                taking.for_each(|&(node, _)| network.hold(node, electrode.now));
            } else {
                taking.for_each(|&(node, part)| network.inject(node, part * electrode.now));
            }
        }
        Ok(())
    }

    /// Nodes held at a potential at time `t`, with it (V).
    pub(crate) fn held(&self, t: f64) -> Result<Vec<(usize, f64)>, ElectricalError> {
        let mut out = Vec::new();
        for electrode in &self.list {
            let value = electrode.at(t)?;
            if electrode.kind == Kind::Potential {
                out.extend(electrode.nodes.iter().map(|&n| (n, value)));
            }
        }
        Ok(out)
    }

    /// Currents that enter and leave through the electrodes after a solve (A): (in, out), both 0 or above. What a body takes counts as one
    /// current: nodes of a side may take some against it, as their weights in ∫ N dA are.
    pub(crate) fn in_and_out(&self, solver: &NetworkSolver, network: &ResistorNetwork) -> (f64, f64) {
        self.list
            .iter()
            .flat_map(|e| e.takes.iter().map(|body| e.currents(body, solver, network).map(|c| c.1).sum::<f64>()))
            .fold((0.0, 0.0), |(fed, drawn), current| if current > 0.0 { (fed + current, drawn) } else { (fed, drawn - current) })
    }

    /// Power that the electrodes give after a solve (W): Σ I V over their nodes, I positive when fed in. V is taken over the reference of
    /// the node's part, so that a common offset costs no digit.
    pub(crate) fn power(&self, solver: &NetworkSolver, network: &ResistorNetwork) -> f64 {
        let of_body = |e: &Electrode, body: &[(usize, f64)]| {
            e.currents(body, solver, network).map(|(node, current)| current * solver.over_reference(node)).sum::<f64>()
        };
        self.list.iter().map(|e| e.takes.iter().map(|body| of_body(e, body)).sum::<f64>()).sum()
    }

    /// Equivalent resistance between two electrodes that are each at one potential: voltage over current (Ω). Infinite without
    /// a path; NaN when there are not exactly two electrodes or one of them is not at one potential; `None` where nothing drives a current.
    pub(crate) fn resistance(&self, solver: &NetworkSolver, network: &ResistorNetwork) -> Option<f64> {
        let [first, second] = self.list.as_slice() else { return Some(f64::NAN) };
        if [first, second].iter().any(|e| e.kind == Kind::Current(Spread::Evenly) && e.nodes.len() > 1) {
            return Some(f64::NAN);
        }
        let node = |n: &usize| self.node_of[*n];
        let parts: BTreeSet<usize> = first.nodes.iter().map(|n| solver.part(node(n))).collect();
        if !second.nodes.iter().any(|n| parts.contains(&solver.part(node(n)))) {
            return Some(f64::INFINITY);
        }
        let (one, other) = (first.nodes.first().map(node)?, second.nodes.first().map(node)?);
        let voltage = solver.drop_across((one, other));
        let current: f64 = first.takes.iter().flat_map(|body| first.currents(body, solver, network)).map(|c| c.1).sum();
        (voltage != 0.0 && current != 0.0).then(|| voltage / current)
    }

    /// Groups held at a potential, of three electrodes and more, that no path joins to another electrode after a solve.
    pub(crate) fn alone(&self, solver: &NetworkSolver) -> Vec<&str> {
        if self.list.len() < 3 {
            return Vec::new();
        }
        let part = |n: &usize| solver.part(self.node_of[*n]);
        // of each part the electrode that reaches it, `None` where there are several
        let mut reached: BTreeMap<usize, Option<usize>> = BTreeMap::new();
        for (number, electrode) in self.list.iter().enumerate() {
            for node in &electrode.nodes {
                reached.entry(part(node)).and_modify(|one| *one = one.filter(|k| *k == number)).or_insert(Some(number));
            }
        }
        let alone = |e: &&Electrode| e.kind == Kind::Potential && e.nodes.iter().all(|n| reached[&part(n)].is_some());
        self.list.iter().filter(alone).map(|e| e.group.as_str()).collect()
    }

    /// The network with its first electrode at 1 V, its second at 0 V and nothing fed.
    pub(crate) fn under_a_volt(&self, network: &ResistorNetwork) -> ResistorNetwork {
        let mut unit = network.clone();
        unit.held.fill(None);
        unit.injected.fill(0.0);
        unit.fed.fill(false);
        for (electrode, potential) in self.list.iter().zip([1.0, 0.0]) {
            electrode.takes.iter().flatten().for_each(|&(n, _)| unit.hold(n, potential));
        }
        unit
    }

    /// The resistance by the solution of [`Self::under_a_volt`] (Ω).
    pub(crate) fn resistance_under_a_volt(&self, solver: &NetworkSolver) -> f64 {
        let Some(first) = self.list.first() else { return f64::NAN };
        1.0 / first.takes.iter().flatten().map(|&(node, _)| solver.leaving()[node]).sum::<f64>()
    }

    /// Names of the groups to which current is fed and that have some of these nodes, with how many of their nodes these are, and whether those are all.
    pub(crate) fn groups_of<'a>(&'a self, nodes: &[usize]) -> impl Iterator<Item = (&'a str, usize, bool)> + use<'a> {
        let nodes: BTreeSet<usize> = nodes.iter().copied().collect();
        self.list.iter().filter(|e| matches!(e.kind, Kind::Current(_))).filter_map(move |e| {
            let off = e.nodes.iter().filter(|&&n| nodes.contains(&self.node_of[n])).count();
            (off > 0).then_some((e.group.as_str(), off, off == e.nodes.len()))
        })
    }
}

/// The bodies of an electrode and the part of their meshes.
type On<'a> = (&'a [usize], Option<&'a str>);

/// Nodes of an electrode, and where it exchanges current.
type Nodes = (Vec<usize>, Vec<Vec<(usize, f64)>>);
