import type { Logger } from 'pino';
import { pause } from '../async/timers.ts';
import type { Identifiers } from '../identifiers/identifiers.ts';
import type { CustomResourceDefinition } from '../gen/stored/apiextensions-v1.ts';
import { deletionTimestampOf, finalizersOf, nameOf } from '../meta/object-meta.ts';
import { hasReason, systemScope } from '../registry/internal/ensure-object.ts';
import { changeObject } from '../registry/internal/reconcile-object.ts';
import type { Registries, ResourceRegistry } from '../registry/definition/registry.ts';
import type { ConversionWebhooks } from './conversion/conversion-webhook.ts';
import { customResourceOf } from './custom-resources/custom-resource.ts';
import { withApproval } from './customresourcedefinitions/approval.ts';
import { withStructure } from './customresourcedefinitions/structural-condition.ts';
import { acceptNames } from './customresourcedefinitions/accept-names.ts';
import { isCleanupFinalizer } from './customresourcedefinitions/cleanup-finalizer.ts';
import { isConditionTrue } from './customresourcedefinitions/conditions.ts';
import { deleteInstances } from './delete-instances.ts';
import { groupOf, type KnownDefinition, type KnownDefinitions } from './known-definitions.ts';

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
  readonly #known: KnownDefinitions;
  readonly #running = new Map<string, { again: boolean }>();

  constructor(dependencies: WorkDependencies, registry: ResourceRegistry, known: KnownDefinitions) {
    this.#dependencies = dependencies;
    this.#registry = registry;
    this.#known = known;
  }

  /** Does what the present state of a definition asks for, soon. */
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

  async #reconcile(definition: KnownDefinition): Promise<void> {
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

  /** All objects of a definition, served or not. Those of built-in resources are none of them. */
  #instancesOf({ outline: { crd }, source }: KnownDefinition): ResourceRegistry | undefined {
    if (this.#known.builtInGroups.has(groupOf(crd)) || !isConditionTrue(crd, 'Established')) return undefined;
    const { registries, conversionWebhooks: webhooks } = this.#dependencies;
    const custom = customResourceOf(crd, { readSchema: source.schemaOf, webhooks });
    return custom && registries.of(custom.known);
  }
}
