import assert from 'node:assert/strict';
import {
  choiceError,
  createChain,
  defaultPluginNames,
  pluginNames,
} from '../../../../src/admission/chain/create-chain.ts';
import { certificateSubjectRestriction } from '../../../../src/admission/plugins/certificate-subject-restriction.ts';
import { defaultIngressClass } from '../../../../src/admission/plugins/default-ingress-class.ts';
import { defaultStorageClass } from '../../../../src/admission/plugins/default-storage-class.ts';
import { persistentVolumeClaimResize } from '../../../../src/admission/plugins/persistent-volume-claim-resize.ts';
import { storageObjectInUseProtection } from '../../../../src/admission/plugins/storage-object-in-use-protection.ts';
import { taintNodesByCondition } from '../../../../src/admission/plugins/taint-nodes-by-condition.ts';
import type { JsonObject } from '../../../../src/meta/json-value.ts';
import { finalizersOf } from '../../../../src/meta/object-meta.ts';
import { objectAt } from '../../../../src/meta/read-field.ts';
import { admit, assertForbidden, identifiers, listerOf, writeOf } from '../attributes.ts';
import { chainDependencies } from '../chain-dependencies.ts';
import { pluginContext } from '../plugin-context.ts';

function marked(name: string, annotation: string): JsonObject {
  return { metadata: { name, annotations: { [annotation]: 'true' } } };
}

describe('DefaultIngressClass', () => {
  const ingresses = 'ingresses.networking.k8s.io';
  const classes = 'ingressclasses.networking.k8s.io';
  const annotation = 'ingressclass.kubernetes.io/is-default-class';
  const plain = (): JsonObject => ({ metadata: { name: 'i' }, spec: {} });

  it('gives an Ingress without a class the default class', async () => {
    const plugin = defaultIngressClass(
      pluginContext({ identifiers, listerOf: listerOf(classes, { metadata: { name: 'b' } }, marked('a', annotation)) }),
    );
    const ingress = await admit(plugin, writeOf(ingresses, plain()));
    assert.equal(objectAt(ingress, 'spec')['ingressClassName'], 'a');
  });

  it('leaves an Ingress whose annotation names a class', async () => {
    const plugin = defaultIngressClass(
      pluginContext({ identifiers, listerOf: listerOf(classes, marked('a', annotation)) }),
    );
    const annotated = { metadata: { name: 'i', annotations: { 'kubernetes.io/ingress.class': 'x' } }, spec: {} };
    const ingress = await admit(plugin, writeOf(ingresses, annotated));
    assert.deepEqual(objectAt(ingress, 'spec'), {});
  });

  it('leaves Ingresses of the group that is older than classes', async () => {
    const plugin = defaultIngressClass(
      pluginContext({ identifiers, listerOf: listerOf(classes, marked('a', annotation)) }),
    );
    assert.deepEqual(await admit(plugin, writeOf('ingresses.extensions', plain())), plain());
  });

  it('refuses every Ingress where two classes are the default', () =>
    assertForbidden(
      defaultIngressClass(
        pluginContext({ identifiers, listerOf: listerOf(classes, marked('a', annotation), marked('b', annotation)) }),
      ),
      writeOf(ingresses, plain()),
      'ingresses.networking.k8s.io "i" is forbidden: ' +
        'Internal error occurred: 2 default IngressClasses were found, only 1 allowed',
    ));

  it('takes the newest of several default classes since 1.25, and the first by name of those of one second', async () => {
    const of = (name: string, second: number): JsonObject => {
      const creationTimestamp = `2026-01-01T00:00:0${second}Z`;
      return { metadata: { name, creationTimestamp, annotations: { [annotation]: 'true' } } };
    };
    const emulated = { release: '1.25', forwardCompatible: false, isFeatureEnabled: () => false } as const;
    const lister = listerOf(classes, of('a', 1), of('c', 2), of('b', 2));
    const ingress = await admit(
      defaultIngressClass(pluginContext({ identifiers, emulated, listerOf: lister })),
      writeOf(ingresses, plain()),
    );
    assert.equal(objectAt(ingress, 'spec')['ingressClassName'], 'b');
  });
});

describe('DefaultStorageClass', () => {
  const plugin = defaultStorageClass(
    pluginContext({
      identifiers,
      listerOf: listerOf(
        'storageclasses.storage.k8s.io',
        marked('fast', 'storageclass.kubernetes.io/is-default-class'),
      ),
    }),
  );

  it('gives a claim that names no class the default class', async () => {
    const claim = await admit(plugin, writeOf('persistentvolumeclaims', { metadata: { name: 'c' }, spec: {} }));
    assert.equal(objectAt(claim, 'spec')['storageClassName'], 'fast');
  });

  it('leaves a claim that asks for no class', async () => {
    const write = writeOf('persistentvolumeclaims', { metadata: { name: 'c' }, spec: { storageClassName: '' } });
    assert.equal(objectAt(await admit(plugin, write), 'spec')['storageClassName'], '');
  });
});

describe('PersistentVolumeClaimResize', () => {
  const plugin = persistentVolumeClaimResize(
    pluginContext({
      identifiers,
      listerOf: listerOf(
        'storageclasses.storage.k8s.io',
        { metadata: { name: 'rubber' }, allowVolumeExpansion: true },
        { metadata: { name: 'stone' } },
      ),
    }),
  );
  const claim = (storageClassName: string, storage: string, phase = 'Bound'): JsonObject => ({
    metadata: { name: 'c' },
    spec: { storageClassName, resources: { requests: { storage } } },
    status: { phase },
  });

  it('lets a bound claim of an expandable class grow', async () => {
    await admit(
      plugin,
      writeOf('persistentvolumeclaims', claim('rubber', '2Gi'), { oldObject: claim('rubber', '1Gi') }),
    );
  });

  it('refuses growth without a volume, and where the class does not say that volumes grow', async () => {
    const refused: [string, string, string][] = [
      ['rubber', 'Pending', 'only bound persistent volume claims can be expanded'],
      [
        'stone',
        'Bound',
        'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
      ],
    ];
    for (const [storageClass, phase, why] of refused) {
      await assertForbidden(
        plugin,
        writeOf('persistentvolumeclaims', claim(storageClass, '2Gi', phase), {
          oldObject: claim(storageClass, '1Gi', phase),
        }),
        `persistentvolumeclaims "c" is forbidden: ${why}`,
      );
    }
  });
});

describe('StorageObjectInUseProtection', () => {
  it('gives claims and volumes a finalizer, once', async () => {
    const plugin = storageObjectInUseProtection(pluginContext({ identifiers }));
    for (const [resource, finalizer] of [
      ['persistentvolumeclaims', 'kubernetes.io/pvc-protection'],
      ['persistentvolumes', 'kubernetes.io/pv-protection'],
    ] as const) {
      const object = { metadata: { name: 'o', finalizers: ['example.com/mine'] } };
      await admit(plugin, writeOf(resource, object));
      await admit(plugin, writeOf(resource, object));
      assert.deepEqual(finalizersOf(object), ['example.com/mine', finalizer]);
    }
  });
});

describe('TaintNodesByCondition', () => {
  it('taints a new node, once', async () => {
    const plugin = taintNodesByCondition(pluginContext({ identifiers }));
    const node: JsonObject = { metadata: { name: 'n' }, spec: {} };
    await admit(plugin, writeOf('nodes', node));
    await admit(plugin, writeOf('nodes', node));
    assert.deepEqual(objectAt(node, 'spec')['taints'], [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }]);
  });
});

describe('CertificateSubjectRestriction', () => {
  it('refuses what is no certificate request, for the signer of client certificates alone', async () => {
    const plugin = certificateSubjectRestriction(pluginContext({ identifiers }));
    const request = (signerName: string) => ({ metadata: { name: 'r' }, spec: { signerName, request: 'bm8=' } });
    const resource = 'certificatesigningrequests.certificates.k8s.io';
    await admit(plugin, writeOf(resource, request('example.com/other')));
    await assert.rejects(admit(plugin, writeOf(resource, request('kubernetes.io/kube-apiserver-client'))), {
      reason: 'Forbidden',
      message: /failed to parse CSR/,
    });
  });
});

describe('the admission chain', () => {
  /** Of plugins that do not start without. */
  const configurations = {
    EventRateLimit: {
      apiVersion: 'eventratelimit.admission.k8s.io/v1alpha1',
      kind: 'Configuration',
      limits: [{ type: 'Server', qps: 1, burst: 1 }],
    },
    ImagePolicyWebhook: { imagePolicy: { kubeConfigFile: 'config' } },
  };
  /** A release with the plugins of all others. */
  const emulated = { ...chainDependencies.emulated, forwardCompatible: true };
  const names = (enabled: string[], disabled: string[]) =>
    createChain({ ...chainDependencies, emulated }, { enabled, disabled }, configurations).map(({ name }) => name);

  it('runs every default plugin, in one order whatever order the flags have', () => {
    assert.deepEqual(names([], []), defaultPluginNames);
    assert.deepEqual(names(['Priority', 'NamespaceLifecycle'], []), defaultPluginNames);
    const optional = pluginNames.filter((name) => !defaultPluginNames.includes(name));
    assert.deepEqual(names(optional.toReversed(), []), pluginNames);
  });

  it('leaves disabled plugins out', () => {
    assert.equal(names([], ['Priority']).includes('Priority'), false);
  });

  it('refuses names that it does not know, and a plugin that is both enabled and disabled', () => {
    assert.match(
      choiceError({ enabled: ['Magic'], disabled: [] }),
      /^unknown admission plugin Magic; the known plugins are /,
    );
    assert.match(choiceError({ enabled: ['Priority'], disabled: ['Priority'] }), /both enabled and disabled/);
    assert.throws(() => names(['Magic'], []), RangeError);
  });
});
