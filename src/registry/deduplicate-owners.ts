import { isJsonObject, type JsonObject, type JsonValue } from '../meta/json-value.ts';
import { getMeta, setMeta } from '../meta/object-meta.ts';
import { cutText } from '../status/shown-value.ts';

/** Drops owner references that are there twice, and warns the client in the words of kube-apiserver. In place. */
export function deduplicateOwners(object: JsonObject, warn: (text: string) => void): void {
  const references = getMeta(object, 'ownerReferences');
  if (!Array.isArray(references) || references.length < 2) return;
  const seen = new Set<string>();
  const repeated: string[] = [];
  const kept = references.filter((reference) => {
    // Decoded, so that the fields are in the order of the schema: equal references have equal JSON.
    const text = JSON.stringify(reference);
    const isRepeated = seen.has(text);
    if (isRepeated) repeated.push(uidOf(reference));
    else seen.add(text);
    return !isRepeated;
  });
  if (repeated.length === 0) return;
  setMeta(object, 'ownerReferences', kept);
  warn(`${warning}; duplicate UID(s) observed: ${cutText(repeated.join(', '))}`);
}

const warning =
  '.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, ' +
  'and may reject such requests as early as 1.24; please fix your requests';

function uidOf(reference: JsonValue): string {
  const uid = isJsonObject(reference) ? reference['uid'] : undefined;
  return typeof uid === 'string' ? uid : '';
}
