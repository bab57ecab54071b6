import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { request } from '../http-client.ts';
import { type ClServer, startClServer } from './cl-runner.ts';

const definition = {
  metadata: { name: 'odds.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'odds', singular: 'odd', kind: 'Odd' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};

/** Control characters that clear a screen, in both of their forms. */
const hostile = 'a\u001b[2J\u009b2Jb\rc';

/** Fields of every kind that commands look at, of types that they are not. */
const oddFields = {
  spec: {
    replicas: 'many',
    selector: ['a', { b: 1 }],
    containers: { a: 1 },
    suspend: 'yes',
    constructor: null,
    deep: { [hostile]: [[hostile], { x: hostile }, null, 1.5] },
  },
  status: {
    phase: { [hostile]: hostile.repeat(50) },
    conditions: [null, 'Ready', { type: 'Ready', status: 'False', reason: hostile, message: [hostile] }],
    containerStatuses: [{ name: 1, state: 'waiting' }, [], { state: { waiting: { reason: hostile } } }],
    observedGeneration: 'none',
    loadBalancer: 'none',
  },
};

describe('cl looks at odd objects', () => {
  let cl: ClServer;
  before(async () => {
    cl = await startClServer();
    await request(cl.server, 'POST', '/apis/apiextensions.cl.io/v1/customresourcedefinitions', definition);
    const { code, err } = await cl.run('wait', '--for=condition=Established', 'crd/odds.example.com');
    assert.equal(code, 0, err);
    const odd = { apiVersion: 'example.com/v1', kind: 'Odd', metadata: { name: 'odd' }, ...oddFields };
    const made = await request(cl.server, 'POST', '/apis/example.com/v1/namespaces/default/odds', odd);
    assert.equal(made.status, 201, made.text);
  });
  after(() => cl[Symbol.asyncDispose]());

  /** Everything but line breaks and tabs would reach the terminal. */
  const assertPlain = (text: string): void => assert.doesNotMatch(text, /[^\P{Cc}\n\t]/u);

  for (const command of ['describe', 'why', 'tree']) {
    it(`${command} shows fields of any type, without control characters`, async () => {
      const { code, out, err } = await cl.run(command, 'odd', 'odd');
      assert.deepEqual([code, err], [0, '']);
      assertPlain(out);
      assert.ok(out.split('\n').every((line) => line.length < 2000 || command === 'describe'));
    });
  }

  it('describe shows a value of very many lines', async () => {
    const data = { text: 'line\n'.repeat(150_000) };
    await request(cl.server, 'POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: 'long' }, data });
    const { code, out, err } = await cl.run('describe', 'configmap', 'long');
    assert.deepEqual([code, err], [0, '']);
    assert.ok(out.split('\n').length > 150_000);
  });

  it('describe shortens rules with more combinations than lines on any screen', async () => {
    const many = (letter: string) => Array.from({ length: 300 }, (_, at) => `${letter}${at}`);
    const rules = [{ apiGroups: many('g'), resources: many('r'), resourceNames: many('n'), verbs: ['get'] }];
    const roles = '/apis/rbac.authorization.cl.io/v1/clusterroles';
    await request(cl.server, 'POST', roles, { metadata: { name: 'many' }, rules });
    const { out } = await cl.run('describe', 'clusterrole', 'many');
    assert.match(out, /\(and 285 more\)/);
    assert.ok(out.split('\n').length < 6000);
  });

  describe('tree', () => {
    const place = '/api/v1/namespaces/default/configmaps';
    const make = async (name: string): Promise<string> => {
      const { text } = await request(cl.server, 'POST', place, { metadata: { name } });
      return (JSON.parse(text) as { metadata: { uid: string } }).metadata.uid;
    };
    const own = async (name: string, owners: readonly (readonly [string, string])[]): Promise<void> => {
      const ownerReferences = owners.map(([owner, uid]) => ({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        name: owner,
        uid,
      }));
      const patch = JSON.stringify({ metadata: { ownerReferences } });
      const { code, err } = await cl.run('patch', 'configmap', name, '--type=merge', '-p', patch);
      assert.equal(code, 0, err);
    };
    const names = async (name: string): Promise<string[]> => {
      const { code, out, err } = await cl.run('tree', 'configmap', name);
      assert.deepEqual([code, err], [0, '']);
      return out
        .trimEnd()
        .split('\n')
        .slice(1)
        .map((row) => /(\S+(?: \*)?) {2,}/.exec(row.replace(/^\S+ +/, ''))?.[1] ?? row);
    };

    it('shows objects that own each other, and one that owns itself', async () => {
      const [one, other, self] = [await make('one'), await make('other'), await make('self')];
      await own('one', [['other', other]]);
      await own('other', [['one', one]]);
      await own('self', [['self', self]]);
      const shown = await names('one');
      assert.equal(shown[0], 'ConfigMap/one');
      assert.ok(shown.some((each) => each.includes('ConfigMap/other')));
      assert.ok((await names('self'))[0]?.startsWith('ConfigMap/self'));
    });

    it('ends a chain that is deeper than any that is meant', async () => {
      let last: readonly [string, string] = ['deep-0', await make('deep-0')];
      for (let at = 1; at < 60; at++) {
        const [name, owner] = [`deep-${at}`, last];
        last = [name, await make(name)];
        await own(name, [owner]);
      }
      const { out } = await cl.run('tree', 'configmap', 'deep-0');
      assert.match(out, /\.\.\. +1 and more below/);
    });
  });

  it('diff gives files of a program no names of other folders', async () => {
    const role = {
      apiVersion: 'rbac.authorization.cl.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'system:..\\up' },
      rules: [],
    };
    await writeFile(path.join(cl.directory, 'role.json'), JSON.stringify(role));
    const program = path.join(cl.directory, 'list.sh');
    await writeFile(program, '#!/bin/sh\nls "$1" "$2"\nexit 1\n', { mode: 0o755 });
    const { code, out, err } = await cl.with({ CL_EXTERNAL_DIFF: program }).run('diff', '-f', 'role.json');
    assert.equal(code, 1, err);
    assert.match(out, /ClusterRole\.\.system:\.\._up$/m);
    assert.deepEqual(
      (await readdir(cl.directory)).filter((name) => name.includes('up')),
      [],
    );
  });
});
