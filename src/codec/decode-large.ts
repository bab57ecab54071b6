import { performance } from 'node:perf_hooks';
import { yieldIfLong } from '../async/yield-if-long.ts';
import type { MaybePromise } from '../async/maybe-promise.ts';
import { openBrace } from '../json/json-cursor.ts';
import type { JsonValue } from '../meta/json-value.ts';
import { lazyModule } from '../package/lazy-module.ts';
import { checkJson, decodeJson, parseChecked } from './decode-json.ts';
import { JsonDecodeError } from './decode-error.ts';
import type { ParsedJson } from './parse-json.ts';
import { checkValuesInJson, countValues, tooManyValues, valueLimit } from './value-limit.ts';
import { YamlWorker } from './yaml-worker.ts';

/**
 * The size of JSON documents that are parsed in one turn of the event loop, in some milliseconds.
 */
const oneTurnJsonBytes = 256 * 1024;

/**
 * The size of YAML documents that are parsed in the event loop, in some 20 ms. Larger documents are
 * parsed in a thread.
 */
const oneTurnYamlBytes = 16 * 1024;

/** The size of documents that take half a second, so that no smaller one waits for them. */
const slowBytes = 256 * 1024;

/**
 * The YAML threads of the process. Each starts with its first document, and its only state is the
 * queue of documents, which users share.
 */
const [worker, slowWorker] = [new YamlWorker(), new YamlWorker()];

/** Returns the thread for a document of a size. */
export function yamlWorkerFor(size: number): YamlWorker {
  return size > slowBytes ? slowWorker : worker;
}

/**
 * Parses JSON as `decodeJson` does; a large document takes several turns of the event loop. Throws
 * `JsonDecodeError`, and 413 for too many values.
 */
export function decodeJsonBody(bytes: Buffer, duplicates: boolean): ParsedJson | Promise<ParsedJson> {
  if (bytes.length > oneTurnJsonBytes) return decodeYielding(bytes, duplicates);
  const checked = checkJson(bytes, duplicates);
  checkValuesInJson(bytes);
  return parseChecked(checked);
}

/**
 * Parses the JSON of another server, which is not limited in its values, as `decodeJson` does; a
 * large document takes several turns of the event loop. Throws `JsonDecodeError`.
 */
export function decodeJsonAnswer(bytes: Buffer): MaybePromise<JsonValue> {
  if (bytes.length <= oneTurnJsonBytes) return decodeJson(bytes, { duplicates: false }).value;
  return decodeYielding(bytes, false, () => undefined).then(({ value }) => value);
}

async function decodeYielding(
  bytes: Buffer,
  duplicates: boolean,
  check: (bytes: Buffer) => void = checkValuesInJson,
): Promise<ParsedJson> {
  const start = performance.now();
  const checked = checkJson(bytes, duplicates);
  // After the depth check of `checkJson`: a document that is too deep is an error of any size.
  check(bytes);
  await yieldIfLong(start);
  const parsing = performance.now();
  const parsed = parseChecked(checked);
  await yieldIfLong(parsing);
  return parsed;
}

/**
 * Parses YAML as `decodeYaml` does; a large document that is not JSON is parsed in a thread. Throws
 * as `YamlWorker.decode` does, and 413 for too many values.
 */
export function decodeYamlBody(bytes: Buffer, client: string): ParsedJson | Promise<ParsedJson> {
  if (bytes.length <= oneTurnYamlBytes) return decodeYaml?.(bytes) ?? loadAndDecode(bytes);
  return bytes[0] === openBrace ? decodeJsonOrYaml(bytes, client) : readInThread(bytes, client);
}

/** Loads the YAML parser on first use, because the library of YAML takes 3 MB. */
const loadParser = lazyModule(() => import('./decode-yaml.ts'));
let decodeYaml: ((bytes: Buffer) => ParsedJson) | undefined;

async function loadAndDecode(bytes: Buffer): Promise<ParsedJson> {
  const parser = await loadParser();
  decodeYaml = parser.decodeYaml;
  return parser.decodeYaml(bytes);
}

/**
 * Parses a document as JSON, and as YAML if that fails. Most documents sent as YAML are JSON
 * written by programs.
 */
async function decodeJsonOrYaml(bytes: Buffer, client: string): Promise<ParsedJson> {
  try {
    return await decodeJsonBody(bytes, true);
  } catch (error) {
    if (error instanceof JsonDecodeError) return readInThread(bytes, client);
    throw error;
  }
}

async function readInThread(bytes: Buffer, client: string): Promise<ParsedJson> {
  const parsed = await yamlWorkerFor(bytes.length).decode(bytes, client);
  if (countValues(parsed.value, valueLimit) > valueLimit) throw tooManyValues();
  return parsed;
}
