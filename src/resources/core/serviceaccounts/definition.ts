import type { ServiceAccount } from '../../../gen/stored/core-v1.ts';
import { builtIn } from '../../built-in.ts';
import { ageColumn, nameColumn, textColumn } from '../../columns/column.ts';
import { token } from '../../subresources.ts';

/**
 * The resource `serviceaccounts` of the core group. An update needs a resourceVersion, because
 * several clients add secrets.
 */
export const serviceAccounts = builtIn<ServiceAccount>({
  group: '',
  resource: 'serviceaccounts',
  kind: 'ServiceAccount',
  namespaced: true,
  versions: { v1: {} },
  shortNames: ['sa'],
  subresources: [token],
  columns: [
    nameColumn,
    {
      ...textColumn<ServiceAccount>(
        'Secrets',
        'Number of secrets that pods of the account may use.',
        ({ secrets = [] }) => secrets.length,
      ),
      until: '1.34',
    },
    ageColumn,
  ],
  strategy: {
    returnsDeletedObject: true,
    prepareForCreate: keepNamesOfSecrets,
    prepareForUpdate: keepNamesOfSecrets,
    subresources: { token: { optionalName: true } },
  },
});

/**
 * Reduces references to secrets to their names. Secrets are in the namespace of the account.
 * Mutates.
 */
function keepNamesOfSecrets(account: ServiceAccount): void {
  const { secrets } = account;
  if (secrets) account.secrets = secrets.map(({ name: secret }) => (secret === undefined ? {} : { name: secret }));
}
