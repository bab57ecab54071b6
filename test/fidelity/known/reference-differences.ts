import { isJsonObject, type JsonValue } from '../../../src/meta/json-value.ts';
import type { Difference } from '../compare.ts';
import { type JsonPath, textAt, valueAt } from '../json-paths.ts';
import type { SequenceStep } from '../sequence.ts';
import { withoutGenerationEvents } from './forget-events.ts';
import { ownedEmpty } from './field-trees.ts';
import {
  bodyPlace,
  causesOf,
  type Exchange,
  isClientError,
  isOnlyOneThere,
  isOwnership,
  isStatus,
  type KnownDifference,
  ownedField,
} from './known-difference.ts';
import { documentOf, liveBefore } from './live-object.ts';
import { isAbout, isOfGeneration, isWhereMet, namesOfCause } from './fields-of-difference.ts';
import { isAfterStaleDeletion, isStaleRead } from './stale-reads.ts';
import { isOfUndeclaredList } from './undeclared-lists.ts';
import { isUnrecorded, isUnrecordedHere } from './unrecorded-owners.ts';

/** Differences in which this server follows the specification, or answers where kube-apiserver fails. */
export const referenceDifferences: readonly KnownDifference[] = [
  {
    row: 'malformed-500',
    matches: (difference) => isStatus(difference) && difference.reference === 500 && isClientError(difference.ours),
  },
  {
    row: 'malformed-closed',
    matches: (difference) => isStatus(difference) && difference.reference === 0 && isClientError(difference.ours),
  },
  {
    row: 'empty-parameters',
    matches: (difference, { subject, step, reference, ours }) =>
      subject.info.resource === 'storageclasses' &&
      // An edit that takes the last key away leaves an empty map, too.
      /\bparameters\b/.test(JSON.stringify([step, documentOf(step)])) &&
      !JSON.stringify(ours.body).includes('updates to parameters are forbidden') &&
      (isStatus(difference)
        ? JSON.stringify(reference.body).includes('updates to parameters are forbidden')
        : bodyPlace(difference) === 'details/causes/parameters FieldValueForbidden'),
  },
  {
    row: 'repeated-causes',
    matches: (difference, { reference }) => {
      const place = bodyPlace(difference);
      const causes = causesOf(reference.body).filter(
        (cause) => place === `details/causes/${textAt(cause, ['field'])} ${textAt(cause, ['reason'])}`,
      );
      const texts = new Set(causes.map((cause) => textAt(cause, ['message'])));
      return causes.length > texts.size && texts.size === difference.ours;
    },
  },
  {
    row: 'unread-selectors',
    matches: (difference, { reference }) =>
      bodyPlace(difference).startsWith('details/causes/spec.template.') &&
      Number(difference.ours) > Number(difference.reference ?? 0) &&
      causesOf(reference.body).some((cause) => textAt(cause, ['message']).endsWith('invalid label selector')),
  },
  {
    row: 'metadata-at-once',
    matches: (difference, { subject }) =>
      /^(?:events|poddisruptionbudgets)$/.test(subject.info.resource) &&
      Number(difference.ours) > Number(difference.reference ?? 0) &&
      bodyPlace(difference).startsWith('details/causes/metadata.'),
  },
  {
    row: 'head',
    matches: ({ path }, { step, reference, ours }) =>
      (path[0] === 'status' || path[0] === 'contentType' || path[0] === 'body') &&
      step.method === 'HEAD' &&
      reference.status === 405 &&
      JSON.stringify(ours.body) === '{"likeGet":true}',
  },
  {
    row: 'accept-ranges',
    matches: (_difference, { step, reference }) => step.accept === 'application/*' && reference.status === 406,
  },
  {
    row: 'delete-options',
    // The options of the query count beside those of a body, and the version of a list is no precondition.
    matches: (difference, { step, subject, reference }) =>
      step.method === 'DELETE' &&
      (hasTwoSources(step) ||
        (isStatus(difference) &&
          reference.status === 409 &&
          step.path === subject.collection &&
          step.query?.['resourceVersion'] !== undefined &&
          textAt(reference.body, ['message']).includes('the ResourceVersion in the precondition'))),
    // One server has deleted the object, or has begun to.
    lasts: (difference) =>
      isStatus(difference)
        ? isOnlyOneThere(difference)
        : /(?:^|\/)metadata\/(?:deletion\w+|finalizers(?:\/\d+)?)$/.test(bodyPlace(difference)),
  },
  {
    row: 'empty-dry-run',
    matches: (difference, { step, reference, ours }) =>
      step.query?.['dryRun'] === '' &&
      reference.status === 422 &&
      (isStatus(difference) || bodyPlace(difference) === 'details/causes/dryRun FieldValueNotSupported') &&
      !JSON.stringify(ours.body).includes('dryRun'),
  },
  {
    row: 'dry-run-version',
    matches: (difference, { step, ours }) =>
      (step.method === 'POST' || ours.status === 201) &&
      step.query?.['dryRun'] === 'All' &&
      (isStatus(difference)
        ? JSON.stringify(ours.body).includes('resourceVersion should not be set on objects to be created')
        : bodyPlace(difference) === 'metadata/resourceVersion' && difference.ours === undefined),
  },
  {
    row: 'dry-run-allocations',
    matches: (difference, { subject, step }) =>
      subject.info.resource === 'services' &&
      step.query?.['dryRun'] === 'All' &&
      difference.reference === undefined &&
      /^spec\/(?:clusterIP|ports\/\d+\/nodePort|healthCheckNodePort)$/.test(bodyPlace(difference)),
  },
  {
    row: 'self-link',
    matches: (difference) => bodyPlace(difference) === 'metadata/selfLink' && difference.ours === undefined,
    lasts: (difference) => bodyPlace(difference).endsWith('metadata/selfLink') && difference.ours === undefined,
  },
  {
    row: 'deletion-precondition',
    matches: (difference, { step, reference }) =>
      step.method === 'DELETE' &&
      isStatus(difference) &&
      reference.status === 409 &&
      JSON.stringify(reference.body).includes('Precondition failed: ResourceVersion in precondition'),
  },
  {
    row: 'immediate-deletion-events',
    matches: (difference, { subject, normalReference }) =>
      subject.info.resource === 'pods' &&
      isOfImmediateDeletion(bodyPlace(difference), valueAt(normalReference, ['body'])),
  },
  {
    row: 'apply-panic',
    matches: (difference, exchange) =>
      isStatus(difference) &&
      exchange.reference.status === 0 &&
      (exchange.subject.info.resource === 'apiservices' || isAppliedNull(exchange)),
  },
  {
    row: 'api-service-owners',
    matches: (difference, { subject }) =>
      subject.info.resource === 'apiservices' &&
      (ownedField(difference) !== undefined
        ? difference.reference === undefined
        : // Nor is a list of owners read that a client sends: it is checked as it is.
          difference.ours === undefined && bodyPlace(difference).startsWith('details/causes/metadata.managedFields.')),
    lasts: isOwnership,
  },
  {
    row: 'empty-lists',
    // An empty CA bundle stays in the object, and the next patch drops it.
    matches: (difference, { subject, step, earlier = [] }) =>
      /^(?:(?:mutating|validating)webhookconfigurations|networkpolicies)$/.test(subject.info.resource) &&
      bodyPlace(difference).endsWith('metadata/generation') &&
      [step, ...earlier.map((before) => before.step)].some((each) => writesEmpty(each) || takesAway(each)),
    lasts: (difference) => bodyPlace(difference).endsWith('metadata/generation'),
  },
  {
    row: 'empty-lists',
    matches: (difference, { subject, step }) =>
      subject.info.resource === 'horizontalpodautoscalers' &&
      step.path.endsWith('/status') &&
      difference.ours === undefined &&
      ownedField(difference) === 'f:status/f:conditions' &&
      /"conditions":\[\]/.test(JSON.stringify([documentOf(step), step.edits ?? null])),
    lasts: isOwnership,
  },
  {
    row: 'empty-lists',
    // An apply of nothing, where the object has nothing, changes nothing that another manager owns.
    matches: (difference, exchange) => {
      const fields = causesOf(exchange.reference.body).map((cause) => namesOfCause(textAt(cause, ['field'])));
      const document = documentOf(exchange.step);
      const live = liveBefore(exchange).reference;
      return (
        isStatus(difference) &&
        exchange.step.type?.includes('apply') === true &&
        exchange.reference.status === 409 &&
        fields.length > 0 &&
        fields.every((names) => isEmpty(valueAt(document, names)) && valueAt(live, names) === undefined)
      );
    },
  },
  {
    row: 'empty-lists',
    // In events, only the generation tells such an update from none.
    forget: (body, { subject }) =>
      /^(?:(?:mutating|validating)webhookconfigurations|networkpolicies)$/.test(subject.info.resource)
        ? withoutGenerationEvents(body)
        : body,
  },
  {
    row: 'empty-topology',
    matches: (difference, { subject, step }) =>
      subject.key === 'discovery/v1beta1/endpointslices' &&
      /"topology":\{(?:"[^"]*":null,?)*\}/.test(JSON.stringify(step.body ?? null)) &&
      ownedField(difference) === 'f:endpoints',
    lasts: (difference, exchange, met) => isOwnership(difference, exchange) && isWhereMet(difference, exchange, met),
  },
  {
    row: 'metadata-of-version',
    matches: (difference, { step }) =>
      step.accept?.includes('as=PartialObjectMetadata') === true &&
      difference.reference === undefined &&
      /(?:^|\/)metadata\/annotations(?:\/|$)/.test(bodyPlace(difference)) &&
      /deprecated\.daemonset\.template\.generation|autoscaling\.alpha\.kubernetes\.io\//.test(
        bodyPlace(difference) + JSON.stringify(difference.ours),
      ),
  },
  {
    row: 'metadata-of-version',
    matches: (difference, { subject }) =>
      /^(?:daemonsets|horizontalpodautoscalers)$/.test(subject.info.resource) &&
      difference.reference === undefined &&
      bodyPlace(difference) === 'details/causes/metadata.annotations FieldValueTooLong',
  },
  {
    row: 'swapped-service',
    matches: (difference, { subject }) =>
      /^(?:mutating|validating)webhookconfigurations$/.test(subject.info.resource) &&
      /^details\/causes\/webhooks\[\d+\]\.clientConfig\.service\.name(?:space)? FieldValueRequired$/.test(
        bodyPlace(difference),
      ),
  },
  {
    row: 'load-balancer-ports',
    matches: (difference, { step }) =>
      step.path.endsWith('/status') &&
      difference.reference === undefined &&
      /^details\/causes\/status\.loadBalancer\.ingress\[\d+\]\.ports\[\d+\]\.(?:port|protocol) /.test(
        bodyPlace(difference),
      ),
  },
  {
    row: 'patch-any-data',
    matches: (difference, { step, reference }) =>
      isStatus(difference) &&
      reference.status === 500 &&
      step.type?.includes('strategic') === true &&
      /unable to find api field in struct RawExtension/.test(textAt(reference.body, ['message'])),
  },
  {
    row: 'byte-arrays',
    matches: (difference, { ours }) =>
      isStatus(difference)
        ? ours.status === 400 &&
          /cannot unmarshal array into field \S+ of type bytes/.test(textAt(ours.body, ['message']))
        : bodyPlace(difference).startsWith('details/') &&
          /cannot restore slice from slice$|cannot unmarshal array into field \S+ of type bytes$/.test(
            textAt(ours.body, ['message']),
          ),
  },
  {
    row: 'ingress-class-warning',
    matches: ({ path }, { subject }) =>
      subject.info.resource === 'ingressclasses' &&
      path[0] === 'warnings' &&
      /IngressClass is deprecated in v1\.19\+/.test(String(path[1])),
  },
  {
    row: 'order-of-any-version',
    forget: (body, { step }) => (isCachedRead(step) ? withSortedItems(body) : body),
  },
  {
    row: 'version-of-another-kind',
    matches: (difference, { step, reference }) =>
      isStatus(difference) && step.query?.['resourceVersion'] !== undefined && reference.status === 504,
  },
  { row: 'stale-reads', matches: (_difference, exchange) => isStaleRead(exchange), lasts: isNextPage },
  {
    row: 'stale-reads',
    matches: (difference, exchange) =>
      isStatus(difference) && isOnlyOneThere(difference) && isAfterStaleDeletion(exchange),
  },
  {
    row: 'kept-versions',
    matches: (difference, { step, reference, ours }) =>
      isStatus(difference) &&
      /^\d+$|\{\{/.test(step.query?.['resourceVersion'] ?? '') &&
      ([reference.status, ours.status].includes(410) ||
        JSON.stringify(reference.body).includes('required revision has been compacted')),
  },
  {
    row: 'missing-service-status',
    matches: (difference, { subject, step, ours }) =>
      subject.info.resource === 'services' &&
      step.path.endsWith('/status') &&
      isStatus(difference) &&
      ours.status === 404,
  },
  {
    row: 'limit-any-version',
    matches: ({ path }, { step, reference, ours }) =>
      step.query?.['limit'] !== undefined &&
      /^0+$/.test(step.query['resourceVersion'] ?? '') &&
      reference.status === 200 &&
      ours.status === 200 &&
      path[0] === 'body' &&
      (path[1] === 'items' || path[1] === 'metadata'),
    lasts: isNextPage,
  },
  {
    row: 'continue-after-last',
    matches: (difference, { step }) =>
      bodyPlace(difference) === 'metadata/continue' &&
      difference.ours === undefined &&
      (step.query?.['labelSelector'] !== undefined || step.query?.['fieldSelector'] !== undefined),
    lasts: isNextPage,
  },
  {
    row: 'reset-managed-fields',
    matches: (difference, { step }) =>
      ownedField(difference) !== undefined &&
      difference.reference === undefined &&
      /"managedFields":\[(?:\{\})?\]/.test(JSON.stringify(step.body ?? '')),
    lasts: (difference, exchange, met) =>
      isUnrecorded(difference, exchange) ||
      isFieldTakenAway(difference, exchange) ||
      (difference.reference === undefined &&
        isOwnership(difference, exchange) &&
        isWhereMet(difference, exchange, met)),
  },
  { row: 'replaced-parts', matches: isOfUndeclaredList },
  {
    row: 'empty-map-ownership',
    matches: (difference, exchange) => {
      const { subject, normalOurs } = exchange;
      const { reference, ours } = liveBefore(exchange);
      const maps = [reference, ours].flatMap((live) => ownedEmpty(live, subject.schema));
      if (ownedField(difference) !== undefined) {
        const isBelow = isBelowOwnedMap(difference.path, normalOurs) || isAbout(difference, exchange, maps);
        return difference.ours === undefined && isBelow;
      }
      return (
        bodyPlace(difference).endsWith(' FieldManagerConflict') &&
        Number(difference.reference) > Number(difference.ours ?? 0) &&
        isAbout(difference, exchange, maps)
      );
    },
    // The last manager may be gone here alone.
    lasts: (difference, exchange, met) =>
      isUnrecordedHere(difference, exchange) ||
      (isOwnership(difference, exchange) && isWhereMet(difference, exchange, met)),
  },
  {
    row: 'random-refusal',
    matches: (difference, { step, subject, reference, ours }) =>
      step.method === 'DELETE' &&
      step.path === subject.collection &&
      reference.status === 409 &&
      ours.status === 409 &&
      bodyPlace(difference) === 'details/name',
  },
  {
    row: 'random-refusal',
    // Those that were deleted before the refusal are chance, too.
    matches: (difference, { subject, earlier = [] }) =>
      earlier.some(
        ({ step, reference, ours }) =>
          step.method === 'DELETE' &&
          step.path === subject.collection &&
          reference.status === 409 &&
          ours.status === 409,
      ) &&
      (/^(?:items\/|metadata\/(?:continue|remainingItemCount)$)/.test(bodyPlace(difference)) ||
        (isStatus(difference) && isOnlyOneThere(difference))),
  },
  {
    row: 'object-metric-average',
    matches: (difference, { subject, step }) =>
      subject.info.resource === 'horizontalpodautoscalers' &&
      difference.ours === undefined &&
      (/^details\/causes\/spec\.metrics\[\d+\]\.object\.target\.value FieldValueInvalid$/.test(bodyPlace(difference))
        ? step.method !== 'POST' || subject.key.includes('/v2beta1/')
        : /(?:^|\/)spec\/metrics\/\d+\/object\/target\/value$/.test(bodyPlace(difference)) &&
          difference.reference === '0'),
  },
  {
    row: 'dry-run-leftovers',
    matches: (difference, { subject, step }) =>
      step.query?.['dryRun'] === 'All' &&
      (difference.ours ?? null) === null &&
      leftovers[subject.info.resource]?.test(bodyPlace(difference)) === true,
  },
  {
    row: 'last-finalizer',
    matches: (difference, { subject, step, reference }) =>
      /^(?:PUT|PATCH)$/.test(step.method) &&
      (difference.reference === undefined
        ? unfinished[subject.info.resource]?.test(bodyPlace(difference)) === true
        : isEmpty(difference.reference) && (difference.ours ?? null) === null) &&
      hasField(reference.body, ['metadata', 'deletionTimestamp']) &&
      !hasField(reference.body, ['metadata', 'finalizers']),
  },
  {
    row: 'revision-bytes',
    matches: (difference, exchange) =>
      exchange.subject.info.resource === 'controllerrevisions' &&
      bodyPlace(difference) === 'details/causes/data FieldValueInvalid' &&
      difference.ours === undefined &&
      !isInOrder(valueAt(liveBefore(exchange).ours, ['data']) ?? null),
  },
  {
    row: 'aggregated-status',
    matches: (difference, exchange) =>
      exchange.subject.info.resource === 'apiservices' &&
      (/^(?:items\/\d+\/|events\/[^/]+\/\d+\/object\/)?status\/conditions(?:\/|$)/.test(bodyPlace(difference))
        ? /"service":\{/.test(JSON.stringify(exchange.reference.body))
        : isOvertaken(difference, exchange)),
  },
  {
    row: 'random-finalizers',
    forget: (body, { subject }) => (subject.info.resource === 'namespaces' ? withSortedFinalizers(body) : body),
  },
  {
    row: 'custom-resources',
    matches: (difference, exchange) => {
      if (exchange.subject.info.resource !== 'customresourcedefinitions') return false;
      return (
        /^(?:status\/|metadata\/finalizers\b|details\/causes\/\.?status\.)/.test(bodyPlace(difference)) ||
        // A definition whose names the reference has not accepted may change them.
        (Number(difference.ours) > Number(difference.reference ?? 0) &&
          /^details\/causes\/spec\.(?:scope|names\.kind) FieldValueInvalid$/.test(bodyPlace(difference))) ||
        isOfConvertedVersion(difference, exchange) ||
        /^f:(?:status|metadata\/f:finalizers)(?:\/|$)/.test(ownedField(difference) ?? '') ||
        isHeldByServer(exchange) ||
        isOfHeldDeletion(difference, exchange) ||
        isGoneAtOnce(difference, exchange) ||
        isOvertaken(difference, exchange)
      );
    },
  },
  {
    row: 'collection-delete-options',
    matches: (difference, { step, subject }) =>
      subject.info.resource === 'pods' &&
      step.method === 'DELETE' &&
      step.path === subject.collection &&
      /^items\/\d+\/metadata\/deletionGracePeriodSeconds$/.test(bodyPlace(difference)),
    // With no time left a Pod is gone at once.
    lasts: (difference) =>
      bodyPlace(difference).startsWith('items/') || (isStatus(difference) && isOnlyOneThere(difference)),
  },
  {
    row: 'collection-delete-options',
    // Pods that were given the time of another are there, or are not, although the DELETE does not show it.
    matches: (difference, { subject, earlier = [] }) =>
      subject.info.resource === 'pods' &&
      earlier.some((before) => isDeletionOfSeveral(before)) &&
      (/^(?:items\/|metadata\/(?:continue|remainingItemCount)$)/.test(bodyPlace(difference)) ||
        (isStatus(difference) && isOnlyOneThere(difference))),
  },
];

/** What the response to the update that deletes an object lacks. */
const unfinished: Readonly<Record<string, RegExp>> = {
  jobs: /^metadata\/labels(?:\/|$)/,
  replicationcontrollers: /^metadata\/labels(?:\/|$)/,
  horizontalpodautoscalers: /^status\/currentMetrics\/\d+\//,
};

/** The field of a kind that stays in the response to a dry run that removes it. */
const leftovers: Readonly<Record<string, RegExp>> = {
  horizontalpodautoscalers: /^(?:spec\/behavior|status\/(?:conditions|currentMetrics))$/,
  ingresses: /^spec\/(?:defaultB|b)ackend$/,
};

/** Whether the keys of a value, and of all that is in it, are in order. */
function isInOrder(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null) return true;
  const keys = Object.keys(value);
  const inOrder = Array.isArray(value) || keys.every((key, index) => index === 0 || (keys[index - 1] ?? '') < key);
  return inOrder && Object.values(value).every(isInOrder);
}

/** Whether an apply of a custom object has a null in its spec, where its manager owns what is no longer there. */
function isAppliedNull({ step }: Exchange): boolean {
  const spec = valueAt(documentOf(step), ['spec']);
  const isApply = step.type?.includes('apply') === true && step.object !== undefined;
  return isApply && isJsonObject(spec ?? '') && Object.values(spec ?? {}).includes(null);
}

const deleteOptions = ['dryRun', 'gracePeriodSeconds', 'propagationPolicy', 'orphanDependents'];

/** Whether a DELETE has options in its query and in a body. */
function hasTwoSources({ query = {}, body, text }: SequenceStep): boolean {
  return (body !== undefined || text !== undefined) && deleteOptions.some((name) => query[name] !== undefined);
}

function isEmpty(value: JsonValue | undefined): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function hasField(body: JsonValue, path: JsonPath): boolean {
  return valueAt(body, path) !== undefined;
}

function writesEmpty({ text, body }: SequenceStep): boolean {
  return /: ?(?:\[\]|\{\}|"")/.test(text ?? JSON.stringify(body ?? null));
}

/** A JSON patch or an edit that may leave an empty list behind. */
function takesAway({ body, edits }: SequenceStep): boolean {
  if (edits) return edits.some(({ value }) => value === undefined || JSON.stringify(value) === '[]');
  return Array.isArray(body) && body.some((operation) => /^(?:remove|move)$/.test(textAt(operation, ['op'])));
}

/** A DELETE of a collection that had more than one object. */
function isDeletionOfSeveral({ step, subject, reference }: Exchange): boolean {
  const items = valueAt(reference.body, ['items']);
  return step.method === 'DELETE' && step.path === subject.collection && Array.isArray(items) && items.length > 1;
}

/** A normalised Namespace, or several, in which the finalizers of those that are being deleted are sorted. */
function withSortedFinalizers(body: JsonValue): JsonValue {
  if (Array.isArray(body)) return body.map(withSortedFinalizers);
  if (!isJsonObject(body)) return body;
  const finalizers = body['finalizers'];
  if (body['deletionTimestamp'] !== undefined && Array.isArray(finalizers)) {
    return { ...body, finalizers: finalizers.map(String).toSorted() };
  }
  return Object.fromEntries(Object.entries(body).map(([key, part]) => [key, withSortedFinalizers(part)]));
}

/** The reference deletes a definition when the objects of its kind are gone. */
function isHeldByServer({ step, reference }: Exchange): boolean {
  return step.method === 'DELETE' && JSON.stringify(reference.body).includes('customresourcecleanup.apiextensions');
}

/**
 * The reference has written the status in v1, so that an apply in v1beta1 is converted to v1 and back: `spec.version`
 * becomes the name of the first version.
 */
function isOfConvertedVersion(difference: Difference, { step }: Exchange): boolean {
  return (
    step.type?.includes('apply') === true &&
    difference.reference === undefined &&
    bodyPlace(difference) === 'details/causes/spec.version FieldValueInvalid'
  );
}

/** The reference marks a definition that it holds back in two steps, which leave its generation. */
function isOfHeldDeletion(difference: Difference, { earlier = [] }: Exchange): boolean {
  return (
    /(?:^|\/)metadata\/(?:generation|deletionGracePeriodSeconds)$/.test(bodyPlace(difference)) &&
    earlier.some(({ step }) => step.method === 'DELETE')
  );
}

/** What the reference holds back is gone here after a DELETE, and an apply creates another. */
function isGoneAtOnce(difference: Difference, { step, earlier = [] }: Exchange): boolean {
  if (earlier.every((before) => before.step.method !== 'DELETE')) return false;
  const isCreated = step.type?.includes('apply') === true;
  return isStatus(difference)
    ? difference.ours === 404 || (isCreated && difference.ours === 201)
    : isCreated && bodyPlace(difference).startsWith('details/causes/');
}

/** A server has written the status since the client read the object: each does so in its own time. */
function isOvertaken(difference: Difference, { step, reference, ours }: Exchange): boolean {
  return (
    (step.edits !== undefined || JSON.stringify(step).includes('{{rv}}')) &&
    isStatus(difference) &&
    [reference, ours].some(
      ({ status, body }) => status === 409 && textAt(body, ['message']).includes('the object has been modified'),
    )
  );
}

/** An apply that drops a field whose owner is known here alone: it is refused, or changes what the object is to be. */
function isFieldTakenAway(difference: Difference, { step, reference, ours }: Exchange): boolean {
  if (step.type?.includes('apply') !== true) return false;
  return isOfGeneration(difference) || (isStatus(difference) && reference.status === 200 && ours.status === 422);
}

/** Whether an event is the end of a pod that has been given no time, or comes behind one. */
function isOfImmediateDeletion(place: string, body: JsonValue | undefined): boolean {
  const [, name, index] = /^events\/([^/]+)\/(\d+)/.exec(place) ?? [];
  if (name === undefined) return false;
  const events = valueAt(body, ['events', name]);
  const before = Array.isArray(events) ? events.slice(0, Number(index) + 1) : [];
  return before.some((event) => valueAt(event, ['object', 'metadata', 'deletionGracePeriodSeconds']) === 0);
}

/** Whether our manager owns a map as such, without the entry that a difference is about. */
function isBelowOwnedMap(path: JsonPath, body: JsonValue | undefined): boolean {
  const start = path.indexOf('managedFields') + 3;
  if (start < 3) return false;
  const above = path.slice(start).map((_, index) => valueAt(body, path.slice(0, start + index)));
  return above.some((value) => isJsonObject(value) && Object.keys(value).length === 0);
}

/** One server gave a token for a next page, and the other did not. */
function isNextPage(_: Difference, { step }: Exchange): boolean {
  return step.query?.['continue']?.startsWith('{{') === true;
}

/** A read that the reference answers from its cache, in the order of a hash table. */
function isCachedRead({ method, query }: SequenceStep): boolean {
  return method === 'GET' && Boolean(query?.['resourceVersion']);
}

function withSortedItems(body: JsonValue): JsonValue {
  if (!isJsonObject(body) || !Array.isArray(body['items'])) return body;
  const nameOf = (item: JsonValue): string =>
    textAt(item, ['metadata', 'namespace']) + textAt(item, ['metadata', 'name']);
  return { ...body, items: body['items'].toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1)) };
}
