import type { ConnectDefinition } from '../../registry/connect-definition.ts';
import type { RequestScope, VersionedObject } from '../../registry/registry.ts';
import type { Exchange } from '../request/exchange.ts';
import type { ResourceTarget } from '../request/request-path.ts';
import type { Upgrade } from '../request/upgrade.ts';

/** A sub-resource that is no object, with what answers its requests. */
export interface ConnectSubresource extends ConnectDefinition {
  /** Absent while nothing answers them: 501. */
  readonly handler?: ConnectHandler;
}

/**
 * Answers the requests of a sub-resource that is no object. Throws `StatusError` before it has
 * begun to answer.
 */
export type ConnectHandler = (call: ConnectCall) => Promise<void> | void;

/**
 * An authorized request for something that runs behind an object. The request's body has not been
 * read.
 */
export interface ConnectCall {
  readonly exchange: Exchange;
  /** Names the object and the sub-resource. */
  readonly scope: RequestScope;
  /** The object itself, which exists. */
  readonly object: VersionedObject;
  /** The name as it was sent, scheme and port included. */
  readonly sentName: string;
  /**
   * The client's own path behind the sub-resource, as it was sent: '', or a path with its first
   * slash.
   */
  readonly path: string;
  /** The request to speak another protocol; undefined where the client wants none. */
  readonly upgrade: Upgrade | undefined;
}

/** Finds the sub-resource of a path that is no object. */
export type FindConnect = (target: ResourceTarget) => ConnectSubresource | undefined;

/** Looks among some sub-resources. */
export function findConnectAmong(subresources: readonly ConnectSubresource[]): FindConnect {
  const byName = new Map(subresources.map((one) => [`${one.group}/${one.resource}/${one.subresource}`, one]));
  return ({ group, resource, subresource, prefix }) => {
    // Most paths have none, and need no name made.
    if (subresource === '' || prefix !== '') return undefined;
    return byName.get(`${group}/${resource}/${subresource}`);
  };
}
