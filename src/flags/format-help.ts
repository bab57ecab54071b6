import { defaultOf, type Flag, type SectionedFlags } from './flag-table.ts';

/** The name, description and flags of a program. */
export interface Program<T extends SectionedFlags = SectionedFlags> {
  readonly name: string;
  /** The purpose of the program, in one sentence. */
  readonly description: string;
  readonly flags: T;
}

const lineWidth = 100;
const indent = 6;

/** Formats the text of `--help`: flags by section, with defaults. */
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

function formatFlag(name: string, flag: Flag): string[] {
  const { type, required, help, deprecated, noEffect, refused, removed } = flag;
  const initial = defaultOf(flag);
  const notes = [
    required ? ' (required)' : '',
    initial === undefined ? '' : ` (default ${type.format(initial) || 'none'})`,
    deprecated === undefined ? '' : ` (DEPRECATED: ${deprecated})`,
    noEffect === undefined ? '' : ` (no effect: ${noEffect})`,
    refused === undefined ? '' : ` (not supported: ${refused})`,
    removed === undefined ? '' : ` (removed in release ${removed})`,
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
