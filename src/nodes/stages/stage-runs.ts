import { chooseStage } from './choose-stage.ts';
import type { FollowedStage, SelectableObject } from './followed-stage.ts';
import type { StageVariables } from './stage-expression.ts';

/** A version of an object. */
interface VersionedObject {
  readonly metadata: { readonly uid: string; readonly resourceVersion: string; readonly name: string };
}

/** An object, and the stages that may match it. */
interface StagedObject {
  readonly object: SelectableObject & VersionedObject;
  readonly stages: readonly FollowedStage[];
  /** The values of the variables of expressions. */
  readonly variables: () => StageVariables;
}

/** The stage of an object, and the time until its next state. */
interface DueStage {
  readonly followed: FollowedStage;
  readonly waitMs: number;
}

/** The state of an object between calls. */
interface ObjectRun {
  /** The stage that was chosen, when it is due, and its own delay. */
  chosen?: { readonly followed: FollowedStage; readonly dueMs: number; readonly ownMs: number } | undefined;
  /** The version that got its next state, and the stages that were looked at. */
  settled?: (NextStateEffect & { readonly version: string; readonly stages: readonly FollowedStage[] }) | undefined;
  /** Next states without a delay, one after the other. */
  quick: number;
  lastMs: number;
}

/** The effect of a next state on its object. */
interface NextStateEffect {
  /** True if the object is another one by it. */
  readonly isChanged: boolean;
  /** True if the agent has to report an outcome, before another stage is chosen. */
  readonly hasOutcome: boolean;
}

/** A delay below this counts as none. */
const quickMs = 1_000;

/** Next states without a delay before they are slowed down, so that stages in a circle end. */
const quickLimit = 20;

const longestSlowMs = 300_000;

/** A quiet time after which next states without a delay are counted from 0 again. */
const quietMs = 10_000;

/**
 * The stages of objects in time. The choice among stages that match, and the delay, are made once
 * and stay while the chosen stage matches. A next state that changes nothing is not applied again
 * until the object or the stages change.
 */
export class StageRuns {
  readonly #random: () => number;
  readonly #runs = new Map<string, ObjectRun>();

  constructor(random: () => number) {
    this.#random = random;
  }

  /** The stage of an object; undefined if none matches, or nothing is left to do. */
  next(staged: StagedObject, nowMs: number): DueStage | undefined {
    const { object, stages } = staged;
    const { uid, resourceVersion } = object.metadata;
    const run = this.#runs.get(uid) ?? { quick: 0, lastMs: nowMs };
    if (run.settled?.version === resourceVersion && run.settled.stages === stages) return undefined;
    const chosen = this.#stays(run, staged) ? run.chosen : this.#choose(run, staged, nowMs);
    this.#keep(uid, { ...run, chosen, settled: undefined });
    return chosen && { followed: chosen.followed, waitMs: Math.max(0, chosen.dueMs - nowMs) };
  }

  /** True for a version of an object that is about to be replaced, because a stage changed it. */
  isReplaced({ metadata: { uid, resourceVersion } }: VersionedObject): boolean {
    const settled = this.#runs.get(uid)?.settled;
    return settled?.version === resourceVersion && settled.isChanged;
  }

  /**
   * True if the last next state of an object was an outcome, which this version of it has, until
   * another stage is looked for.
   */
  hasNewOutcome({ metadata: { uid, resourceVersion } }: VersionedObject): boolean {
    const settled = this.#runs.get(uid)?.settled;
    return settled !== undefined && settled.hasOutcome && settled.version !== resourceVersion;
  }

  /** Notes that the next state of an object was applied. */
  applied({ object, stages }: StagedObject, effect: NextStateEffect, nowMs: number): void {
    const { uid, resourceVersion: version } = object.metadata;
    const run = this.#runs.get(uid);
    if (!run?.chosen) return;
    const isQuick = run.chosen.ownMs < quickMs;
    const quick = isQuick ? run.quick + 1 : 0;
    this.#runs.set(uid, { quick, lastMs: nowMs, settled: { version, stages, ...effect } });
  }

  /** Forgets an object that is gone. */
  forget(uid: string): void {
    this.#runs.delete(uid);
  }

  #stays({ chosen }: ObjectRun, { object, stages, variables }: StagedObject): boolean {
    return chosen !== undefined && stages.includes(chosen.followed) && chosen.followed.matches(object, variables);
  }

  #choose(run: ObjectRun, { object, stages, variables }: StagedObject, nowMs: number): ObjectRun['chosen'] {
    const matching = stages.filter((followed) => followed.matches(object, variables));
    const followed = chooseStage(matching, this.#random);
    const ownMs = followed?.delayMs(variables(), this.#random);
    if (!followed || ownMs === undefined) return undefined;
    return { followed, ownMs, dueMs: nowMs + Math.max(ownMs, slowDownMs(run, followed, object.metadata.name, nowMs)) };
  }

  #keep(uid: string, run: ObjectRun): void {
    if (run.chosen || run.quick > 0) this.#runs.set(uid, run);
    else this.#runs.delete(uid);
  }
}

/** The delay that ends a circle of stages. Mutates the count of a run that was quiet. */
function slowDownMs(run: ObjectRun, followed: FollowedStage, name: string, nowMs: number): number {
  const slowMs = run.quick < quickLimit ? 0 : Math.min(longestSlowMs, 1_000 * 2 ** (run.quick - quickLimit));
  if (nowMs - run.lastMs > slowMs + quietMs) run.quick = 0;
  if (run.quick < quickLimit) return 0;
  const message = `${followed.stage.resource} such as ${name} went through ${quickLimit} stages without a delay; the next ones are slowed down`;
  followed.warn('StageLoop', message);
  return slowMs;
}
