import assert from 'node:assert/strict';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { request } from '../http-client.ts';
import { until } from '../until.ts';
import { openWatch } from './open-watch.ts';

const maps = '/api/v1/namespaces/default/configmaps';

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
