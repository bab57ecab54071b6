import type { Identifiers } from '../../identifiers/identifiers.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import { annotationsOf, nameOf } from '../../meta/object-meta.ts';
import { objectAt, objectsAt, sameValue, stringAt } from '../../meta/read-field.ts';
import { now } from '../../meta/time.ts';
import { systemScope } from '../../registry/internal/ensure-object.ts';
import { reconcileObject } from '../../registry/internal/reconcile-object.ts';
import type { Registries } from '../../registry/definition/registry.ts';
import {
  autoUpdateAnnotation,
  type DefaultObject,
  defaultFlowSchemas,
  defaultPriorityLevels,
} from '../../resources/flowcontrol/default-priority-levels.ts';

/** The resources of flow control. */
interface FlowControlRegistries {
  readonly registries: Registries;
  readonly identifiers: Identifiers;
}

/**
 * Creates the default objects of flow control. Mandatory ones get their specification back if it
 * was changed; the others too, unless an administrator has set their annotation to `false`. The
 * schemas are created with statuses that say that their levels exist. Does nothing if the
 * resources are not served.
 */
export async function ensureFlowControlObjects(
  { registries, identifiers, release }: FlowControlRegistries & { readonly release: string },
  signal: AbortSignal,
): Promise<void> {
  const annotation = autoUpdateAnnotation(identifiers);
  const ensureAll = async (resource: string, objectsIn: (version: string) => readonly DefaultObject[]) => {
    const registry = registries.forResource(identifiers.flowControlGroup, resource);
    if (!registry) return;
    const scope = systemScope(identifiers, registry, signal);
    const ensure = ({ object, mandatory }: DefaultObject): Promise<void> =>
      reconcileObject(registry, scope, object, (found) => {
        const isOurs = mandatory || annotationsOf(found)[annotation] === 'true';
        const spec = wantedSpec(object, found);
        return !isOurs || spec === undefined || sameValue(found['spec'], spec) ? undefined : { ...found, spec };
      });
    await Promise.all(objectsIn(scope.version).map(ensure));
  };
  await Promise.all([
    ensureAll('prioritylevelconfigurations', (version) => defaultPriorityLevels(identifiers, release, version)),
    // Flow schemas with statuses, so that the upkeep writes nothing to an idle server.
    ensureAll('flowschemas', () =>
      defaultFlowSchemas(identifiers, release).map(({ object, mandatory }) => ({
        object: withDangling(object, true) ?? object,
        mandatory,
      })),
    ),
  ]);
}

/**
 * The default spec. Administrators may change the seats that the level exempt reserves and lends.
 */
function wantedSpec({ spec }: JsonObject, found: JsonObject): JsonValue | undefined {
  const exempt = objectAt(found, 'spec')['exempt'];
  return isJsonObject(spec) && isJsonObject(spec['exempt']) && isJsonObject(exempt) ? { ...spec, exempt } : spec;
}

/**
 * Writes to the status of a flow schema whether its priority level exists; nothing if the status
 * says so.
 */
export async function writeDangling(
  { registries, identifiers }: FlowControlRegistries,
  schema: JsonObject,
  levelExists: boolean,
  signal: AbortSignal,
): Promise<void> {
  const registry = registries.forResource(identifiers.flowControlGroup, 'flowschemas');
  if (!registry) return;
  const scope = { ...systemScope(identifiers, registry, signal), name: nameOf(schema), subresource: 'status' };
  await reconcileObject(registry, scope, schema, (found) => withDangling(found, levelExists));
}

/** Reports whether the status of a flow schema says whether its level exists. */
export function tellsDangling(schema: JsonObject, levelExists: boolean): boolean {
  return withDangling(schema, levelExists) === undefined;
}

function withDangling(schema: JsonObject, levelExists: boolean): JsonObject | undefined {
  const level = stringAt(objectAt(schema, 'spec', 'priorityLevelConfiguration'), 'name');
  const status = levelExists ? 'False' : 'True';
  const reason = levelExists ? 'Found' : 'NotFound';
  const exists = levelExists ? 'it exists' : 'there is no such object';
  const message = `This FlowSchema references the PriorityLevelConfiguration object named ${JSON.stringify(level)} and ${exists}`;
  const conditions = objectsAt(objectAt(schema, 'status'), 'conditions');
  const present = conditions.find((condition) => stringAt(condition, 'type') === 'Dangling');
  if (present && stringAt(present, 'status') === status && stringAt(present, 'message') === message) return undefined;
  const lastTransitionTime =
    present && stringAt(present, 'status') === status ? stringAt(present, 'lastTransitionTime') : now();
  const dangling = { type: 'Dangling', status, lastTransitionTime, reason, message };
  const others = conditions.filter((condition) => condition !== present);
  return { ...schema, status: { ...objectAt(schema, 'status'), conditions: [...others, dangling] } };
}
