import assert from 'node:assert/strict';
import { limitRanger } from '../../../src/admission/plugins/limit-ranger/limit-ranger.ts';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { annotationsOf } from '../../../src/meta/object-meta.ts';
import { objectAt } from '../../../src/meta/read-field.ts';
import { admit, assertForbidden, identifiers, listerOf, writeOf } from './attributes.ts';
import { pluginContext } from './plugin-context.ts';

type Amounts = Readonly<Record<string, string>>;

const pod = (spec: JsonObject): JsonObject => ({ metadata: { name: 'p', namespace: 'ns' }, spec });
const container = (requests: Amounts, limits: Amounts, name = 'c'): JsonObject => ({
  name,
  resources: { requests: { ...requests }, limits: { ...limits } },
});
const limitRange = (name: string, ...limits: JsonObject[]): JsonObject => ({ metadata: { name }, spec: { limits } });
const pluginFor = (...ranges: JsonObject[]) =>
  limitRanger(pluginContext({ identifiers, listerOf: listerOf('limitranges.', ...ranges) }));
const limitedTo = (...limits: JsonObject[]) => pluginFor(limitRange('r', ...limits));

/** Asserts that a limit refuses a Pod of these containers. */
const assertRefused = (limit: JsonObject, spec: JsonObject, why: string) =>
  assertForbidden(limitedTo(limit), writeOf('pods', pod(spec)), `pods "p" is forbidden: ${why}`);

describe('LimitRanger', () => {
  it('gives containers the default amounts that they lack, and notes them', async () => {
    const plugin = limitedTo({
      type: 'Container',
      default: { memory: '1Gi', cpu: '1' },
      defaultRequest: { cpu: '100m', memory: '1Gi' },
    });
    const admitted = await admit(
      plugin,
      writeOf('pods', pod({ containers: [container({ cpu: '2' }, {})], initContainers: [container({}, {}, 'i')] })),
    );
    const defaults = { limits: { cpu: '1', memory: '1Gi' } };
    assert.deepEqual(objectAt(admitted, 'spec'), {
      containers: [{ name: 'c', resources: { requests: { cpu: '2', memory: '1Gi' }, ...defaults } }],
      initContainers: [{ name: 'i', resources: { requests: { cpu: '100m', memory: '1Gi' }, ...defaults } }],
    });
    assert.equal(
      annotationsOf(admitted)['kubernetes.io/limit-ranger'],
      'LimitRanger plugin set: memory request for container c; cpu, memory limit for container c; ' +
        'cpu, memory request for init container i; cpu, memory limit for init container i',
    );
  });

  it('sets nothing where nothing is missing, in updates, and for other types', async () => {
    const complete = pod({ containers: [container({ cpu: '1' }, {})] });
    const plugin = limitedTo(
      { type: 'Container', defaultRequest: { cpu: '2' } },
      { type: 'Pod', default: { cpu: '2' } },
    );
    assert.deepEqual(await admit(plugin, writeOf('pods', structuredClone(complete))), complete);
    const bare = pod({ containers: [container({}, {})] });
    assert.deepEqual(await admit(plugin, writeOf('pods', structuredClone(bare), { oldObject: bare })), bare);
    assert.deepEqual(await admit(pluginFor(), writeOf('pods', structuredClone(bare))), bare);
  });

  it('applies limit ranges in the order of their names', async () => {
    const range = (name: string, cpu: string) => limitRange(name, { type: 'Container', defaultRequest: { cpu } });
    const admitted = await admit(
      pluginFor(range('b', '2'), range('a', '1')),
      writeOf('pods', pod({ containers: [{ name: 'c', resources: {} }] })),
    );
    assert.deepEqual(objectAt(admitted, 'spec')['containers'], [{ name: 'c', resources: { requests: { cpu: '1' } } }]);
  });

  it('refuses containers outside the minimum and the maximum', async () => {
    const limit = { type: 'Container', min: { cpu: '100m' }, max: { cpu: '2' } };
    const refused: readonly [JsonObject, string][] = [
      [container({ cpu: '50m' }, { cpu: '1' }), 'minimum cpu usage per Container is 100m, but request is 50m'],
      [container({ cpu: '1' }, { cpu: '3' }), 'maximum cpu usage per Container is 2, but limit is 3'],
      [container({ cpu: '1' }, {}), 'maximum cpu usage per Container is 2.  No limit is specified'],
      [container({}, { cpu: '1' }), 'minimum cpu usage per Container is 100m.  No request is specified'],
      [
        container({ cpu: '3' }, { cpu: '50m' }),
        'minimum cpu usage per Container is 100m, but limit is 50m, ' +
          'maximum cpu usage per Container is 2, but request is 3',
      ],
    ];
    for (const [each, why] of refused) {
      const text = why.includes(', maximum') ? `[${why}]` : why;
      await assertRefused(limit, { containers: [each] }, text);
      await assertRefused(limit, { initContainers: [each], containers: [] }, text);
    }
    await admit(limitedTo(limit), writeOf('pods', pod({ containers: [container({ cpu: '0.1' }, { cpu: '2000m' })] })));
  });

  it('refuses limits that are too many times the request', async () => {
    const limit = { type: 'Container', maxLimitRequestRatio: { memory: '1500m' } };
    const about = 'memory max limit to request ratio per Container is 1500m, but';
    const refused: readonly [JsonObject, string][] = [
      [container({ memory: '1Gi' }, { memory: '2Gi' }), `${about} provided ratio is 2.000000`],
      [container({ memory: '3' }, { memory: '5' }), `${about} provided ratio is 1.666667`],
      [container({ memory: '0' }, { memory: '5' }), `${about} no request is specified or request is 0`],
      [container({ memory: '5' }, {}), `${about} no limit is specified or limit is 0`],
    ];
    for (const [each, why] of refused) await assertRefused(limit, { containers: [each] }, why);
    const within = pod({ containers: [container({ memory: '2' }, { memory: '3' })] });
    await admit(limitedTo(limit), writeOf('pods', within));
  });

  it('limits the sum of the containers of a Pod, and each init container', async () => {
    const limit = { type: 'Pod', max: { memory: '2Gi' } };
    const gibibyte = container({}, { memory: '1Gi' });
    const large = container({}, { memory: '3Gi' });
    const about = 'maximum memory usage per Pod is 2Gi';
    const three = { containers: [gibibyte, gibibyte, gibibyte] };
    await assertRefused(limit, three, `${about}, but limit is 3221225472`);
    await assertRefused(limit, { containers: [gibibyte], initContainers: [large] }, `${about}, but limit is 3Gi`);
    await assertRefused(limit, { containers: [gibibyte, container({}, {})] }, `${about}.  No limit is specified`);
    const within = { containers: [gibibyte, gibibyte], initContainers: [gibibyte, gibibyte] };
    await admit(limitedTo(limit), writeOf('pods', pod(within)));
  });

  it('counts sidecars beside containers, and amounts of whole Pods in place of both', async () => {
    const limit = { type: 'Pod', max: { cpu: '2' } };
    const plugin = limitedTo(limit);
    const sidecar = { ...container({ cpu: '1' }, { cpu: '1' }), restartPolicy: 'Always' };
    const one = container({ cpu: '1' }, { cpu: '1' });
    const two = container({ cpu: '2' }, { cpu: '2' });
    await admit(plugin, writeOf('pods', pod({ containers: [one], initContainers: [two, sidecar] })));
    const tooMuch = 'maximum cpu usage per Pod is 2, but limit is 3';
    for (const spec of [
      { containers: [two], initContainers: [sidecar] },
      { containers: [one], initContainers: [sidecar, two] },
    ]) {
      await assertRefused(limit, spec, tooMuch);
      const whole = { ...spec, resources: { requests: { cpu: '2' }, limits: { cpu: '2' } } };
      await admit(plugin, writeOf('pods', pod(whole)));
    }
  });

  it('limits Pods when they are resized', async () => {
    const plugin = limitedTo({ type: 'Container', max: { cpu: '1' } });
    const [before, after] = ['1', '2'].map((cpu) => pod({ containers: [container({ cpu }, { cpu })] }));
    const rest = { oldObject: before, subresource: 'resize' };
    const why = 'pods "p" is forbidden: maximum cpu usage per Container is 1, but limit is 2';
    await assertForbidden(plugin, writeOf('pods', after ?? {}, rest), why);
  });

  it('limits what claims request, also when they grow', async () => {
    const plugin = limitedTo({ type: 'PersistentVolumeClaim', min: { storage: '1Gi' }, max: { storage: '5Gi' } });
    const claim = (storage: string, metadata: JsonObject = {}): JsonObject => ({
      metadata: { name: 'c', ...metadata },
      spec: { resources: { requests: { storage } } },
    });
    const about = 'persistentvolumeclaims "c" is forbidden:';
    const tooLittle = `${about} minimum storage usage per PersistentVolumeClaim is 1Gi, but request is 1Mi`;
    const tooMuch = `${about} maximum storage usage per PersistentVolumeClaim is 5Gi, but request is 6Gi`;
    await assertForbidden(plugin, writeOf('persistentvolumeclaims', claim('1Mi')), tooLittle);
    const oldObject = claim('5Gi');
    await assertForbidden(plugin, writeOf('persistentvolumeclaims', claim('6Gi'), { oldObject }), tooMuch);
    await admit(plugin, writeOf('persistentvolumeclaims', claim('5Gi')));
    const deleted = claim('6Gi', { deletionTimestamp: '2020-01-01T00:00:00Z' });
    await admit(plugin, writeOf('persistentvolumeclaims', claim('6Gi'), { oldObject: deleted }));
  });

  it('refuses Pods whose amounts would take too long to compare', async () => {
    const defaultRequest = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`a.b/${index}`, '1']));
    const containers = Array.from({ length: 76 }, () => ({ name: 'c' }));
    await assertRefused(
      { type: 'Container', defaultRequest },
      { containers },
      '1000 amounts in limit ranges and 76 containers are more than can be compared',
    );
  });
});
