import type { JsonObject } from '../../../meta/json-value.ts';
import { nameOf } from '../../../meta/object-meta.ts';
import { now } from '../../../meta/time.ts';
import { validateDns1035Label, validateDnsSubdomain, validateWholePathSegment } from '../../../meta/validate-name.ts';
import type { Strategy } from '../../../registry/definition/strategy.ts';
import { type FieldError, invalid, notSupported, required } from '../../../status/field-error.ts';
import { isSet, isTrue, numberAt, objectAt, objectsAt, setDefault, stringAt } from '../../../meta/read-field.ts';
import { checkEach, checkString } from '../../rules/fields/check.ts';
import { keepMetadata } from '../../rules/fields/keep-metadata.ts';
import { checkServicePort } from '../../rules/fields/port.ts';

/** The strategy of API services. Each says which server serves a group and version. */
export const strategy: Strategy = {
  plainFinalizers: true,
  validateName: validateWholePathSegment,
  validateNewName: (name, apiService) =>
    validateWholePathSegment(name).length > 0 ? [] : nameMessages(name, apiService),
  default: (apiService) => {
    const spec = objectAt(apiService, 'spec');
    if (isSet(spec, 'service')) setDefault(objectAt(spec, 'service'), 'port', 443);
  },
  prepareForCreate: (apiService) => {
    apiService['status'] = isSet(objectAt(apiService, 'spec'), 'service') ? {} : { conditions: [localCondition()] };
  },
  validate: validateApiService,
  validateUpdate: nameErrors,
  generation: false,
  allowUnconditionalUpdate: false,
  subresources: { status: { ...keepMetadata(), validateUpdate: conditionErrors } },
};

const conditionStates = ['True', 'False', 'Unknown'];

function conditionErrors(apiService: JsonObject): readonly FieldError[] {
  return checkEach('status.conditions', objectsAt(objectAt(apiService, 'status'), 'conditions'), (condition, path) => {
    const state = stringAt(condition, 'status');
    return conditionStates.includes(state) ? [] : [notSupported(`${path}.status`, state, conditionStates)];
  });
}

/** The condition of a local API service, which is always available. */
function localCondition(): JsonObject {
  return {
    type: 'Available',
    status: 'True',
    lastTransitionTime: now(),
    reason: 'Local',
    message: 'Local APIServices are always available',
  };
}

/** The maximum priorities, which order groups and versions. */
const priorities = [
  ['groupPriorityMinimum', 20_000],
  ['versionPriority', 1000],
] as const;

function nameErrors(apiService: JsonObject): readonly FieldError[] {
  const name = nameOf(apiService);
  return nameMessages(name, apiService).map((message) => invalid('metadata.name', name, message));
}

/** The name of an API service is that of its group and version. */
function nameMessages(name: string, apiService: JsonObject): readonly string[] {
  const spec = objectAt(apiService, 'spec');
  const expected = `${stringAt(spec, 'version')}.${stringAt(spec, 'group')}`;
  return name === expected ? [] : [`must be \`spec.version+"."+spec.group\`: ${JSON.stringify(expected)}`];
}

function validateApiService(apiService: JsonObject): FieldError[] {
  const spec = objectAt(apiService, 'spec');
  const [group, version] = [stringAt(spec, 'group'), stringAt(spec, 'version')];
  return [
    ...(group === '' ? coreErrors(version) : checkString('spec.group', group, validateDnsSubdomain)),
    ...checkString('spec.version', version, validateDns1035Label),
    ...priorities.flatMap(([field, most]) => priorityErrors(`spec.${field}`, numberAt(spec, field) ?? 0, most)),
    ...(isSet(spec, 'service') ? serviceErrors(spec) : localErrors(spec)),
  ];
}

/** Checks that an API service of the core group has the version v1. */
function coreErrors(version: string): FieldError[] {
  return version === 'v1'
    ? []
    : [required('spec.group', 'only v1 may have an empty group and it better be legacy kube')];
}

function priorityErrors(field: string, priority: number, most: number): FieldError[] {
  return priority <= 0 || priority > most ? [invalid(field, priority, `must be positive and less than ${most}`)] : [];
}

/** Refuses TLS settings of a local API service, which needs no connection. */
function localErrors(spec: JsonObject): FieldError[] {
  const bundle = Buffer.from(stringAt(spec, 'caBundle'), 'base64');
  return [
    ...(isTrue(spec, 'insecureSkipTLSVerify')
      ? [invalid('spec.insecureSkipTLSVerify', true, 'local APIServices may not have insecureSkipTLSVerify')]
      : []),
    ...(bundle.length === 0
      ? []
      : [invalid('spec.caBundle', `${bundle.length} bytes`, 'local APIServices may not have a caBundle')]),
  ];
}

function serviceErrors(spec: JsonObject): FieldError[] {
  const service = objectAt(spec, 'service');
  return [
    ...['namespace', 'name'].flatMap((name) =>
      stringAt(service, name) === '' ? [required(`spec.service.${name}`)] : [],
    ),
    ...checkServicePort('spec.service.port', numberAt(service, 'port') ?? 0),
    ...(isTrue(spec, 'insecureSkipTLSVerify') && stringAt(spec, 'caBundle') !== ''
      ? [invalid('spec.insecureSkipTLSVerify', true, 'may not be true if caBundle is present')]
      : []),
  ];
}
