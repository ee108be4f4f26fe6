//! The section `materials`: names, densities, and the parts that belong to modules, kept unread with their places.

use std::{borrow::Cow, collections::BTreeMap};

use mpcd_core::{
    Fragment, InputError,
    input::nearest,
    quantity::{Density, Positive, Quantity},
    setup::Material,
};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::{errors::Collect, file::MaterialSection};
use crate::scan::{self, Kind};

/// The section as the manual shows it.
pub(super) enum MaterialsSchema {}

impl JsonSchema for MaterialsSchema {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        "materials".into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "additionalProperties": generator.subschema_for::<MaterialSection>(),
            "x-noun": "{\"name\": (density: …, part: (…), …), …}; each part belongs to a module",
        })
    }
}

/// Reads the section, material by material.
pub(super) fn read(section: &Fragment, errors: &mut Collect) -> Vec<Material> {
    let mut out: Vec<Material> = Vec::new();
    for (key, value) in entries(section, Kind::Map, "materials are written `{\"name\": (density: …), …}`", errors) {
        let quoted = section.source().as_bytes().get(key.span().start.wrapping_sub(1)) == Some(&b'"');
        if !quoted || key.text().is_empty() {
            errors.push(
                InputError::new("expected the name of a material in quotes")
                    .help("write `\"steel\": (density: …)`")
                    .span(key.span()),
            );
        }
        let name = key.text().to_owned();
        if out.iter().any(|m| m.name == name) {
            errors.push(
                InputError::new(format!("the material `{name}` is defined twice"))
                    .help("remove or rename one of them")
                    .span(key.span()),
            );
        }
        out.push(material(name, &value, errors));
    }
    out
}

fn material(name: String, section: &Fragment, errors: &mut Collect) -> Material {
    let mut density = None;
    let (mut parts, mut keys) = (BTreeMap::new(), Vec::new());
    for (key, value) in entries(section, Kind::Struct, "a material is written `(density: …, part: (…), …)`", errors) {
        keys.push(key.clone());
        if key.text() == "density" && density.is_none() {
            let read = value
                .parse::<Quantity<Density, Positive>>()
                .and_then(|d| within_reach("density", "kg/m³", d.si(), &value).map(|()| d));
            density = Some(errors.keep(read).map_or(f64::NAN, |d| d.si()));
        } else if key.text() == "density" || parts.insert(key.text().to_owned(), value).is_some() {
            errors.push(InputError::new(format!("`{}` is given twice", key.text())).help("keep one of them").span(key.span()));
        }
    }
    if density.is_none() {
        let missing = InputError::new(format!("the material `{name}` has no `density`"));
        let misspelt = keys.iter().find(|key| nearest(key.text(), ["density"].into_iter()).is_some());
        errors.push(match misspelt {
            Some(key) => missing.help(format!("`{}`: did you mean `density`?", key.text())).span(key.span()),
            None => missing
                .help("add `density: 7800` (in kg/m³, or with a unit in quotes)")
                .span(section.span().start..section.span().start + 1),
        });
    }
    Material { name, density: density.unwrap_or(f64::NAN), parts }
}

/// Masses and densities whose squares and quotients are numbers: beyond, bodies would move as if they met nothing.
const REACH: [f64; 2] = [1e-60, 1e60];

/// Refuses a mass or a density that cannot be computed with.
pub(super) fn within_reach(what: &str, unit: &str, value: f64, place: &Fragment) -> Result<(), InputError> {
    let [least, most] = REACH;
    if (least..=most).contains(&value) {
        return Ok(());
    }
    Err(InputError::new(format!("a {what} of {value:e} {unit} cannot be computed with"))
        .help(format!("expected one between {least:e} and {most:e}; to hold a body still, give it `load: Fixed`"))
        .span(place.span()))
}

/// Keys and values of a struct or map, unread.
pub(super) fn entries(section: &Fragment, kind: Kind, expected: &str, errors: &mut Collect) -> Vec<(Fragment, Fragment)> {
    let source = section.source();
    let found = scan::container(source, section.span());
    if found.kind != kind || !section.name().is_empty() {
        errors.push(InputError::new(format!("expected another form here; {expected}")).span(section.name_span()));
        return Vec::new();
    }
    let fragment = |range: &std::ops::Range<usize>| Fragment::new(source.clone(), range.clone());
    found.items.iter().filter_map(|i| Some((fragment(i.key.as_ref()?), fragment(&i.value)))).collect()
}
