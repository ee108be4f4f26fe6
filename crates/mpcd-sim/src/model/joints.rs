//! The section `joints`: which bodies are joined, by group and number. What a joint means is read by the contact module.

use std::{collections::BTreeMap, sync::Arc};

use mpcd_core::{
    BodyId, Fragment, InputError, Setup,
    setup::{Joint, split_part},
};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    errors::Collect,
    materials::entries,
    piece::{Open, Piece, Word},
};
use crate::scan::Kind;

/// A joint: of two bodies, of a body and the ground, or of each body of a group with the next. A body is the name of a group that has one
/// body, or `("group", 3)`, the body number 3 (from 0) of that group. `"group.side"` is the mean of a named part of a mesh.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JointSection {
    /// Two bodies.
    #[schemars(with = "Option<(String, String)>")]
    pub(super) between: Option<(Piece, Piece)>,
    /// A body that is joined to the ground.
    #[schemars(with = "Option<String>")]
    pub(super) to_ground: Option<Piece>,
    /// A group of which each body is joined to the next.
    pub(super) chain: Option<Word>,
    /// A name: force, moment and work of the joint become columns of `history.csv`; those of a chain are numbered from 0.
    pub(super) name: Option<Word>,
    /// The joint, such as `Pin(at: (0, 1))`, `Weld`, `Rod`, `Wire(length: 2)`, `Spring(stiffness: 100)`.
    #[schemars(with = "Open")]
    pub(super) joint: Piece,
    /// What it conducts as long as it holds, in tension and compression: `(electrical: "40 S", thermal: "2 W/K")`. Default: nothing.
    #[schemars(with = "Option<Conducts>")]
    pub(super) conducts: Option<Piece>,
}

/// What a joint conducts; each part belongs to a module.
enum Conducts {}

impl JsonSchema for Conducts {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "conducts".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"type": "object", "x-noun": "(part: conductance, …)"})
    }
}

/// A body by group and number.
#[derive(Debug, Clone)]
struct BodyName {
    group: String,
    number: Option<usize>,
    place: Fragment,
}

/// Which bodies a joint joins.
#[derive(Debug, Clone)]
enum Ends {
    Pair(BodyName, BodyName),
    Ground(BodyName),
    Chain(BodyName),
}

/// An item of the section `joints`.
#[derive(Debug, Clone)]
pub struct JointEntry {
    ends: Ends,
    joint: Fragment,
    name: Option<(String, Fragment)>,
    /// Keys and values of what it conducts.
    conducts: Vec<(Fragment, Fragment)>,
}

impl BodyName {
    fn read(piece: Piece, source: &Arc<str>) -> Result<Self, InputError> {
        let place = piece.of(source);
        let (group, number) = if place.text().starts_with('(') {
            let (group, number) = place.parse::<(String, usize)>()?;
            (group, Some(number))
        } else {
            (place.parse::<String>()?, None)
        };
        Ok(Self { group, number, place })
    }

    fn group_of(&self, setup: &Setup) -> Result<Vec<BodyId>, InputError> {
        setup.bodies_of(&self.group).map_err(|e| e.within(&self.place))
    }

    /// The body, and the part of its mesh that is named.
    fn find(&self, setup: &Setup) -> Result<(BodyId, Option<String>), InputError> {
        let (group, part) = split_part(&self.group, |name| setup.groups.find(name).is_some());
        let bodies = setup.bodies_of(group).map_err(|e| e.within(&self.place))?;
        let found = |body: BodyId| Ok((body, part.map(str::to_owned)));
        let error = match (self.number, bodies.as_slice()) {
            (None, [only]) => return found(*only),
            (None, _) => format!("the group `{group}` has {} bodies; expected one, or a number", bodies.len()),
            (Some(number), _) => match bodies.get(number) {
                Some(body) => return found(*body),
                None => format!("the group `{group}` has {} bodies, so there is no number {number}", bodies.len()),
            },
        };
        Err(InputError::new(error).help(format!("write (\"{}\", 0) for the first", self.group)).span(self.place.span()))
    }
}

/// Reads the items of the section.
pub(super) fn read(items: &[Fragment], errors: &mut Collect) -> Vec<JointEntry> {
    let read = |item: &Fragment| {
        let read = entry(item, errors);
        errors.keep(read)
    };
    items.iter().filter_map(read).collect()
}

fn entry(item: &Fragment, errors: &mut Collect) -> Result<JointEntry, InputError> {
    let section: JointSection = item.parse()?;
    let source = item.source();
    let ends = match (section.between, section.to_ground, section.chain) {
        (Some((a, b)), None, None) => Ends::Pair(BodyName::read(a, source)?, BodyName::read(b, source)?),
        (None, Some(body), None) => Ends::Ground(BodyName::read(body, source)?),
        (None, None, Some(group)) => Ends::Chain(BodyName { group: group.text, number: None, place: group.piece.of(source) }),
        _ => {
            return Err(InputError::new("a joint needs one of `between` (two bodies), `to_ground` (one) and `chain` (a group)")
                .help("write for example `between: (\"a\", \"b\"), joint: Pin(at: (0, 0))`")
                .within(item));
        }
    };
    let name = section.name.map(|word| (word.text.clone(), word.piece.of(source)));
    let conducts = section.conducts.map_or_else(Vec::new, |piece| conducted(&piece.of(source), errors));
    Ok(JointEntry { ends, joint: section.joint.of(source), name, conducts })
}

/// Keys and values of what a joint conducts.
fn conducted(section: &Fragment, errors: &mut Collect) -> Vec<(Fragment, Fragment)> {
    let found = entries(section, Kind::Struct, "what a joint conducts is written `(electrical: \"40 S\")`", errors);
    for (i, (key, _)) in found.iter().enumerate() {
        if found[..i].iter().any(|(other, _)| other.text() == key.text()) {
            errors.push(InputError::new(format!("`{}` is given twice", key.text())).help("keep one of them").span(key.span()));
        }
    }
    found
}

/// The joints of a set-up whose bodies are known.
/// `known` are the parts that modules of this program let joints conduct, each with a module that reads it; `present` are the modules of the model.
pub(crate) fn build(
    entries: &[JointEntry],
    setup: &Setup,
    (known, present): (&[(&'static str, &'static str)], &[&str]),
    errors: &mut Collect,
) -> Vec<Joint> {
    for (i, entry) in entries.iter().enumerate() {
        let Some((name, place)) = &entry.name else { continue };
        if entries[..i].iter().any(|e| e.name.as_ref().is_some_and(|(other, _)| other == name)) {
            let error = InputError::new(format!("two joints are called `{name}`; expected different names"));
            errors.push(error.help("rename one of them").span(place.span()));
        }
    }
    for (key, _) in entries.iter().flat_map(|e| &e.conducts) {
        errors.keep(check_part(key, known, present));
    }
    entries.iter().filter_map(|e| errors.keep(e.build(setup))).flatten().collect()
}

/// A part that a joint conducts is known, and a module of the model reads it.
fn check_part(key: &Fragment, known: &[(&'static str, &'static str)], present: &[&str]) -> Result<(), InputError> {
    let readers: Vec<&str> = known.iter().filter(|(part, _)| *part == key.text()).map(|(_, module)| *module).collect();
    let Some(first) = readers.first() else {
        let error = InputError::unknown("part that a joint conducts:", key.text(), known.iter().map(|(part, _)| *part));
        return Err(error.span(key.span()));
    };
    if readers.iter().any(|module| present.contains(module)) {
        return Ok(());
    }
    let error = InputError::new(format!("this joint conducts `{}`, but no module in `physics` computes that", key.text()));
    Err(error.help(format!("add `{first}(…)` to `physics`, or remove `{}` from `conducts`", key.text())).span(key.span()))
}

impl JointEntry {
    fn build(&self, setup: &Setup) -> Result<Vec<Joint>, InputError> {
        let name = self.name.as_ref().map(|(name, _)| name.clone());
        let conducts: BTreeMap<_, _> = self.conducts.iter().map(|(key, value)| (key.text().to_owned(), value.clone())).collect();
        let joint = |bodies: (BodyId, Option<BodyId>), parts: [Option<String>; 2], name: Option<String>| Joint {
            bodies,
            parts,
            kind: self.joint.clone(),
            name,
            conducts: conducts.clone(),
        };
        match &self.ends {
            Ends::Ground(body) => {
                let (body, part) = body.find(setup)?;
                Ok(vec![joint((body, None), [part, None], name)])
            }
            Ends::Chain(group) => {
                let numbered = |k: usize| name.as_ref().map(|name| format!("{name}_{k}"));
                let link = |(k, w): (usize, &[BodyId])| joint((w[0], Some(w[1])), [None, None], numbered(k));
                Ok(group.group_of(setup)?.windows(2).enumerate().map(link).collect())
            }
            Ends::Pair(a, b) => {
                let ((first, part), (second, other)) = (a.find(setup)?, b.find(setup)?);
                if first == second {
                    return Err(InputError::new("this joint joins a body to itself; expected two bodies")
                        .help("name another body, or use `to_ground`")
                        .span(b.place.span()));
                }
                Ok(vec![joint((first, Some(second)), [part, other], name)])
            }
        }
    }
}
