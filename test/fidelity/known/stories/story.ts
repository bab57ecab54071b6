import assert from 'node:assert/strict';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../src/meta/json-value.ts';
import type { ApiResponse } from '../../api-target.ts';
import type { SequenceStep } from '../../sequence.ts';
import { allSubjects, type Subject } from '../../subjects.ts';
import type { MetDifference } from '../known-difference.ts';

/** Two answers that differ, and what came before them. */
export interface Story {
  readonly name: string;
  readonly kind: string;
  readonly step?: Partial<SequenceStep>;
  readonly reference: ApiResponse;
  readonly ours: ApiResponse;
  /** The definition of the kind. */
  readonly definition?: JsonValue;
  /** Earlier differences of the sequence. */
  readonly met?: readonly MetDifference[];
  /** What both servers answered to the steps before. */
  readonly before?: readonly Pick<Story, 'step' | 'reference' | 'ours'>[];
}

/** A story, and the rows that explain it; `undefined` for one beside them that none explains. */
export interface ExplainedStory extends Story {
  readonly rows: readonly string[] | undefined;
}

/** Keys of subjects. */
export const apps = 'apps/v1/deployments';
/** As above. */
export const pods = 'core/v1/pods';

/** An apply of an object. */
export const apply: Partial<SequenceStep> = { method: 'PATCH', path: '/a', type: 'application/apply-patch+yaml' };

/** An apply by the manager that `applied` names. */
export const byApplier: Partial<SequenceStep> = { ...apply, query: { fieldManager: 'm' } };

/** A patch that takes a finalizer away. */
export const deletion: Partial<SequenceStep> = {
  method: 'PATCH',
  path: '/a',
  type: 'application/strategic-merge-patch+json',
  body: { metadata: { '$deleteFromPrimitiveList/finalizers': ['example.com/a'] } },
};

/** An object that has a finalizer twice. */
export const twice: JsonObject = { metadata: { finalizers: ['example.com/a', 'example.com/a'] } };

/** The subject of a key. */
export function subjectOf(key: string): Subject {
  const subject = allSubjects().find((each) => each.key === key);
  assert.ok(subject, key);
  return subject;
}

/** An answer. */
export function response(status: number, body: JsonValue, warnings: readonly string[] = []): ApiResponse {
  return { status, contentType: 'application/json', warnings, body };
}

/** A refusal for conflicts of managers on some fields. */
export function failure(status: number, message = '', causes: readonly string[] = []): ApiResponse {
  const details = { causes: causes.map((field) => ({ field, reason: 'FieldManagerConflict' })) };
  return response(status, { kind: 'Status', status: 'Failure', code: status, message, details });
}

/** A refusal for one field. */
export function refusal(field: string): ApiResponse {
  return refusalOf({ [field]: 'Invalid value' });
}

/** A refusal with causes, each a field and a message. */
export function refusalWith(...texts: readonly string[]): ApiResponse {
  const list = texts
    .map((text) => text.split(': '))
    .map(([field = '', message = '']) => ({ field, message, reason: 'FieldValueInvalid' }));
  return response(422, { kind: 'Status', details: { causes: list } });
}

/** A refusal with what each cause says about its field. */
export function refusalOf(causes: Readonly<Record<string, string>>, whole = ''): ApiResponse {
  const list = Object.entries(causes).map(([field, message]) => ({ field, message, reason: 'FieldValueInvalid' }));
  return response(422, { kind: 'Status', status: 'Failure', code: 422, message: whole, details: { causes: list } });
}

/** An object whose fields `m` has updated. */
export function owned(fieldsV1: JsonObject, subresource?: string, manager = 'm'): JsonObject {
  const entry = { manager, operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1 };
  return { metadata: { managedFields: [{ ...entry, ...(subresource ? { subresource } : {}) }] } };
}

/** An object whose fields `m` has applied. */
export function applied(fieldsV1: JsonObject): JsonObject {
  return { metadata: { managedFields: [{ manager: 'm', operation: 'Apply', fieldsType: 'FieldsV1', fieldsV1 }] } };
}

/** An object that both servers have answered with, in the step before. */
export function live(body: JsonObject, path = '/a', reference = body): Pick<Story, 'step' | 'reference' | 'ours'>[] {
  const identified = (object: JsonObject): JsonObject => {
    const { metadata } = object;
    return { ...object, metadata: { ...(isJsonObject(metadata) ? metadata : {}), uid: 'u' } };
  };
  return [{ step: { path }, reference: response(200, identified(reference)), ours: response(200, identified(body)) }];
}
