//! The MATRIX group of FCLIB: m, n, nz, nzmax, p, i, x, in three encodings. Decoding to entries and encoding.

use crate::error::FclibError;
use crate::file::Reader;

/// `(row, column, value)`, or `(major, minor, value)` of a compressed matrix.
type Entry = (usize, usize, f64);

/// A matrix as it is stored: shape and entries `(row, column, value)`; duplicates are to be summed.
pub(crate) struct RawMatrix {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) entries: Vec<Entry>,
}

/// Reads a MATRIX group.
///
/// Triplets have i = row, p = column (the comment in fclib.h says the contrary; no file follows it); a rectangular
/// matrix whose indices only fit the other way round is read that way. `nzmax` is never used as a length.
pub(crate) fn read_matrix(file: &Reader, group: &str) -> Result<RawMatrix, FclibError> {
    let name = |what: &str| format!("{group}/{what}");
    let (rows, columns) = (file.count(&name("m"))?, file.count(&name("n"))?);
    let nz = file.integer(&name("nz"))?;
    let index = |what: &str| -> Result<Vec<usize>, FclibError> {
        let values = file.integers(&name(what))?;
        values.iter().map(|&v| usize::try_from(v).map_err(|_| file.fail(&name(what), format!("negative index {v}")))).collect()
    };
    let (p, i, x) = (index("p")?, index("i")?, file.reals(&name("x"))?);
    let fail = |what: &str, reason: String| Err(file.fail(&name(what), reason));
    let entries = match nz {
        0.. => {
            let count = nz as usize;
            for (what, length) in [("p", p.len()), ("i", i.len()), ("x", x.len())] {
                if length < count {
                    return fail(what, format!("has {length} entries, nz says {count}"));
                }
            }
            let fits = |row: &[usize], column: &[usize]| row.iter().all(|&r| r < rows) && column.iter().all(|&c| c < columns);
            let (p, i) = (&p[..count], &i[..count]);
            let (row, column) = if !fits(i, p) && fits(p, i) { (p, i) } else { (i, p) };
            if !fits(row, column) {
                return fail("i", format!("an index is outside a {rows} × {columns} matrix"));
            }
            (0..count).map(|k| (row[k], column[k], x[k])).collect()
        }
        -1 => compressed(columns, rows, &p, &i, &x)
            .map_err(|(what, reason)| file.fail(&name(what), reason))?
            .into_iter()
            .map(|(column, row, value)| (row, column, value))
            .collect(),
        -2 => compressed(rows, columns, &p, &i, &x).map_err(|(what, reason)| file.fail(&name(what), reason))?,
        other => return fail("nz", format!("is {other}; expected a count, -1 (columns) or -2 (rows)")),
    };
    Ok(RawMatrix { rows, columns, entries })
}

/// Entries `(major, minor, value)` of a compressed matrix.
fn compressed(
    major: usize,
    minor: usize,
    starts: &[usize],
    index: &[usize],
    values: &[f64],
) -> Result<Vec<Entry>, (&'static str, String)> {
    if starts.len() <= major {
        return Err(("p", format!("has {} entries, expected {}", starts.len(), major.saturating_add(1))));
    }
    let starts = &starts[..=major];
    if starts.windows(2).any(|w| w[0] > w[1]) || starts[0] != 0 {
        return Err(("p", "does not start at 0 or is not ascending".into()));
    }
    let count = starts[major];
    if index.len() < count || values.len() < count {
        return Err(("i", format!("i and x have {} and {} entries, p needs {count}", index.len(), values.len())));
    }
    if let Some(bad) = index[..count].iter().find(|&&k| k >= minor) {
        return Err(("i", format!("index {bad} is not below {minor}")));
    }
    Ok((0..major).flat_map(|a| (starts[a]..starts[a + 1]).map(move |k| (a, index[k], values[k]))).collect())
}

/// The arrays of a MATRIX group.
pub(crate) struct Encoded {
    pub(crate) m: i32,
    pub(crate) n: i32,
    pub(crate) nz: i32,
    pub(crate) p: Vec<i32>,
    pub(crate) i: Vec<i32>,
    pub(crate) x: Vec<f64>,
}

/// Compressed rows (nz = −2), from entries sorted by row; `None` when 32-bit indices are too short.
pub(crate) fn encode_rows(rows: usize, columns: usize, entries: &[Entry]) -> Option<Encoded> {
    let mut p = vec![0_i32; rows + 1];
    for &(row, _, _) in entries {
        p[row + 1] = p[row + 1].checked_add(1)?;
    }
    for row in 0..rows {
        p[row + 1] = p[row + 1].checked_add(p[row])?;
    }
    let i = entries.iter().map(|e| i32::try_from(e.1).ok()).collect::<Option<_>>()?;
    let x = entries.iter().map(|e| e.2).collect();
    Some(Encoded { m: i32::try_from(rows).ok()?, n: i32::try_from(columns).ok()?, nz: -2, p, i, x })
}

/// Triplets: i = row, p = column; `None` when 32-bit indices are too short.
pub(crate) fn encode_triplets(rows: usize, columns: usize, entries: &[Entry]) -> Option<Encoded> {
    Some(Encoded {
        m: i32::try_from(rows).ok()?,
        n: i32::try_from(columns).ok()?,
        nz: i32::try_from(entries.len()).ok()?,
        p: entries.iter().map(|e| i32::try_from(e.1).ok()).collect::<Option<_>>()?,
        i: entries.iter().map(|e| i32::try_from(e.0).ok()).collect::<Option<_>>()?,
        x: entries.iter().map(|e| e.2).collect(),
    })
}
