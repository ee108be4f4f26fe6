//! The model: read from its file with all errors at once, ready to be built. What a module's parameters mean is not known
//! here; they stay fragments with their place.

mod bodies;
mod cell;
pub(crate) mod errors;
mod file;
mod files;
mod groups;
pub(crate) mod joints;
mod materials;
mod packing;
mod piece;
mod read;

use std::{path::Path, sync::Arc};

use mpcd_core::{Dimension, Fragment, InputError, MovingCell, Vec3, setup::Material};
use mpcd_geometry::ShapeRegistry;

pub use bodies::{BodyEntry, BodyForm, FillingEntry, GrainKind};
pub use errors::{Excerpt, MESSAGE, ModelErrors, SHOWN};
pub use file::{
    AdaptSection, BodySection, CellComponents, ChangeSection, CouplingSection, EdgeSection, InteractionSection, IteratedSection,
    LoadSection, ModelFile, OnFailure, OutputSection, PaceSection, PeriodicSection, Relaxation, StaggeredSection, TimeSection,
};
pub use groups::{InteractionEntry, LoadEntry};
pub use joints::{JointEntry, JointSection};
pub use packing::{CsvParams, PACKING_ENTRIES, PackedBody, PackingEntry};
pub use piece::{Piece, Word};

use crate::{
    digest::digest,
    splice::{Spliced, splice},
};

/// A model that was read without errors.
#[derive(Debug, Clone)]
pub struct Model {
    /// Name of the file without its ending: the name of the collection of frames.
    pub name: String,
    /// Name of the file as the user gave it, for messages.
    pub file: String,
    /// The text, with `--set` values in place.
    pub text: Arc<str>,
    /// The text as the file has it.
    pub written: Arc<str>,
    /// The `--set` arguments, in order.
    pub sets: Vec<String>,
    /// The files that it names.
    pub reads: Vec<mpcd_output::ReadFile>,
    /// Values that came from the command line.
    pub spliced: Vec<Spliced>,
    /// Digest of everything the run depends on: the text and the files it names.
    pub digest: String,
    /// Title.
    pub title: String,
    /// Space of the model.
    pub dimension: Dimension,
    /// Gravity [m/s²].
    pub gravity: Vec3,
    /// Lengths (m) after which the model repeats along x, y, z.
    pub periods: [Option<f64>; 3],
    /// What moves them.
    pub cell: Option<MovingCell>,
    /// Time stepping.
    pub time: TimeSection,
    /// Materials.
    pub materials: Vec<Material>,
    /// Bodies and packings.
    pub bodies: Vec<BodyEntry>,
    /// Laws between groups.
    pub interactions: Vec<InteractionEntry>,
    /// Loads on groups.
    pub loads: Vec<LoadEntry>,
    /// Joints.
    pub joints: Vec<JointEntry>,
    /// Modules in the order they run, unread.
    pub physics: Vec<Fragment>,
    /// Coupling, where the model says it.
    pub coupling: Option<CouplingSection>,
    /// What is written.
    pub output: OutputSection,
}

impl Model {
    /// The model without the bodies of its packings, which are in the set-up: what a run still asks of it are the words.
    pub(crate) fn without_places(&self) -> Self {
        let mut out = self.clone();
        let packings = out.bodies.iter_mut().map(|entry| &mut entry.form);
        packings.filter(|form| matches!(form, BodyForm::Many(_))).for_each(|form| *form = BodyForm::Many(Arc::default()));
        out
    }

    /// Reads a model file and applies `--set` arguments.
    ///
    /// # Errors
    /// Everything that is wrong in it, each with its place.
    pub fn read(path: &Path, sets: &[String]) -> Result<Self, ModelErrors> {
        Self::read_with(path, sets, &ShapeRegistry::standard())
    }

    /// Reads a model file that may name the given shapes.
    ///
    /// # Errors
    /// As [`Model::read`].
    pub fn read_with(path: &Path, sets: &[String], shapes: &ShapeRegistry) -> Result<Self, ModelErrors> {
        let file = path.display().to_string();
        let name = path.file_stem().map_or_else(|| "model".to_owned(), |s| s.to_string_lossy().into_owned());
        let text = files::read_model(path).map_err(|e| {
            let error = InputError::new(format!("cannot read the model: {e}; expected a text file in RON"))
                .help("check the path, or make a model with `mpcd new NAME`");
            ModelErrors { name: file.clone(), text: "".into(), errors: vec![error], spliced: Vec::new() }
        })?;
        let folder = path.parent().unwrap_or_else(|| Path::new("")).to_path_buf();
        Self::parse_with(&text, &name, &file, &folder, sets, shapes)
    }

    /// Reads the text of a model. `name` names the outputs, `file` the model in messages; files it mentions are relative to `folder`.
    ///
    /// # Errors
    /// Everything that is wrong in it, each with its place.
    pub fn parse(text: &str, name: &str, file: &str, folder: &Path, sets: &[String]) -> Result<Self, ModelErrors> {
        Self::parse_with(text, name, file, folder, sets, &ShapeRegistry::standard())
    }

    /// Reads the text of a model that may name the given shapes.
    ///
    /// # Errors
    /// As [`Model::parse`].
    pub fn parse_with(
        text: &str,
        name: &str,
        file: &str,
        folder: &Path,
        sets: &[String],
        shapes: &ShapeRegistry,
    ) -> Result<Self, ModelErrors> {
        let fail = |text: &str, spliced, errors| ModelErrors { name: file.to_owned(), text: text.into(), errors, spliced };
        // The model's own syntax first: a path cannot be followed in a text that is damaged.
        if let Err(e) = Fragment::whole(text).parse::<serde::de::IgnoredAny>() {
            let e = e.help("check the brackets, commas and quotes just before this place");
            return Err(fail(text, Vec::new(), vec![e]));
        }
        let written: Arc<str> = text.into();
        let (text, spliced) =
            splice(text, sets).map_err(|e| fail(text, Vec::new(), e.iter().map(|e| InputError::new(e.to_string())).collect()))?;
        let mut errors = errors::Collect::default();
        let source: Arc<str> = text.into();
        let mut files = files::Files::new(folder);
        match read::model(&source, shapes, &mut files, &mut errors) {
            Some(parts) if errors.is_empty() => Ok(Self {
                name: name.to_owned(),
                file: file.to_owned(),
                digest: digest(std::iter::once(without_end(&source).as_bytes()).chain(files.contents())),
                spliced,
                title: parts.title.unwrap_or_else(|| name.to_owned()),
                dimension: parts.dimension,
                gravity: parts.gravity,
                periods: parts.periods,
                cell: parts.cell,
                time: parts.time,
                materials: parts.materials,
                bodies: parts.bodies,
                interactions: parts.interactions,
                loads: parts.loads,
                joints: parts.joints,
                physics: parts.physics,
                coupling: parts.coupling,
                output: parts.output,
                text: source,
                written,
                sets: sets.to_vec(),
                reads: files.read_files(),
            }),
            _ => Err(fail(&source, spliced, errors.finish())),
        }
    }

    /// Errors found after reading, with the text they point into.
    pub(crate) fn errors(&self, errors: Vec<InputError>) -> ModelErrors {
        ModelErrors { name: self.file.clone(), text: self.text.clone(), errors, spliced: self.spliced.clone() }
    }
}

/// The text with the end of the run taken out: a run may be resumed to go on for longer.
fn without_end(text: &str) -> String {
    splice(text, &["time.end=0".to_owned()]).map_or_else(|_| text.to_owned(), |(text, _)| text)
}

/// Schema of the model file, with the documentation, units and defaults of every key of the top level.
#[must_use]
pub fn schema() -> schemars::Schema {
    schemars::schema_for!(ModelFile)
}
