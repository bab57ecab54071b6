/** A step of a path: a field name, a list index, or a map key in brackets. */
export type PathStep = string | number;

/** Returns the step to a key of a map. */
export function keyStep(key: string): string {
  return `[${key}]`;
}

/** Formats a path as shown in messages: `spec.rules[0].host`, `data[a b]`. */
export function formatPath(base: string, steps: readonly PathStep[]): string {
  let path = base;
  for (const step of steps) {
    if (typeof step === 'number') path += `[${step}]`;
    else path += step.startsWith('[') || path === '' ? step : `.${step}`;
  }
  return path;
}
