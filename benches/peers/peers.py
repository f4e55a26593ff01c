"""Every workload by the fast evaluator and by NumPy, opt_einsum and JAX: one process each, one thread, in turn, on one core.

    python peers.py BINARY RESULTS.json         all of them
    python peers.py --one PEER NUMBER           one, as the line that is read back
"""
import json, os, subprocess, sys, time, datetime, platform

HERE = os.path.dirname(os.path.abspath(__file__))
WORKLOADS = json.load(open(os.path.join(HERE, "workloads.json")))
PEERS = ["numpy", "opt_einsum", "jax"]
# How far sums of all elements may be apart: peers accumulate short floats in longer ones.
ROUNDING = {"f64": 1e-3, "f32": 1e-3, "f16": 1e-2, "bf16": 1e-1, "i8": 0, "u8": 0}
ONE_THREAD = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")}
ONE_THREAD["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
ONE_THREAD["JAX_ENABLE_X64"] = "1"


def inputs(workload):
    import numpy
    import ml_dtypes
    kinds = {"f64": "float64", "f32": "float32", "f16": "float16", "bf16": ml_dtypes.bfloat16, "i8": "int8", "u8": "uint8"}
    kind = numpy.dtype(kinds[workload["dtype"]])
    made = {}
    for v, (name, shape) in enumerate(workload["inputs"].items()):
        count = int(numpy.prod(shape))
        values = (numpy.arange(count) * 7919 + v * 104729) % 1000
        values = values if kind.kind in "iu" else values / 1000.0 - 0.5
        made[name] = values.astype(kind).reshape(shape)
    return made


def program(workload, xp, contract):
    """The workload as a function of its inputs."""
    def steps(a):
        u = a
        for _ in range(workload["steps"]):
            inner = 0.25 * u[:-2] + 0.5 * u[1:-1] + 0.25 * u[2:]
            u = xp.concatenate([u[:1], inner, u[-1:]])
        return u

    def einsums(**given):
        for pattern, *names in workload["einsums"]:
            given["_"] = contract(pattern, *(given[name] for name in names))
        return given["_"]

    if "steps" in workload:
        return steps
    if "einsums" in workload:
        return einsums
    code = compile(workload["expression"], "expression", "eval")
    return lambda **given: eval(code, {"xp": xp, **given})


def one(peer, workload):
    import numpy
    given = inputs(workload)
    if peer == "numpy":
        run = program(workload, numpy, lambda *of: numpy.einsum(*of, optimize=True))
    elif peer == "opt_einsum":
        import opt_einsum
        if "einsums" not in workload:
            return None
        run = program(workload, numpy, opt_einsum.contract)
    else:
        import jax
        jitted = jax.jit(program(workload, jax.numpy, jax.numpy.einsum))
        given = {name: jax.numpy.asarray(value) for name, value in given.items()}
        run = lambda **given: jitted(**given).block_until_ready()
    try:
        result = run(**given)
    except (TypeError, ValueError):
        # NumPy has no products of bfloat16.
        return None
    times, start = [], time.perf_counter()
    while len(times) < 5 or time.perf_counter() - start < 1.0:
        begin = time.perf_counter()
        run(**given)
        times.append(time.perf_counter() - begin)
    times.sort()
    return {"ms": times[len(times) // 2] * 1e3, "sum": float(numpy.abs(numpy.asarray(result, numpy.float64)).sum())}


def measured(command):
    """What a process prints; on the second core, for the first one has more to do."""
    pinned = ["taskset", "-c", "1"] + command
    ran = subprocess.run(pinned, env={**os.environ, **ONE_THREAD}, capture_output=True, text=True, check=True)
    return json.loads(ran.stdout.strip().splitlines()[-1])


def main(binary, path):
    peaks = measured([binary, "peaks"])
    print(f"peaks: {peaks['gflops']:.1f} GFLOP/s in f64, copy {peaks['copy_gb']:.1f} GB/s")
    rows = []
    for number, workload in enumerate(WORKLOADS):
        ours = measured([binary, str(number)])
        theirs = {}
        for peer in PEERS:
            found = measured([sys.executable, __file__, "--one", peer, str(number)])
            if found:
                agrees = abs(found["sum"] - ours["sum"]) <= ROUNDING[workload["dtype"]] * abs(ours["sum"])
                assert agrees, f"{workload['name']}: {peer} computes something else: {found['sum']}, {ours['sum']}"
                theirs[peer] = found["ms"]
        row = {key: workload[key] for key in ("name", "class", "dtype")}
        row |= {"selfsame_ms": ours["ms"], "plan_ms": ours["plan_ms"], "peers_ms": theirs}
        if workload["flops"]:
            row["gflops"] = workload["flops"] / ours["ms"] / 1e6
            scale = {"f64": 1, "f32": 2}.get(workload["dtype"])
            if scale:
                row["of_peak"] = row["gflops"] / (peaks["gflops"] * scale)
        if "bytes" in workload:
            row["of_copy"] = workload["bytes"] / ours["ms"] / 1e6 / peaks["copy_gb"]
        rows.append(row)
        best = min(theirs.values())
        others = ", ".join(f"{peer} {ms:.4g}" for peer, ms in theirs.items())
        peak = "".join(f", {row[key]:.2f} {key}" for key in ("of_peak", "of_copy") if key in row)
        print(f"{row['name']:22} {row['dtype']} {ours['ms']:10.4g} ms, {others}; ratio {best / ours['ms']:.2f}{peak}", flush=True)
    classes = {}
    for row in rows:
        classes.setdefault(row["class"], []).append(min(row["peers_ms"].values()) / row["selfsame_ms"])
    for name, ratios in classes.items():
        product = 1.0
        for ratio in ratios:
            product *= ratio
        print(f"{name}: {product ** (1 / len(ratios)):.2f} (geometric mean against the best peer)")
    cpu = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "")
    machine = f"{cpu or platform.machine()}, one core of {os.cpu_count()}"
    document = {"machine": machine, "date": datetime.date.today().isoformat(), "peaks": peaks, "workloads": rows}
    with open(path, "w") as file:
        json.dump(document, file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    if sys.argv[1] == "--one":
        print(json.dumps(one(sys.argv[2], WORKLOADS[int(sys.argv[3])])))
    else:
        main(sys.argv[1], sys.argv[2])
