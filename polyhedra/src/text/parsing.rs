//! Parsing, by recursive descent of fixed depth.

use crate::affine::Affine;
use crate::basic::{BasicSet, Local};
use crate::error::EngineError;
use crate::map::AffineMap;
use crate::relation::IndexRelation;
use crate::set::IndexSet;
use crate::space::{Name, Space};
use std::collections::HashSet;
use std::str::FromStr;

impl FromStr for IndexSet {
    type Err = EngineError;

    fn from_str(text: &str) -> Result<IndexSet, EngineError> {
        let mut reader = SetReader { text, at: 0 };
        let parameters = reader.parameters()?;
        let mut set: Option<IndexSet> = None;
        reader.pieces(|reader| {
            let dimensions = reader.tuple()?;
            let names = [parameters.clone(), dimensions.clone()].concat();
            let piece = reader.conditions(&names)?;
            let space = Space { parameters: parameters.clone().into(), dimensions: dimensions.into() };
            let set = set.get_or_insert_with(|| IndexSet::empty(space.clone()));
            set.require_compatible(&IndexSet::empty(space))?;
            set.pieces.extend(piece);
            Ok(())
        })?;
        set.ok_or(reader.expected("a piece"))
    }
}

impl FromStr for IndexRelation {
    type Err = EngineError;

    fn from_str(text: &str) -> Result<IndexRelation, EngineError> {
        let mut reader = SetReader { text, at: 0 };
        let parameters = reader.parameters()?;
        let mut relation: Option<IndexRelation> = None;
        reader.pieces(|reader| {
            let inputs = reader.tuple()?;
            reader.require("->", "`->`")?;
            let outputs = reader.tuple()?;
            let names = [parameters.clone(), inputs.clone(), outputs.clone()].concat();
            let piece = reader.conditions(&names)?;
            let space = |dimensions: &[Name]| Space {
                parameters: parameters.clone().into(),
                dimensions: dimensions.into(),
            };
            let new = IndexRelation::new(space(&inputs), space(&outputs), piece.into_iter().collect());
            relation = Some(match relation.take() {
                None => new,
                Some(relation) => relation.with_pieces_of(new)?,
            });
            Ok(())
        })?;
        relation.ok_or(reader.expected("a piece"))
    }
}

impl FromStr for AffineMap {
    type Err = EngineError;

    fn from_str(text: &str) -> Result<AffineMap, EngineError> {
        let mut reader = SetReader { text, at: 0 };
        let parameters = reader.parameters()?;
        reader.require("{", "`{`")?;
        let dimensions = reader.tuple()?;
        reader.require("->", "`->`")?;
        let outputs_at = reader.at;
        reader.skip_brackets()?;
        let mut names = [parameters.clone(), dimensions.clone()].concat();
        reader.require_distinct(&names)?;
        let floors = if reader.take(":") { reader.exists(&mut names)? } else { Vec::new() };
        reader.require("}", "`}`")?;
        reader.end()?;
        reader.at = outputs_at;
        let outputs = reader.outputs(&names)?;
        let space = Space { parameters: parameters.into(), dimensions: dimensions.into() };
        Ok(AffineMap { space, floors, outputs })
    }
}

struct SetReader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> SetReader<'a> {
    fn expected(&self, expected: &'static str) -> EngineError {
        EngineError::Syntax { at: self.at, expected }
    }

    fn rest(&mut self) -> &'a str {
        let rest = &self.text[self.at..];
        let trimmed = rest.trim_start();
        self.at += rest.len() - trimmed.len();
        trimmed
    }

    fn take(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    fn require(&mut self, token: &str, expected: &'static str) -> Result<(), EngineError> {
        if self.take(token) { Ok(()) } else { Err(self.expected(expected)) }
    }

    fn end(&mut self) -> Result<(), EngineError> {
        if self.rest().is_empty() { Ok(()) } else { Err(self.expected("the end")) }
    }

    /// The next word, if there is one.
    fn word(&mut self) -> Option<&'a str> {
        let rest = self.rest();
        let inside = |c: char| c.is_alphanumeric() || c == '_' || c == '\'';
        let end = rest.find(|c: char| !inside(c)).unwrap_or(rest.len());
        let word = &rest[..end];
        word.starts_with(|c: char| c.is_alphabetic() || c == '_').then(|| {
            self.at += end;
            word
        })
    }

    fn keyword(&mut self, keyword: &str) -> bool {
        let start = self.at;
        let found = self.word() == Some(keyword);
        if !found {
            self.at = start;
        }
        found
    }

    fn parameters(&mut self) -> Result<Vec<Name>, EngineError> {
        if !self.rest().starts_with('[') {
            return Ok(Vec::new());
        }
        let names = self.tuple()?;
        self.require("->", "`->`")?;
        Ok(names)
    }

    fn tuple(&mut self) -> Result<Vec<Name>, EngineError> {
        self.require("[", "`[`")?;
        let mut names = Vec::new();
        while !self.take("]") {
            if !names.is_empty() {
                self.require(",", "`,` or `]`")?;
            }
            names.push(self.word().ok_or(self.expected("a name"))?.into());
        }
        Ok(names)
    }

    /// Rejects a name for two columns, which would be ambiguous.
    fn require_distinct(&self, names: &[Name]) -> Result<(), EngineError> {
        let mut known = HashSet::new();
        let differ = names.iter().all(|name| known.insert(name));
        if differ { Ok(()) } else { Err(self.expected("names that differ")) }
    }

    fn skip_brackets(&mut self) -> Result<(), EngineError> {
        self.require("[", "`[`")?;
        let length = self.rest().find(']').ok_or(self.expected("`]`"))?;
        self.at += length + 1;
        Ok(())
    }

    fn pieces(
        &mut self,
        mut piece: impl FnMut(&mut Self) -> Result<(), EngineError>,
    ) -> Result<(), EngineError> {
        self.require("{", "`{`")?;
        loop {
            piece(self)?;
            if !self.take(";") {
                break;
            }
        }
        self.require("}", "`;` or `}`")?;
        self.end()
    }

    /// Parses what follows a tuple: nothing, or `: exists … : constraint and …`; `None` for `: false`.
    fn conditions(&mut self, names: &[Name]) -> Result<Option<BasicSet>, EngineError> {
        self.require_distinct(names)?;
        let mut piece = BasicSet::universe();
        if !self.take(":") {
            return Ok(Some(piece));
        }
        if self.keyword("false") {
            return Ok(None);
        }
        let mut names = names.to_vec();
        if self.rest().starts_with("exists") {
            piece.locals = self.exists(&mut names)?;
            if !self.take(":") {
                return Ok(Some(piece));
            }
        }
        loop {
            self.chain(&names, &mut piece)?;
            if !self.keyword("and") {
                return Ok(Some(piece));
            }
        }
    }

    fn exists(&mut self, names: &mut Vec<Name>) -> Result<Vec<Local>, EngineError> {
        let mut locals = Vec::new();
        if !self.keyword("exists") {
            return Err(self.expected("`exists`"));
        }
        loop {
            let name = self.word().ok_or(self.expected("a name"))?;
            locals.push(if self.take("=") { self.floor(names)? } else { Local::Exists });
            names.push(name.into());
            self.require_distinct(names)?;
            if !self.take(",") {
                return Ok(locals);
            }
        }
    }

    fn floor(&mut self, names: &[Name]) -> Result<Local, EngineError> {
        if !self.keyword("floor") {
            return Err(self.expected("`floor`"));
        }
        self.require("((", "`((`")?;
        let numerator = self.affine(names)?;
        self.require(")", "`)`")?;
        self.require("/", "`/`")?;
        let denominator = self.number()?.filter(|&d| d > 0).ok_or(self.expected("a positive number"))?;
        self.require(")", "`)`")?;
        Ok(Local::Floor { numerator, denominator })
    }

    fn chain(&mut self, names: &[Name], piece: &mut BasicSet) -> Result<(), EngineError> {
        let mut left = self.affine(names)?;
        let mut relations = 0;
        while let Some(relation) = ["<=", ">=", "<", ">", "="].into_iter().find(|r| self.take(r)) {
            let right = self.affine(names)?;
            let (low, high) = if relation.starts_with('>') { (&right, &left) } else { (&left, &right) };
            let mut difference = high.plus(-1, low)?;
            match relation {
                "=" => piece.equalities.push(left.plus(-1, &right)?),
                _ => {
                    if relation.len() == 1 {
                        difference = difference.plus(1, &Affine::constant(-1))?;
                    }
                    piece.inequalities.push(difference);
                }
            }
            left = right;
            relations += 1;
        }
        if relations == 0 { Err(self.expected("a comparison")) } else { Ok(()) }
    }

    fn outputs(&mut self, names: &[Name]) -> Result<Vec<Affine>, EngineError> {
        self.require("[", "`[`")?;
        let mut outputs = Vec::new();
        while !self.take("]") {
            if !outputs.is_empty() {
                self.require(",", "`,` or `]`")?;
            }
            outputs.push(self.affine(names)?);
        }
        Ok(outputs)
    }

    /// `2i - j + 3`, with or without `*`.
    fn affine(&mut self, names: &[Name]) -> Result<Affine, EngineError> {
        let mut sum = Affine::default();
        let mut sign = if self.take("-") { -1 } else { 1 };
        loop {
            let factor = self.number()?;
            let starred = factor.is_some() && self.take("*");
            let start = self.at;
            let column = self.word().and_then(|word| names.iter().position(|name| **name == *word));
            if column.is_none() {
                self.at = start;
            }
            let term = match (factor, column) {
                (factor, Some(at)) => Affine::term(factor.unwrap_or(1), at),
                (Some(constant), None) if !starred => Affine::constant(constant),
                _ => return Err(self.expected("a number or a known name")),
            };
            sum = sum.plus(sign, &term)?;
            sign = match (self.take("+"), !self.rest().starts_with("->") && self.take("-")) {
                (true, _) => 1,
                (_, true) => -1,
                _ => return Ok(sum),
            };
        }
    }

    fn number(&mut self) -> Result<Option<i64>, EngineError> {
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        if end == 0 {
            return Ok(None);
        }
        self.at += end;
        rest[..end].parse().map(Some).map_err(|_| EngineError::Overflow)
    }
}
