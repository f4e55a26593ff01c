"""Sides of rules by JAX under jit, or by ONNX Runtime: a line of JSON with instances is answered by a line with their results."""

import json
import sys
from fractions import Fraction

import numpy as np
from protocol import number, written

TYPES = {"integer": "int64", "boolean": "bool"}


def array(of, real):
    data = [number(x, "f") if of["type"] == "real" else x for x in of["data"]]
    return np.array(data, dtype=object).astype(TYPES.get(of["type"], real)).reshape(of["shape"])


def answer(value):
    value = np.asarray(value)
    return {"shape": list(value.shape), "data": [written(x) for x in value.astype("float64").ravel().tolist()]}


def failed(error):
    return {"error": f"{type(error).__name__}: {error}"[:300]}


def by_jax():
    import jax

    jax.config.update("jax_enable_x64", True)
    names = {"jax": jax, "jnp": jax.numpy, "lax": jax.lax, "real": jax.numpy.float64}

    def defined(text):
        scope = dict(names)
        exec(text, scope)
        return scope["side"]

    def run(instances):
        inputs = [[array(of, "float64") for of in instance["inputs"]] for instance in instances]
        results = [[None, None] for _ in instances]
        for side in (0, 1):
            # One compilation for all left sides, and one for all right ones: that they are compiled takes longest.
            there = [k for k, instance in enumerate(instances) if instance["sides"][side] is not None]
            functions = [defined(instances[k]["sides"][side]) for k in there]
            together = lambda given: [function(*tensors) for function, tensors in zip(functions, given)]
            try:
                values = map(answer, jax.jit(together)([inputs[k] for k in there]))
            except Exception:
                values = [alone(function, inputs[k]) for function, k in zip(functions, there)]
            for k, value in zip(there, values):
                results[k][side] = value
        return results

    def alone(function, tensors):
        try:
            return answer(jax.jit(function)(*tensors))
        except Exception as error:  # what the compiler says is a finding
            return failed(error)

    return run, f"jax {jax.__version__}"


def by_onnxruntime():
    import onnx
    import onnxruntime
    from onnx import TensorProto, helper, numpy_helper

    kinds = {"real": TensorProto.FLOAT, "integer": TensorProto.INT64, "boolean": TensorProto.BOOL}
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.log_severity_level = 1, 4

    def node(of):
        if "constant" in of:
            data = [Fraction(x) if of["type"] == "real" and "inf" not in x else x for x in of["constant"]]
            data = [float(x) if of["type"] == "real" else x for x in data]
            value = np.array(data, dtype=TYPES.get(of["type"], "float32")).reshape(of["shape"])
            return helper.make_node("Constant", [], [of["name"]], value=numpy_helper.from_array(value))
        attributes = {name: value for name, value in of["attributes"].items() if value != []}
        if "to" in attributes:
            attributes["to"] = kinds[attributes["to"]]
        return helper.make_node(of["operator"], of["inputs"], [of["name"]], **attributes)

    def computed(instance, nodes, given):
        info = [helper.make_tensor_value_info(f"a_{of['name']}", kinds[of["type"]], of["shape"]) for of in instance["inputs"]]
        result = helper.make_tensor_value_info("result", kinds[instance["type"]], None)
        graph = helper.make_graph([node(of) for of in nodes], "side", info, [result])
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10)
        session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        return answer(session.run(["result"], given)[0])

    def side(instance, nodes):
        given = {f"a_{of['name']}": array(of, "float32") for of in instance["inputs"]}
        try:
            return None if nodes is None else computed(instance, nodes, given)
        except Exception as error:  # what the implementation says is a finding
            return failed(error)

    return (
        lambda instances: [[side(instance, nodes) for nodes in instance["sides"]] for instance in instances],
        f"onnxruntime {onnxruntime.__version__}, onnx {onnx.__version__}",
    )


run, versions = {"jax": by_jax, "onnxruntime": by_onnxruntime}[sys.argv[1]]()
print(json.dumps({"versions": versions}), flush=True)
for line in sys.stdin:
    print(json.dumps(run(json.loads(line)), allow_nan=False), flush=True)
