import type { TypedLocalObjectReference } from '../../../gen/stored/core-v1.ts';
import type {
  HTTPIngressPath,
  Ingress,
  IngressBackend,
  IngressRule,
  IngressServiceBackend,
  IngressTLS,
} from '../../../gen/stored/networking-v1.ts';
import type { Identifiers } from '../../../identifiers/identifiers.ts';
import { getOwn } from '../../../meta/json-value.ts';
import {
  validateDns1035Label,
  validateDnsLabel,
  validateDnsSubdomain,
  validatePathSegment,
  validatePortName,
} from '../../../meta/validate-name.ts';
import type { StrategyContext } from '../../../registry/definition/strategy.ts';
import { FieldCursor } from '../../../status/field-cursor.ts';
import { isSince } from '../../../scheme/api-release.ts';
import { type FieldError, invalid, notSupported } from '../../../status/field-error.ts';
import { checkString } from '../../rules/fields/field-checks.ts';
import { checkHost, checkHostNotIp, checkPortNumber } from '../../rules/fields/port.ts';

/** The names that a version has for fields. Errors use the names of the version of the request. */
interface FieldNames {
  readonly defaultBackend: string;
  readonly serviceName: string;
  readonly portName: string;
  readonly portNumber: string;
}

/** The field names of a version, and the rule for Service names. */
interface BackendRules extends FieldNames {
  readonly serviceRule: (name: string) => readonly string[];
}

const betaNames: FieldNames = {
  defaultBackend: 'backend',
  serviceName: 'serviceName',
  portName: 'servicePort',
  portNumber: 'servicePort',
};
const stableNames: FieldNames = {
  defaultBackend: 'defaultBackend',
  serviceName: 'service.name',
  portName: 'service.port.name',
  portNumber: 'service.port.number',
};

/** All errors of an Ingress (spec 2.3), in the order of its fields. */
export function validateIngress(ingress: Ingress, { version, emulated }: StrategyContext, old?: Ingress): FieldError[] {
  const isRelaxed = isSince(emulated.release, '1.34') && emulated.isFeatureEnabled('RelaxedServiceNameValidation');
  const fields = version === 'v1beta1' ? betaNames : stableNames;
  const names = { ...fields, serviceRule: isRelaxed ? validateDnsLabel : validateDns1035Label };
  const spec = new FieldCursor(ingress).at('spec');
  const { rules = [], defaultBackend } = spec.value;
  if (rules.length === 0 && !defaultBackend) {
    spec.reportInvalid(`either \`${names.defaultBackend}\` or \`rules\` must be specified`, []);
  }
  if (defaultBackend) checkBackend(new FieldCursor(defaultBackend, names.defaultBackend, spec), names);
  for (const rule of spec.each('rules')) checkRule(rule, names);
  const checksSecrets = version === 'v1' && !(old && hasInvalidSecretName(old));
  for (const tls of spec.each('tls')) checkTls(tls, checksSecrets);
  return spec.errors;
}

/**
 * Refuses a new Ingress that has both the class field and the deprecated annotation. Existing ones
 * may have both.
 */
export function validateIngressClassChoice(
  { metadata, spec }: Ingress,
  { labelDomain }: Identifiers,
): readonly FieldError[] {
  const name = `${labelDomain}/ingress.class`;
  const annotation = getOwn(metadata.annotations ?? {}, name);
  return annotation !== undefined && spec.ingressClassName !== undefined
    ? [invalid(`annotations.${name}`, annotation, 'can not be set when the class field is also set')]
    : [];
}

function checkRule(rule: FieldCursor<IngressRule>, names: BackendRules): void {
  const { path, value: host } = rule.at('host');
  if (host) rule.report(...checkHostNotIp(path, host), ...checkHost(path, host));
  for (const httpPath of rule.at('http').each('paths')) checkPath(httpPath, names);
}

/** The check of `path` for each path type, in the order in which messages list the types. */
const pathRules: ReadonlyMap<string, (path: string) => readonly string[]> = new Map([
  ['Exact', strictPathMessages],
  ['ImplementationSpecific', loosePathMessages],
  ['Prefix', strictPathMessages],
]);

function checkPath(httpPath: FieldCursor<HTTPIngressPath>, names: BackendRules): void {
  const { path = '', pathType } = httpPath.value;
  if (pathType === null) return;
  const rule = pathRules.get(pathType);
  if (rule) httpPath.report(...checkString(`${httpPath.path}.path`, path, rule));
  else httpPath.report(notSupported(`${httpPath.path}.pathType`, pathType, [...pathRules.keys()]));
  checkBackend(httpPath.at('backend'), names);
}

/** Sequences that proxies may interpret differently. */
const ambiguousSequences = ['//', '/./', '/../', '%2f', '%2F'];
const ambiguousEndings = ['/..', '/.'];

function strictPathMessages(path: string): string[] {
  return [
    ...(path.startsWith('/') ? [] : ['must be an absolute path']),
    ...ambiguousSequences.filter((part) => path.includes(part)).map((part) => `must not contain '${part}'`),
    ...ambiguousEndings.filter((part) => path.endsWith(part)).map((part) => `cannot end with '${part}'`),
  ];
}

function loosePathMessages(path: string): string[] {
  return path === '' || path.startsWith('/') ? [] : ['must be an absolute path'];
}

/** Checks a backend: it must have either a service or another resource (spec 2.3). */
function checkBackend(backend: FieldCursor<IngressBackend>, names: BackendRules): void {
  const { resource, service } = backend.value;
  if (resource && service) backend.reportInvalid('cannot set both resource and service backends', '');
  else if (resource) checkResource(backend.at('resource'));
  else if (service) checkService(backend, service, names);
  else backend.reportInvalid('resource or service backend is required', '');
}

function checkResource(reference: FieldCursor<TypedLocalObjectReference | undefined>): void {
  const group = reference.at('apiGroup');
  // An empty group is not the core group.
  if (group.value !== undefined) reference.report(...checkString(group.path, group.value, validateDnsSubdomain));
  for (const name of ['kind', 'name'] as const) {
    reference.at(name).mustBeSet(`${name} is required`);
    reference.at(name).mustBe(validatePathSegment);
  }
}

/**
 * Checks a service and its port. Errors about the choice between name and number are reported at
 * the backend, as kube-apiserver does.
 */
function checkService(backend: FieldCursor<IngressBackend>, service: IngressServiceBackend, names: BackendRules): void {
  const serviceName = new FieldCursor(service.name, names.serviceName, backend);
  serviceName.mustBeSet();
  serviceName.mustBe(names.serviceRule);
  const { name = '', number = 0 } = service.port;
  if (name && number) backend.reportInvalid('cannot set both port name & port number', '');
  else if (name) new FieldCursor(name, names.portName, backend).mustBe(validatePortName);
  else if (number) backend.report(...checkPortNumber(`${backend.path}.${names.portNumber}`, number));
  else backend.reportRequired('port name or number is required');
}

function checkTls(tls: FieldCursor<IngressTLS>, checksSecrets: boolean): void {
  for (const { value, path, errors } of tls.each('hosts')) errors.push(...checkHost(path, value));
  if (checksSecrets) tls.at('secretName').mustBe(validateDnsSubdomain);
}

/**
 * Reports whether an Ingress was stored with the name of a secret that v1 refuses. Older versions
 * accept any name, and so does an update of an object that has one.
 */
function hasInvalidSecretName({ spec: { tls = [] } }: Ingress): boolean {
  return tls.some(({ secretName }) => secretName && validateDnsSubdomain(secretName).length > 0);
}
