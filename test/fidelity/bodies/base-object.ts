import { copyJsonObject, type JsonObject } from '../../../src/meta/json-value.ts';
import { minimalObject } from '../../http/minimal-objects.ts';
import { textAt } from '../json-paths.ts';
import { identifiers, type Subject } from '../subjects.ts';

/** What sequences that run beside each other must not share, by `group/resource`. */
const own: Readonly<Record<string, (object: JsonObject, name: string) => JsonObject>> = {
  'core/events': (object) => ({ ...object, involvedObject: { namespace: '{{ns}}' } }),
  'events/events': (object) => ({
    ...object,
    ...(object['regarding'] ? { regarding: { namespace: '{{ns}}' } } : {}),
  }),
  'apiregistration/apiservices': (object, name) => ({
    ...object,
    metadata: { name: `v1.${name}.example.com` },
    spec: { ...(object['spec'] as JsonObject), group: `${name}.example.com` },
  }),
};

const made = new Map<string, JsonObject>();

/** The smallest valid object of a kind. Made once for each name: a certificate request is costly. */
export function baseObject({ info, version, key }: Subject, name = '{{name}}'): JsonObject {
  const id = `${key} ${name}`;
  let object = made.get(id);
  if (!object) {
    const minimal = minimalObject(info, identifiers, name, version.version);
    object = own[`${info.shortGroup || 'core'}/${info.resource}`]?.(minimal, name) ?? minimal;
    made.set(id, object);
  }
  return copyJsonObject(object);
}

/** Path of the object that `baseObject` is; some kinds decide on the name themselves. */
export function itemPath(subject: Subject, name = '{{name}}'): string {
  return `${subject.collection}/${textAt(baseObject(subject, name), ['metadata', 'name'])}`;
}
