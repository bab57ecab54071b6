import type { ConvertObjects } from '../../registry/definition/resource-definition.ts';

/** The conversion strategy `None`: only the version changes. */
export const relabelObjects: ConvertObjects = (objects, apiVersion) =>
  objects.map((object) => ({ object: { ...object, apiVersion } }));
