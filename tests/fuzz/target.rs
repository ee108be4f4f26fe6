//! What fuzzing does with a case: a model is read, built and described, as `mpcd check` does, a mesh file is read and its boundary found. Any answer is
//! right but a panic, an error that points beside the text or says nothing, and a mesh that is none.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use mpcd::{Registry, StandardRegistry};
use mpcd_fem::Mesh;
use mpcd_sim::{Model, ModelErrors, Simulation, describe};
use mpcd_tests::{damage::Damage, mutate::Mutator};

/// One case is a mesh file of so many; the others are models.
const MESHES: u64 = 4;

/// What is read.
pub(crate) enum Case {
    Model(String),
    /// The name of the file that it was, which says its kind, and the bytes.
    Mesh(String, Vec<u8>),
}

impl Case {
    /// A file, by its extension.
    ///
    /// # Errors
    /// What the system says of a file that it cannot read.
    pub(crate) fn read(path: &Path) -> std::io::Result<Self> {
        let bytes = std::fs::read(path)?;
        let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        Ok(if is_mesh(path) { Self::Mesh(name, bytes) } else { Self::Model(String::from_utf8_lossy(&bytes).into_owned()) })
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Self::Model(text) => text.as_bytes(),
            Self::Mesh(_, bytes) => bytes,
        }
    }

    /// That of a file of its kind.
    #[allow(dead_code, reason = "the program saves cases, the test does not")]
    pub(crate) fn extension(&self) -> &str {
        match self {
            Self::Model(_) => "ron",
            Self::Mesh(name, _) => name.rsplit('.').next().unwrap_or("msh"),
        }
    }
}

/// Makes cases.
pub(crate) struct Cases {
    models: Mutator,
    meshes: Damage,
}

impl Cases {
    pub(crate) fn new(models: Vec<String>) -> Self {
        Self { models: Mutator::new(models), meshes: Damage::new(meshes()) }
    }

    /// The case of this seed and number: that of a mesh file where the number says so, or `only` they are wanted.
    pub(crate) fn case(&self, seed: u64, number: u64, only: bool) -> Case {
        if only || number % MESHES == MESHES - 1 {
            let (name, bytes) = self.meshes.case(seed, number);
            Case::Mesh(name.to_owned(), bytes)
        } else {
            Case::Model(self.models.case(seed, number))
        }
    }
}

fn is_mesh(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "msh" || e == "vtu")
}

/// Sound and strange mesh files, by name.
fn meshes() -> Vec<(String, Vec<u8>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for folder in ["crates/mpcd-fem/tests/fem/data", "tests/corpus"] {
        collect(&root.join(folder), &mut files);
    }
    files.retain(|f| is_mesh(f));
    files.sort();
    let read = |f: &PathBuf| match Case::read(f) {
        Ok(Case::Mesh(name, bytes)) => Some((name, bytes)),
        _ => None,
    };
    files.iter().filter_map(read).collect()
}

/// The sound models that cases are made from: the gallery, the models in the documentation, and the cases that once went wrong.
pub(crate) fn models() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for folder in ["models", "docs", "tests/corpus", "crates/mpcd/tests/all"] {
        collect(&root.join(folder), &mut files);
    }
    // the packings of benchmarks take longer than a case may
    files.retain(|file| !is_mesh(file) && !file.components().any(|part| part.as_os_str() == "benchmark"));
    files.sort();
    let texts = files.iter().filter_map(|f| Some((f, std::fs::read_to_string(f).ok()?)));
    texts.flat_map(|(f, text)| if f.extension().is_some_and(|e| e == "md") { blocks(&text) } else { vec![text] }).collect()
}

/// The cases that once went wrong, and mesh files that are strange.
#[allow(dead_code, reason = "the program makes cases, the test reads these too")]
pub(crate) fn corpus() -> Vec<(PathBuf, Case)> {
    let mut files = Vec::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus"), &mut files);
    files.sort();
    files.into_iter().filter_map(|f| Case::read(&f).ok().map(|case| (f, case))).collect()
}

fn collect(folder: &Path, out: &mut Vec<PathBuf>) {
    for path in std::fs::read_dir(folder).into_iter().flatten().filter_map(|e| Some(e.ok()?.path())) {
        if path.is_dir() {
            collect(&path, out);
        } else if is_mesh(&path) || path.extension().is_some_and(|e| e == "ron" || e == "md") {
            out.push(path);
        }
    }
}

/// Whole models in a page of the documentation.
fn blocks(page: &str) -> Vec<String> {
    let inside = page.split("```ron").skip(1).filter_map(|b| Some(b.split_once('\n')?.1.split("```").next()?.to_owned()));
    inside.filter(|b| b.contains("dimension:")).collect()
}

/// Reads a case.
///
/// # Errors
/// The message of a panic, or what is wrong with the answer.
pub(crate) fn check(registry: &Registry, case: &Case) -> Result<(), String> {
    let read = || match case {
        Case::Model(text) => check_model(registry, text),
        Case::Mesh(name, bytes) => check_mesh(name, bytes),
    };
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
        Err(format!("panic: {}", text.unwrap_or("without words")))
    })
}

/// As `mpcd check` does.
fn check_model(registry: &Registry, text: &str) -> Result<(), String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/contact");
    match Model::parse_with(text, "case", "case.ron", &folder, &[], &mpcd::shapes()) {
        Ok(model) => match Simulation::build(&model, registry) {
            Ok(simulation) => {
                let _ = describe(&simulation).to_string();
                Ok(())
            }
            Err(errors) => sound(&errors),
        },
        Err(errors) => sound(&errors),
    }
}

/// By the reader that its name says. What is read has elements and places; what is refused, a boundary too, is refused by the name of the file.
fn check_mesh(name: &str, bytes: &[u8]) -> Result<(), String> {
    let read =
        if name.ends_with("msh") { Mesh::from_gmsh(name, &String::from_utf8_lossy(bytes)) } else { Mesh::from_vtu(name, bytes) };
    let skin = match &read {
        Ok(mesh) if mesh.elements() == 0 => return Err("a mesh without elements".to_owned()),
        Ok(mesh) if !mesh.nodes().iter().all(|x| x.iter().all(|c| c.is_finite())) => return Err("a node nowhere".to_owned()),
        Ok(mesh) => mesh.skin().map(|_| ()),
        Err(_) => Ok(()),
    };
    let refused = [read.err(), skin.err()].into_iter().flatten().map(|e| e.to_string());
    for words in refused {
        if !words.contains(name) || words.len() > 2_000 {
            return Err(format!("a message of {} bytes that begins with {:.100}", words.len(), words));
        }
    }
    Ok(())
}

/// Errors say something, in few words, about a place in the text.
fn sound(errors: &ModelErrors) -> Result<(), String> {
    if errors.errors.is_empty() {
        return Err("refused without an error".to_owned());
    }
    for error in &errors.errors {
        if errors.span(error).is_some_and(|s| s.start > s.end || s.end > errors.text.len()) {
            return Err(format!("an error points beside the text: {error}"));
        }
    }
    match errors.to_string().len() {
        0 => Err("an error without words".to_owned()),
        long if long > 200_000 => Err(format!("a message of {long} bytes")),
        _ => Ok(()),
    }
}

/// Everything that a model may name.
#[must_use]
pub(crate) fn registry() -> Registry {
    Registry::standard()
}
