import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import type { Strategy } from '../../../src/registry/definition/strategy.ts';
import { strategy as typed } from '../../../src/resources/certificates/certificatesigningrequests/strategy.ts';
import { certificateRequest } from '../../http/minimal-objects.ts';
import { context, summarize } from './context.ts';

/** The objects here have only the parts that a hook reads. */
const strategy = typed as unknown as Strategy;
const pem = certificateRequest();
const approved = { type: 'Approved', status: 'True' };
const denied = { type: 'Denied', status: 'True' };

async function createErrors(spec: JsonObject, version = 'v1'): Promise<string[]> {
  const request = { spec: { request: pem, signerName: 'example.com/s', usages: ['client auth'], ...spec } };
  return summarize((await strategy.validateCreate?.(request, { ...context, version })) ?? []);
}

/** Runs a write of a status through a sub-resource; answers what it became, or what is wrong with it. */
function write(
  subresource: 'approval' | 'status',
  status: JsonObject,
  old: JsonObject = {},
  version = 'v1',
): JsonObject | string[] {
  const request: JsonObject = { spec: { forged: true }, status: structuredClone(status) };
  const before: JsonObject = { spec: { request: pem }, status: old };
  const hooks = strategy.subresources?.[subresource];
  hooks?.prepareForUpdate?.(request, before, context);
  const errors = hooks?.validateUpdate?.(request, before, { ...context, version }) ?? [];
  return errors.length > 0 ? summarize(errors) : request;
}

describe('certificate signing requests (spec 2.5, section 7)', () => {
  it('stamps the user, whatever the client wrote, and empties the status', () => {
    const request: JsonObject = {
      spec: { username: 'liar', uid: 'x', groups: ['system:masters'], extra: { a: ['b'] } },
      status: { certificate: 'eA==' },
    };
    strategy.prepareForCreate?.(request, context);
    assert.deepEqual(request, {
      spec: { username: 'jane', uid: 'u1', groups: ['staff'], extra: { colour: ['blue'] } },
      status: {},
    });
  });

  it('keeps spec and status on updates', () => {
    const old: JsonObject = { spec: { a: 1 }, status: { conditions: [approved] } };
    const request: JsonObject = { spec: { a: 2 }, status: {} };
    strategy.prepareForUpdate?.(request, old, context);
    assert.deepEqual(request, old);
  });

  const specs: readonly (readonly [title: string, spec: JsonObject, errors: string[]])[] = [
    ['a good request', {}, []],
    ['no PEM', { request: 'aGVsbG8=' }, ['spec.request: Invalid']],
    ['no request', { request: '' }, ['spec.request: Invalid']],
    ['no signer', { signerName: '' }, ['spec.signerName: Required']],
    ['a signer without domain', { signerName: 'signer' }, ['spec.signerName: Invalid']],
    ['a signer of one label', { signerName: 'example/signer' }, ['spec.signerName: Invalid']],
    ['the legacy signer', { signerName: 'cluster.io/legacy-unknown' }, ['spec.signerName: Invalid']],
    ['no usages', { usages: [] }, ['spec.usages: Required']],
    ['an unknown usage', { usages: ['nonsense'] }, ['spec.usages[0]: NotSupported']],
    ['a usage twice', { usages: ['any', 'any'] }, ['spec.usages[1]: Duplicate']],
  ];
  for (const [title, spec, errors] of specs) {
    it(`${title}: ${errors.join(', ') || 'fine'}`, async () => assert.deepEqual(await createErrors(spec), errors));
  }

  it('refuses a request that its key did not sign', async () => {
    const text = Buffer.from(pem, 'base64').toString();
    const der = Buffer.from(text.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64');
    const subject = der.indexOf('jane');
    der.write('jack', subject);
    const forged = `-----BEGIN CERTIFICATE REQUEST-----\n${der.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;
    const request = {
      spec: { request: Buffer.from(forged).toString('base64'), signerName: 'example.com/s', usages: ['any'] },
    };
    const [error] = (await strategy.validateCreate?.(request, context)) ?? [];
    assert.match(error?.message ?? '', /not signed by its key/);
  });

  it('fills in for v1beta1 what v1 asks for', async () => {
    const request: JsonObject = { spec: { request: pem } };
    strategy.default?.(request, { ...context, version: 'v1beta1' });
    assert.deepEqual(request['spec'], {
      request: pem,
      usages: ['digital signature', 'key encipherment'],
    });
    assert.deepEqual(
      await createErrors({ signerName: 'cluster.io/legacy-unknown', usages: ['x', 'x'] }, 'v1beta1'),
      [],
    );
  });

  it('takes an approval with its times, and neither spec nor certificate with it', () => {
    const request = write('approval', { conditions: [approved], certificate: 'eA==' });
    assert.ok(!Array.isArray(request), JSON.stringify(request));
    assert.deepEqual(request['spec'], { request: pem });
    const { conditions, certificate } = request['status'] as JsonObject;
    assert.equal(certificate, undefined);
    assert.match(JSON.stringify(conditions), /"lastUpdateTime":"20.*"lastTransitionTime":"20/);
  });

  const decisions: readonly (readonly [title: string, status: JsonObject, old: JsonObject, errors: string[]])[] = [
    ['both decisions', { conditions: [approved, denied] }, {}, ['status.conditions[1].type: Invalid']],
    ['a condition twice', { conditions: [approved, approved] }, {}, ['status.conditions[1].type: Duplicate']],
    ['no status', { conditions: [{ type: 'Other' }] }, {}, ['status.conditions[0].status: Required']],
    [
      'an approval that is false',
      { conditions: [{ type: 'Approved', status: 'False' }] },
      {},
      ['status.conditions[0].status: NotSupported'],
    ],
    ['a decision taken back', { conditions: [] }, { conditions: [approved] }, ['status.conditions: Forbidden']],
  ];
  for (const [title, status, old, errors] of decisions) {
    it(`${title}: ${errors.join(', ')}`, () => assert.deepEqual(write('approval', status, old), errors));
  }

  it('lets a signer neither approve nor write anything but certificates', () => {
    assert.deepEqual(write('status', { conditions: [approved] }), ['status.conditions: Forbidden']);
    assert.deepEqual(write('status', { certificate: 'aGVsbG8=' }), ['status.certificate: Invalid']);
    assert.deepEqual(write('status', { certificate: pem }), ['status.certificate: Invalid']);
  });

  it('takes any certificate of a signer in v1beta1', () => {
    assert.ok(!Array.isArray(write('status', { certificate: 'aGVsbG8=' }, {}, 'v1beta1')));
  });

  it('takes conditions without a type, and two of one type, in v1beta1 or where the old request has such', () => {
    const [odd, other] = [
      { type: '', status: 'True' },
      { type: 'Odd', status: 'True' },
    ];
    const conditions = [odd, odd, other, other];
    assert.deepEqual(write('status', { conditions }), [
      'status.conditions[0].type: Required',
      'status.conditions[1].type: Required',
      'status.conditions[1].type: Duplicate',
      'status.conditions[3].type: Duplicate',
    ]);
    assert.ok(!Array.isArray(write('status', { conditions }, {}, 'v1beta1')));
    assert.ok(!Array.isArray(write('status', { conditions }, { conditions })));
    assert.deepEqual(write('status', { conditions: [{}] }, {}, 'v1beta1'), ['status.conditions[0].status: Required']);
  });

  it('keeps a certificate that was issued', () => {
    assert.deepEqual(write('status', { certificate: '' }, { certificate: 'eA==' }), ['status.certificate: Forbidden']);
  });

  it('keep the certificate that they have, which only a signer of v1beta1 takes back', () => {
    const issued = { certificate: 'eA==' };
    assert.deepEqual(write('status', {}, issued), ['status.certificate: Forbidden']);
    assert.deepEqual(write('status', {}, issued, 'v1beta1'), { spec: { request: pem }, status: {} });
  });
});
