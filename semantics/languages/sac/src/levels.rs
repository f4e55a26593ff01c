//! The binding scope analysis (§6.1): how much of its arguments a function needs for how much of its result.
//!
//! Conventions: levels `N ⊑ D ⊑ S ⊑ F`: nothing, the number of axes, the shape, the value; `D_X(f)`: for each parameter of `f` the level that the level `X`
//! of its result needs, the *propagation vector*. The paper defers their inference to its seventh reference; here they are the least fixpoint of the demands below, from `N`
//! everywhere, for recursive functions, too.
//! ```text
//! variable      X of x needs X of x                       constant       nothing
//! shape(a)      F needs S of a, S needs D, D nothing      dim(a)         F needs D of a, S and D nothing
//! sel(iv, a)    F needs F of both, S and D nothing        a[iv]          F needs F of both, S needs S of both, D needs D of a and S of iv
//! genarray      F needs F of all; S needs F of the shape and S of the default element; D needs S of the shape and D of the default element
//! modarray      S needs S of the array, D needs D         fold           S needs S of the neutral element, D needs D
//! c ? a : b     X needs F of c, X of a and X of b         x = e          X of x needs X of e
//! f(e)          X needs D_X(f) of the arguments; where arguments choose one of several functions, at least D of them
//! ```

use crate::functions::{FunctionRef, Functions, Unit};
use crate::primitives::Primitive;
use crate::syntax::{
    Bound, ExprId, Expression, File, Function, FunctionId, Generator, Name, Operator, Statement, StatementId,
    WithLoop,
};
use rustc_hash::FxHashMap;

/// How much of a value is known, or needed (§6.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Nothing.
    #[default]
    N,
    /// The number of axes.
    D,
    /// The shape.
    S,
    /// The value.
    F,
}

impl Level {
    /// All levels, from the lowest.
    pub const ALL: [Level; 4] = [Level::N, Level::D, Level::S, Level::F];
}

/// `D_X(f)` for each level `X`, in order, and each parameter.
pub type Propagation = [Vec<Level>; 4];

/// The propagation vectors of functions.
#[derive(Clone, Debug, Default)]
pub struct Levels {
    vectors: FxHashMap<FunctionRef, Propagation>,
}

impl Levels {
    /// `D_X(f)` (§6.1)
    pub fn of(&self, function: FunctionRef, level: Level) -> &[Level] {
        self.vectors.get(&function).map_or(&[], |of| of[level as usize].as_slice())
    }
}

/// The propagation vectors of the functions of files without comprehensions, each with its unit and the functions that it may call.
pub fn levels(files: &[(Unit, &File, &Functions)]) -> Levels {
    let mut levels = Levels::default();
    for (unit, file, _) in files {
        for (at, function) in file.functions.iter().enumerate() {
            let of = FunctionRef { unit: *unit, function: FunctionId::at(at) };
            let nothing = vec![Level::N; function.parameters.len()];
            levels.vectors.insert(of, [nothing.clone(), nothing.clone(), nothing.clone(), nothing]);
        }
    }
    // Demands only grow, and there are finitely many.
    loop {
        let mut is_changed = false;
        for (unit, file, functions) in files {
            for (at, function) in file.functions.iter().enumerate() {
                let of = FunctionRef { unit: *unit, function: FunctionId::at(at) };
                let found = Level::ALL.map(|level| {
                    base::stack::on_large_stack(|| Demand::of(file, functions, &levels, function, level))
                });
                is_changed = is_changed || levels.vectors.get(&of) != Some(&found);
                levels.vectors.insert(of, found);
            }
        }
        if !is_changed {
            return levels;
        }
    }
}

/// What is demanded of variables, by their names.
type Demanded = FxHashMap<Name, Level>;

struct Demand<'a> {
    file: &'a File,
    functions: &'a Functions,
    levels: &'a Levels,
    demanded: Demanded,
}

impl Demand<'_> {
    /// What a level of a function's results needs of its parameters.
    fn of(
        file: &File,
        functions: &Functions,
        levels: &Levels,
        function: &Function,
        level: Level,
    ) -> Vec<Level> {
        let mut demand = Demand { file, functions, levels, demanded: Demanded::default() };
        for &value in &function.returns {
            demand.expression(value, level);
        }
        demand.statements(&function.body);
        let level = |name: &Name| demand.demanded.get(name).copied().unwrap_or_default();
        // What is needed of a named extent is needed of the shape that says it.
        let of_extents = function.extents.iter().any(|extent| level(&extent.name) > Level::N);
        let of_parameter = |parameter: &crate::syntax::Parameter| {
            let own = level(&parameter.binding.name);
            if of_extents && parameter.of.names_extents() { own.max(Level::S) } else { own }
        };
        function.parameters.iter().map(of_parameter).collect()
    }

    fn demand(&mut self, name: &Name, level: Level) {
        let known = self.demanded.entry(name.clone()).or_default();
        *known = level.max(*known);
    }

    fn all(&mut self, of: &[ExprId], level: Level) {
        of.iter().for_each(|e| self.expression(*e, level));
    }

    fn expression(&mut self, e: ExprId, level: Level) {
        if level == Level::N {
            return;
        }
        base::stack::growing(|| match self.file.expression(e) {
            Expression::Number(..) | Expression::Truth(_) => {}
            Expression::Variable(name) => self.demand(name, level),
            Expression::Array(of) => self.all(of, level),
            Expression::Call(name, arguments) => {
                let of_arguments = self.of_call(&name.name, arguments.len(), level);
                for (argument, level) in arguments.iter().zip(of_arguments) {
                    self.expression(*argument, level);
                }
            }
            Expression::Select(array, index) => {
                self.expression(*array, level);
                self.expression(*index, level.max(Level::S));
            }
            Expression::Conditional([condition, yes, no]) => {
                self.expression(*condition, Level::F);
                self.all(&[*yes, *no], level);
            }
            Expression::With(of) => self.with_loop(of, level),
            // There are none: they have been translated.
            Expression::Comprehension(_) => {}
        });
    }

    /// What a level of a call's result needs of its arguments.
    fn of_call(&self, name: &str, arity: usize, level: Level) -> Vec<Level> {
        if let Some(primitive) = Primitive::named(name) {
            return of_primitive(primitive, level);
        }
        let candidates = self.functions.candidates(name, arity);
        let least = if candidates.len() > 1 { Level::D } else { Level::N };
        let mut all = vec![least; arity];
        for candidate in candidates {
            for (known, level) in all.iter_mut().zip(self.levels.of(candidate, level)) {
                *known = level.max(known).to_owned();
            }
        }
        all
    }

    fn with_loop(&mut self, of: &WithLoop, level: Level) {
        match (&of.operator, level) {
            (Operator::Genarray(shape, default), Level::F) => self.all(&[*shape, *default], Level::F),
            (Operator::Genarray(shape, default), Level::S) => {
                self.expression(*shape, Level::F);
                self.expression(*default, Level::S);
            }
            (Operator::Genarray(shape, default), _) => {
                self.expression(*shape, Level::S);
                self.expression(*default, Level::D);
            }
            (Operator::Modarray(e) | Operator::Fold(_, e), level) => self.expression(*e, level),
        }
        if level == Level::F {
            of.generators.iter().for_each(|generator| self.generator(generator));
        }
    }

    /// A generator, of which everything is needed, but nothing from outside of what it binds itself.
    fn generator(&mut self, of: &Generator) {
        for limit in [of.lower, of.upper] {
            if let Bound::Of(e) = limit.bound {
                self.expression(e, Level::F);
            }
        }
        of.step.into_iter().chain(of.width).for_each(|e| self.expression(e, Level::F));
        let before = self.demanded.clone();
        self.expression(of.value, Level::F);
        self.statements(&of.body);
        for binding in of.pattern.bindings() {
            match before.get(&binding.name) {
                Some(level) => self.demanded.insert(binding.name.clone(), *level),
                None => self.demanded.remove(&binding.name),
            };
        }
    }

    /// Statements, the last one first: from what is demanded after them to what is demanded before.
    fn statements(&mut self, of: &[StatementId]) {
        of.iter().rev().for_each(|statement| base::stack::growing(|| self.statement(*statement)));
    }

    fn statement(&mut self, of: StatementId) {
        match self.file.statement(of) {
            Statement::Assign(variables, value) => {
                let levels = variables.iter().filter_map(|variable| self.demanded.remove(&variable.name));
                let level = levels.max().unwrap_or_default();
                self.expression(*value, level);
            }
            Statement::Update(variable, before, index, value) => {
                let level = self.demanded.remove(&variable.name).unwrap_or_default();
                self.expression(*before, level);
                if level == Level::F {
                    self.all(&[*index, *value], Level::F);
                }
            }
            Statement::If(condition, yes, no) => {
                let after = self.demanded.clone();
                self.statements(yes);
                let before_yes = std::mem::replace(&mut self.demanded, after.clone());
                self.statements(no);
                let decides = before_yes != after || self.demanded != after;
                before_yes.iter().for_each(|(name, level)| self.demand(name, *level));
                if decides {
                    self.expression(*condition, Level::F);
                }
            }
            Statement::While(condition, body) | Statement::DoWhile(body, condition) => {
                self.repeated(*condition, body);
            }
        }
    }

    /// A loop: what is demanded after any number of passes.
    fn repeated(&mut self, condition: ExprId, body: &[StatementId]) {
        loop {
            let before = self.demanded.clone();
            self.statements(body);
            let decides = self.demanded != before;
            before.iter().for_each(|(name, level)| self.demand(name, *level));
            if decides {
                self.expression(condition, Level::F);
            }
            if self.demanded == before {
                return;
            }
        }
    }
}

/// What a level of a primitive's result needs of its arguments.
fn of_primitive(of: Primitive, level: Level) -> Vec<Level> {
    use Level::{D, F, N, S};
    match (of, level) {
        (_, N) => vec![N; of.arity()],
        (Primitive::Shape, F) => vec![S],
        (Primitive::Shape, S) | (Primitive::Dim, F) => vec![D],
        (Primitive::Drop | Primitive::Take, S) => vec![F, S],
        (Primitive::Cat, S) | (Primitive::SameShape, F) => vec![S, S],
        (Primitive::SameShape, S) => vec![D, D],
        // The 0 of a type.
        (Primitive::Zero, _) => vec![N],
        (_, F) => vec![F; of.arity()],
        // Scalars, and vectors.
        (_, D | S) => vec![N; of.arity()],
    }
}
