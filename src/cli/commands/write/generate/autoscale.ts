import type { Invocation } from '../../../command.ts';
import type { JsonObject } from '../../../../meta/json-value.ts';
import { nameOf } from '../../../../meta/object-meta.ts';
import { CliError } from '../../../cli-error.ts';
import { withClient } from '../../../connect.ts';
import { forEachObject } from '../../../for-each-object.ts';
import { type SelectedObject, selectObjects } from '../../../objects/select-objects.ts';
import type { autoscaleFlags } from './expose-flags.ts';
import { type Generated, writeGenerated } from './generate-object.ts';

type AutoscaleOptions = Invocation<typeof autoscaleFlags>['options'];

/** `cl autoscale TYPE NAME --max=COUNT`: creates an autoscaler for an object with replicas. */
export async function autoscale({ words, options, io }: Invocation<typeof autoscaleFlags>): Promise<void> {
  const { min, max } = options;
  if (max < 1) throw new CliError('--max=MAXPODS is required and must be at least 1', { hint: '--max=5' });
  if (max < min) {
    throw new CliError(`--max=MAXPODS must be larger or equal to --min=MINPODS, max: ${max}, min: ${min}`);
  }
  await withClient({ options, io }, async (client) => {
    const session = { client, options, io };
    const { filename, recursive, kustomize } = options;
    const selected = await selectObjects(session, { words, filename, recursive, kustomize });
    const scaleOne = async ({ load }: SelectedObject): Promise<void> => {
      await writeGenerated(session, options, autoscalerFor(await load(), options), 'autoscaled');
    };
    await forEachObject(selected, scaleOne, { io, done: 'autoscaled' });
  });
}

function autoscalerFor(object: JsonObject, options: AutoscaleOptions): Generated {
  const { apiVersion = '', kind = '' } = object;
  const name = nameOf(object);
  const { min, max, cpu, memory, cpuPercent } = options;
  const use = cpu ?? (cpuPercent >= 0 ? `${cpuPercent}%` : undefined);
  const metrics = [...(use ? [metric('cpu', use)] : []), ...(memory ? [metric('memory', memory)] : [])];
  const spec: JsonObject = {
    maxReplicas: max,
    ...(min > 0 ? { minReplicas: min } : {}),
    ...(metrics.length > 0 ? { metrics } : {}),
    scaleTargetRef: { apiVersion, kind, name },
  };
  return {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: options.name ?? name },
    spec,
    status: { currentMetrics: null, desiredReplicas: 0 },
  };
}

function metric(name: string, use: string): JsonObject {
  const percent = /^(\d+)%?$/.exec(use)?.[1];
  const target: JsonObject =
    percent === undefined
      ? { averageValue: use, type: 'AverageValue' }
      : { averageUtilization: Number(percent), type: 'Utilization' };
  return { resource: { name, target }, type: 'Resource' };
}
