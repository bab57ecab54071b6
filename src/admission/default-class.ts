import type { JsonObject } from '../meta/json-value.ts';
import { nameOf } from '../meta/object-meta.ts';
import { objectAt, stringAt } from '../meta/read-field.ts';
import type { AdmissionAttributes } from './admission.ts';
import { forbidden } from './forbidden.ts';

/** How the default of a kind of class is known. */
export interface DefaultClassRule {
  /** As the message of too many defaults names it: `IngressClasses`. */
  readonly plural: string;
  /** A class is a default where one of these annotations says `true`. */
  readonly annotations: readonly string[];
}

/** The name of the default class, undefined where there is none; more than one is refused with 403. */
export function defaultClassName(
  attributes: AdmissionAttributes,
  classes: readonly JsonObject[],
  { plural, annotations }: DefaultClassRule,
): string | undefined {
  const defaults = classes.filter((candidate) => {
    const given = objectAt(candidate, 'metadata', 'annotations');
    return annotations.some((annotation) => stringAt(given, annotation) === 'true');
  });
  if (defaults.length > 1) {
    throw forbidden(
      attributes,
      `Internal error occurred: ${defaults.length} default ${plural} were found, only 1 allowed`,
    );
  }
  return defaults[0] && nameOf(defaults[0]);
}
