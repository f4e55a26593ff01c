//! Elements of the core: scalars, and parts of arrays.

use super::contexts::error_of;
use super::symbolic::Sym;
use super::{Failure, Lowering, Result, not_affine, overflow, refused};
use crate::errors::ErrorKind;
use crate::functions::Unit;
use crate::syntax::Scalar;
use alpha::syntax::{Equation, ExprId, Expression, VariableId};
use base::diagnostics::Span;
use dashu_ratio::RBig;
use indices::condition::{Alternatives, Condition};
use indices::expression::{Atom, IndexExpr};
use indices::sets::{NotAffine, nonnegative, without_least};
use polyhedra::{Affine, AffineMap, IndexSet, Name};
use selfsame_core::operators::{Constant, ElementType, Unary};
use std::rc::Rc;

/// What is made of a map of index expressions.
type Made<'m> = &'m dyn Fn(AffineMap) -> Expression;

impl Lowering<'_> {
    /// The value of a part of the program that is evaluated, and its place.
    pub(super) fn spend(&mut self, span: Span) -> Result<()> {
        self.steps = self.steps.saturating_sub(1);
        match self.steps {
            0 => {
                let message = "the evaluation with symbolic extents takes too many steps";
                let code = base::diagnostics::Code::P0021;
                Err(Failure::Refused(base::diagnostics::Diagnostic::new(code, span, message, "of this")))
            }
            _ => Ok(()),
        }
    }

    /// A value as an expression of the core, as a scalar of a type.
    pub(super) fn element(&mut self, value: &Sym, of: Scalar, span: Span) -> Result<ExprId> {
        let data_type = self.floats.of(of);
        match value {
            Sym::Ints(shape, elements) if shape.is_empty() => match elements[0].as_number() {
                Some(number) => Ok(self.constant(&RBig::from(number), data_type, span)),
                None => self.at(&elements[..1], span, &|map| Expression::Index(map, data_type)),
            },
            Sym::Truth(condition) => self.truth(condition, span),
            Sym::Scalar(own, e, depth) => {
                let e = self.lifted(*e, *depth, span);
                Ok(match *own == of {
                    true => e,
                    false => self.system.push(Expression::Unary(Unary::Cast(data_type), e), span),
                })
            }
            _ => refused(span, "an array where a scalar is needed"),
        }
    }

    /// An expression over the first loops, in the context.
    fn lifted(&mut self, e: ExprId, depth: usize, span: Span) -> ExprId {
        if depth == self.dims.len() {
            return e;
        }
        let space = self.system.space(&self.dims);
        let outputs = (0..depth).map(|k| Affine::column(space.column(k))).collect();
        self.system.push(Expression::Dependence(e, AffineMap::new(space, outputs)), span)
    }

    /// A scalar of the context.
    pub(super) fn scalar_here(&self, of: Scalar, e: ExprId) -> Sym {
        Sym::Scalar(of, e, self.dims.len())
    }

    /// A number at all points of the context.
    pub(super) fn constant(&mut self, number: &RBig, of: ElementType, span: Span) -> ExprId {
        let constant = match of {
            ElementType::Real => Constant::Real(number.clone()),
            of => Constant::Typed(number.clone(), of),
        };
        let e = self.system.push(Expression::Constant(constant), span);
        self.lifted(e, 0, span)
    }

    /// 0, or `false`, in the context.
    pub(super) fn zero_of(&mut self, of: Scalar, span: Span) -> ExprId {
        match of {
            Scalar::Bool => {
                let e = self.system.push(Expression::Constant(Constant::Boolean(false)), span);
                self.lifted(e, 0, span)
            }
            of => self.constant(&RBig::ZERO, self.floats.of(of), span),
        }
    }

    fn truth(&mut self, condition: &Condition, span: Span) -> Result<ExprId> {
        let constant = |this: &mut Self, truth| {
            let e = this.system.push(Expression::Constant(Constant::Boolean(truth)), span);
            this.lifted(e, 0, span)
        };
        match self.decided(condition) {
            Some(truth) => Ok(constant(self, truth)),
            None => {
                let [yes, no] = [constant(self, true), constant(self, false)];
                self.cases(&[(condition.yes.clone(), yes), (condition.no.clone(), no)], span)
            }
        }
    }

    /// Expressions where one of some alternatives holds.
    pub(super) fn cases(&mut self, parts: &[(Alternatives, ExprId)], span: Span) -> Result<ExprId> {
        let mut branches = Vec::new();
        for (alternatives, e) in parts {
            let mut all = IndexSet::empty(self.system.space(&self.dims));
            for conditions in alternatives {
                let part = nonnegative(&all.space, conditions).map_err(|reason| not_affine(reason, span))?;
                all = all.union(&part).map_err(|_| not_affine(NotAffine::TooLarge, span))?;
            }
            let domain = self.system.push_set(&all, span);
            branches.push(self.system.push(Expression::Restrict(domain, *e), span));
        }
        Ok(self.system.push(Expression::Case(branches), span))
    }

    /// What is made of the map of index expressions: a case for each choice of their least values.
    pub(super) fn at(&mut self, indices: &[IndexExpr], span: Span, made: Made<'_>) -> Result<ExprId> {
        let mut cases = Vec::new();
        for (conditions, indices) in without_least(indices).map_err(|reason| not_affine(reason, span))? {
            let outputs = indices.iter().map(|p| self.affine(p, span)).collect::<Result<_>>()?;
            let map = AffineMap::new(self.system.space(&self.dims), outputs);
            let e = self.system.push(made(map), span);
            if conditions.is_empty() {
                return Ok(e);
            }
            cases.push((vec![conditions], e));
        }
        self.cases(&cases, span)
    }

    fn affine(&self, p: &IndexExpr, span: Span) -> Result<Affine> {
        let mut sum = Affine::constant(p.constant());
        for (atom, a) in p.terms() {
            let column = match atom {
                Atom::Size(k) => *k,
                Atom::Loop(k) => self.system.parameters.len() + *k,
                Atom::Floor(..) => return refused(span, "an index with a quotient"),
                Atom::Product(_) | Atom::Least(_) => return Err(not_affine(NotAffine::Product, span)),
            };
            let plus = sum.plus(*a, &Affine::column(column));
            sum = plus.map_err(|_| not_affine(NotAffine::TooLarge, span))?;
        }
        Ok(sum)
    }

    /// The elements of a variable at an index and all that start with it.
    pub(super) fn read_variable(
        &mut self,
        of: Scalar,
        variable: VariableId,
        prefix: Vec<IndexExpr>,
        shape: Vec<IndexExpr>,
        span: Span,
    ) -> Result<Sym> {
        if !shape.is_empty() {
            return Ok(Sym::Array(of, shape, variable, prefix));
        }
        let read = self.system.push(Expression::Variable(variable), span);
        let e = match prefix.is_empty() {
            true => self.lifted(read, 0, span),
            false => self.at(&prefix, span, &|map| Expression::Dependence(read, map))?,
        };
        Ok(self.scalar_here(of, e))
    }

    /// The part of a value at an index that is known to be inside, and may be a prefix.
    pub(super) fn part(&mut self, value: &Sym, at: &[IndexExpr], span: Span) -> Result<Sym> {
        if at.is_empty() {
            return Ok(value.clone());
        }
        match value {
            Sym::Array(of, shape, variable, prefix) => {
                let prefix = [&prefix[..], at].concat();
                self.read_variable(*of, *variable, prefix, shape[at.len()..].to_vec(), span)
            }
            Sym::Ints(shape, elements) => match place(shape, at) {
                Some((place, rest)) => {
                    let size: usize = rest.iter().product();
                    let part = elements[place * size..(place + 1) * size].to_vec();
                    Ok(Sym::Ints(rest.to_vec(), Rc::new(part)))
                }
                None => {
                    let array = self.stored(value, span)?;
                    self.part(&array, at, span)
                }
            },
            Sym::Cells(of, shape, elements) => match place(shape, at) {
                Some((place, rest)) => {
                    let size: usize = rest.iter().product();
                    let part = elements[place * size..(place + 1) * size].to_vec();
                    match (&part[..], rest) {
                        ([only], []) => Ok(only.clone()),
                        _ => Ok(Sym::Cells(*of, rest.to_vec(), Rc::new(part))),
                    }
                }
                None => {
                    let array = self.stored(value, span)?;
                    self.part(&array, at, span)
                }
            },
            Sym::Truth(_) | Sym::Scalar(..) => refused(span, "a selection from a scalar"),
        }
    }

    /// Elements that are listed one by one, as a local variable.
    fn stored(&mut self, value: &Sym, span: Span) -> Result<Sym> {
        let (of, shape) = (value.scalar(), value.shape());
        let extents: Vec<usize> = shape
            .iter()
            .map(|extent| extent.as_number().and_then(|number| usize::try_from(number).ok()).unwrap_or(0))
            .collect();
        let cells: Vec<Sym> = match value {
            Sym::Ints(_, elements) => elements.iter().cloned().map(Sym::int).collect(),
            Sym::Cells(_, _, elements) => elements.to_vec(),
            other => return Ok(other.clone()),
        };
        let mark = self.mark();
        let dims = self.fresh((0..shape.len()).map(|k| format!("x{k}")));
        let at = self.push_box(dims, &shape)?;
        let mut parts = Vec::new();
        for (place, cell) in cells.iter().enumerate() {
            let mut conditions = Vec::new();
            let mut rest = place;
            for (x, extent) in at.iter().zip(&extents).rev() {
                let here = i64::try_from(rest % extent).unwrap_or(0);
                rest /= extent;
                conditions.push(x.plus_number(-here).map_err(overflow)?);
                conditions.push(x.times(-1).and_then(|e| e.plus_number(here)).map_err(overflow)?);
            }
            parts.push((vec![conditions], self.element(cell, of, span)?));
        }
        let e = match parts.is_empty() {
            true => self.zero_of(of, span),
            false => self.cases(&parts, span)?,
        };
        let variable = self.local("list", of, e, span)?;
        self.reset(mark);
        let prefix = self.here();
        Ok(Sym::Array(of, shape, variable, prefix))
    }

    /// The index of the context.
    pub(super) fn here(&self) -> Vec<IndexExpr> {
        (0..self.dims.len()).map(|k| IndexExpr::atom(Atom::Loop(k))).collect()
    }

    /// A local variable over the context, that is this expression.
    pub(super) fn local(&mut self, name: &str, of: Scalar, e: ExprId, span: Span) -> Result<VariableId> {
        let domain = match self.dims.is_empty() {
            true => None,
            false => {
                let set = self.set(&[], span)?;
                Some(self.system.push_set(&set, span))
            }
        };
        let numbered = (0..).map(|k| if k == 0 { name.to_owned() } else { format!("{name}{k}") });
        let taken = self.taken.clone();
        let names = numbered.filter(move |name| !taken.contains(&**name));
        let variable = self.system.push_local(names, domain, self.floats.of(of), span);
        self.inputs.push(self.system.variable(variable).name.to_string());
        let expression = match domain {
            Some(domain) => self.system.push(Expression::Restrict(domain, e), span),
            None => e,
        };
        self.system.equations.push(Equation { variable, indices: None, expression, span });
        Ok(variable)
    }

    /// An index is inside of a shape, or else an error.
    pub(super) fn require_inside(
        &mut self,
        (at, shape): (&[IndexExpr], &[IndexExpr]),
        (unit, span): (Unit, Span),
    ) -> Result<()> {
        for (p, extent) in at.iter().zip(shape) {
            let texts = [p, extent].map(|of| self.text(of));
            let error = || {
                let message = format!(
                    "an index is outside of an array: {} is not from 0 to {} - 1",
                    texts[0], texts[1]
                );
                error_of(ErrorKind::Outside, unit, span, message)
            };
            self.require(p, error)?;
            let below = extent.plus(-1, p).and_then(|e| e.plus_number(-1)).map_err(overflow)?;
            self.require(&below, error)?;
        }
        Ok(())
    }

    /// An index expression as text.
    pub(super) fn text(&self, p: &IndexExpr) -> String {
        let dims: Vec<Name> = self.dims.clone();
        p.text(&self.system.parameters, &dims)
    }
}

/// The place of a part, if the index is known, and the shape of the part.
fn place<'s>(shape: &'s [usize], at: &[IndexExpr]) -> Option<(usize, &'s [usize])> {
    let mut place = 0;
    for (p, extent) in at.iter().zip(shape) {
        let here = usize::try_from(p.as_number()?).ok().filter(|here| here < extent)?;
        place = place * extent + here;
    }
    Some((place, shape.get(at.len()..)?))
}
