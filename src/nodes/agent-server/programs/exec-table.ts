import { isJsonObject, type JsonValue } from '../../../meta/json-value.ts';
import { compileLinearRegex, type LinearRegex } from '../../../meta/linear-regex.ts';
import { lateModule } from '../../../package/late-module.ts';

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

const loadYaml = lateModule(() => import('../../../codec/decode-yaml.ts'));

/**
 * Reads the annotation `exec`, a list in YAML or JSON. Each item has `command` (a text or a list of
 * words) or `pattern` (a regular expression that matches the whole command), and may have
 * `container`, `stdout`, `stderr` and `exitCode`.
 */
export async function readExecTable(text: string): Promise<ExecTable> {
  if (text.trim() === '') return { rows: [] };
  try {
    const { decodeYaml } = await loadYaml();
    const { value: list } = decodeYaml(Buffer.from(text));
    if (!Array.isArray(list)) return { problem: 'it must be a list of commands' };
    return { rows: list.map(rowOf) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

const fields: ReadonlySet<string> = new Set(['command', 'pattern', 'container', 'stdout', 'stderr', 'exitCode']);

function rowOf(item: JsonValue, index: number): ExecRow {
  const at = `[${index}]`;
  if (!isJsonObject(item)) throw new Error(`${at} must be an object with "command" or "pattern"`);
  const unknown = Object.keys(item).find((field) => !fields.has(field));
  if (unknown !== undefined) throw new Error(`${at}.${unknown.slice(0, 50)} is unknown: use ${[...fields].join(', ')}`);
  const { exitCode = 0 } = item;
  if (typeof exitCode !== 'number' || !Number.isInteger(exitCode) || exitCode < 0 || exitCode > 255) {
    throw new Error(`${at}.exitCode must be a number from 0 to 255`);
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
    throw new Error(`${at} must have either "command" or "pattern"`);
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
    throw new Error(`${at}.pattern is not a regular expression`);
  }
}

function textOf(value: JsonValue | undefined, field: string): string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  throw new Error(`${field} must be a text`);
}
