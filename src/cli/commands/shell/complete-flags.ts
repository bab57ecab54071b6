import type { Flag, FlagTable } from '../../../flags/flag-table.ts';
import { type Completions, type CompletionScope, files, fit, nothing, valueCompletions } from './completions.ts';

function rowOf(table: FlagTable, arg: string): readonly [name: string, flag: Flag] | undefined {
  const isLong = arg.startsWith('--');
  return Object.entries(table).find(([name, { short }]) =>
    isLong ? arg === `--${name}` : short !== undefined && arg.startsWith('-') && arg.endsWith(short) && arg.length > 1,
  );
}

/** Reports whether the next word is the value of a flag. */
export function takesValue(table: FlagTable, arg: string): boolean {
  if (!arg.startsWith('-') || arg === '--' || arg.includes('=')) return false;
  const [, flag] = rowOf(table, arg) ?? [];
  return flag !== undefined && flag.type.placeholder !== undefined && flag.bare === undefined;
}

/** The flags that begin with a text. */
export function flagCompletions(table: FlagTable, current: string): Completions {
  const rows = Object.entries(table).filter(([name, { short }]) => name !== short);
  return fit(
    rows.map(([name, { help }]) => ({ text: `--${name}`, help })).filter(({ text }) => text.startsWith(current)),
  );
}

const formats = ['json', 'yaml', 'kyaml', 'name', 'wide', 'jsonpath=', 'go-template=', 'custom-columns='];

const fileWords: ReadonlySet<string> = new Set(['file', 'folder', 'path']);

/** The values of a flag; `prefix` is the part of the word before the value. */
export async function flagValue(
  table: FlagTable,
  arg: string,
  scope: CompletionScope & { readonly prefix: string },
): Promise<Completions> {
  const [name, flag] = rowOf(table, arg) ?? [];
  if (name === undefined || flag === undefined) return nothing;
  const { type } = flag;
  const found = type.words ?? (name === 'output' ? formats : undefined);
  const completions = found ? fit(found.map((text) => ({ text }))) : await valueCompletions(name, scope);
  if (!completions) return fileWords.has(type.placeholder ?? '') ? files : nothing;
  const { items } = completions;
  return fit(
    items
      .filter(({ text }) => text.startsWith(scope.current))
      .map((item) => ({ ...item, text: scope.prefix + item.text })),
  );
}
