import { isJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import { getMeta, setMeta } from '../../meta/object-meta.ts';
import { cutText } from '../../status/shown-value.ts';

/**
 * The origin of duplicate owner references: the request body, or a patch and mutating admission.
 */
type Origin = 'sent' | 'made';

/** Removes duplicate owner references in place. Warns the client in the words of kube-apiserver. */
export function deduplicateOwners(object: JsonObject, origin: Origin, warn: (text: string) => void): void {
  const references = getMeta(object, 'ownerReferences');
  if (!Array.isArray(references) || references.length < 2) return;
  const seen = new Set<string>();
  const repeated: string[] = [];
  const kept = references.filter((reference) => {
    // Decoding put the fields in schema order, so equal references have equal JSON.
    const text = JSON.stringify(reference);
    const isRepeated = seen.has(text);
    if (isRepeated) repeated.push(uidOf(reference));
    else seen.add(text);
    return !isRepeated;
  });
  if (repeated.length === 0) return;
  setMeta(object, 'ownerReferences', kept);
  warn(`${found[origin]}; ${advice}; duplicate UID(s) observed: ${cutText(repeated.join(', '))}`);
}

const duplicates = '.metadata.ownerReferences contains duplicate entries';
const found: Readonly<Record<Origin, string>> = {
  sent: duplicates,
  made: `${duplicates} after mutating admission happens`,
};
const advice =
  'API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests';

function uidOf(reference: JsonValue): string {
  const uid = isJsonObject(reference) ? reference['uid'] : undefined;
  return typeof uid === 'string' ? uid : '';
}
