import type { LabelSelector } from '../../../gen/stored/meta-v1.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { numberAt, objectAt } from '../../../meta/read-field.ts';
import type { SubresourceStrategy } from '../../../registry/definition/strategy.ts';
import type { StatusSubject } from '../../../status/status-error.ts';
import { formatSelector } from '../fields/selector.ts';

/** A workload with replicas, which selects its pods by a Selector. */
type Scalable<Selector> = {
  readonly spec: { replicas: number; readonly selector?: Selector };
  readonly status: { readonly replicas?: number };
};

/**
 * The `scale` sub-resource: the desired and the current replicas of a workload, in the same shape
 * for every kind. `selectorText` formats the selector of the workload's pods in string syntax.
 * `missing` is the subject of NotFound if a read finds no workload.
 */
export function scaleOf<Selector>(
  selectorText: (selector: Selector) => string,
  missing?: StatusSubject,
): SubresourceStrategy<Scalable<Selector>> {
  return {
    view: {
      field: ['spec', 'replicas'],
      ...(missing ? { missing } : {}),
      read: ({ spec, status }) => ({
        spec: specOf(spec.replicas),
        status: statusOf(status.replicas ?? 0, spec.selector === undefined ? '' : selectorText(spec.selector)),
      }),
      write: (view, { spec }) => {
        spec.replicas = numberAt(objectAt(view, 'spec'), 'replicas') ?? 0;
      },
    },
  };
}

/** The spec of a Scale. Zero replicas are left out, as kube-apiserver does. */
function specOf(replicas: number): JsonObject {
  return replicas === 0 ? {} : { replicas };
}

function statusOf(replicas: number, selector: string): JsonObject {
  return selector === '' ? { replicas } : { replicas, selector };
}

/** `scale` of a workload that has a LabelSelector. */
export const scale: SubresourceStrategy<Scalable<LabelSelector>> = scaleOf(formatSelector);

/** As `scale`, with `missing` as the subject of NotFound. */
export function scaleUnder(missing: StatusSubject): SubresourceStrategy<Scalable<LabelSelector>> {
  return scaleOf(formatSelector, missing);
}
