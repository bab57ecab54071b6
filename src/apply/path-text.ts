import type { JsonValue } from '../meta/json-value.ts';
import { isJsonObject } from '../meta/json-value.ts';
import type { PathElement } from './path-element.ts';

/**
 * Formats a path for messages: `.spec.containers[name="c"].image`, `.metadata.finalizers[="a/b"]`.
 */
export function pathText(path: readonly PathElement[]): string {
  return path.map(elementText).join('');
}

/** Formats a path element for messages: `.name`, `[key="value"]`, `[="value"]`, `[0]`. */
export function elementText(element: PathElement): string {
  const rest = element.slice(2);
  switch (element.slice(0, 2)) {
    case 'f:':
      return `.${rest}`;
    case 'k:':
      return `[${keyText(rest)}]`;
    case 'v:':
      return `[=${rest}]`;
    default:
      return `[${rest}]`;
  }
}

/** Formats the keys of an item. Path elements are canonical, so that the keys are sorted. */
function keyText(json: string): string {
  // The text of a path element is JSON that this folder encoded.
  const key = JSON.parse(json) as JsonValue;
  if (!isJsonObject(key)) return json;
  return Object.entries(key)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(',');
}
