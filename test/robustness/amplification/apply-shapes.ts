import type { JsonObject, JsonValue } from '../../../src/meta/json-value.ts';
import { versionOf, widgetsAt, widgetsIn } from '../../http/custom-resources/widgets.ts';
import { create, keys, text, times } from './inputs.ts';
import type { SentRequest, Shape, Sizes } from './shape.ts';

const schemas: Readonly<Record<string, JsonObject>> = {
  map: { type: 'object', additionalProperties: { type: 'string' } },
  list: {
    type: 'array',
    items: { type: 'object', required: ['name'], properties: { name: { type: 'string' }, value: { type: 'string' } } },
    'x-cluster-list-type': 'map',
    'x-cluster-list-map-keys': ['name'],
  },
  free: { type: 'object', 'x-cluster-preserve-unknown-fields': true },
};

function apply(group: string, version: string, manager: string, data: JsonValue): SentRequest {
  return {
    method: 'PATCH',
    path: `${widgetsAt(group, version)}/a?fieldManager=${manager}&force=true`,
    contentType: 'application/apply-patch+yaml',
    body: JSON.stringify({ apiVersion: `${group}/${version}`, kind: 'Widget', metadata: { name: 'a' }, data }),
  };
}

/** Managers that each own some keys, in one version after the other. */
function managersOf(group: string, { versions = 1, managers = 1, owned = 1 }: Sizes): JsonObject[] {
  return times(managers, (index) => ({
    manager: `m${index}`,
    operation: index % 2 === 0 ? 'Apply' : 'Update',
    apiVersion: `${group}/v${(index % versions) + 1}`,
    time: '2001-01-01T00:00:00Z',
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:data': Object.fromEntries(times(owned, (key) => [`f:key${key}`, {}])) },
  }));
}

/** An apply to an object whose managers use several versions of its kind. */
function versionsShape(name: string, schema: JsonObject, dataOf: (sizes: Sizes) => JsonValue): Shape {
  return {
    name: `apply: ${name}`,
    start: { versions: 2, managers: 2, owned: 10, entries: 10, length: 1 },
    make: (sizes, group) => {
      const versions = Math.min(sizes['versions'] ?? 1, 60);
      const root = { openAPIV3Schema: { type: 'object', properties: { data: schema } } };
      const rows = times(versions, (index) => versionOf(`v${index + 1}`, { schema: root, storage: index === 0 }));
      const data = dataOf(sizes);
      const metadata = { name: 'a', managedFields: managersOf(group, { ...sizes, versions }) };
      return {
        definition: widgetsIn(group, { versions: rows }),
        before: [create(widgetsAt(group), { kind: 'Widget', metadata, data })],
        request: apply(group, `v${versions}`, 'm0', Array.isArray(data) ? data.slice(1) : { key0: 'b' }),
      };
    },
  };
}

/** Applies over versions. */
export const applyShapes: readonly Shape[] = [
  versionsShape('a map over versions', schemas['map'] ?? {}, ({ entries = 1, length }) => keys(entries, text(length))),
  versionsShape('a keyed list over versions', schemas['list'] ?? {}, ({ entries = 1, length }) =>
    times(entries, (index) => ({ name: `n${index}`, value: text(length) })),
  ),
  versionsShape('values without a schema over versions', schemas['free'] ?? {}, ({ entries = 1, length }) =>
    keys(entries, { a: { b: text(length) } }),
  ),
];
