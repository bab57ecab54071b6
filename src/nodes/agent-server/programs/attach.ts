import type { AgentSource } from '../source/agent-source.ts';
import type { ContainerRun } from '../runs/container-run.ts';
import { currentRun } from '../runs/container-run.ts';
import { fillPlaceholders } from '../runs/fill-placeholders.ts';
import { containerLog } from '../logs/container-log.ts';
import { readAnnotation } from '../runs/read-annotation.ts';
import { pause } from '../../../async/timers.ts';
import { whenRunEnds } from '../source/when-run-ends.ts';
import type { ProgramCall } from './program.ts';
import { inputLines } from './input-lines.ts';

const longestWaitMs = 1_000;

/**
 * Attaches to the main program of a container: its log from now on, and a reply to each line of
 * input, by default the line. Returns the exit code of the container.
 */
export async function attach(run: ContainerRun, source: AgentSource, call: ProgramCall): Promise<number> {
  const stop = new AbortController();
  const signal = AbortSignal.any([call.signal, whenRunEnds(run, source, stop.signal)]);
  const lineEnd = call.tty ? '\r\n' : '\n';
  void reply(run, source, { ...call, signal }, lineEnd).catch(() => {});
  const log = containerLog(run, source.identifiers);
  let next = log.countAt(Date.now());
  while (!signal.aborted) {
    await pause(Math.min(longestWaitMs, log.intervalMs ?? longestWaitMs), signal);
    for (const count = log.countAt(Date.now()); next < count && !signal.aborted; next++) {
      await call.out(`${log.line(next).text}${lineEnd}`);
    }
  }
  stop.abort();
  return exitCodeOf(run, source);
}

async function reply(run: ContainerRun, source: AgentSource, call: ProgramCall, lineEnd: string): Promise<void> {
  const template = readAnnotation(run.pod.metadata.annotations, 'attach-reply', source.identifiers) ?? '{line}';
  let count = 0;
  for await (const line of inputLines(call)) {
    const text = fillPlaceholders(template, run, { timeMs: Date.now(), count: ++count, more: [['line', line]] });
    await call.out(`${text}${lineEnd}`);
  }
}

/** The exit code of a run that has ended; 0 if its pod is gone. */
function exitCodeOf({ pod, container }: ContainerRun, { pods }: AgentSource): number {
  const now = pods.get(pod.metadata.name, pod.metadata.namespace);
  try {
    return now ? currentRun(now, container).exitCode : 0;
  } catch {
    return 0;
  }
}
