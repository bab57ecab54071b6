import assert from 'node:assert/strict';
import { startServer, type TestServer } from '../../src/testing/index.ts';
import { type HttpResponse, request } from './http-client.ts';
import { certificateRequest } from './minimal-objects.ts';

const group = 'certificates.cl.io';
const roles = '/apis/rbac.authorization.cl.io/v1';
const requests = `/apis/${group}/v1/certificatesigningrequests`;
const signer = 'example.com/clients';

const onSigners = (verb: string, name: string) => ({
  verbs: [verb],
  apiGroups: [group],
  resources: ['signers'],
  resourceNames: [name],
});

/** Users that may write all parts of certificate requests, and the rules that each has besides. */
const users: Readonly<Record<string, readonly object[]>> = {
  nobody: [],
  other: [onSigners('approve', 'example.com/servers'), onSigners('sign', 'example.com/servers')],
  approver: [onSigners('approve', signer)],
  signer: [onSigners('sign', signer)],
  domain: [onSigners('approve', 'example.com/*'), onSigners('sign', 'example.com/*')],
};
const writeRequests = {
  verbs: ['get', 'create', 'update', 'patch'],
  apiGroups: [group],
  resources: ['', '/approval', '/status'].map((part) => `certificatesigningrequests${part}`),
};

const approval = { status: { conditions: [{ type: 'Approved', status: 'True', reason: 'r', message: 'm' }] } };
const failure = { status: { conditions: [{ type: 'Failed', status: 'True', reason: 'r', message: 'm' }] } };

describe('rights on signers', () => {
  let server: TestServer;
  before(async () => {
    const tokens = Object.keys(users).map((name) => ({ token: name, username: name, groups: [] }));
    server = await startServer({ authorizationMode: ['RBAC'], tokens, store: 'memory' });
    for (const [name, rules] of Object.entries(users)) {
      await request(server, 'POST', `${roles}/clusterroles`, { metadata: { name }, rules: [writeRequests, ...rules] });
      await request(server, 'POST', `${roles}/clusterrolebindings`, {
        metadata: { name },
        roleRef: { apiGroup: 'rbac.authorization.cl.io', kind: 'ClusterRole', name },
        subjects: [{ kind: 'User', name }],
      });
    }
  });
  after(() => server.stop());

  const create = async (name: string): Promise<void> => {
    const spec = { request: certificateRequest(), signerName: signer, usages: ['client auth'] };
    const { status, text } = await request(server, 'POST', requests, { metadata: { name }, spec });
    assert.equal(status, 201, text);
  };
  const patch = (token: string, path: string, body: object): Promise<HttpResponse> =>
    request({ ...server, token }, 'PATCH', `${requests}/${path}`, body, {
      'content-type': 'application/merge-patch+json',
    });
  const assertRefused = ({ status, body, text }: HttpResponse, name: string, verb: string): void => {
    assert.equal(status, 403, text);
    assert.equal(
      (body as { message: string }).message,
      `certificatesigningrequests.${group} "${name}" is forbidden: ` +
        `user not permitted to ${verb} requests with signerName "${signer}"`,
    );
  };
  const assertTaken = ({ status, text }: HttpResponse): void => assert.equal(status, 200, text);

  it('are needed to approve a request', async () => {
    await create('a');
    for (const user of ['nobody', 'other', 'signer']) {
      assertRefused(await patch(user, 'a/approval', approval), 'a', 'approve');
    }
    assertTaken(await patch('approver', 'a/approval', approval));
    await create('b');
    assertTaken(await patch('domain', 'b/approval', approval));
    await create('c');
    assertTaken(await patch(server.token, 'c/approval', approval));
  });

  it('are needed to change certificate and conditions in the status, and for nothing else', async () => {
    await create('d');
    for (const user of ['nobody', 'other', 'approver']) {
      assertRefused(await patch(user, 'd/status', failure), 'd', 'sign');
    }
    assertTaken(await patch('nobody', 'd/status', { metadata: { labels: { a: 'b' } } }));
    assertTaken(await patch('nobody', 'd', { metadata: { labels: { a: 'c' } } }));
    assertTaken(await patch('signer', 'd/status', failure));
    await create('e');
    assertTaken(await patch('domain', 'e/status', failure));
  });
});
