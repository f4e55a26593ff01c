//! The order of statements: an element is computed before it is read.
//!
//! Buffers that depend on each other, or on themselves, are computed row by row, each row after those that it
//! reads; a row that reads itself is split into its points.

use crate::fault::PlanFault;
use crate::lowering::{BufferOperation, Held, LoweredPlan};
use crate::numbers::MachineNumber;
use crate::regions::{PointRow, rows_of};
use crate::seeded::{Seeded, seeded};
use crate::statement::{BufferAccess, BufferId, Mode, PlanStatement, StatementRows};
use alpha::components::components;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The maximum number of elements of recurrences to order: with 4 bytes for each place and each writer, some 32
/// MB of tables.
const MAX_ELEMENTS: usize = 1 << 22;

/// A step of a plan.
#[derive(Clone, Debug)]
pub enum ScheduleStep<T> {
    /// An operation on the buffer at this position.
    Work(usize, Box<BufferOperation<T>>),
    /// Rows of several statements, each with the position of its statement.
    Rows(Vec<PlanStatement<T>>, Vec<(u32, PointRow)>),
}

/// Orders the operations of a plan.
///
/// # Errors
/// An element depends on itself, or there are too many.
pub fn schedule<T: MachineNumber>(lowered: &LoweredPlan<T>) -> Result<Vec<ScheduleStep<T>>, PlanFault> {
    let held = &lowered.held;
    let of_id: FxHashMap<BufferId, usize> = held.iter().enumerate().map(|(k, held)| (held.id, k)).collect();
    let read = |work: &BufferOperation<T>| -> Vec<usize> {
        match work {
            BufferOperation::Fill(_) => Vec::new(),
            BufferOperation::Statement(statement) => statement.reads().map(|id| of_id[&id]).collect(),
            BufferOperation::Product(product) => product.buffers[1..].iter().map(|id| of_id[id]).collect(),
        }
    };
    let edges: Vec<Vec<usize>> = held.iter().map(|held| held.works.iter().flat_map(read).collect()).collect();
    let mut steps = Vec::new();
    // A component precedes those that it reads; edges lead to the buffers that are read.
    let mut order = components(&edges);
    seeded(Seeded::ScheduleReversed, order.as_mut_slice(), || &mut []).reverse();
    for component in order {
        match component[..] {
            [only] if !edges[only].contains(&only) => {
                let joined = |work: &BufferOperation<T>| match work {
                    BufferOperation::Statement(statement) => {
                        BufferOperation::Statement(statement.clone().joined(&held[only].layout))
                    }
                    other => other.clone(),
                };
                steps.extend(
                    held[only].works.iter().map(|work| ScheduleStep::Work(only, Box::new(joined(work)))),
                );
            }
            _ => recurrence(held, &component, &mut steps)?,
        }
    }
    Ok(steps)
}

fn recurrence<T: MachineNumber>(
    held: &[Held<T>],
    component: &[usize],
    steps: &mut Vec<ScheduleStep<T>>,
) -> Result<(), PlanFault> {
    let name = || held[component[0]].name.clone();
    let mut statements = Vec::new();
    for &buffer in component {
        for work in &held[buffer].works {
            match work {
                BufferOperation::Fill(_) => steps.push(ScheduleStep::Work(buffer, Box::new(work.clone()))),
                BufferOperation::Statement(statement) => {
                    statements.push(PlanStatement { is_padded: false, ..statement.clone() })
                }
                BufferOperation::Product(_) => return Err(PlanFault::Order(name())),
            }
        }
    }
    let order = [false, true].into_iter().find_map(|single| ordered(&statements, single).transpose());
    let order = order.unwrap_or_else(|| Err(PlanFault::Order(name())))?;
    steps.push(ScheduleStep::Rows(statements, order));
    Ok(())
}

/// The rows of statements in an order of their dependences; `None` if no such order exists. With `single`, each point is
/// a row.
fn ordered<T: MachineNumber>(
    statements: &[PlanStatement<T>],
    single: bool,
) -> Result<Option<Vec<(u32, PointRow)>>, PlanFault> {
    let mut all: Vec<(u32, PointRow)> = Vec::new();
    for (s, statement) in (0..).zip(statements) {
        let points = |row: &PointRow| -> Vec<PointRow> {
            if single {
                row.points().map(|point| PointRow { start: point, length: 1, step: 1 }).collect()
            } else {
                vec![row.clone()]
            }
        };
        let of_statement = match &statement.rows {
            StatementRows::Box(ranges) => rows_of(ranges, single)?,
            StatementRows::List(rows) => rows.iter().flat_map(points).collect(),
        };
        all.extend(of_statement.into_iter().map(|row| (s, row)));
    }
    let elements: usize = all.iter().map(|(_, row)| row.length).sum();
    if elements > MAX_ELEMENTS {
        return Err(PlanFault::TooLarge);
    }
    let writers = Writers::new(statements, &all);
    let mut after: Vec<Vec<u32>> = vec![Vec::new(); all.len()];
    let mut waits = vec![0_u32; all.len()];
    let mut before = Vec::new();
    for (at, (s, row)) in (0_u32..).zip(&all) {
        before.clear();
        for read in &statements[*s as usize].expression.reads {
            writers.add_rows(read, row, &mut before);
            before.sort_unstable();
            before.dedup();
        }
        if before.contains(&at) {
            if seeded(Seeded::RecurrenceRow, true, || single) {
                return Ok(None);
            }
            before.retain(|other| *other != at);
        }
        for &earlier in &before {
            after[earlier as usize].push(at);
            waits[at as usize] += 1;
        }
    }
    let ready = (0_u32..).zip(&waits).filter(|(_, waits)| **waits == 0).map(|(at, _)| Reverse(at));
    let mut ready: BinaryHeap<Reverse<u32>> = ready.collect();
    if Seeded::RecurrenceOrder.is_in() {
        return Ok(Some(all));
    }
    let mut order = Vec::with_capacity(all.len());
    while let Some(Reverse(at)) = ready.pop() {
        order.push(all[at as usize].clone());
        for &later in &after[at as usize] {
            waits[later as usize] -= 1;
            if waits[later as usize] == 0 {
                ready.push(Reverse(later));
            }
        }
    }
    Ok((order.len() == all.len()).then_some(order))
}

/// The marker for no row.
const NONE: u32 = u32::MAX;

/// The rows that write each element; for a reduction, the rows of all its terms.
struct Writers {
    of: FxHashMap<BufferId, Places>,
}

/// The first row that writes each position of a buffer, and any further rows.
#[derive(Default)]
struct Places {
    first: Vec<u32>,
    more: FxHashMap<usize, Vec<u32>>,
}

impl Writers {
    fn new<T: MachineNumber>(statements: &[PlanStatement<T>], all: &[(u32, PointRow)]) -> Writers {
        let mut writers = Writers { of: FxHashMap::default() };
        for (at, (s, row)) in (0..).zip(all) {
            let PlanStatement { target, mode, .. } = &statements[*s as usize];
            let Places { first, more } = writers.of.entry(target.buffer).or_default();
            for place in target.place.along_row(row) {
                if place >= first.len() {
                    first.resize(place + 1, NONE);
                }
                match (mode, first[place]) {
                    (Mode::Assign, _) | (_, NONE) => first[place] = at,
                    (_, known) if known == at => {}
                    _ => {
                        let rows = more.entry(place).or_default();
                        if rows.last() != Some(&at) {
                            rows.push(at);
                        }
                    }
                }
            }
        }
        writers
    }

    /// Adds the rows that write the elements that a row reads.
    fn add_rows(&self, read: &BufferAccess, row: &PointRow, before: &mut Vec<u32>) {
        let Some(Places { first, more }) = self.of.get(&read.buffer) else { return };
        for place in read.place.along_row(row) {
            let known = first.get(place).copied().filter(|known| *known != NONE);
            before.extend(known.filter(|known| before.last() != Some(known)));
            before.extend(more.get(&place).into_iter().flatten());
        }
    }
}
