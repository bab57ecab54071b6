import type { JsonObject } from '../../../meta/json-value.ts';
import { makeObjectAt, numberAt, objectAt } from '../../../meta/read-field.ts';
import type { SubresourceStrategy } from '../../../registry/strategy.ts';
import type { StatusSubject } from '../../../status/status-error.ts';
import { formatSelector } from '../fields/selector.ts';

/**
 * The `scale` sub-resource: how many replicas a workload wants and has, in the same form for every kind. `selectorText` gives the
 * selector of the workload's pods, from its spec, as it is put into a query; `missing` is what a read names where there is none.
 */
export function scaleOf(selectorText: (spec: JsonObject) => string, missing?: StatusSubject): SubresourceStrategy {
  return {
    view: {
      field: ['spec', 'replicas'],
      ...(missing ? { missing } : {}),
      read: (workload) => {
        const spec = objectAt(workload, 'spec');
        const wanted = numberAt(spec, 'replicas') ?? 0;
        return {
          spec: specOf(wanted),
          status: statusOf(numberAt(objectAt(workload, 'status'), 'replicas') ?? 0, selectorText(spec)),
        };
      },
      write: (view, workload) => {
        makeObjectAt(workload, 'spec')['replicas'] = numberAt(objectAt(view, 'spec'), 'replicas') ?? 0;
      },
    },
  };
}

/** None are wanted where the field is left out, as kube-apiserver writes it. */
function specOf(replicas: number): JsonObject {
  return replicas === 0 ? {} : { replicas };
}

function statusOf(replicas: number, selector: string): JsonObject {
  return selector === '' ? { replicas } : { replicas, selector };
}

/** `scale` of a workload whose pods are found by a selector object. */
export const scale: SubresourceStrategy = scaleOf(selectorOf);

/** As `scale`, of a kind that readers are told the own name of where it is missing. */
export function scaleUnder(missing: StatusSubject): SubresourceStrategy {
  return scaleOf(selectorOf, missing);
}

function selectorOf(spec: JsonObject): string {
  return formatSelector(objectAt(spec, 'selector'));
}
