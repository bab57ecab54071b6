import { getOwn, type JsonObject } from '../../../meta/json-value.ts';
import { type FieldError, invalid, notSupported, required } from '../../../status/field-error.ts';
import { isSet, isTrue, numberAt, objectAt, sameValue, stringAt } from '../../../meta/read-field.ts';
import { sameMessage, type SameValue } from '../../../scheme/same-message.ts';
import { checkImmutable } from '../../rules/fields/immutable.ts';
import { checkLabelSelector, isReadableSelector, labelsOf, selectorMatches } from '../../rules/fields/labels.ts';
import { checkPodTemplate } from '../../rules/workloads/pod-template.ts';
import { checkSelected } from '../../rules/workloads/workload.ts';

/** All errors of a Job. */
export function validateJob(job: JsonObject): FieldError[] {
  const spec = objectAt(job, 'spec');
  return [
    ...generatedErrors(job, spec),
    ...validateJobSpec(spec, 'spec'),
    ...(isSet(spec, 'selector')
      ? checkLabelSelector('spec.selector', objectAt(spec, 'selector'))
      : [required('spec.selector')]),
    ...checkSelected(spec),
  ];
}

/**
 * Checks that a generated selector, and the labels of the pods, have the uid and the name of the
 * Job.
 */
function generatedErrors(job: JsonObject, spec: JsonObject): FieldError[] {
  if (isTrue(spec, 'manualSelector') || !isSet(spec, 'selector')) return [];
  const metadata = objectAt(job, 'metadata');
  const expected = { 'controller-uid': stringAt(metadata, 'uid'), 'job-name': stringAt(metadata, 'name') };
  const labels = labelsOf(objectAt(spec, 'template'));
  const selector = objectAt(spec, 'selector');
  return [
    ...Object.entries(expected).flatMap(([key, value]) => labelErrors(labels, key, value)),
    // A selector that cannot be converted is reported by `checkLabelSelector`.
    ...(!isReadableSelector(selector) || selectorMatches(selector, expected)
      ? []
      : [invalid('spec.selector', selector, '`selector` not auto-generated')]),
  ];
}

function labelErrors(labels: JsonObject, key: string, value: string): FieldError[] {
  const field = `spec.template.metadata.labels[${key}]`;
  if (!isSet(labels, key)) return [required(field, `must be '${value}'`)];
  return stringAt(labels, key) === value ? [] : [invalid(field, labels, `must be '${value}'`)];
}

/** All errors of the spec of a Job or of a job template. */
export function validateJobSpec(spec: JsonObject, path: string): FieldError[] {
  const template = objectAt(spec, 'template');
  return [
    ...indexErrors(spec, path),
    ...checkPodTemplate(`${path}.template`, template),
    ...policyErrors(`${path}.template.spec.restartPolicy`, stringAt(objectAt(template, 'spec'), 'restartPolicy')),
  ];
}

const policies = ['OnFailure', 'Never'];

/**
 * Checks the restart policy. `Always` is the default of pod templates, so it is reported as a
 * missing value.
 */
function policyErrors(field: string, policy: string): FieldError[] {
  if (policies.includes(policy)) return [];
  return policy === 'Always'
    ? [required(field, `valid values: ${policies.map((name) => `"${name}"`).join(', ')}`)]
    : [notSupported(field, policy, policies)];
}

/** Maximum parallelism of an indexed Job. */
const indexedLimit = 100_000;

function indexErrors(spec: JsonObject, path: string): FieldError[] {
  if (stringAt(spec, 'completionMode') !== 'Indexed') return [];
  const parallelism = numberAt(spec, 'parallelism') ?? 0;
  const tooMany = `must be less than or equal to ${indexedLimit} when completion mode is Indexed`;
  return [
    ...(numberAt(spec, 'completions') === undefined
      ? [required(`${path}.completions`, 'when completion mode is Indexed')]
      : []),
    ...(parallelism > indexedLimit ? [invalid(`${path}.parallelism`, parallelism, tooMany)] : []),
  ];
}

/** The immutable fields of the spec, each with its comparison. */
const fixed: Readonly<Record<string, SameValue>> = {
  completions: sameValue,
  selector: sameMessage('api.meta.v1.LabelSelector'),
  template: sameMessage('api.core.v1.PodTemplateSpec'),
  completionMode: sameValue,
};

/** The errors of an update: changes of immutable fields. */
export function validateJobUpdate(job: JsonObject, old: JsonObject): FieldError[] {
  const [spec, oldSpec] = [objectAt(job, 'spec'), objectAt(old, 'spec')];
  return Object.entries(fixed).flatMap(([name, same]) =>
    checkImmutable(`spec.${name}`, getOwn(spec, name), getOwn(oldSpec, name), same),
  );
}
