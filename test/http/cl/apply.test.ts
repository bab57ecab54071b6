import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { idleConnections } from '../../idle-connections.ts';
import { request } from '../http-client.ts';
import { type ClRunner, createClRunner } from './cl-runner.ts';

const settings = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: ';
const configMap = (name: string, labels = '{}') =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  labels: ${labels}\ndata: {a: b}\n`;

interface Stored {
  readonly metadata: {
    readonly managedFields: readonly { readonly manager: string; readonly operation: string }[];
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly data: Readonly<Record<string, string>>;
}

describe('cl apply', () => {
  let server: TestServer;
  let cl: ClRunner;
  before(async () => {
    server = await startServer();
    cl = await createClRunner(server);
  });
  after(async () => {
    await server.stop();
    await cl.remove();
  });

  const apply = (text: string, ...flags: string[]) => cl.pipe(text, 'apply -f -', ...flags);
  const stored = async (name = 'settings'): Promise<Stored> =>
    (await request(server, 'GET', `/api/v1/namespaces/default/configmaps/${name}`)).body as Stored;
  const managers = async (name?: string) =>
    (await stored(name)).metadata.managedFields.map(({ manager, operation }) => ({ manager, operation }));

  it('creates and changes objects as the manager cl, and removes what a file no longer has', async () => {
    const created = await apply(`${settings}{a: '1', b: '2'}`);
    assert.deepEqual(created, { code: 0, out: 'configmap/settings created\n', err: '' });
    assert.equal((await apply(`${settings}{a: '3'}`)).out, 'configmap/settings configured\n');
    assert.equal((await apply(`${settings}{a: '3'}`)).out, 'configmap/settings unchanged\n');
    assert.equal((await apply(`${settings}{a: '3'}`, '--server-side')).out, 'configmap/settings serverside-applied\n');
    assert.deepEqual((await stored()).data, { a: '3' });
    assert.deepEqual(await managers(), [{ manager: 'cl', operation: 'Apply' }]);
  });

  it('reads documents as large as the server takes, several in a file', async () => {
    const lines = (key: string) =>
      Array.from({ length: 2000 }, (_, index) => `  ${key}${index}: "${'x'.repeat(60)}"`).join('\n');
    const documents = ['one', 'two'].map(
      (name) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata:\n${lines(name)}\n`,
    );
    const out = 'configmap/one created\nconfigmap/two created\n';
    assert.deepEqual(await apply(documents.join('---\n')), { code: 0, out, err: '' });
    const large = await apply(`${settings}{a: "${'x'.repeat(3 * 1024 * 1024)}"}`);
    assert.match(large.err, /document must have at most 3145728 bytes/);
  });

  it('refuses fields of another manager with both values, unless they are taken over', async () => {
    const other = await apply(`${settings}{a: '4'}`, '--field-manager=other');
    assert.equal(other.code, 1);
    assert.match(other.err, /^FIELD +MANAGER +YOURS +THEIRS\n\.data\.a +cl +4 +3$/m);
    assert.match(other.err, /^error: .*conflict with "cl".* \(.*--force-conflicts.*\)$/m);
    assert.equal((await apply(`${settings}{a: '4'}`, '--field-manager=other', '--force-conflicts')).code, 0);
    assert.deepEqual((await stored()).data, { a: '4' });
  });

  it('shows no value of a Secret in the table of conflicts', async () => {
    const secret = (value: string) =>
      `apiVersion: v1\nkind: Secret\nmetadata: {name: hidden}\nstringData: {}\ndata: {a: ${value}}`;
    await apply(secret('MTIzNA=='));
    const other = await apply(secret('NTY3OA=='), '--field-manager=other');
    assert.match(other.err, /^\.data\.a +cl +\*\*\* +\*\*\*$/m);
    assert.doesNotMatch(other.err, /MTIzNA|NTY3OA/);
    const annotated = (value: string) =>
      secret('MTIzNA==').replace(
        'name: hidden',
        `name: hidden, annotations: {last-applied: ${value}}, labels: {a: ${value}}`,
      );
    await apply(annotated('theirs'));
    const { err } = await apply(annotated('ours'), '--field-manager=other');
    assert.match(err, /^\.metadata\.annotations\.last-applied +cl +\*\*\* +\*\*\*$/m);
    assert.match(err, /^\.metadata\.labels\.a +cl +ours +theirs$/m);
  });

  it('shows with --dry-run what would be written, and refuses misspelled fields', async () => {
    const shown = await apply(`${settings}{a: '5'}`, '--dry-run=server', '--force-conflicts', '-o', 'yaml');
    assert.match(shown.out, /a: "5"/);
    const dry = (mode: string) => apply(`${settings}{a: '5'}`, `--dry-run=${mode}`, '--force-conflicts');
    assert.equal((await dry('server')).out, 'configmap/settings configured (server dry run)\n');
    assert.equal((await dry('client')).out, 'configmap/settings configured (dry run)\n');
    assert.deepEqual((await stored()).data, { a: '4' });
    assert.match((await apply(`${settings}{}\ndta: {}`)).err, /dta/);
    assert.equal((await cl.pipe(`${configMap('loose')}dta: {}`, 'create -f - --validate=ignore')).code, 0);
  });

  it('takes over what a client applied without the server, and removes its fields and its annotation', async () => {
    const manager = 'kubectl-client-side-apply';
    const annotations = { 'kubectl.cluster.io/last-applied-configuration': '{}', mine: '1' };
    const body = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'taken', annotations },
      data: { a: '1', b: '2' },
    };
    await request(server, 'POST', `/api/v1/namespaces/default/configmaps?fieldManager=${manager}`, body);
    const own = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: taken, annotations: {mine: "1"}}\ndata: {a: "2"}';
    const dry = { code: 0, out: 'configmap/taken configured (server dry run)\n', err: '' };
    assert.deepEqual(await apply(own, '--dry-run=server'), dry);
    assert.deepEqual(await apply(own), { code: 0, out: 'configmap/taken configured\n', err: '' });
    const { data, metadata } = await stored('taken');
    assert.deepEqual(data, { a: '2' });
    assert.deepEqual(metadata.annotations, { mine: '1' });
    assert.deepEqual(await managers('taken'), [{ manager: 'cl', operation: 'Apply' }]);
  });

  it('shows what was applied last, and records it for clients that apply without the server', async () => {
    await apply(configMap('recorded'));
    const shown = await cl.run('apply view-last-applied configmap/recorded -o json');
    assert.deepEqual((JSON.parse(shown.out) as Stored).data, { a: 'b' });
    await cl.write('recorded.yaml', configMap('recorded').replace('a: b', 'a: c'));
    const refused = await cl.run('apply set-last-applied -f recorded.yaml');
    assert.match(refused.err, /--create-annotation/);
    const set = await cl.run('apply set-last-applied -f recorded.yaml --create-annotation');
    assert.equal(set.out, 'configmap/recorded configured\n');
    assert.match((await cl.run('apply view-last-applied configmap recorded')).out, /^ {2}a: c$/m);
  });

  it('applies what others need first, and waits until definitions are served', async () => {
    const definition = `apiVersion: apiextensions.cl.io/v1
kind: CustomResourceDefinition
metadata: {name: plants.garden.example}
spec:
  group: garden.example
  scope: Namespaced
  names: {plural: plants, singular: plant, kind: Plant}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
`;
    const plant = 'apiVersion: garden.example/v1\nkind: Plant\nmetadata: {name: rose, namespace: garden}\n';
    const namespace = 'apiVersion: v1\nkind: Namespace\nmetadata: {name: garden}\n';
    assert.deepEqual(await apply([plant, definition, namespace].join('---\n')), {
      code: 0,
      out: [
        'namespace/garden created',
        'customresourcedefinition.apiextensions.cl.io/plants.garden.example created',
        'plant.garden.example/rose created\n',
      ].join('\n'),
      err: '',
    });
  });

  it('prunes by selector what was applied and is not in the files, and nothing else', async () => {
    await apply(`${configMap('kept', '{app: x}')}---\n${configMap('dropped', '{app: x}')}`);
    await cl.pipe(configMap('created', '{app: x}'), 'create -f -');
    const text = configMap('kept', '{app: x}');
    assert.equal((await apply(text, '--prune')).code, 1);
    const pruned = await apply(text, '--prune', '-l', 'app=x');
    assert.deepEqual(pruned, { code: 0, out: 'configmap/kept unchanged\nconfigmap/dropped pruned\n', err: '' });
    assert.equal((await cl.run('delete configmap created')).code, 0);
  });

  it('prunes by apply sets, whose parent records kinds and namespaces', async () => {
    await request(server, 'POST', '/api/v1/namespaces', { metadata: { name: 'other' } });
    const away = configMap('away').replace('name: away', 'name: away\n  namespace: other');
    const secret = 'apiVersion: v1\nkind: Secret\nmetadata: {name: s}\n';
    const first = await apply([configMap('here'), away, secret].join('---\n'), '--prune', '--applyset=set');
    assert.equal(first.code, 0, first.err);
    const parent = await request(server, 'GET', '/api/v1/namespaces/default/secrets/set');
    const { annotations = {}, managedFields } = (parent.body as Stored).metadata;
    assert.equal(annotations['applyset.cluster.io/contains-group-kinds'], 'ConfigMap,Secret');
    assert.equal(annotations['applyset.cluster.io/additional-namespaces'], 'other');
    assert.equal(managedFields[0]?.manager, 'cl-applyset');
    const second = await apply(configMap('here'), '--prune', '--applyset=set');
    assert.deepEqual(second.out.split('\n').toSorted(), [
      '',
      'configmap/away pruned',
      'configmap/here unchanged',
      'secret/s pruned',
    ]);
    assert.match((await apply(configMap('here'), '--applyset=set')).err, /--applyset needs --prune/);
  });

  it('reads folders, folders below them, and URLs', async () => {
    await mkdir(path.join(cl.directory, 'app', 'below'), { recursive: true });
    await cl.write('app/one.yaml', configMap('in-folder'));
    await cl.write('app/ignored.txt', 'no: manifest');
    await cl.write('app/below/two.json', '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"in-below"}}');
    assert.equal((await cl.run('apply -f app')).out, 'configmap/in-folder created\n');
    const out = 'configmap/in-below created\nconfigmap/in-folder unchanged\n';
    assert.equal((await cl.run('apply -R -f app')).out, out);
    const pages = createServer({ ...idleConnections }, ({ url }, response) => {
      response.statusCode = url === '/a.yaml' ? 200 : 404;
      response.end(configMap('from-url'));
    });
    await new Promise<void>((resolve) => void pages.listen(0, '127.0.0.1', resolve));
    const { port } = pages.address() as AddressInfo;
    assert.equal((await cl.run(`apply -f http://127.0.0.1:${port}/a.yaml`)).out, 'configmap/from-url created\n');
    assert.match((await cl.run(`apply -f http://127.0.0.1:${port}/b.yaml`)).err, /the server answered 404/);
    pages.close();
  });

  it('names the file and the line of what cannot be read', async () => {
    await cl.write('bad.yaml', `${configMap('good')}---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: [}\n`);
    assert.match((await cl.run('apply -f bad.yaml')).err, /^error: error parsing bad\.yaml: .*line 10/);
    await cl.write('twice.yaml', `${configMap('good')}kind: Secret\n`);
    assert.match((await cl.run('apply -f twice.yaml')).err, /kind.* is set twice/);
    assert.match((await cl.run('apply -f none.yaml')).err, /^error: none\.yaml does not exist/);
    assert.match((await cl.run('apply -k .')).err, /kustomize/);
  });
});
