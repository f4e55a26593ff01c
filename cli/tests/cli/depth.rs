//! Programs, rules and documents with very deep nesting or very long chains: every command gives an answer, or a
//! limit with its code, on a stack of 1 MiB, and as a library called from a thread with a stack of 512 KiB.
//!
//! A table of commands × shapes. `cargo test` uses less depth than `make depth`: see the table of campaigns.
#![allow(clippy::unwrap_used, reason = "tests")]

use crate::common::{Folder, Ran};
use clap::Parser;
use selfsame_cli::commands::Cli;
use selfsame_cli::limits::Progress;
use std::process::Command;

/// The number of operators in a program.
fn depth() -> usize {
    campaigns::size("depth") as usize
}

/// A system with one equation.
fn alpha(expression: &str) -> String {
    format!(
        "system s (N : {{ N | N>=1 }} parameter; x : {{ i | 0<=i<=N-1 }} of real; b : boolean)\n  \
         returns (y : {{ i | 0<=i<=N-1 }} of real);\nlet\n  y[i] = {expression};\ntel;\n"
    )
}

/// A program of the tensor model language with one statement.
fn rink(expression: &str) -> String {
    format!("var input x : [2 2]\nvar output y : [2 2]\ny = {expression}\n")
}

fn rule(left: &str) -> String {
    format!("rule r \"\" for r in 1..1 sizes N[r] tensors A[N], B[N]\n left {left}\n right A*1\n")
}

/// Repeats `open` and `close` around `inside`.
fn nested(open: &str, inside: &str, close: &str) -> String {
    let n = depth();
    [&open.repeat(n), inside, &close.repeat(n)].concat()
}

/// Texts by file name: a shape and a language.
fn shapes() -> Vec<(String, String)> {
    let chain = |operand: &str, operator: &str| vec![operand; depth()].join(operator);
    let n = depth();
    let right = |operand: &str| format!("{}{operand}{}", format!("{operand} + (").repeat(n), ")".repeat(n));
    let of_alpha = [
        ("chain", chain("x[i]", " + ")),
        ("right", right("x[i]")),
        ("parentheses", nested("(", "x[i]", ")")),
        ("minus", nested("- ", "x[i]", "")),
        ("if", nested("if b[] then x[i] else ", "x[i]", "")),
        ("case", nested("case {i>=0} : ", "x[i]", "; esac")),
        ("absolute", nested("abs(", "x[i]", ")")),
        ("restriction", nested("{i | i>=0} : ", "x[i]", "")),
        ("reduction", nested("reduce(+, (i,k->i), {i,k | k=0} : ", "x", ".(i,k->i))")),
    ];
    let of_rink = [
        ("chain", chain("x", " + ")),
        ("right", right("x")),
        ("parentheses", nested("(", "x", ")")),
        ("transposition", nested("", "x", " ^ [1 2]")),
        ("contraction", nested("", "x", " # x . [2 3]")),
    ];
    let of_rules = [
        ("chain", chain("A", " + ")),
        ("right", right("A")),
        ("parentheses", nested("(", "A", ")")),
        ("minus", nested("-", "A", "")),
        ("if", nested("if B > 0 then A else ", "A", "")),
        ("absolute", nested("abs(", "A", ")")),
        ("sum", format!("[i < N] -> {}", nested("sum(k < 2 : ", "A[i]", ")"))),
        ("comprehension", format!("[i < N] -> {}", nested("([k < 1] -> ", "A[i]", ")[0]"))),
        ("not", format!("if {} then A else B", nested("not ", "true", ""))),
        ("conditions", nested("if r = 0 then ", "A", " else A")),
        ("comparisons", format!("if {} then A else B", chain("0", " <= "))),
        ("and", format!("if {} then A else B", chain("A > 0", " and "))),
        ("vector", format!("A * index({}.0)", nested("[", "N", "]"))),
        ("component", format!("A * index(N{})", ".0".repeat(n))),
        ("choices", format!("A * index({})", nested("choose([0], ", "N.0", ", [1]).0"))),
    ];
    let of = |ending: &'static str, all: Vec<(&'static str, String)>, whole: fn(&str) -> String| {
        all.into_iter().map(move |(name, text)| (format!("{name}.{ending}"), whole(&text)))
    };
    let alphas = of("alpha", of_alpha.to_vec(), alpha);
    let rinks = of("rink", of_rink.to_vec(), rink);
    alphas.chain(rinks).chain(of("rules", of_rules.to_vec(), rule)).collect()
}

/// The commands for a file with this ending; `@` stands for the file, `%` for its other version.
fn commands(ending: &str) -> &'static [&'static str] {
    match ending {
        "alpha" => &[
            "check @",
            "lower @",
            "derive @",
            "run @ --param N=1 --input alpha.json",
            "run @ --param N=1 --input alpha.json --values f64 --fast",
            "equiv @ %",
            "normalize @",
            "optimize @",
        ],
        "rink" => &["check @", "lower @", "derive @", "run @ --input rink.json", "simulate @", "equiv @ %"],
        _ => &["verify @"],
    }
}

/// 4 GB of address space.
const LIMITS: &str = "ulimit -v 4000000; exec";

/// The seconds after which a search is ended: it is as deep then as it gets, and a limit is an answer.
fn seconds() -> f64 {
    (depth() as f64 / 300.0).min(10.0)
}

/// Runs the command with a stack of 1 MiB.
fn on_small_stack(folder: &Folder, arguments: &str) -> Ran {
    shell(
        folder,
        &format!(
            "ulimit -s 1024; {LIMITS} {} {arguments} --timeout {}",
            env!("CARGO_BIN_EXE_selfsame"),
            seconds()
        ),
    )
}

/// Runs the command through the library, in a separate process: this test binary, started again for the test
/// [`on_a_small_thread`].
fn as_a_library(folder: &Folder, arguments: &str) -> Ran {
    let this = std::env::current_exe().unwrap();
    let ran = shell(
        folder,
        &format!(
            "{LIMITS} timeout -k 1 {} env {COMMAND}='{arguments}' {} --exact depth::on_a_small_thread --nocapture",
            seconds(),
            this.display()
        ),
    );
    assert!(ran.stdout.contains("running 1 test"), "{}", ran.stdout);
    ran
}

fn shell(folder: &Folder, command: &str) -> Ran {
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).current_dir(folder.path("."));
    shell.output().unwrap().into()
}

/// The environment variable with the command that [`on_a_small_thread`] runs.
const COMMAND: &str = "SELFSAME_COMMAND";

#[test]
fn on_a_small_thread() {
    let command = std::env::var(COMMAND);
    let arguments = command.clone().unwrap_or_else(|_| "check ../examples/figure-2.rink".to_owned());
    let cli = Cli::try_parse_from(["selfsame"].into_iter().chain(arguments.split_whitespace())).unwrap();
    let work = move || match cli.command.execute(cli.seed, &Progress::with_timeout(None)) {
        Ok(outcome) => i32::from(outcome.exit.code()),
        Err(failure) => {
            eprintln!("error[{:?}]", failure.reports.first().map(|report| &report.code));
            i32::from(failure.exit.code())
        }
    };
    let code = std::thread::Builder::new().stack_size(512 << 10).spawn(work).unwrap().join().unwrap();
    match command {
        Ok(_) => std::process::exit(code),
        Err(_) => assert_eq!(code, 0),
    }
}

/// Tries every command on every shape.
fn each(name: &str, run: fn(&Folder, &str) -> Ran) {
    let folder = Folder::new(name);
    folder.write("alpha.json", r#"{"x": {"shape": [1], "data": [1]}, "b": {"shape": [], "data": [true]}}"#);
    folder.write("rink.json", r#"{"x": {"shape": [2, 2], "data": [1, 2, 3, 4]}}"#);
    let (mut wrong, mut answered) = (Vec::new(), 0);
    for (name, text) in shapes() {
        let (stem, ending) = name.split_once('.').unwrap();
        // An equal program with another text, so that equality of texts is not a proof.
        let other = format!("{stem}-other.{ending}");
        folder
            .write(&name, &text)
            .write(&other, text.replace("y = ", "y = x + ").replace("y[i] = ", "y[i] = x[i] + "));
        for command in commands(ending) {
            let arguments = command.replace('@', &name).replace('%', &other);
            let ran = run(&folder, &arguments);
            answered += usize::from(ran.code == Some(0));
            let is_limit =
                ran.code == Some(3) && (ran.stderr.starts_with("error[") || !ran.stdout.is_empty());
            // A library has no time limit of its own: `timeout` ends it.
            let ends = matches!(ran.code, Some(0 | 1 | 124)) || is_limit;
            if !ends || ran.stderr.contains("panicked") || ran.stderr.contains("overflowed") {
                let said: String = ran.stderr.chars().take(200).collect();
                wrong.push(format!("{arguments}: {:?}: {said}", ran.code));
            }
        }
    }
    assert!(answered >= 20, "only {answered} answers");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_command_on_deep_programs() {
    each("depth", on_small_stack);
}

#[test]
fn every_command_on_deep_programs_as_a_library() {
    each("depth-library", as_a_library);
}
