import type { CellContext, Column } from '../../../codec/table-definition.ts';
import type { Job } from '../../../gen/stored/batch-v1.ts';
import { isSince } from '../../../scheme/api-release.ts';
import { hasAdditionsOf } from '../../../scheme/emulated-release.ts';
import { humanDuration } from '../../../meta/human-duration.ts';
import { parseTime } from '../../../meta/time.ts';
import { builtIn } from '../../built-in.ts';
import { ageColumn, nameColumn, textColumn } from '../../columns/column.ts';
import { workloadWithSelector } from '../../columns/workload.ts';
import { statusSubresource } from '../../subresources.ts';
import type { Strategy, StrategyContext } from '../../../registry/definition/strategy.ts';
import { defaultPodTemplate } from '../../core/pods/default.ts';
import { validateJobStatus } from './validate-job-status.ts';
import { validateJobUpdate } from './validate-job-update.ts';
import { validateJob } from './validate.ts';

/** The strategy of Jobs. */
const strategy: Strategy<Job> = {
  templatePath: ['spec', 'template'],
  default: defaultJob,
  prepareForCreate: selectByUid,
  validate: validateJob,
  validateUpdate: validateJobUpdate,
  subresources: {
    status: {
      default: labelAsPods,
      validateUpdate: validateJobStatus,
    },
  },
  // Jobs are older than the garbage collector, so their dependents are orphaned by default.
  dependents: () => 'orphan',
  warnsOfDependents: {
    since: '1.27',
    text:
      'child pods are preserved by default when jobs are deleted; ' +
      'set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning',
  },
  selectableFields: ['status.successful'],
  fieldsOf: ({ status }) => ({ 'status.successful': String(status.succeeded ?? 0) }),
};

/** Fills in the defaults of a Job that depend on other fields, or that a job template lacks. */
function defaultJob(job: Job, context: StrategyContext): void {
  const { spec } = job;
  defaultPodTemplate(spec.template, context);
  // Without `completions` and with `parallelism` the pods process a work queue.
  if (spec.parallelism === undefined) spec.completions ??= 1;
  spec.parallelism ??= 1;
  spec.backoffLimit ??= spec.backoffLimitPerIndex === undefined ? 6 : unlimited;
  spec.completionMode ??= 'NonIndexed';
  spec.suspend ??= false;
  if (hasAdditionsOf(context.emulated, '1.30')) spec.manualSelector ??= false;
  const isReplacing =
    isSince(context.emulated.release, '1.28') && context.emulated.isFeatureEnabled('JobPodReplacementPolicy');
  if (isReplacing) spec.podReplacementPolicy ??= spec.podFailurePolicy ? 'Failed' : 'TerminatingOrFailed';
  for (const rule of spec.podFailurePolicy?.rules ?? []) {
    for (const pattern of rule.onPodConditions ?? []) pattern.status ??= 'True';
  }
  labelAsPods(job);
}

/** The default back-off limit of a Job with a back-off limit per index. */
const unlimited = 2 ** 31 - 1;

/**
 * Gives a Job without labels the labels of its pod template. Both share one map, so that labels
 * which `selectByUid` adds are in both. Mutates.
 */
function labelAsPods({ metadata, spec }: Job): void {
  const { labels = {} } = spec.template.metadata;
  if (Object.keys(labels).length > 0 && Object.keys(metadata.labels ?? {}).length === 0) metadata.labels = labels;
}

/**
 * Sets the selector of a new Job to its uid, and adds the labels to the pod template. A manual
 * selector is kept. Mutates.
 */
function selectByUid(job: Job, { identifiers, emulated }: StrategyContext): void {
  const { metadata, spec } = job;
  if (spec.manualSelector) return;
  const { name = '', uid = '' } = metadata;
  const template = spec.template.metadata;
  spec.selector ??= {};
  if (isSince(emulated.release, '1.27')) {
    const domain = `batch.${identifiers.labelDomain}`;
    const generated = { 'controller-uid': uid, 'job-name': name };
    const prefixed = { [`${domain}/controller-uid`]: uid, [`${domain}/job-name`]: name };
    // Labels of the client are kept; validation compares them.
    template.labels = Object.assign(template.labels ?? {}, { ...generated, ...prefixed, ...template.labels });
    spec.selector.matchLabels = { [`${domain}/controller-uid`]: uid, ...spec.selector.matchLabels };
  } else {
    template.labels = Object.assign(template.labels ?? {}, { 'job-name': name, 'controller-uid': uid });
    spec.selector.matchLabels = { ...spec.selector.matchLabels, 'controller-uid': uid };
  }
  labelAsPods(job);
}

const columns: readonly Column<Job>[] = [
  nameColumn,
  { ...textColumn('Status', 'State of the job as its conditions tell it.', stateOf), since: '1.30' },
  textColumn('Completions', 'Number of pods that have succeeded, of the required ones.', completionsOf),
  textColumn('Duration', 'Time from the start of the job to its completion, or to now.', durationOf),
  ageColumn,
  ...workloadWithSelector,
];

/**
 * The states from conditions, final ones first. A Job that is being deleted is only shown as final.
 */
const finalStates = ['Complete', 'Failed'];
const laterStates = ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'];

function stateOf({ metadata, status: { conditions = [] } }: Job): string {
  const isTrue = (state: string): boolean => conditions.some(({ type, status }) => type === state && status === 'True');
  const final = finalStates.find(isTrue);
  if (final !== undefined) return final;
  return metadata.deletionTimestamp === undefined ? (laterStates.find(isTrue) ?? 'Running') : 'Terminating';
}

/** `2/5`; without `completions` one pod of the parallel ones is enough: `0/1 of 3`. */
function completionsOf({ spec: { completions, parallelism = 0 }, status: { succeeded = 0 } }: Job): string {
  if (completions !== undefined) return `${succeeded}/${completions}`;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function durationOf({ status: { startTime = '', completionTime = '' } }: Job, { nowMs }: CellContext): string {
  const start = parseTime(startTime);
  return start === undefined ? '' : humanDuration((parseTime(completionTime) ?? nowMs) - start);
}

/** The resource `jobs` of the group `batch`. */
export const jobs = builtIn<Job>({
  group: 'batch',
  resource: 'jobs',
  kind: 'Job',
  namespaced: true,
  versions: { v1: {} },
  categories: ['all'],
  subresources: [statusSubresource],
  columns,
  strategy,
});
