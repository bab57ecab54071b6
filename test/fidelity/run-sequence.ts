import type { ApiResponse, ApiTarget } from './api-target.ts';
import { collectEvents, type EventCollection } from './collect-events.ts';
import { type ComparisonOptions, type Finding, startComparison } from './compare-steps.ts';
import { executeStep } from './execute-step.ts';
import { objectPath } from './known/live-object.ts';
import { textAt, valueAt } from './json-paths.ts';
import { newPlaceholders, type Placeholders } from './placeholders.ts';
import type { Sequence, SequenceStep } from './sequence.ts';
import { settleDefinition } from './settle-definition.ts';
import { settleStatus } from './settle-status.ts';
import type { Subject } from './subjects.ts';

/** Both servers. */
export interface Servers {
  readonly reference: ApiTarget;
  readonly ours: ApiTarget;
}

/** The kind of a sequence, and how its answers are compared. */
export interface Compared {
  readonly subject: Subject;
  readonly options?: ComparisonOptions | undefined;
}

/** What came of a sequence. */
export interface SequenceRun {
  readonly steps: number;
  /** Steps that the reference took. */
  readonly accepted: number;
  readonly findings: readonly Finding[];
  /** Rows of docs/differences.md that explain a difference. */
  readonly known: ReadonlySet<string>;
}

/**
 * Runs a sequence on both servers, in a namespace of its own, until an answer differs; where the answers about an independent
 * object differ, to its end.
 */
export async function runSequence(
  servers: Servers,
  sequence: Sequence,
  compared: Compared,
  id: string,
): Promise<SequenceRun> {
  const sides = [servers.reference, servers.ours].map((target) => ({ target, placeholders: newPlaceholders(id) }));
  const both: OnBoth = async (act) => {
    const [reference, ours] = await Promise.all(sides.map(({ target, placeholders }) => act(target, placeholders)));
    if (!reference || !ours) throw new RangeError('there are two servers');
    return { reference, ours };
  };
  await both((target, placeholders) => executeStep(target, namespaceStep, placeholders));
  const { watch } = sequence;
  const watches = watch
    ? await Promise.all(sides.map((side) => collectEvents(side.target, watch, side.placeholders)))
    : [];
  const run = await runSteps(sequence, compared, both, watches);
  if (compared.subject.info.resource === 'services') await Promise.all(sides.map(removeServices));
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

type OnBoth = (act: (target: ApiTarget, placeholders: Placeholders) => Promise<ApiResponse>) => Promise<Answers>;

interface Answers {
  readonly reference: ApiResponse;
  readonly ours: ApiResponse;
}

async function runSteps(
  sequence: Sequence,
  { subject, options }: Compared,
  both: OnBoth,
  watches: readonly EventCollection[],
): Promise<SequenceRun> {
  const comparison = startComparison(subject, options);
  let steps = 0;
  let agree = true;
  for (const step of sequence.steps) {
    const answers = await both((target, placeholders) => executeAndSettle(target, { step, subject }, placeholders));
    steps++;
    agree = comparison.add(step, answers);
    if (agree) continue;
    if (step.object === undefined) break;
    comparison.forget(step.object);
    const removing: SequenceStep = { method: 'DELETE', path: objectPath(step) };
    await both((target, placeholders) => executeStep(target, removing, placeholders));
    agree = true;
  }
  const events = await Promise.all(watches.map((watch) => watch.finish()));
  const [reference, ours] = events;
  if (sequence.watch && agree && reference && ours)
    comparison.addEvents(watchStep(sequence.watch.path), { reference, ours });
  const { findings, accepted, known } = comparison;
  return { steps, accepted, known, findings };
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
