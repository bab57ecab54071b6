import type { DeviceClaim } from '../../../gen/stored/resource-v1.ts';
import type { FieldCursor } from '../../../status/field-cursor.ts';
import { checkLabelName } from './device-names.ts';
import { checkList } from './checked-list.ts';

/** The request names of a claim, each with the names of its alternatives. */
export type RequestNames = ReadonlyMap<string, ReadonlySet<string>>;

/** The names that constraints, configuration and results of a claim may refer to. */
export function requestNamesOf({ requests }: DeviceClaim): RequestNames {
  return new Map(
    (requests ?? []).map(({ name, firstAvailable = [] }) => [name, new Set(firstAvailable.map((one) => one.name))]),
  );
}

const wrongName =
  "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";

/** Checks a reference to a request: `<request>` or `<request>/<alternative>`. */
export function checkRequestName(reference: FieldCursor<string>, names: RequestNames): void {
  const parts = reference.value.split('/');
  if (parts.length > 2) {
    reference.reportInvalid(wrongName);
    return;
  }
  for (const part of parts) checkLabelName(reference, part);
  const [request = '', alternative] = parts;
  const found = names.get(request);
  if (!found || (alternative !== undefined && !found.has(alternative))) reference.reportInvalid(wrongName);
}

/** The most requests of a claim, and the most references to them. */
export const requestLimit = 32;

/** Checks a list of references to requests. */
export function checkRequestNames(references: FieldCursor<readonly string[] | undefined>, names: RequestNames): void {
  checkList(references, { limit: requestLimit, keyOf: String }, (name) => checkRequestName(name, names));
}
