import { getOwn, type JsonObject } from '../../../meta/json-value.ts';
import { type NameRule, validateDnsLabel, validateDnsSubdomain } from '../../../meta/validate-name.ts';
import { duplicate, type FieldError, invalid, required } from '../../../status/field-error.ts';
import { checkKind, configuredObject, refuseErrors } from '../../check-configuration.ts';
import type { PodSecurityExemptions } from './exemptions.ts';
import { latestVersion, levelRule, parseLevel, parseVersion, versionRule } from './level-version.ts';
import { type Mode, modes, type Policy } from './namespace-policy.ts';

/** The configuration of the plugin. */
interface PodSecurityConfiguration {
  /** The levels of namespaces without labels. */
  readonly defaults: Policy;
  readonly exemptions: PodSecurityExemptions;
}

const fields = ['apiVersion', 'kind', 'defaults', 'exemptions'];
const defaultsFields = modes.flatMap((mode) => [mode, `${mode}-version`]);
const exemptionFields = ['usernames', 'namespaces', 'runtimeClasses'];

/**
 * Parses a `PodSecurityConfiguration`; without one, all Pods are allowed unless the labels of their
 * namespace say otherwise. Throws `RangeError` with all errors.
 */
export function parsePodSecurityConfiguration(
  given: JsonObject | undefined,
  apiDomain: string,
): PodSecurityConfiguration {
  const errors: FieldError[] = [];
  if (given) {
    const group = `pod-security.admission.config.${apiDomain}`;
    checkKind(given, { kind: 'PodSecurityConfiguration', group, versions: ['v1', 'v1beta1', 'v1alpha1'] });
  }
  const configuration = configuredObject(given ?? {}, '', fields, errors);
  const ofDefaults = configuredObject(configuration, 'defaults', defaultsFields, errors);
  const read = (mode: Mode) => ({
    level: parsed(ofDefaults, mode, parseLevel, levelRule, errors) ?? 'privileged',
    version: parsed(ofDefaults, `${mode}-version`, parseVersion, versionRule, errors) ?? latestVersion,
  });
  const defaults: Policy = { enforce: read('enforce'), warn: read('warn'), audit: read('audit') };
  const ofExemptions = configuredObject(configuration, 'exemptions', exemptionFields, errors);
  const exemptions = {
    namespaces: namesIn(ofExemptions, 'namespaces', validateDnsLabel, errors),
    runtimeClasses: namesIn(ofExemptions, 'runtimeClasses', validateDnsSubdomain, errors),
    usernames: namesIn(ofExemptions, 'usernames', () => [], errors),
  };
  refuseErrors(errors);
  return { defaults, exemptions };
}

function parsed<Value>(
  owner: JsonObject,
  name: string,
  parse: (text: string) => Value | undefined,
  rule: string,
  errors: FieldError[],
): Value | undefined {
  const given = getOwn(owner, name) ?? '';
  if (given === '') return undefined;
  const value = typeof given === 'string' ? parse(given) : undefined;
  if (value === undefined) errors.push(invalid(`defaults.${name}`, given, rule));
  return value;
}

function namesIn(owner: JsonObject, name: string, rule: NameRule, errors: FieldError[]): ReadonlySet<string> {
  const given = getOwn(owner, name) ?? [];
  const field = `exemptions.${name}`;
  const names = new Set<string>();
  if (!Array.isArray(given)) errors.push(invalid(field, given, 'must be a list of names'));
  else for (const [index, item] of given.entries()) addName(names, item, `${field}[${index}]`, rule, errors);
  return names;
}

function addName(names: Set<string>, item: unknown, field: string, rule: NameRule, errors: FieldError[]): void {
  if (typeof item !== 'string') errors.push(invalid(field, item, 'must be a name'));
  else if (item === '') errors.push(required(field));
  else if (names.has(item)) errors.push(duplicate(field, item));
  else errors.push(...rule(item).map((fault) => invalid(field, item, fault)));
  if (typeof item === 'string') names.add(item);
}
