//! PolyData (`.vtp`) and UnstructuredGrid (`.vtu`) through vtkio: inline base64, 64-bit headers.
//!
//! Two things are added to what vtkio 0.7.0-rc2 writes, both in [`complete`]:
//! - it leaves out `NumberOfPoints` (and `NumberOfCells`) when they are 0, and VTK refuses a piece without them, so
//!   that a frame without contacts could not be read;
//! - it knows no field data, where `TimeValue` belongs.

use vtkio::model::{
    Attribute, Attributes, ByteOrder, Cells, DataArray, DataSet, IOBuffer, PolyDataPiece, UnstructuredGridPiece, Version,
    VertexNumbers, Vtk,
};
use vtkio::xml::Compressor;

use crate::data::{Array, CellType, Mesh, PointSet, Polys, Topology, Values};

/// Points, each with a vertex cell so that ParaView shows them.
pub(super) fn points(set: PointSet, time: f64) -> Result<Vec<u8>, String> {
    let n = set.points.len() as u64;
    let verts = VertexNumbers::XML { connectivity: (0..n).collect(), offsets: (1..=n).collect() };
    let piece = PolyDataPiece {
        points: coordinates(set.points),
        verts: Some(verts),
        data: Attributes { point: attributes(set.arrays), cell: Vec::new() },
        ..PolyDataPiece::default()
    };
    finish(DataSet::inline(piece), time)
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

fn finish(data: DataSet, time: f64) -> Result<Vec<u8>, String> {
    let vtk =
        Vtk { version: Version::new_xml(1, 0), title: String::new(), byte_order: ByteOrder::LittleEndian, data, file_path: None };
    let file = vtk.try_into_xml_format(Compressor::None, 0).map_err(|e| e.to_string())?;
    complete(&file.to_string(), time).ok_or_else(|| "vtkio wrote a file without <Piece>".to_owned())
}

/// Adds the time, and the counts that vtkio leaves out when they are 0. `None` when there is no piece to add them to.
fn complete(xml: &str, time: f64) -> Option<Vec<u8>> {
    let start = xml.find("<Piece")?;
    let (before, piece) = xml.split_at(start);
    let (opening, rest) = piece.split_at(piece.find(['>', '/'])?);
    let mut file = String::with_capacity(xml.len() + 256);
    file.push_str("<?xml version=\"1.0\"?>\n");
    file.push_str(before);
    file.push_str(&format!(
        "<FieldData><DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">{time:?}</DataArray></FieldData>"
    ));
    file.push_str(opening);
    for count in ["NumberOfPoints", "NumberOfCells"] {
        if !opening.contains(count) {
            file.push_str(&format!(" {count}=\"0\""));
        }
    }
    file.push_str(rest);
    Some(file.into_bytes())
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
