import type { Job, JobSpec } from '../../../gen/stored/batch-v1.ts';
import { getOwn } from '../../../meta/json-value.ts';
import { validateDnsLabel } from '../../../meta/validate-name.ts';
import type { StrategyContext } from '../../../registry/definition/strategy.ts';
import { isSince } from '../../../scheme/api-release.ts';
import type { EmulatedRelease } from '../../../scheme/emulated-release.ts';
import { FieldCursor } from '../../../status/field-cursor.ts';
import { type FieldError, invalid, notSupported, required, tooLong } from '../../../status/field-error.ts';
import { checkNotNegative } from '../../rules/fields/field-checks.ts';
import { checkDomainPrefixedPath } from '../../rules/fields/domain-path.ts';
import { checkLabelSelector, isReadableSelector, selectorMatches } from '../../rules/fields/labels.ts';
import { checkPodTemplate } from '../../rules/workloads/check-pod-template.ts';
import { checkSelected } from '../../rules/workloads/check-selector.ts';
import { checkFailurePolicy, checkSuccessPolicy } from './check-failure-policy.ts';
import { withOperatorsOfTemplate } from '../../core/pods/number-operators.ts';

/** All errors of a Job. */
export function validateJob(job: Job, context: StrategyContext, old?: Job): readonly FieldError[] {
  const emulated = withOperatorsOfTemplate(old, context.emulated);
  const spec = new FieldCursor(job).at('spec');
  const selector = spec.at('selector');
  checkGenerated(job, spec, generatedLabels(job, context, old));
  checkJobSpec(spec, emulated);
  if (!selector.value) selector.reportRequired();
  else spec.report(...checkLabelSelector(selector.path, selector.value));
  checkSelected(spec);
  if (isSince(emulated.release, '1.27')) spec.report(...checkPodHostname(job));
  return spec.errors;
}

/**
 * The labels that a generated selector and the pods must have. Labels with a domain were added in
 * release 1.27; older Jobs lack them. Earlier releases accept a Job that a later one has created.
 */
function generatedLabels(
  { metadata: { uid = '', name = '' } }: Job,
  { identifiers, emulated }: StrategyContext,
  old: Job | undefined,
): Readonly<Record<string, string>> {
  const plain = { 'controller-uid': uid, 'job-name': name };
  const domain = `batch.${identifiers.labelDomain}`;
  const prefixed = { [`${domain}/controller-uid`]: uid, [`${domain}/job-name`]: name };
  const { labels = {} } = old?.spec.template.metadata ?? {};
  if (!isSince(emulated.release, '1.27')) {
    const isLater = Object.entries(prefixed).every(([key, value]) => getOwn(labels, key) === value);
    return isLater ? { ...plain, ...prefixed } : plain;
  }
  const isOlder = old !== undefined && !Object.keys(prefixed).every((key) => Object.hasOwn(labels, key));
  return isOlder ? plain : { ...plain, ...prefixed };
}

/** Checks the host names of an indexed Job's pods: its name with an index. */
function checkPodHostname({ metadata: { name = '' }, spec }: Job): readonly FieldError[] {
  if (spec.completionMode !== 'Indexed' || !spec.completions) return [];
  const longest = `${name}-${spec.completions - 1}`;
  if (validateDnsLabel(longest).length === 0) return [];
  return [invalid('metadata.name', name, `will not able to create pod with invalid DNS label: ${longest}`)];
}

/**
 * Checks that a generated selector, and the labels of the pods, have the uid and the name of the
 * Job.
 */
function checkGenerated(job: Job, spec: FieldCursor<JobSpec>, expected: Readonly<Record<string, string>>): void {
  const selector = spec.at('selector');
  if (spec.value.manualSelector || !selector.value) return;
  const { labels = {} } = job.spec.template.metadata;
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
export function checkJobSpec(spec: FieldCursor<JobSpec>, emulated: EmulatedRelease): void {
  checkIndexed(spec);
  checkIndexLimits(spec);
  checkManager(spec.at('managedBy'));
  checkFailurePolicy(spec);
  checkSuccessPolicy(spec);
  checkReplacement(spec);
  checkPodTemplate(spec.at('template'), emulated);
  checkPolicy(spec);
}

/** Maximum length of the name of a Job's controller. */
const managerLimit = 63;

/** Checks `managedBy`, the name of the controller of a Job. */
function checkManager({ value, path, errors }: FieldCursor<string | undefined>): void {
  if (value === undefined) return;
  errors.push(...checkDomainPrefixedPath(path, value));
  if (value.length > managerLimit) errors.push(tooLong(path, managerLimit));
}

/** Checks the pod replacement policy. With a failure policy it must be Failed. */
function checkReplacement(spec: FieldCursor<JobSpec>): void {
  const { value, path, errors } = spec.at('podReplacementPolicy');
  const values = spec.value.podFailurePolicy ? ['Failed'] : ['Failed', 'TerminatingOrFailed'];
  if (value !== undefined && !values.includes(value)) errors.push(notSupported(path, value, values));
}

const policies = ['OnFailure', 'Never'];

/**
 * Checks the restart policy. `Always` is the default of pod templates, so it is reported as a
 * missing value.
 */
function checkPolicy(spec: FieldCursor<JobSpec>): void {
  const policy = spec.at('template').at('spec').at('restartPolicy');
  if (policy.value === 'Always') {
    policy.reportRequired(`valid values: ${policies.map((name) => `"${name}"`).join(', ')}`);
  } else if (!policies.includes(policy.value)) policy.report(notSupported(policy.path, policy.value, policies));
  else if (spec.value.podFailurePolicy && policy.value !== 'Never') {
    policy.reportInvalid('only "Never" is supported when podFailurePolicy is specified');
  }
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

/** The limits of Jobs with many completions, whose status lists failed indexes. */
const manyLimits = Object.freeze({ completions: 100_000, parallelism: 10_000, failedIndexes: 10_000 });

/** Checks the back-off limit per index and the limit of failed indexes. */
function checkIndexLimits(spec: FieldCursor<JobSpec>): void {
  const { completionMode = 'NonIndexed', backoffLimitPerIndex, maxFailedIndexes, completions = 0 } = spec.value;
  const [perIndex, most] = [spec.at('backoffLimitPerIndex'), spec.at('maxFailedIndexes')];
  for (const { value, path, errors } of [perIndex, most]) errors.push(...checkNotNegative(path, value));
  if (maxFailedIndexes !== undefined && backoffLimitPerIndex === undefined) {
    perIndex.reportRequired('when maxFailedIndexes is specified');
  }
  if (completionMode === 'NonIndexed') {
    for (const field of [perIndex, most]) if (field.isSet) field.reportInvalid('requires indexed completion mode');
    return;
  }
  const atMost = 'must be less than or equal to';
  if (maxFailedIndexes !== undefined) {
    if (spec.value.completions !== undefined && maxFailedIndexes > completions) {
      most.reportInvalid(`${atMost} completions`);
    }
    if (maxFailedIndexes > indexedLimit) most.reportInvalid(`${atMost} ${indexedLimit}`);
  }
  if (completions > manyLimits.completions && backoffLimitPerIndex !== undefined) checkManyIndexes(spec);
}

function checkManyIndexes(spec: FieldCursor<JobSpec>): void {
  const { maxFailedIndexes, parallelism = 0 } = spec.value;
  const { completions, parallelism: pods, failedIndexes } = manyLimits;
  const when = `when completions are above ${completions} and used with backoff limit per index`;
  const most = spec.at('maxFailedIndexes');
  if (maxFailedIndexes === undefined) most.reportRequired(`must be specified when completions is above ${completions}`);
  if (parallelism > pods) spec.at('parallelism').reportInvalid(`must be less than or equal to ${pods} ${when}`);
  if ((maxFailedIndexes ?? 0) > failedIndexes)
    most.reportInvalid(`must be less than or equal to ${failedIndexes} ${when}`);
}
