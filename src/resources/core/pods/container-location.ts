import type { Pod, PodExecOptions, PodLogOptions, PodPortForwardOptions } from '../../../gen/stored/core-v1.ts';
import { allContainers } from '../../../kinds/core/pod.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import type {
  ConnectLocation,
  LocateConnect,
  LocatedRequest,
} from '../../../registry/definition/connect-definition.ts';
import { FieldCursor } from '../../../status/field-cursor.ts';
import { type FieldError, forbidden } from '../../../status/field-error.ts';
import { badRequest, notFound } from '../../../status/status-error.ts';
import { type NodeAgentSettings, nodeAgentLocation } from '../nodes/node-agent-location.ts';

/** The dependencies of the locations of containers. */
interface ContainerLocations {
  readonly settings: NodeAgentSettings;
  /** Reads a node; undefined if it does not exist. */
  readonly findNode: (name: string, signal: AbortSignal) => Promise<JsonObject | undefined>;
}

/** The node agent of a node. */
type AgentLocation = Pick<ConnectLocation, 'scheme' | 'host' | 'port' | 'isNodeAgent'>;

/** A parameter of a node agent's request, with its value; undefined omits it. */
type Parameter = readonly [name: string, value: string | number | bigint | undefined];

const logParameters = (options: PodLogOptions): readonly Parameter[] => [
  ['follow', options.follow ? 'true' : undefined],
  ['limitBytes', options.limitBytes],
  ['previous', options.previous ? 'true' : undefined],
  ['sinceSeconds', options.sinceSeconds],
  ['sinceTime', options.sinceTime],
  ['tailLines', options.tailLines],
  ['timestamps', options.timestamps ? 'true' : undefined],
];

const streamParameters = (options: PodExecOptions): readonly Parameter[] => [
  ...(options.command ?? []).map((word): Parameter => ['command', word]),
  ['error', options.stderr ? '1' : undefined],
  ['input', options.stdin ? '1' : undefined],
  ['output', options.stdout ? '1' : undefined],
  ['tty', options.tty ? '1' : undefined],
];

/** Locates the logs of a container; undefined if its pod is not scheduled: there are none. */
export function locateLogs(dependencies: ContainerLocations): LocateConnect<Pod, PodLogOptions> {
  return async (request) => {
    const { object, options, signal } = request;
    const container = containerOf(request, options.container);
    if (!object.spec.nodeName) return undefined;
    const agent = await agentOf(object.spec.nodeName, signal, dependencies);
    const path = pathOf('containerLogs', request, container);
    const insecure = options.insecureSkipTLSVerifyBackend ?? false;
    return { ...agent, path, query: queryOf(logParameters(options)), insecure };
  };
}

/** Returns the errors of the options of `pods/log`. */
export function validateLogOptions(given: PodLogOptions): readonly FieldError[] {
  const options = new FieldCursor(given);
  const { tailLines = 0, limitBytes = 1, sinceSeconds = 1, sinceTime } = given;
  if (tailLines < 0) options.at('tailLines').reportInvalid('must be greater than or equal to 0');
  if (limitBytes < 1) options.at('limitBytes').reportInvalid('must be greater than 0');
  if (given.sinceSeconds !== undefined && sinceTime !== undefined) {
    // The path of the options as a whole, in the spelling of kube-apiserver.
    options.report(forbidden('[]', 'at most one of `sinceTime` or `sinceSeconds` may be specified'));
  } else if (sinceSeconds < 1) options.at('sinceSeconds').reportInvalid('must be greater than 0');
  return options.errors;
}

/** Locates the streams of a command (`exec`) or of the main process (`attach`) of a container. */
export function locateStreams(
  verb: 'exec' | 'attach',
  dependencies: ContainerLocations,
): LocateConnect<Pod, PodExecOptions> {
  return async (request) => {
    const container = containerOf(request, request.options.container);
    const query = queryOf(streamParameters(request.options));
    return { ...(await streamingAgent(request, dependencies)), path: pathOf(verb, request, container), query };
  };
}

/** Locates the ports of a pod. */
export function locatePorts(dependencies: ContainerLocations): LocateConnect<Pod, PodPortForwardOptions> {
  return async (request) => {
    const query = queryOf([['port', request.options.ports?.join(',')]]);
    return { ...(await streamingAgent(request, dependencies)), path: pathOf('portForward', request), query };
  };
}

/** Locates the server behind `pods/proxy`: the named port, or the first one of the pod. */
export const locatePod: LocateConnect<Pod> = async ({ object: { spec, status }, scheme, port }) => {
  const host = status.podIP ?? '';
  if (host === '') throw badRequest('address not allowed');
  const secure = scheme === 'https' ? 'https' : 'http';
  const [first] = (spec.containers ?? []).flatMap(({ ports = [] }) => ports.slice(0, 1));
  const target = port || String(first?.containerPort ?? secure);
  return { scheme: secure, host, port: target, path: '', query: '', isNodeAgent: false };
};

/**
 * The name of the container that a request is about: the named one, or the only one of the pod.
 * Throws 400 for a name that the pod does not have, and for none if it has several.
 */
function containerOf({ object: { spec }, name: podName }: LocatedRequest<Pod, unknown>, container = ''): string {
  const named = allContainers(spec).map(({ name }) => name);
  if (container !== '') {
    if (named.includes(container)) return container;
    throw badRequest(`container ${container} is not valid for pod ${podName}`);
  }
  const [only, ...others] = spec.containers ?? [];
  if (only && others.length === 0) return only.name;
  const choice = only ? `, choose one of: [${named.join(' ')}]` : '';
  throw badRequest(`a container name must be specified for pod ${podName}${choice}`);
}

async function streamingAgent(
  { object, name, signal }: LocatedRequest<Pod, unknown>,
  dependencies: ContainerLocations,
): Promise<AgentLocation> {
  const { nodeName } = object.spec;
  if (!nodeName) throw badRequest(`pod ${name} does not have a host assigned`);
  return agentOf(nodeName, signal, dependencies);
}

async function agentOf(
  nodeName: string,
  signal: AbortSignal,
  { settings, findNode }: ContainerLocations,
): Promise<AgentLocation> {
  const node = await findNode(nodeName, signal);
  // kube-apiserver names the resource of the request here, not the missing object's.
  if (!node) throw notFound({ group: '', resource: 'pods' }, nodeName);
  return { ...nodeAgentLocation(node, settings), isNodeAgent: true };
}

function pathOf(verb: string, { namespace, name }: LocatedRequest<Pod, unknown>, container?: string): string {
  const parts = [verb, namespace, name, ...(container === undefined ? [] : [container])];
  return `/${parts.map(encodeURIComponent).join('/')}`;
}

function queryOf(parameters: readonly Parameter[]): string {
  const query = new URLSearchParams();
  for (const [name, value] of parameters) if (value !== undefined) query.append(name, String(value));
  return query.toString();
}
