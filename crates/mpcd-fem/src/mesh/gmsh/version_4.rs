//! Sections of gmsh's version 4.1: nodes and elements come in blocks, one for each entity of the geometry, and the entity
//! knows the physical groups.

use std::collections::BTreeMap;

use mpcd_core::Vec3;

use super::super::MeshError;
use super::super::text::Text;
use super::{Raw, RawCell, cells, physical_names, sections};

/// Physical groups of each entity, by dimension and number.
type Entities = BTreeMap<(usize, i64), Vec<usize>>;

pub(super) fn read(text: &mut Text<'_>) -> Result<Raw, MeshError> {
    let mut raw = Raw::default();
    let mut known = Entities::new();
    sections(text, |name, text| {
        match name {
            "PhysicalNames" => physical_names(text, &mut raw)?,
            "Entities" => known = entities(text)?,
            "Nodes" => nodes(text, &mut raw)?,
            "Elements" => elements(text, &mut raw, &known)?,
            "PartitionedEntities" => return Err(text.fault("a mesh in one part", "$PartitionedEntities")),
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    Ok(raw)
}

fn entities(text: &mut Text<'_>) -> Result<Entities, MeshError> {
    let mut counts = [0_usize; 4];
    for count in &mut counts {
        *count = text.number("a number of entities")?;
    }
    let mut known = Entities::new();
    for (dimension, count) in counts.into_iter().enumerate() {
        for _ in 0..count {
            let tag = text.number("the number of an entity")?;
            // a point has its place, others the box around them
            for _ in 0..if dimension == 0 { 3 } else { 6 } {
                let _: f64 = text.number("a coordinate")?;
            }
            let physical: usize = text.number("a number of physical groups")?;
            let mut groups = Vec::new();
            for _ in 0..physical {
                let group: i64 = text.number("a physical group")?;
                groups.push(group.unsigned_abs() as usize);
            }
            known.insert((dimension, tag), groups);
            if dimension > 0 {
                let bounding: usize = text.number("a number of bounding entities")?;
                for _ in 0..bounding {
                    let _: i64 = text.number("a bounding entity")?;
                }
            }
        }
    }
    Ok(known)
}

fn nodes(text: &mut Text<'_>, raw: &mut Raw) -> Result<(), MeshError> {
    let [blocks, ..] = header(text)?;
    for _ in 0..blocks {
        let dimension: usize = text.number("the dimension of an entity")?;
        let _: i64 = text.number("the number of an entity")?;
        let parametric: u8 = text.number("0 or 1 (parametric)")?;
        let count: usize = text.number("a number of nodes")?;
        let first = raw.nodes.len();
        for _ in 0..count {
            raw.nodes.push((text.number("the number of a node")?, Vec3::zeros()));
        }
        for k in 0..count {
            raw.nodes[first + k].1 = Vec3::new(text.coordinate()?, text.coordinate()?, text.coordinate()?);
            for _ in 0..if parametric == 0 { 0 } else { dimension } {
                let _: f64 = text.number("a parametric coordinate")?;
            }
        }
    }
    Ok(())
}

fn elements(text: &mut Text<'_>, raw: &mut Raw, known: &Entities) -> Result<(), MeshError> {
    let [blocks, ..] = header(text)?;
    for _ in 0..blocks {
        let dimension: usize = text.number("the dimension of an entity")?;
        let entity: i64 = text.number("the number of an entity")?;
        let kind = text.number("the type of an element")?;
        let count: usize = text.number("a number of elements")?;
        for _ in 0..count {
            let label = text.number("the number of an element")?;
            let size = cells::node_count(text, label, kind)?;
            let nodes = (0..size).map(|_| text.number("a node")).collect::<Result<_, _>>()?;
            let groups = known.get(&(dimension, entity)).cloned().unwrap_or_default();
            raw.cells.push(RawCell { label, line: text.line(), kind, groups, nodes });
        }
    }
    Ok(())
}

fn header(text: &mut Text<'_>) -> Result<[usize; 4], MeshError> {
    let mut numbers = [0; 4];
    for number in &mut numbers {
        *number = text.number("blocks, count, least and largest number")?;
    }
    Ok(numbers)
}
