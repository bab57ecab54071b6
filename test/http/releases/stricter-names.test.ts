import assert from 'node:assert/strict';
import { request } from '../http-client.ts';
import { startRelease, valuesOf } from './release-server.ts';

const path = '/apis/apps/v1/namespaces/default/statefulsets';
const labels = { app: 'a' };
const spec = {
  serviceName: 's',
  selector: { matchLabels: labels },
  template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } },
};

it('an object with a name that a later release would refuse can be changed there', async () => {
  const metadata = { name: 'a.b', generateName: 'a.b-' };
  await using earlier = await startRelease('1.23', [], {});
  const created = await request(earlier.server, 'POST', path, {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata,
    spec,
  });
  assert.equal(created.status, 201, created.text);
  await using later = await startRelease('1.36', await valuesOf(earlier.store), {});
  const patch = { metadata: { labels } };
  const headers = { 'content-type': 'application/merge-patch+json' };
  const changed = await request(later.server, 'PATCH', `${path}/a.b`, patch, headers);
  assert.equal(changed.status, 200, changed.text);
});
