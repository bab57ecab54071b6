import type { ApiObject, ObjectMetadata } from '../../client/api-object.ts';
import type { ResourceReference } from '../../client/resource-path.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { JsonObject } from '../../meta/json-value.ts';

/**
 * A stage of the life of pods or nodes: objects that its selector matches get its next state after
 * its delay. Texts of CEL expressions are in `selector.expression`, in `delay.durationFrom` and
 * `jitterDurationFrom`, and inside `${...}` in the texts of `next`.
 */
export interface Stage extends ApiObject {
  readonly metadata: ObjectMetadata & { name: string };
  readonly spec: StageSpec;
}

/** The specification of a stage. */
export interface StageSpec {
  readonly resource: 'pods' | 'nodes';
  readonly selector: StageSelector;
  /**
   * The share of the objects that get this stage if several match; 1 by default. One of weight 0 is
   * chosen only if no other matches.
   */
  readonly weight?: number;
  readonly delay?: StageDelay;
  readonly next: StageNext;
}

/** The objects that a stage matches; all if it is empty. */
interface StageSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly LabelExpression[];
  readonly matchAnnotations?: Readonly<Record<string, string>>;
  /** An expression that is true for the object. An error of its evaluation counts as false. */
  readonly expression?: string;
  /** True for objects that are being deleted; by default a stage matches the others. */
  readonly terminating?: boolean;
}

interface LabelExpression {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  readonly values?: readonly string[];
}

/** The time from the match until the next state; none by default. */
interface StageDelay {
  /** `1m30s` */
  readonly duration?: string;
  /** Up to this much is added at random. */
  readonly jitterDuration?: string;
  /** An expression that gives the duration: a text, a duration, or a number of seconds. */
  readonly durationFrom?: string;
  readonly jitterDurationFrom?: string;
}

/** The next state of an object. */
export interface StageNext {
  /** A strategic merge patch of the status. */
  readonly status?: JsonObject;
  /** A state that stand-in nodes know, which they report from now on: `CrashLoopBackOff`. */
  readonly outcome?: string;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly event?: { readonly type?: 'Normal' | 'Warning'; readonly reason: string; readonly message: string };
  readonly finalizers?: { readonly add?: readonly string[]; readonly remove?: readonly string[] };
  /** Deletes the object, or removes one that is being deleted. */
  readonly delete?: boolean;
}

/** The version of the API of stages. */
export const stageVersion = 'v1';

/** The group of stages. */
export function stageGroup({ labelDomain }: Identifiers): string {
  return `stand-in.${labelDomain}`;
}

/** The resource of stages. */
export function stagesOf(identifiers: Identifiers): ResourceReference<Stage> {
  return { group: stageGroup(identifiers), version: stageVersion, resource: 'stages', namespaced: false };
}
