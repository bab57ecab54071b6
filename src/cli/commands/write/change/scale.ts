import type { Invocation } from '../../../command.ts';
import { pause } from '../../../../async/timers.ts';
import type { JsonObject } from '../../../../meta/json-value.ts';
import { numberAt, objectAt } from '../../../../meta/read-field.ts';
import { resourceVersionOf } from '../../../../meta/object-meta.ts';
import { CliError } from '../../../cli-error.ts';
import { withClient } from '../../../connect.ts';
import type { Session } from '../../../find-type.ts';
import { forEachObject } from '../../../for-each-object.ts';
import { patchObject } from '../../../objects/change-objects.ts';
import { type SelectedObject, selectObjects } from '../../../objects/select-objects.ts';
import { createWrittenObjects } from '../../../objects/written-objects.ts';
import type { scaleFlags } from './flags.ts';

type ScaleOptions = Invocation<typeof scaleFlags>['options'];

/**
 * `cl scale`: sets the number of replicas through the sub-resource `scale` of any type that has it.
 */
export async function scale({ words, options, io }: Invocation<typeof scaleFlags>): Promise<void> {
  if (options.replicas === undefined) {
    throw new CliError('the --replicas=COUNT flag is required, and COUNT must be greater than or equal to 0');
  }
  await withClient({ options, io }, async (client) => {
    const session = { client, options, io };
    const selected = await selectObjects(session, { words, ...options });
    const printer = await createWrittenObjects(options, io);
    const scaleOne = async (object: SelectedObject): Promise<void> => {
      const before = await object.load();
      if (options.dryRun !== 'client') await setReplicas(session, object, options);
      const after = options.output ? await object.load() : before;
      printer.print(after, 'scaled');
    };
    await forEachObject(selected, scaleOne, { io, done: 'scaled' });
    if (options.timeout > 0 && options.dryRun === 'none') await waitForReplicas(session, selected, options);
  });
}

async function setReplicas(session: Session, object: SelectedObject, options: ScaleOptions): Promise<void> {
  const { replicas = 0, currentReplicas, resourceVersion, dryRun } = options;
  const current = await scaleOf(session, object);
  const found = replicasIn(current, 'spec');
  if (currentReplicas >= 0 && found !== currentReplicas) {
    throw new CliError(`Expected replicas to be ${currentReplicas}, was ${found}`);
  }
  if (resourceVersion !== undefined && resourceVersion !== resourceVersionOf(current)) {
    throw new CliError(`Expected resource version to be ${resourceVersion}, was ${resourceVersionOf(current)}`);
  }
  // The number that was compared is the one that is replaced.
  const isBound = currentReplicas >= 0 || resourceVersion !== undefined;
  const metadata = isBound ? { metadata: { resourceVersion: resourceVersionOf(current) } } : {};
  await patchObject(session, object, { ...metadata, spec: { replicas } }, { dryRun, subresource: 'scale' });
}

async function scaleOf({ client, io }: Session, { resource, name, namespace }: SelectedObject): Promise<JsonObject> {
  const place = { subresource: 'scale', signal: io.signal, ...(namespace === undefined ? {} : { namespace }) } as const;
  const found: unknown = await client.resource(resource).get(name, place);
  // The codec of the client returns JSON values.
  return found as JsonObject;
}

function replicasIn(scaleObject: JsonObject, part: 'spec' | 'status'): number {
  return numberAt(objectAt(scaleObject, part), 'replicas') ?? 0;
}

const pollMs = 100;

async function waitForReplicas(
  session: Session,
  selected: readonly SelectedObject[],
  options: ScaleOptions,
): Promise<void> {
  const deadline = Date.now() + options.timeout;
  for (const object of selected) {
    while (replicasIn(await scaleOf(session, object), 'status') !== options.replicas) {
      if (Date.now() > deadline) throw new CliError(`timed out waiting for ${object.resource.resource}/${object.name}`);
      await pause(pollMs, session.io.signal);
    }
  }
}
