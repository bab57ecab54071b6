import type { Invocation } from '../../command.ts';
import { withClient } from '../../connect.ts';
import { chooseContainer, findPod, type PodContainer } from './find-pod.ts';
import type { attachFlags } from './flags.ts';
import { checkRunning } from './exec.ts';
import { runInContainer } from './run-in-container.ts';

/** `cl attach`: connects to the main program of a container. */
export async function attach({ words, options, io }: Invocation<typeof attachFlags>): Promise<void> {
  await withClient({ options, io }, async (client) => {
    const session = { client, options, io };
    const pod = await findPod(session, words[0] ?? '', options.podRunningTimeout);
    checkRunning(pod, 'attach');
    const { stdin, quiet, detachKeys } = options;
    const container = chooseContainer(pod, options.container, { io, quiet });
    const tty = ttyOf(container, options, (line) => !quiet && io.stderr.write(`${line}\n`));
    if (!quiet && stdin) {
      io.stderr.write('All that is typed and printed here is recorded in the log of the container, secrets too.\n');
      io.stderr.write("If you don't see a command prompt, try pressing enter.\n");
    }
    const name = pod.metadata?.name ?? '';
    await runInContainer(session, { pod: name, container: container.name, stdin, tty, quiet, detachKeys });
    if (stdin && tty && pod.spec?.restartPolicy === 'Always' && !quiet) {
      const line = `cl attach ${name} -c ${container.name} -i -t`;
      io.stderr.write(`Session ended, resume using '${line}' command when the pod is running\n`);
    }
  });
}

/** A container has a terminal or not; its stream cannot be read as the other. */
function ttyOf(
  { name, tty: hasTty = false }: PodContainer,
  { tty }: { readonly tty: boolean },
  report: (line: string) => void,
): boolean {
  if (tty && !hasTty) report(`error: Unable to use a TTY - container ${name} did not allocate one`);
  return hasTty;
}
