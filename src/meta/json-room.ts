import type { JsonValue } from './json-value.ts';

/**
 * Subtracts the approximate size of a value as JSON from `room`, in characters. Stops early at a
 * negative result, so that it takes no longer than the room.
 */
export function roomAfter(value: JsonValue | undefined, room: number): number {
  if (typeof value === 'string') return room - value.length - 3;
  if (typeof value !== 'object' || value === null) return room - 8;
  let left = room - 2;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && left >= 0; at++) left = roomAfter(value[at], left);
    return left;
  }
  for (const key in value) {
    if (left < 0) return left;
    left = roomAfter(value[key], left - key.length - 4);
  }
  return left;
}
