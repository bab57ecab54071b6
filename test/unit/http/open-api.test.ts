import assert from 'node:assert/strict';
import { fromBinary } from '@bufbuild/protobuf';
import { DocumentSchema } from '../../../src/gen/openapi/v2/openapi_pb.ts';
import { type Fixture, startFixture } from './fixture.ts';

const asked = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
const answered = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';

describe('/openapi/v2', () => {
  let fixture: Fixture;

  before(async () => {
    fixture = await startFixture();
  });

  after(() => fixture[Symbol.asyncDispose]());

  const get = (headers: Record<string, string> = {}) => fixture.send({ path: '/openapi/v2', headers });

  it('answers JSON with a definition for each kind', async () => {
    const answer = await get();
    const { status, headers } = answer;
    assert.equal(status, 200);
    assert.equal(headers['content-type'], 'application/json');
    assert.equal(answer.at('swagger'), '2.0');
    const { definitions } = (await get()).json() as { definitions: Record<string, { type: string }> };
    assert.equal(definitions['api.core.v1.ConfigMap']?.type, 'object');
  });

  it('answers the Protobuf that kubectl reads, under a media type that Go can parse', async () => {
    const { status, headers, bytes } = await get({ accept: asked });
    assert.equal(status, 200);
    assert.equal(headers['content-type'], answered);
    const document = fromBinary(DocumentSchema, bytes);
    const schema = document.definitions?.additionalProperties.find(
      ({ name }) => name === 'api.apps.v1.Deployment',
    )?.value;
    const kind = schema?.vendorExtension.find(({ name }) => name === 'x-kubernetes-group-version-kind');
    assert.deepEqual(JSON.parse(kind?.value?.yaml ?? ''), [{ group: 'apps', kind: 'Deployment', version: 'v1' }]);
    assert.equal(
      schema?.properties?.additionalProperties.find(({ name }) => name === 'spec')?.value?.ref,
      '#/definitions/api.apps.v1.DeploymentSpec',
    );
  });

  it('says of each kind that its patches take dry runs, where kubectl looks for it', async () => {
    const { bytes } = await get({ accept: asked });
    const path = fromBinary(DocumentSchema, bytes).paths?.path.find(
      ({ name }) => name === '/apis/apps/v1/namespaces/{namespace}/deployments/{name}',
    );
    const operation = path?.value?.patch;
    const names = operation?.parameters.map((item) => item.parameter?.nonBodyParameter?.queryParameterSubSchema?.name);
    assert.ok(names?.includes('dryRun'));
    const kind = operation?.vendorExtension.find(({ name }) => name === 'x-kubernetes-group-version-kind');
    assert.deepEqual(JSON.parse(kind?.value?.yaml ?? ''), { group: 'apps', kind: 'Deployment', version: 'v1' });
  });

  it('is not sent again to a client that has it', async () => {
    const { headers } = await get();
    const again = await get({ 'if-none-match': String(headers.etag) });
    assert.equal(again.status, 304);
    assert.equal(again.bytes.length, 0);
  });

  it('is compressed for clients that take gzip', async () => {
    const { headers } = await get({ 'accept-encoding': 'gzip' });
    assert.equal(headers['content-encoding'], 'gzip');
  });

  it('refuses other media types and other methods', async () => {
    assert.equal((await get({ accept: 'image/png' })).status, 406);
    assert.equal((await fixture.send({ method: 'POST', path: '/openapi/v2', body: {} })).status, 405);
  });
});
