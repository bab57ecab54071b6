import { parentPort } from 'node:worker_threads';
import * as library from 'yaml';
import { decodeJson } from './decode-json.ts';
import { decodeYaml } from './decode-yaml.ts';
import { JsonDecodeError } from './decode-error.ts';
import type { ParsedJson } from './parse-json.ts';
import { writeYaml } from './write-yaml.ts';

/** The kinds of work of the thread, and their results. */
export interface YamlResults {
  /** The value of a YAML document. */
  readonly read: ParsedJson;
  /** The YAML of a JSON document. */
  readonly write: Uint8Array;
}

/** A message to the thread: a document, and the work on it. */
export interface YamlTask {
  readonly work: keyof YamlResults;
  readonly bytes: Uint8Array;
}

/** The message of the thread for one task: the result, or the reason for refusing the document. */
export type YamlAnswer =
  | { readonly result: YamlResults[keyof YamlResults]; readonly refusal?: undefined }
  | { readonly refusal: string };

const works: { readonly [Work in keyof YamlResults]: (bytes: Buffer) => YamlResults[Work] } = {
  read: (bytes) => decodeYaml(bytes, bytes.length),
  write: (bytes) => Buffer.from(writeYaml(decodeJson(bytes, { duplicates: false }).value, library)),
};

function answerFor({ work, bytes }: YamlTask): YamlAnswer {
  try {
    return { result: works[work](Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)) };
  } catch (error) {
    if (error instanceof JsonDecodeError) return { refusal: error.message };
    throw error;
  }
}

// Entry point of the worker thread: each message is a task and gets one answer.
parentPort?.on('message', (task: YamlTask) => parentPort?.postMessage(answerFor(task), []));
