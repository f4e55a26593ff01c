//! Rules as functions of JAX and as graphs of ONNX; `make rules` runs them.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test")]

use fuzz::judgement::CaseJudgement;
use fuzz::transcription::graph::TargetLanguage;
use fuzz::transcription::instances::{Transcription, compare, transcription};
use fuzz::transcription::{jax, onnx};
use generators::choices::Random;
use rule_files::instances::outlined;
use rule_files::library::Library;
use selfsame_core::operations::Datum;
use std::path::{Path, PathBuf};
use values::tolerance::{FloatModel, Format, PossibleValues, Tolerance};

const MODEL: FloatModel = FloatModel::strict(Format::F64);

fn library(name: &str) -> Library {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../rules/pass").join(name);
    let read = |path: &Path| std::fs::read_to_string(path).map_err(|error| error.to_string());
    let (library, errors) = Library::load(&path, &read(&path).unwrap(), &read);
    assert!(errors.is_empty());
    library
}

/// An instance of a rule at sizes that can be transcribed.
fn instance(library: &Library, name: &str, at: usize, language: TargetLanguage) -> Transcription {
    let rule = library.rules().iter().find(|rule| rule.name.text == name).unwrap();
    let instances = outlined(library, rule).unwrap();
    let (instance, outlines) = &instances[at % instances.len()];
    let mut random = Random::seeded(5);
    let mut new = || transcription(instance, outlines.as_ref(), MODEL, language, &mut random);
    (0..50).find_map(|_| new()).unwrap()
}

fn of_jax(instance: &Transcription, side: usize) -> String {
    let names: Vec<String> = instance.inputs.iter().map(|input| input.name.clone()).collect();
    jax::function("side", &names, instance.sides[side].graph.as_ref().unwrap()).unwrap()
}

#[test]
fn sides_use_the_operators_of_the_compiler() {
    let tensors = library("xla-tensors.rules");
    let rule = instance(&tensors, "transpose-scalar", 9, jax::LANGUAGE);
    let text = of_jax(&rule, 0);
    assert!(text.contains("jnp.broadcast_to(v0, (") && text.contains("lax.transpose(v1, ("), "{text}");
    let convolutions = library("taso.rules");
    let rule = instance(&convolutions, "taso-14", 1, onnx::LANGUAGE);
    let nodes = onnx::nodes(rule.sides[0].graph.as_ref().unwrap()).unwrap();
    let operators: Vec<&str> = nodes.iter().filter_map(|node| node["operator"].as_str()).collect();
    assert_eq!(operators, ["Conv", "Relu", "Identity"]);
}

#[test]
fn every_verified_rule_is_written() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../rules/pass");
    let mut files: Vec<PathBuf> = folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let (mut rules, mut by_operators, mut of_onnx) = (0, 0, 0);
    for file in files {
        let library = library(file.file_name().unwrap().to_str().unwrap());
        for rule in library.rules() {
            let of = |language| instance(&library, &rule.name.text, 1, language);
            let written = of(jax::LANGUAGE);
            assert!((0..2).all(|side| of_jax(&written, side).starts_with("def side(")), "{}", rule.name.text);
            let graphs = written.sides.iter().filter_map(|side| side.graph.as_ref());
            let graphs: Vec<_> = graphs.collect();
            rules += 1;
            by_operators += usize::from(graphs.iter().all(|graph| !graph.by_elements));
            let written = of(onnx::LANGUAGE);
            let mut graphs = written.sides.iter().filter_map(|side| side.graph.as_ref());
            of_onnx += usize::from(graphs.all(|graph| onnx::nodes(graph).is_some()));
        }
    }
    // Most of the other rules have no tensors, so they only have elements.
    assert!(rules > 230 && by_operators > 130 && of_onnx > 220, "{rules} {by_operators} {of_onnx}");
}

#[test]
fn what_compilers_return_is_judged() {
    let rule = instance(&library("taso.rules"), "taso-12", 0, jax::LANGUAGE);
    let (side, domain) = (&rule.sides[0], Tolerance { model: MODEL });
    let number = |element: &_| match element {
        Datum::Number(PossibleValues::Finite(number)) => number.known.unwrap(),
        _ => unreachable!("small integers have exact products"),
    };
    let mut found: Vec<f64> = side.expected.iter().map(number).collect();
    assert!(matches!(compare(side, &domain, &side.shape, &found), CaseJudgement::Right(_)));
    assert!(matches!(compare(side, &domain, &[99], &found), CaseJudgement::Wrong(_)));
    if let Some(last) = found.last_mut() {
        *last += 1.0;
    }
    assert!(matches!(compare(side, &domain, &side.shape, &found), CaseJudgement::Wrong(_)));
}
