/** The cost of the work on one character. */
export const perCharacter = 0.1;

/** The cost of one character of a pattern. */
export const perPatternCharacter = 0.25;
