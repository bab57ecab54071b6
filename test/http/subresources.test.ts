import assert from 'node:assert/strict';
import type { JsonObject } from '../../src/meta/json-value.ts';
import { objectAt, objectsAt, stringAt } from '../../src/meta/read-field.ts';
import { startServer, type TestServer } from '../../src/testing/index.ts';
import { type HttpResponse, request } from './http-client.ts';

const core = '/api/v1/namespaces/default';
const apps = '/apis/apps/v1/namespaces/default';
const mergePatch = { 'content-type': 'application/merge-patch+json' };
const jsonPatch = { 'content-type': 'application/json-patch+json' };

const template = (labels: JsonObject): JsonObject => ({
  metadata: { labels },
  spec: { containers: [{ name: 'main', image: 'nginx' }] },
});

const pod = (name: string, labels: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, labels },
  spec: { containers: [{ name: 'main', image: 'nginx' }] },
});

/** The kinds that can be scaled, each with a selector in its own form. */
const workloads = [
  {
    path: `${apps}/deployments`,
    object: {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      spec: {
        replicas: 2,
        selector: {
          matchLabels: { app: 'web' },
          matchExpressions: [{ key: 'tier', operator: 'NotIn', values: ['b', 'a'] }],
        },
        template: template({ app: 'web' }),
      },
    },
    selector: 'app=web,tier notin (a,b)',
  },
  {
    path: `${apps}/replicasets`,
    object: {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      spec: {
        replicas: 2,
        selector: { matchExpressions: [{ key: 'app', operator: 'Exists' }] },
        template: template({ app: 'web' }),
      },
    },
    selector: 'app',
  },
  {
    path: `${apps}/statefulsets`,
    object: {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      spec: {
        replicas: 2,
        serviceName: 'web',
        selector: { matchLabels: { app: 'web', a: 'first' } },
        template: template({ app: 'web', a: 'first' }),
      },
    },
    selector: 'a=first,app=web',
  },
  {
    path: `${core}/replicationcontrollers`,
    object: {
      apiVersion: 'v1',
      kind: 'ReplicationController',
      spec: { replicas: 2, selector: { tier: 'x', app: 'web' }, template: template({ app: 'web', tier: 'x' }) },
    },
    selector: 'app=web,tier=x',
  },
];

/** The body of an answer whose status is as expected. */
function bodyOf(response: HttpResponse, status: number): JsonObject {
  assert.equal(response.status, status, response.text);
  // Every answer here is a JSON document; each story looks at what it uses.
  return response.body as JsonObject;
}

function versionOf(object: JsonObject): string {
  return stringAt(objectAt(object, 'metadata'), 'resourceVersion');
}

describe('sub-resources', () => {
  let server: TestServer;
  const send = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    request(server, method, path, body, headers);

  before(async () => {
    server = await startServer({ store: 'memory' });
  });
  after(() => server.stop());

  for (const { path, object, selector } of workloads) {
    describe(`scale of ${object.kind}`, () => {
      const create = async (name: string): Promise<JsonObject> =>
        bodyOf(await send('POST', path, { ...object, metadata: { name } }), 201);

      it('shows the workload as a Scale with its identity, replicas and selector', async () => {
        const created = await create('shown');
        const scale = bodyOf(await send('GET', `${path}/shown/scale`), 200);
        assert.equal(scale['kind'], 'Scale');
        // A list fills the cache, out of which any state is answered.
        await send('GET', path);
        const cached = bodyOf(await send('GET', `${path}/shown/scale?resourceVersion=0`), 200);
        assert.deepEqual(cached, scale);
        assert.equal(scale['apiVersion'], 'autoscaling/v1');
        assert.deepEqual(scale['spec'], { replicas: 2 });
        assert.deepEqual(scale['status'], { replicas: 0, selector });
        for (const field of ['name', 'namespace', 'uid', 'resourceVersion', 'creationTimestamp']) {
          assert.equal(objectAt(scale, 'metadata')[field], objectAt(created, 'metadata')[field], field);
        }
      });

      it('changes replicas and generation, and nothing else, by update and by patch', async () => {
        const created = await create('changed');
        const scale = bodyOf(await send('GET', `${path}/changed/scale`), 200);
        const sent = { ...scale, spec: { replicas: 5 }, status: { replicas: 9, selector: 'no=no' } };
        const updated = bodyOf(await send('PUT', `${path}/changed/scale`, sent), 200);
        assert.deepEqual(updated['spec'], { replicas: 5 });
        assert.deepEqual(updated['status'], { replicas: 0, selector });
        await send('PATCH', `${path}/changed/scale`, { spec: { replicas: 7 } }, mergePatch);
        const patch = [{ op: 'replace', path: '/spec/replicas', value: 8 }];
        const patched = bodyOf(await send('PATCH', `${path}/changed/scale`, patch, jsonPatch), 200);
        assert.deepEqual(patched['spec'], { replicas: 8 });
        const workload = bodyOf(await send('GET', `${path}/changed`), 200);
        assert.equal(versionOf(workload), versionOf(patched));
        assert.equal(objectAt(workload, 'metadata')['generation'], 4);
        assert.deepEqual(objectAt(workload, 'spec'), { ...objectAt(created, 'spec'), replicas: 8 });
      });

      it('says who manages the replicas in the workload alone, as kube-apiserver does', async () => {
        await create('managed');
        const change = { spec: { replicas: 3 } };
        const scale = bodyOf(await send('PATCH', `${path}/managed/scale?fieldManager=scaler`, change, mergePatch), 200);
        const read = bodyOf(await send('GET', `${path}/managed/scale`), 200);
        for (const shown of [scale, read]) assert.equal(objectAt(shown, 'metadata')['managedFields'], undefined);
        const workload = bodyOf(await send('GET', `${path}/managed`), 200);
        const managers = objectsAt(objectAt(workload, 'metadata'), 'managedFields');
        const owner = managers.find(({ manager }) => manager === 'scaler');
        assert.equal(owner?.['subresource'], 'scale');
        assert.deepEqual(owner?.['fieldsV1'], { 'f:spec': { 'f:replicas': {} } });
      });

      it('gives nobody ownership of replicas that a Scale sets to 0, as kube-apiserver does', async () => {
        await create('unmanaged');
        const owners = async (): Promise<readonly unknown[]> => {
          const workload = bodyOf(await send('GET', `${path}/unmanaged`), 200);
          const managers = objectsAt(objectAt(workload, 'metadata'), 'managedFields');
          return managers.filter((one) => JSON.stringify(one).includes('f:replicas')).map((one) => one['manager']);
        };
        for (const replicas of [0, 3]) {
          const scale = `${path}/unmanaged/scale?fieldManager=scaler`;
          bodyOf(await send('PATCH', scale, { spec: { replicas } }, mergePatch), 200);
          assert.deepEqual(await owners(), []);
        }
        bodyOf(await send('PATCH', `${path}/unmanaged?fieldManager=user`, { spec: { replicas: 0 } }, mergePatch), 200);
        const again = `${path}/unmanaged/scale?fieldManager=scaler`;
        bodyOf(await send('PATCH', again, { spec: { replicas: 2 } }, mergePatch), 200);
        assert.deepEqual(await owners(), ['scaler']);
      });
    });
  }

  describe('scale', () => {
    const path = `${apps}/deployments`;
    const deployment = workloads[0]?.object;
    const create = async (name: string) => bodyOf(await send('POST', path, { ...deployment, metadata: { name } }), 201);
    const scaleOf = async (name: string) => bodyOf(await send('GET', `${path}/${name}/scale`), 200);

    it('refuses a stale resourceVersion and another uid with 409, and takes a Scale without either', async () => {
      await create('stale');
      const scale = await scaleOf('stale');
      await send('PATCH', `${path}/stale/scale`, { spec: { replicas: 3 } }, mergePatch);
      const stale = bodyOf(await send('PUT', `${path}/stale/scale`, scale), 409);
      assert.equal(stale['reason'], 'Conflict');
      const head = { kind: 'Scale', apiVersion: 'autoscaling/v1' };
      const other = { ...head, metadata: { name: 'stale', namespace: 'default', uid: 'x' }, spec: {} };
      const conflict = bodyOf(await send('PUT', `${path}/stale/scale`, other), 409);
      assert.match(stringAt(conflict, 'message'), /on deployments.apps "stale": Precondition failed: UID in precond/);
      const plain = { ...head, metadata: { name: 'stale', namespace: 'default' }, spec: {} };
      assert.deepEqual(bodyOf(await send('PUT', `${path}/stale/scale`, plain), 200)['spec'], {});
    });

    it('validates the metadata of a Scale, which must name its namespace', async () => {
      await create('nowhere');
      const head = { kind: 'Scale', apiVersion: 'autoscaling/v1', spec: { replicas: -1 } };
      const put = (metadata: JsonObject) => send('PUT', `${path}/nowhere/scale`, { ...head, metadata });
      const placed = { name: 'nowhere', namespace: 'default' };
      const fieldsOf = (body: JsonObject) =>
        objectsAt(objectAt(body, 'details'), 'causes').map((cause) => stringAt(cause, 'field'));
      assert.deepEqual(fieldsOf(bodyOf(await put({ name: 'nowhere' }), 422)), ['metadata.namespace', 'spec.replicas']);
      const labelled = bodyOf(await put({ ...placed, labels: { a: '-' }, finalizers: ['x'] }), 422);
      assert.deepEqual(fieldsOf(labelled), ['metadata.labels', 'metadata.finalizers[0]', 'spec.replicas']);
      const patch = { metadata: { namespace: null } };
      assert.deepEqual(fieldsOf(bodyOf(await send('PATCH', `${path}/nowhere/scale`, patch, mergePatch), 422)), [
        'metadata.namespace',
      ]);
    });

    it('refuses fewer than no replicas with 422 on the Scale', async () => {
      await create('negative');
      const response = await send('PATCH', `${path}/negative/scale`, { spec: { replicas: -1 } }, mergePatch);
      assert.equal(
        stringAt(bodyOf(response, 422), 'message'),
        'Scale.autoscaling "negative" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
      );
    });

    it('refuses another name, another kind and, where asked to be strict, unknown fields with 400', async () => {
      await create('refused');
      const scale = await scaleOf('refused');
      const renamed = { ...scale, metadata: { name: 'other' } };
      bodyOf(await send('PUT', `${path}/refused/scale`, renamed), 400);
      bodyOf(await send('PUT', `${path}/refused/scale`, { ...deployment, metadata: { name: 'refused' } }), 400);
      const unknown = { ...scale, spec: { replicas: 1, size: 2 } };
      const strict = await send('PUT', `${path}/refused/scale?fieldValidation=Strict`, unknown);
      assert.match(stringAt(bodyOf(strict, 400), 'message'), /unknown field "spec.size"/);
    });

    it('answers 404 for a workload that is not there, and 405 for other verbs', async () => {
      bodyOf(await send('GET', `${path}/nobody/scale`), 404);
      bodyOf(await send('PATCH', `${path}/nobody/scale`, {}, mergePatch), 404);
      bodyOf(await send('POST', `${path}/nobody/scale`, {}), 405);
      bodyOf(await send('DELETE', `${path}/nobody/scale`), 405);
    });

    it('is applied like any other object, and conflicts with who owns the replicas', async () => {
      await create('applied');
      const apply = { 'content-type': 'application/apply-patch+yaml' };
      const scale = {
        apiVersion: 'autoscaling/v1',
        kind: 'Scale',
        metadata: { name: 'applied' },
        spec: { replicas: 4 },
      };
      const applied = `${path}/applied/scale?fieldManager=autoscaler`;
      const refused = bodyOf(await send('PATCH', applied, scale, apply), 409);
      assert.equal(objectsAt(objectAt(refused, 'details'), 'causes')[0]?.['field'], '.spec.replicas');
      assert.deepEqual(bodyOf(await send('PATCH', `${applied}&force=true`, scale, apply), 200)['spec'], {
        replicas: 4,
      });
      const managers = objectsAt(
        objectAt(bodyOf(await send('GET', `${path}/applied`), 200), 'metadata'),
        'managedFields',
      );
      const owner = managers.find(({ manager }) => manager === 'autoscaler');
      assert.deepEqual([owner?.['operation'], owner?.['subresource']], ['Apply', 'scale']);
    });

    it('writes nothing where nothing changes, and nothing in a dry run', async () => {
      const created = await create('same');
      await send('PATCH', `${path}/same/scale`, { spec: { replicas: 2 } }, mergePatch);
      const dry = await send('PATCH', `${path}/same/scale?dryRun=All`, { spec: { replicas: 6 } }, mergePatch);
      assert.deepEqual(bodyOf(dry, 200)['spec'], { replicas: 6 });
      assert.equal(versionOf(await scaleOf('same')), versionOf(created));
    });
  });

  describe('binding of a pod', () => {
    const binding = (name: string, node = 'node-1', metadata: JsonObject = {}): JsonObject => ({
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name, ...metadata },
      target: { kind: 'Node', name: node },
    });

    for (const [how, pathOf] of [
      ['its sub-resource', (name: string) => `${core}/pods/${name}/binding`],
      ['the resource bindings', () => `${core}/bindings`],
    ] as const) {
      it(`assigns the pod to a node, once, through ${how}`, async () => {
        const name = how.includes('sub') ? 'bound-1' : 'bound-2';
        await send('POST', `${core}/pods`, pod(name));
        const sent = binding(name, 'node-1', { annotations: { chosen: 'by me' }, labels: { zone: 'a' } });
        assert.deepEqual(bodyOf(await send('POST', pathOf(name), sent), 201), {
          kind: 'Status',
          apiVersion: 'v1',
          metadata: {},
          status: 'Success',
          code: 201,
        });
        const bound = bodyOf(await send('GET', `${core}/pods/${name}`), 200);
        assert.equal(objectAt(bound, 'spec')['nodeName'], 'node-1');
        assert.deepEqual(objectAt(bound, 'metadata')['annotations'], { chosen: 'by me' });
        assert.deepEqual(objectAt(bound, 'metadata')['labels'], { zone: 'a' });
        const [condition] = objectsAt(objectAt(bound, 'status'), 'conditions');
        assert.equal(condition?.['type'], 'PodScheduled');
        assert.equal(condition?.['status'], 'True');
        const again = bodyOf(await send('POST', pathOf(name), binding(name, 'node-2')), 409);
        assert.equal(
          again['message'],
          `Operation cannot be fulfilled on pods/binding "${name}": pod ${name} is already assigned to node "node-1"`,
        );
      });
    }

    it('is won by one of many schedulers', async () => {
      await send('POST', `${core}/pods`, pod('wanted'));
      const nodes = Array.from({ length: 8 }, (_, index) => `node-${index}`);
      const responses = await Promise.all(
        nodes.map((node) => send('POST', `${core}/pods/wanted/binding`, binding('wanted', node))),
      );
      assert.equal(responses.filter(({ status }) => status === 201).length, 1);
      assert.equal(responses.filter(({ status }) => status === 409).length, 7);
      const winner = nodes[responses.findIndex(({ status }) => status === 201)];
      assert.equal(objectAt(bodyOf(await send('GET', `${core}/pods/wanted`), 200), 'spec')['nodeName'], winner);
    });

    it('holds to a uid and a resourceVersion that the scheduler has seen', async () => {
      const created = bodyOf(await send('POST', `${core}/pods`, pod('seen')), 201);
      const path = `${core}/pods/seen/binding`;
      bodyOf(await send('POST', path, binding('seen', 'n', { uid: 'another' })), 409);
      await send('PATCH', `${core}/pods/seen`, { metadata: { labels: { a: 'b' } } }, mergePatch);
      bodyOf(await send('POST', path, binding('seen', 'n', { resourceVersion: versionOf(created) })), 409);
      const { uid } = objectAt(created, 'metadata');
      bodyOf(await send('POST', path, binding('seen', 'n', { uid: uid ?? null })), 201);
    });

    it('refuses another name with 400, a missing pod with 404, a bad target in words alone, and writes nothing in a dry run', async () => {
      await send('POST', `${core}/pods`, pod('unbound'));
      const path = `${core}/pods/unbound/binding`;
      bodyOf(await send('POST', path, binding('other')), 400);
      bodyOf(await send('POST', `${core}/bindings`, { ...binding(''), metadata: {} }), 400);
      bodyOf(await send('POST', `${core}/pods/nobody/binding`, binding('nobody')), 404);
      const named = bodyOf(await send('POST', path, { ...binding('unbound'), target: { kind: 'Pod', name: '' } }), 500);
      assert.equal(named['reason'], undefined);
      assert.equal(
        named['message'],
        '[target.kind: Unsupported value: "Pod": supported values: "Node", "<empty>", target.name: Required value]',
      );
      bodyOf(await send('POST', path, { ...binding('unbound'), target: {} }), 500);
      bodyOf(await send('POST', `${path}?dryRun=All`, binding('unbound')), 201);
      const { spec } = bodyOf(await send('GET', `${core}/pods/unbound`), 200);
      assert.equal((spec as JsonObject)['nodeName'], undefined);
    });

    it('can only be created', async () => {
      bodyOf(await send('GET', `${core}/pods/unbound/binding`), 405);
      bodyOf(await send('PUT', `${core}/bindings`, {}), 405);
      bodyOf(await send('GET', `${core}/bindings`), 405);
    });
  });

  describe('eviction of a pod', () => {
    const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
    const eviction = (name: string, version = 'policy/v1', deleteOptions?: JsonObject): JsonObject => ({
      apiVersion: version,
      kind: 'Eviction',
      metadata: { name },
      ...(deleteOptions ? { deleteOptions } : {}),
    });

    /** A pod on a node that runs and, unless told otherwise, is ready. */
    async function running(name: string, labels: JsonObject, ready = 'True'): Promise<void> {
      bodyOf(await send('POST', `${core}/pods`, pod(name, labels)), 201);
      const status = { phase: 'Running', conditions: [{ type: 'Ready', status: ready }] };
      bodyOf(await send('PATCH', `${core}/pods/${name}/status`, { status }, mergePatch), 200);
    }

    async function budget(name: string, labels: JsonObject, allowed: number): Promise<void> {
      const spec = { minAvailable: 1, selector: { matchLabels: labels } };
      const made = { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name }, spec };
      bodyOf(await send('POST', budgets, made), 201);
      const counts = { disruptionsAllowed: allowed, currentHealthy: 1 + allowed, desiredHealthy: 1, expectedPods: 2 };
      const status = { observedGeneration: 1, ...counts };
      bodyOf(await send('PATCH', `${budgets}/${name}/status`, { status }, mergePatch), 200);
    }

    const budgetStatus = async (name: string) =>
      objectAt(bodyOf(await send('GET', `${budgets}/${name}`), 200), 'status');

    for (const version of ['policy/v1', 'policy/v1beta1']) {
      it(`deletes a pod that no budget speaks of (${version})`, async () => {
        await running('free', { app: 'free' });
        const response = bodyOf(await send('POST', `${core}/pods/free/eviction`, eviction('free', version)), 201);
        assert.equal(response['status'], 'Success');
        bodyOf(await send('GET', `${core}/pods/free`), 404);
      });
    }

    it('takes one disruption from the budget and notes for which pod', async () => {
      await budget('spent', { app: 'spent' }, 1);
      await running('spent-1', { app: 'spent' });
      await running('spent-2', { app: 'spent' });
      bodyOf(await send('POST', `${core}/pods/spent-1/eviction`, eviction('spent-1')), 201);
      const status = await budgetStatus('spent');
      assert.equal(status['disruptionsAllowed'], 0);
      assert.deepEqual(Object.keys(objectAt(status, 'disruptedPods')), ['spent-1']);
      assert.equal(objectsAt(status, 'conditions')[0]?.['reason'], 'InsufficientPods');
      const refused = bodyOf(await send('POST', `${core}/pods/spent-2/eviction`, eviction('spent-2')), 429);
      assert.equal(refused['reason'], 'TooManyRequests');
      assert.equal(refused['message'], "Cannot evict pod as it would violate the pod's disruption budget.");
      assert.deepEqual(objectsAt(objectAt(refused, 'details'), 'causes'), [
        { reason: 'DisruptionBudget', message: 'The disruption budget spent needs 1 healthy pods and has 2 currently' },
      ]);
      bodyOf(await send('GET', `${core}/pods/spent-2`), 200);
    });

    it('never spends more than the budget has, however many evict at once', async () => {
      await budget('crowd', { app: 'crowd' }, 3);
      const names = Array.from({ length: 10 }, (_, index) => `crowd-${index}`);
      for (const name of names) await running(name, { app: 'crowd' });
      const responses = await Promise.all(
        names.map((name) => send('POST', `${core}/pods/${name}/eviction`, eviction(name))),
      );
      assert.equal(responses.filter(({ status }) => status === 201).length, 3);
      assert.equal(responses.filter(({ status }) => status === 429).length, 7);
      assert.equal((await budgetStatus('crowd'))['disruptionsAllowed'], 0);
    });

    it('asks to try again where the controller has not seen the budget yet', async () => {
      const spec = { selector: { matchLabels: { app: 'new' } } };
      await send('POST', budgets, {
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata: { name: 'new' },
        spec,
      });
      await running('new', { app: 'new' });
      const response = await send('POST', `${core}/pods/new/eviction`, eviction('new'));
      assert.equal(objectAt(bodyOf(response, 429), 'details')['retryAfterSeconds'], 10);
      assert.equal(response.headers['retry-after'], '10');
    });

    it('needs no budget for a pod that has not begun, has ended, or does not serve', async () => {
      await budget('idle', { app: 'idle' }, 0);
      await send('POST', `${core}/pods`, pod('pending', { app: 'idle' }));
      bodyOf(await send('POST', `${core}/pods/pending/eviction`, eviction('pending')), 201);
      await running('ended', { app: 'idle' });
      await send('PATCH', `${core}/pods/ended/status`, { status: { phase: 'Failed' } }, mergePatch);
      bodyOf(await send('POST', `${core}/pods/ended/eviction`, eviction('ended')), 201);
      await running('unready', { app: 'idle' }, 'False');
      bodyOf(await send('POST', `${core}/pods/unready/eviction`, eviction('unready')), 201);
      assert.equal((await budgetStatus('idle'))['disruptionsAllowed'], 0);
    });

    it('refuses a pod of two budgets with 500', async () => {
      await budget('one', { app: 'twice' }, 1);
      await budget('two', { app: 'twice' }, 1);
      await running('twice', { app: 'twice' });
      const response = bodyOf(await send('POST', `${core}/pods/twice/eviction`, eviction('twice')), 500);
      assert.match(stringAt(response, 'message'), /^This pod has more than one PodDisruptionBudget/);
    });

    it('holds to the delete options: preconditions, and dry runs in query and body', async () => {
      await budget('dry', { app: 'dry' }, 1);
      await running('dry', { app: 'dry' });
      const path = `${core}/pods/dry/eviction`;
      bodyOf(await send('POST', `${path}?dryRun=All`, eviction('dry')), 201);
      bodyOf(await send('POST', path, eviction('dry', 'policy/v1', { dryRun: ['All'] })), 201);
      assert.equal((await budgetStatus('dry'))['disruptionsAllowed'], 1);
      bodyOf(await send('GET', `${core}/pods/dry`), 200);
      await running('kept', { app: 'kept' });
      const other = eviction('kept', 'policy/v1', { preconditions: { uid: 'another' } });
      bodyOf(await send('POST', `${core}/pods/kept/eviction`, other), 409);
      const junk = eviction('kept', 'policy/v1', { propagationPolicy: 'Perhaps' });
      bodyOf(await send('POST', `${core}/pods/kept/eviction`, junk), 422);
      bodyOf(await send('POST', `${core}/pods/kept/eviction`, eviction('other')), 400);
      bodyOf(await send('POST', `${core}/pods/nobody/eviction`, eviction('nobody')), 404);
    });
  });

  describe('a body that is not what a sub-resource takes', () => {
    const path = `${core}/pods/nobody/eviction`;
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'nobody' } };
    const bodies: readonly (readonly [what: string, path: string, body: unknown, says: RegExp])[] = [
      ['another version', path, { ...eviction, apiVersion: 'policy/v9' }, /no kind "Eviction" is registered/],
      ['another kind', path, pod('nobody'), /Pod in version "v1" cannot be handled as a Eviction/],
      ['no JSON', path, '{', /the object provided is unrecognized/],
      [
        'a field of another type',
        path,
        { ...eviction, deleteOptions: { gracePeriodSeconds: 'x' } },
        /cannot be handled/,
      ],
      ['an unknown field', `${path}?fieldValidation=Strict`, { ...eviction, more: 1 }, /unknown field "more"/],
      ['another namespace', path, { ...eviction, metadata: { name: 'nobody', namespace: 'x' } }, /namespace/],
    ];
    for (const [what, where, body, says] of bodies) {
      it(`is refused with 400: ${what}`, async () => {
        assert.match(stringAt(bodyOf(await send('POST', where, body), 400), 'message'), says);
      });
    }

    it('gets a warning for an unknown field if validation only warns', async () => {
      await send('POST', `${core}/pods`, pod('warned'));
      const sent = { ...eviction, metadata: { name: 'warned' }, more: 1 };
      const response = await send('POST', `${core}/pods/warned/eviction`, sent);
      assert.equal(response.status, 201, response.text);
      assert.match(String(response.headers['warning']), /unknown field/);
    });
  });

  describe('ephemeral containers of a pod', () => {
    const path = (name: string): string => `${core}/pods/${name}/ephemeralcontainers`;
    const looker = { name: 'looker', image: 'busybox', targetContainerName: 'main' };

    it('are added to the pod, and nothing else of it changes', async () => {
      const created = bodyOf(await send('POST', `${core}/pods`, pod('looked-at')), 201);
      const spec = { ...objectAt(created, 'spec'), nodeName: 'elsewhere', ephemeralContainers: [looker] };
      const metadata = { ...objectAt(created, 'metadata'), labels: { changed: 'yes' } };
      const updated = bodyOf(await send('PUT', path('looked-at'), { ...created, metadata, spec }), 200);
      assert.equal(objectsAt(objectAt(updated, 'spec'), 'ephemeralContainers')[0]?.['name'], 'looker');
      assert.equal(objectAt(updated, 'spec')['nodeName'], undefined);
      assert.equal(objectAt(updated, 'metadata')['labels'], undefined);
      const patch = [{ op: 'add', path: '/spec/ephemeralContainers/-', value: { name: 'two', image: 'busybox' } }];
      const patched = bodyOf(await send('PATCH', path('looked-at'), patch, jsonPatch), 200);
      assert.equal(objectsAt(objectAt(patched, 'spec'), 'ephemeralContainers').length, 2);
      assert.deepEqual(bodyOf(await send('GET', path('looked-at')), 200), patched);
    });

    it('stay as they are once they are there', async () => {
      await send('POST', `${core}/pods`, pod('stays'));
      const add = { spec: { ephemeralContainers: [looker] } };
      bodyOf(await send('PATCH', path('stays'), add, mergePatch), 200);
      const removed = await send('PATCH', path('stays'), { spec: { ephemeralContainers: [] } }, mergePatch);
      assert.match(stringAt(bodyOf(removed, 422), 'message'), /may not be removed/);
      const changed = { spec: { ephemeralContainers: [{ ...looker, image: 'other' }] } };
      assert.match(
        stringAt(bodyOf(await send('PATCH', path('stays'), changed, mergePatch), 422), 'message'),
        /may not be changed/,
      );
    });

    it('are refused with every error of theirs', async () => {
      await send('POST', `${core}/pods`, pod('wrong'));
      const container = { name: 'main', targetContainerName: 'nobody', ports: [{ containerPort: 80 }] };
      const add = { spec: { ephemeralContainers: [container] } };
      const causes = objectsAt(
        objectAt(bodyOf(await send('PATCH', path('wrong'), add, mergePatch), 422), 'details'),
        'causes',
      );
      const fields = new Set(causes.map(({ field }) => field));
      for (const field of ['name', 'image', 'targetContainerName', 'ports']) {
        assert.ok(fields.has(`spec.ephemeralContainers[0].${field}`), field);
      }
    });
  });

  describe('component statuses', () => {
    it('tell how the store is and who holds no lease, warn, and can only be read', async () => {
      const response = await send('GET', '/api/v1/componentstatuses');
      assert.match(String(response.headers['warning']), /v1 ComponentStatus is deprecated in v1\.19\+/);
      assert.deepEqual(bodyOf(response, 200)['metadata'], {});
      const items = objectsAt(bodyOf(response, 200), 'items');
      const healthOf = new Map(
        items.map((item) => [objectAt(item, 'metadata')['name'], objectsAt(item, 'conditions')[0]]),
      );
      assert.equal(healthOf.get('etcd-0')?.['status'], 'True');
      assert.equal(healthOf.get('scheduler')?.['status'], 'Unknown');
      const one = bodyOf(await send('GET', '/api/v1/componentstatuses/etcd-0'), 200);
      assert.equal(one['kind'], 'ComponentStatus');
      bodyOf(await send('GET', '/api/v1/componentstatuses/nobody'), 404);
      bodyOf(await send('DELETE', '/api/v1/componentstatuses'), 405);
      bodyOf(await send('GET', '/api/v1/componentstatuses?watch=true'), 405);
    });

    it('call a component well while its lease is renewed', async () => {
      const leases = '/apis/coordination.cl.io/v1/namespaces/cl-system/leases';
      const spec = {
        holderIdentity: 'me',
        leaseDurationSeconds: 60,
        renewTime: new Date().toISOString().replace('Z', '000Z'),
      };
      const lease = { apiVersion: 'coordination.cl.io/v1', kind: 'Lease', metadata: { name: 'cl-scheduler' }, spec };
      bodyOf(await send('POST', leases, lease), 201);
      const healthOf = async () =>
        objectsAt(bodyOf(await send('GET', '/api/v1/componentstatuses/scheduler'), 200), 'conditions')[0]?.['status'];
      assert.equal(await healthOf(), 'True');
      await send('PATCH', `${leases}/cl-scheduler`, { spec: { renewTime: '2020-01-01T00:00:00.000000Z' } }, mergePatch);
      assert.equal(await healthOf(), 'False');
    });
  });
});
