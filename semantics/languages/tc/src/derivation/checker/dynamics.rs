//! The rules of runs, in a value domain.

use super::{CheckResult, Functions, WrongStep, condition};
use crate::derivation::program::binary_named;
use crate::derivation::{Derivation, DerivationStep, Judgement, Rule, WrittenNode, WrittenStatement};
use crate::indices::IndexExpr;
use crate::inference::Range;
use crate::typed::Origin;
use language::Signature;
use selfsame_core::operations::{
    Datum, Element, accumulated, binary, error, identity_element, primitive, result_of, unary,
};
use selfsame_core::operators::{Binary, ElementType, Primitive, Unary};
use serde_json::Value as Json;
use values::indices::row_major;
use values::{Division, Literal, ValueDomain};

pub(super) struct Dynamics<'a, D: ValueDomain> {
    pub(super) derivation: &'a Derivation,
    pub(super) sizes: &'a [i64],
    pub(super) division: Division,
    pub(super) domain: &'a D,
    pub(super) functions: Functions<'a, D>,
}

type Checked<T> = Result<T, WrongStep>;

/// `⟦e⟧σ,ρ = v`
struct Valued<'a> {
    store: usize,
    value: usize,
    point: &'a [i64],
}

impl<D: ValueDomain> Dynamics<'_, D> {
    pub(super) fn follows(&self, step: &DerivationStep) -> CheckResult {
        match (step.rule, &step.conclusion) {
            (
                Rule::Assign | Rule::Accumulate | Rule::Initialize,
                Judgement::Element { store, statement, at, result },
            ) => {
                let expected = self.element(step, *store, *statement, at)?;
                let of = self.derivation.program.tensors[self.statement(*statement).target].data_type;
                self.is(of, result, &expected)
            }
            (Rule::Statement, Judgement::Step { store, statement }) => {
                self.statement_step(step, *store, *statement)
            }
            (Rule::Sequence, Judgement::Run { first, last }) => self.run(step, *first, *last),
            (
                Rule::Access
                | Rule::Where
                | Rule::Round
                | Rule::Follows
                | Rule::Extent
                | Rule::Ranges
                | Rule::Ok,
                _,
            ) => Err(WrongStep::RuleOutOfPlace),
            (rule, Judgement::Value { store, value, point, result }) => {
                let valued = Valued { store: *store, value: *value, point };
                let expected = self.value(step, rule, &valued)?;
                self.is(self.derivation.program.values[*value].data_type, result, &expected)
            }
            _ => Err(WrongStep::Conclusion),
        }
    }

    fn statement(&self, at: usize) -> &WrittenStatement {
        &self.derivation.program.statements[at]
    }

    /// An element as the document writes it.
    fn read(&self, of: ElementType, written: &Json) -> Checked<Element<D>> {
        let wrong = |why: &dyn std::fmt::Display| WrongStep::Element(why.to_string());
        match Literal::from_json(written).map_err(|why| wrong(&why))? {
            None => Ok(error(self.domain, of)),
            Some(Literal::Boolean(truth)) if of == ElementType::Boolean => {
                Ok(Datum::Truth(self.domain.truth(Some(truth))))
            }
            Some(literal) => {
                Ok(Datum::Number(self.domain.literal_as(of, &literal).map_err(|why| wrong(&why))?))
            }
        }
    }

    fn is(&self, of: ElementType, written: &Json, expected: &Element<D>) -> CheckResult {
        let found = self.read(of, written)?;
        let is_same = match (&found, expected) {
            (Datum::Number(a), Datum::Number(b)) => self.domain.known(&self.domain.same(a, b)) == Some(true),
            (Datum::Truth(a), Datum::Truth(b)) => self.domain.known(a) == self.domain.known(b),
            _ => false,
        };
        if is_same { Ok(()) } else { Err(WrongStep::Follows(format!("{expected:?}"))) }
    }

    fn number(&self, p: &IndexExpr, point: &[i64]) -> Checked<i64> {
        p.value(self.sizes, point).ok_or(WrongStep::Condition("an index has a value of 64 bits"))
    }

    fn ends(&self, [b, e]: &Range) -> Checked<[i64; 2]> {
        Ok([self.number(b, &[])?, self.number(e, &[])?])
    }

    /// The number of points of ranges; `None` if there are too many to count.
    fn count(&self, ranges: &[Range]) -> Checked<Option<usize>> {
        let mut count = Some(1_usize);
        for range in ranges {
            let [b, e] = self.ends(range)?;
            let length = usize::try_from(e.saturating_sub(b).max(0)).ok();
            count = count.zip(length).and_then(|(count, length)| count.checked_mul(length));
        }
        Ok(count)
    }

    /// The points of ranges, in order.
    fn points<'r, R: Iterator<Item = &'r Range>>(
        &self,
        ranges: R,
    ) -> Checked<impl Iterator<Item = Vec<i64>> + use<'r, D, R>> {
        let ends: Vec<[i64; 2]> = ranges.map(|range| self.ends(range)).collect::<Checked<_>>()?;
        let extents: Vec<i64> = ends.iter().map(|[b, e]| e.saturating_sub(*b)).collect();
        Ok(row_major(&extents).map(move |at| at.iter().zip(&ends).map(|(i, [b, _])| i + b).collect()))
    }

    /// The place of an element in a tensor; `None` outside of it.
    fn place(&self, tensor: usize, at: &[i64]) -> Checked<Option<usize>> {
        let mut place = 0_i64;
        let ranges = &self.derivation.program.tensors[tensor].ranges;
        if ranges.len() != at.len() {
            return Err(WrongStep::Condition("an access has an index for each dimension"));
        }
        for (range, i) in ranges.iter().zip(at) {
            let [b, e] = self.ends(range)?;
            if !(b..e).contains(i) {
                return Ok(None);
            }
            place = place.saturating_mul(e - b).saturating_add(i - b);
        }
        Ok(usize::try_from(place).ok())
    }

    /// `σ(T)(at)`
    fn stored(&self, store: usize, tensor: usize, at: &[i64]) -> Checked<Element<D>> {
        let of = self.derivation.program.tensors[tensor].data_type;
        let last = self.derivation.stores[..store].iter().rev().find(|update| update.tensor == tensor);
        let place = self.place(tensor, at)?;
        match last.zip(place).map(|(update, place)| update.elements.get(place)) {
            None => Ok(error(self.domain, of)),
            Some(written) => self.read(of, written.ok_or(WrongStep::Condition("a store has all elements"))?),
        }
    }

    /// The value of a premise, which is of this node at the same store and point.
    fn premise(&self, step: &DerivationStep, at: usize, wanted: &Valued<'_>) -> Checked<Element<D>> {
        let premise = step.premises.get(at).map(|&premise| &self.derivation.steps[premise].conclusion);
        match premise {
            Some(Judgement::Value { store, value, point, result })
                if (*store, *value, &point[..]) == (wanted.store, wanted.value, wanted.point) =>
            {
                self.read(self.derivation.program.values[*value].data_type, result)
            }
            _ => Err(WrongStep::Premise(at)),
        }
    }

    /// The values of premises, which are of these nodes, and of no others.
    fn premises(&self, step: &DerivationStep, of: &Valued<'_>, nodes: &[usize]) -> Checked<Vec<Element<D>>> {
        if step.premises.len() != nodes.len() {
            return Err(WrongStep::PremiseCount(nodes.len()));
        }
        let wanted = |&value: &usize| Valued { value, ..*of };
        nodes.iter().enumerate().map(|(at, node)| self.premise(step, at, &wanted(node))).collect()
    }

    /// **tc-number** (Expressions), **tc-truth** (Expressions), **tc-index** (Expressions), **tc-read** (Expressions), **tc-gather** (Expressions), **tc-operator** (Expressions), **tc-choice** (Expressions), **tc-call** (Expressions)
    fn value(&self, step: &DerivationStep, rule: Rule, of: &Valued<'_>) -> Checked<Element<D>> {
        let written = &self.derivation.program.values[of.value];
        let data_type = written.data_type;
        let all = |nodes: &[usize]| self.premises(step, of, nodes);
        match (rule, &written.node) {
            (Rule::Number, WrittenNode::Number(text)) => {
                all(&[])?;
                let literal = Literal::parse(text).map_err(|why| WrongStep::Element(why.to_string()))?;
                let number = self.domain.literal_as(data_type, &literal);
                Ok(number.map_or_else(|_| error(self.domain, data_type), Datum::Number))
            }
            (Rule::Truth, WrittenNode::Truth(truth)) => {
                all(&[])?;
                Ok(Datum::Truth(self.domain.truth(Some(*truth))))
            }
            (Rule::Index, WrittenNode::Index(p)) => {
                all(&[])?;
                Ok(Datum::Number(self.domain.index_as(data_type, self.number(p, of.point)?)))
            }
            (Rule::Read, WrittenNode::Read(tensor, indices)) => {
                all(&[])?;
                let at = indices.iter().map(|p| self.number(p, of.point)).collect::<Checked<Vec<i64>>>()?;
                // Only where indices are multiplied, what is outside is read, and is •.
                let is_inside =
                    self.place(*tensor, &at)?.is_some() || indices.iter().any(IndexExpr::multiplies_loops);
                condition(is_inside, "an element of the tensor is read")?;
                self.stored(of.store, *tensor, &at)
            }
            (Rule::Gather, WrittenNode::Gather(tensor, indices, operands)) => {
                self.gathered(of, (*tensor, indices), all(operands)?)
            }
            (Rule::Operator, node) => self.operator(node, data_type, &all(&node.operands())?),
            (Rule::Choice, WrittenNode::Choose(condition, yes, no)) => {
                let overflow = || WrongStep::Condition("an index has a value of 64 bits");
                let holds = condition.holds(self.sizes, of.point).ok_or_else(overflow)?;
                let fails = condition.clone().negated().holds(self.sizes, of.point).ok_or_else(overflow)?;
                if holds == fails {
                    return Err(WrongStep::Condition("a condition holds or does not"));
                }
                all(&[if holds { *yes } else { *no }]).and_then(single)
            }
            (Rule::Choice, WrittenNode::Conditional(c, yes, no)) => {
                let condition = self.premise(step, 0, &Valued { value: *c, ..*of })?;
                let holds = match &condition {
                    Datum::Truth(truth) => self.domain.known(truth),
                    Datum::Number(_) => return Err(WrongStep::Premise(0)),
                };
                match holds {
                    Some(holds) => all(&[*c, if holds { *yes } else { *no }]).map(|mut of| of.remove(1)),
                    None => all(&[*c]).map(|_| error(self.domain, data_type)),
                }
            }
            (Rule::Call, WrittenNode::Call(name, arguments)) => {
                let values = all(arguments)?;
                let types = vec![data_type; values.len()];
                let signature = Signature { name, arguments: &types, result: data_type };
                let value = (self.functions)(signature, &values);
                value.ok_or_else(|| WrongStep::Element(format!("the function `{name}` has no value")))
            }
            _ => Err(WrongStep::Condition("the rule is that of the node")),
        }
    }

    fn gathered(
        &self,
        of: &Valued<'_>,
        (tensor, indices): (usize, &[Option<IndexExpr>]),
        operands: Vec<Element<D>>,
    ) -> Checked<Element<D>> {
        let (mut at, mut operands) = (Vec::new(), operands.into_iter());
        for index in indices {
            let position = match (index, || operands.next()) {
                (Some(p), _) => Some(self.number(p, of.point)?),
                (None, mut next) => match next() {
                    Some(Datum::Number(number)) => {
                        self.domain.position(&number).ok_or(WrongStep::Condition("the index is known"))?
                    }
                    _ => return Err(WrongStep::Condition("an index is a number")),
                },
            };
            match position {
                Some(position) => at.push(position),
                None => return Ok(error(self.domain, self.derivation.program.tensors[tensor].data_type)),
            }
        }
        self.stored(of.store, tensor, &at)
    }

    fn operator(&self, node: &WrittenNode, of: ElementType, values: &[Element<D>]) -> Checked<Element<D>> {
        let unknown = || WrongStep::Condition("the operator is known");
        let type_of = |at: usize| self.derivation.program.values[at].data_type;
        Ok(match (node, values) {
            (WrittenNode::Unary(name, a), [value]) => {
                let known = [Unary::Negate, Unary::Not, Unary::Absolute];
                let operator =
                    known.into_iter().find(|operator| operator.text() == name).ok_or_else(unknown)?;
                unary(self.domain, (operator, type_of(*a)), value)
            }
            (WrittenNode::Cast(a), [value]) => unary(self.domain, (Unary::Cast(of), type_of(*a)), value),
            (WrittenNode::Binary(name, ..), [a, b]) => {
                binary(self.domain, self.division, binary_named(name).ok_or_else(unknown)?, a, b)
            }
            (WrittenNode::Primitive(name, _), values) => {
                let (_, known) =
                    Primitive::NAMED.into_iter().find(|(known, _)| known == name).ok_or_else(unknown)?;
                primitive(self.domain, known, values)
            }
            _ => return Err(unknown()),
        })
    }

    /// **tc-assign** (Statements), **tc-accumulate** (Statements), **tc-initialize** (Statements)
    fn element(
        &self,
        step: &DerivationStep,
        store: usize,
        statement: usize,
        at: &[i64],
    ) -> Checked<Element<D>> {
        let of = self.statement(statement);
        let data_type = self.derivation.program.tensors[of.target].data_type;
        let (outer, inner) = of.loops.split_at(of.rank);
        for ((_, range), i) in outer.iter().zip(at) {
            let [b, e] = self.ends(range)?;
            condition(at.len() == of.rank && (b..e).contains(i), "the element is one of the statement")?;
        }
        let mut terms = Vec::new();
        for (number, reduced) in self.points(inner.iter().map(|(_, range)| range))?.enumerate() {
            let point = [at, &reduced].concat();
            terms.push(self.premise(step, number, &Valued { store, value: of.value, point: &point })?);
        }
        if step.premises.len() != terms.len() {
            return Err(WrongStep::PremiseCount(terms.len()));
        }
        let before = || self.stored(store, of.target, at);
        let element = match (step.rule, &of.reduction) {
            (Rule::Assign, None) => single(terms)?,
            (Rule::Accumulate, Some((name, false))) => {
                let operator = reduction(name)?;
                match self.folded(operator, terms) {
                    None => before()?,
                    Some(all) => binary(self.domain, self.division, operator, &before()?, &all),
                }
            }
            (Rule::Initialize, Some((name, true))) => {
                let operator = reduction(name)?;
                let identity = identity_element(self.domain, operator, data_type);
                match self.folded(operator, terms) {
                    None => identity,
                    Some(all) if operator == Binary::Add => {
                        binary(self.domain, self.division, operator, &identity, &all)
                    }
                    Some(all) => all,
                }
            }
            _ => return Err(WrongStep::Condition("the rule is that of the statement")),
        };
        Ok(match element {
            Datum::Number(mut number) => {
                self.domain.store(&mut number);
                Datum::Number(number)
            }
            truth => truth,
        })
    }

    /// The terms from the first on, in the type in which the machine accumulates.
    fn folded(&self, operator: Binary, terms: Vec<Element<D>>) -> Option<Element<D>> {
        let first = terms.first()?.clone();
        let mut accumulated = terms.iter().map(|term| accumulated(self.domain, operator, term));
        let start = accumulated.next()?;
        let all =
            accumulated.fold(start, |all, term| binary(self.domain, self.division, operator, &all, &term));
        Some(result_of(self.domain, operator, all, &first))
    }

    /// **tc-statement** (Statements): the next store has the elements of the premises, and those before it elsewhere.
    fn statement_step(&self, step: &DerivationStep, store: usize, statement: usize) -> CheckResult {
        let of = self.statement(statement);
        let program = &self.derivation.program;
        let update = &self.derivation.stores[store];
        condition(update.tensor == of.target, "the next store is about the target")?;
        let tensor = &program.tensors[of.target];
        let data_type = tensor.data_type;
        let mut next = 0;
        let outer = &of.loops[..of.rank];
        for ((_, own), range) in outer.iter().zip(&tensor.ranges) {
            let ([from, to], [b, e]) = (self.ends(own)?, self.ends(range)?);
            condition(b <= from && to <= e, "the statement defines elements of the tensor")?;
        }
        for (place, at) in self.points(tensor.ranges.iter())?.enumerate() {
            let written =
                update.elements.get(place).ok_or(WrongStep::Condition("a store has all elements"))?;
            let mut is_defined = true;
            for ((_, range), i) in outer.iter().zip(&at) {
                let [b, e] = self.ends(range)?;
                is_defined &= (b..e).contains(i);
            }
            if !is_defined {
                self.is(data_type, written, &self.stored(store, of.target, &at)?)?;
                continue;
            }
            let premise = step.premises.get(next).map(|&premise| &self.derivation.steps[premise].conclusion);
            let Some(Judgement::Element { store: s, statement: t, at: place, result }) = premise else {
                return Err(WrongStep::Premise(next));
            };
            if (*s, *t, place) != (store, statement, &at) {
                return Err(WrongStep::Premise(next));
            }
            self.is(data_type, written, &self.read(data_type, result)?)?;
            next += 1;
        }
        let count = self.count(&tensor.ranges)?;
        condition(count == Some(update.elements.len()), "a store has no other elements")?;
        if step.premises.len() == next { Ok(()) } else { Err(WrongStep::PremiseCount(next)) }
    }

    /// **tc-sequence** (Statements): from the inputs, all statements in order.
    fn run(&self, step: &DerivationStep, first: usize, last: usize) -> CheckResult {
        let program = &self.derivation.program;
        self.allowed()?;
        let inputs =
            program.tensors.iter().enumerate().filter(|(_, tensor)| tensor.origin != Origin::Statement);
        let inputs: Vec<usize> = inputs.map(|(at, _)| at).collect();
        let stores = &self.derivation.stores;
        let given: Vec<usize> = stores[..first].iter().map(|update| update.tensor).collect();
        condition(given == inputs, "the first store has the inputs")?;
        for update in &stores[..first] {
            let tensor = &program.tensors[update.tensor];
            condition(
                self.count(&tensor.ranges)? == Some(update.elements.len()),
                "an input has all elements",
            )?;
            update
                .elements
                .iter()
                .try_for_each(|written| self.read(tensor.data_type, written).map(|_| ()))?;
        }
        condition(
            last == stores.len() && last - first == program.statements.len(),
            "all statements are run",
        )?;
        if step.premises.len() != program.statements.len() {
            return Err(WrongStep::PremiseCount(program.statements.len()));
        }
        for (statement, &premise) in step.premises.iter().enumerate() {
            let wanted = Judgement::Step { store: first + statement, statement };
            if self.derivation.steps[premise].conclusion != wanted {
                return Err(WrongStep::Premise(statement));
            }
        }
        Ok(())
    }

    /// That the sizes meet the conditions.
    fn allowed(&self) -> CheckResult {
        let program = &self.derivation.program;
        condition(self.sizes.len() == program.sizes.len(), "each size has a value")?;
        condition(self.sizes.iter().all(|&size| size >= 1), "each size is at least 1")?;
        let holds = |of: &IndexExpr| of.value(self.sizes, &[]).is_some_and(|value| value >= 0);
        condition(program.conditions.iter().all(holds), "the sizes meet the conditions")
    }
}

fn single<E>(mut values: Vec<E>) -> Checked<E> {
    values.pop().filter(|_| values.is_empty()).ok_or(WrongStep::PremiseCount(1))
}

fn reduction(name: &str) -> Checked<Binary> {
    let known = [Binary::Add, Binary::Mul, Binary::Min, Binary::Max];
    let found = known.into_iter().find(|operator| operator.text() == name);
    found.ok_or(WrongStep::Condition("the reduction is `+`, `*`, `min` or `max`"))
}
