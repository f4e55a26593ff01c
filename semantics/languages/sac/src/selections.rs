//! **find-shapes** (§5.2): the arrays from which a value selects with the indices of a pattern, which bound these indices.
//!
//! As the paper's simplest form: an index bounds itself where it is a component of a selection by itself, and the selected array does not depend on the
//! indices. A chain `a[i][j]` is `a[i, j]` (ledger: `sac/decision-find-shapes`).

use crate::syntax::{
    Binding, Bound, ExprId, Expression, File, Limit, Name, Operator, Pattern, Statement, StatementId,
};
use rustc_hash::FxHashMap;

/// An extent that bounds an index: that of an array in a dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source {
    /// The array.
    pub array: ExprId,
    /// The dimension; `None` for all of them, which bound an index vector.
    pub axis: Option<usize>,
}

/// **find-shapes** (§5.2): for each variable of a pattern, the extents that bound it.
pub fn find_shapes(file: &File, pattern: &Pattern, value: ExprId) -> Vec<Vec<Source>> {
    let variables: Vec<Name> =
        pattern.bindings().iter().map(|binding: &&Binding| binding.name.clone()).collect();
    let is_vector = matches!(pattern, Pattern::Vector(_));
    let mut finder = Finder {
        file,
        is_vector,
        sources: vec![Vec::new(); variables.len()],
        variables: variables.clone(),
        bound: FxHashMap::default(),
    };
    for name in variables {
        finder.bound.insert(name, 1);
    }
    base::stack::on_large_stack(|| finder.expression(value));
    finder.sources
}

struct Finder<'a> {
    file: &'a File,
    is_vector: bool,
    variables: Vec<Name>,
    sources: Vec<Vec<Source>>,
    /// How often each name is bound: by the pattern, and by what is inside of it.
    bound: FxHashMap<Name, usize>,
}

impl Finder<'_> {
    fn expression(&mut self, e: ExprId) {
        base::stack::growing(|| match self.file.expression(e) {
            Expression::Number(..) | Expression::Truth(_) | Expression::Variable(_) => {}
            Expression::Array(parts) => parts.iter().for_each(|part| self.expression(*part)),
            Expression::Call(name, arguments) => {
                if let ("sel", [index, array]) = (&*name.name, &arguments[..]) {
                    self.selection(*array, *index);
                }
                arguments.iter().for_each(|argument| self.expression(*argument));
            }
            Expression::Select(array, index) => {
                self.selection(*array, *index);
                [*array, *index].into_iter().for_each(|e| self.expression(e));
            }
            Expression::Conditional(parts) => parts.iter().for_each(|part| self.expression(*part)),
            Expression::With(of) => {
                match &of.operator {
                    Operator::Genarray(shape, default) => {
                        [*shape, *default].into_iter().for_each(|e| self.expression(e));
                    }
                    Operator::Modarray(e) | Operator::Fold(_, e) => self.expression(*e),
                }
                for generator in &of.generators {
                    self.limits([Some(generator.lower), Some(generator.upper)]);
                    generator.step.into_iter().chain(generator.width).for_each(|e| self.expression(e));
                    self.inside(&generator.pattern, &generator.body, generator.value);
                }
            }
            Expression::Comprehension(partitions) => {
                for partition in partitions {
                    self.limits([partition.lower, partition.upper]);
                    self.inside(&partition.pattern, &[], partition.value);
                }
            }
        });
    }

    fn limits(&mut self, limits: [Option<Limit>; 2]) {
        for limit in limits.into_iter().flatten() {
            if let Bound::Of(e) = limit.bound {
                self.expression(e);
            }
        }
    }

    /// A scope inside of the value.
    fn inside(&mut self, pattern: &Pattern, body: &[StatementId], value: ExprId) {
        let mut names: Vec<Name> = pattern.bindings().iter().map(|binding| binding.name.clone()).collect();
        assigned(self.file, body, &mut names);
        names.iter().for_each(|name| *self.bound.entry(name.clone()).or_default() += 1);
        self.statements(body);
        self.expression(value);
        for name in &names {
            if let Some(count) = self.bound.get_mut(name) {
                *count -= 1;
            }
        }
    }

    fn statements(&mut self, statements: &[StatementId]) {
        for &statement in statements {
            match self.file.statement(statement) {
                Statement::Assign(_, value) => self.expression(*value),
                Statement::Update(_, before, index, value) => {
                    [*before, *index, *value].into_iter().for_each(|e| self.expression(e));
                }
                Statement::If(condition, yes, no) => {
                    self.expression(*condition);
                    [yes, no].into_iter().for_each(|branch| self.statements(branch));
                }
                Statement::While(condition, body) | Statement::DoWhile(body, condition) => {
                    self.expression(*condition);
                    self.statements(body);
                }
            }
        }
    }

    fn selection(&mut self, array: ExprId, index: ExprId) {
        // The innermost array of a chain, and the number of components that are selected before.
        let (mut root, mut before) = (array, 0);
        while let Expression::Select(inner, inner_index) = self.file.expression(root) {
            let Some(components) = self.components(*inner_index) else { return };
            (root, before) = (*inner, before + components.len());
        }
        if !self.is_outside(root) {
            return;
        }
        if self.is_vector {
            if before == 0 && self.variable(index) == Some(0) {
                self.sources[0].push(Source { array: root, axis: None });
            }
            return;
        }
        for (at, component) in self.components(index).into_iter().flatten().enumerate() {
            if let Some(variable) = self.variable(component) {
                self.sources[variable].push(Source { array: root, axis: Some(before + at) });
            }
        }
    }

    /// The components of an index, if their number is seen: those of a vector that is written out, or a scalar of the pattern.
    fn components(&self, index: ExprId) -> Option<Vec<ExprId>> {
        match self.file.expression(index) {
            Expression::Array(components) => Some(components.clone()),
            Expression::Variable(_) if !self.is_vector && self.variable(index).is_some() => Some(vec![index]),
            Expression::Number(..) => Some(vec![index]),
            _ => None,
        }
    }

    /// The variable of the pattern that an expression is.
    fn variable(&self, e: ExprId) -> Option<usize> {
        let Expression::Variable(name) = self.file.expression(e) else { return None };
        // Bound again inside, it is another one.
        let is_own = self.bound.get(name) == Some(&1);
        self.variables.iter().position(|variable| variable == name).filter(|_| is_own)
    }

    /// Whether an expression mentions no variable that is bound by the pattern, or inside of it.
    fn is_outside(&self, e: ExprId) -> bool {
        let mut mentioned = Vec::new();
        mentions(self.file, e, &mut mentioned);
        mentioned.iter().all(|name| self.bound.get(name).is_none_or(|count| *count == 0))
    }
}

/// The variables that an expression mentions, those that it binds itself included.
pub(crate) fn mentions(file: &File, e: ExprId, names: &mut Vec<Name>) {
    base::stack::growing(|| {
        if let Expression::Variable(name) = file.expression(e) {
            names.push(name.clone());
        }
        for part in file.parts(e) {
            mentions(file, part, names);
        }
    });
}

/// The variables that statements assign.
fn assigned(file: &File, statements: &[StatementId], names: &mut Vec<Name>) {
    for &statement in statements {
        match file.statement(statement) {
            Statement::Assign(variables, _) => names.extend(variables.iter().map(|of| of.name.clone())),
            Statement::Update(variable, ..) => names.push(variable.name.clone()),
            Statement::If(_, yes, no) => [yes, no].into_iter().for_each(|of| assigned(file, of, names)),
            Statement::While(_, body) | Statement::DoWhile(body, _) => assigned(file, body, names),
        }
    }
}
