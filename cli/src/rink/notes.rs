//! The results of the analyses of §5 on a well-formed program: warnings, and notes for those who compile it.

use super::loading::Loaded;
use crate::diagnostics::{CommandCode, Report, ReportPlace, Severity};
use base::diagnostics::{Label, Span};
use rink::analysis::common_subexpressions::{Class, Occurrence, common_subexpressions};
use rink::analysis::dead_code;
use rink::analysis::in_place::{Conflict, InPlace, in_place};
use rink::analysis::reaching::{ReachingDefinition, ReachingDefinitions, StatementId, VariableOccurrence};
use rink::analysis::uninitialized::UninitializedUses;
use rink::syntax::{Program, Qualifier, Statement};

/// Warnings about probable mistakes, in source order: statements on which no output depends and, if a variable is
/// qualified `input`, uses of uninitialized variables and outputs that are never assigned.
pub fn warnings(program: &Program, reaching: &ReachingDefinitions) -> Vec<Report> {
    let mut warnings = Vec::new();
    if program.declarations.iter().any(|d| d.qualifier == Qualifier::Input) {
        let found = UninitializedUses::new(program, reaching);
        let initial = found.uses().iter().filter(|at| at.definition == ReachingDefinition::Initial);
        warnings.extend(initial.map(|at| uninitialized(program, at)));
        let outputs = program.declarations.iter().filter(|d| d.qualifier == Qualifier::Output);
        let unset = outputs.filter(|d| reaching.at_end(d.name) == ReachingDefinition::Initial);
        warnings.extend(unset.map(|d| unset_output(program.name(d.name), d.name_span)));
    }
    let dropped = dead_code::eliminate(program).dropped;
    warnings.extend(dropped.into_iter().map(|at| dead(program, program.statements[at.index()])));
    warnings.sort_by_key(Report::start);
    warnings
}

/// Notes, in source order: expressions that are evaluated more than once and, for statements that use their own
/// target, whether they may be evaluated in place.
pub fn notes(loaded: &Loaded, reaching: &ReachingDefinitions) -> Vec<Report> {
    let Loaded { program, typing, .. } = loaded;
    let classes = common_subexpressions(program, reaching);
    let shared = classes.iter().filter(|class| class.references > 1);
    let mut notes: Vec<Report> = shared.map(|class| common(program, class)).collect();
    for (at, &statement) in program.statements.iter().enumerate() {
        if reaching.uses_in(StatementId(at)).iter().any(|used| used.variable == statement.target) {
            notes.push(placed(program, statement, &in_place(program, typing, statement)));
        }
    }
    notes.sort_by_key(Report::start);
    notes
}

fn uninitialized(program: &Program, at: &VariableOccurrence) -> Report {
    let x = program.name(at.variable);
    Report::new(CommandCode::A0001, format!("`{x}` may be undefined here"))
        .with_severity(Severity::Warning)
        .at(at.span(program), "no earlier statement assigns it, and it is not `input`")
        .hint(format!("declare `var input {x}`, or assign it first"))
}

fn unset_output(x: &str, span: Span) -> Report {
    Report::new(CommandCode::A0001, format!("the output `{x}` is never assigned"))
        .with_severity(Severity::Warning)
        .at(span, "keeps its initial value")
}

fn dead(program: &Program, statement: Statement) -> Report {
    let x = program.name(statement.target);
    Report::new(CommandCode::A0002, format!("no output depends on this value of `{x}`"))
        .with_severity(Severity::Warning)
        .at(statement.target_span, "can be removed")
}

fn common(program: &Program, class: &Class) -> Report {
    let label = |(at, occurrence): (usize, &Occurrence)| {
        let text = if at == 0 { "first here" } else { "again here" };
        Label { span: program.span(occurrence.expression), text: text.to_owned() }
    };
    let labels = class.occurrences.iter().enumerate().map(label).collect();
    let times = class.occurrences.len();
    let mut report = Report::new(CommandCode::A0003, format!("the same value is computed {times} times"))
        .with_severity(Severity::Note)
        .hint("assign it to a variable, to compute it once");
    report.place = ReportPlace::Source(labels);
    report
}

fn placed(program: &Program, statement: Statement, verdict: &InPlace) -> Report {
    let x = program.name(statement.target);
    let report = |message, label: String| {
        Report::new(CommandCode::A0004, message)
            .with_severity(Severity::Note)
            .at(statement.target_span, label)
    };
    match verdict {
        InPlace::Safe => report(
            format!("`{x}` may be evaluated in place, in any order and in parallel"),
            "each element reads at most itself".to_owned(),
        ),
        InPlace::Unsafe(Conflict { reader, read, .. }) => report(
            format!("`{x}` needs a temporary: in place, every order of its elements gives a wrong result"),
            format!("element {} reads element {}", index(reader), index(read)),
        ),
    }
}

fn index(index: &[u64]) -> String {
    let components: Vec<String> = index.iter().map(u64::to_string).collect();
    format!("[{}]", components.join(" "))
}
