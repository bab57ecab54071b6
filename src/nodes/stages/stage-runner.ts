import { yieldIfLong } from '../../async/yield-if-long.ts';
import { StatusError } from '../../client/error-of-response.ts';
import type { Node, Pod } from '../../controllers/resources.ts';
import { formatTime } from '../../meta/time.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { readAnnotation } from '../agent-server/runs/read-annotation.ts';
import { type ApplyContext, applyStage, stageAnnotation } from './apply-stage.ts';
import type { FollowedStages } from './follow-stages.ts';
import type { StageVariables } from './stage-expression.ts';
import { StageRuns } from './stage-runs.ts';

/** A pod or a node that stages may match. */
interface StageSubject {
  readonly kind: 'Pod' | 'Node';
  readonly object: Pod | Node;
  /** The node of the pod, or the node itself. */
  readonly node: Node | undefined;
  readonly addresses: () => { readonly podIp: string; readonly hostIp: string };
}

/** The state of an object that a stage matches. */
interface StageProgress {
  /** The time until its next state; undefined if it was applied, so that the object changes. */
  readonly waitMs: number | undefined;
}

/** Applies stages to objects when they are due. */
export interface StageRunner {
  /**
   * Looks at an object and applies a next state that is due. Undefined if no stage matches, or none
   * changes it any more. Rejects with errors of requests that may pass.
   */
  readonly run: (subject: StageSubject, signal: AbortSignal) => Promise<StageProgress | undefined>;
  /** True if the last next state of an object was an outcome that is to be reported first. */
  readonly hasNewOutcome: (object: Pod | Node) => boolean;
  /** Forgets an object that is gone. */
  readonly forget: (uid: string) => void;
}

/** Codes of refusals that another attempt cannot change. */
const refusals: ReadonlySet<number> = new Set([400, 403, 405, 413, 422]);

/** Creates a runner of stages. */
export function createStageRunner(context: ApplyContext & { readonly stages: FollowedStages }): StageRunner {
  const { stages, identifiers } = context;
  const runs = new StageRuns(Math.random);
  const laterTurn = sharedTurns();

  return {
    async run(subject, signal) {
      const { kind, object, node } = subject;
      const { metadata } = object;
      const { namespace = '' } = metadata;
      const of = stages.of(kind === 'Pod' ? 'pods' : 'nodes', node?.metadata.name ?? '');
      if (of.length === 0) return undefined;
      // In each turn one of the waiting objects runs, before others ask for a turn again.
      for (let turn = laterTurn(); turn; turn = laterTurn()) await turn;
      const nowMs = Date.now();
      let known: StageVariables | undefined;
      const variables = (): StageVariables => (known ??= variablesOf(subject, nowMs));
      const staged = { object: { metadata }, stages: of, variables };
      if (runs.isReplaced(staged.object)) return { waitMs: undefined };
      const due = runs.next(staged, nowMs);
      if (!due) return undefined;
      const { followed, waitMs } = due;
      if (waitMs > 0) return { waitMs };
      const state = followed.nextState(variables());
      let isChanged = false;
      try {
        const target = { kind, object, stageName: followed.stage.name, variables: variables() };
        if (state) isChanged = await applyStage(context, target, state, signal);
        if (state) followed.succeeded(namespace);
      } catch (error) {
        if (!(error instanceof StatusError) || !refusals.has(error.code)) throw error;
        followed.failed(namespace, `${kind} ${metadata.name} was not changed: ${error.message}`);
      }
      runs.applied(staged, { isChanged, hasOutcome: isChanged && state?.outcome !== undefined }, nowMs);
      return isChanged ? { waitMs: undefined } : undefined;
    },
    hasNewOutcome: (object) => runs.hasNewOutcome(object),
    forget: (uid) => runs.forget(uid),
  };

  function variablesOf({ object, node, addresses }: StageSubject, nowMs: number): StageVariables {
    const { podIp, hostIp } = addresses();
    return {
      // Objects of the API are JSON.
      object: object as unknown as JsonObject,
      node: (node ?? {}) as unknown as JsonObject,
      now: formatTime(nowMs),
      stage: readAnnotation(object.metadata.annotations, stageAnnotation, identifiers) ?? '',
      podIP: podIp,
      hostIP: hostIp,
    };
  }
}

/**
 * Turns of the event loop for work on many objects, such as all that a changed stage may concern:
 * undefined while the present turn may go on, else the promise of the next one for all callers.
 */
function sharedTurns(): () => Promise<void> | undefined {
  let startMs = performance.now();
  let next: Promise<void> | undefined;
  const begin = async (turn: Promise<void>): Promise<void> => {
    await turn;
    startMs = performance.now();
    next = undefined;
  };
  return () => {
    const turn = next ?? yieldIfLong(startMs);
    if (turn !== undefined) next ??= begin(turn);
    return next;
  };
}
