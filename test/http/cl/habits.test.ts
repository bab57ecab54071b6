import assert from 'node:assert/strict';
import { type ClServer, startClServer } from './cl-runner.ts';

const web = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 0
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: main, image: i, env: [{name: OLD, value: x}]}]
      initContainers: [{name: first, image: i}]
`;

describe('cl for users of kubectl', () => {
  let cl: ClServer;
  before(async () => {
    cl = await startClServer();
    await cl.write('web.yaml', web);
    await cl.write('empty.yaml', '');
    await cl.run('create -f web.yaml');
    await cl.run('create secret generic sec --from-literal=A=hidden');
    await cl.run('create configmap settings --from-literal=log.level=debug');
  });
  after(async () => cl[Symbol.asyncDispose]());

  it('rollout status without a name is about all of the type', async () => {
    const one = await cl.run('rollout status deployments/web --watch=false');
    assert.equal(one.code, 0);
    assert.deepEqual(await cl.run('rollout status deployments --watch=false'), one);
    assert.deepEqual(await cl.run('rollout status statefulsets'), {
      code: 0,
      out: '',
      err: 'No resources found in default namespace.\n',
    });
  });

  it('a watch ends with the time of --request-timeout', async () => {
    const { code, out, err } = await cl.run('get configmaps settings --watch -o name --request-timeout=300ms');
    assert.deepEqual([code, out, err], [0, 'configmap/settings\n', '']);
  });

  it('a refusal of an object of a file names the file', async () => {
    const object = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: none}\n';
    await cl.write('none.yaml', object);
    for (const [line, doing] of [
      ['replace -f none.yaml', 'replacing "none.yaml"'],
      ['delete -f none.yaml', 'deleting "none.yaml"'],
      ['delete -f -', 'deleting "STDIN"'],
    ] as const) {
      const { code, err } = await cl.pipe(object, line);
      assert.deepEqual(
        [code, err],
        [1, `Error from server (NotFound): error when ${doing}: configmaps "none" not found\n`],
      );
    }
    const there = 'deployments.apps "web" already exists';
    assert.equal(
      (await cl.run('create -f web.yaml')).err,
      `Error from server (AlreadyExists): error when creating "web.yaml": ${there}\n`,
    );
    assert.equal((await cl.run('delete -f none.yaml --ignore-not-found')).code, 0);
    assert.equal(
      (await cl.run('delete configmap none')).err,
      'Error from server (NotFound): configmaps "none" not found\n',
    );
  });

  it('a file that cannot be parsed has one line number, that of the file', async () => {
    await cl.write('bad.yaml', `${web}---\napiVersion: v1\nbad: [a\nkind: ConfigMap\n`);
    const { code, err } = await cl.run('create -f bad.yaml');
    assert.equal(code, 1);
    assert.match(err, /^error: error parsing bad\.yaml: error converting YAML to JSON: yaml: line 15: [^\d]*$/);
  });

  it('files without objects have no differences', async () => {
    assert.deepEqual(await cl.run('diff -f empty.yaml'), { code: 0, out: '', err: '' });
    const none = await cl.run('diff');
    assert.deepEqual([none.code, none.err], [2, 'error: must specify one of -f and -k\n']);
  });

  it('flags that mean nothing without a watch are refused', async () => {
    const { code, err } = await cl.run('get pods --output-watch-events');
    assert.equal(code, 1);
    assert.match(err, /--output-watch-events option can only be used with --watch or --watch-only/);
  });

  it('the list of variables has those that are being added, with their values if asked', async () => {
    const heading = '# Deployment web, container main\n';
    const added = await cl.run('set env deployment/web NEW=1 OLD- --list -c main');
    assert.equal(added.out, `${heading}NEW=1\n`);
    const secret = 'set env deployment/web --from=secret/sec --list -c main';
    assert.equal((await cl.run(secret)).out, `${heading}OLD=x\n# A from secret sec, key A\n`);
    assert.equal((await cl.run(`${secret} --resolve`)).out, `${heading}OLD=x\nA=hidden\n`);
    const { out, err } = await cl.run('set env deployment/web --from=configmap/settings --list --resolve -c main');
    assert.equal(out, `${heading}OLD=x\nLOG_LEVEL=debug\n`);
    assert.equal(err, 'Warning: key log.level transferred to LOG_LEVEL\n');
    assert.match((await cl.run('get deployment web -o yaml')).out, /name: OLD/);
  });
});
