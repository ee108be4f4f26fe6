//! The sections that name groups and materials: interactions and loads, and the check that the names exist.

use std::sync::Arc;

use mpcd_core::{
    Fragment, InputError,
    setup::{Material, split_part},
};

use super::{
    bodies::BodyEntry,
    errors::Collect,
    file::{InteractionSection, LoadSection},
    piece::Word,
};

/// A law between two groups.
#[derive(Debug, Clone)]
pub struct InteractionEntry {
    /// Names of the groups.
    pub between: (String, String),
    /// The law, unread.
    pub law: Fragment,
}

/// A load on a group.
#[derive(Debug, Clone)]
pub struct LoadEntry {
    /// Name of the group.
    pub on: String,
    /// The part of its meshes, as in `group.part`.
    pub part: Option<String>,
    /// The load, unread.
    pub load: Fragment,
}

/// Every body's material must be defined, and every material have a name that is used only once (checked where it is read).
pub(super) fn check_materials(bodies: &[BodyEntry], materials: &[Material], source: &Arc<str>, errors: &mut Collect) {
    let whole = bodies.iter().map(|b| (&b.material.text, b.material.piece.of(source)));
    let of_groups = bodies.iter().flat_map(|b| &b.fillings).map(|f| (&f.material, f.value.clone()));
    for (name, place) in whole.chain(of_groups) {
        if !materials.iter().any(|m| m.name == *name) {
            let error = InputError::unknown("material", name, materials.iter().map(|m| m.name.as_str()));
            errors.push(error.span(place.span()));
        }
    }
}

/// Names of the groups that have bodies.
pub(super) struct Known<'a>(Vec<&'a str>);

impl<'a> Known<'a> {
    pub(super) fn of(bodies: &'a [BodyEntry]) -> Self {
        let mut names: Vec<&str> = Vec::new();
        for name in bodies.iter().map(|b| b.group.text.as_str()) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        Self(names)
    }

    fn check(&self, word: &Word, source: &Arc<str>, errors: &mut Collect) {
        if !self.0.contains(&word.text.as_str()) {
            errors.push(InputError::unknown("group", &word.text, self.0.iter().copied()).span(word.piece.of(source).span()));
        }
    }
}

pub(super) fn interactions(items: &[Fragment], known: Option<&Known<'_>>, errors: &mut Collect) -> Vec<InteractionEntry> {
    let mut out: Vec<InteractionEntry> = Vec::new();
    for item in items {
        let Some(section) = errors.keep(item.parse::<InteractionSection>()) else { continue };
        let (a, b) = &section.between;
        if let Some(known) = known {
            known.check(a, item.source(), errors);
            known.check(b, item.source(), errors);
        }
        let same = |x: &str, y: &str| (x == a.text && y == b.text) || (x == b.text && y == a.text);
        if out.iter().any(|o| same(&o.between.0, &o.between.1)) {
            let error = InputError::new(format!(
                "the interaction between `{}` and `{}` is given twice; expected one law per pair",
                a.text, b.text
            ));
            errors.push(error.help("remove one of the two").at("between").within(item));
        }
        let law = section.law.of(item.source());
        out.push(InteractionEntry { between: (a.text.clone(), b.text.clone()), law });
    }
    out
}

pub(super) fn loads(items: &[Fragment], known: Option<&Known<'_>>, errors: &mut Collect) -> Vec<LoadEntry> {
    let mut out = Vec::new();
    for item in items {
        let Some(section) = errors.keep(item.parse::<LoadSection>()) else { continue };
        let (on, part) = split_part(&section.on.text, |name| known.is_none_or(|known| known.0.contains(&name)));
        let (on, part) = (on.to_owned(), part.map(str::to_owned));
        if let Some(known) = known.filter(|_| part.is_none()) {
            known.check(&section.on, item.source(), errors);
        }
        out.push(LoadEntry { on, part, load: section.load.of(item.source()) });
    }
    out
}
