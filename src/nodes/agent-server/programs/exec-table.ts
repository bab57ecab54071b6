import { JsonDecodeError } from '../../../codec/decode-error.ts';
import { decodeJsonBody, decodeYamlBody } from '../../../codec/decode-large.ts';
import { openBracket } from '../../../json/json-cursor.ts';
import { isJsonObject, type JsonValue } from '../../../meta/json-value.ts';
import { compileLinearRegex, type LinearRegex } from '../../../meta/linear-regex.ts';

/** A command and its answer, from the annotation `exec` of a pod. */
interface ExecRow {
  /** Matches the words of the command, joined with blanks. */
  readonly matches: (line: string) => boolean;
  /** Only in this container, if it is given. */
  readonly container: string | undefined;
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** The rows of an annotation, or the sentence that says why it cannot be read. */
type ExecTable = { readonly rows: readonly ExecRow[] } | { readonly problem: string };

/** The tables that are kept. An annotation has at most 256 KiB. */
const keptTables = 32;

/** The tables of the last texts, which pods of a workload share; the oldest is forgotten first. */
const tables = new Map<string, Promise<ExecTable>>();

/**
 * Reads the annotation `exec`, a list in YAML or JSON, once for all calls with this text. Each item
 * has `command` (a text or a list of words) or `pattern` (a regular expression that matches the
 * whole command), and may have `container`, `stdout`, `stderr` and `exitCode`. Large texts are read
 * in a thread, in which `client` has its share. Rejects if that has no room.
 */
export function readExecTable(text: string, client: string): Promise<ExecTable> {
  const known = tables.get(text);
  if (known) return known;
  const [oldest] = tables.keys();
  if (tables.size >= keptTables && oldest !== undefined) tables.delete(oldest);
  const table = parseTable(text, client);
  tables.set(text, table);
  table.catch(() => tables.delete(text));
  return table;
}

async function parseTable(text: string, client: string): Promise<ExecTable> {
  if (text.trim() === '') return { rows: [] };
  try {
    const list = await decoded(Buffer.from(text.trim()), client);
    if (!Array.isArray(list)) return { problem: 'it must be a list of commands' };
    return { rows: list.map(rowOf) };
  } catch (error) {
    if (error instanceof JsonDecodeError || error instanceof TableError) return { problem: error.message };
    throw error;
  }
}

/** JSON is valid YAML, and is read a hundred times as fast. */
async function decoded(bytes: Buffer, client: string): Promise<JsonValue> {
  if (bytes[0] === openBracket) {
    try {
      return (await decodeJsonBody(bytes, false)).value;
    } catch (error) {
      if (!(error instanceof JsonDecodeError)) throw error;
    }
  }
  return (await decodeYamlBody(bytes, client)).value;
}

/** A row that is wrong. */
class TableError extends Error {}

const fields: ReadonlySet<string> = new Set(['command', 'pattern', 'container', 'stdout', 'stderr', 'exitCode']);

function rowOf(item: JsonValue, index: number): ExecRow {
  const at = `[${index}]`;
  if (!isJsonObject(item)) throw new TableError(`${at} must be an object with "command" or "pattern"`);
  const unknown = Object.keys(item).find((field) => !fields.has(field));
  if (unknown !== undefined)
    throw new TableError(`${at}.${unknown.slice(0, 50)} is unknown: use ${[...fields].join(', ')}`);
  const { exitCode = 0 } = item;
  if (typeof exitCode !== 'number' || !Number.isInteger(exitCode) || exitCode < 0 || exitCode > 255) {
    throw new TableError(`${at}.exitCode must be a number from 0 to 255`);
  }
  return {
    matches: matcherOf(item.command, item.pattern, at),
    container: textOf(item.container, `${at}.container`),
    stdout: textOf(item.stdout, `${at}.stdout`) ?? '',
    stderr: textOf(item.stderr, `${at}.stderr`) ?? '',
    exitCode,
  };
}

function matcherOf(command: JsonValue | undefined, pattern: JsonValue | undefined, at: string): ExecRow['matches'] {
  if ((command === undefined) === (pattern === undefined)) {
    throw new TableError(`${at} must have either "command" or "pattern"`);
  }
  if (command !== undefined) {
    const line = Array.isArray(command) ? command.map(String).join(' ') : textOf(command, `${at}.command`);
    return (given) => given === line;
  }
  const regex = compiled(textOf(pattern, `${at}.pattern`) ?? '', at);
  return (given) => regex.matches(given);
}

function compiled(pattern: string, at: string): LinearRegex {
  try {
    return compileLinearRegex(pattern);
  } catch {
    throw new TableError(`${at}.pattern is not a regular expression`);
  }
}

function textOf(value: JsonValue | undefined, field: string): string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  throw new TableError(`${field} must be a text`);
}
