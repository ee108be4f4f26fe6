//! `.pvd` collections: the list of frame files that ParaView opens. One list for the run; the collection of one part
//! is the same list filtered, so that they cannot disagree.

use std::path::Path;

use crate::error::OutputError;
use crate::vtk::escape;

/// One file of one frame.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry {
    /// Time (s).
    pub(crate) time: f64,
    /// Part name.
    pub(crate) part: String,
    /// File, relative to the folder of the collection, with `/`.
    pub(crate) file: String,
}

/// The text of a collection. The place of a part in `parts` is its number, by which ParaView keeps blocks apart.
pub(crate) fn render<'a>(entries: impl Iterator<Item = &'a Entry>, parts: &[String]) -> String {
    let mut text = String::from(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n<Collection>\n",
    );
    for entry in entries {
        let number = parts.iter().position(|p| *p == entry.part).unwrap_or(parts.len());
        text.push_str(&format!(
            "<DataSet timestep=\"{:?}\" group=\"\" part=\"{number}\" name=\"{}\" file=\"{}\"/>\n",
            entry.time,
            escape(&entry.part),
            escape(&entry.file)
        ));
    }
    text.push_str("</Collection>\n</VTKFile>\n");
    text
}

/// Reads a collection written by [`render`]: the entries, and the parts in the order of their numbers.
///
/// # Errors
/// [`OutputError::Collection`] when it is not one.
pub(crate) fn parse(path: &Path, bytes: &[u8]) -> Result<(Vec<Entry>, Vec<String>), OutputError> {
    let fail = |problem: String| OutputError::Collection { path: path.to_path_buf(), problem };
    let text = std::str::from_utf8(bytes).map_err(|e| fail(format!("it is not text ({e})")))?;
    if !text.contains("type=\"Collection\"") || !text.trim_end().ends_with("</VTKFile>") {
        return Err(fail("it is not a complete VTK collection".to_owned()));
    }
    let mut entries = Vec::new();
    let mut parts: Vec<(usize, String)> = Vec::new();
    for tag in text.split("<DataSet ").skip(1) {
        let tag = tag.split("/>").next().unwrap_or(tag);
        let get = |key: &str| attribute(tag, key).ok_or_else(|| fail(format!("entry {} has no `{key}`", entries.len() + 1)));
        let number = |text: &str| fail(format!("`{text}` is not a number"));
        let (time, part) = (get("timestep")?, get("part")?);
        let time = time.parse().map_err(|_| number(&time))?;
        let part: usize = part.parse().map_err(|_| number(&part))?;
        let name = get("name")?;
        if parts.iter().all(|(_, known)| *known != name) {
            parts.push((part, name.clone()));
        }
        entries.push(Entry { time, part: name, file: get("file")? });
    }
    parts.sort();
    Ok((entries, parts.into_iter().map(|(_, name)| name).collect()))
}

fn attribute(tag: &str, key: &str) -> Option<String> {
    let start = tag.find(&format!("{key}=\""))? + key.len() + 2;
    let value = &tag[start..];
    let value = &value[..value.find('"')?];
    let plain = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")];
    Some(plain.iter().fold(value.to_owned(), |v, (code, c)| v.replace(code, c)))
}
