//! Nonsmooth functions of one contact whose zeros are Signorini–Coulomb, with an element of their generalised
//! Jacobian, `dF = A du + B dr`. ρ is in kg (an impulse per velocity).

use crate::cone::tangential_norm;
use crate::local::block::Block;
use crate::local::small::scaled_identity;

/// Which reformulation of the law.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reformulation {
    /// Alart–Curnier: the friction disc has radius `μ max(0, r_n − ρ u_n)`.
    AlartCurnier,
    /// Jean–Moreau: the friction disc has radius `μ max(0, r_n)`.
    JeanMoreau,
    /// Natural map: `r − P_K(r − ρ(u + g(u)))`.
    NaturalMap,
    /// Fischer–Burmeister on the second-order cone.
    FischerBurmeister,
}

/// F and the blocks A, B of one contact.
pub(in crate::local) struct Linearised<const D: usize> {
    pub(in crate::local) value: [f64; D],
    pub(in crate::local) a: Block<D>,
    pub(in crate::local) b: Block<D>,
}

impl Reformulation {
    /// F, A and B at (r, u).
    pub(in crate::local) fn linearise<const D: usize>(self, mu: f64, rho: f64, r: &[f64; D], u: &[f64; D]) -> Linearised<D> {
        match self {
            Self::AlartCurnier => disc(mu, rho, r, u, true),
            Self::JeanMoreau => disc(mu, rho, r, u, false),
            Self::NaturalMap => natural(mu, rho, r, u),
            Self::FischerBurmeister => super::fischer::fischer_burmeister(mu, rho, r, u),
        }
    }
}

/// Projection on the half line for the normal part, on a disc for the tangential part.
fn disc<const D: usize>(mu: f64, rho: f64, r: &[f64; D], u: &[f64; D], augmented: bool) -> Linearised<D> {
    let (mut value, mut a, mut b) = ([0.0; D], [[0.0; D]; D], [[0.0; D]; D]);
    let x: [f64; D] = std::array::from_fn(|k| r[k] - rho * u[k]);
    let closed = x[0] > 0.0;
    if closed {
        value[0] = rho * u[0];
        a[0][0] = rho;
    } else {
        value[0] = r[0];
        b[0][0] = 1.0;
    }
    let base = if augmented { x[0] } else { r[0] };
    let radius = mu * base.max(0.0);
    let size = tangential_norm(&x);
    if size <= radius {
        for k in 1..D {
            value[k] = rho * u[k];
            a[k][k] = rho;
        }
        return Linearised { value, a, b };
    }
    for k in 1..D {
        let along = x[k] / size;
        value[k] = r[k] - radius * along;
        b[k][k] += 1.0;
        // d(radius) = μ (dr_n − ρ du_n) or μ dr_n where the disc is not empty
        if base > 0.0 {
            b[k][0] -= mu * along;
            if augmented {
                a[k][0] += mu * along * rho;
            }
        }
        for j in 1..D {
            let across = (f64::from(u8::from(j == k)) - along * x[j] / size) * radius / size;
            b[k][j] -= across;
            a[k][j] += across * rho;
        }
    }
    Linearised { value, a, b }
}

/// The natural map, `r − P_K(x)`, `x = r − ρ(u + g(u))`.
fn natural<const D: usize>(mu: f64, rho: f64, r: &[f64; D], u: &[f64; D]) -> Linearised<D> {
    let slide = tangential_norm(u);
    let mut x: [f64; D] = std::array::from_fn(|k| r[k] - rho * u[k]);
    x[0] -= rho * mu * slide;
    let (projected, p) = projection(mu, &x);
    let value = std::array::from_fn(|k| r[k] - projected[k]);
    // dx = dr − ρ (I + μ e τᵀ) du
    let mut shift = scaled_identity::<D>(1.0);
    if slide > 0.0 {
        for k in 1..D {
            shift[0][k] = mu * u[k] / slide;
        }
    }
    let mut a = crate::local::small::product(&p, &shift);
    a.iter_mut().flatten().for_each(|v| *v *= rho);
    let mut b = p;
    for i in 0..D {
        for j in 0..D {
            b[i][j] = f64::from(u8::from(i == j)) - p[i][j];
        }
    }
    Linearised { value, a, b }
}

/// Projection on the friction cone and its Jacobian.
fn projection<const D: usize>(mu: f64, x: &[f64; D]) -> ([f64; D], Block<D>) {
    let size = tangential_norm(x);
    let projected = crate::cone::project_coulomb(mu, x);
    if size <= mu * x[0] {
        return (projected, scaled_identity(1.0));
    }
    let mut p = [[0.0; D]; D];
    if mu * size <= -x[0] {
        return (projected, p);
    }
    // on the boundary: s = (μ‖x_t‖ + x_n)/(1 + μ²), P = (s, μ s τ)
    let scale = 1.0 / (1.0 + mu * mu);
    let s = (mu * size + x[0]) * scale;
    let tau: [f64; D] = std::array::from_fn(|k| if k == 0 { 0.0 } else { x[k] / size });
    p[0][0] = scale;
    for k in 1..D {
        p[0][k] = scale * mu * tau[k];
        p[k][0] = mu * scale * tau[k];
        for j in 1..D {
            let delta = f64::from(u8::from(j == k));
            p[k][j] = mu * mu * scale * tau[k] * tau[j] + mu * s / size * (delta - tau[k] * tau[j]);
        }
    }
    (projected, p)
}
