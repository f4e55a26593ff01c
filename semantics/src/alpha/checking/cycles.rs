//! Dependence cycles: an element that depends on itself (Definition 2).
//!
//! Among the variables of one cycle of definitions those that do not read themselves are replaced by what they read, which
//! keeps the cycles through the others. What is left is one relation over tagged points. If its transitive closure relates
//! no point to itself, there is no cycle, even where the closure is only bounded from above; if the closure is exact, it
//! relates to themselves the points that are on cycles. Otherwise paths of few steps are looked at, and of twice and four
//! times as many: if there is none of a length, there is no cycle. After some of these only evaluation can tell.

use super::Checker;
use super::dependences::{Dependences, add};
use crate::alpha::domains::Undecided;
use crate::alpha::syntax::{Kind, VariableId};
use crate::diagnostics::{Code, Diagnostic, Span};
use polyhedra::{Error, IndexSet, Relation};

/// The length of paths is doubled so many times, as long as they make up so many pieces.
const DOUBLINGS: usize = 8;
const MAX_PIECES: usize = 60;

/// What is found out about dependences.
enum Judged {
    Acyclic,
    /// Points that depend on themselves: not all of them, perhaps.
    Cyclic(IndexSet),
    Undecided,
}

impl Checker<'_> {
    pub(super) fn cycles(&mut self) -> Result<(), Undecided> {
        for component in self.uses.cycles() {
            if self.system.variable(component[0]).kind != Kind::Input {
                self.cycle(&component)?;
            }
        }
        Ok(())
    }

    fn cycle(&mut self, component: &[VariableId]) -> Result<(), Undecided> {
        let x = component[0];
        let span = self.span_of(x);
        let dependences = self.dependences(component)?;
        match self.judged(&dependences, component) {
            Ok(Judged::Acyclic) => {}
            Ok(Judged::Cyclic(tagged)) => self.cyclic(component, &tagged)?,
            Ok(Judged::Undecided) => self.undecided_cycle(x, span, "the transitive closure is not exact"),
            Err(error) if error.is_out_of_budget() => {
                self.undecided_cycle(x, span, "it is out of budget");
            }
            Err(error) => return Err(Undecided { span, error }),
        }
        Ok(())
    }

    fn span_of(&self, x: VariableId) -> Span {
        self.definitions(x).next().map_or(self.system.variable(x).span, |equation| equation.span)
    }

    /// Reports the first variable with elements that depend on themselves and are read; else the first with such elements.
    fn cyclic(&mut self, component: &[VariableId], tagged: &IndexSet) -> Result<(), Undecided> {
        let mut warnings = Vec::new();
        for (at, &x) in component.iter().enumerate() {
            let span = self.span_of(x);
            let points = Undecided::at(span, self.untag(tagged, at, x))?;
            let read = self.read(x, &points)?;
            let found = self.graded(span, Code::P0014, &points, &read, |witness| {
                let name = &self.system.variable(x).name;
                let (place, condition, example) = (witness.place("at"), &witness.condition, &witness.example);
                let message =
                    format!("`{name}` depends on itself{place}{condition}, such as {name}{example}");
                Diagnostic::new(Code::P0014, span, message, "defined in terms of itself")
            })?;
            if found.iter().any(|finding| finding.code == Code::P0014) {
                self.findings.extend(found);
                return Ok(());
            }
            warnings.extend(found);
        }
        self.findings.extend(warnings.into_iter().take(1));
        Ok(())
    }

    fn undecided_cycle(&mut self, x: VariableId, span: Span, reason: &str) {
        let name = &self.system.variable(x).name;
        let message = format!("whether an element of `{name}` depends on itself is not decided: {reason}");
        self.findings.push(Diagnostic::new(Code::P0017, span, message, "evaluation will tell"));
    }

    fn judged(&self, dependences: &Dependences, component: &[VariableId]) -> Result<Judged, Error> {
        let space = self.tagged_space(component);
        let relation = self.together(&self.contracted(dependences.clone())?, &space)?;
        let closure = match self.engine.transitive_closure(&relation) {
            Ok(closure) => Some(closure),
            Err(error) if error.is_out_of_budget() => None,
            Err(error) => return Err(error),
        };
        if let Some(closure) = closure {
            let related = self.self_related(&closure.relation)?;
            if self.engine.is_empty(&related)? {
                return Ok(Judged::Acyclic);
            }
            if closure.exact {
                return Ok(Judged::Cyclic(related));
            }
        }
        self.doubled(&relation)
    }

    /// Replaces variables that do not read themselves by what they read, as long as that does not take many pieces.
    fn contracted(&self, mut dependences: Dependences) -> Result<Dependences, Error> {
        loop {
            let degree = |v: usize| {
                let into = dependences.keys().filter(|(_, to)| *to == v).count();
                into * dependences.keys().filter(|(from, _)| *from == v).count()
            };
            let inner =
                dependences.keys().map(|(from, _)| *from).filter(|&v| !dependences.contains_key(&(v, v)));
            let Some(v) = inner.min_by_key(|&v| degree(v)) else { return Ok(dependences) };
            let (through, mut others): (Dependences, Dependences) =
                dependences.clone().into_iter().partition(|((from, to), _)| *from == v || *to == v);
            for ((from, _), first) in through.iter().filter(|((_, to), _)| *to == v) {
                for ((_, to), second) in through.iter().filter(|((from, _), _)| *from == v) {
                    let both = self.engine.simplify(&second.after(first)?)?;
                    if both.graph.pieces.len() > MAX_PIECES {
                        return Ok(dependences);
                    }
                    if !both.graph.is_plainly_empty() {
                        add(&mut others, (*from, *to), both)?;
                    }
                }
            }
            dependences = others;
        }
    }

    /// Looks at paths of up to 1, 2, 4, 8 … steps.
    fn doubled(&self, dependences: &Relation) -> Result<Judged, Error> {
        // All paths of exactly so many steps, and all of up to so many.
        let (mut exactly, mut up_to) = (dependences.clone(), dependences.clone());
        for _ in 0..=DOUBLINGS {
            let related = self.self_related(&up_to)?;
            if !self.engine.is_empty(&related)? {
                return Ok(Judged::Cyclic(related));
            }
            if self.engine.is_empty(&exactly.graph)? {
                return Ok(Judged::Acyclic);
            }
            if up_to.graph.pieces.len().max(exactly.graph.pieces.len()) > MAX_PIECES {
                break;
            }
            up_to = self.engine.simplify(&up_to.union(&up_to.after(&exactly)?)?)?;
            exactly = self.engine.simplify(&exactly.after(&exactly)?)?;
        }
        Ok(Judged::Undecided)
    }

    /// The points that are related to themselves.
    fn self_related(&self, relation: &Relation) -> Result<IndexSet, Error> {
        let identity = Relation::identity(&relation.domain_space());
        self.engine.eliminate_existentials(&relation.intersect(&identity)?.domain())
    }
}
