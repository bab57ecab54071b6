import type { AccessQuestion } from '../../../cli/commands/access/access-question.ts';
import { readPolicy, roleGrants, subjectName } from '../../../cli/commands/access/role-grants.ts';
import { findResource } from '../../../client/find-resource.ts';
import { hasReason } from '../../../client/status-error.ts';
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

/** The subjects whose roles allow something, with the rule, the role and the binding. */
export function RoleGrants({ kinds, question }: RoleGrantsProps) {
  const { value: policy, error } = useAsync(
    (signal) =>
      readPolicy({ client, resources: kinds.all, signal }, question.namespace).catch((failure: unknown) => {
        if (!hasReason(failure, 'Forbidden')) throw failure;
        throw new Error(`Roles and bindings may not be read: ${failure.message}`, { cause: failure });
      }),
    question.namespace,
  );
  const heading = `Who can ${questionText(question)}`;
  if (error !== undefined) return <p class="error">{error}</p>;
  if (!policy) return <p class="hint">Reading roles and bindings…</p>;
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
      {rows.length === 0 && <p class="nothing">No role allows it to anyone.</p>}
      {rows.length > 0 && (
        <div class="wide-table" tabIndex={0} role="group" aria-labelledby="grants">
          <table class="plain">
            <thead>
              <tr>
                {['Subject', 'Name', 'Binding', 'Role', 'Rule'].map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
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
            </tbody>
          </table>
        </div>
      )}
      {rows.length > mostRows && <p class="notice">{rows.length - mostRows} more subjects are not shown.</p>}
    </section>
  );
}
