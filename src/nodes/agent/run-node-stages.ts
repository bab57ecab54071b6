import { controller } from '../../client/controllers/controller.ts';
import { watched } from '../../client/controllers/watch-sources.ts';
import type { InformerFactory } from '../../client/informers/informer-factory.ts';
import type { ResourceReference } from '../../client/resource-path.ts';
import { hasReason } from '../../client/error-of-response.ts';
import { type Node, nodes } from '../../controllers/resources.ts';
import type { Stage } from '../stages/stage.ts';
import type { StageRunner } from '../stages/stage-runner.ts';

/** The nodes that stages may change. */
interface NodeStageOptions {
  readonly informers: InformerFactory;
  readonly stages: StageRunner;
  /** The stages of the API, whose changes concern all nodes; undefined without the kind. */
  readonly stageResource: ResourceReference<Stage> | undefined;
  /** Addresses of the nodes, by name. */
  readonly addresses: ReadonlyMap<string, string>;
  readonly onError: (error: unknown) => void;
}

/** Nodes that are changed at the same time. */
const concurrency = 8;

/** Applies stages to the nodes themselves. Ends when the signal aborts. */
export async function runNodeStages(
  { informers, stages, stageResource, addresses, onError }: NodeStageOptions,
  signal: AbortSignal,
): Promise<void> {
  const names = [...addresses.keys()].map((name) => ({ name, namespace: '' }));
  informers.informer(nodes).subscribe({ delete: ({ metadata }) => stages.forget(metadata.uid) }, signal);
  await controller<Node>({
    name: 'node-stages',
    informers,
    for: nodes,
    watches: stageResource
      ? [watched<Stage>(stageResource, ({ spec }) => (spec.resource === 'nodes' ? names : []))]
      : [],
    concurrency,
    onError,
    async reconcile({ object }) {
      const hostIp = addresses.get(object?.metadata.name ?? '');
      if (!object || hostIp === undefined) return undefined;
      try {
        const addressesOf = () => ({ podIp: '', hostIp });
        const waits = await stages.run({ kind: 'Node', object, node: object, addresses: addressesOf }, signal);
        return waits?.waitMs === undefined ? undefined : { requeueAfterMs: waits.waitMs };
      } catch (error) {
        if (!hasReason(error, 'NotFound', 'Conflict')) throw error;
        return undefined;
      }
    },
  }).run(signal);
}
