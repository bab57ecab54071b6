import { boolean, repeated, text } from '../flags/flag-types.ts';

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

/** `-k`. */
export const kustomize = {
  type: text('folder'),
  short: 'k',
  default: undefined,
  section,
  help: 'what the program kustomize builds from a folder',
} as const;

/** `-l`. */
export const selector = {
  type: text('selector'),
  short: 'l',
  default: undefined,
  section,
  help: 'only objects with these labels: app=web,tier in (a, b),!old',
} as const;

/** `--field-selector`. */
export const fieldSelector = {
  flag: 'field-selector',
  type: text('selector'),
  default: undefined,
  section,
  help: 'only objects with these fields: metadata.name=a,status.phase!=Running',
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

/** `-o` of commands that print objects, and the flags of its formats. */
export const printFlags = {
  output: {
    type: text('format'),
    short: 'o',
    default: undefined,
    section,
    help: 'json, yaml, kyaml, name, or jsonpath=, jsonpath-as-json=, jsonpath-file=, go-template=, go-template-file=',
  },
  template: { type: text('template'), default: undefined, section, help: 'template, or its file, of an -o without it' },
  allowMissingTemplateKeys: {
    flag: 'allow-missing-template-keys',
    type: boolean,
    default: true,
    section,
    help: 'what an object lacks is no error in a template',
  },
  showManagedFields: {
    flag: 'show-managed-fields',
    type: boolean,
    default: false,
    section,
    help: 'show metadata.managedFields in JSON and YAML',
  },
} as const;
