import assert from 'node:assert/strict';
import { startServer, type TestServer } from '../../src/testing/index.ts';
import { type HttpResponse, request } from './http-client.ts';
import { readMetrics } from './read-metrics.ts';
import { until } from './until.ts';

const rbac = '/apis/rbac.authorization.cl.io/v1';
const authentication = 'authentication.cl.io';
const secrets = '/api/v1/namespaces/default/secrets';
const tokens = ['deputy', 'chief', 'nobody'].map((name) => ({ token: name, username: name, groups: [] }));

interface Rule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
}

describe('constrained impersonation', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({
      emulatedRelease: '1.36',

      authorizationMode: ['RBAC'],
      tokens,
    });
    const whoami: Rule = { verbs: ['create'], apiGroups: [authentication], resources: ['selfsubjectreviews'] };
    await grant('deputy', [
      { verbs: ['impersonate-on:user-info:list'], apiGroups: [''], resources: ['secrets'] },
      {
        verbs: ['impersonate-on:user-info:create', 'impersonate-on:arbitrary-node:create'],
        apiGroups: [authentication],
        resources: ['selfsubjectreviews'],
      },
      { verbs: ['impersonate:user-info'], apiGroups: [authentication], resources: ['users'], resourceNames: ['ann'] },
      { verbs: ['impersonate:user-info'], apiGroups: [authentication], resources: ['groups'] },
      { verbs: ['impersonate:user-info'], apiGroups: [authentication], resources: ['userextras/example.com/team'] },
      { verbs: ['impersonate:arbitrary-node'], apiGroups: [authentication], resources: ['nodes'] },
    ]);
    await grant('ann', [{ verbs: ['get', 'list'], apiGroups: [''], resources: ['secrets'] }, whoami]);
    await grant('chief', [{ verbs: ['impersonate'], apiGroups: [''], resources: ['users', 'groups'] }]);
    await until('the roles', async () => (await act('deputy', 'GET', secrets, { user: 'ann' })).status === 200);
  });
  after(() => server?.stop());

  /** Gives rights to a user in the whole cluster. */
  async function grant(name: string, rules: readonly Rule[], subject: object = { kind: 'User', name }): Promise<void> {
    const write = async (path: string, body: unknown): Promise<void> => {
      const { status, text } = await request(server, 'POST', `${rbac}${path}`, body);
      assert.equal(status, 201, text);
    };
    await write('/clusterroles', { metadata: { name }, rules });
    const roleRef = { apiGroup: 'rbac.authorization.cl.io', kind: 'ClusterRole', name };
    await write('/clusterrolebindings', { metadata: { name }, roleRef, subjects: [subject] });
  }

  interface ActingAs {
    readonly user: string;
    readonly group?: string;
    readonly team?: string;
  }

  function act(token: string, method: string, path: string, { user, group, team }: ActingAs): Promise<HttpResponse> {
    const headers = {
      'impersonate-user': user,
      ...(group === undefined ? {} : { 'impersonate-group': group }),
      ...(team === undefined ? {} : { 'impersonate-extra-example.com%2fteam': team }),
    };
    const body = method === 'POST' ? {} : undefined;
    return request({ ...server, token }, method, path, body, headers);
  }

  /** The user that the server sees. */
  async function userOf(token: string, acting: ActingAs): Promise<object> {
    const { status, text, body } = await act(token, 'POST', `/apis/${authentication}/v1/selfsubjectreviews`, acting);
    assert.equal(status, 201, text);
    return (body as { readonly status: { readonly userInfo: object } }).status.userInfo;
  }

  it('allows the verbs that the caller may use as such users, and no others', async () => {
    const { status, text } = await act('deputy', 'GET', `${secrets}/a`, { user: 'ann' });
    assert.equal(status, 403);
    assert.match(text, /User \\"deputy\\" cannot impersonate-on:user-info:get resource \\"secrets\\"/);
    const other = await act('deputy', 'GET', secrets, { user: 'bob' });
    assert.equal(other.status, 403);
    assert.match(
      other.text,
      /cannot impersonate:user-info resource \\"users\\" in API group \\"authentication.cl.io\\"/,
    );
  });

  it('shows the groups and fields that were asked for, each with a right', async () => {
    assert.deepEqual(await userOf('deputy', { user: 'ann', group: 'staff', team: 'a' }), {
      username: 'ann',
      groups: ['staff', 'system:authenticated'],
      extra: { 'example.com/team': ['a'] },
    });
  });

  it('never gives the privileged group', async () => {
    const { status, text } = await act('deputy', 'GET', secrets, { user: 'ann', group: 'system:masters' });
    assert.equal(status, 403);
    assert.match(text, /impersonating the system:masters group is not allowed/);
  });

  it('acts as a node with the group of nodes, and as no service account with these rights', async () => {
    assert.deepEqual(await userOf('deputy', { user: 'system:node:n1' }), {
      username: 'system:node:n1',
      groups: ['system:nodes', 'system:authenticated'],
    });
    const account = await act('deputy', 'GET', secrets, { user: 'system:serviceaccount:default:robot' });
    assert.match(account.text, /cannot impersonate-on:serviceaccount:list/);
  });

  it('lets a service account act as the node that its pod runs on', async () => {
    const robot = { kind: 'ServiceAccount', name: 'robot', namespace: 'default' };
    await grant(
      'robot',
      [
        {
          verbs: ['impersonate-on:associated-node:create'],
          apiGroups: [authentication],
          resources: ['selfsubjectreviews'],
        },
        { verbs: ['impersonate:associated-node'], apiGroups: [authentication], resources: ['nodes'] },
      ],
      robot,
    );
    const core = '/api/v1/namespaces/default';
    await request(server, 'POST', `${core}/serviceaccounts`, { metadata: { name: 'robot' } });
    await request(server, 'POST', '/api/v1/nodes', { metadata: { name: 'n1' } });
    const spec = { nodeName: 'n1', serviceAccountName: 'robot', containers: [{ name: 'c', image: 'i' }] };
    const pod = await request(server, 'POST', `${core}/pods`, { metadata: { name: 'p' }, spec });
    assert.equal(pod.status, 201, pod.text);
    const boundObjectRef = { apiVersion: 'v1', kind: 'Pod', name: 'p' };
    const issued = await request(server, 'POST', `${core}/serviceaccounts/robot/token`, { spec: { boundObjectRef } });
    const { token } = (issued.body as { readonly status: { readonly token: string } }).status;
    await until('the role', async () => {
      const { status } = await act(token, 'POST', `/apis/${authentication}/v1/selfsubjectreviews`, {
        user: 'system:node:n1',
      });
      return status === 201;
    });
    const another = await act(token, 'POST', `/apis/${authentication}/v1/selfsubjectreviews`, {
      user: 'system:node:n2',
    });
    assert.equal(another.status, 403, 'the node of another pod');
  });

  it('still allows all users to callers with the right to impersonate', async () => {
    assert.equal((await act('chief', 'GET', secrets, { user: 'ann' })).status, 200);
    assert.equal((await act('chief', 'GET', `${secrets}/a`, { user: 'ann', group: 'system:masters' })).status, 404);
    assert.equal((await act('nobody', 'GET', secrets, { user: 'ann' })).status, 403);
  });

  it('counts its attempts by the rights that decided', async () => {
    const metrics = await readMetrics(server);
    for (const mode of ['legacy', 'user-info', 'arbitrary-node', 'associated-node']) {
      const series = `apiserver_impersonation_attempts_total{decision="allowed",mode="${mode}"}`;
      assert.ok((metrics.get(series) ?? 0) > 0, series);
    }
  });

  it('does not exist before its release', async () => {
    await using earlier = await startServer({ emulatedRelease: '1.34', authorizationMode: ['RBAC'], tokens });
    const late = await request({ ...earlier, token: 'deputy' }, 'GET', secrets, undefined, {
      'impersonate-user': 'ann',
    });
    assert.match(late.text, /cannot impersonate resource \\"users\\" in API group \\"\\"/);
  });
});
