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
    return { isAllowed: verb === allowed };
  });
  const user = { username, uid: '', groups: [], extra: { 'authentication.kubernetes.io/node-name': ['n'] } };
  const emulated = { release: '1.36', isFeatureEnabled: () => true };
  const place = { group: 'resource.k8s.io', version: 'v1', namespace: 'd', name: 'c', subresource: 'status' };
  const scope = { identifiers, user, emulated, verb: 'update', ...place } as unknown as RequestScope;
  const errors = await rule(claimOn(nodes, 'b'), old, scope);
  return [...verbs, ...errors.map(({ message }) => message)];
}

describe('rights on the state of devices', () => {
  const refused = 'Forbidden: changing status.devices requires extra permission';

  it('are for the node of the driver first, and then for all nodes', async () => {
    assert.deepEqual(await asked(['n'], 'associated-node:update'), ['associated-node:update']);
    const both = ['associated-node:update', 'arbitrary-node:update'];
    assert.deepEqual(await asked(['n'], 'arbitrary-node:update'), both);
    assert.deepEqual(await asked(['n'], ''), [...both, refused]);
  });

  it('are not asked for when more drivers change than the devices of two allocations can have', async () => {
    const claim = claimOn(['n'], 'a');
    const devices = Array.from({ length: 65 }, (_, index) => ({
      driver: `d${index}.example.com`,
      pool: 'n',
      device: 'a',
    }));
    const many = { ...claim, status: { ...(claim['status'] as JsonObject), devices } };
    assert.deepEqual([...new Set(await asked(['n'], '', account, many))], [refused]);
  });

  it('are for all nodes if the claim is on another node, on several, or the user is no service account', async () => {
    const others = [asked(['m'], ''), asked(['n', 'm'], ''), asked(['n'], '', 'jane')];
    for (const verbs of await Promise.all(others)) assert.deepEqual(verbs, ['arbitrary-node:update', refused]);
  });
});
