import { isJsonObject, type JsonObject, type JsonValue } from '../meta/json-value.ts';
import { type FieldSet, isEmptySet } from './field-set.ts';
import { FieldsV1Error } from './fields-v1.ts';
import { knownFieldSet, knownFieldsV1 } from './field-set-interner.ts';

/** How a manager wrote. */
type Operation = 'Apply' | 'Update';

/** One manager of an object's fields and the fields that it owns: an entry of `metadata.managedFields`. */
export interface Manager {
  readonly name: string;
  readonly operation: Operation;
  /** The version in which the paths are meant. */
  readonly apiVersion: string;
  readonly subresource: string;
  /** RFC 3339 in seconds, '' where unknown. */
  readonly time: string;
  readonly fields: FieldSet;
}

/** Whether two entries are of one manager. An applier is one whatever version it applies in. */
export function sameManager(a: Manager, b: Manager): boolean {
  return (
    a.name === b.name &&
    a.operation === b.operation &&
    a.subresource === b.subresource &&
    (a.operation === 'Apply' || a.apiVersion === b.apiVersion)
  );
}

/** The managers of an object, undefined where the list is malformed. A missing list is an empty one. */
export function decodeManagers(value: JsonValue | undefined): readonly Manager[] | undefined {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) return undefined;
  const managers: Manager[] = [];
  for (const entry of value) {
    const manager = decodeManager(entry);
    if (!manager) return undefined;
    managers.push(manager);
  }
  return managers;
}

function decodeManager(entry: JsonValue): Manager | undefined {
  if (!isJsonObject(entry) || entry.fieldsType !== 'FieldsV1') return undefined;
  const { operation } = entry;
  if (operation !== 'Apply' && operation !== 'Update') return undefined;
  try {
    return {
      name: textOf(entry.manager),
      operation,
      apiVersion: textOf(entry.apiVersion),
      subresource: textOf(entry.subresource),
      time: textOf(entry.time),
      fields: knownFieldSet(entry.fieldsV1 ?? {}),
    };
  } catch (error) {
    if (error instanceof FieldsV1Error) return undefined;
    throw error;
  }
}

/** The managers without those that a later one repeats. */
export function distinctManagers(managers: readonly Manager[]): readonly Manager[] {
  if (new Set(managers.map(({ name }) => name)).size === managers.length) return managers;
  const distinct = new Map<string, Manager>();
  for (const manager of managers) {
    const { name, operation, apiVersion, subresource } = manager;
    distinct.set(JSON.stringify([name, operation, operation === 'Apply' ? '' : apiVersion, subresource]), manager);
  }
  return [...distinct.values()];
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** Whether a client asks for all managers to be forgotten: a list of one empty entry. */
export function isReset(value: JsonValue | undefined): boolean {
  if (!Array.isArray(value) || value.length !== 1) return false;
  const entry = value[0];
  return isJsonObject(entry) && Object.values(entry).every((part) => part === '' || part === null);
}

/** The list as it is stored: appliers first, then by time, name, version and sub-resource. Empty managers are left out. */
export function encodeManagers(managers: readonly Manager[]): JsonObject[] {
  return managers
    .filter((manager) => !isEmptySet(manager.fields))
    .toSorted(compareManagers)
    .map(encodeManager);
}

function encodeManager(manager: Manager): JsonObject {
  const entry: JsonObject = {
    manager: manager.name,
    operation: manager.operation,
    apiVersion: manager.apiVersion,
    ...(manager.time ? { time: manager.time } : {}),
    fieldsType: 'FieldsV1',
    fieldsV1: knownFieldsV1(manager.fields),
    ...(manager.subresource ? { subresource: manager.subresource } : {}),
  };
  // Rare: only a client that writes the list itself names none.
  if (manager.name === '') delete entry['manager'];
  return entry;
}

const orderedBy = ['operation', 'time', 'name', 'apiVersion', 'subresource'] as const;

function compareManagers(a: Manager, b: Manager): number {
  for (const key of orderedBy) {
    if (a[key] !== b[key]) return a[key] < b[key] ? -1 : 1;
  }
  return 0;
}
