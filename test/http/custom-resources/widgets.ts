import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import type { TestServer } from '../../../src/testing/index.ts';
import { request } from '../http-client.ts';
import { until } from '../until.ts';

/** The collection of definitions, under the identifiers of the product. */
export const definitions = '/apis/apiextensions.cl.io/v1/customresourcedefinitions';

/** The schema of a widget, with most of what a schema can say. */
export const widgetSchema: JsonObject = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      required: ['size'],
      properties: {
        size: { type: 'integer', minimum: 1, maximum: 9 },
        color: { type: 'string', default: 'red', enum: ['red', 'blue'] },
        code: { type: 'string', pattern: '^[a-z]+$', maxLength: 4 },
        since: { type: 'string', format: 'date-time' },
        note: { type: 'string', nullable: true },
        either: { 'x-cluster-int-or-string': true },
        labels: { type: 'object', additionalProperties: { type: 'string' } },
        raw: { type: 'object', 'x-cluster-preserve-unknown-fields': true },
        template: {
          type: 'object',
          'x-cluster-embedded-resource': true,
          properties: { spec: { type: 'object', properties: { a: { type: 'integer' } } } },
        },
        tags: { type: 'array', items: { type: 'string' }, 'x-cluster-list-type': 'set' },
        parts: {
          type: 'array',
          items: {
            type: 'object',
            required: ['name'],
            properties: { name: { type: 'string' }, count: { type: 'integer', default: 1 } },
          },
          'x-cluster-list-type': 'map',
          'x-cluster-list-map-keys': ['name'],
        },
      },
    },
    status: { type: 'object', properties: { ready: { type: 'integer' }, selector: { type: 'string' } } },
  },
};

/** A version of a definition. */
export function versionOf(name: string, rest: JsonObject = {}): JsonObject {
  return { name, served: true, storage: true, schema: { openAPIV3Schema: widgetSchema }, ...rest };
}

/** A definition of widgets in a group of its own. */
export function widgetsIn(group: string, spec: JsonObject = {}): JsonObject {
  return {
    metadata: { name: `widgets.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget', shortNames: ['wd'], categories: ['all'] },
      versions: [versionOf('v1')],
      ...spec,
    },
  };
}

/** The collection of widgets in the default namespace. */
export function widgetsAt(group: string, version = 'v1'): string {
  return `/apis/${group}/${version}/namespaces/default/widgets`;
}

/** Creates a definition and waits until it is served. */
export async function define(server: TestServer, definition: JsonObject): Promise<void> {
  const created = await request(server, 'POST', definitions, definition);
  assert.equal(created.status, 201, created.text);
  await established(server, definition);
}

/** Waits until a definition is established. */
export async function established(server: TestServer, { metadata }: JsonObject): Promise<void> {
  const { name } = metadata as { name: string };
  await until('the definition to be established', async () => {
    const { body } = await request(server, 'GET', `${definitions}/${name}`);
    return conditionsIn(body as JsonObject)['Established'] === 'True';
  });
}

/** The conditions of a definition: status by type. */
export function conditionsIn(definition: JsonObject): Record<string, string> {
  const { status } = definition as { status?: { conditions?: { type: string; status: string }[] | null } };
  return Object.fromEntries((status?.conditions ?? []).map((condition) => [condition.type, condition.status]));
}
