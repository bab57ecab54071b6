import assert from 'node:assert/strict';
import { nodeRestriction } from '../../../src/admission/plugins/node-restriction/node-restriction.ts';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import type { ListerOf } from '../../../src/meta/lister.ts';
import { StatusError } from '../../../src/status/status-error.ts';
import { admit, assertForbidden, identifiers, listerOf, writeOf } from './attributes.ts';
import { pluginContext } from './plugin-context.ts';

const user = { username: 'system:node:n1', uid: '', groups: ['system:nodes'], extra: {} };
const named = (name: string, spec: JsonObject = {}, annotations: JsonObject = {}): JsonObject => ({
  metadata: { name, uid: `${name}-uid`, annotations },
  spec,
});

const known: Readonly<Record<string, ListerOf>> = {
  pods: listerOf(
    'pods.',
    named('mine', { nodeName: 'n1', serviceAccountName: 'robot' }),
    named('theirs', { nodeName: 'n2', serviceAccountName: 'robot' }),
    named('mirror', { nodeName: 'n1' }, { 'kubernetes.io/config.mirror': 'x' }),
  ),
  nodes: listerOf('nodes.', named('n1')),
  serviceaccounts: listerOf('serviceaccounts.', named('robot'), named('other')),
};

const plugin = nodeRestriction(
  pluginContext({
    identifiers,
    emulated: {
      release: '1.35',
      forwardCompatible: false,
      isFeatureEnabled: (gate) => gate === 'PodCertificateRequest',
    },
    listerOf: (request) => (known[request.resource] ?? listerOf(''))(request),
  }),
);

/** A request of the node n1 for a certificate of a pod of the account robot. */
const requestOf = (spec: Readonly<Record<string, string>>, rest: Parameters<typeof writeOf>[2] = {}) => {
  const object: JsonObject = {
    metadata: { name: 'asked' },
    spec: {
      podName: 'mine',
      podUID: `${spec.podName ?? 'mine'}-uid`,
      nodeName: 'n1',
      nodeUID: 'n1-uid',
      serviceAccountName: 'robot',
      serviceAccountUID: 'robot-uid',
      ...spec,
    },
  };
  return writeOf(`podcertificaterequests.certificates.${identifiers.apiDomain}`, object, { user, ...rest });
};

const refused: readonly (readonly [spec: Readonly<Record<string, string>>, why: string])[] = [
  [{ nodeName: 'n2' }, 'PodCertificateRequest.Spec.NodeName="n2", which is not the requesting node "n1"'],
  [{ podName: 'theirs' }, 'pod "ns/theirs" is not running on node "n1" named in the PodCertificateRequest'],
  [{ podName: 'mirror' }, 'pod "ns/mirror" is a mirror pod'],
  [
    { serviceAccountName: 'other' },
    'PodCertificateRequest for pod "ns/mine" contains serviceAccountName ("other") that differs from running pod ("robot")',
  ],
];

const unknown: readonly Readonly<Record<string, string>>[] = [
  { nodeUID: 'x' },
  { podUID: 'x' },
  { podName: 'gone' },
  { serviceAccountUID: 'x' },
];

describe('NodeRestriction of PodCertificateRequests', () => {
  it('admits one for a pod that the node runs', async () => {
    await admit(plugin, requestOf({}));
  });
  for (const [spec, why] of refused) {
    it(`refuses ${JSON.stringify(spec)}`, async () => {
      await assertForbidden(
        plugin,
        requestOf(spec),
        `podcertificaterequests.certificates.${identifiers.apiDomain} "asked" is forbidden: ${why}`,
      );
    });
  }
  for (const spec of unknown) {
    it(`lets the node repeat ${JSON.stringify(spec)}`, async () => {
      await assert.rejects(
        admit(plugin, requestOf(spec)),
        (error) => error instanceof StatusError && error.reason === 'InternalError',
      );
    });
  }
  it('refuses changes', async () => {
    await assertForbidden(
      plugin,
      requestOf({}, { operation: 'UPDATE' }),
      `podcertificaterequests.certificates.${identifiers.apiDomain} "asked" is forbidden: unexpected operation UPDATE`,
    );
  });
});
