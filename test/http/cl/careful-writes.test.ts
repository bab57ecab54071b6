import assert from 'node:assert/strict';
import { request } from '../http-client.ts';
import { type ClServer, startClServer } from './cl-runner.ts';

const maps = '/api/v1/namespaces/default/configmaps';

const configMap = (name: string, data = '{a: b}', labels = '{}') =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, labels: ${labels}}\ndata: ${data}\n`;

interface Stored {
  readonly metadata: {
    readonly uid: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly managedFields: readonly object[];
  };
  readonly data: Readonly<Record<string, string>>;
}

describe('cl, writes that must lose nothing', () => {
  let cl: ClServer;
  before(async () => {
    cl = await startClServer();
  });
  after(() => cl[Symbol.asyncDispose]());

  const apply = (text: string, ...flags: string[]) => cl.pipe(text, 'apply -f -', ...flags);
  const stored = async (name: string): Promise<Stored> =>
    (await request(cl.server, 'GET', `${maps}/${name}`)).body as Stored;
  /** Creates a ConfigMap as a client that applies without the server. */
  const createAsClient = (name: string, data: object) =>
    request(cl.server, 'POST', `${maps}?fieldManager=kubectl-client-side-apply`, { metadata: { name }, data });

  describe('replace --force', () => {
    it('creates an object again from the file that a get wrote', async () => {
      await cl.pipe(configMap('again'), 'create -f -');
      const { metadata } = await stored('again');
      await cl.write('again.yaml', (await cl.run('get configmap again -o yaml')).out);
      const out = 'configmap "again" deleted from default namespace\nconfigmap/again replaced\n';
      assert.deepEqual(await cl.run('replace --force -f again.yaml'), { code: 0, out, err: '' });
      assert.notEqual((await stored('again')).metadata.uid, metadata.uid);
      await cl.run('delete configmap again');
      assert.equal((await cl.run('create -f again.yaml')).out, 'configmap/again created\n');
    });

    it('deletes nothing for a file that the server refuses', async () => {
      await cl.pipe(`${configMap('kept')}---\n${configMap('beside')}`, 'create -f -');
      const refused = await cl.pipe(
        `${configMap('beside')}---\n${configMap('kept', '{a: [b]}')}`,
        'replace --force -f -',
      );
      assert.deepEqual([refused.code, refused.out], [1, '']);
      assert.match(refused.err, /data/);
      assert.equal((await cl.run('get configmap kept beside -o name')).code, 0);
    });

    it('replaces what holds the address that the new object asks for', async () => {
      await cl.run('create service clusterip held --tcp=80');
      await cl.write('held.yaml', (await cl.run('get service held -o yaml')).out);
      const { code, err } = await cl.run('replace --force -f held.yaml');
      assert.deepEqual([code, err], [0, '']);
    });

    it('has no dry run', async () => {
      await cl.write('kept.yaml', configMap('kept'));
      for (const mode of ['client', 'server']) {
        const { code, out, err } = await cl.run(`replace --force --dry-run=${mode} -f kept.yaml`);
        assert.deepEqual([code, out, err], [1, '', 'error: --dry-run can not be used when --force is set\n']);
      }
    });
  });

  it('refuses a dry run of --raw, which the path would have to ask for', async () => {
    await cl.pipe(configMap('raw'), 'create -f -');
    await cl.write('raw.json', '{"metadata":{"name":"raw"}}');
    for (const line of [
      `delete --raw ${maps}/raw`,
      `create --raw ${maps} -f raw.json`,
      `replace --raw ${maps}/raw -f raw.json`,
    ]) {
      const { code, err } = await cl.run(`${line} --dry-run=server`);
      assert.equal(code, 1);
      assert.match(err, /^error: --dry-run cannot be used with --raw \(/);
    }
    assert.deepEqual((await stored('raw')).data, { a: 'b' });
  });

  it('replaces custom objects of which the file has no version', async () => {
    const names = { plural: 'plants', singular: 'plant', kind: 'Plant' };
    const schema = { openAPIV3Schema: { type: 'object', 'x-cluster-preserve-unknown-fields': true } };
    const definition = {
      apiVersion: 'apiextensions.cl.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'plants.garden.example' },
      spec: {
        group: 'garden.example',
        scope: 'Namespaced',
        names,
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      },
    };
    const plant = (height: number) => ({
      apiVersion: 'garden.example/v1',
      kind: 'Plant',
      metadata: { name: 'rose' },
      height,
    });
    const applied = await apply(`${JSON.stringify(definition)}\n---\n${JSON.stringify(plant(1))}`);
    assert.equal(applied.code, 0, applied.err);
    const replaced = await cl.pipe(JSON.stringify(plant(2)), 'replace -f -');
    assert.deepEqual(replaced, { code: 0, out: 'plant.garden.example/rose replaced\n', err: '' });
    assert.equal((await cl.run('get plant rose -o jsonpath={.height}')).out, '2');
  });

  describe('apply', () => {
    it('changes no owner of a field where it is refused', async () => {
      await createAsClient('owned', { a: '1', b: '2' });
      await cl.run('patch configmap owned --field-manager=other -p', '{"data":{"c":"9"}}');
      const before = await stored('owned');
      const refused = await apply(configMap('owned', '{a: "2", c: "3"}'));
      assert.equal(refused.code, 1);
      assert.match(refused.err, /^\.data\.c +other +3 +9$/m);
      assert.doesNotMatch(refused.err, /client-side-apply|\.data\.a/);
      assert.match(refused.err, /^error: Apply failed with 1 conflict: conflict with "other"/m);
      assert.deepEqual(await stored('owned'), before);
      assert.equal((await apply(configMap('owned', '{a: "2", c: "3"}'), '--force-conflicts')).code, 0);
      assert.deepEqual((await stored('owned')).data, { a: '2', c: '3' });
    });

    it('gives the owners back if only what it removes is refused', async () => {
      const spec = (image: object) => ({
        selector: { matchLabels: { app: 'a' } },
        template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', ...image }] } },
      });
      const deployments = '/apis/apps/v1/namespaces/default/deployments';
      const body = { metadata: { name: 'whole' }, spec: spec({ image: 'i' }) };
      await request(cl.server, 'POST', `${deployments}?fieldManager=kubectl-client-side-apply`, body);
      const managers = async () => {
        const { body: whole } = await request(cl.server, 'GET', `${deployments}/whole`);
        return (whole as Stored).metadata.managedFields;
      };
      const before = await managers();
      const part = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'whole' }, spec: spec({}) };
      const refused = await apply(JSON.stringify(part));
      assert.equal(refused.code, 1);
      assert.match(refused.err, /image/);
      assert.deepEqual(await managers(), before);
    });

    it('prunes nothing if no object of the files has the labels', async () => {
      await apply('apiVersion: v1\nkind: Namespace\nmetadata: {name: labelled, labels: {app: x}}\n');
      const { code, out, err } = await apply(configMap('unlabelled'), '--prune', '-l', 'app=x');
      assert.deepEqual([code, out], [1, '']);
      assert.match(err, /^error: no objects passed to apply/);
      assert.equal((await cl.run('get namespace labelled -o name')).out, 'namespace/labelled\n');
      assert.match((await cl.pipe(configMap('unlabelled'), 'create -f - -l app=x')).err, /^error: no objects passed/);
    });

    it('does not prune objects of which only a sub-resource was applied', async () => {
      await cl.run('create namespace watched');
      await cl.run('label namespace watched part=status');
      const status = 'apiVersion: v1\nkind: Namespace\nmetadata: {name: watched}\nstatus: {phase: Active}\n';
      const applied = await apply(status, '--subresource=status', '--force-conflicts');
      assert.equal(applied.code, 0, applied.err);
      const pruning = await apply(configMap('labelled', '{a: b}', '{part: status}'), '--prune', '-l', 'part=status');
      assert.deepEqual(pruning, { code: 0, out: 'configmap/labelled created\n', err: '' });
    });
  });

  describe('apply --applyset', () => {
    const applyIn = (set: string, text: string, ...flags: string[]) =>
      apply(text, '--prune', `--applyset=${set}`, ...flags);

    it('refuses an object of another use as its parent', async () => {
      await cl.run('create secret generic login --from-literal=a=b');
      const { code, out, err } = await applyIn('login', configMap('member'));
      assert.deepEqual([code, out], [1, '']);
      const key = 'applyset.cluster.io/tooling';
      assert.match(
        err,
        new RegExp(
          `^error: ApplySet parent object "secrets./login" already exists and is missing required annotation "${key}"`,
        ),
      );
      await cl.run('annotate secret login', `${key}=helm/v3`);
      assert.match((await applyIn('login', configMap('member'))).err, /is managed by tooling "helm" instead of "cl"/);
      await cl.run('annotate secret login --overwrite', `${key}=cl/v1`);
      assert.match((await applyIn('login', configMap('member'))).err, /does not have required label/);
      await cl.run('label secret login applyset.cluster.io/id=other');
      assert.match(
        (await applyIn('login', configMap('member'))).err,
        /incorrect value for label .*\(got: other, want: /,
      );
    });

    it('refuses objects of another set, unless they are taken over', async () => {
      assert.equal((await applyIn('one', configMap('shared'))).code, 0);
      const before = await stored('shared');
      const refused = await applyIn('two', configMap('shared'));
      assert.deepEqual([refused.code, refused.out], [1, '']);
      const [id] = Object.values(before.metadata.labels ?? {});
      assert.ok(refused.err.startsWith(`error: configmap/shared belongs to another apply set, ${id} (`), refused.err);
      assert.deepEqual(await stored('shared'), before);
      assert.equal((await applyIn('two', configMap('shared'), '--force-conflicts')).code, 0);
      assert.notDeepEqual((await stored('shared')).metadata.labels, before.metadata.labels);
    });

    it('refuses many objects of another set, which one list finds', async () => {
      const text = Array.from({ length: 9 }, (_, at) => configMap(`shared-${at}`)).join('---\n');
      assert.equal((await applyIn('one', text)).code, 0);
      const refused = await applyIn('two', text);
      assert.deepEqual([refused.code, refused.out], [1, '']);
      assert.equal(refused.err.match(/belongs to another apply set/g)?.length, 9);
    });

    it('refuses the name of a parent that it does not understand whole', async () => {
      for (const set of ['a/b/c', 'configmaps/', '/b']) {
        const { err } = await applyIn(set, configMap('member'));
        assert.ok(err.startsWith(`error: invalid parent reference "${set}": `), err);
      }
    });
  });
});
