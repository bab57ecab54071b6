import { parentPort } from 'node:worker_threads';
import { decodeYaml } from './decode-yaml.ts';
import { JsonDecodeError } from './json-decode-error.ts';
import type { ParsedJson } from './parse-json.ts';

/** What the thread answers for one document: its value, or why it is refused. */
export type YamlAnswer = { readonly parsed: ParsedJson } | { readonly refusal: string };

function answerFor(bytes: Uint8Array): YamlAnswer {
  try {
    return { parsed: decodeYaml(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), bytes.length) };
  } catch (error) {
    if (error instanceof JsonDecodeError) return { refusal: error.message };
    throw error;
  }
}

// The entry point of a worker thread: one document in, one answer out.
parentPort?.on('message', (bytes: Uint8Array) => parentPort?.postMessage(answerFor(bytes), []));
