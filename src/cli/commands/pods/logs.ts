import { once } from 'node:events';
import { readLogs } from '../../../client/streams/read-logs.ts';
import type * as corev1 from '../../../gen/types/core-v1.ts';
import { CliError, errorLine } from '../../cli-error.ts';
import type { Invocation } from '../../command.ts';
import { withClient } from '../../connect.ts';
import type { Session } from '../../find-type.ts';
import { chooseContainer, containersOf, findOwner, podOf, podsWith } from './find-pod.ts';
import type { logsFlags } from './flags.ts';
import { logOptions } from './log-options.ts';

type Logs = Invocation<typeof logsFlags>;

/** The log of a container. */
interface LogSource {
  readonly pod: string;
  readonly container: string;
  /** Before each line: empty, or the names of the pod and the container. */
  readonly prefix: string;
}

/** `cl logs`: prints the logs of containers, and follows them. */
export async function logs(invocation: Logs): Promise<void> {
  checkWords(invocation);
  const { options, io } = invocation;
  await withClient({ options, io }, async (client) => {
    const session = { client, options, io };
    const sources = await sourcesOf(session, invocation);
    if (sources.length === 0) {
      io.stderr.write(`No resources found in ${client.settings.namespace} namespace.\n`);
      return;
    }
    const most = options.maxLogRequests;
    if (options.follow && sources.length > most) {
      throw new CliError(
        `you are attempting to follow ${sources.length} log streams, but maximum allowed concurrency is ${most}`,
        { hint: 'raise it with --max-log-requests' },
      );
    }
    if (options.follow) await Promise.all(sources.map((source) => printLog(session, invocation, source)));
    else for (const source of sources) await printLog(session, invocation, source);
    io.signal.throwIfAborted();
  });
}

function checkWords({ words, options }: Logs): void {
  const { selector, container, allContainers } = options;
  if (words.length === 0 && selector === undefined) {
    throw new CliError('a pod or TYPE/NAME is missing', { hint: 'for example: cl logs web, or cl logs -l app=web' });
  }
  if (words.length > 0 && selector !== undefined) {
    throw new CliError('only a selector (-l) or a POD name is allowed', { hint: 'leave out one of them' });
  }
  const name = words[1] ?? container;
  if (words[1] !== undefined && container !== undefined) {
    throw new CliError('only one of -c or an inline [CONTAINER] arg is allowed');
  }
  if (name !== undefined && allContainers) {
    throw new CliError(`--all-containers=true should not be specified with container name ${name}`);
  }
}

async function sourcesOf(session: Session, { words, options }: Logs): Promise<LogSource[]> {
  const { prefix, allPods, podRunningTimeout } = options;
  const found = await selectedPods(session, { word: words[0], options, waitMs: podRunningTimeout });
  const container = words[1] ?? options.container;
  return found.flatMap((pod) => {
    const name = pod.metadata?.name ?? '';
    const names = options.allContainers
      ? containersOf(pod).map((each) => each.name)
      : [chooseContainer(pod, container, session).name];
    return names.map((each) => ({
      pod: name,
      container: each,
      prefix: prefix || allPods ? `[pod/${name}/${each}] ` : '',
    }));
  });
}

interface PodChoice {
  readonly word: string | undefined;
  readonly options: Logs['options'];
  readonly waitMs: number;
}

async function selectedPods(session: Session, { word, options, waitMs }: PodChoice): Promise<corev1.Pod[]> {
  if (word === undefined) return podsWith(session, options.selector ?? '');
  const owner = await findOwner(session, word);
  if (!owner.owner) return [await podOf(session, owner, waitMs)];
  const found = await podsWith(session, owner.selector);
  if (options.allPods && found.length > 0) return found;
  if (found.length > 1) {
    session.io.stderr.write(`Found ${found.length} pods, using pod/${found[0]?.metadata?.name ?? ''}\n`);
  }
  return [found[0] ?? (await podOf(session, owner, waitMs))];
}

async function printLog(session: Session, invocation: Logs, source: LogSource): Promise<void> {
  const { io, client } = session;
  const { pod, container, prefix } = source;
  try {
    const log = await readLogs(client, pod, { ...logOptions(invocation), container, signal: io.signal });
    const many = invocation.options.follow || prefix !== '';
    for await (const bytes of many ? wholeLines(log) : log) {
      const isTaken = io.stdout.write(prefix === '' ? bytes : withPrefix(prefix, bytes));
      if (!isTaken) await once(io.stdout, 'drain', { signal: io.signal });
    }
  } catch (error) {
    if (!invocation.options.ignoreErrors || io.signal.aborted) throw error;
    io.stderr.write(`${errorLine(error)}\n`);
  }
}

const newline = 0x0a;

/** The bytes of a log up to the end of a line, since others are printed between. */
async function* wholeLines(log: AsyncIterable<Uint8Array>): AsyncIterable<Buffer> {
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of log) {
    held = Buffer.concat([held, chunk]);
    const end = held.lastIndexOf(newline) + 1;
    if (end > 0) yield held.subarray(0, end);
    held = held.subarray(end);
  }
  if (held.length > 0) yield held;
}

function withPrefix(prefix: string, lines: Uint8Array): string {
  return Buffer.from(lines)
    .toString()
    .split(/(?<=\n)/)
    .map((line) => prefix + line)
    .join('');
}
