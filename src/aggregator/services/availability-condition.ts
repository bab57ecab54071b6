import type { JsonObject } from '../../meta/json-value.ts';
import { objectAt, objectsAt, sameValue, stringAt } from '../../meta/read-field.ts';
import type { RemoteApiService } from '../../api/api-services/api-service.ts';

/** The state of an APIService, as its condition `Available` shows it. */
export interface Availability {
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

/** A Service and its Endpoints, as far as they decide about an APIService. */
export interface ServiceState {
  /** The Service; undefined if it does not exist. */
  readonly service: JsonObject | undefined;
  /** The Endpoints of the same name; undefined if there are none. */
  readonly endpoints: JsonObject | undefined;
}

/** The state of an APIService whose server has answered. */
export const passed: Availability = Object.freeze({
  status: 'True',
  reason: 'Passed',
  message: 'all checks passed',
});

/** The state of a local APIService. */
export const local: Availability = Object.freeze({
  status: 'True',
  reason: 'Local',
  message: 'Local APIServices are always available',
});

/** The state of an APIService whose server cannot be reached or refuses. */
export function failedDiscovery(message: string): Availability {
  return { status: 'False', reason: 'FailedDiscoveryCheck', message };
}

/**
 * The problem of the Service of an APIService, in the words of kube-apiserver; undefined if
 * requests can be sent to it.
 */
export function serviceProblem(
  { service: wanted }: RemoteApiService,
  { service, endpoints }: ServiceState,
): Availability | undefined {
  const { namespace, name, port } = wanted;
  const where = `service/${name} in ${JSON.stringify(namespace)}`;
  if (!service) return problem('ServiceNotFound', `${where} is not present`);
  const spec = objectAt(service, 'spec');
  // Only the Endpoints of such a Service are used.
  if (stringAt(spec, 'type') !== 'ClusterIP') return undefined;
  const found = objectsAt(spec, 'ports').find((one) => one['port'] === port);
  if (!found) return problem('ServicePortError', `${where} is not listening on port ${port}`);
  if (!endpoints) return problem('EndpointsNotFound', `cannot find endpoints for ${where}`);
  const portName = stringAt(found, 'name');
  const hasAddress = objectsAt(endpoints, 'subsets').some(
    (subset) =>
      objectsAt(subset, 'addresses').length > 0 &&
      objectsAt(subset, 'ports').some((one) => stringAt(one, 'name') === portName),
  );
  if (hasAddress) return undefined;
  const why = `endpoints for ${where} have no addresses with port name ${JSON.stringify(portName)}`;
  return problem('MissingEndpoints', why);
}

function problem(reason: string, message: string): Availability {
  return { status: 'False', reason, message };
}

/**
 * Sets the condition `Available` of an APIService; undefined if it is so already. The time of the
 * transition changes with the status only.
 */
export function withAvailability(object: JsonObject, { status, reason, message }: Availability, at: string) {
  const state = objectAt(object, 'status');
  const conditions = objectsAt(state, 'conditions');
  const before = conditions.find(isAvailable) ?? {};
  const lastTransitionTime = stringAt(before, 'status') === status ? (before['lastTransitionTime'] ?? at) : at;
  const condition: JsonObject = { type: 'Available', status, lastTransitionTime, reason, message };
  if (sameValue(before, condition)) return undefined;
  const others = conditions.filter((one) => !isAvailable(one));
  return { ...object, status: { ...state, conditions: [...others, condition] } };
}

/** The state that an APIService shows; undefined before the first check. */
export function shownAvailability(object: JsonObject): Pick<Availability, 'reason'> & { readonly status: string } {
  const condition = objectsAt(objectAt(object, 'status'), 'conditions').find(isAvailable) ?? {};
  return { status: stringAt(condition, 'status'), reason: stringAt(condition, 'reason') };
}

function isAvailable(condition: JsonObject): boolean {
  return stringAt(condition, 'type') === 'Available';
}
