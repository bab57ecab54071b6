import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { runCli } from '../../../../src/cli/commands/run-cli.ts';

describe('cl convert', () => {
  let directory: string;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'cl-convert-'));
  });
  after(() => rm(directory, { recursive: true }));

  async function run(args: readonly string[], stdin = '') {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const signal = AbortSignal.timeout(60_000);
    const io = { stdin: Readable.from([stdin]), stdout, stderr, env: { HOME: directory }, directory, signal };
    const code = await runCli(['convert', ...args], io);
    return { code, out: String(stdout.read() ?? ''), err: String(stderr.read() ?? '') };
  }

  const old = `apiVersion: extensions/v1beta1
kind: Ingress
metadata: {name: a}
spec:
  backend: {serviceName: s, servicePort: 80}
`;

  it('prints an object of a file in another version, with its defaults', async () => {
    await writeFile(join(directory, 'old.yaml'), old);
    const { code, out } = await run(['-f', 'old.yaml', '--output-version=networking.cl.io/v1', '--local']);
    assert.equal(code, 0);
    assert.equal(
      out,
      `apiVersion: networking.cl.io/v1
kind: Ingress
metadata:
  name: a
spec:
  defaultBackend:
    service:
      name: s
      port:
        number: 80
status:
  loadBalancer: {}
`,
    );
  });

  it('goes back to the version that it came from', async () => {
    const { out } = await run(['-f', '-', '--output-version=networking.cl.io/v1'], old);
    const back = await run(['-f', '-', '--output-version=extensions/v1beta1', '-o', 'json'], out);
    const object = JSON.parse(back.out) as Record<string, unknown>;
    assert.equal(object['apiVersion'], 'extensions/v1beta1');
    assert.deepEqual(object['spec'], { backend: { serviceName: 's', servicePort: 80 } });
  });

  it('takes several documents and Lists, in YAML or JSON, each to the preferred version of its kind', async () => {
    const list = { apiVersion: 'v1', kind: 'List', items: [budget('b'), { apiVersion: 'v1', kind: 'Secret' }] };
    const { code, out } = await run(['-f', '-', '-o', 'json'], `${old}---\n${JSON.stringify(list)}`);
    assert.equal(code, 0);
    const { kind, items } = JSON.parse(out) as { kind: string; items: { apiVersion: string }[] };
    assert.equal(kind, 'List');
    assert.deepEqual(
      items.map(({ apiVersion }) => apiVersion),
      ['networking.cl.io/v1', 'policy/v1', 'v1'],
    );
    assert.equal((await run(['-f', '-'], `${old}---\n${old}`)).out.match(/^---$/gm)?.length, 2);
  });

  it('converts the items of the list of a kind, which need not name it', async () => {
    const { apiVersion, kind: _, ...bare } = budget('b');
    const list = { apiVersion, kind: 'PodDisruptionBudgetList', items: [bare] };
    const { out } = await run(['-f', '-', '-o', 'json', '--output-version=policy/v1'], JSON.stringify(list));
    const converted = JSON.parse(out) as { kind: string; apiVersion: string; spec: object };
    const expression = { key: 'pdb.cluster.io/deprecated-v1beta1-empty-selector-match', operator: 'Exists' };
    assert.deepEqual([converted.apiVersion, converted.kind], ['policy/v1', 'PodDisruptionBudget']);
    assert.deepEqual(converted.spec, { selector: { matchExpressions: [expression] } });
  });

  it('converts kinds that are not stored, under either set of identifiers', async () => {
    const review = { apiVersion: 'authorization.k8s.io/v1beta1', kind: 'SubjectAccessReview', spec: { group: ['g'] } };
    const { out } = await run(['-f', '-', '-o', 'json', '--identifiers=kubernetes'], JSON.stringify(review));
    const { apiVersion, spec } = JSON.parse(out) as { apiVersion: string; spec: object };
    assert.deepEqual([apiVersion, spec], ['authorization.k8s.io/v1', { groups: ['g'] }]);
  });

  const refusals: readonly (readonly [title: string, manifest: object, error: RegExp])[] = [
    ['an unknown kind', { apiVersion: 'v1', kind: 'Zork' }, /line 1\): no kind "Zork" is known in version "v1"/],
    [
      'an unknown version',
      { apiVersion: 'policy/v3', kind: 'PodDisruptionBudget' },
      /no kind "PodDisruptionBudget" is known in version "policy\/v3"; it has policy\/v1, policy\/v1beta1/,
    ],
    [
      'a kind without the wanted version',
      { apiVersion: 'v1', kind: 'Secret' },
      /Secret has no version "policy\/v1"; it has v1/,
    ],
    ['an unknown field', { ...budget('b'), spec: { zork: 1 } }, /unknown field "spec\.zork"/],
    ['a value of a wrong type', { ...budget('b'), spec: 7 }, /error: STDIN \(line 1\): .*spec/],
    ['names of the other identifiers', { apiVersion: 'events.k8s.io/v1', kind: 'Event' }, /--identifiers=kubernetes/],
  ];
  for (const [title, manifest, error] of refusals) {
    it(`refuses ${title}`, async () => {
      const { code, out, err } = await run(['-f', '-', '--output-version=policy/v1'], JSON.stringify(manifest));
      assert.deepEqual([code, out], [1, '']);
      assert.match(err, error);
      assert.match(err, /1 of 1 objects were not converted/);
    });
  }
});

function budget(name: string) {
  return {
    apiVersion: 'policy/v1beta1',
    kind: 'PodDisruptionBudget',
    metadata: { name },
    spec: { selector: {} } as object,
  };
}
