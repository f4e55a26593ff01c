//! Evaluation and domains implemented again, straight from the equations of the paper: recursive, by brute force,
//! sharing only the syntax tree with the implementation.
//!
//! `None` means *not known here*: a reduction reaches the edge of the searched box, or the fuel is used up.

use alpha::syntax::{Domain, DomainId, ExprId, Expression, Intrinsic, System, VariableId, VariableRole};
use dashu_int::IBig;
use dashu_ratio::RBig;
use polyhedra::{Affine, AffineMap, IndexSet};
use selfsame_core::operators::{Binary, Constant, ElementType, Primitive, Unary};
use std::cell::Cell;
use values::Rounding;

/// The value of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum NaiveValue {
    Number(RBig),
    Truth(bool),
    Error,
}

/// The maximum coordinate, in magnitude, of the points among which a reduction searches its terms.
const RADIUS: i64 = 100;
/// The maximum coordinate, in magnitude, of the points at which reductions are evaluated.
const NEAR: i64 = 16;

pub struct Naive<'a> {
    pub system: &'a System,
    pub parameters: &'a [i64],
    pub input: &'a dyn Fn(VariableId, &[i64]) -> NaiveValue,
    fuel: Cell<u64>,
    is_faulty: Cell<bool>,
}

impl<'a> Naive<'a> {
    pub fn new(
        system: &'a System,
        parameters: &'a [i64],
        input: &'a dyn Fn(VariableId, &[i64]) -> NaiveValue,
    ) -> Naive<'a> {
        Naive { system, parameters, input, fuel: Cell::new(0), is_faulty: Cell::new(false) }
    }

    /// Allows `fuel` steps from here on.
    pub fn refuel(&self, fuel: u64) {
        self.fuel.set(fuel);
    }

    /// Whether some evaluated element has no definition or several, or some `case` has two branches.
    pub fn is_faulty(&self) -> bool {
        self.is_faulty.get()
    }

    fn burn(&self) -> Option<()> {
        self.fuel.set(self.fuel.get().checked_sub(1)?);
        Some(())
    }

    fn affine(&self, e: &Affine, z: &[i64]) -> i128 {
        let columns = self.parameters.iter().chain(z).enumerate();
        let terms = columns.map(|(at, &x)| i128::from(e.coefficient(at)) * i128::from(x));
        i128::from(e.constant) + terms.sum::<i128>()
    }

    fn image(&self, f: &AffineMap, z: &[i64]) -> Vec<i64> {
        f.outputs.iter().map(|output| i64::try_from(self.affine(output, z)).unwrap()).collect()
    }

    fn in_polyhedron(&self, set: &IndexSet, z: &[i64]) -> bool {
        set.pieces.iter().any(|piece| {
            assert!(piece.locals.is_empty(), "a written polyhedron");
            piece.equalities.iter().all(|e| self.affine(e, z) == 0)
                && piece.inequalities.iter().all(|e| self.affine(e, z) >= 0)
        })
    }

    /// z ∈ D, for a domain of the source.
    pub fn in_domain(&self, d: DomainId, z: &[i64]) -> bool {
        match self.system.domain(d) {
            Domain::Polyhedron(set) => self.in_polyhedron(set, z),
            Domain::Union(a, b) => self.in_domain(*a, z) || self.in_domain(*b, z),
            Domain::Intersection(a, b) => self.in_domain(*a, z) && self.in_domain(*b, z),
            Domain::Preimage(d, f) => self.in_domain(*d, &self.image(f, z)),
            Domain::Complement(d) => !self.in_domain(*d, z),
            Domain::Convex(d) => self.in_hull(*d, z),
        }
    }

    /// The constraints common to all parts of a union: its hull, for the hulls that the generator writes (the
    /// union of two halves of a polyhedron).
    fn in_hull(&self, d: DomainId, z: &[i64]) -> bool {
        let Domain::Union(a, b) = self.system.domain(d) else { return self.in_domain(d, z) };
        let [Domain::Polyhedron(a), Domain::Polyhedron(b)] = [a, b].map(|d| self.system.domain(*d)) else {
            panic!("the generator writes hulls of two polyhedra");
        };
        let (a, b) = (&a.pieces[0], &b.pieces[0]);
        // One half may be empty, written as `1 = 0`.
        let (a, b) = match (a.is_plainly_empty(), b.is_plainly_empty()) {
            (true, _) => (b, b),
            (_, true) => (a, a),
            _ => (a, b),
        };
        a.equalities.iter().filter(|e| b.equalities.contains(e)).all(|e| self.affine(e, z) == 0)
            && a.inequalities.iter().filter(|e| b.inequalities.contains(e)).all(|e| self.affine(e, z) >= 0)
    }

    /// z ∈ Domain(X)
    pub fn declared(&self, x: VariableId, z: &[i64]) -> bool {
        self.system.variable(x).domain.is_none_or(|d| self.in_domain(d, z))
    }

    /// z ∈ Domain(e)
    pub fn is_in(&self, e: ExprId, z: &[i64]) -> Option<bool> {
        self.burn()?;
        let both = |a: Option<bool>, b: &dyn Fn() -> Option<bool>| if a? { b() } else { Some(false) };
        match self.system.expression(e) {
            Expression::Constant(_) | Expression::Index(..) => Some(true),
            Expression::Variable(x) => Some(self.declared(*x, z)),
            Expression::Unary(_, e) => self.is_in(*e, z),
            Expression::Binary(_, [a, b]) => both(self.is_in(*a, z), &|| self.is_in(*b, z)),
            Expression::If([c, a, b]) => {
                both(self.is_in(*c, z), &|| both(self.is_in(*a, z), &|| self.is_in(*b, z)))
            }
            Expression::Case(branches) => self.branch(branches, z).map(|branch| branch.is_some()),
            Expression::Restrict(d, e) => both(Some(self.in_domain(*d, z)), &|| self.is_in(*e, z)),
            Expression::Dependence(e, f) => self.is_in(*e, &self.image(f, z)),
            Expression::Call(_, arguments) | Expression::Intrinsic(_, arguments) => {
                arguments.iter().try_fold(true, |all, &argument| Some(all && self.is_in(argument, z)?))
            }
            Expression::ReduceOver(_, _, d, _) => Some(self.in_domain(*d, z)),
            Expression::Reduce(_, f, e) => Some(!self.fibre(f, *e, z)?.is_empty()),
        }
    }

    /// The first branch whose domain contains z.
    fn branch(&self, branches: &[ExprId], z: &[i64]) -> Option<Option<ExprId>> {
        for &branch in branches {
            if self.is_in(branch, z)? {
                return Some(Some(branch));
            }
        }
        Some(None)
    }

    /// { y | f(y) = z, y ∈ Domain(e) }, if it lies within the box.
    fn fibre(&self, f: &AffineMap, e: ExprId, z: &[i64]) -> Option<Vec<Vec<i64>>> {
        if z.iter().any(|z| z.abs() > NEAR) {
            return None;
        }
        let mut necessary = self.necessary(e);
        for (output, &z) in f.outputs.iter().zip(z) {
            let equal = output.plus(-1, &Affine::constant(z)).unwrap();
            necessary.push(Affine::default().plus(-1, &equal).unwrap());
            necessary.push(equal);
        }
        let mut points = Vec::new();
        self.search(f.space.rank(), &necessary, &mut Vec::new(), &mut points)?;
        let mut fibre = Vec::new();
        for y in points {
            if self.is_in(e, &y)? {
                if y.iter().any(|y| y.abs() > RADIUS - 4) {
                    return None;
                }
                fibre.push(y);
            }
        }
        Some(fibre)
    }

    /// Affine expressions that are non-negative everywhere in the domain of an expression: the obvious ones.
    fn necessary(&self, e: ExprId) -> Vec<Affine> {
        let domain = match self.system.expression(e) {
            Expression::Restrict(d, _) => Some(*d),
            Expression::Variable(x) => self.system.variable(*x).domain,
            _ => None,
        };
        match domain.map(|d| self.system.domain(d)) {
            Some(Domain::Polyhedron(set)) => set.pieces[0].inequalities.clone(),
            _ => Vec::new(),
        }
    }

    /// All y of the box at which all of `necessary` are non-negative, coordinate by coordinate.
    fn search(
        &self,
        rank: usize,
        necessary: &[Affine],
        y: &mut Vec<i64>,
        found: &mut Vec<Vec<i64>>,
    ) -> Option<()> {
        self.burn()?;
        let first = self.parameters.len();
        let possible = necessary.iter().all(|e| {
            let rest: i64 = (y.len()..rank).map(|d| e.coefficient(first + d).abs() * RADIUS).sum();
            self.affine(e, y) + i128::from(rest) >= 0
        });
        if !possible {
            return Some(());
        }
        if y.len() == rank {
            found.push(y.clone());
            return Some(());
        }
        for coordinate in -RADIUS..=RADIUS {
            y.push(coordinate);
            self.search(rank, necessary, y, found)?;
            y.pop();
        }
        Some(())
    }

    /// Eval(X, z)
    pub fn element(&self, x: VariableId, z: &[i64]) -> Option<NaiveValue> {
        self.burn()?;
        if !self.declared(x, z) {
            return Some(NaiveValue::Error);
        }
        if let Some(at) = self.system.parameter_of(x) {
            return Some(NaiveValue::Number(self.parameters[at].into()));
        }
        if self.system.variable(x).kind == VariableRole::Input {
            return Some((self.input)(x, z));
        }
        let mut defining = Vec::new();
        for equation in self.system.definitions(x) {
            if self.is_in(equation.expression, z)? {
                defining.push(equation.expression);
            }
        }
        self.is_faulty.set(self.is_faulty() || defining.len() != 1);
        defining.first().map_or(Some(NaiveValue::Error), |&e| self.eval(e, z))
    }

    /// Whether an expression is boolean.
    fn is_truth(&self, e: ExprId) -> bool {
        use Binary::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual};
        match self.system.expression(e) {
            Expression::Constant(constant) => matches!(constant, Constant::Boolean(_)),
            Expression::Variable(x) => self.system.variable(*x).data_type == ElementType::Boolean,
            Expression::Index(..) => false,
            Expression::Call(f, _) => self.system.function(*f).result == ElementType::Boolean,
            Expression::Unary(Unary::Cast(data_type), _) => *data_type == ElementType::Boolean,
            Expression::Binary(Equal | NotEqual | Less | LessOrEqual | Greater | GreaterOrEqual, _) => true,
            Expression::If([_, part, _]) => self.is_truth(*part),
            Expression::Intrinsic(Intrinsic::Select, operands) => self.is_truth(operands[1]),
            Expression::Intrinsic(..) => false,
            expression => self.is_truth(expression.operands()[0]),
        }
    }

    /// The value of a reduction without terms.
    fn identity(&self, operator: Binary, body: ExprId) -> NaiveValue {
        let truth = self.is_truth(body);
        match operator {
            Binary::Add | Binary::Or | Binary::Xor if !truth => NaiveValue::Number(RBig::ZERO),
            Binary::Mul => NaiveValue::Number(RBig::ONE),
            Binary::And if !truth => NaiveValue::Number(RBig::from(-1)),
            Binary::And => NaiveValue::Truth(true),
            Binary::Or | Binary::Xor => NaiveValue::Truth(false),
            _ => NaiveValue::Error,
        }
    }

    /// Eval(e, z)
    pub fn eval(&self, e: ExprId, z: &[i64]) -> Option<NaiveValue> {
        self.burn()?;
        if !self.is_in(e, z)? {
            return Some(NaiveValue::Error);
        }
        Some(match self.system.expression(e) {
            Expression::Constant(Constant::Integer(number)) => NaiveValue::Number(RBig::from(number.clone())),
            Expression::Constant(Constant::Real(number)) => NaiveValue::Number(number.clone()),
            Expression::Constant(Constant::Boolean(truth)) => NaiveValue::Truth(*truth),
            Expression::Variable(x) => self.element(*x, z)?,
            Expression::Call(f, arguments) => {
                let arguments = arguments.iter().map(|&argument| self.eval(argument, z));
                call(self.system.function(*f).result, arguments.collect::<Option<Vec<_>>>()?)
            }
            Expression::Constant(Constant::Typed(..)) => unreachable!("texts have no typed constants"),
            Expression::Intrinsic(intrinsic, operands) => {
                let operands = operands.iter().map(|&operand| self.eval(operand, z));
                applied(*intrinsic, &operands.collect::<Option<Vec<_>>>()?)
            }
            Expression::Index(f, _) => NaiveValue::Number(self.image(f, z)[0].into()),
            Expression::Unary(operator, e) => unary(*operator, self.eval(*e, z)?),
            Expression::Binary(operator, [a, b]) => binary(*operator, self.eval(*a, z)?, self.eval(*b, z)?),
            Expression::If([c, a, b]) => match (self.eval(*c, z)?, self.eval(*a, z)?, self.eval(*b, z)?) {
                (NaiveValue::Error, ..) | (_, NaiveValue::Error, _) | (.., NaiveValue::Error) => {
                    NaiveValue::Error
                }
                (NaiveValue::Truth(true), a, _) => a,
                (_, _, b) => b,
            },
            Expression::Case(branches) => match self.branch(branches, z)? {
                Some(branch) => {
                    let others = branches.iter().filter(|&&other| other != branch);
                    let both = others.map(|&other| self.is_in(other, z)).collect::<Option<Vec<bool>>>()?;
                    self.is_faulty.set(self.is_faulty() || both.contains(&true));
                    self.eval(branch, z)?
                }
                None => NaiveValue::Error,
            },
            Expression::Restrict(_, e) => self.eval(*e, z)?,
            Expression::Dependence(e, f) => self.eval(*e, &self.image(f, z))?,
            Expression::Reduce(operator, f, e) => {
                let terms = self.fibre(f, *e, z)?.into_iter().map(|y| self.eval(*e, &y));
                let terms: Option<Vec<NaiveValue>> = terms.collect();
                terms?.into_iter().reduce(|a, b| binary(*operator, a, b)).unwrap_or(NaiveValue::Error)
            }
            Expression::ReduceOver(operator, f, _, e) => {
                let terms = self.fibre(f, *e, z)?.into_iter().map(|y| self.eval(*e, &y));
                let terms: Option<Vec<NaiveValue>> = terms.collect();
                let identity = || self.identity(*operator, *e);
                terms?.into_iter().reduce(|a, b| binary(*operator, a, b)).unwrap_or_else(identity)
            }
        })
    }
}

/// `select`, `floor`, `ceil`, `trunc` and `quot`: those that are generated.
fn applied(intrinsic: Intrinsic, operands: &[NaiveValue]) -> NaiveValue {
    match (intrinsic, operands) {
        (Intrinsic::Select, [NaiveValue::Truth(true), chosen, _] | [NaiveValue::Truth(false), _, chosen]) => {
            chosen.clone()
        }
        (Intrinsic::Primitive(Primitive::Integral(rounding)), [NaiveValue::Number(a)]) => {
            NaiveValue::Number(RBig::from(match rounding {
                Rounding::Down => a.floor(),
                Rounding::Up => a.ceil(),
                Rounding::TowardZero => a.trunc(),
                Rounding::Nearest => unreachable!("it is not generated"),
            }))
        }
        (Intrinsic::Primitive(Primitive::Quotient), [NaiveValue::Number(a), NaiveValue::Number(b)]) => {
            match b.is_zero() {
                true => NaiveValue::Error,
                false => NaiveValue::Number(RBig::from((a / b).trunc())),
            }
        }
        _ => NaiveValue::Error,
    }
}

fn integer(number: &RBig) -> IBig {
    IBig::try_from(number.clone()).expect("an integer")
}

/// Interprets functions like [`crate::random::setup::interpreted`].
fn call(result: ElementType, arguments: Vec<NaiveValue>) -> NaiveValue {
    let mut sum = RBig::ZERO;
    for argument in arguments {
        match argument {
            NaiveValue::Number(number) => sum += number,
            NaiveValue::Truth(truth) => sum += RBig::from(u8::from(truth)),
            NaiveValue::Error => return NaiveValue::Error,
        }
    }
    match result {
        ElementType::Integer => unary(Unary::Cast(ElementType::Integer), NaiveValue::Number(sum)),
        ElementType::Boolean => NaiveValue::Truth(sum > RBig::ZERO),
        _ => NaiveValue::Number(sum - RBig::ONE),
    }
}

fn unary(operator: Unary, a: NaiveValue) -> NaiveValue {
    match (operator, a) {
        (_, NaiveValue::Error) => NaiveValue::Error,
        (Unary::Negate, NaiveValue::Number(a)) => NaiveValue::Number(-a),
        (Unary::Not, NaiveValue::Number(a)) => NaiveValue::Number((!integer(&a)).into()),
        (Unary::Absolute, NaiveValue::Number(a)) => NaiveValue::Number(if a < RBig::ZERO { -a } else { a }),
        (Unary::Cast(ElementType::Integer), NaiveValue::Number(a)) => {
            let toward_zero = if a < RBig::ZERO { a.ceil() } else { a.floor() };
            NaiveValue::Number(toward_zero.into())
        }
        (Unary::Cast(ElementType::Boolean), NaiveValue::Number(a)) => NaiveValue::Truth(a != RBig::ZERO),
        (Unary::Cast(_), NaiveValue::Number(a)) => NaiveValue::Number(a),
        (Unary::Cast(ElementType::Boolean), truth) => truth,
        (Unary::Cast(_), NaiveValue::Truth(a)) => NaiveValue::Number(RBig::from(if a { 1 } else { 0 })),
        (_, NaiveValue::Truth(a)) => NaiveValue::Truth(!a),
    }
}

fn binary(operator: Binary, a: NaiveValue, b: NaiveValue) -> NaiveValue {
    match (a, b) {
        (NaiveValue::Number(a), NaiveValue::Number(b)) => numbers(operator, &a, &b),
        (NaiveValue::Truth(a), NaiveValue::Truth(b)) => NaiveValue::Truth(match operator {
            Binary::And => a && b,
            Binary::Or => a || b,
            Binary::Xor | Binary::NotEqual => a != b,
            Binary::Equal => a == b,
            _ => panic!("{operator:?} of truths"),
        }),
        _ => NaiveValue::Error,
    }
}

/// The quotient rounded down.
fn floor_div(a: &IBig, b: &IBig) -> IBig {
    let (quotient, remainder) = (a / b, a % b);
    let adjust = remainder != IBig::ZERO && (remainder < IBig::ZERO) != (*b < IBig::ZERO);
    if adjust { quotient - IBig::ONE } else { quotient }
}

fn numbers(operator: Binary, a: &RBig, b: &RBig) -> NaiveValue {
    let zero = *b == RBig::ZERO;
    let number = |number: IBig| NaiveValue::Number(number.into());
    match operator {
        Binary::Add => NaiveValue::Number(a + b),
        Binary::Sub => NaiveValue::Number(a - b),
        Binary::Mul => NaiveValue::Number(a * b),
        Binary::Div | Binary::IntegerDiv | Binary::Mod | Binary::Rem if zero => NaiveValue::Error,
        Binary::Div => NaiveValue::Number(a / b),
        Binary::IntegerDiv => number(floor_div(&integer(a), &integer(b))),
        Binary::Mod => number(integer(a) - floor_div(&integer(a), &integer(b)) * integer(b)),
        Binary::Rem => {
            let sign = if *a < RBig::ZERO { IBig::NEG_ONE } else { IBig::ONE };
            let (a, b) = (integer(a) * &sign, integer(b));
            let b = if b < IBig::ZERO { -b } else { b };
            number((&a - floor_div(&a, &b) * b) * sign)
        }
        Binary::Min => NaiveValue::Number(a.min(b).clone()),
        Binary::Max => NaiveValue::Number(a.max(b).clone()),
        Binary::And => number(integer(a) & integer(b)),
        Binary::Or => number(integer(a) | integer(b)),
        Binary::Xor => number(integer(a) ^ integer(b)),
        Binary::Equal => NaiveValue::Truth(a == b),
        Binary::NotEqual => NaiveValue::Truth(a != b),
        Binary::Less => NaiveValue::Truth(a < b),
        Binary::LessOrEqual => NaiveValue::Truth(a <= b),
        Binary::Greater => NaiveValue::Truth(a > b),
        Binary::GreaterOrEqual => NaiveValue::Truth(a >= b),
    }
}

/// Inputs: small numbers and truths that depend on the variable and the point.
pub fn input(system: &System, x: VariableId, z: &[i64]) -> NaiveValue {
    let seed = z.iter().fold(x.index() as i64 + 1, |hash, &z| (hash.wrapping_mul(31) + z).rem_euclid(1009));
    let number = seed * 7 % 11 - 4;
    match system.variable(x).data_type {
        ElementType::Integer => NaiveValue::Number(RBig::from(number)),
        ElementType::Boolean => NaiveValue::Truth(number % 2 == 0),
        _ => NaiveValue::Number(RBig::from(number) / RBig::from(2)),
    }
}
