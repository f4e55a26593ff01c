//! A rule at each of its choices: two nodes of the core, with symbolic sizes.

use super::conditions;
use super::elaboration::{Elaborator, RuleError, fault, index_value, wrong_kind};
use super::library::Library;
use super::outline::{Outline, outline};
use super::syntax::{Choices, Expr, Rule, Sides, StatedType, Word};
use super::values::{Elements, Scope, Tensor, Value};
use base::diagnostics::{Code, Diagnostic, Span};
use base::identifiers::identifier;
use base::seeded::{Seeded, seeded};
use base::stack::on_large_stack;
use languages::{Language, Pair, Source};
use selfsame_core::traps::{EVALUATION, observed};
use selfsame_core::{
    About, Bounds, Condition, Index, Input, InputId, Instance, Node, PointwiseClaim, Requirement, Variable,
};
use std::rc::Rc;
use values::{Division, ElementType};

/// The maximum number of dimensions in a choice. There are 2^8 sets of 8 dimensions, which [`MAX_INSTANCES`]
/// allows; 8! permutations are too many already.
const MAX_RANK: u64 = 8;

/// The maximum number of components of a vector of symbols, and with it the largest dimension that a built-in
/// function takes: eight vectors of the largest rank, [`MAX_RANK`], one after the other.
pub(crate) const MAX_COMPONENTS: usize = 64;

/// The maximum number of instances of a rule. Each has a proof of its own: 1,000 at the shipped rules' median
/// of 21 ms take 21 s.
pub const MAX_INSTANCES: usize = 1000;

/// All instances of a rule.
///
/// # Errors
/// The rule has no meaning at some choice.
pub fn instances(library: &Library, rule: &Rule) -> Result<Vec<Instance>, RuleError> {
    // Outlines nest as deep as expressions, so they must be dropped on the large stack.
    on_large_stack(|| Ok(outlined_here(library, rule)?.into_iter().map(|(instance, _)| instance).collect()))
}

/// An instance of a rule, with the outlines of its sides.
pub type Outlined = (Instance, Option<[Outline; 2]>);

/// All instances of a rule, with the outlines of their sides; a rule about programs has none.
///
/// # Errors
/// The rule has no meaning at some choice.
pub fn outlined(library: &Library, rule: &Rule) -> Result<Vec<Outlined>, RuleError> {
    on_large_stack(|| outlined_here(library, rule))
}

/// The choices of element types that are left out because types do not fit, each with its reason.
pub fn illegal_types(library: &Library, rule: &Rule) -> Vec<String> {
    let illegal = || elaborated(library, rule).map_or_else(|_| Vec::new(), |(_, illegal)| illegal);
    if chooses_types(rule) { on_large_stack(illegal) } else { Vec::new() }
}

fn chooses_types(rule: &Rule) -> bool {
    rule.choices.iter().any(|(_, choices)| matches!(choices, Choices::Types(_)))
}

fn outlined_here(library: &Library, rule: &Rule) -> Result<Vec<Outlined>, RuleError> {
    let (legal, illegal) = elaborated(library, rule)?;
    if legal.is_empty() {
        let message = format!("{NO_TYPES}: {}", illegal.join("; "));
        return fault(Code::V0013, rule.name.span, message, "this rule");
    }
    Ok(legal)
}

/// The instances of a rule, and the choices of element types whose types do not fit.
fn elaborated(library: &Library, rule: &Rule) -> Result<(Vec<Outlined>, Vec<String>), RuleError> {
    let sides = match &rule.sides {
        Sides::Expressions(sides) => sides,
        Sides::Programs(declarations, statements) => {
            let instances = of_programs(library, rule, declarations, statements)?;
            return Ok((instances.into_iter().map(|instance| (instance, None)).collect(), Vec::new()));
        }
    };
    let mut chosen: Vec<(Scope<'_>, Vec<(String, String)>)> = vec![Default::default()];
    for (name, choices) in &rule.choices {
        let mut next = Vec::new();
        for (scope, said) in &chosen {
            let range = ChoiceAlternatives::evaluate(library, choices, scope)?;
            // Count first, because the instances could be too many to build.
            if range.count() > MAX_INSTANCES - next.len() {
                let message = format!("more than {MAX_INSTANCES} instances");
                return fault(Code::V0009, name.span, message, "the choices multiply to more than that");
            }
            for (value, text) in range.all() {
                let mut said = said.clone();
                said.push((name.text.clone(), text));
                next.push((scope.with(&name.text, value), said));
            }
        }
        chosen = next;
    }
    let kept = seeded(Seeded::InstanceForgotten, chosen.len(), || chosen.len().saturating_sub(1).max(1));
    chosen.truncate(kept);
    if let (Some((name, _)), true) = (rule.choices.first(), chosen.is_empty()) {
        return fault(Code::V0005, name.span, "the rule has no instances", "these choices leave nothing");
    }
    let has_types = chooses_types(rule);
    let (mut legal, mut illegal) = (Vec::new(), Vec::new());
    for (scope, said) in chosen {
        let names = said.iter().map(|(name, text)| format!("{name} = {text}")).collect::<Vec<_>>().join(", ");
        match instance(library, rule, sides, scope, said) {
            Ok((instance, outlines)) => {
                let (values, evaluation) = observed_instances(instance);
                legal.push((values, Some(outlines)));
                legal.extend(evaluation.map(|instance| (instance, None)));
            }
            // Types that do not fit are no choice.
            Err(error) if has_types && error.code == Code::V0007 => {
                illegal.push(format!("{names}: {}", error.message));
            }
            Err(error) => return Err(error),
        }
    }
    Ok((legal, illegal))
}

/// What is said of a rule whose types fit for no choice.
pub const NO_TYPES: &str = "no choice of types is legal";

/// The alternatives of a choice, once its bounds are evaluated.
enum ChoiceAlternatives {
    Range(i64, i64),
    Subsets(usize),
    Permutations(usize),
    Types(Vec<ElementType>),
}

impl ChoiceAlternatives {
    fn evaluate<'a>(
        library: &'a Library,
        choices: &'a Choices,
        scope: &Scope<'a>,
    ) -> Result<ChoiceAlternatives, RuleError> {
        let number = |e| small_number(library, e, scope);
        let natural = |e| number(e).map(|n| usize::try_from(n).unwrap_or(0));
        Ok(match choices {
            Choices::Range(lower, upper) => ChoiceAlternatives::Range(number(lower)?, number(upper)?),
            Choices::Subsets(of) => ChoiceAlternatives::Subsets(natural(of)?),
            Choices::Permutations(of) => ChoiceAlternatives::Permutations(natural(of)?),
            Choices::Types(of) => ChoiceAlternatives::Types(of.clone()),
        })
    }

    /// The number of alternatives; the bounds are at most [`MAX_RANK`].
    fn count(&self) -> usize {
        match self {
            ChoiceAlternatives::Range(lower, upper) => usize::try_from(upper - lower + 1).unwrap_or(0),
            ChoiceAlternatives::Subsets(of) => 1 << of,
            ChoiceAlternatives::Permutations(of) => (1..=*of).product(),
            ChoiceAlternatives::Types(of) => of.len(),
        }
    }

    /// All alternatives, with their texts.
    fn all<'a>(self) -> Vec<(Value<'a>, String)> {
        match self {
            ChoiceAlternatives::Range(lower, upper) => {
                let upper = seeded(Seeded::RangeShort, upper, || upper.min(lower + 1));
                (lower..=upper).map(|k| (Value::Index(Index::from(k)), k.to_string())).collect()
            }
            ChoiceAlternatives::Subsets(of) => {
                let sets = subsets(of).into_iter();
                sets.map(|set| (Value::Set(set.clone().into()), braces(&set))).collect()
            }
            ChoiceAlternatives::Permutations(of) => {
                let all = permutations(of).into_iter();
                all.map(|p| (Value::Permutation(p.clone().into()), braces(&p))).collect()
            }
            ChoiceAlternatives::Types(of) => {
                of.into_iter().map(|of| (Value::Type(of), of.keyword().to_owned())).collect()
            }
        }
    }
}

/// The bound of a choice: a constant of at most [`MAX_RANK`].
fn small_number<'a>(library: &'a Library, e: &'a Expr, scope: &Scope<'a>) -> Result<i64, RuleError> {
    let value = Elaborator::new(library).value(e, scope)?;
    let Value::Index(p) = &value else { return wrong_kind(e.span, "a number", &value) };
    let Some(constant) = p.as_constant() else { return wrong_kind(e.span, "a number", &value) };
    match i64::try_from(constant.clone()) {
        Ok(n) if n.unsigned_abs() <= MAX_RANK => Ok(n),
        _ => {
            let message = format!("{constant} is too large: choices go up to {MAX_RANK}");
            fault(Code::V0009, e.span, message, "too large")
        }
    }
}

fn braces(numbers: &[usize]) -> String {
    let numbers: Vec<String> = numbers.iter().map(usize::to_string).collect();
    format!("{{{}}}", numbers.join(","))
}

fn subsets(n: usize) -> Vec<Vec<usize>> {
    let count = seeded(Seeded::SubsetForgotten, 1usize << n, || ((1usize << n) - 1).max(1));
    (0..count).map(|bits| (0..n).filter(|k| bits >> k & 1 == 1).collect()).collect()
}

fn permutations(n: usize) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = vec![Vec::new()];
    if Seeded::PermutationFirst.is_in() {
        return vec![(0..n).collect()];
    }
    for _ in 0..n {
        let longer = |p: &Vec<usize>| {
            let p = p.clone();
            (0..n).filter(move |k| !p.contains(k)).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(|p| longer(p).into_iter().map(|k| [&p[..], &[k]].concat())).collect();
    }
    all
}

fn instance<'a>(
    library: &'a Library,
    rule: &'a Rule,
    [left, right]: &'a [Expr; 2],
    scope: Scope<'a>,
    choices: Vec<(String, String)>,
) -> Result<(Instance, [Outline; 2]), RuleError> {
    let mut elaborator = Elaborator::new(library);
    let RuleDeclarations { scope, symbols, sizes, mut assumptions } =
        declarations(&mut elaborator, rule, scope)?;
    let skipped = seeded(Seeded::WhereDropped, 0, || 1);
    for condition in rule.conditions.iter().skip(skipped) {
        assumptions.push(elaborator.condition(condition, &scope)?);
    }
    elaborator.forget_requirements();
    let left_value = elaborator.value(left, &scope)?;
    let left_tensor = elaborator.as_tensor(left_value, left.span)?;
    let point: Vec<Variable> = left_tensor.extents.iter().map(|_| elaborator.program.variable("i")).collect();
    let at: Vec<Index> = point.iter().map(|&v| Index::from(v)).collect();
    let extents = left_tensor.extents.iter();
    let within =
        point.iter().zip(extents).map(|(v, n)| Condition::within(&Index::default(), &Index::from(*v), n));
    let domain = Condition::all(within.collect::<Vec<_>>());
    let left_node = elaborator.under(domain.clone(), |this| this.element(&left_tensor, &at, left.span))?;
    let of_left = std::mem::take(&mut elaborator.requirements);
    let (assumed, mut of_left): (Vec<_>, Vec<_>) = of_left.into_iter().partition(|r| r.context.is_always());
    let implied = implied(assumed, &assumptions)?;
    assumptions.push(implied.clone());

    let right_value = elaborator.value(right, &scope)?;
    let right_tensor = same_shape(&mut elaborator, right_value, right, &left_tensor)?;
    let outlines = [outline(&left_tensor), outline(&right_tensor)];
    let at = if right_tensor.extents.is_empty() { &[][..] } else { &at };
    let wanted = elaborator.program.data_type(left_node);
    let right_node = elaborator.under(domain.clone(), |this| match right_tensor.constant() {
        Some(constant) => this.scalar(constant.clone(), wanted, right.span),
        None => this.element(&right_tensor, at, right.span),
    })?;
    let of_right = std::mem::take(&mut elaborator.requirements);
    let of_right = seeded(Seeded::RightRequirements, of_right, Vec::new);
    let given = elaborator.under(domain.clone(), |this| conditions::given(this, rule, &scope))?;
    let laws = elaborator.under(domain, |this| conditions::laws(this, library, rule, &scope, &point))?;
    of_left.append(&mut elaborator.requirements);
    let program = elaborator.finish(rule.name.span)?;
    let (t, u) = (program.data_type(left_node), program.data_type(right_node));
    if t != u {
        let message = format!("the left side is {}, the right side {}", t.keyword(), u.keyword());
        return fault(Code::V0007, right.span, message, "of another type");
    }
    let claim = PointwiseClaim {
        name: "result".into(),
        about: About::Output("result".into(), point.iter().map(|&v| Index::from(v)).collect()),
        point,
        bounds: from_zero(&left_tensor.extents),
        filter: Condition::always(),
        sides: [left_node, right_node],
    };
    let instance = Instance {
        choices,
        program,
        symbols,
        sizes,
        assumptions: Condition::all(assumptions),
        implied,
        requirements: [of_left, of_right],
        claim,
        is_rule: true,
        given,
        beside: Vec::new(),
        laws,
    };
    Ok((instance, outlines))
}

/// The claims about what the machine observes of both sides: their values, and, if they may trap, where they do.
fn observed_instances(mut instance: Instance) -> (Instance, Option<Instance>) {
    let [left, right] = instance.claim.sides;
    let observed = [left, right].map(|side| observed(&mut instance.program, side));
    instance.claim.sides = observed.map(|side| side.value);
    if observed.iter().all(|side| side.evaluates.is_none()) || Seeded::TrapClaim.is_in() {
        return (instance, None);
    }
    let always = instance.program.add(Node::Truth(true), ElementType::Boolean);
    let sides = observed.map(|side| side.evaluates.unwrap_or(always));
    let at = instance.claim.point.iter().map(|&v| Index::from(v)).collect();
    let about = About::Output(EVALUATION.into(), at);
    let claim = PointwiseClaim { name: EVALUATION.into(), about, sides, ..instance.claim.clone() };
    let evaluation = Instance { claim, beside: instance.claim.sides.to_vec(), ..instance.clone() };
    (Instance { beside: sides.to_vec(), ..instance }, Some(evaluation))
}

/// What the left side requires of the sizes alone, without what is already assumed: a rewrite is only applied to programs
/// that have a meaning.
fn implied(required: Vec<Requirement>, assumptions: &[Condition]) -> Result<Condition, RuleError> {
    if let Some(never) = required.iter().find(|requirement| requirement.condition.is_never()) {
        let message = "the left side has no meaning, whatever the sizes";
        let needs = never.needs.as_deref().map(|needs| format!("it needs {needs}"));
        let label = needs.unwrap_or_else(|| "nothing is there, or a divisor is not positive".to_owned());
        return fault(Code::V0011, never.span, message, label);
    }
    let said = Condition::all(assumptions.iter().cloned());
    let required = Condition::all(required.into_iter().map(|requirement| requirement.condition));
    let new = required.conjuncts().iter().filter(|part| !said.conjuncts().contains(part));
    Ok(Condition::all(new.cloned().collect::<Vec<_>>()))
}

/// The declarations of a rule, elaborated.
struct RuleDeclarations<'a> {
    scope: Scope<'a>,
    symbols: Vec<Variable>,
    sizes: Vec<(Variable, String)>,
    assumptions: Vec<Condition>,
}

/// Declares sizes, integers and tensors; assumes that sizes and extents are nonnegative.
fn declarations<'a>(
    elaborator: &mut Elaborator<'a>,
    rule: &'a Rule,
    mut scope: Scope<'a>,
) -> Result<RuleDeclarations<'a>, RuleError> {
    let (mut symbols, mut sizes, mut assumptions) = (Vec::new(), Vec::new(), Vec::new());
    for symbol in &rule.symbols {
        let length = match &symbol.length {
            None => None,
            Some(e) => {
                let value = elaborator.value(e, &scope)?;
                match value.as_natural() {
                    Some(length) if length > MAX_COMPONENTS => {
                        let message =
                            format!("a vector of {length} symbols: at most {MAX_COMPONENTS} are read");
                        return fault(Code::V0009, e.span, message, "too many");
                    }
                    Some(length) => Some(length),
                    None => return wrong_kind(e.span, "a number of dimensions", &value),
                }
            }
        };
        let names = (0..length.unwrap_or(1)).map(|k| match length {
            Some(_) => format!("{}{k}", symbol.name.text),
            None => symbol.name.text.clone(),
        });
        let names: Vec<String> = names.collect();
        let variables: Vec<Variable> = names.iter().map(|name| elaborator.program.variable(name)).collect();
        if let Some(at) = (0..names.len()).find(|&at| elaborator.program.name(variables[at]) != names[at]) {
            let message = format!("`{}` is a name and a component of a vector", names[at]);
            return fault(Code::V0003, symbol.name.span, message, "expected another name");
        }
        let parts: Vec<Index> = variables.iter().map(|&v| Index::from(v)).collect();
        if symbol.is_size {
            let least = seeded(Seeded::SizesPositive, 0, || 1);
            assumptions.extend(parts.iter().map(|p| Condition::at_most(&Index::from(least), p)));
            sizes.extend(variables.iter().map(|&v| (v, symbol.name.text.clone())));
        }
        scope = scope.with(&symbol.name.text, index_value(&parts, length.is_some()));
        symbols.extend(variables);
    }
    for tensor in &rule.tensors {
        let mut extents = Vec::new();
        for extent in &tensor.extents {
            extents.extend(elaborator.indices(extent, &scope)?.0);
        }
        assumptions.extend(extents.iter().cloned().map(Condition::non_negative));
        let name: Rc<str> = tensor.name.text.as_str().into();
        let input = InputId(identifier(elaborator.program.inputs.len()));
        let data_type = stated(&tensor.data_type, &scope)?;
        elaborator.program.inputs.push(Input {
            name: (*name).into(),
            bounds: from_zero(&extents),
            data_type,
        });
        let value = elaborator.tensor(extents, Elements::Input(input));
        scope = scope.with(&tensor.name.text, Value::Tensor(value));
    }
    Ok(RuleDeclarations { scope, symbols, sizes, assumptions })
}

/// The element type that a declaration states.
fn stated(data_type: &StatedType, scope: &Scope<'_>) -> Result<ElementType, RuleError> {
    match data_type {
        StatedType::Of(of) => Ok(*of),
        StatedType::Chosen(name) => match scope.find(&name.text) {
            Some(Value::Type(of)) => Ok(*of),
            _ => {
                let message = format!("`{}` is not an element type", name.text);
                let types: Vec<&str> = ElementType::ALL.iter().map(|of| of.keyword()).collect();
                let error = Diagnostic::new(Code::V0004, name.span, message, "not known");
                let hint = format!(
                    "the element types are {}; `for t in {{f32, bf16}}` chooses among some",
                    types.join(", ")
                );
                Err(Box::new(error.hint(hint)))
            }
        },
    }
}

fn from_zero(extents: &[Index]) -> Vec<Bounds> {
    extents.iter().map(|extent| [Index::default(), extent.clone()].map(Some)).collect()
}

/// The right side as a tensor of the left side's shape; a constant is repeated.
fn same_shape<'a>(
    elaborator: &mut Elaborator<'a>,
    right: Value<'a>,
    e: &'a Expr,
    left: &Tensor<'a>,
) -> Result<Tensor<'a>, RuleError> {
    let is_constant = matches!(right, Value::Index(_) | Value::Numeral(_) | Value::Condition(_));
    let right = elaborator.as_tensor(right, e.span)?;
    if !is_constant {
        elaborator.same_extents([&left.extents, &right.extents], e.span, &|_| " on both sides".to_owned())?;
    }
    Ok(right)
}

/// Maps a place in a program back to the file. The program's text is that of its declarations, a newline, and that
/// of its statements; the file has both as quoted strings.
fn place(span: Span, declarations: &Word, statements: &Word) -> Span {
    let before = declarations.text.len() + 1;
    let [start, end] = [span.start, span.end].map(|at| at as usize);
    let (word, skipped) = if start < before { (declarations, 0) } else { (statements, before) };
    let within = |at: usize| word.span.start as usize + 1 + at.saturating_sub(skipped).min(word.text.len());
    Span::new(within(start), within(end))
}

/// The claim about two programs of the tensor model language, for all sizes that satisfy the rule's conditions.
fn of_programs(
    library: &Library,
    rule: &Rule,
    declarations: &Word,
    statements: &[Word; 2],
) -> Result<Vec<Instance>, RuleError> {
    let Rule { choices, symbols, tensors, given, laws, .. } = rule;
    if !(choices.is_empty()
        && symbols.is_empty()
        && tensors.is_empty()
        && given.is_empty()
        && laws.is_empty())
    {
        let message = "a rule of programs declares everything in its program";
        return fault(Code::V0012, rule.name.span, message, "only its sizes can be restricted, by `where`");
    }
    let source = |side: usize| Source {
        name: ["left", "right"][side].to_owned(),
        language: Language::Rink,
        text: format!("{}\n{}", declarations.text, statements[side].text),
    };
    let pair = Pair::read([source(0), source(1)]);
    let system = library.system.clone();
    let pair = pair.map(|pair| Pair { division: Division::Controlled, system, ..pair });
    let question = pair.and_then(|pair| pair.question()).or_else(|refused| {
        let span = place(refused.span, declarations, &statements[refused.side]);
        fault(
            Code::V0012,
            span,
            refused.reason,
            ["in the left program", "in the right program"][refused.side],
        )
    })?;
    let mut instances = question.claims.instances;
    for instance in &mut instances {
        let names: Vec<(String, Variable)> =
            instance.symbols.iter().map(|&v| (instance.program.name(v), v)).collect();
        let mut scope = Scope::default();
        for (name, v) in &names {
            scope = scope.with(name, Value::Index(Index::from(*v)));
        }
        let mut elaborator = Elaborator::new(library);
        for condition in &rule.conditions {
            let condition = elaborator.condition(condition, &scope)?;
            instance.assumptions = Condition::all([instance.assumptions.clone(), condition]);
        }
    }
    Ok(instances)
}
