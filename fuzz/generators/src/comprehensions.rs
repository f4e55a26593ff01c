//! Random programs of Tensor Comprehensions, as texts. Most are well-formed by construction: every index has a range, every operand its type.
//! What an access needs of the sizes is left to the inference.

pub mod faults;

use crate::choices::DecisionSource;
use std::fmt::Write as _;

const SIZES: [&str; 3] = ["N", "M", "K"];
const OUTER: [&str; 3] = ["i", "j", "k"];
const INNER: [&str; 2] = ["r", "s"];

/// A tensor that may be read.
#[derive(Clone)]
struct Known {
    name: String,
    rank: usize,
    data_type: &'static str,
    is_argument: bool,
}

struct Generator<'a, C> {
    choices: &'a mut C,
    known: Vec<Known>,
    /// The loop indices of the statement, and whether an access bounds each.
    loops: Vec<(&'static str, bool)>,
    operators: usize,
}

/// The text of a program with up to `statements` statements.
pub fn comprehension(choices: &mut impl DecisionSource, statements: usize) -> String {
    let mut generator = Generator { choices, known: Vec::new(), loops: Vec::new(), operators: 0 };
    let arguments = generator.arguments();
    let mut body = String::new();
    for number in 0..1 + generator.choices.below(statements) {
        body.push_str(&generator.statement(number));
    }
    let mut returned: Vec<String> =
        generator.known.iter().filter(|known| !known.is_argument).map(|known| known.name.clone()).collect();
    returned.dedup();
    format!("def f({arguments}) -> ({}) {{\n{body}}}\n", returned.join(", "))
}

impl<C: DecisionSource> Generator<'_, C> {
    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.choices.below(of.len())]
    }

    fn arguments(&mut self) -> String {
        let types: &[&'static str] = match self.choices.below(4) {
            0 => &["float", "int32", "uint8"],
            1 => &["float", "half"],
            _ => &["float"],
        };
        let mut arguments = Vec::new();
        for name in ["A", "B", "D"].into_iter().take(1 + self.choices.below(3)) {
            let (rank, data_type) = (self.pick(&[0, 1, 1, 2, 2, 3]), self.pick(types));
            let extents: Vec<String> = (0..rank)
                .map(|_| {
                    if self.choices.once_in(5) { self.pick(&["1", "2", "3"]) } else { self.pick(&SIZES) }
                        .to_owned()
                })
                .collect();
            let shape = if rank == 0 { String::new() } else { format!("({})", extents.join(", ")) };
            arguments.push(format!("{data_type}{shape} {name}"));
            self.known.push(Known { name: name.to_owned(), rank, data_type, is_argument: true });
        }
        arguments.join(", ")
    }

    fn statement(&mut self, number: usize) -> String {
        let (rank, reduced) = (self.choices.below(3), self.pick(&[0, 0, 1, 1, 2]));
        let data_type = self.pick(&self.known.iter().map(|known| known.data_type).collect::<Vec<_>>());
        let outer: Vec<&'static str> = OUTER[..rank].to_vec();
        self.loops = outer.iter().chain(&INNER[..reduced]).map(|name| (*name, false)).collect();
        self.operators = 4;
        let again = self
            .known
            .iter()
            .find(|known| !known.is_argument && known.rank == rank && known.data_type == data_type);
        let target = match again.cloned() {
            Some(known) if self.choices.once_in(3) => known.name,
            _ => format!("T{number}"),
        };
        let mut value = self.expression(data_type);
        for at in 0..self.loops.len() {
            if !self.loops[at].1 && self.choices.once_in(2) {
                value = format!("{value} + {}", self.access(data_type, at));
            }
        }
        let mut ranges = Vec::new();
        for (name, is_bounded) in self.loops.clone() {
            if !is_bounded || self.choices.once_in(6) {
                let (b, e) = (
                    self.pick(&["0", "0", "1", "-1", "N - 1"]),
                    self.pick(&["N", "M", "K + 1", "3", "N - 1", "(M + 1)/2"]),
                );
                ranges.push(format!("{name} in {b}:{e}"));
            }
        }
        let operator = match (reduced, self.choices.once_in(4)) {
            (0, false) => "=",
            _ => self.pick(&["+=", "+=!", "*=", "*=!", "min=", "min=!", "max=", "max=!"]),
        };
        let mut text = format!("  {target}");
        if rank > 0 || self.choices.once_in(2) {
            let _ = write!(text, "({})", outer.join(", "));
        }
        let _ = write!(text, " {operator} {value}");
        if !ranges.is_empty() {
            let _ = write!(text, " where {}", ranges.join(", "));
        }
        if !self.known.iter().any(|known| known.name == target) {
            self.known.push(Known { name: target, rank, data_type, is_argument: false });
        }
        text + "\n"
    }

    fn expression(&mut self, data_type: &'static str) -> String {
        if self.operators == 0 || self.choices.once_in(3) {
            return self.leaf(data_type);
        }
        self.operators -= 1;
        let is_float = ["float", "half"].contains(&data_type);
        match self.choices.below(10) {
            0..=5 => {
                let operator = self.pick(&["+", "-", "*", "+", "*"]);
                format!("({} {operator} {})", self.expression(data_type), self.expression(data_type))
            }
            6 if is_float => format!("({} / {})", self.expression(data_type), self.expression(data_type)),
            6 => format!(
                "({} {} {})",
                self.expression(data_type),
                self.pick(&["/", "%", "&", "|", "^", "<<", ">>"]),
                self.expression(data_type)
            ),
            7 if is_float && self.choices.once_in(2) => {
                format!("{}({})", self.pick(&["floor", "ceil", "trunc", "rint"]), self.expression(data_type))
            }
            7 if !is_float && self.choices.once_in(2) => format!("~{}", self.expression(data_type)),
            7 => format!("-{}", self.expression(data_type)),
            8 => format!(
                "{}({}, {})",
                self.pick(&["fmin", "fmax"]),
                self.expression(data_type),
                self.expression(data_type)
            ),
            _ => {
                let condition = self.condition(data_type);
                format!("({condition} ? {} : {})", self.expression(data_type), self.expression(data_type))
            }
        }
    }

    fn condition(&mut self, data_type: &'static str) -> String {
        let operator = self.pick(&["<", "<=", "==", "!=", ">", ">="]);
        match self.choices.below(3) {
            0 => format!("{} {operator} {}", self.leaf(data_type), self.leaf(data_type)),
            1 => {
                let connective = self.pick(&["&&", "||"]);
                format!("({} {operator} 1 {connective} {} < 2)", self.leaf(data_type), self.leaf(data_type))
            }
            _ => format!("{} {operator} {}", self.index(), self.index()),
        }
    }

    fn leaf(&mut self, data_type: &'static str) -> String {
        match self.choices.below(8) {
            0 => self.pick(&["0", "1", "2", "3"]).to_owned(),
            1 if data_type != "uint8" => format!("float_of({})", self.index()).replace("float_of", data_type),
            _ => {
                let at = self.choices.below(self.loops.len().max(1));
                self.access(data_type, at)
            }
        }
    }

    /// An access to a tensor of the type, plainly at a loop index in one dimension.
    fn access(&mut self, data_type: &'static str, at: usize) -> String {
        let fitting: Vec<Known> =
            self.known.iter().filter(|known| known.data_type == data_type).cloned().collect();
        let Known { name, rank, .. } = fitting[self.choices.below(fitting.len())].clone();
        if rank == 0 {
            return name;
        }
        let plain = self.choices.below(rank);
        let indices: Vec<String> = (0..rank)
            .map(|d| match self.loops.get_mut(at) {
                Some((index, is_bounded)) if d == plain => {
                    *is_bounded = true;
                    (*index).to_owned()
                }
                _ => self.index(),
            })
            .collect();
        format!("{name}({})", indices.join(", "))
    }

    fn index(&mut self) -> String {
        if self.loops.is_empty() {
            return self.pick(&["0", "N - 1", "M/2"]).to_owned();
        }
        let loops: Vec<&'static str> = self.loops.iter().map(|(name, _)| *name).collect();
        let (a, b) = (self.pick(&loops), self.pick(&loops));
        match self.choices.below(14) {
            0..=2 => a.to_owned(),
            3 => format!("{a} + 1"),
            4 => format!("{a} + {b}"),
            5 => format!("2*{a}"),
            6 => format!("{a}/2"),
            7 => format!("{a} % 2"),
            8 => format!("max({a} - 1, 0)"),
            9 => format!("min({a}, {b})"),
            10 => format!("{a} + 1 - 2*({b} % 2)"),
            11 => format!("max({a} - {b}, {b} - {a})/{}", self.pick(&["1", "2"])),
            12 => format!("min({a}, N - 1 - ({b} + 1)/3)"),
            _ => "0".to_owned(),
        }
    }
}
