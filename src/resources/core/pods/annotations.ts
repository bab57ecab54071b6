import { identifierSets, identifiersOf } from '../../../identifiers/identifiers.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { stringAt, stringEntriesAt } from '../../../meta/read-field.ts';
import { allErrors, errorsOfEach, noErrors } from '../../../status/all-errors.ts';
import { type FieldError, invalid } from '../../../status/field-error.ts';
import { goQuote } from '../../../status/go-quote.ts';
import { containersOf } from './default.ts';
import { checkLocalPath } from './reference.ts';

/** The annotations of every set of identifiers: both domains are reserved. */
const marks = identifierSets.map((set) => {
  const { labelDomain } = identifiersOf(set);
  return {
    pod: `seccomp.security.alpha.${labelDomain}/pod`,
    container: `container.seccomp.security.alpha.${labelDomain}/`,
    armor: `container.apparmor.security.beta.${labelDomain}/`,
  };
});

/** Checks the seccomp and AppArmor annotations of a pod or of a pod template. */
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

/** Checks the value of a seccomp annotation. */
export function checkSeccompProfile(field: string, profile: string): readonly FieldError[] {
  if (['runtime/default', 'docker/default', 'unconfined'].includes(profile)) return noErrors;
  return profile.startsWith(localPrefix)
    ? checkLocalPath(field, profile.slice(localPrefix.length))
    : [invalid(field, profile, 'must be a valid seccomp profile')];
}

/**
 * True if a text is a valid value of an AppArmor annotation. An empty one is the default profile.
 */
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
