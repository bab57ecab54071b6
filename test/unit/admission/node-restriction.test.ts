import { nodeRestriction } from '../../../src/admission/plugins/node-restriction/node-restriction.ts';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { admit, assertForbidden, identifiers, listerOf, writeOf } from './attributes.ts';
import { pluginContext } from './plugin-context.ts';

const user = { username: 'system:node:n1', uid: '', groups: ['system:nodes'], extra: {} };
const pod = (name: string, nodeName: string): JsonObject => ({ metadata: { name, uid: name }, spec: { nodeName } });

const plugin = nodeRestriction(
  pluginContext({
    identifiers,
    listerOf: listerOf('pods.', pod('mine', 'n1'), pod('theirs', 'n2')),
    emulated: { release: '1.23', forwardCompatible: false, isFeatureEnabled: () => false },
  }),
);

/** A request of the node n1 for a token that is bound to an object. */
const requestOf = (boundObjectRef: JsonObject | undefined) => {
  const object: JsonObject = { metadata: { name: '' }, spec: boundObjectRef ? { boundObjectRef } : {} };
  return writeOf('serviceaccounts', object, { name: 'robot', subresource: 'token', user });
};
const bound = (fields: JsonObject): JsonObject => ({ apiVersion: 'v1', kind: 'Pod', ...fields });

const refused: readonly (readonly [reference: JsonObject | undefined, why: string])[] = [
  [undefined, 'node requested token not bound to a pod'],
  [{ apiVersion: 'v1', kind: 'Secret', name: 'mine' }, 'node requested token not bound to a pod'],
  [bound({ uid: 'mine' }), 'node requested token not bound to a pod'],
  [bound({ name: 'mine' }), 'node requested token with a pod binding without a uid'],
  [
    bound({ name: 'mine', uid: 'old' }),
    'the UID in the bound object reference (old) does not match the UID in record (mine). ' +
      'The object might have been deleted and then recreated',
  ],
  [bound({ name: 'theirs', uid: 'theirs' }), 'node requested token bound to a pod scheduled on a different node'],
];

describe('NodeRestriction', () => {
  for (const [reference, why] of refused) {
    it(`refuses a token for ${JSON.stringify(reference)}`, () =>
      assertForbidden(plugin, requestOf(reference), `serviceaccounts "robot" is forbidden: ${why}`));
  }

  it('allows a token for a pod of the node', async () => {
    await admit(plugin, requestOf(bound({ name: 'mine', uid: 'mine' })));
  });
});
