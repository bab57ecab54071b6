import type { Logger } from 'pino';
import { pause } from '../async/timers.ts';
import type { Identifiers } from '../identifiers/identifiers.ts';
import type { CustomResourceDefinition, CustomResourceDefinitionSpec } from '../gen/stored/apiextensions-v1.ts';
import { deletionTimestampOf, finalizersOf, nameOf } from '../meta/object-meta.ts';
import { hasReason, systemScope } from '../registry/internal/ensure-object.ts';
import { changeObject } from '../registry/internal/reconcile-object.ts';
import type { Registries, ResourceRegistry } from '../registry/definition/registry.ts';
import type { ConversionWebhooks } from './conversion/conversion-webhook.ts';
import { customResourceOf } from './custom-resources/custom-resource.ts';
import { withApproval } from './customresourcedefinitions/with-approval.ts';
import { acceptNames } from './customresourcedefinitions/accept-names.ts';
import { isCleanupFinalizer } from './customresourcedefinitions/cleanup-finalizer.ts';
import {
  isConditionTrue,
  type DefinitionCondition,
  withCondition,
  withoutCondition,
} from './customresourcedefinitions/definition-condition.ts';
import { deleteInstances } from './delete-instances.ts';
import { groupOf, type CachedDefinition, type DefinitionCache } from './definition-cache.ts';
import { type FieldError, invalid } from '../status/field-error.ts';
import { findUnsupported } from './customresourcedefinitions/custom-schema.ts';
import { checkStructure } from './customresourcedefinitions/check-structure.ts';

/** The dependencies of the work on definitions. */
interface WorkDependencies {
  readonly identifiers: Identifiers;
  readonly registries: Registries;
  readonly conversionWebhooks: ConversionWebhooks;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** The first pause before a failed write is tried again; it doubles up to the second. */
const firstRetryMs = 100;
const longestRetryMs = 5_000;

/** The writes for definitions, one after the other for each. @internal */
export class DefinitionWork {
  readonly #dependencies: WorkDependencies;
  readonly #registry: ResourceRegistry;
  readonly #known: DefinitionCache;
  readonly #running = new Map<string, { again: boolean }>();

  constructor(dependencies: WorkDependencies, registry: ResourceRegistry, known: DefinitionCache) {
    this.#dependencies = dependencies;
    this.#registry = registry;
    this.#known = known;
  }

  /** Starts the work that the present state of a definition requires. */
  add(key: string): void {
    const running = this.#running.get(key);
    if (running) running.again = true;
    else void this.#run(key);
  }

  async #run(key: string, pauseMs = firstRetryMs): Promise<void> {
    const state = { again: false };
    this.#running.set(key, state);
    const { log, signal } = this.#dependencies;
    let failed = false;
    try {
      const definition = this.#known.all.get(key);
      if (definition) await this.#reconcile(definition);
    } catch (error) {
      failed = !hasReason(error, 'NotFound');
      if (failed && !signal.aborted) log.warn({ err: error, key }, 'a CustomResourceDefinition could not be updated');
    }
    // The writes of a failed run are changes, too; they must not begin the next one at once.
    if (failed) await pause(pauseMs, signal, { ref: false });
    this.#running.delete(key);
    if (signal.aborted) return;
    if (failed) void this.#run(key, Math.min(2 * pauseMs, longestRetryMs));
    else if (state.again) void this.#run(key);
  }

  async #reconcile(definition: CachedDefinition): Promise<void> {
    const { stored: crd } = definition;
    const { identifiers, signal } = this.#dependencies;
    const scope = { ...systemScope(identifiers, this.#registry, signal), name: nameOf(crd) };
    if (deletionTimestampOf(crd) !== '') {
      if (!finalizersOf(crd).some(isCleanupFinalizer)) return;
      await deleteInstances(this.#dependencies, this.#registry, crd, this.#instancesOf(definition));
      return;
    }
    const settle = (found: CustomResourceDefinition): CustomResourceDefinition =>
      withStructure(acceptNames(withApproval(found, identifiers), this.#known.ofGroup(groupOf(crd))));
    // Only definitions that keep unknown fields can have schemas that are not structural.
    const known = crd.spec.preserveUnknownFields ? definition.source.decode() : crd;
    if (settle(known) === known) return;
    await changeObject<CustomResourceDefinition>(this.#registry, { ...scope, subresource: 'status' }, (found) => {
      if (deletionTimestampOf(found) !== '') return undefined;
      const next = settle(found);
      return next === found ? undefined : next;
    });
  }

  /**
   * All objects of a definition, served or not. Undefined if its group is built in, or if it is not
   * established.
   */
  #instancesOf({ outline: { crd }, source }: CachedDefinition): ResourceRegistry | undefined {
    if (this.#known.builtInGroups.has(groupOf(crd)) || !isConditionTrue(crd, 'Established')) return undefined;
    const { registries, conversionWebhooks: webhooks } = this.#dependencies;
    const custom = customResourceOf(crd, {
      readSchema: source.schemaOf,
      webhooks,
      emulated: this.#registry.info.emulated,
    });
    return custom && registries.of(custom.known);
  }
}

/**
 * The definition with the condition `NonStructuralSchema`, or without it if its schemas are
 * structural and unknown fields are pruned. Definitions of v1beta1 need not be so. Returns the
 * definition itself if nothing changes.
 */
function withStructure(crd: CustomResourceDefinition): CustomResourceDefinition {
  const problem = problemOf(crd.spec);
  if (!problem) return withoutCondition(crd, 'NonStructuralSchema');
  return withCondition(crd, { type: 'NonStructuralSchema', status: 'True', ...problem });
}

function problemOf({
  preserveUnknownFields,
  versions,
}: CustomResourceDefinitionSpec): Pick<DefinitionCondition, 'reason' | 'message'> | undefined {
  const errors: FieldError[] = preserveUnknownFields
    ? [invalid('spec.preserveUnknownFields', true, 'must be false')]
    : [];
  for (const [index, { name, schema }] of (versions ?? []).entries()) {
    const root = schema?.openAPIV3Schema;
    if (!root) continue;
    const unread = findUnsupported(root);
    if (unread !== undefined) {
      const why = `OpenAPIV3Schema '${unread}' is not supported`;
      const message = `failed to check validation schema for version ${name}: ${why}`;
      return { reason: 'StructuralError', message };
    }
    errors.push(...checkStructure(`spec.versions[${index}].schema.openAPIV3Schema`, root));
  }
  const texts = [...new Set(errors.map(({ field, message }) => `${field}: ${message}`))];
  if (texts.length === 0) return undefined;
  return { reason: 'Violations', message: texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]` };
}
