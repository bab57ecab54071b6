import type { JsonObject } from '../../../meta/json-value.ts';
import type { Strategy } from '../../../registry/strategy.ts';
import { type FieldError, invalid, notSupported } from '../../../status/field-error.ts';
import { isSet, isTrue, makeObjectAt, objectAt, stringAt } from '../../../meta/read-field.ts';
import { checkRequiredString } from '../../rules/fields/check.ts';
import { defaultJobTemplate } from '../jobs/default.ts';
import { validateJobSpec } from '../jobs/validate.ts';
import { scheduleMessages } from './schedule.ts';

/** The strategy of CronJobs. */
export const strategy: Strategy = {
  templatePath: ['spec', 'jobTemplate', 'spec', 'template'],
  default: defaultCronJob,
  validate: validateCronJob,
  validateCreate: nameErrors,
  dependents: (version) => (version === 'v1beta1' ? 'orphan' : 'collect'),
};

function defaultCronJob(cronJob: JsonObject): void {
  defaultJobTemplate(makeObjectAt(makeObjectAt(makeObjectAt(cronJob, 'spec'), 'jobTemplate'), 'spec'));
}

function validateCronJob(cronJob: JsonObject): FieldError[] {
  const spec = objectAt(cronJob, 'spec');
  return [
    ...checkRequiredString('spec.schedule', stringAt(spec, 'schedule'), scheduleMessages),
    ...validateJobSpec(objectAt(spec, 'jobTemplate', 'spec'), 'spec.jobTemplate.spec'),
    ...selectorErrors(objectAt(spec, 'jobTemplate', 'spec'), 'spec.jobTemplate.spec'),
  ];
}

/** Refuses a selector in the job template: each Job gets its own. */
function selectorErrors(spec: JsonObject, path: string): FieldError[] {
  const selector = objectAt(spec, 'selector');
  return [
    ...(isSet(spec, 'selector') ? [invalid(`${path}.selector`, selector, '`selector` will be auto-generated')] : []),
    ...(isTrue(spec, 'manualSelector') ? [notSupported(`${path}.manualSelector`, true, ['nil', 'false'])] : []),
  ];
}

/** Maximum length of a name: that of a label, less 11 characters for the suffix of a Job's name. */
const nameLimit = 52;

function nameErrors(cronJob: JsonObject): FieldError[] {
  const name = stringAt(objectAt(cronJob, 'metadata'), 'name');
  return name.length > nameLimit
    ? [invalid('metadata.name', name, `must be no more than ${nameLimit} characters`)]
    : [];
}
