//! Memory sharing of workspace buffers: between buffers with disjoint lifetimes, and by in-place assignment, where
//! an element overwrites the operand that is read for the last time.

use crate::lowering::BufferOperation;
use crate::reached::{Way, reach};
use crate::schedule::ScheduleStep;
use crate::seeded::{Seeded, seeded};
use crate::statement::{BufferId, Mode, PlanStatement};

/// Lets workspace buffers of these lengths share memory; returns the lengths of the remaining buffers.
pub fn share<T: Clone>(steps: &mut [ScheduleStep<T>], ids: &mut [BufferId], lengths: &[usize]) -> Vec<usize> {
    let (slots, remaining) = slots(steps, ids, lengths);
    let renamed = |id: &mut BufferId| {
        if let BufferId::Own(at) = id {
            *at = slots[*at];
        }
    };
    for step in steps {
        match step {
            ScheduleStep::Work(_, work) => match &mut **work {
                BufferOperation::Fill(_) => {}
                BufferOperation::Statement(statement) => statement.buffers_mut().for_each(renamed),
                BufferOperation::Product(product) => product.buffers.iter_mut().for_each(renamed),
            },
            ScheduleStep::Rows(statements, _) => {
                statements.iter_mut().flat_map(PlanStatement::buffers_mut).for_each(renamed);
            }
        }
    }
    ids.iter_mut().for_each(renamed);
    remaining
}

/// The lifetime of a buffer, in steps.
#[derive(Clone, Copy, Default)]
struct Lifetime {
    first: Option<usize>,
    last: usize,
    writers: usize,
}

/// The memory assigned to each buffer, and the lengths of all memories.
fn slots<T>(steps: &[ScheduleStep<T>], ids: &[BufferId], lengths: &[usize]) -> (Vec<usize>, Vec<usize>) {
    let mut uses = vec![Lifetime::default(); lengths.len()];
    for (at, step) in steps.iter().enumerate() {
        let (written, read) = used(step, ids);
        for id in written.iter().chain(&read) {
            if let BufferId::Own(b) = id {
                uses[*b].first.get_or_insert(at);
                uses[*b].last = at;
            }
        }
        for id in written {
            if let BufferId::Own(b) = id {
                uses[b].writers += 1;
            }
        }
    }
    let mut order: Vec<usize> = (0..lengths.len()).collect();
    order.sort_by_key(|&b| uses[b].first);
    let mut slots = vec![usize::MAX; lengths.len()];
    // The length of each memory, and when it is free again.
    let (mut remaining, mut until): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
    for b in order {
        let first = uses[b].first.unwrap_or(0);
        let taken = steps.get(first).and_then(|step| in_place(step, b, &uses));
        let soon = seeded(Seeded::SharedEarly, 0, || 1);
        let free = |slot: &usize| remaining[*slot] == lengths[b] && until[*slot] < first + soon;
        let is_free = |source: usize| seeded(Seeded::InPlaceLater, until[slots[source]] == first, || true);
        let shared = taken.filter(|&source| lengths[source] == lengths[b] && is_free(source));
        let slot = shared.map(|source| slots[source]).or_else(|| (0..remaining.len()).find(free));
        if slot.is_some() {
            reach(Way::Shared, "");
        }
        slots[b] = slot.unwrap_or_else(|| {
            remaining.push(lengths[b]);
            until.push(0);
            remaining.len() - 1
        });
        until[slots[b]] = uses[b].last;
    }
    (slots, remaining)
}

/// The buffers that a step writes, and those it reads.
fn used<T>(step: &ScheduleStep<T>, ids: &[BufferId]) -> (Vec<BufferId>, Vec<BufferId>) {
    match step {
        ScheduleStep::Work(at, work) => match &**work {
            BufferOperation::Fill(_) => (vec![ids[*at]], Vec::new()),
            BufferOperation::Statement(statement) => {
                (vec![statement.target.buffer], statement.reads().collect())
            }
            BufferOperation::Product(product) => (vec![product.buffers[0]], product.buffers[1..].to_vec()),
        },
        ScheduleStep::Rows(statements, _) => {
            let written = statements.iter().map(|statement| statement.target.buffer).collect();
            (written, statements.iter().flat_map(PlanStatement::reads).collect())
        }
    }
}

/// The buffer in whose memory buffer `b` can be computed: the only statement that writes `b` reads it for the last
/// time, and reads only the element that it computes.
fn in_place<T>(step: &ScheduleStep<T>, b: usize, uses: &[Lifetime]) -> Option<usize> {
    let ScheduleStep::Work(_, work) = step else { return None };
    let BufferOperation::Statement(statement) = &**work else { return None };
    if statement.target.buffer != BufferId::Own(b) || !statement.is_assignment() || uses[b].writers != 1 {
        return None;
    }
    statement.reads().find_map(|id| match id {
        BufferId::Own(source) => {
            let is_last = uses[source].first < uses[b].first && Some(uses[source].last) == uses[b].first;
            let is_last = seeded(Seeded::InPlaceLater, is_last, || uses[source].first < uses[b].first);
            let is_own = statement.reads_only_its_element_of(id);
            (is_last && seeded(Seeded::InPlaceAny, is_own, || true)).then_some(source)
        }
        _ => None,
    })
}

impl<T> PlanStatement<T> {
    fn is_assignment(&self) -> bool {
        matches!(self.mode, Mode::Assign)
    }

    fn reads_only_its_element_of(&self, id: BufferId) -> bool {
        let mut reads = self.expression.reads.iter().filter(|read| read.buffer == id);
        reads.all(|read| read.place == self.target.place)
    }

    fn buffers_mut(&mut self) -> impl Iterator<Item = &mut BufferId> {
        let reads = self.expression.reads.iter_mut().map(|read| &mut read.buffer);
        reads.chain([&mut self.target.buffer])
    }
}
