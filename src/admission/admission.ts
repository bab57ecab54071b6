import type { UserInfo } from '../meta/user-info.ts';
import type { JsonObject } from '../meta/json-value.ts';
import { runSteps } from '../async/run-steps.ts';

/** What a request does to an object. */
export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** A request to write, as admission sees it. Objects are in the storage version. */
export interface AdmissionAttributes {
  readonly operation: Operation;
  /** As the request names them. */
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly resource: { readonly group: string; readonly version: string; readonly resource: string };
  /** As they are stored: two groups can serve one kind, and each version is stored as one. */
  readonly storedKind: AdmissionAttributes['kind'];
  readonly storedResource: AdmissionAttributes['resource'];
  readonly subresource: string;
  /** '' for cluster-scoped objects. */
  readonly namespace: string;
  /** '' for a create whose name is still to be generated. */
  readonly name: string;
  /** The object to be stored; undefined for deletes. Mutating plugins change it in place. */
  readonly object: JsonObject | undefined;
  /** What the write replaces, exactly as it is compared in the store; undefined for creates. Never changed. */
  readonly oldObject: JsonObject | undefined;
  readonly dryRun: boolean;
  /** The options of the request as an object with kind and apiVersion, made at each call. */
  options(): JsonObject;
  /** `object` or `oldObject` in a version in which the resource is served, converted at each call; undefined for another version. */
  inVersion(object: JsonObject, version: string): JsonObject | undefined;
  readonly user: UserInfo;
  readonly signal: AbortSignal;
  /** Shown to the client as a `Warning: 299` header. */
  warn(text: string): void;
}

/**
 * One plugin per file. `mutate` runs before the object is validated and may change it, `validate` on what will be stored.
 * Either refuses by throwing `StatusError`. Both run again when a conflict makes the write start over.
 */
export interface AdmissionPlugin {
  readonly name: string;
  readonly operations: readonly Operation[];
  mutate?(attributes: AdmissionAttributes): Promise<void> | void;
  validate?(attributes: AdmissionAttributes): Promise<void> | void;
}

/** The plugins of a server in execution order. */
export type AdmissionChain = readonly AdmissionPlugin[];

/** Lets every plugin change the object; the first refusal is thrown. Undefined where nothing has to be waited for. */
export function mutate(chain: AdmissionChain, attributes: AdmissionAttributes): Promise<void> | undefined {
  return runSteps(chain, (plugin) =>
    plugin.operations.includes(attributes.operation) ? plugin.mutate?.(attributes) : undefined,
  );
}

/** Asks every plugin about the final object; the first refusal is thrown. Undefined where nothing has to be waited for. */
export function validate(chain: AdmissionChain, attributes: AdmissionAttributes): Promise<void> | undefined {
  return runSteps(chain, (plugin) =>
    plugin.operations.includes(attributes.operation) ? plugin.validate?.(attributes) : undefined,
  );
}
