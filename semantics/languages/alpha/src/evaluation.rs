//! `Eval` as printed (§§7 and 8), and `Eval2` with its table (§7.1).
//!
//! Conventions: `e`: [`ExprId`], `z`: a point, `X`: [`VariableId`]. Evaluation is by demand, so domains may be
//! infinite. Nothing recurses: the remaining work is on a stack. Both methods stop at an element that is already
//! being evaluated: it depends on itself.

use super::instance::SystemInstance;
use super::syntax::{DeclaredFunction, ExprId, Expression, FunctionId, Intrinsic, VariableId, VariableRole};
use super::typing::Typing;
use polyhedra::EngineError;
use rustc_hash::{FxHashMap, FxHashSet};
use selfsame_core::operations::{
    Datum, Element, applied, binary, conditional, constant, error, identity_element, reduction, strict_in,
    unary,
};
use selfsame_core::operators::{Binary, Constant, ElementType, Unary};
use std::rc::Rc;
use values::digits::{TooLong, within_limit};
use values::{Division, LiteralError, ValueDomain};

/// The method of evaluating variables; both must give the same values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum VariableMethod {
    /// `Eval`: evaluates an element each time it is demanded.
    Eval,
    /// `Eval2`: evaluates each element once, and keeps it in a table.
    #[default]
    Eval2,
}

/// A point of a variable.
pub type Point = Rc<[i64]>;

/// Why evaluation is stuck; *error*, in contrast, is a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stuck {
    /// The element depends on itself.
    Cycle(VariableId, Point),
    /// The input does not hold this element.
    NoInput(VariableId, Point),
    /// The reduction has infinitely many terms at a point, or more than the limit, or they cannot be enumerated.
    Fibre(ExprId, Point, EngineError),
    /// An index exceeds 64 bits, or membership is not decided.
    Index(ExprId, EngineError),
    /// A constant is not a number of the domain.
    Constant(ExprId, LiteralError),
    /// The called function has no interpretation.
    Uninterpreted(ExprId, FunctionId),
    /// More steps than the limit, at an element.
    Steps(u64, Option<(VariableId, Point)>),
    /// More than [`MAX_HELD`] steps are waiting, or that many elements are in the tables, at an element.
    Memory(Option<(VariableId, Point)>),
    /// An exact number would have more digits than the limit.
    TooLong,
}

impl From<TooLong> for Stuck {
    fn from(TooLong: TooLong) -> Stuck {
        Stuck::TooLong
    }
}

/// The elements that inputs hold.
pub type InputFunction<'a, D> = dyn Fn(VariableId, &[i64]) -> Option<Element<D>> + 'a;

/// Interpretations of declared functions: the value for given arguments, if there is an interpretation. If an
/// argument is *error* the value is *error*, whatever this returns.
pub type Interpretations<'a, D> = dyn Fn(&DeclaredFunction, &[Element<D>]) -> Option<Element<D>> + 'a;

/// Interprets no function.
pub fn uninterpreted<D: ValueDomain>(_: &DeclaredFunction, _: &[Element<D>]) -> Option<Element<D>> {
    None
}

/// The inputs of an evaluation.
pub struct Setting<'a, D: ValueDomain> {
    /// The system, with its parameters fixed.
    pub instance: &'a SystemInstance<'a>,
    /// Its types.
    pub typing: &'a Typing,
    /// The value domain.
    pub domain: &'a D,
    /// The division that `/` denotes; ALPHA's own is extended division, `x/0 = error`.
    pub division: Division,
    /// `input(X, z)`: the element of an input, if the input holds it. Not called for inputs that are parameters.
    pub input: &'a InputFunction<'a, D>,
    /// The interpretations of functions.
    pub functions: &'a Interpretations<'a, D>,
    /// The method.
    pub method: VariableMethod,
    /// The maximum number of steps.
    pub max_steps: u64,
}

/// Evaluates elements, and keeps the table of elements between calls.
pub struct SystemEvaluator<'a, D: ValueDomain> {
    setting: Setting<'a, D>,
    /// The `X`-tables of §7.1.
    tables: Vec<FxHashMap<Point, Element<D>>>,
    /// The elements that are being evaluated.
    active: FxHashSet<(VariableId, Point)>,
    steps: Vec<ElementStep>,
    values: Vec<Element<D>>,
    taken: u64,
    /// The number of elements in the tables; every [`ELEMENT`] words of digits count as one more.
    stored: usize,
}

/// The maximum number of waiting steps, and of elements, that an evaluation holds: half a GiB of elements of
/// `ELEMENT` words each.
pub const MAX_HELD: usize = 1 << 22;

/// An element with its index takes about as much memory as this many words of digits.
const ELEMENT: usize = 16;

/// A step that remains to be done; values are on a separate stack.
enum ElementStep {
    Eval(ExprId, Point),
    Unary(Unary, ElementType),
    Binary(Binary),
    If,
    Reduce(Binary, usize),
    Call(ExprId, FunctionId, usize),
    /// Of that many operands, the first of which has this type.
    Intrinsic(Intrinsic, ElementType, usize),
    /// The value of an element is known.
    Store(VariableId, Point),
}

impl<'a, D: ValueDomain> SystemEvaluator<'a, D> {
    /// An evaluator that has evaluated nothing.
    pub fn new(setting: Setting<'a, D>) -> SystemEvaluator<'a, D> {
        let variables = setting.instance.system.variables.len();
        SystemEvaluator {
            setting,
            tables: vec![FxHashMap::default(); variables],
            active: FxHashSet::default(),
            steps: Vec::new(),
            values: Vec::new(),
            taken: 0,
            stored: 0,
        }
    }

    /// `Eval(X, z)`, or `Eval2(X, z)`.
    ///
    /// # Errors
    /// Evaluation is stuck; the value *error* is not an error.
    pub fn element(&mut self, x: VariableId, z: &[i64]) -> Result<Element<D>, Stuck> {
        self.limited(|evaluator| {
            evaluator.start();
            evaluator.variable(x, z.into())?;
            evaluator.finish()
        })
    }

    /// `Eval(e, z)`
    ///
    /// # Errors
    /// See [`SystemEvaluator::element`].
    pub fn expression(&mut self, e: ExprId, z: &[i64]) -> Result<Element<D>, Stuck> {
        self.limited(|evaluator| {
            evaluator.start();
            let instance = evaluator.setting.instance;
            let is_constant = matches!(instance.system.expression(e), Expression::Constant(_));
            match is_constant || evaluator.contains(e, instance.domain(e), z)? {
                true => evaluator.steps.push(ElementStep::Eval(e, z.into())),
                false => evaluator.error(e),
            }
            evaluator.finish()
        })
    }

    /// Evaluates, and forgets all elements if a number became too long: some were computed from it.
    fn limited(
        &mut self,
        evaluate: impl FnOnce(&mut Self) -> Result<Element<D>, Stuck>,
    ) -> Result<Element<D>, Stuck> {
        let value = within_limit(|| evaluate(self));
        if value.is_err() {
            self.tables.iter_mut().for_each(FxHashMap::clear);
            self.stored = 0;
        }
        value?
    }

    /// The number of steps taken so far.
    pub fn steps_taken(&self) -> u64 {
        self.taken
    }

    fn start(&mut self) {
        self.active.clear();
        self.steps.clear();
        self.values.clear();
    }

    fn finish(&mut self) -> Result<Element<D>, Stuck> {
        let domain = self.setting.domain;
        while let Some(step) = self.steps.pop() {
            self.taken += 1;
            if self.taken > self.setting.max_steps {
                return Err(Stuck::Steps(self.setting.max_steps, self.current()));
            }
            if self.steps.len() > MAX_HELD || self.stored > MAX_HELD {
                return Err(Stuck::Memory(self.current()));
            }
            match step {
                ElementStep::Eval(e, z) => self.eval(e, z)?,
                ElementStep::Unary(operator, of) => {
                    let a = self.pop();
                    self.values.push(unary(domain, (operator, of), &a));
                }
                ElementStep::Binary(operator) => {
                    let (b, a) = (self.pop(), self.pop());
                    self.values.push(binary(domain, self.setting.division, operator, &a, &b));
                }
                ElementStep::If => {
                    let (b, a, condition) = (self.pop(), self.pop(), self.pop());
                    self.values.push(conditional(domain, &condition, &a, &b));
                }
                ElementStep::Intrinsic(intrinsic, of, operands) => {
                    let operands = self.values.split_off(self.values.len().saturating_sub(operands));
                    let operator = (intrinsic.operator(), of);
                    self.values.extend(applied(domain, self.setting.division, operator, &operands));
                }
                ElementStep::Reduce(operator, terms) => {
                    let terms = self.values.split_off(self.values.len() - terms);
                    self.values.extend(reduction(domain, self.setting.division, operator, terms));
                }
                ElementStep::Call(e, f, arguments) => self.call(e, f, arguments)?,
                ElementStep::Store(x, z) => self.store(x, z),
            }
        }
        Ok(self.pop())
    }

    /// The element under evaluation.
    fn current(&self) -> Option<(VariableId, Point)> {
        self.steps.iter().rev().find_map(|step| match step {
            ElementStep::Store(x, z) => Some((*x, z.clone())),
            _ => None,
        })
    }

    /// Every step that pops has had its operands pushed, so the default is never used.
    fn pop(&mut self) -> Element<D> {
        self.values.pop().unwrap_or_else(|| Datum::Number(self.setting.domain.undefined()))
    }

    fn store(&mut self, x: VariableId, z: Point) {
        if let Some(Datum::Number(value)) = self.values.last_mut() {
            self.setting.domain.store(value);
        }
        if self.setting.method == VariableMethod::Eval2
            && let Some(value) = self.values.last()
        {
            let digits = match value {
                Datum::Number(number) => self.setting.domain.words(number),
                Datum::Truth(_) => 0,
            };
            self.tables[x.index()].insert(z.clone(), value.clone());
            self.stored += 1 + digits / ELEMENT;
        }
        self.active.remove(&(x, z));
    }

    fn contains(&self, e: ExprId, set: &polyhedra::IndexSet, z: &[i64]) -> Result<bool, Stuck> {
        set.contains(&[], z).map_err(|error| Stuck::Index(e, error))
    }

    /// Every equation of `Eval` except that of a constant first tests `z ∈ Domain(e)`, and is *error* elsewhere.
    /// `Eval2` tests once for each right side: by `Domain()`, its parts have a value wherever it has one.
    fn eval(&mut self, e: ExprId, z: Point) -> Result<(), Stuck> {
        let instance = self.setting.instance;
        let expression = instance.system.expression(e);
        if let Expression::Variable(x) = expression {
            return self.variable(*x, z);
        }
        let asks =
            self.setting.method == VariableMethod::Eval && !matches!(expression, Expression::Constant(_));
        if asks && !self.contains(e, instance.domain(e), &z)? {
            self.error(e);
            return Ok(());
        }
        match expression {
            Expression::Constant(value) => self.constant(e, value)?,
            Expression::Variable(_) => {}
            // Ours: a cast to the same type is the identity.
            Expression::Unary(Unary::Cast(to), operand)
                if self.setting.typing.shape(*operand).data_type == *to =>
            {
                self.steps.push(ElementStep::Eval(*operand, z));
            }
            // **eval-unop** (§7.3): op Eval(e, z) if z ∈ Domain(unop(op, e)), which `asks` tests above; else *error*
            Expression::Unary(operator, operand) => {
                let of = self.setting.typing.shape(*operand).data_type;
                self.steps.push(ElementStep::Unary(*operator, of));
                self.steps.push(ElementStep::Eval(*operand, z));
            }
            // **eval-binop** (§7.3): Eval(e1, z) op Eval(e2, z) if z ∈ Domain(binop(op, e1, e2)); else *error*
            Expression::Binary(operator, operands) => {
                self.strict(ElementStep::Binary(*operator), operands, &z)
            }
            // **eval-if** (§7.3): strict, as every point-wise operator
            Expression::If(operands) => self.strict(ElementStep::If, operands, &z),
            Expression::Case(branches) => self.case(e, branches, z)?,
            // **eval-restrict** (§8.2): Eval(e, z) if z ∈ D ∩ Domain(e), the domain that `asks` tests above; else *error*
            Expression::Restrict(_, inner) => self.steps.push(ElementStep::Eval(*inner, z)),
            // **eval-dep** (§8.3): Eval(e, A·z + b) if z ∈ Domain(dep(e, matrix)); else *error*
            Expression::Dependence(inner, _) => {
                let image = instance.image(e, &z).map_err(|error| Stuck::Index(e, error))?;
                self.steps.push(ElementStep::Eval(*inner, image.into()));
            }
            Expression::Reduce(operator, _, body) | Expression::ReduceOver(operator, _, _, body) => {
                self.reduce(e, *operator, *body, z)?;
            }
            Expression::Call(f, arguments) => {
                self.strict(ElementStep::Call(e, *f, arguments.len()), arguments, &z);
            }
            Expression::Intrinsic(of, operands) => {
                let first = operands.first().map(|&operand| self.setting.typing.shape(operand).data_type);
                let first = first.unwrap_or(ElementType::Boolean);
                self.strict(ElementStep::Intrinsic(*of, first, operands.len()), operands, &z);
            }
            Expression::Index(_, of) => self.index(e, *of, &z)?,
        }
        Ok(())
    }

    /// **eval-constant** (§7.2): `Eval(constant, z) = constant.value`
    fn constant(&mut self, e: ExprId, value: &Constant) -> Result<(), Stuck> {
        let value = constant(self.setting.domain, value).map_err(|error| Stuck::Constant(e, error))?;
        self.values.push(value);
        Ok(())
    }

    /// Ours, not in the paper: `Eval(val(z -> a·z + b), z) = a·z + b`, which the value domain converts to a
    /// number.
    fn index(&mut self, e: ExprId, of: ElementType, z: &[i64]) -> Result<(), Stuck> {
        let image = self.setting.instance.image(e, z).map_err(|error| Stuck::Index(e, error))?;
        let index = image.first().copied().unwrap_or(0);
        self.values.push(Datum::Number(self.setting.domain.index_as(of, index)));
        Ok(())
    }

    /// Ours, not in the paper: `Eval(f(e1, …, en), z) = f(Eval(e1, z), …, Eval(en, z))`, *error* if an argument is
    /// *error*. Without an interpretation of `f` evaluation is stuck.
    fn call(&mut self, e: ExprId, f: FunctionId, arguments: usize) -> Result<(), Stuck> {
        let arguments = self.values.split_off(self.values.len().saturating_sub(arguments));
        let function = self.setting.instance.system.function(f);
        let value = (self.setting.functions)(function, &arguments).ok_or(Stuck::Uninterpreted(e, f))?;
        let domain = self.setting.domain;
        self.values.push(arguments.iter().fold(value, |value, argument| strict_in(domain, argument, value)));
        Ok(())
    }

    /// *error*, as the value of an expression.
    fn error(&mut self, e: ExprId) {
        self.values.push(error(self.setting.domain, self.setting.typing.shape(e).data_type));
    }

    /// An operator all of whose operands are evaluated, at one point.
    fn strict(&mut self, step: ElementStep, operands: &[ExprId], z: &Point) {
        self.steps.push(step);
        self.steps.extend(operands.iter().rev().map(|&operand| ElementStep::Eval(operand, z.clone())));
    }

    /// **eval-case** (§8.1): for the first such `i`, which the checks make unique
    /// ```text
    /// Eval(case(e1, …, en), z) = Eval(ei, z)   if z ∈ Domain(ei)
    ///                          = error         otherwise
    /// ```
    fn case(&mut self, e: ExprId, branches: &[ExprId], z: Point) -> Result<(), Stuck> {
        for &branch in branches {
            if self.contains(branch, self.setting.instance.domain(branch), &z)? {
                self.steps.push(ElementStep::Eval(branch, z));
                return Ok(());
            }
        }
        self.error(e);
        Ok(())
    }

    /// **eval-reduce** (§8.4)
    /// ```text
    /// Eval(reduce(⊕, f, e), z)    = ⊕({Eval(e, y) | A·y + b = z, y ∈ Domain(e)})
    /// Eval(reduce(⊕, f, D, e), z) = ⊕({Eval(e, y) | A·y + b = z, y ∈ Domain(e)})   if that set is not empty
    ///                             = Identity(⊕)                                    otherwise
    /// ```
    /// There is one term for each `y`: a multiset, where the paper prints a set (ledger: `alpha/reduce-set`). The
    /// second equation, for `z ∈ D`, is ours, not in the paper; points of `Domain(e)` that map outside `D` are not
    /// used. The first asks for `z ∈ Domain(reduce(⊕, f, e))`, where the set is not empty; elsewhere it is *error*.
    fn reduce(&mut self, e: ExprId, operator: Binary, body: ExprId, z: Point) -> Result<(), Stuck> {
        let limit = usize::try_from(self.setting.max_steps.saturating_sub(self.taken))
            .unwrap_or(usize::MAX)
            .min(MAX_HELD);
        let fibre = self.setting.instance.fibre(e, &z, limit).map_err(|error| Stuck::Fibre(e, z, error))?;
        if fibre.is_empty() {
            let data_type = self.setting.typing.shape(e).data_type;
            self.values.push(identity_element(self.setting.domain, operator, data_type));
            return Ok(());
        }
        self.steps.push(ElementStep::Reduce(operator, fibre.len()));
        self.steps.extend(fibre.into_iter().rev().map(|y| ElementStep::Eval(body, y.into())));
        Ok(())
    }

    /// **eval-variable** (§7.1), **eval2** (§7.1)
    /// ```text
    /// Eval(X, z)  = Eval(expression, z)   if z ∈ domain and X is local or output
    ///             = input(X, z)           if z ∈ domain and X is an input
    ///             = the parameter X       if X is an input that is one (ours, not in the paper)
    ///             = error                 otherwise
    /// Eval2(X, z) = Get(X, z)             if Valid(X, z)
    ///             = v, Store(X, z, v)     otherwise, where v = Eval(X, z)
    /// ```
    fn variable(&mut self, x: VariableId, z: Point) -> Result<(), Stuck> {
        if let Some(value) = self.tables[x.index()].get(&z) {
            self.values.push(value.clone());
            return Ok(());
        }
        let instance = self.setting.instance;
        let (variable, definitions) = (instance.system.variable(x), instance.definitions(x));
        let in_domain = instance.declared(x).contains(&[], &z);
        let at = definitions.first().copied().unwrap_or(ExprId::at(0));
        if !in_domain.map_err(|error| Stuck::Index(at, error))? {
            self.values.push(error(self.setting.domain, variable.data_type));
        } else if variable.kind == VariableRole::Input {
            let value = match instance.system.parameter_of(x).and_then(|at| instance.parameters.get(at)) {
                Some(&index) => Datum::Number(self.setting.domain.index_as(ElementType::Integer, index)),
                None => (self.setting.input)(x, &z).ok_or(Stuck::NoInput(x, z))?,
            };
            self.values.push(value);
        } else {
            self.definition(x, variable.data_type, definitions, z)?;
        }
        Ok(())
    }

    /// **eval-equation** (§7): `Eval(X, z)` is the value of the equation whose domain contains `z`, *error* if none
    /// does.
    fn definition(
        &mut self,
        x: VariableId,
        data_type: ElementType,
        definitions: &[ExprId],
        z: Point,
    ) -> Result<(), Stuck> {
        for &e in definitions {
            if self.contains(e, self.setting.instance.domain(e), &z)? {
                if !self.active.insert((x, z.clone())) {
                    return Err(Stuck::Cycle(x, z));
                }
                self.steps.push(ElementStep::Store(x, z.clone()));
                self.steps.push(ElementStep::Eval(e, z));
                return Ok(());
            }
        }
        self.values.push(error(self.setting.domain, data_type));
        Ok(())
    }
}
