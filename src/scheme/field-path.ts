/** A step to a value: a field's name, a list index, or a key of a map in brackets. */
export type PathStep = string | number;

/** The step to a key of a map. */
export function keyStep(key: string): string {
  return `[${key}]`;
}

/** Writes a path as messages show it: `spec.rules[0].host`, `data[a b]`. */
export function formatPath(base: string, steps: readonly PathStep[]): string {
  let path = base;
  for (const step of steps) {
    if (typeof step === 'number') path += `[${step}]`;
    else path += step.startsWith('[') || path === '' ? step : `.${step}`;
  }
  return path;
}
