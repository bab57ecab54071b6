import type { ApiResponse, ApiTarget } from './api-target.ts';
import { collectEvents, type EventCollection } from './collect-events.ts';
import { compareResponses } from './compare-responses.ts';
import type { Difference } from './compare.ts';
import { executeStep } from './execute-step.ts';
import type { Exchange, MetDifference } from './known/known-difference.ts';
import { textAt, valueAt } from './json-paths.ts';
import { newPlaceholders, type Placeholders } from './placeholders.ts';
import type { Sequence, SequenceStep } from './sequence.ts';
import { signatureOf } from './signature.ts';
import { settleDefinition } from './settle-definition.ts';
import { settleStatus } from './settle-status.ts';
import type { Subject } from './subjects.ts';

/** Both servers. */
export interface Servers {
  readonly reference: ApiTarget;
  readonly ours: ApiTarget;
}

/** A difference that nothing explains, and where it was met. */
export interface Finding {
  readonly signature: string;
  /** Index of the step; the number of steps where the events of a watch differ. */
  readonly index: number;
  readonly differences: readonly Difference[];
  readonly exchange: Exchange;
}

/** What came of a sequence. */
export interface SequenceRun {
  readonly steps: number;
  /** Steps that the reference took. */
  readonly accepted: number;
  readonly finding?: Finding;
  /** Rows of docs/differences.md that explain a difference. */
  readonly known: ReadonlySet<string>;
}

/** Runs a sequence on both servers, in a namespace of its own, until an answer differs. */
export async function runSequence(
  servers: Servers,
  sequence: Sequence,
  subject: Subject,
  id: string,
): Promise<SequenceRun> {
  const sides = [servers.reference, servers.ours].map((target) => ({ target, placeholders: newPlaceholders(id) }));
  const both = (act: (target: ApiTarget, placeholders: Placeholders) => Promise<ApiResponse>): Promise<ApiResponse[]> =>
    Promise.all(sides.map(({ target, placeholders }) => act(target, placeholders)));
  await both((target, placeholders) => executeStep(target, namespaceStep, placeholders));
  const { watch } = sequence;
  const watches = watch
    ? await Promise.all(sides.map((side) => collectEvents(side.target, watch, side.placeholders)))
    : [];
  const run = await runSteps(sequence, subject, both, watches);
  if (subject.info.resource === 'services') await Promise.all(sides.map(removeServices));
  for (const path of sequence.leftovers) {
    for (const step of removal(path)) await both((target, placeholders) => executeStep(target, step, placeholders));
  }
  for (const step of namespaceRemoval) await both((target, placeholders) => executeStep(target, step, placeholders));
  return run;
}

const namespaceStep: SequenceStep = {
  method: 'POST',
  path: '/api/v1/namespaces',
  body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: '{{ns}}' } },
};

/** A namespace that is left behind makes each list of namespaces longer; what is in it is not looked at again. */
const namespaceRemoval: readonly SequenceStep[] = [
  { method: 'DELETE', path: '/api/v1/namespaces/{{ns}}' },
  {
    method: 'PUT',
    path: '/api/v1/namespaces/{{ns}}/finalize',
    body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: '{{ns}}' }, spec: { finalizers: [] } },
  },
];

type OnBoth = (act: (target: ApiTarget, placeholders: Placeholders) => Promise<ApiResponse>) => Promise<ApiResponse[]>;

async function runSteps(
  sequence: Sequence,
  subject: Subject,
  both: OnBoth,
  watches: readonly EventCollection[],
): Promise<SequenceRun> {
  const met: MetDifference[] = [];
  const earlier: Exchange[] = [];
  let accepted = 0;
  let index = 0;
  let finding: Finding | undefined;
  let parted = false;
  const compare = (step: SequenceStep, responses: readonly ApiResponse[]): void => {
    const [reference, ours] = responses;
    if (!reference || !ours) return;
    const compared = compareResponses(step, subject, { reference, ours }, { met, earlier });
    met.push(...compared.known);
    earlier.push({ step, subject, reference, ours });
    ({ parted } = compared);
    const [first] = compared.unexplained;
    if (reference.status < 300) accepted++;
    if (!first) return;
    const exchange = { step, subject, reference, ours };
    const signature = signatureOf(first, exchange);
    finding = { signature, index, differences: compared.unexplained, exchange };
  };
  for (const step of sequence.steps) {
    compare(step, await both((target, placeholders) => executeAndSettle(target, { step, subject }, placeholders)));
    if (finding || parted) break;
    index++;
  }
  const events = await Promise.all(watches.map((watch) => watch.finish()));
  if (sequence.watch && !finding && !parted) compare(watchStep(sequence.watch.path), events);
  const known = new Set(met.map(({ row }) => row));
  return { steps: index, accepted, known, ...(finding ? { finding } : {}) };
}

async function executeAndSettle(
  target: ApiTarget,
  { step, subject }: { readonly step: SequenceStep; readonly subject: Subject },
  placeholders: Placeholders,
): Promise<ApiResponse> {
  const response = await executeStep(target, step, placeholders);
  await settleStatus(target, { step, subject, response }, placeholders);
  if (step.until !== undefined && response.status < 300) await settleDefinition(target, step.until, placeholders);
  return response;
}

/** Stands for a watch in reports. */
function watchStep(path: string): SequenceStep {
  return { method: 'GET', path, query: { watch: 'true' } };
}

/** Services hold addresses, of which there are few. */
async function removeServices({
  target,
  placeholders,
}: {
  readonly target: ApiTarget;
  readonly placeholders: Placeholders;
}): Promise<void> {
  const path = '/api/v1/namespaces/{{ns}}/services';
  const { body } = await executeStep(target, { method: 'GET', path }, placeholders);
  const items = valueAt(body, ['items']);
  for (const item of Array.isArray(items) ? items : []) {
    for (const step of removal(`${path}/${textAt(item, ['metadata', 'name'])}`))
      await executeStep(target, step, placeholders);
  }
}

/** Removes an object whatever its finalizers are. */
function removal(path: string): readonly SequenceStep[] {
  const type = 'application/merge-patch+json';
  return [
    { method: 'PATCH', path, type, body: { metadata: { finalizers: null } } },
    { method: 'DELETE', path, query: { gracePeriodSeconds: '0', propagationPolicy: 'Background' } },
    { method: 'PATCH', path, type, body: { metadata: { finalizers: null } } },
  ];
}
