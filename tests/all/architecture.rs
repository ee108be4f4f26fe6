//! The floors of docs/architecture.md, asserted from `cargo metadata`: dependencies point down, never sideways; and the rooms of the contact crate, from their sources.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;

/// Floor of each of our crates. A new crate must be given one here.
const FLOORS: [(&str, u32); 16] = [
    ("mpcd-core", 0),
    ("mpcd-sparse", 0),
    ("mpcd-friction", 1),
    ("mpcd-geometry", 1),
    ("mpcd-fem", 1),
    ("mpcd-output", 1),
    ("mpcd-sim", 2),
    ("mpcd-contact", 2),
    ("mpcd-fclib", 2),
    ("mpcd-electrical", 2),
    ("mpcd-thermal", 2),
    ("mpcd-darcy", 2),
    ("mpcd", 3),
    ("custom-physics", 4),
    ("dumont", 4),
    ("mpcd-net", 4),
];

fn floor(name: &str) -> Option<u32> {
    FLOORS.iter().find(|(n, _)| *n == name).map(|(_, f)| *f)
}

fn metadata() -> Value {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// (package, dependency) for every normal or build dependency between packages of the workspace.
fn edges() -> Vec<(String, String)> {
    let metadata = metadata();
    let packages = metadata["packages"].as_array().unwrap();
    let names: Vec<&str> = packages.iter().filter_map(|p| p["name"].as_str()).collect();
    let mut out = Vec::new();
    for package in packages {
        for dependency in package["dependencies"].as_array().unwrap() {
            let name = dependency["name"].as_str().unwrap();
            if dependency["kind"].as_str() != Some("dev") && names.contains(&name) {
                out.push((package["name"].as_str().unwrap().to_owned(), name.to_owned()));
            }
        }
    }
    out
}

#[test]
fn dependencies_point_down_the_floors() {
    for (package, dependency) in edges() {
        if package == "mpcd-tests" {
            continue;
        }
        let (upper, lower) = (floor(&package), floor(&dependency));
        let upper = upper.unwrap_or_else(|| panic!("`{package}` has no floor; give it one"));
        let lower = lower.unwrap_or_else(|| panic!("`{dependency}` has no floor; give it one"));
        assert!(lower < upper, "`{package}` (floor {upper}) must not depend on `{dependency}` (floor {lower})");
    }
}

#[test]
fn the_friction_crate_knows_no_bodies_and_no_time() {
    let friction: Vec<_> = edges().into_iter().filter(|(p, _)| p == "mpcd-friction").map(|(_, d)| d).collect();
    assert!(friction.iter().all(|d| d == "mpcd-sparse"), "{friction:?}");
}

#[test]
fn the_finite_elements_know_no_contact_and_no_loop() {
    let fem: Vec<_> = edges().into_iter().filter(|(p, _)| p == "mpcd-fem").map(|(_, d)| d).collect();
    assert!(fem.iter().all(|d| d == "mpcd-core" || d == "mpcd-sparse"), "{fem:?}");
}

/// What is heavy to compile and no step needs: HDF5, the conic solver.
#[test]
fn a_step_needs_neither_hdf5_nor_a_conic_solver_to_compile() {
    let metadata = metadata();
    for package in metadata["packages"].as_array().unwrap() {
        for dependency in package["dependencies"].as_array().unwrap() {
            let (package, name) = (package["name"].as_str().unwrap(), dependency["name"].as_str().unwrap());
            let heavy = ["rust-hdf5", "clarabel"].contains(&name);
            assert!(!heavy || package == "mpcd-fclib", "`{package}` depends on `{name}`; what needs it lives in `mpcd-fclib`");
        }
    }
    let users: Vec<_> = edges().into_iter().filter(|(_, d)| d == "mpcd-fclib").map(|(p, _)| p).collect();
    assert_eq!(users, ["mpcd"], "only the program may wait for `mpcd-fclib`");
    let program = metadata["packages"].as_array().unwrap().iter().find(|p| p["name"] == "mpcd").unwrap();
    let mut all = program["dependencies"].as_array().unwrap().iter();
    let stored = all.find(|d| d["name"] == "mpcd-fclib" && d["kind"].is_null()).unwrap();
    assert!(stored["optional"] == true && program["features"]["default"].is_null(), "a first build does without `mpcd-fclib`");
}

/// Heavy crates that came in by a feature nobody used, and left: backtraces and tables of all languages behind error messages, a
/// machine of regular expressions behind formulas of time and filters of the log.
#[test]
fn the_program_carries_no_library_that_it_does_not_use() {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let output = Command::new(cargo)
        .args(["tree", "--offline", "--package", "mpcd", "--edges", "normal,build", "--prefix", "none", "--format", "{p}"])
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let tree = String::from_utf8(output.stdout).unwrap();
    let packages: std::collections::BTreeSet<&str> = tree.lines().filter_map(|line| line.split(' ').next()).collect();
    assert!(packages.contains("mpcd") && packages.len() < 200, "{} packages: {packages:?}", packages.len());
    for heavy in ["gimli", "icu_segmenter", "regex-automata", "fearless_simd", "rust-hdf5", "clarabel"] {
        assert!(
            !packages.contains(heavy),
            "`{heavy}` is back; `cargo tree -i {heavy}` tells through what, docs/building.md why not"
        );
    }
}

#[test]
fn electrical_and_thermal_never_look_at_shapes() {
    let shapes: Vec<_> =
        edges().into_iter().filter(|(p, d)| d == "mpcd-geometry" && (p == "mpcd-electrical" || p == "mpcd-thermal")).collect();
    assert!(shapes.is_empty(), "{shapes:?}");
}

/// The room of a file below `src`: the first part of its path.
fn room(file: &Path, src: &Path) -> String {
    let inside = file.strip_prefix(src).unwrap().with_extension("");
    inside.components().next().unwrap().as_os_str().to_str().unwrap().to_owned()
}

fn sources(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, out);
        } else if path.extension().is_some_and(|e| e == "rs") && path.file_stem().is_none_or(|s| s != "tests") {
            out.push(path);
        }
    }
}

/// What a file names right after `crate::`, tests left aside.
fn named(text: &str) -> Vec<String> {
    let text = text.split("#[cfg(test)]\nmod tests").next().unwrap();
    let code: String = text.lines().map(|line| line.split("//").next().unwrap().to_owned() + "\n").collect();
    let mut out = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        let rest = &code[at + "crate::".len()..];
        let word = |s: &str| s.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
        let Some(list) = rest.strip_prefix('{') else {
            out.push(word(rest));
            continue;
        };
        let (mut depth, mut first) = (0, 0);
        for (k, c) in list.char_indices() {
            match c {
                '{' => depth += 1,
                '}' if depth > 0 => depth -= 1,
                ',' | '}' if depth == 0 => {
                    out.push(word(&list[first..k]));
                    first = k + 1;
                    if c == '}' {
                        break;
                    }
                }
                _ => {}
            }
        }
    }
    out
}

/// Rooms of the contact crate from which one comes back to where one was.
#[test]
fn no_rooms_of_the_contact_crate_stand_in_a_circle() {
    let src = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/mpcd-contact/src"));
    let mut files = Vec::new();
    sources(src, &mut files);
    let rooms: BTreeSet<String> = files.iter().map(|file| room(file, src)).filter(|room| room != "lib").collect();
    let mut needs: BTreeMap<&str, BTreeSet<&str>> = rooms.iter().map(|room| (room.as_str(), BTreeSet::new())).collect();
    for file in &files {
        let own = room(file, src);
        let Some(own) = rooms.get(&own) else { continue };
        let others = named(&std::fs::read_to_string(file).unwrap());
        let others = others.iter().filter(|other| *other != own).filter_map(|other| rooms.get(other));
        needs.get_mut(own.as_str()).unwrap().extend(others.map(String::as_str));
    }
    assert!(needs["dynamics"].contains("assemble") && needs["assemble"].contains("law"), "{needs:?}");
    // those that need nothing that is left stand below the others
    while let Some(lowest) = needs.iter().find(|(_, needs)| needs.is_empty()).map(|(room, _)| *room) {
        needs.remove(lowest);
        needs.values_mut().for_each(|of| {
            of.remove(lowest);
        });
    }
    assert!(needs.is_empty(), "in a circle or above one: {needs:?}");
}
