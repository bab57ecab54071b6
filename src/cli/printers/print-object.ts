import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseApiVersion } from '../../meta/group-version-kind.ts';
import { isJsonObject, type JsonObject } from '../../meta/json-value.ts';
import { nameOf } from '../../meta/object-meta.ts';
import { stringAt } from '../../meta/read-field.ts';
import { CliError } from '../cli-error.ts';
import type { CliIo } from '../cli-io.ts';

/** The values of `printFlags` and of `-o`. */
export interface PrintOptions {
  /** `json`, `yaml`, `name`, `jsonpath=TEMPLATE`, ... */
  readonly output: string | undefined;
  /** The template of an `-o` that has none. */
  readonly template?: string | undefined;
  readonly allowMissingTemplateKeys?: boolean;
  readonly showManagedFields?: boolean;
}

/** Formats an object or a list; it knows which objects it has formatted before. */
export type ObjectPrinter = (object: JsonObject) => string;

/** An `-o` with its template, or the name of a file with it. */
interface OutputFormat {
  readonly format: string;
  readonly argument: string;
}

/** Reads `-o`, and `--template`, which may stand for both. */
export function readOutput({ output, template }: Pick<PrintOptions, 'output' | 'template'>): OutputFormat {
  const text = output ?? (template === undefined ? '' : 'go-template');
  const at = text.indexOf('=');
  const format = at < 0 ? text : text.slice(0, at);
  return { format: aliases[format] ?? format, argument: at < 0 ? (template ?? '') : text.slice(at + 1) };
}

const aliases: Readonly<Record<string, string>> = { template: 'go-template', templatefile: 'go-template-file' };

/**
 * Loads the printer of a format. Throws CliError, which names the `others` of the command too, if
 * there is no such format, and if its template is wrong.
 */
export async function objectPrinter(
  options: PrintOptions,
  io: Pick<CliIo, 'directory'>,
  others: readonly string[] = [],
): Promise<ObjectPrinter> {
  const { format, argument } = readOutput(options);
  const load = Object.hasOwn(loaders, format) ? loaders[format] : undefined;
  if (!load) throw unknownFormat(format, [...Object.keys(loaders), ...Object.keys(aliases), ...others]);
  const { print, hasManagers = false } = await load(argument, options, io);
  return hasManagers && !options.showManagedFields ? (object) => print(withoutManagers(object)) : print;
}

function unknownFormat(format: string, formats: readonly string[]): CliError {
  const allowed = formats.toSorted().join(',');
  return new CliError(
    `unable to match a printer suitable for the output format "${format}", allowed formats are: ${allowed}`,
  );
}

interface LoadedPrinter {
  readonly print: ObjectPrinter;
  /** True if the format shows managedFields, which are left out unless they are asked for. */
  readonly hasManagers?: boolean;
}

type PrinterLoader = (argument: string, options: PrintOptions, io: Pick<CliIo, 'directory'>) => Promise<LoadedPrinter>;

/** The formats; each loads only its own code. */
const loaders: Readonly<Record<string, PrinterLoader>> = {
  json: async () => ({ print: (await import('./json.ts')).printJson, hasManagers: true }),
  yaml: async () => {
    const { printYaml } = await import('./yaml.ts');
    let printed = 0;
    return { print: (object) => printYaml(object, printed++ > 0), hasManagers: true };
  },
  kyaml: async () => ({ print: (await import('./kyaml.ts')).printKyaml, hasManagers: true }),
  name: async () => ({
    print: (object) =>
      itemsOf(object)
        .map((item) => `${kindAndName(item)}\n`)
        .join(''),
  }),
  jsonpath: (argument, options) => jsonPathPrinter(argument, options),
  'jsonpath-file': async (argument, options, io) => jsonPathPrinter(await templateFile(argument, io), options),
  'jsonpath-as-json': async (argument, options) => {
    const { parseJsonPath } = await import('./parse-json-path.ts');
    const { pathResults } = await import('./json-path.ts');
    const { printJson } = await import('./json.ts');
    const parts = parseJsonPath(required(argument));
    return { print: (object) => printJson(pathResults(parts, object, rulesOf(options)).flat()) };
  },
  'go-template': (argument, options) => goTemplatePrinter(argument, options),
  'go-template-file': async (argument, options, io) => goTemplatePrinter(await templateFile(argument, io), options),
};

async function jsonPathPrinter(template: string, options: PrintOptions): Promise<LoadedPrinter> {
  const { parseJsonPath } = await import('./parse-json-path.ts');
  const { pathText } = await import('./json-path.ts');
  const parts = parseJsonPath(required(template));
  return { print: (object) => pathText(parts, object, rulesOf(options)) };
}

async function goTemplatePrinter(text: string, options: PrintOptions): Promise<LoadedPrinter> {
  const { parseTemplate } = await import('./parse-template.ts');
  const { executeTemplate } = await import('./go-template.ts');
  const template = parseTemplate(required(text));
  return { print: (object) => executeTemplate(template, object, rulesOf(options)) };
}

function rulesOf({ allowMissingTemplateKeys = true }: PrintOptions): { readonly allowMissing: boolean } {
  return { allowMissing: allowMissingTemplateKeys };
}

function required(template: string): string {
  if (template === '') throw new CliError('template format specified but no template given');
  return template;
}

/** Reads the file of a template. */
export async function templateFile(file: string, { directory }: Pick<CliIo, 'directory'>): Promise<string> {
  try {
    return await readFile(resolve(directory, required(file)), 'utf8');
  } catch (cause) {
    if (cause instanceof CliError) throw cause;
    throw new CliError(`error reading --template ${file}, ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
}

/** The items of a list, or the object alone. */
export function itemsOf(object: JsonObject): JsonObject[] {
  return Array.isArray(object.items) && stringAt(object, 'kind').endsWith('List')
    ? object.items.filter(isJsonObject)
    : [object];
}

function withoutManagers(object: JsonObject): JsonObject {
  if (Array.isArray(object.items)) {
    return { ...object, items: object.items.map((item) => (isJsonObject(item) ? withoutManagers(item) : item)) };
  }
  if (!isJsonObject(object.metadata) || !('managedFields' in object.metadata)) return object;
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** The name of an object by its kind, as other commands accept it: `pod/a`, `deployment.apps/b`. */
export function kindAndName(object: JsonObject): string {
  const group = parseApiVersion(stringAt(object, 'apiVersion'))?.group ?? '';
  return `${stringAt(object, 'kind').toLowerCase()}${group && `.${group}`}/${nameOf(object)}`;
}
