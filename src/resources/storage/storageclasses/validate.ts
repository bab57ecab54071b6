import { getOwn, type JsonObject } from '../../../meta/json-value.ts';
import { objectsAt, sameValue, stringAt, stringEntriesAt, stringsAt } from '../../../meta/read-field.ts';
import { validateQualifiedName } from '../../../meta/validate-name.ts';
import { allErrors, errorsOfEach, noErrors } from '../../../status/all-errors.ts';
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
  tooLong,
} from '../../../status/field-error.ts';
import { checkEach, checkString } from '../../rules/fields/check.ts';
import { checkImmutable } from '../../rules/fields/immutable.ts';
import { repeatsOf } from '../../rules/fields/repeats.ts';

/** Maximum number and total size of the parameters. */
const parameterLimits = { count: 512, bytes: 262_144 };

/** All errors of a storage class. */
export function validateStorageClass(storageClass: JsonObject): readonly FieldError[] {
  const provisioner = stringAt(storageClass, 'provisioner');
  return [
    ...(provisioner === ''
      ? [required('provisioner')]
      : validateQualifiedName(provisioner.toLowerCase()).map((text) => invalid('provisioner', provisioner, text))),
    ...parameterErrors(storageClass),
    ...reclaimErrors(stringAt(storageClass, 'reclaimPolicy')),
    ...topologyErrors(objectsAt(storageClass, 'allowedTopologies')),
  ];
}

const reclaimPolicies = ['Delete', 'Retain'];

function reclaimErrors(policy: string): readonly FieldError[] {
  const isKnown = policy === '' || reclaimPolicies.includes(policy);
  return isKnown ? [] : [notSupported('reclaimPolicy', policy, reclaimPolicies)];
}

function parameterErrors(storageClass: JsonObject): readonly FieldError[] {
  const parameters = stringEntriesAt(storageClass, 'parameters');
  const bytes = parameters.reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0);
  return [
    ...(parameters.length > parameterLimits.count ? [tooLong('parameters', parameterLimits.count)] : []),
    ...parameters.filter(([key]) => key === '').map(([key]) => invalid('parameters', key, 'field can not be empty.')),
    ...(bytes > parameterLimits.bytes ? [tooLong('parameters', parameterLimits.bytes)] : []),
  ];
}

/**
 * Checks the topologies: each term is unique. An empty term is always reported as a duplicate, as
 * kube-apiserver does.
 */
function topologyErrors(terms: readonly JsonObject[]): readonly FieldError[] {
  const seen = new Set([choiceOf({})]);
  return errorsOfEach(terms, (term, index) => {
    const field = `allowedTopologies[${index}].matchLabelExpressions`;
    const choice = choiceOf(term);
    const repeats = seen.has(choice);
    seen.add(choice);
    return allErrors(termErrors(term, field), repeats ? [duplicate(field, '')] : noErrors);
  });
}

/**
 * A text that is equal for terms with the same requirements in any order. Of several requirements
 * for a key, which are reported, the last counts.
 */
function choiceOf(term: JsonObject): string {
  const expressions = objectsAt(term, 'matchLabelExpressions');
  const choices = new Map(
    expressions.map((one) => [stringAt(one, 'key'), [...new Set(stringsAt(one, 'values'))].toSorted()]),
  );
  return JSON.stringify([...choices].map((choice) => JSON.stringify(choice)).toSorted());
}

function termErrors(term: JsonObject, field: string): readonly FieldError[] {
  const seen = new Set<string>();
  return checkEach(field, objectsAt(term, 'matchLabelExpressions'), (requirement, path) => {
    const [key, values] = [stringAt(requirement, 'key'), stringsAt(requirement, 'values')];
    const errors = allErrors(
      values.length === 0 ? [required(`${path}.values`)] : noErrors,
      errorsOfEach([...repeatsOf(values)], (index) => [duplicate(`${path}.values[${index}]`, values[index])]),
      checkString(`${path}.key`, key, validateQualifiedName),
      seen.has(key) ? [duplicate(`${path}.key`, key)] : noErrors,
    );
    seen.add(key);
    return errors;
  });
}

/** Immutable fields, from which volumes have been provisioned. */
const fixed = ['parameters', 'provisioner', 'reclaimPolicy'];

/** The errors of an update: changes of immutable fields. */
export function validateStorageClassUpdate(storageClass: JsonObject, old: JsonObject): readonly FieldError[] {
  const mode = 'volumeBindingMode';
  return [
    ...fixed
      .filter((name) => !sameValue(getOwn(storageClass, name), getOwn(old, name)))
      .map((name) => forbidden(name, `updates to ${name} are forbidden.`)),
    ...checkImmutable(mode, getOwn(storageClass, mode), getOwn(old, mode)),
  ];
}
