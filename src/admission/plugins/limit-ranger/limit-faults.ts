import { formatQuantity, type Quantity } from '../../../meta/quantity.ts';
import type { LimitItem } from './limit-item.ts';
import type { UseOf } from './resource-use.ts';

/** The amounts of one resource in an object. */
interface UsedAmount {
  readonly request: Quantity | undefined;
  readonly limit: Quantity | undefined;
}

/** A rule about a resource, with its messages as in kube-apiserver. */
interface Constraint {
  readonly of: 'min' | 'max' | 'ratio';
  readonly subject: (resource: string, type: string) => string;
  /** The end of the message; '' if the amounts are within the bound. */
  readonly fault: (used: UsedAmount, bound: Quantity) => string;
}

const min: Constraint = {
  of: 'min',
  subject: (resource, type) => `minimum ${resource} usage per ${type}`,
  fault: ({ request, limit }, { nanos }) => {
    if (!request) return '.  No request is specified';
    if (request.nanos < nanos) return `, but request is ${formatQuantity(request)}`;
    return limit && limit.nanos < nanos ? `, but limit is ${formatQuantity(limit)}` : '';
  },
};

const max: Constraint = {
  of: 'max',
  subject: (resource, type) => `maximum ${resource} usage per ${type}`,
  fault: ({ request, limit }, { nanos }) => {
    if (!limit) return '.  No limit is specified';
    if (limit.nanos > nanos) return `, but limit is ${formatQuantity(limit)}`;
    return request && request.nanos > nanos ? `, but request is ${formatQuantity(request)}` : '';
  },
};

/** For objects that have requests alone. */
const maxRequest: Constraint = {
  ...max,
  fault: ({ request }, { nanos }) => {
    if (!request) return '.  No request is specified';
    return request.nanos > nanos ? `, but request is ${formatQuantity(request)}` : '';
  },
};

const ratio: Constraint = {
  of: 'ratio',
  subject: (resource, type) => `${resource} max limit to request ratio per ${type}`,
  fault: ({ request, limit }, { nanos }) => {
    if (!request || request.nanos === 0n) return ', but no request is specified or request is 0';
    if (!limit || limit.nanos === 0n) return ', but no limit is specified or limit is 0';
    if (limit.nanos * 10n ** 9n <= request.nanos * nanos) return '';
    return `, but provided ratio is ${(Number(limit.nanos) / Number(request.nanos)).toFixed(6)}`;
  },
};

const constraintsOf: Readonly<Record<string, readonly Constraint[]>> = {
  Container: [min, max, ratio],
  Pod: [min, max, ratio],
  PersistentVolumeClaim: [min, maxRequest],
};

/** Adds the messages about amounts of an object that are outside a limit. */
export function addLimitFaults(limit: LimitItem, use: UseOf, faults: Set<string>): void {
  const { type } = limit;
  for (const { of, subject, fault } of constraintsOf[type] ?? []) {
    for (const [resource, bound] of limit[of]) {
      const end = fault({ request: use('requests', resource), limit: use('limits', resource) }, bound);
      if (end !== '') faults.add(`${subject(resource, type)} is ${formatQuantity(bound)}${end}`);
    }
  }
}
