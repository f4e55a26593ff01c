//! Reads patterns, by recursive descent: patterns are data of this program, and short.

use super::{DomainPattern, FunctionPattern, Meta, Pattern, PatternOperator};
use selfsame_core::operators::{Binary, Unary};

/// Reads a side of a theorem; `None` if the text is not one.
pub fn parse_pattern(text: &str) -> Option<Pattern> {
    whole(text, PatternReader::restriction)
}

/// Reads a domain; `None` if the text is not one.
pub fn parse_domain(text: &str) -> Option<DomainPattern> {
    whole(text, PatternReader::domain)
}

/// Reads a function; `None` if the text is not one.
pub fn parse_function(text: &str) -> Option<FunctionPattern> {
    whole(text, PatternReader::function)
}

fn whole<'a, T>(text: &'a str, read: impl Fn(&mut PatternReader<'a>) -> Option<T>) -> Option<T> {
    let mut reader = PatternReader { tokens: tokens(text), at: 0 };
    let result = read(&mut reader)?;
    (reader.at == reader.tokens.len()).then_some(result)
}

fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let inside = |c: char| c.is_ascii_alphanumeric() || c == '\'';
        let word = rest.find(|c| !inside(c)).unwrap_or(rest.len());
        let length = match word {
            0 if rest.starts_with(":=") => 2,
            0 => rest.chars().next().map_or(1, char::len_utf8),
            word => word,
        };
        let (token, after) = rest.split_at(length);
        tokens.push(token);
        rest = after.trim_start();
    }
    tokens
}

/// Operators with one operand.
const UNARY: [(&str, Unary); 3] = [("neg", Unary::Negate), ("not", Unary::Not), ("abs", Unary::Absolute)];

struct PatternReader<'a> {
    tokens: Vec<&'a str>,
    at: usize,
}

impl<'a> PatternReader<'a> {
    fn peek(&self) -> &'a str {
        self.tokens.get(self.at).copied().unwrap_or("")
    }

    fn take(&mut self, token: &str) -> bool {
        let found = self.peek() == token;
        self.at += usize::from(found);
        found
    }

    fn require(&mut self, token: &str) -> Option<()> {
        self.take(token).then_some(())
    }

    fn meta(&mut self, initial: fn(char) -> bool) -> Option<Meta> {
        let token = self.peek();
        token.starts_with(initial).then(|| {
            self.at += 1;
            token.into()
        })
    }

    /// Tries to read something, and backtracks on failure.
    fn attempt<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let start = self.at;
        let result = read(self);
        if result.is_none() {
            self.at = start;
        }
        result
    }

    /// `D : P`, or a binary expression
    fn restriction(&mut self) -> Option<Pattern> {
        let domain = self.attempt(|reader| {
            let domain = reader.domain()?;
            reader.require(":")?;
            Some(domain)
        });
        match domain {
            Some(domain) => Some(Pattern::Restrict(domain, Box::new(self.restriction()?))),
            None => self.binary(),
        }
    }

    fn binary(&mut self) -> Option<Pattern> {
        let mut left = self.postfix()?;
        while let Some(operator) = self.operator() {
            left = Pattern::Binary(operator, Box::new([left, self.postfix()?]));
        }
        Some(left)
    }

    /// `op`, or an infix operator
    fn operator(&mut self) -> Option<PatternOperator> {
        let token = self.peek();
        let this = || Binary::ALL.iter().find(|operator| operator.text() == token);
        let operator = if token == "op" { PatternOperator::Any } else { PatternOperator::This(*this()?) };
        self.at += 1;
        Some(operator)
    }

    fn postfix(&mut self) -> Option<Pattern> {
        let mut pattern = self.primary()?;
        loop {
            if self.take(".") {
                pattern = Pattern::Dependence(Box::new(pattern), self.function_factor()?);
            } else if self.take("[") {
                let variable = self.meta(|c| c == 'V')?;
                self.require(":=")?;
                let by = self.restriction()?;
                self.require("]")?;
                pattern = Pattern::Substitute(Box::new(pattern), variable, Box::new(by));
            } else {
                return Some(pattern);
            }
        }
    }

    fn primary(&mut self) -> Option<Pattern> {
        if self.take("(") {
            let inner = self.restriction()?;
            self.require(")")?;
            return Some(inner);
        }
        if self.take("case") {
            self.require("(")?;
            let mut branches = vec![self.restriction()?];
            while self.take(",") {
                branches.push(self.restriction()?);
            }
            self.require(")")?;
            return Some(Pattern::Case(branches));
        }
        if self.take("if") {
            self.require("(")?;
            let condition = self.restriction()?;
            self.require(",")?;
            let holds = self.restriction()?;
            self.require(",")?;
            let fails = self.restriction()?;
            self.require(")")?;
            return Some(Pattern::If(Box::new([condition, holds, fails])));
        }
        for (name, operator) in UNARY {
            if self.take(name) {
                self.require("(")?;
                let inner = self.restriction()?;
                self.require(")")?;
                return Some(Pattern::Unary(operator, Box::new(inner)));
            }
        }
        if self.take("reduce") {
            self.require("(")?;
            let operator = self.operator()?;
            self.require(",")?;
            let function = self.function()?;
            self.require(",")?;
            let body = self.restriction()?;
            self.require(")")?;
            return Some(Pattern::Reduce(operator, function, Box::new(body)));
        }
        if self.take("id") {
            ["(", "op", ")"].iter().try_for_each(|token| self.require(token))?;
            return Some(Pattern::Identity);
        }
        let expression = self.meta(|c| c == 'E').map(Pattern::Expression);
        expression.or_else(|| self.meta(|c| c == 'V').map(Pattern::Variable))
    }

    fn domain(&mut self) -> Option<DomainPattern> {
        let mut left = self.domain_postfix()?;
        loop {
            let make = match self.peek() {
                "|" => DomainPattern::Union,
                "&" => DomainPattern::Intersection,
                "\\" => DomainPattern::Difference,
                _ => return Some(left),
            };
            self.at += 1;
            left = make(Box::new([left, self.domain_postfix()?]));
        }
    }

    fn domain_postfix(&mut self) -> Option<DomainPattern> {
        let mut domain = self.domain_primary()?;
        while self.take(".") {
            domain = DomainPattern::Preimage(Box::new(domain), self.function_factor()?);
        }
        Some(domain)
    }

    fn domain_primary(&mut self) -> Option<DomainPattern> {
        if self.take("(") {
            let inner = self.domain()?;
            self.require(")")?;
            return Some(inner);
        }
        if self.take("dom") {
            self.require("(")?;
            let inner = self.restriction()?;
            self.require(")")?;
            return Some(DomainPattern::Of(Box::new(inner)));
        }
        if self.take("image") {
            self.require("(")?;
            let inner = self.domain()?;
            self.require(",")?;
            let function = self.function()?;
            self.require(")")?;
            return Some(DomainPattern::Image(Box::new(inner), function));
        }
        self.meta(|c| c == 'D').map(DomainPattern::Domain)
    }

    fn function(&mut self) -> Option<FunctionPattern> {
        let left = self.function_factor()?;
        match self.take("o") {
            true => Some(FunctionPattern::Composition(Box::new([left, self.function()?]))),
            false => Some(left),
        }
    }

    fn function_factor(&mut self) -> Option<FunctionPattern> {
        if self.take("(") {
            let inner = self.function()?;
            self.require(")")?;
            return Some(inner);
        }
        if self.take("idmap") {
            return Some(FunctionPattern::Identity);
        }
        self.meta(|c| matches!(c, 'f' | 'g' | 'h' | 'T')).map(FunctionPattern::Function)
    }
}
