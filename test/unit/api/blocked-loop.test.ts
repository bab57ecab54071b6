import assert from 'node:assert/strict';
import { type Fixture, type Received, type Sent, startFixture } from './fixture.ts';
import { longestBlockMs, measureBlocks } from '../../robustness/large-bodies/loop-blocks.ts';

const refusalLimitBytes = 1024 * 1024;

/** A request that kept the event loop busy for seconds. */
interface Story {
  readonly request: Sent;
  readonly status: number;
  /** How many causes of a refusal are shown, and how many it says that there are besides. */
  readonly refusal?: { readonly shown: number; readonly more: string };
}

const post = (path: string, body: object): Sent => ({ method: 'POST', path, body });
const configMaps = '/api/v1/namespaces/ns/configmaps';
const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const map = <T>(count: number, make: (index: number) => [string, T]): Record<string, T> =>
  Object.fromEntries(times(count, make));
const owner = (name: string, uid: string): object => ({ apiVersion: 'v1', kind: 'ConfigMap', name, uid });

const stories: Readonly<Record<string, Story>> = {
  'refuses 4,000 owners that all control the object': {
    request: post(configMaps, {
      metadata: {
        name: 'controlled',
        ownerReferences: times(4000, (i) => ({ ...owner(`owner-${i}`, `uid-${i}`), controller: true })),
      },
    }),
    status: 422,
    refusal: { shown: 100, more: 'and 3899 more]' },
  },
  'refuses a strategic patch with 30,000 lists that the kind does not have, and their orders': {
    request: {
      method: 'PATCH',
      path: `${configMaps}/patched`,
      type: 'application/strategic-merge-patch+json',
      body: {
        ...map(30_000, (i) => [`$setElementOrder/x${i}`, []]),
        ...map(30_000, (i) => [`x${i}`, []]),
      },
    },
    status: 400,
  },
  'refuses 40,000 bad labels': {
    request: post(configMaps, { metadata: { name: 'labels', labels: map(40_000, (i) => [`!${i}`, '']) } }),
    status: 422,
    refusal: { shown: 100, more: 'and at least 9900 more]' },
  },
  'stores 4,000 owners of one uid': {
    request: post(configMaps, {
      metadata: { name: 'owned', ownerReferences: times(4000, (i) => owner(`owner-${i}`, 'one')) },
    }),
    status: 201,
  },
  'stores a storage class with 40,000 topology values': {
    request: post('/apis/storage.k8s.io/v1/storageclasses', {
      metadata: { name: 'topologies' },
      provisioner: 'example.com/p',
      allowedTopologies: [{ matchLabelExpressions: [{ key: 'zone', values: times(40_000, (i) => `zone-${i}`) }] }],
    }),
    status: 201,
  },
  'applies a YAML list of 400 KB': {
    request: {
      method: 'PATCH',
      path: '/apis/networking.k8s.io/v1/namespaces/ns/networkpolicies/yaml?fieldManager=m',
      type: 'application/apply-patch+yaml',
      body: [
        'apiVersion: networking.k8s.io/v1',
        'kind: NetworkPolicy',
        'metadata: {name: yaml}',
        'spec:',
        '  podSelector: {}',
        '  ingress:',
        '  - from:',
        ...times(7_000, (i) => `    - podSelector:\n        matchLabels:\n          app: name-${i}`),
      ].join('\n'),
    },
    status: 201,
  },
  'refuses 40,000 finalizers without a domain': {
    request: post(configMaps, { metadata: { name: 'finalizers', finalizers: times(40_000, (i) => `finalizer-${i}`) } }),
    status: 422,
    refusal: { shown: 100, more: 'and at least 9900 more]' },
  },
  'refuses 12,000 owners without a name': {
    request: post(configMaps, {
      metadata: { name: 'owned', ownerReferences: times(12_000, (i) => owner('', `uid-${i}`)) },
    }),
    status: 422,
    refusal: { shown: 1, more: 'and at least 9000 more]' },
  },
  'refuses a million empty items': {
    request: {
      ...post(configMaps, {}),
      body: `{"metadata":{"name":"items","ownerReferences":[${'{},'.repeat(999_999)}{}]}}`,
    },
    status: 413,
  },
  'refuses a patch that copies a million values': {
    request: {
      method: 'PATCH',
      path: `${configMaps}/patched`,
      type: 'application/json-patch+json',
      body: [
        { op: 'add', path: '/x', value: times(50_000, () => 0) },
        ...times(20, (i) => ({ op: 'copy', from: '/x', path: `/y${i}` })),
      ],
    },
    status: 413,
  },
  'refuses a value of 3 MB with a part of it': {
    request: post(configMaps, { metadata: { name: 'x'.repeat(3_000_000) } }),
    status: 422,
    refusal: { shown: 2, more: ']' },
  },
};

describe('the event loop while one request is hostile', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await startFixture();
    await fixture.configMap('patched');
  });
  after(() => fixture[Symbol.asyncDispose]());

  for (const [title, { request, status, refusal }] of Object.entries(stories)) {
    it(`${title} without a block`, async () => {
      // A dry run does all but the write, so that a block can be measured again: other processes take their turns too.
      const dryRun = { ...request, path: `${request.path}${request.path.includes('?') ? '&' : '?'}dryRun=All` };
      let { result, blockMs } = await measureBlocks(() => fixture.send(dryRun));
      for (let left = 2; left > 0 && blockMs >= longestBlockMs; left--) {
        ({ result, blockMs } = await measureBlocks(() => fixture.send(dryRun)));
      }
      assert.equal(result.status, status, result.text.slice(0, 400));
      assert.ok(blockMs < longestBlockMs, `blocked for ${blockMs} ms`);
      if (refusal) checkRefusal(result, refusal);
    });
  }
});

describe('the values of an object', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await startFixture();
    await fixture.configMap('grown');
  });
  after(() => fixture[Symbol.asyncDispose]());
  const patch = (data: object): Promise<Received> =>
    fixture.send({
      method: 'PATCH',
      path: `${configMaps}/grown`,
      type: 'application/merge-patch+json',
      body: { data },
    });

  it('do not become too many by patches, which may take some away', async () => {
    const [first, second] = ['a', 'b'].map((prefix) => map(60_000, (i) => [`${prefix}${i}`, '']));
    assert.equal((await patch(first ?? {})).status, 200);
    assert.equal((await patch(second ?? {})).status, 413);
    assert.equal((await patch({ a0: null })).status, 200);
  });
});

function checkRefusal(response: Received, { shown, more }: NonNullable<Story['refusal']>): void {
  assert.ok(response.bytes.length < refusalLimitBytes, `${response.bytes.length} bytes`);
  assert.equal((response.at('details.causes') as unknown[]).length, shown);
  const message = String(response.at('message'));
  assert.ok(message.endsWith(more), message.slice(-100));
}
