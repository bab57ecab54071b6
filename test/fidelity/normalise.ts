import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../src/meta/json-value.ts';
import { textAt } from './json-paths.ts';
import type { ApiResponse } from './api-target.ts';
import type { SequenceStep } from './sequence.ts';

/** An answer without what two servers cannot have in common: identities, versions, the time, what they allocate. */
export function normalise({ status, contentType, warnings, body }: ApiResponse, step: SequenceStep): JsonObject {
  const normal = normalValue(withoutGeneratedName(body, generatedPrefix(step)), '');
  return {
    status,
    contentType,
    warnings: counted(warnings.map(normalText)),
    body: normal,
  };
}

/** A server's clock is at most so far from ours; times in requests are years away. */
const clockRangeMs = 24 * 60 * 60 * 1000;

const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g;
const uid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const serviceAddress = /\b10\.0\.0\.\d+\b/g;

function normalText(text: string): string {
  return text
    .replaceAll(time, (found) => (Math.abs(Date.parse(found) - Date.now()) < clockRangeMs ? '<now>' : found))
    .replaceAll(uid, '<uid>')
    .replaceAll(serviceAddress, '<address>');
}

/** Fields whose values are a server's own, by name. */
const ownValues: Readonly<Record<string, (value: JsonValue) => JsonValue>> = {
  resourceVersion: (value) => (typeof value === 'string' && /^\d+$/.test(value) ? '<version>' : value),
  continue: (value) => (value === '' ? value : '<continue>'),
  nodePort: (value) => (Number(value) >= 30_000 ? '<port>' : value),
  healthCheckNodePort: (value) => (Number(value) >= 30_000 ? '<port>' : value),
};

function normalValue(value: JsonValue, name: string): JsonValue {
  if (name === 'managedFields' && Array.isArray(value)) return normalManagers(value);
  if (name === 'causes' && Array.isArray(value)) return normalCauses(value);
  if (Array.isArray(value)) return value.map((item) => normalValue(item, ''));
  if (typeof value === 'string') return normalText((ownValues[name]?.(value) as string) ?? value);
  if (!isJsonObject(value)) return ownValues[name]?.(value) ?? value;
  const object: JsonObject = {};
  for (const [key, part] of Object.entries(value)) {
    if (!isOfFairQueuing(key, part)) setOwn(object, normalText(key), normalValue(part, key));
  }
  return object;
}

/** The manager of a server that writes the statuses of flow schemas when it comes to it. */
const fairQueuing = 'api-priority-and-fairness-config-';

/** Whether a value is the conditions that a server gives a flow schema when it comes to it. */
function isOfFairQueuing(key: string, part: JsonValue): boolean {
  return key === 'conditions' && Array.isArray(part) && part.length === 1 && textAt(part, [0, 'type']) === 'Dangling';
}

/**
 * Entries of managers by what names them. Their order follows from times of whole seconds, which servers do not share,
 * and entries of one manager at different times are one.
 */
function normalManagers(entries: readonly JsonValue[]): JsonObject {
  const managers: JsonObject = {};
  for (const entry of entries) {
    if (!isJsonObject(entry) || textAt(entry, ['manager']).startsWith(fairQueuing)) continue;
    const { time: _time, fieldsV1 = {}, ...by } = entry;
    const name = JSON.stringify(Object.entries(by).toSorted(([a], [b]) => (a < b ? -1 : 1)));
    setOwn(managers, name, merged(managers[name] ?? {}, normalValue(fieldsV1, '')));
  }
  return managers;
}

function merged(one: JsonValue, other: JsonValue): JsonValue {
  if (!isJsonObject(one) || !isJsonObject(other)) return other;
  const all: JsonObject = { ...one };
  for (const [key, value] of Object.entries(other))
    setOwn(all, key, key in all ? merged(all[key] ?? {}, value) : value);
  return all;
}

/** How often each cause is given; their order and their texts are no part of the API. */
function normalCauses(causes: readonly JsonValue[]): JsonObject {
  return counted(causes.map((cause) => normalText(`${textAt(cause, ['field'])} ${textAt(cause, ['reason'])}`)));
}

/** How often each text is there. */
export function counted(texts: readonly string[]): JsonObject {
  const counts: JsonObject = {};
  for (const text of texts) setOwn(counts, text, Number(counts[text] ?? 0) + 1);
  return counts;
}

/** The prefix of a name that the server is asked to generate. */
function generatedPrefix({ body }: SequenceStep): string {
  return textAt(body, ['metadata', 'name']) === '' ? textAt(body, ['metadata', 'generateName']) : '';
}

/** Cuts the random end off a generated name, wherever an object or a Status has it. */
function withoutGeneratedName(body: JsonValue, prefix: string): JsonValue {
  const name = textAt(body, ['metadata', 'name']) || textAt(body, ['details', 'name']);
  if (prefix === '' || name.length < 5 || !prefix.startsWith(name.slice(0, -5))) return body;
  const written = JSON.stringify(name).slice(1, -1);
  return JSON.parse(JSON.stringify(body).replaceAll(written, written.replace(/.{5}$/, '<5>'))) as JsonValue;
}
