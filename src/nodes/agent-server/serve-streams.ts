import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { identifierSets, identifiersOf } from '../../identifiers/identifiers.ts';
import type { Pod } from '../../controllers/resources.ts';
import { AgentError } from './runs/agent-error.ts';
import type { AgentSource } from './source/agent-source.ts';
import { type ContainerRun, currentRun, openRun } from './runs/container-run.ts';
import { findTargetPod } from './source/find-target-pod.ts';
import type { AgentPath } from './agent-path.ts';
import type { UpgradeRequest } from './protocols/upgrade-request.ts';
import { joinPort } from './ports/join-port.ts';
import { execute } from './programs/execute.ts';
import type { Program, ProgramCall } from './programs/program-call.ts';
import { portOverWebSocket, portsOverSpdy } from './protocols/port-streams.ts';
import { programOverSpdy, programOverWebSocket } from './protocols/program-streams.ts';
import { acceptWebSocket, tunnelOf } from './protocols/accept-web-socket.ts';
import { fillPlaceholders } from './runs/fill-placeholders.ts';
import { containerLog } from './logs/container-log.ts';
import { readAnnotation } from './runs/read-annotation.ts';
import { pause } from '../../async/timers.ts';
import { whenRunEnds } from './source/when-run-ends.ts';
import { inputLines } from './programs/input-lines.ts';

const domains = identifierSets.map((set) => identifiersOf(set).apiDomain);
const channelProtocols = ['v5', 'v4'].flatMap((version) => domains.map((domain) => `${version}.channel.${domain}`));
const commandProtocols = domains.map((domain) => `v4.channel.${domain}`);
const portProtocols = domains.map((domain) => `portforward.${domain}`);
const tunnelProtocols = portProtocols.map((protocol) => `SPDY/3.1+${protocol}`);

/** Serves the streams of a program or of ports, in the protocol that the client asks for. */
export function serveStreams(
  { verb, target, query }: AgentPath,
  upgrade: UpgradeRequest,
  source: AgentSource,
  signal: AbortSignal,
): void {
  const run = openRun(findTargetPod(source, target), target.container || firstContainer(source, target));
  const isWebSocket = upgrade.request.headers.upgrade?.toLowerCase() === 'websocket';
  if (verb === 'portForward') {
    const join = joinPort(run.pod, source);
    closeWithPod(upgrade.socket, run.pod, source);
    if (!isWebSocket) return portsOverSpdy(acceptSpdy(upgrade, portProtocols), join);
    const protocol = chosen(upgrade.request, 'sec-websocket-protocol', [...tunnelProtocols, ...commandProtocols]);
    const socket = acceptWebSocket(upgrade, protocol, acceptKey(upgrade.request));
    if (tunnelProtocols.includes(protocol)) return portsOverSpdy(tunnelOf(socket), join);
    return portOverWebSocket(socket, portsOf(query), join);
  }
  const program: Program =
    verb === 'exec'
      ? (call) => execute(query.getAll('command'), run, source, call)
      : (call) => attach(run, source, call);
  if (!isWebSocket) return programOverSpdy(acceptSpdy(upgrade, commandProtocols), query, program, signal);
  const protocol = chosen(upgrade.request, 'sec-websocket-protocol', channelProtocols);
  programOverWebSocket(acceptWebSocket(upgrade, protocol, acceptKey(upgrade.request)), query, program, signal);
}

/** Closes a connection when its pod is gone. */
function closeWithPod(socket: Duplex, { metadata }: Pod, { changes }: AgentSource): void {
  const closed = new AbortController();
  socket.once('close', () => closed.abort());
  const check = (pod: Pod | undefined): unknown => pod ?? socket.destroy();
  changes.follow(metadata.uid, check, closed.signal);
}

/** Each port has two channels, whose numbers are bytes; those above are not served. */
function portsOf(query: URLSearchParams): readonly number[] {
  const ports = query.getAll('port').flatMap((each) => each.split(','));
  return ports.slice(0, 128).map(Number);
}

function firstContainer(source: AgentSource, target: AgentPath['target']): string {
  return findTargetPod(source, target).spec.containers?.[0]?.name ?? '';
}

/** The first protocol of the client that is known. */
function chosen(request: IncomingMessage, header: string, known: readonly string[]): string {
  const offered = String(request.headers[header] ?? '').split(/,\s*/);
  const found = offered.find((protocol) => known.includes(protocol));
  if (found === undefined) throw new AgentError(400, `use one of the protocols ${known.join(', ')}`);
  return found;
}

/** From RFC 6455 section 1.3. */
function acceptKey({ headers }: IncomingMessage): string {
  return createHash('sha1')
    .update(`${headers['sec-websocket-key'] ?? ''}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
    .digest('base64');
}

function acceptSpdy({ request, socket, head }: UpgradeRequest, known: readonly string[]): Duplex {
  const protocol = chosen(request, 'x-stream-protocol-version', known);
  const lines = ['HTTP/1.1 101 Switching Protocols', 'Connection: Upgrade', 'Upgrade: SPDY/3.1'];
  socket.write([...lines, `X-Stream-Protocol-Version: ${protocol}`, '', ''].join('\r\n'));
  if (head.length > 0) socket.unshift(head);
  return socket;
}

const longestWaitMs = 1_000;

/**
 * Attaches to the main program of a container: streams its log from now on, and replies to each
 * line of input, by default with the line. Returns the exit code of the container.
 */
async function attach(run: ContainerRun, source: AgentSource, call: ProgramCall): Promise<number> {
  const stop = new AbortController();
  const signal = AbortSignal.any([call.signal, whenRunEnds(run, source, stop.signal)]);
  const lineEnd = call.tty ? '\r\n' : '\n';
  void reply(run, source, { ...call, signal }, lineEnd).catch(() => {});
  const log = containerLog(run, source.identifiers);
  let next = log.countAt(Date.now());
  while (!signal.aborted) {
    await pause(Math.min(longestWaitMs, log.intervalMs ?? longestWaitMs), signal);
    for (const count = log.countAt(Date.now()); next < count && !signal.aborted; next++) {
      await call.out(`${log.line(next).text}${lineEnd}`);
    }
  }
  stop.abort();
  return exitCodeOf(run, source);
}

async function reply(run: ContainerRun, source: AgentSource, call: ProgramCall, lineEnd: string): Promise<void> {
  const template = readAnnotation(run.pod.metadata.annotations, 'attach-reply', source.identifiers) ?? '{line}';
  let count = 0;
  for await (const line of inputLines(call)) {
    const text = fillPlaceholders(template, run, { timeMs: Date.now(), count: ++count, more: [['line', line]] });
    await call.out(`${text}${lineEnd}`);
  }
}

/** The exit code of a container that has ended; 0 if its pod is deleted. */
function exitCodeOf({ pod, container }: ContainerRun, { pods }: AgentSource): number {
  const now = pods.get(pod.metadata.name, pod.metadata.namespace);
  try {
    return now ? currentRun(now, container).exitCode : 0;
  } catch {
    return 0;
  }
}
