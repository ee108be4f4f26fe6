//! Reads the sections of a model one by one, so that an error in one does not hide those in the others.

use std::sync::Arc;

use mpcd_core::{
    Dimension, Fragment, InputError, MovingCell, Vec3,
    quantity::{Acceleration, Vector},
    setup::Material,
};
use mpcd_geometry::ShapeRegistry;
use serde::de::DeserializeOwned;

use super::{
    bodies::{self, BodyEntry},
    cell,
    errors::Collect,
    file::{CouplingSection, ModelFile, OnFailure, OutputSection, PeriodicSection, TimeSection},
    files::Files,
    groups::{self, InteractionEntry, LoadEntry},
    joints::{self, JointEntry},
    materials,
    packing::Site,
    piece::Piece,
};

/// The sections of a model, read.
pub(super) struct Parts {
    pub(super) title: Option<String>,
    pub(super) dimension: Dimension,
    pub(super) gravity: Vec3,
    pub(super) periods: [Option<f64>; 3],
    pub(super) cell: Option<MovingCell>,
    pub(super) time: TimeSection,
    pub(super) materials: Vec<Material>,
    pub(super) bodies: Vec<BodyEntry>,
    pub(super) interactions: Vec<InteractionEntry>,
    pub(super) loads: Vec<LoadEntry>,
    pub(super) joints: Vec<JointEntry>,
    pub(super) physics: Vec<Fragment>,
    pub(super) coupling: Option<CouplingSection>,
    pub(super) output: OutputSection,
}

/// Reads the whole model; `None` when so much is wrong that there is no model.
pub(super) fn model(source: &Arc<str>, shapes: &ShapeRegistry, files: &mut Files, errors: &mut Collect) -> Option<Parts> {
    let whole = Fragment::new(source.clone(), 0..source.len());
    let file: ModelFile = errors.keep(whole.parse())?;
    let mut reader = Reader { source, whole: &whole, errors };
    let title = reader.optional(file.title);
    let dimension = reader.dimension(file.dimension);
    let gravity = reader.optional::<Vector<Acceleration>>(file.gravity).unwrap_or_default().si();
    reader.planar(gravity, "gravity", file.gravity, dimension);
    let (periods, cell) = reader.periods(file.periodic, dimension);
    let time = reader.time(file.time);
    let listed = file.materials.map(|p| p.of(source));
    let before = reader.errors.len();
    let materials = listed.map_or_else(Vec::new, |m| materials::read(&m, reader.errors));
    let unread = materials.is_empty() && reader.errors.len() > before;
    let listed = reader.list(file.bodies);
    // Without a dimension every shape would look wrong.
    let mut site = dimension.map(|dimension| Site { dimension, periods, files, shapes });
    let mut read = |item: &Fragment| site.as_mut().and_then(|site| bodies::read(item, site, reader.errors));
    let bodies: Vec<BodyEntry> = listed.iter().filter_map(&mut read).collect();
    if file.bodies.is_none() {
        reader.missing("bodies", "bodies: [(group: \"…\", material: \"…\", shape: …, at: (0, 0))]");
    } else if bodies.is_empty() && reader.errors.is_empty() {
        reader.errors.push(
            InputError::new("the model has no bodies; expected at least one")
                .help("add a body or a packing")
                .at("bodies")
                .within(&whole),
        );
    }
    // A section that could not be read at all would make every material look unknown.
    if !unread {
        groups::check_materials(&bodies, &materials, source, reader.errors);
    }
    // A body that could not be read would make its group look unknown.
    let known = (bodies.len() == listed.len()).then(|| groups::Known::of(&bodies));
    let interactions = groups::interactions(&reader.list(file.interactions), known.as_ref(), reader.errors);
    let loads = groups::loads(&reader.list(file.loads), known.as_ref(), reader.errors);
    let joints = joints::read(&reader.list(file.joints), reader.errors);
    if file.physics.is_none() {
        reader.missing("physics", "physics: [Contact(…)]");
    }
    let physics = reader.list(file.physics);
    let coupling = reader.coupling(file.coupling);
    let output = reader.output(file.output);
    Some(Parts {
        title,
        dimension: dimension?,
        gravity,
        periods,
        cell,
        time: time?,
        materials,
        bodies,
        interactions,
        loads,
        joints,
        physics,
        coupling,
        output,
    })
}

struct Reader<'a> {
    source: &'a Arc<str>,
    whole: &'a Fragment,
    errors: &'a mut Collect,
}

impl Reader<'_> {
    fn missing(&mut self, section: &str, example: &str) {
        let end = self.whole.span().end;
        let error = InputError::new(format!("the model has no `{section}`")).help(format!("add `{example}`"));
        self.errors.push(error.span(end.saturating_sub(1)..end));
    }

    fn optional<T: DeserializeOwned>(&mut self, piece: Option<Piece>) -> Option<T> {
        piece.and_then(|p| self.errors.keep(p.of(self.source).parse()))
    }

    /// The items of a list, each still unread.
    fn list(&mut self, piece: Option<Piece>) -> Vec<Fragment> {
        let items: Vec<Piece> = self.optional(piece).unwrap_or_default();
        items.into_iter().map(|p| p.of(self.source)).collect()
    }

    fn dimension(&mut self, piece: Option<Piece>) -> Option<Dimension> {
        let Some(piece) = piece else {
            self.missing("dimension", "dimension: 2");
            return None;
        };
        let fragment = piece.of(self.source);
        match fragment.text() {
            "2" => Some(Dimension::Planar),
            "3" => Some(Dimension::Spatial),
            other => {
                let error = InputError::new(format!("unknown dimension `{other}`; expected 2 or 3"));
                self.errors.push(
                    error
                        .help("write `dimension: 2` for a model in the xy plane, `dimension: 3` for space")
                        .span(fragment.span()),
                );
                None
            }
        }
    }

    fn planar(&mut self, v: Vec3, key: &str, piece: Option<Piece>, dimension: Option<Dimension>) {
        if dimension == Some(Dimension::Planar) && v.z != 0.0 {
            let span = piece.map_or(self.whole.span(), |p| p.of(self.source).span());
            self.errors.push(bodies::out_of_plane(key, v.z).span(span));
        }
    }

    fn periods(&mut self, piece: Option<Piece>, dimension: Option<Dimension>) -> ([Option<f64>; 3], Option<MovingCell>) {
        let section = self.optional::<PeriodicSection>(piece).unwrap_or_default();
        let z = section.z.map_or(0.0, |z| z.si());
        self.planar(Vec3::z() * z, "periodic", piece, dimension);
        let periods = [section.x, section.y, section.z].map(|p| p.map(|p| p.si()));
        let Some(text) = piece.map(|p| p.of(self.source)) else { return (periods, None) };
        let cell = cell::read(section, &periods, dimension, &text);
        (periods, self.errors.keep(cell).flatten())
    }

    fn time(&mut self, piece: Option<Piece>) -> Option<TimeSection> {
        let Some(piece) = piece else {
            self.missing("time", "time: (step: \"1 ms\", end: \"1 s\")");
            return None;
        };
        let fragment = piece.of(self.source);
        let time: TimeSection = self.errors.keep(fragment.parse())?;
        let mut check = |wrong: bool, at: &str, message: String, help: &str| {
            if wrong {
                self.errors.push(InputError::new(message).help(help).at(at).within(&fragment));
            }
        };
        let (step, end) = (time.step.si(), time.end.si());
        check(
            step > end * (1.0 + 1e-9),
            "step",
            format!("the step of {step} s is longer than the run of {end} s; expected a step of at most the run"),
            "make `step` smaller or `end` later",
        );
        check(
            end / step > 1e12,
            "step",
            format!("{:.1e} steps are too many; expected at most 1e12", end / step),
            "make `step` longer",
        );
        if let OnFailure::Halve(times) = time.on_failure {
            let message = format!("a step cannot be halved {times} times; expected 1 to 20");
            check(!(1..=20).contains(&times), "Halve", message, "write for example `on_failure: Halve(4)`");
        }
        if let Some(adapt) = &time.adapt {
            let message = format!("a step cannot be halved {} times; expected 1 to 20", adapt.halvings);
            check(!(1..=20).contains(&adapt.halvings), "halvings", message, "write for example `adapt: (halvings: 10)`");
        }
        Some(time)
    }

    fn coupling(&mut self, piece: Option<Piece>) -> Option<CouplingSection> {
        let fragment = piece?.of(self.source);
        // A bare name stands for its defaults, as in every other slot.
        let read = match fragment.name() {
            "Staggered" => fragment.parse_body().map(CouplingSection::Staggered),
            "Iterated" => fragment.parse_body().map(CouplingSection::Iterated),
            "Serial" => fragment.parse_body().map(CouplingSection::Serial),
            "Monolithic" => fragment.parse_body().map(CouplingSection::Monolithic),
            _ => fragment.parse(),
        };
        let section = self.errors.keep(read)?;
        if section.repetitions() == Some(0) {
            let error = InputError::new("`max_iterations` of `coupling` is 0, so no module would run; expected 1 or more");
            let help = "leave it out for the default, or write `coupling: Staggered` to go through the modules once";
            self.errors.push(error.help(help).at("max_iterations").within(&fragment));
        }
        Some(section)
    }

    fn output(&mut self, piece: Option<Piece>) -> OutputSection {
        let Some(fragment) = piece.map(|p| p.of(self.source)) else { return OutputSection::default() };
        let Some(output) = self.errors.keep(fragment.parse::<OutputSection>()) else { return OutputSection::default() };
        let counts =
            [("every", output.every), ("history_every", output.history_every), ("checkpoint_every", output.checkpoint_every)];
        for (key, _) in counts.iter().filter(|(_, value)| *value == Some(0)) {
            let error = InputError::new(format!("`{key}` is 0; expected a number of steps above zero"));
            self.errors.push(error.help("write 1 for every step").at(*key).within(&fragment));
        }
        if let Some(samples) = output.spread.filter(|n| !(2..=10_000).contains(n)) {
            let error = InputError::new(format!("a spread over {samples} starts; expected 2 to 10,000"));
            self.errors.push(error.help("write for example `spread: 20`").at("spread").within(&fragment));
        }
        if output.every.is_some() && output.interval.is_some() {
            let error = InputError::new("the output has both `every` (steps) and `interval` (time); expected one of them");
            self.errors.push(error.help("remove one of the two").at("interval").within(&fragment));
        }
        output
    }
}
