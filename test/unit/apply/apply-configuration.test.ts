import assert from 'node:assert/strict';
import { schemaOf } from '../../../src/scheme/schema-of.ts';
import { story, type Story } from './story.ts';

const configMap = (): Story => story({ v1: { schema: schemaOf('api.core.v1.ConfigMap') } });
const template = (): Story => story({ v1: { schema: schemaOf('api.core.v1.PodTemplate') } });
const deployment = (): Story => story({ 'apps/v1': { schema: schemaOf('api.apps.v1.Deployment') } });
const service = (): Story => story({ v1: { schema: schemaOf('api.core.v1.Service') } });

describe('applying a configuration', () => {
  it('creates the object and owns what it sets', () => {
    const s = configMap();
    s.apply('alice', 'metadata: {name: a, labels: {l: x}}\ndata: {a: "1", b: "2"}');
    assert.deepEqual(s.object['data'], { a: '1', b: '2' });
    assert.deepEqual(s.owners, { alice: ['.data.a', '.data.b', '.metadata.labels.l'] });
  });

  it('a second time changes nothing, not even the time', () => {
    const s = configMap();
    for (let i = 0; i < 3; i++) s.apply('alice', 'data: {a: "1"}');
    assert.equal(s.writes, 1);
    assert.deepEqual(s.times, { alice: 't1' });
  });

  it('leaves alone what others have', () => {
    const s = configMap();
    s.update('bob', 'data: {b: "2"}');
    s.apply('alice', 'data: {a: "1"}');
    assert.deepEqual(s.object['data'], { a: '1', b: '2' });
    assert.deepEqual(s.owners, { alice: ['.data.a'], 'bob (Update)': ['.data', '.data.b'] });
  });

  it('removes what its manager applied before and now leaves out', () => {
    const s = configMap();
    s.apply('alice', 'metadata: {labels: {l: x}}\ndata: {a: "1", b: "2"}');
    s.apply('alice', 'data: {a: "1"}');
    assert.deepEqual(s.object['data'], { a: '1' });
    assert.deepEqual(s.owners, { alice: ['.data.a'] });
    assert.equal('labels' in (s.object['metadata'] as object), false);
  });

  it('keeps what another applier or an updater owns too', () => {
    const s = configMap();
    s.update('upd', 'data: {u: "1"}');
    s.apply('alice', 'data: {a: "1", u: "1"}');
    s.apply('bob', 'data: {a: "1"}');
    s.apply('alice', 'data: {}');
    assert.deepEqual(s.object['data'], { u: '1', a: '1' });
    s.apply('bob', 'metadata: {name: a}');
    assert.deepEqual(s.object['data'], { u: '1' });
    assert.deepEqual(s.owners['upd (Update)'], ['.data', '.data.u']);
  });

  it('conflicts with an applier who set another value', () => {
    const s = configMap();
    s.apply('alice', 'data: {a: "1"}');
    assert.equal(s.conflict('bob', 'data: {a: "2"}'), 'Apply failed with 1 conflict: conflict with "alice": .data.a');
    assert.deepEqual(s.object['data'], { a: '1' });
  });

  it('lists the conflicts with all managers, and the version of updaters', () => {
    const s = configMap();
    s.apply('alice', 'metadata: {labels: {l: x}}\ndata: {a: "1"}');
    s.patch('upd', 'data: {c: "3"}');
    assert.equal(
      s.conflict('bob', 'metadata: {labels: {l: z}}\ndata: {a: "2", c: "4"}'),
      'Apply failed with 3 conflicts: conflicts with "alice":\n- .data.a\n- .metadata.labels.l\nconflicts with "upd" using v1:\n- .data.c',
    );
  });

  it('conflicts with its own updates', () => {
    const s = configMap();
    s.update('me', 'data: {a: "1"}');
    assert.match(s.conflict('me', 'data: {a: "2"}'), /conflict with "me" using v1: \.data\.a$/);
  });

  it('names the sub-resource through which a field was set', () => {
    const s = deployment();
    s.update('scaler', 'spec: {replicas: 3}', { subresource: 'scale' });
    assert.equal(
      s.conflict('alice', 'spec: {replicas: 1}'),
      'Apply failed with 1 conflict: conflict with "scaler" with subresource "scale" using apps/v1: .spec.replicas',
    );
  });

  it('shares what it sets to the same value', () => {
    const s = configMap();
    s.apply('alice', 'data: {a: "1"}');
    s.apply('bob', 'data: {a: "1"}');
    assert.deepEqual(s.owners, { alice: ['.data.a'], bob: ['.data.a'] });
  });

  it('by force takes the fields from their owners', () => {
    const s = configMap();
    s.apply('alice', 'data: {a: "1", b: "2"}');
    s.apply('bob', 'data: {a: "9"}', { force: true });
    assert.deepEqual(s.object['data'], { a: '9', b: '2' });
    assert.deepEqual(s.owners, { alice: ['.data.b'], bob: ['.data.a'] });
  });

  it('is undone by updates, which move the ownership', () => {
    const s = configMap();
    s.apply('alice', 'data: {a: "1"}');
    s.patch('upd', 'data: {a: "2"}');
    assert.deepEqual(s.owners, { 'upd (Update)': ['.data.a'] });
    assert.match(s.conflict('alice', 'data: {a: "1"}'), /conflict with "upd" using v1/);
  });

  it('takes what an object had before for the property of nobody known', () => {
    const s = configMap();
    s.update('old', 'data: {a: "1", b: "2"}');
    s.strip();
    assert.match(s.conflict('alice', 'data: {a: "2"}'), /conflict with "before-first-apply" using v1: \.data\.a$/);
    s.apply('alice', 'data: {a: "1"}');
    assert.deepEqual(s.owners, {
      alice: ['.data.a'],
      'before-first-apply (Update)': ['.data', '.data.a', '.data.b'],
    });
    s.apply('alice', 'data: {}');
    assert.deepEqual(s.object['data'], { a: '1', b: '2' });
  });

  it('says whose an object was even by a configuration that says nothing, once', () => {
    const s = configMap();
    s.update('old', 'data: {a: "1"}');
    s.strip();
    for (let i = 0; i < 2; i++) s.apply('alice', 'metadata: {name: a}');
    assert.deepEqual(s.owners, { 'before-first-apply (Update)': ['.data', '.data.a'] });
    assert.equal(s.writes, 2);
  });

  it('does not own what it may not set', () => {
    const s = deployment();
    s.apply('alice', 'spec: {replicas: 1}\nstatus: {replicas: 5}');
    assert.deepEqual(s.owners, { alice: ['.spec.replicas'] });
  });

  it('takes a null for no opinion on parts, and for none on a value', () => {
    const s = configMap();
    s.apply('alice', 'data: {a: "1"}');
    s.apply('bob', 'data: null');
    assert.deepEqual(s.object['data'], { a: '1' });
  });
});

describe('applying lists', () => {
  const containers = (...items: readonly string[]): string => `template: {spec: {containers: [${items.join(', ')}]}}`;

  it('merges items by their keys, in the order of the configuration; other live ones keep their places', () => {
    const s = template();
    s.apply('alice', containers('{name: a, image: "1"}', '{name: b, image: "2"}'));
    s.apply('bob', containers('{name: c, image: "3"}', '{name: b, workingDir: /w}'));
    assert.deepEqual(s.object['template'], {
      metadata: {},
      spec: {
        containers: [
          { name: 'a', image: '1', resources: {} },
          { name: 'c', image: '3', resources: {} },
          { name: 'b', image: '2', workingDir: '/w', resources: {} },
        ],
      },
    });
    assert.deepEqual(s.owners['bob'], [
      '.template.spec.containers[name="b"]',
      '.template.spec.containers[name="c"]',
      '.template.spec.containers[name="b"].name',
      '.template.spec.containers[name="b"].workingDir',
      '.template.spec.containers[name="c"].image',
      '.template.spec.containers[name="c"].name',
    ]);
  });

  it('removes an item with its last owner', () => {
    const s = template();
    s.apply('alice', containers('{name: a, image: "1"}', '{name: b, image: "2"}'));
    s.apply('bob', containers('{name: b, workingDir: /w}'));
    s.apply('alice', containers('{name: a, image: "1"}'));
    const names = () =>
      (s.object as { template: { spec: { containers: { name: string; image?: string }[] } } }).template.spec.containers;
    assert.deepEqual(
      names().map(({ name, image }) => [name, image]),
      [
        ['a', '1'],
        ['b', undefined],
      ],
    );
    s.apply('bob', 'metadata: {name: p}');
    assert.deepEqual(
      names().map(({ name }) => name),
      ['a'],
    );
  });

  it('counts the defaults of keys', () => {
    const s = service();
    s.apply('alice', 'spec: {ports: [{port: 53, protocol: UDP, name: u}, {port: 53, name: t}]}');
    s.apply('bob', 'spec: {ports: [{port: 53, protocol: TCP, targetPort: 5353}]}');
    assert.match(
      s.conflict('bob', 'spec: {ports: [{port: 53, name: x}]}'),
      /conflict with "alice": \.spec\.ports\[port=53,protocol="TCP"\]\.name$/,
    );
    const { ports } = (s.object as { spec: { ports: { name: string; targetPort?: number }[] } }).spec;
    assert.deepEqual(
      ports.map(({ name }) => name),
      ['u', 't'],
    );
  });

  it('removes an object with the last of its parts', () => {
    const s = template();
    s.apply('alice', containers('{name: a, image: "1", securityContext: {privileged: false}}'));
    s.apply('alice', containers('{name: a, image: "1", securityContext: {}}'));
    const { spec } = (s.object as { template: { spec: { containers: object[] } } }).template;
    assert.deepEqual(spec.containers, [{ name: 'a', image: '1', resources: {} }]);
  });

  it('replaces atomic lists, maps and structs as a whole', () => {
    const s = deployment();
    s.apply('alice', 'spec: {selector: {matchLabels: {a: "1"}}, template: {spec: {tolerations: [{key: a}]}}}');
    assert.equal(
      s.conflict('bob', 'spec: {selector: {matchLabels: {b: "1"}}, template: {spec: {tolerations: [{key: b}]}}}'),
      'Apply failed with 2 conflicts: conflicts with "alice":\n- .spec.selector\n- .spec.template.spec.tolerations',
    );
  });

  it('adds to sets, and removes what nobody else has in them', () => {
    const s = configMap();
    s.apply('alice', 'metadata: {finalizers: [e/b, e/a]}');
    s.apply('bob', 'metadata: {finalizers: [e/c, e/a]}');
    const finalizers = () => (s.object as { metadata: { finalizers?: string[] } }).metadata.finalizers;
    assert.deepEqual(finalizers(), ['e/b', 'e/c', 'e/a']);
    s.apply('alice', 'metadata: {name: a}');
    assert.deepEqual(finalizers(), ['e/c', 'e/a']);
    assert.deepEqual(s.owners, { bob: ['.metadata.finalizers[="e/a"]', '.metadata.finalizers[="e/c"]'] });
    s.apply('bob', 'metadata: {name: a}');
    assert.equal(finalizers(), undefined);
  });

  it('says nothing of items with an empty list', () => {
    const s = template();
    s.apply('alice', containers('{name: a, image: "1"}'));
    s.apply('bob', containers());
    assert.deepEqual(Object.keys(s.owners), ['alice']);
  });
});

describe('moving from client-side to server-side apply', () => {
  const annotated = (value: string, data: string): string =>
    `apiVersion: v1\nmetadata: {annotations: {cli/last-applied: '${value}'}}\ndata: ${data}`;
  const last = '{"apiVersion":"v1","data":{"a":"1","b":"2"}}';

  it('lets the command line take what it applied before', () => {
    const s = configMap();
    s.update('cli-client-side', annotated(last, '{a: "1", b: "2"}'));
    s.apply('cli', 'apiVersion: v1\ndata: {a: "9"}');
    assert.deepEqual(s.object['data'], { a: '9', b: '2' });
  });

  it('but not what has changed since', () => {
    const s = configMap();
    s.update('cli-client-side', annotated(last, '{a: "1", b: "2"}'));
    s.patch('other', 'data: {a: "5"}');
    assert.match(s.conflict('cli', 'apiVersion: v1\ndata: {a: "9", b: "8"}'), /1 conflict: conflict with "other"/);
  });

  it('and nobody else', () => {
    const s = configMap();
    s.update('cli-client-side', annotated(last, '{a: "1", b: "2"}'));
    assert.match(s.conflict('alice', 'apiVersion: v1\ndata: {a: "9"}'), /conflict with "cli-client-side"/);
  });

  it('keeps the annotation up to date', () => {
    const s = configMap();
    s.update('cli-client-side', annotated(last, '{a: "1"}'));
    s.apply('cli', 'data: {a: "9"}\napiVersion: v1');
    const { annotations } = (s.object as { metadata: { annotations: Record<string, string> } }).metadata;
    assert.equal(annotations['cli/last-applied'], '{"apiVersion":"v1","data":{"a":"9"}}\n');
  });

  it('takes a broken annotation for none', () => {
    const s = configMap();
    s.update('cli-client-side', annotated('{', '{a: "1"}'));
    assert.match(s.conflict('cli', 'apiVersion: v1\ndata: {a: "9"}'), /conflict with "cli-client-side"/);
  });
});
