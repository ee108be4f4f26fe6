//! Named groups of elements, faces and nodes: how they are made, and how they are looked up.

use std::collections::BTreeMap;

use mpcd_core::Vec3;

use super::{Face, Mesh, MeshError};

/// What a group of faces is called.
const FACES: &str = "faces";

impl Mesh {
    /// Names a list of elements. An older group of the name is replaced.
    ///
    /// # Errors
    /// [`MeshError::Member`] when it is empty or an element does not exist.
    pub fn add_element_group(&mut self, name: &str, mut elements: Vec<usize>) -> Result<(), MeshError> {
        tidy(&self.name, name, &mut elements, |&e| e < self.elements())?;
        self.element_groups.insert(name.to_owned(), elements);
        Ok(())
    }

    /// Names a list of faces (sides in 2D). An older group of the name is replaced.
    ///
    /// # Errors
    /// [`MeshError::Member`] when it is empty or a face does not exist.
    pub fn add_face_group(&mut self, name: &str, mut faces: Vec<Face>) -> Result<(), MeshError> {
        let exists = |f: &Face| f.element < self.elements() && f.local < self.cells[f.element].faces().len();
        tidy(&self.name, name, &mut faces, exists)?;
        self.face_groups.insert(name.to_owned(), faces);
        Ok(())
    }

    /// Names a list of nodes. An older group of the name is replaced.
    ///
    /// # Errors
    /// [`MeshError::Member`] when it is empty or a node does not exist.
    pub fn add_node_group(&mut self, name: &str, mut nodes: Vec<usize>) -> Result<(), MeshError> {
        tidy(&self.name, name, &mut nodes, |&n| n < self.nodes.len())?;
        self.node_groups.insert(name.to_owned(), nodes);
        Ok(())
    }

    /// Names the boundary faces all of whose nodes lie where a rule holds.
    ///
    /// # Errors
    /// [`MeshError::Member`] when there is none, [`MeshError::NonManifold`].
    pub fn add_faces_where(&mut self, name: &str, rule: impl Fn(Vec3) -> bool) -> Result<(), MeshError> {
        let skin = self.skin()?;
        let inside = |f: &&super::SkinFace| f.nodes.iter().all(|&n| rule(self.nodes[n]));
        let faces = skin.faces.iter().filter(inside).map(|f| f.face).collect();
        self.add_face_group(name, faces)
    }

    /// Names the nodes that lie where a rule holds.
    ///
    /// # Errors
    /// [`MeshError::Member`] when there is none.
    pub fn add_nodes_where(&mut self, name: &str, rule: impl Fn(Vec3) -> bool) -> Result<(), MeshError> {
        let nodes = (0..self.nodes.len()).filter(|&n| rule(self.nodes[n])).collect();
        self.add_node_group(name, nodes)
    }

    /// Elements of a group, rising.
    ///
    /// # Errors
    /// [`MeshError::Group`].
    pub fn element_group(&self, name: &str) -> Result<&[usize], MeshError> {
        self.element_groups.get(name).map(Vec::as_slice).ok_or_else(|| self.missing("elements", name, self.element_groups.keys()))
    }

    /// Faces of a group, rising.
    ///
    /// # Errors
    /// [`MeshError::Group`].
    pub fn face_group(&self, name: &str) -> Result<&[Face], MeshError> {
        self.face_groups.get(name).map(Vec::as_slice).ok_or_else(|| self.missing(FACES, name, self.face_groups.keys()))
    }

    /// Nodes of a group of nodes, faces or elements, rising; of a group of faces, where one of elements has the same name.
    ///
    /// # Errors
    /// [`MeshError::Group`]; [`MeshError::TwoGroups`] where a group of nodes and one of faces have the name.
    pub fn nodes_of(&self, name: &str) -> Result<Vec<usize>, MeshError> {
        if let Some(nodes) = self.node_groups.get(name) {
            if self.face_groups.contains_key(name) {
                return Err(MeshError::TwoGroups { file: self.name.clone(), name: name.to_owned() });
            }
            return Ok(nodes.clone());
        }
        let mut nodes: Vec<usize> = if let Some(faces) = self.face_groups.get(name) {
            faces.iter().flat_map(|f| self.face(*f).1).collect()
        } else if let Some(elements) = self.element_groups.get(name) {
            elements.iter().flat_map(|&e| self.element(e).iter().copied()).collect()
        } else {
            let known = self.node_groups.keys().chain(self.face_groups.keys()).chain(self.element_groups.keys());
            return Err(self.missing("nodes, faces or elements", name, known));
        };
        nodes.sort_unstable();
        nodes.dedup();
        Ok(nodes)
    }

    /// Names of the groups of elements, of faces and of nodes.
    pub fn group_names(&self) -> [Vec<&str>; 3] {
        fn names<T>(map: &BTreeMap<String, T>) -> Vec<&str> {
            map.keys().map(String::as_str).collect()
        }
        [names(&self.element_groups), names(&self.face_groups), names(&self.node_groups)]
    }

    fn missing<'a>(&self, what: &'static str, name: &str, known: impl Iterator<Item = &'a String> + Clone) -> MeshError {
        let near = known.clone().map(|k| (strsim::damerau_levenshtein(k, name), k)).min_by_key(|(d, _)| *d);
        let hint = match near {
            _ if what == FACES && self.element_groups.contains_key(name) => {
                "; it is a region, a group of elements, not a side".to_owned()
            }
            Some((distance, k)) if distance <= 1 + name.len() / 3 => format!("; did you mean `{k}`?"),
            _ => String::new(),
        };
        let list: Vec<String> = known.map(|k| format!("`{k}`")).collect();
        let known = if list.is_empty() { "none".to_owned() } else { list.join(", ") };
        MeshError::Group { file: self.name.clone(), name: name.to_owned(), what, known, hint }
    }
}

fn tidy<T: Ord + std::fmt::Debug>(
    file: &str,
    name: &str,
    list: &mut Vec<T>,
    exists: impl Fn(&T) -> bool,
) -> Result<(), MeshError> {
    let fault = |problem: String| MeshError::Member { file: file.to_owned(), name: name.to_owned(), problem };
    if list.is_empty() {
        return Err(fault("is empty".to_owned()));
    }
    if let Some(member) = list.iter().find(|m| !exists(m)) {
        return Err(fault(format!("has the member {member:?}, which does not exist")));
    }
    list.sort_unstable();
    list.dedup();
    Ok(())
}
