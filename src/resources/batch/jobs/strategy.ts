import type { Job } from '../../../gen/stored/batch-v1.ts';
import type { Strategy } from '../../../registry/definition/strategy.ts';
import { defaultPodTemplate } from '../../core/pods/default.ts';
import { checkStatusCounts } from '../../rules/workloads/workload.ts';
import { validateJob, validateJobUpdate } from './validate.ts';

/** The strategy of Jobs. */
export const strategy: Strategy<Job> = {
  templatePath: ['spec', 'template'],
  default: defaultJob,
  prepareForCreate: selectByUid,
  validate: validateJob,
  validateUpdate: validateJobUpdate,
  subresources: {
    status: {
      default: labelAsPods,
      validateUpdate: (job) => checkStatusCounts(job, ['active', 'succeeded', 'failed']),
    },
  },
  // Jobs are older than the garbage collector, so their dependents are orphaned by default.
  dependents: () => 'orphan',
  selectableFields: ['status.successful'],
  fieldsOf: ({ status }) => ({ 'status.successful': String(status.succeeded ?? 0) }),
};

/** Fills in the defaults of a Job that depend on other fields, or that a job template lacks. */
function defaultJob(job: Job): void {
  const { spec } = job;
  defaultPodTemplate(spec.template);
  // Without `completions` and with `parallelism` the pods process a work queue.
  if (spec.parallelism === undefined) spec.completions ??= 1;
  spec.parallelism ??= 1;
  spec.backoffLimit ??= 6;
  spec.completionMode ??= 'NonIndexed';
  spec.suspend ??= false;
  labelAsPods(job);
}

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
function selectByUid(job: Job): void {
  const { metadata, spec } = job;
  if (spec.manualSelector) return;
  const { name = '', uid = '' } = metadata;
  const template = spec.template.metadata;
  template.labels = Object.assign(template.labels ?? {}, { 'job-name': name, 'controller-uid': uid });
  spec.selector ??= {};
  spec.selector.matchLabels = { ...spec.selector.matchLabels, 'controller-uid': uid };
  labelAsPods(job);
}
