import type { MaybePromise } from '../../async/maybe-promise.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import type { Labels } from '../../meta/label-requirement.ts';
import type { ListerOf } from '../../meta/lister.ts';
import { memoize } from '../../meta/memoize.ts';
import { notFound, StatusError } from '../../status/status-error.ts';
import type { AdmissionAttributes } from '../admission.ts';
import type { SelectLabels } from '../matching/read-selector.ts';
import {
  isNamespace,
  isNamespaceWrite,
  labelsIn,
  namespaceOfRequest,
  noLabels,
} from '../matching/namespace-of-request.ts';
import type { ConfiguredWebhook } from './configured-webhook.ts';
import type { Candidate } from './webhook-source.ts';

/**
 * The webhooks that the selectors of a request leave, at least one. The labels of its object may
 * change from call to call.
 */
export interface WebhookSelection {
  readonly candidates: readonly Candidate[];
  /** Decides by the labels of the objects at this moment. Throws as `SelectWebhooks`. */
  readonly isSelected: (candidate: Candidate) => boolean;
}

/**
 * Selects among the webhooks whose rules match; undefined if there is none. Throws `StatusError` if
 * the namespace does not exist or a selector is unreadable.
 */
export type SelectWebhooks = (
  candidates: readonly Candidate[],
  attributes: AdmissionAttributes,
) => MaybePromise<WebhookSelection | undefined>;

/** A namespace in a state; the same value until it changes. */
interface NamespaceLabels {
  readonly labels: Labels;
}

/** The webhooks that the selectors of a namespace leave. */
interface InNamespace {
  readonly candidates: readonly Candidate[];
  /**
   * The different object selectors of the webhooks; undefined if one of them selects all objects.
   */
  readonly objectSelectors: readonly SelectLabels[] | undefined;
}

/** Selects by a lister of namespaces; their selectors are evaluated once for each state of one. */
export function webhookSelector(listerOf: ListerOf): SelectWebhooks {
  const namespaces = listerOf({ group: '', resource: 'namespaces', read: readNamespace, warm: true });
  const withoutNamespace = memoize(inNamespace);
  const byNamespace = memoize((candidates: readonly Candidate[]) =>
    memoize(({ labels }: NamespaceLabels) => inNamespace(candidates.filter((one) => selectsNamespace(one, labels)))),
  );
  const found = (candidates: readonly Candidate[], attributes: AdmissionAttributes): MaybePromise<InNamespace> => {
    if (!dependsOnNamespace(candidates, attributes)) return withoutNamespace(candidates);
    if (isNamespaceWrite(attributes)) {
      const labels = labelsIn(attributes.object) ?? noLabels;
      return inNamespace(candidates.filter((one) => selectsNamespace(one, labels)));
    }
    const name = namespaceOfRequest(attributes);
    const known = namespaces.peek('', name) ?? namespaces.get('', name, attributes.signal);
    const selectIn = (item: NamespaceLabels | undefined): InNamespace => {
      if (item) return byNamespace(candidates)(item);
      throw notFound({ group: '', resource: 'namespaces' }, name);
    };
    return known instanceof Promise ? known.then(selectIn) : selectIn(known);
  };
  return (candidates, attributes) => {
    const left = found(candidates, attributes);
    if (left instanceof Promise) return left.then((one) => selectionOf(one, attributes));
    return selectionOf(left, attributes);
  };
}

function readNamespace(object: JsonObject): NamespaceLabels {
  return { labels: labelsIn(object) ?? noLabels };
}

/** Selectors of namespaces do not exempt other objects without namespace. */
function dependsOnNamespace(candidates: readonly Candidate[], attributes: AdmissionAttributes): boolean {
  return (attributes.namespace !== '' || isNamespace(attributes)) && candidates.some(hasNamespaceSelector);
}

function hasNamespaceSelector({ webhook }: Candidate): boolean {
  return webhook.namespaceSelector !== undefined;
}

function inNamespace(candidates: readonly Candidate[]): InNamespace {
  const selectors = new Set<SelectLabels>();
  for (const { webhook } of candidates) {
    if (!webhook.objectSelector) return { candidates, objectSelectors: undefined };
    selectors.add(webhook.objectSelector);
  }
  return { candidates, objectSelectors: [...selectors] };
}

function selectsNamespace({ webhook }: Candidate, labels: Labels): boolean {
  return webhook.namespaceSelector === undefined || select(webhook, webhook.namespaceSelector, labels);
}

function selectionOf(
  { candidates, objectSelectors }: InNamespace,
  attributes: AdmissionAttributes,
): WebhookSelection | undefined {
  const selects = (selector: SelectLabels): boolean =>
    selectsObject(selector, attributes.object) || selectsObject(selector, attributes.oldObject);
  const [first] = candidates;
  if (!first || (objectSelectors && !readable(first.webhook, () => objectSelectors.some(selects)))) return undefined;
  return {
    candidates,
    isSelected: ({ webhook }) => {
      const { objectSelector } = webhook;
      return objectSelector === undefined || readable(webhook, () => selects(objectSelector));
    },
  };
}

/** False if there is no object, or if it cannot have labels. */
function selectsObject(selector: SelectLabels, object: JsonObject | undefined): boolean {
  const labels = labelsIn(object);
  return labels !== undefined && selector(labels);
}

function select(webhook: ConfiguredWebhook, selector: SelectLabels, labels: Labels): boolean {
  return readable(webhook, () => selector(labels));
}

function readable(webhook: ConfiguredWebhook, decide: () => boolean): boolean {
  try {
    return decide();
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    const why = `admission webhook ${JSON.stringify(webhook.name)}: ${cause.message}`;
    throw new StatusError('InternalError', `Internal error occurred: ${why}`, { cause });
  }
}
