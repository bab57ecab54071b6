import type { Invocation } from '../../../command.ts';
import { nameOf } from '../../../../meta/object-meta.ts';
import { ignoreReasons, StatusError } from '../../../../client/error-of-response.ts';
import { readLogs } from '../../../../client/streams/read-logs.ts';
import type * as corev1 from '../../../../gen/types/core-v1.ts';
import { CliError, errorLine } from '../../../cli-error.ts';
import type { Session } from '../../../find-type.ts';
import { createResourceFinder } from '../../../manifests/manifest-resource.ts';
import { deleteSelected, type DeletedObject, waitUntilGone } from '../../../objects/delete-selected.ts';
import { runInContainer } from '../../pods/run-in-container.ts';
import { waitForPod } from '../../pods/wait-for-pod.ts';
import type { runFlags } from './expose-flags.ts';
import type { Generated } from './generate-object.ts';
import { visibleText } from '../../../format-rows.ts';

type RunOptions = Invocation<typeof runFlags>['options'];

/**
 * Connects to the first of the created objects, a pod, until its program ends or the user leaves;
 * then deletes the objects if requested. Exits with the exit code of a program that is not
 * restarted.
 */
export async function runAttached(
  session: Session,
  created: readonly [pod: Generated, ...others: Generated[]],
  options: RunOptions,
): Promise<void> {
  const name = nameOf(created[0]);
  try {
    await connect(session, name, options);
    if (!options.leaveStdinOpen && options.restart !== 'Always') await awaitEnd(session, name, options);
  } finally {
    if (options.rm) await remove(session, created, options);
  }
}

const ended: ReadonlySet<string | undefined> = new Set(['Succeeded', 'Failed']);

function hasStarted({ status }: corev1.Pod): boolean {
  return (
    ended.has(status?.phase) || (status?.containerStatuses ?? []).some(({ state }) => state?.running !== undefined)
  );
}

async function connect(session: Session, name: string, options: RunOptions): Promise<void> {
  const { io } = session;
  const { stdin, quiet, detachKeys, podRunningTimeout } = options;
  const pod = await waitForPod(session, name, podRunningTimeout, hasStarted);
  const [first] = pod.spec?.containers ?? [];
  const { name: container = '', tty = false } = first ?? {};
  if (ended.has(pod.status?.phase)) return printLog(session, name, container);
  if (stdin && !quiet) io.stderr.write("If you don't see a command prompt, try pressing enter.\n");
  try {
    await runInContainer(session, { pod: name, container, stdin, tty, quiet, detachKeys });
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    io.signal.throwIfAborted();
    io.stderr.write(`warning: couldn't attach to pod/${visibleText(name)}, falling back to streaming logs: `);
    io.stderr.write(`${errorLine(error)}\n`);
    await printLog(session, name, container);
  }
}

async function printLog({ client, io }: Session, pod: string, container: string): Promise<void> {
  const log = await readLogs(client, pod, { container, follow: true, signal: io.signal });
  for await (const bytes of log) io.stdout.write(bytes);
}

/** Waits until the pod has ended; throws the exit code of its program. */
async function awaitEnd(session: Session, name: string, options: RunOptions): Promise<void> {
  const isFinal = ({ status }: corev1.Pod): boolean =>
    options.restart === 'Never' ? ended.has(status?.phase) : status?.phase === 'Succeeded';
  const { metadata, status } = await waitForPod(session, name, options.podRunningTimeout, isFinal);
  if (status?.phase === 'Succeeded') return;
  const terminated = status?.containerStatuses?.[0]?.state?.terminated;
  const place = `pod ${metadata?.namespace ?? ''}/${name}`;
  if (!terminated?.exitCode) throw new CliError(`${place} failed with unknown exit code`);
  const why = [`(${terminated.reason ?? ''})`, terminated.message].filter(Boolean).join(' ');
  throw new CliError(`${place} terminated ${why}`, { exitCode: terminated.exitCode });
}

async function remove(session: Session, created: readonly Generated[], options: RunOptions): Promise<void> {
  // An interrupted command deletes too. A copy of the environment would open standard input.
  const { signal } = new AbortController();
  const io: Session['io'] = Object.create(session.io, { signal: { value: signal } }) as Session['io'];
  const uninterrupted = { ...session, io };
  const find = createResourceFinder(session.client, signal);
  const gone: DeletedObject[] = [];
  for (const object of created) {
    const resource = await find({ object, where: 'the object' });
    const { namespace } = session.client.settings;
    const place = { resource, name: nameOf(object), namespace };
    const deleted = await ignoreReasons(deleteSelected(uninterrupted, place, options), 'NotFound');
    if (deleted) gone.push(deleted);
    const line = `${resource.kind.toLowerCase()} "${visibleText(nameOf(object))}" deleted from ${namespace} namespace`;
    if (!options.quiet) io.stdout.write(`${line}\n`);
  }
  if (options.wait) await waitUntilGone(uninterrupted, gone, options.timeout);
}
