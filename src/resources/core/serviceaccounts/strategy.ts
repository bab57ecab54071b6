import type { ResourceDefinition } from '../../../registry/strategy.ts';

/** Service accounts. Two writers add secrets to them, so an update must say what it saw. */
export const definition: ResourceDefinition = {
  group: '',
  resource: 'serviceaccounts',
  strategy: { returnsDeletedObject: true },
};
