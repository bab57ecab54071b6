import type * as corev1 from '../../../gen/types/core-v1.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { generateName } from '../../../meta/random-suffix.ts';
import { CliError } from '../../cli-error.ts';
import type { Invocation } from '../../command.ts';
import { withCustomFields } from './custom-container.ts';
import type { debugFlags } from './flags.ts';

/** The flags of `cl debug` with the program of the container. */
export type DebugOptions = Invocation<typeof debugFlags>['options'] & {
  readonly program: readonly string[];
  /** The fields of `--custom`. */
  readonly customFields: JsonObject;
};

type Profile = DebugOptions['profile'];

/** The rights of a container by profile, in a pod that exists or is copied. */
const inPod: Readonly<Record<Profile, corev1.SecurityContext | undefined>> = {
  general: { capabilities: { add: ['SYS_PTRACE'] } },
  baseline: undefined,
  restricted: {
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'] },
    runAsNonRoot: true,
    seccompProfile: { type: 'RuntimeDefault' },
  },
  netadmin: { capabilities: { add: ['NET_ADMIN', 'NET_RAW'] } },
  sysadmin: { privileged: true },
};

/** The rights by profile in a pod on a node; the general one has the host's namespaces instead. */
const onNode: typeof inPod = { ...inPod, general: undefined };

/** Pods on a node that have its namespaces and files. */
const withHost: ReadonlySet<Profile> = new Set(['general', 'netadmin', 'sysadmin']);

/** The container that the flags describe. */
export function debugContainer(options: DebugOptions, name: string): corev1.Container {
  const { image, env, imagePullPolicy, program, argumentsOnly, stdin, tty, profile } = options;
  if (image === undefined) throw new CliError('you must specify --image', { hint: 'for example: --image=busybox' });
  const securityContext = inPod[profile];
  const container: corev1.Container = {
    name,
    image,
    ...(env.length > 0 ? { env: env.map(variableOf) } : {}),
    ...(imagePullPolicy === undefined ? {} : { imagePullPolicy }),
    ...(program.length === 0 ? {} : argumentsOnly ? { args: [...program] } : { command: [...program] }),
    ...(stdin ? { stdin } : {}),
    ...(tty ? { tty } : {}),
    terminationMessagePolicy: 'File',
    ...(securityContext ? { securityContext } : {}),
  };
  return withCustomFields(container, options.customFields);
}

function variableOf(text: string): corev1.EnvVar {
  const sign = text.indexOf('=');
  if (sign < 1) throw new CliError(`"${text}" is not a variable`, { hint: 'write --env=NAME=VALUE' });
  return { name: text.slice(0, sign), value: text.slice(sign + 1) };
}

/** A pod on a node, with the files of the node in `/host` if the profile has them. */
export function nodePod(options: DebugOptions, node: string): corev1.Pod {
  const { customFields } = options;
  const plain = { ...options, customFields: {} };
  const { securityContext: _, ...container } = debugContainer(plain, options.container ?? 'debugger');
  const rights = onNode[options.profile];
  const hasHost = withHost.has(options.profile);
  const mounted = hasHost ? { volumeMounts: [{ name: 'host-root', mountPath: '/host' }] } : {};
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: generateName(`node-debugger-${node}-`) },
    spec: {
      nodeName: node,
      restartPolicy: 'Never',
      tolerations: [{ operator: 'Exists' }],
      containers: [
        withCustomFields({ ...container, ...mounted, ...(rights ? { securityContext: rights } : {}) }, customFields),
      ],
      ...(hasHost
        ? {
            hostIPC: true,
            hostNetwork: true,
            hostPID: true,
            volumes: [{ name: 'host-root', hostPath: { path: '/' } }],
          }
        : {}),
    },
  };
}

/** A copy of a pod, and the name of the container that is of interest. */
export function copiedPod(
  { spec, metadata }: corev1.Pod,
  options: DebugOptions,
): { readonly pod: corev1.Pod; readonly container: string } {
  const { containers = [], initContainers, ephemeralContainers: _, nodeName, ...rest } = spec ?? {};
  const copied = containers.map((container) => withImage(withoutProbes(container, options), options.setImage));
  const { list, name } = withDebugContainer(copied, options);
  const pod: corev1.Pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: options.copyTo ?? '',
      ...(options.keepLabels && metadata?.labels ? { labels: metadata.labels } : {}),
      ...(options.keepAnnotations && metadata?.annotations ? { annotations: metadata.annotations } : {}),
    },
    spec: {
      ...rest,
      containers: list,
      ...(options.keepInitContainers && initContainers ? { initContainers } : {}),
      ...(options.sameNode && nodeName !== undefined ? { nodeName } : {}),
      ...(options.shareProcesses ? { shareProcessNamespace: true } : {}),
    },
  };
  return { pod, container: name };
}

function withoutProbes(
  { livenessProbe, readinessProbe, startupProbe, ...container }: corev1.Container,
  { keepLiveness, keepReadiness, keepStartup }: DebugOptions,
): corev1.Container {
  return {
    ...container,
    ...(keepLiveness && livenessProbe ? { livenessProbe } : {}),
    ...(keepReadiness && readinessProbe ? { readinessProbe } : {}),
    ...(keepStartup && startupProbe ? { startupProbe } : {}),
  };
}

/** `name=image`, or `*=image` for all. */
function withImage(container: corev1.Container, pairs: readonly string[]): corev1.Container {
  const images = new Map(pairs.map((pair) => [pair.split('=')[0] ?? '', pair.slice(pair.indexOf('=') + 1)]));
  const image = images.get(container.name ?? '') ?? images.get('*');
  return image === undefined ? container : { ...container, image };
}

/** Changes the container that is named, or adds one if there is an image. */
function withDebugContainer(
  containers: readonly corev1.Container[],
  options: DebugOptions,
): { readonly list: corev1.Container[]; readonly name: string } {
  const [first] = containers;
  const { container: wanted, image, program } = options;
  const named = wanted ?? (image === undefined ? first?.name : undefined);
  const changed = containers.find(({ name }) => name === named);
  if (!changed) {
    const name = named ?? generateName('debugger-');
    return { list: [...containers, debugContainer(options, name)], name };
  }
  const isCustom = Object.keys(options.customFields).length > 0 || options.env.length > 0;
  const isChanged = image !== undefined || program.length > 0 || options.stdin || options.tty || isCustom;
  const { terminationMessagePolicy: _, ...given } = debugContainer(
    { ...options, image: image ?? changed.image },
    changed.name ?? '',
  );
  const list = containers.map((each) => (each === changed && isChanged ? { ...each, ...given } : each));
  return { list, name: changed.name ?? '' };
}
