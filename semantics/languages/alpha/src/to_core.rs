//! Lowers two systems of ALPHA to index notation, with the claims that they have the same outputs.
//!
//! Conventions: `e`: [`ExprId`], `p`: index terms, one per dimension. Local variables are inlined, dependences
//! substituted:
//! ```text
//! ⟦X⟧p                      = X[p] for an input; the right side of its equation at p else       p ∈ D_X is required
//! ⟦e.f⟧p                    = ⟦e⟧f(p)
//! ⟦D : e⟧p                  = ⟦e⟧p                                                              p ∈ D is required
//! ⟦case e1; …; en; esac⟧p   = ⟦e1⟧p where p ∈ D(e1), else … ⟦en⟧p                                p ∈ one D(ek) is required
//! ⟦reduce(⊕, f, e)⟧p        = ⊕ over w ∈ D(e) with f(w) = p of ⟦e⟧w
//! ⟦reduce(⊕, f, D, e)⟧p     = the same                                                           p ∈ D is required
//! ⟦val(f)⟧p                 = f(p) as an integer
//! ```
//! The conditions marked *required* become [`Requirement`]s: a checker shows again, without the engine of the
//! static checks, that both systems have a value wherever they are compared. A recurrence whose depth depends on
//! parameters has no such form: it is unrolled at given parameters, or compared by [`induction`].

mod definitions;
mod expressions;
pub mod induction;
mod membership;
mod regions;

pub use definitions::{Definitions, Root, VariableDefinition, definitions};
pub use induction::Induction;
pub use membership::Membership;
pub use regions::Region;

use crate::patterns::dimension_names;
use crate::syntax::{ExprId, System, VariableId, VariableRole};
use crate::uses::Uses;
use base::diagnostics::Span;
use base::seeded::{Seeded, seeded};
use polyhedra::Name;
use rustc_hash::FxHashMap;
use selfsame_core::condition::Condition;
use selfsame_core::index::{Index, Variable};
use selfsame_core::instance::{Instance, Requirement};
use selfsame_core::operators::ElementType;
use selfsame_core::syntax::{About, InputId, Node, NodeId, PointwiseClaim, Program};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::collections::BTreeMap;
use values::{Division, Machine};

/// One of the two systems that are compared.
#[derive(Debug)]
pub struct Part<'a> {
    /// The system: typed and well-formed.
    pub system: &'a System,
    /// The names under which variables are compared, and the variables.
    pub outputs: Vec<(String, VariableId)>,
    /// The names of inputs that both systems share, by [`VariableId`].
    pub inputs: Vec<String>,
}

impl<'a> Part<'a> {
    /// A system with its own names.
    pub fn new(system: &'a System) -> Part<'a> {
        let name = |x: VariableId| system.variable(x).name.to_string();
        let outputs = system.variable_ids().filter(|&x| system.variable(x).kind == VariableRole::Output);
        let outputs = outputs.map(|x| (name(x), x)).collect();
        Part { system, outputs, inputs: system.variable_ids().map(name).collect() }
    }
}

/// Why two systems cannot be lowered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The system, 0 or 1.
    pub side: usize,
    /// The place in its source.
    pub span: Span,
    /// The reason.
    pub reason: String,
    /// Whether the reason is an endless recurrence, so that its elements may be taken as given.
    pub is_endless: bool,
}

/// The maximum number of elements of an output that become separate claims. Chosen: half and twice give the
/// same verdicts (`docs/limits.md`).
const MAX_POINTS: i64 = 64;

/// The claims about two systems.
#[derive(Debug)]
pub struct Claims {
    /// One claim for each output, or for each of its elements; then one for each lemma.
    pub instances: Vec<Instance>,
    /// The opaque elements that each claim reads.
    pub readings: Vec<Vec<induction::OpaqueRead>>,
    /// Whether the claims mean something only together, by induction. A claim that fails then says nothing.
    pub is_inductive: bool,
}

/// The treatment of variables that depend on themselves.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Recurrences {
    /// They are inlined, if they end.
    #[default]
    Unrolled,
    /// They are inlined separately for each element of the outputs.
    ByElement,
    /// They are opaque, or replaced by each other according to lemmas.
    Induction(Induction),
}

/// The claims about each output, for the parameters that the first system allows; some have given values.
///
/// # Errors
/// The systems do not declare the same outputs, or one of them cannot be lowered.
pub fn claims(
    parts: [&Part<'_>; 2],
    fixed: &BTreeMap<String, i64>,
    arithmetic: (Division, Machine),
    recurrences: &Recurrences,
) -> Result<Claims, Refused> {
    CoreLowering::new(parts, fixed, arithmetic, recurrences).claims()
}

/// The parameters without a value, and the condition under which the first system allows them.
///
/// # Errors
/// The domain of the parameters cannot be lowered.
pub fn sizes(
    parts: [&Part<'_>; 2],
    fixed: &BTreeMap<String, i64>,
) -> Result<(Program, Vec<Variable>, Condition), Refused> {
    let mut lowering = CoreLowering::new(parts, fixed, Default::default(), &Recurrences::Unrolled);
    let allowed = lowering.assumptions()?;
    Ok((lowering.program, lowering.symbols, allowed))
}

/// The points at which an output is compared.
enum ComparedPoints {
    /// Everywhere in its domain.
    Any(Vec<Variable>),
    /// One point.
    Element(Vec<i64>),
}

/// `D(e)` at the points seen so far: by system, expression, point, and the number of the first fresh variable.
type Regions = FxHashMap<(usize, ExprId, Vec<Index>, u32), Region>;

struct CoreLowering<'a> {
    parts: [&'a Part<'a>; 2],
    side: usize,
    program: Program,
    symbols: Vec<Variable>,
    parameters: FxHashMap<String, Index>,
    /// The parameters with given values.
    fixed: Vec<String>,
    /// The inputs by name, with their domains over these variables.
    inputs: FxHashMap<String, (InputId, Vec<Variable>, Condition)>,
    requirements: Vec<Requirement>,
    /// The conditions under which the current element is evaluated.
    context: Condition,
    known: FxHashMap<(usize, ExprId, Vec<Index>, Condition), NodeId>,
    regions: RefCell<Regions>,
    recurrences: &'a Recurrences,
    /// Whether each variable of each system depends on itself.
    recurrent: [Vec<bool>; 2],
    /// The rank of the element that a lemma claims.
    proving: Option<induction::StageAndRank>,
    /// The rank of the element whose dependences are checked.
    ranking: Option<induction::StageAndRank>,
    readings: Vec<induction::OpaqueRead>,
    /// Requirements on which both systems must agree: the domains of inputs.
    interface: Vec<Requirement>,
    /// The variables under inlining.
    active: Vec<(usize, VariableId)>,
    depth: usize,
    elements: usize,
}

/// A claim, with what each side requires.
type RequiredClaim = (PointwiseClaim, [Vec<Requirement>; 2]);

/// The claims so far, and what the element of each reads.
#[derive(Default)]
struct ClaimList {
    claims: Vec<RequiredClaim>,
    readings: Vec<Vec<induction::OpaqueRead>>,
}

impl ClaimList {
    fn add(&mut self, lowering: &mut CoreLowering<'_>, mut claim: RequiredClaim) {
        claim.1[0].append(&mut lowering.interface);
        self.claims.push(claim);
        self.readings.push(std::mem::take(&mut lowering.readings));
        // The requirements of an element depend on the lemma that is claimed.
        if matches!(lowering.recurrences, Recurrences::Induction(_)) {
            lowering.known.clear();
        }
    }
}

impl<'a> CoreLowering<'a> {
    fn new(
        parts: [&'a Part<'a>; 2],
        fixed: &BTreeMap<String, i64>,
        (division, machine): (Division, Machine),
        recurrences: &'a Recurrences,
    ) -> CoreLowering<'a> {
        let mut program = Program::with_division(division).on(machine);
        let (mut symbols, mut parameters) = (Vec::new(), FxHashMap::default());
        for name in parts.iter().flat_map(|part| part.system.parameters.iter()) {
            parameters.entry(name.to_string()).or_insert_with(|| match fixed.get(&**name) {
                Some(&value) => Index::from(value),
                None => {
                    symbols.push(program.variable(name));
                    Index::from(symbols[symbols.len() - 1])
                }
            });
        }
        CoreLowering {
            parts,
            side: 0,
            program,
            symbols,
            parameters,
            fixed: fixed.keys().cloned().collect(),
            inputs: FxHashMap::default(),
            requirements: Vec::new(),
            context: Condition::always(),
            known: FxHashMap::default(),
            regions: RefCell::default(),
            recurrences,
            recurrent: parts.map(|part| recurrent(part.system)),
            proving: None,
            ranking: None,
            readings: Vec::new(),
            interface: Vec::new(),
            active: Vec::new(),
            depth: 0,
            elements: 0,
        }
    }

    fn claims(&mut self) -> Result<Claims, Refused> {
        self.same_parameters()?;
        let assumptions = self.assumptions()?;
        if let Recurrences::Induction(induction) = self.recurrences {
            self.scoped(induction)?;
        }
        // The indices of points come first, so that their numbers do not depend on unfolding.
        let of_outputs = self.output_points()?;
        let of_lemmas = self.lemma_points();
        let mut list = ClaimList::default();
        self.output_claims(&assumptions, of_outputs, &mut list)?;
        if let Recurrences::Induction(induction) = self.recurrences {
            self.inductive_claims(induction, &assumptions, of_lemmas, &mut list)?;
        }
        let instance = |(claim, requirements): RequiredClaim| Instance {
            choices: Vec::new(),
            program: self.program.clone(),
            symbols: self.symbols.clone(),
            sizes: self.symbols.iter().map(|&v| (v, self.program.name(v))).collect(),
            assumptions: assumptions.clone(),
            requirements,
            claim,
            implied: Condition::always(),
            is_rule: false,
            beside: Vec::new(),
            given: Vec::new(),
            laws: Vec::new(),
        };
        let instances = list.claims.into_iter().map(instance).collect();
        let is_inductive = matches!(self.recurrences, Recurrences::Induction(_));
        Ok(Claims { instances, readings: list.readings, is_inductive })
    }

    /// The claims about each output, at each of its points.
    fn output_claims(
        &mut self,
        assumptions: &Condition,
        of_outputs: Vec<Vec<ComparedPoints>>,
        list: &mut ClaimList,
    ) -> Result<(), Refused> {
        let parts = self.parts;
        let compared = seeded(Seeded::OutputForgotten, parts[0].outputs.len(), || parts[0].outputs.len() - 1);
        for ((name, x), points) in parts[0].outputs.iter().zip(of_outputs).take(compared) {
            let Some((_, y)) = parts[1].outputs.iter().find(|(other, _)| other == name) else {
                return self
                    .refuse(parts[0].system.variable(*x).span, format!("only the first one has `{name}`"));
            };
            if *self.recurrences == Recurrences::ByElement {
                let elements = self.same_domain(name, [*x, *y])?;
                list.add(self, elements);
            }
            for at in points {
                let element = self.claim(name, [*x, *y], assumptions, at)?;
                list.add(self, element);
            }
        }
        let is_new = |(name, _): &&(String, VariableId)| parts[0].outputs.iter().all(|(x, _)| x != name);
        if let Some((name, y)) = parts[1].outputs.iter().find(is_new)
            && !Seeded::OutputMissing.is_in()
        {
            self.side = 1;
            return self
                .refuse(parts[1].system.variable(*y).span, format!("only the second one has `{name}`"));
        }
        Ok(())
    }

    /// The claims about lemmas, and that every dependence of a variable on itself lowers its rank.
    fn inductive_claims(
        &mut self,
        induction: &Induction,
        assumptions: &Condition,
        of_lemmas: Vec<Vec<Variable>>,
        list: &mut ClaimList,
    ) -> Result<(), Refused> {
        let claimed = seeded(Seeded::LemmaForgotten, of_lemmas.len(), || of_lemmas.len().saturating_sub(1));
        for (number, point) in of_lemmas.into_iter().enumerate().take(claimed) {
            let lemma = self.lemma(induction, number, point, assumptions)?;
            list.add(self, lemma);
        }
        for (side, part) in self.parts.into_iter().enumerate() {
            self.side = side;
            for x in part.system.variable_ids() {
                if self.recurrent[side][x.index()] && !Seeded::DependencesForgotten.is_in() {
                    let dependences = self.well_founded(induction, x)?;
                    list.add(self, dependences);
                }
            }
        }
        Ok(())
    }

    fn same_parameters(&mut self) -> Result<(), Refused> {
        let parts = self.parts;
        for (side, word) in [(0, "first"), (1, "second")] {
            let theirs = parts[1 - side].system.declared_parameters();
            let mine = parts[side].system.declared_parameters();
            if let Some(name) = mine.iter().find(|name| !theirs.contains(name)) {
                self.side = side;
                return self
                    .refuse(Span::default(), format!("only the {word} one has the parameter `{name}`"));
            }
        }
        let known = |name: &String| self.parameters.contains_key(name);
        match self.fixed.iter().find(|name| !known(name)).cloned() {
            Some(name) => self.refuse(Span::default(), format!("there is no parameter `{name}`")),
            None => Ok(()),
        }
    }

    /// Fresh indices for a point, with these names as far as they are not taken.
    fn fresh(&mut self, names: &[Name]) -> (Vec<Variable>, Vec<Index>) {
        names.iter().map(|name| self.program.variable(name)).map(|v| (v, Index::from(v))).unzip()
    }

    /// The claim that two nodes are the same at all points that satisfy a condition.
    fn claimed(
        &self,
        name: String,
        about: About,
        point: Vec<Variable>,
        filter: Condition,
        sides: [NodeId; 2],
        assumptions: &Condition,
    ) -> PointwiseClaim {
        let known = Condition::all([assumptions.clone(), filter.clone()]);
        let bounds = point.iter().map(|&v| regions::bounds_of(v, &known, &self.symbols)).collect();
        PointwiseClaim { name: name.into(), about, point, bounds, filter, sides }
    }

    fn system(&self) -> &'a System {
        self.parts[self.side].system
    }

    fn refuse<T>(&self, span: Span, reason: impl Into<String>) -> Result<T, Refused> {
        Err(Refused { side: self.side, span, reason: reason.into(), is_endless: false })
    }

    /// The condition of the first system on its parameters.
    fn assumptions(&mut self) -> Result<Condition, Refused> {
        self.side = 0;
        let allowed = self.allowed()?;
        if Seeded::AssumedLarge.is_in() {
            let large = self.parameters.values().map(|p| Condition::at_most(&Index::from(3), p));
            return Ok(Condition::all(large.chain([allowed]).collect::<Vec<_>>()));
        }
        Ok(allowed)
    }

    fn allowed(&self) -> Result<Condition, Refused> {
        let at: Vec<Index> =
            self.system().declared_parameters().iter().map(|name| self.parameters[&**name].clone()).collect();
        self.system().parameter_domain.map_or(Ok(Condition::always()), |d| self.domain(d, &at))
    }

    /// The claim about an output, with the requirements of each side: those of the second include that it exists
    /// exactly where the first does.
    fn claim(
        &mut self,
        name: &str,
        [x, y]: [VariableId; 2],
        assumptions: &Condition,
        point: ComparedPoints,
    ) -> Result<(PointwiseClaim, [Vec<Requirement>; 2]), Refused> {
        self.side = 0;
        let (rank, output) = (self.system().variable_rank(x), name);
        let (name, point, at): (String, Vec<Variable>, Vec<Index>) = match point {
            ComparedPoints::Any(point) => {
                let at = point.iter().map(|&v| Index::from(v)).collect();
                (name.to_owned(), point, at)
            }
            ComparedPoints::Element(element) => {
                let at = element.iter().map(|&i| Index::from(i)).collect();
                (format!("{name}{element:?}"), Vec::new(), at)
            }
        };
        let mine = self.declared(x, &at)?;
        let left = self.under(mine.clone(), |this| this.variable(x, &at))?;
        let of_left = std::mem::take(&mut self.requirements);
        self.side = 1;
        let span = self.system().variable(y).span;
        if self.system().variable_rank(y) != rank
            || self.system().variable(y).data_type != self.parts[0].system.variable(x).data_type
        {
            return self.refuse(span, format!("`{name}` is of another type"));
        }
        let allowed = self.allowed()?;
        self.require(seeded(Seeded::SecondParameters, allowed, Condition::always), span);
        let theirs = self.declared(y, &at)?;
        // That the second has all elements of the first is a requirement of reading them there.
        let of_first = seeded(Seeded::FirstDomain, mine.clone(), Condition::always);
        self.under(theirs, |this| this.require(of_first, span));
        let right = self.under(mine.clone(), |this| this.variable(y, &at))?;
        let of_right = std::mem::take(&mut self.requirements);
        let about = About::Output(output.into(), at);
        let claim = self.claimed(name, about, point, mine, [left, right], assumptions);
        Ok((claim, [of_left, of_right]))
    }

    /// The requirement that an output has the same elements in both systems, as part of a trivial claim.
    fn same_domain(
        &mut self,
        name: &str,
        [x, y]: [VariableId; 2],
    ) -> Result<(PointwiseClaim, [Vec<Requirement>; 2]), Refused> {
        let rank = self.parts[0].system.variable_rank(x);
        let span = self.parts[1].system.variable(y).span;
        if self.parts[1].system.variable_rank(y) != rank {
            return self.refuse(span, format!("`{name}` is of another type"));
        }
        let at: Vec<Index> = (0..rank).map(|_| Index::from(self.program.variable("i"))).collect();
        let mut domains = Vec::new();
        for (side, variable) in [x, y].into_iter().enumerate() {
            self.side = side;
            domains.push(self.declared(variable, &at)?);
        }
        let both = [[0, 1], [1, 0]].map(|[a, b]| Requirement {
            context: domains[a].clone(),
            condition: domains[b].clone(),
            span,
            needs: None,
        });
        let claim = self.nothing(format!("elements of {name}"), About::Extent(name.into()));
        Ok((claim, [Vec::new(), both.into()]))
    }

    /// A trivial claim, which carries requirements.
    fn nothing(&mut self, name: String, about: About) -> PointwiseClaim {
        let truth = self.program.add(Node::Truth(true), ElementType::Boolean);
        let (point, bounds, filter) = (Vec::new(), Vec::new(), Condition::always());
        PointwiseClaim { name: name.into(), about, point, bounds, filter, sides: [truth; 2] }
    }

    /// For each output, the places of comparison: everywhere, or each element separately.
    fn output_points(&mut self) -> Result<Vec<Vec<ComparedPoints>>, Refused> {
        let part = self.parts[0];
        let places = |&(_, x): &(String, VariableId)| match self.recurrences {
            Recurrences::ByElement => self.elements_of(x),
            _ => Ok(vec![ComparedPoints::Any(self.fresh(part.system.index_names(x)).0)]),
        };
        part.outputs.iter().map(places).collect()
    }

    /// Names for the indices of a lemma, which may come from a certificate: those of its variable, if it has as many.
    fn names_of(&self, lemma: &induction::InductionLemma) -> Vec<Name> {
        let rank = lemma.point.len();
        let system = self.parts.get(lemma.side).map(|part| part.system);
        let known = system.and_then(|system| Some(system.index_names(system.find(&lemma.variables[0])?)));
        known.filter(|names| names.len() == rank).map_or_else(|| dimension_names(rank), <[Name]>::to_vec)
    }

    fn lemma_points(&mut self) -> Vec<Vec<Variable>> {
        match self.recurrences {
            Recurrences::Induction(induction) => {
                induction.lemmas.iter().map(|lemma| self.fresh(&self.names_of(lemma)).0).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The elements of an output: every point of a box around its domain, except for those outside for all
    /// parameters. An element that exists for some parameters only is claimed for those.
    fn elements_of(&mut self, x: VariableId) -> Result<Vec<ComparedPoints>, Refused> {
        self.side = 0;
        let variables: Vec<Variable> =
            (0..self.system().variable_rank(x)).map(|_| self.program.variable("i")).collect();
        let at: Vec<Index> = variables.iter().map(|&v| Index::from(v)).collect();
        let domain = self.declared(x, &at)?;
        let Some(points) = points_of_box(&variables, &domain) else {
            let reason = "more elements than can be looked at one by one";
            return self.refuse(self.system().variable(x).span, reason);
        };
        let is_outside = |point: &Vec<i64>| {
            let value = |v: Variable| variables.iter().position(|w| *w == v).map(|k| Index::from(point[k]));
            let there = domain.substitute(&value);
            seeded(Seeded::ElementsAlways, there.is_never(), || !there.is_always())
        };
        Ok(points.into_iter().filter(|point| !is_outside(point)).map(ComparedPoints::Element).collect())
    }
}

/// The points of a box with numeric bounds around a domain, if there are at most [`MAX_POINTS`].
fn points_of_box(variables: &[Variable], domain: &Condition) -> Option<Vec<Vec<i64>>> {
    let mut points = vec![Vec::new()];
    for &v in variables {
        let number = |p: &Index| i64::try_from(p.as_constant()?).ok();
        let [lower, upper] = regions::bounds_of(v, domain, &[]);
        let [lower, upper] = [number(lower.as_ref()?)?, number(upper.as_ref()?)?];
        let upper = seeded(Seeded::ElementsBox, upper, || upper - 1);
        if upper.saturating_sub(lower).saturating_mul(points.len() as i64) > MAX_POINTS {
            return None;
        }
        points = points
            .iter()
            .flat_map(|p: &Vec<i64>| (lower..upper).map(move |i| [&p[..], &[i]].concat()))
            .collect();
    }
    Some(points)
}

/// Whether each variable depends on itself.
fn recurrent(system: &System) -> Vec<bool> {
    let mut recurrent = vec![false; system.variables.len()];
    for x in Uses::new(system).cycles().into_iter().flatten() {
        recurrent[x.index()] = true;
    }
    recurrent
}
