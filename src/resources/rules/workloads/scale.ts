import type { JsonObject } from '../../../meta/json-value.ts';
import { makeObjectAt, numberAt, objectAt } from '../../../meta/read-field.ts';
import type { SubresourceStrategy } from '../../../registry/strategy.ts';
import type { StatusSubject } from '../../../status/status-error.ts';
import { formatSelector } from '../fields/selector.ts';

/**
 * The `scale` sub-resource: the desired and the current replicas of a workload, in the same shape
 * for every kind. `selectorText` returns the selector of the workload's pods in string syntax, from
 * its spec. `missing` is the subject of NotFound if a read finds no workload.
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

/** The spec of a Scale. Zero replicas are left out, as kube-apiserver does. */
function specOf(replicas: number): JsonObject {
  return replicas === 0 ? {} : { replicas };
}

function statusOf(replicas: number, selector: string): JsonObject {
  return selector === '' ? { replicas } : { replicas, selector };
}

/** `scale` of a workload that has a LabelSelector. */
export const scale: SubresourceStrategy = scaleOf(selectorOf);

/** As `scale`, with `missing` as the subject of NotFound. */
export function scaleUnder(missing: StatusSubject): SubresourceStrategy {
  return scaleOf(selectorOf, missing);
}

function selectorOf(spec: JsonObject): string {
  return formatSelector(objectAt(spec, 'selector'));
}
