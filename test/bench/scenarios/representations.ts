import { paths } from '../collection.ts';
import { responseOf, type Bench, compare, pressHttp, type Scenario } from './scenario.ts';

const protobuf = 'application/vnd.cluster.protobuf';

/** One read in another representation than JSON. */
interface Reading {
  readonly name: string;
  readonly path: string;
  readonly accept: string;
  readonly clients: number;
  readonly bar?: number;
}

const meta = ';v=v1;g=meta.cl.io';

const readings: readonly Reading[] = [
  { name: 'get-protobuf', path: paths.object, accept: protobuf, clients: 8 },
  { name: 'list-protobuf', path: paths.all, accept: protobuf, clients: 2 },
  { name: 'list-protobuf-label', path: paths.labelled, accept: protobuf, clients: 2 },
  {
    name: 'list-metadata',
    path: paths.all,
    accept: `application/json;as=PartialObjectMetadataList${meta}`,
    clients: 2,
  },
  {
    name: 'list-metadata-protobuf',
    path: paths.all,
    accept: `${protobuf};as=PartialObjectMetadataList${meta}`,
    clients: 2,
  },
  { name: 'list-table', path: paths.namespace, accept: `application/json;as=Table${meta}`, clients: 2 },
];

/** Reads in other representations, beside `res.end(buffer)` of the same bytes. */
export const representations: readonly Scenario[] = readings.map((reading) => ({
  name: reading.name,
  async run(bench) {
    await bench.fill();
    await measure(bench, reading);
  },
}));

async function measure(
  { lab, bareResponses, report }: Bench,
  { name, path, accept, clients, bar }: Reading,
): Promise<void> {
  await lab.keepResponse(name, await responseOf(lab.ours, { path, accept }));
  const load = { clients, seconds: lab.settings.seconds };
  const figures = await compare(lab.settings.rounds, 'cpuMicros', {
    // A peer may have other names for these formats.
    ours: pressHttp(lab.ours, load, () => ({ path, accept })),
    bare: pressHttp(await bareResponses(), load, () => ({ path: `/raw/${name}` })),
  });
  report({ scenario: name, figures, compared: 'cpuMicros', ...(bar ? { bar } : {}) });
}
