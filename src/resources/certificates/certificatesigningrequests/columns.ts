import type { Column } from '../../../codec/table.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { humanDuration } from '../../../meta/human-duration.ts';
import { numberAt, objectAt, objectsAt, stringAt } from '../../../meta/read-field.ts';
import { orNone } from '../../columns/cell-text.ts';
import { age, name, text } from '../../columns/column.ts';

/** The columns of certificate signing requests. */
export const columns: readonly Column[] = [
  name,
  age,
  text('SignerName', 'Signer that the request is for.', (object) =>
    orNone(stringAt(objectAt(object, 'spec'), 'signerName')),
  ),
  text('Requestor', 'User that made the request.', (object) => stringAt(objectAt(object, 'spec'), 'username')),
  {
    ...text('RequestedDuration', 'Lifetime of the certificate that the request asks for.', requestedDuration),
    since: '1.22',
  },
  text('Condition', 'Decision on the request, and whether the certificate was issued.', condition),
];

function requestedDuration(request: JsonObject): string {
  const seconds = numberAt(objectAt(request, 'spec'), 'expirationSeconds');
  return orNone(seconds === undefined ? '' : humanDuration(seconds * 1000));
}

/** `Pending`, `Approved`, `Denied`; followed by `Failed` and `Issued`. */
function condition(request: JsonObject): string {
  const status = objectAt(request, 'status');
  const types = new Set(objectsAt(status, 'conditions').map((each) => stringAt(each, 'type')));
  return [
    ['Denied', 'Approved'].find((decision) => types.has(decision)) ?? 'Pending',
    ...(types.has('Failed') ? ['Failed'] : []),
    ...(stringAt(status, 'certificate') === '' ? [] : ['Issued']),
  ].join(',');
}
