import type { Schemas } from '../../cli/commands/types/schema-of-kind.ts';
import { shortGroup } from '../../cli/commands/inspect/describe/parts/values.ts';
import type { DiscoveredResource } from '../../client/discovery.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import { formatApiVersion } from '../../meta/group-version-kind.ts';
import { getOwn, isJsonObject, type JsonObject } from '../../meta/json-value.ts';
import { startingValue } from '../forms/starting-value.ts';
import { configuration } from './configuration.ts';
import type { Example } from './example.ts';
import { policies } from './policies.ts';
import { workloads } from './workloads.ts';

const shipped = { ...workloads, ...configuration, ...policies };

/** An object of a kind to begin with, complete but for what its writer knows. */
interface NamedExample {
  readonly title: string;
  readonly object: JsonObject;
}

interface ExampleSource {
  readonly kind: DiscoveredResource;
  readonly identifiers: Identifiers;
  /** The namespace of objects of kinds that have one. */
  readonly namespace: string;
  /** The schema that the server publishes for the kind. */
  readonly published: { readonly schema: JsonObject; readonly schemas: Schemas } | undefined;
}

/**
 * The examples of a kind: those that come with the page, and the fields that the server's schema
 * requires.
 */
export function examplesOf({ kind, identifiers, namespace, published }: ExampleSource): readonly NamedExample[] {
  const { group, version, resource } = kind;
  const complete = (body: JsonObject): JsonObject => {
    const { metadata, ...fields } = body;
    const named = isJsonObject(metadata) ? metadata : {};
    return {
      apiVersion: formatApiVersion(group, version),
      kind: kind.kind,
      metadata: kind.namespaced ? { ...named, namespace } : named,
      ...fields,
    };
  };
  const known: readonly Example[] = getOwn(shipped, `${shortGroup(group)}/${resource}`) ?? [];
  return [
    ...known.map(({ title, body }) => ({ title, object: complete(body(identifiers)) })),
    { title: 'Required fields only', object: complete(requiredBody(kind, published)) },
  ];
}

/** Fields that no client writes. */
const notWritten: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'status']);

function requiredBody({ singular, resource }: DiscoveredResource, published: ExampleSource['published']): JsonObject {
  const metadata = { name: `my-${singular || resource}` };
  if (!published) return { metadata };
  const { schema, schemas } = published;
  const value = startingValue(schema, schemas, true);
  // Most kinds require nothing at their top, but hardly one is of use without its spec.
  const { properties } = schema;
  const spec = isJsonObject(properties) ? properties['spec'] : undefined;
  const fields = Object.entries({
    ...(isJsonObject(spec) ? { spec: startingValue(spec, schemas, true) } : {}),
    ...(isJsonObject(value) ? value : {}),
  }).filter(([name]) => !notWritten.has(name));
  return { metadata, ...Object.fromEntries(fields) };
}
