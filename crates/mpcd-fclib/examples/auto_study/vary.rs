//! Variations of a stored problem: other units, friction, loads, order of contacts. What holds for the original should
//! hold for them; none is made easier on purpose.

use mpcd_fclib::Stored;
use mpcd_friction::local::{BlockMatrix, GlobalProblem, LocalError, LocalProblem, PreparedProblem, matrix_from_entries};

/// Names that [`varied`] knows.
pub(crate) const VARIATIONS: [&str; 12] =
    ["none", "heavy", "light", "mu-0.7", "mu-1.3", "q-1e-3", "q-0.1", "load-1e-3", "load-0.1", "shuffled", "local", "turned"];

/// Number `k` of a sequence in [−1, 1) without order to it (squares times an irrational number).
fn noise(k: usize) -> f64 {
    let x = (k + 7) as f64;
    2.0 * (x * x * 0.618_033_988_749_895).fract() - 1.0
}

/// W and M with all impulses and velocities in other units.
fn units<const D: usize>(local: &mut LocalProblem<D>, global: &mut Option<GlobalProblem<D>>, impulse: f64, velocity: f64) {
    local.delassus =
        BlockMatrix::from_entries(local.contacts(), local.delassus.entries().map(|(i, j, v)| (i, j, v * velocity / impulse)));
    local.free_velocity.iter_mut().flatten().for_each(|v| *v *= velocity);
    if let Some(global) = global {
        global.mass.data_mut().iter_mut().for_each(|v| *v *= impulse / velocity);
        global.load.iter_mut().for_each(|v| *v *= impulse);
        global.velocity_shift.iter_mut().flatten().for_each(|v| *v *= velocity);
    }
}

fn size<const D: usize>(x: &[[f64; D]]) -> f64 {
    x.iter().flatten().map(|v| v * v).sum::<f64>().sqrt()
}

/// q plus random free velocities of this size relative to its own: any, or such as loads on the bodies can give.
fn shaken<const D: usize>(local: &mut LocalProblem<D>, share: f64, loads: bool) {
    let random: Vec<[f64; D]> = (0..local.contacts()).map(|c| std::array::from_fn(|k| noise(c * D + k))).collect();
    let mut change = random.clone();
    if loads {
        local.delassus.multiply(&random, &mut change);
    }
    let factor = share * size(&local.free_velocity) / size(&change).max(f64::MIN_POSITIVE);
    for (q, d) in local.free_velocity.iter_mut().zip(&change) {
        for k in 0..D {
            q[k] += factor * d[k];
        }
    }
}

/// Contacts in another order, which has nothing to do with where they are.
fn shuffled<const D: usize>(
    local: &LocalProblem<D>,
    global: &mut Option<GlobalProblem<D>>,
) -> Result<LocalProblem<D>, LocalError> {
    let mut order: Vec<usize> = (0..local.contacts()).collect();
    order.sort_by(|&a, &b| noise(a).total_cmp(&noise(b)));
    if let Some(global) = global {
        let mut place = vec![0; order.len()];
        for (new, &old) in order.iter().enumerate() {
            place[old] = new;
        }
        let entries = global.transfer.iter().map(|(v, (row, column))| (row, D * place[column / D] + column % D, *v));
        global.transfer =
            matrix_from_entries("H", (global.transfer.rows(), global.transfer.cols()), entries.collect::<Vec<_>>())?;
        global.velocity_shift = order.iter().map(|&c| global.velocity_shift[c]).collect();
        global.friction = order.iter().map(|&c| global.friction[c]).collect();
    }
    Ok(local.restrict(&order))
}

/// The problem, varied; `None` where the variation leaves it as it is.
pub(crate) fn varied<const D: usize>(stored: &Stored<D>, name: &str) -> Result<Option<PreparedProblem<D>>, LocalError> {
    let mut local = stored.to_local()?;
    let mut global = stored.global.clone();
    match name {
        "heavy" => units(&mut local, &mut global, 1e12, 1e3),
        "light" => units(&mut local, &mut global, 1e-9, 1.0),
        "mu-0.7" => local.friction.iter_mut().for_each(|mu| *mu *= 0.7),
        "mu-1.3" => local.friction.iter_mut().for_each(|mu| *mu *= 1.3),
        "q-1e-3" => shaken(&mut local, 1e-3, false),
        "q-0.1" => shaken(&mut local, 0.1, false),
        "load-1e-3" => shaken(&mut local, 1e-3, true),
        "load-0.1" => shaken(&mut local, 0.1, true),
        "shuffled" => local = shuffled(&local, &mut global)?,
        "local" if global.is_none() => return Ok(None),
        "local" => global = None,
        // the weight of everything pulled sideways: half the free velocity of each contact turned in its tangent plane
        "turned" => {
            for q in &mut local.free_velocity {
                let normal = q[0];
                q[D - 1] += 0.5 * normal;
            }
        }
        _ => {}
    }
    PreparedProblem::new(local, global.as_ref()).map(Some)
}
