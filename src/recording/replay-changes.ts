import { pause } from '../async/timers.ts';
import type { Client } from '../client/client.ts';
import { hasReason } from '../client/error-of-response.ts';
import { identifierSets, identifiersOf } from '../identifiers/identifiers.ts';
import type { RecordingEntry } from './recording-entry.ts';
import { ObjectWriter } from './object-writer.ts';
import { replayOrder } from './replay-order.ts';

/** How entries are written. */
export interface ReplayOptions {
  /** 1 is the recorded pace, 10 is ten times as fast; 0 (default) writes all at once. */
  readonly speed?: number;
  /** Called with each object that the server refuses; the rest goes on. */
  readonly onProblem?: (problem: string) => void;
}

/** The numbers of a replay. */
export interface ReplaySummary {
  readonly written: number;
  /** Objects that the server had already as they were recorded. */
  readonly unchanged: number;
  readonly refused: number;
}

/**
 * Writes the entries of a recording to a server. The objects of the start are in memory until they
 * are written, because owners come first; changes follow one after another. Throws StatusError if
 * no server answers.
 */
export async function replayChanges(
  client: Client,
  entries: AsyncIterable<RecordingEntry>,
  { speed = 0, onProblem = () => {} }: ReplayOptions,
  signal: AbortSignal,
): Promise<ReplaySummary> {
  const writer = new ObjectWriter(client, signal);
  const counts = { written: 0, unchanged: 0, refused: 0 };
  const startMs = performance.now();

  async function write(entry: RecordingEntry): Promise<void> {
    signal.throwIfAborted();
    try {
      counts[await writer.write(entry)]++;
    } catch (error) {
      // Without a server every other entry would fail in the same way.
      if (signal.aborted || hasReason(error, 'Unreachable', 'Unauthorized')) throw error;
      counts.refused++;
      const hint = hasReason(error, 'NotFound') ? namesHint(entry) : '';
      onProblem(`${nameOf(entry)}: ${error instanceof Error ? error.message : String(error)}${hint}`);
    }
  }

  const initial: RecordingEntry[] = [];
  let isStarted = false;
  async function start(): Promise<void> {
    if (isStarted) return;
    isStarted = true;
    for (const entry of replayOrder(initial.splice(0))) await write(entry);
  }

  for await (const entry of entries) {
    if (!isStarted && entry.atMs === 0 && entry.type === 'ADDED') {
      initial.push(entry);
      continue;
    }
    await start();
    if (speed > 0) await pause(Math.max(0, startMs + entry.atMs / speed - performance.now()), signal);
    await write(entry);
  }
  await start();
  return counts;
}

/** Groups that every server has, in the spelling of its identifiers. */
const builtInGroups = ['rbac.authorization', 'coordination', 'networking', 'storage', 'apiextensions', 'scheduling'];

/** The end of a sentence about a server that lacks a built-in group: it spells it otherwise. */
function namesHint({ resource: { group } }: RecordingEntry): string {
  const set = identifierSets.find((each) =>
    builtInGroups.some((name) => group === `${name}.${identifiersOf(each).apiDomain}`),
  );
  return set === undefined ? '' : `; the recording has the identifiers "${set}", and the server has others`;
}

function nameOf({ type, resource, object }: RecordingEntry): string {
  const { namespace, name = '' } = object.metadata ?? {};
  const verb = { ADDED: 'create', MODIFIED: 'update', DELETED: 'delete' }[type];
  return `${verb} ${resource.resource} ${namespace === undefined ? name : `${namespace}/${name}`}`;
}
