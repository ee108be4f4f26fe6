//! From grains to grid: solid volume, its flux through faces, and the mean motion of the grains, so that every cell closes.
//! No fluid here. The way back, from pressure to grains, uses the same weights ([`Stencil`]).
//!
//! # Derivation
//! A grain of volume V at **x** gives the cell c the volume V W_c(**x**), W_c = W_i(x) W_j(y) W_k(z), each factor the average of a
//! hat over the cell along one axis (see [`crate::kernel`]); ΣW_c = 1.
//!
//! *Moving.* While x goes straight from x₀ to x₁, the part of a hat f that crosses the face at e is
//! Q_e = ∫_{x₀}^{x₁} f(e − x) dx = (x₁ − x₀) R_e, with R_e the mean of f(e − x) over the path, and
//! W_i(x₁) − W_i(x₀) = Q_i − Q_{i+1}: along one axis continuity is exact, however far the grain moves.
//! In space let the axes move one after the other. In the order x, y, z the flux through an x face carries the weights
//! W_j(y₀) W_k(z₀) of the axes that have not moved yet; in the order y, x, z it carries W_j(y₁) W_k(z₀), and so on. Each order
//! closes every cell; the mean over the six favours no axis:
//!
//! Q = V (x₁ − x₀) R_i(x) T_jk,  T_jk = ⅓ W_j⁰ W_k⁰ + ⅙ W_j⁰ W_k¹ + ⅙ W_j¹ W_k⁰ + ⅓ W_j¹ W_k¹,
//!
//! which is the density decomposition of Esirkepov (Comput. Phys. Commun. 135 (2001) 144, doi:10.1016/S0010-4655(00)00228-9)
//! with the one-dimensional part in closed form.
//!
//! *Growing.* With volumes V₀, V₁, and V̄ their mean, V₁W¹ − V₀W⁰ = V̄ (W¹ − W⁰) + (V₁ − V₀) ½(W⁰ + W¹): the first part is
//! the flux above for V̄, the second is volume created in the cell. The width of the hat does not follow the size.
//!
//! *Mean velocity.* At a face the solid flux is J h = Σ V̄ R T δ (δ the displacement) and the solid cross-section is
//! S = Σ V̄ R T, so that ū h = J h / S is a true mean of displacements: if all grains move by δ, ū h = δ to rounding.
//!
//! *Where an end moves*, the cells stretch with it. All of the above then holds in places counted in cells: x − x₀ is the way past
//! the cells, the flux is that through the moving faces, and δ in the mean velocity stays the way in space.
//!
//! *Leaving.* A grain belongs to the grid while its centre is inside at the start of a step; within that step its end is
//! held inside. In the step that it starts outside its volume leaves through that end of the grid, and the cells close as well;
//! it enters likewise. So whether it belongs never depends on the end of the step, which a coupled run is still looking for.

use mpcd_core::Vec3;

use crate::{
    grid::{FaceField, Grid},
    kernel::{AxisWeights, half_width},
};

/// One grain over one step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GrainStep {
    /// Centre at the start and at the end (m).
    pub position: [Vec3; 2],
    /// Volume at the start and at the end (m³).
    pub volume: [f64; 2],
    /// Radius at the end (m).
    pub radius: f64,
    /// Least half-width of its own kernel (m): in cells finer than the grain it must not all be in one place. The rest is done by
    /// [`crate::smooth`].
    pub smoothing: f64,
    /// Whether its volume was in the grid at the end of the step before.
    pub member: bool,
}

/// Whether a grain belongs to the grid over a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// All the time.
    Inside,
    /// At no time.
    Outside,
    /// Its volume leaves through the end `high` of `axis`.
    Leaves {
        /// Axis.
        axis: usize,
        /// Whether the upper end.
        high: bool,
    },
    /// Its volume enters through the end `high` of `axis`.
    Enters {
        /// Axis.
        axis: usize,
        /// Whether the upper end.
        high: bool,
    },
}

/// The weights of one grain over one step, kept between grains to save memory.
#[derive(Debug, Clone, Default)]
pub struct Stencil {
    axes: [AxisWeights; 3],
    moved: Vec3,
}

/// Which end of which axis a point is beyond at the start (0) or end (1) of the step, if any.
fn beyond(grid: &Grid, when: usize, x: &Vec3) -> Option<(usize, bool)> {
    (0..3).filter(|&a| !grid.periodic(a)).find_map(|axis| {
        let [low, high] = grid.ends(when, axis);
        (!(low..=high).contains(&x[axis])).then_some((axis, x[axis] > low))
    })
}

/// Whether a point is in the grid at the start of the step. Every place along a periodic axis is.
#[must_use]
pub fn inside(grid: &Grid, x: &Vec3) -> bool {
    beyond(grid, 0, x).is_none()
}

/// How far a ball (of two `axes`: a disc) of this radius about a point in the grid reaches out of it at the start (m), below 0 where it does not.
#[must_use]
pub fn reach_out(grid: &Grid, axes: usize, x: &Vec3, radius: f64) -> f64 {
    let ends = (0..axes).filter(|&a| !grid.periodic(a)).map(|a| (a, grid.ends(0, a)));
    ends.map(|(a, [low, high])| (x[a] + radius - high).max(low - x[a] + radius)).fold(f64::NEG_INFINITY, f64::max)
}

/// The end of the grid that is nearest to a point inside at the start; the first in a box of periodic axes, which nothing can enter.
fn nearest_end(grid: &Grid, x: &Vec3) -> (usize, bool) {
    let mut nearest = (f64::INFINITY, (0, false));
    for axis in (0..3).filter(|&a| !grid.periodic(a)) {
        let [low, high] = grid.ends(0, axis);
        for (distance, high) in [(x[axis] - low, false), (high - x[axis], true)] {
            if distance < nearest.0 {
                nearest = (distance, (axis, high));
            }
        }
    }
    nearest.1
}

/// The nearest place of the grid at the start (0) or end (1) of the step, in cells from its low corner then.
fn held_inside(grid: &Grid, when: usize, x: &Vec3) -> Vec3 {
    Vec3::from_fn(|d, _| {
        let s = grid.in_cells(when, d, x[d]);
        if grid.periodic(d) { s } else { s.clamp(0.0, grid.cells(d) as f64) }
    })
}

impl Stencil {
    /// Prepares the weights of a grain.
    pub fn prepare(&mut self, grid: &Grid, grain: &GrainStep) -> Presence {
        let [mut before, mut after] = [0, 1].map(|when| held_inside(grid, when, &grain.position[when]));
        let presence = match (grain.member, beyond(grid, 0, &grain.position[0])) {
            (true, None) => Presence::Inside,
            (false, Some(_)) => return Presence::Outside,
            (true, Some((axis, high))) => {
                after = before;
                Presence::Leaves { axis, high }
            }
            (false, None) => {
                let (axis, high) = nearest_end(grid, &grain.position[0]);
                before = after;
                Presence::Enters { axis, high }
            }
        };
        for axis in 0..3 {
            if grid.periodic(axis) {
                // the nearest image, should the position have been wrapped round
                let length = grid.cells(axis) as f64;
                after[axis] -= ((after[axis] - before[axis]) / length).round() * length;
            }
            let half = half_width(grid, axis, grain.smoothing);
            self.axes[axis].fill(grid, axis, half, before[axis], after[axis]);
            // past the cells, and in space
            let past = self.axes[axis].displacement;
            self.moved[axis] = if grid.moves(axis) && presence == Presence::Inside {
                let [low, high] = grid.ends(1, axis);
                grain.position[1][axis].clamp(low, high) - grain.position[0][axis]
            } else {
                past
            };
        }
        presence
    }

    /// Displacement along an axis past the cells (m).
    #[must_use]
    pub const fn displacement(&self, axis: usize) -> f64 {
        self.axes[axis].displacement
    }

    /// Displacement in space (m).
    #[must_use]
    pub const fn moved(&self) -> Vec3 {
        self.moved
    }

    /// Calls `visit(cell, part before, part after)`; a cell may come more than once.
    pub fn for_each_cell(&self, grid: &Grid, mut visit: impl FnMut(usize, f64, f64)) {
        let [x, y, z] = &self.axes;
        for c in &z.cells {
            for b in &y.cells {
                let (before, after) = (b.before * c.before, b.after * c.after);
                for a in &x.cells {
                    visit(grid.cell([a.index, b.index, c.index]), a.before * before, a.after * after);
                }
            }
        }
    }

    /// Calls `visit(face, density R T [1/m], whether it is an end of the grid)`; a face may come more than once.
    pub fn for_each_face(&self, grid: &Grid, axis: usize, mut visit: impl FnMut(usize, f64, bool)) {
        let (second, third) = ((axis + 1) % 3, (axis + 2) % 3);
        let count = |d: usize| if d == axis { grid.faces_per_line(d) } else { grid.cells(d) };
        let stride = [1, count(0), count(0) * count(1)];
        for c in &self.axes[third].cells {
            for b in &self.axes[second].cells {
                let across = ((b.before * c.before + b.after * c.after) * 2.0 + b.before * c.after + b.after * c.before) / 6.0;
                if across == 0.0 {
                    continue;
                }
                let row = b.index * stride[second] + c.index * stride[third];
                for f in &self.axes[axis].faces {
                    visit(row + f.index * stride[axis], f.density * across, f.end);
                }
            }
        }
    }

    /// Calls `visit(face, part of the grain)` for the faces its volume passes, towards the end `high` of `axis`, when it leaves.
    fn for_each_face_out(&self, grid: &Grid, axis: usize, high: bool, mut visit: impl FnMut(usize, f64)) {
        let n = grid.cells(axis);
        self.for_each_cell(grid, |cell, part, _| {
            let mut at = grid.indices(cell);
            let faces = if high { at[axis] + 1..n + 1 } else { 0..at[axis] + 1 };
            for face in faces {
                at[axis] = face;
                visit(grid.face(axis, at), part);
            }
        });
    }
}

/// What the grains make of the grid over one step.
#[derive(Debug, Clone)]
pub struct Deposit {
    /// Solid volume of each cell at the start (m³).
    pub solid_before: Vec<f64>,
    /// Solid volume of each cell at the end (m³).
    pub solid_after: Vec<f64>,
    /// Solid volume created in each cell (m³).
    pub growth: Vec<f64>,
    /// Sum of volume over radius in each cell (m²), mean of start and end; the solid volume over it is the mean radius.
    pub volume_over_radius: Vec<f64>,
    /// Σ V δ of each cell (m⁴), mean of start and end.
    pub moved: Vec<Vec3>,
    /// Solid volume through each face (m³), positive along the axis; past the face where it moves.
    pub solid_flux: FaceField,
    /// Solid cross-section S of each face (m²).
    pub cross_section: FaceField,
    /// Σ V R T δ of each face (m³): the cross-section times the mean displacement.
    pub carried: FaceField,
    /// Grains that did not belong to the grid at any time.
    pub outside: usize,
    /// Grains that left or entered, per axis and end.
    pub crossed: [[usize; 2]; 3],
}

impl Deposit {
    /// An empty grid.
    #[must_use]
    pub fn new(grid: &Grid) -> Self {
        let cells = || vec![0.0; grid.len()];
        Self {
            solid_before: cells(),
            solid_after: cells(),
            growth: cells(),
            volume_over_radius: cells(),
            moved: vec![Vec3::zeros(); grid.len()],
            solid_flux: grid.face_field(),
            cross_section: grid.face_field(),
            carried: grid.face_field(),
            outside: 0,
            crossed: [[0; 2]; 3],
        }
    }

    /// Forgets the grains.
    pub fn clear(&mut self) {
        for cells in [&mut self.solid_before, &mut self.solid_after, &mut self.growth, &mut self.volume_over_radius] {
            cells.fill(0.0);
        }
        self.moved.fill(Vec3::zeros());
        for faces in [&mut self.solid_flux, &mut self.cross_section, &mut self.carried] {
            faces.clear();
        }
        self.outside = 0;
        self.crossed = [[0; 2]; 3];
    }

    /// Adds one grain. The order of the grains decides the last bits.
    pub fn add(&mut self, grid: &Grid, stencil: &mut Stencil, grain: &GrainStep) {
        match stencil.prepare(grid, grain) {
            Presence::Inside => self.add_inside(grid, stencil, grain),
            Presence::Outside => self.outside += 1,
            Presence::Leaves { axis, high } => self.add_crossing(grid, stencil, grain, axis, high, true),
            Presence::Enters { axis, high } => self.add_crossing(grid, stencil, grain, axis, high, false),
        }
    }

    fn add_inside(&mut self, grid: &Grid, stencil: &Stencil, grain: &GrainStep) {
        let [before, after] = grain.volume;
        let (mean, grown) = (0.5 * (before + after), after - before);
        let (moved, past) = (stencil.moved(), Vec3::from_fn(|d, _| stencil.displacement(d)));
        stencil.for_each_cell(grid, |cell, w0, w1| {
            let part = 0.5 * (w0 + w1);
            self.solid_before[cell] += before * w0;
            self.solid_after[cell] += after * w1;
            self.growth[cell] += grown * part;
            self.volume_over_radius[cell] += mean * part / grain.radius;
            self.moved[cell] += moved * (mean * part);
        });
        for axis in 0..3 {
            let (flux, section, carried) =
                (&mut self.solid_flux.0[axis], &mut self.cross_section.0[axis], &mut self.carried.0[axis]);
            stencil.for_each_face(grid, axis, |face, density, end| {
                section[face] += mean * density;
                carried[face] += mean * density * moved[axis];
                if !end {
                    flux[face] += mean * density * past[axis];
                }
            });
        }
    }

    fn add_crossing(&mut self, grid: &Grid, stencil: &Stencil, grain: &GrainStep, axis: usize, high: bool, leaves: bool) {
        self.crossed[axis][usize::from(high)] += 1;
        let volume = grain.volume[usize::from(!leaves)];
        let cells = if leaves { &mut self.solid_before } else { &mut self.solid_after };
        stencil.for_each_cell(grid, |cell, part, _| cells[cell] += volume * part);
        stencil.for_each_cell(grid, |cell, part, _| self.volume_over_radius[cell] += 0.5 * volume * part / grain.radius);
        let outwards = if high == leaves { volume } else { -volume };
        let flux = &mut self.solid_flux.0[axis];
        stencil.for_each_face_out(grid, axis, high, |face, part| flux[face] += outwards * part);
    }
}
