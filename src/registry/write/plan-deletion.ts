import type { JsonObject } from '../../meta/json-value.ts';
import {
  deletionTimestampOf,
  finalizersOf,
  generationOf,
  getMeta,
  setFinalizers,
  setMeta,
  uidOf,
} from '../../meta/object-meta.ts';
import { formatTime, parseTime } from '../../meta/time.ts';
import type { DeleteOptions } from '../definition/registry.ts';
import type { Strategy } from '../definition/strategy.ts';
import { foregroundFinalizer, orphanFinalizer } from '../definition/validate-metadata.ts';

/**
 * The outcome of a delete: remove the object, keep it unchanged, or write its changed metadata
 * and wait for finalizers or the grace period.
 */
type DeletionPlan = 'remove' | 'keep' | 'change';

/** The input of a plan. `object` is mutated. */
interface Deletion {
  readonly strategy: Strategy;
  /** Version of the request; the default for dependents depends on it. */
  readonly version: string;
  readonly options: DeleteOptions;
  /** RFC 3339. */
  readonly now: string;
  readonly object: JsonObject;
  /** False if no controller handles dependents: finalizers stay as they are. Default true. */
  readonly isCollected?: boolean;
}

/**
 * Decides on a delete and marks the object as being deleted. An object is removed immediately
 * unless a grace period, a finalizer or its kind holds it. A repeated delete can shorten the rest
 * of the grace period; after the period it can change the policy for dependents.
 */
export function planDeletion(deletion: Deletion): DeletionPlan {
  const { strategy, object } = deletion;
  const held = strategy.holdsDeletion?.(object) ?? false;
  if (deletionTimestampOf(object) !== '') return held ? 'keep' : planAgain(deletion);
  const finalizers = finalizersFor(deletion);
  if (held) {
    mark(deletion, undefined, finalizers);
    return 'change';
  }
  const seconds = graceOf(deletion);
  mark(deletion, seconds, finalizers);
  return seconds === 0 && finalizers.length === 0 ? 'remove' : 'change';
}

/**
 * Reports whether an earlier delete continues unchanged, without a question to admission: the kind
 * holds the object, or its grace period has not ended and is not shortened.
 */
export function isPending({ strategy, options, object }: Pick<Deletion, 'strategy' | 'options' | 'object'>): boolean {
  if (deletionTimestampOf(object) === '') return false;
  return (strategy.holdsDeletion?.(object) ?? false) || isRunning(options, object);
}

function isRunning(options: DeleteOptions, object: JsonObject): boolean {
  const left = secondsOf(object) ?? 0;
  const asked = askedSeconds(options);
  return left > 0 && !(asked !== undefined && asked < left);
}

/** The options of a first delete with the server's additions; admission sees them. */
export function completeOptions(strategy: Strategy, options: DeleteOptions, object: JsonObject): DeleteOptions {
  const { holdsDeletion, defaultGracePeriodSeconds } = strategy;
  if (deletionTimestampOf(object) !== '' || !(holdsDeletion || defaultGracePeriodSeconds)) return options;
  if (!holdsDeletion) return { ...options, gracePeriodSeconds: graceOf({ strategy, options, object }) };
  return { ...options, preconditions: { uid: uidOf(object), ...options.preconditions } };
}

function mark({ object, now }: Deletion, seconds: number | undefined, finalizers: readonly string[]): void {
  setFinalizers(object, finalizers);
  setMeta(object, 'deletionTimestamp', seconds === undefined ? now : later(now, seconds));
  setMeta(object, 'deletionGracePeriodSeconds', seconds);
  // Controllers treat an object that is being deleted differently, so the generation changes.
  if (generationOf(object) > 0) setMeta(object, 'generation', generationOf(object) + 1);
}

function planAgain(deletion: Deletion): DeletionPlan {
  const { object, options } = deletion;
  if (isRunning(options, object)) return 'keep';
  const left = secondsOf(object) ?? 0;
  const asked = askedSeconds(options);
  const shortened = asked !== undefined && asked < left;
  const present = finalizersOf(object);
  const finalizers = finalizersFor(deletion);
  // Nothing holds the object any longer: an earlier delete failed half-way.
  const over = (left === 0 || asked === 0) && finalizers.length === 0;
  if (!over && finalizers === present && !shortened) return 'keep';
  // The response to a removal is the object as it was, so it is not changed.
  if (over && !shortened) return 'remove';
  setFinalizers(object, finalizers);
  if (shortened) {
    const begun = later(deletionTimestampOf(object), -left);
    setMeta(object, 'deletionTimestamp', later(begun, asked));
    setMeta(object, 'deletionGracePeriodSeconds', asked);
  }
  return over ? 'remove' : 'change';
}

function secondsOf(object: JsonObject): number | undefined {
  const seconds = getMeta(object, 'deletionGracePeriodSeconds');
  return typeof seconds === 'number' || typeof seconds === 'bigint' ? Number(seconds) : undefined;
}

/**
 * The grace period of a first delete. A kind without a default period is deleted immediately even
 * if the client asks for a period; a default of 0 seconds counts as one.
 */
function graceOf({ strategy, object, options }: Pick<Deletion, 'strategy' | 'options' | 'object'>): number {
  const usual = strategy.defaultGracePeriodSeconds?.(object);
  if (usual === undefined) return 0;
  return askedSeconds(options) ?? usual;
}

/** The requested period in seconds. A negative one is the shortest that is not immediate: 1. */
function askedSeconds({ gracePeriodSeconds }: DeleteOptions): number | undefined {
  return gracePeriodSeconds !== undefined && gracePeriodSeconds < 0 ? 1 : gracePeriodSeconds;
}

function later(time: string, seconds: number): string {
  return formatTime((parseTime(time) ?? 0) + seconds * 1000);
}

/**
 * The finalizers at the start of a deletion. The policy leads to at most one of the garbage
 * collector's two.
 */
function finalizersFor(deletion: Deletion): readonly string[] {
  const present = finalizersOf(deletion.object);
  if (deletion.isCollected === false) return present;
  const wanted = collectorFinalizer(deletion, present);
  if (present.filter(isCollectors).join() === wanted) return present;
  return [...present.filter((finalizer) => !isCollectors(finalizer)), ...(wanted ? [wanted] : [])];
}

function isCollectors(finalizer: string): boolean {
  return finalizer === orphanFinalizer || finalizer === foregroundFinalizer;
}

const finalizerOfPolicy = { Orphan: orphanFinalizer, Foreground: foregroundFinalizer, Background: '' } as const;

/**
 * The garbage collector's finalizer, '' for none. The options of the request take precedence,
 * then the finalizers of the object, then the default of the kind.
 */
function collectorFinalizer({ strategy, version, options }: Deletion, present: readonly string[]): string {
  const habit = strategy.dependents?.(version) ?? 'collect';
  if (habit === 'none') return '';
  if (options.orphanDependents) return orphanFinalizer;
  // Kinds with `holdsDeletion` delete their content first.
  if (options.orphanDependents === false) return strategy.holdsDeletion ? foregroundFinalizer : '';
  if (options.propagationPolicy) return finalizerOfPolicy[options.propagationPolicy];
  return present.find(isCollectors) ?? (habit === 'orphan' ? orphanFinalizer : '');
}
