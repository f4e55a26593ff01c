"""What the seeded faults of the verifier are tried on: small rules and pairs of programs, true and false, each of one kind."""

# Rules for machine numbers, by the number system in which they are judged.
OF_MACHINES = {
    "llvm": """
rule trap-least tensors x: i8, y: i8 left conditional(y = -1, 0, quot(x, y)) right if y = -1 then 0 else quot(x, y) broken
rule trap-branch tensors x: i8, y: i8 left conditional(y = 0, 0, quot(x, y)) right if y = 0 then 0 else quot(x, y) broken
rule trap-sunk tensors x: i8, y: i8 left if y = 0 then 0 else quot(x, y) right conditional(y = 0, 0, quot(x, y))
rule trap-poison tensors x: u8, y: u8
  left if lshr(y, 3) = 0 then x else shl(x, 8) right conditional(lshr(y, 3) = 0, x, quot(x, 0)) broken
rule trap-sum sizes n tensors x[n]: i32, y[n]: i32 left sum(i < n : quot(x[i], y[i])) right sum(i < n : quot(x[n - 1 - i], y[n - 1 - i]))
""",
    "checked.toml": """
rule trap-value tensors c: bool, x: i8, y: i8 left conditional(c, x + y, x) right if c then x + y else x broken
rule trap-cast tensors c: bool, x: f32 left conditional(c, i8(x), 0) right if c then i8(x) else 0 broken
rule trap-commuted tensors x: i8, y: i8 left x + y right y + x
""",
    "xla-cpu": """
rule times-one tensors x: f32 left x * 1 right x broken
rule sum-backward sizes n tensors x[n]: f32 left sum(i < n : x[i]) right sum(i < n : x[n - 1 - i])
rule by-zero tensors x: i32 left quot(x, 0) right -1
""",
    "onnx": """
rule least tensors x: i32 left quot(x, -1) right -x refines
""",
}

# What `checked.toml` says otherwise than `llvm`.
CHECKED = [
    ('"llvm"', '"checked.toml"'),
    ('signed-overflow = "wrap"', 'signed-overflow = "trap"'),
    ('shift-too-far = "undefined"', 'shift-too-far = "trap"'),
    ('too-large = "undefined"', 'too-large = "trap"'),
    ('nan-to-integer = "undefined"', 'nan-to-integer = "trap"'),
]

RULES = """
rule where-needed sizes n integers k tensors x[n] where k = 1 left x * index(k) right x
rule where-negative sizes n integers k tensors x[n] where k < 1 left x * index(max(k, 0)) right x * 0
rule sum-of-first sizes n left sum(i < n : if i = 0 then 1 else 0) right 1 broken
rule sum-split sizes n tensors x[n + 1] left sum(i < n + 1 : x[i]) right sum(i < n : x[i]) + x[n]
rule sum-short sizes n tensors x[n + 1] left sum(i < n + 1 : x[i]) right sum(i < n : x[i]) broken
rule filtered sizes n tensors x[n] left sum(i < n | i < 1 : x[i]) right sum(i < min(n, 1) : x[i])
rule filter-lost sizes n tensors x[n] left sum(i < n | i < 1 : x[i]) right sum(i < n : x[i]) broken
rule cast-of-a-truth tensors a: integer left a + integer(a > 0) right if a > 0 then a + 1 else a in integer, i32, i64
rule beyond sizes n, m tensors x[n] left sum(i < n : x[i]) right sum(i < n : x[i]) + 0 * sum(i < m : x[i]) broken
rule other-shape sizes n, m tensors x[n] left x right [i < m] -> x[i] broken
rule rank-two for r in 0..2 sizes N[r] tensors x[N] left x * index(r * (r - 1)) right x * 0 broken
rule both-dimensions for D subset 2 sizes n, m tensors x[n, m]
  left x * index(choose(D, [1, 1], [0, 0]).0 * choose(D, [1, 1], [0, 0]).1) right x * 0 broken
rule transposed for p permutation 2 sizes n tensors x[n, n] left transpose(x; p) right x broken
rule transposed-twice for p permutation 2 sizes N[2] tensors x[N] left transpose(transpose(x; p); inverse(p)) right x
rule component sizes N[2] left iota(; N, 0) right [i < N.0, j < N.1] -> index(i)
rule if-index sizes n left [i < n] -> if i < 1 then 1 else 0 right [i < n] -> 1 - index(min(i, 1))
rule all-zero sizes N[2] left [i < N] -> if all(k < 2 : i.k = 0) then 1 else 0
  right [i < N] -> (1 - index(min(i.0, 1))) * (1 - index(min(i.1, 1)))
rule given-positive sizes n tensors x[n] given x >= 0 left max(x, 0) right x
rule given-other sizes n tensors x[n] given x >= 0 left max(x, 0) right 0 * x broken
rule add-associative tensors x, y, z left (x + y) + z right x + (y + z) in rational, integer, i32, i64, field
rule differences sizes n tensors a[n], b[n], c[n] left a - b - c right a - (b + c) in rational, integer, i32, i64, field
rule less-or-equal tensors a, b left a <= b or a > b right a = a
rule not-equal tensors a, b left a != b right not (a = b)
rule sliced sizes n tensors x[2*n] left slice(x; 0, 2*n, 2) right [i < n] -> x[2*i]
rule reversed sizes n tensors x[n] left reverse(x; 0) right [i < n] -> x[n - 1 - i]
rule padded sizes n tensors x[n] left pad(x, 0; 2, 0, 1) right [i < n + 3] -> if 2 <= i and i < n + 2 then x[i - 2] else 0
rule squared sizes n tensors x[n, n] left matmul(x, x) right [i < n, j < n] -> sum(k < n : x[i, k] * x[k, j])
rule counted sizes n left iota(; [n], 0) right [i < n] -> index(i)
rule commuted sizes n tensors x[n], y[n] left x * y right y * x
rule subtracted sizes n tensors x[n], y[n] left x - y right y - x broken
rule product-of-sums sizes n, m tensors x[n], y[m] left sum(i < n : x[i]) * sum(j < m : y[j]) right sum(i < n, j < m : x[i] * y[j])
rule sum-reversed sizes n tensors x[n] left sum(i < n : x[i]) right sum(i < n : x[n - 1 - i])
rule sum-evens sizes n tensors x[2*n] left sum(i < 2*n : x[i]) right sum(i < n : x[2*i]) + sum(i < n : x[2*i + 1])
rule maximum-split sizes n tensors x[n + 2] left maximum(i < n + 2 : x[i]) right max(maximum(i < n + 1 : x[i]), x[n + 1])
rule half sizes n tensors x[2*n + 1] left x[n] right x[(2*n + 1) div 2]
rule divided tensors x, y given y > 0 left x / y * y right x in rational
rule exponents sizes n tensors x[n], y[n] by exp_sum(x, y) left exp(x) * exp(y) right exp(x + y)
rule roots tensors x given x >= 0 by sqrt_square(x) left sqrt(x) * sqrt(x) right x
law sqrt_false(x[N..]) is sqrt(x) = x
rule false-law tensors x by sqrt_false(x) left sqrt(x) right x broken
rule given-contradictory tensors x given x > 0, x < 0 left x right x + 1 broken
rule negated sizes n tensors x[n], y[n] left x + -y right x - y
rule over-both sizes n, m tensors A[n, m] left reduce_sum(A; union([0, 1], [1])) right sum(l < n, o < m : A[l, o])
rule over-others sizes n, m tensors A[n, m] left reduce_sum(A; others(0, 2)) right [i < n] -> sum(l < m : A[i, l])
rule over-some sizes n, m, k tensors A[n, m, k] left reduce_sum(A; [0, 2]) right [j < m] -> sum(l < n, o < k : A[l, j, o])
rule first-reversed sizes n, m tensors A[n, m] left reverse(A; nth([0, 1], 0)) right [i < n, j < m] -> A[n - 1 - i, j]
rule replaced sizes n, m left index(replace([n, m], [0, 1], 3).1) right 3
rule turned sizes n, m, k tensors A[n, m, k] left transpose(A; [1, 2, 0]) right [i < m, j < k, l < n] -> A[l, i, j]
rule rounded-down sizes n integers a tensors x[n] where 0 <= a, a < n left x[a + (0 - 1) div 2 + 1] right x[a]
rule in-range sizes n integers a tensors x[n + 1] left x[max(0, min(a, min(n, n + 1)))] right x[max(min(a, n), 0)]
rule third tensors x[3] left sum(i < 3 | i < 2 : x[i]) right x[0] + x[1]
rule third-lost tensors x[3] left sum(i < 3 : x[i]) right x[0] + x[1] broken
rule largest-twice sizes n tensors x[n] where n >= 1 left max(maximum(i < n : x[i]), maximum(i < n : x[i])) right maximum(i < n : x[i])
rule mean sizes n tensors x where 1 <= n left sum(i < n : x) / index(n) right x in rational
rule one-of-some sizes n where n >= 1 left sum(i < n : if i = 0 then 1 else 0) right 1
rule odd sizes n integers k tensors x[n] where k mod 2 = 1 left x * index(k) right x * index(2*(k div 2) + 1)
rule same-range sizes n, m tensors x[n + 2] left sum(i < n | i < m : x[i] * x[i]) right sum(i < m | i < n : x[i] * x[i])
rule exponents-where integers k tensors x where k = 1 by exp_sum(x, x) left exp(x) * exp(x) * index(k) right exp(x + x)
rule forgotten tensors x, y left 0 * (x / y) right 0 refines
rule cancelled tensors x, y left x * y / y right x refines
rule evens-first sizes n tensors x[2*n] left sum(i < n : x[2*i]) + sum(i < n : x[2*i + 1]) right sum(i < 2*n : x[i])
rule quotients sizes m tensors x where m >= 1 left x / index(m) * index(m) right x in rational
rule exponents-of-some sizes n tensors x by exp_sum(x, x) left if n = 0 then 0 else exp(x) * exp(x) right exp(x + x)
rule zero-times sizes n tensors x[n] left 0 * x right [i < n] -> 0
rule forgotten-largest sizes n tensors x[n] left 0 right 0 * maximum(i < n : x[i]) broken
rule largest-forgotten sizes n tensors x[n] left 0 * maximum(i < n : x[i]) right 0 refines
rule never-negative sizes n tensors x[n], y[n]
  left sum(i < n : x[i]) - sum(i < n : max(x[i] * y[i] / y[i], 0)) + sum(i < n : max(x[i], 0)) right sum(i < n : x[i]) refines
rule clamped sizes n, m tensors x[m] where n = m, m >= 1 left 2 * sum(i < n : x[min(i, m - 1)]) right sum(j < m : x[j]) + sum(j < m : x[j])
rule taken sizes n tensors x where n >= 1 given x >= 0 left max(if n >= 1 then x else x + 1, 0) right x
rule given-some sizes n tensors x[n + 2] given [i < n + 1] -> x[i] >= 0 left max(x[n], 0) right x[n]
rule halves sizes n tensors x[n] left x / 2 + x / 2 right x
"""

HEAD = "system s (N : { N | N>=%d } parameter; x : { i | 0<=i<=N } of %s) returns (%s);\n"


def system(body, outputs="y : { i | 0<=i<=N } of real", locals_="", least=0, of="real"):
    variables = f"var {locals_};\n" if locals_ else ""
    return HEAD % (least, of, outputs) + variables + "let\n  " + body + "\ntel;\n"


def prefix(step, outputs, last, least=0):
    body = "S[i] = case {i=0} : x[0]; {i>=1} : %s; esac;\n  %s" % (step, last)
    return system(body, outputs, "S : { i | 0<=i<=N } of real", least)


TWO = "y : { i | 0<=i<=N } of real; z : { i | 0<=i<=N } of real"
UNION = "y : { i | 0<=i<=2 } | { i | 4<=i<=5 } of real"
SUM = "r : { | N>=0 } of real"

# name: both texts, and whether they are the same
PAIRS = {
    "some-sizes": (prefix("S[i-1] + x[i]", "y : { i | 0<=i<=3; i<=N } of real", "y[i] = S[i];"),
                   prefix("S[i-1] - x[i]", "y : { i | 0<=i<=3; i<=N } of real", "y[i] = S[i];"), False),
    "scalar-with-condition": (prefix("S[i-1] max x[i]", "y : { | N>=2 } of real", "y[] = S[N];", 1),
                              prefix("S[i-1] min x[i]", "y : { | N>=2 } of real", "y[] = S[N];", 1), False),
    "last-of-a-box": (prefix("S[i-1] + x[i]", "y : { i | 0<=i<=1 } of real", "y[i] = case {i=0} : x[0]; {i=1} : S[N]; esac;"),
                      prefix("S[i-1] - x[i]", "y : { i | 0<=i<=1 } of real", "y[i] = case {i=0} : x[0]; {i=1} : S[N]; esac;"), False),
    "second-output": (system("y[i] = x[i];\n  z[i] = x[i] + x[i];", TWO), system("y[i] = x[i];\n  z[i] = x[i] * x[i];", TWO), False),
    "both-outputs": (system("y[i] = x[i];\n  z[i] = x[i] + x[N-i];", TWO), system("y[i] = x[i];\n  z[i] = x[N-i] + x[i];", TWO), True),
    "second-of-a-union": (system("y[i] = case {i<=2} : x[0]; {i>=4} : x[0] + x[0]; esac;", UNION),
                          system("y[i] = x[0];", UNION), False),
    "same-on-a-union": (system("y[i] = case {i<=2} : x[0]; {i>=4} : x[0] + x[0]; esac;", UNION),
                        system("y[i] = case {i>=4} : x[0] + x[0]; {i<=2} : x[0]; esac;", UNION), True),
    "first-element": (system("y[i] = case {i=0} : x[0] + x[0]; {i>=1} : x[i]; esac;"), system("y[i] = x[i];"), False),
    "small-sizes": (system("y = case { i | N>=3 } : x; { i | N<=2 } : x + x; esac;"), system("y[i] = x[i];"), False),
    "tiny-sizes": (system("y = case { i | N>=2 } : x; { i | N<=1 } : x + x; esac;"), system("y[i] = x[i];"), False),
    "sum-of-all": (system("r = reduce(+, (i->), x);", SUM, least=1), system("r[] = (reduce(+, (i->), {i | 1<=i<=N} : x))[] + x[0];", SUM, least=1), True),
    "sum-of-most": (system("r = reduce(+, (i->), x);", SUM, least=1), system("r = reduce(+, (i->), {i | 0<=i<N} : x);", SUM, least=1), False),
    "three-terms": (system("r = reduce(+, (i->), {i | 0<=i<=2} : x);", SUM, least=2), system("r[] = x[0] + x[1] + x[2];", SUM, least=2), True),
    "cast": (system("y[i] = integer(x[i] > 0[]);", "y : { i | 0<=i<=N } of integer", of="integer"),
             system("y[i] = if x[i] > 0[] then 1[] else 0[];", "y : { i | 0<=i<=N } of integer", of="integer"), True),
    "cases": (system("y[i] = case {i=0} : x[0] + x[0]; {i>=1} : x[i]; esac;"),
              system("y = x + case {i | i=0} : x; {i | i>=1} : x - x; esac;"), True),
    "restricted": (system("y = case {i | i<=1} : x; {i | i>=2} : x.(i->i-1); esac;"),
                   system("y = case {i | i>=2} : x.(i->i-1); {i | i<=1} : x; esac;"), True),
    "prefix-sums": (prefix("S[i-1] + x[i]", "y : { i | 0<=i<=N } of real", "y[i] = S[i];"),
                    system("y[i] = reduce(+, (i,k->i), {i,k | 0<=k<=i} : x.(i,k->k));"), True),
    "prefix-differences": (prefix("S[i-1] - x[i]", "y : { i | 0<=i<=N } of real", "y[i] = S[i];"),
                           system("y[i] = reduce(+, (i,k->i), {i,k | 0<=k<=i} : x.(i,k->k));"), False),
    "two-recurrences": (prefix("S[i-1] + x[i]", "y : { i | 0<=i<=N } of real", "y[i] = S[i];"),
                        prefix("x[i] + S[i-1]", "y : { i | 0<=i<=N } of real", "y[i] = S[i];"), True),
    "two-recurrences-apart": (prefix("S[i-1] + x[i]", "y : { i | 0<=i<=N } of real", "y[i] = S[i];"),
                              prefix("x[i] - S[i-1]", "y : { i | 0<=i<=N } of real", "y[i] = S[i];"), False),
    "if": (system("y[i] = if x[i] > 0.0[] then x[i] else -x[i];"), system("y[i] = x[i] max -x[i];"), True),
    "subtraction": (system("y[i] = x[i] - x[0];"), system("y[i] = x[0] - x[i];"), False),
    "undefined": (system("y[i] = x[i] / x[i];"), system("y[i] = x[i] / x[i] + x[0];"), False),
    "from-the-left": (system("y[i] = x[i] - x[0] - x[N];"), system("y[i] = x[i] - (x[0] + x[N]);"), True),
    "product-first": (system("y[i] = x[0] * x[i] + x[N];"), system("y[i] = x[N] + (x[i] * x[0]);"), True),
    "strictly": (system("y = case {i | i<N} : x; {i | i=N} : x.(i->0); esac;"),
                 system("y = case {i | i<=N-1} : x; {i | i>=N} : x.(i->0); esac;"), True),
    "up-to-half": (system("y = reduce(+, (i,j->i), {i,j | 0<=2j<=i; i<=N} : x.(i,j->j));"),
                   system("y = reduce(+, (i,j->i), {i,j | 0<=2j; 2j<=i+1; j<=i; i<=N} : x.(i,j->j));"), False),
    "of-two": (system("y = reduce(+, (i,j->i), {i,j | j=0; 0<=i<=N} | {i,j | j=2; 2<=i<=N} : x.(i,j->j));"),
               system("y = case {i | i<=1} : x.(i->0); {i | i>=2} : x.(i->0) + x.(i->2); esac;"), True),
    "diagonal": (system("y[i] = reduce(+, (i,j,k->i), {i,j,k | 0<=j<=i; 0<=k<=j; j+k>=i; i<=N} : x[j]);"),
                 system("y[i] = reduce(+, (i,j,k->i), {i,j,k | 0<=j<=i; 0<=k<=j; i<=N} : x[j]);"), False),
    "fewer-sizes": (system("y[i] = x[i];"), system("y[i] = x[i];", least=1), False),
    "larger-domain": (system("y[i] = x[i];", "y : { i | 1<=i<=N } of real"), system("y[i] = x[i];"), False),
    "smaller-domain": (system("y[i] = x[i];"), system("y[i] = x[i];", "y : { i | 1<=i<=N } of real"), False),
    "another-output": (system("y[i] = x[i];"), system("y[i] = x[i];\n  z[i] = x[i];", TWO), False),
    "sum-from-the-left": (system("y = reduce(+, (i,j->i), {i,j | -1<=j<=i; i<=N} : x.(i,j->0) * x.(i,j->0));", least=0),
                          system("y = x.(i->0) * x.(i->0) + reduce(+, (i,j->i), {i,j | 0<=j<=i; i<=N} : x.(i,j->0) * x.(i,j->0));"), True),
    "sums-of-models": ("var x : [2 3]\nvar y : [2 3]\nvar z : [2 3]\nz = (x + y)\n", "var x : [2 3]\nvar y : [2 3]\nvar z : [2 3]\nz = (y * x)\n", False),
}

# Certificates changed by hand: of what, and in its JSON what stands in the place of what.
FORGED = {
    "the last term is in both parts": ("sum-split", [
        ("right sum(i < n : x[i]) + x[n]\\nrule sum-short", "right sum(i < n + 1 : x[i]) + x[n]\\nrule sum-short"),
        ("all(v4 >= 0, -v4 + v0 - 1 >= 0)", "all(v4 >= 0, -v4 + v0 >= 0)"), ("-v3 + v0 - 1 >= 0", "-v3 + v0 >= 0")]),
    "an even number is an odd one": ("odd", [("where k mod 2 = 1 left", "where k mod 2 = 0 left")]),
    "a sum has more terms on the right": ("same-range", [("left sum(i < n | i < m : x[i] * x[i]) right", "left sum(i < n | i + 1 < m : x[i] * x[i]) right")]),
    "what is given contradicts itself": ("given-positive", [("given x >= 0 left max(x, 0) right x\\n", "given x >= 0, x < 0 left max(x, 0) right x\\n")]),
    "what may be undefined is 0": ("forgotten", [("right 0 refines\\n", "right 0\\n"), ('["refines", "refines"]', '["equivalent", "refines"]')]),
    "a divisor may be 0": ("quotients", [("where m >= 1 left x / index(m) *", "where m >= 0 left x / index(m) *")]),
    "odd terms are even ones": ("evens-first", [
        ("left sum(i < n : x[2*i]) + sum(i < n : x[2*i + 1]) right", "left sum(i < n : x[2*i + 1]) + sum(i < n : x[2*i + 1]) right"),
        ('{"first": {"side": 0, "term": 0, "part": "all()"}, "others": [{"of": {"side": 1, "term": 0, "part": "2*floor(v6, 2) - v6 = 0"}, '
         '"forward": ["2*v4"], "backward": ["floor(v6, 2)"], "factors": [[0, "leaf"]]}]}',
         '{"first": {"side": 1, "term": 0, "part": "2*floor(v6, 2) - v6 = 0"}, "others": [{"of": {"side": 0, "term": 0, "part": "all()"}, '
         '"forward": ["floor(v6, 2)"], "backward": ["2*v4"], "factors": [[0, "leaf"]]}]}')]),
    "a map goes to one place twice": ("clamped", [
        ("where n = m, m >= 1", "where n >= m, m >= 1"), ('"f32": ["equivalent", "equivalent"], ', ""),
        (', {"scalars": {"arithmetic": "f32", "strength": "undefined", "taken": [], "leaves": [{"side": 0, "node": 1, "unknown": 0, "proof": null}, '
         '{"side": 1, "node": 5, "unknown": 0, "proof": {"fold": {"binders": [5], "shift": ["0"], "body": "leaf"}}}, '
         '{"side": 1, "node": 7, "unknown": 0, "proof": {"fold": {"binders": [5], "shift": ["0"], "body": "leaf"}}}]}}', "")]),
    "a sum twice is the sum": ("largest-twice", [
        ("max(maximum(i < n : x[i]), maximum(i < n : x[i])) right maximum(i < n : x[i])", "sum(i < n : x[i]) + sum(i < n : x[i]) right sum(i < n : x[i])"),
        ("max-plus", "plus-times"), ('"f32": ["equivalent", "equivalent"], ', ""), ('"f64": ["equivalent", "equivalent"], ', "")]),
    "the branch that is not taken": ("taken", [("where n >= 1 given", "given")]),
    "what is given elsewhere": ("given-some", [("left max(x[n], 0) right x[n]\\n", "left max(x[n + 1], 0) right x[n + 1]\\n"), ('"at": ["v0"]', '"at": ["v0 + 1"]')]),
    "a definition in other words": ("reversed", [("x[choose(D, N - 1 - i, i)]", "x[choose(D, N - i - 1, i)]")]),
    "two branches for one element": ("same-on-a-union", [("{i<=2} : x[0]; esac", "{i<=4} : x[0]; esac")]),
    "a maximum of nothing": ("maximum-split", [
        ("x[n + 2] left maximum(i < n + 2 : x[i]) right max(maximum(i < n + 1 : x[i]), x[n + 1])", "x[n + 1] left maximum(i < n + 1 : x[i]) right max(maximum(i < n : x[i]), x[n])"),
        ('"part": "-v3 + v0 >= 0"', '"part": "-v3 + v0 - 1 >= 0"'), ("-v3 + v0 + 1 >= 0", "-v3 + v0 >= 0"), ("-v4 + v0 >= 0", "-v4 + v0 - 1 >= 0"),
        ("v3 - v0 - 1 >= 0", "v3 - v0 >= 0"), ('"backward": ["v0 + 1"]', '"backward": ["v0"]')]),
    "another operand": ("commuted", [("left x * y right y * x", "left x - y right y - x")]),
}
