//! [`Graph`]: references between objects, as numbers.

/// Nodes with numbers from 0 on, and edges between them. An edge takes eight bytes.
pub(super) struct Graph {
    /// Sorted, without repetitions.
    edges: Vec<(u32, u32)>,
    nodes: u32,
}

impl Graph {
    pub(super) fn new(mut edges: Vec<(u32, u32)>, nodes: usize) -> Self {
        edges.sort_unstable();
        edges.dedup();
        Graph { edges, nodes: u32::try_from(nodes).unwrap_or(u32::MAX) }
    }

    pub(super) fn has(&self, edge: (u32, u32)) -> bool {
        self.edges.binary_search(&edge).is_ok()
    }

    pub(super) fn edges(&self) -> &[(u32, u32)] {
        &self.edges
    }

    pub(super) fn into_edges(self) -> Vec<(u32, u32)> {
        self.edges
    }

    /// Returns the index of the first edge of a node.
    fn start(&self, node: u32) -> usize {
        self.edges.partition_point(|(from, _)| *from < node)
    }

    /// Returns the target of the edge at an index, if it is an edge of the node.
    fn target(&self, node: u32, at: usize) -> Option<u32> {
        self.edges.get(at).filter(|(from, _)| *from == node).map(|(_, to)| *to)
    }

    /// Returns whether all nodes can be reached from the first one.
    pub(super) fn is_connected(&self) -> bool {
        let mut reached = vec![false; self.nodes as usize];
        let (mut open, mut count) = (vec![0], 1);
        reached[0] = true;
        while let Some(node) = open.pop() {
            let mut at = self.start(node);
            while let Some(to) = self.target(node, at) {
                at += 1;
                if !std::mem::replace(&mut reached[to as usize], true) {
                    count += 1;
                    open.push(to);
                }
            }
        }
        count == self.nodes
    }

    /// Finds the sets of nodes that refer to each other in cycles, among those that can be reached from the
    /// given ones. (Tarjan's algorithm, without recursion.)
    pub(super) fn cycles(&self, from: impl Iterator<Item = u32>) -> Vec<Vec<u32>> {
        /// The node is in a set that was found.
        const DONE: u32 = u32::MAX;
        // Zeroed memory takes no space until it is written to.
        let mut index = vec![0_u32; self.nodes as usize];
        let mut low = vec![0_u32; self.nodes as usize];
        let (mut stack, mut found, mut next_index) = (Vec::new(), Vec::new(), 1);
        let mut way: Vec<(u32, usize)> = Vec::new();
        for root in from {
            if index[root as usize] != 0 {
                continue;
            }
            let mut entered = Some(root);
            loop {
                if let Some(node) = entered.take() {
                    index[node as usize] = next_index;
                    low[node as usize] = next_index;
                    next_index += 1;
                    stack.push(node);
                    way.push((node, self.start(node)));
                }
                let Some((node, at)) = way.last_mut() else { break };
                let of = *node as usize;
                if let Some(to) = self.target(*node, *at) {
                    *at += 1;
                    match index[to as usize] {
                        0 => entered = Some(to),
                        DONE => {}
                        known => low[of] = low[of].min(known),
                    }
                    continue;
                }
                let node = *node;
                way.pop();
                if let Some((outer, _)) = way.last() {
                    low[*outer as usize] = low[*outer as usize].min(low[of]);
                }
                if low[of] == index[of] {
                    let start = stack.iter().rposition(|other| *other == node).unwrap_or_default();
                    stack[start..].iter().for_each(|one| index[*one as usize] = DONE);
                    if stack.len() - start > 1 || self.has((node, node)) {
                        found.push(stack[start..].to_vec());
                    }
                    stack.truncate(start);
                }
            }
        }
        found
    }

    /// Like [`cycles`](Graph::cycles), among all nodes.
    pub(super) fn all_cycles(&self) -> Vec<Vec<u32>> {
        self.cycles(0..self.nodes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Random graphs, whose cycles are also computed from the nodes that can be reached from each
    /// node.
    #[test]
    fn cycles_are_those_of_ways_there_and_back() {
        let mut random = 20_261_127_u64;
        let mut next = |below: u64| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            ((random >> 33) % below) as u32
        };
        for _ in 0..2000 {
            let nodes = 1 + next(9);
            let edges: Vec<(u32, u32)> =
                (0..next(14)).map(|_| (next(u64::from(nodes)), next(u64::from(nodes)))).collect();
            let mut leads = vec![vec![false; nodes as usize]; nodes as usize];
            for _ in 0..nodes {
                for (from, to) in &edges {
                    for (start, leads) in leads.iter_mut().enumerate() {
                        if start == *from as usize || leads[*from as usize] {
                            leads[*to as usize] = true;
                        }
                    }
                }
            }
            let leads = |from: u32, to: u32| leads[from as usize][to as usize];
            let mut expected: Vec<Vec<u32>> = (0..nodes)
                .filter(|node| leads(*node, *node))
                .map(|node| (0..nodes).filter(|o| leads(node, *o) && leads(*o, node)).collect())
                .collect();
            expected.sort();
            expected.dedup();
            let graph = Graph::new(edges.clone(), nodes as usize);
            let mut found = graph.all_cycles();
            found.iter_mut().for_each(|set| set.sort_unstable());
            found.sort();
            assert_eq!(found, expected, "{edges:?}");
            let from = next(u64::from(nodes));
            let mut found = graph.cycles([from].into_iter());
            found.iter_mut().for_each(|set| set.sort_unstable());
            found.sort();
            expected.retain(|set| set.iter().any(|node| *node == from || leads(from, *node)));
            assert_eq!(found, expected, "{from}: {edges:?}");
            let reached = (1..nodes).all(|node| leads(0, node));
            assert_eq!(graph.is_connected(), reached, "{edges:?}");
        }
    }
}
