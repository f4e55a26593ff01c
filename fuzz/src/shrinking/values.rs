//! Simpler elements for inputs.

use crate::case::{Case, ElementBox};
use crate::meaning::InputBox;
use selfsame_core::counterexample::WrittenElement;
use selfsame_core::operators::ElementType;
use values::Literal;

/// The maximum number of elements of an array to simplify one by one. Each takes a trial or more, of 3,000 in
/// all.
const EACH: usize = 64;

fn integer(number: i64) -> WrittenElement {
    Some(Literal::Exact(number.into()))
}

/// The elements 1, 2, …; for truth values, all true.
pub fn counted(bounds: &InputBox) -> ElementBox {
    let mut count = 0;
    ElementBox::from_fn(&bounds.origin, &bounds.shape, |_| {
        count += 1;
        match bounds.data_type {
            ElementType::Boolean => Some(Literal::Boolean(true)),
            _ => integer(count),
        }
    })
}

/// The distance of all elements from 1.
pub fn weight(case: &Case) -> usize {
    case.inputs.values().flat_map(|array| &array.data).map(complexity).sum()
}

/// The distance of an element from 1.
fn complexity(element: &WrittenElement) -> usize {
    let Some(literal) = element else { return 12 };
    if let Literal::Boolean(truth) = literal {
        return usize::from(!truth);
    }
    match literal.to_f64() {
        Ok(1.0) => 0,
        Ok(0.0) => 1,
        Ok(x) if x.fract() == 0.0 && x.abs() < 1000.0 => 2 + (x.abs() as usize).ilog2() as usize,
        Ok(x) if x.is_finite() => 20 + (x.abs().log2().abs() as usize) / 8,
        _ => 14,
    }
}

/// Cases with simpler elements: of a whole input, then of each element.
pub fn smaller(case: &Case) -> impl Iterator<Item = Case> + '_ {
    let names = || case.inputs.keys();
    let whole = names().flat_map(|name| {
        let array = &case.inputs[name];
        let ones = array.data.iter().map(|element| simplified(element, 1)).collect();
        let counted = (1..).zip(&array.data).map(|(at, element)| simplified(element, at)).collect();
        [ones, counted].map(|data| with(case, name, ElementBox { data, ..array.clone() }))
    });
    let each = names().filter(|name| case.inputs[*name].data.len() <= EACH).flat_map(move |name| {
        let array = &case.inputs[name];
        let candidates = |at: usize| {
            let element = &array.data[at];
            let simple = [1, 0, 2, 3, -1, 7].map(|number| simplified(element, number));
            let truncated = element.as_ref().and_then(|literal| literal.to_f64().ok());
            let truncated = truncated.filter(|x| x.abs() < 1e15).map(|x| integer(x as i64));
            let better = simple.into_iter().chain(truncated);
            better.filter(|better| complexity(better) < complexity(element)).collect::<Vec<_>>()
        };
        (0..array.data.len()).flat_map(move |at| {
            candidates(at).into_iter().map(move |element| {
                let mut array = array.clone();
                array.data[at] = element;
                with(case, name, array)
            })
        })
    });
    whole.chain(each)
}

fn simplified(element: &WrittenElement, number: i64) -> WrittenElement {
    match element {
        Some(Literal::Boolean(_)) => Some(Literal::Boolean(number != 0)),
        _ => integer(number),
    }
}

fn with(case: &Case, name: &str, array: ElementBox) -> Case {
    let mut case = case.clone();
    case.inputs.insert(name.to_owned(), array);
    case
}
