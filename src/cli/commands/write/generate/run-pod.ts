import type { Invocation } from '../../../command.ts';
import type { JsonObject } from '../../../../meta/json-value.ts';
import { CliError } from '../../../cli-error.ts';
import { gracePeriodOf } from '../../../objects/delete-selected.ts';
import { readPairs } from '../../../objects/read-pairs.ts';
import type { runFlags } from './expose-flags.ts';
import { createGenerated, type Generated, withGeneration, writeGenerated } from './generate-object.ts';
import { withOverrides } from './overrides.ts';

/** `cl run NAME --image=IMAGE`: creates a pod, and with `--expose` a service; may connect to it. */
export async function runPod(invocation: Invocation<typeof runFlags>): Promise<void> {
  const { options, words, given } = invocation;
  const isAttached = given('attach') ? options.attach : options.stdin;
  checkFlags(options, isAttached);
  const before = invocation.wordsBeforeDashes ?? words.length;
  // Words after the name are arguments too.
  const rest = { ...invocation, wordsBeforeDashes: Math.min(before, 1) };
  await withGeneration(rest, async ({ session, name, command }) => {
    const pod = await withOverrides(podOf(name, command, options), options);
    const service = options.expose ? [serviceOf(name, options)] : [];
    for (const each of service) await writeGenerated(session, options, each);
    if (!isAttached) return writeGenerated(session, options, pod);
    await createGenerated(session, options, pod);
    const { runAttached } = await import('./run-attached.ts');
    await runAttached(session, [pod, ...service], options);
  });
}

/** Registry and path, and perhaps a tag and a digest. */
const imageName = /^[a-z0-9][\w./:-]*(?:@[a-z0-9]+:[\da-f]+)?$/i;

function checkFlags(options: RunOptions, isAttached: boolean): void {
  const { image, expose, port, tty, stdin, rm, dryRun } = options;
  if (!image) throw new CliError('required flag(s) "image" not set', { hint: '--image=IMAGE' });
  if (!imageName.test(image)) {
    throw new CliError(`"${image}" is not the name of an image`, { hint: 'for example: nginx:1.25' });
  }
  if (expose && port === undefined) throw new CliError('--port must be set when exposing a service');
  if (tty && !stdin) throw new CliError('-i/--stdin is required for containers with -t/--tty=true');
  if (rm && !isAttached) throw new CliError('--rm should only be used for attached containers', { hint: 'add -i' });
  if (isAttached && dryRun !== 'none') {
    throw new CliError("--dry-run can't be used with attached containers options (--attach, --stdin, or --tty)");
  }
  gracePeriodOf({ ...options, dryRun });
}

type RunOptions = Invocation<typeof runFlags>['options'];

function labelsFor(name: string, { labels }: RunOptions): JsonObject {
  return labels.length > 0 ? Object.fromEntries(readPairs(labels)) : { run: name };
}

function podOf(name: string, command: readonly string[], options: RunOptions): Generated {
  const { image = '', env, port, imagePullPolicy, privileged, restart, annotations, stdin, tty } = options;
  const container: JsonObject = {
    image,
    name,
    resources: {},
    ...(command.length > 0 ? { [options.command ? 'command' : 'args']: [...command] } : {}),
    ...(env.length > 0 ? { env: readPairs(env).map(([key, value]) => ({ name: key, value })) } : {}),
    ...(port === undefined ? {} : { ports: [{ containerPort: port }] }),
    ...(imagePullPolicy ? { imagePullPolicy } : {}),
    ...(privileged ? { securityContext: { privileged: true } } : {}),
    ...(stdin ? { stdin } : {}),
    // The first connection that ends also ends the input of the program.
    ...(stdin && !options.leaveStdinOpen ? { stdinOnce: true } : {}),
    ...(tty ? { tty } : {}),
  };
  const notes: JsonObject = annotations.length > 0 ? { annotations: Object.fromEntries(readPairs(annotations)) } : {};
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...notes, labels: labelsFor(name, options), name },
    spec: { containers: [container], dnsPolicy: 'ClusterFirst', restartPolicy: restart },
    status: {},
  };
}

function serviceOf(name: string, options: RunOptions): Generated {
  const labels = labelsFor(name, options);
  const port = options.port ?? 0;
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name },
    spec: { ports: [{ port, protocol: 'TCP', targetPort: port }], selector: labels },
    status: { loadBalancer: {} },
  };
}
