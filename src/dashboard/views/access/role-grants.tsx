import { PlainTable } from '../../page/plain-table.tsx';
import type { AccessQuestion } from '../../../cli/commands/access/access-question.ts';
import { readPolicy, roleGrants, subjectName } from '../../../cli/commands/access/role-grants.ts';
import { findResource } from '../../../client/find-resource.ts';
import { questionText, ruleText } from '../../page/question-text.ts';
import { fragmentOf } from '../../page/route.ts';
import { useAsync } from '../../page/use-async.ts';
import { client } from '../../server/browser-client.ts';
import type { Kinds } from '../../server/kinds.ts';

/** Subjects that are shown. */
const mostRows = 500;

interface RoleGrantsProps {
  readonly kinds: Kinds;
  readonly question: AccessQuestion;
}

/**
 * The roles and bindings that the user may read, and the kinds that are missing. Throws an error if
 * all of the roles or all of the bindings are, as there is nothing to show then.
 */
async function readReadable(kinds: Kinds, namespace: string, signal: AbortSignal) {
  const unread = new Map<string, string>();
  const policy = await readPolicy({ client, resources: kinds.all, signal }, namespace, (resource, message) =>
    unread.set(resource, message),
  );
  const isMissing = (kind: 'roles' | 'rolebindings'): boolean =>
    unread.has(`cluster${kind}`) && (namespace === '' || unread.has(kind));
  if (isMissing('roles') || isMissing('rolebindings')) {
    throw new Error(`Roles and bindings may not be read: ${[...unread.values()].join('; ')}`);
  }
  return { policy, unread: [...unread.keys()] };
}

/** The subjects whose roles allow something, with the rule, the role and the binding. */
export function RoleGrants({ kinds, question }: RoleGrantsProps) {
  const { value, error } = useAsync((signal) => readReadable(kinds, question.namespace, signal), question.namespace);
  const heading = `Who can ${questionText(question)}`;
  if (error !== undefined) return <p class="error">{error}</p>;
  if (!value) return <p class="hint">Reading roles and bindings…</p>;
  const { policy, unread } = value;
  const rows = roleGrants(question, policy).flatMap(({ binding, rule }) =>
    binding.subjects.map((subject) => ({ binding, rule, subject })),
  );
  const linkTo = (plural: string, namespace: string, name: string): string => {
    const { group = '', resource = plural } = findResource(kinds.all, plural) ?? {};
    return fragmentOf({ page: 'kind', group, resource, namespace, name });
  };
  return (
    <section aria-labelledby="grants">
      <h2 id="grants">{heading}</h2>
      <p class="hint">By the roles of the cluster. Other authorizers of the server can allow or deny more.</p>
      {unread.length > 0 && (
        <p class="notice" role="status">
          You may not list {unread.join(', ')}. Who has the right by them is not shown.
        </p>
      )}
      {rows.length === 0 && (
        <p class="nothing">
          {unread.length === 0 ? 'No role allows it to anyone.' : 'Nothing that you may read allows it to anyone.'}
        </p>
      )}
      {rows.length > 0 && (
        <div class="wide-table" tabIndex={0} role="group" aria-labelledby="grants">
          <PlainTable headings={['Subject', 'Name', 'Binding', 'Role', 'Rule']}>
            {rows.slice(0, mostRows).map(({ binding: { namespace, name, role }, rule, subject }, index) => (
              <tr key={index}>
                <td>{subject.kind}</td>
                <td>{subjectName(subject, namespace)}</td>
                <td>
                  <a href={linkTo(namespace === '' ? 'clusterrolebindings' : 'rolebindings', namespace, name)}>
                    {name}
                  </a>
                </td>
                <td>
                  <a
                    href={linkTo(
                      role.kind === 'Role' ? 'roles' : 'clusterroles',
                      role.kind === 'Role' ? namespace : '',
                      role.name,
                    )}
                  >
                    {role.kind} {role.name}
                  </a>
                </td>
                <td class="wide">{ruleText(rule)}</td>
              </tr>
            ))}
          </PlainTable>
        </div>
      )}
      {rows.length > mostRows && <p class="notice">{rows.length - mostRows} more subjects are not shown.</p>}
    </section>
  );
}
