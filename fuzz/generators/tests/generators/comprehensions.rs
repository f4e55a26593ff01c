//! Random Tensor Comprehensions, faults in them, and the checks of their libFuzzer targets.
#![allow(clippy::unwrap_used, reason = "tests")]

use base::diagnostics::Code;
use generators::checks;
use generators::choices::{DecisionSource, Random};
use generators::comprehensions::comprehension;
use generators::comprehensions::faults::{FAULTS, mutate};
use language::Program as _;
use polyhedra_isl::Isl;
use std::path::Path;
use tc::lexing::Token;
use tc::parsing::parse;
use tc::program::Program;

/// A fault gives its error, and no other; each finds its place.
#[test]
fn one_fault_gives_its_error() {
    let (mut random, mut placed) = (Random::seeded(8), vec![0; FAULTS.len()]);
    for _ in 0..300 {
        let text = comprehension(&mut random, 3);
        if Program::read(&text).is_err() {
            continue;
        }
        let (file, _) = parse(&text);
        for (placed, (fault, code)) in placed.iter_mut().zip(FAULTS) {
            let Some(mutant) = mutate(&mut random, &file, *fault) else { continue };
            let errors = Program::read(&mutant).map(|_| ()).unwrap_err();
            let codes: Vec<Code> = errors.iter().map(|error| error.code).collect();
            assert_eq!(codes, [*code], "{fault:?}: {}\n{mutant}", errors[0].message);
            *placed += 1;
        }
    }
    assert!(placed.iter().all(|placed| *placed > 20), "{placed:?}");
}

/// Checks a text; whether it is well-formed.
fn holds(text: &str) -> bool {
    checks::comprehension_parsing(text);
    checks::comprehension_checks(text, &Isl::with_total_budget(200_000));
    Program::read(text).is_ok()
}

/// The texts of the examples.
fn examples() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/comprehensions");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let texts = paths.iter().filter(|path| path.extension().is_some_and(|ending| ending == "tc"));
    texts.map(|path| std::fs::read_to_string(path).unwrap()).collect()
}

/// The pieces of statements, and of texts that are none.
const PIECES: &str = "A(i) A(i,j) B(j) C A B i j k N M K 0 1 2 3 0.5 1e3 -1 9223372036854775807 + - * / % < <= == != && || ! ? : ( ) , = += +=! *= \
    min= min=! max=! where in exists A.0 B.1 exp( pow( fmin( max( fabs( float( int32( uint8( bool( f( g( O(i) = O = T(i,j) +=! # } { def -> .";

/// A text near a program.
fn random_text(random: &mut Random) -> String {
    let pieces: Vec<&str> = PIECES.split_whitespace().collect();
    let pieces: Vec<&str> = (0..random.below(9)).map(|_| random.pick(&pieces)).collect();
    let arguments = random.pick(&[
        "float(N, M) A, float(K) B, float C",
        "int32(3, N) A, uint8(N) B, float C",
        "bool(N, N) A, float(N) B, half C",
    ]);
    let left = random.pick(&["O", "O(i)", "O(i, j)"]);
    let operator = random.pick(&["=", "=", "+=!", "max=", "min=!"]);
    let ranges = random.pick(&["", "where i in 0:N", "where i in 1:3, j in 0:2"]);
    format!("def f({arguments}) -> (O) {{ {left} {operator} {} {ranges} }}", pieces.join(" "))
}

#[test]
fn checks_hold_on_random_texts() {
    let (mut random, mut well_formed) = (Random::seeded(9), 0);
    for _ in 0..campaigns::size("comprehension-texts") {
        well_formed += u64::from(holds(&random_text(&mut random)));
    }
    assert!(100 * well_formed > campaigns::size("comprehension-texts"), "{well_formed}");
}

/// A random program or an example, changed in a few places.
fn changed_text(random: &mut Random, examples: &[String]) -> String {
    let mut text = if random.once_in(4) { random.pick(examples) } else { comprehension(random, 3) };
    for _ in 0..random.pick(&[1, 1, 1, 2, 3]) {
        text = one_change(random, &text);
    }
    text
}

#[test]
fn checks_hold_on_changed_texts() {
    let (mut random, mut well_formed) = (Random::seeded(10), 0);
    let examples = examples();
    for _ in 0..campaigns::size("comprehension-texts") {
        well_formed += u64::from(holds(&changed_text(&mut random, &examples)));
    }
    assert!(20 * well_formed > campaigns::size("comprehension-texts"), "{well_formed}");
}

/// The text with a token left out, repeated, or replaced by another one of it, most often of its kind; or with another character.
fn one_change(random: &mut Random, text: &str) -> String {
    if random.once_in(4) {
        let mut chars: Vec<char> = text.chars().collect();
        let [at, from] = [0; 2].map(|_| random.below(chars.len()));
        chars[at] = chars[from];
        return chars.into_iter().collect();
    }
    let (tokens, _) = tc::lexing::tokens(text);
    let token = random.pick(&tokens);
    let is_like = |other: &&Token| std::mem::discriminant(&other.kind) == std::mem::discriminant(&token.kind);
    let alike: Vec<Token> = tokens.iter().filter(is_like).copied().collect();
    let by = match random.below(8) {
        0 => Vec::new(),
        1 => vec![token, token],
        2 => vec![random.pick(&tokens)],
        _ => vec![random.pick(&alike)],
    };
    let by: Vec<&str> = by.iter().map(|token| &text[token.span.range()]).collect();
    let place = token.span.range();
    let (before, after) = (&text[..place.start], &text[place.end..]);
    format!("{before}{}{after}", by.join(" "))
}
