//! Faults that can be injected, one at a time, to test whether the fuzzer finds them: `make mutants`.
//!
//! Like those of the verifier, they exist only in builds with `--cfg seeded_faults`: see `base::seeded`.

use base::faults;

faults! {
    // Places in memory.
    LayoutOrigin "offset: the least value of the last index is taken for 0",
    LinearConstant "wrapped offset: constants of the last coordinate of a map are left out",
    LinearTerms "wrong stride: of a coordinate that is a sum of indices only the first one counts",
    LinearReordered "swapped positions: the last two indices of a place after the loops were reordered",
    // Sets of points.
    BoxRounding "off by one: bounds of boxes are rounded toward zero",
    BoxCorner "wrong bound: a set is a box, although a constraint cuts it",
    BoxesApart "boxes that overlap are taken for disjoint",
    RowsStep "rows of points whose distances differ are joined",
    RowsLast "off by one: the last row of a list of rows is missing",
    // Expressions.
    FusedTwice "a product that is used twice goes with its first sum",
    FusedDifference "a - b*c and b*c - a are exchanged",
    CaseRegions "branches of a case are computed everywhere, the last one stays",
    SwappedOperands "the operands of > and >= do not change places",
    SameNodes "two reads of one buffer are taken for the same one",
    SameReductions "reductions of the same body by other operators are taken for the same one",
    PartialDivisor "divisors that may be undefined are not refused under controlled division",
    ParameterShift "off by one: the value of an index",
    // Reductions.
    MissingFill "missing re-zeroing: reductions start with what is in the buffer",
    FoldIdentity "wrong reduction identity: 0 for a product, a minimum or a maximum",
    EmptySum "a sum without terms is -0",
    FoldOrder "wrong stride: loops of a reduction are reordered, its target is not",
    SettleLate "terms of one element are added to the next one",
    SumsStale "stale padding lane: terms side by side start with what was there",
    FoldStart "a reduction forgets what was in its element",
    // Contractions.
    ContractionOpen "an index is summed too early: one that another factor has",
    ContractionDropped "dropped term in a chain: a factor is left out",
    ContractionUnread "an index that no factor has is not summed",
    ContractionStart "wrong offset: products start at the first element of a factor",
    ContractionAxis "wrong broadcast axis: of an index that both factors have the second one takes the first element",
    ContractionAdds "a product in parts overwrites its sum",
    ContractionMerged "wrong stride: indices are merged by the result alone",
    ContractionOwn "wrong stride: rows between are read as if they were unpadded",
    MatrixTransposed "swapped positions: the second matrix is transposed where it is square",
    MatrixDepth "off by one: the last term of products of matrices",
    // Statements.
    PaddedWhole "stale padding lane: rows that end early are computed as whole vectors",
    JoinedPart "rows of a part are joined as if they were whole",
    JoinedIndex "rows whose indices are values are joined",
    JoinedStride "rows that do not follow each other in what is read are joined",
    // Order and memory.
    ScheduleReversed "what is read comes after what reads it",
    RecurrenceOrder "rows of recurrences are in the order of the text",
    RecurrenceRow "a row that reads itself is computed as a whole",
    SharedEarly "aliasing: a buffer is given away in the step that reads it last",
    InPlaceAny "aliasing in place: a buffer is overwritten although other elements of it are read",
    InPlaceLater "aliasing in place: a buffer is overwritten although it is read later",
    // Execution.
    StoreStride "wrong stride: chunks of a strided target follow each other",
    StripBegin "every strip of a row starts at its beginning",
    ChunkTail "missed tail: the last chunk of a row, if it is shorter",
    ProductsTail "missed tail: the last rows of products that are added together",
    ProductsLength "rows of products for different rows are added together",
    BlocksTail "missed tail: the last block of several threads",
    BlocksBase "wrong offset: blocks of several threads start as if they were the first",
    StreamTail "missed tail: what is left of rows stored past the caches",
    GatherChunk "wrong offset: what is read across rows starts anew in each chunk",
    IndexChunk "wrong offset: indices as values start anew in each chunk",
    // Kernels.
    PartsTail "missed tail: what is left of a row that is reduced in parts",
    PartsIdentity "wrong reduction identity: parts start from 0",
    PartsHalf "the upper half of the parts is lost",
    SameFirst "a - b with one a for a row is b - a",
    ChoiceSame "if with one value for a row takes the other one",
    TripleSame "a*b + c with one c for a row adds a",
    ManyLast "the last of eight products that are added together is left out",
    LevelTail "missed tail: with vector instructions the last element of a row is not computed",
    // Numbers.
    NarrowSum "f32 accumulation of f64",
    Saturates "integers saturate instead of wrapping",
    ZeroSign "the smaller of 0 and -0 is either",
    ExtremumNan "the smaller of nan and a number is the number",
    ControlledZero "0/0 is not 0 under controlled division",
    LessOrEqual "<= is <",
    FloorTruncation "numbers are rounded down to integers",
    ModSign "the remainder has the sign of the dividend",
}
