//! An instance of each statement, and for each side condition an instance that violates only this condition.

/// A step by a statement, at a place of `D : e`.
pub struct StatementStep {
    pub by: &'static str,
    pub at: &'static [usize],
    pub sides: [&'static str; 2],
}

/// A step that violates a condition.
pub struct Broken {
    pub row: StatementStep,
    pub condition: &'static str,
}

/// The system with the variables of the expressions.
pub const SYSTEM: &str =
    "system s (N : { N | N>=1 } parameter; A : { i | 0<=i<=N-1 } of real; B : { i | 0<=i<=N-1 } of real;
     M : { i,j | 0<=i<=N-1; 0<=j<=N-1 } of real; C : { i,j,k | 0<=i<=N-1; 0<=j<=N-1; 0<=k<=N-1 } of real)
   returns (Y : { i | 0<=i<=N-1 } of real);
   var T : { i | 0<=i<=N-1 } of real;
   let T = A * B; Y = DEFINITION; tel;";

/// The place of the operand of `D : e`.
const AT: &[usize] = &[0];

pub const INSTANCES: &[StatementStep] = &[
    StatementStep { by: "alpha/equation-2", at: AT, sides: ["T", "{ i | 0<=i<=N-1 } : (A * B)"] },
    StatementStep { by: "alpha/case-1", at: AT, sides: ["case A; esac", "A"] },
    StatementStep {
        by: "alpha/case-2",
        at: AT,
        sides: [
            "case case { i | i<=2 } : A; { i | i>=3 } : B; esac; esac",
            "case { i | i<=2 } : A; { i | i>=3 } : B; esac",
        ],
    },
    StatementStep {
        by: "alpha/case-3",
        at: AT,
        sides: [
            "A / case { i | i<=2 } : A; { i | i>=3 } : B; esac",
            "case A / ({ i | i<=2 } : A); A / ({ i | i>=3 } : B); esac",
        ],
    },
    StatementStep {
        by: "alpha/case-4",
        at: AT,
        sides: [
            "(case { i | i<=2 } : A; { i | 3<=i<=5 } : B; { i | i>=6 } : A; esac) - A",
            "case ({ i | i<=2 } : A) - A; ({ i | 3<=i<=5 } : B) - A; ({ i | i>=6 } : A) - A; esac",
        ],
    },
    StatementStep {
        by: "alpha/case-5",
        at: AT,
        sides: [
            "case { i | i<=2 } : A; { i | 3<=i<=5 } : A; { i | i>=6 } : B; esac",
            "case ({ i | i<=2 } | { i | 3<=i<=5 }) : A; { i | i>=6 } : B; esac",
        ],
    },
    StatementStep { by: "alpha/case-7", at: &[], sides: ["case A; { i | i<0 } : B.(i->i+1); esac", "case A; esac"] },
    StatementStep { by: "alpha/restrict-1", at: AT, sides: ["{ i | 0<=i<N } : A", "A"] },
    StatementStep { by: "alpha/restrict-2", at: AT, sides: ["{ i | i>=-1 } : A", "A"] },
    StatementStep {
        by: "alpha/restrict-3",
        at: AT,
        sides: ["{ i | i<=N } : ({ i | i>=-1 } : A)", "{ i | -1<=i<=N } : A"],
    },
    StatementStep {
        by: "alpha/restrict-4",
        at: AT,
        sides: ["{ i | i>=-1 } : (A / B)", "({ i | i>=-1 } : A) / ({ i | i>=-1 } : B)"],
    },
    StatementStep {
        by: "alpha/restrict-5",
        at: AT,
        sides: [
            "{ i | i>=-1 } : case { i | i<=2 } : A; { i | i>=3 } : B; esac",
            "case { i | i>=-1 } : ({ i | i<=2 } : A); { i | i>=-1 } : ({ i | i>=3 } : B); esac",
        ],
    },
    StatementStep {
        by: "alpha/restrict-6",
        at: AT,
        sides: ["{ i | -1<=i<=N } : (A - B)", "({ i | i>=-1 } : A) - ({ i | i<=N } : B)"],
    },
    StatementStep { by: "alpha/dependence-1", at: AT, sides: ["A.(i->i)", "A"] },
    StatementStep { by: "alpha/dependence-2", at: AT, sides: ["A.(i->i+1).(i->i-1)", "A.(i->i)"] },
    StatementStep {
        by: "alpha/dependence-3",
        at: AT,
        sides: ["(A - B).(i->N-1-i)", "(A.(i->N-1-i)) - (B.(i->N-1-i))"],
    },
    StatementStep {
        by: "alpha/dependence-4",
        at: AT,
        sides: [
            "(case { i | i<=2 } : A; { i | i>=3 } : B; esac).(i->N-1-i)",
            "case ({ i | i<=2 } : A).(i->N-1-i); ({ i | i>=3 } : B).(i->N-1-i); esac",
        ],
    },
    StatementStep {
        by: "alpha/dependence-5",
        at: AT,
        sides: ["({ i | i<=N } : A).(i->N-1-i)", "{ i | -1<=i } : (A.(i->N-1-i))"],
    },
    StatementStep {
        by: "alpha/reduce-1",
        at: AT,
        sides: ["reduce(+, (i,j->i), M)", "reduce(+, (i,j->i), M.(i,j->i,N-1-j))"],
    },
    StatementStep {
        by: "alpha/reduce-2",
        at: AT,
        sides: ["reduce(+, (i,j->i), { i,j | i>=-1 } : M)", "{ i | i>=-1 } : reduce(+, (i,j->i), M)"],
    },
    StatementStep {
        by: "alpha/reduce-3",
        at: AT,
        sides: [
            "reduce(+, (i,j->i), case { i,j | j<=0 } : M; { i,j | j>=1 } : M; esac)",
            "reduce(+, (i,j->i), case { i,j | 0<=i<=N-1; j=0 } : 0.0.(i,j->); { i,j | j>=1 } : M; esac)
             + reduce(+, (i,j->i), case { i,j | j<=0 } : M; { i,j | 0<=i<=N-1; 1<=j<=N-1 } : 0.0.(i,j->); esac)",
        ],
    },
    StatementStep {
        by: "alpha/reduce-4",
        at: AT,
        sides: [
            "reduce(+, (i,j->i), case { i,j | j<=0 } : M; { i,j | j>=1 } : M; esac)",
            "case { i | 0<=i<=N-1; N>=2 } :
                    (reduce(+, (i,j->i), { i,j | j<=0 } : M) + reduce(+, (i,j->i), { i,j | j>=1 } : M));
                  { i | 0<=i<=N-1; N<=1 } : reduce(+, (i,j->i), { i,j | j<=0 } : M);
                  { i | 1=0 } : reduce(+, (i,j->i), { i,j | j>=1 } : M); esac",
        ],
    },
    StatementStep {
        by: "alpha/reduce-5",
        at: AT,
        sides: ["reduce(+, (i,j->i), M).(i->N-1-i)", "reduce(+, (i,j->i), M.(i,j->N-1-i,j))"],
    },
    StatementStep {
        by: "alpha/reduce-7",
        at: AT,
        sides: ["reduce(+, (i,j,k->i), C)", "reduce(+, (i,j->i), reduce(+, (i,j,k->i,j), C))"],
    },
    StatementStep {
        by: "alpha/dependence-2-3",
        at: AT,
        sides: ["(A.(i->N-1-i)) - (B.(i->N-1-i))", "((A.(i->i)) - (B.(i->i))).(i->N-1-i)"],
    },
    StatementStep { by: "alpha/restrict-1-3", at: AT, sides: ["{ i | 0<=i<=N } : A", "{ i | i<=N } : A"] },
    StatementStep { by: "+/*-commutative", at: AT, sides: ["A + B", "B + A"] },
    StatementStep { by: "+/*-associative", at: AT, sides: ["(A * B) * A", "A * (B * A)"] },
    StatementStep { by: "+/*-distributive", at: AT, sides: ["(A + B) * A", "(A * A) + (B * A)"] },
    StatementStep { by: "max/+-distributive", at: AT, sides: ["(A max B) + A", "(A + A) max (B + A)"] },
    StatementStep { by: "+/*-associative", at: AT, sides: ["(A + B) - A", "A + (B - A)"] },
    StatementStep { by: "+/*-associative", at: AT, sides: ["(A - B) + A", "A - (B - A)"] },
    StatementStep { by: "+/*-distributive", at: AT, sides: ["(A - B) * A", "(A * A) - (B * A)"] },
    StatementStep { by: "max/+-idempotent", at: AT, sides: ["A max A", "A"] },
    StatementStep { by: "+/*-quotient", at: AT, sides: ["(A * B) / B", "A * (B / B)"] },
    StatementStep { by: "+/*-quotient", at: AT, sides: ["(A / B) / A", "A / (B * A)"] },
    StatementStep { by: "+/*-quotient", at: AT, sides: ["(A + B) / A", "(A / A) + (B / A)"] },
    StatementStep { by: "+/*-quotient", at: AT, sides: ["(A - B) / A", "(A / A) - (B / A)"] },
    StatementStep {
        by: "+/*-quotient",
        at: AT,
        sides: ["reduce(+, (i,j->i), M / (A.(i,j->i)))", "reduce(+, (i,j->i), M) / (A.(i->i))"],
    },
    StatementStep {
        by: "+/*-split",
        at: AT,
        sides: [
            "reduce(+, (i,j->i), M + (M * M))",
            "reduce(+, (i,j->i), M) + reduce(+, (i,j->i), M * M)",
        ],
    },
    StatementStep {
        by: "+/*-split",
        at: AT,
        sides: [
            "reduce(+, (i,j->i), M - (M * M))",
            "reduce(+, (i,j->i), M) - reduce(+, (i,j->i), M * M)",
        ],
    },
    StatementStep { by: "identity", at: AT, sides: ["A * 1.0.(i->)", "A"] },
    StatementStep { by: "case-neg", at: AT, sides: ["-(case { i | i<=2 } : A; { i | i>=3 } : B; esac)", "case -({ i | i<=2 } : A); -({ i | i>=3 } : B); esac"] },
    StatementStep { by: "case-abs", at: AT, sides: ["abs(case { i | i<=2 } : A; { i | i>=3 } : B; esac)", "case abs({ i | i<=2 } : A); abs({ i | i>=3 } : B); esac"] },
    StatementStep { by: "case-not", at: &[0, 0], sides: ["if not (case { i | i<=2 } : (A > B); { i | i>=3 } : (A = B); esac) then A else B", "if (case not ({ i | i<=2 } : (A > B)); not ({ i | i>=3 } : (A = B)); esac) then A else B"] },
    StatementStep { by: "restrict-neg", at: AT, sides: ["{ i | i>=-1 } : (-A)", "-({ i | i>=-1 } : A)"] },
    StatementStep { by: "restrict-abs", at: AT, sides: ["{ i | i>=-1 } : abs(A)", "abs({ i | i>=-1 } : A)"] },
    StatementStep { by: "restrict-not", at: &[0, 0], sides: ["if ({ i | i>=-1 } : (not (A > B))) then A else B", "if (not ({ i | i>=-1 } : (A > B))) then A else B"] },
    StatementStep { by: "dependence-neg", at: AT, sides: ["(-A).(i->N-1-i)", "-(A.(i->N-1-i))"] },
    StatementStep { by: "dependence-abs", at: AT, sides: ["abs(A).(i->N-1-i)", "abs(A.(i->N-1-i))"] },
    StatementStep { by: "dependence-not", at: &[0, 0], sides: ["if (not (A > B)).(i->N-1-i) then A else B", "if (not ((A > B).(i->N-1-i))) then A else B"] },
    StatementStep { by: "case-if", at: AT, sides: ["if (case { i | i<=2 } : (A > B); { i | i>=3 } : (A = B); esac) then A else B", "case (if ({ i | i<=2 } : (A > B)) then A else B); (if ({ i | i>=3 } : (A = B)) then A else B); esac"] },
    StatementStep { by: "case-if", at: AT, sides: ["if (A > B) then (case { i | i<=2 } : A; { i | i>=3 } : B; esac) else B", "case (if (A > B) then ({ i | i<=2 } : A) else B); (if (A > B) then ({ i | i>=3 } : B) else B); esac"] },
    StatementStep { by: "case-if", at: AT, sides: ["if (A > B) then B else (case { i | i<=2 } : A; { i | i>=3 } : B; esac)", "case (if (A > B) then B else ({ i | i<=2 } : A)); (if (A > B) then B else ({ i | i>=3 } : B)); esac"] },
    StatementStep { by: "restrict-if", at: AT, sides: ["{ i | i>=-1 } : (if (A > B) then A else B)", "if ({ i | i>=-1 } : (A > B)) then ({ i | i>=-1 } : A) else ({ i | i>=-1 } : B)"] },
    StatementStep { by: "dependence-if", at: AT, sides: ["(if (A > B) then A else B).(i->N-1-i)", "if ((A > B).(i->N-1-i)) then (A.(i->N-1-i)) else (B.(i->N-1-i))"] },
    StatementStep { by: "involution", at: AT, sides: ["-(-A)", "A"] },
    StatementStep { by: "involution", at: &[0, 0], sides: ["if (not (not (A > B))) then A else B", "if (A > B) then A else B"] },
    StatementStep { by: "+/*-negative", at: AT, sides: ["A - B", "A + (-B)"] },
    StatementStep { by: "+/*-negative", at: AT, sides: ["-(A + B)", "(-A) + (-B)"] },
    StatementStep { by: "+/*-negative", at: AT, sides: ["-(A * B)", "(-A) * B"] },
    StatementStep { by: "+/*-negative", at: AT, sides: ["-(A / B)", "(-A) / B"] },
    StatementStep { by: "+/*-negative", at: AT, sides: ["reduce(+, (i,j->i), -M)", "-reduce(+, (i,j->i), M)"] },
    StatementStep { by: "max/+-dual", at: AT, sides: ["-(A min B)", "(-A) max (-B)"] },
    StatementStep { by: "min/+-dual", at: AT, sides: ["reduce(min, (i,j->i), -M)", "-reduce(max, (i,j->i), M)"] },
    StatementStep { by: "or/and-dual", at: &[0, 0], sides: ["if (not ((A > B) and (A = B))) then A else B", "if ((not (A > B)) or (not (A = B))) then A else B"] },
    StatementStep { by: "and/or-dual", at: &[0, 0], sides: ["if reduce(and, (i,j->i), not (M > C.(i,j->i,j,j))) then A else B", "if (not reduce(or, (i,j->i), M > C.(i,j->i,j,j))) then A else B"] },
    StatementStep { by: "choice", at: AT, sides: ["if (not (A > B)) then A else B", "if (A > B) then B else A"] },
    StatementStep { by: "max/+-choice", at: AT, sides: ["if (A > B) then (A max B) else (B max B)", "(if (A > B) then A else B) max B"] },
    StatementStep { by: "choice", at: AT, sides: ["if (A > B) then (A - B) else (B - B)", "(if (A > B) then A else B) - B"] },
    StatementStep {
        by: "+/*-factor",
        at: AT,
        sides: ["reduce(+, (i,j->i), (A.(i,j->i)) * M)", "(A.(i->i)) * reduce(+, (i,j->i), M)"],
    },
    StatementStep {
        by: "+/*-factor",
        at: AT,
        sides: ["A * reduce(+, (i,j->i), M)", "reduce(+, (i,j->i), (A.(i,j->i)) * M)"],
    },
];

pub const BROKEN: &[Broken] = &[
    Broken {
        row: StatementStep {
            by: "+/*-split",
            at: AT,
            sides: [
                "reduce(+, (i,j->i), M + ({ i,j | j<=2 } : M))",
                "reduce(+, (i,j->i), M) + reduce(+, (i,j->i), { i,j | j<=2 } : M)",
            ],
        },
        condition: "Subset",
    },
    Broken {
        row: StatementStep {
            by: "alpha/restrict-1-3",
            at: &[0, 0],
            sides: [
                "case { i | i<=2 } : A; { i | i>=3 } : B; esac",
                "case { i | i<=3 } : A; { i | i>=3 } : B; esac",
            ],
        },
        condition: "Subset",
    },
    Broken {
        row: StatementStep {
            by: "alpha/case-5",
            at: AT,
            sides: [
                "case { i | i<=4 } : A; { i | i>=3 } : A; { i | i<0 } : B; esac",
                "case ({ i | i<=4 } | { i | i>=3 }) : A; { i | i<0 } : B; esac",
            ],
        },
        condition: "Disjoint",
    },
    Broken {
        row: StatementStep {
            by: "alpha/case-7",
            at: &[],
            sides: ["case { i | i<=2 } : A; { i | i>=3 } : B; esac", "case { i | i<=2 } : A; esac"],
        },
        condition: "Disjoint",
    },
    Broken {
        row: StatementStep {
            by: "alpha/restrict-2",
            at: &[0, 0],
            sides: ["case { i | i<=2 } : A; { i | i>=3 } : B; esac", "case A; { i | i>=3 } : B; esac"],
        },
        condition: "Subset",
    },
    Broken {
        row: StatementStep {
            by: "alpha/reduce-1",
            at: AT,
            sides: ["reduce(+, (i,j->i), M)", "reduce(+, (i,j,k->i), M.(i,j,k->i,j))"],
        },
        condition: "OneToOne",
    },
    Broken {
        row: StatementStep {
            by: "alpha/reduce-1",
            at: AT,
            sides: ["reduce(+, (i,j->i), M)", "reduce(+, (i,j->i), M.(i,j->i,2*j))"],
        },
        condition: "Onto",
    },
    Broken {
        row: StatementStep {
            by: "alpha/reduce-2",
            at: AT,
            sides: ["reduce(+, (i,j->i), { i,j | j<=2 } : M)", "{ i | 1>=0 } : reduce(+, (i,j->i), M)"],
        },
        condition: "ConstantOnFibres",
    },
    Broken {
        row: StatementStep {
            by: "alpha/reduce-4",
            at: AT,
            sides: [
                "reduce(+, (i,j->i), case { i,j | j<=0 } : M; { i,j | j>=0 } : M; esac)",
                "case { i | 0<=i<=N-1 } :
                        (reduce(+, (i,j->i), { i,j | j<=0 } : M) + reduce(+, (i,j->i), { i,j | j>=0 } : M));
                      { i | 1=0 } : reduce(+, (i,j->i), { i,j | j<=0 } : M);
                      { i | 1=0 } : reduce(+, (i,j->i), { i,j | j>=0 } : M); esac",
            ],
        },
        condition: "Disjoint",
    },
    Broken {
        row: StatementStep {
            by: "alpha/reduce-5",
            at: AT,
            sides: ["reduce(+, (i,j->i), M).(i->N-1-i)", "reduce(+, (i,j,k->i), M.(i,j,k->N-1-i,j))"],
        },
        condition: "OneToOneOnFibres",
    },
    Broken {
        row: StatementStep {
            by: "alpha/reduce-5",
            at: AT,
            sides: ["reduce(+, (i,j->i), M).(i->N-1-i)", "reduce(+, (i,j->i), M.(i,j->N-1-i,2*j))"],
        },
        condition: "OntoFibres",
    },
];
