import { andThen, type MaybePromise } from '../../../async/maybe-promise.ts';
import type { Node, Pod } from '../../../gen/stored/core-v1.ts';
import { amountAt, countOf } from '../../../kinds/core/amounts.ts';
import { podAmounts } from '../../../kinds/core/pod-amounts.ts';
import { generationOf } from '../../../meta/object-meta.ts';
import { compareQuantities, type Quantity, roundUpToThousandths, roundUpToUnits } from '../../../meta/quantity.ts';
import type { AdmissionPlugin, PluginContext } from '../../admission.ts';
import { forbidden } from '../../forbidden.ts';
import { isWriteTo } from '../../is-write-to.ts';

interface KnownNode {
  /** '' if the node does not report it. */
  readonly system: string;
  readonly allocatable: ReadonlyMap<string, Quantity>;
}

/** The resources that a resize can change, and how messages count them. */
const resized = [
  ['cpu', (amount: Quantity) => roundUpToThousandths(amount).nanos / 1_000_000n],
  ['memory', (amount: Quantity) => roundUpToUnits(amount).nanos / 1_000_000_000n],
] as const;

/** Refuses a resize of a pod that its node can never carry out. */
export function podResizeValidator({ identifiers: { labelDomain }, listerOf }: PluginContext): AdmissionPlugin {
  const nodes = listerOf({
    group: '',
    resource: 'nodes',
    read: ({ metadata, status }: Node): KnownNode => ({
      system: metadata.labels?.[`${labelDomain}/os`] ?? '',
      allocatable: new Map(resized.map(([name]) => [name, amountAt(status.allocatable, name) ?? countOf(0)])),
    }),
  });
  return {
    name: 'PodResizeValidator',
    operations: ['UPDATE'],
    resources: ['pods'],
    validate(attributes): MaybePromise<void> {
      if (!isWriteTo(attributes, '', 'pods/resize', 'UPDATE') || !attributes.oldObject) return undefined;
      const { object, oldObject, signal } = attributes;
      const { nodeName } = object.spec;
      if (!nodeName || generationOf(object) === generationOf(oldObject)) return undefined;
      const shown = JSON.stringify(nodeName);
      return andThen(nodes.get('', nodeName, signal), (node) => {
        if (!node) throw forbidden(attributes, `node ${shown} not found`);
        if (node.system !== '' && node.system !== 'linux') {
          const system = JSON.stringify(node.system);
          const why = `pod resize is only supported on linux nodes, node ${shown} is ${system}`;
          throw forbidden(attributes, why, [{ reason: 'UnsupportedPlatform' }]);
        }
        const missing = missingAmounts(object, node);
        if (missing === '') return;
        const why = `node didn't have enough allocatable resources: ${missing}`;
        throw forbidden(attributes, why, [{ reason: 'NodeCapacity' }]);
      });
    },
  };
}

/** The resources of which a pod requests more than its node has; '' if there are none. */
function missingAmounts({ spec }: Pod, { allocatable }: KnownNode): string {
  const requests = podAmounts(spec, 'requests');
  return resized
    .flatMap(([name, count]) => {
      const [requested, given] = [requests.get(name), allocatable.get(name)];
      if (!requested || !given || compareQuantities(requested, given) <= 0) return [];
      return [`${name}, requested: ${count(requested)}, allocatable: ${count(given)}`];
    })
    .join('; ');
}
