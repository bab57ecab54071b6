import { whenAborted } from '../../../async/abort-signals.ts';
import type { AgentSource } from '../source/agent-source.ts';
import type { ContainerRun } from '../runs/container-run.ts';
import type { Identifiers } from '../../../identifiers/identifiers.ts';
import { containersOf } from '../runs/containers-of.ts';
import { fillPlaceholders } from '../runs/fill-placeholders.ts';
import { readAnnotation } from '../runs/read-annotation.ts';
import type { CommandRunner } from './command-call.ts';
import { commands } from './commands.ts';
import { readExecTable } from './exec-table.ts';
import type { ProgramCall } from './program-call.ts';
import { runShell } from './shell.ts';
import { whenRunEnds } from '../source/when-run-ends.ts';

const shells: ReadonlySet<string> = new Set(['sh', 'bash', 'ash', 'dash']);
const notFound = 127;
/** The exit code of a program that SIGKILL has ended. */
const killed = 137;

/**
 * Runs a command in a stand-in container: the first row of the annotation `exec` that matches, else
 * a command that every one has. An unknown command writes a line to stderr and ends with 127.
 */
export async function execute(
  words: readonly string[],
  run: ContainerRun,
  source: AgentSource,
  call: ProgramCall,
): Promise<number> {
  const { identifiers } = source;
  const { annotations, namespace = '' } = run.pod.metadata;
  const table = await readExecTable(readAnnotation(annotations, 'exec', identifiers) ?? '', `exec in ${namespace}`);
  if ('problem' in table) {
    const message = `the annotation "exec" of the pod has no effect: ${table.problem}`;
    const about = { apiVersion: 'v1', kind: 'Pod', metadata: run.pod.metadata };
    source.events.record(about, { type: 'Warning', reason: 'UnknownAnnotation', message });
    await call.err(`${message}\n`);
  }
  const rows = 'rows' in table ? table.rows : [];
  const out = call.tty ? (data: string | Uint8Array) => call.out(withCarriage(data)) : call.out;
  const runOne: CommandRunner = async (one) => {
    const line = one.words.join(' ');
    const row = rows.find(({ matches, container }) => (container ?? run.container) === run.container && matches(line));
    if (row) {
      const values = { timeMs: Date.now(), count: 1 };
      await one.out(fillPlaceholders(row.stdout, run, values));
      await one.err(fillPlaceholders(row.stderr, run, values));
      return row.exitCode;
    }
    const name = (one.words[0] ?? '').replace(/^(\/usr(\/local)?)?\/s?bin\//, '');
    if (shells.has(name)) return await runShell(one, runOne);
    const command = commands.get(name);
    if (command) return await command(one);
    const known = [...commands.keys()].join(' ');
    await one.err(
      `${name}: command not found; a stand-in container runs nothing: add the command to the annotation "exec" of ` +
        `the pod, or use one of: sh ${known}\n`,
    );
    return notFound;
  };
  const stop = new AbortController();
  try {
    const signal = AbortSignal.any([call.signal, whenRunEnds(run, source, stop.signal)]);
    // The files of a pod that is gone would never be removed.
    if (signal.aborted) return killed;
    const env = environmentOf(run, identifiers);
    const running = runOne({ ...call, out, signal, words, files: source.files.of(run), env });
    running.catch(() => {});
    // A program that waits for input ends with its container too.
    return await Promise.race([running, whenAborted(signal).then(() => killed)]);
  } finally {
    stop.abort();
  }
}

/** On a terminal each line ends with a carriage return too. */
function withCarriage(data: string | Uint8Array): string | Uint8Array {
  return typeof data === 'string' ? data.replace(/\r?\n/g, '\r\n') : withCarriage(Buffer.from(data).toString());
}

/**
 * The variables of a container with values in the pod itself, without references to other objects.
 */
function environmentOf({ pod, container }: ContainerRun, { product }: Identifiers): ReadonlyMap<string, string> {
  const values = new Map([
    ['PATH', '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'],
    ['HOSTNAME', pod.spec.hostname ?? pod.metadata.name],
    ['HOME', '/root'],
    [`${product.toUpperCase()}_STAND_IN`, 'true'],
  ]);
  const fields = new Map<string, string | undefined>([
    ['metadata.name', pod.metadata.name],
    ['metadata.namespace', pod.metadata.namespace],
    ['metadata.uid', pod.metadata.uid],
    ['spec.nodeName', pod.spec.nodeName],
    ['spec.serviceAccountName', pod.spec.serviceAccountName],
    ['status.podIP', pod.status?.podIP],
    ['status.hostIP', pod.status?.hostIP],
  ]);
  const found = containersOf(pod).find(({ name }) => name === container);
  for (const { name, value, valueFrom } of found?.env ?? []) {
    const text = valueFrom ? fields.get(valueFrom.fieldRef?.fieldPath ?? '') : (value ?? '');
    if (text !== undefined) values.set(name, text);
  }
  return values;
}
