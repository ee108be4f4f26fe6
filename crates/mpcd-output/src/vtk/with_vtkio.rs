//! PolyData (`.vtp`) and UnstructuredGrid (`.vtu`) through vtkio: inline base64, 64-bit headers.
//!
//! Two things are added to what vtkio 0.7.0-rc2 writes, both by [`Parts`]:
//! - it leaves out `NumberOfPoints` (and `NumberOfCells`) when they are 0, and VTK refuses a piece without them, so
//!   that a frame without contacts could not be read;
//! - it knows no field data, where `TimeValue` belongs.

use std::{
    io::{self, Write},
    ops::Range,
};

use vtkio::model::{
    Attribute, Attributes, ByteOrder, Cells, DataArray, DataSet, IOBuffer, PolyDataPiece, UnstructuredGridPiece, Version,
    VertexNumbers, Vtk,
};
use vtkio::xml::Compressor;

use crate::data::{Array, CellType, Mesh, PointSet, Polys, Topology, Values};

/// Points in a piece of a file. The text of a piece is made several times over before it is written, so that a file of one piece would be the peak of
/// memory of a large run.
const IN_A_PIECE: usize = 1 << 13;

/// Writes points, each with a vertex cell so that ParaView shows them, piece by piece.
pub(super) fn points(set: &PointSet, time: f64, file: &mut dyn Write) -> io::Result<()> {
    let n = set.points.len();
    let pieces = n.div_ceil(IN_A_PIECE).max(1);
    for k in 0..pieces {
        let xml = text(DataSet::inline(piece(set, k * IN_A_PIECE..n.min((k + 1) * IN_A_PIECE)))).map_err(io::Error::other)?;
        let part = Parts::of(&xml).ok_or_else(|| io::Error::other(NO_PIECE))?;
        if k == 0 {
            part.write_head(time, file)?;
        }
        part.write_piece(file)?;
        if k + 1 == pieces {
            file.write_all(part.tail.as_bytes())?;
        }
    }
    Ok(())
}

fn piece(set: &PointSet, rows: Range<usize>) -> PolyDataPiece {
    let n = rows.len() as u64;
    let verts = VertexNumbers::XML { connectivity: (0..n).collect(), offsets: (1..=n).collect() };
    PolyDataPiece {
        points: coordinates(set.points[rows.clone()].to_vec()),
        verts: Some(verts),
        data: Attributes {
            point: attributes(set.arrays.iter().map(|array| array.slice(rows.clone())).collect()),
            cell: Vec::new(),
        },
        ..PolyDataPiece::default()
    }
}

/// Lines and polygons.
pub(super) fn polys(polys: Polys, time: f64) -> Result<Vec<u8>, String> {
    let piece = PolyDataPiece {
        points: coordinates(polys.points),
        lines: Some(vertex_numbers(polys.lines)),
        polys: Some(vertex_numbers(polys.polygons)),
        data: Attributes { point: attributes(polys.point_arrays), cell: attributes(polys.cell_arrays) },
        ..PolyDataPiece::default()
    };
    finish(DataSet::inline(piece), time)
}

/// A mesh.
pub(super) fn mesh(mesh: Mesh, time: f64) -> Result<Vec<u8>, String> {
    let piece = UnstructuredGridPiece {
        points: coordinates(mesh.points),
        cells: Cells { cell_verts: vertex_numbers(mesh.cells), types: mesh.types.into_iter().map(cell_type).collect() },
        data: Attributes { point: attributes(mesh.point_arrays), cell: attributes(mesh.cell_arrays) },
    };
    finish(DataSet::inline(piece), time)
}

fn text(data: DataSet) -> Result<String, String> {
    let vtk =
        Vtk { version: Version::new_xml(1, 0), title: String::new(), byte_order: ByteOrder::LittleEndian, data, file_path: None };
    Ok(vtk.try_into_xml_format(Compressor::None, 0).map_err(|e| e.to_string())?.to_string())
}

fn finish(data: DataSet, time: f64) -> Result<Vec<u8>, String> {
    let xml = text(data)?;
    let parts = Parts::of(&xml).ok_or(NO_PIECE)?;
    let mut file = Vec::with_capacity(xml.len() + 256);
    let written = parts.write_head(time, &mut file).and_then(|()| parts.write_piece(&mut file));
    written.map_err(|e| e.to_string())?;
    file.extend_from_slice(parts.tail.as_bytes());
    Ok(file)
}

const NO_PIECE: &str = "vtkio wrote a file without <Piece>";

/// The text of a file with one piece.
struct Parts<'a> {
    /// Before the piece.
    head: &'a str,
    /// Its tag up to where further counts may stand.
    opening: &'a str,
    /// The rest of the piece.
    rest: &'a str,
    tail: &'a str,
}

impl<'a> Parts<'a> {
    fn of(xml: &'a str) -> Option<Self> {
        let (head, piece) = xml.split_at(xml.find("<Piece")?);
        const END: &str = "</Piece>";
        let (piece, tail) = piece.split_at(piece.rfind(END)? + END.len());
        let (opening, rest) = piece.split_at(piece.find(['>', '/'])?);
        Some(Self { head, opening, rest, tail })
    }

    /// What stands before the pieces, with the time.
    fn write_head(&self, time: f64, file: &mut dyn Write) -> io::Result<()> {
        file.write_all(b"<?xml version=\"1.0\"?>\n")?;
        file.write_all(self.head.as_bytes())?;
        write!(
            file,
            "<FieldData><DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">{time:?}</DataArray></FieldData>"
        )
    }

    /// The piece, with the counts that vtkio leaves out when they are 0.
    fn write_piece(&self, file: &mut dyn Write) -> io::Result<()> {
        file.write_all(self.opening.as_bytes())?;
        for count in ["NumberOfPoints", "NumberOfCells"] {
            if !self.opening.contains(count) {
                write!(file, " {count}=\"0\"")?;
            }
        }
        file.write_all(self.rest.as_bytes())
    }
}

fn coordinates(points: Vec<[f64; 3]>) -> IOBuffer {
    IOBuffer::F64(points.into_flattened())
}

fn vertex_numbers(topology: Topology) -> VertexNumbers {
    let (connectivity, offsets) = topology.into_parts();
    VertexNumbers::XML { connectivity, offsets }
}

fn attributes(arrays: Vec<Array>) -> Vec<Attribute> {
    arrays
        .into_iter()
        .map(|array| {
            let data = match array.values {
                Values::F64(v) => IOBuffer::F64(v),
                Values::I64(v) => IOBuffer::I64(v),
                Values::I32(v) => IOBuffer::I32(v),
                Values::U8(v) => IOBuffer::U8(v),
            };
            // `check` bounds the length, a product with the number of components, so this fits
            Attribute::DataArray(DataArray::new(array.name, array.components as u32).with_buf(data))
        })
        .collect()
}

fn cell_type(kind: CellType) -> vtkio::model::CellType {
    use vtkio::model::CellType as V;
    match kind {
        CellType::Line => V::Line,
        CellType::Triangle => V::Triangle,
        CellType::Quad => V::Quad,
        CellType::Tetra => V::Tetra,
        CellType::Hexahedron => V::Hexahedron,
        CellType::Wedge => V::Wedge,
        CellType::QuadraticTriangle => V::QuadraticTriangle,
        CellType::QuadraticTetra => V::QuadraticTetra,
        CellType::QuadraticQuad => V::QuadraticQuad,
        CellType::QuadraticHexahedron => V::QuadraticHexahedron,
    }
}
