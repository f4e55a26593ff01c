//! Random programs of SaC, as texts: expressions of a rank, over inputs of ranks 0 to 3. Names are bound and ranks fit by construction; extents need not,
//! so that many programs are errors at some sizes.

use crate::choices::DecisionSource;

const SIZES: [&str; 3] = ["n", "m", "k"];

/// A variable with a rank.
#[derive(Clone)]
struct Known {
    name: String,
    rank: usize,
}

struct Generator<'a, C> {
    choices: &'a mut C,
    arrays: Vec<Known>,
    /// Variables that are integers: components of indices, and sizes.
    integers: Vec<String>,
    /// Variables that are index vectors, with their lengths.
    vectors: Vec<Known>,
    names: usize,
    /// The operators that may still be made.
    budget: usize,
}

/// The text of a program: inputs, statements, a result.
pub fn array_program(choices: &mut impl DecisionSource) -> String {
    let budget = 3 + choices.below(10);
    let mut generator = Generator {
        choices,
        arrays: Vec::new(),
        integers: Vec::new(),
        vectors: Vec::new(),
        names: 0,
        budget,
    };
    let parameters = generator.parameters();
    let mut body = String::new();
    for _ in 0..generator.choices.below(3) {
        let rank = generator.rank();
        let value = generator.array(rank);
        let name = generator.name("x");
        body.push_str(&format!("  {name} = {value};\n"));
        generator.arrays.push(Known { name, rank });
        generator.budget += 2;
    }
    let rank = generator.rank();
    let result = generator.array(rank);
    format!("double[*] f({parameters}) {{\n{body}  return {result};\n}}\n")
}

impl<C: DecisionSource> Generator<'_, C> {
    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.choices.below(of.len())]
    }

    fn rank(&mut self) -> usize {
        self.pick(&[0, 1, 1, 1, 2, 2, 2, 3])
    }

    fn name(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}", self.names)
    }

    fn parameters(&mut self) -> String {
        let mut parameters = Vec::new();
        for name in ["A", "B", "C"].into_iter().take(1 + self.choices.below(3)) {
            let rank = self.pick(&[0, 1, 1, 2, 2, 3]);
            let extents: Vec<&str> = (0..rank)
                .map(|_| match self.choices.below(6) {
                    0 => self.pick(&["0", "1", "2", "3"]),
                    1 => ".",
                    _ => self.pick(&SIZES),
                })
                .collect();
            for extent in extents.iter().filter(|extent| SIZES.contains(extent)) {
                if !self.integers.iter().any(|known| known == extent) {
                    self.integers.push((*extent).to_owned());
                }
            }
            let of = if rank == 0 { "double".to_owned() } else { format!("double[{}]", extents.join(",")) };
            parameters.push(format!("{of} {name}"));
            self.arrays.push(Known { name: name.to_owned(), rank });
        }
        if self.choices.once_in(4) {
            parameters.push("int p".to_owned());
            self.integers.push("p".to_owned());
        }
        parameters.join(", ")
    }

    fn spend(&mut self) -> bool {
        let has = self.budget > 0;
        self.budget = self.budget.saturating_sub(1);
        has
    }

    /// An expression of a rank.
    fn array(&mut self, rank: usize) -> String {
        if rank == 0 {
            return self.scalar();
        }
        if !self.spend() {
            return self.simple(rank);
        }
        match self.choices.below(14) {
            0 | 1 => self.simple(rank),
            2 => {
                let operator = self.pick(&["+", "-", "*"]);
                format!("({} {operator} {})", self.array(rank), self.scalar())
            }
            3 => {
                let operator = self.pick(&["+", "*", "-"]);
                format!("({} {operator} {})", self.array(rank), self.array(rank))
            }
            4 => format!("reverse({})", self.array(rank)),
            5 => {
                let function = self.pick(&["take", "drop"]);
                let numbers: Vec<&str> = (0..1 + self.choices.below(rank))
                    .map(|_| self.pick(&["0", "1", "1", "2", "-1"]))
                    .collect();
                format!("{function}([{}], {})", numbers.join(", "), self.array(rank))
            }
            6 => format!("({} ++ {})", self.array(rank), self.array(rank)),
            7 => {
                let part = self.array(rank - 1);
                format!("[{part}, {}]", self.array(rank - 1))
            }
            8 => self.with_loop(rank),
            9 => format!("({} ? {} : {})", self.condition(), self.array(rank), self.array(rank)),
            _ => self.comprehension(rank),
        }
    }

    /// A variable, a part of one, or an array of one value.
    fn simple(&mut self, rank: usize) -> String {
        let fitting: Vec<Known> = self.arrays.iter().filter(|known| known.rank >= rank).cloned().collect();
        if fitting.is_empty() || self.choices.once_in(12) {
            let extents: Vec<String> = (0..rank).map(|_| self.extent()).collect();
            return format!("genarray([{}], {})", extents.join(", "), self.pick(&["0.0", "1.0", "0.5"]));
        }
        let known = self.choices.pick(&fitting);
        if known.rank == rank {
            return known.name;
        }
        format!("{}[{}]", known.name, self.index(known.rank - rank))
    }

    fn extent(&mut self) -> String {
        let sizes: Vec<String> =
            self.integers.iter().filter(|name| SIZES.contains(&name.as_str())).cloned().collect();
        if sizes.is_empty() || self.choices.once_in(2) {
            return self.pick(&["0", "1", "2", "3"]).to_owned();
        }
        self.choices.pick(&sizes)
    }

    /// An index of this many components.
    fn index(&mut self, length: usize) -> String {
        let fitting: Vec<Known> = self.vectors.iter().filter(|known| known.rank == length).cloned().collect();
        if !fitting.is_empty() && self.choices.below(3) > 0 {
            return self.choices.pick(&fitting).name;
        }
        let components: Vec<String> = (0..length).map(|_| self.integer()).collect();
        match self.choices.once_in(3) {
            true => format!("[{}]", components.join(", ")),
            false => components.join(", "),
        }
    }

    fn integer(&mut self) -> String {
        let own: Vec<String> = self.integers.iter().filter(|name| name.starts_with('i')).cloned().collect();
        if own.is_empty() || self.choices.once_in(5) {
            return self.pick(&["0", "0", "1", "2"]).to_owned();
        }
        let name = self.choices.pick(&own);
        match self.choices.below(10) {
            0 => format!("{name} + 1"),
            1 => format!("{name} - 1"),
            2 => format!("1 - {name}"),
            3 => {
                let other = self.choices.pick(&own);
                format!("{name} + {other}")
            }
            _ => name,
        }
    }

    fn condition(&mut self) -> String {
        match self.choices.below(3) {
            0 => format!("{} < {}", self.scalar(), self.scalar()),
            1 if !self.integers.is_empty() => {
                let name = self.choices.pick(&self.integers.clone());
                let relation = self.pick(&["<", "<=", "==", "!=", ">"]);
                format!("{name} {relation} {}", self.integer())
            }
            _ => {
                let name = self.choices.pick(&self.arrays.clone()).name;
                format!("dim({name}) == {}", self.choices.below(3))
            }
        }
    }

    fn scalar(&mut self) -> String {
        if !self.spend() {
            return match self.choices.below(3) {
                0 => self.pick(&["0.0", "1.0", "2.0", "0.5"]).to_owned(),
                _ => self.simple(0),
            };
        }
        match self.choices.below(10) {
            0 => self.pick(&["0.0", "1.0", "2.0", "0.5"]).to_owned(),
            1 => {
                let operator = self.pick(&["+", "-", "*"]);
                format!("({} {operator} {})", self.scalar(), self.scalar())
            }
            2 | 3 => {
                let (function, rank) = (self.pick(&["sum", "sum", "prod"]), 1 + self.choices.below(2));
                format!("{function}({})", self.array(rank))
            }
            4 => format!("({} ? {} : {})", self.condition(), self.scalar(), self.scalar()),
            5 => format!("tod({})", self.integer()),
            6 => format!("min({}, {})", self.scalar(), self.scalar()),
            _ => self.simple(0),
        }
    }

    /// Something inside of the scope of indices.
    fn scoped(&mut self, indices: &Indices, make: impl FnOnce(&mut Self) -> String) -> String {
        let (integers, vectors) = (self.integers.len(), self.vectors.len());
        match indices {
            Indices::Vector(name, length) => self.vectors.push(Known { name: name.clone(), rank: *length }),
            Indices::Components(names) => self.integers.extend(names.iter().cloned()),
        }
        let made = make(self);
        self.integers.truncate(integers);
        self.vectors.truncate(vectors);
        made
    }

    fn indices(&mut self, length: usize) -> Indices {
        if self.choices.once_in(3) {
            return Indices::Vector(self.name("v"), length);
        }
        Indices::Components((0..length).map(|_| self.name("i")).collect())
    }

    /// A bound with this many components.
    fn bound(&mut self, length: usize) -> String {
        let components: Vec<String> = (0..length).map(|_| self.extent()).collect();
        format!("[{}]", components.join(", "))
    }

    fn small(&mut self, length: usize) -> String {
        let components: Vec<&str> = (0..length).map(|_| self.pick(&["0", "0", "1"])).collect();
        format!("[{}]", components.join(", "))
    }

    /// A comprehension of a rank: with partitions, dots and bounds, or without.
    fn comprehension(&mut self, rank: usize) -> String {
        let length = 1 + self.choices.below(rank);
        let inner = rank - length;
        let mut partitions = Vec::new();
        if self.choices.once_in(3) {
            partitions.push(self.partition((length, inner), false));
        }
        partitions.push(self.partition((length, inner), true));
        format!("{{ {} }}", partitions.join("; "))
    }

    fn partition(&mut self, (length, inner): (usize, usize), is_last: bool) -> String {
        // Dots take axes of the value into the frame.
        let (pattern, names, indices, rank) = match self.indices(length) {
            of @ Indices::Vector(..) => (of.text(), of.text(), of, inner),
            Indices::Components(all) if self.choices.once_in(3) => {
                let dots = 1 + self.choices.below(2.min(all.len()));
                let mut parts = all.clone();
                parts.truncate(all.len() - (dots - 1).min(all.len() - 1));
                let named = parts.clone();
                for _ in 0..all.len() - named.len() {
                    let at = self.choices.below(parts.len() + 1);
                    parts.insert(at, ".".to_owned());
                }
                if named.len() == all.len() {
                    // All axes of the value, or none.
                    let at = self.choices.below(parts.len() + 1);
                    parts.insert(at, "...".to_owned());
                }
                let indices = Indices::Components(named.clone());
                let inner = inner + all.len() - named.len();
                (format!("[{}]", parts.join(", ")), indices.text(), indices, inner)
            }
            of @ Indices::Components(_) => (of.text(), of.text(), of, inner),
        };
        let value = self.scoped(&indices, |this| this.array(rank));
        let length = indices.length();
        let limits = match self.choices.below(if is_last { 6 } else { 8 }) {
            0 => String::new(),
            1 | 2 => format!(" | {names} < {}", self.bound(length)),
            3 | 4 => format!(" | {} <= {names} < {}", self.small(length), self.bound(length)),
            5 => format!(" | {} <= {names}", self.small(length)),
            6 => format!(" | . <= {names} < ."),
            _ => format!(" | {} <= {names} <= {}", self.small(length), self.small(length)),
        };
        format!("{pattern} -> {value}{limits}")
    }

    /// A with-loop of a rank.
    fn with_loop(&mut self, rank: usize) -> String {
        let length = 1 + self.choices.below(rank);
        let generators: Vec<String> =
            (0..1 + self.choices.below(2)).map(|_| self.generator((length, rank))).collect();
        let operator = match self.choices.below(3) {
            0 => format!("modarray({})", self.simple(rank)),
            _ => {
                let frame = self.bound(length);
                let cell: Vec<String> = (length..rank).map(|_| self.extent()).collect();
                let default = match cell.is_empty() {
                    true => "0.0".to_owned(),
                    false => format!("genarray([{}], 0.0)", cell.join(", ")),
                };
                format!("genarray({frame}, {default})")
            }
        };
        format!("with {{ {} }} : {operator}", generators.join(" "))
    }

    fn generator(&mut self, (length, rank): (usize, usize)) -> String {
        let indices = self.indices(length);
        let value = self.scoped(&indices, |this| this.array(rank - length));
        let (lower, upper) = match self.choices.below(3) {
            0 => (".".to_owned(), ".".to_owned()),
            _ => (self.small(length), self.bound(length)),
        };
        let relation = self.pick(&["<", "<", "<="]);
        let step = match self.choices.once_in(5) {
            true => format!(" step [{}]", vec!["2"; length].join(", ")),
            false => String::new(),
        };
        format!("({lower} <= {} {relation} {upper}{step}) : {value};", indices.text())
    }
}

/// What an index is bound to.
enum Indices {
    Vector(String, usize),
    Components(Vec<String>),
}

impl Indices {
    fn text(&self) -> String {
        match self {
            Indices::Vector(name, _) => name.clone(),
            Indices::Components(names) => format!("[{}]", names.join(", ")),
        }
    }

    fn length(&self) -> usize {
        match self {
            Indices::Vector(_, length) => *length,
            Indices::Components(names) => names.len(),
        }
    }
}
