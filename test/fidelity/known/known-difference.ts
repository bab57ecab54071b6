import type { JsonValue } from '../../../src/meta/json-value.ts';
import type { ApiResponse } from '../api-target.ts';
import type { Difference } from '../compare.ts';
import { valueAt } from '../json-paths.ts';
import type { SequenceStep } from '../sequence.ts';
import type { Subject } from '../subjects.ts';

/** A step and both answers to it. */
export interface Exchange {
  readonly step: SequenceStep;
  readonly subject: Subject;
  readonly reference: ApiResponse;
  readonly ours: ApiResponse;
  /** What is compared of both answers. */
  readonly normalReference?: JsonValue;
  readonly normalOurs?: JsonValue;
  /** Those before it in the sequence, the first one first. */
  readonly earlier?: readonly Exchange[];
  /** The definition of the kind, as this server answered with it last. */
  readonly definition?: JsonValue | undefined;
}

/** Names of fields from the object to a field inside, without keys and indexes of items. */
export type FieldNames = readonly string[];

/** An earlier difference of the sequence, the row that explained it, and the fields of the object that it was about. */
export interface MetDifference {
  readonly row: string;
  readonly places: readonly FieldNames[];
  /** Whether it was about the owner of a field, and not about its value. */
  readonly isOwner?: boolean;
}

/** A difference that is meant, named as its row in docs/differences.md. One row may have several. */
export interface KnownDifference {
  readonly row: string;
  /** Whether the row explains a difference. */
  readonly matches?: (difference: Difference, exchange: Exchange) => boolean;
  /** Whether it explains a later difference in a sequence in which it has explained `met`: some stay in the object. */
  readonly lasts?: (difference: Difference, exchange: Exchange, met: readonly MetDifference[]) => boolean;
  /** A normalised body, of either server, without what the row explains. */
  readonly forget?: (body: JsonValue, exchange: Exchange) => JsonValue;
}

/** A difference of the statuses of two answers. */
export function isStatus({ path }: Difference): boolean {
  return path.length === 1 && path[0] === 'status';
}

/** Whether a value is a status of 400 to 499. */
export function isClientError(status: JsonValue | undefined): boolean {
  return typeof status === 'number' && status >= 400 && status < 500;
}

/** Whether one of two different statuses is this one. */
export function isOneOf({ reference, ours }: Difference, status: number): boolean {
  return reference === status || ours === status;
}

/** Whether one server alone has the object. */
export function isOnlyOneThere(difference: Difference): boolean {
  return isOneOf(difference, 404);
}

/** The place of a difference inside the body, with slashes; '' for one that is elsewhere. */
export function bodyPlace({ path }: Difference): string {
  return path[0] === 'body' ? path.slice(1).join('/') : '';
}

/** The causes of a refusal. */
export function causesOf(body: JsonValue): readonly JsonValue[] {
  const causes = valueAt(body, ['details', 'causes']);
  return Array.isArray(causes) ? causes : [];
}

/** The owned field that a difference is about, as `f:spec/f:replicas`; undefined for any other place. */
export function ownedField({ path }: Difference): string | undefined {
  const at = path.indexOf('managedFields');
  return at < 0 ? undefined : path.slice(at + 2).join('/');
}

/** Whether a difference is about who owns what: in managedFields, or in what an apply conflicts with. */
export function isOwnership(difference: Difference, { step, reference, ours }: Exchange): boolean {
  if (difference.path.includes('managedFields')) return true;
  if (difference.path.some((key) => String(key).endsWith(' FieldManagerConflict'))) return true;
  const isApply = step.type?.includes('apply') === true;
  return isApply && isStatus(difference) && [reference.status, ours.status].includes(409);
}
