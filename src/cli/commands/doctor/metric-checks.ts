import { type Check, error, type Finding, ok, warning } from './finding.ts';

/** A value of `/metrics`. */
interface Sample {
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly value: number;
}

/** The problems that the server has counted since its start: damaged values, caches, webhooks. */
export const checkCounts: Check = async ({ client, io }) => {
  const text = await client.transport.request({ method: 'GET', path: '/metrics', accept: '*/*', signal: io.signal });
  const samples = samplesOf(String(text)).filter(({ value }) => value > 0);
  const found = samples.flatMap((sample) => findings[sample.name]?.(sample) ?? []);
  if (found.length > 0) return found;
  return [ok('the server has met no damaged values, wrong caches or failing webhooks since its start')];
};

/** The meaning of counts that are not zero, by the name of the metric. */
const findings: Readonly<Record<string, (sample: Sample) => readonly Finding[]>> = {
  apiserver_storage_decode_errors_total: ({ labels, value }) => [
    error(
      `stored ${labels.get('resource') ?? 'objects'} are damaged: ${value} could not be decoded`,
      'the log of the server has their keys; restore a snapshot, or delete them',
    ),
  ],
  apiserver_storage_consistency_checks_total: ({ labels, value }) =>
    labels.get('status') === 'failure'
      ? [
          error(
            `the cache of ${labels.get('resource') ?? 'objects'} differed from the store ${times(value)}`,
            'start the server again, and report it with its log',
          ),
        ]
      : [],
  apiserver_admission_webhook_rejection_count: ({ labels, value }) =>
    labels.get('error_type') === 'no_error' ? [] : [failedCalls(labels, value, 'what it reviews was refused')],
  apiserver_admission_webhook_fail_open_count: ({ labels, value }) => [failedCalls(labels, value, 'it was skipped')],
};

function failedCalls(labels: Sample['labels'], count: number, effect: string): Finding {
  return warning(
    `calls of the webhook ${labels.get('name') ?? ''} failed ${times(count)} since the start of the server; ${effect}`,
    'see whether its server runs, and the log of the API server',
  );
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

/** The samples of the text format; histograms are of no use here. */
function samplesOf(text: string): Sample[] {
  return [...text.matchAll(/^(\w+)\{(.*)\} (\S+)$/gm)].map(([, name = '', labels = '', value]) => ({
    name,
    labels: new Map([...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key = '', of = '']) => [key, of])),
    value: Number(value),
  }));
}
