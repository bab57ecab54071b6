import type { JsonObject } from '../meta/json-value.ts';
import type { ListerOf } from '../meta/lister.ts';
import { nameOf } from '../meta/object-meta.ts';
import { objectAt, stringAt } from '../meta/read-field.ts';
import type { AdmissionAttributes } from './admission.ts';
import { forbidden } from './forbidden.ts';

/** How the default of a kind of class is known. */
interface DefaultClassRule {
  readonly group: string;
  readonly resource: string;
  /** As the message of too many defaults names it: `IngressClasses`. */
  readonly plural: string;
  /** A class is a default where one of these annotations says `true`. */
  readonly annotations: readonly string[];
}

/** Finds the name of the default class, undefined where there is none; more than one is refused with 403. */
export function defaultClassFinder(
  listerOf: ListerOf,
  { group, resource, plural, annotations }: DefaultClassRule,
): (attributes: AdmissionAttributes) => Promise<string | undefined> {
  const read = (object: JsonObject) => {
    const given = objectAt(object, 'metadata', 'annotations');
    return { name: nameOf(object), isDefault: annotations.some((name) => stringAt(given, name) === 'true') };
  };
  const classes = listerOf({
    group,
    resource,
    read,
    indexes: { default: ({ isDefault }) => (isDefault ? ['true'] : []) },
  });
  return async (attributes) => {
    const defaults = await classes.list({ by: ['default', 'true'], latest: true }, attributes.signal);
    if (defaults.length <= 1) return defaults[0]?.name;
    const why = `Internal error occurred: ${defaults.length} default ${plural} were found, only 1 allowed`;
    throw forbidden(attributes, why);
  };
}
