import type { Identifiers } from '../../../identifiers/identifiers.ts';
import type { ResourceDefinition } from '../../../registry/resource-definition.ts';
import { isStored } from '../../../registry/served-version.ts';
import { type StoredKind, storedKindOf } from '../../../registry/stored-kinds.ts';
import { applyDefaults } from '../../../scheme/apply-defaults.ts';
import { hasDefaults } from '../../../scheme/structural/default-structural.ts';

/**
 * How the objects of a custom resource are read from the store: in the version in which they were
 * written, with the defaults that came to it since.
 */
export function storedCustomKind(identifiers: Identifiers, known: ResourceDefinition): StoredKind | undefined {
  if (!isStored(known)) return undefined;
  return storedKindOf(identifiers, known, ({ schema }) => {
    const fills = schema.structural !== undefined && hasDefaults(schema.structural);
    return fills ? (object) => applyDefaults(schema, object) : undefined;
  });
}
