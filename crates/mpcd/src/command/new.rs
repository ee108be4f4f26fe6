//! `mpcd new`: a starting model, taken from the gallery that is built into the program.

use std::path::Path;

/// The gallery: name and text.
const GALLERY: [(&str, &str); 5] = [
    ("bouncing-balls", include_str!("../../../../models/contact/bouncing-balls.ron")),
    ("sliding-to-rolling", include_str!("../../../../models/contact/sliding-to-rolling.ron")),
    ("spheres-in-a-box", include_str!("../../../../models/contact/spheres-in-a-box.ron")),
    ("compacted-discs", include_str!("../../../../models/coupled/compacted-discs.ron")),
    ("settling-in-fluid", include_str!("../../../../models/coupled/settling-in-fluid.ron")),
];

/// Writes the model `from` of the gallery to `name`.ron, which must not exist yet; returns what to tell the user.
pub(super) fn write(name: &Path, from: &str) -> Result<String, String> {
    let names = || GALLERY.iter().map(|(n, _)| *n);
    if from == "list" {
        return Ok(names().collect::<Vec<_>>().join("\n"));
    }
    let Some((_, text)) = GALLERY.iter().find(|(n, _)| *n == from) else {
        let near = mpcd_core::input::nearest(from, names()).map(|n| format!("did you mean `{n}`? "));
        return Err(format!(
            "no model of the gallery is called `{from}`; {}known: {}",
            near.unwrap_or_default(),
            names().collect::<Vec<_>>().join(", ")
        ));
    };
    let path = if name.extension().is_some_and(|e| e == "ron") { name.to_path_buf() } else { name.with_extension("ron") };
    let mut file = std::fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&path)
        .map_err(|e| format!("cannot write {}: {e}; choose another name", path.display()))?;
    std::io::Write::write_all(&mut file, text.as_bytes()).map_err(|e| format!("cannot write {}: {e}", path.display()))?;
    Ok(format!("wrote {}; run it with `mpcd run {}`", path.display(), path.display()))
}
