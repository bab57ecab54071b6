import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, createSecureContext } from 'node:tls';
import type { AllowsAddress } from './address-policy.ts';
import { linkSignals, untilAborted } from '../async/abort-signals.ts';
import { memoize } from '../meta/memoize.ts';
import type { OpenTunnel } from './proxy/send-connect.ts';
import { connectError, DialError, handshakeError, lookupError } from './dial-error.ts';

/** The server to connect to. */
interface DialTarget {
  /** An IP address, or a name that is looked up. */
  readonly host: string;
  /** A number, or the name of a well-known port. */
  readonly port: string;
  /** The TLS options; absent: no TLS. */
  readonly tls?: DialTls;
}

/** TLS of a connection, in PEM. The same object has the same content: it is parsed once. */
export interface DialTls {
  /** The trusted CAs, which replace the system's. */
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  /** Skips the verification of the server's certificate. */
  readonly insecure?: boolean;
}

/** The limits of a connection that is opened. */
interface DialLimits {
  readonly allows: AllowsAddress;
  /** The time for the look-up, the connection and the handshake together. */
  readonly timeoutMs: number;
  /** Aborts the attempt. */
  readonly signal: AbortSignal;
  /** Looks up a name; the system's look-up if absent. */
  readonly lookUp?: (host: string) => Promise<readonly LookupAddress[]>;
  /** Opens the connection through a proxy, which looks up names; absent: it is opened directly. */
  readonly tunnel?: OpenTunnel | undefined;
}

/** TCP keep-alive probes start after this idle time. */
const keepAliveMs = 30_000;

const highestPort = 65_535;
const wellKnownPorts: Readonly<Record<string, number>> = { http: 80, https: 443 };

/**
 * Opens a connection to an address that the policy allows. A name is looked up once, and exactly
 * the checked addresses are connected to, so that a name server that changes its answer (DNS
 * rebinding) cannot lead elsewhere. Throws DialError.
 */
export async function dial(target: DialTarget, limits: DialLimits): Promise<Socket> {
  const { allows, timeoutMs, signal, lookUp = lookUpAll, tunnel } = limits;
  const port = portOf(target.port);
  const address = isIP(target.host) === 6 ? `[${target.host}]:${port}` : `${target.host}:${port}`;
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), timeoutMs);
  const linked = linkSignals(signal, timeout.signal);
  try {
    const found = await untilAborted(addressesOf(target.host, lookUp), linked.signal).catch((error: unknown) => {
      // The proxy may know names that are unknown here.
      if (tunnel && error instanceof DialError) return undefined;
      throw error;
    });
    const addresses = found?.filter((one) => allows(one.address, port)) ?? [];
    if (found && addresses.length === 0) throw new DialError('not-allowed', 'address not allowed');
    const socket = tunnel
      ? await tunnel({ host: target.host, port }, linked.signal)
      : await openDirectly(addresses, { address, port, signal: linked.signal });
    if (!target.tls) return socket;
    const secured = secure(socket, target.host, target.tls);
    await opened(secured, 'secureConnect', linked.signal, handshakeError);
    return secured;
  } catch (error) {
    if (signal.aborted) throw new DialError('cancelled', 'context canceled', { cause: signal.reason });
    if (timeout.signal.aborted) throw new DialError('unreachable', `dial tcp ${address}: i/o timeout`);
    throw error;
  } finally {
    clearTimeout(timer);
    linked.release();
  }
}

function portOf(text: string): number {
  const port = wellKnownPorts[text] ?? Number(text);
  if (!/^\d+$/.test(text) && !Object.hasOwn(wellKnownPorts, text)) {
    throw new DialError('unreachable', `dial tcp: lookup tcp/${text}: unknown port`);
  }
  if (port > highestPort) throw new DialError('unreachable', `dial tcp: address ${text}: invalid port`);
  return port;
}

const lookUpAll = (host: string): Promise<readonly LookupAddress[]> => lookup(host, { all: true });

async function addressesOf(host: string, lookUp: typeof lookUpAll): Promise<readonly LookupAddress[]> {
  const family = isIP(host);
  if (family !== 0) return [{ address: host, family }];
  try {
    return await lookUp(host);
  } catch (error) {
    throw lookupError(host, error);
  }
}

interface DirectDial {
  /** The address for error messages. */
  readonly address: string;
  readonly port: number;
  readonly signal: AbortSignal;
}

async function openDirectly(
  addresses: readonly LookupAddress[],
  { address, port, signal }: DirectDial,
): Promise<Socket> {
  const socket = connectTo(addresses, port);
  await opened(socket, 'connect', signal, (error) => connectError(address, error));
  return socket;
}

/** Connects to the first address that accepts. The name does not matter: it is not looked up. */
function connectTo(addresses: readonly LookupAddress[], port: number): Socket {
  return connectTcp({
    host: 'checked',
    port,
    autoSelectFamily: true,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: keepAliveMs,
    lookup: (_host, _options, found) => found(null, [...addresses]),
  });
}

/** Parsing certificates and keys takes longer than a handshake. */
const contextOf = memoize(({ ca, cert, key }: DialTls) => createSecureContext({ ca, cert, key }));

function secure(socket: Socket, host: string, tls: DialTls): Socket {
  const name = isIP(host) === 0 ? { servername: host } : {};
  return connectTls({ ...name, socket, host, secureContext: contextOf(tls), rejectUnauthorized: !tls.insecure });
}

/** Waits for the event of an open connection. Destroys the socket of a failed or aborted one. */
function opened(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  signal: AbortSignal,
  errorOf: (error: unknown) => DialError,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void): void => {
      signal.removeEventListener('abort', aborted);
      socket.off('error', failed).off('close', closed).off(event, succeeded);
      finish();
    };
    const failed = (error: unknown): void =>
      settle(() => {
        socket.on('error', ignore).destroy();
        reject(errorOf(error));
      });
    const aborted = (): void => failed(signal.reason);
    const closed = (): void => failed(new Error('EOF'));
    const succeeded = (): void => settle(resolve);
    socket.on('error', failed).on('close', closed).on(event, succeeded);
    signal.addEventListener('abort', aborted, { once: true });
    if (signal.aborted) aborted();
  });
}

function ignore(): void {}
