import { parentPort } from 'node:worker_threads';
import { decodeYaml } from './decode-yaml.ts';
import { JsonDecodeError } from './decode-error.ts';
import type { ParsedJson } from './parse-json.ts';

/** The message of the thread for one document: its value, or the reason for refusing it. */
export type YamlAnswer = { readonly parsed: ParsedJson } | { readonly refusal: string };

function answerFor(bytes: Uint8Array): YamlAnswer {
  try {
    return { parsed: decodeYaml(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), bytes.length) };
  } catch (error) {
    if (error instanceof JsonDecodeError) return { refusal: error.message };
    throw error;
  }
}

// Entry point of the worker thread: each message is a document and gets one answer.
parentPort?.on('message', (bytes: Uint8Array) => parentPort?.postMessage(answerFor(bytes), []));
