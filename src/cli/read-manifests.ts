import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { decodeYaml } from '../codec/decode-yaml.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../meta/json-value.ts';
import { CliError } from './cli-error.ts';
import type { CliIo } from './cli-io.ts';

/** As large as a body that the server takes; a file may have any number of documents. */
const documentLimitBytes = 3 * 1024 * 1024;

/** An object from a file, with its location for messages. */
export interface Manifest {
  readonly object: JsonObject & { readonly apiVersion: string; readonly kind: string };
  readonly where: string;
}

/**
 * Reads the objects of YAML or JSON files in order; `-` is standard input. Documents are
 * separated by `---`, empty ones are skipped, and a `List` is replaced by its items.
 */
export async function readManifests(files: readonly string[], io: CliIo): Promise<Manifest[]> {
  const manifests: Manifest[] = [];
  for (const file of files) {
    const bytes = file === '-' ? await buffer(io.stdin) : await read(resolve(io.directory, file), file);
    const documents = splitDocuments(bytes.toString('utf8'));
    for (const { text, line } of documents) manifests.push(...readDocument(text, `${file} (line ${line})`));
  }
  if (manifests.length === 0) throw new CliError('no objects were found', { hint: 'is the file empty?' });
  return manifests;
}

async function read(path: string, file: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    const what = readErrors[code] ?? `cannot be read (${code})`;
    throw new CliError(`${file} ${what}`, { hint: 'give -f a file, or - for standard input', cause });
  }
}

const readErrors: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EISDIR: 'is a directory',
  EACCES: 'may not be read',
};

/**
 * Splits at lines that begin with `---`, which always separate documents (YAML 1.2 section 9.1).
 */
function splitDocuments(text: string): { text: string; line: number }[] {
  const documents: { text: string; line: number }[] = [];
  let lines: string[] = [];
  let start = 1;
  const flush = () => {
    if (lines.some((line) => line.trim() !== '' && !line.trimStart().startsWith('#'))) {
      documents.push({ text: lines.join('\n'), line: start });
    }
  };
  for (const [index, line] of text.split('\n').entries()) {
    if (/^---(\s|$)/.test(line)) {
      flush();
      // The rest of the marker's line belongs to the document.
      lines = [line.slice(3)];
      start = index + 1;
    } else lines.push(line);
  }
  flush();
  return documents;
}

function readDocument(text: string, where: string): Manifest[] {
  let value: JsonValue;
  try {
    ({ value } = decodeYaml(Buffer.from(text), documentLimitBytes));
  } catch (cause) {
    throw new CliError(`${where}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
  if (value === null) return [];
  if (!isJsonObject(value)) throw new CliError(`${where}: an object was expected`);
  if (value.kind === 'List' && Array.isArray(value.items)) {
    return value.items.map((item, index) => toManifest(item, `${where} item ${index}`));
  }
  return [toManifest(value, where)];
}

function toManifest(value: JsonValue, where: string): Manifest {
  if (!isJsonObject(value)) throw new CliError(`${where}: an object was expected`);
  const { apiVersion, kind } = value;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') {
    throw new CliError(`${where}: apiVersion and kind must be set`);
  }
  return { object: { ...value, apiVersion, kind }, where };
}
