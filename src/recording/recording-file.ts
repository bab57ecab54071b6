import { createReadStream } from 'node:fs';
import type { JsonCodec } from '../client/runtime-json.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../meta/json-value.ts';
import { changeTypes, type RecordedResource, type RecordingEntry } from './recording-entry.ts';

/** The `format` of the first line. */
const format = 'cluster-recording/1';

type StoreProblem = 'StoreNotEmpty' | 'StoreIncomplete';

/** A file that is no recording or snapshot, or that cannot be written where it should be. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError';
  /**
   * Set if the store has keys, into which no snapshot is restored, or only some of the snapshot.
   */
  readonly code: StoreProblem | undefined;

  constructor(message: string, options: ErrorOptions & { readonly code?: StoreProblem } = {}) {
    super(message, options);
    this.code = options.code;
  }
}

/** The first line of a recording. */
export function recordingHead(): string {
  return `${JSON.stringify({ format, time: new Date().toISOString() })}\n`;
}

/** The line of an entry. */
export function recordingLine(entry: RecordingEntry, codec: JsonCodec): string {
  return `${codec.stringify(entry)}\n`;
}

/**
 * Reads the entries of a file. Damaged lines are left out and reported with their numbers. Throws
 * RecordingError if the file is no recording, or the error of a file that cannot be read.
 */
export async function* readRecording(
  file: string,
  codec: JsonCodec,
  onProblem: (problem: string) => void,
): AsyncIterable<RecordingEntry> {
  let number = 0;
  for await (const line of linesOf(file)) {
    number++;
    if (number === 1) checkHead(file, line, codec);
    else if (line === undefined) onProblem(`line ${number} is too long`);
    else if (line.length > 0) {
      const entry = entryOf(parsed(line, codec));
      if (entry) yield entry;
      else onProblem(`line ${number} is damaged or cut off`);
    }
  }
  if (number === 0) throw new RecordingError(`${file} is empty`);
}

/** Throws RecordingError if a file does not begin with the first line of a recording. */
export async function checkRecording(file: string, codec: JsonCodec): Promise<void> {
  for await (const line of linesOf(file)) return checkHead(file, line, codec);
  throw new RecordingError(`${file} is empty`);
}

const lineFeed = 0x0a;

/** Many times the largest object of a server. A file of another kind may have no lines at all. */
const longestLine = 32 * 1024 * 1024;

/**
 * The lines of a file without their ends; undefined for each that is too long, before its end is
 * read, because it may have none.
 */
async function* linesOf(file: string): AsyncGenerator<Buffer | undefined> {
  let parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
      parts.push(chunk.subarray(start, end));
      if (size <= longestLine) yield Buffer.concat(parts);
      [parts, size] = [[], 0];
      start = end + 1;
    }
    const isLong = size > longestLine;
    size += chunk.length - start;
    if (size <= longestLine) parts.push(chunk.subarray(start));
    else parts = [];
    if (size > longestLine && !isLong) yield undefined;
  }
  if (size > 0 && size <= longestLine) yield Buffer.concat(parts);
}

function checkHead(file: string, line: Buffer | undefined, codec: JsonCodec): void {
  const head = line && parsed(line, codec);
  const found = isJsonObject(head) ? head['format'] : undefined;
  if (found !== format) throw new RecordingError(`${file} is no recording: its first line has no format "${format}"`);
}

function parsed(line: Buffer, codec: JsonCodec): JsonValue | undefined {
  try {
    // A codec returns what JSON can express.
    return codec.parse(line) as JsonValue;
  } catch {
    return undefined;
  }
}

/** The entry that a value is; undefined for any other value. */
function entryOf(value: JsonValue | undefined): RecordingEntry | undefined {
  if (!isJsonObject(value)) return undefined;
  const { type, atMs, resource, object } = value;
  const change = changeTypes.find((each) => each === type);
  if (!change || typeof atMs !== 'number' || !isJsonObject(object) || !isResource(resource)) return undefined;
  return isMetadata(object['metadata']) ? { type: change, atMs, resource, object } : undefined;
}

/** True if the members that a replay reads are of their types. */
function isMetadata(value: JsonValue | undefined): boolean {
  if (!isJsonObject(value)) return false;
  const { name, uid, namespace = '', ownerReferences = [] } = value;
  const isNamed = [name, uid, namespace].every((each) => typeof each === 'string') && name !== '';
  return isNamed && Array.isArray(ownerReferences) && ownerReferences.every(isJsonObject);
}

function isResource(value: JsonValue | undefined): value is JsonObject & RecordedResource {
  if (!isJsonObject(value)) return false;
  const { group, version, resource, namespaced } = value;
  return isPart(group) && isPart(version) && isPart(resource) && typeof namespaced === 'boolean';
}

/** True for a part of a path, which names of groups, versions and resources become. */
function isPart(text: JsonValue | undefined): boolean {
  return typeof text === 'string' && /^[a-z0-9.-]*$/.test(text);
}
