import type { Invocation } from '../../command.ts';
import type { whoCanFlags } from './flags.ts';
import { resourcesOf } from '../../find-type.ts';
import { withClient } from '../../connect.ts';
import { columnWidths, formatRows } from '../../format-rows.ts';
import { accessQuestion } from './access-question.ts';
import { readPolicy, roleGrants, subjectName } from './role-grants.ts';

/**
 * `cl auth who-can`: prints the subjects whose roles allow something. Other authorizers of the
 * server can allow or deny more.
 */
export async function whoCan({ words, options, io }: Invocation<typeof whoCanFlags>): Promise<void> {
  await withClient({ options, io }, async (client) => {
    const resources = await resourcesOf({ client, options, io });
    const question = accessQuestion(words, { resources, namespace: client.settings.namespace, options, io });
    const policy = await readPolicy({ client, resources, signal: io.signal }, question.namespace);
    const rows = roleGrants(question, policy).flatMap(({ binding: { role, namespace, name, subjects } }) => {
      const kind = namespace === '' ? 'ClusterRoleBinding' : 'RoleBinding';
      return subjects.map((subject) => [
        subject.kind,
        subjectName(subject, namespace),
        `${role.kind}/${role.name}`,
        `${kind}/${name}`,
      ]);
    });
    if (rows.length === 0) {
      io.stderr.write('No role allows it to anyone.\n');
      return;
    }
    const table = [['KIND', 'SUBJECT', 'ROLE', 'BINDING'], ...rows];
    io.stdout.write(formatRows(table, columnWidths(table)));
  });
}
