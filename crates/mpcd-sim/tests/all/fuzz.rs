//! Damaged models and arguments: errors, never a panic, and every error points into the text.

use crate::fakes::{MODEL, parse, registry};
use mpcd_sim::Simulation;
use mpcd_tests::random::cases;
use proptest::prelude::*;

fn read(text: &str, sets: &[&str]) {
    let errors = match parse(text, sets) {
        Ok(model) => Simulation::build(&model, &registry()).map(|_| ()).err(),
        Err(e) => Some(e),
    };
    if let Some(errors) = errors {
        assert!(!errors.errors.is_empty());
        for error in &errors.errors {
            assert!(errors.span(error).is_none_or(|s| s.end <= errors.text.len()));
        }
        assert!(!errors.to_string().is_empty());
    }
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn damaged_models_do_not_panic(at in 0..MODEL.len(), length in 0_usize..40, new in "[\\PC]{0,6}|[(){}\\[\\]\",:/*#r-]{0,4}") {
        let mut text = MODEL.to_owned();
        let end = (at + length).min(text.len());
        if text.is_char_boundary(at) && text.is_char_boundary(end) {
            text.replace_range(at..end, &new);
        }
        read(&text, &[]);
    }

    #[test]
    fn odd_arguments_do_not_panic(argument in "[a-z.\\[\\]0-9\"=(),: ]{0,30}", key in "time|bodies\\[[0-4]\\]|physics\\[1\\]|materials.stone", value in "[\\PC]{0,8}") {
        read(MODEL, &[&argument]);
        read(MODEL, &[&format!("{key}={value}")]);
        read(MODEL, &[&format!("{key}.x={value}"), &format!("{key}.x=1")]);
    }
}
