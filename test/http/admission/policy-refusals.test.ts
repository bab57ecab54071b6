import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/meta/json-value.ts';
import { startServer } from '../../../src/testing/index.ts';
import { request } from '../http-client.ts';
import { messageOf, policyRule } from './policy-world.ts';

/** A resource, the path and the value of a change (undefined removes), and what kube-apiserver 1.36 says. */
type RefusalRow = readonly [resource: string, path: string, value: JsonValue | undefined, message: string];

const matchConstraints = {
  resourceRules: [policyRule(['configmaps'], { operations: ['CREATE'], apiVersions: ['v1'] })],
};
const applied = { patchType: 'ApplyConfiguration', applyConfiguration: { expression: 'Object{}' } };
const valid: Readonly<Record<string, object>> = {
  validatingadmissionpolicies: { matchConstraints, validations: [{ expression: 'true' }] },
  validatingadmissionpolicybindings: { policyName: 'v', validationActions: ['Deny'] },
  mutatingadmissionpolicies: { matchConstraints, reinvocationPolicy: 'Never', mutations: [applied] },
  mutatingadmissionpolicybindings: { policyName: 'v' },
};

describe('policies and bindings', () => {
  it('are refused in the words of kube-apiserver 1.36', async () => {
    const file = new URL('../../../../test/http/admission/policy-refusals.json', import.meta.url);
    const rows = JSON.parse(await readFile(file, 'utf8')) as readonly RefusalRow[];
    await using server = await startServer({
      emulatedRelease: '1.36',
      identifiers: 'kubernetes',
      featureGates: ['ManifestBasedAdmissionControlConfig=true'],
    });
    const group = '/apis/admissionregistration.k8s.io/v1';
    const wrong: string[] = [];
    for (const [resource, path, value, message] of rows) {
      const object = structuredClone({ metadata: { name: 'v' }, spec: valid[resource] }) as JsonObject;
      set(object, path.split('.'), value ?? undefined);
      const answer = messageOf(await request(server, 'POST', `${group}/${resource}?dryRun=All`, object));
      const found = answer.replace(/^.*? is invalid: /, '');
      if (found !== message) wrong.push(`${resource} ${path} ${JSON.stringify(value)}: ${found}`);
    }
    assert.ok(rows.length > 150);
    assert.deepEqual(wrong, []);
  });
});

function set(object: JsonObject, [name = '', ...path]: readonly string[], value: JsonValue | undefined): void {
  if (path.length === 0) {
    if (value === undefined) delete object[name];
    else object[name] = value;
    return;
  }
  const part = object[name];
  const owner: JsonObject = isJsonObject(part) ? part : {};
  object[name] = owner;
  set(owner, path, value);
}
