//! Heat in meshes: linear temperatures exact on distorted meshes with fluxes at their sides, order of convergence of a manufactured
//! solution, what nodes store.

use std::sync::Arc;

use mpcd_core::{Mat3, Vec3};
use mpcd_fem::{Cell, HeatMesh, Mesh, Meshed, Purpose, Rule, Shape, Space};
use mpcd_sparse::{Cholesky, SymmetricMatrix, SymmetricPattern};

use crate::{PLANAR, SPATIAL, slope, unit};

const PLANE: Space = Space::PlaneStress { thickness: 0.3 };

fn spaces(cell: Cell) -> Vec<Space> {
    if cell.dimension() == 3 { vec![Space::Solid] } else { vec![PLANE, Space::Axisymmetric] }
}

fn heat(mesh: Mesh, space: Space) -> HeatMesh {
    HeatMesh::new(Meshed { mesh: Arc::new(mesh), space, unscaled: false }).unwrap()
}

/// Steady temperatures of conductivity 1 with these sources at the nodes, some held.
fn steady(heat: &HeatMesh, held: &[Option<f64>], mut sources: Vec<f64>) -> Vec<f64> {
    let pattern = SymmetricPattern::from_edges(held.len(), heat.pairs()).unwrap();
    let mut matrix = SymmetricMatrix::zeros(&pattern);
    for (edge, g) in heat.conductances(|_| 1.0).into_iter().enumerate() {
        matrix.add_conductance(edge, g);
    }
    matrix.hold(held, &mut sources).unwrap();
    let mut cholesky = Cholesky::analyse(&pattern).unwrap();
    cholesky.factorise(&matrix).unwrap();
    cholesky.solve_in_place(&mut sources).unwrap();
    sources
}

/// A square or cube whose nodes are moved inside, so that its sides stay plane.
fn shaken(cell: Cell, n: usize, from: f64) -> Mesh {
    let bump = |x: f64| (std::f64::consts::PI * x).sin();
    let size = if cell.is_quadratic() { 0.03 } else { 0.06 };
    let moved = unit(cell, n).moved(|x| {
        let (z, d) = if cell.dimension() == 3 { (bump(x.z), 1.0) } else { (1.0, 0.0) };
        x + Vec3::new(1.0, -0.7, 0.5 * d) * (size * bump(x.x) * bump(x.y) * z)
    });
    moved.unwrap().moved(|x| x + from * Vec3::x()).unwrap()
}

/// On one side the temperature, on the others the flux of a linear temperature: it is that of all nodes.
#[test]
fn a_linear_temperature_is_exact_on_distorted_meshes() {
    for cell in PLANAR.into_iter().chain(SPATIAL) {
        for space in spaces(cell) {
            // around an axis a flux along it alone is in balance
            let round = space == Space::Axisymmetric;
            let slope = if round {
                Vec3::new(0.0, -2.0, 0.0)
            } else {
                Vec3::new(3.0, -2.0, if cell.dimension() == 3 { 1.5 } else { 0.0 })
            };
            let field = |x: Vec3| 5.0 + slope.dot(&x);
            let heat = heat(shaken(cell, 3, if round { 0.5 } else { 0.0 }), space);
            let mesh = heat.mesh();
            let mut held = vec![None; mesh.nodes().len()];
            mesh.nodes_of("bottom").unwrap().into_iter().for_each(|n| held[n] = Some(field(mesh.nodes()[n])));
            let mut sources = vec![0.0; held.len()];
            let sides =
                [("left", -Vec3::x()), ("right", Vec3::x()), ("top", Vec3::y()), ("back", -Vec3::z()), ("front", Vec3::z())];
            let mut area = 0.0;
            for (side, normal) in &sides[..if cell.dimension() == 3 { 5 } else { 3 }] {
                for share in heat.surface(Some(side)).unwrap() {
                    area += share.area;
                    share.point.parts().for_each(|(n, w)| sources[n] += w * share.area * slope.dot(normal));
                }
            }
            let found = steady(&heat, &held, sources);
            let error = found.iter().zip(mesh.nodes()).map(|(t, x)| (t - field(*x)).abs()).fold(0.0, f64::max);
            assert!(error < 1e-11, "{} {space:?}: {error:e}", cell.name());
            let tau = std::f64::consts::TAU;
            let expected = match space {
                Space::Solid => 5.0,
                Space::Axisymmetric => tau * (0.5 + 1.5 + 1.0),
                _ => 3.0 * 0.3,
            };
            assert!((area / expected - 1.0).abs() < 1e-12, "{} {space:?}: area {area} of {expected}", cell.name());
        }
    }
}

/// ‖T_h − T‖ over the mesh.
fn error(mesh: &Mesh, found: &[f64], field: impl Fn(Vec3) -> f64) -> f64 {
    let mut sum = 0.0;
    for e in 0..mesh.elements() {
        let cell = mesh.cell(e);
        let rule = Rule::of(cell, Purpose::Mass);
        for (p, w) in rule.points.iter().zip(&rule.weights) {
            let shape = Shape::at(cell, *p);
            let (mut x, mut t, mut j) = (Vec3::zeros(), 0.0, Mat3::zeros());
            for (a, &n) in mesh.element(e).iter().enumerate() {
                x += mesh.nodes()[n] * shape.value[a];
                t += found[n] * shape.value[a];
                j += mesh.nodes()[n] * Vec3::from(shape.derivative[a]).transpose();
            }
            if cell.dimension() == 2 {
                j[(2, 2)] = 1.0;
            }
            sum += w * j.determinant() * (t - field(x)).powi(2);
        }
    }
    sum.sqrt()
}

/// −ΔT = f with T = sin(2x + 0.3) cos(1.5y) cos(z), around the axis T = r²z²: h² of linear cells, h³ of quadratic ones.
#[test]
fn order_in_space() {
    let wave = |x: Vec3| (2.0 * x.x + 0.3).sin() * (1.5 * x.y).cos() * x.z.cos();
    for cell in PLANAR.into_iter().chain(SPATIAL) {
        for space in spaces(cell) {
            let eigenvalue = if cell.dimension() == 3 { 7.25 } else { 6.25 };
            let round = space == Space::Axisymmetric;
            let field = |x: Vec3| if round { (x.x * x.y).powi(2) } else { wave(x) };
            let source = |x: Vec3| if round { -4.0 * x.y * x.y - 2.0 * x.x * x.x } else { eigenvalue * wave(x) };
            let counts: &[usize] = match (cell.dimension(), cell.is_quadratic()) {
                (2, _) => &[8, 16],
                (_, true) => &[4, 8],
                _ => &[5, 10],
            };
            let errors: Vec<f64> = counts
                .iter()
                .map(|&n| {
                    let bent = |x: Vec3| {
                        Vec3::new(x.x * (1.0 + 0.1 * x.y), x.y + 0.1 * (2.0 * x.x).sin(), x.z * (1.0 + 0.1 * x.x * x.y))
                    };
                    let heat = heat(unit(cell, n).moved(bent).unwrap(), space);
                    let mut held = vec![None; heat.mesh().nodes().len()];
                    let boundary = heat.mesh().nodes_of("skin").unwrap();
                    boundary.into_iter().for_each(|n| held[n] = Some(field(heat.mesh().nodes()[n])));
                    error(heat.mesh(), &steady(&heat, &held, heat.sources(source).unwrap()), field)
                })
                .collect();
            let h: Vec<f64> = counts.iter().map(|n| 1.0 / *n as f64).collect();
            let (found, expected) = (slope(&h, &errors), if cell.is_quadratic() { 3.0 } else { 2.0 });
            assert!((found - expected).abs() < 0.2, "{} {space:?}: order {found} of {expected}, errors {errors:?}", cell.name());
        }
    }
}

/// A strip of Q4 that is cold at both ends: sin πx decays with 6(1 − cos πh)/(h²(2 + cos πh)) of consistent storage, with 2(1 − cos πh)/h² of lumped.
#[test]
fn storage_of_nodes() {
    let n = 10;
    let h = 1.0 / f64::from(n);
    let heat = heat(Mesh::rectangle([1.0, 0.1], [n as usize, 1], Cell::Quad4).unwrap(), PLANE);
    let wave: Vec<f64> = heat.mesh().nodes().iter().map(|x| (std::f64::consts::PI * x.x).sin()).collect();
    let times = |diagonal: &[f64], between: &[f64]| {
        let mut out: Vec<f64> = diagonal.iter().zip(&wave).map(|(d, v)| d * v).collect();
        for (&(a, b), g) in heat.pairs().iter().zip(between) {
            out[a] += g * wave[b];
            out[b] += g * wave[a];
        }
        out
    };
    let g = heat.conductances(|_| 1.0);
    let mut sums = vec![0.0; wave.len()];
    heat.pairs().iter().zip(&g).for_each(|(&(a, b), g)| {
        sums[a] += g;
        sums[b] += g;
    });
    let flow = times(&sums, &g.iter().map(|g| -g).collect::<Vec<_>>());
    let (diagonal, between) = heat.consistent(|_| 1.0).unwrap();
    let lumped = heat.volumes().unwrap();
    let c = (std::f64::consts::PI * h).cos();
    for (stored, rate) in [
        (times(&diagonal, &between), 6.0 * (1.0 - c) / (h * h * (2.0 + c))),
        (times(&lumped, &vec![0.0; between.len()]), 2.0 * (1.0 - c) / (h * h)),
    ] {
        for (k, x) in heat.mesh().nodes().iter().enumerate().filter(|(_, x)| x.x > 1e-9 && x.x < 1.0 - 1e-9) {
            assert!((flow[k] / (rate * stored[k]) - 1.0).abs() < 1e-10, "at {x:?}: {} of {rate}", flow[k] / stored[k]);
        }
    }
    for cell in PLANAR.into_iter().chain(SPATIAL) {
        for space in spaces(cell) {
            let heat = self::heat(shaken(cell, 2, 0.5), space);
            let volume = match space {
                Space::Solid => 1.0,
                Space::Axisymmetric => std::f64::consts::TAU,
                _ => 0.3,
            };
            let (diagonal, between) = heat.consistent(|_| 1.0).unwrap();
            let consistent = diagonal.iter().sum::<f64>() + 2.0 * between.iter().sum::<f64>();
            let lumped = heat.volumes().unwrap();
            assert!((consistent / volume - 1.0).abs() < 1e-12 && lumped.iter().all(|v| *v > 0.0), "{}", cell.name());
            assert!((lumped.iter().sum::<f64>() / volume - 1.0).abs() < 1e-12, "{}", cell.name());
        }
    }
}

/// A field V = x + 2y dissipates k |∇V|² everywhere, each node ∫ N dV of it, on distorted meshes of all cells.
#[test]
fn an_even_flow_heats_nodes_evenly() {
    for cell in PLANAR.into_iter().chain(SPATIAL) {
        for space in spaces(cell) {
            if matches!(space, Space::Axisymmetric) {
                continue;
            }
            let heat = self::heat(shaken(cell, 2, 0.5), space);
            let v: Vec<f64> = heat.mesh().nodes().iter().map(|x| x.x + 2.0 * x.y).collect();
            let found = heat.dissipated(|_| 3.0, |a, b| v[a] - v[b], &heat.local_integrals().unwrap());
            for (power, even) in found.iter().zip(heat.sources(|_| 15.0).unwrap()) {
                assert!((power - even).abs() < 1e-12, "{}: {power} of {even}", cell.name());
            }
        }
    }
}
