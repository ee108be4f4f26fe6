//! What is asked of groups when the module is built: which can meet, and which hold shapes that cannot touch yet.

use std::sync::Arc;

use mpcd_core::{BodyId, GroupId, InputError, Setup};
use mpcd_geometry::{Detector, Shape, Shapes};

use crate::{joint::Together, law::LawTable, loads::Loads};

/// Pairs of groups with a law whose shapes cannot touch yet: the run would stop when they come near.
pub(crate) fn unknown_meetings<L: ?Sized>(setup: &Setup, shapes: &Shapes, laws: &LawTable<L>) -> Vec<String> {
    let n = setup.groups.len();
    // One body of each kind of shape in each group stands for all.
    let mut kinds: Vec<Vec<Shape>> = vec![Vec::new(); n];
    for (shape, group) in shapes.0.iter().zip(&setup.bodies.group) {
        let known = &mut kinds[group.index()];
        if !known.iter().any(|k| k.name() == shape.name()) {
            known.push(shape.clone());
        }
    }
    let mut out = Vec::new();
    for i in 0..n {
        for j in i..n {
            let alone = i == j && setup.bodies.of_group(GroupId::from_index(i)).nth(1).is_none();
            if alone || laws.between(GroupId::from_index(i), GroupId::from_index(j)).is_none() {
                continue;
            }
            let pairs = kinds[i].iter().flat_map(|a| kinds[j].iter().map(move |b| (a, b)));
            if let Some((a, b)) = pairs.into_iter().find(|(a, b)| !a.can_touch(b)) {
                let (ga, gb) = (setup.groups.name(i), setup.groups.name(j));
                out.push(format!(
                    "a {} of group \"{ga}\" and a {} of group \"{gb}\" have a law, but their contact is not built yet: the run stops if they come near each other",
                    a.name(),
                    b.name()
                ));
            }
        }
    }
    out
}

/// The detector of all pairs that have a law and of which at least one can be pushed.
pub(crate) fn detector<L: ?Sized + Send + Sync + 'static>(
    setup: &Setup,
    shapes: &Arc<Shapes>,
    loads: &Loads,
    laws: &LawTable<L>,
) -> Result<Detector, InputError> {
    detector_apart_from(setup, shapes, loads, laws, Together::default())
}

/// The same without the pairs that joints hold `together`.
pub(crate) fn detector_apart_from<L: ?Sized + Send + Sync + 'static>(
    setup: &Setup,
    shapes: &Arc<Shapes>,
    loads: &Loads,
    laws: &LawTable<L>,
    together: Together,
) -> Result<Detector, InputError> {
    let responds: Vec<bool> = (0..setup.bodies.len()).map(|i| loads.responds(BodyId::from_index(i))).collect();
    // Skins are looked for by themselves.
    let deformable: Vec<bool> = (0..setup.bodies.len()).map(|i| loads.is_deformable(BodyId::from_index(i))).collect();
    let (group, laws) = (setup.bodies.group.clone(), laws.clone());
    Detector::new(shapes.clone(), setup.dimension, move |a: BodyId, b: BodyId| {
        !(deformable[a.index()] || deformable[b.index()])
            && (responds[a.index()] || responds[b.index()])
            && laws.between(group[a.index()], group[b.index()]).is_some()
            && !together.has(a, b)
    })
    .and_then(|d| d.with_periods(setup.periods))
    .map_err(|e| InputError::new(e.to_string()).at("bodies"))
}

/// Which groups have bodies that move, and more than one body.
pub(crate) struct GroupMobility {
    mobile: Vec<bool>,
    responsive: Vec<bool>,
    several: Vec<bool>,
}

impl GroupMobility {
    pub(crate) fn of_setup(setup: &Setup, loads: &Loads) -> Self {
        let n = setup.groups.len();
        let (mut mobile, mut responsive, mut count) = (vec![false; n], vec![false; n], vec![0_usize; n]);
        for (i, group) in setup.bodies.group.iter().enumerate() {
            let body = BodyId::from_index(i);
            mobile[group.index()] |= loads.is_mobile(body);
            responsive[group.index()] |= loads.responds(body);
            count[group.index()] += 1;
        }
        Self { mobile, responsive, several: count.into_iter().map(|c| c > 1).collect() }
    }

    /// Two groups can meet when a contact between them could push something.
    pub(crate) fn can_meet(&self, a: GroupId, b: GroupId) -> bool {
        let (i, j) = (a.index(), b.index());
        let pushes = self.responsive[i] || self.responsive[j];
        pushes && (self.mobile[i] || self.mobile[j]) && (i != j || self.several[i])
    }
}
