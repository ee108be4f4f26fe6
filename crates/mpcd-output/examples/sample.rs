//! Writes a small run of known content into a folder: `cargo run -p mpcd-output --example sample -- DIR`.
//! The numbers follow closed formulas, so that readers (`tests/vtk/read_outputs.py`) can be tried on them.

use std::collections::BTreeMap;
use std::path::PathBuf;

use mpcd_output::{
    Array, Cell, CellType, DataSet, DiskSink, Frame, History, ImageGrid, Mesh, OutputError, Part, Placement, PointSet, RunOutput,
    Start, Summary, Surfaces,
};

/// Spheres in a row, pressed together a little more with each frame.
fn parts(step: u64) -> (Vec<Part>, usize) {
    let overlap = 1e-4 * step as f64;
    let n = 20;
    let xs = || (0..n).map(|i| i as f64 * (2.0 - overlap));
    let touching = if step == 0 { 0 } else { n - 1 };
    let bodies = PointSet {
        points: xs().map(|x| [x, 0.0, 1.0]).collect(),
        arrays: vec![
            Array::scalars("radius", vec![1.0; n]),
            Array::vectors("velocity", &xs().map(|x| [-1e-4 * x, 0.0, 0.0]).collect::<Vec<_>>()),
            Array::vectors("angular_velocity", &vec![[0.0, 0.1, 0.0]; n]),
            Array::quaternions("orientation", &vec![[0.8, 0.0, 0.6, 0.0]; n]),
            Array::integers("group", (0..n).map(|i| (i % 2) as i32).collect()),
            Array::scalars("temperature", xs().map(|x| 293.15 + x).collect()),
        ],
    };
    let contacts = PointSet {
        points: (0..touching).map(|i| [(i as f64 + 0.5) * (2.0 - overlap), 0.0, 1.0]).collect(),
        arrays: vec![
            Array::vectors("force", &vec![[1e3 * overlap, 0.0, 0.0]; touching]),
            Array::scalars("gap", vec![-overlap; touching]),
            Array::bytes("status", vec![1; touching]),
            Array::scalars("heat", vec![-2.0; touching]),
        ],
    };
    let cells = [8, 4, 4];
    let count: usize = cells.iter().product();
    let grid = ImageGrid {
        origin: [-1.0, -1.0, 0.0],
        spacing: [5.0, 0.5, 0.5],
        cells,
        cell_arrays: vec![
            Array::scalars("pressure", (0..count).map(|i| i as f64).collect()),
            Array::scalars("porosity", vec![0.4; count]),
            Array::vectors("velocity", &vec![[1e-3, 0.0, 0.0]; count]),
        ],
        point_arrays: Vec::new(),
    };
    let parts = vec![
        Part::new("bodies", DataSet::Points(bodies)),
        Part::new("contacts", DataSet::Points(contacts)),
        Part::new("grid", DataSet::Image(grid)),
        Part::new("slice", DataSet::Image(slice())),
        Part::new("mesh", DataSet::Mesh(mesh(overlap))),
    ];
    (parts, touching)
}

/// A planar grid: no cells along z.
fn slice() -> ImageGrid {
    ImageGrid {
        origin: [0.0, 0.0, 3.0],
        spacing: [1.0, 1.0, 1.0],
        cells: [4, 3, 0],
        cell_arrays: vec![Array::scalars("pressure", (0..12).map(f64::from).collect())],
        point_arrays: vec![Array::scalars("level", (0..20).map(f64::from).collect())],
    }
}

/// A tetrahedron of volume 1/6 and a hexahedron of volume 1 beside it, stretched a little.
fn mesh(stretch: f64) -> Mesh {
    let mut mesh = Mesh {
        points: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        types: vec![CellType::Tetra, CellType::Hexahedron],
        ..Mesh::default()
    };
    let square = [[2.0, 0.0], [3.0, 0.0], [3.0, 1.0], [2.0, 1.0]];
    mesh.points.extend([0.0, 1.0].iter().flat_map(|&z| square.map(|[x, y]| [x, y, z])));
    mesh.cells.push(0..4);
    mesh.cells.push(4..12);
    mesh.point_arrays = vec![Array::vectors("displacement", &[[stretch, 0.0, 0.0]; 12])];
    mesh.cell_arrays = vec![Array::scalars("stress", vec![1.0, 2.0])];
    mesh
}

fn main() -> Result<(), OutputError> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| "sample".to_owned()));
    let sink = DiskSink::shared();
    let mut out = RunOutput::start(sink.clone(), &folder, "row", Start::Fresh)?;
    let mut walls = Surfaces::new();
    walls.cuboid(0, Placement::at([19.0, 0.0, -0.1]), [21.0, 2.0, 0.1]);
    walls.line(1, &[[-1.0, -2.0, 0.0], [-1.0, 2.0, 0.0], [-1.0, 2.0, 2.0], [-1.0, -2.0, 2.0]], true);
    walls.cylinder(
        2,
        Placement { position: [19.0, 0.0, 1.0], orientation: [0.5f64.sqrt(), 0.0, 0.5f64.sqrt(), 0.0] },
        3.0,
        21.0,
        32,
    );
    out.set_fixed(Part::new("walls", walls.finish()))?;
    let columns = ["step", "time", "contacts", "penetration_max"].map(str::to_owned);
    let mut history = History::start(&sink, &folder.join("history.csv"), &columns, Start::Fresh)?;
    for step in 0..5 {
        let (parts, contacts) = parts(step);
        let time = step as f64 * 0.1;
        out.write_frame(Frame { step, time }, parts)?;
        let penetration = 1e-4 * step as f64;
        history.append(&[step.into(), time.into(), contacts.into(), Cell::Real(penetration)])?;
    }
    let summary = Summary {
        mpcd_version: env!("CARGO_PKG_VERSION").to_owned(),
        steps: 4,
        time: 0.4,
        penetration_max: 4e-4,
        wall_s: BTreeMap::from([("output".to_owned(), 0.0)]),
        ..Summary::default()
    };
    summary.save(sink.as_ref(), &folder.join("summary.json"))
}
