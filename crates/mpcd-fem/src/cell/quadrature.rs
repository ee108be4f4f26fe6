//! Quadrature rules of the reference cells, all with positive weights and points inside. No shape functions.

use super::Cell;

/// What a rule is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Internal forces and stiffness; history variables live at its points. Enough points that a constant stress is in
    /// balance on any isoparametric cell, curved ones included.
    Stress,
    /// Mass and loads: products of two shape functions, exact on straight cells.
    Mass,
}

/// Points and weights; the weights add up to the measure of the reference cell.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Reference coordinates.
    pub points: Vec<[f64; 3]>,
    /// Weights, all positive.
    pub weights: Vec<f64>,
}

/// √(1/3): Gauss–Legendre, exact to degree 3.
const GAUSS_2: [(f64, f64); 2] = [(-0.577_350_269_189_625_8, 1.0), (0.577_350_269_189_625_8, 1.0)];
/// √(3/5): Gauss–Legendre, exact to degree 5.
const GAUSS_3: [(f64, f64); 3] = [(-0.774_596_669_241_483_4, 5.0 / 9.0), (0.0, 8.0 / 9.0), (0.774_596_669_241_483_4, 5.0 / 9.0)];
/// Dunavant 1985, doi 10.1002/nme.1620210612, degree 4: (a, weight) of points (a, a, 1 − 2a).
const TRIANGLE_4: [(f64, f64); 2] =
    [(0.445_948_490_915_964_9, 0.223_381_589_678_011_47), (0.091_576_213_509_770_74, 0.109_951_743_655_321_87)];
/// Degree 3 on a tetrahedron: (a, weight) of points (a, a, a, 1 − 3a); 8 points.
const TETRAHEDRON_3: [(f64, f64); 2] =
    [(0.328_054_696_711_426_7, 0.138_527_966_511_862_1), (0.106_952_273_932_930_68, 0.111_472_033_488_137_9)];
/// Walkington 2000, degree 5 on a tetrahedron, 14 points: the same, and (b, b, ½ − b, ½ − b).
const TETRAHEDRON_5: [(f64, f64); 2] =
    [(0.310_885_919_263_300_6, 0.112_687_925_718_015_85), (0.092_735_250_310_891_23, 0.073_493_043_116_361_95)];
const TETRAHEDRON_5_EDGES: (f64, f64) = (0.045_503_704_125_649_65, 0.042_546_020_777_081_466);

impl Rule {
    /// The rule of a cell.
    pub fn of(cell: Cell, purpose: Purpose) -> Self {
        match (cell, purpose) {
            (Cell::Tri3, Purpose::Stress) => Self::simplex(2, &[], 1.0),
            (Cell::Tri3 | Cell::Tri6, _) => Self::simplex(2, &TRIANGLE_4, 0.0),
            (Cell::Tet4, Purpose::Stress) => Self::simplex(3, &[], 1.0),
            (Cell::Tet10, Purpose::Stress) => Self::simplex(3, &TETRAHEDRON_3, 0.0),
            (Cell::Tet4 | Cell::Tet10, _) => Self::simplex(3, &TETRAHEDRON_5, 0.0).with_edges(),
            (Cell::Quad4 | Cell::Hex8, Purpose::Stress) => Self::tensor(cell.dimension(), &GAUSS_2),
            _ => Self::tensor(cell.dimension(), &GAUSS_3),
        }
    }

    /// Integral of a function of the reference coordinates.
    pub fn integrate(&self, f: impl Fn([f64; 3]) -> f64) -> f64 {
        self.points.iter().zip(&self.weights).map(|(p, w)| w * f(*p)).sum()
    }

    fn tensor(dimension: usize, line: &[(f64, f64)]) -> Self {
        let (mut points, mut weights) = (vec![[0.0; 3]], vec![1.0]);
        for k in 0..dimension {
            let outer: Vec<_> = points.drain(..).zip(weights.drain(..)).collect();
            for &(x, w) in line {
                for (point, weight) in &outer {
                    let mut point = *point;
                    point[k] = x;
                    points.push(point);
                    weights.push(weight * w);
                }
            }
        }
        Self { points, weights }
    }

    /// Orbits (a, …, a, 1 − d a) and the centre; weights given for a cell of measure 1.
    fn simplex(dimension: usize, orbits: &[(f64, f64)], centre: f64) -> Self {
        let measure = if dimension == 2 { 1.0 / 2.0 } else { 1.0 / 6.0 };
        let mut rule = Self { points: Vec::new(), weights: Vec::new() };
        if centre > 0.0 {
            rule.points.push([1.0 / (dimension as f64 + 1.0); 3]);
            rule.weights.push(centre * measure);
        }
        for &(a, weight) in orbits {
            for odd in 0..=dimension {
                let mut point = [a; 3];
                if odd > 0 {
                    point[odd - 1] = 1.0 - dimension as f64 * a;
                }
                rule.points.push(point);
                rule.weights.push(weight * measure);
            }
        }
        rule
    }

    fn with_edges(mut self) -> Self {
        let (b, weight) = TETRAHEDRON_5_EDGES;
        let c = 0.5 - b;
        for point in [[b, b, c], [b, c, b], [c, b, b], [b, c, c], [c, b, c], [c, c, b]] {
            self.points.push(point);
            self.weights.push(weight / 6.0);
        }
        self
    }
}
