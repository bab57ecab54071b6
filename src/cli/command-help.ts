import { defaultOf, type Flag, flagName, type FlagTable, type SectionedFlags } from '../flags/flag-table.ts';
import { type Command, commandSections } from './command.ts';
import { globalFlags } from './global-flags.ts';

/** The width of help that is no terminal's, and the widest of one. */
const widest = 100;
/** In a narrower terminal, lines break at its edge. */
const narrowest = 40;

/** The width of help on a stream, at most the width of its terminal. */
export function helpWidth(stdout: object): number {
  const { isTTY, columns } = stdout as { readonly isTTY?: boolean; readonly columns?: number };
  return isTTY && columns ? Math.min(widest, Math.max(narrowest, columns)) : widest;
}

/** `cl --help`: all commands by section. The commands of a group (`auth can-i`) share a line. */
export function topHelp(commands: readonly Command[], width: number): string {
  const lines = commandSections.flatMap((section) => {
    const members = commands.filter((command) => command.section === section);
    const words = new Set(members.map(({ name }) => name.split(' ')[0] ?? ''));
    const rows = [...words].map((word) => [word, summaryOf(word, members)] as const);
    return rows.length === 0 ? [] : ['', `${section}:`, ...nameColumns(rows, width)];
  });
  return text([
    ...wrapped('Starts a control plane on this machine, and reads and writes objects of a control plane.', width),
    ...lines,
    '',
    'Examples:',
    ...['cl up', 'cl get namespaces', 'cl apply -f app.yaml', 'cl get pods -A -o yaml'].map((line) => `  ${line}`),
    '',
    'Usage: cl [flags] COMMAND [words and flags]',
    ...wrapped('"cl COMMAND --help" has examples and flags, "cl options" the flags of all commands.', width),
  ]);
}

/** The summary of a command, or the names of those in a group. */
function summaryOf(word: string, members: readonly Command[]): string {
  const own = members.find(({ name }) => name === word);
  if (own) return own.summary;
  const isMember = ({ name }: Command): boolean => name.startsWith(`${word} `);
  return members
    .filter(isMember)
    .map(({ name }) => name.slice(word.length + 1))
    .join(', ');
}

/** `cl auth --help`: the commands of a group. */
export function groupHelp(word: string, members: readonly Command[], width: number): string {
  const rows = members.map(({ name, summary }) => [name, summary] as const);
  return text([
    'Commands:',
    ...nameColumns(rows, width),
    '',
    ...wrapped(`Usage: cl ${word} COMMAND [words and flags]`, width),
  ]);
}

/** `cl get --help`. */
export function commandHelp(
  { name, aliases = [], summary, usage, examples }: Command,
  { flags, more = {} }: { readonly flags: FlagTable; readonly more?: SectionedFlags | undefined },
  width: number,
): string {
  const rows = flagRows(flags, width);
  const sections = [...new Set(Object.values(more).map(({ section }) => section))];
  return text([
    ...wrapped(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`, width),
    ...(aliases.length > 0 ? ['', `Aliases: ${aliases.join(', ')}`] : []),
    ...(examples.length > 0 ? ['', 'Examples:'] : []),
    ...examples.flatMap(([does, line]) => [`  # ${does}`, `  ${line}`]),
    ...(rows.length > 0 ? ['', 'Flags:', ...rows] : []),
    ...sections.flatMap((section) => ['', `${section}:`, ...flagRows(inOneSection(more, section), width)]),
    '',
    ...wrapped(`Usage: cl ${[name, usage].filter(Boolean).join(' ')} [flags]`, width),
    '"cl options" has the flags of all commands.',
  ]);
}

function inOneSection(flags: SectionedFlags, section: string): FlagTable {
  return Object.fromEntries(Object.entries(flags).filter(([, flag]) => flag.section === section));
}

/** `cl options`: the flags of all commands. */
export function globalHelp(width: number): string {
  return text(['The flags of all commands:', ...flagRows(globalFlags, width)]);
}

function flagRows(flags: FlagTable, width: number): string[] {
  const rows: [string, Flag][] = Object.entries(flags).map(([key, flag]) => [flagName(key, flag), flag]);
  return rows.flatMap(([name, flag]) => [`  ${spelling(name, flag)}`, ...wrapped(descriptionOf(flag), width, 6)]);
}

/** `-n, --namespace <name>`; a flag that is a letter has only the short form. */
function spelling(name: string, { short, type, bare }: Flag): string {
  const long = name === short ? [] : [`--${name}`];
  const value =
    type.placeholder === undefined ? '' : bare === undefined ? ` <${type.placeholder}>` : `[=<${type.placeholder}>]`;
  return [...(short === undefined ? [] : [`-${short}`]), ...long].join(', ') + value;
}

function descriptionOf(flag: Flag): string {
  const { type, help, deprecated } = flag;
  const initial = defaultOf(flag);
  const isTold = initial !== undefined && initial !== false && type.format(initial) !== '';
  return (
    help +
    (isTold ? ` (default ${type.format(initial)})` : '') +
    (deprecated === undefined ? '' : ` (DEPRECATED: ${deprecated})`)
  );
}

/** Rows of a name and a text. */
function nameColumns(rows: readonly (readonly [name: string, text: string])[], width: number): string[] {
  const nameWidth = Math.max(...rows.map(([name]) => name.length));
  return rows.flatMap(([name, words]) => {
    const [first = '', ...others] = wrapped(words, width, nameWidth + 5);
    return [`  ${name.padEnd(nameWidth)}   ${first.trimStart()}`, ...others];
  });
}

function wrapped(words: string, width: number, indent = 0): string[] {
  const lines: string[] = [];
  for (const word of words.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`${' '.repeat(indent)}${word}`);
  }
  return lines;
}

function text(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}
