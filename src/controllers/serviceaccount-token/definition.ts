import { createPrivateKey } from 'node:crypto';
import { whenAborted } from '../../async/abort-signals.ts';
import { signJwt } from '../../authn/jwt/sign-jwt.ts';
import { signingKeyOf } from '../../authn/jwt/token-key.ts';
import { builtInResources } from '../../client/built-in-resources.ts';
import { watched } from '../../client/controllers/watch-sources.ts';
import { objectKey } from '../../client/informers/indexer.ts';
import { ignoreReasons } from '../../client/error-of-response.ts';
import type { Secret } from '../../gen/types/core-v1.ts';
import type { ControllerContext, ControllerDefinition } from '../controller-definition.ts';
import { serverMinor } from '../server-minor.ts';
import { followDeletedTokens } from './deleted-tokens.ts';
import { reconcileAccount } from './reconcile-account.ts';
import { reconcileSecret, type SecretContent } from './reconcile-secret.ts';
import { tokenClaims, tokenSecrets } from './token-secret.ts';

/** The index of Secrets by the account that their annotation names. */
const byAccount = 'account';

/** Keeps Secrets with tokens for service accounts, if it has the key that signs them. */
export const tokenController: ControllerDefinition = {
  name: 'serviceaccount-token-controller',
  alias: 'serviceaccount-token',
  async run(context: ControllerContext, signal): Promise<void> {
    const { client, informers, identifiers, options, rootCa, serviceAccountKey, controller } = context;
    if (serviceAccountKey === undefined) return whenAborted(signal);
    const key = signingKeyOf(createPrivateKey(serviceAccountKey));
    const { secrets, serviceaccounts } = builtInResources(identifiers.set);
    const names = tokenSecrets(identifiers);
    const select = { fieldSelector: `type=${names.type}` };
    const accounts = informers.informer(serviceaccounts);
    const tokens = informers.informer(secrets, select);
    const accountWriter = client.resource(serviceaccounts);
    const secretWriter = client.resource(secrets);
    tokens.addIndex(byAccount, ({ metadata }) => [objectKey(names.accountOf(metadata), metadata?.namespace)]);
    const secretsOf = (name: string, namespace = ''): readonly Secret[] =>
      tokens.byIndex(byAccount, objectKey(name, namespace));
    const isDeleted = followDeletedTokens({ tokens, accounts, names }, signal);
    const concurrency = options['concurrent-serviceaccount-token-syncs'];
    const content: SecretContent = {
      rootCa,
      sign: (secret, account) => signJwt(tokenClaims(identifiers, secret, account), key),
    };

    const ofAccounts = controller({
      concurrency,
      name: 'serviceaccount_tokens_service',
      for: serviceaccounts,
      watches: [
        watched(
          secrets,
          ({ metadata }) => [{ namespace: metadata?.namespace ?? '', name: names.accountOf(metadata) }],
          select,
        ),
      ],
      reconcile: async ({ object }) => {
        if (!object) return;
        await reconcileAccount(object, {
          ...content,
          names,
          isToken: async (name) => {
            const { namespace = '' } = object.metadata ?? {};
            const found =
              tokens.get(name, namespace) ??
              (await ignoreReasons(secretWriter.get(name, { namespace, signal }), 'NotFound'));
            return found !== undefined && names.isOf(found, object);
          },
          isDeleted: (name) => isDeleted(object, name),
          create: (secret) => secretWriter.create(secret, { signal }),
          remove: async ({ metadata: { name = '', namespace = '' } = {} }) => {
            await ignoreReasons(secretWriter.delete(name, { namespace, signal }), 'NotFound');
          },
          update: (account) => accountWriter.update(account, { signal }),
        });
      },
    });

    const ofSecrets = controller({
      concurrency,
      name: 'serviceaccount_tokens_secret',
      for: secrets,
      select,
      watches: [
        watched(serviceaccounts, ({ metadata }) =>
          secretsOf(metadata?.name ?? '', metadata?.namespace).map((secret) => ({
            namespace: secret.metadata?.namespace ?? '',
            name: secret.metadata?.name ?? '',
          })),
        ),
      ],
      reconcile: async ({ object, namespace }) => {
        if (!object) return;
        const { uid = '', resourceVersion = '' } = object.metadata ?? {};
        await reconcileSecret(object, {
          ...content,
          names,
          account: async (name) => {
            const known = accounts.get(name, namespace);
            if (known && names.isOf(object, known)) return known;
            return ignoreReasons(accountWriter.get(name, { namespace, signal }), 'NotFound');
          },
          update: (secret) => secretWriter.update(secret, { signal }),
          remove: async () => {
            const preconditions = { uid, resourceVersion };
            await ignoreReasons(
              secretWriter.delete(object.metadata?.name ?? '', { namespace, preconditions, signal }),
              'NotFound',
            );
          },
        });
      },
    });
    // Since release 1.24 accounts do not get Secrets.
    const isMade = (await serverMinor(client, signal)) < 24;
    await Promise.all([...(isMade ? [ofAccounts.run(signal)] : []), ofSecrets.run(signal)]);
  },
};
