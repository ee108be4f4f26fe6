//! Reader of gmsh's `.msh` text files, versions 2.2 and 4.1, and what their cells and physical groups become. The two
//! versions are in the rooms below. Format: gmsh reference manual, section "MSH file format".

mod cells;
mod version_2;
mod version_4;

use std::collections::BTreeMap;
use std::path::Path;

use mpcd_core::Vec3;

use super::text::Text;
use super::{Mesh, MeshError};

/// What both versions say.
#[derive(Default)]
struct Raw {
    /// Names of physical groups by dimension and number.
    names: BTreeMap<(usize, usize), String>,
    /// Label and place of each node.
    nodes: Vec<(usize, Vec3)>,
    cells: Vec<RawCell>,
}

struct RawCell {
    label: usize,
    /// Line of the file that its nodes end in.
    line: usize,
    kind: u32,
    /// Numbers of its physical groups.
    groups: Vec<usize>,
    /// Labels of its nodes, in gmsh's order.
    nodes: Vec<usize>,
}

impl Mesh {
    /// Reads a gmsh file, version 2.2 or 4.1, text. Physical groups of the mesh's dimension become groups of elements, those of
    /// one dimension less groups of faces, lower ones groups of nodes; without a name the number is the name. Nodes that no
    /// element has (centres of arcs) are left out.
    ///
    /// # Errors
    /// [`MeshError`], with the file.
    pub fn read_gmsh(path: &Path) -> Result<Self, MeshError> {
        let file = path.display().to_string();
        let bytes = std::fs::read(path).map_err(|e| MeshError::File { file: file.clone(), reason: e.to_string() })?;
        Self::from_gmsh(&file, &String::from_utf8_lossy(&bytes))
    }

    /// The same from text; `file` is what messages call it.
    ///
    /// # Errors
    /// [`MeshError`].
    pub fn from_gmsh(file: &str, text: &str) -> Result<Self, MeshError> {
        let mut text = Text::new(file, text);
        text.keyword("$MeshFormat")?;
        let version: String = text.word().unwrap_or("").chars().take(40).collect();
        let binary: u8 = text.number("0 (text) or 1 (binary)")?;
        let refuse = |what: String, cure| MeshError::Format { file: file.to_owned(), what, cure };
        if binary != 0 {
            return Err(refuse("a binary file of gmsh".to_owned(), "save it as text (`Mesh.Binary = 0`)"));
        }
        text.skip_past("$EndMeshFormat")?;
        let raw = match version.as_str() {
            "2.2" | "2.1" | "2" => version_2::read(&mut text)?,
            "4.1" => version_4::read(&mut text)?,
            _ => {
                return Err(refuse(
                    format!("version `{version}` of gmsh's format"),
                    "save it as 4.1 or 2.2 (`Mesh.MshFileVersion`)",
                ));
            }
        };
        cells::mesh(file, raw)
    }
}

/// Sections `$X … $EndX`: `read` is given the name of those it knows, and has read them to their end; others are left out.
fn sections(text: &mut Text<'_>, mut read: impl FnMut(&str, &mut Text<'_>) -> Result<bool, MeshError>) -> Result<(), MeshError> {
    while let Some(word) = text.word() {
        let Some(name) = word.strip_prefix('$') else { return Err(text.fault("a section ($Nodes, $Elements, …)", word)) };
        let end = format!("$End{name}");
        if !read(name, text)? {
            text.skip_past(&end)?;
            continue;
        }
        match text.word() {
            Some(word) if word == end => {}
            Some(word) => return Err(text.fault("the end of the section, as the count at its beginning says", word)),
            None => return Err(text.fault("the end of a section", "the end of the file")),
        }
    }
    Ok(())
}

fn physical_names(text: &mut Text<'_>, raw: &mut Raw) -> Result<(), MeshError> {
    let count: usize = text.number("the number of physical names")?;
    for _ in 0..count {
        let dimension = text.number("a dimension")?;
        let number = text.number("the number of a physical group")?;
        let name = text.quoted("a name in quotes")?;
        raw.names.insert((dimension, number), name.to_owned());
    }
    Ok(())
}
