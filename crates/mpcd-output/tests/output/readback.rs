//! Files read back: `.vtp` and `.vtu` by vtkio, `.vti` by walking its tags and blocks.

use mpcd_output::{Array, CellType, DataSet, DiskSink, Frame, Mesh, OutputError, Part, PointSet, Polys, RunOutput, Start};
use vtkio::model::{Attribute, Piece};

use crate::frame;

fn write(frame: Frame, parts: Vec<Part>) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut out = RunOutput::start(DiskSink::shared(), folder.path(), "model", Start::Fresh).unwrap();
    out.write_frame(frame, parts).unwrap();
    folder
}

/// vtkio cannot read our field data, so the test takes it out, after looking at it.
fn import(path: &std::path::Path, time: f64) -> vtkio::Vtk {
    let text = std::fs::read_to_string(path).unwrap();
    let start = text.find("<FieldData>").unwrap();
    let end = text.find("</FieldData>").unwrap() + "</FieldData>".len();
    assert!(text[start..end].contains(&format!("Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">{time:?}<")));
    assert!(text.contains("header_type=\"UInt64\"") && text.contains("byte_order=\"LittleEndian\""));
    vtkio::Vtk::parse_xml(format!("{}{}", &text[..start], &text[end..]).as_bytes()).unwrap()
}

fn floats(attributes: &[Attribute], name: &str) -> Vec<f64> {
    let found = attributes.iter().find(|a| a.name() == name).unwrap();
    let Attribute::DataArray(array) = found else { panic!("{name} is no array") };
    array.data.cast_into::<f64>().unwrap()
}

#[test]
fn points_come_back() {
    let (at, parts) = frame(3, 0.1 + 0.2);
    let folder = write(at, parts);
    let vtk = import(&folder.path().join("vtk/bodies_00000003.vtp"), at.time);
    let vtkio::model::DataSet::PolyData { pieces, .. } = vtk.data else { panic!() };
    let Piece::Inline(piece) = &pieces[0] else { panic!() };
    assert_eq!(piece.points.cast_into::<f64>().unwrap(), [3.0, 0.0, 0.1, 3.0, 1.0, -0.1, 3.0, 2.0, 0.0]);
    assert_eq!(piece.verts.as_ref().unwrap().num_cells(), 3);
    assert_eq!(floats(&piece.data.point, "radius"), [0.5, 0.25, 0.125]);
    assert_eq!(floats(&piece.data.point, "velocity"), [1.0, 0.0, 3.0, 2.0, 0.0, 3.0, 3.0, 0.0, 3.0]);
    assert_eq!(floats(&piece.data.point, "group"), [0.0, 0.0, -7.0]);
    let vtk = import(&folder.path().join("vtk/contacts_00000003.vtp"), at.time);
    let vtkio::model::DataSet::PolyData { pieces, .. } = vtk.data else { panic!() };
    let Piece::Inline(piece) = &pieces[0] else { panic!() };
    assert_eq!(floats(&piece.data.point, "key"), [(1u64 << 40) as f64]);
    assert_eq!(floats(&piece.data.point, "status"), [2.0]);
}

/// Many points are written in pieces, which readers put together in their order.
#[test]
fn many_points_come_back_in_order() {
    for n in [8192_usize, 8193, 20_000] {
        let points: Vec<[f64; 3]> = (0..n).map(|k| [k as f64, 0.5, -1.0]).collect();
        let arrays = vec![
            Array::ids("key", (0..n as i64).collect()),
            Array::vectors("velocity", &points),
            Array::bytes("status", (0..n).map(|k| (k % 251) as u8).collect()),
        ];
        let (at, _) = frame(1, 0.25);
        let folder = write(at, vec![Part::new("many", DataSet::Points(PointSet { points: points.clone(), arrays }))]);
        let vtk = import(&folder.path().join("vtk/many_00000001.vtp"), at.time);
        let vtkio::model::DataSet::PolyData { pieces, .. } = vtk.data else { panic!() };
        let mut read = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        assert_eq!(pieces.len(), n.div_ceil(8192));
        for piece in &pieces {
            let Piece::Inline(piece) = piece else { panic!() };
            let own = piece.points.cast_into::<f64>().unwrap();
            assert_eq!(piece.verts.as_ref().unwrap().num_cells(), own.len() / 3);
            read.0.extend(own);
            read.1.extend(floats(&piece.data.point, "key"));
            read.2.extend(floats(&piece.data.point, "velocity"));
            read.3.extend(floats(&piece.data.point, "status"));
        }
        let flat: Vec<f64> = points.iter().flatten().copied().collect();
        assert!(read.0 == flat && read.2 == flat);
        assert!((0..n).all(|k| read.1[k] == k as f64 && read.3[k] == (k % 251) as f64));
    }
}

#[test]
fn empty_parts_state_their_counts() {
    let (at, parts) = frame(2, 0.0);
    let folder = write(at, parts);
    let text = std::fs::read_to_string(folder.path().join("vtk/contacts_00000002.vtp")).unwrap();
    assert!(text.contains("NumberOfPoints=\"0\""), "VTK refuses a piece without it:\n{text}");
    let empty = write(at, vec![Part::new("mesh", DataSet::Mesh(Mesh::default()))]);
    let text = std::fs::read_to_string(empty.path().join("vtk/mesh_00000002.vtu")).unwrap();
    assert!(text.contains("NumberOfPoints=\"0\"") && text.contains("NumberOfCells=\"0\""), "{text}");
}

#[test]
fn polygons_and_meshes_come_back() {
    let mut polys = Polys { points: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], ..Polys::default() };
    polys.lines.push([0, 1]);
    polys.polygons.push([0, 1, 2]);
    polys.cell_arrays.push(Array::scalars("<\"a&b'>", vec![1.5, 2.5]));
    let mut mesh = Mesh {
        points: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        types: vec![CellType::Tetra, CellType::Triangle],
        ..Mesh::default()
    };
    mesh.cells.push([0, 1, 2, 3]);
    mesh.cells.push([0, 1, 2]);
    mesh.point_arrays.push(Array::vectors("displacement", &[[0.5; 3]; 4]));
    let parts = vec![Part::new("walls", DataSet::Polys(polys)), Part::new("mesh", DataSet::Mesh(mesh))];
    let folder = write(Frame { step: 0, time: 1e-9 }, parts);
    let vtk = import(&folder.path().join("vtk/walls_00000000.vtp"), 1e-9);
    let vtkio::model::DataSet::PolyData { pieces, .. } = vtk.data else { panic!() };
    let Piece::Inline(piece) = &pieces[0] else { panic!() };
    assert_eq!((piece.num_lines(), piece.num_polys()), (1, 1));
    assert_eq!(floats(&piece.data.cell, "<\"a&b'>"), [1.5, 2.5]);
    let vtk = import(&folder.path().join("vtk/mesh_00000000.vtu"), 1e-9);
    let vtkio::model::DataSet::UnstructuredGrid { pieces, .. } = vtk.data else { panic!() };
    let Piece::Inline(piece) = &pieces[0] else { panic!() };
    assert_eq!(piece.cells.types, [vtkio::model::CellType::Tetra, vtkio::model::CellType::Triangle]);
    assert_eq!(piece.cells.num_verts(), 7);
    assert_eq!(floats(&piece.data.point, "displacement"), [0.5; 12]);
}

/// The block of a named array of a file with raw appended data.
fn appended(file: &[u8], name: &str) -> (String, Vec<u8>) {
    let mark = b"<AppendedData encoding=\"raw\">\n_";
    let start = file.windows(mark.len()).position(|w| w == mark).unwrap();
    let blob = &file[start + mark.len()..];
    let tags = std::str::from_utf8(&file[..start]).unwrap();
    let tag = tags.lines().find(|l| l.contains(&format!("Name=\"{name}\""))).unwrap();
    let offset: usize = tag.split_once("offset=\"").unwrap().1.split_once('"').unwrap().0.parse().unwrap();
    let length = u64::from_le_bytes(blob[offset..offset + 8].try_into().unwrap()) as usize;
    assert!(blob[offset + 8 + length..].len() > "</AppendedData>".len());
    (tag.to_owned(), blob[offset + 8..offset + 8 + length].to_vec())
}

fn as_floats(bytes: &[u8]) -> Vec<f64> {
    bytes.chunks_exact(8).map(|c| f64::from_le_bytes(c.try_into().unwrap())).collect()
}

#[test]
fn grids_come_back_with_all_digits_of_their_origin() {
    let (at, parts) = frame(5, 0.7);
    let folder = write(at, parts);
    let file = std::fs::read(folder.path().join("vtk/grid_00000005.vti")).unwrap();
    let head = String::from_utf8_lossy(&file);
    assert!(head.contains("WholeExtent=\"0 3 0 2 0 4\" Origin=\"1.000000001 -2.0 0.1\" Spacing=\"0.0001 0.0002 0.3\""));
    let (tag, bytes) = appended(&file, "pressure");
    assert!(tag.contains("type=\"Float64\" ") && tag.contains("NumberOfComponents=\"1\""));
    assert_eq!(as_floats(&bytes), (0..24).map(|i| f64::from(i) + 5.0).collect::<Vec<_>>());
    let (tag, bytes) = appended(&file, "velocity");
    assert!(tag.contains("NumberOfComponents=\"3\""));
    assert_eq!(as_floats(&bytes), [0.1, 0.2, 0.3].repeat(24));
    assert_eq!(as_floats(&appended(&file, "TimeValue").1), [0.7]);
    assert_eq!(as_floats(&appended(&file, "level").1).iter().sum::<f64>(), 59.0 * 30.0);
}

#[test]
fn wrong_sizes_are_refused_before_anything_is_written() {
    let refused = |data: DataSet, expected: &str| {
        let folder = tempfile::tempdir().unwrap();
        let mut out = RunOutput::start(DiskSink::shared(), folder.path(), "model", Start::Fresh).unwrap();
        let error = out.write_frame(Frame { step: 0, time: 0.0 }, vec![Part::new("p", data)]).unwrap_err();
        assert_eq!(error.to_string(), expected);
        assert_eq!(std::fs::read_dir(folder.path().join("vtk")).unwrap().count(), 0);
    };
    let points = |arrays: Vec<Array>| DataSet::Points(PointSet { points: vec![[0.0; 3]; 2], arrays });
    refused(
        points(vec![Array::scalars("radius", vec![1.0; 3])]),
        "array `radius` over points: expected 2 x 1 numbers (with at least one component), found 3",
    );
    refused(
        points(vec![Array::scalars("r", vec![1.0; 2]), Array::scalars("r", vec![1.0; 2])]),
        "array name `r` over points is empty or used twice; give every array its own name",
    );
    let mut polys = Polys { points: vec![[0.0; 3]; 2], ..Polys::default() };
    polys.polygons.push([0, 1, 2]);
    refused(DataSet::Polys(polys), "a cell refers to point 2, but there are 2 points (numbered from 0)");
    let grid = mpcd_output::ImageGrid { cells: [2, 2, 0], spacing: [1.0, 0.0, 1.0], ..Default::default() };
    assert!(matches!(DataSet::Image(grid.clone()).check(), Err(OutputError::Spacing { .. })));
    let flat = mpcd_output::ImageGrid { spacing: [1.0; 3], ..grid };
    assert_eq!((flat.cell_count(), flat.point_count()), (4, 9));
    let mut mesh = Mesh { points: vec![[0.0; 3]; 2], ..Mesh::default() };
    mesh.cells.push([0, 1]);
    assert!(matches!(DataSet::Mesh(mesh).check(), Err(OutputError::CellTypes { cells: 1, types: 0 })));
}
