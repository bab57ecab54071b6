import type { Agent } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { DialError } from '../../outbound/dial-error.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import type { ConnectLocation, LocateConnect, LocatedRequest } from '../../registry/definition/connect-definition.ts';
import { badRequest, StatusError, type StatusReason } from '../../status/status-error.ts';
import type { ConnectCall } from './connect-subresource.ts';

/** The dependencies of handlers that forward requests. */
export interface ForwardingDependencies {
  readonly locate: LocateConnect;
  /** Opens a connection; rejects with DialError. */
  readonly open: (location: ConnectLocation, signal: AbortSignal) => Promise<Socket>;
  /** Returns connections that are kept between requests. */
  readonly keep: (location: ConnectLocation) => Agent;
  /** The bytes per second of an upgraded connection in each direction; 0: no limit. */
  readonly bytesPerSecond: number;
}

/** Finds the server behind a connect sub-resource. */
export function locationOf(locate: LocateConnect, call: ConnectCall): Promise<ConnectLocation | undefined> {
  const { scope, options, scheme, port, exchange } = call;
  // The registry returns a JSON object.
  const object = JSON.parse(call.object.json.toString('utf8')) as JsonObject;
  const { namespace, name } = scope;
  const request: LocatedRequest = { namespace, name, object, options, scheme, port, signal: exchange.signal };
  return locate(request);
}

/** The host and port of a location, as in a URL. */
export function hostOf({ host, port }: ConnectLocation): string {
  return isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`;
}

/** The path and the query of a location. */
export function pathOf({ path, query }: ConnectLocation): string {
  return query === '' ? path : `${path}?${query}`;
}

/** The error of a connection that failed: 400 for an address that is not allowed. */
export function connectionError(error: Error, action: string, reason: StatusReason | '' = ''): StatusError {
  if (error instanceof DialError && error.code === 'not-allowed') return badRequest(error.message);
  return new StatusError(reason, `${action}: ${error.message}`, { cause: error });
}
