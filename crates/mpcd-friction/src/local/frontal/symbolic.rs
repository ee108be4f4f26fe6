//! Ordering, elimination tree, supernodes and index lists; no values.

use mpcd_sparse::{minimum_degree, nested_dissection};

/// A supernode joins its parent when the explicit zeros this adds are at most this share of the joined front.
const RELAX: f64 = 0.25;
/// Fronts below this many pivots join more readily.
const SMALL_PIVOTS: usize = 24;
/// Operations for each unknown from which nested dissection is tried too: with less, minimum degree fills as little and is found sooner.
const MUCH_WORK: f64 = 1e4;

/// One front: the block rows and columns it eliminates and those it updates.
#[derive(Debug, Clone)]
pub(super) struct Front {
    /// Nodes of the front (original numbers), pivots first, then by elimination order.
    pub(super) nodes: Vec<usize>,
    /// Scalar offset of each node in the front; one more than there are nodes.
    pub(super) offsets: Vec<usize>,
    /// Number of pivot nodes.
    pub(super) pivots: usize,
    /// Children, whose updates are added to this front.
    pub(super) children: Vec<usize>,
    /// For the parent: place (scalar offset) in the parent's front of each updated node.
    pub(super) parent_places: Vec<usize>,
}

impl Front {
    /// Scalar pivots.
    pub(super) fn pivot_size(&self) -> usize {
        self.offsets[self.pivots]
    }

    /// Scalar size.
    pub(super) fn size(&self) -> usize {
        self.offsets[self.nodes.len()]
    }
}

/// The analysis of one pattern.
#[derive(Debug, Clone)]
pub(in crate::local) struct Analysis {
    /// Fronts, children before parents.
    pub(super) fronts: Vec<Front>,
    /// Scalar start of each node in a vector.
    pub(super) starts: Vec<usize>,
    /// Front that eliminates a node.
    pub(super) front_of: Vec<usize>,
}

impl Analysis {
    /// Analyses a graph: `sizes[i]` unknowns in node i, `neighbours[i]` its neighbours (both directions given, itself
    /// not needed).
    pub(in crate::local) fn new(sizes: &[usize], neighbours: &[Vec<usize>]) -> Self {
        Self::with_last(sizes, neighbours, None)
    }

    /// The same with a node eliminated last: one that is joined to most others, and whose part in the order of these is none.
    pub(in crate::local) fn with_last(sizes: &[usize], neighbours: &[Vec<usize>], last: Option<usize>) -> Self {
        let others: Option<Vec<Vec<usize>>> = last.map(|last| without(neighbours, last));
        let graph = others.as_deref().unwrap_or(neighbours);
        let ordered = |mut order: Vec<usize>| {
            if let Some(last) = last {
                order.retain(|&node| node != last);
                order.push(last);
            }
            Self::in_order(sizes, neighbours, &order)
        };
        let by_degree = ordered(minimum_degree(graph));
        if by_degree.flops() <= MUCH_WORK * *by_degree.starts.last().unwrap_or(&0) as f64 {
            return by_degree;
        }
        let dissected = nested_dissection(graph).map(ordered);
        dissected.filter(|other| other.flops() < by_degree.flops()).unwrap_or(by_degree)
    }

    pub(super) fn in_order(sizes: &[usize], neighbours: &[Vec<usize>], order: &[usize]) -> Self {
        let mut rank = vec![0; order.len()];
        for (k, &node) in order.iter().enumerate() {
            rank[node] = k;
        }
        let (parents, structures) = eliminate(order, &rank, neighbours);
        let groups = merge(sizes, order, &parents, &structures);
        let mut starts = vec![0; sizes.len() + 1];
        for (i, size) in sizes.iter().enumerate() {
            starts[i + 1] = starts[i] + size;
        }
        Self::from_groups(groups, order, sizes, starts)
    }

    /// Scalar unknowns.
    #[cfg(test)]
    pub(super) fn size(&self) -> usize {
        self.starts.last().copied().unwrap_or(0)
    }

    /// Multiplications of one factorisation.
    pub(in crate::local) fn flops(&self) -> f64 {
        let front = |f: &Front| {
            let (p, n) = (f.pivot_size() as f64, f.size() as f64);
            2.0 * p * (n * n - n * p + p * p / 3.0)
        };
        self.fronts.iter().map(front).sum()
    }

    /// Operations of one forward and backward substitution.
    pub(in crate::local) fn solve_flops(&self) -> f64 {
        let front = |f: &Front| {
            let (p, n) = (f.pivot_size() as f64, f.size() as f64);
            2.0 * p * (2.0 * n - p)
        };
        self.fronts.iter().map(front).sum()
    }

    fn from_groups(groups: Vec<Group>, order: &[usize], sizes: &[usize], starts: Vec<usize>) -> Self {
        let mut front_of = vec![0; sizes.len()];
        for (index, group) in groups.iter().enumerate() {
            for &k in &group.pivots {
                front_of[order[k]] = index;
            }
        }
        let mut fronts: Vec<Front> = Vec::with_capacity(groups.len());
        for group in &groups {
            let nodes: Vec<usize> = group.pivots.iter().chain(&group.rest).map(|&k| order[k]).collect();
            let mut offsets = vec![0; nodes.len() + 1];
            for (i, &node) in nodes.iter().enumerate() {
                offsets[i + 1] = offsets[i] + sizes[node];
            }
            let pivots = group.pivots.len();
            fronts.push(Front { nodes, offsets, pivots, children: Vec::new(), parent_places: Vec::new() });
        }
        let mut place = vec![0; sizes.len()];
        for index in 0..fronts.len() {
            let front = &fronts[index];
            let Some(&first) = front.nodes.get(front.pivots) else { continue };
            let parent = front_of[first];
            for (i, &node) in fronts[parent].nodes.iter().enumerate() {
                place[node] = fronts[parent].offsets[i];
            }
            let front = &mut fronts[index];
            front.parent_places = front.nodes[front.pivots..].iter().map(|&node| place[node]).collect();
            fronts[parent].children.push(index);
        }
        Self { fronts, starts, front_of }
    }
}

/// The graph with one node joined to none but itself.
fn without(neighbours: &[Vec<usize>], alone: usize) -> Vec<Vec<usize>> {
    let own = |(node, list): (usize, &Vec<usize>)| {
        list.iter().copied().filter(|&other| other == node || (other != alone && node != alone)).collect()
    };
    neighbours.iter().enumerate().map(own).collect()
}

/// Positions in elimination order: the pivots of one front and the rest of it, ascending.
struct Group {
    pivots: Vec<usize>,
    rest: Vec<usize>,
}

const NONE: usize = usize::MAX;

/// Elimination tree and, per position, the positions its elimination updates, ascending.
fn eliminate(order: &[usize], rank: &[usize], neighbours: &[Vec<usize>]) -> (Vec<usize>, Vec<Vec<usize>>) {
    let n = order.len();
    let mut parents = vec![NONE; n];
    let mut structures: Vec<Vec<usize>> = vec![Vec::new(); n];
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); n];
    let mut mark = vec![NONE; n];
    for k in 0..n {
        let mut structure = Vec::new();
        mark[k] = k;
        for &node in &neighbours[order[k]] {
            let j = rank[node];
            if j > k && mark[j] != k {
                mark[j] = k;
                structure.push(j);
            }
        }
        for &child in &children[k] {
            for &j in &structures[child] {
                if mark[j] != k {
                    mark[j] = k;
                    structure.push(j);
                }
            }
        }
        structure.sort_unstable();
        if let Some(&parent) = structure.first() {
            parents[k] = parent;
            children[parent].push(k);
        }
        structures[k] = structure;
    }
    (parents, structures)
}

/// Joins nodes to supernodes, children before parents.
fn merge(sizes: &[usize], order: &[usize], parents: &[usize], structures: &[Vec<usize>]) -> Vec<Group> {
    let n = order.len();
    let size = |k: usize| sizes[order[k]];
    let scalar = |list: &[usize]| list.iter().map(|&k| size(k)).sum::<usize>();
    // the group a position belongs to, named by its last position; pivots of each group, ascending
    let mut pivots: Vec<Vec<usize>> = (0..n).map(|k| vec![k]).collect();
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); n];
    for k in 0..n {
        if parents[k] != NONE {
            children[parents[k]].push(k);
        }
    }
    let mut alive = vec![true; n];
    let rest_size: Vec<usize> = structures.iter().map(|s| scalar(s)).collect();
    let mut pivot_size: Vec<usize> = (0..n).map(size).collect();
    let mut zeros = vec![0_usize; n];
    for k in 0..n {
        // the groups that update k first, the largest last: try to take each into k
        let mut list = std::mem::take(&mut children[k]);
        list.sort_by_key(|&c| (rest_size[c], c));
        let mut kept = Vec::new();
        for child in list.into_iter().rev() {
            let joined_pivots = pivot_size[child] + pivot_size[k];
            let joined = joined_pivots + rest_size[k];
            let added = pivot_size[child] * (joined - pivot_size[child] - rest_size[child]);
            let total = zeros[child] + zeros[k] + added;
            let area = joined_pivots * joined;
            let allowed = if joined_pivots <= SMALL_PIVOTS { 2.0 * RELAX } else { RELAX * 0.2 };
            if total as f64 <= allowed * area as f64 {
                alive[child] = false;
                let mut taken = std::mem::take(&mut pivots[child]);
                taken.append(&mut pivots[k]);
                taken.sort_unstable();
                pivots[k] = taken;
                pivot_size[k] = joined_pivots;
                zeros[k] = total;
                kept.append(&mut children[child]);
            } else {
                kept.push(child);
            }
        }
        children[k] = kept;
    }
    // positions ascend from children to parents, so that ascending names are a valid order
    (0..n).filter(|&k| alive[k]).map(|k| Group { pivots: std::mem::take(&mut pivots[k]), rest: structures[k].clone() }).collect()
}
