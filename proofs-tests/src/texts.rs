//! Claims that are checked on programs as text, in any language of the table.

use crate::evidence::{Evidence, EvidenceKind, Violation};
use crate::ledger::RepairEvidence;
use base::diagnostics::Code;
use language::{ComparedElements, GivenInputs, Outputs, Program, Runnable as _, Signature, Sizes, Task};
use polyhedra_isl::Isl;
use selfsame_core::operations::{Datum, Element};
use selfsame_core::operators::ElementType;
use values::{Division, Extended, Listed, ValueDomain as _};

/// What is found of a claim: as printed, and repaired.
pub(crate) type ClaimEvidence = (Vec<Evidence>, Vec<RepairEvidence>);

/// Inputs that are small numbers, which depend on the index.
struct Inputs<S>(S);

impl<S: Listed> GivenInputs<Extended<S>> for Inputs<S> {
    fn element(&self, _: &str, at: &[i64], of: ElementType) -> Element<Extended<S>> {
        let number = at.iter().fold(3, |sum, i| (sum * 5 + i * 3) % 11) - 4;
        Datum::Number(Extended(self.0).index_as(of, number))
    }

    fn index(&self, _: &str) -> i64 {
        0
    }

    fn call(&self, _: Signature<'_>, _: &[Element<Extended<S>>]) -> Option<Element<Extended<S>>> {
        None
    }
}

/// A program, or its first error.
pub(crate) fn read<P: Program>(text: &str) -> Result<P, String> {
    P::read(text).map_err(|errors| format!("{text}: {}", errors[0].message))
}

/// The elements of outputs; `None` where the program does not allow the sizes.
pub(crate) fn outputs<P: Program, S: Listed>(
    system: S,
    program: &P,
    sizes: &Sizes,
) -> Result<Option<Outputs<Extended<S>>>, String> {
    let engine = Isl::with_memory();
    let runnable = program.runnable(&engine)?;
    if !runnable.allows(sizes) {
        return Ok(None);
    }
    let outputs = program.outputs();
    let (division, compared) = (Division::System, ComparedElements::All);
    let task = Task { division, outputs: &outputs, compared, steps: 1 << 20, elements: 1 << 10 };
    let found = runnable.outputs(&Extended(system), sizes, &Inputs(system), task);
    found.map(Some).map_err(|why| why.to_string())
}

/// Whether two programs have the same elements at sizes, where both have a meaning; `None` if one has none.
fn same_at<P: Program, S: Listed>(system: S, [a, b]: [&P; 2], sizes: &Sizes) -> Result<Option<bool>, String> {
    let domain = Extended(system);
    let (Some(a), Some(b)) = (outputs(system, a, sizes)?, outputs(system, b, sizes)?) else {
        return Ok(None);
    };
    let same = |(place, value): (&language::Place, &Element<Extended<S>>)| match (value, b.get(place)) {
        (Datum::Number(a), Some(Datum::Number(b))) => domain.known(&domain.same(a, b)) == Some(true),
        _ => false,
    };
    Ok(Some(a.len() == b.len() && a.iter().all(same)))
}

/// Whether two texts have the same elements at every size at which both have a meaning, of which there is one.
pub(crate) fn same<P: Program, S: Listed>(
    system: S,
    texts: [&str; 2],
    sizes: &[Sizes],
) -> Result<bool, String> {
    let [a, b] = texts.map(read::<P>);
    let (a, b, mut compared) = (a?, b?, 0);
    for sizes in sizes {
        match same_at(system, [&a, &b], sizes)? {
            Some(false) => return Ok(false),
            Some(true) => compared += 1,
            None => {}
        }
    }
    if compared == 0 { Err("no sizes are allowed".to_owned()) } else { Ok(true) }
}

/// Cases that hold, or do not, or are at fault.
pub(crate) fn tried(
    range: &str,
    cases: impl IntoIterator<Item = (String, Result<bool, String>)>,
) -> Evidence {
    let (mut count, mut violated) = (0, None);
    for (program, outcome) in cases {
        count += 1;
        let says = match outcome {
            Ok(true) => continue,
            Ok(false) => "does not hold".to_owned(),
            Err(says) => says,
        };
        violated = violated.or(Some(Violation { program, counterexample: None, says }));
    }
    Evidence::tried(EvidenceKind::Exhaustive, range, count, violated)
}

/// Texts that are refused, each with a code.
pub(crate) fn refused<P: Program>(texts: &[(&str, Code)]) -> Evidence {
    let cases = texts.iter().map(|(text, code)| {
        let found = P::read(text).map_err(|errors| errors[0].code);
        ((*text).to_owned(), Ok(matches!(found, Err(found) if found == *code)))
    });
    tried("programs that are refused", cases)
}
