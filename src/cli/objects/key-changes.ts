import { CliError } from '../cli-error.ts';

/** Words of a command line, parted into what they name and what they change. */
export interface KeyChanges {
  readonly words: readonly string[];
  readonly set: ReadonlyMap<string, string>;
  readonly remove: readonly string[];
}

/**
 * Parts words such as `pods a tier=web old-`: `KEY=VALUE` sets, `KEY-` removes, and the others come
 * first. Throws `CliError` for a key that is set and removed.
 */
export function readKeyChanges(words: readonly string[]): KeyChanges {
  const first = words.findIndex((word) => word.includes('=') || (word.endsWith('-') && word.length > 1));
  const named = first < 0 ? words : words.slice(0, first);
  const set = new Map<string, string>();
  const remove: string[] = [];
  for (const word of first < 0 ? [] : words.slice(first)) {
    const at = word.indexOf('=');
    if (at > 0) set.set(word.slice(0, at), word.slice(at + 1));
    else if (at < 0 && word.endsWith('-')) remove.push(word.slice(0, -1));
    else throw new CliError(`unexpected argument: ${word}`, { hint: 'KEY=VALUE sets, KEY- removes' });
  }
  const both = remove.find((key) => set.has(key));
  if (both !== undefined) throw new CliError(`cannot modify and remove the same key: ${both}`);
  return { words: named, set, remove };
}
