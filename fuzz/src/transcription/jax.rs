//! Writes graphs as functions of JAX, in Python.

use super::graph::{Action, GraphNode, OperatorGraph, TargetLanguage};
use super::operands::NamedOperands;
use selfsame_core::Operator;
use selfsame_core::operators::{Binary, ElementType, Primitive, Unary};
use values::{Conversion, ElementClass, Literal, Overflow};

impl NamedOperands<'_> {
    /// An attribute that lists dimensions, as a Python tuple.
    fn listed(&self, at: usize) -> String {
        tuple(&self.dimensions(at))
    }

    fn extents(&self) -> String {
        tuple(self.shape)
    }

    /// Starts that are known at run time only, so that they are arrays.
    fn starts(&self, at: usize) -> String {
        let starts: Vec<String> = self.each(at).iter().map(|start| format!("jnp.asarray({start})")).collect();
        format!("[{}]", starts.join(", "))
    }
}

fn tuple(numbers: &[i64]) -> String {
    let numbers: Vec<String> = numbers.iter().map(|number| format!("{number},")).collect();
    format!("({})", numbers.join(" "))
}

/// `((1, 2), …)`
fn pairs(low: &[i64], high: &[i64]) -> String {
    let pairs: Vec<String> = low.iter().zip(high).map(|(low, high)| format!("({low}, {high}),")).collect();
    format!("({})", pairs.join(" "))
}

/// `"SAME"` or `"VALID"`.
fn mode(number: i64) -> &'static str {
    if number == 0 { "\"VALID\"" } else { "\"SAME\"" }
}

fn activated(e: String, activation: i64) -> String {
    if activation == 0 { e } else { format!("jax.nn.relu({e})") }
}

type OperatorText = fn(&NamedOperands<'_>) -> String;

/// The operators of `rules/library` in JAX.
const OPERATORS: &[(&str, OperatorText)] = &[
    ("fill", |of| format!("jnp.broadcast_to({}, {})", of.name(0), of.extents())),
    ("broadcast", |of| format!("lax.broadcast_in_dim({}, {}, {})", of.name(0), of.extents(), of.listed(0))),
    ("transpose", |of| format!("lax.transpose({}, {})", of.name(0), of.listed(0))),
    ("slice", |of| {
        let [start, limit, stride] = [0, 1, 2].map(|at| tuple(&of.each(at)));
        format!("lax.slice({}, {start}, {limit}, {stride})", of.name(0))
    }),
    ("pad", |of| {
        let each = of.each(0).into_iter().zip(of.each(1)).zip(of.each(2));
        let each: Vec<String> = each.map(|((low, between), high)| tuple(&[low, high, between])).collect();
        format!("lax.pad({}, {}, [{}])", of.name(0), of.name(1), each.join(", "))
    }),
    ("concat", |of| format!("lax.concatenate([{}], {})", of.names.join(", "), of.one(0))),
    ("concat_list2", |of| format!("lax.concatenate([{}], {})", of.names.join(", "), of.one(0))),
    ("concat_list3", |of| format!("lax.concatenate([{}], {})", of.names.join(", "), of.one(0))),
    ("reverse", |of| format!("lax.rev({}, {})", of.name(0), of.listed(0))),
    ("dynamic_slice", |of| {
        let (starts, extents) = (of.starts(0), tuple(&of.each(1)));
        format!("lax.dynamic_slice({}, {starts}, {extents}, allow_negative_indices=False)", of.name(0))
    }),
    ("dynamic_update_slice", |of| {
        let (x, y, starts) = (of.name(0), of.name(1), of.starts(0));
        format!("lax.dynamic_update_slice({x}, {y}, {starts}, allow_negative_indices=False)")
    }),
    ("reduce_sum", |of| format!("jnp.sum({}, axis={})", of.name(0), of.listed(0))),
    ("iota", |of| format!("lax.broadcasted_iota(real, {}, {})", of.extents(), of.one(1))),
    ("integer_iota", |of| format!("lax.broadcasted_iota(jnp.int64, {}, {})", of.extents(), of.one(1))),
    ("matmul", |of| format!("jnp.matmul({}, {})", of.name(0), of.name(1))),
    ("t", |of| format!("{}.T", of.name(0))),
    ("relu", |of| format!("jax.nn.relu({})", of.name(0))),
    ("split_first", |of| format!("lax.slice_in_dim({}, 0, {}, axis={})", of.name(0), of.one(1), of.one(0))),
    ("split_second", |of| {
        format!("lax.slice_in_dim({}, {}, None, axis={})", of.name(0), of.one(1), of.one(0))
    }),
    ("clamp", |of| format!("lax.clamp({}, {}, {})", of.name(0), of.name(1), of.name(2))),
    ("convolution", |of| {
        let spatial = of.shape.len().saturating_sub(2);
        let [stride, low, base, high, window] = [0, 1, 2, 3, 4].map(|at| of.vector(at, spatial));
        let (around, [stride, base, window]) =
            (pairs(&low, &high), [stride, base, window].map(|v| tuple(&v)));
        let (x, w) = (of.name(0), of.name(1));
        format!(
            "lax.conv_general_dilated({x}, {w}, {stride}, {around}, lhs_dilation={base}, rhs_dilation={window})"
        )
    }),
    ("activate", |of| activated(of.name(0).to_owned(), of.one(0))),
    ("conv", |of| {
        let (x, k, strides) = (of.name(0), of.name(1), tuple(&[of.one(0), of.one(1)]));
        activated(format!("lax.conv_general_dilated({x}, {k}, {strides}, {})", mode(of.one(2))), of.one(3))
    }),
    ("pool_avg", |of| {
        let [kh, kw, sh, sw] = [0, 1, 2, 3].map(|at| of.one(at));
        let (window, strides) = (tuple(&[1, 1, kh, kw]), tuple(&[1, 1, sh, sw]));
        let (x, mode) = (of.name(0), mode(of.one(4)));
        format!("lax.reduce_window({x}, real(0), lax.add, {window}, {strides}, {mode}) / {}", kh * kw)
    }),
    ("pool_max", |of| {
        let [kh, kw, sh, sw] = [0, 1, 2, 3].map(|at| of.one(at));
        let (window, strides) = (tuple(&[1, 1, kh, kw]), tuple(&[1, 1, sh, sw]));
        let x = of.name(0);
        let around = format!("lax.padtype_to_pads({x}.shape, {window}, {strides}, {})", mode(of.one(4)));
        format!(
            "lax.reduce_window(jnp.pad({x}, {around}), -jnp.inf, lax.max, {window}, {strides}, \"VALID\")"
        )
    }),
    ("c_pool", |of| {
        let [c, kh, kw] = [0, 1, 2].map(|at| of.one(at));
        format!(
            "jnp.full(({kh}, {kw}), 1 / max({kh} * {kw}, 1), real) * jnp.eye({c}, dtype=real)[:, :, None, None]"
        )
    }),
    ("c_iconv", |of| {
        let [c, kh, kw] = [0, 1, 2].map(|at| of.one(at));
        let middle = format!("[:, :, {}, {}]", (kh - 1).div_euclid(2), (kw - 1).div_euclid(2));
        match c * kh * kw {
            0 => format!("jnp.zeros({}, real)", of.extents()),
            _ => format!("jnp.zeros({}, real).at{middle}.set(jnp.eye({c}, dtype=real))", of.extents()),
        }
    }),
    ("c_id", |of| format!("jnp.eye({}, dtype=real)", of.one(0))),
    ("enlarge", |of| {
        let around = [0, 0, of.one(0), of.one(1)];
        format!("jnp.pad({}, {})", of.name(0), pairs(&around, &around))
    }),
];

/// The features of JAX.
pub const LANGUAGE: TargetLanguage = TargetLanguage { has, takes: |_| true };

fn has(operator: &str) -> bool {
    OPERATORS.iter().any(|(name, _)| *name == operator)
}

/// The text of a function of the inputs with these names; `None` if JAX lacks an operator on elements.
pub fn function(name: &str, inputs: &[String], graph: &OperatorGraph) -> Option<String> {
    let parameters: Vec<String> = inputs.iter().map(|input| format!("a_{input}")).collect();
    let mut text = format!("def {name}({}):\n", parameters.join(", "));
    for (at, node) in graph.nodes.iter().enumerate() {
        text += &format!("    v{at} = {}\n", value(graph, node)?);
    }
    Some(text + &format!("    return v{}\n", graph.result))
}

fn value(graph: &OperatorGraph, node: &GraphNode) -> Option<String> {
    let names: Vec<String> = node.operands.iter().map(|operand| format!("v{operand}")).collect();
    Some(match &node.action {
        Action::Input(name) => format!("a_{name}"),
        Action::Constant(literal) => constant(literal, node.data_type)?,
        Action::Element(index) => format!("{}[{}]", names[0], tuple(index)),
        Action::Stack if names.is_empty() => {
            format!("jnp.zeros({}, {})", tuple(&node.shape), type_name(node.data_type))
        }
        Action::Stack => format!("jnp.stack([{}]).reshape({})", names.join(", "), tuple(&node.shape)),
        Action::Broadcast => format!("jnp.broadcast_to({}, {})", names[0], tuple(&node.shape)),
        Action::Elementwise(operator, function) => {
            let types =
                node.operands.iter().map(|&operand| graph.nodes[operand].data_type).collect::<Vec<_>>();
            match operator {
                Operator::Binary(Binary::Div) if graph.controlled => {
                    let [a, b] = [&names[0], &names[1]];
                    format!("jnp.where(({a} == 0) & ({b} == 0), 0, {a} / {b})")
                }
                _ => elementwise(*operator, function.as_deref(), &names, types[0])?,
            }
        }
        Action::Library(operator, attributes) => {
            let (_, written) = OPERATORS.iter().find(|(name, _)| name == operator)?;
            written(&NamedOperands::new(graph, node, names, attributes))
        }
    })
}

fn type_name(data_type: ElementType) -> &'static str {
    match data_type {
        ElementType::Real => "real",
        ElementType::Integer => "jnp.int64",
        ElementType::Boolean => "bool",
        ElementType::BF16 => "jnp.bfloat16",
        ElementType::F16 => "jnp.float16",
        ElementType::F32 => "jnp.float32",
        ElementType::F64 => "jnp.float64",
        ElementType::I8 => "jnp.int8",
        ElementType::I16 => "jnp.int16",
        ElementType::I32 => "jnp.int32",
        ElementType::I64 => "jnp.int64",
        ElementType::U8 => "jnp.uint8",
        ElementType::U16 => "jnp.uint16",
        ElementType::U32 => "jnp.uint32",
        ElementType::U64 => "jnp.uint64",
        // JAX has no such numbers.
        ElementType::Field => "field",
    }
}

fn constant(literal: &Literal, data_type: ElementType) -> Option<String> {
    let text = match literal {
        Literal::Boolean(truth) => if *truth { "True" } else { "False" }.to_owned(),
        Literal::Exact(number) => number.to_string(),
        Literal::F32(x) => f64::from(*x).to_string(),
        Literal::F16(x) => x.to_f64().to_string(),
        Literal::BF16(x) => x.to_f64().to_string(),
        Literal::F64(x) if x.is_infinite() => format!("{}jnp.inf", if *x < 0.0 { "-" } else { "" }),
        Literal::F64(x) => x.to_string(),
    };
    Some(format!("jnp.asarray({text}, {})", type_name(data_type)))
}

/// A cast that saturates. Other casts convert by the rules of the machine where an integer does not fit.
fn saturated(conversion: Conversion, of: ElementType, x: &str) -> Option<String> {
    let ElementClass::Wrapping { bits: bits @ ..=32, signed } = conversion.to.class() else { return None };
    let beyond = 1i64 << (bits - u32::from(signed));
    let least = if signed { -beyond } else { 0 };
    let rounding = conversion.rounding.keyword();
    let clipped = match (conversion.overflow, of.is_real()) {
        (Overflow::Saturate, true) => {
            let rounded = format!("jnp.{rounding}({x}.astype(jnp.float64))");
            format!("jnp.where(jnp.isnan({x}), 0, jnp.clip({rounded}, {least}, {}))", beyond - 1)
        }
        (Overflow::Saturate, false) if of != ElementType::U64 => {
            format!("jnp.clip({x}.astype(jnp.int64), {least}, {})", beyond - 1)
        }
        _ => return None,
    };
    Some(format!("{clipped}.astype({})", type_name(conversion.to)))
}

fn elementwise(
    operator: Operator,
    function: Option<&str>,
    names: &[String],
    of_first: ElementType,
) -> Option<String> {
    let infix = |symbol: &str| format!("{} {symbol} {}", names[0], names[1]);
    let call = |function: &str| format!("{function}({})", names.join(", "));
    Some(match operator {
        Operator::Unary(Unary::Negate) => format!("-{}", names[0]),
        Operator::Unary(Unary::Not) => format!("~{}", names[0]),
        Operator::Unary(Unary::Absolute) => call("jnp.abs"),
        Operator::Unary(Unary::Cast(to)) => format!("{}.astype({})", names[0], type_name(to)),
        Operator::Primitive(Primitive::Bitcast(to)) => {
            format!("lax.bitcast_convert_type({}, {})", names[0], type_name(to))
        }
        Operator::Primitive(Primitive::Convert(conversion)) => {
            return saturated(conversion, of_first, &names[0]);
        }
        Operator::Primitive(primitive) => call(match primitive.name() {
            "round" => "jnp.round",
            "trunc" => "jnp.trunc",
            "floor" => "jnp.floor",
            "ceil" => "jnp.ceil",
            "sign" => "lax.sign",
            "is_finite" => "lax.is_finite",
            "popcount" => "lax.population_count",
            "quot" => "lax.div",
            "shl" => "lax.shift_left",
            "lshr" => "lax.shift_right_logical",
            "ashr" => "lax.shift_right_arithmetic",
            _ => return None,
        }),
        Operator::If | Operator::Select | Operator::Conditional => call("jnp.where"),
        Operator::Call(_) => call(match function? {
            "exp" => "jnp.exp",
            "ln" => "jnp.log",
            "sqrt" => "jnp.sqrt",
            "rsqrt" => "lax.rsqrt",
            "pow" => "jnp.power",
            _ => return None,
        }),
        Operator::Binary(operator) => match operator {
            Binary::Add => infix("+"),
            Binary::Sub => infix("-"),
            Binary::Mul => infix("*"),
            Binary::Div => infix("/"),
            Binary::IntegerDiv => infix("//"),
            Binary::Mod => infix("%"),
            Binary::Rem => call("jnp.fmod"),
            Binary::Min => call("jnp.minimum"),
            Binary::Max => call("jnp.maximum"),
            Binary::And | Binary::Or | Binary::Xor if of_first == ElementType::Real => return None,
            Binary::And => infix("&"),
            Binary::Or => infix("|"),
            Binary::Xor => infix("^"),
            Binary::Equal => infix("=="),
            Binary::NotEqual => infix("!="),
            Binary::Less => infix("<"),
            Binary::LessOrEqual => infix("<="),
            Binary::Greater => infix(">"),
            Binary::GreaterOrEqual => infix(">="),
        },
    })
}
