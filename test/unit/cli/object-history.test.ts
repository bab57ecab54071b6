import assert from 'node:assert/strict';
import type { Client } from '../../../src/client/client.ts';
import type { WatchEvent } from '../../../src/client/api-object.ts';
import { CliError } from '../../../src/cli/cli-error.ts';
import { type ObjectState, statesOf } from '../../../src/cli/object-history.ts';

/** A change of the only object of a store, at a revision. */
type StoreChange = readonly [revision: number, type: 'ADDED' | 'MODIFIED' | 'DELETED'];

/** The options of lists and watches that the history uses. */
interface Options {
  readonly resourceVersion?: string;
}

/** A store with these changes, all of which can be read; a watch tells as many as `counts` has for it, then it ends. */
function storeWith(changes: readonly StoreChange[], counts: readonly number[]) {
  const starts: number[] = [];
  const objectAt = (revision: number) => ({ metadata: { name: 'a', resourceVersion: String(revision) } });
  const newest = changes.at(-1)?.[0] ?? 1;
  const resource = {
    async list({ resourceVersion = String(newest) }: Options) {
      const [revision, type] = changes.findLast(([at]) => at <= Number(resourceVersion)) ?? [0, 'DELETED'];
      return { metadata: { resourceVersion }, items: type === 'DELETED' ? [] : [objectAt(revision)] };
    },
    async *watch({ resourceVersion = '' }: Options): AsyncGenerator<WatchEvent> {
      const count = counts[starts.push(Number(resourceVersion)) - 1] ?? 0;
      const later = changes.filter(([revision]) => revision > Number(resourceVersion));
      for (const [revision, type] of later.slice(0, count)) yield { type, object: objectAt(revision) };
    },
  };
  // The history reads and watches one resource.
  const client = { resource: () => resource } as unknown as Client;
  return { starts, session: { client, io: { signal: new AbortController().signal } } };
}

const place = {
  resource: { group: '', version: 'v1', kind: 'ConfigMap', resource: 'configmaps', namespaced: true, verbs: [] },
  name: 'a',
} as unknown as Parameters<typeof statesOf>[1];
const shown = (states: readonly ObjectState[]) => states.map(({ revision, change }) => `${change} at ${revision}`);

describe('the history of an object', () => {
  it('resumes after a watch that ended before all changes arrived', async () => {
    const { session, starts } = storeWith(
      [
        [5, 'ADDED'],
        [7, 'MODIFIED'],
        [9, 'MODIFIED'],
      ],
      [0, 1, 2],
    );
    assert.deepEqual(shown(await statesOf(session, place)), ['created at 5', 'changed at 7', 'changed at 9']);
    assert.deepEqual(starts, [1, 1, 5]);
  });

  it('needs no watch for an object that did not change', async () => {
    const { session, starts } = storeWith([[1, 'ADDED']], []);
    assert.deepEqual(shown(await statesOf(session, place)), ['known at 1']);
    assert.deepEqual(starts, []);
  });

  it('ends with the deletion of an object that is gone', async () => {
    const { session, starts } = storeWith(
      [
        [1, 'ADDED'],
        [4, 'MODIFIED'],
        [6, 'DELETED'],
      ],
      [1, 1],
    );
    assert.deepEqual(shown(await statesOf(session, place)), ['known at 1', 'changed at 4', 'deleted at 6']);
    assert.deepEqual(starts, [1, 4]);
  });

  it('fails when the server never sends the changes', async () => {
    const { session } = storeWith([[5, 'ADDED']], []);
    await assert.rejects(statesOf(session, place), CliError);
  });
});
