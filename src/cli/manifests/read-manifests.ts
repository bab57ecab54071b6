import { isUtf8 } from 'node:buffer';
import { performance } from 'node:perf_hooks';
import { yieldIfLong } from '../../async/yield-if-long.ts';
import { decodeJson } from '../../codec/decode-json.ts';
import { decodePlainYaml } from '../../codec/plain-yaml.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import { CliError } from '../cli-error.ts';
import type { CliIo } from '../cli-io.ts';
import { type ManifestFile, type ManifestPlaces, readManifestFiles } from './manifest-files.ts';
import { type ManifestDocument, splitDocuments } from './split-documents.ts';
import { splitJson } from './split-json.ts';

/** As large as a body that the server takes; a file may have any number of documents. */
const documentLimitBytes = 3 * 1024 * 1024;

/** An object from a file, with its location for messages. */
export interface Manifest {
  readonly object: JsonObject & { readonly apiVersion: string; readonly kind: string };
  readonly where: string;
  /** The name of the file. */
  readonly file: string;
}

/** The parts of a manifest that say where it is. */
type DocumentPlace = Pick<Manifest, 'where' | 'file'>;

/**
 * Reads the objects of YAML or JSON files in order. Documents are separated by `---`, empty ones
 * are skipped, JSON objects may follow each other, and a `List` is replaced by its items.
 */
export async function readManifests(places: ManifestPlaces | readonly string[], io: CliIo): Promise<Manifest[]> {
  const files = await readManifestFiles('filename' in places ? places : { filename: places }, io);
  const manifests: Manifest[] = [];
  for (const file of files) for (const manifest of await parseManifests(file, io.signal)) manifests.push(manifest);
  if (manifests.length === 0) throw new CliError('no objects passed to the command', { hint: 'is the file empty?' });
  return manifests;
}

/** The objects of a file that was read, in order. Rejects once `signal` aborts. */
export async function parseManifests({ name, bytes }: ManifestFile, signal?: AbortSignal): Promise<Manifest[]> {
  if (!isUtf8(bytes)) throw new CliError(`${name} is not UTF-8 text`);
  const documents = splitDocuments(bytes.toString('utf8').replace(/^\ufeff/, '')).flatMap(splitJson);
  const manifests: Manifest[] = [];
  let startMs = performance.now();
  for (const document of documents) {
    const place = { where: `${name} (line ${document.line})`, file: name };
    for (const manifest of objectsIn(await readDocument(document, place), place)) manifests.push(manifest);
    const turn = yieldIfLong(startMs);
    if (!turn) continue;
    await turn;
    signal?.throwIfAborted();
    startMs = performance.now();
  }
  return manifests;
}

async function readDocument(document: ManifestDocument, place: DocumentPlace): Promise<JsonValue> {
  if (Buffer.byteLength(document.text) > documentLimitBytes) {
    throw new CliError(`${place.where}: a document must have at most ${documentLimitBytes} bytes`);
  }
  return readJson(document.text) ?? decodePlainYaml(document.text)?.value ?? (await readAnyYaml(document, place));
}

/** Parses JSON; undefined for other text. */
function readJson(text: string): JsonValue | undefined {
  const trimmed = text.trim();
  if (!trimmed.startsWith('{')) return undefined;
  try {
    const { value, duplicateFields } = decodeJson(Buffer.from(trimmed), { duplicates: true });
    return duplicateFields.length > 0 ? undefined : value;
  } catch {
    return undefined;
  }
}

/** Reads a document with the complete reader, which is large, and needed for few files. */
async function readAnyYaml({ text, line }: ManifestDocument, { where, file }: DocumentPlace): Promise<JsonValue> {
  const { decodeYaml } = await import('../../codec/decode-yaml.ts');
  try {
    const { value, duplicateFields } = decodeYaml(Buffer.from(text), documentLimitBytes);
    if (duplicateFields.length === 0) return value;
    throw new CliError(`${where}: ${duplicateFields.join(', ')} is set twice`);
  } catch (cause) {
    if (cause instanceof CliError) throw cause;
    const message = cause instanceof Error ? cause.message : String(cause);
    const located = withLineOfFile(message, line);
    throw new CliError(located === message ? `${where}: ${message}` : `error parsing ${file}: ${located}`, { cause });
  }
}

/** The message with the line of the file instead of the line of the document. */
function withLineOfFile(message: string, firstLine: number): string {
  return message.replace(/\bline (\d+):/, (_, line) => `line ${Number(line) + firstLine - 1}:`);
}

function objectsIn(value: JsonValue, { where, file }: DocumentPlace): Manifest[] {
  if (value === null) return [];
  if (!isJsonObject(value)) throw new CliError(`${where}: an object was expected`);
  const { apiVersion, kind, items } = value;
  if (typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items)) {
    const types: JsonObject = kind === 'List' ? {} : { apiVersion: apiVersion ?? null, kind: kind.slice(0, -4) };
    return items.flatMap((item, index) =>
      objectsIn(isJsonObject(item) ? { ...types, ...item } : item, { where: `${where} item ${index}`, file }),
    );
  }
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') {
    throw new CliError(`${where}: apiVersion and kind must be set`);
  }
  return [{ object: { ...value, apiVersion, kind }, where, file }];
}
