//! The parser of `.rules` files; `rules/README.md` has the grammar.

mod expressions;

use super::hints;
use super::lexing::{Kind, Token, tokens};
use super::syntax::*;
use base::diagnostics::{Code, Diagnostic, Span, misspelled};
pub(super) use expressions::is_reduction;
use selfsame_core::operators::ElementType;
use values::SystemName;

/// Words that start an item or a clause, and so end the preceding one.
const STARTERS: &[&str] = &[
    "import",
    "function",
    "define",
    "rule",
    "for",
    "sizes",
    "integers",
    "tensors",
    "where",
    "given",
    "by",
    "law",
    "left",
    "right",
    "broken",
    "refines",
    "undefined",
    "in",
    "is",
];

/// Other reserved words.
const WORDS: &[&str] = &[
    "if",
    "then",
    "else",
    "and",
    "or",
    "xor",
    "not",
    "div",
    "mod",
    "true",
    "false",
    "subset",
    "permutation",
];

/// Clauses that do not follow a rule, with the place where they belong.
const MISPLACED: &[(&str, &str)] = &[
    ("sizes", BEFORE_SIDES),
    ("integers", BEFORE_SIDES),
    ("tensors", BEFORE_SIDES),
    ("where", BEFORE_SIDES),
    ("given", BEFORE_SIDES),
    ("by", BEFORE_SIDES),
    ("for", "choices stand right after the name of a rule and its statement"),
    ("broken", AFTER_SIDES),
    ("refines", AFTER_SIDES),
    ("in", AFTER_SIDES),
];
const BEFORE_SIDES: &str = "the clauses of a rule stand before `left`";
const AFTER_SIDES: &str = "after the sides come first `broken` or `refines`, then `in`, then `undefined`";

/// Parses a text: all items without an error, and every error. An error before the next item is one of the item
/// before it, which may be cut off there.
pub fn parse(source: &str) -> (Vec<Item>, Vec<Diagnostic>) {
    let (tokens, mut errors) = tokens(source);
    let mut parser = Parser { tokens: &tokens, at: 0, closing: closing(&tokens) };
    let mut items = Vec::new();
    let unknown: Vec<u32> = errors.iter().map(|error| error.primary.span.start).collect();
    while parser.peek().kind != Kind::End {
        let start = parser.peek().span.start;
        let item = match parser.item() {
            Ok(_) if !parser.is_between_items() => Err(Box::new(parser.misplaced())),
            item => item,
        };
        parser.recover();
        let end = parser.peek().span.start;
        let first = unknown.partition_point(|&at| at < start);
        match item {
            Ok(item) if unknown.get(first).is_none_or(|&at| at >= end) => items.push(item),
            Ok(_) => {}
            Err(error) => errors.push(*error),
        }
    }
    (items, errors)
}

/// The position of the matching `]` of each `[`.
fn closing(tokens: &[Token<'_>]) -> Vec<Option<usize>> {
    let (mut closing, mut open) = (vec![None; tokens.len()], Vec::new());
    for (at, token) in tokens.iter().enumerate() {
        match (token.kind, token.text) {
            (Kind::Symbol, "(" | "[") => open.push(at),
            (Kind::Symbol, ")" | "]") => {
                if let Some(opened) = open.pop() {
                    closing[opened] = (token.text == "]").then_some(at);
                }
            }
            _ => {}
        }
    }
    closing
}

type ParseResult<T> = Result<T, Box<Diagnostic>>;

struct Parser<'a> {
    tokens: &'a [Token<'a>],
    at: usize,
    /// The position of the matching `]` of each `[`.
    closing: Vec<Option<usize>>,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Token<'a> {
        self.tokens[self.at.min(self.tokens.len() - 1)]
    }

    fn is(&self, text: &str) -> bool {
        let token = self.peek();
        matches!(token.kind, Kind::Word | Kind::Symbol) && token.text == text
    }

    fn next(&mut self) -> Token<'a> {
        let token = self.peek();
        self.at += 1;
        token
    }

    fn accept(&mut self, text: &str) -> bool {
        let found = self.is(text);
        self.at += usize::from(found);
        found
    }

    fn expected<T>(&self, what: &str) -> ParseResult<T> {
        Err(Box::new(self.error(what)))
    }

    fn error(&self, expected: &str) -> Diagnostic {
        let token = self.peek();
        let found =
            if token.kind == Kind::End { "the end of the file".into() } else { format!("`{}`", token.text) };
        let message = format!("expected {expected}, found {found}");
        let error = Diagnostic::new(Code::V0002, token.span, message, format!("expected {expected}"));
        let after_equal = self.at > 0 && self.tokens[self.at - 1].text == "=";
        let is_comment =
            token.text == "/" && self.tokens.get(self.at + 1).is_some_and(|next| next.text == "/");
        match token.text {
            _ if is_comment => error.hint("a comment starts with `#`"),
            "=" if after_equal => error.hint("equality is written `=`"),
            _ if token.kind == Kind::Number && expected == "`]`" => {
                error.hint("the parts of a vector are separated by `,`: `[1, 0]`")
            }
            written => {
                let hint = misspelled(written, expected);
                Diagnostic {
                    hint: hint.or_else(|| Some(hints::hint(written, expected)?.to_owned())),
                    ..error
                }
            }
        }
    }

    fn expect(&mut self, text: &str) -> ParseResult<Span> {
        if self.is(text) { Ok(self.next().span) } else { self.expected(&format!("`{text}`")) }
    }

    /// Skips to the next item.
    fn recover(&mut self) {
        while !self.is_between_items() {
            self.at += 1;
        }
    }

    /// Whether an item starts here, or the text ends.
    fn is_between_items(&self) -> bool {
        let starts = ["import", "function", "define", "law", "rule"].iter().any(|word| self.is(word));
        starts || self.peek().kind == Kind::End
    }

    fn word(&mut self, what: &str) -> ParseResult<Word> {
        let token = self.peek();
        if token.kind != Kind::Word || STARTERS.contains(&token.text) || WORDS.contains(&token.text) {
            return self.expected(what);
        }
        self.at += 1;
        Ok(Word { text: token.text.to_owned(), span: token.span })
    }

    /// A comma-separated list of at least one part.
    fn list<T>(&mut self, mut part: impl FnMut(&mut Self) -> ParseResult<T>) -> ParseResult<Vec<T>> {
        let mut list = vec![part(self)?];
        while self.accept(",") {
            list.push(part(self)?);
        }
        Ok(list)
    }

    /// A comma-separated list before a closing symbol; may be empty.
    fn list_until<T>(
        &mut self,
        end: &[&str],
        part: impl FnMut(&mut Self) -> ParseResult<T>,
    ) -> ParseResult<Vec<T>> {
        if end.iter().any(|end| self.is(end)) { Ok(Vec::new()) } else { self.list(part) }
    }

    fn item(&mut self) -> ParseResult<Item> {
        match self.peek().text {
            "import" => self.import(),
            "function" => self.function(),
            "define" => self.definition(false),
            "law" => self.definition(true),
            "rule" => self.rule(),
            _ => Err(Box::new(self.misplaced())),
        }
    }

    /// The error that no item starts here.
    fn misplaced(&self) -> Diagnostic {
        let error = self.error("`import`, `function`, `define`, `law` or `rule`");
        match MISPLACED.iter().find(|(word, _)| *word == self.peek().text) {
            Some((_, hint)) => error.hint(*hint),
            None => error,
        }
    }

    fn text(&mut self) -> ParseResult<Word> {
        let token = self.peek();
        if token.kind != Kind::Text {
            return self.expected("a text in quotation marks");
        }
        self.at += 1;
        Ok(Word { text: token.text.to_owned(), span: token.span })
    }

    fn import(&mut self) -> ParseResult<Item> {
        self.next();
        Ok(Item::Import(self.text()?))
    }

    fn data_type(&mut self) -> ParseResult<ElementType> {
        match ElementType::named(self.peek().text) {
            Some(data_type) => {
                self.at += 1;
                Ok(data_type)
            }
            None => self.expected("an element type, such as `real`, `integer`, `f32` or `i8`"),
        }
    }

    /// An element type, or the name of a choice of one.
    fn stated_type(&mut self) -> ParseResult<StatedType> {
        let token = self.peek();
        match ElementType::named(token.text) {
            None if token.kind == Kind::Word => self.word("an element type").map(StatedType::Chosen),
            _ => self.data_type().map(StatedType::Of),
        }
    }

    fn function(&mut self) -> ParseResult<Item> {
        self.next();
        let name = self.word("the name of a function")?;
        self.expect("(")?;
        let arguments = self.list(Self::data_type)?;
        self.expect(")")?;
        self.expect(":")?;
        Ok(Item::Function(FunctionDeclaration { name, arguments, result: self.data_type()? }))
    }

    fn definition(&mut self, is_law: bool) -> ParseResult<Item> {
        self.next();
        let name = self.word("the name of an operator")?;
        self.expect("(")?;
        let operands = self.list_until(&[";", ")"], Self::operand)?;
        let attributes = match self.accept(";") {
            true => self.list(|parser| parser.word("an attribute"))?,
            false => Vec::new(),
        };
        self.expect(")")?;
        let conditions = self.conditions()?;
        self.expect("is")?;
        let body = self.expr()?;
        Ok(Item::Definition(Definition { name, operands, attributes, conditions, body, is_law }))
    }

    fn operand(&mut self) -> ParseResult<Operand> {
        let name = self.word("an operand")?;
        self.expect("[")?;
        let extents = self.list_until(&["]"], |parser| {
            let name = parser.word("an extent")?;
            Ok(ExtentPattern { name, spread: parser.accept("..") })
        })?;
        self.expect("]")?;
        Ok(Operand { name, extents })
    }

    fn conditions(&mut self) -> ParseResult<Vec<Expr>> {
        if self.accept("where") { self.list(Self::expr) } else { Ok(Vec::new()) }
    }

    /// `slice-of-slice`: words and numbers joined by hyphens without spaces.
    fn rule_name(&mut self) -> ParseResult<Word> {
        let mut name = self.rule_name_part()?;
        while self.is("-") && self.peek().span.start == name.span.end {
            self.at += 1;
            let part = self.rule_name_part()?;
            name = Word { text: format!("{}-{}", name.text, part.text), span: name.span.to(part.span) };
        }
        Ok(name)
    }

    fn rule_name_part(&mut self) -> ParseResult<Word> {
        let token = self.peek();
        if !matches!(token.kind, Kind::Word | Kind::Number) {
            return self.expected("the name of a rule, of words and numbers with hyphens");
        }
        self.at += 1;
        Ok(Word { text: token.text.to_owned(), span: token.span })
    }

    fn rule(&mut self) -> ParseResult<Item> {
        let start = self.next().span;
        let name = self.rule_name()?;
        let statement = if self.peek().kind == Kind::Text { self.text()?.text } else { String::new() };
        let choices = if self.accept("for") { self.list(Self::choice)? } else { Vec::new() };
        let (mut symbols, mut tensors) = (Vec::new(), Vec::new());
        let (mut conditions, mut given, mut laws) = (Vec::new(), Vec::new(), Vec::new());
        let declarations = if self.accept("program") { Some(self.text()?) } else { None };
        loop {
            if self.accept("sizes") {
                symbols.extend(self.list(|parser| parser.symbol(true))?);
            } else if self.accept("integers") {
                symbols.extend(self.list(|parser| parser.symbol(false))?);
            } else if self.accept("tensors") {
                tensors.extend(self.list(Self::tensor)?);
            } else if self.accept("where") {
                conditions.extend(self.list(Self::expr)?);
            } else if self.accept("given") {
                given.extend(self.list(Self::expr)?);
            } else if self.accept("by") {
                laws.extend(self.list(Self::expr)?);
            } else if self.is("left") {
                break;
            } else {
                return self.expected(
                    "a clause of the rule (`sizes`, `integers`, `tensors`, `where`, `given`, `by`) or `left`",
                );
            }
        }
        let (sides, same_text) = self.sides(declarations)?;
        let expectation = self.expectation()?;
        Ok(Item::Rule(Box::new(Rule {
            span: start.to(self.tokens[self.at - 1].span),
            name,
            statement,
            choices,
            symbols,
            tensors,
            conditions,
            given,
            laws,
            sides,
            same_text,
            expectation,
        })))
    }

    /// Both sides, and whether they have the same text.
    fn sides(&mut self, declarations: Option<Word>) -> ParseResult<(Sides, bool)> {
        if let Some(declarations) = declarations {
            self.expect("left")?;
            let left = self.text()?;
            self.expect("right")?;
            let right = self.text()?;
            let same_text = left.text.split_whitespace().eq(right.text.split_whitespace());
            return Ok((Sides::Programs(declarations, [left, right]), same_text));
        }
        self.expect("left")?;
        let (left, left_text) = self.with_text(Self::expr)?;
        self.expect("right")?;
        let (right, right_text) = self.with_text(Self::expr)?;
        Ok((Sides::Expressions(Box::new([left, right])), left_text == right_text))
    }

    fn choice(&mut self) -> ParseResult<(Word, Choices)> {
        let name = self.word("a name")?;
        let choices = if self.accept("subset") {
            Choices::Subsets(self.sum()?)
        } else if self.accept("permutation") {
            Choices::Permutations(self.sum()?)
        } else {
            self.expect("in")?;
            if self.accept("{") {
                let types = self.list(Self::data_type)?;
                self.expect("}")?;
                return Ok((name, Choices::Types(types)));
            }
            let lower = self.sum()?;
            self.expect("..")?;
            Choices::Range(lower, self.sum()?)
        };
        Ok((name, choices))
    }

    fn symbol(&mut self, is_size: bool) -> ParseResult<Symbol> {
        let name = self.word("a name")?;
        let mut length = None;
        if self.accept("[") {
            length = Some(self.expr()?);
            self.expect("]")?;
        }
        Ok(Symbol { name, length, is_size })
    }

    fn tensor(&mut self) -> ParseResult<TensorDeclaration> {
        let name = self.word("the name of a tensor")?;
        let mut extents = Vec::new();
        if self.accept("[") {
            extents = self.list_until(&["]"], Self::expr)?;
            self.expect("]")?;
        }
        let data_type =
            if self.accept(":") { self.stated_type()? } else { StatedType::Of(ElementType::Real) };
        Ok(TensorDeclaration { name, extents, data_type })
    }

    fn relation(&mut self) -> StatedRelation {
        if self.accept("broken") {
            StatedRelation::Broken
        } else if self.accept("refines") {
            StatedRelation::Refines
        } else {
            StatedRelation::Same
        }
    }

    fn expectation(&mut self) -> ParseResult<Expectation> {
        let defined = self.relation();
        let systems = match self.accept("in") {
            true => Some(self.list(Self::system)?),
            false => None,
        };
        let undefined = if self.accept("undefined") { self.relation() } else { defined };
        Ok(Expectation { defined, undefined, systems })
    }

    fn system(&mut self) -> ParseResult<SystemName> {
        let name = self.word("a number system")?;
        if let Some(system) = SystemName::named(&name.text) {
            return Ok(system);
        }
        let message = format!("`{}` is not a number system", name.text);
        let error = Diagnostic::new(Code::V0004, name.span, message, "not known");
        Err(Box::new(error.hint(format!("the number systems are {}", SystemName::names()))))
    }

    /// Parses something, and returns the texts of its tokens too.
    fn with_text<T>(
        &mut self,
        parse: impl FnOnce(&mut Self) -> ParseResult<T>,
    ) -> ParseResult<(T, Vec<&'a str>)> {
        let start = self.at;
        let parsed = parse(self)?;
        Ok((parsed, self.tokens[start..self.at].iter().map(|token| token.text).collect()))
    }
}
