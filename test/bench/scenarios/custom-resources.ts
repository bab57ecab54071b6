import type { JsonObject } from '../../../src/meta/json-value.ts';
import { configMap, configMapsPath, ensureNamespace } from '../collection.ts';
import { type CustomKindShape, customDefinition, customObject, customObjectsPath } from '../custom-kind.ts';
import type { Figures } from '../figures.ts';
import { type Lab, type Subject, withClients } from '../lab.ts';
import type { HttpClient, LoadRequest } from '../load/http-client.ts';
import { eachOf, press } from '../load/press.ts';
import { connectWatchers, totals } from '../load/watcher.ts';
import { cpuSeconds } from '../process-usage.ts';
import { type Bench, responseOf, compare, type Scenario } from './scenario.ts';

const shape: CustomKindShape = { group: 'bench.example.com', plural: 'gadgets', versions: 2, schemaBytes: 20_000 };
const namespace = 'bench-custom';

/** The same with rules as operators write them: presence, sizes, choices and patterns. */
const ruledShape: CustomKindShape = {
  ...shape,
  plural: 'rules',
  rules: [
    'self.text.size() <= 100000',
    '!has(self.part0) || self.part0.replicas >= 1',
    "!has(self.part0) || self.part0.policy in ['Always', 'OnFailure']",
    '!has(self.part1) || has(self.part0)',
    "!self.text.startsWith('-')",
    "self.text.matches('^[a-z0-9 ]*$')",
    "!has(self.part0) || self.part0.policy != 'Always' || self.part0.replicas <= 100",
    '[has(self.part0), has(self.part1), has(self.part2)].exists(x, x)',
  ],
};

/** Objects that are changed again and again, each by one client at a time. */
const changed = 256;

/** A kind of objects: where they stand, and how one looks. */
interface Kind {
  readonly path: (namespace: string) => string;
  readonly object: (name: string, text?: string) => string;
  readonly statusOf: (turn: number) => JsonObject;
}

const kindOf = (of: CustomKindShape): Kind => ({
  path: (within) => customObjectsPath(of, within),
  object: (name, text) => customObject(of, name, text),
  statusOf: (turn) => ({ status: { ready: turn } }),
});

const custom = kindOf(shape);

const builtIn: Kind = {
  path: configMapsPath,
  object: (name, text) => configMap(name, {}, text),
  // A ConfigMap has no status: a patch of the same length.
  statusOf: (turn) => ({ data: { ready: String(turn) } }),
};

/** One kind of request, and how often that of a ConfigMap it may cost. */
interface Comparison {
  readonly name: string;
  readonly bar: number;
  readonly clients: number;
  /** How many objects exist before; `all` is as many as the bench lists of ConfigMaps. */
  readonly objects: number | 'all';
  readonly request: (kind: Kind, place: string, turn: number) => LoadRequest;
}

const applyType = 'application/apply-patch+yaml';
const mergeType = 'application/merge-patch+json';
const nameOf = (turn: number): string => `object-${turn % changed}`;

const comparisons: readonly Comparison[] = [
  {
    name: 'get-rv0',
    bar: 1.1,
    clients: 8,
    objects: 1,
    request: (_kind, place) => ({ path: `${place}/object-0?resourceVersion=0` }),
  },
  { name: 'list', bar: 2, clients: 2, objects: 'all', request: (_kind, place) => ({ path: place }) },
  {
    name: 'create',
    bar: 2,
    clients: 32,
    objects: 0,
    request: (kind, place, turn) => ({ method: 'POST', path: place, body: kind.object(`new-${Date.now()}-${turn}`) }),
  },
  {
    name: 'update',
    bar: 2,
    clients: 32,
    objects: changed,
    // What exists needs its resourceVersion in an update of a custom object, so that patches stand for updates.
    request: (kind, place, turn) => ({
      method: 'PATCH',
      type: mergeType,
      path: `${place}/${nameOf(turn)}`,
      body: kind.object(nameOf(turn), `${turn} `),
    }),
  },
  {
    name: 'status-patch',
    bar: 2,
    clients: 32,
    objects: changed,
    request: (kind, place, turn) => ({
      method: 'PATCH',
      type: mergeType,
      path: `${place}/${nameOf(turn)}${kind === custom ? '/status' : ''}`,
      body: JSON.stringify(kind.statusOf(turn)),
    }),
  },
  {
    name: 'apply',
    bar: 2,
    clients: 32,
    objects: changed,
    request: (kind, place, turn) => ({
      method: 'PATCH',
      type: applyType,
      path: `${place}/${nameOf(turn)}?fieldManager=bench&force=true`,
      body: kind.object(nameOf(turn), `${turn} `),
    }),
  },
];

/** Objects of a custom kind with a schema of 20 KB beside ConfigMaps of the same size, on the same server. */
export const customResources: readonly Scenario[] = [
  ...comparisons.map(scenarioOf),
  { name: 'custom-rules', run: createWithRules },
  { name: 'custom-watch', run: watch },
];

function scenarioOf(comparison: Comparison): Scenario {
  return {
    name: `custom-${comparison.name}`,
    async run({ lab, report }) {
      await define(lab);
      const measure = (kind: Kind) => () => measured(lab, comparison, kind);
      const measures = { ours: measure(custom), bare: measure(builtIn) };
      await compare(1, 'cpuMicros', measures);
      const figures = await compare(lab.settings.rounds, 'cpuMicros', measures);
      const { name, bar, clients } = comparison;
      report({ scenario: `custom-${name}, ${clients} clients`, figures, compared: 'cpuMicros', bar, note });
    },
  };
}

const note = "'bare' is the same of a ConfigMap";

/** Creates of a kind with rules beside those of the same kind without. */
async function createWithRules({ lab, report }: Bench): Promise<void> {
  const comparison = comparisons.find(({ name }) => name === 'create');
  if (!comparison) throw new TypeError('creates are compared');
  await define(lab);
  await define(lab, ruledShape);
  const measure = (kind: Kind) => () => measured(lab, comparison, kind);
  const measures = { ours: measure(kindOf(ruledShape)), bare: measure(custom) };
  await compare(1, 'cpuMicros', measures);
  const figures = await compare(lab.settings.rounds, 'cpuMicros', measures);
  const count = ruledShape.rules?.length ?? 0;
  const scenario = `custom-rules, ${comparison.clients} clients`;
  report({ scenario, figures, compared: 'cpuMicros', bar: 1.2, note: `${count} rules; 'bare' has none` });
}

const watchers = 200;

/** Events of one object for many watchers; the updates that cause them are in the figures of both. */
async function watch({ lab, report }: Bench): Promise<void> {
  await define(lab);
  const measure = (kind: Kind) => () => delivered(lab, kind);
  const figures = await compare(lab.settings.rounds, 'cpuMicros', { ours: measure(custom), bare: measure(builtIn) });
  report({ scenario: `custom-watch, ${watchers} watchers`, figures, compared: 'cpuMicros', bar: 1.2, note });
}

async function delivered({ ours, settings }: Lab, kind: Kind): Promise<Figures> {
  const within = `${namespace}-watch`;
  const place = kind.path(within);
  await ensureNamespace(ours, within);
  const connected = await connectWatchers(ours, watchers);
  try {
    await withClients(ours, 1, async ([client]) => {
      await client?.send({ method: 'POST', path: place, body: kind.object('object-0') }).catch(ifMissing);
    });
    const list = (await responseOf(ours, `${place}?limit=1`)).toString();
    const revision = /"resourceVersion":"(\d+)"/.exec(list)?.[1] ?? '0';
    const target = `${place}?watch=1&resourceVersion=${revision}&timeoutSeconds=3000`;
    await eachOf(watchers, 50, async (index) => connected[index]?.start(target));
    const { events: before } = totals(connected);
    const cpuBefore = cpuSeconds(ours.pid);
    await updateFor(ours, kind, place, settings.seconds);
    const { events } = totals(connected);
    return { cpuMicros: ((cpuSeconds(ours.pid) - cpuBefore) * 1e6) / (events - before) };
  } finally {
    for (const watcher of connected) watcher.close();
  }
}

async function updateFor(ours: Subject, kind: Kind, place: string, seconds: number): Promise<void> {
  await withClients(ours, 4, async (clients) => {
    const end = performance.now() + seconds * 1000;
    let turn = 0;
    const update = async (client: HttpClient): Promise<void> => {
      while (performance.now() < end) {
        const body = kind.object('object-0', `${turn++} ${Date.now()} `);
        await client.send({ method: 'PATCH', type: mergeType, path: `${place}/object-0`, body });
      }
    };
    await Promise.all(clients.map(update));
  });
}

async function measured({ ours, settings }: Lab, comparison: Comparison, kind: Kind): Promise<Figures> {
  const { clients, objects, request } = comparison;
  const within = `${namespace}-${comparison.name}`;
  const place = kind.path(within);
  await ensureNamespace(ours, within);
  return withClients(ours, clients, async (connections) => {
    await eachOf(objects === 'all' ? settings.objects : objects, clients, async (index, worker) => {
      const body = kind.object(`object-${index}`);
      await connections[worker]?.send({ method: 'POST', path: place, body }).catch(ifMissing);
    });
    // Reads of any version may follow, which do not wait for the creates.
    await responseOf(ours, `${place}?limit=1`);
    return press({ pid: ours.pid, clients, seconds: settings.seconds }, (client, turn) => {
      return connections[client]?.send(request(kind, place, turn)) ?? Promise.resolve();
    });
  });
}

function ifMissing(error: unknown): void {
  if (!String(error).includes(' 409 ')) throw error;
}

/** Makes a kind unless it is there, and waits until it is served. */
async function define({ ours }: Lab, of = shape): Promise<void> {
  const definitions = '/apis/apiextensions.cl.io/v1/customresourcedefinitions';
  await withClients(ours, 1, async ([client]) => {
    const body = JSON.stringify(customDefinition(of));
    await client?.send({ method: 'POST', path: definitions, body }).catch(ifMissing);
  });
  await untilServed(ours, kindOf(of));
}

async function untilServed(subject: Subject, kind: Kind): Promise<void> {
  for (let attempt = 0; attempt < 500; attempt++) {
    const isServed = await responseOf({ contender: 'ours', ...subject }, kind.path(namespace)).then(
      () => true,
      () => false,
    );
    if (isServed) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('the kind of the bench is not served');
}
