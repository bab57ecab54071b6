import type { JsonObject } from '../../../meta/json-value.ts';
import {
  identityOfValue,
  isSet,
  objectAt,
  objectsAt,
  sameValue,
  stringAt,
  stringEntriesAt,
  stringsAt,
} from '../../../meta/read-field.ts';
import {
  validateConfigKey,
  validateDnsSubdomain,
  validateLabelValue,
  validateQualifiedName,
} from '../../../meta/validate-name.ts';
import { allErrors, errorsOfEach, noErrors } from '../../../status/all-errors.ts';
import { duplicate, type FieldError, forbidden, invalid, notSupported, required } from '../../../status/field-error.ts';
import { checkEach, checkRequiredString, checkString } from '../../rules/fields/check.ts';
import { isCidr } from '../../rules/fields/ip.ts';
import { repeatsOf } from '../../rules/fields/repeats.ts';
import { checkAmount } from '../../rules/fields/resource-amounts.ts';

/** All errors of a node. */
export function validateNode(node: JsonObject): readonly FieldError[] {
  const spec = objectAt(node, 'spec');
  return [
    ...taintErrors(objectsAt(spec, 'taints')),
    ...amountErrors(objectAt(node, 'status')),
    ...networkErrors(stringsAt(spec, 'podCIDRs')),
  ];
}

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/**
 * Checks the taints: a key may occur once with each effect. kube-apiserver reports the errors under
 * `metadata.taints`.
 */
function taintErrors(taints: readonly JsonObject[]): readonly FieldError[] {
  const seen = new Set<string>();
  return checkEach('metadata.taints', taints, (taint, path) => {
    const [key, value, effect] = [stringAt(taint, 'key'), stringAt(taint, 'value'), stringAt(taint, 'effect')];
    const values = validateLabelValue(value);
    const repeated = seen.has(`${key}:${effect}`);
    seen.add(`${key}:${effect}`);
    return allErrors(
      checkString(`${path}.key`, key, validateQualifiedName),
      values.length > 0 ? [invalid(`${path}.value`, value, values.join(';'))] : noErrors,
      effectErrors(`${path}.effect`, effect),
      repeated ? [repeatedTaint(path, taint)] : noErrors,
    );
  });
}

function effectErrors(field: string, effect: string): readonly FieldError[] {
  if (effect === '') return [required(field)];
  return effects.includes(effect) ? [] : [notSupported(field, effect, effects)];
}

function repeatedTaint(path: string, taint: JsonObject): FieldError {
  return duplicate(path, taint, 'taints must be unique by key and effect pair');
}

function amountErrors(status: JsonObject): readonly FieldError[] {
  return ['capacity', 'allocatable'].flatMap((part) =>
    errorsOfEach(stringEntriesAt(status, part), ([name, amount]) =>
      checkAmount(`status.${part}.${name}`, name, amount),
    ),
  );
}

/** Checks the pod networks of a node: at most one of each IP family. */
function networkErrors(networks: readonly string[]): readonly FieldError[] {
  const field = 'spec.podCIDRs';
  const families = new Set(networks.map((network) => network.includes(':')));
  const tooMany = networks.length > 1 && (networks.length > 2 || families.size < 2);
  return allErrors(
    checkEach(field, networks, (network, path) =>
      isCidr(network) ? noErrors : [invalid(path, networks, 'must be valid CIDR')],
    ),
    tooMany ? [invalid(field, networks, 'may specify no more than one CIDR for each IP family')] : noErrors,
    errorsOfEach([...repeatsOf(networks)], (index) => [duplicate(`${field}[${index}]`, networks[index])]),
  );
}

/** The errors of an update of a node. */
export function validateNodeUpdate(node: JsonObject, old: JsonObject): readonly FieldError[] {
  const [spec, oldSpec] = [objectAt(node, 'spec'), objectAt(old, 'spec')];
  const provider = stringAt(oldSpec, 'providerID');
  return [
    ...amountErrors(objectAt(node, 'status')),
    ...addressErrors(objectsAt(objectAt(node, 'status'), 'addresses')),
    ...keptNetworkErrors(stringsAt(spec, 'podCIDRs'), stringsAt(oldSpec, 'podCIDRs')),
    ...(provider !== '' && provider !== stringAt(spec, 'providerID')
      ? [forbidden('spec.providerID', 'node updates may not change providerID except from "" to valid')]
      : []),
    ...(isSet(spec, 'configSource') ? configErrors(objectAt(spec, 'configSource'), 'spec.configSource') : []),
    ...statusConfigErrors(objectAt(node, 'status', 'config')),
    // The error has no field; kube-apiserver prints the empty path as `[]`.
    ...(sameValue(fixedPart(spec, oldSpec), fixedPart(oldSpec, oldSpec)) ? [] : [forbidden('[]', fixedMessage)]),
  ];
}

const fixedMessage =
  'node updates may only change labels, taints, or capacity ' +
  '(or configSource, if the DynamicKubeletConfig feature gate is enabled)';

/** The part of a spec that must not change. Pod networks and the provider ID may be set once. */
function fixedPart({ ...spec }: JsonObject, old: JsonObject): JsonObject {
  for (const name of ['unschedulable', 'taints', 'configSource']) delete spec[name];
  if (stringAt(old, 'providerID') === '') delete spec['providerID'];
  if (stringsAt(old, 'podCIDRs').length === 0) for (const name of ['podCIDR', 'podCIDRs']) delete spec[name];
  return spec;
}

function addressErrors(addresses: readonly JsonObject[]): readonly FieldError[] {
  const repeats = repeatsOf(addresses, identityOfValue);
  return errorsOfEach(addresses, (address, index) =>
    repeats.has(index) ? [duplicate(`status.addresses[${index}]`, address)] : noErrors,
  );
}

function keptNetworkErrors(networks: readonly string[], old: readonly string[]): readonly FieldError[] {
  const error = forbidden('spec.podCIDRs', 'node updates may not change podCIDR except from "" to valid');
  if (old.length === 0) return [];
  if (old.length !== networks.length) return [error];
  return old.filter((network, index) => network !== networks[index]).map(() => error);
}

/** Checks the configuration sources in the status of a node. */
function statusConfigErrors(config: JsonObject): readonly FieldError[] {
  return errorsOfEach(['assigned', 'active', 'lastKnownGood'], (name) =>
    isSet(config, name) ? configErrors(objectAt(config, name), `status.config.${name}`) : noErrors,
  );
}

/**
 * Checks a configuration source: a key of a ConfigMap. In a status the uid and the resourceVersion
 * are required; in a spec they are forbidden.
 */
function configErrors(source: JsonObject, path: string): readonly FieldError[] {
  const isStatus = path.startsWith('status.');
  if (!isSet(source, 'configMap')) {
    return [invalid(path, source, 'exactly one reference subfield must be non-nil')];
  }
  const configMap = objectAt(source, 'configMap');
  const at = `${path}.configMap`;
  return [
    ...['uid', 'resourceVersion']
      .filter((name) => (stringAt(configMap, name) === '') === isStatus)
      .map((name) =>
        isStatus
          ? required(`${at}.${name}`, `${name} must be set in status`)
          : forbidden(`${at}.${name}`, `${name} must not be set in spec`),
      ),
    ...['namespace', 'name'].flatMap((name) =>
      checkRequiredString(`${at}.${name}`, stringAt(configMap, name), validateDnsSubdomain),
    ),
    ...checkRequiredString(`${at}.kubeletConfigKey`, stringAt(configMap, 'kubeletConfigKey'), validateConfigKey),
  ];
}
