import type { Identifiers } from '../../../identifiers/identifiers.ts';
import { getOwn, type JsonObject } from '../../../meta/json-value.ts';
import { validateDnsLabel, validateDnsSubdomain, validatePortName } from '../../../meta/validate-name.ts';
import { errorsOfEach } from '../../../status/all-errors.ts';
import {
  duplicate,
  duplicateShown,
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
} from '../../../status/field-error.ts';
import { numberAt, objectAt, objectsAt, stringAt, stringsAt } from '../../../meta/read-field.ts';
import { goStruct, goStructs } from '../../../status/go-syntax.ts';
import { checkEach, checkRequiredString, checkString } from '../../rules/fields/check.ts';
import { checkIpAddress, checkPlainIp } from '../../rules/fields/ip.ts';
import { checkLabels } from '../../rules/fields/labels.ts';
import { checkPortNumber } from '../../rules/fields/port.ts';
import { repeatsOf } from '../../rules/fields/repeats.ts';
import { checkMixedProtocols, checkTypeFields } from './validate-type.ts';

/** The cluster IP of a headless Service, which has no address. */
const headless = 'None';

/** All errors of a Service. */
export function validateService(service: JsonObject, identifiers: Identifiers, old?: JsonObject): FieldError[] {
  const spec = objectAt(service, 'spec');
  return [
    ...(old ? addressChangeErrors(service, old) : []),
    ...needErrors(spec),
    ...agentErrors(spec, identifiers.nodeAgent),
    ...typeErrors(spec),
    ...portListErrors(objectsAt(spec, 'ports')),
    ...checkLabels('spec.selector', spec, 'selector'),
    ...supported('spec.sessionAffinity', stringAt(spec, 'sessionAffinity'), ['ClientIP', 'None']),
    ...affinityErrors(spec),
    ...addressErrors(spec),
    ...supported('spec.type', stringAt(spec, 'type'), ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort']),
    ...checkTypeFields(service, identifiers),
    ...samePortErrors(objectsAt(spec, 'ports')),
    ...checkMixedProtocols(spec, old),
  ];
}

function needErrors(spec: JsonObject): readonly FieldError[] {
  const needsPorts = stringAt(spec, 'clusterIP') !== headless && stringAt(spec, 'type') !== 'ExternalName';
  return needsPorts && objectsAt(spec, 'ports').length === 0 ? [required('spec.ports')] : [];
}

function portListErrors(ports: readonly JsonObject[]): readonly FieldError[] {
  const names = new Set<string>();
  return checkEach('spec.ports', ports, (port, path) => {
    const name = stringAt(port, 'name');
    const errors = [
      ...nameErrors(`${path}.name`, name, ports.length > 1),
      ...(name !== '' && names.has(name) ? [duplicate(`${path}.name`, name)] : []),
      ...checkPortNumber(`${path}.port`, numberAt(port, 'port') ?? 0),
      ...supported(`${path}.protocol`, stringAt(port, 'protocol'), ['SCTP', 'TCP', 'UDP']),
      ...targetErrors(`${path}.targetPort`, port),
    ];
    names.add(name);
    return errors;
  });
}

/**
 * The schema has this rule too. It is repeated here so that the error is in the position of
 * kube-apiserver.
 */
function supported(field: string, value: string, values: readonly string[]): readonly FieldError[] {
  return value === '' || values.includes(value) ? [] : [notSupported(field, value, values)];
}

/** Checks that each pair of protocol and number occurs once. */
function samePortErrors(ports: readonly JsonObject[]): readonly FieldError[] {
  const seen = new Set<string>();
  return checkEach('spec.ports', ports, (port, path) => {
    const identity = `${stringAt(port, 'protocol')}/${numberAt(port, 'port') ?? 0}`;
    const repeated = seen.has(identity);
    seen.add(identity);
    // The error shows only the fields that make two ports equal.
    const shown = goStruct(goStructs.servicePort, {
      protocol: stringAt(port, 'protocol'),
      port: numberAt(port, 'port'),
    });
    return repeated ? [duplicateShown(path, shown)] : [];
  });
}

/** Maximum duration of session affinity, in seconds: one day. */
const stickyLimitSeconds = 86_400;

function affinityErrors(spec: JsonObject): readonly FieldError[] {
  if (stringAt(spec, 'sessionAffinity') !== 'ClientIP') return [];
  const seconds = numberAt(objectAt(spec, 'sessionAffinityConfig', 'clientIP'), 'timeoutSeconds') ?? 0;
  const field = 'spec.sessionAffinityConfig.clientIP.timeoutSeconds';
  return seconds <= 0 || seconds > stickyLimitSeconds
    ? [invalid(field, seconds, `must be greater than 0 and less than ${stickyLimitSeconds}`)]
    : [];
}

function nameErrors(field: string, name: string, needed: boolean): readonly FieldError[] {
  if (name !== '') return checkString(field, name, validateDnsLabel);
  return needed ? [required(field)] : [];
}

function targetErrors(field: string, port: JsonObject): readonly FieldError[] {
  const target = getOwn(port, 'targetPort');
  if (typeof target === 'number') return checkPortNumber(field, target);
  return typeof target === 'string' ? checkString(field, target, validatePortName) : [];
}

function addressErrors(spec: JsonObject): readonly FieldError[] {
  const clusterIps = stringsAt(spec, 'clusterIPs');
  return [
    ...checkEach('spec.clusterIPs', clusterIps, (ip, path) =>
      ip === headless && clusterIps.length === 1 ? [] : checkIpAddress(path, ip),
    ),
    ...listErrors(spec, clusterIps),
    ...familyErrors(stringsAt(spec, 'ipFamilies')),
    ...checkEach('spec.externalIPs', stringsAt(spec, 'externalIPs'), (ip, path) => checkPlainIp(path, ip)),
  ];
}

/** Checks that no IP family repeats. */
function familyErrors(families: readonly string[]): readonly FieldError[] {
  return errorsOfEach([...repeatsOf(families)], (index) => [duplicate(`spec.ipFamilies[${index}]`, families[index])]);
}

/**
 * Checks `clusterIPs`: the first equals `clusterIP`, and there is at most one address of each IP
 * family.
 */
function listErrors(spec: JsonObject, clusterIps: readonly string[]): readonly FieldError[] {
  const [first, second] = clusterIps;
  if (first === undefined) return [];
  return [
    ...(first === stringAt(spec, 'clusterIP')
      ? []
      : [invalid('spec.clusterIPs', clusterIps, 'first value must match `clusterIP`')]),
    ...(clusterIps.length > 2
      ? [invalid('spec.clusterIPs', clusterIps, 'may only hold up to 2 values')]
      : second !== undefined && first.includes(':') === second.includes(':')
        ? [invalid('spec.clusterIPs', clusterIps, 'may specify no more than one IP for each IP family')]
        : []),
  ];
}

function typeErrors(spec: JsonObject): readonly FieldError[] {
  const clusterIp = stringAt(spec, 'clusterIP');
  switch (stringAt(spec, 'type')) {
    case 'ExternalName':
      return [
        ...(clusterIp === '' ? [] : [forbidden('spec.clusterIPs', 'may not be set for ExternalName services')]),
        ...checkRequiredString('spec.externalName', stringAt(spec, 'externalName'), externalNameMessages),
      ];
    case 'LoadBalancer':
    case 'NodePort':
      return clusterIp === headless
        ? [invalid('spec.clusterIPs[0]', clusterIp, `may not be set to 'None' for ${stringAt(spec, 'type')} services`)]
        : [];
    default:
      return [];
  }
}

/** The port of the kubelet. A load balancer in front of it would expose the nodes. */
const agentPort = 10_250;

function agentErrors(spec: JsonObject, nodeAgent: string): readonly FieldError[] {
  if (stringAt(spec, 'type') !== 'LoadBalancer') return [];
  const why = `may not expose port ${agentPort} externally since it is used by ${nodeAgent}`;
  return checkEach('spec.ports', objectsAt(spec, 'ports'), (port, path) =>
    numberAt(port, 'port') === agentPort ? [invalid(path, agentPort, why)] : [],
  );
}

/** Checks an external name. The final dot of a fully qualified name is allowed. */
function externalNameMessages(name: string): readonly string[] {
  return validateDnsSubdomain(name.endsWith('.') ? name.slice(0, -1) : name);
}

/** Refuses a change of the cluster IP, unless the Service was or becomes an ExternalName. */
function addressChangeErrors(service: JsonObject, old: JsonObject): readonly FieldError[] {
  const [spec, oldSpec] = [objectAt(service, 'spec'), objectAt(old, 'spec')];
  const [before] = stringsAt(oldSpec, 'clusterIPs');
  const clusterIps = stringsAt(spec, 'clusterIPs');
  const external = [spec, oldSpec].some((one) => stringAt(one, 'type') === 'ExternalName');
  if (external || before === undefined || before === clusterIps[0]) return [];
  const why = clusterIps.length === 0 ? 'primary clusterIP can not be unset' : 'may not change once set';
  return [invalid('spec.clusterIPs[0]', [...clusterIps], why)];
}
