import { performance } from 'node:perf_hooks';
import { restAfter } from '../async/next-turn.ts';
import { checkJson, parseChecked } from './decode-json.ts';
import { decodeYaml } from './decode-yaml.ts';
import { JsonDecodeError } from './json-decode-error.ts';
import type { ParsedJson } from './parse-json.ts';
import { checkValuesInJson, countValues, tooManyValues, valueLimit } from './value-limit.ts';
import { YamlWorker } from './yaml-worker.ts';

/** JSON up to this size is read in one turn of the event loop, in some milliseconds. */
const oneTurnJsonBytes = 256 * 1024;

/** YAML up to this size is read in the event loop, which takes some 20 ms; larger documents go to a thread. */
const oneTurnYamlBytes = 16 * 1024;

/** One thread for the process: it holds no state but the documents that wait. It starts with the first large document. */
const worker = new YamlWorker();

/** `decodeJson`, in several turns of the event loop where the document is large. Throws 413 for too many values. */
export function decodeJsonBody(bytes: Buffer, duplicates: boolean): ParsedJson | Promise<ParsedJson> {
  if (bytes.length > oneTurnJsonBytes) return decodeInTurns(bytes, duplicates);
  const checked = checkJson(bytes, duplicates);
  checkValuesInJson(bytes);
  return parseChecked(checked);
}

async function decodeInTurns(bytes: Buffer, duplicates: boolean): Promise<ParsedJson> {
  const start = performance.now();
  const checked = checkJson(bytes, duplicates);
  // After the depth, which is wrong whatever the size.
  checkValuesInJson(bytes);
  await restAfter(start);
  const parsing = performance.now();
  const parsed = parseChecked(checked);
  await restAfter(parsing);
  return parsed;
}

/** `decodeYaml`, in a thread where the document is large and no JSON. Throws 413 for too many values. */
export function decodeYamlBody(bytes: Buffer): ParsedJson | Promise<ParsedJson> {
  if (bytes.length <= oneTurnYamlBytes) return decodeYaml(bytes);
  return bytes[0] === openBrace ? decodeJsonOrYaml(bytes) : readInThread(bytes);
}

const openBrace = 0x7b;

/** Most documents that come as YAML are JSON, which programs write. */
async function decodeJsonOrYaml(bytes: Buffer): Promise<ParsedJson> {
  try {
    return await decodeJsonBody(bytes, true);
  } catch (error) {
    if (error instanceof JsonDecodeError) return readInThread(bytes);
    throw error;
  }
}

async function readInThread(bytes: Buffer): Promise<ParsedJson> {
  const parsed = await worker.decode(bytes);
  if (countValues(parsed.value, valueLimit) > valueLimit) throw tooManyValues();
  return parsed;
}
