/**
 * Whether tests of a matrix meet every combination of its columns, as `make robustness` wants it. `make test` has a selection in
 * which each value of each column occurs.
 */
export const everyCase = process.env['EVERY_CASE'] !== undefined;
