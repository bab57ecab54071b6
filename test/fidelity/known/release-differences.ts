import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type JsonValue } from '../../../src/meta/json-value.ts';
import type { ObjectSchema, Schema } from '../../../src/scheme/model/schema.ts';
import { type JsonPath, textAt, valueAt } from '../json-paths.ts';
import { schemaAt } from './field-trees.ts';
import { withoutListOrder } from './applied-order.ts';
import { withoutOwnershipEvents } from './forget-events.ts';
import type { Difference } from '../compare.ts';
import type { SequenceStep } from '../sequence.ts';
import type { Subject } from '../subjects.ts';
import {
  bodyPlace,
  causesOf,
  type Exchange,
  type FieldNames,
  isOneOf,
  isOnlyOneThere,
  isOwnership,
  isStatus,
  type KnownDifference,
  type MetDifference,
  ownedField,
} from './known-difference.ts';
import { documentOf, liveBefore } from './live-object.ts';
import { fieldsOfDifference, isOfEventMore, isOfGeneration, isWhereMet, namesOfCause } from './fields-of-difference.ts';
import { isOfLostFinalizer } from './lost-finalizers.ts';
import { isUnrecorded } from './unrecorded-owners.ts';
import {
  isAtomicOwner,
  isAtomicPlace,
  isInAtomicStruct,
  withoutAtomicContent,
  withoutNamespaceLabel,
  withoutSubresource,
} from './forget-ownership.ts';

/** Differences between release 1.20 and release 1.23, which is the one that this server speaks for. */
export const releaseDifferences: readonly KnownDifference[] = [
  { row: 'release-managed-subresource', forget: (body) => withoutSubresource(body) },
  {
    row: 'release-managed-subresource',
    // To the reference the appliers of an object and of its status are one, who leaves out what it applied before.
    matches: (difference, { step }) =>
      step.type?.includes('apply') === true &&
      /^(?:metadata\/|f:metadata\/f:)(?:labels|annotations|finalizers|ownerReferences)\b/.test(
        ownedField(difference) ?? bodyPlace(difference),
      ) &&
      difference.reference === undefined &&
      step.path.endsWith('/status'),
    lasts: (difference, exchange, met) =>
      isWhereMet(difference, exchange, met) ||
      isOfLostFinalizer(difference, exchange, met) ||
      isOfEventMore(difference, exchange, met),
  },
  {
    row: 'release-managed-subresource',
    matches: (difference, { step, reference, ours, earlier = [] }) =>
      [step, ...earlier.map(stepOf)].some(isWriteOfScale) &&
      (isStatus(difference)
        ? [reference, ours].some(({ body }) => isConflictOfReplicas(body))
        : [ownedField(difference), bodyPlace(difference)].some((place) => replicasPlace.test(place ?? ''))),
  },
  {
    row: 'release-managed-subresource',
    // Who owns a map through the status owns it in another entry here.
    matches: (difference, { earlier = [] }) =>
      difference.ours === undefined &&
      /^f:metadata\/f:(?:labels|annotations)\/\.$/.test(ownedField(difference) ?? '') &&
      earlier.some(({ step }) => step.method !== 'GET' && step.path.endsWith('/status')),
  },
  {
    row: 'release-applied-order',
    forget: (body, { step }) => (isOfRandomKind(step) ? withoutListOrder(body) : body),
  },
  {
    row: 'release-applied-order',
    // Items in another order are a change: of an apply here, of a later write that restores the order there.
    matches: (difference, exchange) =>
      isOfRandomKind(exchange.step) &&
      bodyPlace(difference) === 'metadata/generation' &&
      (differInOrder(exchange.reference.body, exchange.ours.body) || differInOrder(...liveBodies(exchange))),
    lasts: (difference) => bodyPlace(difference) === 'metadata/generation',
  },
  { row: 'release-atomic-structs', forget: (body, { subject }) => withoutAtomicContent(body, subject.schema) },
  {
    row: 'release-namespace-label',
    matches: (difference, { subject, step }) =>
      subject.info.resource === 'namespaces' &&
      step.method === 'POST' &&
      difference.reference === undefined &&
      bodyPlace(difference) === 'details/causes/metadata.labels FieldValueInvalid',
  },
  {
    row: 'release-namespace-label',
    // A JSON patch finds labels in which to put another.
    matches: (difference, { subject, step }) =>
      subject.info.resource === 'namespaces' &&
      step.type?.includes('json-patch') === true &&
      /"\/metadata\/labels[/"]/.test(JSON.stringify(step.body ?? null)) &&
      (isStatus(difference) || bodyPlace(difference) === 'details/causes'),
  },
  {
    row: 'release-namespace-label',
    // Who labels a Namespace finds labels, which its creator owns.
    matches: (difference, { subject, step }) =>
      subject.info.resource === 'namespaces' &&
      (ownedField(difference) === 'f:metadata/f:labels/.' ||
        // A manager who owns the map alone, or the label alone, is known to one server. An applier owns what it applies.
        (ownedField(difference) === '' &&
          (difference.ours === undefined ||
            step.type?.includes('apply') !== true ||
            JSON.stringify(difference.path).includes('before-first-apply')) &&
          JSON.stringify(difference.reference ?? difference.ours) === '{}')),
  },
  {
    row: 'release-namespace-label',
    forget: (body, { subject }) => (subject.info.resource === 'namespaces' ? withoutNamespaceLabel(body) : body),
  },
  newField('release-job-fields', /^(?:jobs|cronjobs)$/, /(?:^|\/)(?:f:)?(?:completionMode|suspend)$/),
  {
    row: 'release-job-generation',
    matches: (difference, { subject, reference }) =>
      /^(?:jobs|cronjobs)$/.test(subject.info.resource) &&
      (/(?:^|\/)metadata\/generation$/.test(bodyPlace(difference)) ||
        (bodyPlace(difference) === 'details/causes/metadata.generation FieldValueInvalid' &&
          difference.ours === undefined) ||
        (isStatus(difference) &&
          difference.reference === 422 &&
          /is invalid: metadata\.generation: Invalid value: -\d+: must be/.test(JSON.stringify(reference.body)))),
  },
  newField(
    'release-service-fields',
    /^services$/,
    /(?:f:)?spec\/(?:f:)?(?:clusterIPs|ipFamilies|ipFamilyPolicy|internalTrafficPolicy|allocateLoadBalancerNodePorts)(?:\/\.)?$/,
  ),
  {
    row: 'release-negative-grace',
    // The objects that the DELETE of a collection shows are as they were before it.
    matches: (difference, { earlier = [] }) =>
      (bodyPlace(difference).startsWith('items') ||
        (isStatus(difference) && (isOnlyOneThere(difference) || difference.ours === 409))) &&
      earlier.some(({ step }) => step.method === 'DELETE' && hasNegativeGrace(step)),
  },
  {
    row: 'release-service-update',
    matches: (difference, { subject, reference }) =>
      subject.info.resource === 'services' &&
      isStatus(difference) &&
      reference.status === 422 &&
      /metadata\.resourceVersion: Invalid value: \\"\\": must be specified for an update/.test(
        JSON.stringify(reference.body),
      ),
  },
  {
    row: 'release-service-update',
    matches: (difference, { subject, step, reference, ours }) =>
      subject.info.resource === 'services' &&
      step.method === 'PUT' &&
      isStatus(difference) &&
      reference.status === 404 &&
      (ours.status === 201 || ours.status === 422),
  },
  {
    row: 'release-service-update',
    matches: (difference, { subject, step, reference, ours }) =>
      subject.info.resource === 'services' &&
      step.method === 'PUT' &&
      isStatus(difference) &&
      ours.status === 409 &&
      causesOf(reference.body).some((cause) => textAt(cause, ['field']) === 'metadata.uid'),
  },
  {
    row: 'release-service-update',
    matches: (difference, { subject }) =>
      subject.info.resource === 'services' &&
      difference.ours === undefined &&
      /^details\/causes\/(?:metadata\.resourceVersion|spec\.clusterIPs\[0\]) FieldValueInvalid$/.test(
        bodyPlace(difference),
      ),
  },
  {
    row: 'release-service-delete',
    matches: (difference, { subject, step, reference, ours }) =>
      subject.info.resource === 'services' &&
      step.method === 'DELETE' &&
      (isStatus(difference) ? ours.status === 202 : difference.path[0] === 'body') &&
      textAt(reference.body, ['kind']) === 'Status',
    // A Status does not say the version that a later write or precondition names.
    lasts: (difference, { step, reference }) =>
      isStatus(difference) &&
      JSON.stringify(step).includes('{{rv}}') &&
      /the ResourceVersion in the precondition|the object has been modified/.test(textAt(reference.body, ['message'])),
  },
  {
    row: 'release-negative-grace',
    matches: (difference, { step, reference }) =>
      /(?:^|\/)metadata\/deletionGracePeriodSeconds$/.test(bodyPlace(difference))
        ? Number(difference.reference) < 0
        : // It shortens a period of one second, so that the DELETE can change the finalizers as well.
          step.method === 'DELETE' &&
          (bodyPlace(difference).startsWith('metadata/finalizers') || isDeletedOrNot(difference)) &&
          Number(valueAt(reference.body, ['metadata', 'deletionGracePeriodSeconds'])) < 0,
    // One server finds no time left, or no object: a create succeeds, and an edit has nothing to send.
    lasts: (difference, { step }) =>
      isStatus(difference)
        ? isOnlyOneThere(difference) ||
          (step.edits !== undefined && step.body === undefined && isOneOf(difference, 400)) ||
          (step.method === 'POST' && isOneOf(difference, 201) && isOneOf(difference, 409))
        : bodyPlace(difference).endsWith('metadata/finalizers'),
  },
  {
    row: 'release-service-update',
    matches: (difference, { subject, step, reference, ours }) =>
      subject.info.resource === 'services' &&
      step.method === 'PUT' &&
      isStatus(difference) &&
      reference.status === 422 &&
      ours.status === 409 &&
      textAt(ours.body, ['message']).includes('the object has been modified'),
  },
  {
    row: 'release-node-networks',
    matches: (difference, { subject, ours }) =>
      subject.info.resource === 'nodes' &&
      difference.reference === undefined &&
      (/^(?:spec\/podCIDRs\/[1-9]\d*$|details\/causes\/spec\.podCIDRs)/.test(bodyPlace(difference)) ||
        // A Node with other networks is another Node.
        (bodyPlace(difference) === 'details/causes/[] FieldValueForbidden' &&
          causesOf(ours.body).some((cause) => textAt(cause, ['field']).startsWith('spec.podCIDRs')))),
    lasts: (difference) => bodyPlace(difference).includes('podCIDRs'),
  },
  newField('release-stateful-set-status', /^statefulsets$/, /(?:f:)?status\/(?:f:)?availableReplicas$/),
  {
    row: 'release-daemon-set-surge',
    matches: (difference, { subject, reference }) =>
      subject.info.resource === 'daemonsets' &&
      /^details\/causes\/spec\.updateStrategy\.rollingUpdate\.maxUnavailable FieldValue(?:Invalid|Required)$/.test(
        bodyPlace(difference),
      ) &&
      causesOf(reference.body).some((cause) => textAt(cause, ['message']).endsWith(': cannot be 0')),
  },
  newField('release-daemon-set-surge', /^daemonsets$/, /(?:^|\/)(?:f:)?rollingUpdate\/(?:f:)?maxSurge$/),
  {
    row: 'release-daemon-set-surge',
    // Who owns the surge owns the struct that it is in, too.
    matches: ({ path, reference }, { subject, normalOurs }) =>
      subject.info.resource === 'daemonsets' &&
      reference === undefined &&
      path.at(-1) === '.' &&
      path.at(-2) === 'f:rollingUpdate' &&
      valueAt(normalOurs, [...path.slice(0, -1), 'f:maxSurge']) !== undefined,
  },
  newField('release-csi-driver-fields', /^csidrivers$/, /(?:f:)?spec\/(?:f:)?(?:requiresRepublish|storageCapacity)$/),
  newField('release-ingress-class-scope', /^ingressclasses$/, /(?:f:)?parameters\/(?:f:)?scope$/),
  {
    row: 'release-ingress-class-scope',
    // Who owns the scope owns the parameters, too.
    matches: ({ path, reference }, { subject, normalOurs }) =>
      subject.info.resource === 'ingressclasses' &&
      reference === undefined &&
      path.at(-1) === '.' &&
      path.at(-2) === 'f:parameters' &&
      valueAt(normalOurs, [...path.slice(0, -1), 'f:scope']) !== undefined,
  },
  {
    row: 'release-status-reset',
    matches: (difference, { step, subject }) => {
      const field = ownedField(difference);
      if (field === undefined) return false;
      if (/\/(?:status|approval)$/.test(step.path)) return !field.startsWith('f:status');
      if (subject.info.resource === 'horizontalpodautoscalers' && statusAnnotation.test(field)) return true;
      return field.startsWith('f:status') || isImmutableSpec(field, subject.info.resource);
    },
    lasts: (difference, exchange, met) =>
      isUnrecorded(difference, exchange) ||
      ((isOwnership(difference, exchange) || isOfDroppedField(difference, exchange)) &&
        isWhereMet(difference, exchange, met)) ||
      (isOfDroppedField(difference, exchange) && isDropThatNamesNothing(exchange, met)) ||
      isOfDroppedValue(difference, exchange, met),
  },
  {
    row: 'release-atomic-structs',
    matches: (difference, exchange) =>
      exchange.step.type?.includes('apply') === true &&
      exchange.ours.status === 409 &&
      (isStatus(difference)
        ? isAtomicConflict(exchange.ours.body, exchange.subject.schema)
        : bodyPlace(difference).endsWith(' FieldManagerConflict') &&
          fieldsOfDifference(difference, exchange).every((place) => isAtomicPlace(place, exchange.subject.schema))),
    lasts: isOwnership,
  },
  {
    row: 'release-atomic-structs',
    matches: (difference, { step, subject }) =>
      step.type?.includes('apply') === true &&
      difference.ours === undefined &&
      (isInAtomicStruct(difference.path.slice(1), subject.schema) || isEmptiedMap(difference, step, subject)),
    lasts: (difference, exchange, met) =>
      isOwnership(difference, exchange) ||
      isWhereMet(difference, exchange, met) ||
      isOfEventMore(difference, exchange, met) ||
      (!isStatus(difference) &&
        fieldsOfDifference(difference, exchange).some((place) => isAtomicPlace(place, exchange.subject.schema))),
  },
  {
    row: 'release-atomic-structs',
    matches: (difference, { subject, step }) =>
      step.type?.includes('apply') === true &&
      /^(?:clusterrolebindings|rolebindings|ingressclasses)$/.test(subject.info.resource) &&
      /^details\/causes\/(?:roleRef|spec\.parameters)\b/.test(bodyPlace(difference)),
  },
  {
    row: 'release-atomic-structs',
    // An apply to a list that was keyed is refused if two items have one key.
    matches: (difference, { step, subject, reference, ours }) =>
      step.type?.includes('apply') === true &&
      subject.info.resource === 'jobs' &&
      isStatus(difference) &&
      ours.status < 500 &&
      /\.status\.conditions: duplicate entries for key/.test(textAt(reference.body, ['message'])),
  },
  {
    row: 'release-atomic-structs',
    // An apply to a list that was keyed leaves the other items, and the other fields of the items.
    matches: (difference, exchange) =>
      exchange.step.type?.includes('apply') === true &&
      exchange.subject.info.resource === 'jobs' &&
      /^status\/conditions\/\d+(?:\/|$)/.test(bodyPlace(difference)) &&
      (difference.ours === undefined || hasMoreConditions(exchange)),
  },
  {
    row: 'release-atomic-structs',
    // Of a list that was keyed, an apply removes the items without a key that it applied before.
    matches: (difference, { subject, step }) => {
      const place = bodyPlace(difference).split('/');
      return (
        step.type?.includes('apply') === true &&
        difference.reference === undefined &&
        isAtomicList(place, subject.schema) &&
        /\[\{\}|\{\},|,\{\}/.test(JSON.stringify(valueAt(documentOf(step), place) ?? null))
      );
    },
  },
  {
    row: 'release-atomic-structs',
    // An apply to a list that was keyed leaves the items in their order.
    matches: (difference, exchange) =>
      exchange.step.type?.includes('apply') === true && isReordered(difference, exchange),
    lasts: isReordered,
  },
  {
    row: 'release-atomic-structs',
    // An apply of an empty map takes away what it applied before, and the map with it.
    matches: (difference, { step, subject }) =>
      step.type?.includes('apply') === true &&
      difference.reference === undefined &&
      isEmptiedMap(difference, step, subject),
    lasts: isWhereMet,
  },
  {
    row: 'release-atomic-structs',
    // An apply of a part of such a value leaves the part alone.
    matches: (difference, exchange) =>
      exchange.step.type?.includes('apply') === true && isAtomicRefusal(difference, exchange),
  },
  {
    row: 'release-csi-driver-update',
    matches: (difference, { subject, step }) =>
      subject.info.resource === 'csidrivers' &&
      step.method !== 'POST' &&
      /^details\/causes\/spec(?:\.\w+)? FieldValueInvalid$/.test(bodyPlace(difference)),
  },
  {
    row: 'release-endpoint-addresses',
    matches: (difference, { subject, ours }) =>
      subject.info.resource === 'endpointslices' &&
      /^details\/causes\/endpoints\[\d+\]\.addresses\[\d+\] FieldValueInvalid$/.test(bodyPlace(difference)) &&
      /addresses\[\d+\]: Invalid value: "[^"]*":? (?:may not be |must be a valid IP address)/.test(
        textAt(ours.body, ['message']),
      ) &&
      Number(difference.ours) > Number(difference.reference ?? 0),
  },
  {
    row: 'release-wildcard-hosts',
    matches: (difference, exchange) =>
      exchange.subject.info.resource === 'ingresses' &&
      difference.reference === undefined &&
      /^details\/causes\/spec\.rules\[\d+\]\.http\b/.test(bodyPlace(difference)) &&
      [documentOf(exchange.step), liveBefore(exchange).ours].some((object) => hasWildcardHost(object)),
  },
  {
    row: 'release-service-traffic',
    matches: (difference, { subject }) =>
      subject.info.resource === 'services' &&
      Number(difference.ours) > Number(difference.reference ?? 0) &&
      /^details\/causes\/spec\.(?:externalTrafficPolicy|healthCheckNodePort) /.test(bodyPlace(difference)),
  },
  {
    row: 'release-status-reset',
    forget: (body) => withoutOwnershipEvents(body),
  },
  {
    row: 'release-atomic-structs',
    matches: (difference, { subject }) => isAtomicOwner(difference, subject.schema),
    lasts: isOwnership,
  },
  {
    row: 'release-moved-groups',
    matches: (difference) => bodyPlace(difference) === 'details/group' && difference.reference === 'extensions',
  },
  {
    row: 'release-port-protocol',
    matches: (_, { step, reference, ours }) =>
      step.type?.includes('apply') === true &&
      reference.status === 500 &&
      ours.status < 500 &&
      /omits key field "protocol"/.test(textAt(reference.body, ['message'])),
  },
  {
    row: 'release-keyed-conditions',
    matches: (difference, { step, subject, reference, ours }) =>
      isStatus(difference) &&
      subject.info.resource === 'customresourcedefinitions' &&
      step.type?.includes('apply') === true &&
      reference.status === 200 &&
      /\.status\.conditions: duplicate entries for key/.test(textAt(ours.body, ['message'])),
  },
  {
    row: 'release-deprecations',
    matches: ({ path, reference }) =>
      path[0] === 'warnings' && reference === undefined && /is deprecated in v1\.2[1-9]\+/.test(String(path[1])),
  },
  {
    row: 'release-unknown-fields',
    matches: ({ path, reference }) =>
      path[0] === 'warnings' && reference === undefined && /^299 - "(?:unknown|duplicate) field/.test(String(path[1])),
  },
];

/** In v1, parts of the status of an autoscaler are annotations. */
const statusAnnotation =
  /^f:metadata\/f:annotations\/(?:\.|f:autoscaling\.alpha\.kubernetes\.io\/(?:conditions|current-metrics))$/;

/** An apply takes away what its manager owns at one server alone: there it may not, or otherwise it should have. */
function isOfDroppedField(difference: Difference, { step, reference, ours }: Exchange): boolean {
  if (step.type?.includes('apply') !== true) return false;
  if (isStatus(difference)) return isOneOf(difference, 422) && Math.min(reference.status, ours.status) < 300;
  const isAtOne = difference.reference === undefined || difference.ours === undefined;
  return isAtOne && bodyPlace(difference).startsWith('details/causes/');
}

/** An apply takes away what an earlier difference was about, and is refused without a field, as updates of Nodes are. */
function isDropThatNamesNothing(exchange: Exchange, met: readonly MetDifference[]): boolean {
  const causes = [exchange.reference, exchange.ours].flatMap(({ body }) => causesOf(body));
  return causes.every((cause) => textAt(cause, ['field']) === '[]') && isDrop(exchange, met);
}

/** What an apply has taken away here alone, and the generations that tell that it did. */
function isOfDroppedValue(difference: Difference, exchange: Exchange, met: readonly MetDifference[]): boolean {
  const isAbout =
    isOfGeneration(difference) ||
    (!isStatus(difference) && difference.ours === undefined && isWhereMet(difference, exchange, met));
  const earlier = exchange.earlier ?? [];
  const isDropBefore = earlier.some((each, index) => isDrop({ ...each, earlier: earlier.slice(0, index) }, met));
  return isAbout && (isDropBefore || isDrop(exchange, met));
}

/** Whether an apply takes away what an earlier difference was about. */
function isDrop(exchange: Exchange, met: readonly MetDifference[]): boolean {
  const live = liveBefore(exchange).ours;
  const applied = documentOf(exchange.step);
  return (
    exchange.step.type?.includes('apply') === true &&
    met.some(({ places }) =>
      places.some((place) => valueAt(live, place) !== undefined && valueAt(applied, place) === undefined),
    )
  );
}

function hasWildcardHost(ingress: JsonValue): boolean {
  return /"host":"\*/.test(JSON.stringify(ingress));
}

/** A DELETE is 202 where the object is still there. */
function isDeletedOrNot(difference: Difference): boolean {
  return isStatus(difference) && isOneOf(difference, 200) && isOneOf(difference, 202);
}

function stepOf({ step }: Exchange): SequenceStep {
  return step;
}

function isWriteOfScale({ method, path }: SequenceStep): boolean {
  return method !== 'GET' && path.endsWith('/scale');
}

/** Whether a place is a list that one manager owns as a whole. */
function isAtomicList(place: FieldNames, schema: ObjectSchema): boolean {
  const at = place.reduce<Schema | undefined>((type, name) => schemaAt(type, `f:${name}`), schema);
  return at?.type === 'list' && at.listType === 'atomic';
}

const replicasPlace = /^(?:f:spec\/f:replicas|details\/causes\/\.spec\.replicas FieldManagerConflict)$/;

/** Whether nothing but the replicas keeps an apply from what it asks for. */
function isConflictOfReplicas(body: JsonValue): boolean {
  const causes = causesOf(body);
  return causes.length > 0 && causes.every((cause) => textAt(cause, ['field']) === '.spec.replicas');
}

/** The spec of a request for a certificate cannot change: who writes it again owns nothing of it. */
function isImmutableSpec(field: string, resource: string): boolean {
  return resource === 'certificatesigningrequests' && field.startsWith('f:spec/');
}

/** Whether a cause is about a value that became atomic. */
function isAtomicRefusal(difference: Difference, exchange: Exchange): boolean {
  const isCause = bodyPlace(difference).startsWith('details/causes/');
  return (
    isCause && fieldsOfDifference(difference, exchange).some((place) => isAtomicPlace(place, exchange.subject.schema))
  );
}

/** Whether the reference has the conditions that were applied here, and others. */
function hasMoreConditions({ reference, ours }: Exchange): boolean {
  const [more, applied] = [reference, ours].map(({ body }) => valueAt(body, ['status', 'conditions']));
  if (!Array.isArray(more) || !Array.isArray(applied)) return false;
  const types = new Set(more.map((condition) => textAt(condition, ['type'])));
  return more.length > applied.length && applied.every((condition) => types.has(textAt(condition, ['type'])));
}

/** Whether a difference is inside an atomic list that has the same items in another order. */
function isReordered({ path }: Difference, { subject, normalReference, normalOurs }: Exchange): boolean {
  const end = path.findIndex((_, index) => isAtomicList(namesIn(path.slice(1, index + 1)), subject.schema));
  if (end < 0 || path[0] !== 'body') return false;
  const [one, other] = [normalReference, normalOurs].map((response) => valueAt(response, path.slice(0, end + 1)));
  return Array.isArray(one) && Array.isArray(other) && sortedText(one) === sortedText(other);
}

function namesIn(path: JsonPath): FieldNames {
  return path.map(String);
}

function sortedText(items: readonly JsonValue[]): string {
  return items
    .map((item) => JSON.stringify(item))
    .toSorted()
    .join();
}

/** An empty map is all of an atomic map, and adds nothing to another. */
function isEmptiedMap({ path }: Difference, step: SequenceStep, { schema }: Subject): boolean {
  const place = path.slice(1);
  const applied = valueAt(documentOf(step), place);
  const isEmpty = isJsonObject(applied) && Object.keys(applied).length === 0;
  return isEmpty && isAtomicPlace(place.map(String), schema);
}

/** Whether an apply conflicts on whole values that became atomic alone. */
function isAtomicConflict(body: JsonValue, schema: ObjectSchema): boolean {
  const causes = causesOf(body);
  return causes.length > 0 && causes.every((cause) => isAtomicPlace(namesOfCause(textAt(cause, ['field'])), schema));
}

/** A field that only ours has, in some resources: its value, or who owns it. */
function newField(row: string, resources: RegExp, place: RegExp): KnownDifference {
  return {
    row,
    matches: (difference, { subject }) =>
      difference.reference === undefined &&
      resources.test(subject.info.resource) &&
      place.test(ownedField(difference) ?? bodyPlace(difference)),
  };
}

function hasNegativeGrace({ query = {}, body }: SequenceStep): boolean {
  return (
    query['gracePeriodSeconds']?.startsWith('-') === true || /"gracePeriodSeconds":-/.test(JSON.stringify(body ?? null))
  );
}

/** True for the objects of the area of random schemas. */
function isOfRandomKind({ path }: SequenceStep): boolean {
  return path.includes('/widgets');
}

function liveBodies(exchange: Exchange): readonly [reference: JsonValue, ours: JsonValue] {
  const { reference, ours } = liveBefore(exchange);
  return [reference, ours];
}

/** True if two objects have the items of a list in different orders, and nothing else in their specs. */
function differInOrder(reference: JsonValue, ours: JsonValue): boolean {
  const [one, other] = [reference, ours].map((body) => valueAt(body, ['spec']) ?? null);
  return (
    !isDeepStrictEqual(one, other) && isDeepStrictEqual(withoutListOrder(one ?? null), withoutListOrder(other ?? null))
  );
}
