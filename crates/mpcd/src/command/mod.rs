//! The command line: what can be asked, and which room answers. No work is done here.

mod diagnostic;
mod examine;
#[cfg(feature = "fclib")]
mod fclib;
#[cfg(not(feature = "fclib"))]
#[path = "fclib_absent.rs"]
mod fclib;
mod manual;
mod new;
mod progress;
mod run;
mod signals;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use mpcd_sim::Registry;

pub(crate) use fclib::join_solvers;

/// Multi-physics contact dynamics: runs RON models, writes files for ParaView.
#[derive(Parser)]
#[command(name = "mpcd", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// More words on what happens (-v, -vv)
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    verbose: u8,
}

#[derive(Subcommand)]
enum Command {
    /// Runs a model
    Run(RunArgs),
    /// Reads and builds a model, shows what is in it and what is wrong; runs nothing
    Check(ModelArgs),
    /// Tells in words what a step of a model does
    Explain(ModelArgs),
    /// Shows the parameters of a module, law, shape, load, …; without a name, lists them all
    Doc {
        /// Name of the thing, in any case
        name: Option<String>,
    },
    /// Prints the JSON schema of model files, for editors
    Schema,
    /// Stored frictional contact problems (FCLIB files); in programs built with the feature `fclib`
    #[cfg_attr(feature = "fclib", command(subcommand))]
    Fclib(fclib::FclibCommand),
    /// Writes a starting model
    New {
        /// Name of the new file (without .ron)
        name: PathBuf,
        /// Model of the gallery to start from; `list` shows them
        #[arg(long, default_value = "bouncing-balls")]
        from: String,
    },
}

/// The model and how to change it.
#[derive(Args)]
struct ModelArgs {
    /// Model file (RON)
    model: PathBuf,
    /// Puts VALUE in the place of a key before reading, e.g. --set time.step=1e-4 or --set bodies[0].at=(0,1)
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<String>,
}

#[derive(Args)]
struct RunArgs {
    #[command(flatten)]
    model: ModelArgs,
    /// Folder for the results [default: out/NAME]
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Threads; the results have the same bits for any number [default: one for each core]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Time at which to stop (s)
    #[arg(long, value_name = "T")]
    until: Option<f64>,
    /// Goes on from the last checkpoint in the folder
    #[arg(long)]
    resume: bool,
    /// Removes what an earlier run left in the folder, and starts afresh; files that are not of a run stay
    #[arg(long, conflicts_with = "resume")]
    overwrite: bool,
}

/// Parses the command line of the process and does what it says with the physics of `registry`.
///
/// The exit code is 0 only if the run reached its end and every step met its tolerance or the model allowed otherwise; 2 means a
/// wrong command line; 128 and the number of a signal (130 after Ctrl-C) a run that the signal ended in order.
#[must_use]
pub fn cli(registry: Registry) -> ExitCode {
    let cli = Cli::parse();
    let outcome = match &cli.command {
        Command::Run(args) => run::run(&registry, args, cli.verbose),
        Command::Check(args) => examine::check(&registry, args).map(done),
        Command::Explain(args) => examine::explain(&registry, args).map(done),
        Command::Doc { name } => manual::page(&registry, name.as_deref()).map(say).map(done),
        Command::Schema => {
            say(manual::schema(&registry));
            Ok(ExitCode::SUCCESS)
        }
        Command::Fclib(command) => fclib::fclib(registry, command).map(done),
        Command::New { name, from } => new::write(name, from).map(say).map(done),
    };
    outcome.unwrap_or_else(|message| {
        complain(&message);
        ExitCode::FAILURE
    })
}

fn done((): ()) -> ExitCode {
    ExitCode::SUCCESS
}

/// To standard output. A reader that went away (`| head`) is no error.
fn say(text: String) {
    use std::io::Write as _;
    let _ = writeln!(std::io::stdout(), "{text}");
}

/// To standard error.
fn complain(text: &str) {
    use std::io::Write as _;
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Reads and builds a model, or says everything that is wrong with it.
fn build(registry: &Registry, args: &ModelArgs) -> Result<mpcd_sim::Simulation, String> {
    use std::io::IsTerminal as _;
    let colour = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let show = |errors: mpcd_sim::ModelErrors| diagnostic::render(&errors, colour);
    let shapes = registry.part().cloned().unwrap_or_else(mpcd_geometry::ShapeRegistry::standard);
    let model = mpcd_sim::Model::read_with(&args.model, &args.set, &shapes).map_err(show)?;
    mpcd_sim::Simulation::build(&model, registry).map_err(show)
}

/// Name of a model without folder and ending.
fn stem(model: &std::path::Path) -> String {
    model.file_stem().map_or_else(|| "model".to_owned(), |s| s.to_string_lossy().into_owned())
}
