//! Systems whose inputs and outputs have their elements at other indices.

use crate::lowered::Lowered;
use crate::syntax::{Domain, Equation, Expression, Variable, VariableId, VariableRole};
use polyhedra::{Affine, AffineMap};

/// The system with every element of an input or output at its index plus `by`, in each dimension. The old inputs and outputs become locals:
/// ```text
/// X = X'.(z -> z + by)        for each input X
/// Y' = Y.(z -> z − by)        for each output Y
/// ```
#[must_use]
pub fn shifted(lowered: &Lowered, by: i64) -> Lowered {
    let mut lowered = lowered.clone();
    if by == 0 {
        return lowered;
    }
    for x in lowered.system.variable_ids().collect::<Vec<VariableId>>() {
        let variable = lowered.system.variable(x).clone();
        if let (VariableRole::Input | VariableRole::Output, Some(_)) = (variable.kind, variable.domain) {
            shift(&mut lowered, x, &variable, by);
        }
    }
    lowered
}

fn shift(lowered: &mut Lowered, x: VariableId, variable: &Variable, by: i64) {
    let system = &mut lowered.system;
    let Some(declared) = variable.domain else { return };
    let translation = |system: &crate::syntax::System, by: i64| {
        let space = system.space(system.index_names(x));
        let plus = |d| Affine::new(Affine::column(space.column(d)).coefficients().to_vec(), by);
        let outputs = (0..space.rank()).map(plus).collect();
        AffineMap::new(space, outputs)
    };
    let (to, back) = (translation(system, by), translation(system, -by));
    let domain = system.push_domain(Domain::Preimage(declared, back.clone()), variable.span);
    let names =
        (1..).map(|k| format!("{}_at{}", variable.name, if k == 1 { String::new() } else { k.to_string() }));
    let other = system.push_local(names, Some(domain), variable.data_type, variable.span);
    let (defined, read, map) = match variable.kind {
        VariableRole::Input => (x, other, to),
        _ => (other, x, back),
    };
    system.variables[other.index()].kind = variable.kind;
    system.variables[x.index()].kind = VariableRole::Local;
    let read = system.push(Expression::Variable(read), variable.span);
    let expression = system.push(Expression::Dependence(read, map), variable.span);
    system.equations.push(Equation { variable: defined, indices: None, expression, span: variable.span });
    lowered.inputs.push(lowered.inputs[x.index()].clone());
    lowered.outputs.iter_mut().filter(|(_, y)| *y == x).for_each(|(_, y)| *y = other);
}
