import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { pause } from '../../../async/timers.ts';
import type { AgentSource } from '../source/agent-source.ts';
import { type ContainerRun, currentRun, previousRun } from '../runs/container-run.ts';
import { findTargetPod, type PodTarget } from '../source/find-target-pod.ts';
import { whenRunEnds } from '../source/when-run-ends.ts';
import { type ContainerLog, containerLog, keptLines } from './container-log.ts';

/** The query of a request for a log. */
interface LogQuery {
  readonly follow: boolean;
  readonly timestamps: boolean;
  readonly tailLines: number;
  readonly sinceMs: number;
  readonly limitBytes: number;
}

/** The longest time between two looks at a log that is followed. */
const longestWaitMs = 1_000;

/** Sends the log of a container as text, with `follow` also the lines that are written later. */
export async function sendLog(
  target: PodTarget,
  query: URLSearchParams,
  response: ServerResponse,
  source: AgentSource,
  signal: AbortSignal,
): Promise<void> {
  const pod = findTargetPod(source, target);
  const read = query.get('previous') === 'true' ? previousRun : currentRun;
  const run = read(pod, target.container);
  const options = queryOf(query, Date.now());
  response.writeHead(200, { 'content-type': 'text/plain' });
  response.flushHeaders();
  const closed = new AbortController();
  response.once('close', () => closed.abort());
  const gone = AbortSignal.any([signal, closed.signal]);
  const ended = AbortSignal.any([gone, whenRunEnds(run, source, closed.signal)]);
  await writeLines(run, containerLog(run, source.identifiers), options, response, { gone, ended });
  response.end();
}

async function writeLines(
  run: ContainerRun,
  log: ContainerLog,
  { follow, timestamps, tailLines, sinceMs, limitBytes }: LogQuery,
  response: ServerResponse,
  { gone, ended }: { readonly gone: AbortSignal; readonly ended: AbortSignal },
): Promise<void> {
  let next = firstLine(log, tailLines, sinceMs);
  let left = limitBytes;
  for (;;) {
    const count = log.countAt(Date.now());
    for (; next < count && left > 0 && !gone.aborted; next++) {
      const { timeMs, text } = log.line(next);
      const bytes = Buffer.from(`${timestamps ? `${nanoTime(timeMs)} ` : ''}${text}\n`).subarray(0, left);
      left -= bytes.length;
      if (!response.write(bytes)) await once(response, 'drain', { signal: gone }).catch(() => undefined);
    }
    if (!follow || left <= 0 || ended.aborted || run.endedMs !== undefined) return;
    await pause(Math.min(longestWaitMs, log.intervalMs ?? longestWaitMs), ended);
  }
}

function firstLine(log: ContainerLog, tailLines: number, sinceMs: number): number {
  const count = log.countAt(Date.now());
  let first = Math.max(0, count - Math.min(tailLines, keptLines));
  if (log.intervalMs !== undefined && count > 0) {
    const late = (sinceMs - log.line(first).timeMs) / log.intervalMs;
    if (late > 0) first += Math.ceil(late);
  } else if (count > 0 && log.line(0).timeMs < sinceMs) first = count;
  return first;
}

function queryOf(query: URLSearchParams, nowMs: number): LogQuery {
  const number = (name: string): number => Number(query.get(name) ?? Number.POSITIVE_INFINITY);
  const since = query.get('sinceTime');
  return {
    follow: query.get('follow') === 'true',
    timestamps: query.get('timestamps') === 'true',
    tailLines: number('tailLines'),
    limitBytes: number('limitBytes'),
    sinceMs: since === null ? nowMs - number('sinceSeconds') * 1000 : Date.parse(since) || 0,
  };
}

/** A time with nanoseconds, as node agents write it. */
function nanoTime(timeMs: number): string {
  return new Date(timeMs).toISOString().replace('Z', '000000Z');
}
