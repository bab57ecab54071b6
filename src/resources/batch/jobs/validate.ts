import { getOwn, type JsonObject } from '../../../meta/json-value.ts';
import { type FieldError, invalidShown, required } from '../../../status/field-error.ts';
import { goStringMap } from '../../../status/go-syntax.ts';
import { isSet, numberAt, objectAt, stringAt } from '../../../meta/read-field.ts';
import { checkImmutable } from '../../rules/immutable.ts';
import { checkLabelSelector, labelsOf, selectorMatches } from '../../rules/labels.ts';
import { checkPodTemplate, checkRestartPolicy } from '../../rules/pod-template.ts';
import { checkCounts } from '../../rules/workload.ts';

/** Every error of a Job. */
export function validateJob(job: JsonObject): FieldError[] {
  const spec = objectAt(job, 'spec');
  return [...selectorErrors(spec), ...validateJobSpec(spec, 'spec')];
}

/** Every error of the spec of a Job, also where it is a template. */
export function validateJobSpec(spec: JsonObject, path: string): FieldError[] {
  const template = objectAt(spec, 'template');
  return [
    ...checkCounts(path, spec, [
      'parallelism',
      'completions',
      'activeDeadlineSeconds',
      'backoffLimit',
      'ttlSecondsAfterFinished',
    ]),
    ...indexErrors(spec, path),
    ...checkPodTemplate(`${path}.template`, template),
    ...checkRestartPolicy(`${path}.template`, template, ['OnFailure', 'Never']),
  ];
}

function indexErrors(spec: JsonObject, path: string): FieldError[] {
  return stringAt(spec, 'completionMode') === 'Indexed' && numberAt(spec, 'completions') === undefined
    ? [required(`${path}.completions`, 'when completion mode is Indexed')]
    : [];
}

function selectorErrors(spec: JsonObject): FieldError[] {
  if (!isSet(spec, 'selector')) return [required('spec.selector')];
  const selector = objectAt(spec, 'selector');
  const errors = checkLabelSelector('spec.selector', selector);
  if (errors.length > 0) return errors;
  const labels = labelsOf(objectAt(spec, 'template'));
  return selectorMatches(selector, labels)
    ? []
    : [
        invalidShown(
          'spec.template.metadata.labels',
          goStringMap(labels),
          '`selector` does not match template `labels`',
        ),
      ];
}

/** The fields that a Job was started with. */
const fixed = ['completions', 'selector', 'template', 'completionMode'];

/** What may not change. */
export function validateJobUpdate(job: JsonObject, old: JsonObject): FieldError[] {
  const [spec, oldSpec] = [objectAt(job, 'spec'), objectAt(old, 'spec')];
  return fixed.flatMap((name) => checkImmutable(`spec.${name}`, getOwn(spec, name), getOwn(oldSpec, name)));
}
