//! Safe wrappers: owned objects of isl, and its functions as methods.
//!
//! *Conventions.* An [`Owned`] object is freed on drop, and keeps its context alive. Each function of isl is a
//! method of [`IslContext`] with isl's name: it takes by value what isl takes, by reference what isl keeps, and
//! returns what isl gives. Failures are errors, and objects of different contexts never mix.

use crate::foreign::{self, Bool, Dim, Given, Kept, Size, Stat, Taken};
use std::alloc::{Layout, handle_alloc_error};
use std::ffi::{CStr, CString, c_int, c_long, c_uint, c_ulong, c_void};
use std::ptr::NonNull;
use std::rc::Rc;

/// Why a call has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IslFault {
    /// isl failed; the context has the reason.
    Isl,
    /// A number exceeds 64 bits.
    Overflow,
    /// Too many points, rows or columns.
    Size,
    /// Infinitely many points, or no least point.
    Unbounded,
    /// Several values at a point.
    NotSingleValued,
    /// The operand or isl's answer is malformed.
    Malformed(&'static str),
}

/// isl's description of its last failure.
#[derive(Clone, Debug)]
pub(crate) struct LastFailure {
    /// Whether the operation budget was exceeded.
    pub quota: bool,
    /// The message.
    pub message: String,
}

/// A context of isl, shared by its objects. It belongs to one thread.
///
/// isl caches some freed memory and counts only new allocations as operations, so the cost of a question is
/// reproducible only in a new context.
#[derive(Debug)]
pub(crate) struct IslContext(NonNull<foreign::isl_ctx>);

impl IslContext {
    /// A new context, in which isl fails after `max_operations`.
    pub(crate) fn new(max_operations: u64) -> Rc<IslContext> {
        // SAFETY: nothing is required.
        let raw = unsafe { foreign::isl_ctx_alloc() };
        let Some(raw) = NonNull::new(raw) else { handle_alloc_error(Layout::new::<IslContext>()) };
        // SAFETY: the context was just allocated.
        unsafe { foreign::isl_options_set_on_error(raw.as_ptr(), foreign::ON_ERROR_CONTINUE) };
        let max_operations = c_ulong::try_from(max_operations).unwrap_or(c_ulong::MAX);
        // SAFETY: as above.
        unsafe { foreign::isl_ctx_set_max_operations(raw.as_ptr(), max_operations) };
        Rc::new(IslContext(raw))
    }

    /// Clears the last failure; the operation count continues.
    pub(crate) fn go_on(&self) {
        // SAFETY: the context is alive as long as `self`.
        unsafe { foreign::isl_ctx_reset_error(self.0.as_ptr()) };
    }

    /// The last failure, if there was one.
    pub(crate) fn failure(&self) -> Option<LastFailure> {
        // SAFETY: the context is alive as long as `self`.
        let error = unsafe { foreign::isl_ctx_last_error(self.0.as_ptr()) };
        if error == foreign::ERROR_NONE {
            return None;
        }
        // SAFETY: as above.
        let message = unsafe { foreign::isl_ctx_last_error_msg(self.0.as_ptr()) };
        let message = match message.is_null() {
            true => format!("error {error}"),
            // SAFETY: isl's messages are string literals that end with 0.
            false => unsafe { CStr::from_ptr(message) }.to_string_lossy().into_owned(),
        };
        Some(LastFailure { quota: error == foreign::ERROR_QUOTA, message })
    }
}

impl Drop for IslContext {
    fn drop(&mut self) {
        // SAFETY: every object holds a reference to its context, so there is none left.
        unsafe { foreign::isl_ctx_free(self.0.as_ptr()) };
    }
}

/// A type of isl whose objects are owned.
///
/// # Safety
/// `FREE` must be isl's function that frees objects of this type.
pub(crate) unsafe trait Object {
    const FREE: unsafe extern "C" fn(*mut Self) -> *mut Self;
}

/// An object of isl that is freed when it is dropped.
#[derive(Debug)]
pub(crate) struct Owned<T: Object> {
    raw: NonNull<T>,
    context: Rc<IslContext>,
}

impl<T: Object> Drop for Owned<T> {
    fn drop(&mut self) {
        // SAFETY: the object is owned, and its context is alive.
        unsafe { T::FREE(self.raw.as_ptr()) };
    }
}

macro_rules! objects {
    ($($Name:ident = $raw:ident, $free:ident;)*) => {$(
        pub(crate) type $Name = Owned<foreign::$raw>;

        // SAFETY: this is the function of that type.
        unsafe impl Object for foreign::$raw {
            const FREE: unsafe extern "C" fn(*mut Self) -> *mut Self = foreign::$free;
        }
    )*};
}

objects! {
    Val = isl_val, isl_val_free;
    Id = isl_id, isl_id_free;
    Space = isl_space, isl_space_free;
    LocalSpace = isl_local_space, isl_local_space_free;
    Mat = isl_mat, isl_mat_free;
    Aff = isl_aff, isl_aff_free;
    MultiAff = isl_multi_aff, isl_multi_aff_free;
    PwMultiAff = isl_pw_multi_aff, isl_pw_multi_aff_free;
    Point = isl_point, isl_point_free;
    BasicSet = isl_basic_set, isl_basic_set_free;
    BasicSetList = isl_basic_set_list, isl_basic_set_list_free;
    Set = isl_set, isl_set_free;
    Map = isl_map, isl_map_free;
}

/// An argument to a function of isl.
trait Argument {
    /// Whether the argument belongs to this context.
    fn belongs(&self, _context: &Rc<IslContext>) -> bool {
        true
    }
}

/// An argument that is passed to isl as `Raw`.
trait Lower<Raw>: Argument {
    fn lower(self) -> Raw;
}

impl<T: Object> Argument for Owned<T> {
    fn belongs(&self, context: &Rc<IslContext>) -> bool {
        Rc::ptr_eq(&self.context, context)
    }
}

impl<T: Object> Lower<Taken<T>> for Owned<T> {
    fn lower(self) -> Taken<T> {
        let raw = self.raw.as_ptr();
        let mut given_up = std::mem::ManuallyDrop::new(self);
        // SAFETY: the field is not used again, and the object is not dropped, only its share of the context.
        unsafe { std::ptr::drop_in_place(&raw mut given_up.context) };
        Taken(raw)
    }
}

impl<T: Object> Argument for &Owned<T> {
    fn belongs(&self, context: &Rc<IslContext>) -> bool {
        Rc::ptr_eq(&self.context, context)
    }
}

impl<T: Object> Lower<Kept<T>> for &Owned<T> {
    fn lower(self) -> Kept<T> {
        Kept(self.raw.as_ptr())
    }
}

impl Argument for Dim {}

impl Lower<Dim> for Dim {
    fn lower(self) -> Dim {
        self
    }
}

impl Argument for usize {}

/// A position or count; overflow saturates, and isl then reports it as out of range.
impl Lower<c_int> for usize {
    fn lower(self) -> c_int {
        c_int::try_from(self).unwrap_or(c_int::MAX)
    }
}

impl Lower<c_uint> for usize {
    fn lower(self) -> c_uint {
        c_uint::try_from(Lower::<c_int>::lower(self)).unwrap_or(0)
    }
}

/// A result that isl returns as `Raw`.
trait Lift<Raw>: Sized {
    /// # Safety
    /// `raw` was returned by a function of isl for objects of `context`.
    unsafe fn lift(context: &Rc<IslContext>, raw: Raw) -> Result<Self, IslFault>;
}

impl<T: Object> Lift<Given<T>> for Owned<T> {
    unsafe fn lift(context: &Rc<IslContext>, raw: Given<T>) -> Result<Owned<T>, IslFault> {
        let raw = NonNull::new(raw.0).ok_or(IslFault::Isl)?;
        Ok(Owned { raw, context: context.clone() })
    }
}

impl Lift<Bool> for bool {
    unsafe fn lift(_: &Rc<IslContext>, raw: Bool) -> Result<bool, IslFault> {
        match raw.0 {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(IslFault::Isl),
        }
    }
}

impl Lift<Size> for usize {
    unsafe fn lift(_: &Rc<IslContext>, raw: Size) -> Result<usize, IslFault> {
        usize::try_from(raw.0).map_err(|_| IslFault::Isl)
    }
}

/// Declares functions of isl as methods of the context; [`Taken`], [`Kept`] and [`Given`] in the declarations
/// determine the types of arguments and results.
macro_rules! functions {
    ($($name:ident($($argument:ident: $Type:ty),*) -> $Result:ty;)*) => {
        #[allow(clippy::too_many_arguments, reason = "as many as isl has")]
        impl IslContext {$(
            pub(crate) fn $name(self: &Rc<Self>, $($argument: $Type),*) -> Result<$Result, IslFault> {
                $(self.require($argument.belongs(self))?;)*
                // SAFETY: the objects are alive and of this context; what isl takes is given up, by `Lower`.
                let raw = unsafe { foreign::$name($($argument.lower()),*) };
                // SAFETY: isl just returned it, and it is of this context like the arguments.
                unsafe { Lift::lift(self, raw) }
            }
        )*}
    };
}

functions! {
    isl_space_copy(space: &Space) -> Space;
    isl_local_space_copy(ls: &LocalSpace) -> LocalSpace;
    isl_set_copy(set: &Set) -> Set;
    isl_map_copy(map: &Map) -> Map;
    isl_aff_copy(aff: &Aff) -> Aff;

    isl_val_mul(a: Val, b: Val) -> Val;
    isl_val_is_int(v: &Val) -> bool;
    isl_val_is_neg(v: &Val) -> bool;

    isl_space_set_dim_id(space: Space, dim: Dim, pos: usize, id: Id) -> Space;
    isl_space_map_from_domain_and_range(domain: Space, range: Space) -> Space;
    isl_local_space_from_space(space: Space) -> LocalSpace;

    isl_mat_rows(mat: &Mat) -> usize;
    isl_mat_cols(mat: &Mat) -> usize;
    isl_mat_get_element_val(mat: &Mat, row: usize, column: usize) -> Val;
    isl_mat_set_element_val(mat: Mat, row: usize, column: usize, v: Val) -> Mat;

    isl_aff_val_on_domain(ls: LocalSpace, val: Val) -> Aff;
    isl_aff_var_on_domain(ls: LocalSpace, dim: Dim, pos: usize) -> Aff;
    isl_aff_dim(aff: &Aff, dim: Dim) -> usize;
    isl_aff_get_constant_val(aff: &Aff) -> Val;
    isl_aff_get_coefficient_val(aff: &Aff, dim: Dim, pos: usize) -> Val;
    isl_aff_get_denominator_val(aff: &Aff) -> Val;
    isl_aff_get_div(aff: &Aff, pos: usize) -> Aff;
    isl_aff_add(a: Aff, b: Aff) -> Aff;
    isl_aff_scale_val(aff: Aff, v: Val) -> Aff;
    isl_aff_scale_down_val(aff: Aff, v: Val) -> Aff;
    isl_aff_floor(aff: Aff) -> Aff;

    isl_multi_aff_zero(space: Space) -> MultiAff;
    isl_multi_aff_set_aff(maff: MultiAff, pos: usize, aff: Aff) -> MultiAff;
    isl_multi_aff_get_aff(maff: &MultiAff, pos: usize) -> Aff;
    isl_pw_multi_aff_from_map(map: Map) -> PwMultiAff;

    isl_point_is_void(point: &Point) -> bool;
    isl_point_get_coordinate_val(point: &Point, dim: Dim, pos: usize) -> Val;

    isl_basic_set_from_constraint_matrices(
        space: Space, equalities: Mat, inequalities: Mat, c1: Dim, c2: Dim, c3: Dim, c4: Dim
    ) -> BasicSet;
    isl_basic_set_equalities_matrix(basic: &BasicSet, c1: Dim, c2: Dim, c3: Dim, c4: Dim) -> Mat;
    isl_basic_set_inequalities_matrix(basic: &BasicSet, c1: Dim, c2: Dim, c3: Dim, c4: Dim) -> Mat;
    isl_basic_set_dim(basic: &BasicSet, dim: Dim) -> usize;
    isl_basic_set_get_div(basic: &BasicSet, pos: usize) -> Aff;
    isl_basic_set_preimage_multi_aff(basic: BasicSet, map: MultiAff) -> BasicSet;
    isl_basic_set_project_out(basic: BasicSet, dim: Dim, first: usize, n: usize) -> BasicSet;
    isl_basic_set_remove_dims(basic: BasicSet, dim: Dim, first: usize, n: usize) -> BasicSet;
    isl_basic_set_fix_val(basic: BasicSet, dim: Dim, pos: usize, v: Val) -> BasicSet;
    isl_basic_set_compute_divs(basic: BasicSet) -> Set;
    isl_basic_set_is_empty(basic: &BasicSet) -> bool;
    isl_basic_set_is_bounded(basic: &BasicSet) -> bool;
    isl_basic_set_list_n_basic_set(list: &BasicSetList) -> usize;
    isl_basic_set_list_get_basic_set(list: &BasicSetList, index: usize) -> BasicSet;

    isl_set_empty(space: Space) -> Set;
    isl_set_from_basic_set(basic: BasicSet) -> Set;
    isl_set_get_basic_set_list(set: &Set) -> BasicSetList;
    isl_set_is_empty(set: &Set) -> bool;
    isl_set_is_subset(a: &Set, b: &Set) -> bool;
    isl_set_is_equal(a: &Set, b: &Set) -> bool;
    isl_set_is_disjoint(a: &Set, b: &Set) -> bool;
    isl_set_sample_point(set: Set) -> Point;
    isl_set_intersect(a: Set, b: Set) -> Set;
    isl_set_union(a: Set, b: Set) -> Set;
    isl_set_subtract(a: Set, b: Set) -> Set;
    isl_set_complement(set: Set) -> Set;
    isl_set_coalesce(set: Set) -> Set;
    isl_set_affine_hull(set: Set) -> BasicSet;
    isl_set_detect_equalities(set: Set) -> Set;
    isl_set_gist(set: Set, context: Set) -> Set;
    isl_set_lexmin(set: Set) -> Set;
    isl_set_min_val(set: &Set, objective: &Aff) -> Val;
    isl_set_flatten(set: Set) -> Set;

    isl_map_from_range(set: Set) -> Map;
    isl_map_move_dims(map: Map, to: Dim, to_pos: usize, from: Dim, from_pos: usize, n: usize) -> Map;
    isl_map_apply_range(a: Map, b: Map) -> Map;
    isl_map_wrap(map: Map) -> Set;
    isl_map_is_single_valued(map: &Map) -> bool;
    isl_map_is_bijective(map: &Map) -> bool;
}

/// isl multiplies numbers of rows and columns in 32 bits. With at most 2^14 columns, and 2^26 entries in all,
/// the products stay below 2^31.
const MAX_COLUMNS: usize = 1 << 14;
const MAX_ENTRIES: usize = 1 << 26;

/// Functions whose arguments are neither objects nor positions.
impl IslContext {
    fn require(&self, belongs: bool) -> Result<(), IslFault> {
        if belongs { Ok(()) } else { Err(IslFault::Malformed("objects of different contexts")) }
    }

    pub(crate) fn isl_val_int_from_si(self: &Rc<Self>, value: i64) -> Result<Val, IslFault> {
        let value = c_long::try_from(value).map_err(|_| IslFault::Overflow)?;
        // SAFETY: the context is alive.
        let raw = unsafe { foreign::isl_val_int_from_si(self.0.as_ptr(), value) };
        // SAFETY: isl just returned it for this context.
        unsafe { Lift::lift(self, raw) }
    }

    /// The absolute value of an integer, if it has at most 64 bits.
    pub(crate) fn magnitude(self: &Rc<Self>, val: &Val) -> Result<u64, IslFault> {
        self.require(val.belongs(self))?;
        let size = size_of::<u64>();
        // SAFETY: the number is alive.
        let chunks = unsafe { foreign::isl_val_n_abs_num_chunks(val.lower(), size) };
        // SAFETY: isl just returned it.
        let chunks: usize = unsafe { Lift::lift(self, chunks) }?;
        let mut magnitude = 0_u64;
        if chunks > 1 {
            return Err(IslFault::Overflow);
        }
        let chunk: *mut c_void = (&raw mut magnitude).cast();
        // SAFETY: there is room for as many chunks as there are.
        let done = unsafe { foreign::isl_val_get_abs_num_chunks(val.lower(), size, chunk) };
        if done == Stat::OK { Ok(magnitude) } else { Err(IslFault::Isl) }
    }

    pub(crate) fn isl_id_alloc(self: &Rc<Self>, name: &str) -> Result<Id, IslFault> {
        let name = CString::new(name).map_err(|_| IslFault::Malformed("a name contains a null"))?;
        // SAFETY: the context is alive, the name ends with 0, and isl copies it.
        let raw = unsafe { foreign::isl_id_alloc(self.0.as_ptr(), name.as_ptr(), std::ptr::null_mut()) };
        // SAFETY: isl just returned it for this context.
        unsafe { Lift::lift(self, raw) }
    }

    pub(crate) fn isl_space_set_alloc(
        self: &Rc<Self>,
        parameters: usize,
        rank: usize,
    ) -> Result<Space, IslFault> {
        if parameters.saturating_add(rank) > MAX_COLUMNS {
            return Err(IslFault::Size);
        }
        // SAFETY: the context is alive, and the counts are small.
        let raw = unsafe { foreign::isl_space_set_alloc(self.0.as_ptr(), parameters.lower(), rank.lower()) };
        // SAFETY: isl just returned it for this context.
        unsafe { Lift::lift(self, raw) }
    }

    /// The matrix with these entries.
    pub(crate) fn matrix<'a>(
        self: &Rc<Self>,
        columns: usize,
        rows: impl ExactSizeIterator<Item = &'a [i64]>,
    ) -> Result<Mat, IslFault> {
        if columns > MAX_COLUMNS || rows.len().saturating_mul(columns) > MAX_ENTRIES {
            return Err(IslFault::Size);
        }
        // SAFETY: the context is alive, and the product of the counts is small.
        let raw = unsafe { foreign::isl_mat_alloc(self.0.as_ptr(), rows.len().lower(), columns.lower()) };
        // SAFETY: isl just returned it for this context.
        let mut mat: Mat = unsafe { Lift::lift(self, raw) }?;
        for (at, row) in rows.enumerate() {
            for column in 0..columns {
                let entry = row.get(column).copied().unwrap_or(0);
                mat = self.with_entry(mat, at, column, entry)?;
            }
        }
        Ok(mat)
    }

    fn with_entry(self: &Rc<Self>, mat: Mat, row: usize, column: usize, entry: i64) -> Result<Mat, IslFault> {
        let Ok(short) = c_int::try_from(entry) else {
            return self.isl_mat_set_element_val(mat, row, column, self.isl_val_int_from_si(entry)?);
        };
        // SAFETY: the matrix is alive and given up; isl checks the position.
        let raw = unsafe { foreign::isl_mat_set_element_si(mat.lower(), row.lower(), column.lower(), short) };
        // SAFETY: isl just returned it for this context.
        unsafe { Lift::lift(self, raw) }
    }

    /// The transitive closure, and whether it is exact.
    pub(crate) fn isl_map_transitive_closure(self: &Rc<Self>, map: Map) -> Result<(Map, bool), IslFault> {
        self.require(map.belongs(self))?;
        let mut exact = Bool(-1);
        // SAFETY: the relation is alive and given up, and `exact` outlives the call.
        let raw = unsafe { foreign::isl_map_transitive_closure(map.lower(), &raw mut exact) };
        // SAFETY: isl just returned it for this context.
        let closure = unsafe { Lift::lift(self, raw) }?;
        // SAFETY: isl just wrote it.
        Ok((closure, unsafe { Lift::lift(self, exact) }?))
    }

    /// Calls `visit` with every point until it returns false.
    pub(crate) fn for_each_point(
        self: &Rc<Self>,
        set: &Set,
        visit: &mut dyn FnMut(Point) -> bool,
    ) -> Result<(), IslFault> {
        self.require(set.belongs(self))?;
        let mut visitor = PointVisitor { context: self, visit, stopped: false };
        // SAFETY: the set is alive, and `on_point` gets the visitor that it expects, for the call only.
        let stat =
            unsafe { foreign::isl_set_foreach_point(set.lower(), on_point, (&raw mut visitor).cast()) };
        if stat == Stat::OK || visitor.stopped { Ok(()) } else { Err(IslFault::Isl) }
    }

    /// The pieces of a function: each domain, with the values on it.
    pub(crate) fn pieces(self: &Rc<Self>, function: &PwMultiAff) -> Result<Vec<(Set, MultiAff)>, IslFault> {
        self.require(function.belongs(self))?;
        let mut visitor = PieceVisitor { context: self, pieces: Vec::new() };
        // SAFETY: the function is alive, and `on_piece` gets the visitor that it expects, for the call only.
        let stat = unsafe {
            foreign::isl_pw_multi_aff_foreach_piece(function.lower(), on_piece, (&raw mut visitor).cast())
        };
        if stat == Stat::OK { Ok(visitor.pieces) } else { Err(IslFault::Isl) }
    }
}

struct PointVisitor<'a> {
    context: &'a Rc<IslContext>,
    visit: &'a mut dyn FnMut(Point) -> bool,
    stopped: bool,
}

/// # Safety
/// `visitor` is a [`PointVisitor`] that nothing else uses, and the point is of its context.
unsafe extern "C" fn on_point(point: Taken<foreign::isl_point>, visitor: *mut c_void) -> Stat {
    // SAFETY: as said above.
    let visitor = unsafe { &mut *visitor.cast::<PointVisitor<'_>>() };
    // SAFETY: isl gives up the point.
    let Ok(point) = (unsafe { Owned::lift(visitor.context, Given(point.0)) }) else { return Stat::ERROR };
    visitor.stopped = !(visitor.visit)(point);
    if visitor.stopped { Stat::ERROR } else { Stat::OK }
}

struct PieceVisitor<'a> {
    context: &'a Rc<IslContext>,
    pieces: Vec<(Set, MultiAff)>,
}

/// # Safety
/// `visitor` is a [`PieceVisitor`] that nothing else uses, and the set and the values are of its context.
unsafe extern "C" fn on_piece(
    set: Taken<foreign::isl_set>,
    values: Taken<foreign::isl_multi_aff>,
    visitor: *mut c_void,
) -> Stat {
    // SAFETY: as said above.
    let visitor = unsafe { &mut *visitor.cast::<PieceVisitor<'_>>() };
    // SAFETY: isl gives up the set.
    let set = unsafe { Owned::lift(visitor.context, Given(set.0)) };
    // SAFETY: isl gives up the values.
    let values = unsafe { Owned::lift(visitor.context, Given(values.0)) };
    match (set, values) {
        (Ok(set), Ok(values)) => visitor.pieces.push((set, values)),
        _ => return Stat::ERROR,
    }
    Stat::OK
}
