import type { JsonObject } from '../../meta/json-value.ts';
import type { ConnectDefinition } from '../../registry/definition/connect-definition.ts';
import type { RequestScope, VersionedObject } from '../../registry/definition/registry.ts';
import type { Exchange } from '../request/exchange.ts';
import type { ResourceTarget } from '../request/request-path.ts';
import type { Upgrade } from '../../http-protocol/messages/upgrade.ts';

/** A connect sub-resource (`pods/exec`, `services/proxy`) with the handler of its requests. */
export interface ConnectSubresource extends ConnectDefinition {
  /** If absent, requests are answered with 501. */
  readonly handler?: ConnectHandler;
}

/**
 * Handles the requests of a connect sub-resource. Throws `StatusError` before it has started to
 * respond.
 */
export type ConnectHandler = (call: ConnectCall) => Promise<void> | void;

/** An authorized request for a connect sub-resource. The body of the request has not been read. */
export interface ConnectCall {
  readonly exchange: Exchange;
  /** Identifies the object and the sub-resource. */
  readonly scope: RequestScope;
  /** The object, which exists. */
  readonly object: VersionedObject;
  /** The options of the connection, as admission left them. */
  readonly options: JsonObject;
  /** The name in the URL, including scheme and port. */
  readonly sentName: string;
  /** The scheme and the port in the URL; '' if absent. */
  readonly scheme: string;
  readonly port: string;
  /** The raw path after the sub-resource: '', or a path with its first slash. */
  readonly path: string;
  /** The request for a protocol upgrade; undefined for an ordinary request. */
  readonly upgrade: Upgrade | undefined;
  /**
   * Aborts when the server begins to drain. An accepted upgrade delays the drain until its handler
   * ends the socket. At the end of the drain timeout all sockets are destroyed.
   */
  readonly shutdown: AbortSignal;
}

/** Finds the connect sub-resource of a path. */
export type FindConnect = (target: ResourceTarget) => ConnectSubresource | undefined;

/** Creates a look-up of connect sub-resources. */
export function findConnectAmong(subresources: readonly ConnectSubresource[]): FindConnect {
  const byName = new Map(subresources.map((one) => [`${one.group}/${one.resource}/${one.subresource}`, one]));
  return ({ group, resource, subresource, prefix }) => {
    // Returns early for most paths, which name no sub-resource, without building a key.
    if (subresource === '' || prefix !== '') return undefined;
    return byName.get(`${group}/${resource}/${subresource}`);
  };
}
