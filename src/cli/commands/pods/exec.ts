import { CliError } from '../../cli-error.ts';
import type { Invocation } from '../../command.ts';
import { withClient } from '../../connect.ts';
import type * as corev1 from '../../../gen/types/core-v1.ts';
import { readManifests } from '../../manifests/read-manifests.ts';
import { chooseContainer, findPod } from './find-pod.ts';
import type { execFlags } from './flags.ts';
import { runInContainer } from './run-in-container.ts';

/** `cl exec`: runs a program in a container and exits with its exit code. */
export async function exec(invocation: Invocation<typeof execFlags>): Promise<void> {
  const { options, io } = invocation;
  const { target, command } = await targetOf(invocation);
  await withClient({ options, io }, async (client) => {
    const session = { client, options, io };
    const pod = await findPod(session, target, options.podRunningTimeout);
    checkRunning(pod, 'exec into');
    const { stdin, tty, quiet } = options;
    const { name: container } = chooseContainer(pod, options.container, { io, quiet });
    await runInContainer(session, { pod: pod.metadata?.name ?? '', container, command, stdin, tty, quiet });
  });
}

interface ExecTarget {
  readonly target: string;
  readonly command: readonly string[];
}

/** The object before `--` or in a file, and the program after it. */
async function targetOf({ words, wordsBeforeDashes, options, io }: Invocation<typeof execFlags>): Promise<ExecTarget> {
  const hasFile = options.filename.length > 0;
  const before = wordsBeforeDashes ?? words.length;
  const command = words.slice(hasFile && wordsBeforeDashes === undefined ? 0 : before);
  if (before > (hasFile ? 0 : 1) && !(hasFile && wordsBeforeDashes === undefined)) {
    throw new CliError('the program comes after --', { hint: 'for example: cl exec web -- ls /' });
  }
  const target = hasFile ? await targetInFile(options.filename, io) : before === 1 ? words[0] : undefined;
  if (target === undefined) throw new CliError('pod, type/name or --filename must be specified');
  if (command.length === 0) {
    throw new CliError('you must specify at least one command for the container', {
      hint: 'for example: cl exec web -- ls /',
    });
  }
  return { target, command };
}

async function targetInFile(files: readonly string[], io: Parameters<typeof readManifests>[1]): Promise<string> {
  const [first] = await readManifests(files, io);
  const { kind = '', metadata }: { kind?: string; metadata?: { name?: string } } = first?.object ?? {};
  return `${kind}/${metadata?.name ?? ''}`;
}

const ended: ReadonlySet<string> = new Set(['Succeeded', 'Failed']);

/** Throws CliError for a pod whose containers have ended. */
export function checkRunning({ status }: corev1.Pod, action: string): void {
  const phase = status?.phase ?? '';
  if (ended.has(phase)) {
    throw new CliError(`cannot ${action} a container in a completed pod; current phase is ${phase}`);
  }
}
