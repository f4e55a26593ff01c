//! Statements (Statements; Implied Reductions and operators), and the ranges of their indices.

use super::expressions::Operand;
use super::{Entity, Reported, Result, Scope, Typing};
use crate::indices::{IndexExpr, Overflow};
use crate::inference::{Inferred, NoRanges, Range, infer, needed};
use crate::syntax::{Constraint, Name, Named, Statement};
use crate::typed::{Access, Assignment, ObligationFault, Origin, Tensor, TensorId, ValueId};
use base::diagnostics::{Code, Diagnostic, Span};
use rustc_hash::FxHashMap;
use selfsame_core::operators::ElementType;

/// A statement while it is read.
pub(super) struct Reading {
    /// The names of loop indices, with the places where they occur first.
    pub(super) loops: Vec<Named>,
    /// The tensor that is defined, if it is in scope; its name; and the number of its indices.
    pub(super) target: (Option<TensorId>, Name, usize),
    /// The values that `where` names.
    pub(super) named: FxHashMap<Name, Operand>,
    /// The accesses.
    pub(super) accesses: Vec<Access>,
    /// What must not be negative for all values of the loop indices.
    pub(super) inequalities: Vec<Inequality>,
    /// What is at fault where an access is outside.
    pub(super) outside: ObligationFault,
}

/// What must not be negative for all values of the loop indices.
pub(super) struct Inequality {
    pub(super) expression: IndexExpr,
    /// What is at fault where it is.
    pub(super) fault: ObligationFault,
    pub(super) span: Span,
}

impl<'a> Typing<'a> {
    /// **tc-syntax-stmt** (Grammar): `v(i, j) op= e where …`
    pub(super) fn statement(&mut self, scope: &mut Scope<'a>, statement: &'a Statement) -> Result<()> {
        let Statement::Define { target, indices, reduction, expression, constraints } = statement else {
            return Err(Reported);
        };
        let known = self.target(scope, target)?;
        let mut loops: Vec<Named> = Vec::new();
        for index in indices {
            self.left_index(scope, index, &loops)?;
            loops.push(index.clone());
        }
        let mut reading = Reading {
            loops,
            target: (known, target.name.clone(), indices.len()),
            named: FxHashMap::default(),
            accesses: Vec::new(),
            inequalities: Vec::new(),
            outside: ObligationFault::Outside,
        };
        for constraint in constraints {
            if let Constraint::Value(name, e) = constraint {
                if scope.names.contains_key(&name.name) || reading.named.contains_key(&name.name) {
                    return self.twice(name);
                }
                let value = self.operand(scope, &mut reading, *e)?;
                reading.named.insert(name.name.clone(), value);
            }
        }
        let operand = self.operand(scope, &mut reading, *expression)?;
        let fixed = self.constraints(scope, &mut reading, constraints)?;
        if reduction.is_none()
            && let Some(index) = reading.loops.get(indices.len())
        {
            let message = format!(
                "`{}` is an index of the right side only, so the statement is a reduction, and `=` does not reduce",
                index.name
            );
            let error = Diagnostic::new(Code::P0013, index.span, message, "reduced over");
            self.errors
                .push(error.hint("write `+=!`, `*=!`, `min=!` or `max=!`, or give the tensor this index"));
            return Err(Reported);
        }
        let Inferred { ranges, rounds, .. } = self.ranges(&reading, fixed)?;
        let span = self.file.span(*expression);
        let names: Vec<Name> = reading.loops.iter().map(|named| named.name.clone()).collect();
        let loops: Vec<(Name, Range)> = names.into_iter().zip(ranges).collect();
        let first = &loops[..indices.len()];
        let value = self.assigned(known, &operand, span)?;
        if reduction.is_some() {
            self.numbers(self.program.data_type(value), span)?;
        }
        let keeps = reduction.is_some_and(|reduction| !reduction.initializes);
        let tensor = match known {
            Some(tensor) => {
                self.defined_again(tensor, target, first)?;
                tensor
            }
            None => self.defined(scope, target, (first, value), keeps),
        };
        self.program.assignments.push(Assignment {
            target: tensor,
            loops,
            rounds,
            accesses: reading.accesses,
            rank: indices.len(),
            reduction: *reduction,
            value,
            span: target.span,
        });
        Ok(())
    }

    /// The tensor that a statement defines, if it is in scope.
    fn target(&mut self, scope: &Scope<'a>, target: &Named) -> Result<Option<TensorId>> {
        let is_argument = scope.function.arguments.iter().any(|argument| argument.name.name == target.name);
        match scope.names.get(&target.name) {
            None => Ok(None),
            Some(Entity::Tensor(tensor)) if !is_argument => Ok(Some(*tensor)),
            Some(Entity::Tensor(_)) => {
                let message = format!("`{}` is an argument, and arguments are not assigned", target.name);
                self.error(Code::T0004, target.span, message, "assigned here")
            }
            Some(Entity::Broken) => Err(Reported),
            Some(Entity::Size(_)) => {
                let message = format!("`{}` is a size, and sizes are not assigned", target.name);
                self.error(Code::T0004, target.span, message, "assigned here")
            }
        }
    }

    fn left_index(&mut self, scope: &Scope<'a>, index: &Named, before: &[Named]) -> Result<()> {
        if scope.names.contains_key(&index.name) {
            let message = format!("`{}` is a size or a tensor, and an index variable is needed", index.name);
            return self.error(Code::P0003, index.span, message, "this index");
        }
        if before.iter().any(|other| other.name == index.name) {
            let message = format!("the index `{}` occurs twice on the left", index.name);
            return self.error(Code::P0003, index.span, message, "the second time");
        }
        Ok(())
    }

    /// **tc-where** (ours; Variable Scoping): the ranges that `where` fixes, by loop index.
    fn constraints(
        &mut self,
        scope: &Scope<'a>,
        reading: &mut Reading,
        constraints: &[Constraint],
    ) -> Result<FxHashMap<usize, Range>> {
        let mut fixed: FxHashMap<usize, Range> = FxHashMap::default();
        for constraint in constraints {
            match constraint {
                Constraint::Value(..) => {}
                Constraint::Exists(e) => {
                    // It is not evaluated, so it may name any element of the tensor that the statement defines.
                    let target = reading.target.0.take();
                    reading.outside = ObligationFault::Named;
                    let accessed = self.operand(scope, reading, *e);
                    (reading.target.0, reading.outside) = (target, ObligationFault::Outside);
                    accessed?;
                }
                Constraint::Range(index, ends) => {
                    let k = self.constrained(scope, reading, index)?;
                    let [b, e] = [self.end(scope, reading, ends[0])?, self.end(scope, reading, ends[1])?];
                    if fixed.insert(k, [b, e]).is_some() {
                        let message = format!("the range of `{}` is given twice", index.name);
                        return self.error(Code::P0003, index.span, message, "the second range");
                    }
                }
            }
        }
        Ok(fixed)
    }

    fn constrained(&mut self, scope: &Scope<'a>, reading: &mut Reading, index: &Named) -> Result<usize> {
        if scope.names.contains_key(&index.name) || reading.named.contains_key(&index.name) {
            let message = format!("`{}` is no index variable", index.name);
            return self.error(Code::P0005, index.span, message, "an index is needed");
        }
        Ok(reading.index(index))
    }

    /// An end of a range: a *size expression*.
    fn end(
        &mut self,
        scope: &Scope<'a>,
        reading: &mut Reading,
        e: crate::syntax::ExprId,
    ) -> Result<IndexExpr> {
        let span = self.file.span(e);
        match self.operand(scope, reading, e)? {
            Operand::Index(end) if !end.has_loops() => Ok(end),
            Operand::Index(_) => {
                let message = "the end of a range depends on an index".to_owned();
                self.error(Code::P0006, span, message, "only sizes and numbers may occur")
            }
            _ => self.error(Code::P0006, span, "the end of a range is no size expression".to_owned(), "this"),
        }
    }

    /// **tc-follows** (ours; Variable Scoping), **tc-extent** (ours; Variable Scoping): the ranges of all indices, and the conditions on sizes that remain.
    fn ranges(&mut self, reading: &Reading, fixed: FxHashMap<usize, Range>) -> Result<Inferred> {
        let occurs = |k: usize| {
            fixed.contains_key(&k) || reading.inequalities.iter().any(|of| of.expression.mentions(k))
        };
        let missing = (0..reading.target.2).find(|k| !occurs(*k));
        if let Some(index) = missing.map(|k| &reading.loops[k]) {
            let message = format!(
                "the index `{}` occurs in no access on the right, and `where` gives no range",
                index.name
            );
            let error = Diagnostic::new(Code::P0005, index.span, message, "on the left only");
            self.errors.push(error.hint(format!("write `where {} in b:e`", index.name)));
            return Err(Reported);
        }
        let known = (0..reading.loops.len()).map(|k| fixed.get(&k).cloned()).collect();
        let inferred = match infer(known, reading.inequalities.iter().map(|of| &of.expression)) {
            Ok(inferred) => inferred,
            Err(NoRanges::Overflow) => {
                let span = reading.loops.first().map_or(Span::default(), |named| named.span);
                return self.error(
                    Code::P0007,
                    span,
                    "a range exceeds 64 bits".to_owned(),
                    "of an index of this statement",
                );
            }
            Err(NoRanges::Unbounded(k)) => {
                let index = &reading.loops[k];
                let message =
                    format!("the range of the index `{}` does not follow from how it is used", index.name);
                let error = Diagnostic::new(Code::T0001, index.span, message, "used here");
                self.errors.push(error.hint(format!("write `where {} in b:e`", index.name)));
                return Err(Reported);
            }
        };
        for (k, [b, e]) in inferred.ranges.iter().enumerate() {
            let span = reading.loops[k].span;
            let length = self.no_overflow(e.plus(-1, b).and_then(|length| length.plus_number(-1)), span)?;
            // A reduction over nothing is the identity: its range may be empty at some sizes.
            if k < reading.target.2 || length.as_number().is_some() {
                self.obliged(length, ObligationFault::Empty, span)?;
            }
        }
        let linear = reading.inequalities.iter().filter(|of| of.expression.linear().is_some());
        for (remains, Inequality { fault, span, .. }) in inferred.remains.iter().zip(linear) {
            self.obliged(remains.clone(), *fault, *span)?;
        }
        for inequality in reading.inequalities.iter().filter(|of| of.expression.linear().is_none()) {
            let Inequality { expression, fault, span } = inequality;
            let needed = needed(expression, &inferred.ranges, reading.target.2);
            // What is outside is • where it is read.
            let Some(needed) = self.no_overflow(needed.map_err(|_| Overflow), *span)? else { continue };
            let fault = if needed.is_exact { *fault } else { ObligationFault::NotShown };
            for condition in needed.conditions {
                self.obliged(condition, fault, *span)?;
            }
        }
        Ok(inferred)
    }

    /// The value that is assigned, in the type of the tensor.
    fn assigned(&mut self, known: Option<TensorId>, operand: &Operand, span: Span) -> Result<ValueId> {
        let own = self.own_type(operand);
        let data_type = known.map_or(own, |tensor| self.program.tensor(tensor).data_type);
        if let (Some(tensor), Operand::Value(_)) = (known, operand)
            && own != data_type
        {
            let defined = self.program.tensor(tensor);
            let message =
                format!("`{}` has elements of type {data_type}, and this is of type {own}", defined.name);
            let error = Diagnostic::new(Code::P0009, span, message, "assigned here");
            let error = error.with(defined.span, "has its type from here");
            self.errors
                .push(error.hint("a cast converts; of literals, `0` is an integer, and `0.0` a float"));
            return Err(Reported);
        }
        self.as_type(operand, data_type, span)
    }

    fn defined(
        &mut self,
        scope: &mut Scope<'a>,
        target: &Named,
        (loops, value): (&[(Name, Range)], ValueId),
        keeps: bool,
    ) -> TensorId {
        let name = scope.tensor_name(&target.name);
        let origin = if keeps { Origin::Accumulated } else { Origin::Statement };
        let data_type: ElementType = self.program.data_type(value);
        let ranges = loops.iter().map(|(_, range)| range.clone()).collect();
        self.program.tensors.push(Tensor { name, data_type, ranges, origin, span: target.span });
        let tensor = TensorId::at(self.program.tensors.len() - 1);
        scope.names.insert(target.name.clone(), Entity::Tensor(tensor));
        tensor
    }

    /// The range of a later statement must be inside of the tensor's.
    fn defined_again(&mut self, tensor: TensorId, target: &Named, loops: &[(Name, Range)]) -> Result<()> {
        let ranges = self.program.tensor(tensor).ranges.clone();
        if ranges.len() != loops.len() {
            let message =
                format!("`{}` has {} dimensions, and here {}", target.name, ranges.len(), loops.len());
            return self.error(Code::P0008, target.span, message, "defined again here");
        }
        for ([b, e], (_, [from, to])) in ranges.iter().zip(loops) {
            for (greater, less) in [(from, b), (e, to)] {
                let difference = self.no_overflow(greater.plus(-1, less), target.span)?;
                self.obliged(difference, ObligationFault::Redefined, target.span)?;
            }
        }
        Ok(())
    }
}

impl Reading {
    /// The loop index with this name, a new one if it is new.
    pub(super) fn index(&mut self, named: &Named) -> usize {
        let known = self.loops.iter().position(|index| index.name == named.name);
        known.unwrap_or_else(|| {
            self.loops.push(named.clone());
            self.loops.len() - 1
        })
    }
}
