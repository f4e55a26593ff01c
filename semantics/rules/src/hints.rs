//! What people write in rules who are used to another language, and what is written here.

/// A mistake, and its remedy.
struct Mistake {
    /// What was found; the empty text for anything.
    found: &'static str,
    /// A part of what was expected.
    expected: &'static str,
    /// The remedy.
    hint: &'static str,
}

/// The mistakes; the first that fits counts.
const MISTAKES: &[Mistake] = &[
    mistake("", "`<`", "a reduction is over an index: `sum(k < n : x[k])`"),
    mistake(
        ";",
        "`)`",
        "after the tensors comes one `;`, then attributes, separated by `,`: `slice(x; [0], [n], [1])`",
    ),
    mistake("(", "clause", "extents stand in brackets: `x[n]`"),
    mistake(";", "", "names of one clause are separated by `,`; nothing ends a clause"),
    mistake("[", "an element type", "extents follow the name: `x[n]`, `x[n]: integer`"),
    mistake("of", "clause", "the type of the elements follows `:`, as in `x[n]: integer`"),
    mistake("lhs", "`left`", SIDES),
    mistake("rhs", "`right`", SIDES),
    mistake("", "`right`", SIDES),
    mistake(":", "`]`", "a part of a tensor is `slice(x; [0], [n], [1])`"),
    mistake("*", "an expression", "there are no powers: the square of `x` is `x * x`"),
    mistake("var", "`rule`", PROGRAM),
    mistake("system", "`rule`", PROGRAM),
];

/// The hint where a side is expected.
const SIDES: &str = "the sides of a rule are `left EXPRESSION right EXPRESSION`";

/// The hint where a program stands in place of rules.
const PROGRAM: &str = "a file of rules is expected; `selfsame equiv` compares two programs";

const fn mistake(found: &'static str, expected: &'static str, hint: &'static str) -> Mistake {
    Mistake { found, expected, hint }
}

/// What to write where something else was expected.
pub(crate) fn hint(found: &str, expected: &str) -> Option<&'static str> {
    let fits = |mistake: &&Mistake| {
        (mistake.found.is_empty() || mistake.found == found) && expected.contains(mistake.expected)
    };
    MISTAKES.iter().find(fits).map(|mistake| mistake.hint)
}

/// What to write in the place of a character that is not part of the language.
pub(crate) fn of_character(character: char) -> Option<&'static str> {
    match character {
        '@' => Some("a matrix product is `matmul(x, y)`"),
        '^' => Some("there are no powers: the square of `x` is `x * x`"),
        _ => None,
    }
}
