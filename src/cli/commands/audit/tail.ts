import { access, readdir } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../meta/json-value.ts';
import { objectAt, stringAt } from '../../../meta/read-field.ts';
import { CliError } from '../../cli-error.ts';
import type { CliIo } from '../../cli-io.ts';
import type { Invocation } from '../../command.ts';
import { columnWidths, formatRows, visibleText } from '../../format-rows.ts';
import { dataDirOf } from '../../up/known-planes.ts';
import { findRun } from '../../up/run-record.ts';
import { auditFilter, codeOf } from './audit-filter.ts';
import type { auditTailFlags } from './flags.ts';
import { type GrowingFile, openGrowingFile } from './growing-file.ts';

type TailInvocation = Invocation<typeof auditTailFlags>;

const pollMs = 200;

/** A line of the log, and the event that it has. */
interface LoggedEvent {
  readonly line: string;
  readonly event: JsonObject;
}

/** `cl audit tail`: the last requests of an audit log, and with `-f` new ones. */
export async function tail({ words: [path], options, io }: TailInvocation): Promise<void> {
  const isWanted = auditFilter(options);
  const paths = await (path === undefined ? logsOfPlane(options, io) : filesOf(resolve(io.directory, path)));
  const files = await Promise.all(paths.map((each) => openGrowingFile(each)));
  const print = options.output === 'json' ? jsonPrinter(io) : tablePrinter(io);
  try {
    const wanted = (line: string): boolean => eventsIn([line]).some(({ event }) => isWanted(event));
    const last = await Promise.all(files.map((file) => file.lastLines(options.tail, wanted)));
    const events = inOrder(eventsIn(last.flat()));
    print(options.tail === 0 ? [] : events.slice(-options.tail));
    while (options.follow) {
      await sleep(pollMs, undefined, { signal: io.signal });
      const lines = await Promise.all(files.map((file) => file.newLines()));
      print(inOrder(eventsIn(lines.flat())).filter(({ event }) => isWanted(event)));
    }
  } finally {
    await Promise.all(files.map((file: GrowingFile) => file.close()));
  }
}

/** Lines that are no events are left out: the format may be another, or a disk was full. */
function eventsIn(lines: readonly string[]): LoggedEvent[] {
  return lines.flatMap((line) => {
    const event = readEvent(line);
    return event ? [{ line, event }] : [];
  });
}

function readEvent(line: string): JsonObject | undefined {
  try {
    const value = JSON.parse(line) as JsonValue;
    return isJsonObject(value) && stringAt(value, 'kind') === 'Event' ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Several files have their lines in order, but not together. */
function inOrder(events: readonly LoggedEvent[]): readonly LoggedEvent[] {
  const at = ({ event }: LoggedEvent): string => stringAt(event, 'stageTimestamp');
  return events.toSorted((one, other) => (at(one) < at(other) ? -1 : Number(at(one) > at(other))));
}

async function logsOfPlane(options: TailInvocation['options'], io: CliIo): Promise<string[]> {
  const dataDir = dataDirOf(options, io);
  const run = await findRun(dataDir);
  const hint = 'start it with "cl up --audit-log-path=FILE", or name the file of another server';
  if (!run) throw new CliError(`no control plane runs on ${dataDir}`, { hint });
  if (run.auditLog === undefined) throw new CliError(`the control plane on ${dataDir} keeps no audit log`, { hint });
  return filesOf(run.auditLog);
}

/** A log file, and the files of further workers next to it: `audit.log`, `audit-2.log`. */
async function filesOf(path: string): Promise<string[]> {
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (!isThere) throw new CliError(`${path} does not exist`, { hint: 'name the file of --audit-log-path' });
  const end = extname(path);
  const start = `${basename(path, end)}-`;
  const others = (await readdir(dirname(path))).filter(
    (name) =>
      name.startsWith(start) && name.endsWith(end) && /^\d+$/.test(name.slice(start.length, -end.length || undefined)),
  );
  return [path, ...others.map((name) => join(dirname(path), name))];
}

type EventPrinter = (events: readonly LoggedEvent[]) => void;

/** The lines as they are, but for characters that could control a terminal. */
function jsonPrinter(io: CliIo): EventPrinter {
  const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return (events) => {
    io.stdout.write(events.map(({ line }) => `${line.replaceAll(/\p{Cc}/gu, escaped)}\n`).join(''));
  };
}

const headings = ['TIME', 'STATUS', 'MS', 'USER', 'VERB', 'NAMESPACE', 'RESOURCE'];

/** A table whose columns only become wider. */
function tablePrinter(io: CliIo): EventPrinter {
  let widths: readonly number[] = [];
  let isBegun = false;
  return (events) => {
    if (events.length === 0) return;
    const rows = [...(isBegun ? [] : [headings]), ...events.map(({ event }) => cellsOf(event).map(visibleText))];
    isBegun = true;
    const wider = columnWidths(rows);
    widths = headings.map((_, column) => Math.max(widths[column] ?? 0, wider[column] ?? 0));
    io.stdout.write(formatRows(rows, widths));
  };
}

function cellsOf(event: JsonObject): string[] {
  const [user, as] = ['user', 'impersonatedUser'].map((field) => stringAt(objectAt(event, field), 'username'));
  const reference = objectAt(event, 'objectRef');
  const code = codeOf(event);
  return [
    stringAt(event, 'stageTimestamp'),
    code === 0 ? '-' : String(code),
    durationOf(event),
    (user || '-') + (as ? ` as ${as}` : ''),
    stringAt(event, 'verb'),
    stringAt(reference, 'namespace') || '-',
    targetOf(reference) || stringAt(event, 'requestURI'),
  ];
}

/** Milliseconds from the request to this stage. */
function durationOf(event: JsonObject): string {
  const [from, to] = ['requestReceivedTimestamp', 'stageTimestamp'].map((field) => Date.parse(stringAt(event, field)));
  const tookMs = (to ?? Number.NaN) - (from ?? Number.NaN);
  return Number.isNaN(tookMs) ? '-' : String(tookMs);
}

/** `deployments.apps/web/scale` */
function targetOf(reference: JsonObject): string {
  const [resource, group, name, subresource] = ['resource', 'apiGroup', 'name', 'subresource'].map((field) =>
    stringAt(reference, field),
  );
  return [group ? `${resource}.${group}` : resource, name, subresource].filter(Boolean).join('/');
}
