# make demo      sets up what is missing, builds, and compares the shipped examples
# make test      sets up what is missing, and passes every test
# make crate NAME=alpha   the tests of one crate, those with a name that contains ONLY; the name is that of its folder in tests/
# make full NAME=expansions TESTS='rewrites expansions::'   a campaign of the tests at its full size: the table in fuzz/campaigns
# make build     the command, target/release/selfsame
# make lint      format, clippy with warnings denied, documentation
# make report    the ledger as a page, report/index.html
# make ledger    the same after checking over a million programs, minutes
# make verdicts  verdicts of equiv against brute force on thousands of pairs, minutes
# make lowering  the core against the own evaluation of 100,000 programs, minutes
# make mutants   faults put into the fast evaluator: whether the fuzzer finds them, and how small the programs are, minutes
# make verifier-mutants faults put into elaboration, lowering, parsers, definitions, checker and guard: which check finds each, and which alone, half an hour
# make campaign  20 minutes each of random pairs and rules against brute force, added to readers/results, 50,000 of each in all
# make rule-mutants mutants of the shipped rules, 20 of each, minutes
# make rule-readings 100,000 random rules, read directly and by elaboration, minutes
# make limits    500 runs of the command that a limit of time ends at a random moment, an hour
# make certificates every certificate of the shipped rules, checked again from its file, minutes
# make chains   random chains of verified rewrites, 4,000 of them, and a mutant of each, minutes
# make extremes  extreme numbers at every place of every example and rule, hours; a fifth of them with PARTS=5 PART=0, …, PARTS=5 PART=4
# make depth     every command on 100,000 nested or chained operators, minutes
# make memory    peak memory of every command on hostile input: cli/tests/memory.txt, minutes
# make operators operators of rules/library against NumPy and JAX, 10,000 cases of each, half an hour
# make laws     the laws of all machines (systems/laws.txt), derived again, a minute
# make systems  systems/xla-cpu.toml against XLA, 10,640 results, minutes
# make mixed-types 100,000 random rules over machine numbers of mixed types against brute force, an hour
# make readers  a second reader of ALPHA and of rules, written from the documents: 20,000 texts, and brute force on verdicts, half an hour
# make outside  the README's example of the library, built and run outside of this workspace, minutes
# make tolerance bounds of floats against sums and products in every order in f16, bf16, f32 and f64, 10,000,000 cases of each, minutes
# make bench     the benchmarks
# make bench-peers the fast evaluator beside NumPy, opt_einsum and JAX: benches/results/peers.json, minutes
# make adapters  NumPy, JAX and ONNX Runtime for `selfsame fuzz --target`, in fuzz/adapters/.venv
# make rules     verified rules through JAX and ONNX Runtime, 1,000 instances of each, an hour (needs make adapters)
# make fuzz      libFuzzer, a minute for each target, in parts that add up: fuzz/results/campaign.tsv (needs cargo-fuzz)
# make second-engine every `unsat` that the checker relied on, asked of cvc5: adds to fuzz/results/second-engine.txt, minutes

.DEFAULT_GOAL := help

CARGO ?= cargo
SELFSAME = target/release/selfsame
# All but the benchmarks, whose dependencies would give others more features, and have them built twice.
MEMBERS = --workspace --exclude selfsame-benches --locked
PAIRS = matrix-product trace transposition interpolation inverse-helmholtz

.PHONY: help setup build demo test crate full ledger verdicts lowering mutants limits verifier-mutants campaign outside rule-mutants rule-readings adapters rules certificates chains extremes depth memory operators laws mixed-types systems tolerance report bench bench-peers fuzz second-engine readers lint

help:
	@sed -n 's/^# make/make/p' Makefile

setup:
	@./setup.sh

build: setup
	@$(CARGO) build --release --locked -p selfsame-cli

# The same profile and features as the tests, so that one build serves both.
demo: setup
	@$(CARGO) build $(MEMBERS) --bin selfsame
	@./demo.sh target/debug/selfsame $(PAIRS)

# Some tests wait for other programs: with one more at a time than there are cores, these are idle less. Two cores were idle
# for 68 s of processor time with two tests at a time, and for 38 s with three (2026-11-28, all tests).
TESTS_AT_A_TIME = $(shell expr $$(nproc) + 1)

# Without the examples, which are for other targets; `make lint` checks them. Documentation is tested beside the programs: one
# crate after the other, it would leave a core idle for 13 s (2026-11-28).
test: setup
	$(CARGO) test $(MEMBERS) --tests --no-run
	@mkdir -p target; $(CARGO) test $(MEMBERS) --doc >target/doctests.txt 2>&1 & documentation=$$!; \
	RUST_TEST_THREADS=$(TESTS_AT_A_TIME) $(CARGO) test $(MEMBERS) --tests; tests=$$?; \
	wait $$documentation; examples=$$?; cat target/doctests.txt; exit $$((tests + examples))

full: setup
	SELFSAME_FULL=$(NAME) $(CARGO) test --release $(MEMBERS) --test $(TESTS) -- --nocapture

# The tests of `cli` that took more than 2.9 s each on 2026-11-28, 141 of 216 s of processor: without ONLY, `make crate` leaves
# them to `make test`.
SLOW = \
  alpha::evaluation_stops_with_a_point depth::every_command_on_deep_programs \
  depth::every_command_on_deep_programs_as_a_library extremes::in_programs fuzz::a_fault_is_found_written_and_run_again \
  fuzz::two_runs_on_one_folder_lose_nothing fuzz::what_cannot_be_written_is_said \
  fuzz::what_is_found_last_and_cannot_be_written_is_said fuzz::what_is_found_when_time_is_over_is_written \
  fuzz::what_is_stopped_is_no_finding optimize::five_matrices_in_their_best_order \
  optimize::programs_of_the_tensor_model_language optimize::the_inverse_helmholtz_operator_one_dimension_at_a_time \
  process::a_reader_that_does_not_read readme::the_sessions_are_real \
  robustness::certificates_of_deep_proofs_are_read_again robustness::operators_that_share_are_elaborated_once \
  robustness_escaping::targets soundness::numbers_that_are_too_long_refute_nothing \
  soundness::shared_values_are_asked_of_the_solver_once verdicts::reasons_are_in_the_terms_of_the_program \
  verify::reasons_and_single_number_systems verify::the_shipped_rules_are_what_they_say

crate: setup
	@$(CARGO) test $(MEMBERS) --test $(NAME) $(ONLY) -- $(if $(ONLY),,$(SLOW:%=--skip %))

# What `cargo clippy -- -D warnings` sets. With it set for both, the documentation uses what the lints have compiled,
# which takes half as long then.
CLIPPY = RUSTC_WORKSPACE_WRAPPER=clippy-driver CLIPPY_ARGS=-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__

lint: setup
	$(CARGO) fmt --all --check
	$(CLIPPY) $(CARGO) check --workspace --all-targets --locked
	$(CLIPPY) RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --locked

ledger: build
	$(SELFSAME) theorems --full --report report

verdicts: setup
	SELFSAME_FULL=differential-pairs,differential-operators $(CARGO) test --release --locked -p selfsame-rink --test rink differential:: -- --nocapture

lowering: setup
	SELFSAME_FULL=lowering-programs,lowering-operators $(CARGO) test --release --locked -p selfsame-rink --test rink lowering:: -- --nocapture --test-threads 1

report: build
	$(SELFSAME) theorems --report report

readers: build
	python3 readers/agree.py --texts 20000
	python3 readers/attack.py pairs --seconds 600
	python3 readers/attack.py rules --seconds 300

outside: setup
	@./selfsame/outside.sh

tolerance: setup
	SELFSAME_FULL=tolerance $(CARGO) test --release --locked -p selfsame-values --test values tolerance:: -- --nocapture

bench: setup
	$(CARGO) bench -p selfsame-benches

bench-peers: setup
	$(CARGO) build --release --locked -p selfsame-benches --bin peers
	python3 -m pip install --quiet --target target/peers -r benches/peers/requirements.txt
	LD_LIBRARY_PATH=.z3 PYTHONPATH=target/peers python3 benches/peers/peers.py target/release/peers benches/results/peers.json

fuzz: setup
	python3 fuzz/campaign.py

second-engine: build
	$(CARGO) build --release --locked -p selfsame-rewrites --example questions
	python3 -m pip install --quiet --target target/cvc5 -r fuzz/second_engine/requirements.txt
	./fuzz/second_engine/run.sh $(SELFSAME) target/release/examples/questions

mutants: setup
	RUSTFLAGS="--cfg seeded_faults" $(CARGO) build --profile mutants --locked -p selfsame-fuzz --example mutants --target-dir target/seeded
	LD_LIBRARY_PATH=.z3 target/seeded/mutants/examples/mutants

verifier-mutants: setup
	RUSTFLAGS="--cfg seeded_faults" $(CARGO) build --profile mutants --locked -p selfsame-cli --target-dir target/seeded
	LD_LIBRARY_PATH=.z3 python3 readers/mutants.py target/seeded/mutants/selfsame --json readers/results/mutants.json

campaign: build
	LD_LIBRARY_PATH=.z3 python3 readers/campaign.py pairs
	LD_LIBRARY_PATH=.z3 python3 readers/campaign.py rules

rules: setup
	$(CARGO) build --release --locked -p selfsame-fuzz --example rules
	LD_LIBRARY_PATH=.z3 target/release/examples/rules onnxruntime 1000 1 rules/pass/*.rules
	LD_LIBRARY_PATH=.z3 target/release/examples/rules jax 1000 1 rules/pass/*.rules

adapters:
	python3 -m venv fuzz/adapters/.venv
	fuzz/adapters/.venv/bin/pip install --quiet -r fuzz/adapters/requirements.txt

rule-mutants: setup
	SELFSAME_FULL=rule-mutants $(CARGO) test --release --locked -p selfsame-rewrites --test rewrites mutants:: -- --nocapture

rule-readings: setup
	SELFSAME_FULL=rule-readings $(CARGO) test --release --locked -p selfsame-rule-files --test rule_files rule_readings:: -- --nocapture

operators: setup
	$(CARGO) build --release --locked -p selfsame-rewrites --example operators
	python3 -m pip install --quiet --target target/numpy -r fuzz/operators/requirements.txt
	target/release/examples/operators fuzz/operators/operators.rules 10000 1 | PYTHONPATH=target/numpy python3 fuzz/operators/compare.py

laws: setup
	SELFSAME_FULL=laws $(CARGO) test --release --locked -p selfsame-checker --test checker derivations::the_table
	$(CARGO) test --release --locked -p selfsame-checker --test checker derivations::

systems: build
	python3 -m pip install --quiet --target target/numpy -r fuzz/systems/requirements.txt
	LD_LIBRARY_PATH=.z3 PYTHONPATH=target/numpy python3 fuzz/systems/xla.py $(SELFSAME) 40 2

mixed-types: setup
	SELFSAME_FULL=mixed-types $(CARGO) test --release --locked -p selfsame --test selfsame mixed_types:: -- --nocapture

limits: setup
	SELFSAME_FULL=limits $(CARGO) test --release --locked -p selfsame-cli --test cli a_limit -- --nocapture

certificates: setup
	SELFSAME_FULL=certificates $(CARGO) test --release --locked -p selfsame-cli --test cli shipped_rules -- --nocapture

chains: setup
	SELFSAME_FULL=chains $(CARGO) test --release --locked -p selfsame-rewrites --test rewrites chains:: -- --nocapture

extremes: setup
	SELFSAME_SIZE=extremes=$$((10000 / $(or $(PARTS),1))) SELFSAME_PART=$(or $(PART),0) $(CARGO) test --release --locked -p selfsame-cli --test cli extremes::

depth: setup
	SELFSAME_FULL=depth $(CARGO) test --release --locked -p selfsame-cli --test cli depth::

memory: build
	SELFSAME=$(SELFSAME) LD_LIBRARY_PATH=.z3 python3 cli/tests/memory.py cli/tests/cases/robustness cli/tests/memory.txt
