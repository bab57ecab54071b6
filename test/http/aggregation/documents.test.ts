import assert from 'node:assert/strict';
import { fromBinary } from '@bufbuild/protobuf';
import { DocumentSchema as Version2Schema } from '../../../src/gen/openapi/v2/openapi_pb.ts';
import { DocumentSchema as Version3Schema } from '../../../src/gen/openapi/v3/openapi_pb.ts';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { objectAt, stringAt } from '../../../src/meta/read-field.ts';
import { agentOf, request, type Target } from '../http-client.ts';
import { type AggregatedWorld, startAggregatedWorld } from './aggregated-world.ts';

const group = 'things.example.com';
const collection = `/apis/${group}/v1/namespaces/{namespace}/things`;
const refTo = (name: string): JsonObject => ({ $ref: `#/definitions/${name}` });
const kind = [{ group, kind: 'Thing', version: 'v1' }];

/** A document as servers before release 1.24 have it, with shared parameters as later ones. */
const document: JsonObject = {
  swagger: '2.0',
  info: { title: 'things', version: '1' },
  parameters: { pretty: { name: 'pretty', in: 'query', type: 'string', uniqueItems: true } },
  paths: {
    [collection]: {
      post: {
        operationId: 'createThing',
        consumes: ['*/*'],
        produces: ['application/json', 'application/yaml'],
        parameters: [
          { name: 'body', in: 'body', required: true, schema: refTo('Thing') },
          { name: 'X-Why', in: 'header', type: 'string' },
        ],
        responses: { 200: { description: 'OK', schema: refTo('Thing') }, 401: { description: 'Unauthorized' } },
        'x-kubernetes-action': 'post',
      },
      parameters: [{ name: 'namespace', in: 'path', required: true, type: 'string' }, { $ref: '#/parameters/pretty' }],
    },
    '/apis/other.example.com/v1/others': { get: { responses: {} } },
  },
  definitions: {
    Thing: { type: 'object', properties: { spec: refTo('Spec') }, 'x-kubernetes-group-version-kind': kind },
    Spec: { type: 'object', properties: { size: { type: 'integer', format: 'int32' } } },
    Unused: { type: 'string' },
  },
};

const schemaOfThing = { $ref: '#/components/schemas/Thing' };

async function binary({ url, token, ca }: Target, path: string, version: 2 | 3): Promise<Uint8Array> {
  const accept = `application/com.github.proto-openapi.spec.v${version}@v1.0+protobuf`;
  const headers = { authorization: `Bearer ${token}`, accept };
  const answer = await agentOf({ url, token, ca }).request({ origin: url, path, method: 'GET', headers });
  assert.equal(answer.statusCode, 200);
  return new Uint8Array(await answer.body.arrayBuffer());
}

describe('an aggregated server that describes itself in version 2 of OpenAPI alone', () => {
  let world: AggregatedWorld;
  before(async () => {
    world = await startAggregatedWorld();
    world.at('/openapi/v2', (_, response) => response.end(JSON.stringify(document)));
    await world.serve(group);
  });
  after(() => world[Symbol.asyncDispose]());

  /** The address of its document in the index of version 3. */
  async function address(): Promise<string> {
    const { body } = await request(world.server, 'GET', '/openapi/v3');
    return stringAt(objectAt(body as JsonObject, 'paths', `apis/${group}/v1`), 'serverRelativeURL');
  }

  it('has a document of version 3, with bodies and references as there', async () => {
    const url = await address();
    const { status, body, headers } = await request(world.server, 'GET', url);
    assert.equal(status, 200);
    assert.equal(headers['cache-control'], 'public, immutable');
    const { paths, components } = body as { paths: JsonObject; components: JsonObject };
    const content = (...types: string[]) => Object.fromEntries(types.map((type) => [type, { schema: schemaOfThing }]));
    const answered = { description: 'OK', content: content('application/json', 'application/yaml') };
    assert.deepEqual(paths, {
      [collection]: {
        post: {
          operationId: 'createThing',
          'x-kubernetes-action': 'post',
          parameters: [{ name: 'X-Why', in: 'header', schema: { type: 'string' } }],
          requestBody: { required: true, content: content('*/*') },
          responses: { 200: answered, 401: { description: 'Unauthorized' } },
        },
        parameters: [
          { name: 'namespace', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'pretty', in: 'query', schema: { type: 'string', uniqueItems: true } },
        ],
      },
    });
    const spec = { $ref: '#/components/schemas/Spec' };
    assert.deepEqual(components['schemas'], {
      Spec: { type: 'object', properties: { size: { type: 'integer', format: 'int32' } } },
      Thing: { type: 'object', properties: { spec }, 'x-kubernetes-group-version-kind': kind },
    });
    assert.ok(!world.seen.some(({ url: asked }) => asked.startsWith('/openapi/v3/')), 'its server is not asked for it');
  });

  it('has that document in Protobuf', async () => {
    const { paths, components } = fromBinary(Version3Schema, await binary(world.server, await address(), 3));
    const [item] = paths?.path ?? [];
    assert.equal(item?.name, collection);
    assert.equal(item.value?.post?.operationId, 'createThing');
    assert.equal(item.value.parameters.length, 2);
    const names = components?.schemas?.additionalProperties.map(({ name }) => name);
    assert.deepEqual(names, ['Spec', 'Thing']);
  });

  it('leaves its address for the present one if another is asked for', async () => {
    const { status, headers } = await request(world.server, 'GET', `/openapi/v3/apis/${group}/v1?hash=0`);
    assert.deepEqual([status, headers['location']], [301, await address()]);
  });

  it('has its paths in version 2 in Protobuf, too', async () => {
    const { paths, definitions } = fromBinary(Version2Schema, await binary(world.server, '/openapi/v2', 2));
    const item = paths?.path.find(({ name }) => name === collection)?.value;
    assert.equal(item?.parameters.length, 2);
    const { post } = item;
    assert.deepEqual(post?.produces, ['application/json', 'application/yaml']);
    assert.deepEqual(
      post.parameters.map(({ parameter }) => parameter?.bodyParameter?.schema?.ref),
      ['#/definitions/Thing'],
    );
    assert.deepEqual(
      post.responses?.responseCode.map(({ name }) => name),
      ['200', '401'],
    );
    assert.ok(definitions?.additionalProperties.some(({ name }) => name === 'Thing'));
    assert.ok(!paths?.path.some(({ name }) => name.includes('other.example.com')));
  });
});
