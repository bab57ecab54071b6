import type { Job, JobSpec } from '../../../gen/stored/batch-v1.ts';
import { getOwn } from '../../../meta/json-value.ts';
import { sameValue } from '../../../meta/read-field.ts';
import { sameMessage } from '../../../scheme/same-message.ts';
import { FieldCursor } from '../../../status/field-cursor.ts';
import { type FieldError, invalid, notSupported, required } from '../../../status/field-error.ts';
import { checkImmutable } from '../../rules/fields/immutable.ts';
import { checkLabelSelector, isReadableSelector, selectorMatches } from '../../rules/fields/labels.ts';
import { checkPodTemplate } from '../../rules/workloads/pod-template.ts';
import { checkSelected } from '../../rules/workloads/workload.ts';

/** All errors of a Job. */
export function validateJob(job: Job): readonly FieldError[] {
  const spec = new FieldCursor(job).at('spec');
  const selector = spec.at('selector');
  checkGenerated(job, spec);
  checkJobSpec(spec);
  if (!selector.value) selector.reportRequired();
  else spec.report(...checkLabelSelector(selector.path, selector.value));
  checkSelected(spec);
  return spec.errors;
}

/**
 * Checks that a generated selector, and the labels of the pods, have the uid and the name of the
 * Job.
 */
function checkGenerated({ metadata }: Job, spec: FieldCursor<JobSpec>): void {
  const selector = spec.at('selector');
  if (spec.value.manualSelector || !selector.value) return;
  const expected = { 'controller-uid': metadata.uid ?? '', 'job-name': metadata.name ?? '' };
  const { labels = {} } = spec.value.template.metadata;
  for (const [key, value] of Object.entries(expected)) {
    const given = getOwn(labels, key);
    const field = `${spec.path}.template.metadata.labels[${key}]`;
    if (given === undefined) spec.report(required(field, `must be '${value}'`));
    else if (given !== value) spec.report(invalid(field, labels, `must be '${value}'`));
  }
  // A selector that cannot be converted is reported by `checkLabelSelector`.
  if (isReadableSelector(selector.value) && !selectorMatches(selector.value, expected)) {
    selector.reportInvalid('`selector` not auto-generated');
  }
}

/** Checks the spec of a Job or of a job template. */
export function checkJobSpec(spec: FieldCursor<JobSpec>): void {
  checkIndexed(spec);
  checkPodTemplate(spec.at('template'));
  checkPolicy(spec.at('template').at('spec').at('restartPolicy'));
}

const policies = ['OnFailure', 'Never'];

/**
 * Checks the restart policy. `Always` is the default of pod templates, so it is reported as a
 * missing value.
 */
function checkPolicy(policy: FieldCursor<string>): void {
  if (policies.includes(policy.value)) return;
  if (policy.value === 'Always') {
    policy.reportRequired(`valid values: ${policies.map((name) => `"${name}"`).join(', ')}`);
  } else policy.report(notSupported(policy.path, policy.value, policies));
}

/** Maximum parallelism of an indexed Job. */
const indexedLimit = 100_000;

function checkIndexed(spec: FieldCursor<JobSpec>): void {
  const { completionMode, parallelism = 0 } = spec.value;
  if (completionMode !== 'Indexed') return;
  spec.at('completions').mustBeSet('when completion mode is Indexed');
  if (parallelism > indexedLimit) {
    spec
      .at('parallelism')
      .reportInvalid(`must be less than or equal to ${indexedLimit} when completion mode is Indexed`);
  }
}

/** The immutable fields of the spec, each with its comparison. */
const fixed = [
  ['completions', sameValue],
  ['selector', sameMessage('api.meta.v1.LabelSelector')],
  ['template', sameMessage('api.core.v1.PodTemplateSpec')],
  ['completionMode', sameValue],
] as const;

/** The errors of an update: changes of immutable fields. */
export function validateJobUpdate({ spec }: Job, old: Job): readonly FieldError[] {
  return fixed.flatMap(([name, same]) => checkImmutable(`spec.${name}`, spec[name], old.spec[name], same));
}
