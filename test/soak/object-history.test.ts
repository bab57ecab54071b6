import assert from 'node:assert/strict';
import type { EtcdEvent } from '../../src/etcd/watch-messages.ts';
import { encodeStoredObject } from '../../src/storage/objects/stored-object.ts';
import { checkList } from './check-list.ts';
import { checkWatch, type ReceivedEvent } from './check-watch.ts';
import { ObjectHistory, type ObjectVersion } from './object-history.ts';
import { selections } from './selections.ts';

const [all, , notCanary] = selections as [(typeof selections)[number], unknown, (typeof selections)[number]];

function put(revision: number, name: string, labels: Record<string, string> = {}): EtcdEvent {
  const key = `/registry/configmaps/default/${name}`;
  const object = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name, namespace: 'default', labels } };
  const current = { key, revision, value: encodeStoredObject(object) };
  return { type: 'put', created: true, previous: undefined, current } as EtcdEvent;
}

/** Three objects, of which one becomes a canary and one is deleted. */
function someHistory(): ObjectHistory {
  const history = new ObjectHistory();
  for (const event of [put(2, 'a'), put(3, 'b'), put(4, 'c'), put(5, 'b', { canary: 'true' })]) {
    history.record(event.type === 'put' ? event.current.revision : event.revision, [event]);
  }
  history.record(6, [{ type: 'delete', key: '/registry/configmaps/default/c', revision: 6, previous: undefined }]);
  return history;
}

const names = (versions: readonly ObjectVersion[]): string[] => versions.map(({ key }) => key.slice('default/'.length));

describe('The model of a soak', () => {
  it('has every state of every selection', () => {
    const history = someHistory();
    assert.deepEqual(names(history.select(all, 4)), ['a', 'b', 'c']);
    assert.deepEqual(names(history.select(notCanary, 5)), ['a', 'c']);
    assert.deepEqual(names(history.select(all, 6)), ['a', 'b']);
  });

  it('keeps the states behind the one that it was trimmed to', () => {
    const history = someHistory();
    history.trim(5);
    assert.deepEqual(names(history.select(notCanary, 5)), ['a', 'c']);
    assert.deepEqual(
      history.events(all, 5, 6).map(({ type }) => type),
      ['DELETED'],
    );
  });

  const faults: readonly (readonly [string, (items: ObjectVersion[]) => ObjectVersion[]])[] = [
    ['an item twice', (items) => [...items, ...items.slice(-1)]],
    ['an item too few', (items) => items.slice(1)],
    ['items in another order', (items) => items.toReversed()],
    ['an item of another revision', ([first, ...rest]) => (first ? [{ ...first, revision: 99 }, ...rest] : [])],
    ['an item with other content', ([first, ...rest]) => (first ? [{ ...first, hash: 'other' }, ...rest] : [])],
  ];
  for (const [fault, plant] of faults) {
    it(`finds a list that has ${fault}`, () => {
      const history = someHistory();
      const items = history.select(all, 4);
      assert.equal(checkList({ selection: all, revision: 4, items }, history), undefined);
      assert.match(checkList({ selection: all, revision: 4, items: plant(items) }, history) ?? '', /are right at 4/);
    });
  }

  it('finds a watch that loses, repeats or changes an event', () => {
    const history = someHistory();
    const events: ReceivedEvent[] = history
      .events(notCanary, 2, 6)
      .map(({ type, revision, version }) => ({ type, revision, version: { ...version, revision } }));
    const watch = { selection: notCanary, start: 2, last: 6 };
    assert.deepEqual(
      events.map(({ type }) => type),
      ['ADDED', 'ADDED', 'DELETED', 'DELETED'],
    );
    assert.equal(checkWatch({ ...watch, events }, history), undefined);
    const wrong = [
      events.slice(1),
      [...events, ...events.slice(-1)],
      events.map((event) => ({ ...event, type: 'MODIFIED' })),
    ];
    for (const planted of wrong) assert.match(checkWatch({ ...watch, events: planted }, history) ?? '', /differs/);
  });
});
