import type { JsonObject, JsonValue } from '../../../meta/json-value.ts';
import { validatePathSegment } from '../../../meta/validate-name.ts';
import type { Strategy, StrategyContext } from '../../../registry/definition/strategy.ts';
import { keepField, makeObjectAt, objectAt, stringAt } from '../../../meta/read-field.ts';
import { approveRequest } from './approval.ts';
import { defaultRequest } from './default.ts';
import { signRequest } from './status.ts';
import { validateNewRequest } from './validate.ts';

/** The strategy of certificate signing requests (spec 2.5, 4.12). The spec is immutable. */
export const strategy: Strategy = {
  validateName: validatePathSegment,
  default: defaultRequest,
  prepareForCreate: prepareRequest,
  prepareForUpdate: (request, old) => {
    keepField(request, old, 'spec');
    keepField(request, old, 'status');
  },
  validateCreate: validateNewRequest,
  generation: false,
  selectableFields: ['spec.signerName'],
  fieldsOf: (request) => ({ 'spec.signerName': stringAt(objectAt(request, 'spec'), 'signerName') }),
  subresources: { approval: approveRequest, status: signRequest },
};

/**
 * Sets the fields of the requesting user from the authenticated user, whatever the client wrote.
 * Approvers trust them. Mutates.
 */
function prepareRequest(request: JsonObject, { user }: StrategyContext): void {
  const spec = makeObjectAt(request, 'spec');
  const extra = Object.fromEntries(Object.entries(user.extra).map(([key, values]) => [key, [...values]]));
  const stamped: readonly (readonly [string, JsonValue, boolean])[] = [
    ['username', user.username, user.username !== ''],
    ['uid', user.uid, user.uid !== ''],
    ['groups', [...user.groups], user.groups.length > 0],
    ['extra', extra, Object.keys(extra).length > 0],
  ];
  for (const [name, value, present] of stamped) {
    if (present) spec[name] = value;
    else delete spec[name];
  }
  request['status'] = {};
}
