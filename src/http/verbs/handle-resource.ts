import type { Column } from '../../codec/table.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import type { RequestScope, ResourceRegistry, WriteOptions } from '../../registry/registry.ts';
import type { Catalogue } from '../../scheme/catalogue.ts';
import type { Verb } from '../../scheme/resource-info.ts';
import { methodNotAllowed, notServed } from '../../status/status-error.ts';
import type { Exchange } from '../request/exchange.ts';
import { checkTarget } from '../request/path-segment-name.ts';
import { sendNoSuchPage } from '../respond/no-such-page.ts';
import { createVerb } from './create.ts';
import { createVirtual } from './create-virtual.ts';
import { deleteVerb } from './delete.ts';
import { deleteCollection } from './delete-collection.ts';
import { get } from './get.ts';
import { list } from './list.ts';
import { patch } from './patch.ts';
import type { VerbHandler } from '../request/resource-call.ts';
import { servedVerbs } from './served-verbs.ts';
import { update } from './update.ts';
import type { WatchServer } from './watch.ts';

/** Answers a create of a virtual resource: a question comes in and the same object with its answer goes out, or a Status. */
export type VirtualCreate = (scope: RequestScope, object: JsonObject, options: WriteOptions) => Promise<JsonObject>;

/** What the resource routes need. */
export interface ResourceDependencies {
  readonly identifiers: Identifiers;
  readonly catalogue: Catalogue;
  readonly registries: { forResource(group: string, resource: string): ResourceRegistry | undefined };
  /** By `group/resource`, the core group being ''. */
  readonly virtual: ReadonlyMap<string, VirtualCreate>;
  readonly bodyLimitBytes: number;
  /** Columns of a resource's Tables, where it has its own. */
  readonly columnsOf: (group: string, resource: string) => readonly Column[] | undefined;
  readonly watches: WatchServer;
}

/** Answers requests under `/api/{version}/` and `/apis/{group}/{version}/`. Throws `StatusError`. */
export function handleResource(dependencies: ResourceDependencies): (exchange: Exchange) => Promise<void> {
  const { identifiers, catalogue, registries, virtual, bodyLimitBytes, columnsOf, watches } = dependencies;
  const handlers: Readonly<Record<Verb, VerbHandler>> = {
    create: createVerb,
    delete: deleteVerb,
    deletecollection: deleteCollection,
    get,
    list,
    patch,
    update,
    watch: watches.watch,
  };
  const groups = new Set(catalogue.groups().map(({ group }) => group));
  return async (exchange) => {
    const { target } = exchange.path;
    if (!target || !groups.has(target.group)) return sendNoSuchPage(exchange);
    const served = catalogue.find(target.group, target.version, target.resource);
    if (!served) throw notServed();
    const { verbs, subresource } = servedVerbs(served, target);
    if (verbs.length === 0) throw notServed();
    const verb = verbs.find((candidate) => candidate === exchange.verb);
    if (!verb || (target.prefix === 'watch' && exchange.request.method !== 'GET')) throw methodNotAllowed();
    checkTarget(target);
    const scope = scopeOf(identifiers, exchange, served.info.namespaced);
    const answerVirtual = virtual.get(`${target.group}/${target.resource}`);
    const columns = columnsOf(target.group, target.resource);
    const call = { exchange, catalogue, served, subresource, scope, bodyLimitBytes, columns };
    if (answerVirtual) return createVirtual({ ...call, answerVirtual });
    const registry = registries.forResource(target.group, target.resource);
    if (!registry) throw notServed();
    return handlers[verb]({ ...call, registry });
  };
}

function scopeOf(identifiers: Identifiers, exchange: Exchange, namespaced: boolean): RequestScope {
  const { path, user, warnings } = exchange;
  return {
    identifiers,
    user,
    namespace: namespaced ? (path.target?.namespace ?? '') : '',
    version: path.target?.version ?? '',
    name: path.target?.name ?? '',
    subresource: path.target?.subresource ?? '',
    cancellation: exchange,
    warn: (text) => warnings.add(text),
  };
}
