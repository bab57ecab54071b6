import type { JsonValue } from '../../src/meta/json-value.ts';
import { type JsonPath, pathsIn, withoutPath } from './json-paths.ts';
import type { Sequence, SequenceStep } from './sequence.ts';

/**
 * A smaller sequence that still fails: without steps, then without parts of their queries and bodies. `fails` is asked at
 * most `budget` times.
 */
export async function minimise(
  sequence: Sequence,
  fails: (smaller: Sequence) => Promise<boolean>,
  budget = 80,
): Promise<Sequence> {
  let best = sequence;
  let left = budget;
  const take = async (candidate: Sequence): Promise<boolean> => {
    if (left-- <= 0 || !(await fails(candidate))) return false;
    best = candidate;
    return true;
  };
  await dropSteps(() => best, take);
  await dropParts(() => best, take);
  return best;
}

type Take = (candidate: Sequence) => Promise<boolean>;

/** Drops runs of steps, long ones first. Often the last step alone shows it. */
async function dropSteps(current: () => Sequence, take: Take): Promise<void> {
  if (await take({ ...current(), steps: current().steps.slice(-1) })) return;
  for (let size = Math.floor(current().steps.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let at = current().steps.length - size; at >= 0; at -= size) {
      const { steps } = current();
      await take({ ...current(), steps: [...steps.slice(0, at), ...steps.slice(at + size)] });
    }
  }
}

/** Fields of a step that can be made smaller. */
const shrinkable = ['query', 'body', 'edits'] as const;

async function dropParts(current: () => Sequence, take: Take): Promise<void> {
  for (let index = 0; index < current().steps.length; index++) {
    for (const field of shrinkable) await dropFromField(current, take, index, field);
  }
}

async function dropFromField(
  current: () => Sequence,
  take: Take,
  index: number,
  field: (typeof shrinkable)[number],
): Promise<void> {
  // Outer parts first: with them their contents go.
  const paths = pathsIn(partOf(current(), index, field)).toSorted((a, b) => a.length - b.length);
  for (const path of paths) {
    const part = partOf(current(), index, field);
    const step = current().steps[index];
    if (part === undefined || isKept(path) || isShared(step, path) || endsWatch(step, path)) continue;
    const smaller = withoutPath(part, path);
    if (JSON.stringify(smaller) !== JSON.stringify(part)) await take(withPart(current(), index, field, smaller));
  }
}

/** Without these a request is another one, which can only hide what it shows. */
function isKept(path: JsonPath): boolean {
  const last = String(path.at(-1));
  return keptFields.has(last) || (path.length <= 2 && path[0] === 'metadata' && (path.length === 1 || last === 'name'));
}

/** Outside a namespace a selector keeps a request to what is the sequence's own. */
function isShared(step: SequenceStep | undefined, path: JsonPath): boolean {
  return step?.path.includes('{{ns}}') === false && /^(?:label|field)Selector$/.test(String(path.at(-1)));
}

/** Without its timeout a watch stays open, and the run waits for its end. */
function endsWatch(step: SequenceStep | undefined, path: JsonPath): boolean {
  const isWatch = step?.query?.['watch'] !== undefined && step.query['timeoutSeconds'] !== undefined;
  return isWatch && path.length === 1 && path[0] === 'timeoutSeconds';
}

const keptFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'fieldManager', 'path']);

function partOf({ steps }: Sequence, index: number, field: (typeof shrinkable)[number]): JsonValue | undefined {
  // Queries and edits are JSON too.
  return steps[index]?.[field] as JsonValue | undefined;
}

function withPart(sequence: Sequence, index: number, field: (typeof shrinkable)[number], part: JsonValue): Sequence {
  const steps = sequence.steps.map((step, at): SequenceStep => (at === index ? { ...step, [field]: part } : step));
  return { ...sequence, steps };
}
