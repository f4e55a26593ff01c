//! Writes graphs for ONNX, in JSON: a list of `{"constant": …, "type": …, "shape": …, "name": …}` and
//! `{"operator": …, "inputs": …, "attributes": …, "name": …}`, operands first.

use super::graph::{Action, GraphNode, OperatorGraph, TargetLanguage};
use super::operands::NamedOperands;
use dashu_ratio::RBig;
use selfsame_core::Operator;
use selfsame_core::operators::{Binary, ElementType, Unary};
use serde_json::{Value, json};
use values::Literal;

/// The nodes written so far.
struct OnnxNodes(Vec<Value>);

impl OnnxNodes {
    fn add(&mut self, operator: &str, inputs: &[String], attributes: Value) -> String {
        let name = format!("t{}", self.0.len());
        self.0
            .push(json!({ "operator": operator, "inputs": inputs, "attributes": attributes, "name": name }));
        name
    }

    fn plain(&mut self, operator: &str, inputs: &[&str]) -> String {
        let inputs: Vec<String> = inputs.iter().map(|input| (*input).to_owned()).collect();
        self.add(operator, &inputs, json!({}))
    }

    /// A constant vector of 64-bit integers.
    fn integers(&mut self, numbers: &[i64]) -> String {
        let name = format!("t{}", self.0.len());
        self.0
            .push(json!({ "constant": numbers, "type": "integer", "shape": [numbers.len()], "name": name }));
        name
    }

    fn constant(&mut self, value: Value, data_type: ElementType) -> String {
        let name = format!("t{}", self.0.len());
        self.0.push(json!({ "constant": [value], "type": data_type.keyword(), "shape": [], "name": name }));
        name
    }

    fn slice(&mut self, x: &str, axes: &[i64], starts: &[i64], ends: &[i64], steps: &[i64]) -> String {
        if axes.is_empty() {
            return self.plain("Identity", &[x]);
        }
        let [starts, ends, axes, steps] = [starts, ends, axes, steps].map(|numbers| self.integers(numbers));
        self.plain("Slice", &[x, &starts, &ends, &axes, &steps])
    }

    fn reshape(&mut self, x: &str, shape: &[i64]) -> String {
        let shape = self.integers(shape);
        self.add("Reshape", &[x.to_owned(), shape], json!({ "allowzero": 1 }))
    }

    fn expand(&mut self, x: &str, shape: &[i64]) -> String {
        let shape = self.integers(shape);
        self.plain("Expand", &[x, &shape])
    }

    fn pad(&mut self, x: &str, value: &str, low: &[i64], high: &[i64]) -> String {
        if low.is_empty() {
            return self.plain("Identity", &[x]);
        }
        let pads = self.integers(&[low, high].concat());
        self.plain("Pad", &[x, &pads, value])
    }
}

/// The nodes of a graph whose result has the name `result`; `None` if ONNX lacks an operator.
pub fn nodes(graph: &OperatorGraph) -> Option<Vec<Value>> {
    let mut nodes = OnnxNodes(Vec::new());
    let mut names: Vec<String> = Vec::new();
    for node in &graph.nodes {
        names.push(value(&mut nodes, graph, node, &names)?);
    }
    let result = names.get(graph.result)?.clone();
    nodes.0.push(json!({ "operator": "Identity", "inputs": [result], "attributes": {}, "name": "result" }));
    Some(nodes.0)
}

fn value(nodes: &mut OnnxNodes, graph: &OperatorGraph, node: &GraphNode, names: &[String]) -> Option<String> {
    let operands: Vec<String> = node.operands.iter().map(|&operand| names[operand].clone()).collect();
    let first = operands.first().cloned().unwrap_or_default();
    let of_first = node.operands.first().map(|&operand| &graph.nodes[operand]);
    Some(match &node.action {
        Action::Input(name) => format!("a_{name}"),
        Action::Constant(literal) => nodes.constant(number(literal), node.data_type),
        Action::Element(index) => {
            let shape = &of_first?.shape;
            let at = index.iter().zip(shape).fold(0, |at, (i, n)| at * n + i);
            let flat = nodes.reshape(&first, &[-1]);
            let at = nodes.constant(at.into(), ElementType::Integer);
            nodes.add("Gather", &[flat, at], json!({ "axis": 0 }))
        }
        Action::Stack if operands.is_empty() => return None,
        Action::Stack => {
            let elements: Vec<String> = operands.iter().map(|element| nodes.reshape(element, &[1])).collect();
            let flat = nodes.add("Concat", &elements, json!({ "axis": 0 }));
            nodes.reshape(&flat, &node.shape)
        }
        Action::Broadcast => nodes.expand(&first, &node.shape),
        Action::Elementwise(Operator::Binary(Binary::Div), _) if graph.controlled => return None,
        Action::Elementwise(operator, function) => elementwise(
            nodes,
            *operator,
            function.as_deref(),
            &operands,
            of_first?.data_type,
            node.data_type,
        )?,
        Action::Library(operator, attributes) => {
            let (_, written) = OPERATORS.iter().find(|(name, _)| name == operator)?;
            written(nodes, &NamedOperands::new(graph, node, operands, attributes))?
        }
    })
}

fn number(literal: &Literal) -> Value {
    match literal {
        Literal::Boolean(truth) => (*truth).into(),
        Literal::Exact(number) if number.is_int() => json!(number.to_string()),
        Literal::Exact(number) => json!(RBig::to_string(number)),
        Literal::F32(x) => json!(x.to_string()),
        Literal::F64(x) => json!(x.to_string()),
        Literal::F16(_) | Literal::BF16(_) => json!(literal.to_string()),
    }
}

type OperatorNodes = fn(&mut OnnxNodes, &NamedOperands<'_>) -> Option<String>;

fn axes(of: &NamedOperands<'_>) -> Vec<i64> {
    (0..of.rank() as i64).collect()
}

fn concat(nodes: &mut OnnxNodes, of: &NamedOperands<'_>) -> Option<String> {
    Some(nodes.add("Concat", &of.names, json!({ "axis": of.one(0) })))
}

/// The operators of `rules/library` in ONNX, with version 18 of its operator set.
const OPERATORS: &[(&str, OperatorNodes)] = &[
    ("fill", |nodes, of| Some(nodes.expand(of.name(0), of.shape))),
    ("broadcast", |nodes, of| {
        let dimensions = of.dimensions(0);
        let kept = |(d, n): (usize, &i64)| if dimensions.contains(&(d as i64)) { *n } else { 1 };
        let shape: Vec<i64> = of.shape.iter().enumerate().map(kept).collect();
        let x = nodes.reshape(of.name(0), &shape);
        Some(nodes.expand(&x, of.shape))
    }),
    ("transpose", |nodes, of| Some(nodes.add("Transpose", &of.names, json!({ "perm": of.dimensions(0) })))),
    ("t", |nodes, of| Some(nodes.add("Transpose", &of.names, json!({ "perm": [1, 0] })))),
    ("slice", |nodes, of| Some(nodes.slice(of.name(0), &axes(of), &of.each(0), &of.each(1), &of.each(2)))),
    ("pad", |nodes, of| {
        let is_plain = of.each(1).iter().all(|between| *between == 0);
        is_plain.then(|| nodes.pad(of.name(0), of.name(1), &of.each(0), &of.each(2)))
    }),
    ("concat", concat),
    ("concat_list2", concat),
    ("concat_list3", concat),
    ("reverse", |nodes, of| {
        let axes = of.dimensions(0);
        let [starts, ends, steps] = [-1, i64::MIN, -1].map(|number| vec![number; axes.len()]);
        Some(nodes.slice(of.name(0), &axes, &starts, &ends, &steps))
    }),
    ("dynamic_slice", |nodes, of| {
        let extents = of.each(1);
        if extents.is_empty() {
            return Some(nodes.plain("Identity", &[of.name(0)]));
        }
        let most: Vec<i64> = of.shapes[0].iter().zip(&extents).map(|(n, m)| n - m).collect();
        let [start, most, none] = [of.each(0), most, vec![0; extents.len()]].map(|of| nodes.integers(&of));
        let start = nodes.plain("Min", &[&start, &most]);
        let start = nodes.plain("Max", &[&start, &none]);
        let [extents, axes] = [extents, axes(of)].map(|of| nodes.integers(&of));
        let end = nodes.plain("Add", &[&start, &extents]);
        Some(nodes.plain("Slice", &[of.name(0), &start, &end, &axes]))
    }),
    ("reduce_sum", |nodes, of| {
        let axes = nodes.integers(&of.dimensions(0));
        let attributes = json!({ "keepdims": 0, "noop_with_empty_axes": 1 });
        Some(nodes.add("ReduceSum", &[of.name(0).to_owned(), axes], attributes))
    }),
    ("matmul", |nodes, of| Some(nodes.add("MatMul", &of.names, json!({})))),
    ("relu", |nodes, of| Some(nodes.add("Relu", &of.names, json!({})))),
    ("split_first", |nodes, of| Some(nodes.slice(of.name(0), &[of.one(0)], &[0], &[of.one(1)], &[1]))),
    ("split_second", |nodes, of| {
        Some(nodes.slice(of.name(0), &[of.one(0)], &[of.one(1)], &[i64::MAX], &[1]))
    }),
    ("clamp", |nodes, of| Some(nodes.plain("Clip", &[of.name(1), of.name(0), of.name(2)]))),
    ("convolution", |nodes, of| {
        let spatial = of.shape.len().checked_sub(2)?;
        let [stride, low, base, high, window] = [0, 1, 2, 3, 4].map(|at| of.vector(at, spatial));
        let is_plain =
            base.iter().all(|base| *base == 1) && low.iter().chain(&high).all(|around| *around >= 0);
        let pads = [low, high].concat();
        let attributes = json!({ "strides": stride, "dilations": window, "pads": pads });
        (spatial > 0 && is_plain).then(|| nodes.add("Conv", &of.names, attributes))
    }),
    ("activate", |nodes, of| Some(activated(nodes, of.name(0).to_owned(), of.one(0)))),
    ("conv", |nodes, of| {
        let window = [of.shapes.get(1)?.get(2)?, of.shapes[1].get(3)?].map(|extent| *extent);
        let strides = [of.one(0), of.one(1)];
        let attributes = json!({ "strides": strides, "pads": around(of, window, strides, of.one(2))? });
        let result = nodes.add("Conv", &of.names, attributes);
        Some(activated(nodes, result, of.one(3)))
    }),
    ("pool_avg", |nodes, of| {
        let [kh, kw, sh, sw] = [0, 1, 2, 3].map(|at| of.one(at));
        let pads = around(of, [kh, kw], [sh, sw], of.one(4))?;
        let attributes =
            json!({ "kernel_shape": [kh, kw], "strides": [sh, sw], "pads": pads, "count_include_pad": 1 });
        Some(nodes.add("AveragePool", &of.names, attributes))
    }),
    ("enlarge", |nodes, of| {
        let zero = nodes.constant(json!("0"), ElementType::Real);
        let around = [0, 0, of.one(0), of.one(1)];
        Some(nodes.pad(of.name(0), &zero, &around, &around))
    }),
];

fn activated(nodes: &mut OnnxNodes, e: String, activation: i64) -> String {
    if activation == 0 { e } else { nodes.plain("Relu", &[&e]) }
}

/// Padding of height and width with zeros as XLA and TASO define SAME; SAME_UPPER crops if strides are longer than
/// windows.
fn around(of: &NamedOperands<'_>, window: [i64; 2], strides: [i64; 2], mode: i64) -> Option<Vec<i64>> {
    if mode == 0 {
        return Some(vec![0; 4]);
    }
    let extents = of.shapes.first()?.get(2..4)?;
    let total = |d: usize| {
        let places = (extents[d] + strides[d] - 1).div_euclid(strides[d]);
        ((places - 1) * strides[d] + window[d] - extents[d]).max(0)
    };
    let [h, w] = [0, 1].map(total);
    Some(vec![h / 2, w / 2, h - h / 2, w - w / 2])
}

/// The features of ONNX.
pub const LANGUAGE: TargetLanguage = TargetLanguage { has, takes: |graph| nodes(graph).is_some() };

fn has(operator: &str) -> bool {
    OPERATORS.iter().any(|(name, _)| *name == operator)
}

fn elementwise(
    nodes: &mut OnnxNodes,
    operator: Operator,
    function: Option<&str>,
    operands: &[String],
    of_first: ElementType,
    result: ElementType,
) -> Option<String> {
    let is_boolean = of_first == ElementType::Boolean;
    let name = match operator {
        Operator::Unary(Unary::Negate) => "Neg",
        Operator::Unary(Unary::Not) if is_boolean => "Not",
        Operator::Unary(Unary::Not) => "BitwiseNot",
        Operator::Unary(Unary::Absolute) => "Abs",
        Operator::Unary(Unary::Cast(_)) => {
            return Some(nodes.add("Cast", operands, json!({ "to": result.keyword() })));
        }
        Operator::Primitive(primitive) if of_first.is_real() => match primitive.name() {
            "round" => "Round",
            "floor" => "Floor",
            "ceil" => "Ceil",
            "sign" => "Sign",
            _ => return None,
        },
        Operator::Primitive(_) => return None,
        Operator::If | Operator::Select | Operator::Conditional => "Where",
        Operator::Call(_) => match function? {
            "exp" => "Exp",
            "ln" => "Log",
            "sqrt" => "Sqrt",
            "rsqrt" => {
                let root = nodes.add("Sqrt", operands, json!({}));
                return Some(nodes.plain("Reciprocal", &[&root]));
            }
            "pow" => "Pow",
            _ => return None,
        },
        Operator::Binary(Binary::NotEqual) => {
            let equal = nodes.add("Equal", operands, json!({}));
            return Some(nodes.plain("Not", &[&equal]));
        }
        Operator::Binary(Binary::Rem) => return Some(nodes.add("Mod", operands, json!({ "fmod": 1 }))),
        Operator::Binary(operator) => match operator {
            Binary::Add => "Add",
            Binary::Sub => "Sub",
            Binary::Mul => "Mul",
            Binary::Div => "Div",
            Binary::Mod if of_first == ElementType::Integer => "Mod",
            Binary::Min => "Min",
            Binary::Max => "Max",
            Binary::And if is_boolean => "And",
            Binary::Or if is_boolean => "Or",
            Binary::Xor if is_boolean => "Xor",
            Binary::And if of_first == ElementType::Integer => "BitwiseAnd",
            Binary::Or if of_first == ElementType::Integer => "BitwiseOr",
            Binary::Xor if of_first == ElementType::Integer => "BitwiseXor",
            Binary::Equal => "Equal",
            Binary::Less => "Less",
            Binary::LessOrEqual => "LessOrEqual",
            Binary::Greater => "Greater",
            Binary::GreaterOrEqual => "GreaterOrEqual",
            _ => return None,
        },
    };
    Some(nodes.add(name, operands, json!({})))
}
