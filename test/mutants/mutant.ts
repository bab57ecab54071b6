/** One small change of the compiled program, and the tests that should notice it. */
export interface Mutant {
  readonly name: string;
  /** Below `dist/`. */
  readonly file: string;
  /** Occurs in the file, at `at` where it occurs more than once. */
  readonly from: string;
  readonly to: string;
  /** Where `from` begins; the only place by default. */
  readonly at?: number;
  /** Below `dist/test/`, in the order in which they run. */
  readonly tests: readonly string[];
}

/** The text of a file with the mutant in it. Throws where the mutant no longer fits the program. */
export function withMutant(text: string, { name, file, from, to, at = text.indexOf(from) }: Mutant): string {
  const fits = text.startsWith(from, at) && at >= 0;
  if (!fits) throw new Error(`${name}: ${file} no longer has ${JSON.stringify(from)}`);
  return text.slice(0, at) + to + text.slice(at + from.length);
}
