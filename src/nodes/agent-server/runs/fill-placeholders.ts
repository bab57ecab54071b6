import type { ContainerRun } from './container-run.ts';

/** The values of a line that differ from line to line. */
interface LineValues {
  readonly timeMs: number;
  readonly count: number;
}

/**
 * Replaces `{time}`, `{count}`, `{pod}`, `{namespace}`, `{node}`, `{container}`, `{image}` and
 * `{restarts}` in a text. Other braces stay, so that lines of JSON need no escapes.
 */
export function fillPlaceholders(text: string, run: ContainerRun, { timeMs, count }: LineValues): string {
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
  ]);
  return text.replace(/\{([a-z]+)\}/g, (whole, name: string) => values.get(name) ?? whole);
}
