//! Bad input to ALPHA: each text gives a diagnostic or is out of budget; none hangs or panics.

use alpha::checking::check;
use alpha::lexing::MAX_ERRORS;
use alpha::parsing::parse;
use alpha::printing::{Notation, print};
use alpha::typing::type_system;
use base::diagnostics::{Code, Diagnostic, Fault};
use fastrand::Rng;
use polyhedra_isl::Isl;

/// The codes of the findings in a text, each once, in order of code; every place is inside the text.
fn codes(text: &str) -> Vec<Code> {
    let mut codes: Vec<Code> = findings(text).iter().map(|finding| finding.code).collect();
    codes.sort_unstable();
    codes.dedup();
    codes
}

fn findings(text: &str) -> Vec<Diagnostic> {
    let parsed = parse(text);
    let findings = match parsed.errors.is_empty() {
        false => parsed.errors,
        true => match type_system(&parsed.system) {
            Err(errors) => errors,
            Ok(_) => match check(&parsed.system, &Isl::with_total_budget(5_000_000), None) {
                Ok(checked) => checked.findings,
                Err(undecided) => vec![undecided.diagnostic()],
            },
        },
    };
    let labels =
        findings.iter().flat_map(|finding| std::iter::once(&finding.primary).chain(&finding.secondary));
    for label in labels {
        assert!(text.get(label.span.range()).is_some(), "{label:?} is outside the text");
    }
    findings
}

fn system(equations: &str) -> String {
    format!(
        "system s (N : {{ N | N>=1 }} parameter; a : {{ i | 1<=i<=N }} of integer; b : {{ i,j | 1>=0 }} of integer)\n\
         returns (y : {{ i | 1<=i<=N }} of integer);\nlet\n{equations}\ntel;"
    )
}

/// The text has errors of this code, and of no other.
fn gives(code: Code, text: &str) {
    assert_eq!(codes(text), [code], "{}", text.chars().take(300).collect::<String>());
}

/// The checks end, whatever they find; parser and typing must accept the text.
fn is_answered(text: &str) {
    let codes = codes(text);
    let about_points = |code: &Code| *code >= Code::P0008;
    assert!(codes.iter().all(about_points), "{codes:?}: {}", text.chars().take(300).collect::<String>());
}

#[test]
fn unbalanced_keywords_and_brackets() {
    let good = system("y = case { i | i=1 } : a; { i | i>1 } : a; esac;");
    let codes = codes(&good);
    assert!(codes.iter().all(|code| code.fault() == Fault::Warning), "{codes:?}");
    for word in
        ["system", "returns", "let", "tel", "case", "esac", "{", "}", "(", ")", ";", ":", "=", "|", "of"]
    {
        let (before, after) = good.rsplit_once(word).unwrap();
        for mutant in [format!("{before}{after}"), format!("{before}{word} {word}{after}")] {
            let found = findings(&mutant);
            let expected = [Code::P0002, Code::P0004, Code::P0005, Code::P0008, Code::P0011];
            let harmless = found.is_empty() || found.iter().all(|f| f.code.fault() == Fault::Warning);
            assert!(
                harmless || found.iter().any(|f| expected.contains(&f.code)),
                "{word}: {found:#?}\n{mutant}"
            );
        }
    }
}

#[test]
fn names_ranks_and_numbers() {
    gives(Code::P0005, &system("y[i] = a[k];"));
    gives(Code::P0008, &system("y[i] = { k,l | k=l } : a[i];"));
    gives(Code::P0008, &system("y[i] = ({ k,l | k=l } & { k | k=1 }) : a[i];"));
    gives(Code::P0005, &system("y[i] = case {i=1} : (a[k]); {i>1} : a[i]; esac + (a[i]);"));
    gives(Code::P0006, &system("y[i] = b[i*i,i];"));
    gives(Code::P0006, &system("y[i] = { k | k*N>=1 } : a[i];"));
    let huge = format!("1{}", "0".repeat(30));
    gives(Code::P0007, &system(&format!("y[i] = b[{huge}i,i];")));
    gives(Code::P0007, &system(&format!("y[i] = {{ k | k<={huge} }} : a[i];")));
    gives(Code::P0007, &system(&format!("y[i] = {{ k | {0}k+{0}k>=0 }} : a[i];", i64::MAX)));
    gives(Code::P0007, &system(&format!("y[i] = {}[];", "9".repeat(100_000))));
    gives(Code::P0021, &system(&format!("y[i] = a[{0}i].(i->{0}i);", i64::MAX / 2)));
}

#[test]
fn many_constraints_and_pieces() {
    let many =
        |n: usize, f: &dyn Fn(usize) -> String, join: &str| (0..n).map(f).collect::<Vec<_>>().join(join);
    let constraints = many(2_000, &|k| format!("{}i+{}j<={}", k % 37 + 1, k % 41 + 1, 3 * k), "; ");
    is_answered(&system(&format!(
        "y[i] = reduce(+, (i,j->i), {{ i,j | 0<=i; 0<=j; {constraints} }} : b[i,j]);"
    )));
    let union = many(200, &|k| format!("{{ i | {}<=i<={} }}", 3 * k, 3 * k + 1), " | ");
    is_answered(&system(&format!("y[i] = ({union}) : a[i];")));
    let union = many(200, &|k| format!("{{ i,j | {}<=2i+{k}j<={} }}", 3 * k, 3 * k + 1), " | ");
    is_answered(&system(&format!("y[i] = reduce(+, (i,j->i), ~({union}) : b[i,j]);")));
    let branches = many(300, &|k| format!("{{ i | i={k} }} : a[i]"), "; ");
    is_answered(&system(&format!("y[i] = case {branches}; esac;")));
    let chain = many(300, &|k| format!("i+{k}"), ",");
    is_answered(&system(&format!("y[i] = {{ i | ({chain}) <= ({chain}) <= ({chain}) }} : a[i];")));
    let indices = many(5_000, &|k| format!("i{k}"), ",");
    is_answered(&system(&format!("y[i] = {{ {indices} | ({indices}) <= 1 }} : a[i];")));
    is_answered(&system(&format!("y[i] = b.({indices}->{indices}).(i->i);")));
}

#[test]
fn many_variables() {
    for n in [1_000, 20_000] {
        let names: Vec<String> = (0..n).map(|k| format!("t{k}")).collect();
        let mut equations: Vec<String> =
            names.windows(2).map(|pair| format!("{}[i] = {}[i] + a[i];", pair[0], pair[1])).collect();
        equations.push(format!("t{}[i] = a[i]; y[i] = t0[i] + b[i,i];", n - 1));
        let text = system(&equations.join("\n"))
            .replace("let\n", &format!("var {} : {{ i | 1<=i<=N }} of integer; let\n", names.join(",")));
        is_answered(&text);
    }
}

#[test]
fn cyclic_systems() {
    gives(Code::P0014, &system("y[i] = y[i] + a[i] + b[i,i];"));
    gives(Code::P0014, &system("y[i] = a[i] + b[i,i] + reduce(+, (i,j->i), { i,j | 1<=j<=N } : y[j]);"));
    let ring: Vec<String> = (0..40).map(|k| format!("t{k}")).collect();
    let equations: Vec<String> = (0..40).map(|k| format!("t{k}[i] = t{}[i] + a[i];", (k + 1) % 40)).collect();
    let text = system(&format!("{} y[i] = t0[i] + b[i,i];", equations.join("\n")));
    is_answered(
        &text.replace("let\n", &format!("var {} : {{ i | 1<=i<=N }} of integer; let\n", ring.join(","))),
    );
}

#[test]
fn deep_nesting_is_read() {
    let n = campaigns::size("nesting") as usize;
    is_answered(&system(&format!("y[i] = {}a[i]{};", "(".repeat(n), ")".repeat(n))));
    is_answered(&system(&format!("y[i] = {}a[i];", "- ".repeat(n))));
    is_answered(&system(&format!("y[i] = {}a[i];", "not ".repeat(n))));
    is_answered(&system(&format!("y[i] = {}a[i]{};", "if a[i]=1[] then ".repeat(n), " else a[i]".repeat(n))));
    is_answered(&system(&format!("y[i] = {}a[i];", "if a[i]=1[] then a[i] else ".repeat(n))));
    is_answered(&system(&format!("y[i] = {}a[i]{};", "case ".repeat(n), "; esac".repeat(n))));
    is_answered(&system(&format!("y[i] = {}{{i=1}}{} : a[i];", "(".repeat(n), ")".repeat(n))));
    is_answered(&system(&format!("y[i] = {}a[i];", "{i=1} : ".repeat(n))));
    is_answered(&system(&format!("{}y[i] = a[i];", "{i=1} : ".repeat(n))));
    is_answered(&system(&format!("{}y[i] = a[i];{}", "let ".repeat(n), " tel;".repeat(n))));
    is_answered(&system(&format!("y[i] = {}a[i]{};", "reduce(+, (i,j->i), ".repeat(n), ")".repeat(n))));
    is_answered(&system(&format!("y[i] = {}a[i]{};", "min(a[i], ".repeat(n), ")".repeat(n))));
    is_answered(&system(&format!("y[i] = {}a[i]{};", "rem(a[i], ".repeat(n), ")".repeat(n))));
    is_answered(&system(&format!("y[i] = {}a[i]{};", "integer(".repeat(n), ")".repeat(n))));
    is_answered(&system(&format!(
        "y[i] = {}a[i]{};",
        "reduce(+, (i,j->i), {1>=0}, ".repeat(n),
        ")".repeat(n)
    )));
    let function = system(&format!("y[i] = {}a[i]{};", "f(a[i], ".repeat(n), ")".repeat(n)));
    is_answered(&function.replace("let\n", "function f(integer, integer) returns integer; let\n"));
    is_answered(&system(&format!("y[i] = b[{}i{},i];", "(".repeat(n), ")".repeat(n))));
    is_answered(&system(&format!("y[i] = {}{{i=1}} : a[i];", "~".repeat(n))));
    is_answered(&system(&format!("y[i] = {{i=1}}{} : a[i];", ".convex".repeat(n / 10))));
    is_answered(&system(&format!("y[i] = a[i]{};", ".(i->i+1)".repeat(n / 10))));
}

#[test]
fn long_sums() {
    let n = 100_000;
    is_answered(&system(&format!("y[i] = a[i]{};", " + a[i]".repeat(n))));
    is_answered(&system(&format!("y[i] = a[i]{};", " + b[i,i]".repeat(n))));
    is_answered(&system(&format!("y[i] = b[i{},i];", "+1".repeat(n))));
    is_answered(&system(&format!("y[i] = {{ k | k{}>=1 }} : a[i];", "+k".repeat(n))));
    let different: String = (0..2_000).map(|k| format!(" + b[i+{k},i]")).collect();
    is_answered(&system(&format!("y[i] = a[i]{different};")));
    let different: String = (0..2_000).map(|k| format!(" + a[i+{k}-{k}]")).collect();
    is_answered(&system(&format!("y[i] = b[i,i]{different};")));
}

/// **semantics-2**, **semantics-6**
#[test]
fn one_system_with_its_parameters_first() {
    let one = system("y = a;");
    gives(Code::P0002, &format!("{one}\n{one}"));
    let returns = "returns (y : integer); let y = a; tel;";
    assert_eq!(codes(&format!("system s (N : {{ N | N>=1 }} parameter; a : integer) {returns}")), []);
    gives(Code::P0002, &format!("system s (a : integer; N : {{ N | N>=1 }} parameter) {returns}"));
}

#[test]
fn no_system_at_all() {
    gives(Code::P0002, "");
    gives(Code::P0002, "-- nothing");
    gives(Code::P0002, "\u{feff}");
    gives(Code::P0002, "system");
    let mut random = Rng::with_seed(1);
    let bytes: Vec<u8> = (0..100_000).map(|_| random.u8(..)).collect();
    let garbage = String::from_utf8_lossy(&bytes);
    let found = codes(&garbage);
    assert!(found.contains(&Code::P0001), "{found:?}");
}

/// A megabyte of brackets; less of the others, enough to show what is not linear.
fn size(thing: &str) -> usize {
    if "{([".contains(thing) { 1 << 20 } else { 1 << 17 }
}

#[test]
fn a_megabyte_of_one_thing() {
    let things = [
        "{",
        "(",
        "[",
        "}",
        ")",
        "]",
        "~",
        ";",
        ":",
        "=",
        ",",
        "|",
        "&",
        ".",
        "-",
        "--\n",
        "a",
        "a ",
        "1",
        "1 ",
        "let ",
        "tel; ",
        "case ",
        "esac; ",
        "y=case;",
        "y=(;",
        "y={;",
        "{i|",
        "y=-(",
        "y=min(a,",
        "if ",
        "y=if a;",
        "system ",
        "a,",
        "a:",
        "a=b;",
        "\u{2192}",
        "\u{1f600}",
        "\0",
        "\r\n",
        "y[i]=a[i];",
        "{i=1}:",
        "y=~",
        "(~{",
        "({",
        "y=(({",
        "reduce(",
        "y = a.(",
        "abs(",
        "y=val[",
        "y=val(",
        "y=f(a,",
        "integer(",
        "y=reduce(+,(i->),{i|",
        "function f(real) returns real;",
        "function ",
        "n:integer parameter;",
        "y[i]=a[i+n];",
    ];
    for thing in things {
        let many = thing.repeat(size(thing) / thing.len());
        let declared = format!("system s ({many}) returns (y : integer); let y = 1; tel;");
        for text in [&many, &system(&many), &declared] {
            let errors = parse(text).errors;
            assert!(errors.len() <= MAX_ERRORS, "{thing}: {}", errors.len());
            assert!(errors.iter().all(|error| text.get(error.primary.span.range()).is_some()), "{thing}");
        }
    }
}

const EXAMPLES: [&str; 6] = [
    include_str!("../../../../../examples/convolution-figure-2.alpha"),
    include_str!("../../../../../examples/convolution-figure-3.alpha"),
    include_str!("../../../../../examples/convolution-figure-4.alpha"),
    include_str!("../../../../../examples/convolution-figure-5.alpha"),
    include_str!("../../../../../examples/additions.alpha"),
    include_str!("../../../../../examples/activation.alpha"),
];

/// A text with a few bytes or words removed, repeated, exchanged or replaced.
fn mutated(random: &mut Rng, text: &str) -> String {
    const WORDS: [&str; 32] = [
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        "|",
        "&",
        "~",
        ".",
        ":",
        ";",
        ",",
        "->",
        "case",
        "esac",
        "tel",
        "let",
        "reduce",
        "if",
        "0",
        "99999999999999999999",
        "i",
        "convex",
        "val",
        "abs(",
        "rem",
        "function",
        "integer(",
        "parameter",
        "start",
        "returns",
    ];
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..1 + random.usize(..3) {
        let from = random.usize(..bytes.len());
        let to = (from + random.usize(..12)).min(bytes.len());
        let part = bytes[from..to].to_vec();
        match random.u8(..5) {
            0 => drop(bytes.drain(from..to)),
            1 => drop(bytes.splice(from..from, part)),
            2 => bytes[from] = random.u8(32..127),
            3 => drop(bytes.splice(from..from, random.choice(WORDS).unwrap_or("").bytes())),
            _ => {
                let at = random.usize(..bytes.len());
                drop(bytes.splice(at..at, part));
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn mutants_of_the_examples() {
    let (mut random, mut read) = (Rng::with_seed(7), 0);
    for round in 0..6_000 {
        let text = mutated(&mut random, EXAMPLES[round % EXAMPLES.len()]);
        let parsed = parse(&text);
        if parsed.errors.is_empty() {
            read += 1;
            let again = parse(&print(&parsed.system, Notation::Functional));
            assert!(again.errors.is_empty() && again.system.is_alike(&parsed.system), "{text}");
        }
        findings(&text);
    }
    assert!(read > 150, "{read} of 6000 were read");
}
