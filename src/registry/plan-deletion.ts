import type { JsonObject } from '../meta/json-value.ts';
import {
  deletionTimestampOf,
  finalizersOf,
  generationOf,
  getMeta,
  setFinalizers,
  setMeta,
} from '../meta/object-meta.ts';
import { formatTime, parseTime } from '../meta/time.ts';
import type { DeleteOptions } from './registry.ts';
import type { Strategy } from './strategy.ts';
import { foregroundFinalizer, orphanFinalizer } from './validate-metadata.ts';

/** What a delete does to an object, which is marked for it: removes it, leaves it as it is, or leaves it changed until others have done their part. */
type DeletionPlan = 'remove' | 'keep' | 'change';

/** What a plan is made from. `object` is changed in place. */
interface Deletion {
  readonly strategy: Strategy;
  /** The version of the request; what happens to dependents when nobody says differs by it. */
  readonly version: string;
  readonly options: DeleteOptions;
  /** RFC 3339. */
  readonly now: string;
  readonly object: JsonObject;
}

/**
 * Decides on a delete and marks the object for it. An object goes at once unless it is given time to end, or a finalizer or its
 * kind holds it. A second delete can only shorten the time that is left, and, once that is over, change what is to become of
 * the dependents.
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

function mark({ object, now }: Deletion, seconds: number | undefined, finalizers: readonly string[]): void {
  setFinalizers(object, finalizers);
  setMeta(object, 'deletionTimestamp', seconds === undefined ? now : later(now, seconds));
  setMeta(object, 'deletionGracePeriodSeconds', seconds);
  // Its controllers treat it differently from now on, so that this counts as a change of what is wanted.
  if (generationOf(object) > 0) setMeta(object, 'generation', generationOf(object) + 1);
}

function planAgain(deletion: Deletion): DeletionPlan {
  const { object, options } = deletion;
  const left = secondsOf(object) ?? 0;
  const asked = askedSeconds(options);
  const shortened = asked !== undefined && asked < left;
  if (left > 0 && !shortened) return 'keep';
  const present = finalizersOf(object);
  const finalizers = finalizersFor(deletion);
  // With nothing to wait for, an object that is still here was left behind by a failure half-way.
  const over = (left === 0 || asked === 0) && finalizers.length === 0;
  if (!over && finalizers === present && !shortened) return 'keep';
  // The answer shows what was there.
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

/** An object without a period of its own is deleted at once, whatever the client asks for; a period of 0 is one. */
function graceOf({ strategy, object, options }: Deletion): number {
  const usual = strategy.defaultGracePeriodSeconds?.(object);
  if (usual === undefined) return 0;
  return askedSeconds(options) ?? usual;
}

/** Negative periods stand for the shortest one that is not "at once". */
function askedSeconds({ gracePeriodSeconds }: DeleteOptions): number | undefined {
  return gracePeriodSeconds !== undefined && gracePeriodSeconds < 0 ? 1 : gracePeriodSeconds;
}

function later(time: string, seconds: number): string {
  return formatTime((parseTime(time) ?? 0) + seconds * 1000);
}

/** The finalizers with which the deletion begins: the policy asks for one or none of the collector's two. */
function finalizersFor(deletion: Deletion): readonly string[] {
  const present = finalizersOf(deletion.object);
  const wanted = collectorFinalizer(deletion, present);
  if (present.filter(isCollectors).join() === wanted) return present;
  return [...present.filter((finalizer) => !isCollectors(finalizer)), ...(wanted ? [wanted] : [])];
}

function isCollectors(finalizer: string): boolean {
  return finalizer === orphanFinalizer || finalizer === foregroundFinalizer;
}

const finalizerOfPolicy = { Orphan: orphanFinalizer, Foreground: foregroundFinalizer, Background: '' } as const;

/** What the request says wins over what the object says already, and that over the habit of its kind. */
function collectorFinalizer({ strategy, version, options }: Deletion, present: readonly string[]): string {
  const habit = strategy.dependents?.(version) ?? 'collect';
  if (habit === 'none') return '';
  if (options.orphanDependents) return orphanFinalizer;
  // Where the kind holds the object, its content goes first.
  if (options.orphanDependents === false) return strategy.holdsDeletion ? foregroundFinalizer : '';
  if (options.propagationPolicy) return finalizerOfPolicy[options.propagationPolicy];
  return present.find(isCollectors) ?? (habit === 'orphan' ? orphanFinalizer : '');
}
