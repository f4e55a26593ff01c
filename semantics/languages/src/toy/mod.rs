//! A language for tests: one size, scalars, vectors of that size, and `+`. A folder and a row are all that it needs.
//! A program is lines such as `size n`, `input x[n]`, `input s` and `output y = x + s`. A sum is a vector if one of its
//! terms is. Indices start at 1; all numbers are reals.

use alpha::lowered::Lowered;
use base::diagnostics::{Code, Diagnostic, Span};
use language::{ComparedElements, GivenInputs, Outputs, Sizes, Stopped, Task};
use polyhedra::Engine;
use selfsame_core::operations::binary;
use selfsame_core::operators::{Binary, ElementType};
use values::{Division, ValueDomain};

/// A sum of inputs.
#[derive(Clone, Debug)]
struct Sum {
    name: String,
    terms: Vec<String>,
}

/// A program: the size, the inputs that are vectors, those that are scalars, and a sum for each output.
#[derive(Clone, Debug, Default)]
pub struct Program {
    size: String,
    vectors: Vec<String>,
    scalars: Vec<String>,
    outputs: Vec<Sum>,
}

impl Program {
    /// Adds a line; nothing if it cannot be read.
    fn line(&mut self, line: &str) -> Option<()> {
        let (keyword, rest) = line.split_once(' ')?;
        let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase());
        let known = |of: &Program, name: &str| of.vectors.iter().chain(&of.scalars).any(|x| x == name);
        let is_new = |of: &Program, name: &str| is_name(name) && !known(of, name);
        match (keyword, rest.split_once(" = ")) {
            ("size", None) if self.size.is_empty() && is_name(rest) => self.size = rest.to_owned(),
            ("input", None) => match rest.strip_suffix(&format!("[{}]", self.size)) {
                Some(x) if is_new(self, x) && !self.size.is_empty() => self.vectors.push(x.to_owned()),
                None if is_new(self, rest) => self.scalars.push(rest.to_owned()),
                _ => return None,
            },
            ("output", Some((name, sum))) if is_new(self, name) => {
                let terms: Vec<String> = sum.split(" + ").map(str::to_owned).collect();
                let is_known = terms.iter().all(|term| known(self, term));
                is_known.then(|| self.outputs.push(Sum { name: name.to_owned(), terms }))?;
            }
            _ => return None,
        }
        Some(())
    }

    /// The program as a system of ALPHA.
    fn system(&self) -> String {
        let (n, reals) = (&self.size, self.scalars.iter().map(|name| format!("{name} : real")));
        let parameters = Some(format!("{n} : {{ {n} | {n}>=1 }} parameter")).filter(|_| !n.is_empty());
        let vector = |name: &String| format!("{name} : {{ i | 1<=i<={n} }} of real");
        let inputs: Vec<String> =
            parameters.into_iter().chain(self.vectors.iter().map(vector)).chain(reals).collect();
        let system = format!("system toy ({}) returns (", inputs.join("; "));
        let (mut declared, mut equations) = (Vec::new(), String::new());
        for Sum { name, terms } in &self.outputs {
            let is_vector = terms.iter().any(|term| self.vectors.contains(term));
            declared.push(if is_vector { vector(name) } else { format!("{name} : real") });
            let index = |is_vector| if is_vector { "[i]" } else { "[]" };
            let read = |term: &String| format!("{term}{}", index(self.vectors.contains(term)));
            let terms: Vec<String> = terms.iter().map(read).collect();
            equations += &format!("{name}{} = {};", index(is_vector), terms.join(" + "));
        }
        system + &declared.join("; ") + "); let " + &equations + " tel;"
    }
}

impl language::Program for Program {
    const TITLE: &'static str = "the language of the tests";
    const ENDING: &'static str = "toy";
    const DIVISION: Division = Division::System;
    const FIRST_INDEX: i64 = 1;
    const IS_FOR_TESTS: bool = true;

    type Core = Lowered;
    type Runnable<'a> = &'a Program;

    fn read(text: &str) -> Result<Program, Vec<Diagnostic>> {
        let (mut program, mut start) = (Program::default(), 0);
        for line in text.split_inclusive('\n') {
            let (end, read) = (start + line.trim_end().len(), program.line(line.trim_end()));
            read.ok_or_else(|| {
                vec![Diagnostic::new(Code::P0002, Span::new(start, end), "this is not a line", "here")]
            })?;
            start += line.len();
        }
        Ok(program)
    }

    fn parameters(&self) -> Vec<String> {
        Some(&self.size).filter(|size| !size.is_empty()).cloned().into_iter().collect()
    }

    fn outputs(&self) -> Vec<String> {
        self.outputs.iter().map(|sum| sum.name.clone()).collect()
    }

    fn lower(&self) -> Result<Lowered, Diagnostic> {
        let refused = |mut faults: Vec<Diagnostic>| faults.remove(0);
        <alpha::program::Program as language::Program>::read(&self.system()).map_err(refused)?.lower()
    }

    fn runnable(&self, _: &dyn Engine) -> Result<&Program, String> {
        Ok(self)
    }
}

impl language::Runnable for &Program {
    fn allows(&self, sizes: &Sizes) -> bool {
        self.size.is_empty() || sizes.get(&self.size).is_some_and(|&size| size >= 1)
    }

    fn outputs<D: ValueDomain>(
        &self,
        domain: &D,
        sizes: &Sizes,
        given: &impl GivenInputs<D>,
        task: Task<'_>,
    ) -> Result<Outputs<D>, Stopped> {
        let size = sizes.get(&self.size).copied().unwrap_or(0);
        let mut outputs = Outputs::<D>::new();
        for sum in self.outputs.iter().filter(|sum| task.outputs.contains(&sum.name)) {
            let points = match sum.terms.iter().any(|term| self.vectors.contains(term)) {
                true => (1..=size).map(|i| vec![i]).collect(),
                false => vec![vec![]],
            };
            for at in points {
                let index = |term: &String| if self.vectors.contains(term) { &at[..] } else { &[] };
                let elements =
                    sum.terms.iter().map(|term| given.element(term, index(term), ElementType::Real));
                let add = |a, b| binary(domain, task.division, Binary::Add, &a, &b);
                let element = elements.reduce(add).ok_or(Stopped::NotAllowed)?;
                outputs.insert((sum.name.clone(), at), element);
            }
        }
        if let ComparedElements::One(place) = task.compared {
            outputs.retain(|at, _| at == place);
        }
        Ok(outputs)
    }
}
