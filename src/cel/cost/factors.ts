/** The cost of the work on one character. */
export const perCharacter = 0.1;

/** The cost of one character of a pattern. */
export const perPatternCharacter = 0.25;

/** The cost of reading a variable or a field. */
export const readCost = 1;

/** The cost of creating a list, a map or a message. */
export const makeCost = Object.freeze({ list: 10, map: 30, struct: 40 });

/** The cost of an authorizer check, which limits an expression to two checks. */
export const authorizationCost = 350_000;
