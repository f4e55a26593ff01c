//! What names mean where.

use super::things::Thing;
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// A place in the text: the names that are known there, and how many indices are bound around it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Scope {
    innermost: Option<u32>,
    /// The level of the next index that is bound.
    pub depth: u32,
}

impl Scope {
    /// No names, among some indices.
    pub(super) fn at_depth(depth: u32) -> Scope {
        Scope { innermost: None, depth }
    }
}

struct Binding<'a> {
    name: Cow<'a, str>,
    thing: Thing,
    outer: Option<u32>,
}

/// All bindings; each knows the one around it.
#[derive(Default)]
pub(super) struct Scopes<'a> {
    bindings: Vec<Binding<'a>>,
    /// Where names were found, so that names among many nested indices are found at once.
    found: FxHashMap<(u32, String), Option<u32>>,
}

impl<'a> Scopes<'a> {
    /// The scope in which a name is known, too.
    pub(super) fn bind(&mut self, scope: Scope, name: impl Into<Cow<'a, str>>, thing: Thing) -> Scope {
        self.bindings.push(Binding { name: name.into(), thing, outer: scope.innermost });
        let innermost = u32::try_from(self.bindings.len() - 1).ok();
        Scope { innermost, ..scope }
    }

    /// What a name means: the innermost binding counts.
    pub(super) fn find(&mut self, scope: Scope, name: &str) -> Option<&Thing> {
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
