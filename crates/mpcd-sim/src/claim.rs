//! An output folder taken for one run: alone in it, with the files of this run and no other. A fresh run finds it empty of what
//! an earlier one wrote, a resumed one finds everything that its checkpoint counts on. No step is taken here.

use std::sync::atomic::AtomicBool;

use mpcd_output::{History, Record, RunFolder, RunOutput, Start, folder};

use crate::{
    checkpoint::{self, Beside},
    digest::digest,
    error::RunError,
    frames::PARTS,
    probes::Distribution,
    runner::{Observer, Run, RunOptions, RunSummary, drive},
    simulation::Simulation,
};

/// The output folder of one run, held until the run ends.
#[derive(Debug)]
pub struct Claim {
    /// Keeps other runs out while it lives.
    folder: RunFolder,
    pub(crate) options: RunOptions,
    pub(crate) record: Record,
    pub(crate) start: Start,
    /// The same of the frames and of the tables written with them.
    pub(crate) frames: Start,
}

impl Claim {
    /// Takes the folder. A fresh start clears it (with `overwrite`) or refuses what an earlier run left; with `resume` the
    /// simulation is put where the checkpoint was written.
    ///
    /// # Errors
    /// Another process runs there, the folder is used, the checkpoint or what it counts on is missing, or the file system refused.
    /// A folder that is refused is left as it was.
    pub fn take(simulation: &mut Simulation, options: &RunOptions) -> Result<Self, RunError> {
        let taken = RunFolder::claim(options.sink.clone(), &options.folder)?;
        if !taken.locked() {
            tracing::warn!("the file system of `{}` has no locks: nothing keeps a second run out", options.folder.display());
        }
        let text = simulation.model.written.clone();
        let options = options.clone();
        if !options.resume {
            let record = new_record(simulation);
            taken.start(&record, &text, options.overwrite)?;
            return Ok(Self { folder: taken, options, record, start: Start::Fresh, frames: Start::Fresh });
        }
        let old = taken.record()?;
        let run = old.as_ref().map(|r| r.run.as_str());
        let header = checkpoint::resume(simulation, run, options.sink.as_ref(), &options.folder)?;
        check_files(simulation, &options, &header)?;
        let frames = header.beside.frames_from(header.step, header.time);
        let mut record = Record { run: header.beside.run, ..new_record(simulation) };
        record.resumed = old.map(|r| r.resumed).unwrap_or_default();
        record.resumed.push(header.step);
        taken.resumed(&record, &text)?;
        tracing::info!(step = header.step, time = header.time, "resumed");
        let start = Start::Resume { step: header.step, time: header.time };
        Ok(Self { folder: taken, options, record, start, frames })
    }

    /// Runs the simulation that the folder was taken for. `stop` is looked at between steps.
    ///
    /// # Errors
    /// A step that was not accepted, or a file that could not be written; the message says what to do. States, frames and summary
    /// up to the step before are on disk as far as the disk allows.
    pub fn run(
        self,
        simulation: &mut Simulation,
        stop: &AtomicBool,
        observer: &mut dyn Observer,
    ) -> Result<RunSummary, RunError> {
        let summary = drive(Run::start(simulation, &self)?, stop, observer);
        drop(self.folder);
        summary
    }
}

/// Names of the tables beside the history.
pub(crate) fn table(distribution: &Distribution) -> String {
    format!("{}.csv", distribution.name)
}

fn new_record(simulation: &Simulation) -> Record {
    let model = &simulation.model;
    // Two starts differ in their time, or in their process.
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |d| d.as_nanos());
    let start = [now.to_le_bytes().as_slice(), &std::process::id().to_le_bytes(), model.digest.as_bytes()].map(<[u8]>::to_vec);
    Record {
        mpcd_version: env!("CARGO_PKG_VERSION").to_owned(),
        run: digest(start.iter().map(Vec::as_slice)),
        model: model.name.clone(),
        model_file: model.file.clone(),
        model_digest: model.digest.clone(),
        set: model.sets.clone(),
        reads: model.reads.clone(),
        resumed: Vec::new(),
        parts: PARTS.map(str::to_owned).to_vec(),
        tables: simulation.distributions.iter().map(table).collect(),
    }
}

/// Everything that a checkpoint counts on must be there, whole.
fn check_files(simulation: &Simulation, options: &RunOptions, header: &checkpoint::Header) -> Result<(), RunError> {
    let (sink, path) = (options.sink.as_ref(), &options.folder);
    let Beside { frames, rows, .. } = &header.beside;
    let Start::Resume { step, time } = header.beside.frames_from(header.step, header.time) else { return Ok(()) };
    RunOutput::check(sink, path, &simulation.model.name, time, *frames)?;
    let history = (folder::HISTORY.to_owned(), simulation.history_columns(), header.step);
    let tables = std::iter::once(history).chain(simulation.distributions.iter().map(|d| (table(d), d.columns(), step)));
    for ((name, columns, step), rows) in tables.zip(rows) {
        History::check(sink, &path.join(name), &columns, step, *rows)?;
    }
    Ok(())
}
