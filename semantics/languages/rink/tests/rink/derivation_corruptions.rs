//! Every corruption is caught: each derivation is changed in every way below, one change at a time, and the reader
//! or the checker must notice.
//!
//! The changes are to the derivation: nodes, contexts, stores, the header. Of the program, only those parts are
//! changed on which every derivation of it depends: a derivation with a replaced program may well be a right
//! derivation of that program. So may a derivation from another initial store, if the difference is never read;
//! only these are let through.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crate::derivation_cases::*;
use rink::derivation::checker::check_json;
use rink::derivation::document::to_json;
use rink::derivation::{Derivation, InferenceRule};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use values::{F32, Rationals};

/// The number of corruptions tried, by kind.
type CorruptionsByKind = BTreeMap<&'static str, usize>;

struct Corruption<'a> {
    name: &'a str,
    original: &'a Value,
    /// The places of initial elements that no equation (7) reads, in range.
    unread: Vec<String>,
    tally: &'a mut CorruptionsByKind,
}

/// The places of initial elements that no equation (7) reads, except for the padding.
fn unread(original: &Value) -> Vec<String> {
    let declarations = original["program"]["declarations"].as_array().unwrap();
    let mut unread = Vec::new();
    for (store, declaration) in declarations.iter().enumerate().filter(|_| original["of"] != "typing") {
        let shape = numbers(&original["stores"][store]["shape"]);
        let extents = numbers(&declaration["extents"]);
        let elements = original["stores"][store]["data"].as_array().unwrap().len();
        for at in 0..elements {
            let index = index_at(&shape, at);
            let in_range = index.iter().zip(&extents).all(|(i, d)| i <= d);
            if in_range && !is_read(original, store, &index) {
                unread.push(format!("/stores/{store}/data/{at}"));
            }
        }
    }
    unread
}

fn numbers(list: &Value) -> Vec<u64> {
    list.as_array().unwrap().iter().map(|number| number.as_u64().unwrap()).collect()
}

fn index_at(shape: &[u64], at: usize) -> Vec<u64> {
    let mut rest = at as u64;
    let mut index: Vec<u64> = shape
        .iter()
        .rev()
        .map(|extent| {
            let i = rest % extent + 1;
            rest /= extent;
            i
        })
        .collect();
    index.reverse();
    index
}

/// Whether an equation (7) reads an element of a store's update before it is updated again.
fn is_read(original: &Value, store: usize, index: &[u64]) -> bool {
    let stores = original["stores"].as_array().unwrap();
    let x = &stores[store]["variable"];
    let again = stores.iter().skip(store + 1).position(|later| later["variable"] == *x);
    let last = again.map_or(stores.len(), |later| store + 1 + later);
    original["nodes"].as_array().unwrap().iter().any(|node| {
        let read = &node["conclusion"]["value"];
        let at = read["expression"].as_u64().unwrap_or(0) as usize;
        node["rule"] == "eq-7"
            && original["program"]["expressions"][at]["variable"] == *x
            && (store + 1..=last).contains(&(read["mu"].as_u64().unwrap() as usize))
            && numbers(&read["index"]) == index
    })
}

impl Corruption<'_> {
    /// Makes a change and requires that it is caught, unless it changes nothing.
    fn caught(&mut self, kind: &'static str, change: impl FnOnce(&mut Value)) {
        let mut corrupted = self.original.clone();
        change(&mut corrupted);
        if corrupted == *self.original {
            return;
        }
        let text = corrupted.to_string();
        if check_json(&text) == Ok(Vec::new()) {
            assert!(self.is_of_another_store(corrupted), "{kind} not caught in {}:\n{text}", self.name);
        } else {
            *self.tally.entry(kind).or_default() += 1;
        }
    }

    /// Whether the change concerns only elements that are never read.
    fn is_of_another_store(&self, mut corrupted: Value) -> bool {
        for place in &self.unread {
            if let (Some(to), Some(from)) = (corrupted.pointer_mut(place), self.original.pointer(place)) {
                *to = from.clone();
            }
        }
        corrupted == *self.original
    }

    fn everything(&mut self) {
        let nodes = self.original["nodes"].as_array().unwrap().len();
        for at in 0..nodes {
            self.premises(at, nodes);
            self.rule(at);
            self.leaves("conclusion", &format!("/nodes/{at}/conclusion"));
            self.caught("drop node", |json| drop(json["nodes"].as_array_mut().unwrap().remove(at)));
            self.caught("repeat node", |json| {
                let copy = json["nodes"][at].clone();
                json["nodes"].as_array_mut().unwrap().insert(at, copy);
            });
            self.caught("unused node", |json| {
                let mut copy = json["nodes"][at].clone();
                copy["id"] = json!(nodes);
                json["nodes"].as_array_mut().unwrap().push(copy);
            });
        }
        self.leaves("contexts", "/contexts");
        self.leaves("stores", "/stores");
        self.header();
    }

    fn premises(&mut self, at: usize, nodes: usize) {
        let count = self.original["nodes"][at]["premises"].as_array().unwrap().len();
        for i in 0..count {
            let mut edit = |kind, change: &dyn Fn(&mut Vec<Value>)| {
                self.caught(kind, |json| change(json["nodes"][at]["premises"].as_array_mut().unwrap()));
            };
            edit("drop premise", &|premises| drop(premises.remove(i)));
            edit("repeat premise", &|premises| premises.insert(i, premises[i].clone()));
            for j in 0..i {
                edit("swap premises", &|premises| premises.swap(i, j));
            }
            for other in 0..nodes {
                edit("replace premise", &|premises| premises[i] = json!(other));
            }
        }
        self.caught("add premise", |json| {
            json["nodes"][at]["premises"].as_array_mut().unwrap().push(json!(0));
        });
    }

    /// Tries every other rule, except where two rules derive the same: t-elem and t-smul or t-sdiv, of two
    /// scalars.
    fn rule(&mut self, at: usize) {
        let node = &self.original["nodes"][at];
        let alternatives = ["t-elem", "t-smul", "t-sdiv"];
        let old = node["rule"].as_str().unwrap();
        let scalars = alternatives.contains(&old)
            && node["premises"].as_array().unwrap().iter().all(|premise| {
                let premise = &self.original["nodes"][premise.as_u64().unwrap() as usize];
                premise["conclusion"]["typed"]["type"] == json!([])
            });
        for rule in InferenceRule::ALL {
            if !(scalars && alternatives.contains(&rule.label())) {
                self.caught("change rule", |json| json["nodes"][at]["rule"] = json!(rule.label()));
            }
        }
    }

    /// Changes every number, string, null and list below a place.
    fn leaves(&mut self, kind: &'static str, place: &str) {
        let mut pending = vec![place.to_owned()];
        while let Some(place) = pending.pop() {
            let here = self.original.pointer(&place).unwrap().clone();
            match here {
                Value::Array(list) => {
                    self.list(kind, &place, list.len());
                    pending.extend((0..list.len()).map(|at| format!("{place}/{at}")));
                }
                Value::Object(map) => pending.extend(map.keys().map(|key| format!("{place}/{key}"))),
                leaf => self.leaf(kind, &place, &leaf),
            }
        }
    }

    fn list(&mut self, kind: &'static str, place: &str, len: usize) {
        for i in 0..len {
            let mut edit = |change: &dyn Fn(&mut Vec<Value>)| {
                self.caught(kind, |json| change(json.pointer_mut(place).unwrap().as_array_mut().unwrap()));
            };
            edit(&|list| drop(list.remove(i)));
            edit(&|list| list.insert(i, list[i].clone()));
            (0..i).for_each(|j| edit(&|list| list.swap(i, j)));
        }
        if kind != "conclusion" {
            return;
        }
        self.caught(kind, |json| json.pointer_mut(place).unwrap().as_array_mut().unwrap().push(json!(1)));
    }

    fn leaf(&mut self, kind: &'static str, place: &str, leaf: &Value) {
        let is_element = place.contains("/data/") || place.ends_with("/value");
        let others = match leaf {
            Value::String(_) if !is_element => vec![json!("A"), json!("s"), json!("x"), json!("unheardOf")],
            Value::Number(number) if !is_element => {
                let number = number.as_u64().unwrap();
                vec![json!(number + 1), json!(number.wrapping_sub(1)), json!(0), json!(1), json!(u64::MAX)]
            }
            _ => vec![json!(null), json!(0), json!(17), json!("-17/5"), json!("inf"), json!("nan")],
        };
        // 0 and 0.0 are the same; 0 and -0.0 are not.
        let bits = |value: &Value| value.as_f64().map(f64::to_bits);
        let differs = |other: &Value| bits(leaf).is_none() || bits(leaf) != bits(other) || !is_element;
        for other in others.into_iter().filter(differs) {
            self.caught(kind, |json| *json.pointer_mut(place).unwrap() = other);
        }
    }

    fn header(&mut self) {
        let declarations = self.original["program"]["declarations"].as_array().unwrap().len();
        for at in 0..declarations {
            self.leaves("declarations", &format!("/program/declarations/{at}/name"));
            self.leaves("declarations", &format!("/program/declarations/{at}/extents"));
            self.caught("declarations", |json| {
                json["program"]["declarations"].as_array_mut().unwrap().remove(at);
            });
        }
        self.caught("statements", |json| drop(json["program"]["statements"].as_array_mut().unwrap().pop()));
        self.caught("statements", |json| {
            let statements = json["program"]["statements"].as_array_mut().unwrap();
            statements.extend(statements.last().cloned());
        });
        self.caught("more than is used", |json| {
            json["contexts"].as_array_mut().unwrap().push(json!({"variable": "more", "type": []}));
        });
        self.caught("more than is used", |json| {
            let more = json!({"variable": "more", "shape": [], "data": [1]});
            json["stores"].as_array_mut().unwrap().push(more);
        });
        let typing = self.original["of"] == json!("typing");
        let other = json!({"evaluation": {"values": "i32", "division": "controlled", "pad": null}});
        self.caught("subject", |json| json["of"] = if typing { other } else { json!("typing") });
        if !typing {
            self.evaluation_header();
        }
    }

    fn evaluation_header(&mut self) {
        let padded = self.original["of"]["evaluation"]["pad"].is_u64();
        let other = if padded { json!(null) } else { json!(2) };
        self.caught("subject", |json| json["of"]["evaluation"]["pad"] = other);
        self.caught("subject", |json| json["of"]["evaluation"]["pad"] = json!(0));
        self.caught("subject", |json| json["of"]["evaluation"]["values"] = json!("octonions"));
        let statements = self.original["program"]["statements"].as_array().unwrap().len();
        for at in 0..statements {
            self.leaves("statements", &format!("/program/statements/{at}/target"));
            self.leaves("statements", &format!("/program/statements/{at}/expression"));
        }
        let declarations = self.original["program"]["declarations"].as_array().unwrap().len();
        for at in (0..declarations).filter(|_| !padded) {
            self.caught("declarations", |json| {
                let qualifier = &mut json["program"]["declarations"][at]["qualifier"];
                *qualifier = json!(if *qualifier == json!("input") { "none" } else { "input" });
            });
        }
    }
}

fn corrupt(name: &str, tree: &Derivation, tally: &mut CorruptionsByKind) {
    let original: Value = serde_json::from_str(&to_json(tree)).unwrap();
    Corruption { name, original: &original, unread: unread(&original), tally }.everything();
}

/// Every corruption of every small derivation is caught, and there are many of each kind.
#[test]
fn every_corruption_is_caught() {
    let mut tally = CorruptionsByKind::new();
    for (source, inputs) in CASES {
        corrupt(source, &typing_tree(source), &mut tally);
        corrupt(source, &evaluation_tree(Rationals, source, inputs, PLAIN).unwrap(), &mut tally);
    }
    for (source, inputs) in CASES.iter().take(8) {
        let padded = EvaluationSettings { pad: 2, ..PLAIN };
        corrupt(source, &evaluation_tree(Rationals, source, inputs, padded).unwrap(), &mut tally);
    }
    for (source, inputs) in FLOAT_CASES {
        corrupt(source, &evaluation_tree(F32, source, inputs, PLAIN).unwrap(), &mut tally);
    }
    assert!(tally.len() == 16 && tally.values().all(|&times| times >= 20), "{tally:?}");
}

/// The two divisions differ where zero is divided.
#[test]
fn the_other_division_is_caught() {
    let (source, inputs) = CASES[8];
    let json = to_json(&evaluation_tree(Rationals, source, inputs, PLAIN).unwrap());
    assert_eq!(check_json(&json), Ok(Vec::new()));
    assert_ne!(check_json(&json.replace("controlled", "extended")), Ok(Vec::new()));
}

/// All faults are reported, each with its path from the root.
#[test]
fn faults_say_where_and_why() {
    let (source, inputs) = CASES[3];
    let json = to_json(&evaluation_tree(Rationals, source, inputs, PLAIN).unwrap());
    let corrupted = json.replace(r#""value":4"#, r#""value":6"#).replace(r#""shape":[]"#, r#""shape":[1]"#);
    let faults: Vec<String> = check_json(&corrupted).unwrap().iter().map(ToString::to_string).collect();
    expect_test::expect![[r#"
        node 5 (root/1), d-var: it does not hold that t = (d1…dk)
        node 7 (root/2/0/2), eq-7: the value should be 4
        node 9 (root/2/0), eq-11: the value should be 7
        node 10 (root/2), ev-stmt: it does not hold that ∀i≤t. x_i ∈ dom μ"#]]
    .assert_eq(&faults.join("\n"));
}
