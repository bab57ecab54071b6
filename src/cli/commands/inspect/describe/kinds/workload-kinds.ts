import { isJsonObject, type JsonObject } from '../../../../../meta/json-value.ts';
import { humanDuration } from '../../../../../meta/human-duration.ts';
import { sameValue } from '../../../../../meta/read-field.ts';
import { parseTime } from '../../../../../meta/time.ts';
import { storageClass } from '../parts/claim-fields.ts';
import type { Description, Facts, Need, Section } from '../parts/description.ts';
import {
  annotations,
  conditions,
  controlledBy,
  created,
  field,
  ifSet,
  indented,
  labels,
  line,
  namespacedName,
  optional,
} from '../parts/fields.ts';
import { podTemplate } from '../parts/pod-template.ts';
import {
  capitalised,
  itemsAt,
  longTime,
  none,
  or,
  pairs,
  partAt,
  plain,
  selectorQuery,
  selectorText,
  textAt,
  unset,
  valueAt,
  withUnit,
} from '../parts/values.ts';

function selectedIn(group: string, resource: string): Need {
  return {
    group,
    resource,
    select: (object) => ({
      namespace: textAt(object, 'metadata.namespace'),
      labelSelector: labelQuery(partAt(object, 'spec.selector')),
    }),
  };
}

/** The selector of replication controllers is a map of labels. */
function labelQuery(selector: JsonObject): string {
  const isMap = Object.values(selector).every((value) => typeof value === 'string');
  return isMap && Object.keys(selector).length > 0 ? pairs(selector) : selectorQuery(selector);
}

const pods = selectedIn('', 'pods');

/** The objects that an object controls. */
function controlledOf(object: JsonObject, candidates: readonly JsonObject[]): readonly JsonObject[] {
  const uid = textAt(object, 'metadata.uid');
  return candidates.filter((each) =>
    itemsAt(each, 'metadata.ownerReferences').some((owner) => owner.controller === true && owner.uid === uid),
  );
}

/** How many of the pods of a controller are in each phase. */
const podsStatus: Section = (object, { related }) => {
  if (!related.pods) return ['Pods Status:\terror in fetching pods: not authorized'];
  const phases = controlledOf(object, related.pods).map((each) => textAt(each, 'status.phase'));
  const count = (phase: string) => phases.filter((each) => each === phase).length;
  const numbers = [
    `${count('Running')} Running`,
    `${count('Pending')} Waiting`,
    `${count('Succeeded')} Succeeded`,
    `${count('Failed')} Failed`,
  ];
  return [`Pods Status:\t${numbers.join(' / ')}`];
};

function number(object: JsonObject, path: string): string {
  return textAt(object, path) || '0';
}

const replicas = line(
  'Replicas',
  (object) => `${number(object, 'status.replicas')} current / ${number(object, 'spec.replicas')} desired`,
);

/** Deployments. */
export const deployment: Description = {
  needs: { replicaSets: selectedIn('apps', 'replicasets') },
  sections: [
    ...namespacedName,
    created,
    labels,
    annotations,
    field('Selector', 'spec.selector', selectorText),
    line('Replicas', (object) =>
      [
        `${number(object, 'spec.replicas')} desired`,
        `${number(object, 'status.updatedReplicas')} updated`,
        `${number(object, 'status.replicas')} total`,
        `${number(object, 'status.availableReplicas')} available`,
        `${number(object, 'status.unavailableReplicas')} unavailable`,
      ].join(' | '),
    ),
    field('StrategyType', 'spec.strategy.type'),
    field('MinReadySeconds', 'spec.minReadySeconds', or('0')),
    line('RollingUpdateStrategy', (object) => {
      const { maxUnavailable, maxSurge } = partAt(object, 'spec.strategy.rollingUpdate');
      if (maxUnavailable === undefined) return undefined;
      return `${plain(maxUnavailable)} max unavailable, ${plain(maxSurge)} max surge`;
    }),
    podTemplate('spec.template'),
    conditions,
    replicaSets,
  ],
};

function replicaSets(object: JsonObject, { related }: Facts): string[] {
  const all = controlledOf(object, related.replicaSets ?? []).toSorted((one, other) =>
    textAt(one, 'metadata.creationTimestamp') < textAt(other, 'metadata.creationTimestamp') ? -1 : 1,
  );
  if (all.length === 0) return [];
  const template = partAt(object, 'spec.template');
  const newest = all.find((each) => sameValue(withoutHash(partAt(each, 'spec.template')), withoutHash(template)));
  const text = (sets: readonly JsonObject[]) =>
    sets
      .map((each) => {
        const replicasText = `${number(each, 'status.replicas')}/${number(each, 'spec.replicas')} replicas created`;
        return `${textAt(each, 'metadata.name')} (${replicasText})`;
      })
      .join(', ') || none;
  const old = all.filter((each) => each !== newest);
  return [`OldReplicaSets:\t${text(old)}`, `NewReplicaSet:\t${text(newest ? [newest] : [])}`];
}

/** A template without the label that tells replica sets of a deployment apart. */
function withoutHash(template: JsonObject): JsonObject {
  const { 'pod-template-hash': _, ...rest } = partAt(template, 'metadata.labels');
  return { ...template, metadata: { ...partAt(template, 'metadata'), labels: rest } };
}

/** Replica sets. */
export const replicaSet: Description = {
  needs: { pods },
  sections: [
    ...namespacedName,
    field('Selector', 'spec.selector', selectorText),
    labels,
    annotations,
    controlledBy,
    replicas,
    podsStatus,
    podTemplate('spec.template'),
    conditions,
  ],
};

/** Replication controllers. */
export const replicationController: Description = {
  needs: { pods },
  sections: [
    ...namespacedName,
    field('Selector', 'spec.selector', pairs),
    labels,
    annotations,
    replicas,
    podsStatus,
    podTemplate('spec.template'),
    conditions,
  ],
};

const rollingUpdate = ifSet('spec.updateStrategy.rollingUpdate.partition', (object) =>
  indented([
    `Partition:\t${textAt(object, 'spec.updateStrategy.rollingUpdate.partition')}`,
    ...optional('MaxUnavailable', 'spec.updateStrategy.rollingUpdate.maxUnavailable')(object, nothing),
  ]),
);

const nothing: Facts = { nowMs: 0, related: {} };

const retention = ifSet('spec.persistentVolumeClaimRetentionPolicy', (object) => [
  'Persistent Volume Claim Retention Policy:',
  `  WhenDeleted:\t${textAt(object, 'spec.persistentVolumeClaimRetentionPolicy.whenDeleted')}`,
  `  WhenScaled:\t${textAt(object, 'spec.persistentVolumeClaimRetentionPolicy.whenScaled')}`,
]);

const claimTemplates: Section = (object, facts) => {
  const templates = itemsAt(object, 'spec.volumeClaimTemplates');
  if (templates.length === 0) return [`Volume Claims:\t${none}`];
  return [
    'Volume Claims:',
    ...templates.flatMap((claim) =>
      indented([
        `Name:\t${textAt(claim, 'metadata.name')}`,
        ...storageClass(claim, facts),
        ...labels(claim, facts),
        ...annotations(claim, facts),
        `Capacity:\t${textAt(claim, 'spec.resources.requests.storage') || '<default>'}`,
        `Access Modes:\t${plain(valueAt(claim, 'spec.accessModes') ?? [])}`,
      ]),
    ),
  ];
};

/** Stateful sets. */
export const statefulSet: Description = {
  needs: { pods },
  sections: [
    ...namespacedName,
    created,
    field('Selector', 'spec.selector', selectorText),
    labels,
    annotations,
    line(
      'Replicas',
      (object) => `${number(object, 'spec.replicas')} desired | ${number(object, 'status.replicas')} total`,
    ),
    field('Update Strategy', 'spec.updateStrategy.type'),
    rollingUpdate,
    retention,
    podsStatus,
    podTemplate('spec.template'),
    claimTemplates,
  ],
};

/** Numbers of nodes, whose lines have no columns. */
function nodes(label: string, path: string): Section {
  return (object) => [`${label}: ${number(object, path)}`];
}

/** Daemon sets. */
export const daemonSet: Description = {
  needs: { pods },
  sections: [
    ...namespacedName,
    field('Selector', 'spec.selector', selectorText),
    field('Node-Selector', 'spec.template.spec.nodeSelector', pairs),
    labels,
    annotations,
    nodes('Desired Number of Nodes Scheduled', 'status.desiredNumberScheduled'),
    nodes('Current Number of Nodes Scheduled', 'status.currentNumberScheduled'),
    nodes('Number of Nodes Scheduled with Up-to-date Pods', 'status.updatedNumberScheduled'),
    nodes('Number of Nodes Scheduled with Available Pods', 'status.numberAvailable'),
    nodes('Number of Nodes Misscheduled', 'status.numberMisscheduled'),
    podsStatus,
    podTemplate('spec.template'),
  ],
};

const jobStatuses = line('Pods Statuses', (job) => {
  const ready = textAt(job, 'status.ready');
  const active = `${number(job, 'status.active')} Active${ready === '' ? '' : ` (${ready} Ready)`}`;
  return `${active} / ${number(job, 'status.succeeded')} Succeeded / ${number(job, 'status.failed')} Failed`;
});

const jobDuration = line('Duration', (job) => {
  const [start, end] = ['status.startTime', 'status.completionTime'].map((path) => parseTime(textAt(job, path)));
  return start === undefined || end === undefined ? undefined : humanDuration(end - start);
});

/** Jobs. */
export const job: Description = {
  sections: [
    ...namespacedName,
    field('Selector', 'spec.selector', selectorText),
    labels,
    annotations,
    controlledBy,
    optional('Parallelism', 'spec.parallelism'),
    field('Completions', 'spec.completions', or(unset)),
    optional('Completion Mode', 'spec.completionMode'),
    optional('Suspend', 'spec.suspend'),
    optional('Backoff Limit', 'spec.backoffLimit'),
    optional('TTL Seconds After Finished', 'spec.ttlSecondsAfterFinished'),
    optional('Start Time', 'status.startTime', longTime),
    optional('Completed At', 'status.completionTime', longTime),
    jobDuration,
    optional('Active Deadline Seconds', 'spec.activeDeadlineSeconds', withUnit('s')),
    jobStatuses,
    line('Completed Indexes', (object) =>
      valueAt(object, 'spec.completionMode') === 'Indexed' ? completedIndexes(object) : undefined,
    ),
    podTemplate('spec.template'),
  ],
};

/** A longer list of indexes is cut. */
const longestIndexes = 50;

function completedIndexes(object: JsonObject): string {
  const text = textAt(object, 'status.completedIndexes');
  if (text.length <= longestIndexes) return text || none;
  const cut = text.indexOf(',', longestIndexes);
  return cut < 0 ? text : `${text.slice(0, cut + 1)}...`;
}

/** Cron jobs. */
export const cronJob: Description = {
  sections: [
    ...namespacedName,
    labels,
    annotations,
    field('Schedule', 'spec.schedule'),
    field('Concurrency Policy', 'spec.concurrencyPolicy'),
    field('Suspend', 'spec.suspend', or(unset, capitalised)),
    field('Time Zone', 'spec.timeZone', or(unset)),
    field('Successful Job History Limit', 'spec.successfulJobsHistoryLimit', or(unset)),
    field('Failed Job History Limit', 'spec.failedJobsHistoryLimit', or(unset)),
    field('Starting Deadline Seconds', 'spec.startingDeadlineSeconds', or(unset, withUnit('s'))),
    field('Selector', 'spec.jobTemplate.spec.selector', (value) => (isJsonObject(value) ? selectorText(value) : unset)),
    field('Parallelism', 'spec.jobTemplate.spec.parallelism', or(unset)),
    field('Completions', 'spec.jobTemplate.spec.completions', or(unset)),
    optional('Active Deadline Seconds', 'spec.jobTemplate.spec.activeDeadlineSeconds', withUnit('s')),
    podTemplate('spec.jobTemplate.spec.template'),
    field('Last Schedule Time', 'status.lastScheduleTime', or(unset, longTime)),
    line(
      'Active Jobs',
      (object) =>
        itemsAt(object, 'status.active')
          .map(({ name }) => plain(name))
          .join(', ') || none,
    ),
  ],
};
