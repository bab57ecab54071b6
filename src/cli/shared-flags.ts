import { boolean, repeated, text, toggle } from '../flags/flag-types.ts';

/** `-f`, as often as needed. */
export const filename = {
  type: repeated(text('file')),
  short: 'f',
  default: [] as readonly string[],
  help: 'file, folder or URL with YAML or JSON; - is standard input; can be repeated',
} as const;

/** `-k`. */
export const kustomize = {
  type: text('folder'),
  short: 'k',
  help: 'what the program kustomize builds from a folder',
} as const;

/** `-l`. */
export const selector = {
  type: text('selector'),
  short: 'l',
  help: 'only objects with these labels: app=web,tier in (a, b),!old',
} as const;

/** `--field-selector`. */
export const fieldSelector = {
  type: text('selector'),
  help: 'only objects with these fields: metadata.name=a,status.phase!=Running',
} as const;

/** `-A`. */
export const allNamespaces = { type: toggle, short: 'A', help: 'objects of all namespaces' } as const;

/** `-o` of commands that print objects, and the flags of its formats. */
export const printFlags = {
  output: {
    type: text('format'),
    short: 'o',
    help: 'json, yaml, kyaml, name, or jsonpath=, jsonpath-as-json=, jsonpath-file=, go-template=, go-template-file=',
  },
  template: { type: text('template'), help: 'template, or its file, of an -o without it' },
  allowMissingTemplateKeys: { type: boolean, default: true, help: 'what an object lacks is no error in a template' },
  showManagedFields: { type: toggle, help: 'show metadata.managedFields in JSON and YAML' },
} as const;
