import assert from 'node:assert/strict';
import type { AdmissionPlugin } from '../../../src/admission/admission.ts';
import { podNodeSelector } from '../../../src/admission/plugins/pod-node-selector.ts';
import { podTolerationRestriction } from '../../../src/admission/plugins/pod-toleration-restriction.ts';
import { mergeTolerations } from '../../../src/admission/tolerations.ts';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { objectAt } from '../../../src/meta/read-field.ts';
import { longestBlockMs, measureBlocks } from '../../robustness/large-bodies/loop-blocks.ts';
import { admit, assertForbidden, identifiers, listerOf, writeOf } from './attributes.ts';
import { pluginContext } from './plugin-context.ts';

const pod = (spec: JsonObject): JsonObject => ({ metadata: { name: 'p', namespace: 'ns' }, spec });
const specOf = async (plugin: AdmissionPlugin, spec: JsonObject): Promise<JsonObject> =>
  objectAt(await admit(plugin, writeOf('pods', pod(spec))), 'spec');

/** Listers of a namespace `ns` with these annotations. */
const annotated = (annotations: Readonly<Record<string, string>>) =>
  listerOf('namespaces.', {
    metadata: {
      name: 'ns',
      annotations: Object.fromEntries(
        Object.entries(annotations).map(([name, value]) => [`scheduler.alpha.kubernetes.io/${name}`, value]),
      ),
    },
  });

describe('PodNodeSelector', () => {
  const pluginFor = (selector: string) =>
    podNodeSelector(pluginContext({ identifiers, listerOf: annotated({ 'node-selector': selector }) }), undefined);

  it("adds the namespace's node selector to that of a new Pod", async () => {
    const plugin = pluginFor('disk=ssd, zone = a');
    const spec = await specOf(plugin, { nodeSelector: { zone: 'a', own: 'x' } });
    assert.deepEqual(spec, { nodeSelector: { disk: 'ssd', zone: 'a', own: 'x' } });
    const old = writeOf('pods', pod({}), { oldObject: pod({}) });
    assert.deepEqual(await admit(plugin, old), pod({}));
  });

  it('adds nothing where the namespace has none', async () => {
    assert.deepEqual(
      await specOf(podNodeSelector(pluginContext({ identifiers, listerOf: annotated({}) }), undefined), {}),
      {},
    );
    assert.deepEqual(await specOf(pluginFor(''), { nodeSelector: { a: 'b' } }), { nodeSelector: { a: 'b' } });
  });

  it('refuses a Pod that contradicts it', () =>
    assertForbidden(
      pluginFor('disk=ssd'),
      writeOf('pods', pod({ nodeSelector: { disk: 'hdd' } })),
      'pods "p" is forbidden: pod node label selector conflicts with its namespace node label selector',
    ));

  it('refuses Pods where the annotation is no list of labels', async () => {
    for (const [selector, message] of [
      ['disk', /^invalid selector: \[disk\]$/],
      ['a=b=c', /^invalid selector: \[a b c\]$/],
      ['-=b', /^invalid label key "-"/],
      ['a=-', /^invalid label value: "-": at key: "a"/],
      ['=a', /^invalid label key "": name part must be non-empty; name part must consist of/],
    ] as const) {
      await assert.rejects(specOf(pluginFor(selector), {}), { code: 500, reason: '', message });
    }
  });

  it('refuses Pods of a missing namespace', async () => {
    const write = writeOf('pods', pod({}), { namespace: 'gone' });
    await assert.rejects(admit(pluginFor(''), write), { message: 'namespaces "gone" not found' });
  });
});

const tolerationKind = {
  apiVersion: 'podtolerationrestriction.admission.k8s.io/v1alpha1',
  kind: 'Configuration',
};

describe('PodTolerationRestriction', () => {
  const toleration = (key: string, rest: JsonObject = {}): JsonObject => ({ key, operator: 'Exists', ...rest });
  const pluginFor = (lists: { defaults?: readonly JsonObject[]; whitelist?: readonly JsonObject[] }) =>
    podTolerationRestriction(
      pluginContext({
        identifiers,
        listerOf: annotated({
          ...(lists.defaults ? { defaultTolerations: JSON.stringify(lists.defaults) } : {}),
          ...(lists.whitelist ? { tolerationsWhitelist: JSON.stringify(lists.whitelist) } : {}),
        }),
      }),
    );
  const refusal = {
    code: 403,
    reason: 'Forbidden',
    message:
      'pods "p" is forbidden: pod tolerations (possibly merged with namespace default tolerations) conflict with its namespace whitelist',
  };

  it("puts the namespace's tolerations after those of a new Pod", async () => {
    const plugin = pluginFor({ defaults: [toleration('a'), toleration('b')] });
    const tolerations = [toleration('c'), toleration('b')];
    assert.deepEqual(await specOf(plugin, { tolerations }), { tolerations: ['c', 'b', 'a'].map((k) => toleration(k)) });
    assert.deepEqual(await admit(plugin, writeOf('pods', pod({}), { oldObject: pod({}) })), pod({}));
  });

  it('lets Pods that request memory or CPU stay under pressure on memory', async () => {
    const added = toleration('node.kubernetes.io/memory-pressure', { effect: 'NoSchedule' });
    const containers = (amounts: JsonObject): JsonObject => ({ containers: [{ resources: amounts }] });
    const requested: readonly JsonObject[] = [{ requests: { cpu: '1m' } }, { limits: { memory: '1' } }];
    for (const amounts of requested) {
      assert.deepEqual((await specOf(pluginFor({}), containers(amounts)))['tolerations'], [added]);
    }
    const bestEffort = containers({ requests: { cpu: '0', 'example.com/gpu': '1' } });
    assert.deepEqual(await specOf(pluginFor({}), bestEffort), bestEffort);
  });

  it('refuses tolerations that the namespace does not list', async () => {
    const plugin = pluginFor({ whitelist: [toleration('a'), { key: 'b', operator: 'Equal', value: 'x' }] });
    for (const allowed of [
      toleration('a', { effect: 'NoExecute' }),
      { key: 'a' },
      { key: 'b', operator: 'Equal', value: 'x' },
    ]) {
      await specOf(plugin, { tolerations: [allowed] });
    }
    for (const refused of [
      toleration('c'),
      toleration('b'),
      { key: 'b', operator: 'Equal', value: 'y' },
      { operator: 'Exists' },
    ]) {
      await assert.rejects(specOf(plugin, { tolerations: [toleration('a'), refused] }), refusal);
    }
    await specOf(plugin, {});
  });

  it("limits how long Pods tolerate a taint to the list's seconds", async () => {
    const limited = (rest: JsonObject) => toleration('a', { effect: 'NoExecute', ...rest });
    const plugin = pluginFor({ whitelist: [limited({ tolerationSeconds: 60 })] });
    await specOf(plugin, { tolerations: [limited({ tolerationSeconds: 60 })] });
    const longer: readonly JsonObject[] = [{ tolerationSeconds: 61 }, {}];
    for (const rest of longer) {
      await assert.rejects(specOf(plugin, { tolerations: [limited(rest)] }), refusal);
    }
  });

  it('refuses Pods where an annotation is no list', async () => {
    const scalar = 'json: cannot unmarshal number into Go value of type v1.Toleration';
    const field =
      'json: cannot unmarshal number into Go struct field Toleration.operator of type v1.TolerationOperator';
    for (const [text, message] of [
      ['{}', 'json: cannot unmarshal object into Go value of type []v1.Toleration'],
      ['[', 'unexpected end of JSON input'],
      ['x', "invalid character 'x' looking for beginning of value"],
      ['[3]', scalar],
      ['[{"operator":1}]', field],
    ] as const) {
      const plugin = podTolerationRestriction(
        pluginContext({ identifiers, listerOf: annotated({ defaultTolerations: text }) }),
      );
      await assert.rejects(specOf(plugin, {}), { code: 500, reason: '', message });
    }
  });

  it('reads annotations as Go does: names in any case, no unknown fields, null as nothing', async () => {
    const text = '[{"KEY":"a","Operator":"Exists","more":1,"value":null}]';
    const plugin = podTolerationRestriction(
      pluginContext({ identifiers, listerOf: annotated({ defaultTolerations: text }) }),
    );
    assert.deepEqual(await specOf(plugin, {}), { tolerations: [toleration('a')] });
    const none = annotated({ defaultTolerations: 'null', tolerationsWhitelist: 'null' });
    const configuration = { ...tolerationKind, default: [toleration('b')], whitelist: [toleration('b')] };
    const own = { tolerations: [toleration('c')] };
    assert.deepEqual(
      await specOf(podTolerationRestriction(pluginContext({ identifiers, listerOf: none }), configuration), own),
      own,
    );
  });

  it('names the list of the cluster where the namespace has none', async () => {
    const configuration = { ...tolerationKind, whitelist: [toleration('b')] };
    const plugin = podTolerationRestriction(pluginContext({ identifiers, listerOf: annotated({}) }), configuration);
    await assert.rejects(specOf(plugin, { tolerations: [toleration('c')] }), {
      message:
        'pods "p" is forbidden: pod tolerations (possibly merged with namespace default tolerations) conflict with its cluster whitelist',
    });
  });

  it('refuses more tolerations than it can merge in time', async () => {
    const tolerations = Array.from({ length: 1001 }, (_, index) => toleration(`k${index}`));
    await assert.rejects(specOf(pluginFor({}), { tolerations }), { reason: 'Forbidden', message: /1001 tolerations/ });
    const withDefault = pluginFor({ defaults: [toleration('a')] });
    await assert.rejects(specOf(withDefault, { tolerations: tolerations.slice(1) }), { message: /1001 tolerations/ });
    await specOf(withDefault, { tolerations: tolerations.slice(2) });
  });

  it('compares long lists with the same key without blocking the event loop for long', async () => {
    const valued = (value: number): JsonObject => ({ key: 'a', operator: 'Equal', value: String(value) });
    const whitelist = Array.from({ length: 6_000 }, (_, index) => valued(index));
    const tolerations = whitelist.slice(-999);
    const plugin = pluginFor({ defaults: tolerations.slice(0, 1), whitelist });
    const blocks: number[] = [];
    // More than once, because the first run is that of the compiler.
    for (let run = 0; run < 3; run++) {
      const { result, blockMs } = await measureBlocks(() => specOf(plugin, { tolerations }));
      assert.deepEqual(result, { tolerations });
      blocks.push(blockMs);
    }
    assert.ok(Math.min(...blocks) < longestBlockMs, `${blocks.join()} ms of CPU in one turn`);
  });
});

describe('merged tolerations', () => {
  it('leave out what another covers, and keep the first of equal ones', () => {
    const wide = { key: 'a', operator: 'Exists' };
    const narrow = { key: 'a', operator: 'Equal', value: 'x', effect: 'NoSchedule' };
    const brief = { ...wide, effect: 'NoExecute', tolerationSeconds: 5 };
    assert.deepEqual(mergeTolerations([narrow], [wide]), [wide]);
    assert.deepEqual(mergeTolerations([wide], [narrow, brief]), [wide]);
    assert.deepEqual(mergeTolerations([narrow, brief], [narrow]), [narrow, brief]);
    assert.deepEqual(mergeTolerations([narrow], [{ operator: 'Exists' }]), [{ operator: 'Exists' }]);
  });
});
