//! The strongly connected components of a graph.

/// The strongly connected components, each in order, and each before the components that it leads to; `edges[x]`
/// are the successors of `x`.
pub fn components(edges: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut search = Tarjan::new(edges);
    (0..edges.len()).for_each(|x| search.visit(x));
    let mut components = search.components;
    components.iter_mut().for_each(|component| component.sort_unstable());
    components.reverse();
    components
}

/// Tarjan's algorithm with an explicit stack.
struct Tarjan<'a> {
    edges: &'a [Vec<usize>],
    /// The time at which each node was first met.
    order: Vec<Option<usize>>,
    /// The earliest node on the path that each node is known to reach.
    low: Vec<usize>,
    /// The nodes whose component is incomplete.
    open: Vec<usize>,
    is_open: Vec<bool>,
    met: usize,
    components: Vec<Vec<usize>>,
}

impl<'a> Tarjan<'a> {
    fn new(edges: &'a [Vec<usize>]) -> Tarjan<'a> {
        let n = edges.len();
        Tarjan {
            edges,
            order: vec![None; n],
            low: vec![0; n],
            open: Vec::new(),
            is_open: vec![false; n],
            met: 0,
            components: Vec::new(),
        }
    }

    fn meet(&mut self, x: usize) {
        self.order[x] = Some(self.met);
        self.low[x] = self.met;
        self.met += 1;
        self.open.push(x);
        self.is_open[x] = true;
    }

    fn visit(&mut self, root: usize) {
        if self.order[root].is_some() {
            return;
        }
        self.meet(root);
        let mut path = vec![(root, 0)];
        while let Some((x, next)) = path.last_mut() {
            let x = *x;
            let Some(&y) = self.edges[x].get(*next) else {
                path.pop();
                if let Some(&(before, _)) = path.last() {
                    self.low[before] = self.low[before].min(self.low[x]);
                }
                self.close(x);
                continue;
            };
            *next += 1;
            match self.order[y] {
                None => {
                    self.meet(y);
                    path.push((y, 0));
                }
                Some(order) if self.is_open[y] => {
                    self.low[x] = self.low[x].min(order);
                }
                Some(_) => {}
            }
        }
    }

    /// Closes the component of `x`, the nodes met since `x`, if `x` reaches no earlier node.
    fn close(&mut self, x: usize) {
        if self.order[x] != Some(self.low[x]) {
            return;
        }
        let start = self.open.iter().rposition(|&y| y == x).unwrap_or(0);
        let component = self.open.split_off(start);
        component.iter().for_each(|&y| self.is_open[y] = false);
        self.components.push(component);
    }
}
