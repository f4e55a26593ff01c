//! `--input`: all faults of files with tensors, and the formats.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use crate::common::Folder;
use std::io::{Cursor, Write};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

const PROGRAM: &str = "var x : [2 2] var Scale : []";

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("p.rink", PROGRAM).write("q.rink", "var input x : [2 2] var y : [2 2] y = x");
    folder
}

#[test]
fn bad_json() {
    let folder = folder("bad_json");
    let deep = "[".repeat(1_000_000);
    let deep_element = format!(r#"{{"x": {{"shape": [2, 2], "data": [{deep}"#);
    let cases = [
        ("", "I0005", "EOF"),
        ("{", "I0005", "EOF"),
        (r#"{"x": {"shape": [2, 2], "data": [1, 2"#, "I0005", "1:37"),
        ("{\n\"x\" 1}", "I0005", "2:5"),
        ("{} {}", "I0005", "trailing"),
        (&deep, "I0007", "invalid type"),
        (&deep_element, "I0005", "EOF"),
        ("[1]", "I0007", "invalid type"),
        (r#"{"x": 1}"#, "I0007", "invalid type"),
        (r#"{"x": {"shape": [2, 2]}}"#, "I0007", "\"data\""),
        (r#"{"x": {"data": [1, 2, 3, 4]}}"#, "I0007", "\"shape\""),
        (r#"{"x": {"shape": 4, "data": [1, 2, 3, 4]}}"#, "I0007", "list of integers"),
        (r#"{"x": {"shape": [2, 2], "data": 4}}"#, "I0007", "list of elements"),
        (r#"{"x": {"shape": [2, 2], "data": [1, 2, 3, 4], "dtype": 1}}"#, "I0007", "\"dtype\""),
        (r#"{"x": {"shape": [-2, 2], "data": [1, 2, 3, 4]}}"#, "I0007", "-2"),
        (r#"{"x": {"shape": [2.0, 2], "data": [1, 2, 3, 4]}}"#, "I0007", "2.0"),
        (r#"{"x": {"shape": ["2", 2], "data": [1, 2, 3, 4]}}"#, "I0007", "natural number"),
        (r#"{"x": {"shape": [18446744073709551616, 2], "data": []}}"#, "I0007", "natural number"),
        (r#"{"x": {"shape": [4294967296, 4294967296], "data": []}}"#, "I0008", "more than 2^64"),
        (r#"{"x": {"shape": [2, 2], "data": [1, 2, 3]}}"#, "I0008", "needs 4 elements, but there are 3"),
        (
            r#"{"x": {"shape": [2, 2], "data": [1, 2, 3, 4, 5]}}"#,
            "I0008",
            "needs 4 elements, but there are 5",
        ),
        (r#"{"x": {"shape": [0, 2], "data": []}}"#, "I0010", "shape [0 2]"),
        (r#"{"x": {"shape": [4], "data": [1, 2, 3, 4]}}"#, "I0010", "type [2 2]"),
        (r#"{"x": {"shape": [5], "data": [1, 2, 3, 4, 5]}}"#, "I0010", "5 elements"),
        (r#"{"x": {"shape": [2, 2], "shape": [2, 2], "data": [1, 2, 3, 4]}}"#, "I0006", "\"shape\""),
        (
            r#"{"Scale": {"shape": [], "data": [1]}, "Scale": {"shape": [], "data": [1]}}"#,
            "I0006",
            "\"Scale\"",
        ),
        (r#"{"scale": {"shape": [], "data": [1]}}"#, "I0009", "did you mean `Scale`?"),
        (r#"{"entirely": {"shape": [], "data": [1]}}"#, "I0009", "\"entirely\""),
        (r#"{"x": {"shape": [2, 2], "data": [1, 2, 3, 4], "origin": [0, 1]}}"#, "I0015", "origin"),
        (r#"{"x": {"shape": [2, 2], "data": [1, 2, 3, 4], "origin": [1]}}"#, "I0015", "origin"),
        (r#"{"x": {"shape": [2, 2], "data": [1, 2, [3], 4]}}"#, "I0011", "element [2 1] of `x`"),
        (r#"{"x": {"shape": [2, 2], "data": [1, 2, {"a": 1}, 4]}}"#, "I0011", "element [2 1] of `x`"),
        (r#"{"x": {"shape": [2, 2], "data": [1, "two", 3, 4]}}"#, "I0011", "element [1 2] of `x`: `two`"),
        (r#"{"x": {"shape": [2, 2], "data": [1, "1/0", 3, 4]}}"#, "I0011", "element [1 2] of `x`"),
        (r#"{"x": {"shape": [2, 2], "data": [1, 1e99999, 3, 4]}}"#, "I0011", "exponent"),
        (
            r#"{"x": {"shape": [2, 2], "data": [1, 1e999999999999999999999, 3, 4]}}"#,
            "I0011",
            "element [1 2] of `x`",
        ),
    ];
    for (text, code, part) in cases {
        let stderr = folder.write("in.json", text).refused(2, code, "run p.rink --input in.json --json");
        let shown: String = text.chars().take(100).collect();
        assert!(stderr.contains(part) && stderr.contains("--> in.json:"), "{shown}: {stderr}");
    }
}

#[test]
fn elements_outside_of_the_number_system() {
    let folder = folder("not_representable");
    for (values, element) in [
        ("rational", "\"inf\""),
        ("rational", "\"nan\""),
        ("rational", "true"),
        ("integer", "0.5"),
        ("integer", "\"1/2\""),
        ("i32", "2147483648"),
        ("i32", "-2147483649"),
        ("i64", "9223372036854775808"),
        ("field", "\"1/2305843009213693951\""),
        ("f64", "true"),
    ] {
        folder.write("in.json", format!(r#"{{"x": {{"shape": [2, 2], "data": [0, 0, {element}, 0]}}}}"#));
        let stderr = folder.refused(2, "I0011", &format!("run p.rink --input in.json --values {values}"));
        assert!(stderr.contains("element [2 1] of `x`"), "{stderr}");
    }
}

#[test]
fn input_variables_are_defined() {
    let folder = folder("undefined_input");
    let stderr = folder.refused(2, "I0012", "run q.rink");
    assert!(stderr.contains("element [1 1]") && stderr.contains("q.rink:1:11"), "{stderr}");
    folder.write("in.json", r#"{"x": {"shape": [2, 2], "data": [1, 2, 3, null]}}"#);
    let stderr = folder.refused(2, "I0012", "run q.rink --input in.json");
    assert!(stderr.contains("element [2 2] of the input variable `x`"), "{stderr}");
    folder.accepted("run p.rink --input in.json");
}

#[test]
fn bad_files() {
    let folder = folder("bad_files");
    std::fs::create_dir(folder.path("folder.json")).unwrap();
    folder.write("latin1.json", b"{\"\xff\"").write("in.txt", "{}").write("bom.json", "\u{feff}{}");
    std::fs::File::create(folder.path("huge.json")).unwrap().set_len(1 << 30).unwrap();
    folder.refused(2, "I0001", "run p.rink --input missing.json");
    folder.refused(2, "I0001", "run p.rink --input folder.json");
    folder.refused(2, "I0002", "run p.rink --input huge.json");
    folder.refused(2, "I0003", "run p.rink --input latin1.json");
    folder.refused(2, "I0004", "run p.rink --input in.txt");
    folder.accepted("run p.rink --input bom.json");
}

#[test]
fn several_files() {
    let folder = folder("several_files");
    folder.write("a.json", r#"{"x": {"shape": [2, 2], "data": [1, 2, 3, 4], "origin": [1, 1]}}"#);
    folder.write("b.json", r#"{"shape": [], "data": [5]}"#);
    let stdout = folder.accepted("run p.rink --json --input a.json --input Scale=b.json");
    assert_eq!(
        stdout,
        "{\"store\":{\"x\":{\"shape\":[2,2],\"data\":[1,2,3,4]},\"Scale\":{\"shape\":[],\"data\":[5]}}}\n"
    );
    folder.refused(2, "I0016", "run p.rink --input a.json --input a.json");
    folder.refused(2, "I0009", "run p.rink --input Skale=b.json");
}

/// A `.npy` file of version 1.
fn npy(descr: &str, fortran: bool, shape: &str, body: &[u8]) -> Vec<u8> {
    let order = if fortran { "True" } else { "False" };
    let header = format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}\n");
    let length = u16::try_from(header.len()).unwrap().to_le_bytes();
    [b"\x93NUMPY\x01\x00", &length[..], header.as_bytes(), body].concat()
}

#[test]
fn npy_files() {
    let folder = folder("npy");
    let numbers = [1i8, -2, 3, 4];
    let bytes = |write: &dyn Fn(i8) -> Vec<u8>| numbers.iter().flat_map(|&n| write(n)).collect::<Vec<u8>>();
    let expected = "{\"store\":{\"x\":{\"shape\":[2,2],\"data\":[1,-2,3,4]},\"Scale\":{\"shape\":[],\"data\":[null]}}}\n";
    let files = [
        ("|i1", bytes(&|n| n.to_le_bytes().to_vec())),
        ("<i2", bytes(&|n| i16::from(n).to_le_bytes().to_vec())),
        (">i4", bytes(&|n| i32::from(n).to_be_bytes().to_vec())),
        ("<i8", bytes(&|n| i64::from(n).to_le_bytes().to_vec())),
        ("<f4", bytes(&|n| f32::from(n).to_le_bytes().to_vec())),
        (">f8", bytes(&|n| f64::from(n).to_be_bytes().to_vec())),
    ];
    for (descr, body) in &files {
        folder.write("x.npy", npy(descr, false, "(2, 2)", body));
        assert_eq!(folder.accepted("run p.rink --json --input x.npy"), expected, "{descr}");
    }
    folder.write("other.npy", npy("|u1", true, "(2, 2)", &[1, 3, 2, 255]));
    let expected = "{\"store\":{\"x\":{\"shape\":[2,2],\"data\":[1,2,3,255]},";
    assert!(folder.accepted("run p.rink --json --input x=other.npy").starts_with(expected));
    assert!(folder.accepted("run q.rink --json --input other.npy").starts_with(expected));
    folder.refused(2, "I0009", "run p.rink --input other.npy");
    folder.write("Scale.npy", npy("<u8", false, "()", &u64::MAX.to_le_bytes()));
    assert!(folder.accepted("run p.rink --json --input Scale.npy").contains("[\"18446744073709551615\"]"));
}

#[test]
fn bad_npy_files() {
    let folder = folder("bad_npy");
    let good = npy("|u1", false, "(2, 2)", &[1, 2, 3, 4]);
    let nested = "(".repeat(60_000);
    let cases = [
        (Vec::new(), "I0013"),
        (b"\x93NUMPY".to_vec(), "I0013"),
        (good[..20].to_vec(), "I0013"),
        (good[..good.len() - 1].to_vec(), "I0013"),
        ([&good[..], b"x"].concat(), "I0013"),
        (b"\x93NUMPY\x02\x00\xff\xff\xff\xff{}".to_vec(), "I0013"),
        (b"\x93NUMPY\x09\x00\x02\x00{}".to_vec(), "I0013"),
        (npy("|b1", false, "(2, 2)", &[1, 0, 1, 0]), "I0014"),
        (npy("<f2", false, "(2, 2)", &[0; 8]), "I0014"),
        (npy("|O", false, "(2, 2)", &[0; 8]), "I0014"),
        (npy("<c8", false, "(2, 2)", &[0; 32]), "I0014"),
        (npy("|u1", false, &nested, &[0; 4]), "I0013"),
        (npy("|u1", false, "(2, 2", &[0; 4]), "I0013"),
        (npy("|u1", false, "(-2, 2)", &[0; 4]), "I0013"),
        (npy("|u1", false, "(4294967296, 4294967296)", &[]), "I0013"),
        (npy("|u1", false, "(18446744073709551616,)", &[]), "I0013"),
        (npy("<f8", false, "(2305843009213693952,)", &[]), "I0013"),
        (npy("|u1", false, "(4,)", &[0; 4]), "I0010"),
        (npy("|u1", true, "(0, 5)", &[]), "I0010"),
    ];
    for (at, (bytes, code)) in cases.iter().enumerate() {
        let stderr = folder.write("x.npy", bytes).refused(2, code, "run p.rink --input x.npy");
        assert!(stderr.contains("--> x.npy"), "{at}: {stderr}");
    }
}

fn npz(files: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

#[test]
fn npz_files() {
    let folder = folder("npz");
    let x = npy("|u1", false, "(2, 2)", &[1, 2, 3, 4]);
    let scale = npy("<f8", false, "()", &0.5f64.to_le_bytes());
    let good = npz(&[("x.npy", x.clone()), ("Scale.npy", scale)]);
    folder.write("in.npz", &good);
    let expected = "{\"store\":{\"x\":{\"shape\":[2,2],\"data\":[1,2,3,4]},\"Scale\":{\"shape\":[],\"data\":[\"1/2\"]}}}\n";
    assert_eq!(folder.accepted("run p.rink --json --input in.npz"), expected);
    let mut flipped = good.clone();
    flipped[60] ^= 0xff;
    let bomb = npz(&[("x.npy", vec![0; 50_000_000])]);
    let cases = [
        (Vec::new(), "I0013"),
        (good[..good.len() / 2].to_vec(), "I0013"),
        (flipped, "I0013"),
        (npz(&[("y.npy", x.clone())]), "I0009"),
        (npz(&[("x.npy", x[..30].to_vec())]), "I0013"),
        (bomb, "I0010"),
    ];
    for (at, (bytes, code)) in cases.iter().enumerate() {
        let stderr = folder.write("in.npz", bytes).refused(2, code, "run p.rink --input in.npz");
        assert!(stderr.contains("--> in.npz"), "{at}: {stderr}");
    }
    folder.write("in.npz", npz(&[]));
    folder.accepted("run p.rink --input in.npz");
}

/// The archive reader keeps only the last of two entries with one name; this program refuses such archives.
#[test]
fn archives_with_a_name_twice() {
    let folder = Folder::new("input_twice");
    folder.write("A.rink", "var A : [2 3]\nA = A\n");
    folder.write("twice.npz", include_bytes!("../expected/duplicate.npz"));
    folder.refused(2, "I0016", "run A.rink --input twice.npz");
}
