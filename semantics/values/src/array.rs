//! Storage for many values.

use std::fmt;

/// An array of values with a fixed length.
pub trait Array<V>: Clone + fmt::Debug {
    /// `n` copies of a value.
    fn filled(value: V, n: usize) -> Self;
    /// The number of values.
    fn len(&self) -> usize;
    /// The value at an offset below [`Array::len`].
    fn get(&self, at: usize) -> V;
    /// Replaces the value at an offset below [`Array::len`].
    fn set(&mut self, at: usize, value: V);
    /// Whether there are no values.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<V: Clone + fmt::Debug> Array<V> for Vec<V> {
    fn filled(value: V, n: usize) -> Vec<V> {
        vec![value; n]
    }
    fn len(&self) -> usize {
        self.len()
    }
    fn get(&self, at: usize) -> V {
        self[at].clone()
    }
    fn set(&mut self, at: usize, value: V) {
        self[at] = value;
    }
}

/// Numbers, with a bitmap of the undefined ones; no bitmap while all are defined.
#[derive(Clone, Debug)]
pub struct Column<N> {
    numbers: Vec<N>,
    undefined: Option<Bitmap>,
}

impl<N> Column<N> {
    /// The numbers, if all of them are defined.
    pub fn all_defined(&self) -> Option<&[N]> {
        self.undefined.is_none().then_some(&self.numbers)
    }
}

/// An array over `V ∪ {•}`, with `None` for `•`; the default number stands in place of an undefined one.
impl<N: Clone + fmt::Debug + Default> Array<Option<N>> for Column<N> {
    fn filled(value: Option<N>, n: usize) -> Column<N> {
        let undefined = value.is_none().then(|| Bitmap::filled(n));
        Column { numbers: vec![value.unwrap_or_default(); n], undefined }
    }
    fn len(&self) -> usize {
        self.numbers.len()
    }
    fn get(&self, at: usize) -> Option<N> {
        match &self.undefined {
            Some(undefined) if undefined.get(at) => None,
            _ => Some(self.numbers[at].clone()),
        }
    }
    fn set(&mut self, at: usize, value: Option<N>) {
        match value {
            Some(number) => {
                self.numbers[at] = number;
                if let Some(undefined) = &mut self.undefined
                    && undefined.clear(at)
                {
                    self.undefined = None;
                }
            }
            None => {
                self.numbers[at] = N::default();
                self.undefined.get_or_insert_with(|| Bitmap::empty(self.numbers.len())).set(at);
            }
        }
    }
}

#[derive(Clone, Debug)]
struct Bitmap {
    words: Vec<u64>,
    ones: usize,
}

impl Bitmap {
    fn empty(n: usize) -> Bitmap {
        Bitmap { words: vec![0; n.div_ceil(64)], ones: 0 }
    }

    fn filled(n: usize) -> Bitmap {
        Bitmap { words: vec![u64::MAX; n.div_ceil(64)], ones: n }
    }

    fn get(&self, at: usize) -> bool {
        self.words[at / 64] >> (at % 64) & 1 == 1
    }

    fn set(&mut self, at: usize) {
        if !self.get(at) {
            self.words[at / 64] |= 1 << (at % 64);
            self.ones += 1;
        }
    }

    /// Clears a bit; true if no bit is left set.
    fn clear(&mut self, at: usize) -> bool {
        if self.get(at) {
            self.words[at / 64] &= !(1 << (at % 64));
            self.ones -= 1;
        }
        self.ones == 0
    }
}
