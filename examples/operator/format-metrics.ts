import type { MetricFamily } from 'cl-apiserver/client';

/** The text that Prometheus reads. */
export function formatMetrics(families: readonly MetricFamily[]): string {
  return families.map((family) => [`# TYPE ${family.name} ${family.type}`, ...linesOf(family), ''].join('\n')).join('');
}

function linesOf(family: MetricFamily): string[] {
  return [...family.samples()].map(({ suffix = '', labels, upTo, value }) => {
    const bound = upTo === undefined ? {} : { le: upTo === Infinity ? '+Inf' : String(upTo) };
    const pairs = Object.entries({ ...labels, ...bound }).map(([name, text]) => `${name}=${JSON.stringify(text)}`);
    return `${family.name}${suffix}{${pairs.join(',')}} ${value}`;
  });
}
