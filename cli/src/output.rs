//! Writes all output in one piece, at the end; renders tensors as JSON and as text.

use crate::diagnostics::is_coloured;
use crate::exit::{Exit, Failure, Outcome};
use crate::files::{cannot_write, remove_stale, write_file};
use base::escaping::in_lines;
use rink::store::{Store, StoredTensor};
use rink::syntax::Program;
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::io::{ErrorKind, Write};
use std::path::Path;
use values::tensor_json::TensorDocument;
use values::{Extended, NumberSystem};

/// Writes the outcome of a command, files first, and returns the exit code. Control sequences and invisible
/// characters are escaped. It is not an error if the reader of our output stops reading; if output cannot be written,
/// as on a full disk, the exit code is 2.
pub fn deliver(outcome: &Outcome) -> Exit {
    for (path, content) in &outcome.files {
        if let Err(failure) = write_file(path, content) {
            return complain(failure);
        }
    }
    for path in &outcome.stale {
        if let Err(failure) = remove_stale(path) {
            return complain(failure);
        }
    }
    say(&outcome.stderr);
    match write_all(std::io::stdout().lock(), &in_lines(&outcome.stdout)) {
        Ok(()) => outcome.exit,
        Err(error) => complain(cannot_write(Path::new("<standard output>"), &error)),
    }
}

fn complain(failure: Failure) -> Exit {
    let outcome = Outcome::from(failure);
    say(&outcome.stderr);
    outcome.exit
}

/// Writes to standard error, in colour if that is enabled. Styles in the text are ours, because reports escape
/// their messages.
fn say(text: &str) {
    let shown = if is_coloured() { coloured(text) } else { in_lines(text).into_owned() };
    write_all(std::io::stderr().lock(), &shown).ok();
}

/// Escapes the text except for styles, `ESC [ numbers m`.
fn coloured(text: &str) -> String {
    let mut pieces = text.split("\x1b[");
    let mut shown = in_lines(pieces.next().unwrap_or_default()).into_owned();
    for piece in pieces {
        let end = piece.find(|c: char| !(c.is_ascii_digit() || c == ';')).unwrap_or(piece.len());
        let (numbers, rest) = piece.split_at(end);
        match rest.strip_prefix('m') {
            Some(rest) => shown.push_str(&format!("\x1b[{numbers}m{}", in_lines(rest))),
            None => shown.push_str(&in_lines(&format!("\x1b[{piece}"))),
        }
    }
    shown
}

fn write_all(mut stream: impl Write, text: &str) -> std::io::Result<()> {
    match stream.write_all(text.as_bytes()).and_then(|()| stream.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

/// The document as JSON, with a newline at the end.
pub fn json_text(document: &impl Serialize) -> String {
    let mut text = serde_json::to_string(document).unwrap_or_default();
    text.push('\n');
    text
}

/// A tensor as JSON.
pub fn tensor_to_json<'a, S: NumberSystem<Number: Default>>(
    system: &'a S,
    tensor: &'a StoredTensor<Extended<S>>,
) -> TensorDocument<'a, S> {
    TensorDocument { system, extents: &tensor.extents, elements: &tensor.elements }
}

/// A store as JSON: an object that maps variables to tensors, in the order of their declarations.
pub fn store_to_json<'a, S: NumberSystem<Number: Default>>(
    system: &'a S,
    program: &'a Program,
    store: &'a Store<Extended<S>>,
) -> impl Serialize + 'a {
    StoreDocument { system, program, store }
}

struct StoreDocument<'a, S: NumberSystem<Number: Default>> {
    system: &'a S,
    program: &'a Program,
    store: &'a Store<Extended<S>>,
}

impl<S: NumberSystem<Number: Default>> Serialize for StoreDocument<'_, S> {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        let mut map = serializer.serialize_map(None)?;
        for declaration in &self.program.declarations {
            if let Some(tensor) = self.store.tensor(declaration.name) {
                let tensor = tensor_to_json(self.system, tensor);
                map.serialize_entry(self.program.name(declaration.name), &tensor)?;
            }
        }
        map.end()
    }
}

/// The maximum numbers of rows, columns and slices that the text of a tensor shows: a terminal has 24 rows, and
/// 12 columns of numbers of six characters fit on 80; 8 slices can still be scrolled through.
const MAX_ROWS: usize = 24;
const MAX_COLUMNS: usize = 12;
const MAX_SLICES: usize = 8;

/// A tensor as text: a matrix as rows, a tensor of higher rank slice by slice, an undefined element as `•`.
pub fn tensor_text<S: NumberSystem<Number: Default>>(
    system: &S,
    tensor: &StoredTensor<Extended<S>>,
) -> String {
    let element =
        |at: usize| tensor.get(at).map_or("•".to_owned(), |number| system.write(&number).to_string());
    grid_text(&tensor.extents, &vec![1; tensor.extents.len()], element)
}

/// Like [`tensor_text`], for elements that are already text, given by row-major offset; indices start at `origin`.
pub fn grid_text(extents: &[usize], origin: &[i64], element: impl Fn(usize) -> String) -> String {
    let (outer, inner) = extents.split_at(extents.len().saturating_sub(2));
    let (rows, columns) = match inner {
        [rows, columns] => (*rows, *columns),
        [columns] => (1, *columns),
        _ => (1, 1),
    };
    let slices: usize = outer.iter().product();
    let mut text = String::new();
    for slice in 0..slices.min(MAX_SLICES) {
        if !outer.is_empty() {
            text.push_str(&format!("  {} =\n", slice_name(outer, origin, slice)));
        }
        let cell = |row: usize, column: usize| element((slice * rows + row) * columns + column);
        text.push_str(&matrix_text(rows, columns, cell));
    }
    text + &more(slices, MAX_SLICES, "slices")
}

fn slice_name(outer: &[usize], origin: &[i64], slice: usize) -> String {
    // `index_of` counts indices from 1.
    let index = rink::store::index_of(outer, slice);
    let index = index.iter().zip(origin).map(|(&at, &low)| i128::from(at) - 1 + i128::from(low));
    let index: Vec<String> = index.map(|index| index.to_string()).collect();
    format!("[{} · ·]", index.join(" "))
}

fn matrix_text(rows: usize, columns: usize, element: impl Fn(usize, usize) -> String) -> String {
    let shown = columns.min(MAX_COLUMNS);
    let cells: Vec<Vec<String>> =
        (0..rows.min(MAX_ROWS)).map(|row| (0..shown).map(|column| element(row, column)).collect()).collect();
    let width = |column: usize| cells.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..shown).map(width).collect();
    let mut text = String::new();
    for row in &cells {
        for (cell, width) in row.iter().zip(&widths) {
            text.push_str(&" ".repeat(2 + width - cell.chars().count()));
            text.push_str(cell);
        }
        text.push_str(if columns > shown { "  …\n" } else { "\n" });
    }
    text + &more(columns, MAX_COLUMNS, "columns") + &more(rows, MAX_ROWS, "rows")
}

fn more(all: usize, shown: usize, what: &str) -> String {
    if all > shown {
        format!("  … {} more {what} (--json shows all)\n", all - shown)
    } else {
        String::new()
    }
}
