import assert from 'node:assert/strict';
import { fromBinary } from '@bufbuild/protobuf';
import { DocumentSchema } from '../../../src/gen/openapi/v2/openapi_pb.ts';
import { customKind } from './custom-kind.ts';
import { type Fixture, type Received, startFixture } from './fixture.ts';

const asked = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
const answered = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
const deployment = 'io.k8s.api.apps.v1.Deployment';

describe('/openapi/v2', () => {
  let fixture: Fixture;

  before(async () => {
    fixture = await startFixture();
  });

  after(() => fixture[Symbol.asyncDispose]());

  const get = (headers: Record<string, string> = {}) => fixture.send({ path: '/openapi/v2', headers });

  it('answers JSON with a definition for each kind, by the name that generators know', async () => {
    const response = await get();
    const { status, headers } = response;
    assert.equal(status, 200);
    assert.equal(headers['content-type'], 'application/json');
    assert.equal(response.at('swagger'), '2.0');
    const { definitions } = response.json() as { definitions: Record<string, { type: string }> };
    for (const name of [
      'io.k8s.api.core.v1.ConfigMap',
      'io.k8s.api.rbac.v1.Role',
      'io.k8s.apimachinery.pkg.apis.meta.v1.Status',
      'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition',
      'io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.APIService',
    ]) {
      assert.equal(definitions[name]?.type, 'object', name);
    }
  });

  it('answers the Protobuf that kubectl reads, under a media type that Go can parse', async () => {
    const { status, headers, bytes } = await get({ accept: asked });
    assert.equal(status, 200);
    assert.equal(headers['content-type'], answered);
    const document = fromBinary(DocumentSchema, bytes);
    const schema = document.definitions?.additionalProperties.find(({ name }) => name === deployment)?.value;
    const kind = schema?.vendorExtension.find(({ name }) => name === 'x-kubernetes-group-version-kind');
    assert.deepEqual(JSON.parse(kind?.value?.yaml ?? ''), [{ group: 'apps', kind: 'Deployment', version: 'v1' }]);
    assert.equal(
      schema?.properties?.additionalProperties.find(({ name }) => name === 'spec')?.value?.ref,
      `#/definitions/${deployment}Spec`,
    );
  });

  it('says the same in Protobuf as in JSON', async () => {
    const json = (await get()).json() as { paths: Record<string, object>; definitions: Record<string, object> };
    const document = fromBinary(DocumentSchema, (await get({ accept: asked })).bytes);
    assert.deepEqual(
      document.paths?.path.map(({ name }) => name),
      Object.keys(json.paths),
    );
    assert.deepEqual(
      document.definitions?.additionalProperties.map(({ name }) => name),
      Object.keys(json.definitions),
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
    for (const tag of [String(headers.etag), `W/${headers.etag}`, `"other", ${headers.etag}`]) {
      const again = await get({ 'if-none-match': tag });
      assert.equal(again.status, 304, tag);
      assert.equal(again.bytes.length, 0);
    }
  });

  it('is compressed for clients that take gzip', async () => {
    const { headers } = await get({ 'accept-encoding': 'gzip' });
    assert.equal(headers['content-encoding'], 'gzip');
    assert.equal(headers.vary, 'Accept, Accept-Encoding');
  });

  it('refuses other media types, and answers other methods as GET, as kube-apiserver does', async () => {
    assert.equal((await get({ accept: 'image/png' })).status, 406);
    assert.equal((await fixture.send({ method: 'POST', path: '/openapi/v2', body: {} })).status, 200);
  });
});

describe('/openapi/v3', () => {
  let fixture: Fixture;

  before(async () => {
    fixture = await startFixture();
  });

  after(() => fixture[Symbol.asyncDispose]());

  const get = (path: string, headers: Record<string, string> = {}): Promise<Received> =>
    fixture.send({ path, headers });
  const urls = async (): Promise<Record<string, string>> => {
    const { paths } = (await get('/openapi/v3')).json() as { paths: Record<string, { serverRelativeURL: string }> };
    return Object.fromEntries(Object.entries(paths).map(([path, { serverRelativeURL }]) => [path, serverRelativeURL]));
  };

  it('lists a document for each version of a group, whose address changes with it', async () => {
    const before = await urls();
    for (const path of ['api', 'api/v1', 'apis', 'apis/apps', 'apis/apps/v1', 'version']) {
      assert.match(before[path] ?? '', new RegExp(`^/openapi/v3/${path}\\?hash=[0-9A-F]{128}$`), path);
    }
    fixture.catalogue.put(customKind('shop.example.com', 'toys'));
    const added = await urls();
    const { 'apis/shop.example.com': group, 'apis/shop.example.com/v1': version, ...others } = added;
    assert.ok(group && version);
    assert.deepEqual(others, before);
    fixture.catalogue.put(customKind('shop.example.com', 'games'));
    assert.notEqual((await urls())['apis/shop.example.com/v1'], version);
    const kind = (await get('/openapi/v3/apis/shop.example.com/v1')).at('components.schemas') as Record<
      string,
      unknown
    >;
    assert.ok(kind['com.example.shop.v1.Toy'] && kind['com.example.shop.v1.ToyList']);
    fixture.catalogue.remove('shop.example.com', 'toys');
    fixture.catalogue.remove('shop.example.com', 'games');
    assert.deepEqual(await urls(), before);
  });

  it('may be kept for a year at the address with the hash, which others are sent to', async () => {
    const url = (await urls())['apis/apps/v1'] ?? '';
    const { status, headers } = await get(url);
    assert.equal(status, 200);
    assert.equal(headers['cache-control'], 'public, immutable');
    const days = (Date.parse(String(headers.expires)) - Date.now()) / 86_400_000;
    assert.ok(days > 364 && days < 367, `${days}`);
    assert.equal(url.split('=')[1], String(headers.etag).replaceAll('"', ''));
    const other = await get('/openapi/v3/apis/apps/v1?hash=0A');
    assert.equal(other.status, 301);
    assert.equal(other.headers.location, url);
    const plain = await get('/openapi/v3/apis/apps/v1');
    assert.equal(plain.headers['cache-control'], 'no-cache, private');
    assert.equal((await get('/openapi/v3/apis/apps/v1', { 'if-none-match': String(plain.headers.etag) })).status, 304);
  });

  it('answers 404 for groups that are not served, 405 and 406', async () => {
    for (const path of ['/openapi/v3/apis/none/v1', '/openapi/v3/apis/apps/v9', '/openapi/v3/x']) {
      assert.equal((await get(path)).status, 404, path);
    }
    assert.equal((await get('/openapi/v3/api/v1', { accept: 'image/png' })).status, 406);
    assert.equal((await get('/openapi/v3', { accept: 'image/png' })).status, 406);
    assert.equal((await fixture.send({ method: 'POST', path: '/openapi/v3', body: {} })).status, 405);
  });

  it('describes the operations of a group and version only, in the form of version 3', async () => {
    const response = await get('/openapi/v3/apis/apps/v1');
    assert.equal(response.at('openapi'), '3.0.0');
    const { paths } = response.json() as { paths: Record<string, Record<string, Record<string, unknown>>> };
    assert.ok(Object.keys(paths).every((path) => path.startsWith('/apis/apps/v1/')));
    const create = paths['/apis/apps/v1/namespaces/{namespace}/deployments']?.['post'];
    assert.equal(create?.['operationId'], 'createAppsV1NamespacedDeployment');
    assert.deepEqual(create['requestBody'], {
      content: { '*/*': { schema: { $ref: `#/components/schemas/${deployment}` } } },
      required: true,
    });
  });
});
