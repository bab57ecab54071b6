import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { podsOn } from '../../controllers/workloads/pods-by-node.ts';
import { AgentError } from './runs/agent-error.ts';
import type { AgentSource } from './source/agent-source.ts';
import { sendLog } from './logs/send-log.ts';
import type { AgentPath } from './agent-path.ts';
import type { UpgradeRequest } from './protocols/upgrade-request.ts';
import { serveStreams } from './serve-streams.ts';
import { standInHosts } from '../../kinds/core/stand-in-hosts.ts';

/** Answers a request without an upgrade: logs, the pods of a node, and its health. */
export async function handleRequest(
  request: IncomingMessage,
  response: ServerResponse,
  source: AgentSource | undefined,
  signal: AbortSignal,
): Promise<void> {
  request.resume();
  try {
    const { verb, target, query } = pathOf(request);
    if (verb === 'healthz') return sendText(response, 200, 'ok');
    if (!source) throw new AgentError(503, 'the stand-in nodes are not ready');
    if (request.method !== 'GET' && request.method !== 'HEAD') throw new AgentError(405, 'use GET');
    if (verb === 'containerLogs') return await sendLog(target, query, response, source, signal);
    if (verb === 'pods') return sendPods(response, source, target.node);
    if (upgradeVerbs.has(verb)) throw new AgentError(400, 'Upgrade request required');
    throw new AgentError(404, `a stand-in node has no ${JSON.stringify(request.url?.slice(0, 200))}`);
  } catch (error) {
    if (response.headersSent || !(error instanceof AgentError)) throw error;
    sendText(response, error.status, error.message);
  }
}

const upgradeVerbs: ReadonlySet<string> = new Set(['exec', 'attach', 'portForward']);

/** Answers a request for an upgrade: the streams of a program or of a port. */
export function handleUpgrade(upgrade: UpgradeRequest, source: AgentSource | undefined, signal: AbortSignal): void {
  try {
    const path = pathOf(upgrade.request);
    if (!source) throw new AgentError(503, 'the stand-in nodes are not ready');
    if (!upgradeVerbs.has(path.verb)) throw new AgentError(400, 'nothing is served after an upgrade here');
    serveStreams(path, upgrade, source, signal);
  } catch (error) {
    const { status, message } = error instanceof AgentError ? error : new AgentError(500, String(error));
    const head = [
      `HTTP/1.1 ${status} Refused`,
      'Content-Type: text/plain',
      `Content-Length: ${Buffer.byteLength(message)}`,
    ];
    upgrade.socket.end([...head, 'Connection: close', '', message].join('\r\n'));
  }
}

/** The node is the one whose host name the API server connected to. */
function pathOf(request: IncomingMessage): AgentPath {
  const url = new URL(request.url ?? '/', 'https://agent');
  const [verb = '', namespace = '', pod = '', ...rest] = url.pathname.slice(1).split('/').map(decoded);
  // Connections of an HTTPS server are TLS sockets.
  const name = (request.socket as TLSSocket).servername;
  const host = typeof name === 'string' ? name : '';
  const node = host.endsWith(`.${standInHosts}`) ? host.slice(0, -standInHosts.length - 1) : '';
  // Some clients name the uid of the pod before the container.
  return { verb, target: { node, namespace, pod, container: rest.at(-1) ?? '' }, query: url.searchParams };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new AgentError(400, 'the path is not encoded properly');
  }
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' });
  response.end(text);
}

function sendPods(response: ServerResponse, { pods }: AgentSource, node: string): void {
  const items = podsOn(pods, node);
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ kind: 'PodList', apiVersion: 'v1', metadata: {}, items }));
}
