import type { IngressClass } from '../gen/stored/networking-v1.ts';
import type { StorageClass } from '../gen/stored/storage-v1.ts';
import type { ListerOf } from '../meta/lister.ts';
import type { AdmissionAttributes } from './admission.ts';
import { forbidden } from './forbidden.ts';

/** A kind of class, and how its default class is marked. */
interface DefaultClassRule {
  readonly group: string;
  readonly resource: string;
  /** Words about several defaults in the error: `IngressClasses were found`. */
  readonly found: string;
  /** A class is the default if one of these annotations is `true`. */
  readonly annotations: readonly string[];
}

/**
 * Returns a function that finds the name of the default class; undefined if there is none.
 * Several defaults are refused with 403.
 */
export function defaultClassFinder(
  listerOf: ListerOf,
  { group, resource, found, annotations }: DefaultClassRule,
): (attributes: AdmissionAttributes) => Promise<string | undefined> {
  const read = ({ metadata: { name = '', annotations: given = {} } }: IngressClass | StorageClass) => ({
    name,
    isDefault: annotations.some((annotation) => given[annotation] === 'true'),
  });
  const classes = listerOf({
    group,
    resource,
    read,
    indexes: { default: ({ isDefault }) => (isDefault ? ['true'] : []) },
  });
  return async (attributes) => {
    const defaults = await classes.list({ by: ['default', 'true'], latest: true }, attributes.signal);
    if (defaults.length <= 1) return defaults[0]?.name;
    const why = `Internal error occurred: ${defaults.length} default ${found}`;
    throw forbidden(attributes, why);
  };
}
