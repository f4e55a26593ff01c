//! Programs over square matrices, and rewrites of them; each rewrite is verified before use.

use fastrand::Rng;

/// An operator with operands, or a tensor, by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatrixTerm {
    pub head: String,
    pub operands: Vec<MatrixTerm>,
}

/// Both sides of each rewrite, as prefix terms; `x`, `y`, `z` stand for matrices, `s` for a number.
pub const REWRITES: [[&str; 2]; 25] = [
    ["(matmul x (matmul y z))", "(matmul (matmul x y) z)"],
    ["(matmul x (+ y z))", "(+ (matmul x y) (matmul x z))"],
    ["(matmul (+ x y) z)", "(+ (matmul x z) (matmul y z))"],
    ["(matmul (scale s x) y)", "(scale s (matmul x y))"],
    ["(matmul x (scale s y))", "(scale s (matmul x y))"],
    ["(t (matmul x y))", "(matmul (t y) (t x))"],
    ["(t (t x))", "x"],
    ["(t (+ x y))", "(+ (t x) (t y))"],
    ["(t (* x y))", "(* (t x) (t y))"],
    ["(t (relu x))", "(relu (t x))"],
    ["(+ x y)", "(+ y x)"],
    ["(+ x (+ y z))", "(+ (+ x y) z)"],
    ["(* x y)", "(* y x)"],
    ["(* x (* y z))", "(* (* x y) z)"],
    ["(* x (+ y z))", "(+ (* x y) (* x z))"],
    ["(scale s (+ x y))", "(+ (scale s x) (scale s y))"],
    ["(scale s (* x y))", "(* (scale s x) y)"],
    ["(flip (flip x))", "x"],
    ["(flip (* x y))", "(* (flip x) (flip y))"],
    ["(flip (matmul x y))", "(matmul (flip x) y)"],
    ["(flip (relu x))", "(relu (flip x))"],
    ["(relu (relu x))", "(relu x)"],
    ["(crop x)", "x"],
    ["(top x y)", "x"],
    ["(bottom x y)", "y"],
];

/// The operators, with their numbers of operands and their notation in a file of rules.
const OPERATORS: [(&str, usize, &str); 10] = [
    ("matmul", 2, "matmul(#1, #2)"),
    ("+", 2, "(#1 + #2)"),
    ("*", 2, "(#1 * #2)"),
    ("scale", 2, "(#1 * #2)"),
    ("t", 1, "t(#1)"),
    ("relu", 1, "relu(#1)"),
    ("flip", 1, "reverse(#1; dims(0, 1))"),
    ("crop", 1, "slice(pad(#1, 0; [1, 0], 0, [0, 2]); [1, 0], [n + 1, n], 1)"),
    ("top", 2, "split_first(concat(#1, #2; 0); 0, n)"),
    ("bottom", 2, "split_second(concat(#1, #2; 0); 0, n)"),
];

/// The text of a rule with these sides.
pub fn rule(name: &str, left: &MatrixTerm, right: &MatrixTerm) -> String {
    format!(
        "rule {name} sizes n tensors x[n, n], y[n, n], z[n, n], s left {} right {}\n",
        left.text(),
        right.text()
    )
}

impl MatrixTerm {
    /// Reads a prefix term.
    pub fn parse(text: &str) -> MatrixTerm {
        let spaced = text.replace('(', " ( ").replace(')', " ) ");
        let mut open: Vec<Vec<MatrixTerm>> = vec![Vec::new()];
        for word in spaced.split_whitespace() {
            match word {
                "(" => open.push(Vec::new()),
                ")" => {
                    let mut parts = open.pop().unwrap();
                    let head = parts.remove(0).head;
                    open.last_mut().unwrap().push(MatrixTerm { head, operands: parts });
                }
                word => {
                    open.last_mut().unwrap().push(MatrixTerm { head: word.to_owned(), operands: Vec::new() })
                }
            }
        }
        open.pop().unwrap().pop().unwrap()
    }

    /// The term in the notation of a file of rules.
    pub fn text(&self) -> String {
        let Some((_, _, template)) = OPERATORS.iter().find(|(name, ..)| *name == self.head) else {
            return self.head.clone();
        };
        let operands = self.operands.iter().enumerate();
        operands.fold((*template).to_owned(), |text, (k, operand)| {
            text.replace(&format!("#{}", k + 1), &operand.text())
        })
    }

    /// A random term with `operators` operators.
    pub fn random(operators: usize, rng: &mut Rng) -> MatrixTerm {
        if operators == 0 {
            return tensor(rng);
        }
        let (head, arity, _) = OPERATORS[rng.usize(..OPERATORS.len())];
        let left = rng.usize(..operators);
        let mut operands = match (head, arity) {
            ("scale", _) => vec![MatrixTerm::parse("s"), MatrixTerm::random(operators - 1, rng)],
            (_, 1) => vec![MatrixTerm::random(operators - 1, rng)],
            _ => vec![MatrixTerm::random(left, rng), MatrixTerm::random(operators - 1 - left, rng)],
        };
        if head != "scale" && arity == 2 && rng.bool() {
            operands.swap(0, 1);
        }
        MatrixTerm { head: head.to_owned(), operands }
    }

    pub fn size(&self) -> usize {
        1 + self.operands.iter().map(MatrixTerm::size).sum::<usize>()
    }

    /// The term after a rewrite at a random place, if the rewrite matches there.
    pub fn rewritten(&self, rng: &mut Rng) -> Option<MatrixTerm> {
        let place = rng.usize(..self.size());
        let [left, right] = REWRITES[rng.usize(..REWRITES.len())].map(MatrixTerm::parse);
        let (from, to) = if rng.bool() { (left, right) } else { (right, left) };
        self.changed(place, &mut |term| {
            let mut bindings = Vec::new();
            from.matches(term, &mut bindings).then(|| to.instantiated(&mut bindings, rng))
        })
    }

    /// The term with one operator, one operand or the order of operands changed.
    pub fn mutated(&self, rng: &mut Rng) -> Option<MatrixTerm> {
        let place = rng.usize(..self.size());
        let new = OPERATORS[rng.usize(..OPERATORS.len())].0;
        let kind = rng.u8(0..3);
        let arity =
            |head: &str| OPERATORS.iter().find(|(name, ..)| *name == head).map(|(_, arity, _)| *arity);
        self.changed(place, &mut |term| {
            let mut term = term.clone();
            let same_kind = arity(&term.head) == arity(new) && term.head != new;
            match kind {
                0 if same_kind && term.head != "scale" && new != "scale" => term.head = new.to_owned(),
                1 if term.operands.len() == 2 && term.head != "scale" => term.operands.swap(0, 1),
                2 if term.operands.len() == 1 => term = term.operands.remove(0),
                2 if "xyz".contains(&term.head) => term = tensor(rng),
                _ => return None,
            }
            Some(term)
        })
    }

    fn changed(
        &self,
        place: usize,
        change: &mut dyn FnMut(&MatrixTerm) -> Option<MatrixTerm>,
    ) -> Option<MatrixTerm> {
        if place == 0 {
            return change(self);
        }
        let mut before = 1;
        for (k, operand) in self.operands.iter().enumerate() {
            if place < before + operand.size() {
                let mut new = self.clone();
                new.operands[k] = operand.changed(place - before, change)?;
                return Some(new);
            }
            before += operand.size();
        }
        None
    }

    fn matches(&self, term: &MatrixTerm, bindings: &mut Vec<(String, MatrixTerm)>) -> bool {
        if self.operands.is_empty() {
            // Only `s` is a number.
            if (self.head == "s") != (term.head == "s") {
                return false;
            }
            if let Some((_, known)) = bindings.iter().find(|(name, _)| *name == self.head) {
                return known == term;
            }
            bindings.push((self.head.clone(), term.clone()));
            return true;
        }
        let pairs = self.operands.iter().zip(&term.operands);
        self.head == term.head
            && self.operands.len() == term.operands.len()
            && pairs.fold(true, |all, (mine, theirs)| all && mine.matches(theirs, bindings))
    }

    /// Instantiates the pattern; variables that the other side does not bind become random tensors.
    fn instantiated(&self, bindings: &mut Vec<(String, MatrixTerm)>, rng: &mut Rng) -> MatrixTerm {
        if self.operands.is_empty() {
            if let Some((_, known)) = bindings.iter().find(|(name, _)| *name == self.head) {
                return known.clone();
            }
            let new = tensor(rng);
            bindings.push((self.head.clone(), new.clone()));
            return new;
        }
        let operands = self.operands.iter().map(|operand| operand.instantiated(bindings, rng)).collect();
        MatrixTerm { head: self.head.clone(), operands }
    }
}

fn tensor(rng: &mut Rng) -> MatrixTerm {
    MatrixTerm::parse(["x", "y", "z"][rng.usize(..3)])
}
