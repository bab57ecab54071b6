import assert from 'node:assert/strict';
import { identifiersOf } from '../../src/identifiers/identifiers.ts';
import type { JsonObject } from '../../src/meta/json-value.ts';
import { nameOf } from '../../src/meta/object-meta.ts';
import { builtInCatalogue } from '../../src/catalogue/definitions.ts';
import type { VersionDefinition } from '../../src/registry/definition/resource-definition.ts';
import type { TestServer } from '../../src/testing/index.ts';
import { startWebhookWorld, type WebhookWorld } from './admission/webhook-world.ts';
import { define, versionOf, widgetsIn } from './custom-resources/widgets.ts';
import { everyVersion } from './every-version.ts';
import { everyWrite, type WriteRow, type Written } from './every-write.ts';
import { type HttpResponse, request } from './http-client.ts';
import { minimalObject } from './minimal-objects.ts';
import { settle } from './settle.ts';
import { until } from './until.ts';

const identifiers = identifiersOf('cluster');
const rbac = '/apis/rbac.authorization.cl.io/v1';
const writes = ['create', 'update', 'patch', 'delete', 'deletecollection'];
const otherVerbs = ['get', 'list', 'watch', 'bind', 'escalate', 'approve', 'sign', 'use'];
const widgets = '/apis/rights.example.com/v1/namespaces/default/widgets';

/** An object of a version of a kind, whether it is stored and whether a PUT may create it. */
interface Case {
  readonly title: string;
  readonly group: string;
  readonly resource: string;
  readonly collection: string;
  readonly isStored: boolean;
  readonly createsOnUpdate: boolean;
  readonly version: Pick<VersionDefinition, 'verbs' | 'subresources'>;
  readonly object: (name: string) => JsonObject;
}

/** Every user may ask about itself. */
const needsNoRight = /^selfsubject/;

const builtIn: readonly Case[] = builtInCatalogue(identifiers).current.resources.flatMap((info) =>
  info.versions
    .filter(() => !needsNoRight.test(info.resource))
    .map((version) => {
      const root = info.group === '' ? `/api/${version.version}` : `/apis/${info.group}/${version.version}`;
      return {
        title: `${info.group || 'core'}/${version.version} ${info.resource}`,
        group: info.group,
        resource: info.resource,
        collection: info.namespaced ? `${root}/namespaces/default/${info.resource}` : `${root}/${info.resource}`,
        isStored: info.storage !== undefined,
        createsOnUpdate: info.strategy.allowCreateOnUpdate === true,
        version,
        object: (name) => (info.storage ? minimalObject(info, identifiers, name, version.version) : {}),
      };
    }),
);

const custom: Case = {
  title: 'custom widgets',
  group: 'rights.example.com',
  resource: 'widgets',
  collection: widgets,
  isStored: true,
  createsOnUpdate: false,
  version: {
    verbs: ['create', 'update', 'patch', 'delete', 'deletecollection'],
    subresources: [
      { name: 'status', verbs: ['update', 'patch'] },
      { name: 'scale', verbs: ['update', 'patch'] },
    ],
  },
  object: (name) => ({
    apiVersion: 'rights.example.com/v1',
    kind: 'Widget',
    metadata: { name },
    spec: { size: 1 },
  }),
};

/** Users with all rights but one. */
const tokens = writes.map((verb) => ({ token: `without-${verb}`, username: `without-${verb}`, groups: [] }));

describe('a write by a user who lacks one right that it needs', () => {
  let world: WebhookWorld;
  let server: TestServer;
  before(async () => {
    world = await startWebhookWorld({
      ...everyVersion,
      authorizationMode: ['RBAC'],
      tokens,
      // Fair queuing writes the statuses of flow schemas: the only writes here are those of the test.
      priorityAndFairness: false,
    });
    ({ server } = world);
    for (const verb of writes) await grant(`without-${verb}`, [...otherVerbs, ...writes.filter((one) => one !== verb)]);
    const scale = { specReplicasPath: '.spec.size', statusReplicasPath: '.status.ready' };
    const versions = [versionOf('v1', { subresources: { status: {}, scale } })];
    await define(server, widgetsIn('rights.example.com', { versions }));
    await until('the APIService of the custom kind', async () => {
      const { status } = await request(
        server,
        'GET',
        '/apis/apiregistration.cl.io/v1/apiservices/v1.rights.example.com',
      );
      return status === 200;
    });
    const everything = [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] }];
    await world.configure('mutating', 'm', { name: 'm', rules: everything });
    await world.configure('validating', 'v', { name: 'v', rules: everything });
  });
  after(() => world[Symbol.asyncDispose]());

  for (const one of [...builtIn, custom]) {
    it(`is refused, stores nothing and calls nothing: ${one.title}`, async () => {
      const object = one.object('of-rights');
      const missing = { ...one, object, name: nameOf(object) || 'of-rights', exists: false };
      await assertRefused(one, missing);
      const creates = new Set(everyWrite(missing).filter(isCreatingUpdate).map(keyOf));
      await assertCreating(missing);
      if (!one.isStored) return;

      // An object that exists needs no right to create.
      expectStatus(await request(server, 'POST', one.collection, object), 201);
      const path = `${one.collection}/${missing.name}`;
      await settle(server, one, path);
      await assertRefused(one, { ...missing, exists: true });
      const present = everyWrite({ ...missing, exists: true });
      for (const row of present.filter((each) => creates.has(keyOf(each)) && each.path.endsWith('dryRun=All'))) {
        const { status, text } = await send('without-create', row);
        assert.notEqual(status, 403, `${row.method} ${row.path}: ${text}`);
      }
      // Some kinds would else wait for controllers to let them go.
      await request(server, 'DELETE', path, { propagationPolicy: 'Background' });
      if (one.resource !== 'customresourcedefinitions') return;
      await until('the definition to go', async () => (await request(server, 'GET', path)).status === 404);
    });
  }

  /** Sends each write as each user who lacks one of its rights. */
  async function assertRefused({ group, resource }: Case, written: Written): Promise<void> {
    const [before, calls] = [await stored(written), callsFor('without-').length];
    for (const row of everyWrite(written)) {
      for (const verb of row.needs) {
        const { status, body, text } = await send(`without-${verb}`, row);
        const what = `${row.method} ${row.path} (${row.type}) without ${verb}`;
        assert.equal(status, 403, `${what}: ${text}`);
        const { reason, message, details } = body as {
          reason: string;
          message: string;
          details: { kind: string; group?: string };
        };
        assert.equal(reason, 'Forbidden', what);
        assert.match(message, / is forbidden: /, what);
        assert.deepEqual([details.kind, details.group ?? ''], [resource, group], what);
      }
    }
    assert.deepEqual(callsFor('without-').slice(calls), [], 'no webhook is called');
    assert.deepEqual(await stored(written), before, 'nothing is stored');
  }

  /** Sends the writes that create with all rights, so that the refusals above are of these. */
  async function assertCreating(written: Written): Promise<void> {
    for (const row of everyWrite(written).filter(isCreatingUpdate)) {
      if (!row.path.endsWith('dryRun=All')) continue;
      const calls = callsFor('admin').length;
      expectStatus(await send(server.token, row), 201);
      // Webhooks are not called for configurations of webhooks, which could lock everybody out.
      if (!row.path.includes('admissionregistration')) assert.equal(callsFor('admin').length, calls + 2, row.path);
    }
  }

  async function grant(name: string, verbs: readonly string[]): Promise<void> {
    const rules = [{ verbs, apiGroups: ['*'], resources: ['*'] }];
    expectStatus(await request(server, 'POST', `${rbac}/clusterroles`, { metadata: { name }, rules }), 201);
    const roleRef = { apiGroup: 'rbac.authorization.cl.io', kind: 'ClusterRole', name };
    const subjects = [{ kind: 'User', name }];
    const binding = { metadata: { name }, roleRef, subjects };
    expectStatus(await request(server, 'POST', `${rbac}/clusterrolebindings`, binding), 201);
  }

  function send(token: string, { method, path, type, body }: WriteRow): Promise<HttpResponse> {
    return request({ ...server, token }, method, path, body, { 'content-type': type });
  }

  /** The calls of webhooks for users whose names begin so. The server writes by itself too. */
  function callsFor(user: string): readonly string[] {
    return world.seen
      .filter(({ request: { userInfo } }) => String(userInfo['username']).startsWith(user))
      .map(({ path, request: { operation, resource, name } }) => `${path} ${operation} ${resource.resource} ${name}`);
  }

  /** The objects of the kind, with their versions. */
  async function stored({ collection, version }: Written): Promise<readonly unknown[]> {
    if (!version.verbs.includes('update')) return [];
    const { body } = await request(server, 'GET', collection);
    return (body as { items: { metadata: Record<string, unknown> }[] }).items.map(({ metadata }) => [
      metadata['name'],
      metadata['resourceVersion'],
    ]);
  }
});

/** True for a PUT or patch that creates its object. */
function isCreatingUpdate({ needs }: WriteRow): boolean {
  return needs.length > 1 && needs.includes('create');
}

function keyOf({ method, path, type }: WriteRow): string {
  return `${method} ${path} ${type}`;
}

function expectStatus({ status, text }: HttpResponse, wanted: number): void {
  assert.equal(status, wanted, text);
}
