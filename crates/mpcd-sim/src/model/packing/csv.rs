//! Round bodies from a table of centres and radii.

use mpcd_core::{Dimension, Fragment, InputError, Vec3};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Balls, Files};

/// Centres and radii from a table with the columns x, y, z, r in metres, with or without a header line. A planar model may
/// leave out z.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CsvParams {
    /// File, relative to the folder of the model.
    pub file: String,
}

pub(super) fn read(fragment: &Fragment, dimension: Dimension, files: &mut Files) -> Result<Balls, InputError> {
    let params: CsvParams = fragment.parse_body()?;
    let (shown, bytes) = files.read(&params.file)?;
    let fail = |line: u64, message: String| {
        InputError::new(format!("{shown}:{line}: {message}"))
            .help("each line holds x, y, z, r in metres (a planar model may leave out z)")
            .at(params.file.clone())
    };
    let mut reader =
        csv::ReaderBuilder::new().has_headers(false).flexible(true).comment(Some(b'#')).trim(csv::Trim::All).from_reader(bytes);
    let mut columns: Option<Columns> = None;
    let mut balls = Vec::new();
    for record in reader.records() {
        let record =
            record.map_err(|e| fail(e.position().map_or(0, csv::Position::line), format!("not readable as a table: {e}")))?;
        let line = record.position().map_or(0, csv::Position::line);
        let columns = match &columns {
            Some(known) => known,
            None => {
                let (found, header) = Columns::of(&record, dimension).map_err(|m| fail(line, m))?;
                let found = columns.insert(found);
                if header {
                    continue;
                }
                found
            }
        };
        balls.push(columns.ball(&record, dimension).map_err(|m| fail(line, m))?);
    }
    Ok(balls)
}

/// Where x, y, z, r stand in a line.
struct Columns {
    count: usize,
    places: [Option<usize>; 4],
}

const NAMES: [&str; 4] = ["x", "y", "z", "r"];

impl Columns {
    /// From the first line: a header with names, or the number of cells.
    fn of(first: &csv::StringRecord, dimension: Dimension) -> Result<(Self, bool), String> {
        let planar = dimension == Dimension::Planar;
        let header = first.get(0).is_some_and(|c| c.starts_with(|c: char| c.is_alphabetic()) && c.parse::<f64>().is_err());
        let places = if header {
            NAMES.map(|n| first.iter().position(|c| c == n))
        } else {
            match first.len() {
                4 => [Some(0), Some(1), Some(2), Some(3)],
                3 if planar => [Some(0), Some(1), None, Some(2)],
                n => return Err(format!("{n} cells; expected {}", if planar { "x, y, r or x, y, z, r" } else { "x, y, z, r" })),
            }
        };
        for (name, place) in NAMES.iter().zip(places) {
            if place.is_none() && !(planar && *name == "z") {
                return Err(format!("the header has no column `{name}`; expected x, y, z, r"));
            }
        }
        Ok((Self { count: first.len(), places }, header))
    }

    fn ball(&self, record: &csv::StringRecord, dimension: Dimension) -> Result<(Vec3, f64), String> {
        if record.len() != self.count {
            return Err(format!("{} cells; expected {} as in the lines before", record.len(), self.count));
        }
        let mut values = [0.0; 4];
        for (value, (name, place)) in values.iter_mut().zip(NAMES.iter().zip(self.places)) {
            let Some(cell) = place.and_then(|p| record.get(p)) else { continue };
            *value = cell
                .parse()
                .ok()
                .filter(|v: &f64| v.is_finite())
                .ok_or_else(|| format!("`{name}` is `{cell}`; expected a finite number"))?;
        }
        let [x, y, z, r] = values;
        if r <= 0.0 {
            return Err(format!("the radius is {r}; expected a length above zero"));
        }
        if dimension == Dimension::Planar && z != 0.0 {
            return Err(format!("z is {z}, but the model is planar; expected 0"));
        }
        Ok((Vec3::new(x, y, z), r))
    }
}
