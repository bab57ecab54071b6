import type { Node, NodeAddress, NodeConfigSource, NodeSpec, NodeStatus } from '../../../gen/stored/core-v1.ts';
import { identityOfValue, sameValue } from '../../../meta/read-field.ts';
import {
  validateConfigKey,
  validateDnsSubdomain,
  validateLabelValue,
  validateQualifiedName,
} from '../../../meta/validate-name.ts';
import type { StrategyContext } from '../../../registry/definition/strategy.ts';
import type { EmulatedRelease } from '../../../scheme/emulated-release.ts';
import { isSince } from '../../../scheme/api-release.ts';
import { allErrors, errorsOfEach, noErrors } from '../../../status/all-errors.ts';
import { FieldCursor } from '../../../status/field-cursor.ts';
import { duplicate, type FieldError, forbidden, invalid, required } from '../../../status/field-error.ts';
import { checkEach, checkRequiredString, checkString, repeatsOf } from '../../rules/fields/field-checks.ts';
import { isCidr } from '../../rules/fields/ip.ts';
import { checkAmount } from '../../rules/fields/resource-amounts.ts';

/** All errors of a node. */
export function validateNode({ spec, status }: Node): readonly FieldError[] {
  return [
    ...taintErrors(spec),
    ...amountErrors(status),
    ...featureErrors(status.declaredFeatures ?? []),
    ...networkErrors(spec.podCIDRs ?? []),
  ];
}

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/**
 * Checks the taints: a key may occur once with each effect. kube-apiserver reports the errors under
 * `metadata.taints`.
 */
function taintErrors({ taints = [] }: NodeSpec): readonly FieldError[] {
  const cursor = new FieldCursor({ taints }, 'metadata');
  const seen = new Set<string>();
  for (const taint of cursor.each('taints')) {
    const { key, value = '', effect } = taint.value;
    const messages = validateLabelValue(value);
    taint.report(...checkString(`${taint.path}.key`, key, validateQualifiedName));
    if (messages.length > 0) taint.at('value').reportInvalid(messages.join(';'));
    taint.at('effect').mustBeSet();
    taint.at('effect').mustBeOneOf(effects);
    if (seen.has(`${key}:${effect}`)) {
      taint.report(duplicate(taint.path, taint.value, 'taints must be unique by key and effect pair'));
    }
    seen.add(`${key}:${effect}`);
  }
  return cursor.errors;
}

function amountErrors(status: NodeStatus): readonly FieldError[] {
  return errorsOfEach(['capacity', 'allocatable'] as const, (part) =>
    errorsOfEach(Object.entries(status[part] ?? {}), ([name, amount]) =>
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

const featurePattern = /^(?:[A-Z][A-Za-z0-9]*)(?:\/[A-Za-z][A-Za-z0-9]*)*$/;
const featureNameLimit = 253;

/** Checks the declared features of a node: sorted names without duplicates. */
function featureErrors(features: readonly string[]): readonly FieldError[] {
  return errorsOfEach(features, (feature, index) => {
    const field = `status.declaredFeatures[${index}]`;
    const before = features[index - 1];
    const problem = featureProblem(feature);
    return [
      ...(problem === undefined ? [] : [invalid(field, feature, `invalid feature name "${feature}": ${problem}`)]),
      ...(before === feature ? [duplicate(field, feature)] : []),
      ...(before !== undefined && before > feature
        ? [invalid(field, feature, 'list must be sorted alphabetically')]
        : []),
    ];
  });
}

function featureProblem(feature: string): string | undefined {
  if (feature.length > featureNameLimit) return `must be no more than ${featureNameLimit} characters`;
  if (featurePattern.test(feature)) return undefined;
  return (
    "must start with an UpperCamelCase segment, with subsequent segments separated by '/' " +
    '(e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes'
  );
}

/** The errors of an update of a node. */
export function validateNodeUpdate(
  { spec, status }: Node,
  old: Node,
  { emulated }: StrategyContext,
): readonly FieldError[] {
  const { providerID: provider, podCIDRs = [] } = old.spec;
  return [
    ...amountErrors(status),
    ...featureErrors(status.declaredFeatures ?? []),
    ...addressErrors(status.addresses ?? []),
    ...keptNetworkErrors(spec.podCIDRs ?? [], podCIDRs),
    ...(provider && provider !== spec.providerID
      ? [forbidden('spec.providerID', 'node updates may not change providerID except from "" to valid')]
      : []),
    ...configErrors('spec.configSource', spec.configSource, configOfSpec),
    ...errorsOfEach(['assigned', 'active', 'lastKnownGood'] as const, (name) =>
      configErrors(`status.config.${name}`, status.config?.[name], configOfStatus),
    ),
    // The error has no field; kube-apiserver prints the empty path as `[]`.
    ...fixedErrors(spec, old.spec, emulated),
  ];
}

/** The errors of changed immutable fields. Since 1.36 only single fields are reported. */
function fixedErrors(spec: NodeSpec, old: NodeSpec, { release }: EmulatedRelease): readonly FieldError[] {
  if (isSince(release, '1.36')) {
    return spec.externalID === old.externalID ? [] : [forbidden('spec.externalID', 'may not be updated')];
  }
  return sameValue(fixedPart(spec, old), fixedPart(old, old)) ? [] : [forbidden('[]', fixedMessage(release))];
}

function fixedMessage(release: string): string {
  const fields = 'node updates may only change labels, taints, or capacity';
  return isSince(release, '1.27')
    ? fields
    : `${fields} (or configSource, if the DynamicKubeletConfig feature gate is enabled)`;
}

/** The part of a spec that must not change. Pod networks and the provider ID may be set once. */
function fixedPart(
  { unschedulable: _unschedulable, taints: _taints, configSource: _source, ...spec }: NodeSpec,
  old: NodeSpec,
): Partial<NodeSpec> {
  if (!old.providerID) delete spec.providerID;
  if (!old.podCIDRs?.length) {
    delete spec.podCIDR;
    delete spec.podCIDRs;
  }
  return spec;
}

function addressErrors(addresses: readonly NodeAddress[]): readonly FieldError[] {
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

/** Returns the error of the uid or the resourceVersion of a configuration source. */
type ConfigRule = (name: string, value: string, field: string) => readonly FieldError[];

const configOfSpec: ConfigRule = (name, value, field) =>
  value === '' ? noErrors : [forbidden(field, `${name} must not be set in spec`)];

const configOfStatus: ConfigRule = (name, value, field) =>
  value === '' ? [required(field, `${name} must be set in status`)] : noErrors;

/** Checks an optional configuration source: a key of a ConfigMap. */
function configErrors(path: string, source: NodeConfigSource | undefined, rule: ConfigRule): readonly FieldError[] {
  if (!source) return noErrors;
  if (!source.configMap) return [invalid(path, source, 'exactly one reference subfield must be non-nil')];
  const { uid = '', resourceVersion = '', namespace, name, kubeletConfigKey } = source.configMap;
  const at = `${path}.configMap`;
  return [
    ...rule('uid', uid, `${at}.uid`),
    ...rule('resourceVersion', resourceVersion, `${at}.resourceVersion`),
    ...checkRequiredString(`${at}.namespace`, namespace, validateDnsSubdomain),
    ...checkRequiredString(`${at}.name`, name, validateDnsSubdomain),
    ...checkRequiredString(`${at}.kubeletConfigKey`, kubeletConfigKey, validateConfigKey),
  ];
}
