//! PolyData (`.vtp`) and UnstructuredGrid (`.vtu`) as XML with inline base64 and 64-bit headers, number by number into a writer: a file takes no
//! memory beside the data it is made of. No knowledge of where it goes.
//!
//! Two things that readers need and other writers leave out: the counts of points and cells where they are 0 (VTK refuses a piece without them), and
//! the time, as `TimeValue` of the field data.

use std::io::{self, Write};

use super::escape;
use crate::data::{Array, Mesh, PointSet, Polys, Topology, Values};

/// Bytes that are packed at a time: whole groups of three.
const PACK: usize = 3 * 1024;

/// Points, each with a vertex cell so that ParaView shows them.
pub(super) fn points(out: &mut dyn Write, set: &PointSet, time: f64) -> io::Result<()> {
    let n = set.points.len();
    begin(out, "PolyData", time, [("NumberOfPoints", n), ("NumberOfVerts", n), ("NumberOfCells", 0)])?;
    section(out, "PointData", &set.arrays)?;
    coordinates(out, &set.points)?;
    out.write_all(b"<Verts>")?;
    numbers(out, "connectivity", 1, || (0..n).map(|i| i as u64))?;
    numbers(out, "offsets", 1, || (0..n).map(|i| i as u64 + 1))?;
    out.write_all(b"</Verts>")?;
    end(out, "PolyData")
}

/// Lines and polygons.
pub(super) fn polys(out: &mut dyn Write, polys: &Polys, time: f64) -> io::Result<()> {
    let counts =
        [("NumberOfPoints", polys.points.len()), ("NumberOfLines", polys.lines.len()), ("NumberOfPolys", polys.polygons.len())];
    begin(out, "PolyData", time, counts.into_iter().chain([("NumberOfCells", 0)]))?;
    section(out, "PointData", &polys.point_arrays)?;
    section(out, "CellData", &polys.cell_arrays)?;
    coordinates(out, &polys.points)?;
    for (name, cells) in [("Lines", &polys.lines), ("Polys", &polys.polygons)] {
        write!(out, "<{name}>")?;
        topology(out, cells)?;
        write!(out, "</{name}>")?;
    }
    end(out, "PolyData")
}

/// A mesh.
pub(super) fn mesh(out: &mut dyn Write, mesh: &Mesh, time: f64) -> io::Result<()> {
    begin(out, "UnstructuredGrid", time, [("NumberOfPoints", mesh.points.len()), ("NumberOfCells", mesh.types.len())])?;
    section(out, "PointData", &mesh.point_arrays)?;
    section(out, "CellData", &mesh.cell_arrays)?;
    coordinates(out, &mesh.points)?;
    out.write_all(b"<Cells>")?;
    topology(out, &mesh.cells)?;
    numbers(out, "types", 1, || mesh.types.iter().map(|kind| kind.to_vtk()))?;
    out.write_all(b"</Cells>")?;
    end(out, "UnstructuredGrid")
}

/// Opens the file and its piece; counts that are 0 are left out, but for points and cells, which then stand last.
fn begin(out: &mut dyn Write, kind: &str, time: f64, counts: impl IntoIterator<Item = (&'static str, usize)>) -> io::Result<()> {
    write!(
        out,
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"{kind}\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\"><{kind}>\
         <FieldData><DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">{time:?}</DataArray></FieldData>\
         <Piece"
    )?;
    let mut empty = Vec::new();
    for (name, count) in counts {
        match count {
            0 if matches!(name, "NumberOfPoints" | "NumberOfCells") => empty.push(name),
            0 => {}
            count => write!(out, " {name}=\"{count}\"")?,
        }
    }
    for name in empty {
        write!(out, " {name}=\"0\"")?;
    }
    out.write_all(b">")
}

fn end(out: &mut dyn Write, kind: &str) -> io::Result<()> {
    write!(out, "</Piece></{kind}></VTKFile>")
}

/// The arrays of `PointData` or `CellData`; nothing where there is none.
fn section(out: &mut dyn Write, name: &str, arrays: &[Array]) -> io::Result<()> {
    if arrays.is_empty() {
        return Ok(());
    }
    write!(out, "<{name}>")?;
    for array in arrays {
        let (name, components) = (&array.name, array.components);
        match &array.values {
            Values::F64(v) => numbers(out, name, components, || v.iter().copied())?,
            Values::I64(v) => numbers(out, name, components, || v.iter().copied())?,
            Values::I32(v) => numbers(out, name, components, || v.iter().copied())?,
            Values::U8(v) => numbers(out, name, components, || v.iter().copied())?,
        }
    }
    write!(out, "</{name}>")
}

fn coordinates(out: &mut dyn Write, points: &[[f64; 3]]) -> io::Result<()> {
    out.write_all(b"<Points>")?;
    numbers(out, "Points", 3, || points.as_flattened().iter().copied())?;
    out.write_all(b"</Points>")
}

fn topology(out: &mut dyn Write, cells: &Topology) -> io::Result<()> {
    numbers(out, "connectivity", 1, || cells.connectivity().iter().copied())?;
    numbers(out, "offsets", 1, || cells.ends().iter().copied())
}

/// What an array can hold.
trait Number: Copy {
    /// VTK's name of the type.
    const KIND: &'static str;
    /// As bytes, the lowest first.
    type Bytes: AsRef<[u8]>;
    fn bytes(self) -> Self::Bytes;
    fn value(self) -> f64;
}

macro_rules! number {
    ($($of:ty: $kind:literal),*) => {
        $(impl Number for $of {
            const KIND: &'static str = $kind;
            type Bytes = [u8; size_of::<$of>()];
            fn bytes(self) -> Self::Bytes {
                self.to_le_bytes()
            }
            #[allow(clippy::cast_precision_loss, clippy::cast_lossless, reason = "ranges are for the eye")]
            fn value(self) -> f64 {
                self as f64
            }
        })*
    };
}

number!(f64: "Float64", i64: "Int64", u64: "UInt64", i32: "Int32", u8: "UInt8");

/// One array: its tag with the range of its numbers, then their length in bytes and themselves, in base64.
fn numbers<T: Number, I: ExactSizeIterator<Item = T>>(
    out: &mut dyn Write,
    name: &str,
    components: usize,
    values: impl Fn() -> I,
) -> io::Result<()> {
    write!(out, "<DataArray type=\"{}\" Name=\"{}\"", T::KIND, escape(name))?;
    if components != 1 {
        write!(out, " NumberOfComponents=\"{components}\"")?;
    }
    out.write_all(b" format=\"binary\"")?;
    let wider = |range: Option<[f64; 2]>, x: f64| Some(range.map_or([x; 2], |[least, most]| [least.min(x), most.max(x)]));
    if let Some([least, most]) = values().map(T::value).fold(None, wider) {
        write!(out, " RangeMin=\"{least}\" RangeMax=\"{most}\"")?;
    }
    out.write_all(b">")?;
    let all = values();
    let mut bytes = Vec::with_capacity(PACK + 16);
    let mut text = Vec::with_capacity(PACK / 3 * 4 + 24);
    bytes.extend_from_slice(&((all.len() * size_of::<T>()) as u64).to_le_bytes());
    for number in all {
        bytes.extend_from_slice(number.bytes().as_ref());
        if bytes.len() >= PACK {
            pack(&bytes[..PACK], &mut text);
            out.write_all(&text)?;
            bytes.drain(..PACK);
        }
    }
    pack(&bytes, &mut text);
    out.write_all(&text)?;
    out.write_all(b"</DataArray>")
}

/// Base64 (RFC 4648) with padding.
fn pack(bytes: &[u8], text: &mut Vec<u8>) {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    text.clear();
    let digits = |group: [u8; 3]| {
        let bits = u32::from_be_bytes([0, group[0], group[1], group[2]]);
        [18, 12, 6, 0].map(|shift| DIGITS[(bits >> shift) as usize & 63])
    };
    let (groups, rest) = bytes.as_chunks::<3>();
    text.extend(groups.iter().flat_map(|group| digits(*group)));
    match *rest {
        [a] => text.extend_from_slice(&[digits([a, 0, 0])[0], digits([a, 0, 0])[1], b'=', b'=']),
        [a, b] => {
            text.extend_from_slice(&digits([a, b, 0])[..3]);
            text.push(b'=');
        }
        _ => {}
    }
}
