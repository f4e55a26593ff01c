//! A system with fixed parameters, ready for evaluation at points.

use super::domains::{Domains, Undecided};
use super::syntax::{DomainId, ExprId, Expression, System, VariableId};
use base::diagnostics::Span;
use polyhedra::{Affine, AffineMap, EngineError, IndexSet, Local, Scan};

/// A checked system with its parameters fixed.
#[derive(Debug)]
pub struct SystemInstance<'a> {
    /// The system.
    pub system: &'a System,
    /// The values of the parameters, including those that are inputs.
    pub parameters: Vec<i64>,
    declared: Vec<IndexSet>,
    written: Vec<IndexSet>,
    of: Vec<IndexSet>,
    /// The function of a dependence, or of an index as a value.
    functions: Vec<Option<AffineMap>>,
    /// The right sides of each variable's equations.
    definitions: Vec<Vec<ExprId>>,
    /// For a reduction: the points of the body, for each point of the result.
    fibres: Vec<Option<Scan>>,
}

impl<'a> SystemInstance<'a> {
    /// Fixes all parameters of a system: first the declared ones, then those that are inputs
    /// ([`System::index_inputs`]), as the integers that the inputs hold. `domains` come from the static checks.
    ///
    /// # Errors
    /// The number of values differs from the number of parameters, a coefficient exceeds 64 bits, or a domain has
    /// too many constraints.
    pub fn new(
        system: &'a System,
        domains: &Domains,
        parameters: &[i64],
    ) -> Result<SystemInstance<'a>, Undecided> {
        if parameters.len() != system.parameters.len() {
            let operands = format!("{} values for [{}]", parameters.len(), system.parameters.join(","));
            let error = EngineError::Unsupported { operation: "an instance", operands };
            return Err(Undecided { span: Span::default(), error });
        }
        let mut instance = SystemInstance {
            system,
            parameters: parameters.to_vec(),
            declared: Vec::new(),
            written: Vec::new(),
            of: Vec::new(),
            functions: Vec::new(),
            definitions: vec![Vec::new(); system.variables.len()],
            fibres: Vec::new(),
        };
        for equation in &system.equations {
            instance.definitions[equation.variable.index()].push(equation.expression);
        }
        for x in system.variable_ids() {
            let set = domains.declared(x).at_parameters(parameters);
            instance.declared.push(Undecided::at(system.variable(x).span, set)?);
        }
        for (d, _) in system.domains() {
            let own = if Some(d) == system.parameter_domain { &[] } else { parameters };
            let set = domains.of_domain(d).at_parameters(own);
            instance.written.push(Undecided::at(system.domain_span(d), set)?);
        }
        for (e, expression) in system.expressions() {
            Undecided::at(system.span(e), instance.add(domains, e, expression))?;
        }
        Ok(instance)
    }

    fn add(&mut self, domains: &Domains, e: ExprId, expression: &Expression) -> Result<(), EngineError> {
        self.of.push(domains.domain(e).at_parameters(&self.parameters)?);
        let (function, fibres) = match expression {
            Expression::Dependence(_, f) | Expression::Index(f, _) => {
                (Some(fixed(f, &self.parameters)?), None)
            }
            Expression::Reduce(_, f, body) | Expression::ReduceOver(_, f, _, body) => {
                let body = &self.of[body.index()];
                let pairs = fixed(f, &self.parameters)?.graph()?.restrict_domain(body)?.inverse();
                (None, Some(pairs.graph.scan(&[])?))
            }
            _ => (None, None),
        };
        self.functions.push(function);
        self.fibres.push(fibres);
        Ok(())
    }

    /// The domain of a variable.
    pub fn declared(&self, x: VariableId) -> &IndexSet {
        &self.declared[x.index()]
    }

    /// The right sides of a variable's equations, in order.
    pub fn definitions(&self, x: VariableId) -> &[ExprId] {
        &self.definitions[x.index()]
    }

    /// A domain of the source.
    pub fn of_domain(&self, d: DomainId) -> &IndexSet {
        &self.written[d.index()]
    }

    /// `Domain(e)`
    pub fn domain(&self, e: ExprId) -> &IndexSet {
        &self.of[e.index()]
    }

    /// A function of the source, with the parameters fixed.
    ///
    /// # Errors
    /// A coefficient exceeds 64 bits.
    pub fn fixed(&self, f: &AffineMap) -> Result<AffineMap, EngineError> {
        fixed(f, &self.parameters)
    }

    /// `A·z + b` for the function of a dependence, or of an index as a value.
    ///
    /// # Errors
    /// A coordinate exceeds 64 bits.
    pub fn image(&self, e: ExprId, z: &[i64]) -> Result<Vec<i64>, EngineError> {
        self.functions[e.index()].as_ref().map_or(Ok(Vec::new()), |f| f.value(&[], z))
    }

    /// `{ y | A·y + b = z, y ∈ Domain(body) }` for a reduction, in lexicographic order.
    ///
    /// # Errors
    /// There are infinitely many such points, or more than `limit`.
    pub fn fibre(&self, e: ExprId, z: &[i64], limit: usize) -> Result<Vec<Vec<i64>>, EngineError> {
        self.fibres[e.index()].as_ref().map_or(Ok(Vec::new()), |scan| scan.points(z, limit))
    }
}

/// A map with all parameters fixed.
fn fixed(f: &AffineMap, parameters: &[i64]) -> Result<AffineMap, EngineError> {
    let fix = |at: usize| match parameters.get(at) {
        Some(&value) => Affine::constant(value),
        None => Affine::column(at - parameters.len()),
    };
    let space = polyhedra::Space { parameters: [].into(), dimensions: f.space.dimensions.clone() };
    let floor = |floor: &Local| match floor {
        Local::Floor { numerator, denominator } => {
            let numerator = numerator.substitute(fix)?;
            Ok(Local::Floor { numerator, denominator: *denominator })
        }
        Local::Exists => Ok(Local::Exists),
    };
    let floors = f.floors.iter().map(floor).collect::<Result<_, EngineError>>()?;
    let outputs =
        f.outputs.iter().map(|output| output.substitute(fix)).collect::<Result<_, EngineError>>()?;
    Ok(AffineMap { space, floors, outputs })
}
