import assert from 'node:assert/strict';
import { builtInResources } from '../../../src/client/built-in-resources.ts';
import { SharedInformer } from '../../../src/client/informers/shared-informer.ts';
import { followDeletedTokens } from '../../../src/controllers/serviceaccount-token/deleted-tokens.ts';
import { reconcileAccount } from '../../../src/controllers/serviceaccount-token/reconcile-account.ts';
import { reconcileSecret } from '../../../src/controllers/serviceaccount-token/reconcile-secret.ts';
import { tokenSecrets } from '../../../src/controllers/serviceaccount-token/token-secret.ts';
import type { Secret, ServiceAccount } from '../../../src/gen/types/core-v1.ts';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';

const names = tokenSecrets(identifiersOf('cluster'));
const account: ServiceAccount = { metadata: { name: 'robot', namespace: 'a', uid: 'u' } };
const content = { rootCa: 'CA', sign: () => Promise.resolve('signed') };
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const data = { 'ca.crt': base64('CA'), namespace: base64('a'), token: base64('signed') };

describe('Secrets with tokens of service accounts', () => {
  it('are created with the token, before the account names them', async () => {
    const written: (Secret | ServiceAccount)[] = [];
    const write = <Written extends Secret | ServiceAccount>(object: Written): Promise<Written> => {
      written.push(object);
      return Promise.resolve(object);
    };
    await reconcileAccount(account, {
      ...content,
      names,
      isToken: () => Promise.resolve(false),
      isDeleted: () => false,
      create: write,
      update: write,
      remove: () => Promise.reject(new Error('not expected')),
    });
    const [secret, named] = written as [Secret, ServiceAccount];
    assert.deepEqual(secret.data, data);
    assert.deepEqual(named.secrets, [{ name: secret.metadata?.name }]);
  });

  it('are not written for the uid of the account alone', async () => {
    const annotations = { 'cluster.io/service-account.name': 'robot' };
    const secret: Secret = { metadata: { name: 's', namespace: 'a', annotations }, type: names.type, data };
    await reconcileSecret(secret, {
      ...content,
      names,
      account: () => Promise.resolve(account),
      update: () => Promise.reject(new Error('not expected')),
      remove: () => Promise.reject(new Error('not expected')),
    });
  });

  describe('that were deleted', () => {
    const secret: Secret = {
      metadata: { name: 's', namespace: 'a', annotations: { 'cluster.io/service-account.name': 'robot' } },
      type: names.type,
    };
    const { secrets, serviceaccounts } = builtInResources('cluster');
    function follow() {
      const { signal } = new AbortController();
      const fail = (error: unknown): never => {
        throw error;
      };
      const tokens = new SharedInformer<Secret>(secrets, fail, signal);
      const accounts = new SharedInformer<ServiceAccount>(serviceaccounts, fail, signal);
      accounts.put(account);
      accounts.progress('1');
      tokens.put(structuredClone(secret));
      return { tokens, accounts, isDeleted: followDeletedTokens({ tokens, accounts, names }, signal) };
    }

    it('are known until they exist again', () => {
      const { tokens, isDeleted } = follow();
      assert.equal(isDeleted(account, 's'), false);
      tokens.remove(secret, true);
      assert.equal(isDeleted(account, 's'), true);
      tokens.put(structuredClone(secret));
      assert.equal(isDeleted(account, 's'), false);
    });

    it('after or before their account are nothing that a later account of its name has lost', () => {
      for (const order of ['account first', 'Secret first']) {
        const { tokens, accounts, isDeleted } = follow();
        if (order === 'Secret first') tokens.remove(secret, true);
        accounts.remove(account, true);
        tokens.remove(secret, true);
        accounts.put({ metadata: { ...account.metadata, uid: 'v' } });
        assert.equal(isDeleted(account, 's'), false, order);
      }
    });
  });
});
