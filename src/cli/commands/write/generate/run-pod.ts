import type { Invocation } from '../../../command.ts';
import type { JsonObject } from '../../../../meta/json-value.ts';
import { CliError } from '../../../cli-error.ts';
import { readPairs } from '../../../objects/read-pairs.ts';
import type { runFlags } from './expose-flags.ts';
import { type Generated, generateObject, writeGenerated } from './generate-object.ts';
import { withOverrides } from './overrides.ts';

/** `cl run NAME --image=IMAGE`: creates a pod, and with `--expose` a service for it. */
export async function runPod(invocation: Invocation<typeof runFlags>): Promise<void> {
  const { options, words } = invocation;
  if (options.image === undefined) throw new CliError('required flag(s) "image" not set', { hint: '--image=IMAGE' });
  if (options.stdin || options.tty || options.attach || options.rm) {
    throw new CliError('--attach, --stdin, --tty and --rm are not supported', {
      hint: 'create the pod, and then "cl attach" or "cl exec"',
    });
  }
  if (options.expose && options.port === undefined) throw new CliError('--port must be set when exposing a service');
  const before = invocation.wordsBeforeDashes ?? words.length;
  // Words after the name are arguments too.
  const rest = { ...invocation, wordsBeforeDashes: Math.min(before, 1) };
  await generateObject(rest, async (generation) => {
    const pod = await withOverrides(podOf(generation.name, generation.command, options), options);
    if (options.expose) await writeGenerated(generation.session, options, serviceOf(generation.name, options));
    return pod;
  });
}

type RunOptions = Invocation<typeof runFlags>['options'];

function labelsFor(name: string, { labels }: RunOptions): JsonObject {
  return labels.length > 0 ? Object.fromEntries(readPairs(labels)) : { run: name };
}

function podOf(name: string, command: readonly string[], options: RunOptions): Generated {
  const { image = '', env, port, imagePullPolicy, privileged, restart, annotations } = options;
  const container: JsonObject = {
    image,
    name,
    resources: {},
    ...(command.length > 0 ? { [options.command ? 'command' : 'args']: [...command] } : {}),
    ...(env.length > 0 ? { env: readPairs(env).map(([key, value]) => ({ name: key, value })) } : {}),
    ...(port === undefined ? {} : { ports: [{ containerPort: port }] }),
    ...(imagePullPolicy ? { imagePullPolicy } : {}),
    ...(privileged ? { securityContext: { privileged: true } } : {}),
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
    metadata: { labels, name },
    spec: { ports: [{ port, protocol: 'TCP', targetPort: port }], selector: labels },
    status: { loadBalancer: {} },
  };
}
