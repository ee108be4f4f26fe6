//! Names of columns that are made when a model is read.

use std::{
    collections::BTreeSet,
    sync::{Mutex, PoisonError},
};

/// The text for as long as the program runs, once whatever how often it is asked for: names of columns live that long.
pub fn kept(text: String) -> &'static str {
    static KEPT: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut all = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = all.get(text.as_str()) {
        return known;
    }
    let text: &'static str = Box::leak(text.into_boxed_str());
    all.insert(text);
    text
}
