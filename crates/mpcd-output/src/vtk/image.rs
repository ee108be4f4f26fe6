//! Regular grids as ImageData (`.vti`). A flat axis (no cells) has one layer of points: VTK then sees a planar image.

use super::appended::Appended;
use crate::data::ImageGrid;

/// Encodes a checked grid; origin and spacing are written with all their digits.
pub(super) fn encode(grid: &ImageGrid, time: f64) -> Vec<u8> {
    let [nx, ny, nz] = grid.cells;
    let [ox, oy, oz] = grid.origin;
    let [dx, dy, dz] = grid.spacing;
    let extent = format!("0 {nx} 0 {ny} 0 {nz}");
    let mut file = Appended::default();
    file.text(&format!(
        "<ImageData WholeExtent=\"{extent}\" Origin=\"{ox:?} {oy:?} {oz:?}\" Spacing=\"{dx:?} {dy:?} {dz:?}\">\n"
    ));
    file.time(time);
    file.text(&format!("<Piece Extent=\"{extent}\">\n"));
    file.section("PointData", &grid.point_arrays);
    file.section("CellData", &grid.cell_arrays);
    file.text("</Piece>\n</ImageData>\n");
    file.finish("ImageData")
}
