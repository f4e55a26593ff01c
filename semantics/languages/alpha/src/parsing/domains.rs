//! §10.4: domains.
//!
//! Precedences (§11, 10): `~` 4, `.function` and `.convex` 3, `&` 2, `|` 1.

use super::{MAX_CONSTRAINTS, Parser, Result};
use crate::lexing::{Token, TokenKind};
use crate::syntax::{Domain, DomainId};
use base::diagnostics::{Code, Diagnostic};
use base::seeded::{Seeded, seeded};
use polyhedra::{Affine, BasicSet, IndexSet, Name, Space};

/// Tables for lookahead. Parentheses nest without limit, and scanning anew at each of them would take quadratic
/// time.
pub(super) struct Ahead {
    /// For each token, the first token from there on that is neither `(` nor `~`.
    inside: Vec<usize>,
    /// The numbers of `~` and of `:` before each token.
    complements: Vec<usize>,
    colons: Vec<usize>,
}

impl Ahead {
    pub fn new(tokens: &[Token]) -> Ahead {
        let is = |at: usize, symbol: &'static str| tokens[at].kind == TokenKind::Symbol(symbol);
        let mut inside: Vec<usize> = (0..tokens.len()).collect();
        for at in (1..tokens.len()).rev() {
            if is(at - 1, "(") || is(at - 1, "~") {
                inside[at - 1] = inside[at];
            }
        }
        let before = |symbol: &'static str| {
            let count = |sum: &mut usize, at: usize| {
                let before = *sum;
                *sum += usize::from(is(at, symbol));
                Some(before)
            };
            (0..tokens.len()).scan(0, count).collect()
        };
        Ahead { inside, complements: before("~"), colons: before(":") }
    }
}

/// The state of reading a domain within one pair of parentheses.
struct OpenDomain {
    /// The start of the current union and intersection, and their operands read so far.
    union: (usize, Option<DomainId>),
    intersection: (usize, Option<DomainId>),
    /// The start of the operand, and the number of `~` before it.
    start: usize,
    inversions: usize,
}

impl OpenDomain {
    fn at(start: usize) -> OpenDomain {
        OpenDomain { union: (start, None), intersection: (start, None), start, inversions: 0 }
    }
}

impl Parser<'_> {
    /// Whether a domain starts here, rather than an expression: after parentheses and `~` comes a brace, and the
    /// parenthesis closes before any `:`.
    pub(super) fn starts_domain(&self) -> bool {
        let Ahead { inside, complements, colons } = &self.ahead;
        let inside = inside[self.at];
        let complemented = complements[inside] > complements[self.at];
        if !complemented && self.tokens[inside].kind != TokenKind::Symbol("{") {
            return false;
        }
        let without_colon = |close: usize| colons[close] == colons[self.at];
        !self.is_symbol("(") || self.matching[self.at].is_none_or(without_colon)
    }

    /// **syntax-domain** (§10.4), **semantics-10** (§11): a domain; parentheses nest without limit.
    pub(super) fn domain(&mut self) -> Result<DomainId> {
        let mut open = vec![OpenDomain::at(self.at)];
        while let Some(innermost) = open.last_mut() {
            innermost.start = self.at;
            while self.take("~") {
                innermost.inversions += 1;
            }
            if self.take("(") {
                open.push(OpenDomain::at(self.at));
                continue;
            }
            let mut domain = match self.peek() {
                TokenKind::Symbol("{") => self.polyhedron()?,
                _ => return self.expected("a domain, such as `{ i,j | 1<=i<=j }`"),
            };
            loop {
                let Some(mut innermost) = open.pop() else { return Ok(domain) };
                domain = self.changed(&innermost, domain)?;
                match self.joined(&mut innermost, domain)? {
                    Some(whole) => domain = whole,
                    None => {
                        open.push(innermost);
                        break;
                    }
                }
                if open.is_empty() {
                    return Ok(domain);
                }
                self.require(")", "after a domain")?;
            }
        }
        self.expected("a domain")
    }

    /// Joins an operand with those before it; `None` if another operand follows.
    fn joined(&mut self, open: &mut OpenDomain, operand: DomainId) -> Result<Option<DomainId>> {
        let mut domain = operand;
        if let (start, Some(left)) = open.intersection {
            domain = self.combine(start, left, domain, Domain::Intersection)?;
        }
        if self.take("&") {
            *open = OpenDomain { intersection: (open.intersection.0, Some(domain)), inversions: 0, ..*open };
            return Ok(None);
        }
        if let (start, Some(left)) = open.union {
            domain = self.combine(start, left, domain, Domain::Union)?;
        }
        if self.take("|") {
            *open = OpenDomain { union: (open.union.0, Some(domain)), ..OpenDomain::at(self.at) };
            return Ok(None);
        }
        Ok(Some(domain))
    }

    fn combine(
        &mut self,
        start: usize,
        left: DomainId,
        right: DomainId,
        make: fn(DomainId, DomainId) -> Domain,
    ) -> Result<DomainId> {
        let (a, b) = (self.system.domain_rank(left), self.system.domain_rank(right));
        if a != b {
            let message = format!("domains of {a} and {b} dimensions cannot be combined");
            let label = format!("{b} dimensions");
            let error = Diagnostic::new(Code::P0008, self.system.domain_span(right), message, label);
            let error = error.with(self.system.domain_span(left), format!("{a} dimensions"));
            return self.fail(error);
        }
        let span = self.since(start);
        Ok(self.system.push_domain(make(left, right), span))
    }

    /// `~ domain`, then `domain . function`, `domain . convex`
    fn changed(
        &mut self,
        &OpenDomain { start, inversions, .. }: &OpenDomain,
        mut domain: DomainId,
    ) -> Result<DomainId> {
        for _ in 0..inversions {
            let span = self.since(start);
            domain = self.system.push_domain(Domain::Complement(domain), span);
        }
        while self.take(".") {
            let is_convex = self.peek() == TokenKind::Name && &self.source[self.span().range()] == "convex";
            if is_convex {
                self.advance();
                let span = self.since(start);
                domain = self.system.push_domain(Domain::Convex(domain), span);
                continue;
            }
            let at = self.span();
            let function = self.function()?;
            let rank = self.system.domain_rank(domain);
            if function.outputs.len() != rank {
                let message =
                    format!("a function into {} dimensions on a domain of {rank}", function.outputs.len());
                return self.fail(Diagnostic::new(
                    Code::P0008,
                    at,
                    message,
                    format!("must have {rank} results"),
                ));
            }
            let span = self.since(start);
            domain = self.system.push_domain(Domain::Preimage(domain, function), span);
        }
        Ok(domain)
    }

    /// **semantics-3** (§11): `{ index-list | constraint-list }`, of equalities and inequalities; in an array equation the index list may be omitted.
    fn polyhedron(&mut self) -> Result<DomainId> {
        let start = self.at;
        let Some(close) = self.matching[self.at] else {
            let error =
                Diagnostic::new(Code::P0002, self.span(), "a domain that is not closed", "opened here");
            return self.fail(error.hint("`}` is expected after its constraints"));
        };
        self.advance();
        let inside = self.at..close;
        let listed = self.tokens[inside].iter().any(|token| token.kind == TokenKind::Symbol("|"));
        let names = match (listed, self.names.clone()) {
            (true, _) => {
                let names = self.index_list(TokenKind::Symbol("|"))?;
                self.require("|", "after the index list of a domain")?;
                names
            }
            (false, Some(names)) => names,
            (false, None) => {
                let error = self.unexpected("an index list and `|`, as in `{ i,j | i<=j }`");
                let has_colon =
                    self.tokens[self.at..close].iter().any(|token| token.kind == TokenKind::Symbol(":"));
                return self.fail(error.hint(match has_colon {
                    true => "`|` stands between the indices and their constraints: `{ i | 1<=i<=N }`",
                    false => {
                        "index names are in force only where the left side names them, as in `Y[i,j] = …`"
                    }
                }));
            }
        };
        let set = self.constraints(&names)?;
        if !self.is_symbol("}") {
            let error = self.unexpected("`}` after the constraints of a domain");
            return self.fail(error.hint("constraints are separated by `;`"));
        }
        self.advance();
        let span = self.since(start);
        Ok(self.system.push_domain(Domain::Polyhedron(set), span))
    }

    /// **syntax-constraint-list** (§10.4): `[ constraint-list ; ] constraint`; ours: it may be empty, and end with `;`.
    fn constraints(&mut self, names: &[Name]) -> Result<IndexSet> {
        let space = Space { parameters: self.system.parameters.clone(), dimensions: names.into() };
        self.quotients = Some(Vec::new());
        let constraints = self.constraint_list(names);
        let locals = self.quotients.take().unwrap_or_default();
        let (equalities, inequalities) = constraints?;
        Ok(IndexSet { space, pieces: vec![BasicSet { locals, equalities, inequalities }] })
    }

    fn constraint_list(&mut self, names: &[Name]) -> Result<(Vec<Affine>, Vec<Affine>)> {
        let (mut equalities, mut inequalities) = (Vec::new(), Vec::new());
        while !self.is_symbol("}") {
            self.chain(names, &mut equalities, &mut inequalities)?;
            if !self.take(";") {
                break;
            }
        }
        Ok((equalities, inequalities))
    }

    /// **syntax-constraint** (§10.4): `increasing-sequence / decreasing-sequence / equality-sequence`, a chain of comparisons
    /// in one direction; a list stands for each of its elements.
    fn chain(
        &mut self,
        names: &[Name],
        equalities: &mut Vec<Affine>,
        inequalities: &mut Vec<Affine>,
    ) -> Result<()> {
        let mut left = self.index_expressions(names)?;
        let mut direction = None;
        while let Some((sign, strict)) = self.relation() {
            let is_later = direction.is_some();
            if direction.replace(sign).is_some_and(|before| before != sign) {
                let error = self.unexpected("a chain that goes one way");
                return self.fail(error.hint(
                    "only `<` and `<=`, only `>` and `>=`, or only `=`; constraints are separated by `;`",
                ));
            }
            self.advance();
            let at = self.span();
            let right = self.index_expressions(names)?;
            let count = equalities.len() + inequalities.len();
            if left.len().saturating_mul(right.len()).saturating_add(count) > MAX_CONSTRAINTS {
                let message = format!("more than {MAX_CONSTRAINTS} constraints");
                return self.give_up(Diagnostic::new(Code::P0021, at, message, "too many"));
            }
            for (a, b) in left.iter().flat_map(|a| right.iter().map(move |b| (a, b))) {
                let (low, high) = if sign < 0 { (b, a) } else { (a, b) };
                let difference = high.plus(-1, low).and_then(|d| d.plus(-1, &Affine::constant(strict)));
                let difference = self.narrow(at, difference)?;
                match sign {
                    _ if holds_anywhere(&difference, sign == 0) => {}
                    _ if seeded(Seeded::ParseBound, false, || is_later) => {}
                    0 => equalities.push(difference),
                    _ => inequalities.push(difference),
                }
            }
            left = right;
        }
        match direction {
            Some(_) => Ok(()),
            None if self.is_symbol("<>") => {
                let error = self.unexpected("a comparison (`<=`, `<`, `=`, `>`, `>=`)");
                self.fail(error.hint("what is not equal is a union: `{i<0} | {i>0}`"))
            }
            None => self.expected("a comparison (`<=`, `<`, `=`, `>`, `>=`)"),
        }
    }

    /// The next comparison: its direction (1 up, −1 down, 0 equality), and 1 if strict.
    fn relation(&self) -> Option<(i8, i64)> {
        match self.peek() {
            TokenKind::Symbol("<=") => Some((1, 0)),
            TokenKind::Symbol("<") => Some((1, i64::from(!Seeded::ParseStrict.is_in()))),
            TokenKind::Symbol(">=") => Some((-1, 0)),
            TokenKind::Symbol(">") => Some((-1, 1)),
            TokenKind::Symbol("=") => Some((0, 0)),
            _ => None,
        }
    }
}

/// Whether a constraint holds at every point, such as the paper's `1>=0`.
fn holds_anywhere(e: &Affine, equality: bool) -> bool {
    e.is_constant() && if equality { e.constant == 0 } else { e.constant >= 0 }
}
