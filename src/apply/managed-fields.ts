import { isJsonObject, type JsonObject, type JsonValue } from '../meta/json-value.ts';
import { type FieldSet, isEmptySet } from './field-set.ts';
import { FieldsV1Error } from './fields-v1.ts';
import { internedFieldSet, internedFieldsV1 } from './field-set-interner.ts';

/** The `operation` of a manager: Apply for server-side apply, Update for all other writes. */
type Operation = 'Apply' | 'Update';

/** A manager of an object and the fields that it owns: an entry of `metadata.managedFields`. */
export interface Manager {
  readonly name: string;
  readonly operation: Operation;
  /** The version that the paths refer to. */
  readonly apiVersion: string;
  readonly subresource: string;
  /** RFC 3339, in seconds; '' if unknown. */
  readonly time: string;
  readonly fields: FieldSet;
}

/** True if two entries belong to one manager. An Apply manager is the same in all versions. */
export function sameManager(a: Manager, b: Manager): boolean {
  return (
    a.name === b.name &&
    a.operation === b.operation &&
    a.subresource === b.subresource &&
    (a.operation === 'Apply' || a.apiVersion === b.apiVersion)
  );
}

/**
 * Decodes the managers of an object; undefined if the list is malformed. A missing list is empty.
 */
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
      fields: internedFieldSet(entry.fieldsV1 ?? {}),
    };
  } catch (error) {
    if (error instanceof FieldsV1Error) return undefined;
    throw error;
  }
}

/** Removes duplicates; the last entry of a manager is kept. */
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

/** True if a client requests that all managers are removed: the list has one empty entry. */
export function isReset(value: JsonValue | undefined): boolean {
  if (!Array.isArray(value) || value.length !== 1) return false;
  const entry = value[0];
  return isJsonObject(entry) && Object.values(entry).every((part) => part === '' || part === null);
}

/**
 * Encodes the managers for storage: Apply managers first, then by time, name, version and
 * sub-resource. Managers without fields are omitted.
 */
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
    fieldsV1: internedFieldsV1(manager.fields),
    ...(manager.subresource ? { subresource: manager.subresource } : {}),
  };
  // Only a list that a client wrote can have a manager without a name.
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
