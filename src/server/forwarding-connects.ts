import type { ConnectHandler, ConnectSubresource } from '../api/connect/connect-subresource.ts';
import { forwardLogs } from '../api/connect/forward-logs.ts';
import { forwardProxy } from '../api/connect/forward-proxy.ts';
import { connectionError, type ForwardingDependencies, hostOf, locationOf, pathOf } from '../api/connect/forwarding.ts';
import { type Identifiers, identifiersOf } from '../identifiers/identifiers.ts';
import type { JsonObject } from '../meta/json-value.ts';
import { memoize } from '../meta/memoize.ts';
import { addressPolicy, type AllowsAddress } from '../outbound/address-policy.ts';
import { dial, type DialTls } from '../outbound/dial.ts';
import type { OpenTunnel } from '../outbound/proxy/send-connect.ts';
import { keepAliveAgents } from '../outbound/keep-alive.ts';
import type { ConnectLocation, LocateConnect } from '../registry/definition/connect-definition.ts';
import { hasReason, systemScope } from '../registry/internal/ensure-object.ts';
import type { Registries } from '../registry/definition/registry.ts';
import { connectSubresources } from '../catalogue/connect-subresources.ts';
import { locateNode } from '../resources/core/nodes/node-agent-location.ts';
import { locateLogs, locatePod, locatePorts, locateStreams } from '../resources/core/pods/container-location.ts';
import { locateService } from '../resources/core/services/proxy-location.ts';
import { badRequest, notServed } from '../status/status-error.ts';
import type { ServerOptions } from '../config/server-options.ts';
import { dialStandIn, isStandIn, type StandInAgent } from './stand-in-agent.ts';
import { forwardRequest } from '../http-protocol/forward/forward-request.ts';

/** The dependencies of connections that the server opens for clients. */
interface ForwardingContext {
  readonly registries: Registries;
  /** The current certificates for node agents. */
  readonly nodeAgentTls: () => DialTls;
  /** The agent of stand-in nodes; undefined without one. */
  readonly standInAgent: StandInAgent | undefined;
  /** The tunnel to nodes, pods and Services; undefined: direct connections. */
  readonly tunnel: OpenTunnel | undefined;
  /** Reports whether a port is one of this server's. */
  readonly isOwnPort: (port: number) => boolean;
}

/** The servers behind `proxy` are not verified, as in kube-apiserver: they have no known CA. */
const proxyTls: DialTls = Object.freeze({ insecure: true });

/** The time limit for connecting to the server behind a `proxy`. */
const proxyTimeoutMs = 30_000;

/** Returns the connect sub-resources with handlers that forward their requests. */
export function forwardingConnects(options: ServerOptions, context: ForwardingContext): readonly ConnectSubresource[] {
  const { nodeAgent, identifiers, proxyAllowedNetworks: allowedNetworks } = options;
  const { maxConnectionBytesPerSecond: bytesPerSecond } = options;
  const settings = { ...nodeAgent, port: nodeAgent.https ? nodeAgent.port : nodeAgent.readOnlyPort };
  const finder = objectFinder(identifiersOf(identifiers), context.registries);
  const allows = addressPolicy({ allowedNetworks, isOwnPort: context.isOwnPort });
  const { open, keep } = connector(options, context, allows);
  const findNode = finder('nodes');
  const containers = {
    settings,
    findNode: (name: string, signal: AbortSignal) => findNode('', name, signal),
  };
  const forward = (
    handler: (dependencies: ForwardingDependencies) => ConnectHandler,
    locate: LocateConnect<never, never>,
  ) =>
    // Objects and options are decoded by the kinds of which the location declares the types.
    handler({ locate: locate as LocateConnect, open, keep, bytesPerSecond });
  const services = {
    findEndpoints: finder('endpoints'),
    findPod: finder('pods'),
  };
  const handlers: Readonly<Record<string, ConnectHandler>> = {
    'nodes/proxy': forward(forwardProxy, locateNode(settings)),
    'pods/attach': forward(forwardStreams, locateStreams('attach', containers)),
    'pods/exec': forward(forwardStreams, locateStreams('exec', containers)),
    'pods/log': forward(forwardLogs, locateLogs(containers)),
    'pods/portforward': forward(forwardStreams, locatePorts(containers)),
    'pods/proxy': forward(forwardProxy, locatePod),
    'services/proxy': forward(forwardProxy, locateService(services)),
  };
  return connectSubresources.map((one) => {
    const handler = handlers[`${one.resource}/${one.subresource}`];
    return handler ? { ...one, handler } : one;
  });
}

/** The TLS for a node agent; `insecure` if its client asks for no verification. */
function agentTls(tls: DialTls, insecure: boolean): DialTls {
  return insecure ? withoutVerification(tls) : tls;
}

const withoutVerification = memoize((tls: DialTls): DialTls => ({ ...tls, insecure: true }));

/** Opens connections to node agents with the server's certificate, and to others without. */
function connector(
  { nodeAgent }: ServerOptions,
  { nodeAgentTls, standInAgent, tunnel }: ForwardingContext,
  allows: AllowsAddress,
): Pick<ForwardingDependencies, 'open' | 'keep'> {
  const kept = keepAliveAgents();
  const tlsOf = ({ isNodeAgent, insecure = false }: ConnectLocation) =>
    isNodeAgent ? agentTls(nodeAgentTls(), insecure) : proxyTls;
  const open = (location: ConnectLocation, signal: AbortSignal) => {
    if (standInAgent && isStandIn(location)) return dialStandIn(location, standInAgent, signal);
    const { scheme, host, port } = location;
    const timeoutMs = location.isNodeAgent ? nodeAgent.timeoutMs : proxyTimeoutMs;
    const target = { host, port, ...(scheme === 'https' ? { tls: tlsOf(location) } : {}) };
    return dial(target, { allows, timeoutMs, signal, tunnel });
  };
  // The connection may serve other requests after the one that it is opened for.
  const keep = (location: ConnectLocation) =>
    kept(tlsOf(location))(`${location.scheme}://${location.host} ${location.port}`, () => open(location, neverAborted));
  return { open, keep };
}

const neverAborted = new AbortController().signal;

/** Finds objects of a resource in their storage version; undefined for one that does not exist. */
function objectFinder(identifiers: Identifiers, registries: Registries) {
  return (resource: string) => async (namespace: string, name: string, signal: AbortSignal) => {
    const registry = registries.forResource('', resource);
    if (!registry) throw notServed();
    const scope = { ...systemScope(identifiers, registry, signal), namespace, name };
    try {
      const { json } = await registry.get(scope, { kind: 'latest' });
      // The registry returns a JSON object.
      return JSON.parse(json.toString('utf8')) as JsonObject;
    } catch (error) {
      if (hasReason(error, 'NotFound')) return undefined;
      throw error;
    }
  };
}

/**
 * Creates the handler of `exec`, `attach` and `portforward`: it joins the client's connection with
 * a connection to the node agent. The protocol in it, SPDY or WebSocket, is not interpreted.
 */
function forwardStreams({ locate, open, bytesPerSecond }: ForwardingDependencies): ConnectHandler {
  return async (call) => {
    const location = await locationOf(locate, call);
    const { exchange, upgrade, shutdown } = call;
    if (!upgrade || !location) throw badRequest('Upgrade request required');
    await forwardRequest(exchange, {
      connect: (signal) => open(location, signal),
      host: hostOf(location),
      path: pathOf(location),
      upgrade,
      bytesPerSecond,
      shutdown,
      failure: (error) => connectionError(error, 'error dialing backend'),
    });
  };
}
