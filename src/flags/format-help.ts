import type { Flag, FlagTable } from './flag-table.ts';

/** What is said about a program besides its flags. */
export interface Program<T extends FlagTable = FlagTable> {
  readonly name: string;
  /** What it does, in one sentence. */
  readonly description: string;
  readonly flags: T;
}

const lineWidth = 100;
const indent = 6;

/** The text of `--help`: flags by section, each with its default. */
export function formatHelp({ name, description, flags }: Program): string {
  const rows = Object.entries(flags);
  const sections = [...new Set(rows.map(([, { section }]) => section))];
  const lines = sections.flatMap((title) => [
    '',
    `${title} flags:`,
    ...rows.filter(([, { section }]) => section === title).flatMap(([flag, row]) => formatFlag(flag, row)),
  ]);
  return `${[description, '', `Usage: ${name} [flags]`, ...lines].join('\n')}\n`;
}

function formatFlag(name: string, { type, default: initial, required, help, deprecated }: Flag): string[] {
  const notes = [
    required ? ' (required)' : '',
    initial === undefined ? '' : ` (default ${type.format(initial) || 'none'})`,
    deprecated === undefined ? '' : ` (DEPRECATED: ${deprecated})`,
  ];
  return [
    `  --${name}${type.placeholder === undefined ? '[=false]' : ` <${type.placeholder}>`}`,
    ...wrapped(help + notes.join('')),
  ];
}

function wrapped(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= lineWidth) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`${' '.repeat(indent)}${word}`);
  }
  return lines;
}
