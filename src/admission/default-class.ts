import type { IngressClass } from '../gen/stored/networking-v1.ts';
import type { StorageClass } from '../gen/stored/storage-v1.ts';
import { type ApiRelease, isSince } from '../scheme/api-release.ts';
import type { AdmissionAttributes, PluginContext } from './admission.ts';
import { forbidden } from './forbidden.ts';

/** A kind of class, and how its default class is marked. */
interface DefaultClassRule {
  readonly group: string;
  readonly resource: string;
  /** Words about several defaults in the error: `IngressClasses were found`. */
  readonly found: string;
  /** The first release that takes the newest of several default classes. */
  readonly newestSince: ApiRelease;
  /** A class is the default if one of these annotations is `true`. */
  readonly annotations: readonly string[];
}

/**
 * Returns a function that finds the name of the default class; undefined if there is none. The
 * newest of several defaults is taken, then the first by name. Earlier releases refuse the write
 * with 403.
 */
export function defaultClassFinder(
  { listerOf, emulated: { release } }: PluginContext,
  { group, resource, found, newestSince, annotations }: DefaultClassRule,
): (attributes: AdmissionAttributes) => Promise<string | undefined> {
  const read = ({ metadata }: IngressClass | StorageClass) => {
    const { name = '', creationTimestamp: created, annotations: given = {} } = metadata;
    return {
      name,
      createdMs: Date.parse(String(created)) || 0,
      isDefault: annotations.some((one) => given[one] === 'true'),
    };
  };
  const classes = listerOf({
    group,
    resource,
    read,
    indexes: { default: ({ isDefault }) => (isDefault ? ['true'] : []) },
  });
  return async (attributes) => {
    const defaults = await classes.list({ by: ['default', 'true'], latest: true }, attributes.signal);
    if (defaults.length <= 1 || isSince(release, newestSince)) return defaults.toSorted(newestFirst)[0]?.name;
    const why = `Internal error occurred: ${defaults.length} default ${found}`;
    throw forbidden(attributes, why);
  };
}

/** A default class, as far as the choice among several depends on it. */
interface DefaultClass {
  readonly name: string;
  readonly createdMs: number;
}

function newestFirst(a: DefaultClass, b: DefaultClass): number {
  return b.createdMs - a.createdMs || (a.name < b.name ? -1 : 1);
}
