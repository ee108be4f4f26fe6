//! Electrodes: groups of the model turned into held and fed nodes, and back into potentials, currents and a resistance.
//! No contacts, no solver.

use mpcd_core::{BodyId, InputError, MaterialId, Setup, TimeFunction};

use crate::{
    error::ElectricalError,
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

/// A group that exchanges current with the outside.
#[derive(Debug)]
struct Electrode {
    group: String,
    kind: Kind,
    value: TimeFunction,
    bodies: Vec<usize>,
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
}

/// All electrodes, and which node of the network stands for each body.
#[derive(Debug)]
pub(crate) struct Electrodes {
    list: Vec<Electrode>,
    /// A body is its own node; the bodies of an equipotential electrode are the node of the first of them.
    pub(crate) node_of: Vec<usize>,
}

impl Electrodes {
    /// Looks up the groups; `conducts` tells whether a material does.
    pub(crate) fn build(
        potential: Vec<PotentialElectrode>,
        current: Vec<CurrentElectrode>,
        setup: &Setup,
        conducts: impl Fn(MaterialId) -> bool,
    ) -> Result<Self, InputError> {
        let potentials = potential.into_iter().map(|p| (p.group, Kind::Potential, p.value));
        let currents = current.into_iter().map(|c| (c.group, Kind::Current(c.spread), c.value));
        let mut list: Vec<Electrode> = Vec::new();
        let mut node_of: Vec<usize> = (0..setup.bodies.len()).collect();
        for (group, kind, value) in potentials.chain(currents) {
            if list.iter().any(|e| e.group == group) {
                return Err(InputError::new(format!(
                    "group \"{group}\" is an electrode twice; a group has one potential or one current"
                ))
                .help("remove one of the two entries")
                .at(group));
            }
            let bodies: Vec<usize> = setup.bodies_of(&group)?.into_iter().map(BodyId::index).collect();
            if !bodies.iter().any(|&b| conducts(setup.bodies.material[b])) {
                return Err(InputError::new(format!("the electrode \"{group}\" has no body that conducts"))
                    .help("give its material an `electrical` part, or choose another group")
                    .at(group));
            }
            if kind == Kind::Current(Spread::Equipotential) {
                bodies.iter().for_each(|&b| node_of[b] = bodies[0]);
            }
            list.push(Electrode { group, kind, value, bodies });
        }
        let electrodes = Self { list, node_of };
        electrodes.check_return()?;
        Ok(electrodes)
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
    pub(crate) fn apply(&self, t: f64, network: &mut ResistorNetwork) -> Result<(), ElectricalError> {
        for electrode in &self.list {
            let value = electrode.at(t)?;
            match electrode.kind {
                Kind::Potential => electrode.bodies.iter().for_each(|&b| network.hold(b, value)),
                Kind::Current(Spread::Equipotential) => network.inject(electrode.bodies[0], value),
                #[expect(clippy::cast_precision_loss, reason = "a number of bodies")]
                Kind::Current(Spread::Evenly) => {
                    electrode.bodies.iter().for_each(|&b| network.inject(b, value / electrode.bodies.len() as f64));
                }
            }
        }
        Ok(())
    }

    /// Bodies held at a potential at time `t`, with it (V).
    pub(crate) fn held(&self, t: f64) -> Result<Vec<(usize, f64)>, ElectricalError> {
        let mut out = Vec::new();
        for electrode in &self.list {
            let value = electrode.at(t)?;
            if electrode.kind == Kind::Potential {
                out.extend(electrode.bodies.iter().map(|&b| (b, value)));
            }
        }
        Ok(out)
    }

    /// Currents that enter and leave through the electrodes after a solve (A): (in, out), both 0 or above.
    pub(crate) fn in_and_out(&self, solver: &NetworkSolver, network: &ResistorNetwork) -> (f64, f64) {
        self.list
            .iter()
            .flat_map(|e| self.currents(e, solver, network))
            .fold((0.0, 0.0), |(fed, drawn), current| if current > 0.0 { (fed + current, drawn) } else { (fed, drawn - current) })
    }

    /// Power that the electrodes give after a solve (W): Σ I V over their nodes, I positive when fed in. V is taken over the reference of
    /// the node's part, so that a common offset costs no digit.
    pub(crate) fn power(&self, solver: &NetworkSolver, network: &ResistorNetwork) -> f64 {
        let nodes = |e: &Electrode| self.nodes(e).to_vec();
        let of = |e: &Electrode| {
            nodes(e).into_iter().zip(self.currents(e, solver, network)).map(|(n, i)| i * solver.over_reference(n)).sum::<f64>()
        };
        self.list.iter().map(of).sum()
    }

    /// The nodes at which an electrode exchanges current.
    fn nodes<'a>(&self, electrode: &'a Electrode) -> &'a [usize] {
        match electrode.kind {
            Kind::Current(Spread::Equipotential) => &electrode.bodies[..1],
            _ => &electrode.bodies[..],
        }
    }

    /// Current fed in at each node of an electrode (A).
    fn currents<'a>(
        &'a self,
        electrode: &'a Electrode,
        solver: &'a NetworkSolver,
        network: &'a ResistorNetwork,
    ) -> impl Iterator<Item = f64> + 'a {
        self.nodes(electrode).iter().map(move |&node| match electrode.kind {
            Kind::Potential => solver.leaving()[node],
            // what was switched off is not fed
            Kind::Current(_) if solver.floats(node) => 0.0,
            Kind::Current(_) => network.injected[node],
        })
    }

    /// Equivalent resistance between two electrodes that are each at one potential: voltage over current (Ω). Infinite without
    /// a path; NaN when there are not exactly two electrodes or one of them is not at one potential; `None` where nothing drives a current.
    pub(crate) fn resistance(&self, solver: &NetworkSolver, network: &ResistorNetwork) -> Option<f64> {
        let [first, second] = self.list.as_slice() else { return Some(f64::NAN) };
        if [first, second].iter().any(|e| e.kind == Kind::Current(Spread::Evenly) && e.bodies.len() > 1) {
            return Some(f64::NAN);
        }
        let joined = first.bodies.iter().any(|&i| second.bodies.iter().any(|&j| solver.joined(self.node_of[i], self.node_of[j])));
        if !joined {
            return Some(f64::INFINITY);
        }
        let voltage = solver.drop_across((self.node_of[first.bodies[0]], self.node_of[second.bodies[0]]));
        let current = self.currents(first, solver, network).sum::<f64>();
        (voltage != 0.0 && current != 0.0).then(|| voltage / current)
    }

    /// The network with its first electrode at 1 V, its second at 0 V and nothing fed.
    pub(crate) fn under_a_volt(&self, network: &ResistorNetwork) -> ResistorNetwork {
        let mut unit = ResistorNetwork { branches: network.branches.clone(), ..ResistorNetwork::new(network.nodes()) };
        for (electrode, potential) in self.list.iter().zip([1.0, 0.0]) {
            electrode.bodies.iter().for_each(|&b| unit.hold(self.node_of[b], potential));
        }
        unit
    }

    /// The resistance by the solution of [`Self::under_a_volt`] (Ω).
    pub(crate) fn resistance_under_a_volt(&self, solver: &NetworkSolver) -> f64 {
        let Some(first) = self.list.first() else { return f64::NAN };
        let mut nodes: Vec<usize> = first.bodies.iter().map(|&b| self.node_of[b]).collect();
        nodes.dedup();
        1.0 / nodes.iter().map(|&node| solver.leaving()[node]).sum::<f64>()
    }

    /// Names of the groups that have a body among these nodes.
    pub(crate) fn groups_of<'a>(&'a self, nodes: &'a [usize]) -> impl Iterator<Item = &'a str> {
        self.list
            .iter()
            .filter(|e| matches!(e.kind, Kind::Current(_)) && e.bodies.iter().any(|&b| nodes.contains(&self.node_of[b])))
            .map(|e| e.group.as_str())
    }
}
