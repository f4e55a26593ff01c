//! Rules about programs of the tensor model language, evaluated by that language's reference semantics.

use super::errors::{NoAnswer, ill_formed};
use super::instance::{FreeSymbol, Valuation};
use super::machine::TensorValue;
use crate::syntax::Word;
use base::diagnostics::Span;
use rink::cost::operations;
use rink::equivalence::observed;
use rink::evaluation::{Evaluation, StatementMethod, Stuck};
use rink::extents::{Extent, SizeValues};
use rink::parsing::parse;
use rink::store::{Store, StoredTensor as Stored};
use rink::syntax::Program;
use rink::typing::{Typing, type_program};
use selfsame_core::operations::Datum;
use values::{Division, ValueDomain};

/// The two programs of a rule.
pub(super) struct Programs {
    pub span: Span,
    sides: [Program; 2],
}

/// The maximum number of elements of a tensor: the default of `--max-elements`.
const MAX_ELEMENTS: u64 = 1 << 24;

impl Programs {
    /// Parses the common declarations with the statements of each side.
    pub(super) fn read(declarations: &Word, sides: &[Word; 2]) -> Result<Programs, NoAnswer> {
        let read = |side: &Word| {
            let parsed = parse(&format!("{}\n{}", declarations.text, side.text));
            match parsed.errors.first() {
                Some(error) => ill_formed(side.span, error.message.clone()),
                None => Ok(parsed.program),
            }
        };
        Ok(Programs { span: declarations.span, sides: [read(&sides[0])?, read(&sides[1])?] })
    }

    /// The size parameters, in order.
    pub(super) fn parameters(&self) -> Vec<String> {
        self.sides[0].symbols().iter().map(|(symbol, _)| symbol.name().to_owned()).collect()
    }

    /// The variables with their extents, in order; all of them have an initial value.
    pub(super) fn variables(&self) -> Vec<(String, Vec<Extent>)> {
        let program = &self.sides[0];
        let of = program.declarations.iter();
        of.map(|declared| (program.name(declared.name).to_owned(), declared.extents.clone())).collect()
    }

    /// The variables whose final values are compared.
    pub(super) fn outputs(&self) -> Vec<String> {
        let program = &self.sides[0];
        observed(program).into_iter().map(|name| program.name(name).to_owned()).collect()
    }

    /// The final values of a side's outputs.
    pub(super) fn evaluate<D: ValueDomain>(
        &self,
        side: usize,
        symbols: &[FreeSymbol],
        run: &Valuation<'_, D>,
        budget: &mut u64,
    ) -> Result<Vec<TensorValue<D>>, NoAnswer> {
        let sizes: Option<SizeValues> = symbols
            .iter()
            .zip(run.sizes)
            .map(|(symbol, &size)| Some((symbol.name.clone(), u64::try_from(size).ok()?)))
            .collect();
        let program = sizes.and_then(|sizes| self.sides[side].instantiate(&sizes).ok());
        let Some(program) = program else {
            return ill_formed(self.span, "the program has no instance at these sizes");
        };
        let Ok(typing) = type_program(&program) else {
            return ill_formed(self.span, "the program has no type at these sizes");
        };
        let cost = operations(&program, &typing, StatementMethod::PointWise);
        *budget = budget.checked_sub(cost).ok_or(NoAnswer::OutOfBudget)?;
        let store = self.store(&program, &typing, run)?;
        let evaluation = Evaluation {
            domain: run.domain,
            program: &program,
            typing: &typing,
            division: Division::Controlled,
            method: StatementMethod::PointWise,
            max_elements: MAX_ELEMENTS,
        };
        let store = evaluation.run(store).map_err(|stuck| self.fault(&stuck))?;
        let tensor = |name| store.tensor(name).map(result);
        observed(&program).into_iter().map(tensor).collect::<Option<_>>().ok_or(NoAnswer::OutOfBudget)
    }

    fn store<D: ValueDomain>(
        &self,
        program: &Program,
        typing: &Typing,
        run: &Valuation<'_, D>,
    ) -> Result<Store<D>, NoAnswer> {
        let undefined = Store::undefined(run.domain, program, typing, MAX_ELEMENTS);
        let mut store = undefined.map_err(|_| NoAnswer::OutOfBudget)?;
        for (declared, input) in program.declarations.iter().zip(run.inputs) {
            let extents = input.extents.iter().map(|&extent| usize::try_from(extent).unwrap_or(0)).collect();
            let number = |element: &selfsame_core::operations::Element<D>| match element {
                Datum::Number(number) => number.clone(),
                Datum::Truth(_) => run.domain.undefined(),
            };
            let elements = input.elements.iter().map(number).collect();
            store.set(declared.name, Stored::new(extents, elements, run.domain.undefined()));
        }
        Ok(store)
    }

    fn fault(&self, stuck: &Stuck) -> NoAnswer {
        match stuck {
            Stuck::TooLarge(_) | Stuck::TooLong => NoAnswer::OutOfBudget,
            Stuck::OutOfBounds { .. } | Stuck::Untyped(_) => {
                NoAnswer::Unsupported { span: self.span, message: "a program that is stuck".to_owned() }
            }
        }
    }
}

fn result<D: ValueDomain>(tensor: &Stored<D>) -> TensorValue<D> {
    TensorValue {
        extents: tensor.extents.iter().map(|&extent| extent as i128).collect(),
        elements: (0..tensor.len()).map(|at| Datum::Number(tensor.get(at))).collect(),
    }
}
