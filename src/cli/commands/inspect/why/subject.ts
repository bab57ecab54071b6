import type { DiscoveredResource } from '../../../../client/discovery.ts';
import type { JsonObject } from '../../../../meta/json-value.ts';
import type { Source } from '../describe/parts/related.ts';

/** The object in question, and the server that has it. */
export interface Subject {
  readonly source: Source;
  readonly resource: DiscoveredResource;
  readonly object: JsonObject;
  readonly namespace: string;
  readonly name: string;
  readonly events: readonly JsonObject[];
}

/** A reason why an object is not as it should be, as a sentence, and the next step. */
export interface Finding {
  readonly says: string;
  readonly next: string;
}

/** Looks for reasons of one sort. */
export type Check = (subject: Subject) => readonly Finding[] | Promise<readonly Finding[]>;

/** The flag of the namespace in a line to paste; '' for objects of the cluster. */
export function inNamespace({ namespace }: Pick<Subject, 'namespace'>): string {
  return namespace === '' ? '' : ` -n ${namespace}`;
}
