//! Sections of gmsh's version 2.2.

use mpcd_core::Vec3;

use super::super::MeshError;
use super::super::text::Text;
use super::{Raw, RawCell, cells, physical_names, sections};

pub(super) fn read(text: &mut Text<'_>) -> Result<Raw, MeshError> {
    let mut raw = Raw::default();
    sections(text, |name, text| {
        match name {
            "PhysicalNames" => physical_names(text, &mut raw)?,
            "Nodes" => {
                let count: usize = text.number("the number of nodes")?;
                for _ in 0..count {
                    let label = text.number("the number of a node")?;
                    let x = [text.coordinate()?, text.coordinate()?, text.coordinate()?];
                    raw.nodes.push((label, Vec3::from(x)));
                }
            }
            "Elements" => {
                let count: usize = text.number("the number of elements")?;
                for _ in 0..count {
                    let cell = element(text)?;
                    raw.cells.push(cell);
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    Ok(raw)
}

/// `label type ntags tags… nodes…`; the first tag is the physical group, 0 for none.
fn element(text: &mut Text<'_>) -> Result<RawCell, MeshError> {
    let label = text.number("the number of an element")?;
    let kind = text.number("the type of an element")?;
    let tags: usize = text.number("a number of tags")?;
    let mut groups = Vec::new();
    for k in 0..tags {
        let tag: i64 = text.number("a tag")?;
        if k == 0 && tag != 0 {
            groups.push(tag.unsigned_abs() as usize);
        }
    }
    let count = cells::node_count(text, label, kind)?;
    let nodes = (0..count).map(|_| text.number("a node")).collect::<Result<_, _>>()?;
    Ok(RawCell { label, line: text.line(), kind, groups, nodes })
}
