import { setTimeout as sleep } from 'node:timers/promises';
import { ApiClient } from './api-client.ts';
import { checkHistory } from './check-history.ts';
import { membersAgree, rawLogIsWhole } from './checks/raw-log.ts';
import { emptyHistory, type Finding, type History, type WatchRecord } from './history.ts';
import { startRaces } from './races/start-races.ts';
import { randomFrom } from './random.ts';
import type { FaultContext, Scenario } from './scenario.ts';
import { searchHistory } from './search-history.ts';
import { trafficKeys } from './traffic-client.ts';
import { startTraffic } from './traffic-crew.ts';
import { becomesTrue } from './until.ts';
import { cacheCheckMs, openWorld, type World } from './world.ts';

/** What came of a scenario. */
export interface Outcome {
  readonly findings: readonly Finding[];
  /** Whose fault the findings are: `etcd` where the raw stream itself is wrong. */
  readonly label: 'ours' | 'etcd';
  /** Why the run proves nothing; undefined where it does. */
  readonly void: string | undefined;
  readonly operations: number;
  readonly unknown: number;
  readonly events: number;
  readonly watches: number;
  /** Keys for which the search for an order was given up. */
  readonly undecided: number;
  /** Requests a second before the fault. */
  readonly rate: number;
}

/** How a scenario is run. */
export interface RunOptions {
  readonly seed: number;
  /** See `FaultContext`. */
  readonly scale: number;
  /** The fault waits for this share of the requests that a scenario wants before it; without them the run is void. */
  readonly minimumShare: number;
  /** Part of the usual requests a second, where a scenario does not want a rate of its own; all by default. */
  readonly rateShare?: number;
}

const defaultRate = 150;
/** How long the traffic runs before the fault and after it, at full scale. */
const quietMs = 3_000;

/** Runs a fault under traffic, waits until all is well again, and checks every promise. */
export async function runScenario(scenario: Scenario, options: RunOptions): Promise<Outcome> {
  await using world = await openWorld(scenario.given);
  const history = emptyHistory(scenario.errorsExpected);
  const findings: Finding[] = [];
  const random = randomFrom(options.seed);
  const clients: ApiClient[] = world.servers.map((server) => new ApiClient(server));
  try {
    const [client] = clients;
    if (!client) throw new RangeError('a world has a server');
    await createNamespace(client, 'other');
    const wantedRate = scenario.rate ?? defaultRate * (options.rateShare ?? 1);
    const crew = startTraffic({ servers: clients, history, random, rate: wantedRate });
    const races = scenario.races === true ? startRaces(clients, random.fork('races')) : undefined;
    const { knowledge } = crew;
    const quiet = Math.max(1_200, quietMs * options.scale);
    const needed = (wantedRate * options.minimumShare * quiet) / 1_000;
    const startMs = performance.now();
    await sleep(quiet);
    // A busy machine takes its time until the first requests; fewer of them would prove nothing.
    const isEnough = await becomesTrue(() => history.operations.length >= needed);
    const rate = (history.operations.length / (performance.now() - startMs)) * 1_000;
    await scenario.fault(contextOf(world, { history, knowledge, client, random, options, findings }));
    await sleep(quiet);
    await Promise.all([crew.stopRequests(), races?.stop()]);
    const settled = await settle(world, clients, history, scenario.changesThePast ?? false);
    findings.push(...settled, ...((await races?.verify()) ?? []));
    await crew.stopWatches();
    const { changesThePast = false, met = () => true } = scenario;
    if (!met(history)) findings.push({ promise: 'void', message: 'the run did not meet what it is about' });
    return outcomeOf(world, history, findings, {
      rate,
      isEnough,
      changesThePast,
    });
  } finally {
    await Promise.all(clients.map((client) => client.close()));
  }
}

function contextOf(
  world: World,
  more: Pick<FaultContext, 'history' | 'knowledge' | 'client' | 'random'> & {
    readonly options: RunOptions;
    readonly findings: Finding[];
  },
): FaultContext {
  const { options, findings, ...rest } = more;
  return {
    ...world,
    ...rest,
    random: more.random.fork('fault'),
    scale: options.scale,
    report: (finding) => void findings.push(finding),
    refereed: async (revision) => {
      await becomesTrue(() => world.referees.every((referee) => referee.revision() >= revision));
    },
  };
}

/** Waits until the servers are ready and every open watch has told the last write; tells what did not happen. */
async function settle(
  world: World,
  clients: readonly ApiClient[],
  history: History,
  changesThePast: boolean,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const client of clients) {
    const ready = await becomesTrue(
      async () => (await client.send('GET', '/readyz').catch(() => undefined))?.status === 200,
    );
    if (!ready) findings.push({ promise: 'P28', message: `${client.address.url} is not ready again` });
  }
  const revision = await lastWrite(clients);
  if (revision === 0) findings.push({ promise: 'P28', message: 'writes do not succeed again' });
  if (!changesThePast) findings.push(...(await toldToTheEnd(world, history, revision)));
  // One more comparison of each cache with etcd.
  await sleep(cacheCheckMs * 2);
  for (const [i, client] of clients.entries()) {
    const status = (await client.send('GET', '/readyz').catch(() => undefined))?.status ?? 0;
    const output = world.servers[i]?.output() ?? '';
    const differs = /differs from the store/.test(output);
    if (status !== 200 || differs)
      findings.push({ promise: 'P25', message: `${client.address.url}: ${lastLines(output)}` });
    if (world.servers[i]?.crashed()) {
      findings.push({ promise: 'P30', message: `${client.address.url} crashed: ${lastLines(output)}` });
    }
  }
  return findings;
}

async function toldToTheEnd(world: World, history: History, revision: number): Promise<Finding[]> {
  const refereed = await becomesTrue(() => world.referees.every((referee) => referee.revision() >= revision));
  await becomesTrue(() => openReflections(history).every((watch) => hasTold(watch, world, revision)));
  for (const watch of openReflections(history)) watch.mustReach = revision;
  return refereed ? [] : [{ promise: 'void', message: 'a referee did not follow to the end' }];
}

/** Writes every key once more; the revision of the last write, or 0. */
async function lastWrite(clients: readonly ApiClient[]): Promise<number> {
  const [client] = clients;
  let last = 0;
  for (const key of trafficKeys) {
    const [namespace, name] = key.split('/');
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    const object = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, labels: { color: 'red' } },
      data: { mark: 'last' },
    };
    const response = await client?.send('POST', path, object).catch(() => undefined);
    const patch = { data: { mark: 'last' }, metadata: { labels: { color: 'red' } } };
    const written =
      response?.status === 409
        ? await client?.send('PATCH', `${path}/${name}`, patch, 'application/merge-patch+json').catch(() => undefined)
        : response;
    const body = written?.body as { metadata?: { resourceVersion?: string } } | undefined;
    last = Math.max(last, Number(body?.metadata?.resourceVersion ?? 0));
  }
  return last;
}

function openReflections({ reflections }: History): WatchRecord[] {
  const newest = new Map(reflections.map((reflection) => [reflection.list.client, reflection]));
  return [...newest.values()].flatMap(({ watches }) => watches.at(-1) ?? []);
}

function hasTold({ scope, documents, start }: WatchRecord, { referees }: World, revision: number): boolean {
  const from = start.kind === 'after' ? start.revision : 0;
  const due = referees[0]?.log().events(scope, from, revision).at(-1)?.revision ?? 0;
  return due === 0 || (documents.at(-1)?.revision ?? 0) >= due;
}

function outcomeOf(
  world: World,
  history: History,
  found: readonly Finding[],
  how: { readonly rate: number; readonly isEnough: boolean; readonly changesThePast: boolean },
): Outcome {
  const log = world.referees[0]?.log();
  if (!log) throw new RangeError('a world has a referee');
  const { rate, isEnough, changesThePast } = how;
  const raws = changesThePast ? [] : world.referees.map((referee) => referee.raw());
  const etcds = [...raws.flatMap(rawLogIsWhole), ...membersAgree(raws)];
  const failed = !changesThePast && world.referees.some((referee) => referee.failure() !== undefined);
  const seen = changesThePast ? [] : checkHistory(history, log);
  const search = changesThePast ? { findings: [], undecided: 0 } : searchHistory(history);
  const findings = [...etcds, ...found, ...seen, ...search.findings].filter(({ promise }) => promise !== 'void');
  const unfit = failed ? 'a referee lost the history' : found.find(({ promise }) => promise === 'void')?.message;
  const slow = isEnough ? undefined : `only ${Math.round(rate)} requests a second`;
  return {
    findings,
    label: etcds.length > 0 ? 'etcd' : 'ours',
    void: unfit ?? slow,
    operations: history.operations.length,
    unknown: history.operations.filter(({ outcome }) => outcome === 'unknown').length,
    events: history.watches.reduce((sum, { documents }) => sum + documents.length, 0),
    watches: history.watches.length,
    undecided: search.undecided,
    rate,
  };
}

/** Makes the second namespace of the traffic. */
export async function createNamespace(client: ApiClient, name: string): Promise<void> {
  await becomesTrue(async () => {
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    return (await client.send('POST', '/api/v1/namespaces', body).catch(() => undefined))?.status === 201;
  });
}

function lastLines(text: string): string {
  return text.trim().split('\n').slice(-3).join(' | ').slice(-1_000);
}
