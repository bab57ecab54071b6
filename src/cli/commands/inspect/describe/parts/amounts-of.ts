import { isJsonObject, type JsonObject } from '../../../../../meta/json-value.ts';
import { addQuantities, compareQuantities, parseQuantity, type Quantity } from '../../../../../meta/quantity.ts';
import { itemsAt, partAt, plain } from './values.ts';

/** Amounts by resource. */
export type Amounts = ReadonlyMap<string, Quantity>;

/**
 * The requests and limits of a pod: the sum of its containers, or of an init container if it needs
 * more, and its overhead. Pod-level amounts replace them.
 */
export function amountsOf(pod: JsonObject): { readonly requests: Amounts; readonly limits: Amounts } {
  return { requests: total(pod, 'requests'), limits: total(pod, 'limits') };
}

function total(pod: JsonObject, kind: 'requests' | 'limits'): Amounts {
  const of = (part: JsonObject) => read(partAt(part, `resources.${kind}`));
  let sidecars: Amounts = new Map();
  let largest: Amounts = new Map();
  for (const container of itemsAt(pod, 'spec.initContainers')) {
    const amounts = add(sidecars, of(container));
    if (container.restartPolicy === 'Always') sidecars = amounts;
    largest = join(largest, amounts, (one, other) => (compareQuantities(one, other) < 0 ? other : one));
  }
  const running = itemsAt(pod, 'spec.containers').map(of).reduce(add, sidecars);
  const containers = join(running, largest, (one, other) => (compareQuantities(one, other) < 0 ? other : one));
  const whole = join(containers, read(partAt(pod, `spec.resources.${kind}`)), (_, other) => other);
  const overhead = read(partAt(pod, 'spec.overhead'));
  // A limit that is not there has no overhead either.
  const counted = kind === 'requests' ? overhead : new Map([...overhead].filter(([resource]) => whole.has(resource)));
  return add(whole, counted);
}

function read(amounts: JsonObject): Amounts {
  if (!isJsonObject(amounts)) return new Map();
  return new Map(
    Object.entries(amounts).flatMap(([resource, text]) => {
      const amount = parseQuantity(plain(text));
      return 'error' in amount ? [] : [[resource, amount] as const];
    }),
  );
}

function join(one: Amounts, other: Amounts, choose: (one: Quantity, other: Quantity) => Quantity): Amounts {
  const joined = new Map(one);
  for (const [resource, amount] of other) {
    const known = joined.get(resource);
    joined.set(resource, known ? choose(known, amount) : amount);
  }
  return joined;
}

function add(one: Amounts, other: Amounts): Amounts {
  return join(one, other, addQuantities);
}
