import { boolean, choice, repeated, text } from '../flags/flag-types.ts';

/** The section of the flags of a command, whose help has no others. */
export const section = 'Command';

/** `-f`, as often as needed. */
export const filename = {
  type: repeated(text('file')),
  short: 'f',
  default: [] as readonly string[],
  section,
  help: 'file, folder or URL with YAML or JSON; - is standard input; can be repeated',
} as const;

/** `-l`. */
export const selector = {
  type: text('selector'),
  short: 'l',
  default: undefined,
  section,
  help: 'only objects with these labels: app=web,tier in (a, b),!old',
} as const;

/** `-A`. */
export const allNamespaces = {
  flag: 'all-namespaces',
  type: boolean,
  short: 'A',
  default: false,
  section,
  help: 'objects of all namespaces',
} as const;

/** `-o` of commands that print what they wrote. */
export const writtenOutput = {
  type: choice('format', ['json', 'yaml', 'name']),
  short: 'o',
  default: undefined,
  section,
  help: 'how to print each object: json, yaml or name',
} as const;
