//! Parser for the Grammar of the page. Operators have C's precedences (the page leaves them open); what nests is on an explicit stack.
//!
//! Decided here, where the page is silent: `def`, `where`, `in`, `exists` and the names of scalar types are reserved; a statement ends where the
//! next token cannot continue it; `min=!` is one operator only if its characters touch. Lists may end with a comma nowhere. The grammar's
//! `v(i, j)` has parentheses always; a tensor of rank 0 may omit them, as its type may (ledger: `tc/decision-scalars`).

use crate::lexing::{Token, TokenKind, tokens};
use crate::syntax::{
    Argument, BinaryOperator, Constraint, ExprId, Expression, Extent, File, Function, Name, Named, Reduction,
    ReductionOperator, Statement, UnaryOperator,
};
use base::diagnostics::{Code, Diagnostic, Span};
use dashu_int::IBig;
use dashu_int::ops::BitTest as _;
use dashu_ratio::RBig;
use rustc_hash::FxHashSet;
use selfsame_core::operators::ElementType;

/// The scalar types of the page, with those that its `...` stands for.
pub const SCALAR_TYPES: &[(&str, ElementType)] = &[
    ("double", ElementType::F64),
    ("float", ElementType::F32),
    ("half", ElementType::F16),
    ("bool", ElementType::Boolean),
    ("byte", ElementType::U8),
    ("int8", ElementType::I8),
    ("int16", ElementType::I16),
    ("int32", ElementType::I32),
    ("int64", ElementType::I64),
    ("int", ElementType::I32),
    ("uint8", ElementType::U8),
    ("uint16", ElementType::U16),
    ("uint32", ElementType::U32),
    ("uint64", ElementType::U64),
];

/// The scalar type with this name.
pub fn scalar_type(name: &str) -> Option<ElementType> {
    SCALAR_TYPES.iter().find(|(text, _)| *text == name).map(|(_, of)| *of)
}

const RESERVED: [&str; 4] = ["def", "where", "in", "exists"];

/// Whether a word is no name.
pub(crate) fn is_reserved(word: &str) -> bool {
    RESERVED.contains(&word) || scalar_type(word).is_some()
}

/// An error has been reported; the caller resynchronizes.
struct Reported;
type Result<T> = std::result::Result<T, Reported>;

/// Parses a file: as much of it as can be read, and all errors.
pub fn parse(source: &str) -> (File, Vec<Diagnostic>) {
    let (tokens, errors) = tokens(source);
    let is_def = |token: &Token| &source[token.span.range()] == "def";
    let names = tokens.windows(2).filter(|pair| is_def(&pair[0])).map(|pair| &source[pair[1].span.range()]);
    let defined = names.collect();
    let mut parser = Parser { source, tokens, at: 0, file: File::default(), errors, defined };
    while parser.kind() != TokenKind::End {
        if parser.function().is_err() {
            parser.skip_to_definition();
        }
    }
    if parser.file.functions.is_empty() && parser.errors.is_empty() {
        let _ = parser.expected::<()>("a definition, `def`");
    }
    parser.errors.sort_by_key(|error| error.primary.span.start);
    (parser.file, parser.errors)
}

struct Parser<'a> {
    source: &'a str,
    tokens: Vec<Token>,
    at: usize,
    file: File,
    errors: Vec<Diagnostic>,
    /// What stands behind `def` anywhere.
    defined: FxHashSet<&'a str>,
}

/// What waits for the expression that is being read.
enum Pending {
    Unary(UnaryOperator, Span),
    Binary(BinaryOperator, ExprId),
    /// `c ?`
    Condition(ExprId),
    /// `c ? a :`
    Branch(ExprId, ExprId),
    Parenthesis(Span),
    Arguments(Called, Vec<ExprId>, Span),
}

/// What is applied to arguments.
enum Called {
    Name(Name),
    Type(ElementType),
}

impl Parser<'_> {
    fn token(&self) -> Token {
        self.tokens[self.at.min(self.tokens.len() - 1)]
    }

    fn kind(&self) -> TokenKind {
        self.token().kind
    }

    fn text(&self) -> &str {
        &self.source[self.token().span.range()]
    }

    fn is_word(&self, word: &str) -> bool {
        self.kind() == TokenKind::Name && self.text() == word
    }

    fn is_symbol(&self, symbol: &str) -> bool {
        matches!(self.kind(), TokenKind::Symbol(text) if text == symbol)
    }

    fn accept(&mut self, symbol: &str) -> bool {
        let is_it = self.is_symbol(symbol);
        self.at += usize::from(is_it);
        is_it
    }

    fn expect(&mut self, symbol: &str) -> Result<Span> {
        let span = self.token().span;
        if self.accept(symbol) { Ok(span) } else { self.expected(&format!("`{symbol}`")) }
    }

    fn expected<T>(&mut self, what: &str) -> Result<T> {
        let found = match self.kind() {
            TokenKind::End => "the end of the file".to_owned(),
            TokenKind::Name => format!("the name `{}`", self.text()),
            TokenKind::Number => format!("the number `{}`", self.text()),
            TokenKind::Symbol(text) => format!("`{text}`"),
        };
        self.error(self.token().span, format!("expected {what}, found {found}"), "here")
    }

    fn error<T>(&mut self, span: Span, message: String, label: &str) -> Result<T> {
        self.errors.push(Diagnostic::new(Code::P0002, span, message, label));
        Err(Reported)
    }

    fn skip_to_definition(&mut self) {
        self.at += 1;
        while self.kind() != TokenKind::End && !self.is_word("def") {
            self.at += 1;
        }
    }

    /// **tc-syntax-id** (Grammar), not reserved.
    fn name(&mut self, what: &str) -> Result<Named> {
        let is_free = self.kind() == TokenKind::Name && !is_reserved(self.text());
        if !is_free {
            return self.expected(what);
        }
        let named = Named { name: self.text().into(), span: self.token().span };
        self.at += 1;
        Ok(named)
    }

    /// **tc-syntax-lists** (Grammar): items between parentheses, separated by commas; possibly none.
    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        let mut items = Vec::new();
        self.expect("(")?;
        if self.accept(")") {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            if !self.accept(",") {
                break;
            }
        }
        self.expect(")")?;
        Ok(items)
    }

    /// **tc-syntax-func** (Grammar)
    /// ```text
    /// func ::= 'def' id '(' arg_list ')' '->' '(' return_list ')' '{' stmt_list '}'
    /// ```
    fn function(&mut self) -> Result<()> {
        if !self.is_word("def") {
            return self.expected("a definition, `def`");
        }
        self.at += 1;
        let name = self.name("the name of the definition")?;
        let arguments = self.list(Self::argument)?;
        self.expect("->")?;
        let returns = self.list(|parser| parser.name("the name of a returned tensor"))?;
        self.expect("{")?;
        let mut statements = Vec::new();
        while !self.accept("}") {
            statements.push(self.statement()?);
        }
        self.file.functions.push(Function { name, arguments, returns, statements });
        Ok(())
    }

    /// **tc-syntax-arg** (Grammar), **tc-syntax-type** (Grammar)
    /// ```text
    /// arg  ::= type id
    /// type ::= scalar_type [ '(' id_list ')' ]
    /// ```
    fn argument(&mut self) -> Result<Argument> {
        let of = if self.kind() == TokenKind::Name { scalar_type(self.text()) } else { None };
        let Some(data_type) = of else { return self.expected("a scalar type, such as `float`") };
        self.at += 1;
        let extents = if self.is_symbol("(") { self.list(Self::extent)? } else { Vec::new() };
        Ok(Argument { data_type, extents, name: self.name("the name of the argument")? })
    }

    fn extent(&mut self) -> Result<Extent> {
        if self.kind() != TokenKind::Number {
            return Ok(Extent::Size(self.name("a size variable")?));
        }
        let span = self.token().span;
        let text = self.text().to_owned();
        self.at += 1;
        match text.parse::<i64>() {
            Ok(extent) if extent >= 1 => Ok(Extent::Number(extent, span)),
            _ => self.error(span, format!("the extent `{text}` is not a number from 1 to 2^63 − 1"), "here"),
        }
    }

    /// **tc-syntax-stmt** (Grammar)
    /// ```text
    /// stmt ::= id '(' id_list ')' [ '=' | reduction ] exp [ 'where' range_constraint_list ]
    ///        | id_list = id '(' id_list ')'
    /// ```
    fn statement(&mut self) -> Result<Statement> {
        let target = self.name("a statement, or `}`")?;
        if self.is_symbol(",") || self.is_symbol("=") && self.is_call() {
            return self.call(target);
        }
        let indices = if self.is_symbol("(") {
            self.list(|parser| parser.name("an index variable"))?
        } else {
            Vec::new()
        };
        let reduction = self.reduction()?;
        let expression = self.expression()?;
        let constraints = if self.is_word("where") { self.constraints()? } else { Vec::new() };
        Ok(Statement::Define { target, indices, reduction, expression, constraints })
    }

    /// Whether `= f(x, …)` follows, for a definition `f` of this file: `b = f(x)` is a call, and `b = exp(x)` is not.
    fn is_call(&self) -> bool {
        let Some(called) = self.tokens.get(self.at + 1) else { return false };
        called.kind == TokenKind::Name && self.defined.contains(&self.source[called.span.range()])
    }

    fn call(&mut self, first: Named) -> Result<Statement> {
        let mut targets = vec![first];
        while self.accept(",") {
            targets.push(self.name("the name of a tensor")?);
        }
        self.expect("=")?;
        let function = self.name("the name of a definition")?;
        let arguments = self.list(|parser| parser.name("the name of a tensor"))?;
        Ok(Statement::Call { targets, function, arguments })
    }

    /// **tc-syntax-reduction** (Grammar); `None` for `=`.
    fn reduction(&mut self) -> Result<Option<Reduction>> {
        use ReductionOperator::{Greatest, Least, Product, Sum};
        let of_symbol =
            [("+=!", Sum, true), ("+=", Sum, false), ("*=!", Product, true), ("*=", Product, false)];
        for (symbol, operator, initializes) in of_symbol {
            if self.accept(symbol) {
                return Ok(Some(Reduction { operator, initializes }));
            }
        }
        let of_word = [("min", Least), ("max", Greatest)].into_iter().find(|(word, _)| self.is_word(word));
        if let Some((_, operator)) = of_word {
            self.at += 1;
            let equals = self.expect("=")?;
            let touches = self.token().span.start == equals.end;
            let initializes = touches && self.accept("!");
            return Ok(Some(Reduction { operator, initializes }));
        }
        self.expect("=").map(|_| None).or_else(|Reported| {
            self.errors.pop();
            self.expected("`=` or a reduction, such as `+=!`")
        })
    }

    fn constraints(&mut self) -> Result<Vec<Constraint>> {
        let mut constraints = Vec::new();
        self.at += 1;
        loop {
            constraints.push(self.constraint()?);
            if !self.accept(",") {
                return Ok(constraints);
            }
        }
    }

    /// **tc-syntax-range-constraint** (Grammar): `id 'in' exp ':' exp`, and ours: `id = exp`, `'exists' exp`.
    fn constraint(&mut self) -> Result<Constraint> {
        if self.is_word("exists") {
            self.at += 1;
            return Ok(Constraint::Exists(self.expression()?));
        }
        let name = self.name("an index variable")?;
        if self.accept("=") {
            return Ok(Constraint::Value(name, self.expression()?));
        }
        if !self.is_word("in") {
            return self.expected("`in` or `=`");
        }
        self.at += 1;
        let from = self.expression()?;
        self.expect(":")?;
        Ok(Constraint::Range(name, [from, self.expression()?]))
    }

    /// **tc-syntax-exp** (Grammar)
    fn expression(&mut self) -> Result<ExprId> {
        let mut pending: Vec<Pending> = Vec::new();
        loop {
            let Some(operand) = self.operand(&mut pending)? else { continue };
            let Some(done) = self.continued(&mut pending, operand)? else { continue };
            return Ok(done);
        }
    }

    /// An operand; `None` after what opens one.
    fn operand(&mut self, pending: &mut Vec<Pending>) -> Result<Option<ExprId>> {
        let span = self.token().span;
        match self.kind() {
            TokenKind::Symbol("(") => {
                self.at += 1;
                pending.push(Pending::Parenthesis(span));
                Ok(None)
            }
            TokenKind::Symbol(text @ ("-" | "!" | "~" | "+")) => {
                self.at += 1;
                let operator = UnaryOperator::TABLE.iter().find(|(_, own)| *own == text);
                pending.extend(operator.map(|(operator, _)| Pending::Unary(*operator, span)));
                Ok(None)
            }
            TokenKind::Number => self.number().map(Some),
            TokenKind::Name => self.named(pending),
            _ => self.expected("an expression"),
        }
    }

    fn named(&mut self, pending: &mut Vec<Pending>) -> Result<Option<ExprId>> {
        let span = self.token().span;
        if let Some(of) = scalar_type(self.text()) {
            self.at += 1;
            self.expect("(")?;
            pending.push(Pending::Arguments(Called::Type(of), Vec::new(), span));
            return Ok(None);
        }
        let Named { name, .. } = self.name("an expression")?;
        if self.accept(".") {
            let (end, text) = (self.token().span, self.text().to_owned());
            let dimension = if self.kind() == TokenKind::Number { text.parse().ok() } else { None };
            let Some(dimension) = dimension else { return self.expected("the number of a dimension") };
            self.at += 1;
            return Ok(Some(self.file.push(Expression::Dimension(name, dimension), span.to(end))));
        }
        if !self.accept("(") {
            return Ok(Some(self.file.push(Expression::Variable(name), span)));
        }
        let end = self.token().span;
        if self.accept(")") {
            return Ok(Some(self.file.push(Expression::Apply(name, Vec::new()), span.to(end))));
        }
        pending.push(Pending::Arguments(Called::Name(name), Vec::new(), span));
        Ok(None)
    }

    /// What follows an operand: the whole expression if nothing continues it, `None` if an operand must follow.
    fn continued(&mut self, pending: &mut Vec<Pending>, mut e: ExprId) -> Result<Option<ExprId>> {
        loop {
            let operator = BinaryOperator::TABLE.iter().find(|(_, text, _)| self.is_symbol(text));
            if let Some(&(operator, _, precedence)) = operator {
                self.at += 1;
                let left = self.reduced(pending, e, precedence);
                pending.push(Pending::Binary(operator, left));
                return Ok(None);
            }
            if self.accept("?") {
                let condition = self.reduced(pending, e, 2);
                pending.push(Pending::Condition(condition));
                return Ok(None);
            }
            e = self.reduced(pending, e, 1);
            match pending.pop() {
                Some(Pending::Condition(condition)) => {
                    self.expect(":")?;
                    pending.push(Pending::Branch(condition, e));
                    return Ok(None);
                }
                Some(Pending::Parenthesis(open)) => {
                    if !self.accept(")") {
                        self.expected::<()>("`)`").or_else(|Reported| self.opened(open))?;
                    }
                }
                Some(Pending::Arguments(called, mut arguments, span)) => {
                    arguments.push(e);
                    if self.accept(",") {
                        pending.push(Pending::Arguments(called, arguments, span));
                        return Ok(None);
                    }
                    let end = self.expect(")")?;
                    e = self.applied(called, arguments, span.to(end))?;
                }
                _ => return Ok(Some(e)),
            }
        }
    }

    /// Points at the parenthesis that is open where `)` was expected.
    fn opened(&mut self, open: Span) -> Result<()> {
        if let Some(error) = self.errors.pop() {
            self.errors.push(error.with(open, "opened here"));
        }
        Err(Reported)
    }

    fn applied(&mut self, called: Called, arguments: Vec<ExprId>, span: Span) -> Result<ExprId> {
        Ok(match (called, &arguments[..]) {
            (Called::Name(name), _) => self.file.push(Expression::Apply(name, arguments), span),
            (Called::Type(of), [e]) => self.file.push(Expression::Cast(of, *e), span),
            (Called::Type(_), _) => {
                return self.error(span, "a cast has one operand".to_owned(), "these are several");
            }
        })
    }

    /// Applies what waits for `e` and binds at least this tightly.
    fn reduced(&mut self, pending: &mut Vec<Pending>, mut e: ExprId, precedence: u8) -> ExprId {
        while let Some(top) = pending.last() {
            let end = self.file.span(e);
            let node = match top {
                Pending::Unary(operator, span) if BinaryOperator::UNARY >= precedence => {
                    (Expression::Unary(*operator, e), *span)
                }
                Pending::Binary(operator, left) if operator.precedence() >= precedence => {
                    (Expression::Binary(*operator, [*left, e]), self.file.span(*left))
                }
                Pending::Branch(condition, yes) if precedence <= 1 => {
                    (Expression::Conditional([*condition, *yes, e]), self.file.span(*condition))
                }
                _ => break,
            };
            pending.pop();
            e = self.file.push(node.0, node.1.to(end));
        }
        e
    }

    /// **tc-syntax-num** (Grammar)
    fn number(&mut self) -> Result<ExprId> {
        let (span, text) = (self.token().span, self.text().to_owned());
        match number(&text) {
            Some((value, is_real)) => {
                self.at += 1;
                Ok(self.file.push(Expression::Number { value, is_real }, span))
            }
            None => {
                self.errors.push(Diagnostic::new(
                    Code::P0007,
                    span,
                    format!("the number `{text}` has too many digits, or too large an exponent"),
                    "here",
                ));
                Err(Reported)
            }
        }
    }
}

/// The maximum exponent of ten of a number: that of f64 is at most 308, with up to 17 digits behind the point.
const MAX_EXPONENT: usize = 400;
/// The maximum number of digits of a number.
pub(crate) const MAX_DIGITS: usize = 1_000;
/// The maximum exponent of ten of the last digit of a number, and of its inverse.
pub(crate) const MAX_POWER: usize = MAX_EXPONENT + MAX_DIGITS;

/// The maximum length of a hexadecimal number with an exponent, and the maximum number of bits of its numerator and of its denominator: the least f64 is
/// 2⁻¹⁰⁷⁴, and in decimal such a number has at most `MAX_DIGITS` digits.
const MAX_BINARY_LENGTH: usize = 100;
const MAX_BITS: usize = 1_128;

/// The exact value of a number of C, and whether it has a floating-point type.
fn number(text: &str) -> Option<(RBig, bool)> {
    let lower = text.to_ascii_lowercase();
    if text.len() > MAX_DIGITS {
        return None;
    }
    if let Some(digits) = lower.strip_prefix("0x") {
        return match digits.contains('p') {
            true => binary(digits.trim_end_matches(['f', 'l'])).map(|value| (value, true)),
            false => {
                Some((IBig::from_str_radix(digits.trim_end_matches(['u', 'l']), 16).ok()?.into(), false))
            }
        };
    }
    let is_float = lower.ends_with('f');
    let digits = lower.trim_end_matches(['u', 'l', 'f']);
    let is_real = is_float || digits.contains(['e', '.']);
    let is_octal = !is_real && digits.len() > 1 && digits.starts_with('0');
    Some((scaled(digits, 'e', if is_octal { (8, 1, 8) } else { (10, 1, 10) })?, is_real))
}

/// The value of a hexadecimal number with an exponent of two.
fn binary(digits: &str) -> Option<RBig> {
    let value = Some(digits).filter(|digits| digits.len() <= MAX_BINARY_LENGTH);
    let value = scaled(value?, 'p', (16, 4, 2))?;
    let bits = value.numerator().bit_len().max(value.denominator().bit_len());
    Some(value).filter(|_| bits <= MAX_BITS)
}

/// The value of digits in a radix, with a point and an exponent of a base, of which each digit behind the point stands for as many as given.
fn scaled(digits: &str, letter: char, (radix, per_digit, base): (u32, isize, u8)) -> Option<RBig> {
    let (mantissa, exponent) = digits.split_once(letter).unwrap_or((digits, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let integer = RBig::from(IBig::from_str_radix(&format!("{whole}{fraction}"), radix).ok()?);
    let behind = isize::try_from(fraction.len()).ok()?.checked_mul(per_digit)?;
    let exponent = exponent.parse::<isize>().ok()?.checked_sub(behind)?;
    let power = RBig::from(IBig::from(base).pow(Some(exponent.unsigned_abs()).filter(|e| *e <= MAX_POWER)?));
    Some(if exponent < 0 { integer / power } else { integer * power })
}
