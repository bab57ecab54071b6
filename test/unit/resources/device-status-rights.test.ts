import assert from 'node:assert/strict';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import type { RequestScope } from '../../../src/registry/definition/registry.ts';
import { statusRightsRule } from '../../../src/resources/rules/devices/status-rights.ts';

const identifiers = identifiersOf('kubernetes');
const account = 'system:serviceaccount:drivers:gpu';

function claimOn(nodes: readonly string[], device: string): JsonObject {
  const matchFields = [{ key: 'metadata.name', operator: 'In', values: [...nodes] }];
  return {
    metadata: { name: 'c' },
    spec: { devices: {} },
    status: {
      allocation: { devices: {}, nodeSelector: { nodeSelectorTerms: [{ matchFields }] } },
      devices: [{ driver: 'gpu.example.com', pool: 'n', device }],
    },
  };
}

/** The verbs that are asked for when a driver on the node `n` writes the state of a device. */
async function asked(
  nodes: readonly string[],
  allowed: string,
  username = account,
  old = claimOn(nodes, 'a'),
): Promise<readonly string[]> {
  const verbs: string[] = [];
  const rule = statusRightsRule(async ({ verb, subresource, name }) => {
    assert.equal(`${subresource}/${name}`, 'driver/gpu.example.com');
    verbs.push(verb);
    return { isAllowed: verb === allowed, reason: 'no rule' };
  });
  const user = { username, uid: '', groups: [], extra: { 'authentication.kubernetes.io/node-name': ['n'] } };
  const emulated = { release: '1.36', isFeatureEnabled: () => true };
  const place = { group: 'resource.k8s.io', version: 'v1', namespace: 'd', name: 'c', subresource: 'status' };
  const scope = { identifiers, user, emulated, verb: 'update', ...place } as unknown as RequestScope;
  const errors = await rule(claimOn(nodes, 'b'), old, scope);
  return [...verbs, ...errors.map(({ message }) => message)];
}

describe('rights on the state of devices', () => {
  const of = (verbs: string, what: string) =>
    `Forbidden: changing status.devices requires resource="resourceclaims/driver", verb="[${verbs}]" permission: ${what}`;
  const refusal = (verb: string, username = account) =>
    'resourceclaims.resource.k8s.io "gpu.example.com" is forbidden: ' +
    `User "${username}" cannot ${verb} resource "resourceclaims/driver" in API group "resource.k8s.io" ` +
    'in the namespace "d": no rule';

  it('are for the node of the driver first, and then for all nodes', async () => {
    assert.deepEqual(await asked(['n'], 'associated-node:update'), ['associated-node:update']);
    const both = ['associated-node:update', 'arbitrary-node:update'];
    assert.deepEqual(await asked(['n'], 'arbitrary-node:update'), both);
    assert.deepEqual(await asked(['n'], ''), [...both, of(both.join(' '), refusal('associated-node:update'))]);
  });

  it('are not checked when more drivers change than a valid write can affect', async () => {
    const claim = claimOn(['n'], 'a');
    const devices = Array.from({ length: 65 }, (_, index) => ({
      driver: `d${index}.example.com`,
      pool: 'n',
      device: 'a',
    }));
    const many = { ...claim, status: { ...(claim['status'] as JsonObject), devices } };
    assert.deepEqual(
      [...new Set(await asked(['n'], '', account, many))],
      [of('associated-node:update arbitrary-node:update', 'more than 64 drivers')],
    );
  });

  it('are for all nodes if the claim is on another node, on several, or the user is no service account', async () => {
    const verb = 'arbitrary-node:update';
    for (const [nodes, user] of [[['m']], [['n', 'm']], [['n'], 'jane']] as const) {
      assert.deepEqual(await asked(nodes, '', user), [verb, of(verb, refusal(verb, user))]);
    }
  });
});
