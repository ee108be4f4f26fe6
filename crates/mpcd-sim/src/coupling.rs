//! The order of a step: which module runs when, and which of them are repeated until the fields they exchange agree.
//! Decided once, before the run, from the ports alone.

use std::{ops::Range, sync::Arc};

use mpcd_core::{
    Access, InputError, Port,
    port::{Edge, check_ports},
};

use crate::{
    edges,
    model::{CouplingSection, IteratedSection, Relaxation},
    pace::Pace,
};

/// What the plan needs to know of a module.
pub(crate) struct Member {
    pub(crate) name: &'static str,
    pub(crate) ports: Vec<Port>,
    /// Whether it owns bodies and contacts, which every later module reads.
    pub(crate) world: bool,
    pub(crate) wants_iteration: bool,
}

/// Modules that are repeated within the step.
#[derive(Debug, Clone)]
pub struct Cycle {
    /// Their places in the schedule.
    pub places: Range<usize>,
    /// Names of the lagged fields they exchange.
    pub exchanged: Vec<&'static str>,
    /// Largest relative change that is accepted, where the model says it, else as its solves allow (1e-6, or 100 times the loosest tolerance).
    pub tolerance: Option<f64>,
    /// Most repetitions.
    pub max_iterations: u32,
    /// How the exchanged fields are mixed.
    pub relaxation: Relaxation,
    /// Whether the model promises that a step solves all equations together, so that what is asked too finely is an error.
    pub strict: bool,
}

impl Cycle {
    /// Largest relative change that is accepted, given the tolerances of the repeated modules' own solves: what the model says,
    /// else 1e-6 or 100 times the loosest of them. Fields cannot agree more finely than the solves that make them; the factor
    /// stands for redundant contacts, whose forces move more than their residual.
    pub(crate) fn accepted_change(&self, solves: impl Iterator<Item = f64>) -> f64 {
        self.tolerance.unwrap_or_else(|| solves.fold(1e-6, |most, t| most.max(100.0 * t)))
    }

    /// Words where the model asks for a finer agreement than a repeated module, one of `solves` (name and tolerance), can give.
    pub(crate) fn too_fine<'a>(&self, solves: impl Iterator<Item = (&'a str, f64)>) -> Option<String> {
        let asked = self.tolerance?;
        let (module, tolerance) = solves.max_by(|a, b| a.1.total_cmp(&b.1)).filter(|(_, t)| *t > asked)?;
        if self.strict {
            return Some(format!(
                "`coupling: Monolithic` is the solution of all equations of a step together, to {asked:.1e}, but `{module}` solves its own to \
                 {tolerance:.1e}; give `{module}` a tolerance of {asked:.1e} or less, or write `coupling: Iterated()`"
            ));
        }
        Some(format!(
            "the coupling is to agree to {asked:.1e}, but `{module}`, which is repeated, solves to {tolerance:.1e}: below that the exchanged \
             fields agree by chance; give `{module}` a tolerance of {asked:.1e} or less, or leave `tolerance` of `coupling` out for {:.1e}",
            (100.0 * tolerance).max(1e-6)
        ))
    }
}

/// The schedule of a step.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    /// Modules in the order they run, by their places in the model.
    pub(crate) order: Vec<usize>,
    /// Coupling edges, by places in the schedule.
    pub(crate) edges: Vec<Edge>,
    /// Edges that are switched off.
    pub(crate) off: Vec<Edge>,
    /// How often each module runs, by place in the schedule.
    pub(crate) paces: Vec<Pace>,
    /// What is repeated.
    pub(crate) cycle: Option<Cycle>,
}

/// Makes the schedule. `text` is the source of the model.
///
/// # Errors
/// Every port that does not fit, and names of modules and edges that do not exist.
pub(crate) fn plan(modules: &[Member], coupling: Option<&CouplingSection>, text: &Arc<str>) -> Result<Plan, Vec<InputError>> {
    let natural: Vec<usize> = (0..modules.len()).collect();
    let all = check(modules, &natural)?;
    let mut off = edges::switched_off(modules, &all, coupling.map_or(&[], CouplingSection::off), text)?;
    if matches!(coupling, Some(CouplingSection::Serial(_))) {
        // what a module reads back of itself is its memory
        off.extend(all.iter().filter(|e| goes_back(e) && e.from != e.to).map(|e| (e.to, e.field.name)));
    }
    let paces = edges::paces(modules, coupling.map_or(&[], CouplingSection::pace), text)?;
    let split = |order: &[usize], all: Vec<Edge>| -> (Vec<Edge>, Vec<Edge>) {
        all.into_iter().partition(|e| !off.contains(&(order[e.to], e.field.name)))
    };
    let (edges, switched) = split(&natural, all);
    let graph = Graph { modules, edges: &edges };
    let (members, section) = match coupling {
        Some(CouplingSection::Staggered(_) | CouplingSection::Serial(_)) => (Vec::new(), IteratedSection::default()),
        Some(CouplingSection::Iterated(section)) => (graph.named(section)?, section.clone()),
        Some(CouplingSection::Monolithic(section)) => (graph.around(|_| true), section.repetition()),
        None => (graph.around(|m| m.wants_iteration), IteratedSection::default()),
    };
    let repeated = match coupling {
        Some(CouplingSection::Iterated(_)) => Some("Iterated"),
        Some(CouplingSection::Monolithic(_)) => Some("Monolithic"),
        _ => None,
    };
    if let (true, true, Some(name)) = (members.is_empty(), off.is_empty(), repeated) {
        return Err(vec![graph.nothing_to_repeat().at(name)]);
    }
    if members.is_empty() {
        return Ok(Plan { order: natural, edges, off: switched, paces, cycle: None });
    }
    let members = graph.closed(members);
    let first = members[0];
    let mut order: Vec<usize> = (0..first).collect();
    order.extend(&members);
    order.extend((first..modules.len()).filter(|i| !members.contains(i)));
    let (edges, switched) = split(&order, check(modules, &order)?);
    let paces = order.iter().map(|i| paces[*i]).collect();
    let places = first..first + members.len();
    let mut exchanged: Vec<&'static str> = Vec::new();
    // What a module reads back of itself is its memory of the step before, not an exchange.
    for e in edges.iter().filter(|e| goes_back(e) && e.from != e.to && places.contains(&e.from) && places.contains(&e.to)) {
        if !exchanged.contains(&e.field.name) {
            exchanged.push(e.field.name);
        }
    }
    if exchanged.is_empty() {
        let names = members.iter().map(|i| format!("`{}`", modules[*i].name)).collect::<Vec<_>>().join(", ");
        let error = InputError::new(format!(
            "the modules {names} exchange no field that one of them reads from the step before, so there is nothing to iterate"
        ));
        return Err(vec![
            error
                .help("use `coupling: Staggered`, or name the modules of a coupling cycle (`mpcd check` lists them)")
                .at("Iterated"),
        ]);
    }
    let cycle = Cycle {
        places,
        exchanged,
        tolerance: section.tolerance.map(|t| t.si()),
        max_iterations: section.max_iterations,
        relaxation: section.relaxation,
        strict: matches!(coupling, Some(CouplingSection::Monolithic(_))),
    };
    Ok(Plan { order, edges, off: switched, paces, cycle: Some(cycle) })
}

/// Whether an edge carries the value of the step (or repetition) before.
pub(crate) const fn goes_back(edge: &Edge) -> bool {
    edge.lagged && edge.from >= edge.to
}

fn check(modules: &[Member], order: &[usize]) -> Result<Vec<Edge>, Vec<InputError>> {
    let listed: Vec<(String, Vec<Port>)> =
        order.iter().map(|i| (modules[*i].name.to_owned(), modules[*i].ports.clone())).collect();
    check_ports(&listed).map_err(|errors| {
        let place = |text: &str| text.split('`').nth(1).unwrap_or_default().to_owned();
        errors.iter().map(ToString::to_string).map(|m| InputError::new(m.clone()).at(place(&m))).collect()
    })
}

struct Graph<'a> {
    modules: &'a [Member],
    edges: &'a [Edge],
}

impl Graph<'_> {
    /// Other modules that read something of module `from`: its fields, or bodies and contacts.
    fn readers(&self, from: usize) -> Vec<usize> {
        let world = self.modules[from].world;
        (0..self.modules.len())
            .filter(|to| *to != from)
            .filter(|to| self.edges.iter().any(|e| e.from == from && e.to == *to) || (world && *to > from))
            .collect()
    }

    /// The smallest cycle through `start`, empty if there is none.
    fn cycle(&self, start: usize) -> Vec<usize> {
        let mut previous: Vec<Option<usize>> = vec![None; self.modules.len()];
        let mut queue = std::collections::VecDeque::from([start]);
        while let Some(at) = queue.pop_front() {
            for next in self.readers(at) {
                if next == start {
                    let mut path = vec![at];
                    while let Some(before) = previous[path[path.len() - 1]] {
                        path.push(before);
                    }
                    return path;
                }
                if previous[next].is_none() {
                    previous[next] = Some(at);
                    queue.push_back(next);
                }
            }
        }
        Vec::new()
    }

    /// The smallest cycles around all modules that `want` them, together.
    fn around(&self, want: impl Fn(&Member) -> bool) -> Vec<usize> {
        let mut out: Vec<usize> =
            (0..self.modules.len()).filter(|i| want(&self.modules[*i])).flat_map(|i| self.cycle(i)).collect();
        out.sort_unstable();
        out.dedup();
        out
    }

    /// The modules the model names; where it names none, every cycle.
    fn named(&self, section: &IteratedSection) -> Result<Vec<usize>, Vec<InputError>> {
        if section.modules.is_empty() {
            return Ok(self.around(|_| true));
        }
        let (mut out, mut errors) = (Vec::new(), Vec::new());
        for word in &section.modules {
            match self.modules.iter().position(|m| m.name.eq_ignore_ascii_case(&word.text)) {
                Some(i) => out.push(i),
                None => errors.push(InputError::unknown("module", &word.text, self.modules.iter().map(|m| m.name))),
            }
        }
        out.sort_unstable();
        out.dedup();
        if errors.is_empty() { Ok(out) } else { Err(errors) }
    }

    /// Words for a model that asks for repetitions without a cycle.
    fn nothing_to_repeat(&self) -> InputError {
        let Some(edge) = self.edges.iter().find(|e| goes_back(e) && e.from != e.to) else {
            let error = InputError::new("no module reads what a later one writes, so there is nothing to iterate");
            return error.help("use `coupling: Staggered` (`mpcd check` lists what the modules exchange)");
        };
        let (reader, writer, field) = (self.modules[edge.to].name, self.modules[edge.from].name, edge.field.name);
        InputError::new(format!(
            "`{reader}` reads `{field}`, which `{writer}` writes later, but `{writer}` takes nothing from `{reader}`: there is no cycle to iterate"
        ))
        .help(format!(
            "use `coupling: Staggered`; with `{writer}` before `{reader}` in `physics`, `{reader}` reads the value of the step and not of the one before"
        ))
    }

    /// Adds what has to run between the members because a later one needs it of this step.
    fn closed(&self, mut members: Vec<usize>) -> Vec<usize> {
        loop {
            let (first, last) = (members[0], members[members.len() - 1]);
            let needed = (first..last).find(|n| {
                let fresh = |e: &&Edge| e.from == *n && e.to > *n && members.contains(&e.to);
                !members.contains(n) && (self.modules[*n].world || self.edges.iter().any(|e| fresh(&e)))
            });
            match needed {
                Some(n) => members.push(n),
                None => return members,
            }
            members.sort_unstable();
        }
    }
}

/// Fields written by the modules, in the order of the schedule.
pub(crate) fn written(ports: &[Port]) -> impl Iterator<Item = mpcd_core::FieldSpec> + '_ {
    ports.iter().filter(|p| p.access == Access::Write).map(|p| p.field)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use mpcd_core::{FieldSpec, Support, Unit};

    const FORCE: FieldSpec = FieldSpec::vector("fluid_force", Unit::FORCE, Support::Body);
    const HEAT: FieldSpec = FieldSpec::scalar("joule_power", Unit::POWER, Support::Contact);
    const SIZE: FieldSpec = FieldSpec::scalar("size_factor", Unit::ONE, Support::Body);

    fn house(wants: bool) -> Vec<Member> {
        let member =
            |name, ports: &[Port], world, wants_iteration| Member { name, ports: ports.to_vec(), world, wants_iteration };
        vec![
            member("Contact", &[Port::lagged(FORCE).optional(), Port::lagged(SIZE).optional()], true, false),
            member("Electrical", &[Port::write(HEAT)], false, false),
            member("Thermal", &[Port::fresh(HEAT), Port::write(SIZE)], false, false),
            member("Darcy", &[Port::write(FORCE)], false, wants),
        ]
    }

    fn iterated(text: &str) -> CouplingSection {
        mpcd_core::Fragment::whole(text).parse().unwrap()
    }

    #[test]
    fn the_smallest_cycle_is_repeated_and_the_rest_follows() {
        let staggered = plan(&house(false), None, &"".into()).unwrap();
        assert!(staggered.cycle.is_none() && staggered.order == [0, 1, 2, 3]);
        let plan = plan(&house(true), None, &"".into()).unwrap();
        assert_eq!(plan.order, [0, 3, 1, 2]);
        let cycle = plan.cycle.unwrap();
        assert_eq!((cycle.places, cycle.exchanged), (0..2, vec!["fluid_force"]));
    }

    #[test]
    fn named_modules_bring_those_they_need_between() {
        let plan = plan(&house(true), Some(&iterated("Iterated(modules: [\"contact\", \"thermal\"])")), &"".into()).unwrap();
        assert_eq!(plan.order, [0, 1, 2, 3]);
        let cycle = plan.cycle.unwrap();
        assert_eq!((cycle.places, cycle.exchanged), (0..3, vec!["size_factor"]));
    }

    #[test]
    fn serial_takes_what_flows_back_and_monolithic_repeats_every_cycle() {
        let serial = plan(&house(true), Some(&iterated("Serial()")), &"".into()).unwrap();
        assert!(serial.cycle.is_none() && serial.order == [0, 1, 2, 3]);
        let names = |edges: &[Edge]| edges.iter().map(|e| e.field.name).collect::<Vec<_>>();
        let mut off = names(&serial.off);
        off.sort_unstable();
        assert_eq!((off, names(&serial.edges)), (vec!["fluid_force", "size_factor"], vec!["joule_power"]));
        let cycle = plan(&house(false), Some(&iterated("Monolithic()")), &"".into()).unwrap().cycle.unwrap();
        assert!(cycle.strict && cycle.places == (0..4) && cycle.tolerance == Some(1e-10));
        assert!(matches!(cycle.relaxation, Relaxation::QuasiNewton));
        let words = cycle.too_fine([("Contact", 1e-5), ("Thermal", 1e-12)].into_iter()).unwrap();
        assert!(words.contains("`Contact` solves its own to 1.0e-5; give `Contact` a tolerance of 1.0e-10 or less"), "{words}");
        assert!(cycle.too_fine([("Contact", 1e-12)].into_iter()).is_none());
        let alone = plan(&house(false)[..1], Some(&iterated("Monolithic()")), &"".into()).unwrap_err()[0].to_string();
        assert_eq!(alone, "no module reads what a later one writes, so there is nothing to iterate");
    }

    #[test]
    fn wrong_names_and_empty_cycles_are_errors() {
        let text = |c: &str| plan(&house(false), Some(&iterated(c)), &"".into()).unwrap_err()[0].to_string();
        assert_eq!(
            text("Iterated(modules: [\"contakt\"])"),
            "unknown module `contakt`; expected one of `Contact`, `Electrical`, `Thermal`, `Darcy`"
        );
        assert_eq!(
            text("Iterated(modules: [\"Electrical\", \"Thermal\"])"),
            "the modules `Electrical`, `Thermal` exchange no field that one of them reads from the step before, so there is nothing to iterate"
        );
        assert!(
            plan(&house(false), Some(&iterated("Iterated()")), &"".into()).unwrap().cycle.is_some_and(|c| c.places == (0..4))
        );
        // also where some ask for it by themselves
        assert!(plan(&house(true), Some(&iterated("Iterated()")), &"".into()).unwrap().cycle.is_some_and(|c| c.places == (0..4)));
        let alone = plan(&house(false)[..1], Some(&iterated("Iterated()")), &"".into()).unwrap_err()[0].to_string();
        assert_eq!(alone, "no module reads what a later one writes, so there is nothing to iterate");
        let one_way = |name, ports: &[Port]| Member { name, ports: ports.to_vec(), world: false, wants_iteration: false };
        let modules = [one_way("Electrical", &[Port::lagged(SIZE)]), one_way("Thermal", &[Port::write(SIZE)])];
        let words = plan(&modules, Some(&iterated("Monolithic()")), &"".into()).unwrap_err()[0].to_string();
        assert!(
            words.contains("`Electrical` reads `size_factor`, which `Thermal` writes later, but `Thermal` takes nothing"),
            "{words}"
        );
    }
}
