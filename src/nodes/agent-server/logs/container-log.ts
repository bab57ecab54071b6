import type { Identifiers } from '../../../identifiers/identifiers.ts';
import type { ContainerRun } from '../runs/container-run.ts';
import { fillPlaceholders } from '../runs/fill-placeholders.ts';
import { readAnnotation } from '../runs/read-annotation.ts';

/** A line of a log, and when it was written. */
interface LogLine {
  readonly timeMs: number;
  readonly text: string;
}

/**
 * The log of a run of a container. Lines are computed from the annotations and the time of the
 * start, so that a log takes no memory, however many pods there are and however long they run.
 */
export interface ContainerLog {
  /** The lines that are written at a time; more follow while the container runs. */
  countAt(nowMs: number): number;
  /** A line by its number, from 0. */
  line(index: number): LogLine;
  /** The milliseconds between two lines; undefined: all lines are written at the start. */
  readonly intervalMs: number | undefined;
}

/** Older lines are no longer kept, as by a node agent that rotates its files. */
export const keptLines = 10_000;

const shortestIntervalMs = 10;
const longestIntervalMs = 366 * 24 * 3_600_000;
const defaultLine = 'container {container} of pod {pod} started on {node}: image {image} (stand-in, nothing runs)';

/** Makes the log that the annotations of a pod ask for. */
export function containerLog(run: ContainerRun, identifiers: Identifiers): ContainerLog {
  const { pod, container, startedMs, endedMs } = run;
  const read = (name: string): string | undefined =>
    readAnnotation(pod.metadata.annotations, `${name}.${container}`, identifiers) ??
    readAnnotation(pod.metadata.annotations, name, identifiers);
  const lines = linesOf(read('logs') ?? defaultLine);
  const seconds = Number(read('logs-interval') ?? 0);
  const intervalMs = seconds > 0 && lines.length > 0 ? limited(seconds * 1000) : undefined;
  return {
    intervalMs,
    countAt: (nowMs) => {
      const age = Math.min(nowMs, endedMs ?? nowMs) - startedMs;
      return intervalMs === undefined ? lines.length : Math.max(0, Math.floor(age / intervalMs) + 1);
    },
    line: (index) => {
      const timeMs = startedMs + index * (intervalMs ?? 0);
      const text = fillPlaceholders(lines[index % lines.length] ?? '', run, { timeMs, count: index + 1 });
      return { timeMs, text };
    },
  };
}

function limited(intervalMs: number): number {
  return Math.min(longestIntervalMs, Math.max(shortestIntervalMs, intervalMs));
}

/** An empty text has no lines; a line break at its end begins none. */
function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}
