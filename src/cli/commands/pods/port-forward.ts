import { once } from 'node:events';
import { type AddressInfo, createServer, isIP, type Server, type Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { whenAborted } from '../../../async/abort-signals.ts';
import { hasReason } from '../../../client/error-of-response.ts';
import { checkPorts, connectToPort } from '../../../client/streams/connect-to-port.ts';
import type * as corev1 from '../../../gen/types/core-v1.ts';
import { CliError, errorLine } from '../../cli-error.ts';
import type { Invocation } from '../../command.ts';
import { withClient } from '../../connect.ts';
import type { Session } from '../../find-type.ts';
import { findOwner, podOf } from './find-pod.ts';
import type { portForwardFlags } from './flags.ts';
import { type ForwardedPort, readPort } from './forwarded-ports.ts';

/** `cl port-forward`: leads ports of this machine to ports of a pod, until interrupted. */
export async function portForward({ words, options, io }: Invocation<typeof portForwardFlags>): Promise<void> {
  const [word = '', ...texts] = words;
  await withClient({ options, io }, async (client) => {
    const session = { client, options, io };
    const owner = await findOwner(session, word);
    const pod = await podOf(session, owner, options.podRunningTimeout);
    const phase = pod.status?.phase ?? '';
    if (phase !== 'Running') {
      throw new CliError(`unable to forward port because pod is not running. Current status=${phase}`);
    }
    // The type was found by its name.
    const service = owner.owner?.isService ? (owner.owner.object as corev1.Service) : undefined;
    const ports = texts.map((text) => readPort(text, { pod, service }));
    await checkPorts(client, pod.metadata?.name ?? '', { signal: io.signal });
    await forwardAll(session, pod.metadata?.name ?? '', { ports, addresses: options.address });
  });
}

interface Forwarding {
  readonly ports: readonly ForwardedPort[];
  readonly addresses: readonly string[];
}

async function forwardAll(session: Session, pod: string, { ports, addresses }: Forwarding): Promise<void> {
  const { io } = session;
  const servers: Server[] = [];
  const lost = new AbortController();
  const ended = AbortSignal.any([io.signal, lost.signal]);
  try {
    for (const port of ports) {
      const bound = await listenOn(addresses, port.local, (socket, local) => {
        io.stdout.write(`Handling connection for ${local}\n`);
        forward({ session, pod, remote: port.remote, signal: ended }, socket).catch((error: unknown) => {
          if (ended.aborted) return;
          io.stderr.write(`${errorLine(error)}\n`);
          if (hasReason(error, 'NotFound')) lost.abort();
        });
      });
      servers.push(...bound);
      for (const server of bound) io.stdout.write(`Forwarding from ${addressOf(server)} -> ${port.remote}\n`);
    }
    await whenAborted(ended);
  } finally {
    lost.abort();
    for (const server of servers) server.close();
  }
  io.signal.throwIfAborted();
  throw new CliError('lost connection to pod', { hint: 'the pod is gone; choose another' });
}

interface ForwardTarget {
  readonly session: Session;
  readonly pod: string;
  readonly remote: number;
  readonly signal: AbortSignal;
}

async function forward({ session: { client }, pod, remote, signal }: ForwardTarget, socket: Socket): Promise<void> {
  const failed: string[] = [];
  socket.on('error', () => failed.push('socket'));
  try {
    const stream = await connectToPort(client, pod, remote, { signal });
    stream.on('error', () => failed.push('stream'));
    socket.once('close', () => stream.destroy());
    // The other direction ends with this one.
    void pipeline(socket, stream).catch(() => {});
    await pipeline(stream, socket);
  } catch (error) {
    // A caller that goes away first is no failure.
    if (failed[0] !== 'socket' && !isPremature(error)) throw error;
  } finally {
    socket.destroySoon();
  }
}

function isPremature(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
}

function addressOf(server: Server): string {
  // A listening TCP server has such an address.
  const { address, port } = server.address() as AddressInfo;
  return isIP(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`;
}

type OnConnection = (socket: Socket, local: number) => void;

/** Listens on all addresses; one of the two of localhost may be missing on this machine. */
async function listenOn(addresses: readonly string[], port: number, serve: OnConnection): Promise<Server[]> {
  const servers: Server[] = [];
  const failures: string[] = [];
  let chosen = port;
  for (const { host, optional } of addresses.flatMap(hostsOf)) {
    try {
      const server = await listen(host, chosen, serve);
      servers.push(server);
      if (chosen === 0) chosen = (server.address() as AddressInfo).port;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      failures.push(why);
      if (!optional) throw unableToListen(port, [why]);
    }
  }
  if (servers.length === 0) throw unableToListen(port, failures);
  return servers;
}

function unableToListen(port: number, failures: readonly string[]): CliError {
  return new CliError(`unable to listen on port ${port}: ${failures.join('; ')}`, {
    hint: 'choose another with LOCAL:REMOTE, or a free one with :REMOTE',
  });
}

function hostsOf(address: string): readonly { readonly host: string; readonly optional: boolean }[] {
  if (address === 'localhost') return ['127.0.0.1', '::1'].map((host) => ({ host, optional: true }));
  if (isIP(address) !== 0) return [{ host: address, optional: false }];
  throw new CliError(`"${address}" is not an IP address or localhost`);
}

async function listen(host: string, port: number, serve: OnConnection): Promise<Server> {
  const server = createServer({ allowHalfOpen: true }, (socket) => serve(socket, socket.localPort ?? port));
  server.listen(port, host);
  await once(server, 'listening');
  return server;
}
