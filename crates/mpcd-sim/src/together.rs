//! What the modules of a model must be together before their ports are looked at: one that moves the bodies, one grid. Ports are checked by the core.

use mpcd_core::{GridSpec, InputError, Module, Port, Support};

use crate::{
    coupling::{self, Member},
    model::Model,
};

/// One module at most owns bodies and contacts.
pub(crate) fn one_world(members: &[Member], model: &Model) -> Result<(), Vec<InputError>> {
    let owners: Vec<&Member> = members.iter().filter(|m| m.world).collect();
    if owners.is_empty() && !(model.interactions.is_empty() && model.loads.is_empty()) {
        let error = InputError::new("the model has interactions or loads, but no module in `physics` moves the bodies");
        return Err(vec![error.help("add `Contact()` as the first item of `physics`").at("physics")]);
    }
    if let [first, second, ..] = owners[..] {
        let error = InputError::new(format!(
            "the modules `{}` and `{}` both move the bodies; expected one that does",
            first.name, second.name
        ));
        return Err(vec![error.help("keep one of them").at(second.name)]);
    }
    Ok(())
}

/// What is on a grid, or on contacts, follows the bodies: from a place before the module that moves them a grid would see them where they are and never move,
/// so that nothing is displaced, and what is found on contacts would be of those of the step before, none in the first.
pub(crate) fn grids_and_contacts_follow_bodies(modules: &[Box<dyn Module>], members: &[Member]) -> Result<(), Vec<InputError>> {
    let Some(owner) = members.iter().position(|m| m.world) else { return Ok(()) };
    let on_contacts = |ports: &[Port]| coupling::written(ports).any(|field| field.support == Support::Contact);
    let early = modules[..owner].iter().zip(members).find_map(|(module, member)| match module.grid() {
        Some(_) => Some((member.name, "its grid would see nothing move")),
        None => on_contacts(&member.ports)
            .then_some((member.name, "it would see the contacts of the step before, and none in the first")),
    });
    let Some((name, why)) = early else { return Ok(()) };
    let mover = members[owner].name;
    let error = InputError::new(format!("`{name}` stands before `{mover}`, which moves the bodies: {why}"));
    Err(vec![error.help(format!("write `{name}` after `{mover}` in `physics`")).at(name)])
}

/// All grid fields live on one grid.
pub(crate) fn one_grid(modules: &[Box<dyn Module>]) -> Result<Option<GridSpec>, Vec<InputError>> {
    let mut found: Option<(&'static str, GridSpec)> = None;
    for (name, grid) in modules.iter().filter_map(|m| Some((m.name(), m.grid()?))) {
        match found {
            Some((first, other)) if other != grid => {
                let message =
                    format!("the modules `{first}` and `{name}` use different grids; expected one grid for all grid fields");
                return Err(vec![InputError::new(message).help("give both the same grid").at(name)]);
            }
            _ => found = Some((name, grid)),
        }
    }
    Ok(found.map(|(_, g)| g))
}
