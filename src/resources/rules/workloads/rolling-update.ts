import type { JsonObject } from '../../../meta/json-value.ts';
import { makeObjectAt, setDefault, stringAt } from '../../../meta/read-field.ts';

/**
 * Fills in the update strategy. `defaults` apply to `rollingUpdate`, which only the type
 * RollingUpdate has. Mutates `strategy`.
 */
export function defaultRollingUpdate(strategy: JsonObject, defaults: JsonObject): void {
  setDefault(strategy, 'type', 'RollingUpdate');
  if (stringAt(strategy, 'type') !== 'RollingUpdate') return;
  const rollingUpdate = makeObjectAt(strategy, 'rollingUpdate');
  for (const [name, value] of Object.entries(defaults)) setDefault(rollingUpdate, name, value);
}
