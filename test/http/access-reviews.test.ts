import assert from 'node:assert/strict';
import { startServer, type TestServer } from '../../src/testing/index.ts';
import { type HttpResponse, request } from './http-client.ts';
import { everyVersion } from './every-version.ts';

const authorization = '/apis/authorization.cl.io';
const pods = { namespace: 'default', verb: 'get', resource: 'pods' };

/** Asks a question and answers its status, or the failure. */
async function ask(server: TestServer, path: string, spec: object): Promise<{ code: number; status: unknown }> {
  const response = await request(server, 'POST', path, { spec });
  // Every answer is an object; a failure is told by its code.
  return { code: response.status, status: (response.body as { status: unknown }).status };
}

describe('questions about identity and access', () => {
  let server: TestServer;
  let other: TestServer;
  before(async () => {
    server = await startServer({
      ...everyVersion,
      runtimeConfig: ['authentication.cl.io/v1alpha1=true', 'authentication.cl.io/v1beta1=true'],
    });
    other = await startServer({ ...everyVersion, store: 'memory', identifiers: 'kubernetes' });
  });
  after(() => Promise.all([server.stop(), other.stop()]));

  for (const version of ['v1', 'v1beta1']) {
    it(`returns the user of a token (${version})`, async () => {
      const path = `/apis/authentication.cl.io/${version}/tokenreviews`;
      const good = await ask(server, path, { token: server.token });
      assert.equal(good.code, 201);
      assert.deepEqual(good.status, {
        authenticated: true,
        user: { username: 'admin', groups: ['system:masters', 'system:authenticated'] },
        audiences: ['https://cluster.default.svc'],
      });
      assert.deepEqual(await ask(server, path, { token: 'wrong' }), {
        code: 201,
        status: { user: {}, error: 'invalid bearer token' },
      });
      assert.equal((await ask(server, path, {})).code, 400);
    });

    it(`returns the decision for a user and an action (${version})`, async () => {
      const path = `${authorization}/${version}/subjectaccessreviews`;
      const group = version === 'v1' ? 'groups' : 'group';
      assert.deepEqual(await ask(server, path, { user: 'jane', resourceAttributes: pods }), {
        code: 201,
        status: { allowed: true },
      });
      assert.equal(
        (await ask(server, path, { [group]: ['g'], nonResourceAttributes: { path: '/', verb: 'get' } })).code,
        201,
      );
    });
  }

  it('answers 422 to a question about nothing, about two things, or about nobody', async () => {
    const path = `${authorization}/v1/subjectaccessreviews`;
    const both = { user: 'jane', resourceAttributes: pods, nonResourceAttributes: { path: '/', verb: 'get' } };
    for (const spec of [{}, { user: 'jane' }, both, { resourceAttributes: pods }]) {
      assert.equal((await ask(server, path, spec)).code, 422, JSON.stringify(spec));
    }
    const { body } = await request(server, 'POST', path, { spec: { user: 'jane' } });
    const { message, details } = body as { message: string; details: object };
    assert.match(message, /^\.authorization\.cl\.io "" is invalid: spec\.resourceAttributes: /);
    assert.deepEqual({ ...details, causes: [] }, { group: 'authorization.cl.io', causes: [] });
  });

  it('answers 422 to a question with metadata, except for the namespace of a local one and for owners of fields', async () => {
    const spec = { user: 'jane', resourceAttributes: pods };
    const local = `${authorization}/v1/namespaces/default/localsubjectaccessreviews`;
    const reviews = ['subjectaccessreviews', 'selfsubjectaccessreviews'].map(
      (review) => `${authorization}/v1/${review}`,
    );
    const codeOf = async (path: string, metadata: object): Promise<number> =>
      (await request(server, 'POST', path, { metadata, spec })).status;
    for (const path of [...reviews, local]) {
      assert.equal(await codeOf(path, { labels: { a: 'b' } }), 422, path);
      assert.equal(
        await codeOf(path, { name: '', labels: {}, managedFields: [{}], creationTimestamp: null }),
        201,
        path,
      );
    }
    for (const path of reviews) assert.equal(await codeOf(path, { namespace: 'default' }), 422, path);
    assert.equal(await codeOf(local, { namespace: 'default' }), 201);
    const { body } = await request(server, 'POST', local, { metadata: { name: 'x' }, spec });
    assert.match(
      (body as { message: string }).message,
      /metadata: Invalid value: .*: must be empty except for namespace$/,
    );
  });

  it('returns the rules of the requesting user', async () => {
    const self = await ask(server, `${authorization}/v1/selfsubjectaccessreviews`, { resourceAttributes: pods });
    assert.deepEqual(self, { code: 201, status: { allowed: true } });
    const body = { metadata: { name: 'dropped' }, spec: { namespace: 'default' } };
    const rules = await request(server, 'POST', `${authorization}/v1/selfsubjectrulesreviews`, body);
    assert.deepEqual(rules.body, {
      kind: 'SelfSubjectRulesReview',
      apiVersion: 'authorization.cl.io/v1',
      metadata: { creationTimestamp: null },
      spec: {},
      status: {
        resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
        nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
        incomplete: false,
      },
    });
    const nowhere = await request(server, 'POST', `${authorization}/v1/selfsubjectrulesreviews`, { spec: {} });
    assert.equal(nowhere.status, 400);
    assert.equal((nowhere.body as { message: string }).message, 'no namespace on request');
  });

  for (const version of ['v1', 'v1beta1', 'v1alpha1']) {
    it(`returns the requesting user (${version})`, async () => {
      const path = `/apis/authentication.cl.io/${version}/selfsubjectreviews`;
      const body = { metadata: { name: 'dropped' } };
      const self = await request(server, 'POST', path, body);
      assert.equal(self.status, 201, self.text);
      const { kind, metadata, status } = self.body as { kind: string; metadata: object; status: unknown };
      assert.equal(kind, 'SelfSubjectReview');
      assert.deepEqual(Object.keys(metadata), ['creationTimestamp']);
      assert.deepEqual(status, {
        userInfo: { username: 'admin', groups: ['system:masters', 'system:authenticated'] },
      });
    });
  }

  it('returns an impersonated user as the requesting user', async () => {
    const headers = { 'impersonate-user': 'jane', 'impersonate-uid': '7', 'impersonate-extra-scopes': 'view' };
    const self = await request(server, 'POST', '/apis/authentication.cl.io/v1/selfsubjectreviews', {}, headers);
    assert.deepEqual((self.body as { status: unknown }).status, {
      userInfo: { username: 'jane', uid: '7', groups: ['system:authenticated'], extra: { scopes: ['view'] } },
    });
  });

  it('names the requesting user in release 1.23, as clients of later releases ask, and not in earlier ones', async () => {
    const path = '/apis/authentication.cl.io/v1/selfsubjectreviews';
    await using current = await startServer();
    assert.equal((await request(current, 'POST', path, {})).status, 201);
    await using earlier = await startServer({ emulatedRelease: '1.22' });
    assert.equal((await request(earlier, 'POST', path, {})).status, 404);
  });

  it('keeps local questions to their namespace', async () => {
    const path = `${authorization}/v1/namespaces/default/localsubjectaccessreviews`;
    assert.equal((await ask(server, path, { user: 'jane', resourceAttributes: pods })).code, 201);
    const elsewhere = { user: 'jane', resourceAttributes: { ...pods, namespace: 'other' } };
    assert.equal((await ask(server, path, elsewhere)).code, 422);
  });

  it('set the namespace of a local review since 1.24, and drop the namespace of others', async () => {
    await using newest = await startServer({ emulatedRelease: '1.36' });
    const place = async (path: string, metadata: object): Promise<unknown> => {
      const spec = { user: 'jane', resourceAttributes: pods };
      const { status, body } = await request(newest, 'POST', `${authorization}/v1/${path}`, { metadata, spec });
      assert.equal(status, 201);
      return (body as { metadata: object }).metadata;
    };
    assert.deepEqual(await place('namespaces/default/localsubjectaccessreviews', {}), { namespace: 'default' });
    assert.deepEqual(await place('subjectaccessreviews', { namespace: 'other', uid: 'u' }), {});
  });

  it('answers 400 to a local question for the namespace of its metadata that is not that of the request', async () => {
    const path = `${authorization}/v1/namespaces/default/localsubjectaccessreviews`;
    const answerTo = (metadata: object, more: object): Promise<HttpResponse> =>
      request(server, 'POST', path, { metadata, spec: { user: 'jane', resourceAttributes: { verb: 'get', ...more } } });
    const message = 'spec.resourceAttributes.namespace must match namespace: default';
    for (const place of [{}, { namespace: 'other' }]) {
      const response = await answerTo(place, place);
      assert.equal(response.status, 400, response.text);
      assert.equal((response.body as { message: string }).message, message);
    }
    for (const [place, asked] of [
      ['default', ''],
      ['other', 'default'],
      ['', 'other'],
    ]) {
      const response = await answerTo({ namespace: place }, { namespace: asked });
      assert.equal(response.status, 422, response.text);
      assert.match(
        response.text,
        /is invalid: spec\.resourceAttributes\.namespace: Invalid value: .*must match metadata\.namespace"/,
      );
    }
  });

  it('answers under the other identifiers too', async () => {
    const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
    assert.equal((await ask(other, path, { resourceAttributes: pods })).code, 201);
  });
});

describe('access reviews of lists with selectors', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ emulatedRelease: '1.34' });
  });
  after(() => server?.stop());

  const review = (resource: object) =>
    request(server, 'POST', `${authorization}/v1/subjectaccessreviews`, {
      spec: { user: 'jane', resourceAttributes: { ...pods, verb: 'list', ...resource } },
    });

  it('report the requirements that could not be parsed', async () => {
    const statusOf = async (resource: object): Promise<unknown> =>
      ((await review(resource)).body as { readonly status: unknown }).status;
    const fields = 'spec.resourceAttributes.fieldSelector';
    const labels = 'spec.resourceAttributes.labelSelector';
    const two = { key: 'a', operator: 'In', values: ['1', '2'] };
    const one = { key: 'a', operator: 'In', values: ['1'] };
    const later = { key: 'a', operator: 'Like', values: ['1'] };
    assert.deepEqual(await statusOf({ fieldSelector: { requirements: [one] } }), { allowed: true });
    assert.deepEqual(await statusOf({ fieldSelector: { requirements: [two] } }), {
      allowed: true,
      evaluationError: `${fields} ignored due to parse error`,
    });
    assert.deepEqual(
      await statusOf({ fieldSelector: { rawSelector: 'a' }, labelSelector: { requirements: [one, later] } }),
      {
        allowed: true,
        evaluationError: `${fields} ignored due to parse error; ${labels} partially ignored due to parse error`,
      },
    );
  });

  it('refuse selectors in both forms or none, and operators without their values', async () => {
    const faultsOf = async (resource: object): Promise<readonly string[]> => {
      const { status, body } = await review(resource);
      assert.equal(status, 422);
      const { details } = body as { readonly details: { readonly causes: readonly { readonly field: string }[] } };
      return details.causes.map(({ field }) => field);
    };
    const at = 'spec.resourceAttributes';
    const good = { key: 'a', operator: 'In', values: ['1'] };
    assert.deepEqual(await faultsOf({ fieldSelector: { rawSelector: 'a=b', requirements: [good] } }), [
      `${at}.fieldSelector.rawSelector`,
    ]);
    assert.deepEqual(await faultsOf({ labelSelector: {} }), [`${at}.labelSelector.requirements`]);
    assert.deepEqual(await faultsOf({ fieldSelector: { requirements: [{ key: '', operator: 'In' }] } }), [
      `${at}.fieldSelector.requirements[0].key`,
      `${at}.fieldSelector.requirements[0].values`,
    ]);
    const bad = { key: '-', operator: 'Exists', values: ['-'] };
    assert.deepEqual((await faultsOf({ labelSelector: { requirements: [bad] } })).toSorted(), [
      `${at}.labelSelector.requirements[0].key`,
      `${at}.labelSelector.requirements[0].values`,
      `${at}.labelSelector.requirements[0].values[0]`,
    ]);
  });
});
