import type { JsonObject } from '../../../meta/json-value.ts';
import type { ResourceDefinition } from '../../../registry/strategy.ts';
import { type FieldError, invalid, notSupported, required } from '../../../status/field-error.ts';
import {
  isSet,
  makeObjectAt,
  numberAt,
  objectAt,
  objectsAt,
  setDefault,
  stringAt,
  stringsAt,
} from '../../../meta/read-field.ts';
import { checkEach } from '../../rules/check.ts';
import { keepMetadata } from '../../rules/keep-metadata.ts';

/** Flow schemas: which requests belong to which priority level. */
export const definition: ResourceDefinition = {
  group: 'flowcontrol',
  resource: 'flowschemas',
  strategy: {
    default: (schema) => setDefault(makeObjectAt(schema, 'spec'), 'matchingPrecedence', 1000),
    validate: validateFlowSchema,
    allowUnconditionalUpdate: false,
    subresources: { status: { prepareForUpdate: keepMetadata() } },
  },
};

const highestPrecedence = 10_000;

function validateFlowSchema(schema: JsonObject): FieldError[] {
  const spec = objectAt(schema, 'spec');
  const precedence = numberAt(spec, 'matchingPrecedence') ?? 0;
  return [
    ...(precedence < 1 || precedence > highestPrecedence
      ? [invalid('spec.matchingPrecedence', precedence, `must be between 1 and ${highestPrecedence}, inclusive`)]
      : []),
    ...(stringAt(objectAt(spec, 'priorityLevelConfiguration'), 'name') === ''
      ? [required('spec.priorityLevelConfiguration.name', 'must reference a priority level')]
      : []),
    ...checkEach('spec.rules', objectsAt(spec, 'rules'), ruleErrors),
  ];
}

/** The field that each kind of subject fills in. */
const subjectFields: ReadonlyMap<string, string> = new Map([
  ['Group', 'group'],
  ['ServiceAccount', 'serviceAccount'],
  ['User', 'user'],
]);

function ruleErrors(rule: JsonObject, path: string): FieldError[] {
  const subjects = objectsAt(rule, 'subjects');
  const rules = [...objectsAt(rule, 'resourceRules'), ...objectsAt(rule, 'nonResourceRules')];
  return [
    ...(subjects.length === 0 ? [required(`${path}.subjects`, 'subjects must contain at least one value')] : []),
    ...checkEach(`${path}.subjects`, subjects, subjectErrors),
    ...(rules.length === 0
      ? [required(path, 'at least one of resourceRules and nonResourceRules has to be non-empty')]
      : []),
    ...checkEach(`${path}.resourceRules`, objectsAt(rule, 'resourceRules'), (one, at) =>
      listErrors(one, at, ['verbs', 'apiGroups', 'resources']),
    ),
    ...checkEach(`${path}.nonResourceRules`, objectsAt(rule, 'nonResourceRules'), (one, at) =>
      listErrors(one, at, ['verbs', 'nonResourceURLs']),
    ),
  ];
}

function subjectErrors(subject: JsonObject, path: string): FieldError[] {
  const kind = stringAt(subject, 'kind');
  const field = subjectFields.get(kind);
  if (field === undefined) return [notSupported(`${path}.kind`, kind, [...subjectFields.keys()])];
  if (!isSet(subject, field))
    return [required(`${path}.${field}`, `${field} is required when subject kind is '${kind}'`)];
  return stringAt(objectAt(subject, field), 'name') === '' ? [required(`${path}.${field}.name`)] : [];
}

function listErrors(rule: JsonObject, path: string, names: readonly string[]): FieldError[] {
  return names.flatMap((name) => {
    const values = stringsAt(rule, name);
    if (values.length === 0) return [required(`${path}.${name}`)];
    return values.length > 1 && values.includes('*')
      ? [invalid(`${path}.${name}`, [...values], "if '*' is present, must not specify other values")]
      : [];
  });
}
