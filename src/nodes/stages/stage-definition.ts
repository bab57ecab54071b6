import type { GenericObject } from '../../client/api-object.ts';
import type { Client } from '../../client/client.ts';
import { hasReason, ignoreReasons } from '../../client/error-of-response.ts';
import { pause } from '../../async/timers.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import { stageGroup, stagesOf, stageVersion } from './stage.ts';
import { stageSpecSchema } from './stage-schema.ts';

/** The definition of the kind Stage. */
function stageDefinition(identifiers: Identifiers): GenericObject {
  const { apiDomain, labelDomain } = identifiers;
  const group = stageGroup(identifiers);
  const schema = {
    type: 'object',
    description: 'A stage of the life of pods or nodes that are imitated by stand-in nodes.',
    required: ['spec'],
    properties: { spec: publishedSchema(stageSpecSchema, identifiers) },
  };
  return {
    apiVersion: `apiextensions.${apiDomain}/v1`,
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `stages.${group}`,
      annotations: { [`api-approved.${labelDomain}`]: 'unapproved, of stand-in nodes' },
    },
    spec: {
      group,
      scope: 'Cluster',
      names: { plural: 'stages', singular: 'stage', kind: 'Stage', listKind: 'StageList' },
      versions: [
        {
          name: stageVersion,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: schema },
          additionalPrinterColumns: [
            { name: 'Resource', type: 'string', jsonPath: '.spec.resource' },
            { name: 'Weight', type: 'integer', jsonPath: '.spec.weight' },
            { name: 'Delay', type: 'string', jsonPath: '.spec.delay.duration' },
            { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
          ],
        },
      ],
    },
  };
}

function publishedSchema(schema: JsonValue, identifiers: Identifiers): JsonValue {
  if (Array.isArray(schema)) return schema.map((item) => publishedSchema(item, identifiers));
  if (!isJsonObject(schema)) return schema;
  const { preserved, ...rest } = schema;
  const copy = Object.entries(rest).map(([name, value]) => [name, publishedSchema(value, identifiers)]);
  const extension = `${identifiers.schemaExtensionPrefix}preserve-unknown-fields`;
  const published: JsonObject = Object.fromEntries(copy);
  return preserved === true ? { ...published, [extension]: true } : published;
}

/** Time between two looks for the new kind. */
const retryMs = 20;

/** The server has the kind by then, or something is wrong. */
const limitMs = 30_000;

/**
 * Defines the kind Stage, or brings its definition up to date, and waits until it is served.
 * Rejects if the server refuses it or does not serve it in time.
 */
export async function defineStages(client: Client, identifiers: Identifiers, signal: AbortSignal): Promise<void> {
  const definitions = client.resource({
    group: `apiextensions.${identifiers.apiDomain}`,
    version: 'v1',
    resource: 'customresourcedefinitions',
    namespaced: false,
  });
  const definition = stageDefinition(identifiers);
  const created = await ignoreReasons(definitions.create(definition, { signal }), 'AlreadyExists');
  if (!created) await definitions.apply(definition, { fieldManager: 'stand-in', force: true, signal });
  const stages = client.resource(stagesOf(identifiers));
  for (const endMs = performance.now() + limitMs; ; await pause(retryMs, signal)) {
    try {
      await stages.list({ limit: 1, signal });
      return;
    } catch (error) {
      if (!hasReason(error, 'NotFound') || performance.now() > endMs) throw error;
    }
  }
}
