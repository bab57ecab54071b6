import { andThen, type MaybePromise } from '../../../async/maybe-promise.ts';
import type { Node, Pod } from '../../../gen/stored/core-v1.ts';
import { isSidecar } from '../../../kinds/core/pod.ts';
import { generationOf } from '../../../meta/object-meta.ts';
import { sameMessage } from '../../../scheme/same-message.ts';
import type { AdmissionPlugin, PluginContext } from '../../admission.ts';
import { forbidden } from '../../forbidden.ts';
import { isWriteTo } from '../../is-write-to.ts';

/** The parts of a Node that this plugin needs. */
interface KnownNode {
  readonly features: ReadonlySet<string>;
}

type Spec = Pod['spec'];

const sameResources = sameMessage('api.core.v1.ResourceRequirements');

/** The node features that updates of pods need, each with a function that tells if it is needed. */
const features: readonly (readonly [name: string, isNeeded: (spec: Spec, old: Spec) => boolean])[] = [
  ['InPlacePodLevelResourcesVerticalScaling', (spec, old) => !sameResources(spec.resources, old.resources)],
  [
    'InPlacePodVerticalScalingInitContainers',
    (spec, old) =>
      (old.initContainers ?? []).some(
        (container, index) =>
          !isSidecar(container) && !sameResources(container.resources, spec.initContainers?.[index]?.resources),
      ),
  ],
];

/** Refuses an update of a pod if its node does not declare a feature that the update needs. */
export function nodeDeclaredFeatureValidator({ listerOf }: PluginContext): AdmissionPlugin {
  const nodes = listerOf({
    group: '',
    resource: 'nodes',
    read: ({ status }: Node): KnownNode => ({ features: new Set(status.declaredFeatures) }),
  });
  return {
    name: 'NodeDeclaredFeatureValidator',
    operations: ['UPDATE'],
    resources: ['pods'],
    validate(attributes): MaybePromise<void> {
      const isPod = isWriteTo(attributes, '', 'pods', 'UPDATE') || isWriteTo(attributes, '', 'pods/resize', 'UPDATE');
      if (!isPod || !attributes.oldObject) return undefined;
      const { object, oldObject, signal } = attributes;
      const { nodeName } = object.spec;
      if (!nodeName || generationOf(object) === generationOf(oldObject)) return undefined;
      const needed = features.filter(([, isNeeded]) => isNeeded(object.spec, oldObject.spec)).map(([name]) => name);
      if (needed.length === 0) return undefined;
      const shown = JSON.stringify(nodeName);
      return andThen(nodes.get('', nodeName, signal), (node) => {
        if (!node) throw forbidden(attributes, `node ${shown} not found`);
        const missing = needed.filter((name) => !node.features.has(name));
        if (missing.length === 0) return;
        const names = missing.join(', ');
        throw forbidden(attributes, `pod update requires features ${names} which are not available on node ${shown}`);
      });
    },
  };
}
