//! Tests of mpcd-output: what is written is read back, and what disks do to it is survived.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod faults;
mod frames;
mod history;
mod readback;
mod summary;
mod surfaces;

use mpcd_output::{Array, DataSet, Frame, ImageGrid, Part, PointSet};

/// A frame of three parts whose numbers depend on the step.
fn frame(step: u64, time: f64) -> (Frame, Vec<Part>) {
    let x = step as f64;
    let bodies = PointSet {
        points: vec![[x, 0.0, 0.1], [x, 1.0, -0.1], [x, 2.0, 0.0]],
        arrays: vec![
            Array::scalars("radius", vec![0.5, 0.25, 0.125]),
            Array::vectors("velocity", &[[1.0, 0.0, x], [2.0, 0.0, x], [3.0, 0.0, x]]),
            Array::quaternions("orientation", &[[1.0, 0.0, 0.0, 0.0]; 3]),
            Array::integers("group", vec![0, 0, -7]),
        ],
    };
    // no contact in even steps: an empty frame must be one that readers accept
    let contacts = (step % 2) as usize;
    let contacts = PointSet {
        points: vec![[x, 0.5, 0.0]; contacts],
        arrays: vec![
            Array::vectors("force", &vec![[0.0, 1.0, 2.0]; contacts]),
            Array::bytes("status", vec![2; contacts]),
            Array::ids("key", vec![1 << 40; contacts]),
        ],
    };
    let grid = ImageGrid {
        origin: [1.0 + 1e-9, -2.0, 0.1],
        spacing: [1e-4, 2e-4, 0.3],
        cells: [3, 2, 4],
        cell_arrays: vec![
            Array::scalars("pressure", (0..24).map(|i| i as f64 + x).collect()),
            Array::vectors("velocity", &[[0.1, 0.2, 0.3]; 24]),
        ],
        point_arrays: vec![Array::scalars("level", (0..60).map(f64::from).collect())],
    };
    let parts = vec![
        Part::new("bodies", DataSet::Points(bodies)),
        Part::new("contacts", DataSet::Points(contacts)),
        Part::new("grid", DataSet::Image(grid)),
    ];
    (Frame { step, time }, parts)
}

/// Frame files listed by a collection: (time, file).
fn listed(folder: &std::path::Path, name: &str) -> Vec<(f64, String)> {
    let text = std::fs::read_to_string(folder.join(format!("{name}.pvd"))).unwrap();
    assert!(text.ends_with("</Collection>\n</VTKFile>\n"), "{name}.pvd is not whole");
    let value = |line: &str, key: &str| {
        let rest = line.split_once(&format!("{key}=\"")).unwrap().1;
        rest.split_once('"').unwrap().0.to_owned()
    };
    let entries = text.lines().filter(|l| l.starts_with("<DataSet "));
    entries.map(|l| (value(l, "timestep").parse().unwrap(), value(l, "file"))).collect()
}
