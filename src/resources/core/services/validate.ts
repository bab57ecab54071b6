import { getOwn, type JsonObject } from '../../../meta/json-value.ts';
import { validateDnsLabel, validateDnsSubdomain, validatePortName } from '../../../meta/validate-name.ts';
import { duplicate, type FieldError, invalid, required } from '../../../status/field-error.ts';
import { numberAt, objectAt, objectsAt, stringAt, stringsAt } from '../../../meta/read-field.ts';
import { checkEach, checkRequiredString, checkString } from '../../rules/check.ts';
import { checkIpAddress, checkPlainIp } from '../../rules/ip.ts';
import { checkLabels } from '../../rules/labels.ts';
import { checkPortNumber } from '../../rules/port.ts';
import { checkTypeFields } from './validate-type.ts';

/** A cluster IP that says that there is none. */
const headless = 'None';

/** Every error of a Service. */
export function validateService(service: JsonObject): FieldError[] {
  const spec = objectAt(service, 'spec');
  return [
    ...portListErrors(spec),
    ...checkLabels('spec.selector', spec, 'selector'),
    ...addressErrors(spec),
    ...typeErrors(spec),
    ...checkTypeFields(spec),
  ];
}

function portListErrors(spec: JsonObject): FieldError[] {
  const ports = objectsAt(spec, 'ports');
  const needsPorts = stringAt(spec, 'clusterIP') !== headless && stringAt(spec, 'type') !== 'ExternalName';
  if (ports.length === 0) return needsPorts ? [required('spec.ports')] : [];
  const names = new Set<string>();
  const numbers = new Set<string>();
  return checkEach('spec.ports', ports, (port, path) => {
    const name = stringAt(port, 'name');
    const identity = `${stringAt(port, 'protocol')}/${numberAt(port, 'port') ?? 0}`;
    const errors = [
      ...nameErrors(`${path}.name`, name, ports.length > 1),
      ...(name !== '' && names.has(name) ? [duplicate(`${path}.name`, name)] : []),
      ...checkPortNumber(`${path}.port`, numberAt(port, 'port') ?? 0),
      ...targetErrors(`${path}.targetPort`, port),
      ...(numbers.has(identity) ? [duplicate(path, port)] : []),
    ];
    names.add(name);
    numbers.add(identity);
    return errors;
  });
}

function nameErrors(field: string, name: string, needed: boolean): FieldError[] {
  if (name !== '') return checkString(field, name, validateDnsLabel);
  return needed ? [required(field)] : [];
}

function targetErrors(field: string, port: JsonObject): FieldError[] {
  const target = getOwn(port, 'targetPort');
  if (typeof target === 'number') return checkPortNumber(field, target);
  return typeof target === 'string' ? checkString(field, target, validatePortName) : [];
}

function addressErrors(spec: JsonObject): FieldError[] {
  const clusterIps = stringsAt(spec, 'clusterIPs');
  return [
    ...checkEach('spec.clusterIPs', clusterIps, (ip, path) =>
      ip === headless && clusterIps.length === 1 ? [] : checkIpAddress(path, ip),
    ),
    ...listErrors(spec, clusterIps),
    ...checkEach('spec.externalIPs', stringsAt(spec, 'externalIPs'), (ip, path) => checkPlainIp(path, ip)),
  ];
}

/** The list of addresses begins with the one in the field of old, and has one of each family. */
function listErrors(spec: JsonObject, clusterIps: readonly string[]): FieldError[] {
  const [first, second] = clusterIps;
  if (first === undefined) return [];
  return [
    ...(first === stringAt(spec, 'clusterIP')
      ? []
      : [invalid('spec.clusterIPs', [...clusterIps], 'first value must match `clusterIP`')]),
    ...(clusterIps.length > 2
      ? [invalid('spec.clusterIPs', [...clusterIps], 'may only hold up to 2 values')]
      : second !== undefined && first.includes(':') === second.includes(':')
        ? [invalid('spec.clusterIPs', [...clusterIps], 'may specify no more than one IP for each IP family')]
        : []),
  ];
}

function typeErrors(spec: JsonObject): FieldError[] {
  const clusterIp = stringAt(spec, 'clusterIP');
  switch (stringAt(spec, 'type')) {
    case 'ExternalName':
      return [
        ...(clusterIp === ''
          ? []
          : [invalid('spec.clusterIPs', [clusterIp], 'may not be set for ExternalName services')]),
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

/** An external name may end with the dot of a complete DNS name. */
function externalNameMessages(name: string): readonly string[] {
  return validateDnsSubdomain(name.endsWith('.') ? name.slice(0, -1) : name);
}

/** A cluster IP stays as long as the Service has one. */
export function validateServiceUpdate(service: JsonObject, old: JsonObject): FieldError[] {
  const [spec, oldSpec] = [objectAt(service, 'spec'), objectAt(old, 'spec')];
  const [before] = stringsAt(oldSpec, 'clusterIPs');
  const [after] = stringsAt(spec, 'clusterIPs');
  const external = [spec, oldSpec].some((one) => stringAt(one, 'type') === 'ExternalName');
  if (external || before === undefined || before === after) return [];
  return [invalid('spec.clusterIPs[0]', after ?? null, 'may not change once set')];
}
