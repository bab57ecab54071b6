import { schemaOfKind, type Schemas } from '../../cli/commands/types/schema-of-kind.ts';
import type { DiscoveredResource } from '../../client/discovery.ts';
import { groupVersionPath } from '../../client/resource-path.ts';
import { hasReason } from '../../client/error-of-response.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { objectAt, stringAt } from '../../meta/read-field.ts';
import { sendJson } from './send.ts';

/** The schema of a kind with those that it refers to. */
interface KindSchema {
  readonly schema: JsonObject;
  readonly schemas: Schemas;
}

/** The most cached documents, each of a group version. */
const mostDocuments = 8;

/** Documents by their address, which has their hash. */
const documents = new Map<string, Schemas>();

/** Reads the schema of a kind; undefined if the server publishes none. */
export async function readKindSchema(kind: DiscoveredResource, signal: AbortSignal): Promise<KindSchema | undefined> {
  try {
    const index = await sendJson<JsonObject>('/openapi/v3', { signal });
    const place = groupVersionPath(kind.group, kind.version).replace(/^\//, '');
    const address = stringAt(objectAt(index, 'paths', place), 'serverRelativeURL');
    if (!address.startsWith('/openapi/v3/')) return undefined;
    const schemas = documents.get(address) ?? (await readDocument(address, signal));
    const schema = schemaOfKind(schemas, kind);
    return schema && { schema, schemas };
  } catch (error) {
    if (hasReason(error, 'NotFound')) return undefined;
    throw error;
  }
}

async function readDocument(address: string, signal: AbortSignal): Promise<Schemas> {
  const document = await sendJson<JsonObject>(address, { signal });
  const schemas = objectAt(document, 'components', 'schemas');
  const [oldest] = documents.keys();
  if (oldest !== undefined && documents.size >= mostDocuments) documents.delete(oldest);
  documents.set(address, schemas);
  return schemas;
}
