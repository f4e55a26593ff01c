//! `Type()` and the number of dimensions of every expression (§§7 and 8), and Table 1.

use super::syntax::{DomainId, Equation, ExprId, Expression, FunctionId, Intrinsic, System, VariableId};
use ElementType::{Boolean, Integer, Real};
use base::diagnostics::{Code, Diagnostic, counted};
use polyhedra::AffineMap;
use selfsame_core::operators::{Binary, ElementType, Unary};
use selfsame_core::operators::{binary_type, unary_type};
use values::ElementTypes;

/// The properties of an expression that do not depend on points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    /// `Domain(e) ⊆ ℤ^rank`
    pub rank: usize,
    /// `Type(e)`
    pub data_type: ElementType,
}

/// The shape of every expression.
#[derive(Clone, Debug)]
pub struct Typing {
    shapes: Vec<Shape>,
}

/// The hint where a constant meets an expression with dimensions.
const EXTENDED: &str =
    "`[]` extends a constant to all indices, as in `2.0[]`; in functional notation `2.0.(i,j->)`";

impl Typing {
    /// The shape of an expression.
    pub fn shape(&self, e: ExprId) -> Shape {
        self.shapes[e.index()]
    }

    /// The element types of the system's variables and expressions.
    pub fn types(&self, system: &System) -> ElementTypes {
        let declared = system.variables.iter().map(|variable| variable.data_type);
        declared.chain(self.shapes.iter().map(|shape| shape.data_type)).collect()
    }
}

/// Types a system.
///
/// # Errors
/// All expressions and equations whose parts do not fit together.
pub fn type_system(system: &System) -> Result<Typing, Vec<Diagnostic>> {
    let mut checker = TypeChecker { system, shapes: Vec::new(), errors: Vec::new() };
    for (e, expression) in system.expressions() {
        let shape = checker.infer(e, expression);
        checker.shapes.push(shape);
    }
    for equation in &system.equations {
        checker.equation(equation);
    }
    let shapes: Option<Vec<Shape>> = checker.shapes.into_iter().collect();
    match shapes {
        Some(shapes) if checker.errors.is_empty() => Ok(Typing { shapes }),
        _ => Err(checker.errors),
    }
}

struct TypeChecker<'a> {
    system: &'a System,
    /// `None` for an expression with a reported error.
    shapes: Vec<Option<Shape>>,
    errors: Vec<Diagnostic>,
}

impl TypeChecker<'_> {
    fn shape(&self, e: ExprId) -> Option<Shape> {
        self.shapes[e.index()]
    }

    fn infer(&mut self, e: ExprId, expression: &Expression) -> Option<Shape> {
        match expression {
            // **type-constant** (§7.2): constant.type
            Expression::Constant(constant) => Some(Shape { rank: 0, data_type: constant.data_type() }),
            Expression::Variable(x) => Some(self.declared(*x)),
            Expression::Unary(operator, operand) => self.unary(e, *operator, *operand),
            Expression::Binary(operator, [a, b]) => self.binary(e, *operator, *a, *b),
            Expression::If([condition, yes, no]) => self.conditional(*condition, *yes, *no),
            Expression::Case(branches) => self.case(branches),
            Expression::Restrict(domain, inner) => self.restrict(e, *domain, *inner),
            Expression::Dependence(inner, f) => self.dependence(e, *inner, f),
            Expression::Reduce(operator, f, body) => self.reduce(e, *operator, f, *body),
            Expression::ReduceOver(operator, f, d, body) => self.reduce_over(e, *operator, f, *d, *body),
            Expression::Call(f, arguments) => self.call(e, *f, arguments),
            Expression::Intrinsic(intrinsic, operands) => self.intrinsic(e, *intrinsic, operands),
            Expression::Index(f, of) => self.index(e, f, *of),
        }
    }

    /// **type-case** (§8.1), **check-case-types** (§8.1): `Type(case(e1, …, en)) = Type(ei)`, the same for all.
    fn case(&mut self, branches: &[ExprId]) -> Option<Shape> {
        let first = self.shape(branches[0]);
        branches[1..]
            .iter()
            .fold(first, |shape, &branch| shape.and(self.alike(branches[0], branch, "`case` has branches")))
    }

    /// **type-restrict** (§8.2): `Type(restrict(D, e)) = Type(e)`
    fn restrict(&mut self, e: ExprId, domain: DomainId, inner: ExprId) -> Option<Shape> {
        let (inside, rank) = (self.shape(inner)?, self.system.domain_rank(domain));
        self.same_rank(e, inside.rank, rank, "an expression", "a domain of")?;
        Some(inside)
    }

    /// **type-dep** (§8.3): `Type(dep(e, matrix)) = Type(e)`
    fn dependence(&mut self, e: ExprId, inner: ExprId, f: &AffineMap) -> Option<Shape> {
        let inside = self.shape(inner)?;
        self.same_rank(e, inside.rank, f.outputs.len(), "an expression", "an index or function into")?;
        Some(Shape { rank: f.space.rank(), ..inside })
    }

    /// **type-reduce** (§8.4): `Type(reduce(⊕, f, e)) = Type(e)`
    fn reduce(&mut self, e: ExprId, operator: Binary, f: &AffineMap, body: ExprId) -> Option<Shape> {
        let inside = self.shape(body)?;
        self.same_rank(e, inside.rank, f.space.rank(), "an expression", "a projection from")?;
        self.operand_type(e, operator, inside.data_type)?;
        Some(Shape { rank: f.outputs.len(), ..inside })
    }

    /// Ours: `Type(f(e1, …, en))` is the declared type of the result, if the number of arguments and their types
    /// are as declared, and all arguments have the same number of dimensions.
    fn call(&mut self, e: ExprId, f: FunctionId, arguments: &[ExprId]) -> Option<Shape> {
        let function = self.system.function(f);
        let shapes: Option<Vec<Shape>> = arguments.iter().map(|&argument| self.shape(argument)).collect();
        let shapes = shapes?;
        if arguments.len() != function.arguments.len() {
            let declared = counted(function.arguments.len(), "argument");
            let message = format!("`{}` has {declared}, not {}", function.name, arguments.len());
            let error = Diagnostic::new(Code::P0024, self.system.span(e), message, "in this expression");
            self.errors.push(error.with(function.span, "declared here"));
            return None;
        }
        let rank = shapes.first().map_or(0, |first| first.rank);
        for ((&argument, shape), &declared) in arguments.iter().zip(&shapes).zip(&function.arguments) {
            self.same_rank(argument, shape.rank, rank, "an argument", "one of")?;
            if shape.data_type != declared {
                let [s, t] = [declared, shape.data_type].map(ElementType::keyword);
                let message = format!("an argument of `{}` is {s}, not {t}", function.name);
                let label = format!("this is {t}");
                let error = Diagnostic::new(Code::P0009, self.system.span(argument), message, label);
                let error = error.with(function.span, "declared here");
                self.errors.push(error.hint(format!("`{s}(…)` changes the type")));
                return None;
            }
        }
        Some(Shape { rank, data_type: function.result })
    }

    /// Ours: the type that the intrinsic gives for those of its operands, which have the same number of dimensions.
    fn intrinsic(&mut self, e: ExprId, intrinsic: Intrinsic, operands: &[ExprId]) -> Option<Shape> {
        let shapes: Option<Vec<Shape>> = operands.iter().map(|&operand| self.shape(operand)).collect();
        let shapes = shapes?;
        let rank = shapes.first().map_or(0, |first| first.rank);
        for (&operand, shape) in operands.iter().zip(&shapes) {
            self.same_rank(operand, shape.rank, rank, "an operand", "one of")?;
        }
        let types: Vec<ElementType> = shapes.iter().map(|shape| shape.data_type).collect();
        let Some(data_type) = intrinsic.result(&types) else {
            let types: Vec<&str> = types.into_iter().map(ElementType::keyword).collect();
            let message = format!("`{}` has no operands of types {}", intrinsic.name(), types.join(", "));
            self.report(Code::P0009, e, message, "in this expression");
            return None;
        };
        Some(Shape { rank, data_type })
    }

    /// Ours: `Type(val(z -> a·z + b)) = integer`, unless another type is stated
    fn index(&mut self, e: ExprId, f: &AffineMap, data_type: ElementType) -> Option<Shape> {
        if f.outputs.len() != 1 {
            let message = format!("`val` takes 1 index expression, not {}", f.outputs.len());
            self.report(Code::P0008, e, message, "in this expression");
            return None;
        }
        Some(Shape { rank: f.space.rank(), data_type })
    }

    /// **type-variable** (§7.1): its declared type.
    fn declared(&self, x: VariableId) -> Shape {
        Shape { rank: self.system.variable_rank(x), data_type: self.system.variable(x).data_type }
    }

    /// **type-unop** (§7.3): `Type(unop(op, e)) = TypeTable(op, Type(e))`
    fn unary(&mut self, e: ExprId, operator: Unary, operand: ExprId) -> Option<Shape> {
        let inside = self.shape(operand)?;
        let data_type = unary_type(operator, inside.data_type);
        if data_type.is_none() {
            let message =
                format!("`{}` has no operand of type {}", operator.text(), inside.data_type.keyword());
            self.report(Code::P0009, e, message, "in this expression");
        }
        Some(Shape { data_type: data_type?, ..inside })
    }

    /// **type-binop** (§7.3): `Type(binop(op, e1, e2)) = TypeTable(op, Type(e1), Type(e2))`
    ///
    /// Ours: both operands have one type (ledger: `alpha/decision-mixed-operands`) and one number of dimensions, which is
    /// checked first.
    fn binary(&mut self, e: ExprId, operator: Binary, a: ExprId, b: ExprId) -> Option<Shape> {
        let inside = self.alike(a, b, &format!("`{}` has operands", operator.text()))?;
        let data_type = self.operand_type(e, operator, inside.data_type)?;
        Some(Shape { data_type, ..inside })
    }

    fn operand_type(&mut self, e: ExprId, operator: Binary, operands: ElementType) -> Option<ElementType> {
        let data_type = binary_type(operator, operands);
        if data_type.is_none() {
            let message = format!("`{}` has no operands of type {}", operator.text(), operands.keyword());
            let error = Diagnostic::new(Code::P0009, self.system.span(e), message, "in this expression");
            self.errors.push(match (operator, operands) {
                (Binary::Div, Integer) => error.hint("integers are divided by `div`"),
                (Binary::IntegerDiv, Real) => error.hint("reals are divided by `/`"),
                _ => error,
            });
        }
        data_type
    }

    /// **type-if** (§7.3, Table 1): a boolean, and two operands of one type, which is the result's.
    fn conditional(&mut self, condition: ExprId, yes: ExprId, no: ExprId) -> Option<Shape> {
        let (test, result) = (self.shape(condition), self.alike(yes, no, "`if` has branches"));
        let (test, result) = (test?, result?);
        if test.data_type != Boolean {
            let message = format!("the condition of `if` is {}, not boolean", test.data_type.keyword());
            self.report(Code::P0009, condition, message, "must be boolean");
            return None;
        }
        self.same_rank(condition, test.rank, result.rank, "a condition", "branches of")?;
        Some(result)
    }

    /// The common shape of two expressions, which must agree; `has` says what has them, as "`+` has operands".
    fn alike(&mut self, a: ExprId, b: ExprId, has: &str) -> Option<Shape> {
        let (first, second) = (self.shape(a), self.shape(b));
        let (first, second) = (first?, second?);
        self.same_ranks([a, b], [first.rank, second.rank], has)?;
        if first.data_type != second.data_type {
            let [s, t] = [first, second].map(|shape| shape.data_type.keyword());
            let message = format!("expressions of types {s} and {t} cannot be combined");
            let error = Diagnostic::new(Code::P0009, self.system.span(b), message, format!("this is {t}"));
            let error = error.with(self.system.span(a), format!("this is {s}"));
            self.errors.push(match self.is_constant(a) || self.is_constant(b) {
                true if s != "boolean" && t != "boolean" => {
                    error.hint("a real constant has a decimal point: `2.0`")
                }
                _ => error,
            });
            return None;
        }
        Some(first)
    }

    fn is_constant(&self, e: ExprId) -> bool {
        match self.system.expression(e) {
            Expression::Constant(_) => true,
            Expression::Dependence(inner, _) => {
                matches!(self.system.expression(*inner), Expression::Constant(_))
            }
            _ => false,
        }
    }

    /// Ours: `Type(reduce(⊕, f, D, e)) = Type(e)`; `D` is the domain of the result.
    fn reduce_over(
        &mut self,
        e: ExprId,
        operator: Binary,
        f: &AffineMap,
        d: DomainId,
        body: ExprId,
    ) -> Option<Shape> {
        let shape = self.reduce(e, operator, f, body)?;
        let rank = self.system.domain_rank(d);
        if shape.rank == rank {
            return Some(shape);
        }
        let message = format!(
            "the result of the reduction has {}, and its declared domain has {rank}",
            counted(shape.rank, "dimension")
        );
        let hint = "the domain is that of the result; to sum over part of the body, restrict the body: `reduce(+, f, D : e)`";
        let error = Diagnostic::new(Code::P0008, self.system.span(e), message, "in this expression");
        self.errors.push(error.hint(hint));
        None
    }

    /// Requires that two expressions have one number of dimensions.
    fn same_ranks(&mut self, both: [ExprId; 2], ranks: [usize; 2], has: &str) -> Option<()> {
        if ranks[0] == ranks[1] {
            return Some(());
        }
        let constant = (0..2).find(|&side| self.is_constant(both[side]) && ranks[side] == 0);
        let side = constant.unwrap_or(1);
        let of = |side: usize| counted(ranks[side], "dimension");
        let message = format!("{has} of {} and {}", of(0), of(1));
        let error = Diagnostic::new(Code::P0008, self.system.span(both[side]), message, of(side));
        let error = error.with(self.system.span(both[1 - side]), of(1 - side));
        self.errors.push(if constant.is_some() { error.hint(EXTENDED) } else { error });
        None
    }

    fn same_rank(&mut self, at: ExprId, a: usize, b: usize, what: &str, with: &str) -> Option<()> {
        if a == b {
            return Some(());
        }
        let dimensions = |n| counted(n, "dimension");
        let message = format!("{what} of {} does not match {with} {}", dimensions(a), dimensions(b));
        let error = Diagnostic::new(Code::P0008, self.system.span(at), message, "in this expression");
        self.errors.push(match self.system.expression(at) {
            _ if self.is_constant(at) && a == 0 => {
                error.hint(EXTENDED)
            }
            Expression::Restrict(_, of) if matches!(self.system.expression(*of), Expression::Reduce(..)) => {
                error.hint("the domain is that of the result; to sum over part of the body, restrict the body: `reduce(+, f, D : e)`")
            }
            _ => error,
        });
        None
    }

    fn report(&mut self, code: Code, e: ExprId, message: String, label: &str) {
        self.errors.push(Diagnostic::new(code, self.system.span(e), message, label));
    }

    /// **check-equation-types** (§7): `∀i: Type(expressionᵢ) = type`, and likewise for dimensions.
    fn equation(&mut self, equation: &Equation) {
        let Some(found) = self.shape(equation.expression) else { return };
        let declared = self.declared(equation.variable);
        let variable = self.system.variable(equation.variable);
        if found.rank != declared.rank {
            let message = format!(
                "`{}` has {}, its definition {}",
                variable.name,
                counted(declared.rank, "dimension"),
                found.rank
            );
            let error = Diagnostic::new(Code::P0008, equation.span, message, "in this equation");
            self.errors.push(error.with(variable.span, "declared here"));
        } else if found.data_type != declared.data_type {
            let [s, t] = [declared, found].map(|shape| shape.data_type.keyword());
            let message = format!("`{}` is {s}, its definition {t}", variable.name);
            let error = Diagnostic::new(Code::P0009, equation.span, message, "in this equation");
            self.errors.push(error.with(variable.span, "declared here"));
        }
    }
}
