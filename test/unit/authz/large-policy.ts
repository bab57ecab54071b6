import { RbacIndex } from '../../../src/authz/rbac/rbac-index.ts';
import { attributes, user } from './attributes.ts';

const roles = 1_000;
const bindings = 5_000;

/** An index of 1,000 roles with ten rules each, and 5,000 bindings to 250 groups and 500 users. */
export function largePolicy(): RbacIndex {
  const index = new RbacIndex();
  const rule = { verbs: ['get', 'list', 'watch'], resourceNames: [], nonResourceURLs: [] };
  for (let role = 0; role < roles; role++) {
    const rules = Array.from({ length: 10 }, (_, number) => ({
      ...rule,
      apiGroups: ['', `group${number}.example.com`],
      resources: [`kind${role % 50}-${number}`, `other${number}`, `more${number}/status`],
    }));
    index.setRole('', `role${role}`, rules);
  }
  index.setRole('', 'pods', [{ ...rule, apiGroups: [''], resources: ['pods'] }]);
  for (let number = 0; number < bindings; number++) bind(index, `role${number % roles}`, number);
  bind(index, 'pods', last);
  return index;
}

/** The binding by which the last group of `wellBound` may get pods. */
const last = bindings + 9;

function bind(index: RbacIndex, role: string, number: number): void {
  const name = `b${number}`;
  const subjects = [
    { kind: 'Group', namespace: '', name: `group${number % 250}` },
    { kind: 'User', namespace: '', name: `user${number % 500}` },
  ];
  const namespace = number % 2 === 0 ? `ns${number % 100}` : '';
  index.setBinding(name, { namespace, name, role: { kind: 'ClusterRole', name: role }, subjects });
}

/** A GET of a pod by a user with a hundred roles, in ten groups, of which the last one allows it. */
export const wellBound = attributes({
  user: user('user7', ...Array.from({ length: 10 }, (_, group) => `group${group}`)),
  namespace: 'ns8',
});
