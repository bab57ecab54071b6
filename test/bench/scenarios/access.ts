import { configMap, configMapsPath } from '../collection.ts';
import { type Subject, withClients } from '../lab.ts';
import { eachOf } from '../load/press.ts';
import { compareClosely, pressHttp, type Scenario } from './scenario.ts';

const roles = 1_000;
const bindings = 5_000;
/** One binding in so many names the account. */
const ownBindings = 50;

/** The CPU time that authentication and authorization may add to a request. */
const barMicros = 12;

const rbac = '/apis/rbac.authorization.cl.io/v1';
const accounts = '/api/v1/namespaces/default/serviceaccounts';
const path = `${configMapsPath('default')}/object`;

const queues = '--enable-priority-and-fairness=';

/**
 * A cached GET by the token of a service account under a large policy, beside one by a static token that may do
 * everything; neither is queued. The second row has fair queuing as well.
 */
export const access: Scenario = {
  name: 'access',
  async run({ lab, report }) {
    const filled = await lab.startServer('/bench-access', '--authorization-mode=RBAC');
    const { headers } = await accountOf(filled);
    // The writes would have changed its heap.
    await lab.stopSubject(filled);
    const withAccess = async (...flags: readonly string[]): Promise<Subject> => {
      return { ...(await lab.startServer('/bench-access', '--authorization-mode=RBAC', ...flags)), headers };
    };
    const subjects = {
      ours: await withAccess(`${queues}false`),
      bare: await lab.startServer('/bench-open', `${queues}false`),
    };
    await post(subjects.bare, configMapsPath('default'), configMap('object'));
    const gets = (ours: Subject) => (seconds: number) => {
      const get = (subject: Subject) =>
        pressHttp(subject, { clients: 32, seconds }, () => ({ path: `${path}?resourceVersion=0` }));
      return { ours: get(ours), bare: get(subjects.bare) };
    };
    const figures = await compareClosely(lab.settings, 'cpuMicros', gets(subjects.ours));
    const note = 'GET by the token of an account, 1,000 roles, 5,000 bindings; bare: static token, AlwaysAllow';
    report({ scenario: 'access, known token, 32 clients', figures, compared: 'cpuMicros', surplus: barMicros, note });
    const queued = await withAccess();
    report({
      scenario: 'access and fair queuing, 32 clients',
      figures: await compareClosely(lab.settings, 'cpuMicros', gets(queued)),
      compared: 'cpuMicros',
      note: 'the same with the queues of priority levels',
    });
    for (const subject of [...Object.values(subjects), queued]) await lab.stopSubject(subject);
  },
};

/** Fills a server with the policy; answers it as the account. */
async function accountOf(server: Subject): Promise<Subject> {
  await post(server, configMapsPath('default'), configMap('object'));
  await post(server, accounts, JSON.stringify({ metadata: { name: 'robot' } }));
  await writeAll(server, `${rbac}/clusterroles`, roles, roleAt);
  await writeAll(server, `${rbac}/clusterrolebindings`, bindings, bindingAt);
  const { status } = JSON.parse(String(await post(server, `${accounts}/robot/token`, '{}')));
  return { ...server, headers: { authorization: `Bearer ${status.token}` } };
}

function roleAt(index: number): object {
  const resources = index === 0 ? ['configmaps'] : [`kind${index}`, `other${index % 50}`];
  const rule = { apiGroups: ['', `group${index % 10}.example.com`], resources, verbs: ['get', 'list', 'watch'] };
  return { metadata: { name: `role${index}` }, rules: Array.from({ length: 10 }, () => rule) };
}

function bindingAt(index: number): object {
  const own = { kind: 'ServiceAccount', name: 'robot', namespace: 'default' };
  const group = 'rbac.authorization.cl.io';
  return {
    metadata: { name: `binding${index}` },
    roleRef: { apiGroup: group, kind: 'ClusterRole', name: `role${index % roles}` },
    subjects: [
      { apiGroup: group, kind: 'Group', name: `group${index % 250}` },
      { apiGroup: group, kind: 'User', name: `user${index % 500}` },
      ...(index % ownBindings === 0 ? [own] : []),
    ],
  };
}

async function post(subject: Subject, target: string, body: string): Promise<Buffer> {
  return await withClients(subject, 1, async ([client]) => {
    return (await client?.send({ method: 'POST', path: target, body })) ?? Buffer.alloc(0);
  });
}

async function writeAll(
  subject: Subject,
  target: string,
  count: number,
  objectAt: (index: number) => object,
): Promise<void> {
  await withClients(subject, 32, (clients) =>
    eachOf(count, clients.length, async (index, worker) => {
      await clients[worker]?.send({ method: 'POST', path: target, body: JSON.stringify(objectAt(index)) });
    }),
  );
}
