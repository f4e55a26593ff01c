//! The functions of isl 0.25 that this crate uses, as its headers declare them.
//!
//! isl marks each argument as *taken* (`__isl_take`: ownership passes to the function, even if it fails) or *kept*
//! (`__isl_keep`: lent for the call), and each result as *given* (`__isl_give`: owned by the caller, null on
//! failure). Here these are [`Taken`], [`Kept`] and [`Given`], so that a declaration states the requirements of a
//! call.

use std::ffi::{c_char, c_int, c_long, c_uint, c_ulong, c_void};
use std::marker::{PhantomData, PhantomPinned};

/// An owned object that is passed to the function.
#[repr(transparent)]
pub(crate) struct Taken<T>(pub *mut T);

/// An object that is lent to the function.
#[repr(transparent)]
pub(crate) struct Kept<T>(pub *mut T);

/// An object that the caller owns from now on; null on failure.
#[repr(transparent)]
pub(crate) struct Given<T>(pub *mut T);

/// −1 for an error, 0 for no, 1 for yes.
#[repr(transparent)]
pub(crate) struct Bool(pub c_int);

/// −1 for an error, otherwise a count.
#[repr(transparent)]
pub(crate) struct Size(pub c_int);

/// −1 for an error, 0 for success.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stat(pub c_int);

impl Stat {
    pub(crate) const ERROR: Stat = Stat(-1);
    pub(crate) const OK: Stat = Stat(0);
}

/// `enum isl_dim_type`; values are only passed to isl.
#[repr(u32)]
#[derive(Clone, Copy, Debug)]
pub(crate) enum Dim {
    Constant = 0,
    Parameter = 1,
    In = 2,
    Set = 3,
    Div = 4,
}

/// `isl_error_none`
pub(crate) const ERROR_NONE: c_uint = 0;
/// `isl_error_quota`
pub(crate) const ERROR_QUOTA: c_uint = 6;
/// `ISL_ON_ERROR_CONTINUE`: no message on standard error, no abort.
pub(crate) const ON_ERROR_CONTINUE: c_int = 1;

/// Opaque types of isl.
macro_rules! opaque {
    ($($name:ident)*) => {$(
        #[allow(non_camel_case_types, reason = "the names are those of isl")]
        #[repr(C)]
        pub(crate) struct $name {
            content: [u8; 0],
            /// Prevents moving, sending and sharing.
            pinned: PhantomData<(*mut u8, PhantomPinned)>,
        }
    )*};
}

opaque! {
    isl_ctx isl_val isl_id isl_space isl_local_space isl_mat isl_aff isl_multi_aff isl_pw_multi_aff isl_point
    isl_basic_set isl_basic_set_list isl_set isl_map
}

/// The callback of `isl_set_foreach_point`.
pub(crate) type OnPoint = unsafe extern "C" fn(Taken<isl_point>, *mut c_void) -> Stat;
/// The callback of `isl_pw_multi_aff_foreach_piece`.
pub(crate) type OnPiece = unsafe extern "C" fn(Taken<isl_set>, Taken<isl_multi_aff>, *mut c_void) -> Stat;

#[link(name = "isl")]
unsafe extern "C" {
    // Contexts.
    pub(crate) fn isl_ctx_alloc() -> *mut isl_ctx;
    pub(crate) fn isl_ctx_free(ctx: *mut isl_ctx);
    pub(crate) fn isl_ctx_set_max_operations(ctx: *mut isl_ctx, max_operations: c_ulong);
    pub(crate) fn isl_ctx_last_error(ctx: *mut isl_ctx) -> c_uint;
    pub(crate) fn isl_ctx_last_error_msg(ctx: *mut isl_ctx) -> *const c_char;
    pub(crate) fn isl_ctx_reset_error(ctx: *mut isl_ctx);
    pub(crate) fn isl_options_set_on_error(ctx: *mut isl_ctx, value: c_int) -> Stat;

    // Functions that free an object; they return null.
    pub(crate) fn isl_val_free(val: *mut isl_val) -> *mut isl_val;
    pub(crate) fn isl_id_free(id: *mut isl_id) -> *mut isl_id;
    pub(crate) fn isl_space_free(space: *mut isl_space) -> *mut isl_space;
    pub(crate) fn isl_local_space_free(ls: *mut isl_local_space) -> *mut isl_local_space;
    pub(crate) fn isl_mat_free(mat: *mut isl_mat) -> *mut isl_mat;
    pub(crate) fn isl_aff_free(aff: *mut isl_aff) -> *mut isl_aff;
    pub(crate) fn isl_multi_aff_free(maff: *mut isl_multi_aff) -> *mut isl_multi_aff;
    pub(crate) fn isl_pw_multi_aff_free(pma: *mut isl_pw_multi_aff) -> *mut isl_pw_multi_aff;
    pub(crate) fn isl_point_free(pnt: *mut isl_point) -> *mut isl_point;
    pub(crate) fn isl_basic_set_free(bset: *mut isl_basic_set) -> *mut isl_basic_set;
    pub(crate) fn isl_basic_set_list_free(list: *mut isl_basic_set_list) -> *mut isl_basic_set_list;
    pub(crate) fn isl_set_free(set: *mut isl_set) -> *mut isl_set;
    pub(crate) fn isl_map_free(map: *mut isl_map) -> *mut isl_map;

    // Functions that copy an object; they add a reference to it.
    pub(crate) fn isl_space_copy(space: Kept<isl_space>) -> Given<isl_space>;
    pub(crate) fn isl_local_space_copy(ls: Kept<isl_local_space>) -> Given<isl_local_space>;
    pub(crate) fn isl_set_copy(set: Kept<isl_set>) -> Given<isl_set>;
    pub(crate) fn isl_map_copy(map: Kept<isl_map>) -> Given<isl_map>;
    pub(crate) fn isl_aff_copy(aff: Kept<isl_aff>) -> Given<isl_aff>;

    // Numbers.
    pub(crate) fn isl_val_int_from_si(ctx: *mut isl_ctx, i: c_long) -> Given<isl_val>;
    pub(crate) fn isl_val_mul(v1: Taken<isl_val>, v2: Taken<isl_val>) -> Given<isl_val>;
    pub(crate) fn isl_val_is_int(v: Kept<isl_val>) -> Bool;
    pub(crate) fn isl_val_is_neg(v: Kept<isl_val>) -> Bool;
    pub(crate) fn isl_val_n_abs_num_chunks(v: Kept<isl_val>, size: usize) -> Size;
    pub(crate) fn isl_val_get_abs_num_chunks(v: Kept<isl_val>, size: usize, chunks: *mut c_void) -> Stat;

    // Spaces.
    pub(crate) fn isl_id_alloc(ctx: *mut isl_ctx, name: *const c_char, user: *mut c_void) -> Given<isl_id>;
    pub(crate) fn isl_space_set_alloc(ctx: *mut isl_ctx, nparam: c_uint, dim: c_uint) -> Given<isl_space>;
    pub(crate) fn isl_space_set_dim_id(
        space: Taken<isl_space>,
        dim: Dim,
        pos: c_uint,
        id: Taken<isl_id>,
    ) -> Given<isl_space>;
    pub(crate) fn isl_space_map_from_domain_and_range(
        domain: Taken<isl_space>,
        range: Taken<isl_space>,
    ) -> Given<isl_space>;
    pub(crate) fn isl_local_space_from_space(space: Taken<isl_space>) -> Given<isl_local_space>;

    // Matrices.
    pub(crate) fn isl_mat_alloc(ctx: *mut isl_ctx, rows: c_uint, columns: c_uint) -> Given<isl_mat>;
    pub(crate) fn isl_mat_rows(mat: Kept<isl_mat>) -> Size;
    pub(crate) fn isl_mat_cols(mat: Kept<isl_mat>) -> Size;
    pub(crate) fn isl_mat_get_element_val(mat: Kept<isl_mat>, row: c_int, col: c_int) -> Given<isl_val>;
    pub(crate) fn isl_mat_set_element_si(
        mat: Taken<isl_mat>,
        row: c_int,
        col: c_int,
        v: c_int,
    ) -> Given<isl_mat>;
    pub(crate) fn isl_mat_set_element_val(
        mat: Taken<isl_mat>,
        row: c_int,
        col: c_int,
        v: Taken<isl_val>,
    ) -> Given<isl_mat>;

    // Affine expressions.
    pub(crate) fn isl_aff_val_on_domain(ls: Taken<isl_local_space>, val: Taken<isl_val>) -> Given<isl_aff>;
    pub(crate) fn isl_aff_var_on_domain(ls: Taken<isl_local_space>, dim: Dim, pos: c_uint) -> Given<isl_aff>;
    pub(crate) fn isl_aff_dim(aff: Kept<isl_aff>, dim: Dim) -> Size;
    pub(crate) fn isl_aff_get_constant_val(aff: Kept<isl_aff>) -> Given<isl_val>;
    pub(crate) fn isl_aff_get_coefficient_val(aff: Kept<isl_aff>, dim: Dim, pos: c_int) -> Given<isl_val>;
    pub(crate) fn isl_aff_get_denominator_val(aff: Kept<isl_aff>) -> Given<isl_val>;
    pub(crate) fn isl_aff_get_div(aff: Kept<isl_aff>, pos: c_int) -> Given<isl_aff>;
    pub(crate) fn isl_aff_add(aff1: Taken<isl_aff>, aff2: Taken<isl_aff>) -> Given<isl_aff>;
    pub(crate) fn isl_aff_scale_val(aff: Taken<isl_aff>, v: Taken<isl_val>) -> Given<isl_aff>;
    pub(crate) fn isl_aff_scale_down_val(aff: Taken<isl_aff>, v: Taken<isl_val>) -> Given<isl_aff>;
    pub(crate) fn isl_aff_floor(aff: Taken<isl_aff>) -> Given<isl_aff>;

    // Functions.
    pub(crate) fn isl_multi_aff_zero(space: Taken<isl_space>) -> Given<isl_multi_aff>;
    pub(crate) fn isl_multi_aff_set_aff(
        maff: Taken<isl_multi_aff>,
        pos: c_int,
        aff: Taken<isl_aff>,
    ) -> Given<isl_multi_aff>;
    pub(crate) fn isl_multi_aff_get_aff(maff: Kept<isl_multi_aff>, pos: c_int) -> Given<isl_aff>;
    pub(crate) fn isl_pw_multi_aff_from_map(map: Taken<isl_map>) -> Given<isl_pw_multi_aff>;
    pub(crate) fn isl_pw_multi_aff_foreach_piece(
        pma: Kept<isl_pw_multi_aff>,
        on_piece: OnPiece,
        user: *mut c_void,
    ) -> Stat;

    // Points.
    pub(crate) fn isl_point_is_void(pnt: Kept<isl_point>) -> Bool;
    pub(crate) fn isl_point_get_coordinate_val(pnt: Kept<isl_point>, dim: Dim, pos: c_int) -> Given<isl_val>;

    // Conjunctions of constraints.
    pub(crate) fn isl_basic_set_from_constraint_matrices(
        space: Taken<isl_space>,
        eq: Taken<isl_mat>,
        ineq: Taken<isl_mat>,
        c1: Dim,
        c2: Dim,
        c3: Dim,
        c4: Dim,
    ) -> Given<isl_basic_set>;
    pub(crate) fn isl_basic_set_equalities_matrix(
        bset: Kept<isl_basic_set>,
        c1: Dim,
        c2: Dim,
        c3: Dim,
        c4: Dim,
    ) -> Given<isl_mat>;
    pub(crate) fn isl_basic_set_inequalities_matrix(
        bset: Kept<isl_basic_set>,
        c1: Dim,
        c2: Dim,
        c3: Dim,
        c4: Dim,
    ) -> Given<isl_mat>;
    pub(crate) fn isl_basic_set_dim(bset: Kept<isl_basic_set>, dim: Dim) -> Size;
    pub(crate) fn isl_basic_set_get_div(bset: Kept<isl_basic_set>, pos: c_int) -> Given<isl_aff>;
    pub(crate) fn isl_basic_set_preimage_multi_aff(
        bset: Taken<isl_basic_set>,
        ma: Taken<isl_multi_aff>,
    ) -> Given<isl_basic_set>;
    pub(crate) fn isl_basic_set_project_out(
        bset: Taken<isl_basic_set>,
        dim: Dim,
        first: c_uint,
        n: c_uint,
    ) -> Given<isl_basic_set>;
    pub(crate) fn isl_basic_set_remove_dims(
        bset: Taken<isl_basic_set>,
        dim: Dim,
        first: c_uint,
        n: c_uint,
    ) -> Given<isl_basic_set>;
    pub(crate) fn isl_basic_set_fix_val(
        bset: Taken<isl_basic_set>,
        dim: Dim,
        pos: c_uint,
        v: Taken<isl_val>,
    ) -> Given<isl_basic_set>;
    pub(crate) fn isl_basic_set_compute_divs(bset: Taken<isl_basic_set>) -> Given<isl_set>;
    pub(crate) fn isl_basic_set_is_empty(bset: Kept<isl_basic_set>) -> Bool;
    pub(crate) fn isl_basic_set_is_bounded(bset: Kept<isl_basic_set>) -> Bool;
    pub(crate) fn isl_basic_set_list_n_basic_set(list: Kept<isl_basic_set_list>) -> Size;
    pub(crate) fn isl_basic_set_list_get_basic_set(
        list: Kept<isl_basic_set_list>,
        index: c_int,
    ) -> Given<isl_basic_set>;

    // Sets.
    pub(crate) fn isl_set_empty(space: Taken<isl_space>) -> Given<isl_set>;
    pub(crate) fn isl_set_from_basic_set(bset: Taken<isl_basic_set>) -> Given<isl_set>;
    pub(crate) fn isl_set_get_basic_set_list(set: Kept<isl_set>) -> Given<isl_basic_set_list>;
    pub(crate) fn isl_set_is_empty(set: Kept<isl_set>) -> Bool;
    pub(crate) fn isl_set_is_subset(set1: Kept<isl_set>, set2: Kept<isl_set>) -> Bool;
    pub(crate) fn isl_set_is_equal(set1: Kept<isl_set>, set2: Kept<isl_set>) -> Bool;
    pub(crate) fn isl_set_is_disjoint(set1: Kept<isl_set>, set2: Kept<isl_set>) -> Bool;
    pub(crate) fn isl_set_sample_point(set: Taken<isl_set>) -> Given<isl_point>;
    pub(crate) fn isl_set_intersect(set1: Taken<isl_set>, set2: Taken<isl_set>) -> Given<isl_set>;
    pub(crate) fn isl_set_union(set1: Taken<isl_set>, set2: Taken<isl_set>) -> Given<isl_set>;
    pub(crate) fn isl_set_subtract(set1: Taken<isl_set>, set2: Taken<isl_set>) -> Given<isl_set>;
    pub(crate) fn isl_set_complement(set: Taken<isl_set>) -> Given<isl_set>;
    pub(crate) fn isl_set_coalesce(set: Taken<isl_set>) -> Given<isl_set>;
    pub(crate) fn isl_set_affine_hull(set: Taken<isl_set>) -> Given<isl_basic_set>;
    pub(crate) fn isl_set_detect_equalities(set: Taken<isl_set>) -> Given<isl_set>;
    pub(crate) fn isl_set_gist(set: Taken<isl_set>, context: Taken<isl_set>) -> Given<isl_set>;
    pub(crate) fn isl_set_lexmin(set: Taken<isl_set>) -> Given<isl_set>;
    pub(crate) fn isl_set_min_val(set: Kept<isl_set>, obj: Kept<isl_aff>) -> Given<isl_val>;
    pub(crate) fn isl_set_flatten(set: Taken<isl_set>) -> Given<isl_set>;
    pub(crate) fn isl_set_foreach_point(set: Kept<isl_set>, on_point: OnPoint, user: *mut c_void) -> Stat;

    // Relations.
    pub(crate) fn isl_map_from_range(set: Taken<isl_set>) -> Given<isl_map>;
    pub(crate) fn isl_map_move_dims(
        map: Taken<isl_map>,
        to: Dim,
        to_pos: c_uint,
        from: Dim,
        from_pos: c_uint,
        n: c_uint,
    ) -> Given<isl_map>;
    pub(crate) fn isl_map_apply_range(map1: Taken<isl_map>, map2: Taken<isl_map>) -> Given<isl_map>;
    pub(crate) fn isl_map_wrap(map: Taken<isl_map>) -> Given<isl_set>;
    pub(crate) fn isl_map_is_single_valued(map: Kept<isl_map>) -> Bool;
    pub(crate) fn isl_map_is_bijective(map: Kept<isl_map>) -> Bool;
    pub(crate) fn isl_map_transitive_closure(map: Taken<isl_map>, exact: *mut Bool) -> Given<isl_map>;
}
