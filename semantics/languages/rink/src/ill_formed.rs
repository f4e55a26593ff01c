//! Why a program is not well-formed, with the witness: the five kinds of §3.2.1, and faults beyond the paper.

use super::extents::{Extent, SizeParameter};
use super::syntax::{AxisPair, DimensionPosition, ElementwiseOperator};
use super::tensor_type::{MAX_RANK, WrittenType};
use base::diagnostics::{Code, Diagnostic, Span};

/// Why an expression has no type although its operands have types (kind 5).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeMismatch {
    /// A position is 0 or greater than the rank.
    PositionOutOfRange {
        /// The position.
        position: DimensionPosition,
        /// The rank of the operand.
        rank: usize,
    },
    /// `m = n`.
    EqualPositions(DimensionPosition),
    /// `dm ≠ dn` in a contraction.
    ContractedExtents {
        /// The positions.
        pair: AxisPair,
        /// The extents `dm`, `dn`.
        extents: (Extent, Extent),
    },
    /// An element-wise operator on different types, neither of them the scalar that t-smul or t-sdiv allows.
    OperandTypes {
        /// The operator.
        operator: ElementwiseOperator,
        /// The types of the operands.
        types: (WrittenType, WrittenType),
    },
    /// More than [`MAX_RANK`] dimensions: a limit, not a fault.
    Rank(usize),
}

/// The suggested meaning of an undeclared name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Suggestion {
    /// A declared variable with a similar name.
    Similar(String),
    /// The size parameter of this name.
    SizeParameter,
    /// No suggestion.
    Nothing,
}

/// Why a program is not well-formed. The first five are the five kinds of §3.2.1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IllFormed {
    /// (1) `x ∈ dom Γ` at its declaration.
    Redeclaration {
        /// The variable.
        name: String,
        /// The earlier declaration.
        first: Span,
        /// The offending declaration.
        again: Span,
    },
    /// (2) `x ∉ dom Γ` in `x = e`.
    AssignmentToUndeclared {
        /// The variable.
        name: String,
        /// The suggested meaning.
        suggestion: Suggestion,
        /// The place of the assignment.
        span: Span,
    },
    /// (3) `Γ(x) ≠ t` in `x = e` with `Γ ⊢ e : t`.
    AssignmentMismatch {
        /// The variable.
        name: String,
        /// Its declared type.
        declared: WrittenType,
        /// The type of the right-hand side.
        found: WrittenType,
        /// The place of the right-hand side.
        span: Span,
        /// The place of the variable's declaration.
        declaration: Span,
        /// Whether its left operand is an operation without parentheses.
        chained: bool,
    },
    /// (4) `x ∉ dom Γ` in an expression.
    UseOfUndeclared {
        /// The variable.
        name: String,
        /// The suggested meaning.
        suggestion: Suggestion,
        /// The place of the use.
        span: Span,
    },
    /// (5) No rule gives the expression a type.
    ExpressionMismatch {
        /// The reason.
        mismatch: TypeMismatch,
        /// The expression.
        span: Span,
        /// Its operands, with their types.
        operands: Vec<(Span, WrittenType)>,
        /// Whether its left operand is an operation without parentheses.
        chained: bool,
    },
    /// An extent is 0, so the declaration denotes no tensor type (Definition 2).
    NonPositiveExtent {
        /// The variable.
        name: String,
        /// The position of the extent, from 1.
        at: DimensionPosition,
        /// The place of the extent.
        span: Span,
    },
    /// The number of elements exceeds `u64`: no store can hold them.
    TooManyElements {
        /// The variable.
        name: String,
        /// Its type.
        declared: WrittenType,
        /// The place of the declaration.
        span: Span,
    },
    /// A size parameter has the name of a variable (R0009). One of the two is probably a mistake.
    ParameterIsVariable {
        /// The name.
        name: SizeParameter,
        /// The first place where it is a size parameter.
        span: Span,
        /// The place of its declaration.
        declaration: Span,
    },
    /// An extent is a size parameter where only numbers have a meaning (R0013).
    UnknownSize {
        /// The size parameter.
        name: SizeParameter,
        /// The place of the parameter.
        span: Span,
    },
}

impl IllFormed {
    /// The place of the fault.
    pub fn span(&self) -> Span {
        match self {
            IllFormed::Redeclaration { again, .. } => *again,
            IllFormed::AssignmentToUndeclared { span, .. }
            | IllFormed::AssignmentMismatch { span, .. }
            | IllFormed::UseOfUndeclared { span, .. }
            | IllFormed::ExpressionMismatch { span, .. }
            | IllFormed::NonPositiveExtent { span, .. }
            | IllFormed::TooManyElements { span, .. }
            | IllFormed::ParameterIsVariable { span, .. }
            | IllFormed::UnknownSize { span, .. } => *span,
        }
    }

    /// The stable code; `R0001` to `R0005` are the paper's five kinds.
    pub fn code(&self) -> Code {
        match self {
            IllFormed::Redeclaration { .. } => Code::R0001,
            IllFormed::AssignmentToUndeclared { .. } => Code::R0002,
            IllFormed::AssignmentMismatch { .. } => Code::R0003,
            IllFormed::UseOfUndeclared { .. } => Code::R0004,
            IllFormed::ExpressionMismatch { mismatch: TypeMismatch::Rank(_), .. } => Code::R0020,
            IllFormed::ExpressionMismatch { .. } => Code::R0005,
            IllFormed::NonPositiveExtent { .. } => Code::R0006,
            IllFormed::TooManyElements { .. } => Code::R0008,
            IllFormed::ParameterIsVariable { .. } => Code::R0009,
            IllFormed::UnknownSize { .. } => Code::R0013,
        }
    }

    /// The text for people.
    pub fn diagnostic(&self) -> Diagnostic {
        let (code, span) = (self.code(), self.span());
        match self {
            IllFormed::Redeclaration { name, first, .. } => {
                Diagnostic::new(code, span, format!("`{name}` is declared twice"), "declared again here")
                    .with(*first, "first declared here")
            }
            IllFormed::AssignmentToUndeclared { name, suggestion, .. } => {
                let message = format!("assignment to `{name}`, which is not declared");
                suggest(
                    Diagnostic::new(code, span, message, "expected a declared variable"),
                    name,
                    suggestion,
                )
            }
            IllFormed::UseOfUndeclared { name, suggestion, .. } => {
                let message = format!("`{name}` is not declared");
                suggest(
                    Diagnostic::new(code, span, message, "expected a declared variable"),
                    name,
                    suggestion,
                )
            }
            IllFormed::AssignmentMismatch { name, declared, found, declaration, chained, .. } => {
                let message = format!("`{name}` has type {declared}, but the expression has type {found}");
                let diagnostic =
                    Diagnostic::new(code, span, message, format!("expected {declared}, found {found}"))
                        .with(*declaration, format!("`{name}` is declared with type {declared}"));
                if *chained { diagnostic.hint(NO_PRECEDENCE) } else { diagnostic }
            }
            IllFormed::ExpressionMismatch { mismatch, operands, chained, .. } => {
                let labels = operands.iter().map(|(span, t)| (*span, format!("this has type {t}")));
                let diagnostic = Diagnostic::new(code, span, mismatch.message(), mismatch.expectation());
                let diagnostic = labels.fold(diagnostic, |d, (span, text)| d.with(span, text));
                let grouping = chained.then(|| NO_PRECEDENCE.to_owned());
                mismatch.hint().or(grouping).into_iter().fold(diagnostic, Diagnostic::hint)
            }
            IllFormed::NonPositiveExtent { name, at, .. } => {
                let message = format!("extent {at} of `{name}` is 0");
                Diagnostic::new(code, span, message, "expected a positive extent")
            }
            IllFormed::TooManyElements { name, declared, .. } => {
                let message = format!("`{name}` has more elements than can be addressed");
                Diagnostic::new(
                    code,
                    span,
                    message,
                    format!("the extents of {declared} multiply to more than 2^64"),
                )
            }
            IllFormed::ParameterIsVariable { name, declaration, .. } => {
                let message = format!("`{name}` is a variable, and cannot be an extent");
                Diagnostic::new(code, span, message, "expected a number or a size parameter")
                    .with(*declaration, format!("`{name}` is declared here"))
                    .hint("a size parameter is not declared, and has a name of its own")
            }
            IllFormed::UnknownSize { name, .. } => {
                let message = format!("the size parameter `{name}` has no value");
                Diagnostic::new(code, span, message, "expected a number")
            }
        }
    }
}

const NO_PRECEDENCE: &str =
    "no operator binds tighter than another, and all associate to the left; use parentheses to group";

fn suggest(diagnostic: Diagnostic, name: &str, suggestion: &Suggestion) -> Diagnostic {
    diagnostic.hint(match suggestion {
        Suggestion::Similar(similar) => format!("did you mean `{similar}`?"),
        Suggestion::SizeParameter => format!("`{name}` is a size parameter, not a variable"),
        Suggestion::Nothing => format!("declare it before the first statement: `var {name} : […]`"),
    })
}

impl TypeMismatch {
    fn message(&self) -> String {
        match self {
            TypeMismatch::PositionOutOfRange { position, rank } => {
                format!("there is no dimension {position} in a tensor of rank {rank}")
            }
            TypeMismatch::EqualPositions(position) => format!("both positions are {position}"),
            TypeMismatch::ContractedExtents { pair, extents: (dm, dn) } => {
                format!("dimensions {} and {} have different extents, {dm} and {dn}", pair.m, pair.n)
            }
            TypeMismatch::OperandTypes { operator, types: (t0, t1) } => {
                format!("`{}` cannot be applied to types {t0} and {t1}", operator.symbol())
            }
            TypeMismatch::Rank(rank) => format!("rank {rank} is not supported"),
        }
    }

    fn expectation(&self) -> String {
        match self {
            TypeMismatch::PositionOutOfRange { rank: 0, .. } => "a scalar has no dimensions".to_owned(),
            TypeMismatch::PositionOutOfRange { rank, .. } => format!("expected positions from 1 to {rank}"),
            TypeMismatch::EqualPositions(_) => "expected two different positions".to_owned(),
            TypeMismatch::ContractedExtents { .. } => "expected equal extents (rule t-contr)".to_owned(),
            TypeMismatch::OperandTypes { .. } => {
                "expected operands of the same type (rule t-elem)".to_owned()
            }
            TypeMismatch::Rank(_) => format!("at most {MAX_RANK} dimensions are supported"),
        }
    }

    fn hint(&self) -> Option<String> {
        let TypeMismatch::OperandTypes { operator, types: (t0, t1) } = self else { return None };
        match operator {
            ElementwiseOperator::Mul if t1.rank() == 0 => {
                Some("a scalar factor stands on the left".to_owned())
            }
            ElementwiseOperator::Mul => Some("`#` is the outer product".to_owned()),
            ElementwiseOperator::Div if t0.rank() == 0 => Some("only the divisor may be a scalar".to_owned()),
            _ => None,
        }
    }
}
