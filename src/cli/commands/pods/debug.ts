import { readLogs } from '../../../client/streams/read-logs.ts';
import type * as corev1 from '../../../gen/types/core-v1.ts';
import { generateName } from '../../../meta/random-suffix.ts';
import { nameOf as objectName } from '../../../meta/object-meta.ts';
import { CliError } from '../../cli-error.ts';
import type { CliIo } from '../../cli-io.ts';
import type { Invocation } from '../../command.ts';
import { withClient } from '../../connect.ts';
import type { Session } from '../../find-type.ts';
import { readCustomContainer } from './custom-container.ts';
import { copiedPod, debugContainer, type DebugOptions, nodePod } from './debug-container.ts';
import { containersOf, findPod } from './find-pod.ts';
import { pods } from '../../pod-resource.ts';
import type { debugFlags } from './flags.ts';
import { runInContainer } from './run-in-container.ts';
import { waitForPod } from './wait-for-pod.ts';

/** `cl debug`: adds a container to a pod, copies a pod, or starts a pod on a node. */
export async function debug(invocation: Invocation<typeof debugFlags>): Promise<void> {
  const { words, wordsBeforeDashes = words.length, options, io, given } = invocation;
  const named = words.slice(0, wordsBeforeDashes);
  const targets = options.filename.length > 0 ? await targetsInFiles(options.filename, named, io) : named;
  if (targets.length === 0) throw new CliError('a pod or TYPE/NAME is missing', { hint: 'for example: cl debug web' });
  const customFields = options.custom === undefined ? {} : await readCustomContainer(options.custom, io);
  const wanted: DebugOptions = { ...options, program: words.slice(wordsBeforeDashes), customFields };
  checkFlags(wanted, targets);
  await withClient({ options, io }, async (client) => {
    const session = { client, options, io };
    for (const target of targets) {
      const made = await make(session, target, wanted);
      if (given('attach') ? options.attach : options.stdin) await attachTo(session, made, wanted);
    }
  });
}

async function targetsInFiles(files: readonly string[], named: readonly string[], io: CliIo): Promise<string[]> {
  if (named.length > 0) throw new CliError('names and files cannot be given together', { hint: 'leave out one' });
  const { readManifests } = await import('../../manifests/read-manifests.ts');
  const manifests = await readManifests(files, io);
  return manifests.map(({ object }) => `${object.kind}/${objectName(object)}`);
}

function checkFlags({ image, copyTo, setImage, target, tty, stdin }: DebugOptions, targets: readonly string[]): void {
  if (targets.length > 1 && copyTo !== undefined) throw new CliError('--copy-to takes one pod');
  if (image === undefined && copyTo === undefined) {
    throw new CliError('you must specify --image or --copy-to', { hint: 'for example: --image=busybox' });
  }
  if (copyTo === undefined && setImage.length > 0) throw new CliError('--set-image may only be used with --copy-to');
  if (copyTo !== undefined && target !== undefined) {
    throw new CliError('--target is incompatible with --copy-to', { hint: 'use --share-processes instead' });
  }
  if (tty && !stdin) throw new CliError('-i/--stdin is required for containers with -t/--tty=true');
}

/** The container that was made, and its pod. */
interface MadeContainer {
  readonly pod: string;
  readonly container: string;
}

function make(session: Session, target: string, options: DebugOptions): Promise<MadeContainer> {
  const [type = '', name = ''] = target.split('/');
  if (name !== '' && ['no', 'node', 'nodes'].includes(type.toLowerCase())) return onNode(session, name, options);
  return options.copyTo === undefined ? inPod(session, target, options) : inCopy(session, target, options);
}

const waitMs = 60_000;

/** A name is chosen, and reported, if none is given. */
function nameOf({ io }: Session, { container, quiet }: DebugOptions): string {
  if (container !== undefined) return container;
  const name = generateName('debugger-');
  if (!quiet) io.stdout.write(`Defaulting debug container name to ${name}.\n`);
  return name;
}

async function inPod(session: Session, target: string, options: DebugOptions): Promise<MadeContainer> {
  const { client, io } = session;
  const pod = await findPod(session, target, waitMs);
  const targeted = options.target === undefined ? {} : { targetContainerName: options.target };
  if (options.target !== undefined && !options.quiet) {
    const why = "If you don't see processes from this container it may be because the container runtime";
    io.stdout.write(`Targeting container "${options.target}". ${why} doesn't support this feature.\n`);
  }
  const container = nameOf(session, options);
  if (containersOf(pod).some((each) => each.name === container)) {
    throw new CliError(`pod ${pod.metadata?.name ?? ''} has a container ${container} already`, {
      hint: 'containers of a pod cannot be changed; choose another name with -c',
    });
  }
  const patch = { spec: { ephemeralContainers: [{ ...debugContainer(options, container), ...targeted }] } };
  const name = pod.metadata?.name ?? '';
  await client.resource(pods).patch(name, patch, {
    type: 'strategic',
    subresource: 'ephemeralcontainers',
    signal: io.signal,
  });
  return { pod: name, container };
}

async function inCopy(session: Session, target: string, options: DebugOptions): Promise<MadeContainer> {
  const { client, io } = session;
  const original = await findPod(session, target, waitMs);
  const isNew = options.container === undefined && options.image !== undefined;
  const chosen = isNew ? { ...options, container: nameOf(session, options) } : options;
  const { pod, container } = copiedPod(original, chosen);
  if (options.replace) await client.resource(pods).delete(original.metadata?.name ?? '', { signal: io.signal });
  await client.resource(pods).create(pod, { signal: io.signal });
  return { pod: options.copyTo ?? '', container };
}

async function onNode({ client, io }: Session, node: string, options: DebugOptions): Promise<MadeContainer> {
  await client.resource({ group: '', version: 'v1', resource: 'nodes', namespaced: false }).get(node);
  const pod = nodePod(options, node);
  const name = pod.metadata?.name ?? '';
  const container = pod.spec?.containers?.[0]?.name ?? '';
  if (!options.quiet) {
    io.stdout.write(`Creating debugging pod ${name} with container ${container} on node ${node}.\n`);
  }
  await client.resource(pods).create(pod, { signal: io.signal });
  return { pod: name, container };
}

/** Waits until the container runs, and connects to it; prints its log if it has ended. */
async function attachTo(session: Session, made: MadeContainer, options: DebugOptions): Promise<void> {
  const { client, io } = session;
  const { pod, container } = made;
  const state = await startedState(session, made);
  if (state.terminated) {
    const log = await readLogs(client, pod, { container, signal: io.signal });
    for await (const bytes of log) io.stdout.write(bytes);
    return;
  }
  if (!options.quiet) io.stderr.write("If you don't see a command prompt, try pressing enter.\n");
  const found = await client.resource(pods).get(pod, { signal: io.signal });
  const tty = containersOf(found).find(({ name }) => name === container)?.tty ?? false;
  await runInContainer(session, { pod, container, stdin: options.stdin, tty, quiet: options.quiet });
}

/** The state of a container that has started; waits for it. */
async function startedState(session: Session, { pod, container }: MadeContainer): Promise<corev1.ContainerState> {
  const stateOf = ({ status }: corev1.Pod): corev1.ContainerState | undefined => {
    const { containerStatuses = [], ephemeralContainerStatuses = [] } = status ?? {};
    return [...containerStatuses, ...ephemeralContainerStatuses].find(({ name }) => name === container)?.state;
  };
  const isStarted = (found: corev1.Pod): boolean => Boolean(stateOf(found)?.running ?? stateOf(found)?.terminated);
  return stateOf(await waitForPod(session, pod, 0, isStarted)) ?? {};
}
