import type { ContainerRun } from './container-run.ts';

const longestText = 256 * 1024;

/** The values of a line that differ from line to line. */
interface LineValues {
  readonly timeMs: number;
  readonly count: number;
  /** Further names and their values. */
  readonly more?: readonly (readonly [name: string, value: string])[];
}

/**
 * Replaces `{time}`, `{count}`, `{pod}`, `{namespace}`, `{node}`, `{container}`, `{image}` and
 * `{restarts}`, or the given names, in a text. Other braces stay, so that lines of JSON need no
 * escapes. Values are left out when the text has become longer than 256 KiB.
 */
export function fillPlaceholders(text: string, run: ContainerRun, { timeMs, count, more = [] }: LineValues): string {
  const { pod, container, image, restarts } = run;
  const values = new Map<string, string>([
    ['time', new Date(timeMs).toISOString()],
    ['count', String(count)],
    ['pod', pod.metadata.name],
    ['namespace', pod.metadata.namespace ?? ''],
    ['node', pod.spec.nodeName ?? ''],
    ['container', container],
    ['image', image],
    ['restarts', String(restarts)],
    ...more,
  ]);
  let length = text.length;
  return text.replace(/\{([a-z]+)\}/g, (whole, name: string) => {
    const value = values.get(name) ?? whole;
    length += value.length - whole.length;
    return length > Math.max(text.length, longestText) ? '' : value;
  });
}
