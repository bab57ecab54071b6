import assert from 'node:assert/strict';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { request } from '../http-client.ts';
import { until } from '../until.ts';
import { openWatch } from './open-watch.ts';

const maps = '/api/v1/namespaces/default/configmaps';

interface Table {
  readonly columnDefinitions: readonly { readonly name: string }[];
  readonly rows: readonly {
    readonly cells: readonly unknown[];
    readonly object: { readonly metadata: { readonly annotations: object } } | null;
  }[];
  readonly metadata: object;
}

describe('watches in a shape', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ store: 'memory' });
    await request(server, 'POST', maps, { metadata: { name: 'a' }, data: { key: 'value' } });
  });
  after(() => server.stop());

  for (const version of ['v1', 'v1beta1']) {
    for (const shape of ['PartialObjectMetadata', 'PartialObjectMetadataList']) {
      it(`send the metadata of each object as ${version} where a client asks for ${shape}`, async () => {
        const accept = `application/json;as=${shape};g=meta.cl.io;v=${version}`;
        const watch = await openWatch(server, `${maps}?watch=1&fieldSelector=metadata.name=a`, { accept });
        assert.equal(watch.status, 200, watch.text);
        await until('the event', () => Promise.resolve(watch.events.length > 0));
        watch.stop();
        const [event] = watch.events;
        assert.equal(event?.type, 'ADDED');
        const { kind, apiVersion, data, metadata } = event.object;
        assert.deepEqual(
          [kind, apiVersion, data, metadata.name],
          ['PartialObjectMetadata', `meta.cl.io/${version}`, undefined, 'a'],
        );
      });
    }
  }

  const initial = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=1';
  const end = { 'cl.io/initial-events-end': 'true' };

  it('mark the end of the state in the shape of the events', async () => {
    const accept = 'application/json;as=PartialObjectMetadata;g=meta.cl.io;v=v1';
    const watch = await openWatch(server, `${maps}?${initial}`, { accept });
    await until('the bookmark', () => Promise.resolve(watch.events.length > 1));
    watch.stop();
    const bookmark = watch.events[1];
    assert.equal(bookmark?.type, 'BOOKMARK');
    const { kind, metadata } = bookmark.object;
    assert.equal(kind, 'PartialObjectMetadata');
    assert.deepEqual(
      { ...metadata, resourceVersion: '' },
      { resourceVersion: '', creationTimestamp: null, annotations: end },
    );
  });

  for (const include of ['Metadata', 'None', 'Object']) {
    it(`mark it in the object of a row where rows have ${include.toLowerCase()}, because Tables have no annotations`, async () => {
      const accept = 'application/json;as=Table;g=meta.cl.io;v=v1';
      const none = '/apis/apps/v1/namespaces/default/deployments';
      const watch = await openWatch(server, `${none}?${initial}&includeObject=${include}`, { accept });
      await until('the bookmark', () => Promise.resolve(watch.events.length > 0));
      watch.stop();
      const [bookmark] = watch.events;
      assert.equal(bookmark?.type, 'BOOKMARK');
      const { columnDefinitions, rows, metadata } = bookmark.object as unknown as Table;
      // The first Table of a watch describes the columns, also if it is a bookmark.
      assert.deepEqual(
        columnDefinitions.slice(0, 2).map(({ name }) => name),
        ['Name', 'Ready'],
      );
      assert.deepEqual(Object.keys(metadata), ['resourceVersion']);
      assert.equal(rows.length, 1);
      assert.equal(rows[0]?.cells.length, columnDefinitions.length);
      assert.deepEqual(rows[0]?.object?.metadata.annotations, end);
    });
  }

  it('are refused in a format without streams, with a list of those that have them', async () => {
    const { status, text } = await request(server, 'GET', `${maps}?watch=1`, undefined, { accept: 'application/yaml' });
    assert.equal(status, 406, text);
    const accepted = /only the following media types are accepted: ([^"]*)"/.exec(text)?.[1];
    assert.equal(accepted, 'application/json;stream=watch, application/vnd.cluster.protobuf;stream=watch');
  });

  it('are refused in a shape that does not exist', async () => {
    const accept = 'application/json;as=PartialObjectMetadataLists;g=meta.cl.io;v=v1';
    assert.equal((await openWatch(server, `${maps}?watch=1`, { accept })).status, 406);
  });
});
