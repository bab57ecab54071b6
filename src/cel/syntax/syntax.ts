import type { MacroName } from './macros.ts';

/** The syntax that not all expressions may use. */
export interface Syntax {
  readonly macros: ReadonlySet<MacroName>;
  /** True if `a.?b`, `a[?b]` and `[?a]` are allowed. */
  readonly hasOptionals: boolean;
  /** True if fields may be quoted: a.`b-c`. */
  readonly hasQuotedNames: boolean;
}
