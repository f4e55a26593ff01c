//! The `.npy` format: a header in the syntax of a Python dictionary, then the elements.
//!
//! This is our own reader, because a file may be malicious, and the libraries at hand multiply extents without a
//! check and parse the header by unbounded recursion. A header is exactly what NumPy writes: the three keys
//! `descr`, `fortran_order` and `shape`, each once, with a string, a truth value and a tuple of numerals.

use super::tensors::InputProblem;
use crate::diagnostics::CommandCode;
use rink::tensor_type::TensorType;
use values::Literal;
use values::tensor_json::{TensorLiterals, element_count};

/// Reads a tensor. The shape is checked before any element is read.
///
/// # Errors
/// The file is malformed, its element type is not supported, or its shape differs from the declared shape, if any.
pub fn tensor(bytes: &[u8], declared: Option<&TensorType>) -> Result<TensorLiterals, InputProblem> {
    let (header, body) = split(bytes)?;
    let NpyHeader { descr, fortran_order, shape } = NpyHeader::parse(header)?;
    let element = ElementType::parse(&descr)?;
    let n = element_count(&shape).and_then(|n| usize::try_from(n).ok());
    let size = n.and_then(|n| n.checked_mul(element.size));
    if size != Some(body.len()) {
        let message = format!(
            "the header promises {shape:?} elements of type {descr}, but {} bytes follow",
            body.len()
        );
        return Err(InputProblem::new(CommandCode::I0013, message));
    }
    if let Some(declared) = declared.filter(|declared| shape != declared.0) {
        let message = format!("the type is {declared}, but the tensor has shape {}", TensorType(shape));
        return Err(InputProblem::new(CommandCode::I0010, message));
    }
    let read = |at: usize| Some(element.read(&body[at * element.size..][..element.size]));
    let data = offsets(&shape, fortran_order, n.unwrap_or(0)).map(read).collect();
    Ok(TensorLiterals { shape, data, origin: None })
}

fn malformed(message: &str) -> InputProblem {
    InputProblem::new(CommandCode::I0013, message)
}

/// The header's text and the elements' bytes.
fn split(bytes: &[u8]) -> Result<(&str, &[u8]), InputProblem> {
    let rest =
        bytes.strip_prefix(b"\x93NUMPY").ok_or_else(|| malformed("not a .npy file: wrong first bytes"))?;
    let (length, rest) = match rest {
        [1, 0, a, b, rest @ ..] => (u32::from(u16::from_le_bytes([*a, *b])), rest),
        [2 | 3, 0, a, b, c, d, rest @ ..] => (u32::from_le_bytes([*a, *b, *c, *d]), rest),
        _ => return Err(malformed("unknown version of the .npy format")),
    };
    let cut = rest.split_at_checked(length as usize).ok_or_else(|| malformed("the header is cut off"))?;
    let header = std::str::from_utf8(cut.0).map_err(|_| malformed("the header is not UTF-8"))?;
    Ok((header, cut.1))
}

/// The content of the header.
struct NpyHeader {
    descr: String,
    fortran_order: bool,
    shape: Vec<u64>,
}

impl NpyHeader {
    fn parse(text: &str) -> Result<NpyHeader, InputProblem> {
        let mut cursor = HeaderCursor(text);
        let (mut descr, mut fortran_order, mut shape) = (None, None, None);
        cursor.expect("{")?;
        while !cursor.eat("}") {
            let key = cursor.string()?;
            cursor.expect(":")?;
            let twice = match key {
                "descr" => descr.replace(cursor.string()?.to_owned()).is_some(),
                "fortran_order" => fortran_order.replace(cursor.truth()?).is_some(),
                "shape" => shape.replace(cursor.tuple()?).is_some(),
                _ => return Err(malformed("unknown key in the header")),
            };
            if twice {
                return Err(malformed("duplicate key in the header"));
            }
            if !cursor.eat(",") {
                cursor.expect("}")?;
                break;
            }
        }
        match (descr, fortran_order, shape) {
            (Some(descr), Some(fortran_order), Some(shape)) if cursor.0.trim().is_empty() => {
                Ok(NpyHeader { descr, fortran_order, shape })
            }
            _ => Err(malformed("the header is not complete")),
        }
    }
}

/// The unread rest of a header.
struct HeaderCursor<'a>(&'a str);

impl<'a> HeaderCursor<'a> {
    fn eat(&mut self, token: &str) -> bool {
        let rest = self.0.trim_start().strip_prefix(token);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    fn expect(&mut self, token: &str) -> Result<(), InputProblem> {
        if self.eat(token) { Ok(()) } else { Err(malformed(&format!("expected `{token}` in the header"))) }
    }

    fn string(&mut self) -> Result<&'a str, InputProblem> {
        let quote = if self.eat("'") {
            '\''
        } else if self.eat("\"") {
            '"'
        } else {
            return Err(InputProblem {
                hint: Some("structured element types are not supported".to_owned()),
                ..malformed("expected a string in the header")
            });
        };
        let (string, rest) = self.0.split_once(quote).ok_or_else(|| malformed("a string is cut off"))?;
        self.0 = rest;
        Ok(string)
    }

    fn truth(&mut self) -> Result<bool, InputProblem> {
        let truth = self.eat("True");
        if truth || self.eat("False") {
            Ok(truth)
        } else {
            Err(malformed("expected True or False in the header"))
        }
    }

    fn tuple(&mut self) -> Result<Vec<u64>, InputProblem> {
        let mut numbers = Vec::new();
        self.expect("(")?;
        while !self.eat(")") {
            numbers.push(self.number()?);
            if !self.eat(",") {
                self.expect(")")?;
                break;
            }
        }
        Ok(numbers)
    }

    fn number(&mut self) -> Result<u64, InputProblem> {
        let rest = self.0.trim_start();
        let length = rest.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(rest.len());
        let (digits, rest) = rest.split_at(length);
        self.0 = rest;
        digits.parse().map_err(|_| malformed("an extent in the header is not a natural number below 2^64"))
    }
}

/// An element type: its size in bytes, its byte order and its kind (`i`, `u` or `f`).
struct ElementType {
    size: usize,
    big_endian: bool,
    kind: u8,
}

impl ElementType {
    fn parse(descr: &str) -> Result<ElementType, InputProblem> {
        let unsupported = || {
            let shown: String = descr.chars().take(40).collect();
            let hint =
                "the supported types are integers of 1 to 8 bytes, and floats of 4 and 8 bytes".to_owned();
            let problem =
                InputProblem::new(CommandCode::I0014, format!("the element type {shown:?} is not supported"));
            InputProblem { hint: Some(hint), ..problem }
        };
        match descr.as_bytes() {
            [order @ (b'<' | b'>' | b'=' | b'|'), kind @ (b'i' | b'u' | b'f'), digit] => {
                let size = usize::from(digit.wrapping_sub(b'0'));
                let sizes: &[usize] = if *kind == b'f' { &[4, 8] } else { &[1, 2, 4, 8] };
                let element = ElementType { size, big_endian: *order == b'>', kind: *kind };
                if sizes.contains(&size) && (*order != b'|' || size == 1) {
                    Ok(element)
                } else {
                    Err(unsupported())
                }
            }
            _ => Err(unsupported()),
        }
    }

    /// Decodes an element from exactly [`ElementType::size`] bytes.
    fn read(&self, bytes: &[u8]) -> Literal {
        let digit = |bits: u64, byte: &u8| bits << 8 | u64::from(*byte);
        let bits = match self.big_endian {
            true => bytes.iter().fold(0, digit),
            false => bytes.iter().rev().fold(0, digit),
        };
        let unused = 64 - 8 * self.size as u32;
        match (self.kind, self.size) {
            (b'f', 4) => Literal::F32(f32::from_bits(bits as u32)),
            (b'f', _) => Literal::F64(f64::from_bits(bits)),
            (b'i', _) => Literal::from((bits << unused).cast_signed() >> unused),
            _ => Literal::from(bits),
        }
    }
}

/// The positions of the elements in the file, in row-major order of the elements.
fn offsets(shape: &[u64], fortran_order: bool, n: usize) -> impl Iterator<Item = usize> {
    let extents: Vec<usize> = shape.iter().map(|&extent| extent as usize).collect();
    (0..n).map(move |at| if fortran_order { column_major(&extents, at) } else { at })
}

fn column_major(extents: &[usize], mut at: usize) -> usize {
    let mut stride: usize = extents.iter().product();
    let mut offset = 0;
    // No extent is 0: an empty tensor has no offsets.
    for extent in extents.iter().rev() {
        stride /= extent;
        offset += at % extent * stride;
        at /= extent;
    }
    offset
}
