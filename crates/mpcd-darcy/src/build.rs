//! From parameters to a solver: checks that need the model, and errors that say what to do. No stepping here.

use mpcd_core::{Dimension, GridSpec, InputError, Setup};

use crate::{
    biot::BiotLaw,
    ends::{EndLaw, FACE_KEYS},
    fluid::{Compressible, Fluid},
    grains::Grains,
    grid::Grid,
    linear::LinearMethod,
    medium::{Permeability, PorosityBounds},
    params::{
        AxisParams, BoundariesParams, CellCounts, DarcyParams, EndParams, FluidParams, FormParams, GridParams, InitialParams,
        LinearParams, PermeabilityParams, SchemeParams,
    },
    pass::NewtonSettings,
    schedule::Composition,
    smooth::Smoother,
    step::{Form, Scheme},
};

/// Most cells a grid may have.
const MOST_CELLS: usize = 20_000_000;
const AXES: [char; 3] = ['x', 'y', 'z'];

/// The fluid of the parameters.
pub(crate) const fn fluid(params: &FluidParams) -> Fluid {
    match *params {
        FluidParams::Gas { viscosity, reference_pressure, density, reference_temperature, viscosity_exponent, slip } => Fluid {
            state: Compressible::Gas {
                reference_pressure: reference_pressure.si(),
                reference_temperature: reference_temperature.si(),
                thickening: viscosity_exponent.si(),
                slip: slip.si(),
            },
            viscosity: viscosity.si(),
            density: density.si(),
        },
        FluidParams::Liquid { viscosity, compressibility, density } => Fluid {
            state: Compressible::Liquid { compressibility: compressibility.si() },
            viscosity: viscosity.si(),
            density: density.si(),
        },
    }
}

/// The permeability law; Carman–Kozeny on a raw planar fraction is refused.
pub(crate) fn permeability(params: &DarcyParams, setup: &Setup) -> Result<Permeability, InputError> {
    match params.permeability {
        PermeabilityParams::Given(value) => Ok(Permeability::Given(value.si())),
        PermeabilityParams::CarmanKozeny if setup.dimension == Dimension::Planar && !params.monolayer => Err(InputError::new(
            "Carman–Kozeny needs the solid fraction of spheres, but this model is planar and its fraction is that of discs",
        )
        .help("write `monolayer: true` (spheres in a cell one diameter thick), or give `permeability: Given(\"… m^2\")`")
        .at("permeability")),
        PermeabilityParams::CarmanKozeny => Ok(Permeability::CarmanKozeny),
    }
}

/// Refuses keys that belong to planar models in a spatial one.
pub(crate) fn check_planar_keys(params: &DarcyParams, setup: &Setup) -> Result<(), InputError> {
    let key = match (params.monolayer, params.thickness) {
        (true, _) => "monolayer",
        (_, Some(_)) => "thickness",
        _ => return Ok(()),
    };
    if setup.dimension == Dimension::Planar {
        return Ok(());
    }
    Err(InputError::new(format!("`{key}` belongs to planar models, but this model is spatial")).help("remove it").at(key))
}

/// Bounds in order.
pub(crate) fn bounds(params: &DarcyParams) -> Result<PorosityBounds, InputError> {
    let (min, max) = (params.porosity.min.si(), params.porosity.max.si());
    if 0.0 < min && min < max && max < 1.0 {
        return Ok(PorosityBounds { min, max });
    }
    Err(InputError::new(format!("the porosity is bounded by {min} and {max}, expected 0 < min < max < 1"))
        .help("the defaults are (min: 0.05, max: 0.75)")
        .at("porosity"))
}

/// How grains yield to the pressure: a liquid's, by the conservative form, in a bed whose coefficient is no less than its porosity.
pub(crate) fn biot(
    params: &DarcyParams,
    bounds: PorosityBounds,
    scheme: &Scheme,
    setup: &Setup,
) -> Result<Option<BiotLaw>, InputError> {
    let Some(biot) = params.biot else { return Ok(None) };
    let refuse = |words: String, help: &str| Err(InputError::new(words).help(help.to_owned()).at("biot"));
    let coefficient = biot.coefficient.si();
    if matches!(params.fluid, FluidParams::Gas { .. }) {
        return refuse(
            "`biot` is for a liquid; a gas is softer than any grain by orders of magnitude".to_owned(),
            "remove `biot`",
        );
    }
    if scheme.form == Form::Source {
        return refuse("`form: Source` does not know grains that yield".to_owned(), "remove `biot`, or `form: Source`");
    }
    if !(bounds.max..=1.0).contains(&coefficient) {
        return refuse(
            format!(
                "Biot's coefficient is {coefficient}, expected a number from {} (`max` of `porosity`) to 1: it is no less than the porosity of any bed",
                bounds.max
            ),
            "correct the coefficient, or lower `max` of `porosity`; a coefficient below 1 holds up to a porosity of 2 max − 1, or max/2 where that is more",
        );
    }
    if coefficient < 1.0 && params.couple.buoyancy && setup.gravity.norm() > 0.0 {
        return refuse(
            "buoyancy −ρ_f V g is that of grains that do not yield (α = 1)".to_owned(),
            "write `couple: (buoyancy: false)`, and take the density of the grains in the liquid if their weight matters",
        );
    }
    Ok(Some(BiotLaw { coefficient, modulus: biot.grain_modulus.map(|k| k.si()) }))
}

/// Least standard deviation of the kernel in cells at which the force on a grain no longer knows them.
const LEAST_CELLS: f64 = 1.25;

/// What spreads the grains: as wide as a hat of this half-width in mean radii, and wide enough for the cells.
pub(crate) fn smoother(params: &DarcyParams, grid: &Grid, grains: &Grains) -> Smoother {
    let half = params.smoothing.si() * grains.mean_radius();
    if half == 0.0 { Smoother::none() } else { Smoother::new(grid, half / 6_f64.sqrt(), LEAST_CELLS) }
}

/// The grid, with its periodic axes.
pub(crate) fn grid(params: &GridParams, ends: &[[EndLaw; 2]; 3], setup: &Setup, thickness: f64) -> Result<Grid, InputError> {
    let (mut from, mut to) = (params.from.si(), params.to.si());
    let planar = setup.dimension == Dimension::Planar;
    if planar {
        (from.z, to.z) = (-0.5 * thickness, 0.5 * thickness);
    }
    let axes = if planar { 2 } else { 3 };
    for axis in 0..axes {
        if to[axis] <= from[axis] {
            return Err(InputError::new(format!(
                "the grid goes from {} to {} along {}, expected `from` below `to`",
                from[axis], to[axis], AXES[axis]
            ))
            .help("give the lowest corner as `from` and the highest as `to`")
            .at("grid"));
        }
    }
    let cells = cell_counts(params, from.into(), to.into(), axes)?;
    let spacing = std::array::from_fn(|d| (to[d] - from[d]) / cells[d] as f64);
    let periodic = std::array::from_fn(|d| matches!(ends[d][0], EndLaw::Periodic));
    for axis in (0..axes).filter(|d| periodic[*d]) {
        let length = to[axis] - from[axis];
        if setup.periods[axis].is_none() {
            return Err(InputError::new(format!(
                "the grid is periodic along {0}, but the model does not repeat along {0}: grains would leave the fluid at one face and feel it at the other",
                AXES[axis]
            ))
            .help(format!("make the model periodic along {}, or give another law to these faces", AXES[axis]))
            .at(FACE_KEYS[axis][0]));
        }
        if let Some(period) = setup.periods[axis].filter(|period| (period - length).abs() > 1e-9 * length) {
            return Err(InputError::new(format!(
                "the grid repeats after {length} m along {}, the model after {period} m: grains would feel the fluid of another place",
                AXES[axis]
            ))
            .help("give the grid the length of the model's period, or another law to its faces")
            .at("grid"));
        }
    }
    Ok(Grid::new(GridSpec { origin: from.into(), spacing, cells }, periodic))
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "positive, and bounded below")]
fn cell_counts(params: &GridParams, from: [f64; 3], to: [f64; 3], axes: usize) -> Result<[usize; 3], InputError> {
    let mut cells = [1; 3];
    match (params.cell, &params.cells) {
        (Some(edge), None) => {
            let longest = (0..axes).map(|d| to[d] - from[d]).fold(0.0, f64::max);
            if edge.si() > longest {
                return Err(InputError::new(format!(
                    "a cell of {} m is longer than the grid, which is {longest} m along its longest side",
                    edge.si()
                ))
                .help("take cells of about one grain diameter")
                .at("cell"));
            }
            for d in 0..axes {
                // capped, so that an absurd edge is refused below rather than overflowing
                cells[d] = ((to[d] - from[d]) / edge.si()).round().clamp(1.0, 1e9) as usize;
            }
        }
        (None, Some(CellCounts(given))) if given.len() == axes && given.iter().all(|n| *n > 0) => {
            cells[..axes].copy_from_slice(given);
        }
        (None, Some(CellCounts(given))) => {
            return Err(InputError::new(format!("`cells` is {given:?}, expected {axes} numbers of at least 1"))
                .help(if axes == 2 { "write (nx, ny)" } else { "write (nx, ny, nz)" })
                .at("cells"));
        }
        _ => {
            return Err(InputError::new(
                "the grid needs either `cell` (the edge of a cell) or `cells` (their numbers), not both",
            )
            .help("write for example `cell: \"2 mm\"`")
            .at("grid"));
        }
    }
    let total = cells.iter().try_fold(1_usize, |n, c| n.checked_mul(*c)).filter(|n| *n <= MOST_CELLS);
    match total {
        Some(_) => Ok(cells),
        None => Err(InputError::new(format!(
            "the grid would have {} × {} × {} cells, the limit is {MOST_CELLS}",
            cells[0], cells[1], cells[2]
        ))
        .help("take larger cells; one grain diameter is usual")
        .at("grid")),
    }
}

/// The ends, with periodic pairs checked.
pub(crate) fn ends(params: &BoundariesParams, setup: &Setup) -> Result<[[EndLaw; 2]; 3], InputError> {
    let law = |p: &EndParams| match p {
        EndParams::Wall => EndLaw::Wall,
        EndParams::Piston { group, outside } => {
            EndLaw::Piston { group: group.clone(), outside: outside.as_ref().map(|p| p.si()) }
        }
        EndParams::Periodic => EndLaw::Periodic,
        EndParams::Pressure(f) => EndLaw::Pressure(f.clone()),
        EndParams::Flux(f) => EndLaw::Flux(f.clone()),
    };
    let p = params;
    let ends = [[law(&p.x_min), law(&p.x_max)], [law(&p.y_min), law(&p.y_max)], [law(&p.z_min), law(&p.z_max)]];
    for (pair, keys) in ends.iter().zip(FACE_KEYS) {
        let periodic = pair.each_ref().map(|e| matches!(e, EndLaw::Periodic));
        if periodic[0] != periodic[1] {
            let (says, lacks) = if periodic[0] { (keys[0], keys[1]) } else { (keys[1], keys[0]) };
            return Err(InputError::new(format!("`{says}` is Periodic but `{lacks}` is not; both faces of an axis must be"))
                .help(format!("write `{lacks}: Periodic` too"))
                .at(says));
        }
    }
    if setup.dimension == Dimension::Planar && ends[2].iter().any(|e| !matches!(e, EndLaw::Wall)) {
        return Err(InputError::new("a planar model has no z faces").help("remove `z_min` and `z_max`").at("boundaries"));
    }
    Ok(ends)
}

/// The scheme.
pub(crate) fn scheme(params: &DarcyParams) -> Result<Scheme, InputError> {
    let (composition, theta, substeps, form) = match params.scheme {
        SchemeParams::Unsplit { theta, substeps } => (Composition::Unsplit, theta, substeps, Form::Conservative),
        SchemeParams::Split { theta, substeps, form } => {
            let form = if form == FormParams::Source { Form::Source } else { Form::Conservative };
            (Composition::Split, theta, substeps, form)
        }
    };
    for (key, value) in [("substeps", substeps as u64), ("max_iterations", params.max_iterations)] {
        if value == 0 {
            return Err(InputError::new(format!("`{key}` is 0, expected at least 1"))
                .help("leave it out for the default")
                .at(key));
        }
    }
    let linear = match params.linear_solver {
        LinearParams::Auto => LinearMethod::Auto,
        LinearParams::Cholesky => LinearMethod::Cholesky,
        LinearParams::ConjugateGradients => LinearMethod::ConjugateGradients,
        LinearParams::Multigrid => LinearMethod::Multigrid,
    };
    let newton = NewtonSettings { tolerance: params.tolerance.si(), max_iterations: params.max_iterations };
    Ok(Scheme { composition, form, theta: theta.si(), substeps, newton, linear })
}

/// The pressure of the world around (Pa).
pub(crate) const fn at_rest(fluid: &Fluid) -> f64 {
    if let Compressible::Gas { reference_pressure, .. } = fluid.state { reference_pressure } else { 0.0 }
}

/// The pressure of every cell at the start.
pub(crate) fn initial(params: Option<&InitialParams>, grid: &Grid, fluid: &Fluid) -> Result<Vec<f64>, InputError> {
    let axis = |a: AxisParams| match a {
        AxisParams::x => 0,
        AxisParams::y => 1,
        AxisParams::z => 2,
    };
    let rest = at_rest(fluid);
    let pressure: Vec<f64> = match params {
        None => vec![rest; grid.len()],
        Some(InitialParams::Uniform(p)) => vec![p.si(); grid.len()],
        Some(InitialParams::Step { axis: a, at, below, above }) => {
            let value = |c: usize| if grid.centre(c)[axis(*a)] < at.si() { below.si() } else { above.si() };
            (0..grid.len()).map(value).collect()
        }
        Some(InitialParams::Table { axis: a, points }) => {
            let points: Vec<(f64, f64)> = points.iter().map(|(x, p)| (x.si(), p.si())).collect();
            if points.is_empty() || points.windows(2).any(|w| w[1].0 <= w[0].0) {
                return Err(InputError::new(
                    "the table of the initial pressure needs at least one (place, pressure) and rising places",
                )
                .help("sort the points along the axis")
                .at("points"));
            }
            (0..grid.len()).map(|c| interpolate(&points, grid.centre(c)[axis(*a)])).collect()
        }
    };
    match pressure.iter().find(|p| !fluid.allows(**p)) {
        None => Ok(pressure),
        Some(p) => {
            Err(InputError::new(format!("the initial pressure is {p} Pa, expected an absolute pressure above zero in a gas"))
                .help("add the atmosphere: pressures of a gas are absolute")
                .at("initial"))
        }
    }
}

fn interpolate(points: &[(f64, f64)], x: f64) -> f64 {
    let i = points.partition_point(|p| p.0 <= x).clamp(1, points.len().max(2) - 1);
    match (points.get(i - 1), points.get(i)) {
        (Some(a), Some(b)) => a.1 + (b.1 - a.1) * ((x - a.0) / (b.0 - a.0)).clamp(0.0, 1.0),
        (Some(only), None) => only.1,
        _ => f64::NAN,
    }
}
