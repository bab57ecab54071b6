import assert from 'node:assert/strict';
import { startServer } from '../../../src/testing/index.ts';
import { type HttpResponse, request } from '../http-client.ts';
import { startRelease, valuesOf } from '../releases/release-server.ts';
import { until } from '../until.ts';
import { create, messageOf, policyRule, writeMap } from './policy-world.ts';

const policies = '/apis/admissionregistration.cl.io/v1/validatingadmissionpolicies';
const merge = { 'content-type': 'application/merge-patch+json' };
const newer = 'semver("1.2.3").major() == 1';

function specOf(...expressions: readonly string[]): object {
  return {
    matchConstraints: { resourceRules: [policyRule(['configmaps'])] },
    validations: expressions.map((expression) => ({ expression })),
  };
}

describe('the expressions of a policy', () => {
  it('may use the functions of the release before the emulated one, as those of webhooks', async () => {
    await using server = await startServer({ emulatedRelease: '1.33' });
    const refused = await request(server, 'POST', policies, { metadata: { name: 'p' }, spec: specOf(newer) });
    assert.match(messageOf(refused), /undeclared reference to 'semver'/);
    const webhook = {
      name: 'w.example.com',
      clientConfig: { url: 'https://127.0.0.1:1' },
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      matchConditions: [{ name: 'a', expression: newer }],
    };
    const configurations = '/apis/admissionregistration.cl.io/v1/validatingwebhookconfigurations';
    const hooks = await request(server, 'POST', configurations, { metadata: { name: 'w' }, webhooks: [webhook] });
    assert.match(messageOf(hooks), /undeclared reference to 'semver'/);
    await using later = await startServer({ emulatedRelease: '1.34' });
    await create(later, policies, { metadata: { name: 'p' }, spec: specOf(newer) });
    const patches = 'jsonpatch.escapeKey("a/b") == "a"';
    const other = await request(later, 'POST', policies, { metadata: { name: 'q' }, spec: specOf(patches) });
    assert.equal(other.status, 422);
  });

  it('may stay as they are under a release that no longer takes them, also where others change', async () => {
    const options = { runtimeConfig: ['api/all=true'] };
    await using later = await startRelease('1.34', [], options);
    const spec = specOf(`!(${newer})`);
    await create(later.server, policies, { metadata: { name: 'p' }, spec });
    await create(later.server, policies.replace('policies', 'policybindings'), {
      metadata: { name: 'b' },
      spec: { policyName: 'p', validationActions: ['Deny'] },
    });
    await using earlier = await startRelease('1.33', await valuesOf(later.store), options);
    const change = (changes: object): Promise<HttpResponse> =>
      request(earlier.server, 'PATCH', `${policies}/p`, { spec: changes }, merge);
    const kept = await change({ failurePolicy: 'Ignore' });
    assert.equal(kept.status, 200, kept.text);
    await until('the stored expression decides', async () => (await writeMap(earlier.server, 'x')).status === 422);
    const changed = await change({ validations: [{ expression: newer }] });
    assert.match(messageOf(changed), /undeclared reference to 'semver'/);
  });
});
