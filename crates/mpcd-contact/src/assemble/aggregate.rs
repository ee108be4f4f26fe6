//! Which bodies bonds hold together as one: what turns with its neighbours. A contact without a bond between two bodies of one aggregate goes along the arcs that its bonds go along; of straight
//! ways it would be closed by them and jam. No law, no impulse.

use mpcd_core::{BodyId, Vec3};
use mpcd_geometry::Touch;

use super::AssemblyInput;
use crate::{deformable::Sides, law::Remembers};

/// Part of their spins by which those of two bodies of an aggregate may differ, so that they turn as one. What only hangs together rolls and strikes as others do.
const AS_ONE: f64 = 0.1;

/// The aggregates of a step; nothing is held where no law bonds.
#[derive(Debug, Default)]
pub(super) struct Aggregates {
    /// Of each body one of its aggregate, in the end the same of all.
    parent: Vec<u32>,
}

impl Aggregates {
    /// Joins the rigid bodies that bonds hold where the step begins, and at the start of a run those that are bonded then.
    pub(super) fn find(&mut self, input: &AssemblyInput<'_>, touches: &[Touch], sides: &Sides) {
        self.parent.clear();
        if input.ahead.is_some() || !input.laws.any(|law| law.memory().is_some_and(Remembers::bonds)) {
            return;
        }
        self.parent.extend(0..input.now.position.len() as u32);
        for kept in &input.last.memory {
            let key = &kept.key;
            let law = input.law_of_pair(key.candidate, key.antagonist).and_then(|law| input.laws.law(law).memory());
            if law.is_some_and(|law| law.tally(&kept.left()).anchored) {
                self.join(key.candidate, key.antagonist, sides);
            }
        }
        if input.last.last_h == 0.0 {
            for touch in touches {
                if input.law_of(touch).is_some_and(|law| input.bonds_now(input.laws.law(law), touch, sides)) {
                    self.join(touch.key.candidate, touch.key.antagonist, sides);
                }
            }
        }
        (0..self.parent.len()).for_each(|body| self.parent[body] = self.root(body) as u32);
    }

    fn join(&mut self, a: BodyId, b: BodyId, sides: &Sides) {
        if sides.is_deformable(a) || sides.is_deformable(b) {
            return;
        }
        let (a, b) = (self.root(a.index()), self.root(b.index()));
        self.parent[a.max(b)] = a.min(b) as u32;
    }

    /// The body that stands for all of its aggregate.
    fn root(&mut self, mut body: usize) -> usize {
        while self.parent[body] as usize != body {
            self.parent[body] = self.parent[self.parent[body] as usize];
            body = self.parent[body] as usize;
        }
        body
    }

    /// Whether the two bodies of a touch are of one aggregate and turn as one.
    pub(super) fn hold(&self, touch: &Touch, spins: &[Vec3]) -> bool {
        let (c, a) = (touch.key.candidate.index(), touch.key.antagonist.index());
        let as_one = || (spins[c] - spins[a]).norm() <= AS_ONE * spins[c].norm().max(spins[a].norm());
        c != a && !self.parent.is_empty() && self.parent[c] == self.parent[a] && as_one()
    }
}
