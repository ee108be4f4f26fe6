//! Our own small VTK XML writer: tags with `format="appended"`, the numbers after them as raw bytes, each block led by
//! its length as a 64-bit integer. No knowledge of data set kinds.

use super::escape;
use crate::data::{Array, Values};

/// A file in the making: the text of its tags and the numbers they point to.
#[derive(Default)]
pub(super) struct Appended {
    tags: String,
    blob: Vec<u8>,
}

impl Appended {
    /// Adds text between the tags.
    pub(super) fn text(&mut self, text: &str) {
        self.tags.push_str(text);
    }

    /// Adds the field data that tells readers the time.
    pub(super) fn time(&mut self, time: f64) {
        self.text("<FieldData>\n");
        self.tag("TimeValue", 1, "NumberOfTuples=\"1\" ", &Values::F64(vec![time]));
        self.text("</FieldData>\n");
    }

    /// Adds a section (`CellData`, `PointData`) with its arrays.
    pub(super) fn section(&mut self, name: &str, arrays: &[Array]) {
        self.text(&format!("<{name}>\n"));
        for array in arrays {
            self.tag(&array.name, array.components, "", &array.values);
        }
        self.text(&format!("</{name}>\n"));
    }

    fn tag(&mut self, name: &str, components: usize, more: &str, values: &Values) {
        let kind = match values {
            Values::F64(_) => "Float64",
            Values::I64(_) => "Int64",
            Values::I32(_) => "Int32",
            Values::U8(_) => "UInt8",
        };
        let (name, offset) = (escape(name), self.blob.len());
        self.tags.push_str(&format!(
            "<DataArray type=\"{kind}\" Name=\"{name}\" NumberOfComponents=\"{components}\" {more}format=\"appended\" offset=\"{offset}\"/>\n"
        ));
        match values {
            Values::F64(v) => self.block(v.iter().map(|x| x.to_le_bytes())),
            Values::I64(v) => self.block(v.iter().map(|x| x.to_le_bytes())),
            Values::I32(v) => self.block(v.iter().map(|x| x.to_le_bytes())),
            Values::U8(v) => self.block(v.iter().map(|x| x.to_le_bytes())),
        }
    }

    fn block<const N: usize>(&mut self, numbers: impl ExactSizeIterator<Item = [u8; N]>) {
        self.blob.extend_from_slice(&((numbers.len() * N) as u64).to_le_bytes());
        self.blob.extend(numbers.flatten());
    }

    /// The whole file, for a data set of this VTK kind.
    pub(super) fn finish(self, kind: &str) -> Vec<u8> {
        let mut file = format!(
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"{kind}\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n{}\
             <AppendedData encoding=\"raw\">\n_",
            self.tags
        )
        .into_bytes();
        file.extend_from_slice(&self.blob);
        file.extend_from_slice(b"\n</AppendedData>\n</VTKFile>\n");
        file
    }
}
