import { identifierSets, identifiersOf } from '../../../identifiers/identifiers.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { stringAt, stringEntriesAt } from '../../../meta/read-field.ts';
import { type FieldError, invalid } from '../../../status/field-error.ts';
import { goQuote } from '../../../status/go-quote.ts';
import { containersOf } from './default.ts';
import { checkLocalPath } from './reference.ts';

/** Under whatever identifiers: the domain of either set is nobody else's. */
const domains = identifierSets.map((set) => identifiersOf(set).labelDomain);

/** What annotations of a pod, or of the pods of a template, mean to nodes: what they are confined by. */
export function checkPodAnnotations(field: string, metadata: JsonObject, spec: JsonObject): FieldError[] {
  return stringEntriesAt(metadata, 'annotations').flatMap(([name, value]) =>
    domains.flatMap((domain) => annotationErrors(field, name, value, domain, spec)),
  );
}

function annotationErrors(
  field: string,
  name: string,
  value: string,
  domain: string,
  spec: JsonObject,
): readonly FieldError[] {
  const pod = `seccomp.security.alpha.${domain}/pod`;
  if (name === pod || name.startsWith(`container.seccomp.security.alpha.${domain}/`)) {
    return seccompErrors(`${field}.${name}`, value);
  }
  const armor = `container.apparmor.security.beta.${domain}/`;
  return name.startsWith(armor) ? armorErrors(`${field}[${name}]`, name.slice(armor.length), value, spec) : [];
}

const localPrefix = 'localhost/';

function seccompErrors(field: string, profile: string): FieldError[] {
  if (['runtime/default', 'docker/default', 'unconfined'].includes(profile)) return [];
  return profile.startsWith(localPrefix)
    ? checkLocalPath(field, profile.slice(localPrefix.length))
    : [invalid(field, profile, 'must be a valid seccomp profile')];
}

function armorErrors(field: string, container: string, profile: string, spec: JsonObject): FieldError[] {
  const known = ['', 'runtime/default', 'unconfined'].includes(profile) || profile.startsWith(localPrefix);
  return [
    ...(containersOf(spec).some((one) => stringAt(one, 'name') === container)
      ? []
      : [invalid(field, container, 'container not found')]),
    ...(known ? [] : [invalid(field, profile, `invalid AppArmor profile name: ${goQuote(profile)}`)]),
  ];
}
