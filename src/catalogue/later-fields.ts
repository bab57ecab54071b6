import { isJsonObject, type JsonObject } from '../meta/json-value.ts';
import type { ResourceDefinition } from '../registry/definition/resource-definition.ts';
import type { Strategy } from '../registry/definition/strategy.ts';
import { isSince } from '../scheme/api-release.ts';

/** The release whose API is served. */
interface Release {
  readonly release: string;
  /** Also serves fields and columns of later releases. */
  readonly forwardCompatible: boolean;
}

/**
 * Reduces a definition to the fields, columns and rules of a release: a later field is reset in new
 * objects, as by a server that does not know it, a later column is not shown, and hooks of the
 * strategy are those of the release.
 */
export function withoutLaterFields(
  definition: ResourceDefinition,
  { release, forwardCompatible }: Release,
): ResourceDefinition {
  if (forwardCompatible) return definition;
  const { laterFields = {}, earlierRules, table, ...rest } = definition;
  const later = Object.keys(laterFields).filter((path) => !isSince(release, laterFields[path] ?? ''));
  const isEarlier = earlierRules !== undefined && !isSince(release, earlierRules.before);
  const strategy = isEarlier ? { ...definition.strategy, ...earlierRules.hooks } : definition.strategy;
  const columns = table?.columns.filter(({ since }) => since === undefined || isSince(release, since));
  return {
    ...rest,
    ...(table && columns ? { table: columns.length < table.columns.length ? { ...table, columns } : table } : {}),
    strategy: later.length > 0 ? resetting(strategy, later) : strategy,
  };
}

function resetting(strategy: Strategy, paths: readonly string[]): Strategy {
  return {
    ...strategy,
    prepareForCreate(object, context) {
      for (const path of paths) removeField(object, path.split('.'));
      strategy.prepareForCreate?.(object, context);
    },
  };
}

/** Removes a field, in place. */
function removeField(object: JsonObject, [name = '', ...rest]: readonly string[]): void {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  if (rest.length === 0) delete object[name];
  else if (isJsonObject(value)) removeField(value, rest);
}
