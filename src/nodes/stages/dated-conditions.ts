import { isJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import { objectsAt, stringAt } from '../../meta/read-field.ts';

/**
 * The conditions of a patch with the times that node agents report: that of a transition if the
 * state differs from the present one, and of a heartbeat for nodes. Times in the patch stay.
 */
export function datedConditions(
  conditions: JsonValue,
  status: JsonObject,
  { time, hasHeartbeat }: { readonly time: string; readonly hasHeartbeat: boolean },
): JsonValue {
  if (!Array.isArray(conditions)) return conditions;
  const present = objectsAt(status, 'conditions');
  return conditions.map((condition) => {
    if (!isJsonObject(condition)) return condition;
    const before = present.find((each) => stringAt(each, 'type') === stringAt(condition, 'type'));
    const isSame = before !== undefined && stringAt(before, 'status') === stringAt(condition, 'status');
    const lastTransitionTime = (isSame && stringAt(before, 'lastTransitionTime')) || time;
    const times = { lastTransitionTime, ...(hasHeartbeat ? { lastHeartbeatTime: time } : {}) };
    return { ...times, ...condition };
  });
}
