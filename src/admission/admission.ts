import { type MaybePromise, runSteps } from '../async/maybe-promise.ts';
import type { Trace, AnnotationLevel, StepLog } from '../meta/trace.ts';
import type { UserInfo } from '../meta/user-info.ts';
import type { JsonObject } from '../meta/json-value.ts';
import type { ObjectSchema } from '../scheme/model/schema.ts';
import type { Identifiers } from '../identifiers/identifiers.ts';
import type { ListerOf } from '../meta/lister.ts';
import type { DecideRight } from './resource-right.ts';
import type { EmulatedRelease } from '../scheme/emulated-release.ts';

/** The operation of a write. */
export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** A version in which the objects of a request can be shown and read. */
export interface AdmittedVersion {
  readonly resource: AdmissionAttributes['resource'];
  readonly kind: AdmissionAttributes['kind'];
  /** The schema of the objects in this version. */
  readonly schema: () => ObjectSchema | undefined;
  /** Converts an object of the request, which is not mutated. */
  show(object: JsonObject): MaybePromise<JsonObject>;
  /**
   * Decodes a document of this version, fills in its defaults, and converts it to the version of
   * the request's objects. Throws `DecodeError`, or `StatusError` if the conversion fails.
   */
  read(document: JsonObject): MaybePromise<JsonObject>;
}

/**
 * The rounds of the mutating phase. All plugins run a second time if a webhook changed the object,
 * because its changes concern them.
 */
export interface Reinvocation {
  round: 0 | 1;
  /** Set by a plugin whose change the others have to see. */
  isWanted: boolean;
}

/** The attributes of a write for admission. Objects are in the storage version, of type T. */
export interface AdmissionAttributes<T extends JsonObject = JsonObject> {
  readonly operation: Operation;
  /** Kind and resource of the request. */
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly resource: { readonly group: string; readonly version: string; readonly resource: string };
  /**
   * Kind and resource in the store: two groups can serve one kind, and all versions are stored as
   * one.
   */
  readonly storedKind: AdmissionAttributes['kind'];
  readonly storedResource: AdmissionAttributes['resource'];
  readonly subresource: string;
  /** '' for cluster-scoped objects. */
  readonly namespace: string;
  /** '' for a create whose name is not generated yet. */
  readonly name: string;
  /** The object to be stored; undefined for deletes. Mutating plugins change it in place. */
  readonly object: T | undefined;
  /**
   * Completes the object of a write that stores only a part of the request's object, such as the
   * status: called before the first mutating webhook, which sees the whole object. Fields outside
   * the write are dropped after the mutating phase.
   */
  readonly showSent?: (() => void) | undefined;
  /** The replaced object, exactly as stored; undefined for creates. Must not be mutated. */
  readonly oldObject: T | undefined;
  readonly dryRun: boolean;
  /** Returns the options of the request as a new object with kind and apiVersion. */
  options(): JsonObject;
  /**
   * The versions in which the objects can be shown to others, the version of the request first. The
   * same list for all requests of a resource in a version.
   */
  versions(): readonly AdmittedVersion[];
  /** Fills in the defaults of the kind that depend on other fields or versions, in place. */
  fillDefaults(object: JsonObject): void;
  /** The state of the mutating phase, which can run twice. */
  readonly reinvocation: Reinvocation;
  readonly user: UserInfo;
  readonly signal: AbortSignal;
  /** Adds a `Warning: 299` header to the response. */
  warn(text: string): void;
  /**
   * Receives the time that the request waited for a webhook. Webhooks of the validating phase run
   * in parallel, so that only the longest counts. Absent for writes of the server itself.
   */
  readonly waited?: ((phase: 'admit' | 'validating', ms: number) => void) | undefined;
  /** Takes time and decision of each plugin and webhook; absent if no trace is asked for. */
  readonly trace?: Trace;
  /** Receives the steps of webhook calls; absent for writes of the server itself. */
  readonly steps?: StepLog | undefined;
  /** Adds a fact to the audit record of the request, from an audit level on. */
  annotate(name: string, value: string, level?: AnnotationLevel): void;
}

/**
 * An admission plugin. `mutate` runs before validation and may change the object; `validate` sees
 * the object that will be stored. Both throw `StatusError` to refuse the request. Both run again
 * when a conflict restarts the write.
 */
export interface AdmissionPlugin {
  readonly name: string;
  readonly operations: readonly Operation[];
  /**
   * The plural names of all resources that it concerns, whatever their groups; absent: any. Writes
   * of others may be kept from it.
   */
  readonly resources?: readonly string[];
  mutate?(attributes: AdmissionAttributes): Promise<void> | void;
  validate?(attributes: AdmissionAttributes): Promise<void> | void;
}

/** The plugins of a server in execution order. */
export type AdmissionChain = readonly AdmissionPlugin[];

/**
 * Runs the mutating phase, a second time if a plugin wants that; throws the first refusal. Returns
 * undefined if all plugins are synchronous.
 */
export function mutate(chain: AdmissionChain, attributes: AdmissionAttributes): Promise<void> | undefined {
  const pending = runMutating(chain, attributes);
  return pending ? pending.then(() => runAgain(chain, attributes)) : runAgain(chain, attributes);
}

function runAgain(chain: AdmissionChain, attributes: AdmissionAttributes): Promise<void> | undefined {
  const { reinvocation } = attributes;
  if (!reinvocation.isWanted || reinvocation.round > 0) return undefined;
  reinvocation.round = 1;
  return runMutating(chain, attributes);
}

function runMutating(chain: AdmissionChain, attributes: AdmissionAttributes): Promise<void> | undefined {
  return runSteps(chain, (plugin) =>
    plugin.operations.includes(attributes.operation) ? plugin.mutate?.(attributes) : undefined,
  );
}

/**
 * Runs the validating phase; throws the first refusal. Returns undefined if all plugins are
 * synchronous.
 */
export function validate(chain: AdmissionChain, attributes: AdmissionAttributes): Promise<void> | undefined {
  return runSteps(chain, (plugin) =>
    plugin.operations.includes(attributes.operation) ? plugin.validate?.(attributes) : undefined,
  );
}

/** The dependencies that plugins have in common. */
export interface PluginContext {
  readonly identifiers: Identifiers;
  readonly listerOf: ListerOf;
  /** Decides the rights that a write implies. */
  readonly decide: DecideRight;
  readonly emulated: EmulatedRelease;
}
