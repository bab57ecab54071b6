import { mutate, validate as admit } from '../admission/admission.ts';
import { copyJsonObject, type JsonObject } from '../meta/json-value.ts';
import { annotationsOf, nameOf, setAnnotations } from '../meta/object-meta.ts';
import { makeObjectAt } from '../meta/read-field.ts';
import type { StrategyContext } from '../registry/definition/strategy.ts';
import { unstoredAttributes } from '../registry/write/admit-unstored.ts';
import { prepareSentMetadata } from '../registry/write/prepare-sent-metadata.ts';
import type { RequestScope } from '../registry/definition/registry.ts';
import type { VirtualCreate } from '../registry/definition/virtual-create.ts';
import { FieldDecodeError } from '../scheme/model/field-decode-error.ts';
import { decodeObject } from '../scheme/decode-object.ts';
import { absentCreation, fieldsRelease } from '../scheme/emulated-release.ts';
import type { ObjectSchema } from '../scheme/model/schema.ts';
import { schemaOf } from '../scheme/schema-of.ts';
import type { FieldError } from '../status/field-error.ts';
import { badRequest, invalidObject } from '../status/status-error.ts';

/** The context of a review's request. */
type VirtualScope = StrategyContext & Pick<RequestScope, 'annotate' | 'cancellation'>;

/** A kind of review. T is its generated type in the version of the request. */
interface Question<T> {
  /** The group in its short form. */
  readonly group: string;
  readonly kind: string;
  /** Returns all errors of the review. */
  readonly validate: (object: T, scope: VirtualScope) => readonly FieldError[];
  /** Returns the `status` of the review. */
  readonly answer: (object: T, scope: VirtualScope) => Promise<JsonObject>;
  /**
   * Explains the status, in an annotation of the response if the client asks for it. Undefined: the
   * requesting user may not see it.
   */
  readonly explain?: (object: T, scope: VirtualScope) => Promise<string | undefined>;
  /** False: the response has only `status`. Default: it has all that was sent, too. */
  readonly keepsSpec?: boolean;
}

/**
 * Creates a handler. It decodes the review in the version of the request, validates it, and returns
 * it with `status`.
 */
export function virtualCreate<T = JsonObject>(question: Question<T>): VirtualCreate {
  // Decoding guarantees the type.
  const untyped = question as unknown as Question<JsonObject>;
  const { group, kind, validate, answer, explain, keepsSpec = true } = untyped;
  return async (scope, body, options) => {
    const message = `api.${group.replaceAll('.', '_')}.${scope.version}.${kind}`;
    const schema = schemaOf(message, fieldsRelease(scope.emulated));
    const object = decoded(schema, body);
    prepareSentMetadata(scope, object, scope.namespace !== '');
    const { version, identifiers } = scope;
    const fullGroup = `${group}.${identifiers.apiDomain}`;
    const attributes = unstoredAttributes({
      scope,
      operation: 'CREATE',
      resource: { group: fullGroup, version, resource: options.resource },
      kind: { group: fullGroup, version, kind },
      schema,
      object,
      name: nameOf(object),
      options,
    });
    await mutate(options.admission, attributes);
    scope.recordObject?.(object, () => copyJsonObject(object));
    const errors = validate(object, scope);
    // kube-apiserver omits the kind, too.
    if (errors.length > 0) throw invalidObject({ group: fullGroup, resource: '' }, '', errors);
    await admit(options.admission, attributes);
    const status = await answer(object, scope);
    if (options.explain && explain) annotate(object, scope, await explain(object, scope));
    return keepsSpec
      ? { ...object, status }
      : { ...object, metadata: absentCreation(scope.emulated), spec: {}, status };
  };
}

/** Adds an explanation to the metadata. Mutates. */
function annotate(object: JsonObject, scope: VirtualScope, explanation: string | undefined): void {
  if (explanation === undefined) {
    scope.warn('explain=true: explanations need the right to list roles and bindings of the whole cluster');
    return;
  }
  makeObjectAt(object, 'metadata');
  const name = `authorization.${scope.identifiers.labelDomain}/explanation`;
  setAnnotations(object, { ...annotationsOf(object), [name]: explanation });
}

function decoded(schema: ObjectSchema, body: JsonObject): JsonObject {
  try {
    return decodeObject(schema, body).value;
  } catch (error) {
    if (error instanceof FieldDecodeError) throw badRequest(error.message);
    throw error;
  }
}
