//! `mpcd new`: a starting model, taken from the gallery that is built into the program.

use std::path::Path;

/// Models of the gallery by their names, with their texts.
macro_rules! gallery {
    ($($path:literal),* $(,)?) => {
        &[$(($path, include_str!(concat!("../../../../models/", $path, ".ron")))),*]
    };
}

/// The whole gallery: folder and name, and text.
const GALLERY: &[(&str, &str)] = gallery![
    "benchmark/collapse-of-discs",
    "benchmark/collapse-of-spheres",
    "contact/bonded-beam",
    "contact/bouncing-balls",
    "contact/newtons-cradle",
    "contact/sliding-to-rolling",
    "contact/smooth-pour",
    "contact/spheres-in-a-box",
    "contact/wrecking-ball",
    "coupled/air-driven-plug",
    "coupled/brake",
    "coupled/branly",
    "coupled/compacted-discs",
    "coupled/consolidation",
    "coupled/fluidised-bed",
    "coupled/hot-bed",
    "coupled/liquefaction",
    "coupled/oxidised-compaction",
    "coupled/sand-above-air",
    "coupled/sand-clock",
    "coupled/self-heating",
    "coupled/settling-in-fluid",
    "coupled/silo-ratcheting",
    "coupled/spark-sintering",
    "deformable/bonded-arch",
    "deformable/foam-cell",
    "deformable/hot-punch",
    "deformable/rubber-between-rollers",
    "deformable/sheared-wall-3d",
    "deformable/sheared-wall",
    "granular/biaxial",
    "granular/capsules",
    "granular/column-collapse",
    "granular/polyhedra-in-a-box",
    "granular/pressed-spheres",
    "granular/rotating-drum",
    "granular/silo",
    "masonry/arch-tilting",
    "masonry/dry-stone-wall",
];

/// The name of a model without its folder.
fn name_of(path: &'static str) -> &'static str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Writes the model `from` of the gallery to `name`.ron, which must not exist yet; returns what to tell the user.
pub(super) fn write(name: &Path, from: &str) -> Result<String, String> {
    let names = || GALLERY.iter().map(|(path, _)| name_of(path));
    if from == "list" {
        return Ok(names().collect::<Vec<_>>().join("\n"));
    }
    let Some((_, text)) = GALLERY.iter().find(|(path, _)| name_of(path) == from) else {
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
