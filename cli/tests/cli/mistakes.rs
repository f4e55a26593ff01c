//! Typical mistakes of people who write their first rules: what is said of them, and what they are told to do.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use crate::common::Folder;

/// A rule, and what the answer contains.
const MISTAKES: &[(&str, &[&str])] = &[
    ("tensors x[2], y[3] left x + y right y + x", &["it needs equal extents for `+`, not [2] and [3]"]),
    (
        "tensors x[2, 3], y[4] left x + y right x",
        &["tensors of rank 2 and 1, not of one shape for `+`", "the shapes are [2, 3] and [4]"],
    ),
    (
        "tensors x[2], y[3] left x right y + x",
        &["another shape: it needs equal extents for `+`, not [3] and [2]"],
    ),
    ("tensors x[2] left x[5] right x[0]", &["it needs an index within the shape [2], not [5]"]),
    ("sizes n tensors x[n] left x[n div 0] right x[0]", &["it needs a positive divisor, not 0"]),
    (
        "tensors x[2, 3], y[4, 5] left matmul(x, y) right matmul(x, y)",
        &["it needs equal extents for `matmul` of [2, 3] and [4, 5], not [4] and [3]"],
    ),
    (
        "tensors x[2, 3], y[4, 5] left concat(x, y; 0) right concat(x, y; 0)",
        &["it needs operands for which `concat` is defined"],
    ),
    (
        "sizes n, m tensors x[n, m] left transpose(x, 1, 0) right x",
        &["`transpose` takes 1 operand, found 3", "write `transpose(x; p)`"],
    ),
    (
        "sizes n, m tensors x[n, m] left transpose(x) right x",
        &["`transpose` takes 1 attribute, found 0", "write `transpose(x; p)`"],
    ),
    (
        "sizes n, m tensors x[n, m] left transpos(x; 1, 0) right x",
        &["`transpos` is not an operator", "did you mean `transpose`?"],
    ),
    ("tensors x[2], w[2] left conv2d(x; 1) right x", &["`conv2d` is not an operator"]),
    ("sizes n tensors x[n] where n == 1 left x right x", &["equality is written `=`"]),
    ("sizes n; m tensors x[n] left x right x", &["names of one clause are separated by `,`"]),
    ("sizes n tensors x[n] left t(x; [0]; [1]) right x", &["then attributes, separated by `,`"]),
    (
        "sizes n, m tensors x[n, m] left transpose(x; [0, 1, 2]) right x",
        &["in the definition of `transpose`: "],
    ),
    ("sizes n tensors x[n] left sum(x, 0) right x", &["a reduction is over an index: `sum(k < n : x[k])`"]),
    ("sizes n tensors x(n) left x right x", &["extents stand in brackets: `x[n]`"]),
    ("sizes n // of x\n tensors x[n] left x right x", &["a comment starts with `#`"]),
    ("sizes n tensor x[n] left x right x", &["did you mean `tensors`?"]),
    ("sizes n tensors x : [n] left x right x", &["extents follow the name: `x[n]`"]),
    ("sizes n tensors x[n] of integer left x right x", &["the type of the elements follows `:`"]),
    ("sizes n tensors x[n] lhs x rhs x", &["the sides of a rule are `left EXPRESSION right EXPRESSION`"]),
    ("sizes n tensors x[n] left x = x", &["the sides of a rule are `left EXPRESSION right EXPRESSION`"]),
    ("sizes n tensors x[n] left x[0:n] right x", &["a part of a tensor is `slice(x; [0], [n], [1])`"]),
    ("sizes n tensors x[n] left x**2 right x * x", &["there are no powers: the square of `x` is `x * x`"]),
    ("sizes n tensors x[n] left x^2 right x * x", &["there are no powers: the square of `x` is `x * x`"]),
    ("sizes n tensors x[n, n] left x @ x right x", &["a matrix product is `matmul(x, y)`"]),
    ("sizes n tensors x[n, n] left transpose(x; [1 0]) right x", &["separated by `,`: `[1, 0]`"]),
];

#[test]
fn mistakes_in_rules_have_hints() {
    let folder = Folder::new("mistakes");
    let tensors =
        std::fs::read_to_string(format!("{}/../rules/library/tensors.rules", env!("CARGO_MANIFEST_DIR")));
    folder.write("tensors.rules", tensors.unwrap());
    for (rule, said) in MISTAKES {
        folder.write("a.rules", format!("import \"tensors.rules\"\nrule r \"r\" {rule}\n"));
        let ran = folder.run("verify a.rules");
        assert!(matches!(ran.code, Some(1 | 2)), "{rule}: {}", ran.stdout);
        for fragment in *said {
            assert!(
                (ran.stdout.clone() + &ran.stderr).contains(fragment),
                "{rule}: {}{}",
                ran.stdout,
                ran.stderr
            );
        }
    }
    folder.write("a.rules", "rule r \"r\" sizes n, m tensors x[n, m] left transpose(x; 1, 0) right x\n");
    let ran = folder.run("verify a.rules");
    assert!(ran.stderr.contains("`import \"library/tensors.rules\"` defines it"), "{}", ran.stderr);
    for (text, said) in [
        ("rul r tensors x left x right x", "did you mean `rule`?"),
        ("var input A : [n] var output B : [n] B = A", "`selfsame equiv` compares two programs"),
        ("system s (x : real) returns (y : real); let y = x; tel;", "`selfsame equiv` compares two programs"),
        (
            "rule r sizes n, m tensors x[n, m] left transpos(x; 1, 0) right x",
            "did you mean `transpose`? `import \"library/tensors.rules\"` defines it",
        ),
        ("import \"tensor.rules\"\nrule r tensors x left x right x", "did you mean `library/tensors.rules`?"),
    ] {
        folder.write("b.rules", text);
        let ran = folder.run("verify b.rules");
        assert!(ran.code == Some(2) && ran.stderr.contains(said), "{text}: {}", ran.stderr);
    }
}

/// What stands before an error may be a part of what was meant.
#[test]
fn a_rule_that_is_cut_off_is_not_judged() {
    let folder = Folder::new("cut-off");
    let next = "rule next \"\" tensors x left x right x * 1\n";
    for right in ["x * 2 ^ 2", "x * 2 2", "x @", "x broken twice", "f(x) + 1 )"] {
        let text = format!("rule r \"\" tensors x left x * 2 right {right}\n{next}");
        let ran = folder.write("a.rules", text).run("verify a.rules --json");
        assert_eq!(ran.code, Some(2), "{right}: {}", ran.stdout);
        assert!(!ran.stdout.contains("\"rule\":\"r\""), "{right}: {}", ran.stdout);
        assert!(ran.stdout.contains("\"rule\":\"next\""), "{right}: {}", ran.stdout);
        let ran = folder.run("verify a.rules");
        assert!(ran.stderr.contains("--> a.rules:1:"), "{right}: {}", ran.stderr);
        assert!(!ran.stdout.contains("\nr  "), "{right}: {}", ran.stdout);
    }
}

#[test]
fn the_library_is_imported_from_anywhere() {
    let folder = Folder::new("import");
    let rule = "rule r sizes n, m tensors x[n, m] left t(t(x)) right x\n";
    folder.write("a.rules", format!("import \"library/tensors.rules\"\n{rule}"));
    folder.accepted("verify a.rules --certificates out");
    folder.accepted("certify out/a/r.json");
    // A file of one's own with this name comes first.
    std::fs::create_dir(folder.path("library")).unwrap();
    folder.write("library/tensors.rules", "define t(x[n, m]) is [i < n, j < m] -> x[i, j] + 1\n");
    assert_eq!(folder.run("verify a.rules").code, Some(1));
    for (written, hint) in [
        ("tensors.rules", Some("did you mean `library/tensors.rules`?")),
        ("library/tensor.rules", Some("did you mean `library/tensors.rules`?")),
        ("nope.rules", None),
    ] {
        folder.write("b.rules", format!("import \"{written}\"\n{rule}"));
        let ran = folder.run("verify b.rules");
        let said = ran.stderr.find("did you mean").map(|at| ran.stderr[at..].lines().next().unwrap().trim());
        assert_eq!((ran.code, said), (Some(2), hint), "{}", ran.stderr);
    }
}

/// A program, its language, and what the answer contains.
const PROGRAMS: &[(&str, &str, &[&str])] = &[
    (
        "alpha",
        "system s (x : { i : 1<=i<=4 } of real) returns (y : real); let y[] = x[1]; tel;",
        &["`|` stands between the indices and their constraints"],
    ),
    (
        "alpha",
        "system s (x : { i | 0<=i<4 } of real) returns (y : { i | 0<=i<4 } of real); let y(i) = x(i); tel;",
        &["indices stand in brackets: `y[i] = x[i]`"],
    ),
    (
        "alpha",
        "system s : { N | N>=1 } (x : real) returns (y : real); let y = x; tel;",
        &["parameters are declared first among the inputs: `system s (N : {N | N>=1} parameter; …)`"],
    ),
    ("alpha", "system s (x : real) returns (y : real); let y = x; end;", &["the equations end with `tel;`"]),
    ("alpha", "system s (x : real) returns (y : real); let y = x; te;", &["the equations end with `tel;`"]),
    (
        "alpha",
        "system s (a : { i,j | 1<=i,j<=4 } of real) returns (y : { i | 1<=i<=4 } of real);
         let y[i] = reduce(+, (i,j->i), { i | 1<=j<=4 }, a[i,j]); tel;",
        &["the domain of a reduction is that of its result, not of what is reduced"],
    ),
    (
        "alpha",
        "system s (x : float) returns (y : float); let y = x; tel;",
        &["numbers are `real` or `integer`", "or of a machine type, such as `f32`"],
    ),
    (
        "alpha",
        "system s (x : { i | 0<=i<4 } of real) returns (y : { i | 0<=i<4 } of real);
         let y[i] = if i = 0 then x[i] else x[i-1]; tel;",
        &["a `case` chooses by index, as in `case { | i=0} : x[i]; { | i>0} : x[i-1]; esac`"],
    ),
    ("rink", "var input A : [3 4] var output C : [4 3] C = transpose A", &["the language has no functions"]),
    (
        "rink",
        "var input A : [3 4] var input B : [4 5] var output C : [3 5] C = A # B . [[2 3]]",
        &["each `.` contracts one pair of dimensions: `A # B . [2 3]`"],
    ),
    (
        "rink",
        "var input A : [n] var output C : [n] C[i] = A[i]",
        &["a statement assigns a whole tensor: `C = A`"],
    ),
    ("rink", "input A : [n] output C : [n] C = A", &["a declaration starts with `var`: `var input A : [n]`"]),
    (
        "alpha",
        "system s (x : real, y : real) returns (z : real); let z[] = y[] + x[]; tel;",
        &["expected `;` after a declaration, found `,`", "declarations are separated by `;`"],
    ),
    (
        "alpha",
        "system s (value : real) returns (z : real); let z[] = valeu[]; tel;",
        &["`valeu` is not declared", "did you mean `value`?"],
    ),
    (
        "alpha",
        "system s (x : real) returns (z : real); let q[] = x[]; tel;",
        &["`q` is not declared", "declared here: x, z"],
    ),
    (
        "alpha",
        "system s (x : { i | 1<=i<=4 } of real) returns (z : real); let z = x[2]; tel;",
        &["write `z[] = …`"],
    ),
    (
        "alpha",
        "system s (x : real) returns (z : boolean); let z[] = x[] == x[]; tel;",
        &["an equality is written `=`"],
    ),
    (
        "alpha",
        "system s (a : { i,j | 1<=i,j<=4 } of real) returns (y : { i | 1<=i<=4 } of real);
         let y = reduce(+, (i,j->i), { i,j | 1<=i,j<=4 }, a); tel;",
        &[
            "the result of the reduction has 1 dimension, and its declared domain has 2",
            "the domain is that of the result",
        ],
    ),
    ("alpha", "system s (x : real) retuns (z : real); let z[] = x[]; tel;", &["did you mean `returns`?"]),
    (
        "alpha",
        "system s (N : { N | N>=1 } paramter; x : real) returns (z : real); le z[] = x[]; tel;",
        &["did you mean `parameter`?", "did you mean `let`?"],
    ),
    (
        "alpha",
        "system s (x : real) returns (z : real); let z[] = x[], tel;",
        &["each equation ends with `;`"],
    ),
    (
        "alpha",
        "system s (a : { i,j | 1<=i,j<=4 } of real) returns (y : { i | 1<=i<=4 } of real);
         let y = { i,j | 1<=i,j<=4 } : reduce(+, (i,j->i), a); tel;",
        &["an expression of 1 dimension does not match a domain of 2", "the domain is that of the result"],
    ),
    (
        "alpha",
        "system s (a : { i | 0<=i<=4 } of real) returns (y : { i | 0<=i<=4 } of real); let y[i] = 2.0 * a[i]; tel;",
        &[
            "`*` has operands of 0 dimensions and 1 dimension",
            "`[]` extends a constant to all indices, as in `2.0[]`",
        ],
    ),
    (
        "alpha",
        "system s (a : { i | 0<=i<=4 } of real) returns (y : real); let y[] = reduc(+, (i->), a); tel;",
        &["the function `reduc` is not declared", "did you mean `reduce`?"],
    ),
    ("rink", "vr input x : [3]\nx = x\n", &["did you mean `var`?"]),
    ("rink", "var ouput x : [3]\nx = x\n", &["did you mean `output`?"]),
    ("rink", "var x : [3]\nx == x\n", &["the language has no comparisons; `=` assigns"]),
    ("rink", "var x : [3]\nx = relu(x)\n", &["the language has no functions"]),
    ("rink", "var x : [3]; var y : [3]\nx = y\n", &["nothing stands between declarations and statements"]),
    ("rink", "var x : [3, 4]\nx = x\n", &["numbers are separated by blanks"]),
];

#[test]
fn mistakes_in_programs_have_hints() {
    let folder = Folder::new("mistakes-in-programs");
    for (language, program, said) in PROGRAMS {
        folder.write(&format!("a.{language}"), program);
        let ran = folder.run(&format!("check a.{language}"));
        assert_eq!(ran.code, Some(2), "{program}: {}", ran.stdout);
        for fragment in *said {
            assert!(ran.stderr.contains(fragment), "{program}: {}", ran.stderr);
        }
    }
    let system = "system s (N : { N | N>=1 } parameter; x : real) returns (z : real); let z[] = x[]; tel;";
    folder.write("n.alpha", system);
    let ran = folder.run("check n.alpha --param n=3");
    assert!(ran.code == Some(2) && ran.stderr.contains("did you mean `N`?"), "{}", ran.stderr);
    folder.write("n.rink", "var input x : [n]\nvar output y : [n]\ny = x");
    let ran = folder.run("equiv n.rink n.rink --param N=3");
    assert!(ran.code == Some(2) && ran.stderr.contains("did you mean `n`?"), "{}", ran.stderr);
    // Written like a function, an unknown name is not a variable that could be declared.
    folder.write("f.rink", "var input x : [3]\nvar output y : [3]\ny = relu(x)");
    let ran = folder.run("check f.rink");
    assert!(!ran.stderr.contains("declare it") && ran.stderr.contains("no functions"), "{}", ran.stderr);
}
