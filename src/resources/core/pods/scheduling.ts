import type { JsonObject } from '../../../meta/json-value.ts';
import { isSet, objectAt, objectsAt, stringAt, stringsAt } from '../../../meta/read-field.ts';
import { validateDnsLabel, validateQualifiedName } from '../../../meta/validate-name.ts';
import { allErrors, errorsOfEach, noErrors } from '../../../status/all-errors.ts';
import { duplicate, type FieldError, forbidden, invalid, required } from '../../../status/field-error.ts';
import { checkEach, checkString } from '../../rules/fields/check.ts';
import { checkLabelSelector } from '../../rules/fields/labels.ts';

/** Checks the affinity of a Pod to nodes and to other pods. */
export function checkAffinity(field: string, affinity: JsonObject): readonly FieldError[] {
  return allErrors(
    nodeAffinityErrors(`${field}.nodeAffinity`, objectAt(affinity, 'nodeAffinity')),
    ['podAffinity', 'podAntiAffinity'].flatMap((name) =>
      podAffinityErrors(`${field}.${name}`, objectAt(affinity, name)),
    ),
  );
}

const hard = 'requiredDuringSchedulingIgnoredDuringExecution';
const soft = 'preferredDuringSchedulingIgnoredDuringExecution';

function nodeAffinityErrors(field: string, affinity: JsonObject): readonly FieldError[] {
  return allErrors(
    isSet(affinity, hard) ? checkNodeSelector(`${field}.${hard}`, objectAt(affinity, hard)) : noErrors,
    checkEach(`${field}.${soft}`, objectsAt(affinity, soft), (term, path) =>
      nodeTermErrors(objectAt(term, 'preference'), `${path}.preference`),
    ),
  );
}

/** Checks a node selector: it has at least one term, and all terms are valid. */
export function checkNodeSelector(field: string, selector: JsonObject): readonly FieldError[] {
  const terms = objectsAt(selector, 'nodeSelectorTerms');
  return terms.length === 0
    ? [required(`${field}.nodeSelectorTerms`, 'must have at least one node selector term')]
    : checkEach(`${field}.nodeSelectorTerms`, terms, nodeTermErrors);
}

function nodeTermErrors(term: JsonObject, path: string): readonly FieldError[] {
  return allErrors(
    checkEach(`${path}.matchExpressions`, objectsAt(term, 'matchExpressions'), (requirement, at) =>
      allErrors(
        nodeOperatorErrors(requirement, at),
        checkString(`${at}.key`, stringAt(requirement, 'key'), validateQualifiedName),
      ),
    ),
    checkEach(`${path}.matchFields`, objectsAt(term, 'matchFields'), fieldRequirementErrors),
  );
}

function nodeOperatorErrors(requirement: JsonObject, path: string): readonly FieldError[] {
  const count = stringsAt(requirement, 'values').length;
  const operator = stringAt(requirement, 'operator');
  switch (operator) {
    case 'In':
    case 'NotIn':
      return count > 0
        ? noErrors
        : [required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
    case 'Exists':
    case 'DoesNotExist':
      return count === 0
        ? noErrors
        : [forbidden(`${path}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    case 'Gt':
    case 'Lt':
      return count === 1
        ? noErrors
        : [required(`${path}.values`, "must be specified single value when `operator` is 'Lt' or 'Gt'")];
    default:
      return [invalid(`${path}.operator`, operator, 'not a valid selector operator')];
  }
}

function fieldRequirementErrors(requirement: JsonObject, path: string): readonly FieldError[] {
  const [key, operator] = [stringAt(requirement, 'key'), stringAt(requirement, 'operator')];
  const single = stringsAt(requirement, 'values').length === 1;
  return allErrors(
    ['In', 'NotIn'].includes(operator)
      ? single
        ? noErrors
        : [
            required(
              `${path}.values`,
              "must be only one value when `operator` is 'In' or 'NotIn' for node field selector",
            ),
          ]
      : [invalid(`${path}.operator`, operator, 'not a valid selector operator')],
    key === 'metadata.name' ? noErrors : [invalid(`${path}.key`, key, 'not a valid field selector key')],
  );
}

function podAffinityErrors(field: string, affinity: JsonObject): readonly FieldError[] {
  return allErrors(
    checkEach(`${field}.${hard}`, objectsAt(affinity, hard), podTermErrors),
    checkEach(`${field}.${soft}`, objectsAt(affinity, soft), (term, path) =>
      podTermErrors(objectAt(term, 'podAffinityTerm'), `${path}.podAffinityTerm`),
    ),
  );
}

function podTermErrors(term: JsonObject, path: string): readonly FieldError[] {
  const topologyKey = stringAt(term, 'topologyKey');
  return allErrors(
    checkLabelSelector(`${path}.labelSelector`, objectAt(term, 'labelSelector')),
    checkLabelSelector(`${path}.namespaceSelector`, objectAt(term, 'namespaceSelector')),
    errorsOfEach(stringsAt(term, 'namespaces'), (name) => checkString(`${path}.namespace`, name, validateDnsLabel)),
    topologyKey === '' ? [required(`${path}.topologyKey`, 'can not be empty')] : noErrors,
    checkString(`${path}.topologyKey`, topologyKey, validateQualifiedName),
  );
}

/**
 * Checks topology spread constraints: each pair of topology key and action is unique. Of equal
 * pairs all but the last one are reported.
 */
export function checkTopologySpread(field: string, constraints: readonly JsonObject[]): readonly FieldError[] {
  const pairs = constraints.map(
    (constraint) => `{${stringAt(constraint, 'topologyKey')}, ${stringAt(constraint, 'whenUnsatisfiable')}}`,
  );
  const last = new Map(pairs.map((pair, index) => [pair, index]));
  return errorsOfEach(pairs, (pair, index) =>
    last.get(pair) === index ? noErrors : [duplicate(`${field}[${index}].{topologyKey, whenUnsatisfiable}`, pair)],
  );
}
