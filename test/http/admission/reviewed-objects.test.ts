import assert from 'node:assert/strict';
import { agentOf, request } from '../http-client.ts';
import { until } from '../until.ts';
import { patchWith, respond, type ReviewRequest, rule, startWebhookWorld, type WebhookWorld } from './webhook-world.ts';

const namespace = '/api/v1/namespaces/default';
const configMaps = `${namespace}/configmaps`;
const services = `${namespace}/services`;
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const merge = { 'content-type': 'application/merge-patch+json' };
const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const selector = { matchLabels: { a: 'b' } };
const refuse = respond({ allowed: false, status: { message: 'no' } });

/** The fields of objects that these stories look at. */
interface Shown {
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly spec: Readonly<Record<string, unknown>>;
  readonly status?: unknown;
  readonly data?: unknown;
}

describe('the objects that webhooks see', () => {
  let world: WebhookWorld;
  before(async () => {
    world = await startWebhookWorld();
    const rules = [rule('*', '*/*')];
    await world.configure('mutating', 'all', { name: 'm', rules });
    await world.configure('validating', 'all', { name: 'v', rules });
  });
  after(() => world[Symbol.asyncDispose]());
  beforeEach(() => {
    world.at('/m', respond({}));
    world.at('/v', respond({}));
    world.seen.length = 0;
  });

  const send = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    request(world.server, method, path, body, headers);
  /** The last reviews of the mutating and of the validating webhook. */
  const reviews = (): readonly [ReviewRequest, ReviewRequest] => {
    const [mutating, validating] = ['/m', '/v'].map((hook) => world.seen.findLast(({ path }) => path === hook));
    assert.ok(mutating && validating);
    return [mutating.request, validating.request];
  };
  const objects = (): readonly [Shown, Shown] => {
    const [mutating, validating] = reviews();
    return [mutating.object as unknown as Shown, validating.object as unknown as Shown];
  };
  const sentTo = (hook: string): number => world.seen.filter(({ path }) => path === hook).length;

  describe('of a create', () => {
    it('have the namespace and the status that was sent while they are changed, and what is stored later', async () => {
      const spec = { replicas: 1, selector, template };
      const created = await send('POST', deployments, { metadata: { name: 'created' }, spec, status: { replicas: 4 } });
      assert.equal(created.status, 201, created.text);
      const [mutating, validating] = objects();
      assert.deepEqual([mutating.metadata['namespace'], mutating.status], [undefined, { replicas: 4 }]);
      assert.deepEqual([validating.metadata['namespace'], validating.status], ['default', {}]);
      assert.equal(reviews()[0].namespace, 'default');
      assert.deepEqual((created.body as Shown).status, {});
    });

    it('are those that will be stored when they are validated', async () => {
      const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
      const job = { template: { spec: { ...template.spec, restartPolicy: 'Never' } } };
      const bodies = [
        [`${namespace}/persistentvolumeclaims`, claim],
        ['/apis/batch/v1/namespaces/default/jobs', job],
        [services, { type: 'LoadBalancer', ports: [{ port: 80 }] }],
      ] as const;
      for (const [path, spec] of bodies) {
        const created = await send('POST', path, { metadata: { name: 'final' }, spec });
        assert.equal(created.status, 201, created.text);
        const { metadata, ...rest } = created.body as Shown;
        const { resourceVersion: _, ...kept } = metadata;
        const [, { metadata: shown, ...reviewed }] = objects();
        assert.deepEqual([reviewed, shown], [rest, kept]);
      }
    });

    it('cannot get a status or another namespace from a webhook', async () => {
      world.at('/m', patchWith({ op: 'add', path: '/status', value: { phase: 'Failed' } }));
      const pod = { metadata: { name: 'created' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
      const created = await send('POST', `${namespace}/pods`, pod);
      assert.match(created.text, /"phase":"Pending"/);
      world.at('/m', patchWith({ op: 'add', path: '/metadata/namespace', value: 'kube-system' }));
      const refused = await send('POST', configMaps, { metadata: { name: 'moved' } });
      assert.equal(refused.status, 400, refused.text);
    });

    it('keep the name of the request in their review when a webhook renames them', async () => {
      world.at('/m', patchWith({ op: 'replace', path: '/metadata/name', value: 'renamed' }));
      const created = await send('POST', configMaps, { metadata: { name: 'named' } });
      assert.match(created.text, /"name":"renamed"/);
      assert.deepEqual(
        reviews().map(({ name, object }) => [name, object?.metadata.name]),
        [
          ['named', 'named'],
          ['named', 'renamed'],
        ],
      );
    });

    it('keep the name in the URL, under which they are stored', async () => {
      world.at('/m', patchWith({ op: 'replace', path: '/metadata/name', value: 'renamed' }));
      const apply = { 'content-type': 'application/apply-patch+yaml' };
      const sent = { metadata: { name: 'named' } };
      const leases = '/apis/coordination.cl.io/v1/namespaces/default/leases';
      const answers = [
        await send('PUT', `${leases}/named`, { ...sent, spec: {} }),
        await send(
          'PATCH',
          `${configMaps}/named?fieldManager=a`,
          { kind: 'ConfigMap', apiVersion: 'v1', ...sent },
          apply,
        ),
      ];
      for (const { status, text } of answers) {
        assert.equal(status, 400, text);
        assert.match(text, /the name of the object \(renamed\) does not match the name on the URL \(named\)/);
      }
      assert.equal(sentTo('/v'), 0);
      assert.equal((await send('GET', `${leases}/named`)).status, 404);
    });

    it('have no namespace in an action on an object', async () => {
      await send('POST', `${namespace}/pods`, { metadata: { name: 'bound' }, spec: template.spec });
      await send('POST', '/api/v1/nodes', { metadata: { name: 'n' } });
      const binding = { metadata: { name: 'bound' }, target: { kind: 'Node', name: 'n' } };
      const bound = await send('POST', `${namespace}/pods/bound/binding`, binding);
      assert.equal(bound.status, 201, bound.text);
      for (const { metadata } of objects()) assert.equal(metadata['namespace'], undefined);
    });
  });

  describe('of a write of a status', () => {
    before(async () => {
      const created = await send('POST', deployments, { metadata: { name: 'd' }, spec: { selector, template } });
      assert.equal(created.status, 201, created.text);
    });

    const others: readonly (readonly [what: string, method: string, spec: object, headers?: Record<string, string>])[] =
      [
        ['PUT', 'PUT', { replicas: 7, paused: true, selector, template }],
        ['PATCH', 'PATCH', { replicas: 7, paused: true }, merge],
      ];
    for (const [what, method, spec, headers] of others) {
      it(`have the spec that was sent by ${what} while they are changed, and the stored one later`, async () => {
        const body = { metadata: { name: 'd' }, spec, status: { replicas: 3 } };
        const written = await send(method, `${deployments}/d/status`, body, headers);
        assert.equal(written.status, 200, written.text);
        const [mutating, validating] = objects();
        assert.deepEqual([mutating.spec['replicas'], mutating.spec['paused']], [7, true]);
        assert.equal(mutating.spec['revisionHistoryLimit'], 10, 'with defaults');
        assert.deepEqual([validating.spec['replicas'], validating.spec['paused']], [1, undefined]);
        const { spec: stored, status, metadata } = written.body as Shown;
        assert.deepEqual(stored, validating.spec);
        assert.deepEqual(status, { replicas: 3 });
        assert.equal(metadata['generation'], 1);
      });
    }

    it('have the stored spec if only the status was sent', async () => {
      const before = ((await send('GET', `${deployments}/d`)).body as Shown).spec;
      await send('PATCH', `${deployments}/d/status`, { status: { replicas: 2 } }, merge);
      for (const { spec } of objects()) assert.deepEqual(spec, before);
      assert.deepEqual(((await send('GET', `${deployments}/d`)).body as Shown).spec, before);
    });

    it('keep the state of a Node before the write as the old one', async () => {
      await send('POST', '/api/v1/nodes', { metadata: { name: 'old' } });
      const conditions = [{ type: 'Ready', status: 'True' }];
      const change = { metadata: { labels: { new: 'yes' } }, status: { conditions } };
      await send('PATCH', '/api/v1/nodes/old/status', change, merge);
      for (const { oldObject } of reviews()) {
        const { metadata, status } = oldObject as unknown as Shown;
        assert.deepEqual([metadata['labels'], (status as { conditions?: unknown }).conditions], [undefined, undefined]);
      }
    });

    it('keep all but status and metadata whatever a webhook changes', async () => {
      world.at(
        '/m',
        patchWith(
          { op: 'replace', path: '/spec/replicas', value: 9 },
          { op: 'add', path: '/status/replicas', value: 5 },
          { op: 'add', path: '/metadata/annotations', value: { hook: 'yes' } },
        ),
      );
      const written = await send('PATCH', `${deployments}/d/status`, { spec: { replicas: 8 } }, merge);
      const { spec, status, metadata } = written.body as Shown;
      assert.deepEqual([spec['replicas'], status, metadata['annotations']], [1, { replicas: 5 }, { hook: 'yes' }]);
      assert.equal(objects()[0].spec['replicas'], 8);
    });
  });

  describe('of an update', () => {
    beforeEach(async () => {
      await send('DELETE', `${configMaps}/c`);
      await send('POST', configMaps, { metadata: { name: 'c' }, data: { a: '1' } });
      world.seen.length = 0;
    });

    it('are shown before the resourceVersion is compared', async () => {
      const stale = { metadata: { name: 'c', resourceVersion: '1' }, data: { a: '2' } };
      assert.equal((await send('PUT', `${configMaps}/c`, stale)).status, 409);
      assert.deepEqual([sentTo('/m'), sentTo('/v')], [1, 0]);
      world.at('/m', refuse);
      assert.equal((await send('PUT', `${configMaps}/c`, stale)).status, 400);
      world.at('/m', patchWith({ op: 'remove', path: '/metadata/resourceVersion' }));
      const written = await send('PUT', `${configMaps}/c`, stale);
      assert.deepEqual([written.status, (written.body as Shown).data], [200, { a: '2' }]);
    });

    it('can get a resourceVersion from a webhook, which is compared', async () => {
      world.at('/m', patchWith({ op: 'add', path: '/metadata/resourceVersion', value: '1' }));
      const refused = await send('PATCH', `${configMaps}/c`, { data: { a: '3' } }, merge);
      assert.equal(refused.status, 409, refused.text);
      assert.equal(sentTo('/v'), 0);
    });

    it('have the namespace that was sent, and keep theirs whatever a webhook does to it', async () => {
      await send('PUT', `${configMaps}/c`, { metadata: { name: 'c' }, data: { a: '2' } });
      assert.deepEqual(
        objects().map(({ metadata }) => metadata['namespace']),
        [undefined, 'default'],
      );
      world.at('/m', patchWith({ op: 'remove', path: '/metadata/namespace' }));
      const written = await send('PATCH', `${configMaps}/c`, { data: { a: '3' } }, merge);
      assert.deepEqual([written.status, (written.body as Shown).metadata['namespace']], [200, 'default']);
      world.at('/m', patchWith({ op: 'replace', path: '/metadata/namespace', value: 'kube-system' }));
      const moved = await send('PATCH', `${configMaps}/c`, { data: { a: '4' } }, merge);
      assert.equal(moved.status, 400, moved.text);
      assert.match(moved.text, /the namespace of the provided object does not match/);
    });
  });

  describe('of a Service', () => {
    const ports = [{ port: 80 }];
    const create = (name: string, spec: object, query = '') =>
      send('POST', `${services}${query}`, { metadata: { name }, spec: { ports, ...spec } });
    const nodePortOf = ({ spec }: Shown): unknown => (spec['ports'] as readonly { nodePort?: number }[])[0]?.nodePort;

    it('have their address and ports when they are validated', async () => {
      const created = await create('s', { type: 'NodePort' });
      assert.equal(created.status, 201, created.text);
      const [mutating, validating] = objects();
      assert.deepEqual([mutating.spec['clusterIP'], nodePortOf(mutating)], [undefined, undefined]);
      assert.deepEqual(validating.spec, (created.body as Shown).spec);
      assert.ok(validating.spec['clusterIP'] && nodePortOf(validating));
      await create('t', {});
      const updated = await send('PATCH', `${services}/t`, { spec: { type: 'NodePort' } }, merge);
      const [before, after] = objects();
      assert.equal(nodePortOf(before), undefined);
      assert.deepEqual(after.spec, (updated.body as Shown).spec);
      assert.ok(nodePortOf(after));
    });

    it('leave no address and no port behind when a webhook refuses them', async () => {
      world.at('/v', refuse);
      assert.equal((await create('refused', { type: 'NodePort' })).status, 400);
      const { clusterIP, ports: taken } = objects()[1].spec;
      world.at('/v', respond({}));
      const taker = await create('taker', { type: 'NodePort', clusterIP, ports: taken });
      assert.equal(taker.status, 201, taker.text);
      await create('changed', {});
      world.at('/v', refuse);
      assert.equal((await send('PATCH', `${services}/changed`, { spec: { type: 'NodePort' } }, merge)).status, 400);
      const nodePort = nodePortOf(objects()[1]);
      world.at('/v', respond({}));
      const next = await create('next', { type: 'NodePort', ports: [{ port: 80, nodePort }] });
      assert.equal(next.status, 201, next.text);
    });

    it('leave no port behind that they had before a conflict', async () => {
      await create('slow', {});
      const shown: unknown[] = [];
      world.at('/v', async (review, response) => {
        const nodePort = nodePortOf(review.request.object as unknown as Shown);
        if (nodePort !== undefined) shown.push(nodePort);
        if (shown.length === 1 && nodePort !== undefined) {
          await send('PATCH', `${services}/slow`, { metadata: { labels: { changed: 'meanwhile' } } }, merge);
        }
        return respond({})(review, response);
      });
      const written = await send('PATCH', `${services}/slow`, { spec: { type: 'NodePort' } }, merge);
      const [first, second, ...others] = shown;
      assert.deepEqual([nodePortOf(written.body as Shown), others], [second, []]);
      world.at('/v', respond({}));
      for (const [nodePort, status] of [
        [first, 201],
        [second, 422],
      ] as const) {
        const taker = await create(`taker-${status}`, { type: 'NodePort', ports: [{ port: 80, nodePort }] });
        assert.equal(taker.status, status, taker.text);
      }
    });

    it('keep their address when a webhook refuses to let it go', async () => {
      const { clusterIP } = ((await create('kept', {})).body as Shown).spec;
      world.at('/v', refuse);
      const change = { spec: { type: 'ExternalName', externalName: 'a.b', clusterIP: null, ports: null } };
      assert.equal((await send('PATCH', `${services}/kept`, change, merge)).status, 400);
      world.at('/v', respond({}));
      const second = await create('second', { clusterIP });
      assert.equal(second.status, 422, second.text);
      assert.match(second.text, /already allocated/);
    });

    it('are refused for a taken address before they are validated', async () => {
      const { clusterIP } = ((await create('first', {})).body as Shown).spec;
      world.seen.length = 0;
      assert.equal((await create('late', { clusterIP })).status, 422);
      assert.deepEqual([sentTo('/m'), sentTo('/v')], [1, 0]);
    });

    it('have an address in a dry run, which allocates nothing', async () => {
      const dry = await create('dry', { type: 'NodePort' }, '?dryRun=All');
      const [, validating] = objects();
      assert.deepEqual(validating.spec, (dry.body as Shown).spec);
      const [clusterIP, nodePort] = [validating.spec['clusterIP'], nodePortOf(validating)];
      const created = await create('wet', { type: 'NodePort', clusterIP, ports: [{ port: 80, nodePort }] });
      assert.equal(created.status, 201, created.text);
    });

    it('lose their allocations with a client that leaves while a webhook decides', async () => {
      const gone = new AbortController();
      world.at('/v', () => {});
      const { url: origin, token } = world.server;
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const body = JSON.stringify({ metadata: { name: 'left' }, spec: { ports } });
      const left = { origin, path: services, method: 'POST', headers, body, signal: gone.signal } as const;
      const sent = agentOf(world.server).request(left);
      await until('the webhook is called', () => sentTo('/v') > 0);
      gone.abort();
      await assert.rejects(sent);
      const { clusterIP } = objects()[1].spec;
      world.at('/v', respond({}));
      await until('the address is free', async () => (await create('heir', { clusterIP })).status === 201);
    });

    it('follow a webhook that replaces the address', async () => {
      const [one, two] = await Promise.all(
        ['one', 'two'].map(async (name) => {
          const { clusterIP } = ((await create(name, {})).body as Shown).spec;
          await send('DELETE', `${services}/${name}`);
          return clusterIP;
        }),
      );
      world.at('/m', patchWith({ op: 'replace', path: '/spec/clusterIP', value: two }));
      const created = await create('moved', { clusterIP: one });
      assert.equal(created.status, 201, created.text);
      assert.deepEqual((created.body as Shown).spec['clusterIPs'], [two]);
    });
  });

  describe('of a delete', () => {
    const optionsOf = () => reviews().map(({ options }) => ({ ...options, kind: undefined, apiVersion: undefined }));
    const both = (options: object) => [0, 1].map(() => ({ ...options, kind: undefined, apiVersion: undefined }));

    it('come with the uid of a Namespace, and not again while it is being deleted', async () => {
      const created = await send('POST', '/api/v1/namespaces', { metadata: { name: 'going' } });
      const { uid } = (created.body as Shown).metadata;
      await send('DELETE', '/api/v1/namespaces/going', { propagationPolicy: 'Background' });
      assert.deepEqual(optionsOf(), both({ propagationPolicy: 'Background', preconditions: { uid } }));
      world.seen.length = 0;
      await send('DELETE', '/api/v1/namespaces/going');
      assert.deepEqual(world.seen, []);
    });

    it('come with the grace period of a Pod, and not again unless it becomes shorter', async () => {
      const create = (name: string, nodeName?: string) =>
        send('POST', `${namespace}/pods`, { metadata: { name }, spec: { ...template.spec, nodeName } });
      await create('runs', 'n');
      await create('waits');
      await send('DELETE', `${namespace}/pods/runs`);
      assert.deepEqual(optionsOf(), both({ gracePeriodSeconds: 30 }));
      world.seen.length = 0;
      await send('DELETE', `${namespace}/pods/runs`);
      await send('DELETE', `${namespace}/pods/runs`, { gracePeriodSeconds: 40 });
      assert.deepEqual(world.seen, []);
      await send('DELETE', `${namespace}/pods/runs`, { gracePeriodSeconds: 5 });
      assert.deepEqual(optionsOf(), both({ gracePeriodSeconds: 5 }));
      world.seen.length = 0;
      await send('DELETE', `${namespace}/pods/waits`, { gracePeriodSeconds: 9 });
      assert.deepEqual(optionsOf(), both({ gracePeriodSeconds: 0 }));
      assert.equal(world.seen.length, 2);
    });
  });
});
