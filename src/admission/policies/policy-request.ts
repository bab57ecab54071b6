import { andThen, type MaybePromise } from '../../async/maybe-promise.ts';
import type { CelValue } from '../../cel/values/cel-value.ts';
import { fromJsonWithInts } from '../../cel/values/from-json.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import type { Labels } from '../../meta/label-requirement.ts';
import type { Lister, ListerOf } from '../../meta/lister.ts';
import { memoize } from '../../meta/memoize.ts';
import { notFound, StatusError } from '../../status/status-error.ts';
import type { AdmissionAttributes, AdmittedVersion } from '../admission.ts';
import type { AuthorizerInputs, ExpressionInputs } from '../expressions/activation.ts';
import { authorizerInputs, type DecideCheck, namespaceValue, requestValue } from '../expressions/request-inputs.ts';
import {
  isNamespace,
  isNamespaceWrite,
  labelsIn,
  namespaceOfRequest,
  noLabels,
} from '../matching/namespace-of-request.ts';
import { ConfigurationError } from './configuration-error.ts';
import type { MatchCriteria } from './match-criteria.ts';

/** A namespace, with its labels. */
interface NamespaceState {
  readonly object: JsonObject;
  readonly labels: Labels;
}

/** The lister of namespaces. */
type Namespaces = Lister<NamespaceState>;

/** Makes the lister of the namespaces of requests. */
export function namespacesOf(listerOf: ListerOf): Namespaces {
  return listerOf({ group: '', resource: 'namespaces', read: readNamespace, warm: true });
}

function readNamespace(object: JsonObject): NamespaceState {
  return { object, labels: labelsIn(object) ?? noLabels };
}

/** The inputs of a policy's expressions, without its parameters. */
type RequestInputs = Required<Omit<ExpressionInputs, 'params'>>;

/** Adds the parameters of a policy. Not by a spread, which takes as long as an expression. */
export function withParams(inputs: RequestInputs, params: CelValue): ExpressionInputs {
  const { object, oldObject, request, authorizers, namespaceObject } = inputs;
  return { object, oldObject, request, authorizers, namespaceObject, params };
}

/** Makes a policy request; waits for the namespace of the request. */
export function policyRequest(
  attributes: AdmissionAttributes,
  namespaces: Namespaces,
  decide: DecideCheck,
): MaybePromise<PolicyRequest> {
  const name = namespaceOfRequest(attributes);
  if (name === '' || isNamespaceWrite(attributes)) return new PolicyRequest(attributes, undefined, decide);
  const known = namespaces.peek('', name) ?? namespaces.get('', name, attributes.signal);
  return andThen(known, (namespace) => new PolicyRequest(attributes, namespace, decide));
}

/** The objects of a request in one version, as values of expressions. */
interface ShownObjects {
  readonly object: CelValue;
  readonly oldObject: CelValue;
  readonly request: CelValue;
}

/** A request that policies are matched with, and the values that their expressions share. */
export class PolicyRequest {
  readonly attributes: AdmissionAttributes;
  readonly #namespace: NamespaceState | undefined;
  readonly #decide: DecideCheck;
  readonly #shown = memoize((version: AdmittedVersion) => this.#show(version));
  #authorizer: AuthorizerInputs | undefined;
  readonly #authorizers = (): AuthorizerInputs =>
    (this.#authorizer ??= authorizerInputs(this.attributes, this.#decide));

  constructor(attributes: AdmissionAttributes, namespace: NamespaceState | undefined, decide: DecideCheck) {
    this.attributes = attributes;
    this.#namespace = namespace;
    this.#decide = decide;
  }

  /** The namespace of the request. A Namespace is in itself. */
  get namespace(): string {
    return namespaceOfRequest(this.attributes);
  }

  /** Reports whether the selectors of a policy or binding match. Throws `ConfigurationError`. */
  isSelectedBy({ namespaceSelector, objectSelector }: MatchCriteria): boolean {
    if (!namespaceSelector && !objectSelector) return true;
    const { object, oldObject } = this.attributes;
    try {
      if (namespaceSelector && !this.#isNamespaceSelected(namespaceSelector)) return false;
      if (!objectSelector) return true;
      return [object, oldObject].some((one) => {
        const labels = labelsIn(one);
        return labels !== undefined && objectSelector(labels);
      });
    } catch (error) {
      if (error instanceof RangeError) throw new ConfigurationError(error.message, { cause: error });
      throw error;
    }
  }

  /** Matches the namespace selector. Cluster-scoped objects other than Namespaces always match. */
  #isNamespaceSelected(selects: (labels: Labels) => boolean): boolean {
    const { attributes } = this;
    if (isNamespaceWrite(attributes)) return selects(labelsIn(attributes.object) ?? noLabels);
    if (this.namespace === '') return true;
    if (!this.#namespace) throw new ConfigurationError(this.#missingNamespace().message);
    return selects(this.#namespace.labels);
  }

  #missingNamespace(): StatusError {
    return notFound({ group: '', resource: 'namespaces' }, this.namespace);
  }

  /**
   * The inputs of expressions in a version. Throws `StatusError` if the namespace does not exist.
   */
  inputs(version: AdmittedVersion): MaybePromise<RequestInputs> {
    return andThen(this.#shown(version), (shown) => this.inputsOf(shown));
  }

  /**
   * The inputs of expressions for given objects. Throws `StatusError` if the namespace does not
   * exist.
   */
  inputsOf(shown: ShownObjects): RequestInputs {
    const { object, oldObject, request } = shown;
    return { object, oldObject, request, authorizers: this.#authorizers, namespaceObject: this.#namespaceObject() };
  }

  #namespaceObject(): CelValue {
    if (this.attributes.namespace === '' || isNamespace(this.attributes)) return null;
    if (!this.#namespace) throw this.#missingNamespace();
    return namespaceObjectOf(this.#namespace.object);
  }

  #show(version: AdmittedVersion): MaybePromise<ShownObjects> {
    const { object, oldObject } = this.attributes;
    const shown = andThen(shownIn(version, object), (now) =>
      andThen(shownIn(version, oldObject), (old) => ({
        object: now,
        oldObject: old,
        request: requestValue(this.attributes, version),
      })),
    );
    return shown instanceof Promise ? shown.catch(refuseConversion) : shown;
  }
}

function refuseConversion(error: unknown): never {
  if (!(error instanceof StatusError)) throw error;
  throw new ConfigurationError(`failed to convert object version: ${error.message}`, { cause: error });
}

const namespaceObjectOf = memoize((namespace: JsonObject) => {
  const value = namespaceValue(namespace);
  return value as CelValue & object;
});

/** The value of an object of the request in a version; null without an object. */
function shownIn(version: AdmittedVersion, object: JsonObject | undefined): MaybePromise<CelValue> {
  return object ? andThen(version.show(object), fromJsonWithInts) : null;
}
