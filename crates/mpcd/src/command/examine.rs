//! `mpcd check` and `mpcd explain`: a model is built and described, never run.

use mpcd_sim::{Registry, describe};

use super::{ModelArgs, build, say};

pub(super) fn check(registry: &Registry, args: &ModelArgs) -> Result<(), String> {
    let simulation = build(registry, args)?;
    say(format!("{}\n{} is ready to run", describe(&simulation), args.model.display()));
    Ok(())
}

pub(super) fn explain(registry: &Registry, args: &ModelArgs) -> Result<(), String> {
    let simulation = build(registry, args)?;
    let description = describe(&simulation);
    say(format!("{}\n\n{}", description.title, description.schedule.join("\n")));
    Ok(())
}
