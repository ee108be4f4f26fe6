//! `mpcd doc` and `mpcd schema`: the reference manual, generated from the types. Nothing is written twice.

use std::fmt::Write as _;

use mpcd_contact::{LawRegistry, SmoothLawRegistry, joint_schemas, load_schemas};
use mpcd_core::input::nearest;
use mpcd_electrical::ConductanceLaws;
use mpcd_fem::SolidLaws;
use mpcd_geometry::ShapeRegistry;
use mpcd_sim::Registry;
use mpcd_thermal::ConductionLaws;
use serde_json::{Map, Value};

/// One thing that can be named in a model.
pub(super) struct Entry {
    name: String,
    kind: &'static str,
    schema: Value,
}

/// Everything a model may name, in the order of the manual.
pub(super) fn entries(registry: &Registry) -> Vec<Entry> {
    let entry = |kind, name: &str, schema: schemars::Schema| Entry { name: name.to_owned(), kind, schema: schema.to_value() };
    let mut out = vec![entry("the model file", "model", mpcd_sim::model::schema())];
    out.extend(registry.physics().iter().map(|p| entry("physics module", p.name, (p.schema)())));
    out.extend(registry.material_parts().iter().map(|p| entry("material part", p.name, (p.schema)())));
    if let Some(laws) = registry.part::<LawRegistry>() {
        out.extend(laws.schemas().map(|(name, schema)| entry("contact law", name, schema)));
    }
    if let Some(laws) = registry.part::<SmoothLawRegistry>() {
        out.extend(laws.schemas().map(|(name, schema)| entry("smooth contact law", name, schema)));
    }
    if let Some(laws) = registry.part::<ConductanceLaws>() {
        out.extend(laws.schemas().map(|(name, schema)| entry(laws.kind(), name, schema)));
    }
    if let Some(laws) = registry.part::<ConductionLaws>() {
        out.extend(laws.schemas().map(|(name, schema)| entry(laws.kind(), name, schema)));
    }
    if let Some(laws) = registry.part::<SolidLaws>() {
        out.extend(laws.schemas().map(|(name, schema)| entry(laws.kind(), name, schema)));
    }
    out.extend(load_schemas().into_iter().map(|(name, schema)| entry("load", name, schema)));
    out.extend(joint_schemas().into_iter().map(|(name, schema)| entry("joint", name, schema)));
    if let Some(shapes) = registry.part::<ShapeRegistry>() {
        out.extend(shapes.schemas().map(|(name, schema)| entry("shape", name, schema)));
    }
    out.push(entry("body of a packing", "Grain", schemars::schema_for!(mpcd_sim::model::GrainKind)));
    out.extend(mpcd_sim::model::PACKING_ENTRIES.iter().map(|p| entry("packing", p.name, (p.schema)())));
    out
}

/// The manual page of everything called `name` (case does not matter; a material part shares its name with its module), or the list of names.
pub(super) fn page(registry: &Registry, name: Option<&str>) -> Result<String, String> {
    let entries = entries(registry);
    let Some(name) = name else {
        let mut out = String::from("Things a model can name. `mpcd doc NAME` shows the parameters of one.\n");
        for e in &entries {
            let _ = write!(out, "\n  {:<16} {}", e.name, e.kind);
        }
        return Ok(out);
    };
    let found: Vec<_> = entries.iter().filter(|e| e.name.eq_ignore_ascii_case(name)).collect();
    if found.is_empty() {
        let within = choices(&entries, name);
        if !within.is_empty() {
            return Ok(within.join("\n\n"));
        }
        let near = nearest(name, entries.iter().map(|e| e.name.as_str())).map(|n| format!("did you mean `{n}`? "));
        return Err(format!("nothing is called `{name}`; {}`mpcd doc` lists all names", near.unwrap_or_default()));
    }
    Ok(found.iter().map(|e| describe(e)).collect::<Vec<_>>().join("\n\n"))
}

/// What a key of a thing may be set to by this name, such as `Uniform` sizes of a packing: once each, with the things that have such a key.
fn choices(entries: &[Entry], name: &str) -> Vec<String> {
    let mut found: Vec<(String, Vec<&str>)> = Vec::new();
    for entry in entries {
        let mut told = Vec::new();
        variants(&entry.schema, &entry.schema, name, &mut told);
        for text in told {
            match found.iter_mut().find(|(known, _)| *known == text) {
                Some((_, of)) if of.contains(&entry.name.as_str()) => {}
                Some((_, of)) => of.push(&entry.name),
                None => found.push((text, vec![&entry.name])),
            }
        }
    }
    let told = |(text, of): (String, Vec<&str>)| {
        let (head, rest) = text.split_at(text.find('\n').unwrap_or(text.len()));
        format!("{head} (in {}){rest}", of.join(", "))
    };
    found.into_iter().map(told).collect()
}

/// Texts of the variants of this name anywhere in a schema.
fn variants(root: &Value, schema: &Value, name: &str, out: &mut Vec<String>) {
    match schema {
        Value::Object(map) => {
            // forms of a number that changes with time, told together
            let noun = map.get("x-noun").and_then(Value::as_str).unwrap_or_default();
            let begins = |form: &str| form.trim_start().split_once('(').is_some_and(|(own, _)| own.eq_ignore_ascii_case(name));
            let text = format!("{name}\n  One of: {noun}.");
            if noun.split(", ").any(begins) && !out.contains(&text) {
                out.push(text);
            }
            for variant in map.get("oneOf").and_then(Value::as_array).into_iter().flatten() {
                let of_map = variant["properties"].as_object().and_then(|p| p.keys().next().cloned());
                let Some(own) =
                    variant["const"].as_str().map(str::to_owned).or(of_map).filter(|own| own.eq_ignore_ascii_case(name))
                else {
                    continue;
                };
                let mut text = own.clone();
                if let Some(told) = variant["description"].as_str() {
                    let _ = write!(text, "\n{}", indent(told, 2));
                }
                nested(root, &variant["properties"][&own], 2, &mut text);
                if !out.contains(&text) {
                    out.push(text);
                }
            }
            map.values().for_each(|value| variants(root, value, name, out));
        }
        Value::Array(values) => values.iter().for_each(|value| variants(root, value, name, out)),
        _ => {}
    }
}

/// The whole schema, for editors.
pub(super) fn schema(registry: &Registry) -> String {
    let mut open = Map::new();
    for e in entries(registry).into_iter().skip(1) {
        open.entry(e.kind.to_owned()).or_insert_with(|| Value::Object(Map::new()))[&e.name] = e.schema;
    }
    let mut root = mpcd_sim::model::schema().to_value();
    root["x-open"] = Value::Object(open);
    serde_json::to_string_pretty(&root).unwrap_or_default()
}

fn describe(entry: &Entry) -> String {
    let mut out = format!("{} ({})", entry.name, entry.kind);
    if let Some(text) = entry.schema["description"].as_str() {
        let _ = write!(out, "\n{}", indent(text, 2));
    }
    keys(&entry.schema, &entry.schema, 2, &mut out);
    out
}

/// Lists the keys of an object schema, following references into nested objects and enums.
fn keys(root: &Value, schema: &Value, depth: usize, out: &mut String) {
    if depth > 14 {
        return;
    }
    let schema = resolve(root, schema);
    let pad = " ".repeat(depth);
    if let Some(properties) = schema["properties"].as_object() {
        let required: Vec<_> = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        for (key, value) in properties {
            let _ = write!(out, "\n{pad}{key}: {}", type_words(root, value));
            if !required.contains(&key.as_str()) {
                out.push_str(
                    &value
                        .get("default")
                        .filter(|d| !d.is_null())
                        .map_or_else(|| " (optional)".to_owned(), |d| format!(" (default {d})")),
                );
            }
            if let Some(text) = value["description"].as_str() {
                let _ = write!(out, "\n{}", indent(text, depth + 4));
            }
            nested(root, value, depth + 4, out);
        }
    }
    for variant in schema["oneOf"].as_array().into_iter().flatten() {
        let name = variant["const"]
            .as_str()
            .map(str::to_owned)
            .or_else(|| variant["properties"].as_object().and_then(|p| p.keys().next().cloned()));
        if let Some(name) = name {
            let _ = write!(out, "\n{pad}{name}");
            if let Some(text) = variant["description"].as_str() {
                let _ = write!(out, ": {}", text.replace('\n', " "));
            }
            nested(root, &variant["properties"][&name], depth + 4, out);
        }
    }
}

/// Goes into a value's own object, enum, list item or option.
fn nested(root: &Value, value: &Value, depth: usize, out: &mut String) {
    let inner = resolve(root, value);
    if inner.get("x-noun").is_some() {
        return;
    }
    if inner.get("properties").is_some() || inner.get("oneOf").is_some() {
        keys(root, inner, depth, out);
    } else if let Some(items) = inner.get("items") {
        nested(root, items, depth, out);
    } else {
        for option in inner["anyOf"].as_array().into_iter().flatten().filter(|o| o["type"] != "null") {
            nested(root, option, depth, out);
        }
    }
}

fn resolve<'a>(root: &'a Value, schema: &'a Value) -> &'a Value {
    schema["$ref"].as_str().and_then(|r| r.strip_prefix('#')).and_then(|pointer| root.pointer(pointer)).unwrap_or(schema)
}

fn type_words(root: &Value, value: &Value) -> String {
    let inner = resolve(root, value);
    if let Some(noun) = inner["x-noun"].as_str() {
        let unit = inner["x-unit"].as_str().map(|u| format!(" [{u}]")).unwrap_or_default();
        let range = inner["x-range"].as_str().filter(|r| *r != "finite").map(|r| format!(", {r}")).unwrap_or_default();
        return format!("{noun}{unit}{range}");
    }
    if let Some(words) = tuple_words(root, inner) {
        return words;
    }
    if let Some(items) = inner.get("items") {
        return format!("list of {}", type_words(root, items));
    }
    if let Some(options) = inner["anyOf"].as_array() {
        let words: Vec<_> = options.iter().filter(|o| o["type"] != "null").map(|o| type_words(root, o)).collect();
        return words.join(" or ");
    }
    if inner.get("oneOf").is_some() {
        return "one of".to_owned();
    }
    if let Some(options) = inner["enum"].as_array() {
        return options.iter().map(Value::to_string).collect::<Vec<_>>().join(" | ");
    }
    match &inner["type"] {
        Value::String(t) => t.clone(),
        Value::Array(types) => types.iter().filter_map(Value::as_str).filter(|t| *t != "null").collect::<Vec<_>>().join(" or "),
        _ => "value".to_owned(),
    }
}

/// What has so many entries and no other number of them is written in round brackets: `(integer, integer, integer)`.
fn tuple_words(root: &Value, schema: &Value) -> Option<String> {
    let count = schema["minItems"].as_u64().filter(|n| schema["maxItems"].as_u64() == Some(*n))?;
    let words: Vec<_> = match schema["prefixItems"].as_array() {
        Some(entries) => entries.iter().map(|entry| type_words(root, entry)).collect(),
        None => (0..count).map(|_| type_words(root, &schema["items"])).collect(),
    };
    Some(format!("({})", words.join(", ")))
}

fn indent(text: &str, by: usize) -> String {
    text.lines().map(|l| format!("{}{l}", " ".repeat(by))).collect::<Vec<_>>().join("\n")
}
