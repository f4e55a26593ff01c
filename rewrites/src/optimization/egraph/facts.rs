//! The analysis of an e-graph: `Type(e)` and `Domain(e)` of every class.

use super::language::{ConstantId, ENode, Head, MapId};
use super::maps;
use super::matching::Match;
use alpha::domains::{Domains, Sets};
use alpha::patterns::dimension_names;
use alpha::syntax::{DomainId, ExprId, Expression, System, VariableId};
use base::identifiers::identifier;
use egg::{Analysis, DidMerge, EGraph, Id};
use link::statements::rules::OfRule;
use polyhedra::{Affine, AffineMap, Engine, EngineError, IndexSet, Interner, SetId};
use rustc_hash::FxHashMap;
use selfsame_core::operators::{Constant, ElementType};
use selfsame_core::operators::{binary_type, unary_type};
use std::cell::{Cell, RefCell};
use std::hash::Hash;
use values::SystemName;

/// The e-graph of a system's expressions.
pub type ExpressionGraph<'a> = EGraph<ENode, Facts<'a>>;

/// The fact about a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fact {
    /// A set.
    Set(SetId),
    /// A map.
    Map(MapId),
    /// An expression, with its domain and type.
    Value {
        /// `Domain(e)`, for the parameters of the context; `None` if the engine is out of budget.
        domain: Option<SetId>,
        /// `Type(e)`
        data_type: ElementType,
    },
}

impl Fact {
    /// Whether the class is an expression of truth values.
    pub fn is_truth(self) -> bool {
        matches!(self, Fact::Value { data_type: ElementType::Boolean, .. })
    }
}

/// The sides that are known of a square `g ∘ f' = f ∘ g'`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Square {
    /// `f` and `g`: `f'` and `g'` are those of [`maps::pullback`].
    Pullback,
    /// `f'` and `g'`: `f` and `g` are those of [`maps::pushout`].
    Pushout,
}

/// The sets, maps and constants of an e-graph, and the derivation of facts from facts.
pub struct Facts<'a> {
    /// The engine that decides about sets.
    pub engine: &'a dyn Engine,
    /// The system whose expressions the e-graph contains.
    pub system: &'a System,
    /// The number system whose laws are used, once a rewrite uses one.
    pub values: Option<SystemName>,
    /// The allowed values of the parameters.
    context: IndexSet,
    /// The declared domains of variables.
    declared: Vec<IndexSet>,
    sets: Interner,
    maps: Vec<AffineMap>,
    map_ids: FxHashMap<AffineMap, MapId>,
    left_factors: FxHashMap<[MapId; 2], Option<MapId>>,
    splits: FxHashMap<MapId, Vec<(MapId, MapId)>>,
    squares: FxHashMap<(Square, [MapId; 2]), Option<[MapId; 2]>>,
    constants: Vec<Constant>,
    /// Caches of intersections, preimages and images.
    meets: RefCell<FxHashMap<(IndexSet, IndexSet), IndexSet>>,
    preimages: RefCell<FxHashMap<(IndexSet, AffineMap), IndexSet>>,
    images: RefCell<FxHashMap<(IndexSet, AffineMap), IndexSet>>,
    /// A cache of the sizes found for matches of rules.
    pub sized: FxHashMap<(*const OfRule, Match), Option<Match>>,
    /// A cache of the maxima of affine functions on sets, as functions of the parameters and of the given number
    /// of leading indices.
    pub greatest: FxHashMap<(SetId, Affine, usize), Option<Affine>>,
    /// A cache of inclusions between sets.
    pub parts: FxHashMap<(SetId, IndexSet), bool>,
    /// The remaining number of comparisons of patterns with classes in this search.
    pub comparisons: Cell<usize>,
    /// Classes that were merged although their facts differ: each is a rewrite that does not hold.
    pub conflicts: Vec<[Fact; 2]>,
}

impl<'a> Facts<'a> {
    /// Starts with the declarations of a system.
    pub fn new(system: &'a System, domains: &Domains, engine: &'a dyn Engine) -> Facts<'a> {
        Facts {
            engine,
            system,
            values: None,
            context: domains.context().clone(),
            declared: system.variable_ids().map(|x| domains.declared(x).clone()).collect(),
            sets: Interner::default(),
            maps: Vec::new(),
            map_ids: FxHashMap::default(),
            left_factors: FxHashMap::default(),
            splits: FxHashMap::default(),
            squares: FxHashMap::default(),
            constants: Vec::new(),
            meets: RefCell::default(),
            preimages: RefCell::default(),
            images: RefCell::default(),
            sized: FxHashMap::default(),
            greatest: FxHashMap::default(),
            parts: FxHashMap::default(),
            comparisons: Cell::new(usize::MAX),
            conflicts: Vec::new(),
        }
    }

    /// The identifier of a set, restricted to the parameters of the context.
    ///
    /// # Errors
    /// The engine is out of budget.
    pub fn set_id(&mut self, set: &IndexSet) -> Result<SetId, EngineError> {
        let within = self.in_context(set)?;
        self.sets.intern(self.engine, &within)
    }

    /// The set, restricted to the parameters of the context.
    ///
    /// # Errors
    /// The engine is out of budget.
    pub fn in_context(&self, set: &IndexSet) -> Result<IndexSet, EngineError> {
        self.meet(set, &self.context.parameters_in(&set.space))
    }

    /// The identifier of a map; the names of its dimensions make no difference.
    pub fn map_id(&mut self, map: &AffineMap) -> MapId {
        let dimensions = dimension_names(map.space.rank());
        let map = AffineMap { space: map.space.with_dimensions(dimensions), ..map.clone() };
        let new = MapId(identifier(self.maps.len()));
        *self.map_ids.entry(map).or_insert_with_key(|map| {
            self.maps.push(map.clone());
            new
        })
    }

    /// Whether the map is `z ↦ z`.
    pub fn is_identity(&self, map: MapId) -> bool {
        self.map(map).is_identity()
    }

    /// `f ∘ g`
    pub fn composition(&mut self, f: MapId, g: MapId) -> Option<MapId> {
        let both = self.map(f).after(self.map(g)).ok()?;
        Some(self.map_id(&both))
    }

    /// `f` with `h = f ∘ g`, if there is one.
    pub fn left_factor(&mut self, h: MapId, g: MapId) -> Option<MapId> {
        if let Some(known) = self.left_factors.get(&[h, g]) {
            return *known;
        }
        let factor = maps::left_factor(self.map(h), self.map(g)).map(|f| self.map_id(&f));
        self.left_factors.insert([h, g], factor);
        factor
    }

    /// `g` with `h = f ∘ g`, for an invertible `f`.
    pub fn right_factor(&mut self, h: MapId, f: MapId) -> Option<MapId> {
        let factor = maps::right_factor(self.map(h), self.map(f))?;
        Some(self.map_id(&factor))
    }

    /// Factorizations `h = f ∘ g` where `g` drops one coordinate.
    pub fn splits(&mut self, h: MapId) -> Vec<(MapId, MapId)> {
        if let Some(known) = self.splits.get(&h) {
            return known.clone();
        }
        let splits = maps::splits(self.map(h)).into_iter();
        let splits: Vec<(MapId, MapId)> = splits.map(|(f, g)| (self.map_id(&f), self.map_id(&g))).collect();
        self.splits.insert(h, splits.clone());
        splits
    }

    /// The other two sides of a square of which two are known, if there are any.
    pub fn completed(&mut self, square: Square, sides: [MapId; 2]) -> Option<[MapId; 2]> {
        if let Some(known) = self.squares.get(&(square, sides)) {
            return *known;
        }
        let [a, b] = sides.map(|id| self.map(id));
        let others = match square {
            Square::Pullback => maps::pullback(a, b),
            Square::Pushout => maps::pushout(a, b),
        };
        let others = others.map(|(a, b)| [self.map_id(&a), self.map_id(&b)]);
        self.squares.insert((square, sides), others);
        others
    }

    /// The identifier of a constant.
    pub fn constant_id(&mut self, constant: &Constant) -> ConstantId {
        let at = self.constants.iter().position(|other| other == constant).unwrap_or_else(|| {
            self.constants.push(constant.clone());
            self.constants.len() - 1
        });
        ConstantId(identifier(at))
    }

    /// The set of an identifier.
    pub fn set(&self, id: SetId) -> &IndexSet {
        self.sets.set(id)
    }

    /// A simple form of the set with an identifier that equals it for the parameters of the context; `None` if the
    /// engine is out of budget.
    pub fn written(&self, id: SetId) -> Option<IndexSet> {
        self.simplified(self.set(id))
    }

    /// A simpler set that equals this one for the parameters of the context; `None` if the engine is out of
    /// budget.
    pub fn simplified(&self, set: &IndexSet) -> Option<IndexSet> {
        self.engine.gist(set, &self.context.parameters_in(&set.space)).ok()
    }

    /// The map of an identifier.
    pub fn map(&self, id: MapId) -> &AffineMap {
        &self.maps[id.0 as usize]
    }

    /// The constant of an identifier.
    pub fn constant(&self, id: ConstantId) -> &Constant {
        &self.constants[id.0 as usize]
    }

    /// `Type(e)` of a well-typed term, from the types of its operands.
    fn data_type(&self, head: Head, operands: &[Fact]) -> Option<ElementType> {
        let of = |k: usize| match operands.get(k) {
            Some(Fact::Value { data_type, .. }) => Some(*data_type),
            _ => None,
        };
        match head {
            Head::Set(_) | Head::Map(_) => None,
            Head::Constant(c) => Some(self.constant(c).data_type()),
            Head::Variable(x) => Some(self.system.variable(x).data_type),
            Head::Unary(operator) => unary_type(operator, of(0)?),
            Head::Binary(operator) => binary_type(operator, of(0)?),
            Head::If | Head::Restrict | Head::Reduce(_) => of(1),
            Head::Case | Head::Dependence => of(0),
            Head::ReduceOver(_) => of(2),
            Head::Call(f) => Some(self.system.function(f).result),
            Head::Intrinsic(intrinsic) => {
                let types: Option<Vec<ElementType>> = (0..operands.len()).map(of).collect();
                intrinsic.result(&types?)
            }
            Head::Index(of) => Some(of),
        }
    }

    /// `Domain(e)`, from the domains of its operands; `None` if the engine is out of budget. Operands are named by
    /// their places.
    fn domain(&mut self, term: &ENode, operands: &[Fact]) -> Option<SetId> {
        let map = |k: usize| match operands.get(k) {
            Some(Fact::Map(id)) => Some(self.map(*id).clone()),
            _ => None,
        };
        let set = &mut |k: usize| Some(DomainId::at(k));
        let expression =
            self.expression(term, OperandAccess { of: &|k| Some(ExprId::at(k)), map: &map, set })?;
        let set = TermOperands { facts: self, operands }.expression(&expression).ok()?;
        self.set_id(&set).ok()
    }

    /// The term as an expression of its operands; `None` if it is a set or a map, or if its operands are not of
    /// the right kind.
    pub fn expression(&self, term: &ENode, operands: OperandAccess<'_>) -> Option<Expression> {
        let OperandAccess { of, map, set } = operands;
        let all = || (0..term.operands.len()).map(of).collect::<Option<Vec<ExprId>>>();
        Some(match term.head {
            Head::Set(_) | Head::Map(_) => return None,
            Head::Constant(c) => Expression::Constant(self.constant(c).clone()),
            Head::Variable(x) => Expression::Variable(x),
            Head::Unary(operator) => Expression::Unary(operator, of(0)?),
            Head::Binary(operator) => Expression::Binary(operator, [of(0)?, of(1)?]),
            Head::If => Expression::If([of(0)?, of(1)?, of(2)?]),
            Head::Case => Expression::Case(all()?),
            Head::Restrict => Expression::Restrict(set(0)?, of(1)?),
            Head::Dependence => Expression::Dependence(of(0)?, map(1)?),
            Head::Reduce(operator) => Expression::Reduce(operator, map(0)?, of(1)?),
            Head::ReduceOver(operator) => Expression::ReduceOver(operator, map(0)?, set(1)?, of(2)?),
            Head::Call(f) => Expression::Call(f, all()?),
            Head::Intrinsic(intrinsic) => Expression::Intrinsic(intrinsic, all()?),
            Head::Index(of) => Expression::Index(map(0)?, of),
        })
    }

    fn meet(&self, a: &IndexSet, b: &IndexSet) -> Result<IndexSet, EngineError> {
        if a == b {
            return Ok(a.clone());
        }
        once(&self.meets, (a, b), || self.engine.intersection(a, b))
    }
}

/// Access to the operands of a term, by their places.
pub struct OperandAccess<'t> {
    /// The operand as an expression.
    pub of: &'t dyn Fn(usize) -> Option<ExprId>,
    /// The operand as a map.
    pub map: &'t dyn Fn(usize) -> Option<AffineMap>,
    /// The operand as a set, added to the source's domains.
    pub set: &'t mut dyn FnMut(usize) -> Option<DomainId>,
}

/// A term whose operands are named by their places.
struct TermOperands<'a, 'b> {
    facts: &'b Facts<'a>,
    operands: &'b [Fact],
}

impl Sets for TermOperands<'_, '_> {
    fn context(&self) -> &IndexSet {
        &self.facts.context
    }

    fn written(&self, d: DomainId) -> &IndexSet {
        match self.operands[d.index()] {
            Fact::Set(id) => self.facts.set(id),
            _ => &self.facts.context,
        }
    }

    fn declared(&self, x: VariableId) -> &IndexSet {
        &self.facts.declared[x.index()]
    }

    fn domain(&self, e: ExprId) -> &IndexSet {
        match self.operands[e.index()] {
            Fact::Value { domain: Some(id), .. } => self.facts.set(id),
            _ => &self.facts.context,
        }
    }

    fn meet(&self, a: &IndexSet, b: &IndexSet) -> Result<IndexSet, EngineError> {
        self.facts.meet(a, b)
    }

    fn join(&self, a: &IndexSet, b: &IndexSet) -> Result<IndexSet, EngineError> {
        self.facts.engine.union(a, b)
    }

    fn preimage(&self, a: &IndexSet, f: &AffineMap) -> Result<IndexSet, EngineError> {
        once(&self.facts.preimages, (a, f), || self.facts.engine.coalesce(&a.preimage(f)?))
    }

    fn image(&self, a: &IndexSet, f: &AffineMap) -> Result<IndexSet, EngineError> {
        once(&self.facts.images, (a, f), || self.facts.engine.image(a, f))
    }
}

/// Computes a set once and caches it.
fn once<T: Clone + Eq + Hash>(
    known: &RefCell<FxHashMap<(IndexSet, T), IndexSet>>,
    (a, b): (&IndexSet, &T),
    compute: impl FnOnce() -> Result<IndexSet, EngineError>,
) -> Result<IndexSet, EngineError> {
    let key = (a.clone(), b.clone());
    if let Some(set) = known.borrow().get(&key) {
        return Ok(set.clone());
    }
    let set = compute()?;
    known.borrow_mut().insert(key, set.clone());
    Ok(set)
}

impl Analysis<ENode> for Facts<'_> {
    type Data = Fact;

    fn make(graph: &mut ExpressionGraph<'_>, term: &ENode, _: Id) -> Fact {
        let operands: Vec<Fact> = term.operands.iter().map(|&operand| graph[operand].data).collect();
        let facts = &mut graph.analysis;
        match term.head {
            Head::Set(id) => Fact::Set(id),
            Head::Map(id) => Fact::Map(id),
            head => {
                let known = |fact: &Fact| !matches!(fact, Fact::Value { domain: None, .. });
                let domain = if operands.iter().all(known) { facts.domain(term, &operands) } else { None };
                // Terms are well-typed: each belongs to a well-typed system or to an instance of a theorem.
                let data_type = facts.data_type(head, &operands).unwrap_or(ElementType::Boolean);
                Fact::Value { domain, data_type }
            }
        }
    }

    fn merge(&mut self, a: &mut Fact, b: Fact) -> DidMerge {
        if let (Fact::Value { domain, data_type }, Fact::Value { domain: other, data_type: same }) = (*a, b) {
            let merged = Fact::Value { domain: domain.or(other), data_type };
            let conflict = data_type != same || domain.zip(other).is_some_and(|(one, other)| one != other);
            if !conflict {
                let changed = DidMerge(*a != merged, b != merged);
                *a = merged;
                return changed;
            }
        }
        if *a != b {
            self.conflicts.push([*a, b]);
            debug_assert!(false, "classes that differ became one: {a:?}, {b:?}");
        }
        DidMerge(false, false)
    }
}
