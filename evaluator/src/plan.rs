//! A plan: how a system is computed at given sizes.

use crate::execution::{Memory, Scratch};
use crate::fault::Fault;
use crate::layout::{ALIGNMENT, Buffer, Layout};
use crate::level::Level;
use crate::lowering::{Lowered, Work, lower};
use crate::numbers::Number;
use crate::reached::{Way, reach};
use crate::schedule::{Step, schedule};
use crate::sharing::share;
use crate::statement::{BufferId, Statement};
use crate::transformation::{Transformation, model};
use crate::tuning::Tuning;
use alpha::instance::Instance;
use alpha::syntax::VariableId;
use alpha::typing::Typing;
use values::Division;
use values::tolerance::{FloatModel, Format};

/// An input or an output of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// The variable.
    pub variable: VariableId,
    /// Its name.
    pub name: String,
    /// Where its elements are in a buffer.
    pub layout: Layout,
}

/// How a system is computed at given sizes, over one type of numbers; truths are the numbers 1 and 0.
#[derive(Clone, Debug)]
pub struct Plan<T> {
    /// The inputs, in order.
    pub inputs: Vec<Slot>,
    /// The outputs, in order.
    pub outputs: Vec<Slot>,
    /// What it does otherwise than the text says.
    pub transformations: Vec<Transformation>,
    own: Vec<usize>,
    steps: Vec<Step<T>>,
    ids: Vec<BufferId>,
    tuning: Tuning,
}

/// What a plan computes in, beside inputs and outputs: made once, and used again.
#[derive(Debug)]
pub struct Workspace<T> {
    own: Vec<Buffer<T>>,
    /// One for each thread.
    scratches: Vec<Scratch<T>>,
}

impl<T: Number> Plan<T> {
    /// A plan for a checked system at the sizes of an instance.
    ///
    /// # Errors
    /// A domain is not bounded, an output is empty, or something that is not planned: which, and where.
    pub fn compile(instance: &Instance<'_>, typing: &Typing, division: Division) -> Result<Plan<T>, Fault> {
        Plan::tuned(instance, typing, division, Tuning::default())
    }

    /// The same with other thresholds.
    ///
    /// # Errors
    /// As [`Plan::compile`].
    pub fn tuned(
        instance: &Instance<'_>,
        typing: &Typing,
        division: Division,
        tuning: Tuning,
    ) -> Result<Plan<T>, Fault> {
        let lowered = lower::<T>(instance, typing, division, tuning)?;
        let mut steps = schedule(&lowered)?;
        let Lowered { held, inputs, outputs, transformations } = lowered;
        transformations.iter().for_each(|&transformation| reach(Way::Transformation(transformation), ""));
        let slot = |&(variable, at): &(VariableId, usize)| Slot {
            variable,
            name: held[at].name.clone(),
            layout: held[at].layout.clone(),
        };
        let own = held.iter().filter(|held| matches!(held.id, BufferId::Own(_)));
        let lengths: Vec<usize> = own.map(|held| held.layout.length).collect();
        let mut ids: Vec<BufferId> = held.iter().map(|held| held.id).collect();
        let own = share(&mut steps, &mut ids, &lengths);
        Ok(Plan {
            inputs: inputs.iter().map(slot).collect(),
            outputs: outputs.iter().map(slot).collect(),
            transformations: transformations.into_iter().collect(),
            own,
            ids,
            steps,
            tuning,
        })
    }

    /// Its arithmetic in floats, to be run by the reference over [`values::tolerance::Tolerance`]: what it returns is within the
    /// bounds that are found there.
    pub fn model(&self, format: Format) -> FloatModel {
        model(format, &self.transformations)
    }

    /// The lengths of the buffers that a workspace has: variables that are not needed at the same time share them.
    pub fn buffers(&self) -> &[usize] {
        &self.own
    }

    /// What the plan computes in, on one thread.
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn workspace(&self) -> Result<Workspace<T>, Fault> {
        self.parallel_workspace(1)
    }

    /// What the plan computes in, on at most `threads` threads of `rayon`; results do not depend on how many.
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn parallel_workspace(&self, threads: usize) -> Result<Workspace<T>, Fault> {
        self.workspace_at(threads, Level::best())
    }

    /// The same for operations on rows by some vector instructions, on which results do not depend either; products of matrices choose their
    /// own.
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn workspace_at(&self, threads: usize, level: Level) -> Result<Workspace<T>, Fault> {
        let own = self.own.iter().map(|&length| Buffer::new(length)).collect::<Result<_, _>>()?;
        let statements = self.steps.iter().flat_map(|step| match step {
            Step::Work(_, work) => match &**work {
                Work::Statement(statement) => std::slice::from_ref(statement),
                Work::Fill(_) | Work::Product(_) => &[],
            },
            Step::Rows(statements, _) => &statements[..],
        });
        let scratches = (0..threads.max(1)).map(|_| Scratch::new(statements.clone(), level, self.tuning));
        let scratches = scratches.collect::<Result<_, _>>()?;
        Ok(Workspace { own, scratches })
    }

    /// Computes the outputs, each with [`Layout::length`] elements from a multiple of 64 bytes on, as the inputs are. What is in the padding
    /// of inputs does not matter, and what comes to be in that of outputs means nothing.
    ///
    /// # Errors
    /// A buffer does not fit its layout; then nothing is written.
    pub fn run(
        &self,
        workspace: &mut Workspace<T>,
        inputs: &[&[T]],
        outputs: &mut [&mut [T]],
    ) -> Result<(), Fault> {
        fits(&self.inputs, inputs.iter().copied())?;
        fits(&self.outputs, outputs.iter().map(|output| &**output))?;
        let Workspace { own, scratches } = workspace;
        let threads = scratches.len();
        let mut memory = Memory { inputs, outputs, own };
        for step in &self.steps {
            match step {
                Step::Work(at, work) => match &**work {
                    Work::Fill(value) => {
                        reach(Way::Fill, "");
                        memory.write(self.ids[*at]).fill(*value);
                    }
                    Work::Statement(statement) => statement.run(&mut memory, scratches),
                    Work::Product(product) => product.run(&mut memory, threads),
                },
                Step::Rows(statements, rows) => {
                    reach(Way::Recurrence, "");
                    for (s, row) in rows {
                        statement(statements, *s).row(row, &mut memory, &mut scratches[0]);
                    }
                }
            }
        }
        Ok(())
    }
}

fn statement<T>(statements: &[Statement<T>], at: u32) -> &Statement<T> {
    &statements[at as usize]
}

fn fits<'b, T: 'b>(slots: &[Slot], buffers: impl ExactSizeIterator<Item = &'b [T]>) -> Result<(), Fault> {
    if slots.len() != buffers.len() {
        return Err(Fault::Count(buffers.len(), slots.len()));
    }
    for (slot, buffer) in slots.iter().zip(buffers) {
        if buffer.len() != slot.layout.length {
            return Err(Fault::Length(slot.name.clone(), buffer.len(), slot.layout.length));
        }
        if buffer.as_ptr().addr() % ALIGNMENT != 0 {
            return Err(Fault::Alignment(slot.name.clone()));
        }
    }
    Ok(())
}
