//! What a law can do beyond its local problem, each ability a trait of its own: a law that has it hands itself out, and what belongs together
//! comes together. No law and no scheduling of solves lives here.

use mpcd_core::{Mat3, Vec3};

use super::{Impact, LawInput, Memory, Shares, spread::Carried};

/// A law with a memory of each contact point.
pub trait Remembers: Send + Sync {
    /// The memory of a contact that was not in the network before.
    fn initial(&self, input: &LawInput) -> Memory {
        let _ = input;
        Memory::default()
    }

    /// After the solve: `u` is the relative velocity at the end of the step with the surfaces' growth (so h·u is how the surfaces moved
    /// apart) [m/s], `r` the impulse [N s]. Brings the memory up to date and says what the impulse is made of. Called once a step, in the order
    /// of the contacts; must depend on its arguments alone.
    fn accept(&self, input: &LawInput, u: &Vec3, r: &Vec3, memory: &mut Memory) -> Shares;

    /// What the memory amounts to, for reports.
    fn tally(&self, memory: &Memory) -> Tally {
        let _ = memory;
        Tally::default()
    }

    /// Whether it has bonds, whose damage is shown ([`Tally::damage`]).
    fn bonds(&self) -> bool {
        false
    }

    /// Whether it pulls beside what the surfaces press with ([`Tally::pull`]).
    fn pulls(&self) -> bool {
        false
    }

    /// Whether a point of a mesh lacks what its contact remembers as a whole (a bridge, a way slid): where a contact goes on from node to node, it takes
    /// over the memory of the nearest point of its pair that [has](Self::has) it. Default: no point does, memory is of places.
    fn lacks(&self, input: &LawInput) -> bool {
        let _ = input;
        false
    }

    /// Whether all points of two convex bodies with this gap (m) have what one of them [has](Self::has): a bridge goes to where they are nearest. Default: no, memory is of places.
    fn is_of_pair(&self, gap: f64) -> bool {
        let _ = gap;
        false
    }

    /// Whether a memory has what others may lack.
    fn has(&self, memory: &Memory) -> bool {
        let _ = memory;
        false
    }

    /// The memory of a point that takes the place of others (the same surface under new names): `gone` are theirs, the nearest first, never none.
    /// Default: the numbers of the nearest and the mean of the vectors, so that springs of equal parts keep their sum.
    fn inherit(&self, gone: &[Memory]) -> Memory {
        let mut out = gone.first().copied().unwrap_or_default();
        for k in 0..out.vectors.len() {
            out.vectors[k] = gone.iter().map(|m| m.vectors[k]).sum::<Vec3>() / gone.len().max(1) as f64;
        }
        out
    }
}

/// What a contact's memory amounts to.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Tally {
    /// Whether it holds the two bodies together.
    pub bonded: bool,
    /// Damage of the bond: 0 intact, or no bond was ever there, 1 broken.
    pub damage: f64,
    /// Area of the bond as it was made (m²); 0 where it has none.
    pub area: f64,
    /// Whether it holds material points of the two surfaces together, and so goes where they go. On a face it is then kept by these points and
    /// not by the features that detection finds.
    pub anchored: bool,
    /// Pull of the last step that is in the contact's force and that the surfaces do not feel as pressure taken off (N).
    pub pull: f64,
}

/// A law that holds contacts at a distance.
pub trait Reaches: Send + Sync {
    /// Gap (m) up to which a contact with this memory (`None`: a new one) is kept in the network, if that is beyond the alert distance.
    fn range(&self, memory: Option<&Memory>) -> f64;

    /// The largest range there can be (m), the gap up to which pairs are looked for.
    fn reach(&self) -> f64;

    /// Whether it acts on whatever comes within its range, not on what has touched alone: a pair that comes in within the step is then at hand before.
    fn meets_at_range(&self) -> bool {
        false
    }

    /// Whether a pair of this gap and memory is kept, where what moves comes as much as `alert` (m) closer within the step.
    fn keeps(&self, gap: f64, memory: Option<&Memory>, alert: f64) -> bool {
        gap <= self.range(memory) + if self.meets_at_range() { alert } else { 0.0 }
    }
}

/// A law that a step may have to solve for in stages: something is held while the problem is solved ([`LawInput::held`]), looked at afterwards,
/// and raised if need be, until nothing rises. It never falls within a step, so the stages end.
pub trait Stages: Send + Sync {
    /// What is held in the first stage; `None` for a contact that needs no stages.
    fn begin(&self, input: &LawInput) -> Option<Begin>;

    /// Raises what is held of the points of one patch that take part, [`StagePoint::held`], to what the stage came to.
    fn raise(&self, patch: &mut [StagePoint<'_>]);

    /// Whether the motion and the impulse of a point, which the law joins, agree too little to tell what is to be raised: the solve, to this tolerance, was not
    /// fine enough.
    fn is_unclear(&self, point: &StagePoint<'_>, tolerance: f64) -> bool {
        let _ = (point, tolerance);
        false
    }

    /// Whether this point is a bond that does not open as long as what is held stays, so that statics leaves open what it carries.
    fn is_rigid(&self, input: &LawInput) -> bool {
        let _ = input;
        false
    }

    /// How far the surfaces of a rigid point are from where they were bonded (m), local (n, t, s); along the surfaces where that is known.
    fn drift(&self, input: &LawInput) -> Vec3 {
        let _ = input;
        Vec3::zeros()
    }

    /// How far a rigid point may drift before that is closed (m): little of its length, and of the opening by which it parts.
    fn slack(&self, input: &LawInput) -> f64 {
        SLACK * input.length()
    }

    /// Whether a point that is not held, but found within the solve, holds as what is rigid does; `None` where that is not known apart from its motion.
    fn holds(&self, _: &StagePoint<'_>) -> Option<bool> {
        None
    }

    /// Whether what is held is a damage from 0 to 1 that grows bit by bit, so that two stages tell where it leads.
    fn is_gradual(&self) -> bool {
        false
    }
}

/// Part of the length of a contact that bonds may drift.
pub(crate) const SLACK: f64 = 1e-5;

/// How a contact enters the stages of a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Begin {
    /// What is held.
    pub held: f64,
    /// Whether it is held from the first solve on. Else the law finds its own in the solve, and is held only where that does not converge.
    pub at_once: bool,
}

/// A point of a patch, and what a stage came to there.
#[derive(Debug, Clone, Copy)]
pub struct StagePoint<'a> {
    /// What the law was given.
    pub input: &'a LawInput,
    /// Place (m), local (n, t, s) from any one origin.
    pub at: Vec3,
    /// Relative velocity, as for [`Remembers::accept`] [m/s].
    pub u: Vec3,
    /// Impulse [N s].
    pub r: Vec3,
    /// The contact's block of the Delassus operator [1/kg]; the s row and column are zero in the plane.
    pub block: Mat3,
    /// About which axes (n, t, s) the two bodies can turn against each other.
    pub turns: [bool; 3],
    /// What is held, to be raised; where nothing is, what there was at the start of the step.
    pub held: f64,
    /// What the law wants to tell [`Remembers::accept`] about the patch ([`LawInput::note`]).
    pub note: f64,
}

impl StagePoint<'_> {
    /// What it carries, to be spread over its patch.
    #[must_use]
    pub fn carried(&self) -> Carried {
        Carried { at: self.at, r: self.r, share: self.input.share }
    }
}

/// A law that wears surfaces off.
pub trait Wears: Send + Sync {
    /// Volume worn off by this contact in the step (m³). `u` is the relative velocity by which friction does its work: the mean of before and after, of which
    /// what comes to stick within the step has slid a part [m/s]. `r` is the point's part of what its patch carries [N s].
    fn worn(&self, u: &Vec3, r: &Vec3) -> f64;
}

/// What a law gives back of an impact.
#[derive(Clone, Copy, Default)]
pub enum Restitution<'a> {
    /// Nothing.
    #[default]
    None,
    /// Part of the velocity of approach, as a shift. Such laws can create energy, and are watched.
    Velocity,
    /// Part of the compression, in a phase of its own.
    Phases(&'a dyn Restitutes),
}

/// A law with a phase of restitution after the compression that its local problem describes.
pub trait Restitutes: Send + Sync {
    /// What this contact gives back, if it is struck.
    fn impact(&self, input: &LawInput) -> Option<Impact>;

    /// Whether the share is of the energy, so that a normal impulse makes none.
    fn is_energetic(&self) -> bool {
        false
    }
}
