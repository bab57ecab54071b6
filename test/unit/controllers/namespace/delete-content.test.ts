import assert from 'node:assert/strict';
import type { DiscoveredResource } from '../../../../src/client/discovery.ts';
import { StatusError } from '../../../../src/client/error-of-response.ts';
import { changedConditions } from '../../../../src/controllers/namespace/changed-conditions.ts';
import { deleteContent } from '../../../../src/controllers/namespace/delete-content.ts';

const kind = (resource: string, verbs: readonly string[], version = 'v1'): DiscoveredResource => ({
  group: 'example.com',
  version,
  resource,
  namespaced: true,
  kind: '',
  singular: '',
  shortNames: [],
  categories: [],
  verbs,
});

const all = ['list', 'delete', 'deletecollection'];

describe('the content of a namespace', () => {
  const remove = async (
    resources: readonly DiscoveredResource[],
    objects: Readonly<Record<string, string[]>>,
    failing: readonly string[] = [],
  ) => {
    const requests: string[] = [];
    const outcome = await deleteContent('here', {
      discover: async () => ({ resources, failed: [{ groupVersion: 'away/v1', message: 'no answer' }] }),
      ofKind: ({ resource, version }) => ({
        async list() {
          return (objects[resource] ?? []).map((name) => ({ metadata: { name } }));
        },
        async deleteCollection() {
          requests.push(`all ${version} ${resource}`);
          if (failing.includes(resource)) throw new StatusError({ code: 500, message: `${resource} is broken` });
          objects[resource]?.splice(0);
        },
        async delete(name) {
          requests.push(`${resource} ${name}`);
          if (name !== 'stuck') objects[resource]?.splice(objects[resource].indexOf(name), 1);
        },
      }),
    });
    return { requests, outcome };
  };

  it('is deleted together, or one by one where the kind has no such verb', async () => {
    const kinds = [
      kind('widgets', all, 'v2'),
      kind('widgets', all),
      kind('gadgets', ['list', 'delete']),
      kind('facts', ['list']),
      kind('none', all),
    ];
    const objects = { widgets: ['a', 'b'], gadgets: ['c', 'd'], facts: ['e'], none: [] };
    const { requests, outcome } = await remove(kinds, objects);
    assert.deepEqual(requests.toSorted(), ['all v2 widgets', 'gadgets c', 'gadgets d']);
    assert.deepEqual([outcome.remaining, outcome.contentErrors], [[], []]);
  });

  it('is deleted some objects at a time where the kind has no verb for all', async () => {
    let [running, most] = [0, 0];
    const objects = new Set(Array.from({ length: 50 }, (_, index) => `o${index}`));
    const outcome = await deleteContent('here', {
      discover: async () => ({ resources: [kind('gadgets', ['list', 'delete'])], failed: [] }),
      ofKind: () => ({
        list: async () => [...objects].map((name) => ({ metadata: { name } })),
        deleteCollection: () => Promise.reject(new Error('there is no such verb')),
        async delete(name) {
          most = Math.max(most, ++running);
          await new Promise(setImmediate);
          running--;
          objects.delete(name);
        },
      }),
    });
    assert.deepEqual([outcome.remaining, outcome.contentErrors, objects.size, most], [[], [], 0, 10]);
  });

  it('is reported as far as it cannot be deleted or is not known', async () => {
    const kinds = [kind('widgets', all), kind('gadgets', ['list', 'delete'])];
    const { outcome } = await remove(kinds, { widgets: ['a'], gadgets: ['stuck'] }, ['widgets']);
    const conditions = changedConditions([], outcome, '2026-01-01T00:00:00Z') ?? [];
    assert.deepEqual(
      conditions.filter(({ status }) => status === 'True').map(({ type, message }) => `${type}: ${message}`),
      [
        'NamespaceDeletionDiscoveryFailure: Discovery failed for some groups, 1 failing: unable to retrieve the complete list of server APIs: away/v1: no answer',
        'NamespaceDeletionContentFailure: Failed to delete all resource types, 2 remaining: unexpected items still remain in namespace: here for gvr: example.com/v1, Resource=gadgets, widgets is broken',
        'NamespaceContentRemaining: Some resources are remaining: gadgets.example.com has 1 resource instances',
      ],
    );
    assert.equal(changedConditions(conditions, outcome, '2026-01-02T00:00:00Z'), undefined);
  });
});
