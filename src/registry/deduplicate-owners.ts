import { equalValues } from '../apply/equal-values.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../meta/json-value.ts';
import { getMeta, setMeta } from '../meta/object-meta.ts';

/** Drops owner references that stand twice, and tells the client. In place. */
export function deduplicateOwners(object: JsonObject, warn: (text: string) => void): void {
  const references = getMeta(object, 'ownerReferences');
  if (!Array.isArray(references) || references.length < 2) return;
  const byUid = new Map<string, JsonValue[]>();
  const repeated = new Set<string>();
  const kept = references.filter((reference) => {
    const uid = uidOf(reference);
    const same = byUid.get(uid) ?? [];
    if (same.some((earlier) => equalValues(earlier, reference))) {
      repeated.add(uid);
      return false;
    }
    byUid.set(uid, [...same, reference]);
    return true;
  });
  if (repeated.size === 0) return;
  setMeta(object, 'ownerReferences', kept);
  warn(`metadata.ownerReferences holds entries twice, which were dropped; their uids: ${[...repeated].join(', ')}`);
}

function uidOf(reference: JsonValue): string {
  const uid = isJsonObject(reference) ? reference['uid'] : undefined;
  return typeof uid === 'string' ? uid : '';
}
