//! Scopes: the values of names at each place in the text.

use super::things::Thing;
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// A place in the text: the names known there, and the number of enclosing indices.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TextScope {
    innermost: Option<u32>,
    /// The level of the next bound index.
    pub depth: u32,
}

impl TextScope {
    /// A scope without names, under `depth` indices.
    pub(super) fn at_depth(depth: u32) -> TextScope {
        TextScope { innermost: None, depth }
    }
}

struct Binding<'a> {
    name: Cow<'a, str>,
    thing: Thing,
    outer: Option<u32>,
}

/// All bindings; each refers to the enclosing one.
#[derive(Default)]
pub(super) struct Scopes<'a> {
    bindings: Vec<Binding<'a>>,
    /// Results of earlier look-ups, so that names under many nested indices are found fast.
    found: FxHashMap<(u32, String), Option<u32>>,
}

impl<'a> Scopes<'a> {
    /// The scope extended by a binding.
    pub(super) fn bind(
        &mut self,
        scope: TextScope,
        name: impl Into<Cow<'a, str>>,
        thing: Thing,
    ) -> TextScope {
        self.bindings.push(Binding { name: name.into(), thing, outer: scope.innermost });
        let innermost = u32::try_from(self.bindings.len() - 1).ok();
        TextScope { innermost, ..scope }
    }

    /// The value of a name in its innermost binding.
    pub(super) fn find(&mut self, scope: TextScope, name: &str) -> Option<&Thing> {
        let mut at = scope.innermost;
        while let Some(place) = at {
            if let Some(&known) = self.found.get(&(place, name.to_owned())) {
                at = known;
                break;
            }
            let binding = self.bindings.get(place as usize)?;
            if binding.name == name {
                break;
            }
            at = binding.outer;
        }
        if let Some(innermost) = scope.innermost {
            self.found.insert((innermost, name.to_owned()), at);
        }
        self.bindings.get(at? as usize).map(|binding| &binding.thing)
    }
}
