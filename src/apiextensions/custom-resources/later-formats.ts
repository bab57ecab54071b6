import { isJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import { minorOf } from '../../scheme/api-release.ts';

/**
 * The formats that a release added, by its minor number. Values are checked for them from the next
 * release on, so that a server that goes back accepts the same objects.
 */
const later: ReadonlyMap<string, number> = new Map([
  ['k8s-short-name', 34],
  ['k8s-long-name', 34],
]);

/** A schema without the formats that a release does not check. It is the same if it has none. */
export function withoutLaterFormats(schema: JsonObject, release: string): JsonObject {
  const isKept = (format: JsonValue): boolean =>
    typeof format !== 'string' || (later.get(format) ?? 0) < minorOf(release);
  const visit = (part: JsonValue): JsonValue => {
    if (Array.isArray(part)) return sameOr(part, part.map(visit));
    if (!isJsonObject(part)) return part;
    const entries = Object.entries(part);
    const kept = entries.filter(([name, value]) => name !== 'format' || isKept(value));
    const changed = kept.map(([name, value]) => [name, visit(value)] as const);
    const isSame = kept.length === entries.length && changed.every(([name, value]) => part[name] === value);
    return isSame ? part : Object.fromEntries(changed);
  };
  const visited = visit(schema);
  return isJsonObject(visited) ? visited : schema;
}

function sameOr(part: readonly JsonValue[], visited: JsonValue[]): JsonValue {
  return visited.every((value, index) => value === part[index]) ? (part as JsonValue) : visited;
}
