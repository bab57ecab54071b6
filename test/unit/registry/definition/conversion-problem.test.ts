import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../src/meta/json-value.ts';
import type { PatchRequest } from '../../../../src/registry/definition/registry.ts';
import { type Fixture, refusal, startFixture, write } from '../fixture.ts';

/** Each part of a pod's spec, and what is said of it. */
const cases: readonly (readonly [spec: JsonObject, problem: string | RegExp])[] = [
  [{ hostname: 1 }, 'cannot convert int64 to string'],
  [{ hostname: 1.5 }, 'unrecognized type: string'],
  [{ hostname: ['a'] }, 'unrecognized type: string'],
  [{ hostNetwork: 'yes' }, 'unrecognized type: bool'],
  [{ priority: 'x' }, 'unrecognized type: int32'],
  [{ priority: 1.5 }, 'cannot convert float64 to int32'],
  [{ securityContext: [] }, 'cannot restore struct from: slice'],
  [{ nodeSelector: 'a' }, 'cannot restore map from string'],
  [{ tolerations: { a: 'b' } }, 'cannot restore slice from map'],
  [{ overhead: { cpu: true } }, /^quantities must match the regular expression/],
  [{ overhead: { cpu: 'x' } }, /^quantities must match the regular expression/],
];

const patch = (type: 'strategic' | 'apply', document: JsonObject): PatchRequest => ({
  type,
  document,
  duplicateFields: [],
});

describe('registry, a patched document that is no object of its kind', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = startFixture({ builtIn: true });
    const spec = { containers: [{ name: 'c', image: 'i' }] };
    await fixture.registry('pods').create(fixture.scope(), { metadata: { name: 'a' }, spec }, write);
    await fixture.registry('configmaps').create(fixture.scope(), { metadata: { name: 'a' } }, write);
  });
  after(() => fixture.close());
  const send = (resource: string, request: PatchRequest) =>
    fixture.registry(resource).patch(fixture.scope({ name: 'a' }), request, write);

  for (const [spec, problem] of cases) {
    it(`after a strategic merge patch is refused with the patch: ${JSON.stringify(spec)}`, async () => {
      const error = await refusal(send('pods', patch('strategic', { spec })));
      const start = ` "" is invalid: patch: Invalid value: ${JSON.stringify({ spec })}: `;
      assert.equal(error.code, 422);
      assert.equal(error.message.slice(0, start.length), start);
      const message = error.message.slice(start.length);
      if (typeof problem === 'string') assert.equal(message, problem);
      else assert.match(message, problem);
    });
  }

  it('after an apply is a failure of the conversion', async () => {
    const applied = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, binaryData: { a: '!' } };
    const error = await refusal(send('configmaps', patch('apply', applied)));
    assert.equal(error.code, 500);
    assert.equal(
      error.message,
      'failed to convert new object to proper version: unable to convert unstructured object to /v1, Kind=ConfigMap: ' +
        'error decoding from json: illegal base64 data at input byte 0',
    );
  });

  it('keeps its kind, whatever a strategic merge patch says of it', async () => {
    const documents: readonly JsonObject[] = [{ kind: 'Secret' }, { apiVersion: 'v2' }, { kind: null }];
    for (const document of documents) {
      const { created } = await send('configmaps', patch('strategic', document));
      assert.equal(created, false);
    }
  });
});
