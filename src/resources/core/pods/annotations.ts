import { identifierSets, identifiersOf } from '../../../identifiers/identifiers.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { stringAt, stringEntriesAt } from '../../../meta/read-field.ts';
import { allErrors, errorsOfEach, noErrors } from '../../../status/all-errors.ts';
import { type FieldError, invalid } from '../../../status/field-error.ts';
import { goQuote } from '../../../status/go-quote.ts';
import { containersOf } from './default.ts';
import { checkLocalPath } from './reference.ts';

/** The annotations that count, under whatever identifiers: the domain of either set is nobody else's. */
const marks = identifierSets.map((set) => {
  const { labelDomain } = identifiersOf(set);
  return {
    pod: `seccomp.security.alpha.${labelDomain}/pod`,
    container: `container.seccomp.security.alpha.${labelDomain}/`,
    armor: `container.apparmor.security.beta.${labelDomain}/`,
  };
});

/** What annotations of a pod, or of the pods of a template, mean to nodes: what they are confined by. */
export function checkPodAnnotations(field: string, metadata: JsonObject, spec: JsonObject): readonly FieldError[] {
  return errorsOfEach(stringEntriesAt(metadata, 'annotations'), ([name, value]) =>
    errorsOfEach(marks, ({ pod, container, armor }) => {
      if (name === pod || name.startsWith(container)) return checkSeccompProfile(`${field}.${name}`, value);
      return name.startsWith(armor)
        ? armorErrors(`${field}[${name}]`, name.slice(armor.length), value, spec)
        : noErrors;
    }),
  );
}

const localPrefix = 'localhost/';

/** What is wrong with a seccomp profile as annotations name it. */
export function checkSeccompProfile(field: string, profile: string): readonly FieldError[] {
  if (['runtime/default', 'docker/default', 'unconfined'].includes(profile)) return noErrors;
  return profile.startsWith(localPrefix)
    ? checkLocalPath(field, profile.slice(localPrefix.length))
    : [invalid(field, profile, 'must be a valid seccomp profile')];
}

/** Whether this names an AppArmor profile; nothing names the usual one. */
export function isArmorProfile(profile: string): boolean {
  return ['', 'runtime/default', 'unconfined'].includes(profile) || profile.startsWith(localPrefix);
}

function armorErrors(field: string, container: string, profile: string, spec: JsonObject): readonly FieldError[] {
  return allErrors(
    containersOf(spec).some((one) => stringAt(one, 'name') === container)
      ? noErrors
      : [invalid(field, container, 'container not found')],
    isArmorProfile(profile)
      ? noErrors
      : [invalid(field, profile, `invalid AppArmor profile name: ${goQuote(profile)}`)],
  );
}
