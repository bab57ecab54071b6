import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { secrets } from '../../../src/resources/core/secrets/definition.ts';
import { schemaOf } from '../../../src/scheme/schema-of.ts';
import { validateSchema } from '../../../src/scheme/validate-schema.ts';
import { context, summarize } from './context.ts';

const { strategy } = secrets(context.identifiers);
const eA = 'eA==';

function errorsOf(secret: JsonObject): string[] {
  return updateErrorsOf(secret);
}

function updateErrorsOf(secret: JsonObject, old?: JsonObject): string[] {
  const complete = { metadata: {}, ...secret };
  return summarize([
    ...validateSchema(schemaOf('api.core.v1.Secret'), complete),
    ...(strategy.validate?.(complete, context, old) ?? []),
    ...((old && strategy.validateUpdate?.(complete, old, context)) ?? []),
  ]);
}

function ofSize(bytes: number): JsonObject {
  return { data: { a: Buffer.alloc(bytes).toString('base64') } };
}

describe('secrets', () => {
  it('merges stringData over data and drops it', () => {
    const secret: JsonObject = { data: { a: 'eA==', b: 'eQ==' }, stringData: { b: 'z', c: '' } };
    strategy.default?.(secret, context);
    assert.deepEqual(secret, { data: { a: 'eA==', b: 'eg==', c: '' } });
  });

  it('keeps a key __proto__ as data', () => {
    const secret = JSON.parse('{"stringData":{"__proto__":"p"}}') as JsonObject;
    strategy.default?.(secret, context);
    assert.deepEqual(Object.keys(secret['data'] ?? {}), ['__proto__']);
    assert.equal(({} as JsonObject)['p'], undefined);
  });

  const badKeys = ['a b', '', '.', '..', '..a', 'a/b', 'ä', 'a'.repeat(254)];
  for (const key of badKeys) {
    it(`refuses the key ${JSON.stringify(key.slice(0, 8))}`, () => {
      assert.ok(errorsOf({ data: { [key]: eA } }).length > 0);
    });
  }

  it('takes what is a file name', () => {
    assert.deepEqual(errorsOf({ data: { 'a.B-c_9': eA, '.a': eA } }), []);
  });

  it('refuses values that together reach the limit, and takes one byte less', () => {
    assert.deepEqual(errorsOf(ofSize(1_048_576)), ['data: TooLong']);
    assert.deepEqual(errorsOf(ofSize(1_048_575)), []);
  });

  const types: readonly (readonly [type: string, secret: JsonObject, errors: string[]])[] = [
    ['tls', {}, ['data[tls.crt]: Required', 'data[tls.key]: Required']],
    ['tls', { data: { 'tls.crt': '', 'tls.key': '' } }, []],
    ['basic-auth', {}, ['data[%s][username]: Required', 'data[%s][password]: Required']],
    ['basic-auth', { data: { password: eA } }, []],
    ['ssh-auth', { data: { 'ssh-privatekey': '' } }, ['data[%s][ssh-privatekey]: Required']],
    ['dockercfg', {}, ['data[.dockercfg]: Required']],
    ['dockercfg', { data: { '.dockercfg': eA } }, ['data[.dockercfg]: Invalid']],
    ['dockerconfigjson', { data: { '.dockerconfigjson': 'e30=' } }, []],
    ['service-account-token', {}, ['metadata.annotations[cluster.io/service-account.name]: Required']],
    ['service-account-token', { metadata: { annotations: { 'cluster.io/service-account.name': 's' } } }, []],
  ];
  for (const [type, secret, errors] of types) {
    it(`of type ${type} with ${JSON.stringify(secret)}: ${errors.length === 0 ? 'fine' : errors.join(', ')}`, () => {
      assert.deepEqual(errorsOf({ ...secret, type: `cluster.io/${type}` }), errors);
    });
  }

  it('never shows a value that is not JSON', () => {
    const secret: JsonObject = { metadata: {}, type: 'cluster.io/dockercfg', data: { '.dockercfg': 'c2VjcmV0' } };
    const [error] = strategy.validate?.(secret, context) ?? [];
    assert.doesNotMatch(error?.message ?? 'secret', /c2VjcmV0|secret!/);
    assert.match(error?.message ?? '', /redacted/);
  });

  it('keeps type, and everything but metadata once it is immutable', () => {
    assert.deepEqual(updateErrorsOf({ type: 'b' }, { type: 'a' }), ['type: Invalid']);
    const old: JsonObject = { type: 'a', immutable: true, data: { a: eA } };
    assert.deepEqual(updateErrorsOf({ ...old, metadata: { labels: {} } }, old), []);
    assert.deepEqual(updateErrorsOf({ ...old, data: {} }, old), ['data: Forbidden']);
    assert.deepEqual(updateErrorsOf({ type: 'a', data: { a: eA } }, old), ['immutable: Forbidden']);
  });
});
