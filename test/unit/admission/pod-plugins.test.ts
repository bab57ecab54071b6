import assert from 'node:assert/strict';
import { defaultTolerationSeconds } from '../../../src/admission/plugins/default-toleration-seconds.ts';
import { priority } from '../../../src/admission/plugins/priority.ts';
import { runtimeClass } from '../../../src/admission/plugins/runtime-class.ts';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { objectAt } from '../../../src/meta/read-field.ts';
import { admit, assertForbidden, identifiers, listerOf, writeOf } from './attributes.ts';
import { pluginContext } from './plugin-context.ts';

function pod(spec: JsonObject = {}): JsonObject {
  return { metadata: { name: 'p', namespace: 'ns' }, spec };
}

async function specOf(plugin: Parameters<typeof admit>[0], object: JsonObject): Promise<JsonObject> {
  return objectAt(await admit(plugin, writeOf('pods', object)), 'spec');
}

describe('DefaultTolerationSeconds', () => {
  const plugin = defaultTolerationSeconds(identifiers, { notReady: 300, unreachable: 300 });
  const notReady = {
    key: 'node.kubernetes.io/not-ready',
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds: 300,
  };
  const unreachable = { ...notReady, key: 'node.kubernetes.io/unreachable' };

  it('lets a Pod stay five minutes on a node that is not ready or cannot be reached', async () => {
    assert.deepEqual((await specOf(plugin, pod()))['tolerations'], [notReady, unreachable]);
  });

  it('leaves a Pod its own word about one of the taints', async () => {
    const own = { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' };
    assert.deepEqual((await specOf(plugin, pod({ tolerations: [own] })))['tolerations'], [own, unreachable]);
  });

  it('adds nothing for a Pod that tolerates everything', async () => {
    const tolerations = [{ operator: 'Exists' }];
    assert.deepEqual((await specOf(plugin, pod({ tolerations })))['tolerations'], tolerations);
  });

  it('leaves sub-resources and other kinds alone', async () => {
    assert.deepEqual(await admit(plugin, writeOf('pods', pod(), { subresource: 'status' })), pod());
    assert.deepEqual(await admit(plugin, writeOf('podtemplates', pod())), pod());
  });
});

describe('Priority', () => {
  const classes = 'priorityclasses.scheduling.k8s.io';
  const high = { metadata: { name: 'high' }, value: 1000, preemptionPolicy: 'Never' };
  const standard = { metadata: { name: 'standard' }, value: 10, globalDefault: true };

  it('gives a Pod the value of its class', async () => {
    const spec = await specOf(
      priority(pluginContext({ identifiers, listerOf: listerOf(classes, high) })),
      pod({ priorityClassName: 'high' }),
    );
    assert.deepEqual(spec, { priorityClassName: 'high', priority: 1000, preemptionPolicy: 'Never' });
  });

  it('gives a Pod without a class none, where no class is the default', async () => {
    const spec = await specOf(priority(pluginContext({ identifiers, listerOf: listerOf(classes, high) })), pod());
    assert.deepEqual(spec, { priority: 0, preemptionPolicy: 'PreemptLowerPriority' });
  });

  it('gives a Pod without a class the default class', async () => {
    const spec = await specOf(
      priority(pluginContext({ identifiers, listerOf: listerOf(classes, high, standard) })),
      pod(),
    );
    assert.deepEqual(spec, { priorityClassName: 'standard', priority: 10, preemptionPolicy: 'PreemptLowerPriority' });
  });

  it('waits for nothing if the classes are known', () => {
    const plugin = priority(
      pluginContext({ identifiers, listerOf: (options) => ({ ...listerOf(classes)(options), list: () => [] }) }),
    );
    assert.equal(plugin.mutate?.(writeOf('pods', pod())), undefined);
  });

  it('refuses a class that does not exist', () =>
    assertForbidden(
      priority(pluginContext({ identifiers, listerOf: listerOf(classes) })),
      writeOf('pods', pod({ priorityClassName: 'gone' })),
      'pods "p" is forbidden: no PriorityClass with name gone was found',
    ));

  it("refuses a number that is not the class's", () =>
    assertForbidden(
      priority(pluginContext({ identifiers, listerOf: listerOf(classes, high) })),
      writeOf('pods', pod({ priorityClassName: 'high', priority: 7 })),
      'pods "p" is forbidden: the integer value of priority (7) must not be provided in pod spec; ' +
        'priority admission controller computed 1000 from the given PriorityClass name',
    ));

  it('keeps the priority of a Pod whose client does not know the field', async () => {
    const plugin = priority(pluginContext({ identifiers, listerOf: listerOf(classes) }));
    const oldObject = pod({ priority: 5, preemptionPolicy: 'Never' });
    assert.deepEqual(await admit(plugin, writeOf('pods', pod(), { oldObject })), oldObject);
  });

  it('allows one default class at most', async () => {
    const plugin = priority(pluginContext({ identifiers, listerOf: listerOf(classes, standard) }));
    const second = { metadata: { name: 'second' }, value: 1, globalDefault: true };
    await assertForbidden(
      plugin,
      writeOf(classes, second),
      'priorityclasses.scheduling.k8s.io "second" is forbidden: ' +
        'PriorityClass standard is already marked as default. Only one default can exist',
    );
    await admit(plugin, writeOf(classes, structuredClone(standard), { oldObject: standard }));
  });
});

describe('RuntimeClass', () => {
  const classes = 'runtimeclasses.node.k8s.io';
  const sandbox = {
    metadata: { name: 'sandbox' },
    overhead: { podFixed: { cpu: '250m' } },
    scheduling: { nodeSelector: { runtime: 'sandbox' }, tolerations: [{ key: 'sandbox', operator: 'Exists' }] },
  };
  const plugin = runtimeClass(pluginContext({ identifiers, listerOf: listerOf(classes, sandbox) }));

  it('adds what a class costs and where it runs', async () => {
    assert.deepEqual(await specOf(plugin, pod({ runtimeClassName: 'sandbox' })), {
      runtimeClassName: 'sandbox',
      overhead: { cpu: '250m' },
      nodeSelector: { runtime: 'sandbox' },
      tolerations: [{ key: 'sandbox', operator: 'Exists' }],
    });
  });

  it('waits for nothing for a Pod without a class', () => {
    assert.equal(plugin.mutate?.(writeOf('pods', pod())), undefined);
  });

  it('refuses a class that does not exist, and overhead without a class or of another amount', async () => {
    const refused: [JsonObject, string][] = [
      [{ runtimeClassName: 'gone' }, 'pod rejected: RuntimeClass "gone" not found'],
      [
        { overhead: { cpu: '1' } },
        'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead',
      ],
      [
        { runtimeClassName: 'sandbox', overhead: { cpu: '1' } },
        "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead",
      ],
      [
        { runtimeClassName: 'sandbox', nodeSelector: { runtime: 'other' } },
        'conflict: runtimeClass.scheduling.nodeSelector[runtime] = sandbox; pod.spec.nodeSelector[runtime] = other',
      ],
    ];
    for (const [spec, why] of refused) {
      await assertForbidden(plugin, writeOf('pods', pod(spec)), `pods "p" is forbidden: ${why}`);
    }
  });

  it('leaves overhead without a class to be validated first', async () => {
    const overhead = { cpu: '-1' };
    const attributes = writeOf('pods', pod({ overhead }));
    await plugin.mutate?.(attributes);
    assert.deepEqual(attributes.object?.['spec'], { overhead });
  });
});
