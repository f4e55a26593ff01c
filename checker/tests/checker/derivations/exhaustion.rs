//! All numbers of a type of 8 bits in up to three variables, of 16 bits in one.

use super::Question;
use values::{Arithmetic, Extremum, IntegerOperation, LawTerm, NumberSystem, Scalar};

/// `None` where there are too many numbers; else those for which the equation fails, if it does.
pub(super) fn exhausted(question: &Question) -> Option<Option<Vec<Scalar>>> {
    match (question.of.bits()?, question.equation.variables()) {
        (8, _) => Some(of_bytes(question)),
        (16, 1) => Some(of_words(question)),
        _ => None,
    }
}

fn of_words(question: &Question) -> Option<Vec<Scalar>> {
    let domain = question.domain();
    let numbers = (0..1 << 16).filter_map(|bits| Scalar::of_bits(question.of, bits));
    numbers
        .into_iter()
        .find(|number| !question.agrees(&domain, &[Some(number.clone())]))
        .map(|number| vec![number])
}

/// The place of `•` in tables.
const UNDEFINED: usize = 256;

/// A term over bytes, with a table of results for each operator.
enum Tabulated {
    Variable(usize),
    Constant(usize),
    Apply(Box<[Tabulated; 2]>, Vec<u16>),
}

impl Tabulated {
    fn new(question: &Question, term: &LawTerm) -> Tabulated {
        let number = |bits: usize| Scalar::of_bits(question.of, bits as u64);
        let place = |number: Option<Scalar>| {
            number.and_then(|number| number.bits()).map_or(UNDEFINED, |bits| bits as usize)
        };
        let system = question.domain().0;
        let operation = match term {
            LawTerm::Var(at) => return Tabulated::Variable(*at),
            LawTerm::Constant(constant) => return Tabulated::Constant(place(Some(system.index(*constant)))),
            LawTerm::Identity(extremum) => {
                return Tabulated::Constant(place(Scalar::extremum_identity(question.of, *extremum)));
            }
            LawTerm::Negative(_) => None,
            LawTerm::Add(..) => Some(Arithmetic::Add),
            LawTerm::Sub(..) => Some(Arithmetic::Sub),
            LawTerm::Mul(..) => Some(Arithmetic::Mul),
            LawTerm::Div(..) => Some(Arithmetic::Quotient),
            LawTerm::Min(..) => Some(Arithmetic::Extremum(Extremum::Min)),
            LawTerm::Max(..) => Some(Arithmetic::Extremum(Extremum::Max)),
            LawTerm::And(..) => Some(Arithmetic::Integers(IntegerOperation::And)),
            LawTerm::Or(..) => Some(Arithmetic::Integers(IntegerOperation::Or)),
            LawTerm::Xor(..) => Some(Arithmetic::Integers(IntegerOperation::Xor)),
        };
        let result = |a: usize, b: usize| {
            let (a, b) = (number(a)?, number(b)?);
            match operation {
                Some(operation) => system.arithmetic(operation, &a, &b),
                None => system.negated(&a),
            }
        };
        let mut table = vec![UNDEFINED as u16; 257 * 257];
        for a in 0..256 {
            for b in 0..256 {
                table[a * 257 + b] = place(result(a, b)) as u16;
            }
        }
        let operands: Vec<Tabulated> =
            term.operands().into_iter().map(|operand| Tabulated::new(question, operand)).collect();
        let mut operands = operands.into_iter();
        let first = operands.next().unwrap();
        // The table of a negation does not depend on the second operand, unless that is undefined.
        let second = operands.next().unwrap_or(Tabulated::Constant(0));
        Tabulated::Apply(Box::new([first, second]), table)
    }

    fn value(&self, numbers: [usize; 3]) -> usize {
        match self {
            Tabulated::Variable(at) => numbers[*at],
            Tabulated::Constant(place) => *place,
            Tabulated::Apply(operands, table) => {
                let [a, b] = [operands[0].value(numbers), operands[1].value(numbers)];
                usize::from(table[a * 257 + b])
            }
        }
    }
}

fn of_bytes(question: &Question) -> Option<Vec<Scalar>> {
    let [left, right] =
        [&question.equation.left, &question.equation.right].map(|side| Tabulated::new(question, side));
    let variables = question.equation.variables();
    let count = |at: usize| if at < variables { 256 } else { 1 };
    for x in 0..count(0) {
        for y in 0..count(1) {
            for z in 0..count(2) {
                if left.value([x, y, z]) != right.value([x, y, z]) {
                    let numbers = [x, y, z].map(|bits| Scalar::of_bits(question.of, bits as u64).unwrap());
                    return Some(numbers[..variables].to_vec());
                }
            }
        }
    }
    None
}
