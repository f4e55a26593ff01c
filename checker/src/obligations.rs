//! Decides obligations: by what is known, by linear arithmetic, by cases, and at last by all of it.

use crate::cases::Refutation;
use crate::context::implies;
use crate::solver::{ObligationAnswer, Obligations, ProductEncoding};
use selfsame_core::{Condition, Variable};

impl Obligations {
    /// Whether `goal` holds wherever all of `context` does.
    pub fn decide(&self, context: &[Condition], goal: &Condition) -> ObligationAnswer {
        self.asked.set(self.asked.get() + 1);
        if goal.is_always() || context.iter().any(|c| c.is_never()) {
            return ObligationAnswer::Holds;
        }
        let known: Vec<&Condition> = context.iter().flat_map(Condition::conjuncts).collect();
        let is_known = |part: &&Condition| known.iter().any(|known| implies(known, part));
        let open: Vec<&Condition> = goal.conjuncts().iter().filter(|part| !is_known(part)).collect();
        if open.is_empty() {
            return ObligationAnswer::Holds;
        }
        self.solved.set(self.solved.get() + 1);
        let goal = Condition::all(open.into_iter().cloned());
        self.solve(&relevant(&known, &goal), &goal)
    }

    /// First replaces every product and floor by an unknown, which is sound and nearly always enough; then decides
    /// the original question by cases.
    fn solve(&self, context: &[&Condition], goal: &Condition) -> ObligationAnswer {
        let conditions: Vec<Condition> = context.iter().map(|&c| c.clone()).chain([!goal.clone()]).collect();
        let (linear, abstracted) = self.ask(&conditions, ProductEncoding::Linear);
        if !matches!(linear, ObligationAnswer::Fails(_)) || !abstracted {
            return linear;
        }
        match Refutation::new(self).refute(conditions.clone(), &[]) {
            ObligationAnswer::Holds => ObligationAnswer::Holds,
            ObligationAnswer::Fails(_) | ObligationAnswer::Unknown => {
                self.ask(&conditions, ProductEncoding::Full).0
            }
        }
    }
}

/// The conditions that share a variable with the goal, directly or indirectly. Omitting the others is sound.
fn relevant<'a>(known: &[&'a Condition], goal: &Condition) -> Vec<&'a Condition> {
    let mut reached = goal.variables();
    if reached.is_empty() {
        return known.to_vec();
    }
    let mut rest: Vec<(&Condition, Vec<Variable>)> = known.iter().map(|c| (*c, c.variables())).collect();
    let mut chosen = Vec::new();
    loop {
        let (near, far): (Vec<_>, Vec<_>) =
            rest.into_iter().partition(|(_, vs)| vs.iter().any(|v| reached.contains(v)));
        if near.is_empty() {
            return chosen;
        }
        for (condition, variables) in near {
            chosen.push(condition);
            reached.extend(variables);
        }
        rest = far;
    }
}
