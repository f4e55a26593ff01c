//! Plans: compiled systems at given sizes.

use crate::buffers::{RunBuffers, Scratch};
use crate::fault::PlanFault;
use crate::layout::{ALIGNMENT, Buffer, Layout};
use crate::level::Level;
use crate::lowering::{BufferOperation, LoweredPlan, lower};
use crate::numbers::MachineNumber;
use crate::reached::{Way, reach};
use crate::schedule::{ScheduleStep, schedule};
use crate::sharing::share;
use crate::statement::{BufferId, PlanStatement};
use crate::transformation::{Transformation, model};
use crate::tuning::Tuning;
use alpha::instance::SystemInstance;
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
    /// The layout of its buffer.
    pub layout: Layout,
}

/// A compiled system at given sizes, over one type of numbers; truths are the numbers 1 and 0.
#[derive(Clone, Debug)]
pub struct Plan<T> {
    /// The inputs, in order.
    pub inputs: Vec<Slot>,
    /// The outputs, in order.
    pub outputs: Vec<Slot>,
    /// The departures of the plan from the text.
    pub transformations: Vec<Transformation>,
    own: Vec<usize>,
    steps: Vec<ScheduleStep<T>>,
    ids: Vec<BufferId>,
    tuning: Tuning,
}

/// The reusable memory of a plan, in addition to inputs and outputs.
#[derive(Debug)]
pub struct Workspace<T> {
    own: Vec<Buffer<T>>,
    /// The scratch memory of each thread.
    scratches: Vec<Scratch<T>>,
}

impl<T: MachineNumber> Plan<T> {
    /// Compiles a checked system at the sizes of an instance.
    ///
    /// # Errors
    /// A domain is unbounded, an output is empty, or a construct is not supported.
    pub fn compile(
        instance: &SystemInstance<'_>,
        typing: &Typing,
        division: Division,
    ) -> Result<Plan<T>, PlanFault> {
        Plan::tuned(instance, typing, division, Tuning::default())
    }

    /// Compiles like [`Plan::compile`], with other thresholds.
    ///
    /// # Errors
    /// The errors of [`Plan::compile`].
    pub fn tuned(
        instance: &SystemInstance<'_>,
        typing: &Typing,
        division: Division,
        tuning: Tuning,
    ) -> Result<Plan<T>, PlanFault> {
        T::tuned(instance, typing, division, tuning)
    }

    pub(crate) fn compiled(
        instance: &SystemInstance<'_>,
        typing: &Typing,
        division: Division,
        tuning: Tuning,
    ) -> Result<Plan<T>, PlanFault> {
        let lowered = lower::<T>(instance, typing, division, tuning)?;
        let mut steps = schedule(&lowered)?;
        let LoweredPlan { held, inputs, outputs, transformations } = lowered;
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

    /// The plan's float arithmetic, for the reference over [`values::tolerance::Tolerance`]: results of the plan
    /// are within the bounds that it computes.
    pub fn model(&self, format: Format) -> FloatModel {
        model(format, &self.transformations)
    }

    /// The lengths of the workspace buffers; variables with disjoint lifetimes share them.
    pub fn buffers(&self) -> &[usize] {
        &self.own
    }

    /// A workspace for one thread.
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn workspace(&self) -> Result<Workspace<T>, PlanFault> {
        self.parallel_workspace(1)
    }

    /// A workspace for at most `threads` threads of `rayon`; results do not depend on their number.
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn parallel_workspace(&self, threads: usize) -> Result<Workspace<T>, PlanFault> {
        self.workspace_at(threads, Level::best())
    }

    /// A workspace whose operations on rows use the given vector instructions; results do not depend on them.
    /// Products of matrices choose their own.
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn workspace_at(&self, threads: usize, level: Level) -> Result<Workspace<T>, PlanFault> {
        T::workspace_at(self, threads, level)
    }

    pub(crate) fn memory(&self, threads: usize, level: Level) -> Result<Workspace<T>, PlanFault> {
        let own = self.own.iter().map(|&length| Buffer::new(length)).collect::<Result<_, _>>()?;
        let statements = self.steps.iter().flat_map(|step| match step {
            ScheduleStep::Work(_, work) => match &**work {
                BufferOperation::Statement(statement) => std::slice::from_ref(statement),
                BufferOperation::Fill(_) | BufferOperation::Product(_) => &[],
            },
            ScheduleStep::Rows(statements, _) => &statements[..],
        });
        let scratches = (0..threads.max(1)).map(|_| Scratch::new(statements.clone(), level, self.tuning));
        let scratches = scratches.collect::<Result<_, _>>()?;
        Ok(Workspace { own, scratches })
    }

    /// Computes the outputs. Like the inputs, each has [`Layout::length`] elements and is aligned to 64 bytes. The
    /// padding of inputs is ignored, and that of outputs is meaningless.
    ///
    /// # Errors
    /// A buffer does not fit its layout; then no buffer is written.
    pub fn run(
        &self,
        workspace: &mut Workspace<T>,
        inputs: &[&[T]],
        outputs: &mut [&mut [T]],
    ) -> Result<(), PlanFault> {
        T::run(self, workspace, inputs, outputs)
    }

    pub(crate) fn execute(
        &self,
        workspace: &mut Workspace<T>,
        inputs: &[&[T]],
        outputs: &mut [&mut [T]],
    ) -> Result<(), PlanFault> {
        fits(&self.inputs, inputs.iter().copied())?;
        fits(&self.outputs, outputs.iter().map(|output| &**output))?;
        let Workspace { own, scratches } = workspace;
        let threads = scratches.len();
        let mut memory = RunBuffers { inputs, outputs, own };
        for step in &self.steps {
            match step {
                ScheduleStep::Work(at, work) => match &**work {
                    BufferOperation::Fill(value) => {
                        reach(Way::Fill, "");
                        memory.write(self.ids[*at]).fill(*value);
                    }
                    BufferOperation::Statement(statement) => statement.run(&mut memory, scratches),
                    BufferOperation::Product(product) => product.run(&mut memory, threads),
                },
                ScheduleStep::Rows(statements, rows) => {
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

fn statement<T>(statements: &[PlanStatement<T>], at: u32) -> &PlanStatement<T> {
    &statements[at as usize]
}

fn fits<'b, T: 'b>(slots: &[Slot], buffers: impl ExactSizeIterator<Item = &'b [T]>) -> Result<(), PlanFault> {
    if slots.len() != buffers.len() {
        return Err(PlanFault::Count(buffers.len(), slots.len()));
    }
    for (slot, buffer) in slots.iter().zip(buffers) {
        if buffer.len() != slot.layout.length {
            return Err(PlanFault::Length(slot.name.clone(), buffer.len(), slot.layout.length));
        }
        if buffer.as_ptr().addr() % ALIGNMENT != 0 {
            return Err(PlanFault::Alignment(slot.name.clone()));
        }
    }
    Ok(())
}
