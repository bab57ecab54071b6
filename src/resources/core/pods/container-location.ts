import { getOwn, type JsonObject } from '../../../meta/json-value.ts';
import { isTrue, objectAt, stringAt, stringsAt } from '../../../meta/read-field.ts';
import type { ConnectLocation, LocateConnect, LocatedRequest } from '../../../registry/definition/connect-location.ts';
import { badRequest, notFound } from '../../../status/status-error.ts';
import { type NodeAgentSettings, nodeAgentLocation } from '../nodes/node-agent-location.ts';
import { chooseContainer } from './container-choice.ts';

/** The dependencies of the locations of containers. */
interface ContainerLocations {
  readonly settings: NodeAgentSettings;
  /** Reads a node; undefined if it does not exist. */
  readonly findNode: (name: string, signal: AbortSignal) => Promise<JsonObject | undefined>;
}

/** The node agent of a node. */
type AgentLocation = Pick<ConnectLocation, 'scheme' | 'host' | 'port' | 'isNodeAgent'>;

/** A parameter of a node agent's request, with its value; undefined omits it. */
type Parameter = readonly [name: string, value: string | undefined];

const logParameters = (options: JsonObject): readonly Parameter[] => [
  ['follow', flag(options, 'follow', 'true')],
  ['limitBytes', text(options, 'limitBytes')],
  ['previous', flag(options, 'previous', 'true')],
  ['sinceSeconds', text(options, 'sinceSeconds')],
  ['sinceTime', text(options, 'sinceTime')],
  ['tailLines', text(options, 'tailLines')],
  ['timestamps', flag(options, 'timestamps', 'true')],
];

const streamParameters = (options: JsonObject): readonly Parameter[] => [
  ...stringsAt(options, 'command').map((word): Parameter => ['command', word]),
  ['error', flag(options, 'stderr', '1')],
  ['input', flag(options, 'stdin', '1')],
  ['output', flag(options, 'stdout', '1')],
  ['tty', flag(options, 'tty', '1')],
];

/** Locates the logs of a container; undefined if its pod is not scheduled: there are none. */
export function locateLogs(dependencies: ContainerLocations): LocateConnect {
  return async (request) => {
    const container = chooseContainer(request.object, request.name, stringAt(request.options, 'container'));
    const nodeName = stringAt(objectAt(request.object, 'spec'), 'nodeName');
    if (nodeName === '') return undefined;
    const agent = await agentOf(nodeName, request.signal, dependencies);
    const path = pathOf('containerLogs', request, container);
    const query = queryOf(logParameters(request.options));
    return { ...agent, path, query, insecure: isTrue(request.options, 'insecureSkipTLSVerifyBackend') };
  };
}

/** Locates the streams of a command (`exec`) or of the main process (`attach`) of a container. */
export function locateStreams(verb: 'exec' | 'attach', dependencies: ContainerLocations): LocateConnect {
  return async (request) => {
    const { object, name, options } = request;
    const container = chooseContainer(object, name, stringAt(options, 'container'));
    const query = queryOf(streamParameters(options));
    return { ...(await streamingAgent(request, dependencies)), path: pathOf(verb, request, container), query };
  };
}

/** Locates the ports of a pod. */
export function locatePorts(dependencies: ContainerLocations): LocateConnect {
  return async (request) => {
    const ports = getOwn(request.options, 'ports');
    const list = Array.isArray(ports) ? ports.map((port) => JSON.stringify(port)).join(',') : undefined;
    const query = queryOf([['port', list]]);
    return { ...(await streamingAgent(request, dependencies)), path: pathOf('portForward', request), query };
  };
}

async function streamingAgent(
  { object, name, signal }: LocatedRequest,
  dependencies: ContainerLocations,
): Promise<AgentLocation> {
  const nodeName = stringAt(objectAt(object, 'spec'), 'nodeName');
  if (nodeName === '') throw badRequest(`pod ${name} does not have a host assigned`);
  return agentOf(nodeName, signal, dependencies);
}

async function agentOf(
  nodeName: string,
  signal: AbortSignal,
  { settings, findNode }: ContainerLocations,
): Promise<AgentLocation> {
  const node = await findNode(nodeName, signal);
  // kube-apiserver names the resource of the request here, and not that of the missing object.
  if (!node) throw notFound({ group: '', resource: 'pods' }, nodeName);
  return { ...nodeAgentLocation(node, settings), isNodeAgent: true };
}

function pathOf(verb: string, { namespace, name }: LocatedRequest, container?: string): string {
  const parts = [verb, namespace, name, ...(container === undefined ? [] : [container])];
  return `/${parts.map(encodeURIComponent).join('/')}`;
}

function queryOf(parameters: readonly Parameter[]): string {
  const query = new URLSearchParams();
  for (const [name, value] of parameters) if (value !== undefined) query.append(name, value);
  return query.toString();
}

function flag(options: JsonObject, name: string, value: string): string | undefined {
  return isTrue(options, name) ? value : undefined;
}

function text(options: JsonObject, name: string): string | undefined {
  const value = getOwn(options, name);
  return typeof value === 'object' || value === undefined ? undefined : String(value);
}
