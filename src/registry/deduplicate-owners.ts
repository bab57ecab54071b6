import { isJsonObject, type JsonObject, type JsonValue } from '../meta/json-value.ts';
import { getMeta, setMeta } from '../meta/object-meta.ts';
import { cutText } from '../status/shown-value.ts';

/** Drops owner references that stand twice, and tells the client. In place. */
export function deduplicateOwners(object: JsonObject, warn: (text: string) => void): void {
  const references = getMeta(object, 'ownerReferences');
  if (!Array.isArray(references) || references.length < 2) return;
  const seen = new Set<string>();
  const repeated = new Set<string>();
  const kept = references.filter((reference) => {
    // Decoded, so that the fields are in the order of the schema: equal references have equal JSON.
    const text = JSON.stringify(reference);
    const isRepeated = seen.has(text);
    if (isRepeated) repeated.add(uidOf(reference));
    else seen.add(text);
    return !isRepeated;
  });
  if (repeated.size === 0) return;
  setMeta(object, 'ownerReferences', kept);
  warn(
    `metadata.ownerReferences holds entries twice, which were dropped; their uids: ${cutText([...repeated].join(', '))}`,
  );
}

function uidOf(reference: JsonValue): string {
  const uid = isJsonObject(reference) ? reference['uid'] : undefined;
  return typeof uid === 'string' ? uid : '';
}
