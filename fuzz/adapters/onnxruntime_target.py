"""ONNX Runtime as a target: each program as a graph, by all optimizations, or by none with the argument `plain`."""

import sys

import numpy as np
import onnx
import onnxruntime
from onnx import helper
from protocol import FLOATS, NUMBERS, Unsupported, serve

OPERATIONS = {"add": "Add", "sub": "Sub", "mul": "Mul", "div": "Div"}
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
IS_PLAIN = sys.argv[1:] == ["plain"]
OPSET = 18


class Value:
    """A value of the graph."""

    def __init__(self, name, shape):
        self.name, self.shape = name, shape


class Graph:
    def __init__(self, dtype):
        self.nodes, self.type = [], helper.np_dtype_to_tensor_dtype(dtype)

    def add(self, operation, operands, shape, **attributes):
        name = f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(operation, [value.name for value in operands], [name], **attributes))
        return Value(name, shape)

    def elementwise(self, operator, a, b):
        return self.add(OPERATIONS[operator], [a, b], a.shape or b.shape)

    def einsum(self, factors, result):
        extents = {label: n for value, labels in factors for label, n in zip(labels, value.shape)}
        text = ",".join("".join(LETTERS[label] for label in labels) for _, labels in factors)
        equation = f"{text}->{''.join(LETTERS[label] for label in result)}"
        shape = tuple(extents[label] for label in result)
        return self.add("Einsum", [value for value, _ in factors], shape, equation=equation)


def run(program):
    dtype = np.dtype(NUMBERS[program.numbers])
    inputs = program.inputs.items()
    given = {name: np.array(data, dtype=object).astype(dtype).reshape(shape) for name, (shape, data) in inputs}
    graph = Graph(dtype)
    if program.numbers not in FLOATS and any(node[0] == "elementwise" and node[1][0] == "div" for node in program.expressions):
        raise Unsupported("division by zero ends the process")
    values = program.run(graph, {name: Value(name, array.shape) for name, array in given.items()})
    # An output has a node of its own, as it may be an input.
    outputs = {name: graph.add("Identity", [value], value.shape) for name, value in values.items()}
    info = lambda value: helper.make_tensor_value_info(value.name, graph.type, value.shape)
    variables = [info(Value(name, array.shape)) for name, array in given.items()]
    made = helper.make_graph(graph.nodes, "program", variables, [info(value) for value in outputs.values()])
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=10)
    results = session(model).run([value.name for value in outputs.values()], given)
    return dict(zip(outputs, map(np.asarray, results)))


def session(model):
    options, levels = onnxruntime.SessionOptions(), onnxruntime.GraphOptimizationLevel
    options.graph_optimization_level = levels.ORT_DISABLE_ALL if IS_PLAIN else levels.ORT_ENABLE_ALL
    options.intra_op_num_threads, options.log_severity_level = 1, 4
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


serve(
    {
        "name": "onnxruntime-plain" if IS_PLAIN else "onnxruntime",
        "versions": f"onnxruntime {onnxruntime.__version__}, onnx {onnx.__version__}",
        # For the others it has not all of the four operations and products.
        "numbers": ["f16", "f32", "f64", "i32", "i64"],
        "floats": {"contracts": True, "reassociates": True, "starts_from_zero": True, "widens": True},
    },
    run,
)
