import type { EventRecorder } from '../../client/events/event-recorder.ts';
import type { InformerFactory } from '../../client/informers/informer-factory.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import { compileStage, type KnownOutcomes } from './compile-stage.ts';
import { FollowedStage } from './followed-stage.ts';
import { type Stage, stageGroup, stagesOf, type StageSpec, stageVersion } from './stage.ts';

/** The stages in use. */
export interface FollowedStages {
  /**
   * The stages of the API and of the group of a node, for one resource, by name; the same list as
   * long as none of them changes.
   */
  readonly of: (resource: StageSpec['resource'], nodeName: string) => readonly FollowedStage[];
}

/** The stages that are followed. */
interface FollowOptions {
  /** The informers; undefined if the server does not have the kind Stage. */
  readonly informers: InformerFactory | undefined;
  readonly identifiers: Identifiers;
  readonly events: EventRecorder;
  /** The stages of groups, by the names of their nodes; they have been checked. */
  readonly given: ReadonlyMap<string, readonly Stage[]>;
  readonly outcomes: KnownOutcomes;
  readonly onError: (error: unknown) => void;
}

/** Further stages are refused: each is compared with each pod. */
const stageLimit = 200;

/** The longest message of an Event. */
const messageLimit = 1_000;

const resources = ['pods', 'nodes'] as const;

/** Lists of stages by resource. */
type StageLists = Readonly<Record<StageSpec['resource'], readonly FollowedStage[]>>;

const noStages: StageLists = Object.freeze({ pods: Object.freeze([]), nodes: Object.freeze([]) });

/**
 * Follows the stages of the API until the signal aborts, in addition to the stages of node groups.
 * A stage that cannot be compiled has no effect, and gets an Event with the reason.
 */
export function followStages(options: FollowOptions, signal: AbortSignal): FollowedStages {
  const { informers, identifiers, events, given, outcomes, onError } = options;
  const followed = new Map<string, FollowedStage>();
  /** Stages beyond the limit, which take the place of one that is deleted. */
  const refused = new Map<string, Stage>();
  const groups = compileGroups(given, outcomes, onError);
  /** The lists of each group, joined with the stages of the API on first use. */
  let joined = new Map<StageLists, StageLists>();

  const set = (stage: Stage): void => {
    const { name } = stage.metadata;
    followed.delete(name);
    refused.delete(name);
    joined = new Map();
    const about = { ...stage, apiVersion: `${stageGroup(identifiers)}/${stageVersion}`, kind: 'Stage' };
    const warn = (reason: string, message: string): void =>
      events.record(about, { type: 'Warning', reason, message: message.slice(0, messageLimit) });
    if (followed.size >= stageLimit) {
      refused.set(name, stage);
      return warn('TooManyStages', `only ${stageLimit} stages are followed`);
    }
    const reading = compileStage(stage, outcomes);
    if ('stage' in reading) followed.set(name, new FollowedStage(reading.stage, warn));
    else warn('InvalidStage', `the stage has no effect: ${reading.problems.join('; ')}`);
  };
  const changed = (stage: Stage, old: Stage): void => {
    const { uid, generation } = stage.metadata;
    if (uid !== old.metadata.uid || generation !== old.metadata.generation) set(stage);
  };
  const remove = ({ metadata: { name } }: Stage): void => {
    followed.delete(name);
    refused.delete(name);
    joined = new Map();
    const [next] = refused.values();
    if (next && followed.size < stageLimit) set(next);
  };
  informers?.informer(stagesOf(identifiers)).subscribe({ add: set, update: changed, delete: remove }, signal);

  return {
    of(resource, nodeName) {
      const group = groups.get(nodeName) ?? noStages;
      if (followed.size === 0) return group[resource];
      let lists = joined.get(group);
      if (!lists) {
        lists = listsOf([...followed.values()], group);
        joined.set(group, lists);
      }
      return lists[resource];
    },
  };
}

function listsOf(stages: readonly FollowedStage[], group: StageLists): StageLists {
  const [ofPods, ofNodes] = resources.map((resource) =>
    [...stages.filter(({ stage }) => stage.resource === resource), ...group[resource]].toSorted(byName),
  );
  return { pods: ofPods ?? [], nodes: ofNodes ?? [] };
}

function byName({ stage: left }: FollowedStage, { stage: right }: FollowedStage): number {
  return left.name < right.name ? -1 : left.name > right.name ? 1 : 0;
}

/** The lists of the nodes of groups; nodes of one group share theirs. */
function compileGroups(
  given: FollowOptions['given'],
  outcomes: KnownOutcomes,
  onError: FollowOptions['onError'],
): ReadonlyMap<string, StageLists> {
  const compiled = new Map<readonly Stage[], StageLists>();
  const of = (stages: readonly Stage[]): StageLists => {
    const found =
      compiled.get(stages) ??
      listsOf(
        stages.flatMap((stage) => compileGiven(stage, outcomes, onError)),
        noStages,
      );
    compiled.set(stages, found);
    return found;
  };
  return new Map([...given].map(([name, stages]) => [name, of(stages)]));
}

function compileGiven(
  stage: Stage,
  outcomes: KnownOutcomes,
  onError: FollowOptions['onError'],
): readonly FollowedStage[] {
  const reading = compileStage(stage, outcomes);
  const { name } = stage.metadata;
  const warn = (_reason: string, message: string): void => onError(new Error(`stage ${name}: ${message}`));
  if ('stage' in reading) return [new FollowedStage(reading.stage, warn)];
  throw new TypeError(`stage ${name}: ${reading.problems.join('; ')}`);
}
